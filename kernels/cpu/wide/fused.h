/* Multiplication and addition of vectors, rounded once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_FUSED_H
#define GT_KERNELS_CPU_FUSED_H

/* C's vectors have no such operation, so these are intrinsics of x86.  FUSED is undefined if
   the instruction set has no such instruction, or if the compiler does not target it;
   kernels/cpu/wide/two_product.inc has a form for all processors.  */
#if defined __x86_64__ && defined __FMA__
#include <immintrin.h>
/* p q + s for doubles, for vectors of doubles and for vectors of floats; vectors have
   GT_VECTOR_BYTES.  */
#define FUSED_1(p, q, s) __builtin_fma (p, q, s)
#if GT_VECTOR_BYTES == 64
#define FUSED(p, q, s) ((__typeof__ (s)) _mm512_fmadd_pd (p, q, s))
#define FUSED_FLOATS(p, q, s) ((__typeof__ (s)) _mm512_fmadd_ps (p, q, s))
#elif GT_VECTOR_BYTES == 32
#define FUSED(p, q, s) ((__typeof__ (s)) _mm256_fmadd_pd (p, q, s))
#define FUSED_FLOATS(p, q, s) ((__typeof__ (s)) _mm256_fmadd_ps (p, q, s))
#else
#define FUSED(p, q, s) ((__typeof__ (s)) _mm_fmadd_pd (p, q, s))
#define FUSED_FLOATS(p, q, s) ((__typeof__ (s)) _mm_fmadd_ps (p, q, s))
#endif
#endif

#endif
