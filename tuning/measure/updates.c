/* Calls the updates of vectors of src/procedures.def by their addresses.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/updates.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex.h>
#include <gsl/gsl_vector.h>
#include <stdlib.h>

#include "src/gsltune.h"
#include "src/prototypes.h"

enum prototype
{
#define X(prototype) OF_##prototype,
  GT_UPDATE_PROTOTYPES (X)
#undef X
};

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "tuning/measure/updates.inc"
#include "src/each_type.h"

static const struct update
{
  void (*call) (void *function, const struct gt_update_data *data);
  void (*fill) (void *to, size_t n);
  size_t size;
} updates[] = {
#define UPDATE_ROW(symbol, family, name, infix, bits, prototype) CALLED (symbol, prototype)
#define CALLED(symbol, prototype)       \
  [GT_TAKEN_##symbol - GT_FIRST_UPDATE] \
    = {NAMED (call_##prototype, _), NAMED (fill, ), sizeof (SCALAR)},
#include "src/preload/rows.inc"
};

double
gt_update_data_make (struct gt_update_data *data, enum gt_taken_id id, uint64_t n,
                     const uint64_t stride[2], size_t most_bytes)
{
  const struct update *const update = &updates[id - GT_FIRST_UPDATE];
  const uint64_t most = most_bytes / update->size;
  size_t larger, room;

  for (int k = 0; k < 2; k++)
    data->stride[k] = stride[k] > 0 && stride[k] < most ? stride[k] : 1;
  larger = data->stride[data->stride[1] > data->stride[0]];
  data->n = n <= most / larger ? n : most / larger;
  room = data->n ? data->n * larger : 1;
  data->x = malloc (2 * room * update->size);
  if (data->x == NULL)
    return 0;
  data->y = (char *) data->x + room * update->size;
  update->fill (data->x, 2 * room);
  return data->n ? (double) n / (double) data->n : 1;
}

void
gt_update_call (enum gt_taken_id id, void *function, const struct gt_update_data *data)
{
  updates[id - GT_FIRST_UPDATE].call (function, data);
}
