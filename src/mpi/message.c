/* Messages between processes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/mpi/message.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
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

/* Messages have the last bits of a length, so that the squares of 2^30 processes' do not
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

/* Begins MESSAGE with what is of this process.  */
static void
begin (int64_t *message, int64_t signature, size_t length, int status,
       uint64_t number)
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
  message[GT_MPI_NUMBER] = (int64_t) (number & UINT32_MAX);
  message[GT_MPI_NUMBER + 1] = (int64_t) (number >> 32);
}

static uint64_t
number_of (const int64_t *message)
{
  return (uint64_t) message[GT_MPI_NUMBER]
         + ((uint64_t) message[GT_MPI_NUMBER + 1] << 32);
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

/* Judges the headers of all processes, which MESSAGE has added up.  Returns a GSL error code,
   the same on all of them, with the reason in WHY.  */
static int
check (const int64_t *message, const char **why)
{
  for (size_t i = 0; i < N_ERRORS; i++)
    if (message[errors[i].count])
      {
        *why = errors[i].why;
        return errors[i].status;
      }
  *why = "processes call different functions, or differ in the mode, in what is given or"
         " in the version of gsltune";
  return all_equal (message, GT_MPI_SIGNATURE) && all_equal (message, GT_MPI_LENGTH)
           ? GSL_SUCCESS : GSL_EINVAL;
}

/* Adds up the LENGTH words of MESSAGE over all processes of COMM, and checks.  */
static int
add (int64_t *message, size_t length, MPI_Comm comm, const char **why)
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
  return check (message, why);
}

int
gt_mpi_agree (int64_t signature, size_t length, int status, MPI_Comm comm,
              uint64_t *number, const char **why)
{
  int64_t message[GT_MPI_FIRST] = {0};

  begin (message, signature, length, status, number ? *number : 0);
  status = add (message, GT_MPI_FIRST, comm, why);
  if (number)
    *number = number_of (message);
  return status;
}

/* The records of the first process, which it sends to the others.  */
static int
reduce_and_send (void *records, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  int rank;

  if (MPI_Comm_rank (comm, &rank) != MPI_SUCCESS
      || MPI_Reduce (rank ? records : MPI_IN_PLACE, rank ? NULL : records, count, type, op, 0,
                     comm) != MPI_SUCCESS)
    return MPI_ERR_OTHER;
  return MPI_Bcast (records, count, type, 0, comm);
}

int
gt_mpi_combine (void *records, int count, size_t size, MPI_User_function *function,
                int in_order, MPI_Comm comm)
{
  MPI_Datatype type;
  MPI_Op op;
  int failed;

  if (MPI_Type_contiguous ((int) size, MPI_BYTE, &type) != MPI_SUCCESS)
    return -1;
  failed = MPI_Type_commit (&type) != MPI_SUCCESS
           || MPI_Op_create (function, 1, &op) != MPI_SUCCESS;
  if (!failed)
    {
      failed = (in_order ? reduce_and_send (records, count, type, op, comm)
                         : MPI_Allreduce (MPI_IN_PLACE, records, count, type, op, comm))
               != MPI_SUCCESS;
      MPI_Op_free (&op);
    }
  MPI_Type_free (&type);
  return failed ? -1 : 0;
}

/* ----------------------------------------------------------- Accumulators */

size_t
gt_mpi_length (const struct gt_mpi_sums *sums)
{
  return GT_MPI_HEADER + sums->count * sums->words;
}

void
gt_mpi_fill (const struct gt_mpi_sums *sums, gsltune_accumulator *const acc[],
             int64_t *message)
{
  const size_t length = gt_mpi_length (sums);

  begin (message, sums->signature, length ^ (size_t) sums->given, sums->status, sums->n);
  memset (message + GT_MPI_HEADER, 0,
          (length - GT_MPI_HEADER) * sizeof *message);
  if (sums->moments && sums->status == GSL_SUCCESS)
    gsltune_moments_get_words (sums->moments, sums->before, message + GT_MPI_HEADER);
  else
    for (size_t k = 0; k < sums->count && sums->status == GSL_SUCCESS; k++)
      gsltune_accumulator_get_words (acc[k], sums->range,
                                     message + GT_MPI_HEADER + k * sums->words);
}

static int
tell (const struct gt_mpi_sums *sums, const char *why)
{
  if (!sums->is_told)
    GSL_ERROR (why, sums->status);
  return sums->status;
}

/* Words that are those of no sum are told by what refuses them, on all processes.  */
static int
give_words (struct gt_mpi_sums *sums, gsltune_accumulator *const acc[],
            const int64_t *message)
{
  sums->n = number_of (message);
  if (sums->moments)
    return sums->status
           = gsltune_moments_set_words (sums->moments, message + GT_MPI_HEADER);
  for (size_t k = 0; k < sums->count && sums->status == GSL_SUCCESS; k++)
    sums->status = gsltune_accumulator_set_words (acc[k], sums->range,
                                                  message + GT_MPI_HEADER
                                                    + k * sums->words);
  return sums->status;
}

int
gt_mpi_take (struct gt_mpi_sums *sums, gsltune_accumulator *const acc[],
             const int64_t *message)
{
  const char *why;

  sums->status = check (message, &why);
  return sums->status ? tell (sums, why) : give_words (sums, acc, message);
}

int
gt_mpi_add_up (struct gt_mpi_sums *sums, gsltune_accumulator *const acc[],
               MPI_Comm comm)
{
  int64_t few[GT_MPI_FIRST] = {0}, *message = few;
  size_t length = gt_mpi_length (sums);
  const char *why;

  if (length <= GT_MPI_FIRST)
    length = GT_MPI_FIRST;
  else
    {
      message = sums->status ? NULL : malloc (length * sizeof *message);
      if (message == NULL && sums->status == GSL_SUCCESS)
        sums->status = GSL_ENOMEM;
      sums->status = gt_mpi_agree (sums->signature, length ^ (size_t) sums->given,
                                   sums->status, comm, NULL, &why);
    }
  if (sums->status == GSL_SUCCESS || message == few)
    {
      gt_mpi_fill (sums, acc, message);
      sums->status = add (message, length, comm, &why);
    }
  if (sums->status)
    tell (sums, why);
  else
    give_words (sums, acc, message);
  if (message != few)
    free (message);
  return sums->status;
}
