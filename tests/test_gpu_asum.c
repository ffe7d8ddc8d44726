/* Tests of the sums of magnitudes of kernels/cuda: what every entry point adds is
   what GSL adds and, in exact mode, what the superaccumulator does.  On a device of
   tests/softgpu, and unchanged on the machine's own GPU where on_gpu.sh asks for
   that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include <gsl/gsl_blas.h>

#include "src/cuda/cuda_launch.h"
#include "tests/gpu_subjects.h"

FIXTURE (find_asums)
{
  if (open_gpu ())
    return -1;
  for (unsigned k = 0; k < gt_catalog_size; k++)
    add_kernel (&gt_catalog[k], GT_ASUM);
  return n_subjects ? 0 : -1;
}

/* Numbers of any size, of similar size, and of a few that make the first kernel of
   exact mode give up late.  */
enum kind
{
  ANY_SIZE,
  SIMILAR,
  MIXED,
  N_KINDS
};

static double
element_of (enum kind kind, size_t i, uint64_t *seed)
{
  const int wide = kind == ANY_SIZE || (kind == MIXED && i % 100 == 99);
  const double x = (double) random_within (seed, INT64_C (1) << 53);

  return ldexp (x, wide ? (int) random_within (seed, 900) - 53 : -60);
}

/* A vector among NaN, on the host as ARITHMETIC has it.  */
struct host
{
  enum gt_arithmetic arithmetic;
  size_t n, stride, offset, count;
  char *elements;
};

static struct host
make_host (enum gt_arithmetic arithmetic, size_t n, size_t stride,
           size_t offset)
{
  struct host h = {arithmetic, n, stride, offset,
                   offset + (n ? (n - 1) * stride + 1 : 1), NULL};

  h.elements = malloc (h.count * gt_element_size (arithmetic));
  assert_non_null (h.elements);
  fill_poison (arithmetic, h.elements, h.count);
  return h;
}

/* A float that is too large for its type is scaled instead.  */
static void
put (const struct host *h, size_t i, double x)
{
  size_t at = h->offset + i * h->stride;
  int exponent;

  if (h->arithmetic == GT_F64)
    ((double *) h->elements)[at] = x;
  else
    {
      frexp (x, &exponent);
      ((float *) h->elements)[at]
        = (float) (isfinite (x) && abs (exponent) > 120
                     ? ldexp (x, exponent % 120 - exponent) : x);
    }
}

static double
get (const struct host *h, size_t i)
{
  size_t at = h->offset + i * h->stride;

  return h->arithmetic == GT_F64 ? ((double *) h->elements)[at]
                                 : (double) ((float *) h->elements)[at];
}

static void
expect (union gt_value *value, enum gt_arithmetic arithmetic, double x)
{
  if (arithmetic == GT_F64)
    value->f64[0] = x;
  else
    value->f32[0] = (float) x;
}

/* Hands H to every entry point, or to those of exact mode, and frees it.  */
static void
check_host (struct host *h, const union gt_value *expected, int exact_only)
{
  struct problem p
    = {h->arithmetic, h->n, h->stride, h->offset, NULL, *expected};

  p.memory = to_gpu (h->arithmetic, h->elements, h->count);
  for (unsigned k = 0; k < n_subjects; k++)
    if (subjects[k].arithmetic == h->arithmetic
        && subjects[k].layout == gt_layout_of (h->stride)
        && (!exact_only || subjects[k].mode == GT_MODE_EXACT))
      check_sum (&subjects[k], &p);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, p.memory);
  free (h->elements);
}

/* Whole numbers whose magnitudes every mode adds without rounding, GSL too.  */
static void
check_whole (enum gt_arithmetic arithmetic, size_t n, size_t stride,
             size_t offset)
{
  struct host h = make_host (arithmetic, n, stride, offset);
  int64_t limit = exact_limit (arithmetic, n);
  uint64_t seed = n + offset;
  union gt_value expected;

  for (size_t i = 0; i < n; i++)
    put (&h, i, (double) random_within (&seed, limit));
  if (arithmetic == GT_F64)
    {
      gsl_vector v = {n, stride, (double *) h.elements + offset, NULL, 0};

      expected.f64[0] = gsl_blas_dasum (&v);
    }
  else
    {
      gsl_vector_float v = {n, stride, (float *) h.elements + offset, NULL, 0};

      expected.f32[0] = gsl_blas_sasum (&v);
    }
  check_host (&h, &expected, 0);
}

static void
check_kind (enum gt_arithmetic arithmetic, enum kind kind, size_t n,
            size_t stride, size_t offset)
{
  struct host h = make_host (arithmetic, n, stride, offset);
  uint64_t seed = 7 * n + offset;
  union gt_value expected;

  gt_super_clear (&expected.super);
  for (size_t i = 0; i < n; i++)
    {
      put (&h, i, element_of (kind, i, &seed));
      gt_super_add (&expected.super, fabs (get (&h, i)));
    }
  finish_sum (arithmetic, GT_MODE_EXACT, &expected);
  check_host (&h, &expected, 1);
}

TEST (whole_numbers)
{
  static const size_t lengths[] = {0, 1, 2, 31, 33, 1000, 4099};

  for (int a = 0; a < 2; a++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      for (size_t offset = 0; offset < 6; offset++)
        {
          enum gt_arithmetic arithmetic = a ? GT_F32 : GT_F64;

          check_whole (arithmetic, lengths[k], 1, 3 * offset);
          if (offset % 3 == 0)
            check_whole (arithmetic, lengths[k], 2 + offset, offset);
        }
}

TEST (exact_to_the_bit)
{
  static const size_t lengths[] = {1, 2, 33, 1000, 20011};

  for (int a = 0; a < 2; a++)
    for (int kind = 0; kind < N_KINDS; kind++)
      for (size_t k = 0; k < N_OF (lengths); k++)
        {
          enum gt_arithmetic arithmetic = a ? GT_F32 : GT_F64;

          check_kind (arithmetic, (enum kind) kind, lengths[k], 1, k);
          check_kind (arithmetic, (enum kind) kind, lengths[k], 3, 1);
        }
}

/* N elements, FILL but for A at a third and B at the end.  */
static void
check_special (size_t n, double fill, double a, double b, double sum)
{
  for (int k = 0; k < 2; k++)
    {
      enum gt_arithmetic arithmetic = k ? GT_F32 : GT_F64;
      struct host h = make_host (arithmetic, n, 1, 0);
      union gt_value expected;

      for (size_t i = 0; i < n; i++)
        put (&h, i, fill);
      put (&h, n / 3, a);
      put (&h, n - 1, b);
      expect (&expected, arithmetic, sum);
      check_host (&h, &expected, 0);
    }
}

TEST (special_numbers)
{
  static const size_t some[] = {2, 33, 3001};

  for (size_t k = 0; k < N_OF (some); k++)
    {
      check_special (some[k], -0.0, -0.0, -0.0, 0);
      check_special (some[k], 1, 1, -INFINITY, INFINITY);
      check_special (some[k], -1, INFINITY, -INFINITY, INFINITY);
      check_special (some[k], 1, -NAN, 1, NAN);
      check_special (some[k], 1, -INFINITY, NAN, NAN);
    }
}

/* With arguments: see prepare_for_gpu.  */
int
main (int argc, char **argv)
{
  prepare_for_gpu (argc, argv);
  return run_unit_tests (find_asums, NULL);
}
