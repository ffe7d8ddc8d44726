/* Adds elements, pairs, or elements with weights to moments.

   Sums of elements and of products of two are computed like those of vectors, with the
   kernels, threads and GPUs that were tuned for them, unless there are few elements or they
   are long doubles.  One loop multiplies all other terms as whole numbers and adds them,
   element by element.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "kernels/cpu/isa/room.h"
#include "kernels/inline.h"
#include "kernels/products.h"
#include "kernels/reductions.h"
#include "src/base/names.h"
#include "src/moments/moments.h"
#include "src/reduce/sample.h"
#include "src/route/reduce.h"

#define BIT(name) (1u << GT_MOMENT_##name)
#define PRODUCTS_OF_TWO (BIT (2) | BIT (YY) | BIT (PRODUCTS))

/* For each sum: how often x, and y or the weight, are factors of a term; whether the weight is
   a further factor; and whether the side of the centre determines the sign.  */
static const struct
{
  int x, y, weighed, sided;
} factors[GT_N_MOMENTS] = {
  [GT_MOMENT_W] = {0, 1, 0, 0}, [GT_MOMENT_WW] = {0, 2, 0, 0},
  [GT_MOMENT_1] = {1, 0, 1, 0}, [GT_MOMENT_2] = {2, 0, 1, 0},
  [GT_MOMENT_3] = {3, 0, 1, 0}, [GT_MOMENT_4] = {4, 0, 1, 0},
  [GT_MOMENT_Y] = {0, 1, 0, 0}, [GT_MOMENT_YY] = {0, 2, 0, 0},
  [GT_MOMENT_PRODUCTS] = {1, 1, 0, 0},
  [GT_MOMENT_SIDES] = {0, 0, 1, 1}, [GT_MOMENT_DISTANCES] = {1, 0, 1, 1}
};
#define MOST_FACTORS 5
#define MOST_POWER 4

/* Records that each sum has received K more addends.  */
INLINE void
note (gsltune_moments *m, uint32_t k)
{
  m->count += k;
  if (m->count > GT_SUPER_LIMIT)
    gt_moments_carry (m);
}

/* --------------------------------------------------------------- Elements
   These functions read the bits of elements, because a subnormal number may count as 0 in the
   caller's floating-point environment.  */

INLINE struct gt_long_factor
factor_of_integer (__int128 x)
{
  return (struct gt_long_factor) {{(uint64_t) (x < 0 ? -x : x)}, -GT_LDBL_LOWEST, x < 0, 1};
}

INLINE struct gt_long_factor
factor_of (enum gt_arithmetic arithmetic, struct gt_operand of, size_t i)
{
  struct gt_factor x;

  i *= of.stride;
  switch (arithmetic)
    {
    case GT_F64:
      x = gt_factor_f64 (((const double *) of.data)[i]);
      break;
    case GT_F32:
      x = gt_factor_f32 (((const float *) of.data)[i]);
      break;
#define X(id, name, ctype, real)                                    \
    case GT_##id:                                                   \
      return factor_of_integer (((const ctype *) of.data)[i]);
      GT_INTEGER_ARITHMETICS (X)
#undef X
    default:
      return gt_long_factor_of ((const long double *) of.data + i);
    }
  return (struct gt_long_factor) {{x.significand}, x.position + GT_SUPER_LOWEST - GT_LDBL_LOWEST,
                                  x.negative, x.finite};
}

/* Returns the flag of X Y if either is not finite: infinity times 0 is NaN.  */
static uint32_t
flag_of_product (const struct gt_long_factor *x, const struct gt_long_factor *y)
{
  const int counts = gt_long_is_zero (x) != x->finite && gt_long_is_zero (y) != y->finite;

  return gt_super_flag (!counts, x->negative ^ y->negative);
}

/* ----------------------------------------------------------- Planned sums */

uint32_t
gt_moments_add_value (gsltune_moments *m, enum gt_moment which, int is_integer,
                      const union gt_value *value)
{
  const int products = PRODUCTS_OF_TWO >> which & 1;
  const struct gt_superaccumulator *const plain = &value->exact.plain[0];
  const struct gt_product_accumulator *const product = &value->exact.product;
  struct gt_power_sum *const sum = &m->sum[which];
  const int first = ((products ? GT_PRODUCT_LOWEST : GT_SUPER_LOWEST) - sum->lowest) / 32;
  uint64_t room[3];
  struct gt_whole whole;

  if (is_integer)
    {
      whole = gt_whole_from_words (room, products ? value->integers.product
                                                  : value->integers.plain[0], 2 + products);
      gt_power_sum_add (sum, &whole, 0);
    }
  else
    gt_super_add_words (sum->word + first, products ? product->word : plain->word,
                        products ? GT_PRODUCT_WORDS : GT_SUPER_WORDS);
  note (m, is_integer ? 1 : products ? product->count : plain->count);
  return is_integer ? 0 : products ? product->flags : plain->flags;
}

enum gt_reduction
gt_moments_reduction (enum gt_moment which, const struct gt_task *of)
{
  const int is_integer = gt_is_integer (of->problem.arithmetic);
  const int same = of->x.data == of->y.data && of->x.stride == of->y.stride;

  return !(PRODUCTS_OF_TWO >> which & 1) ? (is_integer ? GT_TOTAL : GT_SUM)
         : is_integer                    ? (same ? GT_MOMENTS : GT_COMOMENTS)
                                         : (same ? GT_SUMSQ : GT_DOT);
}

/* Computes the sum WHICH of OF by kernels and adds it.  Returns its flags.  */
static uint32_t
add_planned (gsltune_moments *m, enum gt_moment which, struct gt_task of, int magnitudes)
{
  const int is_integer = gt_is_integer (of.problem.arithmetic);
  const enum gt_arithmetic arithmetic = of.problem.arithmetic;
  enum gt_reduction reduction;
  void *heap;
  union gt_value *const value = GT_ROOM (heap, sizeof *value);
  uint32_t flags;

  of = gt_task_of_pair (GT_SUM, arithmetic, GT_MODE_EXACT, factors[which].x ? of.x : of.y,
                        factors[which].y ? of.y : of.x, of.problem.n);
  reduction = magnitudes ? GT_ASUM : gt_moments_reduction (which, &of);
  of.problem.reduction = reduction;
  of.problem.arithmetic = gt_arithmetic_for (reduction, arithmetic);
  of.problem.mode = is_integer ? GT_MODE_FAST : GT_MODE_EXACT;
  gt_reduce_host_unfinished (&of, value);
  flags = gt_moments_add_value (m, which, is_integer, value);
  free (heap);
  return flags;
}

/* ------------------------------------------------------------- Other sums */

/* The sums to add for one vector, or for two, where the second may be the weights; MAGNITUDES
   replaces x by its magnitude.  */
struct adding
{
  gsltune_moments *m;
  const struct gt_task *of;
  uint32_t sums;
  int two, weighted, magnitudes;
};

/* Returns the sign of X 2^BY - Y.  */
static int
order (gt_digits x, int by, gt_digits y)
{
  if (by < 0)
    return -order (y, -by, x);
  if (x && (by >= GT_DIGITS_BITS || x << by >> by != x))
    return 1;
  x = x ? x << by : 0;
  return (x > y) - (x < y);
}

/* Returns whether X is at most the centre C.  */
INLINE int
is_below (const struct gt_long_factor *x, const struct gt_centre *c)
{
  gt_digits digits = 0;
  int sign;

  for (int k = 0; k < GT_LDBL_WORDS; k++)
    digits |= (gt_digits) x->significand[k] << 64 * k;
  sign = order (digits, x->position + GT_LDBL_LOWEST - c->exponent, c->digits);
  return x->negative != c->negative ? !c->negative : x->negative ? sign >= 0 : sign <= 0;
}

/* Stores P times X in TO.  P has N words, TO has GT_LDBL_WORDS more.  */
INLINE void
multiply (uint64_t *to, const uint64_t *p, const int n, const struct gt_long_factor *x)
{
  uint64_t product[(MOST_FACTORS + 1) * GT_LDBL_WORDS];

  UNROLL
  for (int i = 0; i < GT_LDBL_WORDS; i++)
    {
      uint64_t carry = 0;

      UNROLL
      for (int k = 0; k < n; k++)
        {
          const gt_wide_bits digits
            = (gt_wide_bits) p[k] * x->significand[i] + (i ? product[i + k] : 0) + carry;

          product[i + k] = (uint64_t) digits;
          carry = (uint64_t) (digits >> 64);
        }
      product[i + n] = carry;
    }
  memcpy (to, product, (size_t) (n + GT_LDBL_WORDS) * sizeof *to);
}

/* Adds the products of X and its partner or weight Y to all sums.  */
INLINE void
add_element (const struct adding *a, const struct gt_long_factor *x,
             const struct gt_long_factor *y, const int weighted)
{
  const int x_unit = x->position + GT_LDBL_LOWEST, y_unit = y->position + GT_LDBL_LOWEST;
  const int below = a->m->power == 0 && is_below (x, &a->m->centre);
  const uint32_t sums = a->sums;
  uint64_t power[MOST_POWER + 1][MOST_FACTORS * GT_LDBL_WORDS];

  for (int k = 0; k < GT_LDBL_WORDS; k++)
    power[0][k] = k == 0;
  memcpy (power[1], x->significand, sizeof x->significand);
  UNROLL
  for (int k = 2; k <= MOST_POWER; k++)
    if (sums >= 1u << (GT_MOMENT_1 + k - 1))
      multiply (power[k], power[k - 1], (k - 1) * GT_LDBL_WORDS, x);
  UNROLL
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (sums >> i & 1)
      {
        const int of_x = factors[i].x, of_y = factors[i].y + (weighted && factors[i].weighed);
        const int first = of_x || !of_y, words = of_x + of_y + (of_x + of_y == 0);
        uint64_t product[MOST_FACTORS * GT_LDBL_WORDS];

        memcpy (product, first ? power[of_x] : y->significand,
                (size_t) (first ? of_x + !of_x : 1) * sizeof y->significand);
        UNROLL
        for (int k = !first; k < of_y; k++)
          multiply (product, product, (of_x + k) * GT_LDBL_WORDS, y);
        gt_long_put (a->m->sum[i].word, product, words * GT_LDBL_WORDS,
                     of_x * x_unit + of_y * y_unit - a->m->sum[i].lowest,
                     (x->negative & of_x) ^ (y->negative & factors[i].y)
                       ^ (factors[i].sided & below));
      }
}

/* Adds elements.  Skips elements whose weight, which is the first operand, is not
   positive.  */
INLINE void
add_elements (const struct adding *a, const int weighted, uint32_t flags[2])
{
  const enum gt_arithmetic arithmetic = a->of->problem.arithmetic;
  const int alone = a->sums == BIT (PRODUCTS);
  struct gt_long_factor y = factor_of_integer (1);

  for (size_t i = 0; i < a->of->problem.n; i++)
    {
      struct gt_long_factor x = factor_of (arithmetic, weighted ? a->of->y : a->of->x, i);

      if (weighted || a->two)
        y = factor_of (arithmetic, weighted ? a->of->x : a->of->y, i);
      x.negative &= !a->magnitudes;
      if (weighted && (y.negative || (gt_long_is_zero (&y) == y.finite)))
        continue;
      a->m->n += (uint64_t) weighted;
      if (x.finite && y.finite)
        {
          add_element (a, &x, &y, weighted);
          note (a->m, 1);
          continue;
        }
      flags[0] |= alone ? flag_of_product (&x, &y) : gt_long_flag (&x);
      flags[1] |= alone ? 0 : gt_long_flag (&y);
    }
}

/* Adds to SUMS of the elements, or of pairs if there are TWO vectors.  Kernels compute sums of
   numbers and of products of two, if there are many elements.  */
static void
add_sums (gsltune_moments *m, const struct gt_task *of, uint32_t sums, int two, int magnitudes,
          uint32_t flags[2])
{
  const enum gt_arithmetic arithmetic = of->problem.arithmetic;
  const size_t from = 24;
  struct adding a = {m, of, sums, two, m->kind == GSLTUNE_MOMENTS_WEIGHTED, magnitudes};

  if (arithmetic != GT_LDBL && of->problem.n >= from && !a.weighted
      && (!magnitudes || gt_is_double_or_float (arithmetic)))
    for (unsigned i = 0; i < GT_N_MOMENTS; i++)
      if (sums & (BIT (1) | BIT (Y) | PRODUCTS_OF_TWO) & 1u << i)
        {
          const uint32_t flag = add_planned (m, (enum gt_moment) i, *of, magnitudes);

          a.sums &= ~(1u << i);
          if (sums == BIT (PRODUCTS) || !(PRODUCTS_OF_TWO >> i & 1))
            flags[i == GT_MOMENT_Y] |= flag;
        }
  if (a.sums && a.weighted)
    add_elements (&a, 1, flags);
  else if (a.sums)
    add_elements (&a, 0, flags);
}

/* ----------------------------------------------------------- Neighbours */

/* Stores element I in END, or 0 if it is not finite.  */
static void
set_end (const struct gt_power_sum *end, const struct gt_task *of, size_t i)
{
  const struct gt_long_factor x = factor_of (of->problem.arithmetic, of->x, i);

  memset (end->word, 0, (size_t) end->n * sizeof *end->word);
  if (x.finite)
    gt_long_put (end->word, x.significand, GT_LDBL_WORDS,
                 x.position + GT_LDBL_LOWEST - end->lowest, x.negative);
}

/* Adds the products of elements and their successors.  The first element is the successor of
   the last one that was added before.  */
static void
add_neighbours (gsltune_moments *m, const struct gt_task *of)
{
  struct gt_power_sum first = m->sum[GT_MOMENT_FIRST];
  struct gt_task pairs = *of;
  uint32_t flags[2] = {0, 0};
  void *heap = NULL;

  if (m->n > 0)
    first.word = GT_ROOM (heap, (size_t) first.n * sizeof *first.word);
  set_end (&first, of, 0);
  if (m->n > 0)
    gt_moments_join (m, &first);
  free (heap);
  note (m, 1);
  set_end (&m->sum[GT_MOMENT_LAST], of, of->problem.n - 1);
  pairs.y.data = (const char *) of->x.data
                 + of->x.stride * gt_element_size (of->problem.arithmetic);
  pairs.y.stride = of->x.stride;
  pairs.problem.n--;
  add_sums (m, &pairs, BIT (PRODUCTS), 1, 0, flags);
}

/* ------------------------------------------------------------- The functions */

static int
has_two (const gsltune_moments *m)
{
  return m->kind == GSLTUNE_MOMENTS_WEIGHTED || m->kind == GSLTUNE_MOMENTS_PAIRS;
}

void
gt_moments_add (gsltune_moments *m, const struct gt_task *of, int magnitudes)
{
  const int neighbours = m->kind == GSLTUNE_MOMENTS_NEIGHBOURS;

  if (of->problem.n == 0)
    return;
  add_sums (m, of, neighbours ? BIT (1) | BIT (2) : m->sums, has_two (m), magnitudes, m->flags);
  if (neighbours)
    add_neighbours (m, of);
  if (m->kind != GSLTUNE_MOMENTS_WEIGHTED)
    m->n += of->problem.n;
}

/* Adds elements, their magnitudes or PAIRS, after checking that M is of the right kind.  */
static int
add_checked (gsltune_moments *m, struct gt_task of, int pairs)
{
  const int magnitudes = of.problem.reduction == GT_ASUM;

  if (pairs != has_two (m) || (of.problem.arithmetic == GT_LDBL && !m->wide))
    GSL_ERROR (pairs ? "the moments are of single elements, or not of long doubles"
                     : "the moments are of pairs, or not of long doubles", GSL_EINVAL);
  if (magnitudes && m->sums != BIT (1))
    GSL_ERROR ("the moments are not of first powers alone", GSL_EINVAL);
  gt_moments_add (m, &of, magnitudes);
  return GSL_SUCCESS;
}

#define GT_TEMPLATE "src/moments/moments.inc"
#include "src/each_type.h"
