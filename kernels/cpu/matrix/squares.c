/* Triangular squares, solved (kernels/cpu/matrix/tiles.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/cpu/matrix/tile_vectors.h"

#define VECTORS (GT_TILE_SQUARE / LANES)

/* The most that two roundings of L for each of 19 addends lose of the sum of their
   magnitudes.  */
#define LOST 0x1p-95
/* The most that products and quotients may lose by underflow.  */
#define VANISHED 0x1p-1000
/* Diagonals, numerators and quotients that are no less have remainders that are doubles; and
   diagonals that are no more.  */
#define LEAST 0x1p-900
#define MOST 0x1p900

/* Numerators as H + L, which miss SUM_ERROR and LOST times MAGNITUDE; ANY tells whether
   anything was multiplied.  */
struct numerators
{
  double h[GT_TILE_SQUARE], l[GT_TILE_SQUARE], magnitude[GT_TILE_SQUARE],
    error[GT_TILE_SQUARE], any[GT_TILE_SQUARE];
};

/* Takes X + REST off.  */
INLINE void
take (struct numerators *k, size_t v, vector x, vector rest)
{
  const vector before = load_doubles (k->h + v), h = before - x, b = h - before;

  store_doubles (k->h + v, h);
  store_doubles (k->l + v,
                 (load_doubles (k->l + v) - rest) + ((before - (h - b)) - (x + b)));
  store_doubles (k->magnitude + v, load_doubles (k->magnitude + v) + magnitudes (x));
}

INLINE void
begin (struct numerators *k, const struct gt_tile_square *q)
{
  UNROLL
  for (size_t v = 0; v < GT_TILE_SQUARE; v += LANES)
    {
      const vector old = load_doubles (q->old + v);

      store_doubles (k->h + v, old);
      store_doubles (k->l + v, (vector) {0});
      store_doubles (k->magnitude + v, magnitudes (old));
      store_doubles (k->error + v, (vector) {0});
      store_doubles (k->any + v, (vector) {0});
      if (q->s && v < q->n)
        {
          const vector scale = load_doubles (q->scale + v);

          take (k, v, load_doubles (q->s + v) - scale * q->anchor, load_doubles (q->l + v));
          store_doubles (k->error + v, scale * q->error);
        }
    }
}

/* H - Q D.  */
INLINE vector
remainder_of (vector h, vector q, vector d)
{
#ifdef FUSED_1
  return FUSED (-q, d, h);
#else
  const vector product = q * d;

  return (h - product) - product_error (q, d, product);
#endif
}

/* Number I over the diagonal's, in all lanes; leaves whether it is certain in all of them.  */
INLINE vector
divide (const struct numerators *k, size_t i, vector d, words *certain)
{
  const vector h = all_of (k->h[i]), l = all_of (k->l[i]), none = {0};
  const vector inverse = 1 / d, q = h * inverse;
  const vector correction = (remainder_of (h, q, d) + l) * inverse, x = q + correction;
  const vector any = where ((words) (all_of (k->any[i]) != 0), all_of (VANISHED), none);
  const vector error = all_of (k->error[i]) + all_of (k->magnitude[i]) * LOST + any;
  const vector off = (error + error) * magnitudes (inverse)
                     + magnitudes (correction) * 0x1p-50 + magnitudes (q) * 0x1p-100;
  const vector lower = q + (correction - off), upper = q + (correction + off);
  const words zero = (words) (h == 0) & (words) (l == 0) & (words) (error == 0);
  const words fine = (words) (magnitudes (h) >= LEAST) & (words) (magnitudes (q) >= LEAST)
                     & (words) (magnitudes (d) >= LEAST) & (words) (magnitudes (d) <= MOST);

  *certain = (words) (lower == x) & (words) (upper == x) & (zero | fine);
  return x;
}

INLINE size_t
solve (const struct gt_tile_square *q, const int upper)
{
  struct numerators k;
  words certain = (words) {0} - 1;

  begin (&k, q);
  for (size_t done = 0; done < q->n; done++)
    {
      const size_t i = upper ? q->n - 1 - done : done;
      const double *a = q->a + i * q->step;
      const size_t from = upper ? 0 : (i + 1) / LANES, until = upper ? i : q->n;
      const size_t vectors = (until + LANES - 1) / LANES - from;
      const vector x = divide (&k, i, all_of (q->unit ? 1 : a[i]), &certain);
      const words some = (words) (x != 0);

      if (certain[0] == 0)
        return done;
      /* The addition makes +0 of -0.  */
      q->x[i] = x[0] + 0.0;
      /* The unknowns that are needed next come first.  */
      for (size_t t = 0; t < vectors; t++)
        {
          const size_t v = (upper ? vectors - 1 - t : from + t) * LANES;
          const vector y = load_doubles (a + v), product = y * x;

          take (&k, v, product, product_error (y, x, product));
          store_doubles (k.any + v,
                         (vector) ((words) load_doubles (k.any + v)
                                   | ((words) (y != 0) & some & (words) all_of (1))));
        }
    }
  return q->n;
}

size_t
GT_FOR_ISA (gt_tile_solve) (const struct gt_tile_square *q)
{
  return q->upper ? solve (q, 1) : solve (q, 0);
}
