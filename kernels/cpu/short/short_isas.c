/* The ways to exact results of short vectors, by instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/short/exact_short_sums.h"

#define X(id, name) extern const struct gt_short_isa gt_short_isa_##name;
GT_ISAS (X)
#undef X

const struct gt_short_isa *const gt_short_isas[GT_N_ISAS] = {
#define X(id, name) &gt_short_isa_##name,
  GT_ISAS (X)
#undef X
};
