/* The resources of an SM, by compute capability.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/device/sm_limits.h"

#define KI 1024

/* From the CUDA C++ Programming Guide, technical specifications per compute capability.  The
   oldest rows are from the guide of CUDA 12.  8.8 is in no guide; it equals 8.6 in all members
   that matter here.  Limits that are equal for all follow below.  */
static const struct
{
  int major, minor;
  int threads, blocks;    /* per SM */
  int registers;          /* Ki per block */
  int shared, optin;      /* KiB of shared memory per SM, and the most of a block that opts
                             in */
  int reserved, unit;     /* bytes per block, and allocated at once */
  int granularity;        /* warps allocated at once */
} rows[] = {
  {5, 0, 2048, 32, 64, 64, 48, 0, 256, 4},
  {5, 2, 2048, 32, 64, 96, 48, 0, 256, 4},
  {5, 3, 2048, 32, 32, 64, 48, 0, 256, 4},
  {6, 0, 2048, 32, 64, 64, 48, 0, 256, 2},
  {6, 1, 2048, 32, 64, 96, 48, 0, 256, 4},
  {6, 2, 2048, 32, 32, 64, 48, 0, 256, 4},
  {7, 0, 2048, 32, 64, 96, 96, 0, 256, 4},
  {7, 2, 2048, 32, 64, 96, 96, 0, 256, 4},
  {7, 5, 1024, 16, 64, 64, 64, 0, 256, 4},
  {8, 0, 2048, 32, 64, 164, 163, 1024, 128, 4},
  {8, 6, 1536, 16, 64, 100, 99, 1024, 128, 4},
  {8, 7, 1536, 16, 64, 164, 163, 1024, 128, 4},
  {8, 8, 1536, 16, 64, 100, 99, 1024, 128, 4},
  {8, 9, 1536, 24, 64, 100, 99, 1024, 128, 4},
  {9, 0, 2048, 32, 64, 228, 227, 1024, 128, 4},
  {10, 0, 2048, 32, 64, 228, 227, 1024, 128, 4},
  {10, 3, 2048, 32, 64, 228, 227, 1024, 128, 4},
  {11, 0, 1536, 24, 64, 228, 227, 1024, 128, 4},
  {12, 0, 1536, 24, 64, 100, 99, 1024, 128, 4},
  {12, 1, 1536, 24, 64, 100, 99, 1024, 128, 4},
};
#define N_ROWS (sizeof rows / sizeof *rows)

int
gt_sm_limits_known (size_t i, struct gt_sm_limits *limits)
{
  if (i >= N_ROWS)
    return -1;
  *limits = (struct gt_sm_limits) {
    .cc_major = rows[i].major,
    .cc_minor = rows[i].minor,
    .warp_size = 32,
    .max_threads_per_block = 1024,
    .max_threads_per_sm = rows[i].threads,
    .max_blocks_per_sm = rows[i].blocks,
    .registers_per_sm = 64 * KI,
    .registers_per_block = rows[i].registers * KI,
    .max_registers_per_thread = 255,
    .register_allocation_unit = 256,
    .warp_allocation_granularity = rows[i].granularity,
    .shared_per_sm = (size_t) rows[i].shared * KI,
    .shared_per_block = (size_t) 48 * KI,
    .shared_per_block_optin = (size_t) rows[i].optin * KI,
    .shared_reserved_per_block = (size_t) rows[i].reserved,
    .shared_allocation_unit = (size_t) rows[i].unit,
  };
  return 0;
}

int
gt_sm_limits_for_cc (int major, int minor, struct gt_sm_limits *limits)
{
  for (size_t i = 0; i < N_ROWS; i++)
    if (rows[i].major == major && rows[i].minor == minor)
      return gt_sm_limits_known (i, limits);
  return -1;
}

/* Uses the newest row that is not newer than the device, or the oldest row if there is
   none.  */
void
gt_sm_limits_complete (struct gt_sm_limits *limits)
{
  const int major = limits->cc_major, minor = limits->cc_minor;
  struct gt_sm_limits known;
  size_t newest = 0;

  for (size_t i = 0; i < N_ROWS; i++)
    if (rows[i].major < major
        || (rows[i].major == major && rows[i].minor <= minor))
      newest = i;
  gt_sm_limits_known (newest, &known);
#define FILL(field)                \
  if (limits->field == 0)          \
    limits->field = known.field
  FILL (warp_size);
  FILL (max_threads_per_block);
  FILL (max_threads_per_sm);
  FILL (max_blocks_per_sm);
  FILL (registers_per_sm);
  FILL (registers_per_block);
  FILL (max_registers_per_thread);
  FILL (register_allocation_unit);
  FILL (warp_allocation_granularity);
  FILL (shared_per_sm);
  FILL (shared_per_block);
  FILL (shared_per_block_optin);
  FILL (shared_reserved_per_block);
  FILL (shared_allocation_unit);
#undef FILL
}
