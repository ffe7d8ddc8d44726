/* From a public function to a backend.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/reduce.h"

#include <pthread.h>
#include <string.h>

#include "kernels/cpu/combine.h"
#include "src/backend_cpu.h"
#include "src/env.h"
#include "src/fpenv.h"
#include "src/names.h"

/* The compensation is applied in the same environment as it was computed;
   exact sums are rounded by integer code, in any.  */
static void
finish (enum gt_arithmetic arithmetic, enum gt_mode mode, union gt_sum *sum)
{
  struct gt_fpenv env;

  if (mode == GT_MODE_EXACT)
    gt_sum_finish (arithmetic, mode, sum);
  if (mode != GT_MODE_COMPENSATED)
    return;
  gt_fpenv_enter (&env, arithmetic);
  gt_sum_finish (arithmetic, mode, sum);
  gt_fpenv_leave (&env);
}

void
gt_reduce_cpu (enum gt_arithmetic arithmetic, enum gt_mode mode,
               const void *data, size_t n, size_t stride, union gt_sum *sum)
{
  const struct gt_plan *plan
    = gt_plan_find (gt_host_plans (), arithmetic, mode,
                    stride == 1 ? GT_CONTIGUOUS : GT_STRIDED, n);

  gt_cpu_sum (plan, arithmetic, mode, data, n, stride, sum);
  finish (arithmetic, mode, sum);
}

int
gt_reduce_gpu (struct gt_cuda *gpu, enum gt_arithmetic arithmetic,
               enum gt_mode mode, const void *data, size_t n, size_t stride,
               void *stream, union gt_sum *sum)
{
  union gt_sum result;
  int status = gt_cuda_sum_planned (gpu, arithmetic, mode, data, n, stride,
                                    stream, &result);

  if (status)
    return status;
  finish (arithmetic, mode, &result);
  *sum = result;
  return 0;
}

/* Crossovers belong to the pair of this host and one kind of GPU: those of
   another GPU than the one in use say nothing.  */
static uint64_t gpu_from[GT_N_ARITHMETICS][GT_N_MODES];
static pthread_once_t gpu_from_once = PTHREAD_ONCE_INIT;

static void
match_crossovers (void)
{
  const struct gt_profile *profile = &gt_host_plans ()->profile;
  struct gt_cuda *gpu = gt_cuda_chosen (NULL);
  char silicon[GT_SILICON_SIZE];

  memset (gpu_from, 0xff, sizeof gpu_from);
  if (gpu == NULL)
    return;
  gt_device_silicon (gt_cuda_device_of (gpu), silicon);
  for (unsigned i = 0; i < profile->n_crossovers; i++)
    {
      const struct gt_crossover *c = &profile->crossovers[i];

      if (c->layout == GT_CONTIGUOUS && strcmp (c->device, silicon) == 0)
        gpu_from[c->arithmetic][c->mode] = c->from;
    }
}

struct gt_cuda *
gt_route_host (enum gt_arithmetic arithmetic, enum gt_mode mode, size_t n,
               size_t stride)
{
  if (stride != 1 || n == 0 || arithmetic == GT_LDBL || gt_forked
      || gt_env.device == GT_CHOOSE_CPU)
    return NULL;
  if (gt_env.device == GT_CHOOSE_CUDA)
    return gt_cuda_chosen (NULL);
  /* No driver is touched for a length that no profile gives to a GPU.  */
  if (n < gt_host_plans ()->gpu_from[arithmetic][mode])
    return NULL;
  pthread_once (&gpu_from_once, match_crossovers);
  return n >= gpu_from[arithmetic][mode] ? gt_cuda_chosen (NULL) : NULL;
}

void
gt_reduce_host (enum gt_arithmetic arithmetic, const void *data, size_t n,
                size_t stride, union gt_sum *sum)
{
  enum gt_mode mode
    = gt_effective_mode (arithmetic, (enum gt_mode) gt_mode_now);
  struct gt_cuda *gpu = gt_route_host (arithmetic, mode, n, stride);

  if (gpu && gt_cuda_sum_host (gpu, arithmetic, mode, data, n, sum) == 0)
    finish (arithmetic, mode, sum);
  else
    gt_reduce_cpu (arithmetic, mode, data, n, stride, sum);
}
