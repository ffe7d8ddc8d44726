/* The public statistics of vectors that stay on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/public/moments.h"
#include "src/public/products.h"
#include "src/public/terms.h"

/* The functions of the rows of src/functions.def, by their results, in terms of
   that of src/public/device_statistics.inc.  */
#define VECTOR NAMED (gsltune_device_vector, )
#define OURS(name) NAMED (gsltune_device_vector, _##name)
#define OF(name, x, y, ...) \
  NAMED (device_statistic, ) (gt_##name, &(x)->memory, &(y)->memory, __VA_ARGS__)

#define ROW_DOUBLE(name) \
  double OURS (name) (const VECTOR *v) { return OF (name, v, v, 0, 0); }
#define ROW_DOUBLE_M(name)                             \
  double OURS (name) (const VECTOR *v, double mean)  \
  { return OF (name, v, v, mean, 0); }
#define ROW_DOUBLE_M_SD(name)                                     \
  double OURS (name) (const VECTOR *v, double mean, double sd)  \
  { return OF (name, v, v, mean, sd); }
#define ROW_PAIR(name)                                      \
  double OURS (name) (const VECTOR *x, const VECTOR *y)  \
  { return OF (name, x, y, 0, 0); }
#define ROW_PAIR_M(name)                                      \
  double OURS (name) (const VECTOR *x, const VECTOR *y,    \
                      double mean_x, double mean_y)          \
  { return OF (name, x, y, mean_x, mean_y); }
#define ROW_WEIGHTED(name)                                  \
  double OURS (name) (const VECTOR *w, const VECTOR *v)  \
  { return OF (name, w, v, 0, 0); }
#define ROW_WEIGHTED_M(name)                                               \
  double OURS (name) (const VECTOR *w, const VECTOR *v, double wmean)   \
  { return OF (name, w, v, wmean, 0); }
#define ROW_WEIGHTED_M_SD(name)                                \
  double OURS (name) (const VECTOR *w, const VECTOR *v,     \
                      double wmean, double wsd)               \
  { return OF (name, w, v, wmean, wsd); }

/* Other values are in src/public/device_vector.inc, products and norms in
   src/public/device_statistics.inc.  */
#define ROW_VALUE(name)
#define ROW_VALUES(name)
#define ROW_INDEX(name)
#define ROW_INDEXES(name)
#define ROW_PRODUCT(name)

#define FUNCTION(family, name, reduction, result, types, ...) \
  OF_##family##_##types (name, result)
#define OF_VECTOR_ALL(...)
#define OF_BLAS_DOUBLE(...)
#define OF_BLAS_FLOAT(...)
#define OF_STATS_ALL(...)
#define OF_STATS_REALS(...)
#define OF_MATRIX_ALL(...)
#define OF_DEVICE_VECTOR_GPU(name, result) ROW_##result (name)

#define GT_TEMPLATE "src/public/device_statistics.inc"
#include "src/public/each_type.h"
