/* Factorisations and eigenvalues.  A part of gsltune.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* The counterparts of GSL's functions of the same names, with GSL's errors.  In the modes
   auto and fast a LAPACK of the system computes large matrices, if the library that is found
   for products has one; otherwise GSL's own functions do.  They do so, too, if the matrix has
   NaN, infinities or numbers of 2^401 or more, if LAPACK fails, and if rounding may decide
   the outcome: for a matrix that is hardly positive definite, or a singular value below
   2^-32 times the largest.  */

/* Factorise A in its place.  Results differ from GSL's in their last digits.  */
int gsltune_linalg_cholesky_decomp (gsl_matrix *A);
int gsltune_linalg_cholesky_decomp1 (gsl_matrix *A);
int gsltune_linalg_QR_decomp (gsl_matrix *A, gsl_vector *tau);
int gsltune_linalg_QR_decomp_r (gsl_matrix *A, gsl_matrix *T);

/* Compute singular values and vectors.  Signs of vectors may differ from GSL's.  */
int gsltune_linalg_SV_decomp (gsl_matrix *A, gsl_matrix *V, gsl_vector *S, gsl_vector *work);
int gsltune_linalg_SV_decomp_mod (gsl_matrix *A, gsl_matrix *X, gsl_matrix *V, gsl_vector *S,
                                  gsl_vector *work);

/* Compute eigenvalues, and eigenvectors (symmv, hermv, nonsymmv).  Signs or phases of vectors
   and the order of values may differ from GSL's: those of symmetric and Hermitian matrices
   ascend.  A remains as it is, but nonsymm leaves eigenvalues on its diagonal, as GSL's does.
   If parameters of the workspace of nonsymm or nonsymmv were changed, GSL's function
   computes.  */
int gsltune_eigen_symm (gsl_matrix *A, gsl_vector *eval, gsl_eigen_symm_workspace *w);
int gsltune_eigen_symmv (gsl_matrix *A, gsl_vector *eval, gsl_matrix *evec,
                         gsl_eigen_symmv_workspace *w);
int gsltune_eigen_herm (gsl_matrix_complex *A, gsl_vector *eval, gsl_eigen_herm_workspace *w);
int gsltune_eigen_hermv (gsl_matrix_complex *A, gsl_vector *eval, gsl_matrix_complex *evec,
                         gsl_eigen_hermv_workspace *w);
int gsltune_eigen_nonsymm (gsl_matrix *A, gsl_vector_complex *eval,
                           gsl_eigen_nonsymm_workspace *w);
int gsltune_eigen_nonsymmv (gsl_matrix *A, gsl_vector_complex *eval, gsl_matrix_complex *evec,
                            gsl_eigen_nonsymmv_workspace *w);
