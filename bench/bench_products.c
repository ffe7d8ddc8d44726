/* Dot products, norms and statistics on the CPU: GSL's own functions beside the
   library's, by one thread and as planned, and beside a loop that only loads.

   Timed as in contest.c, on vectors that lie one behind the other, again and again: what
   fits in a cache is read from the cache.  The best of the rounds counts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "bench/bench.h"
#include "bench/beside_gsl.h"
#include "bench/contest.h"
#include "bench/timing.h"
#include "kernels/cpu/isa/isa.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tuning/measure/ceiling.h"
#include "tuning/text/cli.h"

#define LAST_EXPONENT 25
#define LAST_SHORT 12
#define LINE 64                       /* bytes that a second vector is aligned to */
#define ALL_FROM ((size_t) 1 << 20)   /* elements, for what all threads load */
#define FROM_MEMORY ((size_t) 1 << 24)
/* Up to so many elements GSL's products of floats are near the right ones.  */
#define FLOAT_N ((size_t) 1 << 10)
#define TOLERANCE 1e-5

/* -------------------------------------------------------------- Functions */

/* Given to who takes them.  */
#define MEAN 0.5
#define DEVIATION 2.0

/* What each sheet is of: GSL's time times RATIO, or SLACK seconds more, is allowed.  */
static const struct subject
{
  enum gt_element_type type;
  enum gt_arithmetic arithmetic;
  enum gt_mode mode;
  double ratio, slack;
} subjects[GT_BENCH_PRODUCTS] = {
  {GT_TYPE_DOUBLE, GT_F64, GT_MODE_FAST, 1 / 0.9, 3e-9},
  {GT_TYPE_DOUBLE, GT_F64, GT_MODE_EXACT, 1 / 0.5, 15e-9},
  {GT_TYPE_FLOAT, GT_F32, GT_MODE_FAST, 1 / 0.9, 3e-9},
  {GT_TYPE_INT, GT_I32, GT_MODE_FAST, 1 / 0.9, 3e-9},
};

static int
is_weighted (enum gt_function what)
{
  return what >= GT_FUNCTION_WMEAN;
}

/* Whether WHAT is timed of short vectors alone.  */
static int
is_short (enum gt_function what)
{
  return what >= GT_FUNCTION_SD;
}

/* ------------------------------------------------------------------ Form */

enum
{
  RATE = GT_GSL_COLUMNS,
  SHARE
};

#define FORM(what, allowed)                                                  \
  .name = "products " what,                                                  \
  .title = what " on the CPU, contiguous: one: by one thread; planned: by"   \
           " the threads of the plan; allowed: " allowed "; of all reads:"   \
           " the time in which all threads load the same bytes, over ours",  \
  .second = GT_GSL_FUNCTION,                                                 \
  .columns = {GT_GSL_FORM,                                                   \
              [RATE] = {"planned reads", "planned_bytes_per_second",         \
                        GT_UNIT_BANDWIDTH},                                  \
              [SHARE] = {"of all reads", "planned_share", GT_UNIT_GAIN}}
#define FAST_FORM(type) FORM (type ", fast", "GSL's time over 0.9 or 3 ns more")

#define ALLOWED_BAR(text) {text, GT_GSL_OF_ALLOWED, 1, 1, UINT64_MAX, 0, GT_ANY}
#define FAST_BAR \
  ALLOWED_BAR ("the time allowed: at least 0.9 of GSL's speed, or within 3 ns")
#define EXACT_BAR \
  ALLOWED_BAR ("the time allowed: at least 0.5 of GSL's speed, or within 15 ns")
#define SHARE_BAR(share, id)                                                 \
  {"from memory at least " #share " of what all threads load", SHARE, share,  \
   FROM_MEMORY, UINT64_MAX, 0, id}

const struct gt_form gt_products_forms[GT_BENCH_PRODUCTS] = {
  {
    FAST_FORM ("double"),
    .bars = {FAST_BAR, SHARE_BAR (0.9, GT_ANY), GT_GSL_BAR (6, DOT),
             GT_GSL_BAR (12, NRM2), GT_GSL_BAR (100, MEAN),
             GT_GSL_BAR (100, VARIANCE), GT_GSL_BAR (100, COVARIANCE),
             GT_GSL_BAR (50, SKEW)}
  },
  {
    FORM ("double, exact", "GSL's time over 0.5 or 15 ns more"),
    .bars = {EXACT_BAR, SHARE_BAR (0.7, GT_FUNCTION_MEAN),
             SHARE_BAR (0.5, GT_ANY), GT_GSL_BAR (20, MEAN),
             GT_GSL_BAR (12, VARIANCE), GT_GSL_BAR (1, NRM2),
             GT_GSL_BAR (1, DOT)}
  },
  {FAST_FORM ("float"), .bars = {FAST_BAR, SHARE_BAR (0.9, GT_ANY)}},
  {FAST_FORM ("int"), .bars = {FAST_BAR, SHARE_BAR (0.9, GT_ANY)}}
};

/* How many of a form's bars hold whatever the vectors' width; those behind them are for
   vectors of 32 bytes or more.  */
static const unsigned wide_from[GT_BENCH_PRODUCTS] = {2, 3, 2, 2};

static const struct gt_form *
choose_form (unsigned i)
{
  static struct gt_form narrow[GT_BENCH_PRODUCTS];

  if (gt_isa () != GT_ISA_BASELINE)
    return &gt_products_forms[i];
  narrow[i] = gt_products_forms[i];
  narrow[i].bars[wide_from[i]] = (struct gt_bar) {0};
  return &narrow[i];
}

/* ------------------------------------------------------------ Contenders */

enum contender
{
  GSL,
  OURS,
  ONE, /* where a plan has several threads */
  ALL_READING,
  N_CONTENDERS
};

/* The plans that a function may take: of every reduction, in this arithmetic and mode.  */
struct plans
{
  struct gt_plan *plan[GT_N_REDUCTIONS];
  unsigned threads[GT_N_REDUCTIONS];
  unsigned n, most;
};

/* What is timed at the moment: a contender's function has no room for it.  */
static struct
{
  const struct gt_listed *listed;
  struct gt_operands operands;
  struct plans plans;
} alone;

/* Who changes the plans for a moment puts them right again.  */
static void
find_plans (const struct subject *subject, size_t n, struct plans *plans)
{
  plans->n = 0;
  plans->most = 1;
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    {
      const enum gt_reduction reduction = (enum gt_reduction) r;
      const struct gt_problem p
        = {reduction, gt_arithmetic_for (reduction, subject->arithmetic),
           gt_mode_for (reduction, subject->arithmetic, subject->mode),
           GT_CONTIGUOUS, n};
      struct gt_plan *plan;

      if (!gt_reduction_has (reduction, p.arithmetic))
        continue;
      plan = &gt_plan_to_change (&p)->plan;
      plans->plan[plans->n] = plan;
      plans->threads[plans->n++] = plan->config.threads;
      if (plan->config.threads > plans->most)
        plans->most = plan->config.threads;
    }
}

static double
compute_alone (const gsl_vector *v)
{
  struct gt_answer answer;

  for (unsigned i = 0; i < alone.plans.n; i++)
    alone.plans.plan[i]->config.threads = 1;
  (void) v;
  alone.listed->call (alone.listed->ours, &alone.operands, &answer);
  for (unsigned i = 0; i < alone.plans.n; i++)
    alone.plans.plan[i]->config.threads = alone.plans.threads[i];
  return gt_bench_answer (alone.listed, &answer);
}

static double
read_together (const gsl_vector *v)
{
  return (double) gt_ceiling_read (
    v->data, v->size, (unsigned) gt_device_host ()->host.threads);
}

/* One sheet's run.  */
struct bench
{
  const struct subject *subject;
  struct gt_schedule schedule;
  struct gt_contest contest;
  struct gt_sheet *sheet;
};

/* BYTES is a vector that has as many elements as are read bytes.  Returns which of the
   contenders take part.  */
static unsigned
line_up (const struct bench *bench, const gsl_vector *bytes,
         struct gt_contender contender[N_CONTENDERS])
{
  const struct gt_listed *f = alone.listed;
  double (*const calls[N_CONTENDERS]) (const gsl_vector *)
    = {[ONE] = compute_alone, [ALL_READING] = read_together};
  const int several = alone.plans.most > 1;

  for (int c = 0; c < N_CONTENDERS; c++)
    contender[c] = (struct gt_contender) {
      .arithmetic = GT_F64, .sum.f64 = calls[c],
      .vector = bytes, .listed = calls[c] ? NULL : f,
      .function = c == GSL ? f->gsl : f->ours, .operands = &alone.operands,
      .mode = bench->subject->mode,
      .threads = c == ALL_READING || (c == OURS && several) ? 2 : 1, .calls = 1
    };
  return 1u << GSL | 1u << OURS | (several ? 1u << ONE : 0)
         | (alone.operands.n >= ALL_FROM ? 1u << ALL_READING : 0);
}

/* How large what has cancelled was.  */
static double
scale_of (const struct bench *bench, enum gt_function what)
{
  const struct gt_listed *variance
    = gt_bench_listed (GT_FUNCTION_VARIANCE, bench->subject->type);
  struct gt_answer answer;

  switch (what)
    {
    case GT_FUNCTION_COVARIANCE:
    case GT_FUNCTION_COVARIANCE_M:
      variance->call (variance->gsl, &alone.operands, &answer);
      return gt_bench_answer (variance, &answer);
    case GT_FUNCTION_CORRELATION:
    case GT_FUNCTION_SKEW:
    case GT_FUNCTION_KURTOSIS:
    case GT_FUNCTION_LAG1_AUTOCORRELATION:
    case GT_FUNCTION_LAG1_AUTOCORRELATION_M:
      return 1;
    default:
      return 0;
    }
}

/* GSL's results are not rounded once, so ours are only near them.  With weights it
   squares floats as floats, and of few that count it divides by its roundings; so
   tests/test_stats_truth.c says whether these are right.  */
static int
verify (struct bench *bench, struct gt_contender *contender,
        enum gt_function what)
{
  const size_t n = alone.operands.n;
  double gsl = gt_contest_call (&bench->contest, &contender[GSL]);
  double ours = gt_contest_call (&bench->contest, &contender[OURS]);
  const int float_products
    = bench->subject->arithmetic == GT_F32
      && (what == GT_FUNCTION_DOT || what == GT_FUNCTION_NRM2);

  if (fabs (ours - gsl)
        <= TOLERANCE * (fabs (gsl) + scale_of (bench, what))
      || (isnan (gsl) && isnan (ours))
      || (float_products && n > FLOAT_N) || is_weighted (what)
      || !isfinite (gsl))
    return 0;
  gt_error ("bench: wrong result of %s, %s, n = %zu: %.17g instead of %.17g",
            gt_function_names[what],
            gt_arithmetics[bench->subject->arithmetic].name, n, ours,
            gsl);
  return -1;
}

/* ----------------------------------------------------------------- Table */

static void
fill_row (const struct bench *bench, const struct gt_contender *contender,
          unsigned which, enum gt_function what, size_t n, double bytes,
          struct gt_row *row)
{
  const struct subject *subject = bench->subject;
  double gsl = contender[GSL].best, ours = contender[OURS].best;
  double one = which & 1u << ONE ? contender[ONE].best : ours;

  gt_gsl_fill (row, n, what, gsl, one, ours,
               fmax (gsl * subject->ratio, gsl + subject->slack));
  row->value[RATE] = bytes / ours;
  row->value[SHARE]
    = which & 1u << ALL_READING ? contender[ALL_READING].best / ours : NAN;
}

static int
products_row (struct bench *bench, enum gt_function what, char *data, size_t n)
{
  const size_t size = gt_element_size (bench->subject->arithmetic);
  const size_t room = (n * size + LINE - 1) / LINE * LINE;
  const struct gt_listed *f = gt_bench_listed (what, bench->subject->type);
  const size_t bytes = f->inputs * n * size;
  gsl_vector read = {bytes, 1, (double *) (void *) data, NULL, 0};
  struct gt_contender contender[N_CONTENDERS];
  unsigned which;

  alone.listed = f;
  alone.operands = (struct gt_operands) {.x = data, .y = data + room, .n = n,
                                         .stride = {1, 1}, .given = {MEAN, DEVIATION}};
  find_plans (bench->subject, n, &alone.plans);
  which = line_up (bench, &read, contender);
  if (verify (bench, contender, what))
    return -1;
  gt_contest_time (&bench->contest, contender, N_CONTENDERS, which,
                   &bench->schedule);
  fill_row (bench, contender, which, what, n, (double) bytes,
            &bench->sheet->rows[bench->sheet->n_rows++]);
  return 0;
}

static int
products_rows (struct bench *bench, gsl_vector *buffer, unsigned last)
{
  static const size_t short_ones[]
    = {1, 2, 3, 5, 8, 12, 16, 20, 32, 48, 64, 100, 256};
  const unsigned count = sizeof short_ones / sizeof *short_ones;
  char *data = (char *) buffer->data;
  int status = 0;

  for (int f = GT_FUNCTION_DOT; f < GT_N_FUNCTIONS; f++)
    {
      const enum gt_function what = (enum gt_function) f;

      if (gt_bench_listed (what, bench->subject->type) == NULL)
        continue;
      for (unsigned i = 0; i < count && status == 0; i++)
        status = products_row (bench, what, data, short_ones[i]);
      for (unsigned k = 10; k <= last && status == 0
                            && (k <= LAST_SHORT || !is_short (what)); k += 2)
        status = products_row (bench, what, data, (size_t) 1 << k);
    }
  return status;
}

int
gt_bench_products (const struct gt_bench_options *options,
                   struct gt_sheet sheet[GT_BENCH_PRODUCTS])
{
  unsigned k = 1 + (options->max_exponent < LAST_EXPONENT ? options->max_exponent
                                                          : LAST_EXPONENT);
  gsl_vector *buffer = gt_bench_vector (&k);
  enum gt_device_choice choice = gt_env.device;
  struct bench bench = {.schedule = {0.1e-3, 0.05, 5, 2 * options->rounds}};
  int status = buffer ? 0 : -1;

  gt_env.device = GT_CHOOSE_CPU;
  for (unsigned i = 0; i < GT_BENCH_PRODUCTS && status == 0; i++)
    {
      struct gt_data data;

      bench.subject = &subjects[i];
      bench.sheet = &sheet[i];
      sheet[i].form = choose_form (i);
      status = gt_bench_data (&data, subjects[i].arithmetic);
      if (status)
        break;
      gt_data_fill (&data, buffer->data, buffer->size * sizeof (double));
      gt_data_clear (&data);
      status = products_rows (&bench, buffer, k - 1);
    }
  if (buffer == NULL)
    gt_error ("bench: no memory for test data");
  gt_env.device = choice;
  gsl_vector_free (buffer);
  return status;
}
