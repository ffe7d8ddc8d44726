/* Vectors with extremes wherever they are awkward, of every arithmetic, and whether a value has
   them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_ORDER_DATA_H
#define GT_TEST_ORDER_DATA_H

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_vector.h>

#include "kernels/cpu/sums/combine.h"
#include "tests/exact.h"

enum data_kind
{
  WIDE,          /* any numbers */
  TIES,          /* few different ones, infinities and no zeros among them */
  ZEROS,         /* of both signs */
  SOWN_WITH_NAN,
  ALL_NAN,       /* integers: the least and the greatest */
  N_SOWN,        /* so many kinds of elements that do not hang on their places */
  RISING = N_SOWN,
  FALLING,
  SUBNORMALS,    /* integers: as planted ones, without these */
  LOWEST,        /* all of them; -infinity */
  HIGHEST,
  PLANTED,       /* two of the greatest and of the least somewhere, and NaN */
  N_KINDS
};

/* Where the extremes are.  */
struct expected
{
  size_t most, least, magnitude;
};

#define GSL_f64(name) gsl_vector_##name
#define GSL_f32(name) gsl_vector_float_##name
#define GSL_ldbl(name) gsl_vector_long_double_##name
#define GSL_u64(name) gsl_vector_ulong_##name
#define GSL_u32(name) gsl_vector_uint_##name
#define GSL_u16(name) gsl_vector_ushort_##name
#define GSL_u8(name) gsl_vector_uchar_##name
#define GSL_i64(name) gsl_vector_long_##name
#define GSL_i32(name) gsl_vector_int_##name
#define GSL_i16(name) gsl_vector_short_##name
#define GSL_i8(name) gsl_vector_char_##name
#define GT_TEMPLATE "tests/order_data.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

static const struct
{
  void (*fill) (void *data, size_t n, size_t stride, enum data_kind kind, uint64_t seed);
  void (*expect) (const void *data, size_t n, size_t stride, struct expected *expected);
  void (*expect_of_gsl) (const void *data, size_t n, size_t stride, struct expected *expected);
} ordered[GT_N_ARITHMETICS] = {
#define X(id, name, ctype, real) \
  [GT_##id] = {fill_##name, expect_##name, expect_of_gsl_##name},
  GT_ARITHMETICS (X)
#undef X
};

/* The bytes of an element that are its value's.  */
static inline size_t
value_bytes (enum gt_arithmetic arithmetic)
{
  return arithmetic == GT_LDBL && LDBL_MANT_DIG == 64
           ? 10 : gt_element_size (arithmetic);
}

static inline int
is_at (const struct gt_task *task, const union gt_value *value, int k, size_t at)
{
  const enum gt_arithmetic a = task->problem.arithmetic;
  const size_t size = gt_element_size (a);
  const char *element = (const char *) task->x.data + at * task->x.stride * size;

  return value->where.index[k] == task->origin + at
         && memcmp ((const char *) value + (size_t) k * size, element, value_bytes (a)) == 0;
}

/* Whether VALUE has the extremes of TASK, whose elements are on the host, and their places.  */
static inline int
is_right (const struct gt_task *task, const struct expected *expected, const union gt_value *value)
{
  switch (task->problem.reduction)
    {
    case GT_MAX:
      return is_at (task, value, 0, expected->most);
    case GT_MIN:
      return is_at (task, value, 0, expected->least);
    case GT_MINMAX:
      return is_at (task, value, 0, expected->least) && is_at (task, value, 1, expected->most);
    default:
      return is_at (task, value, 0, expected->magnitude);
    }
}

#endif
