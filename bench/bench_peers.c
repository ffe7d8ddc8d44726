/* The tables "extremes-gpu", also of sums of magnitudes, and "products-gpu", of dot
   products, norms and variances: device-resident data, cuBLAS and CUB beside the library;
   variances have no peer.

   A call is timed from its beginning to the value on the host, one after the other, of
   cold data, as in the table "latency"; bandwidth is that of launches back to back, as
   in the table "device", beside the library's own sum of as many bytes.  Contenders take
   turns, and the median of the rounds counts.  The second table's numbers use their
   digits: the time of an exact sum depends on them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/contest.h"
#include "bench/cublas.h"
#include "bench/gpu.h"
#include "kernels/cpu/sums/combine.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "tuning/measure/candidate.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/target.h"
#include "tuning/text/cli.h"

#define FIRST_EXPONENT 10
#define STEP 2
#define KI ((uint64_t) 1 << 10)
#define MI ((uint64_t) 1 << 20)
/* Dot products cancel: of N of them, each less than 1, this times N is allowed.  */
#define TOLERANCE 1e-12

/* ------------------------------------------------------------------ Forms */

enum
{
  N,
  FUNCTION_OF,
  PEER_SECONDS,
  SECONDS,
  SHARE,
  REST /* the two tables differ */
};
enum
{
  RATE = REST,
  SUM_RATE,
  OF_SUM
};
enum
{
  PRODUCTS_PEER_RATE = REST,
  PRODUCTS_RATE,
  PRODUCTS_OF_SUM,
  EXACT_SECONDS,
  OF_FAST
};

#define COLUMNS                                                              \
  [N] = {"n", "n", GT_UNIT_COUNT},                                           \
  [FUNCTION_OF] = {"function", "function", GT_UNIT_FUNCTION},                \
  [PEER_SECONDS] = {"peer", "peer_seconds", GT_UNIT_SECONDS},                \
  [SECONDS] = {"gsltune", "gsltune_seconds", GT_UNIT_SECONDS},               \
  [SHARE] = {"gsltune/peer", "share_of_peer", GT_UNIT_SHARE}
#define SHORT_BAR(bound) \
  {"at most " #bound " of the peer's call from 2^10 to 2^18", SHARE, bound, KI, \
   256 * KI, 0, GT_ANY}
#define LONG_BAR(text, column, bound, function) \
  {text " at 2^28", column, bound, 256 * MI, 256 * MI, 0, function}

const struct gt_form gt_extremes_gpu_form = {
  .name = "extremes-gpu",
  .title = "double on the GPU, fast mode, cold data: from the call to the value on"
           " the host, of device vectors, beside CUB and its copy (max, max_index)"
           " and cuBLAS (asum, iamax); bandwidth of launches back to back, beside"
           " gsltune's sum",
  .remark = "gsltune's configuration",
  .second = FUNCTION_OF,
  .columns = {COLUMNS,
              [RATE] = {"bandwidth", "bytes_per_second", GT_UNIT_BANDWIDTH},
              [SUM_RATE] = {"the sum's", "sum_bytes_per_second",
                            GT_UNIT_BANDWIDTH},
              [OF_SUM] = {"of the sum's", "share_of_sum", GT_UNIT_GAIN}},
  .bars = {SHORT_BAR (0.5),
           LONG_BAR ("at least 0.96 of the sum's bandwidth", OF_SUM, 0.96,
                     GT_ANY)},
};

const struct gt_form gt_products_gpu_form = {
  .name = "products-gpu",
  .title = "double on the GPU, cold data: from the call to the value on the host, of"
           " device vectors, fast mode beside cuBLAS (dot, nrm2), and exact mode beside fast"
           " mode; bandwidth of the peer's calls and"
           " of launches back to back, beside gsltune's sum of as many bytes",
  .remark = "gsltune's configuration",
  .second = FUNCTION_OF,
  .columns = {COLUMNS,
              [PRODUCTS_PEER_RATE] = {"the peer's", "peer_bytes_per_second",
                                      GT_UNIT_BANDWIDTH},
              [PRODUCTS_RATE] = {"bandwidth", "bytes_per_second",
                                 GT_UNIT_BANDWIDTH},
              [PRODUCTS_OF_SUM] = {"of the sum's", "share_of_sum", GT_UNIT_GAIN},
              [EXACT_SECONDS] = {"exact", "exact_seconds", GT_UNIT_SECONDS},
              [OF_FAST] = {"of fast", "share_of_fast", GT_UNIT_GAIN}},
  .bars = {SHORT_BAR (0.4),
           LONG_BAR ("at least 0.96 of the sum's bandwidth", PRODUCTS_OF_SUM,
                     0.96, GT_FUNCTION_DOT),
           LONG_BAR ("at least 0.96 of the sum's bandwidth", PRODUCTS_OF_SUM,
                     0.96, GT_FUNCTION_NRM2),
           LONG_BAR ("at least 0.9 of the sum's bandwidth", PRODUCTS_OF_SUM,
                     0.9, GT_FUNCTION_VARIANCE),
           LONG_BAR ("exact at least 0.7 of fast", OF_FAST, 0.7, GT_FUNCTION_DOT),
           LONG_BAR ("exact at least 0.9 of fast", OF_FAST, 0.9,
                     GT_FUNCTION_NRM2),
           LONG_BAR ("exact at least 0.7 of fast", OF_FAST, 0.7,
                     GT_FUNCTION_VARIANCE)},
};

static int
is_product (enum gt_function what)
{
  return what >= GT_FUNCTION_DOT;
}

/* ------------------------------------------------------------- Contenders */

/* One function's run: our own is a function of device vectors.  */
struct run
{
  struct gt_bench_gpu *bench;
  struct gt_cublas *cublas; /* null: left out */
  enum gt_function what;
  const struct gt_listed *ours;
};

/* One call for the N elements at X, and at Y where there are two vectors.  0, or -1
   after a message; NaN where the contender is left out.  */
typedef int call (const struct run *run, const char *x, const char *y, uint64_t n,
                  double *result);

static int
check_cublas (int status)
{
  if (status)
    gt_error ("bench: cuBLAS fails with status %d", status);
  return status ? -1 : 0;
}

static int
call_cub (const struct run *run, const char *x, uint64_t n, double *result)
{
  struct gt_cub_problem p
    = {0, x, n, run->what == GT_FUNCTION_MAX ? GT_CUB_MAX : GT_CUB_ARG_MAX};
  struct gt_cub *cub = run->bench->cub;

  if (cub == NULL)
    return 0;
  return gt_gpu_check_cub (gt_cub_compute (cub, &p, result));
}

static int
call_peer (const struct run *run, const char *x, const char *y, uint64_t n,
           double *result)
{
  struct gt_cublas *cublas = run->cublas;

  *result = NAN;
  if (run->what == GT_FUNCTION_MAX || run->what == GT_FUNCTION_MAX_INDEX)
    return call_cub (run, x, n, result);
  if (cublas == NULL || run->what == GT_FUNCTION_VARIANCE)
    return 0;
  return check_cublas (
    run->what == GT_FUNCTION_ASUM    ? gt_cublas_dasum (cublas, x, n, result)
    : run->what == GT_FUNCTION_IAMAX ? gt_cublas_idamax (cublas, x, n, result)
    : run->what == GT_FUNCTION_NRM2  ? gt_cublas_dnrm2 (cublas, x, n, result)
                                     : gt_cublas_ddot (cublas, x, y, n, result));
}

/* Thousands of windows need no vectors of their own.  */
static struct gsltune_device_memory
memory_at (const struct run *run, const char *data, uint64_t n)
{
  return (struct gsltune_device_memory) {.data = (void *) data, .n = n,
                                         .stride = 1, .gpu = run->bench->gpu};
}

static int
call_ours (const struct run *run, const char *x, const char *y, uint64_t n,
           double *result)
{
  struct gsltune_device_memory a = memory_at (run, x, n);
  struct gsltune_device_memory b = memory_at (run, y, n);
  const struct gt_operands o = {.n = n, .device = {&a, &b}};
  struct gt_answer answer;

  answer.status = 0;
  run->ours->call (run->ours->ours, &o, &answer);
  *result = gt_bench_answer (run->ours, &answer);
  return answer.status ? -1 : 0;
}

/* All that are timed have one.  */
static const struct gt_listed *
find_ours (enum gt_function what)
{
  const struct gt_listed *f = gt_listed[GT_TYPE_DOUBLE].function;

  while (f->family != GT_OF_DEVICE_VECTOR
         || strcmp (f->name, gt_function_names[what]) != 0)
    f++;
  return f;
}

/* The elements that are read for N of each vector.  */
static uint64_t
elements_of (const struct run *run, uint64_t n)
{
  return n * run->ours->inputs;
}

/* The task on the window at FROM: a second vector follows the first.  */
static struct gt_task
task_at (const struct run *run, enum gt_mode mode, const char *from, uint64_t n)
{
  const struct gt_operand x = {from, 1}, y = {from + n * sizeof (double), 1};

  return run->ours->inputs == 2
           ? gt_task_of_pair (run->ours->reduction, GT_F64, mode, x, y, n)
           : gt_task_of (run->ours->reduction, GT_F64, mode, from, n, 1);
}

/* ------------------------------------------------------------- Measuring */

/* The result that VALUE stands for; of products nearly: it is computed from sums that are
   rounded.  */
static double
result_of (const struct run *run, const struct gt_problem *problem,
           const union gt_value *value)
{
  long double first;

  if (run->what == GT_FUNCTION_ASUM || run->what == GT_FUNCTION_MAX)
    return value->f64[0];
  if (!is_product (run->what))
    return (double) value->where.index[0];
  first = gt_value_sum (problem, value, 0);
  if (run->what == GT_FUNCTION_DOT)
    return (double) first;
  if (run->what == GT_FUNCTION_NRM2)
    return sqrt ((double) first);
  return (double) ((gt_value_sum (problem, value, 1)
                    - first * first / (long double) problem->n)
                   / (long double) (problem->n - 1));
}

/* The right result for the N elements at FROM, which are on the GPU.  Returns 0, or -1
   after a message.  */
static int
right_result (const struct run *run, const char *from, uint64_t n, double *right)
{
  const size_t bytes = elements_of (run, n) * sizeof (double);
  char *const here = calloc (1, bytes);
  const struct gt_task task = task_at (run, GT_MODE_EXACT, here, n);
  int status;
  union gt_value value;

  if (here == NULL)
    return gt_error ("bench: no memory for test data");
  status = gt_gpus->copy (run->bench->gpu, GT_TO_HOST, here, from, bytes);
  if (status == 0)
    {
      value = gt_verify_expected (&task);
      *right = result_of (run, &task.problem, &value);
    }
  free (here);
  return gt_gpu_check ("copying test data", status);
}

static int
verify (const struct run *run, call *function, const char *who, enum gt_mode mode,
        uint64_t n)
{
  struct gt_windows w = gt_gpu_windows (run->bench, elements_of (run, n), 1);
  double right, result;

  gt_set_mode (mode);
  if (right_result (run, w.from, n, &right)
      || function (run, w.from, w.from + n * sizeof (double), n, &result))
    return -1;
  if (isnan (result) ? function == call_peer
                     : fabs (result - right)
                         <= (is_product (run->what) ? TOLERANCE * (double) n : 0))
    return 0;
  gt_error ("bench: wrong result of %s, %s, n = %llu: %.17g instead of %.17g",
            who, gt_function_names[run->what], (unsigned long long) n, result,
            right);
  return -1;
}

/* Seconds of one call, of COUNT after each other; NaN for what is left out.  */
static int
time_calls (const struct run *run, call *function, enum gt_mode mode, uint64_t n,
            unsigned count, double *seconds)
{
  struct gt_windows w = gt_gpu_windows (run->bench, elements_of (run, n), count);
  double begin, result = 0;

  gt_set_mode (mode);
  begin = gt_now ();
  for (unsigned k = 0; k < count; k++)
    {
      const char *x = w.from + k % w.windows * w.step;

      if (function (run, x, x + n * sizeof (double), n, &result))
        return -1;
    }
  *seconds = isnan (result) ? NAN : (gt_now () - begin) / count;
  return 0;
}

enum
{
  PEER,
  OURS,
  EXACT, /* of products */
  LAUNCH,
  SUM,
  N_TIMES
};

/* Seconds of one launch, of COUNT back to back.  */
static int
time_launches (const struct run *run, int t, uint64_t n, unsigned count,
               double *seconds)
{
  const uint64_t elements = elements_of (run, n);
  struct gt_windows w = gt_gpu_windows (run->bench, elements, count);
  struct gt_task task
    = t == SUM ? gt_task_of (GT_SUM, GT_F64, GT_MODE_FAST, w.from, elements, 1)
               : task_at (run, GT_MODE_FAST, w.from, n);

  return gt_gpu_time_launches (run->bench, &task, w, count, seconds);
}

/* One round of everything; COUNT calls or launches each.  */
static int
time_round (const struct run *run, uint64_t n, const unsigned count[2],
            double seconds[N_TIMES])
{
  for (int t = 0; t < N_TIMES; t++)
    if (t == EXACT && !is_product (run->what))
      seconds[t] = NAN;
    else if (t < LAUNCH
               ? time_calls (run, t == PEER ? call_peer : call_ours,
                             t == EXACT ? GT_MODE_EXACT : GT_MODE_FAST, n,
                             count[0], &seconds[t])
               : time_launches (run, t, n, count[1], &seconds[t]))
      return -1;
  return 0;
}

static void
fill_row (const struct run *run, uint64_t n, const double median[N_TIMES],
          struct gt_row *row)
{
  double bytes = (double) (elements_of (run, n) * sizeof (double));
  struct gt_task task = task_at (run, GT_MODE_FAST, NULL, n);
  const struct gt_plan *plan = gt_gpu_plan (run->bench, &task);

  row->value[N] = (double) n;
  row->value[FUNCTION_OF] = run->what;
  row->value[PEER_SECONDS] = median[PEER];
  row->value[SECONDS] = median[OURS];
  row->value[SHARE] = median[OURS] / median[PEER];
  snprintf (row->remark, sizeof row->remark, "%s",
            gt_config_text (plan->kernel, &plan->config));
  if (!is_product (run->what))
    {
      row->value[RATE] = bytes / median[LAUNCH];
      row->value[SUM_RATE] = bytes / median[SUM];
      row->value[OF_SUM] = median[SUM] / median[LAUNCH];
      return;
    }
  row->value[PRODUCTS_PEER_RATE] = bytes / median[PEER];
  row->value[PRODUCTS_RATE] = bytes / median[LAUNCH];
  row->value[PRODUCTS_OF_SUM] = median[SUM] / median[LAUNCH];
  row->value[EXACT_SECONDS] = median[EXACT];
  row->value[OF_FAST] = median[OURS] / median[EXACT];
}

static int
verify_all (const struct run *run, uint64_t n)
{
  return verify (run, call_peer, "the peer", GT_MODE_FAST, n)
         || verify (run, call_ours, "gsltune", GT_MODE_FAST, n)
         || (is_product (run->what)
             && verify (run, call_ours, "gsltune, exact", GT_MODE_EXACT, n));
}

static int
make_row (const struct run *run, unsigned rounds, uint64_t n, struct gt_row *row)
{
  const uint64_t elements = elements_of (run, n);
  double seconds[N_TIMES][GT_BENCH_ROUNDS], once[N_TIMES], median[N_TIMES];
  unsigned count[2] = {2, 2};

  if (verify_all (run, n) || time_round (run, n, count, once)
      || time_round (run, n, count, once))
    return -1;
  count[0] = gt_gpu_batch (run->bench, elements,
                           fmax (once[PEER], fmax (once[OURS], once[EXACT])));
  count[1] = gt_gpu_batch (run->bench, elements, once[LAUNCH]);
  for (unsigned r = 0; r < rounds; r++)
    {
      if (time_round (run, n, count, once))
        return -1;
      for (int t = 0; t < N_TIMES; t++)
        seconds[t][r] = once[t];
    }
  for (int t = 0; t < N_TIMES; t++)
    median[t] = gt_median (seconds[t], rounds, NULL);
  fill_row (run, n, median, row);
  return 0;
}

/* Of the COUNT functions in WHAT.  */
static int
make_rows (struct gt_bench *all, struct gt_cublas *cublas,
           const enum gt_function *what, unsigned count, struct gt_sheet *sheet)
{
  const enum gt_mode mode = gt_mode_now ();
  int status = 0;

  for (unsigned f = 0; f < count && status == 0; f++)
    {
      const struct run run
        = {&all->gpu, cublas, what[f], find_ours (what[f])};

      for (unsigned k = FIRST_EXPONENT;
           k <= all->options.max_exponent && status == 0
           && elements_of (&run, (uint64_t) 1 << k) * sizeof (double)
                <= all->gpu.bytes;
           k += STEP)
        status = make_row (&run, all->options.rounds, (uint64_t) 1 << k,
                           &sheet->rows[sheet->n_rows++]);
    }
  gt_set_mode (mode);
  gt_cublas_close (cublas);
  return status;
}

/* Without CUDA's runtime at work, which CUB tells, cuBLAS is not tried.  WHY: why it is
   left out, static text.  */
static struct gt_cublas *
open_cublas (const struct gt_bench_gpu *bench, const char **why)
{
  *why = "CUDA's runtime does not work";
  return bench->cub ? gt_cublas_open (gt_cub_stream (bench->cub), why) : NULL;
}

int
gt_bench_extremes_gpu (struct gt_bench *all, struct gt_sheet *sheet)
{
  static const enum gt_function what[]
    = {GT_FUNCTION_MAX, GT_FUNCTION_MAX_INDEX, GT_FUNCTION_ASUM,
       GT_FUNCTION_IAMAX};
  struct gt_cublas *cublas;
  const char *why;
  size_t used;

  if (gt_gpu_load (&all->gpu, GT_F64))
    return -1;
  cublas = open_cublas (&all->gpu, &why);
  gt_gpu_note_cub (&all->gpu, sheet);
  used = strlen (sheet->note);
  if (cublas == NULL)
    snprintf (sheet->note + used, sizeof sheet->note - used,
              "%scuBLAS is left out: %s.", used ? " " : "", why);
  return make_rows (all, cublas, what, sizeof what / sizeof *what, sheet);
}

int
gt_bench_products_gpu (struct gt_bench *all, struct gt_sheet *sheet)
{
  static const enum gt_function what[]
    = {GT_FUNCTION_DOT, GT_FUNCTION_NRM2, GT_FUNCTION_VARIANCE};
  struct gt_data *data = &all->gpu.data;
  struct gt_cublas *cublas;
  const char *why;

  gt_data_clear (data);
  if (gt_data_init (data, GT_F64, GT_DATA_FULL))
    {
      gt_error ("bench: no memory for test data");
      return -1;
    }
  if (gt_gpu_fill (&all->gpu))
    return -1;
  cublas = open_cublas (&all->gpu, &why);
  if (cublas == NULL)
    snprintf (sheet->note, sizeof sheet->note, "cuBLAS is left out: %s.", why);
  return make_rows (all, cublas, what, sizeof what / sizeof *what, sheet);
}
