/* Tests of exact sums, one and several at once (kernels/cpu/exact/exact.c): for every instruction
   set the accumulators hold what adding products, elements and terms one by one gives, word by
   word.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "kernels/catalog.h"
#include "src/cpu/backend_cpu.h"
#include "tests/drawn.h"
#include "tests/sums_oracle.h"

#define LONGEST 5000
#define VERY_LONG ((size_t) (1 << 20) + 13) /* many blocks */
#define MOST_STRIDE 7

static uint64_t seed;

static unsigned
some_below (unsigned limit)
{
  return (unsigned) below (&seed, (int) limit);
}

static size_t
some_stride (void)
{
  return 1 + some_below (2) * some_below (MOST_STRIDE);
}

/* ------------------------------------------------------------------- Data */

/* Kinds by which the window of an exact sum has to move, beside those of tests/drawn.h.  */
enum
{
  RARE_HUGE = N_KINDS, JUMPS_UP, JUMPS_DOWN, JUMP_WITHIN, GROWS, FEW_SPECIAL, SQUARES_VANISH,
  MIXED, N_ALL
};

/* A number of either sign with all digits and an exponent in [FROM, TO].  */
static double
scaled (int from, int to)
{
  const double x = 1 + (double) (random_word (&seed) >> 12) * 0x1p-52;

  return ldexp (some_below (2) ? x : -x, from + (int) some_below ((unsigned) (to - from + 1)));
}

/* Number I of N.  */
static double
moving (int kind, size_t i, size_t n)
{
  static const double specials[]
    = {(double) INFINITY, -(double) INFINITY, (double) NAN, -0.0, 0, DBL_MAX, -DBL_MAX, 0x1p-1074,
       -0x1p-1022, 0x1p996, 0x1p-484};
  const int step = (int) (i / 777 % 7) * 15, slope = (int) (i * 200 / n) - 100;

  switch (kind)
    {
    case RARE_HUGE: return some_below (300) ? scaled (-1, -1) : scaled (-100, 100);
    case JUMPS_UP: return scaled (step, step + 9);
    case JUMPS_DOWN: return scaled (100 - step, 109 - step);
    case JUMP_WITHIN: return i < n / 2 ? scaled (-3, 0) : scaled (60, 64);
    case GROWS: return scaled (slope, slope + 2);
    case SQUARES_VANISH: return some_below (2) ? scaled (-491, -480) : scaled (-543, -530);
    default: return some_below (40) ? scaled (-1, -1) : specials[some_below (N_OF (specials))];
    }
}

/* The vector from which a kernel reads.  */
struct operand
{
  long double room[(VERY_LONG + 64) / 2];
  char *data;
  int kind;
  size_t stride;
};
static struct operand first, second;

static void
fill_part (struct operand *v, enum gt_arithmetic a, int kind, size_t from, size_t n)
{
  char *const at = v->data + from * v->stride * gt_element_size (a);

  if (a > GT_F32)
    for (size_t i = 0; i < n; i++)
      put_integer (a, at, i * v->stride, random_word (&seed));
  else if (kind < N_KINDS && n > 0)
    draw_elements (a == GT_F64 ? GT_TYPE_DOUBLE : GT_TYPE_FLOAT, at, v->stride, n, (enum kind) kind,
                   &seed);
  else
    for (size_t i = 0; i < n; i++)
      put_element (a, at, i * v->stride, moving (kind, i, n));
}

/* N elements of KIND, or of one kind after another, among what nobody may add.  */
static void
fill (struct operand *v, enum gt_arithmetic a, int kind, size_t n, size_t stride)
{
  const size_t size = gt_element_size (a);

  v->data = (char *) v->room + (16 + some_below (9)) * size;
  v->kind = kind;
  v->stride = stride;
  fill_poison (a, v->data - 16 * size, n * stride + 32);
  for (size_t from = 0, count; from < n; from += count)
    {
      count = kind < MIXED ? n : 1 + some_below (300);
      if (count > n - from)
        count = n - from;
      fill_part (v, a, kind < MIXED ? kind : (int) some_below (MIXED), from, count);
    }
}

/* Products that cancel, but for an odd one at the end.  */
static void
cancel (struct operand *v, enum gt_arithmetic a, size_t n, int sign)
{
  for (size_t i = 1; i < n; i += 2)
    put_element (a, v->data, i * v->stride, sign * get_element (a, v->data, (i - 1) * v->stride));
}

/* -------------------------------------------------------------- Expected */

static union gt_value expected, value;

/* One sum alone.  */
static int
is_one (enum gt_reduction reduction)
{
  return reduction == GT_SUM || reduction == GT_ASUM;
}

static void
expect (const struct gt_task *task)
{
  const struct gt_problem *p = &task->problem;

  if (!is_one (p->reduction))
    {
      oracle_sums (task, &expected.exact);
      return;
    }
  super_clear (&expected.super);
  for (size_t i = 0; i < p->n; i++)
    {
      const double x = get_element (p->arithmetic, task->x.data, i * task->x.stride);

      super_add (&expected.super, p->reduction == GT_SUM ? x : fabs (x));
    }
  super_normalise (&expected.super);
}

static int
differs (enum gt_reduction reduction)
{
  if (!is_one (reduction))
    return oracle_differs (reduction, &value.exact, &expected.exact) >= 0;
  super_normalise (&value.super);
  return !oracle_same_words (value.super.word, value.super.flags, expected.super.word,
                             expected.super.flags, GT_SUPER_WORDS);
}

static void
check (const struct gt_task *task, const char *who)
{
  const struct gt_problem *p = &task->problem;

  if (differs (p->reduction))
    fail_msg ("%s of %s by %s: n = %zu, kinds %d and %d, strides %zu and %zu (seed %ju)",
              gt_reductions[p->reduction].name, gt_arithmetics[p->arithmetic].name, who,
              (size_t) p->n, first.kind, second.kind, first.stride, second.stride, (uintmax_t) seed);
}

/* ------------------------------------------------------------- Computing */

static struct gt_task
make_task (enum gt_reduction reduction, enum gt_arithmetic arithmetic, int kind, size_t n,
           size_t stride, size_t other_stride)
{
  struct gt_task task;

  fill (&first, arithmetic, kind, n, stride);
  fill (&second, arithmetic, some_below (2) ? kind : (int) some_below (N_ALL), n, other_stride);
  if (arithmetic <= GT_F32 && some_below (8) == 0)
    {
      cancel (&first, arithmetic, n, 1);
      cancel (&second, arithmetic, n, -1);
    }
  task = gt_task_of_pair (reduction, arithmetic, GT_MODE_EXACT,
                          (struct gt_operand) {first.data, stride},
                          (struct gt_operand) {second.data, other_stride}, n);
  task.shift[0] = 0.3;
  task.shift[1] = 0.1;
  task.scale = scaled (-10, 10);
  expect (&task);
  return task;
}

static void
check_isas (const struct gt_task *task)
{
  const struct gt_kernel *kernel = gt_catalog_find ("exact", task->problem.reduction);

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
    .kernel = gt_catalog_find ("exact", task->problem.reduction),
    .config = {.threads = threads, .unroll = 1}
  };

  plan.function = gt_kernel_function (plan.kernel, &task->problem, plan.config.unroll);
  memset (&value, 0xa5, sizeof value);
  gt_cpu_compute (&plan, task, &value);
  check (task, "threads");
}

static int
has_exact (int reduction, int arithmetic)
{
  const struct gt_problem problem
    = {(enum gt_reduction) reduction, (enum gt_arithmetic) arithmetic, GT_MODE_EXACT, GT_CONTIGUOUS, 0};

  return is_one (problem.reduction)
           ? arithmetic <= GT_F32
           : gt_reduction_sums (problem.reduction) && gt_device_computes (GT_CPU, &problem);
}

/* A reduction of an arithmetic, of those that there are: reals mostly.  */
static enum gt_reduction
some_reduction (enum gt_arithmetic *arithmetic)
{
  for (;;)
    {
      const enum gt_reduction r = (enum gt_reduction) some_below (GT_N_REDUCTIONS);

      *arithmetic = (enum gt_arithmetic) some_below (some_below (8) ? 2 : GT_FIRST_COMPLEX);
      if (has_exact (r, *arithmetic))
        return r;
    }
}

/* -------------------------------------------------------------------- Tests */

TEST (every_length)
{
  seed = 1;
  for (size_t n = 0; n <= 600; n++)
    for (int kind = 0; kind < N_ALL; kind++)
      {
        enum gt_arithmetic arithmetic;
        const enum gt_reduction reduction = some_reduction (&arithmetic);
        const struct gt_task task
          = make_task (reduction, arithmetic, kind, n, some_stride (), some_stride ());

        check_isas (&task);
      }
}

TEST (every_reduction)
{
  seed = 2;
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (int a = 0; a < GT_FIRST_COMPLEX; a++)
      for (int kind = 0; has_exact (r, a) && kind < N_ALL; kind++)
        {
          const struct gt_task task
            = make_task ((enum gt_reduction) r, (enum gt_arithmetic) a, kind,
                         1000 + some_below (LONGEST - 1000), 1, 1);

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
      const size_t n = some_below (some_below (4) ? 40 : some_below (8) ? 700 : LONGEST);
      const struct gt_task task = make_task (reduction, arithmetic, (int) some_below (N_ALL), n,
                                             some_stride (), some_stride ());

      check_isas (&task);
      if (i % 16 == 0)
        check_threads (&task, 1 + some_below (4));
    }
}

TEST (several_threads)
{
  seed = 4;
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (unsigned threads = 1; has_exact (r, GT_F64) && threads <= 4; threads++)
      {
        const struct gt_task task
          = make_task ((enum gt_reduction) r, GT_F64, threads % 2 ? MIXED : (int) some_below (MIXED),
                       LONGEST, 1 + some_below (3), 1 + some_below (3));

        check_threads (&task, threads);
      }
}

TEST (very_long)
{
  seed = 5;
  for (int kind = 0; kind < N_ALL; kind++)
    {
      const struct gt_task task
        = make_task (GT_SUM, kind % 2 ? GT_F64 : GT_F32, kind, VERY_LONG - some_below (99), 1, 1);

      check_isas (&task);
    }
}

/* Dot products of N times X and Y.  */
static void
check_constant (double x, double y, size_t n)
{
  struct gt_task task;

  fill (&first, GT_F64, WHOLE, n, 1);
  fill (&second, GT_F64, WHOLE, n, 1);
  for (size_t i = 0; i < n; i++)
    {
      put_element (GT_F64, first.data, i, x);
      put_element (GT_F64, second.data, i, y);
    }
  task = gt_task_of_pair (GT_DOT, GT_F64, GT_MODE_EXACT, (struct gt_operand) {first.data, 1},
                          (struct gt_operand) {second.data, 1}, n);
  expect (&task);
  check_isas (&task);
}

/* Rounded products of one digit, with errors a hundred bits below, about where these
   are no doubles.  */
TEST (errors_vanish)
{
  seed = 6;
  for (int exponent = -1100; exponent < -900; exponent++)
    check_constant (ldexp (1 + 0x1p-52, -450), ldexp (1 - 0x1p-52, exponent + 450),
                    1 + some_below (300));
}

/* Products of which level 0 leaves as much as it may to level 1, all of one sign, in
   the longest calls.  */
TEST (levels_fill)
{
  for (int bit = 36; bit < 52; bit++)
    for (int sign = -1; sign <= 1; sign += 2)
      check_constant (sign * (1 + ldexp (1, -bit) - 0x1p-52), 1, LONGEST);
}

RUN_TESTS (NULL, NULL)
