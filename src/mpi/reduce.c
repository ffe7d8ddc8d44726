/* The public functions over processes: accumulators, several at once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "src/mpi/gsltune-mpi.h"
#include "src/mpi/message.h"

struct gsltune_mpi_plan_struct
{
  MPI_Comm comm;
  MPI_Request request;
  gsltune_range range;
  size_t count, words;  /* accumulators, words of each */
  int started;
  int64_t *send, *receive; /* messages; one where MPI needs no two */
};

static size_t
length_of (const gsltune_mpi_plan *plan)
{
  return GT_MPI_HEADER + plan->count * plan->words;
}

/* Whether the words of ACC can be had, without asking for them: a GSL error code.  */
static int
take_words (gsltune_mpi_plan *plan, gsltune_accumulator *const acc[])
{
  int status = GSL_SUCCESS;

  for (size_t k = 0; k < plan->count && status == GSL_SUCCESS; k++)
    status = gsltune_accumulator_get_words (acc[k], plan->range,
                                            plan->send + GT_MPI_HEADER
                                              + k * plan->words);
  return status;
}

static void
fill (gsltune_mpi_plan *plan, gsltune_accumulator *const acc[])
{
  const int64_t signature
    = gt_mpi_signature (GT_MPI_REDUCE, 0, (int) plan->range);
  const int status = take_words (plan, acc);

  if (status)
    memset (plan->send, 0, length_of (plan) * sizeof *plan->send);
  gt_mpi_begin (plan->send, signature, status);
}

static int
give_words (gsltune_mpi_plan *plan, gsltune_accumulator *const acc[])
{
  const char *why;
  const int status = gt_mpi_check (plan->receive, &why);

  if (status)
    GSL_ERROR (why, status);
  for (size_t k = 0; k < plan->count; k++)
    gsltune_accumulator_set_words (acc[k], plan->range,
                                   plan->receive + GT_MPI_HEADER
                                     + k * plan->words);
  return GSL_SUCCESS;
}

/* ------------------------------------------------------------------ Plans */

static int
prepare (gsltune_mpi_plan *plan)
{
#if HAVE_MPI_ALLREDUCE_INIT
  return MPI_Allreduce_init (plan->send, plan->receive, (int) length_of (plan),
                             MPI_INT64_T, MPI_SUM, plan->comm, MPI_INFO_NULL,
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
  return MPI_Iallreduce (plan->send, plan->receive, (int) length_of (plan),
                         MPI_INT64_T, MPI_SUM, plan->comm, &plan->request);
#endif
}

static gsltune_mpi_plan *
new_plan (size_t count, gsltune_range range, size_t words, MPI_Comm comm)
{
  gsltune_mpi_plan *plan = NULL;

  if (words == 0 || count > (INT_MAX - GT_MPI_HEADER) / words)
    return NULL;
  plan = calloc (1, sizeof *plan);
  if (plan == NULL)
    return NULL;
  *plan = (gsltune_mpi_plan) {
    .comm = comm,
    .request = MPI_REQUEST_NULL,
    .range = range,
    .count = count,
    .words = words
  };
  plan->send = calloc (2 * length_of (plan), sizeof *plan->send);
  plan->receive = plan->send ? plan->send + length_of (plan) : NULL;
  if (plan->send)
    return plan;
  free (plan);
  return NULL;
}

static void
delete_plan (gsltune_mpi_plan *plan)
{
  free (plan->send);
  free (plan);
}

gsltune_mpi_plan *
gsltune_mpi_plan_alloc (size_t count, gsltune_range range, MPI_Comm comm)
{
  const size_t words = gsltune_accumulator_words (range);
  gsltune_mpi_plan *plan = new_plan (count, range, words, comm);
  int mine = plan != NULL, all = 0;

  /* Either all processes have a plan or none.  */
  if (MPI_Allreduce (&mine, &all, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS
      && all && prepare (plan) == MPI_SUCCESS)
    return plan;
  if (plan)
    delete_plan (plan);
  if (words == 0)
    return NULL;
  GSL_ERROR_NULL (all ? "MPI has failed"
                      : "a process is short of memory for a plan, or its"
                        " message is too long",
                  all ? GSL_EFAILED : GSL_ENOMEM);
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
  fill (plan, acc);
  if (launch (plan) != MPI_SUCCESS)
    GSL_ERROR ("MPI has failed", GSL_EFAILED);
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
    GSL_ERROR ("MPI has failed", GSL_EFAILED);
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
    GSL_ERROR ("MPI has failed", GSL_EFAILED);
  return give_words (plan, acc);
}

/* ---------------------------------------------------------------- At once */

/* The most words that are kept on the stack.  */
#define FEW_WORDS 640

int
gsltune_mpi_reduce (gsltune_accumulator *const acc[], size_t count,
                    gsltune_range range, MPI_Comm comm)
{
  int64_t few[FEW_WORDS] = {0};
  gsltune_mpi_plan plan = {
    .comm = comm, .range = range, .count = count,
    .words = gsltune_accumulator_words (range), .send = few, .receive = few
  };
  const char *why = "the message is too long";
  int status;

  if (plan.words == 0 || count > (INT_MAX - GT_MPI_HEADER) / plan.words)
    GSL_ERROR (why, GSL_EINVAL);
  if (length_of (&plan) > FEW_WORDS)
    {
      gsltune_mpi_plan *many = gsltune_mpi_plan_alloc (count, range, comm);

      if (many == NULL)
        return GSL_ENOMEM;
      status = gsltune_mpi_plan_start (many, acc);
      if (status == GSL_SUCCESS)
        status = gsltune_mpi_plan_wait (many, acc);
      gsltune_mpi_plan_free (many);
      return status;
    }
  fill (&plan, acc);
  if (MPI_Allreduce (MPI_IN_PLACE, few, (int) length_of (&plan), MPI_INT64_T,
                     MPI_SUM, comm) != MPI_SUCCESS)
    GSL_ERROR ("MPI has failed", GSL_EFAILED);
  return give_words (&plan, acc);
}
