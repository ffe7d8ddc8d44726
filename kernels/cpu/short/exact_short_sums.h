/* Sums, dot products, norms and means of short vectors, correctly rounded without an
   accumulator.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_EXACT_SHORT_SUMS_H
#define GT_KERNELS_CPU_EXACT_SHORT_SUMS_H

#include "kernels/cpu/exact/exact.h"
#include "kernels/task.h"

/* Each stores what its name says, of N >= 1 elements, in *RESULT and returns 1: the exact
   value, rounded once, as gt_finish_... would (kernels/cpu/finish/finish.h); or it returns 0,
   when it cannot tell: of more than GT_CUTOFF_CASCADES elements, and of sums, dot products
   and norms of more than GT_CUTOFF_LONG_CASCADES, but for those of doubles side by side.  It never decides what
   over- or underflows on the way, and always decides elements that are not finite.  Needs what all exact kernels do (src/base/fpenv.h).

   X (name, type of elements, type of dot products and norms)  */
#define GT_SHORT_TYPES(X)  \
  X (f64, double, double)  \
  X (f32, float, float)

/* Both parts of the sum of the products of NUMBERS complex numbers, XS and YS apart, x's with
   SIGN times their imaginary parts; 0 as above.  */
typedef int gt_complex_dot_function (const double *x, size_t xs, const double *y, size_t ys,
                                     size_t numbers, double sign, double to[2]);

struct gt_short_isa
{
#define X(name, ctype, result)                                               \
  /* See gt_exact_short.  */                                                 \
  int (*sum_##name) (const ctype *x, size_t n, size_t stride, ctype *sum);   \
  int (*magnitudes_##name) (const ctype *x, size_t n, size_t stride,         \
                            ctype *sum);                                     \
  /* ALPHA + x y.  */                                                        \
  int (*dot_##name) (const ctype *x, size_t x_stride, const ctype *y,        \
                     size_t y_stride, size_t n, result alpha, result *to);   \
  int (*norm_##name) (const ctype *x, size_t stride, size_t n, result *to);
  GT_SHORT_TYPES (X)
#undef X
  /* The dot product of floats as a double.  */
  int (*dot_f32_f64) (const float *x, size_t x_stride, const float *y,
                      size_t y_stride, size_t n, double *to);
  /* The mean of the task's x, which is of doubles or floats.  */
  int (*mean) (const struct gt_task *task, double *to);
  gt_complex_dot_function *complex_dot;
};

#define X(id, name) gt_complex_dot_function gt_exact_complex_dot_##name;
GT_ISAS (X)
#undef X

#ifdef GT_ISA
#define X(name, ctype)                                                \
  int GT_FOR_ISA (gt_exact_short_##name) (const ctype *x, size_t n,   \
                                          size_t stride, ctype *sum); \
  int GT_FOR_ISA (gt_exact_short_magnitudes_##name) (                 \
    const ctype *x, size_t n, size_t stride, ctype *sum);
GT_EXACT_TYPES (X)
#undef X
#endif

extern const struct gt_short_isa *const gt_short_isas[GT_N_ISAS];

/* The functions of the instruction set in use.  */
static inline const struct gt_short_isa *
gt_short (void)
{
  return gt_short_isas[gt_isa ()];
}

/* Store the correctly rounded sum of N elements that lie STRIDE apart, or of
   their magnitudes, N >= 2, in *SUM and return 1; or return 0, when they cannot tell.  For
   more than GT_CUTOFF_CASCADES floats that lie side by side engines are quicker.  They are
   not for products and for elements that lie apart, which would have to be copied first.  */
#define X(name, ctype)                                                      \
  static inline int gt_exact_short_##name (const ctype *x, size_t n,        \
                                           size_t stride, ctype *sum)       \
  { return gt_short ()->sum_##name (x, n, stride, sum); }       \
  static inline int gt_exact_short_magnitudes_##name (                      \
    const ctype *x, size_t n, size_t stride, ctype *sum)                    \
  { return gt_short ()->magnitudes_##name (x, n, stride, sum); }
GT_EXACT_TYPES (X)
#undef X

#endif
