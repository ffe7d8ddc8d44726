/* What the tables share that hold the CPU to GSL: their first columns, the bars of those,
   and how they are filled.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_BESIDE_GSL_H
#define GT_BENCH_BESIDE_GSL_H

#include "bench/output.h"

enum
{
  GT_GSL_N,
  GT_GSL_FUNCTION,
  GT_GSL_SECONDS,
  GT_GSL_ONE,        /* by one thread */
  GT_GSL_PLANNED,
  GT_GSL_ONE_GAIN,
  GT_GSL_GAIN,
  GT_GSL_OF_ALLOWED,
  GT_GSL_COLUMNS
};

#define GT_GSL_FORM                                                             \
  [GT_GSL_N] = {"n", "n", GT_UNIT_COUNT},                                       \
  [GT_GSL_FUNCTION] = {"function", "function", GT_UNIT_FUNCTION},               \
  [GT_GSL_SECONDS] = {"GSL", "gsl_seconds", GT_UNIT_SECONDS},                   \
  [GT_GSL_ONE] = {"one", "one_seconds", GT_UNIT_SECONDS},                       \
  [GT_GSL_PLANNED] = {"planned", "planned_seconds", GT_UNIT_SECONDS},           \
  [GT_GSL_ONE_GAIN] = {"one/GSL", "one_ratio", GT_UNIT_GAIN},                   \
  [GT_GSL_GAIN] = {"planned/GSL", "planned_ratio", GT_UNIT_GAIN},               \
  [GT_GSL_OF_ALLOWED] = {"of allowed", "share_of_allowed", GT_UNIT_SHARE}

/* With AVX2, as many TIMES as fast as GSL.  */
#define GT_GSL_BAR(times, id)                                                   \
  {"with AVX2, one thread, at least " #times " times GSL's speed at n = 4096",  \
   GT_GSL_ONE_GAIN, times, 4096, 4096, 0, GT_FUNCTION_##id}

/* Seconds of a call of function WHAT of N elements: GSL's, by one thread, and as planned,
   for which ALLOWED are allowed.  */
static inline void
gt_gsl_fill (struct gt_row *row, size_t n, enum gt_function what, double gsl,
             double one, double planned, double allowed)
{
  row->value[GT_GSL_N] = (double) n;
  row->value[GT_GSL_FUNCTION] = what;
  row->value[GT_GSL_SECONDS] = gsl;
  row->value[GT_GSL_ONE] = one;
  row->value[GT_GSL_PLANNED] = planned;
  row->value[GT_GSL_ONE_GAIN] = gsl / one;
  row->value[GT_GSL_GAIN] = gsl / planned;
  row->value[GT_GSL_OF_ALLOWED] = planned / allowed;
}

#endif
