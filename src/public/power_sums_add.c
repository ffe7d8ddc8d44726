/* Adds to moments: elements, pairs of them, elements with weights.

   Sums of elements and of products of two come from where those of vectors do, with the
   kernels, threads and GPUs that were tuned for them, unless they are few or long doubles.
   Products of more are multiplied as whole numbers and added here, one element after the
   other.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
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

/* The shortest vectors for which a plan pays.  */
#define PLANNED_FROM 64

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

/* Adds X to SUM, word by word.  */
INLINE void
add_number (struct gt_power_sum *sum, const struct gt_long_factor *x)
{
  for (int i = 0; i < GT_LDBL_WORDS; i++)
    {
      const struct gt_super_digits digits
        = gt_super_cut (x->significand[i], x->negative,
                        x->position + GT_LDBL_LOWEST - sum->lowest + 64 * i);

      for (int k = 0; k < 3; k++)
        sum->word[digits.first + k] += digits.digit[k];
    }
}

/* Where the highest bit of X is.  */
INLINE int
end_of (const struct gt_long_factor *x)
{
  return x->finite && x->significand[0] ? x->position + 64 - __builtin_clzll (x->significand[0])
                                        : 0;
}

/* X as a whole number, in ROOM.  */
static struct gt_whole
whole_of (uint64_t *room, const struct gt_long_factor *x)
{
  struct gt_whole whole = {room, GT_LDBL_WORDS, 0, x->negative};

  memcpy (room, x->significand, sizeof x->significand);
  gt_whole_scale (&whole, 1);
  return whole;
}

/* ----------------------------------------------------------- Planned sums */

static int
is_planned (enum gt_arithmetic arithmetic, size_t n)
{
  return arithmetic != GT_LDBL && n >= PLANNED_FROM;
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

/* ---------------------------------------------------------------- Sums of x */

/* Adds a short vector of doubles or floats to SUM, word by word.  Returns flags.  */
static uint32_t
add_short (gsltune_moments *m, const struct gt_task *of, struct gt_power_sum *sum)
{
  int64_t *const word = sum->word + (GT_SUPER_LOWEST - sum->lowest) / 32;
  const int is_double = of->problem.arithmetic == GT_F64;
  const double *d = of->x.data;
  const float *f = of->x.data;
  uint32_t flags = 0;

  for (size_t i = 0; i < of->problem.n; i++)
    {
      struct gt_super_digits x;
      const uint32_t flag = is_double ? gt_super_cut_f64 (d[i * of->x.stride], &x)
                                      : gt_super_cut_f32 (f[i * of->x.stride], &x);

      flags |= flag;
      for (int k = 0; k < 3 && !flag; k++)
        word[x.first + k] += x.digit[k];
    }
  note (m, (uint32_t) of->problem.n);
  return flags;
}

/* Likewise the products of two.  */
static uint32_t
add_short_products (gsltune_moments *m, const struct gt_task *of, struct gt_power_sum *sum)
{
  int64_t *const word = sum->word + (GT_PRODUCT_LOWEST - sum->lowest) / 32;
  const int is_double = of->problem.arithmetic == GT_F64;
  uint32_t flags = 0;

  for (size_t i = 0; i < of->problem.n; i++)
    {
      const size_t k = i * of->x.stride, l = i * of->y.stride;
      const struct gt_product_factor x
        = is_double ? gt_product_factor_f64 (((const double *) of->x.data)[k])
                    : gt_product_factor_f32 (((const float *) of->x.data)[k]);
      const struct gt_product_factor y
        = is_double ? gt_product_factor_f64 (((const double *) of->y.data)[l])
                    : gt_product_factor_f32 (((const float *) of->y.data)[l]);
      struct gt_product_digits p;
      const uint32_t flag = gt_product_cut (&x, &y, &p);

      flags |= flag;
      for (int j = 0; j < 5 && !flag; j++)
        word[p.first + j] += p.digit[j];
    }
  note (m, (uint32_t) of->problem.n);
  return flags;
}

/* Adds x, or its magnitudes, to the sum FIRST, and squares to the next one if there are TWO.
   Returns flags.  */
static uint32_t
add_one_by_one (gsltune_moments *m, const struct gt_task *of, enum gt_moment first, int two,
                int magnitudes)
{
  uint32_t flags = 0;

  for (size_t i = 0; i < of->problem.n; i++)
    {
      struct gt_long_factor x = factor_of (of->problem.arithmetic, of->x, i);

      x.negative &= !magnitudes;
      flags |= flag_of (&x);
      if (x.finite)
        add_number (&m->sum[first], &x);
      if (x.finite && two)
        {
          struct product p = times (&one, &x);

          p = times (&p, &x);
          add (&m->sum[first + 1], &p, 1);
        }
      note (m, 1);
    }
  return flags;
}

/* The first two powers, or the first.  */
static uint32_t
add_moments (gsltune_moments *m, const struct gt_task *of, enum gt_moment first)
{
  const int two = m->power > 1;

  if (!two && of->problem.arithmetic <= GT_F32 && of->problem.n < PLANNED_FROM)
    return add_short (m, of, &m->sum[first]);
  return !is_planned (of->problem.arithmetic, of->problem.n)
           ? add_one_by_one (m, of, first, two, 0)
         : of->problem.arithmetic > GT_LDBL
           ? take (m, two ? GT_MOMENTS : GT_TOTAL, of, &m->sum[first],
                   two ? &m->sum[first + 1] : NULL)
           : take (m, GT_SUM, of, &m->sum[first], NULL)
               | (two ? take (m, GT_SUMSQ, of, NULL, &m->sum[first + 1]) : 0);
}

/* ---------------------------------------------------------------- Of pairs */

enum gt_reduction
gt_moments_products_of (const struct gt_task *of)
{
  return of->problem.arithmetic > GT_LDBL                                    ? GT_COMOMENTS
         : of->x.data == of->y.data && of->x.stride == of->y.stride ? GT_SUMSQ
                                                                    : GT_DOT;
}

/* Returns the products' flags.  */
static uint32_t
add_products (gsltune_moments *m, const struct gt_task *of)
{
  struct gt_power_sum *const sum = &m->sum[GT_MOMENT_PRODUCTS];
  const enum gt_arithmetic arithmetic = of->problem.arithmetic;
  uint32_t flags = 0;

  if (is_planned (arithmetic, of->problem.n))
    return take (m, gt_moments_products_of (of), of, NULL, sum);
  if (arithmetic <= GT_F32)
    return add_short_products (m, of, sum);
  for (size_t i = 0; i < of->problem.n; i++)
    {
      const struct gt_long_factor x = factor_of (arithmetic, of->x, i);
      const struct gt_long_factor y = factor_of (arithmetic, of->y, i);
      struct product p = times (&one, &x);

      p = times (&p, &y);
      if (x.finite && y.finite)
        add (sum, &p, 1);
      else
        flags |= flag_of_product (&x, &y);
      note (m, 1);
    }
  return flags;
}

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
  const int unit = gt_moments_unit (m);
  const size_t words = (size_t) m->sum[GT_MOMENT_LAST].n / 2 + 2;
  void *heap;
  uint64_t *const rooms = GT_ROOM (heap, 3 * words * sizeof *rooms), next[GT_LDBL_WORDS + 1];
  const struct gt_whole last = gt_power_sum_whole (rooms, &m->sum[GT_MOMENT_LAST], unit);
  const struct gt_whole factor = whole_of (next, x);
  const struct gt_whole product = gt_whole_product (rooms + words, &last, &factor);

  gt_power_sum_add (&m->sum[GT_MOMENT_PRODUCTS], &product,
                    unit + x->position + GT_LDBL_LOWEST, 1);
  note (m, 1);
  free (heap);
}

/* The products of N elements and their next ones.  */
static void
add_neighbours (gsltune_moments *m, const struct gt_task *of)
{
  const enum gt_arithmetic arithmetic = of->problem.arithmetic;
  const size_t n = of->problem.n;
  const struct gt_long_factor first = factor_of (arithmetic, of->x, 0);
  const struct gt_long_factor last = factor_of (arithmetic, of->x, n - 1);
  struct gt_task pairs = *of;

  if (m->n == 0)
    set_end (&m->sum[GT_MOMENT_FIRST], &first);
  else if (first.finite)
    follow (m, &first);
  pairs.y.data = (const char *) of->x.data + of->x.stride * gt_element_size (arithmetic);
  pairs.y.stride = of->x.stride;
  pairs.problem.n = n - 1;
  add_products (m, &pairs);
  set_end (&m->sum[GT_MOMENT_LAST], &last);
}

/* ------------------------------------------- With weights, about a centre */

/* The sign of X less a number that NEAREST is the nearest double to, or 0 where their first
   64 bits do not tell; both have one word, and NEAREST 53 bits.  In units of the last of these bits NEAREST is off
   by less than CLOSE, so what is beyond the next power of two is so for sure, unless it is
   that close to it.  */
#define CLOSE ((uint64_t) 1 << 12)
static int
side_told (const struct gt_long_factor *x, const struct gt_long_factor *nearest)
{
  const uint64_t digits = nearest->significand[0] << __builtin_clzll (nearest->significand[0]);
  const uint64_t own = x->significand[0] << __builtin_clzll (x->significand[0]);
  const int beyond = end_of (x) - end_of (nearest), outward = x->negative ? -1 : 1;

  if (x->negative != nearest->negative)
    return outward;
  if (digits > UINT64_MAX - CLOSE || digits < ((uint64_t) 1 << 63) + CLOSE)
    return 0;
  return beyond > 0 || (beyond == 0 && own > digits + CLOSE)    ? outward
         : beyond < 0 || (beyond == 0 && own < digits - CLOSE) ? -outward
                                                                : 0;
}

/* The sign of X less the centre.  */
static int
side_of (const gsltune_moments *m, const struct gt_long_factor *x)
{
  struct gt_whole whole = whole_of (m->rooms[0], x);
  struct gt_long_factor nearest;
  uint64_t bits;
  int side;

  memcpy (&bits, &m->nearest, sizeof bits);
  nearest = factor_of_bits (bits, 53, 0x7ff, -1074);
  side = nearest.finite && nearest.significand[0] >> 52 && whole.n == 1
             && x->significand[0]
           ? side_told (x, &nearest) : 0;
  if (side)
    return side;

  gt_whole_shift (&whole, x->position + GT_LDBL_LOWEST - gt_moments_unit (m));
  whole = gt_whole_product (m->rooms[1], &m->scale, &whole);
  whole = gt_whole_difference (m->rooms[2], &whole, &m->centre);
  return whole.n == 0 ? 0 : whole.negative ? -1 : 1;
}

static void
add_distance (gsltune_moments *m, const struct product *weight, const struct product *weighed,
              const struct gt_long_factor *x)
{
  const int side = side_of (m, x);

  if (side)
    {
      add (&m->sum[GT_MOMENT_SIDES], weight, side);
      add (&m->sum[GT_MOMENT_DISTANCES], weighed, side);
    }
}

/* Adds an element, from a power on, and its weight, which is 1 where there are none.  */
static void
add_element (gsltune_moments *m, const struct gt_long_factor *w,
             const struct gt_long_factor *x, int from)
{
  const struct product weight = times (&one, w);
  struct product p = times (&weight, w);

  if (m->kind == GSLTUNE_MOMENTS_WEIGHTED)
    {
      add (&m->sum[GT_MOMENT_W], &weight, 1);
      if (m->power)
        add (&m->sum[GT_MOMENT_WW], &p, 1);
    }
  p = weight;
  for (int k = 1; k == 1 || k <= m->power; k++)
    {
      p = times (&p, x);
      if (k >= from)
        add (&m->sum[GT_MOMENT_1 + (unsigned) k - 1], &p, 1);
    }
  if (m->power == 0)
    add_distance (m, &weight, &p, x);
  note (m, 1);
}

/* ------------------------------------------------------------------ Windows

   Elements of similar size are whole numbers of 64 bits in a common unit.  Their products are
   added word by word, as they are, and the sums of a chunk of elements where sums are.  */

#define CHUNK 512
#define MOST_POWER 4

/* The positions of the lowest bits, and for both signs the sums of the weights, of their
   squares and of the weighed powers.  */
struct window
{
  int w, x;
  uint64_t weight[2], squared[3], power[MOST_POWER][2][MOST_POWER + 2];
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

/* P times X, in its place.  */
INLINE void
multiply (uint64_t *p, const int n, uint64_t x)
{
  uint64_t carry = 0;

  UNROLL
  for (int i = 0; i < n; i++)
    {
      const bits128 digits = (bits128) p[i] * x + carry;

      p[i] = (uint64_t) digits;
      carry = (uint64_t) (digits >> 64);
    }
  p[n] = carry;
}

/* Returns 0, with nothing added, where a number is no whole one of 64 bits.  With weights
   there are all powers, else those from the third on.  */
INLINE int
add_to_window (struct window *window, const struct gt_long_factor *w,
               const struct gt_long_factor *x, const int weighted, int power)
{
  uint64_t weight = 0, digits, p[MOST_POWER + 2];

  if ((weighted && !fits (w, window->w, &weight)) || !fits (x, window->x, &digits))
    return 0;
  if (weighted)
    {
      p[0] = weight;
      multiply (p, 1, weight);
      add_digits (window->weight, &weight, 1);
      add_digits (window->squared, p, 2);
    }
  p[0] = weighted ? weight : digits;
  UNROLL
  for (int k = 2 - weighted; k <= MOST_POWER; k++)
    if (k <= power)
      {
        multiply (p, k - 1 + weighted, digits);
        if (weighted || k > 2)
          add_digits (window->power[k - 1][x->negative & k], p, k + weighted);
      }
  return 1;
}

static void
empty (struct gt_power_sum *sum, uint64_t *word, int n, int exponent, int sign)
{
  struct gt_whole whole = {word, n, 0, 0};

  gt_whole_scale (&whole, 1);
  gt_power_sum_add (sum, &whole, exponent, sign);
}

static void
empty_window (gsltune_moments *m, struct window *window, int from)
{
  const int weighted = m->kind == GSLTUNE_MOMENTS_WEIGHTED;
  const int w = weighted ? window->w + GT_LDBL_LOWEST : 0, x = window->x + GT_LDBL_LOWEST;

  if (weighted)
    {
      empty (&m->sum[GT_MOMENT_W], window->weight, 2, w, 1);
      empty (&m->sum[GT_MOMENT_WW], window->squared, 3, 2 * w, 1);
    }
  for (int k = from; k <= m->power; k++)
    for (int negative = 0; negative < 2; negative++)
      empty (&m->sum[GT_MOMENT_1 + (unsigned) k - 1], window->power[k - 1][negative], k + 2,
             w + k * x, negative ? -1 : 1);
  note (m, 2);
}

/* An element and its weight.  */
INLINE void
load (const struct gt_task *of, const int weighted, size_t i, struct gt_long_factor *w,
      struct gt_long_factor *x)
{
  *w = weighted ? factor_of (of->problem.arithmetic, of->x, i) : factor_of_integer (1);
  *x = factor_of (of->problem.arithmetic, weighted ? of->y : of->x, i);
}

/* Positions in which the largest numbers have 64 bits, if sums have these.  */
INLINE void
place_window (struct window *window, const struct gt_task *of, const int weighted, int lowest,
              size_t begin, size_t end)
{
  window->w = window->x = lowest + 64;
  for (size_t i = begin; i < end; i++)
    {
      struct gt_long_factor w, x;

      load (of, weighted, i, &w, &x);
      window->w = end_of (&w) > window->w ? end_of (&w) : window->w;
      window->x = end_of (&x) > window->x ? end_of (&x) : window->x;
    }
  window->w -= 64;
  window->x -= 64;
}

/* Adds some elements, from a power on; those without a weight above 0 are passed over.  */
INLINE void
add_chunk (gsltune_moments *m, const struct gt_task *of, const int weighted, int from,
           size_t begin, size_t end)
{
  struct window window = {0};

  place_window (&window, of, weighted, gt_moments_unit (m) - GT_LDBL_LOWEST, begin, end);
  for (size_t i = begin; i < end; i++)
    {
      struct gt_long_factor w, x;

      load (of, weighted, i, &w, &x);
      if (w.negative || (gt_long_is_zero (&w) == w.finite))
        continue;
      m->n += (uint64_t) weighted;
      m->flags[0] |= flag_of (&x);
      m->flags[1] |= flag_of (&w);
      if (w.finite && x.finite
          && (m->power == 0 || !add_to_window (&window, &w, &x, weighted, m->power)))
        add_element (m, &w, &x, from);
    }
  if (m->power)
    empty_window (m, &window, from);
}

/* Adds distances of elements that are doubles as well, none of which is the nearest one to the
   centre: then each lies on that one's side of the centre on which it lies of that.  Sums of
   kernels take those below with the other sign.  Returns 0, with nothing added, for others.  */
__attribute__ ((noinline)) static int
add_sides (gsltune_moments *m, const struct gt_task *of, size_t begin, size_t end)
{
  const enum gt_arithmetic arithmetic = of->problem.arithmetic;
  const size_t n = end - begin;
  struct gt_task task;
  double x[CHUNK];
  int64_t above = 0, below = 0;

  if (!is_planned (arithmetic, n) || !gt_fpenv_is_default (GT_F64)
      || (arithmetic != GT_F64 && gt_element_size (arithmetic) >= sizeof (double)))
    return 0;
  gt_sample_doubles (arithmetic, &of->x, begin, n, x);
  for (size_t i = 0; i < n; i++)
    {
      above += x[i] > m->nearest && x[i] <= DBL_MAX;
      below += x[i] < m->nearest && x[i] >= -DBL_MAX;
    }
  if (above + below != (int64_t) n)
    return 0;
  task = gt_task_of (GT_SUM, GT_F64, GT_MODE_EXACT, x, n, 1);
  take (m, GT_SUM, &task, &m->sum[GT_MOMENT_1], NULL);
  for (size_t i = 0; i < n; i++)
    x[i] = x[i] > m->nearest ? x[i] : -x[i];
  take (m, GT_SUM, &task, &m->sum[GT_MOMENT_DISTANCES], NULL);
  above -= below;
  add_integer (&m->sum[GT_MOMENT_SIDES],
               (const uint64_t[]) {(uint64_t) above, (uint64_t) (above >> 63)}, 2);
  return 1;
}

static void
add_elements (gsltune_moments *m, const struct gt_task *of, int from)
{
  const size_t n = of->problem.n;

  for (size_t i = 0; i < n; i += CHUNK)
    {
      const size_t end = n - i < CHUNK ? n : i + CHUNK;

      if (m->power == 0 && m->kind == GSLTUNE_MOMENTS_PLAIN && add_sides (m, of, i, end))
        continue;
      if (m->kind == GSLTUNE_MOMENTS_WEIGHTED)
        add_chunk (m, of, 1, from, i, end);
      else
        add_chunk (m, of, 0, from, i, end);
    }
}

/* ------------------------------------------------------------- The functions */

static void
add_sample (gsltune_moments *m, const struct gt_task *of)
{
  if (m->power == 0)
    add_elements (m, of, 1);
  else
    m->flags[0] |= add_moments (m, of, GT_MOMENT_1);
  if (m->power > 2)
    add_elements (m, of, 3);
  if (m->kind == GSLTUNE_MOMENTS_NEIGHBOURS)
    add_neighbours (m, of);
  m->n += of->problem.n;
}

static void
add_samples (gsltune_moments *m, const struct gt_task *of)
{
  struct gt_task second = *of;

  const uint32_t flags = add_products (m, of);

  second.x = of->y;
  m->flags[0] |= m->power > 1 ? add_moments (m, of, GT_MOMENT_1) : flags;
  if (m->power > 1)
    m->flags[1] |= add_moments (m, &second, GT_MOMENT_Y);
  m->n += of->problem.n;
}

void
gt_moments_add (gsltune_moments *m, const struct gt_task *of)
{
  if (of->problem.n == 0)
    return;
  if (m->kind == GSLTUNE_MOMENTS_WEIGHTED)
    add_elements (m, of, 1);
  else if (m->kind == GSLTUNE_MOMENTS_PAIRS)
    add_samples (m, of);
  else
    add_sample (m, of);
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
  struct gt_power_sum *const sum = &m->sum[GT_MOMENT_1];
  const enum gt_arithmetic arithmetic = of->problem.arithmetic;

  if (m->kind != GSLTUNE_MOMENTS_PLAIN || m->power != 1 || (arithmetic == GT_LDBL && !m->wide))
    GSL_ERROR ("the moments are not of first powers alone, or not of long doubles", GSL_EINVAL);
  m->flags[0] |= arithmetic <= GT_F32 && is_planned (arithmetic, of->problem.n)
                   ? take (m, GT_ASUM, of, sum, NULL)
                   : add_one_by_one (m, of, GT_MOMENT_1, 0, 1);
  m->n += of->problem.n;
  return GSL_SUCCESS;
}

#define GT_TEMPLATE "src/public/power_sums.inc"
#include "src/public/each_type.h"
