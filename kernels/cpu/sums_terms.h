/* What the reductions that are several sums at once add of an element or of a
   pair, and how it is added: one text for scalars and for vectors.

   A term is an element, a number made of it, or a product of two of these.  As
   the factors of a product are left apart here, a fast sum takes them by a
   fused operation where there is one; compensated sums of products of elements
   are Dot2 (T. Ogita, S. M. Rump and S. Oishi, "Accurate sum and dot
   product", SIAM Journal on Scientific Computing 26, 2005), in which nothing
   is lost that twice the precision would keep: neither what a product rounds,
   nor what a difference does.  Terms that are doubles by definition are
   rounded before they are added, but in compensated mode they have twice the precision:
   each is off by less than 64 u^2 of itself, u = 2^-53, where no product and no error of
   one leaves the range.  Those of infinities are infinite or NaN.

   A template with NAMED and NUMBER, after two_product.h, and the functions

     magnitude (x)
     keep_weighed (w, x)  x where w > 0, else +0
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if !defined GT_SUMS_TERMS
#define GT_SUMS_TERMS

/* What is known of REDUCTION where it is a constant.  */
INLINE unsigned
sums_of (const enum gt_reduction reduction)
{
  switch (reduction)
    {
#define REDUCTION(id, name, algebra, inputs, plain, products, ...) \
    case GT_##id: return (plain) + (products);
#include "kernels/reductions.def"
#undef REDUCTION
    default: return 0;
    }
}

INLINE unsigned
inputs_of (const enum gt_reduction reduction)
{
  switch (reduction)
    {
#define REDUCTION(id, name, algebra, inputs, ...) case GT_##id: return inputs;
#include "kernels/reductions.def"
#undef REDUCTION
    default: return 0;
    }
}

/* Whether terms are doubles by definition.  */
INLINE int
has_terms (const enum gt_reduction reduction)
{
  switch (reduction)
    {
#define REDUCTION(id, name, algebra, ...) \
    case GT_##id: return GT_ALGEBRA_##algebra == GT_ALGEBRA_TERMS;
#include "kernels/reductions.def"
#undef REDUCTION
    default: return 0;
    }
}

/* Whether what differences lose is kept in compensated mode.  */
INLINE int
has_differences (const enum gt_reduction reduction)
{
  return reduction == GT_MOMENTS || reduction == GT_COMOMENTS;
}

/* Whether compensated mode makes terms of twice the precision.  */
INLINE int
has_doubled_terms (const enum gt_reduction reduction)
{
  return has_terms (reduction) && reduction != GT_CORRELATION;
}

/* Bit K is set if the terms of sum K are products.  */
INLINE unsigned
products_of (const enum gt_reduction reduction)
{
  switch (reduction)
    {
    case GT_DOT: case GT_SUMSQ: case GT_SKEW: case GT_KURTOSIS:
      return 1;
    case GT_MOMENTS: case GT_WSUM: case GT_WABSDEV: case GT_WSKEW:
    case GT_WKURTOSIS:
      return 2;
    case GT_LAG1:
      return 3;
    case GT_COMOMENTS:
      return 4;
    case GT_WMOMENTS:
      return 6;
    case GT_CORRELATION:
      return 28;
    default:
      return 0;
    }
}
#endif

/* The task's shifts and scale.  */
#define PARAMETERS NAMED (parameters)
struct PARAMETERS
{
  NUMBER a, b, r, rest;
};

/* Term K is p[K], or p[K] q[K].  EXTRA is what the differences that it is made
   of have lost, as far as it changes the term.  */
#define TERMS_OF NAMED (terms_of)
struct TERMS_OF
{
  NUMBER p[GT_MOST_SUMS], q[GT_MOST_SUMS], extra[GT_MOST_SUMS];
};

INLINE void
NAMED (set_term) (struct TERMS_OF *t, const unsigned k, NUMBER p, NUMBER q)
{
  t->p[k] = p;
  t->q[k] = q;
}

/* The terms of reductions of one vector; Q of a sum of terms that are no
   products is not looked at.  */
INLINE void
NAMED (terms_of_one) (struct TERMS_OF *t, NUMBER x,
                      const struct PARAMETERS *by,
                      const enum gt_reduction reduction)
{
  const NUMBER d = x - by->a, scaled = d * by->r;
  const NUMBER square = scaled * scaled;

  switch (reduction)
    {
    case GT_SUMSQ: case GT_TOTAL:
      NAMED (set_term) (t, 0, x, x);
      break;
    case GT_MOMENTS:
      NAMED (set_term) (t, 0, d, d);
      NAMED (set_term) (t, 1, d, d);
      break;
    case GT_ABSDEV:
      NAMED (set_term) (t, 0, NAMED (magnitude) (d), d);
      break;
    case GT_SKEW:
      NAMED (set_term) (t, 0, square, scaled);
      break;
    default:
      NAMED (set_term) (t, 0, square, square);
      break;
    }
}

INLINE void
NAMED (terms_of_two) (struct TERMS_OF *t, NUMBER x, NUMBER y,
                      const struct PARAMETERS *by,
                      const enum gt_reduction reduction)
{
  const NUMBER d = x - by->a;
  const NUMBER e = y - (reduction == GT_LAG1 ? by->a : by->b);

  switch (reduction)
    {
    case GT_DOT:
      NAMED (set_term) (t, 0, x, y);
      break;
    case GT_LAG1:
      NAMED (set_term) (t, 0, d, e);
      NAMED (set_term) (t, 1, e, e);
      break;
    default:
      NAMED (set_term) (t, 0, d, d);
      NAMED (set_term) (t, 1, e, e);
      NAMED (set_term) (t, 2, d, e);
      NAMED (set_term) (t, 3, d, d);
      NAMED (set_term) (t, 4, e, e);
      break;
    }
}

/* X are weights: where they are not above zero, every factor is.  */
INLINE void
NAMED (terms_of_weighed) (struct TERMS_OF *t, NUMBER x, NUMBER y,
                          const struct PARAMETERS *by,
                          const enum gt_reduction reduction)
{
  const NUMBER w = NAMED (keep_weighed) (x, x), d = y - by->a;
  const NUMBER scaled = d * by->r, square = scaled * scaled;
  const NUMBER of
    = reduction == GT_WSUM       ? y
      : reduction == GT_WABSDEV  ? NAMED (magnitude) (d)
      : reduction == GT_WSKEW    ? square * scaled
      : reduction == GT_WMOMENTS ? d * d
                                 : square * square;
  const NUMBER kept = NAMED (keep_weighed) (x, of);

  NAMED (set_term) (t, 0, w, w);
  NAMED (set_term) (t, 1, w, reduction == GT_WMOMENTS ? w : kept);
  NAMED (set_term) (t, 2, w, kept);
}

/* What X - A is more than D, which is that difference rounded: TwoSum.  */
INLINE NUMBER
NAMED (difference_error) (NUMBER x, NUMBER a, NUMBER d)
{
  const NUMBER b = d - x;

  return (x - (d - b)) - (a + b);
}

/* Takes what differences have lost to the terms of moments: of products to
   first order, as the rest is below the precision twice over.  */
INLINE void
NAMED (add_lost) (struct TERMS_OF *t, NUMBER x, NUMBER y,
                  const struct PARAMETERS *by,
                  const enum gt_reduction reduction)
{
  const NUMBER d = t->p[0], lost = NAMED (difference_error) (x, by->a, d);

  t->extra[0] = lost;
  if (reduction == GT_MOMENTS)
    t->extra[1] = (d + d) * lost;
  else
    {
      const NUMBER e = t->p[1];

      t->extra[1] = NAMED (difference_error) (y, by->b, e);
      t->extra[2] = NAMED (product_and) (d, t->extra[1], e * lost);
    }
}

/* A number of twice the precision: H + L, where H is that rounded.  */
#define DOUBLED NAMED (doubled)
struct DOUBLED
{
  NUMBER h, l;
};

/* X less the shift and what that lacks, which is less than its last place, or half of
   that.  */
INLINE struct DOUBLED
NAMED (left_of) (NUMBER x, const struct PARAMETERS *by)
{
  const NUMBER d = x - by->a;
  const NUMBER rest = NAMED (difference_error) (x, by->a, d) - by->rest;
  const NUMBER h = d + rest;

  return (struct DOUBLED) {h, NAMED (difference_error) (d, -rest, h)};
}

INLINE struct DOUBLED
NAMED (doubled_product) (struct DOUBLED x, struct DOUBLED y)
{
  const NUMBER h = x.h * y.h;

  return (struct DOUBLED) {
    h, NAMED (product_error) (x.h, y.h, h)
         + NAMED (product_and) (x.h, y.l, x.l * y.h)};
}

INLINE struct DOUBLED
NAMED (doubled_magnitude) (struct DOUBLED x)
{
  return (struct DOUBLED) {NAMED (magnitude) (x.h),
                           NAMED (keep_weighed) (x.h, x.l)
                             - NAMED (keep_weighed) (-x.h, x.l)};
}

/* What a sum of REDUCTION adds of an element that D is left of.  */
INLINE struct DOUBLED
NAMED (doubled_power) (struct DOUBLED d, NUMBER r,
                       const enum gt_reduction reduction)
{
  const struct DOUBLED t = NAMED (doubled_product) (d, (struct DOUBLED) {r, r - r});
  const struct DOUBLED square = NAMED (doubled_product) (t, t);

  switch (reduction)
    {
    case GT_ABSDEV: case GT_WABSDEV:
      return NAMED (doubled_magnitude) (d);
    case GT_WMOMENTS:
      return NAMED (doubled_product) (d, d);
    case GT_SKEW: case GT_WSKEW:
      return NAMED (doubled_product) (square, t);
    default:
      return NAMED (doubled_product) (square, square);
    }
}

INLINE void
NAMED (set_doubled) (struct TERMS_OF *t, const unsigned k, struct DOUBLED x)
{
  t->p[k] = t->q[k] = x.h;
  t->extra[k] = x.l;
}

/* The terms of reductions of TERMS, as P and what that lacks.  */
INLINE void
NAMED (make_doubled) (struct TERMS_OF *t, NUMBER x, NUMBER y,
                      const struct PARAMETERS *by,
                      const enum gt_reduction reduction)
{
  const NUMBER nothing = x - x;
  const NUMBER w = NAMED (keep_weighed) (x, x);
  const struct DOUBLED weight = {w, NAMED (keep_weighed) (x, nothing)};
  const struct DOUBLED e = NAMED (left_of) (y, by);
  struct DOUBLED of = {y, nothing};

  if (inputs_of (reduction) == 1)
    NAMED (set_doubled) (t, 0, NAMED (doubled_power) (e, by->r, reduction));
  else if (reduction == GT_LAG1)
    {
      NAMED (set_doubled) (
        t, 0, NAMED (doubled_product) (NAMED (left_of) (x, by), e));
      NAMED (set_doubled) (t, 1, NAMED (doubled_product) (e, e));
    }
  else
    {
      if (reduction != GT_WSUM)
        of = NAMED (doubled_power) (e, by->r, reduction);
      of = (struct DOUBLED) {NAMED (keep_weighed) (x, of.h),
                             NAMED (keep_weighed) (x, of.l)};
      NAMED (set_doubled) (t, 0, weight);
      NAMED (set_doubled) (t, 1, NAMED (doubled_product) (
                                   weight, reduction == GT_WMOMENTS ? weight
                                                                    : of));
      NAMED (set_doubled) (t, 2, NAMED (doubled_product) (weight, of));
    }
}

/* The terms of X, or of X and Y.  */
INLINE void
NAMED (make_terms) (struct TERMS_OF *t, NUMBER x, NUMBER y,
                    const struct PARAMETERS *by,
                    const enum gt_reduction reduction,
                    const enum gt_mode mode)
{
  if (mode == GT_MODE_COMPENSATED && has_doubled_terms (reduction))
    NAMED (make_doubled) (t, x, inputs_of (reduction) == 1 ? x : y, by,
                          reduction);
  else if (inputs_of (reduction) == 1)
    NAMED (terms_of_one) (t, x, by, reduction);
  else if (reduction >= GT_WSUM)
    NAMED (terms_of_weighed) (t, x, y, by, reduction);
  else
    NAMED (terms_of_two) (t, x, y, by, reduction);
  if (mode == GT_MODE_COMPENSATED && has_differences (reduction))
    NAMED (add_lost) (t, x, y, by, reduction);
}

/* What rounding has lost of term K of products or differences.  */
INLINE NUMBER
NAMED (lost_of) (const struct TERMS_OF *t, const unsigned k, NUMBER term,
                 const enum gt_reduction reduction)
{
  NUMBER error;

  if (has_doubled_terms (reduction) || !(products_of (reduction) >> k & 1))
    return t->extra[k];
  error = NAMED (product_error) (t->p[k], t->q[k], term);
  return has_differences (reduction) ? error + t->extra[k] : error;
}

/* Adds term K to the sum S of compensation C, if there is such a sum.  */
INLINE void
NAMED (add_term) (NUMBER *s, NUMBER *c, const struct TERMS_OF *t,
                  const unsigned k, const enum gt_reduction reduction,
                  const enum gt_mode mode)
{
  const int doubled
    = mode == GT_MODE_COMPENSATED && has_doubled_terms (reduction);
  const int product = !doubled && products_of (reduction) >> k & 1;
  NUMBER term, lost;

  if (k >= sums_of (reduction))
    return;
  term = product ? t->p[k] * t->q[k] : t->p[k];
  if (mode == GT_MODE_FAST)
    *s = product ? NAMED (product_and) (t->p[k], t->q[k], *s) : *s + term;
  else if (!doubled && (has_terms (reduction) || reduction == GT_TOTAL))
    GT_TWO_SUM (NUMBER, *s, *c, term);
  else
    {
      lost = NAMED (lost_of) (t, k, term, reduction);
      GT_TWO_SUM (NUMBER, *s, lost, term);
      *c += lost;
    }
}
