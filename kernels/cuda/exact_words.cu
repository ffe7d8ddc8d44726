/* Several exact sums at once of numbers of any range: how is in exact_words.cuh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact.cuh"
#include "kernels/cuda/exact_sums.cuh"
#include "kernels/cuda/exact_words.cuh"

#define ENTRIES(reduction)                       \
  GT_EXACT_WORDS_ENTRY (reduction, f64, double)  \
  GT_EXACT_WORDS_ENTRY (reduction, f32, float)
#define ENTRIES_OF_INTEGERS(reduction)             \
  GT_EXACT_WORDS_ENTRY (reduction, u64, uint64_t)  \
  GT_EXACT_WORDS_ENTRY (reduction, u32, uint32_t)  \
  GT_EXACT_WORDS_ENTRY (reduction, u16, uint16_t)  \
  GT_EXACT_WORDS_ENTRY (reduction, u8, uint8_t)    \
  GT_EXACT_WORDS_ENTRY (reduction, i64, int64_t)   \
  GT_EXACT_WORDS_ENTRY (reduction, i32, int32_t)   \
  GT_EXACT_WORDS_ENTRY (reduction, i16, int16_t)   \
  GT_EXACT_WORDS_ENTRY (reduction, i8, int8_t)

ENTRIES (dot)
ENTRIES (sumsq)
ENTRIES (moments)
ENTRIES (comoments)
ENTRIES (lag1)
ENTRIES (absdev)
ENTRIES (skew)
ENTRIES (kurtosis)
ENTRIES (wsum)
ENTRIES (wmoments)
ENTRIES (wabsdev)
ENTRIES (wskew)
ENTRIES (wkurtosis)
ENTRIES_OF_INTEGERS (lag1)
ENTRIES_OF_INTEGERS (absdev)
ENTRIES_OF_INTEGERS (skew)
ENTRIES_OF_INTEGERS (kurtosis)
