/* Tests of memory that is not what its address says: vectors that a GPU must not
   read, because it would lose its context and with it every device vector of the
   program.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_vector.h>

#include "tests/unit.h"

#include "src/cuda/backend_cuda.h"
#include "src/cuda/cuda_memory.h"
#include "src/gsltune.h"
#include "src/plan/choose.h"
#include "src/route/share.h"
#include "tests/exact.h"
#include "tests/scenario_folder.h"

/* Elements in a page, and in the vector.  */
#define PAGE 512
#define N (9 * PAGE)

static gsltune_device_vector *witness;
static double witness_sum;

/* A device vector, which is lost when the GPU's context is.  */
static void
make_witness (void)
{
  static double x[100];
  gsl_vector v = {N_OF (x), 1, x, NULL, 0};

  witness_sum = put_exact (GT_F64, x, N_OF (x), 1, 5).f64[0];
  witness = gsltune_device_vector_alloc (N_OF (x));
  CHECK (witness && gsltune_device_vector_set (witness, &v) == GSL_SUCCESS);
}

static void
check_witness (void)
{
  CHECK (gsltune_device_vector_on_gpu (witness));
  CHECK (gsltune_device_vector_sum (witness) == witness_sum);
  CHECK (gt_cuda_open (0, NULL) != NULL);
  gsltune_device_vector_free (witness);
}

/* Sums a vector by what GSLTUNE_DEVICE=cuda makes of it, in all modes.  */
static void
sum_in_all_modes (double *x, double expected)
{
  gsl_vector v = {N, 1, x, NULL, 0};

  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      CHECK (gsltune_vector_sum (&v) == expected);
    }
}

/* The first and the last page are pinned, each by itself; no GPU can read what
   lies between them.  Pinned, both ends look alike.  */
static void
two_pinned_ranges (void)
{
  struct gt_cuda *gpu = gt_cuda_open (0, NULL);
  void *memory;
  double *x, expected;

  make_witness ();
  CHECK (gpu && posix_memalign (&memory, 4096, N * sizeof *x) == 0);
  x = memory;
  expected = put_exact (GT_F64, x, N, 1, 7).f64[0];
  CHECK (!gt_cuda_host_register (gpu, x, 4096));
  CHECK (!gt_cuda_host_register (gpu, x + N - PAGE, 4096));
  sum_in_all_modes (x, expected);
  CHECK (gt_cuda_open (0, NULL) == gpu); /* still whole */
  CHECK (gt_cuda_locate (x, N * sizeof *x).place == GT_PLACE_HOST);
  CHECK (gt_cuda_locate (x, 4096).place == GT_PLACE_PINNED);
  CHECK (!gt_cuda_host_unregister (gpu, x));
  CHECK (!gt_cuda_host_unregister (gpu, x + N - PAGE));

  /* Ranges that touch: a GPU may read all of it, but is not asked to.  */
  CHECK (!gt_cuda_host_register (gpu, x, 4096));
  CHECK (!gt_cuda_host_register (gpu, x + PAGE, (N - PAGE) * sizeof *x));
  sum_in_all_modes (x, expected);
  CHECK (!gt_cuda_host_unregister (gpu, x));
  CHECK (!gt_cuda_host_unregister (gpu, x + PAGE));

  CHECK (!gt_cuda_host_register (gpu, x, N * sizeof *x));
  CHECK (gt_cuda_locate (x, N * sizeof *x).place == GT_PLACE_PINNED);
  sum_in_all_modes (x, expected);
  CHECK (!gt_cuda_host_unregister (gpu, x));
  free (memory);
  check_witness ();
}

/* The same with managed memory at both ends, wherever the driver puts it.  */
static void
two_managed_ranges (void)
{
  struct gt_cuda *gpu = gt_cuda_open (0, NULL);
  void *one, *other;
  char *low, *high;

  make_witness ();
  CHECK (gpu && !gt_cuda_managed_alloc (gpu, 1 << 16, &one));
  CHECK (!gt_cuda_managed_alloc (gpu, 1 << 16, &other));
  low = (char *) one < (char *) other ? one : other;
  high = low == one ? other : one;
  CHECK (gt_cuda_locate (low, 1 << 16).place == GT_PLACE_MANAGED);
  CHECK (gt_cuda_locate (low, (size_t) (high - low) + 8).place
         == GT_PLACE_HOST);
  gt_cuda_free (gpu, one);
  gt_cuda_free (gpu, other);
  check_witness ();
}

static int reported;

static void
note_error (const char *reason, const char *file, int line, int code)
{
  (void) reason;
  (void) file;
  (void) line;
  reported = code;
}

/* A length and stride whose product wraps around.  */
static void
longer_than_memory (void)
{
  static const struct
  {
    size_t n, stride;
  } cases[] = {{SIZE_MAX / 2 + 2, 2}, {3, SIZE_MAX / 2},
               {SIZE_MAX / 8 + 1, 1}, {SIZE_MAX, SIZE_MAX}};
  double raw = 5;

  make_witness ();
  gsl_set_error_handler (note_error);
  for (size_t i = 0; i < N_OF (cases); i++)
    {
      reported = 0;
      CHECK (gsltune_device_sum (gsltune_device_vector_data (witness),
                                 cases[i].n, cases[i].stride, NULL, &raw)
             == GSL_EINVAL);
      CHECK (reported == GSL_EINVAL && raw == 5);
    }
  gsl_set_error_handler (NULL);
  check_witness ();
}

static const struct scenario scenarios[] = {
  {"two_pinned_ranges", two_pinned_ranges},
  {"two_managed_ranges", two_managed_ranges},
  {"longer_than_memory", longer_than_memory},
};

#define TEST(name)                                                          \
  static void test_##name (void **state)                                    \
  {                                                                         \
    (void) state;                                                           \
    EXPECT_SCENARIO (#name, "", "GSLTUNE_DEVICE=cuda:0",                    \
                     "GSLTUNE_PROFILE_DIR=/nonexistent", h200);             \
  }
TEST (two_pinned_ranges)
TEST (two_managed_ranges)
TEST (longer_than_memory)

int
main (int argc, char **argv)
{
  static const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_two_pinned_ranges),
    cmocka_unit_test (test_two_managed_ranges),
    cmocka_unit_test (test_longer_than_memory),
  };

  scenario_main (argc, argv, scenarios, N_OF (scenarios));
  cmocka_set_message_output (CM_OUTPUT_TAP);
  return cmocka_run_group_tests (tests, set_up, tear_down);
}
