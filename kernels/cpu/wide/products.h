/* Superaccumulators on the CPU: arrays of doubles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_PRODUCTS_H
#define GT_KERNELS_CPU_PRODUCTS_H

#include <stddef.h>

#include "kernels/products.h"

/* Add the N elements x[i * stride], or the products x[i * x_stride] y[i * y_stride], one after
   the other, of any size.  That is slow, and quicker ways are compared with it.  */
void gt_super_add_array_f64 (struct gt_superaccumulator *acc, const double *x, size_t n,
                             size_t stride);
void gt_product_add_array_f64 (struct gt_product_accumulator *acc, const double *x,
                               size_t x_stride, const double *y, size_t y_stride, size_t n);

#endif
