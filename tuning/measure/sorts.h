/* Calls the sorts of src/procedures.def by their addresses.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SORTS_H
#define GT_SORTS_H

#include <stdint.h>

#include "src/preload/taken.h"

/* How the first of two arrays is arranged.  */
enum gt_sort_order
{
  GT_SORT_RANDOM,
  GT_SORT_ASCENDING,
  GT_SORT_DESCENDING,
  GT_SORT_FEW_VALUES,
  GT_N_SORT_ORDERS
};

/* Two arrays of N elements, one behind the other, and where they come from: the first in ORDER,
   the second in ascending order.  */
struct gt_sort_data
{
  size_t n;
  void *data, *source, *room;
};

/* Makes data for calls of N elements, or of the most that MOST_BYTES of memory allow.
   Returns what N was divided by, or 0 when memory is short.  */
double gt_sort_data_make (struct gt_sort_data *data, enum gt_taken_id id,
                          enum gt_sort_order order, uint64_t n, size_t most_bytes);
void gt_sort_data_free (struct gt_sort_data *data);

/* GSL's function and ours.  */
struct gt_sort_pair
{
  void *gsl, *ours;
};
const struct gt_sort_pair *gt_sort_functions (enum gt_taken_id id);

/* A call of FUNCTION, before which both arrays are as they were.  */
void gt_sort_data_restore (enum gt_taken_id id, const struct gt_sort_data *data);
void gt_sort_call (enum gt_taken_id id, void *function, const struct gt_sort_data *data);

#endif
