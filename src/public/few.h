/* The part of src/public/few.inc that is the same for all element types.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FEW_H
#define GT_FEW_H

#include <float.h>
#include <math.h>

#include "kernels/inline.h"
#include "src/public/kinds.h"

/* Where a long double is no more than a double few elements would overflow on the
   way.  */
#define FEW(most) (LDBL_MAX_EXP > DBL_MAX_EXP ? (most) : 0)

#define FEW_MAGNITUDE(x) _Generic ((x), long double: fabsl, default: fabs) (x)
#define FEW_ROOT(x) _Generic ((x), long double: sqrtl, default: sqrt) (x)

/* Behind the sums that a reduction makes is that of the magnitudes of one's terms.  */
#define FEW_SIZE GT_MOST_SUMS
#define FEW_SUMS (GT_MOST_SUMS + 1)

/* Which one; none where no term is negative, or nothing is made of that.  */
#define FEW_SIGNED(reduction)                                             \
  ((reduction) == GT_TOTAL || (reduction) == GT_SKEW ? 0u : GT_MOST_SUMS)

#endif
