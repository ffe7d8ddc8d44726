/* The tables "extremes", also of sums of magnitudes, and "products", of dot products,
   norms and statistics: GSL's own functions beside the library's on the CPU, by one
   thread and as planned, and beside a loop that only loads.

   Timed as in contest.c, on vectors where gsl_vector_alloc put them, the second of two
   behind the first, again and again: what fits in a cache is read from the cache.  The
   best of the rounds counts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "bench/bench.h"
#include "bench/contest.h"
#include "bench/timing.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/plan/plan.h"
#include "tuning/measure/candidate.h"
#include "tuning/measure/ceiling.h"
#include "tuning/text/cli.h"

#define LINE 64                       /* bytes that a second vector is aligned to */
#define READ_FROM 1024                /* elements, for loads to be compared with */
#define ALL_FROM ((size_t) 1 << 20)   /* for what all threads load */
#define FROM_MEMORY ((size_t) 1 << 24)
/* Up to so many elements every sum of floats is exact.  */
#define EXACT_N ((size_t) 1 << 20)
/* Up to so many elements GSL's products of floats are near the right ones.  */
#define FLOAT_N ((size_t) 1 << 10)
#define TOLERANCE 1e-5
#define LAST_SHORT 12 /* exponent, of what is timed of short vectors alone */

/* Given to who takes them.  */
#define MEAN 0.5
#define DEVIATION 2.0

/* ------------------------------------------------------------------ Forms */

enum
{
  N,
  FUNCTION_OF,
  GSL_SECONDS,
  ONE_SECONDS, /* by one thread */
  PLANNED_SECONDS,
  ONE_GAIN,
  GAIN,
  OF_ALLOWED,
  READS /* the rest is of loads */
};

#define FORM(table, what, title_text)                                        \
  .name = table " " what,                                                    \
  .title = what " on the CPU, contiguous" title_text,                        \
  .second = FUNCTION_OF

#define COLUMNS                                                              \
  [N] = {"n", "n", GT_UNIT_COUNT},                                           \
  [FUNCTION_OF] = {"function", "function", GT_UNIT_FUNCTION},                \
  [GSL_SECONDS] = {"GSL", "gsl_seconds", GT_UNIT_SECONDS},                   \
  [ONE_SECONDS] = {"one", "one_seconds", GT_UNIT_SECONDS},                   \
  [PLANNED_SECONDS] = {"planned", "planned_seconds", GT_UNIT_SECONDS},       \
  [ONE_GAIN] = {"one/GSL", "one_ratio", GT_UNIT_GAIN},                       \
  [GAIN] = {"planned/GSL", "planned_ratio", GT_UNIT_GAIN},                   \
  [OF_ALLOWED] = {"of allowed", "share_of_allowed", GT_UNIT_SHARE}
#define ONE_READS                                                            \
  {"one reads", "one_bytes_per_second", GT_UNIT_BANDWIDTH},                  \
  {"of reads", "one_share", GT_UNIT_GAIN}
#define PLANNED_READS                                                        \
  {"planned reads", "planned_bytes_per_second", GT_UNIT_BANDWIDTH},          \
  {"of all reads", "planned_share", GT_UNIT_GAIN}

#define ALLOWED_BAR(text) {text, OF_ALLOWED, 1, 1, UINT64_MAX, 0, GT_ANY}
#define FAST_BAR \
  ALLOWED_BAR ("the time allowed: at least 0.9 of GSL's speed, or within 3 ns")
#define EXACT_BAR \
  ALLOWED_BAR ("the time allowed: at least 0.5 of GSL's speed, or within 15 ns")
#define SHARE_BAR(share, column, id)                                         \
  {"from memory at least " #share " of what all threads load", column, share, \
   FROM_MEMORY, UINT64_MAX, 0, id}
/* With AVX2, as many TIMES as fast as GSL.  */
#define GSL_BAR(times, id)                                                   \
  {"with AVX2, one thread, at least " #times " times GSL's speed at n = 4096", \
   ONE_GAIN, times, 4096, 4096, 0, GT_FUNCTION_##id}

/* The same of the functions from ID to LAST, or from N to LAST_N elements, with AVX2 or wider
   vectors.  */
#define VECTORS_BAR(vectors, what, times, n, last_n, id, last)                 \
  {"with " vectors ", one thread, " what ", at least " #times " times GSL's speed", \
   ONE_GAIN, times, n, last_n, 0, GT_FUNCTION_##id, GT_FUNCTION_##last}
#define VECTORS_BARS(vectors, statistics, others, norm, dot)                   \
  VECTORS_BAR (vectors, "statistics, n = 4096", statistics, 4096, 4096, MEAN,  \
               COVARIANCE),                                                    \
  VECTORS_BAR (vectors, "absdev, n = 4096", statistics, 4096, 4096, ABSDEV, ABSDEV), \
  VECTORS_BAR (vectors, "sd to covariance_m, n = 4096", statistics, 4096, 4096, SD, \
               COVARIANCE_M),                                                  \
  VECTORS_BAR (vectors, "correlation, n = 4096", others, 4096, 4096, CORRELATION, \
               CORRELATION),                                                   \
  VECTORS_BAR (vectors, "skew and kurtosis, n = 4096", others, 4096, 4096, SKEW, \
               KURTOSIS),                                                      \
  VECTORS_BAR (vectors, "weighted statistics, n = 4096", others, 4096, 4096, WMEAN, \
               WKURTOSIS_M_SD),                                                \
  VECTORS_BAR (vectors, "nrm2, n = 4096 to 65536", norm, 4096, 65536, NRM2, NRM2), \
  VECTORS_BAR (vectors, "dot, n = 4096 to 65536", dot, 4096, 65536, DOT, DOT)

#define EXTREMES_FORM(type)                                                  \
  FORM ("extremes", type, ", fast mode: one: by one thread;"                 \
        " planned: by the threads of the plan; allowed: GSL's time over"     \
        " 0.9 or 3 ns more; of reads: the time of loads alone, by one"       \
        " thread or by all, over ours"),                                     \
  .remark = "gsltune's configuration",                                       \
  .columns = {COLUMNS, ONE_READS, PLANNED_READS}
#define EXTREMES_BARS FAST_BAR, SHARE_BAR (0.9, READS + 3, GT_ANY)

const struct gt_form gt_extremes_forms[GT_BENCH_EXTREMES] = {
  {
    EXTREMES_FORM ("double"),
    .bars = {EXTREMES_BARS, GSL_BAR (12, MAX), GSL_BAR (10, MINMAX),
             GSL_BAR (8, MAX_INDEX), GSL_BAR (12, ASUM), GSL_BAR (8, IAMAX)},
    .wide_from = 2
  },
  {EXTREMES_FORM ("float"), .bars = {EXTREMES_BARS}},
  {EXTREMES_FORM ("int"), .bars = {EXTREMES_BARS}}
};

#define PRODUCTS_FORM(what, allowed)                                         \
  FORM ("products", what, ": one: by one thread; planned: by"                \
        " the threads of the plan; allowed: " allowed "; of all reads:"      \
        " the time in which all threads load the same bytes, over ours"),    \
  .columns = {COLUMNS, PLANNED_READS}
#define FAST_FORM(type) \
  PRODUCTS_FORM (type ", fast", "GSL's time over 0.9 or 3 ns more")
#define FAST_BARS FAST_BAR, SHARE_BAR (0.9, READS + 1, GT_ANY)

const struct gt_form gt_products_forms[GT_BENCH_PRODUCTS] = {
  {
    FAST_FORM ("double"),
    .bars = {FAST_BARS, GSL_BAR (6, DOT), GSL_BAR (12, NRM2),
             GSL_BAR (100, MEAN), GSL_BAR (100, VARIANCE),
             GSL_BAR (100, COVARIANCE), GSL_BAR (50, SKEW)},
    .wide_from = 2
  },
  {
    PRODUCTS_FORM ("double, exact", "GSL's time over 0.5 or 15 ns more"),
    .bars = {EXACT_BAR, SHARE_BAR (0.7, READS + 1, GT_FUNCTION_MEAN),
             SHARE_BAR (0.5, READS + 1, GT_ANY),
             VECTORS_BARS ("AVX2", 8, 5, 2.5, 1.8),
             VECTORS_BARS ("AVX-512", 12, 8, 3, 2)},
    .wide_from = 3, .widest_from = 11
  },
  {FAST_FORM ("float"), .bars = {FAST_BARS}},
  {FAST_FORM ("int"), .bars = {FAST_BARS}}
};

/* --------------------------------------------------------------- Subjects */

/* A sheet's functions: GSL's time times RATIO, or SLACK seconds more, is allowed.  */
struct subject
{
  enum gt_element_type type;
  enum gt_arithmetic arithmetic;
  enum gt_mode mode;
  double ratio, slack;
};

/* A table: functions FROM on, before END; lengths in LENGTHS, and from 2^10 on.  */
struct table
{
  enum gt_function from, end;
  unsigned vectors; /* that the buffer is for */
  unsigned last_exponent;
  size_t lengths[17]; /* 0 behind them */
  unsigned n_subjects;
  struct subject subjects[4];
};

#define FAST(type, arithmetic) \
  {GT_TYPE_##type, GT_##arithmetic, GT_MODE_FAST, 1 / 0.9, 3e-9}

static const struct table extremes = {
  GT_FUNCTION_MAX, GT_FUNCTION_DOT, 1, 26,
  {1, 2, 3, 5, 8, 12, 16, 20, 32, 48, 64, 100, 128, 256, 512, 1000},
  GT_BENCH_EXTREMES, {FAST (DOUBLE, F64), FAST (FLOAT, F32), FAST (INT, I32)}
};
static const struct table products = {
  GT_FUNCTION_DOT, GT_N_FUNCTIONS, 2, 25,
  {1, 2, 3, 5, 8, 12, 16, 20, 32, 48, 64, 100, 256},
  GT_BENCH_PRODUCTS,
  {FAST (DOUBLE, F64), {GT_TYPE_DOUBLE, GT_F64, GT_MODE_EXACT, 1 / 0.5, 15e-9},
   FAST (FLOAT, F32), FAST (INT, I32)}
};

static int
is_product (enum gt_function what)
{
  return what >= GT_FUNCTION_DOT;
}

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

/* ------------------------------------------------------------- Contenders */

enum contender
{
  GSL,
  OURS,
  ONE,         /* where a plan has several threads */
  ONE_READING, /* of the same bytes */
  ALL_READING,
  N_CONTENDERS
};

/* The call that is timed at the moment.  */
struct round
{
  enum gt_function what;
  const struct gt_listed *listed;
  struct gt_operands operands;
  struct gt_bench_plans plans;
};

static double
read_alone (const gsl_vector *v)
{
  return (double) gt_ceiling_read (v->data, v->size, 1);
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
  const struct table *table;
  const struct subject *subject;
  struct gt_schedule schedule;
  struct gt_contest contest;
  struct gt_sheet *sheet;
};

/* BYTES is a vector that has as many elements as are read bytes.  Returns which of the
   contenders take part.  */
static unsigned
line_up (const struct bench *bench, const struct round *now,
         const gsl_vector *bytes, struct gt_contender contender[N_CONTENDERS])
{
  const struct gt_listed *f = now->listed;
  const size_t n = now->operands.n;
  double (*const reads[N_CONTENDERS]) (const gsl_vector *)
    = {[ONE_READING] = read_alone, [ALL_READING] = read_together};
  const int several = now->plans.most > 1;

  for (int c = 0; c < N_CONTENDERS; c++)
    contender[c] = (struct gt_contender) {
      .sum = reads[c], .vector = bytes, .listed = reads[c] ? NULL : f,
      .function = c == GSL ? f->gsl : f->ours, .operands = &now->operands,
      .mode = bench->subject->mode, .alone = c == ONE ? &now->plans : NULL,
      .threads = c == ALL_READING || (c == OURS && several) ? 2 : 1, .calls = 1
    };
  return 1u << GSL | 1u << OURS | (several ? 1u << ONE : 0)
         | (bench->table == &extremes && n >= READ_FROM ? 1u << ONE_READING : 0)
         | (n >= ALL_FROM ? 1u << ALL_READING : 0);
}

/* How large what has cancelled was.  */
static double
scale_of (const struct bench *bench, const struct round *now)
{
  const struct gt_listed *variance
    = gt_bench_listed (GT_FUNCTION_VARIANCE, bench->subject->type);
  struct gt_answer answer;

  switch (now->what)
    {
    case GT_FUNCTION_COVARIANCE:
    case GT_FUNCTION_COVARIANCE_M:
      variance->call (variance->gsl, &now->operands, &answer);
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
   tests/test_truth.c says whether these are right.  */
static int
agrees (const struct bench *bench, const struct round *now, double gsl, double ours)
{
  const enum gt_function what = now->what;
  const size_t n = now->operands.n;
  const int float_products
    = bench->subject->arithmetic == GT_F32
      && (what == GT_FUNCTION_DOT || what == GT_FUNCTION_NRM2);

  if (!is_product (what))
    return gsl == ours || (what == GT_FUNCTION_ASUM && n > EXACT_N);
  return fabs (ours - gsl) <= TOLERANCE * (fabs (gsl) + scale_of (bench, now))
         || (isnan (gsl) && isnan (ours))
         || (float_products && n > FLOAT_N) || is_weighted (what)
         || !isfinite (gsl);
}

static int
verify (struct bench *bench, const struct round *now,
        struct gt_contender *contender)
{
  double gsl = gt_contest_call (&bench->contest, &contender[GSL]);
  double ours = gt_contest_call (&bench->contest, &contender[OURS]);

  if (agrees (bench, now, gsl, ours))
    return 0;
  gt_error ("bench: wrong result of %s, %s, n = %zu: %.17g instead of %.17g",
            gt_function_names[now->what],
            gt_arithmetics[bench->subject->arithmetic].name, now->operands.n,
            ours, gsl);
  return -1;
}

/* ----------------------------------------------------------------- Table */

static void
fill_row (const struct bench *bench, const struct round *now,
          const struct gt_contender *contender, unsigned which, double bytes,
          struct gt_row *row)
{
  const struct subject *subject = bench->subject;
  const size_t n = now->operands.n;
  double gsl = contender[GSL].best, ours = contender[OURS].best;
  double one = which & 1u << ONE ? contender[ONE].best : ours;
  double *reads = &row->value[READS];

  row->value[N] = (double) n;
  row->value[FUNCTION_OF] = now->what;
  row->value[GSL_SECONDS] = gsl;
  row->value[ONE_SECONDS] = one;
  row->value[PLANNED_SECONDS] = ours;
  row->value[ONE_GAIN] = gsl / one;
  row->value[GAIN] = gsl / ours;
  row->value[OF_ALLOWED]
    = ours / fmax (gsl * subject->ratio, gsl + subject->slack);
  if (bench->table == &extremes)
    {
      const enum gt_reduction reduction = now->listed->reduction;
      const struct gt_problem p
        = {reduction, gt_arithmetic_for (reduction, subject->arithmetic),
           subject->mode, GT_CONTIGUOUS, n};
      const struct gt_plan *plan = gt_plan_find (gt_host_plans (), &p);

      *reads++ = bytes / one;
      *reads++ = which & 1u << ONE_READING ? contender[ONE_READING].best / one
                                           : NAN;
      snprintf (row->remark, sizeof row->remark, "%s",
                gt_config_text (plan->kernel, &plan->config));
    }
  *reads++ = bytes / ours;
  *reads = which & 1u << ALL_READING ? contender[ALL_READING].best / ours : NAN;
}

static int
make_row (struct bench *bench, enum gt_function what, const gsl_vector *buffer,
          size_t n)
{
  const size_t size = gt_element_size (bench->subject->arithmetic);
  const size_t room = (n * size + LINE - 1) / LINE * LINE;
  struct round now = {
    .what = what, .listed = gt_bench_listed (what, bench->subject->type),
    .operands = {.x = buffer->data, .y = (char *) buffer->data + room, .n = n,
                 .stride = {1, 1}, .given = {MEAN, DEVIATION}}
  };
  gsl_vector read = {now.listed->inputs * n * size, 1, buffer->data, NULL, 0};
  struct gt_contender contender[N_CONTENDERS];
  unsigned which;

  gt_bench_find_plans (bench->subject->arithmetic, bench->subject->mode, n,
                       &now.plans);
  which = line_up (bench, &now, &read, contender);
  if (verify (bench, &now, contender))
    return -1;
  gt_contest_time (&bench->contest, contender, N_CONTENDERS, which,
                   &bench->schedule);
  fill_row (bench, &now, contender, which, (double) read.size,
            &bench->sheet->rows[bench->sheet->n_rows++]);
  return 0;
}

/* Vectors have up to 2^LAST elements.  */
static int
make_rows (struct bench *bench, const gsl_vector *buffer, unsigned last)
{
  int status = 0;

  for (int f = bench->table->from; f < (int) bench->table->end; f++)
    {
      const enum gt_function what = (enum gt_function) f;

      if (gt_bench_listed (what, bench->subject->type) == NULL)
        continue;
      for (const size_t *n = bench->table->lengths; *n && status == 0; n++)
        status = make_row (bench, what, buffer, *n);
      for (unsigned k = 10; k <= last && status == 0
                            && (k <= LAST_SHORT || !is_short (what)); k += 2)
        status = make_row (bench, what, buffer, (size_t) 1 << k);
    }
  return status;
}

static int
make_sheets (const struct gt_bench_options *options, const struct table *table,
             struct gt_sheet *sheet)
{
  const unsigned twice = table->vectors - 1;
  unsigned k = twice + (options->max_exponent < table->last_exponent
                          ? options->max_exponent : table->last_exponent);
  gsl_vector *buffer = gt_bench_vector (&k);
  enum gt_device_choice choice = gt_env.device;
  struct bench bench
    = {.table = table, .schedule = {0.1e-3, 0.05, 5, 2 * options->rounds}};
  int status = buffer ? 0 : -1;

  gt_env.device = GT_CHOOSE_CPU;
  for (unsigned i = 0; i < table->n_subjects && status == 0; i++)
    {
      struct gt_data data;

      bench.subject = &table->subjects[i];
      bench.sheet = &sheet[i];
      status = gt_bench_data (&data, bench.subject->arithmetic);
      if (status)
        break;
      gt_data_fill (&data, buffer->data, buffer->size * sizeof (double));
      gt_data_clear (&data);
      status = make_rows (&bench, buffer, k - twice);
    }
  if (buffer == NULL)
    gt_error ("bench: no memory for test data");
  gt_env.device = choice;
  gsl_vector_free (buffer);
  return status;
}

int
gt_bench_extremes (struct gt_bench *all, struct gt_sheet *sheet)
{
  return make_sheets (&all->options, &extremes, sheet);
}

int
gt_bench_products (struct gt_bench *all, struct gt_sheet *sheet)
{
  return make_sheets (&all->options, &products, sheet);
}
