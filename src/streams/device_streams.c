/* The public functions whose results stay in device memory: typed wrappers of streams.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/streams/streams.h"

#define GT_TEMPLATE "src/streams/streams.inc"
#define GT_COMPLEX_TOO
#include "src/each_type.h"
