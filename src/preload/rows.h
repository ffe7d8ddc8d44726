/* A row for each function of GSL that can be taken: those of src/functions.def that
   GSL has, for each type.  Whoever includes it says what a row is:

     ROW (symbol, family, name, type, reduction, result, real)

   symbol     GSL's name without gsl_, e.g. stats_float_mean
   family     vector, blas, stats or matrix
   name       that of the function, e.g. mean
   type       the infix of GSL's names, e.g. _float; nothing for double, and for BLAS,
              whose names tell it
   reduction, result
              as in src/functions.def
   real       1 if the elements may be fractions, else 0

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define FUNCTION(family, name, reduction, result, types, ...) \
  OF_##family##_##types (name, reduction, result)
#define OF_DEVICE_VECTOR_GPU(...)
#define OF_DEVICE_VECTOR_REAL(...)

#define OF_BLAS_DOUBLE(name, reduction, result) \
  ROW (blas_##name, blas, name, , reduction, result, 1)
#define OF_BLAS_FLOAT OF_BLAS_DOUBLE
#define OF_VECTOR_ALL(...)
#define OF_STATS_ALL(...)
#define OF_STATS_REALS(...)
#define OF_MATRIX_ALL(...)
#include "src/functions.def"
#undef OF_BLAS_DOUBLE
#undef OF_BLAS_FLOAT
#undef OF_VECTOR_ALL
#undef OF_STATS_ALL
#undef OF_STATS_REALS
#undef OF_MATRIX_ALL

#define OF_BLAS_DOUBLE(...)
#define OF_BLAS_FLOAT(...)
#define OF_VECTOR_ALL(name, reduction, result)                             \
  ROW (NAMED (vector, _##name), vector, name, INFIX, reduction, result, REAL)
#define OF_STATS_ALL(name, reduction, result)                              \
  ROW (NAMED (stats, _##name), stats, name, INFIX, reduction, result, REAL)
#define OF_MATRIX_ALL(name, reduction, result)                             \
  ROW (NAMED (matrix, _##name), matrix, name, INFIX, reduction, result, REAL)
#define GT_TEMPLATE "src/preload/rows_of.h"
#include "src/public/each_type.h"
#undef OF_BLAS_DOUBLE
#undef OF_BLAS_FLOAT
#undef OF_VECTOR_ALL
#undef OF_STATS_ALL
#undef OF_MATRIX_ALL

#undef OF_DEVICE_VECTOR_GPU
#undef OF_DEVICE_VECTOR_REAL
#undef FUNCTION
#undef ROW
