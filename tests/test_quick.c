/* Tests of the engine of exact statistics (kernels/cpu/quick): its sums and formulas are within
   their bounds, conversions are exact, and whole numbers are hardly ever needed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "kernels/cpu/quick/quick.h"
#include "src/gsltune.h"
#include "src/statistics/statistic.h"
#include "tests/drawn.h"
#include "tests/oracle.h"
#include "tuning/measure/listed.h"

enum { MOST = 300, MARGIN = 1 + GT_QUICK_LANES };

static double x[MOST + MARGIN], x_rest[MOST + MARGIN], y[MOST + MARGIN], y_rest[MOST + MARGIN];
static mpfr_t sum, term, whole, second, off;
static uint64_t seed = 1;

FIXTURE (begin)
{
  mpfr_inits2 (11000, sum, term, whole, second, off, (mpfr_ptr) NULL);
  return 0;
}

FIXTURE (end)
{
  mpfr_clears (sum, term, whole, second, off, (mpfr_ptr) NULL);
  mpfr_free_cache ();
  return 0;
}

static double
of_both_signs (void)
{
  return (double) fraction (&seed) - 0.5;
}

/* Whether BALL, in units of 2^UNIT, holds EXACT, which is lost.  */
static int
holds (struct gt_ball ball, int unit, mpfr_t exact)
{
  mpfr_mul_2si (exact, exact, -unit, MPFR_RNDN);
  mpfr_sub_d (off, exact, ball.h, MPFR_RNDN);
  mpfr_sub_d (off, off, ball.l, MPFR_RNDN);
  mpfr_abs (off, off, MPFR_RNDN);
  return mpfr_cmp_d (off, ball.radius * 1.001) <= 0;
}

/* ---------------------------------------------------------------------- Sums */

enum
{
  OF_PLAIN,
  OF_SIZES,
  OF_ONES,
  OF_SIGNED,
  OF_PLAIN_PAIRS,
  OF_COMPLEX_PAIRS,
  OF_PAIRS,
  OF_WEIGHTS,
  OF_WEIGHTS_SIGNED
};

static const struct
{
  const char *name;
  int form;
  unsigned sums;
} sets[] = {
#define BIT(k) (1u << GT_MOMENT_##k)
#define SET(id, form, sums) {#id, OF_##form, sums},
#include "kernels/cpu/quick/sets.def"
};

/* TERM = the weight or 1, times FACTOR to the power P.  */
static void
take_power (const struct gt_quick *of, int form, size_t i, mpfr_t factor, unsigned p)
{
  mpfr_set_d (term, form < OF_WEIGHTS ? 1 : of->y[i] > 0 ? of->y[i] : 0, MPFR_RNDN);
  for (unsigned k = 0; k < p; k++)
    mpfr_mul (term, term, factor, MPFR_RNDN);
}

/* TERM = what element I adds to sum K.  */
static void
take_term (const struct gt_quick *of, int form, unsigned k, size_t i)
{
  mpfr_set_d (whole, form == OF_SIZES ? fabs (of->x[i]) : of->x[i], MPFR_RNDN);
  mpfr_set_d (second, of->y[i], MPFR_RNDN);
  if (of->x_rest)
    {
      mpfr_add_d (whole, whole, of->x_rest[i], MPFR_RNDN);
      mpfr_add_d (second, second, of->y_rest[i], MPFR_RNDN);
    }
  mpfr_sub_d (whole, whole, of->x_shift, MPFR_RNDN);
  mpfr_sub_d (second, second, of->y_shift, MPFR_RNDN);
  switch (k)
    {
    case GT_MOMENT_Y:
    case GT_MOMENT_YY:
      take_power (of, form, i, second, k == GT_MOMENT_Y ? 1 : 2);
      break;
    case GT_MOMENT_LAST:
      mpfr_set_d (second, of->y[i ^ 1], MPFR_RNDN);
      mpfr_mul (term, whole, second, MPFR_RNDN);
      if (i % 2 && of->conjugated)
        mpfr_neg (term, term, MPFR_RNDN);
      break;
    case GT_MOMENT_PRODUCTS:
      mpfr_mul (term, whole, second, MPFR_RNDN);
      if (form == OF_COMPLEX_PAIRS && i % 2 && !of->conjugated)
        mpfr_neg (term, term, MPFR_RNDN);
      break;
    case GT_MOMENT_WW:
      mpfr_sqr (term, second, MPFR_RNDN);
      if (of->y[i] < 0)
        mpfr_set_zero (term, 1);
      break;
    default:
      take_power (of, form, i, whole, k == GT_MOMENT_W || k == GT_MOMENT_SIDES ? 0
                  : k == GT_MOMENT_DISTANCES               ? 1 : k - GT_MOMENT_1 + 1);
    }
  if (k != GT_MOMENT_SIDES && k != GT_MOMENT_DISTANCES)
    return;
  mpfr_sub_d (whole, whole, of->about, MPFR_RNDN);
  mpfr_sub_d (whole, whole, of->about_rest, MPFR_RNDN);
  if (mpfr_sgn (whole) < 0)
    mpfr_neg (term, term, MPFR_RNDN);
}

/* Compares all sums of SET by all instruction sets.  Returns whether all have told them.  Complex
   numbers have two parts.  */
static int
check_set (unsigned set, const struct gt_quick *elements, const char *kind)
{
  const int is_complex = sets[set].form == OF_COMPLEX_PAIRS;
  const struct gt_quick pairs = {.x = elements->x, .y = elements->y, .n = elements->n / 2 * 2,
                                 .conjugated = elements->n / 2 % 2};
  const struct gt_quick *const of = is_complex ? &pairs : elements;
  struct gt_ball is[GT_N_ISAS][GT_N_MOMENTS];
  int tells[GT_N_ISAS], all = 1;

  if (of->n == 0)
    return 1;
  for (int isa = 0; isa < GT_N_ISAS; isa++)
    {
      tells[isa] = gt_isa_runs ((enum gt_isa) isa)
                   && gt_quick_isas[isa].sums ((enum gt_set) set, of, is[isa]);
      all &= tells[isa] || !gt_isa_runs ((enum gt_isa) isa);
    }
  for (unsigned k = 0; k < GT_N_MOMENTS; k++)
    {
      mpfr_set_zero (sum, 1);
      for (size_t i = 0; sets[set].sums >> k & 1 && i < of->n; i++)
        {
          take_term (of, sets[set].form, k, i);
          mpfr_add (sum, sum, term, MPFR_RNDN);
        }
      for (int isa = 0; isa < GT_N_ISAS; isa++)
        if (tells[isa] && !holds (is[isa][k], 0, sum))
          fail_msg ("%s, sum %u of %zu, %s, by %s: %a and %a within %a%s", sets[set].name, k,
                    of->n, kind, gt_isa_names[isa], is[isa][k].h, is[isa][k].l,
                    is[isa][k].radius, of->x_rest ? ", rests" : "");
    }
  return all;
}

/* All sets, with rests and without.  Returns how many were not told.  */
static unsigned
check_sets (size_t n, double about, const char *kind)
{
  const double about_rest = about * 0x1p-54 * of_both_signs ();
  unsigned missed = 0;

  for (size_t i = 0; i < n; i++)
    {
      x_rest[i] = x[i] * 0x1p-53 * of_both_signs ();
      y_rest[i] = y[i] * 0x1p-53 * of_both_signs ();
    }
  for (unsigned set = 0; set < GT_N_SETS; set++)
    for (int rested = 0; rested < 2; rested++)
      {
        const int has_rests
          = rested && sets[set].form != OF_SIZES && sets[set].form != OF_COMPLEX_PAIRS;
        const size_t at = n > 1 ? n % 2 : 0; /* vectors begin anywhere */
        struct gt_quick of = {x + at, has_rests ? x_rest + at : NULL, y + at,
                              has_rests ? y_rest + at : NULL, n - at, about, about_rest, 0, 0, 0};

        if (sets[set].form >= OF_WEIGHTS) /* weights have none */
          memset (y_rest, 0, sizeof y_rest);
        missed += !check_set (set, &of, kind);
      }
  return missed;
}

static const char *const kinds[]
  = {"positive", "alike", "cancelling", "large", "spikes", "many sizes", "all sizes"};

static void
fill (unsigned kind, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      x[i] = of_both_signs () + (kind == 0);
      y[i] = of_both_signs () + (kind == 0 || i % 2);
      if (kind == 2 && i > n / 2)
        {
          x[i] = -x[i - n / 2];
          y[i] = y[i - n / 2];
        }
      if (kind >= 5)
        {
          x[i] = ldexp (x[i], below (&seed, kind == 5 ? 60 : 300) - (kind == 5 ? 30 : 150));
          y[i] = ldexp (y[i], below (&seed, kind == 5 ? 60 : 300) - (kind == 5 ? 30 : 150));
        }
    }
  if (kind == 3)
    x[below (&seed, (int) n)] = y[below (&seed, (int) n)] = ldexp (1.23, below (&seed, 60));
  /* Sums leave their binades and come back: the same lane's elements cancel.  */
  if (kind == 4 && n > 100)
    {
      const size_t at = (size_t) below (&seed, (int) n - 80);
      const size_t back = at + 32 * (1 + (size_t) below (&seed, 2));

      x[at] = ldexp (1.5 + of_both_signs (), below (&seed, below (&seed, 4) ? 12 : 200));
      x[back] = -x[at];
      y[back] = y[at];
    }
}

TEST (sums_are_within_their_bounds)
{
  for (size_t n = 1; n <= MOST; n += n < 40 ? 1 : 23)
    for (unsigned kind = 0; kind < N_OF (kinds); kind++)
      {
        unsigned missed;

        fill (kind, n);
        missed = check_sets (n, below (&seed, 2) ? x[n / 2] : 0.25, kinds[kind]);
        if (kind < 2 && missed)
          fail_msg ("%u sets of %zu are not told, %s", missed, n, kinds[kind]);
      }
}

/* Errors that all have the same sign and are half a unit, and distances that go beyond what a
   few elements let guess and come back.  */
TEST (the_bounds_are_needed)
{
  enum { STEP = 30, GUESSES = 8, WIDEST = 8, TURN = 32 };
  const size_t n = STEP * (GUESSES - 1) + WIDEST;

  for (size_t i = 0; i < n; i++)
    {
      x[i] = 1 + 0x1.8p-46;
      y[i] = i % 3 ? 1 : 0x1.8p-47;
    }
  check_sets (n, 0.5, "half units");
  for (size_t i = 0; i < n; i++)
    {
      const size_t other = i ^ TURN;
      const int small = i % STEP < WIDEST || other % STEP < WIDEST || other >= n;

      x[i] = small ? of_both_signs () * 0x1p-45 : 1 + (i & TURN ? 0x1p-50 : -0x1p-50);
      y[i] = 1;
    }
  check_sets (n, 1, "signs that come back");
}

/* Elements near half of the shift and three halves of it, some of whose differences from it are
   rounded, though not to more than half.  */
TEST (differences_are_exact)
{
  enum { N = 100 };

  for (int repeat = 0; repeat < 40; repeat++)
    for (unsigned set = 0; set < GT_N_SETS; set++)
      {
        const int form = sets[set].form;
        const double shift = repeat % 2 ? 0x1p7 : 100 + (double) fraction (&seed) * 50;
        const struct gt_quick of = {x, NULL, y, NULL, N, shift / 16, 0, shift,
                                    form == OF_PAIRS ? shift : 0, 0};
        int told;

        if (form <= OF_SIZES || form == OF_PLAIN_PAIRS || form == OF_COMPLEX_PAIRS)
          continue;
        for (size_t i = 0; i < N; i++)
          {
            x[i] = shift * (1 + 0.9 * of_both_signs ());
            y[i] = shift * (1 + 0.9 * of_both_signs ());
          }
        told = check_set (set, &of, "near the shift");
        assert_true (told);
        x[N / 2] = shift * (repeat % 4 < 2 ? 0.5 : 1.5);
        for (int steps = 0; steps < repeat % 5; steps++)
          x[N / 2] = nextafter (x[N / 2], repeat % 3 ? 0 : HUGE_VAL);
        check_set (set, &of, "half as large as the shift");
      }
}

/* Only of zeros a sum is exactly zero.  */
TEST (zeros)
{
  struct gt_ball to[GT_N_MOMENTS];

  for (size_t n = 1; n < 70; n += 3)
    for (unsigned set = 0; set < GT_N_SETS; set++)
      for (int isa = 0; isa < GT_N_ISAS; isa++)
        for (int tiny = 0; gt_isa_runs ((enum gt_isa) isa) && tiny < 2; tiny++)
          {
            const int form = sets[set].form, is_complex = form == OF_COMPLEX_PAIRS;
            const struct gt_quick of = {x, NULL, y, NULL, is_complex ? n + n % 2 : n, 0, 0, 0, 0, 0};

            for (size_t i = 0; i < of.n; i++)
              {
                x[i] = tiny ? 0x1p-600 : 0;
                y[i] = form >= OF_PLAIN_PAIRS && form <= OF_PAIRS ? x[i] : 1;
              }
            if (!gt_quick_isas[isa].sums ((enum gt_set) set, &of, to))
              {
                assert_true (tiny);
                continue;
              }
            for (unsigned k = GT_MOMENT_1; k < GT_MOMENT_FIRST; k++)
              if (sets[set].sums >> k & 1)
                assert_true (tiny ? to[k].radius > 0x1p-600 : to[k].h == 0 && to[k].radius == 0);
          }
}

/* ----------------------------------------------------------------- Conversions */

static int
has_quick_sums (int type)
{
  const enum gt_arithmetic arithmetic = gt_types[type].arithmetic;

  return arithmetic != GT_LDBL && !gt_is_complex (arithmetic);
}

static void
check_convert (const struct gt_quick_isa *of, enum gt_element_type type, double shift, double scale,
               size_t stride, size_t n, const void *data)
{
  const enum gt_arithmetic arithmetic = gt_types[type].arithmetic;
  const struct gt_operand operand = {data, stride};
  struct gt_sample sample;
  int rested = 0, any = 0;
  const int told = of->convert (arithmetic, &operand, 1, n - 1, shift, scale, x, x_rest, &rested);

  gt_sample_init (&sample, arithmetic, operand, operand, n);
  for (size_t i = 0; i + 1 < n && told; i++)
    {
      mpfr_set_ld (whole, gt_sample_element (&sample, 0, i + 1), MPFR_RNDN);
      mpfr_sub_d (whole, whole, shift, MPFR_RNDN);
      mpfr_mul_d (whole, whole, scale, MPFR_RNDN);
      mpfr_sub_d (second, whole, x[i], MPFR_RNDN);
      any |= x_rest[i] != 0;
      if (mpfr_cmp_d (second, x_rest[i]) != 0 || x[i] != mpfr_get_d (whole, MPFR_RNDN))
        fail_msg ("%s less %a times %a: %a and %a", gt_types[type].name, shift, scale, x[i],
                  x_rest[i]);
    }
  assert_true (!told || rested == any);
  if (!told && fabs (log2 (scale)) < 100 && (arithmetic <= GT_F32 || shift == rint (shift)))
    fail_msg ("%s less %a times %a", gt_types[type].name, shift, scale);
}

TEST (conversions_are_exact)
{
  static long double data[3 * 40];
  static const double scales[] = {1, 0x1p-60, 0x1p40, 0x1p1000, 0x1p-1020, 1, 0x1p-980};

  for (int type = 0; type < GT_N_TYPES; type++)
    for (int repeat = 0; repeat < 300 && has_quick_sums (type); repeat++)
      for (int isa = 0; isa < GT_N_ISAS; isa++)
        {
          const size_t n = 2 + (size_t) below (&seed, 38), stride = 1 + (size_t) below (&seed, 3);
          const enum kind kind = below (&seed, 2) ? ALL_DIGITS : AROUND_ZERO;
          double shift = repeat % 3 ? 0 : repeat % 2 ? 0.3 : 1e9;

          draw_elements ((enum gt_element_type) type, data, stride, n, kind, &seed);
          if (repeat % 3 == 1)
            gt_sample_doubles (gt_types[type].arithmetic,
                               &(struct gt_operand) {data, stride}, n / 2, 1, &shift);
          if (gt_isa_runs ((enum gt_isa) isa))
            check_convert (&gt_quick_isas[isa], (enum gt_element_type) type, shift,
                           scales[repeat % 7], stride, n, data);
        }
}

/* -------------------------------------------------------------------- Formulas */

static struct oracle oracle;

/* BALL = X, off its centre by as much as its radius lets it.  */
static struct gt_ball
around (double value)
{
  const double radius = value == 0 || below (&seed, 3) == 0
                          ? 0 : fabs (value) * ldexp (1, -60 - below (&seed, 40));

  return gt_ball_of (value, radius * (below (&seed, 2) ? 0.999 : -0.999), radius);
}

/* The sums of N small whole numbers X, and Y or weights Y, are doubles.  */
static void
make_sums (struct gt_enclosed *e, double mean)
{
  double s[GT_N_MOMENTS] = {0};

  for (size_t i = 0; i < e->n; i++)
    {
      const double w = e->formula.weighted ? y[i] : 1, side = x[i] < mean ? -w : w;
      const int joint = e->formula.form == GT_FORM_JOINT;

      s[GT_MOMENT_W] += w;
      s[GT_MOMENT_WW] += w * w;
      for (int p = 1; p <= 4; p++)
        s[GT_MOMENT_1 + p - 1] += w * pow (x[i], p);
      s[GT_MOMENT_Y] += y[i];
      s[GT_MOMENT_YY] += y[i] * y[i];
      s[GT_MOMENT_PRODUCTS] += joint ? x[i] * y[i] : i + 1 < e->n ? x[i] * x[i + 1] : 0;
      s[GT_MOMENT_SIDES] += side;
      s[GT_MOMENT_DISTANCES] += side * x[i];
    }
  s[GT_MOMENT_FIRST] = x[0];
  s[GT_MOMENT_LAST] = x[e->n - 1];
  for (int k = 0; k < GT_N_MOMENTS; k++)
    e->sums[k] = around (s[k]);
}

static void
check_formula (const struct gt_term *formula_of, const char *name)
{
  const struct gt_formula formula = gt_formula_of (formula_of);
  struct gt_enclosed e = {.formula = formula, .n = 2 + (uint64_t) below (&seed, 30)};
  const double given[2] = {below (&seed, 9) - 4.5, below (&seed, 7) + 0.5};
  const int weighted = formula.weighted;
  double w = 0, s = 0;

  for (size_t i = 0; i < e.n; i++)
    {
      x[i] = below (&seed, 200) - 100;
      y[i] = below (&seed, 50) + (weighted ? 1 : -25);
      w += weighted ? y[i] : 1;
      s += weighted ? y[i] * x[i] : x[i];
    }
  oracle_load (&oracle, GT_TYPE_DOUBLE, weighted ? y : x, 1, weighted ? x : y, 1, e.n, given);
  make_sums (&e, formula.given ? given[0] : s / w);
  e.given[0] = gt_ball_exactly (given[0]);
  e.given[1] = gt_ball_exactly (given[1]);
  if (!oracle_value (sum, &oracle, name, 0) || !mpfr_number_p (sum))
    return;
  for (int isa = 0; isa < GT_N_ISAS; isa++)
    if (gt_isa_runs ((enum gt_isa) isa))
      {
        gt_quick_isas[isa].enclose (&e);
        mpfr_set (whole, sum, MPFR_RNDN);
        if (!(e.value.radius > 0x1p-20 || holds (e.value, e.unit, whole)))
          fail_msg ("%s of %ju by %s: %a and %a within %a instead of %a", name, (uintmax_t) e.n,
                    gt_isa_names[isa], e.value.h, e.value.l, e.value.radius,
                    mpfr_get_d (sum, MPFR_RNDN));
      }
}

TEST (balls_hold_the_values)
{
  oracle_begin (&oracle);
  for (int repeat = 0; repeat < 100; repeat++)
    {
#define STATISTIC(name, ...) check_formula (&gt_term_##name, #name);
#include "kernels/statistics.def"
    }
  oracle_end (&oracle);
}

/* --------------------------------------------------------------- Whole numbers */

static unsigned long whole_numbers;
gt_statistic __real_gt_rational, __wrap_gt_rational;

double
__wrap_gt_rational (struct gt_sample *sample)
{
  whole_numbers++;
  return __real_gt_rational (sample);
}

/* With odd numbers of elements few quotients are ties.  */
TEST (whole_numbers_are_hardly_needed)
{
  enum { TIMES = 400 };
  static long double data[2][MOST];
  unsigned long needed = 0, calls = 0;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (int type = 0; type < GT_N_TYPES; type++)
    for (size_t k = 0; k < gt_listed[type].count; k++)
      {
        const struct gt_listed *f = &gt_listed[type].function[k];
        const int weighted = f->name[0] == 'w';

        if (f->family != GT_OF_STATS || f->answers != GT_ANSWERS_NUMBER
            || !has_quick_sums (type))
          continue;
        whole_numbers = 0;
        for (int i = 0; i < TIMES; i++)
          {
            struct gt_operands o = {.x = data[0], .y = data[1], .stride = {1, 1},
                                    .n = 3 + 2 * (size_t) below (&seed, i % 4 ? 15 : MOST / 2 - 2)};
            struct gt_answer a = {.status = 0};
            const enum kind kind = i % 2 ? AROUND_ZERO : FAR;

            if (weighted)
              draw_weights ((enum gt_element_type) type, data[0], 1, o.n, ORDINARY, &seed);
            else
              draw_elements ((enum gt_element_type) type, data[0], 1, o.n, kind, &seed);
            draw_elements ((enum gt_element_type) type, data[1], 1, o.n, kind, &seed);
            gt_sample_doubles (gt_types[type].arithmetic, &(struct gt_operand) {data[weighted], 1},
                               o.n / 2, 1, &o.given[0]);
            o.given[0] *= 0.003; /* more digits than elements have */
            o.given[1] = fabs (o.given[0]) + 0.7;
            f->call (f->ours, &o, &a);
          }
        calls += TIMES;
        needed += whole_numbers;
        if (whole_numbers * 50 > TIMES)
          fail_msg ("%s: %lu of %d", f->symbol, whole_numbers, TIMES);
      }
  if (needed * 500 > calls)
    fail_msg ("%lu of %lu", needed, calls);
}

/* --------------------------------------------------------------------- Results */

/* Sums of squares of floats about a short number are often halfway between two doubles.  */
TEST (ties_hardly_need_whole_numbers)
{
  float few[16];

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  whole_numbers = 0;
  for (int i = 0; i < 1600; i++)
    {
      few[i % 16] = (float) fraction (&seed);
      if (i >= 16)
        gsltune_stats_float_tss_m (few, 1, 16, 0.5);
    }
  assert_true (whole_numbers < 20);
}

/* Integers about given numbers whose products miss an integer by 2^-105, as 2^105 + 1 has two
   factors below 2^53: nothing but whole numbers knows that this is not zero.  */
TEST (integers_about_fractions)
{
  static const int a[8] = {1, -1}, b[8] = {0, 1, -1};

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  assert_true (gsltune_stats_int_covariance_m (a, 1, b, 1, 8, 0x1.9939800033273p-2,
                                               0x1.404b25a15c2bbp-2) == 0x1p-105 / 7);
}

/* A weight that is so much larger than others that factors of the skewness nearly vanish, and
   their product would underflow if that were not seen.  */
TEST (dominated_weights)
{
  for (int k = 70; k < 100; k++)
    {
      double of[2];

      gsltune_set_mode (GSLTUNE_MODE_EXACT);
      for (int scaled = 0; scaled < 2; scaled++)
        {
          for (int i = 0; i < 6; i++)
            {
              y[i] = ldexp (1 + i * 0.01, (scaled ? 20 : -20) - k);
              x[i] = ldexp (i % 2 ? 1 + 0.1 * i : -1 - 0.1 * i, scaled ? 0 : -65);
            }
          y[5] = scaled ? 0x1p20 : 0x1p-20;
          x[5] = scaled ? 1 : 0x1p-65;
          of[scaled] = gsltune_stats_wskew (y, 1, x, 1, 6);
        }
      if (of[0] != of[1] || of[0] == 0)
        fail_msg ("%a instead of %a", of[0], of[1]);
    }
}

/* About NaN all statistics are NaN.  About an infinity those are whose terms have both signs.  */
TEST (means_that_are_no_numbers)
{
  const double means[] = {NAN, INFINITY, -INFINITY};
  const size_t n = 40;

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (size_t i = 0; i < n; i++)
    {
      x[i] = of_both_signs ();
      y[i] = 1 + of_both_signs ();
    }
  for (size_t k = 0; k < N_OF (means); k++)
    {
      const double m = means[k];

      assert_true (isnan (gsltune_stats_covariance_m (x, 1, y, 1, n, m, 1)));
      assert_true (isnan (gsltune_stats_lag1_autocorrelation_m (x, 1, n, m)));
      assert_int_equal (isnan (gsltune_stats_variance_m (x, 1, n, m)), isnan (m));
      assert_int_equal (isnan (gsltune_stats_absdev_m (x, 1, n, m)), isnan (m));
      assert_int_equal (isnan (gsltune_stats_skew_m_sd (x, 1, n, m, 2)), isnan (m));
      assert_int_equal (isnan (gsltune_stats_wvariance_m (y, 1, x, 1, n, m)), isnan (m));
    }
}

RUN_TESTS (begin, end)
