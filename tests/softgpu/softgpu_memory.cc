/* Memory: every allocation is a range of host memory that remembers what it
   stands for, so that copies and loads outside of it are errors.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_state.h"

#include <stdlib.h>
#include <string.h>

namespace softgpu
{
typedef std::map<uintptr_t, allocation>::iterator range;

/* The allocation that holds ADDRESS, or the end.  */
static range
range_of (uintptr_t address)
{
  std::map<uintptr_t, allocation> &memory = the ().memory;
  range after = memory.upper_bound (address);

  if (after == memory.begin ())
    return memory.end ();
  range candidate = --after;
  return address - candidate->first < candidate->second.size ? candidate
                                                             : memory.end ();
}

bool
holds (uintptr_t address, size_t size)
{
  range at = range_of (address);

  return at != the ().memory.end ()
         && size <= at->second.size - (address - at->first);
}

/* With the launch lock held.  A device that shares the host's page tables
   reads all of its memory.  */
bool
find_readable (uintptr_t address, size_t size, uintptr_t *begin,
               uintptr_t *end)
{
  if (current_context ()->device->gpu.pageable_access)
    {
      *begin = 1;
      *end = UINTPTR_MAX;
      return address != 0;
    }
  if (!holds (address, size))
    return false;
  range at = range_of (address);
  *begin = at->first;
  *end = at->first + at->second.size;
  return true;
}

static bool
is_device_memory (const allocation &a)
{
  return a.kind != MEMORY_PINNED;
}

/* Uninitialised memory reads as NaN or as -1.  */
static CUresult
allocate (void **result, size_t size, memory_kind kind)
{
  CUcontext context = current_context ();
  softgpu_device *device = context->device;
  allocation a = {size, kind, context};
  void *at = nullptr;

  if (!result || size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (is_device_memory (a) && size > device->available - device->used)
    return CUDA_ERROR_OUT_OF_MEMORY;
  if (posix_memalign (&at, 256, size) != 0)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memset (at, 0xff, size);
  if (is_device_memory (a))
    device->used += size;
  the ().memory[reinterpret_cast<uintptr_t> (at)] = a;
  *result = at;
  return CUDA_SUCCESS;
}

static void
discard (range at)
{
  void *block = reinterpret_cast<void *> (at->first);

  if (is_device_memory (at->second))
    at->second.context->device->used -= at->second.size;
  memset (block, 0xff, at->second.size);
  free (block);
  the ().memory.erase (at);
}

static CUresult
deallocate (uintptr_t address, bool pinned)
{
  range at = the ().memory.find (address);

  if (at == the ().memory.end () || is_device_memory (at->second) == pinned)
    return CUDA_ERROR_INVALID_VALUE;
  discard (at);
  return CUDA_SUCCESS;
}

template <class T>
static void
release_objects (std::set<T *> *objects, CUcontext context)
{
  for (auto i = objects->begin (); i != objects->end ();)
    if ((*i)->context == context)
      {
        the ().lost += context->sticky == CUDA_SUCCESS;
        delete *i;
        i = objects->erase (i);
      }
    else
      ++i;
}

void
release_context (CUcontext context)
{
  state &s = the ();

  release_objects (&s.streams, context);
  release_objects (&s.events, context);
  for (range i = s.memory.begin (); i != s.memory.end ();)
    {
      range next = std::next (i);
      if (i->second.context == context)
        {
          s.lost += context->sticky == CUDA_SUCCESS;
          discard (i);
        }
      i = next;
    }
  context->sticky = CUDA_SUCCESS;
}

static CUresult
alloc_entry (softgpu_entry entry, void **result, size_t size, memory_kind kind)
{
  return call (entry, NEED_CONTEXT,
               [&] { return allocate (result, size, kind); });
}

static CUresult
device_alloc_entry (softgpu_entry entry, CUdeviceptr *result, size_t size,
                    memory_kind kind)
{
  void *at = nullptr;
  CUresult code = alloc_entry (entry, result ? &at : nullptr, size, kind);

  if (code == CUDA_SUCCESS)
    *result = reinterpret_cast<CUdeviceptr> (at);
  return code;
}

/* Host memory is the caller's to know, unless it is pinned.  */
static bool
is_host_range (uintptr_t address, size_t size)
{
  return address != 0
         && (range_of (address) == the ().memory.end ()
             || holds (address, size));
}

/* One copy.  The parameters that name device memory are checked.  */
struct copy
{
  uintptr_t to, from;
  size_t size;
  bool to_device, from_device;
};

static CUresult
run_copy (const copy &c, CUstream stream)
{
  softgpu_device *device = current_context ()->device;
  CUresult code = check_stream (stream);

  if (code != CUDA_SUCCESS || c.size == 0)
    return code;
  if (!(c.to_device ? holds : is_host_range) (c.to, c.size)
      || !(c.from_device ? holds : is_host_range) (c.from, c.size))
    return CUDA_ERROR_INVALID_VALUE;
  memmove (reinterpret_cast<void *> (c.to),
           reinterpret_cast<const void *> (c.from), c.size);
  device->clock += c.to_device && c.from_device
                     ? device_copy_time (device->gpu, 2 * c.size)
                     : bus_copy_time (c.size);
  return CUDA_SUCCESS;
}

static CUresult
copy_entry (softgpu_entry entry, const copy &c, CUstream stream)
{
  return call (entry, NEED_CONTEXT, [&] { return run_copy (c, stream); });
}

static CUresult
fill (uintptr_t to, unsigned char value, size_t size, CUstream stream)
{
  softgpu_device *device = current_context ()->device;
  CUresult code = check_stream (stream);

  if (code != CUDA_SUCCESS || size == 0)
    return code;
  if (!holds (to, size))
    return CUDA_ERROR_INVALID_VALUE;
  memset (reinterpret_cast<void *> (to), value, size);
  device->clock += device_copy_time (device->gpu, size);
  return CUDA_SUCCESS;
}

static int
ordinal_of (const softgpu_device *device)
{
  for (size_t i = 0; i < the ().devices.size (); i++)
    if (the ().devices[i] == device)
      return (int) i;
  return -1;
}

template <class T>
static CUresult
answer (void *data, T value)
{
  memcpy (data, &value, sizeof value);
  return CUDA_SUCCESS;
}

/* Ordinary host memory is unknown to the driver: CUDA_ERROR_INVALID_VALUE.  */
static CUresult
get_pointer_attribute (void *data, CUpointer_attribute what,
                       CUdeviceptr address)
{
  range at = range_of (address);

  if (!data || at == the ().memory.end ())
    return CUDA_ERROR_INVALID_VALUE;
  const allocation &a = at->second;
  switch (what)
    {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return answer (data, (unsigned) (is_device_memory (a)
                                         ? CU_MEMORYTYPE_DEVICE
                                         : CU_MEMORYTYPE_HOST));
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return answer (data, a.context);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return answer (data, ordinal_of (a.context->device));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (what == CU_POINTER_ATTRIBUTE_HOST_POINTER && a.kind == MEMORY_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
      return answer (data, address);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return answer (data, (unsigned) (a.kind == MEMORY_MANAGED));
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
}
}

using namespace softgpu;

CUresult CUDAAPI
cuMemAlloc (CUdeviceptr *result, size_t size)
{
  return device_alloc_entry (ENTRY_cuMemAlloc, result, size, MEMORY_DEVICE);
}

CUresult CUDAAPI
cuMemAllocManaged (CUdeviceptr *result, size_t size, unsigned)
{
  return device_alloc_entry (ENTRY_cuMemAllocManaged, result, size,
                             MEMORY_MANAGED);
}

CUresult CUDAAPI
cuMemHostAlloc (void **result, size_t size, unsigned)
{
  return alloc_entry (ENTRY_cuMemHostAlloc, result, size, MEMORY_PINNED);
}

CUresult CUDAAPI
cuMemFree (CUdeviceptr address)
{
  return call (ENTRY_cuMemFree, NEED_CONTEXT,
               [&] { return deallocate (address, false); });
}

CUresult CUDAAPI
cuMemFreeHost (void *address)
{
  return call (ENTRY_cuMemFreeHost, NEED_CONTEXT, [&] {
    return deallocate (reinterpret_cast<uintptr_t> (address), true);
  });
}

CUresult CUDAAPI
cuMemGetInfo (size_t *available, size_t *total)
{
  return call (ENTRY_cuMemGetInfo, NEED_CONTEXT, [&] {
    const softgpu_device *device = current_context ()->device;
    if (!available || !total)
      return CUDA_ERROR_INVALID_VALUE;
    *available = device->available - device->used;
    *total = device->gpu.memory;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuMemHostGetDevicePointer (CUdeviceptr *result, void *address, unsigned)
{
  return call (ENTRY_cuMemHostGetDevicePointer, NEED_CONTEXT, [&] {
    range at = range_of (reinterpret_cast<uintptr_t> (address));
    if (!result || at == the ().memory.end ()
        || at->second.kind != MEMORY_PINNED)
      return CUDA_ERROR_INVALID_VALUE;
    *result = reinterpret_cast<CUdeviceptr> (address);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuMemcpyHtoD (CUdeviceptr to, const void *from, size_t size)
{
  return copy_entry (
    ENTRY_cuMemcpyHtoD,
    {to, reinterpret_cast<uintptr_t> (from), size, true, false}, nullptr);
}

CUresult CUDAAPI
cuMemcpyHtoDAsync (CUdeviceptr to, const void *from, size_t size,
                   CUstream stream)
{
  return copy_entry (
    ENTRY_cuMemcpyHtoDAsync,
    {to, reinterpret_cast<uintptr_t> (from), size, true, false}, stream);
}

CUresult CUDAAPI
cuMemcpyDtoH (void *to, CUdeviceptr from, size_t size)
{
  return copy_entry (
    ENTRY_cuMemcpyDtoH,
    {reinterpret_cast<uintptr_t> (to), from, size, false, true}, nullptr);
}

CUresult CUDAAPI
cuMemcpyDtoHAsync (void *to, CUdeviceptr from, size_t size, CUstream stream)
{
  return copy_entry (
    ENTRY_cuMemcpyDtoHAsync,
    {reinterpret_cast<uintptr_t> (to), from, size, false, true}, stream);
}

CUresult CUDAAPI
cuMemcpyDtoDAsync (CUdeviceptr to, CUdeviceptr from, size_t size,
                   CUstream stream)
{
  return copy_entry (ENTRY_cuMemcpyDtoDAsync, {to, from, size, true, true},
                     stream);
}

CUresult CUDAAPI
cuMemsetD8Async (CUdeviceptr to, unsigned char value, size_t size,
                 CUstream stream)
{
  return call (ENTRY_cuMemsetD8Async, NEED_CONTEXT,
               [&] { return fill (to, value, size, stream); });
}

CUresult CUDAAPI
cuPointerGetAttribute (void *data, CUpointer_attribute what,
                       CUdeviceptr address)
{
  return call (ENTRY_cuPointerGetAttribute, NEED_HEALTH,
               [&] { return get_pointer_attribute (data, what, address); });
}
