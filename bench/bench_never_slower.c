/* Whether the library is slower than GSL anywhere: many lengths and strides, in
   each mode.

   Timed as in contest.c, with the route and the plan that a program gets, on
   vectors where gsl_vector_alloc put them.  GSL and the three modes take turns;
   the median of the rounds counts, three of them where a sum takes long.  On a
   shared or virtual machine a length now and then looks slow that is not: one
   that falls short is timed once more, in more and longer rounds, and this second
   timing counts, whatever it says.

   A call of a few nanoseconds can be a fifth slower than GSL's and nobody would
   know; a ratio alone would speak of nothing else.  So a time is allowed: in fast
   mode GSL's over 0.95, or GSL's and 3 ns, whichever is more; in exact mode, which
   computes more, twice GSL's or 12 ns more, but for contiguous vectors, once they
   fill a few registers, GSL's over 0.8.  Compensated mode is held to nothing; its
   share is of the time that fast mode is allowed.

   A contiguous sum that is slower than the strided one of as many elements, timed
   once more beside it, is noted as what should not be.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/contest.h"
#include "bench/timing.h"
#include "kernels/cutoffs.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/plan/choose.h"
#include "src/plan/plan.h"
#include "tuning/measure/candidate.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

#define RATIO 0.95
#define SLACK 3e-9
#define EXACT_RATIO 0.5
#define EXACT_SLACK 12e-9
#define EXACT_LONG 33 /* contiguous: from this length on */
#define EXACT_LONG_RATIO 0.8
#define EXACT_LAST ((1 << 20) + 1) /* up to it exact mode is held to a bar */
#define DENSE 100 /* every length up to this one */
#define FIRST_EXPONENT 7
#define BETWEEN_EXPONENT 20 /* up to this one, lengths halfway too */

/* By how much a contiguous sum may seem slower than a strided one.  */
#define FAULT_RATIO 1.1
#define FAULT_SLACK 3e-9

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

#define FORM(mode, time_allowed)                                            \
  .name = "never-slower " mode,                                             \
  .title = "gsltune_vector_sum beside gsl_vector_sum, double, " mode        \
           " mode, n from 1 to 100, around powers of two and between them;" \
           " a stride's row is the length that takes most of the time"      \
           " allowed, which is " time_allowed "; short: lengths that take"  \
           " more",                                                         \
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

#define FAST_ALLOWED "GSL's over 0.95 or 3 ns more than GSL's"
#define EXACT_ALLOWED                                                       \
  "twice GSL's or 12 ns more than GSL's, and from n = 33 on at stride 1"    \
  " GSL's over 0.8"

#define LONG_BAR(vectors, times, n)                                            \
  {"with " vectors ", at least " #times " times GSL's speed at n = " #n, GAIN, times, n, n, \
   0, 1}

/* The order of the sheets.  */
static const enum gt_mode order[GT_N_MODES]
  = {GT_MODE_FAST, GT_MODE_COMPENSATED, GT_MODE_EXACT};
const struct gt_form gt_never_slower_forms[GT_N_MODES] = {
  {
    FORM ("fast", FAST_ALLOWED),
    .bars = {{"the time allowed: at least 0.95 of GSL's speed, or within 3 ns",
              OF_ALLOWED, 1, 1, UINT64_MAX, 0, GT_ANY}}
  },
  {FORM ("compensated", FAST_ALLOWED)},
  {
    FORM ("exact", EXACT_ALLOWED),
    .bars = {{"the time allowed: at least 0.5 of GSL's speed, or within 12 ns,"
              " up to 2^20",
              OF_ALLOWED, 1, 1, EXACT_LAST, 0, GT_ANY},
             {"at least 0.8 of GSL's speed from n = 33 to 2^20 at stride 1",
              GAIN, EXACT_LONG_RATIO, EXACT_LONG, EXACT_LAST, 0, 1},
             LONG_BAR ("AVX2", 2.5, 4096), LONG_BAR ("AVX2", 2.5, 65536),
             LONG_BAR ("AVX-512", 3, 4096), LONG_BAR ("AVX-512", 3, 65536)},
    .wide_from = 2, .widest_from = 4
  }
};

/* -------------------------------------------------------------- Timing */

/* GSL, then each mode.  */
#define GSL GT_N_MODES
#define N_CONTENDERS (GT_N_MODES + 1)

struct bench
{
  const struct gt_data *data;
  struct gt_schedule first, second;
  struct gt_contest contest;
  struct gt_sheet *sheet[GT_N_MODES];
  unsigned rows[N_STRIDES + 1]; /* of the strides before */
};

static const struct gt_plan *
find_plan (enum gt_mode mode, const gsl_vector *v)
{
  return gt_plan_find (gt_host_plans (),
                       &(struct gt_problem) {GT_SUM, GT_F64, mode,
                                             gt_layout_of (v->stride),
                                             v->size});
}

static struct gt_contender
library (enum gt_mode mode, const gsl_vector *v)
{
  return (struct gt_contender) {
    .name = "gsltune_vector_sum",
    .sum = gsltune_vector_sum,
    .vector = v,
    .mode = mode,
    .threads = find_plan (mode, v)->config.threads,
  };
}

static void
line_up (const gsl_vector *v, struct gt_contender contender[N_CONTENDERS])
{
  for (int m = 0; m < GT_N_MODES; m++)
    contender[m] = library ((enum gt_mode) m, v);
  contender[GSL] = library (GT_MODE_FAST, v);
  contender[GSL].name = "gsl_vector_sum";
  contender[GSL].sum = gsl_vector_sum;
  contender[GSL].threads = 1;
}

/* --------------------------------------------------------------- Table */

/* One call each, which is also the first look at how long it takes.  */
static int
verify (struct bench *bench, struct gt_contender contender[N_CONTENDERS],
        const gsl_vector *v)
{
  double right = gt_data_sum (bench->data, 0, v->size, v->stride).f64[0];

  for (int c = 0; c < N_CONTENDERS; c++)
    {
      double sum = gt_contest_call (&bench->contest, &contender[c]);

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

/* The time that a sum in MODE may take where GSL's takes so long.  */
static double
allowed (enum gt_mode mode, const gsl_vector *v, double gsl)
{
  if (mode != GT_MODE_EXACT)
    return fmax (gsl / RATIO, gsl + SLACK);
  if (v->stride == 1 && v->size >= EXACT_LONG)
    return gsl / EXACT_LONG_RATIO;
  return fmax (gsl / EXACT_RATIO, gsl + EXACT_SLACK);
}

static void
add_row (struct bench *bench, const struct gt_contender *ours, double gsl,
         const gsl_vector *v)
{
  struct gt_sheet *sheet = bench->sheet[ours->mode];
  struct gt_row *row = &sheet->rows[sheet->n_rows++];
  const struct gt_plan *plan = find_plan (ours->mode, v);
  struct gt_task task
    = gt_task_of (GT_SUM, GT_F64, ours->mode, v->data, v->size, v->stride);
  struct gt_choice choice;

  row->value[N] = (double) v->size;
  row->value[STRIDE] = (double) v->stride;
  row->value[GSL_SECONDS] = gsl;
  row->value[SECONDS] = ours->seconds;
  row->value[GAIN] = gsl / ours->seconds;
  row->value[DIFFERENCE] = ours->seconds - gsl;
  row->value[OF_ALLOWED] = ours->seconds / allowed (ours->mode, v, gsl);
  gt_set_mode (ours->mode);
  if (v->size <= (GT_CUTOFF_CHAINS & gt_fast_mask ())
      || (ours->mode == GT_MODE_EXACT && v->size <= GT_CUTOFF_BLOCKS))
    snprintf (row->remark, sizeof row->remark, "short, without a plan");
  else if (gt_choose_host (gt_planned_find (gt_host_plans (), &task.problem),
                           &task, &choice))
    gt_route_text (&choice.route, row->remark, sizeof row->remark);
  else
    snprintf (row->remark, sizeof row->remark, "%s",
              gt_config_text (plan->kernel, &plan->config));
}

static int
measure (struct bench *bench, const gsl_vector *v)
{
  struct gt_contender contender[N_CONTENDERS];
  double gsl;

  line_up (v, contender);
  if (verify (bench, contender, v))
    return -1;
  gt_contest_time (&bench->contest, contender, N_CONTENDERS,
                   (1u << N_CONTENDERS) - 1, &bench->first);
  gsl = contender[GSL].seconds;
  for (int m = 0; m < GT_N_MODES; m++)
    {
      contender[GSL].seconds = gsl;
      if (m != GT_MODE_COMPENSATED
          && contender[m].seconds > allowed (contender[m].mode, v, gsl))
        gt_contest_time (&bench->contest, contender, N_CONTENDERS,
                         1u << m | 1u << GSL, &bench->second);
      add_row (bench, &contender[m], contender[GSL].seconds, v);
    }
  return 0;
}

/* The lengths in their order: each up to DENSE, then a power of two with its
   neighbours and, while there is room for rows, what lies halfway to the next. */
#define EACH 4
#define BETWEEN (EACH * (BETWEEN_EXPONENT - FIRST_EXPONENT))
static size_t
length (unsigned i)
{
  unsigned k, j;

  if (i < DENSE)
    return i + 1;
  i -= DENSE;
  k = i < BETWEEN ? FIRST_EXPONENT + i / EACH
                  : BETWEEN_EXPONENT + (i - BETWEEN) / 3;
  j = i < BETWEEN ? i % EACH : (i - BETWEEN) % 3;
  return j == 3 ? (size_t) 3 << (k - 1) : ((size_t) 1 << k) + j - 1;
}

/* Lengths are the same for each stride and in the same order.  */
static void
look_for_faults (struct bench *bench, enum gt_mode mode, double *data)
{
  struct gt_sheet *sheet = bench->sheet[mode];

  for (unsigned s = 1; s < N_STRIDES; s++)
    for (unsigned i = bench->rows[s]; i < bench->rows[s + 1]; i++)
      {
        size_t n = length (i - bench->rows[s]);
        gsl_vector v = {n, 1, data, NULL, 0}, w = {n, strides[s], data, NULL, 0};
        struct gt_contender pair[2] = {library (mode, &v), library (mode, &w)};
        double contiguous = sheet->rows[i - bench->rows[s]].value[SECONDS];

        if (contiguous
            <= FAULT_RATIO * sheet->rows[i].value[SECONDS] + FAULT_SLACK)
          continue;
        gt_contest_call (&bench->contest, &pair[0]);
        gt_contest_call (&bench->contest, &pair[1]);
        gt_contest_time (&bench->contest, pair, 2, 3, &bench->second);
        if (pair[0].seconds > FAULT_RATIO * pair[1].seconds + FAULT_SLACK)
          gt_sheet_fault (sheet, "n = %zu: contiguous %s, with stride %zu %s",
                          n, gt_format_seconds (pair[0].seconds), w.stride,
                          gt_format_seconds (pair[1].seconds));
      }
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
      bench->rows[s + 1] = bench->sheet[GT_MODE_FAST]->n_rows;
      used += (size_t) snprintf (last + used, size - used,
                                 "%sn = %zu with stride %zu", s ? ", " : "",
                                 v.size, v.stride);
    }
  for (int m = 0; m < GT_N_MODES; m++)
    look_for_faults (bench, (enum gt_mode) m, buffer->data);
  return 0;
}

int
gt_bench_never_slower (struct gt_bench *all, struct gt_sheet *sheet)
{
  const struct gt_bench_options *options = &all->options;
  enum gt_mode mode = gt_mode_now ();
  unsigned k = options->longest_exponent;
  gsl_vector *buffer = gt_bench_vector (&k);
  struct gt_data data = {0};
  struct bench bench
    = {.data = &data, .first = {0.1e-3, 0.03, 3, options->rounds},
       .second = {0.25e-3, 0.1, 5, 2 * options->rounds}};
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
