/* Messages between processes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/mpi/message.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/mpi/gsltune-mpi.h"

/* Raise it when messages change: processes with different versions report GSL_EINVAL.  */
#define VERSION 9

/* The length of the longest form in a first message: sums of squares.  */
#define FIRST 832

struct head
{
  int32_t version, function, type;
  int32_t error; /* the greatest of GSL's codes, or 0 */
  uint64_t size; /* of the form */
  double given[2];
};

static const char *
reason_of (int error)
{
  return error == GSL_EINVAL
           ? "processes call different functions, or differ in what is given or in the version of"
             " gsltune"
         : error == GSL_ENOMEM ? "a process is short of memory"
         : error == GSL_EBADLEN ? "vectors of a process differ in length"
                                : "MPI has failed";
}

/* ---------------------------------------------------------------- Merging */

/* The current call of this thread; MPI passes no context to the operation.  */
static _Thread_local struct gt_mpi_call *called;

/* Returns a GSL error code, which has been reported.  */
static int
merge_moments (const void *before, void *after, size_t size)
{
  gsltune_moments *const m = called->room;
  int status = gsltune_moments_load (m, before, size);

  if (status == GSL_SUCCESS)
    status = gsltune_moments_merge_saved (m, after, size);
  if (status == GSL_SUCCESS)
    status = gsltune_moments_save (m, after, size);
  called->is_reported |= status != GSL_SUCCESS;
  return status;
}

/* Checks whether the extreme WHICH of LATER replaces the extreme of the elements before it.
   The first NaN precedes all numbers; of equal elements the first wins.  */
static int
is_beyond (int which, long double first, long double later)
{
  return !isnan (first) && (isnan (later) || (which ? later > first : later < first));
}

static void
merge_extremes (const void *before, void *after)
{
  struct gt_mpi_extremes first, later;

  memcpy (&first, before, sizeof first);
  memcpy (&later, after, sizeof later);
  for (int which = 0; which < 2; which++)
    if (later.n == 0
        || (first.n && !is_beyond (which, first.of[which].value, later.of[which].value)))
      later.of[which] = first.of[which];
    else
      later.of[which].index += first.n;
  later.n += first.n;
  memcpy (after, &later, sizeof later);
}

static int
merge_forms (const struct head *head, const void *before, void *after)
{
  uint64_t sum, more;

  if (head->function >= GT_MPI_MAX)
    merge_extremes (before, after);
  else if (head->size == sizeof sum)
    {
      memcpy (&sum, before, sizeof sum);
      memcpy (&more, after, sizeof more);
      sum += more;
      memcpy (after, &sum, sizeof sum);
    }
  else
    return merge_moments (before, after, head->size);
  return GSL_SUCCESS;
}

/* An error takes precedence over a difference, since the head of a failed process is
   incomplete.  */
static void
merge (void *in, void *in_out, int *length, MPI_Datatype *type)
{
  const struct head *const before = in;
  struct head *const after = in_out;
  int bytes;

  (void) length;
  MPI_Type_size (*type, &bytes);
  if (before->error || after->error)
    after->error = before->error > after->error ? before->error : after->error;
  else if (memcmp (before, after, sizeof *before) != 0)
    after->error = GSL_EINVAL;
  else if (sizeof *after + after->size <= (size_t) bytes)
    after->error = merge_forms (after, before + 1, after + 1);
}

/* ---------------------------------------------------------------- Sending */

/* Reduces a MESSAGE of BYTES bytes. Returns 0, or -1 if MPI has failed.  */
static int
send (void *message, size_t bytes, MPI_Comm comm)
{
  MPI_Datatype type;
  MPI_Op op;
  int failed;

  if (MPI_Type_contiguous ((int) bytes, MPI_BYTE, &type) != MPI_SUCCESS)
    return -1;
  failed = MPI_Type_commit (&type) != MPI_SUCCESS
           || MPI_Op_create (merge, 0, &op) != MPI_SUCCESS;
  if (!failed)
    {
      failed = MPI_Allreduce (MPI_IN_PLACE, message, 1, type, op, comm) != MPI_SUCCESS;
      MPI_Op_free (&op);
    }
  MPI_Type_free (&type);
  return failed ? -1 : 0;
}

/* Checks whether COMM is valid for a reduction.  */
static int
check_comm (MPI_Comm comm)
{
  int is_inter = 0;

  if (comm == MPI_COMM_NULL)
    GSL_ERROR ("there are no processes in MPI_COMM_NULL", GSL_EINVAL);
  if (MPI_Comm_test_inter (comm, &is_inter) != MPI_SUCCESS)
    GSL_ERROR ("MPI_Comm_test_inter has failed", GSL_EFAILED);
  if (is_inter)
    GSL_ERROR ("the processes of an intercommunicator are two groups: merge them with"
               " MPI_Intercomm_merge first", GSL_EINVAL);
  return GSL_SUCCESS;
}

int
gt_mpi_reduce (struct gt_mpi_call *call, void *form, size_t size)
{
  struct head head = {VERSION, (int32_t) call->function, (int32_t) call->type, 0, size,
                      {call->given[0] + 0, call->given[1] + 0}};
  struct
  {
    struct head head;
    unsigned char form[FIRST];
  } first = {.form = {0}};
  struct head *message, *last = &first.head;
  int failed = check_comm (call->comm);

  if (failed)
    return call->status = failed;
  message = size > FIRST ? malloc (sizeof head + size) : NULL;
  if (size > FIRST && message == NULL)
    call->status = GSL_ENOMEM;
  first.head = head;
  first.head.error = call->status;
  if (size <= FIRST && size)
    memcpy (first.form, form, size);
  called = call;
  failed = send (&first, sizeof first, call->comm);
  if (!failed && message && first.head.error == 0)
    {
      last = message;
      *message = head;
      memcpy (message + 1, form, size);
      failed = send (message, sizeof head + size, call->comm);
    }
  called = NULL;
  call->status = failed ? GSL_EFAILED : last->error;
  if (call->status == GSL_SUCCESS)
    memcpy (form, last + 1, size);
  else if (!call->is_reported)
    gsl_error (reason_of (call->status), __FILE__, __LINE__, call->status);
  free (message);
  return call->status;
}

int
gt_mpi_moments (struct gt_mpi_call *call, gsltune_moments *m)
{
  const size_t size = m ? gsltune_moments_size (m) : 0;
  void *const form = malloc (size + 1);

  call->room = m;
  call->is_reported = m == NULL;
  if (m == NULL || form == NULL)
    call->status = GSL_ENOMEM;
  else if (call->status == GSL_SUCCESS)
    call->is_reported = (call->status = gsltune_moments_save (m, form, size)) != GSL_SUCCESS;
  if (gt_mpi_reduce (call, form, size) == GSL_SUCCESS)
    call->status = gsltune_moments_load (m, form, size);
  free (form);
  return call->status;
}
