/* Dot products, norms and sums of magnitudes over processes, of one type: a template of
   functions.c, which defines

     TYPE    double or float
     SUFFIX  what names of GSL's vectors have for it: nothing or _float
     LETTER  what names of BLAS have for it
     DOT     the dot product of one process, as a double

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define VECTOR NAMED (gsl_vector, SUFFIX, )
#define ADD(what) NAMED (gsltune_accumulator_add_##what, SUFFIX, )
#define ROUND NAMED (gsltune_accumulator_round, SUFFIX, )
#define NORM NAMED (gsltune_accumulator_norm, SUFFIX, )
#define OURS(name) NAMED (gsltune_mpi_blas_, LETTER, name)
#define LOCAL(name) NAMED (gsltune_blas_, LETTER, name)
#define ARITHMETIC (sizeof (TYPE) == sizeof (double) ? GT_F64 : GT_F32)

/* The sum of products of X and Y over all processes, in the accumulator of SUMS.  */
static int
NAMED (dot, SUFFIX, ) (struct gt_mpi_sums *sums, const VECTOR *x,
                       const VECTOR *y, MPI_Comm comm)
{
  double part = GSL_NAN;

  if (x->size != y->size)
    sums->status = GSL_EBADLEN;
  if (sums->status == GSL_SUCCESS && !sums->exact)
    DOT (x, y, &part);
  if (sums->status == GSL_SUCCESS && isfinite (part))
    add_number (sums, 0, part);
  else if (sums->status == GSL_SUCCESS)
    ADD (products) (sums->acc[0], x, y);
  return gt_mpi_sums_add (sums, comm);
}

/* gsltune_mpi_blas_ddot */
int
OURS (dot) (const VECTOR *x, const VECTOR *y, TYPE *result, MPI_Comm comm)
{
  struct gt_mpi_sums sums
    = begin (GT_MPI_DOT, ARITHMETIC, 1, GSLTUNE_RANGE_PRODUCTS, x->size);

  if (NAMED (dot, SUFFIX, ) (&sums, x, y, comm) == GSL_SUCCESS)
    *result = ROUND (sums.acc[0]);
  gt_mpi_sums_free (&sums);
  return sums.status;
}

/* gsltune_mpi_blas_dnrm2 */
TYPE
OURS (nrm2) (const VECTOR *x, MPI_Comm comm)
{
  struct gt_mpi_sums sums
    = begin (GT_MPI_NRM2, ARITHMETIC, 1, GSLTUNE_RANGE_PRODUCTS, x->size);
  double part = GSL_NAN;
  TYPE norm = (TYPE) GSL_NAN;

  if (sums.status == GSL_SUCCESS && !sums.exact)
    part = (double) LOCAL (nrm2) (x);
  if (sums.status == GSL_SUCCESS && isfinite (part))
    add_product (&sums, 0, part, part);
  else if (sums.status == GSL_SUCCESS)
    ADD (products) (sums.acc[0], x, x);
  if (gt_mpi_sums_add (&sums, comm) == GSL_SUCCESS)
    norm = NORM (sums.acc[0]);
  gt_mpi_sums_free (&sums);
  return norm;
}

/* gsltune_mpi_blas_dasum */
TYPE
OURS (asum) (const VECTOR *x, MPI_Comm comm)
{
  struct gt_mpi_sums sums
    = begin (GT_MPI_ASUM, ARITHMETIC, 1, GSLTUNE_RANGE_SUMS, x->size);
  double part = GSL_NAN;
  TYPE sum = (TYPE) GSL_NAN;

  if (sums.status == GSL_SUCCESS && !sums.exact)
    part = (double) LOCAL (asum) (x);
  if (sums.status == GSL_SUCCESS && isfinite (part))
    add_number (&sums, 0, part);
  else if (sums.status == GSL_SUCCESS)
    ADD (magnitudes) (sums.acc[0], x);
  if (gt_mpi_sums_add (&sums, comm) == GSL_SUCCESS)
    sum = ROUND (sums.acc[0]);
  gt_mpi_sums_free (&sums);
  return sum;
}

#undef VECTOR
#undef ADD
#undef ROUND
#undef NORM
#undef OURS
#undef LOCAL
#undef ARITHMETIC
#undef TYPE
#undef SUFFIX
#undef LETTER
#undef DOT
