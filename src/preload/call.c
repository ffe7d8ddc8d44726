/* How a taken function calls ours or GSL's: what is not the short way.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/call.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "src/preload/find.h"
#include "src/preload/guard.h"
#include "src/preload/watch.h"

void *gt_short_way[GT_N_TAKEN];
_Thread_local char gt_inside __attribute__ ((tls_model ("initial-exec")));

/* What was found of a function.  All threads find the same, so it does no harm if two
   look at once.  */
struct found
{
  void *ours; /* null: not there, or not wanted */
  void *gsl;  /* null: the program has no GSL; then there is ours */
  char unwanted;
  char done;
};

static struct found found[GT_N_TAKEN];

/* Whether GSLTUNE_PRELOAD, which is read once, wants the function.  */
static int
is_wanted (enum gt_taken_id id)
{
  static char wanted[GT_N_TAKEN], chosen;
  const char *list;
  char now[GT_N_TAKEN];

  if (!__atomic_load_n (&chosen, __ATOMIC_ACQUIRE))
    {
      list = secure_getenv ("GSLTUNE_PRELOAD");
      gt_taken_choose (list, now);
      for (int k = 0; k < GT_N_TAKEN; k++)
        __atomic_store_n (&wanted[k], now[k], __ATOMIC_RELAXED);
      if (!__atomic_exchange_n (&chosen, 1, __ATOMIC_ACQ_REL))
        gt_taken_notice (list, secure_getenv ("GSLTUNE_LOG"));
    }
  return __atomic_load_n (&wanted[id], __ATOMIC_RELAXED);
}

/* Libraries that are loaded have constructors, which may call GSL: they get GSL's own
   functions.  */
static struct found
find (enum gt_taken_id id)
{
  struct found f = {NULL, NULL, 0, 0};
  const char inside = gt_inside;
  struct gt_guard guard;

  gt_guard_begin (&guard);
  gt_inside = 1;
  f.gsl = gt_find_gsl (gt_taken[id].symbol);
  f.unwanted = !is_wanted (id);
  if (f.gsl == NULL || !f.unwanted)
    f.ours = gt_find_ours (gt_taken[id].symbol);
  if (f.gsl == NULL && f.ours == NULL)
    gt_find_failed (gt_taken[id].symbol);
  dlerror (); /* the program shall not see what was not found */
  gt_inside = inside;
  gt_guard_end (&guard);
  return f;
}

static struct found
find_once (enum gt_taken_id id)
{
  struct found *to = &found[id], f;

  if (__atomic_load_n (&to->done, __ATOMIC_ACQUIRE))
    {
      f.gsl = __atomic_load_n (&to->gsl, __ATOMIC_RELAXED);
      f.ours = __atomic_load_n (&to->ours, __ATOMIC_RELAXED);
      f.unwanted = __atomic_load_n (&to->unwanted, __ATOMIC_RELAXED);
      return f;
    }
  f = find (id);
  __atomic_store_n (&to->gsl, f.gsl, __ATOMIC_RELAXED);
  __atomic_store_n (&to->ours, f.ours, __ATOMIC_RELAXED);
  __atomic_store_n (&to->unwanted, f.unwanted, __ATOMIC_RELAXED);
  __atomic_store_n (&to->done, 1, __ATOMIC_RELEASE);
  if (gt_watching () == GT_WATCH_NOTHING)
    __atomic_store_n (&gt_short_way[id], f.ours, __ATOMIC_RELEASE);
  return f;
}

/* Why GSL's function is called, where it is.  */
static enum gt_outcome
reason (const struct found *f, int defined)
{
  return f->ours == NULL ? f->unwanted ? GT_OUTCOME_UNWANTED
                                       : GT_OUTCOME_NO_LIBRARY
         : !defined      ? GT_OUTCOME_UNDEFINED
                         : GT_OUTCOME_INSIDE;
}

void *
gt_enter_slowly (struct gt_call *call, int defined)
{
  const struct found f = find_once (call->id);

  call->is_ours = f.gsl == NULL
                  || (defined && f.ours != NULL && !gt_inside
                      && gt_watching () != GT_WATCH_COUNT);
  call->is_watched = gt_watching () != GT_WATCH_NOTHING;
  if (call->is_watched)
    {
      call->outcome = reason (&f, defined);
      gt_watch_begin (call);
    }
  gt_inside = (char) (gt_inside + call->is_ours);
  return call->is_ours ? f.ours : f.gsl;
}

void
gt_leave_slowly (const struct gt_call *call)
{
  gt_inside = (char) (gt_inside - call->is_ours);
  if (call->is_watched)
    gt_watch_end (call);
}
