/* The engine: runs one launch on the calling thread.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SOFTGPU_ENGINE_H
#define GT_SOFTGPU_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/args.h"

namespace softgpu
{
typedef void kernel_function (struct gt_kernel_args args);

struct launch
{
  const char *name;
  kernel_function *kernel;
  struct gt_kernel_args args;
  unsigned grid[3], block[3];
  size_t dynamic_shared; /* bytes */
  uint64_t seed;         /* of the order of blocks, warps and lanes */
};

/* 0, or the driver's error code, with the reason on standard error.  One call
   at a time.  */
int run (const launch &l);

/* Fills every __shared__ variable of this library with poison.  */
void poison_shared ();

/* Finds the allocation that a kernel may read at ADDRESS.  */
bool find_readable (uintptr_t address, size_t size, uintptr_t *begin,
                    uintptr_t *end);
}

#endif
