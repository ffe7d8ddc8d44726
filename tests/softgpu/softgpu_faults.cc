/* Faults on demand: which call meets one, and what becomes of it then.  And what a
   test program asks that has the driver in its own process (softgpu_hooks.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_hooks.h"
#include "tests/softgpu/softgpu_state.h"

#include <limits.h>
#include <stdlib.h>

namespace softgpu
{
static int
entry_named (const std::string &name)
{
  for (int i = 0; i < N_ENTRIES; i++)
    if (name == entry_names[i])
      return i;
  return -1;
}

/* K, K+ or *.  Returns what follows it.  */
static const char *
parse_calls (const char *text, fault *f)
{
  char *end;

  f->first = 1;
  f->last = ULONG_MAX;
  if (*text == '*')
    return text + 1;
  f->first = f->last = strtoul (text, &end, 10);
  if (end != text && *end == '+')
    {
      f->last = ULONG_MAX;
      end++;
    }
  return end == text || f->first == 0 ? "" : end;
}

/* Only work that a stream does can fail when its call has returned.  */
static bool
is_queued (softgpu_entry entry)
{
  switch (entry)
    {
    case ENTRY_cuLaunchKernel:
    case ENTRY_cuLaunchKernelEx:
    case ENTRY_cuGraphLaunch:
    case ENTRY_cuMemcpyHtoDAsync:
    case ENTRY_cuMemcpyDtoHAsync:
    case ENTRY_cuMemcpyDtoDAsync:
    case ENTRY_cuMemsetD8Async:
      return true;
    default:
      return false;
    }
}

static bool
is_launch (softgpu_entry entry)
{
  return entry == ENTRY_cuLaunchKernel || entry == ENTRY_cuLaunchKernelEx
         || entry == ENTRY_cuGraphLaunch;
}

static bool
allocates (softgpu_entry entry)
{
  return entry == ENTRY_cuMemAlloc || entry == ENTRY_cuMemHostAlloc
         || entry == ENTRY_cuMemAllocManaged;
}

struct fate_name
{
  const char *name;
  enum fate fate;
  bool coded;
  bool (*befalls) (softgpu_entry);
};

static const fate_name fates[] = {
  {"never", FATE_NEVER, false, is_launch},
  {"lost-", FATE_LOST, true, is_queued},
  {"wait-", FATE_WAIT, true, is_queued},
  {"done-", FATE_DONE, true, is_queued},
  {"misaligned", FATE_MISALIGNED, false, allocates},
};

/* CODE, or the name of a fate.  Returns what follows.  */
static const char *
parse_fate (const char *text, fault *f)
{
  char *end;
  bool coded = true;

  f->fate = FATE_ERROR;
  f->code = CUDA_ERROR_UNKNOWN;
  for (const fate_name &known : fates)
    if (strncmp (text, known.name, strlen (known.name)) == 0)
      {
        if (!known.befalls (f->entry))
          return nullptr;
        f->fate = known.fate;
        coded = known.coded;
        text += strlen (known.name);
        break;
      }
  if (!coded)
    return text;
  f->code = static_cast<CUresult> (strtoul (text, &end, 10));
  return end != text && f->code != CUDA_SUCCESS ? end : nullptr;
}

/* NAME:CALLS=FATE  */
static bool
parse_fault (const std::string &word, fault *f)
{
  size_t colon = word.find (':');
  int entry = entry_named (word.substr (0, colon));

  if (colon == std::string::npos || entry < 0)
    return false;
  f->entry = static_cast<softgpu_entry> (entry);
  const char *rest = parse_calls (word.c_str () + colon + 1, f);
  if (*rest != '=')
    return false;
  rest = parse_fate (rest + 1, f);
  return rest && *rest == '\0';
}

static void
parse_faults (const char *text)
{
  std::string rest = text ? text : "";

  while (!rest.empty ())
    {
      size_t comma = rest.find (',');
      fault f;
      if (!parse_fault (rest.substr (0, comma), &f))
        refuse ("SOFTGPU_FAIL", text);
      the ().faults.push_back (f);
      rest = comma == std::string::npos ? "" : rest.substr (comma + 1);
    }
}

void
read_faults ()
{
  parse_faults (getenv ("SOFTGPU_FAIL"));
}

const fault *
find_fault (softgpu_entry entry)
{
  state &s = the ();
  const unsigned long call = s.calls[entry] - s.base[entry];

  for (const fault &f : s.faults)
    if (f.entry == entry && call >= f.first && call <= f.last)
      {
        if (s.struck++ == 0)
          memcpy (s.at_strike, s.calls, sizeof s.at_strike);
        return &f;
      }
  return nullptr;
}

void
plant (const fault &f, CUcontext context)
{
  state &s = the ();

  s.misaligned = f.fate == FATE_MISALIGNED;
  s.undone |= f.fate == FATE_NEVER;
  if (f.fate == FATE_NEVER || f.fate == FATE_MISALIGNED)
    return;
  context->late = f.code;
  context->late_waits = f.fate == FATE_WAIT;
  context->late_stuck = f.fate != FATE_DONE;
  s.undone |= context->late_stuck;
}

#define ALIGNMENT 256
#define MISALIGNMENT 4

void *
host_memory (size_t size)
{
  const size_t shift = the ().misaligned ? MISALIGNMENT : 0;
  void *at = nullptr;

  if (posix_memalign (&at, ALIGNMENT, size + shift) != 0)
    return nullptr;
  return static_cast<char *> (at) + shift;
}

void
free_host_memory (void *memory)
{
  char *at = static_cast<char *> (memory);

  free (at - reinterpret_cast<uintptr_t> (at) % ALIGNMENT);
}

CUresult
device_is_full ()
{
  the ().struck++;
  return CUDA_ERROR_OUT_OF_MEMORY;
}

static bool
waits (softgpu_entry entry)
{
  switch (entry)
    {
    case ENTRY_cuStreamSynchronize:
    case ENTRY_cuStreamQuery:
    case ENTRY_cuEventSynchronize:
    case ENTRY_cuMemcpyHtoD:
    case ENTRY_cuMemcpyDtoH:
    case ENTRY_cuMemcpy2D:
    case ENTRY_cuMemFree:
    case ENTRY_cuMemFreeHost:
      return true;
    default:
      return false;
    }
}

CUresult
show_late (softgpu_entry entry, CUcontext context)
{
  if (context->late == CUDA_SUCCESS)
    return CUDA_SUCCESS;
  if (!context->late_waits || waits (entry))
    return context->sticky = context->late;
  the ().undone = context->late_stuck && is_queued (entry);
  return CUDA_SUCCESS;
}
}

using namespace softgpu;

void
softgpu_report (struct softgpu_report *report)
{
  const state &s = the ();
  std::lock_guard<std::mutex> guard (the ().mutex);

  *report = {};
  report->struck = s.struck;
  memcpy (report->calls, s.calls, sizeof report->calls);
  memcpy (report->at_strike, s.at_strike, sizeof report->at_strike);
  for (const auto &range : s.memory)
    {
      const bool device = is_device_memory (range.second);
      report->held[device ? SOFTGPU_DEVICE_RANGES : SOFTGPU_HOST_RANGES]++;
      report->held[device ? SOFTGPU_DEVICE_BYTES : SOFTGPU_HOST_BYTES]
        += range.second.size;
    }
  report->held[SOFTGPU_STREAMS] = s.streams.size ();
  report->held[SOFTGPU_EVENTS] = s.events.size ();
  report->held[SOFTGPU_GRAPHS] = s.graphs.size () + s.execs.size ();
  report->held[SOFTGPU_LIBRARIES] = s.libraries.size ();
}

void
softgpu_set_faults (const char *text)
{
  state &s = the ();
  std::lock_guard<std::mutex> guard (s.mutex);

  s.faults.clear ();
  memcpy (s.base, s.calls, sizeof s.base);
  parse_faults (text);
}
