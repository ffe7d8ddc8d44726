/* Comparing the vectors of one arithmetic.  C's vectors have no maximum, so
   here are intrinsics: those of x86, where the instruction set has what
   is wanted, beside a form for all processors that compares and selects.

     KEYS   vectors of what is compared: elements, or magnitudes; where only
            signed integers can be compared, unsigned ones with the sign bit
            turned
     HITS   the lanes that a comparison is true for

   A template of kernels/cpu/each_arithmetic.h, after vector_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if !defined GT_ORDER_INTRINSICS
#define GT_ORDER_INTRINSICS

#if defined __x86_64__ && defined __SSE2__
#include <immintrin.h>
#define X86 1
#else
#define X86 0
#endif
#define MASKS (X86 && GT_VECTOR_BYTES == 64)

/* What intrinsics begin with and end with, and what they take.  */
#if MASKS
#define WIDTH(suffix) _mm512_##suffix
#define REGISTER_(suffix) __m512##suffix
#elif X86 && GT_VECTOR_BYTES == 32
#define WIDTH(suffix) _mm256_##suffix
#define REGISTER_(suffix) __m256##suffix
#else
#define WIDTH(suffix) _mm_##suffix
#define REGISTER_(suffix) __m128##suffix
#endif
#define INTRINSIC_f64(op, after) WIDTH (op##_pd##after)
#define INTRINSIC_f32(op, after) WIDTH (op##_ps##after)
#define INTRINSIC_u64(op, after) WIDTH (op##_epu64##after)
#define INTRINSIC_u32(op, after) WIDTH (op##_epu32##after)
#define INTRINSIC_u16(op, after) WIDTH (op##_epu16##after)
#define INTRINSIC_u8(op, after) WIDTH (op##_epu8##after)
#define INTRINSIC_i64(op, after) WIDTH (op##_epi64##after)
#define INTRINSIC_i32(op, after) WIDTH (op##_epi32##after)
#define INTRINSIC_i16(op, after) WIDTH (op##_epi16##after)
#define INTRINSIC_i8(op, after) WIDTH (op##_epi8##after)
#define INTRINSIC(op, after) NAMED (INTRINSIC) (op, after)

/* Whether there is an instruction for the maximum, and whether unsigned
   integers do without.  */
#if MASKS
#define HAS_MAXIMUM 1
#elif X86 && (GT_VECTOR_BYTES == 32 || defined __SSE4_1__)
#define HAS_MAXIMUM (REAL || BYTES < 8)
#elif X86
#define HAS_MAXIMUM (REAL || BYTES == (SIGNED ? 2 : 1))
#else
#define HAS_MAXIMUM 0
#endif
#define IS_BIASED (X86 && !REAL && !SIGNED && !HAS_MAXIMUM)

/* Words of V, by number.  */
#if defined __clang__
#define SHUFFLE(v, ...) __builtin_shufflevector (v, v, __VA_ARGS__)
#else
#define SHUFFLE(v, ...) __builtin_shuffle (v, (words) {__VA_ARGS__})
#endif

#endif /* GT_ORDER_INTRINSICS */

#define KEYS NAMED (keys)
#define HITS NAMED (hits)
#if !IS_BIASED
#define KEY TYPE
#elif BYTES == 8
#define KEY int64_t
#elif BYTES == 4
#define KEY int32_t
#else
#define KEY int16_t
#endif
typedef KEY KEYS __attribute__ ((vector_size (GT_VECTOR_BYTES)));
#if !MASKS
typedef words HITS;
#elif BYTES == 8
typedef __mmask8 HITS;
#elif BYTES == 4
typedef __mmask16 HITS;
#elif BYTES == 2
typedef __mmask32 HITS;
#else
typedef __mmask64 HITS;
#endif
#if X86 && REAL && BYTES == 8
#define REGISTER REGISTER_ (d)
#elif X86 && REAL
#define REGISTER REGISTER_ ()
#elif X86
#define REGISTER REGISTER_ (i)
#endif

INLINE KEYS
NAMED (keys_of) (VECTOR v, const int magnitudes)
{
  if (magnitudes)
    return (KEYS) ((words) v & ~GT_SIGN_BITS (sizeof (TYPE)));
  if (IS_BIASED)
    return (KEYS) ((words) v ^ GT_SIGN_BITS (sizeof (TYPE)));
  return (KEYS) v;
}

/* In each lane of A and B the greater, or if SMALLEST the smaller; that of B
   where they are equal or one is NaN.  */
INLINE KEYS
NAMED (better) (KEYS a, KEYS b, const int smallest)
{
#if HAS_MAXIMUM
  return smallest
    ? (KEYS) INTRINSIC (min,) ((REGISTER) a, (REGISTER) b)
    : (KEYS) INTRINSIC (max,) ((REGISTER) a, (REGISTER) b);
#elif IS_BIASED && BYTES == 2
  return smallest ? (KEYS) _mm_min_epi16 ((__m128i) a, (__m128i) b)
                  : (KEYS) _mm_max_epi16 ((__m128i) a, (__m128i) b);
#else
  const words first = smallest ? (words) (a < b) : (words) (a > b);

#if X86 && GT_VECTOR_BYTES == 32
  return (KEYS) _mm256_blendv_epi8 ((__m256i) b, (__m256i) a, (__m256i) first);
#else
  return (KEYS) ((first & (words) a) | (~first & (words) b));
#endif
#endif
}

/* Where A is greater than B, or if SMALLEST smaller.  */
INLINE HITS
NAMED (beats) (KEYS a, KEYS b, const int smallest)
{
#if MASKS && REAL
  return smallest
    ? INTRINSIC (cmp, _mask) ((REGISTER) a, (REGISTER) b, _CMP_LT_OQ)
    : INTRINSIC (cmp, _mask) ((REGISTER) a, (REGISTER) b, _CMP_GT_OQ);
#elif MASKS
  return smallest ? INTRINSIC (cmplt, _mask) ((REGISTER) a, (REGISTER) b)
                  : INTRINSIC (cmpgt, _mask) ((REGISTER) a, (REGISTER) b);
#else
  return smallest ? (words) (a < b) : (words) (a > b);
#endif
}

INLINE HITS
NAMED (equal) (KEYS a, KEYS b)
{
#if MASKS && REAL
  return INTRINSIC (cmp, _mask) ((REGISTER) a, (REGISTER) b, _CMP_EQ_OQ);
#elif MASKS
  return INTRINSIC (cmpeq, _mask) ((REGISTER) a, (REGISTER) b);
#else
  return (words) (a == b);
#endif
}

#if REAL
/* Where A or B is NaN, and wherever SO_FAR says.  */
INLINE HITS
NAMED (unordered) (HITS so_far, VECTOR a, VECTOR b)
{
#if MASKS
  return so_far
         | INTRINSIC (cmp, _mask) ((REGISTER) a, (REGISTER) b, _CMP_UNORD_Q);
#elif X86 && GT_VECTOR_BYTES == 32
  return so_far
         | (words) INTRINSIC (cmp,) ((REGISTER) a, (REGISTER) b, _CMP_UNORD_Q);
#elif X86
  return so_far | (words) INTRINSIC (cmpunord,) ((REGISTER) a, (REGISTER) b);
#else
  return so_far | (words) (a != a) | (words) (b != b);
#endif
}
#endif

/* Whether there are hits, and which lane the first is in.  */
INLINE int
NAMED (any) (HITS hits)
{
#if MASKS
  return hits != 0;
#elif X86 && GT_VECTOR_BYTES == 32
  return _mm256_movemask_epi8 ((__m256i) hits) != 0;
#elif X86
  return _mm_movemask_epi8 ((__m128i) hits) != 0;
#else
  return (hits[0] | hits[1]) != 0;
#endif
}

INLINE size_t
NAMED (first_lane) (HITS hits)
{
#if MASKS
  return (size_t) __builtin_ctzll (hits);
#elif X86 && GT_VECTOR_BYTES == 32
  const int bytes = _mm256_movemask_epi8 ((__m256i) hits);

  return (size_t) __builtin_ctz ((unsigned) bytes) / sizeof (TYPE);
#elif X86
  const int bytes = _mm_movemask_epi8 ((__m128i) hits);

  return (size_t) __builtin_ctz ((unsigned) bytes) / sizeof (TYPE);
#else
  const VECTOR lanes = (VECTOR) hits;
  size_t k = 0;

  while (lanes[k] == 0)
    k++;
  return k;
#endif
}

/* KEY in all lanes, copied as an integer: whatever is done to a real may
   change its sign or its payload.  */
INLINE KEYS
NAMED (splat) (KEY key)
{
#if REAL && BYTES == 8
  typedef uint64_t bits;
#elif REAL
  typedef uint32_t bits;
#else
  typedef KEY bits;
#endif
  typedef bits vector __attribute__ ((vector_size (GT_VECTOR_BYTES)));
  bits copy;

  memcpy (&copy, &key, sizeof copy);
  return (KEYS) ((vector) {0} + copy);
}

/* In lane 0 the best of the lanes that lie STRIDE apart from it on.  */
INLINE KEYS
NAMED (fold) (KEYS best, const unsigned stride, const int smallest)
{
  const unsigned bits = 8 * stride * (unsigned) sizeof (TYPE);
#define WITH(v) best = NAMED (better) ((KEYS) (v), best, smallest)

#if GT_VECTOR_BYTES == 64
  WITH (SHUFFLE ((words) best, 4, 5, 6, 7, 0, 1, 2, 3));
  if (bits <= 128)
    WITH (SHUFFLE ((words) best, 2, 3, 0, 1, 6, 7, 4, 5));
  if (bits <= 64)
    WITH (SHUFFLE ((words) best, 1, 0, 3, 2, 5, 4, 7, 6));
#elif GT_VECTOR_BYTES == 32
  WITH (SHUFFLE ((words) best, 2, 3, 0, 1));
  if (bits <= 64)
    WITH (SHUFFLE ((words) best, 1, 0, 3, 2));
#else
  if (bits <= 64)
    WITH (SHUFFLE ((words) best, 1, 0));
#endif
  if (bits <= 32)
    WITH (NEXT (best, 32));
  if (bits <= 16)
    WITH (NEXT (best, 16));
  if (bits <= 8)
    WITH (NEXT (best, 8));
#undef WITH
  return best;
}
