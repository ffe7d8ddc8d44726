/* The program that tests/test_mpi.sh starts as several processes: the functions of
   gsltune-mpi.h, beside those of one process that has all data.  Each process checks; the
   first one tells how many checks failed on any, and a digest of all results in exact mode,
   which does not depend on the number of processes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_math.h>
#include <pthread.h>
#include <signal.h>

#include "kernels/types.h"
#include "src/mpi/gsltune-mpi.h"
#include "tests/exact.h"
#include "tests/handler.h"
#include "tests/memory_limit.h"
#include "tests/order_data.h"
#include "tests/stats_all.h"

#define N_OF(array) (sizeof (array) / sizeof *(array))

static MPI_Comm comm;
static int rank, size, failures, provided;
static uint64_t digest = 0xcbf29ce484222325u;

static void
check (const char *what, int holds)
{
  if (holds)
    return;
  if (failures++ < 5)
    fprintf (stderr, "process %d of %d, mode %d: %s is wrong\n", rank, size,
             (int) gsltune_get_mode (), what);
}

static void
same_bytes (const char *what, const void *ours, const void *expected, size_t n)
{
  const unsigned char *byte = ours;

  check (what, memcmp (ours, expected, n) == 0);
  /* The FNV-1a hash (G. Fowler, L. C. Noll, K.-P. Vo).  */
  for (size_t i = 0; i < n && gsltune_get_mode () == GSLTUNE_MODE_EXACT; i++)
    digest = (digest ^ byte[i]) * 0x100000001b3u;
}

/* Of one NaN alone a process may give that NaN back; of many processes there is one.  */
static void
same_double (const char *what, double ours, double expected)
{
  const int both_nan = isnan (ours) && isnan (expected);

  same_bytes (what, &ours, both_nan ? &ours : &expected, sizeof ours);
}

static void
about (const char *what, double ours, double expected, double error)
{
  double of_first = ours;

  check (what, (isnan (ours) && isnan (expected)) || ours == expected
                 || fabs (ours - expected) <= error);
  MPI_Bcast (&of_first, 1, MPI_DOUBLE, 0, comm);
  check (what, memcmp (&of_first, &ours, sizeof ours) == 0);
}

/* Makes what DATA has on the first process that on all, which wait asleep: a process that
   spins takes the processor from the one that computes.  */
static void
from_first (void *data, int bytes)
{
  MPI_Request request;
  int done = 0;

  MPI_Ibcast (data, bytes, MPI_BYTE, 0, comm, &request);
  for (MPI_Test (&request, &done, MPI_STATUS_IGNORE); !done;
       MPI_Test (&request, &done, MPI_STATUS_IGNORE))
    usleep (200);
}

/* The handler has been called once, with STATUS.  */
static void
reported (const char *what, int status)
{
  check (what, handler_calls == 1 && handler_code == status);
  handler_calls = 0;
}

/* ----------------------------------------------------------- Functions */

/* How elements are shared out.  */
enum sharing
{
  EVEN,
  WILD,    /* one on the first, all others on the second */
  LAST,    /* all on the last */
  SPARSE,  /* none on every other one */
  N_SHARINGS
};

/* The first of N elements of process R, and the end of those before it.  */
static size_t
cut (enum sharing sharing, int r, size_t n)
{
  if (r == size)
    return n;
  switch (sharing)
    {
    case WILD:
      return r == 0 ? 0 : r == 1 ? n > 0 : n;
    case LAST:
      return 0;
    case SPARSE:
      return n * (size_t) ((r + 1) / 2) / (size_t) ((size + 1) / 2);
    default:
      return n * (size_t) r / (size_t) size;
    }
}

static volatile int one = 1;

#define GT_TEMPLATE "tests/mpi_of.inc"
#include "src/each_type.h"

static void
same_or_about (const char *what, double ours, double expected, double error)
{
  if (gsltune_get_mode () == GSLTUNE_MODE_EXACT)
    same_double (what, ours, expected);
  else
    about (what, ours, expected, error);
}

/* BLAS of X and Y; FLOATS has those of X as floats.  */
static void
blas (const gsl_vector *x, const gsl_vector *y, const gsl_vector *all_x,
      const gsl_vector *all_y, const gsl_vector_float *floats,
      const gsl_vector_float *all_floats)
{
  double ours, theirs, scale = 0;
  float f, g;

  for (size_t i = 0; i < all_x->size; i++)
    scale += fabs (all_x->data[i] * all_y->data[i]);
  check ("ddot", gsltune_mpi_blas_ddot (x, y, &ours, comm) == GSL_SUCCESS);
  gsltune_blas_ddot (all_x, all_y, &theirs);
  same_or_about ("a dot product", ours, theirs, 1e-12 * scale);
  gsltune_mpi_blas_dsdot (floats, floats, &ours, comm);
  gsltune_blas_dsdot (all_floats, all_floats, &theirs);
  same_or_about ("dsdot", ours, theirs, 1e-12 * theirs);
  gsltune_mpi_blas_sdot (floats, floats, &f, comm);
  gsltune_blas_sdot (all_floats, all_floats, &g);
  same_or_about ("sdot", (double) f, (double) g, 1e-5 * (double) g);
  theirs = gsltune_blas_dnrm2 (all_x);
  same_or_about ("dnrm2", gsltune_mpi_blas_dnrm2 (x, comm), theirs, 1e-12 * theirs);
  g = gsltune_blas_snrm2 (all_floats);
  same_or_about ("snrm2", (double) gsltune_mpi_blas_snrm2 (floats, comm),
                 (double) g, 1e-5 * (double) g);
  theirs = gsltune_blas_dasum (all_x);
  same_or_about ("dasum", gsltune_mpi_blas_dasum (x, comm), theirs, 1e-12 * theirs);
  g = gsltune_blas_sasum (all_floats);
  same_or_about ("sasum", (double) gsltune_mpi_blas_sasum (floats, comm),
                 (double) g, 1e-5 * (double) g);
  check ("idamax", gsltune_mpi_blas_idamax (x, comm)
                     == (all_x->size ? gsltune_blas_idamax (all_x) : 0));
  check ("isamax", gsltune_mpi_blas_isamax (floats, comm)
           == (all_floats->size ? gsltune_blas_isamax (all_floats) : 0));
}

static void
all_blas (size_t n)
{
  double *x = malloc (n * sizeof *x + 1), *y = malloc (n * sizeof *y + 1);
  float *f = malloc (n * sizeof *f + 1);

  for (int kind = 0; kind < N_SOWN; kind++)
    {
      const enum sharing sharing = (enum sharing) ((n + (size_t) kind) % N_SHARINGS);
      const size_t from = cut (sharing, rank, n);
      const size_t k = cut (sharing, rank + 1, n) - from;

      ordered[GT_F64].fill (x, n, 1, (enum data_kind) kind, n);
      ordered[GT_F64].fill (y, n, 1, kind == SOWN_WITH_NAN ? WIDE : (enum data_kind) kind, n + 1);
      ordered[GT_F32].fill (f, n, 1, (enum data_kind) kind, n + 2);
      blas (&(gsl_vector) {k, 1, x + from, NULL, 0}, &(gsl_vector) {k, 1, y + from, NULL, 0},
            &(gsl_vector) {n, 1, x, NULL, 0}, &(gsl_vector) {n, 1, y, NULL, 0},
            &(gsl_vector_float) {k, 1, f + from, NULL, 0},
            &(gsl_vector_float) {n, 1, f, NULL, 0});
    }
  free (x);
  free (y);
  free (f);
}

enum { HARD = 500 };

/* Exponents from end to end, cancelling, and long doubles that no double holds: what only
   exact sums get right.  */
static void
hard_sums (void)
{
  const gsl_vector_float none = {0, 1, NULL, NULL, 0};
  double x[HARD];
  long double w[HARD];
  uint64_t seed = 3;
  const size_t from = cut (EVEN, rank, HARD);
  const size_t k = cut (EVEN, rank + 1, HARD) - from;
  const gsl_vector v = {k, 1, x + from, NULL, 0}, all = {HARD, 1, x, NULL, 0};
  const gsl_vector_long_double l = {k, 1, w + from, NULL, 0};
  const gsl_vector_long_double all_l = {HARD, 1, w, NULL, 0};

  for (int i = 0; i < HARD; i++)
    {
      x[i] = i % 2 ? -x[i - 1] * (1 + 0x1p-50)
                   : ldexp ((double) (int64_t) random_word (&seed), i * 4 - 1074);
      w[i] = ldexpl ((long double) (int64_t) random_word (&seed),
                     i % 3 ? -12300 - i : -16440 + i);
    }
  sums (&v, &all, 0);
  sums_long_double (&l, &all_l, 0);
  all_statistics (x, 1, x, 1, HARD, (const size_t[]) {from, from + k}, 0, GSLTUNE_MODE_EXACT);
  all_statistics_long_double (w, 1, w, 1, HARD, (const size_t[]) {from, from + k}, 0,
                              GSLTUNE_MODE_EXACT);
  blas (&v, &v, &all, &all, &none, &none);
}

/* The sd of this process's K of HARD numbers of both signs and the same magnitude.  */
static void
about_sd (const char *what, double *x, size_t from, size_t k, double magnitude)
{
  for (int i = 0; i < HARD; i++)
    x[i] = i % 2 ? magnitude : -magnitude;
  about (what, gsltune_mpi_stats_sd (x + from, 1, k, comm),
         magnitude * sqrt (HARD / (HARD - 1.0)), magnitude * 0x1p-30);
}

/* Parts of processes that overflow or underflow where the whole does not, in any mode.  */
static void
hard_parts (void)
{
  double x[HARD], dot;
  const size_t from = cut (EVEN, rank, HARD);
  const size_t k = cut (EVEN, rank + 1, HARD) - from;
  const gsl_vector v = {k, 1, x + from, NULL, 0};

  for (int i = 0; i < HARD; i++)
    x[i] = (i < HARD / 2 ? 1 : -1) * 0x1.8p1023;
  same_double ("a sum of parts that overflow", gsltune_mpi_vector_sum (&v, comm), 0);
  about ("a mean of such", gsltune_mpi_stats_mean (v.data, 1, k, comm), 0, 0x1p983);
  gsltune_mpi_blas_ddot (&v, &v, &dot, comm);
  same_double ("an overflow", dot, GSL_POSINF);
  about_sd ("an sd whose square overflows", x, from, k, 0x1p600);
  about_sd ("an sd whose square underflows", x, from, k, 0x1p-600);
  for (int i = 0; i < HARD; i++)
    x[i] = 0x1p53 + 2 * (i % 2);
  about ("a variance far from 0",
         gsltune_mpi_stats_variance (v.data, 1, k, comm), HARD / (HARD - 1.0), 1e-9);
  for (int i = 0; i < HARD; i++)
    x[i] = i % 2 ? 0x1p600 : -0x1p600;
  about ("a sum of squares that overflows",
         gsltune_mpi_stats_tss_m (v.data, 1, k, 0, comm), GSL_POSINF, 0);
  about ("a kurtosis whose powers overflow", gsltune_mpi_stats_kurtosis (v.data, 1, k, comm),
         (1 - 1.0 / HARD) * (1 - 1.0 / HARD) - 3, 1e-9);
}

static void
test_functions (void)
{
  static const size_t lengths[] = {1, 6, 131};

  for (size_t i = 0; i < N_OF (lengths); i++)
    {
#define X(id, name, infix, ctype, arithmetic) functions##infix (lengths[i]);
      GT_ELEMENT_TYPES (X)
#undef X
    }
  for (int mode = 0; mode <= GSLTUNE_MODE_EXACT; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      for (size_t i = 0; i < N_OF (lengths); i++)
        all_blas (lengths[i]);
      if (mode == GSLTUNE_MODE_EXACT)
        hard_sums ();
      hard_parts ();
      check ("no errors", handler_calls == 0);
#define X(id, name, infix, ctype, arithmetic) nothing##infix ();
      GT_ELEMENT_TYPES (X)
#undef X
      check ("idamax of nothing",
             gsltune_mpi_blas_idamax (&(gsl_vector) {0, 1, NULL, NULL, 0}, comm) == 0);
      check ("no errors", handler_calls == 0);
    }
}

/* -------------------------------------------------------------- Errors */

static double numbers[] = {1, 2, 3, 4};
static const gsl_vector four = {4, 1, numbers, NULL, 0};
static const gsl_vector three = {3, 1, numbers, NULL, 0};
static const double tiny[] = {0x1p-1060, 0x1p-1050, 0x1p-1066, 0x1p-1040};

#include "tests/mpi_calls.h"

static int
is_last (void)
{
  return rank == size - 1;
}

static void
lengths_and_memory (void)
{
  double result = 7;

  check ("unequal lengths", gsltune_mpi_blas_ddot (&four, is_last () ? &three : &four, &result,
                                comm) == GSL_EBADLEN);
  reported ("unequal lengths", GSL_EBADLEN);
  check ("the result", result == 7);
  no_memory = is_last ();
  check ("no memory", isnan (gsltune_mpi_vector_sum (&four, comm)));
  reported ("no memory", GSL_ENOMEM);
  check ("no memory", isnan (gsltune_mpi_stats_long_double_mean (NULL, 1, 0, comm)));
  reported ("no memory for long doubles", GSL_ENOMEM);
  check ("no memory", isnan (gsltune_mpi_stats_kurtosis (tiny, 1, 4, comm)));
  reported ("no memory for moments", GSL_ENOMEM);
  check ("no memory", isnan (gsltune_mpi_stats_absdev (tiny, 1, 4, comm)));
  reported ("no memory for a mean", GSL_ENOMEM);
  check ("no memory", isnan (gsltune_mpi_stats_lag1_autocorrelation (tiny, 1, 4, comm)));
  reported ("no memory for neighbours", GSL_ENOMEM);
  no_memory = 0;
  no_distances = is_last ();
  check ("no memory", isnan (gsltune_mpi_stats_absdev (tiny, 1, 4, comm)));
  reported ("no memory for distances", GSL_ENOMEM);
  no_distances = 0;
}

/* The arguments are to be the same.  */
static void
different_means (void)
{
  const double mean = is_last () ? 2.5 : 2;

  if (size == 1)
    return;
  check ("means", isnan (gsltune_mpi_stats_tss_m (numbers, 1, 4, mean, comm)));
  reported ("means", GSL_EINVAL);
  check ("means", isnan (gsltune_mpi_stats_kurtosis_m_sd (numbers, 1, 4, 0, mean, comm)));
  reported ("deviations", GSL_EINVAL);
  check ("means", isnan (gsltune_mpi_stats_absdev_m (numbers, 1, 4, mean, comm)));
  reported ("centres", GSL_EINVAL);
}

/* Every two that differ.  */
static void
different_calls (void)
{
  char what[256];

  if (size == 1)
    return;
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (int a = 0; a < N_CALLS; a++)
    for (int b = 0; b < N_CALLS; b++)
      if (a != b)
        {
          snprintf (what, sizeof what, "%s with %s", call_names[a], call_names[b]);
          call (is_last () ? a : b);
          reported (what, GSL_EINVAL);
        }
}

/* Groups of which one has no processes in common with the other.  */
static void
strange_communicators (void)
{
  MPI_Comm half, inter;
  double result;

  check ("null", isnan (gsltune_mpi_vector_sum (&four, MPI_COMM_NULL)));
  reported ("null", GSL_EINVAL);
  gsltune_mpi_vector_max_index (&four, MPI_COMM_NULL);
  reported ("null for an index", GSL_EINVAL);
  gsltune_mpi_blas_ddot (&four, &four, &result, MPI_COMM_SELF);
  check ("self", result == 30);
  if (size == 1)
    return;
  MPI_Comm_split (comm, rank % 2, -rank, &half);
  gsltune_mpi_blas_ddot (&four, &four, &result, half);
  check ("half", result == 30 * (double) (rank % 2 ? size / 2 : (size + 1) / 2));
  /* Indexes follow the ranks of the communicator, not of all processes.  */
  numbers[0] = 10 + rank;
  check ("the last is first", gsltune_mpi_vector_max_index (&four, half) == 0);
  numbers[0] = 1;
  MPI_Intercomm_create (half, 0, comm, rank % 2 ? (size - 1) / 2 * 2
                                       : (size - 2) / 2 * 2 + 1, 5, &inter);
  gsltune_mpi_blas_ddot (&four, &four, &result, inter);
  reported ("an intercommunicator", GSL_EINVAL);
  gsltune_mpi_vector_max (&four, inter);
  reported ("max on an intercommunicator", GSL_EINVAL);
  gsltune_mpi_vector_min_index (&four, inter);
  reported ("min_index on an intercommunicator", GSL_EINVAL);
  MPI_Comm_free (&inter);
  MPI_Comm_free (&half);
}

static void
test_errors (void)
{
  lengths_and_memory ();
  different_calls ();
  different_means ();
  strange_communicators ();
}

/* ------------------------------------------------------------- Moments */

/* Moments of each kind, whose elements follow in the order of the ranks, are those of one
   process; those made otherwise are refused.  */
static void
test_moments (void)
{
  static const struct
  {
    gsltune_moments_kind kind;
    int power, long_doubles;
  } made[] = {{GSLTUNE_MOMENTS_PLAIN, 1, 0},      {GSLTUNE_MOMENTS_PLAIN, 4, 0},
              {GSLTUNE_MOMENTS_NEIGHBOURS, 2, 0}, {GSLTUNE_MOMENTS_WEIGHTED, 3, 0},
              {GSLTUNE_MOMENTS_PAIRS, 1, 0},      {GSLTUNE_MOMENTS_PAIRS, 2, 1}};
  double x[HARD];
  uint64_t seed = 9;

  for (int i = 0; i < HARD; i++)
    x[i] = ldexp ((double) (int64_t) random_word (&seed), i % 90 - 100);
  for (size_t k = 0; k < N_OF (made); k++)
    {
      gsltune_moments *m[2];
      unsigned char form[2][150000];

      for (int all = 0; all < 2; all++)
        {
          const size_t from = all ? 0 : cut (EVEN, rank, HARD);
          const size_t n = (all ? HARD : cut (EVEN, rank + 1, HARD)) - from;

          m[all] = gsltune_moments_alloc (made[k].kind, made[k].power, made[k].long_doubles);
          if (made[k].kind == GSLTUNE_MOMENTS_WEIGHTED || made[k].kind == GSLTUNE_MOMENTS_PAIRS)
            gsltune_moments_add_pairs (m[all], x + from, 1, x + from, 1, n);
          else
            gsltune_moments_add (m[all], x + from, 1, n);
        }
      check ("merge", gsltune_mpi_moments_merge (m[0], comm) == GSL_SUCCESS);
      for (int all = 0; all < 2; all++)
        gsltune_moments_save (m[all], form[all], gsltune_moments_size (m[all]));
      same_bytes ("moments", form[0], form[1], gsltune_moments_size (m[0]));
      gsltune_moments_free (m[0]);
      gsltune_moments_free (m[1]);
    }
  if (size > 1)
    {
      gsltune_moments *const m = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1 + is_last (), 0);

      check ("moments of two kinds", gsltune_mpi_moments_merge (m, comm) == GSL_EINVAL);
      reported ("moments of two kinds", GSL_EINVAL);
      gsltune_moments_free (m);
    }
}

/* ------------------------------------------- Threads, and killed processes */

static void *
of_a_thread (void *own)
{
  MPI_Comm *mine = own;
  intptr_t wrong = 0;

  for (int i = 0; i < 10; i++)
    {
      double result = 0;

      gsltune_mpi_blas_ddot (&four, &four, &result, *mine);
      wrong += result != 30 * (double) size;
      wrong += gsltune_mpi_vector_max_index (&four, *mine) != 3;
    }
  return (void *) wrong;
}

static void
test_threads (void)
{
  pthread_t threads[3];
  MPI_Comm own[3];

  if (provided < MPI_THREAD_MULTIPLE)
    return;
  for (int t = 0; t < 3; t++)
    MPI_Comm_dup (comm, &own[t]);
  for (int t = 0; t < 3; t++)
    check ("a thread", pthread_create (&threads[t], NULL, of_a_thread, &own[t]) == 0);
  for (int t = 0; t < 3; t++)
    {
      void *wrong = NULL;

      pthread_join (threads[t], &wrong);
      check ("results of threads", wrong == NULL);
      MPI_Comm_free (&own[t]);
    }
}

/* The last process is killed, and the others go on: what they get is right, or an error.  */
static void
kill_one (void)
{
  for (long i = 0; i < 100000000; i++)
    {
      double result = 0;

      if (i == 20 && is_last ())
        raise (SIGKILL);
      if (gsltune_mpi_blas_ddot (&four, &four, &result, comm) != GSL_SUCCESS)
        {
          MPI_Abort (comm, 3);
          return;
        }
      if (result != 30 * (double) size || i > 20)
        printf ("a wrong number: %g\n", result);
    }
}

static int
finish (void)
{
  int all = 0;
  uint64_t first = digest;

  MPI_Allreduce (&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast (&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (first != digest)
    fprintf (stderr, "process %d has another digest\n", rank);
  if (rank == 0)
    printf ("failures %d digest %016llx\n", all, (unsigned long long) digest);
  MPI_Comm_free (&comm);
  MPI_Finalize ();
  return all || first != digest;
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (void);
  } tests[] = {
    {"functions", test_functions}, {"errors", test_errors},
    {"moments", test_moments},     {"threads", test_threads},
    {"killed", kill_one},
  };

  MPI_Init_thread (&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_dup (MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler (comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank (comm, &rank);
  MPI_Comm_size (comm, &size);
  gsl_set_error_handler (note_error);
  for (size_t i = 0; i < N_OF (tests); i++)
    if (argc == 2 && strcmp (argv[1], tests[i].name) == 0)
      {
        tests[i].run ();
        return finish ();
      }
  fprintf (stderr, "usage: mpi_program functions|errors|moments|threads|killed\n");
  MPI_Abort (MPI_COMM_WORLD, 2);
  return 2;
}
