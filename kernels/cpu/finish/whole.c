/* Whole numbers of many words, and the rounding of their quotients and roots.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/cpu/finish/whole.h"
#include "kernels/superaccumulator.h"

__extension__ typedef unsigned __int128 bits128;

static void
trim (struct gt_whole *x)
{
  while (x->n > 0 && x->word[x->n - 1] == 0)
    x->n--;
  while (x->n > 0 && x->word[0] == 0)
    {
      x->word++;
      x->n--;
      x->low++;
    }
  if (x->n == 0)
    x->negative = 0;
}

/* The magnitude of N words in two's complement.  */
static void
negate (uint64_t *word, int n)
{
  uint64_t carry = 1;

  for (int i = 0; i < n; i++)
    {
      word[i] = ~word[i] + carry;
      carry &= word[i] == 0;
    }
}

static struct gt_whole
from_complement (uint64_t *word, int n, int low)
{
  struct gt_whole x = {word, n, low, (int) (word[n - 1] >> 63)};

  if (x.negative)
    negate (word, n);
  trim (&x);
  return x;
}

/* ------------------------------------------------------------------ Making */

/* Whether any of eight words is not 0: written out, as gcc 12 keeps a loop.  */
static int
any_of_eight (const int64_t *word)
{
  return (word[0] | word[1] | word[2] | word[3] | word[4] | word[5] | word[6]
          | word[7]) != 0;
}

/* The words are read where they are not 0, which is a small part of them as a
   rule; carries are passed on from pair to pair.  */
struct gt_whole
gt_whole_from_super (uint64_t *room, const int64_t *word, int n)
{
  int64_t carry = 0;
  int first = 0, k = 0;

  while (first + 8 <= n && !any_of_eight (word + first))
    first += 8;
  while (n - 8 >= first && !any_of_eight (word + n - 8))
    n -= 8;
  for (int i = first; i < n; i += 2)
    {
      const int64_t lower = word[i] + carry;
      const int64_t upper = word[i + 1] + (lower >> 32);

      room[k++] = (uint32_t) lower | (uint64_t) upper << 32;
      carry = upper >> 32;
    }
  room[k++] = (uint64_t) carry;
  return from_complement (room, k, first / 2);
}

struct gt_whole
gt_whole_from_words (uint64_t *room, const uint64_t *word, int count)
{
  memcpy (room, word, (size_t) count * sizeof *word);
  return from_complement (room, count, 0);
}

struct gt_whole
gt_whole_from_double (uint64_t *room, double x, int unit)
{
  struct gt_whole whole = {room, 1, 0, 0};
  uint64_t bits;
  int exponent;

  memcpy (&bits, &x, sizeof bits);
  exponent = (int) (bits >> 52) & 0x7ff;
  room[0] = bits & (((uint64_t) 1 << 52) - 1);
  if (exponent != 0)
    room[0] |= (uint64_t) 1 << 52;
  whole.negative = (int) (bits >> 63);
  trim (&whole);
  gt_whole_shift (&whole, exponent - (exponent != 0) - 1074 - unit);
  return whole;
}

struct gt_whole
gt_whole_from_product (uint64_t *room, uint64_t a, uint64_t b)
{
  const bits128 product = (bits128) a * b;
  struct gt_whole x = {room, 2, 0, 0};

  room[0] = (uint64_t) product;
  room[1] = (uint64_t) (product >> 64);
  trim (&x);
  return x;
}

/* -------------------------------------------------------------- Computing */

void
gt_whole_shift (struct gt_whole *x, int bits)
{
  const int by = bits & 63;
  uint64_t below = 0;

  x->low += bits >> 6;
  if (by == 0)
    return;
  for (int i = 0; i < x->n; i++)
    {
      const uint64_t word = x->word[i];

      x->word[i] = word << by | below;
      below = word >> (64 - by);
    }
  if (below)
    x->word[x->n++] = below;
  trim (x);
}

void
gt_whole_scale (struct gt_whole *x, uint64_t factor)
{
  uint64_t carry = 0;

  for (int i = 0; i < x->n; i++)
    {
      const bits128 product = (bits128) x->word[i] * factor + carry;

      x->word[i] = (uint64_t) product;
      carry = (uint64_t) (product >> 64);
    }
  if (carry)
    x->word[x->n++] = carry;
  trim (x);
}

struct gt_whole
gt_whole_product (uint64_t *room, const struct gt_whole *x,
                  const struct gt_whole *y)
{
  struct gt_whole product
    = {room, x->n + y->n, x->low + y->low, x->negative ^ y->negative};

  memset (room, 0, (size_t) product.n * sizeof *room);
  for (int i = 0; i < x->n; i++)
    {
      uint64_t carry = 0;

      for (int k = 0; k < y->n; k++)
        {
          const bits128 sum
            = (bits128) x->word[i] * y->word[k] + room[i + k] + carry;

          room[i + k] = (uint64_t) sum;
          carry = (uint64_t) (sum >> 64);
        }
      room[i + y->n] = carry;
    }
  trim (&product);
  return product;
}

/* The word that weighs 2^(64 AT).  */
static uint64_t
word_at (const struct gt_whole *x, int at)
{
  return at >= x->low && at < x->low + x->n ? x->word[at - x->low] : 0;
}

/* In two's complement, if it is NEGATIVE; *CARRY is 1 at first.  */
static uint64_t
signed_word_at (const struct gt_whole *x, int at, int negative,
                uint64_t *carry)
{
  uint64_t word = word_at (x, at);

  if (!negative)
    return word;
  word = ~word + *carry;
  *carry &= word == 0;
  return word;
}

struct gt_whole
gt_whole_difference (uint64_t *room, const struct gt_whole *x,
                     const struct gt_whole *y)
{
  const int x_end = x->low + x->n, y_end = y->low + y->n;
  int low = x->low < y->low ? x->low : y->low;
  int end = x_end > y_end ? x_end : y_end;
  uint64_t x_carry = 1, y_carry = 1, carry = 0;

  if (x->n == 0 || y->n == 0)
    {
      low = x->n ? x->low : y->low;
      end = x->n ? x_end : y_end;
    }
  end++;
  for (int i = low; i < end; i++)
    {
      const bits128 sum
        = (bits128) signed_word_at (x, i, x->negative, &x_carry)
          + signed_word_at (y, i, !y->negative, &y_carry) + carry;

      room[i - low] = (uint64_t) sum;
      carry = (uint64_t) (sum >> 64);
    }
  return from_complement (room, end - low, low);
}

/* --------------------------------------------------------------- Rounding

   A ratio is first estimated from the highest 64 bits of both numbers: m times a
   power of two, where the true value lies in [2^63, 2^64) units and less than SLACK
   of them from m.  Between two neighbours of the format's precision there are 2^11 units
   at least.  So the estimate tells which of them is nearest, unless it is within
   SLACK of the middle between two (as Ziv's test does, "Fast Evaluation of
   Elementary Mathematical Functions with Correctly Rounded Last Bit", 1991); then
   the ratio is compared with that middle, all of its words, by a multiplication.
   So no quotient and no root is ever computed to more than 64 bits, and every
   result is the nearest; of two that are as near, the even one.

   How far the estimate is off.  Let x and y be the 64 bits, both at least 2^63.
   What they leave away changes the quotient by less than 1 in x or y, so by less
   than 2 units of m < 2^64 upward or downward; to cut the quotient off, by one
   more upward: from -2 to 3.  Of a root the quotient is widened to z, 126 bits at
   least, so an error e of the quotient becomes at most e / sqrt 2 in its root, and
   the root itself is computed with an error of at most 2.  */

#define SLACK 8

/* The bits from the lowest of word[0] to the highest that is set.  */
static int
length (const struct gt_whole *x)
{
  return 64 * x->n - __builtin_clzll (x->word[x->n - 1]);
}

/* 64 bits from bit AT of word[0] upward, or from below it.  */
static uint64_t
bits_at (const struct gt_whole *x, int at)
{
  const int i = x->low + (at >> 6), by = at & 63;
  const uint64_t word = word_at (x, i);

  return by == 0 ? word : word >> by | word_at (x, i + 1) << (64 - by);
}

/* Whole numbers near the square root of Z >= 2^126, within 2 of it.  The first
   steps are those of M. Dickinson's integer square root (CPython's math.isqrt,
   2019), whose root of 64 bits is off by less than 1; the last is Newton's.  */
static uint64_t
root_of (bits128 z)
{
  const uint64_t high = (uint64_t) (z >> 64);
  uint64_t u = 1 + (high >> 62);
  bits128 root;

  u = (u << 1) + (high >> 59) / u;
  u = (u << 3) + (high >> 53) / u;
  u = (u << 7) + (high >> 41) / u;
  u = (u << 15) + (high >> 17) / u;
  root = ((bits128) u << 31) + (z >> 33) / u;
  return root >> 64 ? UINT64_MAX : (uint64_t) root;
}

/* *EXPONENT is that of the last bit.  */
static uint64_t
estimate (const struct gt_ratio *ratio, int *exponent)
{
  const int x_at = length (ratio->over) - 64;
  const uint64_t x = bits_at (ratio->over, x_at);
  uint64_t q = x;
  int e = ratio->unit + x_at + 64 * ratio->over->low;

  if (ratio->under)
    {
      const int y_at = length (ratio->under) - 64;
      const uint64_t y = bits_at (ratio->under, y_at);
      const int by = x < y ? 64 : 63;

      q = (uint64_t) (((bits128) x << by) / y);
      e -= y_at + 64 * ratio->under->low + by;
    }
  if (ratio->root)
    {
      const int by = e & 1 ? 63 : 64;

      q = root_of ((bits128) q << by);
      e = (e - by) / 2;
    }
  *exponent = e;
  return q;
}

/* The sign of X - FACTOR Y 2^SHIFT, of the magnitudes.  The product's words are
   made from the lowest up, and the highest that differs decides.  */
static int
compare (const struct gt_whole *x, bits128 factor, const struct gt_whole *y,
         int shift)
{
  const int low = 64 * y->low + shift, by = low & 63, begin = low >> 6;
  const int x_end = x->low + x->n, y_end = begin + y->n + 3;
  const int end = x_end > y_end ? x_end : y_end;
  uint64_t carry[2] = {0, 0}, last = 0;
  int sign = 0;

  for (int i = x->low < begin ? x->low : begin; i < end; i++)
    {
      const uint64_t have = word_at (x, i);
      const uint64_t next
        = i < begin ? 0 : bits_at (y, 64 * (i - begin) - by);
      const bits128 first = (bits128) next * (uint64_t) factor + carry[0];
      const bits128 both = (bits128) last * (uint64_t) (factor >> 64)
                           + carry[1] + (uint64_t) first;

      carry[0] = (uint64_t) (first >> 64);
      carry[1] = (uint64_t) (both >> 64);
      last = next;
      if (have != (uint64_t) both)
        sign = have < (uint64_t) both ? -1 : 1;
    }
  return sign;
}

/* The sign of RATIO's magnitude less MIDDLE * 2^EXPONENT.  */
static int
against (const struct gt_ratio *ratio, uint64_t middle, int exponent)
{
  static uint64_t one[1] = {1};
  static const struct gt_whole unity = {one, 1, 0, 0};
  const struct gt_whole *under = ratio->under ? ratio->under : &unity;
  bits128 factor = middle;

  if (ratio->root)
    {
      factor *= middle;
      exponent *= 2;
    }
  return compare (ratio->over, factor, under, exponent - ratio->unit);
}

/* The whole number that is nearest to RATIO's magnitude in units of 2^(EXPONENT
   + DROPPED), where M 2^EXPONENT is the estimate; 11 <= DROPPED.  */
static uint64_t
nearest (const struct gt_ratio *ratio, uint64_t m, int exponent, int dropped)
{
  uint64_t half, past, number;
  int sign;

  if (dropped > 64)
    return 0;
  half = (uint64_t) 1 << (dropped - 1);
  number = ((m >> 1) + (half >> 1)) >> (dropped - 1);
  past = (m + half) & (2 * half - 1);
  if (past >= SLACK && past <= 2 * half - SLACK)
    return number;
  if (past >= SLACK)
    number++;
  sign = against (ratio, 2 * number - 1, exponent + dropped - 1);
  return number - (sign < 0 || (sign == 0 && number % 2));
}

/* As gt_super_encode does: of PRECISION bits, in units of 2^LOWEST.  */
static uint64_t
encode (const struct gt_ratio *ratio, int precision, int lowest,
        uint64_t infinity)
{
  const uint64_t hidden = (uint64_t) 1 << (precision - 1);
  int exponent, dropped = 64 - precision;
  uint64_t m, bits, place;

  if (ratio->over->n == 0)
    return 0;
  m = estimate (ratio, &exponent);
  if (exponent + dropped < lowest)
    dropped = lowest - exponent;
  bits = nearest (ratio, m, exponent, dropped);
  place = (uint64_t) (exponent + dropped - lowest);
  if (place < infinity / hidden)
    bits += place * hidden;
  else
    bits = infinity;
  if (bits > infinity)
    bits = infinity;
  return ratio->negative ? bits | (infinity + hidden) : bits;
}

double
gt_ratio_round (const struct gt_ratio *ratio)
{
  const uint64_t bits = encode (ratio, 53, -1074, GT_SUPER_INFINITY_F64);
  double x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

float
gt_ratio_round_float (const struct gt_ratio *ratio)
{
  const uint32_t bits
    = (uint32_t) encode (ratio, 24, -149, GT_SUPER_INFINITY_F32);
  float x;

  memcpy (&x, &bits, sizeof x);
  return x;
}
