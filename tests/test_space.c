/* Tests of tuning/search/space.c: what is measured, what is not, and why.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "src/base/names.h"
#include "src/device/geometry.h"
#include "src/device/gpus.h"
#include "src/plan/plan.h"
#include "tests/scenario.h"
#include "tests/sums.h"
#include "tuning/measure/occupancy.h"
#include "tuning/search/question.h"
#include "tuning/search/space.h"

/* --------------------------------------------------------------- The host */

static unsigned
count_config (const struct gt_space *space, const char *kernel,
              unsigned threads, unsigned unroll)
{
  unsigned count = 0;

  for (unsigned i = 0; i < space->n; i++)
    count += strcmp (space->candidate[i].kernel->name, kernel) == 0
             && space->candidate[i].config.threads == threads
             && space->candidate[i].config.unroll == unroll;
  return count;
}

/* Every thread count of LIST, up to a 0, with every unroll factor, and
   nothing else.  */
static void
check_host_space (const struct gt_space *space, const unsigned *list)
{
  int exact = space->problem.mode == GT_MODE_EXACT;
  int wide = exact && space->problem.arithmetic == GT_LDBL;
  const char *one = wide ? "exact_wide" : "sequential";
  unsigned expected = !exact || wide;

  assert_int_equal (count_config (space, one, 1, 1), expected);
  for (; *list && !wide; list++)
    for (unsigned u = exact ? 1 : 2; u <= (exact ? 1 : 8); u *= 2, expected++)
      assert_int_equal (count_config (space, exact ? "exact" : "simd", *list, u),
                        1);
  assert_int_equal (space->n, expected);
}

/* The default may come after the others.  */
static int
is_before (const struct gt_space *space, const struct gt_candidate *a,
           const struct gt_candidate *b)
{
  const struct gt_config *const x = &a->config, *const y = &b->config;

  return b == &space->candidate[space->chosen_default] ? 1
         : x->threads != y->threads             ? x->threads < y->threads
         : x->blocks_per_sm != y->blocks_per_sm ? x->blocks_per_sm < y->blocks_per_sm
         : x->unroll != y->unroll               ? x->unroll < y->unroll
         : x->block != y->block                 ? x->block < y->block : a->kernel < b->kernel;
}

/* Returns whether simpler candidates come first: with fewer threads, then fewer blocks, a
   smaller unroll factor, a smaller block, an earlier row of the catalogue; and whether each can
   be a way of a question.  */
static int
is_in_order (const struct gt_space *space)
{
  unsigned i = 1;

  while (i < space->n
         && is_before (space, &space->candidate[i - 1], &space->candidate[i]))
    i++;
  return i >= space->n && space->n <= GT_MOST_WAYS;
}

/* Vectors that are not long enough for a page for each thread are not cut, and the
   kernel by several threads is then the same as by one.  */
static void
check_host_verdicts (const struct gt_space *space)
{
  const struct gt_problem *p = &space->problem;
  uint64_t bytes = p->n * gt_arithmetics[p->arithmetic].size;

  for (unsigned i = 0; i < space->n; i++)
    {
      unsigned threads = space->candidate[i].config.threads;

      if (i == space->chosen_default)
        continue;
      assert_int_equal (space->candidate[i].verdict,
                        threads > 1 && bytes < threads * (uint64_t) 4096
                          ? GT_PRUNED_SAME : GT_KEPT);
    }
}

static void
check_default (const struct gt_space *space, const struct gt_device *device)
{
  const struct gt_candidate *c = &space->candidate[space->chosen_default];
  const struct gt_kernel *kernel;
  struct gt_config config;

  gt_estimate (device, &space->problem, &kernel, &config);
  assert_true (space->chosen_default < space->n);
  assert_int_equal (c->verdict, GT_KEPT);
  assert_ptr_equal (c->kernel, kernel);
  assert_memory_equal (&c->config, &config, sizeof config);
}

static void
for_each_host_problem (const struct gt_device *host, const unsigned *threads)
{
  static const uint64_t lengths[] = {1, 16, 1 << 14, (uint64_t) 1 << 32};

  for (int a = 0; a < GT_N_SIGNLESS; a++)
    for (int m = 0; m < (gt_arithmetics[a].real ? GT_N_MODES : 1); m++)
      for (int l = 0; l < GT_N_LAYOUTS; l++)
        for (size_t i = 0; i < N_OF (lengths); i++)
          {
            struct gt_problem p = {GT_SUM, (enum gt_arithmetic) a, (enum gt_mode) m,
                                   (enum gt_layout) l, lengths[i]};
            struct gt_space space;

            if (!gt_device_computes (GT_CPU, &p))
              continue;
            assert_int_equal (gt_space_init (&space, &p, host, NULL), 0);
            check_host_space (&space, threads);
            assert_true (is_in_order (&space));
            check_host_verdicts (&space);
            check_default (&space, host);
            gt_space_clear (&space);
            assert_int_equal (space.n, 0);
          }
}

TEST (host_spaces)
{
  static const struct
  {
    int threads;
    unsigned list[8];
  } cases[] = {{1, {1}}, {2, {1, 2}}, {3, {1, 2, 3}}, {6, {1, 2, 4, 6}},
               {16, {1, 2, 4, 8, 16}}};
  struct gt_device host = *gt_device_host ();

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      host.host.threads = cases[i].threads;
      for_each_host_problem (&host, cases[i].list);
    }
}

/* ------------------------------------------------------------------ A GPU */

/* The model's word about a candidate, computed here a second time.  */
struct model
{
  struct gt_resources driver;
  struct gt_occupancy occupancy;
  uint64_t grid;
  double in_flight, data;
};

static struct model
model_of (struct gt_open_gpu *gpu, const struct gt_space *space,
          const struct gt_candidate *c)
{
  const struct gt_gpu *device = &gt_gpus->device_of (gpu)->gpu;
  const struct gt_problem *p = &space->problem;
  size_t size = gt_arithmetics[p->arithmetic].size;
  int vector = p->layout == GT_CONTIGUOUS;
  struct gt_plan plan = {.kernel = c->kernel, .config = c->config};
  struct gt_occupancy_request request;
  struct model m;
  double blocks;

  CHECK (gt_gpus->resources (gpu, &plan, p, &m.driver) == 0);
  request.registers_per_thread = m.driver.registers;
  request.shared_per_block
    = m.driver.shared + (size_t) c->config.block * c->kernel->shared * size;
  request.block_size = (int) c->config.block;
  gt_occupancy_compute (&device->sm, &request, &m.occupancy);
  m.grid = gt_geometry_of (c->kernel, &c->config, p, device->sms).grid;
  blocks = (double) m.occupancy.active_blocks * device->sms;
  blocks = blocks < (double) m.grid ? blocks : (double) m.grid;
  m.data = (double) p->n * (double) size;
  m.in_flight = blocks * c->config.block * c->config.unroll
                * (vector ? 16.0 : (double) size);
  m.in_flight = m.in_flight < m.data ? m.in_flight : m.data;
  return m;
}

static int
launches (const struct model *m, const struct gt_candidate *c)
{
  return m->occupancy.active_blocks > 0
         && c->config.block <= (unsigned) m->driver.max_threads_per_block
         && m->grid > 0;
}

/* A candidate before C, kept, of the same launch.  */
static const struct gt_candidate *
simpler_twin (const struct gt_space *space, const struct gt_candidate *c)
{
  for (const struct gt_candidate *o = space->candidate; o < c; o++)
    if (o->kernel == c->kernel && o->config.block == c->config.block
        && o->config.unroll == c->config.unroll && o->grid == c->grid
        && o->verdict == GT_KEPT)
      return o;
  return NULL;
}

static void
check_verdict (struct gt_open_gpu *gpu, const struct gt_space *space,
               const struct gt_candidate *c)
{
  const struct gt_sm_limits *sm = &gt_gpus->device_of (gpu)->gpu.sm;
  if (c->verdict == GT_PRUNED_UNAVAILABLE)
    {
      CHECK (c->kernel->since > 10 * sm->cc_major + sm->cc_minor);
      CHECK (strstr (c->why, "compute capability"));
      return;
    }
  struct model m = model_of (gpu, space, c);
  unsigned active = (unsigned) m.occupancy.active_blocks;
  int is_default = c == &space->candidate[space->chosen_default];
  int starved = m.in_flight < space->bytes_needed / 4
                && m.data >= space->bytes_needed;

  CHECK (c->grid == m.grid);
  CHECK (c->occupancy == m.occupancy.occupancy);
  switch (c->verdict)
    {
    case GT_KEPT:
      CHECK (is_default || launches (&m, c));
      CHECK (is_default || m.driver.active_blocks > 0);
      CHECK (is_default || !simpler_twin (space, c));
      CHECK (is_default || c->config.blocks_per_sm <= 2 * active);
      CHECK (is_default || !starved);
      break;
    case GT_PRUNED_LAUNCH:
      CHECK (!launches (&m, c));
      break;
    case GT_PRUNED_SAME:
      CHECK (simpler_twin (space, c));
      CHECK (simpler_twin (space, c)->config.blocks_per_sm
             < c->config.blocks_per_sm);
      break;
    case GT_PRUNED_WAVES:
      CHECK (c->config.blocks_per_sm > 2 * active);
      break;
    case GT_PRUNED_IN_FLIGHT:
      CHECK (starved);
      break;
    default:
      CHECK (!"a verdict");
    }
  /* A launch that the driver would make is not said to be impossible.  */
  if (c->verdict == GT_PRUNED_LAUNCH && m.grid > 0)
    CHECK (m.driver.active_blocks == 0);
}

/* Every configuration of the catalogue is listed once.  */
static void
check_complete (const struct gt_device *device, const struct gt_space *space)
{
  unsigned expected = 0, found = 0;

  for (unsigned k = 0; k < gt_catalog_size; k++)
    {
      const struct gt_kernel *kernel = &gt_catalog[k];
      unsigned unrolls = (unsigned) __builtin_popcount (kernel->unrolls);
      unsigned sizes = kernel->tunables & GT_TUNE_STATIC ? 5 : 6, grids = 1;

      if (kernel->device != GT_CUDA
          || !sum_served (kernel, space->problem.arithmetic,
                                space->problem.mode, space->problem.layout))
        continue;
      for (unsigned g = 2; g <= 32 && kernel->tunables & GT_TUNE_GRID; g *= 2)
        grids += g <= (unsigned) device->gpu.sm.max_blocks_per_sm;
      expected += sizes * unrolls * grids; /* blocks of 32 (64) to 1024 */
    }
  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *c = &space->candidate[i];
      unsigned copies = 0;

      for (unsigned j = 0; j < space->n; j++)
        copies += space->candidate[j].kernel == c->kernel
                  && memcmp (&space->candidate[j].config, &c->config,
                             sizeof c->config) == 0;
      CHECK (copies == 1);
      found += c->config.block != 0;
    }
  CHECK (is_in_order (space));
  CHECK (found == expected
         || (found == expected + 1 && space->chosen_default == expected));
}

/* Whoever has the most bytes in flight must be measured: pruning is only for
   those that starve.  */
static void
check_best_supplied (const struct gt_space *space)
{
  double most = 0, kept = 0;

  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *c = &space->candidate[i];

      most = c->bytes_in_flight > most ? c->bytes_in_flight : most;
      if (c->verdict == GT_KEPT && c->bytes_in_flight > kept)
        kept = c->bytes_in_flight;
    }
  CHECK (kept == most);
}

static void
check_gpu_problem (struct gt_open_gpu *gpu, const struct gt_problem *problem)
{
  const struct gt_device *device = gt_gpus->device_of (gpu);
  const struct gt_kernel *kernel;
  struct gt_config config;
  struct gt_space space;
  const struct gt_candidate *chosen;

  CHECK (gt_space_init (&space, problem, device, gpu) == 0);
  CHECK (space.bytes_needed == gt_gpu_bandwidth (&device->gpu) * 700e-9);
  gt_estimate (device, problem, &kernel, &config);
  chosen = &space.candidate[space.chosen_default];
  CHECK (chosen->verdict == GT_KEPT && chosen->kernel == kernel);
  CHECK (memcmp (&chosen->config, &config, sizeof config) == 0);
  for (unsigned i = 0; i < space.n; i++)
    check_verdict (gpu, &space, &space.candidate[i]);
  check_complete (device, &space);
  check_best_supplied (&space);
  gt_space_clear (&space);
}

SCENARIO (every_gpu)
{
  static const uint64_t lengths[]
    = {1, 1 << 10, 1 << 14, 1 << 18, 1 << 19, 1 << 20, 1 << 26, (uint64_t) 1 << 33};
  static const struct gt_problem problems[]
    = {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 0},
       {GT_SUM, GT_F64, GT_MODE_EXACT, GT_STRIDED, 0},
       {GT_SUM, GT_F32, GT_MODE_FAST, GT_STRIDED, 0},
       {GT_SUM, GT_U32, GT_MODE_FAST, GT_CONTIGUOUS, 0}};
  int count = gt_gpu_count (NULL);

  CHECK (count > 0);
  for (int g = 0; g < count; g++)
    for (size_t i = 0; i < N_OF (problems); i++)
      for (size_t l = 0; l < N_OF (lengths); l++)
        {
          struct gt_open_gpu *gpu = gt_gpu_open (g, NULL);
          struct gt_problem p = problems[i];

          CHECK (gpu != NULL);
          p.n = lengths[l];
          check_gpu_problem (gpu, &p);
        }
}

/* How much is kept of a short and of a long vector.  */
SCENARIO (gpu_sizes)
{
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  const struct gt_device *device = gt_gpus->device_of (gpu);
  struct gt_problem p = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1};
  struct gt_space space;
  unsigned kept;

  CHECK (gt_space_init (&space, &p, device, gpu) == 0);
  /* One block is all that one element can use, and nothing is too small.  */
  for (unsigned i = 0; i < space.n; i++)
    CHECK (space.candidate[i].verdict == GT_PRUNED_LAUNCH
           || space.candidate[i].grid
                == (space.candidate[i].kernel->shape == GT_SHAPE_CLUSTER
                      ? GT_CLUSTER : 1));
  CHECK (gt_space_count (&space, GT_PRUNED_IN_FLIGHT) == 0);
  CHECK (gt_space_count (&space, GT_PRUNED_SAME) > 0);
  kept = gt_space_count (&space, GT_KEPT);
  gt_space_clear (&space);

  p.n = (uint64_t) 1 << 28;
  CHECK (gt_space_init (&space, &p, device, gpu) == 0);
  CHECK (gt_space_count (&space, GT_PRUNED_SAME) == 0);
  CHECK (gt_space_count (&space, GT_PRUNED_IN_FLIGHT) > 0);
  CHECK (gt_space_count (&space, GT_PRUNED_WAVES) > 0);
  CHECK (gt_space_count (&space, GT_KEPT) > kept);
  gt_space_clear (&space);
}

/* The ladder shows all of a rung, at all lengths: but what cannot be launched, or
   has no room for its scratch memory.  */
SCENARIO (rungs)
{
  static const char *const names[]
    = {"interleaved", "complete_in_place", "multilevel"};
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  const struct gt_device *device = gt_gpus->device_of (gpu);
  struct gt_problem p = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 0};
  struct gt_rung_launcher *launcher;
  struct gt_slot *slot;
  struct gt_space space;

  CHECK (gt_gpus->slot_acquire (gpu, SIZE_MAX, &slot) == 0);
  launcher = gt_rungs->open (gpu, slot, NULL);
  for (size_t i = 0; i < N_OF (names); i++)
    {
      const struct gt_ladder_kernel *rung = gt_ladder_find (names[i]);

      for (p.n = 1; p.n < (uint64_t) 1 << 30; p.n <<= 9)
        {
          CHECK (gt_space_init_rung (&space, &p, device, gpu, launcher, rung,
                                     UINT64_MAX) == 0);
          CHECK (space.n > 0);
          CHECK (gt_space_count (&space, GT_KEPT) == space.n);
          CHECK (&space.candidate[space.chosen_default]
                 == gt_space_model_choice (&space));
          gt_space_clear (&space);
        }
      p.n = (uint64_t) 1 << 27;
      CHECK (gt_space_init_rung (&space, &p, device, gpu, launcher, rung, 1000)
             == 0);
      for (unsigned c = 0; c < space.n; c++)
        CHECK (space.candidate[c].verdict == GT_PRUNED_UNAVAILABLE
               && strstr (space.candidate[c].why, "scratch memory"));
      gt_space_clear (&space);
      p.n = (uint64_t) 1 << 36;
      CHECK (gt_space_init_rung (&space, &p, device, gpu, launcher, rung,
                                 UINT64_MAX) == 0);
      for (unsigned c = 0; c < space.n; c++)
        CHECK ((space.candidate[c].verdict == GT_PRUNED_LAUNCH)
               == (space.candidate[c].grid == 0));
      gt_space_clear (&space);
    }
  gt_rungs->close (launcher);
  gt_gpus->slot_release (gpu, slot);
}

/* The tuner has nothing to do with them.  */
SCENARIO (no_rungs)
{
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  struct gt_problem p = {GT_SUM, GT_U32, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 22};
  struct gt_space space;

  CHECK (gt_space_init (&space, &p, gt_gpus->device_of (gpu), gpu) == 0);
  for (unsigned i = 0; i < space.n; i++)
    CHECK (space.candidate[i].kernel->shape != GT_SHAPE_RUNG);
  gt_space_clear (&space);
}

SCENARIO (no_answer)
{
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  struct gt_problem p = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1024};
  struct gt_space space;

  CHECK (gt_space_init (&space, &p, gt_gpus->device_of (gpu), gpu) == -1);
  CHECK (space.candidate == NULL && space.n == 0);
}

#ifdef HAVE_CUDA
TEST (gpu_spaces)
{
  static const char *const names[] = {"gtx-970", "v100", "a100", "rtx-4090",
                                      "h200", "h200-mig-3g", "gb10"};
  char devices[8192] = "SOFTGPU_DEVICE=", name[64];

  for (size_t i = 0; i < N_OF (names); i++)
    {
      snprintf (name, sizeof name, "tests/devices/%s.json", names[i]);
      strcat (devices, i ? ":" : "");
      strcat (devices, source_file (name));
    }
  EXPECT_SCENARIO ("every_gpu", "", devices);
}

TEST (one_gpu)
{
  EXPECT_SCENARIO ("gpu_sizes", "", h200);
  EXPECT_SCENARIO ("rungs", "", h200);
  EXPECT_SCENARIO ("no_rungs", "", h200);
  if (!on_real_gpu ())
    EXPECT_SCENARIO ("no_answer", "", h200,
                     "SOFTGPU_FAIL=cuLibraryGetKernel:*=500");
}
#endif

/* ------------------------------------------------------------ Small parts */

TEST (texts)
{
  static const struct
  {
    const char *kernel;
    struct gt_config config;
    const char *text;
  } cases[] = {{"sequential", {1, 0, 1, 0}, "sequential"},
               {"simd", {1, 0, 8, 0}, "simd u8, 1 thread"},
               {"simd", {16, 0, 1, 0}, "simd u1, 16 threads"},
               {"grid_stride", {1, 512, 2, 4}, "grid_stride 512 u2 4/SM"}};
  const struct gt_config rung = {1, 32, 1, 0};

  for (size_t i = 0; i < N_OF (cases); i++)
    assert_string_equal (gt_config_text (sum_kernel (cases[i].kernel),
                                         &cases[i].config), cases[i].text);
  assert_string_equal (gt_config_text (gt_ladder_find ("interleaved")->kernel,
                                       &rung), "interleaved 32");
  for (int v = 0; v < GT_N_VERDICTS; v++)
    assert_non_null (gt_verdict_text[v]);
}

RUN_SCENARIOS (NULL, NULL)
