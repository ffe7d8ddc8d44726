/* Tests of threads with small stacks: the library takes little of its callers'.
   What it finds out in a first sum goes through hwloc and files, so the first
   sums of processes are tried, each in a thread of its own.  Then every function is
   called on a stack that is painted, and what it has touched of that is measured; and with
   vectors whose upper halves are clear, as they are to be afterwards.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "tests/unit.h"

#include "src/device/gpus.h"
#include "src/plan/plan.h"
#include "tests/every_function.h"
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

/* Bytes beyond the smallest stack, most of them for what vqsort recurs.  Sanitizers put more
   around each variable.  */
#ifdef LARGE_FRAMES
#define BYTES (size_t) (512 << 10)
#else
#define BYTES (size_t) (12 << 10)
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
plan (void *unused)
{
  gt_host_plans ();
  return unused;
}

static void *
sum_on_device (void *unused)
{
  sum_device_vector ();
  return unused;
}

/* On the smallest stack and so many BYTES more.  */
static void
in_thread (void *(*work) (void *), size_t bytes)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  size_t size = (size_t) sysconf (_SC_THREAD_STACK_MIN);
  pthread_attr_t attributes;
  pthread_t thread;

  size = (size + bytes + page - 1) / page * page;
  CHECK (!pthread_attr_init (&attributes));
  CHECK (!pthread_attr_setstacksize (&attributes, size));
  CHECK (!pthread_create (&thread, &attributes, work, NULL));
  CHECK (!pthread_join (thread, NULL));
  CHECK (!pthread_attr_destroy (&attributes));
}

static void
in_small_thread (void *(*work) (void *))
{
  in_thread (work, BYTES);
}

SCENARIO (first)
{
  fill_with_threes ();
  in_small_thread (sum);
}

/* Where GSL's own functions can be called, ours can, in the first call as well, in which
   a profile may be read.  */
SCENARIO (smallest)
{
  const char *folder = getenv ("TEST_FOLDER"), *path = getenv ("TEST_PROFILE");

  CHECK (!folder || !chdir (folder));
  fill_with_threes ();
  in_thread (plan, 0);
  in_thread (sum, 0);
  CHECK (!path || strcmp (gt_host_plans ()->profile.path, path) == 0);
}

SCENARIO (first_device_vector)
{
  fill_with_threes ();
  in_small_thread (sum_on_device);
}

/* Once all is known.  */
SCENARIO (later)
{
  fill_with_threes ();
  sum (NULL);
  in_small_thread (sum);
}

/* -------------------------------------------------------- Every function */

/* More than any function should touch, and what it holds before.  */
#define PAINTED (4 * BYTES)
#define PAINT 0xa5a5a5a5a5a5a5a5

/* Where the stack is as the function that is called finds it.  */
static const volatile uint64_t *stack_top;
static int painting;
static size_t deepest;
static char deepest_name[64];

/* Whether the upper halves of vectors hold anything, where the processor can tell; CLEARS them first.  A
   kernel that leaves something there makes its caller wait, on some processors 100 ns at each change
   between AVX and SSE.  */
static int
has_upper_halves (int clears)
{
#ifdef __x86_64__
  static int known, tells;
  unsigned a = 0, b, c, d;

  if (!known)
    {
      tells = __builtin_cpu_supports ("avx") && __get_cpuid_count (13, 1, &a, &b, &c, &d) && (a & 4);
      known = 1;
    }
  if (!tells)
    return 0;
  if (clears)
    __asm__ volatile ("vzeroupper");
  __asm__ volatile ("xgetbv" : "=a"(a), "=d"(d) : "c"(1));
  return (a & 4) != 0;
#else
  return 0;
#endif
}

/* The frame of this function lies where that of the library's will.  */
static __attribute__ ((noinline)) void
every_begin (void)
{
  volatile uint64_t *top = __builtin_frame_address (0);

  CHECK (!has_upper_halves (1));
  if (!painting)
    return;
  stack_top = top;
  for (size_t i = 256; i < PAINTED; i += sizeof *top)
    top[-(ptrdiff_t) (i / sizeof *top)] = PAINT;
}

static __attribute__ ((noinline)) void
every_end (const char *name)
{
  const size_t word = sizeof *stack_top;
  const int upper = has_upper_halves (0);
  size_t used = painting ? PAINTED - word : 0;

  if (upper)
    printf ("%s leaves the upper halves of vectors\n", name);
  while (used > 256 && stack_top[-(ptrdiff_t) (used / word)] == PAINT)
    used -= word;
  if (used > deepest)
    {
      deepest = used;
      snprintf (deepest_name, sizeof deepest_name, "%s", name);
    }
  if (used > BYTES)
    printf ("%s takes %zu bytes of the stack\n", name, used);
}

static void
every_result (const char *name, const char *type, const char *reduction,
              const uint64_t *words, size_t count)
{
  (void) name;
  (void) type;
  (void) reduction;
  (void) words;
  (void) count;
}

static void *
call_everything (void *unused)
{
  static const size_t lengths[] = {1, 5, 40, 700, 5000, 100000};

  /* A statistic in whole numbers takes no more of the stack for more elements, but longer.  */
  for (size_t i = 0; i < N_OF (lengths); i++)
    for (int kind = EVERY_ZERO; kind < N_EVERY_KINDS; kind++)
      if (kind == EVERY_ZERO || lengths[i] < (kind < EVERY_EXTREME ? 100000 : 5000))
        every_function ((enum every_kind) kind, lengths[i], 1 + (size_t) kind % 2);
  return unused;
}

/* Of less on a GPU, where what is made for it runs on the CPU.  */
static void *
call_on_gpu (void *unused)
{
  every_function (EVERY_ZERO, 5, 1);
  every_function (EVERY_FAR, 3000, 2);
  return unused;
}

/* The driver's own frames are on top there, so nothing is painted.  */
SCENARIO (every_on_gpu)
{
  gsl_set_error_handler_off ();
  in_small_thread (call_on_gpu);
}

/* On the smallest stack, which includes what is done but once: threads that are made, entry
   points that the loader looks up.  Then on one that is large enough for the paint.  */
SCENARIO (every)
{
  const size_t size = PAINTED + ((size_t) 256 << 10);
  pthread_attr_t attributes;
  pthread_t thread;

  gsl_set_error_handler_off ();
  in_small_thread (call_everything);
  painting = 1;
  CHECK (!pthread_attr_init (&attributes));
  CHECK (!pthread_attr_setstacksize (&attributes, size));
  CHECK (!pthread_create (&thread, &attributes, call_everything, NULL));
  CHECK (!pthread_join (thread, NULL));
  CHECK (!pthread_attr_destroy (&attributes));
  if (getenv ("GSLTUNE_TEST_STACKS"))
    fprintf (stderr, "at most %zu bytes of the stack, by %s\n", deepest, deepest_name);
}

/* ------------------------------------------------------------- Profiles */

static void
save_whole (const struct gt_device *device)
{
  struct gt_profile profile;
  char why[256];

  init_small_profile (&profile, device);
  assert_int_equal (gt_findings_save (&profile, device, base, 0, why, sizeof why), 0);
  gt_profile_clear (&profile);
}

/* As deep as Jansson goes, with and without an end, and deeper.  */
static void
save_nested (const struct gt_device *device, size_t depth, const char *open, const char *close)
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

TEST (host_sums)
{
  with_every_profile (gt_device_host (), check_host);
}

/* Large frames are no measure of small ones, and painting their stacks before each call
   takes minutes.  */
#ifndef LARGE_FRAMES
TEST (host_functions)
{
  for (size_t m = 0; m < N_OF (every_mode); m++)
    EXPECT_SCENARIO ("every", "", every_mode[m], "SOFTGPU_DEVICE=");
}

/* Puts FILE of the test's folder into PLACE there, a folder that is made.  */
static void
move (const char *file, const char *from, const char *place)
{
  char old[512], new[512];

  snprintf (old, sizeof old, "%s/%s%s", base, from, file);
  snprintf (new, sizeof new, "%s/%s%s", base, place, file);
  for (char *slash = new + strlen (base); (slash = strchr (slash + 1, '/'));)
    {
      *slash = '\0';
      mkdir (new, 0700);
      *slash = '/';
    }
  assert_int_equal (rename (old, new), 0);
}

/* The profile of DEVICE, which serves this host, in all places.  */
static void
check_places (const struct gt_device *device)
{
  static const char *const places[]
    = {"home/.local/share/gsltune/", "installed/system/", "installed/shipped/"};
  char silicon[GT_SILICON_SIZE], file[256], path[512], home[96], folder[96];

  save_whole (device);
  gt_device_silicon (device, silicon);
  snprintf (file, sizeof file, "%s.json", silicon);
  snprintf (home, sizeof home, "HOME=%s/home", base);
  snprintf (folder, sizeof folder, "TEST_FOLDER=%s", base);
  for (size_t k = 0; k < N_OF (places); k++)
    {
      move (file, k ? places[k - 1] : "", places[k]);
      snprintf (path, sizeof path, "TEST_PROFILE=%s%s%s%s", k < 1 ? base : "",
                k < 1 ? "/" : "", places[k], file);
      for (size_t m = 0; m < N_OF (every_mode); m++)
        EXPECT_SCENARIO ("smallest", "", folder, path, home, every_mode[m], "SOFTGPU_DEVICE=");
    }
  snprintf (path, sizeof path, "%s/%s%s", base, places[N_OF (places) - 1], file);
  assert_int_equal (unlink (path), 0);
}

TEST (smallest_stacks)
{
  struct gt_device like = *gt_device_host ();

  for (size_t m = 0; m < N_OF (every_mode); m++)
    EXPECT_SCENARIO ("smallest", "", every_mode[m], "SOFTGPU_DEVICE=");
  check_places (&like);
  like.host.l3 += 1 << 20;
  check_places (&like);
}
#endif

#if HAVE_CUDA
TEST (gpu_functions)
{
  for (size_t m = 0; m < N_OF (every_mode); m++)
    EXPECT_SCENARIO ("every_on_gpu", "", every_mode[m], h200, "GSLTUNE_DEVICE=cuda");
}

static void
check_gpu (void)
{
  for (size_t m = 0; m < N_OF (every_mode); m++)
    {
      EXPECT_SCENARIO ("first", "", profiles, every_mode[m], h200, "GSLTUNE_DEVICE=cuda");
      EXPECT_SCENARIO ("first_device_vector", "", profiles, every_mode[m], h200);
    }
}

TEST (sums_on_a_gpu)
{
  with_every_profile (gt_gpu_device (0), check_gpu);
}
#endif

RUN_SCENARIOS (set_up_gpu, tear_down)
