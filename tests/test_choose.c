/* Tests of src/base/route.c and src/plan/choose.c: the names of routes, and which one the
   elements of a sum take.  Deciding opens no GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <sched.h>

#include "tests/unit.h"

#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/plan/choose.h"
#include "src/plan/plan.h"
#include "tests/profile_sample.h"
#include "tests/scenario.h"
#include "tuning/store/profile_store.h"

#define MIB ((uint64_t) 1 << 20)

/* ------------------------------------------------------------------ Names */

TEST (names_are_found_again)
{
  static const char *const wrong[]
    = {"", "Host", "pinned ", "split", "gpu", "direct,copy"};

  for (int i = 0; i < GT_N_PLACES; i++)
    assert_int_equal (gt_place_from_name (gt_place_names[i]), i);
  for (int i = 0; i < GT_N_WAYS; i++)
    assert_int_equal (gt_way_from_name (gt_way_names[i]), i);
  for (size_t i = 0; i < N_OF (wrong); i++)
    {
      assert_int_equal (gt_place_from_name (wrong[i]), -1);
      assert_int_equal (gt_way_from_name (wrong[i]), -1);
    }
}

TEST (ways_serve_places)
{
  /* A digit for each place: host, pinned, managed, device.  */
  static const char *const serves[GT_N_WAYS] = {
    [GT_WAY_CPU] = "1110",
    [GT_WAY_DIRECT] = "1111",
    [GT_WAY_COPY] = "0100",
    [GT_WAY_STAGED] = "1000",
  };

  for (int w = 0; w < GT_N_WAYS; w++)
    for (int p = 0; p < GT_N_PLACES; p++)
      assert_int_equal (gt_way_serves ((enum gt_way) w, (enum gt_place) p),
                        serves[w][p] == '1');
}

TEST (routes_in_words)
{
  static const struct
  {
    struct gt_route route;
    const char *name, *text;
  } cases[] = {
    {{GT_WAY_CPU, 0, 0, 0}, "cpu", "cpu"},
    {{GT_WAY_DIRECT, 100, 0, 0}, "direct", "direct"},
    {{GT_WAY_DIRECT, 99, 0, 0}, "split", "split, 99% to the GPU: direct"},
    {{GT_WAY_COPY, 100, 0, 4096}, "copy", "copy, pieces of 4096 KiB"},
    {{GT_WAY_COPY, 1, 0, 64}, "split",
     "split, 1% to the GPU: copy, pieces of 64 KiB"},
    {{GT_WAY_STAGED, 100, 1, 65536}, "staged",
     "staged, 1 thread, pieces of 65536 KiB"},
    {{GT_WAY_STAGED, 25, 1024, 65536}, "split",
     "split, 25% to the GPU: staged, 1024 threads, pieces of 65536 KiB"},
  };

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      char text[96];

      assert_string_equal (gt_route_name (&cases[i].route), cases[i].name);
      gt_route_text (&cases[i].route, text, sizeof text);
      assert_string_equal (text, cases[i].text);
      /* Cut, not overrun.  */
      memset (text, '#', sizeof text);
      gt_route_text (&cases[i].route, text, 4);
      assert_memory_equal (text, cases[i].text, 3);
      assert_true (text[3] == '\0' && text[4] == '#');
    }
}

TEST (routes_without_measurements)
{
  static const struct
  {
    int pageable_access;
    enum gt_place place;
    uint64_t bytes;
    enum gt_way way;
  } cases[] = {
    {0, GT_PLACE_HOST, 1, GT_WAY_STAGED},
    {0, GT_PLACE_HOST, 1024 * MIB, GT_WAY_STAGED},
    {1, GT_PLACE_HOST, 1, GT_WAY_DIRECT},
    {1, GT_PLACE_HOST, 1024 * MIB, GT_WAY_DIRECT},
    {0, GT_PLACE_PINNED, 1, GT_WAY_DIRECT},
    {0, GT_PLACE_PINNED, MIB - 1, GT_WAY_DIRECT},
    {0, GT_PLACE_PINNED, MIB, GT_WAY_COPY},
    {1, GT_PLACE_PINNED, 1024 * MIB, GT_WAY_COPY},
    {0, GT_PLACE_MANAGED, 1024 * MIB, GT_WAY_DIRECT},
    {0, GT_PLACE_DEVICE, 1024 * MIB, GT_WAY_DIRECT},
  };
  unsigned most = (unsigned) gt_device_host ()->host.threads;

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      struct gt_device gpu = sample_gpu ();
      struct gt_route route;

      gpu.gpu.pageable_access = cases[i].pageable_access;
      route = gt_route_default (&gpu, cases[i].place, cases[i].bytes);
      assert_int_equal (route.way, cases[i].way);
      assert_true (gt_way_serves (route.way, cases[i].place));
      assert_int_equal (route.percent, 100);
      if (route.way == GT_WAY_STAGED)
        assert_in_range (route.threads, 1, most);
      else
        assert_int_equal (route.threads, 0);
      if (route.way == GT_WAY_DIRECT)
        assert_int_equal (route.chunk_kib, 0);
      else
        assert_in_range (route.chunk_kib, GT_MIN_CHUNK_KIB, GT_MAX_CHUNK_KIB);
    }
}

/* --------------------------------------------------------------- Measured */

/* Steps of fast sums of doubles, measured with the GPU of silicon DEVICE, become
   the host's.  The next ones free them.  */
static void
adopt (const char *device)
{
  static const struct
  {
    enum gt_place place;
    uint64_t from;
    struct gt_route route;
  } steps[] = {
    {GT_PLACE_HOST, 0, {GT_WAY_CPU, 0, 0, 0}},
    {GT_PLACE_HOST, 4000, {GT_WAY_STAGED, 30, 4, 512}},
    {GT_PLACE_HOST, 9000, {GT_WAY_STAGED, 100, 6, 1024}},
    {GT_PLACE_PINNED, 0, {GT_WAY_CPU, 0, 0, 0}},
    {GT_PLACE_PINNED, 500, {GT_WAY_DIRECT, 100, 0, 0}},
    {GT_PLACE_PINNED, 6000, {GT_WAY_CPU, 0, 0, 0}},
    {GT_PLACE_PINNED, 8000, {GT_WAY_COPY, 40, 0, 2048}},
    {GT_PLACE_MANAGED, 700, {GT_WAY_DIRECT, 60, 0, 0}},
  };

  struct gt_profile measured;

  gt_profile_init (&measured, gt_device_host ());
  for (size_t i = 0; i < N_OF (steps); i++)
    {
      const struct gt_problem problem
        = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, steps[i].from};

      if (put_route (&measured, &problem, steps[i].place, device, steps[i].route))
        abort ();
    }
  gt_plans_adopt (gt_device_host (), &measured);
}

/* The decision, in words: "direct, GPU 0 and 1 more".  */
static const char *
decision (enum gt_arithmetic arithmetic, enum gt_mode mode,
          enum gt_place place, int gpu, uint64_t n)
{
  static char words[160];
  struct gt_location at = {place, gpu};
  struct gt_choice choice;
  size_t length;

  memset (&choice, 0xcb, sizeof choice);
  gt_choose (&(struct gt_problem) {GT_SUM, arithmetic, mode, GT_CONTIGUOUS, n}, &at,
             &choice);
  gt_route_text (&choice.route, words, sizeof words);
  length = strlen (words);
  if (choice.at.place != place || choice.at.gpu != gpu
      || (choice.route.way == GT_WAY_CPU
          && (choice.gpu != -1 || choice.n_gpus != 0)))
    return "inconsistent";
  if (choice.step && choice.step->from > n)
    return "a step that is not reached";
  if (choice.gpu >= 0)
    length += (size_t) snprintf (words + length, sizeof words - length,
                                 ", GPU %d", choice.gpu);
  if (choice.n_gpus > 1)
    snprintf (words + length, sizeof words - length, " and %u more",
              choice.n_gpus - 1);
  return words;
}

#define STAGED_1 "split, 30% to the GPU: staged, 4 threads, pieces of 512 KiB"
#define STAGED_2 "staged, 6 threads, pieces of 1024 KiB"
#define COPY "split, 40% to the GPU: copy, pieces of 2048 KiB"

/* A place, a length, and the route of fast sums of doubles by the steps above. */
static const struct
{
  enum gt_place place;
  uint64_t n;
  const char *decision;
} by_steps[] = {
  {GT_PLACE_HOST, 0, "cpu"},
  {GT_PLACE_HOST, 1, "cpu"},
  {GT_PLACE_HOST, 3999, "cpu"},
  {GT_PLACE_HOST, 4000, STAGED_1 ", GPU 0"},
  {GT_PLACE_HOST, 8999, STAGED_1 ", GPU 0"},
  {GT_PLACE_HOST, 9000, STAGED_2 ", GPU 0"},
  {GT_PLACE_HOST, (uint64_t) 1 << 50, STAGED_2 ", GPU 0"},
  {GT_PLACE_PINNED, 0, "cpu"},
  {GT_PLACE_PINNED, 499, "cpu"},
  {GT_PLACE_PINNED, 500, "direct, GPU 0"},
  {GT_PLACE_PINNED, 5999, "direct, GPU 0"},
  {GT_PLACE_PINNED, 6000, "cpu"},
  {GT_PLACE_PINNED, 7999, "cpu"},
  {GT_PLACE_PINNED, 8000, COPY ", GPU 0"},
  {GT_PLACE_PINNED, UINT64_MAX / 8, COPY ", GPU 0"},
  {GT_PLACE_MANAGED, 699, "cpu"}, /* before the first step */
  {GT_PLACE_MANAGED, 700, "split, 60% to the GPU: direct, GPU 0"},
};

#if HAVE_CUDA
static void
adopt_for (int index)
{
  char silicon[GT_SILICON_SIZE];

  gt_device_silicon (gt_gpu_device (index), silicon);
  adopt (silicon);
}

TEST (steps_decide)
{
  adopt_for (0);
  for (size_t i = 0; i < N_OF (by_steps); i++)
    assert_string_equal (decision (GT_F64, GT_MODE_FAST, by_steps[i].place, -1,
                                   by_steps[i].n),
                         by_steps[i].decision);
  /* Of other sums nothing is known.  */
  assert_string_equal (
    decision (GT_F64, GT_MODE_EXACT, GT_PLACE_HOST, -1, 10000), "cpu");
  assert_string_equal (
    decision (GT_F32, GT_MODE_FAST, GT_PLACE_HOST, -1, 10000), "cpu");
}

/* The step is told of where it decided.  */
TEST (the_step_is_named)
{
  static const struct gt_location host = {GT_PLACE_HOST, -1};
  struct gt_problem problem = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 0};
  struct gt_choice choice;
  unsigned count;
  const struct gt_step *sequence;

  adopt_for (0);
  sequence = gt_choose_sequence (&problem, GT_PLACE_HOST, &count);
  assert_int_equal (count, 3);
  for (unsigned k = 0; k < count; k++)
    {
      problem.n = sequence[k].from ? sequence[k].from : 1;
      gt_choose (&problem, &host, &choice);
      assert_ptr_equal (choice.step, &sequence[k]);
    }
  problem.arithmetic = GT_F32;
  assert_null (gt_choose_sequence (&problem, GT_PLACE_HOST, &count));
  assert_int_equal (count, 0);
}

TEST (another_gpus_steps_say_nothing)
{
  adopt_for (1);
  for (size_t i = 0; i < N_OF (by_steps); i++)
    assert_string_equal (decision (GT_F64, GT_MODE_FAST, by_steps[i].place, -1,
                                   by_steps[i].n), "cpu");
}

/* A vector in a GPU's memory, or one given to it, is summed there.  */
TEST (data_on_a_gpu_stays_there)
{
  adopt_for (0);
  for (int gpu = 0; gpu < 2; gpu++)
    for (uint64_t n = 1; n < MIB; n *= 10)
      {
        char expected[32];

        snprintf (expected, sizeof expected, "direct, GPU %d", gpu);
        assert_string_equal (
          decision (GT_F64, GT_MODE_FAST, GT_PLACE_MANAGED, gpu, n), expected);
        assert_string_equal (
          decision (GT_U32, GT_MODE_FAST, GT_PLACE_DEVICE, gpu, n), expected);
      }
  assert_string_equal (
    decision (GT_F64, GT_MODE_FAST, GT_PLACE_MANAGED, 1, 0), "cpu");
}

/* No GPU has long double, whatever the environment demands.  */
TEST (long_doubles_are_the_cpus)
{
  gt_env.device = GT_CHOOSE_CUDA;
  assert_string_equal (
    decision (GT_F64, GT_MODE_FAST, GT_PLACE_MANAGED, -1, 1), "direct, GPU 0");
  for (int m = 0; m < GT_N_MODES; m++)
    for (int p = 0; p < GT_PLACE_DEVICE; p++)
      assert_string_equal (decision (GT_LDBL, (enum gt_mode) m,
                                     (enum gt_place) p, -1, 100 * MIB), "cpu");
  gt_env.device = GT_CHOOSE_AUTO;
}

static int
goes_to_gpu (const struct gt_task *task, struct gt_choice *choice)
{
  return gt_choose_host (gt_planned_find (gt_host_plans (), &task->problem), task,
                         choice);
}

/* Ordinary memory whose length a route begins at goes to a GPU, else not.  */
TEST (host_data_is_located)
{
  static double x[10000];
  static const struct
  {
    uint64_t n;
    int taken;
  } cases[] = {{0, 0}, {499, 0}, {3999, 0}, {4000, 1}, {9000, 1}};
  struct gt_choice choice;
  struct gt_task other;

  adopt_for (0);
  for (size_t i = 0; i < N_OF (cases); i++)
    {
      struct gt_task task = gt_task_of (GT_SUM, GT_F64, GT_MODE_FAST, x, cases[i].n, 1);

      assert_int_equal (goes_to_gpu (&task, &choice), cases[i].taken);
      if (cases[i].taken)
        assert_int_equal (choice.route.way, GT_WAY_STAGED);
    }
  other = gt_task_of (GT_SUM, GT_F64, GT_MODE_EXACT, x, 9000, 1);
  assert_false (goes_to_gpu (&other, &choice));
  other = gt_task_of (GT_SUM, GT_LDBL, GT_MODE_FAST, x, 100, 1);
  assert_false (goes_to_gpu (&other, &choice));
  other = gt_task_of (GT_SUM, GT_F64, GT_MODE_FAST, x, 4500, 2);
  assert_false (goes_to_gpu (&other, &choice));
}
#endif

/* -------------------------------------------------------------- Scenarios */

/* The environment's wishes: no, some and much data in each place.  */
SCENARIO (print_decisions)
{
  static const uint64_t lengths[] = {0, 100, 1000, 10000, 8 * MIB, 16 * MIB};

  if (gt_gpu_device (0))
    {
      char silicon[GT_SILICON_SIZE];

      gt_device_silicon (gt_gpu_device (0), silicon);
      adopt (silicon);
    }
  for (int p = 0; p < GT_PLACE_DEVICE; p++)
    for (size_t i = 0; i < N_OF (lengths); i++)
      printf ("%s\n", decision (GT_F64, GT_MODE_FAST, (enum gt_place) p, -1,
                                lengths[i]));
}

/* Sums of what was not measured, by the routes without measurements, as the
   number of threads does not show.  */
SCENARIO (print_default_decisions)
{
  for (int p = 0; p < GT_PLACE_DEVICE; p++)
    {
      printf ("%s\n", decision (GT_U32, GT_MODE_FAST, (enum gt_place) p, -1,
                                32 * MIB - 1));
      printf ("%s\n", decision (GT_U32, GT_MODE_FAST, (enum gt_place) p, -1,
                                32 * MIB));
    }
}

#define SIX(line) line "\n" line "\n" line "\n" line "\n" line "\n" line "\n"
#define BY_CPU SIX ("cpu") SIX ("cpu") SIX ("cpu")

#if HAVE_CUDA

static char one[4200], two[8400], counts[128];

/* No scenario of this program uses a GPU.  */
#define EXPECT_DECISIONS(...)                                             \
  EXPECT_SCENARIO (__VA_ARGS__);                                          \
  assert_int_equal (driver_calls (counts, "cuDevicePrimaryCtxRetain"), 0)

#define BY_PROFILE \
  "cpu\ncpu\ncpu\n" STAGED_2 ", GPU 0\n" STAGED_2 ", GPU 0\n" STAGED_2     \
  ", GPU 0\n"                                                              \
  "cpu\ncpu\ndirect, GPU 0\n" COPY ", GPU 0\n" COPY ", GPU 0\n" COPY       \
  ", GPU 0\n"                                                              \
  "cpu\ncpu\n" SPLIT_0 SPLIT_0 SPLIT_0 SPLIT_0
#define SPLIT_0 "split, 60% to the GPU: direct, GPU 0\n"

/* One GPU, whatever there is.  */
TEST (by_itself_the_profile_decides)
{
  EXPECT_DECISIONS ("print_decisions", BY_PROFILE, one, counts);
  EXPECT_DECISIONS ("print_decisions", BY_PROFILE, two, counts);
  EXPECT_DECISIONS ("print_decisions", BY_PROFILE, two, counts,
                    "GSLTUNE_DEVICE=auto");
}

TEST (the_environment_forbids_gpus)
{
  EXPECT_SCENARIO ("print_decisions", BY_CPU, two, "GSLTUNE_DEVICE=cpu");
  EXPECT_SCENARIO ("print_decisions", BY_CPU, two, "GSLTUNE_DEVICE=cuda:2");
  EXPECT_SCENARIO ("print_decisions", BY_CPU, "SOFTGPU_DEVICE=",
                   "GSLTUNE_DEVICE=cuda");
}

/* The measured way where there is one, but nothing for the CPU: with THREADS and
   GPU as words.  8 Mi doubles are 64 MiB, of which two GPUs need twice as much. */
#define BY_WISH(threads, gpu, gpus)                                       \
  "cpu\n" DEFAULT_STAGED (threads, gpu) DEFAULT_STAGED (threads, gpu)     \
  MEASURED (threads, gpu) MEASURED (threads, gpu) MEASURED (threads, gpus) \
  "cpu\ndirect, " gpu "\ndirect, " gpu "\n"                               \
  "copy, pieces of 2048 KiB, " gpu "\n"                                   \
  "copy, pieces of 2048 KiB, " gpu "\n"                                   \
  "copy, pieces of 2048 KiB, " gpus "\n"                                  \
  "cpu\ndirect, " gpu "\ndirect, " gpu "\ndirect, " gpu "\n"              \
  "direct, " gpu "\ndirect, " gpus "\n"
#define DEFAULT_STAGED(threads, gpu) \
  "staged, " threads ", pieces of 4096 KiB, " gpu "\n"
#define MEASURED(threads, gpu) \
  "staged, " threads ", pieces of 1024 KiB, " gpu "\n"

TEST (the_environment_demands_gpus)
{
  EXPECT_DECISIONS ("print_decisions", BY_WISH ("1 thread", "GPU 0", "GPU 0"),
                    one, counts, "GSLTUNE_DEVICE=cuda", "GSLTUNE_THREADS=1");
  EXPECT_DECISIONS ("print_decisions",
                    BY_WISH ("1 thread", "GPU 0", "GPU 0 and 1 more"), two,
                    counts, "GSLTUNE_DEVICE=cuda", "GSLTUNE_THREADS=1");
  EXPECT_DECISIONS ("print_decisions", BY_WISH ("1 thread", "GPU 0", "GPU 0"),
                    two, counts, "GSLTUNE_DEVICE=cuda:0", "GSLTUNE_THREADS=1");
}

/* The second GPU alone: the steps are the first one's, so nothing is measured. */
TEST (the_environment_names_a_gpu)
{
  EXPECT_DECISIONS ("print_default_decisions",
                    "staged, 1 thread, pieces of 4096 KiB, GPU 1\n"
                    "staged, 1 thread, pieces of 4096 KiB, GPU 1\n"
                    "copy, pieces of 4096 KiB, GPU 1\n"
                    "copy, pieces of 4096 KiB, GPU 1\n"
                    "direct, GPU 1\ndirect, GPU 1\n",
                    two, counts, "GSLTUNE_DEVICE=cuda:1", "GSLTUNE_THREADS=1");
  EXPECT_DECISIONS ("print_default_decisions",
                    "staged, 1 thread, pieces of 4096 KiB, GPU 0\n"
                    "staged, 1 thread, pieces of 4096 KiB, GPU 0 and 1 more\n"
                    "copy, pieces of 4096 KiB, GPU 0\n"
                    "copy, pieces of 4096 KiB, GPU 0 and 1 more\n"
                    "direct, GPU 0\ndirect, GPU 0 and 1 more\n",
                    two, counts, "GSLTUNE_DEVICE=cuda", "GSLTUNE_THREADS=1");
}

/* The number of threads bounds those that copy, and nothing else.  */
TEST (the_environment_bounds_threads)
{
  static const struct
  {
    const char *setting, *staged;
  } cases[]
    = {{"GSLTUNE_THREADS=2", "\nstaged, 2 threads, pieces of 1024 KiB, GPU 0\n"},
       {"OMP_NUM_THREADS=1", "\nstaged, 1 thread, pieces of 1024 KiB, GPU 0\n"},
       {"GSLTUNE_THREADS=5", "\nstaged, 5 threads, pieces of 1024 KiB, GPU 0\n"},
       {"GSLTUNE_THREADS=6", "\n" STAGED_2 ", GPU 0\n"},
       {"GSLTUNE_THREADS=99", "\n" STAGED_2 ", GPU 0\n"}};

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      EXPECT_SCENARIO ("print_decisions", NULL, one, cases[i].setting);
      assert_non_null (strstr (scenario_output, cases[i].staged));
      assert_non_null (strstr (scenario_output, "\n" COPY ", GPU 0\n"));
    }
}

/* Each GPU has threads that copy for it, but all have no more than there are
   processors: one, here.  */
TEST (processors_bound_threads)
{
  cpu_set_t before, one_cpu;
  int cpu = 0;

  assert_int_equal (sched_getaffinity (0, sizeof before, &before), 0);
  while (!CPU_ISSET (cpu, &before))
    cpu++;
  CPU_ZERO (&one_cpu);
  CPU_SET (cpu, &one_cpu);
  assert_int_equal (sched_setaffinity (0, sizeof one_cpu, &one_cpu), 0);
  EXPECT_SCENARIO ("print_default_decisions", NULL, two, "GSLTUNE_DEVICE=cuda");
  assert_int_equal (sched_setaffinity (0, sizeof before, &before), 0);
  assert_non_null (strstr (scenario_output, "staged, 1 thread, pieces of 4096 KiB,"
                                            " GPU 0 and 1 more\n"));
}

static void
name_devices (void)
{
  char path[4096];

  snprintf (path, sizeof path, "%s", source_file ("tests/devices/h200.json"));
  snprintf (one, sizeof one, "SOFTGPU_DEVICE=%s", path);
  snprintf (two, sizeof two, "SOFTGPU_DEVICE=%s:%s", path,
            source_file ("tests/devices/v100.json"));
  snprintf (counts, sizeof counts, "SOFTGPU_COUNT=/tmp/gsltune-test-%d",
            (int) getpid ());
  setenv ("SOFTGPU_DEVICE", strchr (two, '=') + 1, 1);
  unsetenv ("CUDA_VISIBLE_DEVICES");
}

FIXTURE (tear_down)
{
  unlink (strchr (counts, '=') + 1);
  return 0;
}

#else

#define tear_down NULL

TEST (without_cuda_the_cpu_sums)
{
  adopt (SAMPLE_GPU_SILICON);
  for (size_t i = 0; i < N_OF (by_steps); i++)
    assert_string_equal (decision (GT_F64, GT_MODE_FAST, by_steps[i].place, -1,
                                   by_steps[i].n), "cpu");
  EXPECT_SCENARIO ("print_decisions", BY_CPU, "GSLTUNE_DEVICE=cuda");
}

#endif

int
main (int argc, char **argv)
{
  gt_env.profile_dir = "/nonexistent";
  scenario_main (argc, argv);
#if HAVE_CUDA
  name_devices ();
#endif
  return run_unit_tests (NULL, tear_down);
}
