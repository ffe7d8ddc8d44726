/* Shared by the GPU's tables: the GPU with a buffer of test data, windows of it
   to be summed cold, and the contenders' calls.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_GPU_H
#define GT_BENCH_GPU_H

#include "bench/bench.h"
#include "src/plan/plan.h"
#include "src/gpu/device_memory.h"

/* Each reports STATUS, of the driver or of CUDA's runtime; 0 or -1.  */
int gt_gpu_check (const char *what, int status);
int gt_gpu_check_cub (int status);

/* Fills the buffer with the data that the tables about fast sums use.  0, or -1
   after a message.  */
int gt_gpu_load (struct gt_bench_gpu *bench, enum gt_arithmetic arithmetic);
/* The same with what bench->data holds.  */
int gt_gpu_fill (struct gt_bench_gpu *bench);

/* Where a number of sums read, window after window, from FROM on.  */
struct gt_windows
{
  const char *from;
  unsigned windows; /* then again from FROM */
  size_t step;      /* bytes from one to the next */
};

/* For COUNT sums of N elements; COUNT is a multiple of the windows in the buffer
   when it is larger.  */
struct gt_windows gt_gpu_windows (struct gt_bench_gpu *bench, uint64_t n,
                                  unsigned count);

/* How many sums of N elements make a timing, when one takes SECONDS.  */
unsigned gt_gpu_batch (const struct gt_bench_gpu *bench, uint64_t n,
                       double seconds);

/* Whether SUM is that of the N elements at FROM, which lie in the buffer: 0, or
   -1 after a message.  */
int gt_gpu_verify (const struct gt_bench_gpu *bench, const char *who,
                   const char *from, uint64_t n, double sum);

/* The plan for TASK on the GPU.  */
const struct gt_plan *gt_gpu_plan (const struct gt_bench_gpu *bench,
                                   const struct gt_task *task);

/* Seconds of one launch of TASK, of COUNT back to back over the windows.  0, or -1
   after a message.  */
int gt_gpu_time_launches (struct gt_bench_gpu *bench,
                          const struct gt_task *task, struct gt_windows w,
                          unsigned count, double *seconds);

/* Says in SHEET that CUB is left out, where it is.  */
void gt_gpu_note_cub (const struct gt_bench_gpu *bench,
                      struct gt_sheet *sheet);

/* One call, from its beginning to the value.  0, or -1 after a message.  */
typedef int gt_gpu_call (const struct gt_bench_gpu *bench, const char *data,
                         uint64_t n, double *sum);
/* gsltune_device_sum, in the stream that CUB has, else the default one.  */
gt_gpu_call gt_call_address;
/* The public function on a device vector whose elements are the window's:
   thousands of windows need no vectors of their own.  */
gt_gpu_call gt_call_device_vector;
/* The same on a device vector that stays.  */
int gt_call_memory (const struct gt_bench_gpu *bench,
                    struct gsltune_device_memory *memory, double *sum);

#endif
