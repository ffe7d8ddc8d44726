/* Products of a matrix and a vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_VECTOR_H
#define GT_MATRIX_VECTOR_H

#include "src/matrix/product.h"

/* gt_product_exactly of a general matrix of doubles or complex doubles that lies row by row,
   and of one column, with real coefficients.  Returns 0 where P is something else, or memory
   is short: nothing is done then.  */
int gt_times_vector (const struct gt_product *p);

#endif
