/* Exact sums, finished.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/wide/long_double.h"
#include "kernels/whole.inc"
#include "kernels/rational.inc"

double
gt_special_sum (uint32_t flags)
{
  return gt_super_is_nan (flags)           ? (double) NAN
         : flags == GT_SUPER_PLUS_INFINITY ? (double) INFINITY
                                           : (double) -INFINITY;
}

struct gt_finished
gt_finish (struct gt_power_sum sum, uint32_t flags, uint64_t count, int root)
{
  const double special = count == 0 ? 0 : flags ? gt_special_sum (flags) : NAN;
  uint64_t few[GT_PRODUCT_WORDS / 2 + 1], one[1];
  struct gt_finished finished = {special, (float) special};
  struct gt_whole over, under;
  struct gt_ratio ratio;
  void *heap = NULL;

  if (flags || count == 0)
    return finished;
  over = gt_whole_from_super (sum.n <= GT_PRODUCT_WORDS
                                ? few : GT_ROOM (heap, ((size_t) sum.n / 2 + 1) * sizeof *few),
                              sum.word, sum.n);
  under = gt_whole_from_count (one, count);
  ratio = (struct gt_ratio) {&over, count > 1 ? &under : NULL, sum.lowest, root, over.negative};
  if (!root || !over.negative)
    finished = (struct gt_finished) {gt_ratio_round (&ratio), gt_ratio_round_float (&ratio)};
  free (heap);
  return finished;
}

float
gt_finish_dot_plus_float (const struct gt_product_accumulator *acc, float alpha)
{
  struct gt_product_accumulator sum = *acc;

  gt_product_put_f64 (&sum, alpha, 1); /* the words have room for one more addend */
  return gt_finish_product (&sum, 0).f32;
}

double
gt_finish_integer_mean (const uint64_t *word, int words, uint64_t n)
{
  uint64_t room[3], count_room[1];
  const struct gt_whole sum = gt_whole_from_words (room, word, words);
  const struct gt_whole count = gt_whole_from_count (count_room, n);

  return n == 0 ? 0 : gt_ratio_round (&(struct gt_ratio) {&sum, &count, 0, 0, sum.negative});
}

/* ------------------------------------------------------------ Long doubles */

/* Returns the bits of MAGNITUDE 2^UNIT, rounded to nearest, without the sign.  The significand is
   added to the exponent, so that one that rounds up to the next power of two, or to infinity, gets
   there by itself.  */
static gt_wide_bits
encode_long (const struct gt_whole *magnitude, int unit)
{
  const gt_wide_bits infinity = GT_LDBL_FIRST * GT_LDBL_HIGHEST;
  const int lowest = GT_LDBL_LOWEST - unit - 64 * magnitude->low; /* the smallest number's bit */
  const int last = length (magnitude) - LDBL_MANT_DIG;
  const int at = last > lowest ? last : lowest;
  gt_wide_bits bits = bits_at (magnitude, at) | (gt_wide_bits) bits_at (magnitude, at + 64) << 64;

  if (bits_at (magnitude, at - 1) & 1)
    bits += (bits & 1) || __builtin_ctzll (magnitude->word[0]) < at - 1;
  if (at - lowest >= GT_LDBL_HIGHEST)
    return infinity;
  bits += GT_LDBL_FIRST * (gt_wide_bits) (at - lowest);
  return bits < infinity ? bits : infinity;
}

long double
gt_finish_long_double (struct gt_power_sum of, uint32_t flags)
{
  const gt_wide_bits infinity = GT_LDBL_FIRST * GT_LDBL_HIGHEST;
  void *heap;
  const struct gt_whole sum
    = gt_whole_from_super (GT_ROOM (heap, ((size_t) of.n / 2 + 1) * sizeof *sum.word), of.word,
                           of.n);
  gt_wide_bits bits = gt_super_is_nan (flags) ? infinity | GT_LDBL_FIRST / 2
                      : flags                 ? infinity
                      : sum.n                 ? encode_long (&sum, of.lowest)
                                              : 0;
  long double x = 0;

  free (heap);
  /* x87's numbers store the first digit.  */
  if (GT_LDBL_STORED == LDBL_MANT_DIG)
    bits += (bits & ~(GT_LDBL_FIRST - 1)) + (bits >= GT_LDBL_FIRST ? GT_LDBL_FIRST : 0);
  if (flags ? flags == GT_SUPER_MINUS_INFINITY : sum.negative)
    bits |= GT_LDBL_SIGN;
  memcpy (&x, &(gt_long_bits) {(gt_long_bits) bits}, sizeof x);
  return x;
}
