/* Neighbouring elements: vector accumulators side by side.  Included by simd.c
   once for each arithmetic that has vectors, with its TYPE and NAME, after
   simd_vector.h and simd_strided.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* Adds COUNT vectors at X to the accumulators in turn.  */
INLINE void
NAMED (add_vectors) (VECTOR *s, VECTOR *c, const TYPE *x, const unsigned count,
                     const unsigned chains, FOR)
{
  UNROLL
  for (unsigned k = 0; k < count; k++)
    ADD (VECTOR, s[k % chains], c[k % chains],
         LIFT_VECTOR (NAMED (load) (x + k * LANES)), mode);
}

/* The same when there are as many, which is less than U; returns what follows
   them.  */
INLINE const TYPE *
NAMED (add_rest) (VECTOR *s, VECTOR *c, const TYPE *x, size_t n,
                  const unsigned count, const unsigned u,
                  const unsigned chains, FOR)
{
  if (count >= u || !(n & count * LANES))
    return x;
  NAMED (add_vectors) (s, c, x, count, chains, FOR_IT);
  return x + count * LANES;
}

/* U vectors a turn, in at most as many chains as CHAINS says.  Nothing outside
   the elements is read: where they begin or end within a vector, the load
   reaches forward or back to elements that have their turn elsewhere and are
   masked here.  */
INLINE void
NAMED (contiguous) (const TYPE *x, size_t n, const unsigned u, FOR,
                    TYPE sum[2])
{
  const unsigned chains = least (u, CHAINS (mode));
  const TYPE *const end = x + n, *last;
  VECTOR s[MOST_CHAINS], c[MOST_CHAINS];

  if (n < LANES)
    {
      NAMED (strided) (x, n, 1, 1, FOR_IT, sum);
      return;
    }
  UNROLL
  for (unsigned k = 0; k < chains; k++)
    s[k] = c[k] = (VECTOR) {0};
  if (n >= ALIGNED_FROM * LANES)
    {
      const size_t head
        = (-(uintptr_t) x & (GT_VECTOR_BYTES - 1)) / sizeof (TYPE);

      ADD (VECTOR, s[0], c[0],
           LIFT_VECTOR (
             NAMED (load_masked) (x, FIRST_BYTES (head * sizeof (TYPE)))),
           mode);
      x += head;
      n -= head;
    }
  last = x + n / (u * LANES) * (u * LANES);
  for (; x != last; x += u * LANES)
    NAMED (add_vectors) (s, c, x, u, chains, FOR_IT);
  x = NAMED (add_rest) (s, c, x, n, 4, u, chains, FOR_IT);
  x = NAMED (add_rest) (s, c, x, n, 2, u, chains, FOR_IT);
  x = NAMED (add_rest) (s, c, x, n, 1, u, chains, FOR_IT);
  ADD (VECTOR, s[chains - 1], c[chains - 1],
       LIFT_VECTOR (
         NAMED (load_masked) (end - LANES,
                              LAST_BYTES (n % LANES * sizeof (TYPE)))),
       mode);
  NAMED (fold_all) (s, c, chains, mode, sum);
}
