/* GSL's own way to a statistic: one element after the other, in long double, on the
   host, each term divided as it comes.  For what a few sums of doubles cannot
   tell: terms that overflow or come of infinities and NaN, standard deviations
   whose reciprocal is no number of full precision.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PLAIN_H
#define GT_PLAIN_H

#include "src/public/sample.h"

/* The statistics of those names, of a sample on the host and what it is given.  */
gt_statistic gt_plain_absdev_m;
gt_statistic gt_plain_skew_m_sd;
gt_statistic gt_plain_kurtosis_m_sd;
gt_statistic gt_plain_lag1_autocorrelation_m;

/* Of weights, x, and data, y.  */
gt_statistic gt_plain_wmean;
gt_statistic gt_plain_wtss_m;
gt_statistic gt_plain_wvariance_m;
gt_statistic gt_plain_wvariance_with_fixed_mean;
gt_statistic gt_plain_wabsdev_m;
gt_statistic gt_plain_wskew_m_sd;
gt_statistic gt_plain_wkurtosis_m_sd;

#endif
