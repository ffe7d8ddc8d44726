/* How long a run of the tuner will take, before it begins.

   It is known how many candidates there are, and how often and how long each is timed,
   except for two things: how many rounds a race takes, and how long a sum takes where that
   is more than a timing should last.  The first is what races have taken (RACED,
   MORE_ROUNDS); the second is measured: of each kind of problem, a few of its candidates
   at lengths that grow until a sum takes long enough to be a measure for longer ones.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/duration.h"

#include <math.h>

#include "tuning/measure/clock.h"
#include "tuning/search/sweep.h"
#include "tuning/search/routes.h"
#include "tuning/store/measurements.h"

#define FIRST_N 1024
#define GROWS 8          /* times from one length to the next */
#define ENOUGH 2e-3      /* seconds of a sum that tell of longer ones */
#define MOST_BYTES ((size_t) 64 << 20) /* of test data */
/* Candidates of a kind.  In the complete tables of an H200, the mean of twelve that stand
   at equal distances is 0.90 to 1.13 times that of all that are kept.  That of three, the
   default among them, was as little as 0.38 times that, beside a kernel that is slow.  */
#define SAMPLES 12

/* This part of the candidates races, if the effort has them all race.  */
#define RACED 0.65
/* The winner and the default race again.  */
#define AGAIN 2
/* Beside the least number of rounds this part of those up to the most, in the mean of
   who leaves early and who stays: of the sweeps on those tables, 12 entrants and 9 to 40
   rounds, an entrant is timed 11.7 times; of 16 and 11 to 50 rounds just as often;
   on a CPU, with few entrants, 10 times.  */
#define MORE_ROUNDS 0.08
/* A timing takes so many times as long as it should last.  */
#define TIMING 1.2
/* Sums that the GPU computes in a timing, however long they take; if the second half of
   them did not last long enough, as many follow as do.  */
#define LEAST_SUMS 4
#define VERIFYING 3      /* sums that verifying takes as long as */
#define PEERS 8          /* sums that measuring GSL and plain loops takes as long as */
/* A search for a route times so many sums of a length, in each place of memory; a later
   one that finds what another has found, so many.  */
#define ROUTE_SUMS 100
#define KNOWN_ROUTE_SUMS 40
#define ROUTE_PLACES 3

static unsigned
kind_of (const struct gt_problem *p)
{
  return ((p->reduction * GT_N_ARITHMETICS + p->arithmetic) * GT_N_MODES
          + p->mode) * GT_N_LAYOUTS + p->layout;
}

/* ------------------------------------------------------------- Measuring */

/* The seconds of one sum by C, or -1.  The first is not counted: it loads the kernel, or
   makes threads.  */
static double
time_sum (struct gt_target *target, const struct gt_candidate *c,
          const struct gt_problem *problem)
{
  struct gt_task task = gt_problem_task (problem, target->buffer);
  union gt_value value;
  double begun = 0;

  for (int k = 0; k < 2; k++)
    {
      begun = gt_now ();
      if (target->ops->compute (target, c, &task, &value))
        return -1;
    }
  return gt_now () - begun;
}

/* Whether a sweep of EFFORT times C.  An exhaustive one also times what the model
   prunes, which is mostly slower.  */
static int
is_timed (const struct gt_candidate *c, enum gt_effort effort)
{
  return effort == GT_EFFORT_EXHAUSTIVE ? gt_candidate_can_run (c)
                                        : c->verdict == GT_KEPT;
}

/* Chooses the candidates to sample among those that are timed: all if they are few, else
   some at equal distances.  Returns how many.  */
static unsigned
choose_samples (const struct gt_space *space, enum gt_effort effort,
                const struct gt_candidate *sample[SAMPLES])
{
  unsigned n = 0, timed = 0, seen = 0;

  for (unsigned i = 0; i < space->n; i++)
    timed += is_timed (&space->candidate[i], effort) != 0;
  for (unsigned i = 0; i < space->n && n < SAMPLES; i++)
    {
      const struct gt_candidate *c = &space->candidate[i];

      if (!is_timed (c, effort))
        continue;
      if (timed <= SAMPLES || seen == (2 * n + 1) * timed / (2 * SAMPLES))
        sample[n++] = c;
      seen++;
    }
  return n;
}

/* The mean and the least seconds of sums by candidates of SPACE; 0, or -1.  */
static int
sample_sums (struct gt_target *target, const struct gt_space *space,
             enum gt_effort effort, double *mean, double *best)
{
  const struct gt_candidate *sample[SAMPLES];
  const unsigned n = choose_samples (space, effort, sample);
  double total = 0;
  unsigned done = 0;

  *best = INFINITY;
  for (unsigned i = 0; i < n; i++)
    {
      const double seconds = time_sum (target, sample[i], &space->problem);

      if (seconds < 0)
        continue;
      total += seconds;
      done++;
      *best = seconds < *best ? seconds : *best;
    }
  *mean = done ? total / done : 0;
  return done ? 0 : -1;
}

static void
measure_awkward (struct gt_pace *pace, const struct gt_space *space)
{
  double begun = 0;

  for (int k = 0; k < 2; k++) /* the first loads the kernel */
    {
      begun = gt_now ();
      gt_verify_awkward (pace->target, &space->candidate[space->chosen_default],
                         &space->problem);
    }
  pace->awkward = gt_now () - begun;
}

/* Finds out how quick problems like LONGEST are.  */
static void
measure_kind (struct gt_pace *pace, struct gt_problem longest,
              int (*stop) (void))
{
  struct gt_pace_kind *kind = &pace->kind[kind_of (&longest)];
  struct gt_problem p = longest;
  double mean, best;

  for (p.n = p.n < FIRST_N ? p.n : FIRST_N;
       p.n <= longest.n && gt_problem_span (&p) <= pace->target->bytes
         && !stop ();
       p.n *= GROWS)
    {
      const double span = (double) gt_problem_span (&p);
      struct gt_space space;
      int failed;

      if (gt_space_init (&space, &p, pace->target->device, pace->target->gpu))
        return;
      if (pace->awkward <= 0)
        measure_awkward (pace, &space);
      failed = sample_sums (pace->target, &space, pace->effort, &mean,
                            &best);
      gt_space_clear (&space);
      if (failed)
        return;
      if (!kind->known)
        kind->fixed = mean;
      kind->known = 1;
      kind->per_byte = mean > kind->fixed ? (mean - kind->fixed) / span : 0;
      kind->best = mean > 0 ? best / mean : 1;
      if (mean > ENOUGH)
        return;
    }
}

/* Loads data for PROBLEM, unless it is there.  Returns 0 or -1.  */
static int
load_for (struct gt_pace *pace, const struct gt_problem *problem)
{
  struct gt_target *target = pace->target;
  const size_t span = gt_problem_span (problem);
  const size_t bytes = span < MOST_BYTES ? span : MOST_BYTES;
  const double begun = gt_now ();
  double rate;

  if (gt_target_load (target, problem, bytes))
    return -1;
  rate = (gt_now () - begun) / (double) target->bytes;
  pace->loading = rate > pace->loading ? rate : pace->loading;
  return 0;
}

/* Returns the longest of LIST that is like its member I, or null when one before I is
   like it.  */
static const struct gt_problem *
longest_like (const struct gt_problem *list, unsigned n, unsigned i)
{
  const struct gt_problem *longest = &list[i];

  for (unsigned k = 0; k < n; k++)
    if (gt_problem_alike (&list[k], &list[i]))
      {
        if (k < i)
          return NULL;
        longest = list[k].n > longest->n ? &list[k] : longest;
      }
  return longest;
}

int
gt_pace_measure (struct gt_pace *pace, const struct gt_problem *list, unsigned n,
                 int (*stop) (void))
{
  struct gt_target *target = pace->target;
  double begun;

  for (unsigned i = 0; i < n && !stop (); i++)
    {
      const struct gt_problem *longest = longest_like (list, n, i);

      if (longest == NULL)
        continue;
      if (target->ops->lost (target) || load_for (pace, longest))
        return -1;
      measure_kind (pace, *longest, stop);
    }
  begun = gt_now ();
  if (target->ops->renew)
    target->ops->renew (target);
  pace->renewing = gt_now () - begun;
  return stop () ? -1 : 0;
}

/* ------------------------------------------------------------- Foretelling */

/* The seconds of a timing that should last AT_LEAST, of sums of so many SECONDS.  */
static double
timing (const struct gt_pace *pace, double at_least, double seconds)
{
  const double lasts = TIMING * at_least;

  if (pace->target->gpu)
    return LEAST_SUMS * seconds
           + (LEAST_SUMS / 2 * seconds < at_least ? lasts : 0);
  return lasts > seconds ? lasts : seconds;
}

/* An estimate of a problem's times.  */
struct outlook
{
  const struct gt_effort_level *level;
  unsigned kept, all; /* candidates, without those that cannot be launched */
  int pauses;         /* some have more threads than others */
  double mean, best;  /* seconds of a sum */
};

static struct outlook
look (const struct gt_pace *pace, const struct gt_problem *problem,
      const struct gt_space *space)
{
  const struct gt_pace_kind *kind = &pace->kind[kind_of (problem)];
  struct outlook o = {.level = &gt_effort_levels[pace->effort]};
  unsigned threads = 0;

  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *c = &space->candidate[i];

      o.kept += c->verdict == GT_KEPT;
      o.all += gt_candidate_can_run (c) != 0;
      if (c->verdict != GT_KEPT)
        continue;
      o.pauses |= threads && c->config.threads != threads;
      threads = c->config.threads;
    }
  o.mean = kind->fixed + kind->per_byte * (double) gt_problem_span (problem);
  o.best = o.mean * kind->best;
  o.pauses &= o.best < GT_NO_PAUSE && pace->target->ops->time_spaced != NULL;
  return o;
}

/* The time by which a pause is longer than a timing.  */
static double
spaced (const struct outlook *o)
{
  return o->pauses ? GT_SPACED_SUMS * (GT_PAUSE + o->best) : 0;
}

static double
race_seconds (const struct gt_pace *pace, const struct outlook *o)
{
  const struct gt_effort_level *level = o->level;
  const unsigned most_entrants = gt_sweep_entrants (level, o->best);
  double rounds, entrants = RACED * o->kept;
  unsigned least, most;

  gt_race_rounds (level, o->best, &least, &most);
  rounds = least + MORE_ROUNDS * (most - least);
  entrants = entrants < 1 ? 1
             : entrants < most_entrants ? entrants : most_entrants;
  return rounds * (pace->renewing
                   + (entrants + AGAIN) * (timing (pace, level->longer, o->best)
                                 + spaced (o)))
         + entrants * VERIFYING * o->best;
}

static double
exhaustive_seconds (const struct gt_pace *pace, const struct outlook *o)
{
  const struct gt_effort_level *normal = &gt_effort_levels[GT_EFFORT_NORMAL];

  return o->all * (pace->awkward + VERIFYING * o->mean
                   + GT_REPEATS * (timing (pace, normal->brief, o->mean)
                                   + timing (pace, normal->longer, o->mean)
                                   + spaced (o)));
}

/* The first of a kind has its candidates verified.  */
static double
brief_seconds (struct gt_pace *pace, const struct gt_problem *problem,
               const struct outlook *o)
{
  struct gt_pace_kind *kind = &pace->kind[kind_of (problem)];
  const double verifying = kind->verified ? 0 : o->kept * pace->awkward;

  kind->verified = 1;
  return verifying + o->kept * 2 * timing (pace, o->level->brief, o->mean);
}

static double
space_seconds (struct gt_pace *pace, const struct gt_space *space)
{
  const struct outlook o = look (pace, &space->problem, space);
  double seconds = race_seconds (pace, &o)
                   + (pace->effort == GT_EFFORT_EXHAUSTIVE
                        ? exhaustive_seconds (pace, &o)
                        : brief_seconds (pace, &space->problem, &o));

  if (pace->target->gpu == NULL)
    seconds += PEERS * (o.level->longer > o.mean ? o.level->longer : o.mean);
  return seconds;
}

double
gt_pace_space (struct gt_pace *pace, const struct gt_space *space)
{
  struct gt_pace_kind *kind = &pace->kind[kind_of (&space->problem)];
  double mean, best;

  if (gt_space_count (space, GT_KEPT) == 0
      || sample_sums (pace->target, space, pace->effort, &mean, &best))
    return 0;
  measure_awkward (pace, space);
  *kind = (struct gt_pace_kind) {.known = 1, .fixed = mean,
                                 .best = mean > 0 ? best / mean : 1};
  return space_seconds (pace, space);
}

double
gt_pace_sweeps (struct gt_pace *pace, const struct gt_problem *list, unsigned n)
{
  double seconds = 0, loaded = 0;

  for (unsigned i = 0; i < n; i++)
    {
      const struct gt_problem *p = &list[i];
      const double span = (double) gt_problem_span (p);
      struct gt_space space;

      if (gt_space_init (&space, p, pace->target->device, pace->target->gpu) == 0)
        {
          seconds += space_seconds (pace, &space);
          gt_space_clear (&space);
        }
      /* The data of the problem before is there.  */
      if (i == 0 || p[-1].arithmetic != p->arithmetic || p[-1].n != p->n
          || gt_data_kind_for (&p[-1]) != gt_data_kind_for (p))
        loaded = 0;
      if (span > loaded)
        {
          seconds += pace->loading * (span - loaded);
          loaded = span;
        }
    }
  return seconds;
}

double
gt_pace_crossings (const struct gt_pace *pace, const struct gt_problem *list,
                   unsigned n)
{
  const unsigned last = gt_effort_levels[pace->effort].route_last;
  double seconds = 0;

  for (unsigned i = 0; i < n; i++)
    for (unsigned k = GT_ROUTE_FIRST; k <= last; k += GT_ROUTE_STEP)
      {
        const struct gt_pace_kind *kind = &pace->kind[kind_of (&list[i])];
        const double sum
          = kind->fixed + kind->per_byte * ldexp (1, (int) k);

        seconds += ROUTE_PLACES * (i == 0 ? ROUTE_SUMS : KNOWN_ROUTE_SUMS)
                   * (sum > GT_ROUTE_TIMING ? sum : GT_ROUTE_TIMING);
      }
  return seconds;
}
