/* Whole numbers of many words: what exact sums are while they are finished.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_WHOLE_H
#define GT_KERNELS_CPU_WHOLE_H

#include <stdint.h>

/* The sum over i < n of word[i] * 2^(64 (low + i)), with the sign of NEGATIVE.
   Neither the first word nor the last is 0; n is 0 for zero.  So sums of
   numbers of similar size have few words, wherever they lie.

   The words are in memory that the caller lends, which must be long enough:
   each function says for how many.  Nothing fails, and nothing is
   allocated.  */
struct gt_whole
{
  uint64_t *word;
  int n, low;
  int negative;
};

/* The N words of a superaccumulator, N even, in units of its lowest bit:
   N / 2 + 1 words.  */
struct gt_whole gt_whole_from_super (uint64_t *room, const int64_t *word,
                                     int n);

/* COUNT words in two's complement: as many.  */
struct gt_whole gt_whole_from_words (uint64_t *room, const uint64_t *word,
                                     int count);

/* X, which is finite, in units of 2^UNIT, of which it is a multiple: 2
   words.  */
struct gt_whole gt_whole_from_double (uint64_t *room, double x, int unit);

/* A B: 2 words.  */
struct gt_whole gt_whole_from_product (uint64_t *room, uint64_t a, uint64_t b);

/* X times 2^BITS, in X's place: one word more.  */
void gt_whole_shift (struct gt_whole *x, int bits);

/* X times FACTOR, in X's place: one word more.  */
void gt_whole_scale (struct gt_whole *x, uint64_t factor);

/* X Y: as many words as both have.  */
struct gt_whole gt_whole_product (uint64_t *room, const struct gt_whole *x,
                                  const struct gt_whole *y);

/* X - Y: one word more than reach from the lower to the upper end of both.  */
struct gt_whole gt_whole_difference (uint64_t *room, const struct gt_whole *x,
                                     const struct gt_whole *y);

/* OVER / UNDER * 2^UNIT, the quotient of magnitudes; the square root of that if
   ROOT is 1; negative if NEGATIVE is 1.  UNDER is not zero; null stands for
   1.  */
struct gt_ratio
{
  const struct gt_whole *over, *under;
  int unit, root, negative;
};

/* RATIO rounded to nearest, ties to even, once.  Zero is +0, what underflows
   keeps its sign.  */
double gt_ratio_round (const struct gt_ratio *ratio);
float gt_ratio_round_float (const struct gt_ratio *ratio);

#endif
