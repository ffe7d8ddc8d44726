/* Reductions over processes: each call sends a head, which says what is called, and a form of
   what the process has, and MPI merges them by one operation of ours, in the order of the ranks.

   The first message of a call has one length, whatever is called: so processes that call
   different functions find that out, and do not wait for messages that nobody sends.  A longer
   form follows in a message of its own when all agree.  Every process sends, whatever has
   happened to it: an error on one process is an error on all.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MPI_MESSAGE_H
#define GT_MPI_MESSAGE_H

#include <mpi.h>

#include "kernels/types.h"
#include "src/gsltune.h"

enum gt_mpi_function
{
  GT_MPI_SUM,
  GT_MPI_ASUM,
  GT_MPI_DOT,
  GT_MPI_NRM2,
  GT_MPI_DSDOT,
  GT_MPI_MERGE,
#define STATISTIC(name, ...) GT_MPI_STATS_##name,
#include "kernels/statistics.def"
  GT_MPI_MAX, /* of this and the next ones the form is a struct gt_mpi_extremes */
  GT_MPI_MIN,
  GT_MPI_MINMAX,
  GT_MPI_MAX_INDEX,
  GT_MPI_MIN_INDEX,
  GT_MPI_MINMAX_INDEX,
  GT_MPI_IAMAX
};

struct gt_mpi_call
{
  enum gt_mpi_function function;
  enum gt_element_type type;
  MPI_Comm comm;
  double given[2]; /* arguments that all processes have alike */
  int status;      /* a GSL error code: of this process, and after a reduction of all */
  int is_reported; /* GSL's error handler has been called for it */
  gsltune_moments *room; /* for merging forms of moments */
};

/* The smallest and the largest element of N, and their indexes.  A long double holds an element of
   any type.  */
struct gt_mpi_extremes
{
  uint64_t n;
  struct
  {
    uint64_t index;
    long double value;
  } of[2];
};

/* Replaces the form, SIZE bytes, by that of all processes.  Returns the call's status, the
   same on all processes; an error has been reported once.  */
int gt_mpi_reduce (struct gt_mpi_call *call, void *form, size_t size);

/* Replaces moments by those of all processes together; M is null if it could not be
   allocated.  */
int gt_mpi_moments (struct gt_mpi_call *call, gsltune_moments *m);

#endif
