/* How what is short is timed on the host.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BATCHES_H
#define GT_BATCHES_H

/* The seconds that one run takes, of so many that all last about AT_LEAST
   seconds.  RUNS does COUNT of them, one after the other.  */
double gt_time_batches (void (*runs) (void *closure, unsigned count),
                        void *closure, double at_least);

#endif
