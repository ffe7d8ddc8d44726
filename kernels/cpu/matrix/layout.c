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
#ifdef __AVX__
  /* GCC 12 takes a conversion from memory for one that keeps the upper halves: the code that
     follows, without AVX, would take ten times as long.  */
  __builtin_ia32_vzeroupper ();
#endif
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
