/* The tables of the benchmark.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_H
#define GT_BENCH_H

#include "bench/cub_sum.h"
#include "bench/openblas.h"
#include "bench/output.h"
#include "src/device/backend.h"
#include "tuning/measure/data.h"

#define GT_BENCH_ROUNDS 1000 /* at most */

struct gt_bench_options
{
  unsigned max_exponent;     /* log2 of the longest vector */
  unsigned longest_exponent; /* of the tables "never-slower", "routes" */
  unsigned rounds;           /* timings of each contender */
};

/* Test data of ARITHMETIC (f64 or f32).  Doubles are made positive, so that
   cblas_dasum, which adds absolute values, computes the same sum; every
   partial sum stays exact.  Returns 0, or -1 when memory is short.  */
int gt_bench_data (struct gt_data *data, enum gt_arithmetic arithmetic);

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

/* Each fills SHEET.  Returns 0, or -1 after a message when a result is wrong
   or a device fails.  */
int gt_bench_device (struct gt_bench_gpu *bench,
                     const struct gt_bench_options *options,
                     enum gt_arithmetic arithmetic, struct gt_sheet *sheet);
int gt_bench_latency (struct gt_bench_gpu *bench,
                      const struct gt_bench_options *options,
                      struct gt_sheet *sheet);
int gt_bench_call (struct gt_bench_gpu *bench,
                   const struct gt_bench_options *options,
                   enum gt_arithmetic arithmetic, struct gt_sheet *sheet);
int gt_bench_exact (struct gt_bench_gpu *bench,
                    const struct gt_bench_options *options,
                    enum gt_arithmetic arithmetic, struct gt_sheet *sheet);
int gt_bench_host (const struct gt_openblas *openblas,
                   const struct gt_bench_options *options,
                   struct gt_sheet *sheet);
int gt_bench_modes (const struct gt_bench_options *options,
                    struct gt_sheet *sheet);
/* Fills a sheet for each of three types: double, float, int.  */
#define GT_BENCH_LIMITS 3
int gt_bench_limit (const struct gt_bench_options *options,
                    struct gt_sheet sheet[GT_BENCH_LIMITS]);
/* The same, of extremes and sums of magnitudes.  */
#define GT_BENCH_EXTREMES 3
int gt_bench_extremes (const struct gt_bench_options *options,
                       struct gt_sheet sheet[GT_BENCH_EXTREMES]);
int gt_bench_extremes_gpu (struct gt_bench_gpu *bench,
                           const struct gt_bench_options *options,
                           struct gt_sheet *sheet);
/* Of dot products, norms and statistics: double, fast and exact; float; int.  */
#define GT_BENCH_PRODUCTS 4
int gt_bench_products (const struct gt_bench_options *options,
                       struct gt_sheet sheet[GT_BENCH_PRODUCTS]);
int gt_bench_products_gpu (struct gt_bench_gpu *bench,
                           const struct gt_bench_options *options,
                           struct gt_sheet *sheet);
int gt_bench_plan (const struct gt_bench_options *options,
                   struct gt_sheet *sheet);
int gt_bench_run (const struct gt_bench_options *options,
                  struct gt_sheet *sheet);
/* Fills a sheet for each mode: fast, compensated, exact.  */
int gt_bench_never_slower (const struct gt_bench_options *options,
                           struct gt_sheet sheet[GT_N_MODES]);
/* The same, of elements of every kind and of strides of two vectors.  */
int gt_bench_elements (const struct gt_bench_options *options,
                       struct gt_sheet sheet[GT_N_MODES]);
/* Fills a sheet for each of two modes: fast, exact.  */
#define GT_BENCH_ROUTES 2
int gt_bench_routes (struct gt_bench_gpu *gpu,
                     const struct gt_bench_options *options,
                     struct gt_sheet sheet[GT_BENCH_ROUTES]);

/* Their fixed parts: f64, f32; fast, compensated, exact; fast, exact; and double,
   float, int, twice.  */
extern const struct gt_form gt_device_forms[2], gt_call_forms[2],
  gt_exact_forms[2];
extern const struct gt_form gt_never_slower_forms[GT_N_MODES];
extern const struct gt_form gt_elements_forms[GT_N_MODES];
extern const struct gt_form gt_routes_forms[GT_BENCH_ROUTES];
extern const struct gt_form gt_limit_forms[GT_BENCH_LIMITS];
extern const struct gt_form gt_extremes_forms[GT_BENCH_EXTREMES];
extern const struct gt_form gt_extremes_gpu_form;
extern const struct gt_form gt_products_forms[GT_BENCH_PRODUCTS];
extern const struct gt_form gt_products_gpu_form;
extern const struct gt_form gt_latency_form, gt_host_form, gt_modes_form,
  gt_plan_form, gt_run_form;

#endif
