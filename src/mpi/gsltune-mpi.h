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

/* Every function here is collective: all processes of COMM call it, each with the
   elements it has, which may be none, and all get the result.  It computes what the
   function of the same name without mpi_ computes of all elements together, those of
   the processes in the order of their ranks.

   In every mode the result is the exact value, rounded once (sums of integers wrap): it has
   the same bits however the elements are shared out, over any number of processes.

   An error on one process is an error on all: each reports it once through GSL's error
   handler, with the same code, and returns NaN, or 0 for integers and indexes; what RESULT
   points to is left as it is. GSL_EBADLEN: two vectors of a process differ in length.
   GSL_EDOM: an extreme of no elements at all.  GSL_EINVAL: the processes differ in the
   function, the version or what is given; or COMM is MPI_COMM_NULL or an intercommunicator.
   GSL_ENOMEM: a process is short of memory.  GSL_EFAILED: MPI has failed, and its error
   handler has returned; what the other processes get then, or whether they wait, is up to MPI.

   All processes have the same representation of numbers.  MPI is initialised, and as
   many threads may call at once as it was asked to allow, each with a communicator of
   its own.  */

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

/* Replaces M by the moments of all processes, made alike, in the order of their ranks.
   Several statistics, and sums that go on, need one message so.  Returns GSL_SUCCESS, or
   reports as above with M as it was, GSL_EINVAL also if they were not made alike.  */
int gsltune_mpi_moments_merge (gsltune_moments *m, MPI_Comm comm);

#if defined __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
