/* What the SMs of each compute capability offer.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/device/sm_limits.h"

#define KI 1024

/* CUDA C++ Programming Guide, technical specifications per compute capability.
   What is the same for all of them stands below.  The
   oldest rows are from the guide of CUDA 12; 8.8, which no guide lists, is
   8.6 in all that matters here.

   X(major, minor, threads per SM, blocks per SM, Ki registers per block,
     KiB of shared memory per SM, KiB a block can opt in to,
     bytes reserved per block, allocation unit of shared memory in bytes,
     warp allocation granularity)  */
#define COMPUTE_CAPABILITIES(X)                     \
  X (5, 0, 2048, 32, 64, 64, 48, 0, 256, 4)         \
  X (5, 2, 2048, 32, 64, 96, 48, 0, 256, 4)         \
  X (5, 3, 2048, 32, 32, 64, 48, 0, 256, 4)         \
  X (6, 0, 2048, 32, 64, 64, 48, 0, 256, 2)         \
  X (6, 1, 2048, 32, 64, 96, 48, 0, 256, 4)         \
  X (6, 2, 2048, 32, 32, 64, 48, 0, 256, 4)         \
  X (7, 0, 2048, 32, 64, 96, 96, 0, 256, 4)         \
  X (7, 2, 2048, 32, 64, 96, 96, 0, 256, 4)         \
  X (7, 5, 1024, 16, 64, 64, 64, 0, 256, 4)         \
  X (8, 0, 2048, 32, 64, 164, 163, 1024, 128, 4)    \
  X (8, 6, 1536, 16, 64, 100, 99, 1024, 128, 4)     \
  X (8, 7, 1536, 16, 64, 164, 163, 1024, 128, 4)    \
  X (8, 8, 1536, 16, 64, 100, 99, 1024, 128, 4)     \
  X (8, 9, 1536, 24, 64, 100, 99, 1024, 128, 4)     \
  X (9, 0, 2048, 32, 64, 228, 227, 1024, 128, 4)    \
  X (10, 0, 2048, 32, 64, 228, 227, 1024, 128, 4)   \
  X (10, 3, 2048, 32, 64, 228, 227, 1024, 128, 4)   \
  X (11, 0, 1536, 24, 64, 228, 227, 1024, 128, 4)   \
  X (12, 0, 1536, 24, 64, 100, 99, 1024, 128, 4)    \
  X (12, 1, 1536, 24, 64, 100, 99, 1024, 128, 4)

static const struct gt_sm_limits rows[] = {
#define X(major, minor, threads, blocks, registers, shared, optin, reserved,  \
          unit, granularity)                                                  \
  {                                                                           \
    .cc_major = major,                                                        \
    .cc_minor = minor,                                                        \
    .warp_size = 32,                                                          \
    .max_threads_per_block = 1024,                                            \
    .max_threads_per_sm = threads,                                            \
    .max_blocks_per_sm = blocks,                                              \
    .registers_per_sm = 64 * KI,                                              \
    .registers_per_block = registers * KI,                                    \
    .max_registers_per_thread = 255,                                          \
    .register_allocation_unit = 256,                                          \
    .warp_allocation_granularity = granularity,                               \
    .shared_per_sm = (size_t) shared * KI,                                    \
    .shared_per_block = (size_t) 48 * KI,                                     \
    .shared_per_block_optin = (size_t) optin * KI,                            \
    .shared_reserved_per_block = reserved,                                    \
    .shared_allocation_unit = unit,                                           \
  },
  COMPUTE_CAPABILITIES (X)
#undef X
};
#define N_ROWS (sizeof rows / sizeof *rows)

const char *const *
gt_known_compute_capabilities (void)
{
  static const char *const names[] = {
#define X(major, minor, ...) #major "." #minor,
    COMPUTE_CAPABILITIES (X)
#undef X
    NULL
  };
  return names;
}

int
gt_sm_limits_for_cc (int major, int minor, struct gt_sm_limits *limits)
{
  for (size_t i = 0; i < N_ROWS; i++)
    if (rows[i].cc_major == major && rows[i].cc_minor == minor)
      {
        *limits = rows[i];
        return 0;
      }
  return -1;
}

/* From the newest row that is not newer, else the oldest one.  */
void
gt_sm_limits_complete (struct gt_sm_limits *limits)
{
  const int major = limits->cc_major, minor = limits->cc_minor;
  const struct gt_sm_limits *known = rows;

  for (size_t i = 0; i < N_ROWS; i++)
    if (rows[i].cc_major < major
        || (rows[i].cc_major == major && rows[i].cc_minor <= minor))
      known = &rows[i];
#define FILL(field)                \
  if (limits->field == 0)          \
    limits->field = known->field
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
