/* Watches a program's calls.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/preload/callers.h"
#include "src/preload/counts.h"
#include "src/preload/find.h"
#include "src/preload/guard.h"
#include "src/preload/sample.h"
#include "src/preload/unreached.h"

/* Reading a clock takes longer than a short call: 20 ns for the time of day, ten times as long
   for a thread's CPU time, which does not run while other threads have the processor.  GSL's
   functions run on one thread, so CPU time is used for their calls, unless they are too
   short.  */
enum
{
  SHORT = 4096,   /* for fewer elements, one call in 64 is timed */
  LONG = 65536,   /* for fewer elements, one in 8; otherwise all */
  FIRST = 16,     /* the number of calls of each bucket that are always timed */
  INTERRUPTED = 10000 /* nanoseconds, see is_plausible */
};

static struct gt_counts *counts;
static enum gt_watch watching;
static atomic_char wants_gsl;
static uint64_t cost_of_clock[2]; /* nanoseconds; [1]: of the thread's clock */
static char counted;        /* whether this process has been counted */

/* The outermost counted call of this thread.  If an error handler leaves the call by a jump,
   this remains set, and if the jump leaves a coroutine, for ever; its stack may then no longer
   exist, so all data that is needed of the call is here.  */
static _Thread_local struct
{
  const struct gt_call *call; /* only compared, never dereferenced */
  char timed, thread_clock;   /* the latter is by_thread_clock's value */
  uint64_t spent_within; /* nanoseconds of a timed call that were spent on watching the calls
                            within it: for GSL's variance of few elements, which calls two
                            other functions, the larger part */
} outermost __attribute__ ((tls_model ("initial-exec")));

#define ADD(counter, x) __atomic_fetch_add (counter, x, __ATOMIC_RELAXED)

static uint64_t
now (int of_thread)
{
  struct timespec t;

  clock_gettime (of_thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* --------------------------------------------------------------- Opening */

/* Returns the memory at PATH, or null if it is invalid.  */
static struct gt_counts *
map (const char *path)
{
  const int fd = open (path, O_RDWR | O_CLOEXEC);
  struct gt_counts *memory = MAP_FAILED;
  struct stat file;

  if (fd < 0)
    return NULL;
  errno = EINVAL;
  if (fstat (fd, &file) == 0 && S_ISREG (file.st_mode)
      && (size_t) file.st_size >= sizeof *memory)
    memory = mmap (NULL, (size_t) file.st_size, PROT_READ | PROT_WRITE,
                   MAP_SHARED, fd, 0);
  close (fd);
  if (memory == MAP_FAILED)
    return NULL;
  if (memcmp (memory->magic, GT_COUNTS_MAGIC, sizeof memory->magic) == 0
      && memory->size_of_slot == sizeof (struct gt_counts_slot)
      && memory->n_functions == GT_N_TAKEN && memory->n_libraries > 1
      && memory->n_samples > 0
      && gt_counts_bytes (memory) <= (size_t) file.st_size)
    return memory;
  munmap (memory, (size_t) file.st_size);
  errno = EINVAL;
  return NULL;
}

static void
forked (void)
{
  counted = 0;
  gt_sample_begin (counts);
}

static void
measure_clocks (void)
{
  for (int c = 0; c < 2; c++)
    {
      uint64_t least = UINT64_MAX;

      for (int k = 0; k < 32; k++)
        {
          const uint64_t start = now (c), end = now (c);

          if (end - start < least)
            least = end - start;
        }
      cost_of_clock[c] = least;
    }
}

/* Reports an error.  Counting fails if another user runs the program, or if it runs in a PID
   namespace of its own.  The report prevents the lack of figures from being mistaken for
   figures.  */
static void
tell_that_it_failed (int error)
{
  fprintf (stderr, "gsltune: the calls of this program are not counted: what gsltune run"
           " shares with it cannot be opened: %s\n", strerror (error));
}

static enum gt_watch
begin_watching (void)
{
  static const struct
  {
    const char *word;
    enum gt_watch watch;
  } words[] = {{"count:/", GT_WATCH_COUNT}, {"report:/", GT_WATCH_REPORT}};
  const char *value = secure_getenv (GT_WATCH_VARIABLE);
  struct gt_counts *memory;

  for (size_t k = 0; value && k < sizeof words / sizeof *words; k++)
    {
      const size_t length = strlen (words[k].word);

      if (strncmp (value, words[k].word, length) != 0)
        continue;
      wants_gsl = words[k].watch == GT_WATCH_COUNT;
      memory = map (value + length - 1);
      if (memory)
        {
          measure_clocks ();
          __atomic_store_n (&counts, memory, __ATOMIC_RELAXED);
          return words[k].watch;
        }
      tell_that_it_failed (errno);
    }
  return GT_WATCH_NOTHING;
}

/* If two threads call this at the same time, both map the memory, which is harmless.  */
enum gt_watch
gt_watching (void)
{
  enum gt_watch w = __atomic_load_n (&watching, __ATOMIC_ACQUIRE);

  if (__builtin_expect (w == GT_WATCH_UNKNOWN, 0))
    {
      w = begin_watching ();
      __atomic_store_n (&watching, w, __ATOMIC_RELEASE);
    }
  return w;
}

int
gt_watch_wants_gsl (void)
{
  gt_watching ();
  return wants_gsl;
}

/* Counts programs that never call GSL, too, so that `gsltune run' can distinguish them from
   those that have not loaded the object.  */
__attribute__ ((constructor)) static void
loaded (void)
{
  if (gt_watching () == GT_WATCH_NOTHING)
    return;
  ADD (&counts->loaded, 1);
  pthread_atfork (NULL, NULL, forked);
  gt_sample_begin (counts);
}

__attribute__ ((destructor)) static void
unloaded (void)
{
  if (gt_watching () != GT_WATCH_NOTHING)
    gt_note_unreached (counts);
}

/* -------------------------------------------------------------- Counting */

/* Returns whether the call is made within a counted call.  Only GSL's own functions call other
   intercepted functions.  */
static int
is_nested (const struct gt_call *call)
{
  return outermost.call && call < outermost.call && gt_is_called_by_gsl (call->caller);
}

/* Returns this thread's number; numbers are assigned cyclically from 0.  */
static unsigned
stripe (void)
{
  static uint32_t threads;
  static _Thread_local uint32_t own /* plus 1 */
    __attribute__ ((tls_model ("initial-exec")));

  if (own == 0)
    own = 1 + ADD (&threads, 1) % GT_COUNTS_STRIPES;
  return own - 1;
}

static void
count_strides (struct gt_counts_bucket *bucket, const size_t stride[2])
{
  ADD (&bucket->strided, 1);
  ADD (&bucket->strides[0], stride[0]);
  ADD (&bucket->strides[1], stride[1]);
}

/* Returns the number of calls that a timed call represents, or 0 for one that is not timed.
   The multiples of the golden ratio modulo 1 are evenly distributed, and have no period that a
   program might have, too.  */
static unsigned
weight_of (uint64_t earlier, size_t n)
{
  const unsigned sparse = n < SHORT ? 64 : 8;

  if (n >= LONG || earlier < FIRST)
    return 1;
  return (uint32_t) earlier * 0x9E3779B9u < UINT32_MAX / sparse + 1 ? sparse
                                                                    : 0;
}

/* Returns whether TAKEN is plausible for a short call.  If it is not, the thread has lost the
   processor in the meantime, and one such call, which represents 64, would outweigh all
   others.  */
static int
is_plausible (const struct gt_call *call, uint64_t taken)
{
  const uint64_t timed
    = __atomic_load_n (&call->bucket->timed, __ATOMIC_RELAXED);
  const uint64_t before
    = __atomic_load_n (&call->bucket->nanoseconds, __ATOMIC_RELAXED);

  return call->n >= SHORT || timed < FIRST
         || taken <= INTERRUPTED + 16 * (before / timed);
}

static int
by_thread_clock (const struct gt_call *call)
{
  return call->n >= SHORT && watching == GT_WATCH_COUNT;
}

static void
add_time (const struct gt_call *call)
{
  const int c = by_thread_clock (call);
  const uint64_t taken = now (c) - call->start;
  const uint64_t watching_it
    = cost_of_clock[c]
      + (outermost.call == call ? outermost.spent_within : 0);
  const uint64_t own = taken > watching_it ? taken - watching_it : 0;

  if (!is_plausible (call, own))
    return;
  ADD (&call->bucket->timed, call->weight);
  ADD (&call->bucket->nanoseconds, call->weight * own);
}

/* Returns the route of the library's last computation in this thread, and stores the number of
   planned ones; returns null if the library lacks the function.  */
static const char *
last_route (unsigned long *planned)
{
  static const char *(*ask) (unsigned long *);
  const char *(*f) (unsigned long *) = __atomic_load_n (&ask, __ATOMIC_RELAXED);

  *planned = 0;
  if (f == NULL)
    {
      struct gt_guard guard;

      gt_guard_begin (&guard);
      f = gt_find_ours ("last_route");
      gt_guard_end (&guard);
      __atomic_store_n (&ask, f, __ATOMIC_RELAXED);
    }
  return f ? f (planned) : NULL;
}

static enum gt_outcome
outcome_of (const struct gt_call *call)
{
  static const char *const routes[]
    = {"cpu", "direct", "copy", "staged", "split", "blas", "tiles", "program"};
  unsigned long planned;
  const char *route;

  if (!call->is_ours)
    return call->outcome;
  route = last_route (&planned);
  for (unsigned k = 0; planned != call->planned
                       && k < sizeof routes / sizeof *routes; k++)
    if (strcmp (route, routes[k]) == 0)
      return GT_OUTCOME_CPU + k;
  return GT_OUTCOME_IN_PLACE;
}

int
gt_watch_is_within (void)
{
  return outermost.call != NULL;
}

/* Returns the time at which watching a call within a timed one began; 0 if there is no timed
   call.  */
static uint64_t
enter_within (const struct gt_call *call)
{
  return outermost.call && outermost.call != call && outermost.timed
           ? now (outermost.thread_clock) : 0;
}

static void
leave_within (const struct gt_call *call, uint64_t entered)
{
  const int c = outermost.thread_clock;

  if (entered == 0)
    return;
  outermost.spent_within += now (c) - entered + cost_of_clock[c];
  if (call->weight)
    outermost.spent_within += cost_of_clock[by_thread_clock (call)];
}

void
gt_watch_begin (struct gt_call *call)
{
  const uint64_t entered = enter_within (call);
  const int nested = is_nested (call);
  struct gt_counts_bucket *bucket;

  call->slot = gt_counts_slots (counts) + gt_counts_slot_of (call->id, nested, stripe ());
  bucket = &call->slot->bucket[gt_counts_bucket_of (call->n)];
  call->bucket = bucket;
  call->weight = weight_of (ADD (&bucket->calls, 1), call->n);
  ADD (&bucket->elements, call->n);
  if (call->stride[0] != 1 || call->stride[1] != 1)
    count_strides (bucket, call->stride);
  if (!counted && !__atomic_exchange_n (&counted, 1, __ATOMIC_RELAXED))
    ADD (&counts->processes, 1);
  if (watching == GT_WATCH_REPORT && call->is_ours)
    last_route (&call->planned);
  if (nested)
    leave_within (call, entered);
  else
    {
      outermost.call = call;
      outermost.timed = call->weight != 0;
      outermost.thread_clock = (char) by_thread_clock (call);
      outermost.spent_within = 0;
    }
  call->start = call->weight ? now (by_thread_clock (call)) : 0;
}

void
gt_watch_end (const struct gt_call *call)
{
  const uint64_t entered = enter_within (call);

  if (call->weight)
    add_time (call);
  if (outermost.call == call)
    outermost.call = NULL;
  if (watching == GT_WATCH_REPORT)
    ADD (&call->slot->outcome[outcome_of (call)], 1);
  else if (call->outcome == GT_OUTCOME_PROGRAM)
    ADD (&call->slot->outcome[GT_OUTCOME_PROGRAM], 1);
  leave_within (call, entered);
}
