/* The public functions over processes: sums, dot products, norms and statistics.

   In exact mode each process adds its elements to accumulators, or to moments.  In fast mode, and
   for sums and dot products in compensated mode, it computes its part with the function for one process, and what comes of that is added
   exactly; but a part that is not finite, from which nobody can tell what it is together
   with others, is added as in exact mode.  So there is one way to put the parts together,
   one message, and neither the order of the processes nor MPI's way of adding can be seen
   in the result.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "src/base/names.h"
#include "src/mpi/gsltune-mpi.h"
#include "src/mpi/message.h"
#include "src/prototypes.h"
#include "src/public/kinds.h"

/* This process's part of a function: one or two accumulators, and the number of their
   elements.  */
struct sums
{
  struct gt_mpi_sums all;
  gsltune_accumulator *acc[2];
  int exact; /* what a process has is added exactly */
};

static void
free_sums (struct sums *sums)
{
  gsltune_accumulator_free (sums->acc[0]);
  gsltune_accumulator_free (sums->acc[1]);
}

#define SUMS struct sums sums __attribute__ ((cleanup (free_sums)))

/* The mode of FUNCTION while a program asks for MODE: sums and dot products alone have
   compensated ways.  */
static gsltune_mode
mode_of (enum gt_mpi_function function, gsltune_mode mode)
{
  switch (function)
    {
    case GT_MPI_SUM:
    case GT_MPI_DOT:
    case GT_MPI_DSDOT:
    case GT_MPI_SDSDOT:
    case GT_MPI_DOTC:
      return mode;
    default:
      return mode == GSLTUNE_MODE_FAST ? mode : GSLTUNE_MODE_EXACT;
    }
}

/* Begins the sums of a function.  The mode is asked for once, since another thread may
   change it meanwhile.  Where memory is short the status says so, and some accumulators are
   null: nothing is to be added then, but the call goes on, since the other processes
   wait for it.  */
static struct sums
begin (enum gt_mpi_function function, enum gt_arithmetic arithmetic,
       unsigned count, gsltune_range range, uint64_t n)
{
  const gsltune_mode mode = mode_of (function, gsltune_get_mode ());
  struct sums sums = {
    .all = {.count = count, .words = gsltune_accumulator_words (range),
            .range = range, .n = n,
            .signature = gt_mpi_signature (function, (int) arithmetic,
                                           (int) mode)},
    .exact = mode == GSLTUNE_MODE_EXACT
  };

  for (unsigned k = 0; k < count; k++)
    {
      sums.acc[k] = gsltune_accumulator_alloc ();
      if (sums.acc[k] == NULL)
        {
          sums.all.status = GSL_ENOMEM;
          sums.all.is_told = 1;
        }
    }
  return sums;
}

/* Replaces the sums by those of all processes of COMM together; returns the status.  */
static int
add_up (struct sums *sums, MPI_Comm comm)
{
  return gt_mpi_add_up (&sums->all, sums->acc, comm);
}

/* Adds X to accumulator K.  */
static void
add_number (struct sums *sums, unsigned k, double x)
{
  gsltune_accumulator_add_vector (sums->acc[k],
                                  &(gsl_vector) {1, 1, &x, NULL, 0});
}

static void
add_product (struct sums *sums, unsigned k, double x, double y)
{
  gsltune_accumulator_add_vector_products (sums->acc[k],
                                           &(gsl_vector) {1, 1, &x, NULL, 0},
                                           &(gsl_vector) {1, 1, &y, NULL, 0});
}

/* ------------------------------------------------------------- Statistics */

/* The largest mean, in standard deviations, of a sample of which a mean and a variance
   that were rounded tell enough: the mean's own rounding errors come into the variance of
   all samples together that many times enlarged.  */
#define LARGEST_MEAN 1000

/* Adds what the N elements of a process with a mean and a sum of squares about it have
   together: n m, and n m^2 + t, as T. F. Chan, G. H. Golub and R. J. LeVeque put samples
   together ("Algorithms for computing the sample variance", The American Statistician 37,
   1983), but without rounding: n m is h + l exactly.  Returns 0, having added nothing,
   where M and T do not tell enough.  */
static int
add_rounded_moments (struct sums *sums, double n, double m, double t)
{
  const double h = n * m, l = isfinite (h) ? fma (n, m, -h) : 0;

  if (!isfinite (h))
    return 0;
  if (sums->all.count == 2
      && !(isnormal (t) && fabs (m) <= LARGEST_MEAN * sqrt (t / n)))
    return 0;
  add_number (sums, 0, h);
  add_number (sums, 0, l);
  if (sums->all.count < 2)
    return 1;
  add_product (sums, 1, h, m);
  add_product (sums, 1, l, m);
  add_number (sums, 1, t);
  return 1;
}

/* A statistic that processes are asked for together.  */
struct asked
{
  const struct gt_term *term;
  double given[2];
  enum gt_mpi_function function;
  enum gt_arithmetic arithmetic;
  gsltune_mode mode;
  MPI_Comm comm;
};

static void
free_moments (gsltune_moments **m)
{
  gsltune_moments_free (*m);
}

#define MOMENTS __attribute__ ((cleanup (free_moments))) gsltune_moments *

static int
is_distance (const struct gt_term *term)
{
  return gt_kinds[term->what].form == GT_FORM_POWERS && gt_kinds[term->what].power == 1;
}

static int
is_of_pairs (const struct gt_term *term)
{
  return term->weighted || gt_kinds[term->what].form == GT_FORM_JOINT;
}

/* Computes of the sums of elements and of squares a mean, a sum of squares, a variance or its
   root.  These sums are not enough for other statistics.  */
static double
end_statistic (const struct sums *sums, const struct asked *a)
{
  gsltune_accumulator *const *acc = sums->acc;
  const size_t n = (size_t) sums->all.n;
  double variance;

  switch (a->term->what)
    {
    case GT_TERM_MEAN:
      return gsltune_accumulator_mean (acc[0], n);
    case GT_TERM_TSS:
      return gsltune_accumulator_tss (acc[0], acc[1], n);
    case GT_TERM_FIXED:
      variance = gsltune_accumulator_tss (acc[0], acc[1], n) / (double) (n ? n : 1);
      return a->term->root ? sqrt (variance) : variance;
    case GT_TERM_VARIANCE:
      return a->term->root ? gsltune_accumulator_sd (acc[0], acc[1], n)
                           : gsltune_accumulator_variance (acc[0], acc[1], n);
    default:
      return GSL_NAN;
    }
}

/* Computes a statistic of the SUM of terms of N elements about given means; NaN if there are
   so few that only exact sums tell.  */
static double
end_about (const struct asked *a, double sum, double n)
{
  const struct gt_kind *kind = &gt_kinds[a->term->what];
  const double by = kind->form == GT_FORM_POWERS || a->term->what == GT_TERM_FIXED ? n
                    : a->term->what == GT_TERM_VARIANCE                          ? n - 1
                                                                                 : 1;

  if (!(by > 0))
    return GSL_NAN;
  return a->term->root ? sqrt (sum / by) : sum / by - kind->less;
}

/* Moments of nothing that the statistic is made of, or, of a distance from the mean, first
   those of the mean.  */
static gsltune_moments *
new_moments (const struct asked *a)
{
  const struct gt_kind *kind = &gt_kinds[a->term->what];
  const int wide = a->arithmetic == GT_LDBL;
  const gsltune_moments_kind of
    = a->term->weighted                  ? GSLTUNE_MOMENTS_WEIGHTED
      : kind->form == GT_FORM_JOINT      ? GSLTUNE_MOMENTS_PAIRS
      : kind->form == GT_FORM_NEIGHBOURS ? GSLTUNE_MOMENTS_NEIGHBOURS
                                         : GSLTUNE_MOMENTS_PLAIN;

  return is_distance (a->term) && a->term->given
           ? gsltune_moments_alloc_about_mean (of, a->given[0], wide)
           : gsltune_moments_alloc (of, kind->power, wide);
}

/* Some bits of the given numbers, which all processes must have alike.  */
static int64_t
bits_of (const double given[2])
{
  uint64_t bits[2];
  const double both[2] = {given[0] + 0, given[1] + 0};

  memcpy (bits, both, sizeof bits);
  return (int64_t) ((bits[0] * 0x9e3779b97f4a7c15u ^ bits[1]) * 0xbf58476d1ce4e5b9u >> 49);
}

static struct gt_mpi_sums
sums_of_moments (const struct asked *a, gsltune_moments *m, const gsltune_moments *before)
{
  return (struct gt_mpi_sums) {
    .count = m != NULL, .words = m ? gsltune_moments_words (m) : 0, .moments = m,
    .before = before, .given = bits_of (a->given), .status = m ? GSL_SUCCESS : GSL_ENOMEM,
    .is_told = m == NULL,
    .signature = gt_mpi_signature (a->function, (int) a->arithmetic, (int) a->mode)
  };
}

/* Replaces M, which is null where memory was short, by the moments of all processes.
   Returns the status.  */
static int
add_up_moments (const struct asked *a, gsltune_moments *m, const gsltune_moments *before)
{
  struct gt_mpi_sums sums = sums_of_moments (a, m, before);

  return gt_mpi_add_up (&sums, NULL, a->comm);
}

/* The bits of an element in numbers that MPI sends with the rank of who has it, or -1.  */
#define MOST_BITS 4
struct ranked
{
  int rank, bits;
};

/* Stores the LAST element, of SIZE bytes, of the processes of lower rank in BEFORE; LAST is
   null where a process has none.  Returns 1, 0 if there is none, or -1 if MPI has failed.  */
static int
last_before (const void *last, void *before, size_t size, MPI_Comm comm)
{
  int rank, bits[MOST_BITS] = {0};
  struct ranked own[MOST_BITS], theirs[MOST_BITS];

  if (MPI_Comm_rank (comm, &rank) != MPI_SUCCESS)
    return -1;
  if (last)
    memcpy (bits, last, size);
  for (int k = 0; k < MOST_BITS; k++)
    own[k] = theirs[k] = (struct ranked) {last ? rank : -1, bits[k]};
  if (MPI_Exscan (own, theirs, MOST_BITS, MPI_2INT, MPI_MAXLOC, comm) != MPI_SUCCESS)
    return -1;
  if (rank == 0 || theirs[0].rank < 0) /* to rank 0 MPI_Exscan gives nothing */
    return 0;
  for (int k = 0; k < MOST_BITS; k++)
    bits[k] = theirs[k].bits;
  memcpy (before, bits, size);
  return 1;
}

/* Says before messages of other kinds that all processes are about the same, and adds up N,
   the elements that they have.  Returns a GSL error code.  */
static int
agree (const struct asked *a, uint64_t *n)
{
  const char *why;
  const int status
    = gt_mpi_agree (gt_mpi_signature (a->function, (int) a->arithmetic, (int) a->mode),
                    GT_MPI_FIRST ^ (size_t) bits_of (a->given), GSL_SUCCESS, a->comm, n, &why);

  if (status)
    GSL_ERROR (why, status);
  return GSL_SUCCESS;
}

/* The statistics of the rows of src/functions.def.  */
#define SAMPLES_ARRAY data, stride, data, stride, n
#define SAMPLES_ARRAYS data1, stride1, data2, stride2, n
#define FUNCTION_OF(name, result)                                                     \
  double NAMED (gsltune_mpi_stats, _##name) GT_TAKES (MPI_##result)                   \
  {                                                                                   \
    const struct asked a = {&gt_term_##name, {GT_GIVEN (MPI_##result)},        \
                            GT_MPI_STATS_##name, ARITHMETIC,                  \
                            mode_of (GT_MPI_STATS_##name, gsltune_get_mode ()), comm}; \
    double rounded = GSL_NAN;                                                         \
    MOMENTS m = NAMED (together, ) (                                                  \
      &a, NAMED_BY (SAMPLES_, GT_OPERANDS (MPI_##result), ), &rounded);               \
                                                                                      \
    return m ? gsltune_moments_##name GT_PASSES (MOMENTS_##result) : rounded;         \
  }

#define GT_TEMPLATE "src/mpi/functions_of.inc"
#include "src/public/each_type.h"
#define GT_TEMPLATE "src/mpi/complex_of.inc"
#define GT_COMPLEX_TOO
#include "src/public/each_type.h"
