/* How numbers are laid out for matrix products, and elements stored (kernels/cpu/matrix/tiles.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdint.h>

#include "kernels/cpu/matrix/tile_vectors.h"

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

#ifdef __clang__
#define FOUR(a, b, ...) __builtin_shufflevector (a, b, __VA_ARGS__)
#else
#define FOUR(a, b, ...) __builtin_shuffle (a, b, (places) {__VA_ARGS__})
#endif
typedef int64_t places __attribute__ ((vector_size (32)));

/* Four rows and four columns at a time, which compilers make of shuffles.  */
void
GT_FOR_ISA (gt_tile_turn) (const double *x, size_t row, size_t rows, size_t columns,
                           double *to, size_t to_row)
{
  typedef double four __attribute__ ((vector_size (32), aligned (8), may_alias));
  size_t i = 0, j;

  for (; rows - i >= 4; i += 4)
    {
      for (j = 0; columns - j >= 4; j += 4)
        {
          const double *from = x + i * row + j;
          double *there = to + j * to_row + i;
          const four a = *(const four *) from, b = *(const four *) (from + row);
          const four c = *(const four *) (from + 2 * row);
          const four d = *(const four *) (from + 3 * row);
          const four ab = FOUR (a, b, 0, 4, 2, 6), cd = FOUR (c, d, 0, 4, 2, 6);
          const four ba = FOUR (a, b, 1, 5, 3, 7), dc = FOUR (c, d, 1, 5, 3, 7);

          *(four *) there = FOUR (ab, cd, 0, 1, 4, 5);
          *(four *) (there + to_row) = FOUR (ba, dc, 0, 1, 4, 5);
          *(four *) (there + 2 * to_row) = FOUR (ab, cd, 2, 3, 6, 7);
          *(four *) (there + 3 * to_row) = FOUR (ba, dc, 2, 3, 6, 7);
        }
      for (; j < columns; j++)
        for (size_t t = i; t < i + 4; t++)
          to[j * to_row + t] = x[t * row + j];
    }
  for (; i < rows; i++)
    for (j = 0; j < columns; j++)
      to[j * to_row + i] = x[i * row + j];
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
