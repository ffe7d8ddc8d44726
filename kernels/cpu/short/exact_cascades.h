/* Cascades: sums of few numbers in two doubles, with a bound on what they miss.
   kernels/cpu/short/exact_short.c explains them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_EXACT_CASCADES_H
#define GT_KERNELS_CPU_EXACT_CASCADES_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/exact/exact_lanes.h"
#include "kernels/cpu/exact/two_products.h"

#define LIKELY(condition) __builtin_expect (condition, 1)

/* S + X becomes S and the error E, exactly (Knuth).  Scalars and vectors.  */
#define TWO_SUM(type, s, e, x)                                   \
  do                                                             \
    {                                                            \
      const type x_ = (x), t_ = (s) + x_, b_ = t_ - (s);         \
      (e) = ((s) - (t_ - b_)) + (x_ - b_);                       \
      (s) = t_;                                                  \
    }                                                            \
  while (0)

struct cascade_1
{
  double s, c, m;
};

INLINE void
add_1 (struct cascade_1 *a, double x)
{
  double e;

  TWO_SUM (double, a->s, e, x);
  a->c += e;
  a->m += fabs (e);
}

INLINE int
decide_f64 (const struct cascade_1 *a, double slack, double *sum)
{
  *sum = a->s + (a->c - slack);
  return *sum == a->s + (a->c + slack);
}

/* Here the slack covers that the ends are rounded to doubles first, too.  Both
   ends may be zeros, of different signs; then the sum, a multiple of the
   smallest float, is zero.  */
INLINE int
decide_f32 (const struct cascade_1 *a, double slack, float *sum)
{
  if (LIKELY (a->m == 0))
    {
      *sum = (float) (a->s + a->c);
      return 1;
    }
  slack += (fabs (a->s) + a->m) * 0x1p-51;
  *sum = (float) (a->s + (a->c - slack)) + 0.0f;
  return *sum == (float) (a->s + (a->c + slack));
}

/* Returns S + C, rounded once: to an odd double first, if it is not a
   double.  */
static inline float
round_f32 (const struct cascade_1 *a)
{
  double s = a->s, e;
  int64_t bits;

  TWO_SUM (double, s, e, a->c);
  if (e != 0)
    {
      memcpy (&bits, &s, sizeof bits);
      bits += (((e > 0) == (s > 0)) * 2 - 1) * (int) (~bits & 1);
      memcpy (&s, &bits, sizeof s);
    }
  return (float) s;
}

/* Whether the addends of a sum that came to S have decided it, because some are not
   finite: then it is stored in *SUM.  Y as in struct gt_exact_isa.  */
INLINE int
decide_special (double s, const void *x, size_t x_stride, const void *y,
                size_t y_stride, size_t n, const int form, double *sum)
{
  uint32_t flags;

  if (LIKELY (fabs (s) <= DBL_MAX))
    return 0;
  flags = form & F32
            ? GT_FOR_ISA (gt_exact_special_f32) (x, x_stride, y, y_stride, n)
            : GT_FOR_ISA (gt_exact_special_f64) (x, x_stride, y, y_stride, n);
  if (flags)
    *sum = gt_special_sum (flags);
  return flags != 0;
}

/* From this many elements on, and from this many products, the widest vectors of
   AVX-512 are worth their longer way to one sum.  Strided elements are put into their
   lanes one by one, which takes an Intel processor longest for the upper ones.  */
#define WIDEST_FROM(form) ((form) & STRIDED ? 96u : 48u)
#define WIDEST_PRODUCTS_FROM(form) ((form) & STRIDED ? 1024u : 64u)

#define WIDTH 2
#include "kernels/cpu/short/exact_cascade.inc"
#if LANES >= 4
#define WIDTH 4
#include "kernels/cpu/short/exact_cascade.inc"
#endif
#if LANES >= 8
#define WIDTH 8
#include "kernels/cpu/short/exact_cascade.inc"
#endif

#endif
