/* Which of a few candidates is the fastest, and which simpler one is as good.

   Algorithm.  A race: in each round every entrant is timed once, one after the
   other, so that a drift of the clock or of the machine's load hits all alike, and
   who is certainly slower than the leader leaves (O. Maron and A. W. Moore,
   "Hoeffding Races", Advances in Neural Information Processing Systems 6, 1994).
   The race compares the ratios of two entrants' times in the same round.  Nothing is
   known of their distribution, so the sign test tells what is certain (W. J. Dixon
   and A. M. Mood, "The Statistical Sign Test", Journal of the American Statistical
   Association 41, 1946).  Timings that something plainly disturbed, or in which
   others had the processors, are left out.

   Among those that are alike the default wins, else the simplest, so that two runs agree.
   The race ends as soon as each entrant that would be preferred to the leader is known to be
   alike or not, or seems alike and is certainly within twice as much. What is still
   uncertain after the last round is taken for what it seems to be. But the default, which
   serves without any tuning, loses only to an entrant that is certainly faster. That one
   meets it once more, in rounds that have not been used to choose.

   Threads.  How fast several threads are depends on where the system has put them,
   and stays so for as long as they live: each round has threads of its own.  And it
   depends on whether they are awake.  Sums one right after the other find them so;
   a program that does something else in between does not, and then waking them may
   take longer than the sum.  As it is not known which of these a program does, where
   entrants differ in threads both are timed, and the geometric mean counts: to gain
   a factor in one is worth as much as to lose it in the other.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two results nearer than this are alike, however certain the difference is.  They are
   alike, too, if they only seem to be and nothing is certain.  This is half of what a choice
   may cost, because the simpler one may seem better than it is by as much again.  */
#define TIE 0.005
/* But more threads have to be worth what they take from other programs.  */
#define TIE_OF_THREADS 0.02
/* A candidate that takes this many times as long as the leader in each of a few rounds
   leaves, of slow sums the default, too, after one more.  If nobody else is left, slow sums meet
   in these rounds alone.  */
#define CLEARLY 1.25
#define CLEAR_ROUNDS 2
/* Smaller differences are looked at only every so many rounds, because a test
   that is repeated often enough finds any difference once.  */
#define LOOK 5
/* A timing longer than its quickest sibling by this factor was disturbed.  */
#define DISTURBED 1.5
/* A timing that lacked this part of its processor's time was disturbed as well: others had
   it.  If several threads lack it all the time, they look slow beside one thread, and nothing
   else shows it.  */
#define LACKING 0.25
/* There are fewer rounds, at least and at most, when one sum lasts this long, in
   seconds.  There are fewest when it lasts so long that what disturbs it is short.  */
#define SLOW 1e-3
#define SLOW_LEAST 5
#define SLOW_ROUNDS 9
#define SLOWEST 5e-3

struct entrant
{
  struct gt_candidate *candidate;
  double seconds[GT_MOST_ROUNDS]; /* of a sum among others */
  double score[GT_MOST_ROUNDS];   /* that or, with pauses, the geometric mean */
  double quickest;                /* of the scores */
  int robbed[GT_MOST_ROUNDS];     /* whether others had the processors */
  unsigned rounds;                /* in which it was timed */
  int out;                        /* certainly slower, or failed */
};

struct state
{
  const struct gt_race *race;
  struct gt_sweep *sweep;
  struct entrant entrant[GT_MOST_ENTRANTS]; /* those preferred come first */
  unsigned n, rounds;                       /* so far */
  unsigned clear, least, most;              /* rounds: if nobody else can be much faster,
                                               otherwise, and at most */
  int slow;   /* each sum takes long */
  int teams;  /* some have several threads */
  int pauses; /* and others have not so many */
};

/* ---------------------------------------------------------------- Timing */

static int
is_quiet (const struct entrant *e, unsigned round)
{
  return !e->robbed[round] && e->score[round] <= DISTURBED * e->quickest;
}

static void
time_once (struct state *s, struct entrant *e)
{
  struct gt_candidate *c = e->candidate;
  struct gt_target *target = s->sweep->target;
  double at_least = gt_effort_levels[s->sweep->effort].longer, spaced;
  unsigned r = s->rounds;

  if (gt_sweep_time (s->sweep, c, at_least, &e->seconds[r]))
    {
      e->out = 1;
      return;
    }
  e->score[r] = e->seconds[r];
  e->robbed[r] = target->lacking > LACKING;
  if (s->pauses)
    {
      spaced = target->ops->time_spaced (target, c, &s->sweep->space->problem);
      e->score[r] = sqrt (e->seconds[r] * spaced);
    }
  if (r == 0 || e->score[r] < e->quickest)
    e->quickest = e->score[r];
  e->rounds = r + 1;
}

/* Every other round runs backwards: nobody is always first.  Returns 0 when the
   sweep is to stop, and the round does not count.  */
static int
run_round (struct state *s)
{
  if (s->teams && s->sweep->target->ops->renew)
    s->sweep->target->ops->renew (s->sweep->target);
  for (unsigned i = 0; i < s->n; i++)
    {
      struct entrant *e
        = &s->entrant[s->rounds % 2 ? s->n - 1 - i : i];

      if (gt_sweep_over (s->sweep))
        return 0;
      if (!e->out)
        time_once (s, e);
    }
  s->rounds++;
  return !gt_sweep_over (s->sweep);
}

/* ------------------------------------------------------------- Comparing */

/* Those of its scores, or of its times, that nothing disturbed; where there are none,
   all.  */
static unsigned
quiet (const struct entrant *e, const double *of, double *values)
{
  unsigned n = 0;

  for (unsigned r = 0; r < e->rounds; r++)
    if (is_quiet (e, r))
      values[n++] = of[r];
  if (n > 0)
    return n;
  memcpy (values, of, e->rounds * sizeof *values);
  return e->rounds;
}

static const struct entrant *
find_leader (const struct state *s)
{
  const struct entrant *leader = NULL;
  double values[GT_MOST_ROUNDS], least = 0;

  for (unsigned i = 0; i < s->n; i++)
    {
      const struct entrant *e = &s->entrant[i];
      double median;

      if (e->out)
        continue;
      median = gt_median (values, quiet (e, e->score, values), NULL);
      if (leader == NULL || median < least)
        {
          leader = e;
          least = median;
        }
    }
  return leader;
}

enum standing
{
  UNCERTAIN,
  AS_GOOD,
  SLOWER
};

/* The ratios of E's scores to those of the LEADER in rounds in which both were quiet.  */
static unsigned
ratios (const struct state *s, const struct entrant *e, const struct entrant *leader,
        double ratio[GT_MOST_ROUNDS])
{
  unsigned n = 0;

  for (unsigned r = 0; r < s->rounds; r++)
    if (is_quiet (e, r) && is_quiet (leader, r))
      ratio[n++] = e->score[r] / leader->score[r];
  return n;
}

/* How E stands to the LEADER.  LAST: there are no more rounds.  */
static enum standing
compare (const struct state *s, const struct entrant *e,
         const struct entrant *leader, int last)
{
  const double tie
    = e->candidate->config.threads < leader->candidate->config.threads
        ? TIE_OF_THREADS : TIE;
  const int chosen = e->candidate == s->race->chosen;
  double ratio[GT_MOST_ROUNDS], low, high, median;
  const unsigned n = ratios (s, e, leader, ratio);

  if (n == 0)
    return !last ? UNCERTAIN : chosen ? AS_GOOD : SLOWER;
  median = gt_median (ratio, n, NULL); /* sorts */
  if ((chosen ? s->slow && n > CLEAR_ROUNDS : n >= CLEAR_ROUNDS) && ratio[0] > CLEARLY)
    return SLOWER;
  if (s->rounds % LOOK != 0 && !last)
    return UNCERTAIN;
  gt_median_bounds (ratio, n, &low, &high);
  if (low > 1 + tie)
    return SLOWER;
  if (high <= 1 + tie || (median <= 1 + tie && high <= 1 + 2 * tie))
    return AS_GOOD;
  if (!last)
    return UNCERTAIN;
  return chosen || median <= 1 + tie ? AS_GOOD : SLOWER;
}

/* Entrants that are certainly slower than the LEADER leave.  */
static void
thin_out (struct state *s, const struct entrant *leader)
{
  for (unsigned i = 0; i < s->n; i++)
    {
      struct entrant *e = &s->entrant[i];

      if (!e->out && e != leader && compare (s, e, leader, 0) == SLOWER)
        e->out = 1;
    }
}

/* Whether the LEADER has been timed often enough: fewer times where nobody who is left can
   be more than two ties ahead.  */
static int
is_known (const struct state *s, const struct entrant *leader)
{
  double values[GT_MOST_ROUNDS], low, high;
  const unsigned n = quiet (leader, leader->score, values);
  int known = n >= s->clear;

  for (unsigned i = 0; i < s->n && known && n < s->least; i++)
    if (!s->entrant[i].out && &s->entrant[i] != leader)
      {
        const unsigned both = ratios (s, &s->entrant[i], leader, values);

        if (both)
          gt_median (values, both, NULL); /* sorts */
        gt_median_bounds (values, both, &low, &high);
        known = low >= 1 - 2 * TIE;
      }
  return known;
}

/* The first, of those preferred, that is as good as the LEADER; null as long as that
   is uncertain.  */
static const struct entrant *
find_winner (const struct state *s, const struct entrant *leader, int last)
{
  if (!last && !is_known (s, leader))
    return NULL;
  for (unsigned i = 0; i < s->n; i++)
    {
      const struct entrant *e = &s->entrant[i];
      enum standing standing;

      if (e == leader)
        break;
      if (e->out)
        continue;
      standing = compare (s, e, leader, last);
      if (standing != SLOWER)
        return standing == AS_GOOD ? e : NULL;
    }
  return leader;
}

/* ------------------------------------------------------------------ Races */

/* Fills the candidates in from their rounds.  */
static void
note_times (struct state *s)
{
  for (unsigned i = 0; i < s->n; i++)
    {
      struct entrant *e = &s->entrant[i];
      struct gt_candidate *c = e->candidate;
      double values[GT_MOST_ROUNDS];
      unsigned n = quiet (e, e->seconds, values);

      if (c->failed || n == 0)
        continue;
      c->seconds = gt_median (values, n, &c->spread);
    }
}

static unsigned
smaller (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* Sets how many rounds the race has if one sum of the quickest entrant lasts SECONDS.  */
static void
set_rounds (struct state *s, double seconds)
{
  const struct gt_effort_level *const level = &gt_effort_levels[s->sweep->effort];

  s->slow = seconds > SLOW;
  s->clear = level->short_rounds;
  s->least = level->rounds;
  s->most = level->most_rounds;
  if (s->slow)
    {
      s->clear = smaller (s->clear, CLEAR_ROUNDS);
      s->least = smaller (s->least, SLOW_LEAST);
      s->most = smaller (s->most, seconds > SLOWEST ? SLOW_LEAST : SLOW_ROUNDS);
    }
  s->least = smaller (s->least, s->most);
}

static void
enter (struct state *s, struct gt_candidate *c)
{
  s->entrant[s->n++].candidate = c;
}

static int
by_preference (const void *a, const void *b)
{
  return gt_candidate_compare (*(struct gt_candidate *const *) a,
                               *(struct gt_candidate *const *) b);
}

/* Lines the entrants up: the default, then the simplest first.  */
static void
begin (struct state *s, struct gt_race *race)
{
  unsigned least = UINT32_MAX, most = 0;
  double quickest = INFINITY;

  qsort (race->entrant, race->n, sizeof *race->entrant, by_preference);
  for (unsigned i = 0; i < race->n; i++)
    if (race->entrant[i] == race->chosen)
      enter (s, race->entrant[i]);
  for (unsigned i = 0; i < race->n; i++)
    {
      const struct gt_candidate *c = race->entrant[i];

      if (c != race->chosen)
        enter (s, race->entrant[i]);
      least = c->config.threads < least ? c->config.threads : least;
      most = c->config.threads > most ? c->config.threads : most;
      quickest = c->seconds < quickest ? c->seconds : quickest;
    }
  s->teams = most > 1;
  s->pauses = most > least && quickest < GT_NO_PAUSE
              && s->sweep->target->ops->time_spaced;
  set_rounds (s, quickest);
}

static struct gt_candidate *
run (struct gt_race *race, struct gt_sweep *sweep)
{
  struct state s = {.race = race, .sweep = sweep};
  const struct entrant *leader, *winner = NULL;

  begin (&s, race);
  while (winner == NULL)
    {
      if (!run_round (&s))
        return NULL;
      leader = find_leader (&s);
      if (leader == NULL)
        return NULL;
      thin_out (&s, leader);
      /* An entrant that is alone is not compared.  */
      winner = s.n == 1 ? leader : find_winner (&s, leader, s.rounds == s.most);
    }
  note_times (&s);
  /* The busier the machine, the more of the winner's timings were disturbed.  */
  for (unsigned r = 0; r < s.rounds; r++)
    sweep->disturbed += !is_quiet (winner, r);
  sweep->timings += s.rounds;
  return winner->candidate;
}

struct gt_candidate *
gt_race_run (struct gt_race *race, struct gt_sweep *sweep)
{
  struct gt_candidate *winner = run (race, sweep);
  struct gt_race again = {.chosen = race->chosen};

  for (unsigned i = 0; i < race->n; i++)
    if (!race->entrant[i]->failed && (race->entrant[i] == winner
                                      || race->entrant[i] == race->chosen))
      again.entrant[again.n++] = race->entrant[i];
  return winner && again.n == 2 && race->n > 2 ? run (&again, sweep)
                                                : winner;
}
