/* Sorting and selecting of vectors that stay on a GPU; untyped.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_ORDER_H
#define GT_DEVICE_ORDER_H

#include "src/public/device_memory.h"

/* Whether the GPU that has MEMORY is to be asked.  STATUS becomes GSL_SUCCESS, or a GSL error
   code with the reason in WHY.  */
int gt_device_may_ask (const struct gsltune_device_memory *memory, int *status,
                       const char **why);

/* The same of OTHER, which must be on the GPU that has MEMORY.  Work in its stream that uses it
   comes first: it is waited for.  */
int gt_device_is_with (const struct gsltune_device_memory *memory,
                       const struct gsltune_device_memory *other, int *status,
                       const char **why);

/* The functions below return GSL_SUCCESS, or a GSL error code with the reason in WHY.  Where a
   GPU cannot do it, or may not decide it, IS_DONE is 0 and nothing has changed: then the
   elements are to be had on the host, as copies of them.  */

/* Sorts MEMORY in its place; or makes INDEX, of as many numbers of 64 bits, the order of its
   elements, GSL's unless it is to be STABLE.  */
int gt_device_sort (const struct gsltune_device_memory *memory, enum gt_arithmetic arithmetic,
                    const struct gsltune_device_memory *index, int stable, int *is_done,
                    const char **why);

/* Of the ranks K and, if TWO, K + 1 the elements; or, with a MIDDLE, the distances from
   it.  */
int gt_device_select (const struct gsltune_device_memory *memory, enum gt_arithmetic arithmetic,
                      size_t k, int two, const double *middle, uint64_t element[2],
                      int *is_done, const char **why);

/* A packed copy of MEMORY's elements on the host, to be freed; null after GSL_ENOMEM or
   GSL_EFAILED.  */
void *gt_device_copy (const struct gsltune_device_memory *memory, enum gt_arithmetic arithmetic,
                      int *status, const char **why);

#endif
