/* Products in fast mode by several threads, each of which has blocks of them computed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_TEAM_H
#define GT_MATRIX_TEAM_H

#include "src/blas/product.h"
#include "src/blas/ways.h"

/* Computes P, of which an engine computes blocks of rows or columns: members of a team claim
   them, and the caller does what nobody comes for.  It is what any function of levels 2 and 3
   makes but trsv and trsm, whose systems the other one solves.  Not for sides of more than
   INT_MAX.  Returns 0 if nothing is done: tiles lack memory, or do not solve, or alpha is 0.  */
int gt_product_by_team (const struct gt_product *p, const struct gt_blas_way *way);
int gt_solve_by_team (const struct gt_product *p, const struct gt_blas_way *way);

/* The least rows or columns of a block, of which engines need some to be quick; tests have
   smaller ones.  */
extern size_t gt_team_least_side;

#endif
