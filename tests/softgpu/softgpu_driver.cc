/* The entry points for contexts, libraries, kernels, streams and events.
   Work is done at once, so every stream is always idle, unless it is late.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_state.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

namespace softgpu
{
/* The stack of a thread, which need not have popped them all when it ends.  It is
   there while there is something in it: calls may come from destructors that run
   after its own.  */
struct stack
{
  std::vector<CUcontext> *contexts = nullptr;

  ~stack () { clear (); }
  void clear ()
  {
    delete contexts;
    contexts = nullptr;
  }
};
static thread_local stack mine;

CUcontext
current_context ()
{
  return mine.contexts ? mine.contexts->back () : nullptr;
}

static bool
is_context (CUcontext context)
{
  for (softgpu_device *device : the ().devices)
    if (context == &device->primary && context->retained > 0)
      return true;
  return the ().contexts.count (context) > 0;
}

static CUresult
push (CUcontext context)
{
  if (!is_context (context))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (!mine.contexts)
    mine.contexts = new std::vector<CUcontext>;
  mine.contexts->push_back (context);
  return CUDA_SUCCESS;
}

static CUresult
pop (CUcontext *context)
{
  if (!current_context ())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context)
    *context = current_context ();
  mine.contexts->pop_back ();
  if (mine.contexts->empty ())
    mine.clear ();
  return CUDA_SUCCESS;
}

static CUresult
retain (CUcontext *context, CUdevice number)
{
  softgpu_device *device = device_of (number);

  if (!device)
    return CUDA_ERROR_INVALID_DEVICE;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  device->primary.retained++;
  *context = &device->primary;
  return CUDA_SUCCESS;
}

static CUresult
release (CUdevice number)
{
  softgpu_device *device = device_of (number);

  if (!device)
    return CUDA_ERROR_INVALID_DEVICE;
  if (device->primary.retained == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (--device->primary.retained == 0)
    release_context (&device->primary);
  return CUDA_SUCCESS;
}

/* A further context, which becomes current.  */
static CUresult
create (CUcontext *context, unsigned flags, CUdevice number)
{
  softgpu_device *device = device_of (number);

  if (!device)
    return CUDA_ERROR_INVALID_DEVICE;
  if (!context || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  *context = new CUctx_st{device, 1, CUDA_SUCCESS, CUDA_SUCCESS, false, false};
  the ().contexts.insert (*context);
  return push (*context);
}

static CUresult
destroy_context (CUcontext context)
{
  if (the ().contexts.erase (context) == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (current_context () == context)
    pop (nullptr);
  release_context (context);
  delete context;
  return CUDA_SUCCESS;
}

static CUresult
get_device (CUdevice *number)
{
  const std::vector<softgpu_device *> &devices = the ().devices;

  if (!number)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t k = 0; k < devices.size (); k++)
    if (devices[k] == current_context ()->device)
      *number = (CUdevice) k;
  return CUDA_SUCCESS;
}

/* That of a default stream is the current one.  */
static CUresult
get_stream_context (CUstream stream, CUcontext *context)
{
  const bool is_default = !stream || stream == CU_STREAM_LEGACY
                          || stream == CU_STREAM_PER_THREAD;

  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  if (is_default ? !current_context () : !the ().streams.count (stream))
    return CUDA_ERROR_INVALID_HANDLE;
  *context = is_default ? current_context () : stream->context;
  return CUDA_SUCCESS;
}

/* This library itself, opened once more: kernels are found in it and nowhere
   else.  In a program that the shim is linked into, the program.  */
static void *
own_handle ()
{
  Dl_info info;
  link_map *map = nullptr;

  if (!dladdr1 (reinterpret_cast<void *> (&own_handle), &info,
                reinterpret_cast<void **> (&map), RTLD_DL_LINKMAP))
    return nullptr;
  return dlopen (*map->l_name ? map->l_name : nullptr,
                 RTLD_LAZY | RTLD_NOLOAD);
}

static bool
is_own (void *symbol)
{
  Dl_info here, there;

  return dladdr (reinterpret_cast<void *> (&own_handle), &here)
         && dladdr (symbol, &there) && here.dli_fbase == there.dli_fbase;
}

static kernel_function *
find_kernel (const char *name)
{
  void *handle = own_handle ();
  void *symbol = handle ? dlsym (handle, name) : nullptr;

  if (handle)
    dlclose (handle);
  if (!symbol || !is_own (symbol) || strncmp (name, "cu", 2) == 0)
    return nullptr;
  return reinterpret_cast<kernel_function *> (symbol);
}

static CUresult
get_kernel (CUkernel *result, CUlibrary library, const char *name)
{
  if (!result || !name || !the ().libraries.count (library))
    return library && result && name ? CUDA_ERROR_INVALID_HANDLE
                                     : CUDA_ERROR_INVALID_VALUE;
  kernel_function *function = find_kernel (name);
  if (!function)
    return CUDA_ERROR_NOT_FOUND;
  CUkern_st &kernel = library->kernels[name];
  kernel.function.name = name;
  kernel.function.kernel = function;
  *result = &kernel;
  return CUDA_SUCCESS;
}

bool
is_kernel (const void *handle)
{
  for (CUlibrary library : the ().libraries)
    for (const auto &entry : library->kernels)
      if (handle == &entry.second || handle == &entry.second.function)
        return true;
  return false;
}

/* What a kernel was compiled for: those of clusters for nothing before 9.0.  */
static int
ptx_version (const CUfunc_st &function, const gt_gpu &gpu)
{
  const int own = 10 * gpu.sm.cc_major + gpu.sm.cc_minor;

  return cluster_size (function.kernel)
           ? 90 : static_cast<int> (environment_number ("SOFTGPU_PTX", static_cast<uint64_t> (own)));
}

static CUresult
get_kernel_attribute (int *value, int what, const CUfunc_st &function,
                      const gt_gpu &gpu)
{
  const char *name = function.name.c_str ();
  int shared = shared_size (name);

  if (!fits_device (gpu, function.kernel))
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  if (!value)
    return CUDA_ERROR_INVALID_VALUE;
  const std::pair<int, int> attributes[] = {
    {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, thread_limit (name)},
    {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, shared},
    {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 0},
    {CU_FUNC_ATTRIBUTE_NUM_REGS, register_count (name)},
    {CU_FUNC_ATTRIBUTE_PTX_VERSION, ptx_version (function, gpu)},
    {CU_FUNC_ATTRIBUTE_BINARY_VERSION,
     10 * gpu.sm.cc_major + gpu.sm.cc_minor},
    {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
     (int) gpu.sm.shared_per_block - shared},
    {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
     (int) cluster_size (function.kernel)},
  };
  for (const auto &known : attributes)
    if (known.first == what)
      {
        *value = known.second;
        return CUDA_SUCCESS;
      }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult
check_stream (CUstream stream)
{
  if (!stream || stream == CU_STREAM_LEGACY
      || stream == CU_STREAM_PER_THREAD)
    return CUDA_SUCCESS;
  if (!the ().streams.count (stream)
      || stream->context != current_context ())
    return CUDA_ERROR_INVALID_HANDLE;
  return CUDA_SUCCESS;
}

CUresult
check_idle_stream (CUstream stream)
{
  CUresult code = check_stream (stream);

  if (code != CUDA_SUCCESS || !is_captured (stream))
    return code;
  stream->captured = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

static CUresult
wait_for (CUstream stream)
{
  CUresult code = check_idle_stream (stream);

  return code == CUDA_SUCCESS ? catch_up (stream) : code;
}

template <class T>
static CUresult
destroy (std::set<T *> *objects, T *object)
{
  if (!object || objects->erase (object) == 0)
    return CUDA_ERROR_INVALID_HANDLE;
  delete object;
  return CUDA_SUCCESS;
}

static CUresult
record (CUevent event, CUstream stream)
{
  CUresult code = wait_for (stream);

  if (code != CUDA_SUCCESS)
    return code;
  if (!the ().events.count (event) || event->context != current_context ())
    return CUDA_ERROR_INVALID_HANDLE;
  event->recorded = true;
  event->at = event->context->device->clock;
  return CUDA_SUCCESS;
}

static bool
is_timed (CUevent event)
{
  return the ().events.count (event) && event->timed && event->recorded;
}
}

using namespace softgpu;

CUresult CUDAAPI
cuInit (unsigned flags)
{
  return call (ENTRY_cuInit, NEED_NOTHING, [&] {
    if (flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (the ().devices.empty ())
      return CUDA_ERROR_NO_DEVICE;
    the ().initialised = true;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuDriverGetVersion (int *version)
{
  return call (ENTRY_cuDriverGetVersion, NEED_NOTHING, [&] {
    if (!version)
      return CUDA_ERROR_INVALID_VALUE;
    *version = the ().driver_version;
    return CUDA_SUCCESS;
  });
}

ENTRY (cuDevicePrimaryCtxRetain, NEED_INIT,
       (CUcontext *context, CUdevice device), retain, context, device)
ENTRY (cuDevicePrimaryCtxRelease, NEED_INIT, (CUdevice device), release, device)
ENTRY (cuCtxPushCurrent, NEED_INIT, (CUcontext context), push, context)
ENTRY (cuCtxPopCurrent, NEED_INIT, (CUcontext *context), pop, context)
ENTRY (cuCtxDestroy, NEED_INIT, (CUcontext context), destroy_context, context)
ENTRY (cuCtxGetDevice, NEED_CONTEXT, (CUdevice *device), get_device, device)
ENTRY (cuStreamGetCtx, NEED_INIT, (CUstream stream, CUcontext *context),
       get_stream_context, stream, context)

CUresult CUDAAPI
cuCtxGetCurrent (CUcontext *context)
{
  return call (ENTRY_cuCtxGetCurrent, NEED_INIT, [&] {
    if (!context)
      return CUDA_ERROR_INVALID_VALUE;
    *context = current_context ();
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuLibraryLoadData (CUlibrary *library, const void *image, CUjit_option *,
                   void **, unsigned, CUlibraryOption *, void **, unsigned)
{
  return call (ENTRY_cuLibraryLoadData, NEED_HEALTH, [&] {
    if (!library || !image)
      return CUDA_ERROR_INVALID_VALUE;
    CUresult code = check_captures ();
    if (code != CUDA_SUCCESS)
      return code;
    *library = new CUlib_st ();
    the ().libraries.insert (*library);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuLibraryUnload (CUlibrary library)
{
  return call (ENTRY_cuLibraryUnload, NEED_HEALTH,
               [&] { return destroy (&the ().libraries, library); });
}

ENTRY (cuLibraryGetKernel, NEED_HEALTH,
       (CUkernel *kernel, CUlibrary library, const char *name),
       get_kernel, kernel, library, name)

CUresult CUDAAPI
cuKernelGetFunction (CUfunction *function, CUkernel kernel)
{
  return call (ENTRY_cuKernelGetFunction, NEED_CONTEXT, [&] {
    if (!function)
      return CUDA_ERROR_INVALID_VALUE;
    if (!is_kernel (kernel))
      return CUDA_ERROR_INVALID_HANDLE;
    if (!fits_device (current_context ()->device->gpu,
                      kernel->function.kernel))
      return CUDA_ERROR_NO_BINARY_FOR_GPU;
    *function = &kernel->function;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuKernelGetAttribute (int *value, CUfunction_attribute what, CUkernel kernel,
                      CUdevice number)
{
  return call (ENTRY_cuKernelGetAttribute, NEED_HEALTH, [&] {
    const softgpu_device *device = device_of (number);
    if (!is_kernel (kernel))
      return CUDA_ERROR_INVALID_HANDLE;
    if (!device)
      return CUDA_ERROR_INVALID_DEVICE;
    return get_kernel_attribute (value, number_of (what), kernel->function,
                                 device->gpu);
  });
}

CUresult CUDAAPI
cuFuncGetAttribute (int *value, CUfunction_attribute what,
                    CUfunction function)
{
  return call (ENTRY_cuFuncGetAttribute, NEED_CONTEXT, [&] {
    if (!is_kernel (function))
      return CUDA_ERROR_INVALID_HANDLE;
    return get_kernel_attribute (value, number_of (what), *function,
                                 current_context ()->device->gpu);
  });
}

/* The one attribute that the library sets.  */
CUresult CUDAAPI
cuFuncSetAttribute (CUfunction function, CUfunction_attribute what, int value)
{
  return call (ENTRY_cuFuncSetAttribute, NEED_CONTEXT, [&] {
    const gt_gpu &gpu = current_context ()->device->gpu;
    if (!is_kernel (function))
      return CUDA_ERROR_INVALID_HANDLE;
    if (number_of (what) != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        || value < 0
        || (size_t) value + shared_size (function->name.c_str ())
             > gpu.sm.shared_per_block_optin)
      return CUDA_ERROR_INVALID_VALUE;
    function->opted_in = (size_t) value;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks, CUfunction function,
                                             int size, size_t shared)
{
  return call (ENTRY_cuOccupancyMaxActiveBlocksPerMultiprocessor, NEED_CONTEXT,
               [&] {
                 if (!is_kernel (function))
                   return CUDA_ERROR_INVALID_HANDLE;
                 if (!blocks || size <= 0)
                   return CUDA_ERROR_INVALID_VALUE;
                 *blocks = occupancy (current_context ()->device->gpu,
                                      function->name.c_str (), size, shared)
                             .active_blocks;
                 return CUDA_SUCCESS;
               });
}

CUresult CUDAAPI
cuLaunchKernel (CUfunction function, unsigned grid_x, unsigned grid_y,
                unsigned grid_z, unsigned block_x, unsigned block_y,
                unsigned block_z, unsigned shared, CUstream stream,
                void **parameters, void **)
{
  return call (ENTRY_cuLaunchKernel, NEED_CONTEXT, [&] {
    const unsigned grid[] = {grid_x, grid_y, grid_z};
    const unsigned block[] = {block_x, block_y, block_z};
    launch l;
    CUresult code = check_stream (stream);
    if (code == CUDA_SUCCESS)
      code = describe_launch (function, grid, block, shared, parameters, &l);
    if (code != CUDA_SUCCESS)
      return code;
    return is_captured (stream) ? capture_launch (stream, function, l)
                                : run_launch (stream, l);
  });
}

/* The one attribute that the library uses, which compute capability 9.0 brought: kernels
   compiled for older devices would not wait for the work ahead.  */
CUresult CUDAAPI
cuLaunchKernelEx (const CUlaunchConfig *config, CUfunction function, void **parameters, void **)
{
  return call (ENTRY_cuLaunchKernelEx, NEED_CONTEXT, [&] {
    launch l;
    if (!config || config->numAttrs != 1 || !config->attrs
        || config->attrs->id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
        || config->attrs->value.programmaticStreamSerializationAllowed != 1
        || current_context ()->device->gpu.sm.cc_major < 9 || !is_kernel (function)
        || ptx_version (*function, current_context ()->device->gpu) < 90)
      return CUDA_ERROR_INVALID_VALUE;
    const unsigned grid[] = {config->gridDimX, config->gridDimY, config->gridDimZ};
    const unsigned block[] = {config->blockDimX, config->blockDimY, config->blockDimZ};
    CUresult code = check_stream (config->hStream);
    if (code == CUDA_SUCCESS)
      code = describe_launch (function, grid, block, config->sharedMemBytes, parameters, &l);
    if (code != CUDA_SUCCESS)
      return code;
    l.overlaps = true;
    return is_captured (config->hStream) ? capture_launch (config->hStream, function, l)
                                         : run_launch (config->hStream, l);
  });
}

CUresult CUDAAPI
cuStreamCreate (CUstream *stream, unsigned flags)
{
  return call (ENTRY_cuStreamCreate, NEED_CONTEXT, [&] {
    if (!stream || flags > CU_STREAM_NON_BLOCKING)
      return CUDA_ERROR_INVALID_VALUE;
    *stream = new CUstream_st ();
    (*stream)->context = current_context ();
    (*stream)->blocking = flags == CU_STREAM_DEFAULT;
    the ().streams.insert (*stream);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuStreamDestroy (CUstream stream)
{
  return call (ENTRY_cuStreamDestroy, NEED_CONTEXT,
               [&] {
                 CUresult code = catch_up (stream);
                 CUresult gone = destroy (&the ().streams, stream);
                 return code == CUDA_SUCCESS ? gone : code;
               });
}

ENTRY (cuStreamSynchronize, NEED_IDLE, (CUstream stream), wait_for, stream)
ENTRY (cuStreamQuery, NEED_CONTEXT, (CUstream stream), wait_for, stream)

CUresult CUDAAPI
cuEventCreate (CUevent *event, unsigned flags)
{
  return call (ENTRY_cuEventCreate, NEED_CONTEXT, [&] {
    if (!event)
      return CUDA_ERROR_INVALID_VALUE;
    bool timed = !(flags & CU_EVENT_DISABLE_TIMING);
    *event = new CUevent_st{current_context (), timed, false, 0};
    the ().events.insert (*event);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuEventDestroy (CUevent event)
{
  return call (ENTRY_cuEventDestroy, NEED_CONTEXT,
               [&] { return destroy (&the ().events, event); });
}

ENTRY (cuEventRecord, NEED_CONTEXT, (CUevent event, CUstream stream),
       record, event, stream)

CUresult CUDAAPI
cuEventSynchronize (CUevent event)
{
  return call (ENTRY_cuEventSynchronize, NEED_CONTEXT, [&] {
    return the ().events.count (event) ? CUDA_SUCCESS
                                       : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult CUDAAPI
cuEventElapsedTime (float *milliseconds, CUevent start, CUevent end)
{
  return call (ENTRY_cuEventElapsedTime, NEED_CONTEXT, [&] {
    if (!milliseconds)
      return CUDA_ERROR_INVALID_VALUE;
    if (!is_timed (start) || !is_timed (end)
        || start->context != end->context)
      return CUDA_ERROR_INVALID_HANDLE;
    *milliseconds = (float) ((end->at - start->at) * 1e3);
    return CUDA_SUCCESS;
  });
}

ENTRY (cuCtxCreate, NEED_INIT,
       (CUcontext *context, unsigned flags, CUdevice device), create, context,
       flags, device)
