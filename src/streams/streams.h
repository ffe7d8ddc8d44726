/* Results of device vectors that are stored in device memory.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_STREAMS_H
#define GT_STREAMS_H

#include "src/gpu/device_memory.h"
#include "src/statistics/terms.h"

struct gsltune_scratch_struct
{
  struct gt_open_gpu *gpu; /* null: there is no GPU, and no memory is needed */
  void *memory;
  int view; /* the memory belongs to the caller */
};

/* The arguments of a call.  Y is X if there is one vector; TO[1] is null if there is one
   result; if SCRATCH is null, the stream's memory pool is used.  */
struct gt_stream_call
{
  const struct gsltune_device_memory *x, *y;
  void *to[2];
  void *stream;
  gsltune_mode mode; /* or GSLTUNE_MODE_PROCESS: the thread's mode */
  const gsltune_scratch *scratch;
};

/* The types of results, as in src/streams/streams.def.  */
enum gt_stream_result
{
  GT_RESULT_ELEMENT,
  GT_RESULT_double,
  GT_RESULT_size_t,
  GT_RESULT_COMPLEX,
  GT_RESULT_CONJUGATE
};

/* A function of src/streams/streams.def for one type of element.  */
struct gt_stream_function
{
  enum gt_reduction reduction;
  enum gt_finish_as as;
  enum gt_arithmetic arithmetic;
  unsigned size;   /* bytes of a result */
  enum gt_stream_result result;
  /* The same function for vectors on the host.  */
  void (*compute) (const struct gt_stream_call *call);
  const struct gt_term *term; /* null, or the statistic that is computed from power sums */
};

/* Returns GSL_SUCCESS or an error code, without calling the handler.  */
int gt_stream_compute (const struct gt_stream_function *function,
                       const struct gt_stream_call *call);

/* Checks a call whose results are on GPU, or on the host if GPU is null.  Returns GSL_SUCCESS
   or an error code.  */
int gt_stream_check (const struct gt_stream_call *call, const struct gt_open_gpu *gpu);
/* Sets the thread's mode to that of a valid call; returns the previous gt_thread_modes.  */
const struct gt_modes *gt_stream_enter_mode (const struct gt_stream_call *call);
/* Returns a description of the destination of a call's results.  */
struct gt_keeping gt_stream_keeping (const struct gt_stream_call *call);

#endif
