/* Includes the file GT_TEMPLATE once for each of GSL's eleven real element types,
   with

     INFIX  what GSL's names have for it: nothing for double, else _float, ...
     TYPE   its C type
     ID     its name in enum gt_element_type, behind GT_TYPE_
     GPU    1 if device vectors and matrices of it have functions, else 0
     REAL   1 if it holds real numbers, which may be NaN, else 0
     IS_DOUBLE, IS_FLOAT, IS_LONG_DOUBLE
            1 of these alone
     IS_COMPLEX, IS_COMPLEX_FLOAT
            1 of complex numbers, for which the template is included too where
            GT_COMPLEX_TOO is defined; then TYPE is that of their parts, and GPU and
            REAL are 0
     SCALAR the C type of an element: TYPE, or GSL's of a complex number
     LETTER that of BLAS's names: d, s, z or c; of other types there is none

   A template says NAMED (stem, rest) for a name with the infix between the two,
   such as NAMED (gsltune_vector, _alloc), and ARITHMETIC for the type's own.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_EACH_TYPE_H
#define GT_EACH_TYPE_H

#include "kernels/columns.h"

#define GT_COLUMN_6(a, b, c, d, e, f, ...) f
#define GT_COLUMN_7(a, b, c, d, e, f, g, ...) g
#define GT_COLUMN_8(a, b, c, d, e, f, g, h, ...) h
#define GT_COLUMN_9(a, b, c, d, e, f, g, h, i, ...) i
#define GT_COLUMN_10(a, b, c, d, e, f, g, h, i, j, ...) j

/* INFIX, TYPE, GPU, REAL, IS_DOUBLE, IS_FLOAT, IS_COMPLEX, IS_COMPLEX_FLOAT, SCALAR,
   LETTER */
#define GT_TYPE_ROW_DOUBLE , double, 1, 1, 1, 0, 0, 0, double, d
#define GT_TYPE_ROW_FLOAT _float, float, 1, 1, 0, 1, 0, 0, float, s
#define GT_TYPE_ROW_LONG_DOUBLE _long_double, long double, 0, 1, 0, 0, 0, 0, long double,
#define GT_TYPE_ROW_INT _int, int, 1, 0, 0, 0, 0, 0, int,
#define GT_TYPE_ROW_UINT _uint, unsigned int, 0, 0, 0, 0, 0, 0, unsigned int,
#define GT_TYPE_ROW_LONG _long, long, 1, 0, 0, 0, 0, 0, long,
#define GT_TYPE_ROW_ULONG _ulong, unsigned long, 0, 0, 0, 0, 0, 0, unsigned long,
#define GT_TYPE_ROW_SHORT _short, short, 0, 0, 0, 0, 0, 0, short,
#define GT_TYPE_ROW_USHORT _ushort, unsigned short, 0, 0, 0, 0, 0, 0, unsigned short,
#define GT_TYPE_ROW_CHAR _char, char, 0, 0, 0, 0, 0, 0, char,
#define GT_TYPE_ROW_UCHAR _uchar, unsigned char, 0, 0, 0, 0, 0, 0, unsigned char,
#define GT_TYPE_ROW_COMPLEX _complex, double, 0, 0, 0, 0, 1, 0, gsl_complex, z
#define GT_TYPE_ROW_COMPLEX_FLOAT _complex_float, float, 0, 0, 0, 0, 0, 1, gsl_complex_float, c

#endif

#define NAMED_WITH(stem, infix, rest) stem##infix##rest
#define NAMED_BY(stem, infix, rest) NAMED_WITH (stem, infix, rest)
#define NAMED(stem, rest) NAMED_BY (stem, INFIX, rest)
#define ARITHMETIC ((enum gt_arithmetic) NAMED_BY (GT_ARITHMETIC_OF_, ID, ))
#define COLUMN(column) GT_COLUMN_OF (column, NAMED_BY (GT_TYPE_ROW_, ID, ))
#define INFIX COLUMN (GT_COLUMN_1)
#define TYPE COLUMN (GT_COLUMN_2)
#define GPU COLUMN (GT_COLUMN_3)
#define REAL COLUMN (GT_COLUMN_4)
#define IS_DOUBLE COLUMN (GT_COLUMN_5)
#define IS_FLOAT COLUMN (GT_COLUMN_6)
#define IS_LONG_DOUBLE (REAL && !GPU)
#define IS_COMPLEX COLUMN (GT_COLUMN_7)
#define IS_COMPLEX_FLOAT COLUMN (GT_COLUMN_8)
#define SCALAR COLUMN (GT_COLUMN_9)
#define LETTER COLUMN (GT_COLUMN_10)

#define ID DOUBLE
#include GT_TEMPLATE
#undef ID
#define ID FLOAT
#include GT_TEMPLATE
#undef ID
#define ID LONG_DOUBLE
#include GT_TEMPLATE
#undef ID
#define ID INT
#include GT_TEMPLATE
#undef ID
#define ID UINT
#include GT_TEMPLATE
#undef ID
#define ID LONG
#include GT_TEMPLATE
#undef ID
#define ID ULONG
#include GT_TEMPLATE
#undef ID
#define ID SHORT
#include GT_TEMPLATE
#undef ID
#define ID USHORT
#include GT_TEMPLATE
#undef ID
#define ID CHAR
#include GT_TEMPLATE
#undef ID
#define ID UCHAR
#include GT_TEMPLATE
#undef ID
#if defined GT_COMPLEX_TOO
#define ID COMPLEX
#include GT_TEMPLATE
#undef ID
#define ID COMPLEX_FLOAT
#include GT_TEMPLATE
#undef ID
#endif

#undef INFIX
#undef TYPE
#undef GPU
#undef REAL
#undef IS_DOUBLE
#undef IS_FLOAT
#undef IS_LONG_DOUBLE
#undef IS_COMPLEX
#undef IS_COMPLEX_FLOAT
#undef SCALAR
#undef LETTER
#undef COLUMN
#undef NAMED_WITH
#undef NAMED_BY
#undef NAMED
#undef ARITHMETIC
#undef GT_COMPLEX_TOO
#undef GT_TEMPLATE
