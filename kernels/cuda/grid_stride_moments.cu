/* Like grid_stride.cu, for sums of elements and of products of two: for reals in double, for
   integers exactly.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/accumulate.cuh"
#include "kernels/cuda/integer_sums.cuh"
#include "kernels/cuda/sums.cuh"

namespace gt
{

/* The sums of floats and of their magnitudes, which bound the error of the former: four floats
   that are loaded together are added in double, with an error of at most 2^-52 of their
   magnitudes, and their sum is added with a compensation.  */
struct spans
{
  typedef float element;
  static constexpr unsigned inputs = 1, parts = 2;
  static constexpr bool large = false, quick = false;
  struct compensated_sums<1> sum;
  double sizes;

  __device__ __forceinline__ void begin (const struct gt_kernel_args &) { clear (); }
  __device__ __forceinline__ void clear ()
  {
    sum.clear ();
    sizes = 0;
  }
  __device__ __forceinline__ void add (const struct of_inputs<float, 1> &e)
  {
    sum.element (0, e.of[0]);
    sizes += fabsf (e.of[0]);
  }
  __device__ __forceinline__ void add (const struct of_inputs<uint4, 1> &v)
  {
    double x[4];

#pragma unroll
    for (unsigned k = 0; k < 4; k++)
      x[k] = element_at (v.of[0], k, float ());
    sum.element (0, (x[0] + x[1]) + (x[2] + x[3]));
    sizes += (fabs (x[0]) + fabs (x[1])) + (fabs (x[2]) + fabs (x[3]));
  }
  __device__ __forceinline__ void merge (const spans &o)
  {
    sum.merge (o.sum);
    sizes += o.sizes;
  }
  __device__ __forceinline__ spans down (unsigned by) const { return shift (*this, by); }
  __device__ __forceinline__ void store (union gt_partial *p) const
  {
    sum.store (p);
    p[1].f64[0] = sizes;
    p[1].f64[1] = 0;
  }
  __device__ __forceinline__ void load (const union gt_partial *p)
  {
    sum.load (p);
    sizes = p[1].f64[0];
  }
};

} /* namespace gt */

/* A sum with four loads in flight needs few enough registers for full occupancy, unless the
   compiler needs more than for older GPUs.  */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 1000
#define ONE_INPUT 1
#else
#define ONE_INPUT GT_FULL
#endif

/* For fast sums an SM should hold FULL blocks of 1024 threads; blocks of compensated sums have
   at most 1024 threads.  Loads from two vectors, or compensations, permit half of full
   occupancy, which is enough for them.  */
#define OF_REALS(id, reduction, type, name, full)                                \
  GT_FAST_SUMS (id, reduction, type, name, 1024, full)                           \
  GT_COMPENSATED_SUMS (id, reduction, type, name, 1024)

GT_FAST_SUMS (DOT, dot, double, f64, 1024, 1)
GT_FAST_SUMS (DOT, dot, float, f32, 1024, 1)
OF_REALS (SUMSQ, sumsq, double, f64, ONE_INPUT)
OF_REALS (SUMSQ, sumsq, float, f32, ONE_INPUT)
GT_FAST_SUMS (TOTAL, total, float, f32, 1024, ONE_INPUT)
GT_FAST_SUMS (SPAN, span, float, f32, 1024, 1)
GT_ENTRY (span_grid_stride_compensated_f32_u4, 1024, 1, grid_stride_sums<gt::spans, 4>)
OF_REALS (MOMENTS, moments, double, f64, ONE_INPUT)
GT_FAST_SUMS (MOMENTS, moments, float, f32, 1024, ONE_INPUT)
GT_ENTRY (moments_grid_stride_compensated_f32_u4, 1024, 1, grid_stride_sums<gt::spreads, 4>)
GT_FAST_SUMS (COMOMENTS, comoments, double, f64, 1024, 1)
GT_FAST_SUMS (COMOMENTS, comoments, float, f32, 1024, 1)

#define OF_INTEGERS(type, name)                                                                         \
  GT_ENTRY (total_grid_stride_##name##_u4, 1024, 1, grid_stride_sums<gt::integer_sums<type, 1, 1, false>, 4>)\
  GT_ENTRY (moments_grid_stride_##name##_u4, 1024, 1, grid_stride_sums<gt::integer_sums<type, 1, 1, true>, 4>)\
  GT_ENTRY (comoments_grid_stride_##name##_u4, 512, 1, grid_stride_sums<gt::integer_sums<type, 2, 2, true>, 4>)

OF_INTEGERS (uint64_t, u64)
OF_INTEGERS (uint32_t, u32)
