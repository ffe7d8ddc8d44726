/* Where the object is that `gsltune run' preloads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RUN_OBJECT_H
#define GT_RUN_OBJECT_H

#include <limits.h>

/* Sets PATH to it: where it was built, or where it was installed together with this
   command, also if both were moved since.  Ends the command if it is nowhere.  */
void gt_run_object (char path[PATH_MAX]);

#endif
