/* The public vectors in pinned memory: types around pinned_memory.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/public/pinned_memory.h"

#define GT_TEMPLATE "src/public/pinned_vector.inc"
#include "src/public/each_type.h"
