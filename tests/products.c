/* A program of GSL's for tests/test_engines.sh: products of matrices, in a child of fork,
   in threads and in a handler of a signal too.  What it prints does not depend on what
   computes them: elements are whole numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <gsl/gsl_blas.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIDE = 300, THREADS = 4 };

static gsl_matrix *a, *b;
static volatile sig_atomic_t signals;

static double
product (void)
{
  gsl_matrix *c = gsl_matrix_calloc (SIDE, SIDE);
  double sum = 0;

  gsl_blas_dgemm (CblasNoTrans, CblasTrans, 2, a, b, 0, c);
  gsl_blas_dsyrk (CblasUpper, CblasNoTrans, 1, a, 1, c);
  for (int i = 0; i < SIDE; i++)
    for (int k = 0; k < SIDE; k++)
      sum += gsl_matrix_get (c, i, k) * (1 + (i + 3 * k) % 7);
  gsl_matrix_free (c);
  return sum;
}

static void *
in_thread (void *sum)
{
  *(double *) sum = product ();
  return NULL;
}

/* The handler computes what it interrupts.  */
static void
on_alarm (int number)
{
  double x[4] = {1, 2, 3, 4}, y[2] = {0, 0};
  gsl_matrix_view m = gsl_matrix_view_array (x, 2, 2);
  gsl_vector_view v = gsl_vector_view_array (x, 2), w = gsl_vector_view_array (y, 2);

  (void) number;
  gsl_blas_dgemv (CblasNoTrans, 1, &m.matrix, &v.vector, 0, &w.vector);
  if (y[0] != 5 || y[1] != 11)
    abort ();
  signals++;
}

static void
with_signals (void)
{
  const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  struct sigaction action;

  memset (&action, 0, sizeof action);
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  sigaction (SIGALRM, &action, NULL);
  setitimer (ITIMER_REAL, &often, NULL);
  printf ("%.17g\n", product ());
  while (signals == 0)
    pause ();
  setitimer (ITIMER_REAL, &never, NULL);
}

int
main (void)
{
  pthread_t thread[THREADS];
  double sum[THREADS];
  int status;

  a = gsl_matrix_alloc (SIDE, SIDE);
  b = gsl_matrix_alloc (SIDE, SIDE);
  for (int i = 0; i < SIDE; i++)
    for (int k = 0; k < SIDE; k++)
      {
        gsl_matrix_set (a, i, k, (7 * i + 3 * k) % 11 - 5);
        gsl_matrix_set (b, i, k, (5 * i + 9 * k) % 13 - 6);
      }
  with_signals ();
  printf ("%.17g\n", product ());
  for (int t = 0; t < THREADS; t++)
    if (pthread_create (&thread[t], NULL, in_thread, &sum[t]))
      return 1;
  for (int t = 0; t < THREADS; t++)
    {
      pthread_join (thread[t], NULL);
      printf ("%.17g\n", sum[t]);
    }
  fflush (stdout);
  if (fork () == 0)
    {
      printf ("%.17g\n", product ());
      fflush (stdout);
      _exit (0);
    }
  wait (&status);
  return status != 0;
}
