/* Tests of the kernels on GPUs whose values are several sums at once: what every entry
   point delivers are the sums of what kernels/reductions.def says, of vectors that lie
   alike and of others.  On a device of tests/softgpu, and unchanged on the machine's
   own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "kernels/cpu/sums/sums.h"
#include "src/plan/plan.h"
#include "tests/gpu_subjects.h"
#include "tests/gpu_sums_data.h"
#include "tests/super.h"

FIXTURE (find_sums)
{
  if (open_gpu ())
    return -1;
  for (unsigned k = 0; k < gt_catalog_size; k++)
    for (int r = 0; r < GT_N_REDUCTIONS; r++)
      if (gt_reduction_sums ((enum gt_reduction) r)
          && !(gt_catalog[k].modes & 1u << GT_MODE_EXACT))
        add_kernel (&gt_catalog[k], (enum gt_reduction) r);
  return n_subjects ? 0 : -1;
}

/* --------------------------------------------------------------- Checking */

static void
fail_for (const struct subject *s, const struct gt_config *config,
          const struct data *d, unsigned k, double is, double should)
{
  fail_msg ("%s %s %s %s, block %u, %u blocks per SM, n = %zu, strides %zu"
            " %zu, from elements %zu %zu, data of kind %d: sum %u is %.17g instead of %.17g",
            gt_reductions[s->reduction].name, s->kernel->name,
            gt_arithmetics[s->arithmetic].name, gt_mode_names[s->mode],
            config->block, config->blocks_per_sm, d->n, d->stride[0],
            d->stride[1], d->offset[0], d->offset[1], (int) d->kind, k, is, should);
}

/* Whether sum K is as near to what it should be as it has to be.  */
static int
near (const struct data *d, const union gt_value *value,
      const struct expected *expected, unsigned k)
{
  const double should = expected->sum[k],
    is = gt_value_sum (&d->task.problem, value, k);
  struct gt_superaccumulator rest = expected->exact[k].sum;

  if (!isfinite (should) || !isfinite (is))
    return isnan (should) ? isnan (is) : is == should;
  super_add (&rest, -value->sums.s[k]);
  super_add (&rest, -value->sums.c[k]);
  return fabs (gt_finish_mean (&rest, 1).f64)
         <= tolerance (d, d->task.problem.mode, expected, k);
}

static union gt_value
compute (struct subject *s, const struct gt_config *config, struct data *d)
{
  const struct gt_plan plan = {.kernel = s->kernel, .config = *config};
  union gt_value value;

  d->task.problem.mode = s->mode;
  d->task.problem.layout = s->layout;
  memset (&value, 0xcb, sizeof value);
  assert_int_equal (gt_gpus->compute (gpu, &plan, &d->task, NULL, &value), 0);
  return value;
}

/* To the bit; tells the first sum that differs once it is rounded, or the last.  */
static void
check_integers (const struct subject *s, const struct gt_config *config,
                const struct data *d, const union gt_value *value)
{
  const struct gt_reduction_info *info = &gt_reductions[s->reduction];
  const struct gt_problem *problem = &d->task.problem;
  union gt_value right;

  oracle_integers (&d->host, &right.integers);
  if (memcmp (&value->integers, &right.integers, sizeof right.integers) == 0)
    return;
  for (unsigned k = 0; k < info->plain + info->products; k++)
    {
      const double is = gt_value_sum (problem, value, k),
        should = gt_value_sum (problem, &right, k);

      if (is != should || k + 1 == info->plain + info->products)
        fail_for (s, config, d, k, is, should);
    }
}

/* The second time nothing was poisoned: the ticket is back at zero.  */
static void
check_subject (struct subject *s, struct data *d, const struct expected *expected)
{
  const struct gt_config config = next_config (s);
  const struct gt_reduction_info *info = &gt_reductions[s->reduction];

  poison ();
  for (int round = 0; round < 2; round++)
    {
      const union gt_value value = compute (s, &config, d);
      const struct gt_problem *problem = &d->task.problem;

      if (gt_sums_are_integers (problem))
        {
          check_integers (s, &config, d, &value);
          continue;
        }
      for (unsigned k = 0; k < info->plain + info->products; k++)
        if (!near (d, &value, expected, k))
          fail_for (s, &config, d, k, gt_value_sum (problem, &value, k), expected->sum[k]);
    }
}

static int
is_weighted (enum gt_reduction reduction)
{
  return reduction >= GT_WSUM && reduction <= GT_WMOMENTS;
}

/* Hands D to every entry point that computes it.  */
static void
check_each (struct data *d, const struct expected *expected)
{
  const enum gt_layout layout = d->task.problem.layout;

  for (unsigned k = 0; k < n_subjects; k++)
    if (subjects[k].reduction == d->reduction && subjects[k].arithmetic == d->arithmetic
        && subjects[k].layout == layout)
      check_subject (&subjects[k], d, expected);
}

/* Makes D, checks what it sums to, and frees it.  */
static void
check_data (struct data *d)
{
  static struct expected expected;

  make_data (d, 31 * d->n + 1000 * d->reduction + d->offset[0]);
  expect (d, &expected);
  check_each (d, &expected);
  free_data (d);
}

/* The same shape of each reduction of each arithmetic.  */
static void
check_shape (enum data_kind kind, size_t n, size_t stride_x, size_t offset_x,
             size_t stride_y, size_t offset_y)
{
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (int a = 0; a < GT_FIRST_COMPLEX && gt_reduction_sums ((enum gt_reduction) r); a++)
      {
        const int weighted = is_weighted ((enum gt_reduction) r);
        struct data d = {.reduction = (enum gt_reduction) r,
                         .arithmetic = (enum gt_arithmetic) a,
                         .kind = kind,
                         .n = n,
                         .stride = {stride_x, stride_y},
                         .offset = {offset_x, offset_y}};

        if (weighted && kind == SMALL)
          d.kind = WEIGHTS;
        if (a == GT_LDBL || !gt_reduction_has (d.reduction, d.arithmetic))
          continue;
        check_data (&d);
      }
}

/* ------------------------------------------------------------------ Tests */

TEST (lengths)
{
  static const size_t some[] = {0, 1, 2, 3, 31, 33, 127, 513, 1000, 4099};

  for (size_t k = 0; k < N_OF (some); k++)
    check_shape (SMALL, some[k], 1, k % 3, 1, k % 3);
}

/* Contiguous vectors that lie alike, and others: elements of all sizes at all distances modulo
   16 bytes, where x begins a line of the cache and where it does not; fewer vectors of 16
   bytes than may become edges, and about as many as a small block loads at once.  */
TEST (alignments)
{
  for (size_t k = 0; k < 16; k++)
    {
      const size_t x = 3 * k % 16;

      check_shape (SMALL, 2 + 9 * k, 1, 0, 1, k);
      check_shape (SMALL, 248 + k, 1, 0, 1, k);
      check_shape (SMALL, 2040 + 11 * k, 1, x, 1, (x + k) % 16);
    }
}

TEST (strides)
{
  static const size_t some[][2] = {{1, 2}, {3, 1}, {2, 2}, {5, 17}};

  for (size_t k = 0; k < N_OF (some); k++)
    {
      check_shape (SMALL, 1 + 300 * k, some[k][0], k, some[k][1], 2 * k);
      check_shape (ANY, 100 + k, some[k][0], k, some[k][1], 2 * k);
    }
}

/* Rounding errors are made up for in compensated mode, and only there.  */
TEST (roundings)
{
  check_shape (ANY, 6000, 1, 0, 1, 0);
  check_shape (ANY, 1999, 1, 1, 1, 4);
}

TEST (integers_beyond_64_bits)
{
  check_shape (EXTREME, 2000, 1, 0, 1, 16);
  check_shape (EXTREME, 1001, 2, 0, 1, 0);
  check_shape (ANY, 777, 1, 3, 1, 0);
}

/* Many blocks; on a GPU many waves of them.  */
TEST (long_vectors)
{
  const size_t n = on_real_gpu () ? ((size_t) 1 << 21) + 3 : 20003;

  check_shape (SMALL, n, 1, 1, 1, 1);
  check_shape (SMALL, n / 2, 1, 0, 1, 1);
  check_shape (SMALL, n / 4, 3, 0, 2, 0);
}

/* A number that is none among small ones, in either input.  */
static void
check_not_finite (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
                  unsigned input, double special, double sum)
{
  struct data d = {.reduction = reduction,
                   .arithmetic = arithmetic,
                   .kind = SMALL,
                   .n = 1000,
                   .stride = {1, 1}};
  static struct expected expected;
  const size_t size = gt_element_size (arithmetic);

  make_data (&d, 1);
  put_element (arithmetic, (char *) host_element (&d, input, 700), 0, special);
  assert_int_equal (gt_gpus->copy (gpu, GT_TO_DEVICE, d.memory[input],
                                   d.elements[input], 1000 * size), 0);
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    expected.sum[k] = sum;
  check_each (&d, &expected);
  free_data (&d);
}

TEST (special_numbers)
{
  for (int a = GT_F64; a <= GT_F32; a++)
    {
      const enum gt_arithmetic arithmetic = (enum gt_arithmetic) a;

      check_not_finite (GT_SUMSQ, arithmetic, 0, -INFINITY, INFINITY);
      check_not_finite (GT_MOMENTS, arithmetic, 0, INFINITY, INFINITY);
      check_not_finite (GT_DOT, arithmetic, 0, NAN, NAN);
      check_not_finite (GT_DOT, arithmetic, 1, NAN, NAN);
      check_not_finite (GT_MOMENTS, arithmetic, 0, NAN, NAN);
    }
}

/* Without a profile every problem has a plan that can be launched.  */
TEST (estimates_can_be_launched)
{
  const struct gt_device *device = gt_gpus->device_of (gpu);

  for (unsigned k = 0; k < n_subjects; k++)
    {
      struct gt_problem problem = problem_of (&subjects[k]);
      struct gt_plan plan = {0};
      struct gt_resources resources;

      problem.n = 1 << 20;
      gt_estimate (device, &problem, &plan.kernel, &plan.config);
      assert_non_null (plan.kernel);
      assert_int_equal (gt_gpus->resources (gpu, &plan, &problem, &resources), 0);
      assert_true (resources.active_blocks >= 1);
      assert_true (plan.config.blocks_per_sm >= 1);
    }
}

RUN_GPU_TESTS (find_sums, NULL)
