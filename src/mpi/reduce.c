/* The public functions over processes: accumulators, several at once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <limits.h>
#include <stdlib.h>

#include "src/mpi/gsltune-mpi.h"
#include "src/mpi/message.h"

/* The sums of COUNT accumulators.  They cannot be sent if there is no such range, or MPI
   cannot count their words.  */
static struct gt_mpi_sums
sums_of (size_t count, gsltune_range range)
{
  const size_t words = (unsigned) range <= GSLTUNE_RANGE_LONG_DOUBLE
                         ? gsltune_accumulator_words (range) : 0;
  const int is_sent
    = words > 0 && count <= (INT_MAX - GT_MPI_HEADER) / words;

  return (struct gt_mpi_sums) {
    .count = is_sent ? count : 0, .words = words, .range = range,
    .signature = gt_mpi_signature (GT_MPI_REDUCE, 0, (int) range & 3),
    .status = is_sent ? GSL_SUCCESS : GSL_EINVAL
  };
}

static void
check_ranges (struct gt_mpi_sums *sums, gsltune_accumulator *const acc[])
{
  for (size_t k = 0; k < sums->count && sums->status == GSL_SUCCESS; k++)
    if (gsltune_accumulator_range (acc[k]) > sums->range)
      sums->status = GSL_EINVAL;
}

int
gsltune_mpi_reduce (gsltune_accumulator *const acc[], size_t count,
                    gsltune_range range, MPI_Comm comm)
{
  struct gt_mpi_sums sums = sums_of (count, range);

  check_ranges (&sums, acc);
  return gt_mpi_add_up (&sums, acc, comm);
}

/* ------------------------------------------------------------------ Plans */

struct gsltune_mpi_plan_struct
{
  MPI_Comm comm;
  MPI_Request request;
  struct gt_mpi_sums sums;
  int started;
  int64_t *send, *receive; /* messages */
};

static int
prepare (gsltune_mpi_plan *plan)
{
#if HAVE_MPI_ALLREDUCE_INIT
  return MPI_Allreduce_init (plan->send, plan->receive,
                             (int) gt_mpi_length (&plan->sums), MPI_INT64_T,
                             MPI_SUM, plan->comm, MPI_INFO_NULL,
                             &plan->request);
#else
  (void) plan;
  return MPI_SUCCESS;
#endif
}

static int
launch (gsltune_mpi_plan *plan)
{
#if HAVE_MPI_ALLREDUCE_INIT
  return MPI_Start (&plan->request);
#else
  return MPI_Iallreduce (plan->send, plan->receive,
                         (int) gt_mpi_length (&plan->sums), MPI_INT64_T,
                         MPI_SUM, plan->comm, &plan->request);
#endif
}

static void
delete_plan (gsltune_mpi_plan *plan)
{
  if (plan)
    free (plan->send);
  free (plan);
}

/* Null where memory is short.  */
static gsltune_mpi_plan *
new_plan (const struct gt_mpi_sums *sums, MPI_Comm comm)
{
  const size_t length = gt_mpi_length (sums);
  gsltune_mpi_plan *plan = malloc (sizeof *plan);
  int64_t *send = calloc (2 * length, sizeof *send);

  if (plan == NULL || send == NULL)
    {
      free (plan);
      free (send);
      return NULL;
    }
  *plan = (gsltune_mpi_plan) {.comm = comm, .request = MPI_REQUEST_NULL,
                              .sums = *sums, .send = send,
                              .receive = send + length};
  return plan;
}

/* Either all processes have a plan or none: they tell each other in a short message what
   they are about.  */
gsltune_mpi_plan *
gsltune_mpi_plan_alloc (size_t count, gsltune_range range, MPI_Comm comm)
{
  struct gt_mpi_sums sums = sums_of (count, range);
  gsltune_mpi_plan *plan = NULL;
  const char *why;

  if (sums.status == GSL_SUCCESS)
    {
      plan = new_plan (&sums, comm);
      sums.status = plan ? GSL_SUCCESS : GSL_ENOMEM;
    }
  sums.status = gt_mpi_agree (sums.signature, gt_mpi_length (&sums),
                              sums.status, comm, NULL, &why);
  if (sums.status == GSL_SUCCESS && prepare (plan) != MPI_SUCCESS)
    {
      why = "MPI_Allreduce_init has failed";
      sums.status = GSL_EFAILED;
    }
  if (sums.status == GSL_SUCCESS)
    return plan;
  delete_plan (plan);
  GSL_ERROR_NULL (why, sums.status);
}

void
gsltune_mpi_plan_free (gsltune_mpi_plan *plan)
{
  if (plan == NULL)
    return;
  if (plan->started)
    MPI_Wait (&plan->request, MPI_STATUS_IGNORE);
  if (plan->request != MPI_REQUEST_NULL)
    MPI_Request_free (&plan->request);
  delete_plan (plan);
}

int
gsltune_mpi_plan_start (gsltune_mpi_plan *plan,
                        gsltune_accumulator *const acc[])
{
  if (plan->started)
    GSL_ERROR ("the plan has been started already", GSL_EINVAL);
  plan->sums.status = GSL_SUCCESS;
  check_ranges (&plan->sums, acc);
  gt_mpi_fill (&plan->sums, acc, plan->send);
  if (launch (plan) != MPI_SUCCESS)
    GSL_ERROR ("MPI has failed to start an addition", GSL_EFAILED);
  plan->started = 1;
  return GSL_SUCCESS;
}

int
gsltune_mpi_plan_test (gsltune_mpi_plan *plan, int *done)
{
  *done = 0;
  if (!plan->started)
    GSL_ERROR ("the plan has not been started", GSL_EINVAL);
  if (MPI_Request_get_status (plan->request, done, MPI_STATUS_IGNORE)
      != MPI_SUCCESS)
    GSL_ERROR ("MPI_Request_get_status has failed", GSL_EFAILED);
  return GSL_SUCCESS;
}

int
gsltune_mpi_plan_wait (gsltune_mpi_plan *plan,
                       gsltune_accumulator *const acc[])
{
  if (!plan->started)
    GSL_ERROR ("the plan has not been started", GSL_EINVAL);
  plan->started = 0;
  if (MPI_Wait (&plan->request, MPI_STATUS_IGNORE) != MPI_SUCCESS)
    GSL_ERROR ("MPI_Wait has failed", GSL_EFAILED);
  return gt_mpi_take (&plan->sums, acc, plan->receive);
}
