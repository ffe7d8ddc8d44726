/* A stand-in for libgsltune in tests/test_preload.sh, and the program that calls GSL's
   functions and must reach it, share this.  A call leaves a note of the function and of
   its arguments, and gives ANSWER, or that and the numbers that follow.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_STAND_IN_H
#define GT_STAND_IN_H

#include <gsl/gsl_blas.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_vector.h>

#include "src/preload/taken.h"
#include "src/prototypes.h"

#define ANSWER 42

/* Where a product is, or the real part of a complex one.  */
#define REAL_PART(to)                                             \
  (*_Generic ((to), gsl_complex *: (double *) (void *) (to),      \
              gsl_complex_float *: (float *) (void *) (to), default: (to)))

struct note
{
  int calls;
  enum gt_taken_id id;
  const void *x, *y;
  size_t s, t, n;
  double u, v;
};
#define SAME_NOTES(a, b)                                                   \
  (a.calls == b.calls && a.id == b.id && a.x == b.x && a.y == b.y          \
   && a.s == b.s && a.t == b.t && a.n == b.n && a.u == b.u && a.v == b.v)

/* The note of a call, by the names of src/prototypes.h.  */
#define NOTED(symbol, prototype) \
  GT_TAKEN_##symbol, NAMED_BY (NOTED_, GT_OPERANDS (prototype), ), GT_GIVEN (prototype)
#define NOTED_VECTOR v, 0, 0, 0, 0
#define NOTED_VECTORS x, y, 0, 0, 0
#define NOTED_ARRAY data, 0, stride, 0, n
#define NOTED_ARRAYS data1, data2, stride1, stride2, n
#define NOTED_MATRIX m, 0, 0, 0, 0

#endif
