/* Rows of matrix products of few terms, updated where they lie (kernels/cpu/matrix/tiles.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/cpu/matrix/element.h"

/* A vector of C from X on, of which N numbers are there, as doubles.  */
INLINE vector
load_numbers (const void *c, size_t j, size_t n, const int single)
{
  const float *floats = (const float *) c + j;
  vector some = {0};

  if (!single)
    return n == LANES ? load_doubles ((const double *) c + j) : load_some (c, j, n);
  if (n == LANES)
    return (vector) {GT_PASTE (EVERY, LANES) (floats, 1)};
  for (size_t i = 0; i < n; i++)
    some[i] = floats[i];
  return some;
}

INLINE void
store_numbers (void *c, size_t j, size_t n, vector x, const int single)
{
  if (n == LANES && single)
    *(GT_PASTE (elements_f32, LANES) *) ((float *) c + j) = floats_of (x);
  else if (n == LANES)
    store_doubles ((double *) c + j, x);
  else
    for (size_t i = 0; i < n; i++)
      if (single)
        ((float *) c)[j + i] = (float) x[i];
      else
        ((double *) c)[j + i] = x[i];
}

/* Rounds sums once if a fused operation does so, or if that is certain of sums of doubles or, for
   doubles, in twice the precision.  Each is off by N + 2 roundings of the terms' magnitudes, or by
   less than 10 (N + 1)^2 of those roundings' magnitudes.  Returns whether it has stored them.  */
INLINE int
update_quickly (const struct gt_row_update *u, size_t j, vector old, const int single)
{
  typedef GT_PASTE (elements_f32, LANES) floats;
  const double n = (double) u->terms;
  vector sum = old, low = {0}, size = magnitudes (old), lower, upper;
  words open;

#ifdef FUSED_1
  if (!single && u->terms == 1 && u->rest[0] == 0)
    {
      store_doubles ((double *) u->c + j, FUSED (all_of (u->a[0]), load_doubles (u->b + j), old));
      return 1;
    }
#endif
  for (size_t t = 0; t < u->terms; t++)
    {
      const vector a = all_of (u->a[t]), b = load_doubles (u->b + t * u->step + j);
      const vector product = a * b;

      size += magnitudes (product);
      if (single)
        sum += product;
      else
        low += two_sum (&sum, product) + (product_error (a, b, product) + all_of (u->rest[t]) * b);
    }
  size *= all_of (single ? (n + 6) * 0x1p-53 : (n + 1) * (n + 1) * 0x1p-102);
  lower = sum + (low - size);
  upper = sum + (low + size);
  if (single)
    {
      const floats floor = floats_of (lower), ceiling = floats_of (upper);

      open = __builtin_convertvector ((floor != ceiling) | (floor == 0), words);
    }
  else
    open = (words) (lower != upper);
  if (FOLD (LANES, words, |, open) != 0)
    return 0;
  if (single)
    *(floats *) ((float *) u->c + j) = floats_of (lower);
  else
    store_doubles ((double *) u->c + j, lower);
  return 1;
}

/* Of N terms each adds three numbers to L, by 3 roundings of what they are, and one of L for each that
   follows: N + 3 of all their magnitudes.  They are all 0 if nothing was rounded.  */
INLINE int
update (const struct gt_row_update *u, const int single)
{
  const double lost = ((double) u->terms + 4) * 0x1p-53;
  double lower[LANES], upper[LANES];
  const struct gt_tile_row row = {.lower = lower, .upper = upper, .single = single};
  const vector none = {0};
  int doubtful = 0;

  for (size_t j = 0, n; j < u->n; j += n)
    {
      struct element e = {none, none, none, none};
      vector old, sums;
      words open;

      n = u->n - j < LANES ? u->n - j : LANES;
      old = load_numbers (u->c, j, n, single);
      if (u->adds)
        e.h = old + none;
      if (n == LANES && update_quickly (u, j, e.h, single))
        continue;
      for (size_t t = 0; t < u->terms; t++)
        {
          const vector a = all_of (u->a[t]), b = load_doubles (u->b + t * u->step + j);
          const vector product = a * b, error = product_error (a, b, product);
          const vector rest = all_of (u->rest[t]) * b, cut = two_sum (&e.h, product);

          e.l += cut + (error + rest);
          e.loses += magnitudes (cut) + magnitudes (error) + magnitudes (rest);
        }
      e.error = e.loses * lost;
      open = round_ends (&e, &row, 0) & (words) ((words) GT_PASTE (NUMBERS, LANES) < n);
      sums = load_doubles (lower);
      if (FOLD (LANES, words, |, open) != 0)
        {
          doubtful = 1;
          sums = where (open, old, sums);
          for (size_t i = 0; i < n; i++)
            u->doubt[(j + i) / 64] |= (uint64_t) (open[i] != 0) << (j + i) % 64;
        }
      store_numbers (u->c, j, n, sums, single);
    }
  return doubtful;
}

int
GT_FOR_ISA (gt_tile_update_row) (const struct gt_row_update *u)
{
  int doubtful;

  memset (u->doubt, 0, (u->n + 63) / 64 * sizeof *u->doubt);
  if (!u->single)
    return update (u, 0);
  doubtful = update (u, 1);
  end_floats (1);
  return doubtful;
}
