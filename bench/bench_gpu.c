/* Device-resident data: CUB beside the library.

   Data is read cold, but for one column.  A buffer several times the L2 cache is
   cut into windows of one sum each; every sum, of either contender, reads the
   next window, round and round, so what it reads was last touched a whole buffer
   ago.  Contenders take turns, and the median of the rounds counts.

   The table "device" times batches of sums that are enqueued back to back on
   a non-blocking stream, between two events: for either contender what a
   program gets that keeps the GPU supplied, the gaps between its kernels
   included.  Both batches have the same number of sums.  The table "latency"
   times one sum after the other on the host's clock, from the call to the
   value; there one contender sums one window again and again, which then lies
   in the L2 cache, as far as it fits: what a program gets that sums what it has
   just computed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/public/device_memory.h"
#include "tuning/measure/clock.h"
#include "tuning/search/space.h"
#include "tuning/search/sweep.h"
#include "tuning/text/cli.h"

#define CACHES 4             /* the buffer holds so many times the L2 cache */
#define LONGEST 2            /* and so many of the longest vectors */
#define MEMORY_SHARE 2       /* but of the free memory one part in so many */
#define WINDOW_ALIGNMENT 256 /* as of what cudaMalloc gives */
#define FIRST_EXPONENT 10
#define LATENCY_EXPONENT 24  /* the last of the table "latency" */
#define BATCH 2e-3           /* seconds a timing lasts, about */
#define MOST_SUMS 400u       /* in a timing */
#define FEWEST_SUMS 4u

/* Each reports STATUS, of the driver or of CUDA's runtime; 0 or -1.  */
static int
check (const char *what, int status)
{
  if (status)
    gt_error ("bench: %s: %s", what, gt_cuda_error (status));
  return status ? -1 : 0;
}

static int
check_cub (int status)
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
  size_t cold = CACHES * gt_cuda_device_of (bench->gpu)->gpu.l2;
  size_t bytes = LONGEST * sizeof (double) << options->max_exponent;
  size_t free_bytes = 0, total_bytes;

  if (gt_cuda_memory (bench->gpu, &free_bytes, &total_bytes))
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

  *bench = (struct gt_bench_gpu) {.gpu = gt_cuda_chosen (why)};
  if (bench->gpu == NULL)
    return -1;
  bench->bytes = buffer_bytes (bench, options);
  status = gt_cuda_plans_of (bench->gpu) == NULL
             ? -1 : gt_cuda_slot_acquire (bench->gpu, &bench->slot);
  if (status == 0)
    status = gt_cuda_alloc (bench->gpu, bench->bytes,
                            (void **) &bench->buffer);
  if (status)
    {
      *why = status < 0 ? "memory is short" : gt_cuda_error (status);
      gt_bench_gpu_close (bench);
      return -1;
    }
  bench->cub = gt_cub_open (gt_cuda_device_of (bench->gpu)->gpu.ordinal,
                            (uint64_t) 1 << options->max_exponent,
                            &bench->no_cub);
  return 0;
}

void
gt_bench_gpu_close (struct gt_bench_gpu *bench)
{
  gt_cub_close (bench->cub);
  if (bench->buffer)
    gt_cuda_free (bench->gpu, bench->buffer);
  if (bench->slot)
    gt_cuda_slot_release (bench->gpu, bench->slot);
  gt_data_clear (&bench->data);
  *bench = (struct gt_bench_gpu) {0};
}

/* One period goes over the bus; the rest is copied on the device, by
   doubling.  */
static int
load (struct gt_bench_gpu *bench, enum gt_arithmetic arithmetic)
{
  size_t done;
  int status;

  gt_data_clear (&bench->data);
  if (gt_bench_data (&bench->data, arithmetic))
    {
      gt_error ("bench: no memory for test data");
      return -1;
    }
  done = bench->data.period * bench->data.size;
  done = done < bench->bytes ? done : bench->bytes;
  status = gt_cuda_to_device (bench->gpu, bench->buffer, bench->data.pattern,
                              done);
  while (done < bench->bytes && status == 0)
    {
      size_t more = bench->bytes - done < done ? bench->bytes - done : done;

      status = gt_cuda_copy (bench->gpu, bench->buffer + done, bench->buffer,
                             more);
      done += more;
    }
  return check ("loading test data", status);
}

/* Where COUNT sums read, window after window, from FROM on.  */
struct windows
{
  const char *from;
  unsigned windows; /* then again from FROM */
  size_t step;      /* bytes from one to the next */
};

static size_t
step_of (const struct gt_bench_gpu *bench, uint64_t n)
{
  return (n * bench->data.size + WINDOW_ALIGNMENT - 1) / WINDOW_ALIGNMENT
         * WINDOW_ALIGNMENT;
}

/* COUNT is a multiple of the windows in the buffer when it is larger.  */
static struct windows
next_windows (struct gt_bench_gpu *bench, uint64_t n, unsigned count)
{
  size_t step = step_of (bench, n), fit = bench->bytes / step;
  struct windows w = {NULL, count < fit ? count : (unsigned) fit, step};

  if (bench->at + w.windows * step > bench->bytes)
    bench->at = 0;
  w.from = bench->buffer + bench->at;
  bench->at += w.windows * step;
  return w;
}

/* How many sums make a batch, when one takes SECONDS.  */
static unsigned
sums_a_batch (const struct gt_bench_gpu *bench, uint64_t n, double seconds)
{
  size_t fit = bench->bytes / step_of (bench, n);
  unsigned count = seconds * MOST_SUMS < BATCH ? MOST_SUMS
                                               : (unsigned) (BATCH / seconds);

  count = count < FEWEST_SUMS ? FEWEST_SUMS : count;
  return count > fit ? count / (unsigned) fit * (unsigned) fit : count;
}

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

static void
note_cub (const struct gt_bench_gpu *bench, struct gt_sheet *sheet)
{
  size_t used = strlen (sheet->note);

  if (bench->cub == NULL)
    snprintf (sheet->note + used, sizeof sheet->note - used,
              "CUB is left out: %s.", bench->no_cub);
}

/* Whether SUM is that of the N elements at FROM; a message when it is not. */
static int
verify (const struct gt_bench_gpu *bench, const char *who, const char *from,
        uint64_t n, double sum)
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

/* The device table's rows and the latency table's are made alike.  */
typedef int make_row (struct gt_bench_gpu *bench, unsigned rounds, uint64_t n,
                      struct gt_row *row);

static int
make_rows (struct gt_bench_gpu *bench, const struct gt_bench_options *options,
           enum gt_arithmetic arithmetic, unsigned last, make_row *make,
           struct gt_sheet *sheet)
{
  if (load (bench, arithmetic))
    return -1;
  last = last_exponent (bench, last, sheet);
  note_cub (bench, sheet);
  for (unsigned k = FIRST_EXPONENT; k <= last; k++)
    if (make (bench, options->rounds, (uint64_t) 1 << k,
              &sheet->rows[sheet->n_rows++]))
      return -1;
  return 0;
}

/* -------------------------------------------------------------- Device */

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
              256 * MI, 0, GT_ANY},                                          \
             {"at least 1.00 of CUB's speed from 2^20 to 2^28", 5, 1, MI,    \
              256 * MI, 0, GT_ANY}},                                         \
  }
const struct gt_form gt_device_forms[2]
  = {DEVICE_FORM ("double"), DEVICE_FORM ("float")};

static struct gt_cuda_problem
planned (const struct gt_bench_gpu *bench, uint64_t n)
{
  const struct gt_plan *plan
    = gt_plan_find (gt_cuda_plans_of (bench->gpu),
                    &(struct gt_problem) {bench->data.arithmetic,
                                          GT_MODE_FAST, GT_CONTIGUOUS, n});

  return (struct gt_cuda_problem) {plan->kernel, plan->config,
                                   bench->data.arithmetic, GT_MODE_FAST,
                                   bench->buffer, n, 1};
}

static struct gt_cub_problem
same_for_cub (const struct gt_cuda_problem *problem)
{
  return (struct gt_cub_problem) {problem->arithmetic == GT_F32,
                                  problem->data, problem->n};
}

/* Seconds of one sum, from a batch of COUNT, by ours or by CUB.  */
static int
time_ours (struct gt_bench_gpu *bench, struct gt_cuda_problem problem,
           unsigned count, double *seconds)
{
  struct windows w = next_windows (bench, problem.n, count);

  problem.data = w.from;
  if (check ("timing", gt_cuda_time (bench->gpu, bench->slot, &problem, count,
                                     w.windows, w.step, seconds)))
    return -1;
  *seconds /= count;
  return 0;
}

static int
time_cub (struct gt_bench_gpu *bench, const struct gt_cuda_problem *problem,
          unsigned count, double *seconds)
{
  struct windows w = next_windows (bench, problem->n, count);
  struct gt_cub_problem p = same_for_cub (problem);

  *seconds = NAN;
  if (bench->cub == NULL)
    return 0;
  p.data = w.from;
  if (check_cub (gt_cub_time (bench->cub, &p, count, w.windows, w.step,
                              seconds)))
    return -1;
  *seconds /= count;
  return 0;
}

/* Both answers at the place where the next timing begins.  */
static int
verify_both (struct gt_bench_gpu *bench, struct gt_cuda_problem problem)
{
  struct windows w = next_windows (bench, problem.n, 1);
  struct gt_cub_problem p = same_for_cub (&problem);
  union gt_value sum;
  double value;

  problem.data = p.data = w.from;
  if (check ("summing", gt_cuda_poison (bench->gpu, bench->slot))
      || check ("summing", gt_cuda_launch (bench->gpu, bench->slot, &problem))
      || check ("summing", gt_cuda_result (bench->gpu, bench->slot,
                                           problem.arithmetic, &sum)))
    return -1;
  value = p.is_float ? (double) sum.f32[0] : sum.f64[0];
  if (verify (bench, "gsltune", w.from, problem.n, value))
    return -1;
  if (bench->cub == NULL)
    return 0;
  if (check_cub (gt_cub_sum (bench->cub, &p, &value)))
    return -1;
  return verify (bench, "CUB", w.from, problem.n, value);
}

/* A short batch of each warms up and tells how long the others shall be.  */
static int
choose_count (struct gt_bench_gpu *bench,
              const struct gt_cuda_problem *problem, unsigned *count)
{
  double ours, cub;

  *count = sums_a_batch (bench, problem->n, BATCH / FEWEST_SUMS);
  if (time_ours (bench, *problem, *count, &ours)
      || time_cub (bench, problem, *count, &cub))
    return -1;
  *count = sums_a_batch (bench, problem->n, cub > ours ? cub : ours);
  return 0;
}

static int
device_row (struct gt_bench_gpu *bench, unsigned rounds, uint64_t n,
            struct gt_row *row)
{
  double cub[GT_BENCH_ROUNDS], ours[GT_BENCH_ROUNDS];
  double bytes = (double) (n * bench->data.size);
  struct gt_cuda_problem problem = planned (bench, n);
  unsigned count;

  if (verify_both (bench, problem)
      || choose_count (bench, &problem, &count))
    return -1;
  for (unsigned r = 0; r < rounds; r++)
    if (time_cub (bench, &problem, count, &cub[r])
        || time_ours (bench, problem, count, &ours[r]))
      return -1;
  row->value[0] = (double) n;
  row->value[1] = gt_median (cub, rounds, NULL);
  row->value[3] = gt_median (ours, rounds, NULL);
  row->value[2] = bytes / row->value[1];
  row->value[4] = bytes / row->value[3];
  row->value[5] = row->value[1] / row->value[3];
  gt_config_text (problem.kernel, &problem.config, row->remark,
                  sizeof row->remark);
  return 0;
}

int
gt_bench_device (struct gt_bench_gpu *bench,
                 const struct gt_bench_options *options,
                 enum gt_arithmetic arithmetic, struct gt_sheet *sheet)
{
  return make_rows (bench, options, arithmetic, options->max_exponent,
                    device_row, sheet);
}

/* ------------------------------------------------------------- Latency */

const struct gt_form gt_latency_form = {
  .name = "latency",
  .title = "double on the GPU, fast mode, from the call to the value on the"
           " host; device vector: gsltune_device_vector_sum; same data: of one"
           " vector again and again; the others of cold data; address:"
           " gsltune_device_sum",
  .columns = {{"n", "n", GT_UNIT_COUNT},
              {"CUB + copy", "cub_seconds", GT_UNIT_SECONDS},
              {"device vector", "device_vector_seconds", GT_UNIT_SECONDS},
              {"same data", "same_data_seconds", GT_UNIT_SECONDS},
              {"address", "address_seconds", GT_UNIT_SECONDS},
              {"device vector/CUB", "device_vector_share", GT_UNIT_SHARE},
              {"address/CUB", "address_share", GT_UNIT_SHARE}},
  .bars = {{"device vector at most 0.6 of CUB + copy from 2^10 to 2^18", 5,
            0.6, KI, 256 * KI, 0, GT_ANY},
           {"address at most 0.6 of CUB + copy from 2^10 to 2^18", 6, 0.6, KI,
            256 * KI, 0, GT_ANY},
           {"device vector, same data again: at most 6.5 us from 2^10 to 2^14",
            3, 6.5e-6, KI, 16 * KI, 0, GT_ANY}},
};

/* One call, from its beginning to the value.  */
typedef int call (struct gt_bench_gpu *bench, const char *data, uint64_t n,
                  double *sum);

static int
call_cub (struct gt_bench_gpu *bench, const char *data, uint64_t n,
          double *sum)
{
  struct gt_cub_problem p = {0, data, n};

  *sum = NAN;
  return bench->cub ? check_cub (gt_cub_sum (bench->cub, &p, sum)) : 0;
}

/* The public function on a device vector whose elements are the window's:
   thousands of windows need no vectors of their own.  */
static int
call_device_vector (struct gt_bench_gpu *bench, const char *data, uint64_t n,
                    double *sum)
{
  struct gt_device_memory memory = {(void *) data, n, bench->gpu};

  *sum = gsltune_device_vector_sum ((gsltune_device_vector *) &memory);
  if (isnan (*sum))
    gt_error ("bench: gsltune_device_vector_sum: the GPU has failed");
  return isnan (*sum) ? -1 : 0;
}

/* In the stream that CUB has, else the default one.  */
static int
call_address (struct gt_bench_gpu *bench, const char *data, uint64_t n,
              double *sum)
{
  void *stream = bench->cub ? gt_cub_stream (bench->cub) : NULL;
  int status = gsltune_device_sum ((const double *) data, n, 1, stream, sum);

  if (status)
    gt_error ("bench: gsltune_device_sum: %s", gsl_strerror (status));
  return status ? -1 : 0;
}

struct caller
{
  const char *name;
  call *function;
  int same_data;
};

/* In the order of the columns.  */
static const struct caller callers[] = {
  {"CUB", call_cub, 0},
  {"gsltune_device_vector_sum", call_device_vector, 0},
  {"gsltune_device_vector_sum", call_device_vector, 1},
  {"gsltune_device_sum", call_address, 0},
};
#define N_CALLS (sizeof callers / sizeof callers[0])

static int
time_calls (struct gt_bench_gpu *bench, const struct caller *caller,
            uint64_t n, unsigned count, double *seconds)
{
  struct windows w = next_windows (bench, n, caller->same_data ? 1 : count);
  double begin, sum;

  if (caller->same_data && caller->function (bench, w.from, n, &sum))
    return -1;
  begin = gt_now ();
  for (unsigned k = 0; k < count; k++)
    if (caller->function (bench, w.from + k % w.windows * w.step, n, &sum))
      return -1;
  *seconds = isnan (sum) ? NAN : (gt_now () - begin) / count;
  return 0;
}

/* Each call's answer, and from its second one how long a batch shall be.  */
static int
verify_calls (struct gt_bench_gpu *bench, uint64_t n, unsigned *count)
{
  double longest = 0;

  for (unsigned c = 0; c < N_CALLS; c++)
    {
      struct windows w = next_windows (bench, n, 1);
      double sum, seconds;

      if (callers[c].function (bench, w.from, n, &sum)
          || (!isnan (sum)
              && verify (bench, callers[c].name, w.from, n, sum))
          || time_calls (bench, &callers[c], n, 1, &seconds))
        return -1;
      longest = seconds > longest ? seconds : longest;
    }
  *count = sums_a_batch (bench, n, longest);
  return 0;
}

static int
latency_row (struct gt_bench_gpu *bench, unsigned rounds, uint64_t n,
             struct gt_row *row)
{
  double seconds[N_CALLS][GT_BENCH_ROUNDS];
  unsigned count;

  if (verify_calls (bench, n, &count))
    return -1;
  for (unsigned r = 0; r < rounds; r++)
    for (unsigned c = 0; c < N_CALLS; c++)
      if (time_calls (bench, &callers[c], n, count, &seconds[c][r]))
        return -1;
  row->value[0] = (double) n;
  for (unsigned c = 0; c < N_CALLS; c++)
    row->value[1 + c] = gt_median (seconds[c], rounds, NULL);
  row->value[5] = row->value[2] / row->value[1];
  row->value[6] = row->value[4] / row->value[1];
  return 0;
}

int
gt_bench_latency (struct gt_bench_gpu *bench,
                  const struct gt_bench_options *options,
                  struct gt_sheet *sheet)
{
  unsigned last = options->max_exponent < LATENCY_EXPONENT
                    ? options->max_exponent : LATENCY_EXPONENT;

  return make_rows (bench, options, GT_F64, last, latency_row, sheet);
}
