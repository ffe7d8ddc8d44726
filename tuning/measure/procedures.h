/* The procedures of src/procedures.def, called by their addresses on data of a size.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROCEDURES_H
#define GT_PROCEDURES_H

#include <stdint.h>

#include "src/preload/taken.h"

/* Square matrices, or vectors where their first rows are.  C is what is changed; what is
   changed in its own place is B again before each call.  */
struct gt_procedure_data
{
  enum gt_taken_id id;
  size_t side; /* rows and columns */
  void *a, *b, *c;
};

/* Makes data for a call that makes N products of numbers, or the most that MOST_BYTES of
   memory allow.  Returns what the number of products was divided by, or 0 when memory is
   short.  */
double gt_procedure_data_make (struct gt_procedure_data *data, enum gt_taken_id id,
                               uint64_t n, size_t most_bytes);
void gt_procedure_data_free (struct gt_procedure_data *data);

void gt_procedure_call (void *function, const struct gt_procedure_data *data);

#endif
