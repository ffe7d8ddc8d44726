/* The functions of simd_integers.c for one arithmetic: a template of
   kernels/cpu/each_arithmetic.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if !REAL
#include "kernels/cpu/vector_type.h"

#define BITS (8 * BYTES)
#define TURNED (SIGNED ? GT_SIGN_BITS (sizeof (TYPE)) : 0)

/* Vectors of two elements a lane, and of what their sums and products are added
   up in.  */
#if BYTES == 1
#define PAIR uint16_t
#define SUM uint32_t
#elif BYTES == 2
#define PAIR uint32_t
#define SUM uint64_t
#else
#define PAIR uint64_t
#define SUM uint64_t
#endif
#define PAIRS NAMED (pairs)
#define SUMS NAMED (sums)
typedef PAIR PAIRS __attribute__ ((vector_size (GT_VECTOR_BYTES)));
typedef SUM SUMS __attribute__ ((vector_size (GT_VECTOR_BYTES)));
#define LOWER_HALF(type) ((type) -1 >> 4 * sizeof (type))

/* Numbers of 64 bits are added in halves: UPPER weighs 2^32 as much.  */
#define HALVES NAMED (halves)
struct HALVES
{
  SUMS lower, upper;
};

INLINE words
NAMED (turned) (const TYPE *x)
{
  return (words) NAMED (load) (x) ^ TURNED;
}

INLINE uint64_t
NAMED (turned_one) (TYPE x)
{
  return (uint64_t) (x ^ (TYPE) TURNED) & (UINT64_MAX >> (64 - BITS));
}

/* Adds PAIRS's lanes, which may be full.  */
INLINE void
NAMED (add_full) (struct HALVES *sum, words lanes)
{
  const SUMS v = (SUMS) lanes, lower = v & LOWER_HALF (SUM);
  const SUMS upper = v >> 4 * sizeof (SUM);

#if BYTES <= 2
  sum->lower += lower + upper;
#else
  sum->lower += lower;
  sum->upper += upper;
#endif
}

INLINE void
NAMED (add_elements) (struct HALVES *sum, words x)
{
#if BYTES == 8
  NAMED (add_full) (sum, x);
#else
  const PAIRS both
    = ((PAIRS) x & LOWER_HALF (PAIR)) + ((PAIRS) x >> BITS % 64);

#if BYTES == 4
  sum->lower += both;
#else
  NAMED (add_full) (sum, (words) both);
#endif
#endif
}

INLINE void
NAMED (add_products) (struct HALVES *sum, words x, words y)
{
#if BYTES == 4
  NAMED (add_full) (sum, products_of_halves (x, y));
  NAMED (add_full) (sum, products_of_halves (x >> 32, y >> 32));
#else
  const PAIRS even
    = ((PAIRS) x & LOWER_HALF (PAIR)) * ((PAIRS) y & LOWER_HALF (PAIR));
  const PAIRS odd = ((PAIRS) x >> BITS % 64) * ((PAIRS) y >> BITS % 64);

  NAMED (add_full) (sum, (words) even);
  NAMED (add_full) (sum, (words) odd);
#endif
}

/* The lanes together.  Whole structures here would keep GCC 12 from having
   them in registers in the loop.  */
static wide
NAMED (whole) (SUMS lower, SUMS upper)
{
  wide whole = 0;

  for (unsigned k = 0; k < sizeof (SUMS) / sizeof (SUM); k++)
    whole += lower[k] + ((wide) upper[k] << 32);
  return whole;
}

/* COUNT vectors, a block.  */
INLINE void
NAMED (add_block) (struct totals *totals, const TYPE *x, const TYPE *y,
                   size_t count, const enum gt_reduction reduction)
{
  struct HALVES of_x = {{0}, {0}}, of_y = of_x, product = of_x;

  for (; count > 0; count--, x += LANES, y += LANES)
    {
      const words u = NAMED (turned) (x), v = NAMED (turned) (y);

      NAMED (add_elements) (&of_x, u);
      if (reduction == GT_COMOMENTS)
        NAMED (add_elements) (&of_y, v);
      if (reduction != GT_TOTAL)
        NAMED (add_products) (&product, u, v);
    }
  totals->plain[0] += NAMED (whole) (of_x.lower, of_x.upper);
  if (reduction == GT_COMOMENTS)
    totals->plain[1] += NAMED (whole) (of_y.lower, of_y.upper);
  if (reduction != GT_TOTAL)
    add_long (totals->product,
              NAMED (whole) (product.lower, product.upper), 0);
}

/* N elements one by one.  */
INLINE void
NAMED (add_each) (struct totals *totals, const TYPE *x, const TYPE *y,
                  size_t n, const enum gt_reduction reduction)
{
  wide lower = 0, upper = 0;

  for (size_t i = 0; i < n; i++)
    {
      const uint64_t u = NAMED (turned_one) (x[i]);
      const uint64_t v = NAMED (turned_one) (y[i]);
      const wide product = (wide) u * v;

      totals->plain[0] += u;
      if (reduction == GT_COMOMENTS)
        totals->plain[1] += v;
      lower += (uint64_t) product;
      upper += (uint64_t) (product >> 64);
    }
  add_long (totals->product, lower, 0);
  add_shifted (totals->product, upper, 64);
}

INLINE void
NAMED (add_contiguous) (struct totals *totals, const TYPE *x, const TYPE *y,
                        size_t n, const enum gt_reduction reduction)
{
  if (BYTES < 8 || reduction == GT_TOTAL)
    for (size_t count; (count = n / LANES) > 0;)
      {
        if (count > BLOCK)
          count = BLOCK;
        NAMED (add_block) (totals, x, y, count, reduction);
        x += count * LANES;
        y += count * LANES;
        n -= count * LANES;
      }
  NAMED (add_each) (totals, x, y, n, reduction);
}

/* Elements apart go through buffers.  */
INLINE void
NAMED (add_strided) (struct totals *totals, const struct gt_operand *x,
                     const struct gt_operand *y, size_t n,
                     const enum gt_reduction reduction)
{
  TYPE of_x[BUFFERED], of_y[BUFFERED];
  const TYPE *from_x = x->data, *from_y = y->data;

  while (n > 0)
    {
      const size_t count = n < BUFFERED ? n : BUFFERED;

      for (size_t i = 0; i < count; i++)
        of_x[i] = from_x[i * x->stride];
      for (size_t i = 0; reduction == GT_COMOMENTS && i < count; i++)
        of_y[i] = from_y[i * y->stride];
      NAMED (add_contiguous) (totals, of_x,
                              reduction == GT_COMOMENTS ? of_y : of_x, count,
                              reduction);
      from_x += count * x->stride;
      from_y += count * y->stride;
      n -= count;
    }
}

INLINE void
NAMED (compute) (const struct gt_task *task, const enum gt_reduction reduction,
                 struct gt_integer_sums *sums)
{
  const struct gt_operand *y = reduction == GT_COMOMENTS ? &task->y : &task->x;
  struct totals totals = {{0, 0}, {0}};

  if (task->problem.layout == GT_CONTIGUOUS)
    NAMED (add_contiguous) (&totals, task->x.data, y->data, task->problem.n,
                            reduction);
  else
    NAMED (add_strided) (&totals, &task->x, y, task->problem.n, reduction);
  if (reduction == GT_MOMENTS)
    totals.plain[1] = totals.plain[0];
  if (SIGNED)
    undo_turning (&totals, task->problem.n, BITS - 1);
  keep (sums, &totals, reduction);
}

ENTRY (total, GT_TOTAL)
ENTRY (moments, GT_MOMENTS)
ENTRY (comoments, GT_COMOMENTS)

#undef PAIR
#undef SUM
#undef LANES
#undef VECTOR
#endif
