/* Launches that were prepared.

   A sum of few elements is over as soon as it has been launched, and most of its
   time is cuLaunchKernel's.  A graph of one kernel, instantiated once, is launched
   faster: on an H200 with driver 580 the host has the result of a sum of one
   element after 5.0 us instead of 7.7.  When the kernel gets new arguments it is
   5.6 us.  The gain is lost when the kernel, the grid or the block change too, and a
   graph made for a kernel of clusters does not run one without.

   So a slot keeps a graph for each of the last few kernels, grids and blocks; and
   where a kernel's arguments keep changing, further graphs, while there is room, so
   that a program which sums a few vectors again and again soon has one for each.
   To instantiate one takes as long as a hundred launches save: so what is launched
   for the first time is launched plainly, and noted, and prepared when it comes
   again soon.

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_prepared.h"

#include <stddef.h>
#include <string.h>

#include "src/base/log.h"

/* So many changes of arguments cost what another graph does.  */
#define CHANGES 100

CUresult
gt_cuda_launch_plain (struct gt_cuda *gpu, const gt_launch *launch,
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
  /* The dynamic shared memory follows from the kernel and the block.  */
  return prepared->function == launch->func
         && prepared->grid == launch->gridDimX
         && prepared->block == launch->blockDimX;
}

/* The entry for LAUNCH among the N, or null with the one that was used least
   lately in OLDEST.  */
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
destroy (struct gt_cuda *gpu, struct gt_cuda_prepared *prepared)
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

/* Up to the last member: what pads the rest need not be the same.  */
static int
same_args (const struct gt_kernel_args *a, const struct gt_kernel_args *b)
{
  return memcmp (a, b, offsetof (struct gt_kernel_args, sequence)
                         + sizeof a->sequence) == 0;
}

/* The graph for LAUNCH among those of the slot; null where its kernel has none.
   That with its arguments, if there is one.  Else they go into the graph of its
   kernel that was used last, which is the best choice when vectors are summed in
   turn, and costs least when none comes again.  Once in a while they go into
   another: a new one, or that which was used least lately.  */
static struct gt_cuda_prepared *
find_prepared (struct gt_cuda_slot *slot, const gt_launch *launch)
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

/* What the slot has for launches like LAUNCH, or is to have now that one comes
   again; null for the first.  */
static struct gt_cuda_prepared *
look_up (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
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
instantiate (struct gt_cuda *gpu, struct gt_cuda_prepared *prepared,
             const gt_launch *launch)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  CUresult status = driver->cuGraphCreate (&prepared->graph, 0);

  if (status == CUDA_SUCCESS)
    status = driver->cuGraphAddKernelNode (&prepared->node, prepared->graph,
                                           NULL, 0, launch);
  if (status == CUDA_SUCCESS)
    status = driver->cuGraphInstantiateWithFlags (&prepared->exec,
                                                  prepared->graph, 0);
  return status;
}

/* The program may be capturing a stream, in this thread or another.  That ends
   when a graph is instantiated, unless the thread says that it knows what it
   does: the new graph has nothing to do with that stream.  */
static CUresult
make (struct gt_cuda *gpu, struct gt_cuda_prepared *prepared,
      const gt_launch *launch)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  CUresult status = driver->cuThreadExchangeStreamCaptureMode (&mode), after;

  if (status != CUDA_SUCCESS)
    return status;
  status = instantiate (gpu, prepared, launch);
  after = driver->cuThreadExchangeStreamCaptureMode (&mode);
  if (status == CUDA_SUCCESS)
    status = after;
  if (status != CUDA_SUCCESS)
    destroy (gpu, prepared);
  return status;
}

static CUresult
launch_again (struct gt_cuda *gpu, struct gt_cuda_prepared *prepared,
              const gt_launch *launch, CUstream stream)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  CUresult status = CUDA_SUCCESS;

  if (prepared->exec == NULL)
    status = make (gpu, prepared, launch);
  else if (!same_args (&prepared->args, args_of (launch)))
    status = driver->cuGraphExecKernelNodeSetParams (prepared->exec,
                                                     prepared->node, launch);
  if (status != CUDA_SUCCESS)
    return status;
  prepared->args = *args_of (launch);
  return driver->cuGraphLaunch (prepared->exec, stream);
}

/* A refusal that a plain launch meets too is the launch's own fault.  Where the
   plain one succeeds, it is graphs that this GPU cannot do.  */
CUresult
gt_cuda_launch_prepared (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                         const gt_launch *launch, CUstream stream)
{
  struct gt_cuda_prepared *prepared
    = gpu->plain_only ? NULL : look_up (gpu, slot, launch);
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
gt_cuda_prepared_clear (struct gt_cuda *gpu, struct gt_cuda_slot *slot)
{
  for (int i = 0; i < GT_N_PREPARED; i++)
    destroy (gpu, &slot->prepared[i]);
}
