/* Tests of the reductions of complex vectors (src/blas/complex.c), of each kind of data,
   length and stride, on the host, on a device of tests/softgpu, and on the machine's own
   where on_gpu.sh asks for that.  What is right says the oracle; indexes are GSL's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/answers.h"
#include "tests/device_vectors.h"
#include "tests/drawn.h"
#include "tests/oracle.h"

#define MOST 3000 /* numbers */
#define MOST_STRIDE 3

static const enum kind kinds[] = {AROUND_ZERO, FAR, ALL_SIZES, TOP, SUBNORMAL, CANCELLING, SPECIAL};

static enum gt_element_type type;
static int of_floats;
static long double storage[2][MOST_STRIDE * MOST + 1]; /* room for any type */
static struct oracle oracle;
static mpfr_t exact, magnitude;

static struct gt_operands
sow (enum kind kind, size_t n, size_t stride, size_t other, uint64_t *seed)
{
  const struct gt_operands o
    = {.x = storage[0], .y = storage[1], .n = n, .stride = {stride, other}};

  draw_elements (type, storage[0], stride, n, kind, seed);
  draw_elements (type, storage[1], other, n, kind, seed);
  oracle_load (&oracle, type, o.x, stride, o.y, other, n, NULL);
  return o;
}

/* ------------------------------------------------------------------ Right */

/* How far a value may be off: nothing in exact and compensated mode, in fast mode what n roundings
   make of the magnitudes.  */
static double
allowed (double expected, size_t n)
{
  const double m = mpfr_get_d (magnitude, MPFR_RNDU);
  const double u = DBL_EPSILON, last = of_floats ? FLT_EPSILON : DBL_EPSILON;

  return gsltune_get_mode () == GSLTUNE_MODE_FAST
           ? last * fabs (expected) + (of_floats ? last : u) * (double) (n + 2) * m : 0;
}

static void
compare (const struct gt_listed *f, const struct gt_operands *o, enum kind kind,
         const char *where)
{
  struct gt_answer a = {.status = 0};
  const int parts = f->answers == GT_ANSWERS_PRODUCT ? 2 : 1;

  f->call (f->ours, o, &a);
  CHECK (a.status == GSL_SUCCESS);
  for (int k = 0; k < parts; k++)
    {
      const double is = (double) gt_answer_value (f, &a, k);
      double should;

      CHECK (oracle_value (exact, &oracle, f->name, k));
      should = (double) oracle_rounded (exact, &oracle_formats[type]);
      oracle_scale (magnitude, &oracle, f->name, k);

      if (is == should || (isnan (is) && isnan (should))
          || fabs (is - should) <= allowed (should, o->n))
        continue;
      fprintf (stderr, "%s of %zu numbers, kind %d, strides %zu and %zu, mode %d, %s: part"
               " %d is %.17g instead of %.17g\n", f->symbol, o->n, kind,
               o->stride[0], o->stride[1], (int) gsltune_get_mode (), where, k, is, should);
      exit (1);
    }
}

/* The index is GSL's, that of a device vector too.  */
static void
compare_index (const struct gt_listed *f, const struct gt_operands *o, enum kind kind)
{
  const struct gt_listed *const of_blas = gt_listed_for (GT_AMAX, type);
  struct gt_answer ours, gsl;

  f->call (f->ours, o, &ours);
  of_blas->call (of_blas->gsl, o, &gsl);
  if (ours.index[0] == gsl.index[0])
    return;
  fprintf (stderr, "%s of %zu numbers, kind %d, stride %zu: %zu instead of %zu\n", f->symbol,
           o->n, kind, o->stride[0], ours.index[0], gsl.index[0]);
  exit (1);
}

/* Where results are not exact numbers whose products leave the range are not compared.  */
static int
is_promised (enum kind kind)
{
  return gsltune_get_mode () != GSLTUNE_MODE_FAST || kind < N_ORDINARY;
}

/* Those of host vectors or of device vectors.  */
static void
compare_all (const struct gt_operands *o, enum kind kind, int on_device)
{
  for (size_t k = 0; k < gt_listed[type].count; k++)
    {
      const struct gt_listed *const f = &gt_listed[type].function[k];

      if ((f->family == GT_OF_DEVICE_VECTOR) != on_device)
        continue;
      if (f->answers == GT_ANSWERS_INDEX)
        compare_index (f, o, kind);
      else if (is_promised (kind))
        compare (f, o, kind, on_device ? "device vectors" : "host");
    }
}

static void
try_length (size_t n, size_t stride, size_t other)
{
  uint64_t seed = 1 + n + 7 * stride;

  for (size_t k = 0; k < N_OF (kinds); k++)
    {
      const enum kind kind = kinds[k];
      struct gt_operands o = sow (kind, n, stride, other, &seed);
      struct gt_operands second = o;

      compare_all (&o, kind, 0);
      second.x = o.y;
      second.stride[0] = other;
      o.device[0] = gt_listed[type].make (&o);
      o.device[1] = gt_listed[type].make (&second);
      if (o.device[0] && o.device[1])
        compare_all (&o, kind, 1);
      gt_listed[type].free ((void *) o.device[0]);
      gt_listed[type].free ((void *) o.device[1]);
    }
}

static void
each_type (void (*run) (void))
{
  oracle_begin (&oracle);
  mpfr_inits (exact, magnitude, (mpfr_ptr) NULL);
  for (of_floats = 0; of_floats < 2; of_floats++)
    {
      type = of_floats ? GT_TYPE_COMPLEX_FLOAT : GT_TYPE_COMPLEX;
      for (int mode = GSLTUNE_MODE_FAST; mode <= GSLTUNE_MODE_EXACT; mode++)
        {
          gsltune_set_mode ((gsltune_mode) mode);
          run ();
        }
    }
  mpfr_clears (exact, magnitude, (mpfr_ptr) NULL);
  oracle_end (&oracle);
}

static void
every_length (void)
{
  static const size_t longer[] = {150, 511, 512, 513, 1025, MOST};

  for (size_t n = 0; n < 70; n++)
    try_length (n, 1, 1);
  for (size_t k = 0; k < N_OF (longer); k++)
    for (size_t stride = 1; stride <= MOST_STRIDE; stride++)
      try_length (longer[k], stride, 1 + k % MOST_STRIDE);
}

static void
some_lengths (void)
{
  static const size_t lengths[] = {0, 1, 2, 33, 700, MOST};

  for (size_t k = 0; k < N_OF (lengths); k++)
    try_length (lengths[k], 1 + k % 2, 1);
}

SCENARIO (host)
{
  each_type (every_length);
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

SCENARIO (device)
{
  each_type (some_lengths);
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
  EXPECT_SCENARIO ("host", "", "CUDA_VISIBLE_DEVICES=");
  EXPECT_SCENARIO ("parts", "", "CUDA_VISIBLE_DEVICES=");
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
  EXPECT_SCENARIO ("device", "", NOTHING, h200);
  EXPECT_SCENARIO ("parts", "", NOTHING, h200);
  EXPECT_SCENARIO ("views", "", NOTHING, h200);
}
#endif

RUN_SCENARIOS (NULL, NULL)
