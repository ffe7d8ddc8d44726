/* Statistics of arrays.  A part of gsltune.h, which explains the comments in brackets.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* ------------------------------------------------------------ Statistics

   The counterparts of GSL's functions of the same names take any number of elements data[i *
   stride], of any stride.  They return double, for long double too.  They call no error
   handler.

   In exact and compensated mode each is the exact value of the definition, for these elements
   and for the given means and deviations, rounded once, to nearest, ties to even; no mean and
   no deviation on the way is rounded.  Only the result overflows or underflows.  Integers are
   added as integers that cannot wrap, in every mode; in fast mode a few of them are added in
   double, those of 64 bits in long double.  In fast mode sums are taken in double, those of
   long double in long double; the manual has the bounds of their errors.  If an intermediate
   result overflows or underflows, the function computes as in exact mode.

   For an empty sample mean, variances, sds, tss, covariance and skew are 0 and kurtosis is -3,
   as in GSL; absdev, lag1_autocorrelation and correlation are NaN (GSL reads past the end of
   the array for the last two).  If no weight is positive, wmean, wtss, wabsdev, wskew and the
   variances with a fixed mean are 0, wkurtosis is -3, and the others are NaN.  For one element
   variance, sd, covariance and their derivatives are NaN.  If any element is NaN, every result
   is NaN.  If the infinite elements have one sign, the mean is that infinity, a statistic
   about a given mean is infinite or NaN, and the others are NaN.  */

/* Return the mean; the variance, with divisor n - 1; its square root; the sum of the squared
   distances from the mean.  The population variance and its root have the divisor n: GSL has
   them about a known mean (_with_fixed_mean) alone.  */
/* [all: double] */
double gsltune_stats_mean (const double data[], size_t stride, size_t n);
double gsltune_stats_variance (const double data[], size_t stride, size_t n);
double gsltune_stats_sd (const double data[], size_t stride, size_t n);
double gsltune_stats_tss (const double data[], size_t stride, size_t n);
double gsltune_stats_population_variance (const double data[], size_t stride, size_t n);
double gsltune_stats_population_sd (const double data[], size_t stride, size_t n);

/* Return the same about a given mean: variance and sd with divisor n - 1, those with a fixed
   mean, which was known before the data, with divisor n.  */
double gsltune_stats_variance_m (const double data[], size_t stride, size_t n, double mean);
double gsltune_stats_sd_m (const double data[], size_t stride, size_t n, double mean);
double gsltune_stats_tss_m (const double data[], size_t stride, size_t n, double mean);
double gsltune_stats_variance_with_fixed_mean (const double data[], size_t stride, size_t n,
                                               double mean);
double gsltune_stats_sd_with_fixed_mean (const double data[], size_t stride, size_t n,
                                         double mean);

/* Return the mean of the distances from the mean, or from a given one.  */
double gsltune_stats_absdev (const double data[], size_t stride, size_t n);
double gsltune_stats_absdev_m (const double data[], size_t stride, size_t n, double mean);

/* Return the mean of the third powers of (x - mean) / sd, or that of the fourth powers less 3.
   If they are not given, mean and sd are those of the elements.  */
double gsltune_stats_skew (const double data[], size_t stride, size_t n);
double gsltune_stats_skew_m_sd (const double data[], size_t stride, size_t n, double mean,
                                double sd);
double gsltune_stats_kurtosis (const double data[], size_t stride, size_t n);
double gsltune_stats_kurtosis_m_sd (const double data[], size_t stride, size_t n, double mean,
                                    double sd);

/* Return the sum of (x[i-1] - mean) (x[i] - mean), divided by the sum of (x[i] - mean)^2.  */
double gsltune_stats_lag1_autocorrelation (const double data[], size_t stride, size_t n);
double gsltune_stats_lag1_autocorrelation_m (const double data[], size_t stride, size_t n,
                                             double mean);

/* Return the covariance of two samples, with divisor n - 1, about their means or given ones;
   Pearson's coefficient of correlation.  */
double gsltune_stats_covariance (const double data1[], size_t stride1, const double data2[],
                                 size_t stride2, size_t n);
double gsltune_stats_covariance_m (const double data1[], size_t stride1, const double data2[],
                                   size_t stride2, size_t n, double mean1, double mean2);
double gsltune_stats_correlation (const double data1[], size_t stride1, const double data2[],
                                  size_t stride2, size_t n);

/* Return the same statistics with weights w[i * wstride].  Elements whose weight is not
   positive are passed over, as in GSL.  The definitions are those of GSL's manual, "Weighted
   Samples".  */
/* [real: double] */
double gsltune_stats_wmean (const double w[], size_t wstride, const double data[],
                            size_t stride, size_t n);
double gsltune_stats_wvariance (const double w[], size_t wstride, const double data[],
                                size_t stride, size_t n);
double gsltune_stats_wsd (const double w[], size_t wstride, const double data[], size_t stride,
                          size_t n);
double gsltune_stats_wtss (const double w[], size_t wstride, const double data[],
                           size_t stride, size_t n);
double gsltune_stats_wvariance_m (const double w[], size_t wstride, const double data[],
                                  size_t stride, size_t n, double wmean);
double gsltune_stats_wsd_m (const double w[], size_t wstride, const double data[],
                            size_t stride, size_t n, double wmean);
double gsltune_stats_wtss_m (const double w[], size_t wstride, const double data[],
                             size_t stride, size_t n, double wmean);
double gsltune_stats_wvariance_with_fixed_mean (const double w[], size_t wstride,
                                                const double data[], size_t stride, size_t n,
                                                double wmean);
double gsltune_stats_wsd_with_fixed_mean (const double w[], size_t wstride,
                                          const double data[], size_t stride, size_t n,
                                          double wmean);
double gsltune_stats_wabsdev (const double w[], size_t wstride, const double data[],
                              size_t stride, size_t n);
double gsltune_stats_wabsdev_m (const double w[], size_t wstride, const double data[],
                                size_t stride, size_t n, double wmean);
double gsltune_stats_wskew (const double w[], size_t wstride, const double data[],
                            size_t stride, size_t n);
double gsltune_stats_wskew_m_sd (const double w[], size_t wstride, const double data[],
                                 size_t stride, size_t n, double wmean, double wsd);
double gsltune_stats_wkurtosis (const double w[], size_t wstride, const double data[],
                                size_t stride, size_t n);
double gsltune_stats_wkurtosis_m_sd (const double w[], size_t wstride, const double data[],
                                     size_t stride, size_t n, double wmean, double wsd);

/* -------------------------------------------------------------- Extremes */

/* Find the largest and the smallest of the n elements data[i * stride], and their places, as
   gsltune_vector_max and its siblings do, errors included.  */
/* [all] */
double gsltune_stats_max (const double data[], size_t stride, size_t n);
double gsltune_stats_min (const double data[], size_t stride, size_t n);
void gsltune_stats_minmax (double *min, double *max, const double data[], size_t stride,
                           size_t n);
size_t gsltune_stats_max_index (const double data[], size_t stride, size_t n);
size_t gsltune_stats_min_index (const double data[], size_t stride, size_t n);
void gsltune_stats_minmax_index (size_t *min_index, size_t *max_index, const double data[],
                                 size_t stride, size_t n);
