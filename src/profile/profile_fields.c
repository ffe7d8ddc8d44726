/* The members of an entry that are numbers: one table of them for reading and
   writing.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/profile/profile_private.h"

/* Kernels are written for at most this many threads in a block.  */
#define MAX_BLOCK 1024
/* Times are below a week, in nanoseconds; spreads are relative.  */
#define MAX_NANOSECONDS 6e14
#define MAX_SPREAD 1e6

/* A device's limit; one that is not known allows nothing.  */
static unsigned
limit (int value)
{
  return value > 0 ? (unsigned) value : 0;
}

static unsigned
max_threads (const struct gt_device *device)
{
  return device->kind == GT_CPU ? limit (device->host.threads) : 0;
}

static unsigned
max_block (const struct gt_device *device)
{
  unsigned block = device->kind == GT_CUDA
                     ? limit (device->gpu.sm.max_threads_per_block)
                     : 0;

  return block < MAX_BLOCK ? block : MAX_BLOCK;
}

static unsigned
max_unroll (const struct gt_device *device)
{
  (void) device;
  return GT_UNROLL (GT_N_UNROLLS - 1);
}

static unsigned
max_blocks_per_sm (const struct gt_device *device)
{
  return device->kind == GT_CUDA
           ? limit (device->gpu.sm.max_blocks_per_sm)
           : 0;
}

const struct gt_profile_tunable gt_profile_tunables[GT_N_TUNABLES] = {
  {"threads", GT_TUNE_THREADS, 1, offsetof (struct gt_entry, config.threads),
   max_threads},
  {"block", GT_TUNE_BLOCK, 0, offsetof (struct gt_entry, config.block),
   max_block},
  {"unroll", GT_TUNE_UNROLL, 1, offsetof (struct gt_entry, config.unroll),
   max_unroll},
  {"blocks_per_sm", GT_TUNE_GRID, 0,
   offsetof (struct gt_entry, config.blocks_per_sm), max_blocks_per_sm},
};

const struct gt_profile_counter gt_profile_counters[GT_N_COUNTERS] = {
  {"candidates", offsetof (struct gt_entry, candidates)},
  {"pruned", offsetof (struct gt_entry, pruned)},
  {"failed", offsetof (struct gt_entry, failed)},
};

const struct gt_profile_measure gt_profile_measures[GT_N_MEASURES] = {
  {"median_ns", offsetof (struct gt_entry, seconds), 1e9, MAX_NANOSECONDS, 0},
  {"spread", offsetof (struct gt_entry, spread), 1, MAX_SPREAD, 0},
  {"default_ns", offsetof (struct gt_entry, default_seconds), 1e9,
   MAX_NANOSECONDS, 0},
  {"gsl_ns", offsetof (struct gt_entry, gsl_seconds), 1e9, MAX_NANOSECONDS, 0},
  {"call_ns", offsetof (struct gt_entry, call_seconds), 1e9, MAX_NANOSECONDS, 1},
  {"one_reads_ns", offsetof (struct gt_entry, one_reads), 1e9,
   MAX_NANOSECONDS, 1},
  {"all_read_ns", offsetof (struct gt_entry, all_read), 1e9,
   MAX_NANOSECONDS, 1},
};

const struct gt_profile_measure
  gt_crossover_measures[GT_N_CROSSOVER_MEASURES] = {
  {"median_ns", offsetof (struct gt_crossover, seconds), 1e9,
   MAX_NANOSECONDS, 0},
  {"cpu_ns", offsetof (struct gt_crossover, cpu_seconds), 1e9,
   MAX_NANOSECONDS, 0},
};

unsigned *
gt_profile_unsigned (struct gt_entry *entry, size_t offset)
{
  return (unsigned *) (void *) ((char *) entry + offset);
}

double *
gt_profile_double (struct gt_entry *entry, size_t offset)
{
  return (double *) (void *) ((char *) entry + offset);
}

const char *
gt_profile_place_word (enum gt_device_kind kind)
{
  return kind == GT_CPU ? "host" : "device";
}
