/* Sums as problems and tasks, in few words, for tests of sums alone.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef TESTS_SUMS_H
#define TESTS_SUMS_H

#include <float.h>
#include <string.h>

#include "kernels/catalog.h"
#include "kernels/cpu/sums/combine.h"
#include "src/base/configuration.h"

static inline struct gt_problem
sum_problem (enum gt_arithmetic arithmetic, enum gt_mode mode,
             enum gt_layout layout, uint64_t n)
{
  return (struct gt_problem) {GT_SUM, arithmetic, mode, layout, n};
}

/* The kernel of that name that sums.  */
static inline const struct gt_kernel *
sum_kernel (const char *name)
{
  return gt_catalog_find (name, GT_SUM);
}

static inline int
sum_served (const struct gt_kernel *kernel, enum gt_arithmetic arithmetic,
            enum gt_mode mode, enum gt_layout layout)
{
  struct gt_problem problem = sum_problem (arithmetic, mode, layout, 0);

  return gt_kernel_serves (kernel, &problem);
}

static inline gt_cpu_function *
sum_function (const struct gt_kernel *kernel, enum gt_arithmetic arithmetic,
              enum gt_mode mode, enum gt_layout layout, unsigned unroll)
{
  struct gt_problem problem = sum_problem (arithmetic, mode, layout, 0);

  return kernel->unrolls & unroll && gt_kernel_serves (kernel, &problem)
           ? gt_kernel_function (kernel, &problem, unroll) : NULL;
}

static inline void
finish_sum (enum gt_arithmetic arithmetic, enum gt_mode mode, union gt_value *sum)
{
  struct gt_problem problem = sum_problem (arithmetic, mode, GT_STRIDED, 0);

  gt_value_finish (&problem, sum);
}

/* Whether member [0] of both has the same bits; those of x87's numbers are followed by
   padding.  */
static inline int
same_bits (enum gt_arithmetic arithmetic, const union gt_value *a, const union gt_value *b)
{
  return memcmp (a, b, arithmetic == GT_LDBL && LDBL_MANT_DIG == 64
                         ? 10 : gt_element_size (arithmetic)) == 0;
}

/* A sum for a GPU, and its way.  */
struct gpu_sum
{
  struct gt_plan plan;
  struct gt_task task;
};

static inline struct gpu_sum
gpu_sum_of (const struct gt_kernel *kernel, struct gt_config config,
            enum gt_arithmetic arithmetic, enum gt_mode mode, const void *data,
            uint64_t n, uint64_t stride)
{
  return (struct gpu_sum) {
    .plan = {.kernel = kernel, .config = config},
    .task = gt_task_of (GT_SUM, arithmetic, mode, data, n, stride)
  };
}

#endif
