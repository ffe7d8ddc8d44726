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
#include "bench/contest.h"
#include "bench/timing.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/device/backend.h"
#include "src/route/reduce.h"
#include "src/route/share.h"
#include "tuning/text/cli.h"

#define FIRST_EXPONENT 20
#define STEP 2              /* log2 of the factor between two lengths */
#define SAMPLE 1e-3         /* seconds a timing lasts at least */
#define BUDGET 3.0          /* seconds for the rounds of one row */
#define FEWEST_ROUNDS 3u    /* however long they last */
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
  int failed; /* after a message */
};

/* The vector that is summed at the moment: a contender's function has no room for it.  */
static struct bench *now;

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
  chosen = gt_choose_host (gt_planned_find (gt_host_plans (), &task.problem), &task,
                           &choice);
  gt_env.device = environment;
  return chosen ? choice : (struct gt_choice) {.gpu = -1};
}

/* Looks at what WHO has made of the elements, unless it FAILED.  */
static double
look (const char *who, int failed, const union gt_value *sum)
{
  if (!failed
      && (now->mode == GT_MODE_EXACT
            ? memcmp (sum->f64, now->right.f64, sizeof (double)) == 0
            : sum->f64[0] == now->right.f64[0]))
    return 0;
  if (!now->failed)
    gt_error ("bench: %s of %s, %s mode, %s memory, n = %llu",
              failed ? "no result" : "wrong result", who,
              gt_mode_names[now->mode], gt_place_names[now->place],
              (unsigned long long) now->n);
  now->failed = 1;
  return NAN;
}

static double
sum_on_cpu (const gsl_vector *v)
{
  struct gt_task task = task_of (now);
  union gt_value sum;

  (void) v;
  gt_reduce_cpu (&task, &sum);
  return look ("the CPU", 0, &sum);
}

/* A GPU that fails is no sum here, though the CPU would give it.  */
static double
sum_on_route (const char *who, enum gt_device_choice device)
{
  struct gt_choice choice = choose (now, device);
  struct gt_task task = task_of (now);
  uint64_t failed = gt_share_failed_pieces ();
  union gt_value sum;
  int status = gt_reduce_routed (&choice, &task, &sum);

  return look (who, status || gt_share_failed_pieces () != failed, &sum);
}

static double
sum_as_chosen (const gsl_vector *v)
{
  (void) v;
  return sum_on_route ("gsltune", gt_env.device);
}

static double
sum_on_gpu (const gsl_vector *v)
{
  (void) v;
  return sum_on_route ("the GPU", GT_CHOOSE_CUDA);
}

/* Into device memory that is used again: the GPU may be smaller than the
   host.  There is no sum to be wrong.  */
static double
copy (const gsl_vector *v)
{
  size_t bytes = now->n * sizeof (double);
  size_t piece = now->gpu->bytes < PIECE ? now->gpu->bytes : PIECE;
  int status = 0;

  (void) v;
  for (size_t at = 0; at < bytes && status == 0; at += piece)
    status = gt_gpus->copy (now->gpu->gpu, GT_TO_DEVICE, now->gpu->buffer,
                            (const char *) now->x + at,
                            bytes - at < piece ? bytes - at : piece);
  return look ("cuMemcpy", status, &now->right);
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

static int
same_route (const struct gt_choice *a, const struct gt_choice *b)
{
  return memcmp (&a->route, &b->route, sizeof a->route) == 0
         && a->n_gpus == b->n_gpus;
}

/* Which contender is timed in C's place: the first that sums on its route.  */
static int
stand_in (const struct gt_choice choice[COPY], int c)
{
  int first = 0;

  while (c < COPY && first < c && !same_route (&choice[first], &choice[c]))
    first++;
  return c < COPY ? first : c;
}

/* The median time of one call, for each contender; NaN where there is none.  The first
   call of each is not counted.  Returns 0, or -1 after a message.  */
static int
time_all (struct bench *bench, const struct gt_choice choice[COPY],
          double seconds[N_CONTENDERS])
{
  static double (*const sums[N_CONTENDERS]) (const gsl_vector *)
    = {sum_on_cpu, sum_as_chosen, sum_on_gpu, copy};
  const struct gt_schedule schedule
    = {SAMPLE, BUDGET, FEWEST_ROUNDS, bench->rounds};
  struct gt_contender contender[N_CONTENDERS];
  struct gt_contest contest = {0};
  unsigned which = 0;

  now = bench;
  for (int c = 0; c < N_CONTENDERS; c++)
    {
      contender[c] = (struct gt_contender) {
        .sum = sums[c], .mode = bench->mode, .threads = c < GPU ? 2 : 1,
        .seconds = NAN
      };
      if (stand_in (choice, c) != c
          || (c == COPY && bench->place != GT_PLACE_HOST))
        continue;
      which |= 1u << c;
      gt_contest_call (&contest, &contender[c]);
      gt_contest_call (&contest, &contender[c]);
      if (bench->failed)
        return -1;
    }
  gt_contest_time (&contest, contender, N_CONTENDERS, which, &schedule);
  for (int c = 0; c < N_CONTENDERS; c++)
    seconds[c] = contender[stand_in (choice, c)].seconds;
  return bench->failed ? -1 : 0;
}

/* --------------------------------------------------------------- Table */

static int
measure (struct bench *bench, struct gt_row *row)
{
  const struct gt_choice choice[COPY]
    = {[CPU] = {.gpu = -1}, [LIBRARY] = choose (bench, gt_env.device),
       [GPU] = choose (bench, GT_CHOOSE_CUDA)};

  bench->right = gt_data_sum (&bench->data, 0, bench->n, 1);
  if (time_all (bench, choice, &row->value[CPU_SECONDS]))
    return -1;
  row->value[N] = (double) bench->n;
  row->value[PLACE] = bench->place;
  row->value[LIBRARY_GAIN]
    = row->value[CPU_SECONDS] / row->value[LIBRARY_SECONDS];
  row->value[GPU_GAIN] = row->value[COPY_SECONDS] / row->value[GPU_SECONDS];
  gt_route_text (&choice[LIBRARY].route, row->remark, sizeof row->remark);
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
