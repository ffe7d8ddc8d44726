/* A message between processes is an array of integers, which MPI adds; each collective call
   has one.

   The array begins with what tells whether all processes ask for the same: how many they
   are, a signature of the function, the mode and this library's version, and the length,
   whose sums and sums of squares are those of equal numbers only if all are equal.  Then
   come counts of errors, which count for more, as processes in trouble do not know all, so that one process's error is all processes' error, and what
   is to be added.  Every process sends, whatever has happened to it.

   The first message of a call has one length, GT_MPI_FIRST, whatever is called: so
   processes that call different functions find that out, and do not wait for messages
   that nobody sends.  What needs more, or another operation, follows when all agree.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MPI_MESSAGE_H
#define GT_MPI_MESSAGE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "src/gsltune.h"

enum
{
  GT_MPI_PROCESSES,
  GT_MPI_SIGNATURE,
  GT_MPI_SIGNATURE_SQUARED,
  GT_MPI_LENGTH,
  GT_MPI_LENGTH_SQUARED,
  GT_MPI_BAD_LENGTH,  /* processes whose vectors differ in length */
  GT_MPI_NO_MEMORY,
  GT_MPI_INVALID,
  GT_MPI_NUMBER, /* modulo 2^64, in two words of 32 bits, since sums of larger ones
                    would overflow */
  GT_MPI_HEADER = GT_MPI_NUMBER + 2
};

/* The words of products of doubles, as gsltune_accumulator_words says; and the words of a
   first message: the header and two accumulators of products.  */
#define GT_MPI_FEW_WORDS 137
#define GT_MPI_FIRST (GT_MPI_HEADER + 2 * GT_MPI_FEW_WORDS)

/* The kind of a function, 0 to 63.  */
enum gt_mpi_function
{
  GT_MPI_REDUCE,
  GT_MPI_SUM,
  GT_MPI_ASUM,
  GT_MPI_DOT,
  GT_MPI_NRM2,
  GT_MPI_DSDOT,
  GT_MPI_SDSDOT,
  GT_MPI_DOTC,
  GT_MPI_MAX,
  GT_MPI_MIN,
  GT_MPI_MINMAX,
  GT_MPI_MAX_INDEX,
  GT_MPI_MIN_INDEX,
  GT_MPI_MINMAX_INDEX,
  GT_MPI_IAMAX,
  GT_MPI_IZAMAX,
  GT_MPI_ICAMAX,
#define STATISTIC(name, ...) GT_MPI_STATS_##name,
#include "kernels/statistics.def"
  GT_MPI_N_FUNCTIONS
};

/* The version of the messages: processes that send others do not understand each
   other.  */
#define GT_MPI_VERSION 6

/* The signature of FUNCTION in MODE, of elements of TYPE: below 2^16, so that squares
   of 2^30 processes do not overflow.  */
int64_t gt_mpi_signature (enum gt_mpi_function function, int type, int mode);

/* Sends a first message that has NUMBER alone to be added, of a call whose last message
   has LENGTH words, and the STATUS of this process, a GSL error code; NUMBER, which may
   be null, receives the sum.  Returns a GSL error code, the same on all processes of
   COMM, with the reason in WHY.  */
int gt_mpi_agree (int64_t signature, size_t length, int status, MPI_Comm comm,
                  uint64_t *number, const char **why);

/* Replaces COUNT records of SIZE bytes by what the FUNCTION makes of those of all processes;
   where its result depends on their order, IN_ORDER, one process's result is that of all.
   Returns 0, or -1 when MPI has failed.  */
int gt_mpi_combine (void *records, int count, size_t size, MPI_User_function *function,
                    int in_order, MPI_Comm comm);

/* Accumulators of a range, or moments, that are added up over processes, and a number beside
   them.  */
struct gt_mpi_sums
{
  size_t count, words; /* accumulators, words of each */
  gsltune_range range;
  gsltune_moments *moments; /* instead of accumulators, if not null; count is 1 then */
  const gsltune_moments *before; /* what comes before them, or null */
  int64_t given;       /* a number below 2^15, the same on all processes */
  int64_t signature;
  uint64_t n;
  int status;          /* a GSL error code: of this process, and then of all */
  int is_told;         /* GSL's error handler has been told of it */
};

/* The words of their message.  */
size_t gt_mpi_length (const struct gt_mpi_sums *sums);

/* Makes MESSAGE, of so many words, what this process has to say.  After an error the
   accumulators are not looked at.  */
void gt_mpi_fill (const struct gt_mpi_sums *sums,
                  gsltune_accumulator *const acc[], int64_t *message);

/* Replaces the accumulators, the number and the status by what MESSAGE, which has been
   added up, says that all processes have together.  Returns the status; GSL's error
   handler is told of an error once.  */
int gt_mpi_take (struct gt_mpi_sums *sums, gsltune_accumulator *const acc[],
                 const int64_t *message);

/* All of this at once, over the processes of COMM.  What is longer than a first message
   needs memory: before, the processes tell each other in a first one whether all have
   it.  */
int gt_mpi_add_up (struct gt_mpi_sums *sums, gsltune_accumulator *const acc[],
                   MPI_Comm comm);

#endif
