/* The public functions over processes: extremes, and where they are.

   When all processes have agreed on what they call, each sends its own extreme with its
   place, and the better of two is found by an operation of ours; where an index is asked
   for they tell each other before how many elements those of lower rank have.  Places differ, so that
   one of two extremes is always better, and the order in which MPI compares them does
   not matter.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "src/base/names.h"
#include "src/mpi/gsltune-mpi.h"
#include "src/mpi/message.h"

enum kind
{
  LARGEST,
  SMALLEST,
  LARGEST_MAGNITUDE
};

/* An extreme's place, and what else a comparison looks at.  */
struct record_head
{
  uint64_t kind, exists, rank, index;
};

static int
comes_before (const struct record_head *a, const struct record_head *b)
{
  return a->rank < b->rank || (a->rank == b->rank && a->index < b->index);
}

/* How many elements the processes of lower rank have, of which there are RANK.  Returns 0,
   or -1.  */
static int
find_offset (uint64_t n, int rank, MPI_Comm comm, uint64_t *offset)
{
  if (MPI_Exscan (&n, offset, 1, MPI_UINT64_T, MPI_SUM, comm) != MPI_SUCCESS)
    return -1;
  if (rank == 0) /* to which MPI_Exscan gives nothing */
    *offset = 0;
  return 0;
}

/* Replaces COUNT records of SIZE bytes by the best of all processes, as BETTER, an
   MPI_User_function, chooses them.  */
static int
find_best (void *records, int count, size_t size, MPI_User_function *better,
           MPI_Comm comm)
{
  MPI_Datatype type;
  MPI_Op op;
  int failed;

  if (MPI_Type_contiguous ((int) size, MPI_BYTE, &type) != MPI_SUCCESS)
    return -1;
  failed = MPI_Type_commit (&type) != MPI_SUCCESS
           || MPI_Op_create (better, 1, &op) != MPI_SUCCESS;
  if (!failed)
    {
      failed = MPI_Allreduce (MPI_IN_PLACE, records, count, type, op, comm)
               != MPI_SUCCESS;
      MPI_Op_free (&op);
    }
  MPI_Type_free (&type);
  return failed ? -1 : 0;
}

#define GT_TEMPLATE "src/mpi/extremes_of.inc"
#include "src/public/each_type.h"

/* GSL looks for a magnitude above 0: where there is none, not even NaN is one, and the
   index is 0.  */
CBLAS_INDEX_t
gsltune_mpi_blas_idamax (const gsl_vector *x, MPI_Comm comm)
{
  struct record r;

  set (&r, LARGEST_MAGNITUDE, x, x->size ? gsltune_blas_idamax (x) : 0);
  r.value = isnan (r.value) ? 0 : fabs (r.value);
  return best (GT_MPI_IAMAX, &r, 1, x->size, comm) ? 0 : r.head.index;
}

CBLAS_INDEX_t
gsltune_mpi_blas_isamax (const gsl_vector_float *x, MPI_Comm comm)
{
  struct record_float r;

  set_float (&r, LARGEST_MAGNITUDE, x, x->size ? gsltune_blas_isamax (x) : 0);
  r.value = isnan (r.value) ? 0 : fabsf (r.value);
  return best_float (GT_MPI_IAMAX, &r, 1, x->size, comm) ? 0 : r.head.index;
}
