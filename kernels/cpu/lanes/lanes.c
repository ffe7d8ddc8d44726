/* Sums of many columns at once (kernels/cpu/lanes/lanes.h): each lane of a vector has a column of
   its own, so that nothing has to be added across lanes.

   A few rows are gone through for each few vectors of columns, whose sums are in registers
   meanwhile: so memory is read in its order, and sums seldom.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/cpu/isa/vectors.h"
#include "kernels/cpu/lanes/lanes.h"

#define LANES (GT_VECTOR_BYTES / 8)
#define SIDE_BY_SIDE 4u /* vectors */
#define ROWS ((size_t) 32)

typedef double vector __attribute__ ((vector_size (GT_VECTOR_BYTES)));

INLINE vector
load (const double *x)
{
  vector v;

  memcpy (&v, x, sizeof v);
  return v;
}

INLINE void
store (double *x, vector v)
{
  memcpy (x, &v, sizeof v);
}

INLINE vector
magnitudes_of (vector x)
{
  return (vector) ((words) x & ((words) {0} + INT64_MAX));
}

/* Adds N rows to the sums of so many VECTORS of columns from FIRST on.  */
INLINE void
add_rows (gt_lanes_sums sums, size_t first, const double *x, size_t n, size_t step,
          const unsigned vectors, const int bounded, const int magnitudes)
{
  const unsigned numbers = bounded ? 3 : 1;
  vector s[3][SIDE_BY_SIDE];

  UNROLL
  for (unsigned k = 0; k < numbers * vectors; k++)
    s[k / vectors][k % vectors] = load (sums[k / vectors] + first + k % vectors * LANES);
  for (size_t i = 0; i < n; i++)
    {
      UNROLL
      for (unsigned v = 0; v < vectors; v++)
        {
          const vector loaded = load (x + i * step + v * LANES);
          const vector t = magnitudes ? magnitudes_of (loaded) : loaded;
          vector lost = {0}, lost_of_lost = {0};

          if (bounded)
            {
              GT_TWO_SUM (vector, s[0][v], lost, t);
              GT_TWO_SUM (vector, s[1][v], lost_of_lost, lost);
              s[2][v] += magnitudes_of (lost_of_lost);
            }
          else
            s[0][v] += t;
        }
    }
  UNROLL
  for (unsigned k = 0; k < numbers * vectors; k++)
    store (sums[k / vectors] + first + k % vectors * LANES, s[k / vectors][k % vectors]);
}

/* Adds N rows of COLUMNS, which are less than a vector's.  */
INLINE void
add_rest (gt_lanes_sums sums, size_t first, const double *x, size_t columns, size_t n,
          size_t step, const int bounded, const int magnitudes)
{
  double padded[ROWS * LANES] = {0};

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < columns; j++)
      padded[i * LANES + j] = x[i * step + j];
  add_rows (sums, first, padded, n, LANES, 1, bounded, magnitudes);
}

INLINE void
add (gt_lanes_sums sums, const double *x, size_t columns, size_t n, size_t step,
     const int bounded, const int magnitudes)
{
  const size_t group = SIDE_BY_SIDE * LANES;

  for (size_t rows; n > 0; n -= rows, x += rows * step)
    {
      size_t j = 0;

      rows = n < ROWS ? n : ROWS;
      for (; columns - j >= group; j += group)
        add_rows (sums, j, x + j, rows, step, SIDE_BY_SIDE, bounded, magnitudes);
      for (; columns - j >= LANES; j += LANES)
        add_rows (sums, j, x + j, rows, step, 1, bounded, magnitudes);
      if (columns > j)
        add_rest (sums, j, x + j, columns - j, rows, step, bounded, magnitudes);
    }
}

void
GT_FOR_ISA (gt_lanes_add) (gt_lanes_sums sums, const double *x, size_t columns, size_t n,
                           size_t step, int bounded, int magnitudes)
{
  if (!bounded && !magnitudes)
    add (sums, x, columns, n, step, 0, 0);
  else if (!bounded)
    add (sums, x, columns, n, step, 0, 1);
  else if (!magnitudes)
    add (sums, x, columns, n, step, 1, 0);
  else
    add (sums, x, columns, n, step, 1, 1);
}
