/* gsltune-mpi: tuned reductions of data on many processes.
   Copyright (C) 2026 The gsltune authors.

   This program is free software: you can redistribute it and/or modify it
   under the terms of the GNU General Public License as published by the Free
   Software Foundation, either version 3 of the License, or (at your option)
   any later version.  It comes with ABSOLUTELY NO WARRANTY; see COPYING.  */

#ifndef GSLTUNE_MPI_H
#define GSLTUNE_MPI_H

#include <gsltune.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#pragma GCC visibility push(default)
#endif

/* Every function here is collective: all processes of COMM call it, each with its own
   elements, possibly none, and all receive the result.  It is the result of the function of
   the same name without mpi_ for all elements together, in the order of the ranks.

   In every mode the result is the exact value, rounded once (sums of integers wrap): it has
   the same bits for any division of the elements among any number of processes.

   An error on one process is an error on all: each reports it once through GSL's error
   handler, with the same code, and returns NaN, or 0 for integers and indexes; *RESULT is
   unchanged.  GSL_EBADLEN: two vectors of a process differ in length.  GSL_EDOM: an extreme
   was requested, and no process has elements.  GSL_EINVAL: the processes differ in the
   function, the version, or the given means and deviations; or COMM is MPI_COMM_NULL or an
   intercommunicator.  GSL_ENOMEM: a process is short of memory.  GSL_EFAILED: MPI has failed,
   and its error handler has returned; it depends on MPI whether the other processes wait, and
   for which result.

   All processes have the same representation of numbers.  MPI is initialised.  The number of
   threads that may call at once is that of MPI's thread level, each with a communicator of its
   own.  */

/* ---------------------------------------------------- Vectors and arrays */

/* Indexes count the elements of all processes, in the order of the ranks.  gsltune.h explains
   [all]; gsltune/mpi_types.h declares the functions of other types.  */
/* [all] */
double gsltune_mpi_vector_sum (const gsl_vector *v, MPI_Comm comm);
double gsltune_mpi_vector_max (const gsl_vector *v, MPI_Comm comm);
double gsltune_mpi_vector_min (const gsl_vector *v, MPI_Comm comm);
void gsltune_mpi_vector_minmax (const gsl_vector *v, double *min_out, double *max_out,
                                MPI_Comm comm);
size_t gsltune_mpi_vector_max_index (const gsl_vector *v, MPI_Comm comm);
size_t gsltune_mpi_vector_min_index (const gsl_vector *v, MPI_Comm comm);
void gsltune_mpi_vector_minmax_index (const gsl_vector *v, size_t *imin, size_t *imax,
                                      MPI_Comm comm);
/* [] */

/* For each function gsltune_stats_NAME in gsltune/statistics.h that returns a statistic
   (extremes are none) and each type, gsltune/mpi_types.h declares

   double gsltune_mpi_stats_NAME (const double data[], size_t stride, size_t n, ...,
                                  MPI_Comm comm)

   Autocorrelations are of the elements in the order of the ranks.  Given means and deviations
   are the same on all processes; a given standard deviation of 0 makes NaN.  */
#include "gsltune/mpi_types.h"

/* ------------------------------------------------------------------- BLAS */

int gsltune_mpi_blas_ddot (const gsl_vector *x, const gsl_vector *y,
                           double *result, MPI_Comm comm);
int gsltune_mpi_blas_sdot (const gsl_vector_float *x,
                           const gsl_vector_float *y, float *result,
                           MPI_Comm comm);
int gsltune_mpi_blas_dsdot (const gsl_vector_float *x,
                            const gsl_vector_float *y, double *result,
                            MPI_Comm comm);
double gsltune_mpi_blas_dnrm2 (const gsl_vector *x, MPI_Comm comm);
float gsltune_mpi_blas_snrm2 (const gsl_vector_float *x, MPI_Comm comm);
double gsltune_mpi_blas_dasum (const gsl_vector *x, MPI_Comm comm);
float gsltune_mpi_blas_sasum (const gsl_vector_float *x, MPI_Comm comm);
CBLAS_INDEX_t gsltune_mpi_blas_idamax (const gsl_vector *x, MPI_Comm comm);
CBLAS_INDEX_t gsltune_mpi_blas_isamax (const gsl_vector_float *x,
                                       MPI_Comm comm);

/* ---------------------------------------------------------------- Moments */

/* Replaces M by the moments of all processes, in the order of their ranks.  So several
   statistics need only one message.  Returns GSL_SUCCESS, or reports the errors above, with M
   unchanged; GSL_EINVAL also if the moments were not made alike.  */
int gsltune_mpi_moments_merge (gsltune_moments *m, MPI_Comm comm);

#if defined __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
