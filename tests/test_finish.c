/* Tests of what exact sums are finished to (kernels/cpu/finish/finish.h): rounded
   once, against GNU MP and MPFR; GSL at the edges.

   The argument is how many cases of each kind there are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_statistics.h>

#include "tests/accumulator_cases.h"
#include "tests/finish_oracle.h"

#include "kernels/cpu/wide/products.h"
#include "kernels/cpu/wide/wide_superaccumulator.h"

static int cases = 50000;

static const struct
{
  const char *name, *name_about;
} spreads[] = {
  [GT_TSS] = {"tss", "tss_m"},
  [GT_VARIANCE] = {"variance", "variance_m"},
  [GT_SD] = {"sd", "sd_m"},
  [GT_FIXED_VARIANCE] = {NULL, "variance_with_fixed_mean"},
  [GT_FIXED_SD] = {NULL, "sd_with_fixed_mean"},
};

/* ------------------------------------------ Everything that a state gives */

static void
check_products (const struct accumulators *a)
{
  check ("dot", gt_finish_dot (&a->p), expected_product (&sums, P, 0));
  check ("float dot", gt_finish_dot_float (&a->p), expected_float (&sums, P, 0));
  check ("norm", gt_finish_norm (&a->q), expected_product (&sums, Q, 1));
  check ("float norm", gt_finish_norm_float (&a->q),
         expected_float (&sums, Q, 1));
}

/* About means near those of the elements, and others.  */
static double
some_mean (double mean)
{
  switch (below (6))
    {
    case 0:
      return 0;
    case 1:
      return make_double (below (2), below (2047), random_word (&seed));
    case 2:
      return nextafter (mean, INFINITY);
    case 3:
      return (float) mean;
    default:
      return mean;
    }
}

static void
check_spreads (const struct accumulators *a, double mean_x, double mean_y)
{
  for (enum gt_spread w = GT_TSS; w <= GT_FIXED_SD; w++)
    {
      if (spreads[w].name)
        check (spreads[w].name, gt_finish_spread (w, &a->s, &a->s, &a->q, sums.n,
                                                  NULL),
               expected_spread (w, &sums, Q, S));
      check (spreads[w].name_about,
             gt_finish_spread (w, &a->s, &a->s, &a->q, sums.n,
                               (const double[]) {mean_x, mean_x}),
             expected_spread_about (w, &sums, Q, S, mean_x, mean_x));
    }
  check ("covariance", gt_finish_spread (GT_COVARIANCE, &a->s, &a->t, &a->p, sums.n,
                                         NULL),
         expected_spread (GT_VARIANCE, &sums, P, T));
  check ("covariance_m",
         gt_finish_spread (GT_COVARIANCE, &a->s, &a->t, &a->p, sums.n,
                           (const double[]) {mean_x, mean_y}),
         expected_spread_about (GT_VARIANCE, &sums, P, T, mean_x, mean_y));
  check ("correlation",
         gt_finish_correlation (&a->s, &a->t, &a->q, &a->r, &a->p, sums.n),
         expected_correlation (&sums));
}

static double
finite_or_0 (double x)
{
  return isfinite (x) ? x : 0;
}

/* SUMS, in accumulators with carries anywhere.  */
static void
check_state (void)
{
  struct accumulators a;
  double mean;

  fill_plain (&a.s, sums.sum[S], random_word (&seed));
  fill_plain (&a.t, sums.sum[T], random_word (&seed));
  fill_product (&a.q, sums.sum[Q], random_word (&seed));
  fill_product (&a.r, sums.sum[R], random_word (&seed));
  fill_product (&a.p, sums.sum[P], random_word (&seed));
  mean = gt_finish_mean (&a.s, sums.n);
  check ("mean", mean, expected_mean (&sums));
  check_products (&a);
  check_spreads (&a, finite_or_0 (some_mean (finite_or_0 (mean))),
                 finite_or_0 (some_mean (1)));
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
      gt_super_clear (&s);
      gt_product_clear (&q);
      for (size_t k = 0; k < n; k++)
        add_elements (x[k], 0);
      gt_super_add_array_f64 (&s, x, n, 1);
      gt_product_add_array_f64 (&q, x, 1, x, 1, n);
      check ("mean", gt_finish_mean (&s, n), expected_mean (&sums));
      check ("sd", gt_finish_spread (GT_SD, &s, &s, &q, n, NULL),
             expected_spread (GT_SD, &sums, Q, S));
    }
}

/* ------------------------------------------------ Halfway, and next to it

   Sums for which a result is exactly halfway between two neighbours, b units of
   some power of two, b odd; and those one unit of the accumulator away, or more.
   With S = n s and T = n t spreads are n (n - 1) times what is left of Q and P
   without n s^2 and n s t.  */

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
      check ("mean", gt_finish_mean (&s, sums.n), expected_mean (&sums));
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

/* N S T.  */
static void
set_part (mpz_t product, const mpz_t s, const mpz_t t)
{
  set_u64 (product, sums.n);
  mpz_mul (product, product, s);
  mpz_mul (product, product, t);
}

/* Makes SUMS such that WHAT is halfway, and P's covariance too.  */
static void
set_middle_sums (enum gt_spread what)
{
  mpz_t s, t, b;

  mpz_inits (s, t, b, NULL);
  clear_sums (&sums);
  sums.n = some_count ();
  if (below (3))
    some_middle (s, (int) below (1075));
  if (below (3))
    some_middle (t, (int) below (1075));
  set_part (sums.sum[Q], s, s);
  set_part (sums.sum[P], s, t);
  some_middle (b, takes_root (what) ? 1074 : 2148);
  if (takes_root (what))
    mpz_mul (b, b, b);
  set_u64 (scratch, what == GT_TSS ? 1 : sums.n - 1);
  mpz_mul (b, b, scratch);
  nudge (b);
  mpz_add (sums.sum[Q], sums.sum[Q], b);
  if (below (2))
    mpz_neg (b, b);
  mpz_add (sums.sum[P], sums.sum[P], b);
  set_u64 (scratch, sums.n);
  mpz_mul (sums.sum[S], s, scratch);
  mpz_mul (sums.sum[T], t, scratch);
  mpz_clears (s, t, b, NULL);
}

/* Whether accumulators have such sums.  */
static int
are_sums (void)
{
  return mpz_sizeinbase (sums.sum[S], 2) < 2175
         && mpz_sizeinbase (sums.sum[T], 2) < 2175
         && mpz_sizeinbase (sums.sum[Q], 2) < 4270
         && mpz_sizeinbase (sums.sum[P], 2) < 4270;
}

TEST (middle_spreads)
{
  seed = 5;
  for (int i = 0; i < cases; i++)
    {
      const enum gt_spread what = below (3);
      struct accumulators a;

      set_middle_sums (what);
      if (!are_sums ())
        continue;
      fill_plain (&a.s, sums.sum[S], random_word (&seed));
      fill_plain (&a.t, sums.sum[T], random_word (&seed));
      fill_product (&a.q, sums.sum[Q], random_word (&seed));
      fill_product (&a.p, sums.sum[P], random_word (&seed));
      check (spreads[what].name, gt_finish_spread (what, &a.s, &a.s, &a.q, sums.n,
                                                   NULL),
             expected_spread (what, &sums, Q, S));
      if (what != GT_SD)
        check ("covariance",
               gt_finish_spread (GT_COVARIANCE, &a.s, &a.t, &a.p, sums.n, NULL),
               expected_spread (GT_VARIANCE, &sums, P, T));
    }
}

/* About a mean M: with Q = B + 2 M S - N M^2 the sum of squares is B.  */
TEST (middle_about)
{
  mpz_t m, b;

  seed = 6;
  mpz_inits (m, b, NULL);
  for (int i = 0; i < cases; i++)
    {
      const enum gt_spread what = below (5);
      const double mean = make_double (below (2), 1 + below (1500),
                                       below (2) ? 0 : random_word (&seed));
      struct accumulators a;

      clear_sums (&sums);
      sums.n = some_count ();
      set_double (m, mean);
      some_middle (sums.sum[S], 1074);
      some_middle (b, takes_root (what) ? 1074 : 2148);
      if (takes_root (what))
        mpz_mul (b, b, b);
      divisor_of (what, sums.n);
      mpz_mul (b, b, under);
      nudge (b);
      mpz_mul (sums.sum[Q], sums.sum[S], m);
      mpz_mul_2exp (sums.sum[Q], sums.sum[Q], 1);
      set_part (scratch, m, m);
      mpz_sub (sums.sum[Q], sums.sum[Q], scratch);
      mpz_add (sums.sum[Q], sums.sum[Q], b);
      if (!are_sums ())
        continue;
      fill_plain (&a.s, sums.sum[S], random_word (&seed));
      fill_product (&a.q, sums.sum[Q], random_word (&seed));
      check (spreads[what].name_about,
             gt_finish_spread (what, &a.s, &a.s, &a.q, sums.n,
                               (const double[]) {mean, mean}),
             expected_spread_about (what, &sums, Q, S, mean, mean));
    }
  mpz_clears (m, b, NULL);
}

/* Correlations that are b / 2^k: with n = 2 and S = T = 0, P^2 / (Q R) where Q
   = 1 and R is a square; R nudged.  */
TEST (middle_correlations)
{
  seed = 7;
  for (int i = 0; i < cases; i++)
    {
      const unsigned e = below (600);
      struct accumulators a;

      clear_sums (&sums);
      sums.n = some_count ();
      set_middle (sums.sum[P], 54, e);
      mpz_set_ui (sums.sum[Q], 1);
      mpz_mul_2exp (sums.sum[Q], sums.sum[Q], below (2) ? 0 : 2 * below (500));
      mpz_set_ui (sums.sum[R], 1);
      mpz_mul_2exp (sums.sum[R], sums.sum[R], 2 * (54 + e + below (900)));
      nudge (below (2) ? sums.sum[R] : sums.sum[P]);
      fill_plain (&a.s, sums.sum[S], 0);
      fill_plain (&a.t, sums.sum[T], 0);
      fill_product (&a.q, sums.sum[Q], random_word (&seed));
      fill_product (&a.r, sums.sum[R], random_word (&seed));
      fill_product (&a.p, sums.sum[P], random_word (&seed));
      check ("correlation",
             gt_finish_correlation (&a.s, &a.t, &a.q, &a.r, &a.p, sums.n),
             expected_correlation (&sums));
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
