/* As grid_stride.cu, several sums at once of terms: of correlations, of samples with weights, and
   of distances, which bound what sums and means lose.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/sums.cuh"

#define COMPENSATED(id, reduction, type, name)                                   \
  GT_COMPENSATED_SUMS (id, reduction, type, name, gt::row<gt::GT_##id>::compensated_threads)
#define FAST_OF_REALS(id, reduction)                                                    \
  GT_FAST_SUMS (id, reduction, double, f64, gt::row<gt::GT_##id>::threads, 1)           \
  GT_FAST_SUMS (id, reduction, float, f32, gt::row<gt::GT_##id>::threads, 1)
#define OF_REALS(id, reduction)                                                         \
  FAST_OF_REALS (id, reduction)                                                         \
  COMPENSATED (id, reduction, double, f64)                                              \
  COMPENSATED (id, reduction, float, f32)
#define OF_INTEGERS(id, reduction)                                                      \
  COMPENSATED (id, reduction, uint64_t, u64)                                            \
  COMPENSATED (id, reduction, uint32_t, u32)

OF_REALS (CORRELATION, correlation)
OF_INTEGERS (CORRELATION, correlation)
FAST_OF_REALS (ABSDEV, absdev)
OF_INTEGERS (ABSDEV, absdev)
OF_REALS (WSUM, wsum)
OF_REALS (WMOMENTS, wmoments)
FAST_OF_REALS (WABSDEV, wabsdev)
