/* Shared by the exact CUDA kernels: the addends of each sum; an accumulator
   (superaccumulator.h, products.h) of each in shared memory for each block, one after
   the other as kernels/args.h has them, one in global memory for the grid, and the
   delivery of that to the host, which rounds; and how data is read.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_EXACT_CUH
#define GT_KERNELS_CUDA_EXACT_CUH

#include "kernels/cuda/accumulate.cuh"
#include "kernels/cuda/finish.cuh"
#include "kernels/superaccumulator.h"

namespace gt
{

/* A block's accumulator.  Threads add to it at once: signed words by unsigned
   atomics, which wrap as two's complement does.  The last word is the flags.
   OFFSET: the word that weighs as much as word 0 of a superaccumulator, in whose
   bits positions are given.  */
template <int Words, int Offset>
struct block_accumulator
{
  static constexpr int words = Words, offset = Offset;
  unsigned long long word[Words + 1];
  unsigned used; /* whether anything was added */
};

struct exact_block : block_accumulator<GT_SUPER_WORDS, 0>
{
};
/* Of a sum of products of doubles.  */
struct product_block : block_accumulator<GT_PRODUCT_WORDS, GT_PRODUCT_OFFSET>
{
};

/* Every thread of the block calls it, and none may add before the next block
   barrier.  */
template <class Block>
__device__ __forceinline__ void clear_exact (Block &acc)
{
  for (unsigned i = threadIdx.x; i < Block::words + 1; i += blockDim.x)
    acc.word[i] = 0;
  if (threadIdx.x == 0)
    acc.used = 0;
}

template <class Block>
__device__ __forceinline__ void add_flag (Block &acc, uint32_t flag)
{
  atomicOr (acc.word + Block::words, static_cast<unsigned long long> (flag));
  acc.used = 1;
}

/* Digits that are zero are worth asking for: half of all numbers reach into two
   words only.  */
template <class Block>
__device__ __forceinline__ void add_digits (Block &acc, const struct gt_super_digits &digits)
{
#pragma unroll
  for (int k = 0; k < 3; k++)
    if (digits.digit[k] != 0)
      atomicAdd (acc.word + Block::offset + digits.first + k, static_cast<unsigned long long> (digits.digit[k]));
  acc.used = 1;
}

__device__ __forceinline__ struct gt_factor factor_of (double x) { return gt_factor_f64 (x); }
__device__ __forceinline__ struct gt_factor factor_of (float x) { return gt_factor_f32 (x); }

/* A double that is not infinite nor NaN: SIGNIFICAND * 2^(POSITION - 1074), negative
   if SIGN is all ones.  Of the others anything: then the flags alone count.  */
struct taken_apart
{
  uint64_t significand;
  uint32_t position, sign;

  __device__ __forceinline__ explicit taken_apart (double x)
  {
    const uint32_t high = __double2hiint (x), low = __double2loint (x);
    const uint32_t exponent = high >> 20 & 0x7ff, normal = exponent != 0;

    significand = static_cast<uint64_t> ((high & 0xfffff) | normal << 20) << 32 | low;
    position = exponent - normal;
    sign = static_cast<uint32_t> (static_cast<int32_t> (high) >> 31);
  }
};

template <class Block, class T>
__device__ __forceinline__ void add_exactly (Block &acc, T x)
{
  struct gt_super_digits digits;
  const uint32_t flag = gt_super_cut_factor (factor_of (x), &digits);

  if (flag)
    add_flag (acc, flag);
  else
    add_digits (acc, digits);
}

/* Adds M * 2^(GT_SUPER_LOWEST + POSITION).  */
template <class Block>
__device__ __forceinline__ void add_scaled (Block &acc, int64_t m, int position)
{
  if (m != 0)
    add_digits (acc, gt_super_cut (m < 0 ? -static_cast<uint64_t> (m) : static_cast<uint64_t> (m), m < 0, position));
}

/* A sum of 64-bit integers, 2^32 high + low: in halves, so that those of many
   threads, and of all blocks of a grid, add up in 64 bits.  */
struct halves
{
  uint64_t low;
  int64_t high;

  __device__ __forceinline__ void add (int64_t x)
  {
    low += static_cast<uint32_t> (x);
    high += x >> 32;
  }
};

template <class Block>
static __device__ GT_COLD void add_halves (Block *acc, struct halves h, int position)
{
  add_scaled (*acc, static_cast<int64_t> (h.low), position);
  add_scaled (*acc, h.high, position + 32);
}

/* The sum of the warp's X, for lane 0: of 27 bits of each at a time 32 add up in 32 bits, which
   one instruction does where there is one.  */
__device__ __forceinline__ uint64_t sum_of_warp (uint64_t x)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  constexpr uint32_t mask = (1u << 27) - 1;
  const uint64_t low = __reduce_add_sync (0xffffffffu, static_cast<uint32_t> (x) & mask);
  const uint64_t middle = __reduce_add_sync (0xffffffffu, static_cast<uint32_t> (x >> 27) & mask);
  const uint64_t high = __reduce_add_sync (0xffffffffu, static_cast<uint32_t> (x >> 54));

  return low + (middle << 27) + (high << 54);
#else
#pragma unroll 1
  for (unsigned by = warp / 2; by > 0; by /= 2)
    x += shift (x, by);
  return x;
#endif
}

__device__ __forceinline__ void reduce (struct halves &h)
{
  h.low = sum_of_warp (h.low);
  h.high = static_cast<int64_t> (sum_of_warp (static_cast<uint64_t> (h.high)));
}

/* Returns word I of ACC after all words have passed the bits above their lowest 32 on to the
   next word, at the same time.  It is below 2^33 in magnitude if no word was above 2^62.  */
template <class Block>
__device__ __forceinline__ uint64_t passed_on (const Block &acc, unsigned i)
{
  const int64_t word = static_cast<int64_t> (acc.word[i]);
  const int64_t below = i == 0 ? 0 : static_cast<int64_t> (acc.word[i - 1]);

  return static_cast<uint64_t> ((i < Block::words - 1 ? static_cast<uint32_t> (word) : word) + (below >> 32));
}

/* Adds the block's accumulator to the grid's, from word AT on, in words so small that the
   grid's cannot overflow.  The caller executes a block barrier before.  */
template <class Block>
__device__ __forceinline__ void add_to_grid (const Block &acc, const struct gt_kernel_args &args, unsigned at = 0)
{
  unsigned long long *super = reinterpret_cast<unsigned long long *> (args.super) + at;

  for (unsigned i = threadIdx.x; i < Block::words; i += blockDim.x)
    {
      const uint64_t word = passed_on (acc, i);

      if (word != 0)
        atomicAdd (super + i, static_cast<unsigned long long> (word));
    }
  if (threadIdx.x == 0 && acc.word[Block::words] != 0)
    atomicOr (super + Block::words, acc.word[Block::words]);
}

/* Counts the block as done.  Returns true, to all threads, in the last block.  All writes of
   the other blocks are then visible: the barrier orders them before the ticket of one thread,
   and the ticket makes them visible to the last block.  */
__device__ __forceinline__ bool last_of_grid (const struct gt_kernel_args &args)
{
  __shared__ bool last_block;

  __syncthreads ();
  if (threadIdx.x == 0)
    last_block = take_ticket (args.ticket, gridDim.x - 1);
  __syncthreads ();
  return last_block;
}

/* Adds the grid's accumulator to the block's, in the last block, and sets it to zero.  The
   zeros must be visible before the result is, because the host may then launch a sum on
   another stream with the same accumulator.  */
template <class Block>
__device__ __forceinline__ void take_from_grid (Block &acc, const struct gt_kernel_args &args, unsigned at = 0)
{
  unsigned long long *super = reinterpret_cast<unsigned long long *> (args.super) + at;

  for (unsigned i = threadIdx.x; i < Block::words + 1; i += blockDim.x)
    {
      const unsigned long long word = __ldcg (super + i);

      if (word == 0)
        continue;
      super[i] = 0;
      __threadfence ();
      if (i == Block::words)
        atomicOr (acc.word + i, word);
      else
        atomicAdd (acc.word + i, word);
    }
}

/* Negates ACC; called by all threads, between barriers.  */
template <class Block>
__device__ __forceinline__ void negate (Block &acc)
{
  unsigned long long *const flags = acc.word + Block::words;

  for (unsigned i = threadIdx.x; i < Block::words; i += blockDim.x)
    acc.word[i] = -acc.word[i];
  if (threadIdx.x == 0 && (*flags == GT_SUPER_PLUS_INFINITY || *flags == GT_SUPER_MINUS_INFINITY))
    *flags ^= GT_SUPER_PLUS_INFINITY | GT_SUPER_MINUS_INFINITY;
}

/* Hands the block's accumulator to the host (struct gt_exact_result).  The caller
   executes a barrier before.  */
template <class Block>
__device__ __forceinline__ void deliver_words (const Block &acc, const struct gt_kernel_args &args, unsigned at = 0)
{
  const uint64_t tag = static_cast<uint64_t> (args.sequence) << 32;
  ulonglong2 *to = reinterpret_cast<ulonglong2 *> (args.exact) + at;

  for (unsigned i = threadIdx.x; i < Block::words + 1; i += blockDim.x)
    to[i] = make_ulonglong2 (tag | static_cast<uint32_t> (acc.word[i]), tag | acc.word[i] >> 32);
}

/* --------------------------------------------------------------------- Sums */

/* The sums of a reduction: INPUTS vectors, PLAIN sums of elements, of x as LIFT has it,
   then of y, and PRODUCTS (0 or 1) sum of exact products of x and y, or of x and x.  */
template <int Inputs, int Plain, int Products, class Lift = struct plain>
struct sums_of
{
  typedef Lift lift;
  static constexpr int inputs = Inputs, plain = Plain, products = Products;
  static constexpr int count = Plain + Products;
};
typedef sums_of<1, 1, 0> sum;
typedef sums_of<1, 1, 0, magnitude> asum;
typedef sums_of<2, 0, 1> dot;
typedef sums_of<1, 0, 1> sumsq;
typedef sums_of<1, 1, 1> moments;
typedef sums_of<2, 2, 1> comoments;

/* ------------------------------------------------------------- Accumulators */

template <class Sums>
struct exact_blocks;
template <class Sums>
static __device__ GT_COLD void keep_exact (struct exact_blocks<Sums> *sums, struct gt_finish finish, uint64_t n);

/* Returns whether the preceding kernel has decided the result, so that nothing is to be
   done.  */
__device__ __forceinline__ bool is_decided (const struct gt_finish &finish)
{
  return finish.to[0] && finish.pass == GT_PASS_SECOND && __ldcg (finish.undecided) == 0;
}

/* A block's, all of them.  */
template <class Sums>
struct exact_blocks
{
  struct exact_block plain[Sums::plain];
  struct product_block product[Sums::products];

  /* Does F with each, its number and the place of its words among the grid's.  */
  template <class F>
  __device__ __forceinline__ void each (F f)
  {
#pragma unroll
    for (int k = 0; k < Sums::plain; k++)
      f (plain[k], k, k * GT_EXACT_WORDS);
    if constexpr (Sums::products)
      f (product[0], Sums::plain, Sums::plain * GT_EXACT_WORDS);
  }
  /* Returns the accumulator of sum K.  */
  template <int K>
  __device__ __forceinline__ auto &of ()
  {
    if constexpr (K < Sums::plain)
      return plain[K];
    else
      return product[0];
  }
  /* Clears all accumulators, as clear_exact does.  */
  __device__ __forceinline__ void clear ()
  {
    each ([] (auto &acc, int, unsigned) { clear_exact (acc); });
  }
  __device__ __forceinline__ void add_to_grid (const struct gt_kernel_args &args)
  {
    each ([&args] (auto &acc, int, unsigned at) { gt::add_to_grid (acc, args, at); });
  }
  __device__ __forceinline__ void take_from_grid (const struct gt_kernel_args &args)
  {
    each ([&args] (auto &acc, int, unsigned at) { gt::take_from_grid (acc, args, at); });
  }
  /* Adds the parts of the same sum that other kernels have stored.  Begins and ends with a
     barrier.  */
  __device__ __forceinline__ void join_parts (const struct gt_kernel_args &args)
  {
    take_from_grid (args);
    __syncthreads ();
    if (args.finish.part == GT_PART_NEGATED)
      each ([] (auto &acc, int, unsigned) { negate (acc); });
    __syncthreads ();
  }
  /* Begins with a barrier.  */
  __device__ __forceinline__ void deliver (const struct gt_kernel_args &args)
  {
    __syncthreads ();
    if (args.finish.to[0] && args.finish.part != GT_PART_ALL)
      join_parts (args);
    if (args.finish.to[0] && (args.finish.part == GT_PART_ADDED || args.finish.part == GT_PART_NEGATED))
      add_to_grid (args);
    else if (args.finish.to[0])
      keep_exact (this, args.finish, args.n);
    else
      each ([&args] (auto &acc, int, unsigned at) { deliver_words (acc, args, at); });
  }
  /* The end of a kernel that has gathered everything in these.  */
  __device__ __forceinline__ void finish (const struct gt_kernel_args &args)
  {
    __syncthreads ();
    if (gridDim.x > 1)
      {
        add_to_grid (args);
        if (!last_of_grid (args))
          return;
        clear ();
        __syncthreads ();
        take_from_grid (args);
      }
    deliver (args);
  }
};

/* ------------------------------------------- Results that stay on the device */

/* Stores an accumulator as NUMBER, with its words in ROOM; called by the first warp, after a
   barrier.  */
template <class Block, int Size>
__device__ __forceinline__ void take_number (struct gt_whole *number, uint64_t (&room)[Size], const Block &acc)
{
  static_assert (2 * Size > Block::words + 2 && Block::words % 2 == 0, "room for its words");
  const int lane = static_cast<int> (threadIdx.x);
  int lowest = Block::words, end = 0;

  for (int i = 0; i < Block::words; i += static_cast<int> (warp))
    {
      const unsigned set = __ballot_sync (0xffffffffu, i + lane < Block::words && acc.word[i + lane] != 0);

      if (set != 0)
        {
          lowest = lowest < Block::words ? lowest : (i + __ffs (static_cast<int> (set)) - 1) / 2 * 2;
          end = (i + 33 - __clz (static_cast<int> (set))) / 2 * 2;
        }
    }
  if (lane == 0)
    {
      *number = gt_whole_from_super (room, reinterpret_cast<const int64_t *> (acc.word) + lowest, end > lowest ? end - lowest : 0);
      number->low += lowest / 2;
    }
}

/* Stores sum K as a number.  */
__device__ __forceinline__ void take_sum (struct numbers &numbers, const struct exact_block &acc, int k)
{
  take_number (&numbers.plain[k], numbers.plain_room[k], acc);
}
__device__ __forceinline__ void take_sum (struct numbers &numbers, const struct product_block &acc, int)
{
  take_number (&numbers.product, numbers.product_room, acc);
}

/* Finishes SUMS of N elements, or notes that they are not decided.  All threads of the block
   call it, after a barrier; the first warp works.  */
template <class Sums>
static __device__ GT_COLD void keep_exact (struct exact_blocks<Sums> *sums, struct gt_finish finish, uint64_t n)
{
  __shared__ struct numbers numbers;
  uint32_t flags = 0;

  if (threadIdx.x >= warp)
    return;
  sums->each ([&flags] (auto &acc, int, unsigned) { flags |= static_cast<uint32_t> (acc.word[acc.words]); });
  if (flags & GT_EXACT_GAVE_UP)
    {
      if (threadIdx.x == 0)
        *finish.undecided = 1;
      return;
    }
  sums->each ([&] (auto &acc, int k, unsigned) { take_sum (numbers, acc, k); });
  if (threadIdx.x != 0)
    return;
  if (finish.pass == GT_PASS_SECOND)
    *finish.undecided = 0;
  numbers.how = finish;
  numbers.finish (n, flags, Sums::plain, Sums::products, true);
}

/* ------------------------------------------------------- Reading the data */

template <class E>
__device__ __forceinline__ void unpack (const E &from, E *e)
{
  *e = from;
}

/* The units of a thread, U at a time, a block's size apart.  The lanes of a warp stay
   together: units beyond the end are zero.  If AHEAD, the next units are loaded while these
   are added, which takes as many registers again; otherwise the loads of other warps
   overlap.  */
template <class Units, int U, bool Ahead>
struct reader
{
  typedef typename Units::element element;
  typename Units::unit loaded[U];
  const Units units;
  uint64_t next; /* the first unit that is being loaded, or is loaded next */

  __device__ __forceinline__ explicit reader (const struct gt_kernel_args &args) : units (args)
  {
    next = static_cast<uint64_t> (blockIdx.x) * blockDim.x * U + threadIdx.x;
    if (Ahead)
      load ();
  }
  /* Returns whether the warp has more units.  */
  __device__ __forceinline__ bool more () const { return next - threadIdx.x % warp < units.count (); }
  __device__ __forceinline__ uint64_t step () const { return static_cast<uint64_t> (blockDim.x) * U * gridDim.x; }
  /* Returns the first of the units that read has stored last.  */
  __device__ __forceinline__ uint64_t given () const { return next - step (); }

  __device__ __forceinline__ void load ()
  {
    if (next + (warp - 1 - threadIdx.x % warp) + (U - 1) * blockDim.x < units.count ())
      {
#pragma unroll
        for (int k = 0; k < U; k++)
          loaded[k] = units.load (next + k * blockDim.x);
      }
    else
      {
#pragma unroll
        for (int k = 0; k < U; k++)
          {
            loaded[k] = {};
            if (next + k * blockDim.x < units.count ())
              loaded[k] = units.load (next + k * blockDim.x);
          }
      }
  }
  /* Stores the next elements in X.  Returns false, to the whole warp, if there are none.  */
  __device__ __forceinline__ bool read (element (&x)[U * Units::width])
  {
    if (!more ())
      return false;
    if (!Ahead)
      load ();
#pragma unroll
    for (int k = 0; k < U; k++)
      unpack (loaded[k], x + k * Units::width);
    next += step ();
    if (Ahead)
      load ();
    return true;
  }
};

/* ---------------------------------------------------- Reading two vectors */

/* An element of each of two vectors.  */
template <class T>
struct pair
{
  T x, y;
};

/* 16 bytes of the first vector, with as many elements of the second.  */
template <class T>
struct pairs_unit
{
  static constexpr int width = 16 / sizeof (T);
  uint4 x;
  T y[width];
};

template <class T>
__device__ __forceinline__ void unpack (const struct pairs_unit<T> &unit, struct pair<T> *e)
{
  T x[unit.width];

  unpack (unit.x, x);
#pragma unroll
  for (int k = 0; k < unit.width; k++)
    e[k] = {x[k], unit.y[k]};
}

template <class T>
struct lots<struct pair<T>>
{
  const T *x, *y;
  uint64_t step, y_step;
  int count, width;

  __device__ __forceinline__ struct pair<T> of (int k, int j) const { return {x[k * step + j], y[k * y_step + j]}; }
};

/* The units of two vectors are those of the first.  The second is read 16 bytes at a time if
   it is aligned like the first, otherwise element by element.  */
template <class T>
struct contiguous_pairs
{
  typedef struct pair<T> element;
  typedef struct pairs_unit<T> unit;
  static constexpr int width = unit::width;
  const struct contiguous_units<T> x;
  const T *const y;
  const T *const behind; /* element of y at the start of the first unit */
  const bool alike;

  __device__ __forceinline__ explicit contiguous_pairs (const struct gt_kernel_args &args)
    : x (args), y (static_cast<const T *> (args.y)), behind (y + x.edges.before),
      alike (reinterpret_cast<uintptr_t> (behind) % 16 == 0)
  {
  }
  __device__ __forceinline__ uint64_t count () const { return x.count (); }
  __device__ __forceinline__ unit load (uint64_t i) const
  {
    const T *const from = behind + i * width;
    unit loaded;

    loaded.x = x.load (i);
    if (alike)
      unpack (__ldcg (reinterpret_cast<const uint4 *> (from)), loaded.y);
    else
#pragma unroll
      for (int k = 0; k < width; k++)
        loaded.y[k] = __ldcg (from + k);
    return loaded;
  }
  __device__ __forceinline__ unsigned n_edges () const { return x.n_edges (); }
  __device__ __forceinline__ struct lots<element> lots_at (uint64_t i, int count) const
  {
    const uint64_t step = static_cast<uint64_t> (width) * blockDim.x;

    return {x.at (i), behind + i * width, step, step, count, width};
  }
  __device__ __forceinline__ struct lots<element> edges_at (unsigned k, int count) const
  {
    return {x.edges.at (k), y + x.edges.index_of_edge (k), 0, 0, count, 1};
  }
};

template <class T>
struct strided_pairs
{
  typedef struct pair<T> element;
  typedef struct pair<T> unit;
  static constexpr int width = 1;
  const struct strided_units<T> x;
  const T *const y;
  const uint64_t y_stride;

  __device__ __forceinline__ explicit strided_pairs (const struct gt_kernel_args &args)
    : x (args), y (static_cast<const T *> (args.y)), y_stride (args.y_stride)
  {
  }
  __device__ __forceinline__ uint64_t count () const { return x.n; }
  __device__ __forceinline__ unit load (uint64_t i) const { return {x.load (i), __ldcg (y + i * y_stride)}; }
  __device__ __forceinline__ unsigned n_edges () const { return 0; }
  __device__ __forceinline__ struct lots<element> lots_at (uint64_t i, int count) const
  {
    return {x.at (i), y + i * y_stride, x.stride * blockDim.x, y_stride * blockDim.x, count, 1};
  }
  __device__ __forceinline__ struct lots<element> edges_at (unsigned, int) const { return {x.first, y, 0, 0, 0, 1}; }
};

} /* namespace gt */

#endif
