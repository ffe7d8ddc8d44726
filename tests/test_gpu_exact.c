/* Tests of exact mode on a GPU: every exact kernel gives the bits of the CPU's
   superaccumulator, whatever the configuration and however often a vector is
   cut.  What happens to data that a kernel cannot hold is in test_gpu_exact_ranges.c.
   On a device of tests/softgpu, or on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/cuda/cuda_context.h"
#include "tests/gpu_exact.h"
#include "tests/gpu_subjects.h"
#include "tests/sums.h"

#define HARD_N 12345
#define TURNS_ON_SOFTGPU 4 /* of the block sizes so many for each vector */

/* Numbers of any exponent, that cancel but for a few; close ones; subnormal ones;
   and ones that overflow on the way.  */
static const struct
{
  unsigned first, count; /* biased exponents */
} hard[] = {{0, 2046}, {1000, 40}, {0, 2}, {2040, 6}};

static void
fill_hard (unsigned kind, double *x, float *f)
{
  for (size_t i = 0; i < HARD_N; i++)
    {
      uint64_t state = i / 2 + (i % 100 == 0); /* pairs, mostly */

      x[i] = number_of (hard[kind].first, hard[kind].count, &state);
      if (i % 2)
        x[i] = -x[i];
      f[i] = (float) ldexp (frexp (x[i], &(int) {0}), (int) (i / 2 * 37 % 270) - 140);
    }
}

/* Every exact kernel, in configurations that take turns, agrees with the CPU's
   superaccumulator, bit for bit.  */
static void
check_exact_kernels (struct problem *p, const void *elements, size_t count)
{
  const size_t turns = on_real_gpu () ? N_OF (blocks) : TURNS_ON_SOFTGPU;
  const char *first = (const char *) elements
                      + p->offset * gt_element_size (p->arithmetic);

  p->memory = to_gpu (p->arithmetic, elements, count);
  for (size_t stride = 1; stride <= 3; stride += 2)
    {
      p->stride = stride;
      p->n = (count - p->offset) / stride;
      p->expected = superaccumulated (p->arithmetic, first, p->n, stride);
      expect_magnitudes (p, first);
      for (size_t turn = 0; turn < turns; turn++)
        check_all (p, EXACTLY);
    }
  gt_gpus->free (gpu, GT_PLACE_DEVICE, p->memory);
}

/* Of each of KINDS N doubles and floats, as FILL makes them.  */
static void
check_filled (unsigned kinds, size_t n, void (*fill) (unsigned kind, double *x, float *f))
{
  double *x = malloc (n * sizeof *x);
  float *f = malloc (n * sizeof *f);

  assert_non_null (x);
  assert_non_null (f);
  for (unsigned kind = 0; kind < kinds; kind++)
    {
      struct problem p = {GT_F64, 0, 0, kind, .memory = NULL};

      fill (kind, x, f);
      check_exact_kernels (&p, x, n);
      p.arithmetic = GT_F32;
      check_exact_kernels (&p, f, n);
    }
  free (x);
  free (f);
}

TEST (exact_sums_have_the_same_bits)
{
  check_filled (N_OF (hard), HARD_N, fill_hard);
}

/* Vectors too long for one launch are summed in several, when a block may take
   next to nothing.  */
TEST (exact_sums_are_split)
{
  uint64_t before = gpu->exact_block;

  gpu->exact_block = 2;
  check_filled (N_OF (hard), HARD_N, fill_hard);
  gpu->exact_block = before;
}

#define UNEVEN_PAIRS 20001
#define UNEVEN_N (2 * UNEVEN_PAIRS)
#define UNEVEN_MARGIN 8

/* Numbers from 2^-below to 2 and, one in about five hundred, larger ones up to
   2^(above + 1), which come in some parts of a vector only.  So the windows of
   warps and blocks lie at different places, as far apart as they can be brought
   together or farther, with the last level in use or without.  */
static const struct uneven
{
  int below, above;
} uneven[] = {{0, 5}, {0, 45}, {0, 100}, {85, 5}, {85, 40}, {110, 30}};

/* The second half takes back what the first has, but for the last digit of the
   smallest, so that no digit is without effect on the sum.  With a stride of 3,
   too, every number has its like among those summed; at the ends of the halves,
   where not all are summed, there is nothing.  */
static void
fill_uneven (unsigned k, double *x, float *f)
{
  const struct uneven *kind = &uneven[k];
  double *y = x + UNEVEN_PAIRS;
  float *g = f + UNEVEN_PAIRS;
  uint64_t state = 20261122;

  memset (x, 0, UNEVEN_N * sizeof *x);
  memset (f, 0, UNEVEN_N * sizeof *f);
  for (size_t i = UNEVEN_MARGIN; i < UNEVEN_PAIRS - UNEVEN_MARGIN; i++)
    {
      uint64_t word = random_word (&state);
      int larger = word % 512 == 0 && i / 2048 % 3 != 0;
      unsigned place = (unsigned) (word / 512 % 65536);
      int exponent = larger ? 1 + (int) (place % (unsigned) kind->above)
                            : -(int) (place % (unsigned) (kind->below + 1));

      x[i] = ldexp (1 + (double) (random_word (&state) >> 12) * 0x1p-52, exponent);
      if (random_word (&state) & 1)
        x[i] = -x[i];
      f[i] = (float) x[i];
      y[i] = exponent == -kind->below ? -nextafter (x[i], 0) : -x[i];
      g[i] = exponent == -kind->below ? -nextafterf (f[i], 0) : -f[i];
    }
}

TEST (windows_of_any_place_are_brought_together)
{
  check_filled (N_OF (uneven), UNEVEN_N, fill_uneven);
}

#define WHOLE_UNITS 50000
#define WHOLE_N (4 * WHOLE_UNITS)

/* Floats of which the window's first level holds every digit, and which cancel;
   but OTHER is near the end.  If PAIRS, it is often there, first of four that a
   thread loads at once, and taken back by the third.  */
static void
fill_whole (float *f, float other, int pairs)
{
  uint64_t state = 20261123;

  for (size_t i = 0; i < WHOLE_N; i += 2)
    {
      uint64_t word = random_word (&state);

      f[i] = (float) ldexp (1 + (double) (word >> 41) * 0x1p-23, -(int) (word % 20));
      f[i + 1] = -f[i];
    }
  if (!pairs)
    {
      f[WHOLE_N - 10] = other;
      f[WHOLE_N - 9] = 0;
    }
  for (size_t m = WHOLE_UNITS / 8 * 7; m < WHOLE_UNITS && pairs; m++)
    if (m / 32 % 2)
      {
        f[4 * m] = other;
        f[4 * m + 2] = -other;
        f[4 * m + 1] = f[4 * m + 3] = 0;
      }
}

/* Sums N contiguous elements by every exact kernel, in blocks of one warp.  */
static void
check_in_warps (enum gt_arithmetic arithmetic, const void *elements, size_t n, double what)
{
  struct problem p = {arithmetic, n, 1, 0, .memory = NULL};

  p.expected = superaccumulated (arithmetic, elements, n, 1);
  p.memory = to_gpu (arithmetic, elements, n);
  for (unsigned k = 0; k < n_subjects; k++)
    if (computes (&subjects[k], &p, EXACTLY))
      {
        const struct gt_config config = {1, 32, subjects[k].unroll, 1};
        union gt_value sum;

        poison ();
        sum = sum_on_gpu (&subjects[k], &config, &p);
        if (!same_sum (arithmetic, &sum, &p.expected))
          fail_msg ("%s u%u, %g: %s instead of %s", subjects[k].kernel->name,
                    subjects[k].unroll, what, sum_text (arithmetic, &sum),
                    sum_text (arithmetic, &p.expected));
      }
  gt_gpus->free (gpu, GT_PLACE_DEVICE, p.memory);
}

/* Where windows add floats without looking for what was cut off, nothing is. The blocks are
   small, so that every warp has opened its window when it meets the number.  */
TEST (floats_are_added_whole_only_where_they_fit)
{
  static const struct
  {
    float other;
    int pairs;
  } cases[] = {{0, 0}, {0x1.000002p-30f, 0}, {0x1p-149f, 0}, {0x1.8p30f, 0},
               {0x1.fffffep127f, 0}, {-INFINITY, 0}, {NAN, 0}, {0x1p20f, 1},
               {0x1p100f, 1}};
  float *f = malloc (WHOLE_N * sizeof *f);

  assert_non_null (f);
  for (unsigned c = 0; c < N_OF (cases); c++)
    {
      fill_whole (f, cases[c].other, cases[c].pairs);
      check_in_warps (GT_F32, f, WHOLE_N, (double) cases[c].other);
    }
  free (f);
}

static const struct gt_device *whole_device;

/* The device seems to have one multiprocessor.  */
FIXTURE (make_small)
{
  static struct gt_device small;

  whole_device = gpu->device;
  small = *whole_device;
  small.gpu.sms = 1;
  gpu->device = &small;
  return 0;
}

FIXTURE (make_whole)
{
  gpu->device = whole_device;
  return 0;
}

#define FULL_N (1 << 23)

/* One warp, where there is one multiprocessor, adds numbers of one sign that are all
   ones, and as large as their window can have them: a thread's bins and windows are
   full again and again.  */
TEST_WITH (full_words_are_passed_on, make_small, make_whole)
{
  double *x = malloc (FULL_N * sizeof *x);

  assert_non_null (x);
  for (int sign = -1; sign <= 1; sign += 2)
    {
      for (size_t i = 0; i < FULL_N; i++)
        x[i] = sign * 0x1.fffffffffffffp1;
      check_in_warps (GT_F64, x, FULL_N, x[0]);
    }
  free (x);
}

/* The sum that a launch which failed has left in the grid's accumulator is cleared.  */
TEST (a_spoilt_accumulator_is_cleared)
{
  const size_t n = 1000;
  double x[1000];
  struct problem p = {GT_F64, n, 1, 0, .memory = NULL};
  struct gt_slot *slot;

  p.expected = put_exact (GT_F64, x, n, 1, 1);
  p.memory = to_gpu (GT_F64, x, n);
  assert_int_equal (gt_gpus->slot_acquire (gpu, SIZE_MAX, &slot), 0);
  assert_int_equal (gt_cuda_enter (gpu), CUDA_SUCCESS);
  assert_int_equal (gpu->driver->cuMemsetD8Async (slot->memory, 0x55, GT_ZERO_BYTES,
                                                  slot->stream), CUDA_SUCCESS);
  gt_cuda_leave (gpu, CUDA_SUCCESS, NULL);
  slot->spoilt = 1;
  gt_gpus->slot_release (gpu, slot);
  for (unsigned k = 0; k < n_subjects; k++)
    if (computes (&subjects[k], &p, EXACTLY))
      {
        check_sum (&subjects[k], &p);
        break;
      }
  assert_false (slot->spoilt);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, p.memory);
}

RUN_GPU_TESTS (find_subjects, NULL)
