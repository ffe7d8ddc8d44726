/* Tests of src/base/setup.c: what a child of fork inherits of a first sum that another thread
   has under way.  hwloc has locks; here the calls in which they would be held, and those that
   open profiles, are held up, with a lock that stands for theirs, until the fork has begun.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <fcntl.h>
#include <gsl/gsl_vector.h>
#include <hwloc.h>
#include <semaphore.h>

#include "tests/unit.h"

#include "src/base/setup.h"
#include "src/device/gpus.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tests/exact.h"
#include "tests/profile_sample.h"
#include "tests/scenario_folder.h"
#include "tuning/store/profile_store.h"

#define N 20000
#define CHILD_SECONDS 20

static double data[N], expected;

/* ---------------------------------------------------------- Holding up */

/* The functions held up, and for how long after a fork has begun, in
   milliseconds.  With none the fork has to return first.  */
enum stage
{
  NOWHERE,
  IN_HWLOC,
  IN_PROFILE
};
static _Atomic int held_up, for_long, fork_begun, fork_returned;
static pthread_mutex_t theirs = PTHREAD_MUTEX_INITIALIZER;
static sem_t inside;

static void
hold_up (enum stage stage)
{
  if (held_up != (int) stage)
    return;
  pthread_mutex_lock (&theirs);
  sem_post (&inside);
  for (int waited = 0; !fork_returned && (for_long || waited < 300);)
    {
      usleep (1000);
      waited += fork_begun;
    }
  pthread_mutex_unlock (&theirs);
}

int
hwloc_topology_load (hwloc_topology_t topology)
{
  int (*load) (hwloc_topology_t);

  *(void **) &load = replaced_function ("hwloc_topology_load");
  hold_up (IN_HWLOC);
  return load (topology);
}

int
openat (int at, const char *path, int flags, ...)
{
  int (*next) (int, const char *, int, ...);

  *(void **) &next = replaced_function ("openat");
  if (strstr (path, ".json"))
    hold_up (IN_PROFILE);
  return next (at, path, flags);
}

/* ------------------------------------------------------------ Scenarios */

static void
begin_fork (void)
{
  fork_begun = 1;
}

static double
sum (void)
{
  gsl_vector v = {N, 1, data, NULL, 0};

  return gsltune_vector_sum (&v);
}

static void *
sum_first (void *wrong)
{
  *(int *) wrong = sum () != expected;
  return NULL;
}

/* In a child: 0 when all is well.  */
static int
sum_in_child (int profile_found)
{
  alarm (CHILD_SECONDS);
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      if (sum () != expected)
        return 1;
    }
  if (!gt_forked || gt_host_plans ()->device->host.threads < 1)
    return 2;
  return gt_host_plans ()->profile_found == profile_found ? 0 : 3;
}

static int
status_of (int (*in_child) (int), int profile_found)
{
  int status = -1;
  pid_t child = fork ();

  fork_returned = child > 0;
  if (child == 0)
    _exit (in_child (profile_found));
  CHECK (child > 0 && waitpid (child, &status, 0) == child);
  return status;
}

static int
child_status (int profile_found)
{
  return status_of (sum_in_child, profile_found);
}

static void
prepare (void)
{
  expected = put_exact (GT_F64, data, N, 1, 11).f64[0];
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  CHECK (sem_init (&inside, 0, 0) == 0);
  /* Before the library's, since it is registered after it.  */
  CHECK (pthread_atfork (begin_fork, NULL, NULL) == 0);
}

/* Forks while another thread's first use of the library, WORK, is in STAGE.  */
static void
fork_during (enum stage stage, void *(*work) (void *), int profile_found)
{
  pthread_t thread;
  int wrong = 1, status;

  held_up = stage;
  CHECK (pthread_create (&thread, NULL, work, &wrong) == 0);
  CHECK (sem_wait (&inside) == 0);
  status = child_status (profile_found);
  CHECK (pthread_join (thread, NULL) == 0 && !wrong);
  if (status)
    fprintf (stderr, "the child ended with status %x\n", (unsigned) status);
  CHECK (status == 0 && sum () == expected);
}

SCENARIO_TEST (during_hwloc, profiles, "HWLOC_COMPONENTS=-x86")
{
  prepare ();
  fork_during (IN_HWLOC, sum_first, 1);
}

SCENARIO_TEST (during_profile, profiles, "HWLOC_COMPONENTS=-x86")
{
  prepare ();
  fork_during (IN_PROFILE, sum_first, 1);
}

/* A setup that does not end before the fork.  */
SCENARIO_TEST (during_long_hwloc, profiles, "HWLOC_COMPONENTS=-x86")
{
  for_long = 1;
  prepare ();
  fork_during (IN_HWLOC, sum_first, 0);
  CHECK (!gt_setup_plain && gt_host_plans ()->profile_found);
}

SCENARIO_TEST (during_long_profile, profiles, "HWLOC_COMPONENTS=-x86")
{
  for_long = 1;
  prepare ();
  fork_during (IN_PROFILE, sum_first, 0);
  CHECK (!gt_setup_plain && gt_host_plans ()->profile_found);
}

/* A child of a process that has summed nothing plans as its parent would.  */
SCENARIO_TEST (before_any_sum, profiles, "HWLOC_COMPONENTS=-x86")
{
  prepare ();
  CHECK (child_status (1) == 0);
  errno = ERANGE;
  CHECK (sum () == expected && errno == ERANGE);
}

static void *
sum_cancelled (void *wrong)
{
  pthread_cancel (pthread_self ());
  errno = ERANGE;
  *(int *) wrong = sum () != expected || errno != ERANGE;
  pthread_testcancel ();
  return NULL;
}

static int
cancel_in_child (int profile_found)
{
  pthread_t thread;
  int wrong = 1;
  void *end;

  alarm (CHILD_SECONDS);
  if (pthread_create (&thread, NULL, sum_cancelled, &wrong) || pthread_join (thread, &end))
    return 4;
  if (wrong || end != PTHREAD_CANCELED)
    return 5;
  return sum_in_child (profile_found);
}

/* A child has no thread of the library's own, so that files are read by the thread that
   sums first: its errno stays, and if it was cancelled it ends when the setup has.  */
SCENARIO_TEST (cancelled_in_child, profiles, "HWLOC_COMPONENTS=-x86")
{
  prepare ();
  CHECK (status_of (cancel_in_child, 1) == 0);
}

static void *
plan_gpu (void *wrong)
{
  *(int *) wrong = gt_gpu_plans (0) == NULL;
  return NULL;
}

/* The plans of a GPU come out of a file too.  */
SCENARIO (during_gpu_plans)
{
  struct gt_profile profile;
  char why[256];

  prepare ();
  CHECK (gt_gpu_count (NULL) == 1);
  gt_profile_init (&profile, gt_gpu_device (0));
  CHECK (!gt_profile_save (&profile, gt_env.profile_dir, 0, why, sizeof why));
  gt_profile_clear (&profile);
  fork_during (IN_PROFILE, plan_gpu, 1);
}

/* A fork within a setup, by the thread whose setup it is.  */
SCENARIO_TEST (within, profiles, "HWLOC_COMPONENTS=-x86")
{
  struct gt_setup setup;

  prepare ();
  gt_setup_begin (&setup);
  CHECK (child_status (0) == 0);
  gt_setup_end (&setup);
  CHECK (sum () == expected && gt_host_plans ()->profile_found);
  CHECK (child_status (1) == 0);
}

static _Atomic int begun, entered;

static void *
notice_and_enter (void *unused)
{
  struct gt_setup setup;

  gt_notice_child ();
  begun = 1;
  gt_setup_begin (&setup);
  entered = 1;
  gt_setup_end (&setup);
  return unused;
}

/* Two threads of a child that no handler of fork has seen find that out, the second when
   the first is in a setup already: the setups are still one after the other.  */
SCENARIO_TEST (noticed_twice, profiles, "HWLOC_COMPONENTS=-x86")
{
  struct gt_setup setup;
  pthread_t thread;

  gt_notice_child ();
  gt_setup_begin (&setup);
  CHECK (!pthread_create (&thread, NULL, notice_and_enter, NULL));
  while (!begun)
    usleep (100);
  usleep (100000);
  CHECK (!entered);
  gt_setup_end (&setup);
  CHECK (!pthread_join (thread, NULL) && entered);
}

#define THREADS 4

static void *
fork_often (void *wrong)
{
  *(int *) wrong = 0;
  for (int i = 0; i < 10; i++)
    if (child_status (1) != 0)
      *(int *) wrong = 1;
  return NULL;
}

/* Many fork at once, and the first sum is among them.  */
SCENARIO_TEST (many_forks, profiles, "HWLOC_COMPONENTS=-x86")
{
  pthread_t thread[THREADS];
  int wrong[THREADS];

  prepare ();
  for (int i = 0; i < THREADS; i++)
    CHECK (!pthread_create (&thread[i], NULL, fork_often, &wrong[i]));
  CHECK (sum () == expected);
  for (int i = 0; i < THREADS; i++)
    CHECK (!pthread_join (thread[i], NULL) && !wrong[i]);
}

/* Takes the place of the C library's, and fails where the environment wants that.  */
#ifdef __GLIBC__
extern int __register_atfork (void (*) (void), void (*) (void), void (*) (void), void *);
extern void *__dso_handle;

/* Clang's ThreadSanitizer calls it before anything that it has instrumented can run.  */
#if defined __clang__ && __clang_major__ >= 14
__attribute__ ((disable_sanitizer_instrumentation))
#endif
int
pthread_atfork (void (*before) (void), void (*after) (void), void (*child) (void))
{
  return getenv ("TEST_NO_ATFORK")
           ? ENOMEM : __register_atfork (before, after, child, __dso_handle);
}

/* No fork is noticed: nothing is done that a child could not go on with.  */
SCENARIO (unwatched)
{
  expected = put_exact (GT_F64, data, N, 1, 11).f64[0];
  CHECK (gt_forked && sum () == expected);
  CHECK (child_status (0) == 0);
}
#else
SCENARIO (unwatched)
{
  fputs ("gsltune: memory is short: fork() cannot be watched, so one CPU thread"
         " computes\n", stderr);
}
#endif

/* ---------------------------------------------------------------- Tests */

/* A profile of this host, for the scenarios to find.  */
FIXTURE (save_profile)
{
  struct gt_profile profile;
  struct gt_winner winner
    = sample_winner ("simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 10,
                    (struct gt_config) {1, 0, 8, 0});
  char why[256];
  int failed;

  if (set_up (state))
    return -1;
  gt_profile_init (&profile, gt_device_host ());
  failed = gt_findings_put (&profile, &winner);
  gt_profile_drop_figures (&profile);
  failed = failed
           || gt_profile_save (&profile, base, 0, why, sizeof why);
  gt_profile_clear (&profile);
  return failed ? -1 : 0;
}

TEST (test_during_gpu_plans)
{
#if HAVE_CUDA
  EXPECT_SCENARIO ("during_gpu_plans", "", profiles, h200);
#endif
}

TEST (test_unwatched)
{
  EXPECT_SCENARIO ("unwatched", "gsltune: memory is short: fork() cannot be watched, so one"
                   " CPU thread computes\n",
                   profiles, "TEST_NO_ATFORK=1", "GSLTUNE_LOG=notice");
}

RUN_SCENARIOS (save_profile, tear_down)
