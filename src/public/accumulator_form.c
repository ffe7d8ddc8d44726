/* Accumulators on their way to other processes and machines: the portable form, and
   words that are added by whatever carries them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include <gsl/gsl_errno.h>

#include "kernels/cpu/isa/room.h"
#include "src/public/accumulator.h"

/* ------------------------------------------------------ The portable form */

#define HEADER 16
#define VERSION 7
#define KIND 8
#define SIZE (HEADER + 4 * GT_WIDE_PRODUCT_WORDS)

static const unsigned char magic[VERSION] = {'g', 's', 'l', 't', 'a', 'c', 'c'};

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
  unsigned char *form = buffer;
  struct gt_wide_products *all;
  enum kind kind;
  void *heap;

  if (size != SIZE)
    GSL_ERROR ("the buffer is not as long as an accumulator's form",
               GSL_EBADLEN);
  all = GT_ROOM (heap, sizeof *all);
  gt_acc_gather (all, acc);
  gt_wide_products_normalise (all);
  kind = kind_of (all->flags);
  memset (form, 0, SIZE);
  memcpy (form, magic, sizeof magic);
  form[VERSION] = 2;
  form[KIND] = (unsigned char) kind;
  if (kind == FINITE)
    for (int i = 0; i < GT_WIDE_PRODUCT_WORDS; i++)
      for (int k = 0; k < 4; k++)
        form[HEADER + 4 * i + k] = (unsigned char) (all->word[i] >> 8 * k);
  free (heap);
  return GSL_SUCCESS;
}

/* ---------------------------------------------------------------- Loading */

static int
all_are (const int64_t *word, int n, int64_t value)
{
  for (int i = 0; i < n; i++)
    if (word[i] != value)
      return 0;
  return 1;
}

/* The digits of FORM in N words, normalised.  */
static void
read_words (int64_t *word, int n, const unsigned char *form)
{
  for (int i = 0; i < n; i++)
    {
      const unsigned char *byte = form + HEADER + 4 * i;
      word[i] = byte[0] | byte[1] << 8 | byte[2] << 16
                | (int64_t) byte[3] << 24;
    }
  if (form[HEADER + 4 * n - 1] & 0x80)
    word[n - 1] -= (int64_t) 1 << 32;
}

/* Whether the N words, normalised, are a sum of at most 2^64 elements or
   products: none has the lowest bits, BELOW, and their sum is less than the
   eighteenth bit of the last word (kernels/cpu/wide/wide_superaccumulator.h,
   kernels/cpu/wide/products.h).  */
#define BELOW_WIDE_PRODUCTS ((1 << 22) - 1)

static int
is_a_sum (const int64_t *word, int n, int64_t below)
{
  const int64_t last = word[n - 1], limit = (int64_t) 1 << 18;

  return (word[0] & below) == 0 && -limit <= last && last < limit;
}

/* Reads the digits of FORM; returns 0 if they are those of no sum.  */
static int
read_form (int64_t *word, const unsigned char *form)
{
  const int n = GT_WIDE_PRODUCT_WORDS;

  read_words (word, n, form);
  return form[KIND] == FINITE ? is_a_sum (word, n, BELOW_WIDE_PRODUCTS)
                              : all_are (word, n, 0);
}

/* Where the words of PART begin among those of WHOLE, which has them all.  */
static int
offset (enum gt_acc_part part, enum gt_acc_part whole)
{
  return (gt_acc_shapes[part].lowest - gt_acc_shapes[whole].lowest) / 32;
}

/* Whether the words of WHOLE from the last of PART upward are nothing but the sign,
   and those below its first are 0.  */
static int
fits (const int64_t *all, enum gt_acc_part whole, enum gt_acc_part part)
{
  const int first = offset (part, whole);
  const int end = first + gt_acc_shapes[part].n - 1;
  const int top = gt_acc_shapes[whole].n - 1;
  const int64_t last = all[top];

  return (last == 0 || last == -1) && all_are (all, first, 0)
         && all_are (all + end, top - end, last & 0xffffffff);
}

/* Makes ACC, empty, the sum of the normalised words ALL, those of WHOLE.  It goes to the
   first part that can hold it, but not to the products of doubles if it is one of LONG
   DOUBLES, whose means are asked for.  */
static void
place (gsltune_accumulator *acc, const int64_t *all, enum gt_acc_part whole,
       int long_doubles)
{
  enum gt_acc_part part = GT_ACC_NARROW;
  struct gt_acc_words words;

  while (part < whole
         && (!fits (all, whole, part)
             || (long_doubles && part == GT_ACC_PRODUCTS)))
    part++;
  words = gt_acc_words_of (acc, part);
  memcpy (words.word, all + offset (part, whole),
          (size_t) (gt_acc_shapes[part].n - 1) * sizeof *all);
  words.word[gt_acc_shapes[part].n - 1] = all[gt_acc_shapes[whole].n - 1];
  *words.count = 1;
  acc->uses = part == GT_ACC_NARROW ? 0 : 1u << part;
}

int
gsltune_accumulator_load (gsltune_accumulator *acc, const void *buffer,
                          size_t size)
{
  static const unsigned char none[HEADER - KIND - 1];
  const unsigned char *form = buffer;
  int64_t *all;
  void *heap;

  if (size != SIZE)
    GSL_ERROR ("the buffer is not as long as an accumulator's form",
               GSL_EBADLEN);
  if (memcmp (form, magic, sizeof magic) != 0 || form[VERSION] != 2)
    GSL_ERROR ("this is no accumulator, or of another version", GSL_EINVAL);
  if (form[KIND] >= N_KINDS || memcmp (form + KIND + 1, none, sizeof none) != 0)
    GSL_ERROR ("the head of an accumulator is damaged", GSL_EINVAL);
  all = GT_ROOM (heap, GT_WIDE_PRODUCT_WORDS * sizeof *all);
  if (!read_form (all, form))
    {
      free (heap);
      GSL_ERROR ("the digits of an accumulator are those of no sum",
                 GSL_EINVAL);
    }

  gsltune_accumulator_reset (acc);
  place (acc, all, GT_ACC_WIDE_PRODUCTS, 0);
  free (heap);
  acc->narrow.flags = kind_flags[form[KIND]];
  return GSL_SUCCESS;
}

/* ------------------------------------------------------------------ Words

   A normalised word is at least 0 and less than 2^32, the last one small and signed, so
   that 2^30 of each can be added in 64 bits.  What is not finite is counted.  */

#define FLAGS 3

static const uint32_t flag_of_count[FLAGS]
  = {GT_SUPER_NAN, GT_SUPER_PLUS_INFINITY, GT_SUPER_MINUS_INFINITY};

static const enum gt_acc_part part_of_range[] = {
  [GSLTUNE_RANGE_SUMS] = GT_ACC_NARROW,
  [GSLTUNE_RANGE_PRODUCTS] = GT_ACC_PRODUCTS,
  [GSLTUNE_RANGE_LONG_DOUBLE] = GT_ACC_WIDE_PRODUCTS,
};
#define N_RANGES (sizeof part_of_range / sizeof *part_of_range)

static int
is_range (gsltune_range range)
{
  return (unsigned) range < N_RANGES;
}

gsltune_range
gsltune_accumulator_range (const gsltune_accumulator *acc)
{
  return gt_acc_is_wide (acc)                    ? GSLTUNE_RANGE_LONG_DOUBLE
         : gt_acc_uses (acc, GT_ACC_PRODUCTS) ? GSLTUNE_RANGE_PRODUCTS
                                                 : GSLTUNE_RANGE_SUMS;
}

size_t
gsltune_accumulator_words (gsltune_range range)
{
  if (!is_range (range))
    GSL_ERROR_VAL ("there is no such range of accumulators", GSL_EINVAL, 0);
  return (size_t) gt_acc_shapes[part_of_range[range]].n + FLAGS;
}

static uint32_t
words_of_wide (const gsltune_accumulator *acc, int64_t *words)
{
  void *heap;
  struct gt_wide_products *all = GT_ROOM (heap, sizeof *all);
  uint32_t flags;

  gt_acc_gather (all, acc);
  memcpy (words, all->word, sizeof all->word);
  flags = all->flags;
  free (heap);
  return flags;
}

/* The normalised words of ACC in those of RANGE; returns its flags.  Of a sum that is not
   finite they are zero, since how much of its finite part is there depends on the
   order.  */
static uint32_t
normalised (const gsltune_accumulator *acc, gsltune_range range, int64_t *words)
{
  const int n = gt_acc_shapes[part_of_range[range]].n;
  struct gt_product_accumulator both;
  uint32_t flags;

  switch (range)
    {
    case GSLTUNE_RANGE_SUMS:
      memcpy (words, acc->narrow.word, sizeof acc->narrow.word);
      flags = acc->narrow.flags;
      break;
    case GSLTUNE_RANGE_PRODUCTS:
      both = gt_acc_both (acc);
      memcpy (words, both.word, sizeof both.word);
      flags = both.flags;
      break;
    default:
      flags = words_of_wide (acc, words);
    }
  if (flags)
    memset (words, 0, (size_t) n * sizeof *words);
  gt_super_carry (words, n);
  return gt_super_is_nan (flags) ? GT_SUPER_NAN : flags;
}

int
gsltune_accumulator_get_words (const gsltune_accumulator *acc,
                               gsltune_range range, int64_t *words)
{
  int64_t *const count
    = is_range (range) ? words + gt_acc_shapes[part_of_range[range]].n : NULL;
  uint32_t flags;

  if (count == NULL)
    GSL_ERROR ("there is no such range of accumulators", GSL_EINVAL);
  if (range != GSLTUNE_RANGE_LONG_DOUBLE && gt_acc_is_wide (acc))
    GSL_ERROR ("the accumulator has taken long doubles: its range is "
               "GSLTUNE_RANGE_LONG_DOUBLE", GSL_EINVAL);
  if (range == GSLTUNE_RANGE_SUMS && gt_acc_uses (acc, GT_ACC_PRODUCTS))
    GSL_ERROR ("the accumulator has taken products: its range is "
               "GSLTUNE_RANGE_PRODUCTS", GSL_EINVAL);
  flags = normalised (acc, range, words);
  for (int k = 0; k < FLAGS; k++)
    count[k] = (flags & flag_of_count[k]) != 0;
  return GSL_SUCCESS;
}

/* Passes on the carries of N words that were added up in whatever way, unless they are
   more than 2^30 processes' can be: then carries could overflow, and it returns 0.  */
static int
carry_on (int64_t *word, int n)
{
  const int64_t most = (int64_t) 1 << 62;

  for (int i = 0; i < n; i++)
    if (word[i] < -most || word[i] > most)
      return 0;
  gt_super_carry (word, n);
  return 1;
}

/* Makes ACC the sum of WORDS of RANGE; 0, with nothing changed, if they are those of no
   sum.  */
static int
set (gsltune_accumulator *acc, gsltune_range range, const int64_t *words)
{
  const enum gt_acc_part whole = part_of_range[range];
  const int n = gt_acc_shapes[whole].n;
  const int is_wide = range == GSLTUNE_RANGE_LONG_DOUBLE;
  void *heap;
  int64_t *all = GT_ROOM (heap, (size_t) n * sizeof *all);
  int is_good;

  memcpy (all, words, (size_t) n * sizeof *all);
  is_good = carry_on (all, n)
            && is_a_sum (all, n, is_wide ? BELOW_WIDE_PRODUCTS : 0);
  if (is_good)
    {
      gsltune_accumulator_reset (acc);
      place (acc, all, whole, is_wide);
    }
  free (heap);
  return is_good;
}

int
gsltune_accumulator_set_words (gsltune_accumulator *acc, gsltune_range range,
                               const int64_t *words)
{
  const struct gt_acc_shape *shape;
  uint32_t flags = 0;

  if (!is_range (range))
    GSL_ERROR ("there is no such range of accumulators", GSL_EINVAL);
  shape = &gt_acc_shapes[part_of_range[range]];
  for (int k = 0; k < FLAGS; k++)
    {
      if (words[shape->n + k] < 0)
        GSL_ERROR ("these are no accumulator's words", GSL_EINVAL);
      flags |= words[shape->n + k] ? flag_of_count[k] : 0;
    }
  if (!set (acc, range, words))
    GSL_ERROR ("these words are those of no sum", GSL_EINVAL);
  acc->narrow.flags = flags;
  return GSL_SUCCESS;
}
