/* Launches: what keeps one from being made, those that kernels ask for, and
   the time they take.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_state.h"

#include "tests/softgpu/softgpu.h"

#include <dlfcn.h>

namespace softgpu
{
/* Clusters came with compute capability 9.0.  */
bool
fits_device (const gt_gpu &gpu, kernel_function *kernel)
{
  return gpu.sm.cc_major >= 9 || cluster_size (kernel) == 0;
}

static bool
is_reachable (const void *address, size_t size)
{
  uintptr_t begin, end;

  return find_readable (reinterpret_cast<uintptr_t> (address), size, &begin,
                        &end);
}

/* Errors on which a real device would fault sooner or later, found before the launch:
   data that does not lie within one allocation, and output to nowhere.  */
static bool
pointers_are_reachable (const char *kernel, const gt_kernel_args &args)
{
  const void *const outputs[] = {args.partials, args.ticket, args.result};

  for (const void *output : outputs)
    if (output && !is_reachable (output, 1))
      return false;
  if (args.n == 0)
    return true;
  unsigned __int128 size = (unsigned __int128) (args.n - 1) * args.stride + 1;
  size *= element_size (kernel);
  return size <= SIZE_MAX && is_reachable (args.data, (size_t) size);
}

CUresult
check_size (const gt_gpu &gpu, const launch &l)
{
  uint64_t threads = 1;

  for (int i = 0; i < 3; i++)
    {
      uint64_t most = i == 0 ? 0x7fffffff : 65535;
      threads *= l.block[i];
      if (l.grid[i] == 0 || l.grid[i] > most || l.block[i] == 0
          || threads > (uint64_t) gpu.sm.max_threads_per_block)
        return CUDA_ERROR_INVALID_VALUE;
    }
  if (l.cluster > 0 && !fits_device (gpu, l.kernel))
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  if (l.cluster > max_cluster
      || (l.cluster > 0 && l.grid[0] % l.cluster != 0))
    return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  if (threads > (uint64_t) thread_limit (l.name)
      || (shared_size (l.name) + l.dynamic_shared > gpu.sm.shared_per_block
          && l.dynamic_shared > l.opted_in))
    return CUDA_ERROR_INVALID_VALUE;
  return occupancy (gpu, l.name, (int) threads, l.dynamic_shared).active_blocks
             > 0
           ? CUDA_SUCCESS
           : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
}

static CUresult
check_launch (const launch &l)
{
  CUresult code = check_size (current_context ()->device->gpu, l);

  if (code != CUDA_SUCCESS || pointers_are_reachable (l.name, l.args))
    return code;
  return CUDA_ERROR_ILLEGAL_ADDRESS;
}

/* The launches that the device runtime keeps room for unless told otherwise
   (cudaLimitDevRuntimePendingLaunchCount).  */
static const size_t most_pending = 2048;

/* For messages and the time model.  Only exported kernels have names.  */
static const char *
name_of (kernel_function *kernel)
{
  void *symbol = reinterpret_cast<void *> (kernel);
  Dl_info info;

  return dladdr (symbol, &info) && info.dli_sname && info.dli_saddr == symbol
           ? info.dli_sname
           : "unnamed kernel";
}

/* The device runtime drops a launch that it cannot make and leaves an error
   that no kernel here asks for; so it ends the whole launch.  */
void
tail_launch (void (*kernel) (struct gt_kernel_args), unsigned grid,
             unsigned block, struct gt_kernel_args args)
{
  const char *name = name_of (kernel);
  state &s = the ();

  if (!kernel)
    fail (CUDA_ERROR_LAUNCH_FAILED, "tail launch of a null kernel");
  if (s.pending.size () + s.tails.size () >= most_pending)
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "tail launch of %s: %zu launches wait already", name, most_pending);
  launch l = {name, kernel, args, {grid, 1, 1}, {block, 1, 1},
              0, 0, cluster_size (kernel), 0, false};
  CUresult code = check_launch (l);
  if (code == CUDA_ERROR_ILLEGAL_ADDRESS)
    fail (code, "tail launch of %s: its arguments lead nowhere", name);
  if (code != CUDA_SUCCESS)
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "tail launch of %s: %u blocks of %u threads: refused with error %d",
          name, grid, block, (int) code);
  s.tails.push_back (l);
}

static CUresult
run_one (launch *l)
{
  state &s = the ();
  softgpu_device *device = current_context ()->device;

  l->seed = s.seed + s.launches++;
  device->clock += device->slower * launch_time (
    device->gpu, l->name, l->args,
    (uint64_t) l->grid[0] * l->grid[1] * l->grid[2],
    (int) (l->block[0] * l->block[1] * l->block[2]), l->dynamic_shared);
  return static_cast<CUresult> (run (*l));
}

CUresult
describe_launch (CUfunction function, const unsigned grid[3],
                 const unsigned block[3], unsigned shared,
                 void *const *parameters, launch *l)
{
  if (!is_kernel (function))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!parameters || !parameters[0])
    return CUDA_ERROR_INVALID_VALUE;
  *l = {function->name.c_str (), function->kernel, {},
        {grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]},
        shared, 0, cluster_size (function->kernel), function->opted_in, false};
  memcpy (&l->args, parameters[0], sizeof l->args);
  return CUDA_SUCCESS;
}

/* A grid is complete when those are that it launched; so they come before what
   was to follow it.  */
static CUresult
run_complete (launch l)
{
  state &s = the ();
  CUresult code = CUDA_SUCCESS;

  s.pending.assign (1, l);
  while (code == CUDA_SUCCESS && !s.pending.empty ())
    {
      l = s.pending.back ();
      s.pending.pop_back ();
      s.tails.clear ();
      code = run_one (&l);
      s.pending.insert (s.pending.end (), s.tails.rbegin (),
                        s.tails.rend ());
    }
  return code;
}

CUresult
run_launch (CUstream stream, const launch &l)
{
  CUresult code = check_launch (l);

  return code == CUDA_SUCCESS
           ? launch_in_time (stream, [=] { return run_complete (l); }) : code;
}
}
