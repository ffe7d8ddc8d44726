/* Exact sums of products of powers of elements and of weights or partners, and statistics that are
   made of them on the device.

   If the elements of a warp are of similar size, they are integers of 64 bits in a common
   unit, the warp's window.  Their products are added in registers, exactly; one thread adds
   the warp's sums to the block's, in shared memory.  The products of an element that does not
   fit the window are added to the block's sums directly.  The blocks' sums are added to the
   grid's, and one thread computes the statistic from these (kernels/rational.h).  Every result
   is rounded once, and the host waits for no intermediate result.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_POWERS_CUH
#define GT_KERNELS_CUDA_POWERS_CUH

#include "kernels/cuda/finish.cuh"
#include "kernels/rational.inc"
#include "kernels/types.h"

namespace gt
{

constexpr int misfits_borne = 8; /* of 32 numbers, before the window is moved */
constexpr int nowhere = -(1 << 20);

/* ---------------------------------------------------------------- Elements */

/* An integer as a number of struct gt_factor.  */
__device__ __forceinline__ struct gt_factor factor_of (int64_t x)
{
  const uint64_t bits = static_cast<uint64_t> (x);

  return {x < 0 ? UINT64_C (0) - bits : bits, -GT_SUPER_LOWEST, x < 0, 1};
}

/* Element I, by its bits: a subnormal number may count as 0 in arithmetic.  */
__device__ __forceinline__ struct gt_factor factor_at (const void *data, uint64_t i, uint32_t arithmetic)
{
  switch (arithmetic)
    {
    case GT_F64:
      return gt_factor_f64 (__ldcg (static_cast<const double *> (data) + i));
    case GT_F32:
      return gt_factor_f32 (__ldcg (static_cast<const float *> (data) + i));
    case GT_I64:
      return factor_of (static_cast<const int64_t *> (data)[i]);
    default:
      return factor_of (static_cast<int64_t> (static_cast<const int32_t *> (data)[i]));
    }
}

__device__ __forceinline__ uint32_t flag_of (const struct gt_factor &x)
{
  return x.finite ? 0 : gt_super_flag (x.significand != 0, x.negative);
}

/* The place of the highest bit, in those of a superaccumulator.  */
__device__ __forceinline__ int end_of (const struct gt_factor &x)
{
  return x.significand ? x.position + 64 - leading_zeros (x.significand) : nowhere;
}

/* ----------------------------------------------------------------- Windows */

/* Multiplies P, of N words, by X; the product has N + 1 words.  */
__device__ __forceinline__ void multiply_by (uint64_t *p, int n, uint64_t x)
{
  uint64_t carry = 0;

#pragma unroll
  for (int i = 0; i < n; i++)
    {
      const bits128 digits = static_cast<bits128> (p[i]) * x + carry;

      p[i] = static_cast<uint64_t> (digits);
      carry = static_cast<uint64_t> (digits >> 64);
    }
  p[n] = carry;
}

__device__ __forceinline__ void put_digit (unsigned long long *to, uint32_t digit, bool negative)
{
  if (digit)
    atomicAdd (to, negative ? 0ull - digit : static_cast<unsigned long long> (digit));
}

/* Sum WHICH, of x^X y^Y, as a whole number in two's complement.  */
template <enum gt_moment Which, int X, int Y>
struct power_sum
{
  static constexpr int n = X + Y, of_x = X, of_y = Y;
  static constexpr enum gt_moment which = Which;
  uint64_t word[n + 1];

  __device__ __forceinline__ void clear ()
  {
#pragma unroll
    for (int i = 0; i <= n; i++)
      word[i] = 0;
  }
  /* Adds a number of N words and more; it is NEGATIVE if that is 1.  */
  __device__ __forceinline__ void add (const uint64_t *p, uint32_t negative)
  {
    const uint64_t mask = UINT64_C (0) - negative;
    bits128 sum = negative;

#pragma unroll
    for (int i = 0; i <= n; i++)
      {
        sum += static_cast<bits128> (word[i]) + (p[i] ^ mask);
        word[i] = static_cast<uint64_t> (sum);
        sum >>= 64;
      }
  }
  __device__ __forceinline__ void add_product (const uint64_t (&digits)[2], const uint32_t (&negative)[2])
  {
    uint64_t p[n + 1] = {digits[X ? 0 : 1]};

#pragma unroll
    for (int k = 1; k < n; k++)
      multiply_by (p, k, digits[k < X ? 0 : 1]);
    add (p, (negative[0] & X) ^ (negative[1] & Y));
  }
  /* Adds the sums of a warp, for its first lane.  */
  __device__ __forceinline__ void gather ()
  {
#pragma unroll 1
    for (unsigned by = warp / 2; by > 0; by /= 2)
      add (shift (*this, by).word, 0);
  }
  /* Adds its digits to WORDS, from bit POSITION of theirs on.  */
  __device__ __forceinline__ void put (int64_t *words, int position) const
  {
    const bool negative = word[n] >> 63;
    const int by = position & 31;
    unsigned long long *const own = reinterpret_cast<unsigned long long *> (words) + (position >> 5);
    bits128 carry = negative;
    uint64_t below = 0;

#pragma unroll
    for (int i = 0; i <= n; i++)
      {
        carry += negative ? ~word[i] : word[i];

        const bits128 shifted = static_cast<bits128> (static_cast<uint64_t> (carry)) << by | below;

        put_digit (own + 2 * i, static_cast<uint32_t> (shifted), negative);
        put_digit (own + 2 * i + 1, static_cast<uint32_t> (static_cast<uint64_t> (shifted) >> 32), negative);
        below = static_cast<uint64_t> (shifted >> 64);
        carry >>= 64;
      }
    put_digit (own + 2 * n + 2, static_cast<uint32_t> (below), negative);
  }
  /* Adds it to sum TO, if that is requested; POSITION has the positions of x and y.  */
  __device__ __forceinline__ void put (const struct gt_power_sum &to, const int (&position)[2]) const
  {
    if (to.word)
      put (to.word, X * (position[0] + GT_SUPER_LOWEST) + Y * (position[1] + GT_SUPER_LOWEST) - to.lowest);
  }
};

/* Sums of x and y, which are weights or partners if there are two INPUTS.  */
template <int Inputs, class... Sums>
struct window : Sums...
{
  static constexpr int inputs = Inputs;

  template <class F> __device__ __forceinline__ void each (const F &f) { (f (static_cast<Sums &> (*this)), ...); }
  __device__ __forceinline__ void clear ()
  {
    each ([] (auto &sum) { sum.clear (); });
  }
  __device__ __forceinline__ void add (const uint64_t (&digits)[2], const uint32_t (&negative)[2], uint32_t moments)
  {
    each ([&] (auto &sum) {
      if (moments >> sum.which & 1)
        sum.add_product (digits, negative);
    });
  }
};

typedef window<1, power_sum<GT_MOMENT_1, 1, 0>, power_sum<GT_MOMENT_2, 2, 0>, power_sum<GT_MOMENT_3, 3, 0>, power_sum<GT_MOMENT_4, 4, 0>>
  plain_window;
typedef window<2, power_sum<GT_MOMENT_W, 0, 1>, power_sum<GT_MOMENT_WW, 0, 2>, power_sum<GT_MOMENT_1, 1, 1>, power_sum<GT_MOMENT_2, 2, 1>,
               power_sum<GT_MOMENT_3, 3, 1>, power_sum<GT_MOMENT_4, 4, 1>>
  weighted_window;
typedef window<2, power_sum<GT_MOMENT_1, 1, 0>, power_sum<GT_MOMENT_2, 2, 0>, power_sum<GT_MOMENT_Y, 0, 1>, power_sum<GT_MOMENT_YY, 0, 2>,
               power_sum<GT_MOMENT_PRODUCTS, 1, 1>>
  pairs_window;

/* --------------------------------------------------------------- A block's */

template <class Window>
struct powers_of_block
{
  const struct gt_kernel_args &args;
  const struct gt_power_sum *const sums; /* in shared memory */
  Window window;
  int at[2];                             /* positions of the lowest bits */
  uint32_t flag[2];
  uint64_t count;

  __device__ __forceinline__ powers_of_block (const struct gt_kernel_args &arguments, const struct gt_power_sum *to)
    : args (arguments), sums (to), at {0, 0}, flag {0, 0}, count (0)
  {
    window.clear ();
  }
  /* Adds the warp's window to the block's sums and clears it; called by the whole warp.  */
  __device__ __forceinline__ void empty ()
  {
    window.each ([this] (auto &sum) {
      sum.gather ();
      if (threadIdx.x % warp == 0)
        sum.put (sums[sum.which], at);
      sum.clear ();
    });
  }
  /* Adds an element that is no whole number in the window's units.  Takes all by value,
     so that the window stays in registers.  */
  static __device__ GT_COLD void add_apart (const struct gt_power_sum *sums, uint32_t moments, struct gt_factor x, struct gt_factor y)
  {
    const int position[2] = {x.position, y.position};
    Window alone;

    alone.clear ();
    alone.add ({x.significand, y.significand}, {static_cast<uint32_t> (x.negative), static_cast<uint32_t> (y.negative)}, moments);
    alone.each ([sums, &position] (auto &sum) { sum.put (sums[sum.which], position); });
  }
  __device__ __forceinline__ bool fits (const struct gt_factor &x, int k, uint64_t *digits) const
  {
    const int by = x.position - at[k];

    *digits = by >= 0 ? x.significand << (by & 63) : x.significand >> (-by & 63);
    return x.significand == 0 || (by > -64 && by < 64 && (by >= 0 ? *digits >> by : *digits << -by) == x.significand);
  }
  /* Element I, and its weight or partner.  */
  __device__ __forceinline__ void load (struct gt_factor (&x)[2], uint64_t i) const
  {
    const struct gt_powers_args &p = args.powers;

    x[0] = x[1] = factor_of (INT64_C (0));
    if (i < args.n)
      x[0] = factor_at (args.data, i * args.stride, p.arithmetic);
    if (Window::inputs > 1 && i < p.partners)
      x[1] = factor_at (args.y, i * args.y_stride, p.arithmetic);
  }
  /* Returns whether X is to be added.  Records infinities and NaNs, and clears their
     digits.  */
  __device__ __forceinline__ bool counts (struct gt_factor (&x)[2], uint64_t i)
  {
    const uint32_t flags[2] = {flag_of (x[0]), flag_of (x[1])};

    if (i >= args.n
        || (args.powers.formula.weighted && (x[1].negative || flags[1] == GT_SUPER_NAN || (x[1].significand == 0 && flags[1] == 0))))
      return false;
    count++;
#pragma unroll
    for (int k = 0; k < 2; k++)
      {
        flag[k] |= flags[k];
        x[k].significand = x[k].finite ? x[k].significand : 0;
      }
    return (flags[0] | flags[1]) == 0;
  }
  /* Returns whether the window must move for a warp's elements; this thread has X, and MISFITS
     are the lanes whose elements do not fit.  Stores the ends of the largest elements in
     END.  */
  __device__ __forceinline__ bool moves (const struct gt_factor (&x)[2], unsigned misfits, int (&end)[2]) const
  {
    bool beyond = false;

#pragma unroll
    for (int k = 0; k < Window::inputs; k++)
      {
        end[k] = static_cast<int> (largest_of_warp (static_cast<uint32_t> (end_of (x[k]) - nowhere))) + nowhere;
        beyond |= end[k] > at[k] + 64;
      }
    return beyond || __popc (misfits) > misfits_borne;
  }
  __device__ __forceinline__ bool fit (const struct gt_factor (&x)[2], uint64_t (&digits)[2]) const
  {
    return fits (x[0], 0, &digits[0]) && (Window::inputs == 1 || fits (x[1], 1, &digits[1]));
  }
  __device__ __forceinline__ void add (const struct gt_factor (&x)[2], uint64_t (&digits)[2])
  {
    if (fit (x, digits))
      window.add (digits, {static_cast<uint32_t> (x[0].negative), static_cast<uint32_t> (x[1].negative)}, args.powers.moments);
    else
      add_apart (sums, args.powers.moments, x[0], x[1]);
  }
  __device__ __forceinline__ void add_all ()
  {
    const uint64_t lane = threadIdx.x % warp, threads = static_cast<uint64_t> (gridDim.x) * blockDim.x;

    for (uint64_t i = static_cast<uint64_t> (blockIdx.x) * blockDim.x + threadIdx.x;; i += threads)
      {
        const bool ends = i - lane >= args.n;
        struct gt_factor x[2];
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
              at[k] = end[k] > 64 ? end[k] - 64 : 0;
          }
        if (counted)
          add (x, digits);
      }
  }
};

/* The first and the last element, which are no sums.  */
__device__ __forceinline__ void put_end (const struct gt_kernel_args &args, const struct gt_power_sum &to, uint64_t i)
{
  const struct gt_factor x = factor_at (args.data, i * args.stride, args.powers.arithmetic);
  power_sum<GT_MOMENT_1, 1, 0> one;

  one.clear ();
  one.add_product ({x.finite ? x.significand : 0, 0}, {static_cast<uint32_t> (x.negative), 0});
  one.put (to, {x.position, 0});
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
  for (int k = 0; k < 2; k++)
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

/* Returns the formula's arguments, with the grid's sums, which are stored in SUMS.  */
__device__ __forceinline__ struct gt_rational rational_of (const struct gt_kernel_args &args, struct gt_power_sum *sums)
{
  const struct gt_powers_args &p = args.powers;
  struct gt_rational r;

  gt_power_sums_in (sums, p.words, p.moments, p.formula.weighted, 0);
  r.formula = p.formula;
  r.sum_of = sums;
  r.n = args.n;
  r.x.low = r.y.low = GT_SUPER_LOWEST;
  r.w.low = p.formula.weighted ? GT_SUPER_LOWEST : 0;
  r.words = GT_POWERS_ROOM;
  r.rooms = p.rooms;
  return r;
}

/* Returns the statistic of data with infinities or NaNs.  */
__device__ __forceinline__ double special_statistic (const struct gt_kernel_args &args)
{
  const double infinite = __hiloint2double (0x7ff00000, 0);
  const uint32_t *flags = args.powers.control->flags;

  if (args.powers.formula.form != GT_FORM_MEAN || flags[1] || gt_super_is_nan (flags[0]))
    return infinite - infinite;
  return flags[0] == GT_SUPER_PLUS_INFINITY ? infinite : -infinite;
}

__device__ __forceinline__ void finish_powers (const struct gt_kernel_args &args)
{
  const struct gt_powers_args &p = args.powers;
  struct gt_power_sum sums[GT_N_MOMENTS];
  struct gt_rational r = rational_of (args, sums);

  if (args.n == 0 || (p.formula.weighted && p.control->count == 0))
    *p.to = p.formula.none;
  else if (p.control->flags[0] | p.control->flags[1])
    *p.to = special_statistic (args);
  else
    *p.to = gt_rational_value (&r);
}

} /* namespace gt */

#endif
