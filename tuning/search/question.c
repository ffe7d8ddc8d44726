/* Finds which way computes calls of one kind fastest, from which size on.

   Algorithm.  Some sizes are measured, the smallest first; between two neighbours with
   different winners a size in the middle is measured, until the size is known at which the
   winner changes.  At each size the ways race (race.c); of several kinds of data the
   geometric mean of the times counts.  A way has to give GSL's results before it is
   timed.  GSL's function wins if it does with any data.

   A way that is far behind at one size, or behind at two that follow each other, is not
   measured at larger ones, unless the calls are so short that the cost of the call itself
   decides.  The first way puts no other one behind where calls are short: its lead at small
   sizes says nothing of large ones.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/question.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tuning/measure/clock.h"
#include "tuning/search/race.h"
#include "tuning/text/cli.h"

#define STRIDE 4        /* from one of the sizes measured first to the next */
#define SAMPLE 20e-6    /* seconds that a timing lasts at least */
#define MOST_CALLS 4096 /* in one */
#define ROUNDS 7        /* of a race, if calls are short */
#define LONG 500e-6     /* seconds */
#define SHORT 5e-6      /* a way may catch up at larger sizes if the quickest call takes less */
/* How many times as long as the quickest a way takes that is behind, at one size or at
   two.  Both are more than a way must gain over a simpler one.  */
#define FAR_BEHIND 2.5
#define BEHIND 1.4
/* A way takes the place of a simpler one if it is so many times as fast.  */
#define BETTER 1.05
#define BETTER_BY_THREADS 1.25
/* A way stays where GSL's function is not so many times as fast.  */
#define STAYS 1.03

struct found
{
  double seconds[GT_MOST_WAYS]; /* the geometric mean for all data; 0: not measured */
  unsigned best;                /* number of a way */
  struct gt_answer answer;      /* that way, as it was here */
  uint32_t behind, out;         /* sets of ways; the latter are not measured at larger sizes */
};

struct search
{
  const struct gt_family *family;
  void *closure;
  int (*stop) (void);
  struct gt_progress progress;
  struct gt_question question;
  struct gt_race race;
  unsigned calls[GT_MOST_WAYS]; /* in a timing */
  uint32_t wrong;               /* the ways that do not give GSL's results, or fail */
  struct found found[GT_MOST_SIZES];
};

static int
has (uint32_t set, unsigned way)
{
  return set >> way & 1;
}

/* Writes a description of a way such as "gsltune, 2 threads" or "copy, 60%".  */
static void
describe (const struct gt_answer *way, char *text, size_t size)
{
  int at = snprintf (text, size, "%s", way->name);

  if (way->forced.threads > 1)
    at += snprintf (text + at, size - (size_t) at, ", %u threads", way->forced.threads);
  if (way->percent && way->percent < 100)
    snprintf (text + at, size - (size_t) at, ", %u%%", way->percent);
}

static void
leave_out (struct search *s, unsigned way, const char *why)
{
  char text[GT_STEP_WAY_SIZE + 32];

  s->wrong |= 1u << way;
  describe (&s->question.way[way], text, sizeof text);
  gt_progress_end (&s->progress);
  gt_error ("%s: %s is left out: it %s", s->question.kind, text, why);
}

/* -------------------------------------------------------------------- Timing */

static void
force (const struct search *s, unsigned way)
{
  if (way && s->family->choices)
    gt_force (s->family->choices, &s->question.way[way].forced);
}

static double
time_calls (const struct search *s, unsigned way, unsigned calls)
{
  double begin;

  force (s, way);
  if (s->family->time)
    return s->family->time (s->closure, way, calls);
  begin = gt_now ();
  for (unsigned k = 0; k < calls; k++)
    s->family->call (s->closure, way);
  return (gt_now () - begin) / calls;
}

/* Times WAY by as many calls as last about as long as a sample; they are more from time to
   time, if the first one was disturbed.  */
static double
time_way (void *closure, unsigned way)
{
  struct search *const s = closure;
  unsigned *const calls = &s->calls[way];

  for (;;)
    {
      const double seconds = time_calls (s, way, *calls);
      const double sample = seconds * *calls;

      if (sample >= SAMPLE / 2 || *calls >= MOST_CALLS)
        return seconds;
      *calls *= sample < SAMPLE / 8 ? 4 : 2;
    }
}

/* Fills SECONDS with the times of the ways ASKED.  */
static void
time_ways (struct search *s, uint32_t asked, double seconds[GT_MOST_WAYS])
{
  for (unsigned w = 0; w < s->question.ways; w++)
    {
      s->calls[w] = 1;
      s->race.threads[w] = s->question.way[w].percent ? 1 : s->question.way[w].forced.threads;
    }
  s->race.n = s->question.ways;
  gt_race_run (&s->race, asked, seconds);
  for (unsigned w = 0; w < s->question.ways; w++)
    if (seconds[w] > DBL_MAX)
      {
        leave_out (s, w, "fails");
        seconds[w] = 0;
      }
}

/* Removes from ASKED the ways whose results differ from those of the first.  */
static int
check_ways (struct search *s, uint32_t *asked)
{
  int first = 1;

  for (unsigned w = 0; w < s->question.ways; w++)
    if (has (*asked, w))
      {
        int status;

        force (s, w);
        status = s->family->check (s->closure, w, first);
        if (status < 0)
          return status;
        if (status != 1)
          *asked &= ~(1u << w);
        if (status == 0)
          leave_out (s, w, "computes something else");
        first = 0;
      }
  return 0;
}

/* ------------------------------------------------------------------- Choosing */

/* Returns the ways that take more than FACTOR times as long as the quickest, which is the
   first way only where calls are long.  */
static uint32_t
behind (const struct search *s, const double seconds[GT_MOST_WAYS], double factor)
{
  double best = seconds[0] > LONG ? seconds[0] : (double) INFINITY;
  uint32_t set = 0;

  for (unsigned w = 1; w < s->question.ways; w++)
    if (seconds[w] > 0)
      best = fmin (best, seconds[w]);
  for (unsigned w = 0; w < s->question.ways && best >= SHORT; w++)
    if (seconds[w] > factor * best)
      set |= 1u << w;
  return set;
}

/* Returns the ways that are to be measured at size number I if those of OUT are not.  */
static uint32_t
asked_at (const struct search *s, unsigned i, uint32_t out)
{
  uint32_t asked = 0;

  for (unsigned w = 0; w < s->question.ways; w++)
    if (!has (out | s->wrong, w)
        && (s->question.way[w].forced.threads == 1 || s->question.size[i] >= s->family->threaded))
      asked |= 1u << w;
  return asked;
}

/* Measures size number I, of which ways LEFT_OUT are known to be slow and ways
   BEHIND_BEFORE were behind at a smaller size.  Returns 0; 1 if the run is to stop, or -1
   if memory is short.  */
static int
measure (struct search *s, unsigned i, uint32_t left_out, uint32_t behind_before)
{
  struct found *const f = &s->found[i];
  uint32_t asked = asked_at (s, i, left_out);
  int is_gsl = 0, status = 0;

  *f = (struct found) {.answer = s->question.way[0]};
  for (unsigned v = 0; v < s->question.variants[i] && status == 0; v++)
    {
      double seconds[GT_MOST_WAYS];

      if (s->stop ())
        return 1;
      status = s->family->prepare (s->closure, i, v);
      if (status)
        break;
      status = check_ways (s, &asked);
      if (status == 0)
        time_ways (s, asked, seconds);
      s->family->release (s->closure);
      if (status)
        break;
      is_gsl |= gt_race_winner (&s->race, seconds) == 0;
      for (unsigned w = 0; w < s->question.ways; w++)
        f->seconds[w] = v ? sqrt (f->seconds[w] * seconds[w]) : seconds[w];
    }
  if (status)
    return status == GT_NO_DATA ? 0 : status;
  f->best = is_gsl ? 0 : gt_race_winner (&s->race, f->seconds);
  f->answer = s->question.way[f->best];
  f->behind = behind (s, f->seconds, BEHIND);
  f->out = left_out | behind (s, f->seconds, FAR_BEHIND) | (f->behind & behind_before);
  return 0;
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
  status = measure (s, middle, l->out & h->out, 0);
  if (status == 0)
    status = refine (s, low, middle);
  return status ? status : refine (s, middle, high);
}

/* Checks whether GSL's function is to serve size number I, after sizes that another way
   serves: that one stays unless it is slower.  */
static int
is_gsl_again (const struct found *before, const struct found *f)
{
  return before->best && f->best == 0
         && !(f->seconds[before->best] > 0
              && f->seconds[before->best] < STAYS * f->seconds[0]);
}

/* Judges size number I again.  A way that is the best there alone, while another is at both
   its neighbours, won by accident.  What GSL's function wins after another way is measured
   twice.  */
static int
doubt (struct search *s, unsigned i)
{
  const struct found *const before = &s->found[i - 1];
  struct found *const f = &s->found[i];
  int status = 0;

  if (is_gsl_again (before, f))
    status = measure (s, i, before->out & ~(1u | 1u << before->best), 0);
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
          && (s->family->rising || (f->best == 0 && f->seconds[0] < SHORT)))
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
  int status = measure (s, 0, 0, 0);

  for (unsigned i = 0; i + 1 < n && status == 0; last = i)
    {
      i = i + STRIDE < n ? i + STRIDE : n - 1;
      status = measure (s, i, s->found[last].out, s->found[last].behind);
      if (status == 0)
        status = refine (s, last, i);
    }
  for (unsigned i = 1; i < n && status == 0; i++)
    status = doubt (s, i);
  put_in_order (s);
  return status;
}

/* --------------------------------------------------------------------- Steps */

static void
note_next (const struct search *s, const struct found *f, struct gt_measured *measured)
{
  unsigned next = f->best;

  for (unsigned w = 0; w < s->question.ways; w++)
    if (w != f->best && f->seconds[w] > 0
        && (next == f->best || f->seconds[w] < f->seconds[next]))
      next = w;
  if (next == f->best)
    return;
  measured->next_seconds = f->seconds[next];
  describe (&s->question.way[next], measured->next, sizeof measured->next);
}

static int
put (const struct search *s, const struct found *f, uint64_t from, struct gt_profile *profile)
{
  const struct gt_answer *const way = &f->answer;
  const int of_routes = strcmp (s->question.way[0].name, GT_STEP_GSL) != 0;
  struct gt_measured measured = {.seconds = f->seconds[f->best]};

  *(of_routes ? &measured.cpu_seconds : &measured.gsl_seconds) = f->seconds[0];
  note_next (s, f, &measured);
  return gt_profile_put (
    profile,
    &(struct gt_step) {.kind = s->question.kind, .way = way->name, .from = from,
                       .config = {way->forced.threads, 0, 1, 0}, .percent = way->percent,
                       .chunk_kib = way->chunk_kib},
    &measured);
}

static int
is_same (const struct gt_answer *a, const struct gt_answer *b)
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
  unsigned i = 0;

  while (i < s->question.sizes && !has (s->wrong, s->found[i].best))
    i++;
  return i < s->question.sizes;
}

/* Checks all ways at a second size: one that is wrong may be right for one row or column,
   and too slow there to be asked again.  */
static int
check_second (struct search *s)
{
  const unsigned i = s->question.sizes > STRIDE ? STRIDE : s->question.sizes - 1;
  uint32_t all = UINT32_MAX;
  int status;

  if (i == 0)
    return 0;
  if (s->stop ())
    return 1;
  status = s->family->prepare (s->closure, i, s->question.variants[i] - 1);
  if (status)
    return status == GT_NO_DATA ? 0 : status;
  status = check_ways (s, &all);
  s->family->release (s->closure);
  return status;
}

/* A way that turns out to be wrong at one size serves no other.  */
static int
find_steps (struct search *s, struct gt_profile *profile)
{
  int status;

  s->wrong = 0;
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
  return s->family->ask (s->closure, k, options, &s->question)
         && !(resuming && gt_profile_steps (profile, s->question.kind, &known));
}

int
gt_questions_answer (const struct gt_family *family, void *closure,
                     const struct gt_tuner_options *options, struct gt_profile *profile,
                     int resuming, int (*stop) (void))
{
  struct search s = {.family = family, .closure = closure, .stop = stop};
  char text[96];
  unsigned n = 0, done = 0;
  int status = 0;

  s.race = (struct gt_race) {.rounds = ROUNDS, .better = BETTER, .by_threads = BETTER_BY_THREADS,
                             .closure = &s, .time = time_way};
  for (unsigned k = 0; k < family->kinds; k++)
    n += is_open (&s, k, options, profile, resuming) != 0;
  if (n == 0)
    return 1;
  snprintf (text, sizeof text, "%s, %u kinds", family->text, n);
  gt_progress_begin (&s.progress, family->label, n, text);
  for (unsigned k = 0; k < family->kinds && status == 0; k++)
    {
      if (!is_open (&s, k, options, profile, resuming))
        continue;
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
