/* Verifies candidates: only verified ones are saved.  A candidate computes test data, at its
   own length and at lengths that are likely to reveal errors.  The result is compared with
   that of the simplest method on the CPU: a loop for several sums of reals, otherwise the
   first kernel of the catalogue on one thread, in exact mode if possible.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/cpu/sums/combine.h"
#include "kernels/cpu/sums/sums.h"
#include "kernels/products.h"
#include "src/base/names.h"
#include "src/cpu/backend_cpu.h"
#include "src/profile/profile_private.h"
#include "tuning/measure/target.h"

/* -------------------------------------------------------- The correct value */

static union gt_value
computed (const struct gt_task *task)
{
  struct gt_plan plan = {.kernel = gt_catalog, .config = {.threads = 1}};
  union gt_value value;

  while (plan.kernel->device != GT_CPU || !gt_kernel_serves (plan.kernel, &task->problem))
    plan.kernel++;
  plan.function = gt_kernel_function (plan.kernel, &task->problem, 1);
  gt_cpu_compute (&plan, task, &value);
  return value;
}

/* Computes exact sums of elements and of their products one by one.  */
static union gt_value
computed_apart (const struct gt_task *task)
{
  const unsigned inputs = gt_inputs (&task->problem);
  struct gt_task part = *task;
  union gt_value value;

  part.problem.reduction = inputs == 2 ? GT_DOT : GT_SUMSQ;
  value = computed (&part);
  part.problem.reduction = GT_SUM;
  for (unsigned k = 0; k < inputs; k++)
    {
      part.x = k ? task->y : task->x;
      value.exact.plain[k] = computed (&part).super;
    }
  return value;
}

/* Stores the terms of TASK's sums for X and Y, which are not rounded.  */
static void
terms_of (const struct gt_task *task, double x, double y, double term[GT_MOST_SUMS])
{
  const double d = x - task->shift[0], e = y - task->shift[1], u = y - task->shift[0];
  const double w = x > 0 ? x : 0;

#define TERMS(...) \
  memcpy (term, (const double[GT_MOST_SUMS]) {__VA_ARGS__}, GT_MOST_SUMS * sizeof *term)
  switch (task->problem.reduction)
    {
    case GT_DOT:         TERMS (x * y); break;
    case GT_SUMSQ:       TERMS (x * x); break;
    case GT_SPAN:        TERMS (x, fabs (x)); break;
    case GT_MOMENTS:     TERMS (d, d * d); break;
    case GT_COMOMENTS:   TERMS (d, e, d * e); break;
    case GT_CORRELATION: TERMS (d, e, d * e, d * d, e * e); break;
    case GT_WSUM:        TERMS (w, w * y); break;
    case GT_WMOMENTS:    TERMS (w, w * w, w * (u * u)); break;
    default:             TERMS (x); break;
    }
#undef TERMS
}

/* Computes several sums of reals that are not exact.  */
static union gt_value
looped (const struct gt_task *task)
{
  const struct gt_operand *second = gt_inputs (&task->problem) == 2 ? &task->y : &task->x;
  const enum gt_arithmetic a = task->problem.arithmetic;
  const size_t size = gt_element_size (a);
  const char *const x = task->x.data, *const y = second->data;
  union gt_value value = {.sums = {{0}, {0}}};
  double term[GT_MOST_SUMS];

  for (uint64_t i = 0; i < task->problem.n; i++)
    {
      terms_of (task, (double) gt_element (a, x + i * task->x.stride * size),
                (double) gt_element (a, y + i * second->stride * size), term);
      for (unsigned k = 0; k < GT_MOST_SUMS; k++)
        value.sums.s[k] += term[k];
    }
  return value;
}

/* Several sums at once are computed in the mode of TASK, since exact ones have other terms.
   But with test data for fast and compensated sums nothing is rounded in any mode.  */
union gt_value
gt_verify_expected (const struct gt_task *task)
{
  const struct gt_problem *p = &task->problem;
  struct gt_task plain = *task;
  union gt_value value;

  plain.single = 0;
  if (!gt_reduction_sums (p->reduction))
    plain.problem.mode = gt_mode_for (p->reduction, p->arithmetic, GT_MODE_EXACT);
  else if (p->mode != GT_MODE_EXACT && p->arithmetic <= GT_F32)
    return looped (task);
  else if (p->mode == GT_MODE_COMPENSATED)
    plain.problem.mode = GT_MODE_FAST;
  value = gt_device_computes (GT_CPU, &plain.problem) ? computed (&plain) : computed_apart (&plain);
  gt_value_finish (&plain.problem, &value);
  return value;
}

/* --------------------------------------------------------------- Comparing */

/* Returns how many numbers a value of PROBLEM has: sums, one number, or extremes with their
   indexes.  */
static unsigned
numbers_in (const struct gt_problem *problem)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];

  if (gt_reduction_sums (problem->reduction))
    return info->plain + info->products;
  return info->algebra != GT_ALGEBRA_ORDER    ? 1
         : problem->reduction == GT_MINMAX ? 4 : 2;
}

static long double
number (const struct gt_problem *problem, const union gt_value *value, unsigned k)
{
  const enum gt_arithmetic part = gt_part_arithmetic (problem->arithmetic);

  if (gt_reduction_sums (problem->reduction))
    return gt_value_sum (problem, value, k);
  return k % 2 ? value->where.index[k / 2]
               : gt_element (part, (const char *) value
                                     + k / 2 * gt_element_size (part));
}

/* Returns the permitted relative error of a sum of PROBLEM whose correct value is EXPECTED.
   Whole numbers of both signs are added without rounding.  Magnitudes do not cancel: if a
   float cannot represent their sum, each addition may have an error of half a unit in the last
   place; compensation removes most of it.  */
static long double
allowed (const struct gt_problem *problem, long double expected)
{
  if (problem->reduction != GT_ASUM || problem->arithmetic != GT_F32
      || problem->mode == GT_MODE_EXACT || expected * FLT_EPSILON < 2)
    return 0;
  return problem->mode == GT_MODE_FAST
           ? FLT_EPSILON / 2 * (long double) problem->n : 2 * FLT_EPSILON;
}

/* Returns the index of the first wrong number of RESULT, or their count if all are
   correct.  */
static unsigned
first_wrong (const struct gt_problem *problem, const union gt_value *result,
             const union gt_value *expected)
{
  unsigned k = 0;

  for (; k < numbers_in (problem); k++)
    {
      const long double is = number (problem, result, k);
      const long double should = number (problem, expected, k);

      if (!(fabsl (is - should) <= allowed (problem, should) * should)
          || (problem->mode == GT_MODE_EXACT && !signbit (is) != !signbit (should)))
        break;
    }
  return k;
}

/* Returns whether exact sums are also equal before they are rounded: their difference from
   EXPECTED is zero.  */
static int
nothing_left (const struct gt_problem *problem, const union gt_value *result,
              const union gt_value *expected)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];
  union gt_value left = *expected;
  unsigned k = 0;

  if (info->products)
    gt_product_negate (&left.exact.product);
  for (unsigned i = 0; i < info->plain; i++)
    for (unsigned w = 0; w < GT_SUPER_WORDS; w++)
      left.exact.plain[i].word[w] = -left.exact.plain[i].word[w];
  gt_value_merge (problem, &left, result);
  while (k < numbers_in (problem) && gt_value_sum (problem, &left, k) == 0)
    k++;
  return k == numbers_in (problem);
}

int
gt_verify_right (const struct gt_problem *problem,
                 const union gt_value *result, const union gt_value *expected)
{
  if (gt_sums_are_integers (problem))
    return memcmp (&result->integers, &expected->integers,
                   sizeof result->integers) == 0;
  return first_wrong (problem, result, expected) == numbers_in (problem)
         && (problem->mode != GT_MODE_EXACT || !gt_reduction_sums (problem->reduction)
             || nothing_left (problem, result, expected));
}

/* ------------------------------------------------------------------- Tasks */

/* Returns the beginning of OPERAND, in numbers of TARGET's data.  */
static uint64_t
offset_of (const struct gt_target *target, const struct gt_operand *operand)
{
  return (uint64_t) ((const char *) operand->data - target->buffer)
         / target->data.size;
}

/* Returns whether all elements of OPERAND, as many as TASK has, are in TARGET's data.  */
static int
is_loaded (const struct gt_target *target, const struct gt_task *task,
           const struct gt_operand *operand)
{
  const uint64_t n = task->problem.n;

  return n == 0 || operand->data == NULL
         || (offset_of (target, operand)
             + ((n - 1) * operand->stride + 1)
                 * gt_parts_in (task->problem.arithmetic)) * target->data.size
              <= target->readable;
}

/* Returns the correct value of TASK, which is in TARGET's buffer.  */
static const union gt_value *
expected_of (struct gt_target *target, const struct gt_task *task)
{
  struct gt_task here = *task;

  here.single = 0;
  for (unsigned k = 0; k < gt_inputs (&task->problem); k++)
    gt_task_input (&here, k)->data
      = target->here + offset_of (target, gt_task_input (&here, k)) * target->data.size;
  if (memcmp (&target->known, &here, sizeof here) != 0)
    target->expected = gt_verify_expected (&here);
  target->known = here;
  return &target->expected;
}

static int
compare (struct gt_target *target, const struct gt_candidate *candidate,
         const struct gt_task *task)
{
  const struct gt_problem *p = &task->problem;
  const union gt_value *expected;
  union gt_value result;
  unsigned k;

  if (!is_loaded (target, task, &task->x) || !is_loaded (target, task, &task->y))
    return gt_profile_fail (target->why, sizeof target->why,
                            "not verified: n = %ju, stride %ju"
                            " is more than the test data",
                            (uintmax_t) p->n, (uintmax_t) task->x.stride);
  if (target->ops->compute (target, candidate, task, &result))
    return -1;
  expected = expected_of (target, task);
  if (gt_verify_right (p, &result, expected))
    return 0;
  k = first_wrong (p, &result, expected) % numbers_in (p);
  return gt_profile_fail (target->why, sizeof target->why,
                          "wrong: n = %ju, stride %ju, from element %ju:"
                          " %.21Lg instead of %.21Lg", (uintmax_t) p->n,
                          (uintmax_t) task->x.stride,
                          (uintmax_t) offset_of (target, &task->x),
                          number (p, &result, k), number (p, expected, k));
}

/* Compares results at one length; dot products are compared for each kind of result.  */
static int
compare_all (struct gt_target *target, const struct gt_candidate *candidate,
             const struct gt_task *task)
{
  struct gt_task wide = *task;

  if (task->problem.n == 0
      && gt_reductions[task->problem.reduction].algebra == GT_ALGEBRA_ORDER)
    return 0; /* there are no extremes of no elements */
  wide.single = 0;
  return compare (target, candidate, task)
         || (task->single && compare (target, candidate, &wide)) ? -1 : 0;
}

/* Returns task number I of N elements; if its vectors are strided, no other task has its
   addresses and strides.  */
static struct gt_task
awkward_task (const struct gt_target *target, const struct gt_problem *problem,
              unsigned i, uint64_t n)
{
  static const uint64_t pairs[][2] = {{7, 1}, {3, 2}, {1, 7}};
  const uint64_t *pair = pairs[i % (sizeof pairs / sizeof *pairs)];
  const int two = gt_inputs (problem) == 2;
  const int contiguous = problem->layout == GT_CONTIGUOUS;
  struct gt_problem of_n = *problem;
  struct gt_task task;

  of_n.n = n;
  task = gt_problem_task (&of_n, target->buffer);
  task.x = (struct gt_operand) {
    target->buffer + i % 5 * target->data.size,
    contiguous ? 1 : two ? pair[0] : i % 2 ? 3 : 7};
  if (two)
    task.y = (struct gt_operand) {
      target->buffer + (GT_AWKWARD_SECOND + 2 * i % 7) * target->data.size,
      contiguous ? 1 : pair[1]};
  return task;
}

/* Kernels work differently near these lengths: none, less than a warp or a vector, about a
   block, and several whole steps of a grid with a rest.  */
int
gt_verify (struct gt_target *target, const struct gt_candidate *candidate,
           const struct gt_problem *problem, int awkward)
{
  const unsigned block = candidate->config.block ? candidate->config.block : 64;
  const unsigned tile = block * candidate->config.unroll;
  const uint64_t lengths[] = {0, 1, 2, 31, block - 1, block, block + 1,
                              2 * tile + 3, 10007};
  struct gt_task task = gt_problem_task (problem, target->buffer);
  int failed = compare_all (target, candidate, &task);

  for (unsigned i = 0; awkward && i < sizeof lengths / sizeof lengths[0] && !failed; i++)
    {
      task = awkward_task (target, problem, i, lengths[i]);
      failed = compare_all (target, candidate, &task);
    }
  return failed;
}
