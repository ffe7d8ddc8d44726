/* Several sums of one or two samples at once, in twice the precision, with error bounds.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/cpu/quick/terms.h"
#include "kernels/cpu/wide/two_sum.h"

/* In each lane, S begins at an anchor, 1.5 * 2^top, and must stay in its binade, like the
   accumulators of windows (kernels/cpu/exact/exact.c).  The rounding error of an addition is
   then at most half a unit, 2^(top - 53), and takes two operations.  C adds up these errors;
   their number bounds the error of C.  A product is added by one fused operation, and another
   one yields its remainder, x y - taken, rounded to a double.  So no product is too small, and
   none needs a separate error.

   The top is estimated from a few elements, with much room: the tolerance is far below the
   last digit.  If S leaves its binade, for example because a few elements make up most of the
   sum, the top is computed from all elements.  If there are infinities or NaNs, there is no
   result.

   Some terms are w x^2, w x^3 or w x^4, whose factors are not doubles: x^2 = P + E, and w x^2
   = R + G.  C receives the remainders of w P, R x or R P together with the products with the
   smaller parts; each of these is at most a unit of S.  The remainder of an element x that is
   two doubles adds twice their product to E, and itself to the term w x.  No term adds more
   than 4.5 units to C.

   It is enough to check at the end whether an S has left its binade if no term is negative.
   The same holds for terms that are products of numbers whose squares are added up, too: by
   Cauchy and Schwarz, if the sums of squares have not left their binades, the sum of products
   has not, either, provided that there is room for it.  Distances from a number near zero
   hardly ever decrease, and there is room for that number times the weights.

   Magnitudes are restricted to between 2^-400 and 2^400, so that underflow is negligible
   compared with a unit.

   Fast sums are compiled from the same code without errors: chains of a few additions, whose
   sums are added up with their errors, so that an element takes part in few roundings.

   The first vector of x is aligned, because a load that crosses a cache line costs as much as
   two, which matters for data in the second-level cache or beyond.  doc/exact.md has the
   proofs.  */
#define ANCHOR_UNITS 0x1.8p52 /* the anchor in units */
#define ANCHOR_GUESSES 8      /* vectors */
#define ANCHOR_ROOM 64        /* times the estimated sum */
#define LEAST_GUESS 0x1p-400
#define MOST_GUESS 0x1p400

/* The approximate number of additions in a chain of fast sums.  */
#define SHORT_CHAIN 12

/* For this many elements or fewer, all are used for the estimate.  */
#define FEW ((size_t) ANCHOR_GUESSES * LANES)

/* Returns a mask of the lanes from FIRST to before END.  */
INLINE words
lanes_between (size_t first, size_t end)
{
  const words lane = GT_PASTE (NUMBERS, LANES);

  return (words) (lane >= first) & (words) (lane < end);
}

/* Estimates the sum of the magnitudes of each sum's terms, from a few elements, or from ALL;
   some elements may count twice.  NOTHING receives the sums whose terms are all zero.  */
#define OF_Y (BIT (W) | BIT (WW) | BIT (Y) | BIT (YY) | BIT (SIDES))
INLINE void
guess (const struct gt_quick *of, const unsigned which, const int form, const int how, int all,
       double m[GT_N_MOMENTS], unsigned *nothing)
{
  const size_t n = of->n, last = n < LANES ? 0 : n - LANES;
  const size_t step = all ? LANES : last / (ANCHOR_GUESSES - 1);
  const size_t vectors = all ? (n + LANES - 1) / LANES : ANCHOR_GUESSES;
  vector s[GT_N_MOMENTS] = {{0}}, of_x = {0};

  for (size_t k = 0; k < vectors; k++)
    {
      const size_t at = form == COMPLEX_PAIRS ? k * step & ~(size_t) 1 : k * step;
      const size_t i = at < last ? at : last;
      const struct pair v = some_of (load_pair (of, i, form, how), lanes_between (0, n - i));
      const vector square = v.x * v.x;
      const vector size = MAGNITUDES (LANES, form >= PLAIN_PAIRS ? v.x * v.y : v.x);

      of_x += MAGNITUDES (LANES, v.x);
      s[GT_MOMENT_W] += v.y;
      s[GT_MOMENT_SIDES] += v.y;
      s[GT_MOMENT_WW] += v.y * v.y;
      s[GT_MOMENT_1] += ARE_PAIRS (form) ? MAGNITUDES (LANES, v.x) : size;
      s[GT_MOMENT_2] += ARE_PAIRS (form) ? square : v.y * square;
      s[GT_MOMENT_3] += size * square;
      s[GT_MOMENT_4] += v.y * square * square;
      s[GT_MOMENT_Y] += MAGNITUDES (LANES, v.y);
      s[GT_MOMENT_YY] += v.y * v.y;
      s[GT_MOMENT_PRODUCTS] += size;
      s[GT_MOMENT_LAST] += MAGNITUDES (LANES, v.x * MOVED (v.y, 1));
      s[GT_MOMENT_DISTANCES] += size;
    }
  EACH_SUM (k)
    m[k] = FOLD (LANES, vector, +, s[k]) * (all ? 1 : (double) n / (ANCHOR_GUESSES * LANES));
  *nothing = 0;
  if (all && FOLD (LANES, vector, +, of_x) == 0)
    *nothing = which & ~OF_Y;
  if (all && FOLD (LANES, vector, +, s[GT_MOMENT_Y]) == 0)
    *nothing |= which & (ARE_PAIRS (form) ? OF_Y | BIT (PRODUCTS) | BIT (LAST) : ~0u);
}

/* Returns the unit of an S that has room for ANCHOR_ROOM times M.  */
INLINE double
unit_for (double m)
{
  uint64_t bits;

  memcpy (&bits, &m, sizeof bits);
  bits &= ~FRACTION;
  memcpy (&m, &bits, sizeof m);
  return 2 * ANCHOR_ROOM * 0x1p-52 * m;
}

INLINE double
room_for (double m)
{
  return unit_for (m) * 0x1p51;
}

/* Raises M so that the room is more than twice AMOUNT.  */
INLINE void
make_room_for (double *m, double amount)
{
  const double least = amount * (4.0 / ANCHOR_ROOM);

  if (*m < least)
    *m = least;
}

/* Makes room for the sums whose drift is inferred from that of other sums.  A lane has at most
   LENGTH terms.  */
INLINE void
make_rooms (double m[GT_N_MOMENTS], double length, double about, const unsigned which)
{
  const double weights = HAS (W) ? room_for (m[GT_MOMENT_W]) : length;

  if (HAS (DISTANCES))
    make_room_for (&m[GT_MOMENT_DISTANCES], fabs (about) * weights);
  if (HAS (1) && HAS (2))
    make_room_for (&m[GT_MOMENT_1], sqrt (weights * room_for (m[GT_MOMENT_2])));
  if (HAS (Y) && HAS (YY))
    make_room_for (&m[GT_MOMENT_Y], sqrt (length * room_for (m[GT_MOMENT_YY])));
  if (HAS (PRODUCTS) && HAS (2) && HAS (YY))
    make_room_for (&m[GT_MOMENT_PRODUCTS],
                   sqrt (room_for (m[GT_MOMENT_2]) * room_for (m[GT_MOMENT_YY])));
  if (HAS (3) && HAS (4))
    make_room_for (&m[GT_MOMENT_3],
                   sqrt (room_for (m[GT_MOMENT_2]) * room_for (m[GT_MOMENT_4])));
}

/* Returns whether the estimates are in the middle of the range of doubles.  Replaces an
   estimate from ALL elements that is zero by a small number.  */
INLINE int
are_guesses (double m[GT_N_MOMENTS], double about, const unsigned which, int all)
{
  int fine = !HAS (DISTANCES) || fabs (about) <= MOST_GUESS;

  EACH_SUM (k)
    {
      if (all && m[k] == 0)
        m[k] = LEAST_GUESS;
      fine &= m[k] >= LEAST_GUESS && m[k] <= MOST_GUESS;
    }
  return fine;
}

/* Clears the sums of chains from FIRST to before END.  */
INLINE void
clear_chains (struct chains *a, const unsigned first, const unsigned end, const unsigned which)
{
  EACH_SUM (k)
    {
      UNROLL
      for (unsigned chain = first; chain < end; chain++)
        a->s[chain][k] = (vector) {0};
    }
}

/* Adds all chains to the first one.  */
INLINE void
join_chains (struct chains *a, const unsigned chains, const unsigned which)
{
  EACH_SUM (k)
    {
      UNROLL
      for (unsigned half = chains / 2; half > 0; half /= 2)
        {
          UNROLL
          for (unsigned chain = 0; chain < half; chain++)
            a->s[chain][k] += a->s[chain + half][k];
        }
    }
}

INLINE void
add_all (struct chains *a, const struct gt_quick *of, const unsigned which, const int form,
         const int how)
{
  const unsigned chains = CHAINS_OF (which, how);
  const size_t n = of->n, last = n < LANES ? 0 : n - LANES;
  const size_t size = how == FAST_FLOATS ? sizeof (float) : sizeof (double);
  const size_t before = n <= FEW ? 0 : (-(uintptr_t) of->x & (LANES * size - 1)) / size;
  const size_t first = form == COMPLEX_PAIRS ? before & ~(size_t) 1 : before;
  size_t i = first;

  if (first)
    put_pair (a, 0, some_of (load_pair (of, 0, form, how), lanes_between (0, first)), which,
              form, how);
  if (how >= FAST && n - i >= chains * LANES)
    clear_chains (a, 1, chains, which);
  for (; n - i >= chains * LANES; i += chains * LANES)
    {
      if (how < FAST)
        ask_ahead (of->x + i, chains * LANES * sizeof *of->x);
      if (how < FAST && form >= PLAIN_PAIRS)
        ask_ahead (of->y + i, chains * LANES * sizeof *of->y);
      UNROLL
      for (unsigned chain = 0; chain < chains; chain++)
        put_pair (a, chain, load_pair (of, i + chain * LANES, form, how), which, form, how);
    }
  if (how >= FAST && i - first >= chains * LANES)
    join_chains (a, chains, which);
  for (; chains > 1 && n - i >= LANES; i += LANES)
    put_pair (a, 0, load_pair (of, i, form, how), which, form, how);
  if (i < n)
    put_pair (a, 0,
              some_of (load_pair (of, last, form, how), lanes_between (i - last, n - last)),
              which, form, how);
}

/* Returns the bits of the largest difference from SHIFT that is certainly exact.  A difference
   below half of the shift is (P. H. Sterbenz, "Floating-point computation", 1974), and so is one
   from 0.  A larger one may have been rounded to half of the shift.  */
INLINE words
limit_of (double shift)
{
  return (words) ((vector) {0} + (shift == 0 ? HUGE_VAL : 0.49 * fabs (shift)));
}

/* Returns a ball for the sum S, which counts fewer than 2^56 units, plus C, which contains at
   most ERRORS errors of half a unit each; each is in fewer than ADDITIONS additions.  */
INLINE struct gt_ball
counted (words s, vector c, size_t errors, double unit, size_t additions)
{
  const int64_t all = (int64_t) FOLD (LANES, words, +, s);
  const double most = (double) all, left = (double) (all - (int64_t) most) * unit;

  return gt_ball_of (most * unit, FOLD (LANES, vector, +, c) + left,
                     (double) errors * unit * ((double) (additions + 2) * 0x1p-53));
}

/* Sets the signs of the parts of products of complex numbers.  */
INLINE void
set_signs (struct chains *a, int conjugated)
{
  const words odd = ((words) GT_PASTE (NUMBERS, LANES) & 1) << 63;

  a->signs[conjugated] = odd;
  a->signs[!conjugated] = (words) {0};
}

/* Computes the sums with an estimate from ALL elements, or from a few.  Returns 0 if it
   fails.  */
INLINE int
try_sums (const struct gt_quick *of, const unsigned which, const int form, const int how,
          int all, struct gt_ball *to)
{
  const unsigned chains = CHAINS_OF (which, how);
  const size_t n = of->n;
  struct chains a;
  double m[GT_N_MOMENTS], unit[GT_N_MOMENTS];
  unsigned nothing;

  a.drift = a.far = (words) {0};
  a.x_limit = limit_of (of->x_shift);
  a.y_limit = limit_of (of->y_shift);
  set_signs (&a, of->conjugated);
  guess (of, which, form, how, all, m, &nothing);
  if (!are_guesses (m, of->about, which, all))
    return 0;
  make_rooms (m, (double) (n / LANES + 1), of->about, which);
  EACH_SUM (k)
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
  add_all (&a, of, which, form, how);
  EACH_SUM (k)
    {
      UNROLL
      for (unsigned chain = 0; chain < chains; chain++)
        a.drift |= (words) a.s[chain][k] ^ (words) a.anchor[k];
    }
  if (FOLD (LANES, words, |, a.drift) & ~FRACTION || FOLD (LANES, words, |, a.far) & SIGN)
    return 0;
  UNROLL
  for (unsigned k = 0; k < GT_N_MOMENTS; k++)
    to[k] = gt_ball_exactly (0);
  EACH_SUM (k)
    {
      words s = (words) a.s[0][k] - (words) a.anchor[k];
      vector c = a.c[0][k];

      UNROLL
      for (unsigned chain = 1; chain < chains; chain++)
        {
          s += (words) a.s[chain][k] - (words) a.anchor[k];
          c += a.c[chain][k];
        }
      if (!(nothing >> k & 1))
        to[k] = counted (s, c, (how == RESTED ? 6 : 3) * n, unit[k], n / LANES + 24);
    }
  return 1;
}

/* Returns the sums that are needed if the mean is given.  */
INLINE unsigned
about (const unsigned which)
{
  return which & ~(BIT (Y) | BIT (SIDES) | BIT (1) | (HAS (3) ? BIT (2) : 0)
                   | (HAS (4) ? BIT (3) : 0));
}

/* Adds up fast sums by short chains.  */
INLINE void
add_fast (const struct gt_quick *of, int more, const unsigned which, const int form,
          const int how, struct gt_ball *to)
{
  const size_t size = how == FAST_FLOATS ? sizeof (float) : sizeof (double);
  const size_t turn = CHAINS_OF (which, how) * LANES, turns = SHORT_CHAIN * turn;
  vector s[GT_N_MOMENTS], c[GT_N_MOMENTS];
  size_t n = (-(uintptr_t) of->x & (LANES * size - 1)) / size + turns;
  const int parts = of->n >= n + turn;
  size_t i = 0;

  EACH_SUM (k)
    s[k] = c[k] = (vector) {0};
  do
    {
      struct chains a;
      struct gt_quick some = *of;

      clear_chains (&a, 0, 1, which);
      set_signs (&a, of->conjugated);
      some.n = n = of->n - i < n + turn ? of->n - i : n;
      some.x = (const double *) (const void *) ((const char *) of->x + i * size);
      some.y = (const double *) (const void *) ((const char *) of->y + i * size);
      add_all (&a, &some, which, form, how);
      EACH_SUM (k)
        {
          if (parts)
            GT_TWO_SUM (vector, s[k], c[k], a.s[0][k]);
          else
            s[k] = a.s[0][k];
        }
      i += n;
      n = turns;
    }
  while (i < of->n);
  EACH_SUM (k)
    {
      const double h = FOLD (LANES, vector, +, s[k]);
      const double l = parts ? FOLD (LANES, vector, +, c[k]) : 0;

      to[k] = more ? gt_ball_sum (to[k], gt_ball_of (h, l, 0)) : (struct gt_ball) {h, l, 0};
    }
}

typedef int sums_function (const struct gt_quick *of, int all, struct gt_ball *to);

#define SET(id, form, which)                                             \
  static int __attribute__ ((noinline))                                  \
  sums_##id (const struct gt_quick *of, int all, struct gt_ball *to)     \
  { return try_sums (of, which, form, BARE, all, to); }                  \
  static int __attribute__ ((noinline))                                  \
  rested_##id (const struct gt_quick *of, int all, struct gt_ball *to)   \
  { return try_sums (of, which, form, RESTED, all, to); }
#include "kernels/cpu/quick/sets.def"

int
GT_FOR_ISA (gt_quick_sums) (enum gt_set set, const struct gt_quick *of,
                            struct gt_ball to[GT_N_MOMENTS])
{
  static sums_function *const functions[][2] = {
#define SET(id, form, which) [GT_SET_##id] = {sums_##id, rested_##id},
#include "kernels/cpu/quick/sets.def"
  };
  sums_function *const function = functions[set][of->x_rest != NULL];

  return (of->n > FEW && function (of, 0, to)) || function (of, 1, to);
}

typedef void fast_function (const struct gt_quick *of, int given, int floats, int more,
                            struct gt_ball *to);

#define SET(id, form, which)                                                           \
  static void __attribute__ ((noinline))                                               \
  fast_##id (const struct gt_quick *of, int given, int floats, int more, struct gt_ball *to) \
  {                                                                                    \
    given ? floats ? add_fast (of, more, about (which), form, FAST_FLOATS, to)         \
                   : add_fast (of, more, about (which), form, FAST, to)                \
          : floats ? add_fast (of, more, which, form, FAST_FLOATS, to)                 \
                   : add_fast (of, more, which, form, FAST, to);                       \
  }
#include "kernels/cpu/quick/sets.def"

void
GT_FOR_ISA (gt_quick_fast) (enum gt_set set, const struct gt_quick *of, int given, int floats,
                            int more, struct gt_ball to[GT_N_MOMENTS])
{
  static fast_function *const functions[] = {
#define SET(id, form, which) [GT_SET_##id] = fast_##id,
#include "kernels/cpu/quick/sets.def"
  };

  functions[set](of, given, floats, more, to);
}
