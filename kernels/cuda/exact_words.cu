/* Several exact sums at once of numbers of any range: how is in exact_words.cuh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact_words.cuh"

#define ENTRIES(reduction)                       \
  GT_EXACT_WORDS_ENTRY (reduction, f64, double)  \
  GT_EXACT_WORDS_ENTRY (reduction, f32, float)

ENTRIES (dot)
ENTRIES (sumsq)
ENTRIES (moments)
ENTRIES (comoments)
