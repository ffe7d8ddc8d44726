/* Sums of many lines at once (kernels/cpu/lanes/lanes.h).

   A few rows of elements are gone through for each few vectors of lines, whose states are in
   registers meanwhile: so memory is read in its order, and states seldom.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/isa/vectors.h"
#include "kernels/cpu/lanes/lanes.h"

#define LANES (GT_VECTOR_BYTES / 8)
#define SIDE_BY_SIDE 4u /* vectors */
#define ROWS ((size_t) 32)

typedef double vector __attribute__ ((vector_size (GT_VECTOR_BYTES)));

enum what
{
  ADD,
  ADD_BOUNDED,
  ADD_MOMENTS
};

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
magnitudes (vector x)
{
  return (vector) ((words) x & ((words) {0} + INT64_MAX));
}

INLINE vector
load_lifted (const double *x, const int of_magnitudes)
{
  return of_magnitudes ? magnitudes (load (x)) : load (x);
}

INLINE void
add (double *const state[3], const double *x, size_t n, size_t step, const unsigned vectors,
     const int of_magnitudes)
{
  vector s[SIDE_BY_SIDE];

  UNROLL
  for (unsigned v = 0; v < vectors; v++)
    s[v] = load (state[0] + v * LANES);
  for (size_t i = 0; i < n; i++)
    {
      UNROLL
      for (unsigned v = 0; v < vectors; v++)
        s[v] += load_lifted (x + i * step + v * LANES, of_magnitudes);
    }
  UNROLL
  for (unsigned v = 0; v < vectors; v++)
    store (state[0] + v * LANES, s[v]);
}

INLINE void
add_bounded (double *const state[3], const double *x, size_t n, size_t step,
             const unsigned vectors, const int of_magnitudes)
{
  vector s[SIDE_BY_SIDE], lost[SIDE_BY_SIDE], bound[SIDE_BY_SIDE];

  UNROLL
  for (unsigned v = 0; v < vectors; v++)
    {
      s[v] = load (state[0] + v * LANES);
      lost[v] = load (state[1] + v * LANES);
      bound[v] = load (state[2] + v * LANES);
    }
  for (size_t i = 0; i < n; i++)
    {
      UNROLL
      for (unsigned v = 0; v < vectors; v++)
        {
          const vector t = load_lifted (x + i * step + v * LANES, of_magnitudes);
          vector e = {0}, d = {0};

          GT_TWO_SUM (vector, s[v], e, t);
          GT_TWO_SUM (vector, lost[v], d, e);
          bound[v] += magnitudes (d);
        }
    }
  UNROLL
  for (unsigned v = 0; v < vectors; v++)
    {
      store (state[0] + v * LANES, s[v]);
      store (state[1] + v * LANES, lost[v]);
      store (state[2] + v * LANES, bound[v]);
    }
}

/* Two times over the elements, which are near the second time; of the deviations the sum is
   taken off, too, by which the mean was rounded.  */
INLINE void
add_moments (double *const state[3], size_t before, const double *x, size_t n, size_t step,
             const unsigned vectors)
{
  const double share = 1 / (double) n, weight = (double) n / (double) (before + n);
  vector sum[SIDE_BY_SIDE], own[SIDE_BY_SIDE], squares[SIDE_BY_SIDE];

  UNROLL
  for (unsigned v = 0; v < vectors; v++)
    sum[v] = squares[v] = (vector) {0};
  for (size_t i = 0; i < n; i++)
    {
      UNROLL
      for (unsigned v = 0; v < vectors; v++)
        sum[v] += load (x + i * step + v * LANES);
    }
  UNROLL
  for (unsigned v = 0; v < vectors; v++)
    {
      own[v] = sum[v] * share;
      sum[v] = (vector) {0};
    }
  for (size_t i = 0; i < n; i++)
    {
      UNROLL
      for (unsigned v = 0; v < vectors; v++)
        {
          const vector d = load (x + i * step + v * LANES) - own[v];

          squares[v] += d * d;
          sum[v] += d;
        }
    }
  UNROLL
  for (unsigned v = 0; v < vectors; v++)
    {
      const vector mean = load (state[0] + v * LANES);
      vector apart;

      own[v] += sum[v] * share;
      squares[v] -= sum[v] * sum[v] * share;
      apart = own[v] - mean;
      store (state[0] + v * LANES, mean + apart * weight);
      store (state[1] + v * LANES, load (state[1] + v * LANES) + squares[v]
                                     + apart * apart * (weight * (double) before));
    }
}

INLINE void
add_some (double *const state[3], size_t before, const double *x, size_t n, size_t step,
          const unsigned vectors, const enum what what, const int of_magnitudes)
{
  switch (what)
    {
    case ADD:
      add (state, x, n, step, vectors, of_magnitudes);
      break;
    case ADD_BOUNDED:
      add_bounded (state, x, n, step, vectors, of_magnitudes);
      break;
    case ADD_MOMENTS:
      add_moments (state, before, x, n, step, vectors);
      break;
    }
}

/* N elements of each of COUNT lines, which are less than a vector's.  */
INLINE void
add_rest (double *const state[3], size_t before, const double *x, size_t count, size_t n,
          size_t step, const enum what what, const int of_magnitudes)
{
  double padded[ROWS * LANES];

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < LANES; j++)
      padded[i * LANES + j] = j < count ? x[i * step + j] : 0;
  add_some (state, before, padded, n, LANES, 1, what, of_magnitudes);
}

INLINE void
add_all (double *const state[3], const double *x, size_t lines, size_t n, size_t step,
         const enum what what, const int of_magnitudes)
{
  const size_t group = SIDE_BY_SIDE * LANES;
  size_t before = 0;

  for (size_t rows; n > 0; n -= rows, x += rows * step, before += rows)
    {
      size_t j = 0;

      rows = n < ROWS ? n : ROWS;
      for (; lines - j >= group; j += group)
        {
          double *const there[] = {state[0] + j, state[1] + j, state[2] + j};

          add_some (there, before, x + j, rows, step, SIDE_BY_SIDE, what, of_magnitudes);
        }
      for (; j < lines; j += LANES)
        {
          double *const there[] = {state[0] + j, state[1] + j, state[2] + j};

          if (lines - j >= LANES)
            add_some (there, before, x + j, rows, step, 1, what, of_magnitudes);
          else
            add_rest (there, before, x + j, lines - j, rows, step, what, of_magnitudes);
        }
    }
}

static void
lanes_add (double *const state[3], const double *x, size_t lines, size_t n, size_t step)
{
  add_all (state, x, lines, n, step, ADD, 0);
}

static void
lanes_add_magnitudes (double *const state[3], const double *x, size_t lines, size_t n,
                      size_t step)
{
  add_all (state, x, lines, n, step, ADD, 1);
}

static void
lanes_add_bounded (double *const state[3], const double *x, size_t lines, size_t n,
                   size_t step)
{
  add_all (state, x, lines, n, step, ADD_BOUNDED, 0);
}

static void
lanes_add_magnitudes_bounded (double *const state[3], const double *x, size_t lines, size_t n,
                              size_t step)
{
  add_all (state, x, lines, n, step, ADD_BOUNDED, 1);
}

static void
lanes_add_moments (double *const state[3], const double *x, size_t lines, size_t n,
                   size_t step)
{
  add_all (state, x, lines, n, step, ADD_MOMENTS, 0);
}

extern const struct gt_lanes GT_FOR_ISA (gt_lanes);
const struct gt_lanes GT_FOR_ISA (gt_lanes)
  = {SIDE_BY_SIDE * LANES,
     {lanes_add, lanes_add_magnitudes},
     {lanes_add_bounded, lanes_add_magnitudes_bounded},
     lanes_add_moments};
