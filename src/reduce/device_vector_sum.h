/* Sums and extremes of vectors that stay on a GPU; untyped.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_VECTOR_SUM_H
#define GT_DEVICE_VECTOR_SUM_H

#include "src/gpu/device_memory.h"

/* Computes REDUCTION of the elements.  Returns GSL_EDOM if an extreme of an empty vector is
   requested, GSL_EFAILED if a GPU has failed and the elements are lost.  */
int gt_device_memory_reduce (const struct gsltune_device_memory *memory,
                             enum gt_reduction reduction,
                             enum gt_arithmetic arithmetic,
                             union gt_value *value, const char **why);

/* Computes the sum of the elements of COUNT device vectors together, in the current mode;
   VECTORS is an array of pointers to them.  All GPUs that have some of them compute at the
   same time, while the CPU adds the elements on the host; values are merged in the order of
   the vectors.  Returns GSL_EFAILED as above, or GSL_ENOMEM.  */
int gt_device_memory_sum_all (const void *vectors, size_t count,
                              enum gt_arithmetic arithmetic,
                              union gt_value *value, const char **why);

#endif
