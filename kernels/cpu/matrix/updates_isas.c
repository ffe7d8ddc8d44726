/* Updates of vectors, element by element, by instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/matrix/updates.h"

extern const struct gt_updates GT_OF_EACH_ISA (, gt_updates);
const struct gt_updates *const gt_updates_isas[GT_N_ISAS] = {GT_OF_EACH_ISA (&, gt_updates)};
