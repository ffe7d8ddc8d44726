/* Sums of many lines at once, whose elements of the same index lie side by side.  So each
   lane of a vector has a line of its own, and nothing has to be added across lanes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_LANES_H
#define GT_KERNELS_CPU_LANES_H

#include <stddef.h>

#include "kernels/cpu/isa/isa.h"

/* The most lines of a vector: states have room for a multiple of it.  */
#define GT_LANES 8

/* STATE has numbers of each line, zeros at first.  N elements of each are added: element k of
   line j is X[k * STEP + j].  What is beyond the last line may change.  */
typedef void gt_lanes_add (double *const state[3], const double *x, size_t lines, size_t n,
                           size_t step);

struct gt_lanes
{
  size_t together; /* lines that are gone through at a time */
  /* STATE[0] is the sum, in the elements' order: of elements, and of
     magnitudes.  */
  gt_lanes_add *add[2];
  /* The same; what its roundings lost is added to STATE[1], and the magnitudes of what
     these additions lost to STATE[2], which is not finite where an element or a sum is
     not.  */
  gt_lanes_add *add_bounded[2];
  /* STATE[0] becomes the mean and STATE[1] the sum of squared deviations from it, of these
     alone.  Blocks of them have their own, which are put together (T. F. Chan, G. H. Golub
     and R. J. LeVeque, "Algorithms for Computing the Sample Variance", The American
     Statistician 37, 1983).  */
  gt_lanes_add *add_moments;
};

extern const struct gt_lanes *const gt_lanes_isas[GT_N_ISAS];

static inline const struct gt_lanes *
gt_lanes (void)
{
  return gt_lanes_isas[gt_isa ()];
}

#endif
