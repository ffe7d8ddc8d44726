/* Power sums on a GPU and their statistics: launches the kernels of
   kernels/cuda/powers.cu.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/rational.h"
#include "src/cuda/cuda_order.h"
#include "src/cuda/cuda_powers.h"

#define BLOCKS_PER_SM 2

/* On the device.  All of it except the rooms is zero at first.  */
struct memory
{
  int64_t words[GT_POWERS_WORDS];
  struct gt_powers_control control;
  uint64_t rooms[];
};

size_t
gt_cuda_powers_bytes (void)
{
  return sizeof (struct memory) + N_ROOMS * GT_POWERS_ROOM * sizeof (uint64_t);
}

static struct gt_kernel_args
arguments (const struct gt_powers *powers, uintptr_t memory)
{
  const int weighted = powers->formula.weighted;
  const struct gt_operand x = weighted ? powers->y : powers->x;
  const struct gt_operand y = weighted ? powers->x : powers->y;

  return (struct gt_kernel_args) {
    .data = x.data, .n = powers->n, .stride = x.stride, .y = y.data, .y_stride = y.stride,
    .powers = {
      .words = (int64_t *) (memory + offsetof (struct memory, words)),
      .control = (struct gt_powers_control *) (memory + offsetof (struct memory, control)),
      .partners = powers->n - (powers->moments >> GT_MOMENT_FIRST & 1),
      .moments = powers->moments, .arithmetic = powers->arithmetic, .formula = powers->formula,
      .rooms = (uint64_t *) (memory + offsetof (struct memory, rooms))
    }
  };
}

/* Launches the kernel that adds N elements; a single block has only the warps that it
   needs.  */
static CUresult
launch_sum (struct gt_ordering *o, enum gt_named kind)
{
  const uint64_t most = (uint64_t) o->gpu->device->gpu.sms * BLOCKS_PER_SM, n = o->args.n;
  const uint64_t blocks = n / GT_POWERS_THREADS + (n % GT_POWERS_THREADS != 0);
  const unsigned threads = blocks > 1 ? GT_POWERS_THREADS : (unsigned) (n + 31) / 32 * 32;

  return n == 0 ? CUDA_SUCCESS
                : gt_cuda_order_launch (o, kind, 0, blocks < most ? blocks : most, threads);
}

/* Waits, and copies the sums to the host.  */
static CUresult
copy_sums (const struct gt_ordering *o, const struct gt_powers *powers, CUdeviceptr memory)
{
  const struct gt_cuda_driver *driver = o->gpu->driver;
  CUresult status = driver->cuStreamSynchronize (o->on);

  GT_THEN (status, driver->cuMemcpyDtoH (powers->words, memory + offsetof (struct memory, words),
                                         powers->n_words * sizeof *powers->words));
  GT_THEN (status, driver->cuMemcpyDtoH (powers->control, memory + offsetof (struct memory, control),
                                         sizeof *powers->control));
  return status;
}

CUresult
gt_cuda_keep_powers (struct gt_open_gpu *gpu, CUstream stream, int is_primary,
                     const struct gt_powers *powers, void *to, CUdeviceptr memory)
{
  struct gt_ordering o = {.gpu = gpu, .on = stream, .elsewhere = !is_primary,
                          .args = arguments (powers, (uintptr_t) memory)};
  CUresult status = gpu->driver->cuMemsetD8Async (memory, 0, sizeof (struct memory), stream);

  o.args.powers.to = to;
  GT_THEN (status, launch_sum (&o, powers->moments >> GT_MOMENT_PRODUCTS & 1 ? GT_POWERS_PAIRS
                                   : powers->formula.weighted              ? GT_POWERS_WEIGHTED
                                                                           : GT_POWERS_PLAIN));
  if (powers->words)
    GT_THEN (status, copy_sums (&o, powers, memory));
  else
    GT_THEN (status, gt_cuda_order_launch (&o, GT_POWERS_FINISH, 0, 1, 1));
  return status;
}
