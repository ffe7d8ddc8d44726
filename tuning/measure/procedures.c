/* The procedures of src/procedures.def, called on data of a size.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/procedures.h"

#include <gsl/gsl_blas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/prototypes.h"

enum prototype
{
#define X(prototype) OF_##prototype,
  GT_PROCEDURE_PROTOTYPES (X)
#undef X
};

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "tuning/measure/procedures.inc"
#include "src/public/each_type.h"

/* DIMENSIONS is how many the number of its products has.  */
static const struct
{
  void (*call) (void *function, const struct gt_procedure_data *data);
  void (*fill) (void *to, size_t side);
  size_t size;
  int dimensions;
} procedures[] = {
#define DIMENSIONS_MATRIX_A 2
#define DIMENSIONS_MATRICES 3
#define DIMENSIONS_SQUARE_AND_MATRIX 3
#define DIMENSIONS_MATRIX_AND_SQUARE 3
#define PROCEDURE_ROW(symbol, family, name, infix, bits, prototype) \
  CALLED (symbol, prototype)
#define CALLED(symbol, prototype)                                   \
  [GT_TAKEN_##symbol - GT_FIRST_PROCEDURE]                          \
    = {NAMED (call_##prototype, _), NAMED (fill, ), sizeof (SCALAR), \
       NAMED_BY (DIMENSIONS_, GT_OPERANDS (prototype), )},
#include "src/preload/rows.inc"
};

/* The side of square matrices of which N products are made.  */
static size_t
side_for (uint64_t n, int dimensions)
{
  const double side = dimensions == 2 ? sqrt ((double) n) : cbrt ((double) n);

  return side < 1.5 ? 1 : (size_t) (side + 0.5);
}

double
gt_procedure_data_make (struct gt_procedure_data *data, enum gt_taken_id id, uint64_t n,
                        size_t most_bytes)
{
  const size_t k = (size_t) (id - GT_FIRST_PROCEDURE), size = procedures[k].size;
  const size_t wanted = side_for (n, procedures[k].dimensions);
  const size_t most = (size_t) sqrt ((double) (most_bytes / size));

  data->id = id;
  data->side = wanted < most ? wanted : most;
  data->a = malloc (3 * data->side * data->side * size);
  if (data->a == NULL)
    return 0;
  data->b = (char *) data->a + data->side * data->side * size;
  data->c = (char *) data->b + data->side * data->side * size;
  procedures[k].fill (data->a, data->side);
  procedures[k].fill (data->b, data->side);
  procedures[k].fill (data->c, data->side);
  return (double) n / pow ((double) data->side, procedures[k].dimensions);
}

void
gt_procedure_data_free (struct gt_procedure_data *data)
{
  free (data->a);
}

void
gt_procedure_call (void *function, const struct gt_procedure_data *data)
{
  procedures[data->id - GT_FIRST_PROCEDURE].call (function, data);
}
