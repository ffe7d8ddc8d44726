/* One chain of additions, in the order of the elements: what GSL does.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/combine.h"
#include "kernels/cpu/isa.h"

#define GT_TEMPLATE "kernels/cpu/sequential_kernels.h"
#include "kernels/cpu/each_arithmetic.h"

#define FUNCTIONS(mode, name)                                              \
  [mode] = {[GT_CONTIGUOUS] = {name}, [GT_STRIDED] = {name}}

const struct gt_cpu_functions GT_FOR_ISA (gt_cpu_sequential) = {
  .sum = {
#define X(id, name, ctype, real)                                           \
    [GT_##id] = {FUNCTIONS (GT_MODE_FAST, fast_##name),                    \
                 FUNCTIONS (GT_MODE_COMPENSATED, compensated_##name)},
    GT_REAL_ARITHMETICS (X)
#undef X
#define X(id, name, ctype, real)                                           \
    [GT_##id] = {FUNCTIONS (GT_MODE_FAST, fast_##name)},
    GT_INTEGER_ARITHMETICS (X)
#undef X
  }
};
