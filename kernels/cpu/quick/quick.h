/* Sums of elements, of their powers and products, in twice the precision, with bounds on what
   they miss; and statistics made of them.
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

/* Elements of a block, and the doubles that can be read from the first one on, however few
   they are.  */
#define GT_QUICK_BLOCK ((size_t) 1 << 13)
#define GT_QUICK_LANES 8

/* N elements X + X_REST of a block, and Y + Y_REST, a second sample's, or weights Y, of which
   those above zero count.  Rests are null if there are none.  Distances and sides are those
   from ABOUT + ABOUT_REST.  If there are no rests shifts are subtracted before, exactly.  Complex
   numbers are pairs of elements; their products' imaginary parts have the sum LAST.  */
struct gt_quick
{
  const double *x, *x_rest, *y, *y_rest;
  size_t n;
  double about, about_rest, x_shift, y_shift;
  int conjugated; /* whether x are, of complex numbers */
};

/* Stores a set's sums in TO, and 0 in the places of others.  Returns 0 if the magnitudes are
   not in the middle of the range of doubles, not all elements are finite, or one is farther
   from a shift than half of that, where differences may be rounded.  */
typedef int gt_quick_function (enum gt_set set, const struct gt_quick *of,
                               struct gt_ball to[GT_N_MOMENTS]);

/* Stores a set's sums, rounded, or if its shifts are GIVEN means those that a statistic about
   these is made of; or adds them to those in TO, if there are MORE.  There are no rests;
   FLOATS says that X and Y are such.  */
typedef void gt_fast_function (enum gt_set set, const struct gt_quick *of, int given, int floats,
                               int more, struct gt_ball to[GT_N_MOMENTS]);

/* Stores N elements of OPERAND from BEGIN on, less SHIFT, times a power of two, SCALE, as sums
   X + REST, X being the nearest double.  *RESTED is set if a rest is not zero.  Returns 0 if
   such a sum is not exact.  REST may be null, if that does not matter.  */
typedef int gt_convert_function (enum gt_arithmetic arithmetic, const struct gt_operand *operand,
                                 size_t begin, size_t n, double shift, double scale, double *x,
                                 double *rest, int *rested);

/* Stores the sum of the task's reduction, a sum, one of magnitudes, of squares or of products,
   of N >= 1 doubles or floats, and START; of complex numbers that of both parts of all, or the two
   parts of the sum of products.  A radius of 0 tells that the sum is exactly H + L.
   Returns 0 if it overflows, or if elements are not finite or have products below 2^-968.  */
typedef int gt_direct_function (const struct gt_task *task, double start, struct gt_ball *sum);

/* Returns how many of N doubles or floats, whole vectors of which FROM are left out, come
   before the vector that has the first one that is not finite, or if they are to be NORMAL, the first
   subnormal number, or before what is no whole vector.  */
typedef size_t gt_ordinary_function (const struct gt_operand *x, size_t from, size_t n,
                                     int is_float, int normal);

/* A statistic that is made of a sample's N elements less a shift, in units of 2^X_UNIT, or
   2^Y_UNIT of a second sample, weights in units of 2^W_UNIT.  */
struct gt_enclosed
{
  struct gt_formula formula;
  struct gt_ball given[2];         /* what is given, less the shift */
  struct gt_ball sums[GT_N_MOMENTS];
  uint64_t n;
  int x_unit, y_unit, w_unit;

  struct gt_ball value; /* in units of 2^UNIT */
  int unit;
  /* The sum of products of DEGREE differences that VALUE is a multiple of, a whole number of
     the products of the elements' units; times as many sums of weights if there is no given
     mean.  */
  struct gt_ball core;
};

/* Computes the value that the sums yield.  */
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

/* The functions of the instruction set in use.  */
static inline const struct gt_quick_isa *
gt_quick_isa (void)
{
  return &gt_quick_isas[gt_isa ()];
}

#endif
