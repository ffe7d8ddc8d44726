/* Tests of the mode of one thread: others keep theirs, and those that share its calls have it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/gsltune.h"

enum { ROWS = 4096, COLUMNS = 33 };

static double x[ROWS * COLUMNS], sums[ROWS];
static gsl_matrix_view m;
static gsl_vector_view v;

/* Sums that only exact mode gets right, so that fast mode gets them wrong.  */
FIXTURE (fill)
{
  gsl_set_error_handler_off ();
  for (size_t i = 0; i < ROWS; i++)
    for (size_t j = 0; j < COLUMNS; j++)
      x[i * COLUMNS + j] = j == 0 ? 0x1p80 : j == COLUMNS - 1 ? -0x1p80 : 1;
  m = gsl_matrix_view_array (x, ROWS, COLUMNS);
  v = gsl_vector_view_array (sums, ROWS);
  return 0;
}

static size_t
right_ones (void)
{
  size_t right = 0;

  gsltune_matrix_row_sum (&m.matrix, &v.vector);
  for (size_t i = 0; i < ROWS; i++)
    right += sums[i] == COLUMNS - 2;
  return right;
}

static void *
ask (void *mode)
{
  *(gsltune_mode *) mode = gsltune_get_mode ();
  return NULL;
}

static gsltune_mode
mode_of_another_thread (void)
{
  pthread_t thread;
  gsltune_mode mode = GSLTUNE_MODE_PROCESS;

  assert_int_equal (pthread_create (&thread, NULL, ask, &mode), 0);
  assert_int_equal (pthread_join (thread, NULL), 0);
  return mode;
}

TEST (of_one_thread)
{
  assert_int_equal (gsltune_get_thread_mode (), GSLTUNE_MODE_PROCESS);
  assert_int_equal (gsltune_set_thread_mode (GSLTUNE_MODE_FAST), GSL_SUCCESS);
  assert_int_equal (gsltune_get_mode (), GSLTUNE_MODE_FAST);
  assert_int_equal (mode_of_another_thread (), GSLTUNE_MODE_AUTO);
  assert_int_equal (gsltune_set_mode (GSLTUNE_MODE_COMPENSATED), GSL_SUCCESS);
  assert_int_equal (gsltune_get_mode (), GSLTUNE_MODE_FAST);
  assert_int_equal (mode_of_another_thread (), GSLTUNE_MODE_COMPENSATED);
  assert_int_equal (gsltune_set_thread_mode (GSLTUNE_MODE_PROCESS), GSL_SUCCESS);
  assert_int_equal (gsltune_get_mode (), GSLTUNE_MODE_COMPENSATED);
  assert_int_equal (gsltune_set_thread_mode (GSLTUNE_MODE_AUTO), GSL_SUCCESS);
  assert_int_equal (gsltune_get_mode (), GSLTUNE_MODE_AUTO);
  assert_int_equal (gsltune_get_thread_mode (), GSLTUNE_MODE_AUTO);
  assert_int_equal (gsltune_set_thread_mode (GSLTUNE_MODE_PROCESS), GSL_SUCCESS);
  assert_int_equal (gsltune_set_thread_mode ((gsltune_mode) 4), GSL_EINVAL);
  assert_int_equal (gsltune_set_thread_mode ((gsltune_mode) -2), GSL_EINVAL);
  assert_int_equal (gsltune_set_mode (GSLTUNE_MODE_PROCESS), GSL_EINVAL);
}

TEST (of_those_who_share_its_calls)
{
  gt_env.threads = 2;
  for (int turn = 0; turn < 50; turn++)
    {
      gsltune_set_mode (turn % 2 ? GSLTUNE_MODE_FAST : GSLTUNE_MODE_EXACT);
      gsltune_set_thread_mode (turn % 2 ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST);
      assert_int_equal (right_ones (), turn % 2 ? ROWS : 0);
    }
  gsltune_set_thread_mode (GSLTUNE_MODE_PROCESS);
}

RUN_TESTS (fill, NULL)
