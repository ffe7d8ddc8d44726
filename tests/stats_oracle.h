/* Statistics of whole numbers, exactly: from sums of their powers, in GNU MP, about any
   number by the binomial theorem.  All elements, means and deviations are multiplied by the
   same power of two first, weights by another.

   The scale of a statistic is how large it could be if terms of its definition did not
   cancel: with |x| in a mean, |d|^3 in skewness, and 3 added to the kurtosis; a covariance
   has the product of the standard deviations, correlations have 1; a mean distance has the
   magnitude of its mean added, unless that is so large that it must be known better; of
   what adds nothing of two signs it is the statistic.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_STATS_ORACLE_H
#define GT_TESTS_STATS_ORACLE_H

#include <gmp.h>
#include <limits.h>
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

#include "tests/stats_all.h"

/* Enough for what is rounded in the end, but for what is next to the middle between two
   doubles; there, for all that there is.  */
#define ORACLE_BITS 300
#define ORACLE_MOST_BITS 40000

/* A sample: N data, and weights or null.  POWER are the sums of w x^k, WEIGHT the sums of
   w and of w^2, MEAN and BELOW the mean about which, as a fraction.  */
struct oracle_sums
{
  mpz_t power[5], weight[2], mean, below, about[5], a, b, c;
};

/* The samples that there are: X, Y, and Y with the weights X.  */
enum oracle_of
{
  OF_X, OF_Y, OF_WEIGHTED, N_ORACLE_OF
};

/* A statistic's sample: N elements X and Y, whole numbers in units of 2^X_UNIT and
   2^Y_UNIT, and two given numbers in units of X, and of Y.  Of a sample the powers are ADDED
   up when they are first wanted.  */
struct oracle
{
  mpz_t *x, *y;
  long x_unit, y_unit;
  size_t n, most; /* there is room for so many of each */
  mpz_t given_x[2], given_y[2];
  struct oracle_sums sums[N_ORACLE_OF];
  int added[N_ORACLE_OF];
};

static inline void
oracle_init (struct oracle_sums *s)
{
  mpz_t *all = s->power;

  for (size_t i = 0; i < sizeof *s / sizeof *all; i++)
    mpz_init (all[i]);
}

static inline void
oracle_clear (struct oracle_sums *s)
{
  mpz_t *all = s->power;

  for (size_t i = 0; i < sizeof *s / sizeof *all; i++)
    mpz_clear (all[i]);
}

/* TO = X in units of 2^UNIT, of which it is a multiple.  */
static inline void
oracle_set (mpz_t to, long double x, long unit)
{
  int exponent;
  const long double fraction = ldexpl (frexpl (fabsl (x), &exponent), 64);
  uint64_t word = (uint64_t) fraction;
  long shift = exponent - 64 - unit;

  mpz_import (to, 1, 1, sizeof word, 0, 0, &word);
  if (shift >= 0)
    mpz_mul_2exp (to, to, (mp_bitcnt_t) shift);
  else
    mpz_tdiv_q_2exp (to, to, (mp_bitcnt_t) -shift);
  if (x < 0)
    mpz_neg (to, to);
}

static inline void
oracle_begin (struct oracle *o)
{
  mpfr_set_emin (mpfr_get_emin_min ());
  mpfr_set_emax (mpfr_get_emax_max ());
  memset (o, 0, sizeof *o);
  for (int i = 0; i < 2; i++)
    mpz_inits (o->given_x[i], o->given_y[i], (mpz_ptr) NULL);
  for (int of = 0; of < N_ORACLE_OF; of++)
    oracle_init (&o->sums[of]);
}

static inline void
oracle_resize (struct oracle *o, size_t most)
{
  for (size_t i = 0; i < 2 * o->most; i++)
    mpz_clear (o->x[i]);
  free (o->x);
  o->x = malloc (2 * most * sizeof *o->x + 1);
  o->y = o->x + most;
  o->most = most;
  for (size_t i = 0; i < 2 * most; i++)
    mpz_init (o->x[i]);
}

static inline void
oracle_end (struct oracle *o)
{
  oracle_resize (o, 0);
  free (o->x);
  for (int i = 0; i < 2; i++)
    mpz_clears (o->given_x[i], o->given_y[i], (mpz_ptr) NULL);
  for (int of = 0; of < N_ORACLE_OF; of++)
    oracle_clear (&o->sums[of]);
}

/* The unit of which X and all that is of UNIT are multiples.  */
static inline long
oracle_unit (long double x, long unit)
{
  int exponent;

  if (x == 0)
    return unit;
  frexpl (x, &exponent);
  return exponent - 64 < unit ? exponent - 64 : unit;
}

/* N elements, and what is given, in their unit.  */
static inline long
oracle_take (mpz_t *to, mpz_t given_to[2], const long double *x, size_t n,
             const double given[2])
{
  long unit = oracle_unit (given[0], oracle_unit (given[1], LONG_MAX));

  for (size_t i = 0; i < n; i++)
    unit = oracle_unit (x[i], unit);
  if (unit == LONG_MAX)
    unit = 0;
  for (size_t i = 0; i < n; i++)
    oracle_set (to[i], x[i], unit);
  for (int i = 0; i < 2; i++)
    oracle_set (given_to[i], given[i], unit);
  return unit;
}

static inline void
oracle_load (struct oracle *o, const long double *x, const long double *y, size_t n,
             const double given[2])
{
  if (n > o->most)
    oracle_resize (o, n);
  o->n = n;
  memset (o->added, 0, sizeof o->added);
  o->x_unit = oracle_take (o->x, o->given_x, x, n, given);
  o->y_unit = oracle_take (o->y, o->given_y, y, n, given);
}

static inline void
oracle_add (struct oracle_sums *s, mpz_t *x, mpz_t *w, size_t n)
{
  for (int k = 0; k < 5; k++)
    mpz_set_ui (s->power[k], 0);
  for (int k = 0; k < 2; k++)
    mpz_set_ui (s->weight[k], 0);
  for (size_t i = 0; i < n; i++)
    {
      if (w == NULL)
        mpz_set_ui (s->a, 1);
      else if (mpz_sgn (w[i]) <= 0)
        continue;
      else
        mpz_set (s->a, w[i]);
      mpz_add (s->weight[0], s->weight[0], s->a);
      mpz_addmul (s->weight[1], s->a, s->a);
      for (int k = 0; k < 5; k++)
        {
          mpz_add (s->power[k], s->power[k], s->a);
          mpz_mul (s->a, s->a, x[i]);
        }
    }
}

/* Makes S, which is new, that sample's powers.  */
static inline void
oracle_sum (struct oracle_sums *s, struct oracle *o, enum oracle_of of)
{
  struct oracle_sums *const all = &o->sums[of];

  if (!o->added[of])
    oracle_add (all, of == OF_X ? o->x : o->y, of == OF_WEIGHTED ? o->x : NULL, o->n);
  o->added[of] = 1;
  oracle_init (s);
  for (int k = 0; k < 5; k++)
    mpz_set (s->power[k], all->power[k]);
  for (int k = 0; k < 2; k++)
    mpz_set (s->weight[k], all->weight[k]);
}

/* The sums of w (BELOW x - MEAN)^k, of a given mean or their own.  */
static inline void
oracle_about (struct oracle_sums *s, mpz_t mean)
{
  static const unsigned binomial[5][5]
    = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};

  if (mean)
    {
      mpz_set (s->mean, mean);
      mpz_set_ui (s->below, 1);
    }
  else
    {
      mpz_set (s->mean, s->power[1]);
      mpz_set (s->below, s->power[0]);
    }
  for (unsigned k = 0; k < 5; k++)
    {
      mpz_set_ui (s->about[k], 0);
      for (unsigned i = 0; i <= k; i++)
        {
          mpz_pow_ui (s->a, s->below, i);
          mpz_neg (s->b, s->mean);
          mpz_pow_ui (s->b, s->b, k - i);
          mpz_mul (s->a, s->a, s->b);
          mpz_mul (s->a, s->a, s->power[i]);
          mpz_addmul_ui (s->about[k], s->a, binomial[k][i]);
        }
    }
}

/* The sum of w |BELOW x - MEAN|^POWER in A.  */
static inline void
oracle_distances (struct oracle_sums *s, mpz_t *x, mpz_t *w, size_t n, unsigned power)
{
  mpz_set_ui (s->a, 0);
  for (size_t i = 0; i < n; i++)
    {
      if (w && mpz_sgn (w[i]) <= 0)
        continue;
      mpz_mul (s->b, s->below, x[i]);
      mpz_sub (s->b, s->b, s->mean);
      mpz_abs (s->b, s->b);
      mpz_pow_ui (s->b, s->b, power);
      if (w)
        mpz_mul (s->b, s->b, w[i]);
      mpz_add (s->a, s->a, s->b);
    }
}

/* TO = the root, if ROOT is set, of A / B 2^UNIT; returns 0 where B is 0.  */
static inline int
oracle_quotient (mpfr_t to, mpz_t a, mpz_t b, long unit, int root)
{
  mpfr_t under;
  int sign = mpz_sgn (a);

  if (mpz_sgn (b) == 0)
    return 0;
  mpfr_init2 (under, mpfr_get_prec (to));
  mpfr_set_z (to, a, MPFR_RNDN);
  mpfr_set_z (under, b, MPFR_RNDN);
  mpfr_div (to, to, under, MPFR_RNDN);
  mpfr_mul_2si (to, to, unit, MPFR_RNDN);
  if (root)
    {
      mpfr_abs (to, to, MPFR_RNDN);
      mpfr_sqrt (to, to, MPFR_RNDN);
      if (sign < 0)
        mpfr_neg (to, to, MPFR_RNDN);
    }
  mpfr_clear (under);
  return 1;
}

/* A statistic of one sample, weighted or not: what it is made of.  */
enum oracle_what
{
  O_MEAN, O_TSS, O_FIXED, O_VARIANCE, O_DISTANCE, O_SKEW, O_KURTOSIS, O_LAG1
};

/* Given the sums about the mean and, if SD is not null, that deviation; or the scale.  */
static inline int
oracle_moment (mpfr_t to, struct oracle_sums *s, enum oracle_what what, mpz_t sd,
               int scale)
{
  const unsigned k = what == O_SKEW ? 3 : 4;

  mpz_mul (s->b, s->weight[0], s->weight[0]);
  mpz_sub (s->b, s->b, s->weight[1]); /* V */
  if (sd)
    {
      mpz_pow_ui (s->b, sd, k);
      mpz_mul (s->b, s->b, s->weight[0]);
      mpz_set (s->a, s->about[k]);
    }
  else if (k == 3)
    {
      mpz_pow_ui (s->a, s->b, 3);
      mpz_mul (s->a, s->a, s->about[3]);
      mpz_abs (s->c, s->about[3]);
      mpz_mul (s->a, s->a, s->c);
      mpz_pow_ui (s->b, s->weight[0], 5);
      mpz_pow_ui (s->c, s->about[2], 3);
      mpz_mul (s->b, s->b, s->c);
    }
  else
    {
      mpz_mul (s->a, s->b, s->b);
      mpz_mul (s->a, s->a, s->about[4]);
      mpz_pow_ui (s->b, s->weight[0], 3);
      mpz_mul (s->c, s->about[2], s->about[2]);
      mpz_mul (s->b, s->b, s->c);
    }
  if (scale)
    mpz_abs (s->b, s->b);
  if (k == 4 && scale)
    mpz_addmul_ui (s->a, s->b, 3);
  else if (k == 4)
    mpz_submul_ui (s->a, s->b, 3);
  return oracle_quotient (to, s->a, s->b, 0, !sd && k == 3);
}

static inline int
oracle_lag1 (mpfr_t to, struct oracle_sums *s, mpz_t *x, size_t n)
{
  mpz_set_ui (s->a, 0);
  for (size_t i = 0; i + 1 < n; i++)
    {
      mpz_mul (s->b, s->below, x[i]);
      mpz_sub (s->b, s->b, s->mean);
      mpz_mul (s->c, s->below, x[i + 1]);
      mpz_sub (s->c, s->c, s->mean);
      mpz_addmul (s->a, s->b, s->c);
    }
  return oracle_quotient (to, s->a, s->about[2], 0, 0);
}

/* Makes those of the sums that may cancel the sums of magnitudes.  */
static inline void
oracle_scale (struct oracle_sums *s, enum oracle_what what, mpz_t *x, mpz_t *w, size_t n)
{
  if (what == O_SKEW)
    {
      oracle_distances (s, x, w, n, 3);
      mpz_set (s->about[3], s->a);
    }
  else if (what == O_MEAN)
    {
      mpz_set_ui (s->mean, 0);
      mpz_set_ui (s->below, 1);
      oracle_distances (s, x, w, n, 1);
      mpz_set (s->power[1], s->a);
    }
}

/* WHAT of the data, weighted or not, about a given MEAN or null; or the
   scale.  */
static inline int
oracle_one (mpfr_t to, enum oracle_what what, struct oracle *o, int weighted, mpz_t mean,
            mpz_t sd, int root, int scale)
{
  mpz_t *const x = weighted ? o->y : o->x, *const w = weighted ? o->x : NULL;
  const long unit = weighted ? o->y_unit : o->x_unit;
  const size_t n = o->n;
  struct oracle_sums s;
  int defined = 0;

  oracle_sum (&s, o, weighted ? OF_WEIGHTED : OF_X);
  oracle_about (&s, mean);
  if (scale)
    oracle_scale (&s, what, x, w, n);
  mpz_set (s.a, s.about[2]);
  mpz_mul (s.b, s.below, s.below);
  switch (what)
    {
    case O_MEAN:
      defined = oracle_quotient (to, s.power[1], s.power[0], unit, 0);
      break;
    case O_TSS:
      defined = oracle_quotient (to, s.a, s.b, 2 * unit + (weighted ? o->x_unit : 0), 0);
      break;
    case O_FIXED:
      mpz_mul (s.b, s.b, s.weight[0]);
      defined = oracle_quotient (to, s.a, s.b, 2 * unit, root);
      break;
    case O_VARIANCE:
      mpz_mul (s.a, s.a, s.weight[0]);
      mpz_mul (s.c, s.weight[0], s.weight[0]);
      mpz_sub (s.c, s.c, s.weight[1]);
      mpz_mul (s.b, s.b, s.c);
      defined = oracle_quotient (to, s.a, s.b, 2 * unit, root);
      break;
    case O_DISTANCE:
      oracle_distances (&s, x, w, n, 1);
      mpz_mul (s.c, s.mean, s.power[0]);
      mpz_abs (s.c, s.c);
      mpz_mul_ui (s.b, s.a, 32);
      if (scale && mean == NULL && mpz_cmp (s.c, s.b) < 0)
        mpz_add (s.a, s.a, s.c);
      mpz_mul (s.b, s.below, s.weight[0]);
      defined = oracle_quotient (to, s.a, s.b, unit, 0);
      break;
    case O_LAG1:
      if (scale)
        mpz_set (s.b, s.a);
      defined = scale ? oracle_quotient (to, s.a, s.b, 0, 0)
                      : oracle_lag1 (to, &s, x, n);
      break;
    default:
      defined = oracle_moment (to, &s, what, sd, scale);
      break;
    }
  oracle_clear (&s);
  return defined;
}

/* Of two samples, about their means or the given ones; or the scale.  */
static inline int
oracle_two (mpfr_t to, struct oracle *o, int statistic, int scale)
{
  struct oracle_sums s, t;
  const int given = statistic == STATISTIC_covariance_m;
  int defined;

  oracle_sum (&s, o, OF_X);
  oracle_sum (&t, o, OF_Y);
  oracle_about (&s, given ? o->given_x[0] : NULL);
  oracle_about (&t, given ? o->given_y[1] : NULL);
  mpz_set_ui (s.a, 0);
  for (size_t i = 0; i < o->n; i++)
    {
      mpz_mul (s.b, s.below, o->x[i]);
      mpz_sub (s.b, s.b, s.mean);
      mpz_mul (t.b, t.below, o->y[i]);
      mpz_sub (t.b, t.b, t.mean);
      mpz_addmul (s.a, s.b, t.b);
    }
  if (scale && statistic == STATISTIC_correlation)
    defined = mpfr_set_ui (to, 1, MPFR_RNDN) == 0;
  else if (scale)
    {
      mpz_mul (s.a, s.about[2], t.about[2]);
      mpz_mul (s.b, s.below, t.below);
      mpz_mul_ui (s.b, s.b, o->n - 1);
      mpz_mul (s.b, s.b, s.b);
      defined = oracle_quotient (to, s.a, s.b, 2 * (o->x_unit + o->y_unit), 1);
    }
  else if (statistic == STATISTIC_correlation)
    {
      mpz_abs (s.b, s.a);
      mpz_mul (s.a, s.a, s.b);
      mpz_mul (s.b, s.about[2], t.about[2]);
      defined = oracle_quotient (to, s.a, s.b, 0, 1);
    }
  else
    {
      mpz_mul (s.b, s.below, t.below);
      mpz_mul_ui (s.b, s.b, o->n - 1);
      defined = oracle_quotient (to, s.a, s.b, o->x_unit + o->y_unit, 0);
    }
  oracle_clear (&s);
  oracle_clear (&t);
  return defined;
}

/* The statistic by its definition, or, if SCALE is set, its scale; returns 0 where it is
   not.  */
static inline int
oracle_statistic (mpfr_t to, struct oracle *o, int statistic, int scale)
{
  static const struct
  {
    int what, given, root;
  } of[N_STATISTICS] = {
    [STATISTIC_mean] = {O_MEAN, 0, 0}, [STATISTIC_wmean] = {O_MEAN, 0, 0},
    [STATISTIC_tss] = {O_TSS, 0, 0}, [STATISTIC_wtss] = {O_TSS, 0, 0},
    [STATISTIC_tss_m] = {O_TSS, 1, 0}, [STATISTIC_wtss_m] = {O_TSS, 1, 0},
    [STATISTIC_variance] = {O_VARIANCE, 0, 0},
    [STATISTIC_wvariance] = {O_VARIANCE, 0, 0},
    [STATISTIC_variance_m] = {O_VARIANCE, 1, 0},
    [STATISTIC_wvariance_m] = {O_VARIANCE, 1, 0},
    [STATISTIC_sd] = {O_VARIANCE, 0, 1}, [STATISTIC_wsd] = {O_VARIANCE, 0, 1},
    [STATISTIC_population_variance] = {O_FIXED, 0, 0},
    [STATISTIC_population_sd] = {O_FIXED, 0, 1},
    [STATISTIC_sd_m] = {O_VARIANCE, 1, 1}, [STATISTIC_wsd_m] = {O_VARIANCE, 1, 1},
    [STATISTIC_variance_with_fixed_mean] = {O_FIXED, 1, 0},
    [STATISTIC_wvariance_with_fixed_mean] = {O_FIXED, 1, 0},
    [STATISTIC_sd_with_fixed_mean] = {O_FIXED, 1, 1},
    [STATISTIC_wsd_with_fixed_mean] = {O_FIXED, 1, 1},
    [STATISTIC_absdev] = {O_DISTANCE, 0, 0}, [STATISTIC_wabsdev] = {O_DISTANCE, 0, 0},
    [STATISTIC_absdev_m] = {O_DISTANCE, 1, 0},
    [STATISTIC_wabsdev_m] = {O_DISTANCE, 1, 0},
    [STATISTIC_skew] = {O_SKEW, 0, 0}, [STATISTIC_wskew] = {O_SKEW, 0, 0},
    [STATISTIC_skew_m_sd] = {O_SKEW, 2, 0}, [STATISTIC_wskew_m_sd] = {O_SKEW, 2, 0},
    [STATISTIC_kurtosis] = {O_KURTOSIS, 0, 0}, [STATISTIC_wkurtosis] = {O_KURTOSIS, 0, 0},
    [STATISTIC_kurtosis_m_sd] = {O_KURTOSIS, 2, 0},
    [STATISTIC_wkurtosis_m_sd] = {O_KURTOSIS, 2, 0},
    [STATISTIC_lag1_autocorrelation] = {O_LAG1, 0, 0},
    [STATISTIC_lag1_autocorrelation_m] = {O_LAG1, 1, 0},
  };
  const int weighted = is_weighted (statistic);
  mpz_t *given = weighted ? o->given_y : o->given_x;

  if (statistic >= STATISTIC_covariance && statistic <= STATISTIC_correlation)
    return oracle_two (to, o, statistic, scale);
  return oracle_one (to, (enum oracle_what) of[statistic].what, o, weighted,
                     of[statistic].given ? given[0] : NULL,
                     of[statistic].given == 2 ? given[1] : NULL, of[statistic].root,
                     scale);
}

/* Whether X is as near to two doubles as can be seen.  */
static inline int
oracle_is_in_the_middle (mpfr_t x)
{
  mpfr_t wide;
  int is;

  /* Of 54 bits the last is what the middle has one more than a double.  */
  mpfr_init2 (wide, 200);
  mpfr_set (wide, x, MPFR_RNDN);
  mpfr_prec_round (wide, 54, MPFR_RNDN);
  is = mpfr_min_prec (wide) == 54
       || fabs (mpfr_get_d (wide, MPFR_RNDN)) < 0x1p-1000;
  mpfr_sub (wide, wide, x, MPFR_RNDN);
  is = is && (mpfr_zero_p (wide) || mpfr_get_exp (wide) < mpfr_get_exp (x) - 150);
  mpfr_clear (wide);
  return is;
}

/* The statistic in as many digits as tell how it is rounded; returns 0 where it is not
   defined.  */
static inline int
oracle_value (mpfr_t to, struct oracle *o, int statistic)
{
  mpfr_set_prec (to, ORACLE_BITS);
  if (!oracle_statistic (to, o, statistic, 0))
    return 0;
  if (oracle_is_in_the_middle (to))
    {
      mpfr_set_prec (to, ORACLE_MOST_BITS);
      oracle_statistic (to, o, statistic, 0);
    }
  return 1;
}

#endif
