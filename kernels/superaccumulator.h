/* The superaccumulator: an exact sum of doubles and floats, in fixed point.
   Read by the host's C and C++ compilers, by nvcc and by tests/softgpu.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_SUPERACCUMULATOR_H
#define GT_KERNELS_SUPERACCUMULATOR_H

#include <stdint.h>
#include <string.h>

/* Every finite double is a whole multiple of 2^-1074, so a sum of doubles is a
   sum of integers: kept wide enough it is exact, it does not depend on the
   order, and it can be put together from pieces.  It is rounded once, at the
   end.  That is the long accumulator of U. Kulisch ("Computer Arithmetic and
   Validity", 2nd edition, 2013, chapter 8).

   Layout.  The value is the sum over i of word[i] * 2^(32 i - 1074).  A word
   has 64 bits and a sign but receives 32 at a time: the rest is room for the
   carries, which are left where they arise instead of being passed on at every
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

   `count' is such a c.  To normalise is to pass the carries on: afterwards all
   words but the last lie in [0, 2^32), the last has the sign, and count is 1.
   Whoever adds notes how many, 2^30 at most at a time, and noting normalises
   when count is past GT_SUPER_LIMIT = 2^30; so count is at most 2^30 between
   calls and 2^31 within one, where |word[i]| <= 2^63 - 2^31.  Carries lie in
   [-2^31, 2^31 - 1], so that normalising does not overflow either.  A word of
   fewer spare bits fails where nobody looks: with 52 of 63 bits for digits the
   sum of 2^12 equal numbers would be wrong.

   The last word takes what is carried to it.  A double is less than 2^1024,
   which is bit 2098 above 2^-1074; a sum of 2^64 of them is less than bit 2162.
   Word 67 begins at bit 2144, so it stays below 2^18 plus what the other words
   have not passed on, less than 2^32.  Rounding wants less than bit 2175, that
   is less than 2^1101: 2^77 addends of any size.

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

/* Flags of the special values that a sum has met, whatever else it met.  */
#define GT_SUPER_PLUS_INFINITY 1u
#define GT_SUPER_MINUS_INFINITY 2u
#define GT_SUPER_NAN 4u

/* All zero is an empty sum.  */
struct gt_superaccumulator
{
  int64_t word[GT_SUPER_WORDS];
  uint32_t count;
  uint32_t flags;
};

/* ------------------------------------------- Words, however many there are */

/* Passes carries on.  To shift a negative number right rounds downward with
   every compiler that gsltune knows.  */
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

/* The words of an addend: digit[k] to word[first + k].  */
struct gt_super_digits
{
  int first;
  int64_t digit[3];
};

/* Cuts SIGNIFICAND * 2^(LOWEST + POSITION), negative if NEGATIVE is 1.  */
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

/* The flag of an infinity or NaN.  */
GT_SUPER uint32_t
gt_super_flag (int is_nan, int negative)
{
  return is_nan ? GT_SUPER_NAN
         : negative ? GT_SUPER_MINUS_INFINITY : GT_SUPER_PLUS_INFINITY;
}

/* Cut a double and a float, any.  Return 0, or the flag of what has no digits;
   then *digits means nothing.  */
GT_SUPER uint32_t
gt_super_cut_f64 (double x, struct gt_super_digits *digits)
{
  uint64_t bits, fraction;
  int exponent, negative, normal;

  memcpy (&bits, &x, sizeof bits);
  fraction = bits & (((uint64_t) 1 << 52) - 1);
  exponent = (int) (bits >> 52) & 0x7ff;
  negative = (int) (bits >> 63);
  normal = exponent != 0;
  if (exponent == 0x7ff)
    return gt_super_flag (fraction != 0, negative);
  *digits = gt_super_cut (fraction | (uint64_t) normal << 52, negative,
                          exponent - normal);
  return 0;
}

GT_SUPER uint32_t
gt_super_cut_f32 (float x, struct gt_super_digits *digits)
{
  uint32_t bits, fraction;
  int exponent, negative, normal;

  memcpy (&bits, &x, sizeof bits);
  fraction = bits & (((uint32_t) 1 << 23) - 1);
  exponent = (int) (bits >> 23) & 0xff;
  negative = (int) (bits >> 31);
  normal = exponent != 0;
  if (exponent == 0xff)
    return gt_super_flag (fraction != 0, negative);
  *digits = gt_super_cut (fraction | (uint32_t) normal << 23, negative,
                          exponent - normal - 149 - GT_SUPER_LOWEST);
  return 0;
}

/* ----------------------------------------------------------------- Adding */

GT_SUPER void
gt_super_clear (struct gt_superaccumulator *acc)
{
  memset (acc, 0, sizeof *acc);
}

/* Adds digits, or takes the flag, without noting it.  */
GT_SUPER void
gt_super_put (struct gt_superaccumulator *acc,
              const struct gt_super_digits *digits)
{
  int64_t *word = acc->word + digits->first;

  word[0] += digits->digit[0];
  word[1] += digits->digit[1];
  word[2] += digits->digit[2];
}

GT_SUPER void
gt_super_put_f64 (struct gt_superaccumulator *acc, double x)
{
  struct gt_super_digits digits;
  const uint32_t flag = gt_super_cut_f64 (x, &digits);

  if (flag)
    acc->flags |= flag;
  else
    gt_super_put (acc, &digits);
}

GT_SUPER void
gt_super_put_f32 (struct gt_superaccumulator *acc, float x)
{
  struct gt_super_digits digits;
  const uint32_t flag = gt_super_cut_f32 (x, &digits);

  if (flag)
    acc->flags |= flag;
  else
    gt_super_put (acc, &digits);
}

/* Notes that K <= GT_SUPER_LIMIT addends have been put, or added to the words
   by other means.  */
GT_SUPER void
gt_super_noted (struct gt_superaccumulator *acc, uint32_t k)
{
  gt_super_note (acc->word, GT_SUPER_WORDS, &acc->count, k);
}

GT_SUPER void
gt_super_add (struct gt_superaccumulator *acc, double x)
{
  gt_super_put_f64 (acc, x);
  gt_super_noted (acc, 1);
}

GT_SUPER void
gt_super_add_float (struct gt_superaccumulator *acc, float x)
{
  gt_super_put_f32 (acc, x);
  gt_super_noted (acc, 1);
}

/* Adds M * 2^E, -1074 <= E <= 1037, any M: what was gathered elsewhere.  */
GT_SUPER void
gt_super_add_scaled (struct gt_superaccumulator *acc, int64_t m, int e)
{
  const uint64_t magnitude = m < 0 ? -(uint64_t) m : (uint64_t) m;
  const struct gt_super_digits digits
    = gt_super_cut (magnitude, m < 0, e - GT_SUPER_LOWEST);

  gt_super_put (acc, &digits);
  gt_super_noted (acc, 1);
}

/* Adds N words to others; they may be the same.  */
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
  gt_super_noted (into, from->count);
}

/* Afterwards equal values have equal words.  */
GT_SUPER void
gt_super_normalise (struct gt_superaccumulator *acc)
{
  gt_super_carry (acc->word, GT_SUPER_WORDS);
  acc->count = 1;
}

/* --------------------------------------------------------------- Rounding */

/* The magnitude of normalised words.  */
struct gt_super_magnitude
{
  const int64_t *word;
  int n;
  int negative;
  int lowest;  /* the lowest bit that is set, */
  int highest; /* and the highest; -1 when all are zero */
};

/* Digit I of the magnitude.  A negative value is in two's complement: below
   the lowest bit that is set all are zero, above it all are inverted.  */
GT_SUPER uint32_t
gt_super_digit (const struct gt_super_magnitude *m, int i)
{
  uint32_t digit;

  if (i >= m->n)
    return 0;
  digit = (uint32_t) m->word[i];
  if (!m->negative)
    return digit;
  return i <= m->lowest / 32 ? -digit : ~digit;
}

GT_SUPER int
gt_super_top_bit (uint32_t digit)
{
#if defined __CUDA_ARCH__
  return 31 - __clz ((int) digit);
#else
  return 31 - __builtin_clz (digit);
#endif
}

GT_SUPER struct gt_super_magnitude
gt_super_measure (const int64_t *word, int n)
{
  struct gt_super_magnitude m = {word, n, word[n - 1] < 0, -1, -1};
  int i = 0;

  while (i < n && word[i] == 0)
    i++;
  if (i == n)
    return m;
  m.lowest = 32 * i + gt_super_top_bit ((uint32_t) word[i]
                                        & -(uint32_t) word[i]);
  i = n - 1;
  while (gt_super_digit (&m, i) == 0)
    i--;
  m.highest = 32 * i + gt_super_top_bit (gt_super_digit (&m, i));
  return m;
}

/* The 64 bits from bit AT upward.  */
GT_SUPER uint64_t
gt_super_bits (const struct gt_super_magnitude *m, int at)
{
  const int i = at >> 5, shift = at & 31;
  const uint64_t low = gt_super_digit (m, i)
                       | (uint64_t) gt_super_digit (m, i + 1) << 32;
  const uint64_t high = gt_super_digit (m, i + 2);

  return low >> shift | high << 1 << (63 - shift);
}

/* Whether the bits from AT upward, ODD or not, are to be raised by one: to
   nearest, ties to even.  */
GT_SUPER int
gt_super_raises (const struct gt_super_magnitude *m, int at, int odd)
{
  if (at == 0 || (gt_super_bits (m, at - 1) & 1) == 0)
    return 0;
  return odd || m->lowest < at - 1;
}

/* A NaN for a NaN or both infinities; there is no other way to get one.  */
GT_SUPER int
gt_super_is_nan (uint32_t flags)
{
  return flags >= (GT_SUPER_PLUS_INFINITY | GT_SUPER_MINUS_INFINITY);
}

/* Rounds normalised words to a number of the IEEE 754 interchange format of
   PRECISION bits, the first of which is not stored, whose infinity is encoded
   as INFINITY_BITS and whose smallest number is bit UNIT; returns its encoding.
   The significand is added to the exponent, so that one that rounds up to the
   next power of two, or to infinity, gets there by itself.  */
GT_SUPER uint64_t
gt_super_encode (const int64_t *word, int n, uint32_t flags, int unit,
                 int precision, uint64_t infinity_bits)
{
  const uint64_t hidden = (uint64_t) 1 << (precision - 1);
  const uint64_t sign = infinity_bits + hidden;
  struct gt_super_magnitude m;
  uint64_t bits;
  int at;

  if (gt_super_is_nan (flags))
    return infinity_bits | hidden >> 1;
  if (flags)
    return flags == GT_SUPER_PLUS_INFINITY ? infinity_bits
                                           : infinity_bits | sign;
  m = gt_super_measure (word, n);
  if (m.highest < 0)
    return 0;
  at = m.highest - (precision - 1);
  if (at < unit)
    at = unit;
  bits = gt_super_bits (&m, at);
  bits += (uint64_t) gt_super_raises (&m, at, (int) (bits & 1));
  if ((uint64_t) (at - unit) < infinity_bits / hidden)
    bits += (uint64_t) (at - unit) * hidden;
  else
    bits = infinity_bits;
  if (bits > infinity_bits)
    bits = infinity_bits;
  return m.negative ? bits | sign : bits;
}

#define GT_SUPER_INFINITY_F64 ((uint64_t) 0x7ff << 52)
#define GT_SUPER_INFINITY_F32 ((uint64_t) 0xff << 23)

/* The sum, correctly rounded.  Exact zero is +0; what underflows keeps its
   sign.  These normalise.  */
GT_SUPER double
gt_super_round (struct gt_superaccumulator *acc)
{
  uint64_t bits;
  double x;

  gt_super_normalise (acc);
  bits = gt_super_encode (acc->word, GT_SUPER_WORDS, acc->flags,
                          -1074 - GT_SUPER_LOWEST, 53, GT_SUPER_INFINITY_F64);
  memcpy (&x, &bits, sizeof x);
  return x;
}

GT_SUPER float
gt_super_round_float (struct gt_superaccumulator *acc)
{
  uint32_t bits;
  float x;

  gt_super_normalise (acc);
  bits = (uint32_t) gt_super_encode (acc->word, GT_SUPER_WORDS, acc->flags,
                                     -149 - GT_SUPER_LOWEST, 24,
                                     GT_SUPER_INFINITY_F32);
  memcpy (&x, &bits, sizeof x);
  return x;
}

#endif
