/* The second moments of two vectors, from exact sums, rounded once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_COMOMENTS_H
#define GT_KERNELS_CPU_COMOMENTS_H

#include "kernels/whole.h"

/* The results made of sum (x - a) (y - b), where the numbers are as GSL's: the sum
   itself, the sum over n - 1, and the square root of that; FIXED is over n.
   Covariances are variances, but for numbers that are not finite.  */
enum gt_spread
{
  GT_TSS,
  GT_VARIANCE,
  GT_SD,
  GT_FIXED_VARIANCE,
  GT_FIXED_SD,
  GT_COVARIANCE
};

static inline uint64_t
gt_spread_divisor (enum gt_spread what, uint64_t n)
{
  return what == GT_TSS                                        ? 1
         : what == GT_FIXED_VARIANCE || what == GT_FIXED_SD ? n
                                                               : n - 1;
}

static inline int
gt_spread_is_root (enum gt_spread what)
{
  return what == GT_SD || what == GT_FIXED_SD;
}

/* The sums of N elements x, of as many y, and of x y, in units of 2^UNIT, of
   products 2^(2 UNIT).  S and T may share their words: they are left alone, P
   is not.  The rooms are for what lies between: each for as many words as S and
   T have together, and P, and some more (GT_COMOMENTS_ROOM).  */
struct gt_comoments
{
  struct gt_whole s, t, p;
  uint64_t n;
  int unit;
  uint64_t *room[3];
};

/* Words of each room and of P, when accumulators of sums of elements have
   WORDS: two for the bits that n adds to a product of sums, one each for the
   sign and the alignment, two for a mean.  */
#define GT_COMOMENTS_ROOM(words) ((words) + 8)

/* n P - S T, in room 1, from P in its place.  */
struct gt_whole gt_comoments_centred (struct gt_comoments *c);

/* The mean of N elements whose sum is S in units of 2^UNIT.  0 of none.  */
double gt_whole_mean (const struct gt_whole *s, int unit, uint64_t n);

/* About the means of the elements: (n P - S T) / n, / (n (n - 1)), and the
   root; or about two numbers, which are finite, a and b of ABOUT, if it is not null:
   P - b S - a T + n a b, not divided, over n - 1, and over n.  0 of no elements; of one
   over n - 1 NaN, or infinity where it is not 0, as in GSL.  */
double gt_comoments_round (enum gt_spread what, struct gt_comoments *c,
                           const double *about);

/* N / sqrt (A B) of SUM, N = n P - S T, A = n Q - S^2 and B = n R - T^2, where
   Q and R are sums of squares of x and of y.  NaN where A or B is zero.  The
   rooms are for twice as many words as each sum has.  */
double gt_comoments_correlate (uint64_t *over_room, uint64_t *under_room,
                               const struct gt_whole sum[3]);

/* For numbers that are not finite.  The first returns the sum that has met what FLAGS
   say, which must be something.  The second tells whether the result follows from what
   the sums of N elements x, PLAIN, and of products x y have met, which also meet what y
   does, or from what ABOUT gives.  */
double gt_special_sum (uint32_t flags);
int gt_special_spread (enum gt_spread what, uint32_t plain, uint32_t products,
                       uint64_t n, const double *about, double *to);

#endif
