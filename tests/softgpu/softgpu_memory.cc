/* Memory: every allocation is a range of host memory that remembers what it
   stands for, so that copies and loads outside of it are errors.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_hooks.h"
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

bool
is_device_memory (const allocation &a)
{
  return a.kind == MEMORY_DEVICE || a.kind == MEMORY_MANAGED;
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
    return device_is_full ();
  if (!(at = host_memory (size)))
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
  if (at->second.kind != MEMORY_REGISTERED)
    {
      memset (block, 0xff, at->second.size);
      free_host_memory (block);
    }
  the ().memory.erase (at);
}

static CUresult
deallocate (uintptr_t address, bool pinned)
{
  range at = the ().memory.find (address);

  if (at == the ().memory.end () || is_device_memory (at->second) == pinned
      || at->second.kind == MEMORY_REGISTERED)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult code = catch_up_all ();
  discard (at);
  return code;
}

/* The first range that has a byte of SIZE at ADDRESS, or the end.  */
static range
overlapping (uintptr_t address, size_t size)
{
  range at = range_of (address);

  if (at != the ().memory.end ())
    return at;
  at = the ().memory.upper_bound (address);
  return at != the ().memory.end () && at->first - address < size
           ? at : the ().memory.end ();
}

/* The driver reaches memory by its first byte, so a range must not end beyond
   the last address.  Memory of the driver's own is pinned already, or cannot
   be.  */
static CUresult
register_memory (uintptr_t address, size_t size, unsigned flags)
{
  const unsigned known = CU_MEMHOSTREGISTER_PORTABLE
                         | CU_MEMHOSTREGISTER_DEVICEMAP
                         | CU_MEMHOSTREGISTER_READ_ONLY;

  if (address == 0 || size == 0 || size > UINTPTR_MAX - address
      || (flags & ~(known | CU_MEMHOSTREGISTER_IOMEMORY)))
    return CUDA_ERROR_INVALID_VALUE;
  if (flags & CU_MEMHOSTREGISTER_IOMEMORY)
    return CUDA_ERROR_NOT_SUPPORTED;
  range at = overlapping (address, size);
  if (at != the ().memory.end ())
    return at->second.kind == MEMORY_REGISTERED
             ? CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
             : CUDA_ERROR_INVALID_VALUE;
  the ().memory[address]
    = {size, MEMORY_REGISTERED, current_context ()};
  return CUDA_SUCCESS;
}

static CUresult
unregister_memory (uintptr_t address)
{
  range at = the ().memory.find (address);

  bool found = at != the ().memory.end ();
  if (address == 0 || (found && at->second.kind == MEMORY_PINNED))
    return CUDA_ERROR_INVALID_VALUE;
  if (!found || at->second.kind != MEMORY_REGISTERED)
    return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  CUresult code = catch_up_all ();
  discard (at);
  return code;
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

  forget_work (context);
  release_objects (&s.streams, context);
  release_objects (&s.events, context);
  release_objects (&s.execs, context);
  release_objects (&s.links, context);
  release_objects (&s.graphs, context);
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
  context->sticky = context->late = CUDA_SUCCESS;
}

static CUresult
allocate_for_device (CUdeviceptr *result, size_t size, memory_kind kind)
{
  void *at = nullptr;
  CUresult code = allocate (result ? &at : nullptr, size, kind);

  if (code == CUDA_SUCCESS)
    *result = reinterpret_cast<CUdeviceptr> (at);
  return code;
}

/* Memory in the order of a stream.  What a graph takes and gives back is the graph's: it has
   the same address each time, and what it held before is gone.  */
static CUresult
allocate_in (CUstream stream, CUdeviceptr *result, size_t size)
{
  CUresult code = check_stream (stream);

  if (code == CUDA_SUCCESS)
    code = allocate_for_device (result, size, MEMORY_DEVICE);
  if (code != CUDA_SUCCESS || !is_captured (stream))
    return code;
  void *const at = reinterpret_cast<void *> (*result);
  const std::shared_ptr<void> owned (at, [] (void *memory) {
    discard (range_of (address_of (memory)));
  });
  return capture_other (stream, [=] {
    memset (owned.get (), 0xff, size);
    return CUDA_SUCCESS;
  });
}

static CUresult
deallocate_in (CUstream stream, CUdeviceptr address)
{
  CUresult code = check_stream (stream);
  range at = the ().memory.find (address);

  if (code != CUDA_SUCCESS)
    return code;
  if (at == the ().memory.end () || at->second.kind != MEMORY_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  const size_t size = at->second.size;
  if (is_captured (stream))
    return capture_other (stream, [=] {
      memset (reinterpret_cast<void *> (address), 0xff, size);
      return CUDA_SUCCESS;
    });
  return in_time (stream, [=] {
    discard (the ().memory.find (address));
    return CUDA_SUCCESS;
  });
}

/* Host memory is the caller's to know, unless it is pinned.  */
bool
is_host_range (uintptr_t address, size_t size)
{
  return address != 0
         && (range_of (address) == the ().memory.end ()
             || holds (address, size));
}

static int
ordinal_of (const softgpu_device *device)
{
  for (size_t i = 0; i < the ().devices.size (); i++)
    if (the ().devices[i] == device)
      return (int) i;
  return -1;
}

/* The value of a pointer's attribute, 0 for what the address has not got.
   Returns how many bytes it takes, 0 for an attribute that is not known.  */
static size_t
pointer_attribute (int what, uintptr_t address, uint64_t *value)
{
  range at = range_of (address);
  bool known = at != the ().memory.end ();
  const allocation none = {0, MEMORY_DEVICE, nullptr};
  const allocation &a = known ? at->second : none;

  *value = 0;
  switch (what)
    {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      if (known)
        *value = is_device_memory (a) ? CU_MEMORYTYPE_DEVICE
                                      : CU_MEMORYTYPE_HOST;
      return sizeof (unsigned);
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *value = reinterpret_cast<uintptr_t> (a.context);
      return sizeof (CUcontext);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      if (known)
        *value = (uint64_t) ordinal_of (a.context->device);
      return sizeof (int);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      if (known)
        *value = address;
      return sizeof (CUdeviceptr);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (known && a.kind != MEMORY_DEVICE)
        *value = address;
      return sizeof (void *);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *value = a.kind == MEMORY_MANAGED;
      return sizeof (unsigned);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      if (known)
        *value = at->first;
      return sizeof (CUdeviceptr);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *value = a.size;
      return sizeof (size_t);
    default:
      return 0;
    }
}

static void
deliver (void *data, size_t size, uint64_t value)
{
  uint32_t word = (uint32_t) value;

  memcpy (data, size == sizeof word ? (void *) &word : (void *) &value, size);
}

/* Ordinary host memory is unknown to the driver: CUDA_ERROR_INVALID_VALUE.  */
static CUresult
get_pointer_attribute (void *data, int what, uintptr_t address)
{
  uint64_t value;
  size_t size = pointer_attribute (what, address, &value);

  if (!data || size == 0 || range_of (address) == the ().memory.end ()
      || (what == CU_POINTER_ATTRIBUTE_HOST_POINTER && value == 0))
    return CUDA_ERROR_INVALID_VALUE;
  deliver (data, size, value);
  return CUDA_SUCCESS;
}

/* Several at once; here an unknown address is no error.  */
static CUresult
get_pointer_attributes (unsigned count, const CUpointer_attribute *attributes,
                        void *const *data, uintptr_t address)
{
  if (count == 0 || !attributes || !data)
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; i++)
    {
      uint64_t value;
      size_t size = pointer_attribute (number_of (attributes[i]), address,
                                       &value);

      if (!data[i] || size == 0)
        return CUDA_ERROR_INVALID_VALUE;
      deliver (data[i], size, value);
    }
  return CUDA_SUCCESS;
}

static CUresult
get_range_attribute (void *data, size_t data_size, int what,
                     uintptr_t address, size_t size)
{
  range at = range_of (address);

  if (!data || data_size != sizeof (CUdevice) || size == 0 || !holds (address, size)
      || at->second.kind != MEMORY_MANAGED
      || (what != CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION
          && what != CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION))
    return CUDA_ERROR_INVALID_VALUE;
  deliver (data, data_size,
           (uint64_t) (what == CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION
                         ? at->second.preferred : at->second.prefetched));
  return CUDA_SUCCESS;
}

static CUresult
get_info (size_t *available, size_t *total)
{
  const softgpu_device *device = current_context ()->device;

  if (!available || !total)
    return CUDA_ERROR_INVALID_VALUE;
  *available = device->available - device->used;
  *total = device->gpu.memory;
  return CUDA_SUCCESS;
}

static CUresult
get_device_pointer (CUdeviceptr *result, uintptr_t address)
{
  range at = range_of (address);

  if (!result || at == the ().memory.end () || is_device_memory (at->second))
    return CUDA_ERROR_INVALID_VALUE;
  *result = address;
  return CUDA_SUCCESS;
}
}

using namespace softgpu;

void
softgpu_give_memory (const void *address, int preferred, int prefetched)
{
  allocation &a = range_of (address_of (address))->second;

  a.preferred = preferred;
  a.prefetched = prefetched;
}

ENTRY (cuMemAlloc, NEED_IDLE, (CUdeviceptr *result, size_t size),
       allocate_for_device, result, size, MEMORY_DEVICE)
ENTRY (cuMemAllocManaged, NEED_IDLE,
       (CUdeviceptr *result, size_t size, unsigned),
       allocate_for_device, result, size, MEMORY_MANAGED)
ENTRY (cuMemHostAlloc, NEED_IDLE, (void **result, size_t size, unsigned),
       allocate, result, size, MEMORY_PINNED)

ENTRY (cuMemFree, NEED_IDLE, (CUdeviceptr address), deallocate, address, false)
ENTRY (cuMemFreeHost, NEED_IDLE, (void *address),
       deallocate, address_of (address), true)
ENTRY (cuMemGetInfo, NEED_CONTEXT, (size_t *available, size_t *total),
       get_info, available, total)
ENTRY (cuMemHostGetDevicePointer, NEED_CONTEXT,
       (CUdeviceptr *result, void *address, unsigned),
       get_device_pointer, result, address_of (address))

ENTRY (cuPointerGetAttribute, NEED_HEALTH,
       (void *data, CUpointer_attribute what, CUdeviceptr address),
       get_pointer_attribute, data, number_of (what), address)
ENTRY (cuPointerGetAttributes, NEED_HEALTH,
       (unsigned count, CUpointer_attribute *attributes, void **data,
        CUdeviceptr address),
       get_pointer_attributes, count, attributes, data, address)
ENTRY (cuMemHostRegister, NEED_IDLE,
       (void *address, size_t size, unsigned flags),
       register_memory, address_of (address), size, flags)
ENTRY (cuMemHostUnregister, NEED_IDLE, (void *address),
       unregister_memory, address_of (address))
ENTRY (cuMemRangeGetAttribute, NEED_CONTEXT,
       (void *data, size_t data_size, CUmem_range_attribute what,
        CUdeviceptr address, size_t size),
       get_range_attribute, data, data_size, number_of (what), address, size)

ENTRY (cuMemAllocAsync, NEED_CONTEXT,
       (CUdeviceptr *address, size_t size, CUstream stream), allocate_in, stream,
       address, size)
ENTRY (cuMemFreeAsync, NEED_CONTEXT, (CUdeviceptr address, CUstream stream),
       deallocate_in, stream, address)
