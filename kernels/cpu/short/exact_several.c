/* Several sums of two samples at once, with bounds on what they miss.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/short/exact_anchored.h"
#include "kernels/cpu/short/exact_short_sums.h"

#ifdef FUSED_1
/* Sums as in kernels/cpu/short/exact_anchored.h, in one chain each, as there are several
   beside each other; a plain one is of products with 1.  y x^2 is y P + y E, P + E being
   the square: y P is added as a product, and C takes y E, which is no larger than half a unit
   of S.

   Magnitudes are held between 2^-400 and 2^400, so that E, where it underflows, is off by
   nothing beside a unit.  */
#define LEAST_GUESS 0x1p-400
#define MOST_GUESS 0x1p400

#define HAS(sum) (which >> GT_SUM_OF_##sum & 1)

/* What Y is.  */
enum
{
  AS_IT_IS,
  WEIGHTS, /* 0 where they are not above 0 */
  SIGNED,  /* 1 with the sign of x less a number */
  WEIGHTS_SIGNED
};

struct several
{
  vector anchor[GT_N_SUMS_OF], s[GT_N_SUMS_OF], c[GT_N_SUMS_OF];
  words drift;
};

struct pair
{
  vector x, y;
};

INLINE struct pair
load_pair (const double *x, const double *y, double about, const int form)
{
  struct pair v = {load_doubles (x), (vector) {0} + 1};

  if (form != SIGNED)
    v.y = load_doubles (y);
  if (form == WEIGHTS || form == WEIGHTS_SIGNED)
    v.y = (vector) ((words) v.y & (words) (v.y > 0));
  if (form == SIGNED || form == WEIGHTS_SIGNED)
    v.y = (vector) ((words) v.y ^ ((words) (v.x < about) & SIGN));
  return v;
}

INLINE void
put (struct several *a, const unsigned k, vector p, vector q)
{
  const vector next = PRODUCT_AND (p, q, a->s[k]), taken = next - a->s[k];

  a->c[k] += PRODUCT_AND (p, q, -taken);
  a->drift |= (words) next ^ (words) a->anchor[k];
  a->s[k] = next;
}

INLINE void
put_pair (struct several *a, struct pair v, const unsigned which, const int form)
{
  const vector one = (vector) {0} + 1, square = v.x * v.x;

  if (HAS (X))
    put (a, GT_SUM_OF_X, v.x, one);
  if (HAS (Y) && form == SIGNED)
    a->c[GT_SUM_OF_Y] += v.y;
  else if (HAS (Y))
    put (a, GT_SUM_OF_Y, v.y, one);
  if (HAS (XX))
    put (a, GT_SUM_OF_XX, v.x, v.x);
  if (HAS (YY))
    put (a, GT_SUM_OF_YY, v.y, v.y);
  if (HAS (XY))
    put (a, GT_SUM_OF_XY, v.x, v.y);
  if (HAS (YXX))
    {
      put (a, GT_SUM_OF_YXX, v.y, square);
      a->c[GT_SUM_OF_YXX]
        = PRODUCT_AND (v.y, PRODUCT_AND (v.x, v.x, -square), a->c[GT_SUM_OF_YXX]);
    }
}

/* About what the magnitudes of each sum's terms add up to.  */
INLINE void
guess (const double *x, const double *y, size_t n, const unsigned which, const int form,
       double m[GT_N_SUMS_OF])
{
  const size_t step = (n - LANES) / (ANCHOR_GUESSES - 1);
  vector s[GT_N_SUMS_OF] = {{0}};

  for (unsigned k = 0; k < ANCHOR_GUESSES; k++)
    {
      const struct pair v = load_pair (x + k * step, y + k * step, 0, form);
      const vector square = v.x * v.x;

      s[GT_SUM_OF_X] += MAGNITUDES (LANES, v.x);
      s[GT_SUM_OF_Y] += MAGNITUDES (LANES, v.y);
      s[GT_SUM_OF_XX] += square;
      s[GT_SUM_OF_YY] += v.y * v.y;
      s[GT_SUM_OF_XY] += MAGNITUDES (LANES, v.x * v.y);
      s[GT_SUM_OF_YXX] += MAGNITUDES (LANES, v.y * square);
    }
  UNROLL
  for (unsigned k = 0; k < GT_N_SUMS_OF; k++)
    if (which >> k & 1)
      m[k] = FOLD (LANES, vector, +, s[k]) * ((double) n / (ANCHOR_GUESSES * LANES));
}

INLINE int
sum_several (const double *x, const double *y, size_t n, double about,
             const unsigned which, const int form, struct gt_bounded *to)
{
  struct several a;
  double m[GT_N_SUMS_OF], unit[GT_N_SUMS_OF];
  struct pair v;
  size_t i = 0;

  a.drift = (words) {0};
  guess (x, y, n, which, form, m);
  UNROLL
  for (unsigned k = 0; k < GT_N_SUMS_OF; k++)
    if (which >> k & 1)
      {
        if (!(m[k] >= LEAST_GUESS && m[k] <= MOST_GUESS))
          return 0;
        unit[k] = unit_for (m[k]);
        a.s[k] = a.anchor[k] = (vector) {0} + ANCHOR_UNITS * unit[k];
        a.c[k] = (vector) {0};
      }
  for (; n - i >= LANES; i += LANES)
    put_pair (&a, load_pair (x + i, y + i, about, form), which, form);
  if (i < n)
    {
      v = load_pair (x + n - LANES, y + n - LANES, about, form);
      v.x = LANES_FROM (LANES, i - (n - LANES), v.x);
      v.y = LANES_FROM (LANES, i - (n - LANES), v.y);
      put_pair (&a, v, which, form);
    }
  if (FOLD (LANES, words, |, a.drift) & ~FRACTION)
    return 0;
  UNROLL
  for (unsigned k = 0; k < GT_N_SUMS_OF; k++)
    if (which >> k & 1)
      {
        const struct short_sum sum
          = counted ((words) a.s[k] - (words) a.anchor[k], a.c[k], 2 * n, unit[k],
                     n / LANES + 8);
        const struct interval of = interval_of (&sum);

        to[k] = (struct gt_bounded) {of.h, of.l, of.s};
      }
  return 1;
}

#define SUM(sum) (1u << GT_SUM_OF_##sum)
#define SEVERAL(name, which, form)                                             \
  static int __attribute__ ((noinline))                                        \
  name (const double *x, const double *y, size_t n, double about,              \
        struct gt_bounded *to)                                                 \
  { return sum_several (x, y, n, about, which, form, to); }
SEVERAL (of_one, SUM (X) | SUM (XX), AS_IT_IS)
SEVERAL (of_neighbours, SUM (X) | SUM (XX) | SUM (XY), AS_IT_IS)
SEVERAL (of_pairs, SUM (X) | SUM (Y) | SUM (XY), AS_IT_IS)
SEVERAL (of_two, SUM (X) | SUM (Y) | SUM (XX) | SUM (YY) | SUM (XY), AS_IT_IS)
SEVERAL (weighted, SUM (Y) | SUM (XY), WEIGHTS)
SEVERAL (weighted_squares, SUM (Y) | SUM (YY) | SUM (XY) | SUM (YXX), WEIGHTS)
SEVERAL (of_signs, SUM (Y) | SUM (XY), SIGNED)
SEVERAL (weighted_signs, SUM (Y) | SUM (XY), WEIGHTS_SIGNED)

int
GT_FOR_ISA (gt_exact_several) (enum gt_several what, const double *x, const double *y,
                               size_t n, double about, struct gt_bounded *to)
{
  static int (*const of[]) (const double *, const double *, size_t, double,
                            struct gt_bounded *) = {
    [GT_SEVERAL_OF_ONE] = of_one,
    [GT_SEVERAL_OF_NEIGHBOURS] = of_neighbours,
    [GT_SEVERAL_OF_PAIRS] = of_pairs,
    [GT_SEVERAL_OF_TWO] = of_two,
    [GT_SEVERAL_WEIGHTED] = weighted,
    [GT_SEVERAL_WEIGHTED_SQUARES] = weighted_squares,
    [GT_SEVERAL_SIGNED] = of_signs,
    [GT_SEVERAL_WEIGHTED_SIGNED] = weighted_signs
  };

  return n >= ANCHORED_PRODUCTS_FROM && n <= GT_CUTOFF_ANCHORED
         && of[what](x, y, n, about, to);
}

/* ------------------------------------------------------- Complex numbers

   Vectors of x with those of y, and with y's numbers the other way round: of either products
   every other one has a sign of its own, which is that of its lanes' sums.  */

#define FROM_NUMBERS 10

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
put_numbers (struct several *a, vector x, vector y)
{
  put (a, STRAIGHT, x, y);
  put (a, CROSSED, x, ACROSS (y));
}

/* About what the magnitudes of N products add up to.  */
INLINE double
guess_numbers (const double *x, const double *y, size_t n)
{
  const size_t step = (n - LANES) / (ANCHOR_GUESSES - 1) & ~(size_t) 1;
  vector m = {0};

  UNROLL
  for (unsigned k = 0; k < ANCHOR_GUESSES; k++)
    {
      const vector v = load_doubles (x + k * step), w = load_doubles (y + k * step);

      m += MAGNITUDES (LANES, v * w) + MAGNITUDES (LANES, v * ACROSS (w));
    }
  return FOLD (LANES, vector, +, m) * ((double) n / (ANCHOR_GUESSES * LANES));
}

/* One part: of A's sum K the lanes of imaginary parts of x count as SIGN says.  */
INLINE struct short_sum
part_of (const struct several *a, const unsigned k, size_t n, double unit, double sign)
{
  const words odd = (words) GT_PASTE (NUMBERS, LANES) & 1, flip = -(odd & (sign < 0));
  const words s = (words) a->s[k] - (words) a->anchor[k];

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
take_block (const double *x, const double *y, size_t n, double sign, struct short_sum to[2])
{
  struct several a;
  double unit;
  size_t i = 0;
  const double m = guess_numbers (x, y, n);

  if (!(m >= LEAST_GUESS && m <= MOST_GUESS))
    return 0;
  unit = unit_for (m);
  a.drift = (words) {0};
  for (unsigned k = STRAIGHT; k <= CROSSED; k++)
    {
      a.s[k] = a.anchor[k] = (vector) {0} + ANCHOR_UNITS * unit;
      a.c[k] = (vector) {0};
    }
  for (; n - i >= LANES; i += LANES)
    put_numbers (&a, load_doubles (x + i), load_doubles (y + i));
  if (i < n)
    put_numbers (&a, LANES_FROM (LANES, i - (n - LANES), load_doubles (x + n - LANES)),
                 load_doubles (y + n - LANES));
  to[0] = part_of (&a, STRAIGHT, n, unit, -sign);
  to[1] = part_of (&a, CROSSED, n, unit, sign);
  return !(FOLD (LANES, words, |, a.drift) & ~FRACTION);
}

INLINE int
decide_parts (const struct short_sum sum[2], double to[2])
{
  return decide_f64 (&sum[0].a, sum[0].slack, &to[0])
         && decide_f64 (&sum[1].a, sum[1].slack, &to[1]);
}

/* By blocks, for which the bounds of one hold; their sums add an error for each to C.  */
static int __attribute__ ((noinline))
multiply_many (const double *x, const double *y, size_t numbers, double sign, double to[2])
{
  const size_t n = 2 * numbers, blocks = (n - 1) / GT_CUTOFF_ANCHORED + 1;
  struct short_sum sum[2] = {{{0, 0, 0}, 0}, {{0, 0, 0}, 0}}, part[2];

  for (size_t k = 0, at = 0; k < blocks; k++)
    {
      const size_t end = 2 * (numbers * (k + 1) / blocks);

      if (!take_block (x + at, y + at, end - at, sign, part))
        return 0;
      add_part (&sum[0], part[0]);
      add_part (&sum[1], part[1]);
      at = end;
    }
  for (unsigned i = 0; i < 2; i++)
    sum[i].slack += sum[i].slack * 0x1p-40
                    + sum[i].a.m * ((double) (3 * blocks + 4) * 0x1p-53);
  return decide_parts (sum, to);
}

int
GT_FOR_ISA (gt_exact_complex_dot) (const double *x, const double *y, size_t numbers,
                                   double sign, double to[2])
{
  struct short_sum sum[2];

  if (numbers < FROM_NUMBERS || numbers > GT_CUTOFF_COMPLEX_ANCHORED)
    return 0;
  if (2 * numbers > GT_CUTOFF_ANCHORED)
    return multiply_many (x, y, numbers, sign, to);
  return take_block (x, y, 2 * numbers, sign, sum) && decide_parts (sum, to);
}
#else
int
GT_FOR_ISA (gt_exact_complex_dot) (const double *x, const double *y, size_t numbers,
                                   double sign, double to[2])
{
  (void) x, (void) y, (void) numbers, (void) sign, (void) to;
  return 0;
}

int
GT_FOR_ISA (gt_exact_several) (enum gt_several what, const double *x, const double *y,
                               size_t n, double about, struct gt_bounded *to)
{
  (void) what, (void) x, (void) y, (void) n, (void) about, (void) to;
  return 0;
}
#endif
