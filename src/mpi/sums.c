/* Sums over processes: accumulators on their way.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/mpi/sums.h"

#include <gsl/gsl_errno.h>
#include <string.h>

/* The words of the widest range, as gsltune_accumulator_words says.  */
#define MOST_WORDS 2061
#define N_AT GT_MPI_HEADER
#define WORDS_AT (GT_MPI_HEADER + 2)

void
gt_mpi_sums_init (struct gt_mpi_sums *sums, unsigned count,
                  gsltune_range range, int64_t signature)
{
  *sums = (struct gt_mpi_sums) {
    .count = count, .range = range, .signature = signature
  };
  for (unsigned k = 0; k < count; k++)
    {
      sums->acc[k] = gsltune_accumulator_alloc ();
      if (sums->acc[k] == NULL)
        sums->status = GSL_ENOMEM;
    }
}

void
gt_mpi_sums_free (struct gt_mpi_sums *sums)
{
  for (unsigned k = 0; k < sums->count; k++)
    gsltune_accumulator_free (sums->acc[k]);
}

int
gt_mpi_sums_add (struct gt_mpi_sums *sums, MPI_Comm comm, const char **why)
{
  int64_t message[WORDS_AT + 2 * MOST_WORDS];
  const size_t words = gsltune_accumulator_words (sums->range);
  const size_t length = WORDS_AT + sums->count * words;

  memset (message, 0, length * sizeof *message);
  gt_mpi_begin (message, sums->signature, sums->status);
  gt_mpi_put (message + N_AT, sums->n);
  for (unsigned k = 0; k < sums->count && sums->status == GSL_SUCCESS; k++)
    gsltune_accumulator_get_words (sums->acc[k], sums->range,
                                   message + WORDS_AT + k * words);
  sums->status = gt_mpi_add (message, length, comm, why);
  sums->n = gt_mpi_get (message + N_AT);
  for (unsigned k = 0; k < sums->count && sums->status == GSL_SUCCESS; k++)
    gsltune_accumulator_set_words (sums->acc[k], sums->range,
                                   message + WORDS_AT + k * words);
  return sums->status;
}
