/* Calls the factorisations of src/procedures.def by their addresses.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MEASURE_FACTORS_H
#define GT_MEASURE_FACTORS_H

#include <stdint.h>

#include "src/preload/taken.h"

/* A matrix of ROWS and COLUMNS, and memory for all results of a factorisation.  */
struct gt_factor_data
{
  size_t rows, columns;
  double *memory;  /* first the given matrix, then its copy and the results */
  void *workspace; /* of the functions for eigenvalues */
};

/* Makes data for calls of N multiplications, with a matrix of these SIDES, or a smaller one if
   it would take more than MOST_BYTES of memory.  Returns the factor that N was divided by, or
   0 if memory is short.  */
double gt_factor_data_make (struct gt_factor_data *data, enum gt_taken_id id, uint64_t n,
                            const uint64_t sides[2], size_t most_bytes);
void gt_factor_data_free (enum gt_taken_id id, struct gt_factor_data *data);

/* Calls FUNCTION.  Returns the sum of the magnitudes of results that do not depend on signs or
   order.  */
double gt_factor_call (enum gt_taken_id id, void *function, const struct gt_factor_data *data);

#endif
