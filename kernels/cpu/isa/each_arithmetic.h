/* Includes the file GT_TEMPLATE once for each arithmetic of kernels/types.h, or, if
   GT_SIGNLESS_ONLY is defined, once for each arithmetic that ignores the sign, with
     NAME     the arithmetic's name, which is its member of union gt_value
     TYPE     the type of its elements
     BYTES    its size, for the preprocessor; 0 without VECTORS
     REAL     1 for real numbers, 0 for integers
     SIGNED   1 for signed integers, otherwise 0
     VECTORS  1 if the compiler has vectors of them, otherwise 0

   A template uses NAMED (stem) for the names that it defines.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_EACH_ARITHMETIC_H
#define GT_KERNELS_CPU_EACH_ARITHMETIC_H

#include "kernels/columns.h"

/* The columns of kernels/types.h that templates need: the preprocessor cannot read X(id, name,
   C type, ...).  */
#define GT_ROW_f64 double, 8, 1, 0, 1
#define GT_ROW_f32 float, 4, 1, 0, 1
#define GT_ROW_ldbl long double, 0, 1, 0, 0
#define GT_ROW_u64 uint64_t, 8, 0, 0, 1
#define GT_ROW_u32 uint32_t, 4, 0, 0, 1
#define GT_ROW_u16 uint16_t, 2, 0, 0, 1
#define GT_ROW_u8 uint8_t, 1, 0, 0, 1
#define GT_ROW_i64 int64_t, 8, 0, 1, 1
#define GT_ROW_i32 int32_t, 4, 0, 1, 1
#define GT_ROW_i16 int16_t, 2, 0, 1, 1
#define GT_ROW_i8 int8_t, 1, 0, 1, 1

#define GT_COLUMN(column) GT_COLUMN_OF (column, NAMED (GT_ROW))

#endif

#define NAMED(stem) GT_PASTE (stem, NAME)
#define TYPE GT_COLUMN (GT_COLUMN_1)
#define BYTES GT_COLUMN (GT_COLUMN_2)
#define REAL GT_COLUMN (GT_COLUMN_3)
#define SIGNED GT_COLUMN (GT_COLUMN_4)
#define VECTORS GT_COLUMN (GT_COLUMN_5)

#define NAME f64
#include GT_TEMPLATE
#undef NAME
#define NAME f32
#include GT_TEMPLATE
#undef NAME
#define NAME ldbl
#include GT_TEMPLATE
#undef NAME
#define NAME u64
#include GT_TEMPLATE
#undef NAME
#define NAME u32
#include GT_TEMPLATE
#undef NAME
#define NAME u16
#include GT_TEMPLATE
#undef NAME
#define NAME u8
#include GT_TEMPLATE
#undef NAME
#if !defined GT_SIGNLESS_ONLY
#define NAME i64
#include GT_TEMPLATE
#undef NAME
#define NAME i32
#include GT_TEMPLATE
#undef NAME
#define NAME i16
#include GT_TEMPLATE
#undef NAME
#define NAME i8
#include GT_TEMPLATE
#undef NAME
#endif

#undef NAMED
#undef TYPE
#undef BYTES
#undef REAL
#undef SIGNED
#undef VECTORS
#undef GT_TEMPLATE
#undef GT_SIGNLESS_ONLY
