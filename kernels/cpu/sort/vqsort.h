/* The interface of vqsort.cc, vectorized quicksort, for each instruction set, in builds with
   Highway (M. Blacher, J. Giesen, P. Sanders and J. Wassenberg, "Vectorized and
   performance-portable quicksort", 2022).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_VQSORT_H
#define GT_KERNELS_CPU_VQSORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts N elements.  None may be NaN, and all zeros must have the same sign.  */
typedef void gt_sort_function (void *x, size_t n);

/* X(id, name, C type) for each kind of element except numbers of 128 bits and integers of 16
   bits.  The latter have a faster method, and for them g++ copies to the stack, for each
   vector, the 2 KiB that Highway needs with AVX2.  */
#define GT_VQSORT_KINDS(X) \
  X (F64, f64, double)     \
  X (F32, f32, float)      \
  X (U64, u64, uint64_t)   \
  X (U32, u32, uint32_t)   \
  X (I64, i64, int64_t)    \
  X (I32, i32, int32_t)

struct gt_vqsorts
{
#define X(id, name, ctype) gt_sort_function *name;
  GT_VQSORT_KINDS (X)
#undef X
  gt_sort_function *u128;
};

extern const struct gt_vqsorts gt_vqsorts_avx2, gt_vqsorts_avx512;

#ifdef __cplusplus
}
#endif

#endif
