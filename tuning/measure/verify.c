/* Nothing is saved that was not verified.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "src/profile/profile_private.h"
#include "tuning/measure/data.h"
#include "tuning/measure/target.h"

static int
is_order (const struct gt_problem *problem)
{
  return gt_reductions[problem->reduction].algebra == GT_ALGEBRA_ORDER;
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
  double error;

  if (gt_reduction_sums (problem->reduction))
    return gt_sums_equal (problem, result, expected);
  if (is_order (problem))
    return gt_extreme_identical (problem->reduction, arithmetic, result,
                                 expected);
  if (problem->mode == GT_MODE_EXACT)
    return gt_value_identical (arithmetic, result, expected);
  error = allowed (problem, expected);
  if (error > 0)
    return fabs ((double) result->f32[0] - (double) expected->f32[0])
           <= error * (double) expected->f32[0];
  return gt_value_equal (arithmetic, result, expected);
}

/* Writes RESULT and EXPECTED as texts; of several sums the first that differs.  */
static void
value_texts (const struct gt_problem *problem, const union gt_value *result,
             const union gt_value *expected, char *is, char *should, size_t size)
{
  char sum[64];
  unsigned k;

  if (gt_reduction_sums (problem->reduction))
    {
      k = gt_sums_text (problem, result, expected, sum, should, sizeof sum);
      snprintf (is, size, "sum %u is %s", k + 1, sum);
    }
  else if (is_order (problem))
    {
      gt_extreme_text (problem->reduction, problem->arithmetic, result, is,
                       size);
      gt_extreme_text (problem->reduction, problem->arithmetic, expected,
                       should, size);
    }
  else
    {
      gt_value_text (problem->arithmetic, result, is, size);
      gt_value_text (problem->arithmetic, expected, should, size);
    }
}

/* Where OPERAND begins, in numbers of data that begins at BASE.  */
static uint64_t
offset_of (const struct gt_task *task, const struct gt_operand *operand,
           const void *base)
{
  return (uint64_t) ((const char *) operand->data - (const char *) base)
         / gt_element_size (gt_part_arithmetic (task->problem.arithmetic));
}

union gt_value
gt_verify_expected (const struct gt_data *data, const void *base,
                    const struct gt_task *task)
{
  const enum gt_reduction reduction = task->problem.reduction;
  const uint64_t offset = offset_of (task, &task->x, base);
  const uint64_t n = task->problem.n, stride = task->x.stride;

  if (gt_reduction_sums (reduction))
    return gt_data_sums (data, base, task);
  if (is_order (&task->problem))
    return gt_is_complex (task->problem.arithmetic)
             ? gt_data_complex_extreme (data, offset, n, stride)
             : gt_data_extreme (data, reduction, offset, n, stride);
  return reduction == GT_ASUM ? gt_data_magnitudes (data, offset, n, stride)
                              : gt_data_sum (data, offset, n, stride);
}

/* "n = 7, stride 2, from element 3" of the data that begins at BASE.  */
static void
where_text (const struct gt_task *task, const void *base, char *text,
            size_t size)
{
  char second[96] = "";

  if (task->y.data)
    snprintf (second, sizeof second, ", and stride %ju, from element %ju",
              (uintmax_t) task->y.stride,
              (uintmax_t) offset_of (task, &task->y, base));
  snprintf (text, size, "n = %ju, stride %ju, from element %ju%s",
            (uintmax_t) task->problem.n, (uintmax_t) task->x.stride,
            (uintmax_t) offset_of (task, &task->x, base), second);
}

int
gt_trial_compare (const struct gt_trial *trial, const struct gt_task *task,
                  const union gt_value *expected, const char *where)
{
  struct gt_target *target = trial->target;
  union gt_value result;
  char is[128], should[128], place[192];

  if (target->ops->compute (target, trial->candidate, task, &result))
    return -1;
  if (gt_verify_right (&task->problem, &result, expected))
    return 0;
  value_texts (&task->problem, &result, expected, is, should, sizeof is);
  where_text (task, target->buffer, place, sizeof place);
  return gt_profile_fail (target->why, sizeof target->why,
                          "wrong: %s: %s instead of %s", where ? where : place,
                          is, should);
}

/* Whether all elements of OPERAND, as many as TASK has, are among TARGET's.  */
static int
is_loaded (const struct gt_target *target, const struct gt_task *task,
           const struct gt_operand *operand)
{
  const uint64_t n = task->problem.n;

  return n == 0 || operand->data == NULL
         || (offset_of (task, operand, target->buffer)
             + ((n - 1) * operand->stride + 1)
                 * gt_parts_in (task->problem.arithmetic)) * target->data.size
              <= target->bytes;
}

static int
compare (const struct gt_trial *trial, const struct gt_task *task)
{
  struct gt_target *target = trial->target;
  union gt_value expected;

  if (!is_loaded (target, task, &task->x) || !is_loaded (target, task, &task->y))
    return gt_profile_fail (target->why, sizeof target->why,
                            "not verified: n = %ju, stride %ju"
                            " is more than the test data",
                            (uintmax_t) task->problem.n,
                            (uintmax_t) task->x.stride);
  expected = gt_verify_expected (&target->data, target->buffer, task);
  return gt_trial_compare (trial, task, &expected, NULL);
}

/* N of the elements that are hard to add, from number FIRST on.  */
static struct gt_task
hard_task (const struct gt_trial *trial, size_t first, uint64_t n)
{
  const struct gt_problem *p = trial->problem;

  return gt_task_of (p->reduction, p->arithmetic, p->mode,
                     trial->target->hard + first * trial->target->data.size, n,
                     1);
}

/* Sums huge elements that cancel, which shows that compensation compensates,
   and that exact sums are exact.  */
static int
compare_cancelling (const struct gt_trial *trial)
{
  const struct gt_problem *p = trial->problem;
  const struct gt_task task = hard_task (trial, 0, GT_CANCELLING_N);
  const union gt_value expected = gt_data_cancelling_sum (p->arithmetic);

  return gt_arithmetics[p->arithmetic].real
           ? gt_trial_compare (trial, &task, &expected,
                               p->mode == GT_MODE_EXACT
                                 ? "rounding errors are not absent"
                                 : "rounding errors are not compensated")
           : 0;
}

/* Infinities, NaN, zeros and overflow, which have one right answer in exact mode
   alone.  */
static int
compare_specials (const struct gt_trial *trial)
{
  int failed = 0;

  for (unsigned i = 0; i < GT_N_SPECIALS && !failed; i++)
    {
      const struct gt_task task
        = hard_task (trial, GT_CANCELLING_N + i * GT_SPECIAL_N, GT_SPECIAL_N);
      const union gt_value expected
        = gt_data_special_sum (trial->problem->reduction,
                               trial->problem->arithmetic, i);
      char where[48];

      snprintf (where, sizeof where, "special numbers, case %u", i);
      failed = gt_trial_compare (trial, &task, &expected, where);
    }
  return failed;
}

/* ---------------------------------------------------- Several sums at once

   Kernels of several sums go wrong, at any length, on rounding errors that are not
   compensated, weights that do not count, numbers of all sizes, infinities and
   NaN.  */

enum
{
  EXACT = 1 << GT_MODE_EXACT,
  CAREFUL = 1 << GT_MODE_COMPENSATED | EXACT,
  ALL = 1 << GT_MODE_FAST | CAREFUL
};

/* The reductions that a pair of vectors is for: sums of elements and their products, or terms,
   of which some are weighted.  */
enum whose
{
  MOMENTS = 1,
  TERMS = 2,
  WEIGHTED = 4,
  ANY = MOMENTS | TERMS | WEIGHTED
};

#define PAIR(pair) \
  GT_HARD_PAIR_AT (pair), GT_HARD_PAIR_AT (pair) + GT_PAIR_N, GT_PAIR_N

/* Pairs of vectors: where in gt_data_hard each begins.  */
static const struct hard_case
{
  size_t x, y;
  uint64_t n;
  int modes, whose;
  double shift, scale; /* scale 0: as on other data */
  const char *wrong;
} cases[] = {
  {0, GT_HARD_ONES_AT, GT_CANCELLING_N, CAREFUL, MOMENTS | TERMS, 0, 1,
   "rounding errors of additions remain"},
  {GT_HARD_ONES_AT, 0, GT_CANCELLING_N, CAREFUL, ANY, 0, 1,
   "rounding errors of additions remain"},
  {PAIR (GT_HARD_PRODUCTS), CAREFUL, MOMENTS, 0, 1,
   "rounding errors of products remain"},
  {PAIR (GT_HARD_WEIGHTS), ALL, WEIGHTED, 2, 0.5, "what has no weight counts"},
  {PAIR (GT_HARD_WIDE), EXACT, MOMENTS, 0, 0, "numbers of all sizes"},
  {PAIR (GT_HARD_MODERATE), EXACT, ANY, 0, 0, "numbers of many sizes"}
};

static enum whose
whose_is (enum gt_reduction reduction)
{
  if (gt_reductions[reduction].algebra != GT_ALGEBRA_TERMS)
    return MOMENTS;
  return reduction >= GT_WSUM ? WEIGHTED : TERMS;
}

/* They lie apart from each other where they are strided.  Elements cancel in fours, which
   this keeps.  */
#define STRIDE 3

/* PROBLEM's task on elements of gt_data_hard, which begins at HARD, from X and Y on.
   Special numbers are few: of these every one counts.  */
static struct gt_task
task_at (const struct gt_problem *problem, const char *hard,
         const struct hard_case *c)
{
  const size_t size = gt_element_size (gt_part_arithmetic (problem->arithmetic));
  const uint64_t stride
    = problem->layout == GT_CONTIGUOUS || c->n == GT_SPECIAL_N ? 1 : STRIDE;
  struct gt_problem of_case = *problem;
  struct gt_task task;

  of_case.n = c->n / gt_parts_in (problem->arithmetic) / stride / 4 * 4;
  task = gt_problem_task (&of_case, hard + c->x * size);
  task.x.stride = stride;
  if (gt_inputs (problem) == 2)
    task.y = (struct gt_operand) {hard + c->y * size, stride};
  if (c->scale != 0)
    {
      task.shift[0] = task.shift[1] = c->shift;
      task.scale = gt_is_complex (problem->arithmetic) ? 1 : c->scale;
    }
  return task;
}

/* The host has a copy of the target's hard elements.  */
static int
compare_pair (const struct gt_trial *trial, const struct hard_case *c)
{
  const struct gt_target *target = trial->target;
  const struct gt_task task = task_at (trial->problem, target->hard, c);
  const struct gt_task here = task_at (trial->problem, target->hard_here, c);
  const union gt_value expected = gt_sums_one_by_one (&here);

  return gt_trial_compare (trial, &task, &expected, c->wrong);
}

/* Infinities, NaN, zeros and overflow: each of the vectors with itself, with the next
   one and with ones.  */
static int
compare_special_pairs (const struct gt_trial *trial)
{
  const size_t first = GT_CANCELLING_N;
  int failed = 0;

  for (unsigned i = 0; i < 3 * GT_N_SPECIALS && !failed; i++)
    {
      const unsigned which = i / 3, other = (which + i % 3) % GT_N_SPECIALS;
      const struct hard_case c
        = {first + which * GT_SPECIAL_N,
           i % 3 == 2 ? GT_HARD_ONES_AT : first + other * GT_SPECIAL_N,
           GT_SPECIAL_N, EXACT, ANY, 0, 0, "special numbers"};

      failed = compare_pair (trial, &c);
    }
  return failed;
}

static int
compare_hard_sums (const struct gt_trial *trial)
{
  const struct gt_problem *problem = trial->problem;
  int failed = 0;

  if (!gt_arithmetics[problem->arithmetic].real)
    return 0;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases && !failed; i++)
    if (cases[i].modes & 1 << problem->mode
        && cases[i].whose & (int) whose_is (problem->reduction))
      failed = compare_pair (trial, &cases[i]);
  return failed || problem->mode != GT_MODE_EXACT ? failed
                                                  : compare_special_pairs (trial);
}

/* ------------------------------------------------------------ All together */

/* At one length: the data as it is, of dot products for each kind of result, and of
   extremes with what is planted.  */
static int
compare_all (const struct gt_trial *trial, const struct gt_task *task,
             int thorough)
{
  const int order = is_order (&task->problem);
  struct gt_task wide = *task;

  if (order && task->problem.n == 0)
    return 0; /* no elements have no extremes: nobody asks */
  wide.single = 0;
  if (compare (trial, task) || (task->single && compare (trial, &wide)))
    return -1;
  return order ? gt_verify_planted (trial, task, thorough) : 0;
}

/* Compares on elements that are hard at any length.  */
static int
compare_hard (const struct gt_trial *trial)
{
  const struct gt_problem *problem = trial->problem;

  if (is_order (problem))
    return gt_verify_zeros (trial);
  if (gt_reduction_sums (problem->reduction))
    return compare_hard_sums (trial);
  if (problem->layout != GT_CONTIGUOUS)
    return 0;
  if (problem->reduction == GT_SUM && problem->mode != GT_MODE_FAST
      && compare_cancelling (trial))
    return -1;
  return problem->mode == GT_MODE_EXACT ? compare_specials (trial) : 0;
}

/* The task number I of N elements, its vectors at addresses and, where they are strided,
   of strides that no other task has.  */
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

/* Kernels work differently around these lengths: none, less than a warp or a
   vector, about a block, several whole steps of a grid and a rest.  */
int
gt_verify_awkward (struct gt_target *target,
                   const struct gt_candidate *candidate,
                   const struct gt_problem *problem)
{
  const struct gt_trial trial = {target, candidate, problem};
  unsigned block = candidate->config.block ? candidate->config.block : 64;
  unsigned tile = block * candidate->config.unroll;
  const uint64_t lengths[] = {0, 1, 2, 31, block - 1, block, block + 1,
                              2 * tile + 3, 10007};
  const unsigned count = sizeof lengths / sizeof lengths[0];

  for (unsigned i = 0; i < count; i++)
    {
      const struct gt_task task = awkward_task (target, problem, i, lengths[i]);

      if (compare_all (&trial, &task, i + 2 >= count))
        return -1;
    }
  return compare_hard (&trial);
}

int
gt_verify (struct gt_target *target, const struct gt_candidate *candidate,
           const struct gt_problem *problem, int awkward)
{
  const struct gt_trial trial = {target, candidate, problem};
  const struct gt_task task = gt_problem_task (problem, target->buffer);

  if (compare_all (&trial, &task, 0))
    return -1;
  return awkward ? gt_verify_awkward (target, candidate, problem) : 0;
}
