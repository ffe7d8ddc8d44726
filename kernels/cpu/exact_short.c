/* Exact sums of short vectors, rounded without a superaccumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/cpu/exact.h"

/* Up to FEW elements: a cascade.  TwoSum (Knuth) gives each addition's rounding
   error exactly; S is the sum, C the sum of its errors, and the magnitudes of
   C's errors are added up.  If these are all zero then S + C is the sum and is
   rounded once, by the addition.  Else the sum lies between
   S + (C - slack) and S + (C + slack), where the slack covers the errors, the
   roundings of their sum (at most FEW of them, each 2^-53) and that of C +- slack;
   rounding is monotonic, so if both round alike this is what the sum rounds to
   (A. Ziv, "Fast Evaluation of Elementary Mathematical Functions with Correctly
   Rounded Last Bit", 1991).  An addition of doubles is exact where the result is
   subnormal.  An overflow on the way makes S infinite, or C infinite or NaN, and
   with it S + C.

   More elements: a window (kernels/cpu/exact_window.c).  What it holds are a
   few integers, 46 bits apart: the first less than 2^52, since the top is
   chosen for the sum of all magnitudes, the others at most 2^45 an element.
   Carries are passed on, so that all but the first lie in [0, 2^46).  Of four,
   the first may be given up when it is 0 or -1; otherwise the sum is at least
   2^92 of the third's units, and of the last all that matters is whether it is
   zero, which the lowest bit of the third can tell.  Then S + E, exactly, is the
   first two, and T is E and the third rounded to odd, so that S + T rounds as
   the sum does (S. Boldo and G. Melquiond, "Emulation of FMA and Correctly
   Rounded Sums: Proved Algorithms Using Rounding to Odd", 2008): if E is zero, T
   is exact; if not, S has a unit of 2 or more, where the second integer counts
   ones, and T has digits far below that.  Multiplying by a power of two is exact
   afterwards: where the product is subnormal the sum, a multiple of the smallest
   number, had fewer digits than a significand has.  */

#define FEW 9   /* elements for the scalar cascade */
#define LONG 96 /* elements that are worth wide unrolling */
#define PROBE 64 /* elements that tell whether the levels are enough */

/* S + X becomes S and the error E, exactly (Knuth).  */
#define TWO_SUM(s, e, x)                        \
  do                                            \
    {                                           \
      const double x_ = (x), t_ = (s) + x_;     \
      const double b_ = t_ - (s);               \
      (e) = ((s) - (t_ - b_)) + (x_ - b_);      \
      (s) = t_;                                 \
    }                                           \
  while (0)

/* The sum of few numbers is S + C and an error of magnitude ERROR at most.  */
struct cascade
{
  double s, c, error;
};

static int
finish_f64 (const struct cascade *a, double *sum)
{
  const double slack = a->error * (1 + 0x1p-40) + fabs (a->c) * 0x1p-51;
  const double s = a->s + a->c;

  if (!(fabs (s) <= DBL_MAX))
    return 0;
  *sum = s;
  return a->error == 0
         || a->s + (a->c + slack) == a->s + (a->c - slack);
}

/* S + E, |E| <= half a unit of S, to odd: S where E is zero, else that of the
   two neighbours whose last bit is 1.  */
static inline double
to_odd (double s, double e)
{
  int64_t bits;

  if (e == 0)
    return s;
  memcpy (&bits, &s, sizeof bits);
  bits += (((e > 0) == (s > 0)) * 2 - 1) * (int) (~bits & 1);
  memcpy (&s, &bits, sizeof s);
  return s;
}

static int
finish_f32 (const struct cascade *a, float *sum)
{
  double s = a->s, e;

  TWO_SUM (s, e, a->c);
  *sum = (float) to_odd (s, e);
  return a->error == 0 && fabs (s) <= DBL_MAX;
}

/* What a sum rounds to, in two doubles, times 2^unit.  */
struct pair
{
  double s, t;
  int unit;
};

static inline struct pair
combine (const struct gt_limbs *limbs)
{
  const int64_t mask = ((int64_t) 1 << GT_WINDOW_STEP) - 1;
  int64_t m[GT_WINDOW_LEVELS];
  struct pair pair = {0, 0, GT_WINDOW_UNIT (limbs->top, 1)};
  double d, e, f;

  m[3] = limbs->m[3];
  m[2] = limbs->m[2] + (m[3] >> GT_WINDOW_STEP);
  m[1] = limbs->m[1] + (m[2] >> GT_WINDOW_STEP);
  m[0] = limbs->m[0] + (m[1] >> GT_WINDOW_STEP);
  for (int l = 1; l < GT_WINDOW_LEVELS; l++)
    m[l] &= mask;
  if (m[0] != 0 && m[0] != -1)
    m[2] |= m[3] != 0;
  else
    {
      m[0] = m[1] + m[0] * (mask + 1);
      m[1] = m[2];
      m[2] = m[3];
      pair.unit -= GT_WINDOW_STEP;
    }
  pair.s = (double) m[0] * 0x1p46;
  d = (double) m[1];
  e = pair.s;
  pair.s += d;
  e = d - (pair.s - e);
  TWO_SUM (e, f, (double) m[2] * 0x1p-46);
  pair.t = to_odd (e, f);
  return pair;
}

static inline double
round_f64 (const struct pair *pair)
{
  return pair->s + pair->t;
}

static inline double
round_f32 (const struct pair *pair)
{
  double s = pair->s, e;

  TWO_SUM (s, e, pair->t);
  return (float) to_odd (s, e);
}

static void
limbs_of (const struct gt_window *window, struct gt_limbs *limbs)
{
  limbs->top = window->top;
  for (unsigned l = 0; l < GT_WINDOW_LEVELS; l++)
    {
      uint64_t sum = 0;

      for (unsigned i = 0; i < GT_WINDOW_LANES; i++)
        sum += window->total[l][i];
      limbs->m[l] = (int64_t) sum;
    }
}

/* 2^E times D, where that is a double.  */
static inline double
scale (double d, int e)
{
  uint64_t bits;
  double power;

  if (e < -900)
    {
      d *= 0x1p-500;
      e += 500;
    }
  bits = (uint64_t) (e + 1023) << 52;
  memcpy (&power, &bits, sizeof power);
  return d * power;
}

#define THROUGH_WINDOW(name, ctype, first_levels)                             \
  static int fits_##name (struct gt_window *window, unsigned levels,          \
                          const ctype *x, size_t n)                           \
  {                                                                           \
    const struct gt_window_isa *isa = gt_window_isa ();                       \
    const unsigned unroll = n < LONG ? 0 : 2;                                 \
    const size_t block = gt_window_block (isa, unroll);                       \
    size_t part = n < PROBE ? n : PROBE;                                      \
                                                                              \
    memset (window->total, 0, sizeof window->total);                          \
    window->levels = levels;                                                  \
    for (; n > 0; n -= part, x += part, part = n < block ? n : block)         \
      if (isa->add_##name[unroll] (x, part, window) == 0)                     \
        return 0;                                                             \
    return 1;                                                                 \
  }                                                                           \
                                                                              \
  static int long_##name (const ctype *x, size_t n, struct gt_limbs *limbs)   \
  {                                                                           \
    const double m = gt_window_isa ()->magnitude_##name (x, n);               \
    struct gt_window window;                                                  \
                                                                              \
    if (!(m < GT_WINDOW_TOO_LARGE))                                           \
      return 0;                                                               \
    window.top = gt_window_top (m);                                           \
    for (unsigned levels = first_levels; levels <= GT_WINDOW_LEVELS; levels++) \
      if (fits_##name (&window, levels, x, n))                                \
        {                                                                     \
          limbs_of (&window, limbs);                                          \
          return 1;                                                           \
        }                                                                     \
    return 0;                                                                 \
  }                                                                           \
                                                                              \
  static int deliver_##name (const struct gt_limbs *limbs, ctype *sum)        \
  {                                                                           \
    const struct pair pair = combine (limbs);                                 \
                                                                              \
    *sum = (ctype) scale (round_##name (&pair), pair.unit);                   \
    return *sum - *sum == 0;                                                  \
  }                                                                           \
                                                                              \
  static int through_window_##name (const ctype *x, size_t n, ctype *sum)     \
  {                                                                           \
    const struct gt_window_isa *isa = gt_window_isa ();                       \
    struct gt_limbs limbs;                                                    \
                                                                              \
    if (n < 32 * isa->lanes && isa->add_short_##name (x, n, &limbs))          \
      return deliver_##name (&limbs, sum);                                    \
    return long_##name (x, n, &limbs) ? deliver_##name (&limbs, sum) : 0;     \
  }

#define SHORT(name, ctype, first_levels)                                      \
  THROUGH_WINDOW (name, ctype, first_levels)                                  \
                                                                              \
  static int __attribute__ ((noinline))                                       \
  gathered_##name (const ctype *x, size_t n, size_t stride, ctype *sum)       \
  {                                                                           \
    ctype copy[GT_WINDOW_LANES + GT_EXACT_SHORT];                             \
                                                                              \
    memset (copy, 0, GT_WINDOW_LANES * sizeof *copy);                         \
    for (size_t i = 0; i < n; i++)                                            \
      copy[GT_WINDOW_LANES + i] = x[i * stride];                              \
    return through_window_##name (copy + GT_WINDOW_LANES, n, sum);            \
  }                                                                           \
                                                                              \
  int gt_exact_short_##name (const ctype *x, size_t n, size_t stride,         \
                             ctype *sum)                                      \
  {                                                                           \
    struct cascade a = {0, 0, 0};                                             \
    double e, f;                                                              \
                                                                              \
    if (n > GT_EXACT_SHORT)                                                   \
      return 0;                                                               \
    if (n > FEW)                                                              \
      return stride == 1 ? through_window_##name (x, n, sum)                  \
                         : gathered_##name (x, n, stride, sum);               \
    for (size_t i = 0; i < n; i++)                                            \
      {                                                                       \
        TWO_SUM (a.s, e, x[i * stride]);                                      \
        TWO_SUM (a.c, f, e);                                                  \
        a.error += fabs (f);                                                  \
      }                                                                       \
    return finish_##name (&a, sum);                                           \
  }

SHORT (f64, double, 2)
SHORT (f32, float, 1)
