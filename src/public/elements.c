/* Statistics by sums of the elements as they are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/elements.h"

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
