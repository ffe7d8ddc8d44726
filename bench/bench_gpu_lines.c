/* The table "rows-gpu": sums of all rows, and of all columns, of a device matrix beside CUB's
   segmented sum and cuBLAS's product with ones.

   A timing is of a call, from its beginning to when the results are there.  Contenders take turns,
   and the median of the rounds counts.  What memory allows is the fast sum of the same elements as
   one vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/cublas.h"
#include "bench/gpu.h"
#include "src/gsltune.h"
#include "tuning/measure/clock.h"
#include "tuning/text/cli.h"

enum
{
  LENGTH, /* of a line */
  LINES,
  CUB,
  GEMV,
  FAST,
  FAST_OF_BEST,
  FAST_OF_LIMIT,
  EXACT,
  EXACT_OF_FAST
};

#define MI ((uint64_t) 1 << 20)
#define FORM(lines, length)                                                                     \
  {                                                                                             \
    .name = "rows-gpu", .title = "double on the GPU, sums of all " lines ", a call",            \
    .columns = {[LENGTH] = {length, length, GT_UNIT_COUNT},                                     \
                [LINES] = {lines, lines, GT_UNIT_COUNT},                                        \
                [CUB] = {"CUB", "cub_seconds", GT_UNIT_SECONDS},                                \
                [GEMV] = {"gemv", "gemv_seconds", GT_UNIT_SECONDS},                             \
                [FAST] = {"fast", "fast_seconds", GT_UNIT_SECONDS},                             \
                [FAST_OF_BEST] = {"fast/better", "fast_ratio", GT_UNIT_GAIN},                   \
                [FAST_OF_LIMIT] = {"of memory", "memory_ratio", GT_UNIT_GAIN},                  \
                [EXACT] = {"exact", "exact_seconds", GT_UNIT_SECONDS},                          \
                [EXACT_OF_FAST] = {"exact/fast", "exact_ratio", GT_UNIT_GAIN}},                 \
    .second = LINES,                                                                            \
    .bars = {{lines ", fast: at least the better one's speed", FAST_OF_BEST, 1, 1, 64 * MI, 0, GT_ANY}, \
             {lines ", fast: at least 0.9 of memory from 16 " length " on", FAST_OF_LIMIT, 0.9, 16, \
              64 * MI, 0, GT_ANY},                                                              \
             {lines ", fast: at least 0.75 of memory of 4 " length, FAST_OF_LIMIT, 0.75, 4, 4, 0, GT_ANY}, \
             {lines ", exact: at least 0.85 of fast from 64 " length " on", EXACT_OF_FAST, 0.85, 64, \
              64 * MI, 0, GT_ANY},                                                              \
             {lines ", exact: at least 0.6 of fast below", EXACT_OF_FAST, 0.6, 1, 63, 0, GT_ANY}}, \
  }
const struct gt_form gt_rows_gpu_forms[2] = {FORM ("rows", "columns"), FORM ("columns", "rows")};

/* Of the first ones the memory's limit is asked.  */
#define LARGE 10
static const size_t shapes[][2]
  = {{16 * MI, 4}, {4 * MI, 16}, {MI, 64}, {MI / 4, 256}, {MI / 16, 1024}, {MI / 64, 4096},
     {256, MI / 4}, {16, 4 * MI}, {4, 16 * MI}, {1, 64 * MI},
     {3, 1000000}, {10, 100000}, {100000, 10}, {1000, 10}, {10, 1000}, {1000, 1000}};

struct table
{
  struct gt_bench_gpu *bench;
  struct gt_cublas *cublas; /* null: it is left out */
  int by_columns;
  size_t size1, size2;
  double *ones, *to;
};

/* cuBLAS's matrices are stored by columns: this one is transposed there.  */
static int
enqueue (const struct table *t, unsigned column)
{
  const double *const x = (const double *) t->bench->buffer;

  return column == CUB ? gt_cub_enqueue_segments (t->bench->cub, x, t->size1, t->size2, t->to)
                       : gt_cublas_dgemv (t->cublas, !t->by_columns, (int) t->size2, (int) t->size1, x,
                                          t->ones, t->to);
}

static int
call_ours (const struct table *t, unsigned column)
{
  const size_t count = t->by_columns ? t->size2 : t->size1;
  struct gt_open_gpu *const gpu = t->bench->gpu;
  const gsltune_device_matrix m
    = {{{.data = t->bench->buffer, .n = t->size1 * t->size2, .stride = 1, .gpu = gpu}, t->size1, t->size2,
        t->size2}};
  gsltune_device_vector to = {{.data = t->to, .n = count, .stride = 1, .gpu = gpu}};
  const gsltune_device_vector all
    = {{.data = t->bench->buffer, .n = t->size1 * t->size2, .stride = 1, .gpu = gpu}};

  gsltune_set_mode (column == EXACT ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST);
  if (column == FAST_OF_LIMIT)
    return isnan (gsltune_device_vector_sum (&all));
  return t->by_columns ? gsltune_device_matrix_column_sum (&m, &to)
                       : gsltune_device_matrix_row_sum (&m, &to);
}

static int
call (const struct table *t, unsigned column, double *seconds)
{
  const double from = gt_now ();

  *seconds = NAN;
  if ((column == CUB && (t->by_columns || t->bench->cub == NULL))
      || (column == GEMV && t->cublas == NULL))
    return 0;
  if (column == CUB || column == GEMV)
    {
      if (gt_gpu_check_cub (enqueue (t, column))
          || gt_gpu_check ("waiting", gt_gpus->synchronize (t->bench->gpu, gt_cub_stream (t->bench->cub))))
        return -1;
    }
  else if (call_ours (t, column))
    return -1;
  *seconds = gt_now () - from;
  return 0;
}

/* Whether the exact sums, which were computed last, add up to that of all elements.  */
static int
verify (const struct table *t)
{
  const size_t count = t->by_columns ? t->size2 : t->size1;
  const gsltune_device_vector sums = {{.data = t->to, .n = count, .stride = 1, .gpu = t->bench->gpu}};

  return gt_gpu_verify (t->bench, "gsltune_device_matrix_row_sum or _column_sum", t->bench->buffer,
                        t->size1 * t->size2, gsltune_device_vector_sum (&sums));
}

static double
faster (double a, double b)
{
  return isnan (a) || b < a ? b : a;
}

static int
make_row (const struct table *t, unsigned rounds, int is_large, struct gt_row *row)
{
  static const unsigned timed[] = {CUB, GEMV, FAST, FAST_OF_LIMIT, EXACT};
  const size_t n_timed = sizeof timed / sizeof *timed;
  double seconds[sizeof timed / sizeof *timed][GT_BENCH_ROUNDS], warm;
  double *const value = row->value;

  for (size_t k = 0; k < n_timed; k++)
    if (call (t, timed[k], &warm))
      return -1;
  if (verify (t))
    return -1;
  for (unsigned r = 0; r < rounds; r++)
    for (size_t k = 0; k < n_timed; k++)
      if (call (t, timed[k], &seconds[k][r]))
        return -1;
  value[LENGTH] = (double) (t->by_columns ? t->size1 : t->size2);
  value[LINES] = (double) (t->by_columns ? t->size2 : t->size1);
  for (size_t k = 0; k < n_timed; k++)
    value[timed[k]] = gt_median (seconds[k], rounds, NULL);
  value[FAST_OF_BEST] = faster (value[CUB], value[GEMV]) / value[FAST];
  value[FAST_OF_LIMIT] = is_large ? value[FAST_OF_LIMIT] / value[FAST] : (double) NAN;
  value[EXACT_OF_FAST] = value[FAST] / value[EXACT];
  return 0;
}

/* Ones as many as the longest line has elements, and room for results.  */
static int
begin (struct table *t, size_t most)
{
  double *const ones = malloc (most * sizeof *ones);
  int failed = ones == NULL;

  for (size_t i = 0; i < most && !failed; i++)
    ones[i] = 1;
  failed = failed
           || gt_gpu_check ("memory for ones", gt_gpus->alloc (t->bench->gpu, GT_PLACE_DEVICE, most * sizeof *ones,
                                                               (void **) &t->ones))
           || gt_gpu_check ("memory for sums", gt_gpus->alloc (t->bench->gpu, GT_PLACE_DEVICE, most * sizeof *ones,
                                                               (void **) &t->to))
           || gt_gpu_check ("copying", gt_gpus->copy (t->bench->gpu, GT_TO_DEVICE, t->ones, ones, most * sizeof *ones));
  free (ones);
  return failed || gt_gpu_load (t->bench, GT_F64);
}

static void
end (struct table *t)
{
  gt_cublas_close (t->cublas);
  if (t->ones)
    gt_gpus->free (t->bench->gpu, GT_PLACE_DEVICE, t->ones);
  if (t->to)
    gt_gpus->free (t->bench->gpu, GT_PLACE_DEVICE, t->to);
}

int
gt_bench_rows_gpu (struct gt_bench *all, struct gt_sheet *sheet)
{
  const unsigned exponent = all->options.max_exponent;
  const size_t most = (size_t) 1 << (exponent < 26 ? exponent : 26);
  struct table t = {.bench = &all->gpu, .by_columns = sheet->form != gt_rows_gpu_forms};
  const char *why;
  int status;

  gt_gpu_note_cub (t.bench, sheet);
  if (t.bench->cub)
    t.cublas = gt_cublas_open (gt_cub_stream (t.bench->cub), &why);
  status = begin (&t, most);
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes && status == 0; k++)
    if (shapes[k][0] * shapes[k][1] <= most && shapes[k][0] * shapes[k][1] * sizeof (double) <= t.bench->bytes)
      {
        t.size1 = shapes[k][0];
        t.size2 = shapes[k][1];
        status = make_row (&t, all->options.rounds, k < LARGE, &sheet->rows[sheet->n_rows++]);
      }
  end (&t);
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  return status;
}
