/* Filling histograms: a loop of GSL's increments, and ours by one thread and as planned.  Sides
   take turns, and the best of the rounds counts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_histogram.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "src/base/env.h"
#include "src/gsltune.h"
#include "tuning/measure/clock.h"
#include "tuning/text/cli.h"

#define BUDGET 10e-3 /* seconds for all timings of GSL's loop */
#define FEW_ROUNDS 3
#define MOST_ROUNDS 40
#define LONGEST 1000000
#define TOGETHER 1000 /* elements that are timed at once, in several calls where they are fewer */

enum
{
  N, WEIGHED, BINS, GSL, ONE, ALL, GAIN, GAIN_OF_ALL, OF_ALLOWED
};

const struct gt_form gt_histogram_form = {
  .name = "histogram",
  .title = "filling a histogram of uniform or other ranges, beside a loop of GSL's function for one"
           " element; weights: 0 none, 1 added exactly",
  .remark = "ranges",
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},
              [WEIGHED] = {"weights", "weights", GT_UNIT_COUNT},
              [BINS] = {"bins", "bins", GT_UNIT_COUNT},
              [GSL] = {"GSL", "gsl_seconds", GT_UNIT_SECONDS},
              [ONE] = {"one thread", "one_seconds", GT_UNIT_SECONDS},
              [ALL] = {"all", "all_seconds", GT_UNIT_SECONDS},
              [GAIN] = {"one/GSL", "ratio", GT_UNIT_GAIN},
              [GAIN_OF_ALL] = {"all/GSL", "ratio_of_all", GT_UNIT_GAIN},
              [OF_ALLOWED] = {"one/allowed", "of_allowed", GT_UNIT_SHARE}},
  .second = WEIGHED,
  .bars = {{"GSL's speed, filled", GAIN, 1, 1000, UINT64_MAX, 0, 0},
           {"the time allowed, filled: 0.95 of GSL's speed, or 10 ns more", OF_ALLOWED, 1, 1,
            UINT64_MAX, 0, 0},
           {"the same with weights", OF_ALLOWED, 1, 1, UINT64_MAX, 0, 1}},
};

static const size_t lengths[] = {1, 3, 10, 30, 100, 1000, 10000, 100000, LONGEST};
static const size_t bins[] = {10, 100, 10000};

/* N elements in X, their weights LONGEST numbers behind them.  */
struct filling
{
  gsl_histogram *h;
  const double *x;
  size_t n;
  int weighed;
};

static int
with_gsl (const struct filling *f)
{
  int status = 0;

  for (size_t i = 0; i < f->n; i++)
    status |= f->weighed ? gsl_histogram_accumulate (f->h, f->x[i], f->x[LONGEST + i])
                         : gsl_histogram_increment (f->h, f->x[i]);
  return status;
}

static int
with_ours (const struct filling *f)
{
  return f->weighed ? gsltune_histogram_accumulate (f->h, f->x, 1, f->x + LONGEST, 1, f->n)
                    : gsltune_histogram_fill (f->h, f->x, 1, f->n);
}

static double
seconds_of (int column, const struct filling *f)
{
  const int threads = gt_env.threads;
  const size_t calls = f->n < TOGETHER ? TOGETHER / f->n : 1;
  struct filling of = *f;
  double begin;
  int status = 0;

  gsl_histogram_reset (f->h);
  if (column == ONE)
    gt_env.threads = 1;
  begin = gt_now ();
  for (size_t k = 0; k < calls; k++, of.x += of.n)
    status |= column == GSL ? with_gsl (&of) : with_ours (&of);
  begin = (gt_now () - begin) / (double) calls;
  gt_env.threads = threads;
  return status ? NAN : begin;
}

static void
time_row (const struct filling *f, struct gt_row *row)
{
  const double once = seconds_of (GSL, f);
  const unsigned rounds = (unsigned) fmin (fmax (BUDGET / once, FEW_ROUNDS), MOST_ROUNDS);

  for (int column = GSL; column <= ALL; column++)
    {
      row->value[column] = INFINITY;
      seconds_of (column, f);
    }
  for (unsigned r = 0; r < rounds; r++)
    for (int column = GSL; column <= ALL; column++)
      row->value[column] = fmin (row->value[column], seconds_of (column, f));
  row->value[GAIN] = row->value[GSL] / row->value[ONE];
  row->value[GAIN_OF_ALL] = row->value[GSL] / row->value[ALL];
  row->value[OF_ALLOWED] = row->value[ONE] / fmax (row->value[GSL] / 0.95, row->value[GSL] + 10e-9);
}

/* Ranges of one width, or each a little wider than the one before it.  */
static gsl_histogram *
histogram_of (size_t n, int uniform)
{
  gsl_histogram *const h = gsl_histogram_calloc_uniform (n, 0, 1);

  for (size_t k = 0; k <= n && h && !uniform; k++)
    h->range[k] = pow ((double) k / (double) n, 1.5);
  return h;
}

static int
add_rows (const double *x, size_t n_bins, int uniform, struct gt_sheet *sheet)
{
  struct filling f = {.h = histogram_of (n_bins, uniform), .x = x};

  if (f.h == NULL)
    return -1;
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
    for (f.weighed = 0; f.weighed < 2; f.weighed++)
      {
        struct gt_row *const row = &sheet->rows[sheet->n_rows++];

        f.n = lengths[k];
        row->value[N] = (double) f.n;
        row->value[WEIGHED] = f.weighed;
        row->value[BINS] = (double) n_bins;
        snprintf (row->remark, sizeof row->remark, "%s", uniform ? "uniform" : "other");
        time_row (&f, row);
      }
  gsl_histogram_free (f.h);
  return 0;
}

int
gt_bench_histogram (struct gt_bench *all, struct gt_sheet *sheet)
{
  double *const x = malloc (2 * LONGEST * sizeof *x);
  uint64_t state = 1;
  int status = x ? 0 : -1;

  (void) all;
  for (size_t i = 0; i < 2 * LONGEST && x; i++)
    x[i] = (double) (gt_random (&state) >> 11) / 0x1p53;
  for (size_t k = 0; k < 2 * sizeof bins / sizeof *bins && status == 0; k++)
    status = add_rows (x, bins[k / 2], k % 2 == 0, sheet);
  if (status)
    gt_error ("bench: memory is short");
  free (x);
  return status;
}
