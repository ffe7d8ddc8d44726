/* Who calls.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/callers.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "src/preload/find.h"
#include "src/preload/guard.h"

/* A cache of addresses in this process.  A thread claims an address first and stores next what
   it leads to; until then others look for themselves.  */
enum
{
  N_KNOWN = 8192,
  PROBES = 32
};

static struct
{
  uintptr_t address; /* 0: free */
  uint64_t caller;   /* 0: not stored yet; else 1, is_gsl, and the number */
} known[N_KNOWN];

#define STORED ((uint64_t) 1 << 33)
#define IS_GSL ((uint64_t) 1 << 32)

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

/* Whether an address of the object at BASE is the program's own, which is so if its headers
   lie where the kernel says.  The loader's name of it may be anything.  */
static int
is_program (const void *base)
{
  Dl_info info;
  const uintptr_t headers = getauxval (AT_PHDR);

  return headers && dladdr ((void *) headers, &info)
         && info.dli_fbase == base;
}

static int
find_gsl (struct dl_phdr_info *info, size_t size, void *to)
{
  (void) size;
  if (!gt_is_gsl_path (info->dlpi_name))
    return 0;
  *(const char **) to = info->dlpi_name;
  return 1;
}

/* The name of the object that an address is in.  Calls from this one are GSL's: a
   function of GSL's that ends with the call of another leaves the way back to its own
   caller, which is this object's function of its name.  */
static const char *
object_of (const Dl_info *info)
{
  static const char here;
  Dl_info own;
  const char *gsl = NULL;

  if (dladdr (&here, &own) && own.dli_fbase == info->dli_fbase)
    dl_iterate_phdr (find_gsl, &gsl);
  return gsl ? gsl : info->dli_fname;
}

static int
describe (const void *address, struct gt_counts_place *caller)
{
  /* The call itself may be the last instruction of its function.  */
  const char *call = (const char *) address - 1;
  const char *object;
  Dl_info info;

  strcpy (caller->object, "?");
  caller->symbol[0] = '\0';
  if (!dladdr (call, &info) || info.dli_fname == NULL)
    return 0;
  object = object_of (&info);
  if (is_program (info.dli_fbase))
    gt_own_program (caller->object, sizeof caller->object);
  else
    gt_counts_copy_end (caller->object, sizeof caller->object, object);
  if (info.dli_sname)
    snprintf (caller->symbol, sizeof caller->symbol, "%s", info.dli_sname);
  else
    snprintf (caller->symbol, sizeof caller->symbol, "+0x%lx",
              (unsigned long) (call - (const char *) info.dli_fbase));
  return gt_is_gsl_path (object);
}

/* FNV-1a, by Fowler, Noll and Vo.  */
static uint32_t
hash (uint32_t seed, const char *text)
{
  for (; *text; text++)
    seed = (seed ^ (unsigned char) *text) * 16777619u;
  return seed;
}

int
gt_counts_enter (struct gt_counts_place *table, uint32_t n, uint32_t first,
                 const struct gt_counts_place *place, int any_symbol)
{
  for (uint32_t k = 0; k < n; k++)
    {
      const uint32_t i = (first + k) % n;
      struct gt_counts_place *const at = &table[i];
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
          return (int) i;
        }
      if (state == GT_COUNTS_READY && at->kind == place->kind
          && (any_symbol || strcmp (at->symbol, place->symbol) == 0)
          && strcmp (at->object, place->object) == 0)
        return (int) i;
    }
  return -1;
}

/* The number of CALLER in the table, 0 if there is no room.  */
static uint32_t
number_of (struct gt_counts *counts, const struct gt_counts_place *caller)
{
  const uint32_t first
    = hash (hash (2166136261u, caller->object), caller->symbol);

  return 1 + (uint32_t) gt_counts_enter (gt_counts_callers (counts) + 1,
                                         counts->n_callers - 1,
                                         first % (counts->n_callers - 1),
                                         caller, 0);
}

static uint64_t
look_up (struct gt_counts *counts, const void *address)
{
  struct gt_counts_place caller = {.kind = 0};
  struct gt_guard guard;
  uint64_t found;

  gt_guard_begin (&guard);
  found = STORED | (describe (address, &caller) ? IS_GSL : 0);
  found |= number_of (counts, &caller);
  gt_guard_end (&guard);
  return found;
}

struct gt_caller
gt_caller_at (struct gt_counts *counts, const void *address)
{
  const uintptr_t wanted = (uintptr_t) address;
  uint64_t caller = 0;

  for (unsigned k = 0; caller == 0 && k < PROBES; k++)
    {
      const size_t i = ((wanted * 0x9E3779B97F4A7C15u >> 40) + k) % N_KNOWN;
      uintptr_t there = __atomic_load_n (&known[i].address, __ATOMIC_RELAXED);

      if (there == 0
          && __atomic_compare_exchange_n (&known[i].address, &there, wanted, 0,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        {
          caller = look_up (counts, address);
          __atomic_store_n (&known[i].caller, caller, __ATOMIC_RELAXED);
        }
      else if (there == wanted)
        {
          caller = __atomic_load_n (&known[i].caller, __ATOMIC_RELAXED);
          break;
        }
    }
  if (caller == 0)
    caller = look_up (counts, address);
  return (struct gt_caller) {(uint32_t) caller, (caller & IS_GSL) != 0};
}
