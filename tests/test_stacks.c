/* Tests of threads with small stacks: the library takes little of its callers'.
   What it finds out in a first sum goes through hwloc and Jansson, so the first
   sums of processes are tried, each in a thread of its own.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <limits.h>
#include <pthread.h>

#include "tests/unit.h"

#include "src/cuda/device_cuda.h"
#include "tests/first_sums.h"

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

static void *
sum (void *unused)
{
  sum_lengths (sum_doubles);
  sum_lengths (sum_floats);
  sum_lengths (sum_ints);
  return unused;
}

static void *
sum_on_device (void *unused)
{
  sum_device_vector ();
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
first (void)
{
  fill_with_threes ();
  in_small_thread (sum);
}

static void
first_device_vector (void)
{
  fill_with_threes ();
  in_small_thread (sum_on_device);
}

/* Once all is known.  */
static void
later (void)
{
  fill_with_threes ();
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
save_whole (const struct gt_device *device)
{
  struct gt_profile profile;
  char why[256];

  init_small_profile (&profile, device);
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
  for (size_t m = 0; m < N_OF (every_mode); m++)
    {
      EXPECT_SCENARIO ("first", "", profiles, every_mode[m], "SOFTGPU_DEVICE=");
      EXPECT_SCENARIO ("later", "", profiles, every_mode[m], "SOFTGPU_DEVICE=");
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
  for (size_t m = 0; m < N_OF (every_mode); m++)
    {
      EXPECT_SCENARIO ("first", "", profiles, every_mode[m], h200,
                       "GSLTUNE_DEVICE=cuda");
      EXPECT_SCENARIO ("first_device_vector", "", profiles, every_mode[m], h200);
    }
}

static void
sums_on_a_gpu (void **state)
{
  (void) state;
  with_every_profile (gt_cuda_device (0), check_gpu);
}
#endif

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
