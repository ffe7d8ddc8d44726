/* Lines of a matrix or a vector, of each of which one answer is computed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PUBLIC_LINES_H
#define GT_PUBLIC_LINES_H

#include <stddef.h>

#include "kernels/cpu/matrix/across.h"
#include "kernels/types.h"
#include "src/device/backend.h"

/* Rows, columns, or segments, which are as long as offsets say.  Steps are elements.  */
struct gt_lines
{
  const char *data;
  size_t count, step, length, stride; /* steps from line to line, strides within a line */
  const size_t *offsets; /* COUNT + 1 of segments, else null */
  size_t all;            /* elements of the vector that has the segments */
};

static inline size_t
gt_line_length (const struct gt_lines *l, size_t line)
{
  return l->offsets ? l->offsets[line + 1] - l->offsets[line] : l->length;
}

/* Returns the first element of a line, of SIZE bytes.  */
static inline const char *
gt_line_begin (const struct gt_lines *l, size_t line, size_t size)
{
  return l->data + (l->offsets ? l->offsets[line] * l->stride : line * l->step) * size;
}

/* A function of a line.  */
struct gt_line_function
{
  enum gt_line_result result;
  /* Computes it of COUNT lines from FIRST on, one by one, and stores the results APART bytes
     from each other.  Cannot fail.  */
  void (*compute) (const struct gt_lines *lines, size_t first, size_t count, char *to,
                   size_t apart);
  int exchanges; /* it exchanges elements, so it is given a copy of each line, of stride 1 */
  enum gt_arithmetic arithmetic;
  int of_none;              /* whether it is defined of no elements */
  size_t size, result_size; /* bytes of an element and of a result */
};

/* Whether it may be computed of LINES for COUNT results, and reports nothing: GSL_SUCCESS, or
   with the reason in WHY what gt_lines_compute would report.  */
int gt_lines_check (const struct gt_lines *lines, const struct gt_line_function *f, size_t count,
                    const char **why);

/* Computes it of all LINES, by several threads where that pays, and stores the results in the
   COUNT elements at TO, STRIDE apart.  Returns GSL_SUCCESS, or reports through GSL's handler,
   and has written nothing: GSL_EBADLEN if the numbers of results and lines differ, GSL_EINVAL
   if the offsets of segments decrease or are more than ALL, GSL_EDOM if a line without
   elements has no answer, GSL_ENOMEM if there is no memory for the copy of a line.  */
int gt_lines_compute (const struct gt_lines *lines, const struct gt_line_function *f, void *to,
                      size_t stride, size_t count);

/* Copies COUNT lines of N elements of SIZE bytes from FROM on, whose first elements lie side
   by side and the next ones STEP bytes from them, so that each has its elements side by side
   and APART bytes from the next line's.  */
void gt_lines_gather (const char *from, size_t step, size_t count, size_t n, char *to,
                      size_t apart, size_t size);

/* Bytes from copy to copy of lines of N elements.  */
size_t gt_lines_apart (size_t n, size_t size);

#endif
