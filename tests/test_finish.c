/* Tests of what exact sums are finished to (kernels/cpu/finish/finish.h): rounded
   once, against GNU MP and MPFR; GSL at the edges.

   The argument is how many cases of each kind there are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "kernels/cpu/finish/finish.h"
#include "kernels/products.h"
#include "tests/drawn.h"
#include "tests/oracle.h"
#include "tests/super.h"

/* ------------------------------------------------------------------ Oracle */

/* Sums of x, x^2 and x y, of N elements each, in units of 2^UNIT and, of products, 2^(2 UNIT).  */
enum sum
{
  S, Q, P, N_SUMS
};
#define UNIT (-1074)

static struct
{
  mpz_t sum[N_SUMS];
  uint64_t n;
} sums;
static uint64_t seed;
static mpz_t over, under, scratch, added[2];
static mpfr_t big;

FIXTURE (set_up_sums)
{
  for (int i = 0; i < N_SUMS; i++)
    mpz_init (sums.sum[i]);
  mpz_inits (over, under, scratch, added[0], added[1], NULL);
  mpfr_init2 (big, 256);
  return 0;
}

FIXTURE (tear_down_sums)
{
  for (int i = 0; i < N_SUMS; i++)
    mpz_clear (sums.sum[i]);
  mpz_clears (over, under, scratch, added[0], added[1], NULL);
  mpfr_clear (big);
  mpfr_free_cache ();
  return 0;
}

static void
set_u64 (mpz_t z, uint64_t value)
{
  mpz_import (z, 1, 1, sizeof value, 0, 0, &value);
}

static void
clear_sums (void)
{
  for (int i = 0; i < N_SUMS; i++)
    mpz_set_ui (sums.sum[i], 0);
  sums.n = 0;
}

/* Adds the pair of X and Y.  */
static void
add_to_sums (double x, double y)
{
  for (int i = 0; i < 2; i++)
    {
      int e;
      const double m = frexp (i ? y : x, &e);

      mpz_set_si (added[i], (long) ldexp (m, 53));
      e -= UNIT + 53;
      if (e >= 0)
        mpz_mul_2exp (added[i], added[i], (mp_bitcnt_t) e);
      else
        mpz_tdiv_q_2exp (added[i], added[i], (mp_bitcnt_t) -e);
    }
  mpz_add (sums.sum[S], sums.sum[S], added[0]);
  mpz_addmul (sums.sum[Q], added[0], added[0]);
  mpz_addmul (sums.sum[P], added[0], added[1]);
  sums.n++;
}

/* The product, or its root, rounded to odd in BIG, and as a double; an exact zero is +0.  */
static double
expected_product (enum sum product, int is_root)
{
  mpz_set_ui (under, 1);
  oracle_divide (big, sums.sum[product], under, 2 * UNIT, is_root);
  return mpfr_zero_p (big) ? 0 : mpfr_get_d (big, MPFR_RNDN);
}

static double
expected_mean (void)
{
  set_u64 (under, sums.n);
  oracle_divide (big, sums.sum[S], under, UNIT, 0);
  return sums.n == 0 || mpfr_zero_p (big) ? 0 : mpfr_get_d (big, MPFR_RNDN);
}

/* Bit for bit, but for what NaN holds beside its sign.  */
static void
check (const char *what, double is, double expected)
{
  if (isnan (expected) ? isnan (is) && !signbit (is) : memcmp (&is, &expected, sizeof is) == 0)
    return;
  gmp_fprintf (stderr, "n %ju\nS %Zx\nQ %Zx\nP %Zx\n", (uintmax_t) sums.n, sums.sum[S],
               sums.sum[Q], sums.sum[P]);
  fail_msg ("%s: %a instead of %a (seed %ju)", what, is, expected, (uintmax_t) seed);
}

/* ----------------------------------------------------------------- States */

/* The digits of Z 2^UP in N words, carries left here and there where BITS has a bit.  */
static void
fill_words (int64_t *word, int n, const mpz_t z, int up, uint64_t bits)
{
  uint32_t digits[160];
  size_t count;

  memset (word, 0, (size_t) n * sizeof *word);
  mpz_mul_2exp (scratch, z, (mp_bitcnt_t) up);
  if (mpz_sizeinbase (scratch, 2) > 32 * (size_t) n)
    abort ();
  mpz_export (digits, &count, -1, sizeof *digits, 0, 0, scratch);
  for (size_t i = 0; i < count; i++)
    word[i] = mpz_sgn (z) < 0 ? -(int64_t) digits[i] : digits[i];
  for (int i = 0; i + 1 < n; i++)
    if (word[i] != 0 && bits >> (i % 61) & 1)
      {
        const int64_t carry = (int64_t) (bits >> (i % 31) & 0x1fffffff);

        word[i] += carry * ((int64_t) 1 << 32);
        word[i + 1] -= carry;
      }
}

static void
fill_plain (struct gt_superaccumulator *plain, const mpz_t z, uint64_t bits)
{
  super_clear (plain);
  fill_words (plain->word, GT_SUPER_WORDS, z, 0, bits);
  plain->count = GT_SUPER_LIMIT;
}

static void
fill_product (struct gt_product_accumulator *product, const mpz_t z, uint64_t bits)
{
  memset (product, 0, sizeof *product);
  fill_words (product->word, GT_PRODUCT_WORDS, z, -2148 - GT_PRODUCT_LOWEST, bits);
  product->count = GT_SUPER_LIMIT;
}

static int cases = 50000;

static unsigned
some_below (unsigned limit)
{
  return (unsigned) below (&seed, (int) limit);
}

/* ------------------------------------------ Everything that a state gives */

struct accumulators
{
  struct gt_superaccumulator s;
  struct gt_product_accumulator q, p;
};

static void
check_norm (const struct gt_product_accumulator *q)
{
  check ("norm", gt_finish_product (q, 1).f64, expected_product (Q, 1));
  check ("float norm", (double) gt_finish_product (q, 1).f32,
         mpfr_zero_p (big) ? 0 : (double) mpfr_get_flt (big, MPFR_RNDN));
}

/* The sums of products, in accumulators with carries anywhere.  */
static void
check_products (void)
{
  struct accumulators a;

  fill_product (&a.q, sums.sum[Q], random_word (&seed));
  fill_product (&a.p, sums.sum[P], random_word (&seed));
  check ("dot", gt_finish_product (&a.p, 0).f64, expected_product (P, 0));
  check_norm (&a.q);
}

static void
check_mean (uint64_t carries)
{
  struct gt_superaccumulator s;

  fill_plain (&s, sums.sum[S], carries);
  check ("mean", gt_finish_mean (&s, sums.n).f64, expected_mean ());
}

/* -------------------------------------------------------------- Elements */

enum { MOST = 20 };

static void
fill (double *x, size_t n)
{
  draw_elements (GT_TYPE_DOUBLE, x, 1, n, (enum kind) some_below (N_FINITE), &seed);
}

/* As they are, or as if all had come 2^60 times at most.  */
TEST (elements)
{
  seed = 1;
  for (int i = 0; i < cases / 2; i++)
    {
      const size_t n = some_below (5) ? some_below (6) : some_below (MOST);
      double x[MOST], y[MOST];

      fill (x, n);
      fill (y, n);
      if (some_below (8) == 0)
        for (size_t k = 0; k < n; k++)
          y[k] = some_below (2) ? x[0] : -x[k];
      clear_sums ();
      for (size_t k = 0; k < n; k++)
        add_to_sums (x[k], y[k]);
      if (n && some_below (3) == 0)
        {
          const unsigned times = some_below (60);

          for (int k = 0; k < N_SUMS; k++)
            mpz_mul_2exp (sums.sum[k], sums.sum[k], times);
          sums.n <<= times;
          add_to_sums (x[0], y[0]);
        }
      check_mean (random_word (&seed));
      check_products ();
    }
}

/* The accumulators themselves, filled from elements.  */
TEST (accumulators_of_elements)
{
  seed = 2;
  for (int i = 0; i < cases / 5; i++)
    {
      const size_t n = some_below (MOST);
      struct gt_superaccumulator s;
      struct gt_product_accumulator q;
      double x[MOST];

      fill (x, n);
      clear_sums ();
      super_clear (&s);
      memset (&q, 0, sizeof q);
      for (size_t k = 0; k < n; k++)
        {
          add_to_sums (x[k], 0);
          super_add (&s, x[k]);
          gt_product_put_f64 (&q, x[k], x[k]);
          gt_super_note (q.word, GT_PRODUCT_WORDS, &q.count, 1);
        }
      check ("mean", gt_finish_mean (&s, n).f64, expected_mean ());
      check_norm (&q);
    }
}

/* Merged with themselves they stand for up to 2^62 elements, whose digits leave the words in time.  */
TEST (merged_often)
{
  const double x = 0x1.fffffffffffffp0;
  struct gt_superaccumulator s;
  struct gt_product_accumulator q;

  super_clear (&s);
  super_add (&s, -x);
  memset (&q, 0, sizeof q);
  gt_product_put_f64 (&q, x, x);
  gt_super_note (q.word, GT_PRODUCT_WORDS, &q.count, 1);
  for (int k = 0; k < 62; k++)
    {
      gt_super_merge (&s, &s);
      gt_product_merge (&q, &q);
    }
  assert_true (gt_finish_mean (&s, 1).f64 == -x * 0x1p62);
  assert_true (gt_finish_product (&q, 0).f64 == x * x * 0x1p62);
}

/* ------------------------------------------------ Halfway, and next to it

   Sums for which a result is exactly halfway between two neighbours, b units of
   some power of two, b odd; and those one unit of the accumulator away, or more.  */

/* An odd number of BITS bits, times 2^E.  */
static void
set_middle (mpz_t z, unsigned bits, unsigned e)
{
  uint64_t b = random_word (&seed);

  if (some_below (4) == 0)
    b = some_below (2) ? 0 : UINT64_MAX;
  b = (b >> (64 - bits)) | (uint64_t) 1 << (bits - 1) | 1;
  set_u64 (z, b);
  mpz_mul_2exp (z, z, e);
}

/* Adds to Z nothing, or a small number of either sign.  */
static void
nudge (mpz_t z)
{
  const unsigned bits = (unsigned) mpz_sizeinbase (z, 2);

  if (bits <= 2 || some_below (3) == 0)
    return;
  mpz_set_ui (scratch, 1);
  mpz_mul_2exp (scratch, scratch, some_below (2) ? 0 : some_below (bits - 1));
  if (some_below (2))
    mpz_add (z, z, scratch);
  else
    mpz_sub (z, z, scratch);
}

static uint64_t
some_count (void)
{
  static const uint64_t ends[]
    = {1, 2, 3, UINT64_MAX, UINT64_MAX - 1, (uint64_t) 1 << 63, 1u << 31};
  const unsigned which = some_below (20);

  return which < N_OF (ends) ? ends[which]
                             : 2 + (random_word (&seed) >> some_below (63));
}

/* A number halfway between two doubles or two floats, subnormal ones and those
   next to overflow among them, in units of 2^-ONE_IS.  */
static void
some_middle (mpz_t z, int one_is)
{
  const int is_float = some_below (4) == 0;
  const unsigned bits = is_float ? 25 : 54;
  const int least = (is_float ? -150 : -1075), most = is_float ? 103 : 970;
  const unsigned fewer = some_below (3) ? 0 : some_below (bits - 1);
  int e = some_below (4) ? least + 1 + (int) some_below ((unsigned) (most - least)) : most;

  if (fewer)
    e = least;
  if (e + one_is < 0)
    e = -one_is;
  set_middle (z, bits - fewer, (unsigned) (e + one_is));
}

TEST (middle_means)
{
  seed = 3;
  for (int i = 0; i < cases; i++)
    {
      clear_sums ();
      sums.n = some_count ();
      some_middle (sums.sum[S], 1074);
      set_u64 (scratch, sums.n);
      mpz_mul (sums.sum[S], sums.sum[S], scratch);
      nudge (sums.sum[S]);
      if (some_below (2))
        mpz_neg (sums.sum[S], sums.sum[S]);
      check_mean (0);
    }
}

TEST (middle_products)
{
  seed = 4;
  for (int i = 0; i < cases; i++)
    {
      clear_sums ();
      some_middle (sums.sum[P], 2148);
      nudge (sums.sum[P]);
      if (some_below (2))
        mpz_neg (sums.sum[P], sums.sum[P]);
      some_middle (sums.sum[Q], 1074);
      mpz_mul (sums.sum[Q], sums.sum[Q], sums.sum[Q]);
      nudge (sums.sum[Q]);
      check_products ();
    }
}

/* The ends of the estimate's range, and of a root's: one bit, all bits, and
   next to them, whatever their exponent is.  */
TEST (powers_of_two)
{
  seed = 8;
  for (unsigned e = 0; e < 4260; e++)
    for (int off = -1; off <= 1; off++)
      {
        clear_sums ();
        mpz_set_ui (sums.sum[Q], 1);
        mpz_mul_2exp (sums.sum[Q], sums.sum[Q], e);
        mpz_set_si (scratch, off);
        mpz_add (sums.sum[Q], sums.sum[Q], scratch);
        mpz_set (sums.sum[P], sums.sum[Q]);
        if (some_below (2))
          mpz_neg (sums.sum[P], sums.sum[P]);
        check_products ();
      }
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    cases = atoi (argv[1]);
  return run_unit_tests (set_up_sums, tear_down_sums);
}
