/* Includes the file GT_TEMPLATE once for each of GSL's eleven real element types,
   with

     INFIX  what GSL's names have for it: nothing for double, else _float, ...
     TYPE   its C type
     ID     its name in enum gt_element_type, behind GT_TYPE_
     GPU    1 if GPUs have its arithmetic, else 0
     REAL   1 if it holds real numbers, which may be NaN, else 0

   A template says NAMED (stem, rest) for a name with the infix between the two,
   such as NAMED (gsltune_vector, _alloc), and ARITHMETIC for the type's own.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define NAMED_WITH(stem, infix, rest) stem##infix##rest
#define NAMED_BY(stem, infix, rest) NAMED_WITH (stem, infix, rest)
#define NAMED(stem, rest) NAMED_BY (stem, INFIX, rest)
#define ARITHMETIC ((enum gt_arithmetic) NAMED_BY (GT_ARITHMETIC_OF_, ID, ))

#define INFIX
#define TYPE double
#define ID DOUBLE
#define GPU 1
#define REAL 1
#include GT_TEMPLATE
#undef INFIX
#undef TYPE
#undef ID
#undef GPU
#undef REAL

#define INFIX _float
#define TYPE float
#define ID FLOAT
#define GPU 1
#define REAL 1
#include GT_TEMPLATE
#undef INFIX
#undef TYPE
#undef ID
#undef GPU
#undef REAL

#define INFIX _long_double
#define TYPE long double
#define ID LONG_DOUBLE
#define GPU 0
#define REAL 1
#include GT_TEMPLATE
#undef INFIX
#undef TYPE
#undef ID
#undef GPU
#undef REAL

#define INFIX _int
#define TYPE int
#define ID INT
#define GPU 1
#define REAL 0
#include GT_TEMPLATE
#undef INFIX
#undef TYPE
#undef ID
#undef GPU
#undef REAL

#define INFIX _uint
#define TYPE unsigned int
#define ID UINT
#define GPU 1
#define REAL 0
#include GT_TEMPLATE
#undef INFIX
#undef TYPE
#undef ID
#undef GPU
#undef REAL

#define INFIX _long
#define TYPE long
#define ID LONG
#define GPU 1
#define REAL 0
#include GT_TEMPLATE
#undef INFIX
#undef TYPE
#undef ID
#undef GPU
#undef REAL

#define INFIX _ulong
#define TYPE unsigned long
#define ID ULONG
#define GPU 1
#define REAL 0
#include GT_TEMPLATE
#undef INFIX
#undef TYPE
#undef ID
#undef GPU
#undef REAL

#define INFIX _short
#define TYPE short
#define ID SHORT
#define GPU 1
#define REAL 0
#include GT_TEMPLATE
#undef INFIX
#undef TYPE
#undef ID
#undef GPU
#undef REAL

#define INFIX _ushort
#define TYPE unsigned short
#define ID USHORT
#define GPU 1
#define REAL 0
#include GT_TEMPLATE
#undef INFIX
#undef TYPE
#undef ID
#undef GPU
#undef REAL

#define INFIX _char
#define TYPE char
#define ID CHAR
#define GPU 1
#define REAL 0
#include GT_TEMPLATE
#undef INFIX
#undef TYPE
#undef ID
#undef GPU
#undef REAL

#define INFIX _uchar
#define TYPE unsigned char
#define ID UCHAR
#define GPU 1
#define REAL 0
#include GT_TEMPLATE
#undef INFIX
#undef TYPE
#undef ID
#undef GPU
#undef REAL

#undef NAMED_WITH
#undef NAMED_BY
#undef NAMED
#undef ARITHMETIC
#undef GT_TEMPLATE
