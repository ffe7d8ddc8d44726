/* Numbers that make exact sums hard, and what they sum to on the CPU, for the tests
   of exact mode on a GPU.  Include after tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_GPU_EXACT_H
#define GT_TEST_GPU_EXACT_H

#include "tests/exact.h"
#include "tests/sums.h"
#include "tests/super.h"

/* A positive number whose biased exponent is one of COUNT from FIRST on.  */
static inline double
number_of (unsigned first, unsigned count, uint64_t *state)
{
  uint64_t bits = random_word (state) >> 12;
  double x;

  bits |= (first + random_word (state) % count) << 52;
  memcpy (&x, &bits, sizeof x);
  return x;
}

/* The sum by the CPU's superaccumulator.  */
static inline union gt_value
superaccumulated (enum gt_arithmetic arithmetic, const void *elements, size_t n, size_t stride)
{
  union gt_value sum;

  super_clear (&sum.super);
  if (arithmetic == GT_F64)
    for (size_t i = 0; i < n; i++)
      super_add (&sum.super, ((const double *) elements)[i * stride]);
  else
    for (size_t i = 0; i < n; i++)
      super_add (&sum.super, ((const float *) elements)[i * stride]);
  finish_sum (arithmetic, GT_MODE_EXACT, &sum);
  return sum;
}

#endif
