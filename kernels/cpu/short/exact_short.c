/* Exact sums of short vectors, rounded without a superaccumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/short/exact_anchored.h"
#include "kernels/cpu/short/exact_short_sums.h"

/* Each lane keeps a cascade: TwoSum gives the rounding error of each addition
   exactly, C is the sum of the errors and M that of their magnitudes.  At the
   end the lanes are added in the same way, by halves.  So the sum of the
   elements is S plus the sum of the errors, exactly, and C misses that by
   little: an error goes through d additions at most, each of which is off by
   2^-53 of what it yields, so that C is off by d 2^-53 M, about.  The slack,
   (d + 2) 2^-53 M, covers that M is rounded itself, and the roundings of the
   slack and of C +- slack.  Near underflow additions are exact.  So the sum lies
   between S + (C - slack) and S + (C + slack); rounding is monotonic, and if both
   round alike this is what the sum rounds to (A. Ziv, "Fast Evaluation of
   Elementary Mathematical Functions with Correctly Rounded Last Bit", 1991).

   A tie does not pass that test unless M is zero, and of sums of few elements
   many are ties.  So there is a second: let all elements but zeros be larger than M,
   and g be the last place of a double of M's binade.  All elements, sums and errors are
   multiples of g, and M is less than 2^53 g: no sum of errors is rounded, so that C is
   exact, and S + C rounds the sum.

   What overflows on the way, infinities and NaN leave a NaN or an infinity in C
   or M, and no test is passed.  An error is never -0, so the sum of -0 is +0.

   doc/exact.md has the proofs in full.  */

/* Stores what S, of N doubles, rounds to and returns 1; or 0.  */
INLINE int
decide_many (const struct short_sum *s, const double *x, size_t n, const int form, double *sum)
{
  if (LIKELY (decide_f64 (&s->a, s->slack, sum)))
    return 1;
  if (!(s->a.m > 0 && GT_PASTE (are_large, LANES) (x, n, 1, CONTIGUOUS | form, s->a.m)))
    return 0;
  *sum = s->a.s + s->a.c;
  return 1;
}

static int __attribute__ ((noinline))
sum_of_many (const double *x, size_t n, double *sum)
{
  const struct short_sum s = anchored_sum (x, x, n, F64);

  return decide_many (&s, x, n, F64, sum);
}

static int __attribute__ ((noinline))
magnitude_of_many (const double *x, size_t n, double *sum)
{
  const struct short_sum s = anchored_sum (x, x, n, F64 | MAGNITUDE);

  return decide_many (&s, x, n, F64 | MAGNITUDE, sum);
}

/* With vectors that N elements fill.  */
INLINE int
short_sum (const void *x, size_t n, size_t stride, const int form, void *sum)
{
  if (!(form & (F32 | STRIDED)) && n >= ANCHORED_FROM
      && (form & MAGNITUDE ? magnitude_of_many (x, n, sum) : sum_of_many (x, n, sum)))
    return 1;
  if (n > (form & STRIDED ? GT_CUTOFF_LONG_CASCADES : GT_CUTOFF_CASCADES))
    return 0;
#if LANES >= 8
  if (n >= WIDEST_FROM (form))
    return sum_8 (x, n, stride, form, sum);
#endif
#if LANES >= 4
  if (n >= 4)
    return sum_4 (x, n, stride, form, sum);
#endif
  return sum_2 (x, n, stride, form, sum);
}

/* The function of a type, of numbers or of magnitudes.  */
#define ENTRY(stem, name, ctype, form)                                      \
  int GT_FOR_ISA (stem##_##name) (const ctype *x, size_t n, size_t stride,  \
                                  ctype *sum)                               \
  { return stride == 1 ? short_sum (x, n, 1, CONTIGUOUS | (form), sum)      \
                       : short_sum (x, n, stride, STRIDED | (form), sum); }
ENTRY (gt_exact_short, f64, double, F64)
ENTRY (gt_exact_short, f32, float, F32)
ENTRY (gt_exact_short_magnitudes, f64, double, F64 | MAGNITUDE)
ENTRY (gt_exact_short_magnitudes, f32, float, F32 | MAGNITUDE)
