/* Reads memory by a plain loop of vector loads: no sum of data on the host can be faster.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CEILING_H
#define GT_CEILING_H

#include <stddef.h>
#include <stdint.h>

/* Reads BYTES from DATA on once, by a team of THREADS, with the widest vectors of this
   machine.  Returns a value that depends on every byte.  */
uint64_t gt_ceiling_read (const void *data, size_t bytes, unsigned threads);

#endif
