/* Host data on the CPU: GSL beside the library.

   Every contender is called as a program calls it: through a pointer to a
   function that takes a gsl_vector, its value stored to a volatile variable.
   The elements lie where gsl_vector_alloc put them and are read again and
   again: what fits in a cache is summed in the cache.  Contenders take turns,
   each timing lasts about a millisecond or one call, and the median of the
   rounds counts.
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
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tuning/measure/candidate.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

#define SAMPLE 1e-3 /* seconds a timing lasts at least */

/* By how much a sum by the planned threads may seem slower than by one.  */
#define FAULT_RATIO 1.1

const struct gt_form gt_host_form = {
  .name = "host",
  .title = "double on the CPU, fast mode, one buffer read again and again;"
           " ratios of speed to gsl_vector_sum's",
  .remark = "gsltune's configuration",
  .columns = {{"n", "n", GT_UNIT_COUNT},
              {"GSL", "gsl_seconds", GT_UNIT_SECONDS},
              {"gsltune, 1 thread", "gsltune_1_seconds", GT_UNIT_SECONDS},
              {"gsltune", "gsltune_seconds", GT_UNIT_SECONDS},
              {"bandwidth", "gsltune_bytes_per_second", GT_UNIT_BANDWIDTH},
              {"1 thread/GSL", "gsltune_1_ratio", GT_UNIT_GAIN},
              {"gsltune/GSL", "gsltune_ratio", GT_UNIT_GAIN}},
  .bars = {{"at least 0.9 of GSL's speed at n = 1 to 100", 6, 0.9, 1, 100, 0,
            GT_ANY},
           {"1 thread at least 2 times GSL's speed from 1000 on", 5, 2, 1000,
            UINT64_MAX, 0, GT_ANY},
           {"at least 8 times GSL's speed at 2^24 with 16 cores", 6, 8,
            (uint64_t) 1 << 24, (uint64_t) 1 << 24, 16, GT_ANY}},
};

/* ---------------------------------------------------------- Contenders */

enum
{
  GSL,
  ONE_THREAD, /* where the plan has several */
  PLANNED,
  N_CONTENDERS
};

/* Returns which of the contenders take part.  */
static unsigned
line_up (const gsl_vector *v, const struct gt_bench_plans *plans,
         struct gt_contender contender[N_CONTENDERS])
{
  const struct gt_contender list[N_CONTENDERS] = {
    [GSL] = {.name = "gsl_vector_sum", .sum = gsl_vector_sum},
    [ONE_THREAD] = {.name = "gsltune with one thread",
                    .sum = gsltune_vector_sum, .alone = plans},
    [PLANNED] = {.name = "gsltune_vector_sum", .sum = gsltune_vector_sum,
                 .threads = plans->most}
  };

  memcpy (contender, list, sizeof list);
  for (int c = 0; c < N_CONTENDERS; c++)
    contender[c].vector = v;
  return 1u << GSL | 1u << PLANNED | (plans->most > 1 ? 1u << ONE_THREAD : 0);
}

/* --------------------------------------------------------------- Table */

static int
verify (struct gt_contest *contest, struct gt_contender *contender, unsigned which,
        const struct gt_data *data, const gsl_vector *v)
{
  union gt_value right = gt_data_sum (data, 0, v->size, 1);

  for (int c = 0; c < N_CONTENDERS; c++)
    {
      double sum = which & 1u << c ? gt_contest_call (contest, &contender[c])
                                   : right.f64[0];

      if (sum == right.f64[0])
        continue;
      gt_error ("bench: wrong result of %s, n = %zu: %.17g instead of %.17g",
                contender[c].name, v->size, sum, right.f64[0]);
      return -1;
    }
  return 0;
}

static int
host_row (const struct gt_data *data, unsigned rounds, const gsl_vector *v,
          struct gt_sheet *sheet)
{
  const struct gt_schedule schedule = {SAMPLE, INFINITY, rounds, rounds};
  struct gt_row *row = &sheet->rows[sheet->n_rows++];
  const struct gt_plan *plan
    = gt_plan_find (gt_host_plans (),
                    &(struct gt_problem) {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS,
                                          v->size});
  struct gt_contender contender[N_CONTENDERS];
  struct gt_contest contest = {0};
  struct gt_bench_plans plans;
  unsigned which;

  gt_bench_find_plans (GT_F64, GT_MODE_FAST, v->size, &plans);
  which = line_up (v, &plans, contender);
  if (verify (&contest, contender, which, data, v))
    return -1;
  gt_contest_time (&contest, contender, N_CONTENDERS, which, &schedule);
  row->value[0] = (double) v->size;
  for (int c = 0; c < N_CONTENDERS; c++)
    row->value[1 + c] = which & 1u << c ? contender[c].seconds : NAN;
  if (!(which & 1u << ONE_THREAD))
    row->value[1 + ONE_THREAD] = row->value[1 + PLANNED];
  if (row->value[1 + PLANNED] > FAULT_RATIO * row->value[1 + ONE_THREAD])
    gt_sheet_fault (sheet, "n = %zu: %u threads, as planned, %s, one %s",
                    v->size, plan->config.threads,
                    gt_format_seconds (row->value[1 + PLANNED]),
                    gt_format_seconds (row->value[1 + ONE_THREAD]));
  row->value[4] = (double) (v->size * sizeof (double)) / row->value[1 + PLANNED];
  for (int c = 1; c < N_CONTENDERS; c++)
    row->value[4 + c] = row->value[1] / row->value[1 + c];
  snprintf (row->remark, sizeof row->remark, "%s",
            gt_config_text (plan->kernel, &plan->config));
  return 0;
}

static int
host_rows (const struct gt_data *data, unsigned rounds, const gsl_vector *buffer,
           struct gt_sheet *sheet)
{
  static const unsigned first[] = {1, 2, 5, 10, 100, 1000};
  enum { N_FIRST = sizeof first / sizeof first[0] };
  gsl_vector v = {0, 1, buffer->data, NULL, 0};

  for (unsigned i = 0; ; i++)
    {
      v.size = i < N_FIRST ? first[i] : (size_t) 1 << (10 + i - N_FIRST);
      if (v.size > buffer->size)
        return 0;
      if (host_row (data, rounds, &v, sheet))
        return -1;
    }
}

int
gt_bench_host (struct gt_bench *all, struct gt_sheet *sheet)
{
  const struct gt_bench_options *options = &all->options;
  unsigned k = options->max_exponent;
  gsl_vector *buffer = gt_bench_vector (&k);
  enum gt_device_choice choice = gt_env.device;
  struct gt_data data = {0};
  int status = -1;

  if (k < options->max_exponent)
    snprintf (sheet->note, sizeof sheet->note, "2^%u and longer are left out:"
              " too little memory.", k + 1);
  if (buffer == NULL || gt_bench_data (&data, GT_F64))
    gt_error ("bench: no memory for test data");
  else
    {
      gt_data_fill (&data, buffer->data, buffer->size * sizeof (double));
      /* This table is about the CPU, also where the profile sends long
         vectors to a GPU.  */
      gt_env.device = GT_CHOOSE_CPU;
      status = host_rows (&data, options->rounds, buffer, sheet);
      gt_env.device = choice;
    }
  gsl_vector_free (buffer);
  gt_data_clear (&data);
  return status;
}
