/* Vectors of doubles, as wide as the registers of the instruction set, from doubles and from
   floats; and products of integers.  C's vectors have no product of half their lanes and no
   load of fewer elements than a vector has, so these are intrinsics of x86, as in fused.h and
   order_compare.inc, with other forms for all processors.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_VECTOR_PRODUCTS_H
#define GT_KERNELS_CPU_VECTOR_PRODUCTS_H

#include "kernels/cpu/wide/fused.h"
#include "kernels/cpu/isa/vectors.h"

#if defined __x86_64__ && defined __SSE2__
#include <immintrin.h>
#endif

#define DOUBLES (GT_VECTOR_BYTES / sizeof (double)) /* the doubles in a vector */
typedef double doubles __attribute__ ((vector_size (GT_VECTOR_BYTES)));

/* Returns ones for the first COUNT lanes.  */
static const int64_t first_lanes[2 * DOUBLES]
  = {[0 ... DOUBLES - 1] = -1};

INLINE words
first_words (size_t count)
{
  return *(const unaligned_words *) (first_lanes + DOUBLES - count);
}

/* The numbers at P, STEP apart, as a vector of doubles.  GCC 12 converts all lanes of such a
   list by one instruction, but needs several for __builtin_convertvector.  */
#define EVERY_2(p, step) (double) (p)[0], (double) (p)[step]
#define EVERY_4(p, step) \
  EVERY_2 (p, step), (double) (p)[2 * (step)], (double) (p)[3 * (step)]
#if GT_VECTOR_BYTES == 64
#define EVERY(p, step)                                           \
  ((doubles) {EVERY_4 (p, step),                                 \
              (double) (p)[4 * (step)], (double) (p)[5 * (step)], \
              (double) (p)[6 * (step)], (double) (p)[7 * (step)]})
#elif GT_VECTOR_BYTES == 32
#define EVERY(p, step) ((doubles) {EVERY_4 (p, step)})
#else
#define EVERY(p, step) ((doubles) {EVERY_2 (p, step)})
#endif

INLINE doubles
load_f32 (const float *x)
{
  return EVERY (x, 1);
}

/* Returns the first COUNT elements at X, followed by zeros; nothing beyond them is read.  */
INLINE doubles
load_first_f64 (const double *x, size_t count)
{
#if GT_VECTOR_BYTES == 64
  return (doubles) _mm512_maskz_loadu_pd ((__mmask8) ((1u << count) - 1), x);
#elif GT_VECTOR_BYTES == 32
  return (doubles) _mm256_maskload_pd (x, (__m256i) first_words (count));
#else
  (void) count;
  return (doubles) {*x, 0};
#endif
}

INLINE doubles
load_first_f32 (const float *x, size_t count)
{
#if GT_VECTOR_BYTES == 64
  const __mmask8 mask = (__mmask8) ((1u << count) - 1);

  return (doubles) _mm512_cvtps_pd (_mm256_maskz_loadu_ps (mask, x));
#elif GT_VECTOR_BYTES == 32
  static const int32_t first[8] = {-1, -1, -1, -1};
  const __m128i mask = _mm_loadu_si128 ((const __m128i *) (first + 4 - count));

  return (doubles) _mm256_cvtps_pd (_mm_maskload_ps (x, mask));
#else
  (void) count;
  return (doubles) {*x, 0};
#endif
}

/* Returns the products of the lower halves of the lanes, which are integers of 64 bits.  */
INLINE words
products_of_halves (words x, words y)
{
#if defined __x86_64__ && GT_VECTOR_BYTES == 64
  return (words) _mm512_mul_epu32 ((__m512i) x, (__m512i) y);
#elif defined __x86_64__ && GT_VECTOR_BYTES == 32
  return (words) _mm256_mul_epu32 ((__m256i) x, (__m256i) y);
#elif defined __x86_64__ && defined __SSE2__
  return (words) _mm_mul_epu32 ((__m128i) x, (__m128i) y);
#else
  return (x & UINT32_MAX) * (y & UINT32_MAX);
#endif
}

#endif
