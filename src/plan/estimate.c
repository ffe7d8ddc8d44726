/* The default configuration, for problems without a profile.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/names.h"
#include "src/device/geometry.h"
#include "src/plan/model.h"
#include "src/plan/plan.h"

/* Below this the set-up of vectors costs more than a chain of additions.  */
#define SEQUENTIAL_BELOW 24

/* Bytes that are read for an element with neighbours at a distance: between those of an element and
   of a line of the cache.  */
#define APART 32.0

/* Nanoseconds of computation for an element of each operand, without waits for memory.  */
#define EXACT_NS 0.15
#define LONG_DOUBLE_NS 1.0

/* Several sums at once are always computed by vectors.  */
static int
sequential (const struct gt_problem *problem)
{
  return !gt_reduction_sums (problem->reduction) && problem->mode != GT_MODE_EXACT && problem->n < SEQUENTIAL_BELOW
         && !gt_is_complex (problem->arithmetic);
}

/* Stores in KERNEL the kernel NAME, or null if no kernel of that name computes the reduction,
   and in CONFIG its unroll factor nearest to UNROLL.  */
static void
take (const char *name, const struct gt_problem *problem, unsigned unroll,
      const struct gt_kernel **kernel, struct gt_config *config)
{
  *kernel = gt_catalog_find (name, problem->reduction);
  config->unroll = *kernel ? gt_kernel_unroll (*kernel, unroll) : 1;
}

static struct gt_model_work
work_of (const struct gt_problem *problem)
{
  const double n = (double) problem->n * gt_reductions[problem->reduction].inputs;
  const double size = (double) gt_arithmetics[problem->arithmetic].size;

  return (struct gt_model_work) {
    .bytes = n * (problem->layout == GT_CONTIGUOUS || size > APART ? size : APART),
    .ns = n * (problem->arithmetic == GT_LDBL ? LONG_DOUBLE_NS
               : problem->mode == GT_MODE_EXACT ? EXACT_NS : 0)
  };
}

static void
estimate_host (const struct gt_host *host, const struct gt_problem *problem,
               const struct gt_kernel **kernel, struct gt_config *config)
{
  const struct gt_model_work work = work_of (problem);

  *config = (struct gt_config) {.threads = 1, .unroll = 1};
  if (problem->mode == GT_MODE_EXACT && problem->arithmetic == GT_LDBL)
    {
      take ("exact_wide", problem, 1, kernel, config);
      return;
    }
  if (sequential (problem))
    {
      take ("sequential", problem, 1, kernel, config);
      return;
    }
  take (problem->mode == GT_MODE_EXACT ? "exact" : "simd", problem,
        problem->mode == GT_MODE_FAST && problem->layout == GT_CONTIGUOUS ? 8 : 4,
        kernel, config);
  config->threads = gt_model_threads (host, &work, (unsigned) host->threads);
}

/* As many bytes in flight as latency times bandwidth, by Little's law, ask
   for: full blocks at half to full occupancy, four loads a thread, or two
   while the data would not fill the grid; of two vectors half as many threads, each of
   which loads twice as much.  Exact sums do best with eight loads a
   thread, read ahead, for which there are registers for a quarter of the
   threads.  */
static void
estimate_gpu (const struct gt_device *device, const struct gt_problem *problem,
              const struct gt_kernel **kernel, struct gt_config *config)
{
  const struct gt_gpu *gpu = &device->gpu;
  uint64_t fill = (uint64_t) gpu->sms * (uint64_t) gpu->sm.max_threads_per_sm
                  * 16 * 4 / gt_arithmetics[problem->arithmetic].size;
  const unsigned inputs = gt_reductions[problem->reduction].inputs;

  if (problem->mode == GT_MODE_EXACT)
    {
      *kernel = gt_catalog_find ("exact_window", problem->reduction);
      if (*kernel == NULL || !gt_kernel_serves (*kernel, problem))
        {
          gt_any_range (device, problem, kernel, config);
          return;
        }
      *config = (struct gt_config) {
        .threads = 1, .block = problem->n < fill ? 256 : 512,
        .blocks_per_sm = problem->n < fill ? 2 : 1
      };
      take ("exact_window", problem, 8, kernel, config);
      return;
    }
  *config = (struct gt_config) {
    .threads = 1,
    .block = 512,
    .blocks_per_sm = (unsigned) gpu->sm.max_threads_per_sm / 512 / inputs
  };
  take ("grid_stride", problem, problem->n < fill ? 2 : 4, kernel, config);
}

void
gt_estimate (const struct gt_device *device, const struct gt_problem *problem,
             const struct gt_kernel **kernel, struct gt_config *config)
{
  if (device->kind == GT_CPU)
    estimate_host (&device->host, problem, kernel, config);
  else
    estimate_gpu (device, problem, kernel, config);
  if (*kernel && !gt_kernel_serves (*kernel, problem))
    *kernel = NULL;
}
