/* Elements of an arithmetic as doubles, one after the other: a template of
   kernels/cpu/each_arithmetic.h.

   By vectors where a line of the cache has several; else one by one, since one load that
   goes on by equal steps is what a processor reads ahead of.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static void
NAMED (gather) (double *to, const void *data, size_t stride, size_t n)
{
  const TYPE *x = data;

  if (stride == 1)
    for (; n >= AT_ONCE; n -= AT_ONCE, to += AT_ONCE, x += AT_ONCE)
      {
        UNROLL
        for (size_t i = 0; i < AT_ONCE; i++)
          to[i] = (double) x[i];
      }
  else if (stride < LINE / 2 / sizeof *x)
    for (; n >= LANES; n -= LANES, to += LANES, x += LANES * stride)
      store_doubles (to, (vector) {GT_PASTE (EVERY, LANES) (x, stride)});
  for (; n > 0; n--, x += stride)
    *to++ = (double) *x;
}
