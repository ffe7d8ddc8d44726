/* Common code of the CUDA reduction kernels: accumulators for each arithmetic and mode, the
   reduction of a block, and the delivery of the result.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_REDUCE_CUH
#define GT_KERNELS_CUDA_REDUCE_CUH

#include "kernels/args.h"

namespace gt
{

constexpr unsigned warp = 32; /* threads; the same on every device so far */
constexpr unsigned max_warps = 1024 / warp;

/* Marks a function that is not inlined, so that a kernel contains its code once, outside the
   loop.  */
#ifdef GT_SOFTGPU
#define GT_COLD
#else
#define GT_COLD __noinline__
#endif

/* Every kernel that may be enqueued in a stream begins with this: it may be launched while the
   previous one is still running (src/cuda/cuda_keep.c), and waits here until that has ended
   and its results are visible; then it permits the launch of the next one.  */
__device__ __forceinline__ void wait_for_stream ()
{
#if defined GT_SOFTGPU
  softgpu::wait_for_stream ();
#elif defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
  asm volatile ("griddepcontrol.wait;\n\tgriddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Dynamic shared memory, as an array of T.  */
#ifdef GT_SOFTGPU
#define GT_DYNAMIC_SHARED(T, name) T *name = softgpu::dynamic_shared<T> ()
#else
#define GT_DYNAMIC_SHARED(T, name)                        \
  extern __shared__ __align__ (16) unsigned char gt_dynamic[]; \
  T *name = reinterpret_cast<T *> (gt_dynamic)
#endif

/* The words that are shuffled: bits of integers can be in registers of reals at no cost, but
   not the other way round.  */
template <bool Pairs> struct shuffled { typedef float word; };
template <> struct shuffled<true> { typedef double word; };

/* Returns the value of the lane that is BY lanes higher; it must have 4 bytes or a multiple of
   8.  */
template <class S>
__device__ __forceinline__ S shift (const S &x, unsigned by)
{
  typedef typename shuffled<sizeof (S) % 8 == 0>::word word;
  word w[sizeof (S) / sizeof (word)];
  S moved;

  memcpy (w, &x, sizeof x);
#pragma unroll
  for (unsigned k = 0; k < sizeof (S) / sizeof (word); k++)
    w[k] = __shfl_down_sync (0xffffffffu, w[k], by);
  memcpy (&moved, w, sizeof moved);
  return moved;
}

/* Returns the largest value of the warp to all its lanes.  */
__device__ __forceinline__ uint32_t largest_of_warp (uint32_t x)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  return __reduce_max_sync (0xffffffffu, x);
#else
#pragma unroll
  for (unsigned by = warp / 2; by > 0; by /= 2)
    {
      const uint32_t other = __shfl_xor_sync (0xffffffffu, x, static_cast<int> (by));

      x = x < other ? other : x;
    }
  return x;
#endif
}

/* The addend for an element: the element itself, or its magnitude, which costs nothing because
   it is a modifier of an instruction's operand.  */
struct plain
{
  template <class T>
  static __device__ __forceinline__ T of (T x)
  {
    return x;
  }
};
struct magnitude
{
  static __device__ __forceinline__ double of (double x) { return fabs (x); }
  static __device__ __forceinline__ float of (float x) { return fabsf (x); }
};

/* Return the sum of the elements of type T in 16 bytes.  Elements are added to each other
   before they are added to the accumulator: a short chain, and one rounding of the large
   operand.  */
template <class Lift>
__device__ __forceinline__ double gather (uint4 v, double)
{
  return Lift::of (__hiloint2double (v.y, v.x)) + Lift::of (__hiloint2double (v.w, v.z));
}
template <class Lift>
__device__ __forceinline__ float gather (uint4 v, float)
{
  return (Lift::of (__uint_as_float (v.x)) + Lift::of (__uint_as_float (v.y)))
         + (Lift::of (__uint_as_float (v.z)) + Lift::of (__uint_as_float (v.w)));
}
template <class Lift>
__device__ __forceinline__ uint64_t gather (uint4 v, uint64_t)
{
  return (static_cast<uint64_t> (v.y) << 32 | v.x)
         + (static_cast<uint64_t> (v.w) << 32 | v.z);
}
template <class Lift>
__device__ __forceinline__ uint32_t gather (uint4 v, uint32_t)
{
  return (v.x + v.y) + (v.z + v.w);
}
/* Returns element K of 16 bytes.  */
__device__ __forceinline__ uint32_t element_at (uint4 v, unsigned k, uint32_t)
{
  return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
}
__device__ __forceinline__ float element_at (uint4 v, unsigned k, float)
{
  return __uint_as_float (element_at (v, k, 0u));
}
__device__ __forceinline__ double element_at (uint4 v, unsigned k, double)
{
  return __hiloint2double (static_cast<int> (element_at (v, 2 * k + 1, 0u)), static_cast<int> (element_at (v, 2 * k, 0u)));
}
__device__ __forceinline__ uint64_t element_at (uint4 v, unsigned k, uint64_t)
{
  return static_cast<uint64_t> (element_at (v, 2 * k + 1, 0u)) << 32 | element_at (v, 2 * k, 0u);
}
template <class T>
__device__ __forceinline__ void unpack (uint4 v, T *x)
{
#pragma unroll
  for (unsigned k = 0; k < 16 / sizeof (T); k++)
    x[k] = element_at (v, k, T ());
}

/* The bytes of a cache line; the loads of a warp should begin with one.  */
constexpr unsigned line = 128;

/* A contiguous vector as 16-byte vectors, the first of which begins a cache line, and edges:
   the elements before and after these.  Only the first block has edges.  */
template <class T>
struct edges
{
  static constexpr unsigned width = 16 / sizeof (T);
  const uint4 *vectors;
  uint64_t n_vectors;
  const T *first, *behind; /* edge k, for k >= BEFORE, is behind[k] */
  unsigned before, count;

  __device__ __forceinline__ explicit edges (const struct gt_kernel_args &args)
  {
    const T *x = static_cast<const T *> (args.data);
    const unsigned to_line = (line - static_cast<unsigned> (reinterpret_cast<uintptr_t> (x) % line)) % line / sizeof (T);
    const unsigned after = static_cast<unsigned> ((args.n - before_of (args.n, to_line)) % width);

    before = before_of (args.n, to_line);
    vectors = reinterpret_cast<const uint4 *> (x + before);
    n_vectors = (args.n - before) / width;
    first = x;
    count = blockIdx.x == 0 ? before + after : 0;
    behind = x + (args.n - before - after);
  }
  /* Converts the first FROM_FIRST vectors and the last FROM_LAST ones to edges.  */
  __device__ __forceinline__ void give_up (unsigned from_first, unsigned from_last)
  {
    const unsigned most = from_first + from_last;
    const unsigned given = n_vectors < most ? static_cast<unsigned> (n_vectors) : most;

    before += from_first * width;
    vectors += from_first;
    n_vectors -= given;
    behind -= given * width;
    count += blockIdx.x == 0 ? given * width : 0;
  }
  __device__ __forceinline__ const T *at (unsigned k) const { return (k < before ? first : behind) + k; }
  /* Return the indexes of edge K and of the first element of vector I.  */
  __device__ __forceinline__ uint64_t index_of_edge (unsigned k) const { return k < before ? k : k + n_vectors * width; }
  __device__ __forceinline__ uint64_t index_of (uint64_t i) const { return before + i * width; }

private:
  static __device__ __forceinline__ unsigned before_of (uint64_t n, unsigned to_line)
  {
    return to_line < n ? to_line : static_cast<unsigned> (n);
  }
};

/* An accumulator accumulates elements of type `element'.  `begin' receives the index of the
   thread's first element, or NONE; `add' receives an element, or 16 bytes of elements, with
   the index of the first, in ascending order; `add_edge' receives an element from any
   position.  If `done' returns true, later elements cannot change the result.  `merge' merges
   another accumulator; `store' stores the state in PARTS partial results and `load' reads it
   from these.  LARGE means that adding is large code.  */

constexpr uint64_t none = ~static_cast<uint64_t> (0);

/* A plain sum of elements T in a word W.  */
template <class T, class W = T, class Lift = plain>
struct fast
{
  typedef T element;
  typedef W word;
  static constexpr unsigned parts = 1;
  static constexpr bool large = false;
  W s;

  __device__ __forceinline__ void begin (const struct gt_kernel_args &, uint64_t) { clear (); }
  __device__ __forceinline__ void clear () { s = 0; }
  __device__ __forceinline__ bool done () const { return false; }
  __device__ __forceinline__ void add (T x, uint64_t) { s += Lift::of (x); }
  __device__ __forceinline__ void add (uint4 v, uint64_t) { s += gather<Lift> (v, T ()); }
  __device__ __forceinline__ void add_edge (T x, uint64_t i) { add (x, i); }
  __device__ __forceinline__ void merge (const fast &o) { s += o.s; }
  __device__ __forceinline__ fast down (unsigned by) const { return shift (*this, by); }
  __device__ __forceinline__ void store (union gt_partial *p) const { memcpy (p, &s, sizeof s); }
  __device__ __forceinline__ void load (const union gt_partial *p) { memcpy (&s, p, sizeof s); }
};

/* An accumulator as units of 16 bytes, which are stored and loaded at once.  */
template <class A>
struct packed
{
  uint4 unit[A::parts];
};

template <class A>
__device__ __forceinline__ struct packed<A> pack (const A &a)
{
  union gt_partial p[A::parts] = {};
  struct packed<A> packed;

  static_assert (sizeof p == sizeof packed, "a partial result is 16 bytes");
  a.store (p);
  memcpy (&packed, p, sizeof packed);
  return packed;
}

/* Returns an accumulator with the state PACKED; A provides the data that all accumulators of a
   launch share.  */
template <class A>
__device__ __forceinline__ A unpacked (const A &a, const struct packed<A> &packed)
{
  union gt_partial p[A::parts];
  A other = a;

  memcpy (p, &packed, sizeof p);
  other.load (p);
  return other;
}

/* If adding is large code, so is merging, which a kernel contains several times; then the
   steps are not unrolled.  */
template <class A>
__device__ __forceinline__ void reduce_warp (A &a)
{
#pragma unroll (A::large ? 1 : 5)
  for (unsigned by = warp / 2; by > 0; by /= 2)
    a.merge (a.down (by));
}

/* Merges the accumulators of the block; thread 0 receives the result.  Every thread of the
   block must call it; the block must consist of whole warps.  Between two calls there must be
   a block barrier.  ONE_WARP: the other warps have nothing to merge and need not call it.  */
template <class A>
__device__ __forceinline__ void reduce_block (A &a, bool one_warp = blockDim.x == warp)
{
  __shared__ union gt_partial of_warp[max_warps][A::parts];
  const unsigned lane = threadIdx.x % warp, w = threadIdx.x / warp;

  reduce_warp (a);
  if (one_warp)
    return;
  if (lane == 0)
    a.store (of_warp[w]);
  __syncthreads ();
  if (w != 0)
    return;
  a.clear ();
  if (lane < blockDim.x / warp)
    a.load (of_warp[lane]);
  reduce_warp (a);
}

/* Stores the lowest SIZE bytes of a result, 8 or 4.  */
__device__ __forceinline__ void store_bytes (void *to, uint64_t bits, uint32_t size)
{
  if (size == 8)
    *static_cast<uint64_t *> (to) = bits;
  else
    *static_cast<uint32_t *> (to) = static_cast<uint32_t> (bits);
}

__device__ __forceinline__ void store_real (const struct gt_finish &finish, double x, unsigned which = 0)
{
  if (finish.size == 8)
    *static_cast<double *> (finish.to[which]) = x;
  else
    *static_cast<float *> (finish.to[which]) = static_cast<float> (x);
}

/* Stores the result in device memory.  */
template <class A>
__device__ __forceinline__ void keep (const A &a, const struct gt_kernel_args &args)
{
  constexpr unsigned parts = A::parts;
  const struct gt_finish &finish = args.finish;
  union gt_partial p[parts] = {};

  a.store (p);
  if (finish.as == GT_FINISH_ROUNDED)
    {
      store_real (finish, p[0].f64[0]);
      if (parts > 1 && finish.to[1])
        store_real (finish, p[parts > 1].f64[0], 1);
    }
  else
    {
      const unsigned word = finish.as == GT_FINISH_INDEX;

      store_bytes (finish.to[0], p[0].u64[word], finish.size);
      if (parts > 1 && finish.to[1])
        store_bytes (finish.to[1], p[parts > 1].u64[word], finish.size);
    }
}

/* Passes the result to the host (struct gt_result), or stores it in device memory; called by
   one thread.  */
template <class A>
__device__ __forceinline__ void deliver (const A &a, const struct gt_kernel_args &args)
{
  union gt_partial p[A::parts] = {};
  ulonglong2 *words = reinterpret_cast<ulonglong2 *> (args.result);
  const uint64_t tag = static_cast<uint64_t> (args.sequence) << 32;

  if (args.finish.to[0])
    {
      keep (a, args);
      return;
    }
  a.store (p);
#pragma unroll
  for (unsigned k = 0; k < A::parts; k++)
    {
      words[2 * k] = make_ulonglong2 (tag | p[k].u32[0], tag | p[k].u32[1]);
      words[2 * k + 1] = make_ulonglong2 (tag | p[k].u32[2], tag | p[k].u32[3]);
    }
}

/* Counts this block as done; returns true in the last block.  Stores of the caller are then
   visible to the last block: the operation is a release and an acquire in one, which takes one
   round trip to the L2 cache; fences around a plain atomic operation would take two.  GPUs
   before compute capability 7.0 have only fences.  */
__device__ __forceinline__ bool take_ticket (uint32_t *ticket, uint32_t last)
{
#if defined GT_SOFTGPU || (defined __CUDA_ARCH__ && __CUDA_ARCH__ < 700)
  __threadfence ();
  uint32_t old = atomicInc (ticket, last);
  __threadfence ();
  return old == last;
#else
  uint32_t old;
  asm volatile ("atom.inc.acq_rel.gpu.global.u32 %0, [%1], %2;"
                : "=r"(old) : "l"(ticket), "r"(last) : "memory");
  return old == last;
#endif
}

/* Merges partial results I, I + STEP, ... of COUNT; several loads are in flight at once.  */
template <class A>
__device__ __forceinline__ void gather_partials (A &a, const void *partials, unsigned i, unsigned step,
                                                 unsigned count)
{
  const uint4 *p = static_cast<const uint4 *> (partials);
  constexpr unsigned unroll = A::parts < 4 ? 4 / A::parts : 1;

  for (; i < count; i += unroll * step)
    {
      struct packed<A> r[unroll];
#pragma unroll
      for (unsigned k = 0; k < unroll; k++)
        if (i + k * step < count)
#pragma unroll
          for (unsigned l = 0; l < A::parts; l++)
            r[k].unit[l] = __ldcg (p + (i + k * step) * A::parts + l);
#pragma unroll
      for (unsigned k = 0; k < unroll; k++)
        if (i + k * step < count)
          a.merge (unpacked (a, r[k]));
    }
}

/* One warp adds up to this many parts, so that the other warps need not wait until it is known
   whether their block is the last.  */
constexpr unsigned parts_for_a_warp = 16 * warp;

/* Stores partial result PART of PARTS, which thread 0 of the block has; the block that
   finishes last merges them all, always in the same order, and the counter returns to
   zero.  */
template <class A>
__device__ __forceinline__ void finish_parts (A &a, const struct gt_kernel_args &args, unsigned part,
                                              unsigned parts)
{
  const bool by_warp = parts <= parts_for_a_warp;
  __shared__ bool last_block;
  bool last = false;

  if (by_warp && threadIdx.x >= warp)
    return;
  if (parts == 1)
    {
      if (threadIdx.x == 0)
        deliver (a, args);
      return;
    }
  if (threadIdx.x == 0)
    {
      static_cast<struct packed<A> *> (args.partials)[part] = pack (a);
      last = take_ticket (args.ticket, parts - 1);
      last_block = last;
    }
  if (by_warp)
    {
      last = __shfl_sync (0xffffffffu, static_cast<int> (last), 0);
      __syncwarp (); /* all lanes may read what lane 0 acquired */
    }
  else
    {
      __syncthreads ();
      last = last_block;
    }
  if (!last)
    return;
  a.clear ();
  gather_partials (a, args.partials, threadIdx.x, by_warp ? warp : blockDim.x, parts);
  reduce_block (a, by_warp || blockDim.x == warp);
  if (threadIdx.x == 0)
    deliver (a, args);
}

/* Ends a single-pass kernel.  */
template <class A>
__device__ __forceinline__ void finish_single_pass (A &a, const struct gt_kernel_args &args)
{
  reduce_block (a);
  finish_parts (a, args, blockIdx.x, gridDim.x);
}

} /* namespace gt */

/* An entry point for blocks of up to THREADS threads; an SM should hold BLOCKS such blocks.  The
   remaining arguments are its function.  */
#define GT_ENTRY(name, threads, blocks, ...)                              \
  extern "C" __global__ void __launch_bounds__ (threads, blocks)          \
  name (struct gt_kernel_args args) { gt::wait_for_stream (); gt::__VA_ARGS__ (args); }

/* An entry point for each layout: FUNCTION with its units (accumulate.cuh) and the remaining
   arguments.  */
#define GT_ENTRIES(kernel, rest, threads, blocks, function, units, ...)   \
  GT_ENTRY (kernel##_##rest, threads, blocks, function<gt::contiguous_##units, __VA_ARGS__>)\
  GT_ENTRY (kernel##_strided_##rest, threads, blocks, function<gt::strided_##units, __VA_ARGS__>)

#endif
