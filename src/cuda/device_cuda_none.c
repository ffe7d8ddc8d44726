/* The answer of a build without CUDA.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/device_cuda.h"

#include <stddef.h>

int
gt_cuda_device_count (const char **why)
{
  if (why != NULL)
    *why = "built without CUDA support";
  return 0;
}

const struct gt_device *
gt_cuda_device (int index)
{
  (void) index;
  return NULL;
}

int
gt_cuda_index (int ordinal)
{
  (void) ordinal;
  return -1;
}

int
gt_cuda_chosen_index (void)
{
  return -1;
}
