/* Checks for NaNs, zeros of both signs, and subnormals that comparisons treat as zero: one
   pass at the speed of the caches before a sort, and a second one if the first finds any of
   these or a zero.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/cpu/isa/isa.h"

int GT_FOR_ISA (gt_sort_undecided_f64) (const void *x, size_t n);
int GT_FOR_ISA (gt_sort_undecided_f32) (const void *x, size_t n);

#define NAMED(stem) GT_PASTE (stem, NAME)
#define NAME f64
#define TYPE double
#define BITS uint64_t
#include "kernels/cpu/sort/undecided.inc"
#undef NAME
#undef TYPE
#undef BITS
#define NAME f32
#define TYPE float
#define BITS uint32_t
#include "kernels/cpu/sort/undecided.inc"
