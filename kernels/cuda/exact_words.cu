/* Several exact sums at once of numbers of any range: how is in exact_words.cuh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/exact_words.cuh"

/* Of both layouts.  */
#define ENTRIES(reduction)                                                                        \
  GT_ENTRY (reduction##_exact_words_exact_f64_u4, 512, 1, sum_words<gt::reduction, double, 4>)    \
  GT_ENTRY (reduction##_exact_words_exact_f32_u4, 512, 1, sum_words<gt::reduction, float, 4>)

ENTRIES (dot)
ENTRIES (sumsq)
ENTRIES (moments)
ENTRIES (comoments)
