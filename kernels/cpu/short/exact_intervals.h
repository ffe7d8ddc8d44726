/* Intervals about results made of the sums that cascades have left.

   A quotient or a root is computed from S + C = H + L in the same form: the nearest
   double Q, then what is left over, H - Q n or H - Q^2, which is a double, and L,
   divided by the derivative.  The bound on what that misses takes up the slack,
   doubled, for the roundings of the bound itself, and 2^-100 |Q|, where the terms that
   are left out and the roundings are less than 2^-102 |Q|.  The bounds hold between
   2^-900 and 2^990; outside there is no result.

   doc/exact.md has the proofs in full.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_EXACT_INTERVALS_H
#define GT_KERNELS_CPU_EXACT_INTERVALS_H

#include "kernels/cpu/short/exact_cascades.h"

#define LEAST 0x1p-900
#define MOST 0x1p990

/* A cascade's S and C and what these miss at most.  */
struct short_sum
{
  struct cascade_1 a;
  double slack;
};

INLINE struct short_sum
with_slack (struct cascade_1 a, size_t additions)
{
  return (struct short_sum) {
    a, a.m * ((double) (additions + 2) * 0x1p-53)
  };
}

/* Where some of N products are below LEAST_PRODUCT: such a product, what is taken for it
   and what for its error are less than 2^-967 each.  */
INLINE void
allow_for_small (struct short_sum *sum, size_t n)
{
  sum->slack += sum->slack * 0x1p-50 + (double) n * 0x1p-965;
}

/* A number between H + L - S and H + L + S; L is small beside H.  */
struct interval
{
  double h, l, s;
};

INLINE struct interval
interval_of (const struct short_sum *sum)
{
  struct interval v = {sum->a.s, 0, sum->slack};

  TWO_SUM (double, v.h, v.l, sum->a.c);
  return v;
}

/* False of NaN.  */
INLINE int
is_safe (double x)
{
  return fabs (x) >= LEAST && fabs (x) <= MOST;
}

/* Stores the number that the whole interval rounds to and returns 1; or
   returns 0.  */
INLINE int
settle_as_f64 (struct interval v, double *to)
{
  *to = v.h + (v.l - v.s);
  return *to == v.h + (v.l + v.s);
}

/* V / N, N a whole number below 2^53.  */
INLINE struct interval
quotient (struct interval v, double n)
{
  const double q = v.h / n;
  const double product = q * n, error = product_error_1 (q, n, product);
  const double rest = (v.h - product) - error;

  return (struct interval) {
    q, (rest + v.l) / n, (v.s + v.s) / n + fabs (q) * 0x1p-100
  };
}

/* The square root of V, which is above zero and whose S is below 2^-52 H.  */
INLINE struct interval
root (struct interval v)
{
  const double q = sqrt (v.h);
  const double product = q * q, error = product_error_1 (q, q, product);
  const double rest = (v.h - product) - error;

  return (struct interval) {
    q, (rest + v.l) / (q + q), v.s / q + q * 0x1p-100
  };
}

INLINE int
has_root (struct interval v)
{
  return v.h >= LEAST && v.h <= MOST && v.s <= v.h * 0x1p-52;
}

#endif
