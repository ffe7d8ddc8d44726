/* Divides a task on a route to GPUs, and plans its parts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/plan/scheme.h"

#include "src/base/env.h"
#include "src/device/geometry.h"
#include "src/device/gpus.h"

#define PAGE 4096

/* The part of the limit of scratch memory, 1/RESERVE, that rings and staging buffers must not
   use, because every launch on a GPU needs some.  */
#define RESERVE 8

static void
open_gpus (struct gt_scheme *scheme)
{
  const struct gt_choice *choice = &scheme->choice;

  scheme->n_gpus = 0;
  for (unsigned i = 0; i < choice->n_gpus && i < GT_MAX_GPUS; i++)
    {
      struct gt_open_gpu *gpu = gt_gpu_open (choice->gpu + (int) i, NULL);

      if (gpu)
        scheme->gpu[scheme->n_gpus++] = gpu;
    }
}

/* Returns the plan with which a GPU computes a piece of LENGTH elements.  For exact pieces
   this is the kernel for numbers of any size: it is faster than the bus, and a lane has no
   time for a kernel that may give up.  */
static struct gt_plan
plan_piece (const struct gt_plans *plans, const struct gt_problem *problem,
            uint64_t length)
{
  struct gt_problem p = *problem;
  struct gt_plan plan = {0};

  p.n = length;
  if (p.mode == GT_MODE_EXACT)
    gt_any_range (plans->device, &p, &plan.kernel, &plan.config);
  else
    plan = *gt_plan_find (plans, &p);
  return plan;
}

/* Returns the GPUs' share of N elements of SIZE bytes.  The boundary between it and the CPU's
   share is a page boundary.  */
static uint64_t
gpus_share (const struct gt_route *route, uint64_t n, size_t size)
{
  uint64_t unit = PAGE / size;

  if (route->percent >= 100)
    return n;
  return (n / 100 * route->percent + n % 100 * route->percent / 100) / unit
         * unit;
}

/* Returns the number of elements of a copied piece, which have SIZE bytes including those of
   the other input: as the route specifies, or fewer if the buffers of all lanes would exceed
   the limit of scratch memory.  */
static uint64_t
copied_piece (struct gt_scheme *scheme, size_t size)
{
  const struct gt_route *route = &scheme->choice.route;
  size_t limit = gt_scratch_limit, bytes = (size_t) route->chunk_kib << 10;
  size_t unit = PAGE / size;
  unsigned lanes = route->way == GT_WAY_STAGED
                     ? GT_STAGED_LANES * route->threads
                     : GT_COPY_LANES * scheme->n_gpus;
  uint64_t length;

  limit = (limit - limit / RESERVE) / lanes;
  scheme->lane_most = limit;
  length = (bytes < limit ? bytes : limit) / size / unit * unit;
  return length ? length : unit;
}

/* Returns the number of elements of a piece that a GPU reads directly: each GPU's part of the
   share, unless that exceeds the maximum of a launch.  */
static uint64_t
direct_piece (const struct gt_scheme *scheme,
              const struct gt_problem *problem, size_t size)
{
  struct gt_plan plan = plan_piece (scheme->plans, problem, scheme->gpu_n);
  uint64_t unit = PAGE / size;
  uint64_t length = (scheme->gpu_n / scheme->n_gpus / unit + 1) * unit;
  uint64_t most = gt_gpus->most (scheme->gpu[0], &plan, problem);

  return length < most ? length : most;
}

int
gt_scheme_make (const struct gt_choice *choice,
                const struct gt_problem *problem, struct gt_scheme *scheme)
{
  const struct gt_route *route = &choice->route;
  size_t size;

  scheme->choice = *choice;
  scheme->size = gt_element_size (problem->arithmetic);
  size = scheme->size * gt_inputs (problem);
  open_gpus (scheme);
  if (scheme->n_gpus == 0)
    return -1;
  scheme->plans = gt_plans_of (scheme->gpu[0]);
  if (scheme->plans == NULL)
    return -1;
  scheme->gpu_n = gpus_share (route, problem->n, scheme->size);
  scheme->cpu_plan = *gt_plan_find (gt_host_plans (), problem);
  scheme->at_once = route->way == GT_WAY_DIRECT && route->percent == 100
                    && scheme->n_gpus == 1;
  scheme->lane_most = SIZE_MAX;
  scheme->piece = scheme->at_once ? problem->n
                  : route->way == GT_WAY_DIRECT
                    ? direct_piece (scheme, problem, size)
                    : copied_piece (scheme, size);
  scheme->gpu_plan
    = scheme->at_once
        ? *gt_plan_find (scheme->plans, problem)
        : plan_piece (scheme->plans, problem, scheme->piece);
  return 0;
}
