/* Tests of moments (src/public/power_sums*.c): samples that come in pieces, which are added
   to one or merged, have all statistics that the whole has, which are held to those of whole
   numbers of GNU MP (tests/oracle.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/exact.h"
#include "tests/device_vectors.h"
#include "tests/handler.h"
#include "tests/softgpu/softgpu_hooks.h"
#include "tests/oracle.h"
#include "tests/stats_all.h"

#define MOST 300
#define MOST_PIECES 5
#define MOST_ZEROS 1000

/* The moments that all statistics are made of.  */
enum kept
{
  PLAIN, NEIGHBOURS, WEIGHTED, PAIRS, ABOUT_GIVEN, WEIGHTED_ABOUT_GIVEN,
  ABOUT, WEIGHTED_ABOUT, N_KEPT
};

static const int of_pairs[N_KEPT]
  = {[WEIGHTED] = 1, [PAIRS] = 1, [WEIGHTED_ABOUT] = 1, [WEIGHTED_ABOUT_GIVEN] = 1};

struct all
{
  gsltune_moments *m[N_KEPT];
};

enum way
{
  IN_PLACE, BY_MERGING, BY_SAVED, BY_FORMS, N_WAYS
};
static const char *const way_names[] = {"in place", "merged", "saved", "forms"};

enum kind
{
  SIMILAR, /* in size */
  ANY,     /* bits of any number */
  EQUAL,   /* but for a few */
  SPECIAL, /* not all of them finite */
  N_KINDS
};

static struct oracle oracle;
static mpfr_t exact;

static long double
any_element (uint64_t *seed, int kind, enum gt_arithmetic arithmetic)
{
  const uint64_t word = random_word (seed);
  const long double near_1 = (long double) (int64_t) word * 0x1p-63L;
  double x;

  memcpy (&x, &word, sizeof x);
  if (kind == SPECIAL && word % 16 == 0)
    return word & 64 ? INFINITY : word & 128 ? -INFINITY : NAN;
  if (kind == EQUAL)
    return word % 16 ? 0.3 : near_1;
  if (kind == ANY && arithmetic == GT_F32)
    return ldexpl (near_1, (int) (word >> 3 & 0xff) - 0x80);
  if (kind == ANY && arithmetic == GT_LDBL)
    return ldexpl (near_1, (int) (word >> 3 & 0x7fff) - 0x4000);
  if (kind == ANY && isfinite (x))
    return x;
  return near_1;
}

static int
same (double x, double y)
{
  return memcmp (&x, &y, sizeof x) == 0 || (isnan (x) && isnan (y));
}

/* Where they are defined.  */
static void
check_oracle (const char *type, const double *is, int weights)
{
  for (int k = 0; k < (weights ? N_STATISTICS : (int) STATISTIC_wmean); k++)
    if (oracle_value (exact, &oracle, statistic_names[k], 0)
        && !same (is[k], mpfr_zero_p (exact) ? 0 : mpfr_get_d (exact, MPFR_RNDN)))
      fail_msg ("%s of %zu %s: %a instead of %a", statistic_names[k], oracle.n, type,
                is[k], mpfr_get_d (exact, MPFR_RNDN));
}

/* ------------------------------------------------------------- Many at once */

/* Distances are from the means of WHOLE, if it is not null.  */
static struct all
new_moments (int wide, double mean, const struct all *whole)
{
  struct all all = {{
    [PLAIN] = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 4, wide),
    [NEIGHBOURS] = gsltune_moments_alloc (GSLTUNE_MOMENTS_NEIGHBOURS, 2, wide),
    [WEIGHTED] = gsltune_moments_alloc (GSLTUNE_MOMENTS_WEIGHTED, 4, wide),
    [PAIRS] = gsltune_moments_alloc (GSLTUNE_MOMENTS_PAIRS, 2, wide),
    [ABOUT_GIVEN] = gsltune_moments_alloc_about_mean (GSLTUNE_MOMENTS_PLAIN, mean, wide),
    [WEIGHTED_ABOUT_GIVEN]
    = gsltune_moments_alloc_about_mean (GSLTUNE_MOMENTS_WEIGHTED, mean, wide),
  }};

  all.m[ABOUT]
    = whole ? gsltune_moments_alloc_about (whole->m[PLAIN])
            : gsltune_moments_alloc_about_mean (GSLTUNE_MOMENTS_PLAIN, mean, wide);
  all.m[WEIGHTED_ABOUT]
    = whole ? gsltune_moments_alloc_about (whole->m[WEIGHTED])
            : gsltune_moments_alloc_about_mean (GSLTUNE_MOMENTS_WEIGHTED, mean, wide);
  for (int i = 0; i < N_KEPT; i++)
    assert_non_null (all.m[i]);
  return all;
}

static void
free_moments (struct all *all)
{
  for (int i = 0; i < N_KEPT; i++)
    gsltune_moments_free (all->m[i]);
}

static void
reset (struct all *all)
{
  for (int i = 0; i < N_KEPT; i++)
    gsltune_moments_reset (all->m[i]);
}

static void
merge_saved (gsltune_moments *m, const gsltune_moments *part)
{
  const size_t size = gsltune_moments_size (part);
  void *const form = malloc (size);

  assert_non_null (form);
  assert_int_equal (gsltune_moments_save (part, form, size), 0);
  assert_int_equal (gsltune_moments_merge_saved (m, form, size), 0);
  free (form);
}

/* As a file has them; what is loaded replaces what was there.  */
static void
merge_form (gsltune_moments *m, gsltune_moments *part, gsltune_moments *other)
{
  const size_t size = gsltune_moments_size (part);
  unsigned char *form = malloc (size), *again = malloc (size);

  assert_true (form && again);
  assert_int_equal (gsltune_moments_save (part, form, size), 0);
  assert_int_equal (gsltune_moments_load (other, form, size), 0);
  assert_int_equal (gsltune_moments_save (other, again, size), 0);
  assert_memory_equal (form, again, size);
  assert_int_equal (gsltune_moments_merge (m, other), 0);
  free (form);
  free (again);
}

/* Adds what PART has to ALL, in one of the ways.  */
static void
put_together (enum way way, struct all *all, struct all *part, struct all *before)
{
  for (int i = 0; i < N_KEPT && way != IN_PLACE; i++)
    if (way == BY_MERGING)
      assert_int_equal (gsltune_moments_merge (all->m[i], part->m[i]), 0);
    else if (way == BY_SAVED)
      merge_saved (all->m[i], part->m[i]);
    else
      merge_form (all->m[i], part->m[i], before->m[i]);
}

/* The moments that a statistic is made of.  */
static enum kept
kept_for (int statistic)
{
  switch (statistic)
    {
    case STATISTIC_absdev:
      return ABOUT;
    case STATISTIC_absdev_m:
      return ABOUT_GIVEN;
    case STATISTIC_wabsdev:
      return WEIGHTED_ABOUT;
    case STATISTIC_wabsdev_m:
      return WEIGHTED_ABOUT_GIVEN;
    case STATISTIC_lag1_autocorrelation:
    case STATISTIC_lag1_autocorrelation_m:
    case STATISTIC_variance_m:
      return NEIGHBOURS;
    case STATISTIC_covariance:
    case STATISTIC_covariance_m:
    case STATISTIC_correlation:
      return PAIRS;
    default:
      return is_weighted (statistic) ? WEIGHTED : PLAIN;
    }
}

static double
statistic_of (const struct all *all, int statistic, const double given[2])
{
  const gsltune_moments *const m = all->m[kept_for (statistic)];
  const double mean = given[0], sd = given[1], mean1 = mean, mean2 = sd;

#define OF(name, prototype)       \
  if (statistic == STATISTIC_##name) \
    return gsltune_moments_##name GT_PASSES (prototype);
#define STATS_ROW(name, reduction, result, ...) \
  GT_IF_NUMBER (STATS_##result, OF (name, MOMENTS_##result))
#include "src/rows.inc"
  return 0;
}

static void
compare (const char *type, enum way way, size_t n, const struct all *all,
         const double given[2], const double *expected, int count)
{
  for (int k = 0; k < count; k++)
    {
      const double is = statistic_of (all, k, given);

      if (!same (is, expected[k]))
        fail_msg ("%s of %zu %s, %s: %a instead of %a", statistic_names[k], n, type,
                  way_names[way], is, expected[k]);
    }
  assert_int_equal (handler_calls, 0);
}

/* Whether device vectors are added, where these can be.  */
static int on_device;

#define GT_TEMPLATE "tests/moments_of.inc"
#include "src/public/each_type.h"

TEST (all_types)
{
  static const size_t lengths[] = {0, 1, 2, 3, 5, 17, 63, 64, 130, MOST};
  uint64_t seed = 27;

  for (size_t k = 0; k < N_OF (lengths); k++)
    for (int kind = 0; kind < N_KINDS; kind++)
      {
        const unsigned pieces = 1 + (unsigned) (random_word (&seed) % MOST_PIECES);

#define X(id, type, infix, ctype, arithmetic) \
        moments##infix (&seed, kind, lengths[k], pieces);
        GT_ELEMENT_TYPES (X)
#undef X
      }
}

/* An exact zero is +0, whatever computed it.  */
TEST (exact_zeros)
{
  static const double given[][2] = {{0, 1}, {-0.0, -1.5}, {0.5, -1}};

  for (unsigned pattern = 0; pattern < 25; pattern++)
    for (size_t n = 1; n <= MOST_ZEROS; n = n < 70 ? n + 1 : n + 930)
      {
        zeros (pattern, n, given[(n + pattern) % 3]);
        zeros_float (pattern, n, given[(n + pattern) % 3]);
        zeros_long_double (pattern, n, given[(n + pattern) % 3]);
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
  return report.calls[SOFTGPU_cuLaunchKernel];
}

/* Whether M has the form of moments of X on the host, made as LIKE was.  */
static int
has_form (gsltune_moments *m, gsltune_moments *like, int pairs, const gsl_vector *x)
{
  const size_t size = gsltune_moments_size (m);
  unsigned char forms[2][1 << 15];

  assert_true (size <= sizeof forms[0]);
  if (pairs)
    gsltune_moments_add_pairs (like, x->data, 1, x->data, 1, x->size);
  else
    gsltune_moments_add (like, x->data, 1, x->size);
  assert_int_equal (gsltune_moments_save (m, forms[0], size), 0);
  assert_int_equal (gsltune_moments_save (like, forms[1], size), 0);
  return memcmp (forms[0], forms[1], size) == 0;
}

/* A GPU makes the sums of all kinds but distances, which are made of copies.  */
SCENARIO (device)
{
  static const size_t lengths[] = {0, 1, 2, 5, 64, MOST};
  gsltune_device_vector *const v = gsltune_device_vector_alloc (3);
  struct all all = new_moments (0, 0.5, NULL);
  struct all wide = new_moments (1, 0.5, NULL);
  struct all here = new_moments (0, 0.5, NULL);
  const gsl_vector numbers_there = {3, 1, (double[]) {1, INFINITY, -2}, NULL, 0};
  uint64_t seed = 27; /* of which no element of an infinite weight is the given mean */

  mpfr_init (exact);
  oracle_begin (&oracle);
  assert_true (gsltune_device_vector_on_gpu (v));
  assert_int_equal (gsltune_device_vector_set (v, &numbers_there), 0);
  for (int i = 0; i < 2 * N_KEPT; i++)
    {
      gsltune_moments *const m = (i < N_KEPT ? all : wide).m[i % N_KEPT];
      const unsigned long before = launches ();

      assert_int_equal (of_pairs[i % N_KEPT] ? gsltune_moments_add_device_vector_pairs (m, v, v)
                                             : gsltune_moments_add_device_vector (m, v), 0);
      assert_int_equal (launches () - before, i <= PAIRS);
      assert_true (i >= N_KEPT || has_form (m, here.m[i], of_pairs[i], &numbers_there));
    }
  free_moments (&here);
  free_moments (&all);
  free_moments (&wide);
  gsltune_device_vector_free (v);
  on_device = 1;
  for (size_t k = 0; k < N_OF (lengths); k++)
    for (int kind = 0; kind < N_KINDS; kind++)
      {
#define X(id, type, infix, ctype, arithmetic) moments##infix (&seed, kind, lengths[k], 1 + k % 3);
        GT_GPU_ELEMENT_TYPES (X)
#undef X
      }
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

static void
reported (int code)
{
  assert_int_equal (handler_calls, 1);
  assert_int_equal (handler_code, code);
  handler_calls = 0;
}

static void
invalid (double x)
{
  assert_true (isnan (x));
  reported (GSL_EINVAL);
}

static const double numbers[] = {3, 1, 4, 1, 5};
static const long double long_numbers[] = {3, 1, 4};

/* Statistics that moments were not made for.  */
TEST (not_made_for)
{
  struct all all = new_moments (0, 2, NULL);
  gsltune_moments *two = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 2, 0);
  gsltune_moments *one = gsltune_moments_alloc (GSLTUNE_MOMENTS_WEIGHTED, 1, 0);

  gsltune_moments_add (two, numbers, 1, 5);
  assert_true (gsltune_moments_variance (two) == 3.2);
  invalid (gsltune_moments_skew (two));
  invalid (gsltune_moments_wmean (two));
  invalid (gsltune_moments_lag1_autocorrelation (two));
  invalid (gsltune_moments_absdev (two));
  invalid (gsltune_moments_absdev_m (two, 0));
  invalid (gsltune_moments_wvariance (one));
  invalid (gsltune_moments_mean (all.m[WEIGHTED]));
  invalid (gsltune_moments_mean (all.m[PAIRS]));
  invalid (gsltune_moments_correlation (all.m[PLAIN]));
  invalid (gsltune_moments_mean (all.m[ABOUT_GIVEN]) + NAN);
  invalid (gsltune_moments_variance_m (all.m[ABOUT_GIVEN], 2));
  invalid (gsltune_moments_absdev_m (all.m[ABOUT_GIVEN], 3));
  invalid (gsltune_moments_absdev (all.m[ABOUT_GIVEN]));
  assert_true (isnan (gsltune_moments_absdev_m (all.m[ABOUT_GIVEN], 2)));
  assert_int_equal (handler_calls, 0);
  gsltune_moments_free (one);
  gsltune_moments_free (two);
  free_moments (&all);
}

/* Distances are from the mean of what is added, and of nothing else.  */
TEST (other_elements)
{
  gsltune_moments *all = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0), *m;

  gsltune_moments_add (all, numbers, 1, 5);
  m = gsltune_moments_alloc_about (all);
  gsltune_moments_add (m, numbers, 1, 4);
  invalid (gsltune_moments_absdev (m));
  gsltune_moments_add (m, numbers, 1, 1);
  invalid (gsltune_moments_absdev (m));
  gsltune_moments_reset (m);
  gsltune_moments_add (m, numbers, 1, 5);
  assert_true (gsltune_moments_absdev (m) == 1.44);
  gsltune_moments_free (m);
  gsltune_moments_free (all);
}

/* Elements next to 1, of which some are the double that is nearest to their mean, on either side
   of that: distances are whole numbers of 1/N units of the last place.  */
TEST (next_to_the_mean)
{
  enum { N = 100 };

  for (int most = 1; most < 60; most++)
    {
      gsltune_moments *all = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0), *m;
      double x[N], distances = 0;
      long units[N], sum = 0;

      for (int i = 0; i < N; i++)
        {
          sum += units[i] = i < most ? 2 : i % 2;
          x[i] = 1 + (double) units[i] * DBL_EPSILON;
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

TEST (wrong_arguments)
{
  struct all all = new_moments (0, 2, NULL), other = new_moments (0, 3, NULL);
  struct all wide = new_moments (1, 2, NULL);
  unsigned char form[8];

  assert_null (gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 5, 0));
  reported (GSL_EINVAL);
  assert_null (gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 0, 0));
  reported (GSL_EINVAL);
  assert_null (gsltune_moments_alloc (GSLTUNE_MOMENTS_PAIRS, 3, 0));
  reported (GSL_EINVAL);
  assert_null (gsltune_moments_alloc ((gsltune_moments_kind) 4, 1, 0));
  reported (GSL_EINVAL);
  assert_null (gsltune_moments_alloc_about (all.m[PAIRS]));
  reported (GSL_EINVAL);
  assert_null (gsltune_moments_alloc_about (all.m[ABOUT_GIVEN]));
  reported (GSL_EINVAL);
  assert_null (gsltune_moments_alloc_about_mean (GSLTUNE_MOMENTS_PAIRS, 0, 0));
  reported (GSL_EINVAL);
  assert_int_equal (gsltune_moments_add (all.m[WEIGHTED], numbers, 1, 5), GSL_EINVAL);
  reported (GSL_EINVAL);
  assert_int_equal (gsltune_moments_add_pairs (all.m[PLAIN], numbers, 1, numbers, 1, 5),
                    GSL_EINVAL);
  reported (GSL_EINVAL);
  assert_int_equal (gsltune_moments_add_long_double (all.m[PLAIN], long_numbers, 1, 3),
                    GSL_EINVAL);
  reported (GSL_EINVAL);
  assert_int_equal (gsltune_moments_merge (all.m[PLAIN], all.m[NEIGHBOURS]), GSL_EINVAL);
  reported (GSL_EINVAL);
  assert_int_equal (gsltune_moments_merge (all.m[PLAIN], wide.m[PLAIN]), GSL_EINVAL);
  reported (GSL_EINVAL);
  assert_int_equal (gsltune_moments_merge (all.m[ABOUT_GIVEN], other.m[ABOUT_GIVEN]),
                    GSL_EINVAL);
  reported (GSL_EINVAL);
  assert_int_equal (gsltune_moments_save (all.m[PLAIN], form, sizeof form), GSL_EBADLEN);
  reported (GSL_EBADLEN);
  assert_int_equal (gsltune_moments_load (all.m[PLAIN], form, sizeof form), GSL_EBADLEN);
  reported (GSL_EBADLEN);
  free_moments (&wide);
  free_moments (&other);
  free_moments (&all);
}

/* Moments merged with themselves are those of twice the elements, one after the other.  */
TEST (merged_with_itself)
{
  struct all all = new_moments (0, 2, NULL), twice = new_moments (0, 2, NULL);
  const double given[] = {2, 1.5};

  for (int i = 0; i < N_KEPT; i++)
    for (int k = 0; k < 3; k++)
      {
        gsltune_moments *const m = k ? twice.m[i] : all.m[i];

        if (of_pairs[i])
          gsltune_moments_add_pairs (m, numbers, 1, numbers + 1, 1, 4);
        else
          gsltune_moments_add (m, numbers, 1, 5);
        if (k == 0)
          assert_int_equal (gsltune_moments_merge (m, m), 0);
      }
  for (int k = 0; k < N_STATISTICS; k++)
    if (kept_for (k) < ABOUT)
      assert_true (same (statistic_of (&all, k, given), statistic_of (&twice, k, given)));
  free_moments (&twice);
  free_moments (&all);
}

/* Whether the statistics that M has can be those of some elements.  */
static int
is_possible (const struct all *all, enum kept kept, const double given[2])
{
  static const enum statistic squares[]
    = {STATISTIC_tss, STATISTIC_variance, STATISTIC_sd, STATISTIC_absdev, STATISTIC_absdev_m,
       STATISTIC_wtss, STATISTIC_wabsdev, STATISTIC_wabsdev_m};

  for (size_t k = 0; k < N_OF (squares); k++)
    if (kept_for ((int) squares[k]) == kept
        && statistic_of (all, (int) squares[k], given) < 0)
      return 0;
  return kept != PAIRS || !(fabs (statistic_of (all, STATISTIC_correlation, given)) > 1);
}

/* Forms in which one bit is another: what is refused leaves
   what was there, and what is taken is saved again, and can be the sums of elements.  */
TEST (damaged)
{
  struct all all = new_moments (0, 2, NULL);
  const double given[] = {2, 1.5};
  uint64_t seed = 5;

  for (int i = 0; i < N_KEPT; i++)
    {
      gsltune_moments *const m = all.m[i];
      const size_t size = gsltune_moments_size (m);
      unsigned char *form = malloc (size), *before = malloc (size), *after = malloc (size);

      assert_true (form && before && after);
      for (int repeat = 0; repeat < 1000; repeat++)
        {
          int status;

          gsltune_moments_reset (m);
          if (of_pairs[i])
            gsltune_moments_add_pairs (m, numbers, 1, numbers + 1, 1, 4);
          else
            gsltune_moments_add (m, numbers, 1, 5);
          gsltune_moments_save (m, before, size);
          memcpy (form, before, size);
          form[random_word (&seed) % (repeat % 2 ? size : 24)] ^= 1u << random_word (&seed) % 8;
          status = gsltune_moments_load (m, form, size);
          gsltune_moments_save (m, after, size);
          assert_true (status == GSL_SUCCESS || memcmp (before, after, size) == 0);
          assert_true (status != GSL_SUCCESS || memcmp (before, after, size) != 0);
          assert_true (status != GSL_SUCCESS || memcmp (form, after, size) == 0);
          assert_true (is_possible (&all, (enum kept) i, given));
          for (int k = 0; k < N_STATISTICS; k++)
            if (kept_for (k) == (enum kept) i)
              statistic_of (&all, k, given);
          assert_int_equal (gsltune_moments_merge (m, m), 0);
          if (of_pairs[i])
            gsltune_moments_add_pairs (m, numbers, 1, numbers, 1, 5);
          else
            gsltune_moments_add (m, numbers, 1, 5);
        }
      handler_calls = 0;
      free (after);
      free (before);
      free (form);
    }
  free_moments (&all);
}

/* What is in the form of moments of KIND of N numbers from AT on, BYTES long, becomes VALUE;
   negative places are from the end on.  */
static int
load_changed (enum kept kind, size_t n, long at, size_t bytes, unsigned char value)
{
  struct all all = new_moments (0, 2, NULL);
  gsltune_moments *const m = all.m[kind];
  const size_t size = gsltune_moments_size (m);
  unsigned char *const form = malloc (size);
  int status;

  assert_non_null (form);
  if (of_pairs[kind])
    gsltune_moments_add_pairs (m, numbers, 1, numbers, 1, n);
  else
    gsltune_moments_add (m, numbers, 1, n);
  gsltune_moments_save (m, form, size);
  memset (form + (at < 0 ? (long) size : 0) + at, value, bytes);
  status = gsltune_moments_load (m, form, size);
  handler_calls = 0;
  free (form);
  free_moments (&all);
  return status;
}

/* Sums that no elements have.  */
TEST (impossible)
{
  enum { FLAG = 11, N = 16 };

  for (int kind = 0; kind < N_KEPT; kind++)
    {
      const int has_second = of_pairs[kind] || kind == PAIRS;

      assert_int_equal (load_changed ((enum kept) kind, 4, N, 1, 4), GSL_SUCCESS);
      assert_int_equal (load_changed ((enum kept) kind, 4, N, 1, 0), GSL_EINVAL);
      assert_int_equal (load_changed ((enum kept) kind, 4, FLAG, 1, 4), GSL_EINVAL);
      assert_int_equal (load_changed ((enum kept) kind, 0, FLAG, 1, 4), GSL_EINVAL);
      assert_int_equal (load_changed ((enum kept) kind, 0, FLAG, 1, 8), GSL_EINVAL);
      assert_int_equal (load_changed ((enum kept) kind, 0, N, 1, 1),
                        has_second && kind != PAIRS ? GSL_EINVAL : GSL_SUCCESS);
    }
  /* The last sum is of fourth powers; fewer elements have larger squares.  */
  assert_int_equal (load_changed (PLAIN, 4, -20, 20, 0xff), GSL_EINVAL);
  assert_int_equal (load_changed (WEIGHTED, 4, -20, 20, 0xff), GSL_EINVAL);
  assert_int_equal (load_changed (PLAIN, 4, N, 1, 1), GSL_EINVAL);
  assert_int_equal (load_changed (PAIRS, 4, N, 1, 1), GSL_EINVAL);
  assert_int_equal (load_changed (NEIGHBOURS, 4, N, 1, 1), GSL_EINVAL);
}

/* A first and a last element of the largest magnitude there is.  */
TEST (largest_ends)
{
  static const long double most[] = {DBL_MAX, LDBL_MAX};

  for (int wide = 0; wide < 2; wide++)
    for (int sign = -1; sign <= 1; sign += 2)
      {
        gsltune_moments *const m = gsltune_moments_alloc (GSLTUNE_MOMENTS_NEIGHBOURS, 2, wide);
        const long double x[] = {sign * most[wide], 1, sign * most[wide]};
        const size_t size = gsltune_moments_size (m);
        void *const form = malloc (size);
        double expected;

        assert_non_null (form);
        for (int i = 0; i < 3; i++)
          if (wide)
            gsltune_moments_add_long_double (m, &x[i], 1, 1);
          else
            gsltune_moments_add (m, &(double) {(double) x[i]}, 1, 1);
        expected = gsltune_moments_lag1_autocorrelation (m);
        assert_true (isfinite (expected));
        assert_int_equal (gsltune_moments_save (m, form, size), 0);
        gsltune_moments_reset (m);
        assert_int_equal (gsltune_moments_load (m, form, size), 0);
        assert_true (same (gsltune_moments_lag1_autocorrelation (m), expected));
        free (form);
        gsltune_moments_free (m);
      }
}

FIXTURE (begin)
{
  mpfr_init (exact);
  oracle_begin (&oracle);
  gsl_set_error_handler (note_error);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  return 0;
}

FIXTURE (end)
{
  mpfr_clear (exact);
  oracle_end (&oracle);
  return 0;
}

int
main (int argc, char **argv)
{
  scenario_main (argc, argv);
  gt_env.profile_dir = "/nonexistent";
  return run_unit_tests (begin, end);
}
