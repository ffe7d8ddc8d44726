/* Tests of exact mode: the same bits from every CPU kernel, unroll factor,
   number of threads and split, and from the public functions for every real
   type: those of MPFR's sum, rounded once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <fenv.h>

#if defined __x86_64__
#include <xmmintrin.h>
#endif

#include "kernels/cpu/sums/combine.h"
#include "src/base/env.h"
#include "src/cpu/backend_cpu.h"
#include "tests/accumulator_cases.h"
#include "tests/sums.h"
#include "tuning/measure/data.h"

#define LONGEST 70000 /* elements, with the gaps between them */
#define SHORTS 1100   /* past the longest vector summed without a plan */

/* ----------------------------------------------------------- Element types */

/* Numbers of other types, of the kinds of tests/accumulator_cases.h: what
   cancels as doubles does so here.  */
static double
as_f64 (double x)
{
  return x;
}

/* The exponent as far along in the range of floats as it was in that of
   doubles.  */
static float
as_f32 (double x)
{
  uint64_t bits;
  uint32_t word;
  float y;

  memcpy (&bits, &x, sizeof bits);
  word = (uint32_t) (bits >> 63) << 31
         | (uint32_t) ((bits >> 52 & 0x7ff) * 254 / 2046) << 23
         | (uint32_t) (bits >> 29 & 0x7fffff);
  memcpy (&y, &word, sizeof y);
  return y;
}

/* With digits beyond those of doubles.  */
static long double
as_ldbl (double x)
{
  return (long double) x * (1 + 0x3p-60L);
}

#define PUBLIC_f64 gsltune_vector_sum
#define PUBLIC_f32 gsltune_vector_float_sum
#define PUBLIC_ldbl gsltune_vector_long_double_sum
#define INFIX_f64
#define INFIX_f32 _float
#define INFIX_ldbl _long_double
#define ORACLE_f64 oracle_round (&narrow)
#define ORACLE_f32 oracle_round_float (&narrow)
#define ORACLE_ldbl oracle_round_long_double (&wide)
#define ADD_f64(x) oracle_add (&narrow, x)
#define ADD_f32(x) oracle_add (&narrow, (double) (x))
#define ADD_ldbl(x) oracle_add_long_double (&wide, x)
#define CHECK_f64 check_double
#define CHECK_f32 check_float
#define CHECK_ldbl check_long_double
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_ (a, b)
#define VECTOR(name) PASTE (gsl_vector, INFIX_##name)

static const char *
kind_name (unsigned kind)
{
  return kinds[kind].name;
}

/* For each type: room for a vector; N elements of KIND in it, OFFSET elements
   from its beginning and STRIDE apart, among NaN; and their sum by MPFR.  */
#define X(id, name, ctype, real)                                              \
  static ctype room_##name[LONGEST];                                          \
                                                                              \
  static ctype fill_##name (unsigned kind, size_t n, size_t stride,           \
                            size_t offset)                                    \
  {                                                                           \
    static double x[LONGEST];                                                 \
    kinds[kind].fill (x, n);                                                  \
    for (size_t i = 0; i < offset + n * stride; i++)                          \
      room_##name[i] = (ctype) NAN;                                           \
    oracle_reset (&narrow);                                                   \
    oracle_reset (&wide);                                                     \
    for (size_t i = 0; i < n; i++)                                            \
      {                                                                       \
        room_##name[offset + i * stride] = as_##name (x[i]);                  \
        ADD_##name (as_##name (x[i]));                                        \
      }                                                                       \
    return ORACLE_##name;                                                     \
  }                                                                           \
                                                                              \
  static ctype public_##name (size_t n, size_t stride, size_t offset)         \
  {                                                                           \
    VECTOR (name) v = {n, stride, room_##name + offset, NULL, 0};             \
    return PUBLIC_##name (&v);                                                \
  }                                                                           \
                                                                              \
  static void check_public_##name (unsigned kind, size_t n, size_t stride,    \
                                   size_t offset)                             \
  {                                                                           \
    char what[128];                                                           \
    ctype expected = fill_##name (kind, n, stride, offset);                   \
    snprintf (what, sizeof what, "%s, %s, n = %zu, stride %zu, from %zu",     \
              #name, kind_name (kind), n, stride, offset);                    \
    CHECK_##name (what, public_##name (n, stride, offset), expected);         \
  }
GT_REAL_ARITHMETICS (X)
#undef X

/* ---------------------------------------------------------- Public functions */

/* Every length that is summed without a plan, and some more.  */
TEST (every_short_length)
{
  seed = 1;
  for (size_t n = 0; n <= SHORTS; n++)
    {
      unsigned kind = (unsigned) n % N_OF (kinds);

      check_public_f64 (kind, n, 1, n % 8);
      check_public_f64 ((kind + 4) % N_OF (kinds), n, 1 + n % 3, n % 3);
      check_public_f32 (kind, n, 1, n % 16);
      check_public_f32 ((kind + 4) % N_OF (kinds), n, 1 + n % 3, n % 3);
      if (n < 50 || n % 64 == 0)
        check_public_ldbl (kind, n, 1 + n % 2, n % 4);
    }
}

TEST (random_vectors)
{
  seed = 2;
  for (unsigned i = 0; i < 30000; i++)
    {
      unsigned kind = below (N_OF (kinds));
      size_t n = below (below (4) ? 12 : 300), stride = 1 + below (3);

      check_public_f64 (kind, n, stride, below (8));
      check_public_f32 (kind, n, stride, below (16));
      if (i % 8 == 0)
        check_public_ldbl (kind, n, stride, below (4));
    }
}

TEST (long_vectors)
{
  seed = 3;
  for (unsigned kind = 0; kind < N_OF (kinds); kind++)
    {
      check_public_f64 (kind, 20000 + kind, 1, kind);
      check_public_f64 (kind, 10000 + kind, 3, kind);
      check_public_f32 (kind, 20000 + kind, 1, kind);
      check_public_f32 (kind, 10000 + kind, 3, kind);
      check_public_ldbl (kind, 2000 + kind, 2, kind);
    }
}

/* Infinities, NaN, zeros and overflow, among -0, in vectors of three elements and
   many.  A NaN has one encoding.  */
#define X(id, name, ctype, real)                                              \
  static void specials_##name (void)                                          \
  {                                                                           \
    static const size_t lengths[] = {3, 4, 10, GT_SPECIAL_N};                 \
    static ctype hard[GT_HARD_N];                                             \
    const ctype *all = hard + GT_CANCELLING_N;                                \
    gt_data_hard (GT_##id, hard);                                             \
    for (unsigned which = 0; which < GT_N_SPECIALS; which++)                  \
      for (size_t l = 0; l < N_OF (lengths); l++)                             \
        {                                                                     \
          const ctype *x = all + which * GT_SPECIAL_N;                        \
          size_t n = 0;                                                       \
          for (size_t i = 0; i < lengths[l]; i++)                             \
            room_##name[i] = -(ctype) 0;                                      \
          for (size_t i = 0; i < GT_SPECIAL_N; i++)                           \
            if (x[i] != 0)                                                    \
              room_##name[n++] = x[i];                                        \
          CHECK_##name ("special numbers", public_##name (lengths[l], 1, 0),  \
                        gt_data_special_sum (GT_SUM, GT_##id, which).name[0]); \
        }                                                                     \
    room_##name[0] = -(ctype) NAN;                                            \
    CHECK_##name ("a NaN", public_##name (1, 1, 0), (ctype) NAN);             \
    room_##name[0] = -(ctype) 0;                                              \
    CHECK_##name ("a minus zero", public_##name (1, 1, 0), 0);                \
    room_##name[1] = -(ctype) 0;                                              \
    CHECK_##name ("minus zeros", public_##name (2, 1, 0), 0);                 \
    room_##name[0] = (ctype) INFINITY;                                        \
    room_##name[1] = -(ctype) INFINITY;                                       \
    CHECK_##name ("both infinities", public_##name (2, 1, 0), (ctype) NAN);   \
  }
GT_REAL_ARITHMETICS (X)
#undef X

TEST (special_numbers)
{
#define X(id, name, ctype, real) specials_##name ();
  GT_REAL_ARITHMETICS (X)
#undef X
}

/* ------------------------------------------------- Floating-point environments */

static unsigned
control_word (void)
{
#if defined __x86_64__
  return _mm_getcsr () & 0xffc0;
#else
  return (unsigned) fegetround ();
#endif
}

/* Makes subnormals zero, where that can be had.  */
static void
flush_subnormals (int flush)
{
#if defined __x86_64__
  _mm_setcsr ((_mm_getcsr () & ~0x8040u) | (flush ? 0x8040 : 0));
#else
  (void) flush;
#endif
}

static void
check_environment (int rounding, int flush, size_t n, unsigned kind)
{
  double is, expected = fill_f64 (kind, n, 1, 0);
  float is_f32, expected_f32 = fill_f32 (kind, n, 1, 0);
  long double is_ldbl, expected_ldbl = fill_ldbl (kind, n, 1, 0);
  unsigned before, after;

  fesetround (rounding);
  flush_subnormals (flush);
  before = control_word ();
  is = public_f64 (n, 1, 0);
  is_f32 = public_f32 (n, 1, 0);
  is_ldbl = public_ldbl (n, 1, 0);
  after = control_word ();
  flush_subnormals (0);
  fesetround (FE_TONEAREST);
  check_double ("another environment", is, expected);
  check_float ("another environment", is_f32, expected_f32);
  check_long_double ("another environment", is_ldbl, expected_ldbl);
  assert_int_equal (after, before);
}

TEST (any_environment)
{
  static const int roundings[]
    = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static const size_t lengths[] = {1, 2, 3, 9, 20, 100, 1024, 5000};

  seed = 4;
  for (size_t r = 0; r < N_OF (roundings); r++)
    for (int flush = 0; flush < 2; flush++)
      for (size_t l = 0; l < N_OF (lengths); l++)
        for (unsigned kind = 0; kind < N_OF (kinds); kind++)
          check_environment (roundings[r], flush, lengths[l], kind);
}

/* An infinite sum is no trap's business.  */
TEST (traps)
{
  static const size_t lengths[] = {1, 2, 3, 9, 20, 1000, 5000};
  double is[N_OF (lengths)];
  int before, after;

  for (size_t i = 0; i < LONGEST; i++)
    room_f64[i] = i ? 1 : INFINITY;
  feclearexcept (FE_ALL_EXCEPT);
  feenableexcept (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
  before = fegetexcept (); /* none where the processor has no traps */
  for (size_t l = 0; l < N_OF (lengths); l++)
    is[l] = public_f64 (lengths[l], 1, 0);
  after = fegetexcept ();
  fedisableexcept (FE_ALL_EXCEPT);
  assert_int_equal (after, before);
  for (size_t l = 0; l < N_OF (lengths); l++)
    assert_true (is[l] == INFINITY);
}

/* ---------------------------------------- Kernels, unroll factors, threads */

/* N elements of an arithmetic, STRIDE apart, and their sum.  */
struct problem
{
  enum gt_arithmetic arithmetic;
  const char *data;
  size_t n, stride;
  union gt_value expected;
};

static void
check_result (const struct problem *p, const struct gt_kernel *kernel,
              unsigned unroll, unsigned threads, union gt_value *sum)
{
  finish_sum (p->arithmetic, GT_MODE_EXACT, sum);
  if (!gt_value_identical (p->arithmetic, sum, &p->expected))
    fail_msg ("%s %s u%u, %u threads, n = %zu, stride %zu: %s instead of %s",
              kernel->name, gt_arithmetics[p->arithmetic].name, unroll, threads,
              p->n, p->stride, sum_text (p->arithmetic, sum),
              sum_text (p->arithmetic, &p->expected));
}

/* In pieces of any length, each with an accumulator of its own, merged from the
   last to the first.  */
static void
check_split (const struct problem *p, const struct gt_kernel *kernel,
             gt_cpu_function *function, unsigned unroll)
{
  size_t size = gt_arithmetics[p->arithmetic].size, left = p->n;
  union gt_value all, piece;

  gt_super_clear (&all.super);
  while (left > 0)
    {
      size_t count = 1 + below (4000);
      struct gt_task task;

      count = count < left ? count : left;
      left -= count;
      task = gt_task_of (GT_SUM, p->arithmetic, GT_MODE_EXACT,
                         p->data + left * p->stride * size, count, p->stride);
      function (&task, &piece);
      merge_sum (p->arithmetic, GT_MODE_EXACT, &all, &piece);
    }
  check_result (p, kernel, unroll, 0, &all);
}

static unsigned
check_kernel (const struct problem *p, const struct gt_kernel *kernel)
{
  unsigned count = 0;

  for (unsigned u = 0; u < GT_N_UNROLLS; u++)
    {
      struct gt_plan plan = {.kernel = kernel};
      union gt_value sum;

      plan.function
        = sum_function (kernel, p->arithmetic, GT_MODE_EXACT,
                              p->stride == 1 ? GT_CONTIGUOUS : GT_STRIDED,
                              GT_UNROLL (u));
      if (plan.function == NULL)
        continue;
      count++;
      plan.config.unroll = GT_UNROLL (u);
      for (unsigned t = 1; t <= 8; t++)
        {
          plan.config.threads = kernel->tunables & GT_TUNE_THREADS ? t : 1;
          compute_on_cpu (&plan, p->arithmetic, GT_MODE_EXACT, p->data, p->n,
                      p->stride, &sum);
          check_result (p, kernel, GT_UNROLL (u), t, &sum);
        }
      if (kernel->tunables & GT_TUNE_THREADS)
        check_split (p, kernel, plan.function, GT_UNROLL (u));
    }
  return count;
}

static void
check_kernels (const struct problem *p)
{
  unsigned count = 0;

  for (unsigned k = 0; k < gt_catalog_size; k++)
    if (gt_catalog[k].device == GT_CPU)
      count += check_kernel (p, &gt_catalog[k]);
  assert_true (count > 0);
}

TEST (all_kernels_agree)
{
  seed = 5;
  for (unsigned kind = 0; kind < N_OF (kinds); kind++)
    for (size_t stride = 1; stride <= 2; stride++)
      {
        struct problem p = {GT_F64, (const char *) (room_f64 + kind % 8),
                            20011, stride, {{0}}};

        p.expected.f64[0] = fill_f64 (kind, p.n, stride, kind % 8);
        check_kernels (&p);
        p.arithmetic = GT_F32;
        p.data = (const char *) (room_f32 + kind % 8);
        p.expected.f32[0] = fill_f32 (kind, p.n, stride, kind % 8);
        check_kernels (&p);
        p.arithmetic = GT_LDBL;
        p.n = 1011;
        p.data = (const char *) (room_ldbl + kind % 8);
        p.expected.ldbl[0] = fill_ldbl (kind, p.n, stride, kind % 8);
        check_kernels (&p);
      }
}

/* --------------------------------------------------------- Certified data */

/* NIST's numbers: N times the certified mean, to 15 digits.  */
static void
check_nist (const char *name)
{
  char path[4096], line[256], is[32], expected[32];
  const char *srcdir = getenv ("srcdir");
  double mean = NAN;
  size_t n = 0;
  FILE *file;

  snprintf (path, sizeof path, "%s/tests/data/%s.dat", srcdir ? srcdir : ".",
            name);
  file = fopen (path, "r");
  assert_non_null (file);
  oracle_reset (&narrow);
  while (fgets (line, sizeof line, file))
    if (strstr (line, "certified mean "))
      mean = strtod (strstr (line, "certified mean ") + 15, NULL);
    else if (line[0] != '#')
      {
        room_f64[n] = strtod (line, NULL);
        oracle_add (&narrow, room_f64[n++]);
      }
  fclose (file);
  check_double (name, public_f64 (n, 1, 0), oracle_round (&narrow));
  snprintf (is, sizeof is, "%.14e", public_f64 (n, 1, 0) / (double) n);
  snprintf (expected, sizeof expected, "%.14e", mean);
  assert_string_equal (is, expected);
}

TEST (nist)
{
  static const char *const names[]
    = {"lew", "lottery", "mavro", "numacc1", "numacc2", "numacc3"};

  for (size_t i = 0; i < N_OF (names); i++)
    check_nist (names[i]);
}

int
main (void)
{
  gt_env.profile_dir = "/nonexistent";
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  return run_unit_tests (set_up, tear_down);
}
