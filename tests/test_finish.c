/* Tests of what exact sums are finished to (kernels/cpu/finish/finish.h): rounded
   once, against GNU MP and MPFR; GSL at the edges.

   The argument is how many cases of each kind there are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/accumulator_cases.h"
#include "tests/finish_oracle.h"
#include "tests/super.h"

#include "kernels/products.h"

static int cases = 50000;

/* ------------------------------------------ Everything that a state gives */

static void
check_products (const struct accumulators *a)
{
  check ("dot", gt_finish_product (&a->p, 0).f64, expected_product (&sums, P, 0));
  check ("norm", gt_finish_product (&a->q, 1).f64, expected_product (&sums, Q, 1));
  check ("float norm", gt_finish_product (&a->q, 1).f32,
         expected_float (&sums, Q, 1));
}

/* SUMS, in accumulators with carries anywhere.  */
static void
check_state (void)
{
  struct accumulators a;

  fill_plain (&a.s, sums.sum[S], random_word (&seed));
  fill_product (&a.q, sums.sum[Q], random_word (&seed));
  fill_product (&a.p, sums.sum[P], random_word (&seed));
  check ("mean", gt_finish_mean (&a.s, sums.n).f64, expected_mean (&sums));
  check_products (&a);
}

/* -------------------------------------------------------------- Elements */

static void
add_elements (double x, double y)
{
  set_double (added[0], x);
  set_double (added[1], y);
  add_to_sums (&sums);
}

/* As if all elements came 2^TIMES times.  */
static void
repeat (unsigned times)
{
  for (int i = 0; i < N_SUMS; i++)
    mpz_mul_2exp (sums.sum[i], sums.sum[i], times);
  sums.n <<= times;
}

/* Numbers as they occur, of few or all bits.  */
static void
ordinary (double *x, size_t n)
{
  const unsigned bits = below (3) ? 53 : 1 + below (30);
  const double offset = below (2) ? 0 : ldexp (1, (int) below (40));

  for (size_t i = 0; i < n; i++)
    x[i] = offset
           + ldexp ((double) (random_word (&seed) >> (64 - bits)), -(int) bits);
}

static void
fill (double *x, size_t n)
{
  const unsigned kind = below (N_OF (kinds) + 3);

  if (kind < N_OF (kinds))
    kinds[kind].fill (x, n);
  else
    ordinary (x, n);
}

TEST (elements)
{
  seed = 1;
  for (int i = 0; i < cases / 2; i++)
    {
      const size_t n = below (5) ? below (6) : below (20);
      double x[MOST], y[MOST];

      fill (x, n);
      fill (y, n);
      if (below (8) == 0)
        for (size_t k = 0; k < n; k++)
          y[k] = below (2) ? x[0] : -x[k];
      clear_sums (&sums);
      for (size_t k = 0; k < n; k++)
        add_elements (x[k], y[k]);
      if (n && below (3) == 0)
        {
          repeat (below (60));
          add_elements (x[0], y[0]);
        }
      check_state ();
    }
}

/* The accumulators themselves, filled from elements.  */
TEST (accumulators_of_elements)
{
  seed = 2;
  for (int i = 0; i < cases / 5; i++)
    {
      const size_t n = below (20);
      struct gt_superaccumulator s;
      struct gt_product_accumulator q;
      double x[MOST];

      fill (x, n);
      clear_sums (&sums);
      super_clear (&s);
      memset (&q, 0, sizeof q);
      for (size_t k = 0; k < n; k++)
        {
          add_elements (x[k], 0);
          super_add (&s, x[k]);
          gt_product_put_f64 (&q, x[k], x[k]);
          gt_super_note (q.word, GT_PRODUCT_WORDS, &q.count, 1);
        }
      check ("mean", gt_finish_mean (&s, n).f64, expected_mean (&sums));
      check ("norm", gt_finish_product (&q, 1).f64, expected_product (&sums, Q, 1));
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

  if (below (4) == 0)
    b = below (2) ? 0 : UINT64_MAX;
  b = (b >> (64 - bits)) | (uint64_t) 1 << (bits - 1) | 1;
  set_u64 (z, b);
  mpz_mul_2exp (z, z, e);
}

/* Adds to Z nothing, or a small number of either sign.  */
static void
nudge (mpz_t z)
{
  const unsigned bits = (unsigned) mpz_sizeinbase (z, 2);

  if (bits <= 2 || below (3) == 0)
    return;
  mpz_set_ui (scratch, 1);
  mpz_mul_2exp (scratch, scratch, below (2) ? 0 : below (bits - 1));
  if (below (2))
    mpz_add (z, z, scratch);
  else
    mpz_sub (z, z, scratch);
}

static uint64_t
some_count (void)
{
  static const uint64_t ends[]
    = {1, 2, 3, UINT64_MAX, UINT64_MAX - 1, (uint64_t) 1 << 63, 1u << 31};
  const unsigned which = below (20);

  return which < N_OF (ends) ? ends[which]
                             : 2 + (random_word (&seed) >> below (63));
}

/* A number halfway between two doubles or two floats, subnormal ones and those
   next to overflow among them, in units of 2^-ONE_IS.  */
static void
some_middle (mpz_t z, int one_is)
{
  const int is_float = below (4) == 0;
  const unsigned bits = is_float ? 25 : 54;
  const int least = (is_float ? -150 : -1075), most = is_float ? 103 : 970;
  const unsigned fewer = below (3) ? 0 : below (bits - 1);
  int e = below (4) ? least + 1 + (int) below ((unsigned) (most - least)) : most;

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
      struct gt_superaccumulator s;

      clear_sums (&sums);
      sums.n = some_count ();
      some_middle (sums.sum[S], 1074);
      set_u64 (scratch, sums.n);
      mpz_mul (sums.sum[S], sums.sum[S], scratch);
      nudge (sums.sum[S]);
      if (below (2))
        mpz_neg (sums.sum[S], sums.sum[S]);
      fill_plain (&s, sums.sum[S], 0);
      check ("mean", gt_finish_mean (&s, sums.n).f64, expected_mean (&sums));
    }
}

TEST (middle_products)
{
  seed = 4;
  for (int i = 0; i < cases; i++)
    {
      struct accumulators a;

      clear_sums (&sums);
      some_middle (sums.sum[P], 2148);
      nudge (sums.sum[P]);
      if (below (2))
        mpz_neg (sums.sum[P], sums.sum[P]);
      some_middle (sums.sum[Q], 1074);
      mpz_mul (sums.sum[Q], sums.sum[Q], sums.sum[Q]);
      nudge (sums.sum[Q]);
      fill_product (&a.p, sums.sum[P], random_word (&seed));
      fill_product (&a.q, sums.sum[Q], random_word (&seed));
      check_products (&a);
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
        struct accumulators a;

        clear_sums (&sums);
        mpz_set_ui (sums.sum[Q], 1);
        mpz_mul_2exp (sums.sum[Q], sums.sum[Q], e);
        mpz_set_si (scratch, off);
        mpz_add (sums.sum[Q], sums.sum[Q], scratch);
        mpz_set (sums.sum[P], sums.sum[Q]);
        if (below (2))
          mpz_neg (sums.sum[P], sums.sum[P]);
        fill_product (&a.p, sums.sum[P], random_word (&seed));
        fill_product (&a.q, sums.sum[Q], random_word (&seed));
        check_products (&a);
      }
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    cases = atoi (argv[1]);
  return run_unit_tests (set_up_sums, tear_down_sums);
}
