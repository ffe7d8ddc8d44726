/* What gsltune bench times: GSL's function of an operation and an element type, the
   library's, and the library's of a device vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_FUNCTIONS_H
#define GT_BENCH_FUNCTIONS_H

#include "kernels/reductions.h"
#include "tuning/measure/gsl_calls.h"

/* A function, and what calls it on operands; null: there is none.  */
struct gt_bench_function
{
  void (*call) (void *function, const struct gt_gsl_operands *operands);
  void *function;
};

static inline void
gt_bench_call (const struct gt_bench_function *f,
               const struct gt_gsl_operands *operands)
{
  f->call (f->function, operands);
}

struct gt_bench_functions
{
  struct gt_bench_function gsl, ours, of_device;
};

struct gt_bench_functions gt_bench_functions (enum gt_reduction operation,
                                              enum gt_element_type type);

/* Makes DEVICE the operands of a function of device vectors, with the elements of HOST's.
   Returns 0, or -1 where no GPU has room for them, or has the type.  */
int gt_bench_to_device (enum gt_element_type type,
                        const struct gt_gsl_operands *host,
                        struct gt_gsl_operands *device);
void gt_bench_free_device (enum gt_element_type type,
                           struct gt_gsl_operands *device);

#endif
