/* Of the rows of src/functions.def those of device vectors alone, each by what its result
   is: ROW_VALUE (name) and its like are whoever includes this one's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_ROWS_H
#define GT_DEVICE_ROWS_H

#define FUNCTION(family, name, reduction, result, types, ...) \
  ROW_OF_##family##_##types (name, result)
#define ROW_OF_VECTOR_ALL(...)
#define ROW_OF_BLAS_DOUBLE(...)
#define ROW_OF_BLAS_FLOAT(...)
#define ROW_OF_STATS_ALL(...)
#define ROW_OF_STATS_REALS(...)
#define ROW_OF_MATRIX_ALL(...)
#define ROW_OF_DEVICE_VECTOR_GPU(name, result) ROW_##result (name)

#endif
