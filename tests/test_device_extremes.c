/* Tests of extremes and magnitudes of device vectors, and of views of device memory
   (src/public/device_vector.inc, src/public/device_memory.c): on the host where there is
   no GPU, on a device of tests/softgpu, and on the machine's own GPU where on_gpu.sh
   asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>

#include "tests/unit.h"

#include "src/base/names.h"
#include "tests/device_vectors.h"
#include "tests/vector_shapes.h"

/* Whether what is done reports CODE, once.  */
#define WITH_ERROR(action, code)                                           \
  (handler_calls = 0, gsl_set_error_handler (note_error), (void) (action), \
   gsl_set_error_handler (NULL), handler_calls == 1 && handler_code == (code))

#define TAKE_VALUE(f, v, a) (a)->value[0] = f (v)
#define TAKE_VALUES(f, v, a) f (v, &(a)->value[0], &(a)->value[1])
#define TAKE_INDEX(f, v, a) (a)->index[0] = f (v)
#define TAKE_INDEXES(f, v, a) f (v, &(a)->index[0], &(a)->index[1])
/* Statistics have a test of their own.  */
#define TAKE_DOUBLE(...) ((void) 0)
#define TAKE_DOUBLE_M(...) ((void) 0)
#define TAKE_DOUBLE_M_SD(...) ((void) 0)
#define TAKE_PAIR(...) ((void) 0)
#define TAKE_PAIR_M(...) ((void) 0)

/* What is not a device vector's, or not every type's, is not looked at here.  */
#define ROW_VECTOR_ALL(...)
#define ROW_BLAS_DOUBLE(...)
#define ROW_BLAS_FLOAT(...)
#define ROW_STATS_ALL(...)
#define ROW_STATS_REALS(...)
#define ROW_MATRIX_ALL(...)
#define ROW_DEVICE_VECTOR_REAL(...)

#define GT_TEMPLATE "tests/device_extremes_cases.inc"
#include "src/public/each_type.h"

SCENARIO_TEST (extremes, NOTHING, h200)
{
#define X(id, name, infix, ctype, arithmetic) all##infix ();
  GT_GPU_ELEMENT_TYPES (X)
#undef X
}

#if HAVE_CUDA

SCENARIO_TEST (copies_of_views, NOTHING, h200)
{
#define X(id, name, infix, ctype, arithmetic) all_copies##infix ();
  GT_GPU_ELEMENT_TYPES (X)
#undef X
}

/* Room for the elements, none for what computing takes: the elements of a view are
   copied back.  */
SCENARIO (copied_back)
{
  double x[9000];
  const gsl_vector all = VIEW (x, N_OF (x), 1);
  gsltune_device_vector *v = gsltune_device_vector_alloc (N_OF (x));
  gsltune_device_vector_view view;

  for (size_t i = 0; i < N_OF (x); i++)
    x[i] = i % 3 ? (i == 4000 ? DBL_MAX : -DBL_MAX) : -(double) i;
  CHECK (v && gsltune_device_vector_set (v, &all) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_max_index (v) == 4000);
  view = gsltune_device_vector_view_array (gsltune_device_vector_data (v), 3,
                                           N_OF (x) / 3);
  CHECK (gsltune_device_vector_max (&view.vector) == 0);
  CHECK (gsltune_device_vector_min_index (&view.vector) == N_OF (x) / 3 - 1);
  CHECK (gsltune_device_vector_asum (&view.vector) == 3 * 2999 * 1500.);
  CHECK (gsltune_device_vector_iamax (&view.vector) == N_OF (x) / 3 - 1);
  gsltune_device_vector_free (v);
}
#endif

/* ------------------------------------------------------------------ Tests */

#if HAVE_CUDA

SOFTGPU_TEST (full_gpu)
{
  EXPECT_SCENARIO ("copied_back", "", "SOFTGPU_MEMORY=80000", h200);
}

#endif

TEST (without_a_gpu)
{
  EXPECT_SCENARIO ("extremes", "", "CUDA_VISIBLE_DEVICES=");
  EXPECT_SCENARIO ("extremes", "", "GSLTUNE_DEVICE=cpu", h200);
}

RUN_SCENARIOS (NULL, NULL)
