/* Tests of statistics of long doubles in exact mode (kernels/cpu/finish/wide.h):
   rounded once, against GNU MP and MPFR; of long doubles that are doubles, as
   of these.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "kernels/cpu/wide/long_double.h"
#include "kernels/cpu/finish/wide.h"
#include "tests/exact.h"
#include "tests/finish_oracle.h"

#define MOST 40

static int cases = 4000;

static unsigned
below (unsigned n)
{
  return (unsigned) (random_word (&seed) % n);
}

/* Two vectors of N elements among NaN.  */
struct pair
{
  long double x[MOST], y[MOST];
  struct gt_operand of_x, of_y;
  uint64_t n;
};

static void
spread_out (struct pair *pair, uint64_t n)
{
  for (int i = 0; i < MOST; i++)
    pair->x[i] = pair->y[i] = NAN;
  pair->of_x = (struct gt_operand) {pair->x, 1 + below (3)};
  pair->of_y = (struct gt_operand) {pair->y, 1 + below (3)};
  pair->n = n;
}

/* Of BITS bits, with an exponent of RANGE from FIRST on.  */
static long double
some_number (unsigned bits, int first, unsigned range)
{
  const uint64_t m
    = random_word (&seed) >> (64 - bits) | (uint64_t) 1 << (bits - 1);
  const long double x
    = ldexpl ((long double) m, first + (int) below (range) - (int) bits);

  return below (2) ? x : -x;
}

static const struct
{
  int first;
  unsigned range;
} exponents[] = {
  {-3, 6}, {-3, 6}, {-40, 80}, {-1090, 30}, {500, 30}, {1000, 40},
  {-560, 40}, {LDBL_MIN_EXP - LDBL_MANT_DIG + 1, 70},
  {LDBL_MIN_EXP / 2 - 20, 40}, {LDBL_MAX_EXP - 20, 20},
  {LDBL_MIN_EXP - 60, (unsigned) (2 * LDBL_MAX_EXP)},
};

static void
fill (struct pair *pair)
{
  const unsigned which = below (N_OF (exponents));
  const unsigned bits = below (2) ? 1 + below (64) : below (2) ? 54 : 27;
  const unsigned kind = below (6);

  spread_out (pair, below (4) ? below (5) : below (13));
  clear_sums (&sums);
  for (uint64_t i = 0; i < pair->n; i++)
    {
      long double *x = pair->x + i * pair->of_x.stride;
      long double *y = pair->y + i * pair->of_y.stride;

      *x = some_number (bits, exponents[which].first, exponents[which].range);
      *y = some_number (bits, exponents[which].first, exponents[which].range);
      if (kind == 0)
        *x = pair->x[0];
      if (kind == 1 && i % 2)
        *x = -x[-(ptrdiff_t) pair->of_x.stride];
      if (kind == 2)
        *y = -*x;
      set_long_double (added[0], *x);
      set_long_double (added[1], *y);
      add_to_sums (&sums);
    }
}

static void
check_pair (const struct pair *p)
{
  const double mean = gt_wide_mean (p->of_x, p->n);
  const double a = isfinite (mean) && below (3) ? mean : (double) below (9);
  const double b = ldexp (1, (int) below (40) - 20);

  check ("mean", mean, expected_mean (&sums));
  for (enum gt_spread w = GT_TSS; w <= GT_FIXED_SD; w++)
    {
      if (w <= GT_SD)
        check ("spread", gt_wide_spread (w, p->of_x, p->of_x, p->n, NULL),
               expected_spread (w, &sums, Q, S));
      check ("spread about", gt_wide_spread (w, p->of_x, p->of_x, p->n,
                                             (const double[]) {a, a}),
             expected_spread_about (w, &sums, Q, S, a, a));
    }
  check ("covariance", gt_wide_spread (GT_COVARIANCE, p->of_x, p->of_y, p->n, NULL),
         expected_spread (GT_VARIANCE, &sums, P, T));
  check ("covariance about",
         gt_wide_spread (GT_COVARIANCE, p->of_x, p->of_y, p->n,
                         (const double[]) {a, b}),
         expected_spread_about (GT_VARIANCE, &sums, P, T, a, b));
  check ("correlation", gt_wide_correlation (p->of_x, p->of_y, p->n),
         expected_correlation (&sums));
}

TEST (long_doubles)
{
  seed = 1;
  unit = GT_LDBL_LOWEST;
  for (int i = 0; i < cases; i++)
    {
      struct pair pair;

      fill (&pair);
      check_pair (&pair);
    }
}

/* ---------------------------------------------------- Doubles, any of them */

static double
any_double (void)
{
  static const double special[]
    = {0, -0.0, INFINITY, -INFINITY, NAN, DBL_MAX, 5e-324, 1};
  const unsigned which = below (40);
  uint64_t bits = random_word (&seed);
  double x;

  if (which < N_OF (special))
    return special[which];
  if (which < 20)
    return (double) below (5);
  memcpy (&x, &bits, sizeof x);
  return x;
}

TEST (doubles)
{
  static const double means[] = {0, 1.5, INFINITY, -INFINITY, NAN};

  seed = 2;
  for (int i = 0; i < cases; i++)
    {
      struct gt_superaccumulator s = {{0}, 0, 0}, t = s;
      struct gt_product_accumulator q = {{0}, 0, 0}, r = q, p = q;
      const double mean = means[below (N_OF (means))];
      struct pair pair;
      struct gt_operand x, y;

      spread_out (&pair, below (6));
      x = pair.of_x;
      y = pair.of_y;
      for (uint64_t k = 0; k < pair.n; k++)
        {
          const double a = any_double (), b = any_double ();

          pair.x[k * x.stride] = a;
          pair.y[k * y.stride] = b;
          gt_super_add (&s, a);
          gt_super_add (&t, b);
          gt_product_add_array_f64 (&q, &a, 1, &a, 1, 1);
          gt_product_add_array_f64 (&r, &b, 1, &b, 1, 1);
          gt_product_add_array_f64 (&p, &a, 1, &b, 1, 1);
        }
      check ("mean", gt_wide_mean (x, pair.n), gt_finish_mean (&s, pair.n));
      for (enum gt_spread w = GT_TSS; w <= GT_FIXED_SD; w++)
        {
          if (w <= GT_SD)
            check ("spread", gt_wide_spread (w, x, x, pair.n, NULL),
                   gt_finish_spread (w, &s, &s, &q, pair.n, NULL));
          check ("spread about", gt_wide_spread (w, x, x, pair.n,
                                                 (const double[]) {mean, mean}),
                 gt_finish_spread (w, &s, &s, &q, pair.n,
                                   (const double[]) {mean, mean}));
        }
      check ("covariance", gt_wide_spread (GT_COVARIANCE, x, y, pair.n, NULL),
             gt_finish_spread (GT_COVARIANCE, &s, &t, &p, pair.n, NULL));
      check ("covariance about",
             gt_wide_spread (GT_COVARIANCE, x, y, pair.n, (const double[]) {mean, 2}),
             gt_finish_spread (GT_COVARIANCE, &s, &t, &p, pair.n,
                               (const double[]) {mean, 2}));
      check ("correlation", gt_wide_correlation (x, y, pair.n),
             gt_finish_correlation (&s, &t, &q, &r, &p, pair.n));
    }
}

/* Longer than what is read at once.  */
TEST (many)
{
  const uint64_t n = 3 * 512 + 7;
  static long double x[2 * (3 * 512 + 7)], y[3 * 512 + 7];

  seed = 3;
  unit = GT_LDBL_LOWEST;
  clear_sums (&sums);
  for (uint64_t i = 0; i < n; i++)
    {
      x[2 * i] = some_number (64, -3, 6);
      y[i] = some_number (64, -3, 6);
      set_long_double (added[0], x[2 * i]);
      set_long_double (added[1], y[i]);
      add_to_sums (&sums);
    }
  check ("sd", gt_wide_spread (GT_SD, (struct gt_operand) {x, 2},
                               (struct gt_operand) {x, 2}, n, NULL),
         expected_spread (GT_SD, &sums, Q, S));
  check ("correlation",
         gt_wide_correlation ((struct gt_operand) {x, 2},
                              (struct gt_operand) {y, 1}, n),
         expected_correlation (&sums));
}

/* Two views of one block are two vectors, and each given mean counts.  */
TEST (two_vectors)
{
  static const double none[] = {NAN, INFINITY, -INFINITY};
  long double x[] = {1, 5, 2, 9, 4, 7}, y[] = {1, 2, 4};
  const struct gt_operand all = {x, 1}, odd = {x, 2}, copy = {y, 1};
  const double expected = gt_wide_spread (GT_COVARIANCE, all, copy, 3, NULL);

  check ("two views", gt_wide_spread (GT_COVARIANCE, all, odd, 3, NULL), expected);
  check ("two views", gt_wide_correlation (all, odd, 3),
         gt_wide_correlation (all, copy, 3));
  for (size_t i = 0; i < N_OF (none); i++)
    {
      check ("first mean", gt_wide_spread (GT_COVARIANCE, all, odd, 3,
                                           (const double[]) {none[i], 1}), NAN);
      check ("second mean", gt_wide_spread (GT_COVARIANCE, all, odd, 3,
                                            (const double[]) {1, none[i]}), NAN);
    }
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    cases = atoi (argv[1]);
  return run_unit_tests (set_up_sums, tear_down_sums);
}
