/* Tests of matrices that stay on a GPU (src/gpu/device_matrix.inc,
   src/gpu/device_table.c): on the host where there is no GPU, on the devices of
   tests/softgpu, and on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/device_vectors.h"

#define N_OF(array) (sizeof (array) / sizeof *(array))
#define POISON 0xa5

struct shape
{
  size_t size1, size2, tda; /* of the matrix on the host */
};
static const struct shape shapes[]
  = {{0, 0, 0}, {3, 0, 2}, {0, 3, 3}, {1, 1, 1}, {1, 9, 9}, {9, 1, 1},
     {5, 4, 4}, {7, 33, 40}, {64, 17, 18}};

static unsigned char *
poison (size_t bytes)
{
  unsigned char *p = malloc (bytes + 1);

  CHECK (p);
  return memset (p, POISON, bytes + 1);
}

static unsigned char *
noise (size_t bytes)
{
  static uint32_t state = 1;
  unsigned char *p = poison (bytes);

  for (size_t i = 0; i < bytes; i++)
    {
      state = state * 1664525 + 1013904223;
      p[i] = (unsigned char) (state >> 24);
    }
  return p;
}

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "tests/device_matrix_cases.inc"
#include "src/each_type.h"

static void
all_types (int on_gpu)
{
#define X(id, name, infix, ctype, arithmetic) all##infix (on_gpu);
  GT_GPU_ELEMENT_TYPES (X)
#undef X
  all_complex (on_gpu);
  all_complex_float (on_gpu);
}

SCENARIO (on_host)
{
  all_types (0);
}

SCENARIO (no_memory)
{
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);

  CHECK (gsltune_device_matrix_alloc (SIZE_MAX / 4, 5) == NULL);
  CHECK (handler_calls == 1 && handler_code == GSL_ENOMEM);
  CHECK (gsltune_device_matrix_alloc (SIZE_MAX / 4, 1) == NULL);
  CHECK (handler_calls == 2 && handler_code == GSL_ENOMEM);
  gsl_set_error_handler (before);
}

TEST (without_a_gpu)
{
  EXPECT_SCENARIO ("on_host", "", "CUDA_VISIBLE_DEVICES=-1");
  EXPECT_SCENARIO ("on_host", "", "GSLTUNE_DEVICE=cpu", h200);
}

#if HAVE_CUDA

SCENARIO_TEST (on_gpu, NOTHING, h200)
{
  all_types (1);
}

SCENARIO_TEST (raw_addresses, NOTHING, h200)
{
#define X(id, name, infix, ctype, arithmetic) raw##infix ();
  GT_GPU_ELEMENT_TYPES (X)
#undef X
  raw_complex ();
  raw_complex_float ();
}

/* Rows that are not side by side on the host go by way of packed pieces of 8 MiB.  */
SCENARIO_TEST (in_pieces, NOTHING, h200)
{
  const size_t rows = 3000, columns = 1001, tda = 1003;
  double *x = malloc (rows * tda * sizeof *x), *y = calloc (rows * tda, sizeof *y);
  gsl_matrix_view from = gsl_matrix_view_array_with_tda (x, rows, columns, tda);
  gsl_matrix_view to = gsl_matrix_view_array_with_tda (y, rows, columns, tda);
  gsltune_device_matrix *m = gsltune_device_matrix_alloc (rows, columns);

  CHECK (x && y && m);
  for (size_t i = 0; i < rows * tda; i++)
    x[i] = (double) i;
  CHECK (gsltune_device_matrix_set (m, &from.matrix) == GSL_SUCCESS);
  CHECK (gsltune_device_matrix_get (m, &to.matrix) == GSL_SUCCESS);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < tda; j++)
      CHECK (y[i * tda + j] == (j < columns ? x[i * tda + j] : 0));
  gsltune_device_matrix_free (m);
  free (x);
  free (y);
}

/* No GPU in a child, and no call of the driver.  */
SCENARIO_TEST (forked, NOTHING, h200)
{
  double x[4] = {1, 2, 3, 4};
  gsl_matrix_view host = gsl_matrix_view_array (x, 2, 2);
  gsltune_device_matrix *m = gsltune_device_matrix_alloc (2, 2);
  int status;
  pid_t child;

  CHECK (gsltune_device_matrix_set (m, &host.matrix) == GSL_SUCCESS);
  child = fork ();
  CHECK (child >= 0);
  if (child == 0)
    {
      CHECK (REPORTS (gsltune_device_matrix_set (m, &host.matrix), GSL_EFAILED));
      CHECK (REPORTS (gsltune_device_matrix_get (m, &host.matrix), GSL_EFAILED));
      gsltune_device_matrix_free (m);
      _exit (0);
    }
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  CHECK (gsltune_device_matrix_get (m, &host.matrix) == GSL_SUCCESS);
  gsltune_device_matrix_free (m);
}

SOFTGPU_TEST (full_gpus)
{
  EXPECT_SCENARIO ("on_host", "", "SOFTGPU_MEMORY=0", h200);
}

/* A copy that fails is reported; the elements stay where they are, as views of them may
   be about.  */
SCENARIO (copies_fail)
{
  double x[4] = {1, 2, 3, 4};
  gsl_matrix_view host = gsl_matrix_view_array (x, 2, 2);
  gsltune_device_matrix *m = gsltune_device_matrix_alloc (2, 2);

  CHECK (REPORTS (gsltune_device_matrix_set (m, &host.matrix), GSL_EFAILED));
  CHECK (gsltune_device_matrix_on_gpu (m));
  gsltune_device_matrix_free (m);
}

SOFTGPU_TEST (failures)
{
  EXPECT_SCENARIO ("copies_fail", "", "SOFTGPU_FAIL=cuMemcpyHtoD:*=700", h200);
}

#endif

/* AddressSanitizer ends a program that asks for more than there can be.  */
SOFTGPU_TEST (short_of_memory)
{
  EXPECT_SCENARIO ("no_memory", "", "CUDA_VISIBLE_DEVICES=",
                   "ASAN_OPTIONS=allocator_may_return_null=1");
}

RUN_SCENARIOS (NULL, NULL)
