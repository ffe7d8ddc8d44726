/* The CUDA driver, loaded at first use.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_driver.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/setup.h"

#define DRIVER "libcuda.so.1"

static struct gt_cuda_driver driver;
static const char *trouble;
static pthread_once_t once = PTHREAD_ONCE_INIT;

struct entry_point
{
  const char *name;
  int version;
  size_t place;        /* in struct gt_cuda_driver */
  const char *trouble; /* when the driver lacks it */
};

static const struct entry_point entry_points[] = {
#define ENTRY_POINT(name, version)                            \
  {#name, version, offsetof (struct gt_cuda_driver, name),    \
   "the driver is older than CUDA 12.0 (it lacks " #name      \
   "): install a newer one"},
#include "src/cuda/entry_points.def"
#undef ENTRY_POINT
};

/* Gets every entry point, in the version of the typedef that this file is compiled with.
   Returns null, or a message.  */
static const char *
take_entry_points (void *library)
{
  PFN_cuGetProcAddress_v12000 get_proc_address;
  CUdriverProcAddressQueryResult found;

  *(void **) &get_proc_address = dlsym (library, "cuGetProcAddress_v2");
  if (get_proc_address == NULL)
    return "the driver is older than CUDA 12.0: install a newer one";
  for (size_t i = 0; i < sizeof entry_points / sizeof entry_points[0]; i++)
    {
      const struct entry_point *entry = &entry_points[i];
      void **place = (void **) (void *) ((char *) &driver + entry->place);

      if (get_proc_address (entry->name, place, entry->version,
                            CU_GET_PROC_ADDRESS_DEFAULT, &found) != CUDA_SUCCESS
          || *place == NULL)
        return entry->trouble;
    }
  return NULL;
}

static void
open_aside (void *closure)
{
  void *library;
  CUresult status;

  (void) closure;
  library = dlopen (DRIVER, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    {
      trouble = "no driver (libcuda.so.1 was not found): install the NVIDIA"
                " driver";
      return;
    }
  trouble = take_entry_points (library);
  if (trouble)
    return;
  status = driver.cuInit (0);
  if (status != CUDA_SUCCESS
      && driver.cuGetErrorString (status, &trouble) != CUDA_SUCCESS)
    trouble = "the driver could not be initialised";
}

static void
open_driver (void)
{
  if (gt_env.secure)
    trouble = "not used in a program that runs with raised privileges";
  else
    gt_aside (open_aside, NULL);
}

const struct gt_cuda_driver *
gt_cuda_driver (const char **why)
{
  if (gt_in_child ())
    {
      if (why)
        *why = "not used in a child of fork()";
      return NULL;
    }
  pthread_once (&once, open_driver);
  if (why)
    *why = trouble;
  return trouble ? NULL : &driver;
}

static int
is_driver (struct dl_phdr_info *object, size_t size, void *closure)
{
  static const char name[] = "libcuda.so";
  const char *slash = strrchr (object->dlpi_name, '/');

  (void) size;
  (void) closure;
  return strncmp (slash ? slash + 1 : object->dlpi_name, name, sizeof name - 1)
         == 0;
}

/* dlopen is not used because it would replace a message that waits for dlerror.  */
int
gt_cuda_driver_loaded (void)
{
  static _Atomic int loaded; /* once loaded, the driver stays loaded */

  if (loaded || gt_in_child () || gt_env.secure)
    return loaded && !gt_in_child ();
  loaded = dl_iterate_phdr (is_driver, NULL);
  return loaded;
}
