/* Whether the library is slower than GSL anywhere: many lengths and strides, in
   each mode.

   Called and timed as in bench_host.c, and with the route and the plan that a
   program gets.  GSL and the three modes take turns, so that all four meet the
   same disturbances; the median of the rounds counts, three of them where a sum
   takes long.  On a shared or virtual machine a length now and then looks slow
   that is not: one that falls short is timed once more, in more and longer
   rounds, and this second timing counts, whatever it says.

   A call of a few nanoseconds can be a fifth slower than GSL's and nobody would
   know; a ratio alone would speak of nothing else.  So a time is allowed: GSL's
   over 0.95, or GSL's and 3 ns, whichever is more.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/timing.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/plan/choose.h"
#include "tuning/measure/clock.h"
#include "tuning/search/space.h"
#include "tuning/search/sweep.h"
#include "tuning/text/cli.h"

#define RATIO 0.95
#define SLACK 3e-9
#define DENSE 100 /* every length up to this one */
#define FIRST_EXPONENT 7

/* What lasts so long leaves nothing in a cache for the next timing.  */
#define LONG 10e-3

static const size_t strides[] = {1, 2, 3, 17};
#define N_STRIDES (sizeof strides / sizeof strides[0])

/* ---------------------------------------------------------------- Form */

enum
{
  N,
  STRIDE,
  GSL_SECONDS,
  SECONDS,
  GAIN,
  DIFFERENCE,
  OF_ALLOWED
};

#define FORM(mode)                                                          \
  .name = "never-slower " mode,                                             \
  .title = "gsltune_vector_sum beside gsl_vector_sum, double, " mode        \
           " mode, n from 1 to 100 and around powers of two; a stride's"    \
           " row is the length that takes most of the time allowed, which"  \
           " is GSL's over 0.95 or 3 ns more than GSL's; short: lengths"    \
           " that take more, timed twice",                                  \
  .remark = "gsltune's configuration",                                      \
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},                              \
              [STRIDE] = {"stride", "stride", GT_UNIT_COUNT},               \
              [GSL_SECONDS] = {"GSL", "gsl_seconds", GT_UNIT_SECONDS},      \
              [SECONDS] = {"gsltune", "gsltune_seconds", GT_UNIT_SECONDS},  \
              [GAIN] = {"gsltune/GSL", "gsltune_ratio", GT_UNIT_GAIN},      \
              [DIFFERENCE] = {"difference", "difference_seconds",           \
                              GT_UNIT_SECONDS},                             \
              [OF_ALLOWED] = {"of allowed", "share_of_allowed",             \
                              GT_UNIT_SHARE}},                              \
  .second = STRIDE,                                                         \
  .summary = {OF_ALLOWED, 1}

/* The order of the sheets.  Only fast mode computes what GSL computes, and is held
   to its time.  */
static const enum gt_mode order[GT_N_MODES]
  = {GT_MODE_FAST, GT_MODE_COMPENSATED, GT_MODE_EXACT};
const struct gt_form gt_never_slower_forms[GT_N_MODES] = {
  {
    FORM ("fast"),
    .bars = {{"the time allowed: at least 0.95 of GSL's speed, or within 3 ns",
              OF_ALLOWED, 1, 1, UINT64_MAX, 0, GT_ANY}}
  },
  {FORM ("compensated")},
  {FORM ("exact")}
};

/* -------------------------------------------------------------- Timing */

/* GSL, then each mode.  */
#define GSL GT_N_MODES
#define N_CONTENDERS (GT_N_MODES + 1)

struct contender
{
  const char *name;
  gt_sum_function *sum;
  enum gt_mode mode;
  unsigned threads; /* the plan's */
  unsigned calls;   /* in a timing */
  double seconds;   /* of one call: first as it came, then the median */
};

struct effort
{
  double sample; /* seconds a timing lasts at least */
  double budget; /* seconds for one length */
  unsigned least; /* rounds, however long they last */
  unsigned times; /* at most so many times --rounds */
};
static const struct effort first_effort = {0.1e-3, 0.03, 3, 1};
static const struct effort second_effort = {0.25e-3, 0.1, 5, 2};

struct bench
{
  const struct gt_data *data;
  unsigned rounds;
  int awake; /* the sum before had several threads */
  struct gt_sheet *sheet[GT_N_MODES];
};

static const struct gt_plan *
find_plan (enum gt_mode mode, const gsl_vector *v)
{
  return gt_plan_find (gt_host_plans (),
                       &(struct gt_problem) {GT_F64, mode,
                                             gt_layout_of (v->stride),
                                             v->size});
}

static void
line_up (const gsl_vector *v, struct contender contender[N_CONTENDERS])
{
  for (int m = 0; m < GT_N_MODES; m++)
    contender[m] = (struct contender) {
      "gsltune_vector_sum", gsltune_vector_sum, (enum gt_mode) m,
      find_plan ((enum gt_mode) m, v)->config.threads, 1, 0
    };
  contender[GSL] = (struct contender) {"gsl_vector_sum", gsl_vector_sum,
                                       GT_MODE_FAST, 1, 1, 0};
}

/* Threads that are still awake cost a sum of one thread its core, not another
   sum of the same threads.  */
static void
prepare (struct bench *bench, const struct contender *contender)
{
  if (bench->awake && contender->threads == 1)
    gt_settle ();
  bench->awake = contender->threads > 1;
  gt_set_mode (contender->mode);
}

static double
time_calls (struct bench *bench, const struct contender *contender,
            const gsl_vector *v, unsigned calls)
{
  prepare (bench, contender);
  return gt_time_calls (contender->sum, v, calls);
}

static void
choose_calls (struct bench *bench, struct contender *contender,
              const gsl_vector *v, double sample)
{
  double seconds = contender->calls * contender->seconds;

  while (seconds < sample && contender->calls < 1u << 24)
    {
      contender->calls *= 2;
      seconds = time_calls (bench, contender, v, contender->calls);
    }
  contender->seconds = seconds / contender->calls;
}

static unsigned
choose_rounds (const struct bench *bench, const struct effort *effort,
               double seconds_a_round)
{
  double rounds = effort->budget / seconds_a_round;
  unsigned most = effort->times * bench->rounds;

  if (rounds < effort->least)
    rounds = effort->least;
  if (most > GT_BENCH_ROUNDS)
    most = GT_BENCH_ROUNDS;
  return rounds < most ? (unsigned) rounds : most;
}

/* The contenders in WHICH, a set of 1 << contender, in turn.  */
static void
time_all (struct bench *bench, struct contender contender[N_CONTENDERS],
          unsigned which, const gsl_vector *v, const struct effort *effort)
{
  static double seconds[N_CONTENDERS][GT_BENCH_ROUNDS];
  double a_round = 0;
  unsigned rounds;

  for (int c = 0; c < N_CONTENDERS; c++)
    if (which & 1u << c)
      {
        choose_calls (bench, &contender[c], v, effort->sample);
        a_round += contender[c].calls * contender[c].seconds;
      }
  rounds = choose_rounds (bench, effort, a_round);
  for (unsigned r = 0; r < rounds; r++)
    for (int c = 0; c < N_CONTENDERS; c++)
      {
        unsigned calls = contender[c].calls;

        if ((which & 1u << c) == 0)
          continue;
        if (calls * contender[c].seconds < LONG)
          time_calls (bench, &contender[c], v, calls / 8 + 1);
        seconds[c][r] = time_calls (bench, &contender[c], v, calls) / calls;
      }
  for (int c = 0; c < N_CONTENDERS; c++)
    if (which & 1u << c)
      contender[c].seconds = gt_median (seconds[c], rounds, NULL);
}

/* --------------------------------------------------------------- Table */

/* One call each, which is also the first look at how long it takes.  */
static int
verify (struct bench *bench, struct contender contender[N_CONTENDERS],
        const gsl_vector *v)
{
  double right = gt_data_sum (bench->data, 0, v->size, v->stride).f64[0];

  for (int c = 0; c < N_CONTENDERS; c++)
    {
      double begin, sum;

      prepare (bench, &contender[c]);
      begin = gt_now ();
      sum = contender[c].sum (v);
      contender[c].seconds = gt_now () - begin;
      if (sum == right)
        continue;
      gt_error ("bench: wrong result of %s, %s mode, n = %zu, stride %zu:"
                " %.17g instead of %.17g", contender[c].name,
                gt_mode_names[contender[c].mode], v->size, v->stride, sum,
                right);
      return -1;
    }
  return 0;
}

static double
allowed (double gsl)
{
  return fmax (gsl / RATIO, gsl + SLACK);
}

static void
add_row (struct bench *bench, const struct contender *ours, double gsl,
         const gsl_vector *v)
{
  struct gt_sheet *sheet = bench->sheet[ours->mode];
  struct gt_row *row = &sheet->rows[sheet->n_rows++];
  const struct gt_plan *plan = find_plan (ours->mode, v);
  struct gt_task task
    = gt_task_of (GT_F64, ours->mode, v->data, v->size, v->stride);
  struct gt_choice choice;

  row->value[N] = (double) v->size;
  row->value[STRIDE] = (double) v->stride;
  row->value[GSL_SECONDS] = gsl;
  row->value[SECONDS] = ours->seconds;
  row->value[GAIN] = gsl / ours->seconds;
  row->value[DIFFERENCE] = ours->seconds - gsl;
  row->value[OF_ALLOWED] = ours->seconds / allowed (gsl);
  gt_set_mode (ours->mode);
  if (v->size <= (GT_SHORT_F64 & gt_fast_mask)
      || v->size <= gt_exact_length)
    snprintf (row->remark, sizeof row->remark, "short, without a plan");
  else if (gt_choose_host (&task, &choice))
    gt_route_text (&choice.route, row->remark, sizeof row->remark);
  else
    gt_config_text (plan->kernel, &plan->config, row->remark,
                    sizeof row->remark);
}

static int
measure (struct bench *bench, const gsl_vector *v)
{
  struct contender contender[N_CONTENDERS];
  double gsl;

  line_up (v, contender);
  if (verify (bench, contender, v))
    return -1;
  time_all (bench, contender, (1u << N_CONTENDERS) - 1, v, &first_effort);
  gsl = contender[GSL].seconds;
  for (int m = 0; m < GT_N_MODES; m++)
    {
      contender[GSL].seconds = gsl;
      if (contender[m].seconds > allowed (gsl))
        time_all (bench, contender, 1u << m | 1u << GSL, v, &second_effort);
      add_row (bench, &contender[m], contender[GSL].seconds, v);
    }
  return 0;
}

/* The lengths in their order.  */
static size_t
length (unsigned i)
{
  if (i < DENSE)
    return i + 1;
  i -= DENSE;
  return ((size_t) 1 << (FIRST_EXPONENT + i / 3)) + i % 3 - 1;
}

/* Measures with each stride what fits in BUFFER; says in LAST, for people, where
   each ends.  */
static int
measure_all (struct bench *bench, const gsl_vector *buffer, char *last,
             size_t size)
{
  gsl_vector v = {0, 1, buffer->data, NULL, 0};
  size_t used = 0;

  for (unsigned s = 0; s < N_STRIDES; s++)
    {
      v.stride = strides[s];
      for (unsigned i = 0; (length (i) - 1) * v.stride < buffer->size; i++)
        {
          v.size = length (i);
          if (measure (bench, &v))
            return -1;
        }
      used += (size_t) snprintf (last + used, size - used,
                                 "%sn = %zu with stride %zu", s ? ", " : "",
                                 v.size, v.stride);
    }
  return 0;
}

int
gt_bench_never_slower (const struct gt_bench_options *options,
                       struct gt_sheet sheet[GT_N_MODES])
{
  enum gt_mode mode = (enum gt_mode) gt_mode_now;
  unsigned k = options->longest_exponent;
  gsl_vector *buffer = gt_bench_vector (&k);
  struct gt_data data = {0};
  struct bench bench = {&data, options->rounds, 0, {NULL}};
  char last[256] = "";
  int status = -1;

  for (int m = 0; m < GT_N_MODES; m++)
    bench.sheet[order[m]] = &sheet[m];
  if (buffer == NULL || gt_bench_data (&data, GT_F64))
    gt_error ("bench: no memory for test data");
  else
    {
      gt_data_fill (&data, buffer->data, buffer->size * sizeof (double));
      status = measure_all (&bench, buffer, last, sizeof last);
      gt_set_mode (mode);
    }
  for (int m = 0; m < GT_N_MODES; m++)
    snprintf (sheet[m].note, sizeof sheet[m].note,
              "All vectors lie in one buffer of 2^%u + 1 elements%s; the"
              " longest that fit: %s.", k,
              k < options->longest_exponent ? ", for want of memory" : "",
              last);
  gsl_vector_free (buffer);
  gt_data_clear (&data);
  return status;
}
