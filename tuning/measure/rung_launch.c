/* Launches the rungs of the ladder on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/rung_launch.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cuda/cuda_launch.h"
#include "src/profile/profile_private.h"
#include "tuning/measure/clock.h"

#define POISON 0xcb

/* The index of the unroll factor for the host's sum of the blocks' sums.  */
#define HOST_UNROLL 2

struct buffer
{
  void *memory;
  size_t bytes;
};

struct gt_rung_launcher
{
  struct gt_open_gpu *gpu;
  struct gt_slot *slot;
  struct buffer scratch; /* on the device */
  struct buffer sums;    /* pinned: the sums that the host adds */
  const char *toolkit;   /* the folder of the CUDA toolkit; null: search for it */
  char unlinked[160];    /* the reason why linking failed, or "" */
  CUlibrary library[];   /* of the image of each rung; if rungs share an image, the first of
                            them has it */
};

static struct gt_rung_launcher *
open_launcher (struct gt_open_gpu *gpu, struct gt_slot *slot,
               const char *toolkit)
{
  struct gt_rung_launcher *l
    = calloc (1, sizeof *l + gt_ladder_catalog_size * sizeof *l->library);

  if (l)
    {
      l->gpu = gpu;
      l->slot = slot;
      l->toolkit = toolkit;
    }
  return l;
}

static void
close_launcher (struct gt_rung_launcher *l)
{
  if (l == NULL)
    return;
  if (l->scratch.memory)
    gt_gpus->free (l->gpu, GT_PLACE_DEVICE, l->scratch.memory);
  if (l->sums.memory)
    gt_gpus->free (l->gpu, GT_PLACE_PINNED, l->sums.memory);
  free (l);
}

/* Returns the place of the library of a rung's image.  */
static CUlibrary *
library_of (struct gt_rung_launcher *l, const struct gt_kernel *kernel)
{
  unsigned first = 0;

  while (gt_ladder_catalog[first].kernel->image != kernel->image)
    first++;
  return &l->library[first];
}

/* --------------------------------------------------- The device runtime
   Kernels that launch kernels are linked at run time with a library of the CUDA Toolkit.  Its
   licence differs from that of this program, so the user must have it, and it is not
   installed.  */

#define ARCHIVE "libcudadevrt.a"

/* Returns whether the archive is below ROOT, in one of the folders of NVIDIA's installer and
   packages, conda's and Debian's.  */
static int
is_below (const char *root, char *path, size_t size)
{
  static const char *const folders[]
    = {"lib64", "lib", "targets/*/lib", "lib/*-linux-gnu"};
  char pattern[PATH_MAX];
  glob_t found;
  int there = 0;

  for (size_t i = 0; i < sizeof folders / sizeof *folders && !there; i++)
    {
      if ((size_t) snprintf (pattern, sizeof pattern, "%s/%s/" ARCHIVE, root,
                             folders[i]) >= sizeof pattern
          || glob (pattern, 0, NULL, &found) != 0)
        continue;
      there = access (found.gl_pathv[0], R_OK) == 0
              && (size_t) snprintf (path, size, "%s", found.gl_pathv[0]) < size;
      globfree (&found);
    }
  return there;
}

/* Finds the archive in L's toolkit, or otherwise in those of CUDA_HOME and CUDA_PATH and in
   /usr/local/cuda.  */
static int
find_runtime (struct gt_rung_launcher *l, char *path, size_t size)
{
  static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};

  if (l->toolkit)
    return is_below (l->toolkit, path, size)
             ? 0 : gt_profile_fail (l->unlinked, sizeof l->unlinked,
                                    "needs " ARCHIVE " of a CUDA Toolkit, which"
                                    " is not below %s", l->toolkit);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    {
      const char *root = getenv (variables[i]);

      if (root && *root && is_below (root, path, size))
        return 0;
    }
  return is_below ("/usr/local/cuda", path, size)
           ? 0 : gt_profile_fail (l->unlinked, sizeof l->unlinked,
                                  "needs " ARCHIVE " of a CUDA Toolkit: give its"
                                  " folder with --cuda=DIR");
}

/* Loads the image of RUNG, linked with the device runtime at PATH; stores the first line of
   the linker's messages in LOG.  The context is current.  */
static CUresult
link_image (struct gt_rung_launcher *l, const struct gt_ladder_kernel *rung,
            const char *path, char *log, size_t log_size)
{
  const struct gt_cuda_driver *driver = l->gpu->driver;
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *) (uintptr_t) log_size};
  CUlinkState link;
  void *linked;
  size_t size;
  CUresult status = driver->cuLinkCreate (2, options, values, &link);

  if (status != CUDA_SUCCESS)
    return status;
  status = driver->cuLinkAddData (link, CU_JIT_INPUT_FATBINARY,
                                  (void *) rung->kernel->image,
                                  *rung->image_bytes, "rung", 0, NULL, NULL);
  if (status == CUDA_SUCCESS)
    status = driver->cuLinkAddFile (link, CU_JIT_INPUT_LIBRARY, path, 0, NULL,
                                    NULL);
  if (status == CUDA_SUCCESS)
    status = driver->cuLinkComplete (link, &linked, &size);
  if (status == CUDA_SUCCESS)
    status = driver->cuLibraryLoadData (library_of (l, rung->kernel), linked,
                                        NULL, NULL, 0, NULL, NULL, 0);
  driver->cuLinkDestroy (link);
  log[strcspn (log, "\n")] = '\0';
  return status;
}

static int
link_with (struct gt_rung_launcher *l, const struct gt_ladder_kernel *rung,
           const char *path)
{
  char log[512] = "";
  const CUresult entered = gt_cuda_enter (l->gpu);
  CUresult status = entered;

  if (status == CUDA_SUCCESS)
    status = link_image (l, rung, path, log, sizeof log);
  gt_cuda_leave (l->gpu, entered, "linking");
  if (status == CUDA_SUCCESS)
    return 0;
  return gt_profile_fail (l->unlinked, sizeof l->unlinked,
                          "cannot be linked%s%s: %s%s%s",
                          entered == CUDA_SUCCESS ? " with " : "",
                          entered == CUDA_SUCCESS ? path : "",
                          gt_gpus->error ((int) status), *log ? ": " : "", log);
}

/* -------------------------------------------------------------- Kernels */

/* Loads the image of a rung that launches itself.  This is attempted only once.  */
static int
link_rung (struct gt_rung_launcher *l, const struct gt_ladder_kernel *rung,
           char *why, size_t size)
{
  char path[PATH_MAX];

  if (*library_of (l, rung->kernel))
    return 0;
  if (*l->unlinked == '\0'
      && find_runtime (l, path, sizeof path) == 0
      && link_with (l, rung, path) == 0)
    return 0;
  snprintf (why, size, "%s", l->unlinked);
  return -1;
}

static int
rung_available (struct gt_rung_launcher *l,
                const struct gt_ladder_kernel *rung, char *why, size_t size)
{
  const struct gt_sm_limits *sm = &l->gpu->device->gpu.sm;

  if (gt_kernel_available (rung->kernel, 10 * sm->cc_major + sm->cc_minor, why,
                           size))
    return -1;
  return rung->shape == GT_RUNG_RECURSIVE ? link_rung (l, rung, why, size) : 0;
}

/* The library of a rung's image is loaded at first use; that of a rung that launches itself
   has been loaded before (rung_available).  The context is current.  */
static CUresult
find_kernel (struct gt_rung_launcher *l, const struct gt_plan *plan,
             const struct gt_problem *problem, CUkernel *kernel,
             CUfunction *function)
{
  return gt_cuda_find (l->gpu, plan, problem, library_of (l, plan->kernel),
                       kernel, function);
}

static int
rung_resources (struct gt_rung_launcher *l, const struct gt_plan *plan,
                const struct gt_problem *problem,
                struct gt_resources *resources)
{
  CUkernel kernel;
  CUfunction function;
  CUresult status;

  if (plan->kernel->shape != GT_SHAPE_RUNG)
    return gt_gpus->resources (l->gpu, plan, problem, resources);
  status = gt_cuda_enter (l->gpu);
  if (status == CUDA_SUCCESS)
    status = find_kernel (l, plan, problem, &kernel, &function);
  if (status == CUDA_SUCCESS)
    status = gt_cuda_ask_resources (l->gpu, plan, problem, kernel, function,
                                    resources);
  return gt_cuda_leave (l->gpu, status, "asking for a rung");
}

/* ------------------------------------------------------------ Launching */

/* Grows BUFFER to BYTES; if it has to grow, its contents are lost.  */
static int
reserve (struct gt_rung_launcher *l, struct buffer *buffer, size_t bytes)
{
  enum gt_place place = buffer == &l->sums ? GT_PLACE_PINNED : GT_PLACE_DEVICE;
  int status;

  if (bytes <= buffer->bytes)
    return 0;
  if (buffer->memory)
    gt_gpus->free (l->gpu, place, buffer->memory);
  *buffer = (struct buffer) {NULL, 0};
  status = gt_gpus->alloc (l->gpu, place, bytes, &buffer->memory);
  if (status == 0)
    buffer->bytes = bytes;
  return status;
}

/* A sum that can be launched repeatedly.  */
struct prepared
{
  struct gt_task task;
  struct gt_config config;
  const struct gt_ladder_kernel *rung;
  struct gt_rung_plan passes;
  CUfunction function;
  size_t left_bytes;
  /* For timing: the windows of the data.  */
  struct gt_rung_launcher *launcher;
  const char *data;
  unsigned windows;
  size_t step;
};

static int
prepare (struct gt_rung_launcher *l, const struct gt_plan *plan,
         const struct gt_task *task, struct prepared *p)
{
  const struct gt_problem *problem = &task->problem;
  size_t size = gt_element_size (problem->arithmetic);
  CUkernel kernel;
  CUresult status;
  int failed;

  p->task = *task;
  p->config = plan->config;
  p->rung = gt_ladder_of (plan->kernel);
  p->passes = gt_rung_plan (p->rung, &plan->config, problem->arithmetic,
                            problem->n);
  if (p->passes.grid == 0)
    return CUDA_ERROR_INVALID_VALUE;
  p->left_bytes = p->passes.left * size;
  failed = reserve (l, &l->scratch, p->passes.scratch);
  if (failed == 0)
    failed = reserve (l, &l->sums, p->left_bytes);
  if (failed)
    return failed;
  status = gt_cuda_enter (l->gpu);
  if (status == CUDA_SUCCESS)
    status = find_kernel (l, plan, problem, &kernel, &p->function);
  return gt_cuda_leave (l->gpu, status, "finding a rung");
}

/* Launches all passes of the host: each reads the sums of the pass before and writes its own
   after them, as kernels/ladder/recursive.cu does itself.  */
static CUresult
launch (struct gt_rung_launcher *l, const struct prepared *p)
{
  const struct gt_config *config = &p->config;
  enum gt_arithmetic arithmetic = p->task.problem.arithmetic;
  uint64_t grid = p->passes.grid;
  struct gt_kernel_args args = {.data = p->task.x.data,
                                .n = p->task.problem.n,
                                .stride = p->task.x.stride,
                                .partials = l->scratch.memory};
  void *parameters[] = {&args};
  unsigned shared = config->block * p->rung->kernel->shared
                    * (unsigned) gt_element_size (arithmetic);

  for (;;)
    {
      CUresult status = l->gpu->driver->cuLaunchKernel (
        p->function, (unsigned) grid, 1, 1, config->block, 1, 1, shared,
        l->slot->stream, parameters, NULL);

      if (status != CUDA_SUCCESS || grid == 1
          || p->rung->shape != GT_RUNG_MULTI_PASS)
        return status;
      args.data = args.partials;
      args.n = grid;
      args.stride = 1;
      args.partials
        = (char *) args.partials + gt_rung_sums_bytes (arithmetic, grid);
      grid = gt_rung_next_grid (config, grid);
    }
}

static CUresult
send (struct gt_rung_launcher *l, const struct prepared *p)
{
  return l->gpu->driver->cuMemcpyDtoHAsync (
    l->sums.memory, (CUdeviceptr) (uintptr_t) l->scratch.memory
                      + p->passes.left_at,
    p->left_bytes, l->slot->stream);
}

/* Adds the sums of the last pass, which have been copied to the host.  */
static void
add_up (const struct gt_rung_launcher *l, const struct prepared *p,
        union gt_value *sum)
{
  struct gt_task rest
    = gt_task_of (GT_SUM, p->task.problem.arithmetic, GT_MODE_FAST,
                  l->sums.memory, p->passes.left, 1);
  gt_cpu_function *function
    = gt_kernel_function (&gt_catalog[GT_AT_simd], &rest.problem, HOST_UNROLL);
  struct gt_fpenv env;

  gt_fpenv_enter (&env, rest.problem.arithmetic);
  function (&rest, sum);
  gt_fpenv_leave (&env);
}

static CUresult
sum_prepared (struct gt_rung_launcher *l, const struct prepared *p,
              union gt_value *sum)
{
  const struct gt_cuda_driver *driver = l->gpu->driver;
  CUresult status = driver->cuMemsetD8Async (
    (CUdeviceptr) (uintptr_t) l->scratch.memory, POISON, l->scratch.bytes,
    l->slot->stream);

  CUresult ended;

  memset (l->sums.memory, POISON, l->sums.bytes);
  if (status == CUDA_SUCCESS)
    status = launch (l, p);
  if (status == CUDA_SUCCESS)
    status = send (l, p);
  /* If a pass failed, an earlier one may still be writing to the memory of the next sum.  */
  ended = driver->cuStreamSynchronize (l->slot->stream);
  if (status == CUDA_SUCCESS)
    status = ended;
  if (status == CUDA_SUCCESS)
    add_up (l, p, sum);
  return status;
}

static int
rung_sum (struct gt_rung_launcher *l, const struct gt_plan *plan,
          const struct gt_task *task, union gt_value *sum)
{
  struct prepared p;
  CUresult status;
  int failed;

  if (plan->kernel->shape != GT_SHAPE_RUNG)
    {
      failed = gt_gpus->poison (l->gpu, l->slot);
      if (failed == 0)
        failed = gt_gpus->start (l->gpu, l->slot, GT_WAY_DIRECT, plan, task);
      return failed ? failed : gt_gpus->await (l->gpu, l->slot, task, sum);
    }
  failed = prepare (l, plan, task, &p);
  if (failed)
    return failed;
  status = gt_cuda_enter (l->gpu);
  if (status == CUDA_SUCCESS)
    status = sum_prepared (l, &p, sum);
  return gt_cuda_leave (l->gpu, status, "launching a rung");
}

/* --------------------------------------------------------------- Timing */

/* Returns the host's seconds for its share of COUNT sums.  */
static double
time_host_share (const struct gt_rung_launcher *l, const struct prepared *p,
                 unsigned count)
{
  double begin = gt_now ();
  union gt_value sum;

  for (unsigned k = 0; k < count && p->passes.left > 1; k++)
    add_up (l, p, &sum);
  return gt_now () - begin;
}

static CUresult
launch_window (void *closure, unsigned k)
{
  struct prepared *p = closure;
  CUresult status;

  p->task.x.data = p->data + k % p->windows * p->step;
  status = launch (p->launcher, p);
  return status == CUDA_SUCCESS && p->passes.left > 1 ? send (p->launcher, p)
                                                      : status;
}

static int
rung_time (struct gt_rung_launcher *l, const struct gt_plan *plan,
           const struct gt_task *task, unsigned count, unsigned windows,
           size_t step, double *seconds)
{
  struct prepared p
    = {.launcher = l, .data = task->x.data, .windows = windows, .step = step};
  CUresult status;
  int failed;

  if (plan->kernel->shape != GT_SHAPE_RUNG)
    return gt_gpus->time (l->gpu, l->slot, plan, task, count, windows, step,
                          seconds);
  failed = prepare (l, plan, task, &p);
  if (failed)
    return failed;
  status = gt_cuda_enter (l->gpu);
  if (status == CUDA_SUCCESS)
    status = gt_cuda_time_launches (l->gpu, l->slot, launch_window, &p, count,
                                    seconds);
  if (status == CUDA_SUCCESS)
    *seconds += time_host_share (l, &p, count);
  return gt_cuda_leave (l->gpu, status, "timing a rung");
}

extern const struct gt_rungs gt_cuda_rungs;
const struct gt_rungs gt_cuda_rungs
  = {open_launcher, close_launcher, rung_available, rung_resources, rung_sum,
     rung_time};
