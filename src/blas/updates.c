/* The public functions of BLAS level 1 that write vectors of the host.
   Contiguous vectors that do not overlap are changed by vector instructions, with the same
   bits in every mode (kernels/cpu/matrix/updates.h).  For the rest, and if the program uses
   another BLAS than GSL's, the function of CBLAS that GSL calls is used.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex.h>
#include <stdint.h>
#include <string.h>

#include "kernels/cpu/matrix/updates.h"
#include "src/gsltune.h"
#include "src/blas/engines.h"
#include "src/prototypes.h"

/* Returns whether BYTES from X on and from Y on do not overlap.  */
static inline int
gt_are_apart (const void *x, const void *y, size_t bytes)
{
  const uintptr_t from = (uintptr_t) x, other = (uintptr_t) y;

  return from < other ? other - from >= bytes : from - other >= bytes;
}

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "src/blas/updates.inc"
#include "src/each_type.h"
