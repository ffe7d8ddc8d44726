/* Host memory near a device.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_HOST_MEMORY_H
#define GT_HOST_MEMORY_H

#include <stddef.h>

/* Returns BYTES of memory, in whole pages, on the NUMA node nearest to the PCI device at
   ADDRESS ("0000:01:00.0"), if that is known.  Returns null if memory is short.  */
void *gt_host_memory_near (const char *address, size_t bytes);
void gt_host_memory_free (void *memory, size_t bytes);

#endif
