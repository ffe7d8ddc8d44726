/* The public extremes of data on the host: of vectors, of arrays, of matrices.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "kernels/cutoffs.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/route/reduce.h"

#define LIKELY(condition) __builtin_expect (condition, 1)
#define UNLIKELY(condition) __builtin_expect (condition, 0)

/* GSL would read an element that does not exist.  */
#define NO_EXTREMES "there are no elements, so none is the largest or smallest"
#define NONE (REAL ? (TYPE) GSL_NAN : 0)

/* Returns whether N is at least 1 and small.  */
#define ARE_FEW(n) LIKELY ((n) - 1 < GT_CUTOFF_EXTREMES)

#define GT_TEMPLATE "src/reduce/extremes.inc"
#include "src/each_type.h"
