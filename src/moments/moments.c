/* The public moments: allocation and merging.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/moments/moments.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "kernels/cpu/isa/room.h"
#include "kernels/rational.h"

/* The sums of each kind and power; 0 if there are no such moments.  */
#define BIT(name) (1u << GT_MOMENT_##name)
#define TO_2 (BIT (1) | BIT (2))
#define TO_3 (TO_2 | BIT (3))
#define TO_4 (TO_3 | BIT (4))
#define WEIGHTS (BIT (W) | BIT (WW))
#define DISTANCES (BIT (1) | BIT (SIDES) | BIT (DISTANCES))
static const unsigned kinds[][5] = {
  [GSLTUNE_MOMENTS_PLAIN] = {DISTANCES, BIT (1), TO_2, TO_3, TO_4},
  [GSLTUNE_MOMENTS_NEIGHBOURS] = {[2] = TO_2 | BIT (PRODUCTS) | BIT (FIRST) | BIT (LAST)},
  [GSLTUNE_MOMENTS_WEIGHTED] = {DISTANCES | BIT (W), WEIGHTS | BIT (1), WEIGHTS | TO_2,
                                WEIGHTS | TO_3, WEIGHTS | TO_4},
  [GSLTUNE_MOMENTS_PAIRS] = {[1] = BIT (PRODUCTS), TO_2 | BIT (Y) | BIT (YY) | BIT (PRODUCTS)},
};

/* ------------------------------------------------------------- Allocation
   A sum of up to 2^64 elements needs 64 bits more than the largest element.  The last word
   holds the upper 18 bits of the sum, and carries that are not propagated yet.  */

_Static_assert (GT_WIDE_WORDS == (LDBL_MAX_EXP + 64 - GT_WIDE_LOWEST) / 32 + 1
                  || LDBL_MANT_DIG == 53, "words of elements");

/* Returns moments like LIKE, with the sums in WORDS.  */
static gsltune_moments
head_like (const gsltune_moments *like, int64_t *words)
{
  gsltune_moments m = {.kind = like->kind, .power = like->power, .wide = like->wide,
                       .sums = kinds[like->kind][like->power], .is_given = like->is_given,
                       .centre = like->centre};

  m.n_words = gt_power_sums_in (m.sum, words, m.sums, m.kind == GSLTUNE_MOMENTS_WEIGHTED, m.wide);
  return m;
}

size_t
gt_moments_bytes (const gsltune_moments *like)
{
  return sizeof *like + head_like (like, NULL).n_words * sizeof *like->words;
}

gsltune_moments *
gt_moments_place (void *memory, const gsltune_moments *like)
{
  gsltune_moments *const m = memory;

  *m = head_like (like, m->words);
  memset (m->words, 0, m->n_words * sizeof *m->words);
  return m;
}

gsltune_moments *
gt_moments_alloc_like (const gsltune_moments *like)
{
  void *const memory = malloc (gt_moments_bytes (like));

  return memory ? gt_moments_place (memory, like) : NULL;
}

/* Allocates moments like LIKE if such moments exist and their power is at least LEAST.  */
static gsltune_moments *
alloc_checked (const gsltune_moments *like, int least)
{
  gsltune_moments *m;

  if ((unsigned) like->kind >= sizeof kinds / sizeof *kinds || like->power < least
      || like->power > 4 || kinds[like->kind][like->power] == 0)
    GSL_ERROR_NULL ("there are no such moments", GSL_EINVAL);
  m = gt_moments_alloc_like (like);
  if (m == NULL)
    GSL_ERROR_NULL ("failed to allocate space for moments", GSL_ENOMEM);
  return m;
}

gsltune_moments *
gsltune_moments_alloc (gsltune_moments_kind kind, int power, int long_doubles)
{
  return alloc_checked (
    &(gsltune_moments) {.kind = kind, .power = power, .wide = long_doubles != 0}, 1);
}

void
gsltune_moments_free (gsltune_moments *m)
{
  free (m);
}

int
gsltune_moments_reset (gsltune_moments *m)
{
  gt_moments_place (m, m);
  return GSL_SUCCESS;
}

size_t
gsltune_moments_n (const gsltune_moments *m)
{
  return (size_t) m->n;
}

/* ------------------------------------------------------------- Distances */

struct gt_centre
gt_moments_mean (const gsltune_moments *all)
{
  const int weighted = all->kind == GSLTUNE_MOMENTS_WEIGHTED, unit = gt_moments_unit (all);
  const struct gt_power_sum *const sum = &all->sum[GT_MOMENT_1], *const w = &all->sum[GT_MOMENT_W];
  void *heap;
  uint64_t *const room = GT_ROOM (heap, ((size_t) (sum->n + w->n) / 2 + 8) * sizeof *room);
  const struct gt_whole over = gt_power_sum_whole (room, sum, weighted ? 2 * unit : unit);
  const struct gt_whole under = weighted ? gt_power_sum_whole (room + sum->n / 2 + 4, w, unit)
                                         : gt_whole_from_count (room + sum->n / 2 + 4, all->n);
  const struct gt_centre mean
    = gt_ratio_floor (&(struct gt_ratio) {&over, &under, unit, 0, over.negative});

  free (heap);
  return mean;
}

/* Returns the given mean as a centre.  A mean that is infinite is beyond all elements; NaN is
   treated alike.  */
struct gt_centre
gt_moments_centre_at (double mean)
{
  const struct gt_factor f = gt_factor_f64 (mean);

  if (!f.finite)
    return (struct gt_centre) {1 + (f.significand != 0), 1 << 20, !f.significand && f.negative};
  return (struct gt_centre) {f.significand, f.position + GT_SUPER_LOWEST,
                             f.significand && f.negative};
}

gsltune_moments *
gsltune_moments_alloc_about (const gsltune_moments *all)
{
  if (all->power == 0 || all->kind == GSLTUNE_MOMENTS_PAIRS)
    GSL_ERROR_NULL ("these moments have no mean", GSL_EINVAL);
  return alloc_checked (
    &(gsltune_moments) {.kind = all->kind == GSLTUNE_MOMENTS_WEIGHTED ? all->kind
                                                                      : GSLTUNE_MOMENTS_PLAIN,
                        .wide = all->wide, .centre = gt_moments_mean (all)}, 0);
}

gsltune_moments *
gsltune_moments_alloc_about_mean (gsltune_moments_kind kind, double mean,
                                  int long_doubles)
{
  return alloc_checked (
    &(gsltune_moments) {.kind = kind, .wide = long_doubles != 0, .is_given = 1,
                        .centre = gt_moments_centre_at (mean)}, 0);
}

/* ---------------------------------------------------------------- Merging */

void
gt_power_sum_add (struct gt_power_sum *sum, const struct gt_whole *x, int unit)
{
  const int position = 64 * x->low + unit - sum->lowest;

  /* Saved moments that are not genuine may have a position that no element has; ignore it.  */
  if (position >= 0 && position / 32 + 2 * x->n < sum->n)
    gt_long_put (sum->word, x->word, x->n, position, x->negative);
}

void
gt_moments_carry (gsltune_moments *m)
{
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (m->sums >> i & 1)
      gt_super_carry (m->sum[i].word, m->sum[i].n);
  m->count = 1;
}

void
gt_moments_join (gsltune_moments *m, const struct gt_power_sum *first)
{
  const size_t words = (size_t) first->n / 2 + 1;
  void *heap;
  uint64_t *const room = GT_ROOM (heap, 4 * words * sizeof *room);
  const struct gt_whole next = gt_whole_from_super (room, first->word, first->n);
  const struct gt_whole last
    = gt_whole_from_super (room + words, m->sum[GT_MOMENT_LAST].word, first->n);
  const struct gt_whole product = gt_whole_product (room + 2 * words, &last, &next);

  gt_power_sum_add (&m->sum[GT_MOMENT_PRODUCTS], &product, 2 * first->lowest);
  free (heap);
}

/* Adds the words of sum WHICH of OTHER to those of M.  The first element of M and the last
   element of OTHER become the ends; the two elements between form a pair.  */
static void
merge_sum (gsltune_moments *m, const gsltune_moments *other, enum gt_moment which)
{
  struct gt_power_sum *const sum = &m->sum[which];
  const int replaced = which == GT_MOMENT_LAST || (which == GT_MOMENT_FIRST && m->n == 0);

  if (replaced)
    memmove (sum->word, other->sum[which].word, (size_t) sum->n * sizeof *sum->word);
  else if (which == GT_MOMENT_FIRST)
    gt_moments_join (m, &other->sum[which]);
  else
    gt_super_add_words (sum->word, other->sum[which].word, sum->n);
}

int
gsltune_moments_merge (gsltune_moments *m, const gsltune_moments *other)
{
  if (m->kind != other->kind || m->power != other->power || m->wide != other->wide
      || m->is_given != other->is_given || !gt_is_same_centre (m->centre, other->centre))
    GSL_ERROR ("the moments are not of one kind, or about two centres", GSL_EINVAL);
  if (other->n == 0)
    return GSL_SUCCESS;
  if (m->count + (uint64_t) other->count >= GT_SUPER_LIMIT)
    gt_moments_carry (m);
  m->count += 1 + other->count;
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (m->sums >> i & 1)
      merge_sum (m, other, (enum gt_moment) i);
  m->n += other->n;
  m->flags[0] |= other->flags[0];
  m->flags[1] |= other->flags[1];
  return GSL_SUCCESS;
}
