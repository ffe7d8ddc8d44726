/* Tests of src/cpu/threads.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <sched.h>

#include "tests/unit.h"

#include "src/cpu/threads.h"
#include "src/device/device.h"
#include "tests/scenario.h"

/* ------------------------------------------------------------- All is done */

#define MOST_PIECES 2000

/* A team that counts: how often each piece was done and each member began.  */
struct count
{
  unsigned pieces;
  _Atomic unsigned next;
  _Atomic unsigned begun;
  _Atomic unsigned ended;
  _Atomic unsigned done[MOST_PIECES];
  _Atomic unsigned member[2 * GT_MAX_THREADS];
  unsigned plain[MOST_PIECES]; /* not atomic: the end of the team orders it */
};

static void
do_pieces (void *closure, unsigned member)
{
  struct count *c = closure;
  unsigned k;

  c->begun++;
  c->member[member]++;
  while ((k = c->next++) < c->pieces)
    {
      c->done[k]++;
      c->plain[k] = k + 1;
    }
  c->ended++;
}

/* The fault of a team that has ended, or null.  */
static const char *
fault (const struct count *c, unsigned members)
{
  unsigned most = members < GT_MAX_THREADS ? members : GT_MAX_THREADS;

  if (c->begun != c->ended)
    return "a member that began has not ended";
  if (c->member[0] != 1)
    return "member 0 was not there once";
  for (unsigned m = 1; m < N_OF (c->member); m++)
    if (c->member[m] > (m < most))
      return "a member was there twice, or too high";
  for (unsigned k = 0; k < c->pieces; k++)
    if (c->done[k] != 1 || c->plain[k] != k + 1)
      return "a piece was not done once";
  return NULL;
}

/* Runs a team of MEMBERS.  Returns what is wrong, or null.  */
static const char *
run_counted (unsigned members, unsigned pieces)
{
  struct count c = {.pieces = pieces};

  gt_team_run (members, do_pieces, &c);
  return fault (&c, members);
}

TEST (pieces_are_done_once)
{
  static const unsigned pieces[] = {0, 1, 7, MOST_PIECES};
  const char *wrong;

  for (unsigned members = 0; members <= 40; members++)
    for (unsigned p = 0; p < N_OF (pieces); p++)
      for (unsigned round = 0; round < 20; round++)
        if ((wrong = run_counted (members, pieces[p])) != NULL)
          fail_msg ("%u members, %u pieces: %s", members, pieces[p], wrong);
}

TEST (more_members_than_processors)
{
  static const unsigned members[]
    = {64, 200, GT_MAX_THREADS - 1, GT_MAX_THREADS, GT_MAX_THREADS + 1,
       2 * GT_MAX_THREADS, 3};
  const char *wrong;

  for (unsigned i = 0; i < N_OF (members); i++)
    for (unsigned round = 0; round < 5; round++)
      if ((wrong = run_counted (members[i], MOST_PIECES)) != NULL)
        fail_msg ("%u members: %s", members[i], wrong);
  gt_team_release ();
}

TEST (it_works_after_release)
{
  gt_team_release ();
  gt_team_release ();
  for (unsigned round = 0; round < 50; round++)
    {
      assert_null (run_counted (2 + round % 7, 100));
      gt_team_release ();
    }
}

/* ------------------------------------------ Who comes, who is waited for */

/* A team whose members wait until MEET of them are there.  */
struct meeting
{
  unsigned meet;
  _Atomic unsigned there;
  _Atomic unsigned ended;
  pthread_t thread[GT_MAX_THREADS];
  sigset_t blocked[GT_MAX_THREADS];
  cpu_set_t bound[GT_MAX_THREADS];
};

static void
meet (void *closure, unsigned member)
{
  struct meeting *m = closure;

  m->thread[member] = pthread_self ();
  pthread_sigmask (SIG_SETMASK, NULL, &m->blocked[member]);
  m->there++;
  while (m->there < m->meet)
    sched_yield ();
  sched_getaffinity (0, sizeof *m->bound, &m->bound[member]);
  m->ended++;
}

/* Every member comes while member 0 works, and by a thread of its own; the next
   team has the same threads.  */
TEST (members_are_threads)
{
  static const unsigned sizes[] = {2, 3, 9, 17, 9};
  struct meeting first = {.meet = 17};

  gt_team_run (17, meet, &first);
  assert_int_equal (first.ended, 17);
  for (unsigned i = 0; i < N_OF (sizes); i++)
    {
      struct meeting m = {.meet = sizes[i]};

      gt_team_run (sizes[i], meet, &m);
      assert_int_equal (m.ended, sizes[i]);
      for (unsigned k = 0; k < sizes[i]; k++)
        {
          assert_true (pthread_equal (m.thread[k], first.thread[k]));
          for (unsigned l = 0; l < k; l++)
            assert_false (pthread_equal (m.thread[k], m.thread[l]));
        }
    }
  assert_true (pthread_equal (first.thread[0], pthread_self ()));
}

/* Nor are they bound to the processor that the caller is bound to: member 0
   begins when all threads are made.  */
TEST (members_are_bound_as_the_process_is)
{
  struct meeting m = {.meet = 4};
  cpu_set_t before, one;

  gt_device_host ();
  assert_int_equal (sched_getaffinity (0, sizeof before, &before), 0);
  CPU_ZERO (&one);
  CPU_SET (sched_getcpu (), &one);
  gt_team_release ();
  assert_int_equal (sched_setaffinity (0, sizeof one, &one), 0);
  gt_team_run (4, meet, &m);
  assert_int_equal (sched_setaffinity (0, sizeof before, &before), 0);
  assert_true (CPU_EQUAL (&m.bound[0], &one));
  for (unsigned k = 1; k < 4; k++)
    assert_true (CPU_EQUAL (&m.bound[k], &before));
}

/* Signals that come from outside reach the program's own threads, the caller when
   its team has ended; then its mask is as it was.  Profilers see it all the time.  */
TEST (signals_are_blocked)
{
  struct meeting m = {.meet = 4};
  sigset_t after;

  gt_team_release ();
  gt_team_run (4, meet, &m);
  for (unsigned k = 0; k < 4; k++)
    {
      assert_int_equal (sigismember (&m.blocked[k], SIGINT), 1);
      assert_int_equal (sigismember (&m.blocked[k], SIGPROF), k > 0);
      assert_int_equal (sigismember (&m.blocked[k], SIGSEGV), 0);
    }
  pthread_sigmask (SIG_SETMASK, NULL, &after);
  assert_int_equal (sigismember (&after, SIGINT), 0);
}

/* A team whose member 0 ends at once; the others take their time.  */
struct hurry
{
  _Atomic unsigned begun;
  _Atomic unsigned ended;
};

static void
hurry (void *closure, unsigned member)
{
  struct hurry *h = closure;

  h->begun++;
  for (unsigned turn = 0; member > 0 && turn < 3; turn++)
    sched_yield ();
  h->ended++;
}

/* Members that have not begun when member 0 ends never do, those that have are
   waited for: whether they were asleep, awake, or not made yet.  */
TEST (late_members_are_not_waited_for)
{
  unsigned missing = 0;

  gt_team_release ();
  for (unsigned round = 0; round < 2000; round++)
    {
      struct hurry h = {0, 0};
      unsigned members = 2 + round % 30, begun;

      gt_team_run (members, hurry, &h);
      begun = h.begun;
      assert_int_equal (h.ended, begun);
      assert_in_range (begun, 1, members);
      missing += members - begun;
      if (round % 100 == 0)
        usleep (1000); /* all asleep */
      assert_int_equal (h.begun, begun);
    }
  assert_true (missing > 0); /* or members are waited for until they begin */
}

/* ----------------------------------------------------- Only member 0 */

static void
count_members (void *closure, unsigned member)
{
  _Atomic unsigned *count = closure;

  (void) member;
  ++*count;
  for (unsigned turn = 0; turn < 20; turn++)
    sched_yield ();
}

static unsigned
members_of_a_team (void)
{
  _Atomic unsigned count = 0;

  gt_team_run (8, count_members, &count);
  return count;
}

/* Teams within members of a team.  */
struct nest
{
  struct meeting meeting;
  _Atomic unsigned inner;
};

static void
nest (void *closure, unsigned member)
{
  struct nest *n = closure;

  meet (&n->meeting, member);
  n->inner += members_of_a_team ();
  gt_team_release ();
}

TEST (a_team_within_a_team_is_one_member)
{
  for (unsigned members = 1; members <= 12; members++)
    {
      struct nest n = {.meeting = {.meet = members}};

      gt_team_run (members, nest, &n);
      assert_int_equal (n.meeting.ended, members);
      assert_true (members == 1 || n.inner == members);
    }
}

TEST (a_team_within_a_parallel_region_is_one_member)
{
#ifdef _OPENMP
  unsigned counts[2] = {0, 0};

#pragma omp parallel for num_threads (2)
  for (int i = 0; i < 2; i++)
    counts[i] = members_of_a_team ();
  assert_int_equal (counts[0], 1);
  assert_int_equal (counts[1], 1);
#endif
}

#define USERS 8

static void *
use (void *wrong)
{
  for (unsigned round = 0; round < 500; round++)
    {
      const char *text = run_counted (2 + round % 9, 200);

      if (text)
        *(const char **) wrong = text;
      if (round % 64 == 63)
        gt_team_release ();
    }
  return NULL;
}

TEST (many_users_at_once)
{
  const char *wrong[USERS] = {NULL};
  pthread_t user[USERS];

  for (unsigned i = 0; i < USERS; i++)
    assert_int_equal (pthread_create (&user[i], NULL, use, &wrong[i]), 0);
  for (unsigned i = 0; i < USERS; i++)
    assert_int_equal (pthread_join (user[i], NULL), 0);
  for (unsigned i = 0; i < USERS; i++)
    assert_null (wrong[i]);
}

/* --------------------------------------------------------------------- fork */

/* In the child: teams of one, and nothing hangs, neither what ends the pool when the process
   ends.  Not exit: leak checkers do not know what the threads that are gone held.  */
static void
in_child (void)
{
  alarm (SCENARIO_SECONDS);
  CHECK (gt_forked);
  for (unsigned round = 0; round < 3; round++)
    {
      CHECK (members_of_a_team () == 1);
      CHECK (run_counted (5, 100) == NULL);
      gt_team_release ();
    }
  _exit (0);
}

static int
child_succeeds (void)
{
  int status;
  pid_t pid;

  fflush (NULL);
  pid = fork ();
  if (pid == 0)
    in_child ();
  return pid > 0 && waitpid (pid, &status, 0) == pid && status == 0;
}

static _Atomic int stop;

static void *
keep_busy (void *argument)
{
  (void) argument;
  while (!stop)
    run_counted (6, 50);
  return NULL;
}

/* Run in a process of its own, which forks.  */
SCENARIO (fork_children)
{
  pthread_t user;

  CHECK (child_succeeds ()); /* no pool yet */
  CHECK (run_counted (4, 100) == NULL);
  CHECK (child_succeeds ()); /* threads awake */
  usleep (10000);
  CHECK (child_succeeds ()); /* threads asleep */
  CHECK (run_counted (4, 100) == NULL);
  gt_team_release ();
  CHECK (child_succeeds ());
  CHECK (pthread_create (&user, NULL, keep_busy, NULL) == 0);
  for (unsigned round = 0; round < 50; round++)
    CHECK (child_succeeds ()); /* threads at work */
  stop = 1;
  CHECK (pthread_join (user, NULL) == 0);
  CHECK (run_counted (4, 100) == NULL);
}

/* The process ends while another thread runs teams.  */
SCENARIO (exit_at_work)
{
  pthread_t user;

  CHECK (pthread_create (&user, NULL, keep_busy, NULL) == 0);
  CHECK (run_counted (4, 100) == NULL);
}

TEST (forked_children_have_one_thread)
{
  EXPECT_SCENARIO ("fork_children", "", "GSLTUNE_THREADS=8");
}

TEST (exit_does_not_wait_for_a_team)
{
  for (unsigned round = 0; round < 10; round++)
    EXPECT_SCENARIO ("exit_at_work", "", "GSLTUNE_THREADS=8");
}

TEST (errno_is_kept)
{
  gt_team_release ();
  errno = ERANGE;
  for (unsigned members = 1; members < 20; members++)
    assert_null (run_counted (members, 50));
  gt_team_release ();
  assert_int_equal (errno, ERANGE);
}

int
main (int argc, char **argv)
{
  scenario_main (argc, argv);
  alarm (SCENARIO_SECONDS); /* a team that hangs is a failure */
  return run_unit_tests (NULL, NULL);
}
