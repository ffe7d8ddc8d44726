/* The beginning of every test program: the system's headers that tests use, cmocka, and
   tests that are run because they are there:

     TEST (name)
     {
       assert_true (...);
     }
     RUN_TESTS (NULL, NULL)

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_UNIT_H
#define GT_TEST_UNIT_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* cmocka's own skip () prints "not ok", which counts as a failure: SKIP serves instead.  */
#undef skip

#define N_OF(array) (sizeof (array) / sizeof *(array))

static struct CMUnitTest unit_tests[128];

/* Constructors of one file run in any order: tests are run in that of their PLACES.  */
static inline void
add_test (int place, struct CMUnitTest test)
{
  if (place >= (int) N_OF (unit_tests))
    abort ();
  unit_tests[place] = test;
}

/* Gives the running test NAME the line of a skipped one.  cmocka prints a test's name after
   the test has returned.  */
static inline void
mark_skipped (const char *name, const char *why)
{
  static char text[512];
  size_t place = 0;

  while (!unit_tests[place].name || strcmp (unit_tests[place].name, name) != 0)
    if (++place == N_OF (unit_tests))
      abort ();
  snprintf (text, sizeof text, "%s # SKIP %s", name, why);
  unit_tests[place].name = text;
}

/* Ends the test that it stands in, which is skipped because of WHY.  */
#define SKIP(why)                                                               \
  do                                                                            \
    {                                                                           \
      mark_skipped (__func__, why);                                             \
      return;                                                                   \
    }                                                                           \
  while (0)

/* To be run where CONDITION holds when the program starts, between a set-up and a
   tear-down of its own.  */
#define TEST_IF(condition, name, set_up, tear_down)                             \
  static void name (void **);                                                   \
  __attribute__ ((constructor)) static void register_##name (void)              \
  {                                                                             \
    if (condition)                                                              \
      add_test (__COUNTER__, (struct CMUnitTest) {#name, name, set_up,          \
                                                  tear_down, NULL});            \
  }                                                                             \
  static void name (__attribute__ ((unused)) void **state)
#define TEST_WITH(name, set_up, tear_down) TEST_IF (1, name, set_up, tear_down)
#define TEST(name) TEST_IF (1, name, NULL, NULL)

/* A set-up or tear-down: 0, or what cmocka calls an error.  */
#define FIXTURE(name)                                                           \
  __attribute__ ((unused)) static int name (__attribute__ ((unused)) void **state)

/* All of them, between a set-up and a tear-down for all.  How many failed.  */
static inline int
run_unit_tests (int (*set_up) (void **), int (*tear_down) (void **))
{
  size_t count = 0;

  for (size_t place = 0; place < N_OF (unit_tests); place++)
    if (unit_tests[place].name)
      unit_tests[count++] = unit_tests[place];
  cmocka_set_message_output (CM_OUTPUT_TAP);
  return _cmocka_run_group_tests ("tests", unit_tests, count, set_up, tear_down);
}
#define RUN_TESTS(set_up, tear_down)                                            \
  int main (void)                                                               \
  {                                                                             \
    return run_unit_tests (set_up, tear_down);                                       \
  }

#endif
