/* Sums of a few elements, of their magnitudes, or of products, in two doubles, with a bound on
   their error.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>

#include "kernels/cpu/quick/quick.h" /* before FUSED is that of vectors */
#include "kernels/cpu/exact/two_products.h"
#include "kernels/cpu/wide/two_sum.h"

/* S is the sum, C the sum of its rounding errors, which are exact (Knuth), and of those of
   products, M the sum of their magnitudes.  The exact sum is S and all errors; C is rounded
   where errors are added up, which M bounds.  If M is 0, or every term but zeros is larger than
   M, C is exact: terms, and so their sums and the errors, are multiples of the last place of a
   double of M's binade, and sums of errors fit into a double.  doc/exact.md has the proofs.  */
struct sum
{
  double s, c, m;
};

/* The same sums in each lane.  */
struct sums
{
  vector s, c, m;
  words small; /* not zero where a product may have an error that is no double */
};

/* More than a product below LEAST_PRODUCT and its error are off together.  */
#define SMALL_ERROR 0x1p-1000

#define PRODUCTS 8 /* beside the forms of exact_lanes.h */

/* Products of floats are doubles.  */
#define ARE_ROUNDED(form) (((form) & (PRODUCTS | F32)) == PRODUCTS)

INLINE void
add (struct sum *a, double p, double e)
{
  const double s = a->s + p, error = GT_SUM_ERROR (a->s, p, s);

  a->s = s;
  a->c += error + e;
  a->m += fabs (error) + fabs (e);
}

INLINE void
add_vectors (struct sums *a, vector x, vector y, const int form)
{
  const vector p = form & PRODUCTS ? x * y : x, s = a->s + p;
  const vector error = GT_SUM_ERROR (a->s, p, s);
  vector e;

  a->s = s;
  if (!ARE_ROUNDED (form))
    {
      a->c += error;
      a->m += MAGNITUDES (LANES, error);
      return;
    }
  e = product_error (x, y, p);
  a->c += error + e;
  a->m += MAGNITUDES (LANES, error) + MAGNITUDES (LANES, e);
  a->small |= (words) (MAGNITUDES (LANES, p) < LEAST_PRODUCT) & (words) (x != 0) & (words) (y != 0);
}

/* V's lanes, moved by K.  */
#define MOVED_2(v, k) __builtin_shufflevector (v, v, 1, 0)
#define MOVED_4(v, k) __builtin_shufflevector (v, v, k, 1 ^ k, 2 ^ k, 3 ^ k)
#define MOVED_8(v, k) \
  __builtin_shufflevector (v, v, k, 1 ^ k, 2 ^ k, 3 ^ k, 4 ^ k, 5 ^ k, 6 ^ k, 7 ^ k)
#define MOVED(v, k) GT_PASTE (MOVED, LANES) (v, k)
#define FOLD_BY(a, k) add_lanes (a, MOVED ((a)->s, k), MOVED ((a)->c, k), MOVED ((a)->m, k))

INLINE void
add_lanes (struct sums *a, vector s, vector c, vector m)
{
  const vector sum = a->s + s, error = GT_SUM_ERROR (a->s, s, sum);

  a->s = sum;
  a->c = a->c + c + error;
  a->m = a->m + m + MAGNITUDES (LANES, error);
}

/* The elements, Y being X unless there are two vectors.  */
struct elements
{
  const void *x, *y;
  size_t xs, ys, n;
};

INLINE double
element (const void *x, size_t i, const int form)
{
  const double e = form & F32 ? (double) ((const float *) x)[i] : ((const double *) x)[i];

  return form & MAGNITUDE ? fabs (e) : e;
}

/* Returns term I, and stores its rounding error in *E, or NaN if that may be no double.  */
INLINE double
term (const struct elements *v, size_t i, const int form, double *e)
{
  const double x = element (v->x, i * v->xs, form);
  const double y = form & PRODUCTS ? element (v->y, i * v->ys, form) : 1;
  const double p = form & PRODUCTS ? x * y : x;

  *e = 0;
  if (ARE_ROUNDED (form))
    *e = fabs (p) < LEAST_PRODUCT && x != 0 && y != 0 ? (double) NAN
                                                      : gt_ball_product_error (x, y, p);
  return p;
}

/* Not zero where X is neither zero nor larger than M.  */
INLINE words
up_to (vector x, double m)
{
  return (words) (x != 0) & (words) (MAGNITUDES (LANES, x) <= m);
}

/* Returns whether all terms, their errors and START are zero or larger than M.  */
INLINE int
are_large (const struct elements *v, const int form, double start, double m)
{
  words small = up_to ((vector) {0} + start, m);
  size_t i = 0;
  double e;

  for (; v->n - i >= LANES; i += LANES)
    {
      const vector x = load_elements (v->x, i, v->xs, form);
      const vector y = load_elements (v->y, i, v->ys, form);
      const vector p = form & PRODUCTS ? x * y : x;

      small |= up_to (p, m);
      if (ARE_ROUNDED (form))
        small |= up_to (product_error (x, y, p), m);
    }
  for (; i < v->n; i++)
    small |= up_to ((vector) {0} + term (v, i, form, &e), m) | up_to ((vector) {0} + e, m);
  return FOLD (LANES, words, |, small) == 0;
}

/* Adds N >= LANES terms; the last vector overlaps the one before.  Returns whether products are
   small.  */
INLINE int
take_vectors (const struct elements *v, const int form, struct sum *to)
{
  const size_t last = v->n - LANES;
  struct sums a = {{0}, {0}, {0}, {0}};
  vector x;
  size_t i = 0;

  for (; i <= last; i += LANES)
    add_vectors (&a, load_elements (v->x, i, v->xs, form),
                 load_elements (v->y, i, v->ys, form), form);
  if (i < v->n)
    {
      x = load_elements (v->x, last, v->xs, form);
      add_vectors (&a, LANES_FROM (LANES, i - last, x),
                   load_elements (v->y, last, v->ys, form), form);
    }
#if LANES >= 8
  FOLD_BY (&a, 4);
#endif
#if LANES >= 4
  FOLD_BY (&a, 2);
#endif
  FOLD_BY (&a, 1);
  *to = (struct sum) {a.s[0], a.c[0], a.m[0]};
  return FOLD (LANES, words, |, a.small) != 0;
}

INLINE int
take (const struct elements *v, double start, const int form, struct gt_ball *to)
{
  struct sum a = {0, 0, 0};
  int small = v->n >= LANES && take_vectors (v, form, &a);
  double p, e, rounded;

  for (size_t i = 0; i < v->n && v->n < LANES; i++)
    {
      p = term (v, i, form, &e);
      small |= e != e;
      add (&a, p, fabs (p) < LEAST_PRODUCT ? 0 : e);
    }
  add (&a, start, 0);
  if (!(fabs (a.s) <= DBL_MAX && a.c == a.c))
    return 0;
  *to = gt_ball_of (a.s, a.c, a.m * ((double) (v->n + 32) * 0x1p-53)
                                + (small ? (double) v->n * SMALL_ERROR : 0));
  if (a.m > 0 && !small && !gt_ball_round (*to, &rounded) && are_large (v, form, start, a.m))
    to->radius = 0;
  return 1;
}

int
GT_FOR_ISA (gt_quick_direct) (const struct gt_task *task, double start, struct gt_ball *sum)
{
  static const int kinds[GT_N_REDUCTIONS]
    = {[GT_ASUM] = MAGNITUDE, [GT_DOT] = PRODUCTS, [GT_SUMSQ] = PRODUCTS};
  const struct gt_operand x = task->x, y = task->problem.reduction == GT_DOT ? task->y : x;
  const struct elements v = {x.data, y.data, x.stride, y.stride, task->problem.n};

  switch (kinds[task->problem.reduction] | (task->problem.arithmetic == GT_F32 ? F32 : F64)
          | (x.stride == 1 && y.stride == 1 ? CONTIGUOUS : STRIDED))
    {
#define CASE(form) case form: return take (&v, start, form, sum);
#define CASES(kind)                                                                \
  CASE (F64 | CONTIGUOUS | kind) CASE (F64 | STRIDED | kind)                       \
  CASE (F32 | CONTIGUOUS | kind) CASE (F32 | STRIDED | kind)
      CASES (0)
      CASES (MAGNITUDE)
      CASES (PRODUCTS)
    }
  return 0;
}
