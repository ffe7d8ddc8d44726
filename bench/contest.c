/* Sums of host vectors timed in turn, so that all meet the same disturbances.

   Every contender is called as a program calls it: through a pointer to a
   function that takes a vector, its value stored to a volatile variable.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/contest.h"

#include "bench/bench.h"
#include "bench/timing.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "tuning/measure/clock.h"
#include "tuning/search/sweep.h"

#define MOST_CONTENDERS 8

/* Work that lasts so long leaves nothing in a cache for the next timing.  */
#define LONG 10e-3

/* Times a function that is listed.  */
static double
time_listed (const struct gt_contender *contender, unsigned calls, double *value)
{
  const struct gt_listed *f = contender->listed;
  struct gt_answer answer;
  double begin = gt_now (), seconds;

  for (unsigned k = 0; k < calls; k++)
    f->call (contender->function, contender->operands, &answer);
  seconds = gt_now () - begin;
  *value = (double) gt_answer_value (f, &answer, 0);
  return seconds;
}

/* Seconds of CALLS calls; the last value in VALUE.  */
static double
time_loop (const struct gt_contender *contender, unsigned calls, double *value)
{
  double (*volatile sum) (const gsl_vector *) = contender->sum;
  volatile double sink;
  double begin = gt_now (), seconds;

  for (unsigned k = 0; k < calls; k++)
    sink = sum (contender->vector);
  seconds = gt_now () - begin;
  *value = sink;
  return seconds;
}

void
gt_bench_find_plans (enum gt_arithmetic arithmetic, enum gt_mode mode, size_t n,
                     struct gt_bench_plans *plans)
{
  plans->n = 0;
  plans->most = 1;
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    {
      const enum gt_reduction reduction = (enum gt_reduction) r;
      const struct gt_problem p
        = {reduction, gt_arithmetic_for (reduction, arithmetic),
           gt_mode_for (reduction, arithmetic, mode), GT_CONTIGUOUS, n};
      struct gt_plan *plan;

      if (!gt_reduction_has (reduction, p.arithmetic))
        continue;
      plan = &gt_plan_to_change (&p)->plan;
      plans->plan[plans->n] = plan;
      plans->threads[plans->n++] = plan->config.threads;
      if (plan->config.threads > plans->most)
        plans->most = plan->config.threads;
    }
}

/* Threads that are still awake cost a sum of one thread its cores, not another sum of
   several.  */
static double
time_calls (struct gt_contest *contest, const struct gt_contender *contender,
            unsigned calls, double *value)
{
  const struct gt_bench_plans *alone = contender->alone;
  const int awake = contender->threads > 1;
  double seconds;

  if (contest->awake && contest->awake != awake)
    gt_settle ();
  contest->awake = awake;
  gt_set_mode (contender->mode);
  for (unsigned i = 0; alone && i < alone->n; i++)
    alone->plan[i]->config.threads = 1;
  seconds = contender->listed ? time_listed (contender, calls, value)
                              : time_loop (contender, calls, value);
  for (unsigned i = 0; alone && i < alone->n; i++)
    alone->plan[i]->config.threads = alone->threads[i];
  return seconds;
}

double
gt_contest_call (struct gt_contest *contest, struct gt_contender *contender)
{
  double value;

  contender->calls = 1;
  contender->seconds = time_calls (contest, contender, 1, &value);
  return value;
}

static void
choose_calls (struct gt_contest *contest, struct gt_contender *contender,
              double sample)
{
  double seconds = contender->calls * contender->seconds, value;

  while (seconds < sample && contender->calls < 1u << 24)
    {
      contender->calls *= 2;
      seconds = time_calls (contest, contender, contender->calls, &value);
    }
  contender->seconds = seconds / contender->calls;
}

static unsigned
choose_rounds (const struct gt_schedule *schedule, double seconds_a_round)
{
  double rounds = schedule->budget / seconds_a_round;
  unsigned most
    = schedule->most < GT_BENCH_ROUNDS ? schedule->most : GT_BENCH_ROUNDS;

  if (rounds < schedule->least)
    rounds = schedule->least;
  return rounds < most ? (unsigned) rounds : most;
}

/* One timing, the data having been brought back into the cache.  */
static double
time_once (struct gt_contest *contest, const struct gt_contender *contender)
{
  unsigned calls = contender->calls;
  double value;

  if (calls * contender->seconds < LONG)
    time_calls (contest, contender, calls / 8 + 1, &value);
  return time_calls (contest, contender, calls, &value) / calls;
}

void
gt_contest_time (struct gt_contest *contest, struct gt_contender *contender,
                 unsigned n, unsigned which, const struct gt_schedule *schedule)
{
  static double seconds[MOST_CONTENDERS][GT_BENCH_ROUNDS];
  double a_round = 0;
  unsigned rounds;

  for (unsigned c = 0; c < n; c++)
    if (which & 1u << c)
      {
        choose_calls (contest, &contender[c], schedule->sample);
        a_round += contender[c].calls * contender[c].seconds;
      }
  rounds = choose_rounds (schedule, a_round);
  for (unsigned r = 0; r < rounds; r++)
    for (unsigned c = 0; c < n; c++)
      if (which & 1u << c)
        seconds[c][r] = time_once (contest, &contender[c]);
  for (unsigned c = 0; c < n; c++)
    if (which & 1u << c)
      {
        contender[c].seconds = gt_median (seconds[c], rounds, NULL);
        contender[c].best = seconds[c][0];
        for (unsigned r = 1; r < rounds; r++)
          if (seconds[c][r] < contender[c].best)
            contender[c].best = seconds[c][r];
      }
}
