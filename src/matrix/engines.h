/* Functions of CBLAS: the program's own, which is GSL's unless it brought another one, and
   those of the library of the system that is made for speed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_ENGINES_H
#define GT_MATRIX_ENGINES_H

#include <stdint.h>

/* GT_BLAS_dgemm and so on.  */
enum gt_blas_id
{
#define BLAS_FUNCTION(name, ...) GT_BLAS_##name,
#include "src/matrix/functions.inc"
  GT_N_BLAS
};

/* The function by which ID is computed in fast mode where it makes WORK multiplications of
   numbers.  It has the prototype of cblas_NAME.  */
void *gt_blas_function (enum gt_blas_id id, uint64_t work);

/* The library of the system, as its file is called, or null: there is none.  WHY tells
   what was found and not taken, or null.  */
const char *gt_blas_library (const char **why);

#endif
