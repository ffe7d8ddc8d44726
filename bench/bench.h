/* The tables of the benchmark.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_H
#define GT_BENCH_H

#include "bench/cub_sum.h"
#include "bench/output.h"
#include "src/device/backend.h"
#include "tuning/measure/data.h"

#define GT_BENCH_ROUNDS 1000 /* at most */

struct gt_bench_options
{
  unsigned max_exponent; /* log2 of the longest vector */
  unsigned rounds;       /* timings of each contender */
};

/* One GPU with what its tables share.  */
struct gt_bench_gpu
{
  struct gt_open_gpu *gpu;
  struct gt_slot *slot;
  struct gt_cub *cub;  /* null: CUB is left out */
  const char *no_cub;  /* why */
  struct gt_data data; /* of what the buffer holds; pattern null: nothing */
  char *buffer;        /* on the GPU */
  size_t bytes;        /* of it */
  size_t at;           /* where the next timing begins to read */
};

/* Returns 0, or -1 with the reason in WHY: no GPU, or none that works.  */
int gt_bench_gpu_open (struct gt_bench_gpu *bench,
                       const struct gt_bench_options *options,
                       const char **why);
void gt_bench_gpu_close (struct gt_bench_gpu *bench);

/* Tools that every table uses.  */
struct gt_bench
{
  struct gt_bench_options options;
  struct gt_bench_gpu gpu;
};

/* Fills SHEET, and those behind it that are its table's: the order of the forms below is
   that of the sheets.  Returns 0, or -1 after a message when a result is wrong or a
   device fails.  */
typedef int gt_make_sheet (struct gt_bench *bench, struct gt_sheet *sheet);
gt_make_sheet gt_bench_device, gt_bench_exact, gt_bench_streams, gt_bench_run,
  gt_bench_systems;

/* Their fixed parts, of double and float if there are two.  */
extern const struct gt_form gt_device_forms[2], gt_exact_forms[2];
extern const struct gt_form gt_streams_form;
extern const struct gt_form gt_run_form, gt_systems_form;

#endif
