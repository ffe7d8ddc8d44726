/* Sums of few elements, of their magnitudes, or of products, in two doubles, or in three if
   two do not decide the rounding, with an error bound.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>

#include "kernels/cpu/quick/quick.h" /* before FUSED is that of vectors */
#include "kernels/cpu/exact/two_products.h"
#include "kernels/cpu/wide/two_sum.h"
#include "kernels/cutoffs.h"

/* The sum of the terms is S plus the rounding errors, which are exact (Knuth), like those of
   products.  C is the sum of these errors, M the sum of their magnitudes, which bounds the
   error of C.  In a DEEP sum D adds up the errors of C's additions, which are exact as well,
   and M their magnitudes: if M is 0, the sum is S + C exactly.  doc/exact.md has the
   proofs.  */
struct sums
{
  vector s, c, d, m;
  words small; /* not zero in lanes where the error of a product may not be a double */
};

/* A bound on the combined error of a product below LEAST_PRODUCT and its rounding error.  */
#define SMALL_ERROR 0x1p-1000

/* Forms in addition to those of exact_lanes.h: sums of products; sums of both parts of complex
   numbers; and two sums, of the real and of the imaginary parts of complex products.  */
#define PRODUCTS 8
#define COMPLEX 16
#define TWO_SUMS 32
#define SUMS_OF(form) ((form) & TWO_SUMS ? 2 : 1)

/* The number of elements between checks that the sum is finite; if it is not, errors are
   NaN.  */
#define AT_ONCE ((size_t) 512)
#define IS_FINITE(c) (FOLD (LANES, words, |, (words) (c != c)) == 0)

/* Products of floats are exact in double.  */
#define ARE_ROUNDED(form) (((form) & (PRODUCTS | F32)) == PRODUCTS)

INLINE void
add_error (struct sums *a, vector e, const int deep)
{
  const vector c = a->c + e, error = deep ? GT_SUM_ERROR (a->c, e, c) : e;

  a->c = c;
  if (deep)
    a->d += error;
  a->m += MAGNITUDES (LANES, error);
}

INLINE void
add_term (struct sums *a, vector p, const int deep)
{
  const vector s = a->s + p, error = GT_SUM_ERROR (a->s, p, s);

  a->s = s;
  add_error (a, error, deep);
}

INLINE void
add_vectors (struct sums *a, vector x, vector y, const int form, const int deep)
{
  const vector p = form & PRODUCTS ? x * y : x;
  const words zero = (words) (x == 0) | (words) (y == 0);

  add_term (a, p, deep);
  if (!ARE_ROUNDED (form))
    return;
  add_error (a, product_error (x, y, p), deep);
  a->small |= (words) (MAGNITUDES (LANES, p) < LEAST_PRODUCT) & ~zero;
}

#define FOLD_BY(a, k, deep) \
  add_lanes (a, MOVED ((a)->s, k), MOVED ((a)->c, k), MOVED ((a)->d, k), MOVED ((a)->m, k), deep)

INLINE void
add_lanes (struct sums *a, vector s, vector c, vector d, vector m, const int deep)
{
  a->d += d;
  a->m += m;
  if (deep)
    add_error (a, c, deep);
  else
    a->c += c;
  add_term (a, s, deep);
}

/* The elements; Y is X unless there are two vectors.  For complex numbers N counts both parts.
   SIGNS changes the signs of y's parts for the real parts of products and, with y's parts
   exchanged, for the imaginary parts.  */
struct elements
{
  const void *x, *y;
  size_t xs, ys, n;
  words signs[2];
};

/* The parts of complex numbers that are K apart.  */
#define PARTS_2(p, k) (double) (p)[0], (double) (p)[1]
#define PARTS_4(p, k) PARTS_2 (p, k), PARTS_2 ((p) + (k), k)
#define PARTS_8(p, k) PARTS_4 (p, k), PARTS_4 ((p) + 2 * (k), k)

/* Returns elements I to I + LANES - 1 (I is even for complex numbers), or one element or
   complex number in the first lanes if ONE is set.  */
INLINE vector
load (const void *x, size_t i, size_t stride, const int form, const int one)
{
  const double *const d = (const double *) x + i * stride;
  const float *const f = (const float *) x + i * stride;
  vector v;

  if (!one && !(form & COMPLEX))
    return load_elements (x, i, stride, form);
  if (one && !(form & COMPLEX))
    v = (vector) {form & F32 ? (double) *f : *d};
  else if (one)
    v = form & F32 ? (vector) {PARTS_2 (f, 0)} : (vector) {PARTS_2 (d, 0)};
  else
    v = form & F32 ? (vector) {GT_PASTE (PARTS, LANES) (f, 2 * stride)}
                   : (vector) {GT_PASTE (PARTS, LANES) (d, 2 * stride)};
  return form & MAGNITUDE ? MAGNITUDES (LANES, v) : v;
}

/* Adds the terms of the elements from I on, or of one element if ONE is set, without the first
   SKIPPED lanes.  */
INLINE void
add_elements (const struct elements *v, size_t i, size_t skipped, const int form, const int one,
              const int deep, struct sums *a)
{
  const vector all = load (v->x, i, v->xs, form, one), y = load (v->y, i, v->ys, form, one);
  const vector x = skipped ? LANES_FROM (LANES, skipped, all) : all;

  if (form & TWO_SUMS)
    {
      add_vectors (&a[0], x, (vector) ((words) y ^ v->signs[0]), form, deep);
      add_vectors (&a[1], x, (vector) ((words) MOVED (y, 1) ^ v->signs[1]), form, deep);
    }
  else
    add_vectors (a, x, y, form, deep);
}

/* Adds up all terms and START in the first lane.  The last vector overlaps the one before.  */
INLINE void
add_all (const struct elements *v, double start, const int form, const int deep, struct sums *a)
{
  const size_t n = v->n, step = form & COMPLEX ? 2 : 1;
  size_t i = 0;

  for (int k = 0; k < SUMS_OF (form); k++)
    a[k] = (struct sums) {{0}, {0}, {0}, {0}, {0}};
  for (; i < n && n < LANES; i += step)
    add_elements (v, i, 0, form, 1, deep, a);
  for (size_t end; n - i >= LANES && IS_FINITE (a->c);)
    for (end = n - i < AT_ONCE ? n : i + AT_ONCE; end - i >= LANES; i += LANES)
      add_elements (v, i, 0, form, 0, deep, a);
  if (i < n)
    add_elements (v, n - LANES, i - (n - LANES), form, 0, deep, a);
  for (int k = 0; k < SUMS_OF (form); k++)
    {
#if LANES >= 8
      if (n >= LANES)
        FOLD_BY (&a[k], 4, deep);
#endif
#if LANES >= 4
      if (n >= LANES)
        FOLD_BY (&a[k], 2, deep);
#endif
      if (n >= LANES || form & COMPLEX)
        FOLD_BY (&a[k], 1, deep);
      add_term (&a[k], (vector) {start}, deep);
    }
}

/* Stores a ball about the sum A of N terms.  Its radius is 0 if the sum is exact.  */
INLINE void
enclose (const struct sums *a, size_t n, struct gt_ball *to)
{
  const struct gt_ball errors = gt_ball_of (a->c[0], a->d[0], 0);
  const struct gt_ball sum = gt_ball_of (a->s[0], errors.h, 0);
  const struct gt_ball rest = gt_ball_of (sum.l, errors.l, 0);

  *to = gt_ball_of (sum.h, rest.h, a->m[0] * ((double) (n + 32) * 0x1p-53) + fabs (rest.l));
}

INLINE int
take (const struct elements *v, double start, const int form, struct gt_ball *to)
{
  struct sums a[2];
  double rounded;
  int deep = 0;

  add_all (v, start, form, 0, a);
  for (int k = 0; k < SUMS_OF (form); k++)
    {
      if (!(fabs (a[k].s[0]) <= DBL_MAX && a[k].c[0] == a[k].c[0]))
        return 0;
      to[k] = gt_ball_of (a[k].s[0], a[k].c[0], a[k].m[0] * ((double) (v->n + 32) * 0x1p-53));
      if (FOLD (LANES, words, |, a[k].small) != 0)
        to[k] = gt_ball_widened (to[k], (double) v->n * SMALL_ERROR);
      else if (a[k].m[0] > 0 && !gt_ball_round (to[k], &rounded))
        deep |= 1 << k;
    }
  if (deep)
    add_all (v, start, form, 1, a);
  for (int k = 0; k < SUMS_OF (form); k++)
    if (deep >> k & 1)
      enclose (&a[k], v->n, &to[k]);
  return 1;
}

int
GT_FOR_ISA (gt_quick_direct) (const struct gt_task *task, double start, struct gt_ball *sum)
{
  static const int kinds[GT_N_REDUCTIONS]
    = {[GT_ASUM] = MAGNITUDE, [GT_DOT] = PRODUCTS, [GT_SUMSQ] = PRODUCTS, [GT_CDOT] = PRODUCTS | TWO_SUMS};
  const enum gt_arithmetic arithmetic = task->problem.arithmetic;
  const enum gt_reduction reduction = task->problem.reduction;
  const int is_complex = gt_is_complex (arithmetic);
  const int two = reduction == GT_DOT || reduction == GT_CDOT;
  const struct gt_operand x = task->x, y = two ? task->y : x;
  const words odd = ((words) GT_PASTE (NUMBERS, LANES) & 1) << 63;
  const struct elements v = {x.data, y.data, x.stride, y.stride, task->problem.n << is_complex,
                             {task->scale < 0 ? (words) {0} : odd,
                              task->scale < 0 ? odd : (words) {0}}};

#if GT_VECTOR_BYTES == 64
  if (v.n <= GT_CUTOFF_DIRECT)
    return gt_quick_direct_avx2 (task, start, sum); /* fewer lanes to add up */
#endif
  switch (kinds[reduction]
          | (gt_part_arithmetic (arithmetic) == GT_F32 ? F32 : F64)
          | (is_complex ? COMPLEX : x.stride == 1 && y.stride == 1 ? CONTIGUOUS : STRIDED))
    {
#define CASE(form) case form: return take (&v, start, form, sum);
#define CASES(kind)                                                                \
  CASE (F64 | CONTIGUOUS | kind) CASE (F64 | STRIDED | kind)                       \
  CASE (F32 | CONTIGUOUS | kind) CASE (F32 | STRIDED | kind)
      CASES (0)
      CASES (MAGNITUDE)
      CASES (PRODUCTS)
#define COMPLEX_CASES(kind) CASE (F64 | COMPLEX | kind) CASE (F32 | COMPLEX | kind)
      COMPLEX_CASES (MAGNITUDE)
      COMPLEX_CASES (PRODUCTS)
      COMPLEX_CASES (PRODUCTS | TWO_SUMS)
#undef CASE
    }
  return 0;
}

/* The number of vectors that are checked at a time.  */
#define MOST_VECTORS 16

/* Returns whether all elements of VECTORS vectors are finite, and, if NORMAL is all ones, not
   subnormal.  Examines their bits.  */
INLINE int
are_ordinary (const struct gt_operand *x, size_t i, size_t vectors, const int form, words normal)
{
  const words exponent = (words) {0} + (UINT64_C (0x7ff) << 52);
  words hits = {0};

  for (size_t k = 0; k < vectors; k++)
    {
      const words bits = (words) load_elements (x->data, i + k * LANES, x->stride, form) & ~SIGN;

      hits |= (words) ((bits & exponent) == exponent)
              | ((words) ((bits & exponent) == 0) & (words) (bits != 0) & normal);
    }
  return FOLD (LANES, words, |, hits) == 0;
}

INLINE size_t
pass_ordinary (const struct gt_operand *x, size_t i, size_t n, const int form, words normal)
{
  for (size_t vectors; n - i >= LANES; i += vectors * LANES)
    {
      vectors = (n - i) / LANES < MOST_VECTORS ? (n - i) / LANES : MOST_VECTORS;
      if (are_ordinary (x, i, vectors, form, normal))
        continue;
      while (are_ordinary (x, i, 1, form, normal))
        i += LANES;
      break;
    }
  return i;
}

size_t
GT_FOR_ISA (gt_quick_ordinary) (const struct gt_operand *x, size_t from, size_t n, int is_float,
                                int normal)
{
  switch ((is_float ? F32 : F64) | (x->stride == 1 ? CONTIGUOUS : STRIDED))
    {
#define CASE(form) case form: return pass_ordinary (x, from, n, form, (words) {0} - (uint64_t) normal);
      CASES (0)
    }
  return from;
}
