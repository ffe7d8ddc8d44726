/* Tests of the statistics of few elements (kernels/cpu/short/exact_statistics.c): what the
   functions of every instruction set tell is what GNU MP and MPFR say, they tell it of all
   ordinary data, and of data whose statistics are 0 or in the middle of two doubles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "kernels/cpu/short/exact_short_sums.h"
#include "tests/exact.h"
#include "tests/oracle.h"
#include "tests/stats_all.h"

#define MOST GT_CUTOFF_STATISTICS

static const struct
{
  enum gt_term_what what;
  int weighted, given, root;
} kinds[N_STATISTICS] = {
#define STATISTIC(name, what, weighted, given, root) \
  [STATISTIC_##name] = {GT_TERM_##what, weighted, given, root},
#include "kernels/statistics.def"
};

/* The arguments of functions: the first are the weights where there are any; both parts.  */
static double first[2][MOST], second[2][MOST], given[2];
static size_t n;
static int wide;
static struct oracle oracle;
static unsigned long asked, told;
static uint64_t seed = 1;

static void
load (void)
{
  long double all[2][MOST];

  for (size_t i = 0; i < n; i++)
    {
      all[0][i] = (long double) first[0][i] + (wide ? first[1][i] : 0);
      all[1][i] = (long double) second[0][i] + (wide ? second[1][i] : 0);
    }
  oracle_load (&oracle, GT_TYPE_LONG_DOUBLE, all[0], 1, all[1], 1, n, given);
}

/* Second parts that narrow elements lack must not be read.  */
static void
put (double to[2][GT_FEW_ROOM], double from[2][MOST])
{
  for (int part = 0; part < 2; part++)
    for (size_t i = 0; i < GT_FEW_ROOM; i++)
      to[part][i] = part == 1 && !wide           ? (double) NAN
                    : i < n                      ? from[part][i]
                    : i < gt_few_filled (n)      ? 0 : (double) NAN;
}

static void
check (int k, double should, int must, const char *what)
{
  for (int isa = 0; isa < GT_N_ISAS; isa++)
    {
      struct gt_few_sample s
        = {.what = kinds[k].what, .weighted = kinds[k].weighted, .given = kinds[k].given,
           .root = kinds[k].root, .wide = wide, .n = n, .about = {given[0], given[1]}};
      double is;

      if (!gt_isa_runs ((enum gt_isa) isa))
        continue;
      put (s.x, s.weighted ? second : first);
      put (s.y, s.weighted ? first : second);
      asked++;
      if (!gt_short_isas[isa]->statistic (&s, &is))
        {
          if (must)
            fail_msg ("%s of %zu, %s, %s: not told", statistic_names[k], n, what,
                      gt_isa_names[isa]);
          continue;
        }
      told++;
      if (isnan (should) ? !isnan (is) : is != should || signbit (is) != signbit (should))
        fail_msg ("%s of %zu, %s, %s: %a instead of %a", statistic_names[k], n, what,
                  gt_isa_names[isa], is, should);
    }
}

/* All statistics that are defined, from MUST elements on they must be told.  Of one element
   public functions tell what is not a number (src/public/statistics.c).  */
static void
compare (size_t must, const char *what)
{
  mpfr_t exact;

  mpfr_init (exact);
  load ();
  for (int k = 0; k < N_STATISTICS; k++)
    if (oracle_value (exact, &oracle, statistic_names[k], 0)
        && (n > 1 || mpfr_number_p (exact)))
      check (k, mpfr_get_d (exact, MPFR_RNDN) + 0.0, n >= must, what);
  mpfr_clear (exact);
}

/* ----------------------------------------------------------------- Elements */

static double
fraction (void)
{
  return (double) (random_word (&seed) >> 11) * 0x1p-53;
}

/* All digits that a long double has.  */
static void
make_wide (double of[2][MOST])
{
  for (size_t i = 0; i < n; i++)
    of[1][i] = wide ? scalbn ((double) (int) (random_word (&seed) % 2047) - 1023,
                              of[0][i] == 0 ? -1000 : ilogb (of[0][i]) - 63) : 0;
}

static void
ordinary (void)
{
  for (size_t i = 0; i < n; i++)
    {
      first[0][i] = 0.1 + fraction () - (random_word (&seed) % 8 == 0);
      second[0][i] = fraction () * 3 - 1;
    }
  make_wide (first);
  make_wide (second);
  given[0] = fraction ();
  given[1] = 0.1 + fraction ();
}

TEST (ordinary_data_are_told)
{
  for (wide = 0; wide <= 1; wide++)
    for (int repeat = 0; repeat < 6; repeat++)
      for (n = 1; n <= MOST; n++)
        {
          ordinary ();
          for (size_t i = 0; i < n && repeat % 2; i++)
            first[0][i] = fabs (first[0][i]);
          compare (MOST + 1, "ordinary");
        }
  /* Some few weights leave one element that counts.  */
  if (told < asked - asked / 500)
    fail_msg ("%lu of %lu are told", told, asked);
}

TEST (positive_weights_leave_nothing_untold)
{
  for (wide = 0; wide <= 1; wide++)
    for (n = 3; n <= MOST; n++)
      {
        ordinary ();
        for (size_t i = 0; i < n; i++)
          first[0][i] = fabs (first[0][i]);
        compare (3, "positive weights");
      }
}

/* Whole numbers, of which skewness, autocorrelation and covariances are often nothing.  */
TEST (whole_numbers_are_told)
{
  wide = 0;
  for (int repeat = 0; repeat < 40; repeat++)
    for (n = 2; n <= 12; n++)
      {
        for (size_t i = 0; i < n; i++)
          {
            first[0][i] = 1 + (double) (random_word (&seed) % 3);
            second[0][i] = (double) (random_word (&seed) % 5) * 0.25 - 100;
          }
        given[0] = 2;
        given[1] = 0.5;
        compare (MOST + 1, "whole numbers");
      }
}

static int
index_of (const char *name)
{
  int k = 0;

  while (strcmp (statistic_names[k], name) != 0)
    k++;
  return k;
}

static void
must_be (const char *name, double should)
{
  check (index_of (name), should, 1, "planted");
}

/* Sums that Ziv's test never tells.  */
TEST (nothing_and_middles_are_told)
{
  static const double symmetric[] = {-3, 7, -1, 1, 3, -7, 0};

  wide = 0;
  given[0] = 0;
  given[1] = 1;
  n = 7;
  for (size_t i = 0; i < n; i++)
    {
      first[0][i] = 1e6 + symmetric[i];
      second[0][i] = 5;
    }
  must_be ("skew", 0);
  for (size_t i = 0; i < n; i++)
    {
      first[0][i] = 0.1;
      second[0][i] = symmetric[i];
    }
  must_be ("wskew", 0);
  must_be ("wskew_m_sd", 0);
  must_be ("wmean", 0);
  must_be ("absdev", 0);
  must_be ("variance", 0);
  must_be ("tss", 0);
  must_be ("skew", (double) NAN);
  n = 4;
  for (size_t i = 0; i < n; i++)
    {
      first[0][i] = 1;
      second[0][i] = i ? 0 : 4;
    }
  /* 1 + 2^-53 and 1 + 3 2^-53 are in the middle.  */
  second[0][1] = 0x1p-51;
  must_be ("wmean", 1);
  second[0][1] = 3 * 0x1p-51;
  must_be ("wmean", 1 + 0x1p-51);
  must_be ("wabsdev_m", 1 + 0x1p-51);
  memcpy (first, second, sizeof first);
  must_be ("absdev_m", 1 + 0x1p-51);
}

/* Two numbers as they come, and more that are nearly equal, or far apart, or of weights that
   nearly all fall to one: what is told is right.  */
TEST (nasty_data)
{
  for (int repeat = 0; repeat < 3000; repeat++)
    {
      const int kind = repeat % 10;

      wide = repeat / 10 % 2;
      n = 1 + (size_t) (random_word (&seed) % (repeat % 4 ? 6 : MOST));
      ordinary ();
      for (size_t i = 0; i < n; i++)
        {
          const int last = i + 1 == n;

          switch (kind)
            {
            case 0: second[0][i] = 1 + (last ? 0x1p-52 : 0); break;
            case 1: first[0][i] = last ? 1 : 1e-15 * fraction (); break;
            case 2: second[0][i] = last ? 1e12 : second[0][i]; break;
            case 3: first[0][i] = last ? 1 : 0x1p-1060; break;
            case 4: second[0][i] *= 0x1p1020; break;
            case 5: second[0][i] *= 0x1p-1040; break;
            case 6: second[0][i] = 1e15 + second[0][i]; break;
            case 7: first[0][i] = last ? 1 : -1; break;
            case 8: first[0][i] = second[0][i] = i % 2 ? 0.1 : -0.1; break;
            default: first[0][i] = second[0][i] = 0.1; break;
            }
        }
      make_wide (first);
      make_wide (second);
      if (kind > 6)
        {
          memset (first[1], 0, sizeof first[1]);
          memset (second[1], 0, sizeof second[1]);
        }
      if (repeat % 3 == 0)
        given[0] = second[0][0];
      compare (MOST + 1, "nasty");
    }
}

/* Infinities and NaN are left to others, but where no weight counts them.  */
TEST (no_numbers)
{
  static const double of[] = {INFINITY, -INFINITY, NAN};
  double is;

  wide = 0;
  given[0] = 0.5;
  given[1] = 1;
  for (n = 1; n <= 9; n++)
    for (size_t at = 0; at < n; at++)
      for (int k = 0; k < N_STATISTICS; k++)
        for (size_t j = 0; j < sizeof of / sizeof *of; j++)
          {
            struct gt_few_sample s
              = {.what = kinds[k].what, .weighted = kinds[k].weighted, .given = kinds[k].given,
                 .root = kinds[k].root, .n = n, .about = {given[0], given[1]}};

            ordinary ();
            for (size_t i = 0; i < n; i++)
              first[0][i] = 1 + fraction ();
            (s.weighted ? second : first)[0][at] = of[j];
            put (s.x, s.weighted ? second : first);
            put (s.y, s.weighted ? first : second);
            if (gt_short_isas[gt_isa ()]->statistic (&s, &is) && isfinite (is))
              fail_msg ("%s of %zu with %g at %zu: %g", statistic_names[k], n, of[j], at, is);
          }
}

/* ---------------------------------------------------------------------- Parts */

static long double
element_of (enum gt_arithmetic arithmetic, const void *data, size_t i)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real) case GT_##id: return (long double) ((const ctype *) data)[i];
      GT_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
}

/* Any number of a type, now and then 0.  */
static void
put_any (enum gt_arithmetic arithmetic, void *data, size_t i)
{
  const int exponent = (int) (random_word (&seed) % 900) - 450;

  if (random_word (&seed) % 8 == 0)
    memset ((char *) data + i * gt_element_size (arithmetic), 0, gt_element_size (arithmetic));
  else if (arithmetic == GT_LDBL)
    ((long double *) data)[i] = ldexpl ((long double) (int64_t) random_word (&seed), exponent);
  else if (arithmetic <= GT_F32)
    put_element (arithmetic, data, i, ldexp (fraction () - 0.5, exponent / 4));
  else
    put_integer (arithmetic, data, i, random_word (&seed) >> random_word (&seed) % 12);
}

static void
check_parts (int isa, enum gt_arithmetic arithmetic, const struct gt_operand *x,
             const double of[2][GT_FEW_ROOM])
{
  const int one = gt_element_size (arithmetic) < 8 || arithmetic == GT_F64;

  for (size_t i = 0; i < gt_few_filled (n); i++)
    {
      const long double is = (long double) of[0][i] + (one ? 0 : of[1][i]);
      const long double should = i < n ? element_of (arithmetic, x->data, i * x->stride) : 0;

      if (is != should)
        fail_msg ("%s, %zu of %zu, by %s: %La instead of %La", gt_arithmetics[arithmetic].name, i,
                  n, gt_isa_names[isa], is, should);
    }
}

TEST (elements_are_the_sums_of_their_parts)
{
  static _Alignas (16) char room[2][16 * 3 * MOST];
  struct gt_few_sample s;

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    for (int a = 0; a < GT_FIRST_COMPLEX && gt_isa_runs ((enum gt_isa) isa); a++)
      for (n = 1; n <= MOST; n += 1 + n / 6)
        {
          const enum gt_arithmetic arithmetic = (enum gt_arithmetic) a;
          const struct gt_operand of[] = {{room[0], 1 + n % 3}, {room[1], 1 + n % 2}};

          for (size_t i = 0; i < 3 * n; i++)
            for (int k = 0; k < 2; k++)
              put_any (arithmetic, room[k], i);
          memset (s.x, 0xff, sizeof s.x);
          memset (s.y, 0xff, sizeof s.y);
          for (int k = 0; k < 2; k++)
            assert_true (gt_short_isas[isa]->split (arithmetic, of[k].data, of[k].stride, n,
                                                    k ? s.y : s.x));
          check_parts (isa, arithmetic, &of[0], (const double (*)[GT_FEW_ROOM]) s.x);
          check_parts (isa, arithmetic, &of[1], (const double (*)[GT_FEW_ROOM]) s.y);
        }
}

#if defined __x86_64__ && LDBL_MANT_DIG == 64
/* Digits, and sign and exponent: what is no number, has no first digit, or is far from 1.  */
TEST (what_is_no_number_has_no_parts)
{
  static const struct
  {
    uint64_t digits;
    uint16_t end;
  } of[] = {
    {(uint64_t) 1 << 63, 0x7fff}, {(uint64_t) 3 << 62, 0xffff}, {(uint64_t) 1 << 62, 0x3fff},
    {0, 0x7fff}, {0, 0xbfff}, {0, 1}, {1, 0}, {(uint64_t) 1 << 63, 0x3fff + 512},
    {(uint64_t) 1 << 63, 0x3fff - 513}, {(uint64_t) 1 << 63, 0}, {(uint64_t) 1 << 63, 0x7ffe}
  };
  long double x[9];
  struct gt_few_sample s;

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    for (n = 1; n <= 9 && gt_isa_runs ((enum gt_isa) isa); n++)
      for (size_t at = 0; at < n; at++)
        for (size_t k = 0; k < sizeof of / sizeof *of; k++)
          {
            for (size_t i = 0; i < n; i++)
              x[i] = (long double) i / 3;
            memcpy (&x[at], &of[k].digits, sizeof of[k].digits);
            memcpy ((char *) &x[at] + sizeof of[k].digits, &of[k].end, sizeof of[k].end);
            if (gt_short_isas[isa]->split (GT_LDBL, x, 1, n, s.x))
              fail_msg ("%zu at %zu of %zu has parts, by %s", k, at, n, gt_isa_names[isa]);
          }
}
#endif

FIXTURE (begin)
{
  oracle_begin (&oracle);
  return 0;
}

FIXTURE (end)
{
  oracle_end (&oracle);
  return 0;
}

int
main (void)
{
  return run_unit_tests (begin, end);
}
