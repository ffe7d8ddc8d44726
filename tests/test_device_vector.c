/* Tests of vectors that stay on a GPU (src/gpu/device_vector.inc,
   src/gpu/device_memory.c): on the host where there is no GPU, on the devices of
   tests/softgpu, and on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "src/device/gpus.h"
#include "tests/device_vectors.h"
#include "tests/vector_shapes.h"

#if HAVE_CUDA
#include "src/cuda/cuda_context.h"
#endif

/* ------------------------------------------------ Scenarios of all types */

#define RAW_N 1000

#define GT_TEMPLATE "tests/device_vector_cases.inc"
#include "src/each_type.h"

static void
all_types (int on_gpu)
{
#define X(id, name, infix, ctype, arithmetic) all##infix (on_gpu);
  GT_GPU_ELEMENT_TYPES (X)
#undef X
}

/* GSL's default error handler aborts: it is in force here.  */
SCENARIO (on_host)
{
  all_types (0);
}

/* More than there can be.  */
SCENARIO (no_memory)
{
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);
  gsltune_device_vector *v = gsltune_device_vector_alloc (SIZE_MAX / 4);

  CHECK (v == NULL && handler_calls == 1 && handler_code == GSL_ENOMEM);
  gsl_set_error_handler (before);
}

SCENARIO (raw_without_gpu)
{
  double x = 1, sum = 5;

  CHECK (REPORTS (gsltune_device_sum (&x, 1, 1, NULL, &sum), GSL_EINVAL));
  CHECK (REPORTS (gsltune_device_sum (&x, 0, 1, NULL, &sum), GSL_EINVAL));
  CHECK (REPORTS (gsltune_device_sum (&x, 1, 1, NULL, NULL), GSL_EINVAL));
  CHECK (gsltune_device_sum (NULL, 1, 0, NULL, &sum) == GSL_SUCCESS);
  CHECK (sum == 0);
}

#if HAVE_CUDA

/* ----------------------------------------------------- Scenarios on a GPU */

SCENARIO (on_gpu)
{
  all_types (1);
}

SCENARIO_TEST (raw_addresses, NOTHING, h200)
{
#define X(id, name, infix, ctype, arithmetic) raw##infix ();
  GT_GPU_ELEMENT_TYPES (X)
#undef X
}

SCENARIO_TEST (compensated, NOTHING, h200)
{
  double x[4000];
  float f[4000];
  union gt_value sum = put_cancelling (GT_F64, x, N_OF (x), 1, 2);
  union gt_value sum_f = put_cancelling (GT_F32, f, N_OF (f), 1, 3);
  gsltune_device_vector *v = filled (&VIEW (x, N_OF (x), 1));
  const gsl_vector_float source = view_float (f, N_OF (f), 1);
  gsltune_device_vector_float *w = filled_float (&source);

  gsltune_set_mode (GSLTUNE_MODE_FAST);
  CHECK (gsltune_device_vector_sum (v) != sum.f64[0]);
  for (int mode = GSLTUNE_MODE_COMPENSATED; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      CHECK (gsltune_device_vector_sum (v) == sum.f64[0]);
      CHECK (gsltune_device_vector_float_sum (w) == sum_f.f32[0]);
    }
  gsltune_device_vector_free (v);
  gsltune_device_vector_float_free (w);
}

/* Strided elements go by way of packed pieces of 8 MiB.  */
SCENARIO_TEST (in_pieces, NOTHING, h200)
{
  const size_t n = ((size_t) 8 << 20) / sizeof (double) + 12345;
  double *x = new_elements (GT_F64, n, 2), *y = new_elements (GT_F64, n, 3);
  gsl_vector from = VIEW (x, n, 2), to = VIEW (y, n, 3);
  gsltune_device_vector *v;

  for (size_t i = 0; i < n; i++)
    x[2 * i] = (double) i;
  v = filled (&from);
  CHECK (gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_get (v, &to) == GSL_SUCCESS);
  for (size_t i = 0; i < n; i++)
    CHECK (y[3 * i] == (double) i);
  CHECK (gsltune_device_vector_sum (v) == (double) (n * (n - 1) / 2));
  gsltune_device_vector_free (v);
  free (x);
  free (y);
}

/* 512 KiB on the GPU: a vector of 1 MiB goes to host memory, one of 80 kB does not.  */
SCENARIO (out_of_memory)
{
  size_t n = 1 << 17;
  double *x = new_elements (GT_F64, n, 1);
  gsl_vector large = VIEW (x, n, 1), small = VIEW (x, 10000, 1);
  gsltune_device_vector *v, *w;

  put_exact (GT_F64, x, n, 1, 6);
  v = filled (&large);
  w = filled (&small);
  CHECK (!gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_on_gpu (w));
  CHECK (gsltune_device_vector_sum (v) == gsl_vector_sum (&large));
  CHECK (gsltune_device_vector_sum (w) == gsl_vector_sum (&small));
  gsltune_device_vector_free (v);
  gsltune_device_vector_free (w);
  free (x);
}

/* Room for the elements, none for what their sum needs: they are copied back.  */
SCENARIO (out_of_scratch)
{
  double x[10000];
  double sum = put_exact (GT_F64, x, N_OF (x), 1, 6).f64[0], raw;
  gsltune_device_vector *v = filled (&VIEW (x, N_OF (x), 1));

  CHECK (gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_sum (v) == sum);
  CHECK (gsltune_device_sum (gsltune_device_vector_data (v), 1, N_OF (x), NULL,
                             &raw) == GSL_SUCCESS);
  CHECK (raw == sum);
  gsltune_device_vector_free (v);
}

/* The environment chooses the second GPU; memory of the first is summed where it lies.  */
SCENARIO (two_gpus)
{
  double x[100], raw;
  double sum = put_exact (GT_F64, x, N_OF (x), 1, 6).f64[0];
  gsltune_device_vector *v = filled (&VIEW (x, N_OF (x), 1));
  struct gt_open_gpu *first = gt_gpu_open (0, NULL);
  void *memory;

  CHECK (gt_gpus->index_of_address (gsltune_device_vector_data (v)) == 1);
  CHECK (gsltune_device_vector_sum (v) == sum);
  CHECK (first && gt_gpus->alloc (first, GT_PLACE_DEVICE, sizeof x, &memory) == 0);
  CHECK (gt_gpus->copy (first, GT_TO_DEVICE, memory, x, sizeof x) == 0);
  CHECK (gt_gpus->index_of_address (memory) == 0);
  CHECK (gsltune_device_sum (memory, 1, N_OF (x), NULL, &raw) == GSL_SUCCESS);
  CHECK (raw == sum);
  gt_gpus->free (first, GT_PLACE_DEVICE, memory);
  gsltune_device_vector_free (v);
}

#endif

/* ------------------------------------------------------------------ Tests */

/* The log names each copy that a GPU's refusal costs, and no other.  */
SCENARIO (in_place_of_a_gpu)
{
  double x[] = {1, 2, 3, 5};
  gsl_vector_view host = gsl_vector_view_array (x, 4);
  gsl_matrix_view square = gsl_matrix_view_array (x, 2, 2);
  gsltune_device_vector *v = gsltune_device_vector_alloc (4);
  gsltune_device_vector *sums = gsltune_device_vector_alloc (2);
  gsltune_device_matrix *m = gsltune_device_matrix_alloc (2, 2);
  gsltune_device_matrix *product = gsltune_device_matrix_alloc (2, 2);
  gsltune_moments *moments = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 2, 0);

  CHECK (gsltune_device_vector_set (v, &host.vector) == GSL_SUCCESS);
  CHECK (gsltune_device_matrix_set (m, &square.matrix) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_sum (v) == 11);
  CHECK (gsltune_device_vector_variance (v) == 35.0 / 12);
  CHECK (gsltune_moments_add_device_vector (moments, v) == GSL_SUCCESS);
  CHECK (gsltune_device_matrix_row_sum (m, sums) == GSL_SUCCESS);
  CHECK (gsltune_device_blas_dgemm (CblasNoTrans, CblasNoTrans, 1, m, m, 0, product)
         == GSL_SUCCESS);
  gsltune_moments_free (moments);
  gsltune_device_matrix_free (product);
  gsltune_device_matrix_free (m);
  gsltune_device_vector_free (sums);
  gsltune_device_vector_free (v);
}

TEST (without_a_gpu)
{
  /* Not an empty value, which Compute Sanitizer seems not to hand on.  */
  EXPECT_SCENARIO ("on_host", "", "CUDA_VISIBLE_DEVICES=-1");
  EXPECT_SCENARIO ("raw_without_gpu", "", "CUDA_VISIBLE_DEVICES=-1");
  EXPECT_SCENARIO ("on_host", "", "GSLTUNE_DEVICE=cpu", h200);
  EXPECT_SCENARIO ("on_host", "", "GSLTUNE_DEVICE=cuda:77", h200);
}

#if HAVE_CUDA

TEST (every_type_on_a_gpu)
{
  EXPECT_SCENARIO ("on_gpu", "", NOTHING, h200);
  EXPECT_SCENARIO ("on_gpu", "", "GSLTUNE_MODE=compensated", h200);
  EXPECT_SCENARIO ("on_gpu", "", "GSLTUNE_MODE=fast", h200);
}

SOFTGPU_TEST (full_gpus)
{
  EXPECT_SCENARIO ("out_of_memory", "", "SOFTGPU_MEMORY=524288", h200);
  EXPECT_SCENARIO ("out_of_scratch", "", "SOFTGPU_MEMORY=100000", h200);
  EXPECT_SCENARIO ("on_host", "", "SOFTGPU_MEMORY=0", h200);
}

SOFTGPU_TEST (refusing_gpus)
{
  static const char line[] = "gsltune: 4 elements are copied from a GPU: the CPU computes in its place\n";
  char lines[7 * sizeof line] = ""; /* two of the product's, and the variance's: sums, all */

  for (int k = 0; k < 7; k++)
    strcat (lines, line);
  EXPECT_SCENARIO ("in_place_of_a_gpu", "", "GSLTUNE_MODE=exact", "GSLTUNE_LOG=notice", h200);
  EXPECT_SCENARIO ("in_place_of_a_gpu", "", "GSLTUNE_MODE=exact",
                   "SOFTGPU_FAIL=cuLaunchKernel:*=2,cuGraphLaunch:*=2", h200);
  EXPECT_SCENARIO ("in_place_of_a_gpu", lines, "GSLTUNE_MODE=exact", "GSLTUNE_LOG=notice",
                   "SOFTGPU_FAIL=cuLaunchKernel:*=2,cuGraphLaunch:*=2", h200);
}

SOFTGPU_TEST (several_gpus)
{
  EXPECT_SCENARIO ("two_gpus", "", "GSLTUNE_DEVICE=cuda:1", h200_and_a100);
  EXPECT_SCENARIO ("on_host", "", "CUDA_VISIBLE_DEVICES=", h200_and_a100);
}

#endif

/* AddressSanitizer ends a program that asks for more than there can be.  */
SOFTGPU_TEST (short_of_memory)
{
  EXPECT_SCENARIO ("no_memory", "", "CUDA_VISIBLE_DEVICES=",
                   "ASAN_OPTIONS=allocator_may_return_null=1");
}

RUN_SCENARIOS (NULL, NULL)
