/* The host as a target of tuning.
   Data that fits in a cache is timed in the cache, since a vector that a program has just made
   is there.  Longer vectors are read from memory in any case.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/cpu/sums/combine.h"
#include "src/base/names.h"
#include "src/cpu/backend_cpu.h"
#include "src/profile/profile_private.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/target.h"

#define MOST_BYTES ((size_t) 4 << 30)
#define MEMORY_SHARE 8 /* the fraction of the machine's memory */
#define PAGE 4096

static size_t
capacity (const struct gt_target *target)
{
  size_t share = target->device->host.memory / MEMORY_SHARE;

  return share && share < MOST_BYTES ? share : MOST_BYTES;
}

/* Keeps memory that is large enough, because the system takes longer to provide pages than to
   fill them.  */
static int
load (struct gt_target *target, size_t bytes)
{
  if (bytes > target->room)
    {
      free (target->buffer);
      target->room = (bytes + PAGE - 1) / PAGE * PAGE;
      target->buffer = aligned_alloc (PAGE, target->room);
    }
  if (target->buffer == NULL)
    return gt_profile_fail (target->why, sizeof target->why,
                            "no memory for %zu bytes of test data", bytes);
  target->here = target->buffer;
  target->bytes = target->readable = bytes;
  gt_data_fill (&target->data, target->buffer, bytes);
  return 0;
}

static void
unload (struct gt_target *target)
{
  free (target->buffer);
  target->buffer = NULL;
  target->room = 0;
}

static struct gt_plan
plan_of (const struct gt_candidate *candidate,
         const struct gt_problem *problem)
{
  return (struct gt_plan) {candidate->kernel, candidate->config,
                           gt_kernel_function (candidate->kernel, problem,
                                               candidate->config.unroll),
                           NULL};
}

static int
compute (struct gt_target *target, const struct gt_candidate *candidate,
         const struct gt_task *task, union gt_value *value)
{
  struct gt_plan plan = plan_of (candidate, &task->problem);

  (void) target;
  memset (value, 0xcb, sizeof *value);
  gt_cpu_compute (&plan, task, value);
  gt_value_finish (&task->problem, value);
  return 0;
}

/* The sums of one candidate.  */
struct runs
{
  struct gt_plan plan;
  struct gt_task task;
};

static void
sum_often (void *closure, unsigned count)
{
  const struct runs *runs = closure;
  union gt_value result;

  for (unsigned k = 0; k < count; k++)
    gt_cpu_compute (&runs->plan, &runs->task, &result);
}

/* Returns whether more threads of all programs are ready to run than there are processors.  In
   this case some of the team's threads may wait although those that run are as fast as
   usual.  */
static int
is_crowded (void)
{
  FILE *file = fopen ("/proc/loadavg", "r");
  int ready = 0;

  if (file == NULL)
    return 0;
  if (fscanf (file, "%*s %*s %*s %d", &ready) != 1)
    ready = 0;
  fclose (file);
  return ready > sysconf (_SC_NPROCESSORS_ONLN);
}

static int
time_candidate (struct gt_target *target, const struct gt_candidate *candidate,
                const struct gt_problem *problem, double at_least,
                double *seconds)
{
  struct runs runs = {plan_of (candidate, problem),
                      gt_problem_task (problem, target->buffer)};
  const double begin = gt_now (), had = gt_processor_now ();

  *seconds = gt_time_batches (sum_often, &runs, at_least);
  target->lacking = is_crowded () ? 1 : 1 - (gt_processor_now () - had)
                                              / (gt_now () - begin);
  return 0;
}

/* Returns the median, since for some sums a thread is still awake.  */
static double
time_spaced (struct gt_target *target, const struct gt_candidate *candidate,
             const struct gt_problem *problem)
{
  struct runs runs = {plan_of (candidate, problem),
                      gt_problem_task (problem, target->buffer)};
  double seconds[GT_SPACED_SUMS], begin, end = gt_now ();

  for (int k = 0; k < GT_SPACED_SUMS; k++)
    {
      do
        begin = gt_now ();
      while (begin < end + GT_PAUSE);
      sum_often (&runs, 1);
      end = gt_now ();
      seconds[k] = end - begin;
    }
  return gt_median (seconds, GT_SPACED_SUMS);
}

static void
nothing (void *closure, unsigned member)
{
  (void) closure;
  (void) member;
}

/* Makes the threads here, because that takes longer than many sums.  */
static void
renew (struct gt_target *target)
{
  gt_team_release ();
  gt_team_run ((unsigned) target->device->host.threads, nothing, NULL);
}

static int
lost (const struct gt_target *target)
{
  (void) target;
  return 0;
}

static const struct gt_target_ops ops
  = {capacity, load, unload, compute, time_candidate, time_spaced, renew,
     lost};

void
gt_target_host (struct gt_target *target)
{
  *target = (struct gt_target) {.ops = &ops, .device = gt_device_host ()};
}
