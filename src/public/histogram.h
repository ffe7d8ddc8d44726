/* Shared by the histograms of host arrays and of device vectors.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_HISTOGRAM_H
#define GT_HISTOGRAM_H

#include <gsl/gsl_histogram.h>
#include <gsl/gsl_histogram2d.h>
#include <stdint.h>

#include "kernels/cpu/bins/bins.h"

/* gt_bins_of (kernels/cpu/bins/bins.h), whatever the caller's rounding.  */
int gt_histogram_bins (struct gt_bins *bins, const double *range, size_t n);

/* Adds TOTALS to N_BINS bins, and GSL_EDOM if there is something in none, whose number is
   the last; else GSL_SUCCESS.  */
int gt_histogram_add (double *bin, const uint64_t *totals, size_t n_bins);

/* An addition to a histogram of GSL's, one of both.  */
struct gt_addition
{
  gsl_histogram *one;
  gsl_histogram2d *two;
  double *bin;
  size_t n_bins;
  struct gt_bins bins[2]; /* of each array; the second's are side by side */
  const double *x[3];     /* the second and the weights may be null */
  size_t stride[3], n;
};

/* The bins of COUNT elements of A from FIRST on, at most a block; N_BINS for what is in none.  */
void gt_histogram_find (const struct gt_addition *a, size_t first, size_t count, uint32_t *bin);

/* Add elements with their weights, whose bins are few beside them, or many; with GSL_EDOM in
   *STATUS if some are in none.  0 when memory is short.  */
int gt_histogram_add_to_few (const struct gt_addition *a, int *status);
int gt_histogram_add_to_many (const struct gt_addition *a, int *status);

/* The sum of A and B, and in *LOST what it lacks, exactly; no number where the sum is none or
   infinite (O. Moller, "Quasi double-precision in floating point addition", 1965).  */
static inline double
gt_sum_of (double a, double b, double *lost)
{
  const double sum = a + b, part = sum - a;

  *lost = (a - (sum - part)) + (b - part);
  return sum;
}

/* As many elements from FIRST on as are looked at together.  */
static inline size_t
gt_addition_block (const struct gt_addition *a, size_t first)
{
  return a->n - first < GT_BINS_BLOCK ? a->n - first : GT_BINS_BLOCK;
}

#endif
