/* The CUDA driver, loaded at first use.
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

/* Returns the driver, loaded and initialised once, or null.  In that case *WHY (if WHY is not
   null) is set to a static text with the reason.  Thread-safe.  */
const struct gt_cuda_driver *gt_cuda_driver (const char **why);

/* Returns whether gsltune or another part of this process has loaded the driver.  If not, all
   memory is ordinary memory.  */
int gt_cuda_driver_loaded (void);

#endif
