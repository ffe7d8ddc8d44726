/* BLAS: updates of vectors, products of matrices, triangular systems.  A part of gsltune.h,
   which explains the comments in brackets; here they name the letters of further types: s for
   float, z for complex double, c for complex float.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* ------------------------------------------------------ Updates, level 1

   They have GSL's prototypes, errors and bits: in every mode each operation is rounded, in
   GSL's order, and none is fused with another.  So the bits are the same with every
   instruction set, and GSL's if its compiler fuses no operations, as on x86-64.  Vectors of
   stride 1 are changed by vector instructions; other strides and vectors that overlap are left
   to GSL's loops.  If the program is bound to another CBLAS, that computes all of them.  */

/* Adds alpha x to y; does nothing if alpha is 0.  Returns GSL_SUCCESS, or reports GSL_EBADLEN
   if the lengths differ, as the next two do.  */
/* [s z c] */
int gsltune_blas_daxpy (double alpha, const gsl_vector *X, gsl_vector *Y);

/* Exchange two vectors; copy x to y.  */
int gsltune_blas_dswap (gsl_vector *X, gsl_vector *Y);
int gsltune_blas_dcopy (const gsl_vector *X, gsl_vector *Y);

/* Multiplies x by alpha.  */
void gsltune_blas_dscal (double alpha, gsl_vector *X);
/* [] */
void gsltune_blas_zdscal (double alpha, gsl_vector_complex *X);
void gsltune_blas_csscal (float alpha, gsl_vector_complex_float *X);

/* Makes c x + s y of x and c y - s x of y.  Returns GSL_SUCCESS, or reports GSL_EBADLEN.  */
/* [s] */
int gsltune_blas_drot (gsl_vector *X, gsl_vector *Y, double c, double s);

/* -------------------------------------- Products of matrices, levels 2 and 3

   They compute what the functions of GSL's BLAS compute, with their prototypes and their
   errors: they make the same checks, report to the same handler, and then leave the matrices
   as they were.  Each returns GSL_SUCCESS or GSL's error code.

   In exact mode, and in compensated mode, each element of the result, or each part of a
   complex element, is the exact value of the definition, alpha times a sum of products plus
   beta times the old element, rounded once, to nearest, ties to even: nothing overflows or
   underflows on the way, and the bits depend on neither the machine nor its threads.  In
   solutions of triangular systems (trsv, trsm) each unknown is rounded once, in the order of
   substitution: the exact rest of the right side, divided by the diagonal.  Elements that
   depend on a NaN or an infinity are those of IEEE arithmetic; the imaginary parts of a unit
   diagonal, of a Hermitian one and of a real alpha or beta do not exist there, so that they
   make no NaN with an infinity.

   In mode auto, the default, and in fast mode products are gsltune's own or those of a BLAS of
   the system (MKL, OpenBLAS or BLIS), and small ones those of GSL's loops.  If alpha is 0 or
   nothing is multiplied, GSL's own function computes, in every mode.  */

/* Stores alpha op (A) x + beta y in y.  */
/* [s z c] */
int gsltune_blas_dgemv (CBLAS_TRANSPOSE_t TransA, double alpha, const gsl_matrix *A,
                        const gsl_vector *X, double beta, gsl_vector *Y);

/* Multiply x by a triangular matrix; solve op (A) x = b, for x in place of b.  */
int gsltune_blas_dtrmv (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t TransA, CBLAS_DIAG_t Diag,
                        const gsl_matrix *A, gsl_vector *X);
int gsltune_blas_dtrsv (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t TransA, CBLAS_DIAG_t Diag,
                        const gsl_matrix *A, gsl_vector *X);

/* Store alpha op (A) op (B) + beta C in C; with a symmetric A, alpha A B + beta C, or B A on
   the right.  */
int gsltune_blas_dgemm (CBLAS_TRANSPOSE_t TransA, CBLAS_TRANSPOSE_t TransB, double alpha,
                        const gsl_matrix *A, const gsl_matrix *B, double beta, gsl_matrix *C);
int gsltune_blas_dsymm (CBLAS_SIDE_t Side, CBLAS_UPLO_t Uplo, double alpha,
                        const gsl_matrix *A, const gsl_matrix *B, double beta, gsl_matrix *C);

/* Store alpha A A' + beta C, or alpha (A B' + B A') + beta C, in one triangle of C; with Trans
   the first factors are the transposed ones.  */
int gsltune_blas_dsyrk (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t Trans, double alpha,
                        const gsl_matrix *A, double beta, gsl_matrix *C);
int gsltune_blas_dsyr2k (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t Trans, double alpha,
                         const gsl_matrix *A, const gsl_matrix *B, double beta, gsl_matrix *C);

/* Multiply B by alpha op (A), A being triangular, from either side; solve op (A) X = alpha B
   or X op (A) = alpha B, for X in place of B.  */
int gsltune_blas_dtrmm (CBLAS_SIDE_t Side, CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t TransA,
                        CBLAS_DIAG_t Diag, double alpha, const gsl_matrix *A, gsl_matrix *B);
int gsltune_blas_dtrsm (CBLAS_SIDE_t Side, CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t TransA,
                        CBLAS_DIAG_t Diag, double alpha, const gsl_matrix *A, gsl_matrix *B);

/* Store alpha A x + beta y in y, with a symmetric A; add alpha x y', alpha x x', or
   alpha (x y' + y x') to A, the latter two to one triangle.  */
/* [s] */
int gsltune_blas_dsymv (CBLAS_UPLO_t Uplo, double alpha, const gsl_matrix *A,
                        const gsl_vector *X, double beta, gsl_vector *Y);
int gsltune_blas_dger (double alpha, const gsl_vector *X, const gsl_vector *Y, gsl_matrix *A);
int gsltune_blas_dsyr (CBLAS_UPLO_t Uplo, double alpha, const gsl_vector *X, gsl_matrix *A);
int gsltune_blas_dsyr2 (CBLAS_UPLO_t Uplo, double alpha, const gsl_vector *X,
                        const gsl_vector *Y, gsl_matrix *A);

/* Do the same with Hermitian matrices; geru and gerc add alpha x y' and alpha x y^H.  */
/* [c] */
int gsltune_blas_zhemv (CBLAS_UPLO_t Uplo, gsl_complex alpha, const gsl_matrix_complex *A,
                        const gsl_vector_complex *X, gsl_complex beta, gsl_vector_complex *Y);
int gsltune_blas_zgeru (gsl_complex alpha, const gsl_vector_complex *X,
                        const gsl_vector_complex *Y, gsl_matrix_complex *A);
int gsltune_blas_zgerc (gsl_complex alpha, const gsl_vector_complex *X,
                        const gsl_vector_complex *Y, gsl_matrix_complex *A);
int gsltune_blas_zher (CBLAS_UPLO_t Uplo, double alpha, const gsl_vector_complex *X,
                       gsl_matrix_complex *A);
int gsltune_blas_zher2 (CBLAS_UPLO_t Uplo, gsl_complex alpha, const gsl_vector_complex *X,
                        const gsl_vector_complex *Y, gsl_matrix_complex *A);
int gsltune_blas_zhemm (CBLAS_SIDE_t Side, CBLAS_UPLO_t Uplo, gsl_complex alpha,
                        const gsl_matrix_complex *A, const gsl_matrix_complex *B,
                        gsl_complex beta, gsl_matrix_complex *C);
int gsltune_blas_zherk (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t Trans, double alpha,
                        const gsl_matrix_complex *A, double beta, gsl_matrix_complex *C);
int gsltune_blas_zher2k (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t Trans, gsl_complex alpha,
                         const gsl_matrix_complex *A, const gsl_matrix_complex *B, double beta,
                         gsl_matrix_complex *C);
