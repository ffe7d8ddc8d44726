/* Copies, and filling memory: at once, or late (softgpu_late.cc).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_state.h"

#include <string.h>

namespace softgpu
{
/* One copy.  The parameters that name device memory are checked.  */
struct copy
{
  uintptr_t to, from;
  size_t size;
  bool to_device, from_device;
  bool waits; /* the call, for the source to be read at least */
};

static uint64_t spoilt_from;
static bool spoils;

/* Whether a copy to the device arrives with another byte than it left with, which
   nobody tells: SOFTGPU_SPOIL of README.md.  */
static bool
is_spoilt (const copy &c)
{
  if (!spoils)
    spoilt_from = environment_number ("SOFTGPU_SPOIL", 0);
  spoils = true;
  return spoilt_from > 0 && c.to_device && !c.from_device && !c.waits
         && the ().calls[ENTRY_cuMemcpyHtoDAsync] >= spoilt_from;
}

/* Late, it waits for what comes before it, if it is to the host; of pageable memory
   the driver makes a copy of its own first.  */
static CUresult
move (const copy &c, CUstream stream)
{
  void *to = reinterpret_cast<void *> (c.to);
  const void *from = reinterpret_cast<const void *> (c.from);
  const size_t size = c.size;

  if (c.waits && !c.to_device)
    {
      CUresult code = catch_up (stream);

      memmove (to, from, size);
      return code;
    }
  if (!c.from_device && (c.waits || !holds (c.from, size)) && is_late ())
    {
      const std::vector<char> copied (static_cast<const char *> (from),
                                      static_cast<const char *> (from) + size);

      return in_time (stream, [=] {
        memmove (to, copied.data (), size);
        return CUDA_SUCCESS;
      });
    }
  const bool spoilt = is_spoilt (c);
  return in_time (stream, [=] {
    memmove (to, from, size);
    if (spoilt)
      *static_cast<unsigned char *> (to) ^= 1;
    return CUDA_SUCCESS;
  });
}

static CUresult
run_copy (const copy &c, CUstream stream)
{
  softgpu_device *device = current_context ()->device;
  CUresult code = check_idle_stream (stream);

  if (code != CUDA_SUCCESS || c.size == 0)
    return code;
  if (!(c.to_device ? holds : is_host_range) (c.to, c.size)
      || !(c.from_device ? holds : is_host_range) (c.from, c.size))
    return CUDA_ERROR_INVALID_VALUE;
  code = move (c, stream);
  device->clock += c.to_device && c.from_device
                     ? device_copy_time (device->gpu, 2 * c.size)
                     : bus_copy_time (c.size);
  return code;
}

/* A copy for each row.  Of two dimensions it knows what begins at the first column
   and row, in memory that is no array.  */
static CUresult
run_copies (const CUDA_MEMCPY2D *rows)
{
  CUresult code = rows ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;

  for (size_t i = 0; code == CUDA_SUCCESS && i < rows->Height; i++)
    {
      const bool to_host = rows->dstMemoryType == CU_MEMORYTYPE_HOST;
      const bool from_host = rows->srcMemoryType == CU_MEMORYTYPE_HOST;

      if (rows->srcPitch < rows->WidthInBytes
          || rows->dstPitch < rows->WidthInBytes)
        return CUDA_ERROR_INVALID_VALUE;
      code = run_copy (
        {(to_host ? address_of (rows->dstHost)
                  : (uintptr_t) rows->dstDevice) + i * rows->dstPitch,
         (from_host ? address_of (rows->srcHost)
                    : (uintptr_t) rows->srcDevice) + i * rows->srcPitch,
         rows->WidthInBytes, !to_host, !from_host, true},
        nullptr);
    }
  return code;
}

static CUresult
fill (uintptr_t to, unsigned char value, size_t size, CUstream stream)
{
  softgpu_device *device = current_context ()->device;
  CUresult code = check_stream (stream);
  const work what = [=] {
    memset (reinterpret_cast<void *> (to), value, size);
    return CUDA_SUCCESS;
  };

  if (code != CUDA_SUCCESS || size == 0)
    return code;
  if (!holds (to, size))
    return CUDA_ERROR_INVALID_VALUE;
  if (is_captured (stream))
    return capture_other (stream, what);
  device->clock += device_copy_time (device->gpu, size);
  return in_time (stream, what);
}
}

using namespace softgpu;

ENTRY (cuMemcpyHtoD, NEED_IDLE, (CUdeviceptr to, const void *from, size_t size),
       run_copy, copy{to, address_of (from), size, true, false, true}, nullptr)
ENTRY (cuMemcpyHtoDAsync, NEED_CONTEXT,
       (CUdeviceptr to, const void *from, size_t size, CUstream stream),
       run_copy, copy{to, address_of (from), size, true, false, false}, stream)
ENTRY (cuMemcpyDtoH, NEED_IDLE, (void *to, CUdeviceptr from, size_t size),
       run_copy, copy{address_of (to), from, size, false, true, true}, nullptr)
ENTRY (cuMemcpyDtoHAsync, NEED_CONTEXT,
       (void *to, CUdeviceptr from, size_t size, CUstream stream),
       run_copy, copy{address_of (to), from, size, false, true, false}, stream)
ENTRY (cuMemcpyDtoDAsync, NEED_CONTEXT,
       (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
       run_copy, copy{to, from, size, true, true, false}, stream)

ENTRY (cuMemcpy2D, NEED_IDLE, (const CUDA_MEMCPY2D *rows), run_copies, rows)
ENTRY (cuMemsetD8Async, NEED_CONTEXT,
       (CUdeviceptr to, unsigned char value, size_t size, CUstream stream),
       fill, to, value, size, stream)
