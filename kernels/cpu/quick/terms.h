/* Elements of one or two samples as vectors of pairs, and the terms that they contribute to
   sums (kernels/cpu/quick/quick_sums.c).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_TERMS_H
#define GT_KERNELS_CPU_TERMS_H

#include "kernels/cpu/quick/quick.h" /* before FUSED is that of vectors */
#include "kernels/cpu/exact/two_products.h"

#define BIT(sum) (1u << GT_MOMENT_##sum)
#define HAS(sum) (which >> GT_MOMENT_##sum & 1)
#define EACH_SUM(k) \
  UNROLL            \
  for (unsigned k = 0; k < GT_N_MOMENTS; k++) if (which >> k & 1)

/* The second number of a pair.  */
enum
{
  PLAIN,  /* 1, without a shift */
  SIZES,  /* 1, without a shift; x is a magnitude */
  ONES,
  SIGNED, /* 1; sides and distances have the sign of x minus a number */
  PLAIN_PAIRS,
  COMPLEX_PAIRS, /* the parts of complex numbers, alternating */
  PAIRS,  /* a second sample */
  WEIGHTS,
  WEIGHTS_SIGNED
};

/* Sums in twice the precision of elements that are one double or two; fast sums of doubles or
   of floats.  */
enum
{
  BARE,
  RESTED,
  FAST,
  FAST_FLOATS
};

#define ARE_PAIRS(form) ((form) >= PLAIN_PAIRS && (form) <= PAIRS)
#define HAS_SHIFT(form) ((form) > SIZES && (form) != PLAIN_PAIRS && (form) != COMPLEX_PAIRS)

/* If there are few sums, the registers suffice for several chains of each.  */
#define CHAINS 4
#define MOST_CHAINS 8
#define FAST_CHAINS_OF(which)                   \
  (__builtin_popcount (which) == 1   ? 8u       \
   : __builtin_popcount (which) == 2 ? 4u       \
   : GT_VECTOR_BYTES == 64           ? 4u : 2u)
#define CHAINS_OF(which, how)                       \
  ((how) >= FAST                    ? FAST_CHAINS_OF (which) \
   : __builtin_popcount (which) > 2 ? 1u            \
                                    : CHAINS / __builtin_popcount (which))

struct chains
{
  vector anchor[GT_N_MOMENTS];
  vector s[MOST_CHAINS][GT_N_MOMENTS], c[MOST_CHAINS][GT_N_MOMENTS];
  words drift, x_limit, y_limit, far; /* X_LIMIT, Y_LIMIT: the largest magnitudes of exact
                                         differences */
  words signs[2]; /* of y's parts for the real part of a product and, exchanged, for the
                     imaginary part */
};

/* Elements X + X_REST and Y + Y_REST, and the sign of x minus a number.  */
struct pair
{
  vector x, x_rest, y, y_rest;
  words signs;
};

INLINE vector
with_signs (vector v, words signs)
{
  return (vector) ((words) v ^ signs);
}

INLINE vector
larger (vector v, vector w)
{
  return (vector) (((words) v & (words) (v > w)) | ((words) w & (words) (v <= w)));
}

INLINE vector
elements_at (const double *x, size_t i, const int how)
{
  return load_elements (x, i, 1, how == FAST_FLOATS ? F32 : F64);
}

INLINE struct pair
load_pair (const struct gt_quick *of, size_t i, const int form, const int how)
{
  struct pair v = {elements_at (of->x, i, how), {0}, (vector) {0} + 1, {0}, {0}};

  if (form == SIZES)
    v.x = MAGNITUDES (LANES, v.x);
  else if (HAS_SHIFT (form) && how != RESTED)
    v.x -= of->x_shift;
  if (how == RESTED)
    v.x_rest = load_doubles (of->x_rest + i);
  if (form >= PLAIN_PAIRS)
    v.y = elements_at (of->y, i, how);
  if (form == PAIRS && how != RESTED)
    v.y -= of->y_shift;
  if (ARE_PAIRS (form) && how == RESTED)
    v.y_rest = load_doubles (of->y_rest + i);
  if (form >= WEIGHTS)
    v.y = larger (v.y, (vector) {0});
  if (form == SIGNED || form == WEIGHTS_SIGNED)
    v.signs = (words) (v.x - of->about + (v.x_rest - of->about_rest)) & SIGN;
  return v;
}

/* Returns the lanes of V that MASK has, and zeros for the others.  */
INLINE struct pair
some_of (struct pair v, words mask)
{
  v.x = (vector) ((words) v.x & mask);
  v.x_rest = (vector) ((words) v.x_rest & mask);
  v.y = (vector) ((words) v.y & mask);
  v.y_rest = (vector) ((words) v.y_rest & mask);
  return v;
}

/* Returns whether it is detected only at the end of the loop, by this or another sum, that sum
   K left its binade.  */
INLINE int
is_seen (const unsigned k, const unsigned which, const int form)
{
  return k == GT_MOMENT_1          ? HAS (2) || form == SIZES
         : k == GT_MOMENT_Y        ? HAS (YY)
         : k == GT_MOMENT_PRODUCTS ? HAS (2) && HAS (YY)
         : k == GT_MOMENT_LAST     ? 0
                                   : k != GT_MOMENT_3 || HAS (4);
}

/* Adds P Q, or P if Q is null, to S of sum K.  Returns the rounding error.  */
INLINE vector
take (struct chains *a, const unsigned chain, const unsigned k, vector p, const vector *q,
      const unsigned which, const int form, const int how)
{
  const vector s = a->s[chain][k];
  vector next, left;

  if (how >= FAST)
    {
      a->s[chain][k] = q ? product_and (p, *q, s) : s + p;
      return (vector) {0};
    }
#ifdef FUSED
  next = q ? FUSED (p, *q, s) : s + p;
  left = q ? FUSED (p, *q, s - next) : p - (next - s);
#else
  const vector product = q ? p * *q : p;

  next = s + product;
  left = product - (next - s);
  if (q)
    left += product_error (p, *q, product);
#endif
  if (!is_seen (k, which, form))
    a->drift |= (words) next ^ (words) a->anchor[k];
  a->s[chain][k] = next;
  return left;
}

/* Adds Y to the sum of the weights, and, with the sign, to the sum of the sides.  */
INLINE void
take_both (struct chains *a, const unsigned chain, struct pair v, const unsigned which,
           const int form)
{
  const vector s = a->s[chain][GT_MOMENT_W];
  const vector left = take (a, chain, GT_MOMENT_W, v.y, NULL, which, form, BARE);

  a->c[chain][GT_MOMENT_W] += left;
  a->s[chain][GT_MOMENT_SIDES] += with_signs (a->s[chain][GT_MOMENT_W] - s, v.signs);
  a->c[chain][GT_MOMENT_SIDES] += with_signs (left, v.signs);
}

/* Adds P Q to sum K if it is requested, and the rounding error to its C if it has one.  */
INLINE void
put (struct chains *a, const unsigned chain, const unsigned k, vector p, const vector *q,
     const unsigned which, const int form, const int how)
{
  vector left;

  if (!(which >> k & 1))
    return;
  left = take (a, chain, k, p, q, which, form, how);
  if (how < FAST)
    a->c[chain][k] += left;
}

/* Adds P Q, where one factor is the second double of an element, to C of sum K if it is
   requested and elements are two doubles.  */
INLINE void
put_rest (struct chains *a, const unsigned chain, const unsigned k, vector p, vector q,
          const unsigned which, const int how)
{
  if (which >> k & 1 && how == RESTED)
    a->c[chain][k] = product_and (p, q, a->c[chain][k]);
}

#define TAKE(sum, p, q) take (a, chain, GT_MOMENT_##sum, p, q, which, form, how)
#define PUT(sum, p, q) put (a, chain, GT_MOMENT_##sum, p, q, which, form, how)
#define PUT_REST(sum, p, q) put_rest (a, chain, GT_MOMENT_##sum, p, q, which, how)

/* Adds the terms of sides and distances.  */
INLINE void
put_distances (struct chains *a, const unsigned chain, struct pair v, const unsigned which,
               const int form, const int how)
{
  const vector y = with_signs (v.y, v.signs), size = MAGNITUDES (LANES, v.x);

  if (HAS (W) && HAS (SIDES))
    take_both (a, chain, v, which, form);
  else if (HAS (SIDES))
    a->c[chain][GT_MOMENT_SIDES] += y;
  if (HAS (SIDES) || how < FAST)
    {
      PUT (DISTANCES, v.x, &y);
      PUT_REST (DISTANCES, v.x_rest, y);
    }
  else
    PUT (DISTANCES, size, form < WEIGHTS ? NULL : &v.y);
}

/* Adds the terms of one vector of pairs.  */
INLINE void
put_pair (struct chains *a, const unsigned chain, struct pair v, const unsigned which,
          const int form, const int how)
{
  const int ones = form < WEIGHTS;
  const vector one = (vector) {0} + 1, p = v.x * v.x, below = product_error (v.x, v.x, p);
  const vector e = how == RESTED ? product_and (v.x + v.x, v.x_rest, below) : below;
  const vector r = ones ? p : v.y * p;
  const vector g = ones ? e : product_and (v.y, e, product_error (v.y, p, r));
  vector left;

  if (HAS_SHIFT (form) && how != RESTED)
    a->far |= a->x_limit - ((words) v.x & ~SIGN);
  if (how != RESTED && form == PAIRS)
    a->far |= a->y_limit - ((words) v.y & ~SIGN);
  if (!HAS (SIDES))
    PUT (W, v.y, NULL);
  PUT (WW, v.y, &v.y);
  PUT (1, v.x, ones ? NULL : &v.y);
  PUT_REST (1, v.x_rest, ones ? one : v.y);
  if (ones)
    {
      PUT (2, v.x, &v.x);
      PUT_REST (2, v.x + v.x, v.x_rest);
    }
  else if (HAS (2))
    {
      left = TAKE (2, v.y, &p);
      if (how < FAST)
        a->c[chain][GT_MOMENT_2] += product_and (v.y, e, left);
    }
  if (HAS (3))
    {
      left = TAKE (3, r, &v.x);
      if (how == RESTED)
        left = product_and (r, v.x_rest, left);
      if (how < FAST)
        a->c[chain][GT_MOMENT_3] += product_and (g, v.x, left);
    }
  if (HAS (4))
    {
      left = TAKE (4, r, &p);
      if (how < FAST)
        a->c[chain][GT_MOMENT_4] += product_and (r, e, product_and (g, p, left));
    }
  PUT (Y, v.y, NULL);
  PUT_REST (Y, v.y_rest, one);
  PUT (YY, v.y, &v.y);
  PUT_REST (YY, v.y + v.y, v.y_rest);
  if (form == COMPLEX_PAIRS)
    {
      const vector real = with_signs (v.y, a->signs[0]);
      const vector imaginary = with_signs (MOVED (v.y, 1), a->signs[1]);

      PUT (PRODUCTS, v.x, &real);
      PUT (LAST, v.x, &imaginary);
      return;
    }
  PUT (PRODUCTS, v.x, &v.y);
  PUT_REST (PRODUCTS, v.x, v.y_rest);
  PUT_REST (PRODUCTS, v.x_rest, v.y);
  if (HAS (DISTANCES))
    put_distances (a, chain, v, which, form, how);
}

#undef TAKE
#undef PUT
#undef PUT_REST

#endif
