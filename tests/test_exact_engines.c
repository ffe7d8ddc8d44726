/* Tests of kernels/cpu/exact/exact.c: sums of numbers of all sizes by the functions of
   every instruction set that this processor has, against the superaccumulator fed
   number by number.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "kernels/catalog.h"
#include "tests/exact.h"
#include "tests/sums_oracle.h"
#include "tests/super.h"

#define MARGIN 16 /* elements of poison on either side */

/* ------------------------------------------------------------------- Data */

/* A number of either sign whose exponent is uniform in [FROM, TO]; its
   significand has all bits.  */
static double
random_scaled (uint64_t *seed, int from, int to)
{
  uint64_t word = random_word (seed);
  int exponent = from + (int) ((word >> 53 & 0x3ff) * (uint64_t) (to - from + 1)
                               >> 10);
  double x = 1 + (double) (word & (((uint64_t) 1 << 52) - 1)) * 0x1p-52;

  return ldexp (word >> 63 ? -x : x, exponent);
}

static double
random_unit (uint64_t *seed)
{
  return (double) (random_word (seed) >> 11) * 0x1p-53;
}

/* Element I of N; LOW and HIGH are the exponents of the type's smallest
   and largest numbers.  */
typedef double kind_function (uint64_t *seed, size_t i, size_t n, int low,
                              int high);

#define KIND(name, value)                                                  \
  static double name (uint64_t *seed, size_t i, size_t n, int low, int high) \
  {                                                                        \
    (void) seed, (void) i, (void) n, (void) low, (void) high;              \
    return value;                                                          \
  }
#define SCALED(from, to) random_scaled (seed, from, to)

KIND (uniform, random_unit (seed))
KIND (minus_zeros, -0.0)
KIND (whole, (double) random_within (seed, 1000))
KIND (normal_like, random_unit (seed) + random_unit (seed)
                     + random_unit (seed) - 1.5)
KIND (moderate, SCALED (-40, 40))
KIND (wider, SCALED (-70, 70))
KIND (half_range, SCALED (low / 2, high / 2))
KIND (whole_range, SCALED (low, high))
KIND (subnormal, SCALED (low, low + 20))
KIND (near_overflow, SCALED (high - 3, high))
KIND (one_sign_overflow, fabs (SCALED (high - 3, high)))
KIND (huge_and_tiny, i % 2 ? SCALED (high - 1, high) : SCALED (low, low + 9))
KIND (one_huge, i == n * 2 / 3 ? SCALED (high, high) : SCALED (low + 30, low + 60))
KIND (rare_huge, random_word (seed) % 300 ? random_unit (seed)
                                           : SCALED (-100, 100))
KIND (jumps_up, SCALED ((int) (i / 777 % 7) * 15, (int) (i / 777 % 7) * 15 + 9))
KIND (jumps_down, SCALED (100 - (int) (i / 777 % 7) * 15,
                          109 - (int) (i / 777 % 7) * 15))
KIND (jump_within, i < n / 2 ? SCALED (-3, 0) : SCALED (60, 64))
KIND (grows, SCALED ((int) (i * 200 / n) - 100, (int) (i * 200 / n) - 98))
KIND (half_zeros, random_word (seed) % 2 ? 0 : SCALED (low, high))
KIND (all_zeros_then_some, i < n / 2 ? 0 : SCALED (-10, 10))
KIND (cancels, (i % 2 ? -1 : 1) * ldexp (1 + (double) (i / 2 % 97), (int) (i / 2 % 50)))
KIND (large_pairs, i % 4 == 1 ? ldexp (1, 90) : i % 4 == 3 ? -ldexp (1, 90)
                                                           : random_unit (seed))
KIND (ones, 1)
KIND (one_ulp_below_two, 2 - 0x1p-52)
KIND (ties, i == 0 ? 1 : i == n / 2 ? 0x1p-53 : 0)
KIND (near_ties, i == 0 ? 1 : i == n / 2 ? 0x1p-53
                 : i == n - 1 ? (n % 2 ? ldexp (1, low) : -ldexp (1, low)) : 0)
KIND (float_near_ties, i == 0 ? 1 : i == n / 2 ? 0x1p-24
                       : i == n - 1 ? (n % 2 ? ldexp (1, low) : -ldexp (1, low)) : 0)
KIND (nan_among, i == n / 2 ? (double) NAN : random_unit (seed))
KIND (infinity_among, i == n / 3 ? (double) INFINITY : SCALED (low, high))
KIND (minus_infinity_last, i == n - 1 ? -(double) INFINITY : random_unit (seed))
KIND (both_infinities, i % 3 ? random_unit (seed)
                             : i % 2 ? (double) INFINITY : -(double) INFINITY)
KIND (many_nan, i % 2 ? (double) NAN : SCALED (low, high))

static kind_function *const kinds[] = {
  uniform, minus_zeros, whole, normal_like, moderate, wider, half_range,
  whole_range, subnormal, near_overflow, one_sign_overflow, huge_and_tiny,
  one_huge, rare_huge, jumps_up, jumps_down, jump_within, grows, half_zeros,
  all_zeros_then_some, cancels, large_pairs, ones, one_ulp_below_two, ties,
  near_ties, float_near_ties, nan_among, infinity_among, minus_infinity_last,
  both_infinities, many_nan
};
#define N_KINDS (sizeof kinds / sizeof *kinds)

/* ---------------------------------------------------------------- Checking */

/* Elements among poison: data[0] is element 0.  */
struct vector_f64
{
  double *buffer, *data;
  size_t n, stride;
  struct gt_superaccumulator expected; /* normalised */
};
struct vector_f32
{
  float *buffer, *data;
  size_t n, stride;
  struct gt_superaccumulator expected;
};

static void
assert_same_sum (struct gt_superaccumulator *sum,
                 const struct gt_superaccumulator *expected)
{
  super_normalise (sum);
  assert_true (oracle_same_words (sum->word, sum->flags, expected->word,
                                  expected->flags, GT_SUPER_WORDS));
}

#define CHECKS(name, id, ctype, add_one, low, high)                           \
  static struct vector_##name make_##name (kind_function *kind, size_t n,     \
                                           size_t stride, size_t offset,      \
                                           uint64_t seed)                     \
  {                                                                           \
    const size_t all = 2 * MARGIN + offset + n * stride;                      \
    struct vector_##name v = {NULL, NULL, n, stride, {{0}, 0, 0}};            \
                                                                              \
    v.buffer = malloc (all * sizeof *v.buffer);                               \
    assert_non_null (v.buffer);                                               \
    for (size_t i = 0; i < all; i++)                                          \
      v.buffer[i] = (ctype) (i % 2 ? NAN : 12345.678);                        \
    v.data = v.buffer + MARGIN + offset;                                      \
    for (size_t i = 0; i < n; i++)                                            \
      {                                                                       \
        v.data[i * stride] = (ctype) kind (&seed, i, n, low, high);           \
        add_one (&v.expected, v.data[i * stride]);                            \
      }                                                                       \
    super_normalise (&v.expected);                                         \
    return v;                                                                 \
  }                                                                           \
                                                                              \
  static void check_##name (const struct vector_##name *v)                    \
  {                                                                           \
    const struct gt_task task                                                 \
      = gt_task_of (GT_SUM, id, GT_MODE_EXACT, v->data, v->n, v->stride);     \
                                                                              \
    for (unsigned k = 0; k < GT_N_ISAS && gt_isa_runs ((enum gt_isa) k); k++) \
      {                                                                       \
        union gt_value sum;                                                   \
                                                                              \
        gt_catalog[GT_AT_exact].find[k](&task.problem, 1) (&task, &sum);      \
        assert_same_sum (&sum.super, &v->expected);                           \
      }                                                                       \
  }                                                                           \
                                                                              \
  static void check_lengths_##name (const size_t *lengths, size_t count)      \
  {                                                                           \
    for (size_t k = 0; k < count * N_KINDS; k++)                              \
      {                                                                       \
        const size_t stride = k % 3 == 0 ? 1 + k % 5 : 1;                     \
        struct vector_##name v                                                \
          = make_##name (kinds[k % N_KINDS], lengths[k / N_KINDS], stride,    \
                         k % 11, k);                                          \
                                                                              \
        check_##name (&v);                                                    \
        free (v.buffer);                                                      \
      }                                                                       \
  }

CHECKS (f64, GT_F64, double, super_add, -1074, 1023)
CHECKS (f32, GT_F32, float, super_add, -149, 127)

TEST (every_length_up_to_200)
{
  size_t lengths[201];

  for (size_t n = 0; n <= 200; n++)
    lengths[n] = n;
  check_lengths_f64 (lengths, 201);
  check_lengths_f32 (lengths, 201);
}

TEST (longer_lengths)
{
  static const size_t around[] = {
    255, 511, 959, 1007, 1024, 1025, 1791, 1920, 1921, 2047, 3000, 4096, 5555,
    10000, 20011, 40000
  };
  size_t lengths[40];
  uint64_t seed = 8;

  for (size_t k = 0; k < 40; k++)
    lengths[k] = k < sizeof around / sizeof *around
                   ? around[k] : 200 + random_word (&seed) % 6000;
  check_lengths_f64 (lengths, 40);
  check_lengths_f32 (lengths, 40);
}

/* Of many blocks.  */
TEST (very_long)
{
  static const size_t n = (1 << 20) + 13;

  for (size_t k = 0; k < N_KINDS; k++)
    {
      struct vector_f64 v = make_f64 (kinds[k], n, 1, 3, k);
      struct vector_f32 w = make_f32 (kinds[k], n, 1, 3, k);

      check_f64 (&v);
      check_f32 (&w);
      free (v.buffer);
      free (w.buffer);
    }
}

RUN_TESTS (NULL, NULL)
