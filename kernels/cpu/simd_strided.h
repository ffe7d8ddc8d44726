/* Elements any distance apart: scalar accumulators side by side.  Included by
   simd.c once for each arithmetic, with its TYPE and NAME.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

INLINE void
NAMED (halve_scalars) (TYPE *s, TYPE *c, const unsigned half,
                       const unsigned chains, const enum gt_mode mode)
{
  if (chains < 2 * half)
    return;
  UNROLL
  for (unsigned k = 0; k < half; k++)
    MERGE (TYPE, s[k], c[k], s[k + half], c[k + half], mode);
}

/* U elements a turn, in at most as many chains as STRIDED_CHAINS says.  */
INLINE void
NAMED (strided) (const TYPE *x, size_t n, size_t stride, const unsigned u,
                 const enum gt_mode mode, TYPE sum[2])
{
  const unsigned chains = least (u, STRIDED_CHAINS (TYPE, mode));
  TYPE s[MOST_CHAINS], c[MOST_CHAINS];

  UNROLL
  for (unsigned k = 0; k < chains; k++)
    s[k] = c[k] = 0;
  for (; n >= u; n -= u, x += u * stride)
    {
      UNROLL
      for (unsigned k = 0; k < u; k++)
        ADD (TYPE, s[k % chains], c[k % chains], x[k * stride], mode);
    }
  for (; n > 0; n--, x += stride)
    ADD (TYPE, s[0], c[0], *x, mode);
  NAMED (halve_scalars) (s, c, 4, chains, mode);
  NAMED (halve_scalars) (s, c, 2, chains, mode);
  NAMED (halve_scalars) (s, c, 1, chains, mode);
  sum[0] = s[0];
  sum[1] = c[0];
}
