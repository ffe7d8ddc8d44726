/* What travels between processes: integers that MPI adds, an array of them for each
   collective call.

   The array begins with what tells whether all processes ask for the same: how many they
   are, a signature of the function, the mode and this library's version, and the length,
   whose sums and sums of squares are those of equal numbers only if all are equal.  Then
   come counts of errors, so that one process's error is all processes' error, and what
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

/* The first of these are as many as processes; then what is of one.  */
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
  GT_MPI_HEADER
};

/* The words of products of doubles, as gsltune_accumulator_words says; and the words of a
   first message: the header, a number, and two accumulators of products.  */
#define GT_MPI_FEW_WORDS 137
#define GT_MPI_FIRST (GT_MPI_HEADER + 2 + 2 * GT_MPI_FEW_WORDS)

/* What a function is, 0 to 63.  */
enum gt_mpi_function
{
  GT_MPI_REDUCE,
  GT_MPI_SUM,
  GT_MPI_ASUM,
  GT_MPI_DOT,
  GT_MPI_NRM2,
  GT_MPI_MEAN,
  GT_MPI_VARIANCE,
  GT_MPI_SD,
  GT_MPI_DSDOT,
  GT_MPI_MAX,
  GT_MPI_MIN,
  GT_MPI_MINMAX,
  GT_MPI_MAX_INDEX,
  GT_MPI_MIN_INDEX,
  GT_MPI_MINMAX_INDEX,
  GT_MPI_IAMAX
};

/* The version of the messages: processes that send others do not understand each
   other.  */
#define GT_MPI_VERSION 2

/* The signature of FUNCTION in MODE, of elements of TYPE: below 2^16, so that squares
   of 2^30 processes do not overflow.  */
int64_t gt_mpi_signature (enum gt_mpi_function function, int type, int mode);

/* Begins MESSAGE, of LENGTH words, with what is of this process, of which STATUS, a GSL
   error code, is to be told to all.  */
void gt_mpi_begin (int64_t *message, int64_t signature, size_t length,
                   int status);

/* What all processes have said in the header of MESSAGE, which has been added up: a GSL
   error code, the same on all of them, with the reason in WHY.  */
int gt_mpi_check (const int64_t *message, const char **why);

/* Adds up the LENGTH words of MESSAGE over all processes of COMM, and checks.  */
int gt_mpi_add (int64_t *message, size_t length, MPI_Comm comm,
                const char **why);

/* Tells all processes of COMM the signature and STATUS of this one in a first message
   that has nothing to be added, of a second one of LENGTH words.  Returns as
   gt_mpi_check.  */
int gt_mpi_agree (int64_t signature, size_t length, int status, MPI_Comm comm,
                  const char **why);

/* Two words of 32 bits for a number modulo 2^64, since sums of larger ones would
   overflow; and the number that sums of these stand for.  */
void gt_mpi_put (int64_t *words, uint64_t x);
uint64_t gt_mpi_get (const int64_t *words);

#endif
