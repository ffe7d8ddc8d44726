/* A gsltune_moments has exact sums of powers of the elements, in fixed point.

   A product of D elements is a product of D whole numbers and a power of two.  Its sums are
   words like those of a superaccumulator (kernels/superaccumulator.h): 32 bits each and room
   for carries; each factor adds words.  The lowest bit of a sum of products is slightly below
   the necessary one, so that its words are aligned with those of the kernels' sums of elements
   and of products of two.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MOMENTS_H
#define GT_MOMENTS_H

#include "kernels/cpu/wide/long_double.h"
#include "kernels/statistics.h"
#include "kernels/whole.h"
#include "kernels/task.h"
#include "src/gsltune.h"

struct gsltune_moments_struct
{
  gsltune_moments_kind kind;
  int power;             /* 0: distances from the centre */
  int wide;              /* accepts long doubles */
  uint64_t n;            /* elements; with weights, those with a positive weight */
  uint32_t count;        /* maximum of addends since carries were propagated */
  uint32_t flags[2];     /* kinds of elements that are not finite; the same for the
                            weights or the second sample */
  uint32_t sums;         /* a bit for each sum */
  struct gt_power_sum sum[GT_N_MOMENTS];
  size_t n_words;        /* words of all sums */
  int is_given;          /* the centre was given, and is not the mean of a sample */
  struct gt_centre centre;
  int64_t words[];
};

/* gt_moments_bytes returns the size of moments with the kind, the power and the width of LIKE;
   gt_moments_place makes such moments, empty, in MEMORY.  */
size_t gt_moments_bytes (const gsltune_moments *like);
gsltune_moments *gt_moments_place (void *memory, const gsltune_moments *like);

/* Allocates empty moments with the kind, the sums and the centre of LIKE; returns null if
   memory is short.  */
gsltune_moments *gt_moments_alloc_like (const gsltune_moments *like);

/* Return the mean of the elements of ALL, or a given mean, as a centre of distances.  */
struct gt_centre gt_moments_mean (const gsltune_moments *all);
struct gt_centre gt_moments_centre_at (double mean);

/* Returns whether two centres are equal.  */
static inline int
gt_is_same_centre (struct gt_centre a, struct gt_centre b)
{
  return a.digits == b.digits && a.exponent == b.exponent && a.negative == b.negative;
}

/* Adds OF's elements, their MAGNITUDES, or pairs if M is of pairs.  */
void gt_moments_add (gsltune_moments *m, const struct gt_task *of, int magnitudes);

/* Adds the exact, unrounded VALUE to sum WHICH. Returns its flags.  */
uint32_t gt_moments_add_value (gsltune_moments *m, enum gt_moment which, int is_integer,
                               const union gt_value *value);

/* Returns the reduction that computes sum WHICH of OF's elements.  For squares the elements
   are read only once.  */
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

/* Propagates carries in all sums.  */
void gt_moments_carry (gsltune_moments *m);

#endif
