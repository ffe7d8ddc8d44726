/* gsltune: tuned reductions for the GNU Scientific Library.
   Copyright (C) 2026 The gsltune authors.

   This program is free software: you can redistribute it and/or modify it
   under the terms of the GNU General Public License as published by the Free
   Software Foundation, either version 3 of the License, or (at your option)
   any later version.  It comes with ABSOLUTELY NO WARRANTY; see COPYING.  */

#ifndef GSLTUNE_H
#define GSLTUNE_H

#include <stddef.h>
#include <stdint.h>

#include <gsl/gsl_blas_types.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_permutation.h>
#include <gsl/gsl_vector.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library hides everything else.  */
#if defined __GNUC__
#pragma GCC visibility push(default)
#endif

/* Every function here may be called from any number of threads at once (for
   moments see below).  None needs a GPU, a driver or a saved profile,
   except views of raw device addresses; without a GPU the CPU computes.  After
   fork() the child computes on one CPU thread and makes no CUDA call.  The
   manual, "info gsltune", explains more.  */

/* ------------------------------------------------------------------ Mode */

/* The mode promises how large the errors of real numbers are.  Within its promise the fastest
   way that is known is taken.  Integers have one mode: they wrap modulo 2^k, as GSL's do.  */
typedef enum
{
  /* Not a mode: gsltune_set_thread_mode takes it for the mode of the
     process.  */
  GSLTUNE_MODE_PROCESS = -1,
  /* Errors are at most those of recursive summation, but for a small factor that the manual
     names.  Rounding depends on the tuned configuration, so a result may change in its last
     digits when the machine is tuned again.  */
  GSLTUNE_MODE_FAST = 0,
  /* In sums each accumulator carries its rounding errors along (Neumaier's form of Kahan
     summation).  The error is about one rounding, plus n^2 u^2 times the sum of the magnitudes, u
     being the unit roundoff.  All other functions compute as in exact mode.  */
  GSLTUNE_MODE_COMPENSATED = 1,
  /* The exact sum of the elements is rounded once, to nearest, ties to even.  So the
     result has the same bits whatever computed it, and whatever the order of the
     elements.  An exact zero, and the sum of no elements, is +0.  A sum overflows
     only if the exact one does, to the infinity of its sign.  Infinities of one sign
     give that infinity; any NaN, or infinities of both signs, give one quiet NaN,
     whose sign bit is 0 and whose payload is empty.  The caller's rounding mode and
     flushing of subnormals neither matter nor change.  */
  GSLTUNE_MODE_EXACT = 2,
  /* The default: vectors, statistics, rows and columns are as in exact mode, products of
     matrices and triangular systems as in fast mode.  */
  GSLTUNE_MODE_AUTO = 3
} gsltune_mode;

/* Sets the mode of all threads for the calls that start from now on.  Returns
   GSL_SUCCESS, or GSL_EINVAL through GSL's error handler if there is no such mode.
   At first the mode is that of the environment variable GSLTUNE_MODE ("auto", "exact",
   "compensated" or "fast"), or auto if that is unset.  Modes of single functions, which that
   variable may name too ("exact,dgemm=fast"), are for programs under `gsltune run': a program
   that calls gsltune itself sets the mode around its calls.  */
int gsltune_set_mode (gsltune_mode mode);

/* Sets the mode of the calling thread alone, for a library that must not change its
   program's mode.  The threads that take part in its calls compute in its mode.  With
   GSLTUNE_MODE_PROCESS the thread has the mode of the process again, as at first.  Returns
   what gsltune_set_mode returns.  */
int gsltune_set_thread_mode (gsltune_mode mode);

/* Returns the mode that the calling thread has of its own, or GSLTUNE_MODE_PROCESS
   if it has none, so that a library can restore the mode that it has changed.  */
gsltune_mode gsltune_get_thread_mode (void);

/* Returns the mode in force in the calling thread.  */
gsltune_mode gsltune_get_mode (void);

/* Returns how the calling thread's last planned reduction was computed: "cpu";
   "direct", "copy" or "staged", by GPUs, named by how the data reached them; or
   "split", by GPUs and the CPU.  For a product of matrices that is not exact it is "blas",
   a library of the system, "team", several threads that call it, "tiles", gsltune's own,
   or "program", the BLAS that the program is bound to; products that GSL's own function computes
   do not count.
   Returns null if there was none.  If a GPU failed and the CPU computed instead, it is
   "cpu", unless that was only a piece of a long vector.  *PLANNED, unless PLANNED is
   null, becomes the number of planned reductions in this thread so far.  It does not
   grow where a few elements are computed on the spot, and grows by more than 1 where a
   function needs several sums.  Static storage.  */
const char *gsltune_last_route (unsigned long *planned);

/* Returns the version of the library that runs, e.g. "0.1.0".  Static
   storage.  */
const char *gsltune_version (void);

/* DECLARE (infix of GSL's names, C type, what follows) for each type, for those that GPUs know,
   and for real numbers.  */
#define GSLTUNE_EACH_GPU_TYPE_(declare, ...) \
  declare (, double, __VA_ARGS__);           \
  declare (_float, float, __VA_ARGS__);      \
  declare (_int, int, __VA_ARGS__);          \
  declare (_long, long, __VA_ARGS__)
#define GSLTUNE_EACH_TYPE_(declare, ...)         \
  GSLTUNE_EACH_GPU_TYPE_ (declare, __VA_ARGS__); \
  declare (_uint, unsigned int, __VA_ARGS__);    \
  declare (_ulong, unsigned long, __VA_ARGS__);  \
  declare (_short, short, __VA_ARGS__);          \
  declare (_ushort, unsigned short, __VA_ARGS__); \
  declare (_char, char, __VA_ARGS__);            \
  declare (_uchar, unsigned char, __VA_ARGS__);  \
  declare (_long_double, long double, __VA_ARGS__)
#define GSLTUNE_EACH_REAL_TYPE_(declare, ...) \
  declare (, double, __VA_ARGS__);            \
  declare (_float, float, __VA_ARGS__);       \
  declare (_long_double, long double, __VA_ARGS__)

/* -------------------------------------------- Sums of vectors on the host */

/* Return the sum of the v->size elements v->data[i * v->stride], 0 for an empty
   vector.  They take any memory that the CPU can read, any stride and any length;
   elements whose address is no multiple of their size are computed by the CPU.  They
   cannot fail.  They are the counterparts of gsl_vector_sum.  Infinities and NaN
   propagate as there.  In fast and compensated mode a sum that overflows on the way stays
   infinite, or is NaN if parts of it overflow to infinities of both signs.  */
double gsltune_vector_sum (const gsl_vector *v);
float gsltune_vector_float_sum (const gsl_vector_float *v);
long double gsltune_vector_long_double_sum (const gsl_vector_long_double *v);
int gsltune_vector_int_sum (const gsl_vector_int *v);
unsigned int gsltune_vector_uint_sum (const gsl_vector_uint *v);
long gsltune_vector_long_sum (const gsl_vector_long *v);
unsigned long gsltune_vector_ulong_sum (const gsl_vector_ulong *v);
short gsltune_vector_short_sum (const gsl_vector_short *v);
unsigned short gsltune_vector_ushort_sum (const gsl_vector_ushort *v);
char gsltune_vector_char_sum (const gsl_vector_char *v);
unsigned char gsltune_vector_uchar_sum (const gsl_vector_uchar *v);

/* ------------------------------------------------------------- Extremes */

/* Find the largest and the smallest elements of vectors, arrays and matrices on the
   host, and where they are: the counterparts of GSL's functions of the same names,
   with their prototypes and, bit for bit, their answers.

   Of equal elements the first is the answer; +0 and -0 are equal.  If there are NaNs,
   the first is the answer, with its sign and payload, and its index; minmax finds it
   twice.  The elements of a matrix come in the order of its rows.  The mode does not
   matter: nothing is rounded.

   If there are no elements they report GSL_EDOM through GSL's error handler; if that
   returns, the value is NaN, or 0 for integers, and indexes are 0.  They cannot fail
   otherwise.

   For each TYPE of float, long_double, int, uint, long, ulong, short, ushort, char,
   uchar, CTYPE being its C type:

   CTYPE gsltune_vector_TYPE_max (const gsl_vector_TYPE *v)
   CTYPE gsltune_vector_TYPE_min (const gsl_vector_TYPE *v)
   void gsltune_vector_TYPE_minmax (const gsl_vector_TYPE *v,
                                    CTYPE *min_out, CTYPE *max_out)
   size_t gsltune_vector_TYPE_max_index (const gsl_vector_TYPE *v)
   size_t gsltune_vector_TYPE_min_index (const gsl_vector_TYPE *v)
   void gsltune_vector_TYPE_minmax_index (const gsl_vector_TYPE *v,
                                          size_t *imin, size_t *imax)
     Of the v->size elements v->data[i * v->stride].

   CTYPE gsltune_stats_TYPE_max (const CTYPE data[], size_t stride, size_t n)
   CTYPE gsltune_stats_TYPE_min (const CTYPE data[], size_t stride, size_t n)
   void gsltune_stats_TYPE_minmax (CTYPE *min, CTYPE *max, const CTYPE data[],
                                   size_t stride, size_t n)
   size_t gsltune_stats_TYPE_max_index (const CTYPE data[], size_t stride,
                                        size_t n)
   size_t gsltune_stats_TYPE_min_index (const CTYPE data[], size_t stride,
                                        size_t n)
   void gsltune_stats_TYPE_minmax_index (size_t *min_index, size_t *max_index,
                                         const CTYPE data[], size_t stride,
                                         size_t n)
     Of the n elements data[i * stride].

   CTYPE gsltune_matrix_TYPE_max (const gsl_matrix_TYPE *m)
   CTYPE gsltune_matrix_TYPE_min (const gsl_matrix_TYPE *m)
   void gsltune_matrix_TYPE_minmax (const gsl_matrix_TYPE *m,
                                    CTYPE *min_out, CTYPE *max_out)
   void gsltune_matrix_TYPE_max_index (const gsl_matrix_TYPE *m,
                                       size_t *imax, size_t *jmax)
   void gsltune_matrix_TYPE_min_index (const gsl_matrix_TYPE *m,
                                       size_t *imin, size_t *jmin)
   void gsltune_matrix_TYPE_minmax_index (const gsl_matrix_TYPE *m,
                                          size_t *imin, size_t *jmin,
                                          size_t *imax, size_t *jmax)
     Of the m->size1 rows of m->size2 elements, m->data[i * m->tda + j]; what is
     between the rows is not read.

   For double the names have no TYPE: gsltune_vector_max.  */

#define GSLTUNE_VECTOR_EXTREMES_(infix, ctype)                                \
  ctype gsltune_vector##infix##_max (const gsl_vector##infix *v);             \
  ctype gsltune_vector##infix##_min (const gsl_vector##infix *v);             \
  void gsltune_vector##infix##_minmax (const gsl_vector##infix *v,            \
                                       ctype *min_out, ctype *max_out);       \
  size_t gsltune_vector##infix##_max_index (const gsl_vector##infix *v);      \
  size_t gsltune_vector##infix##_min_index (const gsl_vector##infix *v);      \
  void gsltune_vector##infix##_minmax_index (const gsl_vector##infix *v,      \
                                             size_t *imin, size_t *imax)

#define GSLTUNE_STATS_EXTREMES_(infix, ctype)                                 \
  ctype gsltune_stats##infix##_max (const ctype data[], size_t stride,        \
                                    size_t n);                                \
  ctype gsltune_stats##infix##_min (const ctype data[], size_t stride,        \
                                    size_t n);                                \
  void gsltune_stats##infix##_minmax (ctype *min, ctype *max,                 \
                                      const ctype data[], size_t stride,      \
                                      size_t n);                              \
  size_t gsltune_stats##infix##_max_index (const ctype data[], size_t stride, \
                                           size_t n);                         \
  size_t gsltune_stats##infix##_min_index (const ctype data[], size_t stride, \
                                           size_t n);                         \
  void gsltune_stats##infix##_minmax_index (                                  \
    size_t *min_index, size_t *max_index, const ctype data[], size_t stride,  \
    size_t n)

#define GSLTUNE_MATRIX_EXTREMES_(infix, ctype)                                \
  ctype gsltune_matrix##infix##_max (const gsl_matrix##infix *m);             \
  ctype gsltune_matrix##infix##_min (const gsl_matrix##infix *m);             \
  void gsltune_matrix##infix##_minmax (const gsl_matrix##infix *m,            \
                                       ctype *min_out, ctype *max_out);       \
  void gsltune_matrix##infix##_max_index (const gsl_matrix##infix *m,         \
                                          size_t *imax, size_t *jmax);        \
  void gsltune_matrix##infix##_min_index (const gsl_matrix##infix *m,         \
                                          size_t *imin, size_t *jmin);        \
  void gsltune_matrix##infix##_minmax_index (                                 \
    const gsl_matrix##infix *m, size_t *imin, size_t *jmin, size_t *imax,     \
    size_t *jmax)

#define GSLTUNE_EXTREMES_(infix, ctype, ...)    \
  GSLTUNE_VECTOR_EXTREMES_ (infix, ctype); \
  GSLTUNE_STATS_EXTREMES_ (infix, ctype);  \
  GSLTUNE_MATRIX_EXTREMES_ (infix, ctype)

GSLTUNE_EACH_TYPE_ (GSLTUNE_EXTREMES_, );

/* ----------------------------------------------------------- Magnitudes */

/* Return the sum of the magnitudes |x[i]|, in the mode in force; 0 for an empty vector.
   They cannot fail.  They are the counterparts of gsl_blas_dasum and gsl_blas_sasum,
   which are right only for fewer than 2^31 elements; these are right for any
   number.  */
double gsltune_blas_dasum (const gsl_vector *x);
float gsltune_blas_sasum (const gsl_vector_float *x);

/* Return the index of the largest magnitude |x[i]|, of equal ones the first.  NaN is
   passed over.  The index is 0 for an empty vector, and if every element is 0 or
   NaN.  They cannot fail.  They are the counterparts of gsl_blas_idamax and
   gsl_blas_isamax, for any number of elements.  */
CBLAS_INDEX_t gsltune_blas_idamax (const gsl_vector *x);
CBLAS_INDEX_t gsltune_blas_isamax (const gsl_vector_float *x);

/* Do the same for complex vectors.  As in BLAS, the magnitude of an element is here
   the sum of the magnitudes of both parts; for the index it is rounded as GSL rounds
   it.  They are the counterparts of gsl_blas_dzasum, _scasum, _izamax, _icamax.  */
double gsltune_blas_dzasum (const gsl_vector_complex *x);
float gsltune_blas_scasum (const gsl_vector_complex_float *x);
CBLAS_INDEX_t gsltune_blas_izamax (const gsl_vector_complex *x);
CBLAS_INDEX_t gsltune_blas_icamax (const gsl_vector_complex_float *x);

/* ---------------------------------------------- Dot products and norms */

/* Store the sum of the products x[i] y[i] in *RESULT, 0 for empty vectors, and return
   GSL_SUCCESS.  If the lengths differ they report GSL_EBADLEN through GSL's error
   handler, and leave *RESULT alone.  They are the counterparts of gsl_blas_ddot,
   gsl_blas_sdot, gsl_blas_dsdot and gsl_blas_sdsdot, which are right only for
   fewer than 2^31 elements; these are right for any number.

   In exact mode the result is the exact sum of the exact products, rounded once: to
   double by ddot and dsdot, to float by sdot and sdsdot, the latter with ALPHA added
   exactly.  Nothing overflows or underflows on the way.  Special values and zeros are
   as in exact sums; the product of an infinity and 0 is NaN.  In fast mode products are
   rounded and added in double, also those of floats, except by sdot, which adds short
   blocks in float.  In rounding to nearest its error is less than 2^-19 of the sum of
   the magnitudes |x[i] y[i]|, for any number of elements, and no product is lost by
   overflow or underflow.  A sum that overflows on the way stays infinite or NaN.  */
int gsltune_blas_ddot (const gsl_vector *x, const gsl_vector *y,
                       double *result);
int gsltune_blas_sdot (const gsl_vector_float *x, const gsl_vector_float *y,
                       float *result);
int gsltune_blas_dsdot (const gsl_vector_float *x, const gsl_vector_float *y,
                        double *result);
int gsltune_blas_sdsdot (float alpha, const gsl_vector_float *x,
                         const gsl_vector_float *y, float *result);

/* Return the Euclidean norm, the square root of the sum of squares: in exact mode that
   of the exact sum, rounded once.  Nothing overflows or underflows on the way, in any
   mode.  It is 0 for an empty vector, and |x| for one element.  It is NaN if any
   element is NaN, otherwise infinite if any is (GSL's norm of two infinities is
   NaN).  They cannot fail.  They are the counterparts of gsl_blas_dnrm2 and
   gsl_blas_snrm2, for any number of elements.  */
double gsltune_blas_dnrm2 (const gsl_vector *x);
float gsltune_blas_snrm2 (const gsl_vector_float *x);

/* Do the same for complex vectors: the sum of the products x[i] y[i], or of the products
   of the conjugates of x[i] with y[i] (dotc), and the norm.  In exact and compensated mode
   the real and the imaginary part are each the exact one, rounded once; in fast mode those
   of floats are added in double.  A product is made of four products of parts, so one
   infinite part may make both parts NaN, as in GSL.  They are the counterparts of
   gsl_blas_zdotu, _cdotu, _zdotc, _cdotc, _dznrm2 and _scnrm2, for any number of elements.  */
int gsltune_blas_zdotu (const gsl_vector_complex *x, const gsl_vector_complex *y,
                        gsl_complex *result);
int gsltune_blas_cdotu (const gsl_vector_complex_float *x,
                        const gsl_vector_complex_float *y, gsl_complex_float *result);
int gsltune_blas_zdotc (const gsl_vector_complex *x, const gsl_vector_complex *y,
                        gsl_complex *result);
int gsltune_blas_cdotc (const gsl_vector_complex_float *x,
                        const gsl_vector_complex_float *y, gsl_complex_float *result);
double gsltune_blas_dznrm2 (const gsl_vector_complex *x);
float gsltune_blas_scnrm2 (const gsl_vector_complex_float *x);

/* -------------------------------------- What BLAS of level 1 writes

   They have GSL's prototypes, errors and bits: in every mode each operation is rounded, in
   GSL's order, and none is fused with another.  So the bits are those of GSL where its
   compiler fuses nothing, as on x86-64, and the same with every instruction set.  Elements
   that lie side by side are changed by vectors; strides other than 1 and vectors that
   overlap are left to GSL's loops, and all is left to another CBLAS that the program is
   bound to.

   axpy, which adds alpha x to y and does nothing where alpha is 0, swap and copy return
   GSL_SUCCESS, or GSL_EBADLEN through GSL's error handler where the lengths differ; so does rot,
   which makes c x + s y of x and c y - s x of y.  scal multiplies x by alpha.  */

#define GSLTUNE_BLAS_UPDATES_(x, infix, scalar) \
  int gsltune_blas_##x##axpy (scalar alpha, const gsl_vector##infix *X, \
      gsl_vector##infix *Y); \
  void gsltune_blas_##x##scal (scalar alpha, gsl_vector##infix *X); \
  int gsltune_blas_##x##swap (gsl_vector##infix *X, gsl_vector##infix *Y); \
  int gsltune_blas_##x##copy (const gsl_vector##infix *X, gsl_vector##infix *Y)

GSLTUNE_BLAS_UPDATES_ (d, , double);
GSLTUNE_BLAS_UPDATES_ (s, _float, float);
GSLTUNE_BLAS_UPDATES_ (z, _complex, gsl_complex);
GSLTUNE_BLAS_UPDATES_ (c, _complex_float, gsl_complex_float);
void gsltune_blas_zdscal (double alpha, gsl_vector_complex *X);
void gsltune_blas_csscal (float alpha, gsl_vector_complex_float *X);
int gsltune_blas_drot (gsl_vector *X, gsl_vector *Y, double c, double s);
int gsltune_blas_srot (gsl_vector_float *X, gsl_vector_float *Y, float c, float s);

/* ------------------------------------------- Products of matrices: BLAS 2, 3

   They compute what the functions of GSL's BLAS compute, with their prototypes and their
   errors: they make the same checks, report to the same handler, and then leave the
   matrices as they were.  Each returns GSL_SUCCESS or what GSL returns.  The letter in
   the name tells the type: d, s, z, c.

   In exact mode, and in compensated mode, each element of the result, or each part of a
   complex element, is the exact value of the definition, alpha times a sum of products
   plus beta times the old element, rounded once, to nearest, ties to even: nothing
   overflows or underflows on the way, and the bits depend on neither the machine nor its
   threads.  In solutions of triangular systems (trsv, trsm) each unknown is rounded once,
   in the order of substitution: it is what is left of the right side, exactly, divided by
   the diagonal.  Elements that depend on a NaN or an infinity are what IEEE arithmetic
   makes of them; the imaginary parts of a unit diagonal, of a Hermitian one and of a real
   alpha or beta do not exist there, so that they make no NaN with an infinity.

   In mode auto, the default, and in fast mode products are gsltune's own or those of a BLAS
   of the system (MKL, OpenBLAS or BLIS), and small ones those of GSL's loops.  Where alpha is
   0 or nothing is multiplied, GSL's own function computes, in every mode.  */

#define GSLTUNE_BLAS_OF_ALL_(x, infix, scalar) \
  int gsltune_blas_##x##gemv (CBLAS_TRANSPOSE_t TransA, scalar alpha, \
      const gsl_matrix##infix *A, const gsl_vector##infix *X, scalar beta, \
      gsl_vector##infix *Y); \
  int gsltune_blas_##x##trmv (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t TransA, \
      CBLAS_DIAG_t Diag, const gsl_matrix##infix *A, gsl_vector##infix *X); \
  int gsltune_blas_##x##trsv (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t TransA, \
      CBLAS_DIAG_t Diag, const gsl_matrix##infix *A, gsl_vector##infix *X); \
  int gsltune_blas_##x##gemm (CBLAS_TRANSPOSE_t TransA, CBLAS_TRANSPOSE_t TransB, \
      scalar alpha, const gsl_matrix##infix *A, const gsl_matrix##infix *B, \
      scalar beta, gsl_matrix##infix *C); \
  int gsltune_blas_##x##symm (CBLAS_SIDE_t Side, CBLAS_UPLO_t Uplo, scalar alpha, \
      const gsl_matrix##infix *A, const gsl_matrix##infix *B, scalar beta, \
      gsl_matrix##infix *C); \
  int gsltune_blas_##x##syrk (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t Trans, \
      scalar alpha, const gsl_matrix##infix *A, scalar beta, gsl_matrix##infix *C); \
  int gsltune_blas_##x##syr2k (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t Trans, \
      scalar alpha, const gsl_matrix##infix *A, const gsl_matrix##infix *B, \
      scalar beta, gsl_matrix##infix *C); \
  int gsltune_blas_##x##trmm (CBLAS_SIDE_t Side, CBLAS_UPLO_t Uplo, \
      CBLAS_TRANSPOSE_t TransA, CBLAS_DIAG_t Diag, scalar alpha, \
      const gsl_matrix##infix *A, gsl_matrix##infix *B); \
  int gsltune_blas_##x##trsm (CBLAS_SIDE_t Side, CBLAS_UPLO_t Uplo, \
      CBLAS_TRANSPOSE_t TransA, CBLAS_DIAG_t Diag, scalar alpha, \
      const gsl_matrix##infix *A, gsl_matrix##infix *B)

#define GSLTUNE_BLAS_OF_REALS_(x, infix, scalar) \
  int gsltune_blas_##x##symv (CBLAS_UPLO_t Uplo, scalar alpha, \
      const gsl_matrix##infix *A, const gsl_vector##infix *X, scalar beta, \
      gsl_vector##infix *Y); \
  int gsltune_blas_##x##ger (scalar alpha, const gsl_vector##infix *X, \
      const gsl_vector##infix *Y, gsl_matrix##infix *A); \
  int gsltune_blas_##x##syr (CBLAS_UPLO_t Uplo, scalar alpha, \
      const gsl_vector##infix *X, gsl_matrix##infix *A); \
  int gsltune_blas_##x##syr2 (CBLAS_UPLO_t Uplo, scalar alpha, \
      const gsl_vector##infix *X, const gsl_vector##infix *Y, \
      gsl_matrix##infix *A)

#define GSLTUNE_BLAS_OF_COMPLEX_(x, infix, scalar, real) \
  int gsltune_blas_##x##hemv (CBLAS_UPLO_t Uplo, scalar alpha, \
      const gsl_matrix##infix *A, const gsl_vector##infix *X, scalar beta, \
      gsl_vector##infix *Y); \
  int gsltune_blas_##x##geru (scalar alpha, const gsl_vector##infix *X, \
      const gsl_vector##infix *Y, gsl_matrix##infix *A); \
  int gsltune_blas_##x##gerc (scalar alpha, const gsl_vector##infix *X, \
      const gsl_vector##infix *Y, gsl_matrix##infix *A); \
  int gsltune_blas_##x##her (CBLAS_UPLO_t Uplo, real alpha, \
      const gsl_vector##infix *X, gsl_matrix##infix *A); \
  int gsltune_blas_##x##her2 (CBLAS_UPLO_t Uplo, scalar alpha, \
      const gsl_vector##infix *X, const gsl_vector##infix *Y, \
      gsl_matrix##infix *A); \
  int gsltune_blas_##x##hemm (CBLAS_SIDE_t Side, CBLAS_UPLO_t Uplo, scalar alpha, \
      const gsl_matrix##infix *A, const gsl_matrix##infix *B, scalar beta, \
      gsl_matrix##infix *C); \
  int gsltune_blas_##x##herk (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t Trans, \
      real alpha, const gsl_matrix##infix *A, real beta, gsl_matrix##infix *C); \
  int gsltune_blas_##x##her2k (CBLAS_UPLO_t Uplo, CBLAS_TRANSPOSE_t Trans, \
      scalar alpha, const gsl_matrix##infix *A, const gsl_matrix##infix *B, \
      real beta, gsl_matrix##infix *C)

GSLTUNE_BLAS_OF_ALL_ (d, , double);
GSLTUNE_BLAS_OF_ALL_ (s, _float, float);
GSLTUNE_BLAS_OF_ALL_ (z, _complex, gsl_complex);
GSLTUNE_BLAS_OF_ALL_ (c, _complex_float, gsl_complex_float);
GSLTUNE_BLAS_OF_REALS_ (d, , double);
GSLTUNE_BLAS_OF_REALS_ (s, _float, float);
GSLTUNE_BLAS_OF_COMPLEX_ (z, _complex, gsl_complex, double);
GSLTUNE_BLAS_OF_COMPLEX_ (c, _complex_float, gsl_complex_float, float);

/* ----------------------------------------------------------- Statistics */

/* The counterparts of GSL's functions of the same names, with their prototypes,
   take any number of elements, of any stride.  They return double, for long double
   too.  They call no error handler.  For TYPE of float, long_double, int, uint,
   long, ulong, short, ushort, char, uchar, CTYPE being its C type; for double the
   names have no TYPE: gsltune_stats_mean.

   double gsltune_stats_TYPE_mean (const CTYPE data[], size_t stride, size_t n)
   ..._variance, _sd, _tss
     The mean of the n elements data[i * stride]; their variance, of n - 1 degrees of
     freedom; its square root; the sum of the squared distances from the mean.
   ..._population_variance, _population_sd
     The variance of n degrees of freedom about the mean, and its square root: GSL has them
     about a mean that is known (_variance_with_fixed_mean) alone.
   ..._variance_m, _sd_m, _tss_m (..., double mean)
     The same about a mean that is given.
   ..._variance_with_fixed_mean, _sd_with_fixed_mean (..., double mean)
     About a mean that was known before the data: of n degrees of freedom.
   ..._absdev, _absdev_m (..., double mean)
     The mean of the distances from the mean, or from a given one.
   ..._skew, _skew_m_sd (..., double mean, double sd), _kurtosis, _kurtosis_m_sd
     The means of the third and the fourth powers of (x - mean) / sd, from the latter
     of which 3 is taken.
   ..._lag1_autocorrelation, _lag1_autocorrelation_m (..., double mean)
     The sum of (x[i-1] - mean) (x[i] - mean) by the sum of (x[i] - mean)^2.
   double gsltune_stats_TYPE_covariance (const CTYPE data1[], size_t stride1,
                                         const CTYPE data2[], size_t stride2,
                                         size_t n)
   ..._covariance_m (..., double mean1, double mean2), _correlation
     The covariance of two samples, of n - 1 degrees of freedom; Pearson's coefficient
     of correlation.

   Of double, float and long double alone, with weights w[i * wstride]; elements whose
   weight is not positive are passed over, as in GSL:

   double gsltune_stats_TYPE_wmean (const CTYPE w[], size_t wstride,
                                    const CTYPE data[], size_t stride, size_t n)
   ..._wvariance, _wsd, _wtss, _wvariance_m (..., double wmean), _wsd_m, _wtss_m,
   _wvariance_with_fixed_mean, _wsd_with_fixed_mean, _wabsdev, _wabsdev_m, _wskew,
   _wskew_m_sd (..., double wmean, double wsd), _wkurtosis, _wkurtosis_m_sd

   In exact and compensated mode all of these are the exact value rounded once, to
   nearest, ties to even: what the definition gives for these elements and for the means and deviations that are
   given, none of the means and deviations on the way rounded.  If that is too large or
   too small for a double only the result overflows or underflows.  Integers are added as
   integers that cannot wrap, in every mode; in fast mode a few of them are added in
   double, those of 64 bits in long double.  In fast mode sums are taken in double, those
   of long double in long double; the manual has the bounds of their errors.  If something overflows or underflows on the way it is computed as in exact
   mode.

   Of no elements mean, variances, sds, tss, covariance and skew are 0 and kurtosis is
   -3, as in GSL; absdev is NaN; lag1_autocorrelation and correlation, for which GSL
   reads elements that are not there, are NaN.  Of no positive weight wmean, wtss,
   wabsdev, wskew and the variances with a fixed mean are 0, wkurtosis is -3, the rest
   NaN.  Of one element variance, sd, covariance and what is made of them are NaN.
   Elements that are NaN make every result NaN.  Infinities of one sign make a mean that
   infinity; what is taken about a given mean is infinite or NaN then, the rest NaN.  */

/* A statistic of kernels/statistics.def, by its column `result'.  OF begins the names of the
   macros that declare one of a sample, of two samples and of a sample with weights, with what is
   given besides.  */
#define GSLTUNE_OF_DOUBLE_(of, name) of##_ONE_ (name, )
#define GSLTUNE_OF_DOUBLE_M_(of, name) of##_ONE_ (name, , double mean)
#define GSLTUNE_OF_DOUBLE_M_SD_(of, name) of##_ONE_ (name, , double mean, double sd)
#define GSLTUNE_OF_PAIR_(of, name) of##_TWO_ (name, )
#define GSLTUNE_OF_PAIR_M_(of, name) of##_TWO_ (name, , double mean1, double mean2)
#define GSLTUNE_OF_WEIGHTED_(of, name) of##_WEIGHTED_ (name, )
#define GSLTUNE_OF_WEIGHTED_M_(of, name) of##_WEIGHTED_ (name, , double wmean)
#define GSLTUNE_OF_WEIGHTED_M_SD_(of, name) of##_WEIGHTED_ (name, , double wmean, double wsd)

#define GSLTUNE_STATS_OF_ONE_(infix, ctype, name, ...) \
  double gsltune_stats##infix##_##name (const ctype data[], size_t stride, size_t n __VA_ARGS__)
#define GSLTUNE_STATS_OF_TWO_(infix, ctype, name, ...) \
  double gsltune_stats##infix##_##name (               \
    const ctype data1[], size_t stride1, const ctype data2[], size_t stride2, size_t n __VA_ARGS__)
#define GSLTUNE_STATS_OF_WEIGHTED_(infix, ctype, name, ...) \
  double gsltune_stats##infix##_##name (                    \
    const ctype w[], size_t wstride, const ctype data[], size_t stride, size_t n __VA_ARGS__)
#define GSLTUNE_STATS_ONE_(...) GSLTUNE_EACH_TYPE_ (GSLTUNE_STATS_OF_ONE_, __VA_ARGS__)
#define GSLTUNE_STATS_TWO_(...) GSLTUNE_EACH_TYPE_ (GSLTUNE_STATS_OF_TWO_, __VA_ARGS__)
#define GSLTUNE_STATS_WEIGHTED_(...) \
  GSLTUNE_EACH_REAL_TYPE_ (GSLTUNE_STATS_OF_WEIGHTED_, __VA_ARGS__)
#define STATISTIC(name, a, b, c, d, e, f, result, ...) GSLTUNE_OF_##result##_ (GSLTUNE_STATS, name);
#include "../kernels/statistics.def"

/* ------------------------------------------------------ Sorting and ranks */

/* Sort vectors and arrays on the host, and find what is at a place in their order: the
   counterparts of GSL's functions of the same names, with their prototypes and, bit for
   bit, their results, in every mode.  That goes for what arrays hold afterwards too: equal
   elements, NaN, zeros of both signs, what a median leaves of its argument.

   Sorting needs scratch memory of at most 32 bytes an element, or 40 for long doubles; none
   is needed where neighbouring elements are sorted.  Where it would be more than the
   scratch limit (gsltune_set_scratch_limit), or memory is short, GSL's own function
   sorts.  It does so too if there are NaNs or zeros of both signs, for types of other sizes
   than 4 and 8 bytes, and without vqsort of Highway.

   For each TYPE of float, long_double, int, uint, long, ulong, short, ushort, char,
   uchar, CTYPE being its C type:

   void gsltune_sort_TYPE (CTYPE *data, size_t stride, size_t n)
   void gsltune_sort_TYPE_index (size_t *p, const CTYPE *data, size_t stride, size_t n)
   void gsltune_sort2_TYPE (CTYPE *data1, size_t stride1, CTYPE *data2, size_t stride2,
                            size_t n)
   void gsltune_sort_vector_TYPE (gsl_vector_TYPE *v)
   int gsltune_sort_vector_TYPE_index (gsl_permutation *p, const gsl_vector_TYPE *v)
     Returns GSL_EBADLEN, through GSL's error handler, if the lengths differ.
   void gsltune_sort_vector2_TYPE (gsl_vector_TYPE *v1, gsl_vector_TYPE *v2)

   CTYPE gsltune_stats_TYPE_select (CTYPE data[], size_t stride, size_t n, size_t k)
   double gsltune_stats_TYPE_median (CTYPE data[], size_t stride, size_t n)
     They exchange elements of the array.
   double gsltune_stats_TYPE_mad0 (const CTYPE data[], size_t stride, size_t n,
                                   double work[])
   double gsltune_stats_TYPE_mad
     Work is n numbers.  */
#define GSLTUNE_SORT_(infix, ctype, ...)                                                \
  void gsltune_sort##infix (ctype *data, size_t stride, size_t n);                 \
  void gsltune_sort##infix##_index (size_t *p, const ctype *data, size_t stride,   \
                                    size_t n);                                     \
  void gsltune_sort2##infix (ctype *data1, size_t stride1, ctype *data2,           \
                             size_t stride2, size_t n);                            \
  void gsltune_sort_vector##infix (gsl_vector##infix *v);                          \
  int gsltune_sort_vector##infix##_index (gsl_permutation *p,                      \
                                          const gsl_vector##infix *v);             \
  void gsltune_sort_vector2##infix (gsl_vector##infix *v1, gsl_vector##infix *v2)
#define GSLTUNE_RANKS_(infix, ctype, ...)                                                 \
  ctype gsltune_stats##infix##_select (ctype data[], size_t stride, size_t n,        \
                                       size_t k);                                    \
  double gsltune_stats##infix##_median (ctype data[], size_t stride, size_t n);      \
  double gsltune_stats##infix##_mad0 (const ctype data[], size_t stride, size_t n,   \
                                      double work[]);                                \
  double gsltune_stats##infix##_mad (const ctype data[], size_t stride, size_t n,    \
                                     double work[])

GSLTUNE_EACH_TYPE_ (GSLTUNE_SORT_, );
GSLTUNE_EACH_TYPE_ (GSLTUNE_RANKS_, );

/* ------------------------------------------------------------- Moments */

/* Moments hold what statistics are made of, exactly: how many elements there are and the
   sums of their powers, in fixed point.  So samples may come in pieces, from files, threads
   or processes, each with moments of its own.  Every statistic of all of them together is
   what the function of the same name, with stats in place of moments, gives in exact mode
   for one array: the exact value, rounded once, with the same bits whatever the pieces
   were.  Whoever makes them says what is to be added up: the KIND, and the highest power.

   PLAIN       of elements: sum and mean (power 1), variance, sd, tss, _m, _with_fixed_mean
               (2), skew (3) and kurtosis (4)
   NEIGHBOURS  of elements and of each with the one after it, in their order: also
               lag1_autocorrelation (power 2)
   WEIGHTED    of weights and data, likewise up to power 4: wmean, wvariance and so on
   PAIRS       of two samples: the sum of products (power 1), covariance and correlation (2)

   So first powers are exact sums of up to 2^64 numbers, and PAIRS of power 1 exact dot products:
   nothing overflows, cancels or is rounded on the way.  All is integer arithmetic: the caller's
   floating-point environment neither matters nor changes.  All functions may be called in a
   forked child.  Threads may use different moments at once; those that change may be used by
   one thread at a time.  */
typedef struct gsltune_moments_struct gsltune_moments;
typedef enum
{
  GSLTUNE_MOMENTS_PLAIN,
  GSLTUNE_MOMENTS_NEIGHBOURS,
  GSLTUNE_MOMENTS_WEIGHTED,
  GSLTUNE_MOMENTS_PAIRS
} gsltune_moments_kind;

/* Makes moments of no elements, of 1 to 9 KB.  Where LONG_DOUBLES is not 0 they take long
   doubles too, and 16 times the memory.  It reports GSL_EINVAL through GSL's error handler
   if the kind has no such power, or GSL_ENOMEM, and returns null.  Null may be freed.  */
gsltune_moments *gsltune_moments_alloc (gsltune_moments_kind kind, int power,
                                        int long_doubles);
void gsltune_moments_free (gsltune_moments *m);

/* Make moments of distances, for absdev and wabsdev alone.  The distances are from the
   exact mean of ALL, not rounded, which are moments of all the elements that will be
   added; or from a given MEAN, of PLAIN or WEIGHTED elements.  */
gsltune_moments *gsltune_moments_alloc_about (const gsltune_moments *all);
gsltune_moments *gsltune_moments_alloc_about_mean (gsltune_moments_kind kind, double mean,
                                                   int long_doubles);

/* Makes them moments of no elements; a centre of distances stays.  Returns
   GSL_SUCCESS.  */
int gsltune_moments_reset (gsltune_moments *m);

/* Add n elements data[i * stride]; or their magnitudes, for PLAIN elements and power 1; or
   pairs of data1 and data2.  Where there are weights,
   data1 are the weights of data2, and as in GSL those not above 0 are passed over.  The
   elements follow those added before.  Return GSL_SUCCESS, or GSL_EINVAL through GSL's
   error handler, with M as it was, when M is of pairs and the call is not, or the
   other way round, or when M does not take long doubles.

   For each TYPE of float, long_double, int, uint, long, ulong, short, ushort, char, uchar,
   CTYPE being its C type; for double the names have no TYPE:

   int gsltune_moments_add_TYPE (gsltune_moments *m, const CTYPE data[], size_t stride,
                                 size_t n)
   int gsltune_moments_add_pairs_TYPE (gsltune_moments *m, const CTYPE data1[],
                                       size_t stride1, const CTYPE data2[],
                                       size_t stride2, size_t n)
   int gsltune_moments_add_magnitudes_TYPE (gsltune_moments *m, const CTYPE data[],
                                            size_t stride, size_t n)  */
#define GSLTUNE_MOMENTS_ADD_(infix, ctype, ...)                                            \
  int gsltune_moments_add##infix (gsltune_moments *m, const ctype data[],             \
                                  size_t stride, size_t n);                           \
  int gsltune_moments_add_pairs##infix (gsltune_moments *m, const ctype data1[],      \
                                        size_t stride1, const ctype data2[],          \
                                        size_t stride2, size_t n);                    \
  int gsltune_moments_add_magnitudes##infix (gsltune_moments *m, const ctype data[],  \
                                             size_t stride, size_t n)
GSLTUNE_EACH_TYPE_ (GSLTUNE_MOMENTS_ADD_, );

/* Adds what OTHER has, whose elements follow those of M; both may be the same.  Returns
   GSL_SUCCESS, or GSL_EINVAL through GSL's error handler, with M as it was, if they were not
   made alike.  */
int gsltune_moments_merge (gsltune_moments *m, const gsltune_moments *other);

/* Returns how many elements have been added; with weights, those whose weight is
   above 0.  */
size_t gsltune_moments_n (const gsltune_moments *m);

/* Return the sum of all elements, or of the products of PAIRS of power 1, rounded once: to
   nearest, ties to even.  An exact zero and the empty sum are +0.  NaN, and infinities of both
   signs, give NaN.  Norm is the square root of the sum of squares (power 2), or of products.
   They report GSL_EINVAL through GSL's error handler and return NaN if M was not made for
   them: there is no sum with weights, of PAIRS of power 2 or of distances.  */
double gsltune_moments_sum (const gsltune_moments *m);
float gsltune_moments_sum_float (const gsltune_moments *m);
long double gsltune_moments_sum_long_double (const gsltune_moments *m);
double gsltune_moments_norm (const gsltune_moments *m);
float gsltune_moments_norm_float (const gsltune_moments *m);

/* Return statistics of all elements.  Infinities and NaN have the effect that they have in
   an array in which no element of an infinite weight is the given mean; a given standard
   deviation of 0 makes NaN.  They report GSL_EINVAL through GSL's error handler and return
   NaN if M was not made for them; absdev and wabsdev also if the distances are from the
   mean of other elements.  */
#define GSLTUNE_MOMENTS_ONE_(name, ...) \
  double gsltune_moments_##name (const gsltune_moments *m __VA_ARGS__)
#define GSLTUNE_MOMENTS_TWO_ GSLTUNE_MOMENTS_ONE_
#define GSLTUNE_MOMENTS_WEIGHTED_ GSLTUNE_MOMENTS_ONE_
#define STATISTIC(name, a, b, c, d, e, f, result, ...) GSLTUNE_OF_##result##_ (GSLTUNE_MOMENTS, name);
#include "../kernels/statistics.def"

/* Stores the statistic that the function gsltune_moments_NAME returns, for bindings to other
   languages.  GIVEN has the numbers that the function is given, a mean and a standard deviation or
   two means, and may be null if there are none.  Returns GSL_SUCCESS, or GSL_EINVAL through GSL's
   error handler, with NaN in *RESULT, if there is no such function or M was not made for it.  */
int gsltune_moments_statistic (const gsltune_moments *m, const char *name, const double given[],
                               double *result);

/* The portable form, the same on every machine: equal moments have equal bytes.

   bytes 0 to 6    "gsltmom"
   byte 7          2: the version of the form
   bytes 8 to 10   the kind; the highest power, 0 of distances; 1 if of long doubles
   byte 11         what of the elements is not finite: bits 0 to 2 for infinity, minus
                   infinity and NaN, 3 to 5 the same of weights or the second sample
   bytes 12 to 15  a check: the hash FNV-1a, of 32 bits, of all bytes, these being 0; least
                   significant byte first
   bytes 16 to 23  how many elements there are, least significant byte first
   bytes 24 on     the sums, each an integer in two's complement, least significant byte
                   first; all 0 if not all elements are finite

   gsltune_moments_size returns its length.  Save writes it to BUFFER, of so many bytes; load
   replaces what M has by what is in BUFFER.  They return GSL_SUCCESS, or report through
   GSL's error handler, with nothing changed, GSL_EBADLEN when SIZE is not that, and load
   GSL_EINVAL when the bytes are not the form of moments made like M, or have been damaged.  A
   form that somebody made up is safe to load, but its statistics may be those of no elements.  */
size_t gsltune_moments_size (const gsltune_moments *m);
int gsltune_moments_save (const gsltune_moments *m, void *buffer, size_t size);
int gsltune_moments_load (gsltune_moments *m, const void *buffer, size_t size);

/* Merges the moments whose form is at BUFFER into M, as gsltune_moments_merge does.  Reports what
   gsltune_moments_load does, and GSL_ENOMEM.  */
int gsltune_moments_merge_saved (gsltune_moments *m, const void *buffer, size_t size);

/* ---------------------------------------------- Vectors in pinned memory */

/* Pinned memory is host memory that the system does not move.  The CPU uses it
   like any other; GPUs copy it several times as fast, and can read it where it is.
   It is taken from what all processes share, and cannot be swapped out.

   For each TYPE of float, long_double, int, uint, long, ulong, short, ushort,
   char, uchar:

   gsl_vector_TYPE *gsltune_vector_TYPE_alloc (size_t n)
   gsl_vector_TYPE *gsltune_vector_TYPE_calloc (size_t n)
     A vector of n elements, stride 1, in pinned memory that every GPU can read; with
     calloc they are zero, otherwise not initialised.  n may
     be 0.  It is a GSL vector like any other but for its end: its `owner' is 0,
     and gsltune_vector_TYPE_free is what frees it.  The memory is plain,
     aligned to 64 bytes, where there is no usable GPU or GSLTUNE_DEVICE is cpu,
     in a forked child, when the driver refuses, and for long double, which no
     GPU has.  GSL_ENOMEM through GSL's error handler, and null, when plain
     memory is short too.

   void gsltune_vector_TYPE_free (gsl_vector_TYPE *v)
     Frees a vector of one of the above, and nothing else; null is allowed.  In
     a forked child the elements of a parent's vector stay the parent's.  With
     gsl_vector_TYPE_free the elements would never be freed.

   int gsltune_vector_TYPE_pin (const gsl_vector_TYPE *v)
     Pins the memory of an existing vector, from its first element to its last,
     gaps included.  This takes longer than a sum, so it pays after many.
     Returns GSL_SUCCESS when the memory is pinned now, and when there is nothing
     to pin: no element, no usable GPU, long double.  Returns GSL_EFAILED, without
     calling GSL's error handler, when the driver refuses, for instance because
     a part of the memory is pinned already; sums of the vector are right all the
     same.

   int gsltune_vector_TYPE_unpin (const gsl_vector_TYPE *v)
     Undoes pin, of the same first element; to be called before the memory is
     freed.  No sum of it may be under way.  Returns GSL_SUCCESS as pin does, and
     GSL_EFAILED, without calling GSL's error handler, when the driver refuses,
     as it does when the vector has not been pinned by pin.

   For double the names have no TYPE: gsltune_vector_alloc.  */

#define GSLTUNE_PINNED_VECTOR_(infix, ctype, ...)                                         \
  gsl_vector##infix *gsltune_vector##infix##_alloc (size_t n);                \
  gsl_vector##infix *gsltune_vector##infix##_calloc (size_t n);               \
  void gsltune_vector##infix##_free (gsl_vector##infix *v);                   \
  int gsltune_vector##infix##_pin (const gsl_vector##infix *v);               \
  int gsltune_vector##infix##_unpin (const gsl_vector##infix *v)

GSLTUNE_EACH_TYPE_ (GSLTUNE_PINNED_VECTOR_, );

/* ------------------------------------- Rows, columns and segments at once */

/* Compute one answer of each row or each column of a matrix, or of each segment of a vector:
   of line i, result's element i, which in exact mode has the bits of the function of one
   vector, so that it is correctly rounded.  Lines are shared by threads.  For each TYPE and for
   double, which has no TYPE:

   int gsltune_matrix_TYPE_row_NAME (const gsl_matrix_TYPE *m, RESULT *result)
   int gsltune_matrix_TYPE_column_NAME (const gsl_matrix_TYPE *m, RESULT *result)
   int gsltune_vector_TYPE_segment_NAME (const gsl_vector_TYPE *v, const size_t *offsets,
                                         size_t count, RESULT *result)

     NAME                                        RESULT            as
     sum, max, min                               gsl_vector_TYPE   gsltune_vector_TYPE_NAME
     max_index, min_index                        gsl_vector_ulong  gsltune_vector_TYPE_NAME
     mean, variance, sd                          gsl_vector        gsltune_stats_TYPE_NAME
     median                                      gsl_vector        gsltune_stats_TYPE_median, but
                                                                   see below
     asum, nrm2 (double and float alone)         gsl_vector_TYPE   gsltune_blas_dNAME, sNAME

   Segment i is the elements from offsets[i] on, before offsets[i + 1]: there are count + 1
   offsets, which never decrease, and none is more than v->size.  No
   element lies between two segments; those before the first and behind the last are not
   read.  RESULT must not overlap what is read, which is not changed.

   The median of an even number of elements is the mean of the two middle ones, rounded once to
   double, for all types.  gsltune_stats_TYPE_median has GSL's bits instead: GSL adds the two in
   the type of the elements, where integers wrap and floating-point numbers round or overflow.

   Return GSL_SUCCESS.  Errors go through GSL's error handler, before any result is written:
   GSL_EBADLEN if result's size is not the number of lines; GSL_EINVAL for offsets that are not as
   said; GSL_EDOM if a line without elements would need a largest or smallest one; GSL_ENOMEM if
   there is no memory for the copy of a line that a median needs.  */
/* All pairs of a matrix's columns:

   int gsltune_matrix_TYPE_covariance (const gsl_matrix_TYPE *m, gsl_matrix *result)
   int gsltune_matrix_TYPE_correlation (const gsl_matrix_TYPE *m, gsl_matrix *result)

   Element (i, j) of the result, a square matrix of as many rows as m has columns, becomes
   what gsltune_stats_TYPE_covariance or _correlation gives of the columns i and j.  Returns
   GSL_SUCCESS, or GSL_EBADLEN through GSL's error handler.  */

#define GSLTUNE_PAIRS_(infix, ctype, ...)                                        \
  int gsltune_matrix##infix##_covariance (const gsl_matrix##infix *m,       \
                                          gsl_matrix *result);              \
  int gsltune_matrix##infix##_correlation (const gsl_matrix##infix *m,      \
                                           gsl_matrix *result)

GSLTUNE_EACH_TYPE_ (GSLTUNE_PAIRS_, );

/* LINE (infix, name, infix of the result) for each answer that lines have on GPUs, too.  */
#define GSLTUNE_EACH_LINE_(line, infix) \
  line (infix, sum, infix);             \
  line (infix, max, infix);             \
  line (infix, min, infix);             \
  line (infix, max_index, _ulong);      \
  line (infix, min_index, _ulong);      \
  line (infix, mean, );                 \
  line (infix, variance, );             \
  line (infix, sd, )

#define GSLTUNE_LINE_(infix, name, of)                                               \
  int gsltune_matrix##infix##_row_##name (const gsl_matrix##infix *m,                \
                                          gsl_vector##of *result);                   \
  int gsltune_matrix##infix##_column_##name (const gsl_matrix##infix *m,             \
                                             gsl_vector##of *result);                \
  int gsltune_vector##infix##_segment_##name (                                       \
    const gsl_vector##infix *v, const size_t *offsets, size_t count,                 \
    gsl_vector##of *result)
#define GSLTUNE_LINES_(infix, ctype, ...)           \
  GSLTUNE_EACH_LINE_ (GSLTUNE_LINE_, infix);   \
  GSLTUNE_LINE_ (infix, median, )

GSLTUNE_EACH_TYPE_ (GSLTUNE_LINES_, );
GSLTUNE_LINE_ (, asum, );
GSLTUNE_LINE_ (_float, asum, _float);
GSLTUNE_LINE_ (, nrm2, );
GSLTUNE_LINE_ (_float, nrm2, _float);

/* ------------------------------------------------------------- Memory */

/* Set and return the maximum of scratch memory that the library keeps for the next sum,
   in bytes: on each GPU, and page-locked on the host.  At first it is what the
   environment variable GSLTUNE_SCRATCH says (bytes, or a number followed by K, M or G),
   or 64 MiB if that is unset.  A sum for which the limit, or the GPU's memory, is too
   small is computed by the CPU.  Memory already held above a new limit is freed when a
   sum next needs more, or by gsltune_release.  They cannot fail.  */
void gsltune_set_scratch_limit (size_t bytes);
size_t gsltune_get_scratch_limit (void);

/* Gives back the scratch memory, streams and threads that no sum is using; the
   next sums take them again.  What the program has allocated stays: device
   vectors, pinned vectors.  Cannot fail.  */
void gsltune_release (void);

/* ------------------------------------------- Vectors that stay on a GPU */

/* A device vector holds n elements in the memory of the GPU that the library
   uses, so that they are copied once and read often.  Where there is no
   usable GPU, or its memory is full, the elements stay in host memory and
   the CPU computes; gsltune_device_vector_on_gpu tells which.  A view is a device
   vector of elements that are on a GPU already.

   For each TYPE of float, int and long, CTYPE being its C type; vectors of ulong, which hold
   indexes and offsets, have the functions up to _data:

   gsltune_device_vector_TYPE *gsltune_device_vector_TYPE_alloc (size_t n)
     n elements, not initialised, stride 1; n may be 0.  GSL_ENOMEM through GSL's
     error handler, and null, when host memory is short too.

   gsltune_device_vector_TYPE *gsltune_device_vector_TYPE_alloc_on (size_t n,
                                                                    int gpu)
     The same on a GPU of the caller's choice, 0 <= gpu < gsltune_gpu_count ().  Where
     that is 0 the elements are in host memory, whatever the number.  GSL_EINVAL through
     GSL's error handler, and null, when there is no GPU of that number.

   void gsltune_device_vector_TYPE_free (gsltune_device_vector_TYPE *v)
     Null is allowed.  Of a view it frees nothing.

   gsltune_device_vector_TYPE_view
   gsltune_device_vector_TYPE_view_array (CTYPE *address, size_t stride, size_t n)
     A view of the n elements address[i * stride] in memory that a GPU can read, of
     cuMemAlloc, cudaMalloc, managed or mapped host memory.  Its member `vector' is
     the device vector: gsltune_device_vector_TYPE_max (&view.vector).  The GPU that
     holds the memory computes, whatever GSLTUNE_DEVICE says.  The memory stays the
     caller's, who keeps it as long as the view is used; a view needs no freeing.
     GSL_EINVAL through GSL's error handler for a stride of 0, n and stride that fit
     into no memory, an address that is no multiple of an element's size, or one that
     no GPU can read; GSL_EFAILED when its GPU cannot be used, and in a child of
     fork(); and then a view of no elements.  For n = 0 the address is not looked at.

   gsltune_device_vector_TYPE_const_view
   gsltune_device_vector_TYPE_const_view_array (const CTYPE *address, size_t stride,
                                                size_t n)
     The same of elements that are only read: the view is constant, and so is its member
     `vector' (the function's own type is one that a constant view can be made of, as
     GSL's is).  It has the default stream.

   void gsltune_device_vector_TYPE_set_stream (gsltune_device_vector_TYPE *v,
                                               void *stream)
     From now on functions of v are ordered after the work that is in the CUDA stream
     when they are called: a CUstream or cudaStream_t of the primary context; null is
     the default stream.  They wait for that work, and are complete when they return.
     A view begins with the default stream; a vector of alloc's begins without any:
     what other libraries do with its memory must have ended.  While the stream is
     being captured into a graph they report GSL_EINVAL through GSL's error handler,
     and the capture goes on as if nothing had been asked.

   int gsltune_device_vector_TYPE_set (gsltune_device_vector_TYPE *v,
                                       const gsl_vector_TYPE *source)
   int gsltune_device_vector_TYPE_get (const gsltune_device_vector_TYPE *v,
                                       gsl_vector_TYPE *destination)
     Copy all elements from, or to, a vector of any stride; nothing between the
     elements is written.  Complete when they return.  GSL_EBADLEN through GSL's error
     handler when the lengths differ; GSL_EFAILED when the GPU has stopped working
     and, for get, its contents are lost; for set, v is a view, or host memory, to
     which the elements move instead, is short too.

   size_t gsltune_device_vector_TYPE_size (const gsltune_device_vector_TYPE *v)
     Elements.

   size_t gsltune_device_vector_TYPE_stride (const gsltune_device_vector_TYPE *v)
     From one element to the next, in elements.

   int gsltune_device_vector_TYPE_on_gpu (const gsltune_device_vector_TYPE *v)
     1 if the elements are in a GPU's memory, otherwise 0.

   void *gsltune_device_vector_TYPE_data (gsltune_device_vector_TYPE *v)
     The address of the first element: a device address when on a GPU, for use
     with the CUDA runtime, cuBLAS and the like; otherwise a host address.

   CTYPE gsltune_device_vector_TYPE_sum (const gsltune_device_vector_TYPE *v)
     As gsltune_vector_TYPE_sum.

   CTYPE gsltune_device_vector_TYPE_sum_all (
     const gsltune_device_vector_TYPE *const vectors[], size_t count)
     The sum of the elements of all of COUNT vectors, which may be on several GPUs and
     on the host: all of these compute at once.  In exact mode it is rounded once; in
     the other modes the sums of the vectors, with their rests, are added in their
     order.  GSL_EFAILED through GSL's error handler, and NaN or 0, if a GPU has
     stopped working and its elements are lost.

   CTYPE gsltune_device_vector_TYPE_max (const gsltune_device_vector_TYPE *v)
   CTYPE gsltune_device_vector_TYPE_min (const gsltune_device_vector_TYPE *v)
   void gsltune_device_vector_TYPE_minmax (const gsltune_device_vector_TYPE *v,
                                           CTYPE *min_out, CTYPE *max_out)
   size_t gsltune_device_vector_TYPE_max_index (
     const gsltune_device_vector_TYPE *v)
   size_t gsltune_device_vector_TYPE_min_index (
     const gsltune_device_vector_TYPE *v)
   void gsltune_device_vector_TYPE_minmax_index (
     const gsltune_device_vector_TYPE *v, size_t *imin, size_t *imax)
     As gsltune_vector_TYPE_max and its kin, GSL_EDOM of no elements included.

   double gsltune_device_vector_asum (const gsltune_device_vector *v)
   float gsltune_device_vector_float_asum (const gsltune_device_vector_float *v)
   size_t gsltune_device_vector_iamax (const gsltune_device_vector *v)
   size_t gsltune_device_vector_float_iamax (const gsltune_device_vector_float *v)
     As gsltune_blas_dasum, _sasum, _idamax, _isamax; for double and float alone.

   double gsltune_device_vector_TYPE_mean (const gsltune_device_vector_TYPE *v)
   ..._variance, _sd, _population_variance, _population_sd, _tss
     As gsltune_stats_TYPE_mean and its siblings.

   double gsltune_device_vector_TYPE_covariance (const gsltune_device_vector_TYPE *x,
                                                 const gsltune_device_vector_TYPE *y)
   ..._correlation
     As gsltune_stats_TYPE_covariance and _correlation.

   double gsltune_device_vector_wmean (const gsltune_device_vector *w,
                                       const gsltune_device_vector *v)
   ..._wvariance, _wsd
     As gsltune_stats_wmean and its siblings; for double and float alone.

   int gsltune_device_vector_dot (const gsltune_device_vector *x,
                                  const gsltune_device_vector *y, double *result)
   int gsltune_device_vector_float_dot (const gsltune_device_vector_float *x,
                                        const gsltune_device_vector_float *y,
                                        float *result)
   double gsltune_device_vector_nrm2 (const gsltune_device_vector *v)
   float gsltune_device_vector_float_nrm2 (const gsltune_device_vector_float *v)
     As gsltune_blas_ddot, _sdot, _dnrm2, _snrm2.

   Of complex numbers there are gsltune_device_vector_complex and _complex_float, with
   all functions up to _data, CTYPE being that of their parts, and of the others

   int gsltune_device_vector_complex_dotu (const gsltune_device_vector_complex *x,
     const gsltune_device_vector_complex *y, gsl_complex *result)
   ..._dotc, _nrm2, _asum, _iamax
     As gsltune_blas_zdotu, _zdotc, _dznrm2, _dzasum, _izamax.

   gsltune_device_vector_view
   gsltune_device_vector_complex_real (gsltune_device_vector_complex *v)
   gsltune_device_vector_const_view
   gsltune_device_vector_complex_const_real (const gsltune_device_vector_complex *v)
   ..._imag, _const_imag
     Views of the real, or of the imaginary parts; of _complex_float they are views of
     floats.  They have the stream that v had when they were made, and are valid as long
     as v is.

     Two vectors of different lengths are reported as GSL_EBADLEN through GSL's error
     handler; then a statistic is NaN.  Two on different GPUs are copied to the
     host, where the CPU computes.  What is done comes after the work in the streams of
     both.

     When the GPU fails, all of these have the elements copied back and the CPU
     computes; when they cannot be had any more, GSL_EFAILED through GSL's error
     handler, and NaN, or 0 for integers and indexes.

   int gsltune_device_TYPE_sum (const CTYPE *address, size_t stride, size_t n,
                                void *stream, CTYPE *result)
     Sums n elements at a raw device address as a view of them with that stream
     would, and reports what those would: GSL_EINVAL or GSL_EFAILED through GSL's error
     handler; GSL_EINVAL also for a null result.  The result is in *result when it
     returns.  n = 0 gives 0 and looks at no address.

   For double the names have no TYPE: gsltune_device_vector_alloc,
   gsltune_device_sum.  */

/* The GPUs that device vectors can be allocated on: 0 where there is none, where
   GSLTUNE_DEVICE is cpu, and in a child of fork().  They are numbered from 0 as CUDA
   numbers those that are visible, but for any that cannot be used.  Cannot fail.  */
int gsltune_gpu_count (void);

/* The memory of a device vector; the members are for the library alone.  */
struct gsltune_device_memory
{
  void *data;    /* element 0; a device address when `gpu' is not null */
  size_t n;      /* elements */
  size_t stride;
  void *gpu;     /* null: host memory */
  void *stream;  /* null: streams of the library's own */
  int view;      /* the memory is somebody else's */
};

#define GSLTUNE_DEVICE_TYPES_(kind, infix, held)            \
  typedef struct gsltune_device_##kind##infix##_struct      \
  {                                                         \
    struct gsltune_device_##held held;                      \
  } gsltune_device_##kind##infix;                           \
  typedef struct                                            \
  {                                                         \
    gsltune_device_##kind##infix kind;                      \
  } gsltune_device_##kind##infix##_view;                    \
  typedef struct                                            \
  {                                                         \
    gsltune_device_##kind##infix kind;                      \
  } gsltune_device_##kind##infix##_const_struct;            \
  typedef const gsltune_device_##kind##infix##_const_struct \
    gsltune_device_##kind##infix##_const_view
/* Functions of one vector or matrix that return RESULT.  */
#define GSLTUNE_DEVICE_OF_(result, kind, infix, name) \
  result gsltune_device_##kind##infix##_##name ( \
    const gsltune_device_##kind##infix *kind)

#define GSLTUNE_DEVICE_MEMORY_(infix, ctype)                                  \
  GSLTUNE_DEVICE_TYPES_ (vector, infix, memory);                              \
  gsltune_device_vector##infix *gsltune_device_vector##infix##_alloc (        \
    size_t n);                                                                \
  gsltune_device_vector##infix *gsltune_device_vector##infix##_alloc_on (     \
    size_t n, int gpu);                                                       \
  void gsltune_device_vector##infix##_free (gsltune_device_vector##infix *v); \
  gsltune_device_vector##infix##_view                                         \
  gsltune_device_vector##infix##_view_array (ctype *address, size_t stride,   \
                                             size_t n);                       \
  gsltune_device_vector##infix##_const_struct                                 \
  gsltune_device_vector##infix##_const_view_array (                           \
    const ctype *address, size_t stride, size_t n);                           \
  void gsltune_device_vector##infix##_set_stream (                            \
    gsltune_device_vector##infix *v, void *stream);                           \
  int gsltune_device_vector##infix##_set (gsltune_device_vector##infix *v,    \
                                          const gsl_vector##infix *source);   \
  int gsltune_device_vector##infix##_get (                                    \
    const gsltune_device_vector##infix *v, gsl_vector##infix *destination);   \
  GSLTUNE_DEVICE_OF_ (size_t, vector, infix, size);                           \
  GSLTUNE_DEVICE_OF_ (size_t, vector, infix, stride);                         \
  GSLTUNE_DEVICE_OF_ (int, vector, infix, on_gpu);                            \
  void *gsltune_device_vector##infix##_data (                                 \
    gsltune_device_vector##infix *v)

#define GSLTUNE_DEVICE_VECTOR_(infix, ctype, ...)                                \
  GSLTUNE_DEVICE_MEMORY_ (infix, ctype);                                    \
  ctype gsltune_device_vector##infix##_sum_all (                            \
    const gsltune_device_vector##infix *const vectors[], size_t count);     \
  GSLTUNE_DEVICE_OF_ (ctype, vector, infix, sum);                           \
  GSLTUNE_DEVICE_OF_ (ctype, vector, infix, max);                           \
  GSLTUNE_DEVICE_OF_ (ctype, vector, infix, min);                           \
  void gsltune_device_vector##infix##_minmax (                              \
    const gsltune_device_vector##infix *v, ctype *min_out, ctype *max_out); \
  GSLTUNE_DEVICE_OF_ (size_t, vector, infix, max_index);                    \
  GSLTUNE_DEVICE_OF_ (size_t, vector, infix, min_index);                    \
  void gsltune_device_vector##infix##_minmax_index (                        \
    const gsltune_device_vector##infix *v, size_t *imin, size_t *imax);     \
  int gsltune_device##infix##_sum (const ctype *address, size_t stride,     \
                                   size_t n, void *stream, ctype *result)

GSLTUNE_EACH_GPU_TYPE_ (GSLTUNE_DEVICE_VECTOR_, );
GSLTUNE_DEVICE_MEMORY_ (_ulong, unsigned long);

#define GSLTUNE_DEVICE_PARTS_(infix, part)              \
  gsltune_device_vector##infix##_view                   \
  gsltune_device_vector_complex##infix##_##part (       \
    gsltune_device_vector_complex##infix *v);           \
  gsltune_device_vector##infix##_const_struct           \
  gsltune_device_vector_complex##infix##_const_##part ( \
    const gsltune_device_vector_complex##infix *v)
#define GSLTUNE_DEVICE_COMPLEX_(infix, ctype)           \
  GSLTUNE_DEVICE_MEMORY_ (_complex##infix, ctype);      \
  GSLTUNE_DEVICE_PARTS_ (infix, real);                  \
  GSLTUNE_DEVICE_PARTS_ (infix, imag);                  \
  int gsltune_device_vector_complex##infix##_dotu (     \
    const gsltune_device_vector_complex##infix *x,      \
    const gsltune_device_vector_complex##infix *y,      \
    gsl_complex##infix *result);                        \
  int gsltune_device_vector_complex##infix##_dotc (     \
    const gsltune_device_vector_complex##infix *x,      \
    const gsltune_device_vector_complex##infix *y,      \
    gsl_complex##infix *result);                        \
  ctype gsltune_device_vector_complex##infix##_nrm2 (   \
    const gsltune_device_vector_complex##infix *v);     \
  ctype gsltune_device_vector_complex##infix##_asum (   \
    const gsltune_device_vector_complex##infix *v);     \
  size_t gsltune_device_vector_complex##infix##_iamax ( \
    const gsltune_device_vector_complex##infix *v)

GSLTUNE_DEVICE_COMPLEX_ (, double);
GSLTUNE_DEVICE_COMPLEX_ (_float, float);

double gsltune_device_vector_asum (const gsltune_device_vector *v);
float gsltune_device_vector_float_asum (const gsltune_device_vector_float *v);
size_t gsltune_device_vector_iamax (const gsltune_device_vector *v);
size_t gsltune_device_vector_float_iamax (const gsltune_device_vector_float *v);

#define GSLTUNE_DEVICE_ONE_(infix, name, result) GSLTUNE_DEVICE_OF_ (result, vector, infix, name)
#define GSLTUNE_DEVICE_TWO_(infix, name, result)   \
  result gsltune_device_vector##infix##_##name (   \
    const gsltune_device_vector##infix *x,         \
    const gsltune_device_vector##infix *y)
/* The statistics of device vectors, by the macro ONE of one sample, or TWO of two; of the last
   ones the first sample is the weights.  */
#define GSLTUNE_EACH_DEVICE_STATISTIC_(one, two, infix) \
  one (infix, mean, double);                            \
  one (infix, variance, double);                        \
  one (infix, sd, double);                              \
  one (infix, population_variance, double);             \
  one (infix, population_sd, double);                   \
  one (infix, tss, double);                             \
  two (infix, covariance, double);                      \
  two (infix, correlation, double)
#define GSLTUNE_EACH_WEIGHTED_DEVICE_STATISTIC_(two, infix) \
  two (infix, wmean, double);                               \
  two (infix, wvariance, double);                           \
  two (infix, wsd, double)
#define GSLTUNE_DEVICE_STATISTICS_(infix, ctype, ...) \
  GSLTUNE_EACH_DEVICE_STATISTIC_ (GSLTUNE_DEVICE_ONE_, GSLTUNE_DEVICE_TWO_, infix)

#define GSLTUNE_DEVICE_REALS_(infix, ctype)                \
  int gsltune_device_vector##infix##_dot (                 \
    const gsltune_device_vector##infix *x,                 \
    const gsltune_device_vector##infix *y, ctype *result); \
  GSLTUNE_DEVICE_OF_ (ctype, vector, infix, nrm2);         \
  GSLTUNE_EACH_WEIGHTED_DEVICE_STATISTIC_ (GSLTUNE_DEVICE_TWO_, infix)

GSLTUNE_EACH_GPU_TYPE_ (GSLTUNE_DEVICE_STATISTICS_, );

/* ---------------------------------------------------------------- Streams

   int gsltune_device_vector_TYPE_NAME_to (const gsltune_device_vector_TYPE *v,
                                           RESULT *result, void *stream, gsltune_mode mode,
                                           gsltune_scratch *scratch)
     Put what computes gsltune_device_vector_TYPE_NAME (v) into a stream and return at once.
     The result is written to *result, in memory that the GPU of v can write, behind the work
     that is in the stream now and ahead of what is put there later, as by any kernel; the
     host waits for nothing.  NAME is

       sum, max, min          RESULT is the elements' type
       max_index, min_index   size_t
       mean, variance, sd, population_variance, population_sd, tss
                              double
       minmax, minmax_index   two results, the least and the largest: (v, least, largest,
                              stream, mode, scratch)
       covariance, correlation
                              double, of two vectors: (x, y, result, stream, mode, scratch)
       wmean, wvariance, wsd  double, of double and float alone, of weights and a vector
       nrm2, asum, iamax      of double and float alone: RESULT is their type, or size_t
       dot                    of double and float alone, of two vectors
       nrm2, asum, iamax, dotu, dotc
                              of complex and complex_float, too: RESULT is the type of the
                              parts, size_t, or of products gsl_complex or gsl_complex_float

     STREAM is a CUstream or cudaStream_t, of any context that has the elements, the result and
     the scratch memory: the primary one or another; null is the default stream of
     the current context, else of the primary one.  What v has been told of a stream
     counts for nothing here.  Memory of cudaMallocAsync and of cuMemMap will do.  The stream
     may be one that is being captured: the graph may run as often as one likes, with other
     elements at the same addresses, and is then as right as the call.

     MODE is the mode of the call; GSLTUNE_MODE_PROCESS is that of the thread.  In fast mode sum, asum, dot, dotu and dotc are fast; everything else of
     reals, and asum of complex vectors whose stride is not 1, is rounded once, from the exact value, in all modes: on the device, whatever the elements
     are.  Up to 2^20 elements that is one kernel.  Of more, a second follows, which
     ends at once unless the elements differ so much in size that the first gave up.

     With SCRATCH nothing is allocated, except for kernels that are loaded at the first call.
     If SCRATCH is null, scratch memory is allocated from the stream's own pool (as by
     cudaMallocAsync) and freed in the order of the stream; in a graph these are nodes.

     Exact products of complex vectors take four such kernels, and norms and sums of magnitudes
     of those whose stride is not 1 two; of more than 2^20 elements as many follow.

     Correlations and statistics with weights take two kernels, for any number of elements.

     Of no elements a sum, a norm and iamax are 0, and statistics what they are without _to.

     Where v lies in host memory, as there is no GPU, the result is computed there, by the
     functions without _to, at once; RESULT is then an address on the host.

     Return GSL_SUCCESS; no error handler is called.  GSL_EINVAL: no place for a result, no such
     mode, vectors or scratch memory of several GPUs; GSL_EBADLEN: the lengths of two
     vectors differ; GSL_EDOM: there is no element that could be an extreme; GSL_ENOMEM;
     GSL_EFAILED: the driver refused, as for a stream of another GPU, or in a child of
     fork.  If the GPU fails later, whoever waits for the stream is told, as with any
     kernel.  */

/* Scratch memory for those functions.  It belongs to one GPU and may be used by one stream at a
   time; a running graph that has captured such calls counts as a stream.  If there is no GPU it is
   empty and may be passed with vectors on the host.  */
typedef struct gsltune_scratch_struct gsltune_scratch;

/* The bytes of device memory that it takes on a GPU, of 0 ... gsltune_gpu_count () - 1,
   whatever is computed; 0 for another number.  */
size_t gsltune_scratch_size (int gpu);

/* Allocates it, in the GPU's primary context.  Null if memory is short or there is no such GPU.
   Waits for the GPU.  */
gsltune_scratch *gsltune_scratch_alloc (int gpu);

/* Makes it of BYTES of device memory of the caller's, in any context, which begin at a
   multiple of 256: they are made zero behind the work in STREAM, as above, and are
   not to be written to by others.  Null if they are too few, or the host's memory is short.  */
gsltune_scratch *gsltune_scratch_view (void *address, size_t bytes, void *stream);

/* After the work in the streams that use it.  Null is allowed.  */
void gsltune_scratch_free (gsltune_scratch *scratch);

#define GSLTUNE_TO_(infix, name, result)                                     \
  int gsltune_device_vector##infix##_##name##_to (                           \
    const gsltune_device_vector##infix *v, result *to, void *stream,         \
    gsltune_mode mode, gsltune_scratch *scratch)
#define GSLTUNE_BOTH_TO_(infix, name, result)                                \
  int gsltune_device_vector##infix##_##name##_to (                           \
    const gsltune_device_vector##infix *v, result *least, result *largest,   \
    void *stream, gsltune_mode mode, gsltune_scratch *scratch)
#define GSLTUNE_PAIR_TO_(infix, name, result)                                \
  int gsltune_device_vector##infix##_##name##_to (                           \
    const gsltune_device_vector##infix *x,                                   \
    const gsltune_device_vector##infix *y, result *to, void *stream,         \
    gsltune_mode mode, gsltune_scratch *scratch)
#define GSLTUNE_DEVICE_TO_(infix, ctype, ...)          \
  GSLTUNE_TO_ (infix, sum, ctype);                \
  GSLTUNE_TO_ (infix, max, ctype);                \
  GSLTUNE_TO_ (infix, min, ctype);                \
  GSLTUNE_BOTH_TO_ (infix, minmax, ctype);        \
  GSLTUNE_TO_ (infix, max_index, size_t);         \
  GSLTUNE_TO_ (infix, min_index, size_t);         \
  GSLTUNE_BOTH_TO_ (infix, minmax_index, size_t); \
  GSLTUNE_EACH_DEVICE_STATISTIC_ (GSLTUNE_TO_, GSLTUNE_PAIR_TO_, infix)
#define GSLTUNE_DEVICE_COMPLEX_TO_(infix, ctype)              \
  GSLTUNE_TO_ (_complex##infix, asum, ctype);                 \
  GSLTUNE_TO_ (_complex##infix, iamax, size_t);               \
  GSLTUNE_TO_ (_complex##infix, nrm2, ctype);                 \
  GSLTUNE_PAIR_TO_ (_complex##infix, dotu, gsl_complex##infix); \
  GSLTUNE_PAIR_TO_ (_complex##infix, dotc, gsl_complex##infix)
#define GSLTUNE_DEVICE_REAL_TO_(infix, ctype) \
  GSLTUNE_EACH_WEIGHTED_DEVICE_STATISTIC_ (GSLTUNE_PAIR_TO_, infix); \
  GSLTUNE_TO_ (infix, asum, ctype);           \
  GSLTUNE_TO_ (infix, iamax, size_t);         \
  GSLTUNE_TO_ (infix, nrm2, ctype);           \
  GSLTUNE_PAIR_TO_ (infix, dot, ctype)

GSLTUNE_EACH_GPU_TYPE_ (GSLTUNE_DEVICE_TO_, );
GSLTUNE_DEVICE_REAL_TO_ (, double);
GSLTUNE_DEVICE_REAL_TO_ (_float, float);
GSLTUNE_DEVICE_COMPLEX_TO_ (, double);
GSLTUNE_DEVICE_COMPLEX_TO_ (_float, float);

GSLTUNE_DEVICE_REALS_ (, double);
GSLTUNE_DEVICE_REALS_ (_float, float);

/* Add the elements of device vectors to moments, or pairs of them, as gsltune_moments_add and
   gsltune_moments_add_pairs do, with the same sums; the GPU that has them adds, unless M is of
   distances or of long doubles: then, and where X and Y lie on different GPUs, the CPU adds
   copies.  They come after the work in the streams of the vectors and are complete when they
   return.  Return GSL_SUCCESS; through GSL's error handler, with M as it was, GSL_EINVAL as
   those functions and while a stream is being captured, GSL_EBADLEN when the lengths differ,
   GSL_ENOMEM, and GSL_EFAILED when the GPU has stopped working and the elements are lost.

   int gsltune_moments_add_device_vector_TYPE (gsltune_moments *m,
                                               const gsltune_device_vector_TYPE *v)
   int gsltune_moments_add_device_vector_pairs_TYPE (gsltune_moments *m,
                                                     const gsltune_device_vector_TYPE *x,
                                                     const gsltune_device_vector_TYPE *y)  */
#define GSLTUNE_MOMENTS_DEVICE_(infix, ctype, ...)                                            \
  int gsltune_moments_add_device_vector##infix (gsltune_moments *m,                      \
                                                const gsltune_device_vector##infix *v);  \
  int gsltune_moments_add_device_vector_pairs##infix (                                   \
    gsltune_moments *m, const gsltune_device_vector##infix *x,                           \
    const gsltune_device_vector##infix *y)

GSLTUNE_EACH_GPU_TYPE_ (GSLTUNE_MOMENTS_DEVICE_, );

/* ------------------------------------------ Matrices that stay on a GPU */

/* A device matrix holds size1 rows of size2 elements in the memory of a GPU, or on the
   host, as a device vector holds its elements; element (i, j) is element i * tda + j.

   For each TYPE that device vectors have, complex and complex_float included, CTYPE being
   its C type, or that of its parts:

   gsltune_device_matrix_TYPE *gsltune_device_matrix_TYPE_alloc (size_t size1,
                                                                 size_t size2)
   gsltune_device_matrix_TYPE *gsltune_device_matrix_TYPE_alloc_on (size_t size1,
     size_t size2, int gpu)
   void gsltune_device_matrix_TYPE_free (gsltune_device_matrix_TYPE *m)
     As of vectors; tda is size2.

   gsltune_device_matrix_TYPE_view
   gsltune_device_matrix_TYPE_view_array (CTYPE *address, size_t size1, size_t size2)
   gsltune_device_matrix_TYPE_view
   gsltune_device_matrix_TYPE_view_array_with_tda (CTYPE *address, size_t size1,
                                                   size_t size2, size_t tda)
     Views of memory that a GPU can read, whose member `matrix' is the device matrix.
     Errors are those of gsltune_device_vector_TYPE_view_array; GSL_EINVAL also for a tda
     that is less than size2.  Then it is a view of no elements.

   gsltune_device_matrix_TYPE_const_view
   gsltune_device_matrix_TYPE_const_view_array (const CTYPE *address, ...)
   gsltune_device_matrix_TYPE_const_view_array_with_tda (const CTYPE *address, ...)
     The same of elements that are only read.

   void gsltune_device_matrix_TYPE_set_stream (gsltune_device_matrix_TYPE *m,
                                               void *stream)
     As of vectors.  A view of a row, a column or a part has the stream that the matrix
     had when the view was made.

   int gsltune_device_matrix_TYPE_set (gsltune_device_matrix_TYPE *m,
                                       const gsl_matrix_TYPE *source)
   int gsltune_device_matrix_TYPE_get (const gsltune_device_matrix_TYPE *m,
                                       gsl_matrix_TYPE *destination)
     Copy all elements from, or to, a matrix of any tda; nothing between the rows is
     written.  Complete when they return.  GSL_EBADLEN through GSL's error handler when
     the sizes differ; GSL_EFAILED when the GPU has stopped working, in a child of
     fork(), or when host memory for packing rows is short.

   size_t gsltune_device_matrix_TYPE_size1 (const gsltune_device_matrix_TYPE *m)
   size_t gsltune_device_matrix_TYPE_size2 (const gsltune_device_matrix_TYPE *m)
   size_t gsltune_device_matrix_TYPE_tda (const gsltune_device_matrix_TYPE *m)
     Rows, columns, and from one row to the next, in elements.

   int gsltune_device_matrix_TYPE_on_gpu (const gsltune_device_matrix_TYPE *m)
   void *gsltune_device_matrix_TYPE_data (gsltune_device_matrix_TYPE *m)
     As of vectors.

   gsltune_device_vector_TYPE_view
   gsltune_device_matrix_TYPE_row (gsltune_device_matrix_TYPE *m, size_t i)
   gsltune_device_vector_TYPE_view
   gsltune_device_matrix_TYPE_column (gsltune_device_matrix_TYPE *m, size_t j)
   gsltune_device_matrix_TYPE_view
   gsltune_device_matrix_TYPE_submatrix (gsltune_device_matrix_TYPE *m, size_t i,
                                         size_t j, size_t n1, size_t n2)
     Views of row i, of column j, and of the n1 rows and n2 columns from element (i, j)
     on.  They need no freeing and are valid as long as the matrix is.  GSL_EINVAL
     through GSL's error handler, and a view of no elements, for what lies outside.

   gsltune_device_vector_TYPE_const_view
   gsltune_device_matrix_TYPE_const_row (const gsltune_device_matrix_TYPE *m, size_t i)
   ..._const_column, _const_submatrix
     The same of a matrix that is only read.

   For double the names have no TYPE.  */

/* The memory of a device matrix; the members are for the library alone.  */
struct gsltune_device_table
{
  struct gsltune_device_memory memory; /* of element (0, 0) on */
  size_t size1, size2, tda;
};

#define GSLTUNE_DEVICE_MATRIX_(infix, ctype, ...)                                  \
  GSLTUNE_DEVICE_TYPES_ (matrix, infix, table);                               \
  gsltune_device_matrix##infix *gsltune_device_matrix##infix##_alloc (        \
    size_t size1, size_t size2);                                              \
  gsltune_device_matrix##infix *gsltune_device_matrix##infix##_alloc_on (     \
    size_t size1, size_t size2, int gpu);                                     \
  void gsltune_device_matrix##infix##_free (gsltune_device_matrix##infix *m); \
  gsltune_device_matrix##infix##_view                                         \
  gsltune_device_matrix##infix##_view_array (ctype *address, size_t size1,    \
                                             size_t size2);                   \
  gsltune_device_matrix##infix##_view                                         \
  gsltune_device_matrix##infix##_view_array_with_tda (                        \
    ctype *address, size_t size1, size_t size2, size_t tda);                  \
  gsltune_device_matrix##infix##_const_struct                                 \
  gsltune_device_matrix##infix##_const_view_array (                           \
    const ctype *address, size_t size1, size_t size2);                        \
  gsltune_device_matrix##infix##_const_struct                                 \
  gsltune_device_matrix##infix##_const_view_array_with_tda (                  \
    const ctype *address, size_t size1, size_t size2, size_t tda);            \
  void gsltune_device_matrix##infix##_set_stream (                            \
    gsltune_device_matrix##infix *m, void *stream);                           \
  int gsltune_device_matrix##infix##_set (gsltune_device_matrix##infix *m,    \
                                          const gsl_matrix##infix *source);   \
  int gsltune_device_matrix##infix##_get (                                    \
    const gsltune_device_matrix##infix *m, gsl_matrix##infix *destination);   \
  GSLTUNE_DEVICE_OF_ (size_t, matrix, infix, size1);                          \
  GSLTUNE_DEVICE_OF_ (size_t, matrix, infix, size2);                          \
  GSLTUNE_DEVICE_OF_ (size_t, matrix, infix, tda);                            \
  GSLTUNE_DEVICE_OF_ (int, matrix, infix, on_gpu);                            \
  void *gsltune_device_matrix##infix##_data (                                 \
    gsltune_device_matrix##infix *m);                                         \
  gsltune_device_vector##infix##_view gsltune_device_matrix##infix##_row (    \
    gsltune_device_matrix##infix *m, size_t i);                               \
  gsltune_device_vector##infix##_view gsltune_device_matrix##infix##_column ( \
    gsltune_device_matrix##infix *m, size_t j);                               \
  gsltune_device_matrix##infix##_view                                         \
  gsltune_device_matrix##infix##_submatrix (gsltune_device_matrix##infix *m,  \
                                            size_t i, size_t j, size_t n1,    \
                                            size_t n2);                       \
  gsltune_device_vector##infix##_const_struct                                 \
  gsltune_device_matrix##infix##_const_row (                                  \
    const gsltune_device_matrix##infix *m, size_t i);                         \
  gsltune_device_vector##infix##_const_struct                                 \
  gsltune_device_matrix##infix##_const_column (                               \
    const gsltune_device_matrix##infix *m, size_t j);                         \
  gsltune_device_matrix##infix##_const_struct                                 \
  gsltune_device_matrix##infix##_const_submatrix (                            \
    const gsltune_device_matrix##infix *m, size_t i, size_t j, size_t n1,     \
    size_t n2)

GSLTUNE_EACH_GPU_TYPE_ (GSLTUNE_DEVICE_MATRIX_, );
GSLTUNE_DEVICE_MATRIX_ (_complex, double, );
GSLTUNE_DEVICE_MATRIX_ (_complex_float, float, );

/* Results of all rows or columns of a device matrix, or of segments of a device vector, which
   stay on the GPU.  For each TYPE that GPUs have and for double, which has no TYPE:

   int gsltune_device_matrix_TYPE_row_NAME (const gsltune_device_matrix_TYPE *m, RESULT *result)
   int gsltune_device_matrix_TYPE_column_NAME (const gsltune_device_matrix_TYPE *m,
     RESULT *result)
   int gsltune_device_vector_TYPE_segment_NAME (const gsltune_device_vector_TYPE *v,
     const gsltune_device_vector_ulong *offsets, RESULT *result)
     As gsltune_matrix_TYPE_row_NAME and its siblings, with the same NAMEs except median and, in
     exact and in compensated mode, the same bits.  RESULT is gsltune_device_vector_TYPE of sum, max, min,
     asum, nrm2; gsltune_device_vector_ulong of max_index and min_index; gsltune_device_vector
     of all others.  There is one offset more than there are segments.

     GPUs compute these of double, float and int.  Elements of type long, and lines of more than
     2^30 elements, are copied to the host, where the CPU computes; so are operands on several
     GPUs, and those of a GPU that fails.

     They come after the work in the streams of all that they are given, and are complete when
     they return.  Errors are those of the functions on the host, but what is wrong with
     segments is found as results are written, which are then undefined.  GSL_EBADLEN where
     there is no offset at all; GSL_EFAILED, GSL_EINVAL as below.  */
#define GSLTUNE_DEVICE_LINE_(infix, name, of)                                  \
  int gsltune_device_matrix##infix##_row_##name (                              \
    const gsltune_device_matrix##infix *m, gsltune_device_vector##of *result); \
  int gsltune_device_matrix##infix##_column_##name (                           \
    const gsltune_device_matrix##infix *m, gsltune_device_vector##of *result); \
  int gsltune_device_vector##infix##_segment_##name (                          \
    const gsltune_device_vector##infix *v,                                     \
    const gsltune_device_vector_ulong *offsets,                                \
    gsltune_device_vector##of *result)
#define GSLTUNE_DEVICE_LINES_(infix, ctype, ...) GSLTUNE_EACH_LINE_ (GSLTUNE_DEVICE_LINE_, infix)

GSLTUNE_EACH_GPU_TYPE_ (GSLTUNE_DEVICE_LINES_, );
GSLTUNE_DEVICE_LINE_ (, asum, );
GSLTUNE_DEVICE_LINE_ (_float, asum, _float);
GSLTUNE_DEVICE_LINE_ (, nrm2, );
GSLTUNE_DEVICE_LINE_ (_float, nrm2, _float);

/* The same of doubles, floats and int, in a stream:

   int gsltune_device_matrix_TYPE_row_NAME_to (const gsltune_device_matrix_TYPE *m, RESULT *result,
     void *stream, gsltune_mode mode, gsltune_scratch *scratch)
   int gsltune_device_matrix_TYPE_column_NAME_to (const gsltune_device_matrix_TYPE *m,
     RESULT *result, void *stream, gsltune_mode mode, gsltune_scratch *scratch)
   int gsltune_device_vector_TYPE_segment_NAME_to (const gsltune_device_vector_TYPE *v,
     const gsltune_device_vector_ulong *offsets, RESULT *result, void *stream,
     gsltune_mode mode, gsltune_scratch *scratch)
     Put what computes the results into STREAM and return at once, as gsltune_device_vector_sum_to
     does, with the same STREAM, MODE and SCRATCH; the stream may be one that is being
     captured.  What M, V, OFFSETS and RESULT have been told of streams counts for nothing.

     OFFSETS lie side by side on the GPU and are read there, behind what is in the stream: other
     work of it may make them, and a graph may run again with others.  So nobody is told of
     offsets that decrease or are more than V's length, which leave RESULT undefined; nothing
     else is written, nor read but V.  The extreme of a segment without elements is 0, and its index.

     Where all lie in host memory, as there is no GPU, the results are computed there, at once.
     Return GSL_SUCCESS; no error handler is called.  GSL_EBADLEN: RESULT has not one element for
     each line; GSL_EDOM: rows or columns have no elements; GSL_EINVAL: not all lie on one GPU, or
     SCRATCH on another, there is no such mode, OFFSETS have a stride, or lines, or all segments
     together, have more than 2^30 elements; GSL_EFAILED: the driver refused, as where memory is
     short, or in a child of fork.  On the host GSL_EINVAL tells of wrong offsets, too, and
     GSL_EDOM of segments without extremes.  */
#define GSLTUNE_DEVICE_LINE_TO_(infix, name, of)                              \
  int gsltune_device_matrix##infix##_row_##name##_to (                        \
    const gsltune_device_matrix##infix *m, gsltune_device_vector##of *result, \
    void *stream, gsltune_mode mode, gsltune_scratch *scratch);               \
  int gsltune_device_matrix##infix##_column_##name##_to (                     \
    const gsltune_device_matrix##infix *m, gsltune_device_vector##of *result, \
    void *stream, gsltune_mode mode, gsltune_scratch *scratch);               \
  int gsltune_device_vector##infix##_segment_##name##_to (                    \
    const gsltune_device_vector##infix *v,                                    \
    const gsltune_device_vector_ulong *offsets,                               \
    gsltune_device_vector##of *result, void *stream, gsltune_mode mode,       \
    gsltune_scratch *scratch)

GSLTUNE_EACH_LINE_ (GSLTUNE_DEVICE_LINE_TO_, );
GSLTUNE_EACH_LINE_ (GSLTUNE_DEVICE_LINE_TO_, _float);
GSLTUNE_EACH_LINE_ (GSLTUNE_DEVICE_LINE_TO_, _int);
GSLTUNE_DEVICE_LINE_TO_ (, asum, );
GSLTUNE_DEVICE_LINE_TO_ (_float, asum, _float);
GSLTUNE_DEVICE_LINE_TO_ (, nrm2, );
GSLTUNE_DEVICE_LINE_TO_ (_float, nrm2, _float);

/* Products of matrices and vectors of a GPU:

   int gsltune_device_blas_dgemv (CBLAS_TRANSPOSE_t TransA, double alpha,
     const gsltune_device_matrix *A, const gsltune_device_vector *x, double beta,
     gsltune_device_vector *y)
   int gsltune_device_blas_dgemm (CBLAS_TRANSPOSE_t TransA, CBLAS_TRANSPOSE_t TransB,
     double alpha, const gsltune_device_matrix *A, const gsltune_device_matrix *B,
     double beta, gsltune_device_matrix *C)
   and _sgemv, _sgemm of floats
     As gsltune_blas_dgemv and _dgemm, with the same special cases: alpha or beta 0, no
     elements, NaN.  In exact mode, and in compensated mode, each element is alpha times
     the exact sum of exact products, plus beta times the old element, rounded once: the
     same bits as the CPU's.  In fast mode products of matrices are cuBLAS's, where the
     system has it.  They come after the work in the streams of all three and are
     complete when they return.

     Exact products of matrices are made of residues by cuBLAS's products of integers, where
     there is cuBLAS, and take memory of the GPU for these beyond the limit of scratch
     memory, up to half of what is free; it is given back at once.

     When operands are on different GPUs, and when a GPU fails, they are copied to the host
     and the CPU computes.  GSL_EBADLEN through GSL's error handler when the sizes do not
     fit; GSL_EFAILED when the GPU has failed and elements are lost, in a child of fork(), or
     when host memory is short; GSL_EINVAL while a stream is being captured.  */
#define GSLTUNE_DEVICE_PRODUCTS_(letter, infix, ctype)               \
  int gsltune_device_blas_##letter##gemv (                           \
    CBLAS_TRANSPOSE_t TransA, ctype alpha,                           \
    const gsltune_device_matrix##infix *A,                           \
    const gsltune_device_vector##infix *x, ctype beta,               \
    gsltune_device_vector##infix *y);                                \
  int gsltune_device_blas_##letter##gemm (                           \
    CBLAS_TRANSPOSE_t TransA, CBLAS_TRANSPOSE_t TransB, ctype alpha, \
    const gsltune_device_matrix##infix *A,                           \
    const gsltune_device_matrix##infix *B, ctype beta,               \
    gsltune_device_matrix##infix *C)

GSLTUNE_DEVICE_PRODUCTS_ (d, , double);
GSLTUNE_DEVICE_PRODUCTS_ (s, _float, float);

#if defined __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
