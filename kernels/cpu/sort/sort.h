/* Sorting, selecting and dividing of elements that lie side by side.

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

/* From how many elements on other ways replace inserting each: about where both took the same
   time with AVX2 and AVX-512.  */
#define GT_SORT_QUICKSORT_FROM 25

/* Sorts N elements, of which none is NaN and zeros have one sign, on the calling thread;
   VQSORT_FROM and more by vqsort, where that is there for KIND.  */
void gt_sort_elements (unsigned kind, void *x, size_t n, size_t vqsort_from);
int gt_sort_has_vqsort (unsigned kind);

/* Brings those of N elements that are less than PIVOT, which is none of them, to the front,
   and returns how many they are.  */
size_t gt_sort_divide (unsigned kind, void *x, size_t n, const void *pivot);

/* Bytes of an element.  */
size_t gt_sort_size (unsigned kind);

/* Whether sorting the N elements X of ARITHMETIC by another way might give another
   order than GSL's own function does: one is NaN, or zeros have both signs.  It
   never does for integers.  */
int gt_sort_undecided (enum gt_arithmetic arithmetic, const void *x, size_t n);

/* Counts how many of N elements from X on, or from X backwards, have this relation to THAN,
   one after the other.  It reads whole blocks, so there may be some more.  */
enum gt_sort_relation
{
  GT_SORT_BELOW,
  GT_SORT_ABOVE_BACKWARDS,
  GT_SORT_NOT_BELOW,
  GT_SORT_NOT_ABOVE
};
typedef size_t gt_sort_run_function (const void *x, size_t n, const void *than,
                                     enum gt_sort_relation relation);

/* Returns the one for the instruction set in use, or null if there are no vectors
   of KIND.  */
gt_sort_run_function *gt_sort_run (unsigned kind);

/* The permutation that GSL's sort of an index makes where keys may be equal: sorts N
   numbers, in the order of their indexes, by their upper 32 bits alone, with the same
   exchanges.  */
void gt_sort_as_gsl (uint64_t *x, size_t n);

/* The element that would be the one of index K if the N elements X, STRIDE apart, were
   sorted; K is less than N.  They are exchanged as gsl_stats_select does, so that both
   leave the same, whatever the elements are.  */
#define X(id, name, ctype, real) \
  ctype gt_select_##name (ctype *x, size_t stride, size_t n, size_t k);
GT_ARITHMETICS (X)
#undef X

#endif
