/* The exact values of sums and statistics.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------- Numbers */

static struct oracle_number
number_of (long double x)
{
  struct oracle_number a = {x < 0 ? -1 : x > 0, 0, 0, x};
  int exponent;

  if (x == 0 || !isfinite (x))
    return a;
  a.as = a.sign;
  a.digits = (uint64_t) ldexpl (frexpl (fabsl (x), &exponent), 64);
  a.exponent = exponent - 64 + __builtin_ctzll (a.digits);
  a.digits >>= __builtin_ctzll (a.digits);
  return a;
}

static int
is_finite (const struct oracle_number *a)
{
  return isfinite (a->as);
}

static void
put_word (mpz_t to, uint64_t word)
{
  mpz_import (to, 1, 1, sizeof word, 0, 0, &word);
}

/* TO = X in units of 2^UNIT.  */
static void
put (mpz_t to, const struct oracle_number *x, long unit)
{
  put_word (to, x->digits);
  if (x->digits)
    mpz_mul_2exp (to, to, (mp_bitcnt_t) (x->exponent - unit));
  if (x->sign < 0)
    mpz_neg (to, to);
}

/* TO / BELOW = X in units of 2^UNIT.  */
static void
put_fraction (mpz_t to, mpz_t below, const struct oracle_number *x, long unit)
{
  const long under = x->digits && x->exponent < unit ? unit - x->exponent : 0;

  put (to, x, unit - under);
  mpz_set_ui (below, 1);
  mpz_mul_2exp (below, below, (mp_bitcnt_t) under);
}

void
oracle_divide (mpfr_t to, mpz_t a, mpz_t b, long unit, int root)
{
  const int sign = mpz_sgn (a) * mpz_sgn (b);
  int inexact;
  long shift;
  mpz_t q, r;

  if (sign == 0)
    {
      mpfr_set_prec (to, ORACLE_BITS);
      if (mpz_sgn (b))
        mpfr_set_zero (to, 1);
      else if (mpz_sgn (a))
        mpfr_set_inf (to, mpz_sgn (a));
      else
        mpfr_set_nan (to);
      return;
    }
  mpz_inits (q, r, (mpz_ptr) NULL);
  shift = (root ? 2 : 1) * ORACLE_BITS + 2 + (long) mpz_sizeinbase (b, 2)
          - (long) mpz_sizeinbase (a, 2);
  if (shift < 0)
    shift = 0;
  shift += root && (unit - shift) % 2;
  mpz_mul_2exp (q, a, (mp_bitcnt_t) shift);
  mpz_tdiv_qr (q, r, q, b);
  mpz_abs (q, q);
  inexact = mpz_sgn (r) != 0;
  unit -= shift;
  if (root)
    {
      mpz_sqrtrem (q, r, q);
      inexact |= mpz_sgn (r) != 0;
      unit /= 2;
    }
  mpz_mul_2exp (q, q, 1);
  if (inexact)
    mpz_setbit (q, 0);
  mpfr_set_prec (to, (mpfr_prec_t) mpz_sizeinbase (q, 2) + 1);
  mpfr_set_z_2exp (to, q, unit - 1, MPFR_RNDN);
  if (sign < 0)
    mpfr_neg (to, to, MPFR_RNDN);
  mpz_clears (q, r, (mpz_ptr) NULL);
}

/* -------------------------------------------------------------------- Samples */

static void
begin_powers (struct oracle_powers *p)
{
  for (int k = 0; k < 5; k++)
    mpz_inits (p->power[0][k], p->power[1][k], (mpz_ptr) NULL);
  mpz_init (p->square);
}

static void
end_powers (struct oracle_powers *p)
{
  for (int k = 0; k < 5; k++)
    mpz_clears (p->power[0][k], p->power[1][k], (mpz_ptr) NULL);
  mpz_clear (p->square);
}

void
oracle_begin (struct oracle *o)
{
  memset (o, 0, sizeof *o);
  for (int of = 0; of < N_ORACLE_OF; of++)
    begin_powers (&o->powers[of]);
  begin_powers (&o->about);
  mpz_inits (o->mean[0], o->mean[1], o->below[0], o->below[1], o->central, o->product, o->size,
             o->a, o->b, o->c, (mpz_ptr) NULL);
}

void
oracle_end (struct oracle *o)
{
  free (o->x);
  for (int of = 0; of < N_ORACLE_OF; of++)
    end_powers (&o->powers[of]);
  end_powers (&o->about);
  mpz_clears (o->mean[0], o->mean[1], o->below[0], o->below[1], o->central, o->product, o->size,
              o->a, o->b, o->c, (mpz_ptr) NULL);
  mpfr_free_cache ();
}

/* N elements as numbers; the largest unit of which they are multiples.  */
static long
take (struct oracle_number *to, enum gt_element_type type, const void *x, size_t stride, size_t n)
{
  long unit = LONG_MAX;

  switch (type)
    {
#define X(id, name, infix, ctype, arithmetic)                                   \
    case GT_TYPE_##id:                                                          \
      for (size_t i = 0; i < n; i++)                                            \
        to[i] = number_of ((long double) ((const ctype *) x)[i * stride]);      \
      break;
      GT_ELEMENT_TYPES (X)
#undef X
    case GT_TYPE_COMPLEX:
      for (size_t i = 0; i < n; i++)
        to[i] = number_of (((const double *) x)[i / 2 * stride * 2 + i % 2]);
      break;
    case GT_TYPE_COMPLEX_FLOAT:
      for (size_t i = 0; i < n; i++)
        to[i] = number_of (((const float *) x)[i / 2 * stride * 2 + i % 2]);
      break;
    default:
      abort ();
    }
  for (size_t i = 0; i < n; i++)
    if (to[i].digits && to[i].exponent < unit)
      unit = to[i].exponent;
  return unit == LONG_MAX ? 0 : unit;
}

void
oracle_load (struct oracle *o, enum gt_element_type type, const void *x, size_t xs,
             const void *y, size_t ys, size_t n, const double given[2])
{
  o->is_complex = type == GT_TYPE_COMPLEX || type == GT_TYPE_COMPLEX_FLOAT;
  o->n = n << o->is_complex;
  if (o->n > o->most)
    {
      free (o->x);
      o->most = o->n;
      o->x = malloc (2 * o->most * sizeof *o->x);
      if (o->x == NULL)
        abort ();
    }
  o->y = o->x + o->most;
  o->unit[0] = take (o->x, type, x, xs, o->n);
  o->unit[1] = y ? take (o->y, type, y, ys, o->n) : 0;
  for (int k = 0; k < 2; k++)
    o->given[k] = number_of (given ? given[k] : 0);
  for (int of = 0; of < N_ORACLE_OF; of++)
    o->powers[of].degree = 0;
}

static const struct oracle_number *
data_of (const struct oracle *o, enum oracle_of of)
{
  return of == OF_X ? o->x : o->y;
}

/* Weights that are not positive are passed over with their elements.  */
static int
counts (const struct oracle *o, enum oracle_of of, size_t i)
{
  return of != OF_WEIGHTED || o->x[i].as > 0;
}

/* Adds up powers to DEGREE, of numbers below BOUND, which is in their unit, and of the rest.  */
static void
add_powers (struct oracle_powers *p, struct oracle *o, enum oracle_of of, unsigned degree,
            mpz_t bound)
{
  const struct oracle_number *x = data_of (o, of);
  const long unit = o->unit[of > OF_X];

  for (unsigned k = 0; k <= degree; k++)
    for (int side = 0; side < 2; side++)
      mpz_set_ui (p->power[side][k], 0);
  mpz_set_ui (p->square, 0);
  p->degree = degree + 1;
  for (size_t i = 0; i < o->n; i++)
    {
      const mp_bitcnt_t up = x[i].digits ? (mp_bitcnt_t) (x[i].exponent - unit) : 0;
      mp_bitcnt_t shift = 0;
      int side = x[i].sign >= 0;

      if (!counts (o, of, i))
        continue;
      if (mpz_sgn (bound))
        {
          put (o->b, &x[i], unit);
          side = mpz_cmp (o->b, bound) >= 0;
        }
      put_word (o->a, of == OF_WEIGHTED ? o->x[i].digits : 1);
      put_word (o->b, x[i].digits);
      if (x[i].sign < 0)
        mpz_neg (o->b, o->b);
      if (of == OF_WEIGHTED)
        shift = (mp_bitcnt_t) (o->x[i].exponent - o->unit[0]);
      mpz_mul (o->c, o->a, o->a);
      mpz_mul_2exp (o->c, o->c, 2 * shift);
      mpz_add (p->square, p->square, o->c);
      for (unsigned k = 0; k <= degree; k++, shift += up)
        {
          mpz_mul_2exp (o->c, o->a, shift);
          mpz_add (p->power[side][k], p->power[side][k], o->c);
          mpz_mul (o->a, o->a, o->b);
        }
    }
}

/* The powers about 0, to DEGREE at least.  */
static struct oracle_powers *
powers (struct oracle *o, enum oracle_of of, unsigned degree)
{
  struct oracle_powers *p = &o->powers[of];
  mpz_t zero;

  if (p->degree > degree)
    return p;
  mpz_init (zero);
  add_powers (p, o, of, degree > 2 ? 4 : degree > 1 ? 2 : 1, zero);
  mpz_clear (zero);
  return p;
}

/* TO = the sum of w x^k.  */
static void
total (mpz_t to, const struct oracle_powers *p, unsigned k)
{
  mpz_add (to, p->power[0][k], p->power[1][k]);
}

/* Makes mean WHICH that of the powers, or the given one.  */
static void
set_mean (struct oracle *o, int which, enum oracle_of of, int is_given)
{
  const struct oracle_powers *p = powers (o, of, 1);

  if (is_given)
    put_fraction (o->mean[which], o->below[which], &o->given[which], o->unit[of > OF_X]);
  else
    {
      total (o->mean[which], p, 1);
      total (o->below[which], p, 0);
    }
}

/* TO = the sum of w (BELOW x - MEAN)^K, or of the magnitudes if SIZES is set.  */
static void
moment (mpz_t to, struct oracle *o, enum oracle_of of, int which, unsigned k, int sizes)
{
  static const unsigned binomial[5][5]
    = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
  const struct oracle_powers *p = powers (o, of, k);
  mpz_t sum, a, b;

  mpz_inits (sum, a, b, (mpz_ptr) NULL);
  if (sizes && k % 2)
    {
      if (mpz_sgn (o->below[which]))
        mpz_cdiv_q (a, o->mean[which], o->below[which]);
      add_powers (&o->about, o, of, k, a);
      p = &o->about;
    }
  for (int side = 0; side < 2; side++)
    for (unsigned i = 0; i <= k; i++)
      {
        mpz_pow_ui (a, o->below[which], i);
        mpz_neg (b, o->mean[which]);
        mpz_pow_ui (b, b, k - i);
        mpz_mul (a, a, b);
        mpz_mul (a, a, p->power[side][i]);
        mpz_mul_ui (a, a, binomial[k][i]);
        if (p == &o->about && side == 0)
          mpz_sub (sum, sum, a);
        else
          mpz_add (sum, sum, a);
      }
  mpz_set (to, sum);
  mpz_clears (sum, a, b, (mpz_ptr) NULL);
}

/* PRODUCT = the sum of s x_i y_j, and SIZE that of the magnitudes.  Of complex numbers it is
   a part of their product, of their conjugates' if SIGN is negative.  */
static void
multiply (struct oracle *o, const struct oracle_number *y, size_t n, long unit, int part, int sign)
{
  mpz_set_ui (o->product, 0);
  mpz_set_ui (o->size, 0);
  for (size_t i = 0; i < n; i++)
    {
      const struct oracle_number *other = &y[o->is_complex && part ? i ^ 1 : i];
      const int s = !o->is_complex || i % 2 == 0 ? 1 : part ? sign : -sign;

      if (o->x[i].digits == 0 || other->digits == 0)
        continue;
      put_word (o->a, o->x[i].digits);
      put_word (o->b, other->digits);
      mpz_mul (o->a, o->a, o->b);
      mpz_mul_2exp (o->a, o->a, (mp_bitcnt_t) (o->x[i].exponent + other->exponent - unit));
      mpz_add (o->size, o->size, o->a);
      if (s * o->x[i].sign * other->sign > 0)
        mpz_add (o->product, o->product, o->a);
      else
        mpz_sub (o->product, o->product, o->a);
    }
}

/* ----------------------------------------------------------------- Definitions */

enum what
{
  SUM, ASUM, DOT, NRM2, MEAN, TSS, FIXED, VARIANCE, ABSDEV, SKEW, KURTOSIS, LAG1, COVARIANCE,
  CORRELATION, N_WHAT
};

struct definition
{
  enum what what;
  int weighted, given, root, sign;
};

static int
begins (const char *name, const char *with)
{
  return strncmp (name, with, strlen (with)) == 0;
}

static struct definition
definition_of (const char *name)
{
  static const struct
  {
    const char *name;
    enum what what;
    int root;
  } statistics[] = {
    {"sum", SUM, 0}, {"mean", MEAN, 0}, {"tss", TSS, 0}, {"population_variance", FIXED, 0},
    {"population_sd", FIXED, 1}, {"variance_with_fixed_mean", FIXED, 0},
    {"sd_with_fixed_mean", FIXED, 1}, {"variance", VARIANCE, 0}, {"sd", VARIANCE, 1},
    {"absdev", ABSDEV, 0}, {"skew", SKEW, 0}, {"kurtosis", KURTOSIS, 0},
    {"lag1_autocorrelation", LAG1, 0}, {"covariance", COVARIANCE, 0},
    {"correlation", CORRELATION, 0},
  };
  const char *end = strchr (name, '\0');
  struct definition d = {N_WHAT, name[0] == 'w', 0, 0, 1};

  if (strstr (name, "asum"))
    d.what = ASUM;
  else if (strstr (name, "nrm2"))
    d.what = NRM2;
  else if (strstr (name, "dot"))
    {
      d.what = DOT;
      d.given = strcmp (name, "sdsdot") == 0;
      d.sign = end[-1] == 'c' ? -1 : 1;
    }
  else
    {
      d.given = strstr (name, "_m_sd") ? 2 : strstr (name, "_fixed_mean") || begins (end - 2, "_m");
      for (size_t k = 0; k < sizeof statistics / sizeof *statistics && d.what == N_WHAT; k++)
        if (begins (name + d.weighted, statistics[k].name))
          {
            d.what = statistics[k].what;
            d.root = statistics[k].root;
          }
    }
  if (d.what == N_WHAT)
    abort ();
  return d;
}

/* The sign of X less what is GIVEN, or what is infinite or NaN of that.  */
static long double
beyond (struct oracle *o, const struct oracle_number *x, int which,
        const struct oracle_number *given)
{
  if (!is_finite (x) || !is_finite (given))
    return x->as - given->as;
  put_fraction (o->a, o->b, given, o->unit[which]);
  put (o->c, x, o->unit[which]);
  mpz_mul (o->c, o->c, o->b);
  return (mpz_cmp (o->c, o->a) > 0) - (mpz_cmp (o->c, o->a) < 0);
}

/* Of numbers that are not all finite, as the definition makes of their signs.  */
static long double
special (struct oracle *o, struct definition d, int part)
{
  const enum oracle_of of = d.weighted ? OF_WEIGHTED : OF_X;
  const struct oracle_number *x = data_of (o, of);
  const int power = d.what == SKEW ? 3 : d.what == KURTOSIS ? 4 : d.what == ABSDEV ? 1 : 2;
  long double sum = 0, squares = 0, before = 0;

  if (d.what >= TSS && !d.given)
    return NAN;
  for (size_t i = 0; i < o->n; i++)
    {
      const size_t j = o->is_complex && part ? i ^ 1 : i;
      const int s = !o->is_complex || i % 2 == 0 ? 1 : part ? d.sign : -d.sign;
      long double a = x[i].as;

      if (!counts (o, of, i))
        continue;
      if (d.what == DOT)
        sum += s * a * o->y[j].as;
      else if (d.what == ASUM || d.what == NRM2)
        sum += fabsl (a);
      else if (d.what <= MEAN)
        sum += a;
      else
        {
          a = beyond (o, &x[i], of > OF_X, &o->given[0]);
          if (d.what == COVARIANCE)
            sum += a * beyond (o, &o->y[i], 1, &o->given[1]);
          else if (d.what == LAG1)
            {
              sum += i ? a * before : 0;
              squares += a * a;
              before = a;
            }
          else
            {
              if (d.given == 2)
                a = a / o->given[1].as;
              sum += powl (power == 1 ? fabsl (a) : a, power);
            }
        }
    }
  if (d.what == LAG1)
    return sum / squares;
  return d.what == KURTOSIS ? sum - 3 : sum;
}

/* Whether the value is that of nothing: GSL's of no elements.  */
static int
of_nothing (long double *value, struct oracle *o, struct definition d)
{
  const enum oracle_of of = d.weighted ? OF_WEIGHTED : OF_X;

  for (size_t i = 0; i < o->n; i++)
    if (counts (o, of, i))
      return 0;
  *value = d.what == KURTOSIS ? -3
           : d.what == LAG1 || d.what == CORRELATION
               || (d.what == ABSDEV && !d.weighted) || (d.what == VARIANCE && d.weighted)
             ? NAN : 0;
  return d.what > NRM2;
}

/* Whether all numbers that count are finite, and weights too, without which a value is not
   DEFINED.  */
static int
all_finite (struct oracle *o, struct definition d, int *defined)
{
  const enum oracle_of of = d.weighted ? OF_WEIGHTED : OF_X;
  const int two = d.what == DOT || d.what >= COVARIANCE;
  int finite = 1;

  *defined = 1;
  for (size_t i = 0; i < o->n; i++)
    if (counts (o, of, i))
      {
        finite &= is_finite (&data_of (o, of)[i]) && (!two || is_finite (&o->y[i]));
        *defined &= !d.weighted || is_finite (&o->x[i]);
      }
  for (int k = 0; k < 2; k++)
    finite &= d.given <= k - (d.what == COVARIANCE) || is_finite (&o->given[k]);
  return finite;
}

static void
finish_sum (mpfr_t to, struct oracle *o, struct definition d, int scale, int part)
{
  struct oracle_powers *p = &o->powers[OF_X];
  long unit = o->unit[0];

  powers (o, OF_X, d.what == NRM2 ? 2 : 1);
  mpz_set_ui (o->c, 1);
  if (d.what == DOT)
    {
      unit = o->unit[0] + o->unit[1];
      multiply (o, o->y, o->n, unit, part, d.sign);
      mpz_set (o->a, scale ? o->size : o->product);
      if (d.given)
        {
          put_fraction (o->b, o->c, &o->given[0], unit);
          if (scale)
            mpz_abs (o->b, o->b);
          mpz_addmul (o->b, o->a, o->c);
          mpz_set (o->a, o->b);
        }
    }
  else if (d.what == NRM2)
    total (o->a, p, 2);
  else if (d.what == ASUM || scale)
    mpz_sub (o->a, p->power[1][1], p->power[0][1]);
  else
    total (o->a, p, 1);
  oracle_divide (to, o->a, o->c, d.what == NRM2 ? 2 * unit : unit, d.what == NRM2);
}

/* The third and fourth moments over powers of a deviation, or their scale.  */
static void
finish_shape (mpfr_t to, struct oracle *o, struct definition d, int scale, enum oracle_of of)
{
  const unsigned k = d.what == SKEW ? 3 : 4;
  struct oracle_powers *p = powers (o, of, 4);
  mpz_t w, v, under;
  long unit = 0;

  mpz_inits (w, v, under, (mpz_ptr) NULL);
  total (w, p, 0);
  mpz_mul (v, w, w);
  mpz_sub (v, v, p->square);
  moment (o->central, o, of, 0, k, scale);
  moment (o->size, o, of, 0, 2, 0);
  if (d.given == 2)
    {
      /* c_k / (below^k W sd^k) */
      const struct oracle_number *sd = &o->given[1];

      put_word (under, sd->digits);
      if (sd->sign < 0)
        mpz_neg (under, under);
      mpz_mul (under, under, o->below[0]);
      mpz_pow_ui (under, under, k);
      mpz_mul (under, under, w);
      unit = (long) k * (o->unit[of > OF_X] - sd->exponent);
      if (unit > 0)
        mpz_mul_2exp (o->central, o->central, (mp_bitcnt_t) unit);
      else
        mpz_mul_2exp (under, under, (mp_bitcnt_t) -unit);
    }
  else if (k == 3)
    {
      /* Squared: c_3^2 v^3 / (W^5 c_2^3) */
      mpz_abs (under, o->central);
      mpz_mul (o->central, o->central, under);
      mpz_pow_ui (v, v, 3);
      mpz_mul (o->central, o->central, v);
      mpz_pow_ui (under, w, 5);
      mpz_pow_ui (o->size, o->size, 3);
      mpz_mul (under, under, o->size);
    }
  else
    {
      /* c_4 v^2 / (W^3 c_2^2) */
      mpz_mul (v, v, v);
      mpz_mul (o->central, o->central, v);
      mpz_pow_ui (under, w, 3);
      mpz_mul (o->size, o->size, o->size);
      mpz_mul (under, under, o->size);
    }
  if (scale)
    mpz_abs (under, under);
  if (k == 4 && scale)
    mpz_addmul_ui (o->central, under, 3);
  else if (k == 4)
    mpz_submul_ui (o->central, under, 3);
  oracle_divide (to, o->central, under, 0, k == 3 && d.given < 2);
  mpz_clears (w, v, under, (mpz_ptr) NULL);
}

static void
finish_pair (mpfr_t to, struct oracle *o, struct definition d, int scale)
{
  const long unit = o->unit[0] + o->unit[1];
  const int given = d.given > 0;
  mpz_t squares[2], sum;

  mpz_inits (squares[0], squares[1], sum, (mpz_ptr) NULL);
  set_mean (o, 0, OF_X, given);
  set_mean (o, 1, OF_Y, given);
  moment (squares[0], o, OF_X, 0, 2, 0);
  moment (squares[1], o, OF_Y, 1, 2, 0);
  /* below1 below2 sum xy - mean1 below2 sum y - mean2 below1 sum x + n mean1 mean2 */
  multiply (o, o->y, o->n, unit, 0, 1);
  mpz_mul (o->product, o->product, o->below[0]);
  mpz_mul (sum, o->product, o->below[1]);
  total (o->a, powers (o, OF_Y, 1), 1);
  mpz_mul (o->a, o->a, o->below[1]);
  mpz_submul (sum, o->a, o->mean[0]);
  total (o->a, powers (o, OF_X, 1), 1);
  mpz_mul (o->a, o->a, o->below[0]);
  mpz_submul (sum, o->a, o->mean[1]);
  mpz_mul (o->a, o->mean[0], o->mean[1]);
  mpz_mul_ui (o->a, o->a, o->n);
  mpz_add (sum, sum, o->a);
  if (d.what == COVARIANCE)
    {
      mpz_mul (o->b, o->below[0], o->below[1]);
      mpz_mul_ui (o->b, o->b, o->n - 1);
      if (!scale)
        oracle_divide (to, sum, o->b, unit, 0);
      else
        {
          mpz_mul (o->a, squares[0], squares[1]);
          mpz_mul (o->b, o->b, o->b);
          oracle_divide (to, o->a, o->b, 2 * unit, 1);
        }
    }
  else
    {
      mpz_abs (o->a, sum);
      mpz_mul (sum, sum, o->a);
      mpz_mul (o->b, squares[0], squares[1]);
      oracle_divide (to, scale ? o->b : sum, o->b, 0, 1);
    }
  mpz_clears (squares[0], squares[1], sum, (mpz_ptr) NULL);
}

/* sum of the neighbours' products about the mean, over that of the squares.  */
static void
finish_lag1 (mpfr_t to, struct oracle *o, int scale)
{
  moment (o->central, o, OF_X, 0, 2, 0);
  multiply (o, o->x + 1, o->n - 1, 2 * o->unit[0], 0, 1);
  mpz_mul (o->product, o->product, o->below[0]);
  mpz_mul (o->product, o->product, o->below[0]);
  total (o->a, powers (o, OF_X, 1), 1);
  mpz_mul_2exp (o->a, o->a, 1);
  put (o->b, &o->x[0], o->unit[0]);
  mpz_sub (o->a, o->a, o->b);
  put (o->b, &o->x[o->n - 1], o->unit[0]);
  mpz_sub (o->a, o->a, o->b);
  mpz_mul (o->a, o->a, o->below[0]);
  mpz_submul (o->product, o->a, o->mean[0]);
  mpz_mul (o->a, o->mean[0], o->mean[0]);
  mpz_mul_ui (o->a, o->a, o->n - 1);
  mpz_add (o->product, o->product, o->a);
  oracle_divide (to, scale ? o->central : o->product, o->central, 0, 0);
}

static void
finish_distance (mpfr_t to, struct oracle *o, struct definition d, int scale, enum oracle_of of)
{
  moment (o->central, o, of, 0, 1, 1);
  total (o->c, powers (o, of, 0), 0);
  if (scale && !d.given)
    {
      mpz_mul (o->a, o->mean[0], o->c);
      mpz_abs (o->a, o->a);
      mpz_mul_ui (o->b, o->central, 32);
      if (mpz_cmp (o->a, o->b) < 0)
        mpz_add (o->central, o->central, o->a);
    }
  mpz_mul (o->b, o->below[0], o->c);
  oracle_divide (to, o->central, o->b, o->unit[of > OF_X], 0);
}

static void
finish_spread (mpfr_t to, struct oracle *o, struct definition d, enum oracle_of of)
{
  struct oracle_powers *p = powers (o, of, 2);
  long unit = 2 * o->unit[of > OF_X];

  moment (o->central, o, of, 0, 2, 0);
  mpz_mul (o->b, o->below[0], o->below[0]);
  total (o->c, p, 0);
  if (d.what == TSS)
    unit += d.weighted ? o->unit[0] : 0;
  else if (d.what == FIXED)
    mpz_mul (o->b, o->b, o->c);
  else
    {
      mpz_mul (o->central, o->central, o->c);
      mpz_mul (o->c, o->c, o->c);
      mpz_sub (o->c, o->c, p->square);
      mpz_mul (o->b, o->b, o->c);
    }
  oracle_divide (to, o->central, o->b, unit, d.root);
}

static void
finish_mean (mpfr_t to, struct oracle *o, int scale, enum oracle_of of)
{
  struct oracle_powers *p = powers (o, of, 1);

  if (scale)
    mpz_sub (o->a, p->power[1][1], p->power[0][1]);
  else
    total (o->a, p, 1);
  total (o->b, p, 0);
  oracle_divide (to, o->a, o->b, o->unit[of > OF_X], 0);
}

static void
finish (mpfr_t to, struct oracle *o, struct definition d, int scale, int part)
{
  const enum oracle_of of = d.weighted ? OF_WEIGHTED : OF_X;

  if (d.what <= NRM2)
    finish_sum (to, o, d, scale, part);
  else if (d.what >= COVARIANCE)
    finish_pair (to, o, d, scale);
  else if (d.what == MEAN)
    finish_mean (to, o, scale, of);
  else
    {
      set_mean (o, 0, of, d.given);
      if (d.what == LAG1)
        finish_lag1 (to, o, scale);
      else if (d.what == ABSDEV)
        finish_distance (to, o, d, scale, of);
      else if (d.what == SKEW || d.what == KURTOSIS)
        finish_shape (to, o, d, scale, of);
      else
        finish_spread (to, o, d, of);
    }
}

int
oracle_value (mpfr_t to, struct oracle *o, const char *name, int part)
{
  const struct definition d = definition_of (name);
  long double value;
  int defined = 1;

  mpfr_set_prec (to, ORACLE_BITS);
  if (of_nothing (&value, o, d))
    mpfr_set_ld (to, value, MPFR_RNDN);
  else if (!all_finite (o, d, &defined))
    mpfr_set_ld (to, special (o, d, part), MPFR_RNDN);
  else if (d.given == 2 && o->given[1].sign == 0)
    return 0;
  else
    finish (to, o, d, 0, part);
  return defined;
}

void
oracle_scale (mpfr_t to, struct oracle *o, const char *name, int part)
{
  finish (to, o, definition_of (name), 1, part);
}

uint64_t
oracle_word (struct oracle *o)
{
  uint64_t word = 0;

  total (o->a, powers (o, OF_X, 1), 1);
  mpz_mul_2exp (o->a, o->a, (mp_bitcnt_t) o->unit[0]);
  mpz_fdiv_r_2exp (o->a, o->a, 64);
  mpz_export (&word, NULL, 1, sizeof word, 0, 0, o->a);
  return word;
}

/* --------------------------------------------------------------------- Errors */

#define FORMAT(prefix) {prefix##_MANT_DIG, prefix##_MIN_EXP - prefix##_MANT_DIG}
const struct oracle_format oracle_formats[GT_N_TYPES] = {
  [GT_TYPE_DOUBLE] = FORMAT (DBL),
  [GT_TYPE_COMPLEX] = FORMAT (DBL),
  [GT_TYPE_FLOAT] = FORMAT (FLT),
  [GT_TYPE_COMPLEX_FLOAT] = FORMAT (FLT),
  [GT_TYPE_LONG_DOUBLE] = FORMAT (LDBL),
};

long double
oracle_rounded (mpfr_t x, const struct oracle_format *format)
{
  return format->digits == FLT_MANT_DIG   ? mpfr_get_flt (x, MPFR_RNDN)
         : format->digits == DBL_MANT_DIG ? mpfr_get_d (x, MPFR_RNDN)
                                          : mpfr_get_ld (x, MPFR_RNDN);
}

long
oracle_place (mpfr_t x, const struct oracle_format *format)
{
  const long place = mpfr_zero_p (x) ? LONG_MIN : mpfr_get_exp (x) - format->digits;

  return place < format->lowest ? format->lowest : place;
}

long double
oracle_error (long double x, mpfr_t exact, const struct oracle_format *format)
{
  const long double rounded = oracle_rounded (exact, format);
  mpfr_t difference;
  long double error;

  if (x == rounded || (isnan (x) && isnan (rounded)))
    return 0;
  if (isnan (x) || !mpfr_number_p (exact))
    return INFINITY;
  mpfr_init2 (difference, 200);
  mpfr_set_ld (difference, x, MPFR_RNDN);
  if (isinf (x))
    mpfr_set_ui_2exp (difference, 1, 3 - format->lowest - format->digits, MPFR_RNDN);
  if (x < 0)
    mpfr_setsign (difference, difference, 1, MPFR_RNDN);
  mpfr_sub (difference, difference, exact, MPFR_RNDN);
  mpfr_mul_2si (difference, difference, -oracle_place (exact, format), MPFR_RNDN);
  error = fabsl (mpfr_get_ld (difference, MPFR_RNDN));
  mpfr_clear (difference);
  return error;
}
