/* Matrices that stay on a GPU, or on the host if there is no GPU; untyped.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_TABLE_H
#define GT_DEVICE_TABLE_H

#include "src/gpu/device_memory.h"

/* Allocates SIZE1 rows of SIZE2 elements in the memory of GPU, or on the host, like
   gt_device_memory_alloc; returns null if host memory is short, too.  */
struct gsltune_device_table *
gt_device_table_alloc (struct gt_open_gpu *gpu, enum gt_arithmetic arithmetic,
                       size_t size1, size_t size2);
void gt_device_table_free (struct gsltune_device_table *table);

/* The functions below return GSL_SUCCESS, or a GSL error code with the reason in
   WHY.  */

/* Makes VIEW a view of SIZE1 rows, TDA elements apart, at an address that a GPU can read.  */
int gt_device_table_view (struct gsltune_device_table *view,
                          enum gt_arithmetic arithmetic, const void *address,
                          size_t size1, size_t size2, size_t tda,
                          const char **why);

/* Makes VIEW a view of N1 rows and N2 columns that begins with element (I, J).  */
int gt_device_table_part (struct gsltune_device_table *view,
                          enum gt_arithmetic arithmetic,
                          const struct gsltune_device_table *table, size_t i,
                          size_t j, size_t n1, size_t n2, const char **why);

/* Make VIEW a view of row I, or of column J.  */
int gt_device_table_row (struct gsltune_device_memory *view,
                         enum gt_arithmetic arithmetic,
                         const struct gsltune_device_table *table, size_t i,
                         const char **why);
int gt_device_table_column (struct gsltune_device_memory *view,
                            enum gt_arithmetic arithmetic,
                            const struct gsltune_device_table *table, size_t j,
                            const char **why);

/* Copies all elements from or to SIZE1 rows on the host that are TDA elements apart.  */
int gt_device_table_copy (const struct gsltune_device_table *table,
                          enum gt_arithmetic arithmetic,
                          enum gt_direction direction, void *host, size_t tda,
                          const char **why);

#endif
