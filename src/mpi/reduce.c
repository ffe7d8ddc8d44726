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

/* The words of an accumulator of RANGE; 0 if there is no such range.  */
static size_t
words_of (gsltune_range range)
{
  return (unsigned) range <= GSLTUNE_RANGE_LONG_DOUBLE
           ? gsltune_accumulator_words (range) : 0;
}

/* Whether MPI can count the words of COUNT accumulators.  */
static int
is_sent (size_t count, size_t words)
{
  return words > 0 && count <= (INT_MAX - GT_MPI_HEADER) / words;
}

static int64_t
signature_of (gsltune_range range)
{
  return gt_mpi_signature (GT_MPI_REDUCE, 0, (int) range & 3);
}

static void
fill (gsltune_mpi_plan *plan, gsltune_accumulator *const acc[])
{
  int status = GSL_SUCCESS;

  for (size_t k = 0; k < plan->count; k++)
    if (gsltune_accumulator_range (acc[k]) > plan->range)
      status = GSL_EINVAL;
  memset (plan->send, 0, length_of (plan) * sizeof *plan->send);
  gt_mpi_begin (plan->send, signature_of (plan->range), length_of (plan),
                status);
  for (size_t k = 0; k < plan->count && status == GSL_SUCCESS; k++)
    gsltune_accumulator_get_words (acc[k], plan->range,
                                   plan->send + GT_MPI_HEADER
                                     + k * plan->words);
}

/* Words that are those of no sum are told by what refuses them, on all processes.  */
static int
give_words (const gsltune_mpi_plan *plan, gsltune_accumulator *const acc[])
{
  int status = GSL_SUCCESS;

  for (size_t k = 0; k < plan->count && status == GSL_SUCCESS; k++)
    status = gsltune_accumulator_set_words (acc[k], plan->range,
                                            plan->receive + GT_MPI_HEADER
                                              + k * plan->words);
  return status;
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

/* Null if no such message can be sent, or memory is short.  */
static gsltune_mpi_plan *
new_plan (size_t count, gsltune_range range, MPI_Comm comm)
{
  const size_t words = words_of (range);
  gsltune_mpi_plan *plan
    = is_sent (count, words) ? calloc (1, sizeof *plan) : NULL;

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

/* Either all processes have a plan or none: they tell each other in a short message what
   they are about.  Returns a GSL error code, the same on all of them, with the reason in
   WHY.  */
static int
make_plan (gsltune_mpi_plan **made, size_t count, gsltune_range range,
           MPI_Comm comm, const char **why)
{
  const size_t words = words_of (range);
  gsltune_mpi_plan *plan = new_plan (count, range, comm);
  int status = gt_mpi_agree (signature_of (range), count * words,
                             !is_sent (count, words) ? GSL_EINVAL
                             : plan == NULL          ? GSL_ENOMEM
                                                     : GSL_SUCCESS,
                             comm, why);

  *made = NULL;
  if (status == GSL_SUCCESS && prepare (plan) != MPI_SUCCESS)
    {
      *why = "MPI_Allreduce_init has failed";
      status = GSL_EFAILED;
    }
  if (status == GSL_SUCCESS)
    *made = plan;
  else if (plan)
    delete_plan (plan);
  return status;
}

gsltune_mpi_plan *
gsltune_mpi_plan_alloc (size_t count, gsltune_range range, MPI_Comm comm)
{
  gsltune_mpi_plan *plan;
  const char *why;
  const int status = make_plan (&plan, count, range, comm, &why);

  if (status)
    GSL_ERROR_NULL (why, status);
  return plan;
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
  const char *why;
  int status;

  if (!plan->started)
    GSL_ERROR ("the plan has not been started", GSL_EINVAL);
  plan->started = 0;
  if (MPI_Wait (&plan->request, MPI_STATUS_IGNORE) != MPI_SUCCESS)
    GSL_ERROR ("MPI_Wait has failed", GSL_EFAILED);
  status = gt_mpi_check (plan->receive, &why);
  if (status)
    GSL_ERROR (why, status);
  return give_words (plan, acc);
}

/* ---------------------------------------------------------------- At once */

/* By a plan for this once, which is made only if all can send.  */
static int
reduce_many (gsltune_accumulator *const acc[], size_t count,
             gsltune_range range, MPI_Comm comm)
{
  gsltune_mpi_plan *plan;
  const char *why;
  int status = make_plan (&plan, count, range, comm, &why);

  if (status)
    GSL_ERROR (why, status);
  status = gsltune_mpi_plan_start (plan, acc);
  if (status == GSL_SUCCESS)
    status = gsltune_mpi_plan_wait (plan, acc);
  gsltune_mpi_plan_free (plan);
  return status;
}

int
gsltune_mpi_reduce (gsltune_accumulator *const acc[], size_t count,
                    gsltune_range range, MPI_Comm comm)
{
  int64_t few[GT_MPI_FIRST] = {0};
  gsltune_mpi_plan plan = {
    .comm = comm, .range = range, .count = count, .words = words_of (range),
    .send = few, .receive = few
  };
  const char *why;
  int status;

  if (!is_sent (count, plan.words) || length_of (&plan) > GT_MPI_FIRST)
    return reduce_many (acc, count, range, comm);
  fill (&plan, acc);
  status = gt_mpi_add (few, GT_MPI_FIRST, comm, &why);
  if (status)
    GSL_ERROR (why, status);
  return give_words (&plan, acc);
}
