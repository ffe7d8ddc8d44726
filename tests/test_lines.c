/* Tests of the functions of rows, columns and segments: each answer is that of the function
   of one vector, in exact mode bit for bit, whose truth test_truth knows.  The mean of two middle elements is MPFR's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <sys/resource.h>

#include "tests/unit.h"

#include "kernels/cpu/isa/isa.h"
#include "kernels/cutoffs.h"
#include "src/base/env.h"
#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/lines_of.h"

FIXTURE (quiet)
{
  gsl_set_error_handler_off ();
  return 0;
}

static void
every_type (size_t lines, size_t n, size_t more)
{
  for (int way = 0; way < N_WAYS; way++)
    for (int data = 0; data < N_DATA; data++)
      {
#define X(id, name, infix, ctype, arithmetic) \
  compare##infix ((enum way) way, (enum data) data, lines, n, more);
        GT_ELEMENT_TYPES (X)
#undef X
      }
}

static void
doubles (size_t lines, size_t n, size_t more)
{
  for (int way = 0; way < N_WAYS; way++)
    for (int data = 0; data < N_DATA; data++)
      compare ((enum way) way, (enum data) data, lines, n, more);
}

static void
in_each_mode (void (*check) (size_t, size_t, size_t), size_t lines, size_t n, size_t more)
{
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      check (lines, n, more);
    }
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
}

TEST (small_matrices)
{
  static const size_t lengths[] = {0, 1, 2, 3, 5, 8, 9, 17};

  for (size_t a = 0; a < N_OF (lengths); a++)
    for (size_t b = 0; b < N_OF (lengths); b++)
      in_each_mode (every_type, lengths[a], lengths[b], b % 3);
}

/* Blocks and parts of all kinds, and their rests, by each instruction set.  */
TEST (larger_matrices)
{
  static const size_t shapes[][2] = {{3, 1000}, {4, 4999}, {7, 333}, {31, 129}, {64, 64},
                                     {65, 32}, {100, 33}, {300, 16}, {1000, 4}, {2001, 5},
                                     {600, 40}};

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    if (gt_isa_runs ((enum gt_isa) isa))
      {
        gt_isa_set_limit ((enum gt_isa) isa);
        for (size_t s = 0; s < N_OF (shapes); s++)
          in_each_mode (doubles, shapes[s][0], shapes[s][1], s % 2);
      }
  gt_isa_set_limit (GT_N_ISAS - 1);
}

/* By so many threads as there may be, and without memory for copies.  */
TEST (threads_and_memory)
{
  const size_t limit = gsltune_get_scratch_limit ();

  for (int threads = 1; threads <= 3; threads += 2)
    {
      gt_env.threads = threads;
      doubles (1201, 50, 3);
      doubles (40, 5003, 1);
    }
  gt_env.threads = 0;
  gsltune_set_scratch_limit (20000);
  compare (ROWS, NEAR, 9, 2000, 0);
  compare_float (COLUMNS, CANCELLING, 9, 3000, 0);
  gsltune_set_scratch_limit (0);
  compare (ROWS, NEAR, 2, 200, 0);
  compare (COLUMNS, NEAR, 2, 200, 0);
  gsltune_set_scratch_limit (limit);
}

/* There is memory for the copy of the first segment, not for that of the second.  */
TEST (errors_come_before_results)
{
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  static const size_t ends[] = {0, 10, (size_t) 1 << 24};
  double *const x = calloc (ends[2], sizeof *x), medians[2] = {7, 7};
  const gsl_vector v = {ends[2], 1, x, NULL, 0};
  gsl_vector_view result = gsl_vector_view_array (medians, 2);
  struct rlimit before, none;
  int status;

  assert_non_null (x);
  assert_int_equal (getrlimit (RLIMIT_AS, &before), 0);
  none = before;
  none.rlim_cur = 1 << 20;
  assert_int_equal (setrlimit (RLIMIT_AS, &none), 0);
  status = gsltune_vector_segment_median (&v, ends, 2, &result.vector);
  assert_int_equal (setrlimit (RLIMIT_AS, &before), 0);
  assert_int_equal (status, GSL_ENOMEM);
  assert_true (medians[0] == 7 && medians[1] == 7);
  free (x);
#endif
}

/* Two middle elements whose sum has no place in their type.  */
TEST (medians_do_not_wrap)
{
  int unix_times[] = {1700000000, 1700000002};
  long longs[] = {LONG_MAX, LONG_MAX - 2};
  unsigned long ulongs[] = {ULONG_MAX, ULONG_MAX - 5000};
  unsigned char uchars[] = {255, 254};
  float floats[] = {FLT_MAX, FLT_MAX};
  double doubles_of_most[] = {DBL_MAX, DBL_MAX}, unequal[] = {DBL_MAX, 0x1p1023}, median;
  gsl_vector_view result = gsl_vector_view_array (&median, 1);

#define MEDIAN_OF(infix, x)                                                            \
  (gsltune_matrix##infix##_row_median (                                                \
     &(const gsl_matrix##infix) {1, 2, 2, x, NULL, 0}, &result.vector) ? NAN : median)
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      assert_true (MEDIAN_OF (_int, unix_times) == 1700000001);
      assert_true (MEDIAN_OF (_long, longs) == 0x1p63);
      assert_true (MEDIAN_OF (_ulong, ulongs) == 0x1p64 - 2048);
      assert_true (MEDIAN_OF (_uchar, uchars) == 254.5);
      assert_true (MEDIAN_OF (_float, floats) == (double) FLT_MAX);
      assert_true (MEDIAN_OF (, doubles_of_most) == DBL_MAX);
      assert_true (MEDIAN_OF (, unequal) == 0x1.8p1023);
    }
#undef MEDIAN_OF
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
}

/* Fast norms of elements whose squares underflow, and variances of columns whose first rows are far
   from all others.  */
TEST (lines_that_are_computed_again)
{
  enum { ROWS_OF = 4000, COLUMNS_OF = 16 };
  static double x[ROWS_OF * COLUMNS_OF];
  double norms[COLUMNS_OF], variances[COLUMNS_OF];
  const gsl_matrix m = {ROWS_OF, COLUMNS_OF, COLUMNS_OF, x, NULL, 0};
  gsl_vector_view norm = gsl_vector_view_array (norms, COLUMNS_OF);
  gsl_vector_view variance = gsl_vector_view_array (variances, COLUMNS_OF);

  gsltune_set_mode (GSLTUNE_MODE_FAST);
  for (size_t i = 0; i < N_OF (x); i++)
    x[i] = 0x1p-600;
  assert_int_equal (gsltune_matrix_column_nrm2 (&m, &norm.vector), GSL_SUCCESS);
  for (size_t i = 0; i < N_OF (x); i++)
    x[i] = (i < 8 * COLUMNS_OF ? 1e12 : 0) + (double) (i / COLUMNS_OF % 7);
  assert_int_equal (gsltune_matrix_column_variance (&m, &variance.vector), GSL_SUCCESS);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (size_t i = 0; i < COLUMNS_OF; i++)
    {
      const double exact = gsltune_stats_variance (x + i, COLUMNS_OF, ROWS_OF);

      assert_true (fabs (norms[i] / 0x1p-600 - sqrt (ROWS_OF)) < 1e-13);
      assert_true (fabs (variances[i] - exact) < 6 * DBL_EPSILON * exact);
    }
}

/* A segment that is as long as a thread's share, and a longer one, before short ones.  */
TEST (long_segments)
{
  enum { SHORTS = 1000, SHARE = 300 * SHORTS, N = 2 * SHARE + 300 };
  static double x[N], sums[SHORTS + 1];
  static size_t ends[SHORTS + 2];
  const gsl_vector v = {N, 1, x, NULL, 0};
  gsl_vector_view sum = gsl_vector_view_array (sums, SHORTS + 1);
  uint64_t seed = 9;

  for (size_t i = 0; i < N; i++)
    x[i] = hard (NEAR, random_word (&seed));
  gt_env.threads = 2;
  for (size_t more = 0; more <= 300; more += 300)
    {
      for (size_t k = 0; k <= SHORTS; k++)
        {
          ends[k + 1] = SHARE + more + 300 * k;
          sums[k] = NAN;
        }
      assert_int_equal (gsltune_vector_segment_sum (&v, ends, SHORTS + 1, &sum.vector),
                        GSL_SUCCESS);
      for (size_t k = 0; k <= SHORTS; k++)
        {
          const gsl_vector one = {ends[k + 1] - ends[k], 1, x + ends[k], NULL, 0};

          assert_true (sums[k] == gsltune_vector_sum (&one));
        }
    }
  gt_env.threads = 0;
}

/* Sums whose last bit hangs on the third of three numbers; and means that are ties.  */
TEST (ties)
{
  enum { N = 5 };
  const double ulp = 0x1p-52;
  const double rows[][N] = {{1, ulp / 2, 0, 0, 0}, {1, ulp / 2, 0x1p-120, 0, 0},
                            {1 + ulp, ulp / 2, 0, 0, 0}, {1 + ulp, ulp / 2, -0x1p-120, 0, 0},
                            {5, 5 * ulp, 5 * ulp / 2, 0, 0}, {5, 5 * ulp / 2, 0, 0, 0},
                            {5, 5 * ulp / 2, 0x1p-200, 0, 0}, {5, 5 * ulp / 2, -0x1p-200, 0, 0},
                            {0x1p-1074, 0x1p-1073, 0, 0, 0}, {-0x1p-1074, 0, 0, 0, 0},
                            {0x1p1023, 0x1p1023, -0x1p1023, 0, 0}, {-0.0, -0.0, -0.0, -0.0, -0.0}};
  enum { LINES = N_OF (rows), COLUMNS_OF = 3 * LINES };
  double sums[2][COLUMNS_OF], means[2][COLUMNS_OF], columns[N * COLUMNS_OF];
  const gsl_matrix m = {LINES, N, N, (double *) rows, NULL, 0};
  const gsl_matrix turned = {N, COLUMNS_OF, COLUMNS_OF, columns, NULL, 0};

  for (size_t i = 0; i < COLUMNS_OF; i++)
    for (size_t k = 0; k < N; k++)
      columns[k * COLUMNS_OF + i] = rows[i % LINES][k];
  for (int way = 0; way < 2; way++)
    {
      gsl_vector_view sum = gsl_vector_view_array (sums[way], way ? COLUMNS_OF : LINES);
      gsl_vector_view mean = gsl_vector_view_array (means[way], way ? COLUMNS_OF : LINES);

      (way ? gsltune_matrix_column_sum : gsltune_matrix_row_sum) (way ? &turned : &m, &sum.vector);
      (way ? gsltune_matrix_column_mean : gsltune_matrix_row_mean) (way ? &turned : &m, &mean.vector);
      assert_true (sums[way][0] == 1);
      assert_true (sums[way][1] == 1 + ulp);
      assert_true (sums[way][2] == 1 + 2 * ulp);
      assert_true (sums[way][3] == 1 + ulp);
      assert_true (means[way][4] == 1 + 2 * ulp);
      assert_true (means[way][5] == 1);
      assert_true (means[way][6] == 1 + ulp);
      assert_true (means[way][7] == 1);
      assert_true (means[way][8] == 0x1p-1074);
      assert_true (means[way][9] == 0 && signbit (means[way][9]));
      assert_true (sums[way][10] == 0x1p1023);
      assert_true (sums[way][11] == 0 && !signbit (sums[way][11]));
    }
}

TEST (pairs_of_columns)
{
  enum { ROWS_OF = 300, COLUMNS_OF = 7 };
  double x[ROWS_OF * COLUMNS_OF], result[2][COLUMNS_OF * COLUMNS_OF];
  const gsl_matrix m = {ROWS_OF, COLUMNS_OF, COLUMNS_OF, x, NULL, 0};
  gsl_matrix_view all[2] = {gsl_matrix_view_array (result[0], COLUMNS_OF, COLUMNS_OF),
                            gsl_matrix_view_array (result[1], COLUMNS_OF, COLUMNS_OF)};
  gsl_matrix_view less = gsl_matrix_view_array (result[0], COLUMNS_OF, 1);
  const size_t limit = gsltune_get_scratch_limit ();
  uint64_t seed = 1;

  for (size_t i = 0; i < N_OF (x); i++)
    x[i] = hard (CANCELLING, random_word (&seed));
  for (int copies = 0; copies < 2; copies++)
    {
      gsltune_set_scratch_limit (copies ? limit : 0);
      assert_int_equal (gsltune_matrix_covariance (&m, &all[0].matrix), GSL_SUCCESS);
      assert_int_equal (gsltune_matrix_correlation (&m, &all[1].matrix), GSL_SUCCESS);
      for (size_t i = 0; i < COLUMNS_OF; i++)
        for (size_t j = 0; j < COLUMNS_OF; j++)
          {
            const double *const a = x + i, *const b = x + j;

            assert_true (result[0][i * COLUMNS_OF + j]
                         == gsltune_stats_covariance (a, COLUMNS_OF, b, COLUMNS_OF, ROWS_OF));
            assert_true (result[1][i * COLUMNS_OF + j]
                         == gsltune_stats_correlation (a, COLUMNS_OF, b, COLUMNS_OF, ROWS_OF));
          }
    }
  assert_int_equal (gsltune_matrix_covariance (&m, &less.matrix), GSL_EBADLEN);
}

TEST (what_is_refused)
{
  double x[12] = {0}, to[4] = {7, 7, 7, 7};
  const gsl_matrix m = {3, 4, 4, x, NULL, 0};
  const gsl_vector v = {12, 1, x, NULL, 0};
  gsl_vector_view four = gsl_vector_view_array (to, 4);
  const size_t falling[] = {0, 4, 3, 5, 6}, beyond[] = {0, 4, 5, 6, 13}, right[] = {2, 2, 3, 12, 12};

  assert_int_equal (gsltune_matrix_row_sum (&m, &four.vector), GSL_EBADLEN);
  assert_int_equal (gsltune_vector_segment_sum (&v, right, 3, &four.vector), GSL_EBADLEN);
  assert_int_equal (gsltune_vector_segment_sum (&v, right, 5, &four.vector), GSL_EBADLEN);
  assert_int_equal (gsltune_vector_segment_sum (&v, falling, 4, &four.vector), GSL_EINVAL);
  assert_int_equal (gsltune_vector_segment_sum (&v, beyond, 4, &four.vector), GSL_EINVAL);
  assert_int_equal (gsltune_vector_segment_max (&v, right, 4, &four.vector), GSL_EDOM);
  for (size_t i = 0; i < 4; i++)
    assert_true (to[i] == 7);
  assert_int_equal (gsltune_vector_segment_sum (&v, right, 4, &four.vector), GSL_SUCCESS);
  assert_true (to[0] == 0 && to[3] == 0);
}

RUN_TESTS (quiet, NULL)
