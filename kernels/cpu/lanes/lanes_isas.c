/* Sums of many lines at once, by instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/lanes/lanes.h"

extern const struct gt_lanes GT_OF_EACH_ISA (, gt_lanes);
const struct gt_lanes *const gt_lanes_isas[GT_N_ISAS] = {GT_OF_EACH_ISA (&, gt_lanes)};
