/* What a plain loop over vectors of the machine's width reads: the ceiling that
   fast sums are held to.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_PLAIN_H
#define GT_BENCH_PLAIN_H

#include <gsl/gsl_vector.h>

/* Sums of contiguous elements by one thread.  */
struct gt_plain
{
  double (*f64) (const gsl_vector *v);
  float (*f32) (const gsl_vector_float *v);
  int (*u32) (const gsl_vector_int *v);
};

/* The loops for the instruction set that the library uses, gt_isa ().  */
const struct gt_plain *gt_plain (void);

#endif
