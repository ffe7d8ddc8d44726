/* Statistics by sums of the elements as they are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ELEMENTS_H
#define GT_ELEMENTS_H

#include "kernels/cpu/short/exact_short_sums.h"
#include "kernels/cpu/finish/ball.h"
#include "src/public/sample.h"

/* Of doubles on the host, or of what can be, sums of the elements themselves, of their squares and
   products, come most quickly (kernels/cpu/short/exact_several.c); others than such as lie side
   by side are copied, block by block.  When means are taken off
   most may cancel, and bounds become wide: other ways serve then, as they do where these
   return 0.  All want the environment that exact sums do.  */

/* Whether all elements are doubles on the host, or can be.  */
int gt_elements_are_doubles (const struct gt_sample *sample);

/* The sums WHAT of the sample, or of its weights and data, where it is WEIGHTED; LESS is taken
   off the data, and off y where that is data, too.  Of many elements a team takes them.  */
int gt_elements_sums (const struct gt_sample *sample, enum gt_several what, int weighted,
                      double about, const double less[2], struct gt_ball sums[GT_N_SUMS_OF]);

/* The sum, of magnitudes, squares or products, that REDUCTION says, over BY, or the root of
   that, rounded once: of N doubles side by side on the host, where a CPU computes it.  In any
   other floating-point environment than kernels want 0 is returned, too.  */
int gt_elements_reduced (enum gt_reduction reduction, const double *x, const double *y,
                         size_t n, double by, int root, double *to);

/* Whether these come before the plan's kernel where a CPU computes PROBLEM.  */
int gt_elements_serve (const struct gt_problem *problem);

/* Whether sums of what is left of the elements about the mean that is given are as quick as
   those of the elements: then nothing else is taken off these.  */
int gt_elements_are_about (const struct gt_term *term);

/* Finds the best LESS, and takes it off the means that are given: 0 of data that is not far
   from zero, or where a given mean would lose digits.  AGAIN: of data for which 0 did not do.
   Returns whether that is another way.  The statistic must not change when all of the sample
   is moved.  */
int gt_elements_near_zero (struct gt_sample *sample, int again, double less[2]);

/* The exact value of the sample's statistic, rounded once: a sum of squares or of products
   about means, and what is made of it without weights, or a correlation.  */
int gt_elements_spread (const struct gt_sample *sample, double *to);

/* The sample's skewness or kurtosis, less LESS, with its bound.  */
int gt_elements_moment (const struct gt_sample *sample, const double less[2],
                        struct gt_ball *to);

/* The sum of (x - A) (y - B), of such elements that XY, X and Y are the sums of their products
   and of themselves, their number or weight being N.  */
struct gt_ball gt_elements_about (struct gt_ball xy, struct gt_ball x, struct gt_ball y,
                                  struct gt_ball a, struct gt_ball b, struct gt_ball n);

#endif
