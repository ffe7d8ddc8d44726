/* Shared by the tests of histograms: their ranges, numbers for them, and oracles.  Include
   after tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_HISTOGRAMS_H
#define GT_TEST_HISTOGRAMS_H

#include <gsl/gsl_errno.h>
#include <gsl/gsl_histogram.h>
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "tests/exact.h"

#define BITS 4500

/* How ranges are made.  */
enum ranges
{
  EVEN,      /* as gsl_histogram_set_ranges_uniform makes them */
  OFF_ZERO,  /* even, far from zero */
  SUBNORMAL, /* even, of a few subnormal numbers */
  UNEVEN,
  DOUBLED,   /* bins in which nothing can be */
  N_RANGES
};

static inline void
set_ranges (double *range, size_t n, enum ranges ranges)
{
  const double low = ranges == OFF_ZERO ? 1e9 : ranges == SUBNORMAL ? 0 : -1.5;
  const double high = ranges == OFF_ZERO ? 1e9 + 0.7 : ranges == SUBNORMAL ? 0x1p-1070 : 2.25;

  for (size_t k = 0; k <= n; k++)
    {
      const double part = (double) k / (double) n;

      range[k] = low * (1 - part) + high * part;
      if (ranges == UNEVEN)
        range[k] = low + (high - low) * part * part * part;
      if (ranges == DOUBLED)
        range[k] = low + (double) (k / 3);
    }
}

/* Numbers at the edges of N bins, beside them and between, outside, and NaN.  */
static inline double
number_for (const double *range, size_t n, uint64_t *seed)
{
  const uint64_t random = random_word (seed);
  const size_t k = (size_t) (random >> 32) % (n + 1);
  const double at = range[k];

  switch (random % 16)
    {
    case 0:
      return nextafter (at, -INFINITY);
    case 1:
      return nextafter (at, INFINITY);
    case 2:
    case 3:
      return at;
    case 4:
      return random >> 8 & 1 ? NAN : -INFINITY;
    case 5:
      return random >> 8 & 1 ? INFINITY : random >> 9 & 1 ? -0.0 : 1e300;
    default:
      return k < n && isfinite (at) && isfinite (range[k + 1])
               ? at + (range[k + 1] - at) * (double) (random >> 40) * 0x1p-24 : at;
    }
}

static inline double
weight (uint64_t *seed)
{
  const uint64_t random = random_word (seed);
  const double fraction = (double) (random >> 11) * 0x1p-53 - 0.5;

  return ldexp (fraction, random % 3 ? (int) (random >> 3 & 63) - 30
                                     : (int) (random >> 3 & 1023) - 500);
}

/* The right content of a bin: OLD and the weights of those of N elements whose bin is K.  */
static inline double
exact_bin (double old, const size_t *bins, size_t n, size_t k, const double *weights,
           size_t stride)
{
  mpfr_t sum;
  double rounded;

  mpfr_init2 (sum, BITS);
  mpfr_set_d (sum, old, MPFR_RNDN);
  for (size_t i = 0; i < n; i++)
    if (bins[i] == k)
      mpfr_add_d (sum, sum, weights ? weights[i * stride] : 1, MPFR_RNDN);
  rounded = mpfr_get_d (sum, MPFR_RNDN);
  mpfr_clear (sum);
  return rounded == 0 ? 0 : rounded;
}

static inline gsl_histogram *
histogram (const double *range, size_t n)
{
  gsl_histogram *const h = gsl_histogram_calloc (n);

  memcpy (h->range, range, (n + 1) * sizeof *range);
  return h;
}

/* The bins that GSL finds for N elements; N_BINS for what is in none.  */
static inline void
gsl_bins (const double *range, size_t n_bins, const double *data, size_t stride, size_t n,
          size_t *bins)
{
  gsl_histogram *const h = histogram (range, n_bins);

  for (size_t i = 0; i < n; i++)
    {
      bins[i] = n_bins;
      gsl_histogram_reset (h);
      if (gsl_histogram_increment (h, data[i * stride]) == GSL_SUCCESS)
        bins[i] = gsl_histogram_max_bin (h);
    }
  gsl_histogram_free (h);
}

#endif
