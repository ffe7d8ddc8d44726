/* Results of device vectors in the order of a CUDA stream.  A part of gsltune.h, which
   explains the comments in brackets.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* A function gsltune_device_vector_NAME_to enqueues the work of gsltune_device_vector_NAME in
   a stream and returns at once.  The result is written to *TO, in memory that the GPU of v can
   write.  Like any kernel, the work runs after all earlier work and before all later work in
   that stream.  Other streams are not synchronized, and the host does not wait.

   STREAM is a CUstream or cudaStream_t, of any context that has the elements, the result and
   the scratch memory: the primary one or another; null is the default stream of the current
   context, else of the primary one.  These functions use only STREAM; a stream set with
   gsltune_device_vector_set_stream is ignored.  Memory from cudaMallocAsync can be used.  The
   stream may be in capture mode.  The resulting graph can be launched any number of times; the
   elements may change between launches, but not their addresses.

   MODE is the mode of the call; GSLTUNE_MODE_PROCESS is that of the thread.  In fast mode sum,
   asum, dot, dotu and dotc are fast.  All other results for real vectors, and asum for complex
   vectors whose stride is not 1, are the exact value, rounded once, in all modes.  Up to 2^20
   elements that takes one kernel.  For more elements a second kernel follows, which ends at
   once unless the elements differ so much in size that the first gave up.  Exact products of
   complex vectors take four such kernels, and norms and sums of magnitudes of those whose
   stride is not 1 take two; for more than 2^20 elements each is followed by a second.
   Correlations and statistics with weights take two kernels, for any number of elements.

   If SCRATCH is not null, the call allocates nothing, except that the first use of a kernel
   loads it.  If SCRATCH is null, scratch memory comes from the stream's memory pool
   (cudaMallocAsync) and is freed in stream order; in a graph these are nodes.

   For empty vectors the results equal those of the functions without _to, except that extremes
   return GSL_EDOM.  If v is in host memory because there is no GPU, those functions compute
   the result at once; TO is then an address on the host.

   They call no error handler.  They return GSL_SUCCESS; GSL_EINVAL if TO is null, if MODE is
   not a gsltune_mode, or if the vectors and SCRATCH are not all on one GPU; GSL_EBADLEN if the
   lengths of two vectors differ; GSL_EDOM if an extreme of an empty vector is requested;
   GSL_ENOMEM; GSL_EFAILED if the driver refuses the work, for instance for a stream of another
   GPU, or in a forked child.  If the GPU fails after the call has returned, the error appears
   in the next CUDA call that synchronizes with the stream.  */

/* Scratch memory for these functions.  It belongs to one GPU and may be used by one stream at
   a time.  A running graph that has captured such calls counts as a stream.  If there is no
   GPU it is empty and may be passed with vectors on the host.  */
typedef struct gsltune_scratch_struct gsltune_scratch;

/* Returns the bytes of device memory that it takes on a GPU, of 0 ... gsltune_gpu_count () -
   1, for any function; 0 for another number.  */
size_t gsltune_scratch_size (int gpu);

/* Allocates it, in the GPU's primary context.  Returns null if memory is short or there is no
   such GPU.  Waits for the GPU.  */
gsltune_scratch *gsltune_scratch_alloc (int gpu);

/* Makes it of BYTES of device memory of the caller's, in any context, which begin at a
   multiple of 256: they are made zero behind the work in STREAM, as above, and others must not
   write to them.  Returns null if they are too few, or the host's memory is short.  */
gsltune_scratch *gsltune_scratch_view (void *address, size_t bytes, void *stream);

/* Frees it, after the work in the streams that use it.  Null is allowed.  */
void gsltune_scratch_free (gsltune_scratch *scratch);

/* Like gsltune_device_vector_sum and the following functions; minmax stores two results.  */
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

/* Like gsltune_device_vector_mean and the following functions.  */
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

/* Like these functions, with weights, which are the first vector.  */
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

/* Like gsltune_device_vector_dot and the following functions.  */
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

/* Like gsltune_device_vector_complex_dotu and the following functions.  */
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

   Enqueue the work of gsltune_device_matrix_row_sum and its siblings, for double, float and
   int, in STREAM and return at once, with STREAM, MODE and SCRATCH as above.  Streams set with
   ..._set_stream are ignored.

   OFFSETS are contiguous on the GPU and are read in stream order: earlier work in the stream
   may compute them, and they may change between launches of a graph.  They are therefore not
   checked.  If they decrease or exceed the length of V, the contents of RESULT are undefined,
   but nothing outside RESULT is written and nothing outside V is read.  The extreme of an
   empty segment is 0, and so is its index.

   If all are in host memory because there is no GPU, the results are computed there, at once.
   They call no error handler.  They return GSL_SUCCESS; GSL_EBADLEN if RESULT does not have
   one element for each line; GSL_EDOM if extremes of empty rows or columns are requested;
   GSL_EINVAL if the arguments are not all on one GPU, MODE is not a gsltune_mode, OFFSETS are
   not contiguous, or a line, or all segments together, have more than 2^30 elements;
   GSL_EFAILED if the driver refuses the work, for instance because memory is short, or in a
   forked child.  On the host GSL_EINVAL also reports wrong offsets, and GSL_EDOM empty
   segments without an extreme.  */
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
