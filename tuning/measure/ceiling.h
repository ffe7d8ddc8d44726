/* Measures how fast a plain loop of vector loads reads: no sum of data on the host can be
   faster.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CEILING_H
#define GT_CEILING_H

#include <stddef.h>
#include <stdint.h>

/* Reads BYTES from DATA on once, by a team of THREADS, with the widest vectors of this
   machine.  Returns a value that depends on every byte.  */
uint64_t gt_ceiling_read (const void *data, size_t bytes, unsigned threads);

/* Returns the seconds of one such reading, measured over about AT_LEAST seconds.  */
double gt_ceiling_seconds (const void *data, size_t bytes, unsigned threads,
                           double at_least);

/* Returns the bytes of a vector of gt_ceiling_read.  */
unsigned gt_ceiling_width (void);

#endif
