/* The tiles of matrix products, by instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/matrix/tiles.h"

extern const struct gt_tiles GT_OF_EACH_ISA (, gt_tiles);
const struct gt_tiles *const gt_tiles_isas[GT_N_ISAS] = {GT_OF_EACH_ISA (&, gt_tiles)};
