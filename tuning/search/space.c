/* The search space.

   Pruning is generous, because a pruned winner is lost.  A configuration goes
   when it cannot be launched; when the data is so short that it launches
   exactly what a simpler one launches; when it asks for more than two waves of
   blocks; or when Little's law rules it out: to read at bandwidth B a memory
   of latency L needs B x L bytes requested at any time (J. D. C. Little, "A
   Proof for the Queuing Formula L = lambda W", Operations Research 9, 1961;
   V. Volkov, "Better Performance at Lower Occupancy", GTC 2010).  Candidates
   with less than a quarter of that in flight are ruled out, where there is
   data enough for the others to have more.  Short data leaves the kernels whose
   one launch delivers the sum: blocks' sums that the host fetches and adds, and
   passes that it launches one by one, make the caller wait longer than a kernel
   of one pass takes altogether.  Last, a lower bound on the time rules out what
   it puts beyond twice what the default should take.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/cpu/parts.h"
#include "src/cuda/geometry.h"
#include "tuning/measure/occupancy.h"
#include "tuning/measure/target.h"

#define MEMORY_LATENCY 700e-9 /* seconds, of a loaded GPU memory */
#define IN_FLIGHT_MARGIN 0.25
#define WAVES_MARGIN 2
#define TIME_MARGIN 2

/* Of the lower bound, each less than any GPU was seen to need: seconds of a
   launch, of a load from an idle memory, of a step in which the threads of a
   block wait for each other, and of a copy to the host; bytes a second of that
   copy.  */
#define LEAST_LAUNCH 2e-6
#define LEAST_LATENCY 400e-9
#define LEAST_STEP 15e-9
#define LEAST_COPY 1e-6
#define MOST_BUS 64e9

static const unsigned block_sizes[] = {32, GT_MIN_STATIC_BLOCK, 128, 256, 512,
                                       1024};
static const unsigned grids[] = {1, 2, 4, 8, 16, 32};
#define COUNT(array) (sizeof array / sizeof array[0])

/* What lies between the data and the sum may take this much: half of what the
   library keeps, so that a program can sum on two streams at once.  */
#define SCRATCH_LIMIT ((uint64_t) GT_SCRATCH_BYTES / 2)

struct builder
{
  struct gt_space *space;
  const struct gt_device *device;
  struct gt_cuda *gpu;
  unsigned room;
  const struct gt_kernel *only; /* null: all */
  uint64_t scratch;             /* bytes allowed */
};

static int
add (struct builder *b, const struct gt_candidate *candidate)
{
  struct gt_space *space = b->space;

  if (space->n == b->room)
    {
      unsigned room = b->room ? 2 * b->room : 64;
      struct gt_candidate *more
        = realloc (space->candidate, room * sizeof *more);

      if (more == NULL)
        return -1;
      space->candidate = more;
      b->room = room;
    }
  space->candidate[space->n++] = *candidate;
  return 0;
}

static int
same_config (const struct gt_candidate *candidate,
             const struct gt_kernel *kernel, const struct gt_config *config)
{
  return candidate->kernel == kernel
         && memcmp (&candidate->config, config, sizeof *config) == 0;
}

/* ------------------------------------------------------------------ CPU */

/* A vector too short to be cut is left to one thread.  */
static int
is_cut (const struct gt_problem *p, unsigned threads)
{
  uint64_t stride = p->layout == GT_CONTIGUOUS ? 1 : GT_TUNED_STRIDE;
  struct gt_parts parts;

  gt_parts_cut (&parts, p, stride, threads);
  return parts.parts > 1;
}

static int
add_cpu_kernel (struct builder *b, const struct gt_kernel *kernel)
{
  unsigned most = kernel->tunables & GT_TUNE_THREADS
                    ? (unsigned) b->device->host.threads : 1;

  for (unsigned threads = 1;; threads = 2 * threads < most ? 2 * threads : most)
    {
      for (unsigned u = 0; u < GT_N_UNROLLS; u++)
        {
          struct gt_candidate c = {.kernel = kernel};

          c.config = (struct gt_config) {.threads = threads,
                                         .unroll = GT_UNROLL (u)};
          if (threads > 1 && !is_cut (&b->space->problem, threads))
            c.verdict = GT_PRUNED_SAME;
          if (kernel->unrolls & GT_UNROLL (u) && add (b, &c))
            return -1;
        }
      if (threads == most)
        return 0;
    }
}

/* ----------------------------------------------------------------- CUDA */

/* Bytes that one thread has requested at once: UNROLL loads, but no more than
   the data gives it.  */
static double
bytes_a_thread (const struct gt_space *space, const struct gt_candidate *c)
{
  const struct gt_problem *p = &space->problem;
  size_t size = gt_arithmetics[p->arithmetic].size;
  double load = gt_single_pass (c->kernel)
                    && p->layout == GT_CONTIGUOUS ? 16 : (double) size;

  return load * c->config.unroll;
}

static double
data_bytes (const struct gt_problem *problem)
{
  return (double) problem->n * (double) gt_arithmetics[problem->arithmetic].size;
}

/* Dependent launches, the first among them.  */
static unsigned
passes (const struct gt_candidate *c)
{
  uint64_t tile = (uint64_t) c->config.block * c->config.unroll;
  unsigned count = 1;

  if (c->kernel->shape == GT_SHAPE_MULTI_PASS
      || c->kernel->shape == GT_SHAPE_RECURSIVE)
    for (uint64_t left = c->grid; left > 1; left = (left + tile - 1) / tile)
      count++;
  return count;
}

/* A lower bound on the seconds of a sum, RESIDENT blocks running at once.  The
   data, and an in-place copy that the cache cannot hold, move at full
   bandwidth; or blocks of one tile each follow one another, that load and then
   halve in dependent steps.  Further passes are launches, and the blocks' sums
   go to the host.  */
static double
at_best (const struct builder *b, const struct gt_candidate *c,
         double resident)
{
  const struct gt_problem *p = &b->space->problem;
  const struct gt_gpu *gpu = &b->device->gpu;
  double bytes = data_bytes (p), waves = (double) c->grid / resident;
  double sums = (double) gt_block_sums (c->kernel, c->grid)
                * (double) gt_arithmetics[p->arithmetic].size;
  double steps = __builtin_ctz (c->config.block), seconds, least;

  if (c->kernel->shape == GT_SHAPE_IN_PLACE && bytes > (double) gpu->l2)
    bytes *= 2;
  seconds = LEAST_LAUNCH + bytes / gt_gpu_bandwidth (gpu);
  least = waves * (LEAST_LATENCY + steps * LEAST_STEP);
  if (!gt_single_pass (c->kernel) && seconds < least)
    seconds = least;
  seconds += (passes (c) - 1) * LEAST_LAUNCH;
  return sums > 0 ? seconds + LEAST_COPY + sums / MOST_BUS : seconds;
}

/* What speaks against a candidate that can be launched, RESIDENT blocks of which
   run at once, ACTIVE on an SM.  */
static enum gt_verdict
weigh (const struct builder *b, const struct gt_candidate *c, unsigned active)
{
  const struct gt_space *space = b->space;

  if (gt_scratch_bytes (c->kernel, &c->config, space->problem.arithmetic,
                        c->grid) > b->scratch)
    return GT_PRUNED_SCRATCH;
  if (c->config.blocks_per_sm > WAVES_MARGIN * active)
    return GT_PRUNED_WAVES;
  if (b->only)
    return GT_KEPT;
  if (!gt_single_pass (c->kernel)
      && gt_problem_span (&space->problem) <= GT_LAUNCH_BOUND_BYTES)
    return GT_PRUNED_AWAITED;
  if (c->bytes_in_flight < IN_FLIGHT_MARGIN * space->bytes_needed
      && data_bytes (&space->problem) >= space->bytes_needed)
    return GT_PRUNED_IN_FLIGHT;
  return c->at_best > TIME_MARGIN * space->at_best ? GT_PRUNED_TIME : GT_KEPT;
}

/* Asks the driver for the kernel's resources.  Returns 0; 1 when the kernel
   cannot be had, with the reason in the candidate; -1 when the GPU has
   failed.  */
static int
ask (const struct builder *b, struct gt_candidate *c,
     struct gt_cuda_resources *resources)
{
  const struct gt_problem *p = &b->space->problem;
  const struct gt_sm_limits *sm = &b->device->gpu.sm;
  struct gt_cuda_problem problem
    = {c->kernel, c->config, p->arithmetic, p->mode, NULL, p->n,
       p->layout == GT_CONTIGUOUS ? 1 : GT_TUNED_STRIDE};
  int status;

  c->verdict = GT_PRUNED_UNAVAILABLE;
  if (gt_kernel_available (c->kernel, 10 * sm->cc_major + sm->cc_minor, c->why,
                           sizeof c->why))
    return 1;
  status = gt_cuda_kernel_resources (b->gpu, &problem, resources);
  if (status == 0)
    return 0;
  snprintf (c->why, sizeof c->why, "cannot be loaded: %s",
            gt_cuda_error (status));
  return gt_cuda_usable (b->gpu) ? 1 : -1;
}

/* Fills in the model's figures and the verdict.  Returns -1 when the GPU has
   failed.  */
static int
judge (struct builder *b, struct gt_candidate *c)
{
  const struct gt_problem *p = &b->space->problem;
  const struct gt_gpu *gpu = &b->device->gpu;
  struct gt_cuda_resources resources;
  struct gt_occupancy occupancy;
  double resident;
  int status = ask (b, c, &resources);

  if (status)
    return status < 0 ? -1 : 0;
  c->registers = resources.registers;
  c->spills = resources.local;
  c->shared = resources.shared
              + c->config.block * c->kernel->shared
                  * gt_arithmetics[p->arithmetic].size;
  gt_occupancy_compute (&gpu->sm,
                        &(struct gt_occupancy_request) {
                          c->registers, c->shared, (int) c->config.block},
                        &occupancy);
  c->grid = gt_grid (c->kernel, &c->config, p->arithmetic, p->layout, p->n,
                     gpu->sms);
  c->occupancy = occupancy.occupancy;
  c->limiter = gt_limiter_name (occupancy.limiter);
  c->verdict = GT_PRUNED_LAUNCH;
  if (occupancy.active_blocks == 0
      || c->config.block > (unsigned) resources.max_threads_per_block
      || c->grid == 0)
    return 0;
  resident = (double) occupancy.active_blocks * gpu->sms;
  if (resident > (double) c->grid)
    resident = (double) c->grid;
  c->bytes_in_flight = resident * c->config.block * bytes_a_thread (b->space, c);
  if (c->bytes_in_flight > data_bytes (p))
    c->bytes_in_flight = data_bytes (p);
  c->at_best = at_best (b, c, resident);
  c->verdict = weigh (b, c, (unsigned) occupancy.active_blocks);
  return 0;
}

/* A shorter grid limit that launches the same blocks makes the longer one a
   repetition.  */
static void
mark_repetition (const struct gt_space *space, struct gt_candidate *c)
{
  for (unsigned i = 0; i < space->n && c->verdict == GT_KEPT; i++)
    {
      const struct gt_candidate *o = &space->candidate[i];

      if (o->kernel == c->kernel && o->config.block == c->config.block
          && o->config.unroll == c->config.unroll && o->grid == c->grid
          && o->verdict == GT_KEPT)
        c->verdict = GT_PRUNED_SAME;
    }
}

static int
add_cuda_kernel (struct builder *b, const struct gt_kernel *kernel)
{
  unsigned n_grids = kernel->tunables & GT_TUNE_GRID ? COUNT (grids) : 1;
  unsigned first = kernel->tunables & GT_TUNE_STATIC ? 1 : 0;

  for (unsigned k = first; k < COUNT (block_sizes); k++)
    for (unsigned u = 0; u < GT_N_UNROLLS; u++)
      for (unsigned g = 0; g < n_grids; g++)
        {
          struct gt_candidate c = {.kernel = kernel};

          c.config = (struct gt_config) {
            .threads = 1,
            .block = block_sizes[k],
            .unroll = GT_UNROLL (u),
            .blocks_per_sm = kernel->tunables & GT_TUNE_GRID ? grids[g] : 0
          };
          if (!(kernel->unrolls & GT_UNROLL (u))
              || grids[g] > (unsigned) b->device->gpu.sm.max_blocks_per_sm)
            continue;
          if (judge (b, &c))
            return -1;
          mark_repetition (b->space, &c);
          if (add (b, &c))
            return -1;
        }
  return 0;
}

/* -------------------------------------------------------------- Together */

/* The default must be measured: what it beats, or what beats it, is the
   result.  A GPU that cannot have it can have nothing.  */
static int
include_default (struct builder *b)
{
  struct gt_space *space = b->space;
  struct gt_candidate c = {0};

  gt_estimate (b->device, &space->problem, &c.kernel, &c.config);
  for (unsigned i = 0; i < space->n; i++)
    if (same_config (&space->candidate[i], c.kernel, &c.config))
      {
        if (space->candidate[i].verdict == GT_PRUNED_UNAVAILABLE)
          return -1;
        space->candidate[i].verdict = GT_KEPT;
        space->chosen_default = i;
        return 0;
      }
  if (b->device->kind == GT_CUDA
      && (judge (b, &c) || c.verdict == GT_PRUNED_UNAVAILABLE))
    return -1;
  c.verdict = GT_KEPT;
  space->chosen_default = space->n;
  return add (b, &c);
}

static void
begin (struct gt_space *space, const struct gt_problem *problem,
       const struct gt_device *device)
{
  memset (space, 0, sizeof *space);
  space->problem = *problem;
  if (device->kind != GT_CUDA)
    return;
  space->bytes_needed = gt_gpu_bandwidth (&device->gpu) * MEMORY_LATENCY;
  space->at_best = LEAST_LAUNCH
                   + data_bytes (problem) / gt_gpu_bandwidth (&device->gpu);
}

const struct gt_candidate *
gt_space_model_choice (const struct gt_space *space)
{
  const struct gt_candidate *first = NULL;

  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *c = &space->candidate[i];

      if (c->verdict != GT_KEPT || c->failed)
        continue;
      if (first == NULL || c->occupancy > first->occupancy
          || (c->occupancy == first->occupancy
              && gt_candidate_compare (c, first) < 0))
        first = c;
    }
  return first;
}

int
gt_space_init_kernel (struct gt_space *space, const struct gt_problem *problem,
                      const struct gt_device *device, struct gt_cuda *gpu,
                      const struct gt_kernel *kernel, uint64_t scratch)
{
  struct builder b = {space, device, gpu, 0, kernel, scratch};
  const struct gt_candidate *choice;

  begin (space, problem, device);
  if (add_cuda_kernel (&b, kernel))
    {
      gt_space_clear (space);
      return -1;
    }
  choice = gt_space_model_choice (space);
  space->chosen_default = choice ? (unsigned) (choice - space->candidate) : 0;
  return 0;
}

int
gt_space_init (struct gt_space *space, const struct gt_problem *problem,
               const struct gt_device *device, struct gt_cuda *gpu)
{
  struct builder b = {space, device, gpu, 0, NULL, SCRATCH_LIMIT};
  int failed = 0;

  begin (space, problem, device);
  for (unsigned i = 0; i < gt_catalog_size && !failed; i++)
    {
      const struct gt_kernel *kernel = &gt_catalog[i];

      if (kernel->device != device->kind
          || !gt_kernel_serves (kernel, problem->arithmetic, problem->mode,
                                problem->layout))
        continue;
      failed = device->kind == GT_CPU ? add_cpu_kernel (&b, kernel)
                                      : add_cuda_kernel (&b, kernel);
    }
  if (failed || include_default (&b))
    {
      gt_space_clear (space);
      return -1;
    }
  return 0;
}

void
gt_space_clear (struct gt_space *space)
{
  free (space->candidate);
  space->candidate = NULL;
  space->n = 0;
}

unsigned
gt_space_count (const struct gt_space *space, enum gt_verdict verdict)
{
  unsigned count = 0;

  for (unsigned i = 0; i < space->n; i++)
    count += space->candidate[i].verdict == verdict;
  return count;
}
