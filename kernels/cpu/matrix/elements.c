/* Elements of matrix products (kernels/cpu/matrix/tiles.h): sums are finished and rounded;
   and products of few numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/matrix/tile_vectors.h"
#include "kernels/cpu/wide/two_sum.h"

/* The remainder of a division is a double if the numerator is at least this large.  */
#define LEAST_NUMERATOR 0x1p-900

/* The most that additions and products of the second doubles may lose of them: less than 32
   roundings for six addends.  */
#define LOST 0x1p-47

INLINE vector
two_sum (vector *to, vector x)
{
  const vector before = *to;

  *to = before + x;
  return GT_SUM_ERROR (before, x, *to);
}

/* H + L, which misses ERROR at most.  LOSES is the sum of the magnitudes of all that was
   added to L.  */
struct element
{
  vector h, l, loses, error;
};

/* Returns X rounded to float, or X itself if that would be 0, so that only zeros become 0.  */
INLINE vector
rounded_to_float (vector x)
{
  const GT_PASTE (elements_f32, LANES) floats = floats_of (x);
  const vector rounded = __builtin_convertvector (floats, vector);

  return where ((words) (rounded == 0), x, rounded);
}

/* Rounds both ends of an element, to float if it is SINGLE.  Returns the lanes whose ends
   differ.  The error of a subnormal element exceeds the element, unless the error is 0; an
   element whose computation overflows is NaN.  */
INLINE words
round_ends (const struct element *e, const int single, vector *lower, vector *upper)
{
  const vector none = {0}, h = magnitudes (e->h);
  const words certain = (words) (e->error == none) & (words) (e->l == none);
  const vector error = single ? e->error + where (certain, none, h * 0x1p-52) : e->error;

  /* The last addition makes +0 of -0.  */
  *lower = e->h + (e->l - error) + none;
  *upper = e->h + (e->l + error) + none;
  if (single)
    {
      *lower = rounded_to_float (*lower);
      *upper = rounded_to_float (*upper);
    }
  return (words) (*lower != *upper);
}

/* ---------------------------------------------------------------- Finishing */

/* Adds H, exactly, and L; the FIRST is what there is.  */
INLINE void
add_two (struct element *e, vector h, vector l, const int first)
{
  const vector sum = e->h + h, rest = GT_SUM_ERROR (e->h, h, sum);

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
  const vector sum = high + low;

  add_scaled (e, row->coefficient[t], sum, GT_SUM_ERROR (high, low, sum), first);
  /* Last the coefficient, which may be so small that nothing is left.  */
  e->error += scale * row->error * fabs (row->coefficient[t]);
}

/* Divides as kernels/cpu/finish/ball.h does.  The error of the remainder is that of the
   numerator plus a smaller one.  */
INLINE void
divide (struct element *e, double divisor)
{
  const vector d = all_of (divisor);
  const vector q = e->h / d, product = q * d;
  const vector rest = ((e->h - product) - product_error (q, d, product)) + e->l;

  const words zero = (words) (e->h == 0) & (words) (e->l == 0) & (words) (e->error == 0);
  const words small = (words) (magnitudes (e->h) < LEAST_NUMERATOR);

  /* The quotient may underflow, and so may the remainder for a small numerator.  */
  e->h = q;
  e->l = rest / d;
  e->error = (e->error + e->error) / fabs (divisor)
             + (magnitudes (q) + magnitudes (e->l)) * 0x1p-100
             + where (zero, (vector) {0}, where (small, all_of ((double) NAN), all_of (0x1p-1000)));
}

/* Stores both ends of a row's elements, and returns the lanes that are in doubt.  */
INLINE words
store_ends (const struct element *e, const struct gt_tile_row *row, unsigned v)
{
  vector lower, upper;
  const words open = round_ends (e, row->single, &lower, &upper);

  store_doubles (row->lower + v, lower);
  store_doubles (row->upper + v, upper);
  return open & (words) ((words) GT_PASTE (NUMBERS, LANES) < row->n - v);
}

/* Of one row.  Where the numbers of addends are constants the first needs no sum.  */
INLINE int
finish (const struct gt_tile_row *row, const unsigned sums, const unsigned olds,
        const int whole)
{
  words open = {0};

  for (unsigned v = 0; v < row->n; v += LANES)
    {
      struct element e = {{0}, {0}, {0}, {0}};

      for (unsigned t = 0; t < sums; t++)
        add_sum (&e, row, t, v, t == 0);
      for (unsigned t = 0; t < olds; t++)
        add_old (&e, row->factor[t], load_doubles (row->old[t] + v), sums + t == 0);
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
      open |= store_ends (&e, row, v);
    }
  return FOLD (LANES, words, |, open) == 0;
}

/* The most frequent forms have loops of their own.  */
int
GT_FOR_ISA (gt_tile_finish) (const struct gt_tile_row *row)
{
  const int whole = row->apart == NULL && row->divisor == 1;

  if (whole && row->sums == 1 && row->olds == 0)
    return finish (row, 1, 0, 1);
  if (whole && row->sums == 1 && row->olds == 1)
    return finish (row, 1, 1, 1);
  return finish (row, row->sums, row->olds, 0);
}

/* ----------------------------------------------------- Finishing precisely

   H + L + REST, which loses no more than LOST.  */
struct precise
{
  vector h, l, rest, lost, error;
};

INLINE void
add_exactly (struct precise *e, vector x)
{
  const vector left = two_sum (&e->h, x), rest = two_sum (&e->l, left);

  e->lost += magnitudes (two_sum (&e->rest, rest));
}

/* X, Y and Z, where nothing was before.  */
INLINE struct precise
first_of (vector x, vector y, vector z)
{
  struct precise e = {x, {0}, {0}, {0}, {0}};

  e.l = two_sum (&e.h, y);
  z = two_sum (&e.h, z);
  e.rest = two_sum (&e.l, z);
  return e;
}

INLINE void
add_times (struct precise *e, double c, vector x)
{
  const vector factor = all_of (c), product = factor * x;

  add_exactly (e, product);
  if (fabs (c) != 1)
    add_exactly (e, product_error (factor, x, product));
}

/* Returns the bound of the sum's error.  */
INLINE vector
error_of_sum (const struct gt_tile_row *row, unsigned t, unsigned v)
{
  const vector scale = load_doubles (row->scale + v);
  const vector grain = load_doubles (row->grains + v) * row->grain;
  const words none = (words) (grain >= scale * row->exact_from);

  return where (none, (vector) {0}, scale * row->error * fabs (row->coefficient[t]));
}

/* Returns the element over DIVISOR in two doubles.  What L is more than H shows goes
   before REST.  */
INLINE struct element
element_of (struct precise *e, double least, double divisor)
{
  struct element sum;
  vector rest, error;

  e->l = two_sum (&e->h, e->l);
  rest = two_sum (&e->l, e->rest);
  error = e->error + (e->lost + e->lost) + magnitudes (rest) + least;
  error += where ((words) (error == 0), (vector) {0}, magnitudes (e->l) * 0x1p-50);
  sum = (struct element) {.h = e->h, .l = e->l, .error = error};
  if (divisor != 1)
    divide (&sum, divisor);
  return sum;
}

int
GT_FOR_ISA (gt_tile_finish_precisely) (const struct gt_tile_row *row)
{
  words open = {0};

  for (unsigned v = 0; v < row->n; v += LANES)
    {
      struct precise e = {{0}, {0}, {0}, {0}, {0}};
      struct element sum;

      for (unsigned t = 0; t < row->sums; t++)
        {
          const double c = row->coefficient[t];
          const vector s
            = load_doubles (row->s[t] + v) - load_doubles (row->scale + v) * row->anchor;
          const vector m = row->m[t] ? load_doubles (row->m[t] + v) : (vector) {0};
          const vector l = load_doubles (row->l[t] + v);

          if (t == 0 && fabs (c) == 1)
            e = first_of (all_of (c) * s, all_of (c) * m, all_of (c) * l);
          else
            {
              add_times (&e, c, s);
              add_times (&e, c, m);
              add_times (&e, c, l);
            }
          e.error += error_of_sum (row, t, v);
        }
      for (unsigned t = 0; t < row->olds; t++)
        add_times (&e, row->factor[t], load_doubles (row->old[t] + v));
      sum = element_of (&e, row->least, row->divisor);
      open |= store_ends (&sum, row, v);
    }
  return FOLD (LANES, words, |, open) == 0;
}

/* ------------------------------------------------------------ Short products */

/* Whether products of elements, and their errors, are doubles.  */
static int
are_moderate (const double *x, size_t rows, size_t columns, size_t row)
{
  int moderate = 1;

  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      {
        const double size = fabs (x[i * row + j]);

        moderate &= size == 0 || GT_MODERATE (size);
      }
  return moderate;
}

/* Returns whether no product of the operands, times ALPHA, underflows.  */
static int
are_operands_moderate (const struct gt_short_product *p)
{
  const double alpha = fabs (p->alpha);

  return alpha >= 0x1p-60 && alpha <= 0x1p400 && (p->beta == 0 || fabs (p->beta) == 1)
         && are_moderate (p->a, p->rows, p->terms, p->a_row)
         && are_moderate (p->b, p->terms, p->columns, p->b_row);
}

/* A row's terms times alpha, with their rest, and whether one is so SMALL that its rest
   is not a double.  */
struct short_row
{
  const double *a;
  double x[GT_SHORT_TERMS], rest[GT_SHORT_TERMS];
  int scales, small; /* SCALES: whether there are rests, since alpha changes more than signs */
};

INLINE void
begin_row (const struct gt_short_product *p, const double *a, struct short_row *row)
{
  row->a = a;
  row->scales = fabs (p->alpha) != 1;
  row->small = 0;
  for (size_t k = 0; k < p->terms; k++)
    row->x[k] = p->alpha * a[k];
  for (size_t k = 0; row->scales && k < p->terms; k++)
    {
      const double term = a[k];

      row->rest[k] = product_error (all_of (p->alpha), all_of (term), all_of (row->x[k]))[0];
      row->small |= term != 0 && !(fabs (row->x[k]) >= 0x1p-900);
    }
}

/* Rounds elements: N products, of which one is that of the OLD element, in two doubles.
   Of each three numbers are added to L, which lose 3 roundings of what they are, and one
   of L for each that follows: less than 10 (N + 1)^2 of those roundings' magnitudes of
   the sum of the products' magnitudes.  The lanes' terms at B are STEP apart.  */
INLINE words
end_shortly (const struct gt_short_product *p, const struct short_row *row, const double *b,
             size_t step, vector old, double least, vector *lower)
{
  const double n = (double) p->terms + 1, lost = (n + 1) * (n + 1) * 0x1p-102;
  const vector none = {0}, beta = all_of (p->beta);
  struct element e = {none, none, none, none};
  vector magnitude, upper;

  if (p->beta != 0)
    {
      e.h = beta * old + none;
      e.l = product_error (beta, old, e.h);
    }
  magnitude = magnitudes (e.h);
  for (size_t k = 0; k < p->terms; k++)
    {
      const vector x = all_of (row->x[k]), y = load_doubles (b + k * step), product = x * y;
      vector error = product_error (x, y, product);

      if (row->scales)
        error += all_of (row->rest[k]) * y;
      e.l += two_sum (&e.h, product) + error;
      magnitude += magnitudes (product);
    }
  e.error = magnitude * lost + all_of (row->small ? (double) NAN : least);
  if (p->divisor != 1)
    divide (&e, p->divisor);
  return round_ends (&e, p->single, lower, &upper);
}

/* The same in three doubles.  */
static words
end_precisely (const struct gt_short_product *p, const struct short_row *row, const double *b,
               size_t step, vector old, double least, vector *lower)
{
  struct precise sum = {{0}, {0}, {0}, {0}, {0}}, e = sum;
  struct element end;
  vector upper;

  for (size_t k = 0; k < p->terms; k++)
    {
      const vector x = all_of (row->a[k]);
      const vector y = load_doubles (b + k * step), product = x * y;

      add_exactly (&sum, product);
      add_exactly (&sum, product_error (x, y, product));
    }
  add_times (&e, p->alpha, sum.h);
  add_times (&e, p->alpha, sum.l);
  add_times (&e, p->alpha, sum.rest);
  if (p->beta != 0)
    add_times (&e, p->beta, old);
  e.error = sum.lost * (2 * fabs (p->alpha));
  end = element_of (&e, least, p->divisor);
  return round_ends (&end, p->single, lower, &upper);
}

/* Elements in doubt keep their old values.  A product of one term may be rounded once by
   a fused operation.  A product may underflow before it is multiplied by ALPHA, or after.  */
int
GT_FOR_ISA (gt_tile_multiply_shortly) (const struct gt_short_product *p)
{
#ifdef FUSED_1
  const int fused = p->terms == 1 && fabs (p->alpha) == 1 && (p->beta == 0 || p->beta == 1)
                    && p->divisor == 1 && !p->single;
#endif
  const size_t whole = p->columns / LANES * LANES;
  double least = 0x1p-1000 * (1 + fabs (p->alpha));
  _Alignas (GT_VECTOR_BYTES) double last[GT_SHORT_TERMS * LANES];
  int looked = 0, doubtful = 0;

  for (size_t k = 0; whole < p->columns && k < p->terms; k++)
    store_doubles (last + k * LANES,
                   load_repeated (p->b + k * p->b_row + whole, p->columns - whole));
  for (size_t i = 0; i < p->rows; i++)
    {
      struct short_row row;

      begin_row (p, p->a + i * p->a_row, &row);
      p->doubt[i] = 0;
      for (size_t j = 0; j < p->columns; j += LANES)
        {
          const size_t n = j < whole ? LANES : p->columns - whole;
          const double *const b = j < whole ? p->b + j : last;
          const size_t step = j < whole ? p->b_row : LANES;
          const double *const c = p->c + i * p->c_row + j;
          double *const to = p->to + i * p->to_row + j;
          vector old = {0}, result;
          words open = {0};

          if (p->beta != 0)
            old = n == LANES ? load_doubles (c) : load_repeated (c, n);
#ifdef FUSED_1
          if (fused)
            result = FUSED (all_of (row.x[0]), load_doubles (b), old + (vector) {0});
          else
#endif
            open = end_shortly (p, &row, b, step, old, least, &result);
          if (__builtin_expect (FOLD (LANES, words, |, open) != 0, 0))
            {
              if (!looked && are_operands_moderate (p))
                least = 0;
              looked = 1;
              open = end_precisely (p, &row, b, step, old, least, &result)
                     & (words) ((words) GT_PASTE (NUMBERS, LANES) < n);
              result = where (open, old, result);
              for (size_t k = 0; k < n; k++)
                p->doubt[i] |= (uint64_t) (open[k] != 0) << (j + k);
              doubtful |= p->doubt[i] != 0;
            }
          if (n == LANES)
            store_doubles (to, result);
          else
            for (size_t k = 0; k < n; k++)
              to[k] = result[k];
        }
    }
  return doubtful;
}
