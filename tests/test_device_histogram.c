/* Tests of histograms of device vectors (src/public/device_histogram.c, kernels/cuda/bins.cuh):
   on the host, on the devices of tests/softgpu, and on the machine's own GPU where on_gpu.sh
   asks for that.  The oracles are GSL's functions, one call an element, for the bins, and
   MPFR's numbers of 4500 bits for the sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_histogram2d.h>

#include "tests/unit.h"

#include "src/base/names.h"
#include "src/device/gpus.h"
#include "tests/device_vectors.h"
#include "tests/histograms.h"

#define MOST 1200 /* elements */
#define BINS 400

/* Elements on a GPU, and on the host.  */
struct column
{
  double host[3 * MOST];
  size_t stride;
  gsltune_device_vector *all;
  gsltune_device_vector view;
};

static struct column x, y, w;

static void
put (struct column *c, size_t n, size_t stride)
{
  const gsl_vector host = VIEW (c->host, n * stride, 1);

  c->stride = stride;
  c->all = gsltune_device_vector_alloc (n * stride);
  CHECK (c->all);
  CHECK (gsltune_device_vector_set (c->all, &host) == GSL_SUCCESS);
  c->view = *c->all;
  c->view.memory.stride *= stride;
  c->view.memory.n = n;
}

static void
drop (struct column *c)
{
  gsltune_device_vector_free (c->all);
}

/* Every bin of N_BINS beside OLD and what has come to it, by WEIGHTS or each 1.  */
static void
compare (const double *bin, const double *old, size_t n_bins, const size_t *bins, size_t n,
         const struct column *weights)
{
  for (size_t k = 0; k < n_bins; k++)
    {
      const double exact = exact_bin (old[k], bins, n, k, weights ? weights->host : NULL,
                                      weights ? weights->stride : 1);

      CHECK (memcmp (&bin[k], &exact, sizeof exact) == 0);
    }
}

static void
one_dimension (enum ranges ranges, size_t n_bins, size_t n, size_t stride, size_t wstride)
{
  double range[BINS], old[BINS];
  size_t bins[MOST];
  uint64_t seed = n_bins * 1000 + n;
  int outside = GSL_SUCCESS;

  set_ranges (range, n_bins, ranges);
  for (size_t i = 0; i < n; i++)
    {
      x.host[i * stride] = number_for (range, n_bins, &seed);
      w.host[i * wstride] = weight (&seed);
    }
  gsl_bins (range, n_bins, x.host, stride, n, bins);
  for (size_t i = 0; i < n; i++)
    outside = bins[i] == n_bins ? GSL_EDOM : outside;
  put (&x, n, stride);
  put (&w, n, wstride);
  for (int weighted = 0; weighted < 2; weighted++)
    {
      gsl_histogram *const h = histogram (range, n_bins);

      for (size_t k = 0; k < n_bins; k++)
        old[k] = h->bin[k] = k % 3 ? weight (&seed) : 0;
      CHECK ((weighted ? gsltune_device_histogram_accumulate (h, &x.view, &w.view)
                       : gsltune_device_histogram_fill (h, &x.view)) == outside);
      compare (h->bin, old, n_bins, bins, n, weighted ? &w : NULL);
      gsl_histogram_free (h);
    }
  drop (&x);
  drop (&w);
}

SCENARIO (one)
{
  static const size_t n_bins[] = {1, 2, 64, 333};
  static const size_t lengths[] = {0, 1, 33, MOST};

  for (int ranges = 0; ranges < N_RANGES; ranges++)
    for (size_t b = 0; b < N_OF (n_bins); b++)
      one_dimension ((enum ranges) ranges, n_bins[b], lengths[((size_t) ranges + b) % 4],
                     1 + b % 3, 1 + b % 2);
}

/* Weights that are infinite, no numbers, or together too large; of several blocks.  */
static void
special_weights (void)
{
  static const double at[] = {0.5, 1.5, 2.5, 3.5, 0.5, 1.5, 2.5, 3.5, 4.5, 4.5};
  static const double weights[]
    = {INFINITY, INFINITY, NAN, 1e308, 1, -INFINITY, 1, 1e308, -0.0, 0x1p-1074};
  gsl_histogram *const h = gsl_histogram_calloc_uniform (5, 0, 5);

  for (size_t i = 0; i < MOST; i++)
    {
      x.host[i] = at[i % N_OF (at)];
      w.host[i] = weights[i % N_OF (at)];
    }
  put (&x, MOST, 1);
  put (&w, MOST, 1);
  CHECK (gsltune_device_histogram_accumulate (h, &x.view, &w.view) == GSL_SUCCESS);
  CHECK (h->bin[0] == HUGE_VAL && isnan (h->bin[1]) && isnan (h->bin[2])
         && h->bin[3] == HUGE_VAL && h->bin[4] == MOST / N_OF (at) * 0x1p-1074);
  gsl_histogram_free (h);
  drop (&x);
  drop (&w);
}

SCENARIO (two)
{
  const size_t nx = 13, ny = 9, n = 700;
  double xrange[60], yrange[60];
  static const double none[BINS];
  size_t xbins[MOST], ybins[MOST];
  gsl_histogram2d *const h = gsl_histogram2d_calloc (nx, ny);
  uint64_t seed = 1;

  for (int ranges = 0; ranges < N_RANGES; ranges += 2)
    {
      set_ranges (xrange, nx, (enum ranges) ranges);
      set_ranges (yrange, ny, (enum ranges) ((ranges + 1) % N_RANGES));
      for (size_t i = 0; i < n; i++)
        {
          x.host[2 * i] = number_for (xrange, nx, &seed);
          y.host[3 * i] = number_for (yrange, ny, &seed);
          w.host[i] = weight (&seed);
        }
      put (&x, n, 2);
      put (&y, n, 3);
      put (&w, n, 1);
      gsl_bins (xrange, nx, x.host, 2, n, xbins);
      gsl_bins (yrange, ny, y.host, 3, n, ybins);
      for (size_t i = 0; i < n; i++)
        xbins[i] = xbins[i] == nx || ybins[i] == ny ? nx * ny : xbins[i] * ny + ybins[i];
      memcpy (h->xrange, xrange, (nx + 1) * sizeof *xrange);
      memcpy (h->yrange, yrange, (ny + 1) * sizeof *yrange);
      gsl_histogram2d_reset (h);
      CHECK (gsltune_device_histogram2d_fill (h, &x.view, &y.view) == GSL_EDOM);
      compare (h->bin, none, nx * ny, xbins, n, NULL);
      gsl_histogram2d_reset (h);
      CHECK (gsltune_device_histogram2d_accumulate (h, &x.view, &y.view, &w.view) == GSL_EDOM);
      compare (h->bin, none, nx * ny, xbins, n, &w);
      drop (&x);
      drop (&y);
      drop (&w);
    }
  gsl_histogram2d_free (h);
}

/* More bins than a block has room for: counted in memory; weights some at a time.  */
static void
many_bins (void)
{
  const size_t n_bins = 9000, n = 1000;
  gsl_histogram *const h = gsl_histogram_calloc_uniform (n_bins, 0, 1);
  gsl_histogram *const gsls = gsl_histogram_calloc_uniform (n_bins, 0, 1);
  uint64_t seed = 5;

  for (size_t i = 0; i < n; i++)
    {
      x.host[i] = (double) (random_word (&seed) >> 11) * 0x1p-53 * 1.01;
      w.host[i] = (double) (random_word (&seed) >> 60);
    }
  put (&x, n, 1);
  put (&w, n, 1);
  for (int weighted = 0; weighted < 2; weighted++)
    {
      gsl_histogram_reset (gsls);
      gsl_histogram_reset (h);
      for (size_t i = 0; i < n; i++)
        gsl_histogram_accumulate (gsls, x.host[i], weighted ? w.host[i] : 1);
      CHECK ((weighted ? gsltune_device_histogram_accumulate (h, &x.view, &w.view)
                       : gsltune_device_histogram_fill (h, &x.view)) == GSL_EDOM);
      CHECK (memcmp (h->bin, gsls->bin, n_bins * sizeof *h->bin) == 0);
    }
  gsl_histogram_free (h);
  gsl_histogram_free (gsls);
  drop (&x);
  drop (&w);
}

/* Ranges that do not ascend or reach to infinity are GSL's; lengths that differ are told.  */
static void
left_to_gsl (void)
{
  static const double ranges[][5] = {{0, 3, 2, 1, 4}, {-INFINITY, 0, 1, 2, 3}};
  gsl_histogram2d *const two = gsl_histogram2d_calloc_uniform (2, 2, 0, 1, 0, 1);
  gsl_histogram *const h = histogram (ranges[0], 4), *const gsls = histogram (ranges[0], 4);

  gsl_set_error_handler_off ();
  for (size_t i = 0; i < 100; i++)
    x.host[i] = i == 0 ? -INFINITY : i == 1 ? INFINITY : (double) i / 20 - 0.2;
  put (&x, 100, 1);
  y.host[0] = 0;
  put (&y, 1, 1);
  for (size_t r = 0; r < N_OF (ranges); r++)
    {
      memcpy (h->range, ranges[r], sizeof ranges[r]);
      memcpy (gsls->range, ranges[r], sizeof ranges[r]);
      gsl_histogram_reset (h);
      gsl_histogram_reset (gsls);
      for (size_t i = 0; i < 100; i++)
        gsl_histogram_increment (gsls, x.host[i]);
      gsltune_device_histogram_fill (h, &x.view);
      CHECK (memcmp (h->bin, gsls->bin, 4 * sizeof *h->bin) == 0);
    }
  CHECK (REPORTS (gsltune_device_histogram_accumulate (h, &x.view, &y.view), GSL_EBADLEN));
  CHECK (REPORTS (gsltune_device_histogram2d_fill (two, &x.view, &y.view), GSL_EBADLEN));
  CHECK (REPORTS (gsltune_device_histogram2d_accumulate (two, &x.view, &x.view, &y.view),
                  GSL_EBADLEN));
  gsl_histogram_free (h);
  gsl_histogram_free (gsls);
  gsl_histogram2d_free (two);
  drop (&x);
  drop (&y);
}

SCENARIO (everything)
{
  one ();
  special_weights ();
  two ();
  many_bins ();
  left_to_gsl ();
}

TEST (on_the_host)
{
  EXPECT_SCENARIO ("everything", "", "CUDA_VISIBLE_DEVICES=-1");
}

#if HAVE_CUDA
/* The GPU does it: it knows the words of the sum.  */
SCENARIO_TEST (gpu_decides, NOTHING, h200)
{
  double range[] = {0, 1, 2, 3};
  uint64_t words[3 * GT_BINS_WORDS] = {0};
  struct gt_filling f = {.dimensions = 1, .n = 3, .n_bins = 3, .totals = words, .last = 2};

  x.host[0] = 0.5;
  x.host[1] = 2.5;
  x.host[2] = 1.5;
  put (&x, 3, 1);
  f.x[0] = f.weights = x.view.memory.data;
  f.stride[0] = f.weights_stride = 1;
  f.bins[0] = (struct gt_bins) {range, 3, 1};
  CHECK (gt_gpus->fill (x.view.memory.gpu, &f, NULL) == 0);
  CHECK (words[1073 / 32] == (uint64_t) 1 << 1073 % 32);
  CHECK (words[GT_BINS_WORDS + 1073 / 32] == (uint64_t) 3 << 1073 % 32);
  CHECK (words[2 * GT_BINS_WORDS + 1073 / 32] == 0);
  drop (&x);
}

TEST (on_a_gpu)
{
  EXPECT_SCENARIO ("everything", "", NOTHING, h200);
}

/* Bins are done some at a time.  */
TEST (little_scratch)
{
  EXPECT_SCENARIO ("one", "", LITTLE_SCRATCH, h200);
}

/* A call of the driver that fails leaves it to the host, and nothing is added twice.  */
SOFTGPU_TEST (failing_calls)
{
  static const char *const calls[]
    = {"cuLaunchKernel", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemsetD8Async"};
  char fault[64];

  for (size_t k = 0; k < N_OF (calls); k++)
    for (int call = 1; call <= 3; call++)
      {
        snprintf (fault, sizeof fault, "SOFTGPU_FAIL=%s:%d=1", calls[k], call);
        EXPECT_SCENARIO ("two", "", fault, h200);
      }
}
#endif

RUN_SCENARIOS (NULL, NULL)
