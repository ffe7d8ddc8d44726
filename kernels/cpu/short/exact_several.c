/* Several sums of two samples at once, with bounds on what they miss.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/short/exact_anchored.h"
#include "kernels/cpu/short/exact_short_sums.h"

#ifdef FUSED_1
/* Sums as in kernels/cpu/short/exact_anchored.h.  The terms of some are y x^2, y x^3 or y x^4,
   of factors which are not doubles: x^2 = P + E and y x^2 = R + G.  What y P, R x or R P leaves
   to C takes along the products with the smaller parts, none of which is larger than a unit of
   S.  Where x is what is left of an element less a number, in two doubles, E has twice their
   product as well, and no term's part is larger than four units.

   Whether an S has left its binade is seen at the end alone where no term is negative, and where
   the terms are products of numbers whose squares are added up: by Cauchy and Schwarz it has
   not if these have not, and if there is room for that.  Where x has the sign of what is left
   of it the distances' sum never falls, and there is room for what the number takes off it.

   Magnitudes are held between 2^-400 and 2^400, or 2^-100 and 2^100 where x is taken more than
   twice, so that what underflows is nothing beside a unit.

   Vectors of x begin where they cross no line of the cache, as in exact_anchored.h.  */
#define LEAST_GUESS 0x1p-400
#define MOST_GUESS 0x1p400
#define MOST_GUESS_OF_POWERS 0x1p100

/* Of powers nothing is told where the mean is so far off that it would take most digits: by this
   many times the squares of what is left.  */
#define FAR 64

#define SUM(sum) (1u << GT_SUM_OF_##sum)
#define HAS(sum) (which >> GT_SUM_OF_##sum & 1)

/* The kind of Y.  */
enum
{
  ONES,
  SIZES,  /* 1, and x is a magnitude */
  SIGNED, /* 1; products and a sum of their own have the sign of x less a number */
  ABOUT,  /* 1, and x is what is left of it less a number */
  PAIRS,
  WEIGHTS, /* 0 where they are not above 0 */
  WEIGHTS_SIGNED,
  WEIGHTS_ABOVE, /* 0 where x is below a number, too */
  WEIGHTS_ABOUT
};

/* Few sums leave registers for several chains of each.  */
#define SEVERAL_CHAINS 4
#define CHAINS_OF(which) \
  (__builtin_popcount (which) > 2 ? 1u : SEVERAL_CHAINS / __builtin_popcount (which))

INLINE int
is_about (const int form)
{
  return form == ABOUT || form == WEIGHTS_ABOUT;
}

struct several
{
  vector anchor[GT_N_SUMS_OF];
  vector s[SEVERAL_CHAINS][GT_N_SUMS_OF], c[SEVERAL_CHAINS][GT_N_SUMS_OF];
  words drift;
};

/* X + REST and Y, REST being 0 where x is as it is.  */
struct pair
{
  vector x, rest, y;
  words signs;
};

INLINE vector
with_signs (vector v, words signs)
{
  return (vector) ((words) v ^ signs);
}

INLINE struct pair
load_pair (const double *x, const double *y, double about, const int form)
{
  struct pair v = {load_doubles (x), {0}, (vector) {0} + 1, {0}};

  if (form == SIZES)
    v.x = MAGNITUDES (LANES, v.x);
  if (is_about (form))
    TWO_SUM (vector, v.x, v.rest, (vector) {0} - about);
  if (form >= PAIRS)
    v.y = load_doubles (y);
  if (form >= WEIGHTS)
    v.y = GT_PASTE (LARGER, LANES) (v.y, (vector) {0});
  if (form == SIGNED || form == WEIGHTS_SIGNED)
    v.signs = (words) (v.x - about) & SIGN;
  if (form == WEIGHTS_ABOVE)
    v.y = (vector) ((words) v.y & (words) (v.x >= (vector) {0} + about));
  return v;
}

/* V's lanes that MASK has, and zeros.  */
INLINE struct pair
some_of (struct pair v, words mask)
{
  v.x = (vector) ((words) v.x & mask);
  v.rest = (vector) ((words) v.rest & mask);
  v.y = (vector) ((words) v.y & mask);
  return v;
}

/* Whether what is added to XY, less ABOUT times what is added to the weights or to the numbers
   of terms, is never negative.  */
INLINE int
has_distances (const int form)
{
  return form == SIGNED || form == WEIGHTS_SIGNED || form == WEIGHTS_ABOVE;
}

/* Whether sum K shows at the end whether it left its binade, or others do.  */
INLINE int
is_seen (const unsigned k, const unsigned which, const int form)
{
  switch (k)
    {
    case GT_SUM_OF_X:
      return HAS (XX) || form == SIZES;
    case GT_SUM_OF_Y:
      return form != PAIRS || HAS (YY);
    case GT_SUM_OF_XY:
      return has_distances (form) || HAS (YXX) || (HAS (XX) && HAS (YY));
    case GT_SUM_OF_CUBES:
      return HAS (FOURTHS);
    default:
      return 1;
    }
}

/* Makes S of sum K take P Q, or P where there is no other factor; returns what is left.  */
INLINE vector
take (struct several *a, const unsigned chain, const unsigned k, vector p, const vector *q,
      const unsigned which, const int form)
{
  const vector s = a->s[chain][k], next = q ? PRODUCT_AND (p, *q, s) : s + p;
  const vector taken = next - s;

  if (!is_seen (k, which, form))
    a->drift |= (words) next ^ (words) a->anchor[k];
  a->s[chain][k] = next;
  return q ? PRODUCT_AND (p, *q, -taken) : p - taken;
}

/* Makes the sum of the weights and that with their signs take Y.  */
INLINE void
take_both (struct several *a, const unsigned chain, struct pair v, const unsigned which,
           const int form)
{
  const vector s = a->s[chain][GT_SUM_OF_Y];
  const vector left = take (a, chain, GT_SUM_OF_Y, v.y, NULL, which, form);

  a->c[chain][GT_SUM_OF_Y] += left;
  a->s[chain][GT_SUM_OF_SIGNS] += with_signs (a->s[chain][GT_SUM_OF_Y] - s, v.signs);
  a->c[chain][GT_SUM_OF_SIGNS] += with_signs (left, v.signs);
}

#define PUT(sum, p, q) \
  a->c[chain][GT_SUM_OF_##sum] += take (a, chain, GT_SUM_OF_##sum, p, q, which, form)

/* The terms of one vector of pairs.  */
INLINE void
put_pair (struct several *a, const unsigned chain, struct pair v, const unsigned which,
          const int form)
{
  const int ones = form == ONES || form == ABOUT;
  const vector p = v.x * v.x, below = PRODUCT_AND (v.x, v.x, -p);
  const vector e = is_about (form) ? PRODUCT_AND (v.x + v.x, v.rest, below) : below;
  const vector y = with_signs (v.y, v.signs), r = ones ? p : v.y * p;
  const vector g
    = ones ? e : PRODUCT_AND (v.y, e, PRODUCT_AND (v.y, p, -r));
  vector left;

  if (HAS (X))
    PUT (X, v.x, NULL);
  if (HAS (Y) && HAS (SIGNS))
    take_both (a, chain, v, which, form);
  else if (HAS (Y))
    PUT (Y, v.y, NULL);
  else if (HAS (SIGNS))
    a->c[chain][GT_SUM_OF_SIGNS] += y;
  if (HAS (XX))
    PUT (XX, v.x, &v.x);
  if (HAS (YY))
    PUT (YY, v.y, &v.y);
  if (HAS (XY))
    PUT (XY, v.x, &y);
  if (HAS (YXX))
    {
      left = take (a, chain, GT_SUM_OF_YXX, v.y, &p, which, form);
      a->c[chain][GT_SUM_OF_YXX] += PRODUCT_AND (v.y, e, left);
    }
  if (HAS (CUBES))
    {
      left = take (a, chain, GT_SUM_OF_CUBES, r, &v.x, which, form);
      a->c[chain][GT_SUM_OF_CUBES] += PRODUCT_AND (g, v.x, left);
    }
  if (HAS (FOURTHS))
    {
      left = take (a, chain, GT_SUM_OF_FOURTHS, r, &p, which, form);
      a->c[chain][GT_SUM_OF_FOURTHS] += PRODUCT_AND (r, e, PRODUCT_AND (g, p, left));
    }
}

/* About what the magnitudes of each sum's terms add up to, by elements here and there, or by ALL
   of them, some of which may be taken twice.  */
INLINE void
guess (const double *x, const double *y, size_t n, double about, const unsigned which,
       const int form, int all, double m[GT_N_SUMS_OF])
{
  const size_t step = all ? LANES : (n - LANES) / (ANCHOR_GUESSES - 1);
  const size_t vectors = all ? n / LANES + 1 : ANCHOR_GUESSES;
  vector s[GT_N_SUMS_OF] = {{0}};

  for (size_t k = 0; k < vectors; k++)
    {
      const size_t i = k * step < n - LANES ? k * step : n - LANES;
      const struct pair v = load_pair (x + i, y + i, about, form);
      const vector square = v.x * v.x, size = MAGNITUDES (LANES, v.x * v.y);

      s[GT_SUM_OF_X] += MAGNITUDES (LANES, v.x);
      s[GT_SUM_OF_Y] += MAGNITUDES (LANES, v.y);
      s[GT_SUM_OF_SIGNS] += v.y;
      s[GT_SUM_OF_XX] += square;
      s[GT_SUM_OF_YY] += v.y * v.y;
      s[GT_SUM_OF_XY] += size;
      s[GT_SUM_OF_YXX] += MAGNITUDES (LANES, v.y) * square;
      s[GT_SUM_OF_CUBES] += size * square;
      s[GT_SUM_OF_FOURTHS] += v.y * square * square;
    }
  UNROLL
  for (unsigned k = 0; k < GT_N_SUMS_OF; k++)
    if (which >> k & 1)
      m[k] = FOLD (LANES, vector, +, s[k]) * (all ? 1 : (double) n / (ANCHOR_GUESSES * LANES));
}

INLINE double
room_for (double m)
{
  return unit_for (m) * 0x1p51;
}

/* Raises M so that there is more than twice as much room as AMOUNT, or as the root of A B.  */
INLINE void
make_room_for (double *m, double amount)
{
  const double least = amount * (4.0 / ANCHOR_ROOM);

  if (*m < least)
    *m = least;
}

INLINE void
make_room (double *m, double a, double b)
{
  make_room_for (m, sqrt (a * b));
}

/* So that the sums whose drift others tell have room for what these have.  A lane has fewer than
   LENGTH terms.  */
INLINE void
make_rooms (double m[GT_N_SUMS_OF], double length, double about, const unsigned which,
            const int form)
{
  if (has_distances (form))
    make_room_for (&m[GT_SUM_OF_XY],
                   fabs (about) * (HAS (Y) ? room_for (m[GT_SUM_OF_Y]) : length));
  if (HAS (X) && HAS (XX))
    make_room (&m[GT_SUM_OF_X], length, room_for (m[GT_SUM_OF_XX]));
  if (HAS (Y) && HAS (XX) && HAS (YY))
    make_room (&m[GT_SUM_OF_Y], length, room_for (m[GT_SUM_OF_YY]));
  if (HAS (XY) && HAS (XX) && HAS (YY))
    make_room (&m[GT_SUM_OF_XY], room_for (m[GT_SUM_OF_XX]), room_for (m[GT_SUM_OF_YY]));
  if (HAS (XY) && HAS (YXX))
    make_room (&m[GT_SUM_OF_XY], room_for (m[GT_SUM_OF_Y]), room_for (m[GT_SUM_OF_YXX]));
  if (HAS (CUBES) && HAS (FOURTHS))
    make_room (&m[GT_SUM_OF_CUBES], room_for (m[HAS (XX) ? GT_SUM_OF_XX : GT_SUM_OF_YXX]),
               room_for (m[GT_SUM_OF_FOURTHS]));
}

/* Whether magnitudes are such that sums of them tell, after those of ALL that are zero are taken
   for a little more.  */
INLINE int
are_guesses (double m[GT_N_SUMS_OF], size_t n, double about, const unsigned which,
             const int form, int all)
{
  const int powers = HAS (CUBES) || HAS (FOURTHS);
  const double most = powers ? MOST_GUESS_OF_POWERS : MOST_GUESS;
  const double least = powers ? 1 / MOST_GUESS_OF_POWERS : LEAST_GUESS;
  double mean, squares;

  UNROLL
  for (unsigned k = 0; k < GT_N_SUMS_OF; k++)
    if (which >> k & 1)
      {
        if (all && m[k] == 0)
          m[k] = least;
        if (!(m[k] >= least && m[k] <= most))
          return 0;
      }
  if (has_distances (form) && !(fabs (about) <= most))
    return 0;
  mean = m[HAS (YXX) ? GT_SUM_OF_XY : GT_SUM_OF_X];
  squares = HAS (YXX) ? m[GT_SUM_OF_Y] * m[GT_SUM_OF_YXX] : (double) n * m[GT_SUM_OF_XX];
  return !HAS (CUBES) || mean * mean <= squares * (1 - 1.0 / FAR);
}

/* With a guess from ALL elements, or from a few.  */
INLINE int
try_several (const double *x, const double *y, size_t n, double about,
             const unsigned which, const int form, int all, struct gt_ball *to)
{
  const unsigned chains = CHAINS_OF (which);
  struct several a;
  double m[GT_N_SUMS_OF], unit[GT_N_SUMS_OF];
  const size_t first = (-(uintptr_t) x & (sizeof (vector) - 1)) / sizeof *x;
  size_t i = first;

  a.drift = (words) {0};
  guess (x, y, n, about, which, form, all, m);
  if (!are_guesses (m, n, about, which, form, all))
    return 0;
  make_rooms (m, (double) (n / LANES + 1), about, which, form);
  UNROLL
  for (unsigned k = 0; k < GT_N_SUMS_OF; k++)
    if (which >> k & 1)
      {
        unit[k] = unit_for (m[k]);
        a.anchor[k] = (vector) {0} + ANCHOR_UNITS * unit[k];
        UNROLL
        for (unsigned chain = 0; chain < chains; chain++)
          {
            a.s[chain][k] = a.anchor[k];
            a.c[chain][k] = (vector) {0};
          }
      }
  if (first)
    put_pair (&a, 0,
              some_of (load_pair (x, y, about, form),
                       (words) ((words) GT_PASTE (NUMBERS, LANES) < first)),
              which, form);
  for (; n - i >= chains * LANES; i += chains * LANES)
    {
      ask_ahead (x + i, chains * LANES * sizeof *x);
      if (form >= PAIRS)
        ask_ahead (y + i, chains * LANES * sizeof *y);
      UNROLL
      for (unsigned chain = 0; chain < chains; chain++)
        put_pair (&a, chain,
                  load_pair (x + i + chain * LANES, y + i + chain * LANES, about, form), which,
                  form);
    }
  for (; chains > 1 && n - i >= LANES; i += LANES)
    put_pair (&a, 0, load_pair (x + i, y + i, about, form), which, form);
  if (i < n)
    put_pair (&a, 0,
              some_of (load_pair (x + n - LANES, y + n - LANES, about, form),
                       (words) ((words) GT_PASTE (NUMBERS, LANES) >= i - (n - LANES))),
              which, form);
  UNROLL
  for (unsigned k = 0; k < GT_N_SUMS_OF; k++)
    if (which >> k & 1)
      {
        UNROLL
        for (unsigned chain = 0; chain < chains; chain++)
          a.drift |= (words) a.s[chain][k] ^ (words) a.anchor[k];
      }
  if (FOLD (LANES, words, |, a.drift) & ~FRACTION)
    return 0;
  UNROLL
  for (unsigned k = 0; k < GT_N_SUMS_OF; k++)
    if (which >> k & 1)
      {
        words s = (words) a.s[0][k] - (words) a.anchor[k];
        vector c = a.c[0][k];
        struct interval of;
        struct short_sum sum;

        UNROLL
        for (unsigned chain = 1; chain < chains; chain++)
          {
            s += (words) a.s[chain][k] - (words) a.anchor[k];
            c += a.c[chain][k];
          }
        sum = counted (s, c, (is_about (form) ? 5 : 2) * n, unit[k], n / LANES + 16);
        of = interval_of (&sum);
        to[k] = (struct gt_ball) {of.h, of.l, of.s};
      }
    else
      to[k] = gt_ball_exactly (0);
  return 1;
}

#define SEVERAL(id, name, form, which)                                         \
  static int __attribute__ ((noinline))                                        \
  name (const double *x, const double *y, size_t n, double about, int all,     \
        struct gt_ball *to)                                                    \
  { return try_several (x, y, n, about, which, form, all, to); }
#include "kernels/cpu/short/exact_several.def"

int
GT_FOR_ISA (gt_exact_several) (enum gt_several what, const double *x, const double *y,
                               size_t n, double about, struct gt_ball *to)
{
  static int (*const of[]) (const double *, const double *, size_t, double, int,
                            struct gt_ball *) = {
#define SEVERAL(id, name, form, which) [GT_SEVERAL_##id] = name,
#include "kernels/cpu/short/exact_several.def"
  };

  return n > GT_CUTOFF_STATISTICS && n <= GT_CUTOFF_ANCHORED
         && (of[what](x, y, n, about, 0, to) || of[what](x, y, n, about, 1, to));
}

/* ------------------------------------------------------- Complex numbers

   Vectors of x with those of y, and with y's numbers the other way round: of either products
   every other one has a sign of its own, which is that of its lanes' sums.  */

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

int
GT_FOR_ISA (gt_exact_several) (enum gt_several what, const double *x, const double *y,
                               size_t n, double about, struct gt_ball *to)
{
  (void) what, (void) x, (void) y, (void) n, (void) about, (void) to;
  return 0;
}
#endif
