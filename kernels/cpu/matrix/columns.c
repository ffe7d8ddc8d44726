/* Sums of products of lanes that lie side by side, term by term (kernels/cpu/matrix/tiles.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/matrix/tile_sums.h"

/* A vector of lanes has a chain of additions, or two of pairs: by the numbers as they lie, and
   swapped.  */

INLINE vector
column_terms (const double *a, size_t width, const unsigned chain, const int whole,
              const int pairs)
{
  const double *from = a + (pairs ? chain / 2 : chain) * LANES;
  const vector terms = whole ? load_doubles (from) : load_some (from, width);

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

/* What a sum of CHAINS takes: norms, sums, or both.  */
enum { NORMS = 1, SUMS = 2 };

INLINE void
add_columns (const struct gt_tile_columns *c, size_t at, const unsigned chains,
             const int whole, const int pairs, const int what)
{
  const unsigned each = pairs ? 2 : 1;
  const double *a = c->a + at, *x = c->x;
  const size_t width = c->lanes - at, most = GT_TILE_TERMS / each;
  vector s[4], l[4], squares[4], anchor[4];

  UNROLL
  for (unsigned k = 0; k < chains; k++)
    {
      if (what & SUMS)
        anchor[k] = load_doubles (c->scale + at + k / each * LANES) * c->x_anchor;
      s[k] = anchor[k];
      l[k] = squares[k] = (vector) {0};
    }
  for (size_t left = c->terms / each, n; left > 0; left -= n)
    {
      n = left < most ? left : most;
      for (size_t i = 0; i < n; i++, a += c->step, x += pairs ? 4 : 1)
        {
          UNROLL
          for (unsigned k = 0; k < chains; k++)
            {
              const vector terms = column_terms (a, width, k, whole, pairs);

              if (what & SUMS)
                add_product (&s[k], &l[k], column_factor (x, k, pairs), terms, 0);
              if ((what & NORMS) && k % each == 0)
                squares[k] = square_and (terms, squares[k]);
            }
        }
      UNROLL
      for (unsigned k = 0; k < chains; k++)
        if (what & SUMS)
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
          settle (&s[k], &l[k]);
        }
      store_doubles (c->s + to, s[k]);
      store_doubles (c->l + to, l[k]);
    }
}

INLINE void
columns_of (const struct gt_tile_columns *c, size_t at, const unsigned chains,
            const int whole, const int pairs)
{
  const unsigned vectors = pairs ? chains / 2 : chains;

  if (c->x_anchor != 0 && c->guess > 0)
    {
      for (unsigned k = 0; k < vectors * LANES; k += LANES)
        store_doubles (c->scale + at + k, all_of (c->guess));
      add_columns (c, at, chains, whole, pairs, NORMS | SUMS);
      if (is_guessed (c->squares + at, vectors, c->lanes - at, c->guess))
        return;
    }
  else
    add_columns (c, at, chains, whole, pairs, NORMS);
  for (unsigned k = 0; k < vectors * LANES; k += LANES)
    store_doubles (c->scale + at + k, scales_of (load_doubles (c->squares + at + k)));
  if (c->x_anchor != 0)
    add_columns (c, at, chains, whole, pairs, SUMS);
}

INLINE void
all_columns (const struct gt_tile_columns *c, const int pairs)
{
  const size_t widest = (pairs ? 2 : 4) * LANES;
  size_t at = 0;

  for (; c->lanes - at >= widest; at += widest)
    columns_of (c, at, 4, 1, pairs);
  for (; c->lanes - at >= LANES; at += LANES)
    columns_of (c, at, pairs ? 2 : 1, 1, pairs);
  if (at < c->lanes)
    columns_of (c, at, pairs ? 2 : 1, 0, pairs);
}

void
GT_FOR_ISA (gt_tile_columns) (const struct gt_tile_columns *c)
{
  if (c->pairs)
    all_columns (c, 1);
  else
    all_columns (c, 0);
}

INLINE void
add_deep_columns (const struct gt_tile_columns *c, size_t at, const unsigned chains,
                  const int whole, const int pairs)
{
  const unsigned each = pairs ? 2 : 1;
  const double *a = c->a + at, *x = c->x;
  const size_t width = c->lanes - at, most = GT_TILE_TERMS / each;
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
      for (size_t i = 0; i < n; i++, a += c->step, x += pairs ? 4 : 1)
        {
          UNROLL
          for (unsigned k = 0; k < chains; k++)
            {
              add_rest (&m[k], &l[k], cut[k], error[k]);
              add_high (&s[k], NULL, column_factor (x, k, pairs),
                        column_terms (a, width, k, whole, pairs), &cut[k], &error[k], 0);
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
all_deep_columns (const struct gt_tile_columns *c, const int pairs)
{
  const size_t widest = (pairs ? 1 : 2) * LANES;
  size_t at = 0;

  for (; c->lanes - at >= widest; at += widest)
    add_deep_columns (c, at, 2, 1, pairs);
  for (; !pairs && c->lanes - at >= LANES; at += LANES)
    add_deep_columns (c, at, 1, 1, 0);
  if (at < c->lanes)
    add_deep_columns (c, at, pairs ? 2 : 1, 0, pairs);
}

void
GT_FOR_ISA (gt_tile_deep_columns) (const struct gt_tile_columns *c)
{
  if (c->pairs)
    all_deep_columns (c, 1);
  else
    all_deep_columns (c, 0);
}
