/* The table "streams": sums that stay on the device, of one vector again and again, beside CUB's.

   100 calls follow each other in a stream, or are one graph; events tell when the first begins
   and the last ends.  Contenders take turns, and the median of the rounds counts.  Ours have
   scratch memory, as CUB's sum has.  CUB's sum with the same bits on every GPU, which newer
   versions have, takes memory from a pool, and rounds; ours in exact mode rounds once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "bench/bench.h"
#include "bench/gpu.h"
#include "src/gsltune.h"
#include "tuning/measure/clock.h"
#include "tuning/text/cli.h"

#define FIRST_EXPONENT 10
#define LAST_EXPONENT 26
#define CALLS 100

enum
{
  N,
  CUB,
  FAST,
  FAST_OF_CUB,
  REPRODUCIBLE,
  EXACT,
  EXACT_OF_REPRODUCIBLE,
  CUB_GRAPH,
  FAST_GRAPH,
  FAST_OF_CUB_GRAPH,
  EXACT_GRAPH,
  EXACT_OF_CUB_GRAPH
};

#define KI ((uint64_t) 1 << 10)
#define MI ((uint64_t) 1 << 20)
const struct gt_form gt_streams_form = {
  .name = "streams",
  .title = "double on the GPU, sums to device memory, one of 100 that follow each other in a"
           " stream, and in a graph; CUB's of the same bits: determinism from GPU to GPU",
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},
              [CUB] = {"CUB", "cub_seconds", GT_UNIT_SECONDS},
              [FAST] = {"fast", "fast_seconds", GT_UNIT_SECONDS},
              [FAST_OF_CUB] = {"fast/CUB", "fast_ratio", GT_UNIT_GAIN},
              [REPRODUCIBLE] = {"CUB, same bits", "reproducible_seconds", GT_UNIT_SECONDS},
              [EXACT] = {"exact", "exact_seconds", GT_UNIT_SECONDS},
              [EXACT_OF_REPRODUCIBLE] = {"exact/that", "exact_ratio", GT_UNIT_GAIN},
              [CUB_GRAPH] = {"CUB, graph", "cub_graph_seconds", GT_UNIT_SECONDS},
              [FAST_GRAPH] = {"fast", "fast_graph_seconds", GT_UNIT_SECONDS},
              [FAST_OF_CUB_GRAPH] = {"fast/CUB", "fast_graph_ratio", GT_UNIT_GAIN},
              [EXACT_GRAPH] = {"exact", "exact_graph_seconds", GT_UNIT_SECONDS},
              [EXACT_OF_CUB_GRAPH] = {"of CUB", "exact_graph_share", GT_UNIT_SHARE}},
  .bars = {{"fast: at least CUB's speed from 2^10 to 2^26", FAST_OF_CUB, 1, KI, 64 * MI, GT_ANY},
           {"exact: at least 1.5 of CUB's of the same bits from 2^10 to 2^26",
            EXACT_OF_REPRODUCIBLE, 1.5, KI, 64 * MI, GT_ANY},
           {"graph, fast: at least CUB's speed from 2^10 to 2^26", FAST_OF_CUB_GRAPH, 1, KI,
            64 * MI, GT_ANY},
           {"graph, exact: at most 1.6 times CUB's time from 2^10 to 2^20", EXACT_OF_CUB_GRAPH, 1.6,
            KI, MI, GT_ANY},
           {"graph, exact: at most 1.1 times CUB's time from 2^24 to 2^26", EXACT_OF_CUB_GRAPH, 1.1,
            16 * MI, 64 * MI, GT_ANY}},
  .means = {{"exact: 3 times CUB's speed of the same bits from 2^10 to 2^26",
             EXACT_OF_REPRODUCIBLE, 3, KI, 64 * MI, GT_ANY}},
};

/* The operands that calls share, and which call it is.  */
struct calls
{
  struct gt_bench_gpu *bench;
  gsltune_device_vector x;
  gsltune_scratch *scratch;
  double *to;
  unsigned column;
};

static int
call (void *closure)
{
  const struct calls *c = closure;
  const int is_exact = c->column == EXACT || c->column == EXACT_GRAPH;
  const struct gt_cub_problem problem
    = {0, c->x.memory.data, c->x.memory.n,
       c->column == REPRODUCIBLE ? GT_CUB_REPRODUCIBLE_SUM : GT_CUB_SUM};

  if (c->column == CUB || c->column == REPRODUCIBLE || c->column == CUB_GRAPH)
    return gt_cub_enqueue (c->bench->cub, &problem);
  return gsltune_device_vector_sum_to (
    &c->x, c->to, gt_cub_stream (c->bench->cub),
    is_exact ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST, c->scratch);
}

static int
time_calls (struct calls *c, unsigned column, double *seconds)
{
  *seconds = NAN;
  if (column == REPRODUCIBLE && !gt_cub_has_reproducible_sum ())
    return 0;
  c->column = column;
  if (gt_gpu_check_cub (gt_cub_time_calls (c->bench->cub, call, c, CALLS, column >= CUB_GRAPH,
                                           seconds)))
    return -1;
  *seconds /= CALLS;
  return 0;
}

/* The results that ours have left: the exact sum last.  */
static int
verify (const struct calls *c)
{
  double sum;

  return gt_gpu_check ("copying", gt_gpus->copy (c->bench->gpu, GT_TO_HOST, &sum, c->to, sizeof sum))
         || gt_gpu_verify (c->bench, "gsltune_device_vector_sum_to", c->x.memory.data,
                           c->x.memory.n, sum);
}

static int
make_row (struct calls *c, unsigned rounds, struct gt_row *row)
{
  static const unsigned timed[] = {CUB, FAST, REPRODUCIBLE, EXACT, CUB_GRAPH, FAST_GRAPH, EXACT_GRAPH};
  const size_t n_timed = sizeof timed / sizeof *timed;
  double seconds[sizeof timed / sizeof *timed][GT_BENCH_ROUNDS], warm;

  for (size_t k = 0; k < n_timed; k++)
    if (time_calls (c, timed[k], &warm))
      return -1;
  if (verify (c))
    return -1;
  for (unsigned r = 0; r < rounds; r++)
    for (size_t k = 0; k < n_timed; k++)
      if (time_calls (c, timed[k], &seconds[k][r]))
        return -1;
  row->value[N] = (double) c->x.memory.n;
  for (size_t k = 0; k < n_timed; k++)
    row->value[timed[k]] = gt_median (seconds[k], rounds);
  row->value[FAST_OF_CUB] = row->value[CUB] / row->value[FAST];
  row->value[EXACT_OF_REPRODUCIBLE] = row->value[REPRODUCIBLE] / row->value[EXACT];
  row->value[FAST_OF_CUB_GRAPH] = row->value[CUB_GRAPH] / row->value[FAST_GRAPH];
  row->value[EXACT_OF_CUB_GRAPH] = row->value[EXACT_GRAPH] / row->value[CUB_GRAPH];
  return 0;
}

int
gt_bench_streams (struct gt_bench *all, struct gt_sheet *sheet)
{
  const unsigned most = all->options.max_exponent;
  const unsigned last = most < LAST_EXPONENT ? most : LAST_EXPONENT;
  struct gt_bench_gpu *const bench = &all->gpu;
  struct calls c
    = {.bench = bench, .x = {{.data = bench->buffer, .stride = 1, .gpu = bench->gpu}}};
  int status;

  gt_gpu_note_cub (bench, sheet);
  if (bench->cub == NULL)
    return 0;
  c.scratch = gsltune_scratch_alloc (0);
  status = c.scratch == NULL || gt_gpu_load (bench, GT_F64)
           || gt_gpu_check ("memory for a sum", gt_gpus->alloc (bench->gpu, GT_PLACE_DEVICE,
                                                                sizeof *c.to, (void **) &c.to));
  for (unsigned k = FIRST_EXPONENT; k <= last && status == 0; k++)
    if (sizeof (double) << k <= bench->bytes)
      {
        c.x.memory.n = (size_t) 1 << k;
        status = make_row (&c, all->options.rounds, &sheet->rows[sheet->n_rows++]);
      }
  if (c.to)
    gt_gpus->free (bench->gpu, GT_PLACE_DEVICE, c.to);
  gsltune_scratch_free (c.scratch);
  return status;
}
