/* Tests of tuning/measure/verify.c: every kernel of the CPU passes, and whatever is wrong,
   once, at any of the lengths, is caught.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "kernels/cpu/sums/sums.h"
#include "kernels/products.h"
#include "src/profile/profile_private.h"
#include "tests/fake_target.h"
#include "tests/sums.h"

#define NEVER (-1)
#define LENGTH 5000

/* The host, whose results are spoilt on the way.  */
static struct gt_target host;
static struct gt_target_ops ops;
static const struct gt_target_ops *real;
static struct
{
  char kind;
  int at; /* the result to spoil, of those from 0 on */
  int n;  /* results so far */
  uint64_t longest, strides, misaligned;
} spoilt;

static int
open_host (void **state)
{
  (void) state;
  gt_target_host (&host);
  real = host.ops;
  ops = *real;
  host.ops = &ops;
  return 0;
}

/* ----------------------------------------------------------------- Faults */

/* The next number of the type, or the one before.  */
static void
move_element (enum gt_arithmetic arithmetic, union gt_value *value)
{
  switch (gt_part_arithmetic (arithmetic))
    {
    case GT_F64:
      value->f64[0] = nextafter (value->f64[0], INFINITY);
      break;
    case GT_F32:
      value->f32[0] = nextafterf (value->f32[0], INFINITY);
      break;
    case GT_LDBL:
      value->ldbl[0] = nextafterl (value->ldbl[0], INFINITY);
      break;
    default:
      value->u8[0] ^= 1;
    }
}

/* One unit in the last place of the last sum; of exact ones, of the digits that are
   rounded away.  */
static void
move_sum (const struct gt_problem *p, union gt_value *value)
{
  const struct gt_reduction_info *info = &gt_reductions[p->reduction];
  const unsigned last = info->plain + info->products - 1;

  if (gt_sums_are_integers (p))
    *(info->products ? value->integers.product : value->integers.plain[0]) ^= 1;
  else if (p->mode == GT_MODE_EXACT)
    *(info->products
        ? &value->exact.product.word[(-110 - GT_PRODUCT_LOWEST) / 32]
        : &value->exact.plain[0].word[(-60 - GT_SUPER_LOWEST) / 32]) += 1;
  else
    value->sums.s[last] = nextafter (gt_value_sum (p, value, last), INFINITY);
}

static void
make_nan (const struct gt_problem *p, union gt_value *value)
{
  if (p->mode == GT_MODE_EXACT && gt_reduction_sums (p->reduction))
    *(gt_reductions[p->reduction].products ? &value->exact.product.flags
                                           : &value->exact.plain[0].flags)
      |= GT_SUPER_NAN;
  else if (p->arithmetic == GT_LDBL)
    value->ldbl[0] = NAN;
  else if (p->arithmetic == GT_F32 && !gt_reduction_sums (p->reduction))
    value->f32[0] = NAN;
  else
    value->f64[0] = NAN;
}

static void
spoil (const struct gt_problem *p, union gt_value *value)
{
  switch (spoilt.kind)
    {
    case 'u':
      if (gt_reduction_sums (p->reduction))
        move_sum (p, value);
      else
        move_element (p->arithmetic, value);
      break;
    case 'i':
      value->where.index[p->reduction == GT_MINMAX] ^= 1;
      break;
    case 'n':
      make_nan (p, value);
      break;
    case 'p': /* nothing is written */
      memset (value, 0xcb, sizeof *value);
      break;
    }
}

static int
compute (struct gt_target *target, const struct gt_candidate *candidate,
         const struct gt_task *task, union gt_value *value)
{
  const int wrong = spoilt.n++ == spoilt.at;
  struct gt_task other = *task;

  spoilt.strides |= task->x.stride;
  spoilt.longest
    = task->problem.n > spoilt.longest ? task->problem.n : spoilt.longest;
  spoilt.misaligned
    |= (uint64_t) ((const char *) task->x.data - target->buffer) % 16;
  if (wrong && spoilt.kind == 'l') /* the last element is left out */
    other.problem.n -= other.problem.n > 0;
  if (wrong && spoilt.kind == 'f')
    return gt_profile_fail (target->why, sizeof target->why, "launching: no");
  if (real->compute (target, candidate, &other, value))
    return -1;
  if (wrong)
    spoil (&task->problem, value);
  return 0;
}

static int
verify (const struct gt_kernel *kernel, const struct gt_problem *problem, int awkward,
        char kind, int at)
{
  const unsigned threads = kernel->tunables & GT_TUNE_THREADS ? 2 : 1;
  const struct gt_candidate c
    = {.kernel = kernel, .config = {threads, 0, gt_kernel_unroll (kernel, 2), 0}};

  if (gt_target_load (&host, problem, gt_problem_span (problem)))
    fail_msg ("%s", host.why);
  ops.compute = compute;
  memset (&spoilt, 0, sizeof spoilt);
  spoilt.kind = kind;
  spoilt.at = at;
  host.why[0] = '\0';
  return gt_verify (&host, &c, problem, awkward);
}

/* -------------------------------------------------------------- All kernels */

/* Calls TEST with each kernel of the CPU and each problem that it serves.  */
static void
for_each (void (*test) (const struct gt_kernel *, const struct gt_problem *))
{
  struct gt_problem p = {.n = LENGTH};
  unsigned r, a, m, l;

  for (const struct gt_kernel *k = gt_catalog; k < gt_catalog + gt_catalog_size; k++)
    for (r = 0; r < GT_N_REDUCTIONS; r++)
      for (a = 0; a < GT_N_ARITHMETICS; a++)
        for (m = 0; m < GT_N_MODES; m++)
          for (l = 0; l < GT_N_LAYOUTS; l++)
            {
              p.reduction = (enum gt_reduction) r;
              p.arithmetic = (enum gt_arithmetic) a;
              p.mode = (enum gt_mode) m;
              p.layout = (enum gt_layout) l;
              if (k->device == GT_CPU && gt_kernel_serves (k, &p)
                  && gt_mode_for (p.reduction, p.arithmetic, p.mode) == p.mode)
                test (k, &p);
            }
}

static void
fail_of (const struct gt_kernel *k, const struct gt_problem *p, const char *what)
{
  fail_msg ("%s of %s, %s, %s, layout %u: %s (%s)", k->name,
            gt_reductions[p->reduction].name, gt_arithmetics[p->arithmetic].name,
            gt_mode_names[p->mode], p->layout, what, host.why);
}

static void
passes (const struct gt_kernel *kernel, const struct gt_problem *problem)
{
  if (verify (kernel, problem, 1, ' ', NEVER))
    fail_of (kernel, problem, "refused");
}

TEST (every_kernel_of_the_cpu_passes)
{
  for_each (passes);
}

/* At the first length, the last and one between: each is noticed, and ends the
   comparison.  */
static void
is_refused (const struct gt_kernel *kernel, const struct gt_problem *problem)
{
  const int order = gt_reductions[problem->reduction].algebra == GT_ALGEBRA_ORDER;
  const char *kinds = order ? "uipn" : "ulpn";
  int n;

  verify (kernel, problem, 1, ' ', NEVER);
  n = spoilt.n;
  assert_true (n > 5);
  for (const char *kind = kinds; *kind; kind++)
    for (int at = 0; at < n; at += n / 2 - 1)
      {
        if ((*kind == 'n' && !gt_arithmetics[problem->arithmetic].real)
            || (*kind == 'l' && problem->reduction >= GT_WSUM)) /* it may weigh nothing */
          continue;
        if (verify (kernel, problem, 1, *kind, at) == 0)
          fail_of (kernel, problem, (const char[]) {*kind, '\0'});
        assert_int_equal (spoilt.n, at + 1);
        assert_ptr_equal (strstr (host.why, "wrong: n = "), host.why);
      }
}

TEST (whatever_is_wrong_is_refused)
{
  for_each (is_refused);
}

/* ------------------------------------------------------------------ Lengths */

static const struct gt_problem plain
  = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 20};
static const struct gt_problem strided
  = {GT_SUM, GT_F64, GT_MODE_FAST, GT_STRIDED, 1 << 20};

TEST (lengths_strides_and_alignments)
{
  const struct gt_kernel *kernel = sum_kernel ("simd");

  assert_int_equal (verify (kernel, &plain, 0, ' ', NEVER), 0);
  assert_int_equal (spoilt.n, 1);
  assert_int_equal (spoilt.longest, plain.n);
  assert_int_equal (verify (kernel, &plain, 1, ' ', NEVER), 0);
  assert_true (spoilt.n > 8 && spoilt.misaligned);
  assert_int_equal (spoilt.strides, 1);
  assert_int_equal (verify (kernel, &strided, 1, ' ', NEVER), 0);
  assert_int_equal (spoilt.strides, GT_TUNED_STRIDE | 3 | 7);
}

TEST (messages)
{
  const struct gt_kernel *kernel = sum_kernel ("simd");

  assert_int_equal (verify (kernel, &strided, 1, 'l', 0), -1);
  assert_ptr_equal (strstr (host.why, "wrong: n = 1048576, stride 2, from element 0: "),
                    host.why);
  assert_non_null (strstr (host.why, " instead of "));
  assert_int_equal (verify (kernel, &plain, 1, 'f', 3), -1);
  assert_string_equal (host.why, "launching: no");
}

/* Gaps count: a vector whose elements lie apart ends farther behind.  Nothing passes
   unverified.  */
TEST (short_data)
{
  const struct gt_candidate c
    = {.kernel = sum_kernel ("sequential"), .config = {1, 0, 1, 0}};

  assert_int_equal (verify (c.kernel, &strided, 0, ' ', NEVER), 0);
  host.readable = gt_problem_span (&strided);
  assert_int_equal (gt_verify (&host, &c, &strided, 0), 0);
  host.readable--;
  assert_int_equal (gt_verify (&host, &c, &strided, 0), -1);
  assert_string_equal (host.why, "not verified: n = 1048576, stride 2 is more than"
                                 " the test data");
  host.readable++;
}

/* The data that targets load is enough for the awkward lengths of every
   configuration that there is.  */
TEST (awkward_lengths_fit)
{
  struct gt_problem p = {GT_SUM, GT_F64, GT_MODE_FAST, GT_STRIDED, 10};
  struct fake fake;

  fake_open (&fake, p.arithmetic, GT_AWKWARD_N * sizeof (double));
  for (unsigned block = 0; block <= 1024; block = block ? 2 * block : 32)
    for (unsigned unroll = 1; unroll <= 16; unroll *= 2)
      {
        struct gt_candidate c = {.kernel = sum_kernel ("grid_stride"),
                                 .config = {1, block, unroll, 2}};

        assert_int_equal (gt_verify (&fake.target, &c, &p, 1), 0);
      }
  fake_close (&fake);
}

/* How far from SUM a result may lie of N magnitudes of floats, in halves of a unit
   (FLT_EPSILON / 2, relative to it): in whole ones, of which the outermost must be
   accepted and the next one not.  */
static void
check_magnitudes (enum gt_mode mode, uint64_t n, float sum, unsigned halves)
{
  const struct gt_problem p = {GT_ASUM, GT_F32, mode, GT_CONTIGUOUS, n};
  union gt_value result, expected;

  memset (&expected, 0, sizeof expected);
  memset (&result, 0, sizeof result);
  expected.f32[0] = sum;
  for (int sign = -1; sign <= 1; sign += 2)
    {
      result.f32[0] = sum * (1 + (float) sign * (float) halves * FLT_EPSILON / 2);
      assert_true (gt_verify_right (&p, &result, &expected));
      result.f32[0] = sum * (1 + (float) sign * (float) (halves + 2) * FLT_EPSILON
                                   / 2);
      assert_false (gt_verify_right (&p, &result, &expected));
    }
}

/* Sums of magnitudes may be wrong by what rounding makes of them, and no more; by
   nothing as long as a float holds them exactly.  */
TEST (magnitudes_may_be_rounded)
{
  check_magnitudes (GT_MODE_FAST, 1000, 0x1p30f, 1000);
  check_magnitudes (GT_MODE_FAST, 1 << 20, 0x1p40f, 1 << 20);
  check_magnitudes (GT_MODE_COMPENSATED, 1 << 20, 0x1p40f, 4);
  check_magnitudes (GT_MODE_FAST, 1 << 20, 0x1p24f - 1, 0);
  check_magnitudes (GT_MODE_COMPENSATED, 1 << 20, 0x1p24f - 1, 0);
}

static int
close_host (void **state)
{
  (void) state;
  gt_target_close (&host);
  return 0;
}

RUN_TESTS (open_host, close_host)
