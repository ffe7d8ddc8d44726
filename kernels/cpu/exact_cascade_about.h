/* Sums of differences, of their squares and of their products, by WIDTH lanes:
   cascades.  Included by exact_short_about.c once for each width, 1 among them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define WIDE(stem) GT_PASTE (stem, WIDTH)
#define VECTOR WIDE (vector)
#define ABOUT(v) WIDE (ABSOLUTE) (v)

/* What is left of numbers when A is taken off, exactly.  */
struct WIDE (difference)
{
  VECTOR high, low;
};

INLINE struct WIDE (difference)
WIDE (less) (VECTOR x, double a)
{
  struct WIDE (difference) d = {x, (VECTOR) {0}};

  TWO_SUM (VECTOR, d.high, d.low, (VECTOR) {0} - a);
  return d;
}

/* Adds HIGH and LOW, whose magnitude is at most MOST.  */
INLINE void
WIDE (add_two) (struct WIDE (cascade) *a, VECTOR high, VECTOR low, VECTOR most)
{
  VECTOR e;

  TWO_SUM (VECTOR, a->s, e, high);
  a->c += e + low;
  a->m += ABOUT (e) + most;
}

INLINE void
WIDE (add_difference) (struct WIDE (cascade) *a, struct WIDE (difference) d)
{
  WIDE (add_two) (a, d.high, d.low, ABOUT (d.low));
}

/* *SMALL is not zero where any product's error may not be what it should.  */
INLINE void
WIDE (add_product) (struct WIDE (cascade) *a, struct WIDE (difference) d,
                    struct WIDE (difference) e, WIDE (words) *small)
{
  const VECTOR product = d.high * e.high, magnitude = ABOUT (product);
  const VECTOR error = WIDE (product_error) (d.high, e.high, product);
  const VECTOR cross = d.high * e.low + d.low * e.high;

  *small |= (WIDE (words)) (magnitude < LEAST_PRODUCT)
            & (WIDE (words)) (d.high != 0) & (WIDE (words)) (e.high != 0);
  WIDE (add_two) (a, product, error + cross, magnitude * 0x1p-51);
}

struct WIDE (sums)
{
  struct WIDE (cascade) of[N_SUMS];
  WIDE (words) small;
};

/* Adds what WHICH asks for.  */
INLINE void
WIDE (add_sums) (struct WIDE (sums) *sums, struct WIDE (difference) d,
                 struct WIDE (difference) e, const unsigned which)
{
  if (which & 1u << OF_X)
    WIDE (add_difference) (&sums->of[OF_X], d);
  if (which & 1u << OF_Y)
    WIDE (add_difference) (&sums->of[OF_Y], e);
  if (which & 1u << OF_XX)
    WIDE (add_product) (&sums->of[OF_XX], d, d, &sums->small);
  if (which & 1u << OF_YY)
    WIDE (add_product) (&sums->of[OF_YY], e, e, &sums->small);
  if (which & 1u << OF_XY)
    WIDE (add_product) (&sums->of[OF_XY], d, e, &sums->small);
}

/* The differences of the elements from I on.  */
INLINE struct WIDE (difference)
WIDE (load_less) (const struct gt_operand *v, size_t i, double a,
                  const int form)
{
  return WIDE (less) (WIDE (LOAD) (v, i, form), a);
}

#undef WIDE
#undef VECTOR
#undef ABOUT
#undef WIDTH
