/* As grid_stride_terms.cu, sums of terms that only real numbers have: those of weighted
   elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/grid_stride_terms.cuh"

#define GT_ENTRIES_OF_ALL(id, reduction)
#define GT_ENTRIES_OF_REALS GT_TERMS_OF_REALS
#include "kernels/reductions.def"
