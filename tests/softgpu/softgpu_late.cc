/* Work that streams do late.

   A real device does what it is given some time later, and each stream by itself.
   Here every order is that of the calls unless SOFTGPU_LATE is 1: then work waits
   until somebody waits for it, and what nobody waits for comes too late.  A program
   that forgets to wait reads what was there before.

   A kernel is done at the latest when the next one of its stream is launched: words
   that it delivers are then there, while those of the next one are still to come.

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_state.h"

#include <list>

namespace softgpu
{
struct late_work
{
  CUcontext context;
  CUstream stream;
  bool launches;
  work what;
};

/* In the order of the calls.  Never freed, as the rest of the state.  Variables of
   functions are __shared__ ones here (softgpu_shared.cc).  */
static std::list<late_work> *list;

static std::list<late_work> &
items ()
{
  if (!list)
    list = new std::list<late_work>;
  return *list;
}

enum when
{
  UNKNOWN,
  AT_ONCE,
  LATE
};
static when time_of_work;

bool
is_late ()
{
  if (time_of_work == UNKNOWN)
    time_of_work = environment_number ("SOFTGPU_LATE", 0) ? LATE : AT_ONCE;
  return time_of_work == LATE;
}

/* The default stream, and those that wait for it and it for them.  */
static bool
is_blocking (CUstream stream)
{
  return !stream || stream == CU_STREAM_LEGACY
         || (stream != CU_STREAM_PER_THREAD && the ().streams.count (stream)
             && stream->blocking);
}

/* Does what is for the streams that CONCERNS; if UP_TO is not the end, nothing
   behind it.  */
template <class F>
static CUresult
run_items (F concerns, std::list<late_work>::iterator up_to)
{
  CUresult code = CUDA_SUCCESS;

  for (auto i = items ().begin (); i != up_to;)
    if (i->context == current_context () && concerns (i->stream))
      {
        work what = i->what;

        i = items ().erase (i);
        CUresult its_code = what ();
        code = code == CUDA_SUCCESS ? its_code : code;
      }
    else
      ++i;
  return code;
}

static auto
along_with (CUstream stream)
{
  const bool blocking = is_blocking (stream);

  return [=] (CUstream other) {
    return blocking ? is_blocking (other) : other == stream;
  };
}

static CUresult
put_off (CUstream stream, bool launches, const work &what)
{
  items ().push_back ({current_context (), stream, launches, what});
  return CUDA_SUCCESS;
}

CUresult
in_time (CUstream stream, const work &what)
{
  return is_late () ? put_off (stream, false, what) : what ();
}

CUresult
launch_in_time (CUstream stream, const work &what)
{
  if (!is_late ())
    return what ();
  auto after = items ().begin ();
  for (auto i = items ().begin (); i != items ().end (); ++i)
    if (i->launches && i->stream == stream && i->context == current_context ())
      after = std::next (i);
  CUresult code = run_items (along_with (stream), after);
  return code == CUDA_SUCCESS ? put_off (stream, true, what) : code;
}

CUresult
catch_up (CUstream stream)
{
  return run_items (along_with (stream), items ().end ());
}

CUresult
catch_up_all ()
{
  return run_items ([] (CUstream) { return true; }, items ().end ());
}

void
forget_work (CUcontext context)
{
  items ().remove_if ([=] (const late_work &i) { return i.context == context; });
}
}
