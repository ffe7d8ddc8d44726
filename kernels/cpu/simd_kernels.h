/* The functions of simd.c for one arithmetic: a template of
   kernels/cpu/each_arithmetic.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if VECTORS
#include "kernels/cpu/vector_type.h"
#include "kernels/cpu/simd_vector.h"
#endif
#include "kernels/cpu/lift.h"
#include "kernels/cpu/simd_strided.h"
#if VECTORS
#include "kernels/cpu/simd_contiguous.h"
#else
INLINE void
NAMED (contiguous) (const TYPE *x, size_t n, const unsigned u, FOR,
                    TYPE sum[2])
{
  NAMED (strided) (x, n, 1, u, FOR_IT, sum);
}
#endif

ENTRIES (fast, GT_SUM, GT_MODE_FAST)
#if REAL
ENTRIES (compensated, GT_SUM, GT_MODE_COMPENSATED)
#endif
#if REAL && VECTORS
ENTRIES (asum_fast, GT_ASUM, GT_MODE_FAST)
ENTRIES (asum_compensated, GT_ASUM, GT_MODE_COMPENSATED)
#endif

#undef LANES
#undef VECTOR
#undef PART
