/* Tests of src/plan/plan.c and src/plan/estimate.c, of the threads that a CPU uses where its
   profile, or another CPU's, does not tell, and of the route that src/route/reduce.c
   takes for host data.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/device_record.h"
#include "tests/unit.h"
#include "kernels/resources.h"
#include "src/device/geometry.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tests/exact.h"
#include "tests/profile_sample.h"
#include "tests/scenario_folder.h"
#include "tests/sums.h"
#include "tuning/measure/occupancy.h"
#include "tuning/store/profile_store.h"

TEST (size_classes_are_rounded_logarithms)
{
  static const struct
  {
    uint64_t n;
    unsigned class;
  } cases[] = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 2}, {6, 3}, {7, 3},
               {8, 3}, {11, 3}, {12, 4}, {1000, 10}, {1024, 10}, {1535, 10},
               {1536, 11}, {((uint64_t) 3 << 62) - 1, 63},
               {(uint64_t) 3 << 62, 64}, {UINT64_MAX, 64}};

  for (size_t i = 0; i < N_OF (cases); i++)
    assert_int_equal (gt_size_class (cases[i].n), cases[i].class);
  for (unsigned k = 0; k < 64; k++)
    assert_int_equal (gt_size_class ((uint64_t) 1 << k), k);
  assert_true (gt_size_class (UINT64_MAX) < GT_N_CLASSES);
}

/* -------------------------------------------------------------- Estimates */

typedef void check_problem (const struct gt_device *device,
                            const struct gt_problem *problem);

/* Every problem of REDUCTION and of every length that there is a class for.  */
static void
for_each_of (enum gt_reduction reduction, const struct gt_device *device,
             check_problem *check)
{
  for (int a = 0; a < GT_N_ARITHMETICS; a++)
    for (int m = 0; m < GT_N_MODES; m++)
      for (int l = 0; l < GT_N_LAYOUTS; l++)
        for (int k = 0; k < GT_N_CLASSES; k++)
          {
            struct gt_problem problem
              = {reduction, (enum gt_arithmetic) a,
                 gt_mode_for (reduction, (enum gt_arithmetic) a,
                              (enum gt_mode) m),
                 (enum gt_layout) l,
                 GT_CLASS_N (k)};

            if (gt_reduction_has (reduction, problem.arithmetic)
                && gt_device_computes (device->kind, &problem))
              check (device, &problem);
          }
}

static void
for_each_problem (const struct gt_device *device, check_problem *check)
{
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for_each_of ((enum gt_reduction) r, device, check);
}

static void
check_host_estimate (const struct gt_device *device,
                     const struct gt_problem *problem)
{
  const struct gt_kernel *kernel;
  struct gt_config config;
  uint64_t size = gt_arithmetics[problem->arithmetic].size;

  gt_estimate (device, problem, &kernel, &config);
  assert_non_null (kernel);
  assert_int_equal (kernel->device, GT_CPU);
  assert_true (gt_kernel_serves (kernel, problem));
  assert_true (config.threads >= 1);
  assert_true (config.threads <= (unsigned) device->host.threads);
  assert_non_null (gt_kernel_function (kernel, problem, config.unroll));
  if (problem->n < 10000)
    assert_int_equal (config.threads, 1);
  if (problem->n > ((uint64_t) 1 << 40) / size
      && kernel->tunables & GT_TUNE_THREADS)
    assert_int_equal (config.threads, device->host.threads);
}

/* The registers that the compiler gave the kernel, or may give at most.  */
static int
registers_of (const struct gt_kernel *kernel, const struct gt_problem *problem,
              const struct gt_config *config, int cc)
{
  char symbol[128];
  const struct gt_kernel_resources *row;

  gt_kernel_symbol (kernel, problem, config->unroll, config->block, symbol,
                    sizeof symbol);
  row = gt_kernel_resources_find (gt_kernel_resources, symbol, cc);
  return row ? row->registers : 64;
}

static void
check_gpu_estimate (const struct gt_device *device,
                    const struct gt_problem *problem)
{
  const struct gt_gpu *gpu = &device->gpu;
  const struct gt_kernel *kernel;
  struct gt_config config;
  struct gt_occupancy_request request = {.shared_per_block = 1024};
  struct gt_occupancy occupancy;

  gt_estimate (device, problem, &kernel, &config);
  assert_non_null (kernel);
  assert_int_equal (kernel->device, GT_CUDA);
  assert_true (gt_kernel_serves (kernel, problem));
  assert_true (config.blocks_per_sm >= 1);
  assert_int_equal (config.block % (unsigned) gpu->sm.warp_size, 0);
  request.block_size = (int) config.block;
  request.registers_per_thread
    = registers_of (kernel, problem, &config,
                    gpu->sm.cc_major * 10 + gpu->sm.cc_minor);
  gt_occupancy_compute (&gpu->sm, &request, &occupancy);
  assert_true (occupancy.active_blocks >= 1);
  assert_true (gt_geometry_of (kernel, &config, problem, gpu->sms).grid >= 1);
}

static void
load_device (const char *name, struct gt_device *device)
{
  char path[128];
  const char *wrong;

  snprintf (path, sizeof path, "tests/devices/%s.json", name);
  wrong = gt_device_read (source_file (path), device);
  if (wrong)
    fail_msg ("%s: %s", path, wrong);
}

TEST (estimates_can_be_launched)
{
  static const char *const gpus[] = {"gtx-970", "v100", "a100", "rtx-4090",
                                     "h200", "h200-mig-3g", "gb10"};
  struct gt_device device;

  for (size_t i = 0; i < N_OF (gpus); i++)
    {
      load_device (gpus[i], &device);
      assert_int_equal (device.kind, GT_CUDA);
      for_each_problem (&device, check_gpu_estimate);
    }
}

TEST (estimates_for_hosts)
{
  struct gt_device device;

  load_device ("host-epyc", &device);
  assert_true (device.host.threads > 1);
  for_each_problem (&device, check_host_estimate);
  device.host.threads = device.host.cores = 1;
  for_each_problem (&device, check_host_estimate);
  for_each_problem (gt_device_host (), check_host_estimate);
}

/* Of problems that no reduction has.  */
TEST (no_kernel_no_estimate)
{
  static const struct gt_problem problems[]
    = {{GT_MAX, GT_F64, GT_MODE_EXACT, GT_CONTIGUOUS, 1000},
       {GT_CORRELATION, GT_F64, GT_MODE_EXACT, GT_CONTIGUOUS, 1000},
       {GT_DOT, GT_I32, GT_MODE_FAST, GT_STRIDED, 1000},
       {GT_ASUM, GT_LDBL, GT_MODE_FAST, GT_CONTIGUOUS, 10}};
  struct gt_device gpu, host;
  const struct gt_kernel *kernel;
  struct gt_config config;

  load_device ("h200", &gpu);
  load_device ("host-epyc", &host);
  for (size_t i = 0; i < N_OF (problems); i++)
    {
      gt_estimate (&host, &problems[i], &kernel, &config);
      assert_null (kernel);
      gt_estimate (&gpu, &problems[i], &kernel, &config);
      assert_null (kernel);
    }
}

/* ---------------------------------------- Threads, where no profile tells them */

/* Returns the threads of the plan for N doubles on a CPU of eight, whose tuner found TUNED threads
   and UNROLL the best for 2^16 elements, and two for 2^22.  */
static unsigned
threads_by_findings (unsigned tuned, unsigned unroll, uint64_t n)
{
  static struct gt_plans plans;
  const struct gt_winner winners[]
    = {sample_winner ("simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 16,
                      (struct gt_config) {tuned, 0, unroll, 0}),
       sample_winner ("simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 22,
                      (struct gt_config) {2, 0, 4, 0})};
  const struct gt_problem problem
    = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, n};
  struct gt_device eight = *gt_device_host ();
  struct gt_profile findings;
  unsigned threads;

  eight.host.cores = eight.host.threads = 8;
  eight.host.l2 = (size_t) 2 << 20;
  eight.host.l3 = (size_t) 32 << 20;
  gt_profile_init (&findings, &eight);
  for (size_t i = 0; i < N_OF (winners); i++)
    assert_int_equal (gt_findings_put (&findings, &winners[i]), 0);
  assert_int_equal (gt_findings_profile (&findings, &eight, &plans.profile), 0);
  gt_profile_clear (&findings);
  plans.profile_found = 1;
  plans.device = &eight;
  threads = gt_plan_find (&plans, &problem)->config.threads;
  gt_plans_forget (&plans);
  gt_profile_clear (&plans.profile);
  return threads;
}

/* A winner holds up to the middle of two lengths on a logarithmic scale.  */
TEST (a_winner_holds_where_it_is_the_nearest)
{
  gt_env.threads = 0;
  assert_int_equal (threads_by_findings (1, 4, 1 << 4), 1);
  assert_int_equal (threads_by_findings (1, 4, 1 << 18), 1);
  assert_int_equal (threads_by_findings (1, 4, 1 << 20), 2);
  assert_int_equal (threads_by_findings (1, 4, 1 << 26), 2);
}

/* Where what serves untuned won, the estimate serves at the lengths around, too.  */
TEST (the_estimate_serves_where_it_won)
{
  gt_env.threads = 0;
  assert_int_equal (threads_by_findings (1, 8, 1 << 18), 8);
  assert_int_equal (threads_by_findings (1, 4, 1 << 18), 1);
}

/* What the tuner has found on a Xeon with 16 cores, at the first length where more than one thread
   was faster; the estimate is at most half or twice that, and one thread at an eighth of it.  */
TEST (estimates_are_near_findings)
{
  static const struct
  {
    enum gt_reduction reduction;
    enum gt_arithmetic arithmetic;
    enum gt_mode mode;
    uint64_t n;
    unsigned threads;
  } findings[] = {
    {GT_DOT, GT_F32, GT_MODE_FAST, 1 << 18, 4},  {GT_DOT, GT_F64, GT_MODE_FAST, 1 << 18, 8},
    {GT_MAX, GT_F64, GT_MODE_FAST, 1 << 18, 4},  {GT_MAX, GT_F32, GT_MODE_FAST, 1 << 20, 16},
    {GT_SUM, GT_F64, GT_MODE_FAST, 1 << 18, 8},  {GT_SUM, GT_F32, GT_MODE_FAST, 1 << 18, 4},
    {GT_SUM, GT_U8, GT_MODE_FAST, 1 << 20, 8},   {GT_SUM, GT_LDBL, GT_MODE_FAST, 1 << 14, 8},
  };
  struct gt_device device = sample_host ();

  device.host.cores = device.host.threads = 16;
  device.host.l2 = (size_t) 2 << 20;
  device.host.l3 = (size_t) 300 << 20;
  for (size_t i = 0; i < N_OF (findings); i++)
    {
      struct gt_problem problem = {findings[i].reduction, findings[i].arithmetic,
                                   findings[i].mode, GT_CONTIGUOUS, findings[i].n};
      const struct gt_kernel *kernel;
      struct gt_config config;

      gt_estimate (&device, &problem, &kernel, &config);
      if (config.threads > 2 * findings[i].threads || 2 * config.threads < findings[i].threads)
        fail_msg ("finding %zu: %u threads instead of %u", i, config.threads,
                  findings[i].threads);
      problem.n /= 8;
      gt_estimate (&device, &problem, &kernel, &config);
      assert_int_equal (config.threads, 1);
    }
}

/* A block of 1024 threads, which sums were tuned to have, is too large for the registers of a
   product's kernel.  */
TEST (blocks_of_another_reduction_are_small)
{
  static struct gt_plans plans;
  static const enum gt_reduction reductions[] = {GT_SUM, GT_DOT};
  struct gt_device gpu = sample_gpu ();
  struct gt_profile findings;
  const struct gt_winner winner
    = sample_winner ("exact_window", GT_F64, GT_MODE_EXACT, GT_CONTIGUOUS, 1000,
                     (struct gt_config) {1, 1024, 4, 2});

  gt_profile_init (&findings, &gpu);
  assert_int_equal (gt_findings_put (&findings, &winner), 0);
  assert_int_equal (gt_findings_profile (&findings, &gpu, &plans.profile), 0);
  gt_profile_clear (&findings);
  plans.profile_found = 1;
  plans.device = &gpu;
  for (size_t i = 0; i < N_OF (reductions); i++)
    {
      const struct gt_problem problem
        = {reductions[i], GT_F64, GT_MODE_EXACT, GT_CONTIGUOUS, 1000};
      const struct gt_plan *const plan = gt_plan_find (&plans, &problem);

      assert_string_equal (plan->kernel->name, "exact_window");
      assert_int_equal (plan->config.block, i ? 512 : 1024);
    }
  gt_plans_forget (&plans);
  gt_profile_clear (&plans.profile);
}

/* ---------------------------------------------------------------- Scenarios */

/* Prints the plan of one problem on this host.  */
static void
print_plan (enum gt_arithmetic arithmetic, enum gt_mode mode,
            enum gt_layout layout, uint64_t n)
{
  const struct gt_plan *plan
    = gt_plan_find (gt_host_plans (),
                    &(struct gt_problem) {GT_SUM, arithmetic, mode, layout, n});

  CHECK (plan->function
         == sum_function (plan->kernel, arithmetic, mode, layout,
                                plan->config.unroll));
  if (plan->step && strcmp (plan->step->way, GT_STEP_ESTIMATE) != 0)
    printf ("%llu: %s %u u%u from %llu\n", (unsigned long long) n,
            plan->kernel->name, plan->config.threads, plan->config.unroll,
            (unsigned long long) plan->step->from);
  else
    printf ("%llu: estimate\n", (unsigned long long) n);
}

SCENARIO (print_plans)
{
  static const uint64_t lengths[]
    = {0, 1, 1000, 30000, 40000, 1 << 20, 1 << 26, (uint64_t) 1 << 50};

  for (size_t i = 0; i < N_OF (lengths); i++)
    print_plan (GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, lengths[i]);
  print_plan (GT_F64, GT_MODE_EXACT, GT_CONTIGUOUS, 1000);
  print_plan (GT_F64, GT_MODE_FAST, GT_STRIDED, 1000);
  print_plan (GT_F32, GT_MODE_FAST, GT_CONTIGUOUS, 1000);
}

SCENARIO (print_most_threads)
{
  const struct gt_plans *plans = gt_host_plans ();
  unsigned most = 0;

  for (int a = 0; a < GT_N_SIGNLESS; a++)
    for (int k = 0; k < GT_N_CLASSES; k++)
      {
        const struct gt_problem problem
          = {GT_SUM, (enum gt_arithmetic) a, GT_MODE_FAST, GT_CONTIGUOUS,
             GT_CLASS_N (k)};
        unsigned threads = gt_plan_find (plans, &problem)->config.threads;

        most = threads > most ? threads : most;
      }
  printf ("%u %d\n", most, most == (unsigned) plans->device->host.threads);
}

static void *
ask_for_plans (void *plans)
{
  *(const struct gt_plans **) plans = gt_host_plans ();
  return NULL;
}

/* The same object for every thread and call.  */
SCENARIO (one_object)
{
  const struct gt_plans *plans[8];
  pthread_t thread[8];

  for (int i = 0; i < 8; i++)
    CHECK (pthread_create (&thread[i], NULL, ask_for_plans, &plans[i]) == 0);
  for (int i = 0; i < 8; i++)
    CHECK (pthread_join (thread[i], NULL) == 0);
  for (int i = 0; i < 8; i++)
    CHECK (plans[i] == gt_host_plans ());
}

/* A digit for each of the first classes: whether fast sums of doubles may take the
   short way.  Nothing is known before there are plans, and what it leads to is
   what was planned.  */
SCENARIO (print_quick)
{
  for (int l = 0; l < GT_N_LAYOUTS; l++)
    for (int k = 0; k < GT_N_QUICK; k++)
      CHECK (gt_quick_find (GT_SUM, GT_F64, (enum gt_layout) l,
                            (uint64_t) 1 << k)
             == NULL);
  for (int l = 0; l < GT_N_LAYOUTS; l++)
    for (int k = 0; k <= GT_N_QUICK; k++)
      {
        const struct gt_problem problem
          = {GT_SUM, GT_F64, GT_MODE_FAST, (enum gt_layout) l, GT_CLASS_N (k)};
        const struct gt_plan *plan = gt_plan_find (gt_host_plans (), &problem);
        gt_cpu_function *quick
          = gt_quick_find (GT_SUM, GT_F64, (enum gt_layout) l, problem.n);

        CHECK (quick == NULL || quick == plan->function);
        printf ("%d%s", quick != NULL, k < GT_N_QUICK ? "" : "\n");
      }
}

/* Sums of the lengths around the crossover of the tests' profile.  */
#define CROSSOVER 70000

static void
sum_length (size_t n)
{
  double *x = malloc (n * sizeof *x);
  gsl_vector v = {n, 1, x, NULL, 0};
  union gt_value expected;

  CHECK (x);
  expected = put_exact (GT_F64, x, n, 1, 3);
  CHECK (gsltune_vector_sum (&v) == expected.f64[0]);
  free (x);
}

SCENARIO (sum_below)
{
  static double x[2 * CROSSOVER];
  gsl_vector strided = {CROSSOVER, 2, x, NULL, 0};

  gt_host_plans (); /* before them no GPU is thought of */
  sum_length (10);
  sum_length (CROSSOVER - 1);
  CHECK (gsltune_vector_sum (&strided) == 0);
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  sum_length (CROSSOVER);
}

SCENARIO (sum_above)
{
  gt_host_plans (); /* before them no GPU is thought of */
  sum_length (CROSSOVER);
  sum_length (CROSSOVER + CROSSOVER / 2);
}

/* A profile that is adopted is the plans', and the last one counts.  */
SCENARIO (adopt)
{
  struct gt_problem problem
    = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 10};
  struct gt_winner winner
    = sample_winner ("simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 10,
                     (struct gt_config) {1, 0, 8, 0});
  struct gt_profile tuned;

  for (unsigned round = 0; round < 2; round++)
    {
      const struct gt_step *used;

      gt_profile_init (&tuned, gt_device_host ());
      CHECK (!gt_findings_put (&tuned, &winner));
      put_sample_routes (&tuned);
      gt_plans_adopt (gt_device_host (), &tuned);
      CHECK (tuned.steps == NULL && tuned.n_steps == 0);
      used = gt_plan_find (gt_host_plans (), &problem)->step;
      CHECK (used && strcmp (used->way, "simd") == 0 && used->from == 1 << 10);
      CHECK (used >= gt_host_plans ()->profile.steps);
      winner.config.unroll = 4;
    }
}

/* ----------------------------------------------------------------- Profiles */

static void
save (const struct gt_profile *profile)
{
  char why[256];

  if (gt_findings_save (profile, gt_device_host (), base, 0, why, sizeof why))
    fail_msg ("%s", why);
}

/* Saves two winners for double, at 2^10 and 2^20.  */
static void
save_entries (int unfinished)
{
  struct gt_profile profile;
  struct gt_winner small
    = sample_winner ("sequential", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 10,
                    (struct gt_config) {1, 0, 1, 0});
  struct gt_winner large
    = sample_winner ("simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 20,
                    (struct gt_config) {1, 0, 2, 0});

  gt_profile_init (&profile, gt_device_host ());
  strcpy (profile.created, "2026-01-02T03:04:05Z");
  profile.unfinished = unfinished;
  assert_int_equal (gt_findings_put (&profile, &small), 0);
  assert_int_equal (gt_findings_put (&profile, &large), 0);
  save (&profile);
  gt_profile_clear (&profile);
}

TEST (without_a_profile_estimates_decide)
{
  EXPECT_SCENARIO ("print_plans",
                   "0: estimate\n1: estimate\n1000: estimate\n"
                   "30000: estimate\n40000: estimate\n1048576: estimate\n"
                   "67108864: estimate\n1125899906842624: estimate\n"
                   "1000: estimate\n1000: estimate\n1000: estimate\n",
                   "GSLTUNE_PROFILE_DIR=/nonexistent");
}

TEST (the_nearest_entry_decides)
{
  save_entries (0);
  EXPECT_SCENARIO ("print_plans",
                   "0: sequential 1 u1 from 0\n"
                   "1: sequential 1 u1 from 0\n"
                   "1000: sequential 1 u1 from 0\n"
                   "30000: sequential 1 u1 from 0\n"
                   "40000: sequential 1 u1 from 0\n"
                   "1048576: simd 1 u2 from 32769\n"
                   "67108864: simd 1 u2 from 32769\n"
                   "1125899906842624: simd 1 u2 from 32769\n"
                   "1000: estimate\n1000: estimate\n1000: estimate\n",
                   profiles);
}

/* Far from what an interrupted run has measured nothing is known.  */
TEST (an_unfinished_profile_ends)
{
  save_entries (1);
  EXPECT_SCENARIO ("print_plans",
                   "0: estimate\n"
                   "1: estimate\n"
                   "1000: sequential 1 u1 from 64\n"
                   "30000: sequential 1 u1 from 64\n"
                   "40000: sequential 1 u1 from 64\n"
                   "1048576: simd 1 u2 from 32769\n"
                   "67108864: estimate\n"
                   "1125899906842624: estimate\n"
                   "1000: estimate\n1000: estimate\n1000: estimate\n",
                   profiles);
}

TEST (the_environment_bounds_threads)
{
  EXPECT_SCENARIO ("print_most_threads", NULL,
                   "GSLTUNE_PROFILE_DIR=/nonexistent");
  assert_non_null (strstr (scenario_output, " 1\n"));
  EXPECT_SCENARIO ("print_most_threads", NULL, "GSLTUNE_THREADS=1",
                   "GSLTUNE_PROFILE_DIR=/nonexistent");
  assert_true (starts_with (scenario_output, "1 "));
  EXPECT_SCENARIO ("print_most_threads", NULL, "OMP_NUM_THREADS=1,4",
                   "GSLTUNE_PROFILE_DIR=/nonexistent");
  assert_true (starts_with (scenario_output, "1 "));
  EXPECT_SCENARIO ("one_object", "", "GSLTUNE_PROFILE_DIR=/nonexistent");
}

/* One thread and no GPU: else the way is the long one.  */
TEST (short_sums_have_a_short_way)
{
  struct gt_profile profile;
  struct gt_winner winner
    = sample_winner ("simd", GT_F64, GT_MODE_FAST, GT_STRIDED, 1 << 10,
                    (struct gt_config) {2, 0, 4, 0});

  EXPECT_SCENARIO ("print_quick", "111111111111110\n111111111111110\n",
                   "GSLTUNE_PROFILE_DIR=/nonexistent");
  EXPECT_SCENARIO ("print_quick", "000000000000000\n111111111111110\n",
                   "GSLTUNE_PROFILE_DIR=/nonexistent", "GSLTUNE_DEVICE=cuda");
  gt_profile_init (&profile, gt_device_host ());
  strcpy (profile.created, "2026-01-02T03:04:05Z");
  assert_int_equal (gt_findings_put (&profile, &winner), 0);
  save (&profile);
  gt_profile_clear (&profile);
  EXPECT_SCENARIO ("print_quick", "111111111111110\n000000000000000\n", profiles);
  EXPECT_SCENARIO ("print_quick", "111111111111110\n111111111111110\n", profiles,
                   "GSLTUNE_THREADS=1");
}

TEST (the_tuner_keeps_its_profile)
{
  EXPECT_SCENARIO ("adopt", "", "GSLTUNE_PROFILE_DIR=/nonexistent");
}

/* --------------------------------------------------------------- Crossovers */

TEST (no_driver_is_touched_without_a_crossover)
{
  EXPECT_SCENARIO ("sum_above", "", "GSLTUNE_PROFILE_DIR=/nonexistent", h200,
                   counts);
  assert_int_equal (calls_of ("cuInit"), -1);
}

#if HAVE_CUDA
static void
save_crossover (const char *silicon, enum gt_mode mode, uint64_t from)
{
  struct gt_profile profile;
  const struct gt_problem problem = {GT_SUM, GT_F64, mode, GT_CONTIGUOUS, from};
  struct gt_winner winner
    = sample_winner ("simd", GT_F32, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 20,
                    (struct gt_config) {1, 0, 2, 0});

  gt_profile_init (&profile, gt_device_host ());
  strcpy (profile.created, "2026-01-02T03:04:05Z");
  gt_findings_put (&profile, &winner);
  put_route (&profile, &problem, GT_PLACE_HOST, silicon,
             (struct gt_route) {GT_WAY_STAGED, 100, 1, 1024});
  save (&profile);
  gt_profile_clear (&profile);
}

TEST (beyond_the_crossover_the_gpu_sums)
{
  struct gt_device device;
  char silicon[GT_SILICON_SIZE];

  load_device ("h200", &device);
  gt_device_silicon (&device, silicon);
  save_crossover (silicon, GT_MODE_EXACT, CROSSOVER);
  EXPECT_SCENARIO ("sum_below", "", profiles, h200, counts);
  assert_int_equal (calls_of ("cuInit"), -1);
  EXPECT_SCENARIO ("sum_above", "", profiles, h200, counts);
  assert_int_equal (calls_of ("cuLaunchKernel"), 2);
  forget_calls ();
  EXPECT_SCENARIO ("sum_above", "", profiles, h200, counts,
                   "GSLTUNE_DEVICE=cpu");
  assert_int_equal (calls_of ("cuInit"), -1);
  save_crossover (silicon, GT_MODE_FAST, 3071); /* the last of its class */
  EXPECT_SCENARIO ("print_quick", "111111111110000\n111111111111110\n", profiles);
  EXPECT_SCENARIO ("print_quick", "111111111111110\n111111111111110\n", profiles,
                   "GSLTUNE_DEVICE=cpu");
}

/* A crossover measured with one GPU says nothing of another.  */
TEST (another_gpu_does_not_count)
{
  save_crossover ("cuda-8.0-108sm-80gib-l2-40mib", GT_MODE_EXACT, CROSSOVER);
  EXPECT_SCENARIO ("sum_above", "", profiles, h200, counts);
  assert_int_equal (calls_of ("cuLaunchKernel"), 0);
  save_crossover ("cuda-8.0-108sm-80gib-l2-40mib", GT_MODE_EXACT, CROSSOVER);
  EXPECT_SCENARIO ("sum_above", "", profiles, "SOFTGPU_DEVICE=", counts);
  assert_int_equal (calls_of ("cuLaunchKernel"), 0);
}

/* The environment sends everything contiguous to the GPU.  */
TEST (the_environment_chooses_the_gpu)
{
  EXPECT_SCENARIO ("sum_above", "", "GSLTUNE_DEVICE=cuda", h200, counts,
                   "GSLTUNE_PROFILE_DIR=/nonexistent");
  assert_int_equal (calls_of ("cuLaunchKernel"), 2);
}

#endif

int
main (int argc, char **argv)
{
  gt_findings_kept = 1;
  scenario_main (argc, argv);
  gt_env.profile_dir = "/nonexistent";
  return run_unit_tests (set_up, tear_down);
}
