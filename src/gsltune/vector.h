/* Sums, extremes, magnitudes, dot products and norms of vectors; pinned vectors.  A part of
   gsltune.h, which explains the comments in brackets.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* ------------------------------------------------------------------ Sums */

/* Returns the sum of the v->size elements v->data[i * v->stride], 0 for an empty vector: the
   counterpart of gsl_vector_sum.  V may be in any memory that the CPU can read, with any
   stride and any length; elements whose address is no multiple of their size are computed by
   the CPU.  Cannot fail.  Infinities and NaN propagate as in GSL.  In fast and compensated
   mode a sum whose partial sums overflow is infinite, or NaN if they overflow to infinities of
   both signs.  */
/* [all] */
double gsltune_vector_sum (const gsl_vector *v);

/* -------------------------------------------------------------- Extremes */

/* Find the largest and the smallest elements of vectors and matrices on the host, and their
   places: the counterparts of GSL's functions of the same names, with the same answers bit for
   bit.  The elements of a matrix come in the order of its rows.

   If elements are equal, the first is the answer; +0 and -0 are equal.  If there are NaNs, the
   first is the answer, with its sign and payload, and its index; minmax finds it twice.  The
   mode does not matter: nothing is rounded.

   If there are no elements they report GSL_EDOM; if the handler returns, the value is NaN, or
   0 for integers, and indexes are 0.  They cannot fail otherwise.  */
/* [all] */
double gsltune_vector_max (const gsl_vector *v);
double gsltune_vector_min (const gsl_vector *v);
void gsltune_vector_minmax (const gsl_vector *v, double *min_out, double *max_out);
size_t gsltune_vector_max_index (const gsl_vector *v);
size_t gsltune_vector_min_index (const gsl_vector *v);
void gsltune_vector_minmax_index (const gsl_vector *v, size_t *imin, size_t *imax);

double gsltune_matrix_max (const gsl_matrix *m);
double gsltune_matrix_min (const gsl_matrix *m);
void gsltune_matrix_minmax (const gsl_matrix *m, double *min_out, double *max_out);
void gsltune_matrix_max_index (const gsl_matrix *m, size_t *imax, size_t *jmax);
void gsltune_matrix_min_index (const gsl_matrix *m, size_t *imin, size_t *jmin);
void gsltune_matrix_minmax_index (const gsl_matrix *m, size_t *imin, size_t *jmin,
                                  size_t *imax, size_t *jmax);

/* ------------------------------------------------------------ Magnitudes */

/* Returns the sum of the magnitudes |x[i]|, in the mode in force; 0 for an empty vector.
   Cannot fail.  The counterpart of gsl_blas_dasum and gsl_blas_sasum, which are right only for
   fewer than 2^31 elements; these are right for any number.  */
/* [s] */
double gsltune_blas_dasum (const gsl_vector *x);

/* Returns the index of the largest magnitude |x[i]|, of equal ones the first.  NaN is passed
   over.  The index is 0 for an empty vector, and if every element is 0 or NaN.  Cannot fail.
   The counterpart of gsl_blas_idamax and gsl_blas_isamax, for any number of elements.  */
CBLAS_INDEX_t gsltune_blas_idamax (const gsl_vector *x);

/* Do the same for complex vectors.  As in BLAS, the magnitude of an element is here the sum of
   the magnitudes of both parts; for the index it is rounded as GSL rounds it.  The
   counterparts of gsl_blas_dzasum, _scasum, _izamax, _icamax.  */
/* [] */
double gsltune_blas_dzasum (const gsl_vector_complex *x);
float gsltune_blas_scasum (const gsl_vector_complex_float *x);
CBLAS_INDEX_t gsltune_blas_izamax (const gsl_vector_complex *x);
CBLAS_INDEX_t gsltune_blas_icamax (const gsl_vector_complex_float *x);

/* ------------------------------------------------ Dot products and norms */

/* Store the sum of the products x[i] y[i] in *RESULT, 0 for empty vectors, and return
   GSL_SUCCESS; sdsdot adds ALPHA.  If the lengths differ they report GSL_EBADLEN, and leave
   *RESULT alone.  The counterparts of gsl_blas_ddot, _sdot, _dsdot and _sdsdot, which are
   right only for fewer than 2^31 elements; these are right for any number.

   In exact mode the result is the exact sum of the exact products, rounded once: to double by
   ddot and dsdot, to float by sdot and sdsdot, the latter with ALPHA added exactly.  Nothing
   overflows or underflows on the way.  Special values and zeros are as in exact sums; the
   product of an infinity and 0 is NaN.  In fast mode products are rounded and added in double,
   also those of floats, except by sdot, which adds short blocks in float: in rounding to
   nearest its error is less than 2^-19 of the sum of the magnitudes |x[i] y[i]|, for any
   number of elements, and no product is lost by overflow or underflow.  A sum whose partial
   sums overflow is infinite or NaN.  */
int gsltune_blas_ddot (const gsl_vector *x, const gsl_vector *y, double *result);
int gsltune_blas_sdot (const gsl_vector_float *x, const gsl_vector_float *y, float *result);
int gsltune_blas_dsdot (const gsl_vector_float *x, const gsl_vector_float *y, double *result);
int gsltune_blas_sdsdot (float alpha, const gsl_vector_float *x, const gsl_vector_float *y,
                         float *result);

/* Returns the Euclidean norm, the square root of the sum of squares: in exact mode that of the
   exact sum, rounded once.  Nothing overflows or underflows on the way, in any mode.  It is 0
   for an empty vector, and |x| for one element.  It is NaN if any element is NaN, otherwise
   infinite if any is (GSL's norm of two infinities is NaN).  Cannot fail.  The counterpart of
   gsl_blas_dnrm2 and gsl_blas_snrm2, for any number of elements.  */
/* [s] */
double gsltune_blas_dnrm2 (const gsl_vector *x);

/* Do the same for complex vectors: the sum of the products x[i] y[i], or of the products of
   the conjugates of x[i] with y[i] (dotc), and the norm.  In exact and compensated mode the
   real and the imaginary part are each the exact one, rounded once; in fast mode those of
   floats are added in double.  A product is made of four products of parts, so one infinite
   part may make both parts NaN, as in GSL.  The counterparts of gsl_blas_zdotu, _cdotu,
   _zdotc, _cdotc, _dznrm2 and _scnrm2, for any number of elements.  */
/* [c] */
int gsltune_blas_zdotu (const gsl_vector_complex *x, const gsl_vector_complex *y,
                        gsl_complex *result);
int gsltune_blas_zdotc (const gsl_vector_complex *x, const gsl_vector_complex *y,
                        gsl_complex *result);
/* [] */
double gsltune_blas_dznrm2 (const gsl_vector_complex *x);
float gsltune_blas_scnrm2 (const gsl_vector_complex_float *x);

/* -------------------------------------------------------- Pinned vectors */

/* Pinned memory is host memory that the system does not move.  The CPU uses it like any other;
   GPUs copy it several times as fast, and can read it where it is.  All processes share it,
   and it cannot be swapped out.  */

/* Make a vector of n elements, stride 1, in pinned memory that every GPU can read; with calloc
   they are zero, otherwise not initialised.  N may be 0.  It is a GSL vector like any other
   but for its end: its `owner' is 0, and gsltune_vector_free frees it.  The memory is plain,
   aligned to 64 bytes, if there is no usable GPU or GSLTUNE_DEVICE is cpu, in a forked child,
   when the driver refuses, and for long double, which no GPU has.  When plain memory is short
   too they report GSL_ENOMEM and return null.  */
/* [all] */
gsl_vector *gsltune_vector_alloc (size_t n);
gsl_vector *gsltune_vector_calloc (size_t n);

/* Frees a vector of these two, and nothing else; null is allowed.  In a forked child the
   elements of a parent's vector stay the parent's.  gsl_vector_free would not free the
   elements.  */
void gsltune_vector_free (gsl_vector *v);

/* Pins the memory of an existing vector, from its first element to its last, gaps included.
   This takes longer than a sum, so it pays after many.  Returns GSL_SUCCESS when the memory is
   pinned now, and when there is nothing to pin: no element, no usable GPU, long double.
   Returns GSL_EFAILED, without calling GSL's error handler, when the driver refuses, for
   instance because a part of the memory is pinned already; sums of the vector are right all
   the same.  */
int gsltune_vector_pin (const gsl_vector *v);

/* Undoes pin, of the same first element; to be called before the memory is freed.  No sum of
   it may be under way.  Returns GSL_SUCCESS as pin does, and GSL_EFAILED, without calling
   GSL's error handler, when the driver refuses, as it does when the vector has not been pinned
   by pin.  */
int gsltune_vector_unpin (const gsl_vector *v);
