/* Tests of the sums of magnitudes of kernels/cuda: what every entry point adds is right where
   nothing is rounded and, in exact mode, what the superaccumulator gives.  On a device of
   tests/softgpu, and unchanged on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/gpu_subjects.h"
#include "tests/super.h"

FIXTURE (find_asums)
{
  if (open_gpu ())
    return -1;
  for (unsigned k = 0; k < gt_catalog_size; k++)
    add_kernel (&gt_catalog[k], GT_ASUM);
  return n_subjects ? 0 : -1;
}

static const enum gt_arithmetic reals[] = {GT_F64, GT_F32};

/* Whole numbers and quarters, whose magnitudes every mode adds without rounding.  */
TEST (whole_numbers)
{
  static const size_t lengths[] = {0, 1, 2, 31, 33, 1000, 4099};

  for (size_t a = 0; a < N_OF (reals); a++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      for (size_t offset = 0; offset < 6; offset++)
        {
          check_exact (reals[a], lengths[k], 1, 3 * offset);
          if (offset % 3 == 0)
            check_exact (reals[a], lengths[k], 2 + offset, offset);
        }
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
element_of (enum kind kind, enum gt_arithmetic arithmetic, size_t i, uint64_t *seed)
{
  const int wide = kind == ANY_SIZE || (kind == MIXED && i % 100 == 99);
  const int range = arithmetic == GT_F64 ? 900 : 120;
  const double x = (double) random_within (seed, INT64_C (1) << 53);

  return ldexp (x, wide ? (int) random_within (seed, range) - 53 : -60);
}

static void
check_kind (enum gt_arithmetic arithmetic, enum kind kind, size_t n,
            size_t stride, size_t offset)
{
  struct problem p = {arithmetic, n, stride, offset, NULL, {{0}}};
  size_t count;
  char *elements = room_for (&p, &count);
  uint64_t seed = 7 * n + offset;

  super_clear (&p.expected.super);
  for (size_t i = 0; i < n; i++)
    {
      const size_t at = offset + i * stride;

      put_element (arithmetic, elements, at, element_of (kind, arithmetic, i, &seed));
      super_add (&p.expected.super, fabs (get_element (arithmetic, elements, at)));
    }
  finish_sum (arithmetic, GT_MODE_EXACT, &p.expected);
  check_elements (&p, elements, count, EXACTLY);
}

TEST (exact_to_the_bit)
{
  static const size_t lengths[] = {1, 2, 33, 1000, 20011};

  for (size_t a = 0; a < N_OF (reals); a++)
    for (int kind = 0; kind < N_KINDS; kind++)
      for (size_t k = 0; k < N_OF (lengths); k++)
        {
          check_kind (reals[a], (enum kind) kind, lengths[k], 1, k);
          check_kind (reals[a], (enum kind) kind, lengths[k], 3, 1);
        }
}

TEST (special_numbers)
{
  static const size_t some[] = {2, 33, 3001};

  for (size_t k = 0; k < N_OF (some); k++)
    for (size_t a = 0; a < N_OF (reals); a++)
      {
        check_special (reals[a], some[k], -0.0, -0.0, -0.0, 0);
        check_special (reals[a], some[k], 1, 1, -INFINITY, INFINITY);
        check_special (reals[a], some[k], -1, INFINITY, -INFINITY, INFINITY);
        check_special (reals[a], some[k], 1, -NAN, 1, NAN);
        check_special (reals[a], some[k], 1, -INFINITY, NAN, NAN);
      }
}

RUN_GPU_TESTS (find_asums, NULL)
