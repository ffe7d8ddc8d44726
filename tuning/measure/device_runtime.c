/* Links kernels that launch kernels, at run time, with NVIDIA's device runtime.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/device_runtime.h"

#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARCHIVE "libcudadevrt.a"

/* -------------------------------------------------------------- Finding */

/* Whether the archive lies below ROOT: where NVIDIA's installer, their packages,
   conda's and Debian's put it.  */
static int
is_below (const char *root, char *path, size_t size)
{
  static const char *const folders[]
    = {"lib64", "lib", "targets/*/lib", "lib/*-linux-gnu"};
  char pattern[PATH_MAX];
  glob_t found;
  int there = 0;

  for (size_t i = 0; i < sizeof folders / sizeof *folders && !there; i++)
    {
      if ((size_t) snprintf (pattern, sizeof pattern, "%s/%s/" ARCHIVE, root,
                             folders[i]) >= sizeof pattern
          || glob (pattern, 0, NULL, &found) != 0)
        continue;
      there = access (found.gl_pathv[0], R_OK) == 0
              && (size_t) snprintf (path, size, "%s", found.gl_pathv[0]) < size;
      globfree (&found);
    }
  return there;
}

/* Takes the last COUNT words off PATH.  */
static void
strip (char *path, int count)
{
  char *slash;

  while (count-- > 0 && (slash = strrchr (path, '/')) != NULL)
    *slash = '\0';
}

/* The same for the toolkit of the first nvcc in PATH, which may be a link.  */
static int
is_beside_nvcc (char *path, size_t size)
{
  const char *folders = getenv ("PATH");
  char nvcc[PATH_MAX], target[PATH_MAX];

  while (folders && *folders)
    {
      int length = (int) strcspn (folders, ":");

      if (length > 0
          && (size_t) snprintf (nvcc, sizeof nvcc, "%.*s/nvcc", length,
                                folders) < sizeof nvcc
          && access (nvcc, X_OK) == 0)
        {
          if (realpath (nvcc, target))
            {
              strip (target, 2);
              if (is_below (target, path, size))
                return 1;
            }
          strip (nvcc, 2);
          return is_below (nvcc, path, size);
        }
      folders += length + (folders[length] == ':');
    }
  return 0;
}

int
gt_device_runtime_find (const char *folder, char *path, size_t size, char *why,
                        size_t why_size)
{
  static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};

  if (folder)
    {
      if (is_below (folder, path, size))
        return 0;
      snprintf (why, why_size, "needs " ARCHIVE " of a CUDA Toolkit, which is"
                " not below %s", folder);
      return -1;
    }
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    {
      const char *root = getenv (variables[i]);

      if (root && *root && is_below (root, path, size))
        return 0;
    }
  if (is_beside_nvcc (path, size)
      || is_below ("/usr/local/cuda", path, size))
    return 0;
  snprintf (why, why_size, "needs " ARCHIVE " of a CUDA Toolkit: give its folder"
            " with --cuda=DIR");
  return -1;
}

/* -------------------------------------------------------------- Linking */

/* What went wrong, and the first line of what the linker said of it.  */
static int
failed_at (CUresult status, const char *path, char *log, char *why,
           size_t why_size)
{
  log[strcspn (log, "\n")] = '\0';
  snprintf (why, why_size, "cannot be linked with %s: %s%s%s", path,
            gt_gpus->error ((int) status), *log ? ": " : "", log);
  return -1;
}

int
gt_device_runtime_link (struct gt_open_gpu *gpu, const void *image, size_t bytes,
                        const char *path, CUlibrary *library, char *why,
                        size_t why_size)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *) (uintptr_t) sizeof log};
  CUlinkState link;
  void *linked;
  size_t size;
  CUresult status = driver->cuLinkCreate (2, options, values, &link);

  if (status != CUDA_SUCCESS)
    return failed_at (status, path, log, why, why_size);
  status = driver->cuLinkAddData (link, CU_JIT_INPUT_FATBINARY, (void *) image,
                                  bytes, "rung", 0, NULL, NULL);
  if (status == CUDA_SUCCESS)
    status = driver->cuLinkAddFile (link, CU_JIT_INPUT_LIBRARY, path, 0, NULL,
                                    NULL);
  if (status == CUDA_SUCCESS)
    status = driver->cuLinkComplete (link, &linked, &size);
  if (status == CUDA_SUCCESS)
    status = driver->cuLibraryLoadData (library, linked, NULL, NULL, 0, NULL,
                                        NULL, 0);
  driver->cuLinkDestroy (link);
  return status == CUDA_SUCCESS ? 0
                                : failed_at (status, path, log, why, why_size);
}
