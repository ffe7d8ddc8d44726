/* Translates between kernels and host: masks for extremes, and the values of results.
   All kernels of extremes search for the largest unsigned integers or reals.  Flipping all
   bits of an unsigned integer reverses the order; flipping the first bit maps the order of
   signed integers to that of unsigned ones.  The first bit of a real is its sign: flipping it
   reverses the order, and clearing it leaves the magnitude.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_launch.h"

#include "kernels/cpu/sums/sums.h"
#include "src/device/geometry.h"

/* Returns the first bit of an element of SIZE bytes, repeated to a mask of 64 bits.  */
static uint64_t
first_bits (size_t size)
{
  const unsigned bits = (unsigned) (8 * size);

  return UINT64_MAX / (UINT64_MAX >> (64 - bits)) << (bits - 1);
}

struct gt_order
gt_order_of (const struct gt_problem *problem)
{
  struct gt_order order = {0};
  const uint64_t first
    = first_bits (gt_element_size (gt_part_arithmetic (problem->arithmetic)));

  if (gt_is_signed_integer (problem->arithmetic))
    order.flip = first;
  if (gt_reductions[problem->reduction].algebra != GT_ALGEBRA_ORDER)
    return order;
  order.keep = UINT64_MAX;
  if (problem->reduction == GT_MIN)
    order.flip ^= problem->arithmetic <= GT_LDBL ? first : UINT64_MAX;
  if (problem->reduction == GT_AMAX)
    {
      order.keep = ~first;
      order.pass_nan = 1;
    }
  return order;
}

/* ------------------------------------------------------- Values of one launch */

/* Adds X * 2^BY to COUNT words, which wrap, or subtracts it if MINUS.  */
static void
add_shifted (uint64_t *words, unsigned count, uint64_t x, unsigned by,
             int minus)
{
  const unsigned first = by / 64, bits = by % 64;
  const uint64_t part[2] = {x << bits, bits ? x >> (64 - bits) : 0};
  unsigned carry = 0;

  for (unsigned i = first; i < count; i++)
    {
      const uint64_t y = i - first < 2 ? part[i - first] : 0, old = words[i];

      words[i] = minus ? old - y - carry : old + y + carry;
      carry = minus ? old < y || (carry && old == y)
                    : words[i] < old || (carry && words[i] == old);
    }
}

/* Subtracts the bias from sums of N integers, after 2^BIT was added to each.  Products come
   first, since they need the biased sums: (x - b) (y - b) = x y - b (x + y) + b^2.  */
static void
take_off_bias (const struct gt_reduction_info *info, uint64_t n, unsigned bit,
               struct gt_integer_sums *sums)
{
  const uint64_t (*plain)[2] = (const uint64_t (*)[2]) sums->plain;

  for (unsigned k = 0; k < 2 && info->products; k++)
    for (unsigned word = 0; word < 2; word++)
      add_shifted (sums->product, 3, plain[k < info->plain ? k : 0][word],
                   bit + 64 * word, 1);
  if (info->products)
    add_shifted (sums->product, 3, n, 2 * bit, 0);
  for (unsigned k = 0; k < info->plain; k++)
    add_shifted (sums->plain[k], 2, n, bit, 1);
}

static void
take_integers (const struct gt_problem *problem,
               const union gt_partial *delivered,
               struct gt_integer_sums *integers)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];

  memset (integers, 0, sizeof *integers);
  for (unsigned k = 0; k < info->plain; k++)
    memcpy (integers->plain[k], delivered[k].u64, sizeof integers->plain[k]);
  if (info->products)
    memcpy (integers->product, delivered[info->plain].u64,
            sizeof integers->product);
  if (gt_is_signed_integer (problem->arithmetic))
    take_off_bias (info, problem->n,
                   8 * (unsigned) gt_element_size (problem->arithmetic) - 1,
                   integers);
}

/* The lowest bytes of a word contain an element; they are the first on a host of CUDA, which
   is little-endian.  Narrow integers are passed in 32 bits; the bits above their width are
   dropped here.  */
void
gt_cuda_take (const struct gt_task *task, const union gt_partial *delivered,
              union gt_value *value)
{
  const struct gt_problem *problem = &task->problem;
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];
  const size_t size
    = gt_element_size (gt_part_arithmetic (problem->arithmetic));

  if (info->algebra == GT_ALGEBRA_ORDER)
    for (unsigned k = 0; k < gt_partials_of (problem); k++)
      {
        memcpy ((char *) value + k * size, &delivered[k].u64[0], size);
        value->where.index[k] = delivered[k].u64[1] + task->origin;
      }
  else if (gt_sums_are_integers (problem))
    take_integers (problem, delivered, &value->integers);
  else if (gt_reduction_sums (problem->reduction))
    for (unsigned k = 0; k < info->plain + info->products; k++)
      {
        value->sums.s[k] = delivered[k].f64[0];
        value->sums.c[k] = delivered[k].f64[1];
      }
  else
    memcpy (value, delivered, size);
}

/* ---------------------------------------------------------------- Exact values */

/* Normalises the N words of a delivered sum (struct gt_exact_result).  Returns 0 if they are
   not in the range of a sum, before or after.  The limit of the last word is that of rounding
   (kernels/superaccumulator.h).  */
static int
normalise (int64_t *word, int n)
{
  const int64_t most = (int64_t) 1 << 62, last = (int64_t) 1 << 31;

  for (int i = 0; i < n; i++)
    if (word[i] < -most || word[i] > most)
      return 0;
  gt_super_carry (word, n);
  return -last < word[n - 1] && word[n - 1] < last;
}

/* Reads N words and the flags that follow them.  */
static int
take_words (const int64_t *delivered, int n, int64_t *word, uint32_t *flags,
            uint32_t *count)
{
  memcpy (word, delivered, (size_t) n * sizeof *word);
  *flags = (uint32_t) delivered[n];
  *count = 1;
  return normalise (word, n);
}

/* If a kernel gives up, the flags of its first sum show that.  */
enum gt_taken
gt_cuda_take_exact (const struct gt_problem *problem, const int64_t *delivered,
                    union gt_value *value)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];
  struct gt_product_accumulator *product = &value->exact.product;
  int is_good = 1;

  if (delivered[info->plain ? GT_SUPER_WORDS : GT_PRODUCT_WORDS]
      & GT_EXACT_GAVE_UP)
    return GT_TAKEN_GAVE_UP;
  for (unsigned k = 0; k < info->plain; k++, delivered += GT_EXACT_WORDS)
    {
      struct gt_superaccumulator *plain = &value->exact.plain[k];

      is_good &= take_words (delivered, GT_SUPER_WORDS, plain->word,
                             &plain->flags, &plain->count);
    }
  if (info->products)
    is_good &= take_words (delivered, GT_PRODUCT_WORDS, product->word,
                           &product->flags, &product->count);
  return is_good ? GT_TAKEN : GT_TAKEN_NO_SUM;
}
