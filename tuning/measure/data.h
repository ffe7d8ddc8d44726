/* Test data whose sums are known exactly, for any length.
   The elements are odd whole numbers that are so small that every partial sum is exact in the
   element's own arithmetic, in any order of the additions.  So a kernel is correct if its
   result equals that sum, and an element that is left out or added twice always changes it.
   The elements repeat with a prime period, so that no block, stride or window of a power of
   two contains the same ones again.
   Uniform data shows rounding errors instead: real numbers drawn from [0, 1), multiples of a
   small unit, so that their exact sum is still known.
   Full data is for exact sums, whose time depends on the numbers: real numbers drawn from (-1,
   1) that use nearly all digits of their type.  Their sum is known exactly, too.
   Small data is for several sums at once, of products and powers: odd whole numbers that are
   so small that these sums are also exact in double, in any order.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DATA_H
#define GT_DATA_H

#include "kernels/task.h"

enum gt_data_kind
{
  GT_DATA_WHOLE,
  GT_DATA_UNIFORM,
  GT_DATA_FULL,
  GT_DATA_SMALL
};

struct gt_data
{
  enum gt_data_kind kind;
  enum gt_arithmetic arithmetic;
  size_t size;      /* bytes of an element */
  size_t period;    /* elements */
  void *pattern;    /* one period of the endless pattern */
  long double unit; /* of the elements: a power of two, 1 for whole numbers */
};

/* Returns 0, or -1 if memory is short.  Uniform data is for sums of up to 2^31 elements.
   Integers are whole numbers, or small ones if small data is requested.  */
int gt_data_init (struct gt_data *data, enum gt_arithmetic arithmetic,
                  enum gt_data_kind kind);

/* Returns the kind of data on which PROBLEM is timed and verified.  */
enum gt_data_kind gt_data_kind_for (const struct gt_problem *problem);

void gt_data_clear (struct gt_data *data);

/* Writes BYTES bytes of the repeated pattern, from its beginning.  */
void gt_data_fill (const struct gt_data *data, void *buffer, size_t bytes);

/* Returns the exact sum of the elements OFFSET, OFFSET + STRIDE, ..., N of them, in the
   arithmetic's own form (member [0]), rounded once.  */
union gt_value gt_data_sum (const struct gt_data *data, uint64_t offset,
                          uint64_t n, uint64_t stride);

/* Returns the relative difference of member [0] of SUM from the exact sum of the first N
   elements: 0 if it is exact.  */
double gt_data_error (const struct gt_data *data, uint64_t n,
                      const union gt_value *sum);

/* Returns the next of a sequence of pseudorandom words; it begins with any state except 0.  */
uint64_t gt_random (uint64_t *state);

/* Returns an element as a long double, which represents all elements exactly.  */
long double gt_element (enum gt_arithmetic arithmetic, const void *x);

#endif
