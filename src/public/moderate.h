/* Samples of doubles on the host whose powers or products leave the range of doubles,
   moved to where there is room.

   Elements times a power of two have a statistic that is the sample's times another: what
   sums of very large or very small numbers cannot tell is told of copies, as quickly as
   of any others.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MODERATE_H
#define GT_MODERATE_H

#include "src/public/kinds.h"
#include "src/public/sample.h"

/* How a statistic grows when its elements do.  */
struct gt_homogeneous
{
  int degree[2]; /* when x, or y, are all twice as much, it is 2^degree times as much */
  int inputs;
  int given;     /* numbers that are given: */
  int given_of[2]; /* whether each is like x (0) or y (1) */
};

struct gt_homogeneous gt_term_kind (const struct gt_term *term);

#define GT_MODERATE_ROOM 256 /* elements */

/* Copies of a sample.  */
struct gt_moderate
{
  struct gt_sample sample;
  int exponent; /* the sample's statistic is 2^exponent times that of the copies */
  double *copies[2]; /* there is room for one element more behind each */
  double room[GT_MODERATE_ROOM]; /* of few */
};

/* Copies SAMPLE for a statistic that is OF this kind.  Returns 0 where there are to be no
   copies, as they would not help, lose digits, or be very many.  */
int gt_moderate_begin (const struct gt_sample *sample, const struct gt_homogeneous *of,
                       struct gt_moderate *moderate);
void gt_moderate_end (struct gt_moderate *moderate);

/* Makes the sum of the copies' products that of the sample's as a subnormal number, if
   there are two copies: one more product, which is returned and is to be taken off again,
   leaves no digits below.  Else returns 0.  */
double gt_moderate_subnormal (struct gt_moderate *moderate, double sum);

/* Leaves what the copies' statistic, OF_COPIES, rounded once, says of the sample in *TO.
   Returns 0 where the last of its digits that a subnormal number lacks do not tell which
   is nearer.  */
int gt_moderate_back (const struct gt_moderate *moderate, double of_copies, double *to);

/* Whether some elements of x, or, where PRODUCTS is set, of their products with those of
   y, are all so far from 1 that copies may help.  */
int gt_is_far (const struct gt_sample *sample, int products);

/* Leaves STATISTIC of SAMPLE in *TO by way of copies; returns 0 where these do not
   tell.  */
int gt_moderately (const struct gt_sample *sample, const struct gt_homogeneous *of,
                   gt_statistic *statistic, double *to);

#endif
