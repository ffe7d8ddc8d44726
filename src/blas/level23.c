/* The public functions of BLAS levels 2 and 3 on matrices of the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex.h>
#include <gsl/gsl_errno.h>

#include "kernels/inline.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/gsltune.h"
#include "src/blas/side.h"
#include "src/blas/team.h"
#include "src/blas/ways.h"
#include "src/prototypes.h"
#include "src/route/reduce.h"

static const struct gt_scalar gt_one = {1, 0}, gt_zero = {0, 0};
static const struct gt_matrix gt_nothing = {.data = NULL};

/* Returns whether WAY is exact: products are exact in this mode, or WAY has no threads.  */
static inline int
gt_blas_is_exact (const struct gt_blas_way *way)
{
  return !gt_products_are_fast () || way->threads == 0;
}

/* Returns whether WAY is more than one call of a function of CBLAS: results are rounded once,
   or gsltune's tiles compute.  */
static inline int
gt_blas_takes_more (const struct gt_blas_way *way)
{
  return gt_blas_is_exact (way) || way->engine == GT_TILES_ENGINE;
}

/* Returns WAY, or an exact way instead of GSL's syr2k or her2k if these would write outside of
   C.  At least up to version 2.7.1, their versions for transposed matrices step through C by
   A's tda.  */
static inline struct gt_blas_way
gt_blas_way_within (struct gt_blas_way way, CBLAS_TRANSPOSE_t trans, size_t tda, size_t tdc)
{
  if (tda != tdc && trans != CblasNoTrans && way.engine == GT_OWN_ENGINE && gt_level_1_is_gsl ())
    way.threads = 0;
  return way;
}

/* ------------------------------------------------------ Matrices of arguments */

/* Sets each member separately, as gt_transposed does.  */
static inline struct gt_matrix
gt_matrix_of (const void *data, size_t rows, size_t columns, size_t row, size_t column)
{
  struct gt_matrix m;

  m.data = data;
  m.rows = rows;
  m.columns = columns;
  m.row = row;
  m.column = column;
  m.shape = GT_GENERAL;
  m.triangle = GT_WHOLE;
  m.conjugate = m.unit = 0;
  return m;
}

static inline struct gt_matrix
gt_turned (struct gt_matrix m, CBLAS_TRANSPOSE_t trans)
{
  if (trans != CblasNoTrans)
    m = gt_transposed (m);
  m.conjugate = m.conjugate != (trans == CblasConjTrans);
  return m;
}

/* Returns M, marked so that only one triangle is read.  */
static inline struct gt_matrix
gt_half (struct gt_matrix m, enum gt_matrix_shape shape, CBLAS_UPLO_t uplo)
{
  m.shape = shape;
  m.triangle = uplo == CblasUpper ? GT_UPPER : GT_LOWER;
  return m;
}

static inline struct gt_matrix
gt_triangular (struct gt_matrix m, CBLAS_UPLO_t uplo, CBLAS_TRANSPOSE_t trans,
               CBLAS_DIAG_t diag)
{
  m = gt_half (m, GT_TRIANGULAR, uplo);
  m.unit = diag == CblasUnit;
  return gt_turned (m, trans);
}

static inline struct gt_product *
gt_twice (struct gt_product *p)
{
  p->twice = 1;
  return p;
}

/* --------------------------------------------------------------- Computing */

/* If nothing is multiplied, GSL's own function sets C.  Intermediate results of exact numbers
   raise no flags.  */
static int
computed (struct gt_product *p, void (*compute) (const struct gt_product *p))
{
  const int flags = gt_fpenv_flags (GT_F64);
  struct gt_fpenv env;

  if (p->rows == 0 || p->columns == 0 || p->a.columns == 0
      || (p->alpha.re == 0 && p->alpha.im == 0))
    return 0;
  gt_fpenv_enter (&env, GT_F64);
  compute (p);
  gt_fpenv_leave (&env);
  gt_fpenv_lower_flags (GT_F64, flags);
  return 1;
}

/* If nothing is multiplied, one call sets C, as above.  */
static int
computed_by_team (const struct gt_product *p, const struct gt_blas_way *way,
                  int (*compute) (const struct gt_product *, unsigned))
{
  return p->rows && p->columns && p->a.columns && compute (p, way->threads);
}

/* Return whether the product was computed.  */
static int
gt_blas_done (struct gt_product *p, const struct gt_blas_way *way)
{
  return gt_blas_is_exact (way) ? computed (p, gt_product_exactly)
                                : computed_by_team (p, way, gt_product_by_team);
}

static int
gt_blas_solved (struct gt_product *p, const struct gt_blas_way *way)
{
  return gt_blas_is_exact (way) ? computed (p, gt_solve_exactly)
                                : computed_by_team (p, way, gt_solve_by_team);
}

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "src/blas/level23.inc"
#include "src/each_type.h"
