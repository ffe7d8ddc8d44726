/* Product accumulators on the CPU: arrays of numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/wide/products.h"

_Static_assert (32 * GT_PRODUCT_OFFSET == GT_SUPER_LOWEST - GT_PRODUCT_LOWEST,
                "words of both accumulators must meet");

/* Products between two notes.  */
#define RUN ((size_t) GT_SUPER_LIMIT / 2)

void
gt_product_add_array_f64 (struct gt_product_accumulator *acc, const double *x, size_t x_stride,
                          const double *y, size_t y_stride, size_t n)
{
  for (size_t i = 0, end; i < n; i = end)
    {
      end = n - i < RUN ? n : i + RUN;
      for (size_t k = i; k < end; k++)
        gt_product_put_f64 (acc, x[k * x_stride], y[k * y_stride]);
      gt_product_noted (acc, (uint32_t) (end - i));
    }
}
