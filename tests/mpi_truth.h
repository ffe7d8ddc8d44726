/* Statistics over processes in exact mode against those of whole numbers of GNU MP
   (tests/oracle.h): for tests/mpi_program.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_MPI_TRUTH_H
#define GT_TESTS_MPI_TRUTH_H

#include "tests/drawn.h"
#include "tests/oracle.h"

enum { LONGEST = 600 };

static struct oracle oracle;
static mpfr_t exact;

/* The first process, which has the oracle, says what all should have instead of OURS, of so
   MANY statistics.  */
static void
judge (int many, const double *ours)
{
  double rounded[N_STATISTICS];

  memcpy (rounded, ours, sizeof rounded);
  for (int k = 0; k < many && rank == 0; k++)
    if (oracle_value (exact, &oracle, statistic_names[k], 0))
      rounded[k] = mpfr_get_d (exact, MPFR_RNDN);
  from_first (rounded, sizeof rounded);
  for (int k = 0; k < many; k++)
    same_double (statistic_names[k], ours[k],
                 ours[k] == rounded[k] ? ours[k] : rounded[k]); /* zeros have no sign here */
}

#define GT_TEMPLATE "tests/mpi_truth.inc"
#include "src/public/each_type.h"

static void
test_truth (void)
{
  static const size_t lengths[] = {1, 2, 3, 7, 16, 64, LONGEST};
  uint64_t seed = 5;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  mpfr_init (exact);
  oracle_begin (&oracle);
  for (int kind = 0; kind < N_FINITE; kind++)
    {
      const size_t n = lengths[below (&seed, N_OF (lengths))];
      const int weights = below (&seed, N_WEIGHTS);
      const enum sharing sharing = (enum sharing) below (&seed, N_SHARINGS);

#define X(id, name, infix, ctype, arithmetic) truth##infix (n, kind, weights, sharing, &seed);
      GT_ELEMENT_TYPES (X)
#undef X
    }
  oracle_end (&oracle);
  mpfr_clear (exact);
}

#endif
