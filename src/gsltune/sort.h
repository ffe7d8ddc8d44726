/* Sorts, selection and medians.  A part of gsltune.h, which explains the comments in brackets.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* The counterparts of GSL's functions of the same names sort vectors and arrays on the host,
   and select elements by their rank.  Results are GSL's bit for bit, in every mode.  So are
   the arrays afterwards: equal elements, NaN, zeros of both signs, the argument of a median.

   Sorting needs scratch memory of at most 32 bytes an element, or 40 for long doubles; none is
   needed for elements of stride 1.  If it would be more than the scratch limit
   (gsltune_set_scratch_limit), or memory is short, GSL's own function sorts.  It does so too
   if there are NaNs or zeros of both signs, for types of other sizes than 4 and 8 bytes, and
   without vqsort of Highway.  */

/* Sort the n elements data[i * stride], in ascending order; store the permutation in p; sort
   data1 and exchange the elements of data2 in the same way.  */
/* [all] */
void gsltune_sort (double *data, size_t stride, size_t n);
void gsltune_sort_index (size_t *p, const double *data, size_t stride, size_t n);
void gsltune_sort2 (double *data1, size_t stride1, double *data2, size_t stride2, size_t n);

/* Do the same with vectors.  The index reports GSL_EBADLEN if the lengths differ.  */
void gsltune_sort_vector (gsl_vector *v);
int gsltune_sort_vector_index (gsl_permutation *p, const gsl_vector *v);
void gsltune_sort_vector2 (gsl_vector *v1, gsl_vector *v2);

/* Returns the element of rank k, from 0 on, of the n elements data[i * stride], and exchanges
   elements.  */
double gsltune_stats_select (double data[], size_t stride, size_t n, size_t k);

/* Returns the median, and exchanges elements.  */
/* [all: double] */
double gsltune_stats_median (double data[], size_t stride, size_t n);

/* Return the median of the distances from the median; mad multiplies it by 1.4826, so that it
   estimates a standard deviation.  WORK has room for n numbers.  */
double gsltune_stats_mad0 (const double data[], size_t stride, size_t n, double work[]);
double gsltune_stats_mad (const double data[], size_t stride, size_t n, double work[]);
