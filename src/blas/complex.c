/* The public reductions of complex vectors, on the host and on GPUs: those of BLAS level 1 in
   GSL.
   The norm and the sum of the magnitudes are those of all parts.  So contiguous vectors are
   treated as real ones of twice the length, and others as two vectors, the real and the
   imaginary parts.  Fast products have their own kernels.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/sums/combine.h"
#include "kernels/cutoffs.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/reduce/device_vector_sum.h"
#include "src/reduce/exact_sums.h"
#include "src/reduce/sample.h"
#include "src/route/reduce.h"

/* Returns a view of the real (PART 0) or imaginary parts of V; a part has SIZE bytes.  The
   stride of a single element may be any number, so that its double may overflow.  */
static struct gsltune_device_memory
part_of (const struct gsltune_device_memory *v, size_t part, size_t size)
{
  struct gsltune_device_memory view = *v;

  view.view = 1;
  view.data = (char *) view.data + part * size;
  if (view.stride <= SIZE_MAX / 2)
    view.stride *= 2;
  return view;
}

/* Vectors, on the host or on a GPU, and the sample of their elements.  */
struct vectors
{
  const struct gsltune_device_memory *x, *y;
  struct gt_sample sample;
};

/* Stores REDUCTION of one part of x and one of y, unfinished.  Returns its problem.  */
static struct gt_problem
sums_of_parts (struct vectors *v, size_t of_x, size_t of_y, enum gt_reduction reduction,
               enum gt_mode mode, union gt_value *value)
{
  const enum gt_arithmetic arithmetic = gt_part_arithmetic (v->sample.task.problem.arithmetic);
  const size_t size = gt_element_size (arithmetic);
  const struct gsltune_device_memory x = part_of (v->x, of_x, size), y = part_of (v->y, of_y, size);
  struct gt_sample parts;

  gt_sample_of_memory (&parts, arithmetic, &x, &y);
  gt_sample_sums (&parts, reduction, mode, value);
  v->sample.status = parts.status;
  v->sample.why = parts.why;
  return parts.task.problem;
}

/* Does the same for all parts of x.  */
static struct gt_problem
sums_of_all (struct vectors *v, enum gt_reduction reduction, enum gt_mode mode,
             union gt_value *value)
{
  struct gt_problem problem;
  union gt_value other;

  sums_of_parts (v, 0, 0, reduction, mode, value);
  problem = sums_of_parts (v, 1, 1, reduction, mode, &other);
  gt_value_merge (&problem, value, &other);
  return problem;
}

/* Computes the exact product as four products of parts.  */
static void
multiply_parts (struct vectors *v, struct gt_product_accumulator product[2])
{
  union gt_value one;

  for (int k = 0; k < 2; k++)
    memset (&product[k], 0, sizeof product[k]);
  for (size_t a = 0; a < 2; a++)
    for (size_t b = 0; b < 2; b++)
      {
        const double sign = (a ? v->sample.task.scale : 1) * (a && b ? -1 : 1);

        sums_of_parts (v, a, b, GT_DOT, GT_MODE_EXACT, &one);
        if (sign < 0)
          gt_product_negate (&one.exact.product);
        gt_product_merge (&product[a != b], &one.exact.product);
      }
}

#define GT_TEMPLATE "src/blas/complex.inc"
#define GT_COMPLEX_TOO
#include "src/each_type.h"
