/* Tests of exact mode: the same bits from every CPU kernel, unroll factor, number of
   threads and split, from sums in two doubles of every instruction set
   (kernels/cpu/quick/direct.c), and from the public functions for every real
   type, in any floating-point environment: those of MPFR's sum, rounded once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#if defined __x86_64__
#include <xmmintrin.h>
#endif

#include "kernels/cpu/quick/quick.h"
#include "kernels/cpu/sums/combine.h"
#include "src/base/env.h"
#include "src/cpu/backend_cpu.h"
#include "src/public/exact_sums.h"
#include "tests/accumulator_cases.h"
#include "tests/sums.h"
#include "tests/sums_kernels.h"
#include "tests/super.h"

#define LONGEST 70000 /* elements, with the gaps between them */
#define MARGIN 16     /* elements that nobody may look at, on both sides */
#define SHORTS 1100   /* the longest of short vectors */
#define STRIDE 5      /* their longest */

/* ------------------------------------------------------------------- Data */

static int
sign (void)
{
  return below (2) ? 1 : -1;
}

/* As generators of random numbers give them: many sums of few are ties.  */
static void
uniform (double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    x[i] = (double) (random_word (&seed) >> 11) * 0x1p-53;
}

/* Of both signs, and exponents within +-40.  */
static void
moderate (double *x, size_t n)
{
  fill_exponents (x, n, 1023 - 40, 81);
}

static void
few_digits (double *x, size_t n)
{
  const int exponent = (int) below (1900) - 1000;

  for (size_t i = 0; i < n; i++)
    x[i] = ldexp (sign () * (double) below (16),
                   exponent + (int) below (60));
}

/* One of everything that is no ordinary number.  */
static void
specials (double *x, size_t n)
{
  static const double special[]
    = {(double) INFINITY, -(double) INFINITY, (double) NAN, -0.0, 0,
       DBL_MAX, -DBL_MAX, 0x1p-1074, -0x1p-1022, DBL_MIN};

  kinds[below (N_OF (kinds))].fill (x, n);
  for (size_t k = below (4); n > 0 && k > 0; k--)
    x[below ((unsigned) n)] = special[below (N_OF (special))];
}

static void
minus_zeros (double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    x[i] = -0.0;
}

/* For lanes: the errors of one lane are some that are large, and many after them
   that are lost in their sum, all on one side; what the sum of the vector rounds
   to depends on these.  */
static void
lost_errors (double *x, size_t n)
{
  const size_t width = (size_t) 2 << below (3), lane = below ((unsigned) width);
  const size_t vectors = n / width;
  const double unit = 0x1p-45, s = sign ();
  const int exponent = (int) below (1700) - 900;

  for (size_t i = 0; i < n; i++)
    x[i] = 0;
  if (vectors < 4)
    return;
  x[lane] = 0x1p60;
  x[width + lane] = 64 * s;
  x[2 * width + lane] = s * (64 + unit * (1 + below ((unsigned) vectors)));
  for (size_t k = 3; k < vectors; k++)
    x[k * width + lane] = -s * unit / 2 * (1 - 0x1p-30);
  for (size_t i = 0; i < n; i++)
    x[i] = ldexp (x[i], exponent);
}

/* Half a unit in the last place of a sum, and a little, spread over all.  */
static void
nearly_halfway (double *x, size_t n)
{
  const int exponent = (int) below (1800) - 900;
  const int little = -60 - (int) below (60);

  for (size_t i = 0; i < n; i++)
    x[i] = ldexp (sign () * (double) (1 + below (9)), little);
  if (n > 2)
    {
      x[0] = 1 + (double) below (1 << 20) * 0x1p-52;
      x[n / 2] += 0x1p-53 * sign ();
    }
  shuffle (x, n);
  for (size_t i = 0; i < n; i++)
    x[i] = ldexp (x[i], exponent);
}

static const struct
{
  const char *name;
  void (*fill) (double *x, size_t n);
} more_kinds[] = {
  {"uniform", uniform},         {"moderate", moderate},
  {"lost errors", lost_errors}, {"few digits", few_digits},
  {"specials", specials},       {"minus zeros", minus_zeros},
  {"nearly halfway", nearly_halfway}
};
#define UNIFORM N_OF (kinds)
#define MODERATE (UNIFORM + 1)
#define LOST_ERRORS (UNIFORM + 2)
#define N_KINDS (N_OF (kinds) + N_OF (more_kinds))

static void
fill_kind (unsigned kind, double *x, size_t n)
{
  if (kind < N_OF (kinds))
    kinds[kind].fill (x, n);
  else
    more_kinds[kind - N_OF (kinds)].fill (x, n);
}

static const char *
kind_name (unsigned kind)
{
  return kind < N_OF (kinds) ? kinds[kind].name
                             : more_kinds[kind - N_OF (kinds)].name;
}

/* ----------------------------------------------------------- Element types */

/* Numbers of other types: what cancels as doubles does so here.  */
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
  if ((bits >> 52 & 0x7ff) == 0x7ff)
    return (float) x;
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
describe (const char *who, unsigned kind, size_t n, size_t stride,
          size_t offset)
{
  static char text[128];

  snprintf (text, sizeof text, "%s, %s, n = %zu, stride %zu, from %zu", who,
            kind_name (kind), n, stride, offset);
  return text;
}

/* Whether the last vector has neither NaN nor infinity.  */
static int all_finite;

/* For each type: room for a vector; N elements of KIND in it, OFFSET elements
   from its beginning and STRIDE apart, among NaN; and their sum by MPFR.  */
#define X(id, name, ctype, real)                                              \
  static ctype room_##name[MARGIN + LONGEST + MARGIN];                        \
                                                                              \
  static ctype fill_##name (unsigned kind, size_t n, size_t stride,           \
                            size_t offset)                                    \
  {                                                                           \
    static double x[LONGEST];                                                 \
    ctype *at = room_##name + MARGIN + offset;                                \
                                                                              \
    fill_kind (kind, x, n);                                                   \
    for (size_t i = 0; i < 2 * MARGIN + offset + n * stride; i++)             \
      room_##name[i] = (ctype) NAN;                                           \
    oracle_reset (&narrow);                                                   \
    oracle_reset (&wide);                                                     \
    all_finite = 1;                                                           \
    for (size_t i = 0; i < n; i++)                                            \
      {                                                                       \
        at[i * stride] = as_##name (x[i]);                                    \
        ADD_##name (at[i * stride]);                                          \
        all_finite &= isfinite (at[i * stride]);                              \
      }                                                                       \
    return ORACLE_##name;                                                     \
  }                                                                           \
                                                                              \
  static ctype public_##name (size_t n, size_t stride, size_t offset)         \
  {                                                                           \
    VECTOR (name) v = {n, stride, room_##name + MARGIN + offset, NULL, 0};    \
                                                                              \
    return PUBLIC_##name (&v);                                                \
  }                                                                           \
                                                                              \
  static void check_public_##name (unsigned kind, size_t n, size_t stride,    \
                                   size_t offset)                             \
  {                                                                           \
    ctype expected = fill_##name (kind, n, stride, offset);                   \
                                                                              \
    CHECK_##name (describe (#name, kind, n, stride, offset),                  \
                  public_##name (n, stride, offset), expected);               \
  }
GT_REAL_ARITHMETICS (X)
#undef X

/* ------------------------------------------------- Functions for short vectors */

/* How many were asked, and how many have told a sum.  */
static unsigned asked, taken;

#define ROUND_f64(ball, to) gt_exact_to_double (ball, 1, 0, to)
#define ROUND_f32(ball, to) gt_exact_to_float (ball, 0, to)
#define ID_f64 GT_F64
#define ID_f32 GT_F32

/* Those of every instruction set; now and then the public function, too.  */
#define X(name, ctype)                                                        \
  static void check_isas_##name (unsigned kind, size_t n, size_t stride,      \
                                 int with_public)                             \
  {                                                                           \
    const size_t offset = below (8);                                          \
    const ctype expected = fill_##name (kind, n, stride, offset);             \
    const struct gt_task task                                                 \
      = gt_task_of (GT_SUM, ID_##name, GT_MODE_EXACT,                         \
                    room_##name + MARGIN + offset, n, stride);                \
    struct gt_ball ball;                                                      \
    ctype sum;                                                                \
                                                                              \
    for (int isa = 0; isa < GT_N_ISAS && n >= 1; isa++)                       \
      if (gt_isa_runs ((enum gt_isa) isa))                                    \
        {                                                                     \
          asked++;                                                            \
          if (!gt_quick_isas[isa].direct (&task, 0, &ball)                    \
              || !ROUND_##name (ball, &sum))                                  \
            continue;                                                         \
          taken++;                                                            \
          assert_true (all_finite);                                           \
          CHECK_##name (describe (gt_isa_names[isa], kind, n, stride,         \
                                  offset), sum, expected);                    \
        }                                                                     \
    if (with_public)                                                          \
      CHECK_##name (describe ("public", kind, n, stride, offset),             \
                    public_##name (n, stride, offset), expected);             \
  }
X (f64, double)
X (f32, float)
#undef X

static void
check_isas (unsigned kind, size_t n, size_t stride, int with_public)
{
  check_isas_f64 (kind, n, stride, with_public);
  check_isas_f32 (kind, n, stride, with_public);
}

TEST (every_short_length_by_every_function)
{
  seed = 1;
  for (size_t n = 0; n <= SHORTS; n++)
    for (unsigned kind = 0; kind < N_KINDS; kind++)
      check_isas (kind, n, 1 + (n + kind) % STRIDE * (kind % 2), 1);
}

TEST (a_million_vectors)
{
  seed = 2;
  for (unsigned i = 0; i < 1000000; i++)
    {
      const size_t n = 2 + below (below (8) ? 9 : below (16) ? 48 : 600);

      check_isas (below (N_KINDS), n, 1 + below (2) * below (STRIDE),
                  i % 4 == 0);
    }
}

/* Vectors that the slack just covers, for all widths.  */
TEST (the_slack_is_needed)
{
  seed = 3;
  for (unsigned i = 0; i < 40000; i++)
    check_isas (LOST_ERRORS, 32 + below (300), 1, 0);
}

/* Ordinary data do not need a superaccumulator.  */
TEST (ordinary_sums_are_taken)
{
  seed = 4;
  asked = taken = 0;
  for (size_t n = 2; n <= SHORTS; n++)
    check_isas (n % 2 ? UNIFORM : MODERATE, n, 1, 0);
  assert_int_equal (taken, asked);
}

/* ---------------------------------------------------------- Public functions */

/* Every length that is summed without a plan, and some more.  */
TEST (every_short_length)
{
  seed = 1;
  for (size_t n = 0; n <= SHORTS; n++)
    {
      unsigned kind = (unsigned) n % N_KINDS;

      check_public_f64 (kind, n, 1, n % 8);
      check_public_f64 ((kind + 4) % N_KINDS, n, 1 + n % 3, n % 3);
      check_public_f32 (kind, n, 1, n % 16);
      check_public_f32 ((kind + 4) % N_KINDS, n, 1 + n % 3, n % 3);
      check_public_ldbl (kind, n, 1 + n % 2, n % 4);
    }
}

/* Numbers that are rounded up to the next power of two.  */
TEST (long_doubles_that_gain_a_digit)
{
  for (int sign = -1; sign <= 1; sign += 2)
    {
      long double x[] = {sign * (2 - LDBL_EPSILON), sign * 2.0L, 0};
      const gsl_vector_long_double v = {3, 1, x, NULL, 0};

      assert_true (gsltune_vector_long_double_sum (&v) == sign * 4.0L);
    }
}

TEST (long_doubles)
{
  seed = 2;
  for (unsigned i = 0; i < 4000; i++)
    {
      size_t n = below (below (4) ? 12 : 300), stride = 1 + below (3);

      check_public_ldbl (below (N_KINDS), n, stride, below (4));
    }
}

TEST (long_vectors)
{
  seed = 3;
  for (unsigned kind = 0; kind < N_KINDS; kind++)
    {
      check_public_f64 (kind, 20000 + kind, 1, kind);
      check_public_f64 (kind, 10000 + kind, 3, kind);
      check_public_f32 (kind, 20000 + kind, 1, kind);
      check_public_f32 (kind, 10000 + kind, 3, kind);
      check_public_ldbl (kind, 2000 + kind, 2, kind);
    }
}

#define MOST_f64 DBL_MAX
#define MOST_f32 FLT_MAX
#define MOST_ldbl LDBL_MAX

/* Infinities, NaN, zeros and overflow, among -0, in vectors of three elements and
   many.  A NaN has one encoding.  */
#define X(id, name, ctype, real)                                              \
  static void specials_##name (void)                                          \
  {                                                                           \
    static const size_t lengths[] = {3, 4, 10, 200};                          \
    const ctype inf = (ctype) INFINITY, nan = (ctype) NAN;                    \
    const ctype most = MOST_##name;                                           \
    const ctype specials[][4] /* three, and their sum */                      \
      = {{inf, most, most, inf},    {-most, -inf, most, -inf},                \
         {inf, most, -inf, nan},    {-(ctype) 0, -nan, inf, nan},             \
         {most, most, -most, most}, {-most, -most, 0, -inf}};                 \
    ctype *at = room_##name + MARGIN;                                         \
    for (size_t s = 0; s < N_OF (specials); s++)                              \
      for (size_t l = 0; l < N_OF (lengths); l++)                             \
        for (size_t behind = 0; behind + 3 <= lengths[l]; behind += 97)       \
          {                                                                   \
            for (size_t i = 0; i < lengths[l]; i++)                           \
              at[i] = -(ctype) 0;                                             \
            memcpy (at + behind, specials[s], 3 * sizeof (ctype));            \
            CHECK_##name ("special numbers", public_##name (lengths[l], 1, 0), \
                          specials[s][3]);                                    \
          }                                                                   \
    at[0] = -(ctype) NAN;                                                     \
    CHECK_##name ("a NaN", public_##name (1, 1, 0), (ctype) NAN);             \
    at[0] = -(ctype) 0;                                                       \
    CHECK_##name ("a minus zero", public_##name (1, 1, 0), 0);                \
    at[1] = -(ctype) 0;                                                       \
    CHECK_##name ("minus zeros", public_##name (2, 1, 0), 0);                 \
    at[0] = (ctype) INFINITY;                                                 \
    at[1] = -(ctype) INFINITY;                                                \
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

/* Makes subnormal results or operands zero, by the bits of FLUSH, where that can be
   had.  */
static void
flush_subnormals (unsigned flush)
{
#if defined __x86_64__
  _mm_setcsr ((_mm_getcsr () & ~0x8040u) | (flush & 1 ? 0x8000 : 0)
              | (flush & 2 ? 0x40 : 0));
#else
  (void) flush;
#endif
}

static void
check_environment (int rounding, unsigned flush, size_t n, size_t stride,
                   unsigned kind)
{
  double is, expected = fill_f64 (kind, n, stride, 0);
  float is_f32, expected_f32 = fill_f32 (kind, n, stride, 0);
  long double is_ldbl, expected_ldbl = fill_ldbl (kind, n, stride, 0);
  unsigned before, after;

  fesetround (rounding);
  flush_subnormals (flush);
  before = control_word ();
  is = public_f64 (n, stride, 0);
  is_f32 = public_f32 (n, stride, 0);
  is_ldbl = public_ldbl (n, stride, 0);
  after = control_word ();
  flush_subnormals (0);
  fesetround (FE_TONEAREST);
  check_double ("another environment", is, expected);
  check_float ("another environment", is_f32, expected_f32);
  check_long_double ("another environment", is_ldbl, expected_ldbl);
  assert_int_equal (after, before);
}

/* All rounding modes, with subnormals kept and flushed.  */
TEST (any_environment)
{
  static const int roundings[]
    = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static const size_t lengths[] = {1, 2, 3, 9, 20, 100, 1024, 5000};

  seed = 4;
  for (unsigned i = 0; i < 40000; i++)
    check_environment (roundings[i % 4], i / 4 % 4, below (below (4) ? 20 : 300),
                       1 + below (2) * below (STRIDE), below (N_KINDS));
  for (unsigned e = 0; e < 16; e++)
    for (size_t l = 0; l < N_OF (lengths); l++)
      for (unsigned kind = 0; kind < N_KINDS; kind++)
        check_environment (roundings[e % 4], e / 4, lengths[l], 1, kind);
}

/* An infinite sum is no trap's business.  */
TEST (traps)
{
  static const size_t lengths[] = {1, 2, 3, 9, 20, 1000, 5000};
  double is[N_OF (lengths)];
  int before, after;

  for (size_t i = 0; i < LONGEST; i++)
    room_f64[MARGIN + i] = i ? 1 : INFINITY;
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

static void
check_result (const struct cpu_function *f, unsigned threads,
              const struct gt_task *task, union gt_value *sum,
              const union gt_value *expected)
{
  const enum gt_arithmetic a = task->problem.arithmetic;

  finish_sum (a, GT_MODE_EXACT, sum);
  if (!same_bits (a, sum, expected))
    fail_msg ("%s %s %s u%u, %u threads, n = %zu, stride %zu: %s instead of %s",
              f->kernel->name, gt_isa_names[f->isa], gt_arithmetics[a].name,
              f->unroll, threads, (size_t) task->problem.n,
              (size_t) task->x.stride, sum_text (a, sum),
              sum_text (a, expected));
}

/* In pieces of any length, each with an accumulator of its own, merged from the
   last to the first.  */
static void
check_split (const struct cpu_function *f, const struct gt_task *task,
             const union gt_value *expected)
{
  size_t left = task->problem.n;
  union gt_value all;

  super_clear (&all.super);
  while (left > 0)
    {
      const size_t most = 1 + below (4000), count = most < left ? most : left;
      const struct gt_task part = gt_task_part (task, left -= count, count);
      union gt_value piece;

      f->kernel->find[f->isa](&part.problem, f->unroll)(&part, &piece);
      gt_value_merge (&task->problem, &all, &piece);
    }
  check_result (f, 0, task, &all, expected);
}

static void
check_kernel (const struct cpu_function *f, const struct gt_task *task,
              const void *expected)
{
  const int many = (f->kernel->tunables & GT_TUNE_THREADS) != 0;

  for (unsigned threads = 1; threads <= (many ? 8 : 1); threads++)
    {
      union gt_value sum = computed_by (f, threads, task);

      check_result (f, threads, task, &sum, expected);
    }
  if (many)
    check_split (f, task, expected);
}

TEST (all_kernels_agree)
{
  seed = 5;
  for (unsigned kind = 0; kind < N_KINDS; kind++)
    for (size_t stride = 1; stride <= 2; stride++)
      {
        union gt_value sum;
        struct gt_task task;

#define X(id, name, ctype, real)                                              \
        task = gt_task_of (GT_SUM, GT_##id, GT_MODE_EXACT,                    \
                           room_##name + MARGIN + kind % 8,                   \
                           GT_##id == GT_LDBL ? 1011 : 20011, stride);        \
        sum.name[0] = fill_##name (kind, task.problem.n, stride, kind % 8);   \
        assert_true (for_each_function (&task, check_kernel, &sum) > 0);
        GT_REAL_ARITHMETICS (X)
#undef X
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
        room_f64[MARGIN + n] = strtod (line, NULL);
        oracle_add (&narrow, room_f64[MARGIN + n++]);
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
