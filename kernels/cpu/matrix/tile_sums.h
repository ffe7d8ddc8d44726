/* The addends of sums of products, and of norms (kernels/cpu/matrix/tiles.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_TILE_SUMS_H
#define GT_KERNELS_CPU_TILE_SUMS_H

#include <math.h>

#include "kernels/cpu/matrix/tile_vectors.h"

/* As load_some, of the last N terms, if those before them may be read.  */
INLINE vector
load_last (const double *x, size_t i, size_t n)
{
  const words there = (words) ((words) GT_PASTE (NUMBERS, LANES) >= LANES - n);

  if (i < LANES)
    return load_some (x, i, n);
  return (vector) ((words) load_doubles (x + i + n - LANES) & there);
}

/* Adds A B.  With a fused operation only the sum and the last addition are
   rounded:  S + A B is cut off without another rounding on the way.  */
INLINE void
add_product (vector *s, vector *l, vector a, vector b, const int plain)
{
#ifdef FUSED_1
  const vector sum = FUSED (a, b, *s);

  if (!plain)
    *l += FUSED (a, b, *s - sum);
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

/* --------------------------------------------------------------- Deep sums */

/* Computes X - Y by the units that multiply, because a deep sum keeps the units that add
   busier.  */
INLINE vector
less (vector x, vector y)
{
#ifdef FUSED_1
  return FUSED (y, (vector) {0} - 1, x);
#else
  return x - y;
#endif
}

/* Adds A B to S, and leaves what is cut off for the next step: a processor does not look
   ahead far enough to begin a term while the one before is on its way to L.  Sums are apart,
   as gcc moves structures by way of memory.  */
INLINE void
add_high (vector *s, vector a, vector b, vector *cut, vector *error)
{
  const vector product = a * b, sum = *s + product;

  *error = product_error (a, b, product);
  *cut = product - less (sum, *s);
  *s = sum;
}

INLINE void
add_rest (vector *m, vector *l, vector cut, vector error)
{
  const vector sum = *m + (cut + error);

  *l += less (cut, less (sum, *m)) + error;
  *m = sum;
}

/* Takes the anchor off M, after whole units of M have moved to S, and those of L to
   M.  */
INLINE void
settle_deep (vector *s, vector *m, vector *l, vector anchor)
{
  vector middle = *m - anchor, sum = *s + middle;

  middle -= sum - *s;
  *s = sum;
  middle += anchor;
  sum = middle + *l;
  *l -= sum - middle;
  *m = sum - anchor;
}

/* ------------------------------------------------------------------- Norms */

INLINE vector
square_and (vector x, vector sum)
{
#ifdef FUSED_1
  return FUSED (x, x, sum);
#else
  return x * x + sum;
#endif
}

/* As gt_scale_of.  */
INLINE vector
scales_of (vector squares)
{
  const words fine
    = (words) (squares >= GT_LEAST_SQUARES) & (words) (squares <= GT_MOST_SQUARES);
  const words bits = (words) (squares * GT_SQUARES_MARGIN);

  return where (fine, (vector) (((bits >> 52) + 1025) / 2 << 52), all_of ((double) NAN));
}

#endif
