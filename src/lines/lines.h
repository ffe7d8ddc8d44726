/* Lines of a matrix or a vector; a function computes one result for each line.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PUBLIC_LINES_H
#define GT_PUBLIC_LINES_H

#include <stddef.h>

#include "kernels/cpu/matrix/across.h"
#include "kernels/types.h"
#include "src/device/backend.h"

/* Rows, columns, or segments, whose lengths follow from the offsets.  Steps are in
   elements.  */
struct gt_lines
{
  const char *data;
  size_t count, step, length, stride; /* steps from line to line, strides within a line */
  const size_t *offsets; /* COUNT + 1 of segments, else null */
  size_t all;            /* elements of the vector that contains the segments */
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
  /* Computes the results of COUNT lines, beginning with line FIRST, one by one, and stores
     them APART bytes from each other.  Cannot fail.  */
  void (*compute) (const struct gt_lines *lines, size_t first, size_t count, char *to,
                   size_t apart);
  int exchanges; /* it exchanges elements, so it is given a copy of each line, of stride 1 */
  enum gt_arithmetic arithmetic;
  int of_none;              /* whether it is defined for an empty line */
  size_t size, result_size; /* bytes of an element and of a result */
};

/* Checks the arguments without reporting: returns GSL_SUCCESS if COUNT results of LINES can be
   computed, otherwise the error of gt_lines_compute, with the reason in WHY.  */
int gt_lines_check (const struct gt_lines *lines, const struct gt_line_function *f, size_t count,
                    const char **why);

/* Computes the results of all LINES, with several threads if that is faster, and stores them
   in the COUNT elements at TO, STRIDE apart.  Returns GSL_SUCCESS, or reports without having
   written anything: GSL_EBADLEN if the numbers of results and lines differ, GSL_EINVAL if the
   offsets of segments decrease or exceed ALL, GSL_EDOM if an empty line has no result,
   GSL_ENOMEM if there is no memory for the copy of a line.  */
int gt_lines_compute (const struct gt_lines *lines, const struct gt_line_function *f, void *to,
                      size_t stride, size_t count);

/* Transposes COUNT lines of N elements of SIZE bytes.  At FROM the first elements are
   neighbours, and the elements of a line are STEP bytes apart; in the copy the elements of a
   line are neighbours, and lines are APART bytes apart.  */
void gt_lines_gather (const char *from, size_t step, size_t count, size_t n, char *to,
                      size_t apart, size_t size);

/* Returns the bytes from copy to copy for lines of N elements.  */
size_t gt_lines_apart (size_t n, size_t size);

#endif
