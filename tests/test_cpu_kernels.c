/* Tests of kernels/cpu and src/cpu/backend_cpu.c: zeros and limits, sums that cancel
   and threads, for every function of every CPU kernel of sums, and of magnitudes.  More is
   in test_sums_kernels.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/cpu/backend_cpu.h"
#include "tests/sums.h"
#include "tests/sums_kernels.h"

static const size_t strides[] = {1, 2, 3, 4, 17};
/* A function's argument, and its right result.  */
struct problem
{
  const void *data;
  size_t n, stride, offset;
  union gt_value expected;
  enum gt_reduction reduction; /* GT_SUM, or GT_ASUM */
};

/* Calls CHECK for every function that sums P's elements, of every mode and instruction
   set that this processor has.  A strided one may be given contiguous data too.  */
static void
check_each (enum gt_arithmetic arithmetic, const struct problem *p, check_function *check)
{
  for (int m = 0; m < GT_N_MODES; m++)
    {
      const struct gt_task task = gt_task_of (
        p->reduction, arithmetic, (enum gt_mode) m, p->data, p->n, p->stride);

      for_each_function (&task, check, p);
    }
}

/* Of THREADS, or 0 for a call without a team.  */
static void
check_result (const struct cpu_function *f, const struct gt_task *task,
              const struct problem *p, unsigned threads, union gt_value *sum)
{
  const enum gt_arithmetic a = task->problem.arithmetic;

  gt_value_finish (&task->problem, sum);
  if (!same_sum (a, sum, &p->expected))
    fail_msg ("%s: %s %s %s %s %s u%u, %u threads, n = %zu, stride %zu, from element"
              " %zu: %s instead of %s",
              gt_reductions[p->reduction].name, f->kernel->name, gt_isa_names[f->isa], gt_arithmetics[a].name,
              gt_mode_names[task->problem.mode],
              gt_layout_names[task->problem.layout], f->unroll, threads, p->n,
              p->stride, p->offset, sum_text (a, sum), sum_text (a, &p->expected));
}

static union gt_value
called (const struct cpu_function *f, const struct gt_task *task)
{
  union gt_value sum;

  memset (&sum, 0xcb, sizeof sum);
  f->kernel->find[f->isa](&task->problem, f->unroll)(task, &sum);
  return sum;
}

static void
check_sum (const struct cpu_function *f, const struct gt_task *task, const void *closure)
{
  union gt_value sum = called (f, task);

  check_result (f, task, closure, 0, &sum);
}

/* The sum of magnitudes of elements of which no addition is rounded, but one that overflows.  */
static union gt_value
sum_of_magnitudes (enum gt_arithmetic arithmetic, const struct problem *p)
{
  double all = 0;
  union gt_value sum;

  for (size_t i = 0; i < p->n; i++)
    all += fabs (get_element (arithmetic, p->data, i * p->stride));
  memset (&sum, 0, sizeof sum);
  put_element (arithmetic, &sum, 0, all);
  return sum;
}

/* Calls CHECK as check_each does, for the sum, whose EXPECTED value is set, and where there are such
   kernels for that of magnitudes.  */
static void
check_both (enum gt_arithmetic arithmetic, struct problem *p, check_function *check)
{
  p->reduction = GT_SUM;
  check_each (arithmetic, p, check);
  if (!gt_reduction_has (GT_ASUM, arithmetic))
    return;
  p->reduction = GT_ASUM;
  p->expected = sum_of_magnitudes (arithmetic, p);
  check_each (arithmetic, p, check);
}

static const enum gt_arithmetic reals[] = {GT_F64, GT_F32, GT_LDBL};

/* ---------------------------------------------------------- Zeros, limits */

static void
put_real (enum gt_arithmetic arithmetic, void *data, size_t i, long double x)
{
  if (arithmetic == GT_LDBL)
    ((long double *) data)[i] = x;
  else
    put_element (arithmetic, data, i, (double) x);
}

/* Up to 300 elements X, at least FROM, sum to SUM each, or, above all numbers, to an infinity.  */
static void
check_equal (enum gt_arithmetic arithmetic, size_t from, long double x, long double sum)
{
  long double data[300];

  for (size_t i = 0; i < N_OF (data); i++)
    put_real (arithmetic, data, i, x);
  for (size_t n = from; n <= N_OF (data); n += 1 + n / 50)
    {
      struct problem p = {.data = data, .n = n, .stride = 1};

      put_real (arithmetic, &p.expected, 0, sum * (long double) n);
      check_both (arithmetic, &p, check_sum);
    }
}

TEST (minus_zeros_give_plus_zero)
{
  for (size_t r = 0; r < N_OF (reals); r++)
    check_equal (reals[r], 1, -0.0L, 0);
}

TEST (overflow_gives_infinity)
{
  check_equal (GT_F64, 2, DBL_MAX, INFINITY);
  check_equal (GT_F32, 2, FLT_MAX, INFINITY);
  check_equal (GT_LDBL, 2, LDBL_MAX, INFINITY);
}

TEST (subnormal_numbers_are_kept)
{
  check_equal (GT_F64, 1, DBL_TRUE_MIN, DBL_TRUE_MIN);
  check_equal (GT_F32, 1, FLT_TRUE_MIN, FLT_TRUE_MIN);
  check_equal (GT_LDBL, 1, LDBL_TRUE_MIN, LDBL_TRUE_MIN);
}

/* ------------------------------------------------------------ Cancelling */

static unsigned plain_failures;

static void
check_cancelling (const struct cpu_function *f, const struct gt_task *task,
                    const void *closure)
{
  const struct problem *p = closure;
  union gt_value sum = called (f, task);

  if (task->problem.mode != GT_MODE_FAST)
    check_result (f, task, p, 0, &sum);
  else
    plain_failures += !same_sum (task->problem.arithmetic, &sum, &p->expected);
}

#define CANCELLING_N 10000

TEST (exact_sums_of_cancelling_numbers)
{
  for (size_t r = 0; r < N_OF (reals); r++)
    for (size_t s = 0; s < N_OF (strides); s++)
      {
        size_t size = gt_arithmetics[reals[r]].size;
        struct problem p = {NULL, CANCELLING_N, strides[s], 0, {{0}}, GT_SUM};
        void *data = malloc (CANCELLING_N * strides[s] * size);

        assert_non_null (data);
        fill_poison (reals[r], data, CANCELLING_N * strides[s]);
        p.data = data;
        p.expected
          = put_cancelling (reals[r], data, CANCELLING_N, strides[s], 7 + s);
        plain_failures = 0;
        check_each (reals[r], &p, check_cancelling);
        assert_true (plain_failures > 0);
        free (data);
      }
}

/* -------------------------------------------------------------- Threads */

/* With 1 to 8 threads, and with more than there are parts.  */
static void
check_threads (const struct cpu_function *f, const struct gt_task *task, const void *closure)
{
  static const unsigned threads[] = {1, 2, 3, 4, 5, 6, 7, 8, 61};

  for (size_t t = 0; t < N_OF (threads) && f->kernel->tunables & GT_TUNE_THREADS; t++)
    {
      union gt_value sum = computed_by (f, threads[t], task);

      check_result (f, task, closure, threads[t], &sum);
    }
}

TEST (parts_add_up)
{
  static const size_t lengths[] = {0, 1, 255, 4096, 4097, 33333, 300007};

  for (int a = 0; a < GT_N_SIGNLESS; a++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      for (size_t stride = 1; stride <= 3; stride += 2)
        {
          size_t count = lengths[k] * stride + 1;
          size_t size = gt_arithmetics[a].size;
          char *block = malloc (count * size);
          struct problem p = {block + size, lengths[k], stride, 1, {{0}}, GT_SUM};

          assert_non_null (block);
          fill_poison ((enum gt_arithmetic) a, block, count);
          p.expected = put_exact ((enum gt_arithmetic) a, block + size, lengths[k], stride, k);
          check_both ((enum gt_arithmetic) a, &p, check_threads);
          free (block);
        }
}

static void
check_exact_threads (const struct cpu_function *f,
                           const struct gt_task *task, const void *closure)
{
  if (task->problem.mode != GT_MODE_FAST)
    check_threads (f, task, closure);
}

TEST (parts_of_exact_sums_of_cancelling_numbers)
{
  for (size_t r = 0; r < N_OF (reals); r++)
    for (size_t stride = 1; stride <= 2; stride++)
      {
        struct problem p = {NULL, CANCELLING_N, stride, 0, {{0}}, GT_SUM};
        void *data = malloc (CANCELLING_N * stride * gt_arithmetics[reals[r]].size);

        assert_non_null (data);
        p.data = data;
        p.expected
          = put_cancelling (reals[r], data, CANCELLING_N, stride, 99);
        check_each (reals[r], &p, check_exact_threads);
        free (data);
      }
}

/* Bits of a sum that depend on the order of the additions.  */
static double
inexact_sum (const struct cpu_function *f, unsigned threads, const struct gt_task *task)
{
  union gt_value sum = computed_by (f, threads, task);

  finish_sum (GT_F64, task->problem.mode, &sum);
  return sum.f64[0];
}

/* In a parallel region, in a forked child, and in a team smaller than asked
   for, one thread or a few compute the same parts.  */
static void
check_same_bits (const struct cpu_function *f, const struct gt_task *task, const void *closure)
{
  unsigned different = 0;
  double first = 0;

  (void) closure;
  if (task->problem.mode != GT_MODE_FAST || !(f->kernel->tunables & GT_TUNE_THREADS))
    return;
  for (unsigned threads = 1; threads <= 8; threads++)
    {
      double alone = inexact_sum (f, threads, task);
      double inside[2];

#pragma omp parallel for num_threads (2)
      for (int i = 0; i < 2; i++)
        inside[i] = inexact_sum (f, threads, task);
      assert_memory_equal (&inside[0], &alone, sizeof alone);
      assert_memory_equal (&inside[1], &alone, sizeof alone);
      gt_forked = 1;
      inside[0] = inexact_sum (f, threads, task);
      gt_forked = 0;
      assert_memory_equal (&inside[0], &alone, sizeof alone);
      first = threads == 1 ? alone : first;
      different += alone != first;
    }
  assert_true (different > 0); /* or the data do not depend on the order */
}

TEST (the_bits_are_those_of_the_plan)
{
  enum { N = 100000 };
  double *data = malloc (N * sizeof *data);
  struct problem p = {data, N, 1, 0, {{0}}, GT_SUM};
  uint64_t seed = 5;
  double total = 0;

  assert_non_null (data);
  for (size_t i = 0; i < N; i++)
    {
      data[i] = (double) random_within (&seed, INT64_C (1) << 53) * 0x1p-53;
      total += data[i];
    }
  data[N - 1] -= total; /* what is left is what was rounded */
  check_each (GT_F64, &p, check_same_bits);
  free (data);
}

/* A plan of more threads than one sum may use.  */
TEST (threads_are_bounded)
{
  const size_t n = (size_t) 1024 * 4096 + 5;
  const struct gt_kernel *simd = sum_kernel ("simd");
  const struct gt_plan plan = {
    .kernel = simd,
    .config = {.threads = 1 << 20, .unroll = 4},
    .function = sum_function (simd, GT_U8, GT_MODE_FAST, GT_CONTIGUOUS, 4)
  };
  uint8_t *data = malloc (n);
  union gt_value expected, sum;

  assert_non_null (data);
  expected = put_exact (GT_U8, data, n, 1, 3);
  gt_forked = 1; /* 512 parts, one thread */
  compute_on_cpu (&plan, GT_U8, GT_MODE_FAST, data, n, 1, &sum);
  gt_forked = 0;
  assert_int_equal (sum.u8[0], expected.u8[0]);
  free (data);
}

RUN_TESTS (NULL, NULL)
