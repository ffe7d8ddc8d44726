/* Tests of what exact sums are finished to (kernels/cpu/finish/finish.h): rounded
   once, against GNU MP and MPFR; GSL at the edges.

   The argument is how many cases of each kind there are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/drawn.h"
#include "tests/finish_oracle.h"
#include "tests/super.h"

#include "kernels/products.h"

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
