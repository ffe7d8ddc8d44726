/* Tests of how exact the CPU kernels of several sums at once are: fast and compensated sums of
   doubles against exact ones, within bounds that are proven.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/sums_kernels.h"
#include "kernels/cpu/finish/finish.h"
#include "tests/sums_oracle.h"
#include "tests/super.h"

#include "kernels/cpu/sums/sums.h"
#include "src/statistics/statistic.h"

#define LONGEST 5003
#define UNIT 0x1p-53

enum data_kind
{
  ALIKE,      /* numbers of similar size, of both signs */
  OFFSET,     /* numbers that differ little from the shift */
  CANCELLING, /* of many sizes, and the second half takes the first away */
  N_KINDS
};

/* With N terms, of which each takes up to six roundings before it is added: fast sums are n +
   6 roundings of what they add up from the truth. Compensated ones are rounded once at the
   end, and their compensations are n roundings of roundings from the truth; twice that for the
   terms' own lost parts.  */
static double
bound_of (const struct gt_task *task, double exact, double magnitudes)
{
  const double n = (double) task->problem.n;

  if (task->problem.mode == GT_MODE_FAST)
    return (n + 6) * UNIT * 1.01 * magnitudes;
  return UNIT * fabs (exact)
         + 4 * (n + 6) * (n + 6) * UNIT * UNIT * magnitudes;
}

static void
check_bounds (const struct cpu_function *f, const struct gt_task *task, const void *closure)
{
  const struct gt_reduction_info *info
    = &gt_reductions[task->problem.reduction];
  const union gt_value value = computed_by (f, 1, task);
  const struct oracle_sum *expected = closure;

  for (unsigned k = 0; k < info->plain + info->products; k++)
    {
      struct gt_superaccumulator rest = expected[k].sum;
      const double got = gt_value_sum (&task->problem, &value, k);
      const double exact = gt_finish_mean (&expected[k].sum, 1).f64;

      super_add (&rest, -got);
      if (!(fabs (gt_finish_mean (&rest, 1).f64)
            <= bound_of (task, exact, expected[k].magnitudes)))
        fail_at (f, task, k, got, exact);
    }
}

static double
some_number (enum data_kind kind, double shift, size_t i, size_t n, uint64_t *seed)
{
  const uint64_t r = random_word (seed);
  const double unit = (double) (r >> 11) * 0x1p-53;
  const double sign = r & 1 ? -1 : 1;
  uint64_t again;

  switch (kind)
    {
    case ALIKE:
      return sign * unit;
    case OFFSET:
      return shift * (1 + sign * unit * 0x1p-20);
    default:
      again = i % (n / 2 + 1) * 0x9e3779b97f4a7c15 + 1;
      return (i > n / 2 ? -1 : 1)
             * ldexp ((double) (random_word (&again) >> 11) * 0x1p-53, (int) (again % 60))
             + sign * unit;
    }
}

static void
check_data (enum gt_reduction reduction, enum gt_arithmetic a, enum gt_mode mode,
            size_t n, size_t stride, enum data_kind kind)
{
  static double x[2 * LONGEST], y[2 * LONGEST];
  struct oracle_sum sums[GT_MOST_SUMS];
  struct gt_task task = gt_task_of_pair (reduction, a, mode, (struct gt_operand) {x, stride},
    (struct gt_operand) {y, stride}, n);
  uint64_t seed = n * 31 + stride;

  task.shift[0] = 1234.567;
  task.shift[1] = -0.001;
  memset (sums, 0, sizeof sums);
  for (size_t i = 0; i < n; i++)
    {
      double u = some_number (kind, task.shift[0], i, n, &seed);
      double v = some_number (kind, task.shift[1], i, n, &seed);

      put_element (a, x, i * stride, u);
      put_element (a, y, i * stride, v);
      u = a == GT_F32 ? (double) (float) u : u;
      v = a == GT_F32 ? (double) (float) v : v;
      oracle_add_terms (&task, u, v, sums);
    }
  for_each_function (&task, check_bounds, sums);
}

TEST (bounds_hold)
{
  static const enum gt_arithmetic reals[] = {GT_F64, GT_F32};

  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (size_t a = 0; a < N_OF (reals); a++)
      for (int kind = 0; kind < N_KINDS; kind++)
        for (size_t n = 1; n <= LONGEST; n += 1 + n / 5)
          if (gt_reduction_sums ((enum gt_reduction) r)
              && gt_reduction_has ((enum gt_reduction) r, reals[a]))
            for (int m = GT_MODE_FAST; m <= GT_MODE_COMPENSATED; m++)
              for (size_t stride = 1; stride <= 2 && gt_reductions[r].modes >> m & 1; stride++)
                check_data ((enum gt_reduction) r, reals[a], (enum gt_mode) m, n,
                            stride, (enum data_kind) kind);
}

/* Two compensated sums are one with the errors of both, and of their addition.  */
TEST (errors_are_merged)
{
  const struct gt_problem f64
    = {GT_SUMSQ, GT_F64, GT_MODE_COMPENSATED, GT_CONTIGUOUS, 2};
  union gt_value into, from;

  memset (&into, 0, sizeof into);
  memset (&from, 0, sizeof from);
  into.sums.s[0] = 1;
  into.sums.c[0] = 0x1p-70;
  from.sums.s[0] = 0x1p-60;
  from.sums.c[0] = 0x1p-80;
  gt_sums_merge (&f64, &into, &from);
  assert_true (into.sums.s[0] == 1);
  assert_true (into.sums.c[0] == 0x1p-60 + 0x1p-70 + 0x1p-80);
}

/* A compensated sum as a thread of a GPU leaves it, of numbers whose errors go one way, in
   turn with numbers that are lost in these: what it misses is more than fewer additions
   could, and the bound, which knows how many there were, holds it.  */
TEST (bound_of_device_sums)
{
  enum { N = 1 << 12 };
  const struct gt_operand none = {NULL, 1};
  struct gt_superaccumulator rest;
  union gt_value value = {.sums = {{0}, {0}}};
  struct gt_sample sample;
  struct gt_ball ball;
  double missed;

  super_clear (&rest);
  for (int i = 0; i < N; i++)
    {
      const double x = i % 2 ? 0x1.ep-87 : 1 + 0x1.ap-45;
      const double t = value.sums.s[0] + x, b = t - value.sums.s[0];

      value.sums.c[0] += (value.sums.s[0] - (t - b)) + (x - b);
      value.sums.s[0] = t;
      super_add (&rest, x);
    }
  gt_sample_init (&sample, GT_F64, none, none, N);
  sample.task.problem.reduction = GT_SUMSQ;
  sample.task.problem.mode = GT_MODE_COMPENSATED;
  sample.memory[0] = (const struct gsltune_device_memory *) &sample;
  sample.additions = N;
  ball = gt_sum_in (&sample, &value, 0);
  super_add (&rest, -ball.h);
  super_add (&rest, -ball.l);
  missed = fabs (gt_finish_mean (&rest, 1).f64);
  assert_true (missed > 2 * 128 * 128 * UNIT * UNIT * ball.h);
  assert_true (missed <= ball.radius);
}

RUN_TESTS (NULL, NULL)
