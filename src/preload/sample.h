/* Samples of the program counter, which show where a program's time is spent, in calls that
   are not counted, too.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SAMPLE_H
#define GT_SAMPLE_H

#include "src/preload/counts.h"

/* Samples this thread and the threads that it starts, until they end, and adds the samples to
   COUNTS.  A child of fork must call it again.  */
void gt_sample_begin (struct gt_counts *counts);

#endif
