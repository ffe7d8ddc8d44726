/* Like grid_stride.cu, for products of complex numbers: both parts at once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/complex.cuh"
#include "kernels/cuda/grid_stride_sums.cuh"
#include "kernels/cuda/sums.cuh"

namespace gt
{

template <class T, bool Whole>
struct complex_inputs
{
  struct loaded
  {
    typename complex_of<T>::whole x, y;
  };
  const T *x, *y;
  uint64_t x_stride, y_stride;

  __device__ __forceinline__ loaded load (uint64_t i) const
  {
    return {load_complex<Whole> (x + 2 * i * x_stride), load_complex<Whole> (y + 2 * i * y_stride)};
  }
  __device__ __forceinline__ const loaded &taken (const loaded &r) const { return r; }
};

/* The sums of (a + b i) (c + d i); the sign of b is that of the task's scale.  */
template <class T>
struct complex_products : sums<GT_CDOT, T, fast_sums>
{
  static constexpr bool quick = false;
  template <class Loaded>
  __device__ __forceinline__ void add (const Loaded &z)
  {
    const double a = z.x.x, b = this->by.r * z.x.y, c = z.y.x, d = z.y.y;

    this->value.elements (0, a, c);
    this->value.elements (0, -b, d);
    this->value.elements (1, a, d);
    this->value.elements (1, b, c);
  }
};

template <int U, bool Whole, class T>
__device__ __forceinline__ void accumulate_complex (struct complex_products<T> &a,
                                                    const struct gt_kernel_args &args)
{
  const struct complex_inputs<T, Whole> inputs
    = {static_cast<const T *> (args.data), static_cast<const T *> (args.y), args.stride, args.y_stride};

  accumulate_places<U> (a, inputs, args.n);
}

template <class T>
__device__ __forceinline__ void multiply_complex (const struct gt_kernel_args &args)
{
  struct complex_products<T> a;

  a.begin (args);
  if (lies_whole<T> (args.data) && lies_whole<T> (args.y))
    accumulate_complex<4, true> (a, args);
  else
    accumulate_complex<4, false> (a, args);
  finish_single_pass (a, args);
}

} /* namespace gt */

#define ENTRY(name, type)                                                          \
  extern "C" __global__ void __launch_bounds__ (1024)                              \
  cdot_grid_stride_##name##_u4 (struct gt_kernel_args args)                        \
  {                                                                                \
    gt::wait_for_stream ();                                                        \
    gt::multiply_complex<type> (args);                                             \
  }

ENTRY (cf64, double)
ENTRY (cf32, float)
