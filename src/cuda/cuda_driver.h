/* The CUDA driver, opened at first need.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_DRIVER_H
#define GT_CUDA_DRIVER_H

#include <cuda.h>
#include <cudaTypedefs.h>

struct gt_cuda_driver
{
#define ENTRY_POINT(name, version) PFN_##name##_v##version name;
#include "src/cuda/entry_points.def"
#undef ENTRY_POINT
};

/* The driver, opened and initialised once, or null; WHY (may be null) then
   receives the reason as static text.  Thread-safe.  */
const struct gt_cuda_driver *gt_cuda_driver (const char **why);

/* Whether something in this process has loaded the driver, gsltune or
   another: if not, no memory is anything but ordinary.  */
int gt_cuda_driver_loaded (void);

#endif
