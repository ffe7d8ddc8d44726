/* Elements and products that are not finite, or too large or too small.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>

#include "kernels/cpu/exact/exact_lanes.h"

/* An exact sum is a NaN or an infinity whenever an addend is, whatever else is in
   it.  So where a quick sum came to no number, one look at the elements settles it.  Only
   a sum of finite elements, which has overflowed on the way, is still to be computed.  */

#define BLOCK 512 /* elements after which a NaN is noticed */

/* Elements are loaded as FORM says; this, too: they are multiplied.  */
#define PRODUCTS 8

struct factors
{
  const void *x, *y;
  size_t x_stride, y_stride;
};

/* The flags of the addends from I on: of products that have a factor that is not
   finite.  They are told without multiplying, which takes long where finite factors have
   a subnormal product.  */
INLINE words
special_from (const struct factors *v, size_t i, const int form)
{
  const vector p = load_elements (v->x, i, v->x_stride, form);
  const vector q = form & PRODUCTS ? load_elements (v->y, i, v->y_stride, form) : p;
  const vector a = MAGNITUDES (LANES, p), b = MAGNITUDES (LANES, q);
  const words finite = (words) (a <= DBL_MAX) & (words) (b <= DBL_MAX);
  const words number = (words) (a > 0) & (words) (b > 0);
  words sign = (words) p;

  if (form & PRODUCTS)
    sign ^= (words) q;
  return ~finite & ((number & ((sign >> 63) + GT_SUPER_PLUS_INFINITY))
                    | (~number & GT_SUPER_NAN));
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
INLINE uint32_t
special_of_block (const struct factors *v, size_t i, size_t count, const int form)
{
  const size_t last = i + count - LANES;
  words flags = special_from (v, last, form);

  for (; i < last; i += LANES)
    flags |= special_from (v, i, form);
  return (uint32_t) FOLD (LANES, words, |, flags);
}

_Static_assert (GT_SUPER_PLUS_INFINITY + 1 == GT_SUPER_MINUS_INFINITY,
                "the sign makes one of the other");

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
