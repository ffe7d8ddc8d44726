/* Statistics whose terms are made of an element and a mean: mean distances, skewness,
   kurtosis, autocorrelation, and all that has weights.

   In exact mode, and on the host in compensated mode too, src/public/certain.h tells them.
   Otherwise they take one pass more than their mean, or than their mean and standard
   deviation, which one pass finds together; where rounded sums cannot tell, a look at the
   elements settles what is NaN or nothing, copies serve that are multiplied by a power of
   two (src/public/moderate.h), or else GSL's own way decides (src/public/plain.h), and what
   even that makes infinite or NaN is told as in exact mode.
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
