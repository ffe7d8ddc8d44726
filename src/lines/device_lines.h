/* Results of rows, columns and segments that stay on a GPU, or on the host where there is none.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_LINES_H
#define GT_DEVICE_LINES_H

#include "src/gpu/device_table.h"
#include "src/lines/lines.h"
#include "src/streams/streams.h"

/* Compute F of each row or column of TABLE, or of each segment of V, whose OFFSETS are unsigned
   longs, and store the results in TO, in the order of all their streams.  Return GSL_SUCCESS,
   or what gt_lines_compute does, GSL_EBADLEN where there is no offset, GSL_EFAILED where elements are
   lost with a GPU or memory is short, and what gt_device_memory_check says, all through GSL's
   handler.  */
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

/* Put what computes F of each row, or BY_COLUMNS of each column, of TABLE, or of each segment of V,
   into the stream of HOW, and wait for nothing.  Return GSL_SUCCESS or a code, through no
   handler.  */
int gt_device_lines_keep (const struct gsltune_device_table *table, int by_columns,
                          const struct gt_line_function *f,
                          const struct gsltune_device_memory *to, const struct gt_stream_call *how);
int gt_device_segments_keep (const struct gsltune_device_memory *v,
                             const struct gsltune_device_memory *offsets,
                             const struct gt_line_function *f,
                             const struct gsltune_device_memory *to,
                             const struct gt_stream_call *how);

#endif
