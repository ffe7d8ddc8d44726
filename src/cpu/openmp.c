/* Asks OpenMP whether the calling thread is in a parallel region.
   A process may exit while one of its threads still sums.  Then libraries are closed,
   including OpenMP's, and LLVM's aborts the process if it is called afterwards.  So it is not
   called any more once exit has begun.  A handler that is registered in the first call runs
   before any library is closed; a destructor of this library might run after OpenMP's.  A
   thread that has passed the check immediately before may still call a library that is being
   closed: this reduces the risk, but does not remove it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cpu/openmp.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Defined only if the program uses OpenMP.  */
extern int omp_in_parallel (void) __attribute__ ((weak));

static atomic_int ending, watched;

static void
note_end (void)
{
  ending = 1;
}

/* If the beginning of exit cannot be noticed, OpenMP is never asked.  */
int
gt_in_parallel_region (void)
{
  if (!omp_in_parallel)
    return 0;
  if (!watched && !atomic_exchange (&watched, 1) && atexit (note_end))
    note_end ();
  return !ending && omp_in_parallel ();
}
