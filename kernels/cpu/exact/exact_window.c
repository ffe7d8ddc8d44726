/* Exact sums of numbers of similar size: windows.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/exact/exact_lanes.h"

/* A window is a stretch of binary digits cut into levels, each with its own
   accumulators.  Level 0 takes from a number the digits down to its unit, the
   next level takes from what is left, and so on; when nothing is left at the
   end the number was added exactly.  The method is that of S. M. Rump, T. Ogita
   and S. Oishi ("Accurate Floating-Point Summation", 2008: extraction by a large
   constant) in the form of J. Demmel and H. D. Nguyen ("Parallel Reproducible
   Summation", 2015: the constant is the accumulator itself), which is three
   additions a level,

     next = acc + x      taken = next - acc      x = x - taken      acc = next

   but the window is where the data are, and all of it is checked.

   Level l begins with acc = 1.5 * 2^k, k = top - 46 l.  While acc is in the
   binade [2^k, 2^(k+1)) it is a multiple of its unit u = 2^(k-52).

   * Taken is exact: next and acc are multiples of u in one binade.
   * What is left of x is exact: it is the rounding error of acc + x, which is
     a multiple of the smaller of u and of x's own unit, and no larger than x
     (acc was a candidate for next) or than u/2, so a double holds it.
   * In level 0 each next is compared with the first: no sign or exponent may
     differ, once, or the call fails.  So whatever the numbers are, infinities
     and NaN among them, level 0 is right when it says so, and top need only be
     a good guess.
   * In level l > 0 nothing need be compared.  What arrives is at most
     B = u'/2 = 2^(k-7), where u' is the unit above; as B is a multiple of u,
     what is taken is at most B too; and an accumulator takes at most 2^6 =
     GT_WINDOW_LENGTH numbers, so it moves by no more than 2^(k-1) either way.
     Should it arrive at 2^(k+1), then with the last number.
   * In the last level taken is compared with what arrived.  Any difference but
     that of +0 and -0 is a digit lost, and the call fails.

   When a call ends well the accumulators are read as integers: in one binade
   the bits of acc less those of 1.5 * 2^k count units, at most 2^51 of them
   (and 2^(k+1) follows on its binade).  They are added to the window's totals,
   where there is room for many calls.

   So L levels hold digits from 2^(top-1) down to 2^(top-6-46 L): one is enough
   for integers and for most floats, two for what random number generators give
   as doubles, three for exponents within +-40, four for +-65.  With top at
   most 1002 nothing overflows; with top at least GT_WINDOW_LOWEST the units are
   at least 2^-1074, so that each anchor is a normal number.  Sums and
   differences of subnormal numbers are exact.  */

#define NAMED(stem) GT_PASTE (stem, NAME)
#define MOST_CHAINS GT_UNROLL (GT_WINDOW_UNROLLS - 1)

/* The accumulators of level L begin as 1.5 * 2^(top - L * GT_WINDOW_STEP).  */
INLINE uint64_t
anchor_bits (int top, unsigned l)
{
  return (uint64_t) (top - (int) l * GT_WINDOW_STEP + 1023) << 52
         | (uint64_t) 1 << 51;
}

/* Accumulators on their way, by level and chain: DRIFT has a bit that differs
   wherever one of level 0 left its binade; LEFT, what the last level left.  */
struct levels
{
  vector acc[GT_WINDOW_LEVELS][MOST_CHAINS];
  words anchor[GT_WINDOW_LEVELS], drift, left;
};

/* Adds X to chain K.  */
INLINE void
take (struct levels *a, vector x, const unsigned levels, const unsigned k)
{
  UNROLL
  for (unsigned l = 0; l < levels; l++)
    {
      const vector next = a->acc[l][k] + x;
      const vector taken = next - a->acc[l][k];

      if (l == 0)
        a->drift |= (words) next ^ a->anchor[0];
      if (l == levels - 1)
        a->left |= (words) taken ^ (words) x;
      else
        x -= taken;
      a->acc[l][k] = next;
    }
}

INLINE void
begin (struct levels *a, int top, const unsigned levels, const unsigned u)
{
  a->drift = a->left = (words) {0};
  UNROLL
  for (unsigned l = 0; l < levels; l++)
    {
      a->anchor[l] = (words) {0} + anchor_bits (top, l);
      UNROLL
      for (unsigned k = 0; k < u; k++)
        a->acc[l][k] = (vector) a->anchor[l];
    }
}

/* Adds the accumulators to the window, if all is well.  Returns as
   gt_window_function does.  */
INLINE unsigned
end (const struct levels *a, struct gt_window *window, const unsigned levels,
     const unsigned u)
{
  unsigned needed = levels < GT_WINDOW_LEVELS ? levels : 1;

  if (FOLD (LANES, words, |, (a->drift & ~FRACTION) | (a->left & ~SIGN)))
    return 0;
  UNROLL
  for (unsigned l = 0; l < levels; l++)
    {
      words *total = (words *) window->total[l];
      words sum = {0}, touched = {0};

      UNROLL
      for (unsigned k = 0; k < u; k++)
        {
          sum += (words) a->acc[l][k] - a->anchor[l];
          touched |= (words) a->acc[l][k] ^ a->anchor[l];
        }
      *total += sum;
      if (levels == GT_WINDOW_LEVELS && FOLD (LANES, words, |, touched))
        needed = l + 1;
    }
  return needed;
}

#define LIFT(v) (magnitudes ? MAGNITUDES (LANES, v) : (v))

/* The function of an unroll factor.  */
#define ENTRY(stem, u, magnitudes)                                           \
  static unsigned NAMED (stem##_##u) (const TYPE *x, size_t n,               \
                                      struct gt_window *window)              \
  { return NAMED (add) (x, n, window, u, magnitudes); }

#define NAME f64
#define TYPE double
#define WORD uint64_t
#include "kernels/cpu/exact/exact_window.inc"

#define NAME f32
#define TYPE float
#define WORD uint32_t
#include "kernels/cpu/exact/exact_window.inc"

#define UNROLLS(stem, name) {stem##_1_##name, stem##_2_##name, stem##_4_##name}

const struct gt_exact_isa GT_FOR_ISA (gt_exact_isa) = {
  .lanes = LANES,
#define X(name, ctype)                                        \
  .add_##name = UNROLLS (add, name),                          \
  .magnitude_##name = magnitude_##name,                       \
  .surplus_##name = surplus_##name,                           \
  .bins_add_##name = GT_FOR_ISA (gt_bins_add_##name),         \
  .bins_flush_##name = GT_FOR_ISA (gt_bins_flush_##name),     \
  .special_##name = GT_FOR_ISA (gt_exact_special_##name),
  GT_EXACT_TYPES (X)
#undef X
};

const struct gt_exact_isa GT_FOR_ISA (gt_exact_magnitude_isa) = {
  .lanes = LANES,
  .magnitudes = 1,
#define X(name, ctype)                                              \
  .add_##name = UNROLLS (add_magnitudes, name),                     \
  .magnitude_##name = magnitude_##name,                             \
  .surplus_##name = surplus_magnitudes_##name,                      \
  .bins_add_##name = GT_FOR_ISA (gt_bins_add_magnitudes_##name),    \
  .bins_flush_##name = GT_FOR_ISA (gt_bins_flush_##name),           \
  .special_##name = GT_FOR_ISA (gt_exact_special_##name),
  GT_EXACT_TYPES (X)
#undef X
};
