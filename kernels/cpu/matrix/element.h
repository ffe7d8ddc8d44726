/* An element of a matrix product on its way to one rounding.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_ELEMENT_H
#define GT_KERNELS_CPU_ELEMENT_H

#include "kernels/cpu/matrix/tile_vectors.h"
#include "kernels/cpu/wide/two_sum.h"

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

/* As a float, unless that is zero: then it is not told whether something was there.  */
INLINE vector
rounded_to_float (vector x)
{
  const GT_PASTE (elements_f32, LANES) floats = floats_of (x);
  const vector rounded = __builtin_convertvector (floats, vector);

  return where ((words) (rounded == 0), x, rounded);
}

/* Rounds both ends of an element, to float if it is SINGLE.  Returns the lanes whose ends
   differ.  What is subnormal has an error of more than it is, unless it has none; what
   overflows on the way is not a number.  */
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

#endif
