/* The public functions over processes: extremes and their indexes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>

#include "src/mpi/gsltune-mpi.h"
#include "src/mpi/message.h"

/* Replaces the extremes of this process, E, by those of all; after an error both are NONE.  */
static struct gt_mpi_extremes
of_all (struct gt_mpi_call call, struct gt_mpi_extremes e, double none)
{
  const struct gt_mpi_extremes nothing = {.of = {{0, none}, {0, none}}};

  if (gt_mpi_reduce (&call, &e, sizeof e))
    return nothing;
  if (e.n == 0 && call.function != GT_MPI_IAMAX)
    GSL_ERROR_VAL ("no process has elements, so none is the largest or smallest", GSL_EDOM,
                   nothing);
  return e;
}

#define GT_TEMPLATE "src/mpi/extremes_of.inc"
#include "src/each_type.h"
