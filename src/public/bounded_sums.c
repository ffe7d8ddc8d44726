/* Sums within a bound: of blocks, by a team.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/bounded.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/cpu/isa/room.h"
#include "src/public/blocks.h"
#include "src/public/moments.h"
#include "src/route/reduce.h"

/* Each of whose terms goes through N additions, a sum is off by less than this many times
   the sum of their magnitudes.  Of a compensated one, whose terms have twice the precision
   and are off by 64 u^2, the compensations, which are roundings of the partial sums that a
   term is part of, are themselves rounded twice for each; in fast mode there are these
   roundings alone.  */
static double
error_of (enum gt_mode mode, uint64_t n)
{
  const double roundings = ((double) n + 64) * 0x1p-53;

  return mode == GT_MODE_FAST ? 1.001 * roundings : 2 * roundings * roundings;
}

/* As many as the sample's last sums had, at most BLOCK on the host.  */
static uint64_t
additions_of (const struct gt_sample *sample, uint64_t block)
{
  const uint64_t n = sample->task.problem.n;

  return sample->memory[0] ? sample->additions : n < block ? n : block;
}

struct gt_ball
gt_sum_in (const struct gt_sample *sample, const union gt_value *value, unsigned k)
{
  const struct gt_problem *problem = &sample->task.problem;
  const struct gt_ball sum
    = gt_reductions[problem->reduction].algebra == GT_ALGEBRA_ADD
        ? gt_ball_of (value->f64[0], value->f64[1], 0) : gt_sum_doubled (sample, value, k);

  return gt_ball_widened (
    sum, (error_of (problem->mode, additions_of (sample, problem->n)) + GT_BALL_UNIT)
           * fabs (sum.h));
}

static void
sums_in (const struct gt_sample *sample, const union gt_value *value, unsigned count,
         struct gt_ball *to)
{
  for (unsigned i = 0; i < count; i++)
    to[i] = gt_sum_in (sample, value, i);
}

/* Values are large, and what plans goes deep: one is on the stack or the other.  */
GT_APART void
take_quickly (struct gt_sample *sample, gt_cpu_function *function, unsigned count,
              struct gt_ball *to)
{
  union gt_value value;

  function (&sample->task, &value);
  sums_in (sample, &value, count, to);
}

GT_APART void
take_planned (struct gt_sample *sample, unsigned count, struct gt_ball *to)
{
  void *heap;
  union gt_value *value = GT_ROOM (heap, sizeof *value);

  gt_sample_sums_planned (sample, value);
  sums_in (sample, value, count, to);
  free (heap);
}

/* Sums of no more elements than a block has: short ones by the plan's function, as the
   environment is as kernels want it.  */
static void
take_block (struct gt_sample *sample, unsigned count, struct gt_ball *to)
{
  const struct gt_problem *problem = &sample->task.problem;
  gt_cpu_function *const function
    = sample->memory[0] ? NULL
      : gt_quick_find_in (problem->mode, problem->reduction, problem->arithmetic,
                          problem->layout, problem->n);

  if (function)
    take_quickly (sample, function, count, to);
  else
    take_planned (sample, count, to);
}

/* ------------------------------------------------------------------ Shifts

   A GPU takes a shift off floats without an error, and so in fewer operations, where both are
   multiples of the unit in the shift's last place and not too many (kernels/cuda/sums.cuh):
   it is given a rounded one, whose last digit tells that unit, and the rest apart.  */

#define SHIFT_DIGITS 44 /* below the mean's or the spread's first */

int
gt_is_of_floats_on_gpu (const struct gt_known *k)
{
  return k->sample->memory[0] && k->sample->task.problem.arithmetic == GT_F32;
}

double
gt_shift_for (const struct gt_known *k, double mean)
{
  const double scale = fmax (fabs (mean), k->spread);
  double unit;

  if (!gt_is_of_floats_on_gpu (k) || mean == 0 || !gt_in_range (scale))
    return mean;
  unit = ldexp (1, ilogb (scale) - SHIFT_DIGITS);
  return (2 * floor (mean / (2 * unit)) + 1) * unit;
}

/* The mean less its shift.  */
static double
rest_of (const struct gt_known *k, struct gt_ball mean)
{
  return (mean.h - gt_shift_for (k, mean.h)) + mean.l;
}

/* By how much the mean seems off in sums of powers of what is taken off it: by what is not
   known of it, and by what is rounded of terms whose second part the rest is, which are
   off by less than 8 2^-53 of it times the power, and of the second parts' sum.  */
double
gt_mean_error (const struct gt_known *k)
{
  const double rounded = (2 * (double) additions_of (k->sample, k->block) + 64) * 0x1p-53;

  return k->mean.radius
         + (k->sample->memory[0] ? rounded * fabs (rest_of (k, k->mean)) : 0);
}

double
gt_mean_reach (const struct gt_known *k)
{
  return k->mean.radius + 2 * fabs (rest_of (k, k->mean));
}

/* ------------------------------------------------------------ Blocks by a team */

struct by_function
{
  const struct gt_sample *sample; /* whose task has all elements */
  gt_cpu_function *function;
  unsigned count;
};

static int
take_part (const void *closure, size_t begin, size_t n, struct gt_ball *to)
{
  const struct by_function *f = closure;
  struct gt_sample part = *f->sample;

  part.task = gt_task_part (&f->sample->task, begin, n);
  take_quickly (&part, f->function, f->count, to);
  return 1;
}

/* The sums of blocks of BLOCK elements, by several threads.  Returns 0 where there is but
   one, or no memory for what they share.  */
GT_APART int
take_by_team (const struct gt_sample *sample, size_t block, unsigned count,
              struct gt_ball *sums)
{
  const unsigned threads
    = sample->memory[0]
        ? 0 : gt_reduce_threads (&sample->task.problem, sample->mode == GT_MODE_EXACT);
  struct gt_problem of_block = sample->task.problem;
  struct by_function f = {.sample = sample, .count = count};

  if (threads < 2)
    return 0;
  of_block.n = block;
  f.function = gt_plan_find (gt_host_plans (), &of_block)->function;
  return gt_blocks_sum (sample->task.problem.n, block, threads, take_part, &f, count, sums);
}

/* Whether REDUCTION takes off what the shift lacks.  */
static int
has_rest (enum gt_reduction reduction)
{
  return gt_reductions[reduction].algebra == GT_ALGEBRA_TERMS && reduction != GT_CORRELATION;
}

void
gt_bounded_sums (const struct gt_known *k, enum gt_reduction reduction, enum gt_mode mode,
                 struct gt_ball mean, double scale, struct gt_ball *sums)
{
  const unsigned count
    = gt_reductions[reduction].plain + gt_reductions[reduction].products;
  struct gt_task *const task = &k->sample->task;
  const struct gt_operand x = task->x, y = task->y;
  const uint64_t all = task->problem.n;
  struct gt_ball part[GT_MOST_SUMS];

  task->problem.reduction = reduction;
  task->problem.mode = mode;
  task->problem.layout
    = x.stride == 1 && (gt_reductions[reduction].inputs == 1 || y.stride == 1)
        ? GT_CONTIGUOUS : GT_STRIDED;
  task->shift[0] = has_rest (reduction) ? gt_shift_for (k, mean.h) : mean.h;
  task->rest = has_rest (reduction) ? rest_of (k, mean) : mean.l;
  task->scale = scale;
  if (all > k->block && take_by_team (k->sample, k->block, count, sums))
    return;
  task->problem.n = all < k->block ? all : k->block;
  take_block (k->sample, count, sums);
  for (uint64_t begin = k->block; begin < all; begin += k->block)
    {
      const uint64_t n = all - begin < k->block ? all - begin : k->block;

      *task = gt_task_part (task, k->block, n);
      take_block (k->sample, count, part);
      for (unsigned i = 0; i < count; i++)
        sums[i] = gt_ball_sum (sums[i], part[i]);
    }
  task->x = x;
  task->y = y;
  task->origin = 0;
  task->problem.n = all;
}

double
gt_error_for (const struct gt_known *k, double magnitudes)
{
  return (error_of (GT_MODE_COMPENSATED, additions_of (k->sample, k->block)) + GT_BALL_UNIT)
         * (1.001 * magnitudes);
}
