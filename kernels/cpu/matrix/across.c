/* Sums and extremes of columns for one instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/matrix/across.h"

#include <string.h>

#include "kernels/cpu/isa/vectors.h"

/* Chains of operations that hide the latency of one: of neighbouring columns, or of equal
   parts of the same columns if there are few.  Two results of each column need twice the
   registers.  */
#define MOST_CHAINS 8u
#define CHAINS(of) \
  ((of) == GT_ACROSS_SPREAD || (of) >= GT_ACROSS_MAX_INDEX ? MOST_CHAINS / 2 : MOST_CHAINS)
#define IS_LEAST(of) ((of) == GT_ACROSS_MIN || (of) == GT_ACROSS_MIN_INDEX)

/* Types whose columns are computed.  */
#define HAS_COLUMNS (VECTORS && BYTES >= 4 && (REAL || BYTES < 8))

#define GT_TEMPLATE "kernels/cpu/matrix/across.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

extern const struct gt_across_isa GT_FOR_ISA (gt_across);
const struct gt_across_isa GT_FOR_ISA (gt_across)
  = {{[GT_F64] = columns_f64, [GT_F32] = columns_f32, [GT_U32] = columns_u32,
      [GT_I32] = columns_i32}};
