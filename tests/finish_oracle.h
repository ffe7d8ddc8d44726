/* Exact sums in GNU MP's integers, what is finished from them, rounded by GNU
   MPFR; and accumulators of the same sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_FINISH_ORACLE_H
#define GT_TESTS_FINISH_ORACLE_H

#include <gmp.h>
#include <mpfr.h>

#include "tests/unit.h"
#include "tests/super.h"

#include "kernels/cpu/finish/finish.h"

/* Sums of x, y (S, T), x^2, y^2 and x y (Q, R, P), of N elements each, in units
   of 2^UNIT and, of products, 2^(2 UNIT).  */
enum sum
{
  S,
  T,
  Q,
  R,
  P,
  N_SUMS
};

struct exact_state
{
  mpz_t sum[N_SUMS];
  uint64_t n;
};

static struct exact_state sums;
static uint64_t seed; /* of the case, for messages */
static int unit = -1074;
static mpz_t over, under, left_over, root, scratch, added[2];
static mpfr_t big;

FIXTURE (set_up_sums)
{
  for (int i = 0; i < N_SUMS; i++)
    mpz_init (sums.sum[i]);
  mpz_inits (over, under, left_over, root, scratch, added[0], added[1], NULL);
  mpfr_init2 (big, 256);
  return 0;
}

FIXTURE (tear_down_sums)
{
  for (int i = 0; i < N_SUMS; i++)
    mpz_clear (sums.sum[i]);
  mpz_clears (over, under, left_over, root, scratch, added[0], added[1], NULL);
  mpfr_clear (big);
  mpfr_free_cache ();
  return 0;
}

static inline void
set_u64 (mpz_t z, uint64_t value)
{
  mpz_import (z, 1, 1, sizeof value, 0, 0, &value);
}

/* X in units of 2^UNIT.  */
static inline void
set_double (mpz_t z, double x)
{
  int e;
  const double m = frexp (x, &e);

  mpz_set_si (z, (long) ldexp (m, 53));
  e -= unit + 53;
  if (e >= 0)
    mpz_mul_2exp (z, z, (mp_bitcnt_t) e);
  else
    mpz_tdiv_q_2exp (z, z, (mp_bitcnt_t) -e);
}

static inline void
clear_sums (struct exact_state *state)
{
  for (int i = 0; i < N_SUMS; i++)
    mpz_set_ui (state->sum[i], 0);
  state->n = 0;
}

/* Adds a pair, ADDED.  */
static inline void
add_to_sums (struct exact_state *state)
{
  mpz_add (state->sum[S], state->sum[S], added[0]);
  mpz_add (state->sum[T], state->sum[T], added[1]);
  mpz_addmul (state->sum[Q], added[0], added[0]);
  mpz_addmul (state->sum[R], added[1], added[1]);
  mpz_addmul (state->sum[P], added[0], added[1]);
  state->n++;
}

/* --------------------------------------------------------------- Rounding

   Enough bits of the result, and the last of them set if anything is left over:
   what is then rounded to fewer bits is rounded as the whole would be.  */

#define ENOUGH 100

/* Leaves OVER / UNDER 2^E, or its root, in BIG, rounded to odd.  */
static inline void
divide (int e, int is_root)
{
  const int sign = mpz_sgn (over);
  long up, inexact;

  mpz_abs (over, over);
  up = 2 * ENOUGH + 2 + (long) mpz_sizeinbase (under, 2)
       - (long) mpz_sizeinbase (over, 2);
  up += (up ^ e) & 1;
  if (up >= 0)
    mpz_mul_2exp (over, over, (mp_bitcnt_t) up);
  else
    mpz_mul_2exp (under, under, (mp_bitcnt_t) -up);
  mpz_tdiv_qr (root, left_over, over, under);
  inexact = mpz_sgn (left_over) != 0;
  if (is_root)
    {
      mpz_sqrtrem (root, left_over, root);
      inexact |= mpz_sgn (left_over) != 0;
    }
  if (inexact)
    mpz_setbit (root, 0);
  if (sign < 0)
    mpz_neg (root, root);
  mpfr_set_z_2exp (big, root, (is_root ? (e - up) / 2 : e - up),
                   MPFR_RNDN);
}

static inline double
rounded (int e, int is_root)
{
  if (mpz_sgn (under) == 0)
    return mpz_sgn (over) == 0 ? (double) NAN : mpz_sgn (over) * INFINITY;
  if (mpz_sgn (over) == 0)
    return 0;
  divide (e, is_root);
  return mpfr_get_d (big, MPFR_RNDN);
}

static inline double
expected_product (const struct exact_state *state, enum sum product, int is_root)
{
  mpz_set (over, state->sum[product]);
  mpz_set_ui (under, 1);
  return rounded (2 * unit, is_root);
}

static inline float
expected_float (const struct exact_state *state, enum sum product, int is_root)
{
  mpz_set (over, state->sum[product]);
  mpz_set_ui (under, 1);
  if (mpz_sgn (over) == 0)
    return 0;
  divide (2 * unit, is_root);
  return mpfr_get_flt (big, MPFR_RNDN);
}

static inline double
expected_mean (const struct exact_state *state)
{
  mpz_set (over, state->sum[S]);
  set_u64 (under, state->n);
  return state->n ? rounded (unit, 0) : 0;
}

/* Bit for bit, but for what NaN holds beside its sign.  */
static inline void
check (const char *what, double is, double expected)
{
  if (isnan (expected) ? isnan (is) && !signbit (is)
                       : memcmp (&is, &expected, sizeof is) == 0)
    return;
  gmp_fprintf (stderr, "n %ju\nS %Zx\nT %Zx\nQ %Zx\nR %Zx\nP %Zx\n",
               (uintmax_t) sums.n, sums.sum[S], sums.sum[T], sums.sum[Q],
               sums.sum[R], sums.sum[P]);
  fail_msg ("%s: %a instead of %a (seed %ju)", what, is, expected,
            (uintmax_t) seed);
}

/* ----------------------------------------------------------------- States */

struct accumulators
{
  struct gt_superaccumulator s, t;
  struct gt_product_accumulator q, r, p;
};

/* The digits of Z 2^UP in N words, carries left here and there where BITS has a
   bit.  */
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
fill_product (struct gt_product_accumulator *product, const mpz_t z,
              uint64_t bits)
{
  memset (product, 0, sizeof *product);
  fill_words (product->word, GT_PRODUCT_WORDS, z, -2148 - GT_PRODUCT_LOWEST,
              bits);
  product->count = GT_SUPER_LIMIT;
}

/* Z in COUNT words in two's complement.  */
static inline void
fill_integer (uint64_t *word, int count, const mpz_t z)
{
  mpz_fdiv_r_2exp (scratch, z, 64 * (mp_bitcnt_t) count);
  memset (word, 0, (size_t) count * sizeof *word);
  mpz_export (word, NULL, -1, sizeof *word, 0, 0, scratch);
}

#endif
