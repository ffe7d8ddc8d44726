/* A gsltune_moments has exact sums of powers of the elements, in fixed point.

   A product of D elements is a product of D whole numbers and a power of two.  Its sums are
   words as a superaccumulator's are (kernels/superaccumulator.h): 32 bits each and room for
   carries, and with each factor there are more of them.  The lowest bit of a sum of products
   lies a little below what is needed, so that the words of sums that kernels make, of
   elements and of products of two, begin where these do.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_POWER_SUMS_H
#define GT_POWER_SUMS_H

#include "kernels/cpu/wide/long_double.h"
#include "kernels/statistics.h"
#include "kernels/task.h"
#include "src/gsltune.h"

struct gsltune_moments_struct
{
  gsltune_moments_kind kind;
  int power;             /* 0: of distances from the centre */
  int wide;              /* of long doubles too */
  uint64_t n;            /* elements, if there are weights those that count */
  uint32_t count;        /* addends since carries were passed on, at most */
  uint32_t flags[2];     /* what is not finite of the elements; of the weights or the second
                            sample */
  uint32_t sums;         /* the bits of those that there are */
  struct gt_power_sum sum[GT_N_MOMENTS];
  size_t n_words;        /* of all of them */
  int is_given;          /* the centre was given, and is not the mean of a sample */
  struct gt_centre centre;
  int64_t words[];
};

/* How much memory moments of the kind, the power and the width of LIKE take; and such, of
   nothing, in MEMORY.  */
size_t gt_moments_bytes (const gsltune_moments *like);
gsltune_moments *gt_moments_place (void *memory, const gsltune_moments *like);

/* Moments of nothing, with the kind, the sums and the centre of LIKE; null if memory is short.  */
gsltune_moments *gt_moments_alloc_like (const gsltune_moments *like);

/* Return the mean of the elements of ALL, or a given one, as a centre of distances.  */
struct gt_centre gt_moments_mean (const gsltune_moments *all);
struct gt_centre gt_moments_centre_at (double mean);

/* Whether both are one.  */
static inline int
gt_is_same_centre (struct gt_centre a, struct gt_centre b)
{
  return a.digits == b.digits && a.exponent == b.exponent && a.negative == b.negative;
}

/* Adds OF's elements, or its pairs if M is of such, or the elements' MAGNITUDES.  */
void gt_moments_add (gsltune_moments *m, const struct gt_task *of, int magnitudes);

/* Adds a VALUE of sum WHICH that nothing has rounded.  Returns its flags.  */
uint32_t gt_moments_add_value (gsltune_moments *m, enum gt_moment which, int is_integer,
                               const union gt_value *value);

/* The reduction of OF's elements that makes sum WHICH.  Squares are read once.  */
enum gt_reduction gt_moments_reduction (enum gt_moment which, const struct gt_task *of);

/* Returns the exponent of the lowest bit of elements.  */
static inline int
gt_moments_unit (const gsltune_moments *m)
{
  return m->wide ? GT_WIDE_LOWEST : GT_SUPER_LOWEST;
}

/* Adds X in units of 2^UNIT to SUM.  */
void gt_power_sum_add (struct gt_power_sum *sum, const struct gt_whole *x, int unit);

/* Adds the product of M's last element and the FIRST of those that follow.  */
void gt_moments_join (gsltune_moments *m, const struct gt_power_sum *first);

/* Passes carries on in all sums.  */
void gt_moments_carry (gsltune_moments *m);

#endif
