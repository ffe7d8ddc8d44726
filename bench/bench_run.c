/* The price that programs of GSL's users pay for short calls under `gsltune run', beside what
   GSL's own functions take, and what they gain where GSL itself multiplies matrices: the
   figures are those of programs that are started again and again, plain and under the command.
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
  EXACT_MORE,
  FAST_GAIN = FAST_MORE,
  EXACT_GAIN
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
            GT_FUNCTION_DOT},
           {"exact dot products of 4: at most 15 ns more", EXACT_MORE, 15e-9,
            4, 4, GT_FUNCTION_DOT}},
};

const struct gt_form gt_systems_form = {
  .name = "systems",
  .title = "factorisations of matrices of n rows and columns, eigenvalues of symmetric ones,"
           " and least squares of n rows and 10 columns, by GSL in a program that was not"
           " changed, plain and under gsltune run",
  .columns = {{"n", "n", GT_UNIT_COUNT},
              {"function", "function", GT_UNIT_FUNCTION},
              {"plain", "plain_seconds", GT_UNIT_SECONDS},
              {"fast", "fast_seconds", GT_UNIT_SECONDS},
              {"exact", "exact_seconds", GT_UNIT_SECONDS},
              {"fast/plain", "fast_ratio", GT_UNIT_GAIN},
              {"exact/plain", "exact_ratio", GT_UNIT_GAIN}},
  .second = FUNCTION,
  .bars = {{"fast: at least 0.95 of GSL's speed", FAST_GAIN, 0.95, 0, UINT64_MAX, GT_ANY},
           {"exact: at least 0.9 of GSL's speed", EXACT_GAIN, 0.9, 0, UINT64_MAX, GT_ANY},
           {"fast LU of 512 at least 5 times GSL's speed", FAST_GAIN, 5, 512, 512,
            GT_FUNCTION_LU},
           {"fast QR of 512 at least 3 times GSL's speed", FAST_GAIN, 3, 512, 512,
            GT_FUNCTION_QR}},
};

/* A program to run; its functions are those of its numbers.  */
struct program
{
  const char *name;
  const enum gt_function *functions;
  int n_functions;
  unsigned rounds; /* at most */
};
static const struct program calls
  = {"gsl-calls", functions, GT_CALLS_FUNCTIONS, 10};
static const enum gt_function systems_functions[] = {
#define X(id, name) GT_FUNCTION_##id,
  GT_BENCH_SYSTEMS (X)
#undef X
};
static const struct program systems
  = {"gsl-systems", systems_functions, GT_SYSTEMS_FUNCTIONS, 5};

/* The commands, of the columns from PLAIN on, of the folder and the program.  */
static const char *const commands[] = {
  "'%1$s/bench/%2$s'",
  "'%1$s/gsltune' run --mode fast -- '%1$s/bench/%2$s'",
  "'%1$s/gsltune' run --mode exact -- '%1$s/bench/%2$s'",
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
row_of (struct gt_sheet *sheet, enum gt_function function, unsigned long n)
{
  for (unsigned k = 0; k < sheet->n_rows; k++)
    if (sheet->rows[k].value[N] == (double) n
        && sheet->rows[k].value[FUNCTION] == function)
      return &sheet->rows[k];
  sheet->rows[sheet->n_rows].value[N] = (double) n;
  sheet->rows[sheet->n_rows].value[FUNCTION] = function;
  for (unsigned column = PLAIN; column < FAST_MORE; column++)
    sheet->rows[sheet->n_rows].value[column] = INFINITY;
  return &sheet->rows[sheet->n_rows++];
}

/* Runs a command; the least seconds of each row stay.  */
static int
run (const char *folder, const struct program *program, unsigned command,
     struct gt_sheet *sheet)
{
  char line[2 * PATH_MAX + 100];
  FILE *from;
  int function, got = 0;
  unsigned long n;
  double seconds;

  snprintf (line, sizeof line, commands[command], folder, program->name);
  from = popen (line, "r");
  while (from && fscanf (from, "%d %lu %lf", &function, &n, &seconds) == 3
         && function >= 0 && function < program->n_functions)
    {
      struct gt_row *row = row_of (sheet, program->functions[function], n);

      row->value[PLAIN + command] = fmin (row->value[PLAIN + command], seconds);
      got++;
    }
  if (from && pclose (from) == 0 && got > 0)
    return 0;
  gt_error ("bench: %s gives no figures: make bench builds what it runs", line);
  return -1;
}

static int
run_in_turn (const struct program *program, unsigned rounds, struct gt_sheet *sheet)
{
  char folder[PATH_MAX];

  if (built_in (folder))
    {
      gt_error ("bench: the folder of this program is not known");
      return -1;
    }
  for (unsigned r = 0; r < rounds && r < program->rounds; r++)
    for (unsigned k = 0; k < N_COMMANDS; k++)
      if (run (folder, program, k, sheet))
        return -1;
  return 0;
}

int
gt_bench_run (struct gt_bench *all, struct gt_sheet *sheet)
{
  const int status = run_in_turn (&calls, all->options.rounds, sheet);

  for (unsigned k = 0; k < sheet->n_rows; k++)
    {
      double *value = sheet->rows[k].value;

      value[FAST_MORE] = value[FAST] - value[PLAIN];
      value[EXACT_MORE] = value[EXACT] - value[PLAIN];
    }
  return status;
}

int
gt_bench_systems (struct gt_bench *all, struct gt_sheet *sheet)
{
  const int status = run_in_turn (&systems, all->options.rounds, sheet);

  for (unsigned k = 0; k < sheet->n_rows; k++)
    {
      double *value = sheet->rows[k].value;

      value[FAST_GAIN] = value[PLAIN] / value[FAST];
      value[EXACT_GAIN] = value[PLAIN] / value[EXACT];
    }
  return status;
}
