/* Several exact sums at once of numbers of any range; exact_words.cuh describes the
   method.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact_words.cuh"

/* Entry points for both layouts.  */
#define ENTRIES(reduction)                                                                        \
  GT_ENTRY (reduction##_exact_words_exact_f64_u4, 512, 1, sum_words<gt::reduction, double, 4>)    \
  GT_ENTRY (reduction##_exact_words_exact_f32_u4, 512, 1, sum_words<gt::reduction, float, 4>)

ENTRIES (dot)
ENTRIES (sumsq)
ENTRIES (moments)
ENTRIES (comoments)
