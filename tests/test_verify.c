/* Tests of tuning/measure/verify.c: a kernel that is wrong anywhere where kernels go
   wrong is caught.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>

#include "tests/unit.h"

#include "tests/fake_target.h"
#include "tests/sums.h"

#define ENOUGH ((size_t) 1 << 30)

static const struct gt_problem plain
  = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 20};
static const struct gt_problem strided
  = {GT_SUM, GT_F64, GT_MODE_FAST, GT_STRIDED, 1 << 20};
static const struct gt_problem exact
  = {GT_SUM, GT_F64, GT_MODE_EXACT, GT_CONTIGUOUS, 1 << 20};
static const struct gt_problem compensated
  = {GT_SUM, GT_F64, GT_MODE_COMPENSATED, GT_CONTIGUOUS, 1 << 20};

/* Adds to RESULT what KEEP of the elements at INDEX is, in doubles.  */
static void
add_element (struct fake *fake, const struct fake_sum *s, uint64_t index,
             double factor, union gt_value *result)
{
  union gt_value one = gt_data_sum (&fake->target.data,
                                  s->offset + index * s->stride, 1, 1);

  result->f64[0] += factor * one.f64[0];
}

/* --------------------------------------------------------- What is summed */

#define MOST_SUMS 32

struct record
{
  struct fake_sum sum[MOST_SUMS];
  unsigned n;
  unsigned wrong_at; /* the sum to spoil; MOST_SUMS: none */
};

static int
note (struct fake *fake, const struct fake_sum *s, union gt_value *result)
{
  struct record *record = fake->context;

  assert_true (record->n < MOST_SUMS);
  record->sum[record->n] = *s;
  if (record->n++ == record->wrong_at && s->cancelling)
    result->f64[0] = 0;
  else if (record->n - 1 == record->wrong_at && s->special)
    result->f64[0] = -result->f64[0];
  else if (record->n - 1 == record->wrong_at && s->n == 0)
    result->f64[0] = 1;
  else if (record->n - 1 == record->wrong_at)
    add_element (fake, s, s->n - 1, -1, result); /* the last one left out */
  return 0;
}

/* Verifies with the sum number WRONG_AT spoilt.  */
static int
verify (const struct gt_problem *problem, int awkward, unsigned wrong_at,
        struct record *record, char why[256])
{
  struct gt_candidate c = {.kernel = sum_kernel ("grid_stride"),
                           .config = {1, 128, 4, 2}};
  struct fake fake;
  int status;

  fake_open (&fake, problem->arithmetic, ENOUGH);
  memset (record, 0, sizeof *record);
  record->wrong_at = wrong_at;
  fake.context = record;
  fake.tamper = note;
  why[0] = '\0';
  status = gt_verify (&fake.target, &c, problem, awkward);
  memcpy (why, fake.target.why, sizeof fake.target.why);
  fake_close (&fake);
  return status;
}

static int
summed (const struct record *record, uint64_t n)
{
  for (unsigned i = 0; i < record->n; i++)
    if (record->sum[i].n == n)
      return 1;
  return 0;
}

TEST (awkward_lengths_are_summed)
{
  static const uint64_t lengths[] = {0, 1, 127, 128, 129, 2 * 512 + 3, 1 << 20};
  struct record record;
  unsigned misaligned = 0;
  char why[256];

  assert_int_equal (verify (&plain, 1, MOST_SUMS, &record, why), 0);
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
    assert_true (summed (&record, lengths[i]));
  for (unsigned i = 0; i < record.n; i++)
    {
      assert_int_equal (record.sum[i].stride, 1);
      misaligned += record.sum[i].offset % 2 != 0;
    }
  assert_true (misaligned > 0);

  assert_int_equal (verify (&strided, 1, MOST_SUMS, &record, why), 0);
  assert_int_equal (record.sum[0].stride, GT_TUNED_STRIDE);
  for (unsigned i = 1; i < record.n; i++)
    assert_true (record.sum[i].stride > 2);
}

TEST (once_verified_only_the_length_counts)
{
  struct record record;
  char why[256];

  assert_int_equal (verify (&plain, 0, MOST_SUMS, &record, why), 0);
  assert_int_equal (record.n, 1);
  assert_int_equal (record.sum[0].n, plain.n);
}

/* ------------------------------------------------------- What is noticed */

/* The cases of special numbers, a bit for each.  */
static unsigned
special_cases (const struct record *record)
{
  unsigned cases = 0;

  for (unsigned i = 0; i < record->n; i++)
    if (record->sum[i].special)
      cases |= 1u << (record->sum[i].special - 1);
  return cases;
}

/* Spoils every sum in turn: each must be noticed and named.  */
static void
check_each (const struct gt_problem *problem)
{
  struct record all, record;
  char why[256], place[128];

  assert_int_equal (verify (problem, 1, MOST_SUMS, &all, why), 0);
  assert_int_equal (special_cases (&all), problem->mode == GT_MODE_EXACT
                                            ? (1u << GT_N_SPECIALS) - 1 : 0);
  for (unsigned i = 0; i < all.n; i++)
    {
      const struct fake_sum *s = &all.sum[i];

      assert_int_equal (verify (problem, 1, i, &record, why), -1);
      assert_int_equal (record.n, i + 1); /* the first fault is enough */
      snprintf (place, sizeof place, "wrong: n = %ju, stride %ju, from element"
                " %ju: ", (uintmax_t) s->n, (uintmax_t) s->stride,
                (uintmax_t) s->offset);
      assert_non_null (strstr (why, s->special ? "special numbers"
                                    : s->cancelling ? "errors are not" : place));
    }
}

TEST (every_wrong_sum_is_noticed)
{
  check_each (&plain);
  check_each (&strided);
  check_each (&compensated);
  check_each (&exact);
}

/* The ways in which kernels are wrong, at every length.  */
static int
wrong_kernel (struct fake *fake, const struct fake_sum *s,
              union gt_value *result)
{
  const char *kind = fake->context;

  switch (*kind)
    {
    case 'f': /* the first element is left out when it is misaligned */
      if (s->offset % 2 && s->n)
        add_element (fake, s, 0, -1, result);
      break;
    case 't': /* the last one twice, in a vector of odd length */
      if (s->n % 2)
        add_element (fake, s, s->n - 1, 1, result);
      break;
    case 'b': /* one beyond the end of a full block */
      if (s->n && s->n % 128 == 0)
        add_element (fake, s, s->n, 1, result);
      break;
    case 's': /* the stride is taken for two */
      if (s->stride != 2)
        *result = gt_data_sum (&fake->target.data, s->offset, s->n, 2);
      break;
    case 'n': /* nothing is written for nothing */
      if (s->n == 0)
        memset (result, 0xcb, sizeof *result);
      break;
    case 'p': /* nothing is ever written */
      memset (result, 0xcb, sizeof *result);
      break;
    }
  return 0;
}

TEST (wrong_kernels_are_noticed)
{
  struct gt_candidate c = {.kernel = sum_kernel ("grid_stride"),
                           .config = {1, 128, 4, 2}};

  for (const char *kind = "ftbsnp"; *kind; kind++)
    {
      struct gt_problem p = *kind == 's' ? strided : plain;
      struct fake fake;

      fake_open (&fake, p.arithmetic, ENOUGH);
      fake.context = (void *) kind;
      fake.tamper = wrong_kernel;
      if (gt_verify (&fake.target, &c, &p, 1) == 0)
        fail_msg ("a kernel of kind %c passes", *kind);
      fake_close (&fake);
    }
}

/* A sum that drops the compensation is right on all data but one.  */
static int
forget_compensation (struct fake *fake, const struct fake_sum *s,
                     union gt_value *result)
{
  (void) fake;
  if (s->cancelling)
    memset (result, 0, sizeof *result);
  return 0;
}

TEST (compensation_is_checked)
{
  struct gt_candidate c = {.kernel = sum_kernel ("simd"),
                           .config = {1, 0, 4, 0}};

  for (int a = 0; a < GT_N_SIGNLESS; a++)
    {
      struct gt_problem p
        = {GT_SUM, (enum gt_arithmetic) a,
           gt_mode_for (GT_SUM, (enum gt_arithmetic) a, GT_MODE_COMPENSATED),
           GT_CONTIGUOUS, 100};
      struct fake fake;

      fake_open (&fake, p.arithmetic, ENOUGH);
      assert_int_equal (gt_verify (&fake.target, &c, &p, 1), 0);
      fake.tamper = forget_compensation;
      assert_int_equal (gt_verify (&fake.target, &c, &p, 1),
                        gt_arithmetics[a].real ? -1 : 0);
      fake_close (&fake);
    }
}

static int
fail_to_launch (struct fake *fake, const struct fake_sum *s,
                union gt_value *result)
{
  (void) s;
  (void) result;
  snprintf (fake->target.why, sizeof fake->target.why, "launching: no");
  return -1;
}

TEST (failures_and_short_data)
{
  struct gt_candidate c = {.kernel = sum_kernel ("simd"),
                           .config = {1, 0, 4, 0}};
  struct fake fake;

  fake_open (&fake, GT_F64, (size_t) 8 << 20);
  assert_int_equal (gt_verify (&fake.target, &c, &plain, 1), 0);
  fake.target.bytes--; /* nothing passes unverified */
  assert_int_equal (gt_verify (&fake.target, &c, &plain, 1), -1);
  assert_non_null (strstr (fake.target.why, "not verified: n = 1048576"));
  fake.target.bytes++;
  fake.tamper = fail_to_launch;
  assert_int_equal (gt_verify (&fake.target, &c, &plain, 1), -1);
  assert_string_equal (fake.target.why, "launching: no");
  fake_close (&fake);
}

/* Gaps count: a vector whose elements lie apart ends farther behind.  */
TEST (short_data_of_strided_vectors)
{
  struct gt_candidate c = {.kernel = sum_kernel ("simd"),
                           .config = {1, 0, 4, 0}};
  struct fake fake;

  fake_open (&fake, GT_F64, gt_problem_span (&strided));
  assert_int_equal (gt_verify (&fake.target, &c, &strided, 1), 0);
  fake.target.bytes--;
  assert_int_equal (gt_verify (&fake.target, &c, &strided, 1), -1);
  assert_string_equal (fake.target.why, "not verified: n = 1048576, stride 2 is more than"
                            " the test data");
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

/* The data that targets load is enough for the awkward lengths of every
   configuration that there is.  */
TEST (awkward_lengths_fit)
{
  struct gt_problem p = {GT_SUM, GT_F64, GT_MODE_FAST, GT_STRIDED, 10};

  for (unsigned block = 0; block <= 1024; block = block ? 2 * block : 32)
    for (unsigned unroll = 1; unroll <= 16; unroll *= 2)
      {
        struct gt_candidate c = {.kernel = sum_kernel ("grid_stride"),
                                 .config = {1, block, unroll, 2}};
        struct fake fake;

        fake_open (&fake, p.arithmetic, GT_AWKWARD_N * sizeof (double));
        assert_int_equal (gt_verify (&fake.target, &c, &p, 1), 0);
        fake_close (&fake);
      }
}

RUN_TESTS (NULL, NULL)
