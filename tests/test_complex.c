/* Tests of the reductions of complex vectors (src/public/complex.c), of each kind of data,
   length and stride, on the host, on a device of tests/softgpu, and on the machine's own
   where on_gpu.sh asks for that.  What is right says MPFR, in so many digits that nothing
   is rounded before the end; indexes are GSL's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <mpfr.h>

#include "tests/unit.h"

#include "tests/answers.h"
#include "tests/device_vectors.h"
#include "tuning/measure/data.h"

#define MOST 3000 /* numbers */
#define MOST_STRIDE 3
#define DIGITS 4500 /* bits that hold any sum of products */

enum kind
{
  ORDINARY,
  CANCELLING, /* the second half takes off what the first adds, nearly */
  ALL_SIZES,
  HUGE_ONES,
  TINY,
  SPECIAL,
  N_KINDS
};
static const char *const kind_names[]
  = {"ordinary", "cancelling", "of all sizes", "huge", "tiny", "special"};

static enum gt_element_type type;
static int of_floats;
static long double storage[2][MOST_STRIDE * MOST + 1]; /* room for any type */
static mpfr_t sum, magnitude, term;

static double
number (enum kind kind, uint64_t *seed)
{
  const double x = (double) (int64_t) gt_random (seed) * 0x1p-63;
  const int range = of_floats ? 60 : 900;

  switch (kind)
    {
    case ALL_SIZES:
      return ldexp (x, (int) (gt_random (seed) % (unsigned) range) - range / 2);
    case HUGE_ONES:
      return x * (of_floats ? FLT_MAX : DBL_MAX);
    case TINY:
      return ldexp (x, of_floats ? -135 : -1055);
    case SPECIAL:
      switch (gt_random (seed) % 200)
        {
        case 0: return INFINITY;
        case 1: return -INFINITY;
        case 2: return gt_random (seed) % 4 ? x : NAN;
        case 3: return -0.0;
        default: return x;
        }
    default:
      return x;
    }
}

/* Part PART of number I of OPERAND, 0 or 1.  */
static double
part_of (const struct gt_operands *o, int operand, size_t i, int part)
{
  const size_t at = 2 * i * o->stride[operand] + (size_t) part;
  const void *from = operand ? o->y : o->x;

  return of_floats ? (double) ((const float *) from)[at] : ((const double *) from)[at];
}

static void
put (const struct gt_operands *o, int operand, size_t i, int part, double v)
{
  const size_t at = 2 * i * o->stride[operand] + (size_t) part;
  void *to = storage[operand];

  if (of_floats)
    ((float *) to)[at] = (float) v;
  else
    ((double *) to)[at] = v;
}

static struct gt_operands
sow (enum kind kind, size_t n, size_t stride, size_t other, uint64_t *seed)
{
  const struct gt_operands o
    = {.x = storage[0], .y = storage[1], .n = n, .stride = {stride, other}};

  memset (storage, 0xff, sizeof storage); /* what is between counts for NaN */
  for (size_t i = 0; i < n; i++)
    for (int part = 0; part < 2; part++)
      {
        const int again = kind == CANCELLING && i >= n / 2 && i < n / 2 * 2;
        const size_t first = i - n / 2;

        put (&o, 0, i, part, again ? -part_of (&o, 0, first, part) : number (kind, seed));
        put (&o, 1, i, part,
             again ? part_of (&o, 1, first, part) * (1 + 0x1p-40) : number (kind, seed));
      }
  return o;
}

/* ------------------------------------------------------------------ Right */

static void
clear_sums (void)
{
  mpfr_set_zero (sum, 1);
  mpfr_set_zero (magnitude, 1);
}

/* Adds SIGN a b.  */
static void
add (double a, double b, int sign)
{
  mpfr_set_d (term, a, MPFR_RNDN);
  mpfr_mul_d (term, term, b, MPFR_RNDN);
  if (sign < 0)
    mpfr_neg (term, term, MPFR_RNDN);
  mpfr_add (sum, sum, term, MPFR_RNDN);
  mpfr_abs (term, term, MPFR_RNDN);
  mpfr_add (magnitude, magnitude, term, MPFR_RNDN);
}

/* As the result is, rounded once.  A zero is +0, if nothing has underflowed.  */
static double
rounded (void)
{
  return of_floats ? (double) mpfr_get_flt (sum, MPFR_RNDN) : mpfr_get_d (sum, MPFR_RNDN);
}

/* The result of F for part K, and the sum of magnitudes that it is made of.  */
static double
right (const struct gt_listed *f, const struct gt_operands *o, int k)
{
  const char *const end = strchr (f->name, '\0') - 4;
  const int sign = strcmp (end, "dotc") == 0 ? -1 : 1;

  clear_sums ();
  for (size_t i = 0; i < o->n; i++)
    {
      const double a = part_of (o, 0, i, 0), b = part_of (o, 0, i, 1);

      if (f->answers == GT_ANSWERS_PRODUCT)
        {
          add (a, part_of (o, 1, i, k), 1);
          add (b, part_of (o, 1, i, !k), k ? sign : -sign);
        }
      else if (strcmp (end, "nrm2") == 0)
        {
          add (a, a, 1);
          add (b, b, 1);
        }
      else
        {
          add (fabs (a), 1, 1);
          add (fabs (b), 1, 1);
        }
    }
  if (strcmp (end, "nrm2") == 0)
    {
      mpfr_sqrt (sum, sum, MPFR_RNDN);
      mpfr_set (magnitude, sum, MPFR_RNDN);
    }
  return rounded ();
}

/* How far a value of F may be off: nothing in exact mode, and if F has no compensated way;
   elsewhere what n roundings make of the magnitudes, or their squares with a last one.  */
static double
allowed (const struct gt_listed *f, double expected, size_t n)
{
  const double m = mpfr_get_d (magnitude, MPFR_RNDU);
  const double u = DBL_EPSILON, last = of_floats ? FLT_EPSILON : DBL_EPSILON;

  switch (gsltune_get_mode ())
    {
    case GSLTUNE_MODE_EXACT:
      return 0;
    case GSLTUNE_MODE_COMPENSATED:
      return f->answers != GT_ANSWERS_PRODUCT ? 0 : 2 * last * fabs (expected)
             + (double) n * (double) n * (of_floats ? u * last : u * u) * m;
    default:
      return last * fabs (expected) + (of_floats ? last : u) * (double) (n + 2) * m;
    }
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
      const double is = (double) gt_answer_value (f, &a, k), should = right (f, o, k);

      if (is == should || (isnan (is) && isnan (should))
          || fabs (is - should) <= allowed (f, should, o->n))
        continue;
      fprintf (stderr, "%s of %zu numbers %s, strides %zu and %zu, mode %d, %s: part %d"
               " is %.17g instead of %.17g\n", f->symbol, o->n, kind_names[kind],
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
  fprintf (stderr, "%s of %zu numbers %s, stride %zu: %zu instead of %zu\n", f->symbol,
           o->n, kind_names[kind], o->stride[0], ours.index[0], gsl.index[0]);
  exit (1);
}

/* Where results are not exact numbers whose products leave the range are not compared.  */
static int
is_promised (const struct gt_listed *f, enum kind kind)
{
  return gsltune_get_mode () == GSLTUNE_MODE_EXACT || kind < ALL_SIZES
         || (f->answers != GT_ANSWERS_PRODUCT
             && gsltune_get_mode () == GSLTUNE_MODE_COMPENSATED);
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
      else if (is_promised (f, kind))
        compare (f, o, kind, on_device ? "device vectors" : "host");
    }
}

static void
try_length (size_t n, size_t stride, size_t other)
{
  uint64_t seed = 1 + n + 7 * stride;

  for (int kind = 0; kind < N_KINDS; kind++)
    {
      struct gt_operands o = sow ((enum kind) kind, n, stride, other, &seed);
      struct gt_operands second = o;

      compare_all (&o, (enum kind) kind, 0);
      second.x = o.y;
      second.stride[0] = other;
      o.device[0] = gt_listed[type].make (&o);
      o.device[1] = gt_listed[type].make (&second);
      if (o.device[0] && o.device[1])
        compare_all (&o, (enum kind) kind, 1);
      gt_listed[type].free ((void *) o.device[0]);
      gt_listed[type].free ((void *) o.device[1]);
    }
}

static void
each_type (void (*run) (void))
{
  mpfr_inits2 (DIGITS, sum, magnitude, term, (mpfr_ptr) 0);
  for (of_floats = 0; of_floats < 2; of_floats++)
    {
      type = of_floats ? GT_TYPE_COMPLEX_FLOAT : GT_TYPE_COMPLEX;
      for (int mode = GSLTUNE_MODE_FAST; mode <= GSLTUNE_MODE_EXACT; mode++)
        {
          gsltune_set_mode ((gsltune_mode) mode);
          run ();
        }
    }
  mpfr_clears (sum, magnitude, term, (mpfr_ptr) 0);
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
