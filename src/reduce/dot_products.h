/* Sums of products of two vectors on the host or on a GPU, and norms.

   Fast mode adds the products in double, for floats, too, unless the sample's task is single
   (kernels/task.h); the other modes round the exact sum once.  A norm is the square root of
   the sum of squares.  If products or squares are out of the range of doubles, they are added
   in accumulators that neither overflow nor underflow.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DOT_PRODUCTS_H
#define GT_DOT_PRODUCTS_H

#include "src/reduce/sample.h"

/* Return 0 for empty vectors.  */
double gt_dot (struct gt_sample *sample);

/* Returns the dot product plus ALPHA, rounded to float: once in exact mode.  */
float gt_dot_float (struct gt_sample *sample, float alpha);

double gt_norm (struct gt_sample *sample);
float gt_norm_float (struct gt_sample *sample);

/* Stores the exact sum of the floats in MEMORY, or of their magnitudes, finished, in VALUE, if
   rounded sums on a GPU decide it.  Otherwise returns 0.  */
int gt_sum_on_gpu (const struct gsltune_device_memory *memory,
                   enum gt_reduction reduction, enum gt_arithmetic arithmetic,
                   union gt_value *value);

#endif
