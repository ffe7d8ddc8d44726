/* Updates of BLAS of level 1: vectors changed element by element.

   Each operation of IEEE arithmetic is rounded, in the order in which the Basic Linear Algebra
   Subprograms have them (C. L. Lawson, R. J. Hanson, D. R. Kincaid, F. T. Krogh, ACM
   Transactions on Mathematical Software 5, 1979), and none is fused: so the bits are the same
   with every instruction set, and those of a compiled loop that fuses nothing.

   Vectors lie side by side and do not overlap.  N counts elements, of complex ones both parts
   as one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_UPDATES_H
#define GT_KERNELS_CPU_UPDATES_H

#include <stddef.h>

#include "kernels/cpu/isa/isa.h"

/* The functions for one type of parts.  A complex ALPHA is RE and IM.  */
#define GT_UPDATES_OF(name, type)                                                           \
  void (*axpy_##name) (type alpha, const type *x, type *y, size_t n);                       \
  void (*scal_##name) (type alpha, type *x, size_t n);                                      \
  void (*swap_##name) (type *x, type *y, size_t n);                                         \
  void (*rot_##name) (type *x, type *y, type c, type s, size_t n);                          \
  void (*axpy_complex_##name) (type re, type im, const type *x, type *y, size_t n);        \
  void (*scal_complex_##name) (type re, type im, type *x, size_t n)

struct gt_updates
{
  GT_UPDATES_OF (f64, double);
  GT_UPDATES_OF (f32, float);
};

extern const struct gt_updates *const gt_updates_isas[GT_N_ISAS];

static inline const struct gt_updates *
gt_updates (void)
{
  return gt_updates_isas[gt_isa ()];
}

#endif
