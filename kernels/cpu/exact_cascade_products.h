/* Sums of products of short vectors by vectors of WIDTH lanes: cascades.  Included
   by exact_short_sums.c once for each width, after exact_cascades.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define WIDE(stem) GT_PASTE (stem, WIDTH)
#if WIDTH == 8
#define FOLDS 3
#elif WIDTH == 4
#define FOLDS 2
#else
#define FOLDS 1
#endif

/* WIDTH products, from factor I on, and their rounding errors, of floats none.  */
struct WIDE (products)
{
  WIDE (vector) product, error;
};

INLINE struct WIDE (products)
WIDE (multiply) (const struct pair_of_vectors *v, size_t i, const int form)
{
  const WIDE (vector) p = WIDE (load) (v->x, i, v->x_stride, form);
  const WIDE (vector) q = WIDE (load) (v->y, i, v->y_stride, form);
  struct WIDE (products) of = {p * q, {0}};

  if (!(form & F32))
    of.error = WIDE (product_error) (p, q, of.product);
  return of;
}

/* Lanes whose error may not be what it should.  */
INLINE WIDE (words)
WIDE (too_small) (const struct WIDE (products) *of)
{
  return (WIDE (words)) (MAGNITUDES (WIDTH, of->product) < LEAST_PRODUCT);
}

INLINE void
WIDE (add_products) (struct WIDE (cascade) *a,
                     const struct WIDE (products) *of, const int form)
{
  WIDE (vector) e;

  TWO_SUM (WIDE (vector), a->s, e, of->product);
  if (form & F32)
    {
      a->c += e;
      a->m += MAGNITUDES (WIDTH, e);
    }
  else
    {
      a->c += e + of->error;
      a->m += MAGNITUDES (WIDTH, e) + MAGNITUDES (WIDTH, of->error);
    }
}

/* Whether those of N >= WIDTH products that are too small are zero because a factor
   is.  */
INLINE int
WIDE (smallest_are_zero) (const struct pair_of_vectors *v, size_t n,
                          const int form)
{
  WIDE (words) bad = {0};

  for (size_t i = 0; i < n; i += WIDTH)
    {
      const size_t at = i < n - WIDTH ? i : n - WIDTH;
      const WIDE (vector) p = WIDE (load) (v->x, at, v->x_stride, form);
      const WIDE (vector) q = WIDE (load) (v->y, at, v->y_stride, form);

      bad |= (WIDE (words)) (MAGNITUDES (WIDTH, p * q) < LEAST_PRODUCT)
             & (WIDE (words)) (p != 0) & (WIDE (words)) (q != 0);
    }
  return FOLD (WIDTH, words, |, bad) == 0;
}

/* Of N >= WIDTH products.  An error is added to another and then goes through
   (N - 1) / WIDTH additions at most here, and two in each fold.  The last vector may
   begin with products of the one before.  *SMALL tells whether any product is too
   small but those of zeros, which are looked for where there are such.  */
INLINE struct WIDE (cascade)
WIDE (walk_products) (const struct pair_of_vectors *v, size_t n,
                      const int form, int *small)
{
  struct WIDE (products) of = WIDE (multiply) (v, 0, form);
  struct WIDE (cascade) a
    = {of.product, of.error, MAGNITUDES (WIDTH, of.error)};
  WIDE (words) bad = WIDE (too_small) (&of);
  size_t i = WIDTH;

  for (; n - i >= WIDTH; i += WIDTH)
    {
      of = WIDE (multiply) (v, i, form);
      bad |= WIDE (too_small) (&of);
      WIDE (add_products) (&a, &of, form);
    }
  if (i < n)
    {
      const size_t taken = i - (n - WIDTH);

      of = WIDE (multiply) (v, n - WIDTH, form);
      bad |= WIDE (too_small) (&of);
      of.product = LANES_FROM (WIDTH, taken, of.product);
      of.error = LANES_FROM (WIDTH, taken, of.error);
      WIDE (add_products) (&a, &of, form);
    }
  *small = !(form & F32) && FOLD (WIDTH, words, |, bad) != 0
           && !WIDE (smallest_are_zero) (v, n, form);
  return a;
}

/* The sum of N >= WIDTH products.  */
INLINE struct short_sum
WIDE (sum_products) (const struct pair_of_vectors *v, size_t n,
                     const int form, int *small)
{
  const struct cascade_1 a
    = WIDE (folded) (WIDE (walk_products) (v, n, form, small));

  return with_slack (a, n / WIDTH + 1 + 2 * FOLDS);
}

/* The sum of N >= WIDTH elements; the count of additions is that of WIDE (sum).  */
INLINE struct short_sum
WIDE (sum_plain) (const void *x, size_t n, size_t stride, const int form)
{
  const struct cascade_1 a = WIDE (folded) (WIDE (walk) (x, n, stride, form));

  return with_slack (a, n / WIDTH - 1 + 2 * FOLDS);
}

#undef WIDE
#undef FOLDS
#undef WIDTH
