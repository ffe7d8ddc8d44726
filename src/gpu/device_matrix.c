/* The public matrices that stay on a GPU: typed wrappers of device_table.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>

#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/gsltune.h"
#include "src/gpu/device_table.h"

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "src/gpu/device_matrix.inc"
#include "src/each_type.h"
