/* Sums over processes: accumulators on their way.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MPI_SUMS_H
#define GT_MPI_SUMS_H

#include "src/gsltune.h"
#include "src/mpi/message.h"

/* What a function has of this process: one or two accumulators of a range, and how many
   elements they are of.  */
struct gt_mpi_sums
{
  gsltune_accumulator *acc[2];
  unsigned count;          /* of accumulators */
  gsltune_range range;
  int64_t signature;
  uint64_t n;
  int exact;               /* what a process has is added exactly */
  int status;              /* a GSL error code of this process */
  int is_told;             /* GSL's error handler has been told of it */
};

/* Allocates the accumulators.  Where memory is short the status says so, and some are
   null: nothing is to be added then, but the call goes on, since the other processes
   wait for it.  */
void gt_mpi_sums_init (struct gt_mpi_sums *sums, unsigned count,
                       gsltune_range range, int64_t signature);
void gt_mpi_sums_free (struct gt_mpi_sums *sums);

/* Replaces the accumulators, the number of elements and the status by those of all
   processes of COMM together; returns the status.  After an error, which GSL's error
   handler is told of once, the accumulators are freed.  */
int gt_mpi_sums_add (struct gt_mpi_sums *sums, MPI_Comm comm);

#endif
