/* Which vectors have numbers of a wide range.

   The kernel that suits most data gives up where numbers differ too much in size,
   and another one sums the vector then.  The bits are the same, but both have been
   launched.  So a vector for which that has happened, known by its address, length
   and stride, is given to the other kernel at once the next time.  Nothing is known
   of data that was never summed, and a program may fill a vector anew: the first
   kernel is tried first, and again once in a while.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_context.h"

#define COUNT_BITS 8
_Static_assert (GT_RANGE_SUMS < 1 << COUNT_BITS, "a count fits");

/* Mixes well in its upper bits (the multiplier is 2^64 over the golden ratio:
   D. E. Knuth, "The Art of Computer Programming", volume 3, section 6.4).  */
static uint64_t
mix (uint64_t key, uint64_t part)
{
  key = (key ^ part) * UINT64_C (0x9e3779b97f4a7c15);
  return key ^ key >> 32;
}

static uint64_t
key_of (const struct gt_task *task)
{
  uint64_t key = mix (0, (uintptr_t) task->x.data);

  key = mix (key, task->problem.n);
  key = mix (key, task->x.stride);
  key = mix (key, (uintptr_t) task->y.data);
  key = mix (key, (uint64_t) task->problem.reduction);
  return mix (key, (uint64_t) task->problem.arithmetic) << COUNT_BITS;
}

static _Atomic uint64_t *
note_of (struct gt_ranges *ranges, uint64_t key)
{
  return &ranges->note[(key >> COUNT_BITS) % GT_N_RANGES];
}

void
gt_ranges_note (struct gt_ranges *ranges, const struct gt_task *task)
{
  uint64_t key = key_of (task);

  atomic_store_explicit (note_of (ranges, key), key | GT_RANGE_SUMS,
                         memory_order_relaxed);
}

int
gt_ranges_wide (struct gt_ranges *ranges, const struct gt_task *task)
{
  uint64_t key = key_of (task);
  _Atomic uint64_t *note = note_of (ranges, key);
  uint64_t found = atomic_load_explicit (note, memory_order_relaxed);

  if (found <= key || found > key + GT_RANGE_SUMS)
    return 0;
  atomic_store_explicit (note, found - 1, memory_order_relaxed);
  return 1;
}
