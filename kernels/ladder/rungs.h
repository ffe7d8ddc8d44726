/* The table of the rungs of the reduction ladder.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_LADDER_RUNGS_H
#define GT_KERNELS_LADDER_RUNGS_H

#include "kernels/catalog.h"

/* See ladder.def.  */
enum gt_rung_shape
{
  GT_RUNG_LIBRARY, /* the library launches it */
  GT_RUNG_BLOCK_SUMS,
  GT_RUNG_IN_PLACE,
  GT_RUNG_MULTI_PASS,
  GT_RUNG_RECURSIVE
};

struct gt_ladder_kernel
{
  const struct gt_kernel *kernel; /* a row of gt_catalog, or a kernel that is not in it */
  int rung;
  enum gt_rung_shape shape;
  const char *removes; /* the cost that this rung removes */
  const uint64_t *image_bytes; /* null if it is the library's, or in builds without CUDA */
};

/* The rungs in the ladder's order; the in-place form of each is the first.  */
extern const struct gt_ladder_kernel gt_ladder_catalog[];
extern const unsigned gt_ladder_catalog_size;

/* Returns the rung with this name, or null.  */
const struct gt_ladder_kernel *gt_ladder_find (const char *name);

/* Returns the rung whose kernel is KERNEL, or null.  */
const struct gt_ladder_kernel *gt_ladder_of (const struct gt_kernel *kernel);

#endif
