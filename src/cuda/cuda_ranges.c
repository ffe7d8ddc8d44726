/* Remembers the vectors with a wide range of numbers.
   The kernel that is best for most data gives up if numbers differ too much in size, and
   another kernel then sums the vector.  The bits are the same, but two kernels were launched.
   So the next sum of such a vector, which is identified by its address, length and stride,
   uses the other kernel at once.  Data that was never summed has no note, and a program may
   write other numbers to a vector: so the first kernel is tried first, and again from time to
   time.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_context.h"

#define COUNT_BITS 8
_Static_assert (GT_RANGE_SUMS < 1 << COUNT_BITS, "a count fits");

/* Mixes its upper bits well (the multiplier is 2^64 over the golden ratio: D. E. Knuth, "The
   Art of Computer Programming", volume 3, section 6.4).  */
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
