/* Tests of moments (src/moments): samples that come in pieces, which are added
   to one or merged, have all sums and statistics that the whole has by its definition
   (tests/oracle.h), rounded once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include <fenv.h>

#include "tests/device_vectors.h"
#include "tests/drawn.h"
#include "tests/handler.h"
#include "tests/oracle.h"
#include "tests/softgpu/softgpu_hooks.h"
#include "tests/stats_all.h"

enum { MOST = 150, PIECES = 4 };

/* The moments that all sums and statistics are made of.  */
enum kept
{
  PLAIN, NEIGHBOURS, WEIGHTED, PAIRS, ABOUT_GIVEN, WEIGHTED_ABOUT_GIVEN,
  ABOUT, WEIGHTED_ABOUT, SUM, MAGNITUDES, PRODUCTS, SQUARES, N_KEPT
};

static const int of_pairs[N_KEPT]
  = {[WEIGHTED] = 1, [PAIRS] = 1, [WEIGHTED_ABOUT] = 1, [WEIGHTED_ABOUT_GIVEN] = 1, [PRODUCTS] = 1,
     [SQUARES] = 1};
static const char *const sum_names[N_KEPT]
  = {[SUM] = "sum", [MAGNITUDES] = "asum", [PRODUCTS] = "dot", [SQUARES] = "nrm2"};

struct all
{
  gsltune_moments *m[N_KEPT];
};

static struct oracle oracle;
static mpfr_t exact;

static int
same (long double x, long double y)
{
  return isnan (y) ? isnan (x) : x == y && !signbit (x) == !signbit (y);
}

/* Distances are from the means of WHOLE, if it is not null.  */
static struct all
new_moments (int wide, double mean, const struct all *whole)
{
  struct all all;

  for (int i = 0; i < N_KEPT; i++)
    {
      const gsltune_moments_kind kind
        = i < ABOUT_GIVEN ? (gsltune_moments_kind) i
          : i >= PRODUCTS ? GSLTUNE_MOMENTS_PAIRS
          : of_pairs[i] ? GSLTUNE_MOMENTS_WEIGHTED : GSLTUNE_MOMENTS_PLAIN;

      if (i >= SUM || i < ABOUT_GIVEN)
        all.m[i] = gsltune_moments_alloc (kind, i >= SUM ? 1 : i % 2 ? 2 : 4, wide);
      else if (i >= ABOUT && whole)
        all.m[i] = gsltune_moments_alloc_about (whole->m[i == ABOUT ? PLAIN : WEIGHTED]);
      else
        all.m[i] = gsltune_moments_alloc_about_mean (kind, mean, wide);
      assert_non_null (all.m[i]);
    }
  return all;
}

static void
free_moments (struct all *all)
{
  for (int i = 0; i < N_KEPT; i++)
    gsltune_moments_free (all->m[i]);
}

/* Adds what PART has to M, in one of the ways.  A form that is loaded replaces what was there.  */
static void
put_together (unsigned way, gsltune_moments *m, gsltune_moments *part)
{
  const size_t size = gsltune_moments_size (part);
  unsigned char *const form = malloc (2 * size);

  assert_non_null (form);
  assert_int_equal (gsltune_moments_save (part, form, size), 0);
  if (way % 3 == 0)
    assert_int_equal (gsltune_moments_merge_saved (m, form, size), 0);
  else
    {
      if (way % 3 == 1)
        assert_int_equal (gsltune_moments_merge (part, part), 0);
      assert_int_equal (gsltune_moments_load (part, form, size), 0);
      assert_int_equal (gsltune_moments_save (part, form + size, size), 0);
      assert_memory_equal (form, form + size, size);
      assert_int_equal (gsltune_moments_merge (m, part), 0);
    }
  free (form);
}

/* The moments that a statistic is made of.  */
static enum kept
kept_for (int statistic)
{
  const char *const name = statistic_names[statistic];
  const int weighted = is_weighted (statistic);

  return strstr (name, "absdev_m")                       ? ABOUT_GIVEN + weighted
         : strstr (name, "absdev")                       ? ABOUT + weighted
         : strstr (name, "lag1") || strstr (name, "tss_m") ? (weighted ? WEIGHTED : NEIGHBOURS)
         : strstr (name, "co") == name                   ? PAIRS
         : weighted                                      ? WEIGHTED : PLAIN;
}

static void
check (const char *name, long double is, enum gt_element_type as, const char *type)
{
  const long double expected
    = mpfr_zero_p (exact) ? 0 : oracle_rounded (exact, &oracle_formats[as]);

  if (!same (is, expected))
    fail_msg ("%s of %zu %s, as %s: %La instead of %La", name, oracle.n, type, gt_types[as].name,
              is, expected);
}

/* Checks all that ALL has against what the oracle has been loaded with.  Statistics of elements
   that are not all finite are those of ARRAYS, if these are not null.  */
static void
check_all (const struct all *all, const char *type, const double given[2], int count,
           const double *arrays)
{
  for (int k = 0; k < count; k++)
    if (oracle_value (exact, &oracle, statistic_names[k], 0) || arrays)
      {
        double is;

        assert_int_equal (gsltune_moments_statistic (all->m[kept_for (k)], statistic_names[k],
                                                     given, &is), 0);
        if (!arrays)
          check (statistic_names[k], (long double) is, GT_TYPE_DOUBLE, type);
        else if (!same ((long double) is, (long double) arrays[k]))
          fail_msg ("%s of %zu %s: %a instead of %a", statistic_names[k], oracle.n, type, is,
                    arrays[k]);
      }
  for (int i = SUM; i < N_KEPT; i++)
    {
      const gsltune_moments *const m = all->m[i];
      const int root = i == SQUARES;

      oracle_value (exact, &oracle, sum_names[i], 0);
      check (sum_names[i], (long double) (root ? gsltune_moments_norm (m) : gsltune_moments_sum (m)),
             GT_TYPE_DOUBLE, type);
      check (sum_names[i], (long double) (root ? gsltune_moments_norm_float (m)
                                               : gsltune_moments_sum_float (m)),
             GT_TYPE_FLOAT, type);
      if (!root)
        check (sum_names[i], gsltune_moments_sum_long_double (m), GT_TYPE_LONG_DOUBLE, type);
    }
  assert_int_equal (handler_calls, 0);
}

/* Whether device vectors are added, where these can be.  */
static int on_device;

#define GT_TEMPLATE "tests/moments_of.inc"
#include "src/each_type.h"

static void
try_all_types (uint64_t seed)
{
  static const size_t lengths[] = {0, 1, 2, 3, 7, 17, 63, 64, MOST};

  for (size_t k = 0; k < N_OF (lengths); k++)
    for (int kind = 0; kind < N_KINDS; kind++)
      {
#define X(id, type, infix, ctype, arithmetic) \
        moments##infix (&seed, (enum kind) kind, lengths[k]);
        GT_ELEMENT_TYPES (X)
#undef X
      }
}

TEST (all_types)
{
  try_all_types (27);
}

/* Half a unit above and below numbers of every exponent, and as little beside it as there is.  */
TEST (ties)
{
  gsltune_moments *const m = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0);

  for (int e = -1073; e <= 1024 - 53; e++)
    for (int which = 0; which < 18; which++)
      {
        const double first = 0x1p52 + which % 3, half = which / 3 % 2 ? 1 : -1;
        const double x[]
          = {ldexp (first, e), ldexp (half, e - 1), ldexp (which / 6 - 1, which % 2 ? -1074 : e - 2)};

        gsltune_moments_reset (m);
        oracle_load (&oracle, GT_TYPE_DOUBLE, x, 1, NULL, 1, 3, (const double[]) {0, 0});
        oracle_value (exact, &oracle, "sum", 0);
        gsltune_moments_add (m, x, 1, 3);
        check ("sum", (long double) gsltune_moments_sum (m), GT_TYPE_DOUBLE, "double");
        check ("sum", (long double) gsltune_moments_sum_float (m), GT_TYPE_FLOAT, "double");
        check ("sum", gsltune_moments_sum_long_double (m), GT_TYPE_LONG_DOUBLE, "double");
      }
  gsltune_moments_free (m);
}

/* 2^62 elements, by merging with itself, and carries in every word; the rounding mode does not
   matter, nor does it change, and nothing is raised.  */
TEST (many_elements)
{
  const double x[] = {DBL_MAX, -0x1p-1074, 0x1.fffffffffffffp0, 0x1.fffffffffffffp500};

  fesetround (FE_UPWARD);
  feclearexcept (FE_ALL_EXCEPT);
  for (size_t i = 0; i < N_OF (x); i++)
    {
      gsltune_moments *const m = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0);
      gsltune_moments *const negative = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0);

      gsltune_moments_add (m, &x[i], 1, 1);
      gsltune_moments_add (negative, &(double) {-x[i]}, 1, 1);
      for (int k = 0; k < 62; k++)
        {
          gsltune_moments_merge (m, m);
          gsltune_moments_merge (negative, negative);
        }
      assert_int_equal (fetestexcept (FE_ALL_EXCEPT), 0);
      assert_true (gsltune_moments_sum (m) == x[i] * 0x1p62 || x[i] == DBL_MAX);
      feclearexcept (FE_ALL_EXCEPT);
      gsltune_moments_merge (m, negative);
      assert_true (same (gsltune_moments_sum (m), 0));
      gsltune_moments_free (negative);
      gsltune_moments_free (m);
    }
  assert_int_equal (fegetround (), FE_UPWARD);
  fesetround (FE_TONEAREST);
}

/* Elements next to 1, of which some are the double that is nearest to their mean, on either side
   of that: distances are whole numbers of 1/N units of the last place.  */
TEST (next_to_the_mean)
{
  enum { N = 100 };

  for (int most = 1; most < 60; most++)
    for (int sign = -1; sign <= 1; sign += 2)
      {
        gsltune_moments *all = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0), *m;
        double x[N], distances = 0;
        long units[N], sum = 0;

        for (int i = 0; i < N; i++)
          {
            sum += units[i] = i < most ? 2 : i % 2;
            x[i] = sign * (1 + (double) units[i] * DBL_EPSILON);
          }
        for (int i = 0; i < N; i++)
          distances += (double) labs (N * units[i] - sum);
        gsltune_moments_add (all, x, 1, N);
        m = gsltune_moments_alloc_about (all);
        gsltune_moments_add (m, x, 1, N);
        assert_true (gsltune_moments_absdev (m) == distances / (N * N) * DBL_EPSILON);
        gsltune_moments_free (m);
        gsltune_moments_free (all);
      }
}

/* ------------------------------------------------------------------ GPUs */

#if HAVE_CUDA
/* How often kernels have been launched.  */
static unsigned long
launches (void)
{
  void *const driver = dlopen ("libcuda.so.1", RTLD_NOW);
  softgpu_report_function *const told
    = driver ? (softgpu_report_function *) dlsym (driver, "softgpu_report") : NULL;
  struct softgpu_report report = {0};

  assert_non_null (told);
  told (&report);
  return report.calls[SOFTGPU_cuLaunchKernel] + report.calls[SOFTGPU_cuGraphLaunch];
}

/* A GPU makes the sums of all kinds but distances, which are made of copies.  */
SCENARIO (device)
{
  gsltune_device_vector *const v = gsltune_device_vector_alloc (3);
  struct all all[2] = {new_moments (0, 0.5, NULL), new_moments (1, 0.5, NULL)};

  mpfr_init2 (exact, ORACLE_BITS);
  oracle_begin (&oracle);
  assert_true (gsltune_device_vector_on_gpu (v));
  gsltune_device_vector_set (v, &(gsl_vector) {3, 1, (double[]) {1, INFINITY, -2}, NULL, 0});
  for (int i = 0; i < 2 * MAGNITUDES; i++)
    {
      gsltune_moments *const m = all[i / MAGNITUDES].m[i % MAGNITUDES];
      const unsigned long before = launches ();

      assert_int_equal (of_pairs[i % MAGNITUDES] ? gsltune_moments_add_device_vector_pairs (m, v, v)
                                                 : gsltune_moments_add_device_vector (m, v), 0);
      assert_int_equal (launches () - before,
                        i % MAGNITUDES == SUM || (i < MAGNITUDES && i <= PAIRS));
    }
  free_moments (&all[0]);
  free_moments (&all[1]);
  gsltune_device_vector_free (v);
  on_device = 1;
  try_all_types (27);
}

/* Errors leave moments as they were.  */
SCENARIO (refused)
{
  gsltune_device_vector *const v = gsltune_device_vector_alloc (3), *const w = gsltune_device_vector_alloc (2);
  gsltune_moments *const plain = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 2, 0);
  gsltune_moments *const pairs = gsltune_moments_alloc (GSLTUNE_MOMENTS_PAIRS, 2, 0);

  gsl_set_error_handler_off ();
  assert_int_equal (gsltune_moments_add_device_vector (pairs, v), GSL_EINVAL);
  assert_int_equal (gsltune_moments_add_device_vector_pairs (plain, v, v), GSL_EINVAL);
  assert_int_equal (gsltune_moments_add_device_vector_pairs (pairs, v, w), GSL_EBADLEN);
  assert_int_equal (gsltune_moments_n (plain) + gsltune_moments_n (pairs), 0);
  gsltune_moments_free (plain);
  gsltune_moments_free (pairs);
  gsltune_device_vector_free (v);
  gsltune_device_vector_free (w);
}

SOFTGPU_TEST (of_device_vectors)
{
  EXPECT_SCENARIO ("device", "", NOTHING, h200);
  EXPECT_SCENARIO ("refused", "", NOTHING, h200);
}
#endif

/* ------------------------------------------------------------------ Errors */

static const double numbers[] = {3, 1, 4, 1, 5};

static void
add_numbers (const struct all *all, int i)
{
  if (of_pairs[i])
    gsltune_moments_add_pairs (all->m[i], numbers, 1, numbers + 1, 1, 4);
  else
    gsltune_moments_add (all->m[i], numbers, 1, 5);
}

static void
is_refused (int code, int status)
{
  assert_int_equal (status, code);
  assert_int_equal (handler_calls, 1);
  assert_int_equal (handler_code, code);
  handler_calls = 0;
}
#define REFUSED(status) is_refused (GSL_EINVAL, status)
#define NOT_OF(value) is_refused (GSL_EINVAL, isnan (value) ? GSL_EINVAL : 0)
#define NOT_MADE(m) is_refused (GSL_EINVAL, (m) == NULL ? GSL_EINVAL : 0)

/* Sums and statistics that moments were not made for, and distances from the mean of other
   elements.  */
TEST (not_made_for)
{
  struct all all = new_moments (0, 2, NULL);
  gsltune_moments *const one = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0), *m;
  double x, many[200];

  for (int i = 0; i < 200; i++)
    many[i] = i;
  for (int i = 0; i < N_KEPT; i++)
    add_numbers (&all, i);
  gsltune_moments_add (one, numbers, 1, 5);
  m = gsltune_moments_alloc_about (one);
  gsltune_moments_add (m, numbers, 1, 4);
  NOT_OF (gsltune_moments_absdev (m));
  gsltune_moments_reset (m);
  gsltune_moments_add (m, numbers, 1, 5);
  assert_true (gsltune_moments_absdev (m) == 1.44);
  assert_true (gsltune_moments_variance (all.m[PLAIN]) == 3.2);
  NOT_OF (gsltune_moments_variance (one));
  NOT_OF (gsltune_moments_norm (one));
  NOT_OF (gsltune_moments_wmean (all.m[PLAIN]));
  NOT_OF (gsltune_moments_lag1_autocorrelation (all.m[PLAIN]));
  NOT_OF (gsltune_moments_absdev (all.m[PLAIN]));
  NOT_OF (gsltune_moments_skew (all.m[NEIGHBOURS]));
  NOT_OF (gsltune_moments_mean (all.m[WEIGHTED]));
  NOT_OF (gsltune_moments_sum (all.m[WEIGHTED]));
  NOT_OF (gsltune_moments_mean (all.m[PAIRS]));
  NOT_OF (gsltune_moments_sum_float (all.m[PAIRS]));
  NOT_OF (gsltune_moments_sum_long_double (all.m[PAIRS]));
  NOT_OF (gsltune_moments_correlation (all.m[PLAIN]));
  NOT_OF (gsltune_moments_covariance (all.m[PRODUCTS]));
  NOT_OF (gsltune_moments_mean (all.m[ABOUT_GIVEN]));
  NOT_OF (gsltune_moments_absdev_m (all.m[ABOUT_GIVEN], 3));
  NOT_OF (gsltune_moments_absdev (all.m[ABOUT_GIVEN]));
  REFUSED (gsltune_moments_statistic (one, "median", NULL, &x));
  assert_true (gsltune_moments_absdev_m (all.m[ABOUT_GIVEN], 2) == 1.6);
  gsltune_moments_reset (all.m[PRODUCTS]);
  gsltune_moments_add_pairs (all.m[PRODUCTS], many, 1, many, 2, 100);
  assert_true (gsltune_moments_sum (all.m[PRODUCTS]) == 656700);
  gsltune_moments_reset (all.m[PRODUCTS]);
  gsltune_moments_add_pairs (all.m[PRODUCTS], numbers, 1, (const double[]) {-9, -9}, 1, 2);
  assert_true (isnan (gsltune_moments_norm (all.m[PRODUCTS])));
  assert_int_equal (handler_calls, 0);
  gsltune_moments_free (m);
  gsltune_moments_free (one);
  free_moments (&all);
}

TEST (wrong_arguments)
{
  struct all all = new_moments (0, 2, NULL), other = new_moments (0, 3, NULL);
  struct all wide = new_moments (1, 2, NULL);
  unsigned char form[8];

  NOT_MADE (gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 5, 0));
  NOT_MADE (gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 0, 0));
  NOT_MADE (gsltune_moments_alloc (GSLTUNE_MOMENTS_PAIRS, 3, 0));
  NOT_MADE (gsltune_moments_alloc ((gsltune_moments_kind) 4, 1, 0));
  NOT_MADE (gsltune_moments_alloc_about (all.m[PAIRS]));
  NOT_MADE (gsltune_moments_alloc_about (all.m[ABOUT_GIVEN]));
  NOT_MADE (gsltune_moments_alloc_about_mean (GSLTUNE_MOMENTS_PAIRS, 0, 0));
  REFUSED (gsltune_moments_add (all.m[WEIGHTED], numbers, 1, 5));
  REFUSED (gsltune_moments_add_magnitudes (all.m[PLAIN], numbers, 1, 5));
  REFUSED (gsltune_moments_add_pairs (all.m[PLAIN], numbers, 1, numbers, 1, 5));
  REFUSED (gsltune_moments_add_long_double (all.m[PLAIN], &(long double) {3}, 1, 1));
  REFUSED (gsltune_moments_merge (all.m[PLAIN], all.m[NEIGHBOURS]));
  REFUSED (gsltune_moments_merge (all.m[PLAIN], wide.m[PLAIN]));
  REFUSED (gsltune_moments_merge (all.m[ABOUT_GIVEN], other.m[ABOUT_GIVEN]));
  is_refused (GSL_EBADLEN, gsltune_moments_save (all.m[PLAIN], form, sizeof form));
  is_refused (GSL_EBADLEN, gsltune_moments_load (all.m[PLAIN], form, sizeof form));
  free_moments (&wide);
  free_moments (&other);
  free_moments (&all);
}

/* Moments merged with themselves are those of twice the elements, one after the other; also of more
   than 32 bits count.  */
TEST (merged_with_itself)
{
  struct all all = new_moments (0, 2, NULL), twice = new_moments (0, 2, NULL);

  for (int i = 0; i < N_KEPT; i++)
    {
      const size_t size = gsltune_moments_size (all.m[i]);
      unsigned char *const form = malloc (2 * size);
      uint64_t n;

      assert_non_null (form);
      add_numbers (&all, i);
      assert_int_equal (gsltune_moments_merge (all.m[i], all.m[i]), 0);
      add_numbers (&twice, i);
      add_numbers (&twice, i);
      gsltune_moments_save (all.m[i], form, size);
      gsltune_moments_save (twice.m[i], form + size, size);
      assert_memory_equal (form, form + size, size);
      n = gsltune_moments_n (twice.m[i]) << 40;
      for (int k = 0; k < 40; k++)
        assert_int_equal (gsltune_moments_merge (all.m[i], all.m[i]), 0);
      gsltune_moments_save (all.m[i], form, size);
      assert_int_equal (gsltune_moments_load (twice.m[i], form, size), 0);
      assert_true (gsltune_moments_n (twice.m[i]) == n);
      free (form);
    }
  assert_true (gsltune_moments_population_variance (twice.m[PLAIN]) == 2.56);
  free_moments (&twice);
  free_moments (&all);
}

/* Gives FORM the check of its bytes, FNV-1a of all others.  */
static void
make_check (unsigned char *form, size_t size)
{
  uint32_t hash = 0x811c9dc5;

  memset (form + 12, 0, sizeof hash);
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ form[i]) * 0x01000193;
  for (int k = 0; k < 4; k++)
    form[12 + k] = (unsigned char) (hash >> 8 * k);
}

/* A form in which any byte is another is refused, and leaves what was there; so is one that was
   made up if the highest word of a sum is more than 2^64 elements can bring about.  */
TEST (damaged)
{
  struct all all = new_moments (0, 2, NULL);

  for (int i = 0; i < N_KEPT; i++)
    {
      gsltune_moments *const m = all.m[i];
      const size_t size = gsltune_moments_size (m);
      unsigned char *const form = malloc (2 * size);

      assert_non_null (form);
      add_numbers (&all, i);
      gsltune_moments_save (m, form, size);
      gsltune_moments_reset (m);
      for (size_t at = 0; at < size; at++)
        {
          form[at] ^= 1u << at % 8;
          REFUSED (gsltune_moments_load (m, form, size));
          REFUSED (gsltune_moments_merge_saved (m, form, size));
          form[at] ^= 1u << at % 8;
        }
      for (int k = 0; k < 2; k++)
        {
          form[size - 2] ^= 1u << 2;
          make_check (form, size);
          if (k == 0)
            REFUSED (gsltune_moments_load (m, form, size));
        }
      assert_int_equal (gsltune_moments_n (m), 0);
      assert_int_equal (gsltune_moments_load (m, form, size), 0);
      gsltune_moments_save (m, form + size, size);
      assert_memory_equal (form, form + size, size);
      free (form);
    }
  free_moments (&all);
}

FIXTURE (begin)
{
  mpfr_init2 (exact, ORACLE_BITS);
  oracle_begin (&oracle);
  gsl_set_error_handler (note_error);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  return 0;
}

FIXTURE (end)
{
  mpfr_clear (exact);
  oracle_end (&oracle);
  mpfr_free_cache ();
  return 0;
}

int
main (int argc, char **argv)
{
  scenario_main (argc, argv);
  gt_env.profile_dir = "/nonexistent";
  return run_unit_tests (begin, end);
}
