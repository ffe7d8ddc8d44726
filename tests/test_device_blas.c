/* Tests of products of matrices and vectors that stay on a GPU (src/blas/device_blas.c,
   src/cuda/cuda_matrix.c, cuda_residues.c, cuda_blas.c, kernels/cuda/matrix*): exact ones
   against sums of MPFR that nothing rounds before the end, fast ones within the error of
   sums in any order; on the host, on the devices of tests/softgpu, with what stands for
   cuBLAS there and without, and on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_math.h>
#include <mpfr.h>

#include "tests/unit.h"

#include "tests/device_vectors.h"
#if HAVE_CUDA
#include "src/cuda/cuda_matrix.h"
#endif

#define N_OF(array) (sizeof (array) / sizeof *(array))

/* UNIFORM is the one kind for which fast sums have a bound.  */
enum data { UNIFORM, SPREAD, WIDEST, FEW, TINY, HUGE_NUMBERS, SPECIAL, TIES, PAIRS, NEAR, FAR, N_DATA,
            CANCELLING_PAIRS = N_DATA, WEIGHTS };

/* The kind of a second factor beside a first one of DATA.  */
static enum data
other_side (enum data data)
{
  return data == PAIRS ? CANCELLING_PAIRS : data == NEAR || data == FAR ? WEIGHTS : data;
}

struct shape
{
  size_t rows, columns, terms;
};
static const struct shape vector_shapes[]
  = {{1, 1, 1}, {1, 1, 7}, {7, 1, 1}, {70, 1, 68}, {5, 1, 3}, {33, 1, 70}, {1, 1, 4001},
     {64, 1, 64}, {130, 1, 33}, {3, 1, 20001}, {30, 1, 9000}, {2000, 1, 4}};
/* Of these MPFR takes long.  */
static int
is_long (const struct shape *s)
{
  return s->rows * s->terms > 20000;
}
static const struct shape matrix_shapes[]
  = {{1, 1, 1}, {5, 3, 4}, {33, 34, 17}, {1, 40, 9}, {40, 1, 70}, {65, 31, 40}, {0, 4, 3},
     {4, 0, 3}, {4, 5, 0}, {1, 1, 3000}};
static const double scalars[][2]
  = {{1, 0}, {1, 1}, {-0.3, 0.7}, {0, 0.3}, {0, 0}, {1e-30, 1e30}, {3, -1}, {0, 1},
     {GSL_NAN, 0}, {1, GSL_POSINF}, {-1, 0}, {GSL_NEGINF, 2}};

static uint32_t
next (void)
{
  static uint64_t state = 1;

  state = state * UINT64_C (6364136223846793005) + 1442695040888963407;
  return (uint32_t) (state >> 32);
}

/* A product, and room for an element: no sum of products of doubles has so many bits, times
   another double.  */
struct product
{
  size_t terms;
  int turn[2], exact, on_gpu;
  double alpha, beta;
  mpfr_t sum, x;
};

static struct product
product_of (size_t terms, double alpha, double beta)
{
  struct product p = {.terms = terms, .alpha = terms ? alpha : 0, .beta = beta,
                      .exact = gsltune_get_mode () == GSLTUNE_MODE_EXACT};

  mpfr_init2 (p.sum, 3 * 2200);
  mpfr_init2 (p.x, 120);
  return p;
}

static void
forget (struct product *p)
{
  mpfr_clear (p->sum);
  mpfr_clear (p->x);
}

#define GT_TEMPLATE "tests/device_blas_cases.inc"
#include "src/each_type.h"

SCENARIO (small)
{
  vectors ();
  vectors_float ();
  matrices ();
  matrices_float ();
  all_scalars ();
  all_scalars_float ();
  misused ();
  misused_float ();
}

TEST (without_a_gpu)
{
  EXPECT_SCENARIO ("small", "", "CUDA_VISIBLE_DEVICES=-1", "GSLTUNE_MODE=exact");
  EXPECT_SCENARIO ("small", "", "CUDA_VISIBLE_DEVICES=-1", "GSLTUNE_MODE=fast");
}

#if HAVE_CUDA

/* How many products what stands for cuBLAS has made.  */
static unsigned
engine_products (void)
{
  void *library = dlopen ("libcublas.so.13", RTLD_NOW | RTLD_NOLOAD);
  unsigned (*count) (void) = NULL;

  if (library)
    *(void **) &count = dlsym (library, "softgpu_blas_products");
  return count ? count () : 0;
}

static const struct shape middle = {180, 216, 217}; /* just enough for residues */
static const struct shape less = {70, 75, 97};      /* and if they are made of less work */
static const struct shape wide = {400, 340, 64};

SCENARIO (residues_by_the_engine)
{
  static const struct shape long_one = {20, 32, 13200}, thin = {5, 900, 1900};

  large (&middle, UNIFORM, 0);
  large_float (&middle, UNIFORM, 3);
  CHECK (on_real_gpu () || engine_products () > 0);
  large (&long_one, UNIFORM, 2);
  large (&thin, SPREAD, 5);
  large_float (&thin, FEW, 6);
  gt_residues_least_work = 1 << 18;
  for (int data = 0; data < N_DATA; data++)
    {
      large (&less, (enum data) data, (unsigned) data);
      large_float (&less, (enum data) data, (unsigned) data + 3);
    }
  large (&less, NEAR, 0);
  large (&less, FAR, 1);
}

SCENARIO (no_engine)
{
  large (&middle, UNIFORM, 1);
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  large (&middle, UNIFORM, 2);
  large_float (&middle, UNIFORM, 1);
}

/* So little memory that there are tiles of C, and panels of terms.  */
SCENARIO (little_memory)
{
  static const struct shape square = {100, 90, 1900};

  large (&wide, UNIFORM, 1);
  CHECK (engine_products () > 1);
  large (&square, UNIFORM, 6);
  CHECK (engine_products () > 3);
}

/* Less than any residues need: by tiles, a few rows at a time.  */
SCENARIO (least_memory)
{
  gsltune_set_scratch_limit (1 << 18);
  large (&middle, UNIFORM, 2);
  large (&middle, WIDEST, 2);
}

/* The engine fails before anything of C is written: tiles do the work.  */
SCENARIO (engine_fails)
{
  large (&middle, UNIFORM, 1);
  CHECK (engine_products () > 0);
}

/* It fails when one tile is written: the host does all, since nothing old is needed.  */
SCENARIO (engine_fails_late)
{
  large (&wide, UNIFORM, 0);
  CHECK (engine_products () > 1);
}

TEST (every_shape)
{
  EXPECT_SCENARIO ("small", "", "GSLTUNE_MODE=exact", h200);
  EXPECT_SCENARIO ("small", "", "GSLTUNE_MODE=fast", h200);
  EXPECT_SCENARIO ("small", "", "GSLTUNE_MODE=auto", h200);
}

TEST (exact_by_residues)
{
  EXPECT_SCENARIO ("residues_by_the_engine", "", "GSLTUNE_MODE=exact", h200);
  EXPECT_SCENARIO ("no_engine", "", "GSLTUNE_MODE=exact", h200);
}

SOFTGPU_TEST (late)
{
  EXPECT_SCENARIO ("no_engine", "", "SOFTGPU_LATE=1", "GSLTUNE_MODE=exact", h200);
}

SOFTGPU_TEST (engines)
{
  EXPECT_SCENARIO ("no_engine", "", "SOFTGPU_BLAS=refuses", "GSLTUNE_MODE=exact", h200);
  EXPECT_SCENARIO ("engine_fails", "", "SOFTGPU_BLAS=fails=1", "GSLTUNE_MODE=exact", h200);
  EXPECT_SCENARIO ("engine_fails_late", "", "SOFTGPU_BLAS=fails=2",
                   "SOFTGPU_MEMORY=18000000", "GSLTUNE_SCRATCH=1M", "GSLTUNE_MODE=exact", h200);
}

SOFTGPU_TEST (memory)
{
  EXPECT_SCENARIO ("little_memory", "", "SOFTGPU_MEMORY=18000000", "GSLTUNE_SCRATCH=1M", "GSLTUNE_MODE=exact", h200);
  EXPECT_SCENARIO ("least_memory", "", "SOFTGPU_MEMORY=2500000", "GSLTUNE_MODE=exact", h200);
}

/* Whatever fails, the CPU computes, or the elements are said to be lost.  */
SCENARIO (driver_fails)
{
  double x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, y[9];
  gsl_matrix_view host = gsl_matrix_view_array (x, 3, 3);
  gsl_matrix_view back = gsl_matrix_view_array (y, 3, 3);
  gsltune_device_matrix *a = gsltune_device_matrix_alloc (3, 3);
  gsltune_device_matrix *c = gsltune_device_matrix_alloc (3, 3);
  int status;

  CHECK (gsltune_device_matrix_set (a, &host.matrix) == GSL_SUCCESS);
  CHECK (gsltune_device_matrix_set (c, &host.matrix) == GSL_SUCCESS);
  gsl_set_error_handler (note_error);
  status = gsltune_device_blas_dgemm (CblasNoTrans, CblasTrans, 1, a, a, 1, c);
  CHECK (status == GSL_SUCCESS || status == GSL_EFAILED);
  CHECK (handler_calls == (status != GSL_SUCCESS));
  if (status == GSL_SUCCESS && gsltune_device_matrix_get (c, &back.matrix) == GSL_SUCCESS)
    CHECK (y[0] == 15 && y[4] == 82 && y[8] == 203);
  gsltune_device_matrix_free (a);
  gsltune_device_matrix_free (c);
}

SOFTGPU_TEST (failures)
{
  static const char *const faults[]
    = {"cuLaunchKernel:1=700", "cuLaunchKernel:2=700", "cuLaunchKernel:1=719",
       "cuLaunchKernel:1=lost-700", "cuMemsetD8Async:2=2", "cuMemsetD8Async:1=2",
       "cuStreamSynchronize:4=999", "cuStreamSynchronize:5=999", "cuMemAlloc:3+=2",
       "cuLibraryLoadData:1=200", "cuLibraryGetKernel:2=500", "cuStreamCreate:1=2"};
  char setting[100];

  for (size_t k = 0; k < N_OF (faults); k++)
    {
      snprintf (setting, sizeof setting, "SOFTGPU_FAIL=%s", faults[k]);
      EXPECT_SCENARIO ("driver_fails", NULL, setting, "GSLTUNE_MODE=exact", h200);
    }
}

SCENARIO_TEST (forked, NOTHING, h200)
{
  double x[4] = {1, 2, 3, 4};
  gsl_matrix_view host = gsl_matrix_view_array (x, 2, 2);
  gsltune_device_matrix *a = gsltune_device_matrix_alloc (2, 2);
  gsltune_device_vector *y = gsltune_device_vector_alloc (2);
  int status;
  pid_t child;

  CHECK (gsltune_device_matrix_set (a, &host.matrix) == GSL_SUCCESS);
  child = fork ();
  CHECK (child >= 0);
  if (child == 0)
    {
      CHECK (REPORTS (gsltune_device_blas_dgemm (CblasNoTrans, CblasNoTrans, 1, a, a, 0, a),
                      GSL_EFAILED));
      CHECK (REPORTS (gsltune_device_blas_dgemv (CblasNoTrans, 1, a, y, 0, y), GSL_EFAILED));
      _exit (0);
    }
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  gsltune_device_matrix_free (a);
  gsltune_device_vector_free (y);
}

/* Operands on two GPUs, and on the host.  */
SCENARIO (apart)
{
  const double x[4] = {1, 2, 3, 4};
  double y[4];
  gsl_matrix_const_view host = gsl_matrix_const_view_array (x, 2, 2);
  gsl_matrix_view back = gsl_matrix_view_array (y, 2, 2);
  gsltune_device_matrix *a = gsltune_device_matrix_alloc_on (2, 2, 0);
  gsltune_device_matrix *b = gsltune_device_matrix_alloc_on (2, 2, 1);
  gsltune_device_matrix *c = gsltune_device_matrix_alloc_on (2, 2, 1);

  CHECK (gsltune_device_matrix_set (a, &host.matrix) == GSL_SUCCESS);
  CHECK (gsltune_device_matrix_set (b, &host.matrix) == GSL_SUCCESS);
  CHECK (gsltune_device_blas_dgemm (CblasNoTrans, CblasNoTrans, 1, a, b, 0, c) == GSL_SUCCESS);
  CHECK (gsltune_device_matrix_get (c, &back.matrix) == GSL_SUCCESS);
  CHECK (y[0] == 7 && y[1] == 10 && y[2] == 15 && y[3] == 22);
  gsltune_device_matrix_free (a);
  gsltune_device_matrix_free (b);
  gsltune_device_matrix_free (c);
}

SOFTGPU_TEST (several_gpus)
{
  EXPECT_SCENARIO ("apart", "", "GSLTUNE_MODE=exact", h200_and_a100);
}

#endif

RUN_SCENARIOS (NULL, NULL)
