/* Queries the program's OpenMP runtime, if there is one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_OPENMP_H
#define GT_OPENMP_H

/* Checks whether the calling thread is in a parallel region of more than one thread.  Returns
   0 once the process has begun to exit.  */
int gt_in_parallel_region (void);

#endif
