/* Vectors of products as unevaluated sums of two doubles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_TWO_PRODUCTS_H
#define GT_KERNELS_CPU_TWO_PRODUCTS_H

#include <float.h>

#include "kernels/cpu/exact/exact_lanes.h"
#include "kernels/cpu/wide/fused.h"

#define NAMED(stem) stem
#define NUMBER vector
#define SPLITTER 0x8000001p0
#include "kernels/cpu/wide/two_product.inc"
#undef NAMED
#undef NUMBER
#undef SPLITTER

/* product_error is exact for products between LEAST_PRODUCT and MOST_PRODUCT whose factors are
   at most MOST_FACTOR: neither splitting a factor nor the product of upper halves, which may
   be larger, may overflow.  */
#define LEAST_PRODUCT 0x1p-968
#ifdef FUSED_1
#define MOST_FACTOR DBL_MAX
#define MOST_PRODUCT DBL_MAX
#else
#define MOST_FACTOR 0x1p995
#define MOST_PRODUCT 0x1p1023
#endif

/* Returns a mask of the lanes whose P Q and its error are not exactly the product.  */
INLINE words
two_product_fails (vector p, vector q)
{
  const vector product = p * q;
  const vector magnitude = MAGNITUDES (LANES, product);
  words fine = (words) (magnitude >= LEAST_PRODUCT)
               & (words) (magnitude <= MOST_PRODUCT);

  fine |= ((words) (p == 0) | (words) (q == 0)) & (words) (product == 0);
  if (MOST_FACTOR < DBL_MAX)
    fine &= (words) (MAGNITUDES (LANES, p) <= MOST_FACTOR)
            & (words) (MAGNITUDES (LANES, q) <= MOST_FACTOR);
  return ~fine;
}

#endif
