/* Exact sums of powers of elements, and statistics that are made of them on the device.

   A warp's elements are whole numbers of 64 bits in a common unit, its window, as long as
   their sizes are similar.  Their products are added word by word, in registers, as they are;
   of the sums of a warp one thread adds the digits to the block's, in shared memory.  So are
   the products of an element that is no such number.  The block's sums go to the grid's, and
   one thread makes the statistic of these (kernels/rational.h): whatever the elements are,
   no result is rounded more than once, and no answer is waited for.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_POWERS_CUH
#define GT_KERNELS_CUDA_POWERS_CUH

/* The functions below are the device's.  */
#define GT_ON_DEVICE

#include "kernels/cuda/reduce.cuh"
#include "kernels/rational.inc"
#include "kernels/types.h"
#include "kernels/whole.inc"

namespace gt
{

constexpr int misfits_borne = 8; /* of 32 numbers, in a window that is not placed anew */
constexpr int nowhere = -(1 << 20);

/* ---------------------------------------------------------------- Elements

   Their bits are taken: DIGITS 2^EXPONENT, or, where FLAG says so, no number.  */
struct factor
{
  uint64_t digits;
  int exponent;
  uint32_t flag;
  uint32_t negative; /* 1, or 0 */

  /* Where the highest bit is.  */
  __device__ __forceinline__ int end () const { return digits ? exponent + 64 - leading_zeros (digits) : nowhere; }

  __device__ __forceinline__ void be_bits (uint64_t bits, int precision, int exponents, int lowest)
  {
    const uint64_t hidden = UINT64_C (1) << (precision - 1);
    const int biased = static_cast<int> (bits / hidden) & exponents;

    digits = bits & (hidden - 1);
    negative = bits / hidden > static_cast<uint64_t> (exponents);
    flag = biased == exponents ? gt_super_flag (digits != 0, negative) : 0;
    digits = flag ? 0 : digits | (biased ? hidden : 0);
    exponent = biased - (biased != 0) + lowest;
  }
  __device__ __forceinline__ void be_integer (int64_t x)
  {
    negative = x < 0;
    digits = negative ? UINT64_C (0) - static_cast<uint64_t> (x) : static_cast<uint64_t> (x);
    exponent = 0;
    flag = 0;
  }
  __device__ __forceinline__ void load (const void *data, uint64_t at, uint32_t arithmetic)
  {
    switch (arithmetic)
      {
      case GT_F64:
        be_bits (__ldcg (static_cast<const unsigned long long *> (data) + at), 53, 0x7ff, -1074);
        break;
      case GT_F32:
        be_bits (__ldcg (static_cast<const unsigned *> (data) + at), 24, 0xff, -149);
        break;
      case GT_I64:
        be_integer (static_cast<const int64_t *> (data)[at]);
        break;
      default:
        be_integer (static_cast<const int32_t *> (data)[at]);
      }
  }
};

/* Whether X is above C.  */
__device__ __forceinline__ uint32_t is_above (const struct factor &x, const struct gt_centre &c)
{
  const int end = x.end (), c_end = c.digits ? c.exponent + 64 - leading_zeros (c.digits) : nowhere;
  const uint64_t own = x.digits ? x.digits << leading_zeros (x.digits) : 0;
  const uint64_t others = c.digits ? c.digits << leading_zeros (c.digits) : 0;
  const uint32_t larger = end != c_end ? end > c_end : own > others;
  const uint32_t equal = end == c_end && own == others;
  const uint32_t of_c = static_cast<uint32_t> (c.negative);

  if (x.negative != of_c)
    return x.digits | c.digits ? of_c : 0;
  return x.negative ? (larger | equal) ^ 1 : larger;
}

/* A number that stands for X where only its sign counts.  */
__device__ __forceinline__ double sign_of (const struct factor &x)
{
  const double infinite = __hiloint2double (0x7ff00000, 0);

  return x.flag == GT_SUPER_NAN             ? infinite - infinite
         : x.flag == GT_SUPER_PLUS_INFINITY ? infinite
         : x.flag                           ? -infinite
         : x.digits == 0                    ? 0.0 : x.negative ? -1.0 : 1.0;
}

/* The sign of X - GIVEN, as a number; or what that is if it is none.  */
__device__ __forceinline__ double sign_of_rest (const struct factor &x, double given)
{
  struct factor m;
  struct gt_centre c;

  m.be_bits (static_cast<uint64_t> (__double_as_longlong (given)), 53, 0x7ff, -1074);
  if (x.flag || m.flag)
    return sign_of (x) - sign_of (m);
  c.digits = m.digits;
  c.exponent = m.exponent;
  c.negative = static_cast<int> (m.negative);
  if (is_above (x, c))
    return 1;
  c.digits = x.digits;
  c.exponent = x.exponent;
  c.negative = static_cast<int> (x.negative);
  return is_above (m, c) ? -1 : 0;
}

/* Whether a term with X, and the weight W, is infinite or NaN, one of these being no number, or
   what is given.  */
static __device__ GT_COLD uint32_t flag_of_term (const struct gt_powers_args &p, struct factor w, struct factor x)
{
  const struct gt_formula &f = p.formula;
  double term = sign_of_rest (x, p.about[0]);

  if (f.form == GT_FORM_POWERS && f.given == 2)
    term = term / p.about[1];
  term *= f.power == 3 ? term * term : term;
  if (f.weighted)
    term *= sign_of (w);
  return term - term == 0 ? 0 : gt_super_flag (term != term, term < 0);
}

/* ----------------------------------------------------------------- Windows */

/* P, of N words, times X: one word more.  */
template <int N>
__device__ __forceinline__ void multiply_by (uint64_t *p, uint64_t x)
{
  uint64_t carry = 0;

#pragma unroll
  for (int i = 0; i < N; i++)
    {
      const bits128 digits = static_cast<bits128> (p[i]) * x + carry;

      p[i] = static_cast<uint64_t> (digits);
      carry = static_cast<uint64_t> (digits >> 64);
    }
  p[N] = carry;
}

/* A sum of whole numbers of N words, in two's complement.  */
template <int N>
struct words_sum
{
  uint64_t word[N + 1];

  __device__ __forceinline__ void clear ()
  {
#pragma unroll
    for (int i = 0; i <= N; i++)
      word[i] = 0;
  }
  __device__ __forceinline__ void add (const uint64_t *p, uint32_t negative)
  {
    const uint64_t mask = UINT64_C (0) - negative;
    bits128 sum = negative;

#pragma unroll
    for (int i = 0; i <= N; i++)
      {
        sum += static_cast<bits128> (word[i]) + ((i < N ? p[i] : 0) ^ mask);
        word[i] = static_cast<uint64_t> (sum);
        sum >>= 64;
      }
  }
  /* The sum of a warp's, in its first lane.  */
  __device__ __forceinline__ void gather ()
  {
#pragma unroll 1
    for (unsigned by = warp / 2; by > 0; by /= 2)
      {
        const struct words_sum other = shift (*this, by);
        bits128 sum = 0;

#pragma unroll
        for (int i = 0; i <= N; i++)
          {
            sum += static_cast<bits128> (word[i]) + other.word[i];
            word[i] = static_cast<uint64_t> (sum);
            sum >>= 64;
          }
      }
  }
  /* Adds its digits to WORDS, from bit POSITION of theirs on.  */
  __device__ __forceinline__ void put (int64_t *words, int position) const
  {
    const bool negative = word[N] >> 63;
    const int by = position & 31;
    bits128 carry = negative;
    uint64_t below = 0;

    unsigned long long *const own = reinterpret_cast<unsigned long long *> (words) + (position >> 5);

#pragma unroll
    for (int i = 0; i <= N; i++)
      {
        carry += negative ? ~word[i] : word[i];

        const bits128 shifted = static_cast<bits128> (static_cast<uint64_t> (carry)) << by | below;

        put_digit (own + 2 * i, static_cast<uint32_t> (shifted), negative);
        put_digit (own + 2 * i + 1, static_cast<uint32_t> (static_cast<uint64_t> (shifted) >> 32), negative);
        below = static_cast<uint64_t> (shifted >> 64);
        carry >>= 64;
      }
    put_digit (own + 2 * N + 2, static_cast<uint32_t> (below), negative);
  }
  static __device__ __forceinline__ void put_digit (unsigned long long *to, uint32_t digit, bool negative)
  {
    if (digit)
      atomicAdd (to, negative ? 0ull - digit : static_cast<unsigned long long> (digit));
  }
};

/* Sums of powers of x, up to the fourth.  */
struct plain_window
{
  static constexpr int inputs = 1;
  words_sum<1> one;
  words_sum<2> two;
  words_sum<3> three;
  words_sum<4> four;

  __device__ __forceinline__ void add (const uint64_t *digits, const uint32_t *negative, uint32_t, int power)
  {
    uint64_t p[5] = {digits[0]};

    one.add (p, negative[0]);
    if (power < 2)
      return;
    multiply_by<1> (p, digits[0]);
    two.add (p, 0);
    if (power < 3)
      return;
    multiply_by<2> (p, digits[0]);
    three.add (p, negative[0]);
    multiply_by<3> (p, digits[0]);
    four.add (p, 0);
  }
  template <class F> __device__ __forceinline__ void each (const int *at, const F &f)
  {
    f (one, GT_MOMENT_1, at[0]);
    f (two, GT_MOMENT_2, 2 * at[0]);
    f (three, GT_MOMENT_3, 3 * at[0]);
    f (four, GT_MOMENT_4, 4 * at[0]);
  }
};

/* Of weights, which come first, their squares, and powers of the elements times weights.  */
struct weighted_window
{
  static constexpr int inputs = 2;
  words_sum<1> weights;
  words_sum<2> squares, one;
  words_sum<3> two;
  words_sum<4> three;
  words_sum<5> four;

  __device__ __forceinline__ void add (const uint64_t *digits, const uint32_t *negative, uint32_t, int power)
  {
    uint64_t p[6] = {digits[0]};

    weights.add (p, 0);
    multiply_by<1> (p, digits[0]);
    squares.add (p, 0);
    p[0] = digits[0];
    multiply_by<1> (p, digits[1]);
    one.add (p, negative[1]);
    if (power < 2)
      return;
    multiply_by<2> (p, digits[1]);
    two.add (p, 0);
    if (power < 3)
      return;
    multiply_by<3> (p, digits[1]);
    three.add (p, negative[1]);
    multiply_by<4> (p, digits[1]);
    four.add (p, 0);
  }
  template <class F> __device__ __forceinline__ void each (const int *at, const F &f)
  {
    f (weights, GT_MOMENT_W, at[0]);
    f (squares, GT_MOMENT_WW, 2 * at[0]);
    f (one, GT_MOMENT_1, at[0] + at[1]);
    f (two, GT_MOMENT_2, at[0] + 2 * at[1]);
    f (three, GT_MOMENT_3, at[0] + 3 * at[1]);
    f (four, GT_MOMENT_4, at[0] + 4 * at[1]);
  }
};

/* Of y and x, which come in this order, their squares and products.  */
struct pairs_window
{
  static constexpr int inputs = 2;
  words_sum<1> x, y;
  words_sum<2> xx, yy, xy;

  __device__ __forceinline__ void add (const uint64_t *digits, const uint32_t *negative, uint32_t, int)
  {
    uint64_t p[3] = {digits[1]};

    x.add (p, negative[1]);
    multiply_by<1> (p, digits[1]);
    xx.add (p, 0);
    p[0] = digits[0];
    y.add (p, negative[0]);
    multiply_by<1> (p, digits[0]);
    yy.add (p, 0);
    p[0] = digits[0];
    multiply_by<1> (p, digits[1]);
    xy.add (p, negative[0] ^ negative[1]);
  }
  template <class F> __device__ __forceinline__ void each (const int *at, const F &f)
  {
    f (x, GT_MOMENT_1, at[1]);
    f (xx, GT_MOMENT_2, 2 * at[1]);
    f (y, GT_MOMENT_Y, at[0]);
    f (yy, GT_MOMENT_YY, 2 * at[0]);
    f (xy, GT_MOMENT_PRODUCTS, at[0] + at[1]);
  }
};

/* Of weights and elements above the centre, less those of others.  */
struct sides_window
{
  static constexpr int inputs = 2;
  words_sum<1> sides;
  words_sum<2> distances;

  __device__ __forceinline__ void add (const uint64_t *digits, const uint32_t *negative, uint32_t above, int)
  {
    uint64_t p[3] = {digits[0]};

    sides.add (p, above ^ 1);
    multiply_by<1> (p, digits[1]);
    distances.add (p, negative[1] ^ above ^ 1);
  }
  template <class F> __device__ __forceinline__ void each (const int *at, const F &f)
  {
    f (sides, GT_MOMENT_SIDES, at[0]);
    f (distances, GT_MOMENT_DISTANCES, at[0] + at[1]);
  }
};

/* --------------------------------------------------------------- A block's */

__device__ __forceinline__ int most_of_warp (int x)
{
  for (unsigned by = warp / 2; by > 0; by /= 2)
    {
      const int other = __shfl_xor_sync (0xffffffffu, x, by);

      x = x > other ? x : other;
    }
  return x;
}

template <class Window>
struct powers_of_block
{
  const struct gt_kernel_args &args;
  const struct gt_power_sum *const sums; /* in shared memory */
  Window window;
  int at[2];                     /* exponents of the lowest bits */
  uint32_t flag[3];
  uint64_t count;

  __device__ __forceinline__ powers_of_block (const struct gt_kernel_args &arguments, const struct gt_power_sum *to)
    : args (arguments), sums (to), at {0, 0}, flag {0, 0, 0}, count (0)
  {
    clear (window);
  }
  static __device__ __forceinline__ void clear (Window &w)
  {
    const int none[2] = {0, 0};

    w.each (none, [] (auto &sum, int, int) { sum.clear (); });
  }
  template <class Sum> static __device__ __forceinline__ void put (const struct gt_power_sum &to, const Sum &sum, int exponent)
  {
    if (to.word)
      sum.put (to.word, exponent - to.lowest);
  }
  /* By the warp.  */
  __device__ __forceinline__ void empty ()
  {
    window.each (at, [this] (auto &sum, int moment, int exponent) {
      sum.gather ();
      if (threadIdx.x % warp == 0)
        put (sums[moment], sum, exponent);
      sum.clear ();
    });
  }
  /* Adds an element that is no whole number in the window's units.  It is told all by value,
     so that the window stays in registers.  */
  static __device__ GT_COLD void add_apart (const struct gt_power_sum *sums, int power, struct factor w, struct factor x, uint32_t above)
  {
    const uint64_t digits[2] = {w.digits, x.digits};
    const uint32_t negative[2] = {w.negative, x.negative};
    const int exponents[2] = {w.exponent, x.exponent};
    Window alone;

    clear (alone);
    alone.add (digits, negative, above, power);
    alone.each (exponents, [sums] (auto &sum, int moment, int exponent) { put (sums[moment], sum, exponent); });
  }
  __device__ __forceinline__ bool fits (const struct factor &x, int k, uint64_t *digits) const
  {
    const int by = x.exponent - at[k];

    *digits = by >= 0 ? x.digits << (by & 63) : x.digits >> (-by & 63);
    return x.digits == 0 || (by > -64 && by < 64 && (by >= 0 ? *digits >> by : *digits << -by) == x.digits);
  }
  /* Element I, and what goes with it: a weight, or its partner.  */
  __device__ __forceinline__ void load (struct factor *x, uint64_t i) const
  {
    const struct gt_powers_args &p = args.powers;
    const bool single = args.y == nullptr;

    x[0].be_integer (1);
    x[1].be_integer (0);
    if (i >= args.n)
      x[0].digits = 0;
    else if (Window::inputs == 1)
      x[0].load (args.data, i * args.stride, p.arithmetic);
    else
      {
        x[1].load (p.formula.weighted ? args.y : args.data, i * (p.formula.weighted ? args.y_stride : args.stride), p.arithmetic);
        if (p.formula.weighted)
          x[0].load (args.data, i * args.stride, p.arithmetic);
        else if (!single && i < p.partners)
          x[0].load (args.y, i * args.y_stride, p.arithmetic);
        else if (!single)
          x[0].digits = 0;
      }
  }
  /* Whether X counts; notes what is no number.  */
  __device__ __forceinline__ bool counts (const struct factor *x, uint64_t i)
  {
    const struct gt_powers_args &p = args.powers;
    const int last = Window::inputs - 1;

    if (i >= args.n || (p.formula.weighted && (x[0].negative || x[0].flag == GT_SUPER_NAN || (x[0].digits == 0 && x[0].flag == 0))))
      return false;
    count++;
    if ((x[last].flag | (last ? x[0].flag : 0)) == 0 && !p.unusual)
      return true;
    flag[0] |= x[last].flag;
    flag[1] |= last ? x[0].flag : 0;
    if (p.formula.given)
      flag[2] |= flag_of_term (p, x[0], x[last]);
    return (x[last].flag | (last ? x[0].flag : 0)) == 0;
  }
  /* Whether the window is to be placed anew for a warp's elements, of which this thread has X:
     MISFITS are those that are no whole numbers in its units.  Then END is where their largest
     ones end.  */
  __device__ __forceinline__ bool moves (const struct factor *x, unsigned misfits, int *end) const
  {
    bool beyond = false;

#pragma unroll
    for (int k = 0; k < Window::inputs; k++)
      {
        end[k] = most_of_warp (x[k].end ());
        beyond |= end[k] > at[k] + 64;
      }
    return beyond || __popc (misfits) > misfits_borne;
  }
  __device__ __forceinline__ bool fit (const struct factor *x, uint64_t *digits) const
  {
    return fits (x[0], 0, &digits[0]) && (Window::inputs == 1 || fits (x[1], 1, &digits[1]));
  }
  __device__ __forceinline__ void add (const struct factor *x, uint64_t *digits)
  {
    const uint32_t above = args.powers.centre ? is_above (x[1], *args.powers.centre) : 0;
    const uint32_t negative[2] = {x[0].negative, x[1].negative};

    if (fit (x, digits))
      window.add (digits, negative, above, static_cast<int> (args.powers.power));
    else
      add_apart (sums, static_cast<int> (args.powers.power), x[0], x[1], above);
  }
  __device__ __forceinline__ void add_all ()
  {
    const uint64_t lane = threadIdx.x % warp, threads = static_cast<uint64_t> (gridDim.x) * blockDim.x;

    for (uint64_t i = static_cast<uint64_t> (blockIdx.x) * blockDim.x + threadIdx.x;; i += threads)
      {
        const bool ends = i - lane >= args.n;
        struct factor x[2];
        uint64_t digits[2] = {0, 0};
        int end[2] = {nowhere, nowhere};

        load (x, i);

        const bool counted = counts (x, i);
        const unsigned misfits = __ballot_sync (0xffffffffu, counted && !fit (x, digits));

        if (ends || (misfits && moves (x, misfits, end)))
          {
            empty ();
            if (ends)
              break;
#pragma unroll
            for (int k = 0; k < Window::inputs; k++)
              at[k] = end[k] - 64 > GT_SUPER_LOWEST ? end[k] - 64 : GT_SUPER_LOWEST;
          }
        if (counted)
          add (x, digits);
      }
  }
};

/* The first and the last element, which are no sums.  */
__device__ __forceinline__ void put_end (const struct gt_kernel_args &args, const struct gt_power_sum &to, uint64_t i)
{
  struct factor x;
  words_sum<1> one;

  if (to.word == nullptr)
    return;
  x.load (args.data, i * args.stride, args.powers.arithmetic);
  one.clear ();
  one.add (&x.digits, x.negative);
  one.put (to.word, x.exponent - to.lowest);
}

template <class Window>
__device__ __forceinline__ void sum_powers (const struct gt_kernel_args &args)
{
  __shared__ int64_t own[GT_POWERS_WORDS];
  __shared__ struct gt_power_sum sums[GT_N_MOMENTS];
  __shared__ unsigned n_words;
  const struct gt_powers_args &p = args.powers;
  const unsigned me = threadIdx.x;
  struct powers_of_block<Window> block (args, sums);

  if (me == 0)
    n_words = static_cast<unsigned> (gt_power_sums_in (sums, own, p.moments, p.formula.weighted, 0));
  __syncthreads ();
  for (unsigned k = me; k < n_words; k += blockDim.x)
    own[k] = 0;
  __syncthreads ();
  block.add_all ();
  if (blockIdx.x == 0 && me == 0)
    {
      put_end (args, sums[GT_MOMENT_FIRST], 0);
      put_end (args, sums[GT_MOMENT_LAST], args.n - 1);
    }
#pragma unroll
  for (int k = 0; k < 3; k++)
    if (block.flag[k])
      atomicOr (&p.control->flags[k], block.flag[k]);
  if (p.formula.weighted && block.count)
    atomicAdd (&p.control->count, static_cast<unsigned long long> (block.count));
  __syncthreads ();
  /* The sums of all blocks have room for the carries of few addends.  */
  if (me < GT_N_MOMENTS && sums[me].word)
    gt_super_carry (sums[me].word, sums[me].n);
  __syncthreads ();
  for (unsigned k = me; k < n_words; k += blockDim.x)
    if (own[k])
      atomicAdd (reinterpret_cast<unsigned long long *> (p.words) + k, static_cast<unsigned long long> (own[k]));
}

/* ---------------------------------------------------------------- One thread's */

/* In which SUMS are those of the grid.  */
__device__ __forceinline__ struct gt_rational rational_of (const struct gt_kernel_args &args, struct gt_power_sum *sums)
{
  const struct gt_powers_args &p = args.powers;
  struct gt_rational r;

  gt_power_sums_in (sums, p.words, p.moments, p.formula.weighted, 0);
  r.formula = p.formula;
  r.about[0] = p.about[0];
  r.about[1] = p.about[1];
  r.sum_of = sums;
  r.n = args.n;
  r.x.low = r.y.low = GT_SUPER_LOWEST;
  r.w.low = p.formula.weighted ? GT_SUPER_LOWEST : 0;
  r.words = GT_POWERS_ROOM;
  r.rooms = p.rooms;
  return r;
}

/* Finds the centre of distances, rounded down.  */
__device__ __forceinline__ void find_centre (const struct gt_kernel_args &args)
{
  const struct gt_powers_args &p = args.powers;
  struct gt_power_sum sums[GT_N_MOMENTS];
  struct gt_rational r = rational_of (args, sums);
  struct gt_whole over, under;

  if (p.formula.given)
    {
      over = gt_whole_from_double (room (&r, SUM), p.about[0], r.x.low);
      under = gt_whole_from_count (room (&r, WEIGHTS), 1);
    }
  else
    {
      over = gt_power_sum_whole (room (&r, SUM), &sums[GT_MOMENT_1], r.x.low + r.w.low);
      under = p.formula.weighted ? gt_power_sum_whole (room (&r, WEIGHTS), &sums[GT_MOMENT_W], r.w.low)
                                 : gt_whole_from_count (room (&r, WEIGHTS), r.n);
    }

  const struct gt_ratio ratio = {&over, &under, r.x.low, 0, over.negative};

  *p.centre = gt_ratio_floor (&ratio);
}

/* Of elements or weights that are no numbers, or with such a mean or deviation.  */
__device__ __forceinline__ double special_statistic (const struct gt_kernel_args &args)
{
  const struct gt_powers_args &p = args.powers;
  const struct gt_formula &f = p.formula;
  const double infinite = __hiloint2double (0x7ff00000, 0);
  const uint32_t *flags = p.control->flags;
  uint32_t flag = f.given ? flags[2] : f.what == GT_TERM_MEAN ? flags[0] : static_cast<uint32_t> (GT_SUPER_NAN);

  if (f.form == GT_FORM_JOINT || (f.weighted && flags[1] && !(f.what == GT_TERM_TSS && f.given))
      || (f.weighted && f.what == GT_TERM_VARIANCE && p.control->count == 1))
    flag = GT_SUPER_NAN;
  if (f.form == GT_FORM_NEIGHBOURS && flag == GT_SUPER_PLUS_INFINITY)
    return args.n == 1 ? 0 : infinite - infinite;
  return flag == 0                        ? -f.less
         : gt_super_is_nan (flag)         ? infinite - infinite
         : flag == GT_SUPER_PLUS_INFINITY ? infinite : -infinite;
}

__device__ __forceinline__ void finish_powers (const struct gt_kernel_args &args)
{
  const struct gt_powers_args &p = args.powers;
  struct gt_power_sum sums[GT_N_MOMENTS];
  struct gt_rational r = rational_of (args, sums);

  if (args.n == 0 || (p.formula.weighted && p.control->count == 0))
    *p.to = p.formula.none;
  else if (p.unusual || p.control->flags[0] | p.control->flags[1])
    *p.to = special_statistic (args);
  else
    *p.to = gt_rational_value (&r);
}

} /* namespace gt */

#endif
