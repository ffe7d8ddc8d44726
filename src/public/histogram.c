/* Filling histograms with whole arrays.

   Elements that are many beside the bins are counted, as whole numbers, by all threads.  Others,
   and all weights, are added one after the other, with what each addition loses: so a bin is its
   old value and all that came to it, rounded once, whatever the machine.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_histogram.h>
#include <gsl/gsl_histogram2d.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/bins/bins.h"
#include "src/base/fpenv.h"
#include "src/cpu/threads.h"
#include "src/gsltune.h"
#include "src/public/histogram.h"
#include "src/public/sorting.h"

/* Elements that a thread claims at a time.  */
#define CLAIM ((size_t) 1 << 16)

/* From how many numbers on threads share them.  */
#define THREADS_FROM ((size_t) 1 << 18)

/* So many tables of one thread take turns where they fit a cache: an addition does not
   wait for the one before it.  */
#define TABLES 4
#define TABLES_BINS ((size_t) 2048)

/* The bins of so few elements are sought one after the other.  */
#define ALONE 16

static inline uint32_t
bin_of (const struct gt_addition *a, size_t i)
{
  const uint32_t k = gt_bins_find_one (a->bins[0].range, a->bins[0].n, a->x[0][i * a->stride[0]]);

  if (a->two == NULL)
    return k;

  const uint32_t j = gt_bins_find_one (a->bins[1].range, a->bins[1].n, a->x[1][i * a->stride[1]]);
  const int is_in = k < a->bins[0].n && j < a->bins[1].n;

  return (uint32_t) (is_in ? k * a->bins[1].n + j : a->n_bins);
}

void
gt_histogram_find (const struct gt_addition *a, size_t first, size_t count, uint32_t *bin)
{
  const size_t nx = a->bins[0].n, ny = a->bins[1].n;
  uint32_t other[GT_BINS_BLOCK];
  double copy[GT_BINS_BLOCK];

  for (size_t i = 0; i < count && count <= ALONE; i++)
    bin[i] = bin_of (a, first + i);
  if (count <= ALONE)
    return;
  for (unsigned d = 0; d < 2 && a->x[d]; d++)
    {
      const double *x = a->x[d] + first * a->stride[d];

      for (size_t i = 0; i < count && a->stride[d] != 1; i++)
        copy[i] = x[i * a->stride[d]];
      gt_bins_find (&a->bins[d], a->stride[d] == 1 ? x : copy, count, d ? other : bin);
    }
  for (size_t i = 0; i < count && a->two; i++)
    bin[i] = (uint32_t) (bin[i] < nx && other[i] < ny ? bin[i] * ny + other[i] : a->n_bins);
}

/* ------------------------------------------------------------------ Counting */

/* Counts that threads share: a table has the bins, and one more for elements of none.  */
struct counting
{
  const struct gt_addition *of;
  size_t tables, table;
  uint32_t *counts;
  uint64_t *totals;
  _Atomic size_t next;
};

static void
count_claim (const struct counting *c, uint32_t *counts, size_t first, size_t n)
{
  const size_t apart = c->tables == TABLES ? c->table : 0;
  uint32_t bin[GT_BINS_BLOCK];

  for (size_t done = 0, count; done < n; done += count)
    {
      count = n - done < GT_BINS_BLOCK ? n - done : GT_BINS_BLOCK;
      gt_histogram_find (c->of, first + done, count, bin);
      for (size_t i = 0; i < count; i += TABLES)
        for (size_t t = 0; t < TABLES && i + t < count; t++)
          counts[t * apart + bin[i + t]]++;
    }
}

static void
add_to_totals (struct counting *c, uint32_t *counts)
{
  for (size_t k = 0; k < c->table; k++)
    {
      uint64_t count = 0;

      for (size_t t = 0; t < c->tables; t++)
        {
          count += counts[t * c->table + k];
          counts[t * c->table + k] = 0;
        }
      if (count > 0)
        __atomic_fetch_add (&c->totals[k], count, __ATOMIC_RELAXED);
    }
}

static void
count_claims (void *closure, unsigned member)
{
  struct counting *const c = closure;
  uint32_t *const counts = c->counts + member * c->tables * c->table;
  struct gt_fpenv env;
  size_t first, counted = 0;

  gt_fpenv_enter (&env, GT_F64);
  while ((first = CLAIM * atomic_fetch_add (&c->next, 1)) < c->of->n)
    {
      const size_t n = c->of->n - first < CLAIM ? c->of->n - first : CLAIM;

      if (counted > UINT32_MAX - CLAIM)
        {
          add_to_totals (c, counts);
          counted = 0;
        }
      count_claim (c, counts, first, n);
      counted += n;
    }
  add_to_totals (c, counts);
  gt_fpenv_leave (&env);
}

/* Counts what comes to each bin, and at last what to none; 0 when memory is short.  */
static int
count (struct counting *c)
{
  const size_t n = c->of->n;
  unsigned threads = n < THREADS_FROM ? 1 : gt_sort_most_threads ();

  c->table = c->of->n_bins + 1;
  c->tables = c->of->n_bins <= TABLES_BINS ? TABLES : 1;
  /* Tables are cleared and added, too.  */
  if (threads > 1 && n / threads / c->tables < c->table)
    threads = 1;
  c->totals = calloc (c->table, sizeof *c->totals);
  c->counts = calloc (threads, c->tables * c->table * sizeof *c->counts);
  if (c->totals && c->counts)
    gt_team_run (threads, count_claims, c);
  free (c->counts);
  return c->totals && c->counts;
}

int
gt_histogram_add (double *bin, const uint64_t *totals, size_t n_bins)
{
  struct gt_fpenv env;

  gt_fpenv_enter (&env, GT_F64);
  for (size_t k = 0; k < n_bins; k++)
    if (totals[k] > 0)
      bin[k] += (double) totals[k];
  gt_fpenv_leave (&env);
  return totals[n_bins] > 0 ? GSL_EDOM : GSL_SUCCESS;
}

static int
fill_by_counts (const struct gt_addition *a)
{
  struct counting c = {.of = a};
  const int status
    = count (&c) ? gt_histogram_add (a->bin, c.totals, a->n_bins) : GSL_ENOMEM;

  free (c.totals);
  return status;
}

/* -------------------------------------------------------------------- Adding */

/* Adds units until an addition loses something.  Returns how many.  */
static size_t
add_exactly (const struct gt_addition *a, int *status)
{
  double *const restrict bins = a->bin;
  const size_t n_bins = a->n_bins;
  uint32_t bin[GT_BINS_BLOCK];

  for (size_t first = 0, n; first < a->n; first += n)
    {
      n = gt_addition_block (a, first);
      gt_histogram_find (a, first, n, bin);
      for (size_t i = 0; i < n; i++)
        if (bin[i] < n_bins)
          {
            double lost;
            const double sum = gt_sum_of (bins[bin[i]], 1, &lost);

            if (lost != 0)
              return first + i;
            bins[bin[i]] = sum;
          }
        else
          *status = GSL_EDOM;
    }
  return a->n;
}

/* Leaves out the first DONE elements.  */
static void
advance (struct gt_addition *a, size_t done)
{
  a->n -= done;
  for (unsigned k = 0; k < 3; k++)
    if (a->x[k])
      a->x[k] += done * a->stride[k];
}

static int
fill_by_adding (struct gt_addition *a)
{
  static const double unit = 1;
  struct gt_fpenv env;
  int status = GSL_SUCCESS, enough = 1;

  gt_fpenv_enter (&env, GT_F64);
  if (a->x[2] == NULL)
    {
      advance (a, add_exactly (a, &status));
      a->x[2] = &unit;
      a->stride[2] = 0;
    }
  if (a->n > 0)
    enough = a->n_bins / 2 <= a->n ? gt_histogram_add_to_few (a, &status)
                                   : gt_histogram_add_to_many (a, &status);
  gt_fpenv_leave (&env);
  return enough ? status : GSL_ENOMEM;
}

/* ----------------------------------------------------------- Few elements */

/* Weights that are added one after the other where each has a bin of its own.  */
#define FEW_WEIGHTS 4

/* Adds few elements to a histogram of one dimension, or none where their bins are to be rounded
   together, or the first of them while units lose nothing.  Returns how many.  This is all that
   most calls of few elements do, in about the time of GSL's loop.  */
static inline size_t
add_at_once (const double *range, double *restrict bins, size_t n_bins, const double *x,
             size_t stride, const double *weights, size_t wstride, size_t n, int *status)
{
  uint32_t bin[FEW_WEIGHTS];
  uint64_t taken = 0;
  size_t i = 0;

  for (; i < n && weights == NULL; i++)
    {
      const uint32_t k = gt_bins_find_one (range, n_bins, x[i * stride]);

      if (k < n_bins)
        {
          const double old = bins[k], sum = old + 1;

          if (sum - old != 1 || sum - 1 != old)
            return i;
          bins[k] = sum;
        }
      else
        *status = GSL_EDOM;
    }
  for (; i < n; i++)
    {
      const uint32_t k = bin[i] = gt_bins_find_one (range, n_bins, x[i * stride]);

      if (k == n_bins || taken >> k % 64 & 1 || !isfinite (bins[k] + weights[i * wstride]))
        return 0;
      taken |= (uint64_t) 1 << k % 64;
    }
  for (size_t k = 0; k < n && weights; k++)
    bins[bin[k]] = bins[bin[k]] + weights[k * wstride] + 0;
  return n;
}

/* -------------------------------------------------- What programs call */

int
gt_histogram_bins (struct gt_bins *bins, const double *range, size_t n)
{
  struct gt_fpenv env;
  int taken;

  gt_fpenv_enter (&env, GT_F64);
  taken = gt_bins_of (bins, range, n);
  gt_fpenv_leave (&env);
  return taken;
}

/* Elements are counted where they are so many times as many as bins.  */
#define COUNTED 4

/* From how many elements on, and as many as bins, ranges are looked at.  */
#define LOOKED 80

/* Looks at ranges where elements are many; 0 where what GSL finds depends on how it was compiled.  */
static int
are_ours (struct gt_bins *bins, const double *range, size_t n_bins, size_t n)
{
  *bins = (struct gt_bins) {range, n_bins, -1};
  if (n_bins >= GT_BINS_MOST || !isfinite (range[n_bins] - range[0]))
    return 0;
  if (n > LOOKED && n >= n_bins)
    gt_histogram_bins (bins, range, n_bins);
  return 1;
}

static double
number (const struct gt_addition *a, unsigned k, size_t i)
{
  return a->x[k] ? a->x[k][i * a->stride[k]] : 1;
}

static int
fill_as_gsl (const struct gt_addition *a)
{
  int status = GSL_SUCCESS;

  for (size_t i = 0; i < a->n; i++)
    if (a->one
          ? gsl_histogram_accumulate (a->one, number (a, 0, i), number (a, 2, i))
          : gsl_histogram2d_accumulate (a->two, number (a, 0, i), number (a, 1, i),
                                        number (a, 2, i)))
      status = GSL_EDOM;
  return status;
}

static int
add (struct gt_addition *a)
{
  const gsl_histogram *const one = a->one;
  const gsl_histogram2d *const two = a->two;
  int status;

  if (!(one ? are_ours (&a->bins[0], one->range, one->n, a->n)
            : two->nx < GT_BINS_MOST / two->ny
                && are_ours (&a->bins[0], two->xrange, two->nx, a->n)
                && are_ours (&a->bins[1], two->yrange, two->ny, a->n)))
    return fill_as_gsl (a);
  status = a->x[2] || a->n / COUNTED < a->n_bins ? fill_by_adding (a) : fill_by_counts (a);
  if (status == GSL_ENOMEM)
    GSL_ERROR ("failed to allocate space for what bins lack", GSL_ENOMEM);
  return status;
}

static int
fill_histogram (gsl_histogram *h, const double *data, size_t stride, const double *weights,
                size_t wstride, size_t n)
{
  const size_t n_bins = h->n;
  struct gt_addition a;
  size_t done = 0;
  int status = GSL_SUCCESS, status_of_others;

  if (n <= (weights ? FEW_WEIGHTS : ALONE) && n_bins < GT_BINS_MOST
      && isfinite (h->range[n_bins] - h->range[0]) && gt_fpenv_is_default (GT_F64))
    done = add_at_once (h->range, h->bin, n_bins, data, stride, weights, wstride, n, &status);
  if (done == n)
    return status;
  a.one = h;
  a.two = NULL;
  a.bin = h->bin;
  a.n_bins = n_bins;
  a.x[0] = data;
  a.x[1] = NULL;
  a.x[2] = weights;
  a.stride[0] = stride;
  a.stride[2] = wstride;
  a.n = n;
  advance (&a, done);
  status_of_others = add (&a);
  return status_of_others ? status_of_others : status;
}

int
gsltune_histogram_fill (gsl_histogram *h, const double *data, size_t stride, size_t n)
{
  return fill_histogram (h, data, stride, NULL, 0, n);
}

int
gsltune_histogram_accumulate (gsl_histogram *h, const double *data, size_t stride,
                              const double *weights, size_t wstride, size_t n)
{
  return fill_histogram (h, data, stride, weights, wstride, n);
}

static int
fill_histogram2d (gsl_histogram2d *h, const double *x, size_t xstride, const double *y,
                  size_t ystride, const double *weights, size_t wstride, size_t n)
{
  struct gt_addition a
    = {.two = h, .bin = h->bin, .n_bins = h->nx * h->ny, .x = {x, y, weights},
       .stride = {xstride, ystride, wstride}, .n = n};

  return add (&a);
}

int
gsltune_histogram2d_fill (gsl_histogram2d *h, const double *x, size_t xstride,
                          const double *y, size_t ystride, size_t n)
{
  return fill_histogram2d (h, x, xstride, y, ystride, NULL, 0, n);
}

int
gsltune_histogram2d_accumulate (gsl_histogram2d *h, const double *x, size_t xstride,
                                const double *y, size_t ystride, const double *weights,
                                size_t wstride, size_t n)
{
  return fill_histogram2d (h, x, xstride, y, ystride, weights, wstride, n);
}
