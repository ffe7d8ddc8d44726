/* Entry points for the rows of kernels/reductions.def whose algebra is TERMS.  The includer
   defines GT_ENTRIES_OF_ALL (id, reduction) and GT_ENTRIES_OF_REALS, for those of whose
   arithmetics the row says so, and includes the rows.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/sums.cuh"

#define REDUCTION(id, name, algebra, inputs, plain, products, arithmetics, ...) \
  GT_ENTRIES_##algebra (id, name, arithmetics)
#define GT_ENTRIES_ADD(...)
#define GT_ENTRIES_ORDER(...)
#define GT_ENTRIES_MOMENTS(...)
#define GT_ENTRIES_COMPLEX(...)
#define GT_ENTRIES_TERMS(id, name, arithmetics) GT_ENTRIES_OF_##arithmetics (id, name)

#define GT_TERMS_COMPENSATED(id, reduction, type, name)                          \
  GT_COMPENSATED_SUMS (id, reduction, type, name,                                \
                       gt::row<gt::GT_##id>::compensated_threads)
#define GT_TERMS_OF_REAL(id, reduction, type, name)                              \
  GT_FAST_SUMS (id, reduction, type, name, gt::row<gt::GT_##id>::threads, 1)     \
  GT_TERMS_COMPENSATED (id, reduction, type, name)
#define GT_TERMS_OF_REALS(id, reduction)                                         \
  GT_TERMS_OF_REAL (id, reduction, double, f64)                                  \
  GT_TERMS_OF_REAL (id, reduction, float, f32)
