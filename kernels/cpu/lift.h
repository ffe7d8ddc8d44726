/* What a reduction adds up of an element: the element itself or its magnitude,
   scalars and vectors alike.  REDUCTION is a constant, so that sums pay
   nothing.  A template of kernels/cpu/each_arithmetic.h, after inline.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if !defined GT_LIFT
#define GT_LIFT
#define LIFT(x) NAMED (lift) (x, reduction)
/* BITS are those of the vector V, of 64-bit words.  */
#define LIFT_BITS(bits, v) \
  ((__typeof__ (v)) ((bits) (v) & ~GT_SIGN_BITS (sizeof (TYPE))))
#define LIFT_VECTOR(v) (reduction == GT_ASUM ? LIFT_BITS (words, v) : (v))
#define LIFT_PART(v) (reduction == GT_ASUM ? LIFT_BITS (part_words, v) : (v))
#endif

INLINE TYPE
NAMED (lift) (TYPE x, const enum gt_reduction reduction)
{
#if REAL
  if (reduction == GT_ASUM)
    return NAMED (MAGNITUDE) (x);
#endif
  (void) reduction;
  return x;
}
