/* The table "histogram-gpu": histograms of device vectors filled, beside CUB's, and with weights.

   A timing is of a call, from its beginning until the bins are on the host.  Contenders take
   turns, and the median of the rounds counts.  What memory allows is the fast sum of the same
   elements.  CUB counts in whole numbers of 32 bits, which stay on the GPU, and divides for its
   bins, so that some numbers at their edges may come to others than GSL's.  Scratch memory of both is there.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_histogram.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/gpu.h"
#include "src/gsltune.h"
#include "tuning/measure/clock.h"
#include "tuning/text/cli.h"

#define FIRST_EXPONENT 14
#define LAST_EXPONENT 26
#define STEP 4
#define CHECKED_EXPONENT 18 /* longer results are not looked at */
#define MOST_BINS 10000

enum
{
  N, BINS, CUB, FILL, FILL_OF_CUB, BANDWIDTH, SUM, OF_MEMORY, WEIGHTED, WEIGHTED_BANDWIDTH
};

#define MI ((uint64_t) 1 << 20)
const struct gt_form gt_histogram_gpu_form = {
  .name = "histogram-gpu",
  .title = "double on the GPU, histograms filled, from the call to its end, beside"
           " cub::DeviceHistogram; of memory: of the speed of the fast sum",
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},
              [BINS] = {"bins", "bins", GT_UNIT_COUNT},
              [CUB] = {"CUB", "cub_seconds", GT_UNIT_SECONDS},
              [FILL] = {"fill", "fill_seconds", GT_UNIT_SECONDS},
              [FILL_OF_CUB] = {"fill/CUB", "ratio", GT_UNIT_GAIN},
              [BANDWIDTH] = {"read", "bandwidth", GT_UNIT_BANDWIDTH},
              [SUM] = {"sum", "sum_seconds", GT_UNIT_SECONDS},
              [OF_MEMORY] = {"of memory", "memory_ratio", GT_UNIT_GAIN},
              [WEIGHTED] = {"weights", "weighted_seconds", GT_UNIT_SECONDS},
              [WEIGHTED_BANDWIDTH] = {"read", "weighted_bandwidth", GT_UNIT_BANDWIDTH}},
  .second = BINS,
  .bars = {{"fill: at least CUB's speed from 2^22 on", FILL_OF_CUB, 1, 4 * MI, UINT64_MAX, 0,
            GT_ANY}},
};

static const size_t bins[] = {10, 256, MOST_BINS};

struct table
{
  struct gt_bench_gpu *bench;
  gsl_histogram *h;
  const double *host; /* what X holds: the elements, and their weights MOST numbers behind */
  double *x;
  uint32_t *counts; /* CUB's */
  void *storage;    /* CUB's */
  size_t storage_size, most;
};

static struct gt_cub_histogram_problem
cubs (const struct table *t, size_t n, size_t n_bins)
{
  return (struct gt_cub_histogram_problem) {.data = t->x, .n = n, .bins = (int) n_bins,
                                            .counts = t->counts, .storage = t->storage,
                                            .storage_size = t->storage_size};
}

static int
call (const struct table *t, unsigned column, size_t n, double *seconds)
{
  const gsltune_device_vector v = {{.data = t->x, .n = n, .stride = 1, .gpu = t->bench->gpu}};
  const gsltune_device_vector w
    = {{.data = t->x + t->most, .n = n, .stride = 1, .gpu = t->bench->gpu}};
  struct gt_cub_histogram_problem histogram = cubs (t, n, t->h->n);
  double from;
  int status = 0;

  *seconds = NAN;
  if (column == CUB && t->bench->cub == NULL)
    return 0;
  gsl_histogram_reset (t->h);
  from = gt_now ();
  if (column == CUB)
    status = gt_gpu_check_cub (gt_cub_histogram (t->bench->cub, &histogram));
  else if (column == FILL)
    status = gsltune_device_histogram_fill (t->h, &v);
  else if (column == WEIGHTED)
    status = gsltune_device_histogram_accumulate (t->h, &v, &w);
  else
    status = isnan (gsltune_device_vector_sum (&v));
  *seconds = gt_now () - from;
  return status ? -1 : 0;
}

/* Whether the bins are GSL's, which are exact: elements and weights are multiples of 2^-24.  */
static int
verify (const struct table *t, unsigned column, size_t n)
{
  gsl_histogram *const h = gsl_histogram_clone (t->h);
  int failed = h == NULL;

  if (h)
    gsl_histogram_reset (h);
  for (size_t i = 0; i < n && !failed; i++)
    gsl_histogram_accumulate (h, t->host[i], column == WEIGHTED ? t->host[t->most + i] : 1);
  failed = failed || memcmp (h->bin, t->h->bin, h->n * sizeof *h->bin) != 0;
  if (h)
    gsl_histogram_free (h);
  if (failed)
    gt_error ("bench: a histogram of %zu elements in %zu bins is not GSL's", n, t->h->n);
  return failed ? -1 : 0;
}

static int
make_row (const struct table *t, unsigned rounds, size_t n, struct gt_row *row)
{
  static const unsigned timed[] = {CUB, FILL, SUM, WEIGHTED};
  const size_t n_timed = sizeof timed / sizeof *timed;
  double seconds[sizeof timed / sizeof *timed][GT_BENCH_ROUNDS], warm;
  double *const value = row->value;

  for (size_t k = 0; k < n_timed; k++)
    if (call (t, timed[k], n, &warm)
        || ((timed[k] == FILL || timed[k] == WEIGHTED) && n <= (size_t) 1 << CHECKED_EXPONENT
            && verify (t, timed[k], n)))
      return -1;
  for (unsigned r = 0; r < rounds; r++)
    for (size_t k = 0; k < n_timed; k++)
      if (call (t, timed[k], n, &seconds[k][r]))
        return -1;
  value[N] = (double) n;
  value[BINS] = (double) t->h->n;
  for (size_t k = 0; k < n_timed; k++)
    value[timed[k]] = gt_median (seconds[k], rounds, NULL);
  value[FILL_OF_CUB] = value[CUB] / value[FILL];
  value[OF_MEMORY] = value[SUM] / value[FILL];
  value[BANDWIDTH] = (double) (n * sizeof (double)) / value[FILL];
  value[WEIGHTED_BANDWIDTH] = (double) (2 * n * sizeof (double)) / value[WEIGHTED];
  return 0;
}

static int
begin (struct table *t, double *host)
{
  const size_t bytes = 2 * t->most * sizeof *host;
  uint64_t state = 1;

  for (size_t i = 0; i < 2 * t->most && host; i++)
    host[i] = (double) (gt_random (&state) >> 40) / 0x1p24;
  t->host = host;
  if (host == NULL
      || gt_gpu_check ("memory for elements", gt_gpus->alloc (t->bench->gpu, GT_PLACE_DEVICE, bytes,
                                                              (void **) &t->x))
      || gt_gpu_check ("copying", gt_gpus->copy (t->bench->gpu, GT_TO_DEVICE, t->x, host, bytes))
      || gt_gpu_check ("memory for counts",
                       gt_gpus->alloc (t->bench->gpu, GT_PLACE_DEVICE, MOST_BINS * sizeof *t->counts,
                                       (void **) &t->counts)))
    return -1;
  if (t->bench->cub)
    {
      struct gt_cub_histogram_problem most = cubs (t, t->most, MOST_BINS);

      if (gt_gpu_check_cub (gt_cub_histogram (t->bench->cub, &most)))
        return -1;
      t->storage_size = most.storage_size;
      return gt_gpu_check ("memory for CUB", gt_gpus->alloc (t->bench->gpu, GT_PLACE_DEVICE,
                                                             t->storage_size, &t->storage));
    }
  return 0;
}

static void
end (const struct table *t)
{
  void *const memory[] = {t->x, t->counts, t->storage};

  for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
    if (memory[k])
      gt_gpus->free (t->bench->gpu, GT_PLACE_DEVICE, memory[k]);
}

int
gt_bench_histogram_gpu (struct gt_bench *all, struct gt_sheet *sheet)
{
  const unsigned most = all->options.max_exponent;
  const unsigned last = most < LAST_EXPONENT ? most : LAST_EXPONENT;
  struct table t = {.bench = &all->gpu, .most = (size_t) 1 << last};
  double *const host = malloc (2 * t.most * sizeof *host);
  int status;

  gt_gpu_note_cub (t.bench, sheet);
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  status = begin (&t, host);
  for (size_t b = 0; b < sizeof bins / sizeof *bins && status == 0; b++)
    {
      t.h = gsl_histogram_calloc_uniform (bins[b], 0, 1);
      if (t.h == NULL)
        status = -1;
      for (unsigned k = FIRST_EXPONENT; k <= last && status == 0; k += STEP)
        status = make_row (&t, all->options.rounds, (size_t) 1 << k,
                           &sheet->rows[sheet->n_rows++]);
      if (t.h)
        gsl_histogram_free (t.h);
    }
  end (&t);
  free (host);
  return status;
}
