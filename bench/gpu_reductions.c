/* Every reduction on a GPU, from memory of the GPU: a call, from its beginning to the
   value on the host, and bandwidth of launches back to back, by the configuration that
   is taken without a profile and by the fastest of some, beside sums of double.
   For those who change a kernel.
   Usage: gpu-reductions [-c] [-e EXPONENT]... [-m MODE] [-t ARITHMETIC] [REDUCTION...]
   -c leaves the search for the fastest configuration out.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/names.h"
#include "src/cuda/cuda_context.h"
#include "src/device/gpus.h"
#include "src/plan/plan.h"
#include "tuning/measure/clock.h"

#define N_OF(array) (sizeof (array) / sizeof *(array))
#define LEAST_REGION ((size_t) 1 << 28) /* several times the L2 cache */
#define CHUNK ((size_t) 1 << 26)
#define CALLS 100
#define ROUNDS 5
#define BATCH 10e-3 /* seconds */

static struct gt_open_gpu *gpu;
static struct gt_slot *slot;
static char *region[2]; /* of each input */
static size_t region_bytes = LEAST_REGION;
static int search = 1;
static const char *only_mode, *only_arithmetic;

static int
check (int status)
{
  if (status)
    {
      fprintf (stderr, "gpu-reductions: %s\n", gt_gpus->error (status));
      exit (1);
    }
  return 0;
}

/* Numbers between 1 and 2 of either real type, and integers of any size.  */
static void
fill (enum gt_arithmetic arithmetic)
{
  uint32_t *words = malloc (CHUNK), state = 1;

  if (words == NULL)
    exit (1);
  for (size_t i = 0; i < CHUNK / sizeof *words; i++)
    {
      state = state * 1664525u + 1013904223u;
      words[i] = arithmetic == GT_F32 ? 0x3f800000u | state >> 9
                 : arithmetic == GT_F64 && i % 2 ? 0x3ff00000u | state >> 12
                                                  : state;
    }
  for (unsigned k = 0; k < 2; k++)
    for (size_t at = 0; at < region_bytes; at += CHUNK)
      check (gt_gpus->copy (gpu, GT_TO_DEVICE, region[k] + at, words, CHUNK));
  free (words);
}

/* Where calls and launches read, one after the other: what was read long ago.  */
struct windows
{
  unsigned count;
  size_t step;
};

static struct windows
windows_of (const struct gt_task *task)
{
  const size_t bytes
    = task->problem.n * gt_element_size (task->problem.arithmetic),
    step = (bytes + 511) / 256 * 256; /* room for a neighbour */
  const size_t count = bytes < region_bytes ? region_bytes / step : 0;

  return (struct windows) {count ? (unsigned) count : 1, step};
}

static double
time_launches (const struct gt_plan *plan, const struct gt_task *task)
{
  const struct windows w = windows_of (task);
  double seconds, rounds[ROUNDS];
  unsigned count = 4;

  check (gt_gpus->time (gpu, slot, plan, task, count, w.count, w.step,
                        &seconds));
  count = (unsigned) (BATCH / (seconds / count)) + 1;
  count = count > 2000 ? 2000 : count;
  for (int r = 0; r < ROUNDS; r++)
    check (gt_gpus->time (gpu, slot, plan, task, count, w.count, w.step,
                          &rounds[r]));
  return gt_median (rounds, ROUNDS, NULL) / count;
}

static double
time_calls (const struct gt_plan *plan, const struct gt_task *task)
{
  const struct windows w = windows_of (task);
  double seconds[CALLS];
  union gt_value value;

  for (unsigned k = 0; k < CALLS; k++)
    {
      struct gt_task moved = *task;
      double begin;

      for (unsigned input = 0; input < 2; input++)
        gt_task_move (&moved, input, k % w.count * w.step);
      begin = gt_now ();
      check (gt_gpus->compute (gpu, plan, &moved, NULL, &value));
      seconds[k] = gt_now () - begin;
    }
  return gt_median (seconds, CALLS, NULL);
}

/* The fastest of some configurations of PLAN's kernel, which PLAN receives.  */
static double
fastest (struct gt_plan *plan, const struct gt_task *task)
{
  static const unsigned blocks[] = {128, 256, 512, 1024},
    blocks_per_sm[] = {1, 2, 3, 4, 8};
  const struct gt_config first = plan->config;
  double best = time_launches (plan, task);

  for (size_t b = 0; b < N_OF (blocks); b++)
    for (size_t g = 0; g < N_OF (blocks_per_sm); g++)
      {
        struct gt_plan tried = *plan;
        struct gt_resources resources;
        double seconds;

        tried.config = first;
        tried.config.block = blocks[b];
        tried.config.blocks_per_sm = blocks_per_sm[g];
        check (gt_gpus->resources (gpu, &tried, &task->problem,
                                   &resources));
        if (resources.max_threads_per_block < (int) blocks[b])
          continue;
        seconds = time_launches (&tried, task);
        if (seconds < best)
          {
            best = seconds;
            plan->config = tried.config;
          }
      }
  return best;
}

static struct gt_task
task_of (const struct gt_problem *problem)
{
  const size_t size = gt_element_size (problem->arithmetic);
  struct gt_task task
    = gt_task_of (problem->reduction, problem->arithmetic, problem->mode,
                  region[0], problem->n, 1);

  if (gt_inputs (problem) == 2)
    task.y = (struct gt_operand) {
      problem->reduction == GT_LAG1 ? region[0] + size : region[1], 1
    };
  task.shift[0] = task.shift[1] = 1.5;
  task.scale = 2;
  return task;
}

static void
report (struct gt_problem problem, double *bandwidth_of_sum)
{
  const struct gt_task task = task_of (&problem);
  const double bytes = (double) (problem.reduction == GT_LAG1
                                   ? gt_problem_bytes (&problem) / 2
                                   : gt_problem_bytes (&problem));
  struct gt_plan plan = {0};
  struct gt_config estimate;
  double call, usual, best;

  gt_estimate (gt_gpus->device_of (gpu), &problem, &plan.kernel, &plan.config);
  estimate = plan.config;
  call = time_calls (&plan, &task);
  usual = time_launches (&plan, &task);
  /* A kernel with shared memory for each thread has one block that fits best.  */
  best = search && gt_kernel_shared (plan.kernel, &problem) == 0
           ? fastest (&plan, &task) : usual;
  if (problem.reduction == GT_SUM)
    *bandwidth_of_sum = bytes / best;
  printf ("%-11s %-4s %-11s %10llu  call %8.2f us  %u,%u: %7.1f GB/s (%4.2f of"
          " the sum's)  %u,%u: %7.1f GB/s (%4.2f)\n",
          gt_reductions[problem.reduction].name,
          gt_arithmetics[problem.arithmetic].name,
          gt_mode_names[problem.mode], (unsigned long long) problem.n,
          1e6 * call, estimate.block, estimate.blocks_per_sm,
          1e-9 * bytes / usual, bytes / usual / *bandwidth_of_sum,
          plan.config.block, plan.config.blocks_per_sm, 1e-9 * bytes / best,
          bytes / best / *bandwidth_of_sum);
  fflush (stdout);
}

/* All that the names ask for, of 2^EXPONENT doubles' bytes.  */
static void
report_all (unsigned exponent, char **names, int n_names)
{
  double bandwidth_of_sum = 1;
  struct gt_problem sum
    = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, (uint64_t) 1 << exponent};

  fill (GT_F64);
  report (sum, &bandwidth_of_sum);
  for (int a = 0; a < GT_N_ARITHMETICS; a++)
    {
      if (a == GT_LDBL
          || (only_arithmetic
              && strcmp (only_arithmetic, gt_arithmetics[a].name) != 0))
        continue;
      fill ((enum gt_arithmetic) a);
      for (int r = 0; r < GT_N_REDUCTIONS; r++)
        for (int m = 0; m < GT_N_MODES; m++)
          {
            struct gt_problem p
              = {(enum gt_reduction) r, (enum gt_arithmetic) a,
                 (enum gt_mode) m, GT_CONTIGUOUS,
                 ((uint64_t) 8 << exponent) / gt_arithmetics[a].size};
            int wanted = n_names == 0;

            for (int i = 0; i < n_names; i++)
              wanted |= strcmp (names[i], gt_reductions[r].name) == 0;
            if (wanted && gt_reduction_sums (p.reduction)
                && gt_reduction_has (p.reduction, p.arithmetic)
                && gt_mode_for (p.reduction, p.arithmetic, p.mode) == p.mode
                && (!only_mode || strcmp (only_mode, gt_mode_names[m]) == 0))
              {
                p.n -= p.reduction == GT_LAG1;
                report (p, &bandwidth_of_sum);
              }
          }
    }
}

int
main (int argc, char **argv)
{
  unsigned exponents[32], n_exponents = 0;
  const char *why;
  int option;

  while ((option = getopt (argc, argv, "ce:m:t:")) != -1)
    if (option == 'c')
      search = 0;
    else if (option == 'e' && n_exponents < N_OF (exponents)
             && atoi (optarg) >= 0 && atoi (optarg) <= 28)
      exponents[n_exponents++] = (unsigned) atoi (optarg);
    else if (option == 'm')
      only_mode = optarg;
    else if (option == 't')
      only_arithmetic = optarg;
    else
      {
        fputs ("usage: gpu-reductions [-c] [-e EXPONENT]... [-m MODE]"
               " [-t ARITHMETIC] [REDUCTION...]\n", stderr);
        return 2;
      }
  if (n_exponents == 0)
    exponents[n_exponents++] = 28;
  gpu = gt_gpu_open (0, &why);
  if (gpu == NULL)
    {
      fprintf (stderr, "gpu-reductions: no GPU: %s\n", why);
      return 1;
    }
  check (gt_gpus->slot_acquire (gpu, SIZE_MAX, &slot));
  for (unsigned i = 0; i < n_exponents; i++)
    if ((size_t) 8 << exponents[i] > region_bytes)
      region_bytes = (size_t) 8 << exponents[i];
  for (unsigned k = 0; k < 2; k++)
    check (gt_gpus->alloc (gpu, GT_PLACE_DEVICE, region_bytes, (void **) &region[k]));
  for (unsigned i = 0; i < n_exponents; i++)
    report_all (exponents[i], argv + optind, argc - optind);
  gt_gpus->slot_release (gpu, slot);
  return 0;
}
