/* Made-up devices and profiles, for the tests of profiles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_SAMPLE_H
#define GT_PROFILE_SAMPLE_H

#include "src/base/names.h"
#include "src/profile/profile_private.h"
#include "src/profile/step_kind.h"
#include "tests/own_folder.h"
#include "tests/sums.h"
#include "tuning/store/findings.h"
#include "tuning/store/profile_store.h"

/* How many steps there are in what sample_profile makes: of reductions, and of a host also routes
   and calls.  */
enum
{
  SAMPLE_WINNERS = 4,
  SAMPLE_ROUTES = 5,
  SAMPLE_CALLS = 3,
  SAMPLE_STEPS = SAMPLE_WINNERS + SAMPLE_ROUTES + SAMPLE_CALLS
};

#define SAMPLE_GPU_SILICON "cuda-9.0-132sm-140gib-l2-60mib"

static inline struct gt_device
sample_host (void)
{
  struct gt_device device = {.kind = GT_CPU};
  strcpy (device.host.model, "Example 9000");
  strcpy (device.host.isa, "sse2 avx2");
  device.host.packages = 1;
  device.host.cores = device.host.threads = 8;
  device.host.l1d = 32 << 10;
  device.host.l2 = 1 << 20;
  device.host.l3 = 32 << 20;
  device.host.l3_instances = 1;
  device.host.memory = (size_t) 16 << 30;
  return device;
}

static inline struct gt_device
sample_gpu (void)
{
  struct gt_device device = {.kind = GT_CUDA};
  strcpy (device.gpu.name, "Example H");
  device.gpu.driver_version = 13000;
  device.gpu.sms = 132;
  gt_sm_limits_for_cc (9, 0, &device.gpu.sm);
  device.gpu.l2 = 60 << 20;
  device.gpu.memory = (size_t) 140 << 30;
  return device;
}

static inline struct gt_winner
sample_winner (const char *kernel, enum gt_arithmetic arithmetic,
               enum gt_mode mode, enum gt_layout layout, uint64_t n,
               struct gt_config config)
{
  struct gt_winner winner = {
    .problem = {GT_SUM, arithmetic, mode, layout, n},
    .kernel = sum_kernel (kernel),
    .config = config,
    .measured = {.effort = GT_EFFORT_NORMAL,
                 .candidates = 41,
                 .pruned = 7,
                 .failed = 1,
                 .seconds = 12.5e-6,
                 .default_seconds = 25e-6,
                 .gsl_seconds = 100e-6,
                 .next = "some_kernel 32 u4 16/SM, 2 threads",
                 .next_seconds = 13e-6}
  };
  if (winner.kernel && winner.kernel->device == GT_CUDA)
    winner.measured.gsl_seconds = 0;
  return winner;
}

/* Puts ROUTE of PROBLEM from its length on into FINDINGS.  */
static inline int
put_route (struct gt_profile *findings, const struct gt_problem *problem, enum gt_place place,
           const char *device, struct gt_route route)
{
  char kind[GT_STEP_KIND_SIZE];
  const struct gt_step step = {.kind = kind, .way = gt_way_names[route.way], .from = problem->n,
                               .config = {route.threads ? route.threads : 1, 0, 1, 0},
                               .percent = route.percent, .chunk_kib = route.chunk_kib};
  const struct gt_measured measured = {.seconds = 1e-3, .cpu_seconds = 2e-3};

  gt_step_kind_of_route (problem, place, device, kind);
  return gt_profile_put (findings, &step, &measured);
}

static inline void
put_sample_routes (struct gt_profile *findings)
{
  static const struct
  {
    struct gt_problem problem;
    enum gt_place place;
    struct gt_route route;
  } routes[SAMPLE_ROUTES] = {
    {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 0}, GT_PLACE_HOST, {GT_WAY_CPU, 0, 0, 0}},
    {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 22}, GT_PLACE_HOST,
     {GT_WAY_STAGED, 100, 2, 1024}},
    {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 0}, GT_PLACE_PINNED,
     {GT_WAY_DIRECT, 100, 0, 0}},
    {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 20}, GT_PLACE_PINNED,
     {GT_WAY_COPY, 25, 0, 4096}},
    {{GT_SUM, GT_F32, GT_MODE_EXACT, GT_CONTIGUOUS, 0}, GT_PLACE_MANAGED,
     {GT_WAY_CPU, 0, 0, 0}},
  };

  for (unsigned i = 0; i < SAMPLE_ROUTES; i++)
    put_route (findings, &routes[i].problem, routes[i].place, SAMPLE_GPU_SILICON,
               routes[i].route);
}

/* Puts the step of a call that is no reduction's.  */
static inline int
put_call (struct gt_profile *findings, const char *kind, uint64_t from, const char *way,
          unsigned threads)
{
  return gt_profile_put (findings,
                         &(struct gt_step) {.kind = kind, .way = way, .from = from,
                                            .config = {threads, 0, 1, 0}},
                         &(struct gt_measured) {.seconds = 2e-6, .gsl_seconds = 5e-6});
}

static inline void
put_sample_calls (struct gt_profile *findings)
{
  put_call (findings, "dgemm NN square", 0, GT_STEP_GSL, 1);
  put_call (findings, "dgemm NN square", 4096, "OpenBLAS 0.3.21", 1);
  put_call (findings, "dgemm NN square", 1 << 24, "OpenBLAS 0.3.21", 4);
}

/* Makes PROFILE one of findings.  Its steps are in the order in which they are kept: of the
   host calls, then a sequential sum, routes, and sums by simd; of the GPU by grid_stride.  */
static inline void
sample_findings (const struct gt_device *device, struct gt_profile *profile)
{
  int gpu = device->kind == GT_CUDA;
  struct gt_config simd = {4, 0, 8, 0}, plain = {1, 0, 1, 0};
  struct gt_config grid = {1, 96, 4, 2}, few = {1, 256, 4, 1};
  const struct gt_winner winners[SAMPLE_WINNERS] = {
    sample_winner (gpu ? "grid_stride" : "simd", GT_F64, GT_MODE_FAST,
                   GT_CONTIGUOUS, 1024, gpu ? grid : simd),
    sample_winner (gpu ? "grid_stride" : "simd", GT_F64, GT_MODE_FAST,
                   GT_STRIDED, 1 << 20, gpu ? grid : simd),
    sample_winner (gpu ? "grid_stride" : "sequential", GT_F32, GT_MODE_FAST,
                   GT_STRIDED, 1 << 20, gpu ? few : plain),
    sample_winner (gpu ? "grid_stride" : "simd", GT_U32, GT_MODE_FAST,
                   GT_CONTIGUOUS, (uint64_t) 1 << 48, gpu ? few : simd),
  };

  gt_profile_init (profile, device);
  strcpy (profile->created, "2026-01-02T03:04:05Z");
  for (unsigned i = 0; i < SAMPLE_WINNERS; i++)
    gt_findings_put (profile, &winners[i]);
  if (!gpu)
    {
      put_sample_routes (profile);
      put_sample_calls (profile);
    }
}

/* Makes PROFILE the same steps without figures.  */
static inline void
sample_profile (const struct gt_device *device, struct gt_profile *profile)
{
  sample_findings (device, profile);
  gt_profile_drop_figures (profile);
}

#endif
