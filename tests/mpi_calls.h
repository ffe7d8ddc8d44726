/* The calls that a process may make over MPI where others call something else: of each
   function one call, and by number.  For tests/mpi_program.c, whose vector `four' and
   communicator they have.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_MPI_CALLS_H
#define GT_TEST_MPI_CALLS_H

static long integers[] = {1, 2};
static const gsl_vector_long longs = {2, 1, integers, NULL, 0};
static float singles[] = {1, 2};
static const gsl_vector_float floats = {2, 1, singles, NULL, 0};
static long double extended[] = {1, 2};

#define CALLS(X)                                                              \
  X (gsltune_mpi_vector_sum (&four, comm))                                    \
  X (gsltune_mpi_vector_long_sum (&longs, comm))                              \
  X (gsltune_mpi_blas_dasum (&four, comm))                                    \
  X (gsltune_mpi_blas_dnrm2 (&four, comm))                                    \
  X (gsltune_mpi_blas_ddot (&four, &four, &result, comm))                     \
  X (gsltune_mpi_blas_sdot (&floats, &floats, &single, comm))                 \
  X (gsltune_mpi_blas_dsdot (&floats, &floats, &result, comm))                \
  X (gsltune_mpi_blas_idamax (&four, comm))                                   \
  X (gsltune_mpi_blas_isamax (&floats, comm))                                 \
  X (gsltune_mpi_stats_mean (numbers, 1, 4, comm))                            \
  X (gsltune_mpi_stats_variance (numbers, 1, 4, comm))                        \
  X (gsltune_mpi_stats_sd (numbers, 1, 4, comm))                              \
  X (gsltune_mpi_stats_absdev (numbers, 1, 4, comm))                          \
  X (gsltune_mpi_stats_kurtosis (numbers, 1, 4, comm))                        \
  X (gsltune_mpi_stats_lag1_autocorrelation (numbers, 1, 4, comm))            \
  X (gsltune_mpi_stats_wsd (numbers, 1, numbers, 1, 4, comm))                 \
  X (gsltune_mpi_stats_long_double_mean (extended, 1, 2, comm))               \
  X (gsltune_mpi_stats_long_double_variance (extended, 1, 2, comm))           \
  X (gsltune_mpi_vector_max (&four, comm))                                    \
  X (gsltune_mpi_vector_long_max (&longs, comm))                              \
  X (gsltune_mpi_vector_min (&four, comm))                                    \
  X (gsltune_mpi_vector_minmax (&four, &result, &result, comm))               \
  X (gsltune_mpi_vector_max_index (&four, comm))                              \
  X (gsltune_mpi_vector_min_index (&four, comm))                              \
  X (gsltune_mpi_vector_minmax_index (&four, &at, &at, comm))

static void
call (int number)
{
  double result;
  float single;
  size_t at;
  int k = 0;

#define X(what) if (k++ == number) what;
  CALLS (X)
#undef X
}

#define X(what) #what,
static const char *const call_names[] = {CALLS (X)};
#undef X
enum
{
  N_CALLS = sizeof call_names / sizeof *call_names
};

#endif
