/* Sums and extremes of columns for one instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/matrix/across.h"

#include <string.h>

#include "kernels/cpu/isa/vectors.h"
#include "kernels/cpu/wide/two_sum.h"

/* Chains of operations that hide the latency of one: of neighbouring columns, or of equal
   parts of the same columns if there are few.  Two results of each column need twice the
   registers.  */
#define MOST_CHAINS 8u
#define CHAINS(of) \
  ((of) == GT_LINE_VARIANCE || gt_line_is_index (of) ? MOST_CHAINS / 2 : MOST_CHAINS)
/* The least elements of a part: sums of parts take longer to put together than extremes.  */
#define SPLIT_FROM(of) (gt_line_is_extreme (of) ? 4 : 8)
#define IS_LEAST(of) ((of) == GT_LINE_MIN || (of) == GT_LINE_MIN_INDEX)

static inline size_t
least_of (size_t a, size_t b)
{
  return a < b ? a : b;
}

#define GT_TEMPLATE "kernels/cpu/matrix/across.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

extern const struct gt_across_isa GT_FOR_ISA (gt_across);
const struct gt_across_isa GT_FOR_ISA (gt_across)
  = {{[GT_F64] = columns_f64, [GT_F32] = columns_f32, [GT_U64] = columns_u64,
      [GT_I64] = columns_i64, [GT_U32] = columns_u32, [GT_I32] = columns_i32,
      [GT_U16] = columns_u16, [GT_I16] = columns_i16, [GT_U8] = columns_u8,
      [GT_I8] = columns_i8}};
