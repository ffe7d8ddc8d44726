/* The functions for quick sums, by instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/quick/quick.h"

/* Formulas gain nothing from wider vectors (enclose.c).  */
#define ENCLOSE_baseline gt_quick_enclose_baseline
#define ENCLOSE_avx2 gt_quick_enclose_avx2
#define ENCLOSE_avx512 gt_quick_enclose_avx2

const struct gt_quick_isa gt_quick_isas[GT_N_ISAS] = {
#define X(id, name)                                                    \
  {gt_quick_direct_##name, gt_quick_ordinary_##name,                   \
   gt_quick_sums_##name, gt_quick_fast_##name,                         \
   gt_quick_convert_##name, ENCLOSE_##name},
  GT_ISAS (X)
#undef X
};
