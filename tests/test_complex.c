/* Tests of complex vectors (src/blas/complex.c): indexes are GSL's, on the host, on a device of
   tests/softgpu, and on the machine's own where on_gpu.sh asks for that; views, and parts of
   numbers.  Sums and norms are in test_truth.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/device_vectors.h"
#include "tests/drawn.h"
#include "tuning/measure/listed.h"

#define MOST 3000 /* numbers */
#define MOST_STRIDE 3

/* Indexes are GSL's, those of device vectors too.  */
static void
try_indexes (enum gt_element_type type, enum kind kind, size_t n, size_t stride)
{
  static long double elements[MOST_STRIDE * MOST + 1]; /* room for any type */
  const struct gt_listed *const of_blas = gt_listed_for (GT_AMAX, type);
  struct gt_operands o = {.x = elements, .n = n, .stride = {stride, 1}};
  struct gt_answer gsl;
  uint64_t seed = 1 + n + 7 * stride;

  draw_elements (type, elements, stride, n, kind, &seed);
  of_blas->call (of_blas->gsl, &o, &gsl);
  o.device[0] = gt_listed[type].make (&o);
  CHECK (o.device[0] || gsltune_gpu_count () == 0);
  for (size_t k = 0; k < gt_listed[type].count; k++)
    {
      const struct gt_listed *const f = &gt_listed[type].function[k];
      struct gt_answer ours;

      if (f->answers != GT_ANSWERS_INDEX || (f->family == GT_OF_DEVICE_VECTOR && !o.device[0]))
        continue;
      f->call (f->ours, &o, &ours);
      if (ours.index[0] != gsl.index[0])
        fail_msg ("%s of %zu numbers, kind %d, stride %zu: %zu instead of %zu", f->symbol, n, kind,
                  stride, ours.index[0], gsl.index[0]);
    }
  gt_listed[type].free ((void *) o.device[0]);
}

SCENARIO (indexes)
{
  static const enum kind kinds[]
    = {AROUND_ZERO, FEW_VALUES, ALL_SIZES, TOP, SUBNORMAL, CANCELLING, SPECIAL};
  static const size_t lengths[] = {0, 1, 2, 3, 8, 15, 33, 150, 511, 512, 513, 1025, MOST};

  for (size_t k = 0; k < N_OF (kinds); k++)
    for (size_t l = 0; l < N_OF (lengths); l++)
      for (size_t stride = 1; stride <= MOST_STRIDE; stride++)
        {
          try_indexes (GT_TYPE_COMPLEX, kinds[k], lengths[l], stride);
          try_indexes (GT_TYPE_COMPLEX_FLOAT, kinds[k], lengths[l], stride);
        }
}

/* Whether the vectors VIEW and CONSTANT hold N floats, 2 STRIDE from one to the next.  */
static void
holds (const gsltune_device_vector_float *view, const gsltune_device_vector_float *constant,
       const float *x, size_t n, size_t stride)
{
  const gsltune_device_vector_float *const both[] = {view, constant};
  static float y[40];
  gsl_vector_float back = {n, 1, y, NULL, 0};

  for (unsigned k = 0; k < N_OF (both); k++)
    {
      CHECK (gsltune_device_vector_float_get (both[k], &back) == GSL_SUCCESS);
      for (size_t i = 0; i < n; i++)
        CHECK (y[i] == x[2 * stride * i]);
      CHECK (gsltune_device_vector_float_stride (both[k]) == 2 * stride);
    }
}

/* Views of the parts of V, and what is written through one.  */
static void
parts_of (gsltune_device_vector_complex_float *v, float *x, size_t n, size_t stride)
{
  gsltune_device_vector_float_view real = gsltune_device_vector_complex_float_real (v);
  gsltune_device_vector_float_view imag = gsltune_device_vector_complex_float_imag (v);
  gsltune_device_vector_float_const_view const_real
    = gsltune_device_vector_complex_float_const_real (v);
  gsltune_device_vector_float_const_view const_imag
    = gsltune_device_vector_complex_float_const_imag (v);
  const gsl_vector_float zeros = {n, 1, (float[40]) {0}, NULL, 0};

  holds (&real.vector, &const_real.vector, x, n, stride);
  holds (&imag.vector, &const_imag.vector, x + 1, n, stride);
  gsltune_device_vector_float_free (&real.vector); /* what it shows is not its own */
  CHECK (gsltune_device_vector_float_set (&imag.vector, &zeros) == GSL_SUCCESS);
  for (size_t i = 0; i < n; i++)
    x[2 * stride * i + 1] = 0;
  holds (&real.vector, &const_real.vector, x, n, stride);
  holds (&imag.vector, &const_imag.vector, x + 1, n, stride);
}

SCENARIO (parts)
{
  static const size_t lengths[] = {0, 1, 2, 37};
  float x[76];
  gsltune_device_vector_complex *pair = gsltune_device_vector_complex_alloc (2);
  const gsl_vector_complex numbers = {2, 1, (double[4]) {1, 2, 4, 8}, NULL, 0};
  gsltune_device_vector_view of_pair = gsltune_device_vector_complex_real (pair);

  for (size_t k = 0; k < N_OF (lengths); k++)
    {
      const size_t n = lengths[k];
      const gsl_vector_complex_float all = {n, 1, x, NULL, 0};
      gsltune_device_vector_complex_float *v = gsltune_device_vector_complex_float_alloc (n);

      for (size_t i = 0; i < N_OF (x); i++)
        x[i] = (float) (i + 1);
      CHECK (gsltune_device_vector_complex_float_set (v, &all) == GSL_SUCCESS);
      parts_of (v, x, n, 1);
      gsltune_device_vector_complex_float_free (v);
    }
  CHECK (gsltune_device_vector_complex_set (pair, &numbers) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_sum (&of_pair.vector) == 5);
  of_pair = gsltune_device_vector_complex_imag (pair);
  CHECK (gsltune_device_vector_sum (&of_pair.vector) == 10);
  gsltune_device_vector_complex_free (pair);
}

#if HAVE_CUDA
/* Views of numbers apart, and of such as begin at no multiple of their size.  */
SCENARIO (views)
{
  static double x[2 * 900 + 2];
  const gsl_vector_complex all = {900, 1, x, NULL, 0};
  gsltune_device_vector_complex *v = gsltune_device_vector_complex_alloc (900);
  double *data = gsltune_device_vector_complex_data (v);
  gsl_complex device, host;

  for (size_t i = 0; i < 1800; i++)
    x[i] = sin ((double) i);
  CHECK (gsltune_device_vector_complex_set (v, &all) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_complex_on_gpu (v));
  for (size_t begin = 0; begin < 3; begin++)
    for (size_t stride = 1; stride < 4; stride++)
      {
        const size_t n = (900 - 1) / stride;
        const gsl_vector_complex part = {n, stride, x + begin, NULL, 0};
        gsltune_device_vector_complex_view view
          = gsltune_device_vector_complex_view_array (data + begin, stride, n);
        gsltune_device_vector_const_view imag
          = gsltune_device_vector_complex_const_imag (&view.vector);

        CHECK (gsltune_device_vector_sum (&imag.vector)
               == gsltune_vector_sum (&(gsl_vector) {n, 2 * stride, x + begin + 1, NULL, 0}));
        CHECK (gsltune_device_vector_complex_dotc (&view.vector, &view.vector, &device)
               == GSL_SUCCESS);
        CHECK (gsltune_blas_zdotc (&part, &part, &host) == GSL_SUCCESS);
        CHECK (memcmp (&device, &host, sizeof host) == 0);
        CHECK (gsltune_device_vector_complex_nrm2 (&view.vector)
               == gsltune_blas_dznrm2 (&part));
        CHECK (gsltune_device_vector_complex_asum (&view.vector)
               == gsltune_blas_dzasum (&part));
        CHECK (gsltune_device_vector_complex_iamax (&view.vector)
               == gsltune_blas_izamax (&part));
      }
  gsltune_device_vector_complex_free (v);
}
#endif

/* ------------------------------------------------------------------ Tests */

TEST (on_the_host)
{
  EXPECT_SCENARIO ("indexes", "", "CUDA_VISIBLE_DEVICES=");
  EXPECT_SCENARIO ("parts", "", "CUDA_VISIBLE_DEVICES=");
}

/* Products that underflow are zeros with the signs of the exact sums.  */
TEST (products_of_subnormal_numbers)
{
  double x[2] = {0x1p-1074, 0x2p-1074}, y[2] = {0x3p-1074, 0x5p-1074};
  const gsl_vector_complex u = {1, 1, x, NULL, 0}, v = {1, 1, y, NULL, 0};
  gsl_complex product;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  gsltune_blas_zdotu (&u, &v, &product);
  assert_true (GSL_REAL (product) == 0 && signbit (GSL_REAL (product)));
  assert_true (GSL_IMAG (product) == 0 && !signbit (GSL_IMAG (product)));
  gsltune_blas_zdotc (&u, &v, &product);
  assert_true (GSL_REAL (product) == 0 && !signbit (GSL_REAL (product)));
  assert_true (GSL_IMAG (product) == 0 && signbit (GSL_IMAG (product)));
  gsltune_set_mode (GSLTUNE_MODE_AUTO);
}

TEST (lengths_differ)
{
  static double x[8];
  const gsl_vector_complex a = {3, 1, x, NULL, 0}, b = {2, 1, x, NULL, 0};
  gsl_complex result;

  memset (&result, 0x5a, sizeof result);
  assert_true (REPORTS (gsltune_blas_zdotu (&a, &b, &result), GSL_EBADLEN));
  assert_int_equal (((const unsigned char *) &result)[3], 0x5a);
}

#if HAVE_CUDA
TEST (on_a_gpu)
{
  EXPECT_SCENARIO ("indexes", "", NOTHING, h200);
  EXPECT_SCENARIO ("parts", "", NOTHING, h200);
  EXPECT_SCENARIO ("views", "", NOTHING, h200);
}
#endif

RUN_SCENARIOS (NULL, NULL)
