/* Finding the best configuration of one problem.

   Algorithm.  Every candidate is verified at the awkward lengths, then timed briefly.
   On a CPU candidates come with more and more threads: where twice as many were no
   faster than half as many, twice as many again are not timed, nor is an unroll factor
   that was far behind with fewer threads.  The best, the best with each number of
   threads, and the default are verified at the problem's length and meet in a race
   (race.c), which the winner of the length before wins unless the default is better by
   enough, and so on from the simplest candidate on.

   Threads.  How fast several threads are depends on where the system has put them,
   and stays so for as long as they live: each round has threads of its own.  And it
   depends on whether they are awake.  Sums one right after the other find them so;
   a program that does something else in between does not, and then waking them may
   take longer than the sum.  As it is not known which of these a program does, where
   entrants differ in threads both are timed, and the geometric mean counts: to gain
   a factor in one is worth as much as to lose it in the other.

   Limitations.  The first stage compares the better of two timings, milliseconds
   apart: a candidate that is disturbed all that time may be lost.  On a machine that
   is busy throughout, several threads look worse than they are; the share of
   disturbed timings tells of it.  Lengths between the tuned ones are served by the
   nearest.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/sweep.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/profile/profile_private.h"
#include "tuning/measure/called.h"
#include "tuning/measure/ceiling.h"
#include "tuning/measure/listed.h"
#include "tuning/search/race.h"

/* A candidate that took so many times as long as the best leaves after the first stage.  The
   best one with some number of threads leaves later: in the first stage there are no pauses in
   which threads fall asleep, which makes a difference for them.  */
#define BEHIND 1.5
#define FAR_BEHIND 4
/* More threads must gain this much for still more to be timed, and an unroll factor
   that lost so much with fewer threads is not timed with more.  */
#define GAIN 1.05
#define LOST 1.25
/* A first timing of so many seconds or more is not repeated, because what disturbs it is
   short beside it.  Few of such sums race: they wait for the memory, and a candidate that is
   worth choosing is ahead in the first stage.  */
#define SLOW 2e-3
/* Nor is one by a GPU's own clock, which seldom is disturbed, when it is so many times the
   best.  */
#define OUTRUN 1.2
/* The winner is so many times as fast as a simpler candidate: this is half of what a
   choice may cost, because the simpler one may seem better than it is by as much
   again.  More threads have to be worth what they take from other programs.  */
#define BETTER 1.01
#define BETTER_BY_THREADS 1.02
/* No pause makes a difference to sums longer than this, in seconds.  */
#define NO_PAUSE 5e-3
/* A timing in which others had this part of its processor's time does not count, nor for
   what is told of a candidate one longer than its quickest by this factor.  */
#define LACKING 0.25
#define DISTURBED 1.5

/* --------------------------------------------- What the stages share */

const struct gt_effort_level gt_effort_levels[] = {
  [GT_EFFORT_QUICK] = {5e-5, 2e-4, 4, 3, 5, 6, 22, 4, 1 << 28, 10, 26, 4, 27, 8},
  [GT_EFFORT_NORMAL] = {2e-4, 3e-4, 12, 3, 9, 4, 24, 2, 1 << 28, 10, 28, 2, 31, 0},
  [GT_EFFORT_THOROUGH] = {1e-3, 2e-3, 16, 16, 15, 2, 26, 1, UINT64_MAX, 8, 30, 1, 32, 0},
};

void
gt_sweep_clear (struct gt_sweep *sweep)
{
  free (sweep->verified);
  sweep->verified = NULL;
  sweep->n_verified = 0;
}

/* Notes that C is wrong or fails, and why.  */
static void
exclude (struct gt_sweep *sweep, struct gt_candidate *c)
{
  c->failed = 1;
  gt_profile_fail (c->why, sizeof c->why, "%s", sweep->target->why);
  sweep->last_failed = c;
}

/* Checks whether to measure no more.  */
static int
is_over (const struct gt_sweep *sweep)
{
  return sweep->stop () || sweep->target->ops->lost (sweep->target);
}

/* Times C, at least AT_LEAST seconds long, and gives the SECONDS of one sum.  Returns 0, or
   -1: C has failed, and is excluded.  */
static int
time_once (struct gt_sweep *sweep, struct gt_candidate *c, double at_least, double *seconds)
{
  if (sweep->target->ops->time (sweep->target, c, &sweep->space->problem,
                                at_least, seconds)
      == 0)
    return 0;
  exclude (sweep, c);
  return -1;
}

/* --------------------------------------------------------- The stages */

/* The awkward lengths are the same for every length tuned: once is enough.  */
static int
was_verified (const struct gt_sweep *sweep, const struct gt_candidate *c)
{
  for (unsigned i = 0; i < sweep->n_verified; i++)
    if (sweep->verified[i].kernel == c->kernel
        && gt_config_equal (&sweep->verified[i].config, &c->config)
        && gt_problem_alike (&sweep->verified[i].problem, &sweep->space->problem))
      return 1;
  return 0;
}

static void
note_verified (struct gt_sweep *sweep, const struct gt_candidate *c)
{
  struct gt_verified *more
    = realloc (sweep->verified, (sweep->n_verified + 1) * sizeof *more);

  if (more == NULL)
    return; /* it will be verified again */
  sweep->verified = more;
  more[sweep->n_verified++]
    = (struct gt_verified) {c->kernel, c->config, sweep->space->problem};
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

/* Sorts LIST; returns how many of its N are sound.  */
static unsigned
sort (struct gt_candidate **list, unsigned n)
{
  unsigned sound = 0;

  qsort (list, n, sizeof *list, by_time);
  while (sound < n && !list[sound]->failed)
    sound++;
  return sound;
}

/* The quicker of two timings: what disturbs one, the start of threads above all,
   only ever makes it longer.  BEST is the quickest candidate's so far.  */
static void
measure_twice (struct gt_sweep *sweep, struct gt_candidate *c, double *best)
{
  const double at_least = gt_effort_levels[sweep->effort].brief;
  double first;

  if (time_once (sweep, c, at_least, &c->seconds))
    return;
  first = c->seconds;
  if (first < SLOW && (sweep->target->gpu == NULL || first < OUTRUN * *best))
    time_once (sweep, c, at_least, &c->seconds);
  if (first < c->seconds)
    c->seconds = first;
  if (c->seconds < *best)
    *best = c->seconds;
}

/* The largest number of threads below LIMIT with which KERNEL was timed, or 0; and the
   quickest time with so many in *BEST.  */
static unsigned
fewer_threads (const struct gt_space *space, const struct gt_kernel *kernel,
               unsigned limit, double *best)
{
  unsigned threads = 0;

  *best = 0;
  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *c = &space->candidate[i];

      if (c->kernel != kernel || c->config.threads >= limit
          || c->config.threads < threads || c->failed || c->seconds <= 0)
        continue;
      if (c->config.threads > threads || c->seconds < *best)
        *best = c->seconds;
      threads = c->config.threads;
    }
  return threads;
}

/* Whether what was timed with fewer threads rules C out.  */
static int
needless (const struct gt_space *space, const struct gt_candidate *c)
{
  double best, best_of_quarter;
  unsigned half = fewer_threads (space, c->kernel, c->config.threads, &best);
  unsigned quarter
    = fewer_threads (space, c->kernel, half, &best_of_quarter);

  if (half == 0 || c == &space->candidate[space->chosen_default])
    return 0;
  if (quarter && best * GAIN > best_of_quarter)
    return 1;
  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *other = &space->candidate[i];

      if (other->kernel == c->kernel && other->config.threads == half
          && other->config.unroll == c->config.unroll
          && (other->verdict == GT_PRUNED_THREADS
              || other->seconds > LOST * best))
        return 1;
    }
  return 0;
}

/* Whether C is; else it is excluded.  */
static int
is_right_at_awkward_lengths (struct gt_sweep *sweep, struct gt_candidate *c)
{
  const int failed = gt_verify_awkward (sweep->target, c, &sweep->space->problem);

  if (failed)
    exclude (sweep, c);
  return !failed;
}

/* Stage one: verify and time every kept candidate, and put it into LIST.  Returns how
   many; stops early when told to.  */
static unsigned
stage_brief (struct gt_sweep *sweep, struct gt_candidate **list)
{
  struct gt_space *space = sweep->space;
  double best = INFINITY;
  unsigned n = 0;

  for (unsigned i = 0; i < space->n && !is_over (sweep); i++)
    {
      struct gt_candidate *c = &space->candidate[i];
      int seen = was_verified (sweep, c);

      if (c->verdict == GT_KEPT && needless (space, c))
        c->verdict = GT_PRUNED_THREADS;
      if (c->verdict != GT_KEPT)
        continue;
      list[n++] = c;
      if (!seen && !is_right_at_awkward_lengths (sweep, c))
        continue;
      if (!seen)
        note_verified (sweep, c);
      measure_twice (sweep, c, &best);
    }
  return n;
}

/* ------------------------------------------------------------ The race */

/* Candidates that race: that of the length before and the default, if they are sound, and
   the others from the simplest on.  */
struct field
{
  struct gt_sweep *sweep;
  struct gt_candidate *entrant[GT_MOST_ENTRANTS];
  unsigned n;
  int pauses; /* they differ in threads */
  double plain[GT_MOST_ENTRANTS][GT_MOST_ROUNDS]; /* seconds among other sums */
  unsigned rounds[GT_MOST_ENTRANTS];
};

/* Lets C into the race, if there is room and its sums are right.  */
static void
enter (struct field *field, struct gt_candidate *c)
{
  struct gt_sweep *const sweep = field->sweep;

  for (unsigned i = 0; i < field->n; i++)
    if (field->entrant[i] == c)
      return;
  if (c->failed || field->n == GT_MOST_ENTRANTS || is_over (sweep))
    return;
  if (gt_verify (sweep->target, c, &sweep->space->problem, 0))
    exclude (sweep, c);
  else
    field->entrant[field->n++] = c;
}

/* Whether one with as many threads as C is in the race.  */
static int
is_represented (const struct field *field, const struct gt_candidate *c)
{
  for (unsigned i = 0; i < field->n; i++)
    if (field->entrant[i]->config.threads == c->config.threads)
      return 1;
  return 0;
}

static int
by_simplicity (const void *a, const void *b)
{
  return gt_candidate_compare (*(struct gt_candidate *const *) a,
                               *(struct gt_candidate *const *) b);
}

/* Chooses who races among the N in LIST, which are in the order of their times:
   the best of each number of threads, the best of all, and always the default.  */
static void
choose_entrants (struct field *field, struct gt_candidate **list, unsigned n,
                 struct gt_candidate *chosen)
{
  const struct gt_sweep *const sweep = field->sweep;
  const double best = list[0]->seconds;
  const double far = best > NO_PAUSE ? BEHIND : FAR_BEHIND;
  const struct gt_effort_level *level = &gt_effort_levels[sweep->effort];
  const unsigned room = best > SLOW ? level->slow_entrants : level->entrants;
  unsigned first;

  for (unsigned i = 0; i < n; i++)
    if (list[i]->kernel == sweep->before
        && gt_config_equal (&list[i]->config, &sweep->before_config))
      enter (field, list[i]);
  enter (field, chosen);
  first = field->n;
  for (unsigned i = 0; i < n && (field->n == 0 || list[i]->seconds < far * best); i++)
    if (!is_represented (field, list[i]))
      enter (field, list[i]);
  for (unsigned i = 0; i < n && field->n < room && list[i]->seconds < BEHIND * best; i++)
    enter (field, list[i]);
  qsort (field->entrant + first, field->n - first, sizeof *field->entrant, by_simplicity);
}

static double
time_entrant (void *closure, unsigned e)
{
  struct field *const field = closure;
  struct gt_sweep *const sweep = field->sweep;
  struct gt_target *const target = sweep->target;
  struct gt_candidate *const c = field->entrant[e];
  double seconds;

  if (is_over (sweep)
      || time_once (sweep, c, gt_effort_levels[sweep->effort].longer, &seconds))
    return (double) INFINITY;
  sweep->timings++;
  if (target->lacking > LACKING)
    {
      sweep->disturbed++;
      return 0;
    }
  field->plain[e][field->rounds[e]++] = seconds;
  if (field->pauses)
    seconds = sqrt (seconds * target->ops->time_spaced (target, c, &sweep->space->problem));
  return seconds;
}

static void
renew_threads (void *closure)
{
  struct gt_target *const target = ((struct field *) closure)->sweep->target;

  target->ops->renew (target);
}

/* Fills the entrants in from their rounds.  */
static void
note_times (struct field *field)
{
  for (unsigned e = 0; e < field->n; e++)
    {
      struct gt_candidate *const c = field->entrant[e];
      double *const plain = field->plain[e];
      unsigned n = field->rounds[e];

      if (c->failed || n == 0)
        continue;
      gt_median (plain, n, NULL); /* sorts */
      for (; plain[n - 1] > DISTURBED * plain[0]; n--)
        field->sweep->disturbed++;
      c->seconds = gt_median (plain, n, &c->spread);
    }
}

/* Returns the winner of FIELD, CHOSEN or else the first if nothing that was measured
   counts; null if an entrant has failed.  */
static struct gt_candidate *
run_race (struct field *field, struct gt_candidate *chosen)
{
  struct gt_race race
    = {.n = field->n, .better = BETTER,
       .rounds = field->n > 1 ? gt_effort_levels[field->sweep->effort].rounds : 1,
       .by_threads = BETTER_BY_THREADS, .closure = field, .time = time_entrant};
  const struct gt_target *const target = field->sweep->target;
  unsigned least = UINT_MAX, most = 0, winner;
  double seconds[GT_MOST_ENTRANTS], quickest = INFINITY;

  for (unsigned e = 0; e < field->n; e++)
    {
      const struct gt_candidate *const c = field->entrant[e];

      race.threads[e] = c->config.threads;
      least = c->config.threads < least ? c->config.threads : least;
      most = c->config.threads > most ? c->config.threads : most;
      quickest = fmin (quickest, c->seconds);
    }
  if (most > 1 && target->ops->renew)
    race.begin = renew_threads;
  field->pauses = most > least && quickest < NO_PAUSE && target->ops->time_spaced;
  gt_race_run (&race, UINT32_MAX, seconds);
  note_times (field);
  for (unsigned e = 0; e < field->n; e++)
    if (seconds[e] > DBL_MAX)
      return NULL;
  winner = gt_race_winner (&race, seconds);
  return seconds[winner] > 0 || chosen->failed ? field->entrant[winner] : chosen;
}

/* Returns 1 if the highest theoretical occupancy, among ties the simplest, would
   have found the winner or one within 2% of it, 2 if not; of a CPU 0.  */
static unsigned
occupancy_predicted (const struct gt_space *space,
                     const struct gt_candidate *winner)
{
  const struct gt_candidate *first;

  if (winner->kernel->device != GT_CUDA)
    return 0;
  first = gt_space_model_choice (space);
  return first && first->seconds <= 1.02 * winner->seconds ? 1 : 2;
}

/* LIST has SOUND candidates, the quickest first.  */
static void
fill_winner (const struct gt_sweep *sweep, struct gt_candidate *const *list, unsigned sound,
             const struct gt_candidate *winner, struct gt_winner *found)
{
  const struct gt_candidate *const next = list[sound > 1 && list[0] == winner];
  const struct gt_space *space = sweep->space;
  const struct gt_candidate *chosen = &space->candidate[space->chosen_default];

  *found = (struct gt_winner) {
    .problem = space->problem,
    .kernel = winner->kernel,
    .config = winner->config,
    .measured = {.effort = sweep->effort,
                 .seconds = winner->seconds,
                 .spread = winner->spread,
                 .default_seconds = chosen->failed ? 0 : chosen->seconds,
                 .candidates = gt_space_count (space, GT_KEPT),
                 .pruned = space->n - gt_space_count (space, GT_KEPT),
                 .predicted = occupancy_predicted (space, winner)}
  };
  if (next != winner)
    {
      found->measured.next_seconds = next->seconds;
      snprintf (found->measured.next, sizeof found->measured.next, "%s",
                gt_config_text (next->kernel, &next->config));
    }
  for (unsigned i = 0; i < space->n; i++)
    found->measured.failed += space->candidate[i].failed != 0;
}

/* Why there is nothing to save, after a stage that left SOUND candidates;
   GT_SWEEP_DONE: go on.  */
static enum gt_sweep_status
after_stage (const struct gt_sweep *sweep, unsigned sound)
{
  struct gt_target *target = sweep->target;
  const struct gt_candidate *c = sweep->last_failed;

  if (target->ops->lost (target))
    {
      gt_profile_fail (target->why, sizeof target->why, "%s%s%s",
                       c ? gt_config_text (c->kernel, &c->config) : "", c ? ": " : "",
                       c ? c->why : "it no longer answers");
      return GT_SWEEP_LOST;
    }
  if (sweep->stop ())
    return GT_SWEEP_STOPPED;
  if (sound > 0)
    return GT_SWEEP_DONE;
  snprintf (target->why, sizeof target->why,
            "no candidate works; the last to fail: %s",
            c ? c->why : "there is none");
  return GT_SWEEP_FAILED;
}

/* How long loads of so many bytes take is the same for all problems that span them.  */
static const struct gt_read *
read_ceiling (struct gt_sweep *sweep, size_t bytes, double at_least)
{
  const struct gt_target *target = sweep->target;
  const unsigned all = (unsigned) target->device->host.threads;
  struct gt_read *read = sweep->read;

  while (read < sweep->read + sweep->n_read && read->bytes != bytes)
    read++;
  if (read < sweep->read + sweep->n_read)
    return read;
  if (sweep->n_read < GT_MOST_READ)
    sweep->n_read++;
  else
    read = &sweep->read[GT_MOST_READ - 1];
  read->bytes = bytes;
  read->by_one = gt_ceiling_seconds (target->buffer, bytes, 1, at_least);
  read->by_all
    = all > 1 ? gt_ceiling_seconds (target->buffer, bytes, all, at_least)
              : read->by_one;
  return read;
}

/* Times GSL and plain loads, with which the winner on the host is compared.  */
static void
measure_peers (struct gt_sweep *sweep, double at_least, struct gt_winner *found)
{
  const struct gt_target *target = sweep->target;
  const struct gt_read *read
    = read_ceiling (sweep, gt_problem_span (&found->problem), at_least);

  found->measured.gsl_seconds
    = gt_time_gsl (&found->problem, target->buffer, at_least);
  found->measured.call_seconds = gt_called_seconds (found, target->buffer, at_least);
  found->measured.one_reads = read->by_one;
  found->measured.all_read = read->by_all;
}

static enum gt_sweep_status
run_stages (struct gt_sweep *sweep, struct gt_candidate **list,
            struct gt_winner *found)
{
  struct gt_space *space = sweep->space;
  struct gt_candidate *chosen = &space->candidate[space->chosen_default];
  const struct gt_candidate *winner = NULL;
  unsigned n = stage_brief (sweep, list);
  unsigned sound = sort (list, n);
  enum gt_sweep_status status = after_stage (sweep, sound);

  while (status == GT_SWEEP_DONE && winner == NULL)
    { /* again without those that failed in the race */
      struct field field = {.sweep = sweep};

      choose_entrants (&field, list, sound, chosen);
      winner = run_race (&field, chosen);
      sound = sort (list, n);
      status = after_stage (sweep, field.n ? sound : 0);
    }
  if (status == GT_SWEEP_DONE)
    fill_winner (sweep, list, sound, winner, found);
  if (status == GT_SWEEP_DONE && sweep->target->gpu == NULL)
    measure_peers (sweep, gt_effort_levels[sweep->effort].longer, found);
  return status;
}

enum gt_sweep_status
gt_sweep_run (struct gt_sweep *sweep, struct gt_target *target,
              struct gt_space *space, struct gt_winner *found)
{
  struct gt_candidate **list = malloc (space->n * sizeof *list);
  enum gt_sweep_status status;

  if (list == NULL)
    {
      snprintf (target->why, sizeof target->why, "memory is short");
      return GT_SWEEP_FAILED;
    }
  sweep->target = target;
  sweep->space = space;
  sweep->last_failed = NULL;
  status = run_stages (sweep, list, found);
  free (list);
  return status;
}
