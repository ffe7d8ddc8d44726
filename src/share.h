/* Sums that GPUs compute from host memory, alone or sharing with the CPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SHARE_H
#define GT_SHARE_H

#include "src/choose.h"

/* Sums N contiguous elements by the route of CHOICE, which is not the CPU's; SUM
   is not finished.  What the GPUs fail at the CPU does.  Returns 0, or -1, before
   anything is summed, when no GPU can be used or memory is short.  */
int gt_share_sum (const struct gt_choice *choice,
                  enum gt_arithmetic arithmetic, enum gt_mode mode,
                  const void *data, uint64_t n, union gt_sum *sum);

#endif
