/* Tests of what exact sums are finished to (kernels/cpu/finish/finish.h), at the
   edges: none and one element, infinities and NaN, as GSL does; integers;
   well-known cases.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_statistics.h>

#include "tests/unit.h"

#include "kernels/cpu/wide/products.h"
#include "kernels/cpu/wide/wide_superaccumulator.h"
#include "tests/exact.h"
#include "tests/finish_oracle.h"

/* GSL's numbers are rounded on the way.  */
static void
check_near (const char *what, double is, double gsl)
{
  check (what, fabs (is - gsl) <= 1e-14 * fabs (is) ? gsl : is, gsl);
}

static void
add (struct accumulators *a, const double *x, const double *y, size_t n)
{
  memset (a, 0, sizeof *a);
  gt_super_add_array_f64 (&a->s, x, n, 1);
  gt_super_add_array_f64 (&a->t, y, n, 1);
  gt_product_add_array_f64 (&a->q, x, 1, x, 1, n);
  gt_product_add_array_f64 (&a->r, y, 1, y, 1, n);
  gt_product_add_array_f64 (&a->p, x, 1, y, 1, n);
}

/* ------------------------------------------------------------------ As GSL */

struct vector
{
  size_t n;
  double x[4];
};

/* Few enough, and such that GSL rounds nothing.  */
static const struct vector vectors[] = {
  {0, {0}},          {1, {3}},          {1, {-0.0}},    {1, {NAN}},
  {1, {INFINITY}},   {1, {-INFINITY}},  {2, {0, 0}},    {2, {-0.0, -0.0}},
  {2, {1, NAN}},     {2, {1, INFINITY}}, {2, {INFINITY, -INFINITY}},
  {3, {1, 1, 1}},    {2, {1, 3}},       {2, {NAN, INFINITY}},
  {4, {-1, 1, -1, 1}}, {4, {1, 2, 1, INFINITY}},
};

static void
check_as_gsl (const struct vector *v)
{
  struct accumulators a;
  const double *x = v->x;
  const size_t n = v->n;

  add (&a, x, x, n);
  if (!isinf (x[0]) || n == 1)
    check ("mean", gt_finish_mean (&a.s, n), gsl_stats_mean (x, 1, n));
  check ("tss", gt_finish_spread (GT_TSS, &a.s, &a.s, &a.q, n, NULL),
         gsl_stats_tss (x, 1, n));
  check ("variance", gt_finish_spread (GT_VARIANCE, &a.s, &a.s, &a.q, n, NULL),
         gsl_stats_variance (x, 1, n));
  check ("sd", gt_finish_spread (GT_SD, &a.s, &a.s, &a.q, n, NULL),
         gsl_stats_sd (x, 1, n));
  check ("covariance", gt_finish_spread (GT_COVARIANCE, &a.s, &a.s, &a.q, n, NULL),
         gsl_stats_covariance (x, 1, x, 1, n));
  if (n > 0)
    check_near ("correlation",
                gt_finish_correlation (&a.s, &a.s, &a.q, &a.q, &a.q, n),
                gsl_stats_correlation (x, 1, x, 1, n));
}

/* An infinity that comes first makes GSL's running means NaN, and one that
   comes last does not.  Ours do not know the order and are infinite.  */
static double
unless_first (const struct vector *v, double mean, double theirs)
{
  const int first = v->n > 1 && (isinf (v->x[0]) || isinf (mean));
  int other = isnan (mean);

  for (size_t i = 0; i < v->n; i++)
    other |= isnan (v->x[i]) || (isinf (mean) && v->x[i] == mean);
  return first && !other ? INFINITY : theirs;
}

static void
check_about_as_gsl (const struct vector *v, double mean)
{
  static const struct
  {
    enum gt_spread what;
    double (*gsl) (const double *data, size_t stride, size_t n, double mean);
  } functions[] = {
    {GT_TSS, gsl_stats_tss_m},
    {GT_VARIANCE, gsl_stats_variance_m},
    {GT_SD, gsl_stats_sd_m},
    {GT_FIXED_VARIANCE, gsl_stats_variance_with_fixed_mean},
    {GT_FIXED_SD, gsl_stats_sd_with_fixed_mean},
  };
  struct accumulators a;

  add (&a, v->x, v->x, v->n);
  for (size_t i = 0; i < N_OF (functions); i++)
    check_near (
      "spread about a mean",
      gt_finish_spread (functions[i].what, &a.s, &a.s, &a.q, v->n,
                        (const double[]) {mean, mean}),
      unless_first (v, mean, functions[i].gsl (v->x, 1, v->n, mean)));
  if (a.s.flags == 0 && isfinite (mean))
    check_near ("covariance_m",
                gt_finish_spread (GT_COVARIANCE, &a.s, &a.s, &a.q, v->n,
                                  (const double[]) {mean, mean}),
                gsl_stats_covariance_m (v->x, 1, v->x, 1, v->n, mean, mean));
  else
    check ("covariance_m",
           gt_finish_spread (GT_COVARIANCE, &a.s, &a.s, &a.q, v->n,
                             (const double[]) {mean, mean}),
           v->n ? NAN : 0);
}

TEST (as_gsl)
{
  static const double means[] = {0, 3, -0.5, INFINITY, -INFINITY, NAN};

  for (size_t i = 0; i < N_OF (vectors); i++)
    {
      check_as_gsl (&vectors[i]);
      for (size_t k = 0; k < N_OF (means); k++)
        check_about_as_gsl (&vectors[i], means[k]);
    }
}

TEST (infinities)
{
  static const struct
  {
    double x[2], mean, norm;
  } cases[] = {
    {{INFINITY, 1}, INFINITY, INFINITY},
    {{-INFINITY, DBL_MAX}, -INFINITY, INFINITY},
    {{INFINITY, INFINITY}, INFINITY, INFINITY},
    {{INFINITY, -INFINITY}, NAN, INFINITY},
    {{NAN, INFINITY}, NAN, NAN},
    {{DBL_MAX, DBL_MAX}, DBL_MAX, INFINITY},
    {{DBL_MAX, 0}, DBL_MAX / 2, DBL_MAX},
  };
  static const double none[2] = {0, 0};

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      struct accumulators a;

      add (&a, cases[i].x, none, 2);
      check ("mean", gt_finish_mean (&a.s, 2), cases[i].mean);
      check ("norm", gt_finish_norm (&a.q), cases[i].norm);
      check ("dot", gt_finish_dot (&a.q),
             isnan (cases[i].norm) ? NAN
             : cases[i].x[0] == DBL_MAX ? INFINITY : cases[i].norm);
      check ("norm", gt_finish_norm_float (&a.q), cases[i].norm < DBL_MAX
             ? 0 : isnan (cases[i].norm) ? NAN : INFINITY);
      /* Infinity times 0.  */
      check ("dot", gt_finish_dot (&a.p),
             a.s.flags ? (double) NAN : 0);
      check ("covariance", gt_finish_spread (GT_COVARIANCE, &a.s, &a.t, &a.p, 2, NULL),
             a.s.flags ? (double) NAN : 0);
    }
}

/* ---------------------------------------------------------- Known results */

TEST (known)
{
  static const double halfway[] = {0x1p53, 0x1p27, 1, 5e-324};
  static const double cancelling[] = {1e16, 1, -1e16};
  static const double tiny[] = {-5e-324, 0, 0};
  struct accumulators a;

  add (&a, halfway, halfway, 3);
  check ("norm", gt_finish_norm (&a.q), 0x1p53);
  add (&a, halfway, halfway, 4);
  check ("norm", gt_finish_norm (&a.q), 0x1p53 + 2);
  add (&a, cancelling, cancelling, 3);
  check ("mean", gt_finish_mean (&a.s, 3), 1.0 / 3);
  add (&a, tiny, tiny, 3);
  check ("mean", gt_finish_mean (&a.s, 3), -0.0);
  check ("tss", gt_finish_spread (GT_TSS, &a.s, &a.s, &a.q, 3, NULL), 0);
  check ("norm", gt_finish_norm (&a.q), 5e-324);
  check ("dot", gt_finish_dot (&a.p), 0);
  add (&a, tiny, halfway, 3);
  check ("covariance", gt_finish_spread (GT_COVARIANCE, &a.s, &a.t, &a.p, 3, NULL),
         -0x0.aaaaaa9555555p-1022);
  check ("correlation",
         gt_finish_correlation (&a.s, &a.s, &a.q, &a.q, &a.q, 3), 1);
}

/* A product with a number added: one rounding, to float.  */
TEST (plus_float)
{
  static const struct
  {
    double x, y;
    float alpha, expected;
  } cases[] = {
    {1, 0x1p-24, 1, 1},          {1, 0x1.0000000000001p-24, 1, 1 + FLT_EPSILON},
    {5e-324, 5e-324, 1 + FLT_EPSILON, 1 + FLT_EPSILON},
    {1, 1, -1, 0},               {0, INFINITY, 1, NAN},
    {1, INFINITY, -INFINITY, NAN}, {2, 3, NAN, NAN},
    {2, 3, INFINITY, INFINITY},  {0, 0, -0.0f, 0},
    {-5e-324, 0.5, 0, -0.0f},    {DBL_MAX, 2, -FLT_MAX, INFINITY},
  };

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      struct gt_product_accumulator p;

      gt_product_clear (&p);
      gt_product_add_array_f64 (&p, &cases[i].x, 1, &cases[i].y, 1, 1);
      check ("dot and a number",
             gt_finish_dot_plus_float (&p, cases[i].alpha), cases[i].expected);
    }
}

/* ---------------------------------------------------------------- Integers */

/* The sums of a few elements of BITS bits, as if some came 2^60 times.  */
static void
add_integers (struct gt_integer_sums *x, struct gt_integer_sums *y,
              struct gt_integer_sums *xy, unsigned bits, int is_signed)
{
  static const enum sum of[3][3] = {{S, S, Q}, {T, T, R}, {S, T, P}};
  struct gt_integer_sums *to[3] = {x, y, xy};
  const size_t n = random_word (&seed) % 6;
  mpz_t a, b;

  mpz_inits (a, b, NULL);
  for (int i = 0; i < N_SUMS; i++)
    mpz_set_ui (sums.sum[i], 0);
  for (size_t i = 0; i < n; i++)
    {
      set_u64 (a, random_word (&seed) >> (64 - bits));
      set_u64 (b, random_word (&seed) >> (64 - bits));
      if (is_signed && random_word (&seed) % 2)
        mpz_neg (a, a);
      if (is_signed && random_word (&seed) % 2)
        mpz_neg (b, b);
      mpz_add (sums.sum[S], sums.sum[S], a);
      mpz_add (sums.sum[T], sums.sum[T], b);
      mpz_addmul (sums.sum[Q], a, a);
      mpz_addmul (sums.sum[R], b, b);
      mpz_addmul (sums.sum[P], a, b);
    }
  sums.n = n;
  if (bits < 63 && random_word (&seed) % 2)
    {
      for (int i = 0; i < N_SUMS; i++)
        mpz_mul_2exp (sums.sum[i], sums.sum[i], 60);
      sums.n <<= 60;
    }
  for (int k = 0; k < 3; k++)
    {
      fill_integer (to[k]->plain[0], 2, sums.sum[of[k][0]]);
      fill_integer (to[k]->plain[1], 2, sums.sum[of[k][1]]);
      fill_integer (to[k]->product, 3, sums.sum[of[k][2]]);
    }
  mpz_clears (a, b, NULL);
}

/* The oracle's units are 2^-1074 and 2^-2148.  */
static void
scale_sums (void)
{
  for (int i = 0; i < N_SUMS; i++)
    mpz_mul_2exp (sums.sum[i], sums.sum[i], i < Q ? 1074 : 2148);
}

static void
check_integers (const struct gt_integer_sums *x,
                const struct gt_integer_sums *y,
                const struct gt_integer_sums *xy)
{
  const double mean = gt_finish_integer_mean (x, sums.n);
  const double other = (double) (random_word (&seed) >> 44) / 7;

  check ("mean", mean, expected_mean (&sums));
  for (enum gt_spread w = GT_TSS; w <= GT_FIXED_SD; w++)
    {
      if (w <= GT_SD)
        check ("spread", gt_finish_integer_spread (w, x, sums.n, NULL),
               expected_spread (w, &sums, Q, S));
      check ("spread about",
             gt_finish_integer_spread (w, x, sums.n, (const double[]) {mean, mean}),
             expected_spread_about (w, &sums, Q, S, mean, mean));
    }
  check ("covariance", gt_finish_integer_spread (GT_COVARIANCE, xy, sums.n, NULL),
         expected_spread (GT_VARIANCE, &sums, P, T));
  check ("covariance about",
         gt_finish_integer_spread (GT_COVARIANCE, xy, sums.n,
                                   (const double[]) {mean, other}),
         expected_spread_about (GT_VARIANCE, &sums, P, T, mean, other));
  check ("correlation", gt_finish_integer_correlation (x, y, xy, sums.n),
         expected_correlation (&sums));
}

TEST (integers)
{
  seed = 1;
  for (int i = 0; i < 30000; i++)
    {
      const unsigned bits = 1 + random_word (&seed) % 64;
      struct gt_integer_sums x, y, xy;

      add_integers (&x, &y, &xy, bits, bits < 64 && i % 2);
      scale_sums ();
      check_integers (&x, &y, &xy);
    }
}

TEST (integers_about_no_number)
{
  const struct gt_integer_sums one = {{{1, 0}, {1, 0}}, {1, 0, 0}};

  check ("tss_m", gt_finish_integer_spread (GT_TSS, &one, 1,
                                            (const double[]) {INFINITY, INFINITY}),
         INFINITY);
  check ("tss_m", gt_finish_integer_spread (GT_TSS, &one, 1,
                                            (const double[]) {NAN, NAN}), NAN);
  check ("tss_m", gt_finish_integer_spread (GT_TSS, &one, 0,
                                            (const double[]) {NAN, NAN}), 0);
  check ("covariance_m",
         gt_finish_integer_spread (GT_COVARIANCE, &one, 1,
                                   (const double[]) {0, INFINITY}), NAN);
}

/* Nothing depends on the rounding mode or is left in the flags.  */
TEST (floating_point_modes)
{
  static const double x[] = {0.1, 0.7, 1e-300, 1e300}, y[] = {1, 0.3, 1e10, -7};
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
                              FE_TOWARDZERO};
  struct accumulators a;
  double results[N_OF (modes)][5];

  add (&a, x, y, 4);
  for (size_t i = 0; i < N_OF (modes); i++)
    {
      fesetround (modes[i]);
      feclearexcept (FE_ALL_EXCEPT);
      results[i][0] = gt_finish_dot (&a.p);
      results[i][1] = gt_finish_norm (&a.q);
      results[i][2] = gt_finish_spread (GT_SD, &a.s, &a.s, &a.q, 4, NULL);
      results[i][3] = gt_finish_spread (GT_COVARIANCE, &a.s, &a.t, &a.p, 4,
                                        (const double[]) {0.1, 3});
      results[i][4] = gt_finish_correlation (&a.s, &a.t, &a.q, &a.r, &a.p, 4);
      assert_int_equal (fetestexcept (FE_ALL_EXCEPT), 0);
      fesetround (FE_TONEAREST);
      assert_memory_equal (results[i], results[0], sizeof results[0]);
    }
}

/* GSL's loops over no elements give 0.  */
TEST (nothing)
{
  struct gt_superaccumulator none = {{0}, 0, 0};
  struct gt_integer_sums no_integers = {{{0}}, {0}};

  assert_true (gt_finish_mean (&none, 0) == 0);
  assert_true (gt_finish_integer_mean (&no_integers, 0) == 0);
  gt_super_add (&none, 3);
  assert_true (gt_finish_mean (&none, 0) == 0);
}

RUN_TESTS (set_up_sums, tear_down_sums)
