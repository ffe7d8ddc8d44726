/* Asks OpenMP, where the program has it, about the calling thread.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_OPENMP_H
#define GT_OPENMP_H

/* Whether the calling thread is in a parallel region of more than one thread.  Not
   any more when the process has begun to end.  */
int gt_in_parallel_region (void);

#endif
