/* What programs of GSL's users pay for short calls under `gsltune run', beside what GSL's
   own functions take: the figures are those of a program that is started again and
   again, plain and under the command.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/gsl_calls.h"
#include "tuning/text/cli.h"

enum
{
  N,
  FUNCTION,
  PLAIN,
  FAST,
  EXACT,
  FAST_MORE,
  EXACT_MORE
};

/* The order of bench/gsl_calls.c.  */
static const enum gt_function functions[GT_CALLS_FUNCTIONS]
  = {GT_FUNCTION_DOT, GT_FUNCTION_NRM2, GT_FUNCTION_MEAN,
     GT_FUNCTION_VARIANCE};

const struct gt_form gt_run_form = {
  .name = "run",
  .title = "calls of few doubles by a program that was not changed, plain and"
           " under gsltune run, from the call to the value",
  .columns = {{"n", "n", GT_UNIT_COUNT},
              {"function", "function", GT_UNIT_FUNCTION},
              {"plain", "plain_seconds", GT_UNIT_SECONDS},
              {"fast", "fast_seconds", GT_UNIT_SECONDS},
              {"exact", "exact_seconds", GT_UNIT_SECONDS},
              {"fast - plain", "fast_more_seconds", GT_UNIT_SECONDS},
              {"exact - plain", "exact_more_seconds", GT_UNIT_SECONDS}},
  .second = FUNCTION,
  .bars = {{"fast dot products of 4: at most 3 ns more", FAST_MORE, 3e-9, 4, 4,
            0, GT_FUNCTION_DOT},
           {"exact dot products of 4: at most 15 ns more", EXACT_MORE, 15e-9,
            4, 4, 0, GT_FUNCTION_DOT}},
};

/* The commands, of the columns from PLAIN on; %s is the folder.  */
static const char *const commands[] = {
  "'%1$s/bench/gsl-calls'",
  "'%1$s/gsltune' run --mode fast -- '%1$s/bench/gsl-calls'",
  "'%1$s/gsltune' run --mode exact -- '%1$s/bench/gsl-calls'",
};
#define N_COMMANDS (sizeof commands / sizeof *commands)

/* Sets FOLDER to the one where this was built, above that of this program.  */
static int
built_in (char folder[PATH_MAX])
{
  const ssize_t length = readlink ("/proc/self/exe", folder, PATH_MAX - 1);

  if (length <= 0)
    return -1;
  folder[length] = '\0';
  for (int up = 0; up < 2; up++)
    {
      char *slash = strrchr (folder, '/');

      if (slash == NULL)
        return -1;
      *slash = '\0';
    }
  return 0;
}

static struct gt_row *
row_of (struct gt_sheet *sheet, int function, unsigned long n)
{
  for (unsigned k = 0; k < sheet->n_rows; k++)
    if (sheet->rows[k].value[N] == (double) n
        && sheet->rows[k].value[FUNCTION] == functions[function])
      return &sheet->rows[k];
  sheet->rows[sheet->n_rows].value[N] = (double) n;
  sheet->rows[sheet->n_rows].value[FUNCTION] = functions[function];
  for (unsigned column = PLAIN; column < FAST_MORE; column++)
    sheet->rows[sheet->n_rows].value[column] = INFINITY;
  return &sheet->rows[sheet->n_rows++];
}

/* Runs a command; the least seconds of each row stay.  */
static int
run (const char *folder, unsigned command, struct gt_sheet *sheet)
{
  char line[2 * PATH_MAX + 100];
  FILE *from;
  int function, got = 0;
  unsigned long n;
  double seconds;

  snprintf (line, sizeof line, commands[command], folder);
  from = popen (line, "r");
  while (from && fscanf (from, "%d %lu %lf", &function, &n, &seconds) == 3
         && function >= 0 && function < GT_CALLS_FUNCTIONS)
    {
      struct gt_row *row = row_of (sheet, function, n);

      row->value[PLAIN + command] = fmin (row->value[PLAIN + command], seconds);
      got++;
    }
  if (from && pclose (from) == 0 && got > 0)
    return 0;
  gt_error ("bench: %s gives no figures", line);
  return -1;
}

int
gt_bench_run (struct gt_bench *all, struct gt_sheet *sheet)
{
  enum { ROUNDS = 10 };
  const unsigned rounds
    = all->options.rounds < ROUNDS ? all->options.rounds : ROUNDS;
  char folder[PATH_MAX];

  if (built_in (folder))
    {
      gt_error ("bench: the folder of this program is not known");
      return -1;
    }
  for (unsigned r = 0; r < rounds; r++)
    for (unsigned k = 0; k < N_COMMANDS; k++)
      if (run (folder, k, sheet))
        return -1;
  for (unsigned k = 0; k < sheet->n_rows; k++)
    {
      double *value = sheet->rows[k].value;

      value[FAST_MORE] = value[FAST] - value[PLAIN];
      value[EXACT_MORE] = value[EXACT] - value[PLAIN];
    }
  return 0;
}
