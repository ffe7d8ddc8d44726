/* Element types, arithmetics, modes and layouts, which are the keys of kernels, plans and
   profiles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_TYPES_H
#define GT_KERNELS_TYPES_H

#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/products.h"
#include "kernels/superaccumulator.h"

/* The platform decides whether plain char is signed.  */
#if CHAR_MIN < 0
#define GT_SIGNED_CHARS "char"
#define GT_UNSIGNED_CHARS "uchar"
#else
#define GT_SIGNED_CHARS "signed char"
#define GT_UNSIGNED_CHARS "char, uchar"
#endif

/* An arithmetic is the type in which a kernel computes.  Each element type has one.  Addition
   modulo 2^k does not depend on the sign, so sums of signed integers are computed like those
   of unsigned ones (kernels/reductions.h).
   The table has a row for each:
     id and name, which is also that of its member of union gt_value; C type;
     real      1 for real numbers, which have modes, otherwise 0
     gpu       1 if GPUs have it
     types     the element types with this arithmetic, for people
   M (X, row) chooses columns for X.  */
#define GT_REAL_TABLE(M, X)                                \
  M (X, F64, f64, double, 1, 1, "double")              \
  M (X, F32, f32, float, 1, 1, "float")                \
  M (X, LDBL, ldbl, long double, 1, 0, "long_double")
#define GT_INTEGER_TABLE(M, X)                             \
  GT_UNSIGNED_TABLE (M, X)                                 \
  M (X, I64, i64, int64_t, 0, 1, "long")               \
  M (X, I32, i32, int32_t, 0, 1, "int")                \
  M (X, I16, i16, int16_t, 0, 1, "short")              \
  M (X, I8, i8, int8_t, 0, 1, GT_SIGNED_CHARS)
#define GT_UNSIGNED_TABLE(M, X)                            \
  M (X, U64, u64, uint64_t, 0, 1, "ulong")             \
  M (X, U32, u32, uint32_t, 0, 1, "uint")              \
  M (X, U16, u16, uint16_t, 0, 1, "ushort")            \
  M (X, U8, u8, uint8_t, 0, 1, GT_UNSIGNED_CHARS)

/* Complex numbers: the real part, followed by the imaginary one.  Loops over elements do not
   use these arithmetics.  */
#define GT_COMPLEX_TABLE(M, X)                                      \
  M (X, CF64, cf64, double[2], 1, 1, "complex")                     \
  M (X, CF32, cf32, float[2], 1, 1, "complex_float")

/* X(id, name, C type, real)  */
#define GT_FOUR_COLUMNS(X, id, name, ctype, real, ...) X (id, name, ctype, real)
#define GT_REAL_ARITHMETICS(X) GT_REAL_TABLE (GT_FOUR_COLUMNS, X)
#define GT_INTEGER_ARITHMETICS(X) GT_INTEGER_TABLE (GT_FOUR_COLUMNS, X)
#define GT_UNSIGNED_ARITHMETICS(X) GT_UNSIGNED_TABLE (GT_FOUR_COLUMNS, X)
#define GT_ARITHMETICS(X) GT_REAL_ARITHMETICS (X) GT_INTEGER_ARITHMETICS (X)
#define GT_COMPLEX_ARITHMETICS(X) GT_COMPLEX_TABLE (GT_FOUR_COLUMNS, X)

/* X(id, name, C type, real, gpu, types)  */
#define GT_ALL_COLUMNS(X, ...) X (__VA_ARGS__)
#define GT_ARITHMETIC_TABLE(X)       \
  GT_REAL_TABLE (GT_ALL_COLUMNS, X)  \
  GT_INTEGER_TABLE (GT_ALL_COLUMNS, X) \
  GT_COMPLEX_TABLE (GT_ALL_COLUMNS, X)

/* GSL's eleven real element types, those of functions for device vectors, and complex ones.
   X(id, name, infix of GSL's names, C type, arithmetic)  */
#define GT_SHORT_REAL_TYPES(X)                                      \
  X (DOUBLE, "double", , double, F64)                               \
  X (FLOAT, "float", _float, float, F32)
#define GT_GPU_INTEGER_TYPES(X)                                     \
  X (INT, "int", _int, int, I32)                                    \
  X (LONG, "long", _long, long, I64)
#define GT_INTEGER_TYPES(X)                                         \
  GT_GPU_INTEGER_TYPES (X)                                          \
  X (UINT, "uint", _uint, unsigned int, U32)                        \
  X (ULONG, "ulong", _ulong, unsigned long, U64)                    \
  X (SHORT, "short", _short, short, I16)                            \
  X (USHORT, "ushort", _ushort, unsigned short, U16)                \
  X (CHAR, "char", _char, char, CHAR)                                   \
  X (UCHAR, "uchar", _uchar, unsigned char, U8)
#define GT_COMPLEX_TYPES(X)                                         \
  X (COMPLEX, "complex", _complex, double[2], CF64)                 \
  X (COMPLEX_FLOAT, "complex_float", _complex_float, float[2], CF32)
#define GT_ELEMENT_TYPES(X)                                         \
  GT_SHORT_REAL_TYPES (X)                                           \
  X (LONG_DOUBLE, "long_double", _long_double, long double, LDBL)   \
  GT_INTEGER_TYPES (X)
#define GT_GPU_ELEMENT_TYPES(X) GT_SHORT_REAL_TYPES (X) GT_GPU_INTEGER_TYPES (X)

enum gt_arithmetic
{
#define X(id, name, ctype, real) GT_##id,
  GT_ARITHMETICS (X)
  GT_COMPLEX_ARITHMETICS (X)
#undef X
  GT_N_ARITHMETICS,
  GT_N_SIGNLESS = GT_I64, /* those of additions come first */
  GT_FIRST_COMPLEX = GT_CF64, /* and complex ones last */
  GT_CHAR = CHAR_MIN < 0 ? GT_I8 : GT_U8
};

/* The column `real' as constants, for the preprocessor's names.  */
enum
{
#define X(id, name, ctype, real) GT_REAL_##id = real,
  GT_ARITHMETICS (X)
#undef X
};

enum gt_element_type
{
#define X(id, name, infix, ctype, arithmetic) GT_TYPE_##id,
  GT_ELEMENT_TYPES (X)
  GT_N_ELEMENT_TYPES,
  GT_LAST_ELEMENT_TYPE = GT_N_ELEMENT_TYPES - 1,
  GT_COMPLEX_TYPES (X)
#undef X
  GT_N_TYPES
};

static inline int
gt_is_complex (enum gt_arithmetic arithmetic)
{
  return arithmetic >= GT_CF64;
}

static inline int
gt_is_integer (enum gt_arithmetic arithmetic)
{
  return arithmetic > GT_LDBL && !gt_is_complex (arithmetic);
}

static inline int
gt_is_signed_integer (enum gt_arithmetic arithmetic)
{
  return arithmetic >= GT_N_SIGNLESS && !gt_is_complex (arithmetic);
}

/* Returns how many real numbers an element has.  */
static inline unsigned
gt_parts_in (enum gt_arithmetic arithmetic)
{
  return gt_is_complex (arithmetic) ? 2 : 1;
}

/* Returns the arithmetic of the parts of complex numbers, or ARITHMETIC itself for others.  */
static inline enum gt_arithmetic
gt_part_arithmetic (enum gt_arithmetic arithmetic)
{
  return arithmetic == GT_CF64   ? GT_F64
         : arithmetic == GT_CF32 ? GT_F32
                                 : arithmetic;
}

/* X(id, name).  Integer arithmetics have only `fast', because they wrap.  */
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

/* A value before the final step, as the host sees it.
   Additions have a sum, and in exact mode F64 and F32 have a superaccumulator that is rounded in
   the final step.
   Several sums at once have as many leading parts and compensations, in double for all
   elements, or in long double for long doubles; sums of integers without other terms are
   integers.  In exact mode they are superaccumulators, and a wider one for sums of products.
   Extremes have the element itself, bit for bit, and in WHERE its index in the whole vector;
   if both extremes are requested, there are two of each, the smallest first.
   Only the member for the current arithmetic and mode is defined.  Since one of the members is
   long, code that must be fast does not clear or copy the others.  */
struct gt_where
{
  long double elements[2]; /* room for the elements of every arithmetic */
  uint64_t index[2];
};

/* The most sums of a value.  */
#define GT_MOST_SUMS 5

struct gt_sums
{
  double s[GT_MOST_SUMS], c[GT_MOST_SUMS];
};

/* Words of 64 bits, the lowest first, in two's complement: sums of elements, and the sum of
   their products.  */
struct gt_integer_sums
{
  uint64_t plain[2][2];
  uint64_t product[3];
};

struct gt_exact_sums
{
  struct gt_superaccumulator plain[2]; /* first, because a value that is a single sum is
                                          plain[0], too */
  struct gt_product_accumulator product;
};

union gt_value
{
#define X(id, name, ctype, real) ctype name[2];
  GT_ARITHMETICS (X)
#undef X
  struct gt_where where;
  struct gt_superaccumulator super;
  struct gt_sums sums;
  struct gt_integer_sums integers;
  struct gt_exact_sums exact;
};

/* The leading part of a finished VALUE whose elements are of CTYPE, the type of its arithmetic
   or the corresponding signed type.  */
#define GT_LEADING(value, ctype) (*(const ctype *) (const void *) &(value))

#endif
