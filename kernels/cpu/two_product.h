/* The rounding error of a product, exactly, unless the product or a part of it
   leaves the range: by one fused operation, or by halves of the factors (T. J.
   Dekker, "A floating-point technique for extending the available precision",
   Numerische Mathematik 18, 1971).  The halves of a factor above 2^996
   overflow, and the error is NaN; of long double nearer to the end of its
   range.

   A template with NAMED; NUMBER, a type of scalars or vectors; and

     FUSED(p, q, s)  p q + s, rounded once; undefined where there is no such
                     instruction
     SPLITTER        two to the power of half the digits, rounded up, plus one
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if !defined FUSED
INLINE NUMBER
NAMED (upper_half) (NUMBER x)
{
  const NUMBER moved = SPLITTER * x;

  return moved - (moved - x);
}
#endif

/* P Q + S, where how often that is rounded does not matter.  */
INLINE NUMBER
NAMED (product_and) (NUMBER p, NUMBER q, NUMBER s)
{
#if defined FUSED
  return FUSED (p, q, s);
#else
  return p * q + s;
#endif
}

/* What P Q is more than PRODUCT, which is P Q rounded.  */
INLINE NUMBER
NAMED (product_error) (NUMBER p, NUMBER q, NUMBER product)
{
#if defined FUSED
  return FUSED (p, q, -product);
#else
  const NUMBER upper_p = NAMED (upper_half) (p), lower_p = p - upper_p;
  const NUMBER upper_q = NAMED (upper_half) (q), lower_q = q - upper_q;

  return ((upper_p * upper_q - product) + upper_p * lower_q
          + lower_p * upper_q) + lower_p * lower_q;
#endif
}
