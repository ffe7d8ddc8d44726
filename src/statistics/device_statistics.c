/* The public statistics of vectors that stay on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/prototypes.h"
#include "src/reduce/dot_products.h"
#include "src/statistics/statistic.h"

/* Defines the functions of src/functions.def by the function in
   src/statistics/device_statistics.inc.  Extremes are in src/reduce/device_vector_sum.inc.  */
#define SAMPLES_DEVICE &dv->memory, &dv->memory
#define SAMPLES_DEVICES &dx->memory, &dy->memory
#define FUNCTION_OF(name, prototype)                                          \
  double NAMED (gsltune_device_vector, _##name) GT_TAKES (prototype)        \
  {                                                                         \
    return NAMED (device_statistic, ) (                                     \
      &gt_term_##name, NAMED_BY (SAMPLES_, GT_OPERANDS (prototype), ));         \
  }

#define GT_TEMPLATE "src/statistics/device_statistics.inc"
#include "src/each_type.h"
