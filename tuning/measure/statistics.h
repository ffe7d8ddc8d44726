/* The one statistic of all timings.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_STATISTICS_H
#define GT_STATISTICS_H

/* The median of N numbers, and (MAY be null) their relative spread: half the
   distance of the quartiles over the median.  Sorts VALUES.  */
double gt_median (double *values, unsigned n, double *spread);

/* Between which two of N numbers, sorted, the median lies of all those that they are
   drawn from, whatever their distribution: each bound is wrong once in twenty times
   at most.  Too few numbers have no bounds: those are then 0 and infinity.  */
void gt_median_bounds (const double *sorted, unsigned n, double *low,
                       double *high);

#endif
