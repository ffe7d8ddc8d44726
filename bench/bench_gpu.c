/* Device-resident data: CUB beside the library.

   Data is read cold.  A buffer several times the L2 cache is
   cut into windows of one sum each; every sum, of either contender, reads the
   next window, round and round, so what it reads was last touched a whole buffer
   ago.  Contenders take turns, and the median of the rounds counts.

   The table "device" times batches of sums that are enqueued back to back on a
   non-blocking stream, between two events: for either contender what a program
   gets that keeps the GPU supplied, the gaps between its kernels included.  Both
   batches have the same number of sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/gpu.h"
#include "src/base/names.h"
#include "src/plan/plan.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/target.h"
#include "tuning/text/cli.h"

#define FIRST_EXPONENT 10
#define BATCH 2e-3           /* seconds of a first, short batch */
#define FEWEST_SUMS 4u

/* How many lengths, 2^FIRST_EXPONENT on, the buffer has room for; the sheet
   says when that is fewer than LAST asks for.  */
static unsigned
last_exponent (const struct gt_bench_gpu *bench, unsigned last,
               struct gt_sheet *sheet)
{
  unsigned k = last;

  while (k >= FIRST_EXPONENT && bench->data.size << k > bench->bytes)
    k--;
  if (k < last)
    snprintf (sheet->note, sizeof sheet->note, "2^%u and longer are left out:"
              " too little free GPU memory. ", k + 1);
  return k;
}

#define KI ((uint64_t) 1 << 10)
#define MI ((uint64_t) 1 << 20)

#define DEVICE_FORM(type)                                                    \
  {                                                                          \
    .name = "device " type,                                                  \
    .title = type " on the GPU, fast mode, cold data, back to back sums",    \
    .remark = "gsltune's configuration",                                     \
    .columns = {{"n", "n", GT_UNIT_COUNT},                                   \
                {"CUB", "cub_seconds", GT_UNIT_SECONDS},                     \
                {"bandwidth", "cub_bytes_per_second", GT_UNIT_BANDWIDTH},    \
                {"gsltune", "gsltune_seconds", GT_UNIT_SECONDS},             \
                {"bandwidth", "gsltune_bytes_per_second",                    \
                 GT_UNIT_BANDWIDTH},                                         \
                {"gsltune/CUB", "ratio", GT_UNIT_GAIN}},                     \
    .bars = {{"at least 0.98 of CUB's speed from 2^10 to 2^28", 5, 0.98, KI, \
              256 * MI, GT_ANY},                                          \
             {"at least 1.00 of CUB's speed from 2^20 to 2^28", 5, 1, MI,    \
              256 * MI, GT_ANY}},                                         \
  }
const struct gt_form gt_device_forms[2]
  = {DEVICE_FORM ("double"), DEVICE_FORM ("float")};

static struct gt_task
task_of (const struct gt_bench_gpu *bench, uint64_t n)
{
  return gt_task_of (GT_SUM, bench->data.arithmetic, GT_MODE_FAST,
                     bench->buffer, n, 1);
}

static struct gt_cub_problem
same_for_cub (const struct gt_task *task)
{
  return (struct gt_cub_problem) {task->problem.arithmetic == GT_F32,
                                  task->x.data, task->problem.n, GT_CUB_SUM};
}

/* Seconds of one sum, from a batch of COUNT, by ours or by CUB.  */
static int
time_ours (struct gt_bench_gpu *bench, struct gt_task task, unsigned count,
           double *seconds)
{
  struct gt_windows w = gt_gpu_windows (bench, task.problem.n, count);

  task.x.data = w.from;
  return gt_gpu_time_launches (bench, &task, w, count, seconds);
}

static int
time_cub (struct gt_bench_gpu *bench, const struct gt_task *task,
          unsigned count, double *seconds)
{
  struct gt_windows w = gt_gpu_windows (bench, task->problem.n, count);
  struct gt_cub_problem p = same_for_cub (task);

  *seconds = NAN;
  if (bench->cub == NULL)
    return 0;
  p.data = w.from;
  if (gt_gpu_check_cub (gt_cub_time (bench->cub, &p, count, w.windows, w.step,
                              seconds)))
    return -1;
  *seconds /= count;
  return 0;
}

/* Both answers at the place where the next timing begins.  */
static int
verify_both (struct gt_bench_gpu *bench, struct gt_task task)
{
  struct gt_windows w = gt_gpu_windows (bench, task.problem.n, 1);
  struct gt_cub_problem p = same_for_cub (&task);
  union gt_value sum;
  double value;

  task.x.data = p.data = w.from;
  if (gt_gpu_check ("summing", gt_gpus->poison (bench->gpu, bench->slot))
      || gt_gpu_check ("summing",
                       gt_gpus->start (bench->gpu, bench->slot, GT_WAY_DIRECT,
                                       gt_gpu_plan (bench, &task), &task))
      || gt_gpu_check ("summing", gt_gpus->await (bench->gpu, bench->slot,
                                                  &task, &sum)))
    return -1;
  value = p.is_float ? (double) sum.f32[0] : sum.f64[0];
  if (gt_gpu_verify (bench, "gsltune", w.from, task.problem.n, value))
    return -1;
  if (bench->cub == NULL)
    return 0;
  if (gt_gpu_check_cub (gt_cub_compute (bench->cub, &p, &value)))
    return -1;
  return gt_gpu_verify (bench, "CUB", w.from, task.problem.n, value);
}

/* A short batch of each warms up and tells how long the others shall be.  */
static int
choose_count (struct gt_bench_gpu *bench, const struct gt_task *task,
              unsigned *count)
{
  double ours, cub;

  *count = gt_gpu_batch (bench, task->problem.n, BATCH / FEWEST_SUMS);
  if (time_ours (bench, *task, *count, &ours)
      || time_cub (bench, task, *count, &cub))
    return -1;
  *count = gt_gpu_batch (bench, task->problem.n, cub > ours ? cub : ours);
  return 0;
}

static int
device_row (struct gt_bench_gpu *bench, unsigned rounds, uint64_t n,
            struct gt_row *row)
{
  double cub[GT_BENCH_ROUNDS], ours[GT_BENCH_ROUNDS];
  double bytes = (double) (n * bench->data.size);
  struct gt_task task = task_of (bench, n);
  const struct gt_plan *plan = gt_gpu_plan (bench, &task);
  unsigned count;

  if (verify_both (bench, task) || choose_count (bench, &task, &count))
    return -1;
  for (unsigned r = 0; r < rounds; r++)
    if (time_cub (bench, &task, count, &cub[r])
        || time_ours (bench, task, count, &ours[r]))
      return -1;
  row->value[0] = (double) n;
  row->value[1] = gt_median (cub, rounds);
  row->value[3] = gt_median (ours, rounds);
  row->value[2] = bytes / row->value[1];
  row->value[4] = bytes / row->value[3];
  row->value[5] = row->value[1] / row->value[3];
  snprintf (row->remark, sizeof row->remark, "%s",
            gt_config_text (plan->kernel, &plan->config));
  return 0;
}

int
gt_bench_device (struct gt_bench *all, struct gt_sheet *sheet)
{
  struct gt_bench_gpu *bench = &all->gpu;
  unsigned last;

  if (gt_gpu_load (bench, sheet->form == gt_device_forms ? GT_F64 : GT_F32))
    return -1;
  last = last_exponent (bench, all->options.max_exponent, sheet);
  gt_gpu_note_cub (bench, sheet);
  for (unsigned k = FIRST_EXPONENT; k <= last; k++)
    if (device_row (bench, all->options.rounds, (uint64_t) 1 << k,
                    &sheet->rows[sheet->n_rows++]))
      return -1;
  return 0;
}
