/* A program for tests/test_run_count.sh: it calls GSL in ways that are known, and knows
   nothing of gsltune.

     watched WAY [ARGUMENT]...

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_statistics.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define N 1000

/* A function that is one caller, by its own name.  */
#if __has_attribute (noclone)
#define PLAIN __attribute__ ((noinline, noclone))
#else
#define PLAIN __attribute__ ((noinline))
#endif

static double data[N];
static double total; /* what results are for */

static PLAIN void
sum_means (int calls, size_t stride, size_t n)
{
  while (calls-- > 0)
    total += gsl_stats_mean (data, stride, n);
}

/* Sums of N elements that are one after the other.  */
static void
sum_plain (int calls, size_t n)
{
  gsl_vector *v = gsl_vector_calloc (n);

  while (calls-- > 0)
    total += gsl_vector_sum (v);
  gsl_vector_free (v);
}

static PLAIN void
multiply (int calls, size_t n, size_t stride)
{
  const gsl_vector x = {n, 1, data, NULL, 0}, y = {n, stride, data, NULL, 0};

  while (calls-- > 0)
    {
      double product = 0;

      gsl_blas_ddot (&x, &y, &product);
      total += product;
    }
}

/* A matrix times a vector.  */
static void
multiply_matrix (int calls)
{
  const gsl_vector x = {20, 1, data, NULL, 0};
  gsl_vector y = {20, 1, data + 500, NULL, 0};
  gsl_matrix_view m = gsl_matrix_view_array (data, 20, 20);

  while (calls-- > 0)
    gsl_blas_dgemv (CblasNoTrans, 1, &m.matrix, &x, 0, &y);
  total += gsl_vector_get (&y, 3);
}

/* 7 + 5 means of 20 and of 100 elements, 3 variances, each of which is a mean and a
   variance about it inside of GSL, and matrices.  */
static void
calls (void)
{
  gsl_matrix_view m = gsl_matrix_view_array (data, 10, 20);

  sum_means (7, 1, 20);
  sum_means (5, 3, 100);
  multiply (40, 4, 1);
  for (int k = 0; k < 3; k++)
    total += gsl_stats_variance (data, 1, N);
  total += gsl_matrix_max (&m.matrix);
}

static void *
thread (void *unused)
{
  sum_means (1000, 1, 20);
  return unused;
}

static void
threads (void)
{
  pthread_t ids[4];

  for (int k = 0; k < 4; k++)
    if (pthread_create (&ids[k], NULL, thread, NULL) != 0)
      exit (99);
  for (int k = 0; k < 4; k++)
    pthread_join (ids[k], NULL);
}

static void
children (void)
{
  sum_means (1, 1, 20);
  for (int k = 0; k < 3; k++)
    if (fork () == 0)
      {
        sum_means (10, 1, 20);
        _exit (0);
      }
  while (wait (NULL) > 0)
    continue;
}

/* Spends half a second of CPU time in a function of GSL that is not counted, by a thread, a
   child, or here; if IN_LIBM, nearly all of it in functions of libm that such a function calls.
   System calls are rare: on a busy machine timers often expire in one, and then stand for
   many samples.  */
static void *
compute_beside (void *in_libm)
{
  const clock_t end = clock () + CLOCKS_PER_SEC / 2;

  while (clock () < end)
    for (int k = 0; k < 50000; k++)
      total += in_libm ? GSL_REAL (gsl_complex_sin (gsl_complex_rect (1e15 + k, 1)))
                       : gsl_sf_bessel_J0 (0.01 * (k % 1000));
  return in_libm;
}

static void
beside (const char *where)
{
  pthread_t id;

  if (strcmp (where, "thread") == 0 && pthread_create (&id, NULL, compute_beside, NULL) == 0)
    pthread_join (id, NULL);
  else if (strcmp (where, "child") != 0)
    compute_beside (strcmp (where, "libm") == 0 ? data : NULL);
  else if (fork () == 0)
    {
      compute_beside (NULL);
      _exit (0);
    }
  wait (NULL);
}

static volatile sig_atomic_t caught;

static void
catch_signal (int signal)
{
  (void) signal;
  caught++;
}

/* Catches all signals, and then blocks them and looks for them.  Returns how many came.  */
static int
hear_signals (void)
{
  const struct timespec at_once = {0, 0};
  struct signalfd_siginfo read_one;
  sigset_t all;
  int fd;

  for (int s = 1; s <= SIGRTMAX; s++)
    if (s != SIGSEGV && s != SIGBUS && s != SIGFPE && s != SIGILL)
      signal (s, catch_signal);
  compute_beside (NULL);
  sigfillset (&all);
  sigprocmask (SIG_BLOCK, &all, NULL);
  compute_beside (NULL);
  fd = signalfd (-1, &all, SFD_NONBLOCK);
  caught += read (fd, &read_one, sizeof read_one) > 0;
  caught += sigtimedwait (&all, NULL, &at_once) > 0;
  close (fd);
  return caught;
}

/* A daemon's beginning, without its staying.  */
static void
close_all (void)
{
  if (fork () != 0)
    {
      wait (NULL);
      return;
    }
  setsid ();
  for (int fd = 0; fd < 256; fd++)
    close (fd);
  sum_means (6, 1, 20);
  _exit (0);
}

static volatile sig_atomic_t arrived;

static void
arrive (int signal)
{
  arrived = signal;
}

/* The parent gets a signal, and is to pass it on.  */
static void
wait_for (int signal_number)
{
  signal (signal_number, arrive);
  kill (getppid (), signal_number);
  while (!arrived)
    usleep (1000);
  sum_means (1, 1, 20);
}

/* The parent gets SIGINT from the kernel, as from a terminal, which would have sent it
   to this process too; and then a signal that is to be passed on.  */
static void
ring_like_a_terminal (void)
{
  int ends[2];

  if (pipe (ends) || fcntl (ends[0], F_SETOWN, getppid ())
      || fcntl (ends[0], F_SETSIG, SIGINT)
      || fcntl (ends[0], F_SETFL, O_ASYNC) || write (ends[1], "", 1) != 1)
    exit (99);
  wait_for (SIGUSR1);
}

static jmp_buf back;

static void
jump (const char *reason, const char *file, int line, int error)
{
  (void) reason;
  (void) file;
  (void) line;
  longjmp (back, error ? 1 : 2);
}

/* GSL's error handler is called.  */
static void
make_an_error (void)
{
  const gsl_vector x = {3, 1, data, NULL, 0}, y = {4, 1, data, NULL, 0};
  double product;

  gsl_blas_ddot (&x, &y, &product);
  exit (99); /* no handler here returns */
}

/* An error handler that does not return; what comes after is not inside.  */
static void
leave_by_jump (void)
{
  const gsl_vector none = {0, 1, data, NULL, 0};

  gsl_set_error_handler (jump);
  if (setjmp (back) == 0)
    make_an_error ();
  total += gsl_vector_max (&none);
  sum_means (2, 1, 20);
}

static ucontext_t before, coroutine;

static void
leave_coroutine (const char *reason, const char *file, int line, int error)
{
  (void) reason;
  (void) file;
  (void) line;
  (void) error;
  swapcontext (&coroutine, &before);
}

/* An error handler leaves a coroutine for good, whose stack nobody may read then.  */
static void
leave_a_coroutine (void)
{
  const size_t size = 1 << 18;
  void *stack = mmap (NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  gsl_set_error_handler (leave_coroutine);
  if (stack == MAP_FAILED || getcontext (&coroutine))
    exit (99);
  coroutine.uc_stack.ss_sp = stack;
  coroutine.uc_stack.ss_size = size;
  coroutine.uc_link = &before;
  makecontext (&coroutine, make_an_error, 0);
  swapcontext (&before, &coroutine);
  mprotect (stack, size, PROT_NONE);
  sum_means (2, 1, 20);
}

static void
plug_in (const char *path, const char *flag)
{
  void *handle = dlopen (path, strcmp (flag, "deep") == 0
                                 ? RTLD_NOW | RTLD_DEEPBIND : RTLD_NOW);
  double (*mean) (const double *, size_t)
    = handle ? dlsym (handle, "plug_in_mean") : NULL;

  if (mean == NULL)
    {
      fprintf (stderr, "%s\n", dlerror ());
      exit (99);
    }
  total += mean (data, 20);
  sum_means (1, 1, 20);
}

/* GSL's and ours are not the same.  */
static void
print_mean (void)
{
  static const double x[]
    = {1e16, 1, -1e16, 1e16, 1, -1e16, 1e16, 1, -1e16,
       1e16, 1, -1e16, 1e16, 1, -1e16, 1e16, 1, -1e16};

  printf ("%a\n", gsl_stats_mean (x, 1, sizeof x / sizeof *x));
}

static void
do_it (char **words)
{
  const char *way = words[1];

  if (strcmp (way, "calls") == 0)
    calls ();
  else if (strcmp (way, "threads") == 0)
    threads ();
  else if (strcmp (way, "children") == 0)
    children ();
  else if (strcmp (way, "beside") == 0)
    beside (words[2]);
  else if (strcmp (way, "signals") == 0)
    exit (hear_signals ());
  else if (strcmp (way, "daemon") == 0)
    close_all ();
  else if (strcmp (way, "jump") == 0)
    leave_by_jump ();
  else if (strcmp (way, "coroutine") == 0)
    leave_a_coroutine ();
  else if (strcmp (way, "plug-in") == 0)
    plug_in (words[2], words[3]);
  else if (strcmp (way, "columns") == 0)
    {
      multiply (9, 60, 15);
      total += gsl_stats_covariance (data, 3, data, 2, 60);
    }
  else if (strcmp (way, "matrix") == 0)
    multiply_matrix (5);
  else if (strcmp (way, "arrives") == 0)
    wait_for (atoi (words[2]));
  else if (strcmp (way, "terminal") == 0)
    ring_like_a_terminal ();
  else if (strcmp (way, "long") == 0)
    sum_means (atoi (words[2]), 0, (size_t) atol (words[3]));
  else if (strcmp (way, "plain") == 0)
    sum_plain (atoi (words[2]), (size_t) atol (words[3]));
  else if (strcmp (way, "mean") == 0)
    print_mean ();
  else if (strcmp (way, "nothing") != 0)
    {
      sum_means (2, 1, 20);
      if (strcmp (way, "exec") == 0)
        execv (words[2], words + 2);
      if (strcmp (way, "_exit") == 0)
        _exit (atoi (words[2]));
      raise (atoi (words[2])); /* a signal */
    }
}

int
main (int argc, char **argv)
{
  alarm (60); /* whatever is waited for and does not come */
  for (int k = 0; k < N; k++)
    data[k] = k % 17;
  if (argc > 1)
    do_it (argv);
  printf ("%g\n", total);
  return argc > 1 && strcmp (argv[1], "calls") == 0 ? 3 : 0;
}
