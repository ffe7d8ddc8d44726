/* The modes beside each other, on host data, by the threads of their plans: what
   the right bits cost.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/bench.h"
#include "bench/contest.h"
#include "bench/timing.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tuning/measure/candidate.h"
#include "tuning/text/cli.h"

#define SAMPLE 1e-3   /* seconds a timing lasts at least */
#define BUDGET 1.5    /* seconds for a row */
#define FEWEST 5u     /* rounds, however long they last */
#define ROUNDING 1e-6 /* relative errors beyond are none of rounding */
#define FIRST_EXPONENT 10

enum
{
  N,
  FAST_SECONDS, /* and the other modes', as in MODES */
  COMPENSATED_SECONDS,
  EXACT_SECONDS,
  FAST_RATE,
  COMPENSATED_RATE,
  EXACT_RATE,
  COMPENSATED_GAIN,
  EXACT_GAIN
};
static const enum gt_mode modes[GT_N_MODES]
  = {GT_MODE_FAST, GT_MODE_COMPENSATED, GT_MODE_EXACT};

#define LONGEST_EXPONENT 27
#define LONGEST ((uint64_t) 1 << LONGEST_EXPONENT)

const struct gt_form gt_modes_form = {
  .name = "host modes",
  .title = "double on the CPU, the modes beside each other, with the threads of"
           " the plan; random numbers between -1 and 1, one buffer read again"
           " and again",
  .remark = "exact: gsltune's configuration",
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},
              [FAST_SECONDS] = {"fast", "fast_seconds", GT_UNIT_SECONDS},
              [COMPENSATED_SECONDS] = {"compensated", "compensated_seconds",
                                       GT_UNIT_SECONDS},
              [EXACT_SECONDS] = {"exact", "exact_seconds", GT_UNIT_SECONDS},
              [FAST_RATE] = {"fast", "fast_bytes_per_second",
                             GT_UNIT_BANDWIDTH},
              [COMPENSATED_RATE] = {"compensated",
                                    "compensated_bytes_per_second",
                                    GT_UNIT_BANDWIDTH},
              [EXACT_RATE] = {"exact", "exact_bytes_per_second",
                              GT_UNIT_BANDWIDTH},
              [COMPENSATED_GAIN] = {"compensated/fast", "compensated_ratio",
                                    GT_UNIT_GAIN},
              [EXACT_GAIN] = {"exact/fast", "exact_ratio", GT_UNIT_GAIN}},
  .bars = {{"exact at least 0.9 of fast mode's speed at 2^27 with 16 cores",
            EXACT_GAIN, 0.9, LONGEST, LONGEST, 16, GT_ANY}},
};

/* Exact sums are equal to the oracle's, the others near it.  */
static int
verify_mode (const struct gt_data *data, enum gt_mode mode, size_t n,
             double sum)
{
  union gt_value value = {.f64 = {sum, 0}};
  double error = gt_data_error (data, n, &value);

  if (mode == GT_MODE_EXACT ? sum == gt_data_sum (data, 0, n, 1).f64[0]
                            : error < ROUNDING)
    return 0;
  gt_error ("bench: wrong result of gsltune_vector_sum, %s mode, n = %zu:"
            " %.17g, relative error %g", gt_mode_names[mode], n, sum, error);
  return -1;
}

static const struct gt_plan *
find_plan (enum gt_mode mode, size_t n)
{
  struct gt_problem problem = {GT_SUM, GT_F64, mode, GT_CONTIGUOUS, n};

  return gt_plan_find (gt_host_plans (), &problem);
}

static int
modes_row (const struct gt_data *data, const struct gt_schedule *schedule,
           const gsl_vector *v, struct gt_row *row)
{
  struct gt_contest contest = {0};
  struct gt_contender contender[GT_N_MODES];
  const struct gt_plan *plan = find_plan (GT_MODE_EXACT, v->size);

  for (int m = 0; m < GT_N_MODES; m++)
    {
      contender[m] = (struct gt_contender) {
        .sum = gsltune_vector_sum, .vector = v,
        .mode = modes[m],
        .threads = find_plan (modes[m], v->size)->config.threads
      };
      if (verify_mode (data, modes[m], v->size,
                       gt_contest_call (&contest, &contender[m])))
        return -1;
    }
  gt_contest_time (&contest, contender, GT_N_MODES, (1u << GT_N_MODES) - 1,
                   schedule);
  row->value[N] = (double) v->size;
  for (int m = 0; m < GT_N_MODES; m++)
    {
      row->value[FAST_SECONDS + m] = contender[m].seconds;
      row->value[FAST_RATE + m]
        = (double) (v->size * sizeof (double)) / contender[m].seconds;
    }
  row->value[COMPENSATED_GAIN]
    = contender[0].seconds / contender[1].seconds;
  row->value[EXACT_GAIN] = contender[0].seconds / contender[2].seconds;
  snprintf (row->remark, sizeof row->remark, "%s",
            gt_config_text (plan->kernel, &plan->config));
  return 0;
}

int
gt_bench_modes (struct gt_bench *all, struct gt_sheet *sheet)
{
  const struct gt_bench_options *options = &all->options;
  const struct gt_schedule schedule
    = {SAMPLE, BUDGET, options->rounds < FEWEST ? options->rounds : FEWEST,
       options->rounds};
  unsigned k = options->max_exponent < LONGEST_EXPONENT
                 ? options->max_exponent : LONGEST_EXPONENT;
  gsl_vector *buffer = gt_bench_vector (&k);
  enum gt_device_choice choice = gt_env.device;
  enum gt_mode mode = gt_mode_now ();
  struct gt_data data = {0};
  int status = 0;

  if (buffer == NULL || gt_data_init (&data, GT_F64, GT_DATA_FULL))
    {
      gt_error ("bench: no memory for test data");
      status = -1;
    }
  else
    gt_data_fill (&data, buffer->data, buffer->size * sizeof (double));
  gt_env.device = GT_CHOOSE_CPU;
  for (unsigned e = FIRST_EXPONENT; e <= k && status == 0; e++)
    {
      gsl_vector v = {(size_t) 1 << e, 1, buffer->data, NULL, 0};

      status = modes_row (&data, &schedule, &v, &sheet->rows[sheet->n_rows++]);
    }
  gt_env.device = choice;
  gt_set_mode (mode);
  gsl_vector_free (buffer);
  gt_data_clear (&data);
  return status;
}
