/* Fuzz target: what other processes sent.  An input is the function that this process
   calls, a process that calls it too and differs, and what that has sent: the sum of the
   messages is made here, in the place of MPI.  What is refused leaves accumulators as
   they were.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>

#include "src/mpi/gsltune-mpi.h"
#include "src/mpi/message.h"
#include "tests/fuzz/fuzz.h"

/* ----------------------------------------------------- In the place of MPI */

/* Most of what MPI is given is for others.  */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

static struct gt_fuzz_bytes others; /* what they send */
static int how;                     /* it is added to, or takes the place of, ours */
static size_t size_of_type;         /* of records */
static MPI_User_function *better;
static int64_t words_received[2100]; /* of the last message, without its header */

int
MPI_Comm_test_inter (MPI_Comm comm, int *flag)
{
  *flag = 0;
  return MPI_SUCCESS;
}

int
MPI_Comm_rank (MPI_Comm comm, int *rank)
{
  *rank = how >> 2 & 3;
  return MPI_SUCCESS;
}

int
MPI_Type_contiguous (int count, MPI_Datatype old, MPI_Datatype *type)
{
  size_of_type = (size_t) count;
  *type = MPI_BYTE;
  return MPI_SUCCESS;
}

int
MPI_Type_commit (MPI_Datatype *type)
{
  return MPI_SUCCESS;
}

int
MPI_Type_free (MPI_Datatype *type)
{
  return MPI_SUCCESS;
}

int
MPI_Op_create (MPI_User_function *function, int commute, MPI_Op *op)
{
  better = function;
  return MPI_SUCCESS;
}

int
MPI_Op_free (MPI_Op *op)
{
  better = NULL;
  return MPI_SUCCESS;
}

int
MPI_Exscan (const void *send, void *receive, int count, MPI_Datatype type,
            MPI_Op op, MPI_Comm comm)
{
  gt_fuzz_take (&others, receive, (size_t) count * sizeof (uint64_t));
  return MPI_SUCCESS;
}

/* Modulo 2^64, as processors add.  */
static void
add_others (int64_t *words, int n)
{
  for (int i = 0; i < n; i++)
    {
      uint64_t word;

      gt_fuzz_take (&others, &word, sizeof word);
      if (i < GT_MPI_NUMBER && how & 1) /* a header that agrees with ours */
        word = 0;
      words[i] = (int64_t) (how & 2 ? word : (uint64_t) words[i] + word);
    }
}

/* Records by the operation, which may look at those of others.  */
static void
combine (void *receive, int count, MPI_Datatype type)
{
  const size_t size = (size_t) count * size_of_type;
  void *records = gt_fuzz_allocate (size);

  gt_fuzz_take (&others, records, size);
  better (records, receive, &count, &type);
  free (records);
}

int
MPI_Allreduce (const void *send, void *receive, int count, MPI_Datatype type,
               MPI_Op op, MPI_Comm comm)
{
  if (better)
    combine (receive, count, type);
  else
    add_others (receive, count);
  if (better == NULL && count > GT_MPI_HEADER)
    memcpy (words_received, (int64_t *) receive + GT_MPI_HEADER,
            (size_t) (count - GT_MPI_HEADER) * sizeof (int64_t));
  return MPI_SUCCESS;
}

int
MPI_Reduce (const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
            int root, MPI_Comm comm)
{
  if (receive)
    combine (receive, count, type);
  return MPI_SUCCESS;
}

/* The first process's message replaces the records of others.  */
int
MPI_Bcast (void *records, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  if (how >> 2 & 3)
    gt_fuzz_take (&others, records, (size_t) count * size_of_type);
  return MPI_SUCCESS;
}

int
MPI_Iallreduce (const void *send, void *receive, int count, MPI_Datatype type,
                MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
  memcpy (receive, send, (size_t) count * sizeof (int64_t));
  return MPI_Allreduce (MPI_IN_PLACE, receive, count, type, op, comm);
}

int
MPI_Wait (MPI_Request *request, MPI_Status *status)
{
  return MPI_SUCCESS;
}

#if HAVE_MPI_ALLREDUCE_INIT
static struct
{
  const void *send;
  void *receive;
  int count;
} prepared;

int
MPI_Allreduce_init (const void *send, void *receive, int count,
                    MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                    MPI_Request *request)
{
  prepared.send = send;
  prepared.receive = receive;
  prepared.count = count;
  return MPI_SUCCESS;
}

int
MPI_Start (MPI_Request *request)
{
  return MPI_Iallreduce (prepared.send, prepared.receive, prepared.count,
                         MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, request);
}
#endif
#pragma GCC diagnostic pop

/* ------------------------------------------------------------------ Calls */

#define COMM ((MPI_Comm) (void *) &others)

static double doubles[] = {3, -1e300, 0x1p-1074, 7};
static const gsl_vector vector = {4, 1, doubles, NULL, 0};

static gsltune_accumulator *
new_accumulator (void)
{
  gsltune_accumulator *acc = gsltune_accumulator_alloc ();
  double three = 3;

  GT_FUZZ_CHECK (acc != NULL);
  gsltune_accumulator_add_vector (acc, &(gsl_vector) {1, 1, &three, NULL, 0});
  return acc;
}

static int
same_form (const gsltune_accumulator *a, const gsltune_accumulator *b)
{
  const size_t size = gsltune_accumulator_size ();
  uint8_t *form = gt_fuzz_allocate (2 * size);
  int same;

  gsltune_accumulator_save (a, form, size);
  gsltune_accumulator_save (b, form + size, size);
  same = memcmp (form, form + size, size) == 0;
  free (form);
  return same;
}

/* An accepted message says what its words say.  */
static void
reduce (unsigned which)
{
  const gsltune_range range = (gsltune_range) (which % 3);
  gsltune_accumulator *acc = new_accumulator (), *again = new_accumulator ();

  if (gsltune_mpi_reduce (&acc, 1, range, COMM))
    GT_FUZZ_CHECK (gsltune_accumulator_round (acc) == 3);
  else
    {
      GT_FUZZ_CHECK (gsltune_accumulator_set_words (again, range,
                                                    words_received)
                     == GSL_SUCCESS);
      GT_FUZZ_CHECK (same_form (acc, again));
    }
  gsltune_accumulator_free (acc);
  gsltune_accumulator_free (again);
}

static void
extremes (unsigned which)
{
  static long longs[] = {5, -7, 9};
  const gsl_vector_long v = {3, 1, longs, NULL, 0};
  double min, max;
  size_t imin, imax;

  switch (which % 6)
    {
    case 0:
      gsltune_mpi_vector_max (&vector, COMM);
      break;
    case 1:
      gsltune_mpi_vector_minmax (&vector, &min, &max, COMM);
      break;
    case 2:
      gsltune_mpi_vector_max_index (&vector, COMM);
      break;
    case 3:
      gsltune_mpi_vector_long_minmax_index (&v, &imin, &imax, COMM);
      break;
    case 4:
      gsltune_mpi_blas_idamax (&vector, COMM);
      break;
    default:
      gsltune_mpi_vector_long_min (&v, COMM);
    }
}

static void
sums (unsigned which)
{
  static const gsl_vector_complex pairs = {2, 1, doubles, NULL, 0};
  gsl_complex product;
  double dot;

  switch (which % 14)
    {
    case 13:
      gsltune_mpi_blas_zdotc (&pairs, &pairs, &product, COMM);
      break;
    case 12:
      gsltune_mpi_blas_dznrm2 (&pairs, COMM);
      break;
    case 11:
      gsltune_mpi_blas_izamax (&pairs, COMM);
      break;
    case 10:
      gsltune_mpi_stats_kurtosis (doubles, 1, 4, COMM);
      break;
    case 9:
      gsltune_mpi_stats_absdev (doubles, 1, 4, COMM);
      break;
    case 8:
      gsltune_mpi_stats_wskew (doubles, 1, doubles, 1, 4, COMM);
      break;
    case 7:
      gsltune_mpi_stats_correlation (doubles, 1, doubles, 1, 4, COMM);
      break;
    case 6:
      gsltune_mpi_stats_lag1_autocorrelation (doubles, 1, 4, COMM);
      break;
    case 0:
      gsltune_mpi_vector_sum (&vector, COMM);
      break;
    case 1:
      gsltune_mpi_blas_dasum (&vector, COMM);
      break;
    case 2:
      gsltune_mpi_blas_ddot (&vector, &vector, &dot, COMM);
      break;
    case 3:
      gsltune_mpi_blas_dnrm2 (&vector, COMM);
      break;
    case 4:
      gsltune_mpi_stats_mean (doubles, 1, 4, COMM);
      break;
    default:
      gsltune_mpi_stats_variance (doubles, 1, 4, COMM);
    }
}

int
gt_fuzz_message (const uint8_t *data, size_t size)
{
  static void (*const functions[]) (unsigned) = {reduce, extremes, sums};
  gsl_error_handler_t *before = gsl_set_error_handler_off ();
  unsigned which;

  others = (struct gt_fuzz_bytes) {data, data + size};
  which = gt_fuzz_byte (&others);
  how = gt_fuzz_byte (&others);
  functions[which % 3](which / 3);
  better = NULL;
  gsl_set_error_handler (before);
  return 0;
}
