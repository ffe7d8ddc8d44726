/* Includes the file GT_TEMPLATE once for each arithmetic of kernels/types.h,
   with

     NAME     the arithmetic's name, which is its member of union gt_value
     TYPE     the type of its elements
     BYTES    its size, for the preprocessor; 0 without VECTORS
     REAL     1 if they are real numbers, which have a compensated mode; else 0
     VECTORS  1 if the compiler has vectors of them; else 0

   A template says NAMED (stem) for the names it defines.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define NAMED(stem) GT_PASTE (stem, NAME)

#define NAME f64
#define TYPE double
#define BYTES 8
#define REAL 1
#define VECTORS 1
#include GT_TEMPLATE
#undef NAME
#undef TYPE
#undef BYTES
#undef REAL
#undef VECTORS

#define NAME f32
#define TYPE float
#define BYTES 4
#define REAL 1
#define VECTORS 1
#include GT_TEMPLATE
#undef NAME
#undef TYPE
#undef BYTES
#undef REAL
#undef VECTORS

#define NAME ldbl
#define TYPE long double
#define BYTES 0
#define REAL 1
#define VECTORS 0
#include GT_TEMPLATE
#undef NAME
#undef TYPE
#undef BYTES
#undef REAL
#undef VECTORS

#define NAME u64
#define TYPE uint64_t
#define BYTES 8
#define REAL 0
#define VECTORS 1
#include GT_TEMPLATE
#undef NAME
#undef TYPE
#undef BYTES
#undef REAL
#undef VECTORS

#define NAME u32
#define TYPE uint32_t
#define BYTES 4
#define REAL 0
#define VECTORS 1
#include GT_TEMPLATE
#undef NAME
#undef TYPE
#undef BYTES
#undef REAL
#undef VECTORS

#define NAME u16
#define TYPE uint16_t
#define BYTES 2
#define REAL 0
#define VECTORS 1
#include GT_TEMPLATE
#undef NAME
#undef TYPE
#undef BYTES
#undef REAL
#undef VECTORS

#define NAME u8
#define TYPE uint8_t
#define BYTES 1
#define REAL 0
#define VECTORS 1
#include GT_TEMPLATE
#undef NAME
#undef TYPE
#undef BYTES
#undef REAL
#undef VECTORS

#undef NAMED
#undef GT_TEMPLATE
