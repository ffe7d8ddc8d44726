/* Vectors of one arithmetic, as wide as the registers of the instruction set:
   a template of kernels/cpu/each_arithmetic.h, after vectors.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define LANES (GT_VECTOR_BYTES / sizeof (TYPE))
#define VECTOR NAMED (vector)
typedef TYPE VECTOR __attribute__ ((vector_size (GT_VECTOR_BYTES)));
typedef TYPE NAMED (unaligned)
  __attribute__ ((vector_size (GT_VECTOR_BYTES), aligned (__alignof__ (TYPE)),
                  may_alias));

INLINE VECTOR
NAMED (load) (const TYPE *x)
{
  return *(const NAMED (unaligned) *) x;
}
