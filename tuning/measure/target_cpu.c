/* The host as a target of tuning.

   What fits in a cache is timed in the cache: a vector that a program has just
   made lies there.  Longer ones come from memory by themselves.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/combine.h"
#include "src/base/names.h"
#include "src/cpu/backend_cpu.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/statistics.h"
#include "tuning/measure/target.h"

#define MOST_BYTES ((size_t) 4 << 30)
#define MEMORY_SHARE 8 /* of the machine's memory: one part in so many */
#define PAGE 4096
#define BATCHES 8            /* of one timing, at most */
#define MOST_RUNS (1u << 24) /* in a batch */
#define PATIENCE 20e-3       /* seconds, some time slices of the system */

static size_t
capacity (const struct gt_target *target)
{
  size_t share = target->device->host.memory / MEMORY_SHARE;

  return share && share < MOST_BYTES ? share : MOST_BYTES;
}

/* Makes room for BYTES and for the hard elements.  What is large enough stays:
   the system takes longer to give pages than to fill them.  */
static int
make_room (struct gt_target *target, size_t bytes)
{
  if (target->loaded)
    gt_data_clear (&target->data);
  target->loaded = 0;
  if (bytes > target->room)
    {
      free (target->buffer);
      target->room = (bytes + PAGE - 1) / PAGE * PAGE;
      target->buffer = aligned_alloc (PAGE, target->room);
    }
  if (target->hard == NULL)
    target->hard = malloc (GT_HARD_N * sizeof (long double));
  return target->buffer == NULL || target->hard == NULL ? -1 : 0;
}

static int
load (struct gt_target *target, enum gt_arithmetic arithmetic, size_t bytes,
      char *why, size_t why_size)
{
  size_t size = gt_arithmetics[arithmetic].size;
  size_t least = GT_AWKWARD_N * size;

  bytes = bytes < least ? least : bytes;
  if (make_room (target, bytes)
      || gt_data_init (&target->data, arithmetic, target->kind))
    {
      target->ops->close (target);
      snprintf (why, why_size, "no memory for %zu bytes of test data", bytes);
      return -1;
    }
  target->bytes = bytes;
  target->loaded = 1;
  gt_data_fill (&target->data, target->buffer, bytes);
  if (gt_arithmetics[arithmetic].real)
    {
      gt_data_cancelling (arithmetic, target->hard);
      gt_data_specials (arithmetic, target->hard + GT_CANCELLING_N * size);
    }
  return 0;
}

static struct gt_plan
plan_of (const struct gt_candidate *candidate,
         const struct gt_problem *problem)
{
  return (struct gt_plan) {candidate->kernel, candidate->config,
                           gt_cpu_function_of (candidate->kernel, problem,
                                               &candidate->config),
                           NULL};
}

static int
sum (struct gt_target *target, const struct gt_candidate *candidate,
     enum gt_mode mode, const char *from, uint64_t n, uint64_t stride,
     union gt_value *result, char *why, size_t why_size)
{
  struct gt_task task
    = gt_task_of (target->data.arithmetic, mode, from, n, stride);
  struct gt_plan plan = plan_of (candidate, &task.problem);

  (void) why;
  (void) why_size;
  memset (result, 0xcb, sizeof *result);
  gt_cpu_compute (&plan, &task, result);
  gt_value_finish (target->data.arithmetic, mode, result);
  return 0;
}

static double
time_runs (const struct gt_plan *plan, const struct gt_task *task,
           unsigned count)
{
  union gt_value result;
  double begin = gt_now ();

  for (unsigned k = 0; k < count; k++)
    gt_cpu_compute (plan, task, &result);
  return gt_now () - begin;
}

/* How many sums a batch takes, when COUNT of them took TAKEN seconds and they
   should take ENOUGH.  */
static unsigned
more_runs (unsigned count, double taken, double enough)
{
  double factor = taken > 0 ? 1.2 * enough / taken : 16;

  return (unsigned) (count * (factor < 2 ? 2 : factor < 16 ? factor : 16));
}

/* Sums are timed in batches.  Whatever disturbs a batch makes it longer: the
   quicker ones tell.  A batch much shorter than it should be shows that the
   ones before were disturbed, or cold: all start again with more sums each.
   Where most batches are disturbed, patience ends.  */
static int
time_candidate (struct gt_target *target, const struct gt_candidate *candidate,
                const struct gt_problem *problem, double at_least,
                double *seconds, char *why, size_t why_size)
{
  uint64_t stride = problem->layout == GT_CONTIGUOUS ? 1 : GT_TUNED_STRIDE;
  struct gt_task task = {*problem, {target->buffer, stride}};
  struct gt_plan plan = plan_of (candidate, problem);
  double batch[BATCHES], quickest = 0, enough = at_least / BATCHES;
  double patience = gt_now () + PATIENCE;
  unsigned count = 1, k = 0;

  (void) why;
  (void) why_size;
  while (k < 2
         || (k < BATCHES && k * quickest < at_least && gt_now () < patience))
    {
      batch[k] = time_runs (&plan, &task, count);
      if (batch[k] < enough / 2 && count < MOST_RUNS)
        {
          count = more_runs (count, batch[k], enough);
          k = 0;
          continue;
        }
      if (k == 0 || batch[k] < quickest)
        quickest = batch[k];
      k++;
    }
  gt_median (batch, k, NULL); /* sorts */
  *seconds = batch[k / 4] / count;
  return 0;
}

static int
lost (const struct gt_target *target)
{
  (void) target;
  return 0;
}

static void
close_target (struct gt_target *target)
{
  free (target->buffer);
  free (target->hard);
  if (target->loaded)
    gt_data_clear (&target->data);
  target->buffer = target->hard = NULL;
  target->loaded = 0;
  target->room = 0;
}

static const struct gt_target_ops ops
  = {capacity, load, sum, time_candidate, lost, close_target};

int
gt_target_host (struct gt_target *target, char *why, size_t why_size)
{
  (void) why;
  (void) why_size;
  *target = (struct gt_target) {.ops = &ops, .device = gt_device_host ()};
  return 0;
}
