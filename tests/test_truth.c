/* Tests of what the modes promise of sums, products, norms and statistics: exact mode their exact
   values, rounded once; the others to be off by so much.

   test_truth COUNT SEED compares so many results of functions, types, kinds of elements, lengths
   and strides that are drawn from the seed; `make check-truth' has 1,000,000 of them.  What is
   wrong is printed with the SEED with which "test_truth 1 SEED" repeats it.  One word more, gpu,
   has functions of device vectors alone.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tests/answers.h"
#include "tests/drawn.h"
#include "tests/oracle.h"
#include "tests/scenario.h"
#include "tuning/measure/listed.h"

enum
{
  MOST = 5000,
  MOST_STRIDE = 4,
  LONG = 1 << 16,
  BLOCKS = (1 << 13) + 1 /* a block of sums in twice the precision, and one of one element */
};

static struct oracle oracle;
static mpfr_t exact, scale;
static unsigned long wrong;

/* ----------------------------------------------------------------- Promises */

/* A result that loses half of its digits to terms that cancel is not well conditioned.  */
#define WELL_CONDITIONED 0x1p26L

/* No error of GSL's counts for less than half a unit: no sum of rounded numbers can know when
   GSL's are in luck.  */
#define LEAST_OF_GSL 0.5L

/* A GPU's fast statistics are right to 1e-10 of their scale.  */
#define UNITS_OF_A_GPU 0x1p20L

/* Whether a result is off by no more than is promised.  CANCELLED are the units of the last
   place that one of the scale is.  */
static int
is_within (long double error, long double of_gsl, long double cancelled)
{
  return error <= 16 * fmaxl (of_gsl, LEAST_OF_GSL * cancelled) + 4 * cancelled;
}

/* A case: a function of elements, whose value has parts.  */
struct drawn
{
  const struct gt_listed *f;
  struct gt_operands o;
  const struct oracle_format *format;
  int kind;
  char text[100];
};

static long double
call (const struct drawn *d, void *function, int part)
{
  struct gt_answer a = {.status = 0};

  d->f->call (function, &d->o, &a);
  return gt_answer_value (d->f, &a, part);
}

static void
set_x87 (unsigned short word)
{
#if defined __x86_64__
  __asm__ volatile ("fldcw %0" : : "m"(word));
#else
  (void) word;
#endif
}

/* Makes subnormal results (1) or operands (2) of SSE zero.  */
static void
flush_subnormals (unsigned which)
{
#if defined __x86_64__
  __builtin_ia32_ldmxcsr ((__builtin_ia32_stmxcsr () & ~0x8040u) | (which & 1 ? 0x8000 : 0)
                          | (which & 2 ? 0x40 : 0));
#else
  (void) which;
#endif
}

#define ENVIRONMENTS 20

/* The same in one of several environments, of which the first is usual: another rounding, or that
   of the x87 alone, or fewer digits there (gsl_ieee_env_setup sets 53), or subnormal numbers
   flushed.  Stores the exceptions that were RAISED.  */
static long double
call_in (unsigned environment, const struct drawn *d, int part, int *raised)
{
  static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static const unsigned short words[] = {0x27f, 0x07f, 0x77f, 0xb7f, 0xf7f, 0x67f};
  struct gt_answer a = {.status = 0};

  feclearexcept (FE_ALL_EXCEPT);
  if (environment < N_OF (roundings))
    fesetround (roundings[environment]);
  else if (environment + 3 >= ENVIRONMENTS)
    flush_subnormals (ENVIRONMENTS - environment);
  else
    set_x87 (words[environment % N_OF (words)]);
  d->f->call (d->f->ours, &d->o, &a);
  *raised = fetestexcept (FE_ALL_EXCEPT);
  flush_subnormals (0);
  fesetround (FE_TONEAREST);
  set_x87 (0x37f);
  return gt_answer_value (d->f, &a, part);
}

/* Whether statistic X may have RAISED no more than that it is inexact.  */
static int
is_quiet (const struct drawn *d, long double x)
{
  return d->f->answers == GT_ANSWERS_NUMBER && isfinite (x)
         && fabsl (x) >= ldexpl (1, d->format->lowest + d->format->digits - 1);
}

/* The bits of doubles; a NaN may have any sign.  */
static int
same (long double x, long double y)
{
  return isnan (x) ? isnan (y) : x == y && signbit (x) == signbit (y);
}

/* About a given mean what is infinite may be NaN, as it is in GSL's recurrences, where an element
   is.  */
static int
may_be_nan (const struct drawn *d)
{
  return d->kind == SPECIAL && d->f->family == GT_OF_STATS && d->f->is_given;
}

/* Checks whether X is what fast mode promises; of device vectors what the same elements on the
   host promise.  */
static int
is_promised (const struct drawn *of, long double x, int part)
{
  struct drawn host = *of;
  const struct drawn *const d = &host;
  const long double rounded = oracle_rounded (exact, d->format);
  const int overflows = isinf (rounded)
                        && (mpfr_inf_p (exact) || d->f->answers != GT_ANSWERS_NUMBER);
  const int is_lost = (!isfinite (x) && isfinite (rounded)) || (x == 0 && rounded != 0);
  long double gsl, error, of_gsl, cancelled;

  if (d->f->family == GT_OF_DEVICE_VECTOR)
    host.f = on_host (d->f);
  if (isnan (rounded))
    return isnan (x);
  /* What is left of numbers that cancel may underflow to -0.  */
  if (x == rounded && !(mpfr_zero_p (exact) && d->f->answers == GT_ANSWERS_NUMBER && signbit (x)))
    return 1;
  if (overflows && (!isfinite (x) || mpfr_inf_p (exact)))
    return !isfinite (x);
  oracle_scale (scale, &oracle, d->f->name, part);
  if (x == rounded)
    return !mpfr_zero_p (scale) && oracle_rounded (scale, d->format) == 0;
  /* In fast mode sums of magnitudes may overflow, and what is left of floats that cancel may be less
     than what overflows.  */
  if (!overflows && d->f->family != GT_OF_STATS
      && oracle_place (scale, d->format) > -d->format->lowest - 2 * d->format->digits + 2)
    return 1;
  gsl = call (d, d->f->gsl, part);
  error = oracle_error (x, exact, d->format);
  of_gsl = oracle_error (gsl, exact, d->format);
  cancelled = ldexpl (1, (int) (oracle_place (scale, d->format) - oracle_place (exact, d->format)));
  if (of->f != d->f && error <= UNITS_OF_A_GPU * cancelled)
    return 1;
  return is_within (error, of_gsl, cancelled)
         && !(is_lost && d->f->family == GT_OF_STATS && cancelled <= WELL_CONDITIONED
              && isfinite (gsl) && fabsl (gsl - rounded) < fabsl (rounded));
}

static void
tell (const struct drawn *d, const char *mode, long double x, long double expected, uint64_t seed)
{
  wrong++;
  print_message ("# %s of %zu, %s, %s: %.21Lg (%La) instead of %.21Lg (%La); seed %llu\n",
                 d->f->symbol, d->o.n, d->text, mode, x, x, expected, expected,
                 (unsigned long long) seed);
}

static int
is_integer_sum (const struct gt_listed *f)
{
  return f->reduction == GT_SUM && f->answers == GT_ANSWERS_VALUE
         && gt_is_integer (gt_types[f->type].arithmetic);
}

static long double
wrapped (enum gt_element_type type, uint64_t word)
{
  switch (type)
    {
#define X(id, name, infix, ctype, arithmetic) \
    case GT_TYPE_##id:                        \
      return (long double) (ctype) word;
      GT_ELEMENT_TYPES (X)
#undef X
    default:
      return 0;
    }
}

/* The value of PART, which may not be defined.  */
static int
expect (const struct drawn *d, int part, long double *expected)
{
  if (is_integer_sum (d->f))
    *expected = wrapped (d->f->type, oracle_word (&oracle));
  else if (oracle_value (exact, &oracle, d->f->name, part))
    *expected = oracle_rounded (exact, d->format);
  else
    return 0;
  return 1;
}

/* Judges the results of all modes; of device vectors, if they are no statistics, those that are
   exact.  */
static void
judge (const struct drawn *d, uint64_t seed)
{
  const int on_device = d->f->family == GT_OF_DEVICE_VECTOR;
  const int first = !on_device || d->f->answers == GT_ANSWERS_NUMBER ? GT_MODE_FAST
                                                                      : GT_MODE_COMPENSATED;

  for (int part = 0; part <= (d->f->reduction == GT_CDOT); part++)
    for (int mode = first; mode < GT_N_MODES; mode++)
      {
        const int is_exact = mode != GT_MODE_FAST || is_integer_sum (d->f);
        long double x, expected;
        int raised;

        gsltune_set_mode ((gsltune_mode) mode);
        x = call_in (mode == GT_MODE_EXACT ? seed % ENVIRONMENTS : 0, d, part, &raised);
        if (!expect (d, part, &expected) || (isinf (expected) && isnan (x) && may_be_nan (d)))
          continue;
        if (is_exact ? !same (x, expected) : !is_promised (d, x, part))
          tell (d, gt_mode_names[mode], x, expected, seed);
        if (mode == GT_MODE_EXACT && is_quiet (d, expected) && (raised & ~FE_INEXACT))
          tell (d, "exceptions", raised, FE_INEXACT, seed);
      }
}

/* ------------------------------------------------------------------- Cases */

/* Those whose values the oracle has, of all types, on the host or on a GPU.  */
static const struct gt_listed *functions[1000];
static int n_functions;

static int
adds_up (const struct gt_listed *f)
{
  return f->answers == GT_ANSWERS_NUMBER || f->reduction == GT_SUM || f->reduction == GT_ASUM
         || f->reduction == GT_DOT || f->reduction == GT_SUMSQ || f->reduction == GT_CDOT;
}

static void
list_functions (int on_device)
{
  n_functions = 0;
  for (int type = 0; type < GT_N_TYPES; type++)
    for (size_t k = 0; k < gt_listed[type].count; k++)
      {
        const struct gt_listed *f = &gt_listed[type].function[k];

        if (f->family != GT_OF_MATRIX && (f->family == GT_OF_DEVICE_VECTOR) == on_device
            && adds_up (f))
          functions[n_functions++] = f;
      }
}

/* D, whose function and operands are set, WHAT it is.  */
static void
try (struct drawn *d, const char *what, uint64_t seed)
{
  const struct gt_listed *f = d->f;
  const struct gt_operands *o = &d->o;
  const struct gt_operands second = {.x = o->y, .n = o->n, .stride = {o->stride[1]}};

  d->format = &oracle_formats[f->answers == GT_ANSWERS_NUMBER || f->answers == GT_ANSWERS_WIDE
                                ? GT_TYPE_DOUBLE : f->type];
  snprintf (d->text, sizeof d->text, "%s, strides %zu, %zu, given %g, %g", what, o->stride[0],
            o->stride[1], o->given[0], o->given[1]);
  oracle_load (&oracle, f->type, o->x, o->stride[0], o->y, o->stride[1], o->n, o->given);
  if (f->family == GT_OF_DEVICE_VECTOR)
    {
      d->o.device[0] = gt_listed[f->type].make (o);
      d->o.device[1] = gt_listed[f->type].make (&second);
      assert_true (d->o.device[0] && d->o.device[1]);
    }
  judge (d, seed);
  if (f->family == GT_OF_DEVICE_VECTOR)
    for (int i = 0; i < 2; i++)
      gt_listed[f->type].free ((void *) d->o.device[i]);
}

/* What SEED draws, of so many elements as it draws if N is 0.  */
static void
try_one (uint64_t seed, size_t n)
{
  static long double buffers[2][(LONG + 5) * MOST_STRIDE + 4];
  const uint64_t first = seed;
  const struct gt_listed *f = functions[below (&seed, n_functions)];
  const enum gt_element_type type = f->type;
  const int kind = below (&seed, 50) == 0 ? SPECIAL
                   : below (&seed, below (&seed, 3) ? N_FINITE : N_ORDINARY);
  const int other = below (&seed, 3) ? below (&seed, N_FINITE) : kind;
  const int weights = below (&seed, 2) ? below (&seed, N_WEIGHTS) : ORDINARY;
  const int is_statistic = f->answers == GT_ANSWERS_NUMBER;
  const size_t xs = below (&seed, 2) ? 1 : 1 + (size_t) below (&seed, MOST_STRIDE);
  const size_t ys = below (&seed, 2) ? 1 : 1 + (size_t) below (&seed, MOST_STRIDE);
  char *x = (char *) buffers[0] + gt_types[type].size * (size_t) below (&seed, 4);
  char *y = (char *) buffers[1] + gt_types[type].size * (size_t) below (&seed, 4);
  struct drawn d = {.f = f, .kind = kind, .o = {.x = x, .y = y, .stride = {xs, ys}}};
  char what[100];

  if (n == 0 && (below (&seed, 100) || f->family == GT_OF_DEVICE_VECTOR))
    n = draw_length (MOST, &seed);
  d.o.n = n;
  if (is_statistic && f->name[0] == 'w')
    {
      draw_weights (type, x, xs, n, (enum weights) weights, &seed);
      draw_elements (type, y, ys, n, (enum kind) kind, &seed);
      draw_given (type, y, ys, n, d.o.given, &seed);
    }
  else
    {
      draw_elements (type, x, xs, n, (enum kind) kind, &seed);
      if (is_statistic && kind < N_FINITE && below (&seed, 2))
        draw_followers (type, y, ys, x, xs, n, &seed);
      else
        draw_elements (type, y, ys, n, (enum kind) other, &seed);
      draw_given (type, x, xs, n, d.o.given, &seed);
    }
  if (type == GT_TYPE_FLOAT && f->family == GT_OF_BLAS)
    d.o.given[0] = (float) ldexp (1.5, below (&seed, 100) - 50);
  snprintf (what, sizeof what, "elements %d and %d, weights %d", kind, other, weights);
  try (&d, what, first);
}

static void
try_many (unsigned long count, uint64_t seed)
{
  for (unsigned long i = 0; i < count; i++)
    try_one (seed + i, 0);
}

TEST (as_defined)
{
  try_many (20000, 1);
  try_many (1, 66121173830); /* one element makes up most of a weighted kurtosis */
  assert_int_equal (wrong, 0);
}

/* All functions of N elements of TYPE, which are told; of BLOCKS only products.  */
static void
try_all (enum gt_element_type type, const void *x, const void *y, size_t n, double mean,
         double sd, const char *what)
{
  for (int k = 0; k < n_functions; k++)
    if (functions[k]->type == type && (n != BLOCKS || functions[k]->reduction == GT_DOT))
      {
        struct drawn d = {.f = functions[k],
                          .o = {.x = x, .y = y, .n = n, .stride = {1, 1}, .given = {mean, sd}}};

        try (&d, what, 0);
      }
  assert_int_equal (wrong, 0);
}

/* Squares that overflow, that underflow, that all but cancel; halfway cases: of the last two are
   half the distance and half its square.  */
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
    {5, 5, 5},
    {-1, 0x1p53},
    {0, 0x1p27 - 1},
    {-0x1.948f99757ff2ep+54, 0x1.948f99757ff3p+54, -0x1.a8de4bc21b26p-1},
    {0x1.fffffffffffffp400, 0x1.1p400, 0x1.0000000000001p390, 1},
    {0x1p480, 0x1.5555555555555p470, 0x1p440, 0x1p430},
    {2.77658905256224e-309, 2.77658905256224e-309, 6.7903865311e-313, 4.13744e-317},
    {DBL_MAX, -0x1.123456789abcdp1020, 0x1.5555555555555p1023, 1e308},
    {0x1p127, 0x1p-3, -0x1p127, 1},
    {0x1.23456789abcdep-530, 0x1.3333333333333p-531, 0x1.5555555555555p-529, 0x1p-500},
    {0x1.0000000000001p-700, 0x1.8p-699, 0x1p-690, 0x1p-691},
    {6.9414726314056e-310, 6.9414726314056e-310, 5.43235059927e-312, 5.43235059927e-312},
    {0, 0, 0, DBL_TRUE_MIN}};

  for (size_t i = 0; i < N_OF (told); i++)
    for (size_t k = 0; k < N_OF (told); k++)
      for (size_t n = 2; n <= 4; n++)
        try_all (GT_TYPE_DOUBLE, told[i], told[k], n, told[k][i % 2], k % 2 ? 1 : 0x1p-500, "told");
}

/* Sums of many doubles whose last digit is decided by what is lost of their errors; elements that
   are the leading part of their mean, which is SIGN times a little off it; and a mean that is lost
   in copies.  */
TEST (many_doubles)
{
  enum { MANY = 4096 };
  static double x[MANY], ones[MANY];

  for (int sign = -1; sign <= 1; sign += 2)
    {
      for (size_t i = 0; i < MANY; i++)
        {
          ones[i] = 1;
          x[i] = i < 8 ? i == 0 : i < 16 ? 0x1p-47 : i < MANY - 8 ? sign * 0x1p-101 : -0x1p-47;
        }
      x[MANY - 1] += 0x1p-53 - sign * 0x1p-95;
      try_all (GT_TYPE_DOUBLE, ones, x, MANY, 0.5, 1, "what is lost decides");
      try_all (GT_TYPE_DOUBLE, x, ones, MANY, 0.5, 1, "what is lost decides");
      for (size_t i = 0; i < MANY; i++)
        x[i] = i < 48 ? 0.5 : i < 96 ? 1.5 : 1;
      x[95] += sign * 0x1p-42;
      try_all (GT_TYPE_DOUBLE, x, ones, MANY, 0.5, 1, "equal to the mean, nearly");
    }
  for (size_t i = 0; i < MANY; i++)
    {
      x[i] = ldexp ((double) (i % 7) - 3.1, 1000);
      ones[i] = i == MANY / 2 ? 3 : 0;
    }
  try_all (GT_TYPE_DOUBLE, ones, x, MANY, x[MANY / 2], DBL_TRUE_MIN, "a mean that is lost in copies");
}

/* Weights that only long doubles hold, a mean between an element and the next number, sums beyond
   the greatest long double, and many squares whose additions round to one side.  */
TEST (long_doubles)
{
  static const long double w[] = {LDBL_MIN, 0, 3 * LDBL_MIN}, data[] = {1, 7, 2};
  static const long double most_of_one[] = {1 + LDBL_EPSILON, LDBL_EPSILON / 128};
  static const long double below_one[] = {1, 1 - LDBL_EPSILON / 2};
  static const long double largest[] = {LDBL_MAX, LDBL_MAX};
  static long double x[LONG];

  try_all (GT_TYPE_LONG_DOUBLE, w, data, 3, 1, 1, "weights too small for doubles");
  try_all (GT_TYPE_LONG_DOUBLE, most_of_one, below_one, 2, 1, 1, "a mean next to a power of two");
  try_all (GT_TYPE_LONG_DOUBLE, largest, largest, 2, 1, 1, "the largest");
  for (size_t i = 0; i < LONG; i++)
    x[i] = 1.365L;
  try_all (GT_TYPE_LONG_DOUBLE, x, x, LONG, 0, 1, "alike");
}

/* Subnormal numbers count, though the program flushes them: the weight of the only element, and
   two elements that differ.  */
TEST (flushed_numbers)
{
  const float w = FLT_TRUE_MIN, x = 2;
  const double wide[] = {DBL_TRUE_MIN, 0}, two = 2;
  double of_float, of_double, skew;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  flush_subnormals (3);
  of_float = gsltune_stats_float_wvariance_m (&w, 1, &x, 1, 1, 1);
  of_double = gsltune_stats_wvariance_m (wide, 1, &two, 1, 1, 1);
  skew = gsltune_stats_skew (wide, 1, 2);
  flush_subnormals (0);
  assert_true (isinf (of_float) && isinf (of_double) && skew == 0);
}

/* So many numbers alike that whatever an addition rounds adds up.  */
TEST (many_alike)
{
  static double x[LONG - 3];
  static float f[LONG - 3];

  for (size_t i = 0; i < N_OF (x); i++)
    {
      x[i] = 0.1;
      f[i] = 0.1f;
    }
  try_all (GT_TYPE_DOUBLE, x, x, N_OF (x), 0.1, 1, "alike");
  try_all (GT_TYPE_FLOAT, f, f, N_OF (f), 0.1, 1, "alike");
}

/* Numbers and lengths next to powers of two, with each instruction set; blocks without fused
   operations.  */
TEST (beside_powers_of_two)
{
  static const enum gt_element_type types[] = {GT_TYPE_DOUBLE, GT_TYPE_FLOAT, GT_TYPE_DOUBLE,
                                               GT_TYPE_LONG_DOUBLE};
  static long double x[BLOCKS], y[BLOCKS];

  for (int i = 0; i < 1600; i++)
    {
      const enum gt_element_type type = types[i % 4];
      const int k = i / 4 % 8;
      const size_t n = i % 4 ? ((size_t) 1 << k) + (size_t) (i / 32 % 3) - (k > 0) : BLOCKS;
      uint64_t seed = (uint64_t) i;
      double given[2];
      char what[40];

      gt_isa_set_limit ((enum gt_isa) (i % 4 ? i / 4 % GT_N_ISAS : GT_ISA_BASELINE));
      if (i % 8 > 5)
        draw_weights (type, x, 1, n, (enum weights) (i / 8 % N_WEIGHTS), &seed);
      else
        draw_elements (type, x, 1, n, BESIDE_POWERS, &seed);
      draw_elements (type, y, 1, n, BESIDE_POWERS, &seed);
      draw_given (type, y, 1, n, given, &seed);
      if (type == GT_TYPE_FLOAT)
        given[0] = (float) fmod (given[0], FLT_MAX); /* which sdsdot adds */
      snprintf (what, sizeof what, "next to powers of two, %d", i);
      try_all (type, x, y, n, given[0], given[1], what);
    }
  gt_isa_set_limit (GT_N_ISAS - 1);
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
  if (planned_threads && device->kind == GT_CPU && (*kernel)->tunables & GT_TUNE_THREADS)
    config->threads = planned_threads;
}

void
__wrap_gt_team_run (unsigned members, void (*work) (void *, unsigned), void *closure)
{
  teams += members > 1;
  __real_gt_team_run (members, work, closure);
}

/* As many elements as are cut into parts, which have a page's at least, and more.  Memory is zero,
   so that a sum that was stored elsewhere is a number, and wrong.  */
TEST (by_threads)
{
  for (unsigned threads = 2; threads <= 5; threads++)
    {
      planned_threads = threads;
      gt_plans_forget ((struct gt_plans *) gt_host_plans ());
      teams = 0;
      for (uint64_t seed = 1; seed <= 400; seed++)
        try_one (seed + 1000 * threads, seed % 40 ? threads * 1024 + 77 : LONG + 5);
      assert_true (teams > 100);
    }
  planned_threads = 0;
  gt_plans_forget ((struct gt_plans *) gt_host_plans ());
  assert_int_equal (wrong, 0);
}

/* ---------------------------------------------------------- Without memory */

static _Atomic int no_memory;
void *__real_malloc (size_t size);
void *__wrap_malloc (size_t size);

void *
__wrap_malloc (size_t size)
{
  return no_memory ? NULL : planned_threads ? calloc (1, size) : __real_malloc (size);
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

/* Such numbers are on the stack then.  */
TEST (without_memory)
{
  struct longest all[N_THREADS];
  pthread_t threads[N_THREADS];
  pthread_attr_t attributes;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  assert_int_equal (pthread_attr_init (&attributes), 0);
  assert_int_equal (pthread_attr_setstacksize (&attributes, (size_t) 4 << 20), 0);
  for (int k = 0; k < N_THREADS; k++)
    {
      all[k] = (struct longest) {
        {LDBL_MAX / 4, 1 + k, 3, LDBL_MIN * LDBL_EPSILON},
        {LDBL_MIN * LDBL_EPSILON, -1 - k, LDBL_MAX / 4, LDBL_MAX / (8 + k)}, {0}, 0
      };
      take_longest (&all[k], all[k].expected);
      try_all (GT_TYPE_LONG_DOUBLE, all[k].w, all[k].x, 4, 0, 1, "longest");
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

/* -------------------------------------------------------------------------- main */

FIXTURE (begin)
{
  oracle_begin (&oracle);
  mpfr_inits (exact, scale, (mpfr_ptr) NULL);
  list_functions (0);
  return 0;
}

FIXTURE (end)
{
  mpfr_clears (exact, scale, (mpfr_ptr) NULL);
  oracle_end (&oracle);
  return 0;
}

#if HAVE_CUDA
SCENARIO (on_a_gpu)
{
  begin (NULL);
  list_functions (1);
  try_many (2000, 1);
  end (NULL);
  CHECK (wrong == 0);
}

TEST (device_vectors)
{
  EXPECT_SCENARIO ("on_a_gpu", "", "GSLTUNE_PROFILE_DIR=/nonexistent", h200);
}
#endif

int
main (int argc, char **argv)
{
  if (argc > 1 && !strtol (argv[1], NULL, 10))
    scenario_main (argc, argv);
  gt_env.profile_dir = "/nonexistent";
  if (argc < 3)
    return run_unit_tests (begin, end);
  begin (NULL);
  list_functions (argc > 3);
  try_many (strtoul (argv[1], NULL, 10), strtoull (argv[2], NULL, 10));
  end (NULL);
  printf ("%lu wrong of %s results from seed %s on\n", wrong, argv[1], argv[2]);
  return wrong > 0;
}
