/* Statistics of samples whose sums are in accumulators, rounded once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/finish/wide.h"
#include "src/public/accumulator.h"

static double
norm_of_wide (const gsltune_accumulator *squares)
{
  void *heap;
  struct gt_wide_products *all = GT_ROOM (heap, sizeof *all);
  double norm;

  gt_acc_gather (all, squares);
  norm = gt_wide_finish_norm (all);
  free (heap);
  return norm;
}

double
gsltune_accumulator_norm (const gsltune_accumulator *squares)
{
  struct gt_product_accumulator both;

  if (gt_acc_is_wide (squares))
    return norm_of_wide (squares);
  both = gt_acc_both (squares);
  return gt_finish_norm (&both);
}

float
gsltune_accumulator_norm_float (const gsltune_accumulator *squares)
{
  struct gt_product_accumulator both;

  if (gt_acc_is_wide (squares))
    GSL_ERROR_VAL ("norms of long doubles are rounded to double", GSL_EINVAL,
                   GSL_NAN);
  both = gt_acc_both (squares);
  return gt_finish_norm_float (&both);
}

/* The numbers in ACC, which are no products.  */
static void
wide_sum (struct gt_wide_superaccumulator *sum, const gsltune_accumulator *acc)
{
  *sum = acc->wide;
  gt_wide_merge_narrow (sum, &acc->narrow);
}

static int
has_products (const gsltune_accumulator *acc)
{
  return gt_acc_uses (acc, GT_ACC_PRODUCTS)
         || gt_acc_uses (acc, GT_ACC_WIDE_PRODUCTS);
}

static double
mean_of_wide (const gsltune_accumulator *sum, size_t n)
{
  void *heap;
  struct gt_wide_superaccumulator *all = GT_ROOM (heap, sizeof *all);
  double mean;

  wide_sum (all, sum);
  mean = gt_wide_finish_mean (all, n);
  free (heap);
  return mean;
}

double
gsltune_accumulator_mean (const gsltune_accumulator *sum, size_t n)
{
  if (has_products (sum))
    GSL_ERROR_VAL ("the accumulator of a mean has taken products", GSL_EINVAL,
                   GSL_NAN);
  return gt_acc_is_wide (sum) ? mean_of_wide (sum, n)
                              : gt_finish_mean (&sum->narrow, n);
}

static double
spread_of_wide (enum gt_spread what, const gsltune_accumulator *sum,
                const gsltune_accumulator *squares, size_t n)
{
  struct
  {
    struct gt_wide_superaccumulator s;
    struct gt_wide_products q;
  } *all;
  void *heap;
  double result;

  all = GT_ROOM (heap, sizeof *all);
  wide_sum (&all->s, sum);
  gt_acc_gather (&all->q, squares);
  result = gt_wide_finish_spread (what, &all->s, &all->q, n);
  free (heap);
  return result;
}

static double
spread (enum gt_spread what, const gsltune_accumulator *sum,
        const gsltune_accumulator *squares, size_t n)
{
  struct gt_product_accumulator q;

  if (has_products (sum))
    GSL_ERROR_VAL ("the accumulator of a sum has taken products", GSL_EINVAL,
                   GSL_NAN);
  if (gt_acc_is_wide (sum) || gt_acc_is_wide (squares))
    return spread_of_wide (what, sum, squares, n);
  q = gt_acc_both (squares);
  return gt_finish_spread (what, &sum->narrow, &sum->narrow, &q, n, NULL);
}

double
gsltune_accumulator_tss (const gsltune_accumulator *sum,
                         const gsltune_accumulator *squares, size_t n)
{
  return spread (GT_TSS, sum, squares, n);
}

double
gsltune_accumulator_variance (const gsltune_accumulator *sum,
                              const gsltune_accumulator *squares, size_t n)
{
  return spread (GT_VARIANCE, sum, squares, n);
}

double
gsltune_accumulator_sd (const gsltune_accumulator *sum,
                        const gsltune_accumulator *squares, size_t n)
{
  return spread (GT_SD, sum, squares, n);
}
