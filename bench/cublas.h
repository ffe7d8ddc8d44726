/* cuBLAS, if the machine has it: opened at run time, so that neither the build nor the
   benchmark needs it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_CUBLAS_H
#define GT_BENCH_CUBLAS_H

#include <stdint.h>

struct gt_cublas;

/* For the current device of CUDA's runtime, with what is computed in STREAM, a
   cudaStream_t.  Null with the reason in WHY, static text.  */
struct gt_cublas *gt_cublas_open (void *stream, const char **why);
void gt_cublas_close (struct gt_cublas *cublas);

/* The sum of the magnitudes of N doubles at a device address, and the index, from 0 on,
   of the largest of them, on the host when the call returns.  Each returns a
   cublasStatus_t: 0 is success.  */
int gt_cublas_dasum (struct gt_cublas *cublas, const void *data, uint64_t n,
                     double *sum);
int gt_cublas_idamax (struct gt_cublas *cublas, const void *data, uint64_t n,
                      double *index);
/* The dot product of N doubles at each of two, and the norm of those at one.  */
int gt_cublas_ddot (struct gt_cublas *cublas, const void *x, const void *y,
                    uint64_t n, double *result);
int gt_cublas_dnrm2 (struct gt_cublas *cublas, const void *data, uint64_t n,
                     double *norm);

/* y := A x and C := A B of matrices that are stored by columns, transposed where TURN is 1:
   A of ROWS and COLUMNS with nothing between its columns; C of M and N, of K products each,
   A and B with STEPs from one column to the next.  They do not wait.  */
int gt_cublas_dgemv (struct gt_cublas *cublas, int turn, int rows, int columns,
                     const double *a, const double *x, double *y);
int gt_cublas_dgemm (struct gt_cublas *cublas, int turn_a, int turn_b, int m, int n,
                     int k, const double *a, int a_step, const double *b, int b_step,
                     double *c);

#endif
