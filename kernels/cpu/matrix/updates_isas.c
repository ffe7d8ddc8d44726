/* What changes vectors element by element, by instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/matrix/updates.h"

#define X(id, name) extern const struct gt_updates gt_updates_##name;
GT_ISAS (X)
#undef X

const struct gt_updates *const gt_updates_isas[GT_N_ISAS] = {
#define X(id, name) &gt_updates_##name,
  GT_ISAS (X)
#undef X
};
