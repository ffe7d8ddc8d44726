/* The extremes of test data, and elements that are planted into it.

   The data itself has no NaN, neither the largest nor the least value of its type, and
   ties only by chance.  What a kernel of extremes gets wrong is therefore planted:
   numbers that win wherever they stand, twice the same, NaN with a payload.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ORDER_DATA_H
#define GT_ORDER_DATA_H

#include "kernels/reductions.h"
#include "tuning/measure/data.h"

/* What can be planted.  Of integers the last four are zero.  */
enum gt_number
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
  enum gt_number number;
};

/* Writes NUMBER as one element.  */
void gt_data_number (enum gt_arithmetic arithmetic, enum gt_number number,
                     void *element);

/* What REDUCTION, one of extremes, finds among the elements OFFSET, OFFSET +
   STRIDE, ... of DATA, N of them, N at least 1.  */
union gt_value gt_data_extreme (const struct gt_data *data,
                                enum gt_reduction reduction, uint64_t offset,
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
