/* Sorting by several threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CPU_SORT_H
#define GT_CPU_SORT_H

#include "kernels/cpu/sort/sort.h"

/* Sorts N elements of KIND in place, like gt_sort_elements, by at most THREADS threads.  If
   there is no memory for a few lists, one thread sorts.  */
void gt_sort (unsigned kind, void *x, size_t n, unsigned threads);

#endif
