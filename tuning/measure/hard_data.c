/* Test data that is hard to sum: numbers that cancel, that overflow, and that are
   no numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>

#include "kernels/cpu/isa/isa.h"
#include "tuning/measure/data.h"

enum number
{
  ZERO,
  MINUS_ZERO,
  INFINITE,
  MINUS_INFINITE,
  QUIET_NAN,
  MINUS_NAN,
  LARGEST,
  MINUS_LARGEST
};

/* Three elements among minus zeros, the sum, and that of the magnitudes.  */
static const struct
{
  enum number element[3], sum, magnitudes;
} specials[GT_N_SPECIALS] = {
  {{MINUS_ZERO, MINUS_ZERO, MINUS_ZERO}, ZERO, ZERO},
  {{INFINITE, LARGEST, LARGEST}, INFINITE, INFINITE},
  {{MINUS_LARGEST, MINUS_INFINITE, LARGEST}, MINUS_INFINITE, INFINITE},
  {{INFINITE, LARGEST, MINUS_INFINITE}, QUIET_NAN, INFINITE},
  {{MINUS_ZERO, MINUS_NAN, INFINITE}, QUIET_NAN, QUIET_NAN},
  {{LARGEST, LARGEST, MINUS_LARGEST}, LARGEST, INFINITE},
  {{MINUS_LARGEST, MINUS_LARGEST, ZERO}, MINUS_INFINITE, INFINITE}
};

/* Where those three stand in their vector.  */
static const size_t places[3] = {GT_SPECIAL_N / 7, GT_SPECIAL_N / 2,
                                 GT_SPECIAL_N - 1};

/* The exponents of wide pairs, some of which are subnormal, and of moderate ones: the
   least and the largest.  */
#define WIDE_f64 -1074, 1023
#define WIDE_f32 -149, 127
#define WIDE_ldbl WIDE_f64
#define MODERATE_f64 -100, 100
#define MODERATE_f32 -60, 60
#define MODERATE_ldbl MODERATE_f64

#define LARGEST_f64 DBL_MAX
#define LARGEST_f32 FLT_MAX
#define LARGEST_ldbl LDBL_MAX

#define GT_TEMPLATE "tuning/measure/hard_data_of.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

/* What the template makes, by arithmetic; null for integers.  */
static const struct
{
  void (*hard) (void *buffer);
  void (*special_sum) (enum gt_reduction reduction, unsigned which,
                       union gt_value *sum);
} functions[GT_N_ARITHMETICS] = {
#define X(id, name, ctype, real) [GT_##id] = {hard_##name, special_sum_##name},
  GT_REAL_ARITHMETICS (X)
#undef X
};

void
gt_data_hard (enum gt_arithmetic arithmetic, void *buffer)
{
  if (functions[arithmetic].hard)
    functions[arithmetic].hard (buffer);
}

union gt_value
gt_data_special_sum (enum gt_reduction reduction,
                     enum gt_arithmetic arithmetic, unsigned which)
{
  union gt_value sum = {{0}};

  if (functions[arithmetic].special_sum)
    functions[arithmetic].special_sum (reduction, which, &sum);
  return sum;
}
