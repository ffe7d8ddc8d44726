/* The resources that the compiler gave each CUDA kernel, as `ptxas -v' reported it when the
   library was built.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_RESOURCES_H
#define GT_KERNELS_RESOURCES_H

struct gt_kernel_resources
{
  const char *symbol; /* "sum_grid_stride_f64_u4" */
  int cc;             /* compute capability times ten: 90 */
  int registers;      /* per thread */
  int shared;         /* bytes per block, static */
  int spill_stores;   /* bytes per thread */
  int spill_loads;    /* bytes per thread */
};

/* The last row has a null symbol; a build without CUDA has only this row.  */
extern const struct gt_kernel_resources gt_kernel_resources[];

/* Returns the row of SYMBOL in TABLE for the newest compiled architecture that is not newer
   than compute capability CC (times ten) and has the same major number, otherwise for the
   newest that is not newer; null if there is none.  */
const struct gt_kernel_resources *
gt_kernel_resources_find (const struct gt_kernel_resources *table,
                          const char *symbol, int cc);

#endif
