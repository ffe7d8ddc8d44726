/* Neighbouring elements: vector accumulators side by side.  Included by simd.c
   once for each arithmetic that has vectors, with its TYPE and NAME, after
   simd_strided.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define LANES (GT_VECTOR_BYTES / sizeof (TYPE))
#define VECTOR NAMED (vector)
#define PART NAMED (part)
typedef TYPE VECTOR __attribute__ ((vector_size (GT_VECTOR_BYTES)));
typedef TYPE PART __attribute__ ((vector_size (PART_BYTES)));
typedef TYPE NAMED (unaligned)
  __attribute__ ((vector_size (GT_VECTOR_BYTES), aligned (__alignof__ (TYPE)),
                  may_alias));

INLINE VECTOR
NAMED (load) (const TYPE *x)
{
  return *(const NAMED (unaligned) *) x;
}

/* The elements at X where MASK has ones, and +0 for the others.  */
INLINE VECTOR
NAMED (load_masked) (const TYPE *x, const unsigned char *mask)
{
  return (VECTOR) ((words) NAMED (load) (x) & *(const unaligned_words *) mask);
}

/* Adds up the lanes of VS, by halves and in registers, and those of VC.  */
INLINE void
NAMED (fold) (VECTOR vs, VECTOR vc, const enum gt_mode mode, TYPE sum[2])
{
  PART s[4], c[4];

  UNROLL
  for (unsigned k = 0; k < PARTS; k++)
    {
      s[k] = (PART) PART_OF (vs, k);
      c[k] = (PART) PART_OF (vc, k);
    }
  if (PARTS > 2)
    {
      MERGE (PART, s[0], c[0], s[2], c[2], mode);
      MERGE (PART, s[1], c[1], s[3], c[3], mode);
    }
  if (PARTS > 1)
    MERGE (PART, s[0], c[0], s[1], c[1], mode);
  MERGE (PART, s[0], c[0], (PART) SECOND_WORD (s[0]),
         (PART) SECOND_WORD (c[0]), mode);
  if (sizeof (TYPE) <= 4)
    MERGE (PART, s[0], c[0], (PART) NEXT_BITS (s[0], 32),
           (PART) NEXT_BITS (c[0], 32), mode);
  if (sizeof (TYPE) <= 2)
    MERGE (PART, s[0], c[0], (PART) NEXT_BITS (s[0], 16),
           (PART) NEXT_BITS (c[0], 16), mode);
  if (sizeof (TYPE) == 1)
    MERGE (PART, s[0], c[0], (PART) NEXT_BITS (s[0], 8),
           (PART) NEXT_BITS (c[0], 8), mode);
  sum[0] = s[0][0];
  sum[1] = c[0][0];
}

/* Adds COUNT vectors at X to the accumulators in turn.  */
INLINE void
NAMED (add_vectors) (VECTOR *s, VECTOR *c, const TYPE *x, const unsigned count,
                     const unsigned chains, const enum gt_mode mode)
{
  UNROLL
  for (unsigned k = 0; k < count; k++)
    ADD (VECTOR, s[k % chains], c[k % chains], NAMED (load) (x + k * LANES),
         mode);
}

/* The same when there are as many, which is less than U; returns what follows
   them.  */
INLINE const TYPE *
NAMED (add_rest) (VECTOR *s, VECTOR *c, const TYPE *x, size_t n,
                  const unsigned count, const unsigned u,
                  const unsigned chains, const enum gt_mode mode)
{
  if (count >= u || !(n & count * LANES))
    return x;
  NAMED (add_vectors) (s, c, x, count, chains, mode);
  return x + count * LANES;
}

/* Of 2 HALF accumulators, adds the latter half to the former.  */
INLINE void
NAMED (halve) (VECTOR *s, VECTOR *c, const unsigned half,
               const unsigned chains, const enum gt_mode mode)
{
  if (chains < 2 * half)
    return;
  UNROLL
  for (unsigned k = 0; k < half; k++)
    MERGE (VECTOR, s[k], c[k], s[k + half], c[k + half], mode);
}

/* U vectors a turn, in at most as many chains as CHAINS says.  Nothing outside
   the elements is read: where they begin or end within a vector, the load
   reaches forward or back to elements that have their turn elsewhere and are
   masked here.  */
INLINE void
NAMED (contiguous) (const TYPE *x, size_t n, const unsigned u,
                    const enum gt_mode mode, TYPE sum[2])
{
  const unsigned chains = least (u, CHAINS (mode));
  const TYPE *const end = x + n, *last;
  VECTOR s[MOST_CHAINS], c[MOST_CHAINS];

  if (n < LANES)
    {
      NAMED (strided) (x, n, 1, 1, mode, sum);
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
           NAMED (load_masked) (x, FIRST_BYTES (head * sizeof (TYPE))), mode);
      x += head;
      n -= head;
    }
  last = x + n / (u * LANES) * (u * LANES);
  for (; x != last; x += u * LANES)
    NAMED (add_vectors) (s, c, x, u, chains, mode);
  x = NAMED (add_rest) (s, c, x, n, 4, u, chains, mode);
  x = NAMED (add_rest) (s, c, x, n, 2, u, chains, mode);
  x = NAMED (add_rest) (s, c, x, n, 1, u, chains, mode);
  ADD (VECTOR, s[chains - 1], c[chains - 1],
       NAMED (load_masked) (end - LANES,
                            LAST_BYTES (n % LANES * sizeof (TYPE))),
       mode);
  NAMED (halve) (s, c, 4, chains, mode);
  NAMED (halve) (s, c, 2, chains, mode);
  NAMED (halve) (s, c, 1, chains, mode);
  NAMED (fold) (s[0], c[0], mode, sum);
}

#undef LANES
#undef VECTOR
#undef PART
