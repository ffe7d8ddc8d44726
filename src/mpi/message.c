/* What travels between processes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/mpi/message.h"

#include <gsl/gsl_errno.h>
#include <string.h>

int64_t
gt_mpi_signature (enum gt_mpi_function function, int type, int mode)
{
  return 1 + ((GT_MPI_VERSION * 64 + (int) function) * 16 + type) * 4 + mode;
}

/* Which count an error is, and what is said of it.  */
static const struct
{
  int status, count;
  const char *why;
} errors[] = {
  {GSL_EBADLEN, GT_MPI_BAD_LENGTH,
   "vectors of a process differ in length"},
  {GSL_ENOMEM, GT_MPI_NO_MEMORY, "a process is short of memory"},
  {GSL_EINVAL, GT_MPI_INVALID, "an argument of a process is invalid"},
};
#define N_ERRORS (sizeof errors / sizeof *errors)

/* Of a length its last bits, so that the squares of those of 2^30 processes do not
   overflow.  Unequal lengths with the same are 256 KiB apart.  */
#define LENGTH_BITS 0x7fff

/* Whether the processes of COMM can have a result together.  */
static int
check_comm (MPI_Comm comm, const char **why)
{
  int is_inter = 0;

  *why = "there are no processes in MPI_COMM_NULL";
  if (comm == MPI_COMM_NULL)
    return GSL_EINVAL;
  *why = "MPI_Comm_test_inter has failed";
  if (MPI_Comm_test_inter (comm, &is_inter) != MPI_SUCCESS)
    return GSL_EFAILED;
  *why = "the processes of an intercommunicator are two groups: merge them with"
         " MPI_Intercomm_merge first";
  return is_inter ? GSL_EINVAL : GSL_SUCCESS;
}

void
gt_mpi_begin (int64_t *message, int64_t signature, size_t length, int status)
{
  const int64_t bits = (int64_t) (length & LENGTH_BITS);

  memset (message, 0, GT_MPI_HEADER * sizeof *message);
  message[GT_MPI_PROCESSES] = 1;
  message[GT_MPI_SIGNATURE] = signature;
  message[GT_MPI_SIGNATURE_SQUARED] = signature * signature;
  message[GT_MPI_LENGTH] = bits;
  message[GT_MPI_LENGTH_SQUARED] = bits * bits;
  for (size_t i = 0; i < N_ERRORS; i++)
    message[errors[i].count] = errors[i].status == status;
}

/* Whether all processes have sent the same number, whose sum is at SUM and the sum of its
   squares behind.  The sum of squares of k numbers is the square of their sum over k only
   if they are equal (Cauchy and Schwarz).  */
static int
all_equal (const int64_t *message, int sum)
{
  return (__int128) message[sum] * message[sum]
         == (__int128) message[GT_MPI_PROCESSES] * message[sum + 1];
}

int
gt_mpi_check (const int64_t *message, const char **why)
{
  if (!all_equal (message, GT_MPI_SIGNATURE)
      || !all_equal (message, GT_MPI_LENGTH))
    {
      *why = "processes call different functions, or differ in the mode or in"
             " the version of gsltune";
      return GSL_EINVAL;
    }
  for (size_t i = 0; i < N_ERRORS; i++)
    if (message[errors[i].count])
      {
        *why = errors[i].why;
        return errors[i].status;
      }
  return GSL_SUCCESS;
}

int
gt_mpi_add (int64_t *message, size_t length, MPI_Comm comm, const char **why)
{
  const int status = check_comm (comm, why);

  if (status)
    return status;
  if (MPI_Allreduce (MPI_IN_PLACE, message, (int) length, MPI_INT64_T, MPI_SUM,
                     comm) != MPI_SUCCESS)
    {
      *why = "MPI_Allreduce has failed";
      return GSL_EFAILED;
    }
  return gt_mpi_check (message, why);
}

int
gt_mpi_agree (int64_t signature, size_t length, int status, MPI_Comm comm,
              const char **why)
{
  int64_t message[GT_MPI_FIRST] = {0};

  gt_mpi_begin (message, signature, length, status);
  return gt_mpi_add (message, GT_MPI_FIRST, comm, why);
}

void
gt_mpi_put (int64_t *words, uint64_t x)
{
  words[0] = (int64_t) (x & UINT32_MAX);
  words[1] = (int64_t) (x >> 32);
}

uint64_t
gt_mpi_get (const int64_t *words)
{
  return (uint64_t) words[0] + ((uint64_t) words[1] << 32);
}
