/* Includes products_of.h for each of the types that the table "products" has, with the
   LIBRARY at hand.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define REAL 1

#define NAME double
#define TYPE double
#define RESULT double
#define INFIX
#define LETTER d
#include "bench/products_of.h"
#undef NAME
#undef TYPE
#undef RESULT
#undef INFIX
#undef LETTER

#define NAME float
#define TYPE float
#define RESULT float
#define INFIX _float
#define LETTER s
#include "bench/products_of.h"
#undef NAME
#undef TYPE
#undef RESULT
#undef INFIX
#undef LETTER

#undef REAL
#define REAL 0

#define NAME int
#define TYPE int
#define INFIX _int
#include "bench/products_of.h"
#undef NAME
#undef TYPE
#undef INFIX
#undef REAL
