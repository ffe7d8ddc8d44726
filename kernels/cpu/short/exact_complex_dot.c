/* Dot products of complex numbers, correctly rounded without an accumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/short/exact_anchored.h"
#include "kernels/cpu/short/exact_short_sums.h"

#ifdef FUSED_1
/* Sums as in kernels/cpu/short/exact_anchored.h, of vectors of x with those of y, and with y's
   numbers the other way round: of either products every other one has a sign of its own, which
   is that of its lanes' sums.  */

#define FROM_NUMBERS 4
#define FEW_NUMBERS 256 /* of which fewer guesses do, which take long beside them */

#define ACROSS_2 1, 0
#define ACROSS_4 ACROSS_2, 3, 2
#define ACROSS_8 ACROSS_4, 5, 4, 7, 6
#if defined __clang__
#define ACROSS(v) __builtin_shufflevector (v, v, GT_PASTE (ACROSS, LANES))
#else
#define ACROSS(v) __builtin_shuffle (v, (words) {GT_PASTE (ACROSS, LANES)})
#endif

enum
{
  STRAIGHT,
  CROSSED
};

INLINE void
put_numbers (struct anchored *a, vector x, vector y)
{
  anchored_add (a, x, y, PRODUCTS, STRAIGHT);
  anchored_add (a, x, ACROSS (y), PRODUCTS, CROSSED);
}

/* LANES parts from part I on, an even one, of numbers that are STRIDE apart.  */
INLINE vector
load_numbers (const double *x, size_t i, size_t stride)
{
#define NUMBER_AT(k) (*(const elements_f64_2 *) (x + (i + 2 * (k)) * stride))
  if (stride == 1)
    return load_doubles (x + i);
#if LANES == 8
  return __builtin_shufflevector (
    __builtin_shufflevector (NUMBER_AT (0), NUMBER_AT (1), 0, 1, 2, 3),
    __builtin_shufflevector (NUMBER_AT (2), NUMBER_AT (3), 0, 1, 2, 3), 0, 1, 2, 3, 4, 5, 6, 7);
#elif LANES == 4
  return __builtin_shufflevector (NUMBER_AT (0), NUMBER_AT (1), 0, 1, 2, 3);
#else
  return NUMBER_AT (0);
#endif
#undef NUMBER_AT
}

/* Two vectors of numbers.  */
struct numbers
{
  const double *x, *y;
  size_t xs, ys;
};

/* About what the magnitudes of N products add up to.  */
INLINE double
guess_numbers (const struct numbers *v, size_t n, const unsigned guesses)
{
  const size_t step = (n - LANES) / (guesses - 1) & ~(size_t) 1;
  vector m = {0};

  UNROLL
  for (unsigned k = 0; k < guesses; k++)
    {
      const vector p = load_numbers (v->x, k * step, v->xs);
      const vector q = load_numbers (v->y, k * step, v->ys);

      m += MAGNITUDES (LANES, p * q) + MAGNITUDES (LANES, p * ACROSS (q));
    }
  return FOLD (LANES, vector, +, m) * ((double) n / (guesses * LANES));
}

/* One part: of A's sum K the lanes of imaginary parts of x count as SIGN says.  */
INLINE struct short_sum
part_of (const struct anchored *a, const unsigned k, size_t n, double unit, double sign)
{
  const words odd = (words) GT_PASTE (NUMBERS, LANES) & 1, flip = -(odd & (sign < 0));
  const words s = (words) a->s[k] - (words) a->anchor;

  return counted ((s ^ flip) - flip, (vector) ((words) a->c[k] ^ (flip & SIGN)), n, unit,
                  n / LANES + 8);
}

/* Adds PART to TO, whose M is what its C is made of.  */
INLINE void
add_part (struct short_sum *to, struct short_sum part)
{
  double e;

  TWO_SUM (double, to->a.s, e, part.a.s);
  to->a.c += e + part.a.c;
  to->a.m += fabs (e) + fabs (part.a.c);
  to->slack += part.slack;
}

/* Both parts of the product of N / 2 numbers.  Returns 0 where these do not tell.  */
INLINE int
take_block (const struct numbers *v, size_t n, double sign, struct short_sum to[2])
{
  struct anchored a;
  const double unit
    = anchor_at (&a, n < 2 * FEW_NUMBERS ? guess_numbers (v, n, 3)
                                         : guess_numbers (v, n, ANCHOR_GUESSES));
  size_t i = 0;

  if (unit == 0)
    return 0;
  for (; n - i >= LANES; i += LANES)
    put_numbers (&a, load_numbers (v->x, i, v->xs), load_numbers (v->y, i, v->ys));
  if (i < n)
    put_numbers (&a, LANES_FROM (LANES, i - (n - LANES), load_numbers (v->x, n - LANES, v->xs)),
                 load_numbers (v->y, n - LANES, v->ys));
  to[0] = part_of (&a, STRAIGHT, n, unit, -sign);
  to[1] = part_of (&a, CROSSED, n, unit, sign);
  return !has_drifted (&a);
}

INLINE int
decide_parts (const struct short_sum sum[2], double to[2])
{
  return decide_f64 (&sum[0].a, sum[0].slack, &to[0])
         && decide_f64 (&sum[1].a, sum[1].slack, &to[1]);
}

/* By blocks, for which the bounds of one hold; their sums add an error for each to C.  */
INLINE int
multiply (const struct numbers *v, size_t numbers, double sign, double to[2])
{
  const size_t n = 2 * numbers, blocks = (n - 1) / GT_CUTOFF_ANCHORED + 1;
  struct short_sum sum[2], part[2];

  for (size_t k = 0, at = 0; k < blocks; k++)
    {
      const size_t end = 2 * (numbers * (k + 1) / blocks);
      const struct numbers block = {v->x + at * v->xs, v->y + at * v->ys, v->xs, v->ys};

      if (!take_block (&block, end - at, sign, k ? part : sum))
        return 0;
      for (unsigned i = 0; i < 2 && k; i++)
        add_part (&sum[i], part[i]);
      at = end;
    }
  for (unsigned i = 0; i < 2 && blocks > 1; i++)
    sum[i].slack += sum[i].slack * 0x1p-40
                    + sum[i].a.m * ((double) (3 * blocks + 4) * 0x1p-53);
  return decide_parts (sum, to);
}

int
GT_FOR_ISA (gt_exact_complex_dot) (const double *x, size_t xs, const double *y, size_t ys,
                                   size_t numbers, double sign, double to[2])
{
  const struct numbers v = {x, y, xs, ys};

  if (2 * numbers < LANES || numbers < FROM_NUMBERS || numbers > GT_CUTOFF_COMPLEX_ANCHORED)
    return 0;
  if (xs != 1 || ys != 1)
    return multiply (&v, numbers, sign, to);
  return multiply (&(const struct numbers) {x, y, 1, 1}, numbers, sign, to);
}
#else
int
GT_FOR_ISA (gt_exact_complex_dot) (const double *x, size_t xs, const double *y, size_t ys,
                                   size_t numbers, double sign, double to[2])
{
  (void) x, (void) xs, (void) y, (void) ys, (void) numbers, (void) sign, (void) to;
  return 0;
}
#endif
