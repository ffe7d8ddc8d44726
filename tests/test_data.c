/* Tests of tuning/measure/data.c: the oracle that every kernel is verified against.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "tests/sums.h"

#include "kernels/cpu/wide/wide_superaccumulator.h"
#include "src/base/names.h"
#include "tuning/measure/data.h"

#define PERIOD 99991

typedef void data_test (const struct gt_data *data);

static void
for_each_arithmetic (data_test *test)
{
  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    {
      struct gt_data data;

      assert_int_equal (gt_data_init (&data, (enum gt_arithmetic) a,
                                      GT_DATA_WHOLE),
                      0);
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
is_exactly (const struct gt_data *data, const union gt_value *sum,
            __int128 exact)
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
            union gt_value sum = gt_data_sum (data, offsets[o], lengths[l],
                                            strides[s]);

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
      union gt_value sum = gt_data_sum (data, offset, periods * PERIOD + rest,
                                      stride);
      __int128 period = 0, exact = 0;

      for (uint64_t k = 0; k < PERIOD; k++)
        period += element (data, k);
      for (uint64_t k = 0; k < rest; k++)
        exact += element (data, offset + k * stride);
      assert_true (is_exactly (data, &sum,
                               exact + (__int128) periods * period));
    }
}

TEST (long_sums)
{
  for_each_arithmetic (compare_long_sums);
}

static void
check_filled (const struct gt_data *data)
{
  size_t bytes = (2 * PERIOD + 777) * data->size + 1;
  char *buffer = malloc (bytes + 1);

  assert_non_null (buffer);
  buffer[bytes] = 'x';
  gt_data_fill (data, buffer, bytes);
  for (size_t i = 0; i < bytes; i++)
    if (buffer[i]
        != ((const char *) data->pattern)[i % (PERIOD * data->size)])
      fail_msg ("byte %zu of %s", i, gt_arithmetics[data->arithmetic].name);
  assert_int_equal (buffer[bytes], 'x');
  free (buffer);
}

TEST (filling_repeats_the_pattern)
{
  for_each_arithmetic (check_filled);
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

/* Integers wrap, which signed ones do by way of unsigned ones.  */
#define PLUS(ctype, real, a, b) \
  (real ? (ctype) ((a) + (b)) : (ctype) ((uint64_t) (a) + (uint64_t) (b)))

/* Adds elements in the arithmetic's own numbers, LANES sums side by side, the
   vector cut into PARTS, from the end when BACKWARDS; then the lanes and the
   parts in turn.  Every one of them must be exact for the result to be.  */
static union gt_value
sum_in_order (const struct gt_data *data, uint64_t n, unsigned lanes,
              unsigned parts, int backwards)
{
  union gt_value sum;

  memset (&sum, 0, sizeof sum);
  switch (data->arithmetic)
    {
#define X(id, name, ctype, real)                                          \
    case GT_##id:                                                         \
      for (unsigned p = 0; p < parts; p++)                                \
        for (unsigned l = 0; l < lanes; l++)                              \
          {                                                               \
            uint64_t begin = n / parts * p;                               \
            uint64_t end = p + 1 == parts ? n : begin + n / parts;        \
            volatile ctype lane = 0;                                      \
            for (uint64_t k = begin + l; k < end; k += lanes)             \
              {                                                           \
                uint64_t at = backwards ? n - 1 - k : k;                  \
                lane = PLUS (                                             \
                  ctype, real, lane,                                      \
                  ((const ctype *) data->pattern)[at % PERIOD]);          \
              }                                                           \
            sum.name[0] = PLUS (ctype, real, sum.name[0], lane);          \
          }                                                               \
      break;
      GT_ARITHMETICS (X)
#undef X
    default:
      break;
    }
  return sum;
}

static void
check_orders (const struct gt_data *data)
{
  static const uint64_t lengths[] = {1, 1000, PERIOD, 1 << 20, 3000017};
  static const unsigned lanes[] = {1, 8, 128, 4096};

  for (size_t i = 0; i < N_OF (lengths); i++)
    for (size_t l = 0; l < N_OF (lanes); l++)
      {
        union gt_value expected = gt_data_sum (data, 0, lengths[i], 1);
        union gt_value is = sum_in_order (data, lengths[i], lanes[l],
                                        l % 2 ? 7 : 1, i % 2);

        if (!gt_value_equal (data->arithmetic, &is, &expected))
          fail_msg ("%s: n %ju in %u lanes",
                    gt_arithmetics[data->arithmetic].name,
                    (uintmax_t) lengths[i], lanes[l]);
      }
}

TEST (sums_are_exact_in_any_order)
{
  for_each_arithmetic (check_orders);
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

/* ------------------------------------------------------- Cancelling data */

/* EXACT receives the sum, PLAIN that of a plain loop, COMPENSATED that of
   Neumaier's.  */
static void
sum_cancelling (enum gt_arithmetic arithmetic, __int128 *exact,
                long double *plain, long double *compensated)
{
  void *buffer = malloc (GT_HARD_N * gt_arithmetics[arithmetic].size);

  assert_non_null (buffer);
  gt_data_hard (arithmetic, buffer);
  *exact = 0;
  switch (arithmetic)
    {
#define X(id, name, ctype, real)                                     \
    case GT_##id:                                                    \
      {                                                              \
        volatile ctype naive = 0, sum = 0, rest = 0, next;           \
        for (size_t i = 0; i < GT_CANCELLING_N; i++)                 \
          {                                                          \
            ctype v = ((const ctype *) buffer)[i];                   \
            *exact += (__int128) v;                                  \
            naive = naive + v;                                       \
            next = sum + v;                                          \
            if (fabsl (sum) >= fabsl (v))                            \
              rest = rest + ((sum - next) + v);                      \
            else                                                     \
              rest = rest + ((v - next) + sum);                      \
            sum = next;                                              \
          }                                                          \
        *plain = naive;                                              \
        *compensated = sum + rest;                                   \
      }                                                              \
      break;
      GT_REAL_ARITHMETICS (X)
#undef X
    default:
      break;
    }
  free (buffer);
}

TEST (cancelling_data_needs_compensation)
{
  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    if (gt_arithmetics[a].real && (a != GT_LDBL || LDBL_MANT_DIG == 64))
      {
        __int128 exact; /* too narrow for wider long doubles */
        long double plain, compensated;

        sum_cancelling ((enum gt_arithmetic) a, &exact, &plain, &compensated);
        assert_true (exact == GT_CANCELLING_N / 2);
        assert_true (plain != GT_CANCELLING_N / 2);
        assert_true (compensated == GT_CANCELLING_N / 2);
      }
}

/* ----------------------------------------------------- Equality and text */

TEST (equality)
{
  union gt_value a, b;

  memset (&a, 0, sizeof a);
  memset (&b, 0, sizeof b);
  assert_true (gt_value_equal (GT_U8, &a, &b));
  b.u8[1] = 1; /* the compensation does not count */
  assert_true (gt_value_equal (GT_U8, &a, &b));
  b.u8[0] = 1;
  assert_false (gt_value_equal (GT_U8, &a, &b));
  assert_false (gt_value_equal (GT_U64, &a, &b));
  a.f64[0] = 0.0;
  b.f64[0] = -0.0;
  assert_true (gt_value_equal (GT_F64, &a, &b));
  a.f64[0] = b.f64[0] = NAN; /* poison is never right */
  assert_false (gt_value_equal (GT_F64, &a, &b));
}

TEST (text)
{
  union gt_value sum;
  char is[48];

  sum.u64[0] = UINT64_MAX;
  gt_value_text (GT_U64, &sum, is, sizeof is);
  assert_string_equal (is, "18446744073709551615");
  sum.f64[0] = -9007199254740991.0;
  gt_value_text (GT_F64, &sum, is, sizeof is);
  assert_string_equal (is, "-9007199254740991");
  sum.u16[0] = 65535;
  gt_value_text (GT_U16, &sum, is, sizeof is);
  assert_string_equal (is, "65535");
}

/* ------------------------------------------- Full data, special numbers */

/* The exact sum of N elements STRIDE apart, by accumulators.  */
static union gt_value
accumulated (enum gt_arithmetic arithmetic, const void *x, size_t n,
             size_t stride)
{
  struct gt_wide_superaccumulator wide = {{0}, 0, 0};
  union gt_value sum;

  if (arithmetic == GT_LDBL)
    {
      gt_wide_add_array (&wide, x, n, stride);
      sum.ldbl[0] = gt_wide_round_long_double (&wide);
      return sum;
    }
  gt_super_clear (&sum.super);
  if (arithmetic == GT_F64)
    gt_super_add_array_f64 (&sum.super, x, n, stride);
  else
    gt_super_add_array_f32 (&sum.super, x, n, stride);
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
      assert_int_equal (gt_data_init (&data, reals[r],
                                      GT_DATA_FULL), 0);
      gt_data_fill (&data, x, 4 * PERIOD * size);
      for (size_t c = 0; c < N_OF (cases); c++)
        {
          union gt_value is = gt_data_sum (&data, cases[c].offset, cases[c].n,
                                         cases[c].stride);
          union gt_value expected
            = accumulated (reals[r], x + cases[c].offset * size, cases[c].n,
                           cases[c].stride);

          assert_true (gt_value_identical (reals[r], &is, &expected));
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

/* ----------------------------------------------------------- Magnitudes */

/* The exact sum of the magnitudes of N elements at X.  */
static union gt_value
accumulated_magnitudes (enum gt_arithmetic arithmetic, const void *x, size_t n)
{
  const size_t size = gt_arithmetics[arithmetic].size;
  char *magnitudes = malloc (n * size);
  union gt_value sum;

  assert_non_null (magnitudes);
  for (size_t i = 0; i < n; i++)
    switch (arithmetic)
      {
#define X(id, name, ctype, real)                                              \
      case GT_##id:                                                           \
        ((ctype *) magnitudes)[i] = (ctype) fabsl (((const ctype *) x)[i]);   \
        break;
        GT_REAL_ARITHMETICS (X)
#undef X
      default:
        fail ();
      }
  sum = accumulated (arithmetic, magnitudes, n, 1);
  free (magnitudes);
  return sum;
}

/* Over more than a period, where a sum in 64 bits would be too short.  */
TEST (magnitudes_are_summed_exactly)
{
  const size_t n = 2 * PERIOD + 77;

  for (size_t r = 0; r < 2; r++)
    for (int mode = GT_MODE_FAST; mode <= GT_MODE_EXACT; mode += 2)
      {
        size_t size = gt_arithmetics[reals[r]].size;
        const struct gt_problem problem
          = {.reduction = GT_ASUM, .arithmetic = reals[r],
             .mode = (enum gt_mode) mode};
        char *x = malloc ((n + 5) * size);
        struct gt_data data;
        union gt_value is, expected;

        assert_non_null (x);
        assert_int_equal (gt_data_init (&data, reals[r],
                                        gt_data_kind_for (&problem)),
                          0);
        gt_data_fill (&data, x, (n + 5) * size);
        is = gt_data_magnitudes (&data, 5, n, 1);
        expected = accumulated_magnitudes (reals[r], x + 5 * size, n);
        assert_true (gt_value_identical (reals[r], &is, &expected));
        /* A stride of a period and one is one of one.  */
        is = gt_data_magnitudes (&data, 5, 1000, PERIOD + 1);
        expected = gt_data_magnitudes (&data, 5, 1000, 1);
        assert_true (gt_value_identical (reals[r], &is, &expected));
        gt_data_clear (&data);
        free (x);
      }
}

/* The special vectors' sums in REDUCTION, as accumulators find them.  */
static void
check_specials (enum gt_reduction reduction)
{
  static char x[GT_HARD_N * sizeof (long double)];

  for (size_t r = 0; r < N_OF (reals); r++)
    {
      size_t step = GT_SPECIAL_N * gt_arithmetics[reals[r]].size;

      gt_data_hard (reals[r], x);
      for (unsigned which = 0; which < GT_N_SPECIALS; which++)
        {
          const char *from
            = x + GT_CANCELLING_N * gt_arithmetics[reals[r]].size + which * step;
          union gt_value is = gt_data_special_sum (reduction, reals[r], which);
          union gt_value expected
            = reduction == GT_ASUM
                ? accumulated_magnitudes (reals[r], from, GT_SPECIAL_N)
                : accumulated (reals[r], from, GT_SPECIAL_N, 1);

          assert_true (gt_value_identical (reals[r], &is, &expected));
        }
    }
}

TEST (special_sums_are_right)
{
  check_specials (GT_SUM);
}

TEST (special_magnitudes_are_right)
{
  check_specials (GT_ASUM);
}

/* Zeros of two signs are equal, and not identical.  */
TEST (identical_is_more_than_equal)
{
  union gt_value zero = {.f64 = {0.0}}, minus = {.f64 = {-0.0}};
  union gt_value quiet = {.f64 = {NAN}}, other = quiet;

  assert_true (gt_value_equal (GT_F64, &zero, &minus));
  assert_false (gt_value_identical (GT_F64, &zero, &minus));
  assert_false (gt_value_equal (GT_F64, &quiet, &other));
  assert_true (gt_value_identical (GT_F64, &quiet, &other));
  other.f64[0] = -NAN;
  assert_false (gt_value_identical (GT_F64, &quiet, &other));
}

RUN_TESTS (NULL, NULL)
