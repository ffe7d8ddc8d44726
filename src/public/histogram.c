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
#include "kernels/superaccumulator.h"
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

/* What is added to a histogram of GSL's, one of both.  */
struct addition
{
  gsl_histogram *one;
  gsl_histogram2d *two;
  double *bin;
  size_t n_bins;
  struct gt_bins bins[2]; /* of each array; the second's are side by side */
  const double *x[3];     /* the second and the weights may be null */
  size_t stride[3], n;
};

static double
number (const struct addition *a, unsigned k, size_t i)
{
  return a->x[k] ? a->x[k][i * a->stride[k]] : 1;
}

/* The bins of COUNT elements from FIRST on, at most a block; N_BINS for what is in none.  */
static void
find_block (const struct addition *a, size_t first, size_t count, uint32_t *bin)
{
  const size_t nx = a->bins[0].n, ny = a->bins[1].n;
  uint32_t other[GT_BINS_BLOCK];
  double copy[GT_BINS_BLOCK];

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

/* What threads share: a table has the bins, and one for what is in none.  */
struct counting
{
  const struct addition *of;
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
      find_block (c->of, first + done, count, bin);
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
fill_by_counts (const struct addition *a)
{
  struct counting c = {.of = a};
  const int status
    = count (&c) ? gt_histogram_add (a->bin, c.totals, a->n_bins) : GSL_ENOMEM;

  free (c.totals);
  return status;
}

/* -------------------------------------------------------------------- Adding */

/* Words on the stack, which few bins or few elements take.  */
#define FEW ((size_t) 80)

/* What a bin lacks of its sum, where two doubles cannot hold it.  */
struct wide
{
  size_t bin;
  struct gt_superaccumulator sum;
};

/* What bins lack, each at its place; or where elements are few what those lack that do, which
   have their places by hashing.  */
struct rests
{
  double *rest;    /* or no number, but that of a wide one (add_widely) */
  uint32_t *owner; /* the bin of each where they are hashed, else null */
  uint32_t *slot;  /* 0, or a place and 1 */
  size_t n, n_slots;
  unsigned shift;
  int seldom;      /* additions are exact, but for few */
  int any;         /* one was not */
  struct wide *wides;
  size_t n_wides;
  void *heap;
  double few[FEW];
};

static int
begin_rests (struct rests *r, const struct addition *a)
{
  size_t n_slots = 2, bytes;

  for (r->shift = 63; n_slots < 2 * a->n && n_slots < a->n_bins; n_slots *= 2)
    r->shift--;
  const int is_hashed = n_slots < a->n_bins;

  r->n = is_hashed ? 0 : a->n_bins;
  r->n_slots = n_slots;
  r->seldom = is_hashed || a->x[2] == NULL;
  r->any = 0;
  r->wides = NULL;
  r->n_wides = 0;
  bytes = is_hashed ? n_slots / 2 * (sizeof *r->rest + sizeof *r->owner) + n_slots * sizeof *r->slot
                    : a->n_bins * sizeof *r->rest;
  r->heap = bytes > sizeof r->few ? malloc (bytes) : NULL;
  r->rest = r->heap ? r->heap : r->few;
  r->owner = is_hashed ? (uint32_t *) (r->rest + n_slots / 2) : NULL;
  r->slot = is_hashed ? r->owner + n_slots / 2 : NULL;
  if (bytes > sizeof r->few && r->heap == NULL)
    return 0;
  if (is_hashed)
    memset (r->slot, 0, n_slots * sizeof *r->slot);
  else
    memset (r->rest, 0, bytes);
  return 1;
}

/* The place of BIN (D. E. Knuth, The Art of Computer Programming 3, 1973, section 6.4).  */
static size_t
hashed (struct rests *r, size_t bin)
{
  size_t at = (uint64_t) bin * 0x9e3779b97f4a7c15u >> r->shift;

  for (; r->slot[at] != 0; at = (at + 1) % r->n_slots)
    if (r->owner[r->slot[at] - 1] == bin)
      return r->slot[at] - 1;
  r->owner[r->n] = (uint32_t) bin;
  r->rest[r->n++] = 0;
  r->slot[at] = (uint32_t) r->n;
  return r->n - 1;
}

/* W comes to the wide sum of what BIN lacks, which its REST becomes.  Room for these is doubled
   where their number is a power of two.  */
static int
add_widely (struct rests *r, size_t bin, double *rest, double w)
{
  const uint64_t quiet = 0x7ff8000000000000u;
  const size_t n = r->n_wides;
  uint64_t word;

  if (*rest == *rest)
    {
      struct wide *const wides
        = n & (n - 1) ? r->wides : realloc (r->wides, (n ? 2 * n : 1) * sizeof *wides);

      if (wides == NULL)
        return 0;
      r->wides = wides;
      wides[n] = (struct wide) {.bin = bin};
      gt_super_add (&wides[n].sum, *rest);
      word = quiet + r->n_wides++;
      memcpy (rest, &word, sizeof word);
    }
  memcpy (&word, rest, sizeof word);
  gt_super_add (&r->wides[word - quiet].sum, w);
  return 1;
}

/* Adds W to a bin, and what that loses to what the bin lacks, which is exact or is done widely
   (O. Moller, "Quasi double-precision in floating point addition", 1965).  0 when memory is
   short.  */
static inline int
add_to_bin (struct rests *r, double *bins, size_t bin, double w)
{
  const double old = bins[bin], sum = old + w, part = sum - old;
  const double lost = (old - (sum - part)) + (w - part);
  double *rest;

  if (r->seldom && lost == 0)
    {
      bins[bin] = sum + 0;
      return 1;
    }
  r->any = 1;
  rest = &r->rest[r->owner ? hashed (r, bin) : bin];

  const double both = *rest + lost, second = both - *rest;

  if ((*rest - (both - second)) + (lost - second) != 0)
    return add_widely (r, bin, rest, w);
  bins[bin] = sum + 0;
  *rest = both;
  return 1;
}

/* Bins are rounded, once.  */
static void
end_rests (struct rests *r, double *bins)
{
  for (size_t k = 0; k < r->n && r->any; k++)
    {
      const size_t bin = r->owner ? r->owner[k] : k;
      const double old = bins[bin], all = old + r->rest[k];

      bins[bin] = fabs (r->rest[k]) > 0 ? all : old;
    }
  for (size_t k = 0; k < r->n_wides; k++)
    {
      struct wide *const wide = &r->wides[k];

      gt_super_add (&wide->sum, bins[wide->bin]);
      bins[wide->bin] = gt_super_round (&wide->sum);
    }
  free (r->wides);
  free (r->heap);
}

static int
fill_by_adding (const struct addition *a)
{
  uint32_t bin[GT_BINS_BLOCK];
  struct gt_fpenv env;
  struct rests r;
  int enough = begin_rests (&r, a), status = GSL_SUCCESS;

  if (!enough)
    return GSL_ENOMEM;
  gt_fpenv_enter (&env, GT_F64);
  for (size_t first = 0, n; enough && first < a->n; first += n)
    {
      n = a->n - first < GT_BINS_BLOCK ? a->n - first : GT_BINS_BLOCK;
      find_block (a, first, n, bin);
      for (size_t i = 0; i < n; i++)
        if (bin[i] < a->n_bins)
          enough &= add_to_bin (&r, a->bin, bin[i], number (a, 2, first + i));
        else
          status = GSL_EDOM;
    }
  end_rests (&r, a->bin);
  gt_fpenv_leave (&env);
  return enough ? status : GSL_ENOMEM;
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

/* Looks at ranges where elements are many; 0 where what GSL finds depends on how it was compiled.  */
static int
are_ours (struct gt_bins *bins, const double *range, size_t n_bins, size_t n)
{
  *bins = (struct gt_bins) {range, n_bins, -1};
  if (n_bins >= GT_BINS_MOST || !isfinite (range[n_bins] - range[0]))
    return 0;
  if (n > FEW && n >= n_bins)
    gt_histogram_bins (bins, range, n_bins);
  return 1;
}

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
add (struct addition *a)
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
  struct addition a = {.one = h, .bin = h->bin, .n_bins = h->n, .x = {data, NULL, weights},
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
  struct addition a
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
