/* The exact values of sums and statistics, from whole numbers in GNU MP: what every test of
   them compares with.  Nothing here is the library's but the names of types.

   A sample is loaded once and asked for any number of values.  The scale of a value is how
   large it could be if terms of its definition did not cancel: with |x| in a mean, |d|^3 in
   skewness, and 3 added to the kurtosis; a covariance has the product of the standard
   deviations, correlations have 1; a mean distance has the magnitude of its mean added, unless
   that is so large that it must be known better; of what adds nothing of two signs it is the
   value.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_ORACLE_H
#define GT_TESTS_ORACLE_H

#include <gmp.h>
#include <limits.h>
#include <mpfr.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/types.h"

/* Of a value rounded to odd: it can be rounded again, to any type.  */
#define ORACLE_BITS 300

/* A finite number, SIGN DIGITS 2^EXPONENT, or another, AS it is; of a finite one AS is the
   sign.  */
struct oracle_number
{
  int sign;
  uint64_t digits;
  long exponent;
  long double as;
};

/* Sums of w x^k, those of numbers below some other and of the rest, and of w^2.  */
struct oracle_powers
{
  mpz_t power[2][5], square;
  unsigned degree; /* what has been added up, and one more */
};

/* What powers are of: X, Y, or Y with the weights X.  */
enum oracle_of
{
  OF_X, OF_Y, OF_WEIGHTED, N_ORACLE_OF
};

struct oracle
{
  struct oracle_number *x, *y, given[2];
  size_t n, most;
  int is_complex;
  long unit[2]; /* all numbers of X, and of Y, are multiples of two to this power */
  struct oracle_powers powers[N_ORACLE_OF], about;
  mpz_t mean[2], below[2], central, product, size, a, b, c;
};

void oracle_begin (struct oracle *o);
void oracle_end (struct oracle *o);

/* Takes N elements of TYPE, XS apart at X and YS at Y, which may be null, and two numbers that
   are given, a mean and a deviation, or a mean for each.  X are the weights of what is
   weighted.  */
void oracle_load (struct oracle *o, enum gt_element_type type, const void *x, size_t xs,
                  const void *y, size_t ys, size_t n, const double given[2]);

/* TO = the value of NAME, one of src/functions.def, such as wmean or zdotc, whose PART may be 1;
   of "sum", "asum", "dot" and "nrm2" for all types.  Rounded to odd, of ORACLE_BITS at least.
   It is infinite or NaN where GSL's is by its definition; returns 0 where nothing is defined:
   of numbers divided by a given deviation of 0, and of infinite weights.  */
int oracle_value (mpfr_t to, struct oracle *o, const char *name, int part);

/* Its scale, which is finite if the numbers are.  */
void oracle_scale (mpfr_t to, struct oracle *o, const char *name, int part);

/* TO = A / B 2^UNIT, or its root, with A's sign, rounded to odd.  */
void oracle_divide (mpfr_t to, mpz_t a, mpz_t b, long unit, int root);

/* The sum of whole numbers, whose last bits it has.  */
uint64_t oracle_word (struct oracle *o);

/* --------------------------------------------------------------------- Errors */

/* How a result is rounded: its digits, and the exponent of the last of its smallest
   number.  */
struct oracle_format
{
  int digits, lowest;
};
extern const struct oracle_format oracle_formats[GT_N_TYPES];

/* X rounded to it.  */
long double oracle_rounded (mpfr_t x, const struct oracle_format *format);

/* The exponent of the last place of X, which may be larger than any number of the format.  */
long oracle_place (mpfr_t x, const struct oracle_format *format);

/* How far X is from the exact value, in units of the last place of that.  An infinity is the
   power of two that is next to the largest number.  */
long double oracle_error (long double x, mpfr_t exact, const struct oracle_format *format);

#endif
