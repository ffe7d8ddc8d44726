/* The argument block that every CUDA reduction kernel takes by value, so that
   host code launches all of them the same way.  Read by the host compiler, by
   nvcc and by tests/softgpu.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_ARGS_H
#define GT_KERNELS_ARGS_H

#include <stdint.h>

/* What a single-pass block leaves for the last block to add up, and what the
   device delivers: a sum and, in compensated mode, its compensation.  */
union gt_partial
{
  double f64[2];
  float f32[2];
  uint64_t u64[2];
  uint32_t u32[4];
};

/* Lies in host memory mapped into the device's address space.  The device
   writes the value, then, after a system-wide fence, the sequence number; a
   host that reads its own sequence number there may read the value.  */
struct gt_result
{
  union gt_partial value;
  uint64_t sequence;
  uint64_t reserved;
};

struct gt_kernel_args
{
  const void *data;         /* element 0, aligned to its type              */
  uint64_t n;               /* elements                                    */
  uint64_t stride;          /* distance of two elements, in elements, >= 1 */
  void *partials;           /* single pass: one gt_partial a block; more
                               passes: one element a block                 */
  uint32_t *ticket;         /* single pass: blocks done; 0 before and after */
  struct gt_result *result; /* written by the last block of the last pass  */
  uint64_t sequence;        /* what to write into result->sequence         */
};

#endif
