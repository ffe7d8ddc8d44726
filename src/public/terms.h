/* Statistics, and what each is made of: a row of src/public/statistics.def.

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

enum gt_term_what
{
  GT_TERM_MEAN,
  GT_TERM_ABSDEV,
  GT_TERM_TSS,      /* the sum of squares */
  GT_TERM_FIXED,    /* their mean */
  GT_TERM_VARIANCE, /* unbiased */
  GT_TERM_SKEW,
  GT_TERM_KURTOSIS,
  GT_TERM_LAG1,
  GT_TERM_COVARIANCE,
  GT_TERM_CORRELATION
};

struct gt_term
{
  enum gt_term_what what;
  int weighted, given, root;
};

/* By name, WHAT_NAME and its kin: constants, which members of structures are not.  */
enum
{
#define STATISTIC(name, what, weighted, given, root)                                    \
  WHAT_##name = GT_TERM_##what, WEIGHTED_##name = weighted, GIVEN_##name = given,         \
  ROOT_##name = root,
#include "src/public/statistics.def"
#undef STATISTIC
};
#define GT_TERM(name) \
  ((const struct gt_term) {(enum gt_term_what) WHAT_##name, WEIGHTED_##name,             \
                           GIVEN_##name, ROOT_##name})

/* The statistics of the functions gsltune_stats_NAME: those about a mean of their own or a
   given one are in src/public/moments.c, all others in terms.c.  */
#define STATISTIC(name, ...) gt_statistic gt_##name;
#include "src/public/statistics.def"
#undef STATISTIC

#endif
