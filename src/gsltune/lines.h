/* Rows, columns and segments.  A part of gsltune.h, which explains the comments in brackets.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* Compute one answer of each row or each column of a matrix, or of each segment of a vector,
   as element i of RESULT for line i.  In exact mode it has the bits of the function of one
   vector, so that it is correctly rounded.  Threads share the lines.

   Segment i is the elements from offsets[i] on, before offsets[i + 1]: there are count + 1
   offsets, which never decrease, and none is more than v->size.  There is no element between
   two segments; those before the first and behind the last are not read.  RESULT must not
   overlap the elements that are read, which are not changed.

   Return GSL_SUCCESS.  They report errors before any result is written: GSL_EBADLEN if
   RESULT's size is not the number of lines; GSL_EINVAL for other offsets than these; GSL_EDOM
   if a line without elements would need a largest or smallest one; GSL_ENOMEM if there is no
   memory for the copy of a line that a median needs.  */

/* Like gsltune_vector_sum, _max, _min, _max_index, _min_index.  */
/* [all] */
int gsltune_matrix_row_sum (const gsl_matrix *m, gsl_vector *result);
int gsltune_matrix_column_sum (const gsl_matrix *m, gsl_vector *result);
int gsltune_vector_segment_sum (const gsl_vector *v, const size_t *offsets, size_t count,
                                gsl_vector *result);
int gsltune_matrix_row_max (const gsl_matrix *m, gsl_vector *result);
int gsltune_matrix_column_max (const gsl_matrix *m, gsl_vector *result);
int gsltune_vector_segment_max (const gsl_vector *v, const size_t *offsets, size_t count,
                                gsl_vector *result);
int gsltune_matrix_row_min (const gsl_matrix *m, gsl_vector *result);
int gsltune_matrix_column_min (const gsl_matrix *m, gsl_vector *result);
int gsltune_vector_segment_min (const gsl_vector *v, const size_t *offsets, size_t count,
                                gsl_vector *result);
int gsltune_matrix_row_max_index (const gsl_matrix *m, gsl_vector_ulong *result);
int gsltune_matrix_column_max_index (const gsl_matrix *m, gsl_vector_ulong *result);
int gsltune_vector_segment_max_index (const gsl_vector *v, const size_t *offsets, size_t count,
                                      gsl_vector_ulong *result);
int gsltune_matrix_row_min_index (const gsl_matrix *m, gsl_vector_ulong *result);
int gsltune_matrix_column_min_index (const gsl_matrix *m, gsl_vector_ulong *result);
int gsltune_vector_segment_min_index (const gsl_vector *v, const size_t *offsets, size_t count,
                                      gsl_vector_ulong *result);

/* Like gsltune_stats_mean, _variance, _sd.  */
/* [all: double] */
int gsltune_matrix_row_mean (const gsl_matrix *m, gsl_vector *result);
int gsltune_matrix_column_mean (const gsl_matrix *m, gsl_vector *result);
int gsltune_vector_segment_mean (const gsl_vector *v, const size_t *offsets, size_t count,
                                 gsl_vector *result);
int gsltune_matrix_row_variance (const gsl_matrix *m, gsl_vector *result);
int gsltune_matrix_column_variance (const gsl_matrix *m, gsl_vector *result);
int gsltune_vector_segment_variance (const gsl_vector *v, const size_t *offsets, size_t count,
                                     gsl_vector *result);
int gsltune_matrix_row_sd (const gsl_matrix *m, gsl_vector *result);
int gsltune_matrix_column_sd (const gsl_matrix *m, gsl_vector *result);
int gsltune_vector_segment_sd (const gsl_vector *v, const size_t *offsets, size_t count,
                               gsl_vector *result);

/* The median of an even number of elements is the mean of the two middle ones, rounded once to
   double, for all types.  gsltune_stats_median has GSL's bits instead: GSL adds the two in the
   type of the elements, where integers wrap and floating-point numbers round or overflow.  */
int gsltune_matrix_row_median (const gsl_matrix *m, gsl_vector *result);
int gsltune_matrix_column_median (const gsl_matrix *m, gsl_vector *result);
int gsltune_vector_segment_median (const gsl_vector *v, const size_t *offsets, size_t count,
                                   gsl_vector *result);

/* Like gsltune_blas_dasum, _dnrm2.  */
/* [float] */
int gsltune_matrix_row_asum (const gsl_matrix *m, gsl_vector *result);
int gsltune_matrix_column_asum (const gsl_matrix *m, gsl_vector *result);
int gsltune_vector_segment_asum (const gsl_vector *v, const size_t *offsets, size_t count,
                                 gsl_vector *result);
int gsltune_matrix_row_nrm2 (const gsl_matrix *m, gsl_vector *result);
int gsltune_matrix_column_nrm2 (const gsl_matrix *m, gsl_vector *result);
int gsltune_vector_segment_nrm2 (const gsl_vector *v, const size_t *offsets, size_t count,
                                 gsl_vector *result);

/* Compute the statistic of all pairs of a matrix's columns: element (i, j) of RESULT, a square
   matrix with a row for each column of m, becomes gsltune_stats_covariance or _correlation of
   the columns i and j.  Return GSL_SUCCESS, or report GSL_EBADLEN.  */
/* [all: double] */
int gsltune_matrix_covariance (const gsl_matrix *m, gsl_matrix *result);
int gsltune_matrix_correlation (const gsl_matrix *m, gsl_matrix *result);
