/* Tests of exact mode on a GPU with data that a kernel cannot hold: exact_window
   gives up where numbers lie too far apart, another kernel answers, and for which
   vectors it was so is remembered (src/cuda/cuda_ranges.c).  On a device of
   tests/softgpu, or on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/cuda/cuda_context.h"
#include "tests/gpu_exact.h"
#include "tests/gpu_subjects.h"

#define WIDE_N (1 << 17)

/* Numbers with biased exponents from FIRST on, of either sign.  */
static double *
numbers (unsigned first, unsigned count)
{
  double *x = malloc (WIDE_N * sizeof *x);
  uint64_t state = 5;

  assert_non_null (x);
  for (size_t i = 0; i < WIDE_N; i++)
    x[i] = number_of (first, count, &state) * (i % 2 ? -1 : 1);
  return x;
}

static double *
of_any_size (void)
{
  return numbers (0, 2046);
}

static double *
of_similar_size (void)
{
  return numbers (1000, 40);
}

/* Numbers of any size make exact_window give up; the sum is right all the same.
   What fits, it does not give up.  */
TEST (other_data_goes_to_the_other_kernel)
{
  struct gpu_sum g = gpu_sum_of (sum_kernel ("exact_window"),
                                 (struct gt_config) {1, 256, 8, 1}, GT_F64,
                                 GT_MODE_EXACT, NULL, WIDE_N, 1);
  struct gt_slot *slot;

  for (int wide = 0; wide <= 1; wide++)
    {
      double *x = wide ? of_any_size () : of_similar_size ();
      union gt_value sum, expected = superaccumulated (GT_F64, x, WIDE_N, 1);

      g.task.x.data = to_gpu (GT_F64, x, WIDE_N);
      assert_int_equal (gt_gpus->slot_acquire (gpu, SIZE_MAX, &slot), 0);
      assert_int_equal (gt_gpus->start (gpu, slot, GT_WAY_DIRECT, &g.plan, &g.task), 0);
      assert_int_equal (gt_gpus->await (gpu, slot, &g.task, &sum),
                        wide ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS);
      gt_gpus->slot_release (gpu, slot);
      assert_int_equal (gt_gpus->compute (gpu, &g.plan, &g.task, NULL, &sum), 0);
      finish_sum (GT_F64, GT_MODE_EXACT, &sum);
      assert_true (same_sum (GT_F64, &sum, &expected));
      gt_gpus->free (gpu, GT_PLACE_DEVICE, (void *) g.task.x.data);
      free (x);
    }
}

/* ---------------------------------------------------- What is remembered */

/* Launches since the last look, by the driver's own functions.  */
static unsigned launches;
static struct gt_cuda_driver the_driver, counting_driver;
static const struct gt_cuda_driver *driver_before;

static CUresult CUDAAPI
count_launch (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
              unsigned by, unsigned bz, unsigned shared, CUstream stream,
              void **parameters, void **extra)
{
  launches++;
  return the_driver.cuLaunchKernel (f, gx, gy, gz, bx, by, bz, shared, stream,
                                    parameters, extra);
}

static CUresult CUDAAPI
count_graph (CUgraphExec exec, CUstream stream)
{
  launches++;
  return the_driver.cuGraphLaunch (exec, stream);
}

/* Nothing is known of any vector: an address may be one that the test before has used.  */
FIXTURE (count_launches)
{
  memset (&gpu->ranges, 0, sizeof gpu->ranges);
  driver_before = gpu->driver;
  counting_driver = the_driver = *gpu->driver;
  counting_driver.cuLaunchKernel = count_launch;
  counting_driver.cuGraphLaunch = count_graph;
  gpu->driver = &counting_driver;
  return 0;
}

FIXTURE (count_no_more)
{
  gpu->driver = driver_before;
  return 0;
}

/* How many launches a sum of X takes, which has to be right.  */
static unsigned
launches_of (struct gpu_sum *g, const double *x, uint64_t n, uint64_t stride)
{
  union gt_value sum, expected = superaccumulated (GT_F64, x, n, stride);

  g->task = gt_task_of (GT_SUM, GT_F64, GT_MODE_EXACT, g->task.x.data, n, stride);
  launches = 0;
  assert_int_equal (gt_gpus->compute (gpu, &g->plan, &g->task, NULL, &sum), 0);
  finish_sum (GT_F64, GT_MODE_EXACT, &sum);
  assert_true (same_sum (GT_F64, &sum, &expected));
  return launches;
}

/* A vector of numbers of any size is summed in one launch from its second sum on,
   but for a look now and then.  Others do not pay for it, by address, length or
   stride; and when its data has changed it is noticed.  */
TEST_WITH (kernels_that_suited_are_remembered, count_launches, count_no_more)
{
  double *wide = of_any_size (), *close = of_similar_size ();
  struct gpu_sum a = gpu_sum_of (sum_kernel ("exact_window"),
                                 (struct gt_config) {1, 64, 2, 1}, GT_F64,
                                 GT_MODE_EXACT, NULL, 0, 1);
  struct gpu_sum b = a;

  a.task.x.data = to_gpu (GT_F64, wide, WIDE_N);
  b.task.x.data = to_gpu (GT_F64, close, WIDE_N);
  for (int round = 0; round < 2; round++)
    {
      assert_int_equal (launches_of (&a, wide, WIDE_N, 1), 2);
      for (int k = 0; k < GT_RANGE_SUMS; k++)
        assert_int_equal (launches_of (&a, wide, WIDE_N, 1), 1);
    }
  assert_int_equal (launches_of (&a, wide, WIDE_N, 1), 2);
  assert_int_equal (launches_of (&a, wide, WIDE_N / 2, 2), 2);
  assert_int_equal (launches_of (&b, close, WIDE_N, 1), 1);
  assert_int_equal (gt_gpus->copy (gpu, GT_TO_DEVICE, (void *) a.task.x.data, close,
                                   WIDE_N * sizeof *close), 0);
  for (int k = 0; k < GT_RANGE_SUMS + 2; k++)
    assert_int_equal (launches_of (&a, close, WIDE_N, 1), 1);
  assert_false (gt_ranges_wide (&gpu->ranges, &a.task));
  gt_gpus->free (gpu, GT_PLACE_DEVICE, (void *) a.task.x.data);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, (void *) b.task.x.data);
  free (wide);
  free (close);
}

#define ROW_BYTES (1 << 19)

/* The sum of row I of a matrix; nothing reads its elements.  */
static struct gt_task
row (unsigned i)
{
  const uintptr_t address = UINT64_C (0x7f0000000000) + (uint64_t) i * ROW_BYTES;

  return gt_task_of (GT_SUM, GT_F64, GT_MODE_EXACT, (void *) address,
                     ROW_BYTES / sizeof (double), 1);
}

/* Of a thousand rows three in four at least are known; those that are not have a note
   that another row wrote over.  Rows that were never noted are not known.  */
TEST (rows_of_a_matrix_are_remembered)
{
  static struct gt_ranges ranges;
  const unsigned rows = 1024;
  unsigned known = 0;

  for (unsigned i = 0; i < rows; i++)
    {
      struct gt_task task = row (i);

      gt_ranges_note (&ranges, &task);
    }
  for (unsigned i = 0; i < rows; i++)
    {
      struct gt_task task = row (i), other = row (rows + i);

      known += gt_ranges_wide (&ranges, &task) != 0;
      assert_false (gt_ranges_wide (&ranges, &other));
    }
  assert_in_range (known, rows / 4 * 3, rows);
}

/* So many sums, and then the data is looked at again.  */
TEST (a_note_holds_for_so_many_sums)
{
  static struct gt_ranges ranges;
  struct gt_task task = row (0);

  assert_false (gt_ranges_wide (&ranges, &task));
  gt_ranges_note (&ranges, &task);
  for (unsigned k = 0; k < GT_RANGE_SUMS; k++)
    assert_true (gt_ranges_wide (&ranges, &task));
  assert_false (gt_ranges_wide (&ranges, &task));
}

RUN_GPU_TESTS (find_subjects, NULL)
