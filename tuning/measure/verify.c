/* Nothing is saved that was not verified.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/measure/order_data.h"
#include "tuning/measure/target.h"

uint64_t
gt_problem_span (const struct gt_problem *problem)
{
  uint64_t stride = problem->layout == GT_CONTIGUOUS ? 1 : GT_TUNED_STRIDE;

  if (problem->n == 0)
    return 0;
  return ((problem->n - 1) * stride + 1)
         * gt_arithmetics[problem->arithmetic].size;
}

/* How far a sum of PROBLEM may lie from what is EXPECTED, relative to that.  Whole
   numbers that cancel are added without any rounding.  Magnitudes do not cancel: as
   soon as a float cannot hold their sum, each addition may be wrong by half a unit of
   the last place, of which a compensation leaves little.  */
static double
allowed (const struct gt_problem *problem, const union gt_value *expected)
{
  if (problem->reduction != GT_ASUM || problem->arithmetic != GT_F32
      || expected->f32[0] * FLT_EPSILON < 2)
    return 0;
  return problem->mode == GT_MODE_FAST ? FLT_EPSILON / 2 * (double) problem->n
                                       : 2 * FLT_EPSILON;
}

/* Exact sums have the same bits, whoever computes them, and so have extremes.  */
int
gt_verify_right (const struct gt_problem *problem,
                 const union gt_value *result, const union gt_value *expected)
{
  enum gt_arithmetic arithmetic = problem->arithmetic;
  double error = allowed (problem, expected);

  if (gt_reductions[problem->reduction].algebra == GT_ALGEBRA_ORDER)
    return gt_extreme_identical (problem->reduction, arithmetic, result,
                                 expected);
  if (problem->mode == GT_MODE_EXACT)
    return gt_value_identical (arithmetic, result, expected);
  if (error > 0)
    return fabs ((double) result->f32[0] - (double) expected->f32[0])
           <= error * (double) expected->f32[0];
  return gt_value_equal (arithmetic, result, expected);
}

static void
value_text (const struct gt_problem *problem, const union gt_value *value,
            char *text, size_t size)
{
  if (gt_reductions[problem->reduction].algebra == GT_ALGEBRA_ORDER)
    gt_extreme_text (problem->reduction, problem->arithmetic, value, text,
                     size);
  else
    gt_value_text (problem->arithmetic, value, text, size);
}

union gt_value
gt_verify_expected (const struct gt_data *data, enum gt_reduction reduction,
                    uint64_t offset, uint64_t n, uint64_t stride)
{
  if (gt_reductions[reduction].algebra == GT_ALGEBRA_ORDER)
    return gt_data_extreme (data, reduction, offset, n, stride);
  return reduction == GT_ASUM ? gt_data_magnitudes (data, offset, n, stride)
                              : gt_data_sum (data, offset, n, stride);
}

/* The N elements at FROM, STRIDE apart, as a task like PROBLEM.  */
static struct gt_task
task_of (const struct gt_problem *problem, const void *from, uint64_t n,
         uint64_t stride)
{
  return gt_task_of (problem->reduction, problem->arithmetic, problem->mode,
                     from, n, stride);
}

/* From element OFFSET of the test data on.  */
static int
compare (struct gt_target *target, const struct gt_candidate *candidate,
         const struct gt_problem *problem, uint64_t offset, uint64_t n,
         uint64_t stride, char *why, size_t why_size)
{
  struct gt_task task
    = task_of (problem, target->buffer + offset * target->data.size, n, stride);
  union gt_value expected, result;
  char is[128], should[128];

  if (n && (offset + (n - 1) * stride + 1) * target->data.size > target->bytes)
    {
      snprintf (why, why_size, "not verified: n = %llu, stride %llu is more"
                " than the test data", (unsigned long long) n,
                (unsigned long long) stride);
      return -1;
    }
  if (target->ops->compute (target, candidate, &task, &result, why, why_size))
    return -1;
  expected = gt_verify_expected (&target->data, problem->reduction, offset, n,
                                 stride);
  if (gt_verify_right (&task.problem, &result, &expected))
    return 0;
  value_text (problem, &result, is, sizeof is);
  value_text (problem, &expected, should, sizeof should);
  gt_verify_tell (n, stride, offset, is, should, why, why_size);
  return -1;
}

/* Huge elements that cancel: shows that compensation compensates, and that
   exact sums are.  */
static int
compare_cancelling (struct gt_target *target,
                    const struct gt_candidate *candidate,
                    const struct gt_problem *problem, char *why,
                    size_t why_size)
{
  struct gt_task task = task_of (problem, target->hard, GT_CANCELLING_N, 1);
  union gt_value result, expected;

  memset (&expected, 0, sizeof expected);
  switch (problem->arithmetic)
    {
#define X(id, name, ctype, real)               \
    case GT_##id:                              \
      expected.name[0] = GT_CANCELLING_N / 2;  \
      break;
      GT_REAL_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
  if (target->ops->compute (target, candidate, &task, &result, why, why_size))
    return -1;
  if (gt_verify_right (problem, &result, &expected))
    return 0;
  snprintf (why, why_size, "wrong: rounding errors are not %s",
            problem->mode == GT_MODE_EXACT ? "absent" : "compensated");
  return -1;
}

/* Infinities, NaN, zeros and overflow, which have one right answer in exact mode
   alone.  */
static int
compare_specials (struct gt_target *target,
                  const struct gt_candidate *candidate,
                  const struct gt_problem *problem, char *why, size_t why_size)
{
  enum gt_arithmetic arithmetic = problem->arithmetic;
  const size_t step = GT_SPECIAL_N * target->data.size;
  const char *from = target->hard + GT_CANCELLING_N * target->data.size;

  for (unsigned i = 0; i < GT_N_SPECIALS; i++, from += step)
    {
      struct gt_task task = task_of (problem, from, GT_SPECIAL_N, 1);
      union gt_value result, expected = gt_data_special_sum (problem->reduction,
                                                        arithmetic, i);
      char is[48], should[48];

      if (target->ops->compute (target, candidate, &task, &result, why,
                                why_size))
        return -1;
      if (gt_verify_right (problem, &result, &expected))
        continue;
      gt_value_text (arithmetic, &result, is, sizeof is);
      gt_value_text (arithmetic, &expected, should, sizeof should);
      snprintf (why, why_size, "wrong: special numbers, case %u: %s instead of"
                " %s", i, is, should);
      return -1;
    }
  return 0;
}

/* At one length: the data as it is, and of extremes with what is planted.  */
static int
compare_all (struct gt_target *target, const struct gt_candidate *candidate,
             const struct gt_problem *problem, uint64_t offset, uint64_t n,
             uint64_t stride, int thorough, char *why, size_t why_size)
{
  const int order = gt_reductions[problem->reduction].algebra == GT_ALGEBRA_ORDER;

  if (order && n == 0)
    return 0; /* nothing is greater than nothing: nobody asks */
  if (compare (target, candidate, problem, offset, n, stride, why, why_size))
    return -1;
  return order ? gt_verify_planted (target, candidate, problem, offset, n,
                                    stride, thorough, why, why_size)
               : 0;
}

/* What is hard in itself, whatever the length.  */
static int
compare_hard (struct gt_target *target, const struct gt_candidate *candidate,
              const struct gt_problem *problem, char *why, size_t why_size)
{
  int contiguous = problem->layout == GT_CONTIGUOUS, failed = 0;

  if (gt_reductions[problem->reduction].algebra == GT_ALGEBRA_ORDER)
    return gt_verify_zeros (target, candidate, problem, why, why_size);
  if (contiguous && problem->reduction == GT_SUM
      && problem->mode != GT_MODE_FAST)
    failed = compare_cancelling (target, candidate, problem, why, why_size);
  if (!failed && contiguous && problem->mode == GT_MODE_EXACT)
    failed = compare_specials (target, candidate, problem, why, why_size);
  return failed;
}

/* The lengths around which kernels change their way: nothing, less than a warp
   or a vector, about a block, several whole steps of a grid and a rest.  */
int
gt_verify_awkward (struct gt_target *target,
                   const struct gt_candidate *candidate,
                   const struct gt_problem *problem, char *why,
                   size_t why_size)
{
  unsigned block = candidate->config.block ? candidate->config.block : 64;
  unsigned tile = block * candidate->config.unroll;
  const uint64_t lengths[] = {0, 1, 2, 31, block - 1, block, block + 1,
                              2 * tile + 3, 10007};
  const unsigned count = sizeof lengths / sizeof lengths[0];
  int contiguous = problem->layout == GT_CONTIGUOUS;
  int failed = 0;

  for (unsigned i = 0; i < count && !failed; i++)
    failed = compare_all (target, candidate, problem, i % 5, lengths[i],
                          contiguous ? 1 : i % 2 ? 3 : 7, i + 2 >= count, why,
                          why_size);
  return failed ? -1 : compare_hard (target, candidate, problem, why, why_size);
}

int
gt_verify (struct gt_target *target, const struct gt_candidate *candidate,
           const struct gt_problem *problem, int awkward, char *why,
           size_t why_size)
{
  uint64_t stride = problem->layout == GT_CONTIGUOUS ? 1 : GT_TUNED_STRIDE;

  if (compare_all (target, candidate, problem, 0, problem->n, stride, 0, why,
                   why_size))
    return -1;
  return awkward
           ? gt_verify_awkward (target, candidate, problem, why, why_size) : 0;
}
