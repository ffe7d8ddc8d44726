/* Sorting vectors that stay on a GPU, and medians, quantiles and other order statistics of them:
   GSL's functions, with their results.  What a GPU may not decide, NaN, zeros of both signs and
   equal elements of an index, is done on the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_statistics.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/public/device_order.h"
#include "src/public/sorting.h"

#define GT_TEMPLATE "src/public/device_sort.inc"
#include "src/public/each_type.h"
