/* The public accumulators: exact sums, put together from pieces.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/accumulator.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/isa/room.h"

const struct gt_acc_shape gt_acc_shapes[GT_N_ACC_PARTS] = {
  [GT_ACC_NARROW] = {GT_SUPER_WORDS, GT_SUPER_LOWEST},
  [GT_ACC_PRODUCTS] = {GT_PRODUCT_WORDS, GT_PRODUCT_LOWEST},
  [GT_ACC_WIDE] = {GT_WIDE_WORDS, GT_WIDE_LOWEST},
  [GT_ACC_WIDE_PRODUCTS] = {GT_WIDE_PRODUCT_WORDS, GT_WIDE_PRODUCT_LOWEST},
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
  if (gt_acc_uses (acc, GT_ACC_PRODUCTS))
    gt_product_clear (&acc->products);
  if (gt_acc_uses (acc, GT_ACC_WIDE))
    memset (&acc->wide, 0, sizeof acc->wide);
  if (gt_acc_uses (acc, GT_ACC_WIDE_PRODUCTS))
    memset (&acc->wide_products, 0, sizeof acc->wide_products);
  acc->uses = 0;
  return GSL_SUCCESS;
}

struct gt_acc_words
gt_acc_words_of (gsltune_accumulator *acc, enum gt_acc_part part)
{
  const struct gt_acc_words words[GT_N_ACC_PARTS] = {
    [GT_ACC_NARROW]
    = {acc->narrow.word, &acc->narrow.count, &acc->narrow.flags},
    [GT_ACC_PRODUCTS]
    = {acc->products.word, &acc->products.count, &acc->products.flags},
    [GT_ACC_WIDE] = {acc->wide.word, &acc->wide.count, &acc->wide.flags},
    [GT_ACC_WIDE_PRODUCTS] = {acc->wide_products.word, &acc->wide_products.count,
                              &acc->wide_products.flags},
  };

  return words[part];
}

/* Adds to ALL what PART of ACC holds.  */
static void
add_part (struct gt_wide_products *all, const gsltune_accumulator *acc,
          enum gt_acc_part part)
{
  const struct gt_acc_words words
    = gt_acc_words_of ((gsltune_accumulator *) acc, part);

  if (gt_acc_uses (acc, part))
    gt_wide_products_merge (all, words.word, gt_acc_shapes[part].n,
                            gt_acc_shapes[part].lowest, *words.count,
                            *words.flags);
}

int
gsltune_accumulator_merge (gsltune_accumulator *acc,
                           const gsltune_accumulator *other)
{
  gt_super_merge (&acc->narrow, &other->narrow);
  if (gt_acc_uses (other, GT_ACC_PRODUCTS))
    gt_product_merge (&acc->products, &other->products);
  if (gt_acc_uses (other, GT_ACC_WIDE))
    gt_wide_merge (&acc->wide, &other->wide);
  add_part (&acc->wide_products, other, GT_ACC_WIDE_PRODUCTS);
  acc->uses |= other->uses;
  return GSL_SUCCESS;
}

/* --------------------------------------------------------------- Rounding */

void
gt_acc_gather (struct gt_wide_products *all, const gsltune_accumulator *acc)
{
  memset (all, 0, sizeof *all);
  for (enum gt_acc_part part = GT_ACC_NARROW; part < GT_N_ACC_PARTS; part++)
    add_part (all, acc, part);
}

struct gt_product_accumulator
gt_acc_both (const gsltune_accumulator *acc)
{
  struct gt_product_accumulator both = acc->products;

  gt_product_merge_plain (&both, &acc->narrow);
  return both;
}

/* A sum, rounded to a type.  Nothing is converted: a subnormal number could be lost on the
   way, or trap.  */
union rounded
{
  double f64;
  float f32;
  long double ldbl;
};

static union rounded
round_wide (const gsltune_accumulator *acc, enum gt_arithmetic to)
{
  void *heap;
  struct gt_wide_products *all = GT_ROOM (heap, sizeof *all);
  union rounded sum;

  gt_acc_gather (all, acc);
  if (to == GT_F64)
    sum.f64 = gt_wide_products_round (all);
  else if (to == GT_F32)
    sum.f32 = gt_wide_products_round_float (all);
  else
    sum.ldbl = gt_wide_products_round_long_double (all);
  free (heap);
  return sum;
}

static union rounded
round_to (const gsltune_accumulator *acc, enum gt_arithmetic to)
{
  struct gt_product_accumulator both;
  struct gt_superaccumulator narrow;
  union rounded sum;

  if (gt_acc_is_wide (acc) || to == GT_LDBL)
    return round_wide (acc, to);
  if (gt_acc_uses (acc, GT_ACC_PRODUCTS))
    {
      both = gt_acc_both (acc);
      if (to == GT_F64)
        sum.f64 = gt_finish_dot (&both);
      else
        sum.f32 = gt_finish_dot_float (&both);
      return sum;
    }
  narrow = acc->narrow;
  if (to == GT_F64)
    sum.f64 = gt_super_round (&narrow);
  else
    sum.f32 = gt_super_round_float (&narrow);
  return sum;
}

double
gsltune_accumulator_round (const gsltune_accumulator *acc)
{
  return round_to (acc, GT_F64).f64;
}

float
gsltune_accumulator_round_float (const gsltune_accumulator *acc)
{
  return round_to (acc, GT_F32).f32;
}

long double
gsltune_accumulator_round_long_double (const gsltune_accumulator *acc)
{
  return round_to (acc, GT_LDBL).ldbl;
}
