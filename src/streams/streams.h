/* Results of device vectors that stay in device memory.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_STREAMS_H
#define GT_STREAMS_H

#include "src/gpu/device_memory.h"
#include "src/statistics/terms.h"

struct gsltune_scratch_struct
{
  struct gt_open_gpu *gpu; /* null: there is none, and none is needed */
  void *memory;
  int view; /* the memory is somebody else's */
};

/* The arguments of a call.  Y is X where there is one vector, TO[1] null where there is one
   result; no SCRATCH: the stream's own pool.  */
struct gt_stream_call
{
  const struct gsltune_device_memory *x, *y;
  void *to[2];
  void *stream;
  gsltune_mode mode; /* or that of the thread */
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
  /* The same on the host, for vectors that are there.  */
  void (*compute) (const struct gt_stream_call *call);
  const struct gt_term *term; /* null, or what is made of power sums */
};

/* Returns GSL_SUCCESS or an error code, through no handler.  */
int gt_stream_compute (const struct gt_stream_function *function,
                       const struct gt_stream_call *call);

/* Common to all calls.  Whether one may be made for results on GPU, or null, the host:
   GSL_SUCCESS or an error code.  */
int gt_stream_check (const struct gt_stream_call *call, const struct gt_open_gpu *gpu);
/* Gives the thread the mode of a call that may be made; returns what gt_thread_modes was.  */
const struct gt_modes *gt_stream_enter_mode (const struct gt_stream_call *call);
/* Where the results of one go.  */
struct gt_keeping gt_stream_keeping (const struct gt_stream_call *call);

#endif
