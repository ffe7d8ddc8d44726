/* Finds which way computes calls of one kind fastest, from which size on.

   Algorithm.  Some sizes are measured, the smallest first; between two neighbours with
   different winners a size in the middle is measured, until the size is known at which the
   winner changes.  At each size the ways race (race.c); of several kinds of data the
   geometric mean of the times counts.  A way has to give the right results before it is
   timed.  GSL's function wins if it does with any data.

   A way that is far behind at one size, or behind at two that follow each other, is not
   measured at larger ones, unless the calls are so short that the cost of the call itself
   decides.  For short calls no way counts as behind the first one, whose lead at small sizes
   says nothing about large ones.

   Some families are measured at every size; the winner at the previous size is tried first, and
   another way must be better by a margin to replace it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/question.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tuning/measure/candidate.h"
#include "tuning/measure/clock.h"
#include "tuning/text/cli.h"

#define STRIDE 4        /* from one of the sizes measured first to the next */
#define SAMPLE 20e-6    /* seconds that a timing lasts at least */
#define MOST_CALLS 4096 /* in one */
#define ROUNDS 7        /* of a race, if calls are short */
#define LONG 500e-6     /* seconds */
#define SHORT 5e-6      /* a way may catch up at larger sizes if calls take less */
/* How many times as long as the quickest a way takes that is behind, at one size or at
   two.  Both are more than a way must gain over a simpler one.  */
#define FAR_BEHIND 2.5
#define BEHIND 1.4
/* A way replaces a simpler one if it is this many times as fast.  */
#define BETTER 1.05
#define BETTER_BY_THREADS 1.25
/* A way is kept unless GSL's function is this many times as fast.  */
#define STAYS 1.03
#define MOST_TOLD 10 /* messages about ways that are left out */

struct found
{
  double seconds[GT_MOST_WAYS]; /* the geometric mean for all data; 0: not measured */
  double worst[GT_MOST_WAYS];   /* the largest time relative to GSL's, for all data; or 0 */
  unsigned best;                /* number of a way, or GT_NO_WAY */
  unsigned is_gsl;              /* whether GSL's function wins with some data */
  struct gt_asked_way answer;      /* the best way, as it was here */
  double least;                 /* the time of the quickest; 0: calls are short */
  char out[GT_MOST_WAYS];       /* whether a way is not measured at larger sizes */
};

struct search
{
  struct gt_question_family family; /* with the usual numbers */
  void *closure;
  int (*stop) (void);
  int verbose;
  unsigned left_out; /* messages of ways that are */
  struct gt_progress progress;
  struct gt_question question;
  struct gt_race race;
  unsigned entrant[GT_MOST_WAYS], entrants; /* the ways that are asked at the size at hand */
  unsigned calls[GT_MOST_WAYS];             /* in a timing */
  char wrong[GT_MOST_WAYS]; /* whether a way does not give the right results, or fails */
  struct found found[GT_MOST_SIZES];
};

static unsigned
threads_of (const struct search *s, unsigned way)
{
  const struct gt_asked_way *const answer = &s->question.way[way];

  return answer->percent ? 1 : answer->forced.threads;
}

/* Writes a description of a way such as "gsltune, 2 threads" or "copy, 60%".  */
static void
describe (const struct gt_asked_way *way, char *text, size_t size)
{
  int at = snprintf (text, size, "%s",
                     way->candidate ? gt_config_text (way->candidate->kernel,
                                                      &way->candidate->config)
                                    : way->name);

  if (way->candidate == NULL && way->forced.threads > 1)
    at += snprintf (text + at, size - (size_t) at, ", %u threads", way->forced.threads);
  if (way->percent && way->percent < 100)
    snprintf (text + at, size - (size_t) at, ", %u%%", way->percent);
}

/* Checks whether to measure no more.  */
static int
is_over (const struct search *s)
{
  return s->stop () || (s->family.is_lost && s->family.is_lost (s->closure));
}

static void
leave_out (struct search *s, unsigned way, const char *what)
{
  char text[128];

  s->wrong[way] = 1;
  if (s->family.label == NULL || (++s->left_out > MOST_TOLD && !s->verbose))
    return;
  describe (&s->question.way[way], text, sizeof text);
  gt_progress_end (&s->progress);
  gt_error ("%s: %s is left out: %s%s", s->question.kind, text,
            s->family.why ? s->family.why (s->closure) : what,
            s->left_out < MOST_TOLD || s->verbose
              ? "" : "; further ones are told of with --verbose only");
}

/* -------------------------------------------------------------------- Timing */

static void
force (const struct search *s, unsigned way)
{
  if (way && s->family.choices)
    gt_force (s->family.choices, &s->question.way[way].forced);
}

/* Times WAY by as many calls as last about as long as a sample; they are more from time to
   time, if the first one was disturbed.  */
static double
time_way (struct search *s, unsigned way)
{
  unsigned *const calls = &s->calls[way];

  force (s, way);
  if (s->family.time)
    return s->family.time (s->closure, way);
  for (;;)
    {
      const double begin = gt_now ();
      double sample;

      for (unsigned k = 0; k < *calls; k++)
        s->family.call (s->closure, way);
      sample = gt_now () - begin;
      if (sample >= SAMPLE / 2 || *calls >= MOST_CALLS)
        return sample / *calls;
      *calls *= sample < SAMPLE / 8 ? 4 : 2;
    }
}

static double
time_entrant (void *closure, unsigned e)
{
  struct search *const s = closure;

  return is_over (s) ? 0 : time_way (s, s->entrant[e]);
}

/* ------------------------------------------------------------------- Entrants */

/* Moves WAY, if it is an entrant, to the first place.  */
static void
put_first (struct search *s, unsigned way)
{
  unsigned e = 0;

  while (e < s->entrants && s->entrant[e] != way)
    e++;
  if (e == s->entrants)
    return;
  memmove (s->entrant + 1, s->entrant, e * sizeof *s->entrant);
  s->entrant[0] = way;
}

/* Returns check's result, and excludes WAY if its result is wrong.  */
static int
check_way (struct search *s, unsigned way, int first)
{
  int status;

  force (s, way);
  status = s->family.check (s->closure, way, first);
  if (status == 0 && !is_over (s))
    leave_out (s, way, "it computes something else");
  return status;
}

/* Removes ways whose results are not those of the first from the entrants at size number I.
   Returns 0, or -1 if memory is short.  */
static int
check_entrants (struct search *s, unsigned i)
{
  const unsigned n = s->entrants;

  s->entrants = 0;
  for (unsigned e = 0; e < n && !is_over (s); e++)
    {
      const unsigned w = s->entrant[e];
      const int status = check_way (s, w, e == 0);

      if (status < 0)
        return status;
      s->calls[w] = 1;
      if (status == 1)
        s->entrant[s->entrants++] = w;
    }
  put_first (s, s->question.chosen);
  if (i && s->family.record)
    put_first (s, s->found[i - 1].best);
  return 0;
}

/* ------------------------------------------------------------------- The race */

/* Lets the entrants race, and fills SECONDS.  */
static void
run_race (struct search *s, double seconds[GT_MOST_WAYS])
{
  double times[GT_MOST_WAYS];

  memset (seconds, 0, GT_MOST_WAYS * sizeof *seconds);
  s->race.n = s->entrants;
  s->race.rounds = s->entrants > 1 ? s->family.rounds : 1;
  for (unsigned e = 0; e < s->entrants; e++)
    s->race.threads[e] = threads_of (s, s->entrant[e]);
  gt_race_run (&s->race, times);
  for (unsigned e = 0; e < s->entrants; e++)
    {
      if (times[e] > DBL_MAX && !is_over (s))
        leave_out (s, s->entrant[e], "it fails");
      seconds[s->entrant[e]] = times[e] > DBL_MAX ? 0 : times[e];
    }
}

/* Returns the entrant that is better by enough than the simpler ones, by SECONDS; if none was
   timed the way that serves untuned, or GT_NO_WAY.  */
static unsigned
winner_of (const struct search *s, const double seconds[GT_MOST_WAYS])
{
  const unsigned chosen = s->question.chosen;
  double times[GT_MOST_WAYS] = {0};
  unsigned winner;

  for (unsigned e = 0; e < s->entrants; e++)
    times[e] = seconds[s->entrant[e]];
  winner = gt_race_winner (&s->race, times);
  return times[winner] > 0 ? s->entrant[winner] : s->wrong[chosen] ? GT_NO_WAY : chosen;
}

/* ------------------------------------------------------------------- Choosing */

/* Notes which ways are not measured at sizes after F, the next one after LOW unless that is
   null: those that take many times as long as the quickest, or some times at both sizes.  */
static void
note_behind (const struct search *s, const struct found *low, struct found *f)
{
  f->least = s->family.record || f->seconds[0] > LONG ? f->seconds[0] : 0;
  for (unsigned w = 1; w < s->question.ways; w++)
    if (f->seconds[w] > 0 && (f->least <= 0 || f->seconds[w] < f->least))
      f->least = f->seconds[w];
  if (f->least < s->family.short_calls)
    f->least = 0;
  for (unsigned w = f->is_gsl; w < s->question.ways && f->least > 0; w++)
    f->out[w] |= f->seconds[w] > FAR_BEHIND * f->least
                 || (low && low->least > 0 && f->seconds[w] > BEHIND * f->least
                     && low->seconds[w] > BEHIND * low->least);
}

/* Makes the entrants at size number I all ways but those that are out at LOW and at HIGH,
   sizes below and above, or null.  What serves untuned is recorded at every size.  */
static void
ask_ways (struct search *s, unsigned i, const struct found *low, const struct found *high)
{
  s->entrants = 0;
  for (unsigned w = 0; w < s->question.ways; w++)
    {
      const int is_out = low && low->out[w] && (high == NULL || high->out[w]);

      s->found[i].out[w] = (char) is_out;
      if (!s->wrong[w] && (!is_out || (s->family.record && w == s->question.chosen))
          && (s->question.way[w].forced.threads == 1
              || s->question.size[i] >= s->family.threaded))
        s->entrant[s->entrants++] = w;
    }
}

/* Measures variant V of size number I.  Returns as measure does.  */
static int
measure_variant (struct search *s, unsigned i, unsigned v)
{
  struct found *const f = &s->found[i];
  double seconds[GT_MOST_WAYS];
  const int status = check_entrants (s, i);

  if (status)
    return status;
  run_race (s, seconds);
  for (unsigned w = 0; w < s->question.ways; w++)
    {
      f->seconds[w] = v ? sqrt (f->seconds[w] * seconds[w]) : seconds[w];
      if (seconds[0] > 0)
        f->worst[w] = fmax (f->worst[w], seconds[w] / seconds[0]);
    }
  f->is_gsl |= !s->family.record && winner_of (s, seconds) == 0;
  f->best = f->is_gsl ? 0 : winner_of (s, f->seconds);
  if (is_over (s))
    return 1;
  if (f->best == GT_NO_WAY)
    gt_progress_end (&s->progress);
  return s->family.record ? s->family.record (s->closure, f->best, f->seconds) : 0;
}

/* Measures size number I between LOW and HIGH.  Returns 0; 1 if the run is to stop, or -1
   if memory is short.  */
static int
measure (struct search *s, unsigned i, const struct found *low, const struct found *high)
{
  struct found *const f = &s->found[i];
  int status = 0;

  *f = (struct found) {.best = 0};
  for (unsigned v = 0; v < s->question.variants[i] && status == 0; v++)
    {
      if (is_over (s))
        return 1;
      status = s->family.prepare (s->closure, i, v);
      if (status)
        break;
      if (v == 0)
        ask_ways (s, i, low, high);
      status = measure_variant (s, i, v);
      s->family.release (s->closure);
    }
  f->answer = s->question.way[f->best == GT_NO_WAY ? 0 : f->best];
  note_behind (s, high ? NULL : low, f);
  return status == GT_NO_DATA ? 0 : status;
}

/* Measures sizes between LOW and HIGH until it is known where the winner changes.  */
static int
refine (struct search *s, unsigned low, unsigned high)
{
  const struct found *const l = &s->found[low], *const h = &s->found[high];
  const unsigned middle = (low + high) / 2;
  int status;

  for (unsigned i = low + 1; i < high && l->best == h->best; i++)
    s->found[i] = (struct found) {.best = l->best, .answer = l->answer};
  if (high - low < 2 || l->best == h->best)
    return 0;
  status = measure (s, middle, l, h);
  if (status == 0)
    status = refine (s, low, middle);
  return status ? status : refine (s, middle, high);
}

/* Checks whether GSL's function is to serve size number I, after sizes that another way
   serves: that one stays unless it is slower with some data.  */
static int
is_gsl_again (const struct found *before, const struct found *f)
{
  return before->best && f->best == 0
         && !(f->worst[before->best] > 0 && f->worst[before->best] < STAYS);
}

/* Judges size number I again.  A way that is the best there alone, while another is at both
   its neighbours, won by accident.  What GSL's function wins after another way is measured
   twice.  */
static int
doubt (struct search *s, unsigned i)
{
  struct found *const before = &s->found[i - 1], *const f = &s->found[i];
  int status = 0;

  if (is_gsl_again (before, f))
    {
      before->out[0] = before->out[before->best] = 0;
      status = measure (s, i, before, NULL);
    }
  if ((before->best && f->best == 0 && !is_gsl_again (before, f))
      || (f->best && f->best != before->best && i + 1 < s->question.sizes
          && before->best == s->found[i + 1].best))
    {
      f->best = before->best;
      f->answer = before->answer;
    }
  return status;
}

/* Before the last size at which GSL's function is the best everything is GSL's as long as
   calls are so short that the exact size decides.  */
static void
put_in_order (struct search *s)
{
  for (unsigned i = s->question.sizes; i-- > 1;)
    {
      const struct found *const f = &s->found[i];

      if (f->best < s->found[i - 1].best
          && (s->family.rising || (f->best == 0 && f->seconds[0] < SHORT)))
        {
          s->found[i - 1].best = f->best;
          s->found[i - 1].answer = f->answer;
        }
    }
}

static int
find (struct search *s)
{
  const unsigned n = s->question.sizes;
  unsigned last = 0;
  int status = measure (s, 0, NULL, NULL);

  for (unsigned i = 0; i + 1 < n && status == 0; last = i)
    {
      i = i + STRIDE < n ? i + STRIDE : n - 1;
      status = measure (s, i, &s->found[last], NULL);
      if (status == 0)
        status = refine (s, last, i);
    }
  for (unsigned i = 1; i < n && status == 0; i++)
    status = doubt (s, i);
  put_in_order (s);
  return status;
}

/* --------------------------------------------------------------------- Steps */

static int
put (const struct search *s, const struct found *f, uint64_t from, struct gt_profile *profile)
{
  const struct gt_asked_way *const way = &f->answer;
  const int of_routes = strcmp (s->question.way[0].name, GT_STEP_GSL) != 0;
  struct gt_measured measured = {.seconds = f->seconds[f->best]};

  *(of_routes ? &measured.cpu_seconds : &measured.gsl_seconds) = f->seconds[0];
  for (unsigned w = 0; w < s->question.ways; w++)
    if (w != f->best && f->seconds[w] > 0
        && !(measured.next_seconds > 0 && measured.next_seconds <= f->seconds[w]))
      {
        measured.next_seconds = f->seconds[w];
        describe (&s->question.way[w], measured.next, sizeof measured.next);
      }
  return gt_profile_put (
    profile,
    &(struct gt_step) {.kind = s->question.kind, .way = way->name, .from = from,
                       .config = {way->forced.threads, 0, 1, 0}, .percent = way->percent,
                       .chunk_kib = way->chunk_kib},
    &measured);
}

static int
is_same (const struct gt_asked_way *a, const struct gt_asked_way *b)
{
  return a->name == b->name && a->forced.threads == b->forced.threads && a->percent == b->percent
         && a->chunk_kib == b->chunk_kib;
}

static int
put_steps (const struct search *s, struct gt_profile *profile)
{
  const struct found none = {.answer = s->question.way[0]}, *before = &none;
  int failed;

  gt_profile_drop (profile, s->question.kind);
  failed = s->found[0].best ? put (s, &none, 0, profile) : 0;
  for (unsigned i = 0; i < s->question.sizes && !failed; i++)
    {
      if (i == 0 || !is_same (&s->found[i].answer, &before->answer))
        failed = put (s, &s->found[i],
                      i || s->found[0].best ? (uint64_t) s->question.size[i] : 0, profile);
      before = &s->found[i];
    }
  return failed;
}

static int
is_by_wrong_way (const struct search *s)
{
  unsigned n = 0;

  for (unsigned i = 0; i < s->question.sizes; i++)
    n += s->wrong[s->found[i].best] != 0;
  return n > 0;
}

/* Checks all ways at a second size: one that is wrong may be right for one row or column,
   and too slow there to be asked again.  */
static int
check_second (struct search *s)
{
  const unsigned i = s->question.sizes > STRIDE ? STRIDE : s->question.sizes - 1;
  int status;

  if (i == 0)
    return 0;
  if (s->stop ())
    return 1;
  status = s->family.prepare (s->closure, i, s->question.variants[i] - 1);
  if (status)
    return status == GT_NO_DATA ? 0 : status;
  for (unsigned w = 0; w < s->question.ways && status >= 0; w++)
    status = check_way (s, w, w == 0);
  s->family.release (s->closure);
  return status < 0 ? status : 0;
}

/* A way that turns out to be wrong at one size serves no other.  */
static int
find_steps (struct search *s, struct gt_profile *profile)
{
  int status = 0;

  memset (s->wrong, 0, sizeof s->wrong);
  if (s->family.record)
    {
      for (unsigned i = 0; i < s->question.sizes && status == 0; i++)
        status = measure (s, i, i ? &s->found[i - 1] : NULL, NULL);
      return status;
    }
  status = check_second (s);
  if (status == 0)
    do
      status = find (s);
    while (status == 0 && is_by_wrong_way (s));
  return status == 0 && put_steps (s, profile) ? -1 : status;
}

/* ----------------------------------------------------------------------- All */

/* Checks whether question number K is to be answered, and makes it.  */
static int
is_open (struct search *s, unsigned k, const struct gt_tuner_options *options,
         const struct gt_profile *profile, int resuming)
{
  unsigned known;

  memset (&s->question, 0, sizeof s->question);
  return s->family.ask (s->closure, k, options, &s->question)
         && (s->family.record || !resuming
             || gt_profile_steps (profile, s->question.kind, &known) == NULL);
}

/* Makes S a search for FAMILY, with the usual numbers unless it has its own.  */
static void
begin (struct search *s, const struct gt_question_family *family)
{
  struct gt_question_family *const own = &s->family;

  *own = *family;
  own->rounds = family->rounds ? family->rounds : ROUNDS;
  own->short_calls = family->short_calls > 0 ? family->short_calls : SHORT;
  s->race = (struct gt_race) {.room = family->room ? family->room : GT_MOST_WAYS,
                              .better = family->better > 0 ? family->better : BETTER,
                              .by_threads = family->by_threads > 0 ? family->by_threads
                                                                  : BETTER_BY_THREADS,
                              .closure = s, .time = time_entrant};
}

int
gt_questions_answer (const struct gt_question_family *family, void *closure,
                     const struct gt_tuner_options *options, struct gt_profile *profile,
                     int resuming, int (*stop) (void))
{
  static struct search s;
  char text[96];
  unsigned n = 0, done = 0;
  int status = 0;

  memset (&s, 0, sizeof s);
  s.closure = closure;
  s.stop = stop;
  s.verbose = options->verbose;
  begin (&s, family);
  for (unsigned k = 0; k < family->kinds; k++)
    n += is_open (&s, k, options, profile, resuming) != 0;
  if (n == 0)
    return 1;
  snprintf (text, sizeof text, "%s, %u kinds", family->text, n);
  if (family->label)
    gt_progress_begin (&s.progress, family->label, n, text);
  for (unsigned k = 0; k < family->kinds && status == 0; k++)
    {
      if (!is_open (&s, k, options, profile, resuming))
        continue;
      if (family->label)
        gt_progress_show (&s.progress, done++, s.question.kind);
      status = find_steps (&s, profile);
    }
  if (family->choices)
    gt_force (family->choices, NULL);
  gt_progress_end (&s.progress);
  if (status < 0)
    gt_error ("%s are not measured: memory is short", family->text);
  return status == 0;
}
