/* Vectors of products as unevaluated sums of two doubles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_TWO_PRODUCTS_H
#define GT_KERNELS_CPU_TWO_PRODUCTS_H

#include "kernels/cpu/exact_lanes.h"

/* C's vectors have no fused operations, so here are intrinsics, those of x86,
   beside a form for all processors: a factor is split in halves, whose products
   are exact (T. J. Dekker, "A floating-point technique for extending the available
   precision", 1971).  */
#if LANES == 8
#include <immintrin.h>
#define FUSED_MINUS(p, q, s) ((vector) _mm512_fmsub_pd (p, q, s))
#elif LANES == 4
#include <immintrin.h>
#define FUSED_MINUS(p, q, s) ((vector) _mm256_fmsub_pd (p, q, s))
#elif defined __FP_FAST_FMA
#define FUSED_MINUS(p, q, s)                         \
  ((vector) {__builtin_fma ((p)[0], (q)[0], -(s)[0]), \
             __builtin_fma ((p)[1], (q)[1], -(s)[1])})
#else
INLINE vector
upper_half (vector x)
{
  const vector moved = 0x8000001p0 * x;

  return moved - (moved - x);
}
#endif

/* What P Q is more than PRODUCT, which is P Q rounded.  */
INLINE vector
product_error (vector p, vector q, vector product)
{
#ifdef FUSED_MINUS
  return FUSED_MINUS (p, q, product);
#else
  const vector upper_p = upper_half (p), lower_p = p - upper_p;
  const vector upper_q = upper_half (q), lower_q = q - upper_q;

  return lower_p * lower_q - (((product - upper_p * upper_q)
                               - upper_p * lower_q)
                              - lower_p * upper_q);
#endif
}

/* Of products at least so large product_error is exact, if the factors are less than
   so much: splitting must not overflow.  */
#define LEAST_PRODUCT 0x1p-968
#ifdef FUSED_MINUS
#define MOST_FACTOR DBL_MAX
#else
#define MOST_FACTOR 0x1p995
#endif

/* Not zero where P Q and its error do not make up the product.  */
INLINE words
two_product_fails (vector p, vector q)
{
  const vector product = p * q;
  const vector magnitude = MAGNITUDES (LANES, product);
  words fine = (words) (magnitude >= LEAST_PRODUCT)
               & (words) (magnitude <= DBL_MAX);

  if (MOST_FACTOR < DBL_MAX)
    fine &= (words) (MAGNITUDES (LANES, p) <= MOST_FACTOR)
            & (words) (MAGNITUDES (LANES, q) <= MOST_FACTOR);
  fine |= ((words) (p == 0) | (words) (q == 0)) & (words) (product == 0);
  return ~fine;
}

#endif
