/* The public statistics of arrays on the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/public/moments.h"
#include "src/public/terms.h"

#define LIKELY(condition) __builtin_expect (condition, 1)

/* The most elements that are looked at in fast mode without a plan.  Where a long
   double is no more than a double they would overflow on the way.  */
#define FEW (LDBL_MAX_EXP > DBL_MAX_EXP ? 16 : 0)
/* Whether N, 0 perhaps, are not none, and so few.  */
#define ARE_FEW(n) \
  ((n) - 1 < (FEW & __atomic_load_n (&gt_fast_mask, __ATOMIC_RELAXED)))

/* The functions of the rows of src/functions.def, by their results, in terms of
   that of src/public/statistics.h.  */
#define ONE_SAMPLE const TYPE data[], const size_t stride, const size_t n
#define TWO_SAMPLES \
  const TYPE data1[], const size_t stride1, const TYPE data2[], \
    const size_t stride2, const size_t n
#define WITH_WEIGHTS \
  const TYPE w[], const size_t wstride, const TYPE data[], \
    const size_t stride, const size_t n
#define OURS(name) NAMED (gsltune_stats, _##name)
#define OF_ONE(name, ...)                                                     \
  NAMED (statistic, ) (gt_##name, NAMED (few_##name, ), data, stride, data, \
                       stride, n, __VA_ARGS__)
#define OF_TWO(name, ...)                                              \
  NAMED (statistic, ) (gt_##name, NAMED (few_##name, ), data1, stride1,     \
                       data2, stride2, n, __VA_ARGS__)
#define OF_WEIGHTED(name, ...) \
  NAMED (statistic, ) (gt_##name, NAMED (few_##name, ), w, wstride, data,   \
                       stride, n, __VA_ARGS__)

#define ROW_DOUBLE(name) \
  double OURS (name) (ONE_SAMPLE) { return OF_ONE (name, 0, 0); }
#define ROW_DOUBLE_M(name)                            \
  double OURS (name) (ONE_SAMPLE, const double mean)  \
  { return OF_ONE (name, mean, 0); }
#define ROW_DOUBLE_M_SD(name)                                            \
  double OURS (name) (ONE_SAMPLE, const double mean, const double sd)  \
  { return OF_ONE (name, mean, sd); }
#define ROW_PAIR(name) \
  double OURS (name) (TWO_SAMPLES) { return OF_TWO (name, 0, 0); }
#define ROW_PAIR_M(name)                                                     \
  double OURS (name) (TWO_SAMPLES, const double mean1, const double mean2)  \
  { return OF_TWO (name, mean1, mean2); }
#define ROW_WEIGHTED(name) \
  double OURS (name) (WITH_WEIGHTS) { return OF_WEIGHTED (name, 0, 0); }
#define ROW_WEIGHTED_M(name)                             \
  double OURS (name) (WITH_WEIGHTS, const double wmean)  \
  { return OF_WEIGHTED (name, wmean, 0); }
#define ROW_WEIGHTED_M_SD(name)                                            \
  double OURS (name) (WITH_WEIGHTS, const double wmean, const double wsd)  \
  { return OF_WEIGHTED (name, wmean, wsd); }

/* Extremes are in src/public/extremes.h.  */
#define ROW_VALUE(name)
#define ROW_VALUES(name)
#define ROW_INDEX(name)
#define ROW_INDEXES(name)

#define FUNCTION(family, name, reduction, result, types, ...) \
  OF_##family##_##types (name, result)
#define OF_VECTOR_ALL(...)
#define OF_BLAS_DOUBLE(...)
#define OF_BLAS_FLOAT(...)
#define OF_STATS_ALL(name, result) ROW_##result (name)
#define OF_MATRIX_ALL(...)
#define OF_DEVICE_VECTOR_GPU(...)
#define OF_DEVICE_VECTOR_REAL(...)

#define GT_TEMPLATE "src/public/statistics.h"
#include "src/public/each_type.h"
