/* Sorting by all threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CPU_SORT_H
#define GT_CPU_SORT_H

#include "kernels/cpu/sort/sort.h"

/* Sorts N elements of KIND in their place as gt_sort_elements does, by up to so many threads.
   If memory is short for a few lists, one sorts.  */
void gt_sort (unsigned kind, void *x, size_t n, unsigned threads);

#endif
