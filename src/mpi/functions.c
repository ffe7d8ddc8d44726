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

#include "src/base/names.h"
#include "src/mpi/gsltune-mpi.h"
#include "src/mpi/sums.h"

/* Begins the sums of a function.  The mode is asked for once, since another thread may
   change it meanwhile.  */
static struct gt_mpi_sums
begin (enum gt_mpi_function function, enum gt_arithmetic arithmetic,
       unsigned count, gsltune_range range, uint64_t n)
{
  const gsltune_mode mode = gsltune_get_mode ();
  struct gt_mpi_sums sums;

  gt_mpi_sums_init (&sums, count, range,
                    gt_mpi_signature (function, (int) arithmetic, (int) mode));
  sums.n = n;
  sums.exact = mode == GSLTUNE_MODE_EXACT;
  return sums;
}

/* Adds X to accumulator K.  */
static void
add_number (struct gt_mpi_sums *sums, unsigned k, double x)
{
  gsltune_accumulator_add_vector (sums->acc[k],
                                  &(gsl_vector) {1, 1, &x, NULL, 0});
}

static void
add_product (struct gt_mpi_sums *sums, unsigned k, double x, double y)
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
  struct gt_mpi_sums sums
    = begin (GT_MPI_DSDOT, GT_F32, 1, GSLTUNE_RANGE_PRODUCTS, x->size);

  if (dot_float (&sums, x, y, comm) == GSL_SUCCESS)
    *result = gsltune_accumulator_round (sums.acc[0]);
  gt_mpi_sums_free (&sums);
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
add_rounded_moments (struct gt_mpi_sums *sums, double n, double m, double t)
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
round_statistic (const struct gt_mpi_sums *sums, enum gt_mpi_function function)
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
end_statistic (struct gt_mpi_sums *sums, enum gt_mpi_function function,
               MPI_Comm comm)
{
  double statistic = GSL_NAN;

  if (gt_mpi_sums_add (sums, comm) == GSL_SUCCESS)
    statistic = round_statistic (sums, function);
  gt_mpi_sums_free (sums);
  return statistic;
}

#define GT_TEMPLATE "src/mpi/functions_of.inc"
#include "src/public/each_type.h"
