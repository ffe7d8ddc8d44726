/* Cascades of many doubles that lie side by side, or of their products, in half the
   operations.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_EXACT_ANCHORED_H
#define GT_KERNELS_CPU_EXACT_ANCHORED_H

#include "kernels/cpu/short/exact_intervals.h"

/* S of a cascade (kernels/cpu/short/exact_short.c) begins at an anchor, 1.5 * 2^top, and is
   held to its binade, as the accumulators of windows are (kernels/cpu/exact/exact_window.c).
   There the rounding error of an addition takes two operations more, and is at most half a
   unit, 2^(top - 53).  So a bound of the sum of all errors' magnitudes is known beforehand,
   and M need not be added up.

   A product is added by one fused operation, and what that leaves out is given by another:
   x y - taken, rounded to a double.  The rounding is one addition more that the error goes
   through.  So no product is too small, and none needs an error of its own.

   The top is guessed from elements here and there, with much room: the slack is far below
   the last digit.  Where S leaves its binade, as when a few elements make up most of the sum,
   all elements give the top; with infinities and NaN there is no result.  doc/exact.md has the
   proof.  */

#define ANCHOR_CHAINS 2
#define ANCHORED_FROM 224 /* elements for which a guess pays, and products */
#define ANCHORED_PRODUCTS_FROM 112
#define ANCHOR_BLOCK 2048 /* elements from one look at S to the next */
#define ANCHOR_GUESSES 8  /* vectors */
#define ANCHOR_ROOM 64    /* times what was guessed */
#define PRODUCTS 8        /* beside the forms of exact_lanes.h */

struct anchored
{
  vector anchor, s[ANCHOR_CHAINS], c[ANCHOR_CHAINS];
  words drift; /* has a bit that differs wherever S left its binade */
};

/* V's first COUNT lanes.  */
#define FIRST_LANES(count, v) \
  ((vector) ((words) (v) & (words) ((words) GT_PASTE (NUMBERS, LANES) < (count))))

#ifdef FUSED_1
#define PRODUCT_AND(x, y, z) GT_PASTE (FUSED, LANES) (x, y, z)
#else
#define PRODUCT_AND(x, y, z) ((x) * (y) + (z)) /* is not called */
#endif

INLINE void
anchored_add (struct anchored *a, vector x, vector y, const int form, const unsigned k)
{
  const vector next = form & PRODUCTS ? PRODUCT_AND (x, y, a->s[k]) : a->s[k] + x;
  const vector taken = next - a->s[k];

  a->c[k] += form & PRODUCTS ? PRODUCT_AND (x, y, -taken) : x - taken;
  a->drift |= (words) next ^ (words) a->anchor;
  a->s[k] = next;
}

INLINE vector
anchored_load (const double *x, const int form)
{
  const vector v = load_doubles (x);

  return form & MAGNITUDE ? MAGNITUDES (LANES, v) : v;
}

/* About what the magnitudes of N numbers or products add up to.  */
INLINE double
guess_magnitude (const double *x, const double *y, size_t n, const int form)
{
  const size_t step = (n - LANES) / (ANCHOR_GUESSES - 1);
  vector m = {0};

  UNROLL
  for (unsigned k = 0; k < ANCHOR_GUESSES; k++)
    {
      const vector v = load_doubles (x + k * step);

      m += MAGNITUDES (LANES, form & PRODUCTS ? v * load_doubles (y + k * step) : v);
    }
  return FOLD (LANES, vector, +, m) * ((double) n / (ANCHOR_GUESSES * LANES));
}

/* Does the same by all of them, and takes some of the last ones twice.  */
static double __attribute__ ((noinline, cold, unused))
magnitude_of_all (const double *x, const double *y, size_t n, int form)
{
  vector m = {0};

  for (size_t k = 0; k < n; k += LANES)
    {
      const size_t i = n - k < LANES ? n - LANES : k;
      const vector v = load_doubles (x + i);

      m += MAGNITUDES (LANES, form & PRODUCTS ? v * load_doubles (y + i) : v);
    }
  return FOLD (LANES, vector, +, m);
}

/* The unit of an S that has room for ANCHOR_ROOM times M; the anchor is this many
   units.  */
#define ANCHOR_UNITS 0x1.8p52
INLINE double
unit_for (double m)
{
  uint64_t bits;

  memcpy (&bits, &m, sizeof bits);
  bits &= ~FRACTION;
  memcpy (&m, &bits, sizeof m);
  return 2 * ANCHOR_ROOM * 0x1p-52 * m;
}

/* Returns the unit, or 0 where M is too small or too large, or NaN.  */
INLINE double
anchor_at (struct anchored *a, double m)
{
  double unit;

  if (!(m >= 0x1p-850 && m <= 0x1p950))
    return 0;
  unit = unit_for (m);
  *a = (struct anchored) {.anchor = (vector) {0} + ANCHOR_UNITS * unit};
  UNROLL
  for (unsigned k = 0; k < ANCHOR_CHAINS; k++)
    a->s[k] = a->anchor;
  return unit;
}

INLINE int
has_drifted (const struct anchored *a)
{
  return (FOLD (LANES, words, |, a->drift) & ~FRACTION) != 0;
}

/* S, which counts units, fewer than 2^56, and C; ERRORS is how many there are at most, of half
   a unit each.  */
INLINE struct short_sum
counted (words s, vector c, size_t errors, double unit, size_t additions)
{
  const int64_t all = (int64_t) FOLD (LANES, words, +, s);
  const double most = (double) all, left = (double) (all - (int64_t) most) * unit;

  return with_slack ((struct cascade_1) {most * unit, FOLD (LANES, vector, +, c) + left,
                                         (double) errors * unit}, additions);
}

/* The sums A of N numbers.  */
INLINE struct short_sum
anchored_end (const struct anchored *a, size_t n, double unit)
{
  words s = {0};
  vector c = {0};

  UNROLL
  for (unsigned k = 0; k < ANCHOR_CHAINS; k++)
    {
      s += (words) a->s[k] - (words) a->anchor;
      c += a->c[k];
    }
  return counted (s, c, n, unit, n / LANES + 8);
}

/* The sum of N >= ANCHORED_FROM numbers, their magnitudes, or products with Y, where M is about
   what magnitudes add up to; or, with a slack that is NaN, nothing.  Vectors of x begin where they
   cross no line of the cache: a load that does costs two, which is what this takes from the second
   cache on.  */
INLINE struct short_sum
anchored_try (const double *x, const double *y, size_t n, const int form, double m)
{
  static const struct short_sum nothing = {{0, 0, 0}, (double) NAN};
  const size_t step = ANCHOR_CHAINS * LANES;
  const size_t first = (-(uintptr_t) x & (sizeof (vector) - 1)) / sizeof *x;
  struct anchored a;
  const double unit = anchor_at (&a, m);
  size_t i = first;

  if (unit == 0)
    return nothing;
  anchored_add (&a, FIRST_LANES (first, anchored_load (x, form)), load_doubles (y),
                form, 0);
  while (n - i >= step)
    {
      const size_t left = n - i - (n - i) % step;
      const size_t end = i + (left < ANCHOR_BLOCK ? left : ANCHOR_BLOCK);

      for (; i < end; i += step)
        {
          UNROLL
          for (unsigned k = 0; k < ANCHOR_CHAINS; k++)
            anchored_add (&a, anchored_load (x + i + k * LANES, form),
                          load_doubles (y + i + k * LANES), form, k);
        }
      if (has_drifted (&a))
        return nothing;
    }
  for (; n - i >= LANES; i += LANES)
    anchored_add (&a, anchored_load (x + i, form), load_doubles (y + i), form, 0);
  anchored_add (
    &a, LANES_FROM (LANES, LANES - (n - i), anchored_load (x + n - LANES, form)),
    load_doubles (y + n - LANES), form, 1);
  return has_drifted (&a) ? nothing : anchored_end (&a, n, unit);
}

/* The same by a guess, and where that has no room for the sum by all magnitudes.  */
INLINE struct short_sum
anchored_sum (const double *x, const double *y, size_t n, const int form)
{
  struct short_sum sum = {{0, 0, 0}, (double) NAN};

  for (int all = 0; all < 2 && sum.slack != sum.slack; all++)
    sum = anchored_try (x, y, n, form, all ? magnitude_of_all (x, y, n, form)
                                           : guess_magnitude (x, y, n, form));
  return sum;
}

#endif
