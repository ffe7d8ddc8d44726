/* Tests of statistics of device vectors (src/statistics/device_statistics.c): what is copied back
   and what is not, data that GPUs decide hardly, and errors.  Their values are in test_truth.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/device_vectors.h"
#include "tuning/measure/listed.h"

SCENARIO (lengths_differ)
{
  gsltune_device_vector_int *const two = gsltune_device_vector_int_alloc (2);
  gsltune_device_vector_int *const three = gsltune_device_vector_int_alloc (3);
  gsltune_device_vector_float *const four = gsltune_device_vector_float_alloc (4);
  gsltune_device_vector_float *const five = gsltune_device_vector_float_alloc (5);
  float dot = 7;

  CHECK (two && three && four && five);
  gsl_set_error_handler (note_error);
  handler_calls = 0;
  CHECK (isnan (gsltune_device_vector_int_covariance (two, three)));
  CHECK (handler_calls == 1 && handler_code == GSL_EBADLEN);
  CHECK (gsltune_device_vector_float_dot (four, five, &dot) == GSL_EBADLEN && dot == 7);
  CHECK (handler_calls == 2);
  gsltune_device_vector_int_free (two);
  gsltune_device_vector_int_free (three);
  gsltune_device_vector_float_free (four);
  gsltune_device_vector_float_free (five);
}

#if HAVE_CUDA
/* Room for the elements, none for what computing takes: they are copied back.  */
SCENARIO (copied_back)
{
  static double x[9000];
  const gsl_vector all = VIEW (x, N_OF (x), 1);
  gsltune_device_vector *v = gsltune_device_vector_alloc (N_OF (x));
  double dot;

  for (size_t i = 0; i < N_OF (x); i++)
    x[i] = (double) (i % 7);
  CHECK (v && gsltune_device_vector_set (v, &all) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_sd (v) == gsltune_stats_sd (x, 1, N_OF (x)));
  CHECK (gsltune_device_vector_wsd (v, v) == gsltune_stats_wsd (x, 1, x, 1, N_OF (x)));
  CHECK (gsltune_device_vector_dot (v, v, &dot) == GSL_SUCCESS);
  CHECK (dot == gsltune_stats_tss_m (x, 1, N_OF (x), 0));
  gsltune_device_vector_free (v);
}

/* A GPU's sums tell every statistic of ordinary numbers, and none fetches an element.  */
SCENARIO (told)
{
  static double x[5000], y[5000];
  const gsl_vector all[2] = {VIEW (x, N_OF (x), 1), VIEW (y, N_OF (y), 1)};
  const struct gt_listed *f = gt_listed[GT_TYPE_DOUBLE].function;
  gsltune_device_vector *v[2];
  struct gt_operands o = {.n = N_OF (x), .stride = {1, 1}};
  struct gt_answer answer;
  uint64_t seed = 9;

  for (size_t i = 0; i < 2 * N_OF (x); i++)
    (i % 2 ? x : y)[i / 2] = (double) (random_word (&seed) >> 11) * 0x1p-53;
  for (int i = 0; i < 2; i++)
    {
      v[i] = gsltune_device_vector_alloc (N_OF (x));
      CHECK (v[i] && gsltune_device_vector_set (v[i], &all[i]) == GSL_SUCCESS);
      o.device[i] = v[i];
    }
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (size_t k = 0; k < gt_listed[GT_TYPE_DOUBLE].count; k++)
    if (f[k].family == GT_OF_DEVICE_VECTOR && f[k].answers == GT_ANSWERS_NUMBER)
      f[k].call (f[k].ours, &o, &answer);
  for (int i = 0; i < 2; i++)
    gsltune_device_vector_free (v[i]);
}

/* Floats, of which each thread of a small GPU adds several vectors of four: all near the
   first, and some that are not, too small for its unit, too large, or further off than
   all before them together.  */
SCENARIO (variances_of_floats)
{
  static const float wild[] = {0, 0x1p-149F, 0x1.8p-70F, -0x1p-30F, 0x1p9F, -0x1.fp40F, 0x1.fffffep127F};
  static float x[900001];
  const gsl_vector_float all = {N_OF (x), 1, x, NULL, 0};
  gsltune_device_vector_float *v = gsltune_device_vector_float_alloc (N_OF (x));
  uint64_t seed = 5;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (size_t k = 0; k <= N_OF (wild); k++)
    {
      for (size_t i = 0; i < N_OF (x); i++)
        x[i] = (k % 2 ? 1000 : 0) + (float) (random_word (&seed) >> 40) * 0x1p-24F;
      for (size_t i = 77; i < N_OF (x) && k < N_OF (wild); i += 997)
        x[i] = wild[k];
      CHECK (v && gsltune_device_vector_float_set (v, &all) == GSL_SUCCESS);
      CHECK (gsltune_device_vector_float_variance (v)
             == gsltune_stats_float_variance (x, 1, N_OF (x)));
    }
  gsltune_device_vector_float_free (v);
}

/* Floats with which all threads of a small GPU lose alike: what a sum that has just begun has,
   when a larger square comes; and where the mean is so far off that it is taken off, what lies
   below its last place.  */
SCENARIO (floats_that_lose_alike)
{
  static float x[900001];
  const gsl_vector_float all = {N_OF (x), 1, x, NULL, 0};
  gsltune_device_vector_float *v = gsltune_device_vector_float_alloc (N_OF (x));
  uint64_t seed = 7;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (int k = 0; k < 16; k++)
    {
      const float small = (k < 8 ? 0x1p-45F : 0x1p-44F) * (1 + (float) (random_word (&seed) >> 41) * 0x1p-23F);
      const float large = 1024 * (1 + (float) (random_word (&seed) >> 41) * 0x1p-23F);

      for (size_t i = 0; i < N_OF (x); i++)
        x[i] = i % (k < 8 ? 2 : 32) ? large : small;
      CHECK (v && gsltune_device_vector_float_set (v, &all) == GSL_SUCCESS);
      CHECK (gsltune_device_vector_float_variance (v)
             == gsltune_stats_float_variance (x, 1, N_OF (x)));
    }
  gsltune_device_vector_float_free (v);
}

/* One halfway between two doubles, which no sum within a bound tells: it has a copy.  */
SCENARIO (not_told)
{
  double x[] = {1, 1 + DBL_EPSILON}, one[] = {1, 1};
  const gsl_vector all = VIEW (x, 2, 1), weights = VIEW (one, 2, 1);
  gsltune_device_vector *v = gsltune_device_vector_alloc (2), *w = gsltune_device_vector_alloc (2);

  CHECK (v && gsltune_device_vector_set (v, &all) == GSL_SUCCESS);
  CHECK (w && gsltune_device_vector_set (w, &weights) == GSL_SUCCESS);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  CHECK (gsltune_device_vector_wmean (w, v) == 1);
  gsltune_device_vector_free (v);
  gsltune_device_vector_free (w);
}
#endif

/* ------------------------------------------------------------------ Tests */

#if HAVE_CUDA
SOFTGPU_TEST (variances_on_small_gpu)
{
  char device[4200];

  snprintf (device, sizeof device, "SOFTGPU_DEVICE=%s", source_file ("tests/devices/gtx-970.json"));
  EXPECT_SCENARIO ("variances_of_floats", "", device);
  EXPECT_SCENARIO ("floats_that_lose_alike", "", device);
}

SOFTGPU_TEST (full_gpu)
{
  EXPECT_SCENARIO ("copied_back", "", "SOFTGPU_MEMORY=80000", h200);
}

SOFTGPU_TEST (copies)
{
  static const struct
  {
    const char *scenario;
    long copies;
  } expected[] = {{"told", 0}, {"not_told", 2}};
  char counts[80];

  for (size_t i = 0; i < N_OF (expected); i++)
    {
      snprintf (counts, sizeof counts, "SOFTGPU_COUNT=/tmp/gsltune-test-%d", (int) getpid ());
      EXPECT_SCENARIO (expected[i].scenario, "", counts, h200);
      assert_int_equal (driver_calls (counts, "cuMemcpyDtoH"), expected[i].copies);
      unlink (strchr (counts, '=') + 1);
    }
}
#endif

TEST (errors)
{
  EXPECT_SCENARIO ("lengths_differ", "", "CUDA_VISIBLE_DEVICES=");
  EXPECT_SCENARIO ("lengths_differ", "", NOTHING, h200);
}

RUN_SCENARIOS (NULL, NULL)
