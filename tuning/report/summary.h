/* Summarizes a vector in a few numbers, in one pass over its pieces.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SUMMARY_H
#define GT_SUMMARY_H

#include "kernels/cpu/wide/wide_superaccumulator.h"
#include "kernels/task.h"
#include "src/gsltune.h"
#include "tuning/text/number.h"
#include "tuning/text/reader.h"

/* An element and its index: of several the first, and of reals the first
   NaN.  */
struct gt_extreme
{
  struct gt_number number;
  uint64_t index;
};

/* The value of a reduction of the elements so far.  */
struct gt_running
{
  enum gt_reduction reduction;
  int begun;                            /* there is a value */
  union gt_value value;                 /* not finished */
  struct gt_wide_superaccumulator wide; /* exact sums of long double */
};

struct gt_summary
{
  enum gt_element_type type;
  enum gt_mode mode;
  uint64_t count;              /* elements */
  struct gt_extreme min, max;  /* when there are elements */
  struct gt_running running_sum, running_asum, running_extremes;
  struct gt_running running_moments;
  gsltune_moments *wide;       /* of long doubles, in place of these; else null */
  struct gt_number sum, asum;  /* once finished */
  double nrm2, mean, tss, variance, sd;
};

void gt_summary_init (struct gt_summary *summary, enum gt_element_type type,
                      enum gt_mode mode);

/* The next N elements, N at least 1, STRIDE apart.  */
void gt_summary_add (struct gt_summary *summary, const void *data, size_t n,
                     size_t stride);

/* Computes SUM, which wraps as GSL's does if elements are integers, and ASUM, the
   sum of magnitudes; that of integers is of 64 bits, a ulong.  NRM2, MEAN, TSS, VARIANCE
   and SD are rounded once in every mode.  */
void gt_summary_finish (struct gt_summary *summary);
void gt_summary_clear (struct gt_summary *summary);

/* The same of the sum alone.  */
void gt_summary_add_sum (struct gt_summary *summary, const void *data, size_t n,
                         size_t stride);
void gt_summary_finish_sum (struct gt_summary *summary);

/* For statistics that want the mean of all elements before they look at the first one:
   all that were added, one behind the other.  */
struct gt_kept
{
  struct gt_numbers all;
  /* Once finished, what gsltune_stats_absdev and its kin return in the mode in
     force.  */
  struct gt_statistics
  {
    double absdev, skew, kurtosis, lag1;
  } more;
};

/* Keeps a copy of N more elements, STRIDE apart.  Returns 0, or -1 when there is no
   memory for them.  */
int gt_kept_add (struct gt_kept *kept, const void *data, size_t n,
                  size_t stride);

void gt_kept_finish (struct gt_kept *kept);

/* Pearson's coefficient of what X and Y kept, of one type and number, in the mode in
   force.  */
double gt_kept_correlation (const struct gt_kept *x, const struct gt_kept *y);

/* QUANTILES become those of the N fractions, as gsl_stats_quantile_from_sorted_data has
   them: NaN of no elements and where there is a NaN.  What is kept is sorted
   afterwards.  */
void gt_kept_quantiles (struct gt_kept *kept, const double *fractions, size_t n,
                        double *quantiles);

#endif
