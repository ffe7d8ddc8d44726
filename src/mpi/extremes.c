/* The public functions over processes: extremes, and where they are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "src/mpi/gsltune-mpi.h"
#include "src/mpi/message.h"

#define GT_TEMPLATE "src/mpi/extremes_of.inc"
#include "src/public/each_type.h"

int
gt_mpi_is_beyond (enum gt_element_type type, int which, const void *first, const void *later)
{
  static int (*const is_beyond[]) (int, const void *, const void *) = {
#define X(id, name, infix, ...) [GT_TYPE_##id] = beyond##infix,
    GT_ELEMENT_TYPES (X)
#undef X
  };

  return is_beyond[type](which, first, later);
}

/* The index among all processes' elements of the largest magnitude, which is at index AT of
   the N of this one.  GSL looks for a magnitude above 0: where there is none, not even NaN is
   one, and the index is 0.  */
static CBLAS_INDEX_t
largest_magnitude (enum gt_element_type type, size_t n, size_t at, double magnitude,
                   MPI_Comm comm)
{
  const double value = isnan (magnitude) ? 0 : magnitude;
  struct gt_mpi_call call = {GT_MPI_IAMAX, type, .comm = comm};
  struct gt_mpi_extremes e = {.n = n, .of[1].index = at};

  memcpy (e.of[1].value, &value, sizeof value);
  return gt_mpi_reduce (&call, &e, sizeof e) ? 0 : (CBLAS_INDEX_t) e.of[1].index;
}

CBLAS_INDEX_t
gsltune_mpi_blas_idamax (const gsl_vector *x, MPI_Comm comm)
{
  const size_t at = x->size ? gsltune_blas_idamax (x) : 0;

  return largest_magnitude (GT_TYPE_DOUBLE, x->size, at,
                            x->size ? fabs (x->data[at * x->stride]) : 0, comm);
}

CBLAS_INDEX_t
gsltune_mpi_blas_isamax (const gsl_vector_float *x, MPI_Comm comm)
{
  const size_t at = x->size ? gsltune_blas_isamax (x) : 0;

  return largest_magnitude (GT_TYPE_FLOAT, x->size, at,
                            x->size ? fabs ((double) x->data[at * x->stride]) : 0, comm);
}
