/* Tests of what exact mode promises of statistics: their exact values, rounded once, and
   the same bits in whatever floating-point environment; and of what the other modes
   promise (tests/truth.h).

   test_stats_truth CASES compares so many cases of each type, and prints what each
   function was off by at most, in units of the last place, in each mode and in GSL.
   test_stats_truth CASES SEED tries others alone, of all lengths to 5,000, and prints all that
   is wrong: `make check-truth' does so.  When it is told to end, by SIGTERM, it ends
   with what it has begun.
   test_stats_truth CASES SEED LENGTH has so many elements in each case, if that is not 0; one
   word more, gpu, has what exact and compensated mode make of device vectors, a number has the
   sums of all that can be divided by so many threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_statistics.h>

#include "tests/unit.h"

#include "kernels/cpu/short/exact_short_sums.h"
#include "src/cpu/threads.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/public/sample.h"
#include "tests/exact.h"
#include "tests/scenario.h"
#include "tests/stats_all.h"
#include "tests/stats_oracle.h"
#include "tests/truth.h"

enum { MOST = 5000, LONG = 4097 };

static size_t length; /* of all cases, or 0 */

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

#if HAVE_CUDA
static mpfr_t dot, squares, factor, term; /* of device vectors' sums */
static int with_gpu; /* whether exact and compensated mode's are those of device vectors */
#endif

static struct oracle oracle;
static mpfr_t exact, scale;
static char message[400];
static unsigned long samples, judged;
static int quiet;
static volatile sig_atomic_t told_to_end;

static void
end_soon (int signal)
{
  (void) signal;
  told_to_end = 1;
}

/* The largest errors by mode, GSL's last, and how often each was more than 4.  */
static struct
{
  long double worst[GT_N_MODES + 1];
  unsigned long over[GT_N_MODES + 1], lost[GT_N_MODES + 1], wrong[GT_N_MODES + 1];
} errors[N_STATISTICS];

static long double
cancelled_in (int k)
{
  mpfr_set_prec (scale, ORACLE_BITS);
  oracle_statistic (scale, &oracle, k, 1);
  return truth_cancelled (scale, exact, &truth_double);
}

static void
judge (int k, const char *type, size_t n, const char *what,
       double ours[GT_N_MODES][N_STATISTICS], double gsl)
{
  const double rounded = mpfr_get_d (exact, MPFR_RNDN);
  const long double of_gsl = truth_error (gsl, rounded, exact, &truth_double);
  long double cancelled;
  /* Whether what GSL has is more than the noise of its rounding.  */
  const int gsl_can = isfinite (gsl) && fabs (gsl - rounded) < fabs (rounded);

  judged++;
  for (int mode = 0; mode <= GT_N_MODES; mode++)
    {
      const enum gt_mode promised = mode == GT_MODE_FAST ? GT_MODE_FAST : GT_MODE_EXACT;
      const double x = mode < GT_N_MODES ? ours[mode][k] : gsl;
      const long double error = truth_error (x, rounded, exact, &truth_double);
      const int is_lost = (!isfinite (x) && isfinite (rounded))
                          || (x == 0 && rounded != 0);

      if (error > errors[k].worst[mode])
        errors[k].worst[mode] = error;
      errors[k].over[mode] += error > 4;
      errors[k].lost[mode] += is_lost;
      if (mode == GT_N_MODES
          || (truth_is_within (promised, error, of_gsl, 1) && !is_lost))
        continue;
      cancelled = cancelled_in (k);
      if (truth_is_within (promised, error, of_gsl, cancelled)
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

/* The exceptions that some of RESULTS may have raised, if what was tried on the way to them
   has raised none: any may be inexact.  */
static int
deserved (const double results[N_STATISTICS])
{
  int flags = FE_INEXACT;

  for (int k = 0; k < N_STATISTICS; k++)
    flags |= isnan (results[k])       ? FE_INVALID | FE_DIVBYZERO
             : isinf (results[k])     ? FE_OVERFLOW | FE_DIVBYZERO
             : !isnormal (results[k]) ? FE_UNDERFLOW : 0;
  return flags;
}

#define GT_TEMPLATE "tests/truth_of.inc"
#include "src/public/each_type.h"
#define GT_TEMPLATE "tests/stats_truth_cases.inc"
#include "src/public/each_type.h"

static long cases = 300;
static uint64_t first_seed = 1;
static void
compare_cases (long count)
{
  static const size_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 100, 257, 1100,
                                   LONG};
  uint64_t seed = first_seed;

  for (long i = 0; i < count && !told_to_end; i++)
    {
      /* Long ones take the most time.  */
      const size_t n = length           ? length
                       : i % 10         ? lengths[below (&seed, 11)]
                       : quiet && i % 20 ? (size_t) below (&seed, MOST + 1)
                                         : lengths[below (&seed, N_OF (lengths))];
      const int kind = below (&seed, i % 3 ? N_KINDS : N_ORDINARY);
      const int weights = below (&seed, i % 3 ? N_WEIGHTS : ONES + 1);

#define X(id, type, infix, ctype, arithmetic) truth##infix (n, kind, weights, &seed);
      GT_ELEMENT_TYPES (X)
#undef X
    }
}

TEST (as_defined)
{
  compare_cases (cases);
}

/* From LEAST to 4 elements: squares that overflow, that underflow, that all but cancel; halfway cases: of the last two
   are half the distance and half its square.  */
static void
compare_told (size_t least)
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
    {5, 5, 5},
    {-1, 0x1p53},
    {0, 0x1p27 - 1},
    {-0x1.948f99757ff2ep+54, 0x1.948f99757ff3p+54, -0x1.a8de4bc21b26p-1}};

  for (size_t i = 0; i < N_OF (told); i++)
    for (size_t k = 0; k < N_OF (told); k += i + 1)
      for (size_t n = least; n <= 4; n++)
        compare (told[i], 1, told[k], 1, n, told[i][1], 1, "told");
}

TEST (told_data)
{
  compare_told (2);
}

/* Results in the middle between two doubles, and a unit of one element beside it, from halfway
   below the smallest subnormal number to where they overflow: of two elements half the sum, half
   the distance and its square, of more what is made of these.  */
TEST (at_ties)
{
  static const double patterns[][4] = {
    {-1, 0x1p53, -1, 0x1p53}, {0, 0x1p27 - 1, 0, 0x1p27 - 1}, {0, 1, 1, 0},
    {0x1p26 + 1, -0x1p26, 0x1p26 + 1, -0x1p26}, {0x1p53 - 1, 0x1p53 - 2, 1, 2}, {3, 1, 1, 3}};
  static const int exponents[]
    = {-1128, -1101, -1075, -1074, -1073, -1022, -565, -564, -538, -537, -511, 0, 458, 484,
       485, 510, 511, 512, 970, 971, 996, 1021, 1022, 1023};
  double x[4], y[4];
  int turn = 0;

  for (size_t i = 0; i < N_OF (patterns); i++)
    for (size_t e = 0; e < N_OF (exponents); e++)
      for (int beside = -1; beside <= 1; beside++, turn++)
        {
          const size_t other = (size_t) turn % N_OF (patterns);

          for (int k = 0; k < 4; k++)
            {
              x[k] = ldexp (patterns[other][k], exponents[(e + other) % N_OF (exponents)]);
              y[k] = ldexp (patterns[i][k], exponents[e]);
            }
          if (beside)
            y[1] = nextafter (y[1], beside * INFINITY);
          for (int k = 0; k < 4; k++)
            {
              x[k] = isfinite (x[k]) ? x[k] : 1;
              y[k] = isfinite (y[k]) ? y[k] : DBL_MAX;
            }
          compare (x, 1, y, 1, 2 + (size_t) turn % 3, y[0], 1 + beside * DBL_EPSILON, "at a tie");
        }
}

/* Sums of many doubles whose last digit is decided by what is lost of their errors, and
   elements that are the leading part of their mean, which is SIGN times a little off it.  */
TEST (many_doubles)
{
  static double x[LONG - 1], ones[LONG - 1];
  const size_t n = N_OF (x);

  for (int sign = -1; sign <= 1; sign += 2)
    {
      for (size_t i = 0; i < n; i++)
        {
          ones[i] = 1;
          x[i] = i < 8 ? i == 0 : i < 16 ? 0x1p-47 : i < n - 8 ? sign * 0x1p-101 : -0x1p-47;
        }
      x[n - 1] += 0x1p-53 - sign * 0x1p-95;
      compare (ones, 1, x, 1, n, 0.5, 1, "what is lost decides");
      for (size_t i = 0; i < n; i++)
        x[i] = i < 48 ? 0.5 : i < 96 ? 1.5 : 1;
      x[95] += sign * 0x1p-42;
      compare (x, 1, ones, 1, n, 0.5, 1, "equal to the mean, nearly");
    }
  for (size_t i = 0; i < n; i++)
    {
      x[i] = ldexp ((double) (i % 7) - 3.1, 1000);
      ones[i] = i == n / 2 ? 3 : 0;
    }
  compare (x, 1, ones, 1, n, x[n / 2], DBL_TRUE_MIN, "a mean that is lost in copies");
}

/* Terms that underflow are multiplied by large numbers: squares by their weights, the sum of
   squares by that of the weights, products of copies by the power of two that takes them
   back (src/public/moderate.h).  And a sum of which compensation leaves nothing.  */
TEST (lost_on_the_way)
{
  static const double weights[][4] = {
    {0x1.fffffffffffffp400, 0x1.1p400, 0x1.0000000000001p390, 1},
    {0x1p480, 0x1.5555555555555p470, 0x1p440, 0x1p430},
    {2.77658905256224e-309, 2.77658905256224e-309, 6.7903865311e-313, 4.13744e-317},
    {DBL_MAX, -0x1.123456789abcdp1020, 0x1.5555555555555p1023, 1e308},
    {0x1p127, 0x1p-3, -0x1p127, 1}};
  static const double data[][4] = {
    {0x1.23456789abcdep-530, 0x1.3333333333333p-531, 0x1.5555555555555p-529, 0x1p-500},
    {0x1.0000000000001p-700, 0x1.8p-699, 0x1p-690, 0x1p-691},
    {6.9414726314056e-310, 6.9414726314056e-310, 5.43235059927e-312, 5.43235059927e-312},
    {0, 0, 0, DBL_TRUE_MIN},
    {1, 2, 3, 4}};

  for (size_t i = 0; i < N_OF (weights); i++)
    for (size_t k = 0; k < N_OF (data); k++)
      for (size_t n = 2; n <= 4; n++)
        {
          compare (weights[i], 1, data[k], 1, n, 0, DBL_TRUE_MIN, "lost");
          compare (weights[i], 1, data[k], 1, n, data[k][0], 0x1p-500, "lost");
        }
}

/* Nor may compensation leave nothing of products of floats.  */
TEST (lost_products)
{
  static const float x[] = {0x1p60f, 0x1p33f, 1, -0x1p60f, -0x1p33f};
  static const float y[] = {0x1p60f, 0x1p33f, 1, 0x1p60f, 0x1p33f};

  for (int mode = GSLTUNE_MODE_COMPENSATED; mode <= GSLTUNE_MODE_EXACT; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      if (gsltune_stats_float_covariance_m (x, 1, y, 1, N_OF (x), 0, 0) != 0.25)
        fail_msg ("nothing is left");
    }
}

/* Whether X, of fast mode, is off by no more than it may be where GSL's is the exact one, in units
   of the last place of that and LARGE.  */
static int
is_close (double x, double is_exact, double large)
{
  return fabs (x - is_exact) <= 12 * ldexp (1, ilogb (fabs (is_exact) + large) - 52);
}

/* In fast mode elements far from zero, whose mean cannot be rounded without an effect, and one
   whose square loses those that are added to it.  */
TEST (fast_about_means)
{
  enum { MANY = 1100 };
  static double x[MANY], y[MANY], weights[MANY];
  static int whole[MANY];
  uint64_t seed = 3;

  for (size_t repeat = 0; repeat < 400; repeat++)
    {
      const size_t n = 17 + (size_t) below (&seed, MANY - 16);
      double is[2][7];

      for (size_t i = 0; i < n; i++)
        {
          const double a = (double) fraction (&seed);

          x[i] = repeat % 2 ? 1e4 + a * a 
                 : i == n / 3 ? 1 : 1.05e-8 * (1 - a / 32) * (below (&seed, 2) ? 1 : -1);
          whole[i] = 254 + below (&seed, 3);
          y[i] = 1e-15 * (double) (repeat % 30 + (size_t) below (&seed, 2));
          weights[i] = 1.15;
        }
      for (int k = 0; k < 2; k++)
        {
          gsltune_set_mode (k ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST);
          is[k][0] = gsltune_stats_absdev (x, 1, n);
          is[k][1] = gsltune_stats_int_absdev (whole, 1, n);
          is[k][2] = gsltune_stats_skew (x, 1, n);
          is[k][3] = gsltune_stats_kurtosis (x, 1, n);
          is[k][4] = gsltune_stats_int_skew (whole, 1, n);
          is[k][5] = gsltune_stats_wskew (weights, 1, y, 1, n);
          is[k][6] = gsltune_stats_wkurtosis (weights, 1, y, 1, n);
        }
      for (int k = 0; k < 7; k++)
        if (!is_close (is[0][k], is[1][k], k < 2 ? 0 : k == 3 || k == 6 ? 3 : 1))
          fail_msg ("statistic %d of %zu: %a instead of %a", k, n, is[0][k], is[1][k]);
    }
}

/* In fast mode hardly more is rounded of a kurtosis than its sums: it takes the variance as it is
   before its root, of which few digits cancel, even if all that show where it is are far off.  */
TEST (fast_kurtosis)
{
  enum { N = 1000, MOST_UNITS = 10 };
  static float x[N];
  uint64_t seed = 11;

  for (int repeat = 0; repeat < 600; repeat++)
    {
      double is[2];

      for (int i = 0; i < N; i++)
        x[i] = repeat % 2 && i % (N / 8) == 0 ? 1 : (float) fraction (&seed);
      for (int k = 0; k < 2; k++)
        {
          gsltune_set_mode (k ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST);
          is[k] = gsltune_stats_float_kurtosis (x, 1, N);
        }
      if (fabs (is[0] - is[1]) > MOST_UNITS * DBL_EPSILON)
        fail_msg ("%a instead of %a", is[0], is[1]);
    }
}

/* Squares and powers that underflow before large weights.  */
TEST (fast_before_weights)
{
  enum { N = 40 };
  double x[N], weights[N], is[2][3];

  for (int i = 0; i < N; i++)
    {
      x[i] = ldexp (i + 1, -538);
      weights[i] = 0x1p900;
    }
  for (int k = 0; k < 2; k++)
    {
      gsltune_set_mode (k ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST);
      is[k][0] = gsltune_stats_wtss_m (weights, 1, x, 1, N, 0);
      is[k][1] = gsltune_stats_wskew_m_sd (weights, 1, x, 1, N, 0, 0x1p-180);
      is[k][2] = gsltune_stats_wsd_with_fixed_mean (weights, 1, x, 1, N, 0);
    }
  for (int k = 0; k < 3; k++)
    if (!is_close (is[0][k], is[1][k], 0))
      fail_msg ("statistic %d: %a instead of %a", k, is[0][k], is[1][k]);
}

static unsigned long whole_numbers; /* exact statistics that whole numbers have decided */
gt_statistic __real_gt_rational, __wrap_gt_rational;

double
__wrap_gt_rational (struct gt_sample *sample)
{
  whole_numbers += sample->mode == GT_MODE_EXACT;
  return __real_gt_rational (sample);
}

/* Data far from zero is told by sums within a bound, as data near it is: whole numbers
   take many times as long.  */
TEST (far_from_zero)
{
  static const size_t lengths[] = {67, 101, 501, 3001};
  uint64_t seed = 5;

  whole_numbers = 0;
  for (size_t k = 0; k < N_OF (lengths); k++)
    for (double mean = 1e3; mean <= 1e7; mean *= 100)
      for (int one = 0; one < 2; one++)
        {
          far (lengths[k], mean, one, &seed);
          far_float (lengths[k], mean, one, &seed);
          far_long_double (lengths[k], mean, one, &seed);
        }
  assert_int_equal (whole_numbers, 0);
}

/* Whole numbers are not needed for what is zero because all numbers are multiples of one that is
   not so small; what is next to zero is not taken for it: an element, a weight or a given mean
   with a digit far below the others'.  */
TEST (nothing)
{
  static const size_t lengths[] = {128, 1024};
  static double w[1024], x[1024];

  for (size_t k = 0; k < N_OF (lengths); k++)
    for (int next = 0; next < 4; next++)
      {
        const size_t n = lengths[k];

        for (size_t i = 0; i < n; i++)
          {
            w[i] = 1 + (double) (i / 2 % 7);
            x[i] = (i % 2 ? -0.25 : 0.25) * (double) (i / 2);
          }
        x[0] = next == 1 ? 0x1p-31 : next == 2;
        w[0] = next == 2 ? 0x1p-90 : 1;
        gsltune_set_mode (GSLTUNE_MODE_EXACT);
        whole_numbers = 0;
        if ((gsltune_stats_wmean (w, 1, x, 1, n) != 0) != (next == 1 || next == 2)
            || (gsltune_stats_wskew_m_sd (w, 1, x, 1, n, 0, 3) != 0) != (next == 1 || next == 2)
            || (gsltune_stats_skew_m_sd (x, 1, n, 0, 3) != 0) != (next == 1 || next == 2))
          fail_msg ("zero or not, %d", next);
        if (next == 0)
          assert_int_equal (whole_numbers, 0);
        compare (w, 1, x, 1, n, next == 3 ? 0x1p-100 : 0, 3, "next to nothing");
        /* And a mean in the middle between two doubles.  */
        for (size_t i = 0; i < n; i++)
          {
            w[i] = 1;
            x[i] = i == 0 ? 0x1p53 : i == 1;
          }
        compare (w, 1, x, 1, n, 0, 3, "at a tie");
      }
}

/* Many long doubles whose squares' additions round to one side.  */
TEST (fast_long_sums)
{
  enum { MANY = 1 << 20 };
  long double *x = malloc (MANY * sizeof *x);
  double is[2];

  assert_non_null (x);
  for (size_t i = 0; i < MANY; i++)
    x[i] = 1.365L;
  for (int k = 0; k < 2; k++)
    {
      gsltune_set_mode (k ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST);
      is[k] = gsltune_stats_long_double_variance_m (x, 1, MANY, 0);
    }
  free (x);
  if (!is_close (is[0], is[1], 0))
    fail_msg ("%a instead of %a", is[0], is[1]);
}

/* --------------------------------------------------------------- From memory */

static int without_caches;
const struct gt_device *__real_gt_device_host (void);
const struct gt_device *__wrap_gt_device_host (void);

const struct gt_device *
__wrap_gt_device_host (void)
{
  static struct gt_device small;

  if (!without_caches)
    return __real_gt_device_host ();
  small = *__real_gt_device_host ();
  small.host.l3 = 1;
  small.host.l3_instances = 1;
  return &small;
}

/* A vector from memory is exact in fast mode, too, where there are quick sums of the elements
   and no digit is in doubt.  */
TEST (fast_from_memory)
{
  enum { N = 5000 };
  double x[N], y[N], is[2][6];
  struct gt_ball of[GT_N_SUMS_OF];
  uint64_t seed = 3;

  for (int i = 0; i < N; i++)
    {
      x[i] = (double) fraction (&seed);
      y[i] = 1 + (double) fraction (&seed);
    }
  without_caches = 1;
  for (int k = 0; k < 2; k++)
    {
      gsltune_set_mode (k ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST);
      is[k][0] = gsltune_stats_variance (x, 1, N);
      is[k][1] = gsltune_stats_covariance (x, 1, y, 1, N);
      is[k][2] = gsltune_stats_correlation (x, 1, y, 1, N);
      is[k][3] = gsltune_stats_skew (x, 1, N);
      is[k][4] = gsltune_stats_absdev (y, 1, N);
      is[k][5] = gsltune_stats_lag1_autocorrelation (y, 1, N);
    }
  without_caches = 0;
  for (int k = 0; k < 6; k++)
    if (gt_short ()->several (GT_SEVERAL_OF_ONE, x, x, N, 0, of)
          ? is[0][k] != is[1][k] : !is_close (is[0][k], is[1][k], k < 5 ? 1 : 0))
      fail_msg ("statistic %d: %a instead of %a", k, is[0][k], is[1][k]);
}

/* --------------------------------------------------------------- By threads */

static unsigned planned_threads, teams; /* of all sums that can be divided, or 0; run so far */
void __real_gt_estimate (const struct gt_device *device, const struct gt_problem *problem,
                         const struct gt_kernel **kernel, struct gt_config *config);
void __wrap_gt_estimate (const struct gt_device *device, const struct gt_problem *problem,
                         const struct gt_kernel **kernel, struct gt_config *config);
void __real_gt_team_run (unsigned members, void (*work) (void *, unsigned), void *closure);
void __wrap_gt_team_run (unsigned members, void (*work) (void *, unsigned), void *closure);

void
__wrap_gt_estimate (const struct gt_device *device, const struct gt_problem *problem,
                    const struct gt_kernel **kernel, struct gt_config *config)
{
  __real_gt_estimate (device, problem, kernel, config);
  if (planned_threads && device->kind == GT_CPU)
    config->threads = planned_threads;
}

void
__wrap_gt_team_run (unsigned members, void (*work) (void *, unsigned), void *closure)
{
  teams += members > 1;
  __real_gt_team_run (members, work, closure);
}

/* Plans sums anew, for so many THREADS, or as usual.  */
static void
plan_for (unsigned threads)
{
  planned_threads = threads;
  gt_plans_forget ((struct gt_plans *) gt_host_plans ());
}

/* Of half of the types, as many elements as are cut into parts, which have a page's at least.  */
static void
compare_parts (unsigned threads, uint64_t *seed)
{
  const int kind = threads % 2 ? FEW_VALUES : FAR;

#define X(id, type, infix, ctype, arithmetic)                          \
  if ((GT_TYPE_##id + threads) % 2)                                    \
    truth##infix (threads * 4096 / sizeof (ctype) + 77, kind, ORDINARY, seed);
  GT_ELEMENT_TYPES (X)
#undef X
}

TEST (by_threads)
{
  uint64_t seed = 11;

  for (unsigned threads = 2; threads <= 5; threads++)
    {
      plan_for (threads);
      teams = 0;
      compare_parts (threads, &seed);
      assert_true (teams > 100);
    }
  /* Two blocks of sums within a bound.  */
  plan_for (2);
  teams = 0;
  truth_float ((2 << 16) + 9, FEW_VALUES, ORDINARY, &seed);
  assert_true (teams > 20);
  plan_for (0);
}

/* The exact sums of X, of its magnitudes, and of products, and a norm.  */
static void
compare_sums (const double *x, const double *y, size_t n)
{
  const gsl_vector v = {n, 1, (double *) x, NULL, 0}, w = {n, 1, (double *) y, NULL, 0};
  double is[4];
  mpfr_t sum[4], one;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  is[0] = gsltune_vector_sum (&v);
  is[1] = gsltune_blas_dasum (&v);
  gsltune_blas_ddot (&v, &w, &is[2]);
  is[3] = gsltune_blas_dnrm2 (&v);
  mpfr_init2 (one, 53);
  for (int k = 0; k < 4; k++)
    {
      mpfr_init2 (sum[k], ORACLE_BITS);
      mpfr_set_zero (sum[k], 1);
    }
  for (size_t i = 0; i < n; i++)
    {
      mpfr_add_d (sum[0], sum[0], x[i], MPFR_RNDN);
      mpfr_add_d (sum[1], sum[1], fabs (x[i]), MPFR_RNDN);
      mpfr_set_d (one, x[i], MPFR_RNDN);
      mpfr_fma (sum[3], one, one, sum[3], MPFR_RNDN);
      mpfr_mul_d (exact, one, y[i], MPFR_RNDN);
      mpfr_add (sum[2], sum[2], exact, MPFR_RNDN);
    }
  mpfr_sqrt (sum[3], sum[3], MPFR_RNDN);
  for (int k = 0; k < 4; k++)
    {
      if (is[k] != mpfr_get_d (sum[k], MPFR_RNDN))
        fail_msg ("sum %d of %zu: %a instead of %a", k, n, is[k],
                  mpfr_get_d (sum[k], MPFR_RNDN));
      mpfr_clear (sum[k]);
    }
  mpfr_clear (one);
}

/* Sums of many doubles are taken by blocks, of copies if they are far from zero; a last one
   of 5 elements would be too short.  */
TEST (by_blocks)
{
  static double x[9 * (1 << 13) + 5], y[N_OF (x)];
  uint64_t seed = 3;

  for (unsigned threads = 0; threads <= 3; threads += 3)
    for (double mean = 0; mean <= 1e3; mean += 1e3)
      {
        for (size_t i = 0; i < N_OF (x); i++)
          {
            x[i] = mean + (double) below (&seed, 1 << 30) * 0x1p-30 - 0.5;
            y[i] = mean * 2 + (double) below (&seed, 1 << 30) * 0x1p-30 + x[i] / 64;
          }
        plan_for (threads);
        teams = 0;
        compare (x, 1, y, 1, N_OF (x), mean + 0.25, mean * 2 + 1, "by blocks");
        assert_int_equal (teams > 0, threads > 0);
        teams = 0;
        compare_sums (x, y, N_OF (x));
        assert_true (threads ? teams >= 4 : teams == 0);
        /* The last element makes a sum that is midway between two doubles.  */
        for (size_t i = 0; i < N_OF (x); i++)
          x[i] = i == 0 ? 0x1p53 : i == N_OF (x) - 1 ? 1 : 2 - 4.0 * (i % 2);
        compare_sums (x, y, N_OF (x));
      }
  plan_for (0);
}

/* ------------------------------------------------------------------ On a GPU */

static int begin (void **state), end (void **state);

static void
compare_all (long count)
{
  begin (NULL);
  compare_told (4);
  compare_cases (count);
  end (NULL);
}

#if HAVE_CUDA
SCENARIO (on_a_gpu)
{
  with_gpu = 1;
  compare_all (20);
}

TEST (device_vectors)
{
  EXPECT_SCENARIO ("on_a_gpu", "", "GSLTUNE_PROFILE_DIR=/nonexistent", h200);
}
#endif

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
      if (n > GT_CUTOFF_FEW_SQUARES) /* a few are rounded on the way in fast mode */
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
  mpfr_inits2 (ORACLE_BITS, exact, scale, (mpfr_ptr) NULL);
#if HAVE_CUDA
  mpfr_inits2 (9000, dot, squares, factor, term, (mpfr_ptr) NULL);
#endif
  oracle_begin (&oracle);
  return 0;
}

FIXTURE (end)
{
  mpfr_clears (exact, scale, (mpfr_ptr) NULL);
#if HAVE_CUDA
  mpfr_clears (dot, squares, factor, term, (mpfr_ptr) NULL);
#endif
  oracle_end (&oracle);
  mpfr_free_cache ();
  return 0;
}

/* Returns whether any was wrong.  */
static int
report (void)
{
  unsigned long wrong = 0;

  printf ("# %lu results of %lu samples\n# %-26s", judged, samples, "");
  for (int mode = 0; mode <= GT_N_MODES; mode++)
    printf (" %11s      > 4     lost wrong", mode < GT_N_MODES ? gt_mode_names[mode] : "GSL");
  for (int k = 0; k < N_STATISTICS; k++)
    {
      printf ("\n# %-26s", statistic_names[k]);
      for (int mode = 0; mode <= GT_N_MODES; mode++)
        wrong += errors[k].wrong[mode];
      for (int mode = 0; mode <= GT_N_MODES; mode++)
        printf (" %11.4Lg %8lu %8lu %5lu", errors[k].worst[mode], errors[k].over[mode],
                errors[k].lost[mode], errors[k].wrong[mode]);
    }
  printf ("\n");
  return wrong > 0;
}

/* Cases that nobody has tried, as the arguments say.  */
static int
explore (int argc, char **argv)
{
  quiet = 1;
  first_seed = strtoull (argv[2], NULL, 0);
  signal (SIGTERM, end_soon);
  length = argc > 3 ? strtoul (argv[3], NULL, 10) : 0;
#if HAVE_CUDA
  with_gpu = argc > 4 && strcmp (argv[4], "gpu") == 0;
#endif
  plan_for (argc > 4 ? (unsigned) strtoul (argv[4], NULL, 10) : 0);
  compare_all (cases);
  return report ();
}

int
main (int argc, char **argv)
{
  int failed;

  if (argc > 1 && !strtol (argv[1], NULL, 10))
    scenario_main (argc, argv);
  if (argc > 1)
    cases = atol (argv[1]);
  gt_env.profile_dir = "/nonexistent";
  if (argc > 2)
    return explore (argc, argv);
  failed = run_unit_tests (begin, end);
  if (argc > 1)
    report ();
  return failed;
}
