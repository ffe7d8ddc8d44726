/* The choice of the LAPACK that factorises a matrix.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_FACTORS_H
#define GT_MATRIX_FACTORS_H

#include "src/blas/engines.h"
#include "src/plan/steps.h"

/* GT_FACTOR_linalg_cholesky_decomp and so on: the functions of gt_factors, whose ways are
   those of engines.  */
enum gt_factor_id
{
#define FACTOR(name, from) GT_FACTOR_##name,
#include "src/blas/factors.inc"
  GT_N_FACTORS
};

/* Returns the library that applies FACTOR to a matrix of ROWS and COLUMNS, or null if GSL's
   function does, as it does in the modes that are not fast.  */
const struct gt_engine *gt_factor_engine (enum gt_factor_id factor, size_t rows, size_t columns);

/* Returns the number of multiplications of a factorisation; it selects the step of the
   profile.  */
static inline uint64_t
gt_factor_work (size_t rows, size_t columns)
{
  return (uint64_t) rows * columns * (rows < columns ? rows : columns);
}

/* ------------------------------------------- For the tuner and what explains */

/* Checks whether ENGINE has FACTOR.  */
int gt_factor_has (const struct gt_engine *engine, enum gt_factor_id factor);

/* Returns the function as which FACTOR is measured.  Its name, "linalg_QR_decomp", is the
   kind of its steps (src/profile/profile.h).  */
enum gt_factor_id gt_factor_leader (enum gt_factor_id factor);
extern const char *const gt_factor_names[GT_N_FACTORS];

#endif
