/* Sums of host vectors timed in turn, so that all meet the same disturbances.

   Every contender is called as a program calls it: through a pointer to a
   function that takes a vector, its value stored to a volatile variable.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/contest.h"

#include <string.h>

#include "bench/bench.h"
#include "bench/timing.h"
#include "src/base/env.h"
#include "tuning/measure/clock.h"
#include "tuning/search/sweep.h"

#define MOST_CONTENDERS 8

/* What lasts so long leaves nothing in a cache for the next timing.  */
#define LONG 10e-3

const struct gt_listed *
gt_bench_listed (enum gt_function what, enum gt_element_type type)
{
  const struct gt_listed *f = gt_listed[type].function;

  switch (what)
    {
    case GT_FUNCTION_DOT:
      return gt_listed_for (GT_DOT, type);
    case GT_FUNCTION_NRM2:
      return gt_listed_for (GT_SUMSQ, type);
    case GT_FUNCTION_ASUM:
      return gt_listed_for (GT_ASUM, type);
    case GT_FUNCTION_IAMAX:
      return gt_listed_for (GT_AMAX, type);
    default:
      for (size_t k = 0; k < gt_listed[type].count; k++)
        if (f[k].gsl && strcmp (f[k].name, gt_function_names[what]) == 0)
          return &f[k];
      return NULL;
    }
}

double
gt_bench_answer (const struct gt_listed *f, const struct gt_answer *a)
{
  if (f->answers == GT_ANSWERS_INDEX)
    return (double) a->index[0];
  return (double) gt_answer_value (f, a, 0)
         + (f->answers == GT_ANSWERS_VALUES ? 3 * (double) gt_answer_value (f, a, 1) : 0);
}

/* Of a function that is listed.  */
static double
time_listed (const struct gt_contender *contender, unsigned calls, double *value)
{
  const struct gt_listed *f = contender->listed;
  struct gt_answer answer;
  double begin = gt_now (), seconds;

  for (unsigned k = 0; k < calls; k++)
    f->call (contender->function, contender->operands, &answer);
  seconds = gt_now () - begin;
  *value = gt_bench_answer (f, &answer);
  return seconds;
}

/* Seconds of CALLS calls; the last value in VALUE.  */
static double
time_loop (const struct gt_contender *contender, unsigned calls, double *value)
{
  union gt_contender_sum volatile sum = contender->sum;
  volatile union
  {
    double f64;
    float f32;
    int u32;
  } sink;
  const void *v = contender->vector;
  double begin = gt_now (), seconds;

  switch (contender->arithmetic)
    {
    case GT_F32:
      for (unsigned k = 0; k < calls; k++)
        sink.f32 = sum.f32 (v);
      break;
    case GT_U32:
      for (unsigned k = 0; k < calls; k++)
        sink.u32 = sum.u32 (v);
      break;
    default:
      for (unsigned k = 0; k < calls; k++)
        sink.f64 = sum.f64 (v);
    }
  seconds = gt_now () - begin;
  *value = contender->arithmetic == GT_F32   ? (double) sink.f32
           : contender->arithmetic == GT_U32 ? (double) sink.u32
                                             : sink.f64;
  return seconds;
}

/* Threads that are still awake cost a sum of one thread its core, not another
   sum of the same threads.  */
static double
time_calls (struct gt_contest *contest, const struct gt_contender *contender,
            unsigned calls, double *value)
{
  if (contest->awake && contender->threads == 1)
    gt_settle ();
  contest->awake = contender->threads > 1;
  gt_set_mode (contender->mode);
  return contender->listed ? time_listed (contender, calls, value)
                           : time_loop (contender, calls, value);
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
