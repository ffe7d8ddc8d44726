/* Functions that have a mode of their own, as GSLTUNE_MODE=exact,dgemm=fast gives them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_OWN_MODE_H
#define GT_OWN_MODE_H

#include "src/preload/taken.h"

/* The mode of its own that a function has, which is an enum gt_mode, or GT_OWN_NONE or
   GT_OWN_GSL.  */
unsigned char gt_own_mode (enum gt_taken_id id);

/* Finds what sets a thread's mode in our library.  To be called where gt_find_ours may be, and
   before these two: the first gives the calling thread the MODE, and returns what the other one
   gives it back.  A library without such modes is left as it is.  */
void gt_own_mode_prepare (void);
int gt_own_mode_begin (unsigned char mode);
void gt_own_mode_end (int before);

#endif
