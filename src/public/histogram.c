/* Filling histograms with whole arrays.

   Numbers of elements are counted as whole numbers, by all threads.  Weights are gathered
   bin by bin, and each bin's are added exactly: so a bin is its old value and all that
   came to it, rounded once, whatever the machine.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_histogram.h>
#include <gsl/gsl_histogram2d.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/types.h>

#include "kernels/cpu/bins/bins.h"
#include "kernels/cpu/short/exact_short_sums.h"
#include "kernels/cutoffs.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/cpu/threads.h"
#include "src/gsltune.h"
#include "src/public/histogram.h"
#include "src/public/sorting.h"
#include "src/route/reduce.h"

/* Elements that a thread claims at a time.  */
#define CLAIM ((size_t) 1 << 16)

/* From how many numbers on threads share them.  */
#define THREADS_FROM ((size_t) 1 << 18)

/* So many tables of one thread take turns where they fit a cache: an addition does not
   wait for the one before it.  */
#define TABLES 4
#define TABLES_BINS ((size_t) 2048)

/* Of one histogram the arrays and the bins of each, the last one's side by side.  */
struct filling
{
  struct gt_bins bins[2];
  const double *x[2];
  size_t stride[2];
  unsigned dimensions;
  size_t n, n_bins;

  /* What threads share: a table has the bins, and one for what is in none.  */
  size_t tables, table;
  uint32_t *counts;
  uint64_t *totals;
  _Atomic size_t next;
};

/* The bins of COUNT elements from FIRST on, at most a block; N_BINS for what is in none.  */
static void
find_block (const struct filling *f, size_t first, size_t count, uint32_t *bin)
{
  uint32_t other[GT_BINS_BLOCK];
  double copy[GT_BINS_BLOCK];

  for (unsigned d = 0; d < f->dimensions; d++)
    {
      const double *x = f->x[d] + first * f->stride[d];

      for (size_t i = 0; i < count && f->stride[d] != 1; i++)
        copy[i] = x[i * f->stride[d]];
      gt_bins_find (&f->bins[d], f->stride[d] == 1 ? x : copy, count, d ? other : bin);
    }
  for (size_t i = 0; i < count && f->dimensions == 2; i++)
    bin[i] = bin[i] == f->bins[0].n || other[i] == f->bins[1].n
               ? (uint32_t) f->n_bins : bin[i] * (uint32_t) f->bins[1].n + other[i];
}

/* ------------------------------------------------------------------ Counting */

static void
count_claim (const struct filling *f, uint32_t *counts, size_t first, size_t n)
{
  const size_t apart = f->tables == TABLES ? f->table : 0;
  uint32_t bin[GT_BINS_BLOCK];

  for (size_t done = 0, count; done < n; done += count)
    {
      count = n - done < GT_BINS_BLOCK ? n - done : GT_BINS_BLOCK;
      find_block (f, first + done, count, bin);
      for (size_t i = 0; i < count; i += TABLES)
        for (size_t t = 0; t < TABLES && i + t < count; t++)
          counts[t * apart + bin[i + t]]++;
    }
}

static void
add_to_totals (struct filling *f, uint32_t *counts)
{
  for (size_t k = 0; k < f->table; k++)
    {
      uint64_t count = 0;

      for (size_t t = 0; t < f->tables; t++)
        {
          count += counts[t * f->table + k];
          counts[t * f->table + k] = 0;
        }
      if (count > 0)
        __atomic_fetch_add (&f->totals[k], count, __ATOMIC_RELAXED);
    }
}

static void
count_claims (void *closure, unsigned member)
{
  struct filling *const f = closure;
  uint32_t *const counts = f->counts + member * f->tables * f->table;
  struct gt_fpenv env;
  size_t first, counted = 0;

  gt_fpenv_enter (&env, GT_F64);
  while ((first = CLAIM * atomic_fetch_add (&f->next, 1)) < f->n)
    {
      const size_t n = f->n - first < CLAIM ? f->n - first : CLAIM;

      if (counted > UINT32_MAX - CLAIM)
        {
          add_to_totals (f, counts);
          counted = 0;
        }
      count_claim (f, counts, first, n);
      counted += n;
    }
  add_to_totals (f, counts);
  gt_fpenv_leave (&env);
}

/* Counts what comes to each bin, and at last what to none; null when memory is short.  The
   caller frees what it returns.  */
static uint64_t *
count (struct filling *f)
{
  unsigned threads = f->n < THREADS_FROM ? 1 : gt_sort_most_threads ();
  size_t bytes;

  f->table = f->n_bins + 1;
  f->tables = f->n_bins <= TABLES_BINS ? TABLES : 1;
  bytes = f->tables * f->table * sizeof *f->counts;
  /* Tables are cleared and added, too.  */
  if (threads > 1 && f->n / threads / f->tables < f->table)
    threads = 1;
  f->totals = calloc (f->table, sizeof *f->totals);
  f->counts = calloc (threads, bytes);
  if (f->totals && f->counts)
    {
      atomic_init (&f->next, 0);
      gt_team_run (threads, count_claims, f);
    }
  else
    {
      free (f->totals);
      f->totals = NULL;
    }
  free (f->counts);
  return f->totals;
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
fill (struct filling *f, double *bin)
{
  uint64_t *const totals = count (f);
  int status;

  if (totals == NULL)
    GSL_ERROR ("failed to allocate space for the counts of the bins", GSL_ENOMEM);
  status = gt_histogram_add (bin, totals, f->n_bins);
  free (totals);
  return status;
}

/* ------------------------------------------------------------------- Weights */

/* The weights of the bins from BEGIN to END, for which there is room.  */
struct gathering
{
  const double *weights;
  size_t stride;
  size_t begin, end;
  double *room;
  size_t *at; /* where the next weight of each bin goes, from BEGIN on */
  size_t most;
  gsltune_accumulator *sum; /* of one bin that has more than there is room for; or null */
};

static void
add_to_sum (const struct gathering *g, size_t n)
{
  const gsl_vector v = {n, 1, g->room, NULL, 0};

  gsltune_accumulator_add_vector (g->sum, &v);
}

static void
gather (const struct filling *f, struct gathering *g)
{
  uint32_t bin[GT_BINS_BLOCK];

  for (size_t first = 0, n; first < f->n; first += n)
    {
      n = f->n - first < GT_BINS_BLOCK ? f->n - first : GT_BINS_BLOCK;
      find_block (f, first, n, bin);
      for (size_t i = 0; i < n; i++)
        {
          const size_t k = bin[i] - g->begin;

          if (bin[i] < g->begin || bin[i] >= g->end)
            continue;
          if (g->sum && g->at[k] == g->most)
            {
              add_to_sum (g, g->most);
              g->at[k] = 0;
            }
          g->room[g->at[k]++] = g->weights[(first + i) * g->stride];
        }
    }
}

/* The exact sum of N numbers, two at least, rounded.  */
static double
exact_sum (const double *x, size_t n)
{
  double sum = x[0] + x[1];
  union gt_value value;

  /* Of zeros it is +0, as every exact sum.  */
  if (n == 2)
    return sum == sum ? sum + 0 : (double) NAN;
  if (n <= GT_CUTOFF_CASCADES && gt_exact_short_f64 (x, n, 1, &sum))
    return sum;

  const struct gt_task task = gt_task_of (GT_SUM, GT_F64, GT_MODE_EXACT, x, n, 1);

  gt_reduce_host (&task, &value);
  return GT_LEADING (value, double);
}

/* The bins from BEGIN to END, whose COUNTS weights have room, but for one that has not.  */
static int
accumulate_bins (const struct filling *f, struct gathering *g, const uint64_t *counts,
                 double *bin)
{
  size_t used = 0;

  if (g->end == g->begin + 1 && counts[g->begin] + 1 > g->most)
    {
      g->sum = gsltune_accumulator_alloc ();
      if (g->sum == NULL)
        return GSL_ENOMEM;
    }
  for (size_t k = g->begin; k < g->end; k++)
    {
      g->room[used] = bin[k];
      g->at[k - g->begin] = used + 1;
      used += counts[k] + 1;
    }
  gather (f, g);
  if (g->sum)
    {
      add_to_sum (g, g->at[0]);
      bin[g->begin] = gsltune_accumulator_round (g->sum);
      gsltune_accumulator_free (g->sum);
      g->sum = NULL;
      return GSL_SUCCESS;
    }
  for (size_t k = g->begin; k < g->end; k++)
    if (counts[k] > 0)
      bin[k] = exact_sum (g->room + g->at[k - g->begin] - counts[k] - 1, counts[k] + 1);
  return GSL_SUCCESS;
}

/* As many bins at a time as there is scratch memory for.  */
static int
accumulate_all (const struct filling *f, struct gathering *g, const uint64_t *counts,
                double *bin)
{
  int status = GSL_SUCCESS;

  for (g->end = 0; g->end < f->n_bins && status == GSL_SUCCESS;)
    {
      uint64_t used = 0;

      g->begin = g->end;
      do
        used += counts[g->end++] + 1;
      while (g->end < f->n_bins && used + counts[g->end] + 1 <= g->most);
      status = accumulate_bins (f, g, counts, bin);
    }
  return status;
}

static int
accumulate (struct filling *f, const double *weights, size_t stride, double *bin)
{
  struct gathering g = {.weights = weights, .stride = stride};
  uint64_t *const counts = count (f);
  const size_t limit = gt_scratch_limit / sizeof *g.room;
  struct gt_fpenv env;
  int status = GSL_ENOMEM;

  g.most = f->n + f->n_bins;
  if (g.most > limit)
    g.most = limit > GT_BINS_BLOCK ? limit : GT_BINS_BLOCK;
  if (counts)
    {
      g.room = malloc (g.most * sizeof *g.room);
      g.at = malloc (f->n_bins * sizeof *g.at);
      if (g.room && g.at)
        {
          gt_fpenv_enter (&env, GT_F64);
          status = accumulate_all (f, &g, counts, bin);
          gt_fpenv_leave (&env);
        }
      if (status == GSL_SUCCESS && counts[f->n_bins] > 0)
        status = GSL_EDOM;
      free (g.room);
      free (g.at);
    }
  free (counts);
  if (status == GSL_ENOMEM)
    GSL_ERROR ("failed to allocate space for the weights of the bins", GSL_ENOMEM);
  return status;
}

/* ------------------------------------------------------------- Few elements */

/* As many come to bins one after the other, whatever the histogram; more do so where bins are
   so many times as many, with weights or without: to look at all bins would take longer.  */
#define FEW ((size_t) 64)
#define BINS_OF_WEIGHTS 8
#define BINS_OF_COUNTS 2

/* What is added to a histogram of GSL's, one of both.  */
struct addition
{
  gsl_histogram *one;
  gsl_histogram2d *two;
  double *bin;
  size_t n_bins;
  const double *x[3]; /* the second and the weights may be null */
  size_t stride[3], n;
};

static int fill_many (const struct addition *a);

static double
number (const struct addition *a, unsigned k, size_t i)
{
  return a->x[k] ? a->x[k][i * a->stride[k]] : 1;
}

/* The bins of one dimension.  */
struct axis
{
  const double *range;
  size_t n;
  double low, high;
};

static struct axis
axis_of (const double *range, size_t n)
{
  return (struct axis) {range, n, range[0], range[n]};
}

static inline int
is_outside (const struct axis *axis, double x)
{
  return x < axis->low || x >= axis->high;
}

/* Whether X is in the bin where GSL looks first, K.  */
static inline int
is_even (const struct axis *axis, double x, size_t *k)
{
  const double place = (x - axis->low) / (axis->high - axis->low) * (double) axis->n;

  if (!(place < (double) axis->n))
    return 0;
  *k = (size_t) (ssize_t) place;
  return *k < axis->n && x >= axis->range[*k] && x < axis->range[*k + 1];
}

/* The bin that GSL finds for element I; N_BINS for none.  What is outside is told by no
   function but those that report it.  */
static inline size_t
gsl_bin (const struct addition *a, const struct axis axis[2], size_t i)
{
  const double x = a->x[0][i * a->stride[0]];
  double y;
  size_t j, k;

  if (is_outside (&axis[0], x))
    return a->n_bins;
  if (a->one)
    return is_even (&axis[0], x, &k) || gsl_histogram_find (a->one, x, &k) == 0 ? k : a->n_bins;
  y = a->x[1][i * a->stride[1]];
  if (is_outside (&axis[1], y))
    return a->n_bins;
  return (is_even (&axis[0], x, &j) && is_even (&axis[1], y, &k))
             || gsl_histogram2d_find (a->two, x, y, &j, &k) == 0
           ? j * axis[1].n + k : a->n_bins;
}

/* Adds W to BIN where that is exact, and says whether it is (O. Moller, "Quasi double-precision
   in floating point addition", 1965).  */
static int
is_added (double *bin, double w)
{
  const double sum = *bin + w, other = sum - *bin;

  if ((*bin - (sum - other)) + (w - other) != 0)
    return 0;
  *bin = sum + 0;
  return 1;
}

/* Additions that were not exact wait, with the bins of each.  */
struct waiting
{
  size_t bin[FEW], element[FEW], count;
};

static void
wait (struct waiting *w, size_t bin, size_t element)
{
  size_t at = w->count++;

  for (; at > 0 && w->bin[at - 1] > bin; at--)
    {
      w->bin[at] = w->bin[at - 1];
      w->element[at] = w->element[at - 1];
    }
  w->bin[at] = bin;
  w->element[at] = element;
}

/* A bin is what it holds, exactly, and all that waits for it.  */
static void
end_waiting (const struct addition *a, const struct waiting *w)
{
  double x[FEW + 1];

  for (size_t i = 0, n; i < w->count; i += n)
    {
      x[0] = a->bin[w->bin[i]];
      for (n = 0; i + n < w->count && w->bin[i + n] == w->bin[i]; n++)
        x[n + 1] = number (a, 2, w->element[i + n]);
      a->bin[w->bin[i]] = exact_sum (x, n + 1);
    }
}

/* What waits, and the elements from FROM on, all together.  */
static int
hand_over (const struct addition *a, const struct waiting *w, size_t from)
{
  const size_t n = w->count + a->n - from;
  double *const room = malloc (3 * n * sizeof *room);
  struct addition all = *a;
  int status;

  if (room == NULL)
    GSL_ERROR ("failed to allocate space for the elements", GSL_ENOMEM);
  all.n = n;
  for (unsigned k = 0; k < 3; k++)
    if (a->x[k])
      {
        all.x[k] = room + k * n;
        all.stride[k] = 1;
        for (size_t i = 0; i < n; i++)
          room[k * n + i]
            = number (a, k, i < w->count ? w->element[i] : i - w->count + from);
      }
  status = fill_many (&all);
  free (room);
  return status;
}

static int
fill_few (const struct addition *a)
{
  const struct axis axis[2]
    = {a->one ? axis_of (a->one->range, a->one->n) : axis_of (a->two->xrange, a->two->nx),
       a->one ? (struct axis) {.n = 0} : axis_of (a->two->yrange, a->two->ny)};
  struct waiting w;
  struct gt_fpenv env;
  int status = GSL_SUCCESS;
  size_t i = 0;

  w.count = 0;
  gt_fpenv_enter (&env, GT_F64);
  for (; i < a->n && w.count < FEW; i++)
    {
      const size_t k = gsl_bin (a, axis, i);

      if (k == a->n_bins)
        status = GSL_EDOM;
      else if (!is_added (&a->bin[k], number (a, 2, i)))
        wait (&w, k, i);
    }
  if (i == a->n)
    end_waiting (a, &w);
  gt_fpenv_leave (&env);
  if (i < a->n)
    {
      const int others = hand_over (a, &w, i);

      status = others ? others : status;
    }
  return status;
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

/* Where ranges do not ascend GSL's functions do all.  */
static int
fill_as_gsl (const struct addition *a)
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
fill_many (const struct addition *a)
{
  struct filling f = {.x = {a->x[0], a->x[1]}, .stride = {a->stride[0], a->stride[1]},
                      .dimensions = a->one ? 1 : 2, .n = a->n, .n_bins = a->n_bins};

  if (!(a->one ? gt_histogram_bins (&f.bins[0], a->one->range, a->one->n)
               : a->two->nx < GT_BINS_MOST / a->two->ny
                   && gt_histogram_bins (&f.bins[0], a->two->xrange, a->two->nx)
                   && gt_histogram_bins (&f.bins[1], a->two->yrange, a->two->ny)))
    return fill_as_gsl (a);
  return a->x[2] ? accumulate (&f, a->x[2], a->stride[2], a->bin) : fill (&f, a->bin);
}

static int
add (const struct addition *a)
{
  const size_t sparse = a->n_bins / (a->x[2] ? BINS_OF_WEIGHTS : BINS_OF_COUNTS);

  return a->n <= FEW || a->n < sparse ? fill_few (a) : fill_many (a);
}

static int
fill_histogram (gsl_histogram *h, const double *data, size_t stride, const double *weights,
                size_t wstride, size_t n)
{
  const struct addition a = {.one = h, .bin = h->bin, .n_bins = h->n, .x = {data, NULL, weights},
                             .stride = {stride, 1, wstride}, .n = n};

  return add (&a);
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
  const struct addition a
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
