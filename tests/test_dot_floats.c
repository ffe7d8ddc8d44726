/* Tests of fast dot products of floats that are rounded to float in the end: how
   far they may be from the truth, products that leave the range of floats, and
   which functions may compute so.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/sums_kernels.h"

#if defined __SSE2__
#include <xmmintrin.h>
#endif

#include "kernels/cpu/isa/isa.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tests/profile_sample.h"

#define LONGEST 40009
#define BOUND 0x1p-19 /* of the sum of the magnitudes */

static struct fenced memory[2];
static const size_t lengths[]
  = {16, 17, 100, 333, 384, 399, 415, 447, 1024, 2561, 20000, LONGEST};

/* N elements of both vectors, STRIDE apart, which end at a fence.  */
static struct gt_task
make_task (size_t n, size_t stride)
{
  const struct gt_operand x
    = {in_fenced (&memory[0], GT_F32, n, stride, 1), stride};
  const struct gt_operand y
    = {in_fenced (&memory[1], GT_F32, n, stride, 1), stride};
  struct gt_task task
    = gt_task_of_pair (GT_DOT, GT_F32, GT_MODE_FAST, x, y, n);

  task.single = 1;
  return task;
}

static void
put_pair (const struct gt_task *task, size_t i, double x, double y)
{
  put_element (GT_F32, (void *) task->x.data, i * task->x.stride, x);
  put_element (GT_F32, (void *) task->y.data, i * task->y.stride, y);
}

static double
product (const struct gt_task *task, size_t i)
{
  return (double) ((const float *) task->x.data)[i * task->x.stride]
         * ((const float *) task->y.data)[i * task->y.stride];
}

/* The sum is within the bound, of which its own rounding to float is a part; and
   right in double where that is asked for.  */
static void
check_bound (const struct cpu_function *f, const struct gt_task *task, const void *closure)
{
  const double bound = BOUND - FLT_EPSILON / 2;
  struct gt_task wide = *task;
  long double exact = 0, magnitudes = 0;
  double got;

  (void) closure;
  for (size_t i = 0; i < task->problem.n; i++)
    {
      exact += product (task, i);
      magnitudes += fabs (product (task, i));
    }
  got = computed_by (f, 1, task).sums.s[0];
  if (!(fabsl (got - exact) <= bound * magnitudes))
    fail_at (f, task, 0, got, (double) exact);
  wide.single = 0;
  got = computed_by (f, 1, &wide).sums.s[0];
  if (!(fabsl (got - exact) <= (double) task->problem.n * DBL_EPSILON * magnitudes))
    fail_at (f, &wide, 0, got, (double) exact);
}

static double
unit (uint64_t *seed)
{
  return (double) (random_word (seed) >> 11) * 0x1p-53;
}

/* Of one sign, of both, and of many sizes, the second half of which takes the first away.  */
static void
fill (const struct gt_task *task, unsigned kind)
{
  const size_t n = task->problem.n;
  uint64_t seed = n + 1;

  for (size_t i = 0; i < n; i++)
    {
      uint64_t again = i % (n / 2 + 1) + 77;
      const double y = unit (&seed) + 0.5;

      (void) random_word (&again);
      if (kind == 0)
        put_pair (task, i, unit (&seed), y);
      else if (kind == 1)
        put_pair (task, i, unit (&seed) - 0.5, y);
      else
        put_pair (task, i, ldexp (i > n / 2 ? -1.5 : 1.5, (int) (again % 20)),
                  1 + FLT_EPSILON * floor (9 * y));
    }
}

TEST (within_the_bound)
{
  for (size_t stride = 1; stride <= 3; stride++)
    for (size_t i = 0; i < N_OF (lengths); i++)
      for (unsigned kind = 0; kind < 3; kind++)
        {
          const struct gt_task task = make_task (lengths[i], stride);

          fill (&task, kind);
          assert_true (for_each_function (&task, check_bound, NULL) >= 1);
        }
}

/* Floats behind ones in a chain are too small for any of it to count: each
   addition is as wrong as it can be.  */
TEST (within_the_bound_at_worst)
{
  for (size_t stride = 1; stride <= 2; stride++)
    for (size_t turn = 8; turn <= 128; turn *= 2)
      for (size_t turns = 2; turns < 60; turns += 9)
        {
          const size_t n = turns * turn;
          struct gt_task task = make_task (n, stride);

          task.x.data = memory[0].begin;
          for (size_t i = 0; i < n; i++)
            put_pair (&task, i, 1, i < turn ? 1 : 0x1p-24 - 0x1p-48);
          assert_true (for_each_function (&task, check_bound, NULL) >= 1);
        }
}

/* --------------------------------------------------------------- The range */

/* The sum is what comes of doubles.  */
static void
check_range (const struct cpu_function *f, const struct gt_task *task, const void *closure)
{
  const double *expected = closure;
  const double got = computed_by (f, 1, task).sums.s[0];

  if (memcmp (&got, expected, sizeof got) != 0)
    fail_at (f, task, 0, got, *expected);
}

/* Powers of two, of which doubles lose nothing: X Y, and every third time THIRD Y.  */
static void
check_powers (size_t n, size_t stride, double x, double third, double y)
{
  const struct gt_task task = make_task (n, stride);
  double expected = 0;

  for (size_t i = 0; i < n; i++)
    {
      put_pair (&task, i, i % 3 == 2 ? third : x, y);
      expected += product (&task, i);
    }
  assert_true (for_each_function (&task, check_range, &expected) >= 1);
}

TEST (products_out_of_range)
{
  for (size_t stride = 1; stride <= 2; stride++)
    for (size_t i = 0; i < N_OF (lengths); i++)
      {
        check_powers (lengths[i], stride, 0x1p100, -0x1p101, 0x1p100);
        check_powers (lengths[i], stride, 0x1p126, -0x1p127, 2);
        check_powers (lengths[i], stride, 0x1p100, 0x1p100, 0x1p100);
        check_powers (lengths[i], stride, -0x1p120, 0x1p100, 0x1p7);
        check_powers (lengths[i], stride, 0x1p-100, -0x1p-99, 0x1p-100);
        check_powers (lengths[i], stride, 0x1p-75, 0x1p-75, 0x1p-75);
        check_powers (lengths[i], stride, 0x1p-149, -0x1p-148, 0x1p-149);
        check_powers (lengths[i], stride, 0, 0, -1);
      }
}

/* Near the end of the range, of subnormals too, and with those flushed to zero as a
   program may have set.  */
TEST (products_that_are_nearly)
{
  static const size_t few[] = {16, 100, 3000};

  for (size_t stride = 1; stride <= 2; stride++)
    for (size_t i = 0; i < N_OF (few); i++)
      for (int e = -64; e <= -36; e++)
        {
          const struct gt_task task = make_task (few[i], stride);

          fill (&task, 1);
          for (size_t k = 0; k < few[i]; k++)
            put_pair (&task, k, ldexp (1 + (double) (k % 11) / 11, e),
                      ldexp (1 + (double) (k % 7) / 7, e));
          assert_true (for_each_function (&task, check_bound, NULL) >= 1);
#if defined __SSE2__
          const unsigned environment = _mm_getcsr ();
          unsigned ran;

          _mm_setcsr (environment | 0x8040);
          ran = for_each_function (&task, check_bound, NULL);
          _mm_setcsr (environment);
          assert_true (ran >= 1);
#endif
        }
}

/* --------------------------------------------------------------- Functions */

/* dsdot's result has the digits of a double, and sdsdot's all of a float; sdot's is
   within the bound, and right to the last digit in other modes.  */
TEST (who_computes_so)
{
  const gsltune_mode mode = gsltune_get_mode ();
  static float x[LONGEST], y[LONGEST];

  for (size_t n = 1; n <= LONGEST; n += 1 + n / 3)
    for (int m = 0; m < 3; m++)
      {
        const gsl_vector_float v = {n, 1, x, NULL, 0}, w = {n, 1, y, NULL, 0};
        double exact = 0, dsdot;
        float sdot, sdsdot;

        for (size_t i = 0; i < n; i++)
          {
            x[i] = 1;
            y[i] = i < 128 ? 1 : 0x1p-24F - 0x1p-48F;
            exact += y[i];
          }
        assert_int_equal (gsltune_set_mode ((gsltune_mode) m), GSL_SUCCESS);
        gsltune_blas_dsdot (&v, &w, &dsdot);
        gsltune_blas_sdsdot (0, &v, &w, &sdsdot);
        gsltune_blas_sdot (&v, &w, &sdot);
        assert_true (fabs (dsdot - exact) <= (double) n * DBL_EPSILON * exact);
        assert_true (sdsdot == (float) exact);
        assert_true (m == (int) GSLTUNE_MODE_FAST
                       ? fabs ((double) sdot - exact) <= BOUND * exact
                       : sdot == (float) exact);
      }
  gsltune_set_mode (mode);
}

/* A profile may give sdot any kernel of any reduction that serves it, also one that asks
   for the reduction.  */
TEST (any_kernel_may_serve)
{
  const gsltune_mode mode = gsltune_get_mode ();
  static float x[3 * 64], y[3 * 64];
  struct gt_profile tuned;

  gt_profile_init (&tuned, gt_device_host ());
  for (int l = 0; l < GT_N_LAYOUTS; l++)
    {
      struct gt_winner winner
        = sample_winner ("sequential", GT_F32, GT_MODE_FAST,
                        (enum gt_layout) l, 32, (struct gt_config) {1, 0, 1, 0});

      winner.problem.reduction = GT_DOT;
      assert_int_equal (gt_findings_put (&tuned, &winner), 0);
    }
  gt_plans_adopt (gt_device_host (), &tuned);
  gt_profile_clear (&tuned);
  assert_int_equal (gsltune_set_mode (GSLTUNE_MODE_FAST), GSL_SUCCESS);
  for (size_t i = 0; i < N_OF (x); i++)
    {
      x[i] = (float) (i % 7);
      y[i] = (float) (i % 5);
    }
  for (size_t n = 1; n <= 64; n++)
    for (size_t stride = 1; stride <= 3; stride++)
      {
        const gsl_vector_float v = {n, stride, x, NULL, 0};
        const gsl_vector_float w = {n, stride, y, NULL, 0};
        float expected = 0, sum = -1;

        for (size_t i = 0; i < n; i++)
          expected += x[i * stride] * y[i * stride];
        gsltune_blas_sdot (&v, &w, &sum);
        assert_true (sum == expected);
      }
  gsltune_set_mode (mode);
}

FIXTURE (make_memory)
{
  for (unsigned i = 0; i < 2; i++)
    memory[i] = make_fenced (LONGEST * 3 * sizeof (float));
  return 0;
}

RUN_TESTS (make_memory, NULL)
