/* Tiles of matrix products (kernels/cpu/matrix/tiles.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdint.h>

#include "kernels/cpu/matrix/tile_vectors.h"

/* ------------------------------------------------------------------ Addends */

/* Loads the last N terms as load_some does; the terms before them must be readable.  */
INLINE vector
load_last (const double *x, size_t i, size_t n)
{
  const words there = (words) ((words) GT_PASTE (NUMBERS, LANES) >= LANES - n);

  if (i < LANES)
    return load_some (x + i, n);
  return (vector) ((words) load_doubles (x + i + n - LANES) & there);
}

/* Adds A B.  With a fused operation only the sum and the last addition are
   rounded:  S + A B is cut off without another rounding on the way.  */
INLINE void
add_product (vector *s, vector *l, vector a, vector b, const int plain)
{
#ifdef FUSED_1
  const vector sum = FUSED (a, b, *s);

  if (!plain)
    *l += FUSED (a, b, *s - sum);
#else
  const vector product = a * b, sum = *s + product;

  if (!plain)
    *l += (product - (sum - *s)) + product_error (a, b, product);
#endif
  *s = sum;
}

/* Moves what L has of whole units to S.  */
INLINE void
settle (vector *s, vector *l)
{
  const vector sum = *s + *l;

  *l -= sum - *s;
  *s = sum;
}

/* --------------------------------------------------------------- Deep sums */

/* Computes X - Y by the units that multiply, because a deep sum keeps the units that add
   busier.  */
INLINE vector
less (vector x, vector y)
{
#ifdef FUSED_1
  return FUSED (y, (vector) {0} - 1, x);
#else
  return x - y;
#endif
}

/* Adds A B to S and stores the rounding error in CUT, for the next step: processors do not
   look ahead far enough to begin a term while the preceding one is being added to L.  The sums
   are not in a structure, because gcc would move that through memory.  */
INLINE void
add_high (vector *s, vector a, vector b, vector *cut, vector *error)
{
  const vector product = a * b, sum = *s + product;

  *error = product_error (a, b, product);
  *cut = product - less (sum, *s);
  *s = sum;
}

INLINE void
add_rest (vector *m, vector *l, vector cut, vector error)
{
  const vector sum = *m + (cut + error);

  *l += less (cut, less (sum, *m)) + error;
  *m = sum;
}

/* Takes the anchor off M, after whole units of M have moved to S, and those of L to
   M.  */
INLINE void
settle_deep (vector *s, vector *m, vector *l, vector anchor)
{
  vector middle = *m - anchor, sum = *s + middle;

  middle -= sum - *s;
  *s = sum;
  middle += anchor;
  sum = middle + *l;
  *l -= sum - middle;
  *m = sum - anchor;
}

/* ------------------------------------------------------------------- Norms */

INLINE vector
square_and (vector x, vector sum)
{
#ifdef FUSED_1
  return FUSED (x, x, sum);
#else
  return x * x + sum;
#endif
}

/* As gt_scale_of.  */
INLINE vector
scales_of (vector squares)
{
  const words fine
    = (words) (squares >= GT_LEAST_SQUARES) & (words) (squares <= GT_MOST_SQUARES);
  const words bits = (words) (squares * GT_SQUARES_MARGIN);

  return where (fine, (vector) (((bits >> 52) + 1025) / 2 << 52), all_of ((double) NAN));
}

/* ------------------------------------------------------------------- Adding */

#define PLAIN GT_TILE_PLAIN
#define EXACT GT_TILE_EXACT
#define DEEP GT_TILE_DEEP

INLINE void
add_term (vector *s, vector *m, vector *l, vector *cut, vector *error, vector x, vector y,
          const enum gt_tile_sums kind)
{
  if (kind == DEEP)
    {
      add_rest (m, l, *cut, *error);
      add_high (s, x, y, cut, error);
    }
  else
    add_product (s, l, x, y, kind == PLAIN);
}

/* Accumulators are in arrays, over which there is one loop, so that they stay in
   registers.  */
INLINE void
add_tile (const struct gt_tile *tile, const unsigned rows, const unsigned vectors,
          const enum gt_tile_sums kind)
{
  const double *const a[2] = {tile->a[0], tile->a[rows - 1]};
  const double *b = tile->b;
  const size_t n = tile->n, step = tile->step;
  vector s[8], m[8], l[8], cut[8], error[8], anchor[8];

  UNROLL
  for (unsigned k = 0; k < rows * vectors; k++)
    {
      const size_t at = k / vectors * tile->row + k % vectors * LANES;

      s[k] = load_doubles (tile->s + at);
      if (kind != PLAIN)
        l[k] = load_doubles (tile->l + at);
      if (kind != DEEP)
        continue;
      anchor[k] = load_doubles (tile->scale + at) * (tile->anchor * GT_TILE_DEEPER);
      m[k] = load_doubles (tile->m + at) + anchor[k];
      cut[k] = error[k] = (vector) {0};
    }
  for (size_t i = 0; i < n; i++, b += step)
    {
      UNROLL
      for (unsigned k = 0; k < rows * vectors; k++)
        {
          const vector x = all_of (a[k / vectors][i]);
          const vector y = load_doubles (b + k % vectors * LANES);

          add_term (&s[k], &m[k], &l[k], &cut[k], &error[k], x, y, kind);
        }
    }
  UNROLL
  for (unsigned k = 0; k < rows * vectors; k++)
    {
      const size_t at = k / vectors * tile->row + k % vectors * LANES;

      if (kind == DEEP)
        {
          add_rest (&m[k], &l[k], cut[k], error[k]);
          settle_deep (&s[k], &m[k], &l[k], anchor[k]);
          store_doubles (tile->m + at, m[k]);
        }
      if (kind == EXACT)
        settle (&s[k], &l[k]);
      if (kind != PLAIN)
        store_doubles (tile->l + at, l[k]);
      store_doubles (tile->s + at, s[k]);
    }
}

#define TILE(kind, rows, vectors)                                    \
  static void kind##_##rows##_##vectors (const struct gt_tile *tile) \
  { add_tile (tile, rows, vectors, GT_TILE_##kind); }
TILE (EXACT, 1, 1)
TILE (EXACT, 1, 2)
TILE (EXACT, 1, 4)
TILE (EXACT, 2, 1)
TILE (EXACT, 2, 2)
TILE (PLAIN, 1, 1)
TILE (PLAIN, 1, 2)
TILE (PLAIN, 1, 4)
TILE (PLAIN, 2, 1)
TILE (PLAIN, 2, 2)
TILE (PLAIN, 2, 4)
TILE (DEEP, 1, 1)
TILE (DEEP, 1, 2)
/* Where there are registers for that.  */
#if LANES >= 8
TILE (EXACT, 2, 4)
TILE (DEEP, 1, 4)
#define WIDEST 4
#else
#define EXACT_2_4 NULL
#define DEEP_1_4 NULL
#define WIDEST 2
#endif

/* ------------------------------------------------------------------ One row

   The lanes of the registers are terms, in several chains.  Each chain begins at the anchors,
   and its differences from them are multiples of their units, whose sum is exact.  */

INLINE void
add_dot (const struct gt_tile *tile, const enum gt_tile_sums kind)
{
  const unsigned chains = kind == DEEP ? 2 : 4;
  const vector begin = all_of (kind == PLAIN ? 0 : tile->anchor * tile->scale[0]);
  const vector deeper = begin * GT_TILE_DEEPER, none = {0};
  const double *const a = tile->a[0], *const b = tile->b;
  const size_t n = tile->n;
  vector s[4], m[4], l[4], cut[4], error[4];
  size_t i = 0;

  UNROLL
  for (unsigned k = 0; k < chains; k++)
    {
      s[k] = begin;
      m[k] = deeper;
      l[k] = cut[k] = error[k] = none;
    }
  for (; n - i >= chains * LANES; i += chains * LANES)
    {
      UNROLL
      for (unsigned k = 0; k < chains; k++)
        add_term (&s[k], &m[k], &l[k], &cut[k], &error[k], load_doubles (a + i + k * LANES),
                  load_doubles (b + i + k * LANES), kind);
    }
  for (; n - i >= LANES; i += LANES)
    add_term (&s[0], &m[0], &l[0], &cut[0], &error[0], load_doubles (a + i),
              load_doubles (b + i), kind);
  if (i < n)
    add_term (&s[1], &m[1], &l[1], &cut[1], &error[1], load_last (a, i, n - i),
              load_last (b, i, n - i), kind);
  UNROLL
  for (unsigned k = 0; k < chains; k++)
    {
      if (kind == DEEP)
        add_rest (&m[k], &l[k], cut[k], error[k]);
      s[k] -= begin;
      m[k] -= deeper;
    }
  UNROLL
  for (unsigned k = 1; k < chains; k++)
    {
      s[0] += s[k];
      m[0] += m[k];
      l[0] += l[k];
    }
  s[0] = all_of (tile->s[0] + FOLD (LANES, vector, +, s[0]));
  l[0] = all_of (tile->l[0] + FOLD (LANES, vector, +, l[0]));
  if (kind == EXACT)
    settle (&s[0], &l[0]);
  if (kind == DEEP)
    {
      m[0] = all_of (tile->m[0] + FOLD (LANES, vector, +, m[0])) + deeper;
      settle_deep (&s[0], &m[0], &l[0], deeper);
      tile->m[0] = m[0][0];
    }
  tile->s[0] = s[0][0];
  tile->l[0] = l[0][0];
}

#define DOT(kind)                                   \
  static void kind##_dot (const struct gt_tile *tile) \
  { add_dot (tile, GT_TILE_##kind); }
DOT (PLAIN)
DOT (EXACT)
DOT (DEEP)

/* ---------------------------------------------------------------- Measuring */

static double
squares (const double *x, size_t n, double so_far)
{
  const size_t all = n;
  vector sum[2] = {{so_far}};

  for (; n >= 2 * LANES; n -= 2 * LANES, x += 2 * LANES)
    {
      sum[0] = square_and (load_doubles (x), sum[0]);
      sum[1] = square_and (load_doubles (x + LANES), sum[1]);
    }
  for (; n >= LANES; n -= LANES, x += LANES)
    sum[0] = square_and (load_doubles (x), sum[0]);
  if (n > 0)
    sum[1] = square_and (load_last (x - (all - n), all - n, n), sum[1]);
  sum[0] += sum[1];
  return FOLD (LANES, vector, +, sum[0]);
}

/* Returns the lowest bit of X, the difference of X and X without that bit, or SO_FAR if that
   is less.  For a power of two clearing the bit changes the exponent instead, and the
   difference is more than half of X.  */
INLINE vector
least_bit (vector x, vector so_far)
{
  const vector bit = magnitudes (x - (vector) ((words) x & ((words) x - 1)));
  const words less = (words) (bit < so_far) & (words) (bit != 0);

  return where (less, bit, so_far);
}

INLINE vector
power_of_two (vector x)
{
  return (vector) ((words) x & ((words) {0} + 0x7ff0000000000000));
}

static double
grain (const double *x, size_t n, double so_far)
{
  vector all = all_of (so_far);

  for (; n >= LANES; n -= LANES, x += LANES)
    all = least_bit (load_doubles (x), all);
  if (n > 0)
    all = least_bit (load_repeated (x, n), all);
  all = power_of_two (all);
  for (unsigned k = 0; k < LANES; k++)
    so_far = all[k] < so_far ? all[k] : so_far;
  return so_far;
}

INLINE void
add_lane_squares (const double *b, size_t step, size_t n, const unsigned vectors,
                  double *so_far)
{
  vector sum[4];

  UNROLL
  for (unsigned v = 0; v < vectors; v++)
    sum[v] = load_doubles (so_far + v * LANES);
  for (size_t i = 0; i < n; i++, b += step)
    {
      UNROLL
      for (unsigned v = 0; v < vectors; v++)
        sum[v] = square_and (load_doubles (b + v * LANES), sum[v]);
    }
  UNROLL
  for (unsigned v = 0; v < vectors; v++)
    store_doubles (so_far + v * LANES, sum[v]);
}

static void
lane_squares (const double *b, size_t step, size_t n, unsigned vectors, double *so_far)
{
  unsigned v = 0;

  for (; vectors - v >= 4; v += 4)
    add_lane_squares (b + v * LANES, step, n, 4, so_far + v * LANES);
  for (; v < vectors; v++)
    add_lane_squares (b + v * LANES, step, n, 1, so_far + v * LANES);
}

static void
keep (const double *x, size_t n, double *so_far, double *scale)
{
  const vector least = all_of (0x1p-900), none = {0};

  for (size_t j = 0; j < n; j += LANES)
    {
      const vector numbers = load_doubles (x + j);
      const vector sum = square_and (numbers, load_doubles (so_far + j));
      const words vanished = (words) (numbers != 0) & (words) (sum < least);
      const vector squares = where (vanished, least, sum);

      store_doubles (so_far + j, squares);
      store_doubles (scale + j, where ((words) (squares != 0), scales_of (squares), none));
    }
}

static void
lane_grains (const double *b, size_t step, size_t n, unsigned vectors, double *so_far)
{
  for (unsigned v = 0; v < vectors * LANES; v += LANES)
    {
      vector all = load_doubles (so_far + v);

      for (size_t i = 0; i < n; i++)
        all = least_bit (load_doubles (b + i * step + v), all);
      store_doubles (so_far + v, power_of_two (all));
    }
}

static void
begin_row (double *s, double *l, const double *scale, double anchor, unsigned vectors)
{
  for (unsigned v = 0; v < vectors * LANES; v += LANES)
    {
      store_doubles (s + v, load_doubles (scale + v) * anchor);
      store_doubles (l + v, (vector) {0});
    }
}

/* ------------------------------------------------------------------- Layout */

static void
widen (const float *x, size_t n, double *to)
{
  size_t i = 0;

  for (; n - i >= LANES; i += LANES)
    store_doubles (to + i, (vector) {GT_PASTE (EVERY, LANES) (x + i, 1)});
  for (; i < n; i++)
    to[i] = x[i];
}

static void
narrow (const double *x, size_t n, float *to)
{
  size_t i = 0;

  for (; n - i >= LANES; i += LANES)
    *(GT_PASTE (elements_f32, LANES) *) (to + i) = floats_of (load_doubles (x + i));
  for (; i < n; i++)
    to[i] = (float) x[i];
#ifdef __AVX__
  /* GCC 12 takes a conversion from memory for one that keeps the upper halves: the code that
     follows, without AVX, would take ten times as long.  */
  __builtin_ia32_vzeroupper ();
#endif
}

static void
lay_pairs (const double *x, size_t n, double re, double im, int swapped,
                                double *to)
{
  const words odd = (words) GT_PASTE (NUMBERS, LANES) & 1;
  const vector signs = where ((words) (odd == 0), all_of (re), all_of (im));
  size_t i = 0;

  for (; n - i >= LANES; i += LANES)
    {
      const vector pairs = load_doubles (x + i) * signs;

      store_doubles (to + i, swapped ? swapped_pairs (pairs) : pairs);
    }
  for (; i < n; i += 2)
    {
      const double first = re * x[i], second = im * x[i + 1];

      to[i] = swapped ? second : first;
      to[i + 1] = swapped ? first : second;
    }
}

extern const struct gt_tiles GT_FOR_ISA (gt_tiles);
const struct gt_tiles GT_FOR_ISA (gt_tiles) = {
  .lanes = LANES,
  .widest = WIDEST,
  .tile = {{{PLAIN_1_1, PLAIN_1_2, PLAIN_1_4}, {PLAIN_2_1, PLAIN_2_2, PLAIN_2_4}},
           {{EXACT_1_1, EXACT_1_2, EXACT_1_4}, {EXACT_2_1, EXACT_2_2, EXACT_2_4}},
           {{DEEP_1_1, DEEP_1_2, DEEP_1_4}}},
  .dot = {PLAIN_dot, EXACT_dot, DEEP_dot},
  .squares = squares,
  .lane_squares = lane_squares,
  .keep = keep,
  .grain = grain,
  .lane_grains = lane_grains,
  .begin = begin_row,
  .finish = GT_FOR_ISA (gt_tile_finish),
  .finish_precisely = GT_FOR_ISA (gt_tile_finish_precisely),
  .multiply_shortly = GT_FOR_ISA (gt_tile_multiply_shortly),
  .widen = widen,
  .narrow = narrow,
  .lay_pairs = lay_pairs
};
