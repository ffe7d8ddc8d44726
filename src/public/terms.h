/* Statistics of samples.

   Means, squares and products about means are in moments.c.  What is here besides, mean
   distances, skewness, kurtosis, autocorrelation, and all that has weights, is told in
   exact mode by src/public/certain.h.  In fast mode it takes one pass more than its mean, or
   than its mean and standard deviation, which one pass finds together; where rounded sums cannot tell, be it that the
   mean is so far off that what it was rounded by counts, or that one weight outweighs the
   others, a look at the elements settles what is NaN or nothing, copies serve that are
   multiplied by a power of two (src/public/moderate.h), or sums of twice the precision; or
   else GSL's own way decides, in long double, and what even that makes infinite or NaN is
   told as in exact mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TERMS_H
#define GT_TERMS_H

#include "src/public/moments.h"

/* Computes the sample's term, where that is none of src/public/moments.h.  */
gt_statistic gt_terms;

static inline gt_statistic *
gt_statistic_for (const struct gt_term *term)
{
  const enum gt_formula_form form = gt_kinds[term->what].form;

  return form == GT_FORM_JOINT                            ? gt_joint
         : term->weighted || form == GT_FORM_POWERS
               || form == GT_FORM_NEIGHBOURS              ? gt_terms
         : form == GT_FORM_MEAN                           ? gt_mean
                                                          : gt_squares;
}

#endif
