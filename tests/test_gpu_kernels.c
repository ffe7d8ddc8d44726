/* Tests of kernels/cuda, as src/cuda/cuda_launch.c launches them.  On a device of tests/softgpu, and unchanged on the machine's own GPU where
   on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/gpu_sums.h"
#include "tests/sums.h"

#define CANCELLING_N 10000

TEST (cancelling_sums_are_exact)
{
  for (size_t a = 0; a < 2; a++)
    for (size_t stride = 1; stride <= 2; stride++)
      {
        struct problem p
          = {arithmetics[a], CANCELLING_N, stride, 0, .memory = NULL};
        size_t count;
        char *elements = room_for (&p, &count);

        p.expected = put_cancelling (p.arithmetic, elements, CANCELLING_N, stride, 1);
        check_elements (&p, elements, count, 1u << GT_MODE_EXACT);
      }
}

/* ------------------------------------------------------- What is refused */

/* A block too large for any GPU: the next sum is as good as ever.  */
TEST (impossible_launches_are_refused)
{
  double zero = 0;
  void *memory = to_gpu (GT_F64, &zero, 1);
  struct gpu_sum g = gpu_sum_of (sum_kernel ("grid_stride"),
                                 (struct gt_config) {1, 2048, 1, 1}, GT_F64,
                                 GT_MODE_FAST, memory, 1, 1);
  union gt_value sum;

  assert_int_not_equal (gt_gpus->compute (gpu, &g.plan, &g.task, NULL, &sum), 0);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
  assert_ptr_equal (gt_gpu_open (0, NULL), gpu);
  check_exact (GT_F64, 1000, 1, 1);
}

/* ------------------------------------------------------ One after another */

/* A slot's launches have one tag, so no result may be taken for the next one's:
   not one that was read, and not one that nobody has waited for.  */
TEST (results_are_not_taken_for_others)
{
  static const double x[] = {1, 2, 4};
  struct gpu_sum g = gpu_sum_of (NULL, (struct gt_config) {1, 64, 1, 1}, GT_F64,
                                 GT_MODE_FAST, NULL, 0, 1);
  uint64_t *n = &g.task.problem.n;
  struct gt_slot *slot;
  void *memory;

  assert_int_equal (gt_gpus->alloc (gpu, GT_PLACE_DEVICE, sizeof x, &memory), 0);
  assert_int_equal (gt_gpus->copy (gpu, GT_TO_DEVICE, memory, x, sizeof x), 0);
  g.task.x.data = memory;
  for (int exact = 0; exact < 2; exact++)
    {
      union gt_value sum;
      uint32_t tag;

      g.plan.kernel = sum_kernel (exact ? "exact_window" : "grid_stride");
      g.task.problem.mode = exact ? GT_MODE_EXACT : GT_MODE_FAST;
      assert_int_equal (gt_gpus->slot_acquire (gpu, SIZE_MAX, &slot), 0);
      for (*n = 1; *n <= N_OF (x); ++*n)
        {
          tag = slot->tag;
          assert_int_equal (gt_gpus->start (gpu, slot, GT_WAY_DIRECT, &g.plan, &g.task), 0);
          assert_int_equal (gt_gpus->await (gpu, slot, &g.task, &sum), 0);
          assert_false (gt_gpus->arrived (slot));
          assert_int_equal (slot->tag, tag);
          finish_sum (GT_F64, g.task.problem.mode, &sum);
          assert_true (sum.f64[0] == (1 << *n) - 1);
        }
      *n = 1;
      assert_int_equal (gt_gpus->start (gpu, slot, GT_WAY_DIRECT, &g.plan, &g.task), 0);
      *n = 3;
      assert_int_equal (gt_gpus->start (gpu, slot, GT_WAY_DIRECT, &g.plan, &g.task), 0);
      assert_int_equal (gt_gpus->await (gpu, slot, &g.task, &sum), 0);
      finish_sum (GT_F64, g.task.problem.mode, &sum);
      assert_true (sum.f64[0] == 7);
      assert_true (slot->tag != tag);
      assert_false (gt_gpus->arrived (slot));
      gt_gpus->slot_release (gpu, slot);
    }
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
}

/* More elements than 32 bits count; on the machine's own GPU alone.  */
TEST_IF (on_real_gpu (), beyond_32_bits, NULL, NULL)
{
  size_t n = ((size_t) 1 << 32) + 77, bytes = n * sizeof (uint32_t);
  union gt_value sum;
  void *memory, *ones;

  if (gt_gpus->alloc (gpu, GT_PLACE_DEVICE, bytes, &memory))
    {
      print_message ("# not tested: no %zu bytes on this GPU\n", bytes);
      return;
    }
  ones = malloc (1 << 24);
  assert_non_null (ones);
  memset (ones, 3, 1 << 24);
  for (size_t at = 0; at < bytes; at += 1 << 24)
    assert_int_equal (gt_gpus->copy (gpu, GT_TO_DEVICE, (char *) memory + at, ones,
                                     bytes - at < 1 << 24 ? bytes - at : 1 << 24), 0);
  free (ones);
  for (unsigned u = 0; u < GT_N_UNROLLS; u++)
    {
      struct gpu_sum g
        = gpu_sum_of (sum_kernel ("grid_stride"),
                      (struct gt_config) {1, 512, GT_UNROLL (u), 2}, GT_U32,
                      GT_MODE_FAST, memory, n, 1);

      assert_int_equal (gt_gpus->compute (gpu, &g.plan, &g.task, NULL, &sum), 0);
      assert_int_equal (sum.u32[0], (uint32_t) (0x03030303 * n));
      g.task = gt_task_of (GT_SUM, GT_U32, GT_MODE_FAST, memory, 4, (n - 1) / 3);
      assert_int_equal (gt_gpus->compute (gpu, &g.plan, &g.task, NULL, &sum), 0);
      assert_int_equal (sum.u32[0], 4 * 0x03030303);
    }
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
}

RUN_GPU_TESTS (find_subjects, NULL)
