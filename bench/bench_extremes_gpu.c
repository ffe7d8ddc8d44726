/* Extremes and sums of magnitudes of device-resident data: CUB and cuBLAS beside the
   library.

   A call is timed from its beginning to the value on the host, one after the other, of
   cold data, as in the table "latency"; bandwidth is that of launches back to back, as
   in the table "device", beside the library's own sum.  Contenders take turns, and the
   median of the rounds counts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/gpu_peers.h"
#include "src/base/names.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/data.h"
#include "tuning/text/cli.h"

#define FIRST_EXPONENT 10
#define STEP 2
#define BATCH 2e-3
#define KI ((uint64_t) 1 << 10)
#define MI ((uint64_t) 1 << 20)

/* ------------------------------------------------------------------ Form */

enum
{
  RATE = GT_PEERS_COLUMNS,
  SUM_RATE,
  OF_SUM
};

const struct gt_form gt_extremes_gpu_form = {
  .name = "extremes-gpu",
  .title = "double on the GPU, fast mode, cold data: from the call to the value on"
           " the host, of device vectors, beside CUB and its copy (max, max_index)"
           " and cuBLAS (asum, iamax); bandwidth of launches back to back, beside"
           " gsltune's sum",
  .remark = "gsltune's configuration",
  .second = GT_PEERS_FUNCTION,
  .columns = {GT_PEERS_FORM,
              [RATE] = {"bandwidth", "bytes_per_second", GT_UNIT_BANDWIDTH},
              [SUM_RATE] = {"the sum's", "sum_bytes_per_second",
                            GT_UNIT_BANDWIDTH},
              [OF_SUM] = {"of the sum's", "share_of_sum", GT_UNIT_GAIN}},
  .bars = {{"at most 0.5 of the peer's call from 2^10 to 2^18", GT_PEERS_SHARE,
            0.5, KI,
            256 * KI, 0, GT_ANY},
           {"at least 0.96 of the sum's bandwidth at 2^28", OF_SUM, 0.96,
            256 * MI, 256 * MI, 0, GT_ANY}},
};

/* ------------------------------------------------------------ Contenders */

/* One call for the N elements at DATA.  0, or -1 after a message; NaN where the
   contender is left out.  */
typedef int call (struct gt_run *run, const char *data, uint64_t n,
                  double *result);

static int
by_cub (struct gt_run *run, enum gt_cub_operation operation, const char *data,
        uint64_t n, double *result)
{
  struct gt_cub_problem p = {0, data, n, operation};

  *result = NAN;
  return run->bench->cub
           ? gt_gpu_check_cub (gt_cub_compute (run->bench->cub, &p, result)) : 0;
}

static int
cub_max (struct gt_run *run, const char *data, uint64_t n, double *result)
{
  return by_cub (run, GT_CUB_MAX, data, n, result);
}

static int
cub_arg_max (struct gt_run *run, const char *data, uint64_t n, double *result)
{
  return by_cub (run, GT_CUB_ARG_MAX, data, n, result);
}

static int
cublas_asum (struct gt_run *run, const char *data, uint64_t n, double *result)
{
  *result = NAN;
  return run->cublas
           ? gt_check_cublas (gt_cublas_dasum (run->cublas, data, n, result)) : 0;
}

static int
cublas_iamax (struct gt_run *run, const char *data, uint64_t n, double *result)
{
  *result = NAN;
  return run->cublas
           ? gt_check_cublas (gt_cublas_idamax (run->cublas, data, n, result)) : 0;
}

static int
our_max (struct gt_run *run, const char *data, uint64_t n, double *result)
{
  struct gsltune_device_memory memory = gt_run_memory (run, data, n);

  *result = gsltune_device_vector_max ((gsltune_device_vector *) &memory);
  return 0;
}

static int
our_max_index (struct gt_run *run, const char *data, uint64_t n, double *result)
{
  struct gsltune_device_memory memory = gt_run_memory (run, data, n);

  *result = (double) gsltune_device_vector_max_index ((gsltune_device_vector *) &memory);
  return 0;
}

static int
our_asum (struct gt_run *run, const char *data, uint64_t n, double *result)
{
  struct gsltune_device_memory memory = gt_run_memory (run, data, n);

  *result = gsltune_device_vector_asum ((gsltune_device_vector *) &memory);
  return 0;
}

static int
our_iamax (struct gt_run *run, const char *data, uint64_t n, double *result)
{
  struct gsltune_device_memory memory = gt_run_memory (run, data, n);

  *result = (double) gsltune_device_vector_iamax ((gsltune_device_vector *) &memory);
  return 0;
}

static const struct subject
{
  enum gt_function function;
  enum gt_reduction reduction;
  int index; /* is what it finds */
  call *peer, *ours;
} subjects[] = {
  {GT_FUNCTION_MAX, GT_MAX, 0, cub_max, our_max},
  {GT_FUNCTION_MAX_INDEX, GT_MAX, 1, cub_arg_max, our_max_index},
  {GT_FUNCTION_ASUM, GT_ASUM, 0, cublas_asum, our_asum},
  {GT_FUNCTION_IAMAX, GT_AMAX, 1, cublas_iamax, our_iamax},
};
#define N_SUBJECTS (sizeof subjects / sizeof *subjects)

/* ------------------------------------------------------------- Measuring */

/* What is right for the N elements at FROM, which lie in the buffer.  */
static double
right_result (const struct gt_bench_gpu *bench, const struct subject *subject,
              const char *from, uint64_t n)
{
  uint64_t offset = (uint64_t) (from - bench->buffer) / bench->data.size;
  union gt_value value;

  if (subject->reduction == GT_ASUM) /* the elements are positive */
    return gt_data_sum (&bench->data, offset, n, 1).f64[0];
  value = gt_data_extreme (&bench->data, subject->reduction, offset, n, 1);
  return subject->index ? (double) value.where.index[0] : value.f64[0];
}

static int
verify (struct gt_run *run, const struct subject *subject, call *function,
        const char *who, uint64_t n)
{
  struct gt_windows w = gt_gpu_windows (run->bench, n, 1);
  double right = right_result (run->bench, subject, w.from, n), result;

  if (function (run, w.from, n, &result))
    return -1;
  if (isnan (result) ? function == subject->peer : result == right)
    return 0;
  return gt_run_wrong (who, subject->function, n, result, right);
}

/* Seconds of one call, of COUNT after each other; NaN for what is left out.  */
static int
time_calls (struct gt_run *run, call *function, uint64_t n, unsigned count,
            double *seconds)
{
  struct gt_windows w = gt_gpu_windows (run->bench, n, count);
  double begin = gt_now (), result;

  for (unsigned k = 0; k < count; k++)
    if (function (run, w.from + k % w.windows * w.step, n, &result))
      return -1;
  *seconds = isnan (result) ? NAN : (gt_now () - begin) / count;
  return 0;
}

/* Seconds of one launch, of COUNT back to back.  */
static int
time_launches (struct gt_bench_gpu *bench, enum gt_reduction reduction,
               uint64_t n, unsigned count, double *seconds)
{
  struct gt_windows w = gt_gpu_windows (bench, n, count);
  struct gt_task task
    = gt_task_of (reduction, GT_F64, GT_MODE_FAST, w.from, n, 1);

  return gt_gpu_time_launches (bench, &task, w, count, seconds);
}

enum
{
  PEER,
  OURS,
  LAUNCH,
  SUM,
  N_TIMES
};

/* One round of everything; COUNT calls or launches each.  */
static int
time_round (struct gt_run *run, const struct subject *subject, uint64_t n,
            const unsigned count[2], double seconds[N_TIMES])
{
  return time_calls (run, subject->peer, n, count[0], &seconds[PEER])
         || time_calls (run, subject->ours, n, count[0], &seconds[OURS])
         || time_launches (run->bench, subject->reduction, n, count[1],
                           &seconds[LAUNCH])
         || time_launches (run->bench, GT_SUM, n, count[1], &seconds[SUM])
           ? -1 : 0;
}

static void
fill_row (struct gt_run *run, const struct subject *subject, uint64_t n,
          const double median[N_TIMES], struct gt_row *row)
{
  double bytes = (double) n * sizeof (double);
  struct gt_task task
    = gt_task_of (subject->reduction, GT_F64, GT_MODE_FAST, NULL, n, 1);

  gt_run_fill (run, &task, subject->function, median[PEER], median[OURS], row);
  row->value[RATE] = bytes / median[LAUNCH];
  row->value[SUM_RATE] = bytes / median[SUM];
  row->value[OF_SUM] = median[SUM] / median[LAUNCH];
}

static int
make_row (struct gt_run *run, const struct subject *subject, unsigned rounds,
          uint64_t n, struct gt_row *row)
{
  double seconds[N_TIMES][GT_BENCH_ROUNDS], once[N_TIMES], median[N_TIMES];
  unsigned count[2] = {2, 2};

  if (verify (run, subject, subject->peer, "the peer", n)
      || verify (run, subject, subject->ours, "gsltune", n)
      || time_round (run, subject, n, count, once)
      || time_round (run, subject, n, count, once))
    return -1;
  count[0] = gt_gpu_batch (run->bench, n,
                           once[PEER] > once[OURS] ? once[PEER] : once[OURS]);
  count[1] = gt_gpu_batch (run->bench, n, once[LAUNCH]);
  for (unsigned r = 0; r < rounds; r++)
    {
      if (time_round (run, subject, n, count, once))
        return -1;
      for (int t = 0; t < N_TIMES; t++)
        seconds[t][r] = once[t];
    }
  for (int t = 0; t < N_TIMES; t++)
    median[t] = gt_median (seconds[t], rounds, NULL);
  fill_row (run, subject, n, median, row);
  return 0;
}

static int
make_rows (struct gt_run *run, const struct gt_bench_options *options,
           struct gt_sheet *sheet)
{
  const struct gt_bench_gpu *bench = run->bench;

  for (unsigned s = 0; s < N_SUBJECTS; s++)
    for (unsigned k = FIRST_EXPONENT;
         k <= options->max_exponent && bench->data.size << k <= bench->bytes;
         k += STEP)
      if (make_row (run, &subjects[s], options->rounds, (uint64_t) 1 << k,
                    &sheet->rows[sheet->n_rows++]))
        return -1;
  return 0;
}

static void
note_cublas (const char *why, struct gt_sheet *sheet)
{
  size_t used = strlen (sheet->note);

  snprintf (sheet->note + used, sizeof sheet->note - used,
            "%scuBLAS is left out: %s.", used ? " " : "", why);
}

int
gt_bench_extremes_gpu (struct gt_bench *all, struct gt_sheet *sheet)
{
  struct gt_bench_gpu *bench = &all->gpu;
  struct gt_run run;
  const char *why;
  int status;

  if (gt_gpu_load (bench, GT_F64))
    return -1;
  run = gt_run_open (bench, &why);
  gt_gpu_note_cub (bench, sheet);
  if (run.cublas == NULL)
    note_cublas (why, sheet);
  status = make_rows (&run, &all->options, sheet);
  gt_run_close (&run);
  return status;
}
