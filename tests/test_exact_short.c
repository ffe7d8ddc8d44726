/* Tests of exact sums of short vectors (kernels/cpu/short/exact_short.c): what the
   functions of every instruction set say is what MPFR says, and so is what the
   public functions return, in any floating-point environment.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <fenv.h>

#if defined __x86_64__
#include <xmmintrin.h>
#endif

#include "kernels/cpu/exact/exact.h"
#include "src/base/env.h"
#include "tests/accumulator_cases.h"

#define LONGEST GT_EXACT_SHORT
#define STRIDE 5 /* the longest */
#define MARGIN 16

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

static const char *
kind_name (unsigned kind)
{
  return kind < N_OF (kinds) ? kinds[kind].name
                             : more_kinds[kind - N_OF (kinds)].name;
}

/* The exponent as far along in the range of floats as it was in that of
   doubles.  */
static float
as_float (double x)
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

/* ------------------------------------------------------------------ Vectors */

/* N elements STRIDE apart, as doubles and as floats, among NaN.  */
static struct
{
  unsigned kind;
  size_t n, stride;
  double f64_room[2 * MARGIN + LONGEST * STRIDE], *f64, f64_sum;
  float f32_room[2 * MARGIN + LONGEST * STRIDE], *f32, f32_sum;
} v;

static void
fill (unsigned kind, size_t n, size_t stride)
{
  static double x[LONGEST];
  const size_t all = 2 * MARGIN + n * stride, begin = MARGIN + below (8);

  v.kind = kind;
  v.n = n;
  v.stride = stride;
  v.f64 = v.f64_room + begin;
  v.f32 = v.f32_room + begin;
  for (size_t i = 0; i < all; i++)
    v.f64_room[i] = v.f32_room[i] = NAN;
  if (kind < N_OF (kinds))
    kinds[kind].fill (x, n);
  else
    more_kinds[kind - N_OF (kinds)].fill (x, n);
  oracle_reset (&narrow);
  for (size_t i = 0; i < n; i++)
    oracle_add (&narrow, v.f64[i * stride] = x[i]);
  v.f64_sum = oracle_round (&narrow);
  oracle_reset (&narrow);
  for (size_t i = 0; i < n; i++)
    oracle_add (&narrow, (double) (v.f32[i * stride] = as_float (x[i])));
  v.f32_sum = oracle_round_float (&narrow);
}

static const char *
describe (const char *who)
{
  static char text[128];

  snprintf (text, sizeof text, "%s: %s, n = %zu, stride %zu", who,
            kind_name (v.kind), v.n, v.stride);
  return text;
}

static unsigned taken;

/* Sums of what is not finite are always told.  */
static int
all_finite (void)
{
  for (size_t i = 0; i < v.n; i++)
    if (!isfinite (v.f64[i * v.stride]) || !isfinite (v.f32[i * v.stride]))
      return 0;
  return 1;
}

static void
check_isas (void)
{
  const int finite = all_finite ();
  double d;
  float f;

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    {
      const struct gt_exact_isa *e = gt_exact_isas[isa];

      if (!gt_isa_runs ((enum gt_isa) isa))
        continue;
      taken += 2;
      if (e->short_f64 (v.f64, v.n, v.stride, &d))
        check_double (describe (gt_isa_names[isa]), d, v.f64_sum);
      else
        {
          assert_true (finite);
          taken--;
        }
      if (e->short_f32 (v.f32, v.n, v.stride, &f))
        check_float (describe (gt_isa_names[isa]), f, v.f32_sum);
      else
        {
          assert_true (finite);
          taken--;
        }
    }
}

static double
public_sum (void)
{
  return gsltune_vector_sum (&VIEW (, v.f64, v.n, v.stride));
}

static float
public_float_sum (void)
{
  return gsltune_vector_float_sum (&VIEW (_float, v.f32, v.n, v.stride));
}

static void
check_public (void)
{
  check_double (describe ("public"), public_sum (), v.f64_sum);
  check_float (describe ("public"), public_float_sum (), v.f32_sum);
}

/* -------------------------------------------------------------------- Tests */

TEST (every_length)
{
  seed = 1;
  for (size_t n = 0; n <= 600; n++)
    for (unsigned kind = 0; kind < N_KINDS; kind++)
      {
        fill (kind, n, 1 + (n + kind) % STRIDE * (kind % 2));
        if (n >= 2)
          check_isas ();
        check_public ();
      }
}

TEST (a_million_vectors)
{
  seed = 2;
  for (unsigned i = 0; i < 1000000; i++)
    {
      const size_t n = 2 + below (below (8) ? 9 : below (16) ? 48 : 600);

      fill (below (N_KINDS), n, 1 + below (2) * below (STRIDE));
      check_isas ();
      if (i % 4 == 0)
        check_public ();
    }
}

/* Vectors that the slack just covers, for all widths.  */
TEST (the_slack_is_needed)
{
  seed = 3;
  for (unsigned i = 0; i < 40000; i++)
    {
      fill (LOST_ERRORS, 32 + below (300), 1);
      check_isas ();
    }
}

/* Ordinary data do not need a superaccumulator.  */
TEST (ordinary_sums_are_taken)
{
  unsigned of = 0;

  seed = 4;
  taken = 0;
  for (size_t n = 2; n <= GT_EXACT_SHORT; n++)
    {
      fill (n % 2 ? UNIFORM : MODERATE, n, 1);
      check_isas ();
      for (int isa = 0; isa < GT_N_ISAS; isa++)
        of += 2 * (unsigned) gt_isa_runs ((enum gt_isa) isa);
    }
  assert_int_equal (taken, of);
}

/* All rounding modes, with subnormals kept and flushed.  */
TEST (any_environment)
{
  static const int rounding[]
    = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

  seed = 5;
  for (unsigned i = 0; i < 40000; i++)
    {
      const size_t n = below (below (4) ? 20 : 300);
      double is;
      float is_float;
      fenv_t before;

      fill (below (N_KINDS), n, 1 + below (2) * below (STRIDE));
      fegetenv (&before);
      fesetround (rounding[i % 4]);
#if defined __x86_64__
      _mm_setcsr (_mm_getcsr () | (i & 4 ? 0x8000 : 0) | (i & 8 ? 0x40 : 0));
#endif
      is = public_sum ();
      is_float = public_float_sum ();
      fesetenv (&before);
      check_double (describe ("another environment"), is, v.f64_sum);
      check_float (describe ("another environment"), is_float, v.f32_sum);
    }
}

RUN_TESTS (set_up, tear_down)
