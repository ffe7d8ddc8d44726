/* Converts elements of any type to sums of two doubles, after subtracting a shift and
   scaling.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>

#include "kernels/cpu/exact/exact_lanes.h"
#include "kernels/cpu/quick/quick.h"
#include "kernels/cpu/wide/two_sum.h"

#define LEAST_NORMAL (FRACTION + 1) /* the bits of DBL_MIN */

/* The constants for all elements, and flags: whether any remainder is not zero, and whether
   any digits were lost.  */
struct conversion
{
  vector shift, scale;
  int shifted, scaled;
  words rested, lost;
};

/* Returns X times the scale.  A subnormal number is computed as 2^-1022 plus the number, minus
   2^-1022, because multiplying subnormals takes a hundred cycles.  A result that is subnormal
   counts as lost.  */
INLINE vector
scaled (struct conversion *c, vector x)
{
  const words sign = (words) x & SIGN, size = (words) x & ~SIGN;
  const words small = (words) (size < LEAST_NORMAL);
  const vector normal = (vector) ((words) x | (small & LEAST_NORMAL));
  const vector less = (vector) (small & ((words) ((vector) {0} + DBL_MIN) | sign));
  const vector to = normal * c->scale - less * c->scale;

  c->lost |= (words) (size != 0) & ~((words) (MAGNITUDES (LANES, to) >= DBL_MIN)
                                     & (words) (MAGNITUDES (LANES, to) <= DBL_MAX));
  return to;
}

/* Returns integers, SIGNED or not, as doubles, and stores the rounding errors in L.  Their halves
   are added as the last digits of doubles, which are powers of two.  */
INLINE vector
split (words bits, const int is_signed, vector *l)
{
  const words from_zero = bits ^ (is_signed ? SIGN : 0);
  const words low_bits = (from_zero & UINT32_MAX) | (words) ((vector) {0} + 0x1p52);
  const words high_bits = from_zero >> 32 | (words) ((vector) {0} + 0x1p84);
  const vector low = (vector) low_bits - 0x1p52;
  const vector high = (vector) high_bits - (is_signed ? 0x1p84 + 0x1p63 : 0x1p84);
  const vector h = high + low;

  *l = low - (h - high);
  return h;
}

/* Stores LANES elements H + L.  L must be zero unless they are WIDE.  */
INLINE void
put (struct conversion *c, vector h, vector l, const int wide, double *x, double *rest)
{
  vector e = {0}, lost = {0};

  if (c->shifted)
    GT_TWO_SUM (vector, h, e, -c->shift);
  if (wide)
    {
      GT_TWO_SUM (vector, e, lost, l);
      l = h;
      h = l + e;
      e = e - (h - l);
      c->lost |= (words) (lost != 0);
    }
  if (c->scaled)
    {
      h = scaled (c, h);
      e = scaled (c, e);
    }
  c->rested |= (words) e & ~SIGN;
  store_doubles (x, h);
  if (rest)
    store_doubles (rest, e);
}

#define GT_TEMPLATE "kernels/cpu/quick/convert.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

int
GT_FOR_ISA (gt_quick_convert) (enum gt_arithmetic arithmetic, const struct gt_operand *operand,
                               size_t begin, size_t n, double shift, double scale, double *x,
                               double *rest, int *rested)
{
  static const struct
  {
    void (*convert) (struct conversion *, const void *, size_t, size_t, double *, double *);
    size_t size;
  } of[GT_N_ARITHMETICS] = {
#define X(id, name, ctype, real) [GT_##id] = {convert_##name, sizeof (ctype)},
    GT_ARITHMETICS (X)
#undef X
  };
  struct conversion c = {(vector) {0} + shift, (vector) {0} + scale,
                         shift != 0, scale != 1, {0}, {0}};

  of[arithmetic].convert (
    &c, (const char *) operand->data + begin * operand->stride * of[arithmetic].size,
    operand->stride, n, x, rest);
  *rested |= FOLD (LANES, words, |, c.rested) != 0;
  return FOLD (LANES, words, |, c.lost) == 0;
}
