/* Medians, order statistics and median absolute deviations of data on the host, with the same
   results and the same final order of the elements as GSL's functions.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics.h>
#include <limits.h>
#include <math.h>

#include "src/gsltune.h"
#include "src/sort/sorting.h"

#if CHAR_MIN < 0
#define SELECT_CHAR gt_select_i8
#else
#define SELECT_CHAR gt_select_u8
#endif
#define SELECT                                                            \
  _Generic ((TYPE) 0, double: gt_select_f64, float: gt_select_f32,        \
            long double: gt_select_ldbl, int: gt_select_i32,              \
            unsigned int: gt_select_u32, long: gt_select_i64,             \
            unsigned long: gt_select_u64, short: gt_select_i16,           \
            unsigned short: gt_select_u16, char: SELECT_CHAR,             \
            unsigned char: gt_select_u8)
#define GT_TEMPLATE "src/sort/ranks.inc"
#include "src/each_type.h"
