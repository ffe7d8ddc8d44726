/* Samples the distribution of a program's time.  Each thread has a timer of its CPU time,
   whose signal determines whether the thread is in a counted call, elsewhere in GSL, or
   outside GSL.  The signal is the first real-time one, which C libraries reserve: programs can
   neither block it, nor wait for it, nor set its action.  glibc uses it to cancel threads;
   after a program's first pthread_cancel nothing is sampled.

   Timers end when exec replaces the program; a child of fork makes its own.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/sample.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "src/preload/callers.h"
#include "src/preload/watch.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum
{
  SIGNAL = 32,
  INTERVAL = 2000000, /* nanoseconds; the system's clock may have longer ticks */
  MOST_OBJECTS = 128,
  MOST_FRAMES = 32,
  PROBES = 32
};

static struct gt_counts *counts; /* null: sampling is off */
static _Thread_local timer_t timer __attribute__ ((tls_model ("initial-exec")));
static _Thread_local char has_timer __attribute__ ((tls_model ("initial-exec")));

#define ADD(counter, x) __atomic_fetch_add (counter, x, __ATOMIC_RELAXED)

/* ---------------------------------------------------------------- Objects */

/* An object of this process, and its addresses.  */
struct object
{
  uintptr_t begin, end;
  uint32_t library; /* the number of one of GSL's libraries, otherwise 0 */
  int is_libm;     /* time in its functions counts for the function of GSL's that calls them */
};

static struct object objects[MOST_OBJECTS];
static unsigned claimed, ready; /* the numbers of claimed entries, and of entries that can be
                                   read */

static int
is_libm_path (const char *path)
{
  const char *slash = strrchr (path, '/');

  return strncmp (slash ? slash + 1 : path, "libm.so", 7) == 0;
}

static void
enter_object (uintptr_t begin, uintptr_t end, const char *path)
{
  struct gt_counts_place place = {.kind = 0};
  const unsigned k = ADD (&claimed, 1);
  uint32_t library = 0;

  if (k >= MOST_OBJECTS)
    return;
  if (gt_is_gsl_path (path))
    {
      gt_counts_copy_end (place.object, sizeof place.object, path);
      library = 1 + (uint32_t) gt_counts_enter (gt_counts_libraries (counts) + 1,
                                                counts->n_libraries - 1, &place);
    }
  objects[k] = (struct object) {begin, end, library, is_libm_path (path)};
  while (__atomic_load_n (&ready, __ATOMIC_RELAXED) < k)
    continue; /* another thread is writing the previous entry */
  __atomic_store_n (&ready, k + 1, __ATOMIC_RELEASE);
}

static const struct object *
known_object (uintptr_t address)
{
  const unsigned n = __atomic_load_n (&ready, __ATOMIC_ACQUIRE);

  for (unsigned k = 0; k < n; k++)
    if (address >= objects[k].begin && address < objects[k].end)
      return &objects[k];
  return NULL;
}

#if __GLIBC_PREREQ (2, 35)

/* Returns the object that contains ADDRESS.  This loader finds it without a lock, so that a
   handler may ask.  */
static const struct object *
object_at (uintptr_t address)
{
  const struct object *known = known_object (address);
  struct dl_find_object found;

  if (known || _dl_find_object ((void *) address, &found) != 0)
    return known;
  enter_object ((uintptr_t) found.dlfo_map_start, (uintptr_t) found.dlfo_map_end,
                found.dlfo_link_map->l_name);
  return known_object (address);
}

static void
find_objects (void)
{
}

#else

static const struct object *
object_at (uintptr_t address)
{
  return known_object (address);
}

static int
enter_one (struct dl_phdr_info *info, size_t size, void *closure)
{
  uintptr_t begin = UINTPTR_MAX, end = 0;

  (void) size;
  (void) closure;
  for (unsigned k = 0; k < info->dlpi_phnum; k++)
    if (info->dlpi_phdr[k].p_type == PT_LOAD)
      {
        const uintptr_t at = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;

        begin = at < begin ? at : begin;
        end = at + info->dlpi_phdr[k].p_memsz;
      }
  if ((gt_is_gsl_path (info->dlpi_name) || is_libm_path (info->dlpi_name))
      && known_object (begin) == NULL)
    enter_object (begin, end, info->dlpi_name);
  return 0;
}

/* Enters all loaded objects.  Older loaders need a lock to find an object, which a handler
   must not wait for, so objects that the program opens later are not known.  */
static void
find_objects (void)
{
  dl_iterate_phdr (enter_one, NULL);
}

#endif

/* ---------------------------------------------------------------- Samples */

static uintptr_t
program_counter (const ucontext_t *context)
{
#if defined __x86_64__
  return (uintptr_t) context->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  return (uintptr_t) context->uc_mcontext.pc;
#elif defined __s390x__
  return (uintptr_t) context->uc_mcontext.psw.addr;
#else
  (void) context;
  return 0;
#endif
}

/* Returns the function of GSL's that the program called and in which, directly or indirectly,
   the thread is at ADDRESS of OBJECT: the outermost of GSL's consecutive frames, as the key of
   a sample; 0 if there is none.  The unwinder needs no lock that code in GSL or libm might
   hold.  */
static uint64_t
entry_of (uintptr_t address, const struct object *object)
{
  void *frames[MOST_FRAMES];
  const int n = backtrace (frames, MOST_FRAMES);
  uint64_t entry = 0;
  int k = 0;

  while (k < n && (uintptr_t) frames[k] != address)
    k++;
  while (object && (object->library || object->is_libm))
    {
      if (object->library)
        entry = gt_counts_sample_key (object->library, address - object->begin);
      if (++k >= n)
        break;
      address = (uintptr_t) frames[k] - 1; /* the call may be the last instruction of its
                                              function */
      object = object_at (address);
    }
  return entry;
}

static void
add_sample (uint64_t key, uint64_t weight)
{
  struct gt_counts_sample *const samples = gt_counts_samples (counts);
  const size_t first = (size_t) (key * 0x9E3779B97F4A7C15u >> 32);

  for (size_t k = 0; k < PROBES; k++)
    {
      struct gt_counts_sample *const sample = &samples[(first + k) % counts->n_samples];
      uint64_t there = __atomic_load_n (&sample->key, __ATOMIC_RELAXED);

      if (there == 0)
        __atomic_compare_exchange_n (&sample->key, &there, key, 0, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
      if (there == 0 || there == key)
        {
          ADD (&sample->weight, weight);
          return;
        }
    }
}

/* The C library's handler of the signal, or null.  */
static void (*handler_before) (int signal, siginfo_t *info, void *context);

static void
take_sample (int signal, siginfo_t *info, void *context)
{
  const uintptr_t address = program_counter (context);
  const struct object *object;
  uint64_t weight = 1, entry;

  if (info->si_code != SI_TIMER)
    {
      if (handler_before)
        handler_before (signal, info, context);
      return;
    }
  weight += (unsigned) info->si_overrun;
  ADD (&counts->samples, weight);
  if (gt_watch_is_within ())
    {
      ADD (&counts->samples_within, weight);
      return;
    }
  object = object_at (address);
  entry = object && (object->library || object->is_libm) ? entry_of (address, object) : 0;
  if (entry == 0)
    return;
  ADD (&counts->samples_beside, weight);
  add_sample (entry, weight);
}

/* ---------------------------------------------------------------- Threads */

static void
begin_thread (void)
{
  const struct itimerspec interval = {{0, INTERVAL}, {0, INTERVAL}};
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGNAL};

  event.sigev_notify_thread_id = gettid ();
  has_timer = counts && timer_create (CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
  if (has_timer)
    timer_settime (timer, 0, &interval, NULL);
}

static void
end_thread (void *closure)
{
  (void) closure;
  if (has_timer)
    timer_delete (timer);
  has_timer = 0;
}

struct start
{
  void *(*function) (void *argument);
  void *argument;
};

static void *
run_thread (void *closure)
{
  const struct start start = *(struct start *) closure;
  void *result;

  free (closure);
  pthread_cleanup_push (end_thread, NULL);
  begin_thread ();
  result = start.function (start.argument);
  pthread_cleanup_pop (1);
  return result;
}

/* Replaces the C library's function.  */
__attribute__ ((visibility ("default"))) int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                void *(*function) (void *argument), void *argument)
{
  static int (*next) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);
  struct start *start;
  int error;

  if (__atomic_load_n (&next, __ATOMIC_RELAXED) == NULL)
    __atomic_store_n (&next, dlsym (RTLD_NEXT, "pthread_create"), __ATOMIC_RELAXED);
  if (next == NULL)
    return ENOSYS;
  start = counts ? malloc (sizeof *start) : NULL;
  if (start == NULL)
    return next (thread, attributes, function, argument);
  *start = (struct start) {function, argument};
  error = next (thread, attributes, run_thread, start);
  if (error)
    free (start);
  return error;
}

/* The kernel's structure, on the machines of program_counter.  */
struct action
{
  void *handler;
  unsigned long flags, others[2];
};

static int
change_action (int signal, const struct action *to, struct action *from)
{
  return (int) syscall (SYS_rt_sigaction, signal, to, from, _NSIG / 8);
}

/* Sets the action of the signal.  The C library does not set it for programs, so the kernel's
   form of the action is copied from that of SIGURG.  Returns 0, or -1 if it cannot be set.  A
   program may start with the signal ignored, because the C library's posix_spawn leaves it
   ignored.  */
static int
set_action (void)
{
  struct sigaction before, wanted
    = {.sa_sigaction = take_sample, .sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK};
  struct action now, made;

  sigemptyset (&wanted.sa_mask);
  if (change_action (SIGNAL, NULL, &now) != 0 || sigaction (SIGURG, &wanted, &before) != 0)
    return -1;
  if (now.handler != (void *) SIG_IGN)
    handler_before = (void (*) (int, siginfo_t *, void *)) now.handler;
  now.handler = NULL;
  if (change_action (SIGURG, NULL, &made) == 0)
    now = made;
  sigaction (SIGURG, &before, NULL);
  return now.handler ? change_action (SIGNAL, &now, NULL) : -1;
}

void
gt_sample_begin (struct gt_counts *memory)
{
  void *frame;

  if (counts == NULL)
    {
      if (set_action () != 0)
        return;
      backtrace (&frame, 1); /* loads the unwinder, which a handler must not do */
      counts = memory;
      find_objects ();
    }
  begin_thread ();
}
