/* Vectors of the terms and of the elements of matrix products.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_TILE_VECTORS_H
#define GT_KERNELS_CPU_TILE_VECTORS_H

#include "kernels/cpu/exact/two_products.h"
#include "kernels/cpu/matrix/tiles.h"

/* The functions of gt_tiles that elements.c has.  */
int GT_FOR_ISA (gt_tile_finish) (const struct gt_tile_row *row);
int GT_FOR_ISA (gt_tile_finish_precisely) (const struct gt_tile_row *row);
int GT_FOR_ISA (gt_tile_multiply_shortly) (const struct gt_short_product *p);
#ifdef FUSED_1
void GT_FOR_ISA (gt_tile_fuse) (double *c, double a, const double *b, size_t n);
#define FUSE GT_FOR_ISA (gt_tile_fuse)
#else
#define FUSE NULL
#endif

/* X in all lanes: to take 0 off changes nothing, so there is no instruction for it.  */
INLINE vector
all_of (double x)
{
  return x - (vector) {0};
}

INLINE vector
where (words condition, vector x, vector otherwise)
{
  return (vector) (((words) x & condition) | ((words) otherwise & ~condition));
}

INLINE vector
magnitudes (vector x)
{
  return MAGNITUDES (LANES, x);
}


#endif
