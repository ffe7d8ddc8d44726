/* Shared by the GPU's tables: the GPU with a buffer of test data, windows of it
   to be summed cold, and the contenders' calls.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/gpu.h"

#include <gsl/gsl_errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tuning/text/cli.h"

#define CACHES 4             /* the buffer holds so many times the L2 cache */
#define LONGEST 3            /* and so many of the longest vectors */
#define MEMORY_SHARE 2       /* but of the free memory one part in so many */
#define WINDOW_ALIGNMENT 256 /* as of what cudaMalloc gives */
#define BATCH 2e-3           /* seconds a timing lasts, about */
#define MOST_SUMS 400u       /* in a timing */
#define FEWEST_SUMS 4u

/* Each reports STATUS, of the driver or of CUDA's runtime; 0 or -1.  */
int
gt_gpu_check (const char *what, int status)
{
  if (status)
    gt_error ("bench: %s: %s", what, gt_gpus->error (status));
  return status ? -1 : 0;
}

int
gt_gpu_check_cub (int status)
{
  if (status)
    gt_error ("bench: CUB: %s", gt_cub_error (status));
  return status ? -1 : 0;
}

/* ------------------------------------------------------------- The GPU */

static size_t
buffer_bytes (const struct gt_bench_gpu *bench,
              const struct gt_bench_options *options)
{
  size_t cold = CACHES * gt_gpus->device_of (bench->gpu)->gpu.l2;
  size_t bytes = LONGEST * sizeof (double) << options->max_exponent;
  size_t free_bytes = 0, total_bytes;

  if (gt_gpus->memory (bench->gpu, &free_bytes, &total_bytes))
    return 0;
  bytes = bytes < cold ? cold : bytes;
  return bytes < free_bytes / MEMORY_SHARE ? bytes
                                           : free_bytes / MEMORY_SHARE;
}

int
gt_bench_gpu_open (struct gt_bench_gpu *bench,
                   const struct gt_bench_options *options, const char **why)
{
  int status;

  *bench = (struct gt_bench_gpu) {.gpu = gt_gpu_chosen (why)};
  if (bench->gpu == NULL)
    return -1;
  bench->bytes = buffer_bytes (bench, options);
  status = gt_plans_of (bench->gpu) == NULL
             ? -1 : gt_gpus->slot_acquire (bench->gpu, SIZE_MAX, &bench->slot);
  if (status == 0)
    status = gt_gpus->alloc (bench->gpu, GT_PLACE_DEVICE, bench->bytes,
                             (void **) &bench->buffer);
  if (status)
    {
      *why = status < 0 ? "memory is short" : gt_gpus->error (status);
      gt_bench_gpu_close (bench);
      return -1;
    }
  bench->cub = gt_cub_open (gt_gpus->device_of (bench->gpu)->gpu.ordinal,
                            bench->bytes / sizeof (float) < INT_MAX
                              ? bench->bytes / sizeof (float) : INT_MAX,
                            &bench->no_cub);
  return 0;
}

void
gt_bench_gpu_close (struct gt_bench_gpu *bench)
{
  gt_cub_close (bench->cub);
  if (bench->buffer)
    gt_gpus->free (bench->gpu, GT_PLACE_DEVICE, bench->buffer);
  if (bench->slot)
    gt_gpus->slot_release (bench->gpu, bench->slot);
  gt_data_clear (&bench->data);
  *bench = (struct gt_bench_gpu) {0};
}

/* One period is sent over the bus; the rest is copied on the device, by doubling.  */
int
gt_gpu_fill (struct gt_bench_gpu *bench)
{
  size_t done = bench->data.period * bench->data.size;
  int status;

  done = done < bench->bytes ? done : bench->bytes;
  status = gt_gpus->copy (bench->gpu, GT_TO_DEVICE, bench->buffer,
                          bench->data.pattern, done);
  while (done < bench->bytes && status == 0)
    {
      size_t more = bench->bytes - done < done ? bench->bytes - done : done;

      status = gt_gpus->copy (bench->gpu, GT_ON_DEVICE, bench->buffer + done,
                              bench->buffer, more);
      done += more;
    }
  return gt_gpu_check ("loading test data", status);
}

int
gt_gpu_load (struct gt_bench_gpu *bench, enum gt_arithmetic arithmetic)
{
  gt_data_clear (&bench->data);
  if (gt_data_init (&bench->data, arithmetic, GT_DATA_WHOLE))
    {
      gt_error ("bench: no memory for test data");
      return -1;
    }
  return gt_gpu_fill (bench);
}

static size_t
step_of (const struct gt_bench_gpu *bench, uint64_t n)
{
  return (n * bench->data.size + WINDOW_ALIGNMENT - 1) / WINDOW_ALIGNMENT
         * WINDOW_ALIGNMENT;
}

struct gt_windows
gt_gpu_windows (struct gt_bench_gpu *bench, uint64_t n, unsigned count)
{
  size_t step = step_of (bench, n), fit = bench->bytes / step;
  struct gt_windows w = {NULL, count < fit ? count : (unsigned) fit, step};

  if (bench->at + w.windows * step > bench->bytes)
    bench->at = 0;
  w.from = bench->buffer + bench->at;
  bench->at += w.windows * step;
  return w;
}

unsigned
gt_gpu_batch (const struct gt_bench_gpu *bench, uint64_t n, double seconds)
{
  size_t fit = bench->bytes / step_of (bench, n);
  unsigned count = seconds * MOST_SUMS < BATCH ? MOST_SUMS
                                               : (unsigned) (BATCH / seconds);

  count = count < FEWEST_SUMS ? FEWEST_SUMS : count;
  return count > fit ? count / (unsigned) fit * (unsigned) fit : count;
}

const struct gt_plan *
gt_gpu_plan (const struct gt_bench_gpu *bench, const struct gt_task *task)
{
  return gt_plan_find (gt_plans_of (bench->gpu), &task->problem);
}

int
gt_gpu_time_launches (struct gt_bench_gpu *bench, const struct gt_task *task,
                      struct gt_windows w, unsigned count, double *seconds)
{
  if (gt_gpu_check ("timing",
                    gt_gpus->time (bench->gpu, bench->slot,
                                   gt_gpu_plan (bench, task), task, count,
                                   w.windows, w.step, seconds)))
    return -1;
  *seconds /= count;
  return 0;
}

void
gt_gpu_note_cub (const struct gt_bench_gpu *bench, struct gt_sheet *sheet)
{
  size_t used = strlen (sheet->note);

  if (bench->cub == NULL)
    snprintf (sheet->note + used, sizeof sheet->note - used,
              "CUB is left out: %s.", bench->no_cub);
}

int
gt_gpu_verify (const struct gt_bench_gpu *bench, const char *who,
               const char *from, uint64_t n, double sum)
{
  enum gt_arithmetic arithmetic = bench->data.arithmetic;
  uint64_t offset = (uint64_t) (from - bench->buffer) / bench->data.size;
  union gt_value right = gt_data_sum (&bench->data, offset, n, 1);
  double exact
    = arithmetic == GT_F64 ? right.f64[0] : (double) right.f32[0];

  if (sum == exact)
    return 0;
  gt_error ("bench: wrong result of %s, %s, n = %llu: %.17g instead of %.17g",
            who, gt_arithmetics[arithmetic].name, (unsigned long long) n, sum,
            exact);
  return -1;
}

/* --------------------------------------------------------------- Calls */

int
gt_call_memory (const struct gt_bench_gpu *bench,
                struct gsltune_device_memory *memory, double *sum)
{
  *sum = bench->data.arithmetic == GT_F32
           ? (double) gsltune_device_vector_float_sum (
             (gsltune_device_vector_float *) memory)
           : gsltune_device_vector_sum ((gsltune_device_vector *) memory);
  if (isnan (*sum))
    gt_error ("bench: gsltune_device_vector_sum: the GPU has failed");
  return isnan (*sum) ? -1 : 0;
}

int
gt_call_device_vector (const struct gt_bench_gpu *bench, const char *data,
                       uint64_t n, double *sum)
{
  struct gsltune_device_memory memory
    = {.data = (void *) data, .n = n, .stride = 1, .gpu = bench->gpu};

  return gt_call_memory (bench, &memory, sum);
}

int
gt_call_address (const struct gt_bench_gpu *bench, const char *data,
                 uint64_t n, double *sum)
{
  void *stream = bench->cub ? gt_cub_stream (bench->cub) : NULL;
  float single = 0;
  int status = bench->data.arithmetic == GT_F32
                 ? gsltune_device_float_sum ((const float *) data, 1, n,
                                             stream, &single)
                 : gsltune_device_sum ((const double *) data, 1, n, stream,
                                       sum);

  if (bench->data.arithmetic == GT_F32)
    *sum = (double) single;
  if (status)
    gt_error ("bench: gsltune_device_sum: %s", gsl_strerror (status));
  return status ? -1 : 0;
}
