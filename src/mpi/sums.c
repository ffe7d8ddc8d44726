/* Sums over processes: accumulators on their way.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/mpi/sums.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#define N_AT GT_MPI_HEADER
#define WORDS_AT (GT_MPI_HEADER + 2)

void
gt_mpi_sums_init (struct gt_mpi_sums *sums, unsigned count,
                  gsltune_range range, int64_t signature)
{
  *sums = (struct gt_mpi_sums) {
    .count = count, .range = range, .signature = signature
  };
  for (unsigned k = 0; k < count; k++)
    {
      sums->acc[k] = gsltune_accumulator_alloc ();
      if (sums->acc[k] == NULL)
        {
          sums->status = GSL_ENOMEM;
          sums->is_told = 1;
        }
    }
}

void
gt_mpi_sums_free (struct gt_mpi_sums *sums)
{
  for (unsigned k = 0; k < sums->count; k++)
    gsltune_accumulator_free (sums->acc[k]);
  sums->count = 0;
}

/* Adds up MESSAGE, of LENGTH words, WORDS of them an accumulator's.  */
static int
add (struct gt_mpi_sums *sums, int64_t *message, size_t length, size_t words,
     MPI_Comm comm, const char **why)
{
  memset (message, 0, length * sizeof *message);
  gt_mpi_begin (message, sums->signature, length, sums->status);
  gt_mpi_put (message + N_AT, sums->n);
  for (unsigned k = 0; k < sums->count && sums->status == GSL_SUCCESS; k++)
    gsltune_accumulator_get_words (sums->acc[k], sums->range,
                                   message + WORDS_AT + k * words);
  sums->status = gt_mpi_add (message, length, comm, why);
  sums->n = gt_mpi_get (message + N_AT);
  for (unsigned k = 0; k < sums->count && sums->status == GSL_SUCCESS; k++)
    {
      sums->status
        = gsltune_accumulator_set_words (sums->acc[k], sums->range,
                                         message + WORDS_AT + k * words);
      sums->is_told |= sums->status != GSL_SUCCESS;
    }
  return sums->status;
}

/* As add, of a message that needs memory: before, the processes tell each other in the
   first one whether all have it.  */
static int
add_long (struct gt_mpi_sums *sums, size_t length, size_t words, MPI_Comm comm,
          const char **why)
{
  int64_t *message = malloc (length * sizeof *message);

  if (message == NULL && sums->status == GSL_SUCCESS)
    sums->status = GSL_ENOMEM;
  sums->status
    = gt_mpi_agree (sums->signature, length, sums->status, comm, why);
  if (sums->status == GSL_SUCCESS)
    add (sums, message, length, words, comm, why);
  free (message);
  return sums->status;
}

int
gt_mpi_sums_add (struct gt_mpi_sums *sums, MPI_Comm comm)
{
  int64_t message[GT_MPI_FIRST];
  const size_t words = gsltune_accumulator_words (sums->range);
  const size_t length = WORDS_AT + sums->count * words;
  const char *why;

  if (length > GT_MPI_FIRST)
    add_long (sums, length, words, comm, &why);
  else
    add (sums, message, GT_MPI_FIRST, words, comm, &why);
  if (sums->status == GSL_SUCCESS)
    return GSL_SUCCESS;
  gt_mpi_sums_free (sums);
  if (!sums->is_told)
    GSL_ERROR (why, sums->status);
  return sums->status;
}
