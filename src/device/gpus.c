/* The GPUs of this process.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/device/gpus.h"

#include <fenv.h>
#include <stdlib.h>

#include "src/base/env.h"
#include "src/base/log.h"

/* ---------------------------------------------------------- Which there are */

static struct gt_device *devices;
static int n_devices;
static const char *reason;

/* Logs the reason why no GPU is used, if one was requested or could be used.  */
static void
say_why_none (void)
{
  int named = gt_env.device != GT_CHOOSE_CUDA || gt_env.all_gpus;

  for (int i = 0; i < n_devices; i++)
    named |= devices[i].gpu.ordinal == gt_env.ordinal;
  if (n_devices == 0)
    gt_log (GT_LOG_DEBUG, "no GPU is used: %s", reason);
  else if (!named)
    gt_log (GT_LOG_DEBUG, "no GPU is used: none that can be has the number %d,"
                          " which GSLTUNE_DEVICE names", gt_env.ordinal);
}

/* Drivers are not written for programs that trap floating-point exceptions.  */
static void
discover_calmly (void)
{
  fenv_t caller;

  fegetenv (&caller);
  fesetenv (FE_DFL_ENV);
  n_devices = gt_gpus->discover (&devices, &reason);
  say_why_none ();
  fesetenv (&caller);
}

int
gt_gpu_count (const char **why)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;

  /* In a child, a setup that another thread of the parent has not finished remains
     unfinished.  */
  if (!gt_in_child ())
    pthread_once (&once, discover_calmly);
  if (why != NULL && n_devices == 0)
    *why = gt_in_child () ? "not used in a child of fork()" : reason;
  return n_devices;
}

const struct gt_device *
gt_gpu_device (int index)
{
  return index >= 0 && index < gt_gpu_count (NULL) ? &devices[index] : NULL;
}

int
gt_gpu_index (int ordinal)
{
  int count = gt_gpu_count (NULL);

  for (int i = 0; i < count; i++)
    if (devices[i].gpu.ordinal == ordinal)
      return i;
  return -1;
}

int
gt_gpu_chosen_index (void)
{
  if (gt_env.device == GT_CHOOSE_CUDA && !gt_env.all_gpus)
    return gt_gpu_index (gt_env.ordinal);
  return gt_gpu_count (NULL) > 0 ? 0 : -1;
}

/* -------------------------------------------------------------- Opened ones */

static struct
{
  struct gt_open_gpu *gpu; /* null: it could not be opened */
  const char *why;
} *opened; /* by index */
static _Atomic size_t room;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;

static void
make_room (void)
{
  size_t count = (size_t) gt_gpu_count (NULL);

  pthread_mutex_lock (&open_lock);
  opened = calloc (count + 1, sizeof *opened);
  room = opened ? count : 0;
  pthread_mutex_unlock (&open_lock);
}

struct gt_open_gpu *
gt_gpu_open (int index, const char **why)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const char *trouble = NULL;
  struct gt_open_gpu *gpu = NULL;

  if (gt_in_child ())
    trouble = "not used in a child of fork()";
  else if (index >= gt_gpu_count (&trouble) || index < 0)
    trouble = trouble ? trouble : "there is no GPU of that number";
  else
    {
      pthread_once (&once, make_room);
      if (opened)
        {
          pthread_mutex_lock (&open_lock);
          if (opened[index].gpu == NULL && opened[index].why == NULL)
            opened[index].gpu
              = gt_gpus->open (&devices[index], &opened[index].why);
          gpu = opened[index].gpu;
          trouble = opened[index].why;
          pthread_mutex_unlock (&open_lock);
        }
    }
  if (gpu && !gt_gpus->usable (gpu))
    {
      trouble = "an earlier error has ended its context";
      gpu = NULL;
    }
  if (why)
    *why = trouble;
  return gpu;
}

struct gt_open_gpu *
gt_gpu_chosen (const char **why)
{
  if (gt_env.device == GT_CHOOSE_CPU)
    {
      if (why)
        *why = "GSLTUNE_DEVICE is cpu";
      return NULL;
    }
  return gt_gpu_open (gt_gpu_chosen_index (), why);
}

/* Returns the GPU that was opened at INDEX, even if it has failed since, or null.  */
static struct gt_open_gpu *
opened_at (int index)
{
  struct gt_open_gpu *gpu = NULL;

  pthread_mutex_lock (&open_lock);
  if (index >= 0 && (size_t) index < room)
    gpu = opened[index].gpu;
  pthread_mutex_unlock (&open_lock);
  return gpu;
}

struct gt_open_gpu *
gt_gpu_chosen_opened (void)
{
  if (gt_in_child () || gt_env.device == GT_CHOOSE_CPU)
    return NULL;
  return opened_at (gt_gpu_chosen_index ());
}

int
gt_gpu_index_of (const struct gt_open_gpu *gpu)
{
  return (int) (gt_gpus->device_of (gpu) - devices);
}

void
gt_gpu_trim_all (void)
{
  for (size_t i = 0; i < room && !gt_in_child (); i++)
    {
      struct gt_open_gpu *gpu = opened_at ((int) i);

      if (gpu)
        gt_gpus->trim (gpu);
    }
}
