/* Results that stay on the device: the kernels run in a stream of the program, and the host
   does not wait for them.
   An exact sum begins with a kernel that gives up if the numbers differ too much in size
   (kernels/cuda/exact_window.cuh).  Since the host does not see that, a second kernel for all
   numbers follows, which ends immediately if it is not needed.  Sums of few elements use one
   kernel for all numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_launch.h"
#include "src/cuda/cuda_order.h"
#include "src/cuda/cuda_powers.h"
#include "src/device/geometry.h"

/* These words are zero between calls.  They are followed by partial sums.  */
struct memory
{
  uint32_t ticket, undecided;
  _Alignas (128) int64_t super[GT_EXACT_MOST_WORDS];
};

/* The largest numbers of blocks per SM, and of bytes of a block's partial sum.  */
#define MOST_BLOCKS 32
#define MOST_BYTES (3 * GT_EXACT_PARTIAL)

static size_t
bytes_of_sums (const struct gt_open_gpu *gpu)
{
  const size_t of_blocks = (size_t) gpu->device->gpu.sms * MOST_BLOCKS * MOST_BYTES;
  const size_t of_powers = gt_cuda_powers_bytes ();

  return sizeof (struct memory) + (of_blocks > of_powers ? of_blocks : of_powers);
}

size_t
gt_cuda_keep_bytes (const struct gt_open_gpu *gpu)
{
  const size_t of_sums = bytes_of_sums (gpu);
  const size_t of_lines = sizeof (struct memory) + gt_cuda_lines_bytes (gpu);

  return of_sums > of_lines ? of_sums : of_lines;
}

/* Finds the context of STREAM.  For a default stream this is the current context, as in the
   driver, or the primary one if the current context is not on this GPU.  */
static CUresult
context_of (struct gt_open_gpu *gpu, CUstream stream, CUcontext *context)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  CUdevice device;

  if (stream != NULL && stream != CU_STREAM_LEGACY
      && stream != CU_STREAM_PER_THREAD)
    return driver->cuStreamGetCtx (stream, context);
  if (driver->cuCtxGetCurrent (context) != CUDA_SUCCESS || *context == NULL
      || driver->cuCtxGetDevice (&device) != CUDA_SUCCESS
      || device != gpu->cu_device)
    *context = gpu->context;
  return CUDA_SUCCESS;
}

/* Does WORK in the context of STREAM.  */
static int
in_context (struct gt_open_gpu *gpu, void *stream,
            CUresult (*work) (struct gt_open_gpu *gpu, CUstream stream,
                              int is_primary, const void *closure),
            const void *closure)
{
  const CUstream on = stream == GT_DEFAULT_STREAM ? NULL : (CUstream) stream;
  CUcontext context;
  CUresult status = context_of (gpu, on, &context);
  int is_primary;

  if (status != CUDA_SUCCESS)
    return (int) status;
  is_primary = context == gpu->context;
  status = gt_cuda_enter_context (gpu, context);
  GT_THEN (status, work (gpu, on, is_primary, closure));
  /* An error that makes another context unusable does not affect the library's.  */
  gt_cuda_leave (gpu, is_primary ? status : CUDA_SUCCESS, "computing in a stream");
  return (int) status;
}

/* Graphs support such edges since CUDA 12.3, devices since compute capability 9.0.  The kernel
   must have been compiled for 9.0 as well, because older code does not wait; a build may
   contain both.  */
#define OVERLAPS_SINCE 12030

static int
may_overlap (struct gt_open_gpu *gpu, CUfunction function)
{
  int version = 0, ptx = 0;

  if (gpu->overlaps == 0)
    gpu->overlaps = gpu->device->gpu.sm.cc_major >= 9
                        && gpu->driver->cuDriverGetVersion (&version) == CUDA_SUCCESS
                        && version >= OVERLAPS_SINCE
                      ? 1 : -1;
  return gpu->overlaps > 0
         && gpu->driver->cuFuncGetAttribute (&ptx, CU_FUNC_ATTRIBUTE_PTX_VERSION, function)
              == CUDA_SUCCESS
         && ptx >= 90;
}

/* Launches L while the preceding work of the stream is ending, so that the time of the launch
   is hidden.  The kernel's threads wait for that work themselves
   (kernels/cuda/reduce.cuh).  */
static CUresult
launch_early (struct gt_open_gpu *gpu, const gt_launch *l, CUstream stream)
{
  CUlaunchAttribute attribute
    = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
       .value.programmaticStreamSerializationAllowed = 1};
  const CUlaunchConfig config = {
    .gridDimX = l->gridDimX, .gridDimY = 1, .gridDimZ = 1,
    .blockDimX = l->blockDimX, .blockDimY = 1, .blockDimZ = 1,
    .sharedMemBytes = l->sharedMemBytes, .hStream = stream,
    .attrs = &attribute, .numAttrs = 1
  };

  return gpu->driver->cuLaunchKernelEx (&config, l->func, l->kernelParams, NULL);
}

struct room
{
  CUdeviceptr memory, partials;
};

static CUresult
launch (struct gt_open_gpu *gpu, CUstream stream, int is_primary,
        const struct gt_keeping *keeping, const struct gt_plan *plan,
        enum gt_finish_pass pass, enum gt_finish_part part, const struct room *room)
{
  const struct gt_task *task = &keeping->task;
  const struct gt_problem *problem = &task->problem;
  const struct gt_geometry geometry
    = gt_geometry_of (plan->kernel, &plan->config, problem, gpu->device->gpu.sms);
  const uintptr_t memory = (uintptr_t) room->memory;
  const size_t size = gt_element_size (problem->arithmetic);
  struct gt_kernel_args args = {
    .data = task->x.data,
    .n = problem->n,
    .stride = task->x.stride,
    .partials = (void *) (uintptr_t) room->partials,
    .scale = task->scale,
    .ticket = (uint32_t *) (memory + offsetof (struct memory, ticket)),
    .super = (int64_t *) (memory + offsetof (struct memory, super)),
    .order = gt_order_of (problem),
    .y = task->y.data,
    .y_stride = task->y.stride,
    .finish = {
      .to = {keeping->to[0], keeping->to[1]},
      .undecided = (uint32_t *) (memory + offsetof (struct memory, undecided)),
      .as = keeping->as,
      .pass = (uint16_t) pass,
      .part = (uint16_t) part,
      .size = keeping->size,
      .unbias = gt_is_signed_integer (problem->arithmetic) ? 8 * (unsigned) size : 0
    }
  };
  void *parameters[] = {&args};
  gt_launch kernel = {
    .gridDimX = (unsigned) geometry.grid, .gridDimY = 1, .gridDimZ = 1,
    .blockDimX = geometry.block, .blockDimY = 1, .blockDimZ = 1,
    .sharedMemBytes = geometry.shared,
    .kernelParams = parameters
  };
  CUresult status
    = is_primary ? gt_cuda_function (gpu, plan, problem, &kernel.func)
                 : gt_cuda_function_anew (gpu, plan, problem, &kernel.func);

  if (status == CUDA_SUCCESS)
    status = may_overlap (gpu, kernel.func) ? launch_early (gpu, &kernel, stream)
                                            : gt_cuda_launch_plain (gpu, &kernel, stream);
  return status;
}

/* Returns the sum that computes PART of a result of the complex vectors of KEEPING.  */
static struct gt_keeping
part_of (const struct gt_keeping *keeping, const struct gt_keeping_part *part)
{
  const size_t size = gt_element_size (keeping->task.problem.arithmetic);
  struct gt_keeping one = *keeping;

  one.task.x.data = (const char *) one.task.x.data + part->x * size;
  one.task.y.data = (const char *) one.task.y.data + part->y * size;
  one.to[0] = keeping->to[part->to];
  one.to[1] = NULL;
  return one;
}

/* Launches one kernel, or one for each of the two parts of the result that begins with part
   FIRST.  */
static CUresult
launch_pass (struct gt_open_gpu *gpu, CUstream stream, int is_primary,
             const struct gt_keeping *keeping, unsigned first, const struct gt_plan *plan,
             enum gt_finish_pass pass, const struct room *room)
{
  CUresult status = CUDA_SUCCESS;

  if (keeping->n_parts == 0)
    return launch (gpu, stream, is_primary, keeping, plan, pass, GT_PART_ALL, room);
  for (unsigned k = first; k < first + 2; k++)
    {
      const struct gt_keeping one = part_of (keeping, &keeping->parts[k]);

      GT_THEN (status, launch (gpu, stream, is_primary, &one, plan, pass,
                               keeping->parts[k].part, room));
    }
  return status;
}

/* Launches one pass over the elements of each result, or two.  */
static CUresult
launch_all (struct gt_open_gpu *gpu, CUstream stream, int is_primary,
            const struct gt_keeping *keeping, const struct room *room)
{
  const struct gt_problem *problem = &keeping->task.problem;
  struct gt_plan any = *keeping->plan;
  CUresult status = CUDA_SUCCESS;
  int once;

  if (problem->mode == GT_MODE_EXACT && problem->n > gpu->keep_few)
    gt_any_range (gpu->device, problem, &any.kernel, &any.config);
  if (problem->n > gt_cuda_most (gpu, keeping->plan, problem)
      || problem->n > gt_cuda_most (gpu, &any, problem))
    return CUDA_ERROR_INVALID_VALUE;
  once = any.kernel == keeping->plan->kernel;
  for (unsigned first = 0; first == 0 || first < keeping->n_parts; first += 2)
    {
      GT_THEN (status, launch_pass (gpu, stream, is_primary, keeping, first, keeping->plan,
                                    once ? GT_PASS_ONLY : GT_PASS_FIRST, room));
      if (!once)
        GT_THEN (status, launch_pass (gpu, stream, is_primary, keeping, first, &any,
                                      GT_PASS_SECOND, room));
    }
  return status;
}

/* Sets the results of no elements, which are zeros.  */
static CUresult
keep_zeros (struct gt_open_gpu *gpu, CUstream stream, const struct gt_keeping *keeping)
{
  CUresult status = CUDA_SUCCESS;

  for (int k = 0; k < 2 && keeping->to[k]; k++)
    GT_THEN (status, gpu->driver->cuMemsetD8Async (
                       (CUdeviceptr) (uintptr_t) keeping->to[k], 0,
                       keeping->size, stream));
  return status;
}

static CUresult
keep (struct gt_open_gpu *gpu, CUstream stream, int is_primary, const void *closure)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  const struct gt_keeping *keeping = closure;
  struct room room = {(CUdeviceptr) (uintptr_t) keeping->scratch, 0};
  CUresult status = CUDA_SUCCESS, freed;

  if (keeping->lines)
    return gt_cuda_keep_lines (gpu, stream, is_primary, keeping->lines,
                               keeping->scratch ? room.memory + sizeof (struct memory) : 0);
  if (keeping->powers == NULL && keeping->task.problem.n == 0)
    return keep_zeros (gpu, stream, keeping);
  if (keeping->scratch == NULL)
    {
      status = driver->cuMemAllocAsync (&room.memory, bytes_of_sums (gpu),
                                        stream);
      if (status != CUDA_SUCCESS)
        return status;
      status = driver->cuMemsetD8Async (room.memory, 0, sizeof (struct memory),
                                        stream);
    }
  room.partials = room.memory + sizeof (struct memory);
  if (keeping->powers)
    GT_THEN (status, gt_cuda_keep_powers (gpu, stream, is_primary, keeping->powers,
                                          keeping->to[0], room.partials));
  else
    GT_THEN (status, launch_all (gpu, stream, is_primary, keeping, &room));
  freed = keeping->scratch ? CUDA_SUCCESS
                           : driver->cuMemFreeAsync (room.memory, stream);
  return status == CUDA_SUCCESS ? freed : status;
}

int
gt_cuda_keep (struct gt_open_gpu *gpu, const struct gt_keeping *keeping)
{
  return in_context (gpu, keeping->stream, keep, keeping);
}

struct clearing
{
  CUdeviceptr address;
  size_t bytes;
};

static CUresult
clear (struct gt_open_gpu *gpu, CUstream stream, int is_primary, const void *closure)
{
  const struct clearing *c = closure;

  (void) is_primary;
  return gpu->driver->cuMemsetD8Async (c->address, 0, c->bytes, stream);
}

int
gt_cuda_clear (struct gt_open_gpu *gpu, void *address, size_t bytes, void *stream)
{
  const struct clearing c = {(CUdeviceptr) (uintptr_t) address, bytes};

  return in_context (gpu, stream, clear, &c);
}
