/* Dot products, norms and variances of device-resident data: cuBLAS and Thrust beside the
   library, fast beside exact mode.

   A call is timed from its beginning to the value on the host, one after the other, of
   cold data, as in the table "latency"; bandwidth is that of launches back to back, as
   in the table "device", beside the library's own sum of as many bytes.  Contenders take
   turns, and the median of the rounds counts.  The numbers use their digits: the time
   of an exact sum depends on them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/gpu_peers.h"
#include "kernels/cpu/sums/combine.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/data.h"
#include "tuning/text/cli.h"

#define FIRST_EXPONENT 10
#define STEP 2
#define KI ((uint64_t) 1 << 10)
#define MI ((uint64_t) 1 << 20)
/* Dot products cancel: of N of them, each less than 1, this times N is allowed.  */
#define TOLERANCE 1e-12

/* ------------------------------------------------------------------ Form */

enum
{
  PEER_RATE = GT_PEERS_COLUMNS,
  RATE,
  OF_SUM,
  EXACT_SECONDS,
  EXACT_RATE,
  OF_FAST
};

#define LONG_BAR(text, column, bound, id) \
  {text " at 2^28", column, bound, 256 * MI, 256 * MI, 0, GT_FUNCTION_##id}

const struct gt_form gt_products_gpu_form = {
  .name = "products-gpu",
  .title = "double on the GPU, cold data: from the call to the value on the host, of"
           " device vectors, fast mode beside cuBLAS (dot, nrm2) and Thrust (variance,"
           " two passes), and exact mode; bandwidth of the peer's calls and of launches"
           " back to back, beside gsltune's sum of as many bytes, and exact beside fast"
           " mode",
  .remark = "gsltune's configuration",
  .second = GT_PEERS_FUNCTION,
  .columns = {GT_PEERS_FORM,
              [PEER_RATE] = {"the peer's", "peer_bytes_per_second",
                             GT_UNIT_BANDWIDTH},
              [RATE] = {"bandwidth", "bytes_per_second", GT_UNIT_BANDWIDTH},
              [OF_SUM] = {"of the sum's", "share_of_sum", GT_UNIT_GAIN},
              [EXACT_SECONDS] = {"exact", "exact_seconds", GT_UNIT_SECONDS},
              [EXACT_RATE] = {"bandwidth", "exact_bytes_per_second",
                              GT_UNIT_BANDWIDTH},
              [OF_FAST] = {"of fast", "share_of_fast", GT_UNIT_GAIN}},
  .bars = {{"at most 0.4 of the peer's call from 2^10 to 2^18", GT_PEERS_SHARE,
            0.4, KI,
            256 * KI, 0, GT_ANY},
           LONG_BAR ("at least 0.96 of the sum's bandwidth", OF_SUM, 0.96, DOT),
           LONG_BAR ("at least 0.96 of the sum's bandwidth", OF_SUM, 0.96, NRM2),
           LONG_BAR ("at least 0.9 of the sum's bandwidth", OF_SUM, 0.9,
                     VARIANCE),
           LONG_BAR ("exact at least 0.7 of fast", OF_FAST, 0.7, DOT),
           LONG_BAR ("exact at least 0.7 of fast", OF_FAST, 0.7, NRM2),
           LONG_BAR ("exact at least 0.5 of fast", OF_FAST, 0.5, VARIANCE)},
};

/* ------------------------------------------------------------ Contenders */

/* One call for the N elements at X, and at Y where there are two vectors.  0, or -1
   after a message; NaN where the contender is left out.  */
typedef int call (struct gt_run *run, const char *x, const char *y, uint64_t n,
                  double *result);

static int
cublas_dot (struct gt_run *run, const char *x, const char *y, uint64_t n,
            double *result)
{
  *result = NAN;
  return run->cublas
           ? gt_check_cublas (gt_cublas_ddot (run->cublas, x, y, n, result)) : 0;
}

static int
cublas_nrm2 (struct gt_run *run, const char *x, const char *y, uint64_t n,
             double *result)
{
  (void) y;
  *result = NAN;
  return run->cublas
           ? gt_check_cublas (gt_cublas_dnrm2 (run->cublas, x, n, result)) : 0;
}

static int
thrust_variance (struct gt_run *run, const char *x, const char *y, uint64_t n,
                 double *result)
{
  struct gt_cub *cub = run->bench->cub;

  (void) y;
  *result = NAN;
  return cub ? gt_gpu_check_cub (gt_thrust_variance (cub, x, n, result)) : 0;
}

static int
our_dot (struct gt_run *run, const char *x, const char *y, uint64_t n,
         double *result)
{
  struct gsltune_device_memory a = gt_run_memory (run, x, n);
  struct gsltune_device_memory b = gt_run_memory (run, y, n);

  return gsltune_device_vector_dot ((gsltune_device_vector *) &a,
                                    (gsltune_device_vector *) &b, result)
           ? -1 : 0;
}

static int
our_nrm2 (struct gt_run *run, const char *x, const char *y, uint64_t n,
          double *result)
{
  struct gsltune_device_memory memory = gt_run_memory (run, x, n);

  (void) y;
  *result = gsltune_device_vector_nrm2 ((gsltune_device_vector *) &memory);
  return 0;
}

static int
our_variance (struct gt_run *run, const char *x, const char *y, uint64_t n,
              double *result)
{
  struct gsltune_device_memory memory = gt_run_memory (run, x, n);

  (void) y;
  *result = gsltune_device_vector_variance ((gsltune_device_vector *) &memory);
  return 0;
}

static const struct subject
{
  enum gt_function function;
  enum gt_reduction reduction;
  call *peer, *ours;
} subjects[] = {
  {GT_FUNCTION_DOT, GT_DOT, cublas_dot, our_dot},
  {GT_FUNCTION_NRM2, GT_SUMSQ, cublas_nrm2, our_nrm2},
  {GT_FUNCTION_VARIANCE, GT_MOMENTS, thrust_variance, our_variance},
};
#define N_SUBJECTS (sizeof subjects / sizeof *subjects)

/* The elements that SUBJECT reads for N of each vector.  */
static uint64_t
elements_of (const struct subject *subject, uint64_t n)
{
  return n * gt_reductions[subject->reduction].inputs;
}

/* SUBJECT's task on the window at FROM: a second vector follows the first.  */
static struct gt_task
task_at (const struct subject *subject, enum gt_mode mode, const char *from,
         uint64_t n)
{
  const struct gt_operand x = {from, 1}, y = {from + n * sizeof (double), 1};

  return gt_reductions[subject->reduction].inputs == 2
           ? gt_task_of_pair (subject->reduction, GT_F64, mode, x, y, n)
           : gt_task_of (subject->reduction, GT_F64, mode, from, n, 1);
}

/* ------------------------------------------------------------- Measuring */

/* What is right for the N elements at FROM, which lie in the buffer; nearly: it is
   computed from sums that are rounded.  */
static double
right_result (const struct gt_bench_gpu *bench, const struct subject *subject,
              const char *from, uint64_t n)
{
  struct gt_task task = task_at (subject, GT_MODE_EXACT, from, n);
  union gt_value value = gt_data_sums (&bench->data, bench->buffer, &task);
  long double first = gt_value_sum (&task.problem, &value, 0);

  if (subject->reduction == GT_DOT)
    return (double) first;
  if (subject->reduction == GT_SUMSQ)
    return sqrt ((double) first);
  return (double) ((gt_value_sum (&task.problem, &value, 1)
                    - first * first / (long double) n)
                   / (long double) (n - 1));
}

static int
verify (struct gt_run *run, const struct subject *subject, call *function,
        const char *who, uint64_t n)
{
  struct gt_windows w
    = gt_gpu_windows (run->bench, elements_of (subject, n), 1);
  double right = right_result (run->bench, subject, w.from, n), result;

  if (function (run, w.from, w.from + n * sizeof (double), n, &result))
    return -1;
  if (isnan (result) ? function == subject->peer
                     : fabs (result - right) <= TOLERANCE * (double) n)
    return 0;
  return gt_run_wrong (who, subject->function, n, result, right);
}

/* Seconds of one call, of COUNT after each other; NaN for what is left out.  */
static int
time_calls (struct gt_run *run, const struct subject *subject, call *function,
            enum gt_mode mode, uint64_t n, unsigned count, double *seconds)
{
  struct gt_windows w
    = gt_gpu_windows (run->bench, elements_of (subject, n), count);
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
  EXACT,
  LAUNCH,
  EXACT_LAUNCH,
  SUM,
  N_TIMES
};

/* One round of everything; COUNT calls or launches each.  */
static int
time_round (struct gt_run *run, const struct subject *subject, uint64_t n,
            const unsigned count[2], double seconds[N_TIMES])
{
  const uint64_t elements = elements_of (subject, n);
  struct gt_windows w = gt_gpu_windows (run->bench, elements, count[1]);
  const struct gt_task tasks[] = {
    task_at (subject, GT_MODE_FAST, w.from, n),
    task_at (subject, GT_MODE_EXACT, w.from, n),
    gt_task_of (GT_SUM, GT_F64, GT_MODE_FAST, w.from, elements, 1)
  };

  for (int t = 0; t < N_TIMES; t++)
    if (t < LAUNCH
          ? time_calls (run, subject, t == PEER ? subject->peer : subject->ours,
                        t == EXACT ? GT_MODE_EXACT : GT_MODE_FAST, n, count[0],
                        &seconds[t])
          : gt_gpu_time_launches (run->bench, &tasks[t - LAUNCH], w,
                                  count[1], &seconds[t]))
      return -1;
  return 0;
}

static void
fill_row (struct gt_run *run, const struct subject *subject, uint64_t n,
          const double median[N_TIMES], struct gt_row *row)
{
  double bytes = (double) (elements_of (subject, n) * sizeof (double));
  struct gt_task task = task_at (subject, GT_MODE_FAST, NULL, n);

  gt_run_fill (run, &task, subject->function, median[PEER], median[OURS], row);
  row->value[PEER_RATE] = bytes / median[PEER];
  row->value[RATE] = bytes / median[LAUNCH];
  row->value[OF_SUM] = median[SUM] / median[LAUNCH];
  row->value[EXACT_SECONDS] = median[EXACT];
  row->value[EXACT_RATE] = bytes / median[EXACT_LAUNCH];
  row->value[OF_FAST] = median[LAUNCH] / median[EXACT_LAUNCH];
}

static int
verify_all (struct gt_run *run, const struct subject *subject, uint64_t n)
{
  gt_set_mode (GT_MODE_FAST);
  if (verify (run, subject, subject->peer, "the peer", n)
      || verify (run, subject, subject->ours, "gsltune", n))
    return -1;
  gt_set_mode (GT_MODE_EXACT);
  return verify (run, subject, subject->ours, "gsltune, exact", n);
}

static int
make_row (struct gt_run *run, const struct subject *subject, unsigned rounds,
          uint64_t n, struct gt_row *row)
{
  const uint64_t elements = elements_of (subject, n);
  double seconds[N_TIMES][GT_BENCH_ROUNDS], once[N_TIMES], median[N_TIMES];
  unsigned count[2] = {2, 2};

  if (verify_all (run, subject, n) || time_round (run, subject, n, count, once)
      || time_round (run, subject, n, count, once))
    return -1;
  count[0] = gt_gpu_batch (run->bench, elements, fmax (once[PEER], once[EXACT]));
  count[1] = gt_gpu_batch (run->bench, elements, once[LAUNCH]);
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
  for (unsigned s = 0; s < N_SUBJECTS; s++)
    for (unsigned k = FIRST_EXPONENT; k <= options->max_exponent; k += STEP)
      {
        const uint64_t n = (uint64_t) 1 << k;

        if (elements_of (&subjects[s], n) * sizeof (double) > run->bench->bytes)
          break;
        if (make_row (run, &subjects[s], options->rounds, n,
                      &sheet->rows[sheet->n_rows++]))
          return -1;
      }
  return 0;
}

static void
note_peers (const struct gt_run *run, const char *why, struct gt_sheet *sheet)
{
  if (run->cublas == NULL)
    snprintf (sheet->note, sizeof sheet->note, "cuBLAS%s left out: %s.",
              run->bench->cub ? " is" : " and Thrust are", why);
}

static int
load (struct gt_bench_gpu *bench)
{
  gt_data_clear (&bench->data);
  if (gt_data_init (&bench->data, GT_F64, GT_DATA_FULL) == 0)
    return gt_gpu_fill (bench);
  gt_error ("bench: no memory for test data");
  return -1;
}

int
gt_bench_products_gpu (struct gt_bench *all, struct gt_sheet *sheet)
{
  struct gt_bench_gpu *bench = &all->gpu;
  const enum gt_mode mode = (enum gt_mode) gt_mode_now;
  struct gt_run run;
  const char *why;
  int status;

  if (load (bench))
    return -1;
  run = gt_run_open (bench, &why);
  note_peers (&run, why, sheet);
  status = make_rows (&run, &all->options, sheet);
  gt_run_close (&run);
  gt_set_mode (mode);
  return status;
}
