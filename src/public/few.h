/* The arithmetic of src/public/few.inc, the same for all element types.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FEW_H
#define GT_FEW_H

#include <float.h>
#include <math.h>

#include "kernels/inline.h"
#include "src/public/kinds.h"

/* A statistic of a few elements, not rounded yet, and what its error is relative to,
   or a negative number and the square of that: NaN where the statistic is defined
   otherwise than by exact sums, and 0 where there is no error.  */
struct gt_few
{
  long double value, scale, scale_squared;
};

/* How little of the square of the sum of weights may be left.  */
#define FEW_LEAST_UNBIASED (8 * LDBL_EPSILON / DBL_EPSILON)

/* The means that terms are taken about (struct gt_task).  Each is a sum of two numbers.  The
   first is near the elements, so that elements less both are right to the last digits.  */
struct few_about
{
  long double a, rest_of_a, b, rest_of_b, r;
};

INLINE long double
kept (long double w, long double x)
{
  return w > 0 ? x : 0;
}

INLINE void
few_add (long double sum[GT_MOST_SUMS], long double x, long double y,
         const struct few_about *by, const enum gt_reduction reduction)
{
#define TERM long double
#define LESS_A(x) ((x) - by->a - by->rest_of_a)
#define LESS_B(y) ((y) - by->b - by->rest_of_b)
#define LEFT(x) LESS_A (x)
#define SCALED(t) ((t) * by->r)
#define TIMES(p, q) ((p) * (q))
#define ABSOLUTE(t) __builtin_fabsl (t)
#define MAGNITUDE(x) __builtin_fabsl (x)
#define KEPT(x, t) kept (x, t)
#define KEPT_ELEMENT(x, y) kept (x, y)
#define ADD_TERM(k, t) sum[k] += (t)
#define ADD_PRODUCT(k, p, q) sum[k] += (p) * (q)
#define ADD_WEIGHED(k, w, t) ADD_PRODUCT (k, w, t)
#define ADD_ELEMENTS(k, x, y) ADD_PRODUCT (k, x, y)
#define ADD_ELEMENT(k, x) ADD_TERM (k, x)
#include "kernels/terms.inc"
}

#endif
