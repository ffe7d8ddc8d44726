/* Tests of dot products, norms and means by sums in two doubles (kernels/cpu/quick/direct.c): the
   results of every instruction set are those of GNU MP and MPFR, and ordinary data have
   results.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "kernels/cpu/quick/quick.h"
#include "src/gsltune.h"
#include "src/public/exact_sums.h"
#include "tests/exact_operands.h"
#include "tests/finish_oracle.h"

#define SHORTS 1024 /* elements, mostly */

static size_t n;
static unsigned long told, asked;

/* ---------------------------------------------------------------- Oracle */

enum quantity
{
  DOT,
  NORM,
  MEAN,
  N_QUANTITIES
};

static const char *const names[N_QUANTITIES]
  = {"dot", "norm", "mean"};

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
    default:
      return expected_mean (&sums);
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

/* The ball about the sum that QUANTITY is made of, and ALPHA.  */
static int
call (int isa, enum gt_arithmetic arithmetic, enum quantity what, float alpha,
      struct gt_ball *to)
{
  static const enum gt_reduction of[] = {[DOT] = GT_DOT, [NORM] = GT_SUMSQ, [MEAN] = GT_SUM};
  const struct gt_task task
    = gt_task_of_pair (of[what], arithmetic, GT_MODE_EXACT,
                       (struct gt_operand) {first.data, first.stride},
                       (struct gt_operand) {second.data, second.stride}, n);

  return gt_quick_isas[isa].direct (&task, (double) alpha, to);
}

/* Results that are floats: the norm, and the dot product with ALPHA, which is in P by
   now.  */
static void
check_floats (int isa, float alpha)
{
  struct gt_ball ball;
  float is = 0;

  asked += 2;
  if (call (isa, GT_F32, NORM, 0, &ball) && gt_exact_to_float (ball, 1, &is))
    check_told (NORM, "float", isa, (double) is,
                (double) expected_float (&sums, Q, 1));
  if (call (isa, GT_F32, DOT, alpha, &ball) && gt_exact_to_float (ball, 0, &is))
    check_told (DOT, "float", isa, (double) is,
                (double) expected_float (&sums, P, 0));
}

/* All functions of one vector, or two.  */
static void
check_isas (enum gt_arithmetic arithmetic)
{
  const int finite = add_up ();
  const float alpha = below (2) ? 0 : (float) of_both_signs ();

  for (unsigned what = 0; what < N_QUANTITIES; what++)
    {
      double should;

      if (!finite || (arithmetic == GT_F32 && what == NORM))
        continue;
      should = expected ((enum quantity) what);
      for (int isa = 0; isa < GT_N_ISAS; isa++)
        {
          struct gt_ball ball;
          double is;

          if (!gt_isa_runs ((enum gt_isa) isa))
            continue;
          asked++;
          if (call (isa, arithmetic, (enum quantity) what, 0, &ball)
              && gt_exact_to_double (ball, what == MEAN ? (double) n : 1, what == NORM, &is))
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
  for (n = 1; n <= SHORTS + 200; n += n < 70 ? 1 : 37)
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
                     : below (8) ? SHORTS : LONGEST);
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

/* Ordinary data do not need an accumulator, but for quotients and roots that are ties.  */
TEST (ordinary_data_are_told)
{
  seed = 5;
  told = asked = 0;
  for (unsigned i = 0; i < 4000; i++)
    {
      const enum gt_arithmetic arithmetic = i % 2 ? GT_F64 : GT_F32;

      n = 2 + below (below (2) ? 20 : SHORTS - 1);
      fill (&first, arithmetic, below (3), n, 1); /* up to moderate */
      fill (&second, arithmetic, below (3), n, 1);
      check_isas (arithmetic);
    }
  if (told < asked - asked / 400)
    fail_msg ("%lu of %lu", told, asked);
}

/* The error of a product of few numbers whose halves overflow is not left out.  */
TEST (one_product)
{
  const double x = ldexp (1 + 0x1p-30, 1000), y = ldexp (1 + 0x1p-24, -990);
  const struct gt_task task
    = gt_task_of_pair (GT_DOT, GT_F64, GT_MODE_EXACT, (struct gt_operand) {&x, 1},
                       (struct gt_operand) {&y, 1}, 1);
  struct gt_ball sum;

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    if (gt_isa_runs ((enum gt_isa) isa) && gt_quick_isas[isa].direct (&task, 0, &sum))
      assert_true (fabs (sum.l - 0x1p-44) <= sum.radius);
}

/* Products that over- or underflow, all or some of them, and results that do.  */
TEST (huge_and_tiny_products_are_told)
{
  static const double sizes[][2]
    = {{0x1p-500, 0x1p-500}, {0x1p-1000, 0x1p-70}, {0x1p1000, 0x1p3}, {0x1p1010, 0x1p-3},
       {0x1p-1030, 1}, {0x1p-1010, 0x1p-9}};

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
    }
  gsltune_set_mode (GSLTUNE_MODE_FAST);
}

RUN_TESTS (set_up_sums, tear_down_sums)
