/* Dot products, norms and means of short vectors, correctly rounded without an accumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>

#include "kernels/cpu/short/exact_anchored.h"
#include "kernels/cpu/short/exact_short_sums.h"

/* Cascades as in kernels/cpu/short/exact_short.c: S + C misses the exact sum by a slack at
   most.  Of a product, P is added as an element is, and its rounding error goes to C
   with that of the addition.  That holds unless a product is so small that its
   error need not be a double: then nothing can be told, unless the product is zero
   because a factor is.  What overflows leaves a NaN or an infinity in C or M.

   What is made of sums is computed in intervals (kernels/cpu/short/exact_intervals.h).
   In the end the two ends of the interval must round alike (Ziv).  A mean may be a tie:
   where S + C is exact, and n is no power of two, n times the midpoint is
   compared with it.

   doc/exact.md has the proofs in full.  */

struct pair_of_vectors
{
  const void *x, *y;
  size_t x_stride, y_stride;
};

#define WIDTH 2
#include "kernels/cpu/short/exact_cascade_products.inc"
#if LANES >= 4
#define WIDTH 4
#include "kernels/cpu/short/exact_cascade_products.inc"
#endif
#if LANES >= 8
#define WIDTH 8
#include "kernels/cpu/short/exact_cascade_products.inc"
#endif

/* ----------------------------------------------------------------- Sums */

INLINE double
element (const void *x, size_t i, const int form)
{
  return form & F32 ? (double) ((const float *) x)[i]
                    : ((const double *) x)[i];
}

INLINE double
first_of (const struct pair_of_vectors *v, size_t i, const int form)
{
  return element (v->x, i * v->x_stride, form);
}

INLINE double
second_of (const struct pair_of_vectors *v, size_t i, const int form)
{
  return element (v->y, i * v->y_stride, form);
}

/* Where FORM says that elements are not contiguous they may be.  *IS_SMALL tells whether a
   product is too small for its error to be a double.  */
INLINE struct short_sum
add_products_and (const struct pair_of_vectors *v, size_t n, const int form,
                  int *is_small)
{
  struct short_sum sum;
  int small;

  if (n == 1)
    {
      const double p = first_of (v, 0, form), q = second_of (v, 0, form);
      const double e = form & F32 ? 0 : product_error_1 (p, q, p * q);

      sum = (struct short_sum) {{p * q, e, fabs (e)}, 0};
      small = !(form & F32) && fabs (p * q) < LEAST_PRODUCT && p != 0
              && q != 0;
    }
#if LANES >= 8
  else if (n >= WIDEST_PRODUCTS_FROM (form))
    sum = sum_products_8 (v, n, form, &small);
#endif
#if LANES >= 4
  else if (n >= 4)
    sum = sum_products_4 (v, n, form, &small);
#endif
  else
    sum = sum_products_2 (v, n, form, &small);
  if (!LIKELY (!small))
    allow_for_small (&sum, n);
  *is_small = small;
  return sum;
}

INLINE struct short_sum
add_products (const struct pair_of_vectors *v, size_t n, const int form)
{
  int small;

  return add_products_and (v, n, form, &small);
}

INLINE struct short_sum
add_plain (const void *x, size_t stride, size_t n, const int form)
{
  if (n == 1)
    return (struct short_sum) {{element (x, 0, form), 0, 0}, 0};
#if LANES >= 8
  if (n >= WIDEST_FROM (form))
    return sum_plain_8 (x, n, stride, form);
#endif
#if LANES >= 4
  if (n >= 4)
    return sum_plain_4 (x, n, stride, form);
#endif
  return sum_plain_2 (x, n, stride, form);
}

#ifdef FUSED_1
#define HAS_QUICK_PRODUCTS 1
#else
#define HAS_QUICK_PRODUCTS 0
#endif

static struct short_sum __attribute__ ((noinline))
sum_many_products (const double *x, const double *y, size_t n)
{
  return anchored_sum (x, y, n, F64 | PRODUCTS);
}

/* Whether there is a quick way to the sum of N products.  */
INLINE int
are_many (size_t n, const int form)
{
  return HAS_QUICK_PRODUCTS && n >= ANCHORED_PRODUCTS_FROM && form == (F64 | CONTIGUOUS);
}

/* Whether S + C of N >= 2 elements is exact, M being the magnitudes of all errors.  */
static int __attribute__ ((noinline, cold))
are_large (const void *x, size_t n, size_t stride, const int form, double m)
{
  return n < LANES ? are_large_2 (x, n, stride, form, m)
                   : GT_PASTE (are_large, LANES) (x, n, stride, form, m);
}

/* The same of products.  */
static int __attribute__ ((noinline, cold))
products_are_large (const struct pair_of_vectors *v, size_t n, const int form, double m)
{
  return n < LANES ? products_are_large_2 (v, n, form, m)
                   : GT_PASTE (products_are_large, LANES) (v, n, form, m);
}

/* Whether factors that are not finite have decided the sum of products that came to
   S.  */
INLINE int
decide_products (double s, const struct pair_of_vectors *v, size_t n,
                 const int form, double *sum)
{
  return decide_special (s, v->x, v->x_stride, v->y, v->y_stride, n, form, sum);
}

/* ------------------------------------------------------------ Functions */

/* By way of doubles: these are at most 2^-53 of H away.  */
INLINE int
settle_as_f32 (struct interval v, float *to)
{
  v.s += fabs (v.h) * 0x1p-51;
  *to = (float) (v.h + (v.l - v.s));
  return *to == (float) (v.h + (v.l + v.s));
}

/* Whether the sum of products is told by themselves; *S is what they came to.  */
INLINE int
sum_decided (const struct pair_of_vectors *v, size_t n, const int form, double *s,
             double *to)
{
  int small;
  struct short_sum sum;

  if (are_many (n, form))
    {
      sum = sum_many_products (v->x, v->y, n);
      if (LIKELY (decide_f64 (&sum.a, sum.slack, to)))
        return 1;
      *to = sum.a.s + sum.a.c;
      if (sum.a.m > 0 && products_are_large (v, n, form, sum.a.m))
        return 1;
    }
  *s = 0;
  if (n > GT_CUTOFF_LONG_CASCADES)
    return 0;
  sum = add_products_and (v, n, form, &small);
  *s = sum.a.s;
  if (LIKELY (decide_f64 (&sum.a, sum.slack, to)))
    return 1;
  *to = sum.a.s + sum.a.c;
  return !small && n > 1 && products_are_large (v, n, form, sum.a.m);
}

INLINE int
dot_f64 (const struct pair_of_vectors *v, size_t n, double alpha,
         const int form, double *to)
{
  double s;

  if (alpha != 0)
    return 0;
  return LIKELY (sum_decided (v, n, form, &s, to))
         || decide_products (s, v, n, form, to);
}

/* Of products of floats, which are exact, and of ALPHA, which is one more.  What
   rounds to zero but is not keeps its sign: where the ends differ in that, nothing is
   told.  */
INLINE int
dot_f32 (const struct pair_of_vectors *v, size_t n, float alpha,
         const int form, float *to)
{
  struct short_sum sum;
  double special = 0;

  if (n > GT_CUTOFF_LONG_CASCADES)
    return 0;
  sum = add_products (v, n, form);
  add_1 (&sum.a, (double) alpha);
  sum.slack = sum.a.m * ((double) (n + 12) * 0x1p-53);
  if (LIKELY (decide_f32 (&sum.a, sum.slack, to)))
    return *to != 0 || sum.a.m == 0;
  if (decide_products (sum.a.s, v, n, form, &special)
      || !(fabsf (alpha) <= FLT_MAX))
    {
      special += (double) alpha;
      *to = special == special ? (float) special : (float) NAN;
      return 1;
    }
  if (n == 1 || !products_are_large (v, n, form, sum.a.m)
      || (alpha != 0 && fabs ((double) alpha) <= sum.a.m))
    return 0;
  *to = round_f32 (&sum.a);
  return 1;
}

/* The interval of the norm, or infinity or NaN where it is that.  A sum of squares that
   is zero has none that is not.  */
INLINE int
norm (const struct pair_of_vectors *v, size_t n, const int form,
      struct interval *of)
{
  const struct short_sum sum = add_products (v, n, form);

  *of = interval_of (&sum);
  if (of->h == 0 && of->s == 0)
    return 1;
  if (decide_products (sum.a.s, v, n, form, &of->h))
    {
      of->l = of->s = 0;
      return 1;
    }
  if (!has_root (*of))
    return 0;
  *of = root (*of);
  return 1;
}

/* The norm of many numbers, rounded.  */
INLINE int
norm_of_many (const double *x, size_t n, double *to)
{
  const struct short_sum sum = sum_many_products (x, x, n);
  const struct interval of = interval_of (&sum);

  return has_root (of) && settle_as_f64 (root (of), to);
}

/* Whether V, exact, is N times the point midway between A and B, neighbours, on
   either side of V / N.  All terms are multiples of half of the last unit of A, and
   nearly cancel.  */
INLINE int
is_midway (struct interval v, double n, double a, double b)
{
  const double product = n * a, error = product_error_1 (n, a, product);

  return (product - v.h) + error + n * ((b - a) / 2) == v.l;
}

static int __attribute__ ((noinline, cold))
tied_mean (const void *x, size_t stride, size_t n, const int form, double m,
           struct interval v, double *to)
{
  const struct interval q = quotient (v, (double) n);
  const double a = q.h + (q.l - q.s), b = q.h + (q.l + q.s);

  if (n == 1 || !are_large (x, n, stride, form, m)
      || !is_midway (v, (double) n, a, b))
    return 0;
  *to = a + (b - a) / 2;
  return 1;
}

INLINE int
mean (const void *x, size_t stride, size_t n, const int form, double *to)
{
  const struct short_sum sum = add_plain (x, stride, n, form);
  const struct interval v = interval_of (&sum);

  if (v.h == 0 && v.s == 0)
    {
      *to = 0;
      return 1;
    }
  if (!is_safe (v.h))
    return decide_special (sum.a.s, x, stride, NULL, 0, n, form, to);
  if (LIKELY (settle_as_f64 (quotient (v, (double) n), to)))
    return 1;
  return tied_mean (x, stride, n, form, sum.a.m, v, to);
}

#define NAMED(stem) GT_PASTE (stem, NAME)

#define NAME f64
#define TYPE double
#define FORM F64
#include "kernels/cpu/short/exact_short_sums_entries.inc"

#define NAME f32
#define TYPE float
#define FORM F32
#include "kernels/cpu/short/exact_short_sums_entries.inc"

static int
product_f32_f64 (const float *x, size_t x_stride, const float *y,
                 size_t y_stride, size_t n, double *to)
{
  const struct pair_of_vectors v = {x, y, x_stride, y_stride};

  return x_stride == 1 && y_stride == 1
           ? dot_f64 (&v, n, 0, F32 | CONTIGUOUS, to)
           : dot_f64 (&v, n, 0, F32 | STRIDED, to);
}

static int
mean_of (const struct gt_task *task, double *to)
{
  const struct gt_operand x = task->x;
  const size_t n = task->problem.n;

  if (task->problem.arithmetic == GT_F64)
    return x.stride == 1 ? mean (x.data, 1, n, F64 | CONTIGUOUS, to)
                         : mean (x.data, x.stride, n, F64 | STRIDED, to);
  return x.stride == 1 ? mean (x.data, 1, n, F32 | CONTIGUOUS, to)
                       : mean (x.data, x.stride, n, F32 | STRIDED, to);
}

const struct gt_short_isa GT_FOR_ISA (gt_short_isa) = {
#define X(name, ctype, result)                                         \
  .sum_##name = GT_FOR_ISA (gt_exact_short_##name),                    \
  .magnitudes_##name = GT_FOR_ISA (gt_exact_short_magnitudes_##name),  \
  .dot_##name = product_##name,                                        \
  .norm_##name = norm_##name,
  GT_SHORT_TYPES (X)
#undef X
  .dot_f32_f64 = product_f32_f64,
  .mean = mean_of,
  .complex_dot = GT_FOR_ISA (gt_exact_complex_dot)
};
