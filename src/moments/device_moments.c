/* Adds device vectors to moments.  The GPU computes the words of all sums, which are those of
   moments of doubles.  The CPU adds copies for distances, for moments of long doubles, if the
   vectors are on several GPUs, or if a GPU fails.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "src/base/names.h"
#include "src/gpu/device_memory.h"
#include "src/moments/moments.h"

/* Elements, or pairs of elements, on the host.  */
struct operands
{
  const void *x, *y;
  size_t x_stride, y_stride, n;
};

/* Returns a description of the sums for the GPU.  Neighbours are pairs of an element and its
   successor.  */
static struct gt_powers
powers_of (const gsltune_moments *m, enum gt_arithmetic arithmetic,
           const struct gsltune_device_memory *x, const struct gsltune_device_memory *y)
{
  struct gt_powers p = {
    .arithmetic = arithmetic, .n = x->n, .x = {x->data, x->stride}, .y = {x->data, x->stride},
    .formula = {.weighted = m->kind == GSLTUNE_MOMENTS_WEIGHTED},
    .moments = m->sums, .n_words = m->n_words
  };

  if (y)
    p.y = (struct gt_operand) {y->data, y->stride};
  else if (m->kind == GSLTUNE_MOMENTS_NEIGHBOURS)
    p.y.data = (const char *) x->data + x->stride * gt_element_size (arithmetic);
  return p;
}

/* Adds X, or pairs of X and Y, on the GPU.  Returns 0, without adding anything, if that is not
   possible.  */
static int
add_there (gsltune_moments *m, enum gt_arithmetic arithmetic,
           const struct gsltune_device_memory *x, const struct gsltune_device_memory *y)
{
  const struct gsltune_device_memory *const both[2] = {x, y ? y : x};
  struct gt_powers powers = powers_of (m, arithmetic, x, y);
  struct gt_powers_control control = {0};
  struct gt_keeping keeping = {.powers = &powers};
  gsltune_moments *part;
  int added;

  if (m->wide || m->power == 0 || x->gpu != both[1]->gpu
      || gt_device_memory_join (both, 2, &keeping.stream))
    return 0;
  part = gt_moments_alloc_like (m);
  if (part == NULL)
    return 0;
  powers.words = part->words;
  powers.control = &control;
  if (keeping.stream == NULL)
    keeping.stream = GT_THREAD_STREAM;
  added = gt_gpus->keep (x->gpu, &keeping) == 0;
  part->n = m->kind == GSLTUNE_MOMENTS_WEIGHTED ? control.count : x->n;
  part->flags[0] = control.flags[0];
  part->flags[1] = y ? control.flags[1] : 0;
  gt_moments_carry (part);
  if (added)
    gsltune_moments_merge (m, part);
  gsltune_moments_free (part);
  return added;
}

/* Returns whether M contains only a sum of elements or of products, for which there are
   kernels.  */
static int
is_of_kernels (const gsltune_moments *m, enum gt_arithmetic arithmetic)
{
  return m->power == 1 && gt_is_double_or_float (arithmetic)
         && (m->kind == GSLTUNE_MOMENTS_PLAIN || m->kind == GSLTUNE_MOMENTS_PAIRS);
}

/* Adds such a sum of vectors on GPUs.  */
static int
add_sum (gsltune_moments *m, enum gt_arithmetic arithmetic,
         const struct gsltune_device_memory *x, const struct gsltune_device_memory *y)
{
  const struct gsltune_device_memory *const both[2] = {x, y ? y : x};
  const enum gt_moment which = y ? GT_MOMENT_PRODUCTS : GT_MOMENT_1;
  struct gt_task task
    = gt_task_of_pair (GT_SUM, arithmetic, GT_MODE_EXACT, (struct gt_operand) {x->data, x->stride},
                       (struct gt_operand) {both[1]->data, both[1]->stride}, x->n);
  union gt_value value;
  const char *why;
  int status;

  task.problem.reduction = gt_moments_reduction (which, &task);
  status = gt_device_memory_sums (both, &task, &value, &why);
  if (status)
    GSL_ERROR (why, status);
  m->flags[0] |= gt_moments_add_value (m, which, 0, &value);
  m->n += x->n;
  return GSL_SUCCESS;
}

static int
add_copies (gsltune_moments *m, enum gt_arithmetic arithmetic,
            const struct gsltune_device_memory *x, const struct gsltune_device_memory *y,
            int (*add_here) (gsltune_moments *, const struct operands *))
{
  struct gt_operand of[2] = {{x->data, x->stride}, {NULL, 1}};
  void *copy[2] = {NULL, NULL};
  const char *why;
  int status = gt_device_memory_copy_back (x, arithmetic, x->n, &of[0], &copy[0], &why);

  if (status == GSL_SUCCESS && y)
    {
      of[1] = (struct gt_operand) {y->data, y->stride};
      status = gt_device_memory_copy_back (y, arithmetic, y->n, &of[1], &copy[1], &why);
    }
  if (status == GSL_SUCCESS)
    add_here (m, &(struct operands) {of[0].data, of[1].data, of[0].stride, of[1].stride, x->n});
  free (copy[0]);
  free (copy[1]);
  if (status)
    GSL_ERROR (why, status);
  return GSL_SUCCESS;
}

/* Adds X, or pairs of X and Y.  */
static int
add (gsltune_moments *m, enum gt_arithmetic arithmetic, const struct gsltune_device_memory *x,
     const struct gsltune_device_memory *y,
     int (*add_here) (gsltune_moments *, const struct operands *))
{
  const struct operands none = {.y = y, .x_stride = 1, .y_stride = 1};
  const char *why;
  int status;

  if (y && x->n != y->n)
    GSL_ERROR ("vectors must have same length", GSL_EBADLEN);
  /* Adding no elements checks whether the moments are of the right kind.  */
  status = add_here (m, &none);
  if (status || x->n == 0)
    return status;
  for (int k = 0; k < 2; k++)
    if ((k ? y : x) && (k ? y : x)->gpu && (status = gt_device_memory_check (k ? y : x, &why)))
      GSL_ERROR (why, status);
  if (x->gpu && is_of_kernels (m, arithmetic))
    return add_sum (m, arithmetic, x, y);
  if (x->gpu && add_there (m, arithmetic, x, y))
    return GSL_SUCCESS;
  return add_copies (m, arithmetic, x, y, add_here);
}

#define GT_TEMPLATE "src/moments/device_moments.inc"
#include "src/each_type.h"
