/* Tests of tuning/measure/data.c: test data, and their sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/sums.h"
#include "tests/super.h"

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/measure/data.h"

#define PERIOD 99991

typedef void data_test (const struct gt_data *data);

static void
for_each_arithmetic (data_test *test)
{
  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    {
      struct gt_data data;

      assert_int_equal (gt_data_init (&data, (enum gt_arithmetic) a, GT_DATA_WHOLE), 0);
      assert_int_equal (data.period, PERIOD);
      assert_int_equal (data.size, gt_arithmetics[a].size);
      test (&data);
      gt_data_clear (&data);
    }
}

/* Element K of the endless pattern.  */
static __int128
element (const struct gt_data *data, uint64_t k)
{
  k %= PERIOD;
  switch (data->arithmetic)
    {
#define X(id, name, ctype, real) \
    case GT_##id:                \
      return (__int128) ((const ctype *) data->pattern)[k];
      GT_ARITHMETICS (X)
#undef X
    default:
      fail ();
      return 0;
    }
}

/* Whether SUM is EXACT; integers modulo 2^k.  */
static int
is_exactly (const struct gt_data *data, const union gt_value *sum, __int128 exact)
{
  switch (data->arithmetic)
    {
#define X(id, name, ctype, real)                                       \
    case GT_##id:                                                      \
      return real ? (__int128) sum->name[0] == exact                   \
                      && (long double) sum->name[0] == (long double) exact \
                  : sum->name[0] == (ctype) exact;
      GT_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
}

/* -------------------------------------------------------------- The oracle */

static void
compare_with_naive_sum (const struct gt_data *data)
{
  static const uint64_t offsets[] = {0, 1, 5, PERIOD - 1, PERIOD, 123456789};
  static const uint64_t strides[]
    = {1, 2, 3, 7, 64, PERIOD - 1, PERIOD, PERIOD + 1, 3 * PERIOD, 1000003};
  static const uint64_t lengths[]
    = {0, 1, 2, 31, 1000, PERIOD - 1, PERIOD, PERIOD + 1, 250007};

  for (size_t o = 0; o < N_OF (offsets); o++)
    for (size_t s = 0; s < N_OF (strides); s++)
      {
        __int128 exact = 0;
        uint64_t done = 0;

        for (size_t l = 0; l < N_OF (lengths); l++)
          {
            union gt_value sum = gt_data_sum (data, offsets[o], lengths[l], strides[s]);

            for (; done < lengths[l]; done++)
              exact += element (data, offsets[o] + done * strides[s]);
            if (!is_exactly (data, &sum, exact))
              fail_msg ("%s: offset %ju, n %ju, stride %ju",
                        gt_arithmetics[data->arithmetic].name,
                        (uintmax_t) offsets[o], (uintmax_t) lengths[l],
                        (uintmax_t) strides[s]);
          }
      }
}

TEST (oracle_is_the_naive_sum)
{
  for_each_arithmetic (compare_with_naive_sum);
}

/* Lengths that no naive sum reaches: what a period adds is known.  */
static void
compare_long_sums (const struct gt_data *data)
{
  const uint64_t periods = 1234567, rest = 4321, offset = 17;

  for (uint64_t stride = 1; stride <= 7; stride += 2)
    {
      union gt_value sum = gt_data_sum (data, offset, periods * PERIOD + rest, stride);
      __int128 period = 0, exact = 0;

      for (uint64_t k = 0; k < PERIOD; k++)
        period += element (data, k);
      for (uint64_t k = 0; k < rest; k++)
        exact += element (data, offset + k * stride);
      assert_true (is_exactly (data, &sum, exact + (__int128) periods * period));
    }
}

TEST (long_sums)
{
  for_each_arithmetic (compare_long_sums);
}

/* --------------------------------------------------------- Fitness for use */

static void
check_odd (const struct gt_data *data)
{
  for (uint64_t k = 0; k < PERIOD; k++)
    if (element (data, k) % 2 == 0)
      fail_msg ("%s: element %ju is even",
                gt_arithmetics[data->arithmetic].name, (uintmax_t) k);
}

/* So leaving one out, or taking one twice, changes every sum.  */
TEST (elements_are_odd)
{
  for_each_arithmetic (check_odd);
}

/* A float holds whole numbers up to 2^24: sums of 2^31 elements, and of the
   shares that lanes and parts have of them, must stay far below.  */
TEST (float_sums_stay_exact)
{
  struct gt_data data;

  assert_int_equal (gt_data_init (&data, GT_F32, GT_DATA_WHOLE), 0);
  for (unsigned k = 10; k <= 31; k++)
    for (uint64_t stride = 1; stride <= 4096; stride *= 4)
      {
        uint64_t n = ((uint64_t) 1 << k) / stride;
        union gt_value sum = gt_data_sum (&data, k, n, stride);

        assert_true (fabsf (sum.f32[0]) < 1 << 22);
      }
  gt_data_clear (&data);
}

/* -------------------------------------------------------------- Full data */

/* The exact sum of N elements STRIDE apart, by accumulators.  */
static union gt_value
accumulated (enum gt_arithmetic arithmetic, const void *x, size_t n, size_t stride)
{
  union gt_value sum;

  if (arithmetic == GT_LDBL)
    {
      gsltune_moments *const wide = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 1);

      assert_non_null (wide);
      gsltune_moments_add_long_double (wide, x, stride, n);
      sum.ldbl[0] = gsltune_moments_sum_long_double (wide);
      gsltune_moments_free (wide);
      return sum;
    }
  super_clear (&sum.super);
  if (arithmetic == GT_F64)
    for (size_t i = 0; i < n; i++)
      super_add (&sum.super, ((const double *) x)[i * stride]);
  else
    for (size_t i = 0; i < n; i++)
      super_add (&sum.super, ((const float *) x)[i * stride]);
  finish_sum (arithmetic, GT_MODE_EXACT, &sum);
  return sum;
}

static const enum gt_arithmetic reals[] = {GT_F64, GT_F32, GT_LDBL};

/* Full data use the digits of their type, and their sums are known.  */
TEST (full_data_are_summed_exactly)
{
  static const struct
  {
    size_t offset, n, stride;
  } cases[] = {{0, 1, 1}, {5, 1000, 1}, {77, 3 * PERIOD, 1}, {1, PERIOD, 3},
               {9, 50000, 7}};

  for (size_t r = 0; r < N_OF (reals); r++)
    {
      size_t size = gt_arithmetics[reals[r]].size;
      char *x = malloc (4 * PERIOD * size);
      struct gt_data data;

      assert_non_null (x);
      assert_int_equal (gt_data_init (&data, reals[r], GT_DATA_FULL), 0);
      gt_data_fill (&data, x, 4 * PERIOD * size);
      for (size_t c = 0; c < N_OF (cases); c++)
        {
          union gt_value is = gt_data_sum (&data, cases[c].offset, cases[c].n,
                                         cases[c].stride);
          union gt_value expected
            = accumulated (reals[r], x + cases[c].offset * size, cases[c].n, cases[c].stride);

          assert_true (same_bits (reals[r], &is, &expected));
        }
      for (size_t i = 0; i < PERIOD; i++)
        {
          union gt_value one = gt_data_sum (&data, i, 1, 1);
          long double value = reals[r] == GT_F64 ? one.f64[0]
                              : reals[r] == GT_F32 ? one.f32[0] : one.ldbl[0];

          assert_true (fabsl (value) < 1.01L);
          assert_true (fmodl (fabsl (value) / data.unit, 2) == 1);
        }
      gt_data_clear (&data);
      free (x);
    }
}

RUN_TESTS (NULL, NULL)
