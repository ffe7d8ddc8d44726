/* Tests of the kernels on GPUs whose values are several sums at once: what every entry
   point delivers are the sums of what kernels/reductions.def says, of vectors that lie
   alike and of others.  On a device of tests/softgpu, and unchanged on the machine's
   own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "kernels/cpu/sums.h"
#include "src/plan/plan.h"
#include "tests/gpu_subjects.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static int
find_sums (void **state)
{
  (void) state;
  if (open_gpu ())
    return -1;
  for (unsigned k = 0; k < gt_catalog_size; k++)
    for (int r = 0; r < GT_N_REDUCTIONS; r++)
      if (gt_reduction_sums ((enum gt_reduction) r)
          && !(gt_catalog[k].modes & 1u << GT_MODE_EXACT))
        add_kernel (&gt_catalog[k], (enum gt_reduction) r);
  return n_subjects ? 0 : -1;
}

/* ------------------------------------------------------------------- Data */

enum kind
{
  SMALL,   /* whole numbers, whose sums no mode rounds */
  WEIGHTS, /* the same, in x weights among NaN, zeros and negative numbers, and NaN
              in y beside these */
  ANY,     /* reals whose sums cancel, integers of all sizes */
  EXTREME  /* the least and the largest integers */
};

static double
real_element (enum kind kind, unsigned input, size_t i, uint64_t *seed)
{
  const double small = (double) random_within (seed, 7);
  const unsigned turn = (unsigned) (random_word (seed) % 16);

  switch (kind)
    {
    case WEIGHTS:
      if (input == 0)
        return turn == 0 ? NAN : turn == 1 ? -0.0 : turn == 2 ? -INFINITY : small;
      return small;
    case ANY:
      return ldexp ((double) random_within (seed, (int64_t) 1 << 52),
                    (int) turn - 37 + 10 * (int) (i % 3));
    default:
      return small;
    }
}

static uint64_t
integer_element (enum kind kind, enum gt_arithmetic arithmetic, uint64_t *seed)
{
  const uint64_t first
    = (uint64_t) 1 << (8 * gt_element_size (arithmetic) - 1);

  switch (kind)
    {
    case ANY:
      return random_word (seed);
    case EXTREME:
      return arithmetic >= GT_N_SIGNLESS
               ? first - (uint64_t) (random_word (seed) % 8 == 0)
               : UINT64_MAX - random_word (seed) % 2;
    default:
      return arithmetic >= GT_N_SIGNLESS ? (uint64_t) random_within (seed, 7)
                                         : random_word (seed) % 15;
    }
}

static void
put (enum gt_arithmetic arithmetic, char *at, enum kind kind, unsigned input,
     size_t i, uint64_t *seed)
{
  const double x = real_element (kind, input, i, seed);
  const float f = (float) x;
  const uint64_t bits = integer_element (kind, arithmetic, seed);

  memcpy (at, arithmetic == GT_F64 ? &x : arithmetic == GT_F32 ? (const void *) &f : &bits,
          gt_element_size (arithmetic));
}

static double
as_double (enum gt_arithmetic arithmetic, const char *at)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real) \
    case GT_##id: { ctype x; memcpy (&x, at, sizeof x); return (double) x; }
      GT_ARITHMETICS (X)
#undef X
    default:
      return NAN;
    }
}

static wide
as_integer (enum gt_arithmetic arithmetic, const char *at)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real) \
    case GT_##id: { ctype x; memcpy (&x, at, sizeof x); return x; }
      GT_INTEGER_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
}

/* Two vectors; of neighbours one, whose elements but the first are y.  */
struct data
{
  enum gt_reduction reduction;
  enum gt_arithmetic arithmetic;
  enum kind kind;
  size_t n, stride[2], offset[2];
  char *elements[2], *memory[2]; /* on the host and on the GPU */
  struct gt_task task;
};

static const char *
host_element (const struct data *d, unsigned input, size_t i)
{
  const size_t size = gt_element_size (d->arithmetic);

  if (d->reduction == GT_LAG1)
    return d->elements[0] + (d->offset[0] + (i + input) * d->stride[0]) * size;
  return d->elements[input]
         + (d->offset[input] + i * d->stride[input]) * size;
}

static void
make_input (struct data *d, unsigned input, uint64_t *seed)
{
  const size_t size = gt_element_size (d->arithmetic),
    n = d->n + (d->reduction == GT_LAG1),
    count = d->offset[input] + (n ? (n - 1) * d->stride[input] + 1 : 1);

  d->elements[input] = malloc (count * size);
  assert_non_null (d->elements[input]);
  fill_poison (d->arithmetic, d->elements[input], count);
  for (size_t i = 0; i < n; i++)
    put (d->arithmetic,
         d->elements[input] + (d->offset[input] + i * d->stride[input]) * size,
         d->kind, input, i, seed);
  if (input == 1 && d->kind == WEIGHTS)
    for (size_t i = 0; i < n; i++)
      if (!(as_double (d->arithmetic, host_element (d, 0, i)) > 0))
        fill_poison (d->arithmetic, (char *) host_element (d, 1, i), 1);
  d->memory[input] = to_gpu (d->arithmetic, d->elements[input], count);
}

/* Where the elements of an input lie on the GPU.  */
static struct gt_operand
operand_of (const struct data *d, unsigned input)
{
  return (struct gt_operand) {
    d->memory[input] + (host_element (d, input, 0) - d->elements[input]),
    d->stride[input]
  };
}

static void
make_data (struct data *d, uint64_t seed)
{
  const int two = gt_reductions[d->reduction].inputs == 2;

  make_input (d, 0, &seed);
  if (d->reduction == GT_LAG1)
    {
      d->elements[1] = d->elements[0];
      d->memory[1] = d->memory[0];
      d->stride[1] = d->stride[0];
    }
  else if (two)
    make_input (d, 1, &seed);
  d->task
    = two ? gt_task_of_pair (d->reduction, d->arithmetic, GT_MODE_FAST,
                             operand_of (d, 0), operand_of (d, 1), d->n)
          : gt_task_of (d->reduction, d->arithmetic, GT_MODE_FAST,
                        operand_of (d, 0).data, d->n, d->stride[0]);
  d->task.shift[0] = 2;
  d->task.shift[1] = -1;
  d->task.scale = d->kind == ANY ? 1 / 3.0 : 0.5;
}

static void
free_data (struct data *d)
{
  for (unsigned input = 0; input < 2; input++)
    if (input == 0 || d->elements[1] != d->elements[0])
      {
        gt_cuda_free (gpu, d->memory[input]);
        free (d->elements[input]);
      }
}

/* ---------------------------------------------------- What they should be */

/* A term, as two numbers whose sum it is.  */
struct term
{
  double leading, rest;
};

static struct term
rounded (double x)
{
  return (struct term) {x, 0};
}

static struct term
product (double x, double y)
{
  return (struct term) {x * y, fma (x, y, -(x * y))};
}

static void
moments_of (enum gt_reduction reduction, double x, double y, double d,
            double e, struct term *term)
{
  switch (reduction)
    {
    case GT_DOT:
      term[0] = product (x, y);
      break;
    case GT_SUMSQ:
      term[0] = product (x, x);
      break;
    case GT_TOTAL:
      term[0] = rounded (x);
      break;
    case GT_MOMENTS:
      term[0] = rounded (d);
      term[1] = product (d, d);
      break;
    case GT_COMOMENTS:
      term[0] = rounded (d);
      term[1] = rounded (e);
      term[2] = product (d, e);
      break;
    default:
      fail ();
    }
}

/* Of weights X and data Y, T being (y - a) r.  */
static void
weighted_of (enum gt_reduction reduction, double x, double y, double d,
             double t, struct term *term)
{
  term[0] = rounded (x);
  switch (reduction)
    {
    case GT_WSUM:
      term[1] = rounded (x * y);
      break;
    case GT_WMOMENTS:
      term[1] = rounded (x * x);
      term[2] = rounded (x * (d * d));
      break;
    case GT_WABSDEV:
      term[1] = rounded (x * fabs (d));
      break;
    case GT_WSKEW:
      term[1] = rounded (x * (t * t * t));
      break;
    case GT_WKURTOSIS:
      term[1] = rounded (x * ((t * t) * (t * t)));
      break;
    default:
      fail ();
    }
}

static void
terms_of (const struct data *data, size_t i, struct term *term)
{
  const struct gt_task *task = &data->task;
  const unsigned last = gt_reductions[data->reduction].inputs - 1;
  const double x = as_double (data->arithmetic, host_element (data, 0, i)),
    y = as_double (data->arithmetic, host_element (data, last, i)),
    d = x - task->shift[0], e = y - task->shift[1], f = y - task->shift[0],
    t = d * task->scale;

  memset (term, 0, GT_MOST_SUMS * sizeof *term);
  switch (data->reduction)
    {
    case GT_CORRELATION:
      term[0] = rounded (d);
      term[1] = rounded (e);
      term[2] = rounded (d * e);
      term[3] = rounded (d * d);
      term[4] = rounded (e * e);
      break;
    case GT_LAG1:
      term[0] = rounded (d * f);
      term[1] = rounded (f * f);
      break;
    case GT_ABSDEV:
      term[0] = rounded (fabs (d));
      break;
    case GT_SKEW:
      term[0] = rounded (t * t * t);
      break;
    case GT_KURTOSIS:
      term[0] = rounded ((t * t) * (t * t));
      break;
    default:
      if (gt_reductions[data->reduction].algebra == GT_ALGEBRA_MOMENTS)
        moments_of (data->reduction, x, y, d, e, term);
      else if (x > 0)
        weighted_of (data->reduction, x, y, f, f * task->scale, term);
    }
}

/* The sums, exactly and rounded, and those of the terms' magnitudes.  */
struct expected
{
  struct gt_superaccumulator exact[GT_MOST_SUMS];
  double sum[GT_MOST_SUMS], size[GT_MOST_SUMS];
};

static double
round_copy (struct gt_superaccumulator acc)
{
  return gt_super_round (&acc);
}

static void
expect (const struct data *d, struct expected *expected)
{
  memset (expected, 0, sizeof *expected);
  for (size_t i = 0; i < d->n; i++)
    {
      struct term term[GT_MOST_SUMS];

      terms_of (d, i, term);
      for (unsigned k = 0; k < GT_MOST_SUMS; k++)
        {
          gt_super_add (&expected->exact[k], term[k].leading);
          gt_super_add (&expected->exact[k], term[k].rest);
          expected->size[k] += fabs (term[k].leading);
        }
    }
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    expected->sum[k] = round_copy (expected->exact[k]);
}

/* How far a sum and its compensation, not yet rounded to one number, may be from the
   exact sum.  Next to nothing of the terms where it is compensated (Ogita, Rump, Oishi
   2005, proposition 5.5, with twice its constant for the tree of partial sums); else
   a rounding each addition, and some in a fused term.  */
static double
tolerance (const struct data *d, enum gt_mode mode,
           const struct expected *expected, unsigned k)
{
  const double nu = ((double) d->n + 10) * DBL_EPSILON / 2;

  if (d->kind != ANY)
    return 0;
  return 2 * expected->size[k]
         * (mode == GT_MODE_COMPENSATED || d->arithmetic > GT_LDBL ? nu * nu
                                                                   : nu);
}

/* In words of 64 bits.  */
static void
expect_integers (const struct data *d, struct gt_integer_sums *sums)
{
  const struct gt_reduction_info *info = &gt_reductions[d->reduction];
  wide plain[2] = {0, 0}, high = 0;
  unsigned_wide low = 0;

  for (size_t i = 0; i < d->n; i++)
    {
      const wide x = as_integer (d->arithmetic, host_element (d, 0, i)),
        y = as_integer (d->arithmetic,
                        host_element (d, info->inputs - 1, i));
      const unsigned_wide xy = (unsigned_wide) x * (unsigned_wide) y;

      plain[0] += x;
      plain[1] += y;
      low += (uint64_t) xy;
      high += x < 0 || y < 0 ? (wide) xy >> 64 : (wide) (uint64_t) (xy >> 64);
    }
  memset (sums, 0, sizeof *sums);
  for (unsigned k = 0; k < info->plain; k++)
    {
      sums->plain[k][0] = (uint64_t) plain[k];
      sums->plain[k][1] = (uint64_t) (plain[k] >> 64);
    }
  if (info->products)
    {
      high += (wide) (low >> 64);
      sums->product[0] = (uint64_t) low;
      sums->product[1] = (uint64_t) high;
      sums->product[2] = (uint64_t) (high >> 64);
    }
}

/* --------------------------------------------------------------- Checking */

static void
fail_for (const struct subject *s, const struct gt_config *config,
          const struct data *d, unsigned k, double is, double should)
{
  fail_msg ("%s %s %s %s, block %u, %u blocks per SM, n = %zu, strides %zu"
            " %zu, from elements %zu %zu, data of kind %d: sum %u is %.17g"
            " instead of %.17g",
            gt_reductions[s->reduction].name, s->kernel->name,
            gt_arithmetics[s->arithmetic].name, gt_mode_names[s->mode],
            config->block, config->blocks_per_sm, d->n, d->stride[0],
            d->stride[1], d->offset[0], d->offset[1], (int) d->kind, k, is,
            should);
}

/* Whether sum K is as near to what it should be as it has to be.  */
static int
near (const struct data *d, const union gt_value *value,
      const struct expected *expected, unsigned k)
{
  const double should = expected->sum[k],
    is = gt_value_sum (&d->task.problem, value, k);
  struct gt_superaccumulator rest = expected->exact[k];

  if (!isfinite (should) || !isfinite (is))
    return isnan (should) ? isnan (is) : is == should;
  gt_super_add (&rest, -value->sums.s[k]);
  gt_super_add (&rest, -value->sums.c[k]);
  return fabs (gt_super_round (&rest))
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
  assert_int_equal (gt_cuda_compute (gpu, &plan, &d->task, NULL, &value), 0);
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

  expect_integers (d, &right.integers);
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
check_subject (struct subject *s, struct data *d,
               const struct expected *expected)
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
          fail_for (s, &config, d, k, gt_value_sum (problem, &value, k),
                    expected->sum[k]);
    }
}

static int
is_weighted (enum gt_reduction reduction)
{
  return reduction >= GT_WSUM && reduction <= GT_WKURTOSIS;
}

/* Makes D, hands it to every entry point that computes it, and frees it.  */
static void
check_data (struct data *d)
{
  static struct expected expected;
  enum gt_layout layout;

  make_data (d, 31 * d->n + 1000 * d->reduction + d->offset[0]);
  layout = d->task.problem.layout;
  expect (d, &expected);
  for (unsigned k = 0; k < n_subjects; k++)
    if (subjects[k].reduction == d->reduction
        && subjects[k].arithmetic == d->arithmetic
        && subjects[k].layout == layout)
      check_subject (&subjects[k], d, &expected);
  free_data (d);
}

/* The same shape of each reduction of each arithmetic.  */
static void
check_shape (enum kind kind, size_t n, size_t stride_x, size_t offset_x,
             size_t stride_y, size_t offset_y)
{
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (int a = 0; a < GT_N_ARITHMETICS && gt_reduction_sums ((enum gt_reduction) r); a++)
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

static void
lengths (void **state)
{
  static const size_t some[] = {0, 1, 2, 3, 31, 33, 127, 513, 1000, 4099};

  (void) state;
  for (size_t k = 0; k < N_OF (some); k++)
    check_shape (SMALL, some[k], 1, k % 3, 1, k % 3);
}

/* Contiguous vectors that lie alike, and others.  */
static void
alignments (void **state)
{
  (void) state;
  for (size_t x = 0; x < 17; x += 3)
    for (size_t y = x % 2; y < 17; y += 5)
      check_shape (SMALL, 200 + 7 * x, 1, x, 1, y);
}

static void
strides (void **state)
{
  static const size_t some[][2] = {{1, 2}, {3, 1}, {2, 2}, {5, 17}};

  (void) state;
  for (size_t k = 0; k < N_OF (some); k++)
    {
      check_shape (SMALL, 1 + 300 * k, some[k][0], k, some[k][1], 2 * k);
      check_shape (ANY, 100 + k, some[k][0], k, some[k][1], 2 * k);
    }
}

/* What rounding takes off is made up for in compensated mode, and only there.  */
static void
roundings (void **state)
{
  (void) state;
  check_shape (ANY, 6000, 1, 0, 1, 0);
  check_shape (ANY, 1999, 1, 1, 1, 4);
}

static void
integers_beyond_64_bits (void **state)
{
  (void) state;
  check_shape (EXTREME, 2000, 1, 0, 1, 16);
  check_shape (EXTREME, 1001, 2, 0, 1, 0);
  check_shape (ANY, 777, 1, 3, 1, 0);
}

/* Many blocks; on a GPU many waves of them.  */
static void
long_vectors (void **state)
{
  const size_t n = on_real_gpu () ? ((size_t) 1 << 21) + 3 : 20003;

  (void) state;
  check_shape (SMALL, n, 1, 1, 1, 1);
  check_shape (SMALL, n / 2, 1, 0, 1, 1);
  check_shape (SMALL, n / 4, 3, 0, 2, 0);
}

/* A number that is none among small ones, in either input.  */
static void
check_special (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
               unsigned input, double special, double sum)
{
  struct data d = {.reduction = reduction,
                   .arithmetic = arithmetic,
                   .kind = SMALL,
                   .n = 1000,
                   .stride = {1, 1}};
  static struct expected expected;
  const float f = (float) special;
  const size_t size = gt_element_size (arithmetic);

  make_data (&d, 1);
  memcpy ((char *) host_element (&d, input, 700),
          arithmetic == GT_F64 ? (const void *) &special : &f, size);
  assert_int_equal (gt_cuda_to_device (gpu, d.memory[input],
                                       d.elements[input], 1000 * size),
                    0);
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    expected.sum[k] = sum;
  for (unsigned k = 0; k < n_subjects; k++)
    if (subjects[k].reduction == reduction
        && subjects[k].arithmetic == arithmetic
        && subjects[k].layout == GT_CONTIGUOUS)
      check_subject (&subjects[k], &d, &expected);
  free_data (&d);
}

static void
special_numbers (void **state)
{
  (void) state;
  for (int a = GT_F64; a <= GT_F32; a++)
    {
      const enum gt_arithmetic arithmetic = (enum gt_arithmetic) a;

      check_special (GT_SUMSQ, arithmetic, 0, -INFINITY, INFINITY);
      check_special (GT_MOMENTS, arithmetic, 0, INFINITY, INFINITY);
      check_special (GT_ABSDEV, arithmetic, 0, -INFINITY, INFINITY);
      check_special (GT_SKEW, arithmetic, 0, -INFINITY, -INFINITY);
      check_special (GT_KURTOSIS, arithmetic, 0, -INFINITY, INFINITY);
      check_special (GT_DOT, arithmetic, 0, NAN, NAN);
      check_special (GT_DOT, arithmetic, 1, NAN, NAN);
      check_special (GT_MOMENTS, arithmetic, 0, NAN, NAN);
    }
}

/* Without a profile every problem has a plan that can be launched.  */
static void
estimates_can_be_launched (void **state)
{
  const struct gt_device *device = gt_cuda_device_of (gpu);

  (void) state;
  for (unsigned k = 0; k < n_subjects; k++)
    {
      struct gt_problem problem = problem_of (&subjects[k]);
      struct gt_plan plan = {0};
      struct gt_cuda_resources resources;

      problem.n = 1 << 20;
      gt_estimate (device, &problem, &plan.kernel, &plan.config);
      assert_non_null (plan.kernel);
      assert_int_equal (gt_cuda_kernel_resources (gpu, &plan, &problem,
                                                  &resources),
                        0);
      assert_true (resources.active_blocks >= 1);
      assert_true (plan.config.blocks_per_sm >= 1);
    }
}

/* With arguments: see prepare_for_gpu.  */
int
main (int argc, char **argv)
{
  static const struct CMUnitTest tests[] = {
    cmocka_unit_test (lengths),
    cmocka_unit_test (alignments),
    cmocka_unit_test (strides),
    cmocka_unit_test (roundings),
    cmocka_unit_test (integers_beyond_64_bits),
    cmocka_unit_test (long_vectors),
    cmocka_unit_test (special_numbers),
    cmocka_unit_test (estimates_can_be_launched),
  };

  prepare_for_gpu (argc, argv);
  return cmocka_run_group_tests_name ("gpu_sums", tests, find_sums, NULL);
}
