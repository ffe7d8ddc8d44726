/* Products in fast mode by gsltune's tiles and several threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_TEAM_H
#define GT_MATRIX_TEAM_H

#include "src/blas/product.h"

/* Compute the product or the solution P by tiles: THREADS threads claim cells of the result, and
   the caller computes the cells that nobody claims.  Solutions have several columns.  No side may
   be more than INT_MAX.  Return 0 if nothing was done: there is no memory for tiles, the system
   has one column, or alpha is 0.  */
int gt_product_by_team (const struct gt_product *p, unsigned threads);
int gt_solve_by_team (const struct gt_product *p, unsigned threads);

#endif
