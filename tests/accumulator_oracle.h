/* An exact sum by GNU MPFR, rounded by it too: what accumulators are compared
   with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_ACCUMULATOR_ORACLE_H
#define GT_TESTS_ACCUMULATOR_ORACLE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <mpfr.h>

/* Bits from the lowest of any number to the highest of a sum of 2^64.  */
#define ORACLE_NARROW 2200 /* of doubles */
#define ORACLE_WIDE 33000  /* of long doubles, whatever they are */

struct oracle
{
  mpfr_t sum, term;
};

static inline void
oracle_init (struct oracle *oracle, mpfr_prec_t bits)
{
  mpfr_init2 (oracle->sum, bits);
  mpfr_init2 (oracle->term, 256);
  mpfr_set_zero (oracle->sum, 1);
}

static inline void
oracle_clear (struct oracle *oracle)
{
  mpfr_clear (oracle->sum);
  mpfr_clear (oracle->term);
}

static inline void
oracle_reset (struct oracle *oracle)
{
  mpfr_set_zero (oracle->sum, 1);
}

/* Adds the term that was set, with the return value INEXACT.  */
static inline void
oracle_add_term (struct oracle *oracle, int inexact)
{
  if (mpfr_add (oracle->sum, oracle->sum, oracle->term, MPFR_RNDN) || inexact)
    abort ();
}

static inline void
oracle_add (struct oracle *oracle, double x)
{
  oracle_add_term (oracle, mpfr_set_d (oracle->term, x, MPFR_RNDN));
}

static inline void
oracle_add_long_double (struct oracle *oracle, long double x)
{
  oracle_add_term (oracle, mpfr_set_ld (oracle->term, x, MPFR_RNDN));
}

static inline void
oracle_add_scaled (struct oracle *oracle, int64_t m, int e)
{
  oracle_add_term (oracle, mpfr_set_si_2exp (oracle->term, m, e, MPFR_RNDN));
}

/* TIMES times X.  */
static inline void
oracle_add_many (struct oracle *oracle, double x, unsigned long times)
{
  int inexact = mpfr_set_d (oracle->term, x, MPFR_RNDN);

  inexact |= mpfr_mul_ui (oracle->term, oracle->term, times, MPFR_RNDN);
  oracle_add_term (oracle, inexact);
}

/* An exact zero is +0, and there is one NaN.  */
#define ORACLE_ROUND(name, ctype, get)                  \
  static inline ctype                                   \
  oracle_round##name (const struct oracle *oracle)      \
  {                                                     \
    if (mpfr_zero_p (oracle->sum))                      \
      return 0;                                         \
    if (mpfr_nan_p (oracle->sum))                       \
      return (ctype) NAN;                               \
    return get (oracle->sum, MPFR_RNDN);                \
  }
ORACLE_ROUND (, double, mpfr_get_d)
ORACLE_ROUND (_float, float, mpfr_get_flt)
ORACLE_ROUND (_long_double, long double, mpfr_get_ld)

#endif
