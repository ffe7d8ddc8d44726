/* Tiles of matrix products (kernels/cpu/matrix/tiles.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/exact/two_products.h"
#include "kernels/cpu/matrix/tiles.h"

/* From here on what a numerator leaves of a quotient is a double.  */
#define LEAST_NUMERATOR 0x1p-900

/* What additions and products of the second doubles may lose of them: less than 32
   roundings for six addends.  */
#define LOST 0x1p-47

/* X in all lanes: to take 0 off changes nothing, so there is no instruction for it.  */
INLINE vector
all_of (double x)
{
  return x - (vector) {0};
}

INLINE vector
where (words condition, vector x, vector otherwise)
{
  return (vector) (((words) x & condition) | ((words) otherwise & ~condition));
}

INLINE vector
magnitudes (vector x)
{
  return MAGNITUDES (LANES, x);
}

/* A vector that ends with zeros.  */
INLINE vector
load_some (const double *x, size_t n)
{
  double some[LANES] = {0};

  for (size_t i = 0; i < n; i++)
    some[i] = x[i];
  return load_doubles (some);
}

/* The last N elements of many, at X: those before them are read, and count as zeros.  */
INLINE vector
load_last (const double *x, size_t n, size_t before)
{
  const words there = (words) ((words) GT_PASTE (NUMBERS, LANES) >= LANES - n);

  if (before < LANES)
    return load_some (x, n);
  return where (there, load_doubles (x - (LANES - n)), (vector) {0});
}

/* ------------------------------------------------------------------- Adding */

/* Adds A B.  With a fused operation nothing is rounded but the sum and the last
   addition: what S + A B is cut to takes no other rounding on its way.  */
INLINE void
add_product (vector *s, vector *l, vector a, vector b, const int plain)
{
#ifdef FUSED_1
  const vector sum = GT_PASTE (FUSED, LANES) (a, b, *s);

  if (!plain)
    *l += GT_PASTE (FUSED, LANES) (a, b, *s - sum);
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

/* Accumulators are in one array, over which there is one loop, so that they stay in
   registers.  */
INLINE void
add_tile (const struct gt_tile *tile, const unsigned rows, const unsigned vectors,
          const int plain)
{
  const double *const a[2] = {tile->a[0], tile->a[rows - 1]};
  const double *b = tile->b;
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
  for (size_t i = 0; i < n; i++, b += step)
    {
      UNROLL
      for (unsigned k = 0; k < rows * vectors; k++)
        add_product (&s[k], &l[k], all_of (a[k / vectors][i]),
                     load_doubles (b + k % vectors * LANES), plain);
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

#define TILE(name, rows, vectors, plain)                      \
  static void name##_##rows##_##vectors (const struct gt_tile *tile) \
  { add_tile (tile, rows, vectors, plain); }
TILE (exact, 1, 1, 0)
TILE (exact, 1, 2, 0)
TILE (exact, 1, 4, 0)
TILE (exact, 2, 1, 0)
TILE (exact, 2, 2, 0)
TILE (plain, 1, 1, 1)
TILE (plain, 1, 2, 1)
TILE (plain, 1, 4, 1)
TILE (plain, 2, 1, 1)
TILE (plain, 2, 2, 1)
TILE (plain, 2, 4, 1)
/* Where there are registers for that.  */
#if LANES >= 8
TILE (exact, 2, 4, 0)
#define WIDEST 4
#else
#define exact_2_4 NULL
#define WIDEST 2
#endif

/* --------------------------------------------------------------- Deep sums */

struct deep
{
  vector s, m, l;
  words bits;
};

INLINE void
add_deep (struct deep *to, vector a, vector b)
{
  const vector product = a * b, error = product_error (a, b, product);
  const vector s = to->s + product, cut = product - (s - to->s);
  const vector m = to->m + cut, rest = cut - (m - to->m);
  const vector both = m + error;

  to->l += rest + (error - (both - m));
  to->s = s;
  to->m = both;
  to->bits |= (words) product;
}

/* Takes the anchor off M, once whole units of M are with S, and those of L with M.  */
INLINE void
settle_deep (struct deep *to, vector anchor)
{
  vector m = to->m - anchor, sum = to->s + m;

  m -= sum - to->s;
  to->s = sum;
  m += anchor;
  sum = m + to->l;
  to->l -= sum - m;
  to->m = sum - anchor;
}

INLINE void
add_deep_tile (const struct gt_tile *tile, const unsigned vectors)
{
  const double *a = tile->a[0], *b = tile->b;
  const size_t n = tile->n, step = tile->step;
  struct deep sum[4];
  vector anchor[4];

  UNROLL
  for (unsigned k = 0; k < vectors; k++)
    {
      anchor[k] = load_doubles (tile->scale + k * LANES) * (tile->anchor * GT_TILE_DEEPER);
      sum[k].s = load_doubles (tile->s + k * LANES);
      sum[k].m = load_doubles (tile->m + k * LANES) + anchor[k];
      sum[k].l = load_doubles (tile->l + k * LANES);
      sum[k].bits = (words) load_doubles (tile->bits + k * LANES);
    }
  for (size_t i = 0; i < n; i++, b += step)
    {
      UNROLL
      for (unsigned k = 0; k < vectors; k++)
        add_deep (&sum[k], all_of (a[i]), load_doubles (b + k * LANES));
    }
  UNROLL
  for (unsigned k = 0; k < vectors; k++)
    {
      settle_deep (&sum[k], anchor[k]);
      store_doubles (tile->s + k * LANES, sum[k].s);
      store_doubles (tile->m + k * LANES, sum[k].m);
      store_doubles (tile->l + k * LANES, sum[k].l);
      store_doubles (tile->bits + k * LANES, (vector) sum[k].bits);
    }
}

#define DEEP(vectors)                                 \
  static void deep_##vectors (const struct gt_tile *tile) \
  { add_deep_tile (tile, vectors); }
DEEP (1)
DEEP (2)
#if LANES >= 8
DEEP (4)
#else
#define deep_4 NULL
#endif

/* The lanes of the registers are terms, and two sums are made at a time.  Lanes' M are
   multiples of its unit, their sum is exact.  */
static void
deep_dots (const double *a, const double *const *b, size_t n, const double *anchor,
           double *to_s, double *to_m, double *to_l, double *to_bits)
{
  struct deep all = {load_doubles (to_s), load_doubles (to_m), load_doubles (to_l),
                     (words) load_doubles (to_bits)};
  const vector begin = load_doubles (anchor), deeper = begin * GT_TILE_DEEPER;

  for (unsigned k = 0; k < LANES; k += 2)
    {
      const struct deep none[2] = {{all_of (begin[k]), all_of (deeper[k]), {0}, {0}},
                                   {all_of (begin[k + 1]), all_of (deeper[k + 1]), {0}, {0}}};
      struct deep sum[2] = {none[0], none[1]};
      size_t i = 0;

      for (; n - i >= LANES; i += LANES)
        {
          add_deep (&sum[0], load_doubles (a + i), load_doubles (b[k] + i));
          add_deep (&sum[1], load_doubles (a + i), load_doubles (b[k + 1] + i));
        }
      if (i < n)
        {
          const vector x = load_last (a + i, n - i, i);

          add_deep (&sum[0], x, load_last (b[k] + i, n - i, i));
          add_deep (&sum[1], x, load_last (b[k + 1] + i, n - i, i));
        }
      for (unsigned t = 0; t < 2; t++)
        {
          all.s[k + t] += FOLD (LANES, vector, +, sum[t].s - none[t].s);
          all.m[k + t] += FOLD (LANES, vector, +, sum[t].m - none[t].m);
          all.l[k + t] += FOLD (LANES, vector, +, sum[t].l);
          all.bits[k + t] |= FOLD (LANES, words, |, sum[t].bits);
        }
    }
  all.m += deeper;
  settle_deep (&all, deeper);
  store_doubles (to_s, all.s);
  store_doubles (to_m, all.m);
  store_doubles (to_l, all.l);
  store_doubles (to_bits, (vector) all.bits);
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
    add_product (&s[1], &l[1], load_last (a, n, tile->n - n), load_last (b, n, tile->n - n),
                 0);
  sum = ((s[0] - begin) + (s[1] - begin)) + ((s[2] - begin) + (s[3] - begin));
  low = (l[0] + l[1]) + (l[2] + l[3]);
  tile->s[0] += FOLD (LANES, vector, +, sum);
  tile->l[0] += FOLD (LANES, vector, +, low);
  both = tile->s[0] + tile->l[0];
  tile->l[0] -= both - tile->s[0];
  tile->s[0] = both;
}

/* The same of as many lanes as a vector has, with a chain for each.  */
INLINE void
add_dots (const double *a, const double *const *b, size_t n, const double *anchor,
          double *to_s, double *to_l, const int plain)
{
  vector s[LANES], l[LANES], sum = load_doubles (to_s), low = load_doubles (to_l);
  size_t i = 0;

  UNROLL
  for (unsigned k = 0; k < LANES; k++)
    {
      s[k] = all_of (anchor[k]);
      l[k] = (vector) {0};
    }
  for (; n - i >= LANES; i += LANES)
    {
      const vector x = load_doubles (a + i);

      UNROLL
      for (unsigned k = 0; k < LANES; k++)
        add_product (&s[k], &l[k], x, load_doubles (b[k] + i), plain);
    }
  if (i < n)
    {
      const vector x = load_last (a + i, n - i, i);

      UNROLL
      for (unsigned k = 0; k < LANES; k++)
        add_product (&s[k], &l[k], x, load_last (b[k] + i, n - i, i), plain);
    }
  for (unsigned k = 0; k < LANES; k++)
    {
      sum[k] += FOLD (LANES, vector, +, s[k] - all_of (anchor[k]));
      low[k] += FOLD (LANES, vector, +, l[k]);
    }
  if (!plain)
    settle (&sum, &low);
  store_doubles (to_s, sum);
  store_doubles (to_l, low);
}

static void
exact_dots (const double *a, const double *const *b, size_t n, const double *anchor,
            double *s, double *l)
{
  add_dots (a, b, n, anchor, s, l, 0);
}

static void
plain_dots (const double *a, const double *const *b, size_t n, const double *anchor,
            double *s, double *l)
{
  add_dots (a, b, n, anchor, s, l, 1);
}

/* ---------------------------------------------------------------- Measuring */

INLINE vector
square_and (vector x, vector sum)
{
#ifdef FUSED_1
  return GT_PASTE (FUSED, LANES) (x, x, sum);
#else
  return x * x + sum;
#endif
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
    sum[1] = square_and (load_last (x, n, all - n), sum[1]);
  sum[0] += sum[1];
  return FOLD (LANES, vector, +, sum[0]);
}

static void
dots_squares (const double *const *b, size_t n, double *so_far)
{
  vector sum[LANES], all = load_doubles (so_far);
  size_t i = 0;

  UNROLL
  for (unsigned k = 0; k < LANES; k++)
    sum[k] = (vector) {0};
  for (; n - i >= LANES; i += LANES)
    {
      UNROLL
      for (unsigned k = 0; k < LANES; k++)
        sum[k] = square_and (load_doubles (b[k] + i), sum[k]);
    }
  if (i < n)
    {
      UNROLL
      for (unsigned k = 0; k < LANES; k++)
        sum[k] = square_and (load_last (b[k] + i, n - i, i), sum[k]);
    }
  for (unsigned k = 0; k < LANES; k++)
    all[k] += FOLD (LANES, vector, +, sum[k]);
  store_doubles (so_far, all);
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
  all = power_of_two (least_bit (load_some (x, n), all));
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

/* ---------------------------------------------------------------- Finishing */

static void
begin_row (double *s, double *l, const double *scale, double anchor, unsigned vectors)
{
  for (unsigned v = 0; v < vectors * LANES; v += LANES)
    {
      store_doubles (s + v, load_doubles (scale + v) * anchor);
      store_doubles (l + v, (vector) {0});
    }
}

/* H + L, which misses ERROR at most.  LOSES is the sum of the magnitudes of all that was
   added to L.  */
struct element
{
  vector h, l, loses, error;
};

/* Adds H, exactly, and L; the FIRST is what there is.  */
INLINE void
add_two (struct element *e, vector h, vector l, const int first)
{
  const vector sum = e->h + h, b = sum - e->h;
  const vector rest = (e->h - (sum - b)) + (h - b);

  if (first)
    *e = (struct element) {h, l, magnitudes (l), {0}};
  else
    {
      e->h = sum;
      e->l += rest + l;
      e->loses += magnitudes (rest) + magnitudes (l);
    }
}

/* Adds C (H + L), exactly but for what L loses.  */
INLINE void
add_scaled (struct element *e, double c, vector h, vector l, const int first)
{
  const vector factor = all_of (c), product = factor * h, scaled = factor * l;

  add_two (e, product, scaled + product_error (factor, h, product), first);
  e->loses += magnitudes (scaled);
}

/* Adds (HIGH + LOW) B.  Where both are not zero their product may underflow.  */
INLINE void
add_few (struct element *e, double high, double low, vector b, const int first)
{
  const vector factor = all_of (high), product = factor * b, less = all_of (low) * b;
  const vector may_vanish = all_of (high == 0 ? 0 : 0x1p-1000);

  add_two (e, product, product_error (factor, b, product) + less, first);
  e->loses += magnitudes (less);
  e->error += where ((words) (b == 0), (vector) {0}, may_vanish);
}

INLINE void
add_old (struct element *e, double factor, vector old, const int first)
{
  if (factor == 1)
    add_two (e, old, (vector) {0}, first);
  else
    add_scaled (e, factor, old, (vector) {0}, first);
}

INLINE void
add_sum (struct element *e, const struct gt_tile_row *row, unsigned t, unsigned v,
         const int first)
{
  const vector scale = load_doubles (row->scale + v);
  const vector high = load_doubles (row->s[t] + v) - scale * row->anchor;
  const vector low = load_doubles (row->l[t] + v);
  const vector sum = high + low, b = sum - high;

  add_scaled (e, row->coefficient[t], sum, (high - (sum - b)) + (low - b), first);
  /* Last the coefficient, which may be so small that nothing is left.  */
  e->error += scale * row->error * fabs (row->coefficient[t]);
}

/* As in kernels/cpu/short/exact_intervals.h.  What is left over is off by what the
   numerator is off by, and by less than that again.  */
INLINE void
divide (struct element *e, double divisor)
{
  const vector d = all_of (divisor);
  const vector q = e->h / d, product = q * d;
  const vector rest = ((e->h - product) - product_error (q, d, product)) + e->l;

  const words zero = (words) (e->h == 0) & (words) (e->l == 0) & (words) (e->error == 0);
  const words small = (words) (magnitudes (e->h) < LEAST_NUMERATOR);

  /* The quotient may underflow, and so may what is left over of a small numerator.  */
  e->h = q;
  e->l = rest / d;
  e->error = (e->error + e->error) / fabs (divisor)
             + (magnitudes (q) + magnitudes (e->l)) * 0x1p-100
             + where (zero, (vector) {0}, where (small, all_of ((double) NAN), all_of (0x1p-1000)));
}

/* Returns the lanes that are not certain.  What is subnormal has an error of more than it is,
   unless it has none; what overflows on the way is not a number.  */
INLINE words
round_ends (const struct element *e, const struct gt_tile_row *row, unsigned v)
{
  const vector none = {0}, h = magnitudes (e->h);
  const words certain = (words) (e->error == none) & (words) (e->l == none);
  const vector error
    = row->single ? e->error + where (certain, none, h * 0x1p-52) : e->error;
  /* The last addition makes +0 of -0.  */
  const vector lower = e->h + (e->l - error) + none;
  const vector upper = e->h + (e->l + error) + none;

  store_doubles (row->lower + v, lower);
  store_doubles (row->upper + v, upper);
  return (words) (lower != upper);
}

/* Of one row.  Where the numbers of addends are constants the first needs no sum.  */
INLINE int
finish (const struct gt_tile_row *row, const unsigned sums, const unsigned terms,
        const unsigned olds, const int whole)
{
  words open = {0};

  for (unsigned v = 0; v < row->n; v += LANES)
    {
      struct element e = {{0}, {0}, {0}, {0}};

      for (unsigned t = 0; t < sums; t++)
        add_sum (&e, row, t, v, t == 0);
      for (unsigned t = 0; t < terms; t++)
        add_few (&e, row->high[t], row->low[t], load_doubles (row->few[t] + v),
                 sums + t == 0);
      for (unsigned t = 0; t < olds; t++)
        add_old (&e, row->factor[t], load_doubles (row->old[t] + v),
                 sums + terms + t == 0);
      e.error += e.loses * LOST + row->least;
      if (!whole && row->apart)
        {
          store_doubles (row->lower + v, e.h);
          store_doubles (row->upper + v, e.l);
          store_doubles (row->apart + v, e.error);
          continue;
        }
      if (!whole && row->divisor != 1)
        divide (&e, row->divisor);
      open |= round_ends (&e, row, v)
              & (words) ((words) GT_PASTE (NUMBERS, LANES) < row->n - v);
    }
  return FOLD (LANES, words, |, open) == 0;
}

/* What is most frequent has loops of its own.  */
static int
finish_row (const struct gt_tile_row *row)
{
  const int whole = row->apart == NULL && row->divisor == 1;

  if (whole && row->sums == 1 && row->terms == 0 && row->olds == 0)
    return finish (row, 1, 0, 0, 1);
  if (whole && row->sums == 1 && row->terms == 0 && row->olds == 1)
    return finish (row, 1, 0, 1, 1);
  if (whole && row->sums == 0 && row->terms == 1 && row->olds == 1)
    return finish (row, 0, 1, 1, 1);
  return finish (row, row->sums, row->terms, row->olds, 0);
}

/* ----------------------------------------------------- Finishing precisely

   H + L + REST, which loses no more than LOST.  */
struct precise
{
  vector h, l, rest, lost, error;
};

INLINE vector
two_sum (vector *to, vector x)
{
  const vector before = *to, sum = before + x, b = sum - before;

  *to = sum;
  return (before - (sum - b)) + (x - b);
}

INLINE void
add_exactly (struct precise *e, vector x)
{
  const vector left = two_sum (&e->h, x), rest = two_sum (&e->l, left);

  e->lost += magnitudes (two_sum (&e->rest, rest));
}

INLINE void
add_times (struct precise *e, double c, vector x)
{
  const vector factor = all_of (c), product = factor * x;

  add_exactly (e, product);
  if (fabs (c) != 1)
    add_exactly (e, product_error (factor, x, product));
}

/* Where all products are zero, and none underflows, so is the sum.  */
INLINE vector
error_of_sum (const struct gt_tile_row *row, unsigned t, unsigned v)
{
  const vector scale = load_doubles (row->scale + v);
  const vector grain = load_doubles (row->grains + v) * row->grain;
  words none = (words) (grain >= scale * row->exact_from);

  if (row->bits[t])
    none |= (words) (((words) load_doubles (row->bits[t] + v) << 1) == 0)
            & (words) (grain >= 0x1p-1000);
  return where (none, (vector) {0}, scale * row->error * fabs (row->coefficient[t]));
}

/* As round_ends, of what is divided first.  What L is more than H shows goes before REST.  */
INLINE words
round_precisely (struct precise *e, const struct gt_tile_row *row, unsigned v)
{
  struct element sum;
  vector rest, error;

  e->l = two_sum (&e->h, e->l);
  rest = two_sum (&e->l, e->rest);
  error = e->error + (e->lost + e->lost) + magnitudes (rest) + row->least;
  error += where ((words) (error == 0), (vector) {0}, magnitudes (e->l) * 0x1p-50);
  sum = (struct element) {.h = e->h, .l = e->l, .error = error};
  if (row->divisor != 1)
    divide (&sum, row->divisor);
  return round_ends (&sum, row, v);
}

static int
finish_precisely (const struct gt_tile_row *row)
{
  words open = {0};

  for (unsigned v = 0; v < row->n; v += LANES)
    {
      struct precise e = {{0}, {0}, {0}, {0}, {0}};

      for (unsigned t = 0; t < row->sums; t++)
        {
          const double c = row->coefficient[t];
          const vector anchor = load_doubles (row->scale + v) * row->anchor;

          add_times (&e, c, load_doubles (row->s[t] + v) - anchor);
          if (row->m[t])
            add_times (&e, c, load_doubles (row->m[t] + v));
          add_times (&e, c, load_doubles (row->l[t] + v));
          e.error += error_of_sum (row, t, v);
        }
      for (unsigned t = 0; t < row->olds; t++)
        add_times (&e, row->factor[t], load_doubles (row->old[t] + v));
      open |= round_precisely (&e, row, v)
              & (words) ((words) GT_PASTE (NUMBERS, LANES) < row->n - v);
    }
  return FOLD (LANES, words, |, open) == 0;
}

/* ------------------------------------------------------------ Short products */

/* Where the elements of a vector are; those that are none are where the last is.  */
struct places
{
  size_t at[LANES];
  int together;
};

INLINE struct places
places_of (size_t step, size_t n)
{
  struct places p = {.together = step == 1 && n == LANES};

  for (size_t i = 0; i < LANES; i++)
    p.at[i] = (i < n ? i : n - 1) * step;
  return p;
}

INLINE vector
load_from (const double *x, const struct places *p)
{
  vector some = {0};

  if (p->together)
    return load_doubles (x);
  UNROLL
  for (unsigned i = 0; i < LANES; i++)
    some[i] = x[p->at[i]];
  return some;
}

/* Whether products of elements, and their errors, are doubles.  */
static int
are_moderate (const double *x, size_t rows, size_t columns, size_t row, size_t column)
{
  int moderate = 1;

  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      {
        const double size = fabs (x[i * row + j * column]);

        moderate &= size == 0 || (size >= 0x1p-400 && size <= 0x1p400);
      }
  return moderate;
}

/* A vector of a row's elements.  */
struct short_lanes
{
  const double *a, *b;
  struct places of_b;
  vector old;
};

/* N terms lose 2 N roundings of L at most, of which each is no more than N + 1 roundings of
   the sum of the products' magnitudes.  */
INLINE words
end_shortly (const struct gt_short_product *p, const struct short_lanes *at,
             const struct gt_tile_row *row)
{
  const double n = (double) p->terms, lost = (2 * n + 2) * (n + 2) * 0x1p-105;
  vector s = {0}, l = {0}, magnitude = {0};
  struct element e = {{0}, {0}, {0}, {0}};

  for (size_t k = 0; k < p->terms; k++)
    {
      const vector x = all_of (at->a[k * p->a_column]);
      const vector y = load_from (at->b + k * p->b_row, &at->of_b), product = x * y;

      l += two_sum (&s, product) + product_error (x, y, product);
      magnitude += magnitudes (product);
    }
  add_scaled (&e, p->alpha, s, l, 1);
  if (p->beta != 0)
    add_old (&e, p->beta, at->old, 0);
  e.error = e.loses * LOST + magnitude * (lost * fabs (p->alpha)) + row->least;
  return round_ends (&e, row, 0);
}

/* The same in three doubles.  */
INLINE words
end_precisely (const struct gt_short_product *p, const struct short_lanes *at,
               const struct gt_tile_row *row)
{
  struct precise sum = {{0}, {0}, {0}, {0}, {0}}, e = sum;

  for (size_t k = 0; k < p->terms; k++)
    {
      const vector x = all_of (at->a[k * p->a_column]);
      const vector y = load_from (at->b + k * p->b_row, &at->of_b), product = x * y;

      add_exactly (&sum, product);
      add_exactly (&sum, product_error (x, y, product));
    }
  add_times (&e, p->alpha, sum.h);
  add_times (&e, p->alpha, sum.l);
  add_times (&e, p->alpha, sum.rest);
  if (p->beta != 0)
    add_times (&e, p->beta, at->old);
  e.error = sum.lost * (2 * fabs (p->alpha));
  return round_precisely (&e, row, 0);
}

static int
multiply_shortly (const struct gt_short_product *p)
{
  const int ones = fabs (p->alpha) == 1 && (p->beta == 0 || fabs (p->beta) == 1);
  double upper[LANES], lower[LANES];
  struct gt_tile_row row
    = {.lower = lower, .upper = upper, .divisor = 1,
       /* What underflows may be before it is multiplied by ALPHA, or after.  */
       .least = 0x1p-1000 * (1 + fabs (p->alpha))};
  int looked = 0;

  for (size_t j = 0, n; j < p->columns; j += n)
    {
      struct short_lanes at;
      struct places of_c;

      n = p->columns - j < LANES ? p->columns - j : LANES;
      at.of_b = places_of (p->b_column, n);
      of_c = places_of (p->c_column, n);
      at.b = p->b + j * p->b_column;
      for (size_t i = 0; i < p->rows; i++)
        {
          const words there = (words) ((words) GT_PASTE (NUMBERS, LANES) < n);
          words open;

          at.a = p->a + i * p->a_row;
          if (p->beta != 0)
            at.old = load_from (p->c + i * p->c_row + j * p->c_column, &of_c);
          open = end_shortly (p, &at, &row) & there;
          if (FOLD (LANES, words, |, open) != 0)
            {
              if (!looked && ones
                  && are_moderate (p->a, p->rows, p->terms, p->a_row, p->a_column)
                  && are_moderate (p->b, p->terms, p->columns, p->b_row, p->b_column))
                row.least = 0;
              looked = 1;
              open = end_precisely (p, &at, &row) & there;
            }
          if (FOLD (LANES, words, |, open) != 0)
            return 0;
          memcpy (p->to + i * p->columns + j, lower, n * sizeof *lower);
        }
    }
  return 1;
}

/* -0 of C counts as +0, so that an exact zero is +0; what underflows keeps its sign.  */
#ifdef FUSED_1
static void
fuse_row (double *c, double a, const double *b, size_t n)
{
  size_t i = 0;

  for (; n - i >= LANES; i += LANES)
    store_doubles (c + i, GT_PASTE (FUSED, LANES) (all_of (a), load_doubles (b + i),
                                                   load_doubles (c + i) + (vector) {0}));
  for (; i < n; i++)
    c[i] = FUSED_1 (a, b[i], c[i] + 0.0);
}
#else
#define fuse_row NULL
#endif

extern const struct gt_tiles GT_FOR_ISA (gt_tiles);
const struct gt_tiles GT_FOR_ISA (gt_tiles) = {
  .lanes = LANES,
  .widest = WIDEST,
  .exact = {{exact_1_1, exact_1_2, exact_1_4}, {exact_2_1, exact_2_2, exact_2_4}},
  .plain = {{plain_1_1, plain_1_2, plain_1_4}, {plain_2_1, plain_2_2, plain_2_4}},
  .deep = {deep_1, deep_2, deep_4},
  .dot = exact_dot,
  .dots = exact_dots,
  .plain_dots = plain_dots,
  .deep_dots = deep_dots,
  .squares = squares,
  .dots_squares = dots_squares,
  .lane_squares = lane_squares,
  .grain = grain,
  .lane_grains = lane_grains,
  .begin = begin_row,
  .finish = finish_row,
  .finish_precisely = finish_precisely,
  .multiply_shortly = multiply_shortly,
  .fuse = fuse_row
};
