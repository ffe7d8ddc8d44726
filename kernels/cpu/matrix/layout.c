/* How numbers are laid out for matrix products, and elements stored (kernels/cpu/matrix/tiles.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdint.h>

#include "kernels/cpu/matrix/tile_sums.h"

void
GT_FOR_ISA (gt_tile_widen) (const float *x, size_t n, double *to)
{
  size_t i = 0;

  for (; n - i >= LANES; i += LANES)
    store_doubles (to + i, (vector) {GT_PASTE (EVERY, LANES) (x + i, 1)});
  for (; i < n; i++)
    to[i] = x[i];
}

void
GT_FOR_ISA (gt_tile_narrow) (const double *x, size_t n, float *to)
{
  size_t i = 0;

  for (; n - i >= LANES; i += LANES)
    *(GT_PASTE (elements_f32, LANES) *) (to + i) = floats_of (load_doubles (x + i));
  for (; i < n; i++)
    to[i] = (float) x[i];
  end_floats (1);
}

typedef int64_t steps __attribute__ ((vector_size (8 * LANES)));

/* The N numbers of row I from J on that are of the triangle, and zeros.  */
INLINE vector
load_triangle (const double *x, size_t i, size_t j, size_t n, const int upper)
{
  const steps at = (steps) GT_PASTE (NUMBERS, LANES) + ((int64_t) j - (int64_t) i);
  const words there = upper ? (words) (at >= 0) : (words) (at <= 0);

  return (vector) (there & (words) (n < LANES ? load_some (x, j, n, 0) : load_doubles (x + j)));
}

INLINE double
lay_triangle (const double *x, size_t row, size_t n, double *to, const int upper,
              const int whole)
{
  vector sum[GT_TILE_SQUARE / LANES] = {{0}};

  for (size_t i = 0; i < n; i++, x += row, to += GT_TILE_SQUARE)
    {
      UNROLL
      for (size_t j = 0; j < GT_TILE_SQUARE; j += LANES)
        {
          const vector numbers
            = whole || n > j ? load_triangle (x, i, j, whole ? LANES : n - j, upper)
                             : (vector) {0};

          store_doubles (to + j, numbers);
          sum[j / LANES] = square_and (numbers, sum[j / LANES]);
        }
    }
  for (size_t j = 1; j < GT_TILE_SQUARE / LANES; j++)
    sum[0] += sum[j];
  return FOLD (LANES, vector, +, sum[0]);
}

double
GT_FOR_ISA (gt_tile_lay_triangle) (const double *x, size_t row, size_t n, int upper,
                                   double *to)
{
  if (n < GT_TILE_SQUARE)
    return upper ? lay_triangle (x, row, n, to, 1, 0) : lay_triangle (x, row, n, to, 0, 0);
  return upper ? lay_triangle (x, row, GT_TILE_SQUARE, to, 1, 1)
               : lay_triangle (x, row, GT_TILE_SQUARE, to, 0, 1);
}

void
GT_FOR_ISA (gt_tile_lay_pairs) (const double *x, size_t n, double re, double im, int swapped,
                                double *to)
{
  const words odd = (words) GT_PASTE (NUMBERS, LANES) & 1;
  const vector signs = where ((words) (odd == 0), all_of (re), all_of (im));
  size_t i = 0;

  for (; n - i >= LANES; i += LANES)
    {
      const vector pairs = load_doubles (x + i) * signs;

      store_doubles (to + i, swapped ? swapped_pairs (pairs) : pairs);
    }
  for (; i < n; i += 2)
    {
      const double first = re * x[i], second = im * x[i + 1];

      to[i] = swapped ? second : first;
      to[i + 1] = swapped ? first : second;
    }
}
