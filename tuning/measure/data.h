/* Test data whose sums are known exactly, at any length.

   The elements are odd whole numbers, small enough that every partial sum is
   exact in the element's own arithmetic, whatever the order of the additions:
   a kernel is right when its result is equal to the oracle's, and one element
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

/* A walk over the endless pattern, whose period is prime: whatever the stride, unless it is
   a multiple of that, the walk meets every element once before it returns to its
   first.  */
struct gt_walk
{
  uint64_t at, step; /* elements, modulo the period */
};
struct gt_walk gt_walk_from (const struct gt_data *data, uint64_t offset,
                             uint64_t stride);
const void *gt_walk_next (const struct gt_data *data, struct gt_walk *walk);

/* The exact sum of the elements OFFSET, OFFSET + STRIDE, ..., N of them, in the
   arithmetic's own form (member [0]), rounded once.  */
union gt_value gt_data_sum (const struct gt_data *data, uint64_t offset,
                          uint64_t n, uint64_t stride);

/* The same of their magnitudes.  Real arithmetics only.  */
union gt_value gt_data_magnitudes (const struct gt_data *data, uint64_t offset,
                                   uint64_t n, uint64_t stride);

/* How far member [0] of SUM lies from the exact sum of the first N elements,
   relative to that sum: 0 when it is exact.  */
double gt_data_error (const struct gt_data *data, uint64_t n,
                      const union gt_value *sum);

/* The next of a sequence of pseudorandom words; it begins at any state but 0.  */
uint64_t gt_random (uint64_t *state);

/* An element, which every long double holds exactly; and the bytes that tell of it:
   those of x87's numbers are followed by padding.  */
long double gt_element (enum gt_arithmetic arithmetic, const void *x);
size_t gt_element_bytes (enum gt_arithmetic arithmetic);

/* Whether member [0] of both is the same value.  */
int gt_value_equal (enum gt_arithmetic arithmetic, const union gt_value *a,
                  const union gt_value *b);
/* Whether it has the same bits, in both: zeros have signs, and NaN is NaN.  */
int gt_value_identical (enum gt_arithmetic arithmetic, const union gt_value *a,
                      const union gt_value *b);
/* Member [0] as text.  */
void gt_value_text (enum gt_arithmetic arithmetic, const union gt_value *sum,
                  char *text, size_t size);

/* Numbers that are hard to add, in real arithmetics alone (gt_data_hard).  A plain sum gets
   the first wrong and a compensated one right: huge elements that cancel among ones.  N
   elements, N a multiple of 4; the sum is N / 2.  */
#define GT_CANCELLING_N 4096
union gt_value gt_data_cancelling_sum (enum gt_arithmetic arithmetic);

/* Then vectors of GT_SPECIAL_N elements each, one after the other, with infinities,
   NaN, zeros, and numbers that overflow on the way or for good; and their exact sums,
   or those of their magnitudes.  */
#define GT_N_SPECIALS 7
#define GT_SPECIAL_N 200
union gt_value gt_data_special_sum (enum gt_reduction reduction,
                                    enum gt_arithmetic arithmetic,
                                    unsigned which);

/* Elements of both.  */
#define GT_SIMPLE_HARD_N (GT_CANCELLING_N + GT_N_SPECIALS * GT_SPECIAL_N)

/* For several sums at once there is more that is hard, in pairs of vectors of
   GT_PAIR_N elements each, the first of a pair before the second:

     products    each differs from a whole number by less than its last digit, and
                 these cancel
     weights     zeros, negative ones and NaN among them; and what has no weight, no
                 numbers among it
     wide        of all sizes, of which products over- and underflow
     moderate    of all sizes whose fifth powers do not

   Behind them lies a vector of ones, GT_CANCELLING_N of them.  */
enum gt_hard_pair
{
  GT_HARD_PRODUCTS,
  GT_HARD_WEIGHTS,
  GT_HARD_WIDE,
  GT_HARD_MODERATE,
  GT_N_HARD_PAIRS
};
#define GT_PAIR_N 2048
#define GT_HARD_PAIR_AT(pair) (GT_SIMPLE_HARD_N + 2 * GT_PAIR_N * (size_t) (pair))
#define GT_HARD_ONES_AT GT_HARD_PAIR_AT (GT_N_HARD_PAIRS)

/* Elements of all of them.  */
#define GT_HARD_N (GT_HARD_ONES_AT + GT_CANCELLING_N)

/* Writes them: those that cancel, the special ones, the pairs, the ones; of integers
   none.  */
void gt_data_hard (enum gt_arithmetic arithmetic, void *buffer);

/* ------------------------------------------------- Several sums at once

   What is right for MOMENTS and TERMS of kernels/reductions.def, found element by element
   and without any rounding but that of the terms themselves.  (sums_data.c)  */

/* The right value of TASK, whose vectors lie in the repeated pattern of DATA that begins at
   BASE, where nothing is read.  Of sums of doubles and long doubles the leading
   parts are what is right, rounded to double.  */
union gt_value gt_data_sums (const struct gt_data *data, const void *base,
                             const struct gt_task *task);

/* The same of TASK's own elements.  */
union gt_value gt_sums_one_by_one (const struct gt_task *task);

/* Whether RESULT is what is EXPECTED of PROBLEM: integers and accumulators bit for bit,
   others when rounded to double.  */
int gt_sums_equal (const struct gt_problem *problem,
                   const union gt_value *result,
                   const union gt_value *expected);

/* The first sum in which the two differ, rounded to double, as texts; 0 is the
   first one.  Returns its number.  */
unsigned gt_sums_text (const struct gt_problem *problem,
                       const union gt_value *result,
                       const union gt_value *expected, char *is, char *should,
                       size_t size);

/* ------------------------------------------------------------- Extremes

   The data has no NaN, neither the largest nor the least value of its type, and ties only
   by chance.  What a kernel of extremes gets wrong is therefore planted: numbers that win
   wherever they stand, twice the same, NaN with a payload.  (order_data.c)  */

/* The numbers that can be planted.  Of integers the last four are zero.  */
enum gt_special
{
  GT_NUMBER_LARGEST, /* of reals infinity */
  GT_NUMBER_LEAST,
  GT_NUMBER_ZERO,
  GT_NUMBER_MINUS_ZERO,
  GT_NUMBER_NAN,      /* with a payload */
  GT_NUMBER_OTHER_NAN /* with another one, and the other sign */
};

struct gt_plant
{
  uint64_t at; /* index in the vector */
  enum gt_special number;
};

/* Writes NUMBER as one element.  */
void gt_data_number (enum gt_arithmetic arithmetic, enum gt_special number,
                     void *element);

/* The result of REDUCTION, one of extremes, of the elements OFFSET, OFFSET +
   STRIDE, ... of DATA, N of them, N at least 1.  */
union gt_value gt_data_extreme (const struct gt_data *data,
                                enum gt_reduction reduction, uint64_t offset,
                                uint64_t n, uint64_t stride);

/* The largest sum of both parts' magnitudes among the complex numbers that begin with
   elements OFFSET, OFFSET + 2 STRIDE, ... of DATA.  */
union gt_value gt_data_complex_extreme (const struct gt_data *data, uint64_t offset,
                                        uint64_t n, uint64_t stride);

/* The same among the COUNT elements of PLANT, in the order of their indexes, and none
   other.  */
union gt_value gt_plants_extreme (enum gt_arithmetic arithmetic,
                                  enum gt_reduction reduction,
                                  const struct gt_plant *plant, unsigned count);

/* Whether A and B have the same elements, bit for bit, at the same indexes.  */
int gt_extreme_identical (enum gt_reduction reduction,
                          enum gt_arithmetic arithmetic,
                          const union gt_value *a, const union gt_value *b);

/* "7 at 12", or "-3 at 0 and 7 at 12".  */
void gt_extreme_text (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
                      const union gt_value *value, char *text, size_t size);

#endif
