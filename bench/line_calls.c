/* Calls the functions of rows, columns and segments.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/line_calls.h"

#include <string.h>

#include "src/gsltune.h"

#define IF(condition, ...) IF_ (condition, __VA_ARGS__)
#define IF_(condition, ...) IF_##condition (__VA_ARGS__)
#define IF_0(...)
#define IF_1(...) __VA_ARGS__
#define LINE_OF_ALL(...) __VA_ARGS__
#define LINE_OF_REAL(...) IF (IS_DOUBLE, __VA_ARGS__) IF (IS_FLOAT, __VA_ARGS__)

/* The names of lines.def.  */
#define VIEW (&(const NAMED (gsl_vector, )) {n, stride, (TYPE *) x, NULL, 0})
#define X x
#define BLAS_OF(name) NAMED_BY (gsltune_blas_, LETTER, name)
#define NUMBER_SAME TYPE
#define NUMBER_DOUBLE double
#define NUMBER_INDEX unsigned long
#define RESULT_SAME NAMED (gsl_vector, )
#define RESULT_DOUBLE gsl_vector
#define RESULT_INDEX gsl_vector_ulong
#define DEVICE_SAME NAMED (gsltune_device_vector, )
#define DEVICE_DOUBLE gsltune_device_vector
#define DEVICE_INDEX gsltune_device_vector_ulong

#define ROWS_OF(c) (c)->kind == GT_BY_ROWS ? (c)->count : (c)->length
#define COLUMNS_OF(c) (c)->kind == GT_BY_ROWS ? (c)->length : (c)->count
#define MATRIX                                                                    \
  (&(const NAMED (gsl_matrix, )) {ROWS_OF (c), COLUMNS_OF (c), c->tda,            \
                                  (TYPE *) c->data, NULL, 0})
#define VECTOR (&(const NAMED (gsl_vector, )) {c->all, c->stride, (TYPE *) c->data, NULL, 0})
#define RESULT(as) (&(RESULT_##as) {c->count, 1, c->result, NULL, 0})
#define MEMORY_OF(address, elements, apart) \
  {.data = (void *) (address), .n = (elements), .stride = (apart), .gpu = c->gpu}
#define DEVICE_MATRIX                                             \
  (&(const NAMED (gsltune_device_matrix, )) {{                    \
    MEMORY_OF (c->data, (ROWS_OF (c)) * c->tda, 1), ROWS_OF (c), COLUMNS_OF (c), c->tda}})
#define DEVICE_VECTOR \
  (&(const NAMED (gsltune_device_vector, )) {MEMORY_OF (c->data, c->all, c->stride)})
#define DEVICE_OFFSETS \
  (&(const gsltune_device_vector_ulong) {MEMORY_OF (c->device_offsets, c->count + 1, 1)})
#define DEVICE_RESULT(as) (&(DEVICE_##as) {MEMORY_OF (c->result, c->count, 1)})

#define GT_TEMPLATE "bench/line_calls.inc"
#include "src/each_type.h"

const struct gt_bench_lines gt_bench_lines[GT_N_ELEMENT_TYPES] = {
#define ROW(id, name, infix, ctype, arithmetic) \
  [GT_TYPE_##id] = {lines##infix, sizeof lines##infix / sizeof *lines##infix, \
                     plain_sum##infix},
  GT_ELEMENT_TYPES (ROW)
};
