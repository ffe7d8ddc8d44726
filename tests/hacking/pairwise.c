/* Runs the CPU kernel of tests/hacking/.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>

#include "kernels/catalog.h"

extern gt_cpu_finder gt_cpu_pairwise_baseline;

enum { MOST = 1000 };

/* Whether the sums of every length are right that whole numbers have.  */
#define X(id, name, ctype, real)                                          \
  static int                                                              \
  right_##name (size_t stride)                                            \
  {                                                                       \
    static ctype x[2 * MOST];                                             \
    union gt_value value;                                                 \
                                                                          \
    for (size_t i = 0; i < 2 * MOST; i++)                                 \
      x[i] = (ctype) i;                                                   \
    for (size_t n = 0; n <= MOST; n++)                                    \
      {                                                                   \
        struct gt_task task                                               \
          = gt_task_of (GT_SUM, GT_##id, GT_MODE_FAST, x, n, stride);     \
        gt_cpu_pairwise_baseline (&task.problem, 1) (&task, &value);      \
        if (value.name[0] != (ctype) (n * stride * (n - (n > 0)) / 2)     \
            || value.name[1] != 0)                                        \
          return 0;                                                       \
      }                                                                   \
    return 1;                                                             \
  }
GT_REAL_ARITHMETICS (X)
#undef X

int
main (void)
{
  struct gt_problem integers = {.arithmetic = GT_U32};

#define X(id, name, ctype, real)                  \
  if (!right_##name (1) || !right_##name (2))     \
    {                                             \
      printf ("wrong sums of " #name "\n");       \
      return 1;                                   \
    }
  GT_REAL_ARITHMETICS (X)
#undef X
  return gt_cpu_pairwise_baseline (&integers, 1) != NULL;
}
