/* Tests of products and statistics of device vectors (src/public/device_statistics.c):
   what they give on the host, bit for bit in exact mode, where there is no GPU, on a
   device of tests/softgpu, and on the machine's own where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
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

SCENARIO (statistics)
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
  CHECK (gsltune_device_vector_lag1_autocorrelation (v)
         == gsltune_stats_lag1_autocorrelation (x, 1, N_OF (x)));
  CHECK (gsltune_device_vector_dot (v, v, &dot) == GSL_SUCCESS);
  CHECK (dot == gsltune_device_vector_tss_m (v, 0));
  gsltune_device_vector_free (v);
}
#endif

/* ------------------------------------------------------------------ Tests */

#if HAVE_CUDA
TEST (statistics_on_gpu)
{
  EXPECT_SCENARIO ("statistics", "", NOTHING, h200);
}

SOFTGPU_TEST (full_gpu)
{
  EXPECT_SCENARIO ("copied_back", "", "SOFTGPU_MEMORY=80000", h200);
}
#endif

TEST (without_a_gpu)
{
  EXPECT_SCENARIO ("statistics", "", "CUDA_VISIBLE_DEVICES=");
}

RUN_SCENARIOS (NULL, NULL)
