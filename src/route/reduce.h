/* Sums of any element type: the one way from a public function to a backend.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_REDUCE_H
#define GT_REDUCE_H

#include "kernels/types.h"
#include "src/plan/choose.h"

/* Sums host memory in the mode in force.  SUM is finished: member [0] of the
   arithmetic is the result.  Cannot fail.  */
void gt_reduce_host (enum gt_arithmetic arithmetic, const void *data,
                     size_t n, size_t stride, union gt_value *sum);

/* The same on the CPU, whatever the environment and the profile say.  */
void gt_reduce_cpu (enum gt_arithmetic arithmetic, enum gt_mode mode,
                    const void *data, size_t n, size_t stride,
                    union gt_value *sum);

/* Sums memory that GPU can read, on GPU.  Returns 0, else SUM is unchanged. */
int gt_reduce_gpu (struct gt_cuda *gpu, enum gt_arithmetic arithmetic,
                   enum gt_mode mode, const void *data, size_t n,
                   size_t stride, void *stream, union gt_value *sum);

/* Sums N contiguous elements by the route of CHOICE; SUM is finished, too.
   Whatever the GPUs fail at, the CPU does.  Returns 0, or -1 when nothing is
   summed: no GPU can be used, or memory is short.  */
int gt_reduce_routed (const struct gt_choice *choice,
                      enum gt_arithmetic arithmetic, enum gt_mode mode,
                      const void *data, size_t n, union gt_value *sum);

#endif
