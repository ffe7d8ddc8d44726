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

/* The record of a magnitude, at index AT of N complex elements.  */
static void
set_magnitude (struct record *r, size_t n, size_t at, double magnitude)
{
  set (r, LARGEST_MAGNITUDE, &(gsl_vector) {n > 0, 1, &magnitude, NULL, 0}, 0);
  r->head.index = at;
  if (isnan (magnitude))
    r->value = 0;
}

CBLAS_INDEX_t
gsltune_mpi_blas_izamax (const gsl_vector_complex *x, MPI_Comm comm)
{
  const size_t at = x->size ? gsltune_blas_izamax (x) : 0;
  const double *z = x->data + 2 * at * x->stride;
  struct record r;

  set_magnitude (&r, x->size, at, x->size ? fabs (z[0]) + fabs (z[1]) : 0);
  return best (GT_MPI_IZAMAX, &r, 1, x->size, comm) ? 0 : r.head.index;
}

CBLAS_INDEX_t
gsltune_mpi_blas_icamax (const gsl_vector_complex_float *x, MPI_Comm comm)
{
  const size_t at = x->size ? gsltune_blas_icamax (x) : 0;
  const float *z = x->data + 2 * at * x->stride;
  struct record r;

  /* The sum is a float, as GSL has it.  */
  set_magnitude (&r, x->size, at, x->size ? (double) (fabsf (z[0]) + fabsf (z[1])) : 0);
  return best (GT_MPI_ICAMAX, &r, 1, x->size, comm) ? 0 : r.head.index;
}
