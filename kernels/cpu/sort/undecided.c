/* Whether there are NaNs, or zeros of both signs, by their bits: one pass at the speed of
   the caches, before a sort.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdint.h>
#include <string.h>

#include "kernels/cpu/isa/isa.h"
#include "kernels/inline.h"

int GT_FOR_ISA (gt_sort_undecided_f64) (const void *x, size_t n);
int GT_FOR_ISA (gt_sort_undecided_f32) (const void *x, size_t n);

#define NAMED(stem) GT_PASTE (stem, NAME)
#define NAME f64
#define BITS uint64_t
#define SIGN ((uint64_t) 1 << 63)
#define INFINITE ((uint64_t) 0x7ff << 52)
#include "kernels/cpu/sort/undecided.inc"
#undef NAME
#undef BITS
#undef SIGN
#undef INFINITE
#define NAME f32
#define BITS uint32_t
#define SIGN ((uint32_t) 1 << 31)
#define INFINITE ((uint32_t) 0xff << 23)
#include "kernels/cpu/sort/undecided.inc"
