/* The table "few": every function of few elements beside GSL's, in exact mode.

   Timed as in contest.c, both sides in turn, the best of the rounds counts; what takes most
   of the time allowed of a function and a stride is timed once more, longer, and is its row.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/contest.h"
#include "src/base/env.h"
#include "src/gsltune.h"
#include "tuning/text/cli.h"

#define MOST 64
#define FARTHEST 3 /* stride */
#define RATIO 0.5
#define SLACK 40e-9
#define MEAN 0.5
#define DEVIATION 0.3

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

#define ALLOWED "at least 0.5 of GSL's speed, or 40 ns more"
const struct gt_form gt_few_form = {
  .name = "few",
  .title = "exact mode: of each function the length from 1 to 64 that takes most of the time"
           " allowed, which is " ALLOWED,
  .remark = "GSL's function",
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},
              [STRIDE] = {"stride", "stride", GT_UNIT_COUNT},
              [GSL_SECONDS] = {"GSL", "gsl_seconds", GT_UNIT_SECONDS},
              [SECONDS] = {"gsltune", "gsltune_seconds", GT_UNIT_SECONDS},
              [GAIN] = {"gsltune/GSL", "gsltune_ratio", GT_UNIT_GAIN},
              [DIFFERENCE] = {"difference", "difference_seconds", GT_UNIT_SECONDS},
              [OF_ALLOWED] = {"of allowed", "share_of_allowed", GT_UNIT_SHARE}},
  .second = STRIDE,
  .bars = {{"the time allowed: " ALLOWED, OF_ALLOWED, 1, 1, UINT64_MAX, 0, GT_ANY}}
};

static const enum gt_element_type types[]
  = {GT_TYPE_DOUBLE, GT_TYPE_FLOAT, GT_TYPE_INT, GT_TYPE_COMPLEX, GT_TYPE_COMPLEX_FLOAT};
static const size_t strides[] = {1, FARTHEST};
static const struct gt_schedule brief = {10e-6, 0.2e-3, 4, 40},
                                longer = {50e-6, 20e-3, 11, 200};

/* The share of the time allowed that F takes.  */
static double
measure (struct gt_contest *contest, const struct gt_listed *f,
         const struct gt_operands *o, const struct gt_schedule *schedule,
         struct gt_row *row)
{
  struct gt_contender both[2];
  double gsl, ours;

  for (int c = 0; c < 2; c++)
    {
      both[c] = (struct gt_contender) {.listed = f, .function = c ? f->ours : f->gsl,
                                       .operands = o, .mode = GT_MODE_EXACT, .threads = 1};
      gt_contest_call (contest, &both[c]);
    }
  gt_contest_time (contest, both, 2, 3, schedule);
  gsl = both[0].best;
  ours = both[1].best;
  *row = (struct gt_row) {
    {[N] = (double) o->n, [STRIDE] = (double) o->stride[0], [GSL_SECONDS] = gsl,
     [SECONDS] = ours, [GAIN] = gsl / ours, [DIFFERENCE] = ours - gsl,
     [OF_ALLOWED] = ours / fmax (gsl / RATIO, gsl + SLACK)}, ""
  };
  snprintf (row->remark, sizeof row->remark, "%s", f->symbol);
  return row->value[OF_ALLOWED];
}

static void
find_worst (const struct gt_listed *f, const double *buffer, size_t stride,
            struct gt_sheet *sheet)
{
  struct gt_contest contest = {0};
  struct gt_row *worst = &sheet->rows[sheet->n_rows++], row;
  struct gt_operands o
    = {.x = buffer, .y = buffer + 2 * FARTHEST * MOST,
       .stride = {stride, stride}, .given = {MEAN, DEVIATION}};
  size_t at = 1;
  double share = 0;

  for (o.n = 1; o.n <= MOST; o.n++)
    {
      const double of_these = measure (&contest, f, &o, &brief, &row);

      if (of_these > share)
        {
          share = of_these;
          at = o.n;
        }
    }
  o.n = at;
  measure (&contest, f, &o, &longer, worst);
}

int
gt_bench_few (struct gt_bench *all, struct gt_sheet *sheet)
{
  static double buffer[4 * FARTHEST * MOST];
  const enum gt_mode mode = gt_mode_now ();
  const enum gt_device_choice choice = gt_env.device;

  (void) all;
  gt_env.device = GT_CHOOSE_CPU;
  for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
    {
      const struct gt_listed_type *const type = &gt_listed[types[t]];
      struct gt_data data;

      if (gt_data_init (&data, gt_part_arithmetic (gt_types[types[t]].arithmetic),
                        GT_DATA_FULL))
        {
          gt_error ("bench: no memory for test data");
          return -1;
        }
      gt_data_fill (&data, buffer, sizeof buffer);
      gt_data_clear (&data);
      for (size_t k = 0; k < type->count; k++)
        for (unsigned s = 0; s < sizeof strides / sizeof *strides; s++)
          if (type->function[k].gsl && type->function[k].family != GT_OF_MATRIX)
            find_worst (&type->function[k], buffer, strides[s], sheet);
    }
  gt_env.device = choice;
  gt_set_mode (mode);
  return 0;
}
