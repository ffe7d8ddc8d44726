/* Calls of intercepted functions, which are passed to our function or to GSL's, except for the
   short path in call.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/call.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fpenv.h"
#include "src/preload/callers.h"
#include "src/preload/find.h"
#include "src/preload/guard.h"
#include "src/preload/own_mode.h"
#include "src/preload/watch.h"

struct gt_short_way gt_short_ways[GT_N_TAKEN];
_Thread_local char gt_inside __attribute__ ((tls_model ("initial-exec")));

/* The addresses of a function, ours and GSL's.  All threads find the same addresses, so it is
   harmless if two look them up at the same time.  */
static struct found
{
  struct gt_short_way way;
  char has_ours; /* whether it was looked up */
} found[GT_N_TAKEN];

/* Returns the smallest number of elements for which GSLTUNE_PRELOAD, which is read once,
   selects our function; gt_taken_choose defines the value.  */
static uint32_t
chosen_from (enum gt_taken_id id)
{
  static uint32_t from[GT_N_TAKEN];
  static char chosen;
  const char *list, *mode;
  uint32_t now[GT_N_TAKEN];

  if (!__atomic_load_n (&chosen, __ATOMIC_ACQUIRE))
    {
      list = secure_getenv ("GSLTUNE_PRELOAD");
      mode = secure_getenv ("GSLTUNE_MODE");
      gt_taken_choose (list, mode, now);
      for (int k = 0; k < GT_N_TAKEN; k++)
        __atomic_store_n (&from[k], now[k], __ATOMIC_RELAXED);
      if (!__atomic_exchange_n (&chosen, 1, __ATOMIC_ACQ_REL))
        gt_taken_notice (list, mode, secure_getenv ("GSLTUNE_LOG"));
    }
  return __atomic_load_n (&from[id], __ATOMIC_RELAXED);
}

/* The number of a function that stays with the program's own BLAS.  */
#define FROM_OF_OWN_BLAS (SIZE_MAX - 3)

static size_t
taken_from (enum gt_taken_id id)
{
  const uint32_t from = chosen_from (id);

  if (from >= GT_TAKEN_SIGNS)
    return SIZE_MAX - (GT_TAKEN_NEVER - from);
  if (from & GT_TAKEN_UNBOUND && gt_find_has_own_blas ())
    return FROM_OF_OWN_BLAS;
  return from & ~(GT_TAKEN_INSIDE | GT_TAKEN_UNBOUND);
}

int
gt_shows_signs (enum gt_taken_id id, size_t n, const void *caller)
{
  const uint32_t from = chosen_from (id);

  return from >= GT_TAKEN_INSIDE && from < GT_TAKEN_SIGNS && n >= (from & ~GT_TAKEN_INSIDE)
         && !gt_bound_is_ours (caller) && !gt_is_called_by_gsl (caller);
}

/* Looks up both functions.  Loading a library runs its constructors, which may call GSL:
   gt_inside makes these calls use GSL's own functions.  GSL's function is looked up first (see
   gt_find_gsl).  Ours is looked up only when a call needs it, so that a program without such
   calls loads no library.  If the program has no GSL, only our function is used.  */
static struct gt_short_way
find (enum gt_taken_id id, size_t n, const void *caller, int *for_all)
{
  struct gt_short_way way = {NULL, 0, NULL};
  const char inside = gt_inside;
  struct gt_guard guard;

  gt_guard_begin (&guard);
  gt_inside = 1;
  way.gsl = gt_find_gsl (gt_taken[id].symbol, caller, for_all);
  if (way.gsl)
    way.from = taken_from (id);
  if (gt_watch_wants_gsl () && way.from != FROM_OF_OWN_BLAS)
    way.from = SIZE_MAX;
  if (n >= way.from)
    way.ours = gt_find_ours (gt_taken[id].symbol);
  if (way.ours && gt_own_mode (id) < GT_OWN_NONE)
    gt_own_mode_prepare ();
  gt_bound_prepare (way.ours);
  if (way.gsl == NULL && way.ours == NULL)
    gt_find_failed (gt_taken[id].symbol);
  dlerror (); /* hides the error of a failed look-up from the program */
  gt_inside = inside;
  gt_guard_end (&guard);
  return way;
}

/* Stores the functions.  A thread that reads the member GSL sees the others, too.  */
static void
store (struct gt_short_way *to, void *gsl, const struct gt_short_way *way)
{
  __atomic_store_n (&to->from, way->from, __ATOMIC_RELAXED);
  if (way->ours)
    __atomic_store_n (&to->ours, way->ours, __ATOMIC_RELEASE);
  __atomic_store_n (&to->gsl, gsl, __ATOMIC_RELEASE);
}

static struct gt_short_way
find_once (enum gt_taken_id id, size_t n, const void *caller)
{
  struct found *to = &found[id];
  const int has_ours = __atomic_load_n (&to->has_ours, __ATOMIC_ACQUIRE);
  void *const gsl = __atomic_load_n (&to->way.gsl, __ATOMIC_ACQUIRE);
  struct gt_short_way way = {gsl ? gsl : gt_bound_known (id, caller), 0, NULL};
  int for_all;

  way.from = __atomic_load_n (&to->way.from, __ATOMIC_RELAXED);
  way.ours = __atomic_load_n (&to->way.ours, __ATOMIC_RELAXED);
  if (way.gsl && (n < way.from || has_ours))
    return way;
  way = find (id, n, caller, &for_all);
  store (&to->way, for_all ? way.gsl : NULL, &way);
  if (n >= way.from)
    __atomic_store_n (&to->has_ours, 1, __ATOMIC_RELEASE);
  if (gt_watching () == GT_WATCH_NOTHING)
    {
      struct gt_short_way is_short = way;

      if (gt_own_mode (id) < GT_OWN_NONE)
        is_short.ours = NULL;
      store (&gt_short_ways[id], for_all ? way.gsl : NULL, &is_short);
    }
  if (way.gsl && !for_all)
    {
      gt_bound_store (id, caller, way.gsl);
      gt_bound_is_short = gt_watching () == GT_WATCH_NOTHING;
    }
  return way;
}

size_t
gt_taken_here_from (enum gt_taken_id id)
{
  return __atomic_load_n (&found[id].way.from, __ATOMIC_RELAXED);
}

/* Returns the reason why GSL's function is called.  */
static enum gt_outcome
reason (const struct gt_short_way *way, int defined, size_t n)
{
  return defined == GT_SIGNED        ? GT_OUTCOME_SIGNS
         : way->from == SIZE_MAX     ? GT_OUTCOME_UNWANTED
         : way->from == SIZE_MAX - 1 ? GT_OUTCOME_SLOWER
         : way->from == SIZE_MAX - 2 ? GT_OUTCOME_SIGNS
         : way->from == FROM_OF_OWN_BLAS ? GT_OUTCOME_PROGRAM
         : !defined            ? GT_OUTCOME_UNDEFINED
         : gt_stays (way->from, defined, n) ? GT_OUTCOME_FEW
         : way->ours == NULL   ? GT_OUTCOME_NO_LIBRARY
                               : GT_OUTCOME_INSIDE;
}

/* The number of running factorisations that our function left to GSL's.  */
static _Thread_local char fallbacks __attribute__ ((tls_model ("initial-exec")));

/* Returns whether a call is made by one of our functions, or is a factorisation within one
   that our function left to GSL.  */
static int
is_inside (enum gt_taken_id id)
{
  return gt_inside || (fallbacks && id >= GT_FIRST_FACTOR);
}

static void *
enter_slowly (struct gt_call *call, int seen)
{
  const int defined = gt_fpenv_rounds_to_nearest () ? seen : GT_UNDEFINED;
  const struct gt_short_way way
    = find_once (call->id, call->n, gt_bound_caller (call->caller));

  call->is_ours = way.gsl == NULL
                  || (defined && !gt_stays (way.from, defined, call->n)
                      && way.ours != NULL && !is_inside (call->id));
  call->goes_back = gt_inside && call->id >= GT_FIRST_FACTOR && gt_bound_is_ours (call->caller);
  call->is_watched = gt_watching () != GT_WATCH_NOTHING && !call->goes_back;
  if (call->is_watched)
    {
      call->outcome = reason (&way, defined, call->n);
      gt_watch_begin (call);
    }
  gt_inside = (char) (gt_inside + call->is_ours - call->goes_back);
  fallbacks = (char) (fallbacks + call->goes_back);
  call->own_mode = call->is_ours ? gt_own_mode (call->id) : GT_OWN_NONE;
  if (call->own_mode < GT_OWN_NONE)
    call->mode_before = gt_own_mode_begin (call->own_mode);
  return call->is_ours ? way.ours : way.gsl;
}

/* Calls GSL's own function if the caller's rounding mode is not to nearest.  */
void *
gt_enter_elsewhere (struct gt_call *call, enum gt_taken_id id, int defined, size_t n,
                    const size_t *stride, const size_t *other)
{
  const struct gt_short_way *const way = &gt_short_ways[id];
  void *gsl = __atomic_load_n (&way->gsl, __ATOMIC_ACQUIRE);
  void *const ours = __atomic_load_n (&way->ours, __ATOMIC_ACQUIRE);

  if (gsl == NULL && gt_bound_is_short)
    gsl = gt_bound_quickly (id, call->caller);
  call->way = GT_TO_GSL;
  if (gsl != NULL && (gt_stays (way->from, defined, n) || (gt_inside && id < GT_FIRST_FACTOR)))
    return gsl;
  call->way = GT_TO_OURS;
  if (gsl != NULL && ours != NULL && !is_inside (id) && defined
      && gt_fpenv_rounds_to_nearest ())
    {
      gt_inside = 1;
      return ours;
    }
  call->way = GT_SLOWLY;
  call->id = id;
  call->n = n;
  call->stride[0] = *stride;
  call->stride[1] = other ? *other : *stride;
  return enter_slowly (call, defined);
}

static void
leave_slowly (const struct gt_call *call)
{
  if (call->own_mode < GT_OWN_NONE)
    gt_own_mode_end (call->mode_before);
  gt_inside = (char) (gt_inside - call->is_ours + call->goes_back);
  fallbacks = (char) (fallbacks - call->goes_back);
  if (call->is_watched)
    gt_watch_end (call);
}

void
gt_leave_elsewhere (struct gt_call *call)
{
  if (call->way == GT_TO_OURS)
    gt_inside = 0;
  else if (call->way == GT_SLOWLY)
    leave_slowly (call);
}
