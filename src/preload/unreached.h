/* Which calls of this process the preloaded object does not get.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_UNREACHED_H
#define GT_UNREACHED_H

#include "src/preload/counts.h"

/* Writes the objects that are loaded now and whose calls are not reached, wholly or in
   part, to COUNTS.  */
void gt_note_unreached (struct gt_counts *counts);

#endif
