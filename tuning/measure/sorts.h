/* Calls the sorts of src/procedures.def by their addresses.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SORTS_H
#define GT_SORTS_H

#include <stdint.h>

#include "src/preload/taken.h"

/* The arrangement of the first of two arrays.  */
enum gt_sort_order
{
  GT_SORT_RANDOM,
  GT_SORT_ASCENDING,
  GT_SORT_DESCENDING,
  GT_SORT_FEW_VALUES,
  GT_N_SORT_ORDERS
};

/* Two arrays of N elements, one after the other, and their source: the first in ORDER, the
   second in ascending order.  */
struct gt_sort_data
{
  size_t n;
  void *data, *source, *room;
};

/* Makes data for calls of N elements, or of fewer if N would take more than MOST_BYTES of
   memory.  Returns the factor that N was divided by, or 0 if memory is short.  */
double gt_sort_data_make (struct gt_sort_data *data, enum gt_taken_id id,
                          enum gt_sort_order order, uint64_t n, size_t most_bytes);
void gt_sort_data_free (struct gt_sort_data *data);

/* Restores both arrays and calls FUNCTION.  */
void gt_sort_call (enum gt_taken_id id, void *function, const struct gt_sort_data *data);

#endif
