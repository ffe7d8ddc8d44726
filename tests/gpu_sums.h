/* Tests that every kernel on a GPU passes, the library's and the ladder's rungs:
   every entry point against exact sums, with every block size, many grids and any
   start.  Include after tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_GPU_SUMS_H
#define GT_TEST_GPU_SUMS_H

#include "tests/gpu_subjects.h"
#include "tuning/measure/occupancy.h"

/* On a softgpu of the long vectors so many, and none longer.  */
#define LONG_ON_SOFTGPU 5
#define LONGEST_ON_SOFTGPU ((size_t) 1 << 22)

static const enum gt_arithmetic arithmetics[]
  = {GT_F64, GT_F32, GT_U64, GT_U32};
static const size_t lengths[]
  = {0, 1, 2, 31, 32, 33, 1000, 1023, 1025, 65537};

TEST (contiguous)
{
  for (size_t a = 0; a < N_OF (arithmetics); a++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      {
        size_t offsets = 16 / gt_arithmetics[arithmetics[a]].size;

        for (size_t offset = 0; offset < offsets; offset++)
          if (offset < 2 || (lengths[k] < 60000 && (on_real_gpu () || offset == offsets - 1)))
            check_exact (arithmetics[a], lengths[k], 1, offset);
      }
}

/* Starts anywhere in a line of the cache, 128 bytes, for vectors that end before the next, in
   it, and further on.  Of the many starts of the small types a softgpu takes one in five.  */
TEST (starts_in_a_line)
{
  for (size_t a = 0; a < N_OF (arithmetics); a++)
    {
      size_t in_line = 128 / gt_arithmetics[arithmetics[a]].size;
      size_t step = in_line > 32 && !on_real_gpu () ? 5 : 1;
      size_t some[] = {in_line - 3, in_line + 5, 3 * in_line};

      for (size_t k = 0; k < N_OF (some); k++)
        for (size_t offset = k; offset < in_line;
             offset += step * N_OF (some))
          check_exact (arithmetics[a], some[k], 1, offset);
    }
}

TEST (strided)
{
  for (size_t a = 0; a < N_OF (arithmetics); a++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      {
        check_exact (arithmetics[a], lengths[k], 3, k % 5);
        if (lengths[k] < 60000 && (on_real_gpu () || k % 3 == 2))
          check_exact (arithmetics[a], lengths[k], 17, 1);
      }
}

/* The turns were enough for every block size.  */
TEST (every_block_size_was_met)
{
  for (unsigned k = 0; k < n_subjects; k++)
    assert_true (subjects[k].turn - k >= N_OF (blocks));
}

/* ------------------------------------------ Infinities, NaN, zeros, order */

TEST (special_numbers)
{
  static const size_t some[] = {2, 33, 3001};
  static const struct
  {
    double fill, a, b, sum;
  } cases[] = {{-0.0, -0.0, -0.0, 0.0},
               {1, INFINITY, 1, INFINITY},
               {1, 1, -INFINITY, -INFINITY},
               {1, INFINITY, -INFINITY, NAN},
               {1, NAN, 1, NAN},
               {1, INFINITY, NAN, NAN}};

  for (size_t c = 0; c < N_OF (cases); c++)
    for (size_t k = 0; k < N_OF (some); k++)
      for (size_t a = 0; a < 2; a++)
        check_special (arithmetics[a], some[k], cases[c].fill, cases[c].a,
                       cases[c].b, cases[c].sum);
  check_special (GT_F64, 1000, DBL_MAX, DBL_MAX, DBL_MAX, INFINITY);
  check_special (GT_F32, 1000, FLT_MAX, FLT_MAX, FLT_MAX, INFINITY);
}

TEST (subnormal_numbers_are_kept)
{
  check_special (GT_F64, 1000, DBL_TRUE_MIN, DBL_TRUE_MIN, DBL_TRUE_MIN, 1000 * DBL_TRUE_MIN);
  check_special (GT_F32, 1000, FLT_TRUE_MIN, FLT_TRUE_MIN, FLT_TRUE_MIN,
                 1000 * (double) FLT_TRUE_MIN);
}

/* Whatever block finishes last, the same configuration gives the same bits.  */
TEST (the_order_is_always_the_same)
{
  enum { N = 20000 };
  double *x = malloc (N * sizeof *x);
  struct problem p = {GT_F64, N, 1, 0, .memory = NULL};
  uint64_t seed = 1;

  assert_non_null (x);
  for (size_t i = 0; i < N; i++)
    x[i] = (double) random_within (&seed, INT64_C (1) << 53);
  p.memory = to_gpu (GT_F64, x, N);
  for (unsigned k = 0; k < n_subjects; k++)
    if (subjects[k].arithmetic == GT_F64 && subjects[k].mode == GT_MODE_FAST
        && subjects[k].layout == GT_CONTIGUOUS)
      {
        struct gt_config config = next_config (&subjects[k]);
        union gt_value first = sum_on_gpu (&subjects[k], &config, &p);

        for (int again = 0; again < 4; again++)
          {
            union gt_value sum = sum_on_gpu (&subjects[k], &config, &p);

            assert_memory_equal (&sum.f64[0], &first.f64[0], sizeof (double));
          }
      }
  gt_gpus->free (gpu, GT_PLACE_DEVICE, p.memory);
  free (x);
}

/* -------------------------------------------------------------- The model */

/* The model of tuning/measure/occupancy.c against the driver's own answer.  A softgpu
   answers from the model itself; on a GPU this is the oracle.  */
TEST (occupancy_is_the_drivers)
{
  const struct gt_sm_limits *sm = &gt_gpus->device_of (gpu)->gpu.sm;

  for (unsigned i = 0; i < n_subjects; i++)
    for (unsigned block = 32; block <= subjects[i].max_block; block += 32)
      {
        const struct subject *s = &subjects[i];
        const struct gt_problem problem = problem_of (s);
        struct gt_resources resources;
        if (s->kernel->tunables & GT_TUNE_STATIC && !takes_block (s, block))
          continue;
        resources = resources_of (s, block);
        struct gt_occupancy_request request = {
          resources.registers,
          resources.shared
            + block * gt_kernel_shared (s->kernel, &problem),
          (int) block
        };
        struct gt_occupancy model;

        gt_occupancy_compute (sm, &request, &model);
        if (model.active_blocks != resources.active_blocks)
          fail_msg ("%s, block %u, %d registers, %zu bytes shared: the model"
                    " says %d blocks, the driver %d", s->kernel->name, block,
                    request.registers_per_thread, request.shared_per_block,
                    model.active_blocks, resources.active_blocks);
      }
}

/* ------------------------------------------------------------ Long vectors */

/* Several passes, many waves of blocks, partial sums by the thousand.  On a
   softgpu, where a thread costs as much as a few additions of the CPU, one
   configuration of each kernel and type, and of rungs, which have a thread for an element
   or two, a sixteenth of the length: thousands of blocks; on a GPU every entry point.  */
TEST (long_vectors)
{
  static const struct
  {
    enum gt_arithmetic arithmetic;
    size_t n, stride, offset;
  } cases[] = {{GT_U32, (size_t) 1 << 24, 1, 0}, {GT_U32, (size_t) 1 << 22, 1, 1},
               {GT_F32, (size_t) 1 << 22, 1, 3}, {GT_F64, (size_t) 1 << 22, 1, 1},
               {GT_F64, (size_t) 1 << 22, 3, 2},
               {GT_F32, (size_t) 1 << 24, 1, 1}, {GT_F64, (size_t) 1 << 24, 1, 1},
               {GT_F32, (size_t) 1 << 24, 2, 5}, {GT_U32, (size_t) 1 << 24, 2, 1}};
  size_t count = on_real_gpu () ? N_OF (cases) : LONG_ON_SOFTGPU;
  size_t divisor = launcher && !on_real_gpu () ? 16 : 1;

  only_largest = !on_real_gpu ();
  for (size_t k = 0; k < count; k++)
    {
      size_t n = cases[k].n;

      if (!on_real_gpu () && n > LONGEST_ON_SOFTGPU)
        n = LONGEST_ON_SOFTGPU;
      check_exact (cases[k].arithmetic, n / divisor, cases[k].stride, cases[k].offset);
    }
  only_largest = 0;
}

#endif
