/* Sums that GPUs compute from host memory, alone or sharing with the CPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SHARE_H
#define GT_SHARE_H

#include "src/plan/choose.h"

/* Sums N contiguous elements by the route of CHOICE, which is not the CPU's; SUM
   is not finished.  What the GPUs fail at the CPU does.  Returns 0, or -1, before
   anything is summed, when no GPU can be used or memory is short.  */
int gt_share_sum (const struct gt_choice *choice,
                  enum gt_arithmetic arithmetic, enum gt_mode mode,
                  const void *data, uint64_t n, union gt_value *sum);

/* How many pieces the CPU has summed, in this process, that GPUs have failed at.  */
uint64_t gt_share_mended (void);

/* The kernel and the configuration with which GPU sums pieces of LENGTH elements,
   in PROBLEM, without data and length.  */
void gt_share_kernel (struct gt_cuda *gpu, enum gt_arithmetic arithmetic,
                      enum gt_mode mode, uint64_t length,
                      struct gt_cuda_problem *problem);

/* Of N elements, how many are the GPUs'.  */
uint64_t gt_share_there (const struct gt_route *route, uint64_t n,
                         enum gt_arithmetic arithmetic);

/* Elements of a piece when that many, THERE, are cut for N_GPUS, of which GPU is
   the first: as ROUTE says, or fewer where the limit of scratch memory wants it.  */
uint64_t gt_share_piece (struct gt_cuda *gpu, unsigned n_gpus,
                         const struct gt_route *route,
                         enum gt_arithmetic arithmetic, enum gt_mode mode,
                         uint64_t there);

#endif
