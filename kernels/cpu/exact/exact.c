/* Exact sums of doubles and floats, of their magnitudes, squares and products.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <string.h>

#include "kernels/catalog.h"
#include "kernels/cpu/exact/two_products.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/products.h"

/* Elements become doubles, a chunk at a time.  A product becomes two doubles, the rounded
   product and its error (kernels/cpu/exact/two_products.h); a product that two doubles cannot
   represent is added to the superaccumulator of products.  Windows extract the digits of a
   chunk, the highest first, until none are left.  Numbers that are too large or too small for
   windows, or so far apart that many windows would be needed, are added to the
   superaccumulator one by one.

   A window is a range of binary digits that is divided into levels, each with its own
   accumulators.  Level 0 extracts from each number the digits down to its unit, level 1
   continues with the remainder, and so on; the remainder of the last level is left for the
   next window.  The method is that of S. M. Rump, T. Ogita and S. Oishi ("Accurate
   Floating-Point Summation", 2008: extraction by a large constant) in the form of J. Demmel
   and H. D. Nguyen ("Parallel Reproducible Summation", 2015: the constant is the accumulator
   itself), which is three additions per level,

        next = acc + x      taken = next - acc      x = x - taken      acc = next

   Level l begins with acc = 1.5 * 2^k, k = top - 45 l.  While acc is in the binade [2^k,
   2^(k+1)) it is a multiple of its unit u = 2^(k-52).

   * The subtraction that yields taken is exact: next and acc are multiples of u in one binade.
   * The remainder of x is exact: it is the rounding error of acc + x, which is a multiple of
     the smaller of u and of x's own unit, and no larger than x (acc was a candidate for next)
     or than u/2, so that a double can represent it.
   * In level 0 the magnitudes add up to only slightly more than 2^(top-2), because top is
     chosen accordingly; an accumulator receives at most 2^7 = LENGTH numbers, each rounded by
     at most u/2, so that it moves by less than 2^(k-1) in either direction.
   * In level l > 0 each input is at most B = u'/2 = 2^(k-8), where u' is the unit of the level
     above.  B is a multiple of u, so that taken is at most B, too, and 2^7 numbers move an
     accumulator by at most 2^(k-1) in either direction.  It can reach 2^(k+1) only with the
     last number.

   At the end the accumulators are read as integers: in one binade the bits of acc minus those
   of 1.5 * 2^k count units, at most 2^51 of them (2^(k+1) is the next integer after its
   binade); all lanes and chains together hold at most 2^55.  With top at most 1002 nothing
   overflows; if the magnitudes add up to TOO_SMALL or more, units are 2^-1074 or more, so that
   each anchor is a normal number.  */

#define MOST_LEVELS 3
#define STEP 45 /* bits from one level to the next */
#define LENGTH 128 /* numbers that one accumulator takes */
#define CHAINS 2
#define ROW ((size_t) CHAINS * LANES)
#define CHUNK (LENGTH * ROW)
#define DEPTH(levels) ((levels - 1) * STEP + 52) /* bits from the top to the last unit */

/* The number of digits from a window's top to the last digit of numbers that span SPAN
   binades.  */
#define DIGITS(span) ((span) + 3 + 52)

/* If the sum of magnitudes is TOO_LARGE or more, additions might overflow.  If it is less than
   TOO_SMALL, the extracted parts might be subnormal, and operations on subnormals take about a
   hundred times as long.  */
#define TOO_LARGE 0x1p1000
#define TOO_SMALL 0x1p-900

/* The cost of a window, in units of the time per number: a number that is added singly costs
   SINGLE units, a window costs one unit per number and SET_UP units at its beginning and
   end.  */
#define SINGLE 4
#define SET_UP 50

/* Fewer products than this are added together with their errors, although the errors are much
   smaller.  */
#define JOINT 256

/* The number of products computed at a time, a multiple of ROW.  */
#define PIECE ((size_t) 64)

/* The number of doubles in the buffer on the stack.  */
#define FEW ((size_t) 128)

/* Returns the encoded exponent of X, which is not negative.  */
INLINE int
exponent_of (double x)
{
  uint64_t bits;

  memcpy (&bits, &x, sizeof bits);
  return (int) (bits >> 52);
}

_Static_assert (32 * GT_PRODUCT_OFFSET == GT_SUPER_LOWEST - GT_PRODUCT_LOWEST,
                "words of both accumulators must meet");

/* The words of a superaccumulator, or those words of an accumulator of products that have the
   same weights.  */
struct sum
{
  int64_t *word;
  int64_t *all; /* N_ALL words */
  int n_all;
  uint32_t *count, *flags;
};

/* Notes that K addends have been added.  */
INLINE void
note (struct sum sum, uint32_t k)
{
  gt_super_note (sum.all, sum.n_all, sum.count, k);
}

/* A number that is added singly is cut into two digits, of 32 bits and of up to 52, for
   adjacent words.  Positive and negative numbers are added up separately for each word.  A
   number counts as 2^20 + 1 addends, so that SINGLES numbers count as at most 2^30.  */
#define BATCH 16 /* numbers, a multiple of ROW */
#define SINGLES ((size_t) 60 * BATCH)
#define SIGNED_WORDS 64

/* Adds N numbers, at most SINGLES and a multiple of LANES.  */
static void
add_singly (struct sum sum, const double *x, size_t n)
{
  uint64_t lower[2 * SIGNED_WORDS] = {0}, upper[2 * SIGNED_WORDS] = {0};
  uint64_t word[BATCH], low[BATCH], high[BATCH]; /* bit 6 of WORD is the sign */

  for (size_t i = 0, k = 0; i < n; i += LANES, k = (k + LANES) % BATCH)
    {
      const words bits = (words) load_doubles (x + i), exponent = bits >> 52 & 0x7ff;
      const words normal = (words) (exponent != 0) & 1, position = exponent - normal;
      const words significand = (bits & FRACTION) | normal << 52, shift = position & 31;

      store_words (word + k, position >> 5 | bits >> 63 << 6);
      store_words (low + k, significand << shift & UINT32_MAX);
      store_words (high + k, significand >> (32 - shift));
      for (size_t l = 0; (k + LANES == BATCH || i + LANES == n) && l < k + LANES; l++)
        {
          lower[word[l]] += low[l];
          upper[word[l]] += high[l];
        }
    }
  for (size_t k = 0; k < SIGNED_WORDS; k++)
    sum.word[k] += (int64_t) (lower[k] - lower[SIGNED_WORDS + k]);
  for (size_t k = 0; k < SIGNED_WORDS; k++)
    sum.word[k + 1] += (int64_t) (upper[k] - upper[SIGNED_WORDS + k]);
  note (sum, (uint32_t) (n << 20 | n));
}

/* Sets the flags for the infinities and NaNs among N numbers; these leave the words
   undefined.  */
static void
set_flags (struct sum sum, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite (x[i]))
      *sum.flags |= gt_super_flag (isnan (x[i]), x[i] < 0);
}

/* Returns the rounded sum of N magnitudes.  Stores in *SPAN the approximate number of binades
   between this sum and the smallest magnitude that is not zero.  */
static double
magnitude (const double *x, size_t n, int *span)
{
  const uint64_t most = (uint64_t) 0x7fe << 52;
  vector s[CHAINS] = {{0}}, inverse[CHAINS] = {{0}}; /* powers of two near 1/x, times 2^1023 */
  double sum;

  for (size_t i = 0; i < n; i += ROW)
    {
      UNROLL
      for (size_t k = 0; k < CHAINS; k++)
        {
          const vector v = MAGNITUDES (LANES, load_doubles (x + i + k * LANES));

          s[k] += v;
          inverse[k] += (vector) ((most - (words) v) & (words) (v != 0));
        }
    }
  sum = FOLD (LANES, vector, +, s[0] + s[1]);
  *span = exponent_of (sum) + exponent_of (FOLD (LANES, vector, +, inverse[0] + inverse[1]))
          - 0x7fe;
  return sum;
}

/* Adds X to chain K and returns the remainder.  */
INLINE vector
take (vector (*acc)[CHAINS], vector x, const unsigned k, const unsigned levels)
{
  UNROLL
  for (unsigned l = 0; l < levels; l++)
    {
      const vector next = acc[l][k] + x;

      x -= next - acc[l][k];
      acc[l][k] = next;
    }
  return x;
}

/* Adds N numbers whose magnitudes add up to about M or less by LEVELS levels.  Stores the
   remainders in X and returns whether any is not zero.  */
INLINE int
add_by_levels (struct sum sum, const double *from, double *x, size_t n, double m,
               const unsigned levels)
{
  const int top = exponent_of (m) - 1023 + 3;
  vector acc[MOST_LEVELS][CHAINS];
  words anchor[MOST_LEVELS], left = {0};

  UNROLL
  for (unsigned l = 0; l < levels; l++)
    {
      anchor[l] = (words) {0} + ((uint64_t) (top - (int) l * STEP + 1023) << 52
                                 | (uint64_t) 1 << 51);
      UNROLL
      for (unsigned k = 0; k < CHAINS; k++)
        acc[l][k] = (vector) anchor[l];
    }
  for (size_t i = 0; i < n; i += ROW)
    {
      UNROLL
      for (unsigned k = 0; k < CHAINS; k++)
        {
          const vector v = take (acc, load_doubles (from + i + k * LANES), k, levels);

          left |= (words) v;
          store_doubles (x + i + k * LANES, v);
        }
    }
  UNROLL
  for (unsigned l = 0; l < levels; l++)
    {
      const words units = (words) acc[l][0] - anchor[l] + (words) acc[l][1] - anchor[l];
      const int64_t all = (int64_t) FOLD (LANES, words, +, units);
      const struct gt_super_digits digits
        = gt_super_cut ((uint64_t) (all < 0 ? -all : all), all < 0,
                        top - (int) l * STEP - 52 - GT_SUPER_LOWEST);

      for (int k = 0; k < 3; k++)
        sum.word[digits.first + k] += digits.digit[k];
    }
  note (sum, levels);
  return (FOLD (LANES, words, |, left) & ~SIGN) != 0;
}

/* Returns whether windows are faster than single additions for N numbers that span SPAN
   binades.  The sum of the remainders of a window is up to 2^10 times half a unit.  */
static int
are_near (int span, size_t n)
{
  const int beyond = DIGITS (span) - DEPTH (MOST_LEVELS);
  const int windows = beyond > 0 ? 2 + beyond / (DEPTH (MOST_LEVELS) - 10) : 1;

  return (size_t) windows * (n + SET_UP) < SINGLE * n;
}

/* Adds N numbers, a multiple of ROW, that span SPAN binades and whose magnitudes add up to
   about M or less.  The remainders are stored in X, which may equal FROM.  */
static void
add_known (struct sum sum, const double *from, double *x, size_t n, double m, int span)
{
  if (!(m < TOO_LARGE))
    set_flags (sum, from, n);
  while (m >= TOO_SMALL && m < TOO_LARGE && are_near (span, n))
    {
      if (!(DIGITS (span) <= DEPTH (2) ? add_by_levels (sum, from, x, n, m, 2)
                                       : add_by_levels (sum, from, x, n, m, MOST_LEVELS)))
        return;
      from = x;
      m = magnitude (x, n, &span);
    }
  for (size_t i = 0; i < n && m != 0; i += SINGLES)
    add_singly (sum, from + i, n - i < SINGLES ? n - i : SINGLES);
}

/* Adds N numbers, a multiple of ROW, of any magnitudes.  */
static void
add_numbers (struct sum sum, const double *from, double *x, size_t n)
{
  int span;
  const double m = magnitude (from, n, &span);

  add_known (sum, from, x, n, m, span);
}

/* Adds N products, which are followed by their errors.  An error is at most 2^-53 of its
   product and a multiple of 2^-105 of the power of two below the product, so that errors span
   no more digits than the products.  */
static void
add_products (struct sum sum, double *x, size_t n)
{
  int span;
  double m;

  if (n < JOINT)
    {
      add_numbers (sum, x, x, 2 * n);
      return;
    }
  m = magnitude (x, n, &span);
  add_known (sum, x, x, n, m, span);
  add_known (sum, x + n, x + n, n, m * 0x1p-53, span);
}

/* Stores N products of doubles in P, which may be X, and their errors in E.  Stores zeros for
   products that two doubles cannot represent, and returns 0 if there are any.  */
INLINE int
multiply (const double *x, const double *y, size_t n, double *p, double *e)
{
  words bad = {0};

  for (size_t i = 0; i < n; i += LANES)
    {
      const vector a = load_doubles (x + i), b = load_doubles (y + i);
      const words fails = two_product_fails (a, b);

      bad |= fails;
      store_doubles (e + i, (vector) ((words) product_error (a, b, a * b) & ~fails));
      store_doubles (p + i, (vector) ((words) (a * b) & ~fails));
    }
  return FOLD (LANES, words, |, bad) == 0;
}

/* Adds those of the N products from element I on that two doubles cannot represent.  */
static void
add_failing (struct gt_product_accumulator *all, const struct gt_task *task, size_t i, size_t n)
{
  const int two = task->problem.reduction == GT_DOT;
  const double *const x = task->x.data, *const y = two ? task->y.data : x;
  const size_t xs = task->x.stride, ys = two ? task->y.stride : xs;

  for (size_t k = i; k < i + n; k++)
    if (two_product_fails ((vector) {0} + x[k * xs], (vector) {0} + y[k * ys])[0])
      gt_product_put_f64 (all, x[k * xs], y[k * ys]);
  gt_super_note (all->word, GT_PRODUCT_WORDS, &all->count, (uint32_t) n);
}

/* Copies N elements of X, whose type and layout are FORM, to TO as doubles.  */
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

/* Returns the address of N elements of OPERAND from BEGIN on as doubles, padded with zeros to
   a multiple of ROW: their own address, or ROOM if they had to be copied.  */
static const double *
elements (const struct gt_task *task, const struct gt_operand *operand, size_t begin, size_t n,
          double *room)
{
  const enum gt_arithmetic arithmetic = task->problem.arithmetic;
  const size_t stride = operand->stride;
  const void *const x
    = (const char *) operand->data + begin * stride * gt_element_size (arithmetic);

  if (arithmetic == GT_F64 && stride == 1 && n % ROW == 0)
    return x;
  if (arithmetic == GT_F64)
    stride == 1 ? copy_form (room, x, 1, n, F64) : copy_form (room, x, stride, n, F64 | STRIDED);
  else
    stride == 1 ? copy_form (room, x, 1, n, F32) : copy_form (room, x, stride, n, F32 | STRIDED);
  for (; n % ROW != 0; n++)
    room[n] = 0;
  return room;
}

/* Adds COUNT elements from I on.  ROOM and SECOND are buffers of at least COUNT doubles,
   rounded up to a multiple of ROW; SECOND follows ROOM.  */
static void
add_chunk (const struct gt_task *task, size_t i, size_t count, double *room, double *second,
           struct sum sum, struct gt_product_accumulator *products)
{
  const enum gt_reduction reduction = task->problem.reduction;
  const size_t n = (count + ROW - 1) / ROW * ROW;
  const double *const x = elements (task, &task->x, i, count, room);
  const double *const y = reduction == GT_DOT ? elements (task, &task->y, i, count, second) : x;

  if (gt_reductions[reduction].products && task->problem.arithmetic == GT_F64)
    {
      for (size_t k = 0, some; k < n; k += some)
        {
          some = n - k < PIECE ? n - k : PIECE;
          if (!multiply (x + k, y + k, some, room + k, room + n + k))
            add_failing (products, task, i + k, count - k < some ? count - k : some);
        }
      add_products (sum, room, n);
      return;
    }
  for (size_t k = 0; reduction != GT_SUM && k < n; k += LANES)
    {
      const vector v = load_doubles (x + k);

      store_doubles (room + k, reduction == GT_ASUM ? MAGNITUDES (LANES, v)
                                                    : v * load_doubles (y + k));
    }
  add_numbers (sum, reduction == GT_SUM ? x : room, room, n);
}

static void
exact (const struct gt_task *task, union gt_value *value)
{
  const int products = gt_reductions[task->problem.reduction].products != 0;
  const size_t n = task->problem.n, most = n < CHUNK / 2 ? (n + ROW - 1) / ROW * ROW : CHUNK / 2;
  struct gt_superaccumulator *const super = &value->super;
  struct gt_product_accumulator *const product = &value->exact.product;
  const struct sum sum = products ? (struct sum) {product->word + GT_PRODUCT_OFFSET, product->word,
                                                  GT_PRODUCT_WORDS, &product->count,
                                                  &product->flags}
                                  : (struct sum) {super->word, super->word, GT_SUPER_WORDS,
                                                  &super->count, &super->flags};
  double few[FEW];
  void *heap = NULL;
  double *const room = 2 * most <= FEW ? few : GT_ROOM (heap, 2 * most * sizeof *room);

  if (products)
    memset (product, 0, sizeof *product);
  else
    memset (super, 0, sizeof *super);
  for (size_t i = 0, count; i < n; i += count)
    {
      count = n - i < most ? n - i : most;
      add_chunk (task, i, count, room, room + most, sum, product);
    }
  free (heap);
}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_exact) (const struct gt_problem *problem, unsigned unroll)
{
  (void) problem;
  (void) unroll;
  return exact;
}
