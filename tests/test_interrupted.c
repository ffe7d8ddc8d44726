/* Tests of what may happen to a thread while it sums: handlers of signals that sum,
   or leave by siglongjmp or pthread_exit, cancellation, and copies of the process
   that no handler of fork() sees.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_vector.h>
#include <hwloc.h>

#include "tests/unit.h"

#include "src/cpu/threads.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tests/exact.h"
#include "tests/scenario.h"

/* AddressSanitizer does not understand stacks that a cancelled thread has left, nor does
   its leak checker children of _Fork.  */
#ifdef __SANITIZE_ADDRESS__
#define WATCHED 1
#else
#define WATCHED 0
#endif

/* Of every scenario.  */
#define SETTINGS \
  "GSLTUNE_THREADS=8", "GSLTUNE_MODE=fast", "HWLOC_COMPONENTS=-x86"

#define N 200000
#define ROUNDS 20

static double data[N], expected;

static double
sum (size_t n)
{
  gsl_vector v = {n, 1, data, NULL, 0};

  return gsltune_vector_sum (&v);
}

static void
handle (int number, void (*handler) (int))
{
  struct sigaction action = {.sa_handler = handler};

  CHECK (sigaction (number, &action, NULL) == 0);
}

/* ------------------------------------------------------------- The pool */

/* A team of two whose member 0, when both are there, does something to its own
   thread.  */
struct pair
{
  _Atomic unsigned there, ended;
  void (*strike) (void);
};

static void
meet (void *closure, unsigned member)
{
  struct pair *p = closure;

  p->there++;
  for (int waited = 0; p->there < 2 && waited < 5000; waited++)
    usleep (1000);
  if (member == 0 && p->strike)
    p->strike ();
  else
    usleep (2000);
  p->ended++;
}

/* Whether the pool serves this thread, and all is well in it.  */
static int
pool_serves (void)
{
  struct pair p = {0, 0, NULL};

  gt_team_run (2, meet, &p);
  return p.there == 2 && p.ended == 2;
}

/* The state that a thread which is struck leaves behind: whether both members had ended when
   it went away.  */
static struct pair struck;

static void
check_struck (void *unused)
{
  (void) unused;
  CHECK (struck.there == 2 && struck.ended == 2);
}

static void *
run_struck (void *strike)
{
  struck = (struct pair) {0, 0, NULL};
  *(void **) &struck.strike = strike;
  pthread_setcanceltype (PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  pthread_cleanup_push (check_struck, NULL);
  gt_team_run (2, meet, &struck);
  pthread_testcancel ();
  pthread_cleanup_pop (1);
  return &struck;
}

/* A thread that is struck in its team ends, and the pool goes on.  (With what
   result a cancelled one ends is not looked at: glibc 2.36 loses it.)  */
static void
strike_thread (void (*strike) (void))
{
  pthread_t thread;
  void *result;

  for (int round = 0; round < ROUNDS; round++)
    {
      CHECK (pthread_create (&thread, NULL, run_struck,
                             *(void **) &strike) == 0);
      CHECK (pthread_join (thread, &result) == 0 && result != &struck);
      CHECK (struck.ended == 2);
      CHECK (pool_serves ());
    }
}

static void
cancel_self (void)
{
  pthread_cancel (pthread_self ());
}

SCENARIO (cancelled)
{
  strike_thread (cancel_self);
}

TEST_IF (!WATCHED, test_cancelled, NULL, NULL)
{
  EXPECT_SCENARIO ("cancelled", "", SETTINGS);
}

static void
interrupt_self (void)
{
  pthread_kill (pthread_self (), SIGUSR1);
}

static void
end_thread (int number)
{
  (void) number;
  pthread_exit (NULL);
}

SCENARIO_TEST (thread_ended, SETTINGS)
{
  handle (SIGUSR1, end_thread);
  strike_thread (interrupt_self);
}

static sigjmp_buf outside;

static void
jump_out (int number)
{
  (void) number;
  siglongjmp (outside, 1);
}

SCENARIO_TEST (left_by_siglongjmp, SETTINGS)
{
  handle (SIGUSR1, jump_out);
  for (_Atomic int round = 0; round < ROUNDS; round++)
    {
      struck = (struct pair) {0, 0, interrupt_self};
      if (sigsetjmp (outside, 1) == 0)
        {
          gt_team_run (2, meet, &struck);
          CHECK (!"the handler was called");
        }
      CHECK (struck.ended == 2);
      CHECK (pool_serves ());
    }
  gt_team_release ();
  CHECK (pool_serves ());
}

/* pthread_join could be where a thread is cancelled.  */
static void *
release_cancelled (void *argument)
{
  pthread_cancel (pthread_self ());
  gsltune_release ();
  pthread_testcancel ();
  return argument;
}

SCENARIO_TEST (cancelled_in_release, SETTINGS)
{
  pthread_t thread;
  void *result;

  for (int round = 0; round < ROUNDS; round++)
    {
      struct pair p = {0, 0, NULL};

      gt_team_run (64, meet, &p); /* so many that some are waited for */
      CHECK (pthread_create (&thread, NULL, release_cancelled, NULL) == 0);
      CHECK (pthread_join (thread, &result) == 0
             && result == PTHREAD_CANCELED);
    }
  CHECK (pool_serves ());
}

/* ------------------------------------------------ Handlers, and first sums */

/* hwloc stands here, with a lock of its own, while a handler comes.  */
static pthread_mutex_t theirs = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int interrupted, handled;
static pthread_t first_to_sum;

int
hwloc_topology_load (hwloc_topology_t topology)
{
  int (*load) (hwloc_topology_t), result;

  *(void **) &load = dlsym (RTLD_NEXT, "hwloc_topology_load");
  CHECK (load);
  pthread_mutex_lock (&theirs);
  if (interrupted)
    pthread_kill (first_to_sum, SIGUSR1);
  result = load (topology);
  pthread_mutex_unlock (&theirs);
  return result;
}

static void
sum_in_handler (int number)
{
  (void) number;
  CHECK (sum (N) == expected);
  handled++;
}

static void
prepare (void)
{
  expected = put_exact (GT_F64, data, N, 1, 11).f64[0];
  first_to_sum = pthread_self ();
}

SCENARIO_TEST (handler_in_first_sum, SETTINGS)
{
  prepare ();
  interrupted = 1;
  handle (SIGUSR1, sum_in_handler);
  CHECK (sum (N) == expected && handled == 1);
}

/* A first sum that is left is as good as none.  */
SCENARIO_TEST (first_sum_left, SETTINGS)
{
  prepare ();
  interrupted = 1;
  handle (SIGUSR1, jump_out);
  if (sigsetjmp (outside, 1) == 0)
    sum (N);
  interrupted = 0;
  CHECK (sum (N) == expected && pool_serves ());
}

/* Sums of several threads, in a loop, and a handler that sums too.  */
SCENARIO_TEST (handler_in_sums, SETTINGS)
{
  struct gt_problem p = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, N};

  prepare ();
  CHECK (sum (N) == expected);
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  gt_plan_to_change (&p)->plan.config.threads = 3;
  handle (SIGUSR1, sum_in_handler);
  for (int round = 0; round < 200; round++)
    {
      interrupt_self ();
      CHECK (sum (N) == expected);
    }
  CHECK (handled == 200);
}

/* --------------------------------------------------------- Copies unseen */

#if defined __GLIBC__ && __GLIBC_PREREQ (2, 34) && !WATCHED

/* exit, and what ends the pool there, do not wait for threads that are gone.  */
SCENARIO_TEST (unseen_fork, SETTINGS)
{
  int status = -1;
  pid_t child;

  prepare ();
  CHECK (sum (N) == expected && pool_serves ());
  child = _Fork ();
  if (child == 0)
    {
      alarm (20);
      gsltune_release ();
      if (sum (N) != expected || !gt_forked)
        _exit (1);
      exit (0);
    }
  CHECK (child > 0 && waitpid (child, &status, 0) == child);
  if (status)
    fprintf (stderr, "the child ended with status %x\n", (unsigned) status);
  CHECK (status == 0 && !gt_forked && pool_serves ());
}
#endif

RUN_SCENARIOS (NULL, NULL)
