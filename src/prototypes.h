/* The prototypes of the functions in src/functions.def, in the words of templates of
   src/each_type.h.

   GT_FAMILY_RESULT is a row of columns: the answer, (the parameters), (their names), the kind
   of operands, and two additional numbers.

   Answers are returned, a VALUE of the type, a NUMBER, which is a double, or an INDEX; or
   stored, VALUES in min and max, INDEXES in i and j, four PLACES in i to l, a PRODUCT in
   to, a WIDE one in wide; these two return an error code.  Procedures
   (src/procedures.def) return a STATUS, an error code, or NOTHING, or as others.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROTOTYPES_H
#define GT_PROTOTYPES_H

#include "kernels/columns.h"

#define GT_COLUMNS_5_6(a, b, c, d, e, f, ...) e, f

#define GT_A_COMPLEX NAMED (gsl, )
#define GT_A_VECTOR const NAMED (gsl_vector, )
#define GT_A_MATRIX const NAMED (gsl_matrix, )
#define GT_A_DEVICE_VECTOR const NAMED (gsltune_device_vector, )
#define GT_ARRAY const TYPE data[], const size_t stride, const size_t n
#define GT_ARRAYS \
  const TYPE data1[], const size_t stride1, const TYPE data2[], const size_t stride2, \
    const size_t n
#define GT_ARRAYS_PASSED data1, stride1, data2, stride2, n

#define GT_DEVICES GT_A_DEVICE_VECTOR *dx, GT_A_DEVICE_VECTOR *dy

#define GT_VECTOR_VALUE VALUE, (GT_A_VECTOR *v), (v), VECTOR, 0, 0
#define GT_VECTOR_VALUES \
  VALUES, (GT_A_VECTOR *v, TYPE *min, TYPE *max), (v, min, max), VECTOR, 0, 0
#define GT_VECTOR_INDEX INDEX, (GT_A_VECTOR *v), (v), VECTOR, 0, 0
#define GT_VECTOR_INDEXES \
  INDEXES, (GT_A_VECTOR *v, size_t *i, size_t *j), (v, i, j), VECTOR, 0, 0

/* CBLAS_INDEX_t is a size_t.  */
#define GT_BLAS_VALUE GT_VECTOR_VALUE
#define GT_BLAS_INDEX GT_VECTOR_INDEX
#define GT_BLAS_PRODUCT \
  PRODUCT, (GT_A_VECTOR *x, GT_A_VECTOR *y, TYPE *to), (x, y, to), VECTORS, 0, 0
#define GT_BLAS_PRODUCT_WIDE \
  WIDE, (GT_A_VECTOR *x, GT_A_VECTOR *y, double *wide), (x, y, wide), VECTORS, 0, 0
#define GT_BLAS_PRODUCT_FROM \
  PRODUCT, (TYPE alpha, GT_A_VECTOR *x, GT_A_VECTOR *y, TYPE *to), (alpha, x, y, to), \
    VECTORS, alpha, 0
#define GT_BLAS_PRODUCT_COMPLEX \
  PRODUCT, (GT_A_VECTOR *x, GT_A_VECTOR *y, GT_A_COMPLEX *to), (x, y, to), VECTORS, 0, 0

#define GT_STATS_VALUE VALUE, (GT_ARRAY), (data, stride, n), ARRAY, 0, 0
#define GT_STATS_VALUES \
  VALUES, (TYPE *min, TYPE *max, GT_ARRAY), (min, max, data, stride, n), ARRAY, 0, 0
#define GT_STATS_INDEX INDEX, (GT_ARRAY), (data, stride, n), ARRAY, 0, 0
#define GT_STATS_INDEXES \
  INDEXES, (size_t *i, size_t *j, GT_ARRAY), (i, j, data, stride, n), ARRAY, 0, 0
#define GT_STATS_DOUBLE NUMBER, (GT_ARRAY), (data, stride, n), ARRAY, 0, 0
#define GT_STATS_DOUBLE_M \
  NUMBER, (GT_ARRAY, const double mean), (data, stride, n, mean), ARRAY, mean, 0
#define GT_STATS_DOUBLE_M_SD \
  NUMBER, (GT_ARRAY, const double mean, const double sd), \
    (data, stride, n, mean, sd), ARRAY, mean, sd
#define GT_STATS_PAIR NUMBER, (GT_ARRAYS), (GT_ARRAYS_PASSED), ARRAYS, 0, 0
#define GT_STATS_PAIR_M \
  NUMBER, (GT_ARRAYS, const double mean1, const double mean2), \
    (GT_ARRAYS_PASSED, mean1, mean2), ARRAYS, mean1, mean2
#define GT_STATS_WEIGHTED GT_STATS_PAIR
#define GT_STATS_WEIGHTED_M \
  NUMBER, (GT_ARRAYS, const double mean), (GT_ARRAYS_PASSED, mean), ARRAYS, mean, 0
#define GT_STATS_WEIGHTED_M_SD \
  NUMBER, (GT_ARRAYS, const double mean, const double sd), \
    (GT_ARRAYS_PASSED, mean, sd), ARRAYS, mean, sd

#define GT_VECTOR_CHANGED NAMED (gsl_vector, )
#define GT_MATRIX_CHANGED NAMED (gsl_matrix, )
#define GT_BLAS_GEMV                                                                  \
  STATUS, (CBLAS_TRANSPOSE_t trans, SCALAR alpha, GT_A_MATRIX *a, GT_A_VECTOR *x,     \
           SCALAR beta, GT_VECTOR_CHANGED *y),                                        \
    (trans, alpha, a, x, beta, y), MATRIX_A, 0, 0
#define GT_BLAS_TRMV                                                                  \
  STATUS, (CBLAS_UPLO_t uplo, CBLAS_TRANSPOSE_t trans, CBLAS_DIAG_t diag,             \
           GT_A_MATRIX *a, GT_VECTOR_CHANGED *x),                                     \
    (uplo, trans, diag, a, x), MATRIX_A, 0, 0
#define GT_BLAS_SYMV                                                                  \
  STATUS, (CBLAS_UPLO_t uplo, SCALAR alpha, GT_A_MATRIX *a, GT_A_VECTOR *x,           \
           SCALAR beta, GT_VECTOR_CHANGED *y),                                        \
    (uplo, alpha, a, x, beta, y), MATRIX_A, 0, 0
#define GT_BLAS_GER                                                                   \
  STATUS, (SCALAR alpha, GT_A_VECTOR *x, GT_A_VECTOR *y, GT_MATRIX_CHANGED *a),       \
    (alpha, x, y, a), MATRIX_A, 0, 0
#define GT_BLAS_SYR                                                                   \
  STATUS, (CBLAS_UPLO_t uplo, SCALAR alpha, GT_A_VECTOR *x, GT_MATRIX_CHANGED *a),    \
    (uplo, alpha, x, a), MATRIX_A, 0, 0
#define GT_BLAS_HER                                                                   \
  STATUS, (CBLAS_UPLO_t uplo, TYPE real_alpha, GT_A_VECTOR *x, GT_MATRIX_CHANGED *a), \
    (uplo, real_alpha, x, a), MATRIX_A, 0, 0
#define GT_BLAS_SYR2                                                                  \
  STATUS, (CBLAS_UPLO_t uplo, SCALAR alpha, GT_A_VECTOR *x, GT_A_VECTOR *y,           \
           GT_MATRIX_CHANGED *a),                                                     \
    (uplo, alpha, x, y, a), MATRIX_A, 0, 0
#define GT_BLAS_GEMM                                                                  \
  STATUS, (CBLAS_TRANSPOSE_t trans, CBLAS_TRANSPOSE_t trans_b, SCALAR alpha,          \
           GT_A_MATRIX *a, GT_A_MATRIX *b, SCALAR beta, GT_MATRIX_CHANGED *c),        \
    (trans, trans_b, alpha, a, b, beta, c), MATRICES, 0, 0
#define GT_BLAS_SYMM                                                                  \
  STATUS, (CBLAS_SIDE_t side, CBLAS_UPLO_t uplo, SCALAR alpha, GT_A_MATRIX *a,        \
           GT_A_MATRIX *b, SCALAR beta, GT_MATRIX_CHANGED *c),                        \
    (side, uplo, alpha, a, b, beta, c), SQUARE_AND_MATRIX, 0, 0
#define GT_BLAS_SYRK                                                                  \
  STATUS, (CBLAS_UPLO_t uplo, CBLAS_TRANSPOSE_t trans, SCALAR alpha, GT_A_MATRIX *a,  \
           SCALAR beta, GT_MATRIX_CHANGED *c),                                        \
    (uplo, trans, alpha, a, beta, c), MATRIX_AND_SQUARE, 0, 0
#define GT_BLAS_HERK                                                                  \
  STATUS, (CBLAS_UPLO_t uplo, CBLAS_TRANSPOSE_t trans, TYPE real_alpha,               \
           GT_A_MATRIX *a, TYPE real_beta, GT_MATRIX_CHANGED *c),                     \
    (uplo, trans, real_alpha, a, real_beta, c), MATRIX_AND_SQUARE, 0, 0
#define GT_BLAS_SYR2K                                                                 \
  STATUS, (CBLAS_UPLO_t uplo, CBLAS_TRANSPOSE_t trans, SCALAR alpha, GT_A_MATRIX *a,  \
           GT_A_MATRIX *b, SCALAR beta, GT_MATRIX_CHANGED *c),                        \
    (uplo, trans, alpha, a, b, beta, c), MATRIX_AND_SQUARE, 0, 0
#define GT_BLAS_HER2K                                                                 \
  STATUS, (CBLAS_UPLO_t uplo, CBLAS_TRANSPOSE_t trans, SCALAR alpha, GT_A_MATRIX *a,  \
           GT_A_MATRIX *b, TYPE real_beta, GT_MATRIX_CHANGED *c),                     \
    (uplo, trans, alpha, a, b, real_beta, c), MATRIX_AND_SQUARE, 0, 0
#define GT_BLAS_TRMM                                                                  \
  STATUS, (CBLAS_SIDE_t side, CBLAS_UPLO_t uplo, CBLAS_TRANSPOSE_t trans,             \
           CBLAS_DIAG_t diag, SCALAR alpha, GT_A_MATRIX *a, GT_MATRIX_CHANGED *b),    \
    (side, uplo, trans, diag, alpha, a, b), SQUARE_AND_MATRIX, 0, 0

#define GT_UPDATE_AXPY \
  STATUS, (SCALAR alpha, GT_A_VECTOR *x, GT_VECTOR_CHANGED *y), (alpha, x, y), VECTORS, 0, 0
#define GT_UPDATE_SCAL NOTHING, (SCALAR alpha, GT_VECTOR_CHANGED *v), (alpha, v), VECTOR, 0, 0
#define GT_UPDATE_SCAL_REAL \
  NOTHING, (TYPE real_alpha, GT_VECTOR_CHANGED *v), (real_alpha, v), VECTOR, 0, 0
#define GT_UPDATE_SWAP \
  STATUS, (GT_VECTOR_CHANGED *x, GT_VECTOR_CHANGED *y), (x, y), VECTORS, 0, 0
#define GT_UPDATE_COPY STATUS, (GT_A_VECTOR *x, GT_VECTOR_CHANGED *y), (x, y), VECTORS, 0, 0
#define GT_UPDATE_ROT                                                                 \
  STATUS, (GT_VECTOR_CHANGED *x, GT_VECTOR_CHANGED *y, const TYPE c, const TYPE s),   \
    (x, y, c, s), VECTORS, 0, 0

#define GT_PLACED const size_t stride, const size_t n
#define GT_SORT_ARRAY NOTHING, (TYPE *data, GT_PLACED), (data, stride, n), ARRAY, 0, 0
#define GT_SORT_ARRAYS                                                                \
  NOTHING, (TYPE *data1, const size_t stride1, TYPE *data2, const size_t stride2,     \
            const size_t n), (GT_ARRAYS_PASSED), ARRAYS, 0, 0
#define GT_SORT_VECTOR NOTHING, (GT_VECTOR_CHANGED *v), (v), VECTOR, 0, 0
#define GT_SORT_VECTORS \
  NOTHING, (GT_VECTOR_CHANGED *x, GT_VECTOR_CHANGED *y), (x, y), VECTORS, 0, 0
#define GT_SORT_INDEX NOTHING, (size_t *p, GT_ARRAY), (p, data, stride, n), ARRAY, 0, 0
#define GT_SORT_VECTOR_INDEX \
  STATUS, (gsl_permutation *order, GT_A_VECTOR *v), (order, v), VECTOR, 0, 0
#define GT_STATS_SELECT \
  VALUE, (TYPE data[], GT_PLACED, const size_t k), (data, stride, n, k), ARRAY, 0, 0
#define GT_STATS_MEDIAN NUMBER, (TYPE data[], GT_PLACED), (data, stride, n), ARRAY, 0, 0
#define GT_STATS_MAD NUMBER, (GT_ARRAY, double work[]), (data, stride, n, work), ARRAY, 0, 0

#define GT_MATRIX_VALUE VALUE, (GT_A_MATRIX *m), (m), MATRIX, 0, 0
#define GT_MATRIX_VALUES \
  VALUES, (GT_A_MATRIX *m, TYPE *min, TYPE *max), (m, min, max), MATRIX, 0, 0
#define GT_MATRIX_INDEX \
  INDEXES, (GT_A_MATRIX *m, size_t *i, size_t *j), (m, i, j), MATRIX, 0, 0
#define GT_MATRIX_INDEXES \
  PLACES, (GT_A_MATRIX *m, size_t *i, size_t *j, size_t *k, size_t *l), \
    (m, i, j, k, l), MATRIX, 0, 0

#define GT_DEVICE_VECTOR_VALUE VALUE, (GT_A_DEVICE_VECTOR *dv), (dv), DEVICE, 0, 0
#define GT_DEVICE_VECTOR_VALUES \
  VALUES, (GT_A_DEVICE_VECTOR *dv, TYPE *min, TYPE *max), (dv, min, max), DEVICE, 0, 0
#define GT_DEVICE_VECTOR_INDEX INDEX, (GT_A_DEVICE_VECTOR *dv), (dv), DEVICE, 0, 0
#define GT_DEVICE_VECTOR_INDEXES \
  INDEXES, (GT_A_DEVICE_VECTOR *dv, size_t *i, size_t *j), (dv, i, j), DEVICE, 0, 0
#define GT_DEVICE_VECTOR_PRODUCT \
  PRODUCT, (GT_DEVICES, TYPE *to), (dx, dy, to), DEVICES, 0, 0
#define GT_DEVICE_VECTOR_PRODUCT_COMPLEX \
  PRODUCT, (GT_DEVICES, GT_A_COMPLEX *to), (dx, dy, to), DEVICES, 0, 0
#define GT_DEVICE_VECTOR_DOUBLE NUMBER, (GT_A_DEVICE_VECTOR *dv), (dv), DEVICE, 0, 0
#define GT_DEVICE_VECTOR_PAIR NUMBER, (GT_DEVICES), (dx, dy), DEVICES, 0, 0
#define GT_DEVICE_VECTOR_WEIGHTED GT_DEVICE_VECTOR_PAIR

/* Factorisations.  */
#define GT_FACTOR_CHOLESKY STATUS, (gsl_matrix *a), (a), FACTORED, 0, 0
#define GT_FACTOR_QR STATUS, (gsl_matrix *a, gsl_vector *tau), (a, tau), FACTORED, 0, 0
#define GT_FACTOR_QR_R STATUS, (gsl_matrix *a, gsl_matrix *t), (a, t), FACTORED, 0, 0
#define GT_FACTOR_SV                                                                  \
  STATUS, (gsl_matrix *a, gsl_matrix *v, gsl_vector *s, gsl_vector *work),            \
    (a, v, s, work), FACTORED, 0, 0
#define GT_FACTOR_SV_MOD                                                              \
  STATUS,                                                                             \
    (gsl_matrix *a, gsl_matrix *x, gsl_matrix *v, gsl_vector *s, gsl_vector *work),   \
    (a, x, v, s, work), FACTORED_FOR_FITS, 0, 0
#define GT_FACTOR_SYMM                                                                \
  STATUS, (gsl_matrix *a, gsl_vector *eval, gsl_eigen_symm_workspace *w),             \
    (a, eval, w), FACTORED, 0, 0
#define GT_FACTOR_SYMMV                                                               \
  STATUS,                                                                             \
    (gsl_matrix *a, gsl_vector *eval, gsl_matrix *evec, gsl_eigen_symmv_workspace *w), \
    (a, eval, evec, w), FACTORED, 0, 0
#define GT_FACTOR_HERM                                                                \
  STATUS, (gsl_matrix_complex *a, gsl_vector *eval, gsl_eigen_herm_workspace *w),     \
    (a, eval, w), FACTORED, 0, 0
#define GT_FACTOR_HERMV                                                               \
  STATUS,                                                                             \
    (gsl_matrix_complex *a, gsl_vector *eval, gsl_matrix_complex *evec,               \
     gsl_eigen_hermv_workspace *w),                                                   \
    (a, eval, evec, w), FACTORED, 0, 0
#define GT_FACTOR_NONSYMM                                                             \
  STATUS, (gsl_matrix *a, gsl_vector_complex *eval, gsl_eigen_nonsymm_workspace *w),  \
    (a, eval, w), FACTORED, 0, 0
#define GT_FACTOR_NONSYMMV                                                            \
  STATUS,                                                                             \
    (gsl_matrix *a, gsl_vector_complex *eval, gsl_matrix_complex *evec,               \
     gsl_eigen_nonsymmv_workspace *w),                                                \
    (a, eval, evec, w), FACTORED, 0, 0

/* Functions of existing sums (gsltune_moments), which have no extremes.  */
#define GT_MOMENTS_VALUE GT_STATS_VALUE
#define GT_MOMENTS_VALUES GT_STATS_VALUES
#define GT_MOMENTS_INDEX GT_STATS_INDEX
#define GT_MOMENTS_INDEXES GT_STATS_INDEXES
#define GT_A_MOMENTS const gsltune_moments *m
#define GT_MOMENTS_DOUBLE NUMBER, (GT_A_MOMENTS), (m), MOMENTS, 0, 0
#define GT_MOMENTS_DOUBLE_M NUMBER, (GT_A_MOMENTS, double mean), (m, mean), MOMENTS, mean, 0
#define GT_MOMENTS_DOUBLE_M_SD \
  NUMBER, (GT_A_MOMENTS, double mean, double sd), (m, mean, sd), MOMENTS, mean, sd
#define GT_MOMENTS_PAIR GT_MOMENTS_DOUBLE
#define GT_MOMENTS_PAIR_M \
  NUMBER, (GT_A_MOMENTS, double mean1, double mean2), (m, mean1, mean2), \
    MOMENTS, mean1, mean2
#define GT_MOMENTS_WEIGHTED GT_MOMENTS_DOUBLE
#define GT_MOMENTS_WEIGHTED_M GT_MOMENTS_DOUBLE_M
#define GT_MOMENTS_WEIGHTED_M_SD GT_MOMENTS_DOUBLE_M_SD

/* Statistics of the elements of all processes of a communicator.  */
#define GT_MPI_VALUE GT_STATS_VALUE
#define GT_MPI_VALUES GT_STATS_VALUES
#define GT_MPI_INDEX GT_STATS_INDEX
#define GT_MPI_INDEXES GT_STATS_INDEXES
#define GT_MPI_DOUBLE NUMBER, (GT_ARRAY, MPI_Comm comm), (data, stride, n, comm), ARRAY, 0, 0
#define GT_MPI_DOUBLE_M \
  NUMBER, (GT_ARRAY, double mean, MPI_Comm comm), (data, stride, n, mean, comm), ARRAY, \
    mean, 0
#define GT_MPI_DOUBLE_M_SD \
  NUMBER, (GT_ARRAY, double mean, double sd, MPI_Comm comm), \
    (data, stride, n, mean, sd, comm), ARRAY, mean, sd
#define GT_MPI_PAIR NUMBER, (GT_ARRAYS, MPI_Comm comm), (GT_ARRAYS_PASSED, comm), ARRAYS, 0, 0
#define GT_MPI_PAIR_M \
  NUMBER, (GT_ARRAYS, double mean1, double mean2, MPI_Comm comm), \
    (GT_ARRAYS_PASSED, mean1, mean2, comm), ARRAYS, mean1, mean2
#define GT_MPI_WEIGHTED GT_MPI_PAIR
#define GT_MPI_WEIGHTED_M \
  NUMBER, (GT_ARRAYS, double mean, MPI_Comm comm), (GT_ARRAYS_PASSED, mean, comm), \
    ARRAYS, mean, 0
#define GT_MPI_WEIGHTED_M_SD \
  NUMBER, (GT_ARRAYS, double mean, double sd, MPI_Comm comm), \
    (GT_ARRAYS_PASSED, mean, sd, comm), ARRAYS, mean, sd

/* X (prototype) for each.  */
#define GT_STATISTIC_PROTOTYPES(X, family)                                            \
  X (family##_DOUBLE) X (family##_DOUBLE_M) X (family##_DOUBLE_M_SD)                  \
  X (family##_PAIR) X (family##_PAIR_M)                                               \
  X (family##_WEIGHTED) X (family##_WEIGHTED_M) X (family##_WEIGHTED_M_SD)
#define GT_EXTREME_PROTOTYPES(X, family)                                              \
  X (family##_VALUE) X (family##_VALUES) X (family##_INDEX) X (family##_INDEXES)
#define GT_HOST_PROTOTYPES(X)                                                         \
  GT_EXTREME_PROTOTYPES (X, VECTOR)                                                   \
  X (BLAS_VALUE) X (BLAS_INDEX)                                                       \
  X (BLAS_PRODUCT) X (BLAS_PRODUCT_WIDE) X (BLAS_PRODUCT_FROM)                        \
  GT_EXTREME_PROTOTYPES (X, STATS) GT_STATISTIC_PROTOTYPES (X, STATS)                 \
  GT_EXTREME_PROTOTYPES (X, MATRIX)
#define GT_DEVICE_PROTOTYPES(X)                                                       \
  GT_EXTREME_PROTOTYPES (X, DEVICE_VECTOR) X (DEVICE_VECTOR_PRODUCT)                  \
  X (DEVICE_VECTOR_DOUBLE) X (DEVICE_VECTOR_PAIR) X (DEVICE_VECTOR_WEIGHTED)
/* The additional prototypes of complex types, on the host and on devices.  */
#define GT_COMPLEX_PROTOTYPES(X) \
  X (BLAS_PRODUCT_COMPLEX) X (DEVICE_VECTOR_PRODUCT_COMPLEX)

/* The prototypes of procedures: those of BLAS, and those of all real types.  */
#define GT_SORT_PROTOTYPES(X)                                                         \
  X (SORT_ARRAY) X (SORT_ARRAYS) X (SORT_VECTOR) X (SORT_VECTORS) X (SORT_INDEX)      \
  X (SORT_VECTOR_INDEX) X (STATS_SELECT) X (STATS_MEDIAN) X (STATS_MAD)
#define GT_UPDATE_PROTOTYPES(X)                                                       \
  X (UPDATE_AXPY) X (UPDATE_SCAL) X (UPDATE_SCAL_REAL) X (UPDATE_SWAP) X (UPDATE_COPY) \
  X (UPDATE_ROT)
#define GT_PROCEDURE_PROTOTYPES(X)                                                    \
  X (BLAS_GEMV) X (BLAS_TRMV) X (BLAS_SYMV) X (BLAS_GER) X (BLAS_SYR) X (BLAS_HER)    \
  X (BLAS_SYR2) X (BLAS_GEMM) X (BLAS_SYMM) X (BLAS_SYRK) X (BLAS_HERK)               \
  X (BLAS_SYR2K) X (BLAS_HER2K) X (BLAS_TRMM)

/* The columns of a prototype, and the type that it returns.  */
#define GT_ANSWER(prototype) GT_COLUMN_OF (GT_COLUMN_1, GT_##prototype)
#define GT_TAKES(prototype) GT_COLUMN_OF (GT_COLUMN_2, GT_##prototype)
#define GT_PASSES(prototype) GT_COLUMN_OF (GT_COLUMN_3, GT_##prototype)
#define GT_OPERANDS(prototype) GT_COLUMN_OF (GT_COLUMN_4, GT_##prototype)
#define GT_GIVEN(prototype) GT_COLUMN_OF (GT_COLUMNS_5_6, GT_##prototype)
#define GT_RETURNS(prototype) GT_RETURNS_BY (GT_ANSWER (prototype))
#define GT_RETURNS_BY(answer) GT_RETURNS_BY_ (answer)
#define GT_RETURNS_BY_(answer) GT_RETURNS_##answer
#define GT_RETURNS_VALUE TYPE
#define GT_RETURNS_NUMBER double
#define GT_RETURNS_INDEX size_t
#define GT_RETURNS_VALUES void
#define GT_RETURNS_INDEXES void
#define GT_RETURNS_PLACES void
#define GT_RETURNS_PRODUCT int
#define GT_RETURNS_WIDE int
#define GT_RETURNS_STATUS int
#define GT_RETURNS_NOTHING void

/* Expands to its argument if the answer is a NUMBER, that of a statistic.  */
#define GT_IF_NUMBER(prototype, ...) GT_IF_NUMBER_BY (GT_ANSWER (prototype), __VA_ARGS__)
#define GT_IF_NUMBER_BY(answer, ...) GT_IF_NUMBER_BY_ (answer, __VA_ARGS__)
#define GT_IF_NUMBER_BY_(answer, ...) GT_IF_##answer##_IS_NUMBER (__VA_ARGS__)
#define GT_IF_NUMBER_IS_NUMBER(...) __VA_ARGS__
#define GT_IF_VALUE_IS_NUMBER(...)
#define GT_IF_INDEX_IS_NUMBER(...)
#define GT_IF_VALUES_IS_NUMBER(...)
#define GT_IF_INDEXES_IS_NUMBER(...)
#define GT_IF_PLACES_IS_NUMBER(...)
#define GT_IF_PRODUCT_IS_NUMBER(...)
#define GT_IF_WIDE_IS_NUMBER(...)

/* FUNCTION, an address, as one of PROTOTYPE.  */
#define GT_AS(prototype, function) \
  ((GT_RETURNS (prototype) (*) GT_TAKES (prototype)) (function))

#endif
