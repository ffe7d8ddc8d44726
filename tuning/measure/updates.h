/* Calls the updates of vectors of src/procedures.def by their addresses.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_UPDATES_H
#define GT_UPDATES_H

#include <stdint.h>

#include "src/preload/taken.h"

/* Two vectors of N elements, whose numbers stay in range for any number of calls.  */
struct gt_update_data
{
  size_t n, stride[2];
  void *x, *y; /* contiguous, beginning with x */
};

/* Makes data for calls of N elements, or of fewer if N would take more than MOST_BYTES of
   memory.  Returns the factor that N was divided by, or 0 if memory is short.  */
double gt_update_data_make (struct gt_update_data *data, enum gt_taken_id id, uint64_t n,
                            const uint64_t stride[2], size_t most_bytes);

void gt_update_call (enum gt_taken_id id, void *function, const struct gt_update_data *data);

#endif
