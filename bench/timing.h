/* Waits for threads between timings.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_TIMING_H
#define GT_BENCH_TIMING_H

/* Waits until all other threads are asleep.  They stay awake for a while after a call, in case
   there is another (OpenBLAS': a tenth of a second); the next contender shall not share its
   cores with them.  */
void gt_settle (void);

#endif
