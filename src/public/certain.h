/* The exact values, rounded once, of statistics that are more than means and squares:
   mean distances, skewness, kurtosis, autocorrelation, and all that has weights.

   What is defined by a mean and a standard deviation that GSL rounds on its way is taken
   for what it is without these roundings, as a rational number of the elements or the
   root of one.  Sums of twice the precision (compensated ones, kernels/cpu/sums/sums_terms.inc)
   tell it within a bound that is computed with it (kernels/cpu/finish/ball.h); of copies
   (src/public/moderate.h), where something leaves the range of doubles.  Where that leaves
   in doubt to which double it rounds, whole numbers decide (src/public/rational.c).  As results are
   correctly rounded it does not matter who computes them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CERTAIN_H
#define GT_CERTAIN_H

#include "kernels/cpu/finish/ball.h"
#include "src/public/moderate.h"

/* The sample's term, exactly.  */
gt_statistic gt_certain;

/* Leaves it in *TO if sums of twice the precision tell it, of a sample on the host; outside
   of exact mode the last place may be off.  Else returns 0.  */
int gt_certain_told (struct gt_sample *sample, double *to);

/* The same by one pass over the elements, where there are quick sums within a bound.  */
int gt_certain_quickly (struct gt_sample *sample, double *to);

/* The same in *TO, where sums of a GPU tell it, of samples of which the latter holds:
   else these return 0.  */
int gt_certain_on_gpu (struct gt_sample *sample, double *to);

static inline int
gt_is_real_on_gpu (const struct gt_sample *sample)
{
  return sample->memory[0] && sample->mode == GT_MODE_EXACT
         && sample->task.problem.arithmetic <= GT_F32 && sample->task.problem.n > 1;
}

/* Sum K of VALUE, the sample's last sums, in fast or compensated mode, with the bound of a
   sum of terms that are not negative.  */
struct gt_ball gt_sum_in (const struct gt_sample *sample, const union gt_value *value,
                          unsigned k);

/* Leaves it in *TO where a look at the elements, on the host, settles it: some are not
   finite, all are equal, or none counts.  Else returns 0.  */
int gt_term_settled (struct gt_sample *sample, double *to);

/* The same of a sample on the host whose term is set, slowly.  Infinities and NaN go GSL's
   own way.  */
gt_statistic gt_rational;

/* The same by GSL's own way in long double.  */
gt_statistic gt_term_plain;

#endif
