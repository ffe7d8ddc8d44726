/* As grid_stride.cu, sums of terms that a few operations make of an element or of a
   pair.  Those of integers are always compensated.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/sums.cuh"

/* THREADS of a block at most: five sums, and loads of two vectors, need more registers
   than 1024 threads can have.  */
#define OF_REALS(id, reduction, type, name, threads)                             \
  GT_FAST_SUMS (id, reduction, type, name, threads, 1)                           \
  GT_COMPENSATED_SUMS (id, reduction, type, name, threads)
#define ENTRIES(id, reduction, threads)                                          \
  OF_REALS (id, reduction, double, f64, threads)                                 \
  OF_REALS (id, reduction, float, f32, threads)                                  \
  GT_COMPENSATED_SUMS (id, reduction, uint64_t, u64, threads)                    \
  GT_COMPENSATED_SUMS (id, reduction, uint32_t, u32, threads)                    \
  GT_COMPENSATED_SUMS (id, reduction, uint16_t, u16, threads)                    \
  GT_COMPENSATED_SUMS (id, reduction, uint8_t, u8, threads)

ENTRIES (CORRELATION, correlation, 512)
ENTRIES (LAG1, lag1, 1024)
ENTRIES (ABSDEV, absdev, 1024)
ENTRIES (SKEW, skew, 1024)
ENTRIES (KURTOSIS, kurtosis, 1024)
