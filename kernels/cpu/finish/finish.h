/* Finishes exact sums: makes of states that nothing has rounded the one number
   that is nearest to a function's exact value.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_FINISH_H
#define GT_KERNELS_CPU_FINISH_H

#include "kernels/cpu/finish/comoments.h"
#include "kernels/types.h"

/* Below, S and T are the sums of x and of y, Q and R those of their squares,
   and P that of the products x y.  States are left as they are.  It is all
   integer arithmetic of the words that are not 0, on the stack (8 KiB at most);
   nothing is allocated and nothing fails.  Every result is rounded once, to
   nearest, ties to even:  an exact zero is +0, what underflows keeps its sign,
   what overflows is infinite.

   Elements that are NaN make every result NaN.  With infinities dot, norm and
   mean are the sum of the infinite terms, whatever else there is; spreads and
   covariances about the mean, and covariances about given numbers, are NaN;
   spreads about a given number are infinite, unless an element and that number
   are the same infinity.  Where GSL divides by the number of elements less
   one, one element gives the result of a division by 0; no elements give
   0.  */

/* P.  */
double gt_finish_dot (const struct gt_product_accumulator *p);
float gt_finish_dot_float (const struct gt_product_accumulator *p);

/* ALPHA + P.  */
float gt_finish_dot_plus_float (const struct gt_product_accumulator *p,
                                float alpha);

/* The square root of Q.  */
double gt_finish_norm (const struct gt_product_accumulator *q);
float gt_finish_norm_float (const struct gt_product_accumulator *q);

/* S / n.  */
double gt_finish_mean (const struct gt_superaccumulator *s, uint64_t n);

/* (n P - S T) / n and so on; and of P - b S - a T + n a b where two numbers, a and b, are
   given in ABOUT, which may be null.  Of one vector T is S.  */
double gt_finish_spread (enum gt_spread what, const struct gt_superaccumulator *s,
                         const struct gt_superaccumulator *t,
                         const struct gt_product_accumulator *p, uint64_t n,
                         const double *about);

/* (n P - S T) / sqrt ((n Q - S^2) (n R - T^2)).  NaN where a vector is
   constant.  */
double gt_finish_correlation (const struct gt_superaccumulator *s,
                              const struct gt_superaccumulator *t,
                              const struct gt_product_accumulator *q,
                              const struct gt_product_accumulator *r,
                              const struct gt_product_accumulator *p,
                              uint64_t n);

/* The same of integers: SUMS are those of moments (S and Q) and of comoments
   (S, T and P).  */
double gt_finish_integer_mean (const struct gt_integer_sums *sums, uint64_t n);
double gt_finish_integer_spread (enum gt_spread what,
                                 const struct gt_integer_sums *sums,
                                 uint64_t n, const double *about);
/* X and Y are the moments of each vector, XY the comoments of both.  */
double gt_finish_integer_correlation (const struct gt_integer_sums *x,
                                      const struct gt_integer_sums *y,
                                      const struct gt_integer_sums *xy,
                                      uint64_t n);

/* Finishes the moments, or for covariances the comoments, that exact mode leaves in
   VALUE, of elements that are INTEGERS or not.  */
double gt_finish_value (enum gt_spread what, const union gt_value *value,
                        int integers, uint64_t n, const double *about);

#endif
