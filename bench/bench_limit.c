/* How near fast sums come to what the machine reads: a plain loop over vectors of
   its width (plain.c) beside the library, by one thread, for three types; by all
   threads where that is worth waking them.

   Timed as in contest.c, on vectors where gsl_vector_alloc put them, again and
   again: what fits in a cache is read from the cache.  The best of the rounds
   counts: a limit is not a matter of what else the machine did.  A length that
   falls short is timed once more, in more and longer rounds, and that counts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/contest.h"
#include "bench/plain.h"
#include "bench/timing.h"
#include "kernels/cpu/isa/isa.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/device/device.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tuning/measure/candidate.h"
#include "tuning/measure/ceiling.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

#define RATIO 0.9
#define SLACK 5e-9
#define GSL_RATIO 15
#define GSL_N 4096
#define FIRST_EXPONENT 6
#define LAST_EXPONENT 24
#define ALL_FROM ((size_t) 1 << 20) /* elements that all threads are tried on */

/* Less of the ceiling than this is a defect, not a missed bar.  */
#define FAULT_SHARE 0.5
/* By how much the threads of the plan may seem slower than one.  */
#define FAULT_RATIO 1.1

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
   OF_ALLOWED, 1, 1, UINT64_MAX, 0, GT_ANY}

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
              GSL_RATIO, GSL_N, GSL_N, 0, GT_ANY}},
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
  struct gt_schedule first, second;
  struct gt_contest contest;
  struct gt_sheet *sheet;
};

/* V has the bytes of another vector.  */
static double
read_all (const gsl_vector *v)
{
  return (double) gt_ceiling_read (
    v->data, v->size * sizeof (double),
    (unsigned) gt_device_host ()->host.threads);
}

static void
line_up (const struct bench *bench, const struct gt_operands *operands,
         const gsl_vector *bytes, const struct gt_bench_plans *plans,
         struct gt_contender contender[N_CONTENDERS])
{
  const struct gt_listed *f = gt_listed_for (GT_SUM, bench->subject->type);
  static const char *const names[READING]
    = {"GSL", "the plain loop", "gsltune with one thread", "gsltune"};

  for (int c = 0; c < READING; c++)
    contender[c] = (struct gt_contender) {
      .name = names[c], .listed = f, .operands = operands,
      .function = c == GSL     ? f->gsl
                  : c == PLAIN ? gt_plain_sum (bench->subject->arithmetic)
                               : f->ours,
      .mode = GT_MODE_FAST, .alone = c == ONE ? plans : NULL,
      .threads = c == ALL && plans->most > 1 ? 2 : 1
    };
  contender[READING] = (struct gt_contender) {
    .sum = read_all, .vector = bytes, .mode = GT_MODE_FAST, .threads = 2
  };
}

static double
right_sum (const struct bench *bench, size_t n)
{
  union gt_value sum = gt_data_sum (&bench->data, 0, n, 1);

  return bench->data.arithmetic == GT_F64   ? sum.f64[0]
         : bench->data.arithmetic == GT_F32 ? (double) sum.f32[0]
                                            : (double) (int) sum.u32[0];
}

static int
verify (struct bench *bench, struct gt_contender *contender, unsigned which,
        size_t n)
{
  double right = right_sum (bench, n);

  for (int c = 0; c < N_CONTENDERS; c++)
    {
      double sum = which & 1u << c
                     ? gt_contest_call (&bench->contest, &contender[c])
                     : right;

      if (sum == right || c == READING)
        continue;
      gt_error ("bench: wrong result of %s, %s, n = %zu: %.17g instead of"
                " %.17g", contender[c].name,
                gt_types_of (GT_SUM, bench->data.arithmetic), n, sum, right);
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

static const struct gt_plan *
plan_of (const struct bench *bench, size_t n)
{
  return gt_plan_find (gt_host_plans (),
                       &(struct gt_problem) {GT_SUM, bench->data.arithmetic,
                                             GT_MODE_FAST, GT_CONTIGUOUS, n});
}

static void
fill_row (const struct bench *bench, const struct gt_contender *contender,
          size_t n, struct gt_row *row)
{
  const struct gt_plan *plan = plan_of (bench, n);
  double bytes = (double) (n * bench->data.size);
  double plain = contender[PLAIN].best, ours = contender[ONE].best;
  int all = n >= ALL_FROM;

  row->value[N] = (double) n;
  row->value[GSL_SECONDS] = contender[GSL].best;
  row->value[PLAIN_SECONDS] = plain;
  row->value[SECONDS] = ours;
  row->value[PLAIN_RATE] = bytes / plain;
  row->value[GAIN] = plain / ours;
  row->value[DIFFERENCE] = ours - plain;
  row->value[OF_ALLOWED] = ours / allowed (plain);
  row->value[GSL_GAIN] = contender[GSL].best / ours;
  row->value[READ_RATE] = all ? bytes / contender[READING].best : NAN;
  row->value[ALL_RATE] = all ? bytes / contender[ALL].best : NAN;
  row->value[ALL_GAIN]
    = all ? contender[READING].best / contender[ALL].best : NAN;
  snprintf (row->remark, sizeof row->remark, "%s",
            gt_config_text (plan->kernel, &plan->config));
}

static void
look_for_faults (const struct bench *bench,
                 const struct gt_contender *contender, size_t n)
{
  double plain = contender[PLAIN].best, ours = contender[ONE].best;

  if (plain + SLACK < ours * FAULT_SHARE)
    gt_sheet_fault (bench->sheet, "n = %zu: one thread %s, the plain loop %s",
                    n, gt_format_seconds (ours), gt_format_seconds (plain));
  if (n >= ALL_FROM && contender[ALL].best > FAULT_RATIO * ours)
    gt_sheet_fault (bench->sheet, "n = %zu: %u threads, as planned, %s, one"
                    " %s", n, plan_of (bench, n)->config.threads,
                    gt_format_seconds (contender[ALL].best),
                    gt_format_seconds (ours));
}

static int
limit_row (struct bench *bench, void *data, size_t n)
{
  struct gt_contender contender[N_CONTENDERS];
  const struct gt_operands operands = {.x = data, .n = n, .stride = {1, 1}};
  struct gt_bench_plans plans;
  gsl_vector bytes = {n * bench->data.size / sizeof (double), 1, data, NULL, 0};
  unsigned all = n >= ALL_FROM ? ALL_THREADS : 0;

  gt_bench_find_plans (bench->data.arithmetic, GT_MODE_FAST, n, &plans);
  line_up (bench, &operands, &bytes, &plans, contender);
  if (verify (bench, contender, ONE_THREAD | all, n))
    return -1;
  gt_contest_time (&bench->contest, contender, N_CONTENDERS, ONE_THREAD,
                   &bench->first);
  if (contender[ONE].best > allowed (contender[PLAIN].best))
    gt_contest_time (&bench->contest, contender, N_CONTENDERS,
                     1u << PLAIN | 1u << ONE, &bench->second);
  gt_contest_time (&bench->contest, contender, N_CONTENDERS, all,
                   &bench->first);
  fill_row (bench, contender, n, &bench->sheet->rows[bench->sheet->n_rows++]);
  look_for_faults (bench, contender, n);
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
limit_rows (struct bench *bench, gsl_vector *buffer, unsigned last)
{
  if (gt_bench_data (&bench->data, bench->subject->arithmetic))
    {
      gt_error ("bench: no memory for test data");
      return -1;
    }
  gt_data_fill (&bench->data, buffer->data, buffer->size * sizeof (double));
  for (unsigned i = 0; length (i) <= (size_t) 1 << last; i++)
    if (limit_row (bench, buffer->data, length (i)))
      return -1;
  return 0;
}

int
gt_bench_limit (struct gt_bench *all, struct gt_sheet *sheet)
{
  const struct gt_bench_options *options = &all->options;
  unsigned k = options->max_exponent < LAST_EXPONENT ? options->max_exponent
                                                     : LAST_EXPONENT;
  gsl_vector *buffer = gt_bench_vector (&k);
  enum gt_device_choice choice = gt_env.device;
  struct bench bench
    = {.first = {0.1e-3, 0.05, 5, 2 * options->rounds},
       .second = {0.25e-3, 0.25, 5, 4 * options->rounds}};
  int status = buffer ? 0 : -1;

  if (buffer == NULL)
    gt_error ("bench: no memory for test data");
  gt_env.device = GT_CHOOSE_CPU;
  for (unsigned i = 0; i < GT_BENCH_LIMITS && status == 0; i++)
    {
      bench.subject = &order[i];
      bench.sheet = &sheet[i];
      snprintf (sheet[i].note, sizeof sheet[i].note,
                "The plain loop is compiled for %s.", gt_isa_names[gt_isa ()]);
      status = limit_rows (&bench, buffer, k);
      gt_data_clear (&bench.data);
    }
  gt_env.device = choice;
  gsl_vector_free (buffer);
  return status;
}
