/* What several sums at once get wrong whatever their lengths.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/names.h"
#include "tuning/measure/data.h"
#include "tuning/measure/target.h"

enum
{
  EXACT = 1 << GT_MODE_EXACT,
  CAREFUL = 1 << GT_MODE_COMPENSATED | EXACT,
  ALL = 1 << GT_MODE_FAST | CAREFUL
};

/* What is computed on a pair: sums of elements and their products, or of terms, of which
   some are weighted.  */
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
  if (gt_reductions[reduction].algebra == GT_ALGEBRA_MOMENTS)
    return MOMENTS;
  return reduction >= GT_WSUM ? WEIGHTED : TERMS;
}

/* Apart from each other where they are strided.  What cancels does so in fours, which this
   leaves.  */
#define STRIDE 3

/* PROBLEM's task on elements of gt_data_hard, which begins at HARD, from X and Y on.
   Special numbers are few: of these every one counts.  */
static struct gt_task
task_at (const struct gt_problem *problem, const char *hard,
         const struct hard_case *c)
{
  const size_t size = gt_element_size (problem->arithmetic);
  const uint64_t stride
    = problem->layout == GT_CONTIGUOUS || c->n == GT_SPECIAL_N ? 1 : STRIDE;
  struct gt_problem of_case = *problem;
  struct gt_task task;

  of_case.n = c->n / stride / 4 * 4;
  task = gt_problem_task (&of_case, hard + c->x * size);
  task.x.stride = stride;
  if (gt_inputs (problem) == 2)
    task.y = (struct gt_operand) {hard + c->y * size, stride};
  if (c->scale != 0)
    {
      task.shift[0] = task.shift[1] = c->shift;
      task.scale = c->scale;
    }
  return task;
}

/* What lies at the target's hard elements is on the host, too.  */
static int
compare (const struct gt_trial *trial, const struct hard_case *c)
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
compare_specials (const struct gt_trial *trial)
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

      failed = compare (trial, &c);
    }
  return failed;
}

int
gt_verify_hard_sums (const struct gt_trial *trial)
{
  const struct gt_problem *problem = trial->problem;
  int failed = 0;

  if (!gt_arithmetics[problem->arithmetic].real)
    return 0;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases && !failed; i++)
    if (cases[i].modes & 1 << problem->mode
        && cases[i].whose & (int) whose_is (problem->reduction))
      failed = compare (trial, &cases[i]);
  return failed || problem->mode != GT_MODE_EXACT ? failed
                                                  : compare_specials (trial);
}
