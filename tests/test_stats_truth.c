/* Tests of what exact mode promises of statistics: their exact values, rounded once, and
   the same bits in whatever floating-point environment; and of what all modes promise, that
   nothing is infinite, zero or no number that is neither in truth nor in GSL.

   test_stats_truth CASES compares so many cases of each type, and prints what each function
   was off by at most, in units of the last place, in each mode and in GSL.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <gsl/gsl_statistics.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/stats_all.h"
#include "tests/stats_oracle.h"

#define MOST 3000

#define GT_STATS_ALL
#define GT_TEMPLATE "tests/stats_all.h"
#include "src/public/each_type.h"

/* ------------------------------------------------------------- Environment */

#if defined __x86_64__
static void
set_x87 (unsigned short word)
{
  __asm__ volatile ("fldcw %0" : : "m"(word));
}

static void
same_bits (const char *type, unsigned short word, size_t n, const double *is,
           const double *was)
{
  for (int k = 0; k < N_STATISTICS; k++)
    if (memcmp (&is[k], &was[k], sizeof *is))
      fail_msg ("%s of %zu %s, x87 control word %#x: %a instead of %a",
                statistic_names[k], n, type, word, is[k], was[k]);
}

/* The precision of x87 is 53 or 24 bits (gsl_ieee_env_setup sets 53), or its rounding
   another; that of SSE is left alone.  */
static const unsigned short words[] = {0x27f, 0x07f, 0x77f, 0xb7f, 0xf7f, 0x67f};

#define GT_TEMPLATE "tests/stats_x87.inc"
#include "src/public/each_type.h"

TEST (x87_control_word)
{
  static const size_t lengths[] = {2, 3, 5, 8, 15, 33, 100, 500, MOST};
  uint64_t seed = 12345;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (size_t k = 0; k < N_OF (lengths); k++)
    for (int repeat = 0; repeat < 20; repeat++)
      {
#define X(id, type, infix, ctype, arithmetic) x87##infix (lengths[k], repeat, &seed);
        GT_ELEMENT_TYPES (X)
#undef X
      }
}
#endif

/* ------------------------------------------------------------------- Truth */

enum kind
{
  AROUND_ZERO, FAR, VERY_FAR, MANY_SIZES, ALL_SIZES, HUGE_ONES, TINY, SUBNORMAL, EQUAL,
  OUTLIER, FEW_VALUES, TOP, TWO_VALUES, SYMMETRIC, N_KINDS
};

enum weights
{
  ORDINARY, ONES, DOMINATED, BARELY_DOMINATED, LARGEST, TINIEST, HOLES, OF_MANY_SIZES,
  OF_ALL_SIZES, SINGLE, N_WEIGHTS
};

static long double
fraction (uint64_t *seed)
{
  return (long double) (random_word (seed) >> 11) * 0x1p-53L;
}

static int
below (uint64_t *seed, int limit)
{
  return (int) (random_word (seed) % (uint64_t) limit);
}

static long double
element (enum kind kind, size_t i, size_t n, uint64_t *seed)
{
  const long double a = 2 * fraction (seed) - 1;

  switch (kind)
    {
    case AROUND_ZERO: return (double) a;
    case FAR: return (double) (1e6L + a);
    case VERY_FAR: return (double) (1e15L + below (seed, 4));
    case MANY_SIZES: return ldexpl (a, below (seed, 80) - 40);
    case ALL_SIZES: return ldexpl (a, below (seed, 2090) - 1068);
    case HUGE_ONES: return ldexpl (a, 1000 - below (seed, 20));
    case TINY: return ldexpl (a, -1000 - below (seed, 20));
    case SUBNORMAL: return ldexpl (a, -1030 - below (seed, 40));
    case EQUAL: return 0.1;
    case OUTLIER: return i == n / 3 ? 1e9 : (double) a;
    case FEW_VALUES: return below (seed, 5);
    case TOP: return (double) (DBL_MAX * a);
    case TWO_VALUES: return i % 7 ? 1.15 : -1.15;
    default: return (double) (2 * i) - (double) (n - 1);
    }
}

static long double
weight (enum weights weights, size_t i, size_t n, uint64_t *seed)
{
  const long double a = (double) fraction (seed);

  switch (weights)
    {
    case ORDINARY: return 0.1L + a;
    case ONES: return 1;
    case DOMINATED: return i == n / 2 ? 1 : 1e-15L * (1 + below (seed, 2));
    case BARELY_DOMINATED: return i == n / 2 ? 1 : ldexpl (1 + a, -20 - below (seed, 60));
    case LARGEST: return ldexpl (1 + a, 1022);
    case TINIEST: return ldexpl (1 + a, -1050 - below (seed, 20));
    case HOLES: return below (seed, 3) ? a : -a * below (seed, 2);
    case OF_MANY_SIZES: return ldexpl (a, below (seed, 120) - 60);
    case OF_ALL_SIZES: return ldexpl (a, below (seed, 2090) - 1068);
    default: return i == n / 2 ? 3 : 0;
    }
}

/* X's digits as a float of as many, its exponent brought into the range.  */
static long double
to_float (long double x)
{
  int exponent;
  const long double digits = frexpl (x, &exponent);

  if (exponent > 128 || exponent < -148)
    exponent = exponent > 0 ? 128 - exponent % 16 : -130 - exponent % 16;
  return (float) (ldexpf ((float) (digits / 1.0001L), exponent));
}

static unsigned long
whole (enum kind kind, size_t i, uint64_t *seed)
{
  const uint64_t word = random_word (seed);

  switch (kind % 5)
    {
    case 0: return word;
    case 1: return word >> 60;
    case 2: return 100 + word % 3;
    case 3: return (word >> 33) >> (i % 32);
    default: return word >> (8 * kind % 64);
    }
}

static long
lowest_of (long double x, long unit)
{
  int exponent;

  if (x == 0)
    return unit;
  frexpl (x, &exponent);
  return exponent - 64 < unit ? exponent - 64 : unit;
}

static struct oracle oracle;
static mpfr_t exact;
static unsigned long judged;
static int quiet;

/* The largest errors by mode, GSL's last, and how often each was more than 4.  */
static struct
{
  double worst[GT_N_MODES + 1];
  unsigned long over[GT_N_MODES + 1], lost[GT_N_MODES + 1];
} errors[N_STATISTICS];

/* Whether the exact value is as near to two doubles as can be seen.  */
static int
is_in_the_middle (void)
{
  mpfr_t wide;
  int is;

  /* Of 54 bits the last is what the middle has one more than a double.  */
  mpfr_init2 (wide, 200);
  mpfr_set (wide, exact, MPFR_RNDN);
  mpfr_prec_round (wide, 54, MPFR_RNDN);
  is = mpfr_min_prec (wide) == 54
       || fabs (mpfr_get_d (wide, MPFR_RNDN)) < 0x1p-1000;
  mpfr_sub (wide, wide, exact, MPFR_RNDN);
  is = is && (mpfr_zero_p (wide)
              || mpfr_get_exp (wide) < mpfr_get_exp (exact) - 150);
  mpfr_clear (wide);
  return is;
}

/* How far X is from the exact value, in units of the last place of that rounded.  */
static double
error_of (double x, double rounded)
{
  mpfr_t difference;
  double ulp, error;
  int exponent;

  if (x == rounded || (isnan (x) && isnan (rounded)))
    return 0;
  if (!isfinite (x) || !isfinite (rounded) || mpfr_zero_p (exact))
    return INFINITY;
  frexp (rounded, &exponent);
  ulp = ldexp (1, exponent - 53 < -1074 || rounded == 0 ? -1074 : exponent - 53);
  mpfr_init2 (difference, 100);
  mpfr_d_sub (difference, x, exact, MPFR_RNDN);
  mpfr_div_d (difference, difference, ulp, MPFR_RNDN);
  error = fabs (mpfr_get_d (difference, MPFR_RNDN));
  mpfr_clear (difference);
  return error;
}

static void
judge (int k, const char *type, size_t n, const char *what,
       double ours[GT_N_MODES][N_STATISTICS], double gsl)
{
  const double rounded = mpfr_get_d (exact, MPFR_RNDN);
  /* Whether what GSL has is more than the noise of its rounding.  */
  const int gsl_can = isfinite (gsl) && fabs (gsl - rounded) < fabs (rounded);

  judged++;
  for (int mode = 0; mode <= GT_N_MODES; mode++)
    {
      const double x = mode < GT_N_MODES ? ours[mode][k] : gsl;
      const double error = error_of (x, rounded);
      const int is_lost = (!isfinite (x) && isfinite (rounded))
                          || (x == 0 && rounded != 0);

      if (error > errors[k].worst[mode])
        errors[k].worst[mode] = error;
      errors[k].over[mode] += error > 4;
      errors[k].lost[mode] += is_lost;
      if (!quiet && ((mode == GT_MODE_EXACT && x != rounded)
          || (mode < GT_N_MODES && is_lost && gsl_can)))
        fail_msg ("%s of %zu %s, %s, %s: %.17g instead of %.17g, GSL has %.17g",
                  statistic_names[k], n, type, what, gt_mode_names[mode], x, rounded,
                  gsl);
    }
}

#define GT_TEMPLATE "tests/stats_truth_cases.inc"
#include "src/public/each_type.h"

static long cases = 300;

TEST (as_defined)
{
  static const size_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 100, 257, 1100};
  uint64_t seed = 1;

  for (long i = 0; i < cases; i++)
    {
      /* Long ones take the most time.  */
      const size_t n = lengths[i % 10 ? below (&seed, 10) : below (&seed, 14)];
      const int kind = below (&seed, N_KINDS), weights = below (&seed, N_WEIGHTS);

#define X(id, type, infix, ctype, arithmetic) truth##infix (n, kind, weights, &seed);
      GT_ELEMENT_TYPES (X)
#undef X
    }
}

/* ---------------------------------------------------------- Without memory */

static _Atomic int no_memory;
void *__real_malloc (size_t size);
void *__wrap_malloc (size_t size);

void *
__wrap_malloc (size_t size)
{
  return no_memory ? NULL : __real_malloc (size);
}

/* Statistics of the longest whole numbers, as different threads have them.  */
enum
{
  N_THREADS = 4,
  N_LONGEST = 3
};

struct longest
{
  long double w[4], x[4];
  double expected[N_LONGEST];
  int wrong;
};

static void
take_longest (const struct longest *l, double *to)
{
  to[0] = gsltune_stats_long_double_skew (l->x, 1, 4);
  to[1] = gsltune_stats_long_double_wvariance (l->w, 1, l->x, 1, 4);
  to[2] = gsltune_stats_long_double_wkurtosis (l->w, 1, l->x, 1, 4);
}

static void *
in_turns (void *closure)
{
  struct longest *l = closure;
  double is[N_LONGEST];

  for (int i = 0; i < 3; i++)
    {
      take_longest (l, is);
      l->wrong |= memcmp (is, l->expected, sizeof is);
    }
  return NULL;
}

/* The stack is a third of what such numbers take.  */
TEST (without_memory)
{
  struct longest all[N_THREADS];
  pthread_t threads[N_THREADS];
  pthread_attr_t attributes;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  assert_int_equal (pthread_attr_init (&attributes), 0);
  assert_int_equal (pthread_attr_setstacksize (&attributes, (size_t) 512 << 10), 0);
  for (int k = 0; k < N_THREADS; k++)
    {
      all[k] = (struct longest) {
        {LDBL_MAX / 4, 1 + k, 3, LDBL_MIN * LDBL_EPSILON},
        {LDBL_MIN * LDBL_EPSILON, -1 - k, LDBL_MAX / 4, LDBL_MAX / (8 + k)}, {0}, 0
      };
      take_longest (&all[k], all[k].expected);
    }
  no_memory = 1;
  for (int k = 0; k < N_THREADS; k++)
    assert_int_equal (pthread_create (&threads[k], &attributes, in_turns, &all[k]), 0);
  for (int k = 0; k < N_THREADS; k++)
    assert_int_equal (pthread_join (threads[k], NULL), 0);
  no_memory = 0;
  pthread_attr_destroy (&attributes);
  for (int k = 0; k < N_THREADS; k++)
    assert_int_equal (all[k].wrong, 0);
}

FIXTURE (begin)
{
  mpfr_set_emin (mpfr_get_emin_min ());
  mpfr_set_emax (mpfr_get_emax_max ());
  mpfr_init2 (exact, ORACLE_BITS);
  oracle.x = malloc (2 * MOST * sizeof *oracle.x);
  oracle.y = oracle.x + MOST;
  for (size_t i = 0; i < 2 * MOST; i++)
    mpz_init (oracle.x[i]);
  for (int i = 0; i < 2; i++)
    mpz_inits (oracle.given_x[i], oracle.given_y[i], (mpz_ptr) NULL);
  return 0;
}

FIXTURE (end)
{
  mpfr_clear (exact);
  for (size_t i = 0; i < 2 * MOST; i++)
    mpz_clear (oracle.x[i]);
  free (oracle.x);
  for (int i = 0; i < 2; i++)
    mpz_clears (oracle.given_x[i], oracle.given_y[i], (mpz_ptr) NULL);
  mpfr_free_cache ();
  return 0;
}

static void
report (void)
{
  printf ("# %lu results\n# %-26s", judged, "");
  for (int mode = 0; mode <= GT_N_MODES; mode++)
    printf (" %11s      > 4     lost", mode < GT_N_MODES ? gt_mode_names[mode] : "GSL");
  for (int k = 0; k < N_STATISTICS; k++)
    {
      printf ("\n# %-26s", statistic_names[k]);
      for (int mode = 0; mode <= GT_N_MODES; mode++)
        printf (" %11.4g %8lu %8lu", errors[k].worst[mode], errors[k].over[mode],
                errors[k].lost[mode]);
    }
  printf ("\n");
}

int
main (int argc, char **argv)
{
  int failed;

  if (argc > 1)
    cases = atol (argv[1]), quiet = argc > 2;
  gt_env.profile_dir = "/nonexistent";
  failed = run_unit_tests (begin, end);
  if (argc > 1)
    report ();
  return failed;
}
