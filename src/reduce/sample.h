/* Samples of statistics, on the host or on a GPU.

   A public function makes a sample and passes it to the function that computes its statistic
   (src/statistics/statistic.h, dot_products.h), which requests sums, once or several times, and
   combines them to one number.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SAMPLE_H
#define GT_SAMPLE_H

#include <gsl/gsl_errno.h>
#include <math.h>

#include "kernels/cpu/finish/ball.h"
#include "kernels/cutoffs.h"
#include "kernels/task.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/plan/plan.h"
#include "src/gpu/device_memory.h"

struct gt_term;
struct gt_long_factor;

struct gt_sample
{
  /* The address and number of the elements; with weights, those of the weights and of the
     data.  Other members are set for each pass.  */
  struct gt_task task;
  /* The device memory of x and y; null: on the host.  */
  const struct gsltune_device_memory *memory[2];
  enum gt_mode mode;  /* in force when the function was called */
  const struct gt_term *term; /* the statistic; not set for products and norms */
  double given[2];    /* the mean and the standard deviation, or two means */
  uint64_t additions; /* maximum for an element in the last planned sums */
  int status;         /* GSL_SUCCESS, or the error of a GPU, */
  const char *why;    /* and its reason; then results are undefined */
};

typedef double gt_statistic (struct gt_sample *sample);

/* Sets a sample member by member, in place: clearing or copying all of it would take longer
   than a short sum.  */
static inline void
gt_sample_init (struct gt_sample *sample, enum gt_arithmetic arithmetic,
                struct gt_operand x, struct gt_operand y, size_t n)
{
  sample->task.problem.arithmetic = arithmetic;
  sample->task.problem.n = n;
  sample->task.x.data = x.data;
  sample->task.x.stride = x.stride;
  sample->task.y.data = y.data;
  sample->task.y.stride = y.stride;
  sample->task.origin = 0;
  sample->task.shift[0] = sample->task.shift[1] = 0;
  sample->task.scale = 0;
  sample->task.single = 0;
  sample->memory[0] = sample->memory[1] = NULL;
  sample->mode = gt_mode_now ();
  sample->given[0] = sample->given[1] = 0;
  sample->status = GSL_SUCCESS;
  sample->why = NULL;
}

/* Makes the sample of vectors X and Y, on a GPU or on the host.  */
static inline void
gt_sample_of_memory (struct gt_sample *sample, enum gt_arithmetic arithmetic,
                     const struct gsltune_device_memory *x,
                     const struct gsltune_device_memory *y)
{
  gt_sample_init (sample, arithmetic, (struct gt_operand) {x->data, x->stride},
                  (struct gt_operand) {y->data, y->stride}, x->n);
  if (x->gpu || y->gpu)
    {
      sample->memory[0] = x;
      sample->memory[1] = y;
    }
}

/* Computes sums of the elements of one or two samples by a plan and a route.  */
void gt_sample_sums_planned (struct gt_sample *sample, union gt_value *value);

/* Stores the result of REDUCTION for the sample in MODE, unfinished, in VALUE; zero if a GPU
   fails.  Shifts and scale are those of the sample's task.  */
static inline void
gt_sample_sums (struct gt_sample *sample, enum gt_reduction reduction,
                enum gt_mode mode, union gt_value *value)
{
  struct gt_problem *const problem = &sample->task.problem;
  const int two = gt_reductions[reduction].inputs == 2;
  gt_cpu_function *function;

  problem->reduction = reduction;
  problem->mode = gt_mode_for (reduction, problem->arithmetic, mode);
  problem->layout
    = sample->task.x.stride == 1 && (!two || sample->task.y.stride == 1)
        ? GT_CONTIGUOUS : GT_STRIDED;
  if (problem->mode == GT_MODE_FAST && sample->memory[0] == NULL)
    {
      function = gt_quick_find (reduction, problem->arithmetic,
                                problem->layout, problem->n);
      if (__builtin_expect (function != NULL, 1))
        {
          function (&sample->task, value);
          return;
        }
    }
  gt_sample_sums_planned (sample, value);
}

/* Returns a sample whose x is SAMPLE's y.  */
static inline struct gt_sample
gt_sample_second (const struct gt_sample *sample)
{
  struct gt_sample second = *sample;

  second.task.x = sample->task.y;
  second.memory[0] = sample->memory[1];
  return second;
}

/* Returns element I of OPERAND.  */
long double gt_operand_element (enum gt_arithmetic arithmetic, const struct gt_operand *operand, size_t i);

/* Returns element I of x (WHICH 0) or y (1), in memory of the host.  */
long double gt_sample_element (const struct gt_sample *sample, int which,
                               size_t i);

/* Stores N elements of an operand, beginning with element BEGIN, in TO, rounded to
   doubles.  */
void gt_sample_doubles (enum gt_arithmetic arithmetic, const struct gt_operand *operand,
                        size_t begin, size_t n, double *to);

/* Returns the best shift for sums of x or y before more is known: the mean of eight elements,
   which equals them if all are equal; on a GPU the first element.  Copying that takes as long
   as another pass over a short vector, for which the shift is 0.  */
double gt_sample_shift (struct gt_sample *sample, int which);

/* Computes STATISTIC of the sample from a copy on the host if a GPU has the elements; returns
   0 with GSL_EFAILED in the sample if they cannot be copied.  */
double gt_sample_on_host (struct gt_sample *sample, gt_statistic *statistic);

/* Does the same as gt_statistic_of in the kernels' floating-point environment.  */
double gt_statistic_alike (struct gt_sample *sample, gt_statistic *statistic);

/* Computes STATISTIC of the sample.  A result with the same bits everywhere must not depend on
   the caller's rounding mode; fast mode does not check it.  */
static inline double
gt_statistic_of (struct gt_sample *sample, gt_statistic *statistic)
{
  return __builtin_expect (sample->mode == GT_MODE_FAST, 1)
           ? statistic (sample) : gt_statistic_alike (sample, statistic);
}

/* Returns the error of the sample's last sums in MODE relative to the sum of the terms'
   magnitudes.  Each term takes part in N additions.  A compensated sum, whose terms have twice
   the precision, errs by at most 64 u^2; its compensations, which are roundings of the partial
   sums that a term is part of, are themselves rounded twice for each addition; in fast mode
   there are these roundings alone.  */
double gt_sample_error (const struct gt_sample *sample, enum gt_mode mode);

/* Returns sum K of VALUE, the sample's last sums, in fast or compensated mode, with the bound
   of a sum of nonnegative terms.  */
struct gt_ball gt_sum_in (const struct gt_sample *sample, const union gt_value *value,
                          unsigned k);

/* Checks that sums of products with the value X have neither overflowed nor lost digits to
   underflow.  */
static inline int
gt_in_range (double x)
{
  return isgreaterequal (x, 0x1p-900) && islessequal (x, 0x1p1000); /* NaN raises nothing */
}

/* Returns the sign, the bits of the significand and the finiteness of element I.  Integers are
   treated as 1.  */
struct gt_long_factor
gt_operand_factor (enum gt_arithmetic arithmetic, const struct gt_operand *x, size_t i);

/* Returns the index of the first element from I on that is not finite, in x or in TWO vectors;
   otherwise n.  */
size_t gt_next_special (const struct gt_task *task, int two, size_t i);

#endif
