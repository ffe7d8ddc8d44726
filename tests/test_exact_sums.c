/* Tests of several exact sums at once (kernels/cpu/exact/exact.c): for every
   instruction set the accumulators hold what adding products, elements and terms
   one by one gives, word by word, and GNU MPFR's products, too.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "kernels/catalog.h"
#include "src/cpu/backend_cpu.h"
#include "tests/accumulator_oracle.h"
#include "tests/exact_operands.h"
#include "tests/sums_oracle.h"

#define BITS 4300 /* of any sum of products */

/* Makes element I of V what the one before is, or the negative of it; of reals.  */
static void
repeat (struct operand *v, enum gt_arithmetic arithmetic, size_t i, int sign)
{
  v->number[i] = sign * v->number[i - 1];
  put_element (arithmetic, v->data, i * v->stride, v->number[i]);
}

/* Products that cancel, but for an odd one at the end.  */
static void
cancel (enum gt_arithmetic arithmetic, size_t n)
{
  for (size_t i = 1; i < n; i += 2)
    {
      repeat (&first, arithmetic, i, 1);
      repeat (&second, arithmetic, i, -1);
    }
}

/* -------------------------------------------------------------- Expected */

static struct gt_exact_sums expected;
static union gt_value value;

static void
check (const struct gt_task *task, const char *who)
{
  const struct gt_problem *p = &task->problem;

  if (oracle_differs (p->reduction, &value.exact, &expected) >= 0)
    fail_msg ("%s of %s by %s: n = %zu, %s, stride %zu, and %s, stride %zu "
              "(seed %ju)", gt_reductions[p->reduction].name,
              gt_arithmetics[p->arithmetic].name, who, (size_t) p->n,
              kind_name (first.kind), first.stride, kind_name (second.kind),
              second.stride, (uintmax_t) seed);
}

/* ------------------------------------------------------------- Computing */

static const struct gt_kernel *
kernel_of (enum gt_reduction reduction)
{
  return gt_catalog_find ("exact", reduction);
}

static struct gt_task
make_task (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
           unsigned kind, size_t n, size_t stride, size_t other_stride)
{
  struct gt_task task;

  fill (&first, arithmetic, kind, n, stride);
  fill (&second, arithmetic, below (2) ? kind : below (N_KINDS + 1), n,
        other_stride);
  if (arithmetic <= GT_F32 && below (8) == 0)
    cancel (arithmetic, n);
  task = gt_task_of_pair (reduction, arithmetic, GT_MODE_EXACT,
                          (struct gt_operand) {first.data, stride},
                          (struct gt_operand) {second.data, other_stride}, n);
  task.shift[0] = n ? first.number[below ((unsigned) n)] : 1;
  if (!isfinite (task.shift[0]) || below (4) == 0)
    task.shift[0] = 0.3;
  task.shift[1] = 0.1;
  task.scale = scaled ((int) below (20) - 10);
  oracle_sums (&task, &expected);
  return task;
}

static void
check_isas (const struct gt_task *task)
{
  const struct gt_kernel *kernel = kernel_of (task->problem.reduction);

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    if (gt_isa_runs ((enum gt_isa) isa))
      {
        memset (&value, 0xa5, sizeof value);
        kernel->find[isa](&task->problem, 1)(task, &value);
        check (task, gt_isa_names[isa]);
      }
}

static void
check_threads (const struct gt_task *task, unsigned threads)
{
  struct gt_plan plan = {
    .kernel = kernel_of (task->problem.reduction),
    .config = {.threads = threads, .unroll = 1}
  };

  plan.function
    = gt_kernel_function (plan.kernel, &task->problem, plan.config.unroll);
  memset (&value, 0xa5, sizeof value);
  gt_cpu_compute (&plan, task, &value);
  check (task, "threads");
}

static int
has_exact (enum gt_reduction reduction, enum gt_arithmetic arithmetic)
{
  const struct gt_problem problem = {reduction, arithmetic, GT_MODE_EXACT, GT_CONTIGUOUS, 0};

  return gt_reduction_sums (reduction) && gt_device_computes (GT_CPU, &problem);
}

/* A reduction of an arithmetic, of those that there are: reals mostly.  */
static enum gt_reduction
some_reduction (enum gt_arithmetic *arithmetic)
{
  for (;;)
    {
      const enum gt_reduction r = (enum gt_reduction) below (GT_N_REDUCTIONS);

      *arithmetic = (enum gt_arithmetic) (below (8) ? below (2)
                                                    : below (GT_FIRST_COMPLEX));
      if (has_exact (r, *arithmetic))
        return r;
    }
}

/* -------------------------------------------------------------------- Tests */

TEST (every_length)
{
  seed = 1;
  for (size_t n = 0; n <= 600; n++)
    for (unsigned kind = 0; kind <= MIXED; kind++)
      {
        enum gt_arithmetic arithmetic;
        const enum gt_reduction reduction = some_reduction (&arithmetic);
        const struct gt_task task
          = make_task (reduction, arithmetic, kind, n, 1 + below (2) * below (7),
                       1 + below (2) * below (7));

        check_isas (&task);
      }
}

TEST (every_reduction)
{
  seed = 2;
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (int a = 0; a < GT_FIRST_COMPLEX; a++)
      for (unsigned kind = 0;
           has_exact ((enum gt_reduction) r, (enum gt_arithmetic) a)
           && kind <= MIXED; kind++)
        {
          const struct gt_task task
            = make_task ((enum gt_reduction) r, (enum gt_arithmetic) a, kind,
                         1000 + below (LONGEST - 1000), 1, 1);

          check_isas (&task);
        }
}

/* GSLTUNE_TEST_CASES of them, or a few thousand.  */
TEST (random_vectors)
{
  const char *text = getenv ("GSLTUNE_TEST_CASES");
  const long cases = text ? atol (text) : 4000;

  seed = 3;
  for (long i = 0; i < cases; i++)
    {
      enum gt_arithmetic arithmetic;
      const enum gt_reduction reduction = some_reduction (&arithmetic);
      const size_t n = below (below (4) ? 40 : below (8) ? 700 : LONGEST);
      const struct gt_task task
        = make_task (reduction, arithmetic, below (N_KINDS + 1), n,
                     1 + below (2) * below (7), 1 + below (2) * below (7));

      check_isas (&task);
      if (i % 16 == 0)
        check_threads (&task, 1 + below (4));
    }
}

TEST (several_threads)
{
  seed = 4;
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (unsigned threads = 1;
         has_exact ((enum gt_reduction) r, GT_F64) && threads <= 4; threads++)
      {
        const struct gt_task task
          = make_task ((enum gt_reduction) r, GT_F64,
                       threads % 2 ? MIXED : below (N_KINDS), LONGEST,
                       1 + below (3), 1 + below (3));

        check_threads (&task, threads);
      }
}

/* Dot products of N times X and Y.  */
static void
check_constant (double x, double y, size_t n)
{
  struct gt_task task;

  fill (&first, GT_F64, 0, n, 1);
  fill (&second, GT_F64, 0, n, 1);
  for (size_t i = 0; i < n; i++)
    {
      put (&first, GT_F64, i, x);
      put (&second, GT_F64, i, y);
    }
  task = gt_task_of_pair (GT_DOT, GT_F64, GT_MODE_EXACT,
                          (struct gt_operand) {first.data, 1},
                          (struct gt_operand) {second.data, 1}, n);
  oracle_sums (&task, &expected);
  check_isas (&task);
}

/* Rounded products of one digit, with errors a hundred bits below, about where these
   are no doubles.  */
TEST (errors_vanish)
{
  seed = 6;
  for (int exponent = -1100; exponent < -900; exponent++)
    check_constant (ldexp (1 + 0x1p-52, -450),
                    ldexp (1 - 0x1p-52, exponent + 450), 1 + below (300));
}

/* Products of which level 0 leaves as much as it may to level 1, all of one sign, in
   the longest calls.  */
TEST (levels_fill)
{
  seed = 7;
  for (int bit = 36; bit < 52; bit++)
    for (int sign = -1; sign <= 1; sign += 2)
      check_constant (sign * (1 + ldexp (1, -bit) - 0x1p-52), 1, LONGEST);
}

/* The accumulator of products says what MPFR says.  */
TEST (as_mpfr_has_it)
{
  struct oracle oracle;

  seed = 5;
  mpfr_set_emin (-5000);
  oracle_init (&oracle, BITS);
  for (unsigned kind = 0; kinds[kind].number != special; kind++)
    for (unsigned i = 0; i < 20; i++)
      {
        const size_t n = 1 + below (400);
        const struct gt_task task
          = make_task (GT_DOT, GT_F64, kind, n, 1 + below (3), 1 + below (3));
        mpfr_t is, word;
        int inexact = 0;

        oracle_reset (&oracle);
        for (size_t k = 0; k < n; k++)
          {
            inexact = mpfr_set_d (oracle.term, first.number[k], MPFR_RNDN);
            inexact |= mpfr_mul_d (oracle.term, oracle.term, second.number[k],
                                   MPFR_RNDN);
            oracle_add_term (&oracle, inexact);
          }
        check_isas (&task);
        mpfr_inits2 (BITS, is, word, (mpfr_ptr) NULL);
        mpfr_set_zero (is, 1);
        for (int k = 0; k < GT_PRODUCT_WORDS; k++)
          {
            mpfr_set_si_2exp (word, value.exact.product.word[k],
                              32 * k + GT_PRODUCT_LOWEST, MPFR_RNDN);
            inexact |= mpfr_add (is, is, word, MPFR_RNDN);
          }
        assert_int_equal (inexact, 0);
        if (value.exact.product.flags == 0 && !mpfr_equal_p (is, oracle.sum))
          fail_msg ("dot of %s: n = %zu", kinds[kind].name, n);
        mpfr_clears (is, word, (mpfr_ptr) NULL);
      }
  oracle_clear (&oracle);
  mpfr_free_cache ();
}

RUN_TESTS (NULL, NULL)
