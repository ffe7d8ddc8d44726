/* The public accumulators: exact sums, put together from pieces.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "kernels/cpu/superaccumulator.h"
#include "src/gsltune.h"

/* Long double is rare and takes fifteen times the words, so these are looked at
   only once it has come.  The sum is that of both.  */
struct gsltune_accumulator_struct
{
  struct gt_superaccumulator narrow;
  struct gt_wide_superaccumulator wide;
  int uses_wide;
};

gsltune_accumulator *
gsltune_accumulator_alloc (void)
{
  gsltune_accumulator *acc = calloc (1, sizeof *acc);

  if (acc == NULL)
    GSL_ERROR_NULL ("failed to allocate space for an accumulator", GSL_ENOMEM);
  return acc;
}

void
gsltune_accumulator_free (gsltune_accumulator *acc)
{
  free (acc);
}

int
gsltune_accumulator_reset (gsltune_accumulator *acc)
{
  gt_super_clear (&acc->narrow);
  if (acc->uses_wide)
    memset (&acc->wide, 0, sizeof acc->wide);
  acc->uses_wide = 0;
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_vector (gsltune_accumulator *acc, const gsl_vector *v)
{
  gt_super_add_array_f64 (&acc->narrow, v->data, v->size, v->stride);
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_vector_float (gsltune_accumulator *acc,
                                      const gsl_vector_float *v)
{
  gt_super_add_array_f32 (&acc->narrow, v->data, v->size, v->stride);
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_vector_long_double (gsltune_accumulator *acc,
                                            const gsl_vector_long_double *v)
{
  gt_wide_add_array (&acc->wide, v->data, v->size, v->stride);
  acc->uses_wide = 1;
  return GSL_SUCCESS;
}

int
gsltune_accumulator_merge (gsltune_accumulator *acc,
                           const gsltune_accumulator *other)
{
  gt_super_merge (&acc->narrow, &other->narrow);
  if (other->uses_wide)
    gt_wide_merge (&acc->wide, &other->wide);
  acc->uses_wide |= other->uses_wide;
  return GSL_SUCCESS;
}

/* --------------------------------------------------------------- Rounding */

/* All of it in wide words.  */
static void
widen (struct gt_wide_superaccumulator *all, const gsltune_accumulator *acc)
{
  if (acc->uses_wide)
    *all = acc->wide;
  else
    memset (all, 0, sizeof *all);
  gt_wide_merge_narrow (all, &acc->narrow);
}

/* Not inlined: 8 KiB of stack are for accumulators of long doubles alone.  */
__attribute__ ((noinline)) static double
round_wide (const gsltune_accumulator *acc)
{
  struct gt_wide_superaccumulator all;

  widen (&all, acc);
  return gt_wide_round (&all);
}

__attribute__ ((noinline)) static float
round_wide_float (const gsltune_accumulator *acc)
{
  struct gt_wide_superaccumulator all;

  widen (&all, acc);
  return gt_wide_round_float (&all);
}

double
gsltune_accumulator_round (const gsltune_accumulator *acc)
{
  struct gt_superaccumulator narrow;

  if (acc->uses_wide)
    return round_wide (acc);
  narrow = acc->narrow;
  return gt_super_round (&narrow);
}

float
gsltune_accumulator_round_float (const gsltune_accumulator *acc)
{
  struct gt_superaccumulator narrow;

  if (acc->uses_wide)
    return round_wide_float (acc);
  narrow = acc->narrow;
  return gt_super_round_float (&narrow);
}

long double
gsltune_accumulator_round_long_double (const gsltune_accumulator *acc)
{
  struct gt_wide_superaccumulator all;

  widen (&all, acc);
  return gt_wide_round_long_double (&all);
}

/* ------------------------------------------------------ The portable form */

#define HEADER 16
#define KIND 8
#define SIZE (HEADER + 4 * GT_WIDE_WORDS)

static const unsigned char magic[KIND] = {'g', 's', 'l', 't', 'a', 'c', 'c', 1};

enum kind
{
  FINITE,
  INFINITE,
  MINUS_INFINITE,
  NOT_A_NUMBER,
  N_KINDS
};

/* The flags of each.  */
static const uint32_t kind_flags[N_KINDS]
  = {0, GT_SUPER_PLUS_INFINITY, GT_SUPER_MINUS_INFINITY, GT_SUPER_NAN};

static enum kind
kind_of (uint32_t flags)
{
  if (gt_super_is_nan (flags))
    return NOT_A_NUMBER;
  return flags == 0                        ? FINITE
         : flags == GT_SUPER_PLUS_INFINITY ? INFINITE
                                           : MINUS_INFINITE;
}

size_t
gsltune_accumulator_size (void)
{
  return SIZE;
}

int
gsltune_accumulator_save (const gsltune_accumulator *acc, void *buffer,
                          size_t size)
{
  struct gt_wide_superaccumulator all;
  unsigned char *form = buffer;
  enum kind kind;

  if (size != SIZE)
    GSL_ERROR ("the buffer is not as long as an accumulator's form",
               GSL_EBADLEN);
  widen (&all, acc);
  gt_wide_normalise (&all);
  kind = kind_of (all.flags);
  memset (form, 0, SIZE);
  memcpy (form, magic, sizeof magic);
  form[KIND] = (unsigned char) kind;
  if (kind == FINITE)
    for (int i = 0; i < GT_WIDE_WORDS; i++)
      for (int k = 0; k < 4; k++)
        form[HEADER + 4 * i + k] = (unsigned char) (all.word[i] >> 8 * k);
  return GSL_SUCCESS;
}

/* The words of FORM, normalised.  */
static void
read_words (int64_t *word, const unsigned char *form)
{
  for (int i = 0; i < GT_WIDE_WORDS; i++)
    {
      const unsigned char *byte = form + HEADER + 4 * i;
      word[i] = byte[0] | byte[1] << 8 | byte[2] << 16
                | (int64_t) byte[3] << 24;
    }
  if (form[SIZE - 1] & 0x80)
    word[GT_WIDE_WORDS - 1] -= (int64_t) 1 << 32;
}

/* Whether WORD, normalised, is a sum of at most 2^64 elements: no element has
   the lowest four bits, and their sum is less than bit 32946 (the last word
   begins at bit 32928).  */
static int
is_a_sum (const int64_t *word)
{
  const int64_t last = word[GT_WIDE_WORDS - 1], limit = (int64_t) 1 << 18;

  return (word[0] & 15) == 0 && -limit <= last && last < limit;
}

static int
all_are (const int64_t *word, int n, int64_t value)
{
  for (int i = 0; i < n; i++)
    if (word[i] != value)
      return 0;
  return 1;
}

/* Whether the words from the last of a struct gt_superaccumulator upward are
   nothing but the sign, and those below its first are 0.  */
static int
fits_narrow (const int64_t *word)
{
  const int end = GT_WIDE_OFFSET + GT_SUPER_WORDS - 1;
  const int rest = GT_WIDE_WORDS - 1 - end;
  const int64_t last = word[GT_WIDE_WORDS - 1];

  return (last == 0 || last == -1) && all_are (word, GT_WIDE_OFFSET, 0)
         && all_are (word + end, rest, last & 0xffffffff);
}

int
gsltune_accumulator_load (gsltune_accumulator *acc, const void *buffer,
                          size_t size)
{
  static const unsigned char none[HEADER - KIND - 1];
  const unsigned char *form = buffer;
  struct gt_wide_superaccumulator all;

  if (size != SIZE)
    GSL_ERROR ("the buffer is not as long as an accumulator's form",
               GSL_EBADLEN);
  if (memcmp (form, magic, sizeof magic) != 0)
    GSL_ERROR ("this is no accumulator, or of another version", GSL_EINVAL);
  if (form[KIND] >= N_KINDS || memcmp (form + KIND + 1, none, sizeof none) != 0)
    GSL_ERROR ("the head of an accumulator is damaged", GSL_EINVAL);
  read_words (all.word, form);
  if (form[KIND] == FINITE ? !is_a_sum (all.word)
                           : !all_are (all.word, GT_WIDE_WORDS, 0))
    GSL_ERROR ("the digits of an accumulator are those of no sum", GSL_EINVAL);

  gsltune_accumulator_reset (acc);
  acc->narrow.flags = kind_flags[form[KIND]];
  acc->uses_wide = !fits_narrow (all.word);
  if (acc->uses_wide)
    {
      memcpy (acc->wide.word, all.word, sizeof all.word);
      acc->wide.count = 1;
      return GSL_SUCCESS;
    }
  memcpy (acc->narrow.word, all.word + GT_WIDE_OFFSET,
          (GT_SUPER_WORDS - 1) * sizeof *all.word);
  acc->narrow.word[GT_SUPER_WORDS - 1] = all.word[GT_WIDE_WORDS - 1];
  acc->narrow.count = 1;
  return GSL_SUCCESS;
}
