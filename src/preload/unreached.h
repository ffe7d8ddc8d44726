/* Finds the calls of this process that bypass the preloaded object.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_UNREACHED_H
#define GT_UNREACHED_H

#include "src/preload/counts.h"

/* Adds to COUNTS the loaded objects whose calls, some or all, bypass the preloaded object.  */
void gt_note_unreached (struct gt_counts *counts);

#endif
