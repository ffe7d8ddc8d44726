/* Sorting, dividing and selecting of contiguous elements.

   The sort of an index uses two further kinds of elements: numbers of 64 and of 128 bits, with
   the key in the upper half and the index in the lower one, so that all differ.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_SORT_H
#define GT_KERNELS_CPU_SORT_H

#include "kernels/cpu/sort/vqsort.h"
#include "kernels/types.h"

/* A kind of element is a real arithmetic, or numbers of 128 bits.  */
enum
{
  GT_SORT_WIDE = GT_N_ARITHMETICS,
  GT_N_SORT_KINDS
};

/* Checks whether this build and the processor sort KIND by vqsort.  The next two functions
   require that.  */
int gt_sort_has_vqsort (unsigned kind);

/* Sorts N elements on the calling thread.  None may be NaN, and all zeros must have the same
   sign.  */
void gt_sort_elements (unsigned kind, void *x, size_t n);

/* Moves the elements that are less than PIVOT, which is not one of them, to the front, and
   returns their number.  */
size_t gt_sort_divide (unsigned kind, void *x, size_t n, const void *pivot);

/* Returns the bytes of an element.  */
size_t gt_sort_size (unsigned kind);

/* Checks whether another algorithm might order the N elements X of ARITHMETIC differently from
   GSL's function: one is NaN, zeros have both signs, or one is a subnormal that comparisons in
   the current environment treat as zero.  */
int gt_sort_undecided (enum gt_arithmetic arithmetic, const void *x, size_t n);

/* Makes the permutation that GSL's index sort makes if keys may be equal: sorts N >= 1
   numbers, which are given in the order of their indexes, by their upper 32 bits alone, with
   GSL's exchanges.  */
void gt_sort_as_gsl (uint64_t *x, size_t n);

/* Returns the element that would have the index K < N if the N elements X, STRIDE apart, were
   sorted.  Exchanges them exactly as gsl_stats_select does, for any elements.  */
#define X(id, name, ctype, real) \
  ctype gt_select_##name (ctype *x, size_t stride, size_t n, size_t k);
GT_ARITHMETICS (X)
#undef X

#endif
