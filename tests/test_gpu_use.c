/* Tests of when GPUs are used for host data, and how much of them: the driver,
   contexts and scratch memory, as softgpu counts them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_vector.h>

#include "tests/unit.h"

#include "src/cuda/cuda_driver.h"
#include "src/device/gpus.h"
#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/profile_sample.h"
#include "tests/routed.h"
#include "tests/scenario_folder.h"
#include "tuning/store/profile_store.h"

#define KIB ((size_t) 1 << 10)
#define MIB ((size_t) 1 << 20)

/* From so many elements on the tests' profile gives sums to a GPU.  */
#define CROSSOVER ((size_t) 1 << 20)

/* -------------------------------------------------------------- Scenarios */

/* The sum of N ones, of every element type, in the mode in force.  */
#define X(id, name, infix, ctype, arithmetic)                   \
  static void sum_ones##infix (size_t n)                        \
  {                                                             \
    ctype *x = malloc ((n ? n : 1) * sizeof *x);                \
    gsl_vector##infix v = {n, 1, x, NULL, 0};                   \
    CHECK (x);                                                  \
    for (size_t i = 0; i < n; i++)                              \
      x[i] = 1;                                                 \
    CHECK (gsltune_vector##infix##_sum (&v) == (ctype) n);      \
    free (x);                                                   \
  }
GT_ELEMENT_TYPES (X)
#undef X

static void
sum_every_type (size_t n)
{
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
#define X(id, name, infix, ctype, arithmetic) sum_ones##infix (n);
      GT_ELEMENT_TYPES (X)
#undef X
    }
}

SCENARIO (small)
{
  static const size_t lengths[] = {0, 1, 60, 1000, 5000, 100000};

  for (size_t i = 0; i < N_OF (lengths); i++)
    sum_every_type (lengths[i]);
}

/* Small vectors alone are no reason to load the driver.  */
SCENARIO (small_without_driver)
{
  small ();
  gsltune_release ();
  CHECK (!gt_cuda_driver_loaded ());
}

SCENARIO (large_without_driver)
{
  sum_every_type (CROSSOVER);
  sum_every_type (CROSSOVER + 12345);
  CHECK (!gt_cuda_driver_loaded ());
}

SCENARIO (large)
{
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  sum_ones (CROSSOVER);
}

/* As a program does that uses CUDA for something else.  */
static void
load_driver (void)
{
  CUresult (*init) (unsigned);
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);

  CHECK (library);
  *(void **) &init = dlsym (library, "cuInit");
  CHECK (init && init (0) == CUDA_SUCCESS);
  CHECK (gt_cuda_driver_loaded ());
}

SCENARIO (small_beside_the_programs_driver)
{
  load_driver ();
  small ();
  gsltune_release ();
}

SCENARIO (all_beside_the_programs_driver)
{
  load_driver ();
  small ();
  large ();
  gsltune_release ();
}

SCENARIO (print_silicon)
{
  char silicon[GT_SILICON_SIZE];

  gt_device_silicon (gt_gpu_device (0), silicon);
  printf ("%s", silicon);
}

/* A device vector is summed where it is, without a look elsewhere. */
SCENARIO (device_vector)
{
  double x[1000];
  double sum = put_exact (GT_F64, x, N_OF (x), 1, 1).f64[0];
  gsl_vector v = {N_OF (x), 1, x, NULL, 0};
  gsltune_device_vector *there = gsltune_device_vector_alloc (N_OF (x));

  CHECK (there && gsltune_device_vector_on_gpu (there));
  CHECK (gsltune_device_vector_set (there, &v) == 0);
  CHECK (gsltune_device_vector_sum (there) == sum);
  printf ("GPU %d\n", gt_gpus->locate (gsltune_device_vector_data (there), sizeof x).gpu);
  gsltune_device_vector_free (there);
}

/* TURNS sums of each of N device vectors, in turn.  */
static void
sum_in_turn (size_t n, unsigned turns)
{
  enum { MOST = 4 };
  gsltune_device_vector *there[MOST];
  double sum[MOST], x[1000];

  CHECK (n <= MOST);
  for (size_t i = 0; i < n; i++)
    {
      sum[i] = put_exact (GT_F64, x, N_OF (x), 1, i).f64[0];
      there[i] = gsltune_device_vector_alloc (N_OF (x));
      CHECK (there[i] && gsltune_device_vector_on_gpu (there[i]));
      CHECK (gsltune_device_vector_set (there[i], &(gsl_vector) {N_OF (x), 1, x, NULL, 0})
             == 0);
    }
  for (unsigned turn = 0; turn < turns; turn++)
    for (size_t i = 0; i < n; i++)
      CHECK (gsltune_device_vector_sum (there[i]) == sum[i]);
  for (size_t i = 0; i < n; i++)
    gsltune_device_vector_free (there[i]);
}

SCENARIO (one_vector_again)
{
  sum_in_turn (1, 1000);
}

SCENARIO (vectors_in_turn)
{
  sum_in_turn (3, 1000);
}

/* Bytes of a GPU's memory in use, by whomever.  */
static size_t
in_use (int index)
{
  struct gt_open_gpu *gpu = gt_gpu_open (index, NULL);
  size_t available = 0, total = 0;

  CHECK (gpu && gt_gpus->memory (gpu, &available, &total) == 0);
  return total - available;
}

/* Which GPUs have worked.  */
static void
print_use (void)
{
  for (int i = 0; i < gt_gpu_count (NULL); i++)
    printf ("GPU %d: %s\n", i, in_use (i) ? "used" : "not used");
}

SCENARIO (small_and_print_use)
{
  small ();
  print_use ();
}

/* 64 MiB for each of two GPUs, the last element included.  */
SCENARIO (huge)
{
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  sum_ones_ulong (16 * MIB);
}

SCENARIO (huge_and_print_use)
{
  huge ();
  print_use ();
}

/* ---------------------------------------------------------------- Scratch */

static const struct routed routes[] = {
  {GT_PLACE_HOST, {GT_WAY_STAGED, 100, 1, 64}},
  {GT_PLACE_HOST, {GT_WAY_STAGED, 100, 4, 4096}},
  {GT_PLACE_HOST, {GT_WAY_STAGED, 50, 3, 1024}},
  {GT_PLACE_PINNED, {GT_WAY_COPY, 100, 0, 64}},
  {GT_PLACE_PINNED, {GT_WAY_COPY, 100, 0, 65536}},
  {GT_PLACE_PINNED, {GT_WAY_COPY, 70, 0, 512}},
  {GT_PLACE_PINNED, {GT_WAY_DIRECT, 60, 0, 0}},
};

#define N_SCRATCH (300 * KIB) /* 2.3 MiB */

/* In compensated mode too, whose sums are kept in more memory.  */
static void
sum_by_route (size_t r, const double *x, size_t n, double expected)
{
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      union gt_value sum;

      CHECK (sum_routed (&routes[r], 1, GT_F64, gt_mode_of_vectors ((enum gt_mode) mode), x, n,
                         &sum) == 0);
      CHECK (sum.f64[0] == expected);
    }
}

/* The most that sums keep within LIMIT, of which BEFORE is not theirs; a limit
   bounds, and what is given back is all.  */
static size_t
most_within (size_t limit, size_t before, gsl_vector *pageable,
             gsl_vector *pinned, double expected)
{
  size_t most = 0;

  gsltune_set_scratch_limit (limit);
  for (size_t r = 0; r < N_OF (routes); r++)
    {
      gsl_vector *v = routes[r].place == GT_PLACE_HOST ? pageable : pinned;
      size_t kept;

      sum_by_route (r, v->data, v->size, expected);
      kept = in_use (0) - before;
      CHECK (kept <= limit);
      most = kept > most ? kept : most;
      CHECK (gsltune_vector_sum (v) == expected);
      CHECK (in_use (0) - before <= limit);
    }
  gsltune_release ();
  CHECK (in_use (0) == before);
  return most;
}

SCENARIO (bounded)
{
  static const size_t limits[]
    = {64 * MIB, MIB, 300 * KIB, 10000, 0, 64 * MIB};
  gsl_vector *pageable = gsl_vector_alloc (N_SCRATCH);
  gsl_vector *pinned = gsltune_vector_alloc (N_SCRATCH);
  gsltune_device_vector *ours = gsltune_device_vector_alloc (1000);
  double sum;
  size_t before, most;

  CHECK (pageable && pinned && ours);
  CHECK (gsltune_device_vector_on_gpu (ours));
  CHECK (gt_gpus->locate (pinned->data, N_SCRATCH * 8).place == GT_PLACE_PINNED);
  sum = put_exact (GT_F64, pageable->data, N_SCRATCH, 1, 7).f64[0];
  gsl_vector_memcpy (pinned, pageable);
  before = in_use (0);
  CHECK (before >= 1000 * sizeof (double));
  for (size_t i = 0; i < N_OF (limits); i++)
    {
      most = most_within (limits[i], before, pageable, pinned, sum);
      printf ("%zu: %s\n", limits[i] / KIB, most > 2 * MIB ? "much"
              : most > 0 ? "little" : "none");
    }
  gsltune_device_vector_free (ours);
  CHECK (in_use (0) == 0);
  gsltune_vector_free (pinned);
  gsl_vector_free (pageable);
}

/* A lower limit counts from the next sum on, for what is kept too.  */
SCENARIO (lowered)
{
  gsl_vector *v = gsl_vector_alloc (N_SCRATCH);
  double sum = put_exact (GT_F64, v->data, N_SCRATCH, 1, 7).f64[0];

  sum_by_route (1, v->data, N_SCRATCH, sum);
  CHECK (in_use (0) > 2 * MIB);
  gsltune_set_scratch_limit (MIB);
  gsltune_release ();
  CHECK (in_use (0) == 0);
  sum_by_route (1, v->data, N_SCRATCH, sum);
  CHECK (in_use (0) > 0 && in_use (0) <= MIB);
  gsl_vector_free (v);
}

/* A GPU that is full, or nearly: the CPU sums, and nothing is kept.  */
SCENARIO (full)
{
  gsl_vector *v = gsl_vector_alloc (N_SCRATCH);
  double sum = put_exact (GT_F64, v->data, N_SCRATCH, 1, 7).f64[0];
  size_t before = in_use (0);

  for (size_t r = 0; r < N_OF (routes); r++)
    if (routes[r].place == GT_PLACE_HOST)
      sum_by_route (r, v->data, N_SCRATCH, sum);
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      CHECK (gsltune_vector_sum (v) == sum);
    }
  gsltune_release ();
  CHECK (in_use (0) == before);
  gsl_vector_free (v);
}

/* --------------------------------------------------------------- Settings */

/* A second GPU beside the h200; static.  */
static const char *
and_a_second (const char *name)
{
  static char setting[8400];

  snprintf (setting, sizeof setting, "%s:%s", h200, source_file (name));
  return setting;
}

/* From CROSSOVER on, all sums of data in PLACE are a GPU's.  */
static void
save_crossovers (enum gt_place place, struct gt_route route)
{
  struct gt_profile profile;
  char why[256];

  EXPECT_SCENARIO ("print_silicon", NULL, h200);
  gt_profile_init (&profile, gt_device_host ());
  strcpy (profile.created, "2026-01-02T03:04:05Z");
  for (int a = 0; a < GT_N_SIGNLESS; a++)
    for (int m = 0; m < GT_N_MODES; m++)
      {
        const struct gt_problem problem
          = {GT_SUM, (enum gt_arithmetic) a, (enum gt_mode) m, GT_CONTIGUOUS, CROSSOVER};

        if (a == GT_LDBL || problem.mode != gt_mode_for (GT_SUM, problem.arithmetic, problem.mode))
          continue;
        assert_int_equal (put_route (&profile, &problem, place, scenario_output, route), 0);
      }
  gt_profile_drop_figures (&profile);
  if (gt_profile_save (&profile, base, 0, why, sizeof why))
    fail_msg ("%s", why);
  gt_profile_clear (&profile);
}

/* ------------------------------------------------------------------ Tests */

TEST (small_sums_do_not_load_the_driver)
{
  save_crossovers (GT_PLACE_PINNED, (struct gt_route) {GT_WAY_COPY, 100, 0, 64});
  forget_calls ();
  EXPECT_SCENARIO ("small_without_driver", "", profiles, h200, counts);
  assert_int_equal (calls_of ("cuInit"), -1);
}

/* Nothing in this process can have pinned them.  */
TEST (pageable_vectors_without_a_route_do_not)
{
  save_crossovers (GT_PLACE_PINNED, (struct gt_route) {GT_WAY_COPY, 100, 0, 64});
  forget_calls ();
  EXPECT_SCENARIO ("large_without_driver", "", profiles, h200, counts);
  assert_int_equal (calls_of ("cuInit"), -1);
}

/* Where the program has loaded the driver, the places of large data are looked up, and nothing
   else is asked; a context comes with the first sum that a GPU takes.  */
TEST (no_context_without_a_gpus_sum)
{
  save_crossovers (GT_PLACE_PINNED, (struct gt_route) {GT_WAY_COPY, 100, 0, 64});
  EXPECT_SCENARIO ("small_beside_the_programs_driver", "", profiles, h200, counts);
  assert_int_equal (calls_of ("cuInit"), 1);
  assert_int_equal (calls_of ("cuPointerGetAttributes"), 0);
  assert_int_equal (calls_of ("cuDeviceGetCount"), 0);
  EXPECT_SCENARIO ("all_beside_the_programs_driver", "", profiles, h200, counts);
  assert_true (calls_of ("cuPointerGetAttributes") > 0);
  assert_int_equal (calls_of ("cuDevicePrimaryCtxRetain"), 0);
  assert_int_equal (calls_of ("cuMemAlloc"), 0);
  save_crossovers (GT_PLACE_HOST, (struct gt_route) {GT_WAY_STAGED, 10, 1, 64});
  EXPECT_SCENARIO ("all_beside_the_programs_driver", "", profiles, h200, counts);
  assert_int_equal (calls_of ("cuDevicePrimaryCtxRetain"), 1);
}

/* A launch that changes nothing is made as it is.  Vectors in turn soon have launches
   of their own.  */
TEST (launches_are_kept)
{
  EXPECT_SCENARIO ("one_vector_again", "", h200, counts);
  assert_int_equal (calls_of ("cuLaunchKernel"), 1);
  assert_int_equal (calls_of ("cuGraphInstantiateWithFlags"), 1);
  assert_int_equal (calls_of ("cuGraphLaunch"), 999);
  assert_int_equal (calls_of ("cuGraphExecKernelNodeSetParams"), 0);
  forget_calls ();
  EXPECT_SCENARIO ("vectors_in_turn", "", h200, counts);
  assert_int_equal (calls_of ("cuGraphInstantiateWithFlags"), 3);
  assert_in_range (calls_of ("cuGraphExecKernelNodeSetParams"), 100, 400);
  assert_int_equal (calls_of ("cuGraphLaunch"), 2999);
}

/* By itself the library never uses more than one GPU, however much there is.  */
TEST (one_gpu_by_itself)
{
  save_crossovers (GT_PLACE_HOST, (struct gt_route) {GT_WAY_STAGED, 1, 1, 64});
  EXPECT_SCENARIO ("huge", "", profiles, and_a_second ("tests/devices/h200.json"), counts);
  assert_int_equal (calls_of ("cuDevicePrimaryCtxRetain"), 1);
  assert_true (calls_of ("cuMemcpyHtoDAsync") > 0);
}

TEST (small_data_uses_one_gpu)
{
  static const char *const others[]
    = {"tests/devices/h200.json", "tests/devices/v100.json"};

  for (size_t i = 0; i < N_OF (others); i++)
    {
      EXPECT_SCENARIO ("small", "", and_a_second (others[i]), counts,
                       "GSLTUNE_DEVICE=cuda", "GSLTUNE_PROFILE_DIR=/nonexistent");
      assert_int_equal (calls_of ("cuDevicePrimaryCtxRetain"), 1);
      EXPECT_SCENARIO ("small_and_print_use", "GPU 0: used\nGPU 1: not used\n",
                       and_a_second (others[i]), "GSLTUNE_DEVICE=cuda",
                       "GSLTUNE_PROFILE_DIR=/nonexistent");
    }
}

TEST (large_data_uses_both)
{
  EXPECT_SCENARIO ("huge_and_print_use", "GPU 0: used\nGPU 1: used\n",
                   and_a_second ("tests/devices/v100.json"),
                   "GSLTUNE_DEVICE=cuda", "GSLTUNE_PROFILE_DIR=/nonexistent");
}

TEST (a_named_gpu_alone_is_used)
{
  EXPECT_SCENARIO ("small_and_print_use", "GPU 0: not used\nGPU 1: used\n",
                   and_a_second ("tests/devices/h200.json"),
                   "GSLTUNE_DEVICE=cuda:1", "GSLTUNE_PROFILE_DIR=/nonexistent");
  EXPECT_SCENARIO ("huge_and_print_use", "GPU 0: not used\nGPU 1: used\n",
                   and_a_second ("tests/devices/h200.json"),
                   "GSLTUNE_DEVICE=cuda:1", "GSLTUNE_PROFILE_DIR=/nonexistent");
}

TEST (device_vectors_stay)
{
  static const struct
  {
    const char *setting, *printed;
  } cases[] = {{"GSLTUNE_DEVICE=auto", "GPU 0\n"},
               {"GSLTUNE_DEVICE=cuda", "GPU 0\n"},
               {"GSLTUNE_DEVICE=cuda:0", "GPU 0\n"},
               {"GSLTUNE_DEVICE=cuda:1", "GPU 1\n"}};

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      EXPECT_SCENARIO ("device_vector", cases[i].printed, cases[i].setting,
                       and_a_second ("tests/devices/v100.json"), counts,
                       "GSLTUNE_PROFILE_DIR=/nonexistent");
      assert_int_equal (calls_of ("cuDevicePrimaryCtxRetain"), 1);
    }
}

TEST (scratch_is_bounded)
{
  static const char *const expected
    = "65536: much\n1024: little\n300: little\n9: none\n0: none\n"
      "65536: much\n";

  EXPECT_SCENARIO ("bounded", expected, h200, "SOFTGPU_LEAKS=1",
                   "GSLTUNE_PROFILE_DIR=/nonexistent", "GSLTUNE_DEVICE=cuda");
  EXPECT_SCENARIO ("lowered", "", h200, "GSLTUNE_PROFILE_DIR=/nonexistent");
}

TEST (a_full_gpu_leaves_sums_to_the_cpu)
{
  static const char *const memory[]
    = {"SOFTGPU_MEMORY=0", "SOFTGPU_MEMORY=1000", "SOFTGPU_MEMORY=200000",
       "SOFTGPU_MEMORY=300000", "SOFTGPU_MEMORY=1000000"};

  for (size_t i = 0; i < N_OF (memory); i++)
    {
      EXPECT_SCENARIO ("full", "", h200, counts, memory[i], "SOFTGPU_LEAKS=1",
                       "GSLTUNE_PROFILE_DIR=/nonexistent", "GSLTUNE_DEVICE=cuda");
      if (i < 2)
        assert_int_equal (calls_of ("cuLaunchKernel") + calls_of ("cuGraphLaunch"), 0);
    }
}

int
main (int argc, char **argv)
{
  scenario_main (argc, argv);
  gt_env.profile_dir = "/nonexistent";
  return run_unit_tests (set_up, tear_down);
}
