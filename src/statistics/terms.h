/* The components of each statistic, which are the rows of kernels/statistics.def.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TERMS_H
#define GT_TERMS_H

#include <math.h>

#include "kernels/cpu/quick/quick.h"
#include "kernels/reductions.h"

/* The reduction of statistics that are computed only in exact mode.  */
#define GT_NONE GT_N_REDUCTIONS

struct gt_kind
{
  enum gt_formula_form form;
  int power, less;
  enum gt_set quick[2]; /* without and with weights */
};

/* These tables are constants in each file, so that the compiler removes the other cases from a
   function for one statistic.  */
static const struct gt_kind gt_kinds[GT_N_TERMS] = {
#define KIND(id, form, power, less, quick, quick_weighed) \
  {GT_FORM_##form, power, less, {GT_SET_##quick, GT_SET_##quick_weighed}},
#include "kernels/statistics.def"
};

struct gt_term
{
  enum gt_term_what what;
  int weighted, given, root;
  enum gt_reduction sums; /* the reduction that kernels compute for it, or GT_NONE */
  double none;
};

/* The statistics by name, gt_term_NAME.  */
#define GT_NONE_IS_ZERO 0
#define GT_NONE_IS_MINUS_3 -3
#define GT_NONE_IS_NOT_A_NUMBER NAN
#define STATISTIC(name, what, weighted, given, root, family, sums, result, types, empty, ...) \
  static const struct gt_term gt_term_##name                                                  \
    = {GT_TERM_##what, weighted, given, root, GT_##sums, GT_NONE_IS_##empty};
#include "kernels/statistics.def"

/* Checks whether the deviations are divided by the standard deviation.  */
static inline int
gt_term_is_scaled (const struct gt_term *term)
{
  return gt_kinds[term->what].form == GT_FORM_POWERS && gt_kinds[term->what].power > 1;
}

/* Returns the correlation for R, its value from rounded sums, which may slightly exceed 1.  */
static inline double
gt_correlation_of (double r)
{
  return fabs (r) > 1 && fabs (r) < 2 ? copysign (1, r) : r;
}

/* Returns the formula of TERM.  */
static inline struct gt_formula
gt_formula_of (const struct gt_term *term)
{
  const struct gt_kind *kind = &gt_kinds[term->what];

  return (struct gt_formula) {term->what, kind->form, kind->power, kind->less,
                              term->weighted, term->given, term->root, term->none};
}

#endif
