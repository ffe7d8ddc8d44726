/* Tests of verifying several sums at once (tuning/measure/verify.c,
   sums_data.c): what is right passes, and a kernel that is wrong anywhere where such
   kernels go wrong is caught.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/cpu/sums/sums.h"
#include "kernels/cpu/wide/two_sum.h"
#include "tests/fake_target.h"
#include "tests/sums.h"
#include "tuning/measure/data.h"

#define N 3001

/* -------------------------------------------------------------- The oracle */

static union gt_value
one_by_one (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
            enum gt_mode mode, const void *x, const void *y, uint64_t n)
{
  struct gt_task task
    = gt_task_of_pair (reduction, arithmetic, mode, (struct gt_operand) {x, 1},
                       (struct gt_operand) {y, 1}, n);

  task.scale = 1;
  return gt_sums_one_by_one (&task);
}

/* Products that over- and underflow are neither lost nor infinite.  */
TEST (products_of_all_sizes)
{
  static const double x[] = {DBL_MAX, 0x1p-1074, 3, -DBL_MAX, 0x1p-1022};
  static const double y[] = {DBL_MAX, 0x1p-1074, 1, DBL_MAX, 0x1.8p-1000};
  const struct gt_problem p
    = {GT_DOT, GT_F64, GT_MODE_EXACT, GT_CONTIGUOUS, 0};
  struct gt_product_accumulator acc;
  union gt_value value;

  value = one_by_one (GT_DOT, GT_F64, GT_MODE_EXACT, x, y, 5);
  acc = value.exact.product;
  gt_product_normalise (&acc);
  /* 2^-2148 is bit 14 of the first word; 3 lies above 2^-2162 by 2162 bits; and
     1.5 2^-2022 by 139 and 140.  */
  for (int i = 0; i < GT_PRODUCT_WORDS; i++)
    assert_true (acc.word[i] == (i == 0   ? 1 << 14
                                 : i == 4 ? (int64_t) 3 << 11
                                 : i == 67 ? (int64_t) 3 << 18 : 0));
  assert_true (gt_value_sum (&p, &value, 0) == 3);
}

TEST (integers_do_not_wrap)
{
  static const int64_t x[] = {INT64_MIN, INT64_MIN, INT64_MIN, -1};
  static const int64_t y[] = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MAX};
  static const uint64_t u[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
  union gt_value value
    = one_by_one (GT_COMOMENTS, GT_I64, GT_MODE_FAST, x, y, 4);

  /* -3 2^63 - 1; 3 2^126 - 2^63 + 1 */
  assert_true (value.integers.plain[0][0] == ((uint64_t) 1 << 63) - 1);
  assert_true (value.integers.plain[0][1] == (uint64_t) -2);
  assert_true (value.integers.product[0] == ((uint64_t) 1 << 63) + 1);
  assert_true (value.integers.product[1] == ((uint64_t) 3 << 62) - 1);
  assert_true (value.integers.product[2] == 0);
  value = one_by_one (GT_COMOMENTS, GT_I64, GT_MODE_FAST, x + 3, y + 3, 1);
  assert_true (value.integers.product[2] == UINT64_MAX);
  /* 3 (2^64 - 1)^2 = 3 2^128 - 6 2^64 + 3 */
  value = one_by_one (GT_MOMENTS, GT_U64, GT_MODE_FAST, u, NULL, 3);
  assert_true (value.integers.product[0] == 3);
  assert_true (value.integers.product[1] == (uint64_t) -6);
  assert_true (value.integers.product[2] == 2);
  assert_true (value.integers.plain[0][1] == 2);
  assert_true (value.integers.plain[1][0] == 0);
}

/* By hand: weights that are none do not count, whatever stands beside them.  */
TEST (terms_are_those_of_the_table)
{
  static const double w[] = {2, 0, -1, NAN, 0.5};
  static const double v[] = {3, NAN, 7, 7, -4};
  static const struct
  {
    enum gt_reduction reduction;
    double sums[GT_MOST_SUMS];
  } of[] = {{GT_WSUM, {2.5, 4}},
            {GT_WMOMENTS, {2.5, 4.25, 2 * 4 + 0.5 * 25}},
            {GT_WABSDEV, {2.5, 2 * 2 + 0.5 * 5}},
            {GT_WSKEW, {2.5, 2 * 1 + 0.5 * -15.625}},
            {GT_WKURTOSIS, {2.5, 2 * 1 + 0.5 * 39.0625}}};
  struct gt_task task;

  for (size_t i = 0; i < N_OF (of); i++)
    for (int mode = 0; mode < GT_N_MODES; mode++)
      {
        union gt_value value;

        if (mode == GT_MODE_EXACT)
          continue;
        task = gt_task_of_pair (of[i].reduction, GT_F64, (enum gt_mode) mode,
                                (struct gt_operand) {w, 1},
                                (struct gt_operand) {v, 1}, N_OF (w));
        task.shift[0] = 1;
        task.scale = 0.5;
        value = gt_sums_one_by_one (&task);
        for (unsigned k = 0; k < gt_reductions[of[i].reduction].plain; k++)
          assert_true (gt_value_sum (&task.problem, &value, k)
                       == of[i].sums[k]);
      }
  task = gt_task_of_pair (GT_CORRELATION, GT_F64, GT_MODE_FAST,
                          (struct gt_operand) {v, 4},
                          (struct gt_operand) {w, 4}, 2);
  task.shift[0] = 1;
  task.shift[1] = 4;
  for (unsigned k = 0; k < 5; k++)
    {
      static const double sums[] = {-3, -5.5, 13.5, 29, 16.25};
      union gt_value value = gt_sums_one_by_one (&task);

      assert_true (gt_value_sum (&task.problem, &value, k) == sums[k]);
    }
}

/* The sums told of the repeated pattern are those of its elements.  */
TEST (rounds_are_multiplied)
{
  static const enum gt_reduction some[]
    = {GT_DOT, GT_COMOMENTS, GT_LAG1, GT_SUMSQ, GT_KURTOSIS};
  static const enum gt_arithmetic types[] = {GT_F64, GT_I64};
  const size_t room = 420000;

  for (size_t i = 0; i < N_OF (some) * N_OF (types) * GT_N_MODES; i++)
    {
      const enum gt_reduction r = some[i / GT_N_MODES / N_OF (types)];
      const enum gt_arithmetic a = types[i / GT_N_MODES % N_OF (types)];
      const enum gt_mode mode = (enum gt_mode) (i % GT_N_MODES);
      const struct gt_problem p = {r, a, mode, GT_STRIDED, 209000};
      struct gt_task task;
      struct gt_data data;
      union gt_value is, expected;
      char *x;

      if (!gt_reduction_has (r, a) || gt_mode_for (r, a, mode) != mode)
        continue;
      assert_int_equal (gt_data_init (&data, a, gt_data_kind_for (&p)), 0);
      x = malloc (room * data.size);
      assert_non_null (x);
      gt_data_fill (&data, x, room * data.size);
      task = gt_problem_task (&p, x + 3 * data.size);
      if (gt_inputs (&p) == 2)
        task.y = (struct gt_operand) {x + 7 * data.size, 1};
      is = gt_data_sums (&data, x, &task);
      expected = gt_sums_one_by_one (&task);
      assert_true (gt_sums_equal (&p, &is, &expected));
      free (x);
      gt_data_clear (&data);
    }
}

/* --------------------------------------------------------------- Verifying */

enum fault
{
  NO_FAULT,
  NOTHING,            /* is written */
  FIRST_FORGOTTEN,
  LAST_FORGOTTEN,
  BLOCK_FORGOTTEN,    /* the first element of the second */
  SECOND_IS_FIRST,    /* vector */
  SECOND_REALIGNED,   /* its address rounded to 16 bytes */
  STRIDE_OF_FIRST,    /* for the second, too */
  SHIFT_FORGOTTEN,
  SCALE_FORGOTTEN,
  NO_WEIGHT_COUNTS,   /* times 0 */
  UNCOMPENSATED,
  PRODUCTS_ROUNDED,
  ROUNDED,            /* too early */
  FLAGS_LOST,
  WRAPPED,            /* at 64 bits */
  UNUSED_LEFT,        /* as they were */
  N_FAULTS
};

enum
{
  SHIFTED = 1, /* sums less shifts, or terms of differences */
  SCALED = 2,
  WEIGHTED = 4,
  TWO = 8
};

static int
properties (const struct gt_problem *p)
{
  const enum gt_reduction r = p->reduction;
  int properties = gt_inputs (p) == 2 ? TWO : 0;

  if (r >= GT_WSUM)
    properties |= WEIGHTED;
  if (r == GT_SKEW || r == GT_KURTOSIS || r == GT_WSKEW || r == GT_WKURTOSIS)
    properties |= SCALED;
  if (gt_reductions[r].algebra == GT_ALGEBRA_TERMS
        ? r != GT_WSUM
        : p->mode != GT_MODE_EXACT && !gt_sums_are_integers (p)
            && (r == GT_MOMENTS || r == GT_COMOMENTS))
    properties |= SHIFTED;
  return properties;
}

/* Even powers do not.  */
static int
cancels (enum gt_reduction r)
{
  static const enum gt_reduction odd[]
    = {GT_DOT, GT_TOTAL, GT_MOMENTS, GT_COMOMENTS, GT_CORRELATION, GT_LAG1,
       GT_SKEW, GT_WSUM, GT_WSKEW};

  for (size_t i = 0; i < N_OF (odd); i++)
    if (odd[i] == r)
      return 1;
  return 0;
}

/* Whether a kernel of P can have FAULT where verifying can see it.  */
static int
applies (enum fault fault, const struct gt_problem *p)
{
  const int integers = gt_sums_are_integers (p);
  const int exact = p->mode == GT_MODE_EXACT;
  const int real = gt_arithmetics[p->arithmetic].real;
  const int has = properties (p);

  switch (fault)
    {
    case SECOND_IS_FIRST:
    case SECOND_REALIGNED:
      return has & TWO && (fault == SECOND_IS_FIRST
                           || gt_arithmetics[p->arithmetic].size < 16);
    case STRIDE_OF_FIRST:
      return has & TWO && p->layout == GT_STRIDED;
    case SHIFT_FORGOTTEN:
      return has & SHIFTED;
    case SCALE_FORGOTTEN:
      return has & SCALED;
    case NO_WEIGHT_COUNTS:
      return has & WEIGHTED && p->arithmetic == GT_F64;
    case UNCOMPENSATED:
      return p->mode == GT_MODE_COMPENSATED && real
             && cancels (p->reduction);
    case PRODUCTS_ROUNDED: /* those of floats are exact */
      return p->mode == GT_MODE_COMPENSATED
             && p->arithmetic != GT_F32
             && (p->reduction == GT_DOT || p->reduction == GT_COMOMENTS);
    case ROUNDED:
      return exact && real;
    case FLAGS_LOST:
      return exact && real;
    case WRAPPED:
      return integers && p->reduction != GT_TOTAL
             && gt_arithmetics[p->arithmetic].size == 8;
    case UNUSED_LEFT:
      return integers && gt_reductions[p->reduction].plain < 2;
    default:
      return 1;
    }
}

/* Adds the task's elements one after the other, in doubles, COMPENSATED or not.  */
static void
add_doubles (const struct gt_task *task, enum fault fault, int compensated,
             union gt_value *value)
{
  const struct gt_reduction_info *info
    = &gt_reductions[task->problem.reduction];
  struct gt_sums sums = {{0}, {0}};

  for (uint64_t i = 0; i < task->problem.n; i++)
    {
      const struct gt_task part = gt_task_part (task, i, 1);
      const union gt_value one = gt_sums_one_by_one (&part);

      for (unsigned k = 0; k < info->plain + info->products; k++)
        {
          double term = gt_value_sum (&task->problem, &one, k);

          if (fault == NO_WEIGHT_COUNTS && term == 0 && k)
            term = 0 * *(const double *) part.y.data;
          if (compensated)
            GT_TWO_SUM (double, sums.s[k], sums.c[k], term);
          else
            sums.s[k] += term;
        }
    }
  for (unsigned k = 0; k < info->plain + info->products; k++)
    if (task->problem.arithmetic == GT_LDBL)
      {
        value->long_sums.s[k] = sums.s[k];
        value->long_sums.c[k] = sums.c[k];
      }
    else
      {
        value->sums.s[k] = sums.s[k];
        value->sums.c[k] = sums.c[k];
      }
}

/* The same in accumulators, for what has no weight.  */
static void
spoil_by_weights (const struct gt_task *task, union gt_value *value)
{
  if (task->problem.mode != GT_MODE_EXACT)
    add_doubles (task, NO_WEIGHT_COUNTS, 1, value);
  else if (task->problem.n > 600)
    value->exact.plain[1].flags |= GT_SUPER_NAN;
}

/* Makes VALUE, which is right, wrong.  */
static void
spoil_value (const struct gt_task *task, enum fault fault,
             union gt_value *value)
{
  const struct gt_problem *p = &task->problem;
  const struct gt_reduction_info *info = &gt_reductions[p->reduction];
  struct gt_superaccumulator acc;
  double sum;

  switch (fault)
    {
    case NO_WEIGHT_COUNTS:
      spoil_by_weights (task, value);
      break;
    case UNCOMPENSATED:
    case PRODUCTS_ROUNDED:
      if (task->problem.n > 600)
        add_doubles (task, fault, fault == PRODUCTS_ROUNDED, value);
      break;
    case ROUNDED:
      sum = gt_value_sum (p, value, 0);
      gt_super_clear (&acc);
      gt_super_add (&acc, sum);
      if (info->plain)
        value->exact.plain[0] = acc;
      else
        {
          gt_product_clear (&value->exact.product);
          gt_product_merge_plain (&value->exact.product, &acc);
        }
      break;
    case FLAGS_LOST:
      for (unsigned k = 0; k < N_OF (value->exact.plain); k++)
        value->exact.plain[k].flags = 0;
      value->exact.product.flags = 0;
      break;
    case WRAPPED:
      value->integers.product[1] = value->integers.product[2] = 0;
      break;
    case UNUSED_LEFT:
      value->integers.plain[1][1] = 0xcb;
      break;
    default:
      break;
    }
}

/* The task as a kernel with a fault takes it.  */
static struct gt_task
spoilt_task (const struct gt_task *task, enum fault fault)
{
  const uint64_t n = task->problem.n;
  struct gt_task t = *task;

  switch (fault)
    {
    case FIRST_FORGOTTEN:
      return n > 1 ? gt_task_part (task, 1, n - 1) : t;
    case LAST_FORGOTTEN:
      t.problem.n -= n > 1;
      break;
    case SECOND_IS_FIRST:
      t.y = t.x;
      break;
    case SECOND_REALIGNED:
      t.y.data = (const void *) ((uintptr_t) t.y.data / 16 * 16);
      break;
    case STRIDE_OF_FIRST:
      t.y.stride = t.x.stride;
      break;
    case SHIFT_FORGOTTEN:
      t.shift[0] = t.shift[1] = 0;
      break;
    case SCALE_FORGOTTEN:
      t.scale = 1;
      break;
    default:
      break;
    }
  return t;
}

static void
compute (struct fake *fake, const struct gt_task *task, union gt_value *result)
{
  const enum fault fault = *(enum fault *) fake->context;
  const struct gt_task spoilt = spoilt_task (task, fault);

  if (fault == NOTHING)
    return;
  if (fault == BLOCK_FORGOTTEN && task->problem.n > 129)
    {
      const struct gt_task head = gt_task_part (task, 0, 128);
      const struct gt_task tail
        = gt_task_part (task, 129, task->problem.n - 129);
      const union gt_value rest = gt_sums_one_by_one (&tail);

      *result = gt_sums_one_by_one (&head);
      gt_value_merge (&task->problem, result, &rest);
      return;
    }
  *result = gt_sums_one_by_one (&spoilt);
  spoil_value (&spoilt, fault, result);
}

/* Returns what verifying says of a kernel of P with FAULT.  */
static int
verify (const struct gt_problem *p, enum fault fault, char why[256])
{
  struct gt_candidate c = {.kernel = sum_kernel ("simd"),
                           .config = {1, 128, 4, 2}};
  const size_t bytes = GT_AWKWARD_N * gt_arithmetics[p->arithmetic].size;
  char *hard = malloc (GT_HARD_N * gt_arithmetics[p->arithmetic].size);
  struct fake *fake = malloc (sizeof *fake);
  int status;

  assert_true (fake && hard);
  fake_open_kind (fake, p->arithmetic, bytes, gt_data_kind_for (p));
  fake->target.buffer = aligned_alloc (64, (bytes + 63) / 64 * 64);
  assert_non_null (fake->target.buffer);
  fake->target.hard = fake->target.hard_here = hard;
  gt_data_fill (&fake->target.data, fake->target.buffer, bytes);
  gt_data_hard (gt_part_arithmetic (p->arithmetic), hard);
  fake->by_test = compute;
  fake->context = &fault;
  fake->target.why[0] = '\0';
  status = gt_verify (&fake->target, &c, p, 1);
  memcpy (why, fake->target.why, sizeof fake->target.why);
  free (fake->target.buffer);
  free (hard);
  fake_close (fake);
  free (fake);
  return status;
}

/* The I-th problem of several sums at once, or 0 for one that there is not.  */
static int
problem_of (unsigned i, struct gt_problem *p)
{
  *p = (struct gt_problem) {(enum gt_reduction) (i % GT_N_REDUCTIONS), 0, 0, 0,
                            N};
  i /= GT_N_REDUCTIONS;
  p->arithmetic = (enum gt_arithmetic) (i % GT_N_ARITHMETICS);
  i /= GT_N_ARITHMETICS;
  p->mode = (enum gt_mode) (i % GT_N_MODES);
  p->layout = (enum gt_layout) (i / GT_N_MODES);
  return gt_reduction_sums (p->reduction)
         && gt_reduction_has (p->reduction, p->arithmetic)
         && gt_mode_for (p->reduction, p->arithmetic, p->mode) == p->mode;
}
#define N_PROBLEMS \
  (GT_N_REDUCTIONS * GT_N_ARITHMETICS * GT_N_MODES * GT_N_LAYOUTS)

TEST (right_kernels_pass)
{
  for (unsigned i = 0; i < N_PROBLEMS; i++)
    {
      struct gt_problem p;
      char why[256];

      if (problem_of (i, &p) && verify (&p, NO_FAULT, why))
        fail_msg ("%s of %s, %s, %s: %s", gt_reductions[p.reduction].name,
                  gt_arithmetics[p.arithmetic].name, gt_mode_names[p.mode],
                  gt_layout_names[p.layout], why);
    }
}

TEST (wrong_kernels_are_noticed)
{
  for (unsigned i = 0; i < N_PROBLEMS; i++)
    for (int fault = NO_FAULT + 1; fault < N_FAULTS; fault++)
      {
        struct gt_problem p;
        char why[256];

        if (!problem_of (i, &p) || !applies ((enum fault) fault, &p))
          continue;
        if (verify (&p, (enum fault) fault, why) == 0)
          fail_msg ("%s of %s, %s, %s: fault %d is not noticed",
                    gt_reductions[p.reduction].name,
                    gt_arithmetics[p.arithmetic].name, gt_mode_names[p.mode],
                    gt_layout_names[p.layout], fault);
        assert_ptr_equal (strstr (why, "wrong: "), why);
      }
}

/* A message tells where both vectors lie.  */
TEST (both_vectors_are_told)
{
  const struct gt_problem p
    = {GT_DOT, GT_F64, GT_MODE_FAST, GT_STRIDED, 1000};
  char why[256];

  assert_int_equal (verify (&p, LAST_FORGOTTEN, why), -1);
  assert_non_null (strstr (why, "n = 1000, stride 2, from element 0, and stride 2,"
                                " from element 2016: "));
}

/* From the first element to behind the last, of one vector and of two.  */
TEST (spans)
{
  struct gt_problem p = {GT_DOT, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1000};
  struct gt_task task;
  const char base[2 * 8192] = {0};

  assert_true (gt_problem_span (&p) == 8192 + 8000);
  task = gt_problem_task (&p, base);
  assert_ptr_equal (task.x.data, base);
  assert_ptr_equal (task.y.data, base + 8192);
  p.layout = GT_STRIDED;
  assert_true (gt_problem_span (&p) == 16128 + 15992);
  p.reduction = GT_SUMSQ;
  assert_true (gt_problem_span (&p) == 15992);
  assert_null (gt_problem_task (&p, base).y.data);
  p.layout = GT_CONTIGUOUS;
  assert_true (gt_problem_span (&p) == 8000);
  p.layout = GT_STRIDED;
  p.n = 0;
  assert_true (gt_problem_span (&p) == 0);
  p.reduction = GT_DOT;
  assert_true (gt_problem_span (&p) == 0);
}

RUN_TESTS (NULL, NULL)
