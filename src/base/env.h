/* The environment, read once, when the library is loaded.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ENV_H
#define GT_ENV_H

#include <stdatomic.h>

#include "src/base/log.h"
#include "src/base/mode.h"
#include "src/base/setup.h"

enum gt_device_choice
{
  GT_CHOOSE_AUTO, /* as the profile decides */
  GT_CHOOSE_CPU,
  GT_CHOOSE_CUDA  /* GPU `ordinal', also for host data */
};

struct gt_env
{
  enum gt_device_choice device; /* GSLTUNE_DEVICE: auto, cpu, cuda, cuda:N */
  int ordinal;                  /* N; 0 for cuda */
  int all_gpus;                 /* cuda, without a number */
  const char *profile_dir;      /* GSLTUNE_PROFILE_DIR, absolute, or null */
  int threads;                  /* GSLTUNE_THREADS, else OMP_NUM_THREADS; 0 */
  int secure;                   /* AT_SECURE: no environment, no user profile,
                                   no CUDA */
  char ignored[256];            /* the first bad value, which the command refuses, or "" */
};
extern struct gt_env gt_env;

/* Takes the value of a variable, as when the library is loaded.  Returns 0, or -1 with
   `ignored' set, when it is not allowed.  */
int gt_env_set (const char *name, const char *value);

/* The mode that was chosen; the mode of vectors, and all ones if that is fast, else 0, so that
   a call costs one comparison more than GSL's.  */
struct gt_modes
{
  enum gt_mode chosen, mode;
  size_t fast_mask;
};
extern const struct gt_modes gt_modes_of[GT_N_CHOSEN_MODES];

/* The mode of the process, at first GSLTUNE_MODE, and the mode of the calling thread, which is
   the same unless the thread has its own.  With the initial-exec model the access is a load,
   without a call of the loader.  */
extern struct gt_modes gt_process_modes __attribute__ ((visibility ("hidden")));
extern _Thread_local const struct gt_modes *gt_thread_modes
  __attribute__ ((visibility ("hidden"), tls_model ("initial-exec")));
void gt_set_mode (enum gt_mode mode);

/* Returns the mode of vectors in the calling thread: fast or exact.  */
static inline enum gt_mode
gt_mode_now (void)
{
  return __atomic_load_n (&gt_thread_modes->mode, __ATOMIC_RELAXED);
}

static inline enum gt_mode
gt_mode_chosen (void)
{
  return __atomic_load_n (&gt_thread_modes->chosen, __ATOMIC_RELAXED);
}

/* Checks whether products of matrices are fast in the calling thread.  */
static inline int
gt_products_are_fast (void)
{
  return gt_mode_has_fast_products (gt_mode_chosen ());
}

static inline size_t
gt_fast_mask (void)
{
  return __atomic_load_n (&gt_thread_modes->fast_mask, __ATOMIC_RELAXED);
}

/* The most bytes of scratch memory that the library keeps on each GPU, and of
   pinned memory on the host: GSLTUNE_SCRATCH, gsltune_set_scratch_limit.  */
#define GT_SCRATCH_BYTES ((size_t) 64 << 20)
extern _Atomic size_t gt_scratch_limit;

#endif
