/* Element types, arithmetics, modes and layouts: the words in which every
   kernel, plan and profile is keyed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_TYPES_H
#define GT_KERNELS_TYPES_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/superaccumulator.h"

/* An arithmetic is what a kernel is compiled for.  Addition modulo 2^k does
   not see the sign, so one kernel of unsigned words serves both GSL types of
   that width: int and uint are two element types but one arithmetic.

   X(id, name, C type, holds real numbers)  */
#define GT_REAL_ARITHMETICS(X) \
  X (F64, f64, double, 1)      \
  X (F32, f32, float, 1)       \
  X (LDBL, ldbl, long double, 1)
#define GT_INTEGER_ARITHMETICS(X) \
  X (U64, u64, uint64_t, 0)       \
  X (U32, u32, uint32_t, 0)       \
  X (U16, u16, uint16_t, 0)       \
  X (U8, u8, uint8_t, 0)
#define GT_ARITHMETICS(X) GT_REAL_ARITHMETICS (X) GT_INTEGER_ARITHMETICS (X)

/* GSL's eleven real element types.

   X(id, name, infix of GSL's names, C type, arithmetic)  */
#define GT_ELEMENT_TYPES(X)                                         \
  X (DOUBLE, "double", , double, F64)                               \
  X (FLOAT, "float", _float, float, F32)                            \
  X (LONG_DOUBLE, "long_double", _long_double, long double, LDBL)   \
  X (INT, "int", _int, int, U32)                                    \
  X (UINT, "uint", _uint, unsigned int, U32)                        \
  X (LONG, "long", _long, long, U64)                                \
  X (ULONG, "ulong", _ulong, unsigned long, U64)                    \
  X (SHORT, "short", _short, short, U16)                            \
  X (USHORT, "ushort", _ushort, unsigned short, U16)                \
  X (CHAR, "char", _char, char, U8)                                 \
  X (UCHAR, "uchar", _uchar, unsigned char, U8)

/* The member of union gt_value that belongs to an arithmetic's id.  */
#define GT_MEMBER_F64 f64
#define GT_MEMBER_F32 f32
#define GT_MEMBER_LDBL ldbl
#define GT_MEMBER_U64 u64
#define GT_MEMBER_U32 u32
#define GT_MEMBER_U16 u16
#define GT_MEMBER_U8 u8

enum gt_arithmetic
{
#define X(id, name, ctype, real) GT_##id,
  GT_ARITHMETICS (X)
#undef X
  GT_N_ARITHMETICS
};

enum gt_element_type
{
#define X(id, name, infix, ctype, arithmetic) GT_TYPE_##id,
  GT_ELEMENT_TYPES (X)
#undef X
  GT_N_ELEMENT_TYPES
};

/* X(id, name).  Integer arithmetics know `fast' alone: they wrap.  */
#define GT_MODES(X)                \
  X (FAST, "fast")                 \
  X (COMPENSATED, "compensated")   \
  X (EXACT, "exact")

enum gt_mode
{
#define X(id, name) GT_MODE_##id,
  GT_MODES (X)
#undef X
  GT_N_MODES
};

/* Contiguous means a stride of one element.  */
enum gt_layout
{
  GT_CONTIGUOUS,
  GT_STRIDED,
  GT_N_LAYOUTS
};

/* The unroll factors, by index.  */
#define GT_N_UNROLLS 5
#define GT_UNROLL(index) (1u << (index))

/* A sum on its way, as the host sees it: a leading part and, in compensated
   mode, the compensation that is added to it at the very end; in exact mode, of
   F64 and F32, a superaccumulator that is rounded at the very end.  Only the
   member of the arithmetic and mode at hand is meaningful, and as one of them
   is long, no other is to be cleared or copied where time counts.  */
union gt_value
{
  double f64[2];
  float f32[2];
  long double ldbl[2];
  uint64_t u64[2];
  uint32_t u32[2];
  uint16_t u16[2];
  uint8_t u8[2];
  struct gt_superaccumulator super;
};

#endif
