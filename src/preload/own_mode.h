/* Functions with a mode of their own, as in GSLTUNE_MODE=exact,dgemm=fast.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_OWN_MODE_H
#define GT_OWN_MODE_H

#include "src/preload/taken.h"

/* Returns the function's own mode: an enum gt_mode, GT_OWN_NONE or GT_OWN_GSL.  */
unsigned char gt_own_mode (enum gt_taken_id id);

/* gt_own_mode_prepare finds the functions of our library that set a thread's mode.  Call it
   where gt_find_ours may be called, before the other two.  gt_own_mode_begin sets the calling
   thread's mode to MODE and returns the value for gt_own_mode_end, which restores it.  If the
   library has no such modes, these do nothing.  */
void gt_own_mode_prepare (void);
int gt_own_mode_begin (unsigned char mode);
void gt_own_mode_end (int before);

#endif
