/* The backend of a build: the only file that names it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/device/backend.h"

#if HAVE_CUDA
extern const struct gt_backend gt_cuda;
const struct gt_backend *const gt_gpus = &gt_cuda;
#else

/* No GPU is found, so the functions that take a GPU are never called.  */
static int
discover (struct gt_device **devices, const char **why)
{
  *devices = NULL;
  *why = "built without CUDA support";
  return 0;
}

static struct gt_location
locate (const void *data, size_t bytes)
{
  (void) data;
  (void) bytes;
  return (struct gt_location) {GT_PLACE_HOST, -1};
}

static int
index_of_address (const void *address)
{
  (void) address;
  return -1;
}

static const struct gt_backend none = {.discover = discover,
                                       .locate = locate,
                                       .index_of_address = index_of_address};
const struct gt_backend *const gt_gpus = &none;
#endif
