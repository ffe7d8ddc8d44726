/* Superaccumulators on the CPU: arrays of doubles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/wide/products.h"

_Static_assert (32 * GT_PRODUCT_OFFSET == GT_SUPER_LOWEST - GT_PRODUCT_LOWEST,
                "words of both accumulators must meet");

void
gt_super_add_array_f64 (struct gt_superaccumulator *acc, const double *x, size_t n, size_t stride)
{
  for (size_t i = 0; i < n; i++)
    gt_super_add (acc, x[i * stride]);
}

void
gt_product_add_array_f64 (struct gt_product_accumulator *acc, const double *x, size_t x_stride,
                          const double *y, size_t y_stride, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      gt_product_put_f64 (acc, x[i * x_stride], y[i * y_stride]);
      gt_product_noted (acc, 1);
    }
}
