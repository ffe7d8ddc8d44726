/* Plain sums of products, by instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/matrix/plain.h"

extern const struct gt_plain GT_OF_EACH_ISA (, gt_plain_f64);
extern const struct gt_plain GT_OF_EACH_ISA (, gt_plain_f32);
const struct gt_plain *const gt_plain_isas[2][GT_N_ISAS]
  = {{GT_OF_EACH_ISA (&, gt_plain_f64)}, {GT_OF_EACH_ISA (&, gt_plain_f32)}};
