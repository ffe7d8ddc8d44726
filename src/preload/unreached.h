/* Finds the calls of this process that bypass the preloaded object.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_UNREACHED_H
#define GT_UNREACHED_H

#include "src/preload/counts.h"

/* Adds the loaded objects of which some or all calls bypass the preloaded object to
   COUNTS.  */
void gt_note_unreached (struct gt_counts *counts);

#endif
