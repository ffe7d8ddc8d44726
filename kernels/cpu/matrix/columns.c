/* Sums of products of lanes that lie side by side, term by term (kernels/cpu/matrix/tiles.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/cpu/matrix/tile_sums.h"

/* A vector of lanes has a chain of additions, or two of pairs: by the numbers as they lie, and
   swapped.  */

INLINE vector
column_terms (const void *a, size_t at, size_t width, const unsigned chain, const int whole,
              const int pairs, const int single)
{
  const size_t from = at + (pairs ? chain / 2 : chain) * LANES;
  const vector terms
    = whole ? load_terms (a, from, single) : load_some (a, from, width, single);

  return pairs && chain % 2 ? swapped_pairs (terms) : terms;
}

#define PAIR_2(x) (x)[0], (x)[1]
#define PAIR_4(x) PAIR_2 (x), PAIR_2 (x)
#define PAIR_8(x) PAIR_4 (x), PAIR_4 (x)

INLINE vector
column_factor (const double *x, const unsigned chain, const int pairs)
{
  return pairs ? (vector) {GT_PASTE (PAIR, LANES) (x + chain % 2 * 2)} : all_of (x[0]);
}

/* Flags of what CHAINS add up: norms, sums, or both.  */
enum { NORMS = 1, SUMS = 2 };

INLINE void
add_columns (const struct gt_tile_lines *c, size_t at, const unsigned chains,
             const int whole, const int pairs, const int what, const int plain,
             const int single)
{
  const unsigned each = pairs ? 2 : 1;
  const double *x = c->x;
  const size_t width = c->lines - at, most = GT_TILE_TERMS / each;
  size_t from = at;
  vector s[4], l[4], squares[4], anchor[4];

  UNROLL
  for (unsigned k = 0; k < chains; k++)
    {
      if (what & SUMS)
        anchor[k] = plain ? (vector) {0}
                          : load_doubles (c->scale + at + k / each * LANES) * c->x_anchor;
      s[k] = anchor[k];
      l[k] = squares[k] = (vector) {0};
      if (!pairs && c->more)
        {
          s[k] = load_doubles (c->s + at + k * LANES);
          l[k] = load_doubles (c->l + at + k * LANES);
          squares[k] = load_doubles (c->squares + at + k * LANES);
        }
    }
  for (size_t left = c->terms / each, n; left > 0; left -= n)
    {
      n = left < most ? left : most;
      for (size_t i = 0; i < n; i++, from += c->step, x += pairs ? 4 : 1)
        {
          UNROLL
          for (unsigned k = 0; k < chains; k++)
            {
              const vector terms
                = column_terms (c->a, from, width, k, whole, pairs, single);

              if (what & SUMS)
                add_product (&s[k], &l[k], column_factor (x, k, pairs), terms, plain);
              if ((what & NORMS) && k % each == 0)
                squares[k] = square_and (terms, squares[k]);
            }
        }
      UNROLL
      for (unsigned k = 0; k < chains; k++)
        if ((what & SUMS) && !plain)
          settle (&s[k], &l[k]);
    }
  UNROLL
  for (unsigned k = 0; k < chains; k += each)
    {
      const size_t to = at + k / each * LANES;

      if (pairs)
        squares[k] += swapped_pairs (squares[k]);
      if (what & NORMS)
        store_doubles (c->squares + to, squares[k]);
      if (!(what & SUMS))
        continue;
      if (pairs)
        {
          s[k] += s[k + 1] - anchor[k];
          l[k] += l[k + 1];
          if (!plain)
            settle (&s[k], &l[k]);
        }
      store_doubles (c->s + to, s[k]);
      store_doubles (c->l + to, l[k]);
    }
}

INLINE void
columns_of (struct gt_tile_lines *c, size_t at, const unsigned chains, const int whole,
            const int pairs, const int plain, const int single)
{
  const unsigned vectors = pairs ? chains / 2 : chains;
  const int guesses = !plain && c->x_anchor != 0 && c->guess > 0;

  if (guesses)
    for (unsigned k = 0; k < vectors * LANES; k += LANES)
      store_doubles (c->scale + at + k, all_of (c->guess));
  if (plain || guesses)
    add_columns (c, at, chains, whole, pairs, NORMS | SUMS, plain, single);
  else
    add_columns (c, at, chains, whole, pairs, NORMS, 0, single);
  if (c->more || (guesses && is_guessed (c->squares + at, vectors, c->lines - at, c->guess)))
    return;
  for (unsigned k = 0; k < vectors * LANES; k += LANES)
    store_doubles (c->scale + at + k, scales_of (load_doubles (c->squares + at + k)));
  c->guess = guess_of (c->scale + at, vectors * LANES);
  if (!plain && c->x_anchor != 0)
    add_columns (c, at, chains, whole, pairs, SUMS, 0, single);
}

/* Up to three VECTORS from AT on, of pairs one: while one chain waits the others go on.  */
INLINE void
few_columns (struct gt_tile_lines *c, size_t at, size_t vectors, const int pairs,
             const int plain, const int single)
{
  if (pairs)
    columns_of (c, at, 2, 1, 1, plain, single);
  else if (vectors == 3)
    columns_of (c, at, 3, 1, 0, plain, single);
  else if (vectors == 2)
    columns_of (c, at, 2, 1, 0, plain, single);
  else
    columns_of (c, at, 1, 1, 0, plain, single);
}

/* The same, which end with the last lane at most: lanes before AT that are among them keep what
   they have, where more is to come; behind the last one there are more of it.  */
INLINE void
last_columns (struct gt_tile_lines *c, size_t at, size_t vectors, const int pairs,
             const int plain, const int single)
{
  double *const of[] = {c->s, c->l, c->squares, c->scale};
  const size_t lanes = vectors * LANES, end = at + lanes;
  const size_t from = end > c->lines ? c->lines - lanes : at;
  double before[3][LANES];

  for (unsigned k = 0; c->more && k < 3; k++)
    memcpy (before[k], of[k] + from, (at - from) * sizeof **before);
  few_columns (c, from, vectors, pairs, plain, single);
  for (unsigned k = 0; c->more && k < 3; k++)
    memcpy (of[k] + from, before[k], (at - from) * sizeof **before);
  for (unsigned k = 0; k < sizeof of / sizeof *of; k++)
    for (size_t i = c->lines; i < end; i++)
      of[k][i] = of[k][c->lines - 1];
}

INLINE void
all_columns (struct gt_tile_lines *c, const int pairs, const int plain, const int single)
{
  const size_t most = pairs ? 1 : 3, widest = (most + 1) * LANES;
  size_t at = 0, vectors;

  for (; c->lines - at >= widest; at += widest)
    columns_of (c, at, 4, 1, pairs, plain, single);
  if (c->lines < LANES)
    columns_of (c, 0, pairs ? 2 : 1, 0, pairs, plain, single);
  else
    for (; at < c->lines; at += vectors * LANES)
      {
        vectors = (c->lines - at + LANES - 1) / LANES;
        vectors -= vectors > most || c->lines < vectors * LANES;
        last_columns (c, at, vectors, pairs, plain, single);
      }
  end_floats (single);
}

/* Of many doubles some terms are added to all sums before the next, so that what lies in one
   page is read at once: about a guess, or not at all.  Returns whether that was right.  */
#define SOME_TERMS 64

__attribute__ ((noinline)) static int
are_added_by_some (const struct gt_tile_lines *c)
{
  struct gt_tile_lines some = *c;

  if (c->pairs || c->single || c->more || c->guess == 0 || c->x_anchor == 0
      || c->terms <= SOME_TERMS || c->lines <= 4 * LANES)
    return 0;
  some.more = 1;
  for (size_t at = 0; at < c->lines; at += LANES)
    {
      store_doubles (c->s + at, all_of (c->guess) * c->x_anchor);
      store_doubles (c->l + at, (vector) {0});
      store_doubles (c->squares + at, (vector) {0});
    }
  for (size_t first = 0; first < c->terms; first += some.terms)
    {
      some.terms = c->terms - first < SOME_TERMS ? c->terms - first : SOME_TERMS;
      some.x = c->x + first;
      some.a = (const double *) c->a + first * c->step;
      all_columns (&some, 0, 0, 0);
    }
  return is_guessed (c->squares, (unsigned) ((c->lines + LANES - 1) / LANES), c->lines,
                     c->guess);
}

#define COLUMNS(name, pairs, plain, single)       \
  __attribute__ ((noinline)) static void name (struct gt_tile_lines *c) \
  { all_columns (c, pairs, plain, single); }
COLUMNS (exact_columns, 0, 0, 0)
COLUMNS (exact_float_columns, 0, 0, 1)
COLUMNS (plain_float_columns, 0, 1, 1)
COLUMNS (exact_pairs, 1, 0, 0)
COLUMNS (exact_float_pairs, 1, 0, 1)
COLUMNS (plain_float_pairs, 1, 1, 1)

void
GT_FOR_ISA (gt_tile_columns) (struct gt_tile_lines *c)
{
  static void (*const of[2][3]) (struct gt_tile_lines *c)
    = {{exact_columns, exact_float_columns, plain_float_columns},
       {exact_pairs, exact_float_pairs, plain_float_pairs}};

  if (!are_added_by_some (c))
    of[c->pairs][c->single + c->plain](c);
}

INLINE void
add_deep_columns (const struct gt_tile_lines *c, size_t at, const unsigned chains,
                  const int whole, const int pairs)
{
  const unsigned each = pairs ? 2 : 1;
  const double *x = c->x;
  const size_t width = c->lines - at, most = GT_TILE_TERMS / each;
  size_t from = at;
  vector s[2], m[2], l[2], cut[2], error[2], anchor[2], deeper[2];

  UNROLL
  for (unsigned k = 0; k < chains; k++)
    {
      anchor[k] = s[k] = load_doubles (c->scale + at + k / each * LANES) * c->x_anchor;
      deeper[k] = m[k] = anchor[k] * GT_TILE_DEEPER;
      l[k] = cut[k] = error[k] = (vector) {0};
    }
  for (size_t left = c->terms / each, n; left > 0; left -= n)
    {
      n = left < most ? left : most;
      for (size_t i = 0; i < n; i++, from += c->step, x += pairs ? 4 : 1)
        {
          UNROLL
          for (unsigned k = 0; k < chains; k++)
            {
              add_rest (&m[k], &l[k], cut[k], error[k]);
              add_high (&s[k], NULL, column_factor (x, k, pairs),
                        column_terms (c->a, from, width, k, whole, pairs, 0), &cut[k],
                        &error[k], 0);
            }
        }
      UNROLL
      for (unsigned k = 0; k < chains; k++)
        {
          add_rest (&m[k], &l[k], cut[k], error[k]);
          cut[k] = error[k] = (vector) {0};
          settle_deep (&s[k], &m[k], &l[k], deeper[k]);
          m[k] += left > n ? deeper[k] : (vector) {0};
        }
    }
  UNROLL
  for (unsigned k = 0; k < chains; k += each)
    {
      const size_t to = at + k / each * LANES;

      if (pairs)
        {
          s[k] += s[k + 1] - anchor[k];
          m[k] += m[k + 1] + deeper[k];
          l[k] += l[k + 1];
          settle_deep (&s[k], &m[k], &l[k], deeper[k]);
        }
      store_doubles (c->s + to, s[k]);
      store_doubles (c->m + to, m[k]);
      store_doubles (c->l + to, l[k]);
    }
}

INLINE void
all_deep_columns (const struct gt_tile_lines *c, const int pairs)
{
  const size_t widest = (pairs ? 1 : 2) * LANES;
  size_t at = 0;

  for (; c->lines - at >= widest; at += widest)
    add_deep_columns (c, at, 2, 1, pairs);
  for (; !pairs && c->lines - at >= LANES; at += LANES)
    add_deep_columns (c, at, 1, 1, 0);
  if (at < c->lines)
    add_deep_columns (c, at, pairs ? 2 : 1, 0, pairs);
}

void
GT_FOR_ISA (gt_tile_deep_columns) (struct gt_tile_lines *c)
{
  if (c->pairs)
    all_deep_columns (c, 1);
  else
    all_deep_columns (c, 0);
}
