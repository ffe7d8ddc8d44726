/* Tests of tuning/measure/occupancy.c: cases worked by hand, properties, and tens of
   thousands of combinations against NVIDIA's own calculator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>

#include "tests/device_record.h"
#include "tests/unit.h"

#include "src/device/device.h"
#include "tuning/measure/occupancy.h"

#ifdef HAVE_CUDA
#include <cuda_occupancy.h>
#endif

static struct gt_sm_limits
limits_of (int major, int minor)
{
  struct gt_sm_limits limits;

  assert_int_equal (gt_sm_limits_for_cc (major, minor, &limits), 0);
  return limits;
}

static struct gt_occupancy
occupancy_of (const struct gt_sm_limits *limits, int registers, size_t shared, int block)
{
  const struct gt_occupancy_request request = {registers, shared, block};
  struct gt_occupancy result;

  gt_occupancy_compute (limits, &request, &result);
  return result;
}

/* Calls VISIT for every known compute capability.  */
static void
for_each_cc (void (*visit) (const struct gt_sm_limits *limits))
{
  struct gt_sm_limits known;

  for (size_t i = 0; gt_sm_limits_known (i, &known) == 0; i++)
    {
      const struct gt_sm_limits limits
        = limits_of (known.cc_major, known.cc_minor);

      assert_int_equal (limits.cc_major, known.cc_major);
      assert_int_equal (limits.cc_minor, known.cc_minor);
      visit (&limits);
    }
}

/* ------------------------------------------------------- Cases by hand */

struct by_hand
{
  int major, minor, registers;
  size_t shared;
  int block, blocks;
  enum gt_limiter limiter;
};

/* A case in all its steps is in test_occupancy_cmd.sh.  */
static const struct by_hand cases[] = {
  /* Granularity 2 on GP100, 4 elsewhere: 65,536 / 1,280 = 51.2.  */
  {6, 0, 40, 0, 64, 25, GT_LIMITED_BY_REGISTERS},
  {6, 1, 40, 0, 64, 24, GT_LIMITED_BY_REGISTERS},
  {9, 0, 32, 0, 256, 8, GT_LIMITED_BY_THREADS},
  {9, 0, 16, 0, 32, 32, GT_LIMITED_BY_BLOCKS},
  {8, 6, 16, 0, 32, 16, GT_LIMITED_BY_BLOCKS},
  /* 233,472 / (49,152 + 1,024) = 4.65.  */
  {9, 0, 32, 49152, 128, 4, GT_LIMITED_BY_SHARED},
  {9, 0, 32, 232448, 128, 1, GT_LIMITED_BY_SHARED},
  {9, 0, 32, 232449, 128, 0, GT_CANNOT_LAUNCH},
  /* No part is reserved before 8.0: two blocks of 48 KiB in 96.  */
  {7, 0, 32, 49152, 128, 2, GT_LIMITED_BY_SHARED},
  /* 163 KiB, the most a block of 8.0 gets, is 164 with the reserved part.  */
  {8, 0, 32, 166912, 128, 1, GT_LIMITED_BY_SHARED},
  /* A block may have half of the SM's registers.  */
  {5, 3, 64, 0, 512, 2, GT_LIMITED_BY_REGISTERS},
  {5, 3, 64, 0, 544, 0, GT_CANNOT_LAUNCH},
  {9, 0, 255, 0, 256, 1, GT_LIMITED_BY_REGISTERS},
  {9, 0, 255, 0, 288, 0, GT_CANNOT_LAUNCH},
  /* 1,536 threads per SM do not hold two blocks of 1,024.  */
  {8, 9, 32, 0, 1024, 1, GT_LIMITED_BY_THREADS},
  {12, 1, 0, 0, 512, 3, GT_LIMITED_BY_THREADS},
  {11, 0, 16, 0, 1, 24, GT_LIMITED_BY_BLOCKS},
  {9, 0, 32, 0, 33, 32, GT_LIMITED_BY_THREADS},
};

TEST (test_by_hand)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      const struct by_hand *c = &cases[i];
      struct gt_sm_limits limits = limits_of (c->major, c->minor);
      struct gt_occupancy o
        = occupancy_of (&limits, c->registers, c->shared, c->block);

      if (o.active_blocks != c->blocks || o.limiter != c->limiter)
        fail_msg ("%d.%d, %d registers, %zu bytes, block %d: %d blocks, "
                  "limited by %s; expected %d, %s",
                  c->major, c->minor, c->registers, c->shared, c->block,
                  o.active_blocks, gt_limiter_name (o.limiter), c->blocks,
                  gt_limiter_name (c->limiter));
      assert_int_equal (o.why == NULL, c->limiter != GT_CANNOT_LAUNCH);
    }
}

TEST (test_refused)
{
  struct gt_sm_limits limits = limits_of (9, 0);
  static const struct gt_occupancy_request bad[] = {
    {32, 0, 0},   {32, 0, -1},  {32, 0, INT_MIN},       {32, 0, 1025},
    {256, 0, 32}, {-1, 0, 32},  {INT_MAX, 0, INT_MAX},  {32, SIZE_MAX, 32},
  };

  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      struct gt_occupancy o;

      gt_occupancy_compute (&limits, &bad[i], &o);
      assert_int_equal (o.limiter, GT_CANNOT_LAUNCH);
      assert_int_equal (o.active_blocks, 0);
      assert_int_equal (o.active_warps, 0);
      assert_true (o.occupancy == 0.0);
      assert_non_null (o.why);
    }
}

static void
check_row (const struct gt_sm_limits *limits)
{
  struct gt_occupancy none = occupancy_of (limits, 0, 0, 32);

  assert_int_equal (none.blocks_by_registers, INT_MAX);
  assert_int_equal (none.blocks_by_shared == INT_MAX, limits->shared_reserved_per_block == 0);
  assert_true (limits->shared_per_block_optin >= limits->shared_per_block);
  assert_true (limits->shared_per_block_optin + limits->shared_reserved_per_block
               <= limits->shared_per_sm);
  /* More of anything never raises the number of blocks.  */
  for (int block = 32; block <= 1024; block += 32)
    for (int registers = 1; registers < 255; registers++)
      {
        struct gt_occupancy less = occupancy_of (limits, registers, 0, block);
        struct gt_occupancy more
          = occupancy_of (limits, registers + 1, 4096, block);

        assert_true (more.active_blocks <= less.active_blocks);
        assert_true (less.active_warps <= less.max_warps);
      }
}

TEST (test_rows)
{
  for_each_cc (check_row);
}

static void
assert_same_limits (const struct gt_sm_limits *a, const struct gt_sm_limits *b)
{
#define SAME(field) assert_int_equal (a->field, b->field)
  SAME (cc_major);
  SAME (cc_minor);
  SAME (warp_size);
  SAME (max_threads_per_block);
  SAME (max_threads_per_sm);
  SAME (max_blocks_per_sm);
  SAME (registers_per_sm);
  SAME (registers_per_block);
  SAME (max_registers_per_thread);
  SAME (register_allocation_unit);
  SAME (warp_allocation_granularity);
  SAME (shared_per_sm);
  SAME (shared_per_block);
  SAME (shared_per_block_optin);
  SAME (shared_reserved_per_block);
  SAME (shared_allocation_unit);
#undef SAME
}

TEST (test_complete)
{
  static const struct
  {
    int major, minor, like_major, like_minor;
  } nearest[] = {{3, 5, 5, 0}, {6, 0, 6, 0},   {6, 3, 6, 2},
                 {9, 9, 9, 0}, {13, 0, 12, 1}, {12, 1, 12, 1}};

  for (size_t i = 0; i < sizeof nearest / sizeof *nearest; i++)
    {
      struct gt_sm_limits limits = {.cc_major = nearest[i].major,
                                    .cc_minor = nearest[i].minor,
                                    .max_blocks_per_sm = 7};
      struct gt_sm_limits like
        = limits_of (nearest[i].like_major, nearest[i].like_minor);

      gt_sm_limits_complete (&limits);
      like.cc_major = nearest[i].major;
      like.cc_minor = nearest[i].minor;
      like.max_blocks_per_sm = 7; /* what the device reports stays */
      assert_same_limits (&limits, &like);
    }
}

/* ------------------------------------------------------ NVIDIA's answer */

#ifdef HAVE_CUDA

static unsigned long compared;

static cudaOccDeviceProp
properties_of (const struct gt_sm_limits *limits)
{
  cudaOccDeviceProp p;

  memset (&p, 0, sizeof p);
  p.computeMajor = limits->cc_major;
  p.computeMinor = limits->cc_minor;
  p.maxThreadsPerBlock = limits->max_threads_per_block;
  p.maxThreadsPerMultiprocessor = limits->max_threads_per_sm;
  p.regsPerBlock = limits->registers_per_block;
  p.regsPerMultiprocessor = limits->registers_per_sm;
  p.warpSize = limits->warp_size;
  p.sharedMemPerBlock = limits->shared_per_block;
  p.sharedMemPerMultiprocessor = limits->shared_per_sm;
  p.numSms = 1;
  p.sharedMemPerBlockOptin = limits->shared_per_block_optin;
  p.reservedSharedMemPerBlock = limits->shared_reserved_per_block;
  return p;
}

/* Among its limits, "virtual resources" and barriers do not concern us.  */
static void
compare (const struct gt_sm_limits *limits, const cudaOccDeviceProp *p,
         int registers, size_t shared, int block)
{
  cudaOccDeviceState state = {CACHE_PREFER_NONE, SHAREDMEM_CARVEOUT_DEFAULT};
  cudaOccFuncAttributes a;
  cudaOccResult r;
  struct gt_occupancy o = occupancy_of (limits, registers, shared, block);

  memset (&a, 0, sizeof a);
  a.maxThreadsPerBlock = INT_MAX;
  a.numRegs = registers;
  a.partitionedGCConfig = PARTITIONED_GC_OFF;
  a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  a.maxDynamicSharedSizeBytes = limits->shared_per_block_optin;
  a.numBlockBarriers = 1;
  memset (&r, 0, sizeof r);
  assert_int_equal (cudaOccMaxActiveBlocksPerMultiprocessor (&r, p, &a, &state, block, shared),
                    CUDA_OCC_SUCCESS);
  compared++;
  if (o.active_blocks != r.activeBlocksPerMultiprocessor
      || o.blocks_by_registers != r.blockLimitRegs || o.blocks_by_threads != r.blockLimitWarps
      || o.blocks_by_blocks != r.blockLimitBlocks
      || (o.blocks_by_shared != r.blockLimitSharedMem) || (o.blocks_by_shared != 0
          && o.shared_allocated != r.allocatedSharedMemPerBlock))
    fail_msg ("%d.%d, %d registers, %zu bytes, block %d: ours %d blocks "
              "(registers %d, shared %d of %zu bytes, threads %d, blocks %d), "
              "NVIDIA's %d (%d, %d of %zu, %d, %d)",
              limits->cc_major, limits->cc_minor, registers, shared, block,
              o.active_blocks, o.blocks_by_registers, o.blocks_by_shared,
              o.shared_allocated, o.blocks_by_threads, o.blocks_by_blocks,
              r.activeBlocksPerMultiprocessor, r.blockLimitRegs,
              r.blockLimitSharedMem, r.allocatedSharedMemPerBlock,
              r.blockLimitWarps, r.blockLimitBlocks);
}

static void
compare_device (const struct gt_sm_limits *limits)
{
  cudaOccDeviceProp p = properties_of (limits);
  static const size_t shared[] = {0, 1, 127, 128, 129, 1024, 4096, 12345,
                                  32768, 48128, 49152, 49153, 65536, 98304,
                                  101376, 101377, 166912, 232448, 232449};
  static const int odd_blocks[] = {1, 31, 33, 95, 100, 1000, 1023};

  for (int registers = 0; registers <= 255; registers++)
    for (int block = 32; block <= 1024; block += 32)
      compare (limits, &p, registers, 0, block);
  for (size_t s = 0; s < sizeof shared / sizeof *shared; s++)
    for (int registers = 0; registers <= 255; registers += 15)
      {
        for (int block = 32; block <= 1024; block += 96)
          compare (limits, &p, registers, shared[s], block);
        for (size_t b = 0; b < sizeof odd_blocks / sizeof *odd_blocks; b++)
          compare (limits, &p, registers, shared[s], odd_blocks[b]);
      }
}

TEST (test_oracle_every_cc)
{
  compared = 0;
  for_each_cc (compare_device);
  assert_true (compared > 100000);
}

#endif

/* ------------------------------------------------------ Recorded devices */

/* The record's units and limits are those of its compute capability.  */
static void
check_recorded (const struct gt_device *device)
{
  struct gt_sm_limits limits;

  if (device->kind != GT_CUDA)
    return;
  limits = limits_of (device->gpu.sm.cc_major, device->gpu.sm.cc_minor);
  assert_same_limits (&limits, &device->gpu.sm);
}

static int
for_each_record (void (*visit) (const struct gt_device *device))
{
  const char *srcdir = getenv ("srcdir");
  char folder[1024], path[2048];
  struct dirent *file;
  int seen = 0;
  DIR *dir;

  snprintf (folder, sizeof folder, "%s/tests/devices", srcdir != NULL ? srcdir : ".");
  dir = opendir (folder);
  if (dir == NULL)
    fail_msg ("cannot open %s", folder);
  while ((file = readdir (dir)) != NULL)
    if (strstr (file->d_name, ".json") != NULL)
      {
        struct gt_device device;
        const char *wrong;

        snprintf (path, sizeof path, "%s/%s", folder, file->d_name);
        wrong = gt_device_read (path, &device);
        if (wrong)
          fail_msg ("%s: %s", path, wrong);
        visit (&device);
        seen++;
      }
  closedir (dir);
  return seen;
}

TEST (test_recorded_devices)
{
  assert_true (for_each_record (check_recorded) >= 8);
}

RUN_TESTS (NULL, NULL)
