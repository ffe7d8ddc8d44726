/* Sorting, dividing and selecting of elements that lie side by side.

   Two kinds are made for the sort of an index: numbers of 64 and of 128 bits, keys above
   and indexes below, which are all different.
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

/* Checks whether this build and the processor sort KIND by vqsort.  The next two are for such
   kinds alone.  */
int gt_sort_has_vqsort (unsigned kind);

/* Sorts N elements, of which none is NaN and zeros have one sign, on the calling thread.  */
void gt_sort_elements (unsigned kind, void *x, size_t n);

/* Brings those of N elements that are less than PIVOT, which is none of them, to the front,
   and returns how many they are.  */
size_t gt_sort_divide (unsigned kind, void *x, size_t n, const void *pivot);

/* Returns the bytes of an element.  */
size_t gt_sort_size (unsigned kind);

/* Checks whether another way to sort the N elements X of ARITHMETIC might give another
   order than GSL's own function does: one is NaN, zeros have both signs, or one is a subnormal
   that comparisons in the current environment take for zero.  */
int gt_sort_undecided (enum gt_arithmetic arithmetic, const void *x, size_t n);

/* Makes the permutation that GSL's sort of an index makes where keys may be equal: sorts N
   numbers, one at least, in the order of their indexes, by their upper 32 bits alone, with
   the same exchanges.  */
void gt_sort_as_gsl (uint64_t *x, size_t n);

/* Returns the element that would be the one of index K if the N elements X, STRIDE apart, were
   sorted; K is less than N.  They are exchanged as gsl_stats_select does, so that both
   leave the same, whatever the elements are.  */
#define X(id, name, ctype, real) \
  ctype gt_select_##name (ctype *x, size_t stride, size_t n, size_t k);
GT_ARITHMETICS (X)
#undef X

#endif
