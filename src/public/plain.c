/* GSL's own way to a statistic.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/plain.h"

#include <math.h>

/* An element as a statistic takes it, from what the sample is given.  */
typedef long double term_of (long double x, const double *given);

static long double
datum (long double x, const double *given)
{
  (void) given;
  return x;
}

static long double
square (long double x, const double *given)
{
  return (x - given[0]) * (x - given[0]);
}

static long double
distance (long double x, const double *given)
{
  return fabsl (x - given[0]);
}

static long double
cube (long double x, const double *given)
{
  const long double t = (x - given[0]) / given[1];

  return t * t * t;
}

static long double
fourth_power (long double x, const double *given)
{
  const long double t = (x - given[0]) / given[1];

  return t * t * t * t;
}

/* Elements are taken so many at a time, and each function is compiled for its term: so
   that this takes no longer than GSL's own loop.  */
#define CHUNK 16
#define INLINE __attribute__ ((always_inline)) static inline

/* How many of the sample's elements are left from element I on, CHUNK at most.  */
static size_t
next_count (const struct gt_sample *sample, size_t i)
{
  const size_t left = sample->task.problem.n - i;

  return left < CHUNK ? left : CHUNK;
}

/* The mean of the terms, brought up to date with each of them; a NaN stays one.  */
INLINE long double
mean_of (const struct gt_sample *sample, term_of *term)
{
  long double mean = 0, x[CHUNK];

  for (size_t i = 0, n; i < sample->task.problem.n && mean == mean; i += n)
    {
      n = next_count (sample, i);
      gt_sample_elements (sample, 0, i, n, x);
      for (size_t k = 0; k < n; k++)
        mean += (term (x[k], sample->given) - mean) / (long double) (i + k + 1);
    }
  return mean;
}

/* The same of data with weights, of which those that are not positive are passed
   over.  */
INLINE long double
weighted_mean_of (const struct gt_sample *sample, term_of *term)
{
  long double mean = 0, weights = 0, w[CHUNK], x[CHUNK];

  for (size_t i = 0, n; i < sample->task.problem.n && mean == mean; i += n)
    {
      n = next_count (sample, i);
      gt_sample_elements (sample, 0, i, n, w);
      gt_sample_elements (sample, 1, i, n, x);
      for (size_t k = 0; k < n; k++)
        if (w[k] > 0)
          {
            weights += w[k];
            mean += (term (x[k], sample->given) - mean) * (w[k] / weights);
          }
    }
  return mean;
}

/* --------------------------------------------------------------- One sample */

double
gt_plain_absdev_m (struct gt_sample *sample)
{
  return (double) mean_of (sample, distance);
}

double
gt_plain_skew_m_sd (struct gt_sample *sample)
{
  return (double) mean_of (sample, cube);
}

double
gt_plain_kurtosis_m_sd (struct gt_sample *sample)
{
  return (double) mean_of (sample, fourth_power) - 3;
}

double
gt_plain_lag1_autocorrelation_m (struct gt_sample *sample)
{
  const size_t n = sample->task.problem.n;
  const double mean = sample->given[0];
  long double before = gt_sample_element (sample, 0, 0) - mean;
  long double q = 0, v = before * before;

  for (size_t i = 1; i < n; i++)
    {
      const long double now = gt_sample_element (sample, 0, i) - mean;

      q += (before * now - q) / (long double) (i + 1);
      v += (now * now - v) / (long double) (i + 1);
      before = now;
    }
  return (double) (q / v);
}

/* ------------------------------------------------------------- With weights */

double
gt_plain_wmean (struct gt_sample *sample)
{
  return (double) weighted_mean_of (sample, datum);
}

double
gt_plain_wtss_m (struct gt_sample *sample)
{
  long double sum = 0;

  for (size_t i = 0; i < sample->task.problem.n; i++)
    {
      const long double w = gt_sample_element (sample, 0, i);

      if (w > 0)
        sum += w * square (gt_sample_element (sample, 1, i), sample->given);
    }
  return (double) sum;
}

double
gt_plain_wvariance_with_fixed_mean (struct gt_sample *sample)
{
  return (double) weighted_mean_of (sample, square);
}

/* What makes the estimate unbiased.  */
static double
factor (const struct gt_sample *sample)
{
  long double a = 0, b = 0, w[CHUNK];

  for (size_t i = 0, n; i < sample->task.problem.n; i += n)
    {
      n = next_count (sample, i);
      gt_sample_elements (sample, 0, i, n, w);
      for (size_t k = 0; k < n; k++)
        if (w[k] > 0)
          {
            a += w[k];
            b += w[k] * w[k];
          }
    }
  return (double) (a * a / (a * a - b));
}

double
gt_plain_wvariance_m (struct gt_sample *sample)
{
  return factor (sample) * gt_plain_wvariance_with_fixed_mean (sample);
}

double
gt_plain_wabsdev_m (struct gt_sample *sample)
{
  return (double) weighted_mean_of (sample, distance);
}

double
gt_plain_wskew_m_sd (struct gt_sample *sample)
{
  return (double) weighted_mean_of (sample, cube);
}

double
gt_plain_wkurtosis_m_sd (struct gt_sample *sample)
{
  return (double) weighted_mean_of (sample, fourth_power) - 3;
}
