/* Test data whose sums are known exactly, at any length.

   The elements are odd whole numbers, small enough that every partial sum is
   exact in the element's own arithmetic, whatever the order of the additions:
   a kernel is right when its result is equal to that sum, and one element
   left out or taken twice always shows.  They repeat with a period that is prime, so
   that no block, stride or window of a power of two sees the same ones again.

   Uniform data shows rounding errors instead: real numbers drawn from [0, 1),
   whole multiples of a small unit, so that their exact sum is still known.

   Full data is for exact sums, whose time depends on the numbers: real numbers
   drawn from (-1, 1) that use nearly all digits of their type.  Their sum is
   known exactly too.

   Small data is for several sums at once, of products and powers: odd whole numbers so
   small that these are added exactly, too, in double and in any order.
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
  void *pattern;    /* one period; what repeats it is endless */
  long double unit; /* of the elements: a power of two, 1 for whole numbers */
};

/* Returns 0, or -1 when memory is short.  Uniform data is for sums of up to 2^31
   elements.  Integers are whole numbers, and small ones if these are asked for.  */
int gt_data_init (struct gt_data *data, enum gt_arithmetic arithmetic,
                  enum gt_data_kind kind);

/* The data on which PROBLEM is timed and verified.  */
enum gt_data_kind gt_data_kind_for (const struct gt_problem *problem);

void gt_data_clear (struct gt_data *data);

/* Writes BYTES bytes of the repeated pattern, from its beginning.  */
void gt_data_fill (const struct gt_data *data, void *buffer, size_t bytes);

/* The exact sum of the elements OFFSET, OFFSET + STRIDE, ..., N of them, in the
   arithmetic's own form (member [0]), rounded once.  */
union gt_value gt_data_sum (const struct gt_data *data, uint64_t offset,
                          uint64_t n, uint64_t stride);

/* How far member [0] of SUM lies from the exact sum of the first N elements,
   relative to that sum: 0 when it is exact.  */
double gt_data_error (const struct gt_data *data, uint64_t n,
                      const union gt_value *sum);

/* The next of a sequence of pseudorandom words; it begins at any state but 0.  */
uint64_t gt_random (uint64_t *state);

/* An element, which every long double holds exactly.  */
long double gt_element (enum gt_arithmetic arithmetic, const void *x);

#endif
