/* As grid_stride.cu, sums of elements and of products of two of them: of reals in
   double, of integers without loss.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cuda/accumulate.cuh"
#include "kernels/cuda/integer_sums.cuh"
#include "kernels/cuda/sums.cuh"

/* A sum and four loads in flight leave room for full occupancy, where the compiler does
   not need more registers than it used to.  */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 1000
#define ONE_INPUT 1
#else
#define ONE_INPUT GT_FULL
#endif

/* FULL blocks of 1024 threads should be on an SM of fast sums, and blocks of compensated
   ones have so many THREADS at most.  Loads of two vectors, or compensations, leave half
   of full occupancy, which is enough for these, and a quarter for both.  */
#define OF_REALS(id, reduction, type, name, full, threads)                       \
  GT_FAST_SUMS (id, reduction, type, name, 1024, full)                           \
  GT_COMPENSATED_SUMS (id, reduction, type, name, threads)

OF_REALS (DOT, dot, double, f64, 1, 1024)
OF_REALS (DOT, dot, float, f32, 1, 1024)
OF_REALS (SUMSQ, sumsq, double, f64, ONE_INPUT, 1024)
OF_REALS (SUMSQ, sumsq, float, f32, ONE_INPUT, 1024)
OF_REALS (TOTAL, total, float, f32, ONE_INPUT, 1024)
OF_REALS (MOMENTS, moments, double, f64, ONE_INPUT, 1024)
OF_REALS (MOMENTS, moments, float, f32, ONE_INPUT, 1024)
OF_REALS (COMOMENTS, comoments, double, f64, 1, 512)
OF_REALS (COMOMENTS, comoments, float, f32, 1, 512)

#define OF_INTEGERS(type, name)                                                                         \
  GT_ENTRY (total_grid_stride_##name##_u4, 1024, 1, grid_stride_sums<gt::integer_sums<type, 1, 1, false>, 4>)\
  GT_ENTRY (moments_grid_stride_##name##_u4, 1024, 1, grid_stride_sums<gt::integer_sums<type, 1, 1, true>, 4>)\
  GT_ENTRY (comoments_grid_stride_##name##_u4, 512, 1, grid_stride_sums<gt::integer_sums<type, 2, 2, true>, 4>)

OF_INTEGERS (uint64_t, u64)
OF_INTEGERS (uint32_t, u32)
OF_INTEGERS (uint16_t, u16)
OF_INTEGERS (uint8_t, u8)
