/* The functions that the preloaded object defines in place of GSL's: one for each row of
   src/functions.def and of src/procedures.def and each type.  Each calls ours or GSL's own;
   see src/preload/call.h.  GSL's headers are included so that the compiler compares the
   prototypes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

/* All other symbols of the object are hidden.  */
#pragma GCC visibility push(default)
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_sort_vector.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_vector.h>
#pragma GCC visibility pop

#include "src/preload/call.h"
#include "src/prototypes.h"

/* The arguments of gt_enter for each kind of operands.  NONE is 1 if there may be no elements;
   two vectors of different lengths are an error; the elements of a matrix are counted like an
   array's.  */
#define SEEN_VECTOR(none, prototype) (none) || v->size > 0, v->size, &v->stride, NULL
#define SEEN_VECTORS(none, prototype) x->size == y->size, x->size, &x->stride, &y->stride
#define SEEN_ARRAY(none, prototype) (none) || n > 0, n, &stride, NULL
#define SEEN_ARRAYS(none, prototype) 1, n, &stride1, &stride2
#define SEEN_MATRIX(none, prototype) \
  m->size1 > 0 && m->size2 > 0, m->size1 * m->size2, &contiguous, NULL
static const size_t contiguous = 1;

#define NONE_ERROR 0
#define NONE_ZERO 1
#define NONE_MINUS_3 1
#define NONE_NOT_A_NUMBER 1

#define ROW(symbol, family, name, infix, reduction, prototype, empty) \
  TAKEN (symbol, prototype, NONE_##empty)
#define TAKEN(symbol, prototype, none) \
  TAKEN_BY (gt_enter, symbol, prototype, &call, (enum gt_taken_id) THIS, SEEN (prototype, none))
#define TAKEN_BY(enter, symbol, prototype, ...)                                       \
  GT_RETURNS (prototype) gsl_##symbol GT_TAKES (prototype)                            \
  {                                                                                   \
    enum { THIS = GT_TAKEN_##symbol };                                                \
    struct gt_call call;                                                              \
    const struct gt_turn turn __attribute__ ((cleanup (gt_leave)))                    \
      = enter (__VA_ARGS__, __builtin_return_address (0));                            \
    return GT_AS (prototype, turn.function) GT_PASSES (prototype);                    \
  }
#define SEEN(prototype, none) NAMED_BY (SEEN_, GT_OPERANDS (prototype), ) (none, prototype)

/* For products of matrices, the number of multiplications is the length; the rows and columns
   of the result, or of the matrix that is multiplied by a vector, replace the strides.  */
#define SEEN_OF(prototype, n, m) FINDING (prototype, n), n, &m->size1, &m->size2
#define SEEN_MATRIX_A(none, prototype) SEEN_OF (prototype, a->size1 * a->size2, a)
#define SEEN_SQUARE_AND_MATRIX(none, prototype) \
  SEEN_OF (prototype, a->size1 * b->size1 * b->size2, b)
#define SEEN_MATRIX_AND_SQUARE(none, prototype) \
  SEEN_OF (prototype, a->size1 * a->size2 * c->size1, c)
/* GSL skips zeros of A if it processes B row by row.  */
#define SEEN_MATRICES(none, prototype)                                                      \
  FINDING (prototype, PRODUCTS_OF_C) == GT_UNDEFINED ? GT_UNDEFINED                         \
  : trans_b == CblasNoTrans && !gt_inside                                                   \
      && gt_is_sparse (a->data, a->size1, a->size2, a->tda, sizeof (SCALAR), PRODUCTS_OF_C) \
    ? GT_SPARSE : GT_DEFINED,                                                               \
    PRODUCTS_OF_C, &c->size1, &c->size2
#define PRODUCTS_OF_C (c->size1 * c->size2 * (trans == CblasNoTrans ? a->size2 : a->size1))

/* Operands are examined only if our function may be called.  */
#define FINDING(prototype, n)                                                               \
  ((n) >= gt_taken_here_from ((enum gt_taken_id) THIS) && !gt_inside                        \
       && gt_has_special ((const struct gt_seen[]) {OPERANDS_##prototype, {0}})          \
     ? GT_UNDEFINED : GT_DEFINED)
#define OF_MATRIX(m) {(m)->data, (m)->size1, (m)->size2, (m)->tda, sizeof (SCALAR), sizeof (TYPE)}
#define OF_VECTOR(v) {(v)->data, (v)->size, 1, (v)->stride, sizeof (SCALAR), sizeof (TYPE)}
#define OF_NUMBER(number) {&(number), 1, 1, 1, sizeof (number), sizeof (TYPE)}
#define OPERANDS_BLAS_GEMV OF_NUMBER (alpha), OF_MATRIX (a), OF_VECTOR (x), OF_VECTOR (y)
#define OPERANDS_BLAS_TRMV OF_MATRIX (a), OF_VECTOR (x)
#define OPERANDS_BLAS_SYMV OPERANDS_BLAS_GEMV
#define OPERANDS_BLAS_GER OF_NUMBER (alpha), OF_VECTOR (x), OF_VECTOR (y)
#define OPERANDS_BLAS_SYR OF_NUMBER (alpha), OF_VECTOR (x)
#define OPERANDS_BLAS_HER OF_NUMBER (real_alpha), OF_VECTOR (x)
#define OPERANDS_BLAS_SYR2 OPERANDS_BLAS_GER
#define OPERANDS_BLAS_GEMM OF_NUMBER (alpha), OF_MATRIX (a), OF_MATRIX (b), OF_MATRIX (c)
#define OPERANDS_BLAS_SYMM OPERANDS_BLAS_GEMM
#define OPERANDS_BLAS_SYRK OF_NUMBER (alpha), OF_MATRIX (a), OF_MATRIX (c)
#define OPERANDS_BLAS_HERK OF_NUMBER (real_alpha), OF_MATRIX (a), OF_MATRIX (c)
#define OPERANDS_BLAS_SYR2K OPERANDS_BLAS_GEMM
#define OPERANDS_BLAS_HER2K OPERANDS_BLAS_GEMM
#define OPERANDS_BLAS_TRMM OF_NUMBER (alpha), OF_MATRIX (a), OF_MATRIX (b)
#define PROCEDURE_ROW(symbol, family, name, infix, bits, prototype, from) \
  TAKEN (symbol, prototype, NONE_ZERO)
#include "src/preload/rows.inc"
#define SORT_ROW(symbol, family, name, infix, bits, prototype) \
  TAKEN (symbol, prototype, NONE_ZERO)
#include "src/preload/rows.inc"
#define UPDATE_ROW(symbol, family, name, infix, bits, prototype) \
  TAKEN (symbol, prototype, NONE_ZERO)
#include "src/preload/rows.inc"

/* The length of a factorisation is its number of multiplications; see src/blas/factors.h.  */
#define SEEN_FACTORED(none, prototype) GT_DEFINED, WORK_OF_A, &a->size1, &a->size2
#define SEEN_FACTORED_FOR_FITS(none, prototype)                                             \
  gt_shows_signs ((enum gt_taken_id) THIS, WORK_OF_A, __builtin_return_address (0))         \
    ? GT_SIGNED : GT_DEFINED,                                                               \
    WORK_OF_A, &a->size1, &a->size2
#define WORK_OF_A (a->size1 * a->size2 * (a->size1 < a->size2 ? a->size1 : a->size2))
#define FACTOR_ROW(symbol, family, name, infix, bits, prototype, from)                \
  TAKEN_BY (gt_enter_factor, symbol, prototype, &call, from, (enum gt_taken_id) THIS, \
            SEEN (prototype, NONE_ZERO))
#include "src/preload/rows.inc"
