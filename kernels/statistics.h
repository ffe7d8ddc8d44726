/* The parts of statistics: power sums, in fixed point, on the host and on devices.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_STATISTICS_H
#define GT_KERNELS_STATISTICS_H

#include "kernels/superaccumulator.h"

/* The form of a kind: a column of the rows KIND of kernels/statistics.def.  */
enum gt_formula_form
{
  GT_FORM_MEAN,
  GT_FORM_SQUARES,
  GT_FORM_POWERS,
  GT_FORM_NEIGHBOURS,
  GT_FORM_JOINT
};

enum gt_term_what
{
#define KIND(id, ...) GT_TERM_##id,
#include "kernels/statistics.def"
  GT_N_TERMS
};

/* A statistic: a row STATISTIC with the columns of its kind.  */
struct gt_formula
{
  enum gt_term_what what;
  enum gt_formula_form form;
  int power, less;
  int weighted, given, root;
  double none; /* its value for an empty sample */
};

/* Sums of powers of the elements, in fixed point (src/moments/moments.h).  */
enum gt_moment
{
  GT_MOMENT_W,         /* the weights */
  GT_MOMENT_WW,        /* their squares */
  GT_MOMENT_1,         /* the elements, times their weights if there are any */
  GT_MOMENT_2,         /* their squares, likewise, and so on */
  GT_MOMENT_3,
  GT_MOMENT_4,
  GT_MOMENT_Y,         /* the second sample's elements */
  GT_MOMENT_YY,
  GT_MOMENT_PRODUCTS,  /* of each element and the next one, or that of the second sample */
  GT_MOMENT_FIRST,     /* the first element */
  GT_MOMENT_LAST,      /* and the last */
  GT_MOMENT_SIDES,     /* 1 for each element above the centre, -1 for those below */
  GT_MOMENT_DISTANCES, /* the sum of the elements above the centre minus the sum of those
                          below */
  GT_N_MOMENTS
};

struct gt_power_sum
{
  int64_t *word; /* null: not requested */
  int n, lowest; /* words, an even number; the exponent of the lowest bit */
};

/* Returns the number of factors of a product, without the weight.  */
GT_SUPER int
gt_moment_degree (enum gt_moment which)
{
  return which == GT_MOMENT_4                                 ? 4
         : which == GT_MOMENT_3                               ? 3
         : which == GT_MOMENT_2 || which == GT_MOMENT_YY
               || which == GT_MOMENT_PRODUCTS                 ? 2
         : which == GT_MOMENT_W || which == GT_MOMENT_SIDES   ? 0
                                                              : 1;
}

/* The superaccumulator of the range of x87's long doubles, or of binary128's, which includes
   all others: the value is the sum over i of word[i] * 2^(32 i + GT_WIDE_LOWEST).  The largest
   number is less than bit 32882, a sum of 2^64 of them less than bit 32946, and the last word
   begins at bit 32928.  Otherwise it is as kernels/superaccumulator.h says.  */
#define GT_WIDE_WORDS 1030
#define GT_WIDE_LOWEST (-16498)

/* Places the sums of those MOMENTS whose bits are set, of LONG_DOUBLES or doubles,
   consecutively in PLACE, which may be null.  Returns the number of words.  */
GT_SUPER size_t
gt_power_sums_in (struct gt_power_sum sum[GT_N_MOMENTS], int64_t *place, uint32_t moments,
                  int weighted, int long_doubles)
{
  size_t n = 0;

  for (int i = 0; i < GT_N_MOMENTS; i++)
    {
      const int factors = gt_moment_degree ((enum gt_moment) i) + weighted;
      const int more = factors > 1 ? factors - 1 : 0, is_there = moments >> i & 1;

      sum[i].word = is_there && place ? place + n : (int64_t *) 0;
      sum[i].n = !is_there      ? 0
                 : long_doubles ? GT_WIDE_WORDS + 1028 * more
                                : GT_SUPER_WORDS + 66 * more;
      sum[i].lowest = long_doubles ? GT_WIDE_LOWEST - 16512 * more
                                   : GT_SUPER_LOWEST - 1088 * more;
      n += (size_t) sum[i].n;
    }
  return n;
}

#endif
