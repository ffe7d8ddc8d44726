/* How the accumulators of one arithmetic are added up, in parts of 16 bytes, for
   simd_strided.h and simd_contiguous.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define PART NAMED (part)
typedef TYPE PART __attribute__ ((vector_size (PART_BYTES)));

/* The elements at X where MASK has ones, and +0 for the others.  */
INLINE VECTOR
NAMED (load_masked) (const TYPE *x, const unsigned char *mask)
{
  return (VECTOR) ((words) NAMED (load) (x) & *(const unaligned_words *) mask);
}

/* Adds up the lanes of S in registers, and those of C.  */
INLINE void
NAMED (fold_part) (PART s, PART c, const enum gt_mode mode, TYPE sum[2])
{
  MERGE (PART, s, c, (PART) SECOND_WORD (s), (PART) SECOND_WORD (c), mode);
  if (sizeof (TYPE) <= 4)
    MERGE (PART, s, c, (PART) NEXT_BITS (s, 32), (PART) NEXT_BITS (c, 32),
           mode);
  if (sizeof (TYPE) <= 2)
    MERGE (PART, s, c, (PART) NEXT_BITS (s, 16), (PART) NEXT_BITS (c, 16),
           mode);
  if (sizeof (TYPE) == 1)
    MERGE (PART, s, c, (PART) NEXT_BITS (s, 8), (PART) NEXT_BITS (c, 8), mode);
  sum[0] = s[0];
  sum[1] = c[0];
}

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
  NAMED (fold_part) (s[0], c[0], mode, sum);
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

/* Adds up CHAINS accumulators, and their lanes.  */
INLINE void
NAMED (fold_all) (VECTOR *s, VECTOR *c, const unsigned chains,
                  const enum gt_mode mode, TYPE sum[2])
{
  NAMED (halve) (s, c, 4, chains, mode);
  NAMED (halve) (s, c, 2, chains, mode);
  NAMED (halve) (s, c, 1, chains, mode);
  NAMED (fold) (s[0], c[0], mode, sum);
}
