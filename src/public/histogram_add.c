/* Elements added to the bins of a histogram one after the other, with what each addition loses:
   so a bin is its old value and all that came to it, rounded once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/superaccumulator.h"
#include "src/public/histogram.h"

/* Doubles on the stack, which few bins take.  */
#define FEW ((size_t) 80)

/* Elements whose tables the stack takes.  */
#define SMALL ((size_t) 64)
#define SMALL_SHIFT 24
#define SMALL_SLOTS ((size_t) 1 << (32 - SMALL_SHIFT))

/* A bin lacks what additions to it have lost: its rest, which is exact.  A rest is -0 before
   anything has come to it, which changes no bin.  Where no double can hold it, it is no number,
   but that of a wide sum.  */
struct wide
{
  size_t place;
  struct gt_superaccumulator sum;
};

struct rests
{
  double *rest;
  struct wide *wides;
  size_t n_wides;
};

/* LOST comes to the wide sum of what a bin lacks, which the rest at PLACE becomes.  Room for these
   is doubled where their number is a power of two.  0 when memory is short.  */
static __attribute__ ((noinline)) int
add_widely (struct rests *r, size_t place, double lost)
{
  const uint64_t quiet = 0x7ff8000000000000u;
  const size_t n = r->n_wides;
  double *const rest = &r->rest[place];
  uint64_t word;

  if (*rest == *rest)
    {
      struct wide *const wides
        = n & (n - 1) ? r->wides : realloc (r->wides, (n ? 2 * n : 1) * sizeof *wides);

      if (wides == NULL)
        return 0;
      r->wides = wides;
      wides[n] = (struct wide) {.place = place};
      gt_super_add (&wides[n].sum, *rest);
      word = quiet + r->n_wides++;
      memcpy (rest, &word, sizeof word);
    }
  memcpy (&word, rest, sizeof word);
  gt_super_add (&r->wides[word - quiet].sum, lost);
  return 1;
}

/* The bins of wide sums are rounded; BIN has the bin of each place, or is null where it is the
   place.  */
static void
end_wides (struct rests *r, double *bins, const uint32_t *bin)
{
  for (size_t k = 0; k < r->n_wides; k++)
    {
      struct wide *const wide = &r->wides[k];
      double *const sum = &bins[bin ? bin[wide->place] : wide->place];

      gt_super_add (&wide->sum, *sum);
      *sum = gt_super_round (&wide->sum);
      r->rest[wide->place] = -0.0;
    }
  free (r->wides);
}

int
gt_histogram_add_to_few (const struct gt_addition *a, int *status)
{
  double *const restrict bins = a->bin, few[FEW];
  double *const heap = a->n_bins > FEW ? malloc (a->n_bins * sizeof *heap) : NULL;
  double *const restrict rest = heap ? heap : few;
  const size_t n_bins = a->n_bins;
  struct rests r = {.rest = rest};
  uint32_t bin[GT_BINS_BLOCK];
  int enough = heap || n_bins <= FEW, outside = 0;

  if (!enough)
    return 0;
  for (size_t k = 0; k < n_bins; k++)
    rest[k] = -0.0;
  for (size_t first = 0, n; enough && first < a->n; first += n)
    {
      n = gt_addition_block (a, first);
      gt_histogram_find (a, first, n, bin);
      for (size_t i = 0; i < n; i++)
        if (bin[i] < n_bins)
          {
            double lost, more;
            const double weight = a->x[2][(first + i) * a->stride[2]];
            const double sum = gt_sum_of (bins[bin[i]], weight, &lost);
            const double all = gt_sum_of (rest[bin[i]], lost, &more);

            if (more == 0)
              {
                bins[bin[i]] = sum + 0;
                rest[bin[i]] = all;
              }
            else
              enough &= add_widely (&r, bin[i], weight);
          }
        else
          outside = 1;
    }
  end_wides (&r, bins, NULL);
#pragma omp simd
  for (size_t k = 0; k < n_bins; k++)
    bins[k] += rest[k];
  free (heap);
  if (outside)
    *status = GSL_EDOM;
  return enough;
}

#define FACTOR 0x9e3779b9u

/* Elements whose bins are many: the BIN of each, and LOST by the addition to it.  OWNER has by
   hashing an element of a bin, PAIRS those that are in the bin of another and that one.  */
struct apart
{
  double *lost;
  uint32_t *bin, *owner, *left;
  uint32_t (*pairs)[2];
  unsigned shift;
};

static inline uint32_t
slot_of (const struct apart *t, size_t i, uint32_t factor)
{
  return t->bin[i] * factor >> t->shift;
}

/* Finds elements with a bin in common.  Each has taken the place of its bin in the table from
   whichever had it: most are still there, or find an element of their bin, without a jump that
   depends on the elements.  Those that find another bin's come again with another hash (D. E.
   Knuth, The Art of Computer Programming 3, 1973, section 6.4).  Returns the number of pairs.  */
static size_t
find_pairs (const struct apart *t, size_t n)
{
  uint32_t *const restrict owner = t->owner, *const restrict left = t->left;
  uint32_t (*const restrict pairs)[2] = t->pairs;
  size_t n_left = 0, n_pairs = 0;

  for (size_t i = 0; i < n; i++)
    {
      left[n_left] = (uint32_t) i;
      n_left += owner[slot_of (t, i, FACTOR)] != i;
    }
  for (uint32_t factor = FACTOR; (n = n_left) > 0;)
    {
      n_left = 0;
      for (size_t j = 0; j < n; j++)
        {
          const uint32_t i = left[j], other = owner[slot_of (t, i, factor)];
          const int is_same = t->bin[other] == t->bin[i];

          left[n_left] = i;
          n_left += !is_same;
          pairs[n_pairs][0] = i;
          pairs[n_pairs][1] = other;
          n_pairs += is_same & (i != other);
        }
      factor *= 0x2545f491u;
      for (size_t j = 0; j < n_left; j++)
        owner[slot_of (t, left[j], factor)] = left[j];
    }
  return n_pairs;
}

/* Adds what additions have lost to bins that had several; a bin that had one has been rounded,
   but where the sum was no number: where ANY was.  */
static int
add_lost (const struct gt_addition *a, const struct apart *t, int any)
{
  struct rests r = {.rest = t->lost};
  const size_t n = find_pairs (t, a->n);
  int enough = 1;

  for (size_t k = 0; k < n; k++)
    {
      const uint32_t *const pair = t->pairs[k];
      double more;
      const double all = gt_sum_of (t->lost[pair[1]], t->lost[pair[0]], &more);

      if (more == 0)
        t->lost[pair[1]] = all;
      else
        enough &= add_widely (&r, pair[1], t->lost[pair[0]]);
      t->lost[pair[0]] = -0.0;
    }
  end_wides (&r, a->bin, t->bin);
  for (size_t k = 0; k < (any ? a->n : n); k++)
    {
      const size_t at = any ? k : t->pairs[k][1];

      if (t->bin[at] < a->n_bins)
        a->bin[t->bin[at]] += t->lost[at];
      t->lost[at] = -0.0;
    }
  return enough;
}

int
gt_histogram_add_to_many (const struct gt_addition *a, int *status)
{
  const size_t n = a->n, n_bins = a->n_bins;
  const unsigned shift
    = n > SMALL ? (unsigned) __builtin_clz ((unsigned) (4 * n - 1)) : SMALL_SHIFT;
  const size_t n_slots = (size_t) 1 << (32 - shift);
  double few[(SMALL * 24 + SMALL_SLOTS * 4) / 8];
  double *const heap = n > SMALL ? malloc (24 * n + 4 * n_slots) : NULL;
  double *const restrict lost = heap ? heap : few, *const bins = a->bin;
  uint32_t *const restrict bin = (uint32_t *) (lost + n);
  const struct apart t = {.lost = lost, .bin = bin, .left = bin + n,
                          .pairs = (uint32_t (*)[2]) (bin + 2 * n), .owner = bin + 4 * n,
                          .shift = shift};
  int any = 0, enough = heap || n <= SMALL;

  if (!enough)
    return 0;
  for (size_t first = 0; first < n; first += gt_addition_block (a, first))
    gt_histogram_find (a, first, gt_addition_block (a, first), bin + first);
  for (size_t i = 0; i < n; i++)
    {
      const double weight = a->x[2][i * a->stride[2]];

      t.owner[slot_of (&t, i, FACTOR)] = (uint32_t) i;
      lost[i] = -0.0;
      if (bin[i] < n_bins)
        {
          const double sum = gt_sum_of (bins[bin[i]], weight, &lost[i]);

          if (isnan (lost[i]))
            {
              lost[i] = weight;
              any = 1;
            }
          else
            bins[bin[i]] = sum + 0;
        }
      else
        *status = GSL_EDOM;
    }
  if (n > 1 || any)
    enough = add_lost (a, &t, any);
  free (heap);
  return enough;
}
