/* The library's sums by one thread, whatever the plans say.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_ONE_THREAD_H
#define GT_BENCH_ONE_THREAD_H

#include <gsl/gsl_vector.h>

#include "kernels/types.h"

/* What gsltune_vector_sum and its kin do with GSLTUNE_THREADS=1, in the mode in
   force: where the plan has several threads, the same configuration with one.
   For contiguous vectors.  */
double gt_one_thread_f64 (const gsl_vector *v);
float gt_one_thread_f32 (const gsl_vector_float *v);
int gt_one_thread_u32 (const gsl_vector_int *v);

/* The threads of the plan for N contiguous elements in the mode in force.  */
unsigned gt_planned_threads (enum gt_arithmetic arithmetic, uint64_t n);

#endif
