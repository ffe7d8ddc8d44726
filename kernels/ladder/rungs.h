/* The rungs of the reduction ladder as data.
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
  const struct gt_kernel *kernel; /* a row of gt_catalog, or one that it lacks */
  int rung;
  enum gt_rung_shape shape;
  const char *removes; /* what the rung before pays for */
  const uint64_t *image_bytes; /* null: the library's, or built without CUDA */
};

/* In the ladder's order: by rung, the in-place form of each first.  */
extern const struct gt_ladder_kernel gt_ladder_catalog[];
extern const unsigned gt_ladder_catalog_size;

/* Null when no rung has that name.  */
const struct gt_ladder_kernel *gt_ladder_find (const char *name);

/* The rung that KERNEL is; null when it is none.  */
const struct gt_ladder_kernel *gt_ladder_of (const struct gt_kernel *kernel);

#endif
