/* The work of the tuner, the ladder and the routes of host data, on a GPU that may fail.
   Include after tests/scenario.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_FAULTY_WORK_H
#define GT_TEST_FAULTY_WORK_H

#include "src/device/gpus.h"
#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/routed.h"
#include "tests/scenario.h"
#include "tests/sums.h"
#include "tuning/measure/rung_launch.h"

#define VIEW(infix, data, n) ((gsl_vector##infix) {n, 1, data, NULL, 0})

#define N 3000

/* The tuner's work; a status that is not 0 is an answer.  */
static void
measure (struct gt_open_gpu *gpu, struct gt_slot *slot,
         const struct gpu_sum *g, double expected)
{
  struct gt_resources resources;
  double seconds = -1;
  union gt_value sum;

  if (gt_gpus->poison (gpu, slot) == 0
      && gt_gpus->start (gpu, slot, GT_WAY_DIRECT, &g->plan, &g->task) == 0
      && gt_gpus->await (gpu, slot, &g->task, &sum) == 0)
    CHECK (sum.f64[0] == expected);
  if (gt_gpus->time (gpu, slot, &g->plan, &g->task, 3, 1, 0, &seconds) == 0)
    CHECK (seconds >= 0); /* what does not run takes no time */
  if (gt_gpus->resources (gpu, &g->plan, &g->task.problem, &resources) == 0)
    CHECK (resources.registers > 0 && resources.active_blocks > 0);
}

/* Set where launches may succeed and not run.  A rung's sum is then what lay where it
   is fetched, poison: only a verification can tell, and every rung has one.  */
static int launches_vanish;

/* The work of `gsltune ladder', with one rung of each shape.  */
static void
climb (struct gt_open_gpu *gpu, struct gt_slot *slot, struct gpu_sum g, double expected)
{
  static const char *const rungs[]
    = {"shuffle", "last_warp_in_place", "multilevel", "recursive"};
  struct gt_rung_launcher *launcher = gt_rungs->open (gpu, slot, NULL);
  struct gt_resources resources;
  union gt_value sum;
  char why[160] = "";

  CHECK (launcher != NULL);
  g.plan.config.block = 32;
  for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++)
    {
      const struct gt_ladder_kernel *rung = gt_ladder_find (rungs[i]);
      double seconds = -1;

      g.plan.kernel = rung->kernel;
      if (gt_rungs->available (launcher, rung, why, sizeof why))
        {
          CHECK (*why);
          continue;
        }
      if (gt_rungs->sum (launcher, &g.plan, &g.task, &sum) == 0)
        CHECK (sum.f64[0] == expected || launches_vanish);
      if (gt_rungs->time (launcher, &g.plan, &g.task, 3, 1, 0, &seconds) == 0)
        CHECK (seconds >= 0);
      if (gt_rungs->resources (launcher, &g.plan, &g.task.problem, &resources) == 0)
        CHECK (resources.registers > 0 && resources.active_blocks > 0);
    }
  gt_rungs->close (launcher);
}

static void
measure_copies (struct gt_open_gpu *gpu, void *from, void *to, const double *x)
{
  struct gpu_sum g = gpu_sum_of (sum_kernel ("grid_stride"),
                                 (struct gt_config) {1, 128, 4, 2}, GT_F64,
                                 GT_MODE_FAST, to, N, 1);
  double y[N], expected = gsl_vector_sum (&VIEW (, (double *) x, N));
  struct gt_slot *slot;

  if (gt_gpus->copy (gpu, GT_TO_DEVICE, from, x, sizeof y)
      || gt_gpus->copy (gpu, GT_ON_DEVICE, to, from, sizeof y))
    return;
  if (gt_gpus->copy (gpu, GT_TO_HOST, y, to, sizeof y) == 0)
    CHECK (memcmp (x, y, sizeof y) == 0);
  if (gt_gpus->slot_acquire (gpu, SIZE_MAX, &slot) == 0)
    {
      measure (gpu, slot, &g, expected);
      climb (gpu, slot, g, expected);
      gt_gpus->slot_release (gpu, slot);
    }
}

static void
tuner (void)
{
  double x[N];
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  size_t free_bytes = 0, total = 0;
  void *from, *to;

  if (gpu == NULL)
    return;
  put_exact (GT_F64, x, N, 1, 9);
  if (gt_gpus->memory (gpu, &free_bytes, &total) == 0)
    CHECK (total > 0 && free_bytes <= total);
  if (gt_gpus->alloc (gpu, GT_PLACE_DEVICE, sizeof x, &from))
    return;
  if (gt_gpus->alloc (gpu, GT_PLACE_DEVICE, sizeof x, &to) == 0)
    {
      measure_copies (gpu, from, to, x);
      gt_gpus->free (gpu, GT_PLACE_DEVICE, to);
    }
  gt_gpus->free (gpu, GT_PLACE_DEVICE, from);
}

/* Host data by every route.  Each array is a page's multiple, so that nothing else
   is pinned with it, and static, so that what cannot be unpinned stays there.  */
#define N_ROUTED (40 * 512)
#define PAGE 4096

static _Alignas (PAGE) double pageable_data[N_ROUTED];
static _Alignas (PAGE) double pinned_data[N_ROUTED];

static const struct routed routes[] = {
  {GT_PLACE_HOST, {GT_WAY_STAGED, 100, 1, 64}},
  {GT_PLACE_HOST, {GT_WAY_STAGED, 100, 2, 64}},
  {GT_PLACE_HOST, {GT_WAY_STAGED, 60, 2, 64}},
  {GT_PLACE_PINNED, {GT_WAY_DIRECT, 100, 0, 0}},
  {GT_PLACE_PINNED, {GT_WAY_DIRECT, 40, 0, 0}},
  {GT_PLACE_PINNED, {GT_WAY_COPY, 100, 0, 64}},
  {GT_PLACE_PINNED, {GT_WAY_COPY, 50, 0, 64}},
  {GT_PLACE_MANAGED, {GT_WAY_DIRECT, 100, 0, 0}},
  {GT_PLACE_MANAGED, {GT_WAY_DIRECT, 70, 0, 0}},
};
#define N_ROUTES (sizeof routes / sizeof *routes)

/* How many sums a GPU was asked for, and how many it did not take.  */
static unsigned asked, not_taken;

/* A route that is not taken leaves the sum to the caller, as gt_reduce_host. */
static void
use_route (const struct routed *by, unsigned n_gpus, enum gt_mode mode,
           const double *x, double expected)
{
  union gt_value sum;

  asked++;
  if (sum_routed (by, n_gpus, GT_F64, mode, x, N_ROUTED, &sum))
    not_taken++;
  else
    CHECK (sum.f64[0] == expected);
}

static void
use_place (enum gt_place place, enum gt_mode mode, double *x)
{
  unsigned gpus = (unsigned) gt_gpu_count (NULL);
  double sum = put_exact (GT_F64, x, N_ROUTED, 1, (uint64_t) mode).f64[0];

  gsltune_set_mode ((gsltune_mode) mode);
  mode = gt_mode_of_vectors (mode);
  for (size_t r = 0; r < N_ROUTES; r++)
    for (unsigned n = 1; n <= gpus && routes[r].place == place; n++)
      use_route (&routes[r], n, mode, x, sum);
  CHECK (gsltune_vector_sum (&VIEW (, x, N_ROUTED)) == sum);
}

#endif
