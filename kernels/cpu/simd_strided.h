/* Elements any distance apart.  Included by simd.c once for each arithmetic, with
   its TYPE and NAME, after simd_vector.h.
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

/* Scalar accumulators: U elements a turn, in at most as many chains as
   STRIDED_CHAINS says.  */
INLINE void
NAMED (scattered) (const TYPE *x, size_t n, size_t stride, const unsigned u,
                   FOR, TYPE sum[2])
{
  const unsigned chains = least (u, STRIDED_CHAINS (TYPE, mode));
  size_t ahead[4] = {0, stride, 2 * stride, 3 * stride};
  TYPE s[MOST_CHAINS], c[MOST_CHAINS];

  HIDE (ahead[2]);
  HIDE (ahead[3]);
  UNROLL
  for (unsigned k = 0; k < chains; k++)
    s[k] = c[k] = 0;
  for (; n >= u; n -= u, x += u * stride)
    {
      const TYPE *const fifth = u > 4 ? x + 4 * stride : x;

      UNROLL
      for (unsigned k = 0; k < u; k++)
        ADD (TYPE, s[k % chains], c[k % chains],
             LIFT ((k < 4 ? x : fifth)[ahead[k % 4]]), mode);
    }
  for (; n > 0; n--, x += stride)
    ADD (TYPE, s[0], c[0], LIFT (*x), mode);
  NAMED (halve_scalars) (s, c, 4, chains, mode);
  NAMED (halve_scalars) (s, c, 2, chains, mode);
  NAMED (halve_scalars) (s, c, 1, chains, mode);
  sum[0] = s[0];
  sum[1] = c[0];
}

#if VECTORS
/* Every STRIDEth element, from what is loaded with all of them: STRIDE is a
   power of two.  The others are masked.  As a load may not reach beyond the
   last element, the end of the vector is left to scalars.  */
INLINE void
NAMED (sieved) (const TYPE *x, size_t n, const unsigned stride,
                const unsigned u, FOR, TYPE sum[2])
{
  const unsigned chains = least (u, CHAINS (mode));
  const size_t turn = u * LANES / stride;
  const words mask = sieve (sizeof (TYPE), stride);
  VECTOR s[MOST_CHAINS], c[MOST_CHAINS];
  TYPE rest[2];

  UNROLL
  for (unsigned k = 0; k < chains; k++)
    s[k] = c[k] = (VECTOR) {0};
  for (; n > turn; n -= turn, x += u * LANES)
    {
      UNROLL
      for (unsigned k = 0; k < u; k++)
        ADD (VECTOR, s[k % chains], c[k % chains],
             LIFT_VECTOR (
               (VECTOR) ((words) NAMED (load) (x + k * LANES) & mask)),
             mode);
    }
  NAMED (scattered) (x, n, stride, u, FOR_IT, rest);
  NAMED (fold_all) (s, c, chains, mode, sum);
  MERGE (TYPE, sum[0], sum[1], rest[0], rest[1], mode);
}
#endif

#if VECTORS && REAL
/* Elements gathered in vectors of 16 bytes, which takes two or four TwoSums
   at once.  */
INLINE PART
NAMED (gather) (const TYPE *x, size_t stride)
{
#if BYTES == 8
  return (PART) {x[0], x[stride]};
#else
  return (PART) {x[0], x[stride], x[2 * stride], x[3 * stride]};
#endif
}

INLINE void
NAMED (gathered) (const TYPE *x, size_t n, size_t stride, const unsigned u,
                  const enum gt_reduction reduction, TYPE sum[2])
{
  const enum gt_mode mode = GT_MODE_COMPENSATED;
  const unsigned chains = least (u, 4);
  const size_t lanes = sizeof (PART) / sizeof (TYPE);
  PART s[4], c[4];
  TYPE rest[2];

  UNROLL
  for (unsigned k = 0; k < chains; k++)
    s[k] = c[k] = (PART) {0};
  for (; n >= u * lanes; n -= u * lanes, x += u * lanes * stride)
    {
      UNROLL
      for (unsigned k = 0; k < u; k++)
        GT_TWO_SUM (PART, s[k % chains], c[k % chains],
                    LIFT_PART (
                      NAMED (gather) (x + k * lanes * stride, stride)));
    }
  NAMED (scattered) (x, n, stride, 2, FOR_IT, rest);
  UNROLL
  for (unsigned k = 1; k < chains; k++)
    MERGE (PART, s[0], c[0], s[k], c[k], mode);
  NAMED (fold_part) (s[0], c[0], mode, sum);
  MERGE (TYPE, sum[0], sum[1], rest[0], rest[1], mode);
}
#endif

INLINE void
NAMED (strided) (const TYPE *x, size_t n, size_t stride, const unsigned u,
                 FOR, TYPE sum[2])
{
#if VECTORS
  if (stride == 2 && LANES >= 4)
    {
      NAMED (sieved) (x, n, 2, u, FOR_IT, sum);
      return;
    }
  if (stride == 4 && LANES >= 8)
    {
      NAMED (sieved) (x, n, 4, u, FOR_IT, sum);
      return;
    }
#endif
#if VECTORS && REAL
  if (mode == GT_MODE_COMPENSATED)
    {
      NAMED (gathered) (x, n, stride, u, reduction, sum);
      return;
    }
#endif
  NAMED (scattered) (x, n, stride, u, FOR_IT, sum);
}
