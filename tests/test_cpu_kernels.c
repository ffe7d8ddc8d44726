/* Tests of kernels/cpu and src/cpu/backend_cpu.c: every function of every CPU
   kernel against exact sums, and what infinities, NaN and zeros become.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "kernels/cpu/sums/combine.h"
#include "src/base/env.h"
#include "src/cpu/backend_cpu.h"
#include "tests/exact.h"
#include "tests/sums.h"

#define LINE 64 /* bytes to which kernels may align their loads */

static const size_t strides[] = {1, 2, 3, 4, 17};
/* One function of a kernel.  */
struct subject
{
  const struct gt_kernel *kernel;
  enum gt_isa isa;
  enum gt_arithmetic arithmetic;
  enum gt_mode mode;
  enum gt_layout layout;
  unsigned unroll;
  gt_cpu_function *function;
};

/* Calls CHECK for every function that sums elements STRIDE apart, of every
   instruction set that this processor has.  A strided one may be given
   contiguous data too.  Returns how many there are.  */
typedef void check_function (const struct subject *subject, void *context);

/* The function of a combination that there is.  */
static gt_cpu_function *
function_of (const struct subject *s)
{
  struct gt_problem problem
    = sum_problem (s->arithmetic, s->mode, s->layout, 0);

  return s->kernel->unrolls & GT_UNROLL (s->unroll)
             && gt_kernel_serves (s->kernel, &problem)
           ? s->kernel->find[s->isa](&problem, GT_UNROLL (s->unroll)) : NULL;
}

static unsigned
for_each_of_kernel (struct subject s, size_t stride, check_function *check,
                    void *context)
{
  unsigned count = 0;

  for (int m = 0; m < GT_N_MODES; m++)
    for (int l = stride == 1 ? 0 : GT_STRIDED; l < GT_N_LAYOUTS; l++)
      for (unsigned u = 0; u < GT_N_UNROLLS; u++)
        {
          s.mode = (enum gt_mode) m;
          s.layout = (enum gt_layout) l;
          s.unroll = u;
          s.function = function_of (&s);
          if (s.function == NULL)
            continue;
          check (&s, context);
          count++;
        }
  return count;
}

static unsigned
for_each_function (enum gt_arithmetic arithmetic, size_t stride,
                   check_function *check, void *context)
{
  struct subject s = {.arithmetic = arithmetic};
  unsigned count = 0;

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    for (unsigned k = 0; k < gt_catalog_size; k++)
      {
        s.kernel = &gt_catalog[k];
        s.isa = (enum gt_isa) isa;
        if (s.kernel->device == GT_CPU && gt_isa_runs (s.isa))
          count += for_each_of_kernel (s, stride, check, context);
      }
  return count;
}

/* What a function is given, and what it should make of it.  */
struct problem
{
  const void *data;
  size_t n, stride, offset;
  union gt_value expected;
};

static void
check_sum (const struct subject *s, void *context)
{
  const struct problem *p = context;
  struct gt_task task;
  union gt_value sum;

  memset (&sum, 0xcb, sizeof sum);
  task = gt_task_of (GT_SUM, s->arithmetic, s->mode, p->data, p->n, p->stride);
  s->function (&task, &sum);
  finish_sum (s->arithmetic, s->mode, &sum);
  if (!same_sum (s->arithmetic, &sum, &p->expected))
    fail_msg ("%s %s %s %s %s u%u, n = %zu, stride %zu, from element %zu: %s"
              " instead of %s",
              s->kernel->name, gt_isa_names[s->isa],
              gt_arithmetics[s->arithmetic].name, gt_mode_names[s->mode],
              gt_layout_names[s->layout], GT_UNROLL (s->unroll), p->n, p->stride, p->offset,
              sum_text (s->arithmetic, &sum),
              sum_text (s->arithmetic, &p->expected));
}

/* ----------------------------------------------------------- Exact sums */

/* The data fill their block of memory to its last byte, or TAIL elements of
   poison follow them.  */
static void
check_exact (enum gt_arithmetic arithmetic, size_t n, size_t stride,
             size_t offset, size_t tail)
{
  size_t size = gt_arithmetics[arithmetic].size;
  size_t count = offset + (n ? (n - 1) * stride + 1 : 0) + tail;
  char *block = NULL;
  struct problem p = {.n = n, .stride = stride, .offset = offset};

  assert_int_equal (posix_memalign ((void **) &block, LINE,
                                    count ? count * size : 1), 0);
  fill_poison (arithmetic, block, count);
  p.data = block + offset * size;
  p.expected = put_exact (arithmetic, (void *) p.data, n, stride,
                          n * 1000 + offset);
  for_each_function (arithmetic, stride, check_sum, &p);
  free (block);
}

TEST (every_length_up_to_200)
{
  for (int a = 0; a < GT_N_SIGNLESS; a++)
    for (size_t s = 0; s < N_OF (strides); s++)
      for (size_t n = 0; n <= 200; n++)
        {
          size_t offsets = LINE / gt_arithmetics[a].size;

          for (size_t offset = 0; offset < offsets;
               offset += s == 0 ? 1 : 5)
            check_exact ((enum gt_arithmetic) a, n, strides[s], offset,
                         (n + offset) % 2 * 70);
        }
}

TEST (awkward_longer_lengths)
{
  static const size_t lengths[]
    = {255,  256,  257,  511,  513,  1000, 1023, 1024,  1025,
       2047, 2048, 2049, 2111, 4095, 4097, 8191, 10007, 65537};

  for (int a = 0; a < GT_N_SIGNLESS; a++)
    for (size_t s = 0; s < N_OF (strides); s++)
      for (size_t k = 0; k < N_OF (lengths); k++)
        {
          size_t last = LINE / gt_arithmetics[a].size - 1;
          const size_t offsets[] = {0, 1, last / 2, last};

          for (size_t o = 0; o < N_OF (offsets); o++)
            check_exact ((enum gt_arithmetic) a, lengths[k], strides[s],
                         offsets[o], o % 2 * 70);
        }
}

static void
count_it (const struct subject *s, void *context)
{
  unsigned *seen = context;

  if (!sum_served (s->kernel, s->arithmetic, s->mode, s->layout))
    fail_msg ("%s has a function that the catalogue denies",
              s->kernel->name);
  seen[s->kernel - gt_catalog]++;
}

static unsigned
count_modes (const struct gt_kernel *kernel, enum gt_arithmetic arithmetic)
{
  unsigned count = 0;

  for (int m = 0; m < GT_N_MODES; m++)
    count += sum_served (kernel, arithmetic, (enum gt_mode) m,
                               GT_CONTIGUOUS) != 0;
  return count;
}

/* Nothing the catalogue promises is missing, so the tests saw everything.  */
TEST (the_catalogue_is_complete)
{
  unsigned isas = 0;

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    isas += gt_isa_runs ((enum gt_isa) isa) != 0;
  for (int a = 0; a < GT_N_SIGNLESS; a++)
    {
      unsigned seen[64] = {0};

      assert_true (gt_catalog_size <= N_OF (seen));
      for_each_function ((enum gt_arithmetic) a, 1, count_it, seen);
      for (unsigned k = 0; k < gt_catalog_size; k++)
        if (gt_catalog[k].device == GT_CPU)
          assert_int_equal (
            seen[k], count_modes (&gt_catalog[k], (enum gt_arithmetic) a)
                       * GT_N_LAYOUTS * isas
                       * (unsigned) __builtin_popcount (gt_catalog[k].unrolls));
    }
}

/* ---------------------------------------- Infinities, NaN, zeros, limits */

enum special
{
  MINUS_ZERO,
  PLUS_INFINITY,
  MINUS_INFINITY,
  NOT_A_NUMBER,
  LARGEST,
  SMALLEST, /* a subnormal number */
  ONE
};

static void
put_special (enum gt_arithmetic arithmetic, void *data, size_t i,
             enum special special)
{
  switch (arithmetic)
    {
#define VALUES(ctype, largest, smallest)                                   \
      {                                                                    \
        const ctype values[] = {(ctype) -0.0, INFINITY, -INFINITY, NAN,    \
                                largest,      smallest, 1};                \
        ((ctype *) data)[i] = values[special];                             \
        break;                                                             \
      }
    case GT_F64:
      VALUES (double, DBL_MAX, DBL_TRUE_MIN)
    case GT_F32:
      VALUES (float, FLT_MAX, FLT_TRUE_MIN)
    case GT_LDBL:
      VALUES (long double, LDBL_MAX, LDBL_TRUE_MIN)
    default:
      abort ();
    }
}

/* The sum of N elements FILL but for A and, somewhere after it, B.  */
static void
check_special (enum gt_arithmetic arithmetic, size_t n, enum special fill,
               size_t at, enum special a, enum special b,
               const union gt_value *expected)
{
  long double data[512];
  struct problem p = {data, n, 1, at, *expected};

  assert_true (n <= N_OF (data));
  for (size_t i = 0; i < n; i++)
    put_special (arithmetic, data, i, fill);
  put_special (arithmetic, data, at, a);
  if (at + 1 < n)
    put_special (arithmetic, data, at + 1 + (n - at - 1) / 3, b);
  for_each_function (arithmetic, 1, check_sum, &p);
}

static union gt_value
real_sum (enum gt_arithmetic arithmetic, long double value)
{
  union gt_value sum;

  memset (&sum, 0, sizeof sum);
  if (arithmetic == GT_F64)
    sum.f64[0] = (double) value;
  else if (arithmetic == GT_F32)
    sum.f32[0] = (float) value;
  else
    sum.ldbl[0] = value;
  return sum;
}

static const enum gt_arithmetic reals[] = {GT_F64, GT_F32, GT_LDBL};

TEST (minus_zeros_give_plus_zero)
{
  for (size_t r = 0; r < N_OF (reals); r++)
    for (size_t n = 1; n <= 300; n++)
      {
        union gt_value zero = real_sum (reals[r], 0);

        check_special (reals[r], n, MINUS_ZERO, 0, MINUS_ZERO, MINUS_ZERO,
                       &zero);
      }
}

TEST (infinities_and_nan_propagate)
{
  static const struct
  {
    enum special a, b;
    long double sum;
  } cases[] = {{PLUS_INFINITY, ONE, INFINITY},
               {MINUS_INFINITY, ONE, -INFINITY},
               {PLUS_INFINITY, PLUS_INFINITY, INFINITY},
               {PLUS_INFINITY, LARGEST, INFINITY},
               {MINUS_INFINITY, LARGEST, -INFINITY},
               {PLUS_INFINITY, MINUS_INFINITY, NAN},
               {MINUS_INFINITY, PLUS_INFINITY, NAN},
               {NOT_A_NUMBER, ONE, NAN},
               {PLUS_INFINITY, NOT_A_NUMBER, NAN},
               {NOT_A_NUMBER, MINUS_INFINITY, NAN}};

  for (size_t r = 0; r < N_OF (reals); r++)
    for (size_t c = 0; c < N_OF (cases); c++)
      for (size_t n = 2; n <= 300; n += n < 40 ? 1 : 37)
        for (size_t at = 0; at + 1 < n; at += 1 + n / 25)
          {
            union gt_value expected = real_sum (reals[r], cases[c].sum);

            check_special (reals[r], n, ONE, at, cases[c].a, cases[c].b,
                           &expected);
          }
}

TEST (overflow_gives_infinity)
{
  for (size_t r = 0; r < N_OF (reals); r++)
    for (size_t n = 2; n <= 300; n += 1 + n / 10)
      {
        union gt_value infinity = real_sum (reals[r], INFINITY);

        check_special (reals[r], n, LARGEST, 0, LARGEST, LARGEST, &infinity);
      }
}

TEST (subnormal_numbers_are_kept)
{
  static const long double smallest[GT_N_SIGNLESS]
    = {[GT_F64] = DBL_TRUE_MIN,
       [GT_F32] = FLT_TRUE_MIN,
       [GT_LDBL] = LDBL_TRUE_MIN};

  for (size_t r = 0; r < N_OF (reals); r++)
    for (size_t n = 1; n <= 300; n += 1 + n / 10)
      {
        union gt_value sum
          = real_sum (reals[r], smallest[reals[r]] * (long double) n);

        check_special (reals[r], n, SMALLEST, 0, SMALLEST, SMALLEST, &sum);
      }
}

/* --------------------------------------------------------- Compensation */

struct compensation
{
  struct problem problem;
  unsigned plain_failures;
};

static void
check_compensation (const struct subject *s, void *context)
{
  struct compensation *c = context;
  union gt_value sum;

  if (s->mode != GT_MODE_FAST)
    check_sum (s, &c->problem);
  else
    {
      struct gt_task task
        = gt_task_of (GT_SUM, s->arithmetic, s->mode, c->problem.data,
                      c->problem.n, c->problem.stride);

      s->function (&task, &sum);
      c->plain_failures
        += !same_sum (s->arithmetic, &sum, &c->problem.expected);
    }
}

#define CANCELLING_N 10000

TEST (compensated_sums_are_exact_where_plain_ones_fail)
{
  for (size_t r = 0; r < N_OF (reals); r++)
    for (size_t s = 0; s < N_OF (strides); s++)
      {
        size_t size = gt_arithmetics[reals[r]].size;
        struct compensation c = {{NULL, CANCELLING_N, strides[s], 0, {{0}}},
                                 0};
        void *data = malloc (CANCELLING_N * strides[s] * size);

        assert_non_null (data);
        fill_poison (reals[r], data, CANCELLING_N * strides[s]);
        c.problem.data = data;
        c.problem.expected
          = put_cancelling (reals[r], data, CANCELLING_N, strides[s], 7 + s);
        for_each_function (reals[r], strides[s], check_compensation, &c);
        assert_true (c.plain_failures > 0);
        free (data);
      }
}

/* -------------------------------------------------------------- Threads */

static struct gt_plan
plan_of (const struct subject *s, unsigned threads)
{
  return (struct gt_plan) {
    .kernel = s->kernel,
    .config = {.threads = threads, .unroll = GT_UNROLL (s->unroll)},
    .function = s->function
  };
}

/* With 1 to 8 threads, and with more than there are parts.  */
static void
check_threads (const struct subject *s, void *context)
{
  static const unsigned threads[] = {1, 2, 3, 4, 5, 6, 7, 8, 61};
  const struct problem *p = context;

  if (!(s->kernel->tunables & GT_TUNE_THREADS))
    return;
  for (size_t t = 0; t < N_OF (threads); t++)
    {
      struct gt_plan plan = plan_of (s, threads[t]);
      union gt_value sum;

      memset (&sum, 0xcb, sizeof sum);
      compute_on_cpu (&plan, s->arithmetic, s->mode, p->data, p->n, p->stride,
                  &sum);
      finish_sum (s->arithmetic, s->mode, &sum);
      if (!same_sum (s->arithmetic, &sum, &p->expected))
        fail_msg ("%u threads, %s %s u%u, n = %zu, stride %zu: %s instead of"
                  " %s",
                  threads[t], gt_arithmetics[s->arithmetic].name,
                  gt_mode_names[s->mode], GT_UNROLL (s->unroll), p->n,
                  p->stride, sum_text (s->arithmetic, &sum),
                  sum_text (s->arithmetic, &p->expected));
    }
}

TEST (parts_add_up)
{
  static const size_t lengths[] = {0, 1, 255, 4096, 4097, 33333, 300007};

  for (int a = 0; a < GT_N_SIGNLESS; a++)
    for (size_t k = 0; k < N_OF (lengths); k++)
      for (size_t stride = 1; stride <= 3; stride += 2)
        {
          size_t count = lengths[k] * stride + 1;
          size_t size = gt_arithmetics[a].size;
          char *block = malloc (count * size);
          struct problem p = {block + size, lengths[k], stride, 1, {{0}}};

          assert_non_null (block);
          fill_poison ((enum gt_arithmetic) a, block, count);
          p.expected = put_exact ((enum gt_arithmetic) a, block + size,
                                  lengths[k], stride, k);
          for_each_function ((enum gt_arithmetic) a, stride, check_threads,
                             &p);
          free (block);
        }
}

static void
check_compensated_threads (const struct subject *s, void *context)
{
  if (s->mode != GT_MODE_FAST)
    check_threads (s, context);
}

TEST (compensated_parts_are_exact)
{
  for (size_t r = 0; r < N_OF (reals); r++)
    for (size_t stride = 1; stride <= 2; stride++)
      {
        struct problem p = {NULL, CANCELLING_N, stride, 0, {{0}}};
        void *data = malloc (CANCELLING_N * stride
                             * gt_arithmetics[reals[r]].size);

        assert_non_null (data);
        p.data = data;
        p.expected
          = put_cancelling (reals[r], data, CANCELLING_N, stride, 99);
        for_each_function (reals[r], stride, check_compensated_threads, &p);
        free (data);
      }
}

/* Bits of a sum that depend on the order of the additions.  */
static double
inexact_sum (const struct gt_plan *plan, enum gt_mode mode,
             const double *data, size_t n)
{
  union gt_value sum;

  compute_on_cpu (plan, GT_F64, mode, data, n, 1, &sum);
  finish_sum (GT_F64, mode, &sum);
  return sum.f64[0];
}

/* In a parallel region, in a forked child, and in a team smaller than asked
   for, one thread or a few compute the same parts.  */
static void
check_same_bits (const struct subject *s, void *context)
{
  const struct problem *p = context;
  unsigned different = 0;
  double first = 0;

  if (s->mode != GT_MODE_FAST || !(s->kernel->tunables & GT_TUNE_THREADS))
    return;
  for (unsigned threads = 1; threads <= 8; threads++)
    {
      struct gt_plan plan = plan_of (s, threads);
      double alone = inexact_sum (&plan, s->mode, p->data, p->n);
      double inside[2];

#pragma omp parallel for num_threads (2)
      for (int i = 0; i < 2; i++)
        inside[i] = inexact_sum (&plan, s->mode, p->data, p->n);
      assert_memory_equal (&inside[0], &alone, sizeof alone);
      assert_memory_equal (&inside[1], &alone, sizeof alone);
      gt_forked = 1;
      inside[0] = inexact_sum (&plan, s->mode, p->data, p->n);
      gt_forked = 0;
      assert_memory_equal (&inside[0], &alone, sizeof alone);
      first = threads == 1 ? alone : first;
      different += alone != first;
    }
  assert_true (different > 0); /* or the data do not depend on the order */
}

TEST (the_bits_are_those_of_the_plan)
{
  enum { N = 50000 };
  double *data = malloc (N * sizeof *data);
  struct problem p = {data, N, 1, 0, {{0}}};
  uint64_t seed = 5;

  assert_non_null (data);
  for (size_t i = 0; i < N; i++)
    data[i] = (double) random_within (&seed, INT64_C (1) << 53) * 0x1p-53;
  for_each_function (GT_F64, 1, check_same_bits, &p);
  free (data);
}

/* A plan of more threads than one sum may use.  */
TEST (threads_are_bounded)
{
  size_t n = (size_t) 1024 * 4096 + 5;
  struct subject s = {.kernel = sum_kernel ("simd"), .unroll = 2};
  uint8_t *data = malloc (n);
  struct gt_plan plan;
  union gt_value expected, sum;

  assert_non_null (data);
  expected = put_exact (GT_U8, data, n, 1, 3);
  s.function = sum_function (s.kernel, GT_U8, GT_MODE_FAST,
                                   GT_CONTIGUOUS, 4);
  plan = plan_of (&s, 1 << 20);
  gt_forked = 1; /* 512 parts, one thread */
  compute_on_cpu (&plan, GT_U8, GT_MODE_FAST, data, n, 1, &sum);
  gt_forked = 0;
  assert_int_equal (sum.u8[0], expected.u8[0]);
  free (data);
}

RUN_TESTS (NULL, NULL)
