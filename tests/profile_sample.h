/* Made-up devices and profiles, for the tests of profiles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_SAMPLE_H
#define GT_PROFILE_SAMPLE_H

#include "src/profile/profile_private.h"
#include "tests/own_folder.h"
#include "tests/sums.h"
#include "tuning/store/profile_store.h"

/* How much there is in what sample_profile makes.  */
enum
{
  SAMPLE_ENTRIES = 4,
  SAMPLE_CROSSOVERS = 5,
  SAMPLE_STEPS = 3
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

static inline struct gt_entry
sample_entry (const char *kernel, enum gt_arithmetic arithmetic,
              enum gt_mode mode, enum gt_layout layout, uint64_t n,
              struct gt_config config)
{
  struct gt_entry entry = {
    .problem = {GT_SUM, arithmetic, mode, layout, n},
    .kernel = sum_kernel (kernel),
    .config = config,
    .effort = GT_EFFORT_NORMAL,
    .candidates = 41,
    .pruned = 7,
    .failed = 1,
    .seconds = 12.5e-6,
    .spread = 0.0125,
    .default_seconds = 25e-6,
    .gsl_seconds = 100e-6,
    .one_reads = 11e-6,
    .all_read = 7e-6,
    .occupancy_predicted = -1,
  };
  if (entry.kernel && entry.kernel->device == GT_CUDA)
    {
      entry.gsl_seconds = entry.one_reads = entry.all_read = 0;
      entry.occupancy_predicted = 1;
    }
  return entry;
}

static inline void
put_sample_crossovers (struct gt_profile *profile)
{
  static const struct gt_crossover crossovers[SAMPLE_CROSSOVERS] = {
    {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 0}, GT_PLACE_HOST,
     SAMPLE_GPU_SILICON, {GT_WAY_CPU, 0, 0, 0}, 0, 0},
    {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 22}, GT_PLACE_HOST,
     SAMPLE_GPU_SILICON, {GT_WAY_STAGED, 100, 2, 1024}, 1e-3, 2e-3},
    {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 0}, GT_PLACE_PINNED,
     SAMPLE_GPU_SILICON, {GT_WAY_DIRECT, 100, 0, 0}, 0, 0},
    {{GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 20}, GT_PLACE_PINNED,
     SAMPLE_GPU_SILICON, {GT_WAY_COPY, 25, 0, 4096}, 1.5e-3, 2e-3},
    {{GT_SUM, GT_F32, GT_MODE_COMPENSATED, GT_CONTIGUOUS, 0}, GT_PLACE_MANAGED,
     SAMPLE_GPU_SILICON, {GT_WAY_CPU, 0, 0, 0}, 0, 0},
  };

  for (unsigned i = 0; i < SAMPLE_CROSSOVERS; i++)
    gt_profile_put_crossover (profile, &crossovers[i]);
}

static inline void
put_sample_steps (struct gt_profile *profile)
{
  static const struct gt_step steps[SAMPLE_STEPS] = {
    {"dgemm NN square", 0, GT_STEP_GSL, 1, 1e-8, 1e-8},
    {"dgemm NN square", 4096, "OpenBLAS 0.3.21", 1, 2e-6, 5e-6},
    {"dgemm NN square", 1 << 24, "OpenBLAS 0.3.21", 4, 1e-3, 0},
  };

  for (unsigned i = 0; i < SAMPLE_STEPS; i++)
    gt_profile_put_step (profile, &steps[i]);
}

/* Entries in the order in which they are kept: for the host 0 and 1 simd, 2
   sequential, 3 simd; for the GPU grid_stride.  */
static inline void
sample_profile (const struct gt_device *device, struct gt_profile *profile)
{
  int gpu = device->kind == GT_CUDA;
  struct gt_config simd = {4, 0, 8, 0}, plain = {1, 0, 1, 0};
  struct gt_config grid = {1, 96, 4, 2}, few = {1, 256, 4, 1};
  const struct gt_entry entries[SAMPLE_ENTRIES] = {
    sample_entry (gpu ? "grid_stride" : "simd", GT_F64, GT_MODE_FAST,
                  GT_CONTIGUOUS, 1024, gpu ? grid : simd),
    sample_entry (gpu ? "grid_stride" : "simd", GT_F64, GT_MODE_COMPENSATED,
                  GT_STRIDED, 1 << 20, gpu ? grid : simd),
    sample_entry (gpu ? "grid_stride" : "sequential", GT_F32, GT_MODE_FAST,
                  GT_STRIDED, 1 << 20, gpu ? few : plain),
    sample_entry (gpu ? "grid_stride" : "simd", GT_U32, GT_MODE_FAST,
                  GT_CONTIGUOUS, GT_PROFILE_MAX_N, gpu ? few : simd),
  };

  gt_profile_init (profile, device);
  strcpy (profile->created, "2026-01-02T03:04:05Z");
  for (unsigned i = 0; i < SAMPLE_ENTRIES; i++)
    gt_profile_put (profile, &entries[i]);
  if (!gpu)
    {
      put_sample_crossovers (profile);
      put_sample_steps (profile);
    }
}

#endif
