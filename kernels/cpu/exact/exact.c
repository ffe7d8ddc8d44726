/* Exact sums of doubles and floats, of their magnitudes, squares and products.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/catalog.h"
#include "kernels/cpu/exact/two_products.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/wide/products.h"
#include "kernels/products.h"

/* Elements become doubles, a chunk at a time, and products two doubles each, the rounded
   product and its error (kernels/cpu/exact/two_products.h).  Windows take from a chunk
   digits, from the highest on, until there are none.  Numbers that are too large go to the
   superaccumulator one by one, products that two doubles do not make up to that of products.

   A window is a stretch of binary digits cut into levels, each with its own
   accumulators.  Level 0 takes from a number the digits down to its unit, the
   next level takes from what is left, and so on; what the last leaves is for the next window.
   The method is that of S. M. Rump, T. Ogita
   and S. Oishi ("Accurate Floating-Point Summation", 2008: extraction by a large
   constant) in the form of J. Demmel and H. D. Nguyen ("Parallel Reproducible
   Summation", 2015: the constant is the accumulator itself), which is three
   additions a level,

     next = acc + x      taken = next - acc      x = x - taken      acc = next

   Level l begins with acc = 1.5 * 2^k, k = top - 45 l.  While acc is in the
   binade [2^k, 2^(k+1)) it is a multiple of its unit u = 2^(k-52).

   * Taken is exact: next and acc are multiples of u in one binade.
   * What is left of x is exact: it is the rounding error of acc + x, which is
     a multiple of the smaller of u and of x's own unit, and no larger than x
     (acc was a candidate for next) or than u/2, so a double holds it.
   * In level 0 all magnitudes add up to less than 2^(top-2) and a little, since that is how
     top is chosen; an accumulator takes at most 2^7 = LENGTH numbers, each rounded by u/2 at
     most, so it moves by less than 2^(k-1) either way.
   * In level l > 0 what arrives is at most
     B = u'/2 = 2^(k-8), where u' is the unit above; as B is a multiple of u,
     what is taken is at most B too; and of 2^7 numbers an accumulator
     moves by no more than 2^(k-1) either way.
     Should it arrive at 2^(k+1), then with the last number.

   At the end the accumulators are read as integers: in one binade
   the bits of acc less those of 1.5 * 2^k count units, at most 2^51 of them
   (and 2^(k+1) follows on its binade); those of all lanes and chains 2^55.

   With top at most 1002 nothing overflows; with top at least LOWEST_TOP the units are
   at least 2^-1074, so that each anchor is a normal number.  */

#define LEVELS 3
#define STEP 45 /* bits from one level to the next */
#define LENGTH 128 /* numbers that one accumulator takes */
#define CHAINS 2
#define CHUNK (LENGTH * CHAINS * 2)
#define LOWEST_TOP (-1022 + (LEVELS - 1) * STEP)

/* Sums of magnitudes from here on are too near to overflow.  */
#define TOO_LARGE 0x1p1000

/* Returns the sum of N magnitudes, rounded.  */
static double
magnitude (const double *x, size_t n)
{
  vector s[CHAINS] = {{0}};

  for (size_t i = 0; i < n; i += CHAINS * LANES)
    {
      UNROLL
      for (size_t k = 0; k < CHAINS; k++)
        s[k] += MAGNITUDES (LANES, load_doubles (x + i + k * LANES));
    }
  return FOLD (LANES, vector, +, s[0] + s[1]);
}

/* Adds X to chain K and returns what is left of it.  */
INLINE vector
take (vector (*acc)[CHAINS], vector x, const unsigned k)
{
  UNROLL
  for (unsigned l = 0; l < LEVELS; l++)
    {
      const vector next = acc[l][k] + x;

      x -= next - acc[l][k];
      acc[l][k] = next;
    }
  return x;
}

/* Adds N numbers whose magnitudes add up to about M, but for what it leaves of each.  */
static void
add_by_window (struct gt_superaccumulator *sum, double *x, size_t n, double m)
{
  const int fit = ilogb (m) + 3, top = fit < LOWEST_TOP ? LOWEST_TOP : fit;
  vector acc[LEVELS][CHAINS];
  words anchor[LEVELS];

  UNROLL
  for (unsigned l = 0; l < LEVELS; l++)
    {
      anchor[l] = (words) {0} + ((uint64_t) (top - (int) l * STEP + 1023) << 52
                                 | (uint64_t) 1 << 51);
      UNROLL
      for (unsigned k = 0; k < CHAINS; k++)
        acc[l][k] = (vector) anchor[l];
    }
  for (size_t i = 0; i < n; i += CHAINS * LANES)
    {
      UNROLL
      for (unsigned k = 0; k < CHAINS; k++)
        store_doubles (x + i + k * LANES, take (acc, load_doubles (x + i + k * LANES), k));
    }
  UNROLL
  for (unsigned l = 0; l < LEVELS; l++)
    {
      const words units = (words) acc[l][0] - anchor[l] + (words) acc[l][1] - anchor[l];

      gt_super_add_scaled (sum, (int64_t) FOLD (LANES, words, +, units),
                           top - (int) l * STEP - 52);
    }
}

/* Adds N numbers, a multiple of CHAINS * LANES, and leaves nothing of them.  */
static void
add_numbers (struct gt_superaccumulator *sum, double *x, size_t n)
{
  double m;

  while ((m = magnitude (x, n)) != 0)
    {
      if (!(m < TOO_LARGE))
        {
          gt_super_add_array_f64 (sum, x, n, 1);
          return;
        }
      add_by_window (sum, x, n, m);
    }
}

/* Returns whether each of N products is made up by two doubles.  */
static int
are_ordinary (const double *x, const double *y, size_t n)
{
  words bad = {0};

  for (size_t i = 0; i < n; i += LANES)
    bad |= two_product_fails (load_doubles (x + i), load_doubles (y + i));
  return FOLD (LANES, words, |, bad) == 0;
}

/* Adds N products of doubles.  P, which may be X, and E are room for them and their errors.  */
static void
add_products (struct gt_product_accumulator *all, struct gt_superaccumulator *sum,
              const double *x, const double *y, size_t n, double *p, double *e)
{
  if (!are_ordinary (x, y, n))
    {
      gt_product_add_array_f64 (all, x, 1, y, 1, n);
      return;
    }
  for (size_t i = 0; i < n; i += LANES)
    {
      const vector a = load_doubles (x + i), b = load_doubles (y + i);

      store_doubles (p + i, a * b);
      store_doubles (e + i, product_error (a, b, a * b));
    }
  add_numbers (sum, p, n);
  add_numbers (sum, e, n);
}

/* Makes TO N elements from X on, which lie as FORM says.  */
INLINE void
copy_form (double *to, const void *x, size_t stride, size_t n, const int form)
{
  const size_t whole = n - n % LANES;

  for (size_t i = 0; i < whole; i += LANES)
    store_doubles (to + i, load_elements (x, i, stride, form));
  for (size_t i = whole; i < n; i++)
    to[i] = form & F32 ? (double) ((const float *) x)[i * stride]
                       : ((const double *) x)[i * stride];
}

/* Makes TO N elements of OPERAND from BEGIN on, and zeros up to a multiple of CHAINS * LANES.
   Returns that.  */
static size_t
copy (const struct gt_task *task, const struct gt_operand *operand, size_t begin, size_t n,
      double *to)
{
  const enum gt_arithmetic arithmetic = task->problem.arithmetic;
  const size_t stride = operand->stride;
  const void *const x
    = (const char *) operand->data + begin * stride * gt_element_size (arithmetic);

  if (arithmetic == GT_F64)
    stride == 1 ? copy_form (to, x, 1, n, F64) : copy_form (to, x, stride, n, F64 | STRIDED);
  else
    stride == 1 ? copy_form (to, x, 1, n, F32) : copy_form (to, x, stride, n, F32 | STRIDED);
  for (; n % (CHAINS * LANES) != 0; n++)
    to[n] = 0;
  return n;
}

/* Adds COUNT elements from I on.  */
static void
add_chunk (const struct gt_task *task, size_t i, size_t count, double (*room)[CHUNK],
           struct gt_superaccumulator *sum, struct gt_product_accumulator *products)
{
  const enum gt_reduction reduction = task->problem.reduction;
  double *const x = room[0], *const y = reduction == GT_DOT ? room[1] : x;
  const size_t n = copy (task, &task->x, i, count, x);

  if (reduction == GT_DOT)
    copy (task, &task->y, i, count, y);
  if (gt_reductions[reduction].products && task->problem.arithmetic == GT_F64)
    {
      add_products (products, sum, x, y, n, x, room[1]);
      return;
    }
  for (size_t k = 0; reduction != GT_SUM && k < n; k += LANES)
    {
      const vector v = load_doubles (x + k);

      store_doubles (x + k, reduction == GT_ASUM ? MAGNITUDES (LANES, v)
                                                 : v * load_doubles (y + k));
    }
  add_numbers (sum, x, n);
}

static void
exact (const struct gt_task *task, union gt_value *value)
{
  const int products = gt_reductions[task->problem.reduction].products != 0;
  struct gt_superaccumulator own, *const sum = products ? &own : &value->super;
  void *heap;
  double (*const room)[CHUNK] = GT_ROOM (heap, 2 * sizeof *room);

  gt_super_clear (sum);
  if (products)
    gt_product_clear (&value->exact.product);
  for (size_t i = 0, n = task->problem.n, count; i < n; i += count)
    {
      count = n - i < CHUNK ? n - i : CHUNK;
      add_chunk (task, i, count, room, sum, &value->exact.product);
    }
  if (products)
    gt_product_merge_plain (&value->exact.product, sum);
  free (heap);
}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_exact) (const struct gt_problem *problem, unsigned unroll)
{
  (void) problem;
  (void) unroll;
  return exact;
}
