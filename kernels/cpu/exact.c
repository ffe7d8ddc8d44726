/* Exact sums of doubles and floats, as a kernel: the engines of
   kernels/cpu/exact.h fill the sum's superaccumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/exact.h"

#define ENTRY(name, ctype, u, index)                                \
  static void exact_##name##_u##u (const void *data, size_t n,      \
                                   size_t stride, union gt_value *sum) \
  {                                                                 \
    gt_super_clear (&sum->super);                                   \
    gt_exact_add_##name (gt_exact_isa (), index, data, n, stride,   \
                         &sum->super);                              \
  }
#define ENTRIES(name, ctype)   \
  ENTRY (name, ctype, 1, 0)    \
  ENTRY (name, ctype, 2, 1)    \
  ENTRY (name, ctype, 4, 2)
GT_EXACT_TYPES (ENTRIES)

#define FUNCTIONS(name) {exact_##name##_u1, exact_##name##_u2, exact_##name##_u4}
#define MODES(name)                                        \
  {[GT_MODE_EXACT] = {[GT_CONTIGUOUS] = FUNCTIONS (name),  \
                      [GT_STRIDED] = FUNCTIONS (name)}}

const struct gt_cpu_functions GT_FOR_ISA (gt_cpu_exact) = {
  .sum = {[GT_F64] = MODES (f64), [GT_F32] = MODES (f32)}
};
