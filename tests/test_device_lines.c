/* Tests of results of rows, columns and segments that stay on a GPU
   (src/lines/device_lines.c, src/cuda/cuda_lines.c, kernels/cuda/lines*): each is that of the
   function of one vector on the host, in exact mode bit for bit; on the host, on the devices
   of tests/softgpu, and on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_math.h>

#include "tests/unit.h"

#include "kernels/cutoffs.h"
#include "tests/device_vectors.h"
#include "tests/softgpu/softgpu_hooks.h"
#undef VIEW

#define ON_DEVICE 1
#include "tests/lines_of.h"

/* Shapes for few threads a line and for blocks, folded columns with rests, and groups of
   columns; each kind of data.  */
static void
all_data (size_t lines, size_t n, size_t more)
{
  for (int way = 0; way < N_WAYS; way++)
    for (int data = 0; data < N_DATA; data++)
      {
        compare ((enum way) way, (enum data) data, lines, n, more);
        if ((way + data) % 2)
          compare_float ((enum way) way, (enum data) data, lines, n, more);
        else
          compare_int ((enum way) way, (enum data) data, lines, n, more);
      }
}

/* All of it in a stream, too.  */
static void
begin_stream (void)
{
  const char *const how = getenv ("LINES_INTO_STREAM");

  into_stream = how != NULL;
  if (how && strcmp (how, "scratch") == 0)
    CHECK ((scratch = gsltune_scratch_alloc (0)));
}

SCENARIO (small)
{
  static const size_t shapes[][3] = {{0, 3, 0}, {3, 0, 1}, {1, 1, 0}, {3, 2, 0}, {2, 5, 1}, {9, 8, 2},
                                     {5, 40, 0}, {33, 6, 0}, {70, 3, 1}, {3, 4, 1}, {5, 8, 4}};

  gsl_set_error_handler_off ();
  begin_stream ();
  for (size_t s = 0; s < N_OF (shapes); s++)
    all_data (shapes[s][0], shapes[s][1], shapes[s][2]);
  compare_long (ROWS, NEAR, 5, 9, 1);
  compare_long (COLUMNS, NEAR, 4, 7, 2);
  compare_long (SEGMENTS, NEAR, 5, 9, 0);
}

/* Chunks of lines and of folded columns.  */
SCENARIO (large)
{
  gsl_set_error_handler_off ();
  begin_stream ();
  compare (ROWS, CANCELLING, 3, 5000, 0);
  compare (ROWS, NEAR, 2, 4999, 1);
  compare_float (ROWS, NEAR, 1, 5000, 0);
  compare (COLUMNS, CANCELLING, 3, 5000, 0);
  compare (COLUMNS, APART, 1, 4999, 1);
  compare_float (COLUMNS, NEAR, 60, 641, 0);
  compare (COLUMNS, NEAR, 600, 40, 0);
  compare_int (COLUMNS, NEAR, 7, 3001, 0);
  compare (SEGMENTS, NEAR, 300, 9, 0);
}

/* Two segments of nearly all elements among short ones, which begin where they are not
   aligned; the offsets may be ENDS_STRIDE apart.  */
static void
two_long (size_t stride, size_t ends_stride)
{
  enum { N = 40001, COUNT = 50 };
  static double x[N];
  const gsl_vector v = {N, 1, x, NULL, 0};
  unsigned long ends[COUNT + 1];
  const gsl_vector_ulong offsets = {COUNT + 1, 1, ends, NULL, 0};
  double sums[COUNT];
  unsigned long where[COUNT];
  gsl_vector_view sum = gsl_vector_view_array (sums, COUNT);
  gsl_vector_ulong_view at = gsl_vector_ulong_view_array (where, COUNT);
  gsltune_device_vector *all = gsltune_device_vector_alloc (N * stride), there = *all;
  gsltune_device_vector_ulong *all_begins = gsltune_device_vector_ulong_alloc ((COUNT + 1) * ends_stride);
  gsltune_device_vector_ulong begins = *all_begins;
  gsltune_device_vector *to = gsltune_device_vector_alloc (COUNT);
  gsltune_device_vector_ulong *index = gsltune_device_vector_ulong_alloc (COUNT);
  uint64_t seed = 5;

  for (size_t i = 0; i < N; i++)
    x[i] = hard (NEAR, random_word (&seed));
  for (unsigned i = 0; i <= COUNT; i++)
    ends[i] = i < 16 ? 3 * i : i < 33 ? N / 2 + 3 * i : N - 5 * (COUNT - i);
  there.memory.n = N;
  there.memory.stride = stride;
  begins.memory.n = COUNT + 1;
  begins.memory.stride = ends_stride;
  CHECK (gsltune_device_vector_set (&there, &v) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_ulong_set (&begins, &offsets) == GSL_SUCCESS);
  gsltune_device_vector_set_stream (to, NULL);
  gsltune_device_vector_ulong_set_stream (index, NULL);
  CHECK ((into_stream && ends_stride == 1
            ? gsltune_device_vector_segment_sum_to (&there, &begins, to, NULL, GSLTUNE_MODE_PROCESS, scratch)
            : gsltune_device_vector_segment_sum (&there, &begins, to)) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_get (to, &sum.vector) == GSL_SUCCESS);
  CHECK ((into_stream && ends_stride == 1
            ? gsltune_device_vector_segment_max_index_to (&there, &begins, index, NULL, GSLTUNE_MODE_PROCESS, NULL)
            : gsltune_device_vector_segment_max_index (&there, &begins, index)) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_ulong_get (index, &at.vector) == GSL_SUCCESS);
  for (size_t i = 0; i < COUNT; i++)
    {
      const gsl_vector one = {ends[i + 1] - ends[i], 1, x + ends[i], NULL, 0};

      CHECK (sums[i] == gsltune_vector_sum (&one));
      CHECK (where[i] == gsltune_vector_max_index (&one));
    }
  gsltune_device_vector_free (all);
  gsltune_device_vector_ulong_free (all_begins);
  gsltune_device_vector_free (to);
  gsltune_device_vector_ulong_free (index);
}

SCENARIO (uneven)
{
  begin_stream ();
  two_long (1, 1);
  two_long (3, 1);
  two_long (1, 2);
}

/* Segments that have all elements again and again: no more is written than there is room for.  */
SCENARIO (overlapping)
{
  enum { N = 20000, COUNT = 300 };
  unsigned long ends[COUNT + 1];
  const gsl_vector_ulong offsets = {COUNT + 1, 1, ends, NULL, 0};
  double x[COUNT] = {0};
  gsl_vector_view sums = gsl_vector_view_array (x, COUNT);
  gsltune_device_vector *const v = gsltune_device_vector_alloc (N);
  gsltune_device_vector_ulong *const begins = gsltune_device_vector_ulong_alloc (COUNT + 1);
  gsltune_device_vector *const to = gsltune_device_vector_alloc (COUNT);

  begin_stream ();
  for (size_t i = 0; i <= COUNT; i++)
    ends[i] = i % 2 ? N : 0;
  CHECK (gsltune_device_vector_ulong_set (begins, &offsets) == GSL_SUCCESS);
  gsltune_device_vector_set_stream (to, NULL);
  if (into_stream)
    CHECK (gsltune_device_vector_segment_sum_to (v, begins, to, NULL, GSLTUNE_MODE_PROCESS, scratch)
           == (gsltune_gpu_count () > 0 ? GSL_SUCCESS : GSL_EINVAL));
  else
    CHECK (REPORTS (gsltune_device_vector_segment_sum (v, begins, to), GSL_EINVAL));
  CHECK (gsltune_device_vector_get (to, &sums.vector) == GSL_SUCCESS);
  gsltune_device_vector_free (v);
  gsltune_device_vector_ulong_free (begins);
  gsltune_device_vector_free (to);
}

SCENARIO (refused)
{
  static const unsigned long all_ends[][5]
    = {{0, 4, 3, 5, 6}, {0, 4, 5, 6, 13}, {2, 2, 3, 12, 12}, {5, 0, 0, 0, 0}};
  gsltune_device_matrix *m = gsltune_device_matrix_alloc (3, 4);
  gsltune_device_vector *v = gsltune_device_vector_alloc (12);
  gsltune_device_vector *to = gsltune_device_vector_alloc (4), fewer = *to;
  gsltune_device_vector_ulong *ends = gsltune_device_vector_ulong_alloc (5), apart = *ends;
  gsltune_device_vector_ulong *none = gsltune_device_vector_ulong_alloc (0);
  const int on_host = gsltune_gpu_count () == 0;
  double x[12] = {0};
  const gsl_vector zeros = {12, 1, x, NULL, 0};

  CHECK (gsltune_device_vector_set (v, &zeros) == GSL_SUCCESS);
  CHECK (REPORTS (gsltune_device_matrix_row_sum (m, to), GSL_EBADLEN));
  fewer.memory.n = 2;
  apart.memory.stride = 2;
  CHECK (REPORTS (gsltune_device_matrix_row_sum (m, &fewer), GSL_EBADLEN));
  CHECK (REPORTS (gsltune_device_matrix_column_mean (m, v), GSL_EBADLEN));
  handler_calls = 0;
  CHECK (gsltune_device_matrix_row_sum_to (m, to, NULL, GSLTUNE_MODE_PROCESS, NULL) == GSL_EBADLEN);
  m->table.size1 = 4;
  m->table.size2 = 0;
  CHECK (gsltune_device_matrix_row_sum_to (m, to, NULL, GSLTUNE_MODE_PROCESS, NULL) == GSL_EDOM);
  CHECK (gsltune_device_matrix_row_sum_to (m, to, NULL, (gsltune_mode) 4, NULL) == GSL_EINVAL);
  CHECK (gsltune_device_vector_segment_sum_to (v, none, to, NULL, GSLTUNE_MODE_PROCESS, NULL) == GSL_EBADLEN);
  CHECK (gsltune_device_vector_segment_sum_to (v, &apart, to, NULL, GSLTUNE_MODE_PROCESS, NULL) == GSL_EINVAL);
  m->table.size1 = 3;
  m->table.size2 = 4;
  CHECK (handler_calls == 0);
  CHECK (REPORTS (gsltune_device_vector_segment_sum (v, none, to), GSL_EBADLEN));
  CHECK (REPORTS (gsltune_device_vector_segment_sum (v, ends, v), GSL_EBADLEN));
  for (size_t k = 0; k < N_OF (all_ends); k++)
    {
      const gsl_vector_ulong offsets = {5, 1, (unsigned long *) all_ends[k], NULL, 0};

      CHECK (gsltune_device_vector_ulong_set (ends, &offsets) == GSL_SUCCESS);
      if (k != 2)
        CHECK (REPORTS (gsltune_device_vector_segment_sum (v, ends, to), GSL_EINVAL));
      else
        CHECK (gsltune_device_vector_segment_sum (v, ends, to) == GSL_SUCCESS);
      CHECK (REPORTS (gsltune_device_vector_segment_max (v, ends, to), k == 2 ? GSL_EDOM : GSL_EINVAL));
      handler_calls = 0;
      CHECK (gsltune_device_vector_segment_max_to (v, ends, to, NULL, GSLTUNE_MODE_PROCESS, NULL)
             == (!on_host ? GSL_SUCCESS : k == 2 ? GSL_EDOM : GSL_EINVAL));
      CHECK (handler_calls == 0);
    }
  gsltune_device_matrix_free (m);
  gsltune_device_vector_free (v);
  gsltune_device_vector_free (to);
  gsltune_device_vector_ulong_free (ends);
  gsltune_device_vector_ulong_free (none);
}

#if HAVE_CUDA
/* A function of the soft GPU.  */
static void *
hook (const char *name)
{
  void *const driver = dlopen ("libcuda.so.1", RTLD_NOW), *function;

  CHECK (driver);
  function = dlsym (driver, name);
  CHECK (function);
  return function;
}

/* How often kernels have been launched.  */
static unsigned long
launches (void)
{
  struct softgpu_report report;

  ((softgpu_report_function *) hook ("softgpu_report")) (&report);
  return report.calls[SOFTGPU_cuLaunchKernel];
}

#define LAUNCHES(n, call) (before = launches (), (call) == GSL_SUCCESS && launches () - before == (n))

/* The GPU computes, once, and settles what it must: that is forgotten then, after a failure,
   too.  */
SCENARIO (launched)
{
  enum { LINES = 60, N = 4, LAST = 50 };
  double x[LINES * N] = {0}, sums[LINES];
  unsigned long ends[LINES + 1];
  const gsl_matrix m = {LINES, N, N, x, NULL, 0};
  const gsl_vector v = {LINES * N, 1, x, NULL, 0};
  const gsl_vector_ulong offsets = {LINES + 1, 1, ends, NULL, 0};
  gsl_vector_view sum = gsl_vector_view_array (sums, LINES);
  gsltune_device_matrix *const all = gsltune_device_matrix_alloc (LINES, N);
  gsltune_device_matrix_view few = gsltune_device_matrix_submatrix (all, 0, 0, 3, N);
  gsltune_device_vector *const segments = gsltune_device_vector_alloc (LINES * N);
  gsltune_device_vector_ulong *const begins = gsltune_device_vector_ulong_alloc (LINES + 1);
  gsltune_device_vector *const to = gsltune_device_vector_alloc (LINES);
  gsltune_device_vector to_few = *to, to_columns = *to;
  gsltune_scratch *const memory = gsltune_scratch_alloc (0);
  softgpu_set_faults_function *const set_faults
    = (softgpu_set_faults_function *) hook ("softgpu_set_faults");
  unsigned long before;

  for (size_t i = 0; i <= LINES; i++)
    ends[i] = i * N;
  for (size_t i = 1; i < LINES; i += LAST - 1)
    {
      x[i * N] = 1;
      x[i * N + 1] = 0x1p-53;
      x[i * N + 2] = 0x1p-120;
    }
  to_few.memory.n = 3;
  to_columns.memory.n = N;
  CHECK (gsltune_device_matrix_set (all, &m) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_set (segments, &v) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_ulong_set (begins, &offsets) == GSL_SUCCESS);
  CHECK (LAUNCHES (2, gsltune_device_matrix_row_sum (all, to)));
  CHECK (LAUNCHES (1, gsltune_device_matrix_row_max (all, to)));
  CHECK (LAUNCHES (1, gsltune_device_matrix_column_max (all, &to_columns)));
  CHECK (LAUNCHES (2, gsltune_device_vector_segment_sum (segments, begins, to)));
  set_faults ("cuLaunchKernel:2=1");
  CHECK (gsltune_device_matrix_row_sum (all, to) == GSL_SUCCESS);
  set_faults ("");
  CHECK (gsltune_device_vector_get (to, &sum.vector) == GSL_SUCCESS);
  CHECK (sums[1] == 1 + 0x1p-52 && sums[LAST] == 1 + 0x1p-52);
  sums[LAST] = 7;
  CHECK (gsltune_device_vector_set (to, &sum.vector) == GSL_SUCCESS);
  CHECK (LAUNCHES (2, gsltune_device_matrix_row_sum (&few.matrix, &to_few)));
  CHECK (gsltune_device_vector_get (to, &sum.vector) == GSL_SUCCESS);
  CHECK (sums[1] == 1 + 0x1p-52 && sums[LAST] == 7);
  set_faults ("cuMemAllocAsync:*=2");
  CHECK (gsltune_device_matrix_row_sum_to (all, to, NULL, GSLTUNE_MODE_PROCESS, NULL) == GSL_EFAILED);
  CHECK (LAUNCHES (2, gsltune_device_matrix_row_sum_to (all, to, NULL, GSLTUNE_MODE_EXACT, memory)));
  CHECK (LAUNCHES (1, gsltune_device_matrix_row_sum_to (all, to, NULL, GSLTUNE_MODE_FAST, memory)));
  CHECK (LAUNCHES (2, gsltune_device_vector_segment_sum_to (segments, begins, to, NULL,
                                                                 GSLTUNE_MODE_PROCESS, memory)));
  set_faults ("");
  gsltune_scratch_free (memory);
  gsltune_device_matrix_free (all);
  gsltune_device_vector_free (segments);
  gsltune_device_vector_ulong_free (begins);
  gsltune_device_vector_free (to);
}
#endif

static void
results_of_rows (int (*function) (const gsltune_device_matrix *, gsltune_device_vector *), double *x,
                 size_t rows, size_t n, double *results)
{
  const gsl_matrix m = {rows, n, n, x, NULL, 0};
  gsl_vector_view result = gsl_vector_view_array (results, rows);
  gsltune_device_matrix *there = gsltune_device_matrix_alloc (rows, n);
  gsltune_device_vector *to = gsltune_device_vector_alloc (rows);

  CHECK (gsltune_device_matrix_set (there, &m) == GSL_SUCCESS);
  CHECK (function (there, to) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_get (to, &result.vector) == GSL_SUCCESS);
  gsltune_device_matrix_free (there);
  gsltune_device_vector_free (to);
}

/* Variances of which two doubles for each sum tell nothing: all of it cancels.  */
SCENARIO (far_from_zero)
{
  enum { ROWS_OF = 7, N = 40 };
  double x[ROWS_OF * N], variances[ROWS_OF];
  uint64_t seed = 3;

  for (size_t i = 0; i < N_OF (x); i++)
    x[i] = 0x1p30 + hard (NEAR, random_word (&seed)) * ldexp (1, -3 * (int) (i / N));
  results_of_rows (gsltune_device_matrix_row_variance, x, ROWS_OF, N, variances);
  for (size_t i = 0; i < ROWS_OF; i++)
    CHECK (variances[i] == gsltune_stats_variance (x + i * N, 1, N));
}

/* Sums whose last bit hangs on the third of three numbers, which one of the threads has; a mean
   that is subnormal and a tie, of a sum that no double holds.  */
SCENARIO (ties)
{
  enum { LINES = 16, N = 64 };
  double x[LINES * N] = {0}, sums[LINES], tiny[] = {0x15p-1024, 0x3p-1074, 0, 0, 0, 0}, mean;

  for (size_t i = 0; i < LINES; i++)
    {
      x[i * N + 2 * i] = 1;
      x[i * N + 2 * i + 1] = 0x1p-53;
      x[i * N + 2 * i + 32] = 0x1p-120;
    }
  results_of_rows (gsltune_device_matrix_row_sum, x, LINES, N, sums);
  for (size_t i = 0; i < LINES; i++)
    CHECK (sums[i] == 1 + 0x1p-52);
  results_of_rows (gsltune_device_matrix_row_mean, tiny, 1, N_OF (tiny), &mean);
  CHECK (mean == 0x7p-1025);
}

/* So many columns, some of them undecided, that blocks leave nearly as much of them as a user's
   scratch memory has room for.  */
SCENARIO (wide)
{
  enum { ROWS_OF = 40, N = 100 * 1024 };
  gsl_matrix_float *const x = gsl_matrix_float_alloc (ROWS_OF, N);
  gsl_vector_float *const sums = gsl_vector_float_alloc (N);
  gsltune_device_matrix_float *const m = gsltune_device_matrix_float_alloc (ROWS_OF, N);
  gsltune_device_vector_float *const to = gsltune_device_vector_float_alloc (N);

  begin_stream ();
  for (size_t i = 0; i < (size_t) ROWS_OF * N; i++)
    x->data[i] = (float) (i * 2654435761u % 1000003) * (i % 3 ? 0x1p-40f : 1);
  CHECK (gsltune_device_matrix_float_set (m, x) == GSL_SUCCESS);
  gsltune_device_vector_float_set_stream (to, NULL);
  CHECK (gsltune_device_matrix_float_column_sum_to (m, to, NULL, GSLTUNE_MODE_PROCESS, scratch) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_float_get (to, sums) == GSL_SUCCESS);
  for (size_t j = 0; j < N; j++)
    {
      const gsl_vector_float_view column = gsl_matrix_float_column (x, j);

      CHECK (sums->data[j] == gsltune_vector_float_sum (&column.vector));
    }
  gsl_matrix_float_free (x);
  gsl_vector_float_free (sums);
  gsltune_device_matrix_float_free (m);
  gsltune_device_vector_float_free (to);
}

/* The mode of a call is its own.  */
SCENARIO (modes)
{
  double x[] = {1, 0x1p-53, 0x1p-120}, sums[3];
  const gsl_matrix of_host = {1, 3, 3, x, NULL, 0};
  gsl_vector_view sum = gsl_vector_view_array (sums, 3);
  gsltune_device_matrix *const m = gsltune_device_matrix_alloc (1, 3);
  gsltune_device_vector *const to = gsltune_device_vector_alloc (3);
  gsltune_device_vector each = *to;
  double *const begin = each.memory.data;

  begin_stream ();
  gsltune_device_vector_set_stream (to, NULL);
  CHECK (gsltune_device_matrix_set (m, &of_host) == GSL_SUCCESS);
  each.memory.n = 1;
  for (int k = 0; k < 3; k++)
    {
      each.memory.data = begin + k;
      gsltune_set_thread_mode (k == 1 ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST);
      CHECK (gsltune_device_matrix_row_sum_to (
               m, &each, NULL, k == 0 ? GSLTUNE_MODE_EXACT : k == 1 ? GSLTUNE_MODE_FAST : GSLTUNE_MODE_PROCESS, scratch)
             == GSL_SUCCESS);
      CHECK (gsltune_get_thread_mode () == (k == 1 ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST));
    }
  CHECK (gsltune_device_vector_get (to, &sum.vector) == GSL_SUCCESS);
  CHECK (sums[0] == 1 + 0x1p-52 && sums[1] == 1 && sums[2] == 1);
  gsltune_device_matrix_free (m);
  gsltune_device_vector_free (to);
}

TEST (without_a_gpu)
{
  EXPECT_SCENARIO ("modes", "", "CUDA_VISIBLE_DEVICES=-1", "LINES_INTO_STREAM=scratch");
  EXPECT_SCENARIO ("overlapping", "", "CUDA_VISIBLE_DEVICES=-1");
  EXPECT_SCENARIO ("overlapping", "", "CUDA_VISIBLE_DEVICES=-1", "LINES_INTO_STREAM=scratch");
  EXPECT_SCENARIO ("small", "", "CUDA_VISIBLE_DEVICES=-1");
  EXPECT_SCENARIO ("uneven", "", "CUDA_VISIBLE_DEVICES=-1");
  EXPECT_SCENARIO ("refused", "", "CUDA_VISIBLE_DEVICES=-1");
  EXPECT_SCENARIO ("ties", "", "CUDA_VISIBLE_DEVICES=-1");
  EXPECT_SCENARIO ("small", "", "CUDA_VISIBLE_DEVICES=-1", "LINES_INTO_STREAM=1");
}

#if HAVE_CUDA

TEST (every_shape)
{
  EXPECT_SCENARIO ("small", "", NOTHING, h200);
  EXPECT_SCENARIO ("small", "", "GSLTUNE_MODE=fast", h200);
  EXPECT_SCENARIO ("small", "", "LINES_INTO_STREAM=1", h200);
  EXPECT_SCENARIO ("small", "", "GSLTUNE_MODE=fast", "LINES_INTO_STREAM=scratch", h200);
}

TEST (many_elements)
{
  /* Memory that is taken for the call has no byte too many.  */
  EXPECT_SCENARIO ("large", "", LITTLE_SCRATCH, h200);
  EXPECT_SCENARIO ("large", "", "LINES_INTO_STREAM=1", h200);
  EXPECT_SCENARIO ("large", "", "LINES_INTO_STREAM=scratch", h200);
  EXPECT_SCENARIO ("uneven", "", LITTLE_SCRATCH, h200);
  EXPECT_SCENARIO ("uneven", "", "LINES_INTO_STREAM=1", h200);
  EXPECT_SCENARIO ("uneven", "", "LINES_INTO_STREAM=scratch", h200);
  EXPECT_SCENARIO ("overlapping", "", LITTLE_SCRATCH, h200);
  EXPECT_SCENARIO ("overlapping", "", "LINES_INTO_STREAM=1", h200);
  EXPECT_SCENARIO ("modes", "", "LINES_INTO_STREAM=scratch", h200);
  EXPECT_SCENARIO ("wide", "", "LINES_INTO_STREAM=scratch", h200);
  EXPECT_SCENARIO ("wide", "", "LINES_INTO_STREAM=1", h200);
  EXPECT_SCENARIO ("far_from_zero", "", NOTHING, h200);
  EXPECT_SCENARIO ("ties", "", NOTHING, h200);
}

TEST (what_is_refused)
{
  EXPECT_SCENARIO ("refused", "", NOTHING, h200);
}

SOFTGPU_TEST (what_is_launched)
{
  EXPECT_SCENARIO ("launched", "", NOTHING, h200);
}

#endif

RUN_SCENARIOS (NULL, NULL)
