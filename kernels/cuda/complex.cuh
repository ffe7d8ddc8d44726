/* Complex numbers in memory.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_COMPLEX_CUH
#define GT_KERNELS_CUDA_COMPLEX_CUH

#include "kernels/cuda/reduce.cuh"

namespace gt
{

/* A complex number with parts of type T.  */
template <class T>
struct complex_of;
template <>
struct complex_of<double>
{
  typedef double2 whole;
};
template <>
struct complex_of<float>
{
  typedef float2 whole;
};

/* Returns whether the address is a multiple of the size of a complex number, so that one load
   reads both parts; it is always a multiple of the size of a part.  */
template <class T>
__device__ __forceinline__ bool lies_whole (const void *data)
{
  return reinterpret_cast<uintptr_t> (data) % (2 * sizeof (T)) == 0;
}

template <bool Whole, class T>
__device__ __forceinline__ typename complex_of<T>::whole load_complex (const T *from)
{
  typename complex_of<T>::whole z;

  if (Whole)
    return __ldcg (reinterpret_cast<const typename complex_of<T>::whole *> (from));
  z.x = __ldcg (from);
  z.y = __ldcg (from + 1);
  return z;
}

} /* namespace gt */

#endif
