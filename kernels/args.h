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

/* How the result reaches a host that watches for it, in host memory mapped into
   the device's address space: each word carries 32 bits of a gt_partial below
   and the sequence number of the sum above.  A word is written whole, so the
   host may take the value once all four tags are those of its sum, in
   whatever order they arrive: the device needs no fence before it ends.  */
struct gt_result
{
  uint64_t word[4];
};

struct gt_kernel_args
{
  const void *data;         /* element 0, aligned to its type              */
  uint64_t n;               /* elements                                    */
  uint64_t stride;          /* distance of two elements, in elements, >= 1 */
  void *partials;           /* single pass: one gt_partial a block; else one
                               element a block                             */
  void *copy;               /* in place: room for the blocks' whole tiles  */
  uint32_t *ticket;         /* single pass: blocks done; 0 before and after */
  struct gt_result *result; /* written by the last block of the last pass  */
  uint32_t sequence;        /* tag of the result                           */
};

#endif
