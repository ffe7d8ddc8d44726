/* Tasks that GPUs compute from host memory, alone or sharing with the CPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SHARE_H
#define GT_SHARE_H

#include "src/plan/scheme.h"

/* Computes TASK, contiguous, as SCHEME says, which is not at once; VALUE is not
   finished.  What the GPUs fail at the CPU does.  Returns 0, or -1, before
   anything is computed, when memory is short.  */
int gt_share_compute (const struct gt_scheme *scheme,
                      const struct gt_task *task, union gt_value *value);

/* TASK, where GPU reads its elements in pinned or managed memory.  */
struct gt_task gt_share_in_place (struct gt_open_gpu *gpu,
                                  const struct gt_task *task);

/* How many pieces the CPU has computed, in this process, that GPUs have failed
   at.  */
uint64_t gt_share_failed_pieces (void);

#endif
