/* Tests of threads with small stacks: the library takes little of its callers'.
   What it finds out in a first sum goes through hwloc and Jansson, so the first
   sums of processes are tried, each in a thread of its own.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_vector.h>
#include <limits.h>
#include <pthread.h>

#include "tests/unit.h"

#include "src/cuda/device_cuda.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tests/exact.h"
#include "tests/profile_sample.h"
#include "tests/scenario_folder.h"
#include "tuning/store/profile_store.h"

#if defined __has_feature
#if __has_feature (address_sanitizer) || __has_feature (thread_sanitizer)
#define LARGE_FRAMES 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ \
  || !defined __OPTIMIZE__
#define LARGE_FRAMES 1
#endif

/* Bytes beyond the smallest stack.  Sanitizers put more around each variable.  */
#ifdef LARGE_FRAMES
#define BYTES (size_t) (512 << 10)
#else
#define BYTES (size_t) (8 << 10)
#endif

/* ------------------------------------------------------------ Scenarios */

#define LONGEST 400000

static double doubles[LONGEST];
static float floats[LONGEST];
static int ints[LONGEST];

static void *
sum (void *unused)
{
  static const size_t lengths[] = {2, 40, 700, 5000, LONGEST / 3};

  for (size_t i = 0; i < N_OF (lengths); i++)
    for (size_t stride = 1; stride <= 3; stride += 2)
      {
        size_t n = lengths[i];
        gsl_vector x = {n, stride, doubles, NULL, 0};
        gsl_vector_float y = {n, stride, floats, NULL, 0};
        gsl_vector_int k = {n, stride, ints, NULL, 0};

        CHECK (gsltune_vector_sum (&x) == 3.0 * (double) n);
        CHECK (gsltune_vector_float_sum (&y) == 3.0f * (float) n);
        CHECK (gsltune_vector_int_sum (&k) == (int) (3 * n));
      }
  return unused;
}

static void *
sum_device_vector (void *unused)
{
  gsl_vector v = {1000, 1, doubles, NULL, 0};
  gsltune_device_vector *x = gsltune_device_vector_alloc (1000);

  CHECK (x && gsltune_device_vector_set (x, &v) == 0);
  CHECK (gsltune_device_vector_on_gpu (x));
  CHECK (gsltune_device_vector_sum (x) == 3000);
  gsltune_device_vector_free (x);
  return unused;
}

static void
in_small_thread (void *(*work) (void *))
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  size_t size = (size_t) sysconf (_SC_THREAD_STACK_MIN);
  pthread_attr_t attributes;
  pthread_t thread;

  size = (size + BYTES + page - 1) / page * page;
  CHECK (!pthread_attr_init (&attributes));
  CHECK (!pthread_attr_setstacksize (&attributes, size));
  CHECK (!pthread_create (&thread, &attributes, work, NULL));
  CHECK (!pthread_join (thread, NULL));
  CHECK (!pthread_attr_destroy (&attributes));
}

static void
fill (void)
{
  for (size_t i = 0; i < LONGEST; i++)
    {
      doubles[i] = floats[i] = 3;
      ints[i] = 3;
    }
}

static void
first (void)
{
  fill ();
  in_small_thread (sum);
}

static void
first_device_vector (void)
{
  fill ();
  in_small_thread (sum_device_vector);
}

/* Once all is known.  */
static void
later (void)
{
  fill ();
  sum (NULL);
  in_small_thread (sum);
}

static const struct scenario scenarios[] = {
  {"first", first},
  {"first_device_vector", first_device_vector},
  {"later", later},
};

/* ------------------------------------------------------------- Profiles */

static void
write_profile (const struct gt_device *device, const char *text)
{
  char silicon[GT_SILICON_SIZE], path[512];
  FILE *file;

  gt_device_silicon (device, silicon);
  snprintf (path, sizeof path, "%s/%s.json", base, silicon);
  file = fopen (path, "w");
  assert_non_null (file);
  assert_true (fputs (text, file) >= 0);
  assert_int_equal (fclose (file), 0);
  assert_int_equal (chmod (path, 0600), 0);
}

static void
save_whole (const struct gt_device *device)
{
  int gpu = device->kind == GT_CUDA;
  struct gt_profile profile;
  struct gt_entry entry
    = sample_entry (gpu ? "grid_stride" : "simd", GT_F64, GT_MODE_FAST,
                    GT_CONTIGUOUS, 1000,
                    gpu ? (struct gt_config) {1, 96, 4, 2}
                        : (struct gt_config) {1, 0, 8, 0});
  char why[256];

  gt_profile_init (&profile, device);
  assert_int_equal (gt_profile_put (&profile, &entry), 0);
  if (!gpu)
    put_sample_crossovers (&profile);
  assert_int_equal (gt_profile_save (&profile, base, 0, why, sizeof why), 0);
  gt_profile_clear (&profile);
}

/* As deep as Jansson goes, with and without an end, and deeper.  */
static void
save_nested (const struct gt_device *device, size_t depth, const char *open,
             const char *close)
{
  char *text = malloc (depth * (strlen (open) + strlen (close)) + 1);
  char *to = text;

  assert_non_null (text);
  for (size_t i = 0; i < depth; i++)
    to = stpcpy (to, open);
  for (size_t i = 0; i < depth; i++)
    to = stpcpy (to, close);
  write_profile (device, text);
  free (text);
}

/* ---------------------------------------------------------------- Tests */

static const char *const modes[]
  = {"GSLTUNE_MODE=exact", "GSLTUNE_MODE=compensated", "GSLTUNE_MODE=fast"};

static void
with_every_profile (const struct gt_device *device, void (*check) (void))
{
  check ();
  save_whole (device);
  check ();
  save_nested (device, 2000, "[", "]");
  check ();
  save_nested (device, 2000, "{\"a\":", "");
  check ();
  save_nested (device, 100000, "{\"\\\\\":[", "");
  check ();
}

static void
check_host (void)
{
  for (size_t m = 0; m < N_OF (modes); m++)
    {
      EXPECT_SCENARIO ("first", "", profiles, modes[m], "SOFTGPU_DEVICE=");
      EXPECT_SCENARIO ("later", "", profiles, modes[m], "SOFTGPU_DEVICE=");
    }
}

static void
host_sums (void **state)
{
  (void) state;
  with_every_profile (gt_device_host (), check_host);
}

#if HAVE_CUDA
static void
check_gpu (void)
{
  for (size_t m = 0; m < N_OF (modes); m++)
    {
      EXPECT_SCENARIO ("first", "", profiles, modes[m], h200,
                       "GSLTUNE_DEVICE=cuda");
      EXPECT_SCENARIO ("first_device_vector", "", profiles, modes[m], h200);
    }
}

static void
sums_on_a_gpu (void **state)
{
  (void) state;
  with_every_profile (gt_cuda_device (0), check_gpu);
}
#endif

static int
set_up_gpu (void **state)
{
  int failed = set_up (state);

  if (!on_real_gpu ())
    putenv (h200);
  return failed;
}

int
main (int argc, char **argv)
{
  static const struct CMUnitTest tests[] = {
    cmocka_unit_test (host_sums),
#if HAVE_CUDA
    cmocka_unit_test (sums_on_a_gpu),
#endif
  };

  scenario_main (argc, argv, scenarios, N_OF (scenarios));
  cmocka_set_message_output (CM_OUTPUT_TAP);
  return cmocka_run_group_tests (tests, set_up_gpu, tear_down);
}
