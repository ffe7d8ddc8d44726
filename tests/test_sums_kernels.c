/* Tests of the CPU kernels of sums, of one and of several at once: of small whole numbers, of
   which nothing is rounded, against their definitions; of any integers, bit for bit
   against arithmetic of 128 bits; of NaN and infinity; in parts and by threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/env.h"
#include "tests/sums.h"
#include "tests/sums_kernels.h"
#define PLAIN_TERM double
#include "tests/sums_oracle.h"

#define LONGEST 20011
#define WIDEST 7
/* More than two blocks of the widest vectors of bytes (simd_integers.c).  */
#define BLOCKS ((size_t) 2200003)

static struct fenced memory[2];

static const size_t strides[][2]
  = {{1, 1}, {2, 2}, {1, 3}, {5, 1}, {4, WIDEST}};

static void
add_terms (const struct gt_task *task, double x, double y, double sum[GT_MOST_SUMS])
{
  plain_term term[GT_MOST_SUMS];
  const unsigned count = gt_plain_terms (task, x, y, term);

  for (unsigned k = 0; k < count; k++)
    sum[k] += (double) term[k];
}

static int
adds (enum gt_reduction reduction)
{
  return gt_reduction_sums (reduction) || gt_reductions[reduction].algebra == GT_ALGEBRA_ADD;
}

/* Sum K; one sum alone is of the elements' type.  */
static double
sum_in (const struct gt_problem *p, const union gt_value *value, unsigned k)
{
  union gt_value finished = *value;

  if (gt_reduction_sums (p->reduction))
    return gt_value_sum (p, value, k);
  gt_value_finish (p, &finished);
  return get_element (p->arithmetic, &finished, 0);
}

/* What SUM, a whole number, is in that type: integers wrap.  */
static double
wrapped (const struct gt_problem *p, double sum)
{
  union gt_value value;

  if (gt_reduction_sums (p->reduction) || p->arithmetic <= GT_LDBL)
    return sum;
  put_integer (p->arithmetic, &value, 0, (uint64_t) (int64_t) sum);
  return get_element (p->arithmetic, &value, 0);
}

static void
check_sums (const struct cpu_function *f,
            const struct gt_task *task, const union gt_value *got, const void *closure)
{
  const struct gt_reduction_info *info
    = &gt_reductions[task->problem.reduction];
  const double *expected = closure;

  for (unsigned k = 0; k < info->plain + info->products; k++)
    {
      const double sum = sum_in (&task->problem, got, k);
      const double should = wrapped (&task->problem, expected[k]);

      if (!((sum == should && !signbit (sum) == !signbit (should)) || (isnan (sum) && isnan (should))))
        fail_at (f, task, k, sum, should);
    }
}

/* A small whole number that the arithmetic has; every fifth weight is none.  */
static double
some_number (enum gt_arithmetic a, uint64_t *seed)
{
  const int k = (int) (random_word (seed) >> 40) % 5;
  const int is_signed = a <= GT_LDBL || a >= GT_I64;

  return is_signed ? k - 1 : k;
}

static struct gt_task
make_task (enum gt_reduction reduction, enum gt_arithmetic a, size_t n,
           const size_t stride[2], int at_end)
{
  const struct gt_operand x
    = {in_fenced (&memory[0], a, n, stride[0], at_end), stride[0]};
  const struct gt_operand y
    = {in_fenced (&memory[1], a, n, stride[1], 1), stride[1]};
  struct gt_task task;

  if (gt_reductions[reduction].inputs == 2)
    task = gt_task_of_pair (reduction, a, GT_MODE_FAST, x, y, n);
  else
    task = gt_task_of (reduction, a, GT_MODE_FAST, x.data, n, x.stride);
  task.shift[0] = 1;
  task.shift[1] = -2;
  task.scale = 0.5;
  return task;
}

/* Element I of both vectors.  */
static void
put_pair (const struct gt_task *task, size_t i, double x, double y)
{
  const enum gt_arithmetic a = task->problem.arithmetic;

  put_element (a, (void *) task->x.data, i * task->x.stride, x);
  if (task->y.data)
    put_element (a, (void *) task->y.data, i * task->y.stride, y);
}

/* Numbers between the elements are NaN where there is one, else a large number.  */
static void
fill (const struct gt_task *task, double sum[GT_MOST_SUMS])
{
  const enum gt_arithmetic a = task->problem.arithmetic;
  const double between = a <= GT_LDBL ? (double) NAN : 99;
  const size_t n = task->problem.n;
  uint64_t seed = n * 77 + task->x.stride + 1;

  for (size_t i = 0; n && i <= (n - 1) * task->x.stride; i++)
    put_element (a, (void *) task->x.data, i, between);
  for (size_t i = 0; n && task->y.data && i <= (n - 1) * task->y.stride; i++)
    put_element (a, (void *) task->y.data, i, between);
  memset (sum, 0, GT_MOST_SUMS * sizeof *sum);
  for (size_t i = 0; i < n; i++)
    {
      const double x = some_number (a, &seed), y = some_number (a, &seed);

      put_pair (task, i, x, y);
      add_terms (task, x, y, sum);
    }
}

/* Returns how many functions there are of all modes that kernels of this test have.  Fast dot
   products of floats are also what they are when they may be rounded to float.  */
static unsigned
check_task (struct gt_task task, check_function *check, const double *expected)
{
  const struct comparison with = {check_sums, expected};
  const int last
    = gt_reduction_sums (task.problem.reduction) ? GT_MODE_COMPENSATED : GT_MODE_EXACT;
  unsigned count = 0;

  for (int m = GT_MODE_FAST; m <= last; m++)
    {
      task.problem.mode = (enum gt_mode) m;
      count += for_each_function (&task, check, &with);
    }
  if (task.problem.reduction == GT_DOT && task.problem.arithmetic == GT_F32)
    {
      task.problem.mode = GT_MODE_FAST;
      task.single = 1;
      for_each_function (&task, check, &with);
    }
  return count;
}

/* Of every reduction and arithmetic.  */
static unsigned
check_all (size_t n, const size_t stride[2], int at_end, check_function *check)
{
  unsigned count = 0;

  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (int a = 0; a < GT_FIRST_COMPLEX; a++)
      if (adds ((enum gt_reduction) r)
          && gt_reduction_has ((enum gt_reduction) r, (enum gt_arithmetic) a))
        {
          const struct gt_task task
            = make_task ((enum gt_reduction) r, (enum gt_arithmetic) a, n, stride, at_end);
          double expected[GT_MOST_SUMS];

          fill (&task, expected);
          count += check_task (task, check, expected);
        }
  return count;
}

/* --------------------------------------------------------------- Integers */

enum data_kind
{
  OF_ALL_BITS,
  LEAST,    /* the type's */
  GREATEST,
  EITHER,   /* the least or the greatest */
  N_KINDS
};

static uint64_t
some_bits (enum gt_arithmetic a, enum data_kind kind, uint64_t *seed)
{
  const uint64_t r = random_word (seed);
  const unsigned bits = 8 * (unsigned) gt_element_size (a);
  const uint64_t top = (uint64_t) 1 << (bits - 1);
  const uint64_t least = a >= GT_I64 ? top : 0, greatest = ~least;

  switch (kind)
    {
    case OF_ALL_BITS:
      return r;
    case LEAST:
      return least;
    case GREATEST:
      return greatest;
    default:
      return r >> 40 & 1 ? least : greatest;
    }
}

static void
fill_integers (const struct gt_task *task, enum data_kind kind)
{
  const enum gt_arithmetic a = task->problem.arithmetic;
  uint64_t seed = task->problem.n * 11 + task->x.stride + kind;

  for (size_t i = 0; i < task->problem.n; i++)
    {
      put_integer (a, (void *) task->x.data, i * task->x.stride, some_bits (a, kind, &seed));
      if (task->y.data)
        put_integer (a, (void *) task->y.data, i * task->y.stride, some_bits (a, kind, &seed));
    }
}

static void
check_bits (const struct cpu_function *f, const struct gt_task *task,
            const union gt_value *got, const void *closure)
{
  const struct gt_reduction_info *info
    = &gt_reductions[task->problem.reduction];
  const union gt_value *expected = closure;
  double sums[GT_MOST_SUMS];

  if (memcmp (&got->integers, &expected->integers, sizeof got->integers) == 0)
    return;
  for (unsigned k = 0; k < info->plain + info->products; k++)
    sums[k] = gt_value_sum (&task->problem, expected, k);
  check_sums (f, task, got, sums);
  fail_at (f, task, 99, 0, 0);
}

/* Of every reduction and type of integers of SIZES bytes or less.  */
static void
check_integers (size_t n, const size_t stride[2], enum data_kind kind,
                size_t sizes, check_function *check)
{
  static const enum gt_reduction reductions[]
    = {GT_TOTAL, GT_MOMENTS, GT_COMOMENTS};

  for (size_t r = 0; r < N_OF (reductions); r++)
    for (int a = GT_U64; a < GT_FIRST_COMPLEX; a++)
      {
        union gt_value expected;
        const struct comparison with = {check_bits, &expected};
        struct gt_task task;

        if (gt_element_size ((enum gt_arithmetic) a) > sizes)
          continue;
        task = make_task (reductions[r], (enum gt_arithmetic) a, n, stride, n % 2 == 0);
        fill_integers (&task, kind);
        oracle_integers (&task, &expected.integers);
        assert_true (for_each_function (&task, check, &with) >= 1);
      }
}

/* Lanes would overflow without blocks.  */
TEST (longer_than_a_block)
{
  check_integers (BLOCKS, strides[0], GREATEST, 2, check_whole);
  check_integers (BLOCKS, strides[0], LEAST, 2, check_whole);
}

/* --------------------------------------------------------------- All of them */

/* Of products of doubles and of floats, and of sums of integers, one function for each
   layout.  Of one sum four, of seven types and two types' magnitudes in fast mode; and in
   exact mode one each.  */
TEST (the_catalogue_is_complete)
{
  assert_int_equal (check_all (5, strides[0], 1, check_whole),
                    2 * (2 * 2 + 3 * 8 + (7 + 2) * 4 + 3 + 2));
}

TEST (every_length_up_to_130)
{
  for (size_t n = 0; n <= 130; n++)
    for (size_t s = 0; s < N_OF (strides); s++)
      {
        check_all (n, strides[s], (n + s) % 2 == 0, check_whole);
        check_integers (n, strides[s], (enum data_kind) ((n + s) % N_KINDS), 8, check_whole);
      }
}

/* They begin at addresses of every kind, since they end at a fence.  */
TEST (longer_vectors)
{
  static const size_t of_blocks[]
    = {255, 257, 511, 513, 1023, 1025, 2047, 2049, 2111, 4095, 4097, 8191};

  for (size_t k = 0; k < N_OF (of_blocks); k++)
    check_all (of_blocks[k], strides[k % 2], (int) k % 2, check_whole);
  for (size_t s = 0; s < N_OF (strides); s++)
    {
      for (size_t n = 500; n < LONGEST; n += n / 3 + 2 * s + 1)
        check_all (n, strides[s], 1, check_whole);
      for (int kind = 0; kind < N_KINDS; kind++)
        for (size_t n = 500 + s; n < LONGEST; n += 2 * n + 1)
          check_integers (n, strides[s], (enum data_kind) kind, 8, check_whole);
    }
  check_all (LONGEST, strides[0], 0, check_whole);
}

TEST (in_parts)
{
  for (size_t s = 0; s < N_OF (strides); s++)
    {
      check_all (7, strides[s], 1, check_parts);
      check_all (1001, strides[s], 1, check_parts);
      check_all (LONGEST, strides[s], 1, check_parts);
      for (int kind = 0; kind < N_KINDS; kind++)
        {
          check_integers (5, strides[s], (enum data_kind) kind, 8, check_parts);
          check_integers (LONGEST, strides[s], (enum data_kind) kind, 8, check_parts);
        }
    }
}

/* ---------------------------------------------------------- Special values */

/* Special numbers at one place of x and y, of one vector at two, and as shift: the sums are
   as their definitions say, unless it is passed over.  */
static void
check_special (enum gt_reduction reduction, enum gt_arithmetic a, size_t n,
               size_t at, const double special[3])
{
  struct gt_task task = make_task (reduction, a, n, strides[0], 1);
  const double x = special[0], y = special[1];
  double expected[GT_MOST_SUMS];
  uint64_t seed = n;

  task.shift[0] = special[2];
  memset (expected, 0, sizeof expected);
  for (size_t i = 0; i < n; i++)
    {
      const double u = i == at                         ? x
                       : i == n - 1 && !task.y.data ? y : 1 + some_number (GT_U8, &seed);
      const double v = i == at ? y : some_number (GT_U8, &seed);

      put_pair (&task, i, u, v);
      add_terms (&task, u, v, expected);
    }
  check_task (task, check_whole, expected);
}

TEST (special_values)
{
  const double nan = (double) NAN, inf = (double) INFINITY;
  const double special[][3] = {
    {nan, 1, 1}, {1, nan, 1}, {inf, 1, 1}, {2, -inf, 1}, {-1, nan, 1},
    {nan, nan, 1}, {0, inf, 1}, {-0.0, nan, 1}, {-inf, 3, 1}, {inf, inf, 1},
    {inf, -inf, 1}, {inf, DBL_MAX, 1}, {-0.0, -0.0, 1},
    {1, 2, inf}, {1, 2, -inf}, {1, 2, nan}, {inf, inf, inf}
  };

  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (int a = GT_F64; a <= GT_LDBL; a++)
      for (size_t s = 0; s < N_OF (special); s++)
        for (size_t n = 1; n < 100; n += 1 + n / 4)
          if (adds ((enum gt_reduction) r)
              && gt_reduction_has ((enum gt_reduction) r, (enum gt_arithmetic) a))
            for (size_t at = 0; at < n; at += 1 + n / 7)
              check_special ((enum gt_reduction) r, (enum gt_arithmetic) a, n, at, special[s]);
}

/* --------------------------------------------------------------- Threads */

/* Bits of a sum that depend on the order of the additions.  */
static double
inexact_sum (const struct cpu_function *f, unsigned threads, const struct gt_task *task)
{
  union gt_value sum = computed_by (f, threads, task);

  finish_sum (GT_F64, task->problem.mode, &sum);
  return sum.f64[0];
}

/* In a parallel region, in a forked child, and in a team smaller than asked
   for, one thread or a few compute the same parts.  */
static void
check_same_bits (const struct cpu_function *f, const struct gt_task *task, const void *closure)
{
  unsigned different = 0;
  double first = 0;

  (void) closure;
  if (!(f->kernel->tunables & GT_TUNE_THREADS))
    return;
  for (unsigned threads = 1; threads <= 8; threads++)
    {
      double alone = inexact_sum (f, threads, task);
      double inside[2];

#pragma omp parallel for num_threads (2)
      for (int i = 0; i < 2; i++)
        inside[i] = inexact_sum (f, threads, task);
      assert_memory_equal (&inside[0], &alone, sizeof alone);
      assert_memory_equal (&inside[1], &alone, sizeof alone);
      gt_forked = 1;
      inside[0] = inexact_sum (f, threads, task);
      gt_forked = 0;
      assert_memory_equal (&inside[0], &alone, sizeof alone);
      first = threads == 1 ? alone : first;
      different += alone != first;
    }
  assert_true (different > 0); /* or the data do not depend on the order */
}

TEST (the_bits_are_those_of_the_plan)
{
  enum { N = 100000 };
  double *data = malloc (N * sizeof *data);
  struct gt_task task;
  uint64_t seed = 5;
  double total = 0;

  assert_non_null (data);
  for (size_t i = 0; i < N; i++)
    {
      data[i] = (double) random_within (&seed, INT64_C (1) << 53) * 0x1p-53;
      total += data[i];
    }
  data[N - 1] -= total; /* what is left is what was rounded */
  task = gt_task_of (GT_SUM, GT_F64, GT_MODE_FAST, data, N, 1);
  for_each_function (&task, check_same_bits, NULL);
  free (data);
}

/* A plan of more threads than one sum may use.  */
TEST (threads_are_bounded)
{
  const size_t n = (size_t) 1024 * 4096 + 5;
  const struct gt_kernel *simd = sum_kernel ("simd");
  const struct gt_plan plan = {
    .kernel = simd,
    .config = {.threads = 1 << 20, .unroll = 4},
    .function = sum_function (simd, GT_U8, GT_MODE_FAST, GT_CONTIGUOUS, 4)
  };
  uint8_t *data = malloc (n);
  union gt_value expected, sum;

  assert_non_null (data);
  expected = put_exact (GT_U8, data, n, 1, 3);
  gt_forked = 1; /* 512 parts, one thread */
  compute_on_cpu (&plan, GT_U8, GT_MODE_FAST, data, n, 1, &sum);
  gt_forked = 0;
  assert_int_equal (sum.u8[0], expected.u8[0]);
  free (data);
}

/* ------------------------------------------------------------------------- */

FIXTURE (make_memory)
{
  for (unsigned i = 0; i < 2; i++)
    memory[i] = make_fenced (2 * BLOCKS);
  return 0;
}

RUN_TESTS (make_memory, NULL)
