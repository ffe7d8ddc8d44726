/* The superaccumulator: an exact sum of doubles and floats, in fixed point.
   Read by the host's C and C++ compilers, by nvcc and by tests/softgpu.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_SUPERACCUMULATOR_H
#define GT_KERNELS_SUPERACCUMULATOR_H

#include <stdint.h>
#include <string.h>

/* Every finite double is a whole multiple of 2^-1074, so a sum of doubles is a
   sum of integers: if it is wide enough, it is exact, it does not depend on the
   order, and sums of parts can be added.  It is rounded once, at the
   end (kernels/whole.inc).  That is the long accumulator of U. Kulisch ("Computer Arithmetic and
   Validity", 2nd edition, 2013, chapter 8).

   Layout.  The value is the sum over i of word[i] * 2^(32 i - 1074).  A word
   has 64 bits and a sign but receives 32 at a time: the rest is room for the
   carries, which stay in their word instead of being propagated at every
   addition (the carry-save form of R. M. Neal, "Fast Exact Summation Using
   Small and Large Superaccumulators", 2015).  An addition touches three words
   at most and reads none of them, so threads of a GPU may make it with integer
   atomics, in any order, with the same words at the end (as S. Collange,
   D. Defour, S. Graillat and R. Iakymchuk do, "Numerical reproducibility for
   the parallel reduction on multi- and many-core architectures", 2015).

   No word overflows.  A significand of at most 64 bits, shifted by at most 31,
   is cut into three digits below 2^32; a negative number has negative digits.
   So an addend changes a word by at most 2^32 - 1, and after c addends

     |word[i]| <= c (2^32 - 1).

   `count' is such a c.  Normalising propagates the carries: afterwards all
   words except the last are in [0, 2^32), the last has the sign, and count is 1.
   The code that adds notes the number of addends, at most 2^30 at a time;
   noting normalises if count exceeds GT_SUPER_LIMIT = 2^30; so count is at most 2^30 between
   calls and 2^31 within one, where |word[i]| <= 2^63 - 2^31.  Carries are in
   [-2^31, 2^31 - 1], so that normalising does not overflow either.  With
   fewer spare bits, words would overflow in rare cases: with 52 of 63 bits for digits the
   sum of 2^12 equal numbers would be wrong.

   The last word receives the carries.  A double is less than 2^1024,
   which is bit 2098 above 2^-1074; a sum of 2^64 of them is less than bit 2162.
   Word 67 begins at bit 2144, so it stays below 2^18 plus the carries that the
   other words have not propagated, which are less than 2^32.

   All of it is integer code.  The caller's rounding mode, flushing of
   subnormals and traps neither matter nor change.  */

#if defined __CUDACC__
#define GT_SUPER static __host__ __device__ __forceinline__
#else
#define GT_SUPER static inline
#endif

#define GT_SUPER_WORDS 68
#define GT_SUPER_LOWEST (-1074)
#define GT_SUPER_LIMIT ((uint32_t) 1 << 30)

/* Flags of the special values that were added to the sum, in addition to other values.  */
#define GT_SUPER_PLUS_INFINITY 1u
#define GT_SUPER_MINUS_INFINITY 2u
#define GT_SUPER_NAN 4u

/* An empty sum is all zeros.  */
struct gt_superaccumulator
{
  int64_t word[GT_SUPER_WORDS];
  uint32_t count;
  uint32_t flags;
};

/* ------------------------------------------- Words, of any number */

/* Propagates carries.  A right shift of a negative number rounds downward with every compiler
   that gsltune knows.  */
GT_SUPER void
gt_super_carry (int64_t *word, int n)
{
  int64_t carry = 0;

  for (int i = 0; i < n - 1; i++)
    {
      const int64_t sum = word[i] + carry;
      word[i] = (uint32_t) sum;
      carry = sum >> 32;
    }
  word[n - 1] += carry;
}

/* Notes that K <= GT_SUPER_LIMIT addends have been added.  */
GT_SUPER void
gt_super_note (int64_t *word, int n, uint32_t *count, uint32_t k)
{
  *count += k;
  if (*count > GT_SUPER_LIMIT)
    {
      gt_super_carry (word, n);
      *count = 1;
    }
}

/* ---------------------------------------------------- Cutting into digits */

/* The words of an addend: digit[k] is added to word[first + k].  */
struct gt_super_digits
{
  int first;
  int64_t digit[3];
};

/* Divides SIGNIFICAND * 2^(LOWEST + POSITION) into digits; it is negative if NEGATIVE is
   1.  */
GT_SUPER struct gt_super_digits
gt_super_cut (uint64_t significand, int negative, int position)
{
  const int shift = position & 31;
  const uint64_t low = significand << shift;
  const int64_t sign = -(int64_t) negative;
  struct gt_super_digits digits;

  digits.first = position >> 5;
  digits.digit[0] = ((int64_t) (low & 0xffffffffu) ^ sign) - sign;
  digits.digit[1] = ((int64_t) (low >> 32) ^ sign) - sign;
  digits.digit[2] = ((int64_t) (significand >> 1 >> (63 - shift)) ^ sign) - sign;
  return digits;
}

/* Returns the flag of an infinity or NaN.  */
GT_SUPER uint32_t
gt_super_flag (int is_nan, int negative)
{
  return is_nan ? GT_SUPER_NAN
         : negative ? GT_SUPER_MINUS_INFINITY : GT_SUPER_PLUS_INFINITY;
}

/* SIGNIFICAND * 2^(POSITION - 1074), negative if NEGATIVE is 1.  A number that is not finite
   is a NaN, or an infinity if SIGNIFICAND is 0.  */
struct gt_factor
{
  uint64_t significand;
  int position, negative, finite;
};

/* Splits BITS of an IEEE 754 interchange format with STORED bits of the significand.  HIGHEST
   is its highest exponent, and its smallest number is bit LOWEST of the words.  */
GT_SUPER struct gt_factor
gt_factor_of_bits (uint64_t bits, int stored, int highest, int lowest)
{
  const int exponent = (int) (bits >> stored) & highest;
  struct gt_factor factor;
  int normal;

  factor.finite = exponent != highest;
  normal = factor.finite & (exponent != 0);
  factor.significand = (bits & (((uint64_t) 1 << stored) - 1)) | (uint64_t) normal << stored;
  factor.position = exponent - normal + lowest;
  factor.negative = (int) (bits >> stored) > highest;
  return factor;
}

GT_SUPER struct gt_factor
gt_factor_f64 (double x)
{
  uint64_t bits;

  memcpy (&bits, &x, sizeof bits);
  return gt_factor_of_bits (bits, 52, 0x7ff, 0);
}

GT_SUPER struct gt_factor
gt_factor_f32 (float x)
{
  uint32_t bits;

  memcpy (&bits, &x, sizeof bits);
  return gt_factor_of_bits (bits, 23, 0xff, -149 - GT_SUPER_LOWEST);
}

/* Divides X into digits.  Returns 0, or the flag of a number that has no digits; then *digits
   is undefined.  */
GT_SUPER uint32_t
gt_super_cut_factor (struct gt_factor x, struct gt_super_digits *digits)
{
  if (!x.finite)
    return gt_super_flag (x.significand != 0, x.negative);
  *digits = gt_super_cut (x.significand, x.negative, x.position);
  return 0;
}

/* Adds N words to N others; they may be the same.  */
GT_SUPER void
gt_super_add_words (int64_t *into, const int64_t *from, int n)
{
  for (int i = 0; i < n; i++)
    into[i] += from[i];
}

/* Adds FROM to INTO; they may be the same.  */
GT_SUPER void
gt_super_merge (struct gt_superaccumulator *into,
                const struct gt_superaccumulator *from)
{
  gt_super_add_words (into->word, from->word, GT_SUPER_WORDS);
  into->flags |= from->flags;
  gt_super_note (into->word, GT_SUPER_WORDS, &into->count, from->count);
}

/* Returns whether the result is NaN: a NaN, or both infinities, were added.  There is no other
   way to get one.  */
GT_SUPER int
gt_super_is_nan (uint32_t flags)
{
  return flags >= (GT_SUPER_PLUS_INFINITY | GT_SUPER_MINUS_INFINITY);
}

#endif
