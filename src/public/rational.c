/* The exact values of statistics, of long doubles all of them, by moments' sums in whole numbers
   (kernels/rational.h): right whatever the elements are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/statistic.h"
#include "src/public/few.h"

#include <math.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/isa/room.h"
#include "src/public/power_sums.h"

/* ------------------------------------------------------------------ Special ones */

/* GSL's own way, in long double.  */
#define FEW_NAMED(stem) stem##_of_sample
#define FEW_SAMPLE struct gt_sample
#define FEW_X(s, i) gt_sample_element (s, 0, i)
#define FEW_Y(s, i) gt_sample_element (s, 1, i)
#include "src/public/few.inc"

static double
plain (struct gt_sample *sample)
{
  return (double) few_of_sample (sample, sample->task.problem.n, sample->given,
                                 sample->term, 0).value;
}

/* ------------------------------------------------------------- Power sums */

/* Returns 0 if there are others than numbers, unless these alone decide a mean of powers.  */
static int
tell (const struct gt_sample *sample, double *to)
{
  const gsltune_moments like = gt_moments_for (sample);
  const size_t bytes = gt_moments_bytes (&like);
  gsltune_moments all = like, *m;
  void *heap;
  char *memory;
  int numbers;

  all.power = 1;
  memory = GT_ROOM (heap, bytes + gt_moments_bytes (&all));
  m = gt_moments_place (memory, &like);
  if (like.power == 0 && !sample->term->given)
    {
      gsltune_moments *const first = gt_moments_place (memory + bytes, &all);

      gt_moments_add (first, &sample->task, 0);
      m->centre = gt_moments_mean (first);
    }
  gt_moments_add (m, &sample->task, 0);
  numbers = !(m->flags[0] | m->flags[1]);
  if (numbers)
    *to = m->n ? gt_moments_statistic (m, sample->term, sample->given) : sample->term->none;
  else if (gt_kinds[sample->term->what].form == GT_FORM_MEAN && !m->flags[1])
    {
      *to = like.power % 2 || m->flags[0] & GT_SUPER_NAN ? gt_special_sum (m->flags[0]) : INFINITY;
      numbers = 1;
    }
  free (heap);
  return numbers;
}

static double
tell_or_plain (struct gt_sample *sample)
{
  const struct gt_formula formula = gt_formula_of (sample->term);
  const int given = formula.given;
  double result;

  if (sample->task.problem.n == 0)
    return formula.none;
  if ((given < 1 || isfinite (sample->given[0]))
      && (given < 2 || (isfinite (sample->given[1])
                        && (sample->given[1] != 0 || !gt_term_is_scaled (sample->term))))
      && tell (sample, &result))
    return result;
  result = formula.form == GT_FORM_JOINT || sample->term->sums == GT_NONE
             ? NAN : plain (sample);
  return isnan (result) ? NAN : result;
}

/* In the environment of long doubles, too, whose exceptions are not exact mode's.  */
double
gt_rational (struct gt_sample *sample)
{
  const int flags = gt_fpenv_flags (GT_LDBL);
  struct gt_fpenv env;
  double result;

  gt_fpenv_enter (&env, GT_LDBL);
  result = tell_or_plain (sample);
  gt_fpenv_leave (&env);
  if (sample->mode == GT_MODE_EXACT)
    gt_fpenv_lower_flags (GT_LDBL, flags);
  return result;
}
