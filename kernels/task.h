/* A task: a problem and its data.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_TASK_H
#define GT_KERNELS_TASK_H

#include "kernels/reductions.h"
#include "kernels/types.h"

/* A problem: the key of plans, profiles and tables.  */
struct gt_problem
{
  enum gt_reduction reduction;
  enum gt_arithmetic arithmetic;
  enum gt_mode mode;
  enum gt_layout layout; /* contiguous: each vector is */
  uint64_t n; /* elements of each vector */
};

/* The elements of one input.  */
struct gt_operand
{
  const void *data; /* element 0, in memory that the computing device can read */
  uint64_t stride;  /* from one element to the next, in elements */
};

/* A problem with its data, which a public function passes to a kernel.  Y, SHIFT and SCALE are
   for the reductions that use them (kernels/reductions.def).

   SINGLE is set if the sum will be rounded to float: a fast dot product of floats may then
   round intermediate sums to float, with an error within 2^-19 of the sum of the products'
   magnitudes.  More accurate kernels ignore it.  */
struct gt_task
{
  struct gt_problem problem;
  struct gt_operand x;
  uint64_t origin; /* the index of element 0 in the whole vector */
  struct gt_operand y;
  double shift[2]; /* a and b, which are subtracted from x and y */
  double scale;    /* r: a sign */
  int single;
};

static inline enum gt_layout
gt_layout_of (uint64_t stride)
{
  return stride == 1 ? GT_CONTIGUOUS : GT_STRIDED;
}

static inline struct gt_task
gt_task_of (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
            enum gt_mode mode, const void *data, uint64_t n, uint64_t stride)
{
  return (struct gt_task) {
    .problem = {reduction, arithmetic, mode, gt_layout_of (stride), n},
    .x = {data, stride},
    .origin = 0,
    .y = {NULL, 0},
    .shift = {0, 0},
    .scale = 0,
    .single = 0
  };
}

/* Does the same for two vectors, x and y.  */
static inline struct gt_task
gt_task_of_pair (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
                 enum gt_mode mode, struct gt_operand x, struct gt_operand y,
                 uint64_t n)
{
  struct gt_task task
    = gt_task_of (reduction, arithmetic, mode, x.data, n, x.stride);

  task.y = y;
  if (y.stride != 1)
    task.problem.layout = GT_STRIDED;
  return task;
}

/* Returns the bytes of an element.  */
static inline size_t
gt_element_size (enum gt_arithmetic arithmetic)
{
  static const unsigned char size[GT_N_ARITHMETICS] = {
#define X(id, name, ctype, real) [GT_##id] = sizeof (ctype),
    GT_ARITHMETICS (X)
    GT_COMPLEX_ARITHMETICS (X)
#undef X
  };

  return size[arithmetic];
}

/* Checks whether a GPU can read elements at ADDRESS, which must be a multiple of their size:
   otherwise a kernel would destroy the context.  The CPU can read any address.  */
static inline int
gt_aligned (enum gt_arithmetic arithmetic, const void *address)
{
  return (uintptr_t) address % gt_element_size (gt_part_arithmetic (arithmetic)) == 0;
}

static inline unsigned
gt_inputs (const struct gt_problem *problem)
{
  return gt_reductions[problem->reduction].inputs;
}

/* Returns the bytes of the elements of all inputs.  */
static inline uint64_t
gt_problem_bytes (const struct gt_problem *problem)
{
  return problem->n * gt_element_size (problem->arithmetic)
         * gt_inputs (problem);
}

/* Returns input K of TASK, 0 or 1.  */
static inline struct gt_operand *
gt_task_input (struct gt_task *task, unsigned k)
{
  return k == 0 ? &task->x : &task->y;
}

/* Checks whether a GPU can read all inputs of TASK.  */
static inline int
gt_task_aligned (const struct gt_task *task)
{
  return gt_aligned (task->problem.arithmetic, task->x.data)
         && (gt_inputs (&task->problem) == 1
             || gt_aligned (task->problem.arithmetic, task->y.data));
}

/* Moves input K of TASK by BYTES; does nothing if TASK has no such input.  */
static inline void
gt_task_move (struct gt_task *task, unsigned k, size_t bytes)
{
  struct gt_operand *input = gt_task_input (task, k);

  if (k < gt_inputs (&task->problem))
    input->data = (const char *) input->data + bytes;
}

/* Returns N elements of TASK, beginning with element BEGIN.  The layout stays that of the
   whole.  */
static inline struct gt_task
gt_task_part (const struct gt_task *task, uint64_t begin, uint64_t n)
{
  struct gt_task part = *task;
  size_t step = gt_element_size (task->problem.arithmetic);

  gt_task_move (&part, 0, begin * task->x.stride * step);
  gt_task_move (&part, 1, begin * task->y.stride * step);
  part.problem.n = n;
  part.origin += begin;
  return part;
}

#endif
