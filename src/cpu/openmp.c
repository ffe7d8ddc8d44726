/* Asks OpenMP whether the calling thread is in a parallel region.

   A process may end while a thread of the program still sums.  Libraries are closed
   then, OpenMP's among them, and LLVM's aborts the process when it is asked
   anything afterwards.  So it is not asked any more when exit has begun.  A handler
   that is registered in the first call is run before any library is closed; a
   destructor of ours might be run after OpenMP's.  A thread that has passed the check
   just before may still call a library that is then closed: the window is smaller, not
   gone.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cpu/openmp.h"

#include <stdatomic.h>
#include <stdlib.h>

/* There only if the program has OpenMP.  */
extern int omp_in_parallel (void) __attribute__ ((weak));

static atomic_int ending, watched;

static void
note_end (void)
{
  ending = 1;
}

/* Where the end would come unseen, OpenMP is never asked.  */
int
gt_in_parallel_region (void)
{
  if (!omp_in_parallel)
    return 0;
  if (!watched && !atomic_exchange (&watched, 1) && atexit (note_end))
    note_end ();
  return !ending && omp_in_parallel ();
}
