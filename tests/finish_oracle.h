/* Exact sums in GNU MP's integers, what is finished from them, rounded by GNU
   MPFR; and accumulators of the same sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_FINISH_ORACLE_H
#define GT_TESTS_FINISH_ORACLE_H

#include "tests/unit.h"
#include "tests/oracle.h"
#include "tests/super.h"

#include "kernels/cpu/finish/finish.h"

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
static uint64_t seed; /* of the case, for messages */
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

static inline void
set_u64 (mpz_t z, uint64_t value)
{
  mpz_import (z, 1, 1, sizeof value, 0, 0, &value);
}

static inline void
clear_sums (void)
{
  for (int i = 0; i < N_SUMS; i++)
    mpz_set_ui (sums.sum[i], 0);
  sums.n = 0;
}

/* Adds the pair of X and Y.  */
static inline void
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
static inline double
expected_product (enum sum product, int is_root)
{
  mpz_set_ui (under, 1);
  oracle_divide (big, sums.sum[product], under, 2 * UNIT, is_root);
  return mpfr_zero_p (big) ? 0 : mpfr_get_d (big, MPFR_RNDN);
}

static inline double
expected_mean (void)
{
  set_u64 (under, sums.n);
  oracle_divide (big, sums.sum[S], under, UNIT, 0);
  return sums.n == 0 || mpfr_zero_p (big) ? 0 : mpfr_get_d (big, MPFR_RNDN);
}

/* Bit for bit, but for what NaN holds beside its sign.  */
static inline void
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
static inline void
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

static inline void
fill_plain (struct gt_superaccumulator *plain, const mpz_t z, uint64_t bits)
{
  super_clear (plain);
  fill_words (plain->word, GT_SUPER_WORDS, z, 0, bits);
  plain->count = GT_SUPER_LIMIT;
}

static inline void
fill_product (struct gt_product_accumulator *product, const mpz_t z, uint64_t bits)
{
  memset (product, 0, sizeof *product);
  fill_words (product->word, GT_PRODUCT_WORDS, z, -2148 - GT_PRODUCT_LOWEST, bits);
  product->count = GT_SUPER_LIMIT;
}

#endif
