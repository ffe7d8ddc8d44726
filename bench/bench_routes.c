/* Host data by the library's routes: the CPU alone, what the library chooses,
   one GPU alone, and what a program does that has no library, copying the
   elements to the GPU with cuMemcpy.

   Each sum is a whole one, from the choice of the route to the value, of one
   buffer that is read again and again, once as it came from gsl_vector_alloc and
   once pinned.  Contenders take turns, and the median of the rounds counts: fewer
   rounds where a sum takes long.  A route that two contenders share is timed
   once, so a ratio between them is 1.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/timing.h"
#include "kernels/cpu/sums/combine.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/device/backend.h"
#include "src/route/reduce.h"
#include "src/route/share.h"
#include "tuning/measure/clock.h"
#include "tuning/search/sweep.h"
#include "tuning/text/cli.h"

#define FIRST_EXPONENT 20
#define STEP 2              /* log2 of the factor between two lengths */
#define SAMPLE 1e-3         /* seconds a timing lasts at least */
#define BUDGET 3.0          /* seconds for the rounds of one row */
#define FEWEST_ROUNDS 3u    /* however long they last */
#define LONG 10e-3          /* needs no other call before it that warms up */
#define PIECE ((size_t) 1 << 30) /* bytes that one cuMemcpy copies */

/* ---------------------------------------------------------------- Form */

enum
{
  N,
  PLACE,
  CPU_SECONDS, /* and the other contenders', in their order */
  LIBRARY_SECONDS,
  GPU_SECONDS,
  COPY_SECONDS,
  LIBRARY_GAIN,
  GPU_GAIN
};

#define FORM(mode)                                                          \
  .name = "routes " mode,                                                   \
  .title = "sums of double on the host, " mode " mode, in pageable (host)"  \
           " and in pinned memory; gsltune: by the route that it chooses;"  \
           " GPU: with GSLTUNE_DEVICE=cuda; cuMemcpy: the elements copied," \
           " not summed",                                                   \
  .remark = "gsltune's route",                                              \
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},                              \
              [PLACE] = {"place", "place", GT_UNIT_PLACE},                  \
              [CPU_SECONDS] = {"CPU", "cpu_seconds", GT_UNIT_SECONDS},      \
              [LIBRARY_SECONDS] = {"gsltune", "gsltune_seconds",            \
                                   GT_UNIT_SECONDS},                        \
              [GPU_SECONDS] = {"GPU", "gpu_seconds", GT_UNIT_SECONDS},      \
              [COPY_SECONDS] = {"cuMemcpy", "copy_seconds",                 \
                                GT_UNIT_SECONDS},                           \
              [LIBRARY_GAIN] = {"gsltune/CPU", "gsltune_ratio",             \
                                GT_UNIT_GAIN},                              \
              [GPU_GAIN] = {"GPU/cuMemcpy", "gpu_ratio", GT_UNIT_GAIN}},    \
  .second = PLACE

#define LONGEST ((uint64_t) 1 << 29)

/* The order of the sheets.  */
static const enum gt_mode order[GT_BENCH_ROUTES] = {GT_MODE_FAST, GT_MODE_EXACT};
const struct gt_form gt_routes_forms[GT_BENCH_ROUTES] = {
  {
    FORM ("fast"),
    .bars = {{"pinned, at least 1.2 times the CPU's speed at 2^29",
              LIBRARY_GAIN, 1.2, LONGEST, LONGEST, 0, GT_PLACE_PINNED},
             {"host, at least the CPU's speed at 2^29", LIBRARY_GAIN, 1,
              LONGEST, LONGEST, 0, GT_PLACE_HOST},
             {"host, GPU at least 5 times cuMemcpy's speed at 2^29", GPU_GAIN,
              5, LONGEST, LONGEST, 0, GT_PLACE_HOST}}
  },
  {FORM ("exact")}
};

/* ---------------------------------------------------------- Contenders */

struct bench
{
  struct gt_bench_gpu *gpu;
  struct gt_data data;
  enum gt_mode mode;
  enum gt_place place;
  unsigned rounds;
  const double *x;
  uint64_t n;
  union gt_value right;
};

static struct gt_task
task_of (const struct bench *bench)
{
  return gt_task_of (GT_SUM, GT_F64, bench->mode, bench->x, bench->n, 1);
}

/* How GSLTUNE_DEVICE=DEVICE makes the library sum; way GT_WAY_CPU: by the CPU. */
static struct gt_choice
choose (const struct bench *bench, enum gt_device_choice device)
{
  enum gt_device_choice environment = gt_env.device;
  struct gt_choice choice = {.gpu = -1};
  struct gt_task task = task_of (bench);
  int chosen;

  gt_env.device = device;
  chosen = gt_choose_host (&task, &choice);
  gt_env.device = environment;
  return chosen ? choice : (struct gt_choice) {.gpu = -1};
}

/* One sum, finished; 0, or -1 when there is none.  */
typedef int call (const struct bench *bench, enum gt_device_choice device,
                  union gt_value *sum);

static int
sum_on_cpu (const struct bench *bench, enum gt_device_choice device,
            union gt_value *sum)
{
  struct gt_task task = task_of (bench);

  (void) device;
  gt_reduce_cpu (&task, sum);
  return 0;
}

/* A GPU that fails is no sum here, though the CPU would give it.  */
static int
sum_on_route (const struct bench *bench, enum gt_device_choice device,
              union gt_value *sum)
{
  struct gt_choice choice = choose (bench, device);
  struct gt_task task = task_of (bench);
  uint64_t failed = gt_share_failed_pieces ();

  return gt_reduce_routed (&choice, &task, sum)
             || gt_share_failed_pieces () != failed
           ? -1 : 0;
}

/* Into device memory that is used again: the GPU may be smaller than the
   host.  There is no sum to be wrong.  */
static int
copy (const struct bench *bench, enum gt_device_choice device,
      union gt_value *sum)
{
  size_t bytes = bench->n * sizeof (double);
  size_t piece = bench->gpu->bytes < PIECE ? bench->gpu->bytes : PIECE;
  int status = 0;

  (void) device;
  for (size_t at = 0; at < bytes && status == 0; at += piece)
    status = gt_gpus->copy (bench->gpu->gpu, GT_TO_DEVICE, bench->gpu->buffer,
                            (const char *) bench->x + at,
                            bytes - at < piece ? bytes - at : piece);
  *sum = bench->right;
  return status ? -1 : 0;
}

/* In the order of their columns.  */
enum
{
  CPU,
  LIBRARY,
  GPU,
  COPY,
  N_CONTENDERS
};

struct contender
{
  const char *name;
  call *call;                   /* null: not there */
  enum gt_device_choice device; /* for CALL */
  struct gt_choice choice;
  unsigned calls;               /* in a timing */
  double seconds;               /* of one call */
};

static void
line_up (const struct bench *bench, struct contender contender[N_CONTENDERS])
{
  struct contender list[N_CONTENDERS]
    = {[CPU] = {"the CPU", sum_on_cpu, GT_CHOOSE_CPU, {.gpu = -1}, 1, NAN},
       [LIBRARY] = {"gsltune", sum_on_route, gt_env.device, {.gpu = -1}, 1,
                    NAN},
       [GPU] = {"the GPU", sum_on_route, GT_CHOOSE_CUDA, {.gpu = -1}, 1, NAN},
       [COPY] = {"cuMemcpy", bench->place == GT_PLACE_HOST ? copy : NULL,
                 GT_CHOOSE_CUDA, {.gpu = -1}, 1, NAN}};

  list[LIBRARY].choice = choose (bench, gt_env.device);
  list[GPU].choice = choose (bench, GT_CHOOSE_CUDA);
  memcpy (contender, list, sizeof list);
}

static int
same_route (const struct contender *a, const struct contender *b)
{
  return memcmp (&a->choice.route, &b->choice.route, sizeof a->choice.route)
           == 0
         && a->choice.n_gpus == b->choice.n_gpus;
}

/* Which contender is timed in C's place: the first that sums on its route.  */
static int
stand_in (const struct contender contender[N_CONTENDERS], int c)
{
  int first = 0;

  while (c < COPY && first < c
         && !same_route (&contender[first], &contender[c]))
    first++;
  return c < COPY ? first : c;
}

static int
is_timed (const struct contender contender[N_CONTENDERS], int c)
{
  return contender[c].call && stand_in (contender, c) == c;
}

/* -------------------------------------------------------------- Timing */

/* Checks the last sum.  */
static int
time_calls (const struct bench *bench, const struct contender *contender,
            unsigned calls, double *seconds)
{
  double begin = gt_now ();
  union gt_value sum;
  int failed = 0;

  for (unsigned k = 0; k < calls && !failed; k++)
    failed = contender->call (bench, contender->device, &sum);
  *seconds = gt_now () - begin;
  if (!failed
      && (bench->mode == GT_MODE_EXACT
            ? gt_value_identical (GT_F64, &sum, &bench->right)
            : gt_value_equal (GT_F64, &sum, &bench->right)))
    return 0;
  gt_error ("bench: %s of %s, %s mode, %s memory, n = %llu",
            failed ? "no result" : "wrong result", contender->name,
            gt_mode_names[bench->mode], gt_place_names[bench->place],
            (unsigned long long) bench->n);
  return -1;
}

/* How many calls last about a sample; the first of all is not counted.  */
static int
choose_calls (const struct bench *bench, struct contender *contender)
{
  double seconds;

  gt_settle ();
  if (time_calls (bench, contender, 1, &seconds)
      || time_calls (bench, contender, 1, &seconds))
    return -1;
  while (seconds < SAMPLE && contender->calls < 1u << 24)
    {
      contender->calls *= 2;
      if (time_calls (bench, contender, contender->calls, &seconds))
        return -1;
    }
  contender->seconds = seconds / contender->calls;
  return 0;
}

static unsigned
choose_rounds (const struct bench *bench, double seconds_a_round)
{
  double rounds = BUDGET / seconds_a_round;

  if (rounds < FEWEST_ROUNDS)
    rounds = FEWEST_ROUNDS;
  return rounds < bench->rounds ? (unsigned) rounds : bench->rounds;
}

static int
time_round (const struct bench *bench,
            const struct contender contender[N_CONTENDERS],
            double seconds[N_CONTENDERS][GT_BENCH_ROUNDS], unsigned r)
{
  for (int c = 0; c < N_CONTENDERS; c++)
    {
      unsigned calls = contender[c].calls;

      if (!is_timed (contender, c))
        continue;
      gt_settle ();
      /* Wakes its threads and brings its data back into the cache.  */
      if ((calls * contender[c].seconds < LONG
           && time_calls (bench, &contender[c], calls / 8 + 1,
                          &seconds[c][r]))
          || time_calls (bench, &contender[c], calls, &seconds[c][r]))
        return -1;
      seconds[c][r] /= calls;
    }
  return 0;
}

/* The median time of one call, for each contender; NaN where there is none. */
static int
time_all (const struct bench *bench, struct contender contender[N_CONTENDERS])
{
  static double seconds[N_CONTENDERS][GT_BENCH_ROUNDS];
  double a_round = 0;
  unsigned rounds;

  for (int c = 0; c < N_CONTENDERS; c++)
    if (is_timed (contender, c))
      {
        if (choose_calls (bench, &contender[c]))
          return -1;
        a_round += contender[c].calls * contender[c].seconds;
      }
  rounds = choose_rounds (bench, a_round);
  for (unsigned r = 0; r < rounds; r++)
    if (time_round (bench, contender, seconds, r))
      return -1;
  for (int c = 0; c < N_CONTENDERS; c++)
    contender[c].seconds
      = is_timed (contender, c)
          ? gt_median (seconds[c], rounds, NULL)
          : contender[stand_in (contender, c)].seconds;
  return 0;
}

/* --------------------------------------------------------------- Table */

static int
measure (struct bench *bench, struct gt_row *row)
{
  struct contender contender[N_CONTENDERS];

  bench->right = gt_data_sum (&bench->data, 0, bench->n, 1);
  line_up (bench, contender);
  if (time_all (bench, contender))
    return -1;
  row->value[N] = (double) bench->n;
  row->value[PLACE] = bench->place;
  for (int c = 0; c < N_CONTENDERS; c++)
    row->value[CPU_SECONDS + c] = contender[c].seconds;
  row->value[LIBRARY_GAIN]
    = row->value[CPU_SECONDS] / row->value[LIBRARY_SECONDS];
  row->value[GPU_GAIN] = row->value[COPY_SECONDS] / row->value[GPU_SECONDS];
  gt_route_text (&contender[LIBRARY].choice.route, row->remark,
                 sizeof row->remark);
  return 0;
}

/* Every second power of two up to 2^LAST, and this.  */
static int
measure_lengths (struct bench *bench, unsigned last, struct gt_sheet *sheet)
{
  for (unsigned k = FIRST_EXPONENT; k < last; k += STEP)
    {
      bench->n = (uint64_t) 1 << k;
      if (measure (bench, &sheet->rows[sheet->n_rows++]))
        return -1;
    }
  bench->n = (uint64_t) 1 << last;
  return measure (bench, &sheet->rows[sheet->n_rows++]);
}

static int
measure_places (struct bench *bench, unsigned last, struct gt_sheet *sheet)
{
  struct gt_open_gpu *gpu = bench->gpu->gpu;
  size_t used = strlen (sheet->note);
  int status;

  bench->place = GT_PLACE_HOST;
  if (measure_lengths (bench, last, sheet))
    return -1;
  bench->place = GT_PLACE_PINNED;
  status = gt_gpus->pin (gpu, bench->x, sizeof (double) << last);
  if (status)
    {
      snprintf (sheet->note + used, sizeof sheet->note - used,
                "Pinned memory is left out: %s.", gt_gpus->error (status));
      return 0;
    }
  status = measure_lengths (bench, last, sheet);
  gt_gpus->unpin (gpu, bench->x);
  return status;
}

/* In BUFFER, which has room for 2^LAST elements.  */
static int
make_sheet (struct bench *bench, gsl_vector *buffer, unsigned last,
            struct gt_sheet *sheet)
{
  int status = -1;

  const struct gt_problem sum = {.reduction = GT_SUM, .arithmetic = GT_F64,
                                 .mode = bench->mode};

  if (gt_data_init (&bench->data, GT_F64, gt_data_kind_for (&sum)))
    gt_error ("bench: no memory for test data");
  else
    {
      gt_data_fill (&bench->data, buffer->data,
                    buffer->size * sizeof (double));
      status = measure_places (bench, last, sheet);
    }
  gt_data_clear (&bench->data);
  return status;
}

int
gt_bench_routes (struct gt_bench *all, struct gt_sheet *sheet)
{
  const struct gt_bench_options *options = &all->options;
  unsigned k = options->longest_exponent;
  gsl_vector *buffer = gt_bench_vector (&k);
  int status = 0;

  if (buffer == NULL)
    {
      gt_error ("bench: no memory for test data");
      return -1;
    }
  for (int i = 0; i < GT_BENCH_ROUTES && status == 0; i++)
    {
      struct bench bench = {.gpu = &all->gpu, .mode = order[i],
                            .rounds = options->rounds, .x = buffer->data};

      if (k < options->longest_exponent)
        snprintf (sheet[i].note, sizeof sheet[i].note,
                  "2^%u and longer are left out: too little memory. ", k + 1);
      status = make_sheet (&bench, buffer, k, &sheet[i]);
    }
  gsl_vector_free (buffer);
  return status;
}
