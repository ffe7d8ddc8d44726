/* Elements converted to doubles, in a buffer: a template of
   kernels/cpu/each_arithmetic.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if VECTORS
/* Side by side in fixed numbers, which compilers make vectors of.  */
static void
NAMED (fill) (double *restrict to, const void *restrict data, size_t stride,
              size_t n)
{
  const TYPE *from = data;
  size_t i = 0;

  if (stride == 1)
    for (; i + 16 <= n; i += 16)
      for (unsigned k = 0; k < 16; k++)
        to[i + k] = (double) from[i + k];
  for (; i < n; i++)
    to[i] = (double) from[i * stride];
}
#endif
