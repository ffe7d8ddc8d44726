/* The ways to exact results of short vectors, by instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/short/exact_short_sums.h"

extern const struct gt_short_isa GT_OF_EACH_ISA (, gt_short_isa);
const struct gt_short_isa *const gt_short_isas[GT_N_ISAS] = {GT_OF_EACH_ISA (&, gt_short_isa)};
