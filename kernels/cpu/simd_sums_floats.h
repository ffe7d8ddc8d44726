/* Dot products of floats that are rounded to float in the end.  Included by
   simd_sums.c with TYPE float and NAME floats, after simd_sums_loop.h.

   To convert every element to double takes two to three times as long as to
   multiply and to add.  So products are added in float, in chains so short that
   errors do not add up, and what chains have come to is added in double.

   A chain takes a product in each of MOST_TURNS turns, and one before or after
   them: that is rounded 21 times, or 22 where a product is rounded for itself;
   7 times more when eight chains and up to 16 lanes are joined.  With the
   rounding of the result that is less than 32 times 2^-24, and what is lost in
   double would take 2^50 elements to count: an error of 2^-19 of the sum of the
   magnitudes, for any number of elements.

   No product leaves the range unseen.  One that overflows makes the sum
   infinite or NaN.  One that underflows is wrong by 2^-126 at most, even where
   the caller has subnormals flushed to zero, and so are both sides of an
   addition, of which there are fewer than products: less than 2^-124 for each
   element, and 2^-26 of a sum that is not TINY.  A sum that is not finite or is
   TINY is computed again, in double.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cpu/vector_type.h"
#include "kernels/cpu/simd_vector.h"

#define FLOAT_CHAINS 8u
#define MOST_TURNS 20u
#define TINY(n) (0x1p-98 * (double) (n))

INLINE VECTOR
product_and_floats (VECTOR p, VECTOR q, VECTOR s)
{
#if !defined FUSED
  return p * q + s;
#elif GT_VECTOR_BYTES == 64
  return (VECTOR) _mm512_fmadd_ps (p, q, s);
#elif GT_VECTOR_BYTES == 32
  return (VECTOR) _mm256_fmadd_ps (p, q, s);
#else
  return (VECTOR) _mm_fmadd_ps (p, q, s);
#endif
}

/* Elements not yet added, and what the chains and the sum have come to.  */
struct of_floats
{
  const float *x, *y;
  size_t n;
  VECTOR s[FLOAT_CHAINS];
  double sum;
};

INLINE void
clear_floats (struct of_floats *of)
{
  UNROLL
  for (unsigned k = 0; k < FLOAT_CHAINS; k++)
    of->s[k] = (VECTOR) {0};
}

INLINE void
pass_floats (struct of_floats *of, size_t count, const unsigned stride)
{
  of->x += count * stride;
  of->y += count * stride;
  of->n -= count;
}

/* The elements of a vector at X, and zeros between them.  */
INLINE VECTOR
take_floats (const float *x, const unsigned stride)
{
  const VECTOR all = load_floats (x);

  return stride == 1 ? all
                     : (VECTOR) ((words) all & sieve (sizeof (float), stride));
}

/* Adds COUNT vectors of products to chains from FIRST on.  */
INLINE void
add_floats (struct of_floats *of, const unsigned first, const unsigned count,
            const unsigned stride)
{
  UNROLL
  for (unsigned k = 0; k < count; k++)
    of->s[first + k]
      = product_and_floats (take_floats (of->x + k * LANES, stride),
                            take_floats (of->y + k * LANES, stride),
                            of->s[first + k]);
  pass_floats (of, count * LANES / stride, stride);
}

/* Ones for the first COUNT lanes.  */
INLINE words
first_floats (size_t count)
{
  return *(const unaligned_words *) ((const char *) (first_lanes + DOUBLES)
                                     - count * sizeof (float));
}

/* Adds the products of the vectors at X and Y where MASK has ones, to chain
   K.  */
INLINE void
add_masked_floats (struct of_floats *of, const unsigned k, const float *x,
                   const float *y, words mask)
{
  of->s[k] = product_and_floats ((VECTOR) ((words) load_floats (x) & mask),
                                 (VECTOR) ((words) load_floats (y) & mask),
                                 of->s[k]);
}

/* Adds the chains to the sum, and begins them anew.  */
INLINE void
widen_floats (struct of_floats *of)
{
  float joined[2];

  fold_all_floats (of->s, of->s, FLOAT_CHAINS, GT_MODE_FAST, joined);
  of->sum += (double) joined[0];
  clear_floats (of);
}

/* Adds blocks, and what is left of whole turns and vectors; elements that
   are apart only where another one follows, as the loads reach beyond them.  */
INLINE void
add_blocks_floats (struct of_floats *of, const unsigned stride)
{
  const size_t lanes = LANES / stride, turn = FLOAT_CHAINS * lanes;
  const size_t more = stride > 1;

  for (; of->n >= MOST_TURNS * turn + more; widen_floats (of))
    for (unsigned i = 0; i < MOST_TURNS; i++)
      add_floats (of, 0, FLOAT_CHAINS, stride);
  while (of->n >= turn + more)
    add_floats (of, 0, FLOAT_CHAINS, stride);
  if (of->n >= 4 * lanes + more)
    add_floats (of, 0, 4, stride);
  if (of->n >= 2 * lanes + more)
    add_floats (of, 4, 2, stride);
  if (of->n >= lanes + more)
    add_floats (of, 6, 1, stride);
}

/* Neighbours, of which there are as many as a vector has; X aligned if there are
   many.  Nothing outside the elements is read: where they begin or end within a
   vector, the load reaches to elements that have their turn elsewhere.  */
INLINE void
add_neighbours (struct of_floats *of)
{
  size_t head;

  if (of->n >= ALIGNED_FROM * LANES)
    {
      head = (-(uintptr_t) of->x & (GT_VECTOR_BYTES - 1)) / sizeof (float);
      add_masked_floats (of, 0, of->x, of->y, first_floats (head));
      pass_floats (of, head, 1);
    }
  add_blocks_floats (of, 1);
  add_masked_floats (of, 7, of->x + of->n - LANES, of->y + of->n - LANES,
                     ~first_floats (LANES - of->n));
  widen_floats (of);
}

/* Every second element.  As a load may not reach beyond the last one, the end is
   left to scalars.  */
INLINE void
add_seconds (struct of_floats *of)
{
  add_blocks_floats (of, 2);
  widen_floats (of);
  for (; of->n; pass_floats (of, 1, 2))
    of->sum += (double) of->x[0] * of->y[0];
}

/* Returns 0 when it must be computed otherwise.  */
INLINE int
multiply_floats (const struct gt_task *task, const int apart,
                 struct gt_sums *sums)
{
  const size_t n = task->problem.n;
  struct of_floats of = {.x = task->x.data, .y = task->y.data, .n = n};
  double size;

  if (n < LANES || (apart && (task->x.stride != 2 || task->y.stride != 2)))
    return 0;
  if (apart)
    add_seconds (&of);
  else
    add_neighbours (&of);
  size = __builtin_fabs (of.sum);
  sums->s[0] = of.sum;
  sums->c[0] = 0;
  return size >= TINY (n) && size <= DBL_MAX;
}
