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
#include "src/mpi/message.h"

/* What a function has of this process: one or two accumulators, and how many elements
   they are of.  */
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
  gsltune_accumulator_add_products (sums->acc[k],
                                    &(gsl_vector) {1, 1, &x, NULL, 0},
                                    &(gsl_vector) {1, 1, &y, NULL, 0});
}

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

/* Ends the statistic whose sums of this process are in SUMS.  */
static double
end_statistic (struct sums *sums, enum gt_mpi_function function,
               MPI_Comm comm)
{
  gsltune_accumulator *const *acc = sums->acc;
  size_t n;

  if (add_up (sums, comm))
    return GSL_NAN;
  n = (size_t) sums->all.n;
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

#define GT_TEMPLATE "src/mpi/functions_of.inc"
#include "src/public/each_type.h"
