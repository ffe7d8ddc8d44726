/* Tests of filling histograms: each element comes to the bin that GSL's functions find for
   it, and a bin is the exact sum, rounded once.  The oracles are GSL's functions, one call
   an element, for the bins, and MPFR's numbers of 4500 bits for the sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <fenv.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_histogram.h>
#include <gsl/gsl_histogram2d.h>
#include <math.h>
#include <string.h>

#include "tests/unit.h"

#include "kernels/cpu/isa/isa.h"
#include "src/base/env.h"
#include "src/gsltune.h"
#include "tests/histograms.h"

#define MOST 3000 /* elements */

static double x[3 * MOST], y[3 * MOST], w[3 * MOST];

FIXTURE (quiet)
{
  gsl_set_error_handler_off ();
  return 0;
}

static void
check (enum ranges ranges, size_t n_bins, size_t n, size_t stride, size_t wstride)
{
  double range[400];
  gsl_histogram *h;
  size_t bins[MOST];
  uint64_t seed = n_bins * 1000 + n;
  int outside = GSL_SUCCESS;

  set_ranges (range, n_bins, ranges);
  for (size_t i = 0; i < n; i++)
    {
      x[i * stride] = number_for (range, n_bins, &seed);
      w[i * wstride] = weight (&seed);
    }
  gsl_bins (range, n_bins, x, stride, n, bins);
  for (size_t i = 0; i < n; i++)
    if (bins[i] == n_bins)
      outside = GSL_EDOM;
  for (int weighted = 0; weighted < 2; weighted++)
    {
      h = histogram (range, n_bins);
      for (size_t k = 0; k < n_bins; k++)
        h->bin[k] = k % 3 ? weight (&seed) : 0;

      double old[400];

      memcpy (old, h->bin, n_bins * sizeof *old);
      if ((weighted ? gsltune_histogram_accumulate (h, x, stride, w, wstride, n)
                    : gsltune_histogram_fill (h, x, stride, n)) != outside)
        fail_msg ("ranges %d, %zu bins, n = %zu, weighted %d: not status %d", (int) ranges,
                  n_bins, n, weighted, outside);
      for (size_t k = 0; k < n_bins; k++)
        {
          const double exact = exact_bin (old[k], bins, n, k, weighted ? w : NULL, wstride);

          if (memcmp (&h->bin[k], &exact, sizeof exact) != 0)
            fail_msg ("ranges %d, %zu bins, n = %zu, stride %zu, weighted %d: bin %zu is %a,"
                      " not %a", (int) ranges, n_bins, n, stride, weighted, k, h->bin[k],
                      exact);
        }
      gsl_histogram_free (h);
    }
}

static void
check_all (void)
{
  static const size_t n_bins[] = {1, 2, 3, 10, 64, 333};
  static const size_t lengths[] = {0, 1, 2, 3, 4, 5, 11, 16, 17, 40, 255, 257, 1500};

  for (int ranges = 0; ranges < N_RANGES; ranges++)
    for (size_t b = 0; b < N_OF (n_bins); b++)
      for (size_t l = 0; l < N_OF (lengths); l++)
        check ((enum ranges) ranges, n_bins[b], lengths[l], 1 + l % 3, 1 + l % 2);
}

/* By each instruction set.  */
TEST (bins_and_sums)
{
  for (int isa = 0; isa < GT_N_ISAS; isa++)
    if (gt_isa_runs ((enum gt_isa) isa))
      {
        gt_isa_set_limit ((enum gt_isa) isa);
        check_all ();
      }
  gt_isa_set_limit (GT_N_ISAS - 1);
}

/* Two arrays: pairs, of which GSL counts each.  */
TEST (two_dimensions)
{
  double xrange[60], yrange[60];
  size_t xbins[MOST], ybins[MOST];
  const size_t nx = 13, ny = 9, n = 2000;
  gsl_histogram2d *const h = gsl_histogram2d_calloc (nx, ny);
  gsl_histogram2d *const gsls = gsl_histogram2d_calloc (nx, ny);
  uint64_t seed = 1;

  for (int ranges = 0; ranges < N_RANGES; ranges++)
    {
      set_ranges (xrange, nx, (enum ranges) ranges);
      set_ranges (yrange, ny, (enum ranges) ((ranges + 1) % N_RANGES));
      for (size_t i = 0; i < n; i++)
        {
          x[2 * i] = number_for (xrange, nx, &seed);
          y[3 * i] = number_for (yrange, ny, &seed);
          w[i] = weight (&seed);
        }
      gsl_histogram2d_set_ranges (h, xrange, nx + 1, yrange, ny + 1);
      gsl_histogram2d_set_ranges (gsls, xrange, nx + 1, yrange, ny + 1);
      gsl_histogram2d_reset (h);
      gsl_histogram2d_reset (gsls);
      for (size_t i = 0; i < n; i++)
        gsl_histogram2d_increment (gsls, x[2 * i], y[3 * i]);
      assert_int_equal (gsltune_histogram2d_fill (h, x, 2, y, 3, n), GSL_EDOM);
      assert_memory_equal (h->bin, gsls->bin, nx * ny * sizeof (double));
      gsl_histogram2d_reset (h);
      assert_int_equal (gsltune_histogram2d_accumulate (h, x, 2, y, 3, w, 1, n), GSL_EDOM);
      gsl_bins (xrange, nx, x, 2, n, xbins);
      gsl_bins (yrange, ny, y, 3, n, ybins);
      for (size_t i = 0; i < n; i++)
        xbins[i] = xbins[i] == nx || ybins[i] == ny ? nx * ny : xbins[i] * ny + ybins[i];
      for (size_t k = 0; k < nx * ny; k++)
        assert_true (h->bin[k] == exact_bin (0, xbins, n, k, w, 1));
    }
  gsl_histogram2d_free (h);
  gsl_histogram2d_free (gsls);
}

/* Threads count what one does, with a table for each or with fewer, and a weight that is
   infinite or no number makes its bin so.  */
TEST (many_elements)
{
  static const size_t n_bins[] = {5, 3000};
  const size_t n = 600000;
  double *const data = malloc (n * sizeof *data);
  uint64_t seed = 7;

  for (size_t i = 0; i < n; i++)
    data[i] = (double) (random_word (&seed) >> 11) * 0x1p-53 * 1.01;
  for (size_t b = 0; b < N_OF (n_bins); b++)
    {
      gsl_histogram *const h = gsl_histogram_calloc_uniform (n_bins[b], 0, 1);
      gsl_histogram *const gsls = gsl_histogram_calloc_uniform (n_bins[b], 0, 1);

      for (size_t i = 0; i < n; i++)
        gsl_histogram_increment (gsls, data[i]);
      assert_int_equal (gsltune_histogram_fill (h, data, 1, n), GSL_EDOM);
      assert_memory_equal (h->bin, gsls->bin, n_bins[b] * sizeof (double));
      gsl_histogram_free (h);
      gsl_histogram_free (gsls);
    }
  free (data);
}

/* Few elements of many bins come to them one after the other; where many sums are not exact,
   together with those that follow.  */
TEST (few_into_many)
{
  static double range[9001], old[9000];
  size_t bins[1100];
  uint64_t seed = 3;

  for (int spread = 0; spread < 3; spread++)
    {
      gsl_histogram *h;

      set_ranges (range, 9000, spread ? EVEN : UNEVEN);
      h = histogram (range, 9000);
      for (size_t i = 0; i < N_OF (bins); i++)
        {
          x[i] = number_for (range, spread == 2 ? 20 : 9000, &seed);
          w[i] = weight (&seed);
        }
      gsl_bins (range, 9000, x, 1, N_OF (bins), bins);
      for (size_t k = 0; k < 9000; k++)
        old[k] = h->bin[k] = k % 3 ? weight (&seed) : -0.0;
      assert_int_equal (gsltune_histogram_accumulate (h, x, 1, w, 1, N_OF (bins)), GSL_EDOM);
      for (size_t k = 0; k < 9000; k++)
        assert_true (h->bin[k] == exact_bin (old[k], bins, N_OF (bins), k, w, 1));
      memcpy (h->bin, old, sizeof old);
      assert_int_equal (gsltune_histogram_fill (h, x, 1, N_OF (bins)), GSL_EDOM);
      for (size_t k = 0; k < 9000; k++)
        assert_true (h->bin[k] == exact_bin (old[k], bins, N_OF (bins), k, NULL, 1));
      gsl_histogram_free (h);
    }
}

/* The caller's rounding changes nothing, and is as it was afterwards.  */
TEST (environment)
{
  static const double at[] = {0.5, 0.5, 1.5, 0.25}, weights[] = {1, 0x1p-60, 0x1p-1070, -0x1p-70};
  gsl_histogram *const h = gsl_histogram_calloc_uniform (2, 0, 2);

  assert_int_equal (fesetround (FE_UPWARD), 0);
  h->bin[1] = 0x1p53;
  gsltune_histogram_accumulate (h, at, 1, weights, 1, 4);
  assert_true (h->bin[0] == 1 && h->bin[1] == 0x1p53);
  gsltune_histogram_fill (h, at, 1, 4);
  assert_true (h->bin[1] == 0x1p53);
  assert_int_equal (fegetround (), FE_UPWARD);
  assert_int_equal (fesetround (FE_TONEAREST), 0);
  gsl_histogram_free (h);
}

/* Few bins, and more than elements.  */
TEST (special_weights)
{
  static const double at[] = {0.5, 1.5, 2.5, 3.5, 0.5, 1.5, 2.5, 3.5, 4.5, 4.5, 4.5, 5.5};
  static const double weights[] = {INFINITY, INFINITY, NAN, 1e308, 1, -INFINITY, 1, 1e308,
                                   1e308, 1e308, -1e308, INFINITY};

  for (size_t n_bins = 6; n_bins < 100; n_bins += 58)
    {
      gsl_histogram *const h = gsl_histogram_calloc_uniform (n_bins, 0, (double) n_bins);

      assert_int_equal (gsltune_histogram_accumulate (h, at, 1, weights, 1, 12), GSL_SUCCESS);
      assert_true (h->bin[0] == HUGE_VAL && isnan (h->bin[1]) && isnan (h->bin[2])
                   && h->bin[3] == HUGE_VAL && h->bin[4] == 1e308 && h->bin[5] == HUGE_VAL);
      gsl_histogram_free (h);
    }
}

/* Units, or weights, that a bin loses one by one but not together; the first is alone.  */
TEST (units_that_are_lost)
{
  static const double at[] = {1.5, 0.5, 0.5, 0.5}, ones[] = {1, 1, 1, 1};

  for (int weighted = 0; weighted < 2; weighted++)
    {
      gsl_histogram *const h = gsl_histogram_calloc_uniform (100, 0, 100);

      h->bin[0] = 0x1p54;
      if (weighted)
        gsltune_histogram_accumulate (h, at, 1, ones, 1, 4);
      else
        gsltune_histogram_fill (h, at, 1, 4);
      assert_true (h->bin[0] == 0x1p54 + 4 && h->bin[1] == 1);
      gsl_histogram_free (h);
    }
}

/* Numbers in each of some bins of many: one, halves of its last digit, and last what decides
   between two doubles and fits no rest.  */
TEST (bins_in_common)
{
  static const double parts[][3] = {{1, 0x1p-53, 0x1p-53}, {1, 0x1p-53, 0x1p-120}};
  static char is_one[9000];
  gsl_histogram *const h = gsl_histogram_calloc_uniform (9000, 0, 9000);
  uint64_t seed = 11;

  for (size_t p = 0; p < N_OF (parts); p++)
    for (size_t n = 1; n <= 300; n += 299)
      {
        gsl_histogram_reset (h);
        memset (is_one, 0, sizeof is_one);
        for (size_t i = 0; i < 3 * n; i++)
          {
            size_t k = (size_t) (random_word (&seed) >> 32) % 9000;

            while (i < n && is_one[k])
              k = (k + 1) % 9000;
            if (i < n)
              is_one[k] = 1;
            x[i] = i < n ? (double) k + 0.5 : x[i - n];
            w[i] = parts[p][i / n];
          }
        assert_int_equal (gsltune_histogram_accumulate (h, x, 1, w, 1, 3 * n), GSL_SUCCESS);
        for (size_t k = 0; k < 9000; k++)
          assert_true (h->bin[k] == (is_one[k] ? 1 + 0x1p-52 : 0));
      }
  gsl_histogram_free (h);
}

/* A bin of -0 to which -0 comes is the exact sum of zeros, +0; others are left alone.  */
TEST (zeros_of_minus_sign)
{
  enum { N_BINS = 256 };
  static const size_t lengths[] = {1, N_BINS / 4, N_BINS / 2};

  for (size_t l = 0; l < N_OF (lengths); l++)
    {
      gsl_histogram *const h = gsl_histogram_calloc_uniform (N_BINS, 0, N_BINS);

      for (size_t k = 0; k < N_BINS; k++)
        {
          x[k] = (double) k;
          w[k] = h->bin[k] = -0.0;
        }
      assert_int_equal (gsltune_histogram_accumulate (h, x, 1, w, 1, lengths[l]), GSL_SUCCESS);
      for (size_t k = 0; k < N_BINS; k++)
        assert_true (h->bin[k] == 0 && (signbit (h->bin[k]) != 0) == (k >= lengths[l]));
      gsl_histogram_free (h);
    }
}

/* Ranges that do not ascend, or reach to infinity, of few elements and many.  */
TEST (ranges_of_gsl)
{
  static const double ranges[][5] = {{0, 3, 2, 1, 4}, {-INFINITY, 0, 1, 2, 3}, {0, 1, 2, 3, INFINITY},
                                     {0, 1, NAN, 3, 4}, {-1e308, 0, 1, 2, 1e308}, {4, 3, 2, 1, 0}};

  for (size_t r = 0; r < N_OF (ranges); r++)
    for (size_t n = 1; n <= 100; n += 33)
      {
        gsl_histogram *const h = histogram (ranges[r], 4), *const gsls = histogram (ranges[r], 4);

        for (size_t i = 0; i < 100; i++)
          {
            x[i] = i == 0 ? -INFINITY : i == 1 ? INFINITY : (double) i / 20 - 0.2;
            gsl_histogram_increment (gsls, x[i]);
          }
        for (size_t i = 0; i < 100; i += n)
          gsltune_histogram_fill (h, x + i, 1, n < 100 - i ? n : 100 - i);
        assert_memory_equal (h->bin, gsls->bin, 4 * sizeof (double));
        gsl_histogram_free (h);
        gsl_histogram_free (gsls);
      }
}

RUN_TESTS (quiet, NULL)
