/* Timing of sums of host vectors, for the tables about them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_TIMING_H
#define GT_BENCH_TIMING_H

/* Waits until the threads of the sum before are asleep.  They stay awake for a
   while after a sum, in case there is another (OpenBLAS': a tenth of a second);
   the next contender shall not share its cores with them.  */
void gt_settle (void);

#endif
