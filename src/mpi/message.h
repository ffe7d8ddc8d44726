/* Reductions over processes.  Each call sends a head, which names the function, and a form of
   the process's moments; MPI merges them with one user-defined operation, in the order of the
   ranks.

   The first message has the same length for every function, so that processes that call
   different functions notice it instead of waiting forever.  If all agree, a longer form
   follows in a second message.  Every process sends, even after an error: an error on one
   process is an error on all.
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
  GT_MPI_MAX, /* for this and the following the form is a struct gt_mpi_extremes */
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
  double given[2]; /* arguments that are equal on all processes */
  int status;      /* a GSL error code: of this process; after a reduction, of all */
  int is_reported; /* GSL's error handler has been called for it */
  gsltune_moments *room; /* for merging forms of moments */
};

/* The smallest and the largest element of N, and their indexes.  A long double holds an
   element of any type.  */
struct gt_mpi_extremes
{
  uint64_t n;
  struct
  {
    uint64_t index;
    long double value;
  } of[2];
};

/* Replaces the form, SIZE bytes, by the merged form.  Returns the call's status, the same on
   all processes; an error has been reported once.  */
int gt_mpi_reduce (struct gt_mpi_call *call, void *form, size_t size);

/* Replaces M by the merged moments of all processes; M is null if it could not be
   allocated.  */
int gt_mpi_moments (struct gt_mpi_call *call, gsltune_moments *m);

#endif
