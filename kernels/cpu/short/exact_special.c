/* Elements and products that are not finite.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>

#include "kernels/cpu/short/exact_cascades.h"

/* An exact sum is a NaN or an infinity whenever an addend is, whatever else is in
   it.  So where a quick sum came to no number, one look at the elements settles it.  Only
   a sum of finite elements, which has overflowed on the way, is still to be computed.  */

#define LOAD GT_PASTE (load, LANES)
#define BLOCK 512 /* elements after which a NaN is noticed */

/* Elements are loaded as FORM says; this, too: they are multiplied.  */
#define PRODUCTS 8

struct factors
{
  const void *x, *y;
  size_t x_stride, y_stride;
};

/* The addends from I on that are not finite, and zeros.  */
INLINE vector
special_from (const struct factors *v, size_t i, const int form)
{
  const vector p = LOAD (v->x, i, v->x_stride, form);
  const vector q = form & PRODUCTS ? LOAD (v->y, i, v->y_stride, form) : p;
  const words finite = (words) (MAGNITUDES (LANES, p) <= DBL_MAX)
                       & (words) (MAGNITUDES (LANES, q) <= DBL_MAX);

  return (vector) ((words) (form & PRODUCTS ? p * q : p) & ~finite);
}

INLINE double
element (const void *x, size_t i, const int form)
{
  const double e = form & F32 ? (double) ((const float *) x)[i]
                              : ((const double *) x)[i];

  return form & MAGNITUDE ? fabs (e) : e;
}

INLINE uint32_t
special_of_one (const struct factors *v, size_t i, const int form)
{
  const double p = element (v->x, i * v->x_stride, form);
  const double q = form & PRODUCTS ? element (v->y, i * v->y_stride, form) : 1;

  return fabs (p) <= DBL_MAX && fabs (q) <= DBL_MAX
           ? 0 : gt_super_flag (p * q != p * q, p * q < 0);
}

/* Of COUNT >= LANES addends from I on; the last vector may begin with what the one before
   had, which changes nothing.  */
INLINE int
any_nan (const struct factors *v, size_t i, size_t count, const int form)
{
  const size_t last = i + count - LANES;
  words bad = {0};

  for (;; i = i + LANES < last ? i + LANES : last)
    {
      const vector p = LOAD (v->x, i, v->x_stride, form);

      bad |= (words) (p != p);
      if (form & PRODUCTS)
        {
          const vector q = LOAD (v->y, i, v->y_stride, form);

          bad |= (words) (q != q);
        }
      if (i == last)
        return FOLD (LANES, words, |, bad) != 0;
    }
}

INLINE uint32_t
special_of_block (const struct factors *v, size_t i, size_t count, const int form)
{
  const size_t last = i + count - LANES;
  words plus = {0}, minus = {0}, nan = {0};

  if (any_nan (v, i, count, form))
    return GT_SUPER_NAN;
  for (;; i = i + LANES < last ? i + LANES : last)
    {
      const vector t = special_from (v, i, form);

      plus |= (words) (t > 0);
      minus |= (words) (t < 0);
      nan |= (words) (t != t);
      if (i == last)
        break;
    }
  return (FOLD (LANES, words, |, plus) ? GT_SUPER_PLUS_INFINITY : 0)
         | (FOLD (LANES, words, |, minus) ? GT_SUPER_MINUS_INFINITY : 0)
         | (FOLD (LANES, words, |, nan) ? GT_SUPER_NAN : 0);
}

INLINE uint32_t
special (const struct factors *v, size_t n, const int form)
{
  uint32_t flags = 0;

  if (n < LANES)
    for (size_t i = 0; i < n; i++)
      flags |= special_of_one (v, i, form);
  else
    for (size_t i = 0, count; i < n && !(flags & GT_SUPER_NAN); i += count)
      {
        count = n - i < BLOCK + LANES ? n - i : BLOCK;
        flags |= special_of_block (v, i, count, form);
      }
  return flags;
}

/* A vector multiplied by itself needs no multiplication.  */
#define ENTRY(name, ctype, form)                                             \
  uint32_t GT_FOR_ISA (gt_exact_special_##name) (                            \
    const ctype *x, size_t x_stride, const ctype *y, size_t y_stride,        \
    size_t n)                                                                \
  {                                                                          \
    const struct factors v = {x, y, x_stride, y_stride};                     \
    const int strided = x_stride != 1 || (y && y_stride != 1);               \
                                                                             \
    if (y == NULL)                                                           \
      return strided ? special (&v, n, STRIDED | (form))                     \
                     : special (&v, n, CONTIGUOUS | (form));                 \
    if (y == x && y_stride == x_stride)                                      \
      return strided ? special (&v, n, MAGNITUDE | STRIDED | (form))         \
                     : special (&v, n, MAGNITUDE | CONTIGUOUS | (form));     \
    return strided ? special (&v, n, PRODUCTS | STRIDED | (form))            \
                   : special (&v, n, PRODUCTS | CONTIGUOUS | (form));        \
  }
ENTRY (f64, double, F64)
ENTRY (f32, float, F32)
