/* Sums of many lines at once, by instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/lanes/lanes.h"

#define X(id, name) extern const struct gt_lanes gt_lanes_##name;
GT_ISAS (X)
#undef X

const struct gt_lanes *const gt_lanes_isas[GT_N_ISAS] = {
#define X(id, name) &gt_lanes_##name,
  GT_ISAS (X)
#undef X
};
