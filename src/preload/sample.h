/* Where a program's time goes: samples of the program counter, which see what is not
   counted, too.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SAMPLE_H
#define GT_SAMPLE_H

#include "src/preload/counts.h"

/* Samples this thread and those that it will start, into COUNTS, until they end.  A child
   of fork calls it again.  */
void gt_sample_begin (struct gt_counts *counts);

#endif
