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

#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector (a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle (a, b, (words) {__VA_ARGS__})
#endif

#define NEIGHBOURS_2 1, 0
#define NEIGHBOURS_4 NEIGHBOURS_2, 3, 2
#define NEIGHBOURS_8 NEIGHBOURS_4, 5, 4, 7, 6

INLINE vector
swapped_pairs (vector x)
{
  return SHUFFLE (x, x, GT_PASTE (NEIGHBOURS, LANES));
}

/* Puts X in all lanes.  Subtracting 0 changes nothing, so no instruction is made for
   it.  */
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

/* Loads N >= 1 numbers from X and repeats the last one.  They are loaded one by one, because a
   vector load would wait for the stores of its numbers.  */
INLINE vector
load_repeated (const double *x, size_t n)
{
  vector some = {0};

  if (n == 1)
    return all_of (x[0]);
  UNROLL
  for (unsigned k = 0; k < LANES; k++)
    some[k] = x[k < n ? k : n - 1];
  return some;
}

/* Loads N >= 1 numbers from X, followed by zeros.  */
INLINE vector
load_some (const double *x, size_t n)
{
  return (vector) ((words) load_repeated (x, n)
                   & (words) ((words) GT_PASTE (NUMBERS, LANES) < n));
}

INLINE GT_PASTE (elements_f32, LANES)
floats_of (vector x)
{
  return __builtin_convertvector (x, GT_PASTE (elements_f32, LANES));
}

#endif
