/* From a public function to a backend.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/route/reduce.h"

#include "kernels/cpu/combine.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cpu/backend_cpu.h"
#include "src/route/share.h"

/* The compensation is applied in the same environment as it was computed;
   exact sums are rounded by integer code, in any.  */
static void
finish (enum gt_arithmetic arithmetic, enum gt_mode mode, union gt_value *sum)
{
  struct gt_fpenv env;

  if (mode == GT_MODE_EXACT)
    gt_value_finish (arithmetic, mode, sum);
  if (mode != GT_MODE_COMPENSATED)
    return;
  gt_fpenv_enter (&env, arithmetic);
  gt_value_finish (arithmetic, mode, sum);
  gt_fpenv_leave (&env);
}

void
gt_reduce_cpu (enum gt_arithmetic arithmetic, enum gt_mode mode,
               const void *data, size_t n, size_t stride, union gt_value *sum)
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
               void *stream, union gt_value *sum)
{
  union gt_value result;
  int status = gt_cuda_sum_planned (gpu, arithmetic, mode, data, n, stride,
                                    stream, &result);

  if (status)
    return status;
  finish (arithmetic, mode, &result);
  *sum = result;
  return 0;
}

/* One launch where the data lies needs none of what shares need.  */
static int
sum_where_it_lies (const struct gt_choice *choice,
                   enum gt_arithmetic arithmetic, enum gt_mode mode,
                   const void *data, size_t n, union gt_value *sum)
{
  struct gt_cuda *gpu = gt_cuda_open (choice->gpu, NULL);

  if (gpu == NULL)
    return -1;
  return gt_cuda_sum_planned (gpu, arithmetic, mode,
                              gt_cuda_address (gpu, data), n, 1, NULL, sum);
}

int
gt_reduce_routed (const struct gt_choice *choice,
                  enum gt_arithmetic arithmetic, enum gt_mode mode,
                  const void *data, size_t n, union gt_value *sum)
{
  int at_once = choice->route.way == GT_WAY_DIRECT
                && choice->route.percent == 100 && choice->n_gpus == 1;
  int failed = at_once ? sum_where_it_lies (choice, arithmetic, mode, data, n,
                                            sum)
                       : gt_share_sum (choice, arithmetic, mode, data, n, sum);

  if (failed)
    return -1;
  finish (arithmetic, mode, sum);
  return 0;
}

void
gt_reduce_host (enum gt_arithmetic arithmetic, const void *data, size_t n,
                size_t stride, union gt_value *sum)
{
  enum gt_mode mode
    = gt_effective_mode (arithmetic, (enum gt_mode) gt_mode_now);
  struct gt_choice choice;

  if (stride != 1 || !gt_choose_host (arithmetic, mode, data, n, &choice)
      || gt_reduce_routed (&choice, arithmetic, mode, data, n, sum))
    gt_reduce_cpu (arithmetic, mode, data, n, stride, sum);
}
