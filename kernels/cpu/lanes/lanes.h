/* Sums of many columns at once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_LANES_H
#define GT_KERNELS_CPU_LANES_H

#include <stddef.h>

#include "kernels/cpu/isa/isa.h"

/* The most columns whose sums are kept together.  */
#define GT_LANES_BLOCK 256

/* Sums of columns, zeros at first: the sum itself; for bounded sums also the sum of its rounding
   errors, and the sum of the magnitudes of the errors of that, which is not finite if an element
   or a sum is not.  */
typedef double gt_lanes_sums[3][GT_LANES_BLOCK];

/* Adds the elements, or their MAGNITUDES, of N rows of so many COLUMNS, GT_LANES_BLOCK at most:
   element k of column j is X[k * STEP + j].  Sums beyond the last column may change.  */
typedef void gt_lanes_add (gt_lanes_sums sums, const double *x, size_t columns, size_t n,
                           size_t step, int bounded, int magnitudes);

#define X(id, name) gt_lanes_add gt_lanes_add_##name;
GT_ISAS (X)
#undef X

extern gt_lanes_add *const gt_lanes_isas[GT_N_ISAS];

#endif
