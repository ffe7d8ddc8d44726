/* Sums of twice the precision and their bounds, and the statistics made of them: balls that the
   exact values are in.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BOUNDED_H
#define GT_BOUNDED_H

#include <math.h>

#include "src/public/certain.h"

/* Planning goes deep: no function's balls are below another's.  */
#define GT_APART __attribute__ ((noinline)) static

/* A sample as far as it is known on the way.  BLOCK is the most elements of a sum on the host,
   whose bound grows with its square; a GPU sums all at once.  */
struct gt_known
{
  struct gt_sample *sample;
  const struct gt_term *term;
  uint64_t n, block;
  struct gt_ball weight;  /* the number of elements, or the sum of their weights */
  struct gt_ball squared; /* the sum of the weights' squares */
  struct gt_ball mean, tss;
  double spread; /* about the standard deviation; 0: not known */
  double less[2]; /* what sums of the elements as they are take off them */
};

/* Makes *TO a ball that the statistic of what is known is in, or returns 0: by sums of the
   elements as they are, of doubles, AGAIN of such as are moved; and by sums of terms about the
   mean.  */
int gt_bounded_quickly (struct gt_known *k, int again, struct gt_ball *to);
int gt_bounded_term (struct gt_known *k, struct gt_ball *to);

/* The value of REDUCTION in MODE of the elements less MEAN, times SCALE.  */
void gt_bounded_sums (const struct gt_known *k, enum gt_reduction reduction, enum gt_mode mode,
                      struct gt_ball mean, double scale, struct gt_ball *sums);

/* The number that is taken off elements whose mean is MEAN.  */
double gt_shift_for (const struct gt_known *k, double mean);

int gt_is_of_floats_on_gpu (const struct gt_known *k);

/* By how much the mean seems off in sums of powers of what is taken off it.  */
double gt_mean_error (const struct gt_known *k);

/* How far beyond the differences from the mean those are of which terms are made.  */
double gt_mean_reach (const struct gt_known *k);

/* The part that the bound of a sum of terms lacks whose magnitudes add up to MAGNITUDES.  */
double gt_error_for (const struct gt_known *k, double magnitudes);

static inline double
gt_ball_most (struct gt_ball x)
{
  return fabs (x.h) + x.radius;
}

#endif
