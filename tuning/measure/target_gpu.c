/* A CUDA GPU as a target of tuning.
   Consecutive launches are timed by events; short sums are timed by the clock, each from the
   call to the result, as a caller sees them.  Each launch reads another window of a buffer
   that is larger than the cache, so that none reads data that the last one left there.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/sums/combine.h"
#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/profile/profile_private.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/rung_launch.h"
#include "tuning/measure/target.h"

#define MOST_BYTES ((size_t) 2 << 30)
#define MEMORY_SHARE 2     /* the fraction of the free memory */
#define CACHES 4           /* the windows span this multiple of the L2 cache */
#define LEAST_LAUNCHES 2 /* in a timing */
#define MOST_LAUNCHES 1000
#define WINDOW_ALIGNMENT 256

static size_t
capacity (const struct gt_target *target)
{
  size_t free_bytes = 0, total_bytes;

  if (gt_gpus->memory (target->gpu, &free_bytes, &total_bytes))
    return 0;
  return free_bytes / MEMORY_SHARE < MOST_BYTES ? free_bytes / MEMORY_SHARE
                                                : MOST_BYTES;
}

static int
failed_at (struct gt_target *target, int status, const char *what)
{
  return status ? gt_profile_fail (target->why, sizeof target->why, "%s: %s",
                                   what, gt_gpus->error (status))
                : 0;
}

/* Copies one period over the bus; the rest is copied on the device, by doubling.  */
static int
fill (struct gt_target *target)
{
  size_t period = target->data.period * target->data.size;
  size_t done = target->bytes < period ? target->bytes : period;
  int status = gt_gpus->copy (target->gpu, GT_TO_DEVICE, target->buffer,
                              target->data.pattern, done);

  while (done < target->bytes && status == 0)
    {
      size_t more = target->bytes - done < done ? target->bytes - done : done;

      status = gt_gpus->copy (target->gpu, GT_ON_DEVICE, target->buffer + done,
                              target->buffer, more);
      done += more;
    }
  return status;
}

static void
unload (struct gt_target *target)
{
  if (target->buffer)
    gt_gpus->free (target->gpu, GT_PLACE_DEVICE, target->buffer);
  free (target->here);
  target->buffer = target->here = NULL;
  target->bytes = target->room = 0;
}

/* Keeps memory that is large enough, as on the host.  The CPU reads no more than BYTES of
   the data.  */
static int
load (struct gt_target *target, size_t bytes)
{
  const size_t cold = CACHES * target->device->gpu.l2;
  size_t most, least;
  int status = 0;

  if (bytes > target->room || bytes > target->bytes || cold > target->bytes)
    {
      unload (target);
      most = capacity (target);
      least = cold < most ? cold : most;
      target->here = malloc (bytes);
      if (target->here == NULL)
        return gt_profile_fail (target->why, sizeof target->why,
                                "no memory for %zu bytes of test data", bytes);
      target->room = bytes;
      target->bytes = bytes < least ? least : bytes;
      status = gt_gpus->alloc (target->gpu, GT_PLACE_DEVICE, target->bytes,
                               (void **) &target->buffer);
    }
  target->readable = bytes;
  gt_data_fill (&target->data, target->here, bytes);
  if (status == 0)
    status = fill (target);
  return failed_at (target, status, "loading test data");
}

static struct gt_plan
plan_of (const struct gt_candidate *candidate)
{
  return (struct gt_plan) {.kernel = candidate->kernel,
                           .config = candidate->config};
}

static int
compute_by_library (struct gt_target *target, const struct gt_plan *plan,
                    const struct gt_task *task, union gt_value *value)
{
  int status = gt_gpus->poison (target->gpu, target->slot);

  if (status == 0)
    status = gt_gpus->start (target->gpu, target->slot, GT_WAY_DIRECT, plan, task);
  if (status == 0)
    status = gt_gpus->await (target->gpu, target->slot, task, value);
  return status;
}

static int
compute (struct gt_target *target, const struct gt_candidate *candidate,
         const struct gt_task *task, union gt_value *value)
{
  struct gt_plan plan = plan_of (candidate);
  int status = target->launcher
                 ? gt_rungs->sum (target->launcher, &plan, task, value)
                 : compute_by_library (target, &plan, task, value);

  if (status == 0)
    gt_value_finish (&task->problem, value);
  return failed_at (target, status, "launching");
}

/* The places of the data of timed sums.  */
struct windows
{
  unsigned count;
  size_t step; /* bytes */
};

/* Measures the seconds of COUNT sums, one after the other.  */
static int
time_calls (struct gt_target *target, const struct gt_plan *plan,
            const struct gt_task *task, unsigned count, struct windows windows,
            double *seconds)
{
  double begin = gt_now ();
  union gt_value value;
  int status = 0;

  for (unsigned k = 0; k < count && status == 0; k++)
    {
      struct gt_task moved = *task;

      for (unsigned input = 0; input < 2; input++)
        gt_task_move (&moved, input, k % windows.count * windows.step);
      status = gt_gpus->compute (target->gpu, plan, &moved, NULL, &value);
    }
  *seconds = gt_now () - begin;
  return status;
}

/* Does the same by the clock or on the device, depending on the data's SPAN.  */
static int
time_count (struct gt_target *target, const struct gt_plan *plan,
            const struct gt_task *task, unsigned count, struct windows windows,
            double *seconds)
{
  if (target->launcher)
    return gt_rungs->time (target->launcher, plan, task, count, windows.count,
                           windows.step, seconds);
  return gt_problem_span (&task->problem) <= GT_LAUNCH_BOUND_BYTES
           ? time_calls (target, plan, task, count, windows, seconds)
           : gt_gpus->time (target->gpu, target->slot, plan, task, count,
                            windows.count, windows.step, seconds);
}

/* Returns the number of sums of SECONDS that together last AT_LEAST.  */
static unsigned
launches_for (double at_least, double seconds)
{
  const double count = seconds > 0 ? at_least / seconds : MOST_LAUNCHES;

  return count < LEAST_LAUNCHES - 1 ? LEAST_LAUNCHES
         : count < MOST_LAUNCHES    ? (unsigned) count + 1
                                    : MOST_LAUNCHES;
}

/* A candidate that was timed before needs no preparation.  */
static int
time_candidate (struct gt_target *target, const struct gt_candidate *candidate,
                const struct gt_problem *problem, double at_least,
                double *seconds)
{
  uint64_t span = gt_problem_span (problem);
  size_t step = (span + WINDOW_ALIGNMENT - 1) / WINDOW_ALIGNMENT
                * WINDOW_ALIGNMENT;
  struct windows windows
    = {(unsigned) (target->bytes / (step ? step : 1)), step};
  struct gt_plan plan = plan_of (candidate);
  struct gt_task task = gt_problem_task (problem, target->buffer);
  unsigned count = LEAST_LAUNCHES;
  int status = 0;

  windows.count = windows.count ? windows.count : 1;
  *seconds = candidate->seconds * count;
  /* The first sum loads the kernel and prepares its launch; the second determines the number
     of sums.  */
  for (int k = 0; k < 2 && status == 0 && candidate->seconds <= 0; k++)
    status = time_count (target, &plan, &task, count, windows, seconds);
  if (status == 0 && (*seconds < at_least || candidate->seconds > 0))
    {
      count = launches_for (at_least, *seconds / count);
      status = time_count (target, &plan, &task, count, windows, seconds);
    }
  *seconds /= count;
  return failed_at (target, status, "timing");
}

static int
lost (const struct gt_target *target)
{
  return gt_gpu_open (target->index, NULL) == NULL;
}

static const struct gt_target_ops ops
  = {capacity, load, unload, compute, time_candidate, NULL, NULL, lost};

int
gt_target_gpu (struct gt_target *target, int index)
{
  const char *reason = "";

  *target = (struct gt_target) {.ops = &ops, .index = index};
  target->gpu = gt_gpu_open (index, &reason);
  if (target->gpu == NULL)
    return gt_profile_fail (target->why, sizeof target->why, "%s", reason);
  target->device = gt_gpu_device (index);
  return failed_at (target,
                    gt_gpus->slot_acquire (target->gpu, SIZE_MAX, &target->slot),
                    "preparing a stream");
}
