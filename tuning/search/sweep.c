/* Finding the best configuration of one problem.

   Algorithm.  Every candidate is verified, then timed briefly.  The best are
   timed again, longer, three times.  The best of these and the default meet in
   rounds, each timing all of them one after the other, so that a drift of the
   clock or of the machine's load hits all alike; medians over the rounds count.
   A timing counts when others agree with it: one that was plainly disturbed is
   left out, and more rounds make up for it.  What lies within the measured
   spread of the best is a tie.  If the default is in the tie it stays; else the
   simplest of the tie wins, so that two runs agree.

   Limitations.  The first stage compares the better of two timings, milliseconds
   apart: a candidate that is disturbed all that time falls behind the
   contenders and is lost.  On a machine that is busy throughout, several
   threads look worse than they are; the share of disturbed timings tells of
   it.  Lengths between the tuned ones are served by the nearest.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuning/measure/ceiling.h"
#include "tuning/measure/gsl_reference.h"

const struct gt_effort_level gt_effort_levels[] = {
  [GT_EFFORT_QUICK] = {5e-5, 2e-4, 4, 2, 5, 6, 22, 4, 10, 26, 4, 27, 8},
  [GT_EFFORT_NORMAL] = {2e-4, 1e-3, 10, 4, 11, 4, 24, 2, 10, 28, 2, 31, 0},
  [GT_EFFORT_THOROUGH] = {1e-3, 4e-3, 12, 5, 21, 2, 26, 1, 8, 30, 1, 32, 0}
};

/* Two results nearer than this are alike, however quiet the machine.  */
#define TIE 0.01
#define MOST_FINALISTS 8
#define MOST_ROUNDS 32
/* A timing longer than its quickest sibling by this factor was disturbed; so
   many times the rounds are made to have enough that were not.  */
#define DISTURBED 1.5
#define PATIENCE 2
/* Rounds are fewer when one timing lasts this long, in seconds.  */
#define SLOW 5e-3
#define SLOW_ROUNDS 5

void
gt_sweep_clear (struct gt_sweep *sweep)
{
  free (sweep->verified);
  free (sweep->verified_as);
  sweep->verified = NULL;
  sweep->verified_as = NULL;
  sweep->n_verified = sweep->room = 0;
}

/* The awkward lengths are the same for every length tuned: once is enough.  */
static int
was_verified (const struct gt_sweep *sweep, const struct gt_candidate *c,
              const struct gt_problem *p)
{
  for (unsigned i = 0; i < sweep->n_verified; i++)
    if (sweep->verified[i].kernel == c->kernel
        && memcmp (&sweep->verified[i].config, &c->config, sizeof c->config)
             == 0
        && sweep->verified_as[i].arithmetic == p->arithmetic
        && sweep->verified_as[i].mode == p->mode
        && sweep->verified_as[i].layout == p->layout)
      return 1;
  return 0;
}

static void
note_verified (struct gt_sweep *sweep, const struct gt_candidate *c,
               const struct gt_problem *p)
{
  if (sweep->n_verified == sweep->room)
    {
      unsigned room = sweep->room ? 2 * sweep->room : 256;
      struct gt_candidate *v
        = realloc (sweep->verified, room * sizeof *sweep->verified);
      struct gt_problem *as;

      if (v == NULL)
        return; /* it will be verified again */
      sweep->verified = v;
      as = realloc (sweep->verified_as, room * sizeof *sweep->verified_as);
      if (as == NULL)
        return;
      sweep->verified_as = as;
      sweep->room = room;
    }
  sweep->verified[sweep->n_verified] = *c;
  sweep->verified_as[sweep->n_verified++] = *p;
}

static void
exclude (struct gt_sweep *sweep, struct gt_candidate *c)
{
  c->failed = 1;
  sweep->last_failed = c;
}

/* Times a candidate; a failure excludes it.  */
static void
measure (struct gt_sweep *sweep, struct gt_target *target,
         const struct gt_problem *problem, struct gt_candidate *c,
         double at_least)
{
  double seconds;

  if (target->ops->time (target, c, problem, at_least, &seconds, c->why,
                         sizeof c->why))
    exclude (sweep, c);
  else
    c->seconds = seconds;
}

/* Whether to measure no more.  */
static int
over (const struct gt_sweep *sweep, const struct gt_target *target)
{
  return sweep->stop () || target->ops->lost (target);
}

/* Fastest first, failed ones last.  */
static int
by_time (const void *a, const void *b)
{
  const struct gt_candidate *x = *(struct gt_candidate *const *) a;
  const struct gt_candidate *y = *(struct gt_candidate *const *) b;

  if (x->failed != y->failed)
    return x->failed - y->failed;
  if (x->seconds != y->seconds)
    return x->seconds < y->seconds ? -1 : 1;
  return gt_candidate_compare (x, y);
}

static unsigned
count_sound (struct gt_candidate **list, unsigned n)
{
  unsigned sound = 0;

  while (sound < n && !list[sound]->failed)
    sound++;
  return sound;
}

/* The quicker of two timings: what disturbs one, the start of threads above all,
   only ever makes it longer.  */
static void
measure_twice (struct gt_sweep *sweep, struct gt_target *target,
               const struct gt_problem *problem, struct gt_candidate *c,
               double at_least)
{
  double first;

  measure (sweep, target, problem, c, at_least);
  first = c->seconds;
  if (!c->failed)
    measure (sweep, target, problem, c, at_least);
  if (first < c->seconds)
    c->seconds = first;
}

/* Stage one: verify and time every kept candidate.  Returns how many are
   sound, sorted; stops early when told to.  */
static unsigned
stage_brief (struct gt_sweep *sweep, struct gt_target *target,
             struct gt_space *space, struct gt_candidate **list)
{
  const struct gt_effort_level *level = &gt_effort_levels[sweep->effort];
  unsigned n = 0;

  for (unsigned i = 0; i < space->n && !over (sweep, target); i++)
    {
      struct gt_candidate *c = &space->candidate[i];
      int seen = was_verified (sweep, c, &space->problem);

      if (c->verdict != GT_KEPT)
        continue;
      list[n++] = c;
      if (gt_verify (target, c, &space->problem, !seen, c->why, sizeof c->why))
        {
          exclude (sweep, c);
          continue;
        }
      if (!seen)
        note_verified (sweep, c, &space->problem);
      measure_twice (sweep, target, &space->problem, c, level->brief);
    }
  qsort (list, n, sizeof *list, by_time);
  return count_sound (list, n);
}

/* Stage two: the contenders again, longer, the median of three.  */
static unsigned
stage_longer (struct gt_sweep *sweep, struct gt_target *target,
              const struct gt_problem *problem, struct gt_candidate **list,
              unsigned n)
{
  const struct gt_effort_level *level = &gt_effort_levels[sweep->effort];

  if (n > level->contenders)
    n = level->contenders;
  for (unsigned i = 0; i < n && !over (sweep, target); i++)
    {
      double seconds[3];

      for (int k = 0; k < 3 && !list[i]->failed; k++)
        {
          measure (sweep, target, problem, list[i], level->longer);
          seconds[k] = list[i]->seconds;
        }
      if (!list[i]->failed)
        list[i]->seconds = gt_median (seconds, 3, NULL);
    }
  qsort (list, n, sizeof *list, by_time);
  return count_sound (list, n);
}

struct finals
{
  struct gt_candidate *candidate[MOST_FINALISTS + 1];
  unsigned n, rounds;
  double seconds[MOST_FINALISTS + 1][PATIENCE * MOST_ROUNDS];
};

/* Keeps those of N timings that nothing disturbed; returns how many.  */
static unsigned
keep_quiet (double *seconds, unsigned n)
{
  double quickest = n ? seconds[0] : 0;
  unsigned kept = 0;

  for (unsigned i = 1; i < n; i++)
    quickest = seconds[i] < quickest ? seconds[i] : quickest;
  for (unsigned i = 0; i < n; i++)
    if (seconds[i] <= DISTURBED * quickest)
      seconds[kept++] = seconds[i];
  return kept;
}

/* Whether, after the rounds so far, every finalist has as many quiet timings
   as there should be rounds.  */
static int
enough_rounds (const struct finals *f, unsigned so_far)
{
  double copy[PATIENCE * MOST_ROUNDS];

  if (so_far < f->rounds)
    return 0;
  for (unsigned i = 0; i < f->n; i++)
    {
      memcpy (copy, f->seconds[i], so_far * sizeof *copy);
      if (!f->candidate[i]->failed && keep_quiet (copy, so_far) < f->rounds)
        return 0;
    }
  return 1;
}

/* Stage three: finalists in rounds; more of them where timings disagree.
   Returns how many are sound; the order stays.  */
static unsigned
stage_finals (struct gt_sweep *sweep, struct gt_target *target,
              const struct gt_problem *problem, struct finals *f)
{
  double at_least = gt_effort_levels[sweep->effort].longer;
  unsigned r, sound = 0;

  for (r = 0; r < PATIENCE * f->rounds && !enough_rounds (f, r); r++)
    for (unsigned i = 0; i < f->n; i++)
      {
        /* Every other round runs backwards: nobody is always first.  */
        unsigned k = r % 2 ? f->n - 1 - i : i;
        struct gt_candidate *c = f->candidate[k];

        if (c->failed || over (sweep, target))
          continue;
        measure (sweep, target, problem, c, at_least);
        f->seconds[k][r] = c->seconds;
      }
  for (unsigned i = 0; i < f->n && !over (sweep, target); i++)
    {
      struct gt_candidate *c = f->candidate[i];
      unsigned quiet;

      if (c->failed)
        continue;
      quiet = keep_quiet (f->seconds[i], r);
      c->seconds = gt_median (f->seconds[i], quiet, &c->spread);
      sweep->timings += r;
      sweep->disturbed += r - quiet;
      sound++;
    }
  return sound;
}

/* The winner of the finals, of whom one is sound at least.  CHOSEN is the
   default.  */
static struct gt_candidate *
decide (const struct finals *f, struct gt_candidate *chosen)
{
  struct gt_candidate *const *list = f->candidate;
  struct gt_candidate *best = NULL, *winner;
  double margin;

  for (unsigned i = 0; i < f->n; i++)
    if (!list[i]->failed && (best == NULL || list[i]->seconds < best->seconds))
      best = list[i];
  margin = best->spread > TIE ? best->spread : TIE;
  if (!chosen->failed && chosen->seconds <= best->seconds * (1 + margin))
    return chosen;
  winner = best;
  for (unsigned i = 0; i < f->n; i++)
    if (!list[i]->failed && list[i]->seconds <= best->seconds * (1 + margin)
        && gt_candidate_compare (list[i], winner) < 0)
      winner = list[i];
  return winner;
}

/* Whether the highest theoretical occupancy, among ties the simplest, would
   have found the winner or one within 2% of it.  */
static int
occupancy_predicted (const struct gt_space *space,
                     const struct gt_candidate *winner)
{
  const struct gt_candidate *first;

  if (winner->kernel->device != GT_CUDA)
    return -1;
  first = gt_space_model_choice (space);
  return first && first->seconds <= 1.02 * winner->seconds;
}

static void
fill_entry (const struct gt_sweep *sweep, const struct gt_space *space,
            const struct gt_candidate *winner, struct gt_entry *entry)
{
  const struct gt_candidate *chosen = &space->candidate[space->chosen_default];

  *entry = (struct gt_entry) {
    .problem = space->problem,
    .kernel = winner->kernel,
    .config = winner->config,
    .effort = sweep->effort,
    .seconds = winner->seconds,
    .spread = winner->spread,
    .default_seconds = chosen->failed ? 0 : chosen->seconds,
    .occupancy_predicted = occupancy_predicted (space, winner)
  };
  for (unsigned i = 0; i < space->n; i++)
    {
      entry->candidates += space->candidate[i].verdict == GT_KEPT;
      entry->pruned += space->candidate[i].verdict != GT_KEPT;
      entry->failed += space->candidate[i].failed != 0;
    }
}

/* The finalists: the best of LIST and, always, the default.  */
static void
choose_finalists (const struct gt_effort_level *level,
                  struct gt_candidate **list, unsigned n,
                  struct gt_candidate *chosen, struct finals *f)
{
  unsigned with_default = 0;

  f->n = 0;
  for (unsigned i = 0; i < n && f->n < level->finalists; i++)
    {
      f->candidate[f->n++] = list[i];
      with_default |= list[i] == chosen;
    }
  if (!with_default && !chosen->failed)
    f->candidate[f->n++] = chosen;
  f->rounds = n && list[0]->seconds > SLOW ? SLOW_ROUNDS : level->rounds;
}

/* Why there is nothing to save, after a stage that left SOUND candidates;
   GT_SWEEP_DONE: go on.  */
static enum gt_sweep_status
after_stage (const struct gt_sweep *sweep, const struct gt_target *target,
             unsigned sound, char *why, size_t why_size)
{
  const struct gt_candidate *c = sweep->last_failed;
  char config[96];

  if (target->ops->lost (target))
    {
      if (c)
        gt_config_text (c->kernel, &c->config, config, sizeof config);
      snprintf (why, why_size, "%s%s%s", c ? config : "", c ? ": " : "",
                c ? c->why : "it no longer answers");
      return GT_SWEEP_LOST;
    }
  if (sweep->stop ())
    return GT_SWEEP_STOPPED;
  if (sound > 0)
    return GT_SWEEP_DONE;
  snprintf (why, why_size, "no candidate works; the last to fail: %s",
            c ? c->why : "there is none");
  return GT_SWEEP_FAILED;
}

/* What the winner on the host is compared with.  */
static void
measure_peers (const struct gt_target *target, double at_least,
               struct gt_entry *entry)
{
  size_t span = gt_problem_span (&entry->problem);
  unsigned all = (unsigned) target->device->host.threads;

  entry->gsl_seconds
    = gt_time_gsl (&entry->problem, target->buffer, at_least);
  entry->one_reads = gt_ceiling_seconds (target->buffer, span, 1, at_least);
  entry->all_read
    = all > 1 ? gt_ceiling_seconds (target->buffer, span, all, at_least)
              : entry->one_reads;
}

static enum gt_sweep_status
run_stages (struct gt_sweep *sweep, struct gt_target *target,
            struct gt_space *space, struct gt_candidate **list,
            struct gt_entry *entry, char *why, size_t why_size)
{
  const struct gt_effort_level *level = &gt_effort_levels[sweep->effort];
  struct gt_candidate *chosen = &space->candidate[space->chosen_default];
  struct finals finals;
  unsigned n = stage_brief (sweep, target, space, list), sound;
  enum gt_sweep_status status = after_stage (sweep, target, n, why, why_size);

  if (status != GT_SWEEP_DONE)
    return status;
  n = stage_longer (sweep, target, &space->problem, list, n);
  choose_finalists (level, list, n, chosen, &finals);
  status = after_stage (sweep, target, finals.n, why, why_size);
  if (status != GT_SWEEP_DONE)
    return status;
  sound = stage_finals (sweep, target, &space->problem, &finals);
  status = after_stage (sweep, target, sound, why, why_size);
  if (status != GT_SWEEP_DONE)
    return status;
  fill_entry (sweep, space, decide (&finals, chosen), entry);
  if (target->gpu == NULL)
    measure_peers (target, level->longer, entry);
  return GT_SWEEP_DONE;
}

enum gt_sweep_status
gt_sweep_run (struct gt_sweep *sweep, struct gt_target *target,
              struct gt_space *space, struct gt_entry *entry, char *why,
              size_t why_size)
{
  struct gt_candidate **list = malloc (space->n * sizeof *list);
  enum gt_sweep_status status;

  if (list == NULL)
    {
      snprintf (why, why_size, "memory is short");
      return GT_SWEEP_FAILED;
    }
  sweep->last_failed = NULL;
  status = run_stages (sweep, target, space, list, entry, why, why_size);
  free (list);
  return status;
}
