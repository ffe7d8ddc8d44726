/* Measuring every candidate of a problem, again and again.

   In each round every candidate is timed once, one after the other, so that a drift of
   the clock or of the machine's load hits all alike; every other round runs backwards.
   What a sweep would rule out by the model is timed, too: how well the model rules out
   is one of the questions to such a table.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/exhaustive.h"

#include <stdlib.h>

static void
note (struct gt_measured *measured, enum gt_timing timing, double seconds)
{
  measured->seconds[timing][measured->n[timing]++] = seconds;
}

/* Times C each way; a failure excludes it.  */
static void
time_once (struct gt_sweep *sweep, struct gt_target *target,
           const struct gt_problem *problem, struct gt_candidate *c, int spaced,
           struct gt_measurements *table, struct gt_measured *measured)
{
  double seconds;

  for (enum gt_timing t = GT_TIMED_BRIEFLY; t <= GT_TIMED_LONGER; t++)
    {
      if (target->ops->time (target, c, problem, table->at_least[t], &seconds))
        {
          gt_sweep_exclude (sweep, target, c);
          return;
        }
      note (measured, t, seconds);
    }
  if (spaced)
    note (measured, GT_TIMED_SPACED,
          target->ops->time_spaced (target, c, problem));
}

/* Whether candidates differ in threads, so that pauses make a difference.  */
static int
threads_differ (const struct gt_space *space)
{
  for (unsigned i = 1; i < space->n; i++)
    if (space->candidate[i].config.threads != space->candidate[0].config.threads)
      return 1;
  return 0;
}

static void
run_round (struct gt_sweep *sweep, struct gt_target *target,
           struct gt_space *space, struct gt_measurements *table, unsigned round)
{
  int differ = threads_differ (space);
  int spaced = differ && target->ops->time_spaced;

  if (differ && target->ops->renew)
    target->ops->renew (target);
  for (unsigned k = 0; k < space->n && !gt_sweep_over (sweep, target); k++)
    {
      unsigned i = round % 2 ? space->n - 1 - k : k;
      struct gt_candidate *c = &space->candidate[i];

      if (gt_candidate_can_run (c) && !c->failed)
        time_once (sweep, target, &space->problem, c, spaced, table,
                   &table->measured[i]);
    }
}

int
gt_exhaustive_run (struct gt_sweep *sweep, struct gt_target *target,
                   struct gt_space *space, struct gt_measurements *table)
{
  const struct gt_effort_level *normal = &gt_effort_levels[GT_EFFORT_NORMAL];

  table->measured = calloc (space->n, sizeof *table->measured);
  if (table->measured == NULL)
    return -1;
  table->n = space->n;
  table->problem = space->problem;
  table->chosen_default = space->chosen_default;
  table->at_least[GT_TIMED_BRIEFLY] = normal->brief;
  table->at_least[GT_TIMED_LONGER] = normal->longer;
  for (unsigned i = 0; i < space->n && !gt_sweep_over (sweep, target); i++)
    if (gt_candidate_can_run (&space->candidate[i])
        && gt_verify (target, &space->candidate[i], &space->problem, 1))
      gt_sweep_exclude (sweep, target, &space->candidate[i]);
  for (unsigned round = 0; round < GT_REPEATS; round++)
    run_round (sweep, target, space, table, round);
  for (unsigned i = 0; i < space->n; i++)
    {
      struct gt_candidate *c = &space->candidate[i];

      table->measured[i].candidate = *c;
      if (!gt_candidate_can_run (c))
        continue;
      c->verdict = GT_KEPT;
      if (!c->failed && table->measured[i].n[GT_TIMED_LONGER])
        c->seconds = gt_measured_score (&table->measured[i]);
    }
  return 0;
}
