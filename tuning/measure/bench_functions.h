/* What gsltune bench times: GSL's function of an operation and an element type, the
   library's, and the library's of a device vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_FUNCTIONS_H
#define GT_BENCH_FUNCTIONS_H

#include "kernels/reductions.h"

/* A vector to be timed on.  */
struct gt_bench_vector
{
  void *data;
  size_t n, stride;
  void *second; /* as many elements, for what needs two vectors */
  void *device; /* a gsltune_device_vector of the type, or null */
  void *device_second;
};

typedef void gt_bench_function (const struct gt_bench_vector *v);

/* Of a type: a device vector with the elements of V, null where there is no GPU for
   it.  Null functions where no GPU has the type.  */
struct gt_bench_device
{
  void *(*make) (const struct gt_bench_vector *v);
  void (*free) (void *device);
};

struct gt_bench_functions
{
  gt_bench_function *gsl, *ours, *of_device;
};

/* Null functions where there is no such operation of the type.  */
struct gt_bench_functions gt_bench_functions (enum gt_reduction operation,
                                              enum gt_element_type type);
struct gt_bench_device gt_bench_device (enum gt_element_type type);

#endif
