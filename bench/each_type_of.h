/* Includes BENCH_TEMPLATE for each of the types that tables beside GSL have, with
   the LIBRARY at hand.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define REAL 1

#define NAME double
#define TYPE double
#define INFIX
#define LETTER d
#include BENCH_TEMPLATE
#undef NAME
#undef TYPE
#undef INFIX
#undef LETTER

#define NAME float
#define TYPE float
#define INFIX _float
#define LETTER s
#include BENCH_TEMPLATE
#undef NAME
#undef TYPE
#undef INFIX
#undef LETTER

#undef REAL
#define REAL 0

#define NAME int
#define TYPE int
#define INFIX _int
#include BENCH_TEMPLATE
#undef NAME
#undef TYPE
#undef INFIX
#undef REAL
