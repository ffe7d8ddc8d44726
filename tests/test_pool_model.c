/* A model of the pool of threads: all interleavings of a few threads in src/cpu/threads.c and
   src/cpu/parts.c.  It is their own text, compiled here with every atomic step, and every call
   that waits, turned into a point at which the other threads may go on (tests/pool_points.h),
   so that code and model cannot drift apart.

   It checks that every piece is summed once; that nobody works for a team, or touches what is
   its caller's, after gt_team_run has returned; that no member is there twice; that a bell is
   never rung twice; that whoever sleeps can still be woken, and everybody comes to an end.
   What the text says of time and processors is left open: at every look a thread may lose its
   patience or not, threads may fail to be made, waits may be interrupted.

   Steps are taken one after the other, as sequential consistency has it: what weaker orders
   allow is ThreadSanitizer's part (make check-tsan).

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

/* Slots of variables that nobody reads any more make states differ.  */
#ifdef __clang__
#pragma clang optimize off
#else
#pragma GCC optimize ("Og")
#endif

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/task.h"
#include "src/base/env.h"
#include "src/base/setup.h"
#include "src/device/device.h"
#include "tests/interleave.h"
#include "tests/pool_points.h"

/* Threads: the program's come first, then the pool's.  */
#define USERS 3
#define WORKERS 2
#define TEAMS 4
#define PARTS 3
#define PIECES 3

struct model_semaphore
{
  unsigned count, there;
};

/* ------------------------------------------- What the text calls, instead */

#define sem_t struct model_semaphore
#define sem_init model_sem_init
#define sem_destroy model_sem_destroy
#define sem_post model_sem_post
#define sem_wait model_sem_wait
#define pthread_create model_create
#define pthread_join model_join
#define pthread_sigmask(how, set, before) (void) (set)
#define pthread_setcancelstate(state, before) (void) (before)
#define gt_signals_block(before) (void) (before)
#define gt_signals_restore(before) (void) (before)
#define sched_getcpu model_getcpu
#define clock_gettime model_clock
#define fesetenv(environment) (void) (environment)
#define gt_device_host model_host
#define gt_device_host_bind(thread) (void) 0
#define gt_in_child model_in_child
#define gt_in_parallel_region model_in_parallel_region
#define gt_inputs(problem) 1

static int model_sem_init (sem_t *semaphore, int shared, unsigned count);
static int model_sem_destroy (sem_t *semaphore);
static int model_sem_post (sem_t *semaphore);
static int model_sem_wait (sem_t *semaphore);
static int model_create (pthread_t *made, const void *attributes,
                         void *(*run) (void *), void *argument);
static int model_join (pthread_t which, void **result);
static int model_getcpu (void);
static int model_clock (clockid_t clock, struct timespec *now);
static const struct gt_device *model_host (void);
static int model_in_child (void);
static int model_in_parallel_region (void);
static int model_fan_out (void);
_Thread_local const struct gt_modes *gt_thread_modes;

#ifndef POOL_TEXT
#define POOL_TEXT "src/cpu/threads.c"
#endif
#ifndef PARTS_TEXT
#define PARTS_TEXT "src/cpu/parts.c"
#endif
#define LOOKS 1
#define FAN_OUT model_fan_out ()
#include POOL_TEXT
#include PARTS_TEXT

/* -------------------------------------------------------------- The model */

/* The steps that one run of the search tries.  */
struct trial
{
  const char *name;
  void (*user[USERS]) (void *argument);
  unsigned members; /* of each team */
  unsigned workers; /* threads that can be made; WORKERS at most */
  unsigned cpus;    /* fewer than members: no patience */
  unsigned asleep;  /* whether nobody is woken before the end of a team */
  unsigned fails;   /* whether making a thread may fail */
  unsigned interrupts; /* whether waits may be interrupted */
  unsigned signals; /* handlers that run a team, wherever a user is */
  unsigned claims;  /* whether the steps of a claim are apart */
  unsigned pieces;  /* of each part; 0 counts as 1 */
  unsigned lengthy; /* whether it takes many seconds */
};

/* A call of gt_team_run.  */
struct team
{
  unsigned live; /* its caller has not returned */
  unsigned inside, members;
  unsigned done[PARTS * PIECES];
  struct gt_parts parts;
  struct gt_claims claims[PARTS];
};

static struct model
{
  struct team team[TEAMS];
  unsigned teams, made, child, signals;
} model;

static const struct trial *trial;

static void
need (int condition, const char *otherwise)
{
  if (!condition)
    interleave_fault (otherwise);
}

static void run_model_team (void);

/* A user's thread may be interrupted by a handler that runs a team, also where most signals
   are held back: a handler of a fault may be such.  What only advises when to lose patience is
   no step: that is left open anyway; nor is what the library does when the program ends.  */
void
gt_point (const char *what)
{
  int self = interleave_self ();
  unsigned ways = 1;

  if (!trial || strstr (what, "cpu") || strstr (what, "patience")
      || (!trial->claims && (strstr (what, "count") || strstr (what, "begun"))))
    return;
  if (self >= 0 && self < USERS && model.signals > 0)
    ways = 2;
  if (interleave_yield (what, ways, NULL) == 0)
    return;
  model.signals--;
  run_model_team ();
  interleave_yield (what, 1, NULL);
}

void
gt_after_point (void)
{
  interleave_scrub ();
}

static unsigned
choose (const char *what, unsigned ways)
{
  return interleave_yield (what, ways, NULL);
}

static int
model_sem_init (sem_t *s, int shared, unsigned count)
{
  (void) shared;
  need (!s->there, "a semaphore is made twice");
  *s = (struct model_semaphore) {count, 1};
  return 0;
}

static int
model_sem_destroy (sem_t *s)
{
  gt_point ("destroys a semaphore");
  need (s->there, "a semaphore is destroyed that is none");
  *s = (struct model_semaphore) {0, 0};
  return 0;
}

static int
model_sem_post (sem_t *s)
{
  gt_point ("posts a semaphore");
  need (s->there, "a semaphore is posted that is none");
  need (s->count == 0, "a semaphore is posted twice");
  s->count++;
  return 0;
}

static int
model_sem_wait (sem_t *s)
{
  need (s->there, "a semaphore is waited for that is none");
  if (interleave_yield ("waits for a semaphore", trial->interrupts ? 2 : 1, &s->count))
    {
      errno = EINTR;
      return -1;
    }
  s->count--;
  return 0;
}

static void
run_worker (void *argument)
{
  serve (argument);
}

static int
model_create (pthread_t *made, const void *attributes, void *(*run) (void *), void *argument)
{
  (void) attributes;
  (void) run;
  if (choose ("makes a thread", trial->fails ? 2 : 1) || model.made == trial->workers)
    return EAGAIN;
  interleave_begin (USERS + model.made, run_worker, argument);
  *made = (pthread_t) (uintptr_t) (USERS + model.made++);
  return 0;
}

static int
model_join (pthread_t which, void **result)
{
  (void) result;
  interleave_yield ("joins a thread", 1, interleave_ended ((unsigned) (uintptr_t) which));
  if ((uintptr_t) which == USERS + model.made - 1)
    model.made = 0;
  return 0;
}

/* Time stands still, and a thread loses its patience when it finds itself on
   the processor that whom it waits for needs: or not.  */
static int
model_getcpu (void)
{
  return (int) choose ("may lose its patience", 2);
}

static int
model_clock (clockid_t clock, struct timespec *now)
{
  (void) clock;
  *now = (struct timespec) {0, 0};
  return 0;
}

static const struct gt_device *
model_host (void)
{
  static struct gt_device host;

  host.host.threads = (int) trial->cpus;
  return &host;
}

static int
model_fan_out (void)
{
  return trial->asleep ? 0 : 1;
}

static int
model_in_parallel_region (void)
{
  return 0;
}

static int
model_in_child (void)
{
  return (int) model.child;
}

/* ---------------------------------------------------------------- Teams */

static void
sum_pieces (void *closure, unsigned member)
{
  struct team *t = closure;
  struct gt_piece piece;
  const unsigned own = gt_parts_of (&t->parts, member);
  unsigned part = own;

  need (t->live, "a member begins after the caller has returned");
  need (!(t->members >> member & 1), "a member is there twice");
  t->members |= 1u << member;
  t->inside++;
  while (gt_parts_claim (&t->parts, own, &part, &piece))
    {
      gt_point ("sums a piece");
      need (t->live, "a piece is summed after the caller has returned");
      need (t->done[piece.number]++ == 0, "a piece is summed twice");
    }
  gt_point ("ends its work");
  need (t->live, "a member ends after the caller has returned");
  t->inside--;
}

static void
run_model_team (void)
{
  struct team *t = &model.team[model.teams++];
  const unsigned pieces = trial->pieces ? trial->pieces : 1;

  t->parts = (struct gt_parts) {.n = trial->members * pieces, .parts = trial->members,
                                .length = pieces, .piece = 1, .pieces = pieces,
                                .claims = t->claims};
  t->live = 1;
  gt_team_run (trial->members, sum_pieces, t);
  t->live = 0;
  need (t->inside == 0, "a member has not ended, and the caller returns");
  need (t->members & 1, "member 0 was not there");
  for (unsigned i = 0; i < trial->members * pieces; i++)
    need (t->done[i] == 1, "a piece was not summed");
}

/* ---------------------------------------------------------------- Users */

static void
one_team (void *argument)
{
  (void) argument;
  run_model_team ();
}

static void
two_teams (void *argument)
{
  (void) argument;
  run_model_team ();
  run_model_team ();
}

static void
one_team_and_release (void *argument)
{
  (void) argument;
  run_model_team ();
  gt_team_release ();
}

static void
two_teams_and_release (void *argument)
{
  (void) argument;
  two_teams (NULL);
  gt_team_release ();
}

static void
release (void *argument)
{
  (void) argument;
  gt_team_release ();
}

static void
release_and_team (void *argument)
{
  (void) argument;
  gt_team_release ();
  run_model_team ();
}

/* The child has this thread alone, and comes to its end.  */
static void
forks (void *argument)
{
  (void) argument;
  if (choose ("forks", 2) == 0)
    return;
  interleave_fork ();
  model.child = 1;
  run_model_team ();
  gt_team_release ();
}

static const struct trial trials[] = {
  {"two members, team after team", {two_teams_and_release},
   .members = 2, .workers = 1, .cpus = 4, .fails = 1, .interrupts = 1},
  {"two members, of whom one is not woken", {two_teams_and_release},
   .members = 2, .workers = 1, .cpus = 4, .asleep = 1},
  {"three members", {one_team_and_release},
   .members = 3, .workers = 2, .cpus = 4},
  {"two members who claim pieces", {one_team}, .members = 2, .workers = 1,
   .cpus = 1, .claims = 1},
  {"two members with three pieces each", {one_team}, .members = 2, .workers = 1,
   .cpus = 1, .claims = 1, .pieces = 3},
  {"three members who claim pieces", {one_team}, .members = 3, .workers = 2,
   .cpus = 1, .claims = 1, .lengthy = 1},
  {"three members, team after team", {two_teams_and_release},
   .members = 3, .workers = 2, .cpus = 1, .lengthy = 1},
  {"two callers", {two_teams, one_team}, .members = 2, .workers = 1,
   .cpus = 4},
  {"a caller, and one who releases", {two_teams, release},
   .members = 2, .workers = 1, .cpus = 4, .interrupts = 1},
  {"two callers who release", {one_team_and_release, release_and_team},
   .members = 2, .workers = 1, .cpus = 1},
  {"three callers", {one_team, one_team, one_team_and_release},
   .members = 2, .workers = 1, .cpus = 1, .lengthy = 1},
  {"a caller, and one who forks", {two_teams, forks},
   .members = 2, .workers = 1, .cpus = 4},
  {"three members, and one who forks", {one_team, forks},
   .members = 3, .workers = 2, .cpus = 1},
  {"handlers of signals", {one_team_and_release},
   .members = 2, .workers = 1, .cpus = 4, .signals = 2},
};

static void
start (void)
{
  model.signals = trial->signals;
  for (unsigned i = 0; i < USERS; i++)
    if (trial->user[i])
      interleave_begin (i, trial->user[i], NULL);
}

/* Nothing can go on: users have ended, and the pool's threads have or sleep
   where the next offer finds them.  */
static void
look (void)
{
  for (unsigned i = 0; i < USERS; i++)
    need (trial->user[i] == NULL || model.child || *interleave_ended (i),
          "a caller waits for ever");
  need (pool.taken == 0 || model.child, "the pool stays taken");
  for (unsigned i = 0; i < pool.workers && !model.child; i++)
    need (pool.worker[i].state == ASLEEP && pool.worker[i].bell.count == 0,
          "a thread of the pool sleeps, and no state tells it");
}

/* Returns whether nothing was found.  */
static int
try (int number, struct interleave_report *all)
{
  static const struct interleave_memory memory[]
    = {{&model, sizeof model},
       {&pool, offsetof (__typeof__ (pool), worker[WORKERS])},
       {NULL, 0}};
  const struct interleave_problem problem = {memory, start, look};
  struct interleave_report report;

  interleave (&problem, &report);
  printf ("%sok %d - %s: %zu states, %zu steps, %zu ends%s%s\n",
          report.fault ? "not " : "", number, trial->name, report.states,
          report.steps, report.ends, report.fault ? ": " : "",
          report.fault ? report.fault : "");
  fflush (stdout);
  all->states += report.states;
  all->steps += report.steps;
  return report.fault == NULL;
}

/* With an argument, also what takes many seconds.  */
int
main (int argc, char **argv)
{
  struct interleave_report all = {0, 0, 0, NULL};
  const int first = argc > 1 && strcmp (argv[1], "first") == 0;
  const int lengthy = argc > 1 && !first;
  int number = 0, right = 1;

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  puts ("1..0 # SKIP a sanitizer watches the stacks that the search copies");
  return 0;
#endif
  for (size_t i = 0; i < sizeof trials / sizeof *trials && (right || !first); i++)
    if (lengthy || !trials[i].lengthy)
      {
        trial = &trials[i];
        right &= try (++number, &all);
      }
  printf ("1..%d\n# %zu states, %zu steps in all\n", number, all.states, all.steps);
  memset (&pool, 0, sizeof pool); /* the destructor finds nothing to end */
  return !right;
}
