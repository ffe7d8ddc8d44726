/* Tests of device vectors on GPUs of the caller's choice, and of their sum by all of
   these at once (src/reduce/device_sum_all.c), on two devices of tests/softgpu, and
   unchanged on the machine's own GPUs where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>

#include "tests/unit.h"

#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/handler.h"
#include "tests/scenario.h"

#define MOST 9

/* Vectors on every GPU in turn, and all their elements on the host.  */
struct set
{
  gsltune_device_vector *v[MOST];
  size_t count;
  gsl_vector *all;
};

/* Numbers of similar sizes, of very different ones, and whole ones of 20 bits.  */
enum kind
{
  SIMILAR,
  WIDE,
  WHOLE
};

static double
any_number (uint64_t *seed, enum kind kind)
{
  const int64_t word = (int64_t) random_word (seed);

  return kind == WHOLE ? (double) (word % (1 << 20))
                       : ldexp ((double) word, kind == WIDE ? (int) (word & 1023) - 600 : -63);
}

static struct set
make_set (size_t count, size_t n, enum kind kind)
{
  struct set set = {.count = count};
  const int gpus = gsltune_gpu_count ();
  uint64_t seed = n + count;
  size_t at = 0;

  set.all = gsl_vector_alloc (count * n + 1);
  for (size_t i = 0; i < count; i++)
    {
      /* One of them is empty.  */
      const size_t length = i == 3 ? 0 : n - i % 2;
      gsl_vector source = {length, 1, set.all->data + at, NULL, 0};

      for (size_t k = 0; k < length; k++)
        source.data[k] = any_number (&seed, kind);
      set.v[i] = gsltune_device_vector_alloc_on (length, gpus ? (int) (i / 2) % gpus : 0);
      assert_non_null (set.v[i]);
      assert_int_equal (gsltune_device_vector_set (set.v[i], &source), 0);
      at += length;
    }
  set.all->size = at;
  return set;
}

static void
free_set (struct set *set)
{
  for (size_t i = 0; i < set->count; i++)
    gsltune_device_vector_free (set->v[i]);
  gsl_vector_free (set->all);
}

static void
check_set (size_t count, size_t n, enum kind kind)
{
  struct set set = make_set (count, n, kind);
  const gsltune_device_vector *const *const v
    = (const gsltune_device_vector *const *) set.v;
  gsltune_moments *sum = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0);
  gsltune_moments *squares = gsltune_moments_alloc (GSLTUNE_MOMENTS_PAIRS, 1, 0);
  double ours, expected, products;

  ours = gsltune_device_vector_sum_all (v, count);
  expected = gsltune_vector_sum (set.all);
  if (memcmp (&ours, &expected, sizeof ours) != 0)
    fail_msg ("%zu vectors of %zu: %.17g instead of %.17g", count, n, ours, expected);
  for (size_t i = 0; i < count; i++)
    assert_int_equal (gsltune_moments_add_device_vector (sum, v[i]), 0);
  assert_true (gsltune_moments_sum (sum) == expected);
  for (size_t i = 0; i < count; i++)
    assert_int_equal (gsltune_moments_add_device_vector_pairs (squares, v[i], v[i]), 0);
  products = gsltune_moments_norm (squares);
  assert_true (products == gsltune_blas_dnrm2 (set.all));
  gsltune_moments_free (sum);
  gsltune_moments_free (squares);
  free_set (&set);
}

TEST (same_as_one_vector)
{
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (enum kind kind = SIMILAR; kind <= WHOLE; kind++)
    for (size_t count = 0; count <= MOST; count += 1 + count / 4)
      {
        check_set (count, 1, kind);
        check_set (count, 1000, kind);
      }
  check_set (5, 40000, SIMILAR);
}

/* In fast mode the same bits each time, and as near the exact sum as one vector's would
   be: what is added are sums with their rests, not sums that were rounded.  */
TEST (fast_sums)
{
  struct set set = make_set (MOST, 500, SIMILAR);
  const gsltune_device_vector *const *const v
    = (const gsltune_device_vector *const *) set.v;
  const double exact = gsltune_vector_sum (set.all);
  const double error_of_gsl = fabs (gsl_vector_sum (set.all) - exact);
  const double ulp = fabs (nextafter (exact, INFINITY) - exact);
  double first;

  gsltune_set_mode (GSLTUNE_MODE_FAST);
  first = gsltune_device_vector_sum_all (v, set.count);
  assert_true (fabs (first - exact) <= 4 * ulp + 16 * error_of_gsl);
  for (int again = 0; again < 3; again++)
    assert_true (gsltune_device_vector_sum_all (v, set.count) == first);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  free_set (&set);
}

/* Of whole numbers no addition rounds, so that the sum is right in every mode.  */
TEST (whole_numbers)
{
  struct set set = make_set (MOST, 500, WHOLE);
  const gsltune_device_vector *const *const v
    = (const gsltune_device_vector *const *) set.v;
  const double expected = gsl_vector_sum (set.all);

  for (int mode = GSLTUNE_MODE_FAST; mode <= GSLTUNE_MODE_EXACT; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      assert_true (gsltune_device_vector_sum_all (v, set.count) == expected);
    }
  free_set (&set);
}

TEST (integers_wrap)
{
  gsltune_device_vector_int *v[3];
  int numbers[300];
  gsl_vector_int source = {300, 1, numbers, NULL, 0};
  unsigned sum = 0;

  for (int i = 0; i < 300; i++)
    {
      numbers[i] = INT_MAX - 7 * i;
      sum += (unsigned) numbers[i];
    }
  for (int i = 0; i < 3; i++)
    {
      v[i] = gsltune_device_vector_int_alloc_on (300, 0);
      assert_int_equal (gsltune_device_vector_int_set (v[i], &source), 0);
    }
  assert_int_equal (gsltune_device_vector_int_sum_all (
      (const gsltune_device_vector_int *const *) v, 3), (int) (3 * sum));
  for (int i = 0; i < 3; i++)
    gsltune_device_vector_int_free (v[i]);
}

TEST (wrong_numbers)
{
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);
  const int gpus = gsltune_gpu_count ();

  handler_calls = 0;
  assert_null (gsltune_device_vector_alloc_on (1, -1));
  assert_int_equal (handler_calls, 1);
  assert_int_equal (handler_code, GSL_EINVAL);
  if (gpus)
    assert_null (gsltune_device_vector_alloc_on (1, gpus));
  assert_int_equal (handler_calls, gpus ? 2 : 1);
  gsl_set_error_handler (before);
}

TEST (chosen_gpus)
{
  const int gpus = gsltune_gpu_count ();

#if HAVE_CUDA
  assert_true (gpus >= (on_real_gpu () ? 1 : 2));
#endif
  for (int g = 0; g < gpus; g++)
    {
      gsltune_device_vector *v = gsltune_device_vector_alloc_on (10, g);

      assert_non_null (v);
      assert_int_equal (gsltune_device_vector_on_gpu (v), 1);
      gsltune_device_vector_free (v);
    }
}

/* A child of fork() sees no GPU, and cannot have what is on one.  */
TEST (in_a_child)
{
  struct set set = make_set (2, 100, 0);
  const gsltune_device_vector *const *const v
    = (const gsltune_device_vector *const *) set.v;
  const int gpus = gsltune_gpu_count ();
  pid_t child = fork ();
  int status;

  if (child == 0)
    {
      double sum;

      gsl_set_error_handler (note_error);
      sum = gsltune_device_vector_sum_all (v, 2);
      _exit (gsltune_gpu_count () == 0 && (gpus ? isnan (sum) && handler_code == GSL_EFAILED
                      : sum == gsltune_vector_sum (set.all)) ? 0 : 1);
    }
  assert_true (waitpid (child, &status, 0) == child && status == 0);
  free_set (&set);
}

int
main (void)
{
  use_two_gpus ();
  return run_unit_tests (NULL, NULL);
}
