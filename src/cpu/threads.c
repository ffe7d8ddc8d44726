/* Teams of threads for one task, from a pool that the process keeps.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

   A barrier at the end of a parallel sum waits for every thread that was asked
   for, also for one that the system has not run yet because its core is taken.
   So here work is offered, not assigned.  Each thread of the pool has a state;
   the caller, who is member 0 of the team, offers a membership there, and
   withdraws it when there is nothing left to do: only those who took it in
   between are waited for.

   Who changes a state (all by compare-and-swap or exchange):

     caller, to offer        IDLE -> OFFERED          ASLEEP -> CALLED
     any member, to wake     CALLED -> OFFERED, and rings the thread's bell
     the thread, to begin    OFFERED -> BEGUN
     the thread, at the end  BEGUN or AWAITED -> IDLE; if it was AWAITED it
                             posts `ended'
     caller, to withdraw     OFFERED -> IDLE          CALLED -> ASLEEP
     caller, to wait asleep  BEGUN -> AWAITED, then waits for `ended'
     the thread, to sleep    IDLE -> ASLEEP, then waits for its bell
     release                 IDLE -> LEAVE            ASLEEP -> LEAVE, and rings

   So a bell is rung once for each time that its thread lies down, whoever does
   it, and a semaphore never counts further than one.

   Memory order.  The caller writes `work' and `closure', then offers
   (release); the thread begins (acquire) and reads them.  One that wakes
   another changes the state by a read-modify-write, which continues the
   caller's release sequence.  The thread's exchange at the end releases what
   the work wrote, and the caller's look at the state, or sem_wait, acquires
   it; after that nobody reads `work' and `closure' until the next offer.  The
   pool goes from caller to caller by `taken', acquired and released.  All else
   (`duty', `patience', `cpu') only advises, and is relaxed.

   Semaphores, not a futex of our own: glibc's are one, portably.  */

#include "config.h"

#include "src/cpu/threads.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "src/base/env.h"
#include "src/base/setup.h"
#include "src/cpu/openmp.h"
#include "src/device/device.h"

/* The nanoseconds for which a thread of the pool stays awake for the next team, and the caller
   for the end of the last member: a few times the cost of waking a thread.  */
#define PATIENCE 50000

/* The number of times that the state is read between two readings of the clock.
   (tests/test_pool_model.c defines other numbers.)  */
#ifndef LOOKS
#define LOOKS 32
#endif

/* The number of threads that a member wakes before it begins; these wake further threads.
   Each costs the waking thread a system call.  */
#ifndef FAN_OUT
#define FAN_OUT 4
#endif

enum state
{
  IDLE, /* awake */
  ASLEEP,
  OFFERED,
  CALLED, /* offered, still asleep */
  BEGUN,
  AWAITED, /* begun, and the caller sleeps until the member ends */
  LEAVE
};

/* Aligned to two cache lines, because processors fetch them in pairs.  */
struct worker
{
  _Alignas (128) _Atomic unsigned state;
  _Atomic int cpu; /* the processor on which it began last */
  unsigned member;
  sem_t bell;
  pthread_t thread;
};

static struct
{
  /* One caller at a time has the pool; the other members belong to that caller.  */
  _Alignas (128) _Atomic unsigned taken;

  _Alignas (128) void (*work) (void *closure, unsigned member);
  void *closure;
  const struct gt_modes *modes; /* of the calling thread */
  _Atomic uint32_t duty;  /* members << 16 | the number of the next member that may have to be
                             woken */
  _Atomic long patience;  /* PATIENCE; 0: more members than processors */
  _Atomic int cpu;        /* the caller's processor */
  unsigned workers;
  unsigned limit;         /* workers + 1 after threads could not be made, otherwise 0 */
  sem_t ended;
  struct worker worker[GT_MAX_THREADS - 1];
} pool;

/* ----------------------------------------------------------------- Waiting */

static inline void
relax (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile ("isb" ::: "memory");
#else
  atomic_signal_fence (memory_order_seq_cst);
#endif
}

static int64_t
nanoseconds (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Stays awake until STATE is no longer VALUE, or until patience ends.  It ends at once if this
   thread is on CPU, the processor on which the awaited thread ran last and which it needs.
   Returns the last state seen.  */
static unsigned
watch (const _Atomic unsigned *state, unsigned value, const _Atomic int *cpu)
{
  long patience = atomic_load_explicit (&pool.patience, memory_order_relaxed);
  unsigned seen = atomic_load_explicit (state, memory_order_acquire);
  int64_t end;

  if (patience == 0 || seen != value)
    return seen;
  end = nanoseconds () + patience;
  do
    for (int look = 0; look < LOOKS; look++)
      {
        relax ();
        seen = atomic_load_explicit (state, memory_order_acquire);
        if (seen != value)
          return seen;
      }
  while (nanoseconds () < end
         && sched_getcpu ()
              != atomic_load_explicit (cpu, memory_order_relaxed));
  return value;
}

static void
wait_for (sem_t *semaphore)
{
  while (sem_wait (semaphore) != 0 && errno == EINTR)
    continue;
}

static int
change (struct worker *w, unsigned from, unsigned to)
{
  return atomic_compare_exchange_strong (&w->state, &from, to);
}

/* ---------------------------------------------------- Threads of the pool */

/* Wakes a few of the called threads, which wake further ones.  */
static void
wake_some (void)
{
  for (int woken = 0; woken < FAN_OUT;)
    {
      uint32_t duty
        = atomic_load_explicit (&pool.duty, memory_order_relaxed);
      struct worker *w;

      if ((duty & 0xffff) >= duty >> 16)
        return;
      duty = atomic_fetch_add_explicit (&pool.duty, 1, memory_order_relaxed);
      if ((duty & 0xffff) >= duty >> 16)
        return;
      w = &pool.worker[(duty & 0xffff) - 1];
      if (change (w, CALLED, OFFERED))
        {
          sem_post (&w->bell);
          woken++;
        }
    }
}

/* Waits for a membership.  Returns whether there is one; otherwise W must end.  */
static int
begin (struct worker *w)
{
  for (;;)
    switch (watch (&w->state, IDLE, &pool.cpu))
      {
      case OFFERED:
        if (change (w, OFFERED, BEGUN))
          return 1;
        break;
      case LEAVE:
        return 0;
      default:
        if (change (w, IDLE, ASLEEP))
          wait_for (&w->bell);
      }
}

static void *
serve (void *argument)
{
  struct worker *w = argument;

  /* A thread inherits the floating-point environment of its creator, including traps.  */
  fesetenv (FE_DFL_ENV);
  while (begin (w))
    {
      atomic_store_explicit (&w->cpu, sched_getcpu (), memory_order_relaxed);
      wake_some ();
      gt_thread_modes = pool.modes;
      pool.work (pool.closure, w->member);
      if (atomic_exchange (&w->state, IDLE) == AWAITED)
        sem_post (&pool.ended);
    }
  return NULL;
}

/* Makes the thread of the next member, and offers it a membership.  */
static int
add_worker (void)
{
  struct worker *w = &pool.worker[pool.workers];

  w->member = pool.workers + 1;
  atomic_store (&w->state, OFFERED);
  if (sem_init (&w->bell, 0, 0) != 0)
    return -1;
  if (pthread_create (&w->thread, NULL, serve, w) != 0)
    {
      sem_destroy (&w->bell);
      return -1;
    }
  gt_device_host_bind (w->thread);
  pool.workers++;
  return 0;
}

/* The pool's threads inherit the caller's blocked signals, including SIGPROF, since signals
   are for the threads of the program.  A thread also inherits its creator's binding to
   processors, and OpenMP may have bound the program's first thread to one processor, so the
   pool's threads are bound like the process.  After a failure no thread is made until the pool
   has been released.  */
static void
add_workers (unsigned members)
{
  sigset_t profiling, callers;

  if (pool.limit || (pool.workers == 0 && sem_init (&pool.ended, 0, 0) != 0))
    return;
  sigemptyset (&profiling);
  sigaddset (&profiling, SIGPROF);
  pthread_sigmask (SIG_BLOCK, &profiling, &callers);
  while (pool.workers + 1 < members && pool.limit == 0)
    if (add_worker () != 0)
      pool.limit = pool.workers + 1;
  pthread_sigmask (SIG_SETMASK, &callers, NULL);
}

/* -------------------------------------------------------------- The caller */

/* Offers membership to the existing threads, then makes the missing ones.  Returns the number
   of members, at most.  */
static unsigned
offer (unsigned members)
{
  unsigned there = pool.workers + 1 < members ? pool.workers + 1 : members;
  unsigned first_called = 0;

  /* All lines are requested before the first is used.  */
  for (unsigned m = 1; m < there; m++)
    __builtin_prefetch (&pool.worker[m - 1].state, 1);
  for (unsigned m = 1; m < there; m++)
    {
      struct worker *w = &pool.worker[m - 1];

      if (change (w, IDLE, OFFERED))
        continue;
      atomic_store (&w->state, CALLED);
      if (first_called == 0)
        first_called = m;
    }
  atomic_store_explicit (&pool.duty,
                         first_called ? there << 16 | first_called : 0,
                         memory_order_relaxed);
  wake_some ();
  if (there < members)
    add_workers (members);
  return pool.workers + 1 < members ? pool.workers + 1 : members;
}

static void
withdraw (unsigned members)
{
  for (unsigned m = 1; m < members; m++)
    {
      struct worker *w = &pool.worker[m - 1];
      unsigned state = atomic_load (&w->state);

      while ((state == OFFERED || state == CALLED)
             && !atomic_compare_exchange_strong (
               &w->state, &state, state == OFFERED ? IDLE : ASLEEP))
        continue;
    }
}

/* Waits for the members that have begun.  */
static void
await (unsigned members)
{
  for (unsigned m = 1; m < members; m++)
    {
      struct worker *w = &pool.worker[m - 1];

      if (watch (&w->state, BEGUN, &w->cpu) == BEGUN
          && change (w, BEGUN, AWAITED))
        wait_for (&pool.ended);
    }
}

/* A thread that has the pool postpones cancellation and does not leave by siglongjmp, because
   other threads read data on its stack and would continue after it is gone.  */
struct tenure
{
  sigset_t signals;
  int cancelling;
};

static int
take_pool (struct tenure *t)
{
  if (atomic_load_explicit (&pool.taken, memory_order_relaxed))
    return 0;
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &t->cancelling);
  gt_signals_block (&t->signals);
  if (atomic_exchange (&pool.taken, 1) == 0)
    return 1;
  pthread_setcancelstate (t->cancelling, NULL);
  gt_signals_restore (&t->signals);
  return 0;
}

static void
leave_pool (const struct tenure *t)
{
  atomic_store (&pool.taken, 0);
  pthread_setcancelstate (t->cancelling, NULL);
  gt_signals_restore (&t->signals); /* a handler may not return here */
}

static void
run_team (unsigned members, void (*work) (void *closure, unsigned member),
          void *closure)
{
  unsigned cpus = (unsigned) gt_device_host ()->host.threads;
  int callers_errno = errno;

  if (members > GT_MAX_THREADS)
    members = GT_MAX_THREADS;
  pool.work = work;
  pool.modes = gt_thread_modes;
  pool.closure = closure;
  atomic_store_explicit (&pool.cpu, sched_getcpu (), memory_order_relaxed);
  atomic_store_explicit (&pool.patience, members > cpus ? 0 : PATIENCE,
                         memory_order_relaxed);
  members = offer (members);
  work (closure, 0);
  withdraw (members);
  await (members);
  errno = callers_errno;
}

void
gt_team_run (unsigned members, void (*work) (void *closure, unsigned member),
             void *closure)
{
  struct tenure tenure;

  if (members < 2 || gt_in_child () || gt_in_parallel_region ()
      || !take_pool (&tenure))
    {
      work (closure, 0);
      return;
    }
  run_team (members, work, closure);
  leave_pool (&tenure);
}

/* Also called when the library is unloaded or the process ends, because a thread must not
   outlive its code.  In a child of fork() there are no threads to end.  */
__attribute__ ((destructor)) void
gt_team_release (void)
{
  struct tenure tenure;

  if (gt_in_child () || !take_pool (&tenure))
    return;
  for (unsigned i = 0; i < pool.workers; i++)
    if (atomic_exchange (&pool.worker[i].state, LEAVE) == ASLEEP)
      sem_post (&pool.worker[i].bell);
  for (unsigned i = 0; i < pool.workers; i++)
    {
      pthread_join (pool.worker[i].thread, NULL);
      sem_destroy (&pool.worker[i].bell);
    }
  if (pool.workers)
    sem_destroy (&pool.ended);
  pool.workers = 0;
  pool.limit = 0;
  leave_pool (&tenure);
}
