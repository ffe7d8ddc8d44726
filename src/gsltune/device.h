/* Vectors and matrices that stay in the memory of a GPU.  A part of gsltune.h, which explains
   the comments in brackets.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* Returns the number of GPUs that device vectors can be allocated on: 0 if there is none, if
   GSLTUNE_DEVICE is cpu, and in a child of fork().  They are numbered from 0 as CUDA numbers
   the visible ones, without those that cannot be used.  Cannot fail.  */
int gsltune_gpu_count (void);

/* --------------------------------------------------------------- Vectors

   A device vector holds n elements in the memory of the GPU that the library uses, so that
   they are copied once and read often.  If there is no usable GPU, or its memory is full, the
   elements stay in host memory and the CPU computes; gsltune_device_vector_on_gpu then returns
   0.  A view is a device vector of elements that are on a GPU already.

   Functions of two vectors report GSL_EBADLEN if the lengths differ; then a statistic is NaN.
   Two vectors on different GPUs are copied to the host, and the CPU computes.  Functions
   come after the work in the streams of their vectors and are complete when they return.

   If the GPU fails, all of these have the elements copied back and the CPU computes; if the
   elements are lost they report GSL_EFAILED and return NaN, or 0 for integers and indexes.  */

/* Return n elements, not initialised, stride 1; n may be 0.  The second takes a GPU of the
   caller's choice, 0 <= gpu < gsltune_gpu_count (); if that is 0 the elements are in host
   memory, for any number.  Report GSL_ENOMEM, and return null, when host memory is short too;
   GSL_EINVAL when there is no GPU of that number.  */
/* [float int long ulong complex complex_float] */
gsltune_device_vector *gsltune_device_vector_alloc (size_t n);
gsltune_device_vector *gsltune_device_vector_alloc_on (size_t n, int gpu);

/* Frees the vector, which may be null.  If it is a view, nothing is freed.  */
void gsltune_device_vector_free (gsltune_device_vector *v);

/* Returns a view of the n elements address[i * stride] in memory that a GPU can read, of
   cuMemAlloc, cudaMalloc, managed or mapped host memory.  Its member `vector' is the device
   vector: gsltune_device_vector_max (&view.vector).  The GPU that holds the memory computes,
   for any value of GSLTUNE_DEVICE.  The memory stays the caller's, who keeps it as long as the
   view is used; a view needs no freeing.  Reports GSL_EINVAL for a stride of 0, n and stride
   that fit into no memory, an address that is no multiple of an element's size, or one that no
   GPU can read; GSL_EFAILED when its GPU cannot be used, and in a child of fork(); and returns
   a view of no elements.  For n = 0 the address is not looked at.  */
gsltune_device_vector_view gsltune_device_vector_view_array (double *address, size_t stride,
                                                             size_t n);

/* Returns the same of elements that are only read.  A gsltune_device_vector_const_view, which
   is constant as its member `vector' is, takes the result.  It has the default stream.  */
gsltune_device_vector_const_struct
gsltune_device_vector_const_view_array (const double *address, size_t stride, size_t n);

/* Orders functions of v, from now on, after the work that is in the CUDA stream when they are
   called: a CUstream or cudaStream_t of the primary context; null is the default stream.  They
   wait for that work, and are complete when they return.  The stream of a new view is the
   default stream; a vector from alloc has none at first: work of other libraries on its memory
   must have ended.  While the stream is being captured into a graph they report GSL_EINVAL,
   and the capture is not disturbed.  */
void gsltune_device_vector_set_stream (gsltune_device_vector *v, void *stream);

/* Copy all elements from, or to, a vector of any stride; nothing between the elements is
   written.  Complete when they return.  Return GSL_SUCCESS.  Report GSL_EBADLEN if the lengths
   differ.  If the GPU has stopped working, get reports GSL_EFAILED if the contents are lost;
   set does so if v is a view, or if there is not enough host memory for the elements.  */
int gsltune_device_vector_set (gsltune_device_vector *v, const gsl_vector *source);
int gsltune_device_vector_get (const gsltune_device_vector *v, gsl_vector *destination);

/* Return the number of elements, and the distance of neighbours in elements.  */
size_t gsltune_device_vector_size (const gsltune_device_vector *v);
size_t gsltune_device_vector_stride (const gsltune_device_vector *v);

/* Returns 1 if the elements are in a GPU's memory, otherwise 0.  */
int gsltune_device_vector_on_gpu (const gsltune_device_vector *v);

/* Returns the address of the first element: a device address when on a GPU, for the CUDA
   runtime, cuBLAS and the like; otherwise a host address.  */
void *gsltune_device_vector_data (gsltune_device_vector *v);

/* Returns the sum, as gsltune_vector_sum does.  */
/* [gpu] */
double gsltune_device_vector_sum (const gsltune_device_vector *v);

/* Returns the sum of the elements of all of COUNT vectors, which may be on several GPUs and on
   the host: all of these compute at once.  In exact mode it is rounded once.  In the other
   modes each vector is summed separately; the sums and their error terms are added in the
   order of VECTORS.  */
double gsltune_device_vector_sum_all (const gsltune_device_vector *const vectors[],
                                      size_t count);

/* Sums n elements at a device address, as a view of them with that stream would, and reports
   the errors of both; GSL_EINVAL also for a null result.  The result is in *result when it
   returns. n = 0 gives 0 and looks at no address.  */
int gsltune_device_sum (const double *address, size_t stride, size_t n, void *stream,
                        double *result);

/* Like gsltune_vector_max and the following functions, including GSL_EDOM if there are no
   elements.  */
double gsltune_device_vector_max (const gsltune_device_vector *v);
double gsltune_device_vector_min (const gsltune_device_vector *v);
void gsltune_device_vector_minmax (const gsltune_device_vector *v, double *min_out,
                                   double *max_out);
size_t gsltune_device_vector_max_index (const gsltune_device_vector *v);
size_t gsltune_device_vector_min_index (const gsltune_device_vector *v);
void gsltune_device_vector_minmax_index (const gsltune_device_vector *v, size_t *imin,
                                         size_t *imax);

/* Like gsltune_stats_mean and the following functions; weighted ones exist only for double and
   float.  */
/* [gpu: double] */
double gsltune_device_vector_mean (const gsltune_device_vector *v);
double gsltune_device_vector_variance (const gsltune_device_vector *v);
double gsltune_device_vector_sd (const gsltune_device_vector *v);
double gsltune_device_vector_population_variance (const gsltune_device_vector *v);
double gsltune_device_vector_population_sd (const gsltune_device_vector *v);
double gsltune_device_vector_tss (const gsltune_device_vector *v);
double gsltune_device_vector_covariance (const gsltune_device_vector *x,
                                         const gsltune_device_vector *y);
double gsltune_device_vector_correlation (const gsltune_device_vector *x,
                                          const gsltune_device_vector *y);
/* [float: double] */
double gsltune_device_vector_wmean (const gsltune_device_vector *w,
                                    const gsltune_device_vector *v);
double gsltune_device_vector_wvariance (const gsltune_device_vector *w,
                                        const gsltune_device_vector *v);
double gsltune_device_vector_wsd (const gsltune_device_vector *w,
                                  const gsltune_device_vector *v);

/* Like gsltune_blas_ddot, _dnrm2, _dasum, _idamax.  */
/* [float] */
int gsltune_device_vector_dot (const gsltune_device_vector *x, const gsltune_device_vector *y,
                               double *result);
double gsltune_device_vector_nrm2 (const gsltune_device_vector *v);
double gsltune_device_vector_asum (const gsltune_device_vector *v);
size_t gsltune_device_vector_iamax (const gsltune_device_vector *v);

/* Like gsltune_blas_zdotu, _zdotc, _dznrm2, _dzasum, _izamax.  */
/* [c] */
int gsltune_device_vector_complex_dotu (const gsltune_device_vector_complex *x,
                                        const gsltune_device_vector_complex *y,
                                        gsl_complex *result);
int gsltune_device_vector_complex_dotc (const gsltune_device_vector_complex *x,
                                        const gsltune_device_vector_complex *y,
                                        gsl_complex *result);
double gsltune_device_vector_complex_nrm2 (const gsltune_device_vector_complex *v);
double gsltune_device_vector_complex_asum (const gsltune_device_vector_complex *v);
size_t gsltune_device_vector_complex_iamax (const gsltune_device_vector_complex *v);

/* Return views of the real, or of the imaginary parts.  They have the stream that v had when
   they were made, and are valid as long as v is.  */
gsltune_device_vector_view
gsltune_device_vector_complex_real (gsltune_device_vector_complex *v);
gsltune_device_vector_view
gsltune_device_vector_complex_imag (gsltune_device_vector_complex *v);
gsltune_device_vector_const_struct
gsltune_device_vector_complex_const_real (const gsltune_device_vector_complex *v);
gsltune_device_vector_const_struct
gsltune_device_vector_complex_const_imag (const gsltune_device_vector_complex *v);

/* Add the elements of device vectors to moments, or pairs of them, as gsltune_moments_add and
   gsltune_moments_add_pairs do, with the same sums.  The GPU that holds them adds.  If M is of
   distances or of long doubles, or if X and Y are on different GPUs, the CPU adds copies.
   Return GSL_SUCCESS; report, with M as it was, GSL_EINVAL as those functions and while a
   stream is being captured, GSL_EBADLEN when the lengths differ, GSL_ENOMEM, and GSL_EFAILED
   when the GPU has stopped working and the elements are lost.  */
/* [gpu] */
int gsltune_moments_add_device_vector (gsltune_moments *m, const gsltune_device_vector *v);
int gsltune_moments_add_device_vector_pairs (gsltune_moments *m,
                                             const gsltune_device_vector *x,
                                             const gsltune_device_vector *y);

/* -------------------------------------------------------------- Matrices

   A device matrix holds size1 rows of size2 elements in the memory of a GPU, or on the host,
   as a device vector holds its elements; element (i, j) is element i * tda + j.  Functions
   with the names of those of vectors do the same; tda is size2 at first.  */

/* [float int long complex complex_float] */
gsltune_device_matrix *gsltune_device_matrix_alloc (size_t size1, size_t size2);
gsltune_device_matrix *gsltune_device_matrix_alloc_on (size_t size1, size_t size2, int gpu);
void gsltune_device_matrix_free (gsltune_device_matrix *m);

/* Return views of memory that a GPU can read, whose member `matrix' is the device matrix.
   Errors are those of gsltune_device_vector_view_array; GSL_EINVAL also for a tda that is less
   than size2.  Then it is a view of no elements.  */
gsltune_device_matrix_view gsltune_device_matrix_view_array (double *address, size_t size1,
                                                             size_t size2);
gsltune_device_matrix_view
gsltune_device_matrix_view_array_with_tda (double *address, size_t size1, size_t size2,
                                           size_t tda);
gsltune_device_matrix_const_struct
gsltune_device_matrix_const_view_array (const double *address, size_t size1, size_t size2);
gsltune_device_matrix_const_struct
gsltune_device_matrix_const_view_array_with_tda (const double *address, size_t size1,
                                                 size_t size2, size_t tda);

/* Sets the stream.  A view of a row, a column or a part has the stream that the matrix had
   when the view was made.  */
void gsltune_device_matrix_set_stream (gsltune_device_matrix *m, void *stream);

/* Copy all elements from, or to, a matrix of any tda; nothing between the rows is written.
   Complete when they return.  Report GSL_EBADLEN when the sizes differ; GSL_EFAILED when the
   GPU has stopped working, in a child of fork(), or when host memory for packing rows is
   short.  */
int gsltune_device_matrix_set (gsltune_device_matrix *m, const gsl_matrix *source);
int gsltune_device_matrix_get (const gsltune_device_matrix *m, gsl_matrix *destination);

/* Return the number of rows, that of columns, and the distance of neighbouring rows in
   elements.  */
size_t gsltune_device_matrix_size1 (const gsltune_device_matrix *m);
size_t gsltune_device_matrix_size2 (const gsltune_device_matrix *m);
size_t gsltune_device_matrix_tda (const gsltune_device_matrix *m);
int gsltune_device_matrix_on_gpu (const gsltune_device_matrix *m);
void *gsltune_device_matrix_data (gsltune_device_matrix *m);

/* Return views of row i, of column j, and of the n1 rows and n2 columns from element (i, j)
   on.  They need no freeing and are valid as long as the matrix is.  If a part is outside of
   the matrix, they report GSL_EINVAL and return a view of no elements.  */
gsltune_device_vector_view gsltune_device_matrix_row (gsltune_device_matrix *m, size_t i);
gsltune_device_vector_view gsltune_device_matrix_column (gsltune_device_matrix *m, size_t j);
gsltune_device_matrix_view gsltune_device_matrix_submatrix (gsltune_device_matrix *m, size_t i,
                                                            size_t j, size_t n1, size_t n2);
gsltune_device_vector_const_struct
gsltune_device_matrix_const_row (const gsltune_device_matrix *m, size_t i);
gsltune_device_vector_const_struct
gsltune_device_matrix_const_column (const gsltune_device_matrix *m, size_t j);
gsltune_device_matrix_const_struct
gsltune_device_matrix_const_submatrix (const gsltune_device_matrix *m, size_t i, size_t j,
                                       size_t n1, size_t n2);

/* -------------------------------------------- Rows, columns and segments

   Compute the answers of gsltune_matrix_row_sum and its siblings of all rows or columns of a
   device matrix, or of segments of a device vector, which stay on the GPU; in exact and in
   compensated mode they have the same bits.  There is one offset more than there are segments.

   GPUs compute these of double, float and int.  Elements of type long, and lines of more than
   2^30 elements, are copied to the host for the CPU; so are operands on several GPUs, and
   those of a GPU that fails.

   They come after the work in the streams of all arguments, and are complete when they return.
   They report the errors of the functions on the host, but wrong segments are found while
   results are written, which are then undefined.  They report GSL_EBADLEN if there is no
   offset at all; GSL_EFAILED and GSL_EINVAL as the products below do.  */
/* [gpu] */
int gsltune_device_matrix_row_sum (const gsltune_device_matrix *m,
                                   gsltune_device_vector *result);
int gsltune_device_matrix_column_sum (const gsltune_device_matrix *m,
                                      gsltune_device_vector *result);
int gsltune_device_vector_segment_sum (const gsltune_device_vector *v,
                                       const gsltune_device_vector_ulong *offsets,
                                       gsltune_device_vector *result);
int gsltune_device_matrix_row_max (const gsltune_device_matrix *m,
                                   gsltune_device_vector *result);
int gsltune_device_matrix_column_max (const gsltune_device_matrix *m,
                                      gsltune_device_vector *result);
int gsltune_device_vector_segment_max (const gsltune_device_vector *v,
                                       const gsltune_device_vector_ulong *offsets,
                                       gsltune_device_vector *result);
int gsltune_device_matrix_row_min (const gsltune_device_matrix *m,
                                   gsltune_device_vector *result);
int gsltune_device_matrix_column_min (const gsltune_device_matrix *m,
                                      gsltune_device_vector *result);
int gsltune_device_vector_segment_min (const gsltune_device_vector *v,
                                       const gsltune_device_vector_ulong *offsets,
                                       gsltune_device_vector *result);
int gsltune_device_matrix_row_max_index (const gsltune_device_matrix *m,
                                         gsltune_device_vector_ulong *result);
int gsltune_device_matrix_column_max_index (const gsltune_device_matrix *m,
                                            gsltune_device_vector_ulong *result);
int gsltune_device_vector_segment_max_index (const gsltune_device_vector *v,
                                             const gsltune_device_vector_ulong *offsets,
                                             gsltune_device_vector_ulong *result);
int gsltune_device_matrix_row_min_index (const gsltune_device_matrix *m,
                                         gsltune_device_vector_ulong *result);
int gsltune_device_matrix_column_min_index (const gsltune_device_matrix *m,
                                            gsltune_device_vector_ulong *result);
int gsltune_device_vector_segment_min_index (const gsltune_device_vector *v,
                                             const gsltune_device_vector_ulong *offsets,
                                             gsltune_device_vector_ulong *result);
/* [gpu: double] */
int gsltune_device_matrix_row_mean (const gsltune_device_matrix *m,
                                    gsltune_device_vector *result);
int gsltune_device_matrix_column_mean (const gsltune_device_matrix *m,
                                       gsltune_device_vector *result);
int gsltune_device_vector_segment_mean (const gsltune_device_vector *v,
                                        const gsltune_device_vector_ulong *offsets,
                                        gsltune_device_vector *result);
int gsltune_device_matrix_row_variance (const gsltune_device_matrix *m,
                                        gsltune_device_vector *result);
int gsltune_device_matrix_column_variance (const gsltune_device_matrix *m,
                                           gsltune_device_vector *result);
int gsltune_device_vector_segment_variance (const gsltune_device_vector *v,
                                            const gsltune_device_vector_ulong *offsets,
                                            gsltune_device_vector *result);
int gsltune_device_matrix_row_sd (const gsltune_device_matrix *m,
                                  gsltune_device_vector *result);
int gsltune_device_matrix_column_sd (const gsltune_device_matrix *m,
                                     gsltune_device_vector *result);
int gsltune_device_vector_segment_sd (const gsltune_device_vector *v,
                                      const gsltune_device_vector_ulong *offsets,
                                      gsltune_device_vector *result);
/* [float] */
int gsltune_device_matrix_row_asum (const gsltune_device_matrix *m,
                                    gsltune_device_vector *result);
int gsltune_device_matrix_column_asum (const gsltune_device_matrix *m,
                                       gsltune_device_vector *result);
int gsltune_device_vector_segment_asum (const gsltune_device_vector *v,
                                        const gsltune_device_vector_ulong *offsets,
                                        gsltune_device_vector *result);
int gsltune_device_matrix_row_nrm2 (const gsltune_device_matrix *m,
                                    gsltune_device_vector *result);
int gsltune_device_matrix_column_nrm2 (const gsltune_device_matrix *m,
                                       gsltune_device_vector *result);
int gsltune_device_vector_segment_nrm2 (const gsltune_device_vector *v,
                                        const gsltune_device_vector_ulong *offsets,
                                        gsltune_device_vector *result);

/* -------------------------------------------------------------- Products

   Compute as gsltune_blas_dgemv and _dgemm do, with the same special cases: alpha or beta 0,
   no elements, NaN.  In exact mode, and in compensated mode, each element is alpha times the
   exact sum of exact products, plus beta times the old element, rounded once: the same bits as
   the CPU's.  In fast mode products of matrices are cuBLAS's, if the system has it.  They come
   after the work in the streams of all three and are complete when they return.

   Exact products of matrices are made of residues by cuBLAS's products of integers, if there
   is cuBLAS, and take memory of the GPU for these beyond the limit of scratch memory, up to
   half of the free one; it is given back at once.

   If operands are on different GPUs, and if a GPU fails, they are copied to the host and the
   CPU computes.  They report GSL_EBADLEN when the sizes do not fit; GSL_EFAILED when the GPU
   has failed and elements are lost, in a child of fork(), or when host memory is short;
   GSL_EINVAL while a stream is being captured.  */
/* [s] */
int gsltune_device_blas_dgemv (CBLAS_TRANSPOSE_t TransA, double alpha,
                               const gsltune_device_matrix *A, const gsltune_device_vector *x,
                               double beta, gsltune_device_vector *y);
int gsltune_device_blas_dgemm (CBLAS_TRANSPOSE_t TransA, CBLAS_TRANSPOSE_t TransB,
                               double alpha, const gsltune_device_matrix *A,
                               const gsltune_device_matrix *B, double beta,
                               gsltune_device_matrix *C);
