/* Statistics in whole numbers (kernels/rational.h), on the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RATIONAL_H
#define GT_RATIONAL_H

#include <float.h>

#include "kernels/rational.h"
#include "src/public/kinds.h"

/* The most of a long double's that words_of returns, its units being those of
   accumulators (kernels/cpu/wide/long_double.h).  */
#define MOST_WORDS ((LDBL_MAX_EXP - LDBL_MIN_EXP + 3 * LDBL_MANT_DIG) / 64 + 4)

/* Computes R's formula, which reaches as R says, of its power sums.  */
double gt_rational_compute (struct gt_rational *r);

#endif
