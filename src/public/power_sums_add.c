/* Adds to moments: elements, pairs of them, elements with weights.

   Sums of elements and of products of two come from where those of vectors do, with the
   kernels, threads and GPUs that were tuned for them, unless they are few or long doubles.
   One loop multiplies all others as whole numbers and adds them, one element after the other.
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
#include "src/public/power_sums.h"
#include "src/public/sample.h"
#include "src/route/reduce.h"

__extension__ typedef unsigned __int128 bits128;

#define BIT(name) (1u << GT_MOMENT_##name)

/* --------------------------------------------------------------- Products */

/* The most factors are a weight and four times an element.  No word is needed for 1.  */
struct product
{
  uint64_t word[5 * GT_LDBL_WORDS + 1];
  int n, exponent, negative;
};

INLINE struct product
times (const struct product *p, const struct gt_long_factor *x)
{
  struct product all = {.n = p->n + GT_LDBL_WORDS,
                        .exponent = p->exponent + x->position + GT_LDBL_LOWEST,
                        .negative = p->negative ^ x->negative};

  for (int i = 0; i < GT_LDBL_WORDS; i++)
    {
      uint64_t carry = 0;

      for (int k = 0; k < p->n; k++)
        {
          const bits128 sum
            = (bits128) p->word[k] * x->significand[i] + all.word[i + k] + carry;

          all.word[i + k] = (uint64_t) sum;
          carry = (uint64_t) (sum >> 64);
        }
      all.word[i + p->n] = carry;
    }
  while (all.n > 1 && all.word[all.n - 1] == 0)
    all.n--;
  return all;
}

static const struct product one = {{1}, 1, 0, 0};

INLINE void
add (struct gt_power_sum *sum, const struct product *p, int sign)
{
  const struct gt_whole whole = {(uint64_t *) p->word, p->n, 0, p->negative};

  gt_power_sum_add (sum, &whole, p->exponent, sign);
}

/* Notes that each sum has got K addends more.  */
INLINE void
note (gsltune_moments *m, uint32_t k)
{
  m->count += k;
  if (m->count > GT_SUPER_LIMIT)
    gt_moments_carry (m);
}

/* --------------------------------------------------------------- Elements

   Their bits are taken, not their values: a subnormal number may count as 0 in the
   caller's floating-point environment.  */

INLINE struct gt_long_factor
factor_of_bits (uint64_t bits, int precision, int exponents, int lowest)
{
  const uint64_t hidden = (uint64_t) 1 << (precision - 1);
  const int exponent = (int) (bits / hidden) & exponents;
  struct gt_long_factor x = {{bits & (hidden - 1)}, 0, 0, exponent != exponents};

  if (x.finite && exponent != 0)
    x.significand[0] |= hidden;
  x.position = exponent - (exponent != 0) + lowest - GT_LDBL_LOWEST;
  x.negative = (int) (bits / hidden / ((uint64_t) exponents + 1));
  return x;
}

INLINE struct gt_long_factor
factor_of_integer (__int128 x)
{
  return (struct gt_long_factor) {{(uint64_t) (x < 0 ? -x : x)}, -GT_LDBL_LOWEST, x < 0, 1};
}

INLINE struct gt_long_factor
factor_of (enum gt_arithmetic arithmetic, struct gt_operand of, size_t i)
{
  uint64_t bits;
  uint32_t short_bits;

  i *= of.stride;
  switch (arithmetic)
    {
    case GT_F64:
      memcpy (&bits, (const double *) of.data + i, sizeof bits);
      return factor_of_bits (bits, 53, 0x7ff, -1074);
    case GT_F32:
      memcpy (&short_bits, (const float *) of.data + i, sizeof short_bits);
      return factor_of_bits (short_bits, 24, 0xff, -149);
#define X(id, name, ctype, real)                                    \
    case GT_##id:                                                   \
      return factor_of_integer (((const ctype *) of.data)[i]);
      GT_INTEGER_ARITHMETICS (X)
#undef X
    default:
      return gt_long_factor_of ((const long double *) of.data + i);
    }
}

static uint32_t
flag_of (const struct gt_long_factor *x)
{
  return x->finite ? 0 : gt_super_flag (!gt_long_is_zero (x), x->negative);
}

/* That of X Y, one of which is not finite: infinity times 0 is NaN.  */
static uint32_t
flag_of_product (const struct gt_long_factor *x, const struct gt_long_factor *y)
{
  const int counts = gt_long_is_zero (x) != x->finite && gt_long_is_zero (y) != y->finite;

  return gt_super_flag (!counts, x->negative ^ y->negative);
}

/* Where the highest bit of X is.  */
INLINE int
end_of (const struct gt_long_factor *x)
{
  return x->finite && x->significand[0] ? x->position + 64 - __builtin_clzll (x->significand[0])
                                        : 0;
}

/* ----------------------------------------------------------- Planned sums */

/* Whether SUMS of N elements are left to kernels: products of reals, for which these do most, if
   they are more.  */
static int
is_planned (enum gt_arithmetic arithmetic, size_t n, uint32_t sums)
{
  const uint32_t products = BIT (2) | BIT (YY) | BIT (PRODUCTS);

  return arithmetic != GT_LDBL && n >= (arithmetic <= GT_F32 && sums & products ? 64 : 24);
}

/* Adds words of kernels', which begin where some of SUM's do.  */
static void
add_words (struct gt_power_sum *sum, const int64_t *word, int n, int lowest)
{
  gt_super_add_words (sum->word + (lowest - sum->lowest) / 32, word, n);
}

/* Adds the words of N in two's complement.  */
static void
add_integer (struct gt_power_sum *sum, const uint64_t *word, int n)
{
  uint64_t room[3];
  const struct gt_whole whole = gt_whole_from_words (room, word, n);

  gt_power_sum_add (sum, &whole, 0, 1);
}

uint32_t
gt_moments_add_value (gsltune_moments *m, int is_integer, const union gt_value *value,
                      struct gt_power_sum *plain, struct gt_power_sum *products)
{
  uint32_t flags = 0, count = 1;

  if (is_integer && plain)
    add_integer (plain, value->integers.plain[0], 2);
  else if (plain)
    {
      add_words (plain, value->exact.plain[0].word, GT_SUPER_WORDS, GT_SUPER_LOWEST);
      flags = value->exact.plain[0].flags;
      count = value->exact.plain[0].count;
    }
  if (is_integer && products)
    add_integer (products, value->integers.product, 3);
  else if (products)
    {
      add_words (products, value->exact.product.word, GT_PRODUCT_WORDS, GT_PRODUCT_LOWEST);
      if (value->exact.product.count > count)
        count = value->exact.product.count;
      flags |= plain ? 0 : value->exact.product.flags;
    }
  note (m, count);
  return flags;
}

/* Adds what REDUCTION makes.  Returns flags.  */
static uint32_t
take (gsltune_moments *m, enum gt_reduction reduction, const struct gt_task *of,
      struct gt_power_sum *plain, struct gt_power_sum *products)
{
  const int is_integer = of->problem.arithmetic > GT_LDBL;
  const struct gt_task task
    = gt_task_of_pair (reduction, gt_arithmetic_for (reduction, of->problem.arithmetic),
                       is_integer ? GT_MODE_FAST : GT_MODE_EXACT, of->x, of->y,
                       of->problem.n);
  void *heap;
  union gt_value *const value = GT_ROOM (heap, sizeof *value);
  uint32_t flags;

  gt_reduce_host_unfinished (&task, value);
  flags = gt_moments_add_value (m, is_integer, value, plain, products);
  free (heap);
  return flags;
}

enum gt_reduction
gt_moments_products_of (const struct gt_task *of)
{
  return of->problem.arithmetic > GT_LDBL                           ? GT_COMOMENTS
         : of->x.data == of->y.data && of->x.stride == of->y.stride ? GT_SUMSQ
                                                                    : GT_DOT;
}

/* Adds the sums FIRST, of x, and SQUARES, if these are among SUMS.  Returns flags.  */
static uint32_t
take_powers (gsltune_moments *m, const struct gt_task *of, uint32_t sums, enum gt_moment first,
             enum gt_moment squares)
{
  struct gt_power_sum *const plain = &m->sum[first];
  struct gt_power_sum *const square = sums >> squares & 1 ? &m->sum[squares] : NULL;

  if (of->problem.arithmetic > GT_LDBL)
    return take (m, square ? GT_MOMENTS : GT_TOTAL, of, plain, square);
  if (square)
    take (m, GT_SUMSQ, of, NULL, square);
  return take (m, GT_SUM, of, plain, NULL);
}

/* -------------------------------------------------------------- The others */

/* How often x, and y or the weight, are factors of what a sum adds up; whether a weight is one more
   of them; and whether the side of the centre is the sign.  */
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

/* Sums of a vector, or of two, of which the second may be the weights; x may count by its
   magnitude.  */
struct adding
{
  gsltune_moments *m;
  const struct gt_task *of;
  uint32_t sums;
  int two, weighted, magnitudes;
  uint32_t flags[2]; /* what is not finite of x and y; of products alone, of these */
};

/* An element, its partner, and on which side of the centre it is.  */
struct element
{
  struct gt_long_factor x, y;
  int side;
};

/* A pair of a sample with weights has its weight first.  */
INLINE void
load (const struct adding *a, const int weighted, size_t i, struct element *e)
{
  const enum gt_arithmetic arithmetic = a->of->problem.arithmetic;

  e->x = factor_of (arithmetic, weighted ? a->of->y : a->of->x, i);
  e->y = weighted || a->two ? factor_of (arithmetic, weighted ? a->of->x : a->of->y, i)
                            : factor_of_integer (1);
  e->x.negative &= !a->magnitudes;
  e->side = 1;
}

/* Whether what sum I adds of E is negative.  */
INLINE int
is_negative (const struct element *e, unsigned i)
{
  return (e->x.negative & factors[i].x) ^ (e->y.negative & factors[i].y)
         ^ (factors[i].sided && e->side < 0);
}

/* Elements of similar size are whole numbers of 64 bits in a common unit, whose exponents are X and
   Y.  Their products are added word by word, as they are, those of both signs apart; the sums of
   a chunk are added to the moments.  */
#define CHUNK 512
struct window
{
  int x, y;
  uint64_t sum[GT_N_MOMENTS][2][MOST_FACTORS + 2];
};

INLINE int
fits (const struct gt_long_factor *x, int position, uint64_t *to)
{
  const int shift = x->position - position;
  const uint64_t digits = x->significand[0];

  *to = shift >= 0 ? digits << (shift & 63) : digits >> (-shift & 63);
  if (GT_LDBL_WORDS > 1 && x->significand[GT_LDBL_WORDS - 1])
    return 0;
  return digits == 0
         || (shift > -64 && shift < 64
             && (shift >= 0 ? *to >> shift : *to << -shift) == digits);
}

INLINE void
add_digits (uint64_t *sum, const uint64_t *p, const int n)
{
  uint64_t carry = 0;

  UNROLL
  for (int i = 0; i < n; i++)
    {
      const bits128 digits = (bits128) sum[i] + p[i] + carry;

      sum[i] = (uint64_t) digits;
      carry = (uint64_t) (digits >> 64);
    }
  sum[n] += carry;
}

/* Makes TO, of N words and one more, P times X.  */
INLINE void
multiply (uint64_t *to, const uint64_t *p, const int n, uint64_t x)
{
  uint64_t carry = 0;

  UNROLL
  for (int i = 0; i < n; i++)
    {
      const bits128 digits = (bits128) p[i] * x + carry;

      to[i] = (uint64_t) digits;
      carry = (uint64_t) (digits >> 64);
    }
  to[n] = carry;
}

/* Returns 0, with nothing added, if a number is no whole one of 64 bits.  */
INLINE int
add_to_window (struct window *window, const struct element *e, uint32_t sums, const int weighted,
               int two)
{
  uint64_t x, y = 0, power[MOST_POWER + 1][MOST_POWER + 1] = {{1}};

  if (!fits (&e->x, window->x, &x) || ((weighted || two) && !fits (&e->y, window->y, &y)))
    return 0;
  power[1][0] = x;
  UNROLL
  for (int k = 2; k <= MOST_POWER; k++)
    if (sums >= 1u << (GT_MOMENT_1 + k - 1))
      multiply (power[k], power[k - 1], k - 1, x);
  UNROLL
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (sums >> i & 1 && (!factors[i].sided || e->side))
      {
        const int of_x = factors[i].x, of_y = factors[i].y + (weighted && factors[i].weighed);
        uint64_t product[MOST_FACTORS + 1] = {y};

        if (of_x || !of_y)
          memcpy (product, power[of_x], sizeof power[of_x]);
        UNROLL
        for (int k = of_x == 0; k < of_y; k++)
          multiply (product, product, of_x + k, y);
        add_digits (window->sum[i][is_negative (e, i)], product, of_x + of_y ? of_x + of_y : 1);
      }
  return 1;
}

/* Adds E as it is.  */
static void
add_element (const struct adding *a, const struct element *e)
{
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (a->sums >> i & 1 && (!factors[i].sided || e->side))
      {
        const int of_y = factors[i].y + (a->weighted && factors[i].weighed);
        struct product p = one;

        for (int k = 0; k < factors[i].x; k++)
          p = times (&p, &e->x);
        for (int k = 0; k < of_y; k++)
          p = times (&p, &e->y);
        p.negative = is_negative (e, i);
        add (&a->m->sum[i], &p, 1);
      }
  note (a->m, 1);
}

static void
empty_window (const struct adding *a, struct window *window)
{
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    for (int negative = 0; negative < 2 && a->sums >> i & 1; negative++)
      {
        const int of_y = factors[i].y + (a->weighted && factors[i].weighed);
        struct gt_whole whole = {window->sum[i][negative], MOST_FACTORS + 2, 0, negative};

        gt_whole_scale (&whole, 1);
        gt_power_sum_add (&a->m->sum[i], &whole,
                          factors[i].x * (window->x + GT_LDBL_LOWEST)
                            + of_y * (window->y + GT_LDBL_LOWEST), 1);
      }
  note (a->m, 2);
}

/* Chooses positions in which the largest numbers have 64 bits, if sums have these.  */
INLINE void
place_window (const struct adding *a, const int weighted, struct window *window, size_t begin,
              size_t end)
{
  const int lowest = gt_moments_unit (a->m) - GT_LDBL_LOWEST + 64;

  *window = (struct window) {lowest, lowest, {{{0}}}};
  for (size_t i = begin; i < end; i++)
    {
      struct element e;

      load (a, weighted, i, &e);
      window->x = end_of (&e.x) > window->x ? end_of (&e.x) : window->x;
      window->y = end_of (&e.y) > window->y ? end_of (&e.y) : window->y;
    }
  window->x -= 64;
  window->y -= 64;
}

/* Returns the sign of element I, X, less the centre.  A double above the one nearest to the centre
   is above the centre, and what is rounded to such a double is, too.  */
static int
side_of (const struct adding *a, size_t i, const struct gt_long_factor *x)
{
  gsltune_moments *const m = a->m;
  struct gt_whole whole = {m->rooms[0], GT_LDBL_WORDS, 0, x->negative};
  double rounded = m->nearest;

  if (a->of->problem.arithmetic != GT_LDBL)
    gt_sample_doubles (a->of->problem.arithmetic, a->weighted ? &a->of->y : &a->of->x, i, 1, &rounded);
  if (isgreater (rounded, m->nearest) || isless (rounded, m->nearest))
    return rounded > m->nearest ? 1 : -1;
  memcpy (m->rooms[0], x->significand, sizeof x->significand);
  gt_whole_scale (&whole, 1);
  gt_whole_shift (&whole, x->position + GT_LDBL_LOWEST - gt_moments_unit (m));
  whole = gt_whole_product (m->rooms[1], &m->scale, &whole);
  whole = gt_whole_difference (m->rooms[2], &whole, &m->centre);
  return whole.n == 0 ? 0 : whole.negative ? -1 : 1;
}

/* From so many elements on the window takes less time than it saves.  */
#define WINDOW_FROM 8

/* Adds some elements; those without a weight above 0 are passed over.  */
INLINE void
add_chunk (struct adding *a, const int weighted, size_t begin, size_t end)
{
  const int few = end - begin < WINDOW_FROM, alone = a->sums == BIT (PRODUCTS);
  const uint32_t sums = a->sums;
  const int two = a->two;
  struct window window;

  if (!few)
    place_window (a, weighted, &window, begin, end);
  for (size_t i = begin; i < end; i++)
    {
      struct element e;

      load (a, weighted, i, &e);
      if (weighted && (e.y.negative || (gt_long_is_zero (&e.y) == e.y.finite)))
        continue;
      a->m->n += (uint64_t) weighted;
      if (!e.x.finite || !e.y.finite)
        {
          a->flags[0] |= alone ? flag_of_product (&e.x, &e.y) : flag_of (&e.x);
          a->flags[1] |= alone ? 0 : flag_of (&e.y);
          continue;
        }
      if (a->m->power == 0)
        e.side = side_of (a, i, &e.x);
      if (few || !add_to_window (&window, &e, sums, weighted, two))
        add_element (a, &e);
    }
  if (!few)
    empty_window (a, &window);
}

/* Adds what kernels do.  Returns the sums that are left.  */
static uint32_t
add_planned (struct adding *a)
{
  struct gt_task second = *a->of;
  uint32_t flags;

  second.x = a->of->y;
  if (a->sums & BIT (1))
    a->flags[0] |= take_powers (a->m, a->of, a->sums, GT_MOMENT_1, GT_MOMENT_2);
  if (a->sums & BIT (Y))
    a->flags[1] |= take_powers (a->m, &second, a->sums, GT_MOMENT_Y, GT_MOMENT_YY);
  if (a->sums & BIT (PRODUCTS))
    {
      flags = take (a->m, gt_moments_products_of (a->of), a->of, NULL,
                    &a->m->sum[GT_MOMENT_PRODUCTS]);
      a->flags[0] |= a->sums == BIT (PRODUCTS) ? flags : 0;
    }
  return a->sums & (BIT (3) | BIT (4));
}

/* Adds to SUMS of the elements, or of pairs if there are TWO vectors.  */
static void
add_sums (gsltune_moments *m, const struct gt_task *of, uint32_t sums, int two, int magnitudes,
          uint32_t flags[2])
{
  const size_t n = of->problem.n;
  struct adding a = {m, of, sums, two, m->kind == GSLTUNE_MOMENTS_WEIGHTED, magnitudes, {0, 0}};
  struct gt_fpenv env;

  if (is_planned (of->problem.arithmetic, n, sums) && !a.weighted && m->power && !magnitudes)
    a.sums = add_planned (&a);
  gt_fpenv_enter (&env, GT_F64); /* for sides */
  for (size_t i = 0; i < n && a.sums; i += CHUNK)
    if (a.weighted)
      add_chunk (&a, 1, i, n - i < CHUNK ? n : i + CHUNK);
    else
      add_chunk (&a, 0, i, n - i < CHUNK ? n : i + CHUNK);
  gt_fpenv_leave (&env);
  flags[0] |= a.flags[0];
  flags[1] |= a.flags[1];
}

/* ----------------------------------------------------------- Neighbours */

/* Puts an end in the place of what was there.  */
static void
set_end (struct gt_power_sum *end, const struct gt_long_factor *x)
{
  const struct product p = times (&one, x);

  memset (end->word, 0, (size_t) end->n * sizeof *end->word);
  if (x->finite)
    add (end, &p, 1);
}

/* Adds the product of the last element so far and X.  */
static void
follow (gsltune_moments *m, const struct gt_long_factor *x)
{
  struct gt_power_sum next = m->sum[GT_MOMENT_FIRST];
  void *heap;

  next.word = GT_ROOM (heap, (size_t) next.n * sizeof *next.word);
  set_end (&next, x);
  gt_moments_join (m, &next);
  note (m, 1);
  free (heap);
}

/* Adds the products of N elements and their next ones.  */
static void
add_neighbours (gsltune_moments *m, const struct gt_task *of)
{
  const enum gt_arithmetic arithmetic = of->problem.arithmetic;
  const size_t n = of->problem.n;
  const struct gt_long_factor first = factor_of (arithmetic, of->x, 0);
  const struct gt_long_factor last = factor_of (arithmetic, of->x, n - 1);
  struct gt_task pairs = *of;
  uint32_t flags[2] = {0, 0};

  if (m->n == 0)
    set_end (&m->sum[GT_MOMENT_FIRST], &first);
  else
    follow (m, &first);
  pairs.y.data = (const char *) of->x.data + of->x.stride * gt_element_size (arithmetic);
  pairs.y.stride = of->x.stride;
  pairs.problem.n = n - 1;
  add_sums (m, &pairs, BIT (PRODUCTS), 1, 0, flags);
  set_end (&m->sum[GT_MOMENT_LAST], &last);
}

/* ------------------------------------------------------------- The functions */

void
gt_moments_add (gsltune_moments *m, const struct gt_task *of)
{
  const int two = m->kind == GSLTUNE_MOMENTS_WEIGHTED || m->kind == GSLTUNE_MOMENTS_PAIRS;
  uint32_t sums = 0;

  if (of->problem.n == 0)
    return;
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    sums |= (uint32_t) (m->sum[i].word != NULL) << i;
  if (m->kind == GSLTUNE_MOMENTS_NEIGHBOURS)
    sums = BIT (1) | BIT (2);
  add_sums (m, of, sums, two, 0, m->flags);
  if (m->kind == GSLTUNE_MOMENTS_NEIGHBOURS)
    add_neighbours (m, of);
  if (m->kind != GSLTUNE_MOMENTS_WEIGHTED)
    m->n += of->problem.n;
}

/* OF which there are PAIRS, or not.  */
static int
add_checked (gsltune_moments *m, const struct gt_task *of, int pairs)
{
  if (pairs != (m->kind == GSLTUNE_MOMENTS_WEIGHTED || m->kind == GSLTUNE_MOMENTS_PAIRS)
      || (of->problem.arithmetic == GT_LDBL && !m->wide))
    GSL_ERROR (pairs ? "the moments are of single elements, or not of long doubles"
                     : "the moments are of pairs, or not of long doubles", GSL_EINVAL);
  gt_moments_add (m, of);
  return GSL_SUCCESS;
}

static int
add_magnitudes (gsltune_moments *m, const struct gt_task *of)
{
  const enum gt_arithmetic arithmetic = of->problem.arithmetic;

  if (m->kind != GSLTUNE_MOMENTS_PLAIN || m->power != 1 || (arithmetic == GT_LDBL && !m->wide))
    GSL_ERROR ("the moments are not of first powers alone, or not of long doubles", GSL_EINVAL);
  if (arithmetic <= GT_F32 && is_planned (arithmetic, of->problem.n, BIT (1)))
    m->flags[0] |= take (m, GT_ASUM, of, &m->sum[GT_MOMENT_1], NULL);
  else
    add_sums (m, of, BIT (1), 0, 1, m->flags);
  m->n += of->problem.n;
  return GSL_SUCCESS;
}

#define GT_TEMPLATE "src/public/power_sums.inc"
#include "src/public/each_type.h"
