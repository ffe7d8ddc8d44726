/* Tests of the public sums of host vectors (src/reduce/vector_sum.c, src/route/reduce.c): modes,
   threads, children of fork, roundings, very long vectors, sums of floats near ties.  Other values
   are in test_truth.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_matrix.h>

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/handler.h"

/* A view on memory that belongs to no block, as GSL makes them.  */
#define VIEW(infix, data, n, stride) \
  ((gsl_vector##infix) {n, stride, data, NULL, 0})

/* ------------------------------------------------------------------ Mode */

/* Before any other test sets a mode.  */
TEST (modes)
{
  static const int bad[] = {-1, GSLTUNE_MODE_AUTO + 1, 1000};
  double data[1000];
  double sum = put_cancelling (GT_F64, data, N_OF (data), 1, 1).f64[0];
  gsl_vector v = VIEW (, data, N_OF (data), 1);
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);

  assert_int_equal (gsltune_get_mode (), GSLTUNE_MODE_AUTO);
  assert_true (gsltune_vector_sum (&v) == sum);
  assert_int_equal (gsltune_set_mode (GSLTUNE_MODE_FAST), GSL_SUCCESS);
  assert_int_equal (gsltune_get_mode (), GSLTUNE_MODE_FAST);
  assert_true (gsltune_vector_sum (&v) != sum);
  assert_int_equal (gsltune_set_mode (GSLTUNE_MODE_COMPENSATED), GSL_SUCCESS);
  assert_int_equal (gsltune_get_mode (), GSLTUNE_MODE_COMPENSATED);
  assert_true (gsltune_vector_sum (&v) == sum);
  for (size_t i = 0; i < N_OF (bad); i++)
    {
      handler_calls = 0;
      assert_int_equal (gsltune_set_mode ((gsltune_mode) bad[i]), GSL_EINVAL);
      assert_int_equal (handler_calls, 1);
      assert_int_equal (handler_code, GSL_EINVAL);
      assert_int_equal (gsltune_get_mode (), GSLTUNE_MODE_COMPENSATED);
    }
  gsltune_set_mode (GSLTUNE_MODE_AUTO);
  gsl_set_error_handler (before);
}

TEST (the_version_is_known)
{
  assert_string_equal (gsltune_version (), PACKAGE_VERSION);
}

/* ----------------------------------------------------- Threads and forks */

#define WORKERS 8
#define ROUNDS 40

struct worker
{
  pthread_t thread;
  size_t n;
  double *data;
  union gt_value expected;
  int wrong;
};

static void *
work (void *argument)
{
  struct worker *w = argument;

  for (int round = 0; round < ROUNDS; round++)
    {
      size_t n = round % 3 ? w->n : 10;
      double sum, expected = 0;

      gsltune_set_mode ((gsltune_mode) (round % GT_N_MODES));
      for (size_t i = 0; i < 10; i++)
        expected += w->data[i];
      sum = gsltune_vector_sum (&VIEW (, w->data, n, 1));
      w->wrong += sum != (n == 10 ? expected : w->expected.f64[0]);
    }
  return NULL;
}

TEST (eight_threads_at_once)
{
  struct worker workers[WORKERS];

  for (size_t k = 0; k < WORKERS; k++)
    {
      struct worker *w = &workers[k];

      w->n = 1000 + k * 30000;
      w->wrong = 0;
      w->data = malloc (w->n * sizeof *w->data);
      assert_non_null (w->data);
      w->expected = put_exact (GT_F64, w->data, w->n, 1, k);
    }
  for (size_t k = 0; k < WORKERS; k++)
    assert_int_equal (pthread_create (&workers[k].thread, NULL, work, &workers[k]), 0);
  for (size_t k = 0; k < WORKERS; k++)
    {
      pthread_join (workers[k].thread, NULL);
      free (workers[k].data);
      assert_int_equal (workers[k].wrong, 0);
    }
  gsltune_set_mode (GSLTUNE_MODE_FAST);
}

#define LARGE_N 600000

/* In a child of fork(): 0 when all is well.  */
static int
sum_in_child (double *data, double expected)
{
  pid_t grandchild;
  int status = -1;

  alarm (60);
  if (gsltune_vector_sum (&VIEW (, data, LARGE_N, 1)) != expected)
    return 1;
  gsltune_set_mode (GSLTUNE_MODE_COMPENSATED);
  if (gsltune_vector_sum (&VIEW (, data, LARGE_N, 1)) != expected)
    return 2;
  grandchild = fork ();
  if (grandchild == 0)
    _exit (gsltune_vector_sum (&VIEW (, data, LARGE_N, 1)) != expected);
  if (waitpid (grandchild, &status, 0) != grandchild || status)
    return 3;
  return gt_forked ? 0 : 4;
}

/* The threads of the parent's sums do not exist in the child.  */
TEST (children_of_fork_sum)
{
  double *data = malloc (LARGE_N * sizeof *data);
  double expected;

  assert_non_null (data);
  expected = put_exact (GT_F64, data, LARGE_N, 1, 4).f64[0];
  for (int round = 0; round < 3; round++)
    {
      int status;
      pid_t child;

      assert_true (gsltune_vector_sum (&VIEW (, data, LARGE_N, 1)) == expected);
      child = fork ();
      assert_true (child >= 0);
      if (child == 0)
        _exit (sum_in_child (data, expected));
      assert_int_equal (waitpid (child, &status, 0), child);
      assert_int_equal (status, 0);
    }
  assert_int_equal (gt_forked, 0);
  free (data);
}

/* ------------------------------ The caller's floating-point environment */

/* The values of pieces are added in none of the caller's modes.  */
TEST (rounding_modes)
{
  static const int rounding[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  double *data = malloc (LARGE_N * sizeof *data);
  uint64_t seed = 8;

  assert_non_null (data);
  for (size_t i = 0; i < LARGE_N; i++)
    data[i] = (double) random_within (&seed, INT64_C (1) << 52) / 3;
  for (int mode = 0; mode < GT_N_MODES; mode++)
    for (size_t i = 0; i < N_OF (rounding); i++)
      {
        double expected, sum;
        int after;

        gsltune_set_mode ((gsltune_mode) mode);
        expected = gsltune_vector_sum (&VIEW (, data, LARGE_N, 1));
        assert_int_equal (fesetround (rounding[i]), 0);
        sum = gsltune_vector_sum (&VIEW (, data, LARGE_N, 1));
        after = fegetround ();
        fesetround (FE_TONEAREST);
        assert_int_equal (after, rounding[i]);
        assert_true (sum == expected);
      }
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  free (data);
}

/* Sums that overflow as late as when parts are added up, and the norm, which does not.  */
TEST (fast_sums_overflow_to_infinity)
{
  enum { N = 6000 };
  static double x[2 * N];
  static float f[2 * N];

  for (int exponent = 0; exponent < 15; exponent++)
    for (size_t n = 1, stride; n <= N; n += 1 + n / 7)
      for (stride = 1; stride <= 2; stride++)
        {
          const double share = (1 + (double) (n % 19) / 19) * ldexp (0.5, -exponent);
          gsl_vector of = VIEW (, x, n, stride);
          gsl_vector_float of_floats = VIEW (_float, f, n, stride);

          for (size_t i = 0; i < n * stride; i++)
            {
              x[i] = DBL_MAX * share;
              f[i] = FLT_MAX * (float) share;
            }
          assert_false (isnan (gsltune_vector_sum (&of)) || isnan (gsltune_blas_dasum (&of)));
          assert_false (isnan (gsltune_vector_float_sum (&of_floats))
                        || isnan (gsltune_blas_sasum (&of_floats)));
          for (size_t i = 0; i < n * stride; i++)
            x[i] = sqrt (DBL_MAX) * share;
          assert_true (isfinite (gsltune_blas_dnrm2 (&of)));
        }
}

/* ---------------------------------------------------- Very long vectors */

/* More elements than 32 bits count: zeros that take no memory, and a few
   others on both sides of the limits.  */
TEST (beyond_32_bits)
{
  size_t n = ((size_t) 5 << 30) + 3;
  static const size_t at[]
    = {0, 1, ((size_t) 1 << 31) - 1, (size_t) 1 << 31, ((size_t) 1 << 32) - 1,
       (size_t) 1 << 32, ((size_t) 5 << 30) + 2};
  char *data = mmap (NULL, n, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  unsigned char expected = 0;
  gsl_vector_char v = VIEW (_char, data, n, 1);

  if (data == MAP_FAILED)
    {
      print_message ("# not tested: no %zu bytes of address space\n", n);
      return;
    }
  madvise (data, n, MADV_HUGEPAGE);
  for (size_t k = 0; k < N_OF (at); k++)
    {
      data[at[k]] = (char) (11 + k * k);
      expected = (unsigned char) (expected + 11 + k * k);
    }
  assert_int_equal (gsltune_vector_char_sum (&v), (char) expected);
  v.stride = (size_t) 1 << 30;
  v.size = 6;
  assert_int_equal (gsltune_vector_char_sum (&v),
                    data[0] + data[(size_t) 1 << 31] + data[(size_t) 1 << 32]);
  munmap (data, n);
}

/* A stride of 0 is one element again and again.  */
TEST (stride_zero)
{
  double x = 0.25;
  unsigned short s = 7;

  assert_true (gsltune_vector_sum (&VIEW (, &x, 1000003, 0)) == 250000.75);
  assert_int_equal (gsltune_vector_ushort_sum (&VIEW (_ushort, &s, 3000001, 0)),
                    (unsigned short) (7u * 3000001u));
}

/* -------------------------------------------------------------- The route */

static void *
ask_for_route (void *planned)
{
  return (void *) gsltune_last_route (planned);
}

/* Few elements are summed on the spot, more by a plan; of other threads nothing is told.  */
TEST (last_route)
{
  static double x[140006];
  const gsl_vector_complex z = {70003, 1, x, NULL, 0};
  unsigned long before, after, of_other;
  gsl_complex product;
  gsl_matrix m = gsl_matrix_view_array (x, 300, 300).matrix;
  void *other;
  pthread_t thread;

  gsltune_vector_sum (&VIEW (, x, 100003, 1));
  assert_string_equal (gsltune_last_route (&before), "cpu");
  gsltune_vector_sum (&VIEW (, x, 3, 1));
  assert_string_equal (gsltune_last_route (&after), "cpu");
  assert_int_equal (after, before);
  gsltune_vector_sum (&VIEW (, x, 100003, 1));
  assert_string_equal (gsltune_last_route (NULL), "cpu");
  gsltune_last_route (&after);
  assert_int_equal (after, before + 1);
  m.size2--; /* rows that do not follow upon each other */
  gsltune_matrix_max (&m);
  gsltune_last_route (&after);
  assert_int_equal (after, before + 2);
  gsltune_set_thread_mode (GSLTUNE_MODE_EXACT);
  gsltune_blas_zdotu (&z, &z, &product);
  gsltune_set_thread_mode (GSLTUNE_MODE_PROCESS);
  gsltune_last_route (&after);
  assert_int_equal (after, before + 3);

  assert_int_equal (pthread_create (&thread, NULL, ask_for_route, &of_other), 0);
  assert_int_equal (pthread_join (thread, &other), 0);
  assert_null (other);
  assert_int_equal (of_other, 0);
}

/* ------------------------------------------------------- Sums of floats */

static size_t
random_below (uint64_t *seed, size_t limit)
{
  return random_word (seed) % limit;
}

/* Returns the 24 leading bits of a whole number, which a float holds.  */
static __int128
leading (__int128 number)
{
  __int128 size = number < 0 ? -number : number, unit = 1;

  for (; size >> 24; size >>= 1)
    unit *= 2;
  return number / unit * unit;
}

/* Puts N large numbers whose sum is 1 away from a tie of two small floats.  Returns the sum.  */
static int64_t
put_nearly_tie (uint64_t *seed, float *x, size_t n)
{
  const int64_t tie = 4 * ((1 << 24) + 2 * (int64_t) random_below (seed, 1 << 23) + 1);
  const int64_t sum = random_below (seed, 2) ? tie + 1 : tie - 1;
  __int128 left = sum;

  for (size_t i = 0; i < n; i++)
    {
      const int64_t some = (int64_t) random_below (seed, 1 << 24) << random_below (seed, 30);
      const __int128 term = n - i <= 3 ? leading (left) : random_below (seed, 2) ? some : -some;

      x[i] = (float) term;
      left -= term;
    }
  assert_true (left == 0);
  return sum;
}

TEST (exact_sums_of_floats_near_ties)
{
  static float x[10000];
  uint64_t seed = 1;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (int i = 0; i < 3000; i++)
    {
      const size_t n = 5 + random_below (&seed, i % 100 ? 300 : N_OF (x) - 5);
      const int64_t sum = put_nearly_tie (&seed, x, n);

      assert_true (gsltune_vector_float_sum (&VIEW (_float, x, n, 1)) == (float) sum);
    }
  gsltune_set_mode (GSLTUNE_MODE_AUTO);
}

int
main (void)
{
  /* No profile of the user's decides, and more threads than one compute.  */
  gt_env.profile_dir = "/nonexistent";
  return run_unit_tests (NULL, NULL);
}
