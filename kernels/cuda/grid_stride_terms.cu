/* As grid_stride.cu, several sums at once of terms: of correlations, of samples with weights, and
   of distances, which bound what sums and means lose.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/sums.cuh"

#define COMPENSATED(id, reduction, type, name)                                   \
  GT_COMPENSATED_SUMS (id, reduction, type, name, gt::row<gt::GT_##id>::compensated_threads)
#define OF_REAL(id, reduction, type, name)                                       \
  GT_FAST_SUMS (id, reduction, type, name, gt::row<gt::GT_##id>::threads, 1)     \
  COMPENSATED (id, reduction, type, name)
#define OF_REALS(id, reduction)                                                  \
  OF_REAL (id, reduction, double, f64)                                           \
  OF_REAL (id, reduction, float, f32)

#define OF_ALL(id, reduction)                                                    \
  OF_REALS (id, reduction)                                                       \
  COMPENSATED (id, reduction, uint64_t, u64)                                     \
  COMPENSATED (id, reduction, uint32_t, u32)

OF_ALL (CORRELATION, correlation)
OF_ALL (ABSDEV, absdev)
OF_REALS (WSUM, wsum)
OF_REALS (WMOMENTS, wmoments)
OF_REALS (WABSDEV, wabsdev)
