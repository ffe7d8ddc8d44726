/* Tests of the CPU kernels of extremes, of how their values are merged, and of
   threads: against plain loops as GSL's are, and against GSL.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "kernels/cpu/sums/combine.h"
#include "src/cpu/backend_cpu.h"
#include "tests/order_data.h"
#include "tests/sums_kernels.h"

#define LINE 64 /* bytes to which kernels may align their loads */
#define ORIGIN 1000 /* of tasks here */

static const size_t strides[] = {1, 2, 3, 4, 17};

/* -------------------------------------------------------------- Subjects */

/* A task, where its extremes are, and the threads that are to find them.  */
struct search
{
  struct gt_task task;
  struct expected expected;
  unsigned threads;
  const char *what;
};

static void
check_by (const struct cpu_function *f, const struct gt_task *task, const void *closure)
{
  const struct gt_problem *p = &task->problem;
  struct search s = *(const struct search *) closure;
  union gt_value value;

  s.task = *task;
  if (s.threads > 1 && !(f->kernel->tunables & GT_TUNE_THREADS))
    return;
  value = computed_by (f, s.threads, task);
  gt_value_finish (p, &value);
  if (!is_right (&s.task, &s.expected, &value))
    fail_msg ("%s %s %s %s %s u%u, %u threads, n = %zu, stride %zu, %s: found"
              " at %lld and %lld, not at %zu, %zu, %zu",
              gt_reductions[p->reduction].name, f->kernel->name,
              gt_isa_names[f->isa], gt_arithmetics[p->arithmetic].name,
              gt_layout_names[p->layout], f->unroll, s.threads, (size_t) p->n,
              (size_t) task->x.stride, s.what, (long long) (value.where.index[0] - ORIGIN),
              (long long) (value.where.index[1] - ORIGIN), s.expected.most,
              s.expected.least, s.expected.magnitude);
}

/* Every reduction of extremes, by every function; contiguous elements in both
   layouts.  Returns how many functions there are.  */
static unsigned
check_all (struct search s)
{
  unsigned count = 0;

  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    if (gt_reductions[r].algebra == GT_ALGEBRA_ORDER)
      {
        s.task.problem.reduction = (enum gt_reduction) r;
        count += for_each_function (&s.task, check_by, &s);
      }
  return count;
}

static const char *const kind_names[N_KINDS]
  = {"any numbers", "ties", "zeros", "sown with NaN", "NaN or limits",
     "rising", "falling", "subnormal", "lowest", "highest", "planted"};

/* The elements begin OFFSET elements into a block that ends with the last.  */
static unsigned
check_data (enum gt_arithmetic a, size_t n, size_t stride, size_t offset,
            enum data_kind kind, unsigned threads)
{
  const size_t size = gt_element_size (a);
  const size_t count = offset + (n - 1) * stride + 1;
  struct search s = {.threads = threads, .what = kind_names[kind]};
  char *block = NULL;
  unsigned checked;

  assert_int_equal (posix_memalign ((void **) &block, LINE, count * size), 0);
  s.task = gt_task_of (GT_MAX, a, GT_MODE_FAST, block + offset * size, n, stride);
  s.task.origin = ORIGIN;
  ordered[a].fill (block + offset * size, n, stride, kind, n * 8191 + offset * 127 + stride + 1);
  ordered[a].expect (s.task.x.data, n, stride, &s.expected);
  checked = check_all (s);
  free (block);
  return checked;
}

/* ----------------------------------------------------------------- Tests */

TEST (our_loops_are_gsl_s)
{
  long double data[301 * 3];

  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    for (int kind = 0; kind < N_KINDS; kind++)
      for (size_t n = 1; n <= 300; n++)
        for (size_t stride = 1; stride <= 3; stride += 2)
          {
            struct expected ours = {0, 0, 0}, gsl = {0, 0, 0};

            if (a == GT_I8 && CHAR_MIN == 0)
              continue; /* GSL has no signed ones there */
            ordered[a].fill (data, n, stride, (enum data_kind) kind, n + 99);
            ordered[a].expect (data, n, stride, &ours);
            ordered[a].expect_of_gsl (data, n, stride, &gsl);
            assert_int_equal (ours.most, gsl.most);
            assert_int_equal (ours.least, gsl.least);
            assert_int_equal (ours.magnitude, gsl.magnitude);
          }
}

TEST (the_catalogue_is_complete)
{
  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    for (size_t s = 0; s < 2; s++)
      {
        const unsigned reductions = a <= GT_F32 ? 4 : 3, kernels = 2;

        assert_int_equal (check_data ((enum gt_arithmetic) a, 7, strides[s], 0, WIDE, 1),
                          reductions * kernels * (s == 0 ? 2 : 1));
      }
}

/* Each length with its share of kinds and starts.  */
TEST (every_length_up_to_300)
{
  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    for (size_t s = 0; s < N_OF (strides); s++)
      for (size_t n = 1; n <= 300; n++)
        for (int kind = (int) n % 2; kind < N_KINDS; kind += 2)
          check_data ((enum gt_arithmetic) a, n, strides[s],
                      (n * 7 + (size_t) kind) % LINE, (enum data_kind) kind, 1);
}

TEST (every_start_within_a_vector)
{
  static const size_t lengths[] = {16, 17, 67, 130, 1031};

  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    for (size_t offset = 0; offset < LINE / gt_element_size (a); offset++)
      for (size_t k = 0; k < N_OF (lengths); k++)
        {
          check_data ((enum gt_arithmetic) a, lengths[k], 1, offset, TIES, 1);
          check_data ((enum gt_arithmetic) a, lengths[k], 1, offset, PLANTED, 1);
        }
}

/* Lengths around those of blocks, in elements of each size, with the extremes anywhere.  */
TEST (around_blocks)
{
  static const size_t blocks[] = {128, 256, 512, 1024, 2048, 4096, 8192};

  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    for (size_t s = 0; s < N_OF (strides); s++)
      for (size_t k = 0; k < N_OF (blocks); k++)
        for (size_t n = blocks[k] - 2; n <= blocks[k] + 2; n++)
          check_data ((enum gt_arithmetic) a, n, strides[s], n % 5, PLANTED, 1);
}

TEST (anywhere_in_long_vectors)
{
  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    for (size_t n = 5000; n < 20000; n += 331)
      check_data ((enum gt_arithmetic) a, n, strides[n % 4], n % 61,
                  n % 3 ? PLANTED : WIDE, 1);
}

/* Parts of threads, and pieces of parts.  */
TEST (by_threads)
{
  static const unsigned threads[] = {2, 3, 8, 61};

  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    for (size_t t = 0; t < N_OF (threads); t++)
      for (size_t k = 0; k < 12; k++)
        check_data ((enum gt_arithmetic) a, k < 3 ? 1 + 4095 * k
                          : (300001 + 4097 * k) / gt_element_size (a),
                    1 + k % 3, k, k % 4 == 3 ? TIES : PLANTED, threads[t]);
}

static void
merge_and_compare (const struct search *s, const union gt_value *parts,
                   unsigned first, unsigned second, unsigned third)
{
  union gt_value value = parts[first];

  gt_value_merge (&s->task.problem, &value, &parts[second]);
  gt_value_merge (&s->task.problem, &value, &parts[third]);
  if (!is_right (&s->task, &s->expected, &value))
    fail_msg ("%s of %s: parts %u, %u, %u", s->what,
              gt_arithmetics[s->task.problem.arithmetic].name, first, second, third);
}

/* Indexes decide, not who comes first.  */
TEST (parts_merge_in_any_order)
{
  static const unsigned orders[][3]
    = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  long double data[40];

  for (int r = GT_MAX; r <= GT_AMAX; r++)
    for (int a = 0; a < GT_FIRST_COMPLEX; a++)
      for (int kind = 0; kind < N_KINDS; kind++)
        for (uint64_t seed = 1; seed < 40; seed++)
          {
            struct search s = {.what = gt_reductions[r].name};
            union gt_value parts[3];

            s.task = gt_task_of ((enum gt_reduction) r, (enum gt_arithmetic) a,
                                 GT_MODE_FAST, data, 12, 2);
            s.task.origin = ORIGIN;
            if (!gt_reduction_has (s.task.problem.reduction, s.task.problem.arithmetic))
              continue;
            ordered[a].fill (data, 12, 2, (enum data_kind) kind, seed);
            ordered[a].expect (data, 12, 2, &s.expected);
            for (unsigned k = 0; k < 3; k++)
              {
                const struct gt_kernel *kernel
                  = gt_catalog_find ("sequential", s.task.problem.reduction);
                struct gt_task part = gt_task_part (&s.task, k * 4, 4);

                gt_kernel_function (kernel, &part.problem, 1) (&part, &parts[k]);
              }
            for (size_t k = 0; k < N_OF (orders); k++)
              merge_and_compare (&s, parts, orders[k][0], orders[k][1], orders[k][2]);
          }
}

/* --------------------------------------------------------------- Matrices */

struct shape
{
  size_t rows, n, tda;
};

/* ROWS is where the elements really are; what is expected was found in a copy
   of theirs without gaps, whose task S has.  */
static void
check_rows (struct search s, const void *rows, const struct shape *shape)
{
  struct gt_task first = s.task;
  union gt_value value;

  first.x.data = rows;
  first.problem.n = shape->n;
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (unsigned k = 0; k < 2; k++)
      {
        struct gt_plan plan = {.config = {.threads = s.threads, .unroll = 1}};

        first.problem.reduction = (enum gt_reduction) r;
        s.task.problem.reduction = (enum gt_reduction) r;
        if (gt_reductions[r].algebra != GT_ALGEBRA_ORDER
            || !gt_reduction_has (first.problem.reduction, first.problem.arithmetic))
          continue;
        plan.kernel = gt_catalog_find (k ? "simd" : "sequential", first.problem.reduction);
        plan.function = gt_kernel_function (plan.kernel, &first.problem, 1);
        memset (&value, 0xcb, sizeof value);
        gt_cpu_compute_rows (&plan, &first, shape->rows, shape->tda, &value);
        if (!is_right (&s.task, &s.expected, &value))
          fail_msg ("%s %s %s, %u threads, %zu x %zu, tda %zu, %s",
                    gt_reductions[r].name, plan.kernel->name,
                    gt_arithmetics[first.problem.arithmetic].name, s.threads,
                    shape->rows, shape->n, shape->tda, s.what);
      }
}

static void
check_matrix (enum gt_arithmetic a, const struct shape *shape,
              enum data_kind kind, unsigned threads)
{
  const size_t size = gt_element_size (a), count = shape->rows * shape->n;
  const size_t spread = (shape->rows - 1) * shape->tda + shape->n;
  char *dense = malloc (count * size), *rows = malloc (spread * size);
  struct search s = {.threads = threads, .what = kind_names[kind]};

  assert_non_null (dense);
  assert_non_null (rows);
  ordered[a].fill (rows, spread, 1, ALL_NAN, 1);
  ordered[a].fill (dense, count, 1, kind, count + threads);
  for (size_t row = 0; row < shape->rows; row++)
    memcpy (rows + row * shape->tda * size, dense + row * shape->n * size, shape->n * size);
  s.task = gt_task_of (GT_MAX, a, GT_MODE_FAST, dense, count, 1);
  s.task.origin = ORIGIN;
  ordered[a].expect (dense, count, 1, &s.expected);
  check_rows (s, rows, shape);
  free (dense);
  free (rows);
}

TEST (rows_of_matrices)
{
  static const struct shape shapes[]
    = {{1, 1, 1},      {5, 1, 3},       {7, 3, 3},         {100, 3, 5},
       {33, 23, 24},   {33, 24, 30},    {10, 1000, 1003},  {5000, 30, 31},
       {30000, 3, 4},  {4, 70000, 70001}};

  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    for (size_t k = 0; k < N_OF (shapes); k++)
      for (unsigned threads = 1; threads <= 4; threads += 3)
        for (int kind = 0; kind < N_KINDS; kind++)
          check_matrix ((enum gt_arithmetic) a, &shapes[k], (enum data_kind) kind, threads);
}

/* Rows that are shared out themselves.  */
TEST (long_rows_of_matrices)
{
  static const struct shape shape = {3, 300001, 300007};

  for (unsigned threads = 1; threads <= 4; threads += 3)
    {
      check_matrix (GT_F64, &shape, PLANTED, threads);
      check_matrix (GT_I64, &shape, PLANTED, threads);
    }
}

RUN_TESTS (NULL, NULL)
