/* Exact sums of products of similar size: windows.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>

#include "kernels/cpu/exact/exact_products.h"
#include "kernels/cpu/exact/two_products.h"

/* Windows as in kernels/cpu/exact/exact_window.c, where the method is explained, in which
   a product P + E is added without leaving the registers: P, the rounded product,
   is taken by the levels from 0 on to the last but one, and its error E by those
   from 1 on to the last.

   * Level 0 sees nothing but P, and is checked: each accumulator stays in its
     binade [2^k, 2^(k+1)).  Therefore |P| <= 2^k, and |E| <= 2^(k-53) = u / 2, u
     the unit of level 0: E is no larger than what P leaves to level 1.
   * In level l > 0, k = top - 44 l, what arrives is at most B = 2^(k-9), and so
     is what is taken.  An accumulator takes two numbers for each product, at most
     256 = GT_PRODUCT_LENGTH, so it moves by no more than 2^(k-1) either way.
   * What is left of P after the last level but one must be zero, and what is left
     of E after the last.
   * So P is a multiple of the unit of the last level but one, which is at least
     2^-968 as top is at least GT_PRODUCT_LOWEST_TOP.  A P that is not zero is as
     large as that, and then E is a double (kernels/cpu/exact/two_products.h).  If P is
     zero a factor must be, or the product has vanished: where there was any, the
     factors are looked at.
   * Infinities and NaN do not stay in a binade.  Where there are no fused
     operations E may be a NaN though P is none: that is checked.

   The totals have the same bounds as there.  */

#define CHAINS GT_PRODUCT_CHAINS

/* DRIFT has a bit that differs wherever an accumulator of level 0 left its binade;
   LEFT, what the last levels left; ZERO, lanes that had a product of zero.  */
struct levels
{
  vector acc[GT_PRODUCT_LEVELS][CHAINS];
  words anchor[GT_PRODUCT_LEVELS], drift, left, zero;
};

INLINE void
begin (struct levels *a, int top, const unsigned levels)
{
  a->drift = a->left = a->zero = (words) {0};
  UNROLL
  for (unsigned l = 0; l < levels; l++)
    {
      const int exponent = top - (int) l * GT_PRODUCT_STEP + 1023;

      a->anchor[l] = (words) {0} + ((uint64_t) exponent << 52
                                    | (uint64_t) 1 << 51);
      UNROLL
      for (unsigned k = 0; k < CHAINS; k++)
        a->acc[l][k] = (vector) a->anchor[l];
    }
}

/* Adds X to chain K, levels FIRST to LAST.  */
INLINE void
take (struct levels *a, vector x, const unsigned first, const unsigned last,
      const unsigned k)
{
  UNROLL
  for (unsigned l = first; l <= last; l++)
    {
      const vector next = a->acc[l][k] + x;
      const vector taken = next - a->acc[l][k];

      if (l == 0)
        a->drift |= (words) next ^ a->anchor[0];
      if (l == last)
        a->left |= (words) taken ^ (words) x;
      else
        x -= taken;
      a->acc[l][k] = next;
    }
}

INLINE void
take_product (struct levels *a, vector p, vector q, const unsigned levels,
              const int errors, const unsigned k)
{
  const vector product = p * q;

  if (errors)
    {
      const vector error = product_error (p, q, product);

      a->zero |= (words) (product == 0);
      if (MOST_FACTOR < DBL_MAX)
        a->left |= (words) (error != error) & ~SIGN;
      take (a, product, 0, levels - 2, k);
      take (a, error, 1, levels - 1, k);
    }
  else
    take (a, product, 0, levels - 1, k);
}

/* Adds the accumulators to the window, if all is well.  */
INLINE int
end (const struct levels *a, struct gt_product_window *window,
     const unsigned levels)
{
  if (FOLD (LANES, words, |, (a->drift & ~FRACTION) | (a->left & ~SIGN)))
    return 0;
  UNROLL
  for (unsigned l = 0; l < levels; l++)
    {
      words *total = (words *) window->total[l];
      words sum = {0};

      UNROLL
      for (unsigned k = 0; k < CHAINS; k++)
        sum += (words) a->acc[l][k] - a->anchor[l];
      *total += sum;
    }
  return 1;
}

/* Lanes whose product is zero though no factor is.  */
INLINE words
vanished (vector p, vector q)
{
  return (words) (p * q == 0) & (words) (p != 0) & (words) (q != 0);
}

/* Whether products that are zero have a factor that is.  Vectors with zeros among their
   elements are common, so this is no slower than reading them again.  */
static int __attribute__ ((noinline))
zeros_are_exact (const double *x, const double *y, size_t n)
{
  words bad = {0};

  for (; n >= LANES; n -= LANES, x += LANES, y += LANES)
    bad |= vanished (load_doubles (x), load_doubles (y));
  if (n > 0)
    bad |= vanished (
      LANES_FROM (LANES, LANES - n, load_doubles (x + n - LANES)),
      LANES_FROM (LANES, LANES - n, load_doubles (y + n - LANES)));
  return FOLD (LANES, words, |, bad) == 0;
}

INLINE int
add_levels (const double *x, const double *y, size_t n,
            struct gt_product_window *window, const unsigned levels,
            const int errors)
{
  const double *const all_x = x, *const all_y = y;
  const size_t all = n;
  struct levels a;

  begin (&a, window->top, levels);
  for (; n >= CHAINS * LANES; n -= CHAINS * LANES)
    {
      ask_ahead (x, CHAINS * LANES * sizeof *x);
      ask_ahead (y, CHAINS * LANES * sizeof *y);
      UNROLL
      for (unsigned k = 0; k < CHAINS; k++, x += LANES, y += LANES)
        take_product (&a, load_doubles (x), load_doubles (y), levels, errors,
                      k);
    }
  for (; n >= LANES; n -= LANES, x += LANES, y += LANES)
    take_product (&a, load_doubles (x), load_doubles (y), levels, errors, 0);
  if (n > 0)
    take_product (
      &a, LANES_FROM (LANES, LANES - n, load_doubles (x + n - LANES)),
      LANES_FROM (LANES, LANES - n, load_doubles (y + n - LANES)), levels,
      errors, 0);
  if (errors && FOLD (LANES, words, |, a.zero)
      && !zeros_are_exact (all_x, all_y, all))
    return 0;
  return end (&a, window, levels);
}

INLINE int
add_products (const double *x, const double *y, size_t n,
              struct gt_product_window *window, const int errors)
{
  switch (window->levels)
    {
    case 2:
      return add_levels (x, y, n, window, 2, errors);
    case 3:
      return add_levels (x, y, n, window, 3, errors);
    case 4:
      return add_levels (x, y, n, window, 4, errors);
    default:
      return add_levels (x, y, n, window, GT_PRODUCT_LEVELS, errors);
    }
}

int
GT_FOR_ISA (gt_products_of_doubles) (const double *x, const double *y,
                                     size_t n,
                                     struct gt_product_window *window)
{
  return add_products (x, y, n, window, 1);
}

int
GT_FOR_ISA (gt_products_of_floats) (const double *x, const double *y,
                                    size_t n,
                                    struct gt_product_window *window)
{
  return add_products (x, y, n, window, 0);
}
