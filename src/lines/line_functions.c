/* The public functions of rows, columns and segments, on the host, on devices and in streams.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

/* This optimization would store a length and a stride by one instruction, so that the function
   of one vector would receive the length later, and with it each branch that depends on
   it.  */
#ifndef __clang__
#pragma GCC optimize ("no-tree-slp-vectorize")
#endif

#include <math.h>

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/lines/device_lines.h"
#include "src/lines/lines.h"

/* The functions for one type of element, on the host: one for the rows of a matrix, one for
   its columns and one for segments.  */
#define X ((const TYPE *) (const void *) x)
#define VIEW (&(const NAMED (gsl_vector, )) {n, stride, (TYPE *) X, NULL, 0})
#define BLAS_OF(name) NAMED_BY (gsltune_blas_, LETTER, name)
#define COMPUTE(name, number, expression)                                                  \
  static void NAMED (compute, _##name) (const struct gt_lines *l, size_t first, size_t count, \
                                        char *to, size_t apart)                            \
  {                                                                                        \
    const struct gt_lines lines = *l;                                                      \
    const size_t stride = lines.stride, end = first + count;                               \
    for (; first < end; first++, to += apart)                                              \
      {                                                                                    \
        const char *const x = gt_line_begin (&lines, first, sizeof (TYPE));                \
        const size_t n = gt_line_length (&lines, first);                                   \
        (void) stride;                                                                     \
        *(number *) to = (number) (expression);                                            \
      }                                                                                    \
  }

#define LINES_OF(from, ...) \
  (&(const struct gt_lines) {.data = (const char *) (from)->data, __VA_ARGS__})
#define ROWS_OF(m) \
  LINES_OF (m, .count = m->size1, .length = m->size2, .step = m->tda, .stride = 1)
#define COLUMNS_OF(m) \
  LINES_OF (m, .count = m->size2, .length = m->size1, .step = 1, .stride = m->tda)
#define SEGMENTS_OF(v, ends, number) \
  LINES_OF (v, .count = number, .stride = v->stride, .offsets = ends, .all = v->size)
#define RESULTS result->data, result->stride, result->size
#define ON_HOST(name, vector, number, none, ...)                                           \
  static const struct gt_line_function NAMED (line, _##name)                               \
    = {.compute = NAMED (compute, _##name), .arithmetic = ARITHMETIC, .of_none = none,     \
       .size = sizeof (TYPE), .result_size = sizeof (number), __VA_ARGS__};                \
  int NAMED (gsltune_matrix, _row_##name) (const NAMED (gsl_matrix, ) *m, vector *result)  \
  { return gt_lines_compute (ROWS_OF (m), &NAMED (line, _##name), RESULTS); } \
  int NAMED (gsltune_matrix, _column_##name) (const NAMED (gsl_matrix, ) *m, vector *result) \
  { return gt_lines_compute (COLUMNS_OF (m), &NAMED (line, _##name), RESULTS); } \
  int NAMED (gsltune_vector, _segment_##name) (const NAMED (gsl_vector, ) *v,              \
    const size_t *offsets, size_t count, vector *result)                                   \
  { return gt_lines_compute (SEGMENTS_OF (v, offsets, count), &NAMED (line, _##name), RESULTS); }

/* The same functions for device vectors and matrices, and in streams.  */
#define HOW (&(const struct gt_stream_call) {.stream = stream, .mode = mode, .scratch = scratch})
#define DEVICE_MATRIX NAMED (gsltune_device_matrix, )
#define DEVICE_VECTOR NAMED (gsltune_device_vector, )
#define ON_A_DEVICE(name, vector)                                                           \
  int NAMED (gsltune_device_matrix, _row_##name) (const DEVICE_MATRIX *m, vector *result)  \
  { return gt_device_rows_compute (&m->table, &NAMED (line, _##name), &result->memory); }  \
  int NAMED (gsltune_device_matrix, _column_##name) (const DEVICE_MATRIX *m, vector *result) \
  { return gt_device_columns_compute (&m->table, &NAMED (line, _##name), &result->memory); } \
  int NAMED (gsltune_device_vector, _segment_##name) (                                     \
    const DEVICE_VECTOR *v, const gsltune_device_vector_ulong *offsets, vector *result)    \
  { return gt_device_segments_compute (&v->memory, &offsets->memory, &NAMED (line, _##name), &result->memory); }
#define IN_A_STREAM(name, vector)                                                           \
  int NAMED (gsltune_device_matrix, _row_##name##_to) (const DEVICE_MATRIX *m, vector *result, \
    void *stream, gsltune_mode mode, gsltune_scratch *scratch)                             \
  { return gt_device_lines_keep (&m->table, 0, &NAMED (line, _##name), &result->memory, HOW); } \
  int NAMED (gsltune_device_matrix, _column_##name##_to) (const DEVICE_MATRIX *m, vector *result, \
    void *stream, gsltune_mode mode, gsltune_scratch *scratch)                             \
  { return gt_device_lines_keep (&m->table, 1, &NAMED (line, _##name), &result->memory, HOW); } \
  int NAMED (gsltune_device_vector, _segment_##name##_to) (const DEVICE_VECTOR *v,         \
    const gsltune_device_vector_ulong *offsets, vector *result, void *stream,              \
    gsltune_mode mode, gsltune_scratch *scratch)                                           \
  { return gt_device_segments_keep (&v->memory, &offsets->memory, &NAMED (line, _##name), &result->memory, HOW); }

/* Expands to its text if A or B is 1; both are columns of a type.  */
#define IF_EITHER(a, b, ...) IF_EITHER_ (a, b, __VA_ARGS__)
#define IF_EITHER_(a, b, ...) IF_##a##b (__VA_ARGS__)
#define IF_00(...)
#define IF_01(...) __VA_ARGS__
#define IF_10(...) __VA_ARGS__

#define STREAMS_DOUBLE 1
#define STREAMS_FLOAT 1
#define STREAMS_INT 1
#define RESULT_SAME NAMED (gsl_vector, ), NAMED (gsltune_device_vector, ), TYPE
#define RESULT_DOUBLE gsl_vector, gsltune_device_vector, double
#define RESULT_INDEX gsl_vector_ulong, gsltune_device_vector_ulong, unsigned long
#define EVERYWHERE(...) EVERYWHERE_OF (__VA_ARGS__)
#define EVERYWHERE_OF(name, vector, device_vector, number, what, none, expression)         \
  COMPUTE (name, number, expression)                                                       \
  ON_HOST (name, vector, number, none, .result = GT_LINE_##what)                      \
  ON_DEVICE (name, device_vector)                                                          \
  IN_STREAM (name, device_vector)
#define LINE_OF_ALL(...) EVERYWHERE (__VA_ARGS__)
#define LINE_OF_REAL(...) IF_EITHER (IS_DOUBLE, IS_FLOAT, EVERYWHERE (__VA_ARGS__))
#define LINE(name, types, result, what, none, expression) \
  LINE_OF_##types (name, RESULT_##result, what, none, expression)

#define GT_TEMPLATE "src/lines/lines.inc"
#include "src/each_type.h"
