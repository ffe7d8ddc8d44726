/* Test data whose sums are known exactly, at any length.

   The elements are odd whole numbers, small enough that every partial sum is
   exact in the element's own arithmetic, whatever the order of the additions:
   a kernel is right when its result is equal to the oracle's, and one element
   left out or taken twice always shows.  They repeat with a period that is prime, so
   that no block, stride or window of a power of two sees the same ones again.

   Uniform data shows rounding errors instead: real numbers drawn from [0, 1),
   whole multiples of a small unit, so that their exact sum is still known.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DATA_H
#define GT_DATA_H

#include "kernels/types.h"

struct gt_data
{
  enum gt_arithmetic arithmetic;
  size_t size;      /* bytes of an element */
  size_t period;    /* elements */
  void *pattern;    /* one period */
  int64_t *before;  /* before[i]: the sum of the first i elements, in units,
                       modulo 2^64 */
  long double unit; /* of the elements: 1, or of uniform data 2^-24 or 2^-32 */
};

/* Returns 0, or -1 when memory is short.  */
int gt_data_init (struct gt_data *data, enum gt_arithmetic arithmetic);

/* The same with uniform data, for sums of up to 2^31 elements; integers are as
   ever.  */
int gt_data_init_uniform (struct gt_data *data, enum gt_arithmetic arithmetic);
void gt_data_clear (struct gt_data *data);

/* Writes BYTES bytes of the repeated pattern, from its beginning.  */
void gt_data_fill (const struct gt_data *data, void *buffer, size_t bytes);

/* The exact sum of the elements OFFSET, OFFSET + STRIDE, ..., N of them, in the
   arithmetic's own form (member [0]): of uniform data, rounded once.  */
union gt_sum gt_data_sum (const struct gt_data *data, uint64_t offset,
                          uint64_t n, uint64_t stride);

/* How far member [0] of SUM lies from the exact sum of the first N elements,
   relative to that sum: 0 when it is exact.  */
double gt_data_error (const struct gt_data *data, uint64_t n,
                      const union gt_sum *sum);

/* Whether member [0] of both is the same value.  */
int gt_sum_equal (enum gt_arithmetic arithmetic, const union gt_sum *a,
                  const union gt_sum *b);
/* Member [0] as text.  */
void gt_sum_text (enum gt_arithmetic arithmetic, const union gt_sum *sum,
                  char *text, size_t size);

/* Data that a plain sum gets wrong and a compensated one right: huge elements
   that cancel among ones.  N elements, N a multiple of 4; the sum is N / 2.
   Real arithmetics only.  */
#define GT_CANCELLING_N 4096
void gt_data_cancelling (enum gt_arithmetic arithmetic, void *buffer);

#endif
