/* Tests of exact mode on a GPU: every exact kernel gives the bits of the CPU's
   superaccumulator, whatever the configuration and however often a vector is
   cut.  On a device of tests/softgpu, or on the machine's own GPU where
   on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kernels/cpu/superaccumulator.h"
#include "src/cuda_context.h"
#include "tests/gpu_subjects.h"

#define HARD_N 12345
#define HARD_KINDS 4

/* Numbers of any exponent, that cancel but for a few; close ones; subnormal ones;
   and ones that overflow on the way.  */
static double
hard_number (unsigned kind, size_t i, uint64_t *state)
{
  static const unsigned first[HARD_KINDS] = {0, 1000, 0, 2040};
  static const unsigned count[HARD_KINDS] = {2046, 40, 2, 6};
  uint64_t bits = random_word (state) >> 12;
  double x;

  bits |= (first[kind] + random_word (state) % count[kind]) << 52;
  memcpy (&x, &bits, sizeof x);
  return i % 2 ? -x : x;
}

static void
fill_hard (unsigned kind, double *x, float *f)
{
  for (size_t i = 0; i < HARD_N; i++)
    {
      uint64_t state = i / 2 + (i % 100 == 0); /* pairs, mostly */

      x[i] = hard_number (kind, i, &state);
      f[i] = (float) ldexp (frexp (x[i], &(int) {0}), (int) (i / 2 * 37 % 270)
                                                        - 140);
    }
}

static union gt_sum
superaccumulated (enum gt_arithmetic arithmetic, const void *elements, size_t n,
                  size_t stride)
{
  union gt_sum sum;

  gt_super_clear (&sum.super);
  if (arithmetic == GT_F64)
    gt_super_add_array_f64 (&sum.super, elements, n, stride);
  else
    gt_super_add_array_f32 (&sum.super, elements, n, stride);
  gt_sum_finish (arithmetic, GT_MODE_EXACT, &sum);
  return sum;
}

/* Every exact kernel, in configurations that take turns, agrees with the CPU's
   superaccumulator, bit for bit.  */
static void
check_exact_kernels (struct problem *p, const void *elements)
{
  p->memory = to_gpu (p->arithmetic, elements, HARD_N);
  for (size_t stride = 1; stride <= 3; stride += 2)
    {
      p->stride = stride;
      p->n = (HARD_N - p->offset) / stride;
      p->expected = superaccumulated (
        p->arithmetic,
        (const char *) elements
          + p->offset * gt_arithmetics[p->arithmetic].size,
        p->n, stride);
      for (unsigned k = 0; k < n_subjects; k++)
        if (subjects[k].mode == GT_MODE_EXACT
            && subjects[k].arithmetic == p->arithmetic
            && subjects[k].layout
                 == (stride == 1 ? GT_CONTIGUOUS : GT_STRIDED))
          for (size_t turn = 0; turn < N_OF (blocks); turn++)
            check_sum (&subjects[k], p);
    }
  gt_cuda_free (gpu, p->memory);
}

static void
check_hard (void)
{
  double *x = malloc (HARD_N * sizeof *x);
  float *f = malloc (HARD_N * sizeof *f);

  assert_non_null (x);
  assert_non_null (f);
  for (unsigned kind = 0; kind < HARD_KINDS; kind++)
    {
      struct problem p = {GT_F64, 0, 0, kind, NULL, {{0}}};

      fill_hard (kind, x, f);
      check_exact_kernels (&p, x);
      p.arithmetic = GT_F32;
      check_exact_kernels (&p, f);
    }
  free (x);
  free (f);
}

static void
exact_sums_have_the_same_bits (void **state)
{
  (void) state;
  check_hard ();
}

/* Vectors too long for one launch are summed in several, when a block may take
   next to nothing.  */
static void
exact_sums_are_split (void **state)
{
  uint64_t before = gpu->exact_block;

  (void) state;
  gpu->exact_block = 2;
  check_hard ();
  gpu->exact_block = before;
}

/* What a launch that failed has left in the grid's accumulator is cleared.  */
static void
a_spoilt_accumulator_is_cleared (void **state)
{
  const size_t n = 1000;
  double x[1000];
  struct problem p = {GT_F64, n, 1, 0, NULL, {{0}}};
  struct gt_cuda_slot *slot;

  (void) state;
  p.expected = put_exact (GT_F64, x, n, 1, 1);
  p.memory = to_gpu (GT_F64, x, n);
  assert_int_equal (gt_cuda_slot_acquire (gpu, &slot), 0);
  assert_int_equal (gt_cuda_enter (gpu), CUDA_SUCCESS);
  assert_int_equal (gpu->driver->cuMemsetD8Async (slot->memory, 0x55,
                                                  GT_ZERO_BYTES,
                                                  slot->stream),
                    CUDA_SUCCESS);
  gt_cuda_leave (gpu);
  slot->spoilt = 1;
  gt_cuda_slot_release (gpu, slot);
  for (unsigned k = 0; k < n_subjects; k++)
    if (subjects[k].mode == GT_MODE_EXACT && subjects[k].arithmetic == GT_F64)
      {
        check_sum (&subjects[k], &p);
        break;
      }
  assert_false (slot->spoilt);
  gt_cuda_free (gpu, p.memory);
}

/* Host data go to the GPU in pieces: the sums of the pieces are not rounded.  */
static void
exact_pieces (void **state)
{
  size_t n = ((size_t) 64 << 20) / sizeof (double) + 1001;
  double *x = malloc (n * sizeof *x);
  union gt_sum sum;

  (void) state;
  assert_non_null (x);
  for (size_t i = 0; i < n; i++)
    x[i] = i % 4096 ? 0.0 : 1;
  x[1] = 0x1p100;
  x[n - 1] = -0x1p100;
  x[n - 2] = 0x1p-60;
  assert_int_equal (gt_cuda_sum_host (gpu, GT_F64, GT_MODE_EXACT, x, n, &sum),
                    0);
  gt_sum_finish (GT_F64, GT_MODE_EXACT, &sum);
  assert_true (sum.f64[0] == (double) (n / 4096 + 1));
  free (x);
}

/* With arguments: see prepare_for_gpu.  */
int
main (int argc, char **argv)
{
  static const struct CMUnitTest tests[] = {
    cmocka_unit_test (exact_sums_have_the_same_bits),
    cmocka_unit_test (exact_sums_are_split),
    cmocka_unit_test (a_spoilt_accumulator_is_cleared),
    cmocka_unit_test (exact_pieces),
  };

  prepare_for_gpu (argc, argv);
  return cmocka_run_group_tests (tests, find_subjects, NULL);
}
