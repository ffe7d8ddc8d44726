/* The sum of several device vectors together, by all GPUs that have some of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/sums/combine.h"
#include "kernels/cpu/isa/room.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/reduce/device_vector_sum.h"
#include "src/route/reduce.h"

/* The sum in progress on a GPU: that of the vector with index AT, or none if AT is NONE.  */
#define NONE SIZE_MAX
struct turn
{
  size_t at;
  struct gt_pending pending;
};

struct all
{
  const char *vectors;
  size_t count;
  struct gt_problem problem;
  struct turn *turn; /* one for each GPU, by its index */
};

/* Returns vector I.  The pointer is copied because the vectors' types differ; all pointers to
   structures have the same representation.  */
static const struct gsltune_device_memory *
memory_of (const struct all *all, size_t i)
{
  const struct gsltune_device_memory *memory;

  memcpy (&memory, all->vectors + i * sizeof memory, sizeof memory);
  return memory;
}

static struct gt_task
task_of (const struct all *all, size_t i)
{
  const struct gsltune_device_memory *memory = memory_of (all, i);

  return gt_task_of (all->problem.reduction, all->problem.arithmetic,
                     all->problem.mode, memory->data, memory->n,
                     memory->stride);
}

static int
on_gpu (const struct all *all, size_t i)
{
  return memory_of (all, i)->n > 0 && memory_of (all, i)->gpu != NULL;
}

/* Starts the sum of the first of GPU's vectors from FROM on that it can start.  Skipped
   vectors are computed later, by sum_one.  */
static void
begin_next (struct all *all, struct gt_open_gpu *gpu, size_t from)
{
  struct turn *turn = &all->turn[gt_gpu_index_of (gpu)];
  const char *why;

  turn->at = NONE;
  for (size_t i = from; i < all->count; i++)
    if (on_gpu (all, i) && memory_of (all, i)->gpu == gpu)
      {
        const struct gt_task task = task_of (all, i);

        if (gt_device_memory_check (memory_of (all, i), &why) == GSL_SUCCESS
            && gt_reduce_gpu_begin (gpu, &task, memory_of (all, i)->stream,
                                    &turn->pending) == 0)
          turn->at = i;
        return;
      }
}

/* Computes the sum of vector I, or waits for it if a GPU has started it.  */
static int
sum_one (struct all *all, size_t i, union gt_value *value, const char **why)
{
  const struct gsltune_device_memory *memory = memory_of (all, i);
  const struct gsltune_device_memory *const both[2] = {memory, memory};
  const struct gt_task task = task_of (all, i);
  int status = -1;

  if (on_gpu (all, i))
    {
      struct turn *turn = &all->turn[gt_gpu_index_of (memory->gpu)];

      if (turn->at == i)
        {
          status = gt_gpus->end (&turn->pending, value);
          begin_next (all, memory->gpu, i + 1);
        }
    }
  if (status != 0)
    status = gt_device_memory_sums (both, &task, value, why);
  return status;
}

/* Waits for all sums that have been started.  */
static void
end_all (struct all *all, int gpus)
{
  union gt_value value;

  for (int g = 0; g < gpus; g++)
    if (all->turn[g].at != NONE)
      gt_gpus->end (&all->turn[g].pending, &value);
}

static int
sum_all (struct all *all, int gpus, union gt_value *value, const char **why)
{
  void *heap;
  union gt_value *of_one = GT_ROOM (heap, sizeof *of_one);
  int status = GSL_SUCCESS;

  for (size_t i = 0; i < all->count; i++)
    if (on_gpu (all, i)
        && all->turn[gt_gpu_index_of (memory_of (all, i)->gpu)].at == NONE)
      begin_next (all, memory_of (all, i)->gpu, i);
  for (size_t i = 0; i < all->count && status == GSL_SUCCESS; i++)
    if (memory_of (all, i)->n > 0)
      {
        status = sum_one (all, i, of_one, why);
        if (status == GSL_SUCCESS)
          gt_value_merge (&all->problem, value, of_one);
      }
  free (heap);
  end_all (all, gpus);
  return status;
}

int
gt_device_memory_sum_all (const void *vectors, size_t count,
                          enum gt_arithmetic arithmetic,
                          union gt_value *value, const char **why)
{
  const int gpus = gt_gpu_count (NULL);
  struct all all = {.vectors = vectors, .count = count};
  struct gt_fpenv env;
  int status;

  all.problem.reduction = GT_SUM;
  all.problem.arithmetic = gt_arithmetic_for (GT_SUM, arithmetic);
  all.problem.mode = gt_mode_for (GT_SUM, all.problem.arithmetic,
                                  gt_mode_now ());
  memset (value, 0, sizeof *value);
  all.turn = malloc ((size_t) (gpus + 1) * sizeof *all.turn);
  if (all.turn == NULL)
    {
      *why = "failed to allocate space for the sums of several GPUs";
      return GSL_ENOMEM;
    }
  for (int g = 0; g < gpus; g++)
    all.turn[g].at = NONE;
  gt_fpenv_enter (&env, all.problem.arithmetic);
  status = sum_all (&all, gpus, value, why);
  if (status == GSL_SUCCESS)
    gt_reduce_finish (&all.problem, value);
  gt_fpenv_leave (&env);
  free (all.turn);
  return status;
}
