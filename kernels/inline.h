/* Attributes for functions and loops that are written once and compiled for each case: a
   constant argument is a constant inside.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_INLINE_H
#define GT_KERNELS_INLINE_H

#define INLINE static inline __attribute__ ((always_inline))
#if defined __clang__
#define UNROLL _Pragma ("clang loop unroll(full)")
#else
#define UNROLL _Pragma ("GCC unroll 16")
#endif
#define MAGNITUDE_f64 __builtin_fabs
#define MAGNITUDE_f32 __builtin_fabsf
#define MAGNITUDE_ldbl __builtin_fabsl
#define UNLIKELY(condition) __builtin_expect (condition, 0)

#endif
