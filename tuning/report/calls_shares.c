/* The share of a program's time that is spent in GSL, from samples.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/measure/elf.h"
#include "tuning/report/calls.h"

enum
{
  FEWEST = 20, /* fewer samples are not evaluated */
  MOST_NAMES = 4
};

/* ---------------------------------------------------------------- Reading */

static int
by_samples (const void *a, const void *b)
{
  const struct gt_calls_beside *x = a, *y = b;

  return x->samples != y->samples ? (x->samples < y->samples) - (x->samples > y->samples)
                                  : strcmp (x->name, y->name);
}

/* Adds SAMPLES for the function at OFFSET in the file ELF.  */
static void
add_samples (struct gt_calls *calls, const struct gt_elf *elf, uint64_t offset, uint64_t samples)
{
  const char *name = elf ? gt_elf_function (elf, offset) : NULL;
  size_t k = 0;

  if (name == NULL)
    name = "functions without a name";
  while (k < calls->n_beside && strcmp (calls->beside[k].name, name) != 0)
    k++;
  if (k == calls->n_beside)
    snprintf (calls->beside[calls->n_beside++].name, sizeof calls->beside->name, "%s", name);
  calls->beside[k].samples += samples;
}

int
gt_calls_read_samples (const struct gt_counts *counts, struct gt_calls *calls)
{
  const struct gt_counts_sample *const sample = gt_counts_samples (counts);
  struct gt_elf *elf = NULL;
  uint64_t opened = 0; /* the object of ELF */

  calls->beside = calloc (counts->n_samples, sizeof *calls->beside);
  if (calls->beside == NULL)
    return -1;
  for (uint32_t k = 0; k < counts->n_samples; k++)
    {
      const uint64_t object = sample[k].key >> 40;

      if (object == 0 || object >= counts->n_libraries)
        continue;
      if (object != opened)
        {
          gt_elf_close (elf);
          elf = gt_elf_open (gt_counts_libraries (counts)[object].object);
          opened = object;
        }
      add_samples (calls, elf, sample[k].key & (((uint64_t) 1 << 40) - 1), sample[k].weight);
    }
  gt_elf_close (elf);
  qsort (calls->beside, calls->n_beside, sizeof *calls->beside, by_samples);
  return 0;
}

/* --------------------------------------------------------------- Printing */

static double
percent (uint64_t part, uint64_t whole)
{
  return 100 * (double) part / (double) whole;
}

static void
print_beside (const struct gt_calls *calls, uint64_t all, FILE *stream)
{
  for (size_t k = 0; k < calls->n_beside && k < MOST_NAMES; k++)
    if (percent (calls->beside[k].samples, all) >= 0.5)
      fprintf (stream, "%s%s %.0f%%", k ? ", " : " (", calls->beside[k].name,
               percent (calls->beside[k].samples, all));
    else
      {
        if (k)
          fputs (", ...", stream);
        break;
      }
  if (calls->n_beside && percent (calls->beside[0].samples, all) >= 0.5)
    putc (')', stream);
}

/* Returns the speedup of a run that would take GAINED seconds less.  */
static double
times_as_fast (double seconds, double gained)
{
  return gained < seconds ? seconds / (seconds - gained) : INFINITY;
}

/* The number of times a second that a program may lose its processor before the machine counts
   as busy.  On an idle machine it is a few.  */
#define BUSY 50

static void
print_busy (const struct gt_calls_run *run, FILE *stream)
{
  if (run->cpu_seconds > 0.2 && run->lost > BUSY * run->cpu_seconds)
    fprintf (stream, "gsltune: the machine was busy: the program lost its processor %.0f times a"
             " second; measure again when it is idle\n", run->lost / run->cpu_seconds);
}

static void
print_forecast (const struct gt_calls *calls, const struct gt_calls_run *run, FILE *stream)
{
  static const enum gt_mode modes[] = {GT_MODE_AUTO, GT_MODE_EXACT, GT_MODE_FAST};

  for (unsigned k = 0; k < sizeof modes / sizeof *modes; k++)
    {
      fprintf (stream, "%s%s ", k ? ", " : "gsltune: ", gt_mode_names[modes[k]]);
      if (k == 0)
        fputs ("would make the whole run about ", stream);
      fprintf (stream, "%.2g", times_as_fast (run->cpu_seconds, calls->gained[modes[k]]));
      if (k == 0)
        fputs (" times as fast", stream);
      if (fabs (calls->gained[modes[k]]) <= calls->doubt[modes[k]])
        fputs (" (within noise)", stream);
    }
  putc ('\n', stream);
}

/* Prints how long the run would have taken with GSL alone, relative to its time, with
   bounds.  */
static void
print_gained (const struct gt_calls *calls, const struct gt_calls_run *run, FILE *stream)
{
  const enum gt_mode mode = (enum gt_mode) gsltune_get_mode ();
  const double seconds = run->seconds + calls->gained[mode];
  const double least = (seconds - calls->doubt[mode]) / run->seconds;
  const double most = (seconds + calls->doubt[mode]) / run->seconds;

  fputs ("gsltune: with GSL alone it would have taken about ", stream);
  if (least > 1.05 || most < 0.95)
    fprintf (stream, "%.2g times as long (%.2g to %.2g)\n", (least + most) / 2, fmax (0, least), most);
  else
    fprintf (stream, "as long, within noise (%.2g to %.2g times)\n", fmax (0, least), most);
}

void
gt_calls_print_shares (const struct gt_calls *calls, const struct gt_calls_run *run,
                       FILE *stream)
{
  const uint64_t all = run->counts->samples;
  const uint64_t within = run->counts->samples_within, beside = run->counts->samples_beside;

  if (all >= FEWEST && within <= all && beside <= all - within)
    {
      fprintf (stream, "gsltune: %.0f%% of this program's time is in GSL%s: %.0f%% in functions"
               " that gsltune serves, %.0f%% not", percent (within + beside, all),
               run->is_report ? " or in its place" : "", percent (within, all),
               percent (beside, all));
      print_beside (calls, all, stream);
      putc ('\n', stream);
    }
  if (calls->n_calls == 0)
    return;
  print_busy (run, stream);
  if (run->no_gains)
    fprintf (stream, "gsltune: what would be %s was not measured: %s\n",
             run->is_report ? "lost without it" : "saved", run->no_gains);
  else if (run->is_report)
    print_gained (calls, run, stream);
  else
    print_forecast (calls, run, stream);
}
