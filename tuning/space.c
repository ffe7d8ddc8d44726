/* The search space.

   Pruning is generous, because a pruned winner is lost.  A configuration goes
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

#include "tuning/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/geometry.h"
#include "src/names.h"
#include "src/occupancy.h"

#define MEMORY_LATENCY 700e-9 /* seconds, of a loaded GPU memory */
#define IN_FLIGHT_MARGIN 0.25
#define WAVES_MARGIN 2

const char *const gt_verdict_text[GT_N_VERDICTS] = {
  [GT_KEPT] = "measured",
  [GT_PRUNED_LAUNCH]
  = "cannot launch: too large a block, or more partial sums than memory",
  [GT_PRUNED_SAME] = "same launch as a simpler configuration at this length",
  [GT_PRUNED_IN_FLIGHT]
  = "under a quarter of the bytes in flight that cover the memory's latency",
  [GT_PRUNED_WAVES] = "more than two waves of blocks"
};

static const unsigned block_sizes[] = {32, 64, 128, 256, 512, 1024};
static const unsigned grids[] = {1, 2, 4, 8, 16, 32};
#define COUNT(array) (sizeof array / sizeof array[0])

/* Partial sums of several passes may take this much.  */
#define SCRATCH_LIMIT ((uint64_t) 64 << 20)

struct builder
{
  struct gt_space *space;
  const struct gt_device *device;
  struct gt_cuda *gpu;
  unsigned room;
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

static int
add_cpu_kernel (struct builder *b, const struct gt_kernel *kernel)
{
  unsigned most = kernel->tunables & GT_TUNE_THREADS
                    ? (unsigned) b->device->host.threads : 1;
  unsigned unrolls = kernel->tunables & GT_TUNE_UNROLL ? GT_N_UNROLLS : 1;

  for (unsigned threads = 1;; threads = 2 * threads < most ? 2 * threads : most)
    {
      for (unsigned u = 0; u < unrolls; u++)
        {
          struct gt_candidate c = {.kernel = kernel};

          c.config = (struct gt_config) {.threads = threads,
                                         .unroll = GT_UNROLL (u)};
          if (add (b, &c))
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
  double load = c->kernel->shape == GT_SHAPE_SINGLE_PASS
                    && p->layout == GT_CONTIGUOUS ? 16 : (double) size;

  return load * c->config.unroll;
}

/* Fills in the model's figures and the verdict.  */
static int
judge (struct builder *b, struct gt_candidate *c)
{
  const struct gt_problem *p = &b->space->problem;
  const struct gt_gpu *gpu = &b->device->gpu;
  struct gt_cuda_problem problem
    = {c->kernel, c->config, p->arithmetic, p->mode, NULL, p->n,
       p->layout == GT_CONTIGUOUS ? 1 : 2};
  struct gt_cuda_resources resources;
  struct gt_occupancy occupancy;
  double resident, data;

  if (gt_cuda_kernel_resources (b->gpu, &problem, &resources))
    return -1;
  gt_occupancy_compute (
    &gpu->sm,
    &(struct gt_occupancy_request) {
      resources.registers,
      resources.shared
        + c->config.block * c->kernel->shared
            * gt_arithmetics[p->arithmetic].size,
      (int) c->config.block},
    &occupancy);
  c->grid = gt_grid (c->kernel, &c->config, p->arithmetic, p->layout, p->n,
                     gpu->sms);
  c->occupancy = occupancy.occupancy;
  c->limiter = gt_limiter_name (occupancy.limiter);
  if (occupancy.active_blocks == 0
      || c->config.block > (unsigned) resources.max_threads_per_block
      || c->grid == 0
      || gt_scratch_bytes (c->kernel, &c->config, p->arithmetic, c->grid)
           > SCRATCH_LIMIT)
    {
      c->verdict = GT_PRUNED_LAUNCH;
      return 0;
    }
  resident = (double) occupancy.active_blocks * gpu->sms;
  if (resident > (double) c->grid)
    resident = (double) c->grid;
  c->bytes_in_flight = resident * c->config.block * bytes_a_thread (b->space, c);
  data = (double) p->n * gt_arithmetics[p->arithmetic].size;
  if (c->bytes_in_flight > data)
    c->bytes_in_flight = data;
  if (c->config.blocks_per_sm
      > WAVES_MARGIN * (unsigned) occupancy.active_blocks)
    c->verdict = GT_PRUNED_WAVES;
  else if (c->bytes_in_flight < IN_FLIGHT_MARGIN * b->space->bytes_needed
           && data >= b->space->bytes_needed)
    c->verdict = GT_PRUNED_IN_FLIGHT;
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
  unsigned unrolls = kernel->tunables & GT_TUNE_UNROLL ? GT_N_UNROLLS : 1;
  unsigned n_grids = kernel->tunables & GT_TUNE_GRID ? COUNT (grids) : 1;

  for (unsigned k = 0; k < COUNT (block_sizes); k++)
    for (unsigned u = 0; u < unrolls; u++)
      for (unsigned g = 0; g < n_grids; g++)
        {
          struct gt_candidate c = {.kernel = kernel};

          c.config = (struct gt_config) {
            .threads = 1,
            .block = block_sizes[k],
            .unroll = GT_UNROLL (u),
            .blocks_per_sm = kernel->tunables & GT_TUNE_GRID ? grids[g] : 0
          };
          if (grids[g] > (unsigned) b->device->gpu.sm.max_blocks_per_sm)
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
   result.  */
static int
include_default (struct builder *b)
{
  struct gt_space *space = b->space;
  struct gt_candidate c = {0};

  gt_estimate (b->device, &space->problem, &c.kernel, &c.config);
  for (unsigned i = 0; i < space->n; i++)
    if (same_config (&space->candidate[i], c.kernel, &c.config))
      {
        space->candidate[i].verdict = GT_KEPT;
        space->chosen_default = i;
        return 0;
      }
  if (b->device->kind == GT_CUDA && judge (b, &c))
    return -1;
  c.verdict = GT_KEPT;
  space->chosen_default = space->n;
  return add (b, &c);
}

int
gt_space_init (struct gt_space *space, const struct gt_problem *problem,
               const struct gt_device *device, struct gt_cuda *gpu)
{
  struct builder b = {space, device, gpu, 0};
  int failed = 0;

  memset (space, 0, sizeof *space);
  space->problem = *problem;
  if (device->kind == GT_CUDA)
    space->bytes_needed = gt_gpu_bandwidth (&device->gpu) * MEMORY_LATENCY;
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

void
gt_config_text (const struct gt_kernel *kernel,
                const struct gt_config *config, char *text, size_t size)
{
  int at = snprintf (text, size, "%s", kernel->name);

  if (kernel->tunables & GT_TUNE_BLOCK)
    at += snprintf (text + at, size - (size_t) at, " %u", config->block);
  if (kernel->tunables & GT_TUNE_UNROLL)
    at += snprintf (text + at, size - (size_t) at, " u%u", config->unroll);
  if (kernel->tunables & GT_TUNE_GRID)
    at += snprintf (text + at, size - (size_t) at, " %u/SM",
                    config->blocks_per_sm);
  if (kernel->tunables & GT_TUNE_THREADS)
    snprintf (text + at, size - (size_t) at, ", %u thread%s", config->threads,
              config->threads == 1 ? "" : "s");
}

int
gt_candidate_compare (const struct gt_candidate *a,
                      const struct gt_candidate *b)
{
  const struct gt_config *x = &a->config, *y = &b->config;

#define COMPARE(p, q)           \
  if ((p) != (q))               \
    return (p) < (q) ? -1 : 1
  COMPARE (x->threads, y->threads);
  COMPARE (a->grid, b->grid);
  COMPARE (x->unroll, y->unroll);
  COMPARE (x->block, y->block);
  COMPARE (a->kernel, b->kernel);
#undef COMPARE
  return 0;
}
