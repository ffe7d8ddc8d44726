/* Power sums on a GPU, and statistics of them: the launches of kernels/cuda/powers.cu.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/rational.h"
#include "src/cuda/cuda_order.h"
#include "src/cuda/cuda_powers.h"

#define BLOCKS_PER_SM 2

/* On the device.  All but what is finished in is zero at first.  */
struct memory
{
  int64_t words[GT_POWERS_WORDS];
  struct gt_powers_control control;
  struct gt_centre centre;
  uint64_t rooms[];
};

size_t
gt_cuda_powers_bytes (void)
{
  return sizeof (struct memory) + N_ROOMS * GT_POWERS_ROOM * sizeof (uint64_t);
}

/* Given numbers with which terms are no numbers, or may be none.  */
static int
are_unusual (const struct gt_formula *f, const double *about)
{
  return (f->given > 0 && !isfinite (about[0]))
         || (f->given > 1
             && (!isfinite (about[1]) || (f->form == GT_FORM_POWERS && about[1] == 0)));
}

static struct gt_kernel_args
arguments (const struct gt_powers *powers, uintptr_t memory)
{
  const struct gt_formula *f = &powers->formula;

  return (struct gt_kernel_args) {
    .data = powers->x.data, .n = powers->n, .stride = powers->x.stride,
    .y = powers->y.data, .y_stride = powers->y.stride,
    .powers = {
      .words = (int64_t *) (memory + offsetof (struct memory, words)),
      .control = (struct gt_powers_control *) (memory + offsetof (struct memory, control)),
      .partners = powers->n - (powers->moments >> GT_MOMENT_FIRST & 1),
      .moments = powers->moments, .arithmetic = powers->arithmetic,
      .power = (uint32_t) powers->power,
      .unusual = (uint32_t) are_unusual (f, powers->about),
      .formula = *f, .about = {powers->about[0], powers->about[1]},
      .centre = (struct gt_centre *) (memory + offsetof (struct memory, centre)),
      .rooms = (uint64_t *) (memory + offsetof (struct memory, rooms))
    }
  };
}

struct launching
{
  struct gt_open_gpu *gpu;
  CUstream stream;
  int is_primary;
};

static CUresult
launch (const struct launching *l, enum gt_named kind, struct gt_kernel_args *args,
        uint64_t grid, unsigned block)
{
  void *parameters[] = {args};
  CUfunction function;
  CUresult status = gt_cuda_named (l->gpu, kind, 0, l->is_primary, &function);

  GT_THEN (status, l->gpu->driver->cuLaunchKernel (function, (unsigned) grid, 1, 1, block, 1,
                                                   1, 0, l->stream, parameters, NULL));
  return status;
}

/* Launches what adds N elements: warps for all of them, in one block if that has room.  */
static CUresult
launch_sum (const struct launching *l, enum gt_named kind, struct gt_kernel_args *args)
{
  const uint64_t most = (uint64_t) l->gpu->device->gpu.sms * BLOCKS_PER_SM;
  const uint64_t blocks = args->n / GT_POWERS_THREADS + (args->n % GT_POWERS_THREADS != 0);
  const unsigned threads = blocks > 1 ? GT_POWERS_THREADS : (unsigned) (args->n + 31) / 32 * 32;

  return args->n == 0 ? CUDA_SUCCESS
                      : launch (l, kind, args, blocks < most ? blocks : most, threads);
}

/* Launches all that adds, distances behind the sums that their centre is made of.  */
static CUresult
launch_sums (const struct launching *l, struct gt_kernel_args *args)
{
  const uint32_t moments = args->powers.moments;
  struct gt_centre *const centre = args->powers.centre;
  CUresult status;

  args->powers.centre = NULL;
  status = launch_sum (l, moments >> GT_MOMENT_PRODUCTS & 1  ? GT_POWERS_PAIRS
                          : args->powers.formula.weighted    ? GT_POWERS_WEIGHTED
                                                             : GT_POWERS_PLAIN, args);
  args->powers.centre = centre;
  if (!(moments >> GT_MOMENT_SIDES & 1))
    return status;
  GT_THEN (status, launch (l, GT_POWERS_CENTRE, args, 1, 1));
  GT_THEN (status, launch_sum (l, GT_POWERS_SIDES, args));
  return status;
}

/* Waits, and takes the sums to the host.  */
static CUresult
take_sums (const struct launching *l, const struct gt_powers *powers, CUdeviceptr memory)
{
  const struct gt_cuda_driver *driver = l->gpu->driver;
  CUresult status = driver->cuStreamSynchronize (l->stream);

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
  const struct launching l = {gpu, stream, is_primary};
  struct gt_kernel_args args = arguments (powers, (uintptr_t) memory);
  CUresult status = gpu->driver->cuMemsetD8Async (memory, 0, sizeof (struct memory), stream);

  args.powers.to = to;
  GT_THEN (status, launch_sums (&l, &args));
  if (powers->words)
    GT_THEN (status, take_sums (&l, powers, memory));
  else
    GT_THEN (status, launch (&l, GT_POWERS_FINISH, &args, 1, 1));
  return status;
}
