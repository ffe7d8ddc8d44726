/* Tests of memory that is not what its address says: vectors that a GPU must not read, because
   it would lose its context and with it every device vector of the program.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_vector.h>

#include "tests/unit.h"

#include "src/cuda/cuda_context.h"
#include "src/device/gpus.h"
#include "src/gsltune.h"
#include "src/plan/choose.h"
#include "src/route/share.h"
#include "tests/exact.h"
#include "tests/handler.h"
#include "tests/scenario_folder.h"
#include "tests/softgpu/softgpu_hooks.h"

#define ON_GPU "GSLTUNE_DEVICE=cuda:0", "GSLTUNE_PROFILE_DIR=/nonexistent"

/* Elements in a page, and in the vector.  */
#define PAGE 512
#define N (9 * PAGE)

static gsltune_device_vector *witness;
static double witness_sum;

/* A device vector, which is lost when the GPU's context is.  */
static void
make_witness (void)
{
  static double x[100];
  gsl_vector v = {N_OF (x), 1, x, NULL, 0};

  witness_sum = put_exact (GT_F64, x, N_OF (x), 1, 5).f64[0];
  witness = gsltune_device_vector_alloc (N_OF (x));
  CHECK (witness && gsltune_device_vector_set (witness, &v) == GSL_SUCCESS);
}

static void
check_witness (void)
{
  CHECK (gsltune_device_vector_on_gpu (witness));
  CHECK (gsltune_device_vector_sum (witness) == witness_sum);
  CHECK (gt_gpu_open (0, NULL) != NULL);
  gsltune_device_vector_free (witness);
}

/* Sums a vector by what GSLTUNE_DEVICE=cuda makes of it, in all modes.  */
static void
sum_in_all_modes (double *x, double expected)
{
  gsl_vector v = {N, 1, x, NULL, 0};

  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      CHECK (gsltune_vector_sum (&v) == expected);
    }
}

/* The first and the last page are pinned, each by itself; no GPU can read what
   lies between them.  Pinned, both ends look alike.  */
SCENARIO_TEST (two_pinned_ranges, ON_GPU, h200)
{
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  void *memory;
  double *x, expected;

  make_witness ();
  CHECK (gpu && posix_memalign (&memory, 4096, N * sizeof *x) == 0);
  x = memory;
  expected = put_exact (GT_F64, x, N, 1, 7).f64[0];
  CHECK (!gt_gpus->pin (gpu, x, 4096));
  CHECK (!gt_gpus->pin (gpu, x + N - PAGE, 4096));
  sum_in_all_modes (x, expected);
  CHECK (gt_gpu_open (0, NULL) == gpu); /* still whole */
  CHECK (gt_gpus->locate (x, N * sizeof *x).place == GT_PLACE_HOST);
  CHECK (gt_gpus->locate (x, 4096).place == GT_PLACE_PINNED);
  CHECK (!gt_gpus->unpin (gpu, x));
  CHECK (!gt_gpus->unpin (gpu, x + N - PAGE));

  /* Ranges that touch: a GPU may read all of it, but is not asked to.  */
  CHECK (!gt_gpus->pin (gpu, x, 4096));
  CHECK (!gt_gpus->pin (gpu, x + PAGE, (N - PAGE) * sizeof *x));
  sum_in_all_modes (x, expected);
  CHECK (!gt_gpus->unpin (gpu, x));
  CHECK (!gt_gpus->unpin (gpu, x + PAGE));

  CHECK (!gt_gpus->pin (gpu, x, N * sizeof *x));
  CHECK (gt_gpus->locate (x, N * sizeof *x).place == GT_PLACE_PINNED);
  sum_in_all_modes (x, expected);
  CHECK (!gt_gpus->unpin (gpu, x));
  free (memory);
  check_witness ();
}

/* The same with managed memory at both ends, wherever the driver puts it.  */
SCENARIO_TEST (two_managed_ranges, ON_GPU, h200)
{
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  void *one, *other;
  char *low, *high;

  make_witness ();
  CHECK (gpu && !gt_gpus->alloc (gpu, GT_PLACE_MANAGED, 1 << 16, &one));
  CHECK (!gt_gpus->alloc (gpu, GT_PLACE_MANAGED, 1 << 16, &other));
  low = (char *) one < (char *) other ? one : other;
  high = low == one ? other : one;
  CHECK (gt_gpus->locate (low, 1 << 16).place == GT_PLACE_MANAGED);
  CHECK (gt_gpus->locate (low, (size_t) (high - low) + 8).place == GT_PLACE_HOST);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, one);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, other);
  check_witness ();
}

/* Managed memory belongs to the GPU that the program has advised, else to that of its
   last prefetch, and is summed there.  A place that is no GPU gives it to none.  */
SCENARIO (given_memory)
{
  static const struct
  {
    int preferred, prefetched, gpu;
  } cases[] = {{CU_DEVICE_INVALID, CU_DEVICE_INVALID, -1}, {1, CU_DEVICE_INVALID, 1},
               {CU_DEVICE_INVALID, 1, 1}, {0, 1, 0}, {CU_DEVICE_CPU, 1, 1},
               {CU_DEVICE_CPU, CU_DEVICE_CPU, -1}, {7, 1, -1}};
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  softgpu_give_memory_function *give
    = (softgpu_give_memory_function *) dlsym (dlopen ("libcuda.so.1", RTLD_NOW),
                                              "softgpu_give_memory");
  struct gt_task task;
  void *memory;
  double expected;

  CHECK (give && gpu && !gt_gpus->alloc (gpu, GT_PLACE_MANAGED, N * 8, &memory));
  expected = put_exact (GT_F64, memory, N, 1, 7).f64[0];
  task = gt_task_of (GT_SUM, GT_F64, GT_MODE_FAST, memory, N, 1);
  CHECK (gt_cuda_enter (gpu) == CUDA_SUCCESS); /* the program's context */
  for (size_t i = 0; i < N_OF (cases); i++)
    {
      struct gt_choice choice;

      give (memory, cases[i].preferred, cases[i].prefetched);
      CHECK (gt_gpus->locate (memory, N * 8).place == GT_PLACE_MANAGED);
      CHECK (gt_gpus->locate (memory, N * 8).gpu == cases[i].gpu);
      CHECK (cases[i].gpu < 0
             || (gt_choose_host (gt_planned_find (gt_host_plans (), &task.problem), &task,
                                 &choice) && choice.gpu == cases[i].gpu
                 && choice.n_gpus == 1 && choice.route.way == GT_WAY_DIRECT));
      sum_in_all_modes (memory, expected);
    }
  gt_cuda_leave (gpu, CUDA_SUCCESS, NULL);
  gt_gpus->free (gpu, GT_PLACE_MANAGED, memory);
}

SOFTGPU_TEST (managed_memory_is_its_gpus)
{
  EXPECT_SCENARIO ("given_memory", "", "GSLTUNE_DEVICE=cuda",
                   "GSLTUNE_PROFILE_DIR=/nonexistent", h200_and_a100);
}

/* A length and stride whose product wraps around.  */
SCENARIO_TEST (longer_than_memory, ON_GPU, h200)
{
  static const struct
  {
    size_t n, stride;
  } cases[] = {{SIZE_MAX / 2 + 2, 2}, {3, SIZE_MAX / 2},
               {SIZE_MAX / 8 + 1, 1}, {SIZE_MAX, SIZE_MAX},
               {SIZE_MAX / 8, 1}, {2, SIZE_MAX / 8 - 1}};
  double raw = 5;

  make_witness ();
  gsl_set_error_handler (note_error);
  for (size_t i = 0; i < N_OF (cases); i++)
    {
      handler_code = 0;
      CHECK (gsltune_device_sum (gsltune_device_vector_data (witness),
                                 cases[i].stride, cases[i].n, NULL, &raw) == GSL_EINVAL);
      CHECK (handler_code == GSL_EINVAL && raw == 5);
    }
  gsl_set_error_handler (NULL);
  check_witness ();
}

/* --------------------------------------- Elements at no multiple of their size */

/* Results of functions of several families for elements that lie anywhere.  */
static void
use_anywhere (gsl_vector *x, gsl_vector *y, const double *a, const double *b)
{
  const gsl_vector at_a = {N, 1, (double *) a, NULL, 0};
  const gsl_vector at_b = {N, 1, (double *) b, NULL, 0};
  gsltune_moments *m = gsltune_moments_alloc (GSLTUNE_MOMENTS_PAIRS, 1, 0);
  double dot, expected;

  gsl_blas_ddot (&at_a, &at_b, &expected);
  CHECK (gsltune_blas_ddot (x, y, &dot) == GSL_SUCCESS && dot == expected);
  CHECK (gsltune_vector_sum (x) == gsl_vector_sum (&at_a));
  CHECK (gsltune_vector_max_index (x) == gsl_vector_max_index (&at_a));
  CHECK (gsltune_blas_dasum (x) == gsl_blas_dasum (&at_a));
  CHECK (gsltune_blas_idamax (x) == gsl_blas_idamax (&at_a));
  CHECK (fabs (gsltune_blas_dnrm2 (x) - gsl_blas_dnrm2 (&at_a)) < 1e-9);
  CHECK (fabs (gsltune_stats_variance (x->data, 1, N) - gsl_stats_variance (a, 1, N)) < 1e-9);
  CHECK (fabs (gsltune_stats_absdev (x->data, 1, N) - gsl_stats_absdev (a, 1, N)) < 1e-9);
  CHECK (fabs (gsltune_stats_correlation (x->data, 1, y->data, 1, N)
               - gsl_stats_correlation (a, 1, b, 1, N)) < 1e-12);
  CHECK (m && gsltune_moments_add_pairs (m, x->data, 1, y->data, 1, N) == GSL_SUCCESS);
  CHECK (gsltune_moments_sum (m) == expected);
  gsltune_moments_free (m);
}

/* Both vectors, and each alone, a few bytes behind where they could be.  */
static void
shifted (char *memory)
{
  static double a[N], b[N];
  const size_t shifts[][2] = {{1, 1}, {4, 4}, {0, 4}, {4, 0}, {0, 0}};

  for (size_t i = 0; i < N; i++)
    {
      a[i] = (double) (i % 23) - 7;
      b[i] = (double) (i % 19) + 1;
    }
  for (size_t k = 0; k < N_OF (shifts); k++)
    {
      char *at[2] = {memory + shifts[k][0],
                     memory + (N + 1) * sizeof (double) + shifts[k][1]};
      gsl_vector x = {N, 1, (double *) at[0], NULL, 0};
      gsl_vector y = {N, 1, (double *) at[1], NULL, 0};

      memcpy (at[0], a, sizeof a);
      memcpy (at[1], b, sizeof b);
      for (int mode = 0; mode < GT_N_MODES; mode++)
        {
          gsltune_set_mode ((gsltune_mode) mode);
          use_anywhere (&x, &y, a, b);
        }
    }
}

SCENARIO_TEST (misaligned_pinned, ON_GPU, h200)
{
  gsl_vector *v;

  make_witness ();
  v = gsltune_vector_alloc (2 * N + 3);
  CHECK (v);
  shifted ((char *) v->data);
  gsltune_vector_free (v);
  check_witness ();
}

SCENARIO_TEST (misaligned_managed, ON_GPU, h200)
{
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  void *memory;

  make_witness ();
  CHECK (gpu && !gt_gpus->alloc (gpu, GT_PLACE_MANAGED, (2 * N + 3) * 8, &memory));
  shifted (memory);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
  check_witness ();
}

/* Of a GPU that reads the host's memory where it lies.  */
SCENARIO (misaligned_pageable)
{
  char *memory = malloc ((2 * N + 3) * 8);

  make_witness ();
  CHECK (memory);
  shifted (memory);
  free (memory);
  check_witness ();
}

/* A raw address: of every type but bytes, by each way in.  */
SCENARIO_TEST (misaligned_raw, ON_GPU, h200)
{
  char *data;

  make_witness ();
  data = gsltune_device_vector_data (witness);
  gsl_set_error_handler (note_error);
#define X(id, name, infix, ctype, arithmetic)                               \
  for (size_t shift = 1; shift < sizeof (ctype); shift++)                   \
    {                                                                       \
      gsltune_device_vector##infix##_view view;                             \
      ctype sum = 5;                                                        \
                                                                            \
      handler_code = 0;                                                         \
      view = gsltune_device_vector##infix##_view_array (                    \
        (ctype *) (void *) (data + shift), 1, 10);                          \
      CHECK (handler_code == GSL_EINVAL && view.vector.memory.n == 0);          \
      handler_code = 0;                                                         \
      CHECK (gsltune_device##infix##_sum ((ctype *) (void *) (data + shift), \
                                          1, 10, NULL, &sum)                \
               == GSL_EINVAL                                                \
             && handler_code == GSL_EINVAL && sum == 5);                        \
    }
  GT_GPU_ELEMENT_TYPES (X)
#undef X
  handler_code = 0;
  CHECK (gsltune_device_vector_view_array ((double *) (void *) (data + 1), 1, 0)
           .vector.memory.n == 0);
  CHECK (handler_code == 0); /* of no elements the address is not looked at */
  gsl_set_error_handler (NULL);
  check_witness ();
}

/* From one element to the next it may be as far as it likes where there is but one,
   also when it is copied back from a GPU that launches nothing.  */
SCENARIO_TEST (one_element, ON_GPU, h200)
{
  static const size_t strides[]
    = {2, SIZE_MAX / 8 + 1, SIZE_MAX / 8 + 2, SIZE_MAX / 4 + 1, SIZE_MAX};
  double *data, raw, y[1];
  gsl_vector v = {1, 1, y, NULL, 0};

  make_witness ();
  data = gsltune_device_vector_data (witness);
  CHECK (gsltune_device_sum (data + 3, 1, 1, NULL, &raw) == GSL_SUCCESS);
  for (size_t k = 0; k < N_OF (strides); k++)
    {
      gsltune_device_vector_view one
        = gsltune_device_vector_view_array (data + 3, strides[k], 1);
      double sum = 0, dot = 0;

      CHECK (gsltune_device_vector_stride (&one.vector) == strides[k]);
      CHECK (gsltune_device_sum (data + 3, strides[k], 1, NULL, &sum) == GSL_SUCCESS);
      CHECK (sum == raw && gsltune_device_vector_max (&one.vector) == raw);
      CHECK (gsltune_device_vector_dot (&one.vector, &one.vector, &dot)
             == GSL_SUCCESS && dot == raw * raw);
      CHECK (gsltune_device_vector_mean (&one.vector) == raw);
      CHECK (gsltune_device_vector_get (&one.vector, &v) == GSL_SUCCESS);
      CHECK (y[0] == raw);
      CHECK (gsltune_device_vector_set (&one.vector, &v) == GSL_SUCCESS);
    }
  check_witness ();
}

/* On the GPU nothing is misaligned; on the CPU it is what no machine minds, and no
   language allows.  */
#if !defined __SANITIZE_ADDRESS__

TEST (test_misaligned_pageable)
{
  char gb10[4200];

  snprintf (gb10, sizeof gb10, "SOFTGPU_DEVICE=%s", source_file ("tests/devices/gb10.json"));
  EXPECT_SCENARIO ("misaligned_pageable", "", ON_GPU, gb10);
}
#endif

TEST (test_one_element_copied_back)
{
  EXPECT_SCENARIO ("one_element", "", ON_GPU, h200,
                   "SOFTGPU_FAIL=cuLaunchKernel:*=2,cuGraphLaunch:*=2");
}

RUN_SCENARIOS (set_up, tear_down)
