/* Tests of the accumulators (kernels/superaccumulator.h, src/public/accumulator.c) at
   their edges: special values, the caller's floating-point modes, words as full
   as they get.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#if defined __x86_64__
#include <xmmintrin.h>
#endif

#include "kernels/cpu/wide/wide_superaccumulator.h"
#include "tests/accumulator_cases.h"

/* ---------------------------------------------------------- Special values */

/* FIRST and SECOND among numbers that cannot change the sum.  */
static void
check_special (double first, double second, double expected)
{
  const double x[] = {1e300, first, -1, second, 5e-324};
  unsigned char form[FORM];

  gsltune_accumulator_reset (acc);
  add_doubles (acc, x, N_OF (x));
  check_double ("special", gsltune_accumulator_round (acc), expected);
  check_float ("special", gsltune_accumulator_round_float (acc),
               (float) expected);
  check_long_double ("special", gsltune_accumulator_round_long_double (acc),
                     isnan (expected) ? (long double) NAN
                                      : (long double) expected);
  check_in_pieces ("special", x, N_OF (x));
  save (acc, form);
  assert_int_equal (form[8], isnan (expected) ? 3 : expected > 0 ? 1 : 2);
  for (int i = 16; i < FORM; i++)
    assert_int_equal (form[i], 0);
}

TEST (infinities_and_nans)
{
  seed = 6;
  check_special (INFINITY, 7, INFINITY);
  check_special (INFINITY, INFINITY, INFINITY);
  check_special (-INFINITY, -DBL_MAX, -INFINITY);
  check_special (INFINITY, -INFINITY, NAN);
  for (int bit = 0; bit < 52; bit++)
    for (int negative = 0; negative < 2; negative++)
      {
        double nan = make_double (negative, 2047, (uint64_t) 1 << bit);

        check_special (nan, 3, NAN);
        check_special (nan, INFINITY, NAN);
        check_special (-INFINITY, nan, NAN);
        check_special (nan, make_double (!negative, 2047,
                                         random_word (&seed) | 1), NAN);
      }
}

TEST (special_floats)
{
  for (int bit = -1; bit < 23; bit++)
    for (uint32_t sign = 0; sign < 2; sign++)
      {
        uint32_t word
          = sign << 31 | 0xffu << 23 | (bit < 0 ? 0 : (uint32_t) 1 << bit);
        float x[2] = {0, 1};

        memcpy (x, &word, sizeof *x);
        gsltune_accumulator_reset (acc);
        gsltune_accumulator_add_vector_float (acc, &VIEW (_float, x, 2, 1));
        check_float ("special float", gsltune_accumulator_round_float (acc),
                     bit >= 0 ? NAN : sign ? -INFINITY : INFINITY);
      }
}

static void
check_long_special (long double x, long double expected)
{
  gsltune_accumulator_reset (acc);
  gsltune_accumulator_add_vector_long_double (
    acc, &VIEW (_long_double, &x, 1, 1));
  check_long_double ("special", gsltune_accumulator_round_long_double (acc),
                     expected);
  check_double ("special long double", gsltune_accumulator_round (acc),
                isnan (expected) ? NAN : (double) expected);
}

TEST (special_long_doubles)
{
  check_long_special (INFINITY, INFINITY);
  check_long_special (-INFINITY, -INFINITY);
  check_long_special (NAN, NAN);
  check_long_special (-(long double) NAN, NAN);
  check_long_special (-0.0L, 0);
  check_long_special (LDBL_MAX, LDBL_MAX);
  check_long_special (-LDBL_MAX, -LDBL_MAX);
#if LDBL_MANT_DIG == 64 && defined __x86_64__
  /* Bits that x87 takes for no number, and its second way to write the smallest
     normal one.  */
  static const struct
  {
    uint64_t significand;
    uint16_t high;
    long double expected;
  } cases[] = {
    {(uint64_t) 1 << 62, 0x4000, NAN}, {0, 0x4000, NAN},
    {0, 0x7fff, NAN},                  {1, 0xffff, NAN},
    {(uint64_t) 3 << 62, 0xffff, NAN}, {(uint64_t) 1 << 63, 0, LDBL_MIN},
  };

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      long double x = 0;

      memcpy (&x, &cases[i].significand, 8);
      memcpy ((char *) &x + 8, &cases[i].high, 2);
      check_long_special (x, cases[i].expected);
    }
#endif
}

TEST (zeros)
{
  static const double minus[] = {-0.0, -0.0}, cancel[] = {5e-324, -5e-324};
  static const double tiny[] = {-1e-200};

  check_doubles ("empty", NULL, 0, 1);
  check_doubles ("-0", minus, 2, 1);
  check_doubles ("cancelled", cancel, 2, 1);
  check_doubles ("a float would underflow", tiny, 1, 1);
  assert_true (signbit (gsltune_accumulator_round_float (acc)));
}

TEST (strides)
{
  static double x[MOST * 7 + 1];
  static float f[MOST * 7 + 1];
  static long double l[MOST * 7 + 1];

  seed = 7;
  for (size_t stride = 1; stride <= 7; stride += 2)
    for (size_t n = 0; n <= MOST; n++)
      {
        for (size_t i = 0; i < N_OF (x); i++)
          x[i] = f[i] = l[i] = NAN;
        oracle_reset (&narrow);
        gsltune_accumulator_reset (acc);
        for (size_t i = 0; i < n; i++)
          {
            x[i * stride] = ldexp (i + 1.0, (int) (20 * i));
            f[i * stride] = l[i * stride] = -(float) i - 0.1f;
            oracle_add (&narrow, x[i * stride]);
            oracle_add_many (&narrow, f[i * stride], 2);
          }
        gsltune_accumulator_add_vector (acc, &VIEW (, x, n, stride));
        gsltune_accumulator_add_vector_float (acc, &VIEW (_float, f, n, stride));
        gsltune_accumulator_add_vector_long_double (
          acc, &VIEW (_long_double, l, n, stride));
        check_rounded ("strides", acc, &narrow);
      }
}

/* --------------------------------------- The caller's floating-point modes */

struct environment
{
  int rounding, exceptions;
  unsigned mxcsr, x87;
};

static struct environment
environment (void)
{
  struct environment now = {fegetround (), fetestexcept (FE_ALL_EXCEPT), 0, 0};

#if defined __x86_64__
  unsigned short x87;

  now.mxcsr = _mm_getcsr ();
  __asm__ volatile ("fnstcw %0" : "=m"(x87));
  now.x87 = x87;
#endif
  return now;
}

/* Rounding as ROUNDING; by the bits of MORE subnormal results flushed, subnormal operands
   taken for zero, and x87 at 24 bits.  */
static void
disturb (int rounding, unsigned more)
{
  fesetround (rounding);
  feclearexcept (FE_ALL_EXCEPT);
#if defined __x86_64__
  unsigned short x87;

  _mm_setcsr (_mm_getcsr () | (more & 1 ? 0x8000 : 0) | (more & 2 ? 0x40 : 0));
  __asm__ volatile ("fnstcw %0" : "=m"(x87));
  x87 &= (unsigned short) (more & 4 ? ~0x300u : ~0u);
  __asm__ volatile ("fldcw %0" : : "m"(x87));
#else
  (void) more;
#endif
}

/* Adds the numbers as long doubles, or as products with 1: then the sum is rounded in
   other ways than one of doubles.  Sums of doubles need neither.  */
static void
add_again (const double *x, size_t n, unsigned how)
{
  static const double one = 1;
  long double l[MOST];

  for (size_t i = 0; i < n; i++)
    l[i] = x[i];
  if (how == 0)
    add_doubles (acc, x, n);
  else if (how == 1)
    gsltune_accumulator_add_vector_long_double (acc,
                                                &VIEW (_long_double, l, n, 1));
  else
    for (size_t i = 0; i < n; i++)
      gsltune_accumulator_add_vector_products (acc, &VIEW (, (double *) x + i, 1, 1),
                                               &VIEW (, (double *) &one, 1, 1));
}

/* Like check_doubles, with the numbers twice, the second time as add_again has it, but
   under ROUNDING and MORE.  */
static void
check_disturbed (const double *x, size_t n, int rounding, unsigned more,
                 unsigned how)
{
  struct environment before, after;
  long double rounded_long;
  double rounded;
  float rounded_float;
  fenv_t quiet;

  oracle_reset (&narrow);
  for (size_t i = 0; i < n; i++)
    oracle_add_many (&narrow, x[i], 2);
  fegetenv (&quiet);
  disturb (rounding, more);
  before = environment ();
  gsltune_accumulator_reset (acc);
  add_doubles (acc, x, n);
  add_again (x, n, how);
  send (acc, acc);
  rounded = gsltune_accumulator_round (acc);
  rounded_float = gsltune_accumulator_round_float (acc);
  rounded_long = gsltune_accumulator_round_long_double (acc);
  after = environment ();
  fesetenv (&quiet);
  assert_memory_equal (&before, &after, sizeof before);
  check_double ("disturbed", rounded, oracle_round (&narrow));
  check_float ("disturbed", rounded_float, oracle_round_float (&narrow));
  check_long_double ("disturbed", rounded_long,
                     oracle_round_long_double (&narrow));
}

TEST (environments)
{
  static const int roundings[]
    = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static const double specials[] = {INFINITY, 1, -INFINITY};
  const double signalling[] = {make_double (0, 2047, 1), 1};

  seed = 8;
  for (int i = 0; i < 20000; i++)
    {
      size_t n = below (MOST);
      double x[MOST];

      kinds[below (N_OF (kinds))].fill (x, n);
      check_disturbed (x, n, roundings[i % 4], (unsigned) i / 4 % 8, below (3));
    }
  for (unsigned i = 0; i < 32; i++)
    {
      check_disturbed (specials, 1 + 2 * (i % 2), roundings[i % 4], i / 4, i % 3);
      check_doubles ("signalling", signalling, 2, 0);
    }
}

/* ------------------------------------------------------------- Very many */

/* Adds X, TIMES times, as a loop over gt_super_put_f64 would.  */
static void
put_many (struct gt_superaccumulator *sum, double x, uint32_t times)
{
  struct gt_super_digits digits = {0, {0}};

  assert_int_equal (gt_super_cut_f64 (x, &digits), 0);
  for (int k = 0; k < 3; k++)
    sum->word[digits.first + k] += digits.digit[k] * (int64_t) times;
  gt_super_noted (sum, times);
}

/* 2^34 numbers and more, each of digits as large as can be, so that words
   would overflow if they were not normalised in time.  */
TEST (full_words)
{
  static const double scales[] = {0x1p-1022, 0x1p-500, 1, 0x1p900, 0x1p1023};

  for (int shift = 0; shift < 32; shift++)
    for (size_t i = 0; i < N_OF (scales); i++)
      for (int sign = -1; sign <= 1; sign += 2)
        {
          double x = sign * (2 - DBL_EPSILON) * scales[i];
          struct gt_superaccumulator sum = {{0}, 0, 0}, other;

          x = i + 1 < N_OF (scales) ? ldexp (x, shift) : x;
          oracle_reset (&narrow);
          put_many (&sum, x, GT_SUPER_LIMIT - 1);
          assert_int_equal (sum.count, GT_SUPER_LIMIT - 1);
          for (int k = 0; k < 15; k++)
            put_many (&sum, x, GT_SUPER_LIMIT);
          assert_true (sum.count <= GT_SUPER_LIMIT);
          oracle_add_many (&narrow, x, 16ul * GT_SUPER_LIMIT - 1);
          other = sum;
          for (int k = 0; k < 3; k++)
            gt_super_add (&sum, 1.5);
          gt_super_merge (&sum, &other);
          gt_super_merge (&sum, &sum);
          oracle_add_many (&narrow, 1.5, 6);
          oracle_add_many (&narrow, x, 48ul * GT_SUPER_LIMIT - 3);
          check_double ("2^36 numbers", gt_super_round (&sum),
                        oracle_round (&narrow));
        }
}

/* A word's 2^31 addends, the most it may hold, of either sign, and the carry
   from a word that is as full.  */
TEST (fullest_words)
{
  for (int sign = -1; sign <= 1; sign += 2)
    {
      struct gt_superaccumulator sum = {{0}, 0, 0};

      oracle_reset (&narrow);
      sum.count = GT_SUPER_LIMIT;
      for (int i = 0; i < GT_SUPER_WORDS - 2; i++)
        {
          sum.word[i] = sign * (INT64_MAX - INT32_MAX);
          oracle_add_scaled (&narrow, sum.word[i], 32 * i + GT_SUPER_LOWEST);
        }
      gt_super_noted (&sum, GT_SUPER_LIMIT);
      assert_int_equal (sum.count, 1);
      check_float ("fullest words", gt_super_round_float (&sum),
                   sign * INFINITY);
      oracle_add_scaled (&narrow, -sum.word[GT_SUPER_WORDS - 1],
                         32 * (GT_SUPER_WORDS - 1) + GT_SUPER_LOWEST);
      sum.word[GT_SUPER_WORDS - 1] = 0;
      for (int i = GT_SUPER_WORDS - 2; i > 0; i--)
        {
          check_double ("fullest words", gt_super_round (&sum),
                        oracle_round (&narrow));
          oracle_add_scaled (&narrow, -sum.word[i],
                             32 * i + GT_SUPER_LOWEST);
          sum.word[i] = 0;
        }
    }
}

/* Longer than what is added between two notes; stride 0 repeats a number.  */
TEST (long_array)
{
  const double x = 0x1.fffffffffffffp-1000;
  const size_t n = ((size_t) 1 << 29) + 3;
  struct gt_superaccumulator sum = {{0}, 0, 0};

  gt_super_add_array_f64 (&sum, &x, n, 0);
  assert_int_equal (sum.count, n);
  oracle_reset (&narrow);
  oracle_add_many (&narrow, x, n);
  check_double ("long array", gt_super_round (&sum), oracle_round (&narrow));
}

/* Doubled 64 times: 2^64 of the largest numbers, and back.  */
TEST (longest_sums)
{
  const double most[] = {DBL_MAX, -DBL_MAX, 1e-300};
  const long double longest[] = {LDBL_MAX, -LDBL_MAX, 1e-300L};

  for (int type = 0; type < 2; type++)
    for (int sign = 0; sign < 2; sign++)
      {
        for (int i = 0; i < 3; i++)
          {
            gsltune_accumulator_reset (pieces[i]);
            if (type == 0)
              add_doubles (pieces[i], &most[i == 2 ? 2 : i ^ sign], 1);
            else
              gsltune_accumulator_add_vector_long_double (
                pieces[i], &VIEW (_long_double,
                                  (long double *) &longest[i == 2 ? 2
                                                                  : i ^ sign],
                                  1, 1));
          }
        for (int k = 0; k < 64; k++)
          for (int i = 0; i < 2; i++)
            gsltune_accumulator_merge (pieces[i], pieces[i]);
        send (pieces[0], pieces[0]);
        check_double ("2^64 numbers", gsltune_accumulator_round (pieces[0]),
                      sign ? -INFINITY : INFINITY);
        check_long_double (
          "2^64 numbers", gsltune_accumulator_round_long_double (pieces[1]),
          type == 0 && LDBL_MAX_EXP > 1088 ? ldexpl (most[1 ^ sign], 64)
          : sign                           ? (long double) INFINITY
                                           : -(long double) INFINITY);
        gsltune_accumulator_merge (pieces[0], pieces[2]);
        gsltune_accumulator_merge (pieces[0], pieces[1]);
        check_double ("2^64 numbers and back",
                      gsltune_accumulator_round (pieces[0]),
                      type ? (double) longest[2] : most[2]);
        check_same_form ("2^64 numbers and back", pieces[0], pieces[2]);
      }
}

TEST (scaled)
{
  seed = 9;
  for (int round = 0; round < 100000; round++)
    {
      struct gt_superaccumulator sum = {{0}, GT_SUPER_LIMIT - 5, 0};
      int range = below (2) ? 2100 : 1 + (int) below (100);
      int first = -1074 + (int) below ((unsigned) (2101 - range));

      oracle_reset (&narrow);
      for (unsigned n = below (20); n > 0; n--)
        {
          int64_t m = (int64_t) random_word (&seed) >> below (64);
          int e = first + (int) below ((unsigned) range);

          if (below (16) == 0)
            m = below (2) ? INT64_MIN : INT64_MAX;
          gt_super_add_scaled (&sum, m, e);
          oracle_add_scaled (&narrow, m, e);
        }
      check_double ("scaled", gt_super_round (&sum), oracle_round (&narrow));
      check_float ("scaled", gt_super_round_float (&sum),
                   oracle_round_float (&narrow));
    }
}

RUN_TESTS (set_up, tear_down)
