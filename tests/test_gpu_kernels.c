/* Tests of kernels/cuda, as src/cuda/cuda_launch.c launches them: every entry point
   against exact sums, with every block size, many grids and any start.  On a
   device of tests/softgpu, and unchanged on the machine's own GPU where
   on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "src/cuda/cuda_launch.h"
#include "tests/gpu_subjects.h"
#include "tuning/measure/occupancy.h"

#define LONG_ON_SOFTGPU 5 /* of the long vectors, so many */

static const enum gt_arithmetic arithmetics[]
  = {GT_F64, GT_F32, GT_U64, GT_U32, GT_U16, GT_U8};
static const size_t lengths[]
  = {0, 1, 2, 31, 32, 33, 1000, 1023, 1025, 65537};

static void
contiguous (void **state)
{
  (void) state;
  for (size_t a = 0; a < N_OF (arithmetics); a++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      {
        size_t offsets = 16 / gt_arithmetics[arithmetics[a]].size;

        for (size_t offset = 0; offset < offsets; offset++)
          if (lengths[k] < 60000 || offset < 2)
            check_exact (arithmetics[a], lengths[k], 1, offset);
      }
}

/* Starts anywhere in a line of the cache, 128 bytes, for vectors that end before
   the next, in it, and further on.  */
static void
starts_in_a_line (void **state)
{
  (void) state;
  for (size_t a = 0; a < N_OF (arithmetics); a++)
    {
      size_t in_line = 128 / gt_arithmetics[arithmetics[a]].size;
      size_t some[] = {in_line - 3, in_line + 5, 3 * in_line};

      for (size_t k = 0; k < N_OF (some); k++)
        for (size_t offset = k; offset < in_line; offset += N_OF (some))
          check_exact (arithmetics[a], some[k], 1, offset);
    }
}

static void
strided (void **state)
{
  (void) state;
  for (size_t a = 0; a < N_OF (arithmetics); a++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      {
        check_exact (arithmetics[a], lengths[k], 3, k % 5);
        if (lengths[k] < 60000)
          check_exact (arithmetics[a], lengths[k], 17, 1);
      }
}

/* The turns were enough for every block size.  */
static void
every_block_size_was_met (void **state)
{
  (void) state;
  for (unsigned k = 0; k < n_subjects; k++)
    assert_true (subjects[k].turn - k >= N_OF (blocks));
}

/* ------------------------------------------ Infinities, NaN, zeros, order */

/* The sum of N elements, FILL but for A at a third and B at the end.  */
static void
check_special (enum gt_arithmetic arithmetic, size_t n, double fill, double a,
               double b, double sum)
{
  double *x = malloc (n * sizeof *x);
  float *f = malloc (n * sizeof *f);
  struct problem p = {arithmetic, n, 1, 0, NULL, {{0}}};

  assert_non_null (x);
  assert_non_null (f);
  for (size_t i = 0; i < n; i++)
    x[i] = fill;
  x[n / 3] = a;
  x[n - 1] = b;
  for (size_t i = 0; i < n; i++)
    f[i] = (float) x[i];
  if (arithmetic == GT_F64)
    p.expected.f64[0] = sum;
  else
    p.expected.f32[0] = (float) sum;
  p.memory = to_gpu (arithmetic, arithmetic == GT_F64 ? (void *) x : f, n);
  check_all (&p);
  gt_cuda_free (gpu, p.memory);
  free (x);
  free (f);
}

static void
special_numbers (void **state)
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

  (void) state;
  for (size_t c = 0; c < N_OF (cases); c++)
    for (size_t k = 0; k < N_OF (some); k++)
      for (size_t a = 0; a < 2; a++)
        check_special (arithmetics[a], some[k], cases[c].fill, cases[c].a,
                       cases[c].b, cases[c].sum);
  check_special (GT_F64, 1000, DBL_MAX, DBL_MAX, DBL_MAX, INFINITY);
  check_special (GT_F32, 1000, FLT_MAX, FLT_MAX, FLT_MAX, INFINITY);
}

static void
subnormal_numbers_are_kept (void **state)
{
  (void) state;
  check_special (GT_F64, 1000, DBL_TRUE_MIN, DBL_TRUE_MIN, DBL_TRUE_MIN,
                 1000 * DBL_TRUE_MIN);
  check_special (GT_F32, 1000, FLT_TRUE_MIN, FLT_TRUE_MIN, FLT_TRUE_MIN,
                 1000 * (double) FLT_TRUE_MIN);
}

#define CANCELLING_N 10000

static void
compensated_sums_are_exact (void **state)
{
  (void) state;
  for (size_t a = 0; a < 2; a++)
    for (size_t stride = 1; stride <= 2; stride++)
      {
        size_t size = gt_arithmetics[arithmetics[a]].size;
        struct problem p
          = {arithmetics[a], CANCELLING_N, stride, 0, NULL, {{0}}};
        void *elements = malloc (CANCELLING_N * stride * size);

        assert_non_null (elements);
        fill_poison (p.arithmetic, elements, CANCELLING_N * stride);
        p.expected = put_cancelling (p.arithmetic, elements, CANCELLING_N,
                                     stride, 1);
        p.memory = to_gpu (p.arithmetic, elements, CANCELLING_N * stride);
        for (unsigned k = 0; k < n_subjects; k++)
          if (subjects[k].arithmetic == p.arithmetic
              && subjects[k].mode != GT_MODE_FAST
              && subjects[k].layout
                   == (stride == 1 ? GT_CONTIGUOUS : GT_STRIDED))
            check_sum (&subjects[k], &p);
        gt_cuda_free (gpu, p.memory);
        free (elements);
      }
}

/* Whatever block finishes last, the same configuration gives the same bits.  */
static void
the_order_is_always_the_same (void **state)
{
  enum { N = 20000 };
  double *x = malloc (N * sizeof *x);
  struct problem p = {GT_F64, N, 1, 0, NULL, {{0}}};
  uint64_t seed = 1;

  (void) state;
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
  gt_cuda_free (gpu, p.memory);
  free (x);
}

/* ------------------------------------------------------- What is refused */

/* The model of tuning/measure/occupancy.c against the driver's own answer.  A softgpu
   answers from the model itself; on a GPU this is the oracle.  */
static void
occupancy_is_the_drivers (void **state)
{
  const struct gt_sm_limits *sm = &gt_cuda_device_of (gpu)->gpu.sm;

  (void) state;
  for (unsigned i = 0; i < n_subjects; i++)
    for (unsigned block = 32; block <= subjects[i].max_block; block += 32)
      {
        const struct subject *s = &subjects[i];
        struct gt_cuda_resources resources;
        if (s->kernel->tunables & GT_TUNE_STATIC && !takes_block (s, block))
          continue;
        resources = resources_of (s, block);
        struct gt_occupancy_request request = {
          resources.registers,
          resources.shared
            + block * s->kernel->shared * gt_arithmetics[s->arithmetic].size,
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

/* A block too large for the kernel's registers, and a grid too large for any
   GPU: the next sum is as good as ever.  */
static void
impossible_launches_are_refused (void **state)
{
  struct gt_cuda_problem problem = {
    .kernel = gt_catalog_find ("interleaved"),
    .config = {1, 32, 1, 0},
    .arithmetic = GT_F64,
    .n = (uint64_t) 1 << 40,
    .stride = 1
  };
  double zero = 0;
  union gt_value sum;

  (void) state;
  problem.data = to_gpu (GT_F64, &zero, 1);
  assert_int_not_equal (gt_cuda_sum (gpu, &problem, NULL, &sum), 0);
  problem.n = 1;
  problem.config.block = 2048;
  assert_int_not_equal (gt_cuda_sum (gpu, &problem, NULL, &sum), 0);
  gt_cuda_free (gpu, (void *) problem.data);
  assert_ptr_equal (gt_cuda_open (0, NULL), gpu);
  check_exact (GT_F64, 1000, 1, 1);
}

/* ------------------------------------------------------------ Long vectors */

/* Several passes, many waves of blocks, partial sums by the thousand.  On a
   softgpu, where a thread costs as much as a few additions of the CPU, one
   configuration of each kernel and type; on a GPU every entry point.  */
static void
long_vectors (void **state)
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

  (void) state;
  only_largest = !on_real_gpu ();
  for (size_t k = 0; k < count; k++)
    check_exact (cases[k].arithmetic, cases[k].n, cases[k].stride,
                 cases[k].offset);
  only_largest = 0;
}

/* A slot's launches have one tag, so no result may be taken for the next one's:
   not one that was read, and not one that nobody has waited for.  */
static void
results_are_not_taken_for_others (void **state)
{
  static const double x[] = {1, 2, 4};
  struct gt_cuda_problem problem
    = {.config = {1, 64, 1, 1}, .arithmetic = GT_F64, .stride = 1};
  struct gt_cuda_slot *slot;
  void *memory;

  (void) state;
  assert_int_equal (gt_cuda_alloc (gpu, sizeof x, &memory), 0);
  assert_int_equal (gt_cuda_to_device (gpu, memory, x, sizeof x), 0);
  problem.data = memory;
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      union gt_value sum;
      uint32_t tag;

      problem.kernel = gt_catalog_find (mode == GT_MODE_EXACT ? "exact_window"
                                                              : "grid_stride");
      problem.mode = (enum gt_mode) mode;
      assert_int_equal (gt_cuda_slot_acquire (gpu, &slot), 0);
      for (problem.n = 1; problem.n <= N_OF (x); problem.n++)
        {
          tag = slot->tag;
          assert_int_equal (gt_cuda_launch (gpu, slot, &problem), 0);
          assert_int_equal (gt_cuda_result (gpu, slot, GT_F64, &sum), 0);
          assert_false (gt_cuda_arrived (slot));
          assert_int_equal (slot->tag, tag);
          gt_value_finish (GT_F64, problem.mode, &sum);
          assert_true (sum.f64[0] == (1 << problem.n) - 1);
        }
      problem.n = 1;
      assert_int_equal (gt_cuda_launch (gpu, slot, &problem), 0);
      problem.n = 3;
      assert_int_equal (gt_cuda_launch (gpu, slot, &problem), 0);
      assert_int_equal (gt_cuda_result (gpu, slot, GT_F64, &sum), 0);
      gt_value_finish (GT_F64, problem.mode, &sum);
      assert_true (sum.f64[0] == 7);
      assert_true (slot->tag != tag);
      assert_false (gt_cuda_arrived (slot));
      gt_cuda_slot_release (gpu, slot);
    }
  gt_cuda_free (gpu, memory);
}

/* More elements than 32 bits count; on the machine's own GPU alone.  */
static void
beyond_32_bits (void **state)
{
  size_t n = ((size_t) 1 << 32) + 77;
  struct gt_cuda_problem problem = {
    .kernel = gt_catalog_find ("grid_stride"),
    .arithmetic = GT_U8,
    .n = n,
    .stride = 1
  };
  union gt_value sum;
  void *memory, *ones;

  (void) state;
  if (gt_cuda_alloc (gpu, n, &memory))
    {
      print_message ("# not tested: no %zu bytes on this GPU\n", n);
      return;
    }
  ones = malloc (1 << 24);
  assert_non_null (ones);
  memset (ones, 3, 1 << 24);
  for (size_t at = 0; at < n; at += 1 << 24)
    assert_int_equal (gt_cuda_to_device (gpu, (char *) memory + at, ones,
                                         n - at < 1 << 24 ? n - at : 1 << 24),
                      0);
  free (ones);
  problem.data = memory;
  for (unsigned u = 0; u < GT_N_UNROLLS; u++)
    {
      problem.config = (struct gt_config) {1, 512, GT_UNROLL (u), 2};
      problem.n = n;
      problem.stride = 1;
      assert_int_equal (gt_cuda_sum (gpu, &problem, NULL, &sum), 0);
      assert_int_equal (sum.u8[0], (uint8_t) (3 * n));
      problem.n = 4;
      problem.stride = (n - 1) / 3;
      assert_int_equal (gt_cuda_sum (gpu, &problem, NULL, &sum), 0);
      assert_int_equal (sum.u8[0], 12);
    }
  gt_cuda_free (gpu, memory);
}

/* With arguments: see prepare_for_gpu.  */
int
main (int argc, char **argv)
{
  static const struct CMUnitTest tests[] = {
    cmocka_unit_test (contiguous),
    cmocka_unit_test (starts_in_a_line),
    cmocka_unit_test (strided),
    cmocka_unit_test (every_block_size_was_met),
    cmocka_unit_test (special_numbers),
    cmocka_unit_test (subnormal_numbers_are_kept),
    cmocka_unit_test (compensated_sums_are_exact),
    cmocka_unit_test (the_order_is_always_the_same),
    cmocka_unit_test (occupancy_is_the_drivers),
    cmocka_unit_test (impossible_launches_are_refused),
    cmocka_unit_test (long_vectors),
    cmocka_unit_test (results_are_not_taken_for_others),
    cmocka_unit_test (beyond_32_bits), /* last: left out on a softgpu */
  };
  size_t count = N_OF (tests) - !on_real_gpu ();

  prepare_for_gpu (argc, argv);
  return _cmocka_run_group_tests ("gpu_kernels", tests, count, find_subjects,
                                  NULL);
}
