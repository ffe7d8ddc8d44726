/* Tasks that GPUs compute from host memory, alone or together with the CPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SHARE_H
#define GT_SHARE_H

#include "src/plan/scheme.h"

/* Computes TASK, which is contiguous, by SCHEME, which is not a single launch; VALUE is not
   finished.  If a GPU fails, the CPU computes its pieces.  Returns 0, or -1, before anything
   is computed, if memory is short.  */
int gt_share_compute (const struct gt_scheme *scheme,
                      const struct gt_task *task, union gt_value *value);

/* Returns TASK with the address at which GPU reads its elements in pinned or managed
   memory.  */
struct gt_task gt_share_in_place (struct gt_open_gpu *gpu,
                                  const struct gt_task *task);

/* The number of pieces in this process that the CPU computed because a GPU failed.  */
uint64_t gt_share_failed_pieces (void);

#endif
