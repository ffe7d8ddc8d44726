/* A gsltune_moments has exact sums of powers of the elements, in fixed point.

   A product of D elements is a product of D whole numbers and a power of two.  Its sums are
   words as an accumulator's are (kernels/superaccumulator.h): 32 bits each and room for
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
  struct gt_power_sum sum[GT_N_MOMENTS];
  size_t n_words;        /* of all of them */

  /* An element X is above the centre if SCALE X is more than CENTRE; both in units of
     the elements' lowest bit.  ROOMS are for comparing.  IS_GIVEN: the centre is MEAN, else
     the mean of a sample.  */
  struct gt_whole scale, centre;
  uint64_t *rooms[4];
  double nearest; /* the centre by the scale, rounded */
  double mean;
  int is_given;
  int64_t words[];
};

/* Whether M has the sum of products of pairs alone; its first flags are the products' then.  */
static inline int
gt_moments_is_product (const gsltune_moments *m)
{
  return m->kind == GSLTUNE_MOMENTS_PAIRS && m->power == 1;
}

/* How much memory moments of the kind, the power and the width of LIKE take; and such, of
   nothing, in MEMORY.  */
size_t gt_moments_bytes (const gsltune_moments *like);
gsltune_moments *gt_moments_place (void *memory, const gsltune_moments *like);

/* Make the mean of ALL, or a given one, the centre of distances.  */
void gt_moments_centre (gsltune_moments *m, const gsltune_moments *all);
void gt_moments_centre_at (gsltune_moments *m, double mean);

/* Adds OF's elements, or its pairs where M is of such.  */
void gt_moments_add (gsltune_moments *m, const struct gt_task *of);

/* Adds a VALUE of sums that nothing has rounded: what it has of numbers to PLAIN and of products to
   PRODUCTS, if these are not null.  Returns flags, of numbers if there are such.  */
uint32_t gt_moments_add_value (gsltune_moments *m, int is_integer, const union gt_value *value,
                               struct gt_power_sum *plain, struct gt_power_sum *products);

/* The sum of products of OF, whose squares read the elements once.  */
enum gt_reduction gt_moments_products_of (const struct gt_task *of);

/* TERM's value, about what is GIVEN, if M has its sums, of numbers alone.  */
struct gt_term;
double gt_moments_statistic (const gsltune_moments *m, const struct gt_term *term,
                             const double given[2]);

/* The exponent of the lowest bit of elements.  */
int gt_moments_unit (const gsltune_moments *m);

/* Adds X, or takes it off if SIGN is -1, in units of 2^UNIT, to SUM.  */
void gt_power_sum_add (struct gt_power_sum *sum, const struct gt_whole *x, int unit,
                       int sign);

/* Adds M's last element times NEXT, the first of what follows, to M's sum of products.  */
void gt_moments_join (gsltune_moments *m, const struct gt_power_sum *next);

/* Moments of nothing, with the kind and the sums of LIKE, but no centre; null if memory is
   short.  */
gsltune_moments *gt_moments_alloc_like (const gsltune_moments *like);

/* Passes carries on in all sums.  */
void gt_moments_carry (gsltune_moments *m);

/* Whether both have the same sums.  */
int gt_moments_alike (const gsltune_moments *m, const gsltune_moments *other);

#endif
