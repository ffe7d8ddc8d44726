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

   In every mode the result is the exact value, rounded once (sums of integers wrap): it has the
   same bits however the elements are shared out, over any number of processes.

   An error on one process is an error on all: each reports it once through GSL's error
   handler, with the same code, and returns NaN, or 0 for integers and indexes; what
   RESULT points to is left as it is.
   GSL_EBADLEN: two vectors of a process differ in length.  GSL_EDOM: an extreme of no
   elements at all.  GSL_EINVAL: the processes differ in the function, the version
   or what is given; or COMM is MPI_COMM_NULL or an intercommunicator.  GSL_ENOMEM: a process is
   short of memory.  GSL_EFAILED: MPI has failed, and its error handler has returned;
   what the other processes get then, or whether they wait, is up to MPI.

   All processes have the same representation of numbers.  MPI is initialised, and as
   many threads may call at once as it was asked to allow, each with a communicator of
   its own.  */

/* -------------------------------------------------- Of vectors and arrays

   For each TYPE of float, long_double, int, uint, long, ulong, short, ushort, char,
   uchar, CTYPE being its C type; for double the names have no TYPE:

   CTYPE gsltune_mpi_vector_TYPE_sum (const gsl_vector_TYPE *v, MPI_Comm comm)
   CTYPE gsltune_mpi_vector_TYPE_max (const gsl_vector_TYPE *v, MPI_Comm comm)
   CTYPE gsltune_mpi_vector_TYPE_min (const gsl_vector_TYPE *v, MPI_Comm comm)
   void gsltune_mpi_vector_TYPE_minmax (const gsl_vector_TYPE *v, CTYPE *min_out,
                                        CTYPE *max_out, MPI_Comm comm)
   size_t gsltune_mpi_vector_TYPE_max_index (const gsl_vector_TYPE *v, MPI_Comm comm)
   size_t gsltune_mpi_vector_TYPE_min_index (const gsl_vector_TYPE *v, MPI_Comm comm)
   void gsltune_mpi_vector_TYPE_minmax_index (const gsl_vector_TYPE *v, size_t *imin,
                                              size_t *imax, MPI_Comm comm)
     Indexes count the elements of all processes, in the order of the ranks.

   double gsltune_mpi_stats_TYPE_mean (const CTYPE data[], size_t stride, size_t n,
                                       MPI_Comm comm)
     and all other statistics of gsltune.h likewise.  Autocorrelations are of the elements in
     the order of the ranks.  What is given is the same on all processes; a given standard
     deviation of 0 makes NaN.  */

#define GSLTUNE_MPI_VECTOR_(infix, ctype, ...)                                     \
  ctype gsltune_mpi_vector##infix##_sum (const gsl_vector##infix *v, MPI_Comm comm); \
  ctype gsltune_mpi_vector##infix##_max (const gsl_vector##infix *v, MPI_Comm comm); \
  ctype gsltune_mpi_vector##infix##_min (const gsl_vector##infix *v, MPI_Comm comm); \
  void gsltune_mpi_vector##infix##_minmax (const gsl_vector##infix *v,        \
                                           ctype *min_out, ctype *max_out,    \
                                           MPI_Comm comm);                    \
  size_t gsltune_mpi_vector##infix##_max_index (const gsl_vector##infix *v,   \
                                                MPI_Comm comm);               \
  size_t gsltune_mpi_vector##infix##_min_index (const gsl_vector##infix *v,   \
                                                MPI_Comm comm);               \
  void gsltune_mpi_vector##infix##_minmax_index (                             \
    const gsl_vector##infix *v, size_t *imin, size_t *imax, MPI_Comm comm)

GSLTUNE_EACH_TYPE_ (GSLTUNE_MPI_VECTOR_, );

/* The prototypes of statistics, as in gsltune.h.  */
#define GSLTUNE_MPI_STATS_OF_ONE_(infix, ctype, name, ...) \
  double gsltune_mpi_stats##infix##_##name (               \
    const ctype data[], size_t stride, size_t n __VA_ARGS__, MPI_Comm comm)
#define GSLTUNE_MPI_STATS_OF_TWO_(infix, ctype, name, ...)                    \
  double gsltune_mpi_stats##infix##_##name (                                  \
    const ctype data1[], size_t stride1, const ctype data2[], size_t stride2, \
    size_t n __VA_ARGS__, MPI_Comm comm)
#define GSLTUNE_MPI_STATS_OF_WEIGHTED_(infix, ctype, name, ...)               \
  double gsltune_mpi_stats##infix##_##name (                                  \
    const ctype w[], size_t wstride, const ctype data[], size_t stride,       \
    size_t n __VA_ARGS__, MPI_Comm comm)
#define GSLTUNE_MPI_STATS_ONE_(...) GSLTUNE_EACH_TYPE_ (GSLTUNE_MPI_STATS_OF_ONE_, __VA_ARGS__)
#define GSLTUNE_MPI_STATS_TWO_(...) GSLTUNE_EACH_TYPE_ (GSLTUNE_MPI_STATS_OF_TWO_, __VA_ARGS__)
#define GSLTUNE_MPI_STATS_WEIGHTED_(...) \
  GSLTUNE_EACH_REAL_TYPE_ (GSLTUNE_MPI_STATS_OF_WEIGHTED_, __VA_ARGS__)
#define STATISTIC(name, a, b, c, d, e, f, result, ...) GSLTUNE_OF_##result##_ (GSLTUNE_MPI_STATS, name);
#include "../../kernels/statistics.def"

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

/* Replaces M by the moments of all processes, made alike, in the order of their ranks.  Several
   statistics, and sums that go on, need one message so.  Returns GSL_SUCCESS, or reports as
   above with M as it was, GSL_EINVAL also if they were not made alike.  */
int gsltune_mpi_moments_merge (gsltune_moments *m, MPI_Comm comm);

#if defined __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
