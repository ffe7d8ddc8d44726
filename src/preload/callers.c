/* The objects of a process: GSL's library and the program.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/callers.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "src/preload/find.h"
#include "src/preload/guard.h"

void
gt_own_program (char *path, size_t size)
{
  char whole[PATH_MAX];
  const ssize_t length = readlink ("/proc/self/exe", whole, sizeof whole - 1);

  whole[length > 0 ? length : 0] = '\0';
  gt_counts_copy_end (path, size, whole);
}

int
gt_is_gsl_path (const char *path)
{
  const char *slash = strrchr (path, '/');

  return gt_is_gsl (slash ? slash + 1 : path);
}

int
gt_counts_enter (struct gt_counts_place *table, uint32_t n,
                 const struct gt_counts_place *place)
{
  for (uint32_t k = 0; k < n; k++)
    {
      struct gt_counts_place *const at = &table[k];
      uint32_t state = __atomic_load_n (&at->state, __ATOMIC_ACQUIRE);

      if (state == GT_COUNTS_FREE
          && __atomic_compare_exchange_n (&at->state, &state, GT_COUNTS_CLAIMED,
                                          0, __ATOMIC_ACQUIRE,
                                          __ATOMIC_ACQUIRE))
        {
          at->kind = place->kind;
          at->functions = place->functions;
          strcpy (at->object, place->object);
          strcpy (at->symbol, place->symbol);
          __atomic_store_n (&at->state, GT_COUNTS_READY, __ATOMIC_RELEASE);
          return (int) k;
        }
      if (state == GT_COUNTS_READY && at->kind == place->kind
          && strcmp (at->object, place->object) == 0)
        return (int) k;
    }
  return -1;
}

/* Returns whether the object of a call is GSL's library or this one.  Calls from this object
   are attributed to GSL: after a tail call from one GSL function to another, the return
   address is that of the first function's caller, our function of the same name.  The call may
   be the last instruction of its function, so the address before is looked up.  */
static int
is_in_gsl (const void *address)
{
  static const char here;
  struct gt_guard guard;
  Dl_info info, own;
  int is;

  gt_guard_begin (&guard);
  is = dladdr ((const char *) address - 1, &info) && info.dli_fname
       && (gt_is_gsl_path (info.dli_fname)
           || (dladdr (&here, &own) && own.dli_fbase == info.dli_fbase));
  gt_guard_end (&guard);
  return is;
}

int
gt_is_called_by_gsl (const void *address)
{
  static uint64_t known[1024]; /* twice an address, and whether it is GSL's */
  const uint64_t wanted = (uint64_t) (uintptr_t) address;
  uint64_t *const at = &known[(wanted * 0x9E3779B97F4A7C15u >> 40) % 1024];
  uint64_t there = __atomic_load_n (at, __ATOMIC_RELAXED);

  if (there >> 1 != wanted)
    {
      there = wanted << 1 | (uint64_t) is_in_gsl (address);
      __atomic_store_n (at, there, __ATOMIC_RELAXED);
    }
  return (int) (there & 1);
}
