/* Tests of what each mode promises (tests/truth.h) of sums, sums of magnitudes, dot products
   and norms of real and complex vectors, beside MPFR in so many digits that no sum of
   products is rounded.

   test_sums_truth CASES tries so many cases of each kind of elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "src/base/env.h"
#include "src/gsltune.h"
#include "tests/truth.h"
#include "tuning/measure/listed.h"

#define MOST 1200
#define MOST_STRIDE 3
#define DIGITS 9000

static const struct truth_format formats[] = {
  [GT_TYPE_DOUBLE] = {DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG},
  [GT_TYPE_COMPLEX] = {DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG},
  [GT_TYPE_FLOAT] = {FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG},
  [GT_TYPE_COMPLEX_FLOAT] = {FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG},
  [GT_TYPE_LONG_DOUBLE] = {LDBL_MANT_DIG, LDBL_MIN_EXP - LDBL_MANT_DIG},
};

static mpfr_t exact, scale, term, factor;
static int cases = 20;

/* ----------------------------------------------------------------- Elements */

static int
is_of_floats (enum gt_element_type type)
{
  return type == GT_TYPE_FLOAT || type == GT_TYPE_COMPLEX_FLOAT;
}

static int
parts_of (enum gt_element_type type)
{
  return type == GT_TYPE_COMPLEX || type == GT_TYPE_COMPLEX_FLOAT ? 2 : 1;
}

static long double
get (enum gt_element_type type, const void *from, size_t at)
{
  return type == GT_TYPE_LONG_DOUBLE ? ((const long double *) from)[at]
         : is_of_floats (type)       ? ((const float *) from)[at]
                                     : ((const double *) from)[at];
}

static void
sow (enum gt_element_type type, void *to, enum kind kind, size_t n, size_t stride,
     uint64_t *seed)
{
  const size_t parts = (size_t) parts_of (type);
  long double x = 1;

  for (size_t i = 0; i < n * parts; i++)
    {
      const size_t at = i / parts * stride * parts + i % parts;

      x = element (kind, i, n * parts, x, seed);
      if (type == GT_TYPE_LONG_DOUBLE)
        ((long double *) to)[at] = x;
      else if (is_of_floats (type))
        ((float *) to)[at] = (float) (x = to_float (x));
      else
        ((double *) to)[at] = (double) x;
    }
}

/* ------------------------------------------------------------------- Truth */

/* Adds A B, or takes it off, and its magnitude to the scale.  */
static void
add (long double a, long double b, int sign)
{
  mpfr_set_ld (term, a, MPFR_RNDN);
  mpfr_set_ld (factor, sign * b, MPFR_RNDN);
  mpfr_mul (term, term, factor, MPFR_RNDN);
  mpfr_add (exact, exact, term, MPFR_RNDN);
  mpfr_abs (term, term, MPFR_RNDN);
  mpfr_add (scale, scale, term, MPFR_RNDN);
}

/* Part K of a product of complex numbers, the first one's conjugate where SIGN is
   negative.  */
static void
add_part (const long double a[2], const long double b[2], int k, int sign)
{
  add (a[0], b[k], 1);
  add (a[1], b[!k], k ? sign : -sign);
}

static void
take (const struct gt_listed *f, const struct gt_operands *o, int k)
{
  const int parts = parts_of (f->type), sign = strchr (f->name, '\0')[-1] == 'c' ? -1 : 1;
  long double a[2], b[2];

  mpfr_set_zero (exact, 1);
  mpfr_set_zero (scale, 1);
  if (f->is_given)
    add (o->given[0], 1, 1);
  for (size_t i = 0; i < o->n; i++)
    {
      for (int p = 0; p < parts; p++)
        {
          a[p] = get (f->type, o->x, i * o->stride[0] * (size_t) parts + (size_t) p);
          b[p] = get (f->type, o->y, i * o->stride[1] * (size_t) parts + (size_t) p);
        }
      if (f->reduction == GT_CDOT)
        add_part (a, b, k, sign);
      else
        for (int p = 0; p < parts; p++)
          add (f->reduction == GT_ASUM ? fabsl (a[p]) : a[p],
               f->reduction == GT_DOT     ? b[p]
               : f->reduction == GT_SUMSQ ? a[p]
                                          : 1, 1);
    }
  if (f->reduction == GT_SUMSQ)
    {
      mpfr_sqrt (exact, exact, MPFR_RNDN);
      mpfr_set (scale, exact, MPFR_RNDN);
    }
}

static long double
rounded_to (const struct truth_format *format)
{
  return format->digits == FLT_MANT_DIG   ? mpfr_get_flt (exact, MPFR_RNDN)
         : format->digits == DBL_MANT_DIG ? mpfr_get_d (exact, MPFR_RNDN)
                                          : mpfr_get_ld (exact, MPFR_RNDN);
}

/* Whether sums of parts may overflow, which fast mode lets them do.  */
static int
overflows (const struct truth_format *format)
{
  return truth_place (scale, format) > -format->lowest - 2 * format->digits + 2;
}

/* Whether elements of KIND, or their products, are near either end of the range: on the way
   to what these add up to anything may be raised.  */
static int
is_extreme (enum kind kind, enum gt_element_type type)
{
  return kind == ALL_SIZES || kind == HUGE_ONES || kind == TINY || kind == SUBNORMAL
         || kind == TOP || kind == LARGEST_ONES
         || (kind == CANCELLING && is_of_floats (type));
}

/* The exceptions that what F answers, rounded to FORMAT, does not deserve: any may be
   inexact.  */
static int
undeserved (const struct gt_listed *f, const struct gt_answer *a,
            const struct truth_format *format)
{
  const long double least = ldexpl (1, format->lowest + format->digits - 1);
  int flags = FE_ALL_EXCEPT & ~FE_INEXACT;

  for (int k = 0; k < (f->reduction == GT_CDOT ? 2 : 1); k++)
    {
      const long double x = gt_answer_value (f, a, k);

      flags &= isinf (x) ? ~FE_OVERFLOW : fabsl (x) < least ? ~FE_UNDERFLOW : ~0;
    }
  return flags;
}

static void
judge (const struct gt_listed *f, const struct gt_operands *o, int k, int extreme,
       const char *what)
{
  const struct truth_format *format
    = f->answers == GT_ANSWERS_WIDE ? &truth_double : &formats[f->type];
  long double rounded, gsl, of_gsl;
  struct gt_answer a;

  take (f, o, k);
  rounded = rounded_to (format);
  f->call (f->gsl, o, &a);
  gsl = gt_answer_value (f, &a, k);
  of_gsl = truth_error (gsl, rounded, exact, format);
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      long double x, error;

      if (mode == GT_MODE_FAST && overflows (format))
        continue;
      gsltune_set_mode ((gsltune_mode) mode);
      feclearexcept (FE_ALL_EXCEPT);
      f->call (f->ours, o, &a);
      x = gt_answer_value (f, &a, k);
      if (!extreme && fetestexcept (undeserved (f, &a, format)))
        fail_msg ("%s of %zu, %s, %s: exceptions %#x", f->symbol, o->n, what,
                  gt_mode_names[mode], (unsigned) fetestexcept (FE_ALL_EXCEPT));
      error = truth_error (x, rounded, exact, format);
      if (!truth_is_within ((enum gt_mode) mode, error, of_gsl,
                            truth_cancelled (scale, exact, format)))
        fail_msg ("%s of %zu, %s, %s: %.21Lg instead of %.21Lg, GSL has %.21Lg: %.4Lg, "
                  "GSL %.4Lg, cancelled %.4Lg",
                  f->symbol, o->n, what, gt_mode_names[mode], x, rounded, gsl, error,
                  of_gsl, truth_cancelled (scale, exact, format));
    }
}

static int
is_tried (const struct gt_listed *f)
{
  return (f->family == GT_OF_VECTOR || f->family == GT_OF_BLAS)
         && (f->reduction == GT_SUM || f->reduction == GT_ASUM || f->reduction == GT_DOT
             || f->reduction == GT_SUMSQ || f->reduction == GT_CDOT);
}

static void
try_all (enum gt_element_type type, size_t n, enum kind kind, enum kind second,
         uint64_t *seed)
{
  static long double x[2 * MOST * MOST_STRIDE], y[2 * MOST * MOST_STRIDE];
  const size_t xs = 1 + (size_t) below (seed, MOST_STRIDE);
  const size_t ys = 1 + (size_t) below (seed, MOST_STRIDE);
  const struct gt_operands o
    = {.x = x, .y = y, .n = n, .stride = {xs, ys},
       .given = {ldexp (1.5, below (seed, 100) - 50), 0}};
  char what[60];

  snprintf (what, sizeof what, "elements %d and %d, strides %zu and %zu", kind, second, xs,
            ys);
  sow (type, x, kind, n, xs, seed);
  sow (type, y, second, n, ys, seed);
  for (size_t i = 0; i < gt_listed[type].count; i++)
    if (is_tried (&gt_listed[type].function[i]))
      for (int k = 0; k < (gt_listed[type].function[i].reduction == GT_CDOT ? 2 : 1); k++)
        judge (&gt_listed[type].function[i], &o, k,
               is_extreme (kind, type) || is_extreme (second, type), what);
}

TEST (as_defined)
{
  static const size_t lengths[] = {1, 2, 3, 4, 5, 8, 16, 17, 33, 47, 48, 64, 100, 257, MOST};
  static const enum gt_element_type types[]
    = {GT_TYPE_DOUBLE, GT_TYPE_FLOAT, GT_TYPE_LONG_DOUBLE, GT_TYPE_COMPLEX,
       GT_TYPE_COMPLEX_FLOAT};
  uint64_t seed = 3;

  for (int i = 0; i < cases; i++)
    for (int kind = 0; kind < N_KINDS; kind++)
      for (size_t t = 0; t < N_OF (types); t++)
        try_all (types[t], lengths[below (&seed, N_OF (lengths))], (enum kind) kind,
                 (enum kind) (below (&seed, 3) ? below (&seed, N_KINDS) : kind), &seed);
}

FIXTURE (begin)
{
  mpfr_set_emin (mpfr_get_emin_min ());
  mpfr_set_emax (mpfr_get_emax_max ());
  mpfr_inits2 (DIGITS, exact, scale, term, factor, (mpfr_ptr) NULL);
  return 0;
}

FIXTURE (end)
{
  mpfr_clears (exact, scale, term, factor, (mpfr_ptr) NULL);
  mpfr_free_cache ();
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    cases = atoi (argv[1]);
  gt_env.profile_dir = "/nonexistent";
  return run_unit_tests (begin, end);
}
