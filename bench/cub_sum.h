/* CUB's DeviceReduce behind C functions, for the benchmark alone.  It is compiled by nvcc and brings the CUDA runtime, which shares the primary
   context with the library's use of the driver.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUB_SUM_H
#define GT_CUB_SUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A non-blocking stream with what CUB needs for one run at a time.  */
struct gt_cub;

enum gt_cub_operation
{
  GT_CUB_SUM,
  GT_CUB_MAX,
  GT_CUB_ARG_MAX, /* the index */
  GT_CUB_REPRODUCIBLE_SUM /* of doubles, with the same bits on every GPU, where CUB has it */
};

/* Whether it has.  */
int gt_cub_has_reproducible_sum (void);

/* The reduction and its data.  */
struct gt_cub_problem
{
  int is_float;     /* float, else double */
  const void *data; /* device address of element 0 */
  uint64_t n;       /* elements, at most INT_MAX */
  enum gt_cub_operation operation;
};

/* On CUDA's device ORDINAL, for sums of up to MOST elements.  Null with the
   reason in WHY, static text, when CUB is not in this build or cannot run.  */
struct gt_cub *gt_cub_open (int ordinal, uint64_t most, const char **why);
void gt_cub_close (struct gt_cub *cub);

/* "CUB 3.0.0, CUDA runtime 13.0", or "" when CUB is not in this build.  */
const char *gt_cub_version (void);

/* The stream, as a cudaStream_t.  */
void *gt_cub_stream (struct gt_cub *cub);

/* The functions below return a cudaError_t: 0 is success.  */
const char *gt_cub_error (int status);

/* The result and its copy back to pinned host memory, waited for.  */
int gt_cub_compute (struct gt_cub *cub, const struct gt_cub_problem *problem,
                    double *result);

/* Puts a run of PROBLEM into the stream, and waits for nothing.  */
int gt_cub_enqueue (struct gt_cub *cub, const struct gt_cub_problem *problem);

/* Puts the sums of ROWS times LENGTH doubles, row by row, into the stream, and waits for
   nothing.  */
int gt_cub_enqueue_segments (struct gt_cub *cub, const double *data, uint64_t rows,
                             uint64_t length, double *sums);

/* Seconds on the device from the first of COUNT calls, each of which puts something into
   the stream, to the end of the last: one by one, or as one graph, which is made before.  */
int gt_cub_time_calls (struct gt_cub *cub, int (*call) (void *closure), void *closure,
                       unsigned count, int as_graph, double *seconds);

/* Seconds on the device from the first of COUNT runs to the end of the last,
   run k over PROBLEM with data moved by (k mod WINDOWS) * STEP bytes: what
   gt_gpus->time measures of the library's kernels.  */
int gt_cub_time (struct gt_cub *cub, const struct gt_cub_problem *problem,
                 unsigned count, unsigned windows, size_t step,
                 double *seconds);

#ifdef __cplusplus
}
#endif

#endif
