/* The GSL that a caller is bound to.  If GSL is in the global scope, all callers are bound to
   that one.  Otherwise it is the GSL that the caller's object was linked with.  A process may
   have several, for example plug-ins such as Python wheels that each contain one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BOUND_H
#define GT_BOUND_H

#include "src/preload/taken.h"

/* Returns the address that a call from CALLER is attributed to: CALLER itself, unless it is in
   this object or in libgsltune.  That is the case after a tail call from one GSL function to
   another, or if one of our functions calls GSL's; then the result is the previous caller in
   this thread.  */
const void *gt_bound_caller (const void *caller);

/* Stores the addresses of this object and of that of OURS, which may be null.  */
void gt_bound_prepare (const void *ours);

/* Returns whether CALLER is in libgsltune.  */
int gt_bound_is_ours (const void *caller);

/* Whether gt_bound_quickly is called before the full look-up.  */
extern char gt_bound_is_short;

/* GSL's own functions for calls from an address; function and address form the key.  The
   function is stored before its key, by one thread at a time.  A reader compares the key
   before and after it reads the function.  */
enum
{
  GT_BOUND_PLACES = 4096,
  GT_BOUND_BITS_OF_ID = 12
};
extern struct gt_bound_entry
{
  uint64_t key; /* 0: free */
  void *function;
} gt_bound_entries[GT_BOUND_PLACES];
_Static_assert (GT_N_TAKEN < 1 << GT_BOUND_BITS_OF_ID, "GT_BOUND_BITS_OF_ID");

/* The last caller in this thread that gt_bound_caller returned unchanged.  */
extern _Thread_local const void *gt_bound_last __attribute__ ((tls_model ("initial-exec")));

static inline uint64_t
gt_bound_key (enum gt_taken_id id, const void *caller)
{
  return (uint64_t) (uintptr_t) caller << GT_BOUND_BITS_OF_ID | (uint64_t) id;
}

static inline size_t
gt_bound_place (uint64_t key, size_t probe)
{
  return ((key * 0x9E3779B97F4A7C15u >> 40) + probe) % GT_BOUND_PLACES;
}

static inline void *
gt_bound_at (size_t place, uint64_t key)
{
  const struct gt_bound_entry *const entry = &gt_bound_entries[place];
  const uint64_t before = __atomic_load_n (&entry->key, __ATOMIC_ACQUIRE);
  void *const function = __atomic_load_n (&entry->function, __ATOMIC_ACQUIRE);

  return before == key && __atomic_load_n (&entry->key, __ATOMIC_RELAXED) == key ? function
                                                                                 : NULL;
}

/* gt_bound_known returns GSL's own function for calls from CALLER if it was stored, otherwise
   null.  All entries are removed when an object is closed.  gt_bound_quickly tries only the
   first place before that.  */
void *gt_bound_known (enum gt_taken_id id, const void *caller);
static inline void *
gt_bound_quickly (enum gt_taken_id id, const void *caller)
{
  const uint64_t key = gt_bound_key (id, caller);
  void *const function = gt_bound_at (gt_bound_place (key, 0), key);

  if (function)
    gt_bound_last = caller;
  return function ? function : gt_bound_known (id, caller);
}

/* Stores FUNCTION as GSL's own for calls from CALLER.  */
void gt_bound_store (enum gt_taken_id id, const void *caller, void *function);

#endif
