/* Sorting by all threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CPU_SORT_H
#define GT_CPU_SORT_H

#include "kernels/cpu/sort/sort.h"

/* From how many elements on threads share a sort.  */
#define GT_SORT_THREADS_FROM ((size_t) 1 << 18)

/* Sorts N elements of KIND as gt_sort_elements does, by up to THREADS threads.  Several
   need as much scratch memory as the elements take; where that is above the limit, or
   memory is short, one sorts in place.  */
void gt_sort (unsigned kind, void *x, size_t n, unsigned threads);

#endif
