/* The table "statistics-gpu": statistics of device vectors, exact mode beside fast mode.

   A call is timed from its beginning to the value on the host, one after the other, of
   cold data, as in the table "latency"; both modes take turns, and the median of the
   rounds counts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/contest.h"
#include "bench/gpu.h"
#include "src/base/env.h"
#include "tuning/measure/clock.h"
#include "tuning/text/cli.h"

#define MI ((uint64_t) 1 << 20)
/* Fast mode's results are that near to exact ones, of double and of float.  */
static const double tolerance[] = {[GT_F64] = 1e-9, [GT_F32] = 1e-3};

enum
{
  N,
  FUNCTION_OF,
  FAST_SECONDS,
  EXACT_SECONDS,
  OF_FAST
};

#define BAR(bound, function)                                                  \
  {#function ": exact at least " #bound " of fast at 2^28", OF_FAST, bound,   \
   256 * MI, 256 * MI, 0, GT_FUNCTION_##function}
#define STATISTICS_FORM(type)                                                 \
  .name = "statistics-gpu " type,                                             \
  .title = type " on the GPU, cold data, from the call to the value on the"   \
           " host, of device vectors: exact mode beside fast mode",           \
  .second = FUNCTION_OF,                                                      \
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},                                \
              [FUNCTION_OF] = {"function", "function", GT_UNIT_FUNCTION},     \
              [FAST_SECONDS] = {"fast", "fast_seconds", GT_UNIT_SECONDS},     \
              [EXACT_SECONDS] = {"exact", "exact_seconds", GT_UNIT_SECONDS},  \
              [OF_FAST] = {"of fast", "share_of_fast", GT_UNIT_GAIN}}

const struct gt_form gt_statistics_gpu_forms[2] = {
  {
    STATISTICS_FORM ("double"),
    .bars = {BAR (0.97, MEAN), BAR (0.95, ASUM), BAR (0.9, NRM2), BAR (0.7, VARIANCE),
             {"all: exact at least 0.4 of fast at 2^28", OF_FAST, 0.4, 256 * MI, 256 * MI,
              0, GT_ANY}}
  },
  {STATISTICS_FORM ("float")}
};

/* Both vectors of a call lie in the window at DATA.  */
static int
call (const struct gt_bench_gpu *bench, const struct gt_listed *f, const char *data,
      uint64_t n, double *result)
{
  struct gsltune_device_memory v[2]
    = {{.data = (void *) data, .n = n, .stride = 1, .gpu = bench->gpu}};
  const struct gt_operands o
    = {.n = n, .given = {0.1, 0.7}, .device = {&v[0], &v[1]}};
  struct gt_answer answer = {.status = 0};

  v[1] = v[0];
  v[1].data = (char *) v[1].data + n * bench->data.size;
  f->call (f->ours, &o, &answer);
  *result = gt_bench_answer (f, &answer);
  if (answer.status)
    gt_error ("bench: %s of a device vector fails", f->name);
  return answer.status ? -1 : 0;
}

static int
time_calls (struct gt_bench_gpu *bench, const struct gt_listed *f, enum gt_mode mode,
            uint64_t n, unsigned count, double *seconds, double *result)
{
  const struct gt_windows w = gt_gpu_windows (bench, n * f->inputs, count);
  double begin;

  gt_set_mode (mode);
  begin = gt_now ();
  for (unsigned k = 0; k < count; k++)
    if (call (bench, f, w.from + k % w.windows * w.step, n, result))
      return -1;
  *seconds = (gt_now () - begin) / count;
  return 0;
}

/* The first calls warm up, and say how many make a timing; both of the first window.  */
static int
look (struct gt_bench_gpu *bench, const struct gt_listed *f, uint64_t n, unsigned *count)
{
  double result[2], seconds[2];

  for (int repeat = 0; repeat < 2; repeat++)
    for (int m = 0; m < 2; m++)
      {
        bench->at = 0;
        if (time_calls (bench, f, m ? GT_MODE_EXACT : GT_MODE_FAST, n, 1, &seconds[m],
                        &result[m]))
          return -1;
      }
  *count = gt_gpu_batch (bench, n * f->inputs, fmax (seconds[0], seconds[1]));
  if (fabs (result[0] - result[1])
      <= tolerance[bench->data.arithmetic] * fmax (1, fabs (result[1])))
    return 0;
  gt_error ("bench: %s, n = %llu: %.17g in fast mode, %.17g in exact mode", f->name,
            (unsigned long long) n, result[0], result[1]);
  return -1;
}

static int
make_row (struct gt_bench_gpu *bench, const struct gt_listed *f, unsigned rounds,
          uint64_t n, struct gt_row *row)
{
  double seconds[2][GT_BENCH_ROUNDS], result;
  unsigned count;

  if (look (bench, f, n, &count))
    return -1;
  for (unsigned r = 0; r < rounds; r++)
    for (int m = 0; m < 2; m++)
      if (time_calls (bench, f, m ? GT_MODE_EXACT : GT_MODE_FAST, n, count,
                      &seconds[m][r], &result))
        return -1;
  row->value[N] = (double) n;
  row->value[FAST_SECONDS] = gt_median (seconds[0], rounds, NULL);
  row->value[EXACT_SECONDS] = gt_median (seconds[1], rounds, NULL);
  row->value[OF_FAST] = row->value[FAST_SECONDS] / row->value[EXACT_SECONDS];
  return 0;
}

static int
make_rows (struct gt_bench *all, const struct gt_listed *f, int function,
           struct gt_sheet *sheet)
{
  static const unsigned exponents[] = {10, 20, 24, 28};
  struct gt_bench_gpu *bench = &all->gpu;

  for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++)
    {
      const uint64_t n = (uint64_t) 1 << exponents[k];
      struct gt_row *row = &sheet->rows[sheet->n_rows];

      if (exponents[k] > all->options.max_exponent
          || 2 * n * bench->data.size > bench->bytes)
        break;
      if (make_row (bench, f, all->options.rounds, n, row))
        return -1;
      row->value[FUNCTION_OF] = function;
      sheet->n_rows++;
    }
  return 0;
}

int
gt_bench_statistics_gpu (struct gt_bench *all, struct gt_sheet *sheet)
{
  const int is_double = sheet->form == gt_statistics_gpu_forms;
  const struct gt_listed_type *listed
    = &gt_listed[is_double ? GT_TYPE_DOUBLE : GT_TYPE_FLOAT];
  const enum gt_mode mode = gt_mode_now ();
  struct gt_data *data = &all->gpu.data;
  int status;

  gt_data_clear (data);
  if (gt_data_init (data, is_double ? GT_F64 : GT_F32, GT_DATA_FULL))
    {
      gt_error ("bench: no memory for test data");
      return -1;
    }
  status = gt_gpu_fill (&all->gpu);
  for (int function = GT_FUNCTION_ASUM; function < GT_N_FUNCTIONS; function++)
    for (size_t k = 0; k < listed->count && status == 0; k++)
      {
        const struct gt_listed *f = &listed->function[k];

        if (f->family == GT_OF_DEVICE_VECTOR && function != GT_FUNCTION_IAMAX
            && strcmp (f->name, gt_function_names[function]) == 0)
          status = make_rows (all, f, function, sheet);
      }
  gt_set_mode (mode);
  return status;
}
