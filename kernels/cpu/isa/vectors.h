/* Definitions for kernels that use GCC's vectors: their bits, parts of 16 bytes, unrolled
   loops.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_VECTORS_H
#define GT_KERNELS_CPU_VECTORS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/inline.h"

/* Hides a value from Clang, which would compute several multiples of a stride by a chain of
   additions.  */
#define HIDE(offset) __asm__ ("" : "+r"(offset))

INLINE unsigned
least (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* The number of additions to an accumulator of fast sums.  Then the accumulators are added to
   a total, whose rounding errors are kept.  With terms of the same sign and size each addition
   may round in the same direction, so that the error of N additions is up to N / 2 units.  */
#define SHORT_CHAIN 12u

/* Adds X to the total S, whose compensation is C.  The result is that of TwoSum if |X| <= |S|;
   if X is larger, an error in X's last place remains (T. J. Dekker, "A floating-point
   technique for extending the available precision", Numerische Mathematik 18, 1971).  */
#define ADD_TO_TOTAL(type, s, c, x)   \
  do                                  \
    {                                 \
      const type t_ = (s) + (x);      \
                                      \
      (c) += (x) - (t_ - (s));        \
      (s) = t_;                       \
    }                                 \
  while (0)

/* A loop over at least this many vectors begins at an aligned one, because a load that crosses
   a cache line costs as much as two.  */
#define ALIGNED_FROM 16

/* The bits of a vector, and of parts of 16 bytes, which are used to add up its lanes.  */
typedef uint64_t words __attribute__ ((vector_size (GT_VECTOR_BYTES)));
typedef uint64_t unaligned_words
  __attribute__ ((vector_size (GT_VECTOR_BYTES), aligned (1), may_alias));
#define PART_BYTES 16
#define PARTS (GT_VECTOR_BYTES / PART_BYTES)
typedef uint64_t part_words __attribute__ ((vector_size (PART_BYTES)));

#define PART_OF(v, k) \
  ((part_words) {((words) (v))[2 * (k)], ((words) (v))[2 * (k) + 1]})
#define SECOND_WORD(v) \
  ((part_words) {((part_words) (v))[1], ((part_words) (v))[1]})
/* Moves the lanes after the first BITS bits to the first lane.  */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NEXT(v, bits) ((words) (v) >> (bits))
#define NEXT_BITS(v, bits) ((part_words) (v) >> (bits))
#else
#define NEXT(v, bits) ((words) (v) << (bits))
#define NEXT_BITS(v, bits) ((part_words) (v) << (bits))
#endif

/* Reverses the words of each part.  */
#if GT_VECTOR_BYTES == 16
#define OTHER_WORDS 1, 0
#elif GT_VECTOR_BYTES == 32
#define OTHER_WORDS 1, 0, 3, 2
#else
#define OTHER_WORDS 1, 0, 3, 2, 5, 4, 7, 6
#endif
#if defined __clang__
#define SWAP_WORDS(v) __builtin_shufflevector ((words) (v), (words) (v), OTHER_WORDS)
#else
#define SWAP_WORDS(v) __builtin_shuffle ((words) (v), (words) {OTHER_WORDS})
#endif

/* A word of sign bits of integers or reals of SIZE bytes.  */
#define GT_SIGN_BITS(size) \
  (UINT64_MAX / (UINT64_MAX >> (64 - 8 * (size))) << (8 * (size) - 1))

/* Returns a mask for every STRIDEth element of SIZE bytes, beginning with the first of a
   vector; STRIDE is a power of two.  */
INLINE words
sieve (const unsigned size, const unsigned stride)
{
  const unsigned period = least (size * stride, 8);
  uint64_t word = UINT64_MAX >> (64 - 8 * size);
  words mask = {0};

  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
    word <<= 8 * (period - size);
  word *= UINT64_MAX / (UINT64_MAX >> (64 - 8 * period));
  UNROLL
  for (unsigned k = 0; k < GT_VECTOR_BYTES / 8; k++)
    mask[k] = 8 * k % (size * stride) == 0 ? word : 0;
  return mask;
}

#endif
