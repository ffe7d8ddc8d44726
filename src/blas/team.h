/* Products in fast mode by several threads, each of which computes blocks of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_TEAM_H
#define GT_MATRIX_TEAM_H

#include "src/blas/product.h"
#include "src/blas/ways.h"

/* Computes P by an engine in blocks of rows or columns: members of a team claim blocks, and
   the caller computes the blocks that nobody claims.  P is the product of any function of
   levels 2 and 3 except trsv and trsm, whose systems gt_solve_by_team solves.  No side may be
   more than INT_MAX.  Returns 0 if nothing was done: there is no memory for tiles, tiles do
   not solve, or alpha is 0.  */
int gt_product_by_team (const struct gt_product *p, const struct gt_blas_way *way);
int gt_solve_by_team (const struct gt_product *p, const struct gt_blas_way *way);

/* The least rows or columns of a block, since engines are slow for fewer; tests set it to
   less.  */
extern size_t gt_team_least_side;

#endif
