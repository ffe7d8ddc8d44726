/* Launches that were prepared.

   A sum of few elements is over as soon as it has been launched, and most of its
   time is cuLaunchKernel's.  A graph of one kernel, instantiated once, is launched
   faster, also when the kernel gets new arguments each time: on an H200 with driver
   580 the host has the result of an empty kernel after 4.7 us instead of 6.4.  The
   gain is lost when the kernel, the grid or the block change from one launch to the
   next, and not the arguments alone; and a graph made for a kernel of clusters
   does not run one without.  So a slot keeps a graph for each of the last few
   kernels, grids and blocks.  To instantiate one takes as long as a hundred
   launches save: so what is launched for the first time is launched plainly, and
   noted, and prepared when it comes again soon.

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda_prepared.h"

#include "src/log.h"

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

/* What the slot has for launches like LAUNCH, or is to have now that one comes
   again; null for the first.  */
static struct gt_cuda_prepared *
look_up (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
         const gt_launch *launch)
{
  struct gt_cuda_prepared *oldest, *note;
  struct gt_cuda_prepared *prepared
    = find (slot->prepared, GT_N_PREPARED, launch, &oldest);
  unsigned now = ++slot->launches;

  if (prepared)
    {
      prepared->used = now;
      return prepared;
    }
  prepared = oldest;
  note = find (slot->noted, GT_N_NOTED, launch, &oldest);
  if (note == NULL)
    {
      *oldest = (struct gt_cuda_prepared) {
        .function = launch->func, .grid = launch->gridDimX,
        .block = launch->blockDimX, .used = now};
      return NULL;
    }
  destroy (gpu, prepared);
  *prepared = *note;
  prepared->used = now;
  *note = (struct gt_cuda_prepared) {0};
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
  if (status == CUDA_SUCCESS)
    status = driver->cuGraphExecKernelNodeSetParams (prepared->exec,
                                                     prepared->node, launch);
  if (status == CUDA_SUCCESS)
    status = driver->cuGraphLaunch (prepared->exec, stream);
  return status;
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
              gpu->index, gt_cuda_error ((int) refused));
    }
  return status;
}

void
gt_cuda_prepared_clear (struct gt_cuda *gpu, struct gt_cuda_slot *slot)
{
  for (int i = 0; i < GT_N_PREPARED; i++)
    destroy (gpu, &slot->prepared[i]);
}
