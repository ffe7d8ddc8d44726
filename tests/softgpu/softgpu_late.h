/* Work that streams do late: SOFTGPU_LATE of README.md.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SOFTGPU_LATE_H
#define GT_SOFTGPU_LATE_H

#include <functional>

#include "tests/softgpu/softgpu_state.h"

namespace softgpu
{
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
/* What the context has is never done.  */
void forget_work (CUcontext context);
}

#endif
