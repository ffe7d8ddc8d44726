/* The public accumulators: exact sums, put together from pieces.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "kernels/cpu/finish.h"
#include "kernels/cpu/products.h"
#include "src/gsltune.h"

/* The sum is that of all parts.  Those but the first are long, and looked at
   only once something has come that goes there (USES).  */
struct gsltune_accumulator_struct
{
  struct gt_superaccumulator narrow;       /* numbers */
  struct gt_product_accumulator products;  /* products of two */
  struct gt_wide_superaccumulator wide;    /* long doubles */
  struct gt_wide_products wide_products;   /* products of two */
  unsigned uses;
};

enum part
{
  NARROW,
  PRODUCTS,
  WIDE,
  WIDE_PRODUCTS,
  N_PARTS
};

/* Words and the exponent of the lowest bit.  */
static const struct
{
  int n, lowest;
} shapes[N_PARTS] = {
  [NARROW] = {GT_SUPER_WORDS, GT_SUPER_LOWEST},
  [PRODUCTS] = {GT_PRODUCT_WORDS, GT_PRODUCT_LOWEST},
  [WIDE] = {GT_WIDE_WORDS, GT_WIDE_LOWEST},
  [WIDE_PRODUCTS] = {GT_WIDE_PRODUCT_WORDS, GT_WIDE_PRODUCT_LOWEST},
};

static int
uses (const gsltune_accumulator *acc, enum part part)
{
  return part == NARROW || acc->uses >> part & 1;
}

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
  if (uses (acc, PRODUCTS))
    gt_product_clear (&acc->products);
  if (uses (acc, WIDE))
    memset (&acc->wide, 0, sizeof acc->wide);
  if (uses (acc, WIDE_PRODUCTS))
    memset (&acc->wide_products, 0, sizeof acc->wide_products);
  acc->uses = 0;
  return GSL_SUCCESS;
}

/* ----------------------------------------------------------------- Adding */

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
  acc->uses |= 1u << WIDE;
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_products (gsltune_accumulator *acc,
                                  const gsl_vector *x, const gsl_vector *y)
{
  if (x->size != y->size)
    GSL_ERROR ("vectors must have same length", GSL_EBADLEN);
  gt_product_add_array_f64 (&acc->products, x->data, x->stride, y->data,
                            y->stride, x->size);
  acc->uses |= 1u << PRODUCTS;
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_products_float (gsltune_accumulator *acc,
                                        const gsl_vector_float *x,
                                        const gsl_vector_float *y)
{
  if (x->size != y->size)
    GSL_ERROR ("vectors must have same length", GSL_EBADLEN);
  gt_product_add_array_f32 (&acc->products, x->data, x->stride, y->data,
                            y->stride, x->size);
  acc->uses |= 1u << PRODUCTS;
  return GSL_SUCCESS;
}

int
gsltune_accumulator_add_products_long_double (gsltune_accumulator *acc,
                                              const gsl_vector_long_double *x,
                                              const gsl_vector_long_double *y)
{
  if (x->size != y->size)
    GSL_ERROR ("vectors must have same length", GSL_EBADLEN);
  gt_wide_products_add_array (&acc->wide_products, x->data, x->stride, y->data,
                              y->stride, x->size);
  acc->uses |= 1u << WIDE_PRODUCTS;
  return GSL_SUCCESS;
}

/* Adds to ALL what PART of ACC holds.  */
static void
add_part (struct gt_wide_products *all, const gsltune_accumulator *acc,
          enum part part)
{
  const struct
  {
    const int64_t *word;
    uint32_t count, flags;
  } parts[N_PARTS] = {
    [NARROW] = {acc->narrow.word, acc->narrow.count, acc->narrow.flags},
    [PRODUCTS]
    = {acc->products.word, acc->products.count, acc->products.flags},
    [WIDE] = {acc->wide.word, acc->wide.count, acc->wide.flags},
    [WIDE_PRODUCTS] = {acc->wide_products.word, acc->wide_products.count,
                       acc->wide_products.flags},
  };

  if (uses (acc, part))
    gt_wide_products_merge (all, parts[part].word, shapes[part].n,
                            shapes[part].lowest, parts[part].count,
                            parts[part].flags);
}

int
gsltune_accumulator_merge (gsltune_accumulator *acc,
                           const gsltune_accumulator *other)
{
  gt_super_merge (&acc->narrow, &other->narrow);
  if (uses (other, PRODUCTS))
    gt_product_merge (&acc->products, &other->products);
  if (uses (other, WIDE))
    gt_wide_merge (&acc->wide, &other->wide);
  add_part (&acc->wide_products, other, WIDE_PRODUCTS);
  acc->uses |= other->uses;
  return GSL_SUCCESS;
}

/* --------------------------------------------------------------- Rounding */

/* All of it in the widest words.  */
static void
gather (struct gt_wide_products *all, const gsltune_accumulator *acc)
{
  memset (all, 0, sizeof *all);
  for (enum part part = NARROW; part < N_PARTS; part++)
    add_part (all, acc, part);
}

/* Not inlined: 16 KiB of stack are for accumulators of long doubles alone.  */
__attribute__ ((noinline)) static double
round_wide (const gsltune_accumulator *acc)
{
  struct gt_wide_products all;

  gather (&all, acc);
  return gt_wide_products_round (&all);
}

__attribute__ ((noinline)) static float
round_wide_float (const gsltune_accumulator *acc)
{
  struct gt_wide_products all;

  gather (&all, acc);
  return gt_wide_products_round_float (&all);
}

static int
is_wide (const gsltune_accumulator *acc)
{
  return uses (acc, WIDE) || uses (acc, WIDE_PRODUCTS);
}

/* Products and numbers.  */
static struct gt_product_accumulator
both_of (const gsltune_accumulator *acc)
{
  struct gt_product_accumulator both = acc->products;

  gt_product_merge_plain (&both, &acc->narrow);
  return both;
}

double
gsltune_accumulator_round (const gsltune_accumulator *acc)
{
  struct gt_product_accumulator both;
  struct gt_superaccumulator narrow;

  if (is_wide (acc))
    return round_wide (acc);
  if (uses (acc, PRODUCTS))
    {
      both = both_of (acc);
      return gt_finish_dot (&both);
    }
  narrow = acc->narrow;
  return gt_super_round (&narrow);
}

float
gsltune_accumulator_round_float (const gsltune_accumulator *acc)
{
  struct gt_product_accumulator both;
  struct gt_superaccumulator narrow;

  if (is_wide (acc))
    return round_wide_float (acc);
  if (uses (acc, PRODUCTS))
    {
      both = both_of (acc);
      return gt_finish_dot_float (&both);
    }
  narrow = acc->narrow;
  return gt_super_round_float (&narrow);
}

long double
gsltune_accumulator_round_long_double (const gsltune_accumulator *acc)
{
  struct gt_wide_products all;

  gather (&all, acc);
  return gt_wide_products_round_long_double (&all);
}

/* ------------------------------------------------------ The portable form

   Version 2 has the widest words, version 1, of before there were products, those
   of sums of long doubles.  */

#define HEADER 16
#define VERSION 7
#define KIND 8
#define SIZE (HEADER + 4 * GT_WIDE_PRODUCT_WORDS)
#define SIZE_1 (HEADER + 4 * GT_WIDE_WORDS)

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
  struct gt_wide_products all;
  unsigned char *form = buffer;
  enum kind kind;

  if (size != SIZE)
    GSL_ERROR ("the buffer is not as long as an accumulator's form",
               GSL_EBADLEN);
  gather (&all, acc);
  gt_wide_products_normalise (&all);
  kind = kind_of (all.flags);
  memset (form, 0, SIZE);
  memcpy (form, magic, sizeof magic);
  form[VERSION] = 2;
  form[KIND] = (unsigned char) kind;
  if (kind == FINITE)
    for (int i = 0; i < GT_WIDE_PRODUCT_WORDS; i++)
      for (int k = 0; k < 4; k++)
        form[HEADER + 4 * i + k] = (unsigned char) (all.word[i] >> 8 * k);
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
   eighteenth bit of the last word (kernels/cpu/superaccumulator.h,
   kernels/cpu/products.h).  */
static int
is_a_sum (const int64_t *word, int n, int64_t below)
{
  const int64_t last = word[n - 1], limit = (int64_t) 1 << 18;

  return (word[0] & below) == 0 && -limit <= last && last < limit;
}

/* Reads the digits of FORM, of SIZE bytes; 0 if they are those of no sum.  */
static int
read_form (int64_t *all, const unsigned char *form, size_t size)
{
  const int is_old = size == SIZE_1;
  const int n = is_old ? GT_WIDE_WORDS : GT_WIDE_PRODUCT_WORDS;
  const int64_t below = is_old ? (1 << 4) - 1 : (1 << 22) - 1;
  int64_t *word
    = is_old ? all + GT_WIDE_PRODUCT_OFFSET (GT_WIDE_LOWEST) : all;
  int is_good;

  memset (all, 0, GT_WIDE_PRODUCT_WORDS * sizeof *all);
  read_words (word, n, form);
  is_good = form[KIND] == FINITE ? is_a_sum (word, n, below)
                                 : all_are (word, n, 0);
  gt_super_carry (all, GT_WIDE_PRODUCT_WORDS);
  return is_good;
}

/* Whether the words from the last of PART upward are nothing but the sign, and
   those below its first are 0.  */
static int
fits (const int64_t *all, enum part part)
{
  const int first = GT_WIDE_PRODUCT_OFFSET (shapes[part].lowest);
  const int end = first + shapes[part].n - 1;
  const int64_t last = all[GT_WIDE_PRODUCT_WORDS - 1];

  return (last == 0 || last == -1) && all_are (all, first, 0)
         && all_are (all + end, GT_WIDE_PRODUCT_WORDS - 1 - end,
                     last & 0xffffffff);
}

/* Makes ACC, empty, the sum of the normalised words ALL.  */
static void
place (gsltune_accumulator *acc, const int64_t *all)
{
  const struct
  {
    int64_t *word;
    uint32_t *count;
  } parts[N_PARTS] = {
    [NARROW] = {acc->narrow.word, &acc->narrow.count},
    [PRODUCTS] = {acc->products.word, &acc->products.count},
    [WIDE] = {acc->wide.word, &acc->wide.count},
    [WIDE_PRODUCTS] = {acc->wide_products.word, &acc->wide_products.count},
  };
  enum part part = NARROW;

  while (part < WIDE_PRODUCTS && !fits (all, part))
    part++;
  memcpy (parts[part].word,
          all + GT_WIDE_PRODUCT_OFFSET (shapes[part].lowest),
          (size_t) (shapes[part].n - 1) * sizeof *all);
  parts[part].word[shapes[part].n - 1] = all[GT_WIDE_PRODUCT_WORDS - 1];
  *parts[part].count = 1;
  acc->uses = part == NARROW ? 0 : 1u << part;
}

int
gsltune_accumulator_load (gsltune_accumulator *acc, const void *buffer,
                          size_t size)
{
  static const unsigned char none[HEADER - KIND - 1];
  const unsigned char *form = buffer;
  int64_t all[GT_WIDE_PRODUCT_WORDS];

  if (size != SIZE && size != SIZE_1)
    GSL_ERROR ("the buffer is not as long as an accumulator's form",
               GSL_EBADLEN);
  if (memcmp (form, magic, sizeof magic) != 0
      || form[VERSION] != (size == SIZE_1 ? 1 : 2))
    GSL_ERROR ("this is no accumulator, or of another version", GSL_EINVAL);
  if (form[KIND] >= N_KINDS || memcmp (form + KIND + 1, none, sizeof none) != 0)
    GSL_ERROR ("the head of an accumulator is damaged", GSL_EINVAL);
  if (!read_form (all, form, size))
    GSL_ERROR ("the digits of an accumulator are those of no sum", GSL_EINVAL);

  gsltune_accumulator_reset (acc);
  place (acc, all);
  acc->narrow.flags = kind_flags[form[KIND]];
  return GSL_SUCCESS;
}
