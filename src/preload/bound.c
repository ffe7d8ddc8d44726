/* The GSL that a caller is bound to.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#pragma GCC visibility push(default)
#include <dlfcn.h>
#include <gsl/gsl_errno.h>
#pragma GCC visibility pop

#include "src/preload/bound.h"

#include <errno.h>
#include <link.h>

#include "src/preload/find.h"
#include "src/preload/guard.h"

/* ----------------------------------------------------------------- Callers */

/* The addresses of an object: of this one, and of libgsltune.  */
static struct range
{
  uintptr_t begin, end;
} own, library;

_Thread_local const void *gt_bound_last __attribute__ ((tls_model ("initial-exec")));

/* Extends the range at CLOSURE to the object that contains its beginning.  */
static int
widen (struct dl_phdr_info *object, size_t size, void *closure)
{
  struct range *const of = closure;
  struct range whole = {UINTPTR_MAX, 0};

  (void) size;
  for (int k = 0; k < object->dlpi_phnum; k++)
    if (object->dlpi_phdr[k].p_type == PT_LOAD)
      {
        const uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[k].p_vaddr;
        const uintptr_t end = begin + object->dlpi_phdr[k].p_memsz;

        whole.begin = begin < whole.begin ? begin : whole.begin;
        whole.end = end > whole.end ? end : whole.end;
      }
  if (of->begin < whole.begin || of->begin >= whole.end)
    return 0;
  *of = whole;
  return 1;
}

/* Stores the range of the object at ADDRESS; neither object is ever unloaded.  The end is
   stored first, so that the range is empty until the beginning follows.  */
static void
find_range (struct range *to, const void *address)
{
  struct range found = {(uintptr_t) address, 0};

  if (address == NULL || __atomic_load_n (&to->begin, __ATOMIC_RELAXED)
      || !dl_iterate_phdr (widen, &found))
    return;
  __atomic_store_n (&to->end, found.end, __ATOMIC_RELAXED);
  __atomic_store_n (&to->begin, found.begin, __ATOMIC_RELEASE);
}

static int
is_in (const struct range *of, const void *address)
{
  const uintptr_t begin = __atomic_load_n (&of->begin, __ATOMIC_ACQUIRE);

  return begin && (uintptr_t) address >= begin
         && (uintptr_t) address < __atomic_load_n (&of->end, __ATOMIC_RELAXED);
}

void
gt_bound_prepare (const void *ours)
{
  find_range (&own, &own);
  find_range (&library, ours);
}

int
gt_bound_is_ours (const void *caller)
{
  return is_in (&library, caller);
}

const void *
gt_bound_caller (const void *caller)
{
  if (!is_in (&own, caller) && !is_in (&library, caller))
    gt_bound_last = caller;
  return gt_bound_last;
}

/* ------------------------------------------------------------ Known functions */

/* An entry is in one of PROBES consecutive places.  */
enum { PROBES = 8 };

struct gt_bound_entry gt_bound_entries[GT_BOUND_PLACES];
char gt_bound_is_short;

static void *
look_for (uint64_t key)
{
  void *function = NULL;

  for (size_t k = 0; k < PROBES && function == NULL; k++)
    function = gt_bound_at (gt_bound_place (key, k), key);
  return function;
}

/* Returns the function for CALLER, or for the caller that the call is attributed to: no
   entries are stored for calls from this object and from libgsltune.  */
void *
gt_bound_known (enum gt_taken_id id, const void *caller)
{
  void *const function = look_for (gt_bound_key (id, caller));

  if (function)
    gt_bound_last = caller;
  return function ? function : look_for (gt_bound_key (id, gt_bound_caller (caller)));
}

void
gt_bound_store (enum gt_taken_id id, const void *caller, void *function)
{
  static char storing;
  const uint64_t key = gt_bound_key (id, caller);
  struct gt_bound_entry *entry = &gt_bound_entries[gt_bound_place (key, 0)];

  if (__atomic_exchange_n (&storing, 1, __ATOMIC_ACQUIRE))
    return; /* the next call looks the function up again */
  for (size_t k = 1; k < PROBES && __atomic_load_n (&entry->key, __ATOMIC_RELAXED); k++)
    entry = &gt_bound_entries[gt_bound_place (key, k)];
  __atomic_store_n (&entry->key, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&entry->function, function, __ATOMIC_RELEASE);
  __atomic_store_n (&entry->key, key, __ATOMIC_RELEASE);
  __atomic_store_n (&storing, 0, __ATOMIC_RELEASE);
}

/* ---------------------------------------------------- Interposed functions */

static void
forget (void)
{
  for (size_t k = 0; k < GT_BOUND_PLACES; k++)
    if (__atomic_load_n (&gt_bound_entries[k].key, __ATOMIC_RELAXED))
      __atomic_store_n (&gt_bound_entries[k].key, 0, __ATOMIC_RELEASE);
}

/* Replaces the C library's function: an object that is opened later may be at the address of
   the closed one.  */
int
dlclose (void *handle)
{
  int status;

  forget ();
  status = gt_find_close (handle);
  forget ();
  return status;
}

/* Replaces GSL's function: errors that our functions report are passed to the handler of the
   GSL that their caller is bound to.  */
void
gsl_error (const char *reason, const char *file, int line, int code)
{
  const void *const caller = gt_bound_caller (__builtin_return_address (0));
  struct gt_guard guard;
  int for_all;
  void (*report) (const char *, const char *, int, int);

  gt_guard_begin (&guard);
  gt_bound_prepare (NULL);
  report = (void (*) (const char *, const char *, int, int)) gt_find_gsl ("error", caller, &for_all);
  gt_guard_end (&guard);
  if (report == NULL)
    gt_find_failed ("error");
  report (reason, file, line, code);
}
