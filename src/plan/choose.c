/* Chooses the route of a task's elements.

   For each place, the tuner has measured which route is fastest for which lengths; the
   environment may exclude GPUs, or require one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/plan/choose.h"

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/base/setup.h"
#include "src/device/gpus.h"
#include "src/plan/plan.h"
#include "src/profile/step_kind.h"

/* Defaults if there are no measurements.  Copying has a start-up time, which reading over the
   bus does not have; the other values were the best on one machine
   (bench/results/routes.md).  */
#define DIRECT_BYTES ((uint64_t) 1 << 20)
#define COPY_CHUNK_KIB 4096
#define STAGED_CHUNK_KIB 4096
#define STAGED_THREADS 7

/* All GPUs take part if each receives at least this many bytes.  */
#define BYTES_FOR_EACH ((uint64_t) 64 << 20)

static const struct gt_route by_cpu = {GT_WAY_CPU, 0, 0, 0};

struct gt_route
gt_route_default (const struct gt_device *gpu, enum gt_place place,
                  uint64_t bytes)
{
  unsigned threads = (unsigned) gt_device_host ()->host.threads;
  struct gt_route route = {GT_WAY_DIRECT, 100, 0, 0};

  if (place == GT_PLACE_HOST && !gpu->gpu.pageable_access)
    {
      route.way = GT_WAY_STAGED;
      route.chunk_kib = STAGED_CHUNK_KIB;
      route.threads = threads < STAGED_THREADS ? threads : STAGED_THREADS;
    }
  else if (place == GT_PLACE_PINNED && bytes >= DIRECT_BYTES)
    {
      route.way = GT_WAY_COPY;
      route.chunk_kib = COPY_CHUNK_KIB;
    }
  return route;
}

/* Returns the GPU that the environment chooses, or null.  */
static const struct gt_device *
chosen_device (void)
{
  if (gt_env.device == GT_CHOOSE_CPU || gt_in_child ())
    return NULL;
  return gt_gpu_device (gt_gpu_chosen_index ());
}

/* The routes of a profile were measured with this host and one kind of GPU; they do not apply
   to other GPUs.  */
static char silicon[GT_SILICON_SIZE];
static struct gt_once silicon_once;

static void
name_silicon (void)
{
  gt_device_silicon (chosen_device (), silicon);
}

const struct gt_step *
gt_choose_sequence (const struct gt_problem *problem, enum gt_place place,
                    unsigned *n)
{
  const struct gt_step *sequence = NULL;
  struct gt_problem serving = *problem;
  char kind[GT_STEP_KIND_SIZE];
  int sign_changed = 0;

  *n = 0;
  if (chosen_device () == NULL || !gt_host_plans ()->profile_found)
    return NULL;
  gt_once (&silicon_once, name_silicon);
  do
    {
      gt_step_kind_of_route (&serving, place, silicon, kind);
      sequence = gt_host_steps (kind, n);
    }
  while (sequence == NULL && gt_plan_serving (&serving, &sign_changed));
  return sequence;
}

/* The step of a sequence that counts for PROBLEM, or null.  */
static const struct gt_step *
step_for (const struct gt_problem *problem, enum gt_place place)
{
  unsigned n;
  const struct gt_step *step = gt_choose_sequence (problem, place, &n);

  if (step)
    step = gt_step_at (step, n, problem->n);
  return step && step->from <= problem->n ? step : NULL;
}

/* Where the environment wants a GPU, the CPU takes no share.  */
static void
demand_gpu (struct gt_choice *choice, const struct gt_device *device,
            uint64_t bytes)
{
  int count = gt_gpu_count (NULL);

  if (choice->step == NULL || choice->route.way == GT_WAY_CPU)
    {
      choice->step = NULL;
      choice->route = gt_route_default (device, choice->at.place, bytes);
    }
  choice->route.percent = 100;
  if (gt_env.all_gpus && bytes / BYTES_FOR_EACH >= (uint64_t) count)
    {
      unsigned threads = (unsigned) gt_device_host ()->host.threads;
      unsigned *copying = &choice->route.threads;

      choice->n_gpus = (unsigned) count;
      *copying *= choice->n_gpus;
      *copying = *copying < threads ? *copying : threads;
    }
}

/* Returns whether a GPU may compute PROBLEM at all.  */
static int
concerns_gpus (const struct gt_problem *problem)
{
  return problem->n > 0 && problem->layout == GT_CONTIGUOUS
         && gt_device_computes (GT_CUDA, problem);
}

/* Decides for a problem that concerns GPUs.  */
static void
decide (const struct gt_problem *problem, const struct gt_location *at,
        struct gt_choice *choice)
{
  const struct gt_device *device = chosen_device ();

  *choice = (struct gt_choice) {by_cpu, *at, -1, 0, NULL};
  if (device == NULL)
    return;
  choice->gpu = gt_gpu_chosen_index ();
  choice->n_gpus = 1;
  if (at->gpu >= 0 && at->place != GT_PLACE_PINNED)
    {
      /* The data is in this GPU's memory: nothing is quicker.  */
      choice->gpu = at->gpu;
      choice->route = (struct gt_route) {GT_WAY_DIRECT, 100, 0, 0};
      return;
    }
  choice->step = step_for (problem, at->place);
  if (choice->step)
    choice->route = gt_step_route (choice->step);
  if (gt_env.device == GT_CHOOSE_CUDA)
    demand_gpu (choice, device, gt_problem_bytes (problem));
  if (gt_env.threads && choice->route.threads > (unsigned) gt_env.threads)
    choice->route.threads = (unsigned) gt_env.threads;
  if (choice->route.way == GT_WAY_CPU)
    {
      choice->gpu = -1;
      choice->n_gpus = 0;
    }
}

void
gt_choose (const struct gt_problem *problem, const struct gt_location *at,
           struct gt_choice *choice)
{
  *choice = (struct gt_choice) {by_cpu, *at, -1, 0, NULL};
  if (concerns_gpus (problem))
    decide (problem, at, choice);
}

/* Stores the location of TASK's inputs.  Returns 0 if they are in different places, because no
   route handles both, and if no kernel can read them without a copy, which is too rare for a
   route of its own.  */
static int
locate (const struct gt_task *task, struct gt_location *at)
{
  const size_t bytes
    = task->problem.n * gt_element_size (task->problem.arithmetic);
  const unsigned inputs = gt_inputs (&task->problem);
  struct gt_location other;

  if (!gt_task_aligned (task))
    return 0;
  *at = gt_gpus->locate (task->x.data, bytes);
  if (inputs == 1)
    return 1;
  other = gt_gpus->locate (task->y.data, bytes);
  return other.place == at->place && other.gpu == at->gpu;
}

/* The place does not matter if the data is already on a GPU.  */
int
gt_choose_host (const struct gt_planned *planned, const struct gt_task *task,
                struct gt_choice *choice)
{
  const struct gt_problem *p = &task->problem;
  const int demanded = gt_env.device == GT_CHOOSE_CUDA;
  struct gt_location at;

  if ((!demanded && p->n < planned->gpu_from) || gt_env.device == GT_CHOOSE_CPU
      || !concerns_gpus (p) || !locate (task, &at)
      || (!demanded && at.gpu < 0 && p->n < planned->gpu_from_at[at.place]))
    return 0;
  decide (p, &at, choice);
  return choice->route.way != GT_WAY_CPU;
}
