/* Sums of powers of few elements by lanes, in numbers of two doubles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_EXACT_POWERS_H
#define GT_KERNELS_CPU_EXACT_POWERS_H

#include "kernels/cpu/short/exact_cascades.h"
#include "kernels/cpu/short/exact_statistics.h"

/* More lanes would mostly hold zeros.  */
#if LANES >= 4
#define WIDTH 4
#else
#define WIDTH 2
#endif
#define WIDE(stem) GT_PASTE (stem, WIDTH)
#define VECTOR WIDE (vector)
#define WORDS WIDE (words)
#define KEEP(v) ((VECTOR) ((WORDS) (v) & keep))

enum
{
  OF_WEIGHTS,
  OF_SQUARED_WEIGHTS,
  OF_FIRST,  /* powers */
  OF_SECOND, /* of the second sample */
  OF_MAGNITUDES,
  OF_SQUARES,
  OF_CUBES,
  OF_FOURTHS,
  OF_NEIGHBOURS,
  OF_PAIRS,  /* products of two samples */
  OF_OTHERS, /* squares of the second */
  N_SUMS
};
#define SUM(sum) (1u << OF_##sum)
#define WEIGHTED (1u << N_SUMS)
#define ROUGHLY (2u << N_SUMS) /* the sum of the weights as it comes */
#define TO_CUBES (SUM (FIRST) | SUM (SQUARES) | SUM (CUBES))

struct two
{
  double h, l;
};

/* H + L.  */
struct lanes
{
  VECTOR h, l;
};

struct total
{
  VECTOR s, c;
};

INLINE VECTOR
at (const double *x)
{
  return *(const WIDE (elements_f64) *) x;
}

INLINE void
put_at (double *x, VECTOR v)
{
  *(WIDE (elements_f64) *) x = v;
}

INLINE void
put (struct total *t, struct lanes x)
{
  VECTOR e;

  TWO_SUM (VECTOR, t->s, e, x.h);
  t->c += e + x.l;
}

INLINE struct lanes
multiplied (struct lanes p, struct lanes q)
{
  const VECTOR h = p.h * q.h;
  const VECTOR error = WIDE (product_error) (p.h, q.h, h);

  return (struct lanes) {
    h, WIDE (product_and) (p.h, q.l, WIDE (product_and) (p.l, q.h, error))
  };
}

/* Returns elements I of X, which have second parts where there is a REST, less BY, which is often
   0; the sign is that of the first part.  */
INLINE struct lanes
less (const double x[2][GT_FEW_ROOM], size_t i, struct two by, const int rest)
{
  struct lanes d = {at (x[0] + i), {0}};
  VECTOR e;

  if (by.h == 0)
    e = (VECTOR) {0};
  else
    TWO_SUM (VECTOR, d.h, e, (VECTOR) {0} - by.h);
  d.l = e;
  if (rest)
    {
      e += at (x[1] + i) - by.l;
      TWO_SUM (VECTOR, d.h, d.l, e);
    }
  return d;
}

/* Those after D's of each lane, NEXT being the next vector.  */
INLINE VECTOR
after (VECTOR d, VECTOR next)
{
#if WIDTH == 4
  return __builtin_shufflevector (d, next, 1, 2, 3, 4);
#else
  return __builtin_shufflevector (d, next, 1, 2);
#endif
}

/* D's lanes that are elements, of vector I and N elements.  */
INLINE struct lanes
within (struct lanes d, size_t i, size_t n)
{
  typedef int64_t places __attribute__ ((vector_size (8 * WIDTH)));
  WORDS keep;

  if (n - i >= WIDTH)
    return d;
  keep = (WORDS) ((places) (WORDS) GT_PASTE (NUMBERS, WIDTH) < (int64_t) (n - i));
  return (struct lanes) {KEEP (d.h), KEEP (d.l)};
}

INLINE struct two
ended (struct total t)
{
  const struct cascade_1 sum = WIDE (folded) ((struct WIDE (cascade)) {t.s, t.c, {0}});

  return (struct two) {sum.s, sum.c};
}

/* Makes W weights I, those not above 0 being 0; returns the lanes of D whose weights are.  */
INLINE struct lanes
weigh (const struct gt_few_sample *s, const int wide, size_t i, struct lanes d,
       struct lanes *w)
{
  const VECTOR weights = at (s->y[0] + i);
  const WORDS keep = (WORDS) (weights > 0);

  w->h = KEEP (weights);
  if (wide)
    w->l = KEEP (at (s->y[1] + i));
  return (struct lanes) {KEEP (d.h), KEEP (d.l)};
}

INLINE void
put_weighed (struct total *t, struct lanes w, struct lanes x,
                    const unsigned which)
{
  put (t, which & WEIGHTED ? multiplied (w, x) : x);
}

/* Takes A off all elements.  SUMS become the sum of what is left, times the weights where
   these count, and the sum of the weights.  */
INLINE void
take_off (struct gt_few_sample *s, const int wide, struct two a, const int weighted,
          struct two sums[N_SUMS])
{
  struct total sum = {{0}, {0}}, weight = {{0}, {0}};

  for (size_t i = 0; i < s->n; i += WIDTH)
    {
      struct lanes d = less (s->x, i, a, wide), w = {{0}, {0}};

      d = weighted ? weigh (s, wide, i, d, &w) : within (d, i, s->n);
      put_at (s->x[0] + i, d.h);
      put_at (s->x[1] + i, d.l);
      put (&sum, weighted ? multiplied (w, d) : d);
      if (weighted)
        put (&weight, w);
    }
  sums[OF_FIRST] = ended (sum);
  if (weighted)
    sums[OF_WEIGHTS] = ended (weight);
}

INLINE double
most (VECTOR v)
{
  double most = v[0];

  UNROLL
  for (unsigned k = 1; k < WIDTH; k++)
    most = v[k] > most ? v[k] : most;
  return most;
}

/* The largest magnitude so far, MOST, or that of D.  */
INLINE VECTOR
larger (VECTOR most, VECTOR d)
{
  const VECTOR m = MAGNITUDES (WIDTH, d);
#ifdef FUSED_1
  return WIDE (LARGER) (m, most);
#else
  const WORDS more = (WORDS) (m > most);

  return (VECTOR) (((WORDS) m & more) | ((WORDS) most & ~more));
#endif
}

/* The lowest bit of all N numbers of X whose weights, if there are any, are above 0; or MOST.  */
INLINE double
lowest_weighted_bit (const double *x, const double *weights, size_t n, double most)
{
  VECTOR least = (VECTOR) {0} + most;

  for (size_t i = 0; i < n; i += WIDTH)
    {
      const VECTOR v = at (x + i);

      least = WIDE (lower_bits) (
        least, weights ? (VECTOR) ((WORDS) v & (WORDS) (at (weights + i) > 0)) : v);
    }
  UNROLL
  for (unsigned k = 0; k < WIDTH; k++)
    most = least[k] < most ? least[k] : most;
  return most;
}

/* Makes the sums that WHICH asks for of the elements less BY[0], and of the second sample's
   less BY[1], and MOST the largest magnitudes of these.  The elements have second parts where there
   is a REST, weights and second samples where they are WIDE.  */
INLINE void
powers (const struct gt_few_sample *s, const int rest, const int wide, const struct two by[2],
        const unsigned which, struct two sums[N_SUMS], double most_of[2])
{
  struct total t[N_SUMS];
  VECTOR most_x = {0}, most_y = {0};

  UNROLL
  for (unsigned k = 0; k < N_SUMS; k++)
    t[k] = (struct total) {{0}, {0}};
  for (size_t i = 0; i < s->n; i += WIDTH)
    {
      struct lanes d = less (s->x, i, by[0], rest), w = {{0}, {0}}, e;
      struct lanes square;

      d = which & WEIGHTED ? weigh (s, wide, i, d, &w) : within (d, i, s->n);
      most_x = larger (most_x, d.h);
      square = multiplied (d, d);
      if (which & ROUGHLY)
        t[OF_WEIGHTS].s += w.h;
      else if (which & SUM (WEIGHTS))
        put (&t[OF_WEIGHTS], w);
      if (which & SUM (SQUARED_WEIGHTS))
        put (&t[OF_SQUARED_WEIGHTS], multiplied (w, w));
      if (which & SUM (FIRST))
        put_weighed (&t[OF_FIRST], w, d, which);
      if (which & SUM (MAGNITUDES))
        {
          const WORDS sign = (WORDS) d.h & SIGN;

          e.h = (VECTOR) ((WORDS) d.h ^ sign);
          e.l = (VECTOR) ((WORDS) d.l ^ sign);
          put_weighed (&t[OF_MAGNITUDES], w, e, which);
        }
      if (which & SUM (SQUARES))
        put_weighed (&t[OF_SQUARES], w, square, which);
      if (which & SUM (CUBES))
        put_weighed (&t[OF_CUBES], w, multiplied (square, d), which);
      if (which & SUM (FOURTHS))
        put_weighed (&t[OF_FOURTHS], w, multiplied (square, square), which);
      if (which & SUM (NEIGHBOURS))
        {
          e = (struct lanes) {{0}, {0}};
          if (s->n - i > WIDTH)
            e = within (less (s->x, i + WIDTH, by[0], rest), i + WIDTH, s->n);
          e = (struct lanes) {after (d.h, e.h), after (d.l, e.l)};
          put (&t[OF_NEIGHBOURS], multiplied (d, e));
        }
      if (which & SUM (PAIRS))
        {
          e = within (less (s->y, i, by[1], wide), i, s->n);
          most_y = larger (most_y, e.h);
          if (which & SUM (SECOND))
            put (&t[OF_SECOND], e);
          put (&t[OF_PAIRS], multiplied (d, e));
        }
      if (which & SUM (OTHERS))
        put (&t[OF_OTHERS], multiplied (e, e));
    }
  UNROLL
  for (unsigned k = 0; k < N_SUMS; k++)
    if (which >> k & 1)
      sums[k] = ended (t[k]);
  most_of[0] = most (most_x);
  most_of[1] = most (most_y);
}

#endif
