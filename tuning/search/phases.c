/* Counts what a run of the tuner spends its time on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/phases.h"

#include <stdio.h>

#include "tuning/measure/clock.h"

static const char *const names[GT_N_PHASES] = {
  [GT_PHASE_OTHER] = "other",
  [GT_PHASE_DATA] = "test data",
  [GT_PHASE_VERIFYING] = "verifying",
  [GT_PHASE_BRIEF] = "first timings",
  [GT_PHASE_RACES] = "races",
  [GT_PHASE_PEERS] = "GSL and plain loops",
  [GT_PHASE_PROCEDURES] = "products of matrices",
  [GT_PHASE_CROSSOVERS] = "when to use a GPU"
};

static double seconds[GT_N_PHASES], since;
static enum gt_phase current;

enum gt_phase
gt_phase_begin (enum gt_phase phase)
{
  const enum gt_phase before = current;
  const double now = gt_now ();

  if (since > 0)
    seconds[before] += now - since;
  since = now;
  current = phase;
  return before;
}

void
gt_phases_tell (void)
{
  const char *separator = "Seconds: ";

  gt_phase_begin (current);
  for (int i = 0; i < GT_N_PHASES; i++)
    if (seconds[i] >= 0.05)
      {
        fprintf (stderr, "%s%s %.1f", separator, names[i], seconds[i]);
        separator = ", ";
      }
  if (*separator == ',')
    fputc ('\n', stderr);
}
