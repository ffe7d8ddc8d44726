/* Calling any function of GSL's that src/functions.def lists, by its address.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GSL_CALLS_H
#define GT_GSL_CALLS_H

#include "kernels/types.h"
#include "src/preload/taken.h"

/* What it is called with: N elements, contiguous if it is a matrix.  */
struct gt_gsl_operands
{
  void *x, *y; /* Y if there are two vectors, else null */
  size_t n, stride[2];
};

struct gt_gsl_call
{
  void (*call) (void *function, const struct gt_gsl_operands *operands);
  enum gt_element_type type;
  int has_stride; /* 0 of a matrix */
  int has_two;    /* whether it needs two vectors */
};

extern const struct gt_gsl_call gt_gsl_calls[GT_N_TAKEN];

#endif
