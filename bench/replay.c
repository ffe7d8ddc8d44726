/* How near the tuner's choice comes to the best, and what it saves: sweeps played on
   tables in which `gsltune tune --effort exhaustive' has kept every repeat of every
   candidate, beside random search with as many timings.

   The sweep is the tuner's own, on a target whose clock is the table: each timing is
   drawn at random from the repeats of the candidate that were timed for as long.  They
   are drawn one by one, so that a drift of the machine, which hits all candidates of a
   round alike and which the race makes use of, is noise here: the sweep has it
   harder than on the machine.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/replay.h"
#include "tuning/measure/clock.h"
#include "tuning/search/problems.h"
#include "tuning/search/sweep.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

/* How often random search times a candidate, as Kernel Tuner does unless told
   otherwise; and brute force, with which the sweep is compared.  */
#define ITERATIONS 7
#define NEAR 0.99       /* of the best */
#define MOST_REPLAYS 10000

struct replay
{
  struct gt_target target; /* first: the operations get its address */
  const struct gt_measurements *m;
  struct launches launches; /* of M */
  struct gt_space space;
  uint64_t random;
  unsigned timings;
  double cost; /* seconds that they would have lasted */
};

/* The outcome of N replays of one search.  */
struct outcome
{
  double share[MOST_REPLAYS]; /* of the best's speed */
  double timings, cost;       /* in all */
  unsigned n, near;
};

struct request
{
  unsigned replays;
  enum gt_effort effort;
  uint64_t seed;
  struct gt_table *table;
  unsigned problems, near, all, least_near; /* least: of a problem's replays */
  double least, timings, table_timings, brute_timings; /* of a replay each */
  double seconds, brute_seconds;
};

/* ---------------------------------------------------------------- The clock */

/* SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast Splittable Pseudorandom Number
   Generators", OOPSLA 2014).  */
static uint64_t
next (uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;

  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static unsigned
below (uint64_t *state, unsigned n)
{
  return (unsigned) (next (state) % n);
}

/* One timing of candidate I: of a repeat of any that is launched like it.  */
static double
draw (struct replay *replay, unsigned i, enum gt_timing timing)
{
  const struct alike *alike = replay->launches.alike;
  const struct gt_measured *measured;
  double seconds, at_least = replay->m->at_least[timing];

  for (unsigned k = below (&replay->random, alike[i].size); k > 0; k--)
    i = alike[i].next;
  measured = &replay->m->measured[i];
  seconds = measured->seconds[timing][below (&replay->random,
                                             measured->n[timing])];

  replay->timings++;
  if (timing == GT_TIMED_SPACED)
    replay->cost += GT_SPACED_SUMS * (seconds + GT_PAUSE);
  else
    replay->cost += seconds > at_least ? seconds : at_least;
  return seconds;
}

static unsigned
index_of (const struct replay *replay, const struct gt_candidate *c)
{
  return (unsigned) (c - replay->space.candidate);
}

static int
play_time (struct gt_target *target, const struct gt_candidate *c,
           const struct gt_problem *problem, double at_least, double *seconds)
{
  struct replay *replay = (struct replay *) target;
  unsigned i = index_of (replay, c);
  enum gt_timing timing
    = at_least > replay->m->at_least[GT_TIMED_BRIEFLY] ? GT_TIMED_LONGER
                                                       : GT_TIMED_BRIEFLY;

  (void) problem;
  if (!gt_measured_works (&replay->m->measured[i]))
    {
      snprintf (target->why, sizeof target->why, "it does not work");
      return -1;
    }
  *seconds = draw (replay, i, timing);
  return 0;
}

static double
play_spaced (struct gt_target *target, const struct gt_candidate *c,
             const struct gt_problem *problem)
{
  struct replay *replay = (struct replay *) target;

  (void) problem;
  return draw (replay, index_of (replay, c), GT_TIMED_SPACED);
}

static int
never_lost (const struct gt_target *target)
{
  (void) target;
  return 0;
}

static int
never (void)
{
  return 0;
}

static int
has_spaced (const struct gt_measurements *m)
{
  for (unsigned i = 0; i < m->n; i++)
    if (m->measured[i].n[GT_TIMED_SPACED])
      return 1;
  return 0;
}

/* ------------------------------------------------------------- The searches */

/* The sweep's choice: its index in the table, or -1.  */
static int
play_sweep (struct replay *replay, enum gt_effort effort)
{
  const struct gt_measurements *m = replay->m;
  struct gt_sweep sweep = {.effort = effort, .stop = never, .trusted = 1};
  struct gt_entry entry;
  enum gt_sweep_status status;

  for (unsigned i = 0; i < m->n; i++)
    {
      replay->space.candidate[i] = m->measured[i].candidate;
      replay->space.candidate[i].failed = 0;
      replay->space.candidate[i].seconds = 0;
    }
  status = gt_sweep_run (&sweep, &replay->target, &replay->space, &entry);
  gt_sweep_clear (&sweep);
  for (unsigned i = 0; i < m->n && status == GT_SWEEP_DONE; i++)
    if (m->measured[i].candidate.kernel == entry.kernel
        && memcmp (&m->measured[i].candidate.config, &entry.config,
                   sizeof entry.config)
             == 0)
      return (int) i;
  gt_error ("the sweep has failed: %s", replay->target.why);
  return -1;
}

/* The score of candidate CANDIDATE, timed ITERATIONS times.  */
static double
time_often (struct replay *replay, unsigned candidate)
{
  double values[ITERATIONS], seconds;

  for (unsigned i = 0; i < ITERATIONS; i++)
    values[i] = draw (replay, candidate, GT_TIMED_LONGER);
  seconds = gt_median (values, ITERATIONS, NULL);
  if (replay->m->measured[candidate].n[GT_TIMED_SPACED] == 0)
    return seconds;
  for (unsigned i = 0; i < ITERATIONS; i++)
    values[i] = draw (replay, candidate, GT_TIMED_SPACED);
  return sqrt (seconds * gt_median (values, ITERATIONS, NULL));
}

/* The choice of random search with so many timings: candidates that can be launched, each
   once.  */
static int
play_random (struct replay *replay, unsigned timings)
{
  const struct gt_measurements *m = replay->m;
  unsigned order[1 << 12], n = 0;
  double best = 0;
  int chosen = -1;

  for (unsigned i = 0; i < m->n && n < 1 << 12; i++)
    if (launch_counts (&replay->launches, i))
      order[n++] = i;
  while (n > 0 && (replay->timings < timings || chosen < 0))
    {
      unsigned k = below (&replay->random, n), i = order[k];
      double score = time_often (replay, i);

      order[k] = order[--n];
      if (chosen < 0 || score < best)
        {
          chosen = (int) i;
          best = score;
        }
    }
  return chosen;
}

/* ---------------------------------------------------------------- A problem */

static void
note (struct outcome *outcome, const struct replay *replay, double share)
{
  outcome->share[outcome->n++] = share;
  outcome->near += share >= NEAR;
  outcome->timings += replay->timings;
  outcome->cost += replay->cost;
}

static double
least_of (const struct outcome *outcome)
{
  double least = 1;

  for (unsigned i = 0; i < outcome->n; i++)
    least = outcome->share[i] < least ? outcome->share[i] : least;
  return least;
}

/* How near the best of one half of the repeats comes to the best of the other: what the
   table cannot tell, no search can.  */
static double
resolution (const struct replay *replay)
{
  double first = INFINITY, second = INFINITY, chosen = 1;

  for (unsigned i = 0; i < replay->m->n; i++)
    if (launch_counts (&replay->launches, i))
      {
        double one = launch_score (&replay->launches, i, 0, 2);
        double other = launch_score (&replay->launches, i, 1, 2);

        if (one < first)
          {
            first = one;
            chosen = other;
          }
        second = other < second ? other : second;
      }
  return second / chosen;
}

/* Timings, and the seconds that they last, of brute force with N repeats.  */
static double
brute_force (const struct replay *replay, unsigned n, double *seconds)
{
  struct replay one = *replay;

  one.timings = 0;
  one.cost = 0;
  for (unsigned i = 0; i < one.m->n; i++)
    if (launch_counts (&replay->launches, i))
      for (enum gt_timing t = GT_TIMED_LONGER; t < GT_N_TIMINGS; t++)
        for (unsigned k = 0; one.m->measured[i].n[t] && k < n; k++)
          draw (&one, i, t);
  *seconds = one.cost;
  return one.timings;
}

static void
add_row (struct request *request, const struct replay *replay, unsigned best,
         const struct outcome *sweep, const struct outcome *random)
{
  const struct gt_measurements *m = replay->m;
  double brute_seconds, table_seconds, n = sweep->n;
  double brute = brute_force (replay, ITERATIONS, &brute_seconds);
  double table = brute_force (replay, GT_REPEATS, &table_seconds);
  unsigned works = 0;

  for (unsigned i = 0; i < m->n; i++)
    works += launch_counts (&replay->launches, i) != 0;
  gt_table_printf (
    request->table,
    "%s\t%u\t%s\t%.1f%%\t%u/%u\t%.1f%%\t%.0f\t%.1f%%\t%.0f%%\t%u/%u\t%.1f%%",
    gt_problem_text (&m->problem), works, launch_is_kept (&replay->launches, best) ? "yes" : "no",
    100 * resolution (replay), sweep->near, sweep->n, 100 * least_of (sweep),
    sweep->timings / n, 100 * sweep->timings / n / table,
    100 * sweep->timings / n / brute, random->near, random->n,
    100 * least_of (random));
  request->problems++;
  request->all += sweep->n;
  request->near += sweep->near;
  if (sweep->near < request->least_near)
    request->least_near = sweep->near;
  if (least_of (sweep) < request->least)
    request->least = least_of (sweep);
  request->timings += sweep->timings / n;
  request->table_timings += table;
  request->brute_timings += brute;
  request->seconds += sweep->cost / n;
  request->brute_seconds += brute_seconds;
}

/* The searches' choices in as many replays as are asked for; -1 when one fails.  */
static int
play_all (struct replay *replay, const struct request *request, unsigned best,
          struct outcome *sweep, struct outcome *random)
{
  const double score = launch_score (&replay->launches, best, 0, 1);

  for (unsigned i = 0; i < request->replays; i++)
    {
      unsigned timings;
      int chosen;

      replay->timings = 0;
      replay->cost = 0;
      chosen = play_sweep (replay, request->effort);
      if (chosen < 0)
        return -1;
      note (sweep, replay,
            score / launch_score (&replay->launches, (unsigned) chosen, 0, 1));
      timings = replay->timings;
      replay->timings = 0;
      replay->cost = 0;
      chosen = play_random (replay, timings);
      note (random, replay,
            score / launch_score (&replay->launches, (unsigned) chosen, 0, 1));
    }
  return 0;
}

/* Plays one problem's table; returns 0, or 1 after a message.  */
static int
play (const struct gt_measurements *m, void *closure)
{
  static struct outcome sweep, random;
  struct request *request = closure;
  static struct gt_device device;
  struct gt_target_ops ops = {.time = play_time, .lost = never_lost};
  struct replay replay = {.m = m, .random = request->seed};
  char not_null[1];
  int best = -1, failed;

  sweep = random = (struct outcome) {.n = 0};
  if (has_spaced (m))
    ops.time_spaced = play_spaced;
  replay.target.ops = &ops;
  replay.target.device = &device;
  /* Keeps the sweep from timing this machine.  */
  replay.target.gpu = (struct gt_open_gpu *) (void *) not_null;
  replay.space = (struct gt_space) {.problem = m->problem, .n = m->n,
                                    .chosen_default = m->chosen_default};
  replay.space.candidate = calloc (m->n, sizeof *replay.space.candidate);
  if (replay.space.candidate && launches_of (&replay.launches, m) == 0)
    best = launches_best (&replay.launches);
  failed = best < 0
           || play_all (&replay, request, (unsigned) best, &sweep, &random);
  if (!failed)
    add_row (request, &replay, (unsigned) best, &sweep, &random);
  launches_clear (&replay.launches);
  free (replay.space.candidate);
  return failed;
}

static void
report (const struct request *request)
{
  gt_table_print (request->table, stdout);
  printf (
    "\nThe choice is within %.0f%% of the best in %u of %u replays, in %u of %u of"
    " the worst\nproblem; at the least it has %.1f%% of the best's speed.  The sweeps"
    " take %.1f%% of the\ntables' timings, and %.0f%% of brute force with %d"
    " repeats; %s instead of %s.\n",
    100 * (1 - NEAR), request->near, request->all, request->least_near,
    request->replays, 100 * request->least,
    100 * request->timings / request->table_timings,
    100 * request->timings / request->brute_timings, ITERATIONS,
    gt_format_seconds (request->seconds),
    gt_format_seconds (request->brute_seconds));
}

/* ------------------------------------------------------------------ Options */

static const char help[]
  = "Usage: replay [OPTION]... FILE...\n"
    "Plays the tuner's search, and random search with as many timings, on the tables\n"
    "that `gsltune tune --effort exhaustive' leaves beside the profile, and says how\n"
    "near the choice comes to the best of the table.\n\n"
    "  --replays N      of each problem (default 100)\n"
    "  --effort LEVEL   normal (default) or thorough, whose timings last longer and\n"
    "                   so vary less than the table's\n"
    "  --seed N         another one draws other timings (default 1)\n"
    "  --help           print this text\n\n"
    "Columns: how many launches work, candidates that are launched alike being one;\n"
    "whether the model keeps the best; how near the best by one half of the repeats\n"
    "comes to the best by the other; of the sweep, replays within 1% of the best,\n"
    "the least share of the best's speed, timings, their share of the table's and of\n"
    "brute force's with 7 repeats; of random search, replays within 1%, and the\n"
    "least share.\n";

static const struct option long_options[] = {
  {"replays", required_argument, 0, 'r'},
  {"effort", required_argument, 0, 'e'},
  {"seed", required_argument, 0, 's'},
  {"help", no_argument, 0, 'h'},
  {0, 0, 0, 0},
};

int
main (int argc, char **argv)
{
  struct request request = {.replays = 100, .effort = GT_EFFORT_NORMAL,
                            .seed = 1, .least = 1, .least_near = UINT32_MAX};
  char why[4500];
  int option, failed = 0;

  while ((option = getopt_long (argc, argv, "", long_options, NULL)) != -1)
    switch (option)
      {
      case 'r':
        request.replays = (unsigned) gt_parse_count ("--replays", optarg, 1,
                                                     MOST_REPLAYS);
        break;
      case 'e':
        request.effort = gt_parse_effort ("--effort", optarg,
                                          GT_EFFORT_THOROUGH);
        if (request.effort != GT_EFFORT_NORMAL
            && request.effort != GT_EFFORT_THOROUGH)
          gt_usage ("--effort: only normal and thorough can be played");
        break;
      case 's':
        request.seed = gt_parse_count ("--seed", optarg, 0, UINT64_MAX);
        break;
      default:
        fputs (help, option == 'h' ? stdout : stderr);
        return option == 'h' ? gt_finish_stdout () : GT_EXIT_USAGE;
      }
  if (optind == argc)
    gt_usage ("replay needs a file of measurements: see replay --help");
  request.table
    = gt_table_new ("lrlrrrrrrrr",
                    "problem\tworks\tkept\tresolved\twithin 1%%\tleast\ttimings\t"
                    "of table\tof brute\trandom\tleast");
  for (int i = optind; i < argc && !failed; i++)
    {
      failed = gt_measurements_read (argv[i], play, &request, why, sizeof why);
      if (failed < 0)
        gt_error ("%s", why);
      else if (failed)
        gt_error ("%s: a table cannot be played: no candidate works, or memory"
                  " is short", argv[i]);
    }
  if (!failed && request.problems)
    report (&request);
  return gt_finish_stdout () || failed ? GT_EXIT_FAILED : GT_EXIT_OK;
}
