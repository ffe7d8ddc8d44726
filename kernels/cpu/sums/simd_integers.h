/* Functions of kernels/cpu/sums/simd_integers.c for kernels/cpu/sums/simd_sums.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_SIMD_INTEGERS_H
#define GT_KERNELS_CPU_SIMD_INTEGERS_H

#include "kernels/catalog.h"

/* The function for PROBLEM, whose values are sums of integers; of either
   layout.  */
gt_cpu_function *
GT_FOR_ISA (gt_cpu_simd_integers) (const struct gt_problem *problem);

#endif
