/* The search space.  Candidates with fewer threads, or fewer blocks per SM, come first, then
   those with a smaller unroll factor, a smaller block and an earlier row of the catalogue: the
   simplest of those that are as fast is the first one.

   Pruning is generous, because a pruned winner is lost.  A configuration is removed
   when it cannot be launched; when the data is so short that it launches
   exactly what a simpler one launches; when it asks for more than two waves of
   blocks; or when Little's law rules it out: to read at bandwidth B a memory
   of latency L needs B x L bytes requested at any time (J. D. C. Little, "A
   Proof for the Queuing Formula L = lambda W", Operations Research 9, 1961;
   V. Volkov, "Better Performance at Lower Occupancy", GTC 2010).  Candidates
   with less than a quarter of that in flight are ruled out, where there is
   data enough for the others to have more.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/space.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/names.h"
#include "src/cpu/parts.h"
#include "src/device/geometry.h"
#include "src/plan/model.h"
#include "src/plan/plan.h"
#include "tuning/measure/occupancy.h"
#include "tuning/measure/target.h"

#define MEMORY_LATENCY 700e-9 /* seconds, of a loaded GPU memory */
#define IN_FLIGHT_MARGIN 0.25
#define WAVES_MARGIN 2

static const unsigned block_sizes[] = {32, GT_MIN_STATIC_BLOCK, 128, 256, 512,
                                       1024};
static const unsigned grids[] = {1, 2, 4, 8, 16, 32};
#define COUNT(array) (sizeof array / sizeof array[0])

struct builder
{
  struct gt_space *space;
  const struct gt_device *device;
  struct gt_open_gpu *gpu;
  /* For the ladder: what launches RUNG, all of whose space is to be seen, and
     with how many bytes of scratch memory.  Null where the library launches its
     kernels.  */
  struct gt_rung_launcher *launcher;
  const struct gt_ladder_kernel *rung;
  uint64_t scratch;
};

static int
add (struct builder *b, const struct gt_candidate *candidate)
{
  struct gt_space *space = b->space;
  struct gt_candidate *more
    = realloc (space->candidate, (space->n + 1) * sizeof *more);

  if (more == NULL)
    return -1;
  space->candidate = more;
  more[space->n++] = *candidate;
  return 0;
}

/* ------------------------------------------------------------------ CPU */

/* A vector too short to be cut is left to one thread.  */
static int
is_cut (const struct gt_problem *p, unsigned threads)
{
  const struct gt_operand some
    = {NULL, p->layout == GT_CONTIGUOUS ? 1 : GT_TUNED_STRIDE};
  struct gt_parts parts;

  gt_parts_cut (&parts, &(struct gt_task) {.problem = *p, .x = some, .y = some},
                threads);
  return parts.parts > 1;
}

/* Adds KERNEL with the configuration that THREADS and UNROLL are, if it has such a one.  */
static int
add_cpu_kernel (struct builder *b, const struct gt_kernel *kernel, unsigned threads,
                unsigned unroll)
{
  struct gt_candidate c = {.kernel = kernel, .config = {.threads = threads, .unroll = unroll}};

  if (!(kernel->unrolls & unroll) || (threads > 1 && !(kernel->tunables & GT_TUNE_THREADS)))
    return 0;
  if (threads > 1 && !is_cut (&b->space->problem, threads))
    c.verdict = GT_PRUNED_SAME;
  return add (b, &c);
}

static int
list_cpu (struct builder *b)
{
  const unsigned all = (unsigned) b->device->host.threads;
  int failed = 0;

  for (unsigned threads = 1; threads <= all; threads = gt_next_threads (threads, all))
    for (unsigned u = 0; u < GT_N_UNROLLS; u++)
      for (unsigned i = 0; i < gt_catalog_size && !failed; i++)
        if (gt_catalog[i].device == GT_CPU
            && gt_kernel_serves (&gt_catalog[i], &b->space->problem))
          failed = add_cpu_kernel (b, &gt_catalog[i], threads, GT_UNROLL (u));
  return failed;
}

/* ----------------------------------------------------------------- CUDA */

/* Bytes that one thread has requested at once: UNROLL loads of each vector, but no more
   than the data gives it.  */
static double
bytes_a_thread (const struct gt_space *space, const struct gt_candidate *c)
{
  const struct gt_problem *p = &space->problem;
  size_t size = gt_arithmetics[p->arithmetic].size;
  double load = c->kernel->shape != GT_SHAPE_RUNG
                    && p->layout == GT_CONTIGUOUS ? 16 : (double) size;

  return load * c->config.unroll * gt_inputs (p);
}

/* Judges a candidate that can be launched, with RESIDENT blocks running at once, ACTIVE on an
   SM.  */
static enum gt_verdict
weigh (const struct builder *b, const struct gt_candidate *c, unsigned active)
{
  const struct gt_space *space = b->space;

  if (c->config.blocks_per_sm > WAVES_MARGIN * active)
    return GT_PRUNED_WAVES;
  if (b->launcher == NULL
      && c->bytes_in_flight < IN_FLIGHT_MARGIN * space->bytes_needed
      && (double) gt_problem_bytes (&space->problem) >= space->bytes_needed)
    return GT_PRUNED_IN_FLIGHT;
  return GT_KEPT;
}

static int
is_available (const struct builder *b, struct gt_candidate *c)
{
  const struct gt_sm_limits *sm = &b->device->gpu.sm;

  return b->launcher
           ? gt_rungs->available (b->launcher, b->rung, c->why, sizeof c->why)
               == 0
           : gt_kernel_available (c->kernel, 10 * sm->cc_major + sm->cc_minor,
                                  c->why, sizeof c->why)
               == 0;
}

/* Asks the driver for the kernel's resources.  Returns 0; 1 when the kernel
   cannot be had, with the reason in the candidate; -1 when the GPU has
   failed.  */
static int
ask (const struct builder *b, struct gt_candidate *c,
     struct gt_resources *resources)
{
  const struct gt_problem *problem = &b->space->problem;
  struct gt_plan plan = {.kernel = c->kernel, .config = c->config};
  int status;

  c->verdict = GT_PRUNED_UNAVAILABLE;
  if (!is_available (b, c))
    return 1;
  status = b->launcher
             ? gt_rungs->resources (b->launcher, &plan, problem, resources)
             : gt_gpus->resources (b->gpu, &plan, problem, resources);
  if (status == 0)
    return 0;
  snprintf (c->why, sizeof c->why, "cannot be loaded: %s",
            gt_gpus->error (status));
  return gt_gpus->usable (b->gpu) ? 1 : -1;
}

/* Fills in the grid.  Returns 0; 1 when there is no room for what lies between
   the data and the sum, with the verdict.  */
static int
lay_out (const struct builder *b, struct gt_candidate *c)
{
  const struct gt_problem *p = &b->space->problem;
  struct gt_rung_plan plan;

  if (c->kernel->shape != GT_SHAPE_RUNG)
    {
      c->grid = gt_geometry_of (c->kernel, &c->config, p,
                                b->device->gpu.sms).grid;
      return 0;
    }
  plan = gt_rung_plan (b->rung, &c->config, p->arithmetic, p->n);
  c->grid = plan.grid;
  if (plan.scratch <= b->scratch)
    return 0;
  c->verdict = GT_PRUNED_UNAVAILABLE;
  snprintf (c->why, sizeof c->why, "needs %llu MiB of scratch memory, and the"
            " data leaves less", (unsigned long long) plan.scratch >> 20);
  return 1;
}

/* Fills in the model's figures and the verdict.  Returns -1 when the GPU has
   failed.  */
static int
judge (struct builder *b, struct gt_candidate *c)
{
  const struct gt_problem *p = &b->space->problem;
  const struct gt_gpu *gpu = &b->device->gpu;
  struct gt_resources resources;
  struct gt_occupancy occupancy;
  double resident;
  int status = ask (b, c, &resources);

  if (status)
    return status < 0 ? -1 : 0;
  c->registers = resources.registers;
  c->spills = resources.local;
  c->shared = resources.shared
              + c->config.block * gt_kernel_shared (c->kernel, p);
  gt_occupancy_compute (&gpu->sm,
                        &(struct gt_occupancy_request) {
                          c->registers, c->shared, (int) c->config.block},
                        &occupancy);
  c->occupancy = occupancy.occupancy;
  c->limiter = gt_limiter_name (occupancy.limiter);
  if (lay_out (b, c))
    return 0;
  c->verdict = GT_PRUNED_LAUNCH;
  if (occupancy.active_blocks == 0
      || c->config.block > (unsigned) resources.max_threads_per_block
      || c->grid == 0)
    return 0;
  resident = (double) occupancy.active_blocks * gpu->sms;
  if (resident > (double) c->grid)
    resident = (double) c->grid;
  c->bytes_in_flight = resident * c->config.block * bytes_a_thread (b->space, c);
  if (c->bytes_in_flight > (double) gt_problem_bytes (p))
    c->bytes_in_flight = (double) gt_problem_bytes (p);
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

/* Adds KERNEL with CONFIG, if it has such a one.  */
static int
add_gpu_kernel (struct builder *b, const struct gt_kernel *kernel, struct gt_config config)
{
  struct gt_candidate c = {.kernel = kernel, .config = config};

  if (!(kernel->tunables & GT_TUNE_GRID))
    c.config.blocks_per_sm = 0;
  if (!(kernel->unrolls & config.unroll)
      || (kernel->tunables & GT_TUNE_STATIC && config.block < GT_MIN_STATIC_BLOCK)
      || (c.config.blocks_per_sm == 0 && config.blocks_per_sm > 1)
      || config.blocks_per_sm > (unsigned) b->device->gpu.sm.max_blocks_per_sm)
    return 0;
  if (judge (b, &c))
    return -1;
  mark_repetition (b->space, &c);
  return add (b, &c);
}

/* Lists the configurations of all kernels, or of RUNG alone.  */
static int
list_gpu (struct builder *b)
{
  const struct gt_kernel *const list = b->rung ? b->rung->kernel : gt_catalog;
  const unsigned kernels = b->rung ? 1 : gt_catalog_size;
  int failed = 0;

  for (unsigned g = 0; g < COUNT (grids); g++)
    for (unsigned u = 0; u < GT_N_UNROLLS; u++)
      for (unsigned k = 0; k < COUNT (block_sizes); k++)
        for (unsigned i = 0; i < kernels && !failed; i++)
          if (b->rung || (list[i].device == GT_CUDA
                          && gt_kernel_serves (&list[i], &b->space->problem)))
            failed = add_gpu_kernel (b, &list[i], (struct gt_config) {1, block_sizes[k],
                                                                     GT_UNROLL (u), grids[g]});
  return failed;
}

/* -------------------------------------------------------------- Together */

/* The default is always measured, because the result is compared with it.  A GPU that cannot
   launch it cannot launch anything.  */
static int
include_default (struct builder *b)
{
  struct gt_space *space = b->space;
  struct gt_candidate c = {0};

  gt_estimate (b->device, &space->problem, &c.kernel, &c.config);
  for (unsigned i = 0; i < space->n; i++)
    if (space->candidate[i].kernel == c.kernel
        && gt_config_equal (&space->candidate[i].config, &c.config))
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

const struct gt_candidate *
gt_space_model_choice (const struct gt_space *space)
{
  const struct gt_candidate *first = NULL;

  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *c = &space->candidate[i];

      if (c->verdict != GT_KEPT || c->failed)
        continue;
      if (first == NULL || c->occupancy > first->occupancy)
        first = c;
    }
  return first;
}

int
gt_space_init_rung (struct gt_space *space, const struct gt_problem *problem,
                    const struct gt_device *device, struct gt_open_gpu *gpu,
                    struct gt_rung_launcher *launcher,
                    const struct gt_ladder_kernel *rung, uint64_t scratch)
{
  struct builder b = {.space = space, .device = device, .gpu = gpu,
                      .launcher = launcher, .rung = rung, .scratch = scratch};
  const struct gt_candidate *choice;

  *space = (struct gt_space) {
    .problem = *problem,
    .bytes_needed = gt_gpu_bandwidth (&device->gpu) * MEMORY_LATENCY};
  if (list_gpu (&b))
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
               const struct gt_device *device, struct gt_open_gpu *gpu)
{
  struct builder b = {.space = space, .device = device, .gpu = gpu};

  *space = (struct gt_space) {.problem = *problem};
  if (device->kind == GT_CUDA)
    space->bytes_needed = gt_gpu_bandwidth (&device->gpu) * MEMORY_LATENCY;
  if ((device->kind == GT_CPU ? list_cpu (&b) : list_gpu (&b)) || include_default (&b))
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
