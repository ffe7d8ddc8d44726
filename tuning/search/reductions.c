/* The questions by which kernel, in which configuration, reductions of one vector are computed
   fastest at each length, on the host or on a GPU.  The ways are the candidates of a space
   (space.c); each is verified at the awkward lengths once, and at every length at which it is
   timed.

   Threads.  How fast several threads are depends on where the system has put them, and stays
   so for as long as they live: each round of a race has threads of its own.  And it depends on
   whether they are awake.  Sums one right after the other find them so; a program that does
   something else in between does not, and then waking them may take longer than the sum.  It
   is not known which of these a program does.  So where entrants differ in threads both are
   timed, and the geometric mean counts: to gain a factor in one is worth as much as to lose it
   in the other.  The first round of such a race only shows whether several threads have a
   chance.

   Limitations.  On a machine that is busy throughout, several threads look worse than they
   are; the share of disturbed timings tells of it.  Lengths between the tuned ones are served
   by the nearest.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "src/profile/profile_private.h"
#include "src/profile/step_kind.h"
#include "tuning/measure/called.h"
#include "tuning/search/question.h"
#include "tuning/search/space.h"
#include "tuning/search/tuner.h"
#include "tuning/store/findings.h"
#include "tuning/text/cli.h"

/* The winner is so many times as fast as a simpler candidate: this is half of what a
   choice may cost, because the simpler one may seem better than it is by as much
   again.  More threads have to be worth what they take from other programs.  */
#define BETTER 1.01
#define BETTER_BY_THREADS 1.02
/* Seconds of sums after which a candidate may catch up at larger lengths: many threads take as
   long to wake, and a GPU to launch many blocks.  */
#define SHORT 50e-6
/* No pause makes a difference to sums longer than this, in seconds, nor is it timed for a
   candidate that takes so many times as long as the quickest without.  */
#define NO_PAUSE 5e-3
#define HOPELESS 4
/* A timing does not count if other programs had this share of its processor's time.  */
#define LACKING 0.25

struct reductions
{
  const struct gt_tuner_options *options;
  struct gt_target *target;
  struct gt_tuned *tuned;
  const struct gt_tuned *of_host;
  const struct gt_problem *list; /* those of a kind follow each other */
  unsigned n, first;             /* the number of the first one of the question */
  const struct gt_problem *now;  /* the one at hand */
  void (*save) (const struct gt_tuner_options *options, struct gt_tuned *tuned);
  struct gt_question *question;
  struct gt_space *given, space; /* the only one, or null; that of the length at hand */
  char checked[GT_MOST_WAYS]; /* at the awkward lengths */
  /* The race at hand: the round, timings of each, and the threads of entrants.  */
  unsigned round, timed[GT_MOST_WAYS], least, most;
  int has_pauses;
  double plain[GT_MOST_WAYS], quickest; /* seconds among other sums */
  const struct gt_candidate *best; /* the last winner, or null */
  char last_failed[200];           /* a candidate and why */
};

/* ------------------------------------------------------------------- Questions */

static int
ask (void *closure, unsigned k, const struct gt_tuner_options *options, struct gt_question *q)
{
  struct reductions *const r = closure;
  const struct gt_problem *const first = &r->list[k];

  (void) options;
  if (k && gt_problem_alike (first, first - 1))
    return 0;
  gt_step_kind_of_problem (first, q->kind);
  r->question = q;
  r->first = k;
  r->now = first;
  memset (r->checked, 0, sizeof r->checked);
  for (; k < r->n && gt_problem_alike (&r->list[k], first) && q->sizes < GT_MOST_SIZES; k++)
    {
      q->variants[q->sizes] = 1;
      q->size[q->sizes++] = (double) r->list[k].n;
    }
  return 1;
}

/* Makes sure that the data of problem P, and of those after it that share its type and kind of
   data, is there.  */
static int
load (const struct reductions *r, const struct gt_problem *p)
{
  uint64_t bytes = 0;

  for (unsigned k = r->first; k < r->n && r->list[k].arithmetic == p->arithmetic
                              && gt_data_kind_for (&r->list[k]) == gt_data_kind_for (p);
       k++)
    {
      const uint64_t span = gt_problem_span (&r->list[k]);

      bytes = span > bytes ? span : bytes;
    }
  return gt_target_load (r->target, p, bytes);
}

/* Candidates are the ways in the order of the space, which is the same at all lengths; only
   what serves untuned may come after the others, and differ.  */
static void
list_ways (const struct gt_space *space, struct gt_question *q)
{
  q->ways = 0;
  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *const c = &space->candidate[i];

      gt_add_way (q, c->kernel->name, i, c->config.threads);
      q->way[q->ways - 1].candidate = c;
    }
  q->chosen = space->chosen_default;
}

static int
prepare (void *closure, unsigned i, unsigned variant)
{
  struct reductions *const r = closure;
  const struct gt_problem *const p = &r->list[r->first + i];
  const char *why = r->target->why;

  (void) variant;
  r->now = p;
  if (r->given)
    r->space = *r->given;
  else if (gt_space_init (&r->space, p, r->target->device, r->target->gpu))
    why = "memory is short, or the GPU has failed";
  else if (load (r, p) == 0)
    why = NULL;
  if (why && r->given == NULL)
    {
      gt_space_clear (&r->space);
      return gt_profile_fail (r->tuned->trouble, sizeof r->tuned->trouble, "%s", why) != 0;
    }
  list_ways (&r->space, r->question);
  r->round = r->most = 0;
  r->least = UINT_MAX;
  r->quickest = INFINITY;
  memset (r->timed, 0, sizeof r->timed);
  memset (r->plain, 0, sizeof r->plain);
  return 0;
}

static void
release (void *closure)
{
  struct reductions *const r = closure;

  if (r->given == NULL)
    gt_space_clear (&r->space);
}

/* --------------------------------------------------------------------- Timing */

/* Notes that C is wrong or fails, and why.  */
static void
exclude (struct reductions *r, struct gt_candidate *c)
{
  c->failed = 1;
  r->tuned->excluded++;
  snprintf (c->why, sizeof c->why, "%.*s", (int) sizeof c->why - 1, r->target->why);
  snprintf (r->last_failed, sizeof r->last_failed, "%s: %s",
            gt_config_text (c->kernel, &c->config), c->why);
}

static const char *
why (void *closure)
{
  return ((struct reductions *) closure)->target->why;
}

static int
is_lost (void *closure)
{
  const struct gt_target *const target = ((struct reductions *) closure)->target;

  return target->ops->lost (target);
}

static int
check (void *closure, unsigned way, int first)
{
  struct reductions *const r = closure;
  struct gt_candidate *const c = &r->space.candidate[way];

  (void) first;
  if (c->verdict != GT_KEPT)
    return GT_NOT_HERE;
  if (gt_verify (r->target, c, &r->space.problem,
                 !r->checked[way] || way == r->space.chosen_default))
    {
      exclude (r, c);
      return 0;
    }
  r->checked[way] = 1;
  r->least = c->config.threads < r->least ? c->config.threads : r->least;
  r->most = c->config.threads > r->most ? c->config.threads : r->most;
  return 1;
}

static int
is_hopeless (const struct reductions *r, unsigned way)
{
  return r->plain[way] > HOPELESS * r->quickest;
}

/* Whether several threads have a chance is known after the first round.  */
static void
begin_round (struct reductions *r)
{
  r->has_pauses = 0;
  for (unsigned w = 0; w < r->space.n && r->round > 0 && r->least < r->most; w++)
    r->has_pauses |= r->space.candidate[w].config.threads > 1 && r->plain[w] > 0
                     && !is_hopeless (r, w) && r->target->ops->time_spaced;
  if (r->most > 1 && r->target->ops->renew)
    r->target->ops->renew (r->target);
  r->round++;
}

static double
time_sums (void *closure, unsigned way)
{
  struct reductions *const r = closure;
  struct gt_candidate *const c = &r->space.candidate[way];
  const struct gt_problem *const p = &r->space.problem;
  double seconds;

  if (r->timed[way]++ == r->round)
    begin_round (r);
  if (r->target->ops->time (r->target, c, p, gt_effort_levels[r->options->effort].timing,
                            &seconds))
    {
      exclude (r, c);
      return (double) INFINITY;
    }
  c->seconds = r->plain[way] > 0 ? fmin (seconds, r->plain[way]) : seconds;
  r->plain[way] = c->seconds;
  r->quickest = fmin (r->quickest, seconds);
  r->tuned->timings++;
  if (r->target->lacking > LACKING)
    {
      r->tuned->disturbed++;
      return 0;
    }
  if (r->round == 1 && r->least < r->most)
    return 0;
  return r->has_pauses && seconds < NO_PAUSE && !is_hopeless (r, way)
           ? sqrt (seconds * r->target->ops->time_spaced (r->target, c, p)) : seconds;
}

/* --------------------------------------------------------------------- Results */

/* Fills in the figures of the winner, and of the others.  */
static void
compare (const struct reductions *r, struct gt_measured *m)
{
  const struct gt_space *const space = &r->space;
  const struct gt_candidate *const chosen = &space->candidate[space->chosen_default];

  *m = (struct gt_measured) {.effort = r->options->effort, .seconds = r->best->seconds,
                             .default_seconds = chosen->failed ? 0 : chosen->seconds};
  for (const struct gt_candidate *c = space->candidate; c < space->candidate + space->n; c++)
    {
      m->failed += c->failed != 0;
      *(c->seconds > 0 || c->failed ? &m->candidates : &m->pruned) += 1;
      if (c == r->best || c->failed || c->seconds <= 0
          || (m->next_seconds > 0 && c->seconds >= m->next_seconds))
        continue;
      m->next_seconds = c->seconds;
      snprintf (m->next, sizeof m->next, "%s", gt_config_text (c->kernel, &c->config));
    }
}

static int
record (void *closure, unsigned best, const double seconds[])
{
  struct reductions *const r = closure;
  struct gt_winner winner = {.problem = r->space.problem};
  const double timing = gt_effort_levels[r->options->effort].timing;
  const struct gt_measured *of_host;

  for (unsigned w = 0; w < r->space.n && r->least == r->most; w++)
    if (seconds[w] > 0)
      r->space.candidate[w].seconds = seconds[w];
  r->best = best == GT_NO_WAY ? NULL : &r->space.candidate[best];
  if (r->given)
    return 0;
  if (r->best == NULL)
    {
      r->tuned->failed++;
      gt_error ("%s could not be tuned: no candidate works; the last to fail: %s",
                gt_problem_text (&r->space.problem), r->last_failed);
      return 0;
    }
  winner.kernel = r->best->kernel;
  winner.config = r->best->config;
  compare (r, &winner.measured);
  if (r->target->gpu == NULL)
    {
      winner.measured.gsl_seconds = gt_time_gsl (&winner.problem, r->target->buffer, timing);
      winner.measured.call_seconds = gt_called_seconds (&winner, r->target->buffer, timing);
    }
  else if (r->of_host && (of_host = gt_findings_of (&r->of_host->findings, &winner.problem)))
    winner.measured.gsl_seconds = of_host->gsl_seconds;
  if (gt_findings_put (&r->tuned->findings, &winner))
    return -1;
  r->tuned->done++;
  r->save (r->options, r->tuned);
  return 0;
}

/* ------------------------------------------------------------------------- All */

static void
search (struct reductions *r, const char *label, int (*stop) (void))
{
  const struct gt_effort_level *const level = &gt_effort_levels[r->options->effort];
  const struct gt_question_family family
    = {.label = label, .text = gt_device_name (r->target->device), .kinds = r->n, .ask = ask,
       .prepare = prepare, .release = release, .check = check, .time = time_sums,
       .is_lost = is_lost, .why = why, .record = record, .room = level->room,
       .rounds = level->rounds, .better = BETTER, .by_threads = BETTER_BY_THREADS,
       .short_calls = SHORT};

  gt_questions_answer (&family, r, r->options, &r->tuned->findings, 0, stop);
}

void
gt_reductions_find (const struct gt_tuner_options *options, struct gt_target *target,
                    const struct gt_problem *list, unsigned n, struct gt_tuned *tuned,
                    const struct gt_tuned *of_host,
                    void (*save) (const struct gt_tuner_options *, struct gt_tuned *),
                    int (*stop) (void))
{
  static struct reductions r;
  char label[16] = "CPU";

  r = (struct reductions) {.options = options, .target = target, .tuned = tuned,
                           .of_host = of_host, .list = list, .n = n, .save = save};
  if (target->device->kind == GT_CUDA)
    snprintf (label, sizeof label, "GPU %d", target->device->gpu.ordinal);
  search (&r, label, stop);
  if (n && is_lost (&r) && tuned->trouble[0] == '\0')
    snprintf (tuned->trouble, sizeof tuned->trouble, "it failed for good in %s, %s",
              gt_problem_text (r.now),
              r.last_failed[0] ? r.last_failed : "it no longer answers");
}

static int
never (void)
{
  return 0;
}

const struct gt_candidate *
gt_space_search (enum gt_effort effort, struct gt_target *target, struct gt_space *space)
{
  const struct gt_tuner_options options = {.effort = effort};
  static struct gt_tuned tuned;
  static struct reductions r;

  r = (struct reductions) {.options = &options, .target = target, .tuned = &tuned,
                           .list = &space->problem, .n = 1, .given = space};
  search (&r, NULL, never);
  if (r.best == NULL)
    snprintf (target->why, sizeof target->why, "%s%s",
              is_lost (&r) ? "" : "no candidate works; the last to fail: ",
              r.last_failed[0] ? r.last_failed : "it no longer answers");
  return r.best;
}
