/* Statistics, and what each is made of: rows of src/public/statistics.def.

   Means, squares and products about means are in moments.c.  What is here besides, mean
   distances, skewness, kurtosis, autocorrelation, and all that has weights, is told in
   exact mode, and on the host in compensated mode too, by src/public/certain.h.
   Otherwise it takes one pass more than its mean, or than its mean and standard
   deviation, which one pass finds together; where rounded sums cannot tell, a look at the
   elements settles what is NaN or nothing, copies serve that are multiplied by a power of
   two (src/public/moderate.h), or else GSL's own way decides, in long double, and what
   even that makes infinite or NaN is told as in exact mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TERMS_H
#define GT_TERMS_H

#include "src/public/sample.h"

/* Columns of the rows KIND, and which row that is.  */
enum gt_form
{
  GT_FORM_MEAN,
  GT_FORM_SQUARES,
  GT_FORM_POWERS,
  GT_FORM_NEIGHBOURS,
  GT_FORM_JOINT
};

enum gt_term_what
{
#define KIND(id, ...) GT_TERM_##id,
#include "src/public/statistics.def"
  GT_N_TERMS
};

struct gt_kind
{
  enum gt_form form;
  enum gt_reduction sums[2]; /* without and with weights */
  int power, less;
};

/* These tables are constants of each file: what a function that is compiled for one
   statistic does not do is not in it.  */
static const struct gt_kind gt_kinds[GT_N_TERMS] = {
#define KIND(id, form, sums, weighed, power, less) \
  {GT_FORM_##form, {GT_##sums, GT_##weighed}, power, less},
#include "src/public/statistics.def"
};

struct gt_term
{
  enum gt_term_what what;
  int weighted, given, root;
};

/* The statistics by name, gt_term_NAME.  */
#define STATISTIC(name, what, weighted, given, root) \
  static const struct gt_term gt_term_##name = {GT_TERM_##what, weighted, given, root};
#include "src/public/statistics.def"

/* The reduction that TERM's sums are made by.  */
static inline enum gt_reduction
gt_term_sums (const struct gt_term *term)
{
  return gt_kinds[term->what].sums[term->weighted];
}

/* Whether what is left of its elements is divided by the standard deviation.  */
static inline int
gt_term_is_scaled (const struct gt_term *term)
{
  return gt_kinds[term->what].form == GT_FORM_POWERS && gt_kinds[term->what].power > 1;
}

/* What the sample's term is; the first three, of no weights, are in
   src/public/moments.c.  */
gt_statistic gt_mean, gt_squares, gt_joint, gt_terms;

static inline gt_statistic *
gt_statistic_for (const struct gt_term *term)
{
  const enum gt_form form = gt_kinds[term->what].form;

  return form == GT_FORM_JOINT                            ? gt_joint
         : term->weighted || form == GT_FORM_POWERS
               || form == GT_FORM_NEIGHBOURS              ? gt_terms
         : form == GT_FORM_MEAN                           ? gt_mean
                                                          : gt_squares;
}

#endif
