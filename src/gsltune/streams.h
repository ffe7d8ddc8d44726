/* Results of device vectors in the order of a CUDA stream.  A part of gsltune.h, which
   explains the comments in brackets.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* A function gsltune_device_vector_NAME_to puts the work of gsltune_device_vector_NAME into a
   stream and returns at once.  It writes the result to *TO, in memory that the GPU of v can
   write, behind the work that is in the stream now and ahead of later work, as any kernel
   does; the host waits for nothing.

   STREAM is a CUstream or cudaStream_t, of any context that has the elements, the result and
   the scratch memory: the primary one or another; null is the default stream of the current
   context, else of the primary one.  A stream that v was given earlier counts for nothing
   here.  Memory of cudaMallocAsync and of cuMemMap will do.  The stream may be one that is
   being captured: the graph may run any number of times, with other elements at the same
   addresses, and is then as right as the call.

   MODE is the mode of the call; GSLTUNE_MODE_PROCESS is that of the thread.  In fast mode sum,
   asum, dot, dotu and dotc are fast; all else of reals, and asum of complex vectors whose
   stride is not 1, is the exact value, rounded once, in all modes: on the device, for any
   elements.  Up to 2^20 elements that is one kernel.  Of more, a second follows, which ends at
   once unless the elements differ so much in size that the first gave up.  Exact products of
   complex vectors take four such kernels, and norms and sums of magnitudes of those whose
   stride is not 1 two; of more than 2^20 elements as many follow.  Correlations and statistics
   with weights take two kernels, for any number of elements.

   With SCRATCH nothing is allocated, except for kernels that are loaded at the first call.  If
   SCRATCH is null, scratch memory is allocated from the stream's own pool (as by
   cudaMallocAsync) and freed in the order of the stream; in a graph these are nodes.

   Of no elements a sum, a norm and iamax are 0, and statistics have the values of the
   functions without _to.  If v lies in host memory, as there is no GPU, those functions
   compute the result there, at once; TO is then an address on the host.

   They return GSL_SUCCESS; no error handler is called.  GSL_EINVAL: no place for a result, no
   such mode, vectors or scratch memory of several GPUs; GSL_EBADLEN: the lengths of two
   vectors differ; GSL_EDOM: there is no element that could be an extreme; GSL_ENOMEM;
   GSL_EFAILED: the driver refused, as for a stream of another GPU, or in a child of fork.  If
   the GPU fails later, the waiting function of CUDA reports it, as for any kernel.  */

/* Scratch memory for those functions.  It belongs to one GPU and may be used by one stream at
   a time; a running graph that has captured such calls counts as a stream.  If there is no GPU
   it is empty and may be passed with vectors on the host.  */
typedef struct gsltune_scratch_struct gsltune_scratch;

/* Returns the bytes of device memory that it takes on a GPU, of 0 ... gsltune_gpu_count () -
   1, for any function; 0 for another number.  */
size_t gsltune_scratch_size (int gpu);

/* Allocates it, in the GPU's primary context.  Returns null if memory is short or there is no
   such GPU.  Waits for the GPU.  */
gsltune_scratch *gsltune_scratch_alloc (int gpu);

/* Makes it of BYTES of device memory of the caller's, in any context, which begin at a
   multiple of 256: they are made zero behind the work in STREAM, as above, and others must not
   write to them. Returns null if they are too few, or the host's memory is short.  */
gsltune_scratch *gsltune_scratch_view (void *address, size_t bytes, void *stream);

/* Frees it, after the work in the streams that use it.  Null is allowed.  */
void gsltune_scratch_free (gsltune_scratch *scratch);

/* As gsltune_device_vector_sum and its siblings; minmax stores two results.  */
/* [gpu] */
int gsltune_device_vector_sum_to (const gsltune_device_vector *v, double *to, void *stream,
                                  gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_max_to (const gsltune_device_vector *v, double *to, void *stream,
                                  gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_min_to (const gsltune_device_vector *v, double *to, void *stream,
                                  gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_minmax_to (const gsltune_device_vector *v, double *least,
                                     double *largest, void *stream, gsltune_mode mode,
                                     gsltune_scratch *scratch);
int gsltune_device_vector_max_index_to (const gsltune_device_vector *v, size_t *to,
                                        void *stream, gsltune_mode mode,
                                        gsltune_scratch *scratch);
int gsltune_device_vector_min_index_to (const gsltune_device_vector *v, size_t *to,
                                        void *stream, gsltune_mode mode,
                                        gsltune_scratch *scratch);
int gsltune_device_vector_minmax_index_to (const gsltune_device_vector *v, size_t *least,
                                           size_t *largest, void *stream, gsltune_mode mode,
                                           gsltune_scratch *scratch);

/* As gsltune_device_vector_mean and its siblings.  */
/* [gpu: double] */
int gsltune_device_vector_mean_to (const gsltune_device_vector *v, double *to, void *stream,
                                   gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_variance_to (const gsltune_device_vector *v, double *to,
                                       void *stream, gsltune_mode mode,
                                       gsltune_scratch *scratch);
int gsltune_device_vector_sd_to (const gsltune_device_vector *v, double *to, void *stream,
                                 gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_population_variance_to (const gsltune_device_vector *v, double *to,
                                                  void *stream, gsltune_mode mode,
                                                  gsltune_scratch *scratch);
int gsltune_device_vector_population_sd_to (const gsltune_device_vector *v, double *to,
                                            void *stream, gsltune_mode mode,
                                            gsltune_scratch *scratch);
int gsltune_device_vector_tss_to (const gsltune_device_vector *v, double *to, void *stream,
                                  gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_covariance_to (const gsltune_device_vector *x,
                                         const gsltune_device_vector *y, double *to,
                                         void *stream, gsltune_mode mode,
                                         gsltune_scratch *scratch);
int gsltune_device_vector_correlation_to (const gsltune_device_vector *x,
                                          const gsltune_device_vector *y, double *to,
                                          void *stream, gsltune_mode mode,
                                          gsltune_scratch *scratch);

/* The same with weights, the first vector.  */
/* [float: double] */
int gsltune_device_vector_wmean_to (const gsltune_device_vector *x,
                                    const gsltune_device_vector *y, double *to, void *stream,
                                    gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_wvariance_to (const gsltune_device_vector *x,
                                        const gsltune_device_vector *y, double *to,
                                        void *stream, gsltune_mode mode,
                                        gsltune_scratch *scratch);
int gsltune_device_vector_wsd_to (const gsltune_device_vector *x,
                                  const gsltune_device_vector *y, double *to, void *stream,
                                  gsltune_mode mode, gsltune_scratch *scratch);

/* As gsltune_device_vector_dot and its siblings.  */
/* [float] */
int gsltune_device_vector_dot_to (const gsltune_device_vector *x,
                                  const gsltune_device_vector *y, double *to, void *stream,
                                  gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_nrm2_to (const gsltune_device_vector *v, double *to, void *stream,
                                   gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_asum_to (const gsltune_device_vector *v, double *to, void *stream,
                                   gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_iamax_to (const gsltune_device_vector *v, size_t *to, void *stream,
                                    gsltune_mode mode, gsltune_scratch *scratch);

/* As gsltune_device_vector_complex_dotu and its siblings.  */
/* [c] */
int gsltune_device_vector_complex_dotu_to (const gsltune_device_vector_complex *x,
                                           const gsltune_device_vector_complex *y,
                                           gsl_complex *to, void *stream, gsltune_mode mode,
                                           gsltune_scratch *scratch);
int gsltune_device_vector_complex_dotc_to (const gsltune_device_vector_complex *x,
                                           const gsltune_device_vector_complex *y,
                                           gsl_complex *to, void *stream, gsltune_mode mode,
                                           gsltune_scratch *scratch);
int gsltune_device_vector_complex_nrm2_to (const gsltune_device_vector_complex *v, double *to,
                                           void *stream, gsltune_mode mode,
                                           gsltune_scratch *scratch);
int gsltune_device_vector_complex_asum_to (const gsltune_device_vector_complex *v, double *to,
                                           void *stream, gsltune_mode mode,
                                           gsltune_scratch *scratch);
int gsltune_device_vector_complex_iamax_to (const gsltune_device_vector_complex *v, size_t *to,
                                            void *stream, gsltune_mode mode,
                                            gsltune_scratch *scratch);

/* -------------------------------------------- Rows, columns and segments

   Put the work of gsltune_device_matrix_row_sum and its siblings, of doubles, floats and int,
   into STREAM and return at once, with STREAM, MODE and SCRATCH as above; the stream may be
   one that is being captured.  Streams that M, V, OFFSETS and RESULT were given earlier count
   for nothing.

   OFFSETS lie side by side on the GPU and are read there, behind the work in the stream: other
   work of it may make them, and a graph may run again with others.  So nothing reports offsets
   that decrease or are more than V's length, which leave RESULT undefined; nothing else is
   written, nor read but V.  The extreme of a segment without elements is 0, and its index.

   If all lie in host memory, as there is no GPU, the results are computed there, at once.
   They return GSL_SUCCESS; no error handler is called.  GSL_EBADLEN: RESULT has not one
   element for each line; GSL_EDOM: rows or columns have no elements; GSL_EINVAL: not all lie
   on one GPU, or SCRATCH on another, there is no such mode, OFFSETS have a stride, or lines,
   or all segments together, have more than 2^30 elements; GSL_EFAILED: the driver refused, as
   where memory is short, or in a child of fork.  On the host GSL_EINVAL tells of wrong
   offsets, too, and GSL_EDOM of segments without extremes.  */
/* [float int] */
int gsltune_device_matrix_row_sum_to (const gsltune_device_matrix *m,
                                      gsltune_device_vector *result, void *stream,
                                      gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_column_sum_to (const gsltune_device_matrix *m,
                                         gsltune_device_vector *result, void *stream,
                                         gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_segment_sum_to (const gsltune_device_vector *v,
                                          const gsltune_device_vector_ulong *offsets,
                                          gsltune_device_vector *result, void *stream,
                                          gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_row_max_to (const gsltune_device_matrix *m,
                                      gsltune_device_vector *result, void *stream,
                                      gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_column_max_to (const gsltune_device_matrix *m,
                                         gsltune_device_vector *result, void *stream,
                                         gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_segment_max_to (const gsltune_device_vector *v,
                                          const gsltune_device_vector_ulong *offsets,
                                          gsltune_device_vector *result, void *stream,
                                          gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_row_min_to (const gsltune_device_matrix *m,
                                      gsltune_device_vector *result, void *stream,
                                      gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_column_min_to (const gsltune_device_matrix *m,
                                         gsltune_device_vector *result, void *stream,
                                         gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_segment_min_to (const gsltune_device_vector *v,
                                          const gsltune_device_vector_ulong *offsets,
                                          gsltune_device_vector *result, void *stream,
                                          gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_row_max_index_to (const gsltune_device_matrix *m,
                                            gsltune_device_vector_ulong *result, void *stream,
                                            gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_column_max_index_to (const gsltune_device_matrix *m,
                                               gsltune_device_vector_ulong *result,
                                               void *stream, gsltune_mode mode,
                                               gsltune_scratch *scratch);
int gsltune_device_vector_segment_max_index_to (const gsltune_device_vector *v,
                                                const gsltune_device_vector_ulong *offsets,
                                                gsltune_device_vector_ulong *result,
                                                void *stream, gsltune_mode mode,
                                                gsltune_scratch *scratch);
int gsltune_device_matrix_row_min_index_to (const gsltune_device_matrix *m,
                                            gsltune_device_vector_ulong *result, void *stream,
                                            gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_column_min_index_to (const gsltune_device_matrix *m,
                                               gsltune_device_vector_ulong *result,
                                               void *stream, gsltune_mode mode,
                                               gsltune_scratch *scratch);
int gsltune_device_vector_segment_min_index_to (const gsltune_device_vector *v,
                                                const gsltune_device_vector_ulong *offsets,
                                                gsltune_device_vector_ulong *result,
                                                void *stream, gsltune_mode mode,
                                                gsltune_scratch *scratch);
/* [float int: double] */
int gsltune_device_matrix_row_mean_to (const gsltune_device_matrix *m,
                                       gsltune_device_vector *result, void *stream,
                                       gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_column_mean_to (const gsltune_device_matrix *m,
                                          gsltune_device_vector *result, void *stream,
                                          gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_segment_mean_to (const gsltune_device_vector *v,
                                           const gsltune_device_vector_ulong *offsets,
                                           gsltune_device_vector *result, void *stream,
                                           gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_row_variance_to (const gsltune_device_matrix *m,
                                           gsltune_device_vector *result, void *stream,
                                           gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_column_variance_to (const gsltune_device_matrix *m,
                                              gsltune_device_vector *result, void *stream,
                                              gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_segment_variance_to (const gsltune_device_vector *v,
                                               const gsltune_device_vector_ulong *offsets,
                                               gsltune_device_vector *result, void *stream,
                                               gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_row_sd_to (const gsltune_device_matrix *m,
                                     gsltune_device_vector *result, void *stream,
                                     gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_column_sd_to (const gsltune_device_matrix *m,
                                        gsltune_device_vector *result, void *stream,
                                        gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_segment_sd_to (const gsltune_device_vector *v,
                                         const gsltune_device_vector_ulong *offsets,
                                         gsltune_device_vector *result, void *stream,
                                         gsltune_mode mode, gsltune_scratch *scratch);
/* [float] */
int gsltune_device_matrix_row_asum_to (const gsltune_device_matrix *m,
                                       gsltune_device_vector *result, void *stream,
                                       gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_column_asum_to (const gsltune_device_matrix *m,
                                          gsltune_device_vector *result, void *stream,
                                          gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_segment_asum_to (const gsltune_device_vector *v,
                                           const gsltune_device_vector_ulong *offsets,
                                           gsltune_device_vector *result, void *stream,
                                           gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_row_nrm2_to (const gsltune_device_matrix *m,
                                       gsltune_device_vector *result, void *stream,
                                       gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_matrix_column_nrm2_to (const gsltune_device_matrix *m,
                                          gsltune_device_vector *result, void *stream,
                                          gsltune_mode mode, gsltune_scratch *scratch);
int gsltune_device_vector_segment_nrm2_to (const gsltune_device_vector *v,
                                           const gsltune_device_vector_ulong *offsets,
                                           gsltune_device_vector *result, void *stream,
                                           gsltune_mode mode, gsltune_scratch *scratch);
