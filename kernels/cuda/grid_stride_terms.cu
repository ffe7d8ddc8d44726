/* As grid_stride.cu, sums of terms that a few operations make of an element or of a
   pair.  Those of integers are always compensated.  An entry for each row of
   kernels/reductions.def whose terms elements of all types have.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/grid_stride_terms.cuh"

#define GT_ENTRIES_OF_ALL(id, reduction)                          \
  GT_TERMS_OF_REALS (id, reduction)                               \
  GT_TERMS_COMPENSATED (id, reduction, uint64_t, u64)             \
  GT_TERMS_COMPENSATED (id, reduction, uint32_t, u32)             \
  GT_TERMS_COMPENSATED (id, reduction, uint16_t, u16)             \
  GT_TERMS_COMPENSATED (id, reduction, uint8_t, u8)
#define GT_ENTRIES_OF_REALS(id, reduction)
#include "kernels/reductions.def"
