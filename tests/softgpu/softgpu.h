/* The CUDA C++ that gsltune's kernels use, for the host compiler: put before
   a .cu file with -include.  Compile with -fvisibility=hidden and
   -ffp-contract=off.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SOFTGPU_H
#define GT_SOFTGPU_H

#define GT_SOFTGPU 1

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <type_traits>

#define __global__ __attribute__ ((visibility ("default"), used))
#define __device__
#define __host__
#define __forceinline__ inline __attribute__ ((always_inline))
#define __launch_bounds__(...)
/* Between the result type and the name of a kernel, N a decimal literal.  The
   kernel's code goes into a section that is named after its cluster size, where
   the engine finds it before the kernel runs.  */
#define GT_CLUSTER_DIMS(n) SOFTGPU_CLUSTER_DIMS (n)
#define SOFTGPU_CLUSTER_DIMS(n) \
  __attribute__ ((section ("softgpu_cluster_" #n)))
/* Blocks run one after the other, so static storage is shared by exactly one
   block.  The engine finds these variables by their mangled names and fills
   them with poison before each block.  For `extern __shared__', see
   softgpu::dynamic_shared.  */
#define __shared__ static

struct uint3
{
  unsigned x, y, z;
};

struct dim3
{
  unsigned x, y, z;
  dim3 (unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
    : x (x_), y (y_), z (z_)
  {
  }
};

struct gt_kernel_args;

/* Shared by the header and the engine.  */
namespace softgpu
{
enum operation
{
  op_barrier,
  op_cluster_barrier,
  op_syncwarp,
  op_shuffle,
  op_vote
};

struct position
{
  uint3 index;   /* threadIdx */
  unsigned lane; /* within the warp */
};

extern const position *current; /* the running thread */
extern uint3 block_index;
extern dim3 block_size, grid_size;

/* The allocation that was loaded from last, so that most loads are checked
   with two comparisons.  */
extern uintptr_t load_begin, load_end;

/* KIND is op_barrier or op_cluster_barrier.  */
void barrier (operation kind, const char *file, int line);
/* Waits for the lanes of MASK.  A shuffle returns the value of lane SOURCE, a
   vote the lanes whose value was not zero.  */
uint64_t exchange (operation kind, unsigned mask, uint64_t value,
                   unsigned source);
/* Ends the launch with a driver error.  */
[[noreturn]] void fail (int code, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
void check_load (const void *address, size_t size, size_t align);
/* A fence, and what is added to words and tickets.  */
void fence ();
void check_added (const void *address, unsigned long long value);
void check_ticket (const void *address);
void *dynamic_shared_memory ();
unsigned cluster_rank ();
void remote_store (void *address, unsigned rank, const void *value,
                   size_t size);
/* Notes that a thread waits for what the stream did before (kernels/cuda/reduce.cuh).  */
void wait_for_stream ();
/* In place of KERNEL<<<GRID, BLOCK, 0, cudaStreamTailLaunch>>> (ARGS).  */
void tail_launch (void (*kernel) (struct gt_kernel_args), unsigned grid,
                  unsigned block, struct gt_kernel_args args);

/* In place of `extern __shared__ T name[]'.  */
template <class T>
T *
dynamic_shared ()
{
  return static_cast<T *> (dynamic_shared_memory ());
}

template <class To, class From>
To
bits (From from)
{
  static_assert (sizeof (To) == sizeof (From), "sizes must agree");
  To to;
  memcpy (&to, &from, sizeof to);
  return to;
}

template <class T>
T
shuffle (unsigned mask, T value, unsigned source)
{
  static_assert (std::is_arithmetic<T>::value
                   && (sizeof (T) == 4 || sizeof (T) == 8),
                 "a shuffle moves 4 or 8 bytes");
  uint64_t word = 0;
  memcpy (&word, &value, sizeof value);
  word = exchange (op_shuffle, mask, word, source);
  memcpy (&value, &word, sizeof value);
  return value;
}

/* A real device faults on what is misaligned or not its own.  */
template <class T>
T
load (const T *address)
{
  uintptr_t begin = reinterpret_cast<uintptr_t> (address);
  if (begin % alignof (T) != 0 || begin < load_begin
      || begin + sizeof (T) > load_end)
    check_load (address, sizeof (T), alignof (T));
  return *address;
}

template <class T, class F>
T
atomic_update (T *address, F next)
{
  T old, updated;
  __atomic_load (address, &old, __ATOMIC_SEQ_CST);
  do
    updated = next (old);
  while (!__atomic_compare_exchange (address, &old, &updated, false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return old;
}
}

#define threadIdx (softgpu::current->index)
#define blockIdx (softgpu::block_index)
#define blockDim (softgpu::block_size)
#define gridDim (softgpu::grid_size)
static const int warpSize __attribute__ ((unused)) = 32;

/* Vector types, aligned as the device aligns them.  */
#define SOFTGPU_VECTOR2(name, type)                                       \
  struct alignas (2 * sizeof (type)) name                                 \
  {                                                                       \
    type x, y;                                                            \
  };                                                                      \
  static inline name make_##name (type x, type y) { return name{x, y}; }
#define SOFTGPU_VECTOR4(name, type)                                       \
  struct alignas (4 * sizeof (type)) name                                 \
  {                                                                       \
    type x, y, z, w;                                                      \
  };                                                                      \
  static inline name make_##name (type x, type y, type z, type w)         \
  {                                                                       \
    return name{x, y, z, w};                                              \
  }
SOFTGPU_VECTOR2 (uint2, unsigned)
SOFTGPU_VECTOR2 (float2, float)
SOFTGPU_VECTOR2 (double2, double)
SOFTGPU_VECTOR2 (ulonglong2, unsigned long long)
SOFTGPU_VECTOR4 (uint4, unsigned)

/* Barriers, shuffles and votes.  The default arguments name the caller.  */
static inline void
__syncthreads (const char *file = __builtin_FILE (),
               int line = __builtin_LINE ())
{
  softgpu::barrier (softgpu::op_barrier, file, line);
}

static inline void
__syncwarp (unsigned mask = 0xffffffffu)
{
  softgpu::exchange (softgpu::op_syncwarp, mask, 0, 0);
}

template <class T>
T
__shfl_sync (unsigned mask, T value, int source, int width = 32)
{
  unsigned first = softgpu::current->lane & ~(unsigned) (width - 1);
  return softgpu::shuffle (mask, value,
                           first + ((unsigned) source & (width - 1)));
}

template <class T>
T
__shfl_down_sync (unsigned mask, T value, unsigned delta, int width = 32)
{
  unsigned lane = softgpu::current->lane;
  unsigned last = lane | (unsigned) (width - 1);
  return softgpu::shuffle (mask, value,
                           last - lane >= delta ? lane + delta : lane);
}

template <class T>
T
__shfl_xor_sync (unsigned mask, T value, int lane_mask, int width = 32)
{
  unsigned lane = softgpu::current->lane;
  unsigned last = lane | (unsigned) (width - 1);
  unsigned source = lane ^ (unsigned) lane_mask;
  return softgpu::shuffle (mask, value, source <= last ? source : lane);
}

static inline unsigned
__ballot_sync (unsigned mask, int predicate)
{
  return (unsigned) softgpu::exchange (softgpu::op_vote, mask, predicate != 0,
                                       0);
}

static inline int
__any_sync (unsigned mask, int predicate)
{
  return __ballot_sync (mask, predicate) != 0;
}

static inline int
__all_sync (unsigned mask, int predicate)
{
  return __ballot_sync (mask, !predicate) == 0;
}

static inline void
__threadfence ()
{
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
  softgpu::fence ();
}

static inline void
__threadfence_system ()
{
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
}

[[noreturn]] static inline void
__trap ()
{
  softgpu::fail (715, "__trap");
}

/* Thread block clusters, by the names of kernels/cuda/cluster.cuh.  */
namespace gt
{
/* The block's index in its cluster.  */
static inline unsigned
cluster_rank ()
{
  return softgpu::cluster_rank ();
}

/* The barrier's first half costs nothing here.  The second waits for all threads
   of all blocks of the cluster that have not ended.  */
static inline void
cluster_arrive ()
{
}

static inline void
cluster_wait (const char *file = __builtin_FILE (),
              int line = __builtin_LINE ())
{
  softgpu::barrier (softgpu::op_cluster_barrier, file, line);
}

/* Stores into block RANK's copy of the shared variable at ADDRESS.  */
template <class T>
static inline void
remote_store (T *address, unsigned rank, T value)
{
  static_assert (std::is_trivially_copyable<T>::value,
                 "a store moves bytes");
  softgpu::remote_store (address, rank, &value, sizeof value);
}
}

/* Atomics, for exactly the types that CUDA has them for.  */
#define SOFTGPU_ATOMIC(name, type, expression)                              \
  static inline type name (type *address, type value)                       \
  {                                                                         \
    return softgpu::atomic_update (address, [=] (type old) -> type          \
                                   { return expression; });                 \
  }
#define SOFTGPU_ATOMIC_INTEGERS(name, expression)                           \
  SOFTGPU_ATOMIC (name, int, (int) (expression))                            \
  SOFTGPU_ATOMIC (name, unsigned, expression)                               \
  SOFTGPU_ATOMIC (name, unsigned long long, expression)
SOFTGPU_ATOMIC (atomicAdd, unsigned, old + value)
static inline unsigned long long
atomicAdd (unsigned long long *address, unsigned long long value)
{
  softgpu::check_added (address, value);
  return softgpu::atomic_update (address, [=] (unsigned long long old)
                                 { return old + value; });
}
static inline unsigned
atomicInc (unsigned *address, unsigned value)
{
  softgpu::check_ticket (address);
  return softgpu::atomic_update (address, [=] (unsigned old)
                                 { return old >= value ? 0 : old + 1; });
}
SOFTGPU_ATOMIC_INTEGERS (atomicOr, old | value)
SOFTGPU_ATOMIC_INTEGERS (atomicMax, old > value ? old : value)

/* Loads with a cache hint.  */
#define SOFTGPU_LOAD(name)                                                  \
  template <class T>                                                        \
  T name (const T *address)                                                 \
  {                                                                         \
    return softgpu::load (address);                                         \
  }
SOFTGPU_LOAD (__ldg)
SOFTGPU_LOAD (__ldcs)
SOFTGPU_LOAD (__ldcg)

/* Bits.  */
#define SOFTGPU_BITS(name, to, from)                                        \
  static inline to name (from value) { return softgpu::bits<to> (value); }
SOFTGPU_BITS (__double_as_longlong, long long, double)
SOFTGPU_BITS (__longlong_as_double, double, long long)
SOFTGPU_BITS (__float_as_uint, unsigned, float)
SOFTGPU_BITS (__uint_as_float, float, unsigned)

static inline int
__double2hiint (double value)
{
  return (int) (__double_as_longlong (value) >> 32);
}

static inline int
__double2loint (double value)
{
  return (int) __double_as_longlong (value);
}

static inline double
__hiloint2double (int high, int low)
{
  return softgpu::bits<double> ((uint64_t) (unsigned) high << 32
                                | (unsigned) low);
}

static inline int
__popc (unsigned value)
{
  return __builtin_popcount (value);
}

static inline int
__clz (int value)
{
  return value ? __builtin_clz ((unsigned) value) : 32;
}

static inline int
__ffs (int value)
{
  return __builtin_ffs (value);
}

static inline int
__ffsll (long long value)
{
  return __builtin_ffsll (value);
}

/* Arithmetic that the compiler may not contract.  */
static inline double __dadd_rn (double a, double b) { return a + b; }
static inline double __dsub_rn (double a, double b) { return a - b; }
static inline double __dmul_rn (double a, double b) { return a * b; }

static inline double
__fma_rn (double a, double b, double c)
{
  return fma (a, b, c);
}

static inline float
__fmaf_rn (float a, float b, float c)
{
  return fmaf (a, b, c);
}

static inline unsigned long long
__umul64hi (unsigned long long a, unsigned long long b)
{
  return static_cast<unsigned long long> (static_cast<unsigned __int128> (a) * b >> 64);
}

static inline unsigned
__dp4a (unsigned a, unsigned b, unsigned c)
{
  for (int shift = 0; shift < 32; shift += 8)
    c += (a >> shift & 0xff) * (b >> shift & 0xff);
  return c;
}

static inline int
__dp4a (int a, int b, int c)
{
  unsigned sum = (unsigned) c;
  for (int shift = 0; shift < 32; shift += 8)
    sum += (unsigned) ((int8_t) (a >> shift) * (int8_t) (b >> shift));
  return (int) sum;
}

#define SOFTGPU_MIN_MAX(type)                                               \
  static inline type min (type a, type b) { return b < a ? b : a; }       \
  static inline type max (type a, type b) { return a < b ? b : a; }
SOFTGPU_MIN_MAX (int)
SOFTGPU_MIN_MAX (unsigned)
SOFTGPU_MIN_MAX (long)
SOFTGPU_MIN_MAX (unsigned long)
SOFTGPU_MIN_MAX (long long)
SOFTGPU_MIN_MAX (unsigned long long)

static inline double
min (double a, double b)
{
  return fmin (a, b);
}

static inline double
max (double a, double b)
{
  return fmax (a, b);
}

static inline float
min (float a, float b)
{
  return fminf (a, b);
}

static inline float
max (float a, float b)
{
  return fmaxf (a, b);
}

#endif
