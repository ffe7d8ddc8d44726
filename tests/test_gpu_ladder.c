/* Tests of kernels/ladder, as tuning/measure/rung_launch.c launches the rungs.  On a device of
   tests/softgpu, and unchanged on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/gpu_sums.h"
#include "tests/sums.h"

static struct gpu_sum
sum_of (const char *rung, struct gt_config config, const void *data, uint64_t n)
{
  return gpu_sum_of (gt_ladder_find (rung)->kernel, config, GT_F64, GT_MODE_FAST, data, n, 1);
}

/* A block too large for the kernel's registers, and a grid too large for any
   GPU: the next sum is as good as ever.  */
TEST (impossible_launches_are_refused)
{
  double zero = 0;
  void *memory = to_gpu (GT_F64, &zero, 1);
  struct gpu_sum g = sum_of ("interleaved", (struct gt_config) {1, 32, 1, 0},
                             memory, (uint64_t) 1 << 40);
  union gt_value sum;
  double seconds;

  assert_int_not_equal (gt_rungs->sum (launcher, &g.plan, &g.task, &sum), 0);
  assert_int_not_equal (gt_rungs->time (launcher, &g.plan, &g.task, 1, 1, 0, &seconds), 0);
  g.task.problem.n = 1;
  g.plan.config.block = 2048;
  assert_int_not_equal (gt_rungs->sum (launcher, &g.plan, &g.task, &sum), 0);
  assert_int_not_equal (gt_rungs->time (launcher, &g.plan, &g.task, 1, 1, 0, &seconds), 0);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
  assert_ptr_equal (gt_gpu_open (0, NULL), gpu);
  check_exact (GT_F64, 1000, 1, 1);
}

/* All rungs by one launcher, those among them that are the library's: what one
   leaves in memory is not taken for the next one's sum.  */
TEST (rungs_take_turns)
{
  static const size_t ns[] = {3000, 1, 70000, 257};
  double *x = malloc (70001 * sizeof *x);
  void *memory;
  char why[160];

  assert_non_null (x);
  put_exact (GT_F64, x, 70001, 1, 5);
  memory = to_gpu (GT_F64, x, 70001);
  for (unsigned turn = 0; turn < 2 * gt_ladder_catalog_size; turn++)
    {
      const struct gt_ladder_kernel *rung
        = &gt_ladder_catalog[turn * 7 % gt_ladder_catalog_size];
      unsigned u = rung->kernel->unrolls & 2 ? 2 : 1;
      size_t n = ns[turn % N_OF (ns)];
      struct gpu_sum g = sum_of (rung->kernel->name,
                                 (struct gt_config) {1, 64, u, 2}, memory, n);
      union gt_value sum, expected = {.f64 = {0}};
      double seconds = -1;

      if (gt_rungs->available (launcher, rung, why, sizeof why))
        continue;
      for (size_t i = 0; i < n; i++)
        expected.f64[0] += x[i];
      assert_int_equal (gt_rungs->sum (launcher, &g.plan, &g.task, &sum), 0);
      finish_sum (GT_F64, GT_MODE_FAST, &sum);
      assert_true (sum.f64[0] == expected.f64[0]);
      assert_int_equal (gt_rungs->time (launcher, &g.plan, &g.task, 3, 2, 8, &seconds), 0);
      assert_true (seconds > 0);
    }
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
  free (x);
}

RUN_GPU_TESTS (find_rungs, leave_rungs)
