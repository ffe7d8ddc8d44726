/* How near fast sums come to what the machine reads: a plain loop over vectors of
   its width (plain.c) beside the library, by one thread, for three types; by all
   threads where that is worth waking them.

   Contenders take turns, on vectors where gsl_vector_alloc put them, again and
   again: what fits in a cache is read from the cache.  The best of the rounds
   counts: a limit is not a matter of what else the machine did.  A length that
   falls short is timed once more, in more and longer rounds, and that counts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/ceiling.h"
#include "bench/plain.h"
#include "bench/timing.h"
#include "kernels/cpu/isa/isa.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/device/device.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tuning/measure/candidate.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/listed.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

#define RATIO 0.9
#define SLACK 5e-9
#define GSL_RATIO 15
#define GSL_N 4096
#define FIRST_EXPONENT 6
#define LAST_EXPONENT 24
#define ALL_FROM ((size_t) 1 << 20) /* elements that all threads are tried on */

#define FEWEST_ROUNDS 5
#define LONG 10e-3 /* leaves nothing in a cache for the next timing */

/* ---------------------------------------------------------------- Form */

enum
{
  N,
  GSL_SECONDS, /* and the other contenders', in their order */
  PLAIN_SECONDS,
  SECONDS,
  PLAIN_RATE,
  GAIN,
  DIFFERENCE,
  OF_ALLOWED,
  GSL_GAIN,
  READ_RATE,
  ALL_RATE,
  ALL_GAIN
};

#define FORM(type)                                                           \
  .name = "limit " type,                                                     \
  .title = type " on the CPU, fast mode, contiguous, one thread beside a"    \
           " plain loop of eight vectors of the machine's width; allowed:"   \
           " the loop's time over 0.9 or 5 ns more; all read: what all"      \
           " threads read that only load; planned: gsltune by the threads"   \
           " of its plan",                                                   \
  .remark = "gsltune's configuration",                                       \
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},                               \
              [GSL_SECONDS] = {"GSL", "gsl_seconds", GT_UNIT_SECONDS},       \
              [PLAIN_SECONDS] = {"plain", "plain_seconds", GT_UNIT_SECONDS}, \
              [SECONDS] = {"gsltune", "gsltune_seconds", GT_UNIT_SECONDS},   \
              [PLAIN_RATE] = {"plain reads", "plain_bytes_per_second",       \
                              GT_UNIT_BANDWIDTH},                            \
              [GAIN] = {"gsltune/plain", "ratio", GT_UNIT_GAIN},             \
              [DIFFERENCE] = {"difference", "difference_seconds",            \
                              GT_UNIT_SECONDS},                              \
              [OF_ALLOWED] = {"of allowed", "share_of_allowed",              \
                              GT_UNIT_SHARE},                                \
              [GSL_GAIN] = {"gsltune/GSL", "gsl_ratio", GT_UNIT_GAIN},       \
              [READ_RATE] = {"all read", "read_all_bytes_per_second",        \
                             GT_UNIT_BANDWIDTH},                             \
              [ALL_RATE] = {"gsltune, planned", "planned_bytes_per_second",  \
                            GT_UNIT_BANDWIDTH},                              \
              [ALL_GAIN] = {"planned/all read", "planned_ratio",             \
                            GT_UNIT_GAIN}}

#define ALLOWED_BAR                                                          \
  {"the time allowed: at least 0.9 of the plain loop's speed, or within 5 ns", \
   OF_ALLOWED, 1, 1, UINT64_MAX, GT_ANY}

static const struct subject
{
  enum gt_element_type type;
  enum gt_arithmetic arithmetic;
} order[GT_BENCH_LIMITS]
  = {{GT_TYPE_DOUBLE, GT_F64}, {GT_TYPE_FLOAT, GT_F32}, {GT_TYPE_INT, GT_U32}};
const struct gt_form gt_limit_forms[GT_BENCH_LIMITS] = {
  {
    FORM ("double"),
    .bars = {ALLOWED_BAR,
             {"with AVX2, at least 15 times GSL's speed at n = 4096", GSL_GAIN,
              GSL_RATIO, GSL_N, GSL_N, GT_ANY}},
    .wide_from = 1
  },
  {FORM ("float"), .bars = {ALLOWED_BAR}},
  {FORM ("int"), .bars = {ALLOWED_BAR}}
};

/* ---------------------------------------------------------- Contenders */

enum contender
{
  GSL,
  PLAIN,
  ONE,
  ALL,
  READING, /* by all threads, of the same bytes */
  N_CONTENDERS
};
#define ONE_THREAD (1u << GSL | 1u << PLAIN | 1u << ONE)
#define ALL_THREADS (1u << ALL | 1u << READING)

/* One type's run.  */
struct bench
{
  const struct subject *subject;
  struct gt_data data;
  struct gt_sheet *sheet;
  struct gt_operands operands;
  struct gt_plan *plan;
  unsigned threads; /* of the plan */
  double best[N_CONTENDERS];
};

static unsigned
all_threads (void)
{
  return (unsigned) gt_device_host ()->host.threads;
}

/* Seconds of CALLS calls; VALUE is that of the last one.  */
static double
time_calls (const struct bench *b, enum contender c, unsigned calls, double *value)
{
  const struct gt_listed *const f = gt_listed_for (GT_SUM, b->subject->type);
  void *const function = c == GSL     ? f->gsl
                         : c == PLAIN ? gt_plain_sum (b->subject->arithmetic)
                                      : f->ours;
  struct gt_answer answer;
  const double begin = gt_now ();

  for (unsigned k = 0; k < calls; k++)
    if (c == READING)
      *value = (double) gt_ceiling_read (b->operands.x, b->operands.n * b->data.size,
                                         all_threads ());
    else
      f->call (function, &b->operands, &answer);
  if (c != READING)
    *value = (double) gt_answer_value (f, &answer, 0);
  return gt_now () - begin;
}

/* The same, with one thread in the plan for ONE.  Threads that are still awake would cost the
   next contender its cores.  */
static double
time_side (const struct bench *b, enum contender c, unsigned calls)
{
  double seconds, value;

  b->plan->config.threads = c == ONE ? 1 : b->threads;
  seconds = time_calls (b, c, calls, &value);
  b->plan->config.threads = b->threads;
  if (c >= ALL)
    gt_settle ();
  return seconds;
}

/* Times the contenders in WHICH in turn, each as long as SAMPLE, for about BUDGET seconds and
   ROUNDS rounds at most.  */
static void
time_in_turn (struct bench *b, unsigned which, double sample, double budget, unsigned rounds)
{
  const double end = gt_now () + budget;
  unsigned calls[N_CONTENDERS];

  for (int c = 0; c < N_CONTENDERS; c++)
    for (calls[c] = 1; which & 1u << c && calls[c] < 1u << 24; calls[c] *= 2)
      if (time_side (b, (enum contender) c, calls[c]) >= sample)
        break;
  for (unsigned r = 0; r < rounds && (r < FEWEST_ROUNDS || gt_now () < end); r++)
    for (int c = 0; c < N_CONTENDERS; c++)
      if (which & 1u << c)
        {
          double seconds;

          if (b->best[c] * calls[c] < LONG)
            time_side (b, (enum contender) c, calls[c] / 8 + 1);
          seconds = time_side (b, (enum contender) c, calls[c]) / calls[c];
          b->best[c] = fmin (b->best[c], seconds);
        }
}

static double
right_sum (const struct bench *b)
{
  union gt_value sum = gt_data_sum (&b->data, 0, b->operands.n, 1);

  return b->data.arithmetic == GT_F64   ? sum.f64[0]
         : b->data.arithmetic == GT_F32 ? (double) sum.f32[0]
                                        : (double) (int) sum.u32[0];
}

static int
verify (const struct bench *b)
{
  static const char *const names[] = {"GSL", "the plain loop", "gsltune", "gsltune"};
  const double right = right_sum (b);
  double sum;

  for (int c = GSL; c < READING; c++)
    {
      time_calls (b, (enum contender) c, 1, &sum);
      if (sum == right)
        continue;
      gt_error ("bench: wrong result of %s, %s, n = %zu: %.17g instead of %.17g", names[c],
                gt_types_of (GT_SUM, b->data.arithmetic), b->operands.n, sum, right);
      return -1;
    }
  return 0;
}

/* --------------------------------------------------------------- Table */

static double
allowed (double plain)
{
  return fmax (plain / RATIO, plain + SLACK);
}

static void
fill_row (const struct bench *b, struct gt_row *row)
{
  const size_t n = b->operands.n;
  const double bytes = (double) (n * b->data.size);
  const double plain = b->best[PLAIN], ours = b->best[ONE];
  const int all = n >= ALL_FROM;

  row->value[N] = (double) n;
  row->value[GSL_SECONDS] = b->best[GSL];
  row->value[PLAIN_SECONDS] = plain;
  row->value[SECONDS] = ours;
  row->value[PLAIN_RATE] = bytes / plain;
  row->value[GAIN] = plain / ours;
  row->value[DIFFERENCE] = ours - plain;
  row->value[OF_ALLOWED] = ours / allowed (plain);
  row->value[GSL_GAIN] = b->best[GSL] / ours;
  row->value[READ_RATE] = all ? bytes / b->best[READING] : NAN;
  row->value[ALL_RATE] = all ? bytes / b->best[ALL] : NAN;
  row->value[ALL_GAIN] = all ? b->best[READING] / b->best[ALL] : NAN;
  snprintf (row->remark, sizeof row->remark, "%s",
            gt_config_text (b->plan->kernel, &b->plan->config));
}

static int
limit_row (struct bench *b, void *data, size_t n, unsigned rounds)
{
  const struct gt_problem problem
    = {GT_SUM, b->data.arithmetic, GT_MODE_FAST, GT_CONTIGUOUS, n};

  b->operands = (struct gt_operands) {.x = data, .n = n, .stride = {1, 1}};
  b->plan = &gt_plan_to_change (&problem)->plan;
  b->threads = b->plan->config.threads;
  for (int c = 0; c < N_CONTENDERS; c++)
    b->best[c] = INFINITY;
  if (verify (b))
    return -1;
  time_in_turn (b, ONE_THREAD, 0.1e-3, 0.05, 2 * rounds);
  if (b->best[ONE] > allowed (b->best[PLAIN]))
    time_in_turn (b, 1u << PLAIN | 1u << ONE, 0.25e-3, 0.25, 4 * rounds);
  if (n >= ALL_FROM)
    time_in_turn (b, ALL_THREADS, 0.1e-3, 0.05, 2 * rounds);
  fill_row (b, &b->sheet->rows[b->sheet->n_rows++]);
  return 0;
}

/* Powers of two, and odd lengths halfway between them.  */
static size_t
length (unsigned i)
{
  size_t power = (size_t) 1 << (FIRST_EXPONENT + i / 2);

  return i % 2 ? (size_t) ((double) power * M_SQRT2) | 1 : power;
}

static int
limit_rows (struct bench *b, gsl_vector *buffer, unsigned last, unsigned rounds)
{
  if (gt_data_init (&b->data, b->subject->arithmetic, GT_DATA_WHOLE))
    {
      gt_error ("bench: no memory for test data");
      return -1;
    }
  gt_data_fill (&b->data, buffer->data, buffer->size * sizeof (double));
  for (unsigned i = 0; length (i) <= (size_t) 1 << last; i++)
    if (limit_row (b, buffer->data, length (i), rounds))
      return -1;
  return 0;
}

int
gt_bench_limit (struct gt_bench *all, struct gt_sheet *sheet)
{
  const struct gt_bench_options *options = &all->options;
  const enum gt_device_choice choice = gt_env.device;
  unsigned k = options->max_exponent < LAST_EXPONENT ? options->max_exponent
                                                     : LAST_EXPONENT;
  gsl_vector *buffer = gsl_vector_alloc (((size_t) 1 << k) + 1);
  int status = buffer ? 0 : -1;

  if (buffer == NULL)
    gt_error ("bench: no memory for test data");
  gt_env.device = GT_CHOOSE_CPU;
  gt_set_mode (GT_MODE_FAST);
  for (unsigned i = 0; i < GT_BENCH_LIMITS && status == 0; i++)
    {
      struct bench b = {.subject = &order[i], .sheet = &sheet[i]};

      snprintf (sheet[i].note, sizeof sheet[i].note,
                "The plain loop is compiled for %s.", gt_isa_names[gt_isa ()]);
      status = limit_rows (&b, buffer, k, options->rounds);
      gt_data_clear (&b.data);
    }
  gt_env.device = choice;
  gsl_vector_free (buffer);
  return status;
}
