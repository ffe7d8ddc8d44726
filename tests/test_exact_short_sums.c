/* Tests of dot products, norms, means, spreads and correlations of short vectors
   (kernels/cpu/short/exact_short_sums.c, exact_short_about.c): what the functions of every instruction set tell is
   what GNU MP and MPFR say, and of ordinary data they tell it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "kernels/cpu/short/exact_short_sums.h"
#include "src/gsltune.h"
#include "src/public/moderate.h"
#include "tests/exact_operands.h"
#include "tests/finish_oracle.h"

static size_t n;
static unsigned long told, asked;

/* ---------------------------------------------------------------- Oracle */

enum quantity
{
  DOT,
  NORM,
  MEAN,
  TSS,
  VARIANCE,
  SD,
  COVARIANCE,
  TSS_M,
  VARIANCE_M,
  SD_M,
  COVARIANCE_M,
  CORRELATION,
  N_QUANTITIES
};

static const char *const names[N_QUANTITIES]
  = {"dot", "norm", "mean", "tss", "variance", "sd", "covariance", "tss_m",
     "variance_m", "sd_m", "covariance_m", "correlation"};

/* About which the spreads of names in _m are.  */
static double centre[2];

/* Returns 0 when an element is not finite.  */
static int
add_up (void)
{
  clear_sums (&sums);
  for (size_t i = 0; i < n; i++)
    {
      if (!isfinite (first.number[i]) || !isfinite (second.number[i]))
        return 0;
      set_double (added[0], first.number[i]);
      set_double (added[1], second.number[i]);
      add_to_sums (&sums);
    }
  return 1;
}

static double
expected (enum quantity what)
{
  switch (what)
    {
    case DOT:
      return expected_product (&sums, P, 0);
    case NORM:
      return expected_product (&sums, Q, 1);
    case MEAN:
      return expected_mean (&sums);
    case COVARIANCE:
      return expected_spread (GT_VARIANCE, &sums, P, T);
    case COVARIANCE_M:
      return expected_spread_about (GT_VARIANCE, &sums, P, T, centre[0],
                                    centre[1]);
    case CORRELATION:
      return expected_correlation (&sums);
    default:
      return what < COVARIANCE
               ? expected_spread ((enum gt_spread) (GT_TSS + what - TSS), &sums,
                                  Q, S)
               : expected_spread_about (
                   (enum gt_spread) (GT_TSS + what - TSS_M), &sums, Q, S,
                   centre[0], centre[0]);
    }
}

/* ------------------------------------------------------------- Comparing */

static void
check_told (enum quantity what, const char *type, int isa, double is,
            double should)
{
  told++;
  if (isnan (should))
    should = (double) NAN;
  if (memcmp (&is, &should, sizeof is) != 0)
    fail_msg ("%s of %s by %s: %a instead of %a: n = %zu, %s, stride %zu, "
              "and %s, stride %zu (seed %ju)", names[what], type,
              gt_isa_names[isa], is, should, n,
              kind_name (first.kind), first.stride, kind_name (second.kind),
              second.stride, (uintmax_t) seed);
}

/* Functions that take a task.  */
static int
call_task (const struct gt_short_isa *of, enum gt_arithmetic arithmetic,
           enum quantity what, double *to)
{
  struct gt_task task
    = gt_task_of_pair (what < COVARIANCE_M ? GT_MOMENTS : GT_COMOMENTS,
                       arithmetic, GT_MODE_EXACT,
                       (struct gt_operand) {first.data, first.stride},
                       (struct gt_operand) {second.data, second.stride}, n);

  if (what < COVARIANCE_M && what != COVARIANCE)
    task.y = task.x;
  task.shift[0] = centre[0];
  task.shift[1] = centre[1];
  return what == CORRELATION ? of->correlation (&task, to)
         : what == MEAN      ? of->mean (&task, to)
         : what < TSS_M
           ? of->spread (&task,
                         what == COVARIANCE ? GT_COVARIANCE
                                            : (enum gt_spread) (GT_TSS + what - TSS),
                         to)
           : of->about (&task, what == TSS_M ? 1 : (double) n - 1, what == SD_M, to);
}

/* Functions that do not: dot products and norms.  */
static int
call_vectors (const struct gt_short_isa *of, enum gt_arithmetic arithmetic,
              enum quantity what, double *to)
{
  if (what == NORM)
    return of->norm_f64 (first.data, first.stride, n, to);
  return arithmetic == GT_F64
           ? of->dot_f64 (first.data, first.stride, second.data, second.stride, n, 0, to)
           : of->dot_f32_f64 (first.data, first.stride, second.data, second.stride, n,
                              to);
}

/* Results that are floats: the norm, and the dot product with ALPHA, which is in P by
   now.  */
static void
check_floats (int isa, float alpha)
{
  const struct gt_short_isa *of = gt_short_isas[isa];
  float is = 0;

  asked += 2;
  if (of->norm_f32 (first.data, first.stride, n, &is))
    check_told (NORM, "float", isa, (double) is,
                (double) expected_float (&sums, Q, 1));
  if (of->dot_f32 (first.data, first.stride, second.data, second.stride, n,
                   alpha, &is))
    check_told (DOT, "float", isa, (double) is,
                (double) expected_float (&sums, P, 0));
}

/* Whether elements that are not finite make the quantity a NaN or an infinity, which is
   stored in *TO then.  */
static int
is_special (enum quantity what, double *to)
{
  const int two = what == DOT || what == COVARIANCE || what == COVARIANCE_M
                  || what == CORRELATION;
  double sum = 0;
  int any = 0;

  for (size_t i = 0; i < n; i++)
    {
      const double x = first.number[i], y = two ? second.number[i] : x;

      if (isfinite (x) && isfinite (y))
        continue;
      any = 1;
      sum += what == MEAN ? x : x * y;
    }
  *to = isnan (sum) || what == CORRELATION || (what >= TSS && what <= COVARIANCE)
            || what == COVARIANCE_M
          ? (double) NAN : sum;
  return any;
}

/* All functions of one vector, or two.  */
static void
check_isas (enum gt_arithmetic arithmetic)
{
  const int finite = add_up ();
  const size_t near = below ((unsigned) n);
  const float alpha = below (2) ? 0 : (float) of_both_signs ();

  centre[0] = below (2) && finite ? first.number[near] : below (2) ? 0.3 : 0;
  centre[1] = below (2) && finite ? second.number[near] : below (2) ? -0.1 : 0;
  for (unsigned what = 0; what < N_QUANTITIES; what++)
    {
      double should = 0;
      int special;

      if ((arithmetic == GT_F32 && what == NORM) || (what >= TSS && n < 2))
        continue;
      special = is_special ((enum quantity) what, &should);
      if (finite)
        should = expected ((enum quantity) what);
      for (int isa = 0; isa < GT_N_ISAS; isa++)
        {
          double is = 0;
          int tells;

          if (!gt_isa_runs ((enum gt_isa) isa))
            continue;
          asked++;
          tells = (what >= MEAN ? call_task : call_vectors) (
            gt_short_isas[isa], arithmetic, (enum quantity) what, &is);
          if ((tells && finite) || special)
            check_told ((enum quantity) what, gt_arithmetics[arithmetic].name,
                        isa, is, should);
        }
    }
  if (arithmetic != GT_F32 || !finite)
    return;
  set_double (added[0], (double) alpha);
  mpz_mul_2exp (added[0], added[0], 1074);
  mpz_add (sums.sum[P], sums.sum[P], added[0]);
  for (int isa = 0; isa < GT_N_ISAS; isa++)
    if (gt_isa_runs ((enum gt_isa) isa))
      check_floats (isa, alpha);
}

static void
fill_both (enum gt_arithmetic arithmetic, unsigned kind, size_t stride,
           size_t other_stride)
{
  fill (&first, arithmetic, kind, n, stride);
  fill (&second, arithmetic, below (2) ? kind : below (N_KINDS + 1), n,
        other_stride);
}

/* -------------------------------------------------------------------- Tests */

TEST (every_length)
{
  seed = 1;
  for (n = 1; n <= GT_CUTOFF_CASCADES + 200; n += n < 70 ? 1 : 37)
    for (unsigned kind = 0; kind <= MIXED; kind++)
      for (int arithmetic = GT_F64; arithmetic <= GT_F32; arithmetic++)
        {
          fill_both ((enum gt_arithmetic) arithmetic, kind,
                     1 + below (2) * below (7), 1 + below (2) * below (7));
          check_isas ((enum gt_arithmetic) arithmetic);
        }
}

/* GSLTUNE_TEST_CASES of them, or a few thousand.  */
TEST (random_vectors)
{
  const char *text = getenv ("GSLTUNE_TEST_CASES");
  const long cases = text ? atol (text) : 5000;

  seed = 2;
  for (long i = 0; i < cases; i++)
    {
      const enum gt_arithmetic arithmetic = below (3) ? GT_F64 : GT_F32;

      n = 1 + below (below (8) ? 9 : below (8) ? 70
                     : below (8) ? GT_CUTOFF_CASCADES : LONGEST);
      fill_both (arithmetic, below (N_KINDS + 1), 1 + below (2) * below (7),
                 1 + below (2) * below (7));
      check_isas (arithmetic);
    }
}

/* Numbers of few digits, so that many results are ties or next to one; of many numbers by no
   more than a product that is zero as a double.  */
TEST (ties)
{
  seed = 3;
  for (unsigned i = 0; i < 6000; i++)
    {
      const int digits = 20 + (int) below (34), many = i % 6 == 0;

      n = many ? 112 + below (200) : 1 + below (12);
      fill_both (GT_F64, 0, 1, 1);
      for (size_t k = 0; k < n; k++)
        {
          const int64_t all = (int64_t) 1 << digits;

          put (&first, GT_F64, k,
               (double) (all - random_within (&seed, all / 64)));
          put (&second, GT_F64, k,
               many || below (3) ? 1 : (double) random_within (&seed, 1 << 27));
        }
      if (many && below (2))
        {
          put (&first, GT_F64, n / 2, 0x1p-600 * of_both_signs ());
          put (&second, GT_F64, n / 2, 0x1p-600);
        }
      check_isas (GT_F64);
    }
}

/* Spreads about means that are far larger: most digits cancel.  */
TEST (far_means)
{
  seed = 6;
  for (unsigned i = 0; i < 5000; i++)
    {
      const double mean = scaled ((int) below (60));

      n = 2 + below (30);
      fill_both (GT_F64, 0, 1, 1);
      for (size_t k = 0; k < n; k++)
        {
          put (&first, GT_F64, k, mean + of_both_signs ());
          put (&second, GT_F64, k, below (2) ? mean + of_both_signs () : mean);
        }
      check_isas (GT_F64);
    }
}

/* Errors that are lost one after another in the sum of errors: what S + C misses
   comes near to what the slack allows for.  */
TEST (the_slack_is_needed)
{
  seed = 4;
  for (unsigned i = 0; i < 5000; i++)
    {
      const size_t width = (size_t) 2 << below (3);
      const size_t lane = below ((unsigned) width);
      const double step = 0x1p-45, s = below (2) ? 1 : -1;
      size_t vectors;

      n = 32 + below (300);
      vectors = n / width;
      fill_both (GT_F64, 0, 1, 1);
      for (size_t k = 0; k < n; k++)
        {
          put (&first, GT_F64, k, 0);
          put (&second, GT_F64, k, 1);
        }
      put (&first, GT_F64, lane, 0x1p60);
      put (&first, GT_F64, width + lane, 64 * s);
      put (&first, GT_F64, 2 * width + lane,
           s * (64 + step * (1 + below ((unsigned) vectors))));
      for (size_t k = 3; k < vectors; k++)
        put (&first, GT_F64, k * width + lane,
             -s * step / 2 * (1 - 0x1p-30));
      check_isas (GT_F64);
    }
}

/* Ordinary data do not need an accumulator, but for quotients and roots that are
   ties, and correlations of 0.  */
TEST (ordinary_data_are_told)
{
  seed = 5;
  told = asked = 0;
  for (unsigned i = 0; i < 4000; i++)
    {
      const enum gt_arithmetic arithmetic = i % 2 ? GT_F64 : GT_F32;

      n = 2 + below (below (2) ? 20 : GT_CUTOFF_CASCADES - 1);
      fill (&first, arithmetic, below (3), n, 1); /* up to moderate */
      fill (&second, arithmetic, below (3), n, 1);
      check_isas (arithmetic);
    }
  if (told < asked - asked / 400)
    fail_msg ("%lu of %lu", told, asked);
}

/* Whether a statistic of degree 1 in each of its inputs is told of copies.  */
static int
is_copied (int inputs)
{
  const struct gt_homogeneous kind = {{1, inputs - 1}, inputs, 0, {0, 0}};
  struct gt_moderate moderate;
  struct gt_sample sample;
  int copied;

  gt_sample_init (&sample, GT_F64, (struct gt_operand) {first.data, first.stride},
                  (struct gt_operand) {second.data, second.stride}, n);
  copied = gt_is_far (&sample, inputs == 2)
           && gt_moderate_begin (&sample, &kind, &moderate);
  if (copied)
    gt_moderate_end (&moderate);
  return copied;
}

/* Products that over- or underflow, all or some of them, and results that do.  */
TEST (huge_and_tiny_products_are_told)
{
  static const double sizes[][2]
    = {{0x1p-500, 0x1p-500}, {0x1p-1000, 0x1p-70}, {0x1p1000, 0x1p3}, {0x1p1010, 0x1p-3},
       {0x1p-1030, 1}, {0x1p-1010, 0x1p-9}};
  unsigned missed = 0, far = 0;

  seed = 7;
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (unsigned i = 0; i < 6000; i++)
    {
      const int all = i % 12 < 6;
      gsl_vector x, y;
      double dot;

      n = 2 + below (i % 50 ? 250 : 2500);
      fill_both (GT_F64, 0, 1 + below (2), 1 + below (3));
      for (size_t k = 0; k < n; k++)
        {
          const int plain = !all && below (3);

          put (&first, GT_F64, k, of_both_signs () * (plain ? 1 : sizes[i % 6][0]));
          put (&second, GT_F64, k, of_both_signs () * (plain ? 1 : sizes[i % 6][1]));
        }
      assert_true (add_up ());
      x = (gsl_vector) {n, first.stride, first.data, NULL, 0};
      y = (gsl_vector) {n, second.stride, second.data, NULL, 0};
      gsltune_blas_ddot (&x, &y, &dot);
      check_told (DOT, "double", 0, dot, expected (DOT));
      check_told (NORM, "double", 0, gsltune_blas_dnrm2 (&x), expected (NORM));
      if (all && i % 6 != 3)
        {
          far++;
          missed += !is_copied (2) || !is_copied (1);
        }
    }
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  if (missed > far / 50)
    fail_msg ("%u of %u", missed, far);
}

/* ------------------------------------------------------------ Several sums */

/* The kind of y, and the sums of each row.  */
enum { ONES, SIZES, SIGNED, ABOUT, PAIRS, WEIGHTS, WEIGHTS_SIGNED, WEIGHTS_ABOVE,
       WEIGHTS_ABOUT };
#define SUM(sum) (1u << GT_SUM_OF_##sum)
static const struct
{
  const char *name;
  int form;
  unsigned which;
} rows[] = {
#define SEVERAL(id, name, form, which) [GT_SEVERAL_##id] = {#name, form, which},
#include "kernels/cpu/short/exact_several.def"
};
#define N_ROWS (sizeof rows / sizeof *rows)

static const int powers[GT_N_SUMS_OF][2] = {
  [GT_SUM_OF_X] = {0, 1}, [GT_SUM_OF_Y] = {1, 0}, [GT_SUM_OF_XX] = {0, 2},
  [GT_SUM_OF_YY] = {2, 0}, [GT_SUM_OF_XY] = {1, 1}, [GT_SUM_OF_YXX] = {1, 2},
  [GT_SUM_OF_CUBES] = {1, 3}, [GT_SUM_OF_FOURTHS] = {1, 4}, [GT_SUM_OF_SIGNS] = {1, 0}
};

static double
second_of (int form, unsigned k, double x, double y, double about)
{
  const double size = form < PAIRS ? 1 : form == PAIRS || y > 0 ? y : 0;
  const int one_side = form == SIGNED || form == WEIGHTS_SIGNED || form == WEIGHTS_ABOVE;

  if (!one_side || x >= about || (form == WEIGHTS_SIGNED && k == GT_SUM_OF_Y))
    return size;
  return form == WEIGHTS_ABOVE ? 0 : -size;
}

/* The sum of Y^P X^Q, X being less ABOUT where it is said so, and whether all in it are
   numbers.  */
static int
add_powers (mpfr_t sum, mpfr_t term, unsigned row, unsigned k, double about)
{
  mpfr_t left;

  mpfr_init2 (left, 2200);
  mpfr_set_zero (sum, 1);
  for (size_t i = 0; i < n; i++)
    {
      const int form = rows[row].form;
      const double x = form == SIZES ? fabs (first.number[i]) : first.number[i];
      const double y = second_of (form, k, x, second.number[i], about);

      mpfr_set_d (left, x, MPFR_RNDN);
      if (form == ABOUT || form == WEIGHTS_ABOUT)
        mpfr_sub_d (left, left, about, MPFR_RNDN);
      mpfr_set_d (term, 1, MPFR_RNDN);
      for (int p = 0; p < powers[k][0]; p++)
        mpfr_mul_d (term, term, y, MPFR_RNDN);
      for (int q = 0; q < powers[k][1]; q++)
        mpfr_mul (term, term, left, MPFR_RNDN);
      mpfr_add (sum, sum, term, MPFR_RNDN);
    }
  mpfr_clear (left);
  return mpfr_number_p (sum);
}

static void
check_bound (unsigned row, unsigned k, int isa, struct gt_ball is, mpfr_t sum, mpfr_t off)
{
  mpfr_sub_d (off, sum, is.h, MPFR_RNDN);
  mpfr_sub_d (off, off, is.l, MPFR_RNDN);
  if (mpfr_cmpabs (off, (mpfr_set_d (big, is.radius, MPFR_RNDN), big)) > 0)
    fail_msg ("sum %u of %s by %s: off by %a, not %a: n = %zu (seed %ju)", k, rows[row].name,
              gt_isa_names[isa], mpfr_get_d (off, MPFR_RNDA), is.radius, n, (uintmax_t) seed);
}

/* The results that each instruction set tells of a row.  Returns how many do.  */
static unsigned
check_row (unsigned row, double about, mpfr_t sum, mpfr_t term)
{
  struct gt_ball of[GT_N_ISAS][GT_N_SUMS_OF];
  int tells[GT_N_ISAS];
  unsigned any = 0;

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    any += tells[isa] = gt_isa_runs ((enum gt_isa) isa)
                        && gt_short_isas[isa]->several ((enum gt_several) row, first.data,
                                                        second.data, n, about, of[isa]);
  for (unsigned k = 0; k < GT_N_SUMS_OF && any; k++)
    if (rows[row].which >> k & 1)
      {
        if (!add_powers (sum, term, row, k, about))
          fail_msg ("%s is told of what is not finite (seed %ju)", rows[row].name,
                    (uintmax_t) seed);
        for (int isa = 0; isa < GT_N_ISAS; isa++)
          if (tells[isa])
            check_bound (row, k, isa, of[isa][k], sum, term);
      }
  return any;
}

/* Elements that are far larger than others, and gone again in the same lane some vectors
   later: sums leave their binades and come back.  Weights that are tiny, beside data that are
   large.  */
static void
put_spikes (void)
{
  const int exponent = (int) below (below (4) ? 12 : 300), tiny = below (8) == 0;
  const size_t at = below ((unsigned) n - 80), back = at + 16 * (1 + below (4));
  const double spike = scaled (exponent);

  put (&first, GT_F64, at, spike);
  put (&first, GT_F64, back, -spike);
  if (tiny)
    put (&second, GT_F64, at, subnormal ());
  put (&second, GT_F64, back, second.number[at]);
}

TEST (several_sums_are_within_their_bounds)
{
  unsigned tells = 0, all = 0;
  mpfr_t sum, term;

  mpfr_init2 (sum, 11000);
  mpfr_init2 (term, 11000);
  seed = 8;
  for (unsigned i = 0; i < 60; i++)
    {
      const unsigned kind = below (i % 3 == 2 ? 2 : i % 3 ? 3 : N_KINDS + 1);

      n = 112 + below (150);
      fill (&first, GT_F64, kind, n, 1);
      fill (&second, GT_F64, i % 2 ? below (2) : kind, n, 1);
      if (i % 3 == 1)
        put_spikes ();
      for (unsigned row = 0; row < N_ROWS; row++)
        {
          const unsigned told_of = check_row (row, below (2) ? 0.25 : first.number[3], sum, term);

          tells += i % 3 == 2 && told_of;
          all += i % 3 == 2;
        }
    }
  mpfr_clears (sum, term, (mpfr_ptr) NULL);
#if HAVE_X86_ISAS
  if (gt_isa_runs (GT_ISA_AVX2) && tells < all - all / 20)
    fail_msg ("%u of %u are told", tells, all);
#endif
}

/* One element is most of all sums, wherever it is: of what a few elements let guess there is too
   little room, and all are asked.  */
TEST (one_large_element_is_told)
{
  mpfr_t sum, term;
  double of;

  mpfr_init2 (sum, 11000);
  mpfr_init2 (term, 11000);
  seed = 11;
  for (n = GT_CUTOFF_CASCADES + 1; n < GT_CUTOFF_CASCADES + 20; n++)
    {
      const size_t at = n % 2 ? n - 1 : 5 + below ((unsigned) n - 100);

      fill (&first, GT_F64, 0, n, 1);
      fill (&second, GT_F64, 0, n, 1);
      put (&first, GT_F64, at, 0x1p20);
      mpfr_set_zero (sum, 1);
      for (size_t i = 0; i < n; i++)
        mpfr_add_d (sum, sum, first.number[i], MPFR_RNDN);
      for (int isa = 0; isa < GT_N_ISAS; isa++)
        if (gt_isa_runs ((enum gt_isa) isa)
            && (!gt_short_isas[isa]->sum_f64 (first.data, n, 1, &of) || of != mpfr_get_d (sum, MPFR_RNDN)))
          fail_msg ("%a by %s, n = %zu", of, gt_isa_names[isa], n);
#if HAVE_X86_ISAS
      if (gt_isa_runs (GT_ISA_AVX2) && !check_row (GT_SEVERAL_OF_ONE, 0, sum, term))
        fail_msg ("no sums of squares, n = %zu", n);
#endif
    }
  mpfr_clears (sum, term, (mpfr_ptr) NULL);
}

/* Elements next to a number, in turn below and above it, but for those by which sums are
   guessed, and their counterparts in the same lane: sums with signs go far beyond what is
   guessed, and come back.  */
TEST (sums_with_signs_come_back)
{
  enum { STEP = 30, GUESSES = 8, WIDEST = 8, TURN = 32 };
  mpfr_t sum, term;

  mpfr_init2 (sum, 11000);
  mpfr_init2 (term, 11000);
  n = STEP * (GUESSES - 1) + WIDEST;
  fill (&second, GT_F64, 0, n, 1);
  for (size_t i = 0; i < n; i++)
    {
      const size_t other = i ^ TURN;
      const int small = i % STEP < WIDEST || other % STEP < WIDEST || other >= n;

      put (&first, GT_F64, i,
           small ? of_both_signs () * 0x1p-45 : 1 + (i & TURN ? 0x1p-50 : -0x1p-50));
      put (&second, GT_F64, i, 1);
    }
  for (unsigned row = 0; row < N_ROWS; row++)
    check_row (row, 1, sum, term);
  mpfr_clears (sum, term, (mpfr_ptr) NULL);
}

RUN_TESTS (set_up_sums, tear_down_sums)
