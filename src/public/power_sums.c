/* The public moments: making them, joining them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/power_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/wide/wide_superaccumulator.h"

__extension__ typedef unsigned __int128 bits128;

/* The sums of each kind, up to the highest power, and besides those of distances.  */
#define BIT(name) (1u << GT_MOMENT_##name)
#define POWERS (BIT (1) | BIT (2) | BIT (3) | BIT (4))
static const struct
{
  unsigned sums;
  int least, most; /* the highest power that can be asked for */
} kinds[] = {
  [GSLTUNE_MOMENTS_PLAIN] = {POWERS, 1, 4},
  [GSLTUNE_MOMENTS_NEIGHBOURS]
  = {BIT (1) | BIT (2) | BIT (PRODUCTS) | BIT (FIRST) | BIT (LAST), 2, 2},
  [GSLTUNE_MOMENTS_WEIGHTED] = {BIT (W) | BIT (WW) | POWERS, 1, 4},
  [GSLTUNE_MOMENTS_PAIRS]
  = {BIT (1) | BIT (2) | BIT (Y) | BIT (YY) | BIT (PRODUCTS), 1, 2},
};
#define N_KINDS (sizeof kinds / sizeof *kinds)
#define OF_DISTANCES (BIT (W) | BIT (1) | BIT (SIDES) | BIT (DISTANCES))

/* ----------------------------------------------------------------- Making

   A sum of up to 2^64 elements takes a bit more than the largest has and 64.  The last word
   has 18 bits of it and what is not passed on yet.  */

_Static_assert (GT_WIDE_WORDS == (LDBL_MAX_EXP + 64 - GT_WIDE_LOWEST) / 32 + 1
                  || LDBL_MANT_DIG == 53, "words of elements");

int
gt_moments_unit (const gsltune_moments *m)
{
  return m->wide ? GT_WIDE_LOWEST : GT_SUPER_LOWEST;
}

/* As gt_power_sum_shape has it of doubles.  */
static struct gt_power_sum
shape (const gsltune_moments *m, enum gt_moment which)
{
  const int weighted = m->kind == GSLTUNE_MOMENTS_WEIGHTED;
  const int factors = gt_moment_degree (which) + weighted, more = factors > 1 ? factors - 1 : 0;

  return m->wide ? (struct gt_power_sum) {NULL, GT_WIDE_WORDS + 1028 * more,
                                          GT_WIDE_LOWEST - 16512 * more}
                 : gt_power_sum_shape (factors);
}

/* The sums of a kind.  */
static unsigned
sums_of (const gsltune_moments *m)
{
  const int weighted = m->kind == GSLTUNE_MOMENTS_WEIGHTED;
  const unsigned above = m->power < 4 ? BIT (4) | (m->power < 3 ? BIT (3) : 0)
                                          | (m->power < 2 ? BIT (2) : 0) : 0;

  return gt_moments_is_product (m) ? BIT (PRODUCTS)
         : m->power == 0 ? OF_DISTANCES & ~(weighted ? 0 : BIT (W))
                       : kinds[m->kind].sums & ~above;
}

/* Words of a room for what an element times the sum of the weights reaches over, and the
   rooms of distances.  */
#define ROOM(m) ((size_t) ((m)->wide ? 2 * GT_WIDE_WORDS : 2 * GT_SUPER_WORDS) / 2 + 8)
#define N_ROOMS 6

static size_t
words_of_sums (const gsltune_moments *like)
{
  size_t n = 0;

  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (sums_of (like) >> i & 1)
      n += (size_t) shape (like, (enum gt_moment) i).n;
  return n;
}

size_t
gt_moments_bytes (const gsltune_moments *like)
{
  return sizeof *like
         + (words_of_sums (like) + (like->power ? 0 : N_ROOMS * ROOM (like)))
             * sizeof *like->words;
}

gsltune_moments *
gt_moments_place (void *memory, const gsltune_moments *like)
{
  gsltune_moments *const m = memset (memory, 0, gt_moments_bytes (like));
  uint64_t *rooms;

  *m = (gsltune_moments) {.kind = like->kind, .power = like->power, .wide = like->wide};
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (sums_of (like) >> i & 1)
      {
        m->sum[i] = shape (m, (enum gt_moment) i);
        m->sum[i].word = m->words + m->n_words;
        m->n_words += (size_t) m->sum[i].n;
      }
  rooms = (uint64_t *) m->words + m->n_words;
  for (int i = 0; i < 4; i++)
    m->rooms[i] = rooms + (size_t) i * ROOM (m);
  m->scale.word = rooms + 4 * ROOM (m);
  m->centre.word = rooms + 5 * ROOM (m);
  return m;
}

gsltune_moments *
gt_moments_alloc_like (const gsltune_moments *like)
{
  void *const memory = malloc (gt_moments_bytes (like));

  return memory ? gt_moments_place (memory, like) : NULL;
}

static gsltune_moments *
alloc_like (const gsltune_moments *like)
{
  gsltune_moments *const m = gt_moments_alloc_like (like);

  if (m == NULL)
    GSL_ERROR_NULL ("failed to allocate space for moments", GSL_ENOMEM);
  return m;
}

gsltune_moments *
gsltune_moments_alloc (gsltune_moments_kind kind, int power, int long_doubles)
{
  const gsltune_moments like = {.kind = kind, .power = power, .wide = long_doubles != 0};

  if ((unsigned) kind >= N_KINDS || power < kinds[kind].least
      || power > kinds[kind].most)
    GSL_ERROR_NULL ("there are no such moments", GSL_EINVAL);
  return alloc_like (&like);
}

void
gsltune_moments_free (gsltune_moments *m)
{
  free (m);
}

int
gsltune_moments_reset (gsltune_moments *m)
{
  memset (m->words, 0, m->n_words * sizeof *m->words);
  m->n = 0;
  m->count = 0;
  m->flags[0] = m->flags[1] = 0;
  return GSL_SUCCESS;
}

size_t
gsltune_moments_n (const gsltune_moments *m)
{
  return (size_t) m->n;
}

/* ------------------------------------------------------------- Distances */

void
gt_moments_centre (gsltune_moments *m, const gsltune_moments *all)
{
  const int weighted = all->kind == GSLTUNE_MOMENTS_WEIGHTED;
  const int unit = gt_moments_unit (all);

  m->scale = weighted ? gt_power_sum_whole (m->scale.word, &all->sum[GT_MOMENT_W], unit)
                      : gt_whole_from_product (m->scale.word, all->n, 1);
  m->centre = gt_power_sum_whole (m->centre.word, &all->sum[GT_MOMENT_1],
                                weighted ? 2 * unit : unit);
  if (m->scale.n)
    m->nearest = gt_ratio_round (
      &(struct gt_ratio) {&m->centre, &m->scale, unit, 0, m->centre.negative});
}

void
gt_moments_centre_at (gsltune_moments *m, double mean)
{
  m->is_given = 1;
  m->mean = m->nearest = mean;
  m->scale = gt_whole_from_product (m->scale.word, 1, 1);
  if (isfinite (mean))
    m->centre = gt_whole_from_double (m->centre.word, mean, gt_moments_unit (m));
}

gsltune_moments *
gsltune_moments_alloc_about (const gsltune_moments *all)
{
  const gsltune_moments like = {.kind = all->kind == GSLTUNE_MOMENTS_WEIGHTED
                                          ? all->kind : GSLTUNE_MOMENTS_PLAIN,
                                .wide = all->wide};
  gsltune_moments *m;

  if (all->power == 0 || all->kind == GSLTUNE_MOMENTS_PAIRS)
    GSL_ERROR_NULL ("these moments have no mean", GSL_EINVAL);
  m = alloc_like (&like);
  if (m)
    gt_moments_centre (m, all);
  return m;
}

gsltune_moments *
gsltune_moments_alloc_about_mean (gsltune_moments_kind kind, double mean,
                                  int long_doubles)
{
  const gsltune_moments like = {.kind = kind, .wide = long_doubles != 0};
  gsltune_moments *m;

  if (kind != GSLTUNE_MOMENTS_PLAIN && kind != GSLTUNE_MOMENTS_WEIGHTED)
    GSL_ERROR_NULL ("there are no such moments", GSL_EINVAL);
  m = alloc_like (&like);
  if (m)
    gt_moments_centre_at (m, mean);
  return m;
}

/* ---------------------------------------------------------------- Joining */

void
gt_power_sum_add (struct gt_power_sum *sum, const struct gt_whole *x, int unit, int sign)
{
  const int position = 64 * x->low + unit - sum->lowest, shift = position & 31;
  const int64_t negative = -(int64_t) (x->negative ^ (sign < 0));
  int64_t *to = sum->word + (position >> 5);
  uint64_t carry = 0;

  /* Only words that somebody has made up have a position which no element has.  */
  if (position < 0 || position / 32 + 2 * x->n >= sum->n)
    return;
  for (int i = 0; i < x->n; i++, to += 2)
    {
      const bits128 shifted = (bits128) x->word[i] << shift | carry;

      to[0] += ((int64_t) (uint32_t) shifted ^ negative) - negative;
      to[1] += ((int64_t) (uint32_t) (shifted >> 32) ^ negative) - negative;
      carry = (uint64_t) (shifted >> 64);
    }
  to[0] += ((int64_t) carry ^ negative) - negative;
}

void
gt_moments_join (gsltune_moments *m, const struct gt_power_sum *next)
{
  const size_t words = ROOM (m);
  const int unit = gt_moments_unit (m);
  void *heap;
  uint64_t *const rooms = GT_ROOM (heap, 4 * words * sizeof *rooms);
  const struct gt_whole last = gt_power_sum_whole (rooms, &m->sum[GT_MOMENT_LAST], unit);
  const struct gt_whole first = gt_power_sum_whole (rooms + words, next, unit);
  const struct gt_whole product = gt_whole_product (rooms + 2 * words, &last, &first);

  gt_power_sum_add (&m->sum[GT_MOMENT_PRODUCTS], &product, 2 * unit, 1);
  free (heap);
}

void
gt_moments_carry (gsltune_moments *m)
{
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (m->sum[i].word)
      gt_super_carry (m->sum[i].word, m->sum[i].n);
  m->count = 1;
}

int
gt_moments_alike (const gsltune_moments *m, const gsltune_moments *other)
{
  return m->kind == other->kind && m->power == other->power && m->wide == other->wide;
}

/* Whether both are of distances from the same centre, or neither is.  */
static int
have_one_centre (const gsltune_moments *m, const gsltune_moments *other)
{
  struct gt_whole d, e;

  if (m->power)
    return 1;
  if (m->is_given || other->is_given)
    return m->is_given == other->is_given && m->mean == other->mean;
  d = gt_whole_difference (m->rooms[0], &m->scale, &other->scale);
  e = gt_whole_difference (m->rooms[1], &m->centre, &other->centre);
  return d.n == 0 && e.n == 0;
}

/* Adds up the words of sum WHICH; of the ends of what is joined the outer ones stay.  */
static void
merge_sum (gsltune_moments *m, const gsltune_moments *other, enum gt_moment which)
{
  struct gt_power_sum *const sum = &m->sum[which];
  const int64_t *word = other->sum[which].word;
  const int replaced = which == GT_MOMENT_LAST || (which == GT_MOMENT_FIRST && m->n == 0);

  if (sum->word && replaced)
    memmove (sum->word, word, (size_t) sum->n * sizeof *word);
  else if (sum->word && which != GT_MOMENT_FIRST)
    for (int i = 0; i < sum->n; i++)
      sum->word[i] += word[i];
}

int
gsltune_moments_merge (gsltune_moments *m, const gsltune_moments *other)
{
  if (!gt_moments_alike (m, other) || !have_one_centre (m, other))
    GSL_ERROR ("the moments are not of one kind, or about two centres", GSL_EINVAL);
  if (m->count + (uint64_t) other->count >= GT_SUPER_LIMIT)
    gt_moments_carry (m);
  m->count += 1 + other->count;
  for (unsigned i = 0; i < GT_N_MOMENTS && other->n; i++)
    {
      if (i == GT_MOMENT_FIRST && m->sum[i].word && m->n)
        gt_moments_join (m, &other->sum[i]);
      merge_sum (m, other, (enum gt_moment) i);
    }
  m->n += other->n;
  m->flags[0] |= other->flags[0];
  m->flags[1] |= other->flags[1];
  return GSL_SUCCESS;
}
