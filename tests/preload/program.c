/* A program of a user of GSL, for tests/test_preload.sh: it says which mean it got, in
   many circumstances.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef double mean_of (const double[], size_t, size_t);

/* Its exact mean is 1/3, GSL's own another.  Of less than 16 elements it is GSL's.  */
enum { N = 18 };
static const double data[N]
  = {1e16, 1, -1e16, 1e16, 1, -1e16, 1e16, 1, -1e16,
     1e16, 1, -1e16, 1e16, 1, -1e16, 1e16, 1, -1e16};
#define GSL_MEAN 0.33331298828125

static char **arguments; /* after the name of what is to be run */

static const char *
whose (double mean)
{
  return mean == 1. / 3 ? "ours" : mean == GSL_MEAN ? "gsl" : "wrong";
}

static void
say (double mean)
{
  puts (whose (mean));
  fflush (stdout);
}

static double
mean (void)
{
  return gsl_stats_mean (data, 1, N);
}

static void
fail (const char *what)
{
  printf ("%s\n", what);
  exit (1);
}

/* ---------------------------------------------------------------- Calls */

static void
direct (void)
{
  say (mean ());
}

static void
by_symbol (void)
{
  mean_of *f = (mean_of *) dlsym (RTLD_DEFAULT, "gsl_stats_mean");

  say (f (data, 1, N));
}

/* GSL's inside: a reflection asks for a norm.  */
static void
inside (void)
{
  double x[200];
  gsl_vector v = {0, 1, x, NULL, 0};

  for (v.size = 2; v.size <= 200; v.size++)
    {
      for (size_t i = 0; i < v.size; i++)
        x[i] = 1 / (3. + (double) i);
      printf ("%a\n", gsl_linalg_householder_transform (&v));
    }
}

static int silent;

static void
print (const char *function, double result)
{
  if (!silent)
    printf ("%s %a\n", function, result);
}

/* The longest calls that are GSL's own, and those of so many elements MORE.  */
static void
call_of_few (size_t more)
{
  double x[256], y[256], product;
  gsl_vector a = {255 + more, 1, x, NULL, 0}, b = {255 + more, 1, y, NULL, 0};
  gsl_matrix m = {1, 31 + more, 32, x, NULL, 0};
  const size_t n = 7 + more;

  for (int i = 0; i < 256; i++)
    {
      x[i] = 1 / ((37 * i * i + 1) % 139 - 69.5);
      y[i] = 1 / (i - 7.5);
    }
  gsl_blas_ddot (&a, &b, &product);
  print ("dot", product);
  a.size = 127 + more;
  print ("sum", gsl_vector_sum (&a));
  print ("asum", gsl_blas_dasum (&a));
  print ("norm", gsl_blas_dnrm2 (&a));
  a.size = 63 + more;
  print ("tss_m", gsl_stats_tss_m (x, 1, a.size, 0.1));
  print ("max", gsl_matrix_max (&m));
  a.size = 15 + more;
  print ("weighted mean", gsl_stats_wmean (x, 1, y, 1, a.size));
  print ("covariance_m", gsl_stats_covariance_m (x, 1, y, 1, a.size, .1, .2));
  print ("mean", gsl_stats_mean (y, 1, a.size));
  print ("absdev", gsl_stats_absdev (x, 1, a.size));
  print ("skew", gsl_stats_skew (x, 1, a.size));
  print ("kurtosis", gsl_stats_kurtosis (x, 1, a.size));
  print ("lag1", gsl_stats_lag1_autocorrelation (x, 1, a.size));
  print ("weighted skewness", gsl_stats_wskew (x, 1, y, 1, a.size));
  print ("variance", gsl_stats_variance (x, 1, n));
  print ("sd", gsl_stats_sd (y, 1, n));
  print ("covariance", gsl_stats_covariance (x, 1, y, 1, n));
}

/* Before ours were looked for, and when they were found.  */
static void
few (void)
{
  const size_t more = arguments[0] != NULL;

  call_of_few (more);
  silent = 1;
  call_of_few (1);
  silent = 0;
  call_of_few (more);
}

static void
plug_in (void)
{
  const int deep = arguments[1] && strcmp (arguments[1], "deep") == 0;
  const int flags = RTLD_LAZY | RTLD_LOCAL;
  void *handle = dlopen (arguments[0], deep ? flags | RTLD_DEEPBIND : flags);
  double (*f) (void);

  if (handle == NULL)
    fail (dlerror ());
  f = (double (*) (void)) dlsym (handle, "plugin_mean");
  say (f ());
  dlclose (handle);
  say (mean ());
}

/* A program that is not linked with GSL opens and closes what is, again and again.  */
static void
open_and_close (void)
{
  for (int k = 0; k < 20; k++)
    {
      void *handle = dlopen (arguments[0], RTLD_NOW | RTLD_LOCAL);
      double (*f) (void);

      if (handle == NULL)
        fail (dlerror ());
      f = (double (*) (void)) dlsym (handle, "plugin_mean");
      if (strcmp (whose (f ()), "ours") != 0)
        fail (whose (f ()));
      dlclose (handle);
    }
  puts ("ours");
}

/* ------------------------------------------------------------ Processes */

static void
wait_for (pid_t child)
{
  int status;

  if (child < 0 || waitpid (child, &status, 0) != child || status != 0)
    fail ("the child failed");
}

static void
in_child (void)
{
  const int before = arguments[0] && strcmp (arguments[0], "before") == 0;
  pid_t child;

  if (before)
    say (mean ());
  child = fork ();
  if (child == 0)
    {
      alarm (20);
      say (mean ());
      _exit (0);
    }
  wait_for (child);
  say (mean ());
}

/* The first findings of a child in each of so many functions.  */
static void
call_first (void)
{
  const gsl_vector v = {N, 1, (double *) data, NULL, 0};

  gsl_vector_max (&v);
  gsl_vector_min (&v);
  gsl_vector_sum (&v);
  gsl_blas_dasum (&v);
  gsl_blas_dnrm2 (&v);
  gsl_stats_variance (data, 1, N);
}

/* Children of children that fork and call first.  A wait in each, of the second that a
   fork or a first call waits for others at most, makes minutes of it.  */
static void
descend (int generations)
{
  for (int k = 0; k < 5; k++)
    {
      const pid_t child = fork ();

      if (child == 0)
        {
          call_first ();
          if (generations > 1)
            descend (generations - 1);
          _exit (0);
        }
      wait_for (child);
    }
}

static void
descendants (void)
{
  say (mean ());
  alarm (20);
  descend (3);
  say (mean ());
}

static void
executed (void)
{
  say (mean ());
  execl ("/proc/self/exe", "program", "direct", (char *) NULL);
  fail ("exec");
}

static void
ends_at_once (void)
{
  say (mean ());
  _exit (3);
}

static void
crashes (void)
{
  say (mean ());
  raise (SIGKILL);
}

/* -------------------------------------------------------------- Threads */

#define N_THREADS 32
static pthread_barrier_t barrier;
static pthread_key_t key;

static void
in_destructor (void *number)
{
  *(double *) number = mean ();
}

static void *
first_call (void *number)
{
  pthread_setspecific (key, (double *) number + 1);
  pthread_barrier_wait (&barrier);
  *(double *) number = mean ();
  return NULL;
}

/* All call a function first at once, and again when they end.  */
static void
threads (void)
{
  pthread_t thread[N_THREADS];
  double means[N_THREADS][2] = {{0}};

  pthread_barrier_init (&barrier, NULL, N_THREADS);
  pthread_key_create (&key, in_destructor);
  for (int k = 0; k < N_THREADS; k++)
    if (pthread_create (&thread[k], NULL, first_call, means[k]))
      fail ("no thread");
  for (int k = 0; k < N_THREADS; k++)
    {
      pthread_join (thread[k], NULL);
      if (means[k][0] != means[0][0] || means[k][1] != means[0][0])
        fail ("the threads differ");
    }
  say (means[0][0]);
}

/* -------------------------------------------------------------- Signals */

#define LONG 300000
static double many[LONG];
static double expected;
static volatile sig_atomic_t handled, nested, wrong, jumps, early;
static sigjmp_buf back;

static double
mean_of_many (void)
{
  return gsl_stats_mean (many, 1, LONG);
}

static void
handle (int signal)
{
  const double m = mean ();

  (void) signal;
  handled++;
  if (strcmp (whose (m), "gsl") == 0)
    nested++;
  if (strcmp (whose (m), "wrong") == 0)
    wrong++;
  if (jumps)
    siglongjmp (back, 1);
}

static void
handle_while_loading (int signal)
{
  early = access ("loaded", F_OK) != 0;
  handle (signal);
}

static void
ring (long microseconds)
{
  const struct itimerval interval = {{0, microseconds}, {0, microseconds}};
  struct sigaction action;

  memset (&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigaction (SIGALRM, &action, NULL);
  setitimer (ITIMER_REAL, &interval, NULL);
}

static void
prepare (void)
{
  for (int i = 0; i < LONG; i++)
    many[i] = i % 1000;
  expected = mean_of_many ();
}

/* A handler of a signal calls GSL, whatever it interrupted; sooner or later a function
   of ours.  */
static void
signals (void)
{
  prepare ();
  ring (300);
  while ((handled < 300 || !nested) && handled < 3000 && !wrong)
    if (mean_of_many () != expected)
      wrong = 1;
  ring (0);
  say (wrong ? -1 : nested ? GSL_MEAN : 1. / 3);
  say (mean ());
}

/* The handler leaves by a jump.  */
static void
jumping (void)
{
  static volatile int rounds;

  prepare ();
  jumps = 1;
  sigsetjmp (back, 1);
  if (rounds++ < 50 && !wrong)
    {
      ring (500);
      for (;;)
        if (strcmp (whose (mean ()), "wrong") == 0
            || gsl_stats_mean (many, 1, 100) != 49.5)
          wrong = 1;
    }
  ring (0);
  puts (wrong || strcmp (whose (mean ()), "wrong") == 0 ? "wrong" : "right");
}

/* ------------------------------------------------- While our library is loaded */

static void *
load (void *number)
{
  *(double *) number = mean ();
  return NULL;
}

/* Begins a thread that calls first.  The library takes its time to load, see
   tests/preload/slow.c.  */
static pthread_t
begin_loading (double *loaded)
{
  pthread_t thread;

  alarm (20);
  if (pthread_create (&thread, NULL, load, loaded))
    fail ("no thread");
  while (access ("loading", F_OK) != 0)
    usleep (1000);
  return thread;
}

static int
is_loaded (void)
{
  return access ("loaded", F_OK) == 0;
}

static double
seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* Fork waits until the library is there, or for a second.  */
static void
fork_while_loading (void)
{
  double loaded = 0;
  const pthread_t thread = begin_loading (&loaded);
  const double begun = seconds ();
  const pid_t child = fork ();

  if (child != 0 && !is_loaded () && seconds () - begun < 0.99)
    fail ("fork has not waited");
  if (child == 0)
    {
      alarm (20);
      say (mean ());
      _exit (0);
    }
  wait_for (child);
  pthread_join (thread, NULL);
  say (loaded);
}

static void *
wait_for_signals (void *unused)
{
  (void) unused;
  pause ();
  return NULL;
}

static void
cancelled_while_loading (void)
{
  double loaded = 0;
  pthread_t thread;

  /* The first pthread_cancel loads a library too, and would wait.  */
  if (pthread_create (&thread, NULL, wait_for_signals, NULL))
    fail ("no thread");
  pthread_cancel (thread);
  pthread_join (thread, NULL);
  thread = begin_loading (&loaded);
  pthread_cancel (thread);
  pthread_join (thread, NULL);
  say (mean ());
}

static void
interrupted_while_loading (void)
{
  double loaded = 0;
  pthread_t thread;

  signal (SIGUSR1, handle_while_loading);
  thread = begin_loading (&loaded);
  pthread_kill (thread, SIGUSR1);
  pthread_join (thread, NULL);
  if (early)
    fail ("the handler has not waited");
  say (handled == 1 && !wrong ? loaded : -1);
}

/* ----------------------------------------------------------------- GPUs */

/* Calls that a GPU serves, and for a child the CPU.  */
static void
on_gpu (void)
{
  pid_t child;

  prepare ();
  child = fork ();
  if (child == 0)
    _exit (mean_of_many () != expected);
  wait_for (child);
  say (mean_of_many () == expected ? mean () : -1);
}

/* --------------------------------------------------------------- Errors */

static void
tell (const char *reason, const char *file, int line, int code)
{
  printf ("%s, %s:%d: %d\n", reason, file, line, code);
}

static sigjmp_buf escape;

static void
leave (const char *reason, const char *file, int line, int code)
{
  tell (reason, file, line, code);
  siglongjmp (escape, 1);
}

/* GSL's checks: the lengths of two vectors.  */
static void
products (void)
{
  double x[4] = {1, 2, 3, 4}, d = 7;
  float y[4] = {1, 2, 3, 4}, f = 7;
  gsl_vector a = {4, 1, x, NULL, 0}, b = {3, 1, x, NULL, 0};
  gsl_vector_float s = {4, 1, y, NULL, 0}, t = {3, 1, y, NULL, 0};

  printf ("%d\n", gsl_blas_ddot (&a, &b, &d));
  printf ("%d\n", gsl_blas_sdot (&s, &t, &f));
  printf ("%d\n", gsl_blas_dsdot (&s, &t, &d));
  printf ("%d\n", gsl_blas_sdsdot (1, &s, &t, &f));
  printf ("%g %g\n", d, f);
  printf ("%d\n", gsl_blas_ddot (&a, &a, &d));
  printf ("%g\n", d);
}

static void
errors (void)
{
  gsl_set_error_handler (tell);
  products ();
  gsl_set_error_handler_off ();
  products ();
  gsl_set_error_handler (leave);
  if (sigsetjmp (escape, 1) == 0)
    products ();
  errno = 77;
  say (mean ());
  printf ("%d\n", errno);
}

/* The traces of a first call.  */
static void
traces (void)
{
  const char *error;

  errno = 77;
  say (mean ());
  printf ("%d\n", errno);
  error = dlerror ();
  puts (error ? error : "no error");
}

/* The default handler.  */
static void
aborts (void)
{
  products ();
}

/* A question that GSL leaves open it answers as without us: it reads the first element.  */
static void
no_elements (void)
{
  double x[2] = {5, 6}, low = 0, high = 0;
  int y[2] = {7, 8};
  gsl_vector v = {0, 1, x, NULL, 0};
  gsl_vector_int w = {0, 1, y, NULL, 0};
  gsl_matrix m = {0, 0, 1, x, NULL, 0};

  gsl_set_error_handler (tell);
  printf ("%g %d %g\n", gsl_vector_max (&v), gsl_vector_int_min (&w),
          gsl_matrix_max (&m));
  gsl_stats_minmax (&low, &high, x, 1, 0);
  printf ("%g %g %zu\n", low, high, gsl_stats_max_index (x, 1, 0));
  printf ("%g %g\n", gsl_stats_mean (x, 1, 0), gsl_vector_sum (&v));
}

/* A product of a matrix of which one number in so many, an argument, is not zero.  */
static void
sparse (void)
{
  enum { SIDE = 128 };
  static float a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE];
  gsl_matrix_float_view left = gsl_matrix_float_view_array (a, SIDE, SIDE);
  gsl_matrix_float_view right = gsl_matrix_float_view_array (b, SIDE, SIDE);
  gsl_matrix_float_view to = gsl_matrix_float_view_array (c, SIDE, SIDE);
  const unsigned every = (unsigned) strtoul (arguments[0], NULL, 10);
  double sum = 0;

  for (unsigned i = 0; i < SIDE * SIDE; i++)
    {
      a[i] = i * 31 % 127 % every == 0 ? 1 / (float) (i % 1009 + 3) : 0;
      b[i] = 1 / (float) (i % 911 + 7);
    }
  gsl_blas_sgemm (CblasNoTrans, arguments[1] ? CblasTrans : CblasNoTrans, 1, &left.matrix,
                  &right.matrix, 0, &to.matrix);
  for (unsigned i = 0; i < SIDE * SIDE; i++)
    sum += (double) c[i] * (i % 17 + 1);
  printf ("%.17g\n", sum);
}

/* A mask that leaves out a row of NaN, and one whose products with the factor vanish.  */
static void
masked (void)
{
  enum { SIDE = 260 };
  static double a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE];
  gsl_matrix_view left = gsl_matrix_view_array (a, SIDE, SIDE);
  gsl_matrix_view right = gsl_matrix_view_array (b, SIDE, SIDE);
  gsl_matrix_view to = gsl_matrix_view_array (c, SIDE, SIDE);

  for (int trans = 0; trans < 2; trans++)
    for (int vanish = 0; vanish < 2; vanish++)
      {
        for (int i = 0; i < SIDE * SIDE; i++)
          {
            const int out = (trans ? i / SIDE : i % SIDE) == 3;

            a[i] = !out ? 1 + i % 7 : vanish ? 1e-300 : 0;
            b[i] = i / SIDE == 3 ? NAN : i % 11;
          }
        gsl_blas_dgemm (trans ? CblasTrans : CblasNoTrans, CblasNoTrans, vanish ? 1e-100 : 1,
                        &left.matrix, &right.matrix, 0, &to.matrix);
        printf ("%g %g\n", c[0], c[SIDE * SIDE - 1]);
      }
}

/* Bounds of what is not a double, by each direction.  */
static void
rounding (void)
{
  static const int directions[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  static double x[400], y[400], z[400];
  static float f[400];
  double dot;
  gsl_vector_view a = gsl_vector_view_array (x, 400), b = gsl_vector_view_array (y, 400);
  gsl_vector_float_view g = gsl_vector_float_view_array (f, 400);
  gsl_matrix_view m = gsl_matrix_view_array (x, 20, 20), v = gsl_matrix_view_array (y, 20, 20);
  gsl_matrix_view to = gsl_matrix_view_array (z, 20, 20);

  for (int d = 0; d < 3; d++)
    {
      for (int i = 0; i < 400; i++)
        {
          x[i] = 0.1 + i / 997.;
          y[i] = 0.7 - i / 991.;
          f[i] = (float) x[i];
        }
      fesetround (directions[d]);
      printf ("%a %a %a\n", gsl_vector_sum (&a.vector), gsl_blas_dasum (&b.vector),
              gsl_blas_dnrm2 (&a.vector));
      gsl_blas_ddot (&a.vector, &b.vector, &dot);
      printf ("%a %a %a\n", dot, gsl_stats_mean (x, 1, 400), gsl_stats_variance (y, 1, 400));
      printf ("%a %a\n", gsl_stats_wskew (x, 1, y, 1, 400), gsl_stats_correlation (x, 1, y, 1, 400));
      printf ("%a %a %a\n", (double) gsl_blas_snrm2 (&g.vector), gsl_stats_float_sd (f, 1, 400),
              gsl_stats_absdev (y, 1, 400));
      gsl_blas_daxpy (1 / 3., &a.vector, &b.vector);
      gsl_blas_dgemm (CblasNoTrans, CblasTrans, 1 / 3., &m.matrix, &v.matrix, 0, &to.matrix);
      gsl_blas_dtrsm (CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, 1, &m.matrix, &v.matrix);
      for (int i = 0; i < 400; i += 19)
        printf ("%a %a\n", y[i], z[i]);
      fesetround (FE_TONEAREST);
    }
}

/* Which of gsltune's files are mapped.  */
static void
mapped (void)
{
  FILE *maps = fopen ("/proc/self/maps", "r");
  char line[4096];
  int object = 0, library = 0;

  if (arguments[0])
    gsl_stats_mean (data, 1, strcmp (arguments[0], "few") == 0 ? 3 : N);
  while (maps && fgets (line, sizeof line, maps))
    {
      object |= strstr (line, "gsltune-preload.so") != NULL;
      library |= strstr (line, "libgsltune.so") != NULL;
    }
  printf ("%d %d\n", object, library);
}

static void
at_exit (void)
{
  say (mean ());
}

static void
exits (void)
{
  if (arguments[0])
    say (mean ());
  atexit (at_exit);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (void);
  } all[] = {{"direct", direct}, {"symbol", by_symbol}, {"inside", inside}, {"few", few},
             {"plug-in", plug_in}, {"again", open_and_close}, {"fork", in_child},
             {"descendants", descendants}, {"exec", executed}, {"_exit", ends_at_once},
             {"crash", crashes}, {"threads", threads}, {"fork-loading", fork_while_loading},
             {"cancel-loading", cancelled_while_loading},
             {"signal-loading", interrupted_while_loading}, {"signals", signals},
             {"jump", jumping}, {"gpu", on_gpu}, {"errors", errors}, {"abort", aborts},
             {"traces", traces}, {"none", no_elements}, {"maps", mapped}, {"sparse", sparse},
             {"masked", masked}, {"rounding", rounding},
             {"exit", exits}};

  for (size_t k = 0; argc > 1 && k < sizeof all / sizeof *all; k++)
    if (strcmp (argv[1], all[k].name) == 0)
      {
        arguments = argv + 2;
        all[k].run ();
        return 0;
      }
  return 2;
}
