/* Tiles of matrix products (kernels/cpu/matrix/tiles.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/matrix/tile_sums.h"

/* The lanes of each of X together: of neighbours first, then of pairs of these.  */
#define PAIRS_2(a, b) SHUFFLE (a, b, 0, 2) + SHUFFLE (a, b, 1, 3)
#define PAIRS_4(a, b) SHUFFLE (a, b, 0, 4, 2, 6) + SHUFFLE (a, b, 1, 5, 3, 7)
#define PAIRS_8(a, b)                              \
  SHUFFLE (a, b, 0, 8, 2, 10, 4, 12, 6, 14) + SHUFFLE (a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define FOURS_4(a, b) SHUFFLE (a, b, 0, 1, 4, 5) + SHUFFLE (a, b, 2, 3, 6, 7)
#define FOURS_8(a, b)                              \
  SHUFFLE (a, b, 0, 1, 8, 9, 4, 5, 12, 13) + SHUFFLE (a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define EIGHTS_8(a, b)                             \
  SHUFFLE (a, b, 0, 1, 2, 3, 8, 9, 10, 11) + SHUFFLE (a, b, 4, 5, 6, 7, 12, 13, 14, 15)

INLINE vector
folded (const vector x[LANES])
{
  vector some[LANES];

  UNROLL
  for (unsigned k = 0; k < LANES; k += 2)
    some[k] = GT_PASTE (PAIRS, LANES) (x[k], x[k + 1]);
#if LANES >= 4
  UNROLL
  for (unsigned k = 0; k < LANES; k += 4)
    some[k] = GT_PASTE (FOURS, LANES) (some[k], some[k + 2]);
#endif
#if LANES >= 8
  some[0] = EIGHTS_8 (some[0], some[4]);
#endif
  return some[0];
}

/* ------------------------------------------------------------------- Adding */

/* Accumulators are in one array, over which there is one loop, so that they stay in
   registers.  */
INLINE void
add_tile (const struct gt_tile *tile, const unsigned rows, const unsigned vectors,
          const int plain, const int sparse)
{
  const double *const a[2] = {tile->a[0], tile->a[rows - 1]};
  const double *b = tile->b;
  const uint16_t *const places = tile->at;
  const size_t n = tile->n, step = tile->step;
  vector s[8], l[8];

  UNROLL
  for (unsigned k = 0; k < rows * vectors; k++)
    {
      const size_t at = k / vectors * tile->row + k % vectors * LANES;

      s[k] = load_doubles (tile->s + at);
      if (!plain)
        l[k] = load_doubles (tile->l + at);
    }
  for (size_t i = 0; i < n; i++, b += sparse ? 0 : step)
    {
      const double *const from = sparse ? b + places[i] * step : b;

      UNROLL
      for (unsigned k = 0; k < rows * vectors; k++)
        add_product (&s[k], &l[k], all_of (a[k / vectors][i]),
                     load_doubles (from + k % vectors * LANES), plain);
    }
  UNROLL
  for (unsigned k = 0; k < rows * vectors; k++)
    {
      const size_t at = k / vectors * tile->row + k % vectors * LANES;

      if (!plain)
        {
          settle (&s[k], &l[k]);
          store_doubles (tile->l + at, l[k]);
        }
      store_doubles (tile->s + at, s[k]);
    }
}

#define TILE(name, rows, vectors, plain, sparse)                     \
  static void name##_##rows##_##vectors (const struct gt_tile *tile) \
  { add_tile (tile, rows, vectors, plain, sparse); }
TILE (exact, 1, 1, 0, 0)
TILE (exact, 1, 2, 0, 0)
TILE (exact, 1, 4, 0, 0)
TILE (exact, 2, 1, 0, 0)
TILE (exact, 2, 2, 0, 0)
TILE (plain, 1, 1, 1, 0)
TILE (plain, 1, 2, 1, 0)
TILE (plain, 1, 4, 1, 0)
TILE (plain, 2, 1, 1, 0)
TILE (plain, 2, 2, 1, 0)
TILE (plain, 2, 4, 1, 0)
TILE (sparse, 1, 1, 0, 1)
TILE (sparse, 1, 2, 0, 1)
TILE (sparse, 1, 4, 0, 1)
TILE (sparse_plain, 1, 1, 1, 1)
TILE (sparse_plain, 1, 2, 1, 1)
TILE (sparse_plain, 1, 4, 1, 1)
/* Where there are registers for that.  */
#if LANES >= 8
TILE (exact, 2, 4, 0, 0)
#define WIDEST 4
#else
#define exact_2_4 NULL
#define WIDEST 2
#endif

/* --------------------------------------------------------------- Deep sums */

INLINE void
add_deep_tile (const struct gt_tile *tile, const unsigned vectors, const int sparse)
{
  const double *a = tile->a[0], *b = tile->b;
  const uint16_t *const places = tile->at;
  const size_t n = tile->n, step = tile->step;
  vector s[4], m[4], l[4], cut[4], error[4], anchor[4];
  words bits[4];

  UNROLL
  for (unsigned k = 0; k < vectors; k++)
    {
      anchor[k] = load_doubles (tile->scale + k * LANES) * (tile->anchor * GT_TILE_DEEPER);
      s[k] = load_doubles (tile->s + k * LANES);
      m[k] = load_doubles (tile->m + k * LANES) + anchor[k];
      l[k] = load_doubles (tile->l + k * LANES);
      cut[k] = error[k] = (vector) {0};
      if (sparse)
        bits[k] = (words) load_doubles (tile->bits + k * LANES);
    }
  for (size_t i = 0; i < n; i++, b += sparse ? 0 : step)
    {
      const double *const from = sparse ? b + places[i] * step : b;

      UNROLL
      for (unsigned k = 0; k < vectors; k++)
        {
          add_rest (&m[k], &l[k], cut[k], error[k]);
          add_high (&s[k], &bits[k], all_of (a[i]), load_doubles (from + k * LANES), &cut[k],
                    &error[k], sparse);
        }
    }
  UNROLL
  for (unsigned k = 0; k < vectors; k++)
    {
      add_rest (&m[k], &l[k], cut[k], error[k]);
      settle_deep (&s[k], &m[k], &l[k], anchor[k]);
      store_doubles (tile->s + k * LANES, s[k]);
      store_doubles (tile->m + k * LANES, m[k]);
      store_doubles (tile->l + k * LANES, l[k]);
      if (sparse)
        store_doubles (tile->bits + k * LANES, (vector) bits[k]);
    }
}

#define DEEP(name, vectors, sparse)                         \
  static void name##_##vectors (const struct gt_tile *tile) \
  { add_deep_tile (tile, vectors, sparse); }
DEEP (deep, 1, 0)
DEEP (deep, 2, 0)
DEEP (sparse_deep, 1, 1)
DEEP (sparse_deep, 2, 1)
#if LANES >= 8
DEEP (deep, 4, 0)
DEEP (sparse_deep, 4, 1)
#else
#define deep_4 NULL
#define sparse_deep_4 NULL
#endif

/* The lanes of the registers are terms, and two sums are made at a time.  Lanes' M are
   multiples of its unit, their sum is exact.  */
INLINE void
add_deep_dots (const double *a, const double *const *b, size_t n, const double *anchor,
               double *to_s, double *to_m, double *to_l, double *to_bits, const int zeros)
{
  const vector deeper = load_doubles (anchor) * GT_TILE_DEEPER;
  vector s[LANES], m[LANES], l[LANES], cut[LANES], error[LANES], all_s = load_doubles (to_s);
  vector all_m = load_doubles (to_m), all_l = load_doubles (to_l);
  words bits[LANES], all_bits = {0};

  UNROLL
  for (unsigned k = 0; k < LANES; k += 2)
    {
      const vector begin[2] = {all_of (anchor[k]), all_of (anchor[k + 1])};
      const vector middle[2] = {begin[0] * GT_TILE_DEEPER, begin[1] * GT_TILE_DEEPER};
      size_t i = 0;

      UNROLL
      for (unsigned t = 0; t < 2; t++)
        {
          s[k + t] = begin[t];
          m[k + t] = middle[t];
          l[k + t] = cut[k + t] = error[k + t] = (vector) {0};
          bits[k + t] = (words) {0};
        }
      for (; n - i >= LANES; i += LANES)
        {
          UNROLL
          for (unsigned t = k; t < k + 2; t++)
            {
              add_rest (&m[t], &l[t], cut[t], error[t]);
              add_high (&s[t], &bits[t], load_doubles (a + i), load_doubles (b[t] + i),
                        &cut[t], &error[t], zeros);
            }
        }
      if (i < n)
        {
          const vector x = load_last (a, i, n - i, 0);

          UNROLL
          for (unsigned t = k; t < k + 2; t++)
            {
              add_rest (&m[t], &l[t], cut[t], error[t]);
              add_high (&s[t], &bits[t], x, load_last (b[t], i, n - i, 0), &cut[t],
                        &error[t], zeros);
            }
        }
      UNROLL
      for (unsigned t = 0; t < 2; t++)
        {
          add_rest (&m[k + t], &l[k + t], cut[k + t], error[k + t]);
          s[k + t] -= begin[t];
          m[k + t] -= middle[t];
          if (zeros)
            all_bits[k + t] = FOLD (LANES, words, |, bits[k + t]);
        }
    }
  all_s += folded (s);
  all_m += folded (m) + deeper;
  all_l += folded (l);
  settle_deep (&all_s, &all_m, &all_l, deeper);
  store_doubles (to_s, all_s);
  store_doubles (to_m, all_m);
  store_doubles (to_l, all_l);
  if (zeros)
    store_doubles (to_bits, (vector) (all_bits | (words) load_doubles (to_bits)));
}

static void
deep_dots (const double *a, const double *const *b, size_t n, const double *anchor,
           double *s, double *m, double *l, double *bits)
{
  if (bits)
    add_deep_dots (a, b, n, anchor, s, m, l, bits, 1);
  else
    add_deep_dots (a, b, n, anchor, s, m, l, NULL, 0);
}

/* ------------------------------------------------------------- One element */

#define CHAINS 4

/* The lanes are terms.  Each chain begins at the anchor; what they are more than that are
   multiples of the unit, whose sum is exact.  */
static void
exact_dot (const struct gt_tile *tile, double anchor)
{
  const double *a = tile->a[0], *b = tile->b;
  vector s[CHAINS], l[CHAINS], begin = all_of (anchor), sum, low;
  double both;
  size_t n = tile->n;

  UNROLL
  for (unsigned k = 0; k < CHAINS; k++)
    {
      s[k] = begin;
      l[k] = (vector) {0};
    }
  for (; n >= CHAINS * LANES; n -= CHAINS * LANES)
    {
      UNROLL
      for (unsigned k = 0; k < CHAINS; k++)
        add_product (&s[k], &l[k], load_doubles (a + k * LANES),
                     load_doubles (b + k * LANES), 0);
      a += CHAINS * LANES;
      b += CHAINS * LANES;
    }
  for (; n >= LANES; n -= LANES, a += LANES, b += LANES)
    add_product (&s[0], &l[0], load_doubles (a), load_doubles (b), 0);
  if (n > 0)
    add_product (&s[1], &l[1], load_last (tile->a[0], tile->n - n, n, 0),
                 load_last (tile->b, tile->n - n, n, 0), 0);
  sum = ((s[0] - begin) + (s[1] - begin)) + ((s[2] - begin) + (s[3] - begin));
  low = (l[0] + l[1]) + (l[2] + l[3]);
  tile->s[0] += FOLD (LANES, vector, +, sum);
  tile->l[0] += FOLD (LANES, vector, +, low);
  both = tile->s[0] + tile->l[0];
  tile->l[0] -= both - tile->s[0];
  tile->s[0] = both;
}

/* The same of as many lanes as a vector has, with a chain for each; SQUARES are added to where
   they are MEASURED, too.  */
INLINE void
add_dots (const double *a, const void *const *b, size_t n, const double *anchor,
          double *to_s, double *to_l, double *squares, const int measured, const int plain,
          const int single)
{
  vector s[LANES], l[LANES], q[LANES], sum = load_doubles (to_s), low = load_doubles (to_l);
  size_t i = 0;

  UNROLL
  for (unsigned k = 0; k < LANES; k++)
    {
      s[k] = all_of (anchor[k]);
      l[k] = q[k] = (vector) {0};
    }
  for (; n - i >= LANES; i += LANES)
    {
      const vector x = load_doubles (a + i);

      UNROLL
      for (unsigned k = 0; k < LANES; k++)
        {
          const vector y = load_terms (b[k], i, single);

          add_product (&s[k], &l[k], x, y, plain);
          if (measured)
            q[k] = square_and (y, q[k]);
        }
    }
  if (i < n)
    {
      const vector x = load_last (a, i, n - i, 0);

      UNROLL
      for (unsigned k = 0; k < LANES; k++)
        {
          const vector y = load_last (b[k], i, n - i, single);

          add_product (&s[k], &l[k], x, y, plain);
          if (measured)
            q[k] = square_and (y, q[k]);
        }
    }
  UNROLL
  for (unsigned k = 0; k < LANES; k++)
    s[k] -= all_of (anchor[k]);
  sum += folded (s);
  low += folded (l);
  if (!plain)
    settle (&sum, &low);
  store_doubles (to_s, sum);
  store_doubles (to_l, low);
  if (measured)
    store_doubles (squares, load_doubles (squares) + folded (q));
}

static void
exact_dots (const double *a, const double *const *b, size_t n, const double *anchor,
            double *s, double *l)
{
  add_dots (a, (const void *const *) b, n, anchor, s, l, NULL, 0, 0, 0);
}

static void
plain_dots (const double *a, const double *const *b, size_t n, const double *anchor,
            double *s, double *l)
{
  add_dots (a, (const void *const *) b, n, anchor, s, l, NULL, 0, 1, 0);
}

/* ---------------------------------------------------------------- Measuring */

static size_t
count (const double *x, size_t n)
{
  words all = {0};
  size_t i = 0, some;

  for (; n - i >= LANES; i += LANES)
    all -= (words) (load_doubles (x + i) != 0);
  some = (size_t) FOLD (LANES, words, +, all);
  for (; i < n; i++)
    some += x[i] != 0;
  return some;
}

/* A bit for each of N elements, whole vectors of up to 64.  */
INLINE uint64_t
places_of (const double *x, size_t n)
{
  words all = {0}, bit = ((words) {0} + 1) << (words) GT_PASTE (NUMBERS, LANES);

  for (size_t i = 0; i < n; i += LANES, bit <<= LANES)
    all |= bit & (words) (load_doubles (x + i) != 0);
  return FOLD (LANES, words, |, all);
}

static size_t
pack (const double *x, size_t n, size_t most, double *to, uint16_t *at)
{
  size_t some = 0, i = 0;

  for (size_t whole; n - i >= LANES && some <= most; i += whole)
    {
      whole = n - i < 64 ? (n - i) / LANES * LANES : 64;
      for (uint64_t left = places_of (x + i, whole); left && some <= most;
           left &= left - 1, some++)
        {
          at[some] = (uint16_t) (i + (size_t) __builtin_ctzll (left));
          to[some] = x[at[some]];
        }
    }
  for (; i < n && some <= most; i++)
    {
      to[some] = x[i];
      at[some] = (uint16_t) i;
      some += x[i] != 0;
    }
  return some;
}

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
    sum[1] = square_and (load_last (x - (all - n), all - n, n, 0), sum[1]);
  sum[0] += sum[1];
  return FOLD (LANES, vector, +, sum[0]);
}

INLINE void
add_dots_squares (const void *const *b, size_t n, double *so_far, const int single)
{
  vector sum[LANES];
  size_t i = 0;

  UNROLL
  for (unsigned k = 0; k < LANES; k++)
    sum[k] = (vector) {0};
  for (; n - i >= LANES; i += LANES)
    {
      UNROLL
      for (unsigned k = 0; k < LANES; k++)
        sum[k] = square_and (load_terms (b[k], i, single), sum[k]);
    }
  if (i < n)
    {
      UNROLL
      for (unsigned k = 0; k < LANES; k++)
        sum[k] = square_and (load_last (b[k], i, n - i, single), sum[k]);
    }
  store_doubles (so_far, load_doubles (so_far) + folded (sum));
}

static void
dots_squares (const double *const *b, size_t n, double *so_far)
{
  add_dots_squares ((const void *const *) b, n, so_far, 0);
}

/* Adds up a vector of rows, some terms after the others; and squares, if MEASURED.  */
INLINE void
sum_more_rows (const struct gt_tile_lines *c, vector anchor, const void *const *rows,
               size_t at, const int measured, const int plain, const int single)
{
  const size_t size = single ? sizeof (float) : sizeof (double);
  double anchors[LANES];
  const void *row[LANES];

  store_doubles (anchors, anchor);
  for (size_t first = 0, some; first < c->terms; first += some)
    {
      some = c->terms - first < GT_TILE_TERMS ? c->terms - first : GT_TILE_TERMS;
      UNROLL
      for (size_t i = 0; i < LANES; i++)
        row[i] = (const char *) rows[i] + first * size;
      add_dots (c->x + first, row, some, anchors, c->s + at, c->l + at, c->squares + at,
                measured, plain, single);
    }
}

INLINE void
sum_rows (const struct gt_tile_lines *c, vector anchor, const void *const *rows, size_t at,
          const int measured, const int plain, const int single)
{
  store_doubles (c->s + at, anchor);
  store_doubles (c->l + at, (vector) {0});
  sum_more_rows (c, anchor, rows, at, measured, plain, single);
}

INLINE void
add_rows (struct gt_tile_lines *c, const int plain, const int single)
{
  const size_t step = c->step * (single ? sizeof (float) : sizeof (double));

  for (size_t at = 0; at < c->lines; at += LANES)
    {
      const int guesses = !plain && c->x_anchor != 0 && c->guess > 0;
      const vector guess = all_of (guesses ? c->guess : 0);
      const void *row[LANES];
      vector scales;

      UNROLL
      for (size_t i = 0; i < LANES; i++)
        row[i] = (const char *) c->a + (at + i < c->lines ? at + i : c->lines - 1) * step;
      if (c->more)
        {
          sum_more_rows (c, guess * c->x_anchor, row, at, 1, plain, single);
          continue;
        }
      if (!plain && c->measured)
        {
          sum_rows (c, load_doubles (c->scale + at) * c->x_anchor, row, at, 0, 0, single);
          continue;
        }
      store_doubles (c->squares + at, (vector) {0});
      if (plain || guesses)
        sum_rows (c, guess * c->x_anchor, row, at, 1, plain, single);
      else
        add_dots_squares (row, c->terms, c->squares + at, single);
      if (guesses && is_guessed (c->squares + at, 1, LANES, c->guess))
        {
          store_doubles (c->scale + at, guess);
          continue;
        }
      scales = scales_of (load_doubles (c->squares + at));
      store_doubles (c->scale + at, scales);
      c->guess = guess_of (c->scale + at, LANES);
      if (!plain && c->x_anchor != 0)
        sum_rows (c, scales * c->x_anchor, row, at, 0, 0, single);
    }
  end_floats (single);
}

#define ROWS(name, plain, single) \
  __attribute__ ((noinline)) static void name (struct gt_tile_lines *c) \
  { add_rows (c, plain, single); }
ROWS (exact_rows, 0, 0)
ROWS (plain_rows, 1, 0)
ROWS (exact_floats, 0, 1)
ROWS (plain_floats, 1, 1)

static void
rows (struct gt_tile_lines *c)
{
  static void (*const of[2][2]) (struct gt_tile_lines *c)
    = {{exact_rows, plain_rows}, {exact_floats, plain_floats}};

  of[c->single][c->plain](c);
}

static int
are_guessed (const double *so_far, size_t n, double guess)
{
  return is_guessed (so_far, (unsigned) ((n + LANES - 1) / LANES), n, guess);
}

/* The lowest bit of a number is what it is more than the number without that bit; of a power
   of two, of which the exponent changes, that is more than its half.  */
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
  all = power_of_two (least_bit (load_some (x, 0, n, 0), all));
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
keep (const double *x, size_t n, double *to, double *so_far, double *some, double *scale)
{
  for (size_t j = 0; j < n; j += LANES)
    {
      const vector numbers = load_doubles (x + j);
      const vector sum = square_and (numbers, load_doubles (so_far + j));
      const words there = (words) (numbers != 0) | (words) (load_doubles (some + j) != 0);

      store_doubles (to + j, numbers);
      store_doubles (so_far + j, sum);
      store_doubles (some + j, where (there, all_of (1), (vector) {0}));
      store_doubles (scale + j, where (there, scales_of (sum), (vector) {0}));
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

extern const struct gt_tiles GT_FOR_ISA (gt_tiles);
const struct gt_tiles GT_FOR_ISA (gt_tiles) = {
  .lanes = LANES,
  .widest = WIDEST,
  .exact = {{exact_1_1, exact_1_2, exact_1_4}, {exact_2_1, exact_2_2, exact_2_4}},
  .plain = {{plain_1_1, plain_1_2, plain_1_4}, {plain_2_1, plain_2_2, plain_2_4}},
  .deep = {deep_1, deep_2, deep_4},
  .sparse = {sparse_1_1, sparse_1_2, sparse_1_4},
  .sparse_plain = {sparse_plain_1_1, sparse_plain_1_2, sparse_plain_1_4},
  .sparse_deep = {sparse_deep_1, sparse_deep_2, sparse_deep_4},
  .dot = exact_dot,
  .dots = exact_dots,
  .rows = rows,
  .columns = GT_FOR_ISA (gt_tile_columns),
  .deep_columns = GT_FOR_ISA (gt_tile_deep_columns),
  .plain_dots = plain_dots,
  .deep_dots = deep_dots,
  .are_guessed = are_guessed,
  .count = count,
  .pack = pack,
  .squares = squares,
  .dots_squares = dots_squares,
  .lane_squares = lane_squares,
  .keep = keep,
  .grain = grain,
  .lane_grains = lane_grains,
  .begin = begin_row,
  .finish = GT_FOR_ISA (gt_tile_finish),
  .finish_precisely = GT_FOR_ISA (gt_tile_finish_precisely),
  .multiply_shortly = GT_FOR_ISA (gt_tile_multiply_shortly),
  .fuse = FUSE,
  .widen = GT_FOR_ISA (gt_tile_widen),
  .narrow = GT_FOR_ISA (gt_tile_narrow),
  .solve = GT_FOR_ISA (gt_tile_solve),
  .lay_triangle = GT_FOR_ISA (gt_tile_lay_triangle),
  .lay_pairs = GT_FOR_ISA (gt_tile_lay_pairs)
};
