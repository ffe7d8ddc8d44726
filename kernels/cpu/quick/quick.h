/* Sums of elements, of their powers and products, in twice the precision, with error bounds;
   and statistics computed from them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_QUICK_H
#define GT_KERNELS_CPU_QUICK_H

#include <stddef.h>

#include "kernels/cpu/finish/ball.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/statistics.h"
#include "kernels/task.h"

enum gt_set
{
#define SET(id, ...) GT_SET_##id,
#include "kernels/cpu/quick/sets.def"
  GT_N_SETS
};

/* GT_QUICK_BLOCK is the number of elements of a block.  At least GT_QUICK_LANES doubles can be
   read from the first one on, even if there are fewer elements.  */
#define GT_QUICK_BLOCK ((size_t) 1 << 13)
#define GT_QUICK_LANES 8

/* N elements X + X_REST of a block, with Y + Y_REST, a second sample, or with weights Y;
   negative weights count as zero.  X_REST and Y_REST are null if the elements are doubles;
   then the shifts are subtracted first, exactly.  Distances and sides are relative to ABOUT +
   ABOUT_REST.  Complex numbers are pairs of elements; the imaginary parts of their products
   are added up in the sum LAST.  */
struct gt_quick
{
  const double *x, *x_rest, *y, *y_rest;
  size_t n;
  double about, about_rest, x_shift, y_shift;
  int conjugated; /* whether complex numbers x are conjugated */
};

/* Stores the sums of SET in TO, and 0 for the other sums.  Returns 0 if the magnitudes are not
   in the middle of the range of doubles, if an element is not finite, or if its distance from
   a shift is more than half of the shift, because the difference may then be rounded.  */
typedef int gt_quick_function (enum gt_set set, const struct gt_quick *of,
                               struct gt_ball to[GT_N_MOMENTS]);

/* Stores the sums of SET, rounded, or adds them to those in TO if there are MORE.  If GIVEN,
   the shifts are given means, and only the sums for a statistic about these are computed.
   X_REST and Y_REST must be null; FLOATS means that X and Y point to floats.  */
typedef void gt_fast_function (enum gt_set set, const struct gt_quick *of, int given, int floats,
                               int more, struct gt_ball to[GT_N_MOMENTS]);

/* Stores N elements of OPERAND from BEGIN on, minus SHIFT, times SCALE, a power of two, as
   sums X + REST, where X is the nearest double.  Sets *RESTED if a REST is not zero.  Returns
   0 if such a sum is not exact.  REST may be null if the remainders are not needed.  */
typedef int gt_convert_function (enum gt_arithmetic arithmetic, const struct gt_operand *operand,
                                 size_t begin, size_t n, double shift, double scale, double *x,
                                 double *rest, int *rested);

/* Stores the sum of the task's reduction (a sum, or one of magnitudes, squares or products) of
   N >= 1 doubles or floats, plus START.  For complex numbers this is the sum of both parts of
   all elements, or the two parts of a sum of products.  If the radius is 0, the sum is exactly
   H + L.

   Returns 0 if the sum overflows, or if elements are not finite or have products below
   2^-968.  */
typedef int gt_direct_function (const struct gt_task *task, double start, struct gt_ball *sum);

/* Returns the index at which the first vector begins that contains an element that is not
   finite, or, if NORMAL, is subnormal, among N doubles or floats; otherwise the number of
   elements in whole vectors.  The first FROM elements, whole vectors, are skipped.  */
typedef size_t gt_ordinary_function (const struct gt_operand *x, size_t from, size_t n,
                                     int is_float, int normal);

/* A statistic of N elements minus a shift, in units of 2^X_UNIT, and of a second sample in
   units of 2^Y_UNIT, or with weights in units of 2^W_UNIT.  */
struct gt_enclosed
{
  struct gt_formula formula;
  struct gt_ball given[2];         /* given numbers such as the mean, minus the shift */
  struct gt_ball sums[GT_N_MOMENTS];
  uint64_t n;
  int x_unit, y_unit, w_unit;

  struct gt_ball value; /* in units of 2^UNIT */
  int unit;
  /* The sum of products of DEGREE differences; VALUE is a multiple of it.  It is an integral
     multiple of the products of the elements' units; if there is no given mean, it contains as
     many sums of weights as factors.  */
  struct gt_ball core;
};

/* Computes E's value from its sums.  */
typedef void gt_enclose_function (struct gt_enclosed *e);

struct gt_quick_isa
{
  gt_direct_function *direct;
  gt_ordinary_function *ordinary;
  gt_quick_function *sums;
  gt_fast_function *fast;
  gt_convert_function *convert;
  gt_enclose_function *enclose;
};

#define X(id, name)                             \
  gt_direct_function gt_quick_direct_##name;    \
  gt_ordinary_function gt_quick_ordinary_##name; \
  gt_quick_function gt_quick_sums_##name;       \
  gt_fast_function gt_quick_fast_##name;        \
  gt_convert_function gt_quick_convert_##name;  \
  gt_enclose_function gt_quick_enclose_##name;
GT_ISAS (X)
#undef X

extern const struct gt_quick_isa gt_quick_isas[GT_N_ISAS];

/* Returns the functions of the instruction set in use.  */
static inline const struct gt_quick_isa *
gt_quick_isa (void)
{
  return &gt_quick_isas[gt_isa ()];
}

#endif
