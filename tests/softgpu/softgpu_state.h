/* Shared by the entry points: devices, contexts, allocations, and the way
   that every call is counted, failed on demand, and checked.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SOFTGPU_STATE_H
#define GT_SOFTGPU_STATE_H

/* In C++ the struct of that header and its function share a name.  */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC visibility push(default)
#include "src/cuda/cuda_driver.h"
/* The form of CUDA 3.2, which the driver has under this name; cuda.h has newer ones,
   depending on its version.  */
#undef cuCtxCreate
extern "C" CUresult CUDAAPI cuCtxCreate (CUcontext *context, unsigned flags,
                                         CUdevice device);
#pragma GCC visibility pop
#pragma GCC diagnostic pop

#include <fenv.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

extern "C"
{
#include "src/device/device.h"
#include "tuning/measure/occupancy.h"
}
#include "tests/softgpu/softgpu_engine.h"

enum softgpu_entry
{
#define ENTRY_POINT(name, version) ENTRY_##name,
#include "tests/softgpu/entry_points.def"
#undef ENTRY_POINT
  N_ENTRIES
};

/* A caller in C may pass a number that has no name in the enumeration; to C++
   loading it as one is undefined.  */
template <class E>
inline int
number_of (const E &value)
{
  int number;

  memcpy (&number, &value, sizeof number);
  return number;
}

struct softgpu_device;

/* A context: a device's primary one, or another.  */
struct CUctx_st
{
  softgpu_device *device;
  unsigned retained;
  CUresult sticky; /* once set, every call that needs the context fails so */
  CUresult late;   /* what a later call will report */
  bool late_waits; /* only a call that waits for the device will */
  bool late_stuck; /* nothing that is queued runs any more */
};

struct softgpu_device
{
  gt_gpu gpu;
  CUctx_st primary;
  double clock;     /* of the time model, seconds */
  double slower;    /* what its launches take is multiplied by that */
  size_t used;      /* bytes of device memory */
  size_t available; /* bytes, at most gpu.memory */
};

/* The launch's name and kernel are those of the function.  */
struct CUgraphNode_st
{
  CUfunction function;
  softgpu::launch launch;
  bool clusters; /* instantiated for a kernel of clusters */
  std::function<CUresult ()> other = {}; /* what is done by a node that is no kernel */
};

/* A node comes after those that it depends on.  */
struct CUgraph_st
{
  CUcontext context;
  std::list<CUgraphNode_st> nodes;
};

struct CUgraphExec_st
{
  CUcontext context;
  CUgraph graph; /* null once that is destroyed */
  std::list<std::pair<CUgraphNode, CUgraphNode_st>> nodes;
};

struct CUstream_st
{
  CUcontext context;
  bool blocking = true; /* it waits for the default stream, and that for it */
  CUstreamCaptureStatus captured = CU_STREAM_CAPTURE_STATUS_NONE;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::thread::id capturer = {};
  std::unique_ptr<CUgraph_st> graph = {}; /* while it is captured */
};

struct CUevent_st
{
  CUcontext context;
  bool timed, recorded;
  double at; /* the device's clock */
};

struct CUfunc_st
{
  std::string name;
  softgpu::kernel_function *kernel;
  size_t opted_in = 0; /* bytes of dynamic shared memory, beyond the usual */
};

struct CUkern_st
{
  CUfunc_st function;
};

struct CUlib_st
{
  std::map<std::string, CUkern_st> kernels;
};

/* The image that is being linked.  The driver keeps the result.  */
struct CUlinkState_st
{
  CUcontext context;
  unsigned inputs = 0;
  std::string cubin = {}; /* empty until it is complete */
};

namespace softgpu
{
enum memory_kind
{
  MEMORY_DEVICE,
  MEMORY_PINNED,
  MEMORY_REGISTERED, /* pinned too, but the caller's own */
  MEMORY_MANAGED
};

struct allocation
{
  size_t size;
  memory_kind kind;
  CUcontext context;
  int preferred = CU_DEVICE_INVALID, prefetched = CU_DEVICE_INVALID;
};

/* The result of a call with a fault (README.md).  */
enum fate
{
  FATE_ERROR,
  FATE_NEVER,
  FATE_LOST,
  FATE_WAIT,
  FATE_DONE,
  FATE_MISALIGNED
};

struct fault
{
  softgpu_entry entry;
  unsigned long first, last; /* calls, counted from 1 */
  enum fate fate;
  CUresult code;
};

/* Never freed: entry points may be called until the process is gone.  */
struct state
{
  std::mutex mutex;
  pid_t owner; /* after a fork, the child may make no call */
  bool initialised;
  bool configured;
  std::vector<softgpu_device *> recorded;
  std::vector<softgpu_device *> devices; /* those of them that are visible */
  std::map<uintptr_t, allocation> memory;
  std::set<CUcontext> contexts; /* but the primary ones */
  std::set<CUstream> streams;
  std::set<CUevent> events;
  std::set<CUlibrary> libraries;
  std::set<CUlinkState> links;
  std::set<CUgraph> graphs;
  std::set<CUgraphExec> execs;
  unsigned long calls[N_ENTRIES];
  std::vector<fault> faults;
  unsigned long base[N_ENTRIES]; /* calls before the faults were set */
  unsigned long struck;          /* calls that met a fault, or a full device */
  unsigned long at_strike[N_ENTRIES]; /* calls when the first of them did */
  bool undone;                   /* this call succeeds and nothing is done */
  bool misaligned;               /* what this call allocates is */
  uint64_t launches, seed;
  /* Work that waits for the running grid: launches of earlier grids, the next one
     last, and its own in their order.  */
  std::vector<launch> pending, tails;
  int driver_version;
  /* The objects that a destroyed context took with it.  */
  unsigned long lost;
};

state &the ();

extern const char *const entry_names[N_ENTRIES];

/* A value that is not understood ends the program.  */
[[noreturn]] void refuse (const char *variable, const char *value);

/* softgpu_faults.cc: the faults of SOFTGPU_FAIL; the one that the call under way
   meets, or null; what is to become of that call; and the error of an earlier one
   that it reports.  */
void read_faults ();
const fault *find_fault (softgpu_entry entry);
void plant (const fault &f, CUcontext context);
CUresult show_late (softgpu_entry entry, CUcontext context);

/* A stand-in for memory of the driver's, misaligned if the call under way is to give
   such; and the error of a device that has no more.  */
void *host_memory (size_t size);
void free_host_memory (void *memory);
CUresult device_is_full ();

/* The number that environment variable NAME holds, or OTHERWISE.  Anything
   else in it ends the program: a test with a slip must not pass.  */
uint64_t environment_number (const char *name, uint64_t otherwise);

/* Reads SOFTGPU_DEVICE and CUDA_VISIBLE_DEVICES.  */
void load_devices ();

CUcontext current_context ();
softgpu_device *device_of (CUdevice number);

/* The preconditions of a call.  */
enum need
{
  NEED_NOTHING,
  NEED_INIT,
  NEED_HEALTH, /* and, if there is a current context, that it is healthy */
  NEED_CONTEXT, /* and a healthy current context */
  NEED_IDLE     /* and that the call disturbs no capture of a stream */
};

/* Counts the call and returns what keeps it from being made.  */
CUresult admit (softgpu_entry entry, need what);
/* Makes an error that a real driver remembers stay.  */
CUresult settle (need what, CUresult code);
bool forked (softgpu_entry entry);

/* The default floating-point environment: the model of time computes in double,
   whatever the program traps.  */
class calm
{
  fenv_t caller;

public:
  calm ()
  {
    fegetenv (&caller);
    fesetenv (FE_DFL_ENV);
  }
  ~calm () { fesetenv (&caller); }
};

/* 0, unless the calling thread may make no call that could disturb a capture;
   it ends those that it disturbs.  */
CUresult check_captures ();

/* Does what the entry point is for: BODY, of these arguments.  */
template <class F, class... Arguments>
CUresult
call (softgpu_entry entry, need what, F body, Arguments... arguments)
{
  if (forked (entry))
    return CUDA_ERROR_NOT_INITIALIZED;
  std::lock_guard<std::mutex> guard (the ().mutex);
  calm no_traps;
  CUresult code = admit (entry, what);
  if (code == CUDA_SUCCESS && !the ().undone && what == NEED_IDLE)
    code = check_captures ();
  return settle (what, code == CUDA_SUCCESS && !the ().undone
                         ? body (arguments...) : code);
}

/* A row of the driver's table: an entry point with these parameters, which does what a
   function makes of the arguments that follow.  */
#define ENTRY(name, need, parameters, ...)           \
  CUresult CUDAAPI name parameters                   \
  {                                                  \
    return call (ENTRY_##name, need, __VA_ARGS__);   \
  }

inline uintptr_t
address_of (const void *pointer)
{
  return reinterpret_cast<uintptr_t> (pointer);
}

bool is_device_memory (const allocation &a);
/* Whether all of a range lies in one live allocation.  */
bool holds (uintptr_t address, size_t size);
/* Whether that may be host memory.  */
bool is_host_range (uintptr_t address, size_t size);
/* Destroys what belongs to a context.  */
void release_context (CUcontext context);

/* 0: the stream may be used in the current context; and for work that is done
   at once, as it cannot be when the stream is being captured.  */
CUresult check_stream (CUstream stream);
CUresult check_idle_stream (CUstream stream);

/* The work of cuLaunchKernel, and of a captured stream's launch.  */
bool is_kernel (const void *handle);
bool is_captured (CUstream stream);
CUresult capture_launch (CUstream stream, CUfunction function,
                         const launch &l);
/* The same of a fill, or of memory that is taken or given back.  */
CUresult capture_other (CUstream stream, const std::function<CUresult ()> &what);
/* Work that streams do late: SOFTGPU_LATE of README.md.  */
typedef std::function<CUresult ()> work;

bool is_late ();

/* Does what STREAM is given when its time has come: at once, or late.  */
CUresult in_time (CUstream stream, const work &what);
/* The same for a launch; those that the stream was given before have come to their
   end then, whoever awaited them.  */
CUresult launch_in_time (CUstream stream, const work &what);

/* Does what STREAM has been given, and those streams for which it waits; or
   everything that the current context has.  Returns the first error.  */
CUresult catch_up (CUstream stream);
CUresult catch_up_all ();
/* Work in the context that is never done.  */
void forget_work (CUcontext context);

/* The element type in a kernel's name, as bytes; 1 when it names none.  */
size_t element_size (const char *kernel);
/* The report of ptxas, roughly.  */
int register_count (const char *kernel);
int shared_size (const char *kernel);
int thread_limit (const char *kernel);

/* Whether a kernel's code is for the device.  */
bool fits_device (const gt_gpu &gpu, kernel_function *kernel);
/* The launch of FUNCTION that the parameters of cuLaunchKernel describe, a copy
   of its arguments included.  */
CUresult describe_launch (CUfunction function, const unsigned grid[3],
                          const unsigned block[3], unsigned shared,
                          void *const *parameters, launch *l);
/* Whether a launch of that size can be made in the current context.  */
CUresult check_size (const gt_gpu &gpu, const launch &l);
/* Checks a launch, and does what it and those that it launches in turn do, in the
   current context, when its time on STREAM has come.  */
CUresult run_launch (CUstream stream, const launch &l);

gt_occupancy occupancy (const gt_gpu &gpu, const char *kernel, int block,
                        size_t dynamic_shared);

/* The time model, seconds.  */
double launch_time (const gt_gpu &gpu, const char *kernel,
                    const gt_kernel_args &args, uint64_t blocks, int block,
                    size_t dynamic_shared);
double bus_copy_time (size_t size);
double device_copy_time (const gt_gpu &gpu, size_t traffic);
}

#endif
