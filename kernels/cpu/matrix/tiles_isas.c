/* The tiles of matrix products, by instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/matrix/tiles.h"

#define X(id, name) extern const struct gt_tiles gt_tiles_##name;
GT_ISAS (X)
#undef X

const struct gt_tiles *const gt_tiles_isas[GT_N_ISAS] = {
#define X(id, name) &gt_tiles_##name,
  GT_ISAS (X)
#undef X
};
