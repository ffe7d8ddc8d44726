/* Runs the CPU kernel of the reduction of tests/hacking/.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>

#include "kernels/catalog.h"
#include "kernels/words.h"

extern gt_cpu_finder gt_cpu_sequential_cubes_baseline;

/* The tables with the examples' rows, their words understood.  */
static const struct
{
  const char *reduction;
  unsigned arithmetics, modes, serves;
} reductions[] = {
#define REDUCTION(id, name, algebra, inputs, plain, products, arithmetics, \
                  modes, serves, summary)                                 \
  {#name, arithmetics, modes, GT_##serves},
#include "kernels/reductions.def"
#undef REDUCTION
};
enum
{
  ON_CPU = 1,
  ON_GPU = 2
};
static const unsigned computed_by_rows = 0
#define CPU_KERNEL(name, file, version, reductions, layouts, arithmetics, \
                   modes, tunables, summary)                              \
  | ((reductions) & ((arithmetics) & (F64 | F32) ? CUBES : 0) ? ON_CPU : 0)
#define CUDA_KERNEL(name, file, version, reductions, layouts,             \
                    arithmetics, modes, tunables, shape, shared, since,   \
                    summary)                                              \
  | ((reductions) & ((tunables) & BLOCK ? CUBES : 0) ? ON_GPU : 0)
#include "kernels/catalog.def"
#undef CPU_KERNEL
#undef CUDA_KERNEL
  ;

static int
right (uint64_t n, uint64_t stride)
{
  static double x[200];
  static float y[200];
  const double cubes = (double) (n * n * (n - (n > 0)) * (n - (n > 0)) / 4);
  struct gt_task of_double
    = gt_task_of (GT_CUBES, GT_F64, GT_MODE_FAST, x, n, stride);
  struct gt_task of_float
    = gt_task_of (GT_CUBES, GT_F32, GT_MODE_FAST, y, n, stride);
  union gt_value value, value_float;

  for (uint64_t i = 0; i < n; i++)
    x[i * stride] = y[i * stride] = (float) i;
  gt_cpu_sequential_cubes_baseline (&of_double.problem, 1) (&of_double,
                                                            &value);
  gt_cpu_sequential_cubes_baseline (&of_float.problem, 1) (&of_float,
                                                           &value_float);
  return value.f64[0] == cubes && value.f64[1] == 0
         && value_float.f32[0] == (float) cubes && value_float.f32[1] == 0;
}

int
main (void)
{
  if (reductions[GT_CUBES].arithmetics != (F64 | F32)
      || reductions[GT_CUBES].modes != FAST
      || reductions[GT_CUBES].serves != GT_SUM
      || computed_by_rows != (ON_CPU | ON_GPU))
    {
      printf ("the rows are wrong\n");
      return 1;
    }
  for (uint64_t n = 0; n <= 60; n++)
    if (!right (n, 1) || !right (n, 3))
      {
        printf ("wrong of %d elements\n", (int) n);
        return 1;
      }
  return 0;
}
