/* Sums, means and variances over processes, of one type of element: a template of
   src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define VECTOR NAMED (gsl_vector, )

/* ------------------------------------------------------------------- Sums */

#if REAL
/* Rounds to the type.  */
#define ROUND(acc)                                               \
  ((TYPE) (ARITHMETIC == GT_LDBL                                 \
             ? gsltune_accumulator_round_long_double (acc)       \
           : ARITHMETIC == GT_F32                                \
             ? (long double) gsltune_accumulator_round_float (acc) \
             : (long double) gsltune_accumulator_round (acc)))

static void
NAMED (add_sum, ) (struct gt_mpi_sums *sums, const VECTOR *v)
{
  TYPE part = sums->exact ? (TYPE) GSL_NAN : NAMED (gsltune_vector, _sum) (v);
  const VECTOR number = {1, 1, &part, NULL, 0};

  NAMED (gsltune_accumulator_add_moments, ) (sums->acc[0], NULL,
                                             isfinite (part) ? &number : v);
}

/* gsltune_mpi_vector_sum */
TYPE
NAMED (gsltune_mpi_vector, _sum) (const VECTOR *v, MPI_Comm comm)
{
  struct gt_mpi_sums sums
    = begin (GT_MPI_SUM, ARITHMETIC, 1,
             ARITHMETIC == GT_LDBL ? GSLTUNE_RANGE_LONG_DOUBLE
                                   : GSLTUNE_RANGE_SUMS, v->size);
  TYPE sum = (TYPE) GSL_NAN;

  if (sums.status == GSL_SUCCESS)
    NAMED (add_sum, ) (&sums, v);
  if (gt_mpi_sums_add (&sums, comm) == GSL_SUCCESS)
    sum = ROUND (sums.acc[0]);
  gt_mpi_sums_free (&sums);
  return sum;
}
#undef ROUND
#else

/* gsltune_mpi_vector_int_sum, which wraps as that of one process does.  */
TYPE
NAMED (gsltune_mpi_vector, _sum) (const VECTOR *v, MPI_Comm comm)
{
  int64_t message[GT_MPI_FIRST] = {0};
  const int64_t signature = gt_mpi_signature (GT_MPI_SUM, (int) ARITHMETIC,
                                              (int) gsltune_get_mode ());
  const char *why;
  int status;

  gt_mpi_begin (message, signature, GT_MPI_FIRST, GSL_SUCCESS);
  gt_mpi_put (message + GT_MPI_HEADER,
              (uint64_t) NAMED (gsltune_vector, _sum) (v));
  status = gt_mpi_add (message, GT_MPI_FIRST, comm, &why);
  if (status)
    GSL_ERROR_VAL (why, status, 0);
  return (TYPE) gt_mpi_get (message + GT_MPI_HEADER);
}
#endif

/* -------------------------------------------------------------- Statistics */

static double
NAMED (statistic, ) (enum gt_mpi_function function, const TYPE data[],
                     size_t stride, size_t n, MPI_Comm comm)
{
  const VECTOR v = {n, stride, (TYPE *) data, NULL, 0};
  struct gt_mpi_sums sums
    = begin (function, ARITHMETIC, function == GT_MPI_MEAN ? 1 : 2,
             ARITHMETIC == GT_LDBL        ? GSLTUNE_RANGE_LONG_DOUBLE
             : function == GT_MPI_MEAN ? GSLTUNE_RANGE_SUMS
                                       : GSLTUNE_RANGE_PRODUCTS, n);

  if (sums.status == GSL_SUCCESS && n > 0
      && (sums.exact || !REAL
          || !add_rounded_moments (
            &sums, (double) n, NAMED (gsltune_stats, _mean) (data, stride, n),
            sums.count == 2 ? NAMED (gsltune_stats, _tss) (data, stride, n)
                            : 0)))
    NAMED (gsltune_accumulator_add_moments, ) (
      sums.acc[0], sums.count == 2 ? sums.acc[1] : NULL, &v);
  return end_statistic (&sums, function, comm);
}

/* gsltune_mpi_stats_mean */
double
NAMED (gsltune_mpi_stats, _mean) (const TYPE data[], size_t stride, size_t n,
                                  MPI_Comm comm)
{
  return NAMED (statistic, ) (GT_MPI_MEAN, data, stride, n, comm);
}

/* gsltune_mpi_stats_variance */
double
NAMED (gsltune_mpi_stats, _variance) (const TYPE data[], size_t stride,
                                      size_t n, MPI_Comm comm)
{
  return NAMED (statistic, ) (GT_MPI_VARIANCE, data, stride, n, comm);
}

/* gsltune_mpi_stats_sd */
double
NAMED (gsltune_mpi_stats, _sd) (const TYPE data[], size_t stride, size_t n,
                                MPI_Comm comm)
{
  return NAMED (statistic, ) (GT_MPI_SD, data, stride, n, comm);
}

#undef VECTOR
