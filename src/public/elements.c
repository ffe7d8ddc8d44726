/* Statistics by sums of the elements as they are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/elements.h"

#include <stdlib.h>

#include "kernels/cpu/exact/exact.h"
#include "src/public/moments.h"

/* Elements up to which cascades are as quick.  */
#define SPREAD_FROM 256

int
gt_elements_sums (const struct gt_sample *sample, enum gt_several what, int weighted,
                  double about, struct gt_ball sums[GT_N_SUMS_OF])
{
  const struct gt_task *task = &sample->task;
  const int two = weighted || what == GT_SEVERAL_OF_PAIRS;
  const int next = what == GT_SEVERAL_OF_NEIGHBOURS;
  const double *x = task->x.data, *y = two ? task->y.data : x + next;
  struct gt_bounded of[GT_N_SUMS_OF] = {{0, 0, 0}};

  if (task->problem.arithmetic != GT_F64 || sample->memory[0] || task->x.stride != 1
      || (two && task->y.stride != 1) || task->problem.n > GT_CUTOFF_ANCHORED
      || !gt_short ()->several (what, weighted ? y : x, weighted ? x : y,
                                task->problem.n - (size_t) next, about, of))
    return 0;
  for (unsigned i = 0; i < GT_N_SUMS_OF; i++)
    sums[i] = gt_ball_of (of[i].h, of[i].l, of[i].slack);
  return 1;
}

/* Sums about zero hardly tell of elements that seem so many times as far from zero as from
   each other, by the power that is taken of them.  */
static const double far[] = {[1] = 4096, [2] = 128, [3] = 6, [4] = 6};

double *
gt_elements_near_zero (struct gt_sample *sample)
{
  const int which = sample->term->weighted;
  struct gt_operand *v = gt_task_input (&sample->task, (unsigned) which);
  const size_t n = sample->task.problem.n;
  const double about = gt_sample_middle (sample, which), given = sample->given[0];
  const double left = given - about;
  double apart = 0, *copies;

  for (size_t k = 0; k < 4; k++)
    apart = fmax (apart, fabs ((double) gt_sample_element (sample, which, n / 4 * k) - about));
  if (n <= GT_CUTOFF_STATISTICS || n > GT_CUTOFF_ANCHORED
      || !(fabs (about) > far[gt_kinds[sample->term->what].power] * apart)
      || (sample->term->given && (left + about != given || given - left != about)))
    return NULL;
  copies = malloc (n * sizeof *copies);
  if (copies && gt_exact_isa (GT_SUM)->scale (v->data, v->stride, n, about, 1, copies))
    {
      *v = (struct gt_operand) {copies, 1};
      sample->given[0] = left;
      return copies;
    }
  free (copies);
  return NULL;
}

struct gt_ball
gt_elements_about (struct gt_ball xy, struct gt_ball x, struct gt_ball y, struct gt_ball a,
                   struct gt_ball b, struct gt_ball n)
{
  const struct gt_ball left = gt_ball_difference (y, gt_ball_product (n, b));

  return gt_ball_difference (gt_ball_difference (xy, gt_ball_product (a, left)),
                             gt_ball_product (b, x));
}

int
gt_elements_spread (const struct gt_sample *sample, double *to)
{
  const struct gt_term *term = sample->term;
  const int joint = gt_kinds[term->what].form == GT_FORM_JOINT;
  const struct gt_ball n = gt_ball_exactly ((double) sample->task.problem.n);
  const double less = term->what == GT_TERM_VARIANCE || joint;
  struct gt_ball sums[GT_N_SUMS_OF], a, b;
  const struct gt_ball *x = &sums[GT_SUM_OF_X], *y = joint ? &sums[GT_SUM_OF_Y] : x;

  if (n.h < SPREAD_FROM
      || !gt_elements_sums (sample, joint ? GT_SEVERAL_OF_PAIRS : GT_SEVERAL_OF_ONE, 0, 0,
                            sums))
    return 0;
  a = term->given ? gt_ball_exactly (sample->given[0]) : gt_ball_quotient (*x, n);
  b = !joint        ? a
      : term->given ? gt_ball_exactly (sample->given[1])
                    : gt_ball_quotient (*y, n);
  a = gt_elements_about (sums[joint ? GT_SUM_OF_XY : GT_SUM_OF_XX], *x, *y, a, b, n);
  if (term->what != GT_TERM_TSS)
    a = gt_ball_quotient (a, gt_ball_exactly (n.h - less));
  if (term->root)
    a = gt_ball_root (a);
  return gt_in_range (fabs (a.h)) && gt_ball_round (a, to);
}

/* Where what a standard deviation is multiplied with stays in range.  */
#define LEAST_DEVIATION 0x1p-100
#define MOST_DEVIATION 0x1p100

/* The sums of powers 0 to P about nothing, T, become such as are about M, from the lowest on: T[0]
   is that of powers P in the end, and was that of squares, which is returned.  */
static struct gt_ball
take_off (struct gt_ball t[5], int p, struct gt_ball m)
{
  struct gt_ball squares = t[0];

  for (int taken = 1; taken <= p; taken++)
    {
      for (int j = 0; j <= p - taken; j++)
        t[j] = gt_ball_difference (t[j + 1], gt_ball_product (m, t[j]));
      if (taken == 2)
        squares = t[0];
    }
  return squares;
}

int
gt_elements_moment (const struct gt_sample *sample, struct gt_ball *to)
{
  const struct gt_term *term = sample->term;
  const int weighted = term->weighted, power = gt_kinds[term->what].power;
  /* Of cubes and fourth powers: without weights, with these, and with their squares.  */
  static const enum gt_several of[2][3]
    = {{GT_SEVERAL_CUBES, GT_SEVERAL_WEIGHTED_CUBES, GT_SEVERAL_UNBIASED_CUBES},
       {GT_SEVERAL_FOURTHS, GT_SEVERAL_WEIGHTED_FOURTHS, GT_SEVERAL_UNBIASED_FOURTHS}};
  const enum gt_several what = of[power == 4][weighted ? 1 + !term->given : 0];
  const double n = (double) sample->task.problem.n, sd = fabs (sample->given[1]);
  struct gt_ball sums[GT_N_SUMS_OF], t[5], all, variance, root;

  if ((term->given && !(sd >= LEAST_DEVIATION && sd <= MOST_DEVIATION))
      || !gt_elements_sums (sample, what, weighted, 0, sums))
    return 0;
  all = weighted ? sums[GT_SUM_OF_Y] : gt_ball_exactly (n);
  t[0] = all;
  t[1] = sums[weighted ? GT_SUM_OF_XY : GT_SUM_OF_X];
  t[2] = sums[weighted ? GT_SUM_OF_YXX : GT_SUM_OF_XX];
  t[3] = sums[GT_SUM_OF_CUBES];
  t[4] = sums[GT_SUM_OF_FOURTHS];
  variance = take_off (t, power, term->given ? gt_ball_exactly (sample->given[0])
                                             : gt_ball_quotient (t[1], all));
  root = gt_ball_exactly (sample->given[1]);
  if (term->given)
    variance = gt_ball_product (root, root);
  else
    {
      variance = gt_ball_quotient (
        variance, weighted ? gt_ball_difference (
                               all, gt_ball_quotient (sums[GT_SUM_OF_YY], all))
                           : gt_ball_exactly (n - 1));
      root = gt_ball_root (variance);
    }
  *to = gt_ball_quotient (
    t[0], gt_ball_product (gt_ball_product (all, variance), power == 3 ? root : variance));
  if (gt_kinds[term->what].less)
    *to = gt_ball_difference (*to, gt_ball_exactly (gt_kinds[term->what].less));
  return 1;
}
