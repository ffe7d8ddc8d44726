/* Sums and extremes of vectors that stay on a GPU, untyped.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_VECTOR_SUM_H
#define GT_DEVICE_VECTOR_SUM_H

#include "src/gpu/device_memory.h"

/* GSL_EDOM when there is no element that could be an extreme; GSL_EFAILED when the
   elements cannot be had any more.  */
int gt_device_memory_reduce (const struct gsltune_device_memory *memory,
                             enum gt_reduction reduction,
                             enum gt_arithmetic arithmetic,
                             union gt_value *value, const char **why);

/* The sum of the elements of COUNT device vectors together, vectors[i] being a pointer to
   the i-th, in the mode in force; finished.  All GPUs that have some of them compute at
   once, while the CPU computes what is on the host; values are merged in the order of
   the vectors.  GSL_EFAILED as above; GSL_ENOMEM.  */
int gt_device_memory_sum_all (const void *vectors, size_t count,
                              enum gt_arithmetic arithmetic,
                              union gt_value *value, const char **why);

#endif
