/* What stands for libgsltune in tests/test_preload.sh, and the program that calls GSL's
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

#define ANSWER 42

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

#define VECTOR NAMED (gsl_vector, )
#define MATRIX NAMED (gsl_matrix, )
#define VECTOR_ID(name) NAMED (GT_TAKEN_vector, _##name)
#define STATS_ID(name) NAMED (GT_TAKEN_stats, _##name)
#define MATRIX_ID(name) NAMED (GT_TAKEN_matrix, _##name)

/* The rows of src/functions.def make FAMILY_RESULT (name), or nothing.  */
#define FUNCTION(family, name, reduction, result, types, ...) \
  OF_##family##_##types (family##_##result, name)
#define OF_DEVICE_VECTOR_GPU(...)
#define OF_DEVICE_VECTOR_REAL(...)
#define OF_BLAS_DOUBLE(...)
#define OF_BLAS_FLOAT(...)
#define OF_VECTOR_ALL(make, name) make (name)
#define OF_STATS_ALL(make, name) make (name)
#define OF_MATRIX_ALL(make, name) make (name)

#endif
