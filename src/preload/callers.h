/* The objects of a process: GSL's library and the program.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CALLERS_H
#define GT_CALLERS_H

#include "src/preload/counts.h"

/* Returns whether the call that returns to ADDRESS is made by GSL's library.  */
int gt_is_called_by_gsl (const void *address);

/* Enters PLACE in TABLE, which has N places, unless its kind and object are already there, and
   returns its index, or -1 if the table is full.  A place that another process has claimed but
   not written may be the same: then there are two.  */
int gt_counts_enter (struct gt_counts_place *table, uint32_t n,
                     const struct gt_counts_place *place);

/* Returns whether PATH is the path of GSL's library.  */
int gt_is_gsl_path (const char *path);

/* Stores the path of the program that runs in this process, or the last part of it that fits
   in SIZE bytes with the null byte.  */
void gt_own_program (char *path, size_t size);

#endif
