/* Exact sums of products of similar size: windows.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_EXACT_PRODUCTS_H
#define GT_KERNELS_CPU_EXACT_PRODUCTS_H

#include "kernels/cpu/exact/exact.h"

#define GT_PRODUCT_LEVELS 6  /* at most */
#define GT_PRODUCT_STEP 44   /* bits from one level to the next */
#define GT_PRODUCT_LENGTH 256 /* numbers that one accumulator takes */
#define GT_PRODUCT_CHAINS 2

/* Where level L counts in units of: 2 to this power.  */
#define GT_PRODUCT_UNIT(top, l) ((top) - (int) (l) * GT_PRODUCT_STEP - 52)

/* The least top with which a product that fits is at least 2^-968, or zero
   (kernels/cpu/exact/exact_products.c).  */
#define GT_PRODUCT_LOWEST_TOP \
  (-968 + 52 + (GT_PRODUCT_LEVELS - 2) * GT_PRODUCT_STEP)

/* As struct gt_window.  */
struct gt_product_window
{
  _Alignas (64) uint64_t total[GT_PRODUCT_LEVELS][GT_WINDOW_LANES];
  int top;
  unsigned levels; /* 2, 3, 4 or GT_PRODUCT_LEVELS */
};

/* How many products a call may add, a little less than there is room for.  */
#define GT_PRODUCT_BLOCK(lanes) (240 * (size_t) (lanes))

/* Add N products x[i] y[i] to the window and return 1; or, when they do not fit,
   return 0 and have changed nothing.  N is GT_PRODUCT_BLOCK at most, and memory must
   be readable from the lanes of a vector before the end.  Products of floats are
   doubles; products of doubles are not.  */
typedef int gt_product_window_function (const double *x, const double *y,
                                        size_t n,
                                        struct gt_product_window *window);

#ifdef GT_ISA
gt_product_window_function GT_FOR_ISA (gt_products_of_doubles);
gt_product_window_function GT_FOR_ISA (gt_products_of_floats);
#endif

#endif
