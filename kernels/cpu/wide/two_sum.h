/* A sum of two numbers and its rounding error.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_TWO_SUM_H
#define GT_KERNELS_CPU_TWO_SUM_H

/* Adds X to the sum S and the exact rounding error of that addition to the compensation C.
   Neumaier compares magnitudes to find the operand that was rounded; TwoSum (D. Knuth, The Art
   of Computer Programming, volume 2, section 4.2.2, theorem B) yields the same error without a
   branch, for scalars and vectors alike.  It must be compiled with -ffp-contract=off and
   without reassociation.  */
#define GT_TWO_SUM(type, s, c, x)                     \
  do                                                  \
    {                                                 \
      type x_ = (x);                                  \
      type t_ = (s) + x_;                             \
      (c) += GT_SUM_ERROR (s, x_, t_);                \
      (s) = t_;                                       \
    }                                                 \
  while (0)

/* Returns the rounding error of T, the rounded sum of S and X.  */
#define GT_SUM_ERROR(s, x, t) (((s) - ((t) - ((t) - (s)))) + ((x) - ((t) - (s))))

#endif
