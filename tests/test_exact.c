/* Tests of exact mode: the same bits from every CPU kernel, unroll factor, number of threads and
   split, and from sums in two doubles of every instruction set (kernels/cpu/quick/direct.c): those
   of the exact value, rounded once.  What the public functions return is in test_truth.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/quick/quick.h"
#include "src/base/env.h"
#include "src/gsltune.h"
#include "src/reduce/exact_sums.h"
#include "tests/drawn.h"
#include "tests/oracle.h"
#include "tests/sums.h"
#include "tests/sums_kernels.h"
#include "tests/super.h"

#define LONGEST 20011
#define SHORTS 1100 /* more elements than vectors have that are summed without a plan */
#define MOST_STRIDE 7

static struct oracle oracle;
static mpfr_t exact;
static uint64_t seed;

/* Two vectors, among what nobody may add, that begin anywhere; the first number that is given.  */
static long double room[2][2 * LONGEST + 64];
static struct
{
  enum gt_element_type type;
  size_t n, stride[2];
  char *at[2];
  int kind[2];
  double given[2];
} data;

static size_t
some_below (unsigned limit)
{
  return (size_t) below (&seed, (int) limit);
}

static size_t
some_stride (void)
{
  return 1 + some_below (2) * some_below (MOST_STRIDE);
}

static void
draw (int which, enum gt_element_type type, int kind, size_t n, size_t stride)
{
  data.type = type;
  data.kind[which] = kind;
  data.n = n;
  data.stride[which] = stride;
  data.at[which] = (char *) room[which] + some_below (9) * gt_types[type].size;
  draw_elements (type, data.at[which], stride, n, (enum kind) kind, &seed);
}

static void
draw_both (enum gt_element_type type, int kind, size_t n)
{
  draw (0, type, kind, n, some_stride ());
  draw (1, type, some_below (2) ? kind : (int) some_below (N_KINDS), n, some_stride ());
  data.given[0] = some_below (2) ? 0 : (double) (float) ldexp (1.5, (int) some_below (100) - 50);
}

static void
load (void)
{
  oracle_load (&oracle, data.type, data.at[0], data.stride[0], data.at[1], data.stride[1], data.n,
               data.given);
}

/* The value of NAME of what is loaded, as a number of type AS.  */
static long double
expected (const char *name, enum gt_element_type as)
{
  assert_true (oracle_value (exact, &oracle, name, 0));
  return mpfr_zero_p (exact)  ? 0
         : mpfr_nan_p (exact) ? (long double) NAN : oracle_rounded (exact, &oracle_formats[as]);
}

/* ----------------------------------------------------------------- Direct sums */

/* The results that are made of direct sums, and whether GIVEN is added, N divides, or a root is
   taken.  */
static const struct quantity
{
  const char *name;
  enum gt_reduction of;
  int is_given, is_mean, root;
  enum gt_element_type type, as;
} quantities[] = {
  {"sum", GT_SUM, 0, 0, 0, GT_TYPE_DOUBLE, GT_TYPE_DOUBLE},
  {"mean", GT_SUM, 0, 1, 0, GT_TYPE_DOUBLE, GT_TYPE_DOUBLE},
  {"dot", GT_DOT, 0, 0, 0, GT_TYPE_DOUBLE, GT_TYPE_DOUBLE},
  {"nrm2", GT_SUMSQ, 0, 0, 1, GT_TYPE_DOUBLE, GT_TYPE_DOUBLE},
  {"sum", GT_SUM, 0, 0, 0, GT_TYPE_FLOAT, GT_TYPE_FLOAT},
  {"mean", GT_SUM, 0, 1, 0, GT_TYPE_FLOAT, GT_TYPE_DOUBLE},
  {"dot", GT_DOT, 0, 0, 0, GT_TYPE_FLOAT, GT_TYPE_DOUBLE},
  {"sdsdot", GT_DOT, 1, 0, 0, GT_TYPE_FLOAT, GT_TYPE_FLOAT},
  {"nrm2", GT_SUMSQ, 0, 0, 1, GT_TYPE_FLOAT, GT_TYPE_FLOAT}
};

/* How many were asked for, and how many were told.  */
static unsigned asked, told;

/* Whether instruction set ISA tells the quantity, and what it IS.  */
static int
tells (int isa, const struct quantity *q, double *is)
{
  const struct gt_task task
    = gt_task_of_pair (q->of, gt_types[q->type].arithmetic, GT_MODE_EXACT,
                       (struct gt_operand) {data.at[0], data.stride[0]},
                       (struct gt_operand) {data.at[1], data.stride[1]}, data.n);
  struct gt_ball ball;
  float single;
  int status;

  if (!gt_quick_isas[isa].direct (&task, q->is_given ? data.given[0] : 0, &ball))
    return 0;
  if (q->as == GT_TYPE_DOUBLE)
    return gt_exact_to_double (ball, q->is_mean ? (double) data.n : 1, q->root, is);
  status = gt_exact_to_float (ball, q->root, &single);
  *is = (double) single;
  return status;
}

/* All quantities by every instruction set: what is told is right, and made of numbers.  */
static void
check_direct (void)
{
  load ();
  for (size_t k = 0; k < N_OF (quantities) && data.n > 0; k++)
    for (int isa = 0; isa < GT_N_ISAS; isa++)
      {
        const struct quantity *const q = &quantities[k];
        double is, should;

        if (q->type != data.type || !gt_isa_runs ((enum gt_isa) isa))
          continue;
        asked++;
        if (!tells (isa, q, &is))
          continue;
        told++;
        should = (double) expected (q->name, q->as);
        if (!mpfr_number_p (exact) || memcmp (&is, &should, sizeof is) != 0)
          fail_msg ("%s of %s by %s: %a instead of %a: n = %zu, kinds %d and %d, strides %zu and %zu"
                    " (seed %ju)", q->name, gt_types[q->type].name, gt_isa_names[isa], is, should,
                    data.n, data.kind[0], data.kind[1], data.stride[0], data.stride[1],
                    (uintmax_t) seed);
      }
}

/* GSLTUNE_TEST_CASES of them, or a few ten thousand.  */
TEST (random_vectors)
{
  const char *text = getenv ("GSLTUNE_TEST_CASES");
  const long cases = text ? atol (text) : 40000;

  seed = 2;
  for (long i = 0; i < cases; i++)
    {
      const unsigned most = some_below (8) ? 9 : some_below (8) ? 70 : some_below (8) ? SHORTS : 5000;

      draw_both (some_below (3) ? GT_TYPE_DOUBLE : GT_TYPE_FLOAT, (int) some_below (N_KINDS),
                 1 + some_below (most));
      check_direct ();
    }
}

/* A number, half of its last place, and next to nothing, or nothing, anywhere among zeros.  */
TEST (near_ties)
{
  seed = 7;
  for (int i = 0; i < 20000; i++)
    {
      const size_t n = 3 + some_below (i % 8 ? 20 : 300), at = some_below ((unsigned) n);
      const int exponent = (int) some_below (1900) - 900, less = 54 + (int) some_below (160);
      double *x, *y;

      draw (0, GT_TYPE_DOUBLE, OF_ZEROS, n, 1);
      draw (1, GT_TYPE_DOUBLE, OF_ZEROS, n, 1);
      x = (double *) data.at[0];
      y = (double *) data.at[1];
      for (size_t k = 0; k < n; k++)
        {
          x[k] = 0;
          y[k] = 1;
        }
      x[at] = ldexp (1 + (double) (random_word (&seed) >> 12) * 0x1p-52, exponent);
      x[(at + 1 + some_below ((unsigned) n - 1)) % n] += ldexp (0x1p-53, exponent);
      for (size_t k = 0; k < n && i % 3; k++)
        if (x[k] == 0)
          {
            x[k] = ldexp (i % 2 ? 1 : -1, exponent - less);
            break;
          }
      check_direct ();
    }
}

/* For lanes of all widths: the errors of one lane are some that are large, and many after them
   that are lost in their sum, all on one side, as many as the slack just covers.  */
TEST (the_slack_is_needed)
{
  seed = 4;
  for (int i = 0; i < 20000; i++)
    {
      const size_t width = (size_t) 2 << some_below (3), lane = some_below ((unsigned) width);
      const size_t n = 32 + some_below (300), vectors = n / width;
      const double unit = 0x1p-45, s = some_below (2) ? 1 : -1;
      const int exponent = (int) some_below (1700) - 900;
      double *x, *y;

      draw (0, GT_TYPE_DOUBLE, OF_ZEROS, n, 1);
      draw (1, GT_TYPE_DOUBLE, OF_ZEROS, n, 1);
      x = (double *) data.at[0];
      y = (double *) data.at[1];
      for (size_t k = 0; k < n; k++)
        {
          const size_t v = k / width;

          x[k] = k % width != lane || vectors < 4 || v >= vectors ? 0
                 : v == 0 ? 0x1p60
                 : v == 1 ? 64 * s
                 : v == 2 ? s * (64 + unit * (1 + (double) some_below ((unsigned) vectors)))
                          : -s * unit / 2 * (1 - 0x1p-30);
          x[k] = ldexp (x[k], exponent);
          y[k] = 1;
        }
      check_direct ();
    }
}

/* Ordinary data do not need an accumulator, but for ties.  */
TEST (ordinary_data_are_told)
{
  static const int ordinary[] = {AROUND_ZERO, MANY_SIZES, FAR};

  seed = 5;
  asked = told = 0;
  for (int i = 0; i < 4000; i++)
    {
      const enum gt_element_type type = i % 2 ? GT_TYPE_DOUBLE : GT_TYPE_FLOAT;
      const size_t n = 2 + some_below (some_below (2) ? 20 : SHORTS);

      draw (0, type, ordinary[i / 2 % 3], n, 1);
      draw (1, type, ordinary[some_below (3)], n, 1);
      check_direct ();
    }
  if (told < asked - asked / 400)
    fail_msg ("%u of %u", told, asked);
}

/* The error of a product of few numbers whose halves overflow is not left out.  */
TEST (one_product)
{
  const double x = ldexp (1 + 0x1p-30, 1000), y = ldexp (1 + 0x1p-24, -990);
  const struct gt_task task
    = gt_task_of_pair (GT_DOT, GT_F64, GT_MODE_EXACT, (struct gt_operand) {&x, 1},
                       (struct gt_operand) {&y, 1}, 1);
  struct gt_ball sum;

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    if (gt_isa_runs ((enum gt_isa) isa) && gt_quick_isas[isa].direct (&task, 0, &sum))
      assert_true (fabs (sum.l - 0x1p-44) <= sum.radius);
}

/* ---------------------------------------- Kernels, unroll factors, threads */

static void
check_result (const struct cpu_function *f, unsigned threads,
              const struct gt_task *task, union gt_value *sum, const union gt_value *right)
{
  const enum gt_arithmetic a = task->problem.arithmetic;

  finish_sum (a, GT_MODE_EXACT, sum);
  if (!same_bits (a, sum, right))
    fail_msg ("%s %s %s u%u, %u threads, n = %zu, stride %zu: %s instead of %s",
              f->kernel->name, gt_isa_names[f->isa], gt_arithmetics[a].name, f->unroll, threads,
              (size_t) task->problem.n, (size_t) task->x.stride, sum_text (a, sum),
              sum_text (a, right));
}

/* In pieces of any length, each with an accumulator of its own, merged from the
   last to the first.  */
static void
check_split (const struct cpu_function *f, const struct gt_task *task,
             const union gt_value *right)
{
  size_t left = task->problem.n;
  union gt_value all;

  super_clear (&all.super);
  while (left > 0)
    {
      const size_t most = 1 + some_below (4000), count = most < left ? most : left;
      const struct gt_task part = gt_task_part (task, left -= count, count);
      union gt_value piece;

      f->kernel->find[f->isa](&part.problem, f->unroll)(&part, &piece);
      gt_value_merge (&task->problem, &all, &piece);
    }
  check_result (f, 0, task, &all, right);
}

static void
check_kernel (const struct cpu_function *f, const struct gt_task *task, const void *right)
{
  const int many = (f->kernel->tunables & GT_TUNE_THREADS) != 0;

  for (unsigned threads = 1; threads <= (many ? 8 : 1); threads++)
    {
      union gt_value sum = computed_by (f, threads, task);

      check_result (f, threads, task, &sum, right);
    }
  if (many)
    check_split (f, task, right);
}

TEST (all_kernels_agree)
{
  seed = 6;
  for (int kind = 0; kind < N_KINDS; kind++)
    for (size_t stride = 1; stride <= 2; stride++)
      {
        struct gt_task task;
        union gt_value sum;

#define X(id, name, ctype, real)                                                        \
        draw (0, GT_TYPE_OF_##name, kind, GT_##id == GT_LDBL ? 1011 : LONGEST, stride); \
        oracle_load (&oracle, data.type, data.at[0], stride, NULL, 1, data.n, NULL);    \
        sum.name[0] = (ctype) expected ("sum", data.type);                              \
        task = gt_task_of (GT_SUM, GT_##id, GT_MODE_EXACT, data.at[0], data.n, stride); \
        assert_true (for_each_function (&task, check_kernel, &sum) > 0);
#define GT_TYPE_OF_f64 GT_TYPE_DOUBLE
#define GT_TYPE_OF_f32 GT_TYPE_FLOAT
#define GT_TYPE_OF_ldbl GT_TYPE_LONG_DOUBLE
        GT_REAL_ARITHMETICS (X)
#undef X
      }
}

/* ------------------------------------------------------------ Public functions */

/* A NaN has one encoding, and zeros are positive.  */
TEST (special_sums)
{
  static double x[] = {-0.0, -0.0, 1, -1, -(double) NAN, 3};
  const double nan = (double) NAN, zero = 0;

  for (size_t n = 1; n <= N_OF (x); n++)
    {
      const double sum = gsltune_vector_sum (&(gsl_vector) {n, 1, x, NULL, 0});

      if (n != 3)
        assert_memory_equal (&sum, n < 5 ? &zero : &nan, sizeof sum);
    }
}

/* NIST's numbers: N times the certified mean, to 15 digits.  */
static void
check_nist (const char *name)
{
  char path[4096], line[256], is[32], right[32];
  const char *srcdir = getenv ("srcdir");
  double *const x = (double *) room[0], mean = NAN;
  gsl_vector v = {0, 1, x, NULL, 0};
  FILE *file;

  snprintf (path, sizeof path, "%s/tests/data/%s.dat", srcdir ? srcdir : ".", name);
  file = fopen (path, "r");
  assert_non_null (file);
  while (fgets (line, sizeof line, file))
    if (strstr (line, "certified mean "))
      mean = strtod (strstr (line, "certified mean ") + 15, NULL);
    else if (line[0] != '#')
      x[v.size++] = strtod (line, NULL);
  fclose (file);
  oracle_load (&oracle, GT_TYPE_DOUBLE, x, 1, NULL, 1, v.size, NULL);
  assert_true (gsltune_vector_sum (&v) == (double) expected ("sum", GT_TYPE_DOUBLE));
  snprintf (is, sizeof is, "%.14e", gsltune_vector_sum (&v) / (double) v.size);
  snprintf (right, sizeof right, "%.14e", mean);
  assert_string_equal (is, right);
}

TEST (nist)
{
  static const char *const names[]
    = {"lew", "lottery", "mavro", "numacc1", "numacc2", "numacc3"};

  for (size_t i = 0; i < N_OF (names); i++)
    check_nist (names[i]);
}

FIXTURE (begin)
{
  oracle_begin (&oracle);
  mpfr_init (exact);
  gt_env.profile_dir = "/nonexistent";
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  return 0;
}

FIXTURE (end)
{
  mpfr_clear (exact);
  oracle_end (&oracle);
  return 0;
}

RUN_TESTS (begin, end)
