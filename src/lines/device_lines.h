/* Results for rows, columns and segments of device matrices and vectors, which are on the host
   if there is no GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_LINES_H
#define GT_DEVICE_LINES_H

#include "src/gpu/device_table.h"
#include "src/lines/lines.h"
#include "src/streams/streams.h"

/* Compute F for each row or column of TABLE, or each segment of V with the OFFSETS, which are
   unsigned longs, and store the results in TO, after all work in their streams.  Return
   GSL_SUCCESS, or report by GSL's handler: an error of gt_lines_compute; GSL_EBADLEN if there
   is no offset; GSL_EFAILED if a GPU has failed and its elements are lost, or if memory is
   short; or an error of gt_device_memory_check.  */
int gt_device_rows_compute (const struct gsltune_device_table *table,
                            const struct gt_line_function *f,
                            const struct gsltune_device_memory *to);
int gt_device_columns_compute (const struct gsltune_device_table *table,
                               const struct gt_line_function *f,
                               const struct gsltune_device_memory *to);
int gt_device_segments_compute (const struct gsltune_device_memory *v,
                                const struct gsltune_device_memory *offsets,
                                const struct gt_line_function *f,
                                const struct gsltune_device_memory *to);

/* Enqueue the computation of F for each row of TABLE, each column if BY_COLUMNS, or each
   segment of V, in the stream of HOW, without waiting.  Return GSL_SUCCESS or an error code,
   without calling the handler.  */
int gt_device_lines_keep (const struct gsltune_device_table *table, int by_columns,
                          const struct gt_line_function *f,
                          const struct gsltune_device_memory *to, const struct gt_stream_call *how);
int gt_device_segments_keep (const struct gsltune_device_memory *v,
                             const struct gsltune_device_memory *offsets,
                             const struct gt_line_function *f,
                             const struct gsltune_device_memory *to,
                             const struct gt_stream_call *how);

#endif
