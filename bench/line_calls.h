/* Calls the functions of rows, columns and segments, those of src/lines/lines.def, and what a
   program may do instead.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_LINE_CALLS_H
#define GT_BENCH_LINE_CALLS_H

#include "kernels/types.h"

enum gt_lines_kind
{
  GT_BY_ROWS,
  GT_BY_COLUMNS,
  GT_BY_SEGMENTS,
  GT_N_LINES_KINDS
};

/* COUNT lines: rows or columns of a matrix whose rows are TDA elements apart, or segments of a
   vector of ALL elements that are STRIDE apart; on the host, or in the memory of GPU.  */
struct gt_line_call
{
  enum gt_lines_kind kind;
  const void *data;
  size_t count, length, tda, stride, all;
  const size_t *offsets; /* COUNT + 1 of segments, else null */
  void *result;          /* 16 bytes for each line */
  void *gpu;             /* null: host memory */
  void *device_offsets;  /* the offsets in the GPU's memory */
};

/* Where line I begins, and its elements.  */
struct gt_line
{
  size_t first, n, stride;
};
static inline struct gt_line
gt_line_of (const struct gt_line_call *c, size_t i)
{
  if (c->kind == GT_BY_SEGMENTS)
    return (struct gt_line) {c->offsets[i] * c->stride, c->offsets[i + 1] - c->offsets[i],
                             c->stride};
  return c->kind == GT_BY_ROWS ? (struct gt_line) {i * c->tda, c->length, 1}
                            : (struct gt_line) {i, c->length, c->tda};
}

struct gt_bench_line
{
  const char *name; /* sum */
  enum gt_element_type type;
  size_t result_size; /* bytes */
  /* Call the function of all lines, of each KIND; the latter are null if GPUs do not have the
     type.  */
  void (*all[GT_N_LINES_KINDS]) (const struct gt_line_call *c);
  void (*all_on_device[GT_N_LINES_KINDS]) (const struct gt_line_call *c);
  /* Calls our function of one vector.  */
  void (*one) (const void *x, size_t stride, size_t n, void *result);
};

struct gt_bench_lines
{
  const struct gt_bench_line *function;
  size_t count;
  void (*plain_sum) (const struct gt_line_call *c); /* a loop without a call */
};
extern const struct gt_bench_lines gt_bench_lines[GT_N_ELEMENT_TYPES];

#endif
