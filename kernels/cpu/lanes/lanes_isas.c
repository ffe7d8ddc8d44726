/* Sums of many columns at once, by instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/lanes/lanes.h"

gt_lanes_add *const gt_lanes_isas[GT_N_ISAS] = {GT_OF_EACH_ISA (, gt_lanes_add)};
