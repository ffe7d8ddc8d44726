/* Calls the sorts of src/procedures.def by their addresses.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/sorts.h"

#include <gsl/gsl_permutation.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_sort_vector.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_vector.h>
#include <stdlib.h>
#include <string.h>

#include "src/gsltune.h"
#include "src/prototypes.h"

enum prototype
{
#define X(prototype) OF_##prototype,
  GT_SORT_PROTOTYPES (X)
#undef X
};

/* Bytes of additional room for each element of a call: a double or an index.  */
#define ROOM (sizeof (double) > sizeof (size_t) ? sizeof (double) : sizeof (size_t))

#define GT_TEMPLATE "tuning/measure/sorts.inc"
#include "src/each_type.h"

static const struct sort
{
  void (*call) (void *function, const struct gt_sort_data *data);
  void (*fill) (void *to, size_t n, enum gt_sort_order order);
  size_t size;
} sorts[] = {
#define SORT_ROW(symbol, family, name, infix, bits, prototype) CALLED (symbol, prototype)
#define CALLED(symbol, prototype)             \
  [GT_TAKEN_##symbol - GT_FIRST_SORT]         \
    = {NAMED (call_##prototype, _), NAMED (fill, ), sizeof (TYPE)},
#include "src/preload/rows.inc"
};

double
gt_sort_data_make (struct gt_sort_data *data, enum gt_taken_id id,
                   enum gt_sort_order order, uint64_t n, size_t most_bytes)
{
  const struct sort *const sort = &sorts[id - GT_FIRST_SORT];
  const size_t size = sort->size, most = most_bytes / (4 * size + ROOM);
  const size_t of_two = (2 * size * (n < most ? n : most) + 63) / 64 * 64;

  data->n = n < most ? n : most;
  data->data = malloc (2 * of_two + data->n * ROOM);
  if (data->data == NULL)
    return 0;
  data->source = (char *) data->data + of_two;
  data->room = (char *) data->source + of_two;
  sort->fill (data->source, data->n, order);
  return (double) n / (double) data->n;
}

void
gt_sort_data_free (struct gt_sort_data *data)
{
  free (data->data);
}

void
gt_sort_call (enum gt_taken_id id, void *function, const struct gt_sort_data *data)
{
  const struct sort *const sort = &sorts[id - GT_FIRST_SORT];

  memcpy (data->data, data->source, 2 * data->n * sort->size);
  sort->call (function, data);
}
