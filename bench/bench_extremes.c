/* Extremes and sums of magnitudes on the CPU: GSL's own functions beside the library's,
   by one thread and as planned, and beside a loop that only loads.

   Timed as in contest.c, on vectors where gsl_vector_alloc put them, again and again:
   what fits in a cache is read from the cache.  The best of the rounds counts.
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
#include "src/cpu/backend_cpu.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tuning/measure/ceiling.h"
#include "tuning/search/space.h"
#include "tuning/text/cli.h"

#define LAST_EXPONENT 26
#define RATIO 0.9
#define SLACK 3e-9
#define READ_FROM 1024                /* elements, for loads to be compared with */
#define ALL_FROM ((size_t) 1 << 20)   /* for what all threads load */
#define FROM_MEMORY ((size_t) 1 << 24)
/* Up to so many elements every sum of floats is exact.  */
#define EXACT_N ((size_t) 1 << 20)

/* -------------------------------------------------------------- Functions */

static const enum gt_element_type types[GT_BENCH_EXTREMES]
  = {GT_TYPE_DOUBLE, GT_TYPE_FLOAT, GT_TYPE_INT};

static const enum gt_arithmetic order[GT_BENCH_EXTREMES]
  = {GT_F64, GT_F32, GT_I32};

static const enum gt_reduction reductions[GT_N_FUNCTIONS] = {
  [GT_FUNCTION_MAX] = GT_MAX,       [GT_FUNCTION_MIN] = GT_MIN,
  [GT_FUNCTION_MINMAX] = GT_MINMAX, [GT_FUNCTION_MAX_INDEX] = GT_MAX,
  [GT_FUNCTION_ASUM] = GT_ASUM,     [GT_FUNCTION_IAMAX] = GT_AMAX
};

/* ------------------------------------------------------------------ Form */

enum
{
  ONE_RATE = GT_GSL_COLUMNS,
  ONE_SHARE,
  RATE,
  SHARE
};

#define FORM(type)                                                           \
  .name = "extremes " type,                                                  \
  .title = type " on the CPU, contiguous, fast mode: one: by one thread;"    \
           " planned: by the threads of the plan; allowed: GSL's time over"  \
           " 0.9 or 3 ns more; of reads: the time of loads alone, by one"    \
           " thread or by all, over ours",                                   \
  .remark = "gsltune's configuration",                                       \
  .second = GT_GSL_FUNCTION,                                                 \
  .columns = {GT_GSL_FORM,                                                   \
              [ONE_RATE] = {"one reads", "one_bytes_per_second",             \
                            GT_UNIT_BANDWIDTH},                              \
              [ONE_SHARE] = {"of reads", "one_share", GT_UNIT_GAIN},         \
              [RATE] = {"planned reads", "planned_bytes_per_second",         \
                        GT_UNIT_BANDWIDTH},                                  \
              [SHARE] = {"of all reads", "planned_share", GT_UNIT_GAIN}}

#define ALLOWED_BAR                                                          \
  {"the time allowed: at least 0.9 of GSL's speed, or within 3 ns",          \
   GT_GSL_OF_ALLOWED, 1, 1, UINT64_MAX, 0, GT_ANY}
#define MEMORY_BAR                                                           \
  {"from memory at least 0.9 of what all threads load", SHARE, 0.9,          \
   FROM_MEMORY, UINT64_MAX, 0, GT_ANY}

const struct gt_form gt_extremes_forms[GT_BENCH_EXTREMES] = {
  {
    FORM ("double"),
    .bars = {ALLOWED_BAR, MEMORY_BAR, GT_GSL_BAR (12, MAX),
             GT_GSL_BAR (10, MINMAX), GT_GSL_BAR (8, MAX_INDEX),
             GT_GSL_BAR (12, ASUM), GT_GSL_BAR (8, IAMAX)}
  },
  {FORM ("float"), .bars = {ALLOWED_BAR, MEMORY_BAR}},
  {FORM ("int"), .bars = {ALLOWED_BAR, MEMORY_BAR}}
};

/* The bars against GSL are for vectors of 32 bytes or more.  */
static const struct gt_form *
choose_form (unsigned i)
{
  static struct gt_form form;

  if (i > 0 || gt_isa () != GT_ISA_BASELINE)
    return &gt_extremes_forms[i];
  form = gt_extremes_forms[i];
  form.bars[2] = (struct gt_bar) {0};
  return &form;
}

/* ------------------------------------------------------------ Contenders */

enum contender
{
  GSL,
  OURS,
  ONE,         /* where the plan has several threads */
  ONE_READING, /* of the same bytes */
  ALL_READING,
  N_CONTENDERS
};

/* What is timed at the moment: a contender's function has no room for it.  */
static struct gt_task alone;

static double
compute_alone (const gsl_vector *v)
{
  struct gt_plan plan = *gt_plan_find (gt_host_plans (), &alone.problem);
  union gt_value value;

  (void) v;
  plan.config.threads = 1;
  gt_cpu_compute (&plan, &alone, &value);
  return 0;
}

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

/* One type's run.  */
struct bench
{
  unsigned type;
  struct gt_schedule schedule;
  struct gt_contest contest;
  struct gt_sheet *sheet;
};

/* BYTES is a vector that has as many elements as V has bytes.  Returns which of the
   contenders take part.  */
static unsigned
line_up (const struct bench *bench, enum gt_function what, const gsl_vector *v,
         const gsl_vector *bytes, const struct gt_operands *o,
         struct gt_contender contender[N_CONTENDERS])
{
  const struct gt_listed *f = gt_bench_listed (what, types[bench->type]);
  const struct gt_plan *plan
    = gt_plan_find (gt_host_plans (), &alone.problem);
  double (*const calls[N_CONTENDERS]) (const gsl_vector *)
    = {[ONE] = compute_alone, [ONE_READING] = read_alone,
       [ALL_READING] = read_together};
  const int several = plan->config.threads > 1;
  const size_t n = v->size;

  for (int c = 0; c < N_CONTENDERS; c++)
    contender[c] = (struct gt_contender) {
      .arithmetic = GT_F64, .sum.f64 = calls[c],
      .vector = c < ONE_READING ? v : bytes, .listed = calls[c] ? NULL : f,
      .function = c == GSL ? f->gsl : f->ours, .operands = o, .mode = GT_MODE_FAST,
      .threads = c == ALL_READING || (c == OURS && several) ? 2 : 1, .calls = 1
    };
  return 1u << GSL | 1u << OURS | (several ? 1u << ONE : 0)
         | (n >= READ_FROM ? 1u << ONE_READING : 0)
         | (n >= ALL_FROM ? 1u << ALL_READING : 0);
}

static int
verify (struct bench *bench, struct gt_contender *contender,
        enum gt_function what, size_t n)
{
  double gsl = gt_contest_call (&bench->contest, &contender[GSL]);
  double ours = gt_contest_call (&bench->contest, &contender[OURS]);

  if (gsl == ours || (what == GT_FUNCTION_ASUM && n > EXACT_N))
    return 0;
  gt_error ("bench: wrong result of %s, %s, n = %zu: %.17g instead of %.17g",
            gt_function_names[what], gt_arithmetics[order[bench->type]].name, n,
            ours, gsl);
  return -1;
}

/* ----------------------------------------------------------------- Table */

static void
fill_row (const struct gt_contender *contender, unsigned which,
          enum gt_function what, size_t n, size_t size, struct gt_row *row)
{
  const struct gt_plan *plan = gt_plan_find (gt_host_plans (), &alone.problem);
  double bytes = (double) (n * size), gsl = contender[GSL].best;
  double ours = contender[OURS].best;
  double one = which & 1u << ONE ? contender[ONE].best : ours;

  gt_gsl_fill (row, n, what, gsl, one, ours,
               fmax (gsl / RATIO, gsl + SLACK));
  row->value[ONE_RATE] = bytes / one;
  row->value[ONE_SHARE]
    = which & 1u << ONE_READING ? contender[ONE_READING].best / one : NAN;
  row->value[RATE] = bytes / ours;
  row->value[SHARE]
    = which & 1u << ALL_READING ? contender[ALL_READING].best / ours : NAN;
  gt_config_text (plan->kernel, &plan->config, row->remark,
                  sizeof row->remark);
}

static int
extremes_row (struct bench *bench, enum gt_function what, void *data, size_t n)
{
  const enum gt_arithmetic arithmetic = order[bench->type];
  const size_t size = gt_element_size (arithmetic);
  gsl_vector v = {n, 1, data, NULL, 0}, bytes = {n * size, 1, data, NULL, 0};
  const struct gt_operands o = {.x = data, .n = n, .stride = {1, 1}};
  struct gt_contender contender[N_CONTENDERS];
  unsigned which;

  alone = gt_task_of (reductions[what], arithmetic, GT_MODE_FAST, data, n, 1);
  which = line_up (bench, what, &v, &bytes, &o, contender);
  if (verify (bench, contender, what, n))
    return -1;
  gt_contest_time (&bench->contest, contender, N_CONTENDERS, which,
                   &bench->schedule);
  fill_row (contender, which, what, n, size,
            &bench->sheet->rows[bench->sheet->n_rows++]);
  return 0;
}

static int
extremes_rows (struct bench *bench, gsl_vector *buffer, unsigned last)
{
  static const size_t short_ones[]
    = {1, 2, 3, 5, 8, 12, 16, 20, 32, 48, 64, 100, 128, 256, 512, 1000};
  const unsigned count = sizeof short_ones / sizeof *short_ones;
  int status = 0;

  for (int f = 0; f < GT_FUNCTION_DOT; f++)
    {
      const enum gt_function what = (enum gt_function) f;

      if (gt_bench_listed (what, types[bench->type]) == NULL)
        continue;
      for (unsigned i = 0; i < count && status == 0; i++)
        status = extremes_row (bench, what, buffer->data, short_ones[i]);
      for (unsigned k = 10; k <= last && status == 0; k += 2)
        status = extremes_row (bench, what, buffer->data, (size_t) 1 << k);
    }
  return status;
}

int
gt_bench_extremes (const struct gt_bench_options *options,
                   struct gt_sheet sheet[GT_BENCH_EXTREMES])
{
  unsigned k = options->max_exponent < LAST_EXPONENT ? options->max_exponent
                                                     : LAST_EXPONENT;
  gsl_vector *buffer = gt_bench_vector (&k);
  enum gt_device_choice choice = gt_env.device;
  struct bench bench = {.schedule = {0.1e-3, 0.05, 5, 2 * options->rounds}};
  int status = buffer ? 0 : -1;

  gt_env.device = GT_CHOOSE_CPU;
  for (unsigned i = 0; i < GT_BENCH_EXTREMES && status == 0; i++)
    {
      struct gt_data data;

      bench.type = i;
      bench.sheet = &sheet[i];
      sheet[i].form = choose_form (i);
      status = gt_bench_data (&data, order[i]);
      if (status)
        break;
      gt_data_fill (&data, buffer->data, buffer->size * sizeof (double));
      gt_data_clear (&data);
      status = extremes_rows (&bench, buffer, k);
    }
  if (buffer == NULL)
    gt_error ("bench: no memory for test data");
  gt_env.device = choice;
  gsl_vector_free (buffer);
  return status;
}
