/* Tests of extremes and magnitudes of device vectors, and of views of device memory
   (src/gpu/device_vector.inc, src/gpu/device_memory.c): on the host where there is
   no GPU, on a device of tests/softgpu, and on the machine's own GPU where on_gpu.sh
   asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>

#include "tests/unit.h"

#include "tests/answers.h"
#include "tests/device_vectors.h"
#include "tests/order_data.h"
#include "tests/vector_shapes.h"

/* Whether what is done reports CODE, once.  */
#define WITH_ERROR(action, code)                                           \
  (handler_calls = 0, gsl_set_error_handler (note_error), (void) (action), \
   gsl_set_error_handler (NULL), handler_calls == 1 && handler_code == (code))

/* Every extreme of a device vector against GSL's of the same elements.  */
static void
extremes_agree (enum gt_element_type type, const void *v, size_t n, size_t stride,
                const void *x)
{
  const struct gt_operands o = {.x = x, .n = n, .stride = {stride, 0}, .device = {v, v}};
  const struct gt_listed *f = gt_listed[type].function;
  struct gt_answer device, gsl;

  clear_answer (&device);
  clear_answer (&gsl);
  for (size_t k = 0; k < gt_listed[type].count; k++)
    {
      const struct gt_listed *g = on_host (&f[k]);

      if (f[k].family != GT_OF_DEVICE_VECTOR
          || gt_reductions[f[k].reduction].algebra != GT_ALGEBRA_ORDER)
        continue;
      if (g == NULL)
        g = gt_listed_for (f[k].reduction, type); /* of BLAS */
      f[k].call (f[k].ours, &o, &device);
      g->call (g->gsl, &o, &gsl);
      if (same_answers (type, &device, &gsl))
        continue;
      fprintf (stderr, "%s: %Lg, %Lg at %zu, %zu, GSL has %Lg, %Lg at %zu, %zu\n",
               f[k].symbol, gt_answer_value (&f[k], &device, 0),
               gt_answer_value (&f[k], &device, 1), device.index[0], device.index[1],
               gt_answer_value (g, &gsl, 0), gt_answer_value (g, &gsl, 1), gsl.index[0],
               gsl.index[1]);
      exit (1);
    }
}

#define GT_TEMPLATE "tests/device_extremes_cases.inc"
#include "src/each_type.h"

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
  view = gsltune_device_vector_view_array (gsltune_device_vector_data (v), 3, N_OF (x) / 3);
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
