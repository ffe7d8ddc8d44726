/* Whole numbers with many words, for the final step of exact sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_WHOLE_H
#define GT_KERNELS_WHOLE_H

#include <float.h>
#include <stdint.h>

/* Functions of the host, which kernels/cpu/finish defines.  A kernel that finishes sums on a
   device has its own copies (kernels/cuda/finish.cuh); long ones are not inlined.  There none
   of these returns a structure, because ptxas 13.0 confuses members of the results of two such
   calls.  */
#if defined GT_ON_DEVICE && defined __CUDACC__
#define GT_FINISH_LOOP static inline __noinline__ __device__
#define GT_FINISH_PART static __device__ __forceinline__
#else
#define GT_FINISH_LOOP static inline
#define GT_FINISH_PART static inline
#endif
#if defined GT_ON_DEVICE
#define GT_FINISH_FUNCTION GT_FINISH_LOOP
#define GT_FINISH_VALUE GT_FINISH_PART
#else
#define GT_FINISH_FUNCTION
#define GT_FINISH_VALUE
#endif

/* The sum over i < n of word[i] * 2^(64 (low + i)), with the sign of NEGATIVE.  Neither the
   first word nor the last is 0; n is 0 for zero.  So sums of numbers of similar magnitude have
   few words.

   The words are in the caller's memory; each function documents the necessary length.  No
   function fails or allocates memory.  */
struct gt_whole
{
  uint64_t *word;
  int n, low;
  int negative;
};

/* Returns the N words of a superaccumulator, N even, in units of its lowest bit: N / 2 + 1
   words.  */
GT_FINISH_VALUE struct gt_whole gt_whole_from_super (uint64_t *room, const int64_t *word,
                                     int n);

/* Returns COUNT words in two's complement: COUNT words.  */
GT_FINISH_VALUE struct gt_whole gt_whole_from_words (uint64_t *room, const uint64_t *word,
                                     int count);

/* Returns X, which is a finite multiple of 2^UNIT, in units of 2^UNIT: 2 words.  */
GT_FINISH_VALUE struct gt_whole gt_whole_from_double (uint64_t *room, double x, int unit);

/* Returns N: 1 word.  */
GT_FINISH_VALUE struct gt_whole gt_whole_from_count (uint64_t *room, uint64_t n);

/* Multiplies X by 2^BITS in place: one word more.  */
GT_FINISH_FUNCTION void gt_whole_shift (struct gt_whole *x, int bits);

/* Returns X Y: the sum of the numbers of words.  */
GT_FINISH_VALUE struct gt_whole gt_whole_product (uint64_t *room, const struct gt_whole *x,
                                  const struct gt_whole *y);

/* Returns X - Y: one word more than from the lowest to the highest word of both.  */
GT_FINISH_VALUE struct gt_whole gt_whole_difference (uint64_t *room, const struct gt_whole *x,
                                     const struct gt_whole *y);

/* OVER / UNDER * 2^UNIT, the quotient of magnitudes, or its square root if ROOT is 1; negative
   if NEGATIVE is 1.  UNDER is not zero; a null pointer means 1.  */
struct gt_ratio
{
  const struct gt_whole *over, *under;
  int unit, root, negative;
};

/* Returns RATIO rounded to nearest, ties to even, once.  Zero is +0; a result that underflows
   keeps its sign.  */
GT_FINISH_FUNCTION double gt_ratio_round (const struct gt_ratio *ratio);
GT_FINISH_FUNCTION float gt_ratio_round_float (const struct gt_ratio *ratio);

/* RATIO, which is no root, is rounded down to DIGITS 2^EXPONENT, negative if NEGATIVE is 1.
   DIGITS has 64 bits, or 128 if long doubles need them.  A number that has no more bits and is
   above RATIO is above the rounded one too, and vice versa.  Zero if UNDER is zero.  */
#if LDBL_MANT_DIG > 64 && !defined GT_ON_DEVICE
__extension__ typedef unsigned __int128 gt_digits;
#else
typedef uint64_t gt_digits;
#endif
#define GT_DIGITS_BITS ((int) sizeof (gt_digits) * 8)
struct gt_centre
{
  gt_digits digits;
  int exponent, negative;
};
GT_FINISH_VALUE struct gt_centre gt_ratio_floor (const struct gt_ratio *ratio);

#endif
