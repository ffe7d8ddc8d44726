/* GSL's own sums, to compare with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/gsl_reference.h"

#include <gsl/gsl_vector.h>

#include "src/names.h"
#include "tuning/clock.h"
#include "tuning/statistics.h"
#include "tuning/target.h"

#define X(id, name, infix, ctype, arithmetic)                          \
  static void sum_##id (const void *data, size_t n, size_t stride)     \
  {                                                                    \
    gsl_vector##infix v = {n, stride, (ctype *) data, NULL, 0};        \
    volatile ctype result = gsl_vector##infix##_sum (&v);              \
    (void) result;                                                     \
  }
GT_ELEMENT_TYPES (X)
#undef X

static void (*const sums[GT_N_ELEMENT_TYPES]) (const void *, size_t, size_t)
  = {
#define X(id, name, infix, ctype, arithmetic) [GT_TYPE_##id] = sum_##id,
  GT_ELEMENT_TYPES (X)
#undef X
};

double
gt_time_gsl (const struct gt_problem *problem, const void *data,
             double at_least)
{
  size_t stride = problem->layout == GT_CONTIGUOUS ? 1 : GT_TUNED_STRIDE;
  double seconds[3];
  int type = 0;

  while (gt_types[type].arithmetic != problem->arithmetic)
    type++;
  for (int k = 0; k < 3; k++)
    {
      double begin = gt_now ();
      unsigned count = 0, more = 1;

      do
        {
          for (unsigned i = 0; i < more; i++)
            sums[type](data, problem->n, stride);
          count += more;
          more = count;
        }
      while (gt_now () - begin < at_least);
      seconds[k] = (gt_now () - begin) / count;
    }
  return gt_median (seconds, 3, NULL);
}
