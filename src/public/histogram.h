/* What the histograms of host arrays and of device vectors share.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_HISTOGRAM_H
#define GT_HISTOGRAM_H

#include <stdint.h>

#include "kernels/cpu/bins/bins.h"

/* gt_bins_of (kernels/cpu/bins/bins.h), whatever the caller's rounding.  */
int gt_histogram_bins (struct gt_bins *bins, const double *range, size_t n);

/* Adds TOTALS to N_BINS bins, and GSL_EDOM if there is something in none, whose number is
   the last; else GSL_SUCCESS.  */
int gt_histogram_add (double *bin, const uint64_t *totals, size_t n_bins);

#endif
