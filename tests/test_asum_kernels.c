/* Tests of the CPU kernels of sums of magnitudes: bit for bit what the same
   function makes of a vector of magnitudes when it sums, and GSL's result
   where no addition is rounded.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_vector.h>

#include "kernels/cpu/sums/combine.h"
#include "tests/sums_kernels.h"

/* The bits of a rounded sum depend on where the elements begin.  */
#define LINE 64
/* So many whole numbers a float adds without rounding.  */
#define UNROUNDED 16384

static const size_t strides[] = {1, 2, 3, 4, 17};

enum data_kind
{
  WHOLE,    /* whole numbers: no addition is rounded */
  ALIKE,    /* numbers of similar size: windows hold them */
  WIDE,     /* of all sizes: bins hold them */
  SMALLEST, /* zeros and subnormal numbers */
  INFINITE, /* infinities among others, of both signs */
  WITH_NAN,
  LARGEST,  /* overflow */
  N_KINDS
};

static double
some_number (enum data_kind kind, enum gt_arithmetic a, uint64_t *seed)
{
  const uint64_t r = random_word (seed);
  const int reach = a == GT_F64 ? 960 : 110;
  const double sign = r >> 63 ? -1 : 1, unit = (double) (r >> 11) * 0x1p-53;

  switch (kind)
    {
    case WHOLE:
      return sign * (double) (r >> 20 & 1023);
    case ALIKE:
      return sign * unit;
    case WIDE:
      return sign * ldexp (unit, (int) (r & 2047) % reach - reach / 2);
    case SMALLEST:
      return sign * (double) (r & 3) * (a == GT_F64 ? DBL_TRUE_MIN
                                                    : FLT_TRUE_MIN);
    case INFINITE:
      return sign * (r % 8 == 0 ? (double) INFINITY : unit);
    case WITH_NAN:
      return sign * (r % 8 == 0 ? (double) NAN : unit);
    default:
      return sign * (a == GT_F64 ? DBL_MAX : (double) FLT_MAX);
    }
}

/* A vector and that of its magnitudes, STRIDE apart; between the elements is
   NaN.  */
struct vectors
{
  enum gt_arithmetic arithmetic;
  enum data_kind kind;
  size_t n, stride;
  unsigned threads;
  void *numbers, *magnitudes;
};

static void
fill (const struct vectors *v)
{
  const size_t count = v->n ? (v->n - 1) * v->stride + 1 : 0;
  uint64_t seed = v->n * 77 + v->stride + 1000 * v->kind + 1;

  for (size_t i = 0; i < count; i++)
    {
      const double x
        = i % v->stride ? (double) NAN
                        : some_number (v->kind, v->arithmetic, &seed);

      put_element (v->arithmetic, v->numbers, i, x);
      put_element (v->arithmetic, v->magnitudes, i, fabs (x));
    }
}

static union gt_value
finished_by (const struct cpu_function *f, unsigned threads,
             const struct gt_task *task)
{
  union gt_value value = computed_by (f, threads, task);

  gt_value_finish (&task->problem, &value);
  return value;
}

static void
check_by (const struct cpu_function *f, const struct gt_task *task,
          const void *closure)
{
  const struct vectors *v = closure;
  struct gt_task sum = *task;
  union gt_value got, expected;

  if (v->threads > 1 && !(f->kernel->tunables & GT_TUNE_THREADS))
    return;
  sum.x.data = v->magnitudes;
  sum.problem.reduction = GT_SUM;
  got = finished_by (f, v->threads, task);
  expected = finished_by (f, v->threads, &sum);
  if (!same_sum (v->arithmetic, &got, &expected))
    fail_msg ("%s %s %s %s %s u%u, %u threads, n = %zu, stride %zu, kind %d",
              f->kernel->name, gt_isa_names[f->isa],
              gt_arithmetics[v->arithmetic].name,
              gt_mode_names[task->problem.mode],
              gt_layout_names[task->problem.layout], f->unroll, v->threads,
              v->n, v->stride, (int) v->kind);
  if (v->kind == WHOLE && v->n <= UNROUNDED)
    {
      const gsl_vector d = {v->n, v->stride, v->numbers, NULL, 0};
      const gsl_vector_float s = {v->n, v->stride, v->numbers, NULL, 0};

      assert_true (v->arithmetic == GT_F64
                     ? got.f64[0] == gsl_blas_dasum (&d)
                     : got.f32[0] == gsl_blas_sasum (&s));
    }
}

/* Returns how many functions there are.  */
static unsigned
check_vector (enum gt_arithmetic a, size_t n, size_t stride,
              enum data_kind kind, unsigned threads)
{
  const size_t bytes = (n * stride + 1) * gt_element_size (a);
  struct vectors v = {a, kind, n, stride, threads, NULL, NULL};
  unsigned count = 0;

  assert_int_equal (posix_memalign (&v.numbers, LINE, bytes), 0);
  assert_int_equal (posix_memalign (&v.magnitudes, LINE, bytes), 0);
  fill (&v);
  for (int m = 0; m < GT_N_MODES; m++)
    {
      const struct gt_task task
        = gt_task_of (GT_ASUM, a, (enum gt_mode) m, v.numbers, n, stride);

      count += for_each_function (&task, check_by, &v);
    }
  free (v.numbers);
  free (v.magnitudes);
  return count;
}

static const enum gt_arithmetic reals[] = {GT_F64, GT_F32};

/* In fast mode one sequential and three simd, in exact mode one; in two layouts.  */
TEST (the_catalogue_is_complete)
{
  for (size_t r = 0; r < N_OF (reals); r++)
    assert_int_equal (check_vector (reals[r], 5, 1, WHOLE, 1),
                      2 * (1 + 3 + 1));
}

TEST (every_length_up_to_300)
{
  for (size_t r = 0; r < N_OF (reals); r++)
    for (size_t s = 0; s < N_OF (strides); s++)
      for (size_t n = 0; n <= 300; n++)
        check_vector (reals[r], n, strides[s],
                      n % 2 ? WHOLE : (enum data_kind) (n / 2 % N_KINDS), 1);
}

TEST (longer_vectors)
{
  for (size_t r = 0; r < N_OF (reals); r++)
    for (size_t s = 0; s < N_OF (strides); s++)
      for (int kind = 0; kind < N_KINDS; kind++)
        for (size_t n = 511; n < 40000; n += 3 * n + s)
          check_vector (reals[r], n, strides[s], (enum data_kind) kind, 1);
}

TEST (by_threads)
{
  for (size_t r = 0; r < N_OF (reals); r++)
    for (int kind = 0; kind < N_KINDS; kind++)
      check_vector (reals[r], 90001, 1 + (size_t) kind % 3,
                    (enum data_kind) kind, 3);
}

RUN_TESTS (NULL, NULL)
