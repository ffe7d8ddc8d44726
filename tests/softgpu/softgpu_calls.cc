/* Every call on its way in and out: counted, failed on demand, refused when
   something is missing.  And what is reported when the process ends.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace softgpu
{
const char *const entry_names[N_ENTRIES] = {
#define ENTRY_POINT(name, version) #name,
#include "tests/softgpu/entry_points.def"
#undef ENTRY_POINT
};

[[noreturn]] void
refuse (const char *variable, const char *value)
{
  fprintf (stderr, "softgpu: %s=%s: not understood\n", variable, value);
  abort ();
}

uint64_t
environment_number (const char *name, uint64_t otherwise)
{
  const char *text = getenv (name);
  char *end;

  if (!text || !*text)
    return otherwise;
  errno = 0;
  unsigned long long number = strtoull (text, &end, 10);
  if (errno != 0 || *end != '\0' || *text == '-')
    refuse (name, text);
  return number;
}

static state *only;

__attribute__ ((constructor)) static void
begin ()
{
  only = new state ();
  only->owner = getpid ();
}

state &
the ()
{
  return *only;
}

static void
configure (state *s)
{
  read_faults ();
  s->seed = environment_number ("SOFTGPU_SEED", 1);
  load_devices ();
  int recorded = s->devices.empty () ? 0 : s->devices[0]->gpu.driver_version;
  s->driver_version
    = (int) environment_number ("SOFTGPU_DRIVER_VERSION",
                                recorded > 0 ? recorded : CUDA_VERSION);
  s->configured = true;
}

/* The driver does not survive a fork.  A process that forked before its first
   call is as good as new.  */
bool
forked (softgpu_entry entry)
{
  state &s = the ();
  pid_t now = getpid ();

  if (now == s.owner)
    return false;
  if (!s.configured)
    {
      s.owner = now;
      return false;
    }
  fprintf (stderr, "softgpu: %s called in a forked child\n",
           entry_names[entry]);
  return true;
}

CUresult
admit (softgpu_entry entry, need what)
{
  state &s = the ();

  if (!s.configured)
    configure (&s);
  s.calls[entry]++;
  s.undone = s.misaligned = false;
  const fault *f = find_fault (entry);
  if (f && f->fate == FATE_ERROR)
    return f->code;
  if (what == NEED_NOTHING)
    return CUDA_SUCCESS;
  if (!s.initialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  CUcontext context = current_context ();
  if (what == NEED_INIT || (what == NEED_HEALTH && !context))
    return CUDA_SUCCESS;
  if (!context || context->retained == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context->sticky != CUDA_SUCCESS)
    return context->sticky;
  CUresult late = show_late (entry, context);
  if (late == CUDA_SUCCESS && f)
    plant (*f, context);
  return late;
}

/* After these "the process must be terminated and relaunched" (CUDA Driver
   API, CUresult).  */
static bool
is_sticky (CUresult code)
{
  switch (code)
    {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
      return true;
    default:
      return false;
    }
}

CUresult
settle (need what, CUresult code)
{
  CUcontext context = what >= NEED_HEALTH ? current_context () : nullptr;

  if (context && context->sticky == CUDA_SUCCESS && is_sticky (code))
    context->sticky = code;
  return code;
}

struct known_error
{
  CUresult code;
  const char *name, *text;
};

#define KNOWN(code, text) {code, #code, text}
static const known_error known_errors[] = {
  KNOWN (CUDA_SUCCESS, "no error"),
  KNOWN (CUDA_ERROR_INVALID_VALUE, "invalid argument"),
  KNOWN (CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
  KNOWN (CUDA_ERROR_NOT_INITIALIZED, "initialization error"),
  KNOWN (CUDA_ERROR_DEINITIALIZED, "driver shutting down"),
  KNOWN (CUDA_ERROR_DEVICE_UNAVAILABLE, "device busy or unavailable"),
  KNOWN (CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
  KNOWN (CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"),
  KNOWN (CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"),
  KNOWN (CUDA_ERROR_INVALID_CONTEXT, "invalid device context"),
  KNOWN (CUDA_ERROR_NO_BINARY_FOR_GPU,
         "no kernel image is available for execution on the device"),
  KNOWN (CUDA_ERROR_ECC_UNCORRECTABLE, "uncorrectable ECC error"),
  KNOWN (CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
         "the PTX was compiled with an unsupported toolchain"),
  KNOWN (CUDA_ERROR_FILE_NOT_FOUND, "file not found"),
  KNOWN (CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"),
  KNOWN (CUDA_ERROR_NOT_FOUND, "named symbol not found"),
  KNOWN (CUDA_ERROR_NOT_READY, "device not ready"),
  KNOWN (CUDA_ERROR_ILLEGAL_ADDRESS,
         "an illegal memory access was encountered"),
  KNOWN (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
         "too many resources requested for launch"),
  KNOWN (CUDA_ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated"),
  KNOWN (CUDA_ERROR_CONTEXT_IS_DESTROYED, "context is destroyed"),
  KNOWN (CUDA_ERROR_ILLEGAL_INSTRUCTION,
         "an illegal instruction was encountered"),
  KNOWN (CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address"),
  KNOWN (CUDA_ERROR_INVALID_ADDRESS_SPACE,
         "operation not supported on global/shared address space"),
  KNOWN (CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
         "part or all of the requested memory range is already mapped"),
  KNOWN (CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
         "pointer does not correspond to a registered memory region"),
  KNOWN (CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"),
  KNOWN (CUDA_ERROR_NOT_PERMITTED, "operation not permitted"),
  KNOWN (CUDA_ERROR_NOT_SUPPORTED, "operation not supported"),
  KNOWN (CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
         "operation not permitted when stream is capturing"),
  KNOWN (CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
         "operation failed due to a previous error during capture"),
  KNOWN (CUDA_ERROR_SYSTEM_NOT_READY, "system not yet initialized"),
  KNOWN (CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
         "system has unsupported display driver / cuda driver combination"),
  KNOWN (CUDA_ERROR_INVALID_CLUSTER_SIZE, "cluster misconfiguration"),
  KNOWN (CUDA_ERROR_UNKNOWN, "unknown error"),
};

static CUresult
describe (int error, const char *known_error::*what, const char **text)
{
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = nullptr;
  for (const known_error &known : known_errors)
    if (known.code == error)
      *text = known.*what;
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void
write_counts (const state &s)
{
  const char *path = getenv ("SOFTGPU_COUNT");
  FILE *file = path && *path ? fopen (path, "w") : nullptr;

  if (!path || !*path)
    return;
  bool failed = !file;
  for (int i = 0; i < N_ENTRIES && !failed; i++)
    failed = fprintf (file, "%s %lu\n", entry_names[i], s.calls[i]) < 0;
  if ((file && fclose (file) != 0) || failed)
    fprintf (stderr, "softgpu: SOFTGPU_COUNT=%s: %s\n", path,
             strerror (errno));
}

static bool
leaked (unsigned long number, const char *what)
{
  if (number > 0)
    fprintf (stderr, "softgpu: leaked %lu %s\n", number, what);
  return number > 0;
}

/* Memory of a broken context could not have been freed.  */
template <class T>
static unsigned long
in_health (const std::set<T *> &objects)
{
  unsigned long count = 0;

  for (const T *object : objects)
    count += object->context->sticky == CUDA_SUCCESS;
  return count;
}

static bool
any_leaks (const state &s)
{
  unsigned long device = 0, host = 0;

  for (const auto &range : s.memory)
    if (range.second.context->sticky == CUDA_SUCCESS)
      (is_device_memory (range.second) ? device : host)++;
  bool any = leaked (device, "allocations of device memory");
  any |= leaked (host, "host allocations");
  any |= leaked (in_health (s.streams), "streams");
  any |= leaked (in_health (s.events), "events");
  any |= leaked (in_health (s.links), "links");
  any |= leaked (in_health (s.graphs), "graphs");
  any |= leaked (in_health (s.execs), "instantiated graphs");
  any |= leaked (s.lost, "objects with their context");
  return any;
}

__attribute__ ((destructor)) static void
finish ()
{
  const state &s = the ();

  if (getpid () != s.owner)
    return;
  write_counts (s);
  if (environment_number ("SOFTGPU_LEAKS", 0) != 0 && any_leaks (s))
    {
      fflush (nullptr);
      _exit (99);
    }
}

struct address
{
  const char *name;
  int since;
  void *function;
};

static const address addresses[] = {
#define ENTRY_POINT(name, version) \
  {#name, version, reinterpret_cast<void *> (&name)},
#include "tests/softgpu/entry_points.def"
#undef ENTRY_POINT
};

/* The driver knows an entry point from one version on; a caller that asks for
   an older version gets an older form of it, which there is none of here.  */
static CUresult
find_address (const char *name, void **function, int version,
              CUdriverProcAddressQueryResult *found)
{
  CUdriverProcAddressQueryResult unused;
  CUdriverProcAddressQueryResult *why = found ? found : &unused;

  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *function = nullptr;
  *why = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  for (const address &entry : addresses)
    if (strcmp (entry.name, name) == 0)
      {
        *why = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
        if (entry.since > version || entry.since > the ().driver_version)
          break;
        *function = entry.function;
        *why = CU_GET_PROC_ADDRESS_SUCCESS;
      }
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
}

using namespace softgpu;

ENTRY (cuGetErrorName, NEED_NOTHING, (CUresult error, const char **text),
       describe, number_of (error), &known_error::name, text)
ENTRY (cuGetErrorString, NEED_NOTHING, (CUresult error, const char **text),
       describe, number_of (error), &known_error::text, text)
ENTRY (cuGetProcAddress, NEED_NOTHING,
       (const char *symbol, void **function, int version, cuuint64_t,
        CUdriverProcAddressQueryResult *found),
       find_address, symbol, function, version, found)

/* The form of CUDA 11.3.  */
#undef cuGetProcAddress
extern "C" __attribute__ ((visibility ("default"))) ENTRY (cuGetProcAddress, NEED_NOTHING,
       (const char *symbol, void **function, int version, cuuint64_t),
       find_address, symbol, function, version, nullptr)
/* cuda.h maps the name to _v2, the driver knows both.  */
#undef cuEventElapsedTime
extern "C" __attribute__ ((visibility ("default"))) CUresult CUDAAPI
cuEventElapsedTime (float *milliseconds, CUevent start, CUevent end)
{
  return cuEventElapsedTime_v2 (milliseconds, start, end);
}
