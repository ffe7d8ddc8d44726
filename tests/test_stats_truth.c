/* Tests of what exact mode promises of statistics, dot products and norms: their exact
   values, rounded once, and the same bits in whatever floating-point environment; and of
   what all modes promise, that of ordinary data they are near that, and that nothing is
   infinite, zero or no number that is neither in truth nor in GSL.

   test_stats_truth CASES compares so many cases of each type, and prints what each
   function was off by at most, in units of the last place, in each mode and in GSL.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <fenv.h>
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

#define MOST 4097

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
  static const size_t lengths[] = {2, 3, 5, 8, 15, 33, 100, 500, 3000};
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

/* The ordinary ones first.  */
enum kind
{
  AROUND_ZERO, FEW_VALUES, TWO_VALUES, SYMMETRIC, MANY_SIZES, FAR, N_ORDINARY,
  VERY_FAR = N_ORDINARY, ALL_SIZES, HUGE_ONES, TINY, SUBNORMAL, EQUAL, OUTLIER, TOP,
  CANCELLING, N_KINDS
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

/* Of cancelling ones every other takes off what is BEFORE it.  */
static long double
element (enum kind kind, size_t i, size_t n, long double before, uint64_t *seed)
{
  const long double a = 2 * fraction (seed) - 1;

  switch (kind)
    {
    case AROUND_ZERO: return (double) a;
    case FAR: return (double) (1e3L + a);
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
    case SYMMETRIC: return (double) (2 * i) - (double) (n - 1);
    default: return i % 2 ? (double) (-before * (1 + below (seed, 2) * DBL_EPSILON))
                          : ldexpl (a, below (seed, 256));
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

  switch (kind % 7)
    {
    case 6: return i % 2 ? LONG_MAX - i : (unsigned long) LONG_MAX + 1;
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
static mpfr_t exact, scale;
static char message[400];
static unsigned long judged;
static int quiet;

/* The largest errors by mode, GSL's last, and how often each was more than 4.  */
static struct
{
  long double worst[GT_N_MODES + 1];
  unsigned long over[GT_N_MODES + 1], lost[GT_N_MODES + 1], wrong[GT_N_MODES + 1];
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

/* The exponent of the last place of X.  */
static int
last_place (double x)
{
  int exponent;

  frexp (isfinite (x) ? x : DBL_MAX, &exponent);
  return x == 0 || exponent - DBL_MANT_DIG < -1074 ? -1074 : exponent - DBL_MANT_DIG;
}

/* How far X is from the exact value, in units of the last place of that rounded.  */
static long double
error_of (double x, double rounded)
{
  mpfr_t difference;
  long double error;

  if (x == rounded || (isnan (x) && isnan (rounded)))
    return 0;
  if (!isfinite (x))
    return INFINITY;
  mpfr_init2 (difference, 100);
  mpfr_d_sub (difference, x, exact, MPFR_RNDN);
  mpfr_mul_2si (difference, difference, -last_place (rounded), MPFR_RNDN);
  error = fabsl (mpfr_get_ld (difference, MPFR_RNDN));
  mpfr_clear (difference);
  return error;
}

/* What is promised of the modes, of N elements.  A unit of the last place of the scale
   (tests/stats_oracle.h) is CANCELLED times one of the value.  What loses half of its digits
   to terms that cancel is not well conditioned.  In fast mode each number that is added to
   an accumulator may leave one more: every 16th element, or, of few, every other.  */
#define WELL_CONDITIONED 0x1p26L

static int
is_within (enum gt_mode mode, size_t n, long double error, long double of_gsl,
           long double cancelled)
{
  const size_t added = n < 48 ? n / 2 : n / 16;

  switch (mode)
    {
    case GT_MODE_EXACT:
      return error == 0;
    case GT_MODE_COMPENSATED:
      return error <= fmaxl (4, of_gsl) || cancelled > WELL_CONDITIONED;
    default:
      return error <= 16 * of_gsl + (long double) (4 + added) * cancelled;
    }
}

static long double
cancelled_in (int k, double rounded)
{
  mpfr_set_prec (scale, ORACLE_BITS);
  oracle_statistic (scale, &oracle, k, 1);
  return ldexpl (1, last_place (mpfr_get_d (scale, MPFR_RNDN)) - last_place (rounded));
}

static void
judge (int k, const char *type, size_t n, const char *what,
       double ours[GT_N_MODES][N_STATISTICS], double gsl)
{
  const double rounded = mpfr_get_d (exact, MPFR_RNDN);
  const long double of_gsl = error_of (gsl, rounded);
  long double cancelled;
  /* Whether what GSL has is more than the noise of its rounding.  */
  const int gsl_can = isfinite (gsl) && fabs (gsl - rounded) < fabs (rounded);

  judged++;
  for (int mode = 0; mode <= GT_N_MODES; mode++)
    {
      const double x = mode < GT_N_MODES ? ours[mode][k] : gsl;
      const long double error = error_of (x, rounded);
      const int is_lost = (!isfinite (x) && isfinite (rounded))
                          || (x == 0 && rounded != 0);

      if (error > errors[k].worst[mode])
        errors[k].worst[mode] = error;
      errors[k].over[mode] += error > 4;
      errors[k].lost[mode] += is_lost;
      if (mode == GT_N_MODES
          || (is_within (mode, n, error, of_gsl, 1) && !is_lost))
        continue;
      cancelled = cancelled_in (k, rounded);
      if (is_within (mode, n, error, of_gsl, cancelled)
          && !(is_lost && gsl_can
               && (mode != GT_MODE_FAST || cancelled <= WELL_CONDITIONED)))
        continue;
      snprintf (message, sizeof message,
                "%s of %zu %s, %s, %s: %.17g instead of %.17g, GSL has %.17g: "
                "%.4Lg, GSL %.4Lg, cancelled %.4Lg",
                statistic_names[k], n, type, what, gt_mode_names[mode], x, rounded, gsl,
                error, of_gsl, cancelled);
      if (!quiet)
        fail_msg ("%s", message);
      errors[k].wrong[mode]++;
      printf ("# %s\n", message);
    }
}

#define GT_TEMPLATE "tests/stats_truth_cases.inc"
#include "src/public/each_type.h"

static long cases = 300;

TEST (as_defined)
{
  static const size_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 100, 257, 1100,
                                   MOST};
  uint64_t seed = 1;

  for (long i = 0; i < cases; i++)
    {
      /* Long ones take the most time.  */
      const size_t n = lengths[i % 10 ? below (&seed, 10) : below (&seed, 15)];
      const int kind = below (&seed, i % 3 ? N_KINDS : N_ORDINARY);
      const int weights = below (&seed, i % 3 ? N_WEIGHTS : ONES + 1);

#define X(id, type, infix, ctype, arithmetic) truth##infix (n, kind, weights, &seed);
      GT_ELEMENT_TYPES (X)
#undef X
    }
}

/* Squares that overflow, that underflow, that all but cancel; halfway cases.  */
TEST (told_data)
{
  static const double told[][4] = {
    {1e16, 1, -1e16},
    {1, 1e100, 1, -1e100},
    {DBL_MAX, DBL_MAX},
    {DBL_MAX, -DBL_MAX},
    {DBL_MAX, DBL_MAX, -DBL_MAX, 1},
    {DBL_TRUE_MIN, 0},
    {DBL_TRUE_MIN, DBL_TRUE_MIN, 3 * DBL_TRUE_MIN},
    {1e-200, 2e-200, 4e-200},
    {0x1p53, 0x1p27, 1},
    {0x1p53, 0x1p27, 1, DBL_TRUE_MIN},
    {1 + DBL_EPSILON, 1, 1 - DBL_EPSILON},
    {1e8 + 1, 1e8 + 2, 1e8 + 3},
    {1e300, 1, 2, 3},
    {-0.0, 0.0},
    {5, 5, 5}};

  for (size_t i = 0; i < N_OF (told); i++)
    for (size_t k = 0; k < N_OF (told); k += i + 1)
      for (size_t n = 2; n <= 4; n++)
        compare (told[i], 1, told[k], 1, n, told[i][1], 1, "told");
}

/* ------------------------------------------------- Dot products and norms */

static mpfr_t dot, squares, factor, term;

static void
take_products (const double *x, const double *y, size_t n)
{
  mpfr_set_zero (dot, 1);
  mpfr_set_zero (squares, 1);
  for (size_t i = 0; i < n; i++)
    {
      mpfr_set_d (factor, x[i], MPFR_RNDN);
      mpfr_fma (squares, factor, factor, squares, MPFR_RNDN);
      mpfr_set_d (term, y[i], MPFR_RNDN);
      mpfr_fma (dot, factor, term, dot, MPFR_RNDN);
    }
  mpfr_sqrt (squares, squares, MPFR_RNDN);
}

/* Of doubles, and of floats with the same numbers; to float where the function gives
   one.  */
TEST (products)
{
  static double x[600], y[600], of_floats[2][600];
  static float f[600], g[600];
  uint64_t seed = 3;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (int repeat = 0; repeat < 3000; repeat++)
    {
      const size_t n = 2 + (size_t) below (&seed, repeat % 8 ? 40 : 599);
      const gsl_vector v = {n, 1, x, NULL, 0}, w = {n, 1, y, NULL, 0};
      const gsl_vector_float vf = {n, 1, f, NULL, 0}, wf = {n, 1, g, NULL, 0};
      const float alpha = ldexpf (1.5, below (&seed, 100) - 50);
      const enum kind kind = repeat % N_KINDS;
      double is;
      float single;

      for (size_t i = 0; i < n; i++)
        {
          x[i] = (double) element (kind, i, n, i ? x[i - 1] : 1, &seed);
          y[i] = (double) element (kind, i, n, i ? y[i - 1] : 1, &seed);
          of_floats[0][i] = f[i] = (float) to_float (x[i]);
          of_floats[1][i] = g[i] = (float) to_float (y[i]);
        }
      take_products (x, y, n);
      gsltune_blas_ddot (&v, &w, &is);
      assert_true (is == mpfr_get_d (dot, MPFR_RNDN));
      assert_true (gsltune_blas_dnrm2 (&v) == mpfr_get_d (squares, MPFR_RNDN));
      take_products (of_floats[0], of_floats[1], n);
      gsltune_blas_dsdot (&vf, &wf, &is);
      assert_true (is == mpfr_get_d (dot, MPFR_RNDN));
      gsltune_blas_sdot (&vf, &wf, &single);
      assert_true (single == mpfr_get_flt (dot, MPFR_RNDN));
      assert_true (gsltune_blas_snrm2 (&vf) == mpfr_get_flt (squares, MPFR_RNDN));
      mpfr_add_d (dot, dot, alpha, MPFR_RNDN);
      gsltune_blas_sdsdot (alpha, &vf, &wf, &single);
      assert_true (single == mpfr_get_flt (dot, MPFR_RNDN));
    }
}

/* ----------------------------------------------------------- Whole numbers */

/* Integers that doubles hold, about given means: what doubles have, in every mode and
   whatever the rounding.  */
TEST (ints_as_doubles)
{
  static const int roundings[] = {FE_TONEAREST, FE_UPWARD};
  uint64_t seed = 7;
  int x[300], y[300];
  double d[300], e[300];

  for (size_t repeat = 0; repeat < 1200; repeat++)
    {
      const size_t n = 2 + repeat % 299;
      double expected[4];

      for (size_t i = 0; i < n; i++)
        {
          x[i] = (int) random_word (&seed) >> (repeat % 3 * 12);
          y[i] = (int) random_word (&seed) >> 4;
          d[i] = x[i];
          e[i] = y[i];
        }
      gsltune_set_mode (GSLTUNE_MODE_EXACT);
      expected[0] = gsltune_stats_tss_m (d, 1, n, 0.1);
      expected[1] = gsltune_stats_sd_m (d, 1, n, 0.1);
      expected[2] = gsltune_stats_covariance_m (d, 1, e, 1, n, 0.1, -0.3);
      expected[3] = gsltune_stats_correlation (d, 1, e, 1, n);
      if (n > 16)
        gsltune_set_mode (repeat % 2 ? GSLTUNE_MODE_FAST : GSLTUNE_MODE_EXACT);
      fesetround (roundings[n > 16 && repeat / 2 % 2]);
      {
        const double is[4]
          = {gsltune_stats_int_tss_m (x, 1, n, 0.1),
             gsltune_stats_int_sd_m (x, 1, n, 0.1),
             gsltune_stats_int_covariance_m (x, 1, y, 1, n, 0.1, -0.3),
             gsltune_get_mode () == GSLTUNE_MODE_FAST
               ? expected[3] : gsltune_stats_int_correlation (x, 1, y, 1, n)};

        fesetround (FE_TONEAREST);
        for (int k = 0; k < 4; k++)
          if (is[k] != expected[k])
            fail_msg ("statistic %d of %zu ints: %a instead of %a", k, n, is[k],
                      expected[k]);
      }
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
  mpfr_inits2 (ORACLE_BITS, exact, scale, (mpfr_ptr) NULL);
  mpfr_inits2 (9000, dot, squares, factor, term, (mpfr_ptr) NULL);
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
  mpfr_clears (exact, scale, dot, squares, factor, term, (mpfr_ptr) NULL);
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
    printf (" %11s      > 4     lost wrong", mode < GT_N_MODES ? gt_mode_names[mode] : "GSL");
  for (int k = 0; k < N_STATISTICS; k++)
    {
      printf ("\n# %-26s", statistic_names[k]);
      for (int mode = 0; mode <= GT_N_MODES; mode++)
        printf (" %11.4Lg %8lu %8lu %5lu", errors[k].worst[mode], errors[k].over[mode],
                errors[k].lost[mode], errors[k].wrong[mode]);
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
