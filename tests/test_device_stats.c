/* Tests of products and statistics of device vectors (src/public/device_statistics.c):
   what they give on the host, bit for bit in exact mode, where there is no GPU, on a
   device of tests/softgpu, and on the machine's own where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "tests/unit.h"

#include "src/base/names.h"
#include "tests/device_rows.h"
#include "tests/device_vectors.h"

/* Of products and norms below.  */
#define ROW_VALUE(name)
#define ROW_VALUES(name)
#define ROW_INDEX(name)
#define ROW_INDEXES(name)
#define ROW_PRODUCT(name)

#define GT_TEMPLATE "tests/device_stats_cases.inc"
#include "src/public/each_type.h"
#undef FUNCTION

static void
statistics (void)
{
  static const size_t lengths[] = {1, 2, 3, 7, 33, 1000, 5000};

  for (size_t k = 0; k < N_OF (lengths); k++)
    {
#define X(id, name, infix, ctype, arithmetic) as_on_the_host##infix (lengths[k]);
      GT_GPU_ELEMENT_TYPES (X)
#undef X
    }
#define X(id, name, infix, ctype, arithmetic) lengths_differ##infix ();
  GT_GPU_ELEMENT_TYPES (X)
#undef X
}

#if HAVE_CUDA
/* Room for the elements, none for what computing takes: they are copied back.  */
static void
copied_back (void)
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
  CHECK (gsltune_device_vector_lag1_autocorrelation (v)
         == gsltune_stats_lag1_autocorrelation (x, 1, N_OF (x)));
  CHECK (gsltune_device_vector_dot (v, v, &dot) == GSL_SUCCESS);
  CHECK (dot == gsltune_device_vector_tss_m (v, 0));
  gsltune_device_vector_free (v);
}
#endif

static const struct scenario scenarios[] = {
  {"statistics", statistics},
#if HAVE_CUDA
  {"copied_back", copied_back},
#endif
};

/* ------------------------------------------------------------------ Tests */


#if HAVE_CUDA
static void
statistics_on_gpu (void **state)
{
  (void) state;
  EXPECT_SCENARIO ("statistics", "", NOTHING, h200);
}

static void
full_gpu (void **state)
{
  (void) state;
  EXPECT_SCENARIO ("copied_back", "", "SOFTGPU_MEMORY=80000", h200);
}
#endif

static void
without_a_gpu (void **state)
{
  (void) state;
  EXPECT_SCENARIO ("statistics", "", "CUDA_VISIBLE_DEVICES=");
}

/* On the machine's own GPU all but the last test count.  */
int
main (int argc, char **argv)
{
  static const struct CMUnitTest tests[] = {
    cmocka_unit_test (without_a_gpu),
#if HAVE_CUDA
    cmocka_unit_test (statistics_on_gpu),
    cmocka_unit_test (full_gpu),
#endif
  };
  size_t count = on_real_gpu () ? N_OF (tests) - 1 : N_OF (tests);

  device_vectors_start (argc, argv, scenarios, N_OF (scenarios));
  return _cmocka_run_group_tests ("device_stats", tests, count, NULL, NULL);
}
