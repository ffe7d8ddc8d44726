/* Statistics of samples with elements that are not finite.

   Such a statistic depends on the finite elements only in whether there are any, so that a few
   elements represent all.  The arithmetic is that of doubles, whose operations on infinities
   and NaN take no longer than others; x87's take hundreds of cycles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/cpu/wide/long_double.h"
#include "src/base/fpenv.h"
#include "src/statistics/infinite.h"

/* Returns the power of D that TERM is a mean or a sum of.  */
static double
power_of (const struct gt_term *term, double d)
{
  const struct gt_kind *const kind = &gt_kinds[term->what];

  return kind->power == 1   ? (kind->form == GT_FORM_MEAN ? d : fabs (d))
         : kind->power == 3 ? d * d * d
                            : d * d; /* as infinite as its square */
}

/* Computes TERM of N elements from the SUM of weighted powers.  W is the sum of the weights,
   PAIRS the sum of the products of all pairs of weights.  */
static double
value_of (const struct gt_term *term, uint64_t n, double sum, double w, double pairs)
{
  const double value = term->what == GT_TERM_TSS        ? sum
                       : term->what == GT_TERM_LAG1     ? 0 / sum /* of one element */
                       : term->what != GT_TERM_VARIANCE ? sum / w
                       : term->weighted                 ? sum / (2 * pairs / w)
                                                        : sum / (double) (n - 1);

  return isnan (value) ? NAN : term->root ? sqrt (value) : value - gt_kinds[term->what].less;
}

double
gt_special_statistic (const struct gt_term *term, const double given[2], const uint32_t flags[2],
                      uint64_t n)
{
  static const double special[] = {INFINITY, -INFINITY, NAN}; /* for the flags 1, 2 and 4 */
  const enum gt_formula_form form = gt_kinds[term->what].form;
  const int exceptions = gt_fpenv_flags (GT_F64);
  struct gt_fpenv env;
  double sum = 0, w = 0, pairs = 0, value;
  uint64_t count = 0;

  if (form == GT_FORM_JOINT || (form == GT_FORM_NEIGHBOURS && n > 1)
      || (form != GT_FORM_MEAN && !term->given))
    return NAN;
  gt_fpenv_enter (&env, GT_F64);
  for (int k = 0; k < 8; k++)
    {
      const int is_special = k < 6 && flags[k / 3] >> k % 3 & 1;
      const double x = is_special && k < 3 ? special[k] : given[0] > 0 ? -1 : 1;
      const double weight = is_special && k >= 3 ? special[k - 3] : 1;
      double d = form == GT_FORM_MEAN ? x : x - given[0];

      if (!is_special && (k < 6 || count >= n))
        continue;
      if (gt_term_is_scaled (term))
        d /= given[1];
      sum += weight * power_of (term, d);
      pairs += weight * w;
      w += weight;
      count++;
    }
  value = value_of (term, n, sum, w, pairs);
  gt_fpenv_leave_with (&env, &value);
  gt_fpenv_lower_flags (GT_F64, exceptions);
  return value;
}

/* Returns the flag of element I minus the mean, divided by a zero deviation.  */
static uint32_t
flag_by_zero (const struct gt_task *task, const struct gt_operand *x, size_t i,
              const double given[2])
{
  const long double element = gt_operand_element (task->problem.arithmetic, x, i);
  const int below = isless (element, given[0]);

  return gt_super_flag (!below && !isgreater (element, given[0]),
                        below ^ (signbit (given[1]) != 0));
}

int
gt_is_special (const struct gt_task *task, const struct gt_term *term, const double given[2],
               double *to)
{
  static const double none[2] = {0, 1};
  const int weighted = term->weighted, two = gt_kinds[term->what].form == GT_FORM_JOINT;
  const int by_zero = term->given > 1 && gt_term_is_scaled (term) && given[1] == 0;
  const enum gt_arithmetic arithmetic = task->problem.arithmetic;
  const struct gt_operand *const x = weighted ? &task->y : &task->x;
  uint32_t flags[2] = {0, 0};
  uint64_t n = weighted ? 0 : task->problem.n;

  for (size_t i = 0; i < task->problem.n; i++)
    {
      struct gt_long_factor of, weight = {{1}, 0, 0, 1};

      if (weighted)
        weight = gt_operand_factor (arithmetic, &task->x, i);
      else if (!by_zero && (i = gt_next_special (task, two, i)) == task->problem.n)
        break;
      if (weight.negative || gt_long_is_zero (&weight) == weight.finite)
        continue;
      n += (uint64_t) weighted;
      of = gt_operand_factor (arithmetic, two && gt_operand_factor (arithmetic, x, i).finite ? &task->y : x, i);
      flags[0] |= by_zero ? flag_by_zero (task, x, i, given) : gt_long_flag (&of);
      flags[1] |= gt_long_flag (&weight);
    }
  if (n == 0 || !(by_zero || flags[0] | flags[1]
                  || (term->given && !(isfinite (given[0]) && isfinite (given[1])))))
    return 0;
  *to = gt_special_statistic (term, by_zero ? none : given, flags, n);
  return 1;
}
