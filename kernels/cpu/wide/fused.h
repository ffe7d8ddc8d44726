/* Multiplication and addition of vectors, rounded once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_FUSED_H
#define GT_KERNELS_CPU_FUSED_H

/* C's vectors have no such operation, so here are intrinsics of x86.  FUSED is
   undefined where the instruction set has none, and where the compiler is not told of
   one: kernels/cpu/wide/two_product.inc has a form for all processors.  */
#if defined __x86_64__ && defined __FMA__
#include <immintrin.h>
/* p q + s, of doubles, and of vectors of GT_VECTOR_BYTES: of doubles, and of floats.  */
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
