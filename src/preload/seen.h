/* What is in the operands of a product.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SEEN_H
#define GT_SEEN_H

#include <stddef.h>

/* The findings about a call's operands.  */
enum
{
  GT_UNDEFINED, /* GSL itself must deal with them: it reports an error, leaves the answer open,
                   or has NaN and infinities that decide which elements of the result are such,
                   as it passes over zeros */
  GT_DEFINED,
  GT_SPARSE,    /* GSL passes over so many zeros that it is faster */
  GT_SIGNED     /* the program sees signs that may differ from GSL's */
};

/* A matrix, a vector as a column, or a number.  TDA counts numbers; SIZE and PART are the bytes
   of a number and of its real part.  */
struct gt_seen
{
  const void *data;
  size_t rows, columns, tda, size, part;
};

/* Returns whether any of LIST, which ends with a null pointer to data, has a NaN or an
   infinity.  */
int gt_has_special (const struct gt_seen list[]);

/* Returns whether of the numbers of a matrix, of SIZE bytes each, nearly all that are looked at
   are zeros.  Of fewer than some thousand PRODUCTS none are looked at.  */
int gt_is_sparse (const void *data, size_t rows, size_t columns, size_t tda, size_t size,
                  size_t products);

#endif
