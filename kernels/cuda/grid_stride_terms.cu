/* Like grid_stride.cu, for several sums at once, of correlations and of samples with
   weights.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/sums.cuh"

#define OF_TYPE(id, reduction, type, name)                                       \
  GT_FAST_SUMS (id, reduction, type, name, gt::row<gt::GT_##id>::threads, 1)     \
  GT_COMPENSATED_SUMS (id, reduction, type, name, gt::row<gt::GT_##id>::compensated_threads)
#define OF_REALS(id, reduction)          \
  OF_TYPE (id, reduction, double, f64)   \
  OF_TYPE (id, reduction, float, f32)

OF_REALS (CORRELATION, correlation)
OF_REALS (WSUM, wsum)
OF_REALS (WMOMENTS, wmoments)
