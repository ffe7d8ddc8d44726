/* Means and variances of all rows or columns of a matrix: GSL's function line by line, a plain
   loop that goes through the matrix once, by all threads, and ours.  Sides take turns, and
   the best of the rounds counts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "src/cpu/threads.h"
#include "src/device/device.h"
#include "src/gsltune.h"
#include "tuning/measure/clock.h"
#include "tuning/text/cli.h"

#define SAMPLE 200e-6 /* seconds a timing lasts at least */
#define BUDGET 0.1    /* seconds for all timings of a side */
#define MOST_ROUNDS 20
#define SHORT 32      /* elements of a row */
#define MOST_COLUMNS 1024

enum
{
  ROWS, KIND, COLUMNS, GSL, PLAIN, FAST, EXACT, OF_PLAIN, GAIN
};

enum
{
  OF_COLUMNS,
  OF_SHORT_ROWS,
  OF_LONG_ROWS
};

const struct gt_form gt_lines_form = {
  .name = "lines",
  .title = "means and variances of all rows or columns of a matrix of doubles, beside GSL's function"
           " line by line and a plain loop that makes sums and squares of all in one pass;"
           " kind: 0 columns, 1 rows of up to 32 elements, 2 longer ones",
  .remark = "function",
  .columns = {[ROWS] = {"rows", "rows", GT_UNIT_COUNT},
              [KIND] = {"kind", "kind", GT_UNIT_COUNT},
              [COLUMNS] = {"columns", "columns", GT_UNIT_COUNT},
              [GSL] = {"GSL", "gsl_seconds", GT_UNIT_SECONDS},
              [PLAIN] = {"plain loop", "plain_seconds", GT_UNIT_SECONDS},
              [FAST] = {"fast", "fast_seconds", GT_UNIT_SECONDS},
              [EXACT] = {"exact", "exact_seconds", GT_UNIT_SECONDS},
              [OF_PLAIN] = {"fast/plain", "of_plain", GT_UNIT_GAIN},
              [GAIN] = {"exact/GSL", "ratio", GT_UNIT_GAIN}},
  .second = KIND,
  .bars = {{"the plain loop's speed, fast, of columns", OF_PLAIN, 0.9, 0, UINT64_MAX, 0, OF_COLUMNS},
           {"GSL's speed of short rows, exact", GAIN, 2, 0, UINT64_MAX, 0, OF_SHORT_ROWS}},
};

static const size_t shapes[][2]
  = {{1000000, 4}, {100000, 10}, {50000, 32}, {10000, 100}, {1000, 1000}, {100000, 100}};

struct task
{
  const gsl_matrix *m;
  gsl_vector *result;
  int of_columns, of_variances;
  double (*sums)[MOST_COLUMNS]; /* of the plain loop: sums and squares of each member */
  _Atomic size_t next;
};

static void
with_gsl (struct task *t)
{
  const size_t lines = t->result->size, n = t->of_columns ? t->m->size1 : t->m->size2;
  const size_t step = t->of_columns ? 1 : t->m->tda, stride = t->of_columns ? t->m->tda : 1;

  for (size_t i = 0; i < lines; i++)
    t->result->data[i] = (t->of_variances ? gsl_stats_variance
                                          : gsl_stats_mean) (t->m->data + i * step, stride, n);
}

/* The same loop compiled for the best instruction set.  */
#if HAVE_X86_ISAS && !defined __clang__
__attribute__ ((target_clones ("default", "avx2", "arch=x86-64-v4"), optimize ("O3")))
#endif
static void
add_rows (const double *restrict x, size_t rows, size_t columns, double *restrict sum,
          double *restrict squares)
{
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      {
        sum[j] += x[i * columns + j];
        squares[j] += x[i * columns + j] * x[i * columns + j];
      }
}

static void
work_on_rows (void *closure, unsigned member)
{
  struct task *const t = closure;
  const size_t rows = t->m->size1, claim = rows / 16 + 1;
  size_t first;

  while ((first = atomic_fetch_add (&t->next, claim)) < rows)
    add_rows (t->m->data + first * t->m->tda, rows - first < claim ? rows - first : claim,
              t->m->size2, t->sums[2 * member], t->sums[2 * member + 1]);
}

static unsigned
all_threads (void)
{
  return (unsigned) gt_device_host ()->host.threads;
}

static void
with_plain_loop (struct task *t)
{
  t->next = 0;
  memset (t->sums, 0, 2 * all_threads () * sizeof *t->sums);
  gt_team_run (all_threads (), work_on_rows, t);
}

static void
with_ours (struct task *t)
{
  if (t->of_columns)
    (t->of_variances ? gsltune_matrix_column_variance
                     : gsltune_matrix_column_mean) (t->m, t->result);
  else
    (t->of_variances ? gsltune_matrix_row_variance : gsltune_matrix_row_mean) (t->m, t->result);
}

static void
fast (struct task *t)
{
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  with_ours (t);
}

static void
exact (struct task *t)
{
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  with_ours (t);
}

static double
seconds_of (void (*side) (struct task *), struct task *t, unsigned calls)
{
  const double begin = gt_now ();

  for (unsigned k = 0; k < calls; k++)
    side (t);
  return (gt_now () - begin) / calls;
}

static void
time_row (struct task *t, struct gt_row *row)
{
  static void (*const sides[]) (struct task *) = {with_gsl, with_plain_loop, fast, exact};
  const gsltune_mode mode = gsltune_get_mode ();
  double best[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
  const double once = seconds_of (fast, t, 1);
  const unsigned calls = (unsigned) fmax (SAMPLE / once, 1);
  unsigned rounds = (unsigned) fmin (fmax (BUDGET / (once * calls), 3), MOST_ROUNDS);

  for (unsigned r = 0; r < rounds; r++)
    for (int side = 0; side < 4; side++)
      best[side] = fmin (best[side], seconds_of (sides[side], t, side == 0 ? 1 : calls));
  gsltune_set_mode (mode);
  row->value[GSL] = best[0];
  row->value[PLAIN] = best[1];
  row->value[FAST] = best[2];
  row->value[EXACT] = best[3];
  row->value[OF_PLAIN] = best[1] / best[2];
  row->value[GAIN] = best[0] / best[3];
}

static void
add_row (struct task *t, struct gt_sheet *sheet)
{
  struct gt_row *const row = &sheet->rows[sheet->n_rows++];

  row->value[ROWS] = (double) t->m->size1;
  row->value[COLUMNS] = (double) t->m->size2;
  row->value[KIND] = t->of_columns ? OF_COLUMNS
                     : t->m->size2 <= SHORT ? OF_SHORT_ROWS : OF_LONG_ROWS;
  snprintf (row->remark, sizeof row->remark, "%s_%s", t->of_columns ? "column" : "row",
            t->of_variances ? "variance" : "mean");
  time_row (t, row);
}

int
gt_bench_lines (struct gt_bench *all, struct gt_sheet *sheet)
{
  double (*const sums)[MOST_COLUMNS] = malloc (2 * all_threads () * sizeof *sums);
  int status = sums ? 0 : -1;

  (void) all;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes && status == 0; s++)
    {
      const size_t rows = shapes[s][0], columns = shapes[s][1];
      gsl_matrix *const m = gsl_matrix_alloc (rows, columns);

      for (size_t i = 0; i < rows * columns; i++)
        m->data[i] = (double) (i * 2654435761u % 1000003) / 1e6 - 0.3;
      for (int kind = 0; kind < 4; kind++)
        {
          gsl_vector *const result = gsl_vector_alloc (kind & 2 ? rows : columns);
          struct task t = {m, result, !(kind & 2), kind & 1, sums, 0};

          add_row (&t, sheet);
          gsl_vector_free (result);
        }
      gsl_matrix_free (m);
    }
  free (sums);
  if (status)
    gt_error ("bench: memory is short");
  return status;
}
