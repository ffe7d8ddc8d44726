/* Samples: what statistics are computed of, on the host or on a GPU.

   A public function makes a sample and hands it to the function that computes its
   statistic (src/public/statistic.h, products.h); that asks for sums, once or several times,
   and makes one number of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SAMPLE_H
#define GT_SAMPLE_H

#include <gsl/gsl_errno.h>

#include "kernels/cutoffs.h"
#include "kernels/task.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/plan/plan.h"
#include "src/public/device_memory.h"

struct gt_term;

struct gt_sample
{
  /* Where the elements lie and how many there are, of the weights and of the data
     where there are weights.  The rest of it is set for each pass.  */
  struct gt_task task;
  /* Where x and y lie on a GPU; null: on the host.  */
  const struct gsltune_device_memory *memory[2];
  enum gt_mode mode;  /* in force when the function was called; compensated for dot products alone */
  const struct gt_term *term; /* the statistic; of products and norms it is not set */
  double given[2];    /* the mean and the standard deviation, or two means */
  uint64_t additions; /* that an element of the last planned sums went through at most */
  int status;         /* GSL_SUCCESS, or what a GPU failed with, */
  const char *why;    /* and why; then results mean nothing */
};

typedef double gt_statistic (struct gt_sample *sample);

/* Member by member, in place: to clear or to copy all of it would take longer than a
   short sum.  */
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
  sample->mode = gt_mode_uncompensated ();
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

/* Sums of the sample's elements, or of its two samples', by the way that the plans
   and the routes give; what was not done quickly, see below.  */
void gt_sample_sums_planned (struct gt_sample *sample, union gt_value *value);

/* Leaves in VALUE what REDUCTION makes of the sample in MODE, unfinished; of
   nothing, all zero, when a GPU fails.  Shifts and scale are those of the
   sample's task.  */
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

/* The sample of y alone.  */
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

/* Element I of x (WHICH 0) or y (1), in memory of the host.  */
long double gt_sample_element (const struct gt_sample *sample, int which,
                               size_t i);

/* Leaves N elements of an operand from BEGIN on in TO, rounded to doubles.  */
void gt_sample_doubles (enum gt_arithmetic arithmetic, const struct gt_operand *operand,
                        size_t begin, size_t n, double *to);

/* The number that sums of x or y are best taken about before more is known: the mean of eight
   elements, which is their value where all are equal; on a GPU the first one.  From there it has
   to be copied, which takes as long as another pass over some elements: of fewer it is 0.  */
double gt_sample_shift (struct gt_sample *sample, int which);

/* STATISTIC of the sample, whose elements a GPU may have, by a copy of them on the
   host; 0 and GSL_EFAILED in the sample when there cannot be one.  */
double gt_sample_on_host (struct gt_sample *sample, gt_statistic *statistic);

/* The same in the floating-point environment that kernels need.  */
double gt_statistic_alike (struct gt_sample *sample, gt_statistic *statistic);

/* STATISTIC of the sample.  What is to have the same bits everywhere must not be
   rounded as the caller has set; fast mode does not look.  */
static inline double
gt_statistic_of (struct gt_sample *sample, gt_statistic *statistic)
{
  return __builtin_expect (sample->mode == GT_MODE_FAST, 1)
           ? statistic (sample) : gt_statistic_alike (sample, statistic);
}

#endif
