/* Statistics whose terms are made of an element and a mean by a few operations, each
   rounded: mean distances, skewness, kurtosis, autocorrelation, and all that has
   weights.

   They take one pass more than their mean, or than their mean and standard
   deviation, which one pass finds together.  In exact mode mean and standard
   deviation are the correctly rounded ones, a term is what the reduction's row of
   kernels/reductions.def says, no operation of it fused, and the terms are added
   exactly: so the result has the same bits whatever computed it.  Where sums of
   terms overflow, or a weight or an element is infinite or NaN, GSL's own way
   decides (src/public/plain.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TERMS_H
#define GT_TERMS_H

#include "src/public/sample.h"

/* The statistics of the functions gsltune_stats_NAME.  */
gt_statistic gt_absdev;
gt_statistic gt_absdev_m;
gt_statistic gt_skew;
gt_statistic gt_skew_m_sd;
gt_statistic gt_kurtosis;
gt_statistic gt_kurtosis_m_sd;
gt_statistic gt_lag1_autocorrelation;
gt_statistic gt_lag1_autocorrelation_m;

/* Of weights, x, and data, y.  */
gt_statistic gt_wmean;
gt_statistic gt_wtss;
gt_statistic gt_wvariance;
gt_statistic gt_wsd;
gt_statistic gt_wtss_m;
gt_statistic gt_wvariance_m;
gt_statistic gt_wsd_m;
gt_statistic gt_wvariance_with_fixed_mean;
gt_statistic gt_wsd_with_fixed_mean;
gt_statistic gt_wabsdev;
gt_statistic gt_wabsdev_m;
gt_statistic gt_wskew;
gt_statistic gt_wskew_m_sd;
gt_statistic gt_wkurtosis;
gt_statistic gt_wkurtosis_m_sd;

#endif
