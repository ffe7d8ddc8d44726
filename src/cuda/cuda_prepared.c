/* Prepared launches: graphs of one kernel that are launched repeatedly.
   The time of a short sum is mostly that of cuLaunchKernel.  The driver launches an
   instantiated graph of one kernel faster: on an H200 with driver 580 the host has the result
   of a sum of one element after 5.0 us instead of 7.7, and after 5.6 us if the kernel has new
   arguments.  A graph with another kernel, grid or block must be instantiated anew, and a
   graph of a kernel with clusters cannot run one without.
   So a slot keeps one graph for each of its most recent kernels, grids and blocks.  A program
   that sums a few vectors in turn changes the arguments at each launch.  From time to time the
   slot makes another graph for such a kernel, so that soon each of the vectors has its own.
   Instantiating a graph takes as long as about a hundred launches of it save.  So the slot
   launches a kernel plainly the first time, notes it, and prepares it if it is launched again
   soon.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_context.h"

#include <stddef.h>
#include <string.h>

#include "src/base/log.h"

/* After this many changes of arguments another graph would have cost about as much.  */
#define CHANGES 100

CUresult
gt_cuda_launch_plain (struct gt_open_gpu *gpu, const gt_launch *launch,
                      CUstream stream)
{
  return gpu->driver->cuLaunchKernel (
    launch->func, launch->gridDimX, launch->gridDimY, launch->gridDimZ,
    launch->blockDimX, launch->blockDimY, launch->blockDimZ,
    launch->sharedMemBytes, stream, launch->kernelParams, NULL);
}

static int
is_for (const struct gt_cuda_prepared *prepared, const gt_launch *launch)
{
  /* The kernel and the block determine the dynamic shared memory.  */
  return prepared->function == launch->func
         && prepared->grid == launch->gridDimX
         && prepared->block == launch->blockDimX;
}

/* Returns the entry for LAUNCH among the N of LIST.  If there is none, returns null and stores
   the least recently used entry in OLDEST.  */
static struct gt_cuda_prepared *
find (struct gt_cuda_prepared *list, int n, const gt_launch *launch,
      struct gt_cuda_prepared **oldest)
{
  *oldest = list;
  for (int i = 0; i < n; i++)
    {
      if (is_for (&list[i], launch))
        return &list[i];
      if ((int) (list[i].used - (*oldest)->used) < 0)
        *oldest = &list[i];
    }
  return NULL;
}

static void
destroy (struct gt_open_gpu *gpu, struct gt_cuda_prepared *prepared)
{
  if (prepared->exec)
    gpu->driver->cuGraphExecDestroy (prepared->exec);
  if (prepared->graph)
    gpu->driver->cuGraphDestroy (prepared->graph);
  *prepared = (struct gt_cuda_prepared) {0};
}

static const struct gt_kernel_args *
args_of (const gt_launch *launch)
{
  return launch->kernelParams[0];
}

/* Compares up to the last member, because the padding after it has arbitrary contents.  */
static int
same_args (const struct gt_kernel_args *a, const struct gt_kernel_args *b)
{
  return memcmp (a, b, offsetof (struct gt_kernel_args, sequence)
                         + sizeof a->sequence) == 0;
}

/* Returns the slot's graph for LAUNCH, or null if there is none for its kernel.  A graph with
   the same arguments is preferred.  Otherwise the most recently used graph of the same kernel
   gets the new arguments, since the other graphs may be needed for their vectors again.  After
   CHANGES such changes another graph gets them, a new one or the least recently used one.  */
static struct gt_cuda_prepared *
find_prepared (struct gt_slot *slot, const gt_launch *launch)
{
  struct gt_cuda_prepared *last = NULL, *oldest = NULL, *room = NULL;

  for (int i = 0; i < GT_N_PREPARED; i++)
    {
      struct gt_cuda_prepared *p = &slot->prepared[i];

      if (p->function == NULL)
        room = p;
      else if (is_for (p, launch))
        {
          if (same_args (&p->args, args_of (launch)))
            return p;
          if (last == NULL || (int) (p->used - last->used) > 0)
            last = p;
          if (oldest == NULL || (int) (p->used - oldest->used) < 0)
            oldest = p;
        }
    }
  if (last == NULL || ++slot->changes < CHANGES)
    return last;
  slot->changes = 0;
  return room ? room : oldest;
}

static void
describe (struct gt_cuda_prepared *prepared, const gt_launch *launch)
{
  *prepared = (struct gt_cuda_prepared) {.function = launch->func,
                                         .grid = launch->gridDimX,
                                         .block = launch->blockDimX};
}

/* Returns the entry for LAUNCH, or null if it must be launched plainly because the slot has
   not seen such a launch before.  */
static struct gt_cuda_prepared *
entry_for (struct gt_open_gpu *gpu, struct gt_slot *slot,
         const gt_launch *launch)
{
  struct gt_cuda_prepared *note, *oldest,
    *prepared = find_prepared (slot, launch);

  slot->launches++;
  if (prepared == NULL)
    {
      note = find (slot->noted, GT_N_NOTED, launch, &oldest);
      if (note == NULL)
        {
          describe (oldest, launch);
          oldest->used = slot->launches;
          return NULL;
        }
      *note = (struct gt_cuda_prepared) {0};
      find (slot->prepared, GT_N_PREPARED, launch, &prepared);
      destroy (gpu, prepared);
    }
  if (prepared->function == NULL)
    describe (prepared, launch);
  prepared->used = slot->launches;
  return prepared;
}

static CUresult
prepare (struct gt_open_gpu *gpu, struct gt_cuda_prepared *prepared,
         const gt_launch *launch)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  CUresult status = driver->cuGraphCreate (&prepared->graph, 0);

  GT_THEN (status, driver->cuGraphAddKernelNode (&prepared->node,
                                                 prepared->graph, NULL, 0,
                                                 launch));
  GT_THEN (status, driver->cuGraphInstantiateWithFlags (&prepared->exec,
                                                        prepared->graph, 0));
  if (status != CUDA_SUCCESS)
    destroy (gpu, prepared);
  return status;
}

static CUresult
launch_again (struct gt_open_gpu *gpu, struct gt_cuda_prepared *prepared,
              const gt_launch *launch, CUstream stream)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  CUresult status = CUDA_SUCCESS;

  if (prepared->exec == NULL)
    status = prepare (gpu, prepared, launch);
  else if (!same_args (&prepared->args, args_of (launch)))
    status = driver->cuGraphExecKernelNodeSetParams (prepared->exec,
                                                     prepared->node, launch);
  if (status != CUDA_SUCCESS)
    return status;
  prepared->args = *args_of (launch);
  return driver->cuGraphLaunch (prepared->exec, stream);
}

/* If the driver refuses a graph but launches the same kernel plainly, this GPU does not
   support such graphs, and the library does not try again.  If it refuses both, the launch
   itself is wrong.  */
CUresult
gt_cuda_launch_prepared (struct gt_open_gpu *gpu, struct gt_slot *slot,
                         const gt_launch *launch, CUstream stream)
{
  struct gt_cuda_prepared *prepared
    = gpu->plain_only ? NULL : entry_for (gpu, slot, launch);
  CUresult refused = CUDA_SUCCESS, status;

  if (prepared)
    {
      refused = launch_again (gpu, prepared, launch, stream);
      if (refused == CUDA_SUCCESS || !gt_cuda_passes (refused))
        return refused;
    }
  status = gt_cuda_launch_plain (gpu, launch, stream);
  if (refused != CUDA_SUCCESS && status == CUDA_SUCCESS)
    {
      gpu->plain_only = 1;
      gt_log (GT_LOG_DEBUG, "GPU %d: launches are not prepared any more: %s",
              gpu->device->gpu.ordinal, gt_cuda_error ((int) refused));
    }
  return status;
}

void
gt_cuda_prepared_clear (struct gt_open_gpu *gpu, struct gt_slot *slot)
{
  for (int i = 0; i < GT_N_PREPARED; i++)
    destroy (gpu, &slot->prepared[i]);
}
