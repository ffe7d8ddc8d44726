/* Findings about the operands of a product.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SEEN_H
#define GT_SEEN_H

#include <stddef.h>

/* The findings about a call's operands.  */
enum
{
  GT_UNDEFINED, /* GSL itself must compute the result: it reports an error, the result is
                   undefined, or there are NaNs and infinities, whose effect depends on the
                   zeros that GSL skips */
  GT_DEFINED,
  GT_SPARSE,    /* GSL skips so many zeros that it is faster */
  GT_SIGNED     /* the program sees signs that may differ from GSL's */
};

/* A matrix, a vector as a column, or a number.  TDA is in numbers; SIZE and PART are the sizes
   in bytes of a number and of its real part.  */
struct gt_seen
{
  const void *data;
  size_t rows, columns, tda, size, part;
};

/* Returns whether any operand in LIST, which ends with a null pointer to data, has a NaN or an
   infinity.  */
int gt_has_special (const struct gt_seen list[]);

/* Returns whether almost all of the examined elements of a matrix are zero.  If there are
   fewer than some thousand PRODUCTS, none are examined.  */
int gt_is_sparse (const void *data, size_t rows, size_t columns, size_t tda, size_t size,
                  size_t products);

#endif
