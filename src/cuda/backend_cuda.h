/* Runs CUDA kernels, through the driver.  Functions that reach the driver
   return a CUresult as an int: 0 is success.  Built without CUDA, opening
   fails and nothing else is ever called (backend_cuda_none.c).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BACKEND_CUDA_H
#define GT_BACKEND_CUDA_H

#include <stddef.h>

#include "kernels/args.h"
#include "src/base/configuration.h"
#include "src/base/route.h"
#include "src/device/device.h"

/* One GPU, opened: its primary context retained, its kernels loaded as they
   are needed.  */
struct gt_cuda;

/* A stream with the memory that one sum at a time needs.  */
struct gt_cuda_slot;

struct gt_cuda_resources
{
  int registers;           /* a thread */
  size_t shared;           /* bytes a block, static */
  size_t local;            /* bytes a thread: spills and arrays */
  int max_threads_per_block;
  int active_blocks;       /* per SM, as the driver says, for the block asked */
};

/* Opens GPU number INDEX (as gt_cuda_device), once; later calls give the same
   object.  Null when it cannot be used, with the reason in WHY (may be null).
   A GPU whose context has failed is not given out any more.  Thread-safe.  */
struct gt_cuda *gt_cuda_open (int index, const char **why);

/* The GPU that the environment chooses: cuda:N, else the first.  */
struct gt_cuda *gt_cuda_chosen (const char **why);
/* Whether no error has ended the GPU's context.  */
int gt_cuda_usable (const struct gt_cuda *gpu);
const struct gt_device *gt_cuda_device_of (const struct gt_cuda *gpu);
/* Its index, as gt_cuda_device has it.  */
int gt_cuda_index_of (const struct gt_cuda *gpu);

/* The name of an error, static text.  */
const char *gt_cuda_error (int status);

/* Computes TASK, whose data is at an address that the GPU can read, with PLAN;
   VALUE is not finished.  STREAM is a CUstream, or null for a stream of the
   library's own.  A user's default stream is GT_CUDA_DEFAULT_STREAM.  Waits for
   the result.  */
#define GT_CUDA_DEFAULT_STREAM ((void *) 1)
int gt_cuda_compute (struct gt_cuda *gpu, const struct gt_plan *plan,
                     const struct gt_task *task, void *stream,
                     union gt_value *value);

/* The most elements of PROBLEM that one launch of PLAN may take.  */
uint64_t gt_cuda_most (const struct gt_cuda *gpu, const struct gt_plan *plan,
                       const struct gt_problem *problem);

/* Device memory.  */
int gt_cuda_alloc (struct gt_cuda *gpu, size_t bytes, void **address);
/* Managed memory, which the CPU reads too; freed like device memory.  */
int gt_cuda_managed_alloc (struct gt_cuda *gpu, size_t bytes,
                           void **address);
void gt_cuda_free (struct gt_cuda *gpu, void *address);
int gt_cuda_to_device (struct gt_cuda *gpu, void *to, const void *from,
                       size_t bytes);
int gt_cuda_to_host (struct gt_cuda *gpu, void *to, const void *from,
                     size_t bytes);
int gt_cuda_copy (struct gt_cuda *gpu, void *to, const void *from,
                  size_t bytes);
/* Waits for the work in STREAM, as given to gt_cuda_compute.  */
int gt_cuda_synchronize (struct gt_cuda *gpu, void *stream);
int gt_cuda_memory (struct gt_cuda *gpu, size_t *free_bytes,
                    size_t *total_bytes);

/* Host memory that stays where it is, "pinned", so that every GPU reads it at
   the host's address and copies it at full speed.  Allocating is not
   initialising.  Registering pins BYTES of the caller's memory, which may be
   pinned already, as a whole; unregistering takes the address that was
   registered.  In a forked child freeing does nothing.  */
int gt_cuda_host_alloc (struct gt_cuda *gpu, size_t bytes, void **address);
void gt_cuda_host_free (struct gt_cuda *gpu, void *address);
int gt_cuda_host_register (struct gt_cuda *gpu, const void *address,
                           size_t bytes);
int gt_cuda_host_unregister (struct gt_cuda *gpu, const void *address);

/* Where data lies.  */
struct gt_location
{
  enum gt_place place;
  int gpu; /* index of the GPU in whose memory it lies, or to which managed
              memory has been given; -1: none */
};

/* Where the BYTES at DATA lie: all of them, else it is host memory.  Asks the
   driver when something in this process has loaded it: otherwise nothing can be
   but host memory.  Cannot fail.  */
struct gt_location gt_cuda_locate (const void *data, size_t bytes);

/* The address at which GPU reads DATA, in pinned or managed memory.  */
const void *gt_cuda_address (struct gt_cuda *gpu, const void *data);

/* Whether STREAM, as given to gt_cuda_compute, is being captured into a graph: then
   nothing that is put into it now would run, and waiting for it would end the
   capture.  */
int gt_cuda_captured (struct gt_cuda *gpu, void *stream);

/* The index of the GPU that can read ADDRESS, or -1.  */
int gt_cuda_index_of_address (const void *address);

/* Gives back the streams and the scratch memory that no sum is using.  */
void gt_cuda_trim_all (void);

/* What the driver says of the kernel that PLAN has for PROBLEM.  */
int gt_cuda_kernel_resources (struct gt_cuda *gpu, const struct gt_plan *plan,
                              const struct gt_problem *problem,
                              struct gt_cuda_resources *resources);

/* For the tuner: launches on a slot without waiting, and measures with events.
   gt_cuda_result waits for the slot's last launch.  */
int gt_cuda_slot_acquire (struct gt_cuda *gpu, struct gt_cuda_slot **slot);
void gt_cuda_slot_release (struct gt_cuda *gpu, struct gt_cuda_slot *slot);
int gt_cuda_launch (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                    const struct gt_plan *plan, const struct gt_task *task);
int gt_cuda_result (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                    const struct gt_task *task, union gt_value *value);
/* Fills the slot's partial sums and result with a pattern that no correct
   kernel leaves standing.  */
int gt_cuda_poison (struct gt_cuda *gpu, struct gt_cuda_slot *slot);
/* Seconds on the device from the first of `count' launches to the end of the
   last, launch k over TASK with data moved by (k mod WINDOWS) * STEP bytes.  The
   results stay in device memory.  */
int gt_cuda_time (struct gt_cuda *gpu, struct gt_cuda_slot *slot,
                  const struct gt_plan *plan, const struct gt_task *task,
                  unsigned count, unsigned windows, size_t step,
                  double *seconds);

#endif
