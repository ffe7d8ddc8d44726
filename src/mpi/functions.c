/* The public functions over processes: sums, dot products, norms and statistics.

   In exact mode each process adds its elements to accumulators.  In the other modes it
   computes its part with the function for one process, and what comes of that is added
   exactly; but a part that is not finite, from which nobody can tell what it is together
   with others, is added as in exact mode.  So there is one way to put the parts together,
   one message, and neither the order of the processes nor MPI's way of adding can be seen
   in the result.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/mpi/gsltune-mpi.h"
#include "src/mpi/message.h"

/* What a function has of this process: one or two accumulators of a range, and how many
   elements they are of.  */
struct sums
{
  gsltune_accumulator *acc[2];
  unsigned count;          /* of accumulators */
  gsltune_range range;
  int64_t signature;
  uint64_t n;
  int exact;               /* what a process has is added exactly */
  int status;              /* a GSL error code of this process */
  int is_told;             /* GSL's error handler has been told of it */
};

#define N_AT GT_MPI_HEADER
#define WORDS_AT (GT_MPI_HEADER + 2)

/* Begins the sums of a function.  The mode is asked for once, since another thread may
   change it meanwhile.  Where memory is short the status says so, and some accumulators are
   null: nothing is to be added then, but the call goes on, since the other processes
   wait for it.  */
static struct sums
begin (enum gt_mpi_function function, enum gt_arithmetic arithmetic,
       unsigned count, gsltune_range range, uint64_t n)
{
  const gsltune_mode mode = gsltune_get_mode ();
  struct sums sums = {
    .count = count, .range = range, .n = n,
    .signature = gt_mpi_signature (function, (int) arithmetic, (int) mode),
    .exact = mode == GSLTUNE_MODE_EXACT
  };

  for (unsigned k = 0; k < count; k++)
    {
      sums.acc[k] = gsltune_accumulator_alloc ();
      if (sums.acc[k] == NULL)
        {
          sums.status = GSL_ENOMEM;
          sums.is_told = 1;
        }
    }
  return sums;
}

static void
free_sums (struct sums *sums)
{
  for (unsigned k = 0; k < sums->count; k++)
    gsltune_accumulator_free (sums->acc[k]);
  sums->count = 0;
}

/* Adds up MESSAGE, of LENGTH words, WORDS of them an accumulator's.  */
static int
add (struct sums *sums, int64_t *message, size_t length, size_t words,
     MPI_Comm comm, const char **why)
{
  memset (message, 0, length * sizeof *message);
  gt_mpi_begin (message, sums->signature, length, sums->status);
  gt_mpi_put (message + N_AT, sums->n);
  for (unsigned k = 0; k < sums->count && sums->status == GSL_SUCCESS; k++)
    gsltune_accumulator_get_words (sums->acc[k], sums->range,
                                   message + WORDS_AT + k * words);
  sums->status = gt_mpi_add (message, length, comm, why);
  sums->n = gt_mpi_get (message + N_AT);
  for (unsigned k = 0; k < sums->count && sums->status == GSL_SUCCESS; k++)
    {
      sums->status
        = gsltune_accumulator_set_words (sums->acc[k], sums->range,
                                         message + WORDS_AT + k * words);
      sums->is_told |= sums->status != GSL_SUCCESS;
    }
  return sums->status;
}

/* As add, of a message that needs memory: before, the processes tell each other in the
   first one whether all have it.  */
static int
add_long (struct sums *sums, size_t length, size_t words, MPI_Comm comm,
          const char **why)
{
  int64_t *message = malloc (length * sizeof *message);

  if (message == NULL && sums->status == GSL_SUCCESS)
    sums->status = GSL_ENOMEM;
  sums->status
    = gt_mpi_agree (sums->signature, length, sums->status, comm, why);
  if (sums->status == GSL_SUCCESS)
    add (sums, message, length, words, comm, why);
  free (message);
  return sums->status;
}

/* Replaces the accumulators, the number of elements and the status by those of all
   processes of COMM together; returns the status.  After an error, which GSL's error
   handler is told of once, the accumulators are freed.  */
static int
add_up (struct sums *sums, MPI_Comm comm)
{
  int64_t message[GT_MPI_FIRST];
  const size_t words = gsltune_accumulator_words (sums->range);
  const size_t length = WORDS_AT + sums->count * words;
  const char *why;

  if (length > GT_MPI_FIRST)
    add_long (sums, length, words, comm, &why);
  else
    add (sums, message, GT_MPI_FIRST, words, comm, &why);
  if (sums->status == GSL_SUCCESS)
    return GSL_SUCCESS;
  free_sums (sums);
  if (!sums->is_told)
    GSL_ERROR (why, sums->status);
  return sums->status;
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
  gsltune_accumulator_add_products (sums->acc[k],
                                    &(gsl_vector) {1, 1, &x, NULL, 0},
                                    &(gsl_vector) {1, 1, &y, NULL, 0});
}

/* ------------------------------------------------------------------- BLAS */

#define NAMED_BY(a, b, c) a##b##c
#define NAMED(a, b, c) NAMED_BY (a, b, c)

#define TYPE double
#define SUFFIX
#define LETTER d
#define DOT gsltune_blas_ddot
#include "src/mpi/blas_of.inc"

#define TYPE float
#define SUFFIX _float
#define LETTER s
#define DOT gsltune_blas_dsdot
#include "src/mpi/blas_of.inc"

#undef NAMED
#undef NAMED_BY

int
gsltune_mpi_blas_dsdot (const gsl_vector_float *x, const gsl_vector_float *y,
                        double *result, MPI_Comm comm)
{
  struct sums sums
    = begin (GT_MPI_DSDOT, GT_F32, 1, GSLTUNE_RANGE_PRODUCTS, x->size);

  if (dot_float (&sums, x, y, comm) == GSL_SUCCESS)
    *result = gsltune_accumulator_round (sums.acc[0]);
  free_sums (&sums);
  return sums.status;
}

/* -------------------------------------------------------------- Statistics */

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
  if (sums->count == 2
      && !(isnormal (t) && fabs (m) <= LARGEST_MEAN * sqrt (t / n)))
    return 0;
  add_number (sums, 0, h);
  add_number (sums, 0, l);
  if (sums->count < 2)
    return 1;
  add_product (sums, 1, h, m);
  add_product (sums, 1, l, m);
  add_number (sums, 1, t);
  return 1;
}

static double
round_statistic (const struct sums *sums, enum gt_mpi_function function)
{
  const gsltune_accumulator *const *acc
    = (const gsltune_accumulator *const *) sums->acc;
  const size_t n = (size_t) sums->n;

  switch (function)
    {
    case GT_MPI_MEAN:
      return gsltune_accumulator_mean (acc[0], n);
    case GT_MPI_VARIANCE:
      return gsltune_accumulator_variance (acc[0], acc[1], n);
    default:
      return gsltune_accumulator_sd (acc[0], acc[1], n);
    }
}

/* Ends the statistic whose sums of this process are in SUMS.  */
static double
end_statistic (struct sums *sums, enum gt_mpi_function function,
               MPI_Comm comm)
{
  double statistic = GSL_NAN;

  if (add_up (sums, comm) == GSL_SUCCESS)
    statistic = round_statistic (sums, function);
  free_sums (sums);
  return statistic;
}

#define GT_TEMPLATE "src/mpi/functions_of.inc"
#include "src/public/each_type.h"
